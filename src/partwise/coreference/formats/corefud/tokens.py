"""Token lines of CoNLL-U, and the document that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.corefud.mentions import MentionReader, column
from partwise.coreference.formats.corefud.relations import (
    BRIDGE,
    SPLIT,
    Bridge,
    links_of,
    references_of,
    split_antecedents,
)
from partwise.coreference.formats.files import Notes, fault
from partwise.coreference.syntax.token_numbers import NOT_COUNTED, are_counted
from partwise.coreference.syntax.written_dependencies import (
    filled_columns,
    governor_of_empty_node,
    governors,
    tags_of,
)

_ID = re.compile(r"([1-9][0-9]*|0(?=\.))(?:([.-])([1-9][0-9]*))?\Z")
_COLUMNS = 10
_ENTITY = "Entity"
#: Columns that are kept as they are, and where they stand; what is left of MISC is, too.
_KEPT = {"LEMMA": 2, "XPOS": 4, "FEATS": 5, "DEPREL": 7}
_NOTHING = "_"


class CorefudDocument:
    """A document that is being read.

    Parameters
    ----------
    path : Path
    name : str
    named : bool
        Whether the file names it.
    notes : Notes
    """

    def __init__(self, path: Path, name: str, named: bool, notes: Notes) -> None:
        self.path, self.name, self.named = path, name, named
        self._notes = notes
        self._mentions = MentionReader(self.fail, notes)
        self._words: list[str] = []
        self._sentence: list[int] = []
        self._empty: list[bool] = []
        self._ids: list[str] = []
        self._dependencies: list[str] = []
        self._tags: list[str] = []
        self._heads: list[str] = []
        # by column, the values of the tokens that have one
        self._values: dict[str, dict[int, str]] = {name: {} for name in (*_KEPT, "MISC")}
        self._lines: dict[int, list[str]] = {}
        # equal values of columns are one object
        self._seen: dict[str, str] = {}
        self._sentences = 0
        self._begins_sentence = False
        self._ids_of_sentence: set[str] = set()
        # the tokens that are no empty nodes
        self._places_of_words: list[int] = []
        # split antecedents: the entities that one is made of, with their lines
        self._made_of: dict[str, dict[str, int]] = {}
        self._bridges: list[Bridge] = []

    def fail(self, line: int, what: str) -> NoReturn:
        """Raise the error for a fault in a line."""
        raise fault(self.path, line, self.name, what)

    def add_comments(self, comments: Sequence[str]) -> None:
        """Add lines that stand before the next token."""
        if comments:
            self._lines.setdefault(len(self._words), []).extend(comments)

    def add(
        self,
        line: int,
        text: str,
        fields: tuple[str, ...] | None,
        comments: Sequence[str],
        *,
        begins_sentence: bool,
    ) -> None:
        """Add a token line, and the comments before it."""
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
        if begins_sentence:
            self._begins_sentence = True
            self._ids_of_sentence.clear()
        elif columns[0] in self._ids_of_sentence:
            self.fail(
                line,
                f"a second token {columns[0]} in one sentence; an empty line ends a sentence",
            )
        self._ids_of_sentence.add(columns[0])
        self.add_comments(comments)
        attributes, rest = self._attributes(line, columns[-1])
        if number[2] == "-":
            for name in attributes:
                self.fail(
                    line, f"{name} on the line of a multiword token; write it on its words"
                )
            self.add_comments([text])
            return
        self._add_token(columns, rest, empty=number[2] == ".")
        if attributes:
            self._read(line, attributes, fields)

    def _attributes(self, line: int, misc: str) -> tuple[dict[str, str], str]:
        """Return what MISC says of mentions, and the rest of it."""
        attributes: dict[str, str] = {}
        if misc == _NOTHING:
            return attributes, misc
        rest = []
        for item in misc.split("|"):
            name, _, value = item.partition("=")
            if not value or name not in (_ENTITY, BRIDGE, SPLIT):
                rest.append(item)
            elif name in attributes:
                self.fail(line, f"{name} stands twice in {misc!r}; write it once")
            else:
                attributes[name] = value
        return attributes, "|".join(rest) or _NOTHING

    def _add_token(self, columns: Sequence[str], rest: str, *, empty: bool) -> None:
        """Add what the columns of a token say, MISC aside, of which the rest is given."""
        self._sentences += self._begins_sentence
        self._begins_sentence = False
        if not empty:
            self._places_of_words.append(len(self._words))
        self._words.append(columns[1])
        self._sentence.append(self._sentences - 1)
        self._empty.append(empty)
        self._ids.append(columns[0])
        self._dependencies.append(columns[8])
        self._tags.append(columns[3])
        self._heads.append(governor_of_empty_node(columns[8]) if empty else columns[6])
        token = len(self._ids) - 1
        for name, at in _KEPT.items():
            value = columns[at]
            if value != _NOTHING:
                self._values[name][token] = self._seen.setdefault(value, value)
        if rest != _NOTHING:
            self._values["MISC"][token] = self._seen.setdefault(rest, rest)

    def _read(
        self, line: int, attributes: dict[str, str], fields: tuple[str, ...] | None
    ) -> None:
        """Read what MISC says of mentions that begin or end at the last token."""
        token = len(self._words) - 1
        if _ENTITY in attributes:
            if fields is None:
                self.fail(
                    line,
                    "Entity, but no '# global.Entity = eid-...' before it to name its fields",
                )
            self._mentions.read(line, token, attributes[_ENTITY], fields)
        if SPLIT in attributes:
            for antecedent, made, _ in links_of(SPLIT, attributes[SPLIT], line, self.fail):
                self._made_of.setdefault(made, {})[antecedent] = line
        if BRIDGE in attributes:
            links = links_of(BRIDGE, attributes[BRIDGE], line, self.fail)
            self._bridges += [Bridge(line, token, *link) for link in links]

    def finished(self) -> Document:
        """Return the document, all of whose lines were read."""
        self._mentions.check_closed()
        mentions = self._mentions.mentions
        codes: dict[str, int] = {}
        of_mentions = [codes.setdefault(x.entity, len(codes)) for x in mentions]
        document = Document(
            self.name,
            self._mentions.spans(self._places_of_words, self._empty),
            column(of_mentions),
            list(codes),
            self._tokens(),
            named=self.named,
            antecedents=split_antecedents(self._made_of, codes, self._notes, self.name),
            attributes=self._mentions.attributes(),
        )
        references = references_of(document, mentions, self._bridges, self._notes)
        return document if references is None else replace(document, references=references)

    def _tokens(self) -> Tokens:
        tokens = Tokens(
            self._words,
            column(self._sentence),
            np.array(self._empty, dtype=np.bool_) if any(self._empty) else None,
            self._ids,
            self._dependencies,
            tags_of(self._tags),
            parents=governors(self._ids, self._heads, self._sentence),
            columns=filled_columns(self._values, len(self._words)),
            lines={at: tuple(lines) for at, lines in self._lines.items()},
        )
        if not are_counted(self._ids, tokens):
            self._notes.count("tokens-uncounted", NOT_COUNTED)
        return tokens
