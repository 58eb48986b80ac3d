"""Token lines of CoNLL-UA, and the document that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from partwise.coreference.documents.documents import Document, References, Tokens
from partwise.coreference.formats.annotations.mentions import column
from partwise.coreference.formats.conll_ua.bridging import bridging_of, relations_of
from partwise.coreference.formats.conll_ua.layers import NOTHING, Layer, fields_of
from partwise.coreference.formats.files import Notes, fault
from partwise.coreference.syntax.token_numbers import NOT_COUNTED, are_counted
from partwise.coreference.syntax.written_dependencies import (
    filled_columns,
    governor_of_empty_node,
    governors,
    tags_of,
)

#: The column that is read where no other one is named.
IDENTITY = "IDENTITY"
DISCOURSE_DEIXIS = "DISCOURSE_DEIXIS"
BRIDGING = "BRIDGING"
SPLIT = "SPLIT"

_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+\Z")
#: Columns of mentions that are not read beside the chosen one, and what they hold.
_OTHER_LAYERS = {
    IDENTITY: "identity",
    DISCOURSE_DEIXIS: "discourse deixis",
    "NEAR_IDENTITY": "near-identity",
    BRIDGING: "bridging",
}


class UaDocument:
    """A document that is being read.

    Parameters
    ----------
    path : Path
    name : str
    named : bool
        Whether the file names it.
    clusters : str
        The column of the entities.
    notes : Notes
    """

    def __init__(self, path: Path, name: str, named: bool, clusters: str, notes: Notes) -> None:
        self.path, self.name, self.named, self._clusters = path, name, named, clusters
        self._notes = notes
        self._sentence: list[int] = []
        self._sentences = 0
        self._words: list[str] = []
        self._numbers: list[str] = []
        # by column that is kept, the values of the tokens that have one
        self._values: dict[str, dict[int, str]] = {}
        # equal values of columns are one object
        self._seen: dict[str, str] = {}
        self._lines: dict[int, tuple[str, ...]] = {}
        self._layer = Layer(self.fail)
        self._deixis: Layer | None = None
        if clusters == IDENTITY:
            self._deixis = Layer(self.fail, "dd")
        # line and attributes of bridging references
        self._bridging: list[tuple[int, dict[str, str]]] = []

    def fail(self, line: int, what: str) -> NoReturn:
        """Raise the error for a fault in a line."""
        raise fault(self.path, line, self.name, what)

    def end_sentence(self) -> None:
        """Begin a new sentence with the next token."""
        self._sentences += self._sentence[-1:] == [self._sentences]

    def add_comments(self, comments: Sequence[str]) -> None:
        """Add lines that stand before the next token."""
        if comments:
            at = len(self._sentence)
            self._lines[at] = (*self._lines.get(at, ()), *comments)

    def add(
        self, line: int, text: str, columns: Sequence[str], comments: Sequence[str]
    ) -> None:
        """Add the line of a token, and the comments before it."""
        cells = [cell.strip() for cell in text.split("\t")] if "\t" in text else text.split()
        at = columns.index(self._clusters)
        if len(cells) <= at:
            self.fail(
                line,
                f"{len(cells)} columns; {self._clusters} is column {at + 1} of "
                "'# global.columns'",
            )
        if any(cells[len(columns) :]):
            self.fail(
                line,
                f"{len(cells)} columns, '# global.columns' names {len(columns)} (is it another "
                "format, or are two lines one?)",
            )
        if len(cells) < len(columns):
            self._notes.count(
                "not-scored",
                "lines with fewer columns than '# global.columns' names, the rest as empty",
            )
        self.add_comments(comments)
        token = len(self._sentence)
        self._sentence.append(self._sentences)
        self._words.append("")
        self._numbers.append("")
        for name, cell in zip(columns, cells, strict=False):
            if cell not in ("_", ""):
                self._read_cell(line, token, name, cell)
            elif name == "FORM":
                self._words[token] = cell

    def _read_cell(self, line: int, token: int, name: str, cell: str) -> None:
        if name == "FORM":
            self._words[token] = cell
        elif name == "ID":
            self._numbers[token] = cell
        elif name == self._clusters:
            if cell not in NOTHING:
                self._layer.read(line, token, cell)
        elif name == SPLIT:
            values = {
                own: value
                for own, (_, value) in fields_of(
                    cell.strip("()"), lambda what: self.fail(line, what)
                ).items()
            }
            if "elementof" in values:
                self._layer.add_antecedent(line, values)
        elif name == BRIDGING and self._clusters == IDENTITY:
            self._bridging += bridging_of(cell, line, self.fail)
        elif name == DISCOURSE_DEIXIS and self._deixis is not None:
            if cell not in NOTHING:
                self._read_deixis(self._deixis, line, token, cell)
        elif name in _OTHER_LAYERS:
            if cell not in NOTHING:
                self._notes.count("not-scored", f"tokens with {_OTHER_LAYERS[name]}, not read")
        else:
            column_values = self._values.setdefault(name, {})
            column_values[token] = self._seen.setdefault(cell, cell)

    def _read_deixis(self, layer: Layer, line: int, token: int, cell: str) -> None:
        """Read discourse deixis; what is wrong there does not stop that of identity."""
        self._notes.count("not-scored", "tokens with discourse deixis, which no score uses")
        try:
            layer.read(line, token, cell)
        except ValueError as error:
            self._without_deixis(error)

    def _without_deixis(self, error: ValueError) -> None:
        self._notes.tell("not-scored", f"discourse deixis of a document, left out: {error}")
        self._deixis = None

    def finished(self) -> Document:
        """Return the document, all of whose lines were read."""
        self._layer.check_closed()
        numbers = self._numbers
        tokens = self._tokens(numbers)
        markables = list(self._layer.markables.values())
        kept = [x for x in markables if x.refers]
        of_document = (numbers, self.name, tokens)
        document = self._layer.document(kept, *of_document, named=self.named)
        if silent := len(markables) - len(kept):
            what = "mentions that refer to nothing (pseudo-entities), left out"
            self._notes.count("not-scored", what, silent)
        antecedents = self._layer.antecedents(document, self._notes)
        bridging, relations = relations_of(self._bridging, markables, self._notes, self.name)
        deixis = self._deixis_of(*of_document)
        references = None
        if silent or bridging or deixis is not None:
            references = References(
                self._layer.document(markables, *of_document, named=self.named),
                frozenset(at for at, x in enumerate(markables) if not x.refers),
                bridging,
                relations,
                deixis,
            )
        return replace(document, antecedents=antecedents, references=references)

    def _deixis_of(self, numbers: Sequence[str], name: str, tokens: Tokens) -> Document | None:
        """Return the mentions of discourse deixis; None: there is none."""
        layer = self._deixis
        if layer is None or not layer.markables:
            return None
        try:
            layer.check_closed()
            markables = list(layer.markables.values())
            return layer.document(markables, numbers, name, tokens, named=self.named)
        except ValueError as error:
            self._without_deixis(error)
            return None

    def _tokens(self, numbers: Sequence[str]) -> Tokens:
        n = len(self._sentence)
        columns = filled_columns(self._values, n)
        empty = [bool(_EMPTY_NODE.match(number)) for number in numbers]
        dependencies = columns.pop("DEPS", None)
        heads = columns.pop("HEAD", ["_"] * n)
        if dependencies is not None:
            for at, zero in enumerate(empty):
                if zero and dependencies[at] != "_":
                    heads[at] = governor_of_empty_node(dependencies[at])
        tokens = Tokens(
            self._words,
            column(self._sentence),
            np.array(empty, dtype=np.bool_) if any(empty) else None,
            numbers if any(empty) or dependencies is not None else None,
            dependencies,
            tags_of(columns.pop("UPOS", [])),
            parents=governors(numbers, heads, self._sentence),
            columns=columns,
            lines=self._lines,
        )
        if any(numbers) and not are_counted(numbers, tokens):
            self._notes.count("tokens-uncounted", NOT_COUNTED)
        return tokens
