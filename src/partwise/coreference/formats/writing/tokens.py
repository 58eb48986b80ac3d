"""Columns of tokens as CoNLL-U and CoNLL-UA write them, and what these cannot hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.syntax.token_numbers import numbers_of

#: What a format cannot hold, and how often.
Losses = Counter[str]

NOTHING = ("_", "")
#: Lines that say what a file has anew in each document.
_HEADER = re.compile(r"#\s*(newdoc\b|global\.)")


def columns_of(
    tokens: Tokens, numbers: Sequence[str], blanks: re.Pattern[str], lost: Losses
) -> dict[str, list[str]]:
    """Return the columns of tokens by their names, FORM and HEAD among them.

    Parameters
    ----------
    tokens : Tokens
    numbers : sequence of str
        How the tokens are numbered.
    blanks : compiled pattern
        What cannot stand in a cell; "_" is written in its place.
    lost : Losses
    """
    columns = {name: list(values) for name, values in tokens.columns.items()}
    if tokens.tags is not None and tokens.parse is None:
        columns["UPOS"] = list(tokens.tags)
    elif tokens.tags is not None:
        # beside a parse they are of its treebank
        lost["parts of speech beside a parse, written as XPOS"] += len(tokens)
        columns["XPOS"] = list(tokens.tags)
    if tokens.parse is not None:
        lost["tokens whose brackets of phrases (parse) are left out"] += len(tokens)
    columns["HEAD"] = _heads(tokens, numbers, lost)
    columns["DEPS"] = _dependencies(tokens, numbers, lost)
    for name, values in columns.items():
        for at, value in enumerate(values):
            if value == "_":
                continue
            values[at] = blanks.sub("_", value) or "_"
            if values[at] != value != "":
                lost[f"values of {name} with blanks or tabs, with '_' in place of these"] += 1
    columns["FORM"] = []
    for word in tokens.words:
        written = blanks.sub("_", word.strip() if blanks.match(" ") else word) or "_"
        columns["FORM"].append(written)
        if written != word:
            what = "blanks" if blanks.match(" ") else "tabs"
            lost[f"words that are empty or hold {what}, with '_' in place of these"] += 1
    return columns


def _heads(tokens: Tokens, numbers: Sequence[str], lost: Losses) -> list[str]:
    """Return the number of the token that governs each; that of empty nodes is in DEPS."""
    heads = ["_"] * len(tokens)
    if tokens.parents is None:
        return heads
    sentence = tokens.sentence.tolist()
    for at, parent in enumerate(tokens.parents.tolist()):
        if tokens.empty is not None and tokens.empty[at]:
            written = tokens.dependencies is not None and tokens.dependencies[at] not in NOTHING
            if parent >= 0 and not written:
                lost["empty nodes whose governor is left out"] += 1
        elif parent < 0:
            heads[at] = "0"
        elif sentence[parent] != sentence[at]:
            lost["governors in another sentence, left out"] += 1
        else:
            heads[at] = numbers[parent]
    return heads


def _dependencies(tokens: Tokens, numbers: Sequence[str], lost: Losses) -> list[str]:
    """Return enhanced dependencies with tokens as they are numbered now."""
    if tokens.dependencies is None:
        return ["_"] * len(tokens)
    ids = tokens.ids
    if ids is None:
        ids = numbers_of(tokens, over_document=False)
    if list(ids) == list(numbers):
        return list(tokens.dependencies)
    sentence = tokens.sentence.tolist()
    anew = dict(zip(zip(sentence, ids, strict=True), numbers, strict=True))
    found = []
    for at, text in enumerate(tokens.dependencies):
        parts = []
        for part in text.split("|") if text not in NOTHING else ():
            parent, colon, relation = part.partition(":")
            number = "0" if parent == "0" else anew.get((sentence[at], parent))
            if number is None:
                lost["enhanced dependencies on tokens that are not there, left out"] += 1
            else:
                parts.append(f"{number}{colon}{relation}")
        found.append("|".join(parts) or "_")
    return found


def lines_before(
    tokens: Tokens, lost: Losses, *, words_of_several_tokens: bool
) -> dict[int, list[str]]:
    """Return the lines that are no tokens, by the token before which they stand.

    Parameters
    ----------
    tokens : Tokens
    lost : Losses
    words_of_several_tokens : bool
        Whether tokens have their own numbers, which such lines name.
    """
    written: dict[int, list[str]] = {}
    for at, lines in tokens.lines.items():
        for line in lines:
            if not line.startswith("#"):
                if not words_of_several_tokens:
                    lost["lines of words of several tokens, left out"] += 1
                    continue
            elif _HEADER.match(line) or line[:2] in ("#\t", "#("):
                lost["comments that would be read as other lines, left out"] += 1
                continue
            written.setdefault(at, []).append(line)
    return written


def members_of(spans: Spans, i: int) -> list[int]:
    """Return the tokens of a mention, ascending."""
    if spans.token_ends is None or spans.tokens is None:
        return list(range(int(spans.first[i]), int(spans.last[i]) + 1))
    members: list[int] = spans.tokens[spans.token_ends[i] : spans.token_ends[i + 1]].tolist()
    return members


def relations_of(document: Document) -> dict[tuple[int, int], str]:
    """Return bridging by positions of markables, with its kinds; what scores take stands last.

    A caller may have changed ``bridging`` and not ``relations``.
    """
    references = document.references
    if references is None:
        return {}
    relations = dict(references.relations)
    for pair in references.bridging.items():
        relations[pair] = relations.pop(pair, "")
    return relations
