"""A column of CoNLL-UA with mentions: brackets with attributes, and the mentions they make."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.annotations.mentions import Mention, document_of
from partwise.coreference.formats.files import Notes

#: What a cell is where nothing stands in it.
NOTHING = ("_", "-", "")
#: Attributes that documents hold in another way than by their names.
HELD = ("entityid", "markableid", "mentionid", "min", "elementof")
#: The attribute of mentions that has their ids, where these are not those written anyway.
MARKABLE_ID = "MarkableID"

_PSEUDO = re.compile(r"[-_]Pseudo\Z", re.I)
_BRACKET = re.compile(r"\(([^()@]*)(\))?|([^()@]*)\)|@")


@dataclass(slots=True)
class Markable:
    """A mention that is being read: where it opens and ends, run by run."""

    key: str
    entity: str
    line: int
    minimum: str
    attributes: Mapping[str, str]
    # whether the file gives the key
    has_id: bool
    runs: list[tuple[int, int]] = field(default_factory=list)

    @property
    def refers(self) -> bool:
        """Whether it is of an entity, and not of a pseudo-entity."""
        return not is_pseudo(self.entity)


def is_pseudo(entity: str) -> bool:
    """Return whether an entity stands for nothing: ``3-Pseudo``, ``3_Pseudo``."""
    return _PSEUDO.search(entity) is not None


def without_pseudo(entity: str) -> str:
    """Return the name of an entity without what says that it stands for nothing."""
    return _PSEUDO.sub("", entity)


def fields_of(content: str, fail: Callable[[str], NoReturn]) -> dict[str, tuple[str, str]]:
    """Return names and values of the attributes of a bracket, by small letters without "_"."""
    fields: dict[str, tuple[str, str]] = {}
    for part in content.split("|"):
        name, _, value = part.partition("=")
        key = name.strip().lower().replace("_", "")
        if key in fields and value.strip() != fields[key][1]:
            fail(f"{content} says {name.strip()} twice; write it once")
        fields[key] = (name.strip(), value.strip())
    return fields


def brackets_of(cell: str) -> list[tuple[str, bool] | str] | None:
    """Return (content, whether it closes at once) of opening brackets, text of closing ones.

    None: the cell holds something else.

    Examples
    --------
    >>> brackets_of("m1)(EntityID=2@(EntityID=3)")
    ['m1', ('EntityID=2', False), ('EntityID=3', True)]
    """
    found: list[tuple[str, bool] | str] = []
    at = 0
    # one bracket after the other: a pattern of all of them takes exponential time to refuse
    while at < len(cell):
        match = _BRACKET.match(cell, at)
        if match is None:
            return None
        if match[1] is not None:
            found.append((match[1], bool(match[2])))
        elif match[3] is not None:
            found.append(match[3].strip())
        at = match.end()
    return found


class Layer:
    """The mentions of one column of a document, token by token.

    Parameters
    ----------
    fail : callable
        Raises the error for a line of the document and what is wrong there.
    prefix : str, default "m"
        What ids begin with that are written where there are none: ``m1``, ``m2``.
    """

    def __init__(self, fail: Callable[[int, str], NoReturn], prefix: str = "m") -> None:
        self._fail, self._prefix = fail, prefix
        # by id; those without one have an id of their own
        self.markables: dict[str, Markable] = {}
        self._open: list[Markable] = []
        # split antecedents: the entities that one is made of, with their lines
        self.made_of: dict[str, dict[str, int]] = {}

    def read(self, line: int, token: int, cell: str) -> None:
        """Read the cell of a token."""
        brackets = brackets_of(cell)
        if brackets is None:
            self._fail(line, f"{cell!r} does not consist of '(EntityID=...', '...)' and ')'")
        for bracket in brackets:
            if isinstance(bracket, str):
                self._close(line, token, bracket)
                continue
            content, closes = bracket
            markable = self._opened(line, token, content)
            if closes:
                self._open.pop()
                markable.runs[-1] = (token, token)

    def _opened(self, line: int, token: int, content: str) -> Markable:
        fields = fields_of(content, lambda what: self._fail(line, what))
        values = {name: value for name, (_, value) in fields.items()}
        entity = values.get("entityid", "")
        if not entity:
            self._fail(line, f"({content} has no EntityID=...")
        if "elementof" in values:
            self.add_antecedent(line, values)
        given = values.get("markableid") or values.get("mentionid")
        key = given or f"{line} {len(self.markables)}"
        markable = self.markables.get(key)
        if markable is None:
            attributes = {
                name: value
                for own, (name, value) in fields.items()
                if own not in HELD and value and name
            }
            minimum = values.get("min", "")
            markable = Markable(key, entity, line, minimum, attributes, bool(given))
            self.markables[key] = markable
        elif markable.entity != entity:
            self._fail(
                line,
                f"{key} is of entity {entity!r} here and of {markable.entity!r} on line "
                f"{markable.line}; give each mention a MarkableID of its own",
            )
        elif markable.runs[-1][1] in (-1, token):
            self._fail(
                line,
                f"{key} opens again within itself (it opened on line {markable.line}); give "
                "each mention a MarkableID of its own",
            )
        markable.runs.append((token, -1))
        self._open.append(markable)
        return markable

    def add_antecedent(self, line: int, values: Mapping[str, str]) -> None:
        """Take note of the entities that one is an element of."""
        entity = values.get("entityid", "")
        if not entity:
            self._fail(line, "ElementOf without EntityID")
        for made in re.split(r"[,;]", values["elementof"]):
            self.made_of.setdefault(made.strip(), {})[entity] = line

    def _close(self, line: int, token: int, key: str) -> None:
        named = key.rpartition("=")[2]
        fitting = [at for at, x in enumerate(self._open) if named in ("", x.key)] or [
            at for at, x in enumerate(self._open) if named == x.entity
        ]
        if not fitting:
            what = f"{named!r}" if named else "a mention"
            self._fail(line, f"{what} is closed but not open")
        markable = self._open.pop(fitting[-1])
        markable.runs[-1] = (markable.runs[-1][0], token)

    def check_closed(self) -> None:
        """Refuse mentions that are open at the end of the document."""
        if self._open:
            last = self._open[-1]
            self._fail(
                last.line, f"a mention of entity {last.entity!r} is opened and never closed"
            )

    def document(
        self,
        markables: Sequence[Markable],
        numbers: Sequence[str],
        name: str,
        tokens: Tokens,
        *,
        named: bool,
    ) -> Document:
        """Return the document that some of the markables make.

        Parameters
        ----------
        markables : sequence of Markable
        numbers : sequence of str
            The ID of each token, which minimum spans name.
        name, tokens, named
            Of the document.
        """
        mentions = [self._mention(markable, numbers) for markable in markables]
        names = dict.fromkeys(name for x in markables for name in x.attributes)
        attributes = {own: [x.attributes.get(own, "") for x in markables] for own in names}
        if self._ids_say_more():
            attributes[MARKABLE_ID] = [x.key if x.has_id else "" for x in markables]
        return document_of(name, mentions, tokens, named=named, attributes=attributes)

    def _ids_say_more(self) -> bool:
        """Return whether the file has other ids than those that are written anyway."""
        return any(
            x.has_id and x.key != f"{self._prefix}{number}"
            for number, x in enumerate(self.markables.values(), 1)
        )

    def _mention(self, markable: Markable, numbers: Sequence[str]) -> Mention:
        runs = [range(first, last + 1) for first, last in markable.runs]
        positions = runs[0] if len(runs) == 1 else sorted({at for run in runs for at in run})
        minimum = self._minimum(markable, positions, numbers)
        return Mention(positions, markable.entity, markable.line, minimum)

    def _minimum(
        self, markable: Markable, positions: Sequence[int], numbers: Sequence[str]
    ) -> tuple[int, int] | None:
        """Return the minimum span: numbers of tokens, of the document or of the sentence."""
        if markable.minimum in NOTHING:
            return None
        ends = re.split(r"[,-]", markable.minimum)
        tokens = []
        inside = Counter(numbers[at] for at in positions)
        for end in (ends[0], ends[-1]):
            if inside[end] != 1:
                self._fail(
                    markable.line,
                    f"Min={markable.minimum} of {markable.key} names token {end}, which is not "
                    "one of the mention's",
                )
            tokens.append(next(at for at in positions if numbers[at] == end))
        return tokens[0], tokens[1]

    def antecedents(self, document: Document, notes: Notes) -> dict[int, tuple[int, ...]]:
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
            tell_missing(made, elements, position, notes, document.name)
        return antecedents


def tell_missing(
    made: str,
    elements: Mapping[str, int],
    position: Mapping[str, int],
    notes: Notes,
    document: str,
) -> None:
    """Count the split antecedents of an entity that lack since one of the two has no mention.

    Parameters
    ----------
    made : str
        The entity that is made of others.
    elements : mapping of str to int
        Those that it is made of, with their lines.
    position : mapping of str to int
        Of the entities that have mentions.
    notes : Notes
    document : str
        What the document is called.
    """
    lacking = [x for x in elements if x not in position or made not in position]
    if lacking:
        name = lacking[0] if made in position else made
        notes.count(
            "not-scored",
            "split antecedents of entities without mentions, left out",
            len(lacking),
            first=f"document {document!r}, line {elements[lacking[0]]}, {name!r}",
        )
