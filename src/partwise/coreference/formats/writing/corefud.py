"""Documents as CoNLL-U with the Entity attribute of CorefUD."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.corefud import read_lines
from partwise.coreference.formats.files import Notes

#: What a format cannot hold, and how often.
Losses = Counter[str]

_ENTITY = re.compile(r"[^()|\[\]\s-]+\Z")
_MISSING = ("nan", "none", "null")
_LINE_BREAKS = re.compile(r"[\t\n\r\f\v]+")


def corefud_lines(document: Document, spans: Spans, lost: Losses) -> Iterator[str]:
    """Yield the lines of a document; count what they do not hold.

    Heads, minimum spans, empty nodes, discontinuous mentions, split antecedents and enhanced
    dependencies are written; types of entities are left empty, as documents have none.
    """
    tokens = _tokens_of(document, spans, lost)
    members = [_members(spans, i) for i in range(len(spans))]
    spans = _with_writable_minima(spans, members, tokens, lost)
    fields = ["eid", "etype"]
    if spans.head is not None:
        fields.append("head")
    if spans.minimum is not None:
        fields.append("minspan")
    fields.append("other")
    names = _entity_names(document, lost)
    of_mentions = [names[e] for e in document.entity.tolist()]
    brackets = _brackets(
        *(members, of_mentions),
        [_details(spans, i, members[i], tokens) for i in range(len(spans))],
    )
    lines = [f"# newdoc id = {document.name}", f"# global.Entity = {'-'.join(fields)}"]
    lines += _token_lines(tokens, brackets, _antecedents(document, spans, names), lost)
    if misread := _misread(lines, _mentions(of_mentions, spans)):
        lost["mentions that cross another one of their entity, read back as others"] += misread
    yield from lines


def _tokens_of(document: Document, spans: Spans, lost: Losses) -> Tokens:
    n = int(spans.last.max()) + 1 if len(spans) else 0
    tokens = document.tokens
    if tokens is None:
        lost["documents without words, written as '_'"] += 1
        return Tokens(["_"] * n, np.zeros(n, dtype=np.int64))
    if n > len(tokens):
        raise ValueError(
            f"document {document.name!r}: a mention ends at token {n - 1}, but there are "
            f"{len(tokens)} tokens"
        )
    return tokens


def _members(spans: Spans, i: int) -> list[int]:
    """Return the tokens of a mention, ascending."""
    if spans.token_ends is None or spans.tokens is None:
        return list(range(int(spans.first[i]), int(spans.last[i]) + 1))
    members: list[int] = spans.tokens[spans.token_ends[i] : spans.token_ends[i + 1]].tolist()
    return members


def _entity_names(document: Document, lost: Losses) -> list[str]:
    names = list(map(str, document.entity_names))
    if any(not _ENTITY.match(x) or x.lower() in _MISSING for x in names) or len(
        set(names)
    ) < len(names):
        lost["documents whose entities are written as e1, e2, ..."] += 1
        names = [f"e{number}" for number in range(1, len(names) + 1)]
    return names


def _with_writable_minima(
    spans: Spans, members: list[list[int]], tokens: Tokens, lost: Losses
) -> Spans:
    """Return spans whose minimum spans begin and end at words, or are the whole mention."""
    if spans.minimum is None:
        return spans
    minimum = spans.minimum.copy()
    for i, all_tokens in enumerate(members):
        ends = (all_tokens[0], all_tokens[-1])
        if (
            tuple(minimum[i].tolist()) != ends
            and not np.isin(minimum[i], _words_of(all_tokens, tokens)).all()
        ):
            lost["minimum spans that begin or end at no word of the mention, left out"] += 1
            minimum[i] = ends
    return replace(spans, minimum=minimum)


def _words_of(members: list[int], tokens: Tokens) -> list[int]:
    """Return the tokens of a mention that ``minspan`` counts."""
    empty = tokens.empty
    return [t for t in members if empty is None or not empty[t]] or members


def _details(spans: Spans, i: int, members: list[int], tokens: Tokens) -> str:
    """Return the fields of a mention behind its entity."""
    fields = [""]
    if spans.head is not None:
        fields.append(str(members.index(int(spans.head[i])) + 1))
    if spans.minimum is not None:
        low, high = spans.minimum[i].tolist()
        words = _words_of(members, tokens)
        ends = sorted({words.index(x) + 1 for x in (low, high) if x in words})
        # without both ends it is the whole mention, which is what "_" means
        fields.append(",".join(map(str, ends)) if low in words and high in words else "_")
    return "-" + "-".join([*fields, ""])


def _brackets(
    members: list[list[int]], names: list[str], details: list[str]
) -> dict[int, list[str]]:
    """Return the brackets of each token: closing ones first, wide mentions around others."""
    # a mention that ends first has to be the latest that was opened
    opening: list[tuple[int, int, int, str]] = []
    closing: list[tuple[int, int, int, str]] = []
    for tokens, name, detail in zip(members, names, details, strict=True):
        cuts = [at for at, (a, b) in enumerate(pairwise(tokens), 1) if b > a + 1]
        runs = [tokens[i:j] for i, j in pairwise([0, *cuts, len(tokens)])]
        for number, run in enumerate(runs, 1):
            key = f"{name}[{number}/{len(runs)}]" if len(runs) > 1 else name
            first, last = run[0], run[-1]
            more = detail if number == 1 else ""
            opening.append(
                (first, -last, -tokens[-1], f"({key}{more}{')' if first == last else ''}")
            )
            if last > first:
                closing.append((last, -first, 0, f"{key})"))
    brackets: dict[int, list[str]] = {}
    for part in (closing, opening):
        for token, _, _, text in sorted(part, key=lambda x: x[:3]):
            brackets.setdefault(token, []).append(text)
    return brackets


def _antecedents(document: Document, spans: Spans, names: list[str]) -> dict[int, str]:
    """Return what stands at the first mention of an entity that is made of others."""
    written: dict[int, list[str]] = {}
    for entity, made_of in document.antecedents.items():
        row = int(np.flatnonzero(document.entity == entity)[0])
        pairs = [f"{names[one]}<{names[entity]}" for one in made_of]
        written.setdefault(int(spans.first[row]), []).extend(pairs)
    return {at: f"SplitAnte={','.join(pairs)}" for at, pairs in written.items()}


def _token_lines(
    tokens: Tokens,
    brackets: dict[int, list[str]],
    antecedents: dict[int, str],
    lost: Losses,
) -> Iterator[str]:
    before = None
    number = inserted = 0
    for at, (word, sentence) in enumerate(
        zip(tokens.words, tokens.sentence.tolist(), strict=True)
    ):
        if sentence != before:
            if before is not None:
                yield ""
            before, number, inserted = sentence, 0, 0
        if tokens.empty is not None and tokens.empty[at]:
            inserted += 1
        else:
            number, inserted = number + 1, 0
        made = f"{number}.{inserted}" if inserted else str(number)
        written = _LINE_BREAKS.sub("_", word) or "_"
        if written != word:
            lost["words that are empty or hold tabs, with '_' in place of these"] += 1
        entity = "".join(brackets.get(at, ()))
        further = [f"Entity={entity}"] if entity else []
        further += [antecedents[at]] if at in antecedents else []
        yield "\t".join(
            (
                made if tokens.ids is None else tokens.ids[at],
                *(written, "_", "_", "_", "_", "_", "_"),
                "_" if tokens.dependencies is None else tokens.dependencies[at] or "_",
                "|".join(further) or "_",
            )
        )
    yield ""


def _mentions(names: list[str], spans: Spans) -> Counter[tuple[object, ...]]:
    """Return mentions as a multiset of entity, tokens, head and minimum span."""
    return Counter(
        (
            name,
            *_members(spans, i),
            -1 if spans.head is None else int(spans.head[i]),
            () if spans.minimum is None else tuple(spans.minimum[i].tolist()),
        )
        for i, name in enumerate(names)
    )


def _misread(lines: list[str], written: Counter[tuple[object, ...]]) -> int:
    """Return how many mentions are read back as others: crossing ones of one entity."""
    numbered = enumerate((line.encode() for line in lines), 1)
    (document,) = read_lines(Path("lines"), numbered, Notes())
    assert isinstance(document.mentions, Spans)
    names = [str(document.entity_names[entity]) for entity in document.entity.tolist()]
    return (written - _mentions(names, document.mentions)).total()
