"""CoNLL-U with the Entity attribute of CorefUD: heads, empty nodes, discontinuous mentions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NoReturn

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import (
    Notes,
    fault,
    numbered_lines,
    stem_of,
    text_of,
)
from partwise.coreference.syntax.written_dependencies import (
    governor_of_empty_node,
    governors,
    tags_of,
)
from partwise.numbers.arrays import IntArray

_ID = re.compile(r"([1-9][0-9]*|0(?=\.))(?:([.-])([1-9][0-9]*))?\Z")
_ENTITIES = re.compile(r"(?:\([^()]+\)?|[^()]+\))+\Z")
_ENTITY = re.compile(r"(\()?([^()]+)(\))?")
_PART = re.compile(r"(.+)\[([1-9][0-9]*)/([1-9][0-9]*)\]\Z")
_NUMBERS = re.compile(r"[1-9][0-9]*(?:,[1-9][0-9]*)*\Z")
_OF_ENTITY = ("eid", "GRP", "grp")
_NOT_SCORED = "Bridge="
_SPLIT = "SplitAnte="
_ANTECEDENT = re.compile(r"([^<,]+)<([^<,:]+)(?::[^<,]*)?\Z")
_COLUMNS = 10


def read_corefud(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the documents of a CoNLL-U file with ``Entity`` in its last column.

    Documents begin with ``# newdoc id = ...``; one without an id is numbered, and a file
    without such lines is one document named after the file. What stands in a mention's bracket
    is told by ``# global.Entity = eid-etype-head-other``. Tokens are words and empty nodes, in
    the order of the file; lines of multiword tokens are none. ``head`` counts words and empty
    nodes of a mention, ``minspan`` its words only; both from 1. Split antecedents
    (``SplitAnte=e1<e3,e2<e3``: e3 is made of e1 and e2) are kept, for
    ``split_antecedent_scores``.

    Raises
    ------
    ValueError
        Lines that are not CoNLL-U, mentions not closed or not opened, parts that lack, heads
        outside of the mention, no ``global.Entity``; with file, line and document.
    """
    yield from read_lines(path, numbered_lines(path), notes)


def read_lines(
    path: Path, lines: Iterable[tuple[int, bytes]], notes: Notes
) -> Iterator[Document]:
    """Yield the documents of numbered lines; faults name ``path``."""
    document: _Document | None = None
    fields: tuple[str, ...] | None = None
    sentence_open = False
    number = 0
    for line, data in lines:
        text = text_of(data, path, line, document.name if document else None).rstrip("\r\n")
        if not text.strip():
            sentence_open = False
        elif text.startswith("#"):
            name, _, value = text[1:].partition("=")
            if name.split()[:1] == ["newdoc"]:
                if document is not None:
                    yield document.finished(notes)
                number += 1
                named = name.split() == ["newdoc", "id"] and bool(value.strip())
                if not named:
                    notes.count(
                        "documents-named", "documents without a name, named by their number"
                    )
                document = _Document(
                    path, value.strip() if named else f"document {number}", named
                )
                sentence_open = False
            elif name.strip() == "global.Entity":
                fields = _field_names(path, line, value)
        else:
            if document is None:
                name = stem_of(path)
                notes.tell(
                    "documents-named",
                    f"no line '# newdoc' before the first token, the document is named {name!r}"
                    ", as the file",
                )
                document = _Document(path, name, False)
            document.add(line, text, fields, not sentence_open, notes)
            sentence_open = True
    if document is not None:
        yield document.finished(notes)


def _field_names(path: Path, line: int, value: str) -> tuple[str, ...]:
    fields = tuple(value.strip().split("-"))
    if sum(name in _OF_ENTITY for name in fields) != 1:
        raise fault(
            *(path, line, None),
            f"global.Entity = {value.strip()!r} has to name the field of the entity once, as "
            f"{' or '.join(_OF_ENTITY[:2])}",
        )
    return fields


@dataclass(slots=True)
class _Mention:
    """A mention that is being read: where it opens, its runs of tokens, its other fields."""

    entity: str
    line: int
    parts: int
    runs: list[tuple[int, int]] = field(default_factory=list)
    head: str = ""
    minimum: str = ""


