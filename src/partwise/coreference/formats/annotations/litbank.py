"""LitBank's own .ann or .tsv: mentions by sentence and token, the words in .txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.annotations.mentions import (
    Mention,
    column,
    document_of,
    position_of,
)
from partwise.coreference.formats.files import Notes, fault, numbered_lines, stem_of, text_of

_MENTION = re.compile(r"MENTION\t(\S+)\t([0-9]+)\t([0-9]+)\t([0-9]+)\t([0-9]+)(?:\t(.*))?\Z")
_COREFERENCE = re.compile(r"COREF\t(\S+)\t(\S.*)\Z")
#: How lines of LitBank begin.
LINE = re.compile(rb"(MENTION|COREF|COP|APPOS)\tT?[0-9]+\t")
_ENDING = re.compile(r"\.(ann|tsv)\b.*\Z", re.I)
#: What stands behind the words of a mention: PER, say, and PROP, NOM or PRON.
_DETAILS = ("category", "form")
#: Other links: copulas and appositions.
_NOT_SCORED = ("COP", "APPOS")


def read_litbank(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the document of a file, named after it.

    Lines are ``MENTION, id, sentence, token, sentence, token, text, ...`` (from 0, both ends
    inclusive) and ``COREF, id, entity``, tabs between. The file of the same name that ends in
    .txt has a sentence a line, its tokens apart by blanks.

    Raises
    ------
    ValueError
        No .txt, lines of another form, positions outside of the text, other words than are
        there, an entity of a mention that is not there; with file and line.
    """
    name = stem_of(path)
    words, sentence, starts = _words_beside(path, name)
    positions: dict[str, tuple[int, range, dict[str, str]]] = {}
    entities: dict[str, str] = {}
    named: dict[str, int] = {}  # the line that first names the entity of each mention
    for line, data in numbered_lines(path):
        text = text_of(data, path, line, name).rstrip("\r\n")
        if match := _MENTION.match(text):
            if match[1] in positions:
                raise fault(
                    path, line, name, f"the id {match[1]} stands twice; give it another"
                )
            ends = [
                _position(path, line, name, match[at], match[at + 1], starts) for at in (2, 4)
            ]
            if ends[1] < ends[0]:
                raise fault(path, line, name, f"the mention {match[1]} ends before it begins")
            written, *others = (match[6] or "").split("\t")
            own = " ".join(words[ends[0] : ends[1] + 1])
            if written and _letters(written) != _letters(own):
                raise fault(
                    *(path, line, name),
                    f"the mention {match[1]} is {own[:60]!r} in the text beside it and "
                    f"{written[:60]!r} here; the two files do not belong together",
                )
            details = zip(_DETAILS, others, strict=False)
            kept = {name: value for name, value in details if value not in ("", "_")}
            positions[match[1]] = line, range(ends[0], ends[1] + 1), kept
        elif match := _COREFERENCE.match(text):
            if entities.setdefault(match[1], match[2]) != match[2]:
                raise fault(
                    *(path, line, name),
                    f"the mention {match[1]} is of {entities[match[1]]!r} and of {match[2]!r}; "
                    "remove one of the two",
                )
            named.setdefault(match[1], line)
        elif text.partition("\t")[0] in _NOT_SCORED:
            notes.count("not-scored", "copulas and appositions of LitBank, not read")
        elif text.strip():
            raise fault(
                *(path, line, name),
                f"{text[:60]!r} is no line of LitBank's: MENTION, COREF, COP or APPOS",
            )
    for mention, line in named.items():  # LitBank's own files have some before their mention
        if mention not in positions:
            raise fault(
                path, line, name, f"an entity of the mention {mention}, which is not there"
            )
    if not positions:
        notes.count("mentions-interpreted", "files without annotations, read as no mentions")
    if alone := len(positions) - len(entities):
        notes.count(
            "mentions-interpreted", "mentions without COREF, taken as entities of one", alone
        )
    notes.count("documents-named", "documents named after their file")
    mentions = [
        Mention(inside, entities.get(key, f"{key} alone"), line, attributes=details)
        for key, (line, inside, details) in positions.items()
    ]
    yield document_of(name, mentions, Tokens(words, column(sentence)), named=False)


def _letters(text: str) -> str:
    """Return a text without blanks."""
    return "".join(text.split())


def _words_beside(path: Path, name: str) -> tuple[list[str], list[int], list[int]]:
    """Return words, the sentence of each, and where sentences begin, and the last one ends."""
    beside = path.with_name(f"{_ENDING.sub('', path.name)}.txt")
    if path.name.lower().endswith(".txt"):
        raise fault(
            path, None, name, "this is a text; give the file .ann or .tsv of its annotations"
        )
    if not beside.is_file():
        raise fault(
            *(path, None, name),
            f"mentions count tokens within sentences, and the file of the sentences, "
            f"{beside.name}, is not beside it; put it there",
        )
    words: list[str] = []
    sentence: list[int] = []
    starts = [0]
    for line, data in numbered_lines(beside):
        own = text_of(data, beside, line).split()
        words += own
        sentence += [line - 1] * len(own)
        starts.append(len(words))
    return words, sentence, starts


def _position(
    path: Path, line: int, name: str, sentence_of: str, token_of: str, starts: list[int]
) -> int:
    sentence, token = (position_of(path, line, name, x) for x in (sentence_of, token_of))
    if sentence + 1 >= len(starts) or token >= starts[sentence + 1] - starts[sentence]:
        raise fault(
            *(path, line, name),
            f"token {token} of sentence {sentence} is not in the text beside it (both count "
            "from 0)",
        )
    return starts[sentence] + token
