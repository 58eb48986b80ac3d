"""What the text of V says in numbers: eqs (1) and (2), bounds, shares of the corpora."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from papers.outcomes import Outcome, outcomes_of_claims
from papers.partitions import partitions
from papers.properties import is_metric
from papers.registry import experiment
from papers.search import table_of_pair
from papers.table import ExperimentTable
from papers.v_points import ACCENTS, TOPICS
from partwise.measures.information.homogeneity import (
    cluster_entropy,
    completeness,
    dom_q2,
    homogeneity,
    v_measure,
)
from partwise.measures.information.information import conditional_entropy, entropy
from partwise.measures.information.variation import variation_of_information
from partwise.measures.overlap.purity import purity
from partwise.table.contingency import Contingency

Row = tuple[str, str, str, Any, bool]

ITEMS = 5
FEW_ITEMS = 4
_EXACT = 1e-12


def _formulas() -> Iterator[Row]:
    tables = [table_of_pair(a, b) for a, b in product(partitions(ITEMS), repeat=2)]
    value = homogeneity([0, 0, 0], [0, 1, 2])
    text = "one class, three clusters: h, which is 1 if H(C, K) = 0"
    yield "Section 2", text, "0/0", value, False
    value = completeness([0, 1, 2], [0, 0, 0])
    text = "three classes, one cluster: c, which is 1 if H(K, C) = 0"
    yield "Section 2", text, "0/0", value, False
    for name, measure in (("h", homogeneity), ("c", completeness)):
        values = [measure(table) for table in tables]
        ends = f"{min(values):g} to {max(values):g}"
        holds = (min(values), max(values)) == (0, 1)
        yield "Section 3", f"range of {name}, n = 5", "[0, 1]", ends, holds
    unrelated = [0, 0, 1, 1], [0, 1, 0, 1]
    gap = abs(conditional_entropy(*unrelated) - entropy(unrelated[0]))
    text = "H(C|K) = H(C) if clusters have the classes' distribution"
    yield "Section 2", text, "equal", f"apart by {gap:.1g}", gap < _EXACT
    classes, clusters = [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 3]
    values = [v_measure(classes, clusters, beta=beta) for beta in (0.5, 1, 2)]
    shown = ", ".join(f"{value:.3f}" for value in values)
    text = "V of beta = .5, 1, 2 where h = 1 is above c"
    yield "Section 2", text, "nearer c with beta", shown, values[0] > values[1] > values[2]
    counts = np.array([[3, 1], [0, 2]])
    for name, measure, place in (
        ("V", v_measure, "Section 2"),
        ("VI", variation_of_information, "Section 3"),
    ):
        pair = [measure(Contingency.from_dense(counts * times)) for times in (1, 10)]
        shown = f"{pair[0]:.4f} and {pair[1]:.4f}"
        text = f"{name} of a table, and with ten times the items"
        yield place, text, "the same", shown, abs(pair[0] - pair[1]) < _EXACT
    values = [dom_q2(table) for table in tables]
    ends = f"{min(values):.3f} to {max(values):.3f}"
    yield "Section 3", "range of Q2, n = 5", "(0, 1]", ends, 0 < min(values) <= max(values) <= 1


def _monotone() -> Iterator[Row]:
    """Yield whether purity and entropy only improve when clusters are split."""
    for name, measure, sign in (("purity", purity, 1), ("entropy", cluster_entropy, -1)):
        better = every = 0
        for coarse, fine in product(partitions(FEW_ITEMS), repeat=2):
            if table_of_pair(coarse, fine).n_cells != max(fine) + 1:
                continue
            for classes in partitions(FEW_ITEMS):
                before, after = (
                    measure(table_of_pair(classes, side)) for side in (coarse, fine)
                )
                better += sign * (after - before) > -_EXACT
                every += 1
        text = f"{name} improves or stays when clusters are split, n = 4"
        yield "Section 3", text, "always", f"{better} of {every} times", better == every


def _bounds() -> Iterator[Row]:
    metric = bool(is_metric("variation_of_information", ITEMS))
    yield "Section 3", "VI is a metric, n = 5", "yes", "yes" if metric else "no", metric
    largest = max(
        variation_of_information(table_of_pair(a, b))
        for a, b in product(partitions(ITEMS), repeat=2)
    )
    value = largest / math.log(ITEMS)
    yield "Section 3", "largest VI / log n, n = 5", "at most 1", value, value <= 1 + _EXACT
    two = variation_of_information([0, 0, 1, 1], [0, 1, 0, 1])
    value = two / (0.5 * math.log(2))
    yield (
        "Section 3",
        "VI / (1/2 log k*), {01}{23} and {02}{13}",
        "at most 1",
        value,
        value <= 1,
    )


def _shares() -> Iterator[Row]:
    for place, name, shares in (
        ("Section 5.1", "12 topics", TOPICS),
        ("Section 5.2", "5 pitch accents", ACCENTS),
    ):
        total = round(sum(shares), 2)
        text = f"sum of the shares of the {name}"
        yield place, text, "100 %", f"{total:g} %", abs(total - 100) < 1


_REASONS = {
    "0/0": (
        "H(C, K) is above 0 here; the text below the equation says H(C) = 0 (H(K) = 0), with "
        "which it is 1"
    ),
    "at most 1": "2 log k* is the bound that keeps [0, 1], as SM says",
    "100 %": "more than there is; the paper does not say what they are shares of",
}


def outcomes_of_text(table: ExperimentTable) -> list[Outcome]:
    """Return an outcome a row."""
    return outcomes_of_claims(table, lambda row: _REASONS[row["printed"]])


@experiment("v-text", "V-measure", "Sections 2 to 5", outcomes=outcomes_of_text)
def v_text() -> ExperimentTable:
    """Check what the text of V says in numbers: equations, bounds, shares of the corpora.

    Returns
    -------
    ExperimentTable
        place, claim, printed, value, holds.
    """
    rows = (*_formulas(), *_monotone(), *_bounds(), *_shares())
    return ExperimentTable(
        "What the text of V says, in numbers",
        ("place", "claim", "printed", "value", "holds"),
        rows,
    )
