"""Bridging and mentions that refer to nothing, as Universal Anaphora scores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from partwise.coreference.documents.documents import Document, Documents, References
from partwise.coreference.documents.pairing import MissingDocuments, paired_documents
from partwise.coreference.documents.reading import SIDES, Reading, check_standard_input
from partwise.coreference.documents.sides import select
from partwise.coreference.formats.options import PairOptions
from partwise.coreference.mentions.matching import MentionMatching, match_mentions
from partwise.coreference.scores.measures import Counts
from partwise.coreference.scores.recall_precision import PARTS, Score, columns_of, score_of
from partwise.coreference.scores.universal_anaphora.scores_by_name import ScoresByName
from partwise.numbers.arrays import IntArray
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular
from partwise.report.tables import csv_table, text_table

#: What is scored, and what each score is of.
REFERENCE_SCORES = {
    "non_referring": "mentions that refer to nothing",
    "bridging_anaphors": "mentions that bridge",
    "bridging_mentions": "these, related to the same mention",
    "bridging_entities": "these, related to a mention of the same entity",
}


_HEAD = ["beside identity", "R", "P", "F1", "common", "key", "response"]


@dataclass(frozen=True, slots=True, repr=False)
class UniversalAnaphoraScores(Tabular, JsonResult, ScoresByName):
    """Scores of mentions beside identity; a mapping of names to scores.

    Names are non_referring, bridging_anaphors, bridging_mentions and bridging_entities; see
    ``universal_anaphora_scores``.
    """

    _schema: ClassVar[str] = "universal-anaphora/1"

    _scores: dict[str, Score]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        return {name: asdict(score) for name, score in self._scores.items()}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls({name: score_of(document[name]) for name in REFERENCE_SCORES})

    def table(self) -> Table:
        """Return the table in percent, with the counts."""
        return Table(_HEAD, self._rows(100), decimals=2, whole=False)

    def to_csv(self) -> str:
        """Return CSV text: scores as shares with all digits."""
        return csv_table(_HEAD, self._rows(1))

    def _rows(self, factor: int) -> list[tuple[Any, ...]]:
        return [
            (
                name,
                *(factor * getattr(score, part) for part in PARTS),
                score.recall_numerator,
                score.recall_denominator,
                score.precision_denominator,
            )
            for name, score in self._scores.items()
        ]

    def __repr__(self) -> str:
        return f"UniversalAnaphoraScores({len(self._scores)} scores)"

    def __str__(self) -> str:
        rows = [
            (
                name,
                *(f"{100 * getattr(score, part):.2f}" for part in PARTS),
                str(score.recall_numerator),
                str(score.recall_denominator),
                str(score.precision_denominator),
            )
            for name, score in self._scores.items()
        ]
        return text_table(rows, _HEAD)


def universal_anaphora_scores(
    key: str | Path | Documents | Mapping[Any, Any],
    response: str | Path | Documents | Mapping[Any, Any],
    *,
    mentions: MentionMatching = "exact",
    missing_documents: MissingDocuments = "error",
    extra_documents: MissingDocuments = "error",
    **reading: Unpack[PairOptions],
) -> UniversalAnaphoraScores:
    """Return the scores of bridging, and of mentions that refer to nothing.

    Parameters
    ----------
    key, response
        As of ``score``; CoNLL-UA holds what is scored here, CorefUD bridging to entities.
    mentions : {"exact", "minimum_span", ...}
        Which mentions are the same.
    missing_documents, extra_documents, **reading
        See ``score``.

    Returns
    -------
    UniversalAnaphoraScores
        ``scores["bridging_entities"].f1`` and so on.

    Raises
    ------
    ValueError, TypeError
        As ``score``.

    Notes
    -----
    With N the mentions that a side says refer to nothing (pseudo-entities), recall of
    ``non_referring`` is what both sides have over N of the key, precision over N of the
    response. Of bridging anaphors, those of both sides count as ``bridging_anaphors``, those
    whose antecedent is the same mention as ``bridging_mentions``, and those whose antecedent is
    the same mention or one of the same entity of the key as ``bridging_entities``; denominators
    are the anaphors of a side (Yu et al. 2022). Kinds of bridging are not compared, nor is
    near-identity scored. O(mentions log mentions).

    References
    ----------
    Poesio et al., Anaphora resolution with the ARRAU corpus, CRAC 2018. Yu et al., The
    Universal Anaphora Scorer, LREC 2022.

    Examples
    --------
    >>> import partwise as pw
    >>> lines = ["# global.columns = ID FORM IDENTITY BRIDGING", "# newdoc id = d",
    ...          "1 house (EntityID=1|MarkableID=a) _",
    ...          "2 it (EntityID=1|MarkableID=b) _",
    ...          "3 door (EntityID=2|MarkableID=c) (MarkableID=c|MentionAnchor=a)"]
    >>> other = [line.replace("Anchor=a", "Anchor=b") for line in lines]
    >>> scores = pw.coreference.universal_anaphora_scores(lines, other)
    >>> scores["bridging_mentions"].f1, scores["bridging_entities"].f1
    (0.0, 1.0)
    """
    check_standard_input(key, response)
    options = Reading(**reading)
    of_key, of_response = (
        options.documents(source, side)
        for source, side in zip((key, response), SIDES, strict=True)
    )
    options.check_used()
    policies = (missing_documents, extra_documents)
    return references_scored(of_key, of_response, mentions, policies)


def references_scored(
    key: Documents,
    response: Documents,
    how: MentionMatching = "exact",
    policies: tuple[str, str] = ("error", "error"),
) -> UniversalAnaphoraScores:
    """Return the scores of documents that were read."""
    references = [list(map(_references_of, documents)) for documents in (key, response)]
    paired = paired_documents(
        *(_markables(references[0]), _markables(references[1])),
        missing=policies[0],
        extra=policies[1],
    )
    sides = paired.key.side, paired.response.side
    both = [
        _stacked(own, positions)
        for own, positions in zip(references, paired.positions, strict=True)
    ]
    silent = [rows for rows, _ in both]
    bridging = [pairs for _, pairs in both]
    silent_key, silent_response = (
        select(side, np.isin(np.arange(len(side)), rows))
        for side, rows in zip(sides, silent, strict=True)
    )
    common = int((match_mentions(silent_key, silent_response, how).partner >= 0).sum())
    scores = {"non_referring": _score(common, *map(len, silent))}
    partner = match_mentions(*sides, how).partner
    counts = _common_bridging(sides[0].entity, partner, *bridging)
    for name, common in zip(list(REFERENCE_SCORES)[1:], counts, strict=True):
        scores[name] = _score(common, *map(len, bridging))
    return UniversalAnaphoraScores(scores)


def _references_of(document: Document) -> References:
    """Return what a document says beside identity: nothing, where its format has no word."""
    return document.references or References(document, frozenset(), {})


def _markables(references: Sequence[References]) -> Documents:
    return Documents([one.markables for one in references])


def _stacked(
    references: Sequence[References], positions: IntArray
) -> tuple[IntArray, dict[int, int]]:
    """Return the rows of stacked markables that refer to nothing, and those that bridge."""
    silent: list[int] = []
    bridging: dict[int, int] = {}
    first = 0
    for at in positions.tolist():
        if at < 0:
            continue
        own = references[at]
        silent += [first + row for row in sorted(own.non_referring)]
        bridging |= {first + row: first + other for row, other in own.bridging.items()}
        first += len(own.markables)
    return np.array(silent, dtype=np.int64), bridging


def _common_bridging(
    entity: IntArray,
    partner: IntArray,
    of_key: Mapping[int, int],
    of_response: Mapping[int, int],
) -> tuple[int, int, int]:
    """Return the anaphors of both sides, those of one antecedent, and of one entity."""
    mention_of_key = {int(partner[row]): row for row in np.flatnonzero(partner >= 0).tolist()}
    anaphors = mentions = entities = 0
    for row, antecedent in of_key.items():
        anaphor = int(partner[row])
        if anaphor not in of_response:
            continue
        anaphors += 1
        answer = mention_of_key.get(of_response[anaphor])
        mentions += answer == antecedent
        entities += answer is not None and bool(entity[answer] == entity[antecedent])
    return anaphors, mentions, entities


def _score(common: int, key: int, response: int) -> Score:
    parts = (common, key, common, response)
    columns = columns_of(Counts(*(np.array([part]) for part in parts)))
    return columns.score(0, parts)
