"""Which field of a JSON record holds the entities, and its forms as lists of mentions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partwise.coreference.formats.files import fault

CLUSTERS = (
    *("clusters", "predicted_clusters", "span_clusters"),
    *("mention_clusters", "flatten_mentions"),
)
#: Which field is meant where a record has both, by the side that the file is.
OF_SIDE = {"key": "clusters", "response": "predicted_clusters"}
WORDS = ("tokens", "cased_words", "flatten_tokens")


@dataclass(frozen=True, slots=True)
class Record:
    """A line's object, and what the document is called."""

    path: Path
    line: int
    name: str
    named: bool
    fields: dict[str, Any]

    def fault(self, what: str) -> ValueError:
        """Return the error for a fault in the record."""
        return fault(self.path, self.line, self.name, what)

    @property
    def both_fields(self) -> bool:
        """Whether the record has entities of a key and of a response."""
        return all(name in self.fields for name in OF_SIDE.values())

    @property
    def of_characters(self) -> bool:
        """Whether mentions are spans of a text, as fastcoref writes them."""
        worded = ("sentences", *WORDS)
        return isinstance(self.fields.get("text"), str) and not any(
            name in self.fields for name in worded
        )


class Fields:
    """Which field holds the entities: one and the same in every record of a file.

    Parameters
    ----------
    clusters : str
        The field that was named, or "auto".
    side : {"key", "response"} or None
    """

    def __init__(self, clusters: str, side: str | None) -> None:
        self._clusters, self._side = clusters, side
        self._field = ""
        self._line = 0
        self.predictions_of_key = False

    def listed(self, record: Record) -> tuple[list[Sequence[Any]], str]:
        """Return the clusters of a record, each a list of mentions, and their field."""
        field = self._field_of(record)
        if self._field and field != self._field:
            raise record.fault(
                f"its entities are in {field!r}, those of line {self._line} in "
                f"{self._field!r}; the two may be of two clusterings: say which field with "
                "clusters=..., or write all records with the same fields"
            )
        if not self._field:
            self._field, self._line = field, record.line
            predicted = field == OF_SIDE["response"] and self._clusters == "auto"
            self.predictions_of_key = predicted and self._side == "key"
        return _entities(record, field), field

    def _field_of(self, record: Record) -> str:
        names = CLUSTERS if self._clusters == "auto" else (self._clusters,)
        present = [name for name in names if name in record.fields]
        if not present:
            raise record.fault(
                f"no {' or '.join(map(repr, names))} (fields: {', '.join(record.fields)}); "
                "name the field with clusters=...",
            )
        if len(present) == 1:
            return present[0]
        if self._side not in OF_SIDE or OF_SIDE[self._side] not in present:
            raise record.fault(
                f"both {present[0]!r} and {present[1]!r} are there; say which with "
                "clusters=...",
            )
        return OF_SIDE[self._side]


def _entities(record: Record, field: str) -> list[Sequence[Any]]:
    """Return the clusters in a field of a record, each a list of mentions."""
    listed: Any = record.fields[field]
    if not isinstance(listed, list):
        raise record.fault(f"{field!r} is {shown(listed)}; a list of entities is expected")
    if field == "flatten_mentions":
        listed = _by_entity(listed, record)
    for number, cluster in enumerate(listed):
        if not isinstance(cluster, list):
            raise record.fault(
                f"entity {number} of {field!r} is {shown(cluster)}; a list of mentions "
                "[first, last] is expected",
            )
    if field == "mention_clusters":
        listed = [[_over_document(mention, record) for mention in x] for x in listed]
    entities: list[Sequence[Any]] = listed
    return entities


def _by_entity(mentions: list[Any], record: Record) -> list[list[Any]]:
    """Return SciCo's [first, last, entity] as a list for each entity."""
    entities: dict[Any, list[Any]] = {}
    for mention in mentions:
        if not isinstance(mention, list) or len(mention) != 3 or isinstance(mention[2], list):
            raise record.fault(f"the mention {shown(mention)} is not [first, last, entity]")
        entities.setdefault(mention[2], []).append(mention[:2])
    return list(entities.values())


def _over_document(mention: Any, record: Record) -> Any:
    """Return PreCo's [sentence, begin, end] as positions over the document."""
    sentences = record.fields.get("sentences")
    if not isinstance(mention, list) or len(mention) != 3 or not isinstance(sentences, list):
        raise record.fault(
            f"the mention {shown(mention)} is not [sentence, begin, end] beside 'sentences'"
        )
    number, begin, end = mention
    if not all(type(x) is int for x in mention) or not 0 <= number < len(sentences):
        raise record.fault(f"the mention {shown(mention)} names no sentence of the document")
    if not 0 <= begin < end <= len(sentences[number]):
        raise record.fault(
            f"the mention {shown(mention)} is not within the {len(sentences[number])} words "
            "of its sentence"
        )
    start = sum(map(len, sentences[:number]))
    return [start + begin, start + end]


def shown(value: Any) -> str:
    """Return a value as JSON, its beginning where it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
