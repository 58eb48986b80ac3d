"""Scores by the size of entities, and by the kind of mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import documents_with_empty_nodes, zero_mentions
from partwise.coreference.scores.analysis.entity_shares import entity_shares
from partwise.coreference.scores.measures import MEASURES, Counts
from partwise.coreference.scores.moved_mentions import MOVED
from partwise.coreference.scores.recall_precision import PARTS, Score, columns_of, score_of
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.worst import Place, place_of
from partwise.numbers.arrays import IntArray
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular
from partwise.report.tables import csv_table

#: First sizes of the groups of entities where nothing is said: 1, 2, 3 to 5, 6 to 10, more.
SIZES = (1, 2, 3, 6, 11)
#: First lengths of the groups of mentions.
LENGTHS = (1, 2, 3, 6)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupedScores(Tabular, JsonResult, Mapping[str, Mapping[str, Score]]):
    """Scores by group; a mapping of groups to measures to scores.

    Attributes
    ----------
    what : str
        What is grouped: entities or mentions.
    counts : dict of str to (int, int)
        How many the key and the response have of each group.
    """

    _schema: ClassVar[str] = "coreference-groups/1"

    what: str
    counts: dict[str, tuple[int, int]]
    _scores: dict[str, dict[str, Score]]

    def __getitem__(self, group: str) -> Mapping[str, Score]:
        return self._scores[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        names = ", ".join(list(self._scores)[:3]) + ", ..." * (len(self) > 3)
        return f"GroupedScores({self.what}: {names})"

    def table(self) -> Table:
        """Return the table in percent, a group a line."""
        marks = {
            (i, 3 + len(PARTS) * j + PARTS.index(part)): "*"
            for i, scores in enumerate(self._scores.values())
            for j, score in enumerate(scores.values())
            for part in score.undefined
        }
        legend = ["* is 0 / 0"] if marks else []
        return Table(
            *(self._head(), self._rows(100)),
            marks=marks,
            legend=legend,
            decimals=2,
            whole=False,
        )

    def to_csv(self) -> str:
        """Return CSV text: counts, and scores as shares with all digits."""
        return csv_table(self._head(), self._rows(1))

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame of shares (needs the extra ``partwise[frames]``)."""
        return Table(self._head(), self._rows(1)).frame()

    def heading(self) -> list[str]:
        """Return what is grouped."""
        return [f"scores by groups of {self.what}, in %"]

    def _head(self) -> list[str]:
        measures = next(iter(self._scores.values()), {})
        names = [f"{MEASURES[name].title} {x}" for name in measures for x in ("R", "P", "F1")]
        return [self.what, "key", "response", *names]

    def _rows(self, factor: int) -> list[tuple[Any, ...]]:
        return [
            (
                *(group, *self.counts[group]),
                *(factor * getattr(score, part) for score in scores.values() for part in PARTS),
            )
            for group, scores in self._scores.items()
        ]

    def _options(self) -> dict[str, Any]:
        return {"measures": list(next(iter(self._scores.values()), {}))}

    def _document(self) -> dict[str, Any]:
        every_score = {
            group: {name: asdict(score) for name, score in scores.items()}
            for group, scores in self._scores.items()
        }
        groups = {"what": self.what, "groups": self.to_dict()}
        return {**groups, "every_score": every_score, "notes": []}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        counts = {
            group: (one["key"], one["response"]) for group, one in document["groups"].items()
        }
        scores = {
            group: {name: score_of(score) for name, score in of_group.items()}
            for group, of_group in document["every_score"].items()
        }
        return cls(document["what"], counts, scores)

    def __str__(self) -> str:
        return self.table().text()

    def to_dict(self) -> dict[str, Any]:
        """Return counts and scores as plain values."""
        return {
            group: {
                "key": self.counts[group][0],
                "response": self.counts[group][1],
                "scores": {
                    name: {part: getattr(score, part) for part in PARTS}
                    for name, score in scores.items()
                },
            }
            for group, scores in self._scores.items()
        }


