"""Which properties of the split-merge paper a score of a cluster by its parts has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.labels import Account
from partwise.measures.split_merge.split_merge import split_merge
from partwise.measures.split_merge.subcomponent_scores import (
    ScoreFunction,
    by_entropy,
    by_log_k,
    by_max_share,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.table.contingency import Contingency

__all__ = [
    "SubcomponentCheck",
    "check_subcomponent_score",
]

PartSizes = tuple[int, ...]

WORDS = ("entropy", "max_share", "log_k")
_MOST = 30


@dataclass(frozen=True, slots=True)
class SubcomponentCheck:
    """What was found about a score on all clusters of up to ``max_size`` items.

    Attributes
    ----------
    monotone : bool
        Property 4.2: no score rises where a part is broken in two, or where an item moves from
        a part to one smaller by at least 2 (sizes less skewed).
    strictly_monotone : bool
        Every score falls there.
    normalized : bool
        Property 4.3: 1 for whole clusters only, 0 for clusters of at least two items in single
        ones only, between 0 and 1 elsewhere.
    consistent : bool
        Property 4.4: the similarity of {L} with its parts, and of the parts with {L}, is the
        score of L.
    witnesses : dict of str to str
        For each property that fails, the first clusters that show it.
    max_size : int
    """

    monotone: bool
    strictly_monotone: bool
    normalized: bool
    consistent: bool
    witnesses: dict[str, str]
    max_size: int

    def __str__(self) -> str:
        lines = [f"clusters of up to {self.max_size} items:"]
        for name in ("monotone", "strictly_monotone", "normalized", "consistent"):
            why = f"no, {self.witnesses[name]}" if name in self.witnesses else "yes"
            lines.append(f"  {name.replace('_', ' ')}: {why}")
        return "\n".join(lines)


def check_subcomponent_score(
    score: str | ScoreFunction,
    *,
    combine: Any = "product",
    k: int | None = None,
    max_size: int = 8,
) -> SubcomponentCheck:
    """Check a subcomponent score against Properties 4.2, 4.3 and 4.4, with witnesses.

    Parameters
    ----------
    score : {"entropy", "max_share", "log_k"} or callable
        As in ``split_merge``; scores of features depend on more than sizes and cannot be
        checked this way.
    combine : {"product", "mean"} or callable, default "product"
        As in ``split_merge``; only consistency depends on it.
    k : int, optional
        For "log_k", at least ``max_size``.
    max_size : int, default 8
        Clusters of 1 to this many items, in all ways of dividing them (30 at most).

    Returns
    -------
    SubcomponentCheck

    Raises
    ------
    ValueError
        Another word; the score gives no array of numbers, one for each cluster.

    Notes
    -----
    Exhaustive over the integer partitions of each size, which the steps of Property 4.2
    connect. Values that differ by 1e-12 or less count as equal, 0 and 1 must be exact. A
    true answer holds up to ``max_size`` and proves no more.

    References
    ----------
    Split-merge (ICML 2012), Properties 4.2 to 4.4.

    Examples
    --------
    >>> import partwise as pw
    >>> print(pw.check_subcomponent_score("max_share", combine="mean", max_size=4))
    clusters of up to 4 items:
      monotone: yes
      strictly monotone: no, parts (2, 2) score 0.5, parts (2, 1, 1) 0.5
      normalized: no, parts (1, 1) score 0.5
      consistent: no, parts (1, 1) score 0.5, the similarity is 0.75
    """
    if not callable(score):
        one_of(score, WORDS, "score")
    is_integer = isinstance(max_size, (int, np.integer)) and not isinstance(max_size, bool)
    if not is_integer or not 1 <= max_size <= _MOST:
        raise ValueError(f"max_size={max_size!r} must be an integer from 1 to {_MOST}")
    divisions = [parts for size in range(1, max_size + 1) for parts in _partitions(size)]
    values = dict(zip(divisions, _scores(divisions, score, k).tolist(), strict=True))
    witnesses = {
        name: witness
        for name, witness in (
            ("monotone", _first_rise(values, strict=False)),
            ("strictly_monotone", _first_rise(values, strict=True)),
            ("normalized", _first_unnormalized(values)),
            ("consistent", _first_inconsistent(values, score, combine, k)),
        )
        if witness is not None
    }
    return SubcomponentCheck(
        monotone="monotone" not in witnesses,
        strictly_monotone="strictly_monotone" not in witnesses,
        normalized="normalized" not in witnesses,
        consistent="consistent" not in witnesses,
        witnesses=witnesses,
        max_size=int(max_size),
    )


_NEAR = 1e-12


def _partitions(size: int, largest: int | None = None) -> Iterator[PartSizes]:
    """Yield the ways to write a size as a falling sum."""
    if size == 0:
        yield ()
        return
    for first in range(min(size, largest or size), 0, -1):
        for rest in _partitions(size - first, first):
            yield (first, *rest)


def _scores(
    divisions: list[PartSizes], score: str | ScoreFunction, k: int | None
) -> FloatArray:
    """Return the scores of clusters that fall into these parts, asked for all at once."""
    sizes = np.array([sum(parts) for parts in divisions])
    indptr = np.concatenate(([0], np.cumsum([len(parts) for parts in divisions])))
    flat = np.array([part for parts in divisions for part in parts])
    if callable(score):
        scores = np.asarray(score(sizes, indptr, flat), dtype=np.float64)
        if scores.shape != (len(divisions),):
            raise ValueError(
                f"score gave an array of shape {scores.shape} for {len(divisions)} clusters"
            )
        return scores
    if score == "log_k":
        return np.array([by_log_k(_table(parts), k).split.score[0] for parts in divisions])
    table = _table_of_rows(sizes, indptr, flat)
    scored_by = by_entropy if score == "entropy" else by_max_share
    return scored_by(table).split.score


def _table_of_rows(sizes: IntArray, indptr: IntArray, parts: IntArray) -> Contingency:
    """Return the table whose rows are clusters and whose columns are their parts."""
    cells = indptr, np.arange(len(parts)), parts
    names = np.arange(len(sizes)), np.arange(len(parts))
    return Contingency._of(cells, *names, Account(int(sizes.sum()), "counts"))


def _table(parts: PartSizes) -> Contingency:
    ends = np.array([0, len(parts)])
    return _table_of_rows(np.array([sum(parts)]), ends, np.array(parts))


def _steps(parts: PartSizes) -> Iterator[PartSizes]:
    """Yield what is one step further broken up, or one step more even."""
    for i, part in enumerate(parts):
        rest = parts[:i] + parts[i + 1 :]
        for piece in range(1, part // 2 + 1):
            yield _falling((*rest, piece, part - piece))
        for j, other in enumerate(parts):
            if part - other >= 2:
                kept = tuple(x for index, x in enumerate(parts) if index not in (i, j))
                yield _falling((*kept, part - 1, other + 1))


def _falling(parts: PartSizes) -> PartSizes:
    return tuple(sorted(parts, reverse=True))


def _first_rise(values: dict[PartSizes, float], *, strict: bool) -> str | None:
    for parts, value in values.items():
        for later in _steps(parts):
            falls = values[later] < value - _NEAR
            if not (falls if strict else values[later] <= value + _NEAR):
                return f"parts {parts} score {value:.6g}, parts {later} {values[later]:.6g}"
    return None


def _first_unnormalized(values: dict[PartSizes, float]) -> str | None:
    for parts, value in values.items():
        if len(parts) == 1:
            good = value == 1
        elif parts[0] == 1:
            good = value == 0
        else:
            good = 0 < value < 1
        if not good:
            return f"parts {parts} score {value:.6g}"
    return None


def _first_inconsistent(
    values: dict[PartSizes, float], score: str | ScoreFunction, combine: Any, k: int | None
) -> str | None:
    for parts, value in values.items():
        if not 0 <= value <= 1:
            return f"parts {parts} score {value:.6g}, outside [0, 1]"
        one = _table(parts)
        for table in (one, one.T):
            similarity = split_merge(table, score=score, combine=combine, k=k)
            if not abs(similarity - value) <= _NEAR:
                return f"parts {parts} score {value:.6g}, the similarity is {similarity:.6g}"
    return None
