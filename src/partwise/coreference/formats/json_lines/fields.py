"""Which field of a JSON record holds the entities, and its forms as lists of mentions."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
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
SENTENCES = "sentences"
#: Fields of words without sentences; SciCo has documents of words in "tokens" beside its words.
WORDS = ("flatten_tokens", "tokens", "cased_words")
OF_WL_COREF = "cased_words"


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
        worded = (SENTENCES, *WORDS)
        return isinstance(self.fields.get("text"), str) and not any(
            name in self.fields for name in worded
        )

    @property
    def field_of_words(self) -> str | None:
        """The field that holds words without sentences."""
        return next((name for name in WORDS if name in self.fields), None)

    @property
    def sentence_of_words(self) -> Any:
        """What wl-coref's ``sent_id`` says beside its words; None where it says nothing."""
        return self.fields.get("sent_id") if self.field_of_words == OF_WL_COREF else None

    @property
    def fields_of_text(self) -> list[str]:
        """The fields of words, sentences and subtokens that are read."""
        if self.of_characters:
            return ["text"]
        read = ["subtoken_map"]
        words = self.field_of_words
        if self.fields.get(SENTENCES) is not None and words != "flatten_tokens":
            return [*read, SENTENCES]
        if words is not None:
            read.append(words)
        return [*read, "sent_id"] if words == OF_WL_COREF else read


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

    def listed(self, record: Record) -> tuple[Sequence[Hashable], list[Sequence[Any]], str]:
        """Return names and mentions of the clusters of a record, and their field."""
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
        return *_entities(record, field), field

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


def _entities(record: Record, field: str) -> tuple[Sequence[Hashable], list[Sequence[Any]]]:
    """Return the names of the clusters in a field of a record, and their mentions."""
    listed: Any = record.fields[field]
    if not isinstance(listed, list):
        raise record.fault(f"{field!r} is {shown(listed)}; a list of entities is expected")
    if field == "flatten_mentions":
        by_entity = _by_entity(listed, record)
        return list(by_entity), list(by_entity.values())
    for number, cluster in enumerate(listed):
        if not isinstance(cluster, list):
            raise record.fault(
                f"entity {number} of {field!r} is {shown(cluster)}; a list of mentions "
                "[first, last] is expected",
            )
    if field == "mention_clusters":
        listed = [[_over_document(mention, record) for mention in x] for x in listed]
    entities: list[Sequence[Any]] = listed
    return range(len(entities)), entities


def _by_entity(mentions: list[Any], record: Record) -> dict[Hashable, Sequence[Any]]:
    """Return SciCo's [first, last, entity] as a list for each entity."""
    entities: dict[Hashable, list[Any]] = {}
    for mention in mentions:
        if (
            not isinstance(mention, list)
            or len(mention) != 3
            or type(mention[2]) not in (int, str)
        ):
            raise record.fault(
                f"the mention {shown(mention)} is not [first, last, entity], the entity a "
                "whole number or text"
            )
        entities.setdefault(mention[2], []).append(mention[:2])
    return {**entities}


def _over_document(mention: Any, record: Record) -> Any:
    """Return PreCo's [sentence, begin, end] as positions over the document."""
    sentences = record.fields.get(SENTENCES)
    if not isinstance(mention, list) or len(mention) != 3 or not isinstance(sentences, list):
        raise record.fault(
            f"the mention {shown(mention)} is not [sentence, begin, end] beside 'sentences'"
        )
    if not all(isinstance(sentence, list) for sentence in sentences):
        raise record.fault("'sentences' is not a list of lists of words")
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
    try:
        text = json.dumps(value)
    except RecursionError:
        return f"a {type(value).__name__} of very many levels"
    return text if len(text) <= 60 else text[:57] + "..."