@dataclass(slots=True)
class _Document:
    """A document that is being read."""

    path: Path
    name: str
    named: bool
    words: list[str] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    empty: list[bool] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    dependencies: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    mentions: list[_Mention] = field(default_factory=list)
    # the tokens that are no empty nodes
    places_of_words: list[int] = field(default_factory=list)
    sentences: int = 0
    has_head: bool = False
    has_minimum: bool = False
    # by entity and part, as closing brackets name them: mentions, and their first tokens
    waiting: dict[str, list[tuple[_Mention, int]]] = field(default_factory=dict)
    # by entity and number of parts: discontinuous mentions that lack parts
    lacking: dict[tuple[str, int], list[_Mention]] = field(default_factory=dict)
    # split antecedents: the entities that one is made of, with their lines
    made_of: dict[str, dict[str, int]] = field(default_factory=dict)

    def fail(self, line: int, what: str) -> NoReturn:
        raise fault(self.path, line, self.name, what)

    def add(
        self,
        line: int,
        text: str,
        fields: tuple[str, ...] | None,
        begins_sentence: bool,
        notes: Notes,
    ) -> None:
        """Add a token line."""
        self.sentences += begins_sentence
        columns = text.split("\t")
        if len(columns) != _COLUMNS:
            self.fail(
                line,
                f"{len(columns)} columns apart by tabs, CoNLL-U has {_COLUMNS} (is it another "
                "format, or a line cut off?)",
            )
        number = _ID.match(columns[0])
        if number is None:
            self.fail(line, f"{columns[0]!r} is not the number of a token (5, 5.1 or 5-6)")
        value = ""
        for item in columns[-1].split("|"):
            if item.startswith("Entity="):
                value = item[len("Entity=") :]
            elif item.startswith(_SPLIT):
                self._read_antecedents(line, item)
            elif item.startswith(_NOT_SCORED):
                what = item.partition("=")[0]
                notes.count("not-scored", f"tokens with {what}, which is not read")
        if number[2] == "-":
            if value:
                self.fail(
                    line, "Entity on the line of a multiword token; write it on its words"
                )
            return
        self.words.append(columns[1])
        self.sentence.append(self.sentences - 1)
        self.empty.append(number[2] == ".")
        if number[2] != ".":
            self.places_of_words.append(len(self.words) - 1)
        self.ids.append(columns[0])
        self.dependencies.append(columns[8])
        self.tags.append(columns[3])
        self.heads.append(
            governor_of_empty_node(columns[8]) if number[2] == "." else columns[6]
        )
        if value:
            if fields is None:
                self.fail(
                    line,
                    "Entity, but no '# global.Entity = eid-...' before it to name its fields",
                )
            self._read_entities(line, value, fields)

    def _read_antecedents(self, line: int, item: str) -> None:
        """Take note of the entities that one is made of."""
        for pair in item[len(_SPLIT) :].split(","):
            match = _ANTECEDENT.match(pair)
            if match is None:
                self.fail(line, f"{item} does not consist of antecedent<entity, apart by ','")
            self.made_of.setdefault(match[2], {})[match[1]] = line

    def _antecedents(
        self, codes: Mapping[str, int], notes: Notes
    ) -> dict[int, tuple[int, ...]]:
        """Return split antecedents by positions of entities, those that have mentions."""
        antecedents = {}
        for made, elements in self.made_of.items():
            inside = tuple(codes[name] for name in elements if name in codes)
            if made in codes and inside:
                antecedents[codes[made]] = inside
                what = (
                    "entities with split antecedents, which split_antecedent_scores alone uses"
                )
            else:
                what = "split antecedents of entities without mentions, left out"
            notes.count("not-scored", what)
        return antecedents

    def _read_entities(self, line: int, value: str, fields: tuple[str, ...]) -> None:
        if not _ENTITIES.match(value):
            self.fail(line, f"Entity={value} does not consist of '(...', '(...)' and '...)'")
        for opens, content, closes in _ENTITY.findall(value):
            at = next(i for i, name in enumerate(fields) if name in _OF_ENTITY)
            values = content.split("-", len(fields) - 1)
            if opens and len(values) <= at:
                self.fail(line, f"Entity=({content} lacks the field {fields[at]}")
            key = values[at] if len(values) > at else content
            if opens:
                by_field = dict(zip(fields, values, strict=False))
                self.has_head |= "head" in fields
                self.has_minimum |= "minspan" in fields
                self._open(line, key, by_field)
            if closes:
                self._close(line, key)

    def _open(self, line: int, key: str, attributes: dict[str, str]) -> None:
        part = _PART.match(key)
        entity, number, parts = (part[1], int(part[2]), int(part[3])) if part else (key, 1, 1)
        if number > parts:
            self.fail(line, f"entity {entity!r}: part {number} of {parts}")
        if entity.lower() in ("nan", "none", "null"):
            self.fail(line, f"the entity {entity!r} is a missing value; give it an id")
        if number == 1:
            mention = _Mention(
                entity,
                line,
                parts,
                [],
                attributes.get("head", ""),
                attributes.get("minspan", ""),
            )
            self.mentions.append(mention)
            if parts > 1:
                self.lacking.setdefault((entity, parts), []).append(mention)
        else:
            open_ones = self.lacking.get((entity, parts), [])
            fitting = [x for x in open_ones if len(x.runs) == number - 1]
            if not fitting:
                self.fail(
                    line,
                    f"part {number}/{parts} of a mention of entity {entity!r}, but no mention "
                    f"with part {number - 1}/{parts} before it",
                )
            mention = fitting[-1]
            if number == parts:
                open_ones[:] = [x for x in open_ones if x is not mention]
        mention.runs.append((len(self.words) - 1, -1))
        self.waiting.setdefault(key, []).append((mention, len(mention.runs) - 1))

    def _close(self, line: int, key: str) -> None:
        stack = self.waiting.get(key)
        if not stack:
            self.fail(
                line,
                f"a mention of entity {key!r} is closed but not open; open it with '({key}-...'"
                " before",
            )
        mention, run = stack.pop()
        mention.runs[run] = (mention.runs[run][0], len(self.words) - 1)

    def finished(self, notes: Notes) -> Document:
        """Return the document, all of whose lines were read."""
        for key, stack in self.waiting.items():
            if stack:
                self.fail(
                    stack[-1][0].line,
                    f"a mention of entity {key!r} is opened and never closed; write 'Entity="
                    f"{key})' at its last token",
                )
        for (entity, parts), open_ones in self.lacking.items():
            if open_ones:
                self.fail(
                    open_ones[-1].line,
                    f"a mention of entity {entity!r} has {len(open_ones[-1].runs)} of its "
                    f"{parts} parts",
                )
        codes: dict[str, int] = {}
        of_mentions = [codes.setdefault(x.entity, len(codes)) for x in self.mentions]
        return Document(
            self.name,
            self._spans(notes),
            _column(of_mentions),
            list(codes),
            Tokens(
                self.words,
                _column(self.sentence),
                np.array(self.empty, dtype=np.bool_) if any(self.empty) else None,
                self.ids,
                self.dependencies,
                tags_of(self.tags),
                parents=governors(self.ids, self.heads, self.sentence),
            ),
            named=self.named,
            antecedents=self._antecedents(codes, notes),
        )

    def _spans(self, notes: Notes) -> Spans:
        tokens = [self._tokens(mention) for mention in self.mentions]
        discontinuous = any(mention.parts > 1 for mention in self.mentions)
        sizes = [len(x) for x in tokens]
        pairs = list(zip(self.mentions, tokens, strict=True))
        minimum = [self._minimum(mention, x, notes) for mention, x in pairs]
        return Spans(
            _column([x[0] for x in tokens]),
            _column([x[-1] for x in tokens]),
            _column([self._head(*pair, notes) for pair in pairs]) if self.has_head else None,
            _column(minimum).reshape(-1, 2) if self.has_minimum else None,
            _column(np.cumsum([0, *sizes])) if discontinuous else None,
            np.fromiter(chain.from_iterable(tokens), np.int64, sum(sizes))
            if discontinuous
            else None,
            _column([mention.line for mention in self.mentions]),
        )

    def _tokens(self, mention: _Mention) -> Sequence[int]:
        """Return the tokens of a mention, which ascend; one run of them takes no memory."""
        if len(mention.runs) == 1:
            first, last = mention.runs[0]
            return range(first, last + 1)
        return sorted({t for first, last in mention.runs for t in range(first, last + 1)})

    def _head(self, mention: _Mention, tokens: Sequence[int], notes: Notes) -> int:
        numbers = self._numbers(mention, "head", mention.head, len(tokens))
        if not numbers:
            if len(tokens) > 1:
                notes.count(
                    "mentions-interpreted",
                    "mentions of several words without a head, taken as the first",
                )
            return tokens[0]
        if len(numbers) > 1:
            notes.count(
                "mentions-interpreted",
                "mentions with several heads, of which the first was taken",
            )
        return tokens[numbers[0] - 1]

    def _minimum(
        self, mention: _Mention, tokens: Sequence[int], notes: Notes
    ) -> tuple[int, int]:
        if not self.has_minimum:
            return (0, 0)
        words, before, size = self._words_of(tokens)
        numbers = self._numbers(mention, "minspan", mention.minimum, size)
        if not numbers:
            notes.count(
                "mentions-interpreted", "mentions without a minimum span, taken as whole"
            )
            return tokens[0], tokens[-1]
        return words[before + min(numbers) - 1], words[before + max(numbers) - 1]

    def _words_of(self, tokens: Sequence[int]) -> tuple[Sequence[int], int, int]:
        """Return places, how many stand before those of a mention's words, how many those are.

        A mention of empty nodes alone has these for words. Runs are not copied: many long
        mentions may lie in each other.
        """
        if isinstance(tokens, range):
            words: Sequence[int] = self.places_of_words
            before = bisect_left(words, tokens[0])
            size = bisect_left(words, tokens[-1] + 1) - before
        else:
            words = [token for token in tokens if not self.empty[token]]
            before, size = 0, len(words)
        return (words, before, size) if size else (tokens, 0, len(tokens))

    def _numbers(self, mention: _Mention, name: str, value: str, size: int) -> list[int]:
        if value in ("", "_"):
            return []
        numbers = list(map(int, value.split(","))) if _NUMBERS.match(value) else [0]
        if min(numbers) < 1 or max(numbers) > size:
            self.fail(
                mention.line,
                f"{name} {value!r} of a mention of entity {mention.entity!r} is not among its "
                f"words 1 to {size}",
            )
        return numbers


def _column(values: object) -> IntArray:
    return np.array(values, dtype=np.int64)
