"""CoNLL-UA of Universal Anaphora: brackets with attributes in columns that a line names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from partwise.coreference.documents.documents import Document, References, Tokens
from partwise.coreference.formats.annotations.mentions import Mention, column, document_of
from partwise.coreference.formats.files import Notes, fault, numbered_lines, stem_of, text_of
from partwise.coreference.syntax.written_dependencies import governors, tags_of

#: The column that is read where no other one is named.
IDENTITY = "IDENTITY"

_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")
_CELL = re.compile(r"(?:\([^()]*\)?|[^()]*\)|@)+\Z")
_BRACKET = re.compile(r"\(([^()@]*)|([^()@]*)\)")
_PSEUDO = re.compile(r"[-_]Pseudo\Z", re.I)
_NOTHING = ("_", "-", "")
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+\Z")
_BRIDGING = "BRIDGING"
#: Columns whose content no score uses, and what it is.
_OTHER_COLUMNS = {
    "NEAR_IDENTITY": "tokens with near-identity, not read",
    "DISCOURSE_DEIXIS": "tokens with discourse deixis, not read",
}


def read_conll_ua(path: Path, notes: Notes, *, clusters: str = IDENTITY) -> Iterator[Document]:
    """Yield the documents of a file.

    ``# global.columns = ID FORM ... IDENTITY ...`` names the columns, ``# newdoc id = ...``
    begins a document, an empty line ends a sentence. A mention opens with ``(EntityID=1|
    MarkableID=markable_1|Min=2`` and closes with ``)``, where mentions cross with
    ``markable_1)``. One that opens several times is discontinuous.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : str, default "IDENTITY"
        The column of the entities; "DISCOURSE_DEIXIS" has these in the same form.

    Notes
    -----
    Mentions of pseudo-entities (``3-Pseudo``: they refer to nothing) are no mentions of the
    document; they and bridging references stand in its ``references``, for
    ``universal_anaphora_scores``. A token whose ID is as ``14.1`` is an empty node (a zero).
    Split antecedents (``ElementOf`` of a mention, or in the column SPLIT) are kept, for
    ``split_antecedent_scores``. Discourse deixis and near-identity are left out and counted.

    Raises
    ------
    ValueError
        No line of columns, too few columns, brackets not opened or not closed, a minimum span
        outside of its mention; with file, line and document.
    """
    columns: list[str] = []
    document: _Document | None = None
    number = 0
    for line, data in numbered_lines(path):
        text = text_of(data, path, line, document.name if document else None).rstrip("\r\n")
        if not text.strip():
            if document is not None:
                document.end_sentence()
        elif match := _COLUMNS.match(text):
            columns = match[1].split()
            if clusters not in columns or "FORM" not in columns:
                raise fault(
                    *(path, line, None),
                    f"columns {' '.join(columns)}: FORM and {clusters} are expected; name the "
                    "column of entities with clusters=...",
                )
        elif match := _NEW_DOCUMENT.match(text):
            if document is not None:
                yield document.finished(notes)
            number += 1
            name = (match[1] or "").strip()
            if not name:
                notes.count(
                    "documents-named", "documents without a name, named by their number"
                )
            document = _Document(path, name or f"document {number}", bool(name))
        elif not text.startswith("#") or text[:2] in ("#\t", "#("):
            if not columns:
                raise fault(path, line, None, "a token before '# global.columns = ID FORM ...'")
            if document is None:
                name = stem_of(path)
                notes.tell(
                    "documents-named",
                    f"no '# newdoc', the document is named {name!r}, as the file",
                )
                document = _Document(path, name, False)
            document.add(line, text, columns, clusters, notes)
    if document is not None:
        yield document.finished(notes)


@dataclass(slots=True)
class _Markable:
    """A mention that is being read: where it opens and ends, run by run."""

    key: str
    entity: str
    line: int
    minimum: str
    runs: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Document:
    """A document that is being read."""

    path: Path
    name: str
    named: bool
    words: list[str] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    # by id; those without one have an id of their own
    markables: dict[str, _Markable] = field(default_factory=dict)
    open: list[_Markable] = field(default_factory=list)
    sentences: int = 0
    # split antecedents: the entities that one is made of, with their lines
    made_of: dict[str, dict[str, int]] = field(default_factory=dict)
    # bridging: line and attributes of each reference
    bridging: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def fail(self, line: int, what: str) -> NoReturn:
        raise fault(self.path, line, self.name, what)

    def end_sentence(self) -> None:
        """Begin a new sentence with the next token."""
        self.sentences += self.sentence[-1:] == [self.sentences]

    def add(
        self, line: int, text: str, columns: Sequence[str], clusters: str, notes: Notes
    ) -> None:
        """Add the line of a token."""
        cells = [cell.strip() for cell in text.split("\t")] if "\t" in text else text.split()
        at = columns.index(clusters)
        if len(cells) <= at:
            self.fail(
                line,
                f"{len(cells)} columns; {clusters} is column {at + 1} of '# global.columns'",
            )
        self.words.append(cells[columns.index("FORM")])
        self.numbers.append(cells[columns.index("ID")] if "ID" in columns else "")
        for name, listed in (("UPOS", self.tags), ("HEAD", self.heads)):
            if name in columns:
                listed.extend(cells[columns.index(name) :][:1] or ["_"])
        self.sentence.append(self.sentences)
        for other, text_of_note in _OTHER_COLUMNS.items():
            if other != clusters and other in columns:
                here = cells[columns.index(other) :][:1]
                if here and here[0] not in _NOTHING:
                    notes.count("not-scored", text_of_note)
        if clusters == IDENTITY and _BRIDGING in columns:
            for cell in cells[columns.index(_BRIDGING) :][:1]:
                self._read_bridging(line, cell)
        if "SPLIT" in columns:
            for cell in cells[columns.index("SPLIT") :][:1]:
                fields = _fields_of(cell.strip("()"))
                if "elementof" in fields:
                    self._add_antecedent(line, fields)
        if cells[at] not in _NOTHING:
            self._read_cell(line, cells[at], notes)

    def _read_cell(self, line: int, cell: str, notes: Notes) -> None:
        if not _CELL.match(cell):
            self.fail(line, f"{cell!r} does not consist of '(EntityID=...', '...)' and ')'")
        for opened, closed in _BRACKET.findall(cell):
            if opened:
                self._open(line, opened, notes)
            else:
                self._close(line, closed.strip())

    def _open(self, line: int, content: str, notes: Notes) -> None:
        fields = _fields_of(content)
        entity = fields.get("entityid", "")
        if not entity:
            self.fail(line, f"({content} has no EntityID=...")
        if "elementof" in fields:
            self._add_antecedent(line, fields)
        key = fields.get("markableid") or f"{line} {len(self.markables)}"
        markable = self.markables.get(key)
        if markable is None:
            markable = _Markable(key, entity, line, fields.get("min", ""))
            self.markables[key] = markable
        elif markable.entity != entity:
            self.fail(
                line,
                f"{key} is of entity {entity!r} here and of {markable.entity!r} on line "
                f"{markable.line}; give each mention a MarkableID of its own",
            )
        elif markable.runs[-1][1] in (-1, len(self.words) - 1):
            self.fail(
                line,
                f"{key} opens again within itself (it opened on line {markable.line}); give "
                "each mention a MarkableID of its own",
            )
        markable.runs.append((len(self.words) - 1, -1))
        self.open.append(markable)

    def _add_antecedent(self, line: int, fields: dict[str, str]) -> None:
        """Take note of the entities that one is an element of."""
        entity = fields.get("entityid", "")
        if not entity:
            self.fail(line, "ElementOf without EntityID")
        for made in re.split(r"[,;]", fields["elementof"]):
            self.made_of.setdefault(made.strip(), {})[entity] = line

    def _read_bridging(self, line: int, cell: str) -> None:
        """Take note of the bridging references that begin at a token."""
        for reference in re.split(r"[()]", cell):
            if "=" not in reference:
                continue  # what closes, or nothing
            fields = _fields_of(reference)
            anchored = fields.get("mentionanchor") or fields.get("entityanchor")
            if not fields.get("markableid") or not anchored:
                self.fail(
                    line,
                    f"the bridging reference {reference!r} needs MarkableID and one of "
                    "MentionAnchor and EntityAnchor",
                )
            self.bridging.append((line, fields))

    def _close(self, line: int, key: str) -> None:
        named = key.rpartition("=")[2]
        fitting = [at for at, x in enumerate(self.open) if named in ("", x.key)] or [
            at for at, x in enumerate(self.open) if named == x.entity
        ]
        if not fitting:
            what = f"{named!r}" if named else "a mention"
            self.fail(line, f"{what} is closed but not open")
        markable = self.open.pop(fitting[-1])
        markable.runs[-1] = (markable.runs[-1][0], len(self.words) - 1)

    def finished(self, notes: Notes) -> Document:
        """Return the document, all of whose lines were read."""
        if self.open:
            last = self.open[-1]
            self.fail(
                last.line, f"a mention of entity {last.entity!r} is opened and never closed"
            )
        kept = [x for x in self.markables.values() if not _PSEUDO.search(x.entity)]
        if pseudo := len(self.markables) - len(kept):
            notes.count(
                "not-scored",
                "mentions that refer to nothing (pseudo-entities), left out",
                pseudo,
            )
        tokens = Tokens(
            self.words,
            column(self.sentence),
            tags=tags_of(self.tags),
            parents=governors(self.numbers, self.heads, self.sentence) if self.heads else None,
        )
        zeros = [bool(_EMPTY_NODE.match(number)) for number in self.numbers]
        if any(zeros):
            empty = np.array(zeros, dtype=np.bool_)
            tokens = replace(tokens, empty=empty, ids=self.numbers)
        document = document_of(
            self.name, list(map(self._mention, kept)), tokens, named=self.named
        )
        return replace(
            document,
            antecedents=self._antecedents(document, notes),
            references=self._references(tokens, notes) if pseudo or self.bridging else None,
        )

    def _mention(self, markable: _Markable) -> Mention:
        runs = [range(first, last + 1) for first, last in markable.runs]
        positions = runs[0] if len(runs) == 1 else sorted({at for run in runs for at in run})
        minimum = self._minimum(markable, positions)
        return Mention(positions, markable.entity, markable.line, minimum)

    def _references(self, tokens: Tokens, notes: Notes) -> References:
        """Return what the document says of mentions beside identity."""
        markables = list(self.markables.values())
        position = {markable.key: at for at, markable in enumerate(markables)}
        first_of: dict[str, int] = {}
        for at, markable in enumerate(markables):
            first_of.setdefault(markable.entity, at)
        bridging: dict[int, int] = {}
        for _, fields in self.bridging:
            anaphor = position.get(fields["markableid"])
            if "mentionanchor" in fields:
                antecedent = position.get(fields["mentionanchor"])
            else:
                antecedent = first_of.get(fields["entityanchor"])
                what = "bridging references to an entity, read as to its first mention"
                notes.count("mentions-interpreted", what)
            if anaphor is None or antecedent is None:
                what = "bridging references from or to a mention that is not there, left out"
                notes.count("not-scored", what)
                continue
            if anaphor in bridging:
                what = "further bridging references of one mention, of which the last is taken"
                notes.count("mentions-interpreted", what)
            bridging[anaphor] = antecedent
        if bridging:
            what = "bridging references, which universal_anaphora_scores alone uses"
            notes.count("not-scored", what, len(bridging))
        return References(
            document_of(
                self.name, list(map(self._mention, markables)), tokens, named=self.named
            ),
            frozenset(at for at, x in enumerate(markables) if _PSEUDO.search(x.entity)),
            bridging,
        )

    def _antecedents(self, document: Document, notes: Notes) -> dict[int, tuple[int, ...]]:
        """Return split antecedents by positions of entities, those that have mentions."""
        position = {str(name): at for at, name in enumerate(document.entity_names)}
        antecedents = {}
        for made, elements in self.made_of.items():
            inside = tuple(position[name] for name in elements if name in position)
            if made in position and inside:
                antecedents[position[made]] = inside
                notes.count(
                    "not-scored",
                    "entities with split antecedents, which split_antecedent_scores alone uses",
                )
            else:
                what = "split antecedents of entities without mentions, left out"
                notes.count("not-scored", what)
        return antecedents

    def _minimum(self, markable: _Markable, positions: Sequence[int]) -> tuple[int, int] | None:
        """Return the minimum span: numbers of tokens, of the document or of the sentence."""
        if markable.minimum in _NOTHING:
            return None
        ends = re.split(r"[,-]", markable.minimum)
        tokens = []
        inside = Counter(self.numbers[at] for at in positions)
        for end in (ends[0], ends[-1]):
            if inside[end] != 1:
                self.fail(
                    markable.line,
                    f"Min={markable.minimum} of {markable.key} names token {end}, which is not "
                    "one of the mention's",
                )
            tokens.append(next(at for at in positions if self.numbers[at] == end))
        return tokens[0], tokens[1]


def _fields_of(content: str) -> dict[str, str]:
    """Return the attributes of a bracket, their names in small letters without "_"."""
    fields: dict[str, str] = {}
    for part in content.split("|"):
        name, _, value = part.partition("=")
        fields[name.strip().lower().replace("_", "")] = value.strip()
    return fields