def scores_by_entity_size(
    scores: CoreferenceScores,
    sizes: Sequence[int] = SIZES,
    measures: Sequence[str] = ("muc", "b_cubed", "ceaf_e", "lea"),
) -> GroupedScores:
    """Return recall of the key's entities and precision of the response's, by their size.

    Parameters
    ----------
    scores : CoreferenceScores
    sizes : sequence of int, default (1, 2, 3, 6, 11)
        First size of each group; a group goes up to the next one.
    measures : sequence of str, default ("muc", "b_cubed", "ceaf_e", "lea")
        Of mentions, muc, b_cubed, ceaf_m, ceaf_e and lea.

    Returns
    -------
    GroupedScores
        Groups are "1", "2", "3-5" and so on.

    Raises
    ------
    ValueError
        Sizes that do not rise from 1, a measure that is no sum over entities.

    Notes
    -----
    Numerators and denominators of the groups add up to those of all entities. Recall and
    precision of a group are of other entities: those of the key, and those of the response,
    that have so many mentions. O(mentions).

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["d", "e"], ["f"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "d", "e"], ["f"]]})
    >>> by_size = pw.coreference.scores_by_entity_size(scores)
    >>> {size: round(one["b_cubed"].recall, 3) for size, one in by_size.items()}
    {'1': 1.0, '2': 1.0, '3-5': 0.556}
    """
    starts = _rising(sizes, "sizes")
    x = scores._shared
    groups = [_group_of(side, starts) for side in (x.key_sizes, x.response_sizes)]
    names = _ranges(starts)
    made = {}
    for measure in measures:
        name, *shares = entity_shares(scores, measure)
        parts = [
            _added(values, group, len(names))
            for share, group in zip(shares, groups, strict=True)
            for values in share
        ]
        made[name] = Counts(*parts)
    return _grouped("entities", names, groups, made)


def scores_by_mention(
    scores: CoreferenceScores, kind_of: Callable[[Place], str] | None = None
) -> GroupedScores:
    """Return recall of the key's mentions and precision of the response's, by their kind.

    Parameters
    ----------
    scores : CoreferenceScores
    kind_of : callable, optional
        The kind of a mention, given with its document, span and words (``Place``): pronoun or
        name, say. By default the number of its words, and "zero" for empty nodes.

    Returns
    -------
    GroupedScores
        ``mentions``: how many have a partner. ``b_cubed``: the share of a mention's entity that
        is together with it on the other side, added up over the mentions.

    Raises
    ------
    ValueError
        Mentions that are objects without a number of words, and no ``kind_of``; a convention
        whose recall and precision are of different mentions.

    Notes
    -----
    Numerators and denominators of the kinds add up to those of all mentions. The kind of a
    mention is told on its own side: partners may be of two kinds. O(mentions).

    Examples
    --------
    >>> import partwise as pw
    >>> scores = pw.coreference.score({"d": [["Ann", "she"]]}, {"d": [["Ann"], ["she", "it"]]})
    >>> by_kind = pw.coreference.scores_by_mention(
    ...     scores, lambda mention: "pronoun" if mention.text in ("'she'", "'it'") else "other"
    ... )
    >>> {kind: one["mentions"].precision for kind, one in by_kind.items()}
    {'other': 1.0, 'pronoun': 0.5}
    """
    if scores._moved and "b_cubed" in MOVED:
        raise ValueError(
            f"under the convention {scores.convention} recall and precision are of different "
            "mentions; score under another convention"
        )
    x = scores._shared
    kinds = [_kinds_of(side, kind_of) for side in x.places]
    names = list(dict.fromkeys([*kinds[0], *kinds[1]]))
    if kind_of is None:
        names = [name for name in (*_ranges(LENGTHS), "zero") if name in names]
    codes = {name: code for code, name in enumerate(names)}
    groups = [np.array([codes[kind] for kind in of], dtype=np.int64) for of in kinds]
    matched = np.flatnonzero(x.partner >= 0)
    rows = (matched, x.partner[matched])
    entities = (x.key.entity[rows[0]], x.response.entity[rows[1]])
    width = int(entities[1].max(initial=0)) + 1
    _, pair, counts = np.unique(
        entities[0] * width + entities[1], return_inverse=True, return_counts=True
    )
    together = counts[pair]
    parts: dict[str, list[NDArray[Any]]] = {"mentions": [], "b_cubed": []}
    for own, entity, sizes, group in zip(
        rows, entities, (x.key_sizes, x.response_sizes), groups, strict=True
    ):
        n = len(names)
        below = np.bincount(group, minlength=n)
        parts["mentions"] += [np.bincount(group[own], minlength=n), below]
        parts["b_cubed"] += [_added(together / sizes[entity], group[own], n), below]
    made = {name: Counts(*of_measure) for name, of_measure in parts.items()}
    return _grouped("mentions", names, groups, made)


