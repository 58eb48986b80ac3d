"""Properties of a measure, decided by going through all partitions of a few items."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from papers.partitions import Labels, check_size, join_parts
from papers.search import (
    Finding,
    Search,
    Subject,
    Witness,
)
from partwise.numbers.arrays import FloatArray

Score = Callable[[Sequence[int]], float]

#: Two values that differ by less are equal; rounding stays far below for so few items.
TOLERANCE = 1e-12


def is_metric(measure: Any, n: int = 5, *, direction: str | None = None) -> Finding:
    """Return whether the distance, or 1 - similarity, is a metric on the partitions of n items.

    Parameters
    ----------
    measure : str, Measure or callable
        A name of the catalogue with its options, or ``(a, b) -> float`` on two label arrays.
    n : int, default 5
        Number of items, at most 6.
    direction : {"higher", "lower"}, optional
        What more agreement means; default: as the catalogue says, "higher" for a callable.

    Returns
    -------
    Finding
        Its witness names the axiom that fails: identity, positivity, symmetry or triangle.
        Triangles are given as x, middle, z.

    Notes
    -----
    Bell(n)^2 values, Bell(n)^3 triangles: 52 and 203 partitions of 5 and 6 items. A finding
    that holds for n proves nothing for n + 1: the pair sets index breaks few triangles. What
    fails for n fails for more items as well, as a rule.

    References
    ----------
    Meila 2007, section 4; V-measure (EMNLP 2007), section 3.

    Examples
    --------
    >>> from papers.properties import is_metric
    >>> bool(is_metric("variation_of_information", n=4))
    True
    >>> print(is_metric("pair_f1", n=4).witness)
    0012 / 0011 / 0122: d(x, z) = 1 exceeds d(x, y) + d(y, z) = 0.333333 + 0.333333
    """
    return _metric(Search.of(measure, n, direction))


def is_normalized(measure: Any, n: int = 5, *, direction: str | None = None) -> Finding:
    """Return whether all values lie in [0, 1] and both ends are reached.

    Parameters
    ----------
    measure, n, direction
        See ``is_metric``.

    Returns
    -------
    Finding
        Its witness is the pair of the smallest or the largest value.

    References
    ----------
    Split-merge (ICML 2012), section 5.1.

    Examples
    --------
    >>> from papers.properties import is_normalized
    >>> print(is_normalized("classification_accuracy", n=3).witness)
    000 / 012: the smallest value is 0.333333, not 0
    """
    return _normalized(Search.of(measure, n, direction))


def is_conditionally_normalized(
    measure: Any, n: int = 5, *, direction: str | None = None
) -> Finding:
    """Return whether every reference has its 1 (itself only), its 0 and something between.

    Parameters
    ----------
    measure, n, direction
        See ``is_metric``. Of a distance d, 1 - d is looked at.

    Returns
    -------
    Finding

    Notes
    -----
    For one item there is no worst clustering, for two nothing between.

    References
    ----------
    Split-merge (ICML 2012), Property 5.1 and Proposition 5.1. The proof there says that
    S*(L, singletons) is above 0 for every other L; it is the share of L's single items, so 0
    where L has none. The proposition itself holds for all n up to 6.

    Examples
    --------
    >>> from papers.properties import is_conditionally_normalized
    >>> bool(is_conditionally_normalized("s_entropy", n=4))
    True
    >>> print(is_conditionally_normalized("rand_index", n=4).witness)
    0001: no clustering has the value 0 against it, the smallest is 0.333333
    """
    return _conditionally_normalized(Search.of(measure, n, direction))


def is_join_weighted(measure: Any, n: int = 5, *, direction: str | None = None) -> Finding:
    """Return whether the measure is the mean over the join's components, weighted by size.

    Parameters
    ----------
    measure, n, direction
        See ``is_metric``. A callable is called on fewer items as well.

    Returns
    -------
    Finding
        Its witness is a pair of clusterings with the measure's value and the weighted mean.

    References
    ----------
    Split-merge (ICML 2012), Property 4.1 and Proposition 5.2.

    Examples
    --------
    >>> from papers.properties import is_join_weighted
    >>> bool(is_join_weighted("classification_accuracy", n=4))
    True
    >>> print(is_join_weighted("rand_index", n=4).witness)
    0001 / 0012: 0.666667, but 0.5 as the mean over components
    """
    return _join_weighted(Search.of(measure, n, direction))


def is_subcomponent_consistent(
    measure: Any, score: Score | None = None, n: int = 5, *, direction: str | None = None
) -> Finding:
    """Return whether a measure made of cluster scores gives that score for one cluster.

    Parameters
    ----------
    measure : str, Measure or callable
        See ``is_metric``. Of a distance d, 1 - d is looked at.
    score : callable, optional
        The score the measure is made of: ``score(sizes of the parts) -> float``. Default:
        that of the catalogue's row.
    n : int, default 5
        Clusters of up to n items are broken in all ways.
    direction
        See ``is_metric``.

    Returns
    -------
    Finding
        Without a witness's clusterings where the measure is not known to be made of scores
        of clusters.

    References
    ----------
    Split-merge (ICML 2012), Property 4.4 and Proposition 5.2: A and S* are consistent, N, K
    and S' are made of such scores, but give (1 + s) / 2.

    Examples
    --------
    >>> from papers.properties import is_subcomponent_consistent
    >>> bool(is_subcomponent_consistent("s_entropy"))
    True
    >>> print(is_subcomponent_consistent("s_entropy(combine=mean)", n=2).witness)
    00 / 01: 0.5 for one cluster, whose score is 0
    """
    return _consistent(Subject.of(measure, direction), check_size(n), score)


def properties_of(
    measure: Any, n: int = 5, *, direction: str | None = None
) -> dict[str, Finding]:
    """Return all findings on one measure; its values are computed once.

    Parameters
    ----------
    measure, n, direction
        See ``is_metric``.

    Returns
    -------
    dict of str to Finding
        Keys are the words of the catalogue: symmetric, metric, normalized,
        conditionally_normalized, join_weighted, subcomponent_consistent.
    """
    search = Search.of(measure, n, direction)
    findings = [
        _symmetric(search),
        _metric(search),
        _normalized(search),
        _conditionally_normalized(search),
        _join_weighted(search),
        _consistent(search.subject, n, None),
    ]
    return {finding.property: finding for finding in findings}


# ---- the searches -------------------------------------------------------------------


def _symmetric(search: Search) -> Finding:
    values = search.values
    unequal = np.argwhere(np.abs(values - values.T) > TOLERANCE)
    failure = None
    if len(unequal):
        i, j = unequal[0].tolist()
        pair = values[i, j], values[j, i]
        reason = f"{pair[0]:.6g} one way, {pair[1]:.6g} the other"
        failure = search.witness((i, j), pair, reason)
    return search.finding("symmetric", failure)


def _metric(search: Search) -> Finding:
    distance = search.values if search.subject.lower_is_better else 1.0 - search.values
    return search.finding("metric", next(_metric_failures(search, distance), None))


def _metric_failures(search: Search, distance: FloatArray) -> Iterator[Witness]:
    for i, x in enumerate(np.diagonal(distance)):
        if abs(x) > TOLERANCE:
            yield search.witness((i,), (x,), f"its distance to itself is {x:.6g}")
    apart = ~np.eye(len(distance), dtype=bool)
    for i, j in np.argwhere((distance <= TOLERANCE) & apart):
        x = distance[i, j]
        yield search.witness((i, j), (x,), f"they differ, at distance {x:.6g}")
    for i, j in np.argwhere(np.abs(distance - distance.T) > TOLERANCE):
        pair = distance[i, j], distance[j, i]
        yield search.witness((i, j), pair, f"d is {pair[0]:.6g} and {pair[1]:.6g}")
    for middle, (to, on) in enumerate(zip(distance.T, distance, strict=True)):
        excess = distance - (to[:, None] + on[None, :])
        i, k = divmod(int(np.argmax(excess)), len(excess))
        if excess[i, k] > TOLERANCE:
            three = distance[i, k], to[i], on[k]
            reason = (
                f"d(x, z) = {three[0]:.6g} exceeds d(x, y) + d(y, z) = "
                f"{three[1]:.6g} + {three[2]:.6g}"
            )
            yield search.witness((i, middle, k), three, reason)


def _normalized(search: Search) -> Finding:
    failure = None
    for wanted, which in ((0.0, "smallest"), (1.0, "largest")):
        index = int(search.values.argmin() if which == "smallest" else search.values.argmax())
        i, j = divmod(index, len(search.clusterings))
        x = search.values[i, j]
        if failure is None and x != wanted:
            reason = f"the {which} value is {x:.6g}, not {wanted:.0f}"
            failure = search.witness((i, j), (x,), reason)
    return search.finding("normalized", failure)


def _conditionally_normalized(search: Search) -> Finding:
    similar = search.subject.similarity(search.values)
    failures = (_unconditional(search, i, line) for i, line in enumerate(similar))
    failure = next((one for one in failures if one is not None), None)
    return search.finding("conditionally_normalized", failure)


def _unconditional(search: Search, i: int, line: FloatArray) -> Witness | None:
    """Return what is wrong with the values against reference i."""
    others = np.delete(line, i)
    if line[i] != 1.0:
        return search.witness((i,), (line[i],), f"{line[i]:.6g} against itself")
    for j, x in enumerate(line):
        if j != i and not 0.0 <= x < 1.0:
            return search.witness((i, j), (x,), f"{x:.6g} is not in [0, 1)")
    if search.n > 1 and others.min() != 0.0:
        least = others.min()
        reason = f"no clustering has the value 0 against it, the smallest is {least:.6g}"
        return search.witness((i,), (least,), reason)
    if search.n > 2 and others.max() == 0.0:
        return search.witness((i,), (0.0,), "every other clustering has the value 0")
    return None


def _join_weighted(search: Search) -> Finding:
    value = _remembered(search.subject.value)
    failure = None
    for i, a in enumerate(search.clusterings):
        for j, b in enumerate(search.clusterings):
            parts = join_parts(a, b)
            if failure is not None or len(parts) == 1:
                continue
            mean = math.fsum(len(p.reference) * value(*p) for p in parts) / search.n
            value_of_all = float(search.values[i, j])
            if abs(value_of_all - mean) > TOLERANCE:
                reason = f"{value_of_all:.6g}, but {mean:.6g} as the mean over components"
                failure = search.witness((i, j), (value_of_all, mean), reason)
    return search.finding("join_weighted", failure)


def _remembered(value: Callable[[Labels, Labels], float]) -> Callable[[Labels, Labels], float]:
    values: dict[tuple[Labels, Labels], float] = {}

    def once(a: Labels, b: Labels) -> float:
        if (a, b) not in values:
            values[a, b] = value(a, b)
        return values[a, b]

    return once


def _score_of(subject: Subject) -> Score | None:
    row = subject.entry
    if row is None or row.computation.cluster_score is None:
        return None
    accepted = inspect.signature(row.computation.cluster_score).parameters
    options = {name: value for name, value in row.options.items() if name in accepted}
    return partial(row.computation.cluster_score, **options)


def _consistent(subject: Subject, n: int, score: Score | None) -> Finding:
    score = score or _score_of(subject)
    seen: list[float] = []
    failure = None
    if score is None:
        reason = "not known to be made of scores of clusters; give score="
        failure = Witness((), (), reason)
    for size in range(1, n + 1) if score is not None else ():
        for parts in subject.clusterings(size):
            assert score is not None
            wanted = score([parts.count(label) for label in range(max(parts) + 1)])
            for pair in (((0,) * size, parts), (parts, (0,) * size)):
                similarity = float(subject.similarity(np.array(subject.value(*pair))))
                seen.append(similarity)
                if failure is None and abs(similarity - wanted) > TOLERANCE:
                    reason = f"{similarity:.6g} for one cluster, whose score is {wanted:.6g}"
                    failure = Witness(pair, (similarity, wanted), reason)
    bounds = (min(seen), max(seen)) if seen else (math.nan, math.nan)
    return Finding(failure is None, n, "subcomponent_consistent", subject.name, bounds, failure)
