"""What the text of the NVI paper says in numbers: bounds, extreme clusterings, additivity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from papers.outcomes import Outcome, outcomes_of_claims
from papers.partitions import Labels, partitions
from papers.properties import is_metric
from papers.registry import experiment
from papers.search import table_of_pair
from papers.table import ExperimentTable
from partwise.measures.information.homogeneity import v_measure
from partwise.measures.information.information import conditional_entropy, entropy
from partwise.measures.information.variation import (
    normalized_variation_of_information,
    nvi,
    nvi_k,
    variation_of_information,
)
from partwise.table.contingency import Contingency

Row = tuple[str, str, str, Any, bool]

ITEMS = 5
_EXACT = 1e-12
#: Six items in two classes, and clusters that follow neither.
CLASSES = np.array([0, 0, 0, 1, 1, 1])
CLUSTERS = np.array([0, 1, 2, 0, 1, 2])


def _near(x: float, y: float) -> bool:
    return abs(x - y) < _EXACT


def _extremes() -> Iterator[Row]:
    """Yield single cluster, singletons and no knowledge; the last is ``CLUSTERS``."""
    h_c, h_k = entropy(CLASSES), entropy(CLUSTERS)
    one, single_items = np.zeros_like(CLASSES), np.arange(len(CLASSES))
    h_singles = conditional_entropy(single_items, CLASSES)
    vi = variation_of_information
    yield "Section 3", "single cluster: V", "0", v_measure(CLASSES, one), True
    value = vi(CLASSES, one)
    yield "Section 3", "single cluster: VI", "H(C)", value, _near(value, h_c)
    value = vi(CLASSES, single_items)
    yield "Section 3", "singletons: VI", "H(K|C)", value, _near(value, h_singles)
    yield "Section 3", "no knowledge: V", "0", v_measure(CLASSES, CLUSTERS), True
    value = vi(CLASSES, CLUSTERS)
    yield "Section 3", "no knowledge: VI", "H(C) + H(K)", value, _near(value, h_c + h_k)
    yield "Section 4", "perfect solution: NVI", "0", nvi(CLASSES, CLASSES), True
    yield "Section 4", "single cluster: NVI", "1", nvi(CLASSES, one), True
    value = nvi(CLASSES, CLUSTERS)
    text = "no knowledge: NVI"
    yield "Section 4", text, "1 + H(K) / H(C)", value, _near(value, 1 + h_k / h_c)
    value = nvi(CLASSES, single_items)
    yield "Section 4", "singletons: NVI", "H(K|C) / H(C)", value, _near(value, h_singles / h_c)
    value = nvi(one, CLUSTERS)
    yield "Section 4", "a single class: NVI", "H(K)", value, _near(value, h_k)
    value = nvi_k(CLASSES, one)
    yield "Section 4", "single cluster: NVIK", "H(C)", value, _near(value, h_c)
    value = nvi_k(CLASSES, CLUSTERS)
    yield (
        "Section 4",
        "no knowledge: NVIK",
        "H(C) / H(K) + 1",
        value,
        _near(value, h_c / h_k + 1),
    )


def _range() -> Iterator[Row]:
    largest = max(
        variation_of_information(table_of_pair(a, b))
        for a, b in product(partitions(ITEMS), repeat=2)
    )
    bound = 2 * math.log(ITEMS)
    yield (
        "Section 3",
        "largest VI, n = 5, where 2 log N = 3.219",
        "2 log N",
        largest,
        _near(largest, bound),
    )


def _order() -> Iterator[Row]:
    """Yield what VI and NVI make of all candidates of each reference."""
    kept = better = 0
    for reference in partitions(ITEMS):
        tables = [table_of_pair(reference, b) for b in partitions(ITEMS)]
        vi = np.array([variation_of_information(table) for table in tables])
        values = np.array([nvi(table) for table in tables])
        if max(reference) == 0:
            kept += 1  # H(C) = 0: NVI is H(K), and so is VI
            better += 1
            continue
        clear = np.abs(vi[:, None] - vi) > _EXACT
        same = (vi[:, None] > vi) == (values[:, None] > values)
        kept += bool(same[clear].all())
        below = vi < entropy(reference) - _EXACT
        better += bool(((values < 1 - _EXACT) == below).all())
    every = len(partitions(ITEMS))
    text = "VI and NVI order candidates alike, n = 5"
    yield "Section 4", text, "always", f"{kept} of {every} references", kept == every
    text = "NVI below 1 where VI is better than the single cluster's, n = 5"
    yield "Section 4", text, "always", f"{better} of {every} references", better == every


def _axioms() -> Iterator[Row]:
    for name, measure, printed in (
        ("VI", "variation_of_information", True),
        ("1 - V", "v_measure", False),
        ("NVI", "nvi", False),
    ):
        metric = bool(is_metric(measure, ITEMS))
        place = "Section 4" if name == "NVI" else "Section 3"
        words = ("no", "yes")
        yield place, f"{name} is a metric", words[printed], words[metric], metric == printed
    gaps = [_additivity(a, b) for a, b in product(partitions(ITEMS), repeat=2)]
    steps = [gap for gap in gaps if gap is not None]
    for name, place in (("VI", "Section 3"), ("NVI", "Section 4")):
        largest = max(step[name] for step in steps)
        text = f"{name} of a split is the sum over the clusters that are split"
        yield place, text, "always", f"apart by {largest:.1g} at most", largest < _EXACT
    largest = max(step["1 - V"] for step in steps)
    text = "1 - V of a split is the sum over the clusters that are split"
    yield "Section 3", text, "no", f"apart by {largest:.2f} at most", largest > _EXACT


def _additivity(a: Labels, b: Labels) -> dict[str, float] | None:
    """Return by how much measures miss the sum of P(Cj) times their values inside the Cj.

    None: b does not refine a.
    """
    table = table_of_pair(a, b)
    if table.n_cells != table.shape[1] or max(a) == 0:
        return None
    inside = {c: [y for x, y in zip(a, b, strict=True) if x == c] for c in {*a}}
    shares = {c: a.count(c) / len(a) for c in {*a}}
    parts = math.fsum(shares[c] * entropy(inside[c]) for c in {*a})
    of_v = math.fsum(shares[c] * (1 - v_measure([0] * len(inside[c]), inside[c])) for c in {*a})
    h = entropy(a)
    return {
        "1 - V": abs(1 - v_measure(table) - of_v),
        "VI": abs(variation_of_information(table) - parts),
        "NVI": abs(nvi(table) - parts / h),
    }


def _number_of_classes() -> Iterator[Row]:
    """Yield NVI of singletons as the classes of 12 items become more."""
    n = 12
    single_items = np.arange(n)
    values = [nvi(np.arange(n) % k, single_items) for k in (2, 3, 4, 6)]
    falls = all(x > y for x, y in pairwise(values))
    shown = ", ".join(f"{value:.2f}" for value in values)
    text = "NVI of singletons, 12 items in 2, 3, 4, 6 classes"
    yield "Section 4", text, "decreases", shown, falls


def _doubled() -> Iterator[Row]:
    counts = np.array([[3, 1], [0, 2]])
    once, twice = (Contingency.from_dense(counts * times) for times in (1, 2))
    for name, measure, printed in (
        ("NVI", nvi, "the same"),
        ("VI / log N", _by_log_n, "different"),
    ):
        values = measure(once), measure(twice)
        same = _near(*values)
        shown = f"{values[0]:.4f} and {values[1]:.4f}"
        text = f"{name} before and after each element is split into two"
        yield "Section 4", text, printed, shown, same == (printed == "the same")


def _by_log_n(table: Contingency) -> float:
    return normalized_variation_of_information(table, norm="log_n")


_LARGEST = "the largest VI of N items is log N (one cluster against singletons), as SM says"


def outcomes_of_text(table: ExperimentTable) -> list[Outcome]:
    """Return an outcome a row."""
    return outcomes_of_claims(table, lambda row: _LARGEST)


@experiment("nvi-text", "NVI", "Sections 3 and 4", outcomes=outcomes_of_text)
def nvi_text() -> ExperimentTable:
    """Check what the text of the NVI paper says of VI, V, NVI and NVIK in numbers.

    Returns
    -------
    ExperimentTable
        place, claim, printed, value, holds.

    Notes
    -----
    The extreme clusterings are those of six items in two classes of three; "no knowledge" is
    three clusters with one item of each class. Claims for all clusterings are looked at for
    all pairs of clusterings of five items.
    """
    rows = (
        *_range(),
        *_extremes(),
        *_axioms(),
        *_order(),
        *_number_of_classes(),
        *_doubled(),
    )
    return ExperimentTable(
        "What the text of the NVI paper says, in numbers",
        ("place", "claim", "printed", "value", "holds"),
        rows,
    )