def _rising(starts: Sequence[int], option: str) -> list[int]:
    rising = [int(x) for x in starts]
    if rising[:1] != [1] or any(a >= b for a, b in pairwise(rising)):
        raise ValueError(
            f"{option}={tuple(starts)}: whole numbers are expected that rise from 1, such as "
            f"{SIZES}"
        )
    return rising


def _group_of(values: IntArray, starts: Sequence[int]) -> IntArray:
    return np.searchsorted(np.array(starts), values, side="right") - 1


def _ranges(starts: Sequence[int]) -> list[str]:
    """Return what groups of sizes are called: 1, 2, 3-5, 6+."""
    names = []
    for first, after in zip(starts, [*starts[1:], None], strict=True):
        if after is None:
            names.append(f"{first}+")
        else:
            names.append(f"{first}" if after == first + 1 else f"{first}-{after - 1}")
    return names


def _added(values: NDArray[Any], group: IntArray, n: int) -> NDArray[Any]:
    sums = np.zeros(n, dtype=values.dtype)
    np.add.at(sums, group, values)
    return sums


def _grouped(
    what: str, names: Sequence[str], groups: Sequence[IntArray], counts: Mapping[str, Counts]
) -> GroupedScores:
    """Return the scores of the groups that either side has."""
    sizes = [np.bincount(group, minlength=len(names)).tolist() for group in groups]
    columns = {
        name: (columns_of(one), [part.tolist() for part in one.parts])
        for name, one in counts.items()
    }
    made = {
        group: {
            name: column.score(at, tuple(part[at] for part in parts))
            for name, (column, parts) in columns.items()
        }
        for at, group in enumerate(names)
        if sizes[0][at] or sizes[1][at]
    }
    of_groups = {
        group: (sizes[0][at], sizes[1][at]) for at, group in enumerate(names) if group in made
    }
    return GroupedScores(what, of_groups, made)


def _kinds_of(side: Side, kind_of: Callable[[Place], str] | None) -> list[str]:
    """Return the kind of each mention of a side."""
    if kind_of is not None:
        return [str(kind_of(place_of(side, row))) for row in range(len(side))]
    spans = side.mentions
    if not isinstance(spans, Spans):
        if not len(side):
            return []
        raise ValueError(
            f"mentions are objects such as {spans[0]!r}, whose number of words is not known; "
            "pass kind_of=..., a function that tells the kind of a mention"
        )
    if spans.token_ends is not None:
        lengths = np.diff(spans.token_ends)
    else:
        lengths = spans.last - spans.first + 1
    names = _ranges(LENGTHS)
    kinds = [names[at] for at in _group_of(lengths, LENGTHS).tolist()]
    if documents_with_empty_nodes(side).any():
        for row in np.flatnonzero(zero_mentions(side)).tolist():
            kinds[row] = "zero"
    return kinds
