"""What the weights of clusters do to the Mallows distance (ICML 2005, sections 2 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.curves import finish, plot_curves
from papers.figures import new_figure
from papers.outcomes import Outcome
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.variation import variation_of_information
from partwise.measures.overlap.pairing import classification_accuracy
from partwise.measures.transport.transport import mallows_distance
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = "Mallows distance"


# ---- one cluster and its outskirts: Fig. 2 -----------------------------------------


def draw_core(table: ExperimentTable) -> Figure:
    """Return the distances against the share of the core."""
    figure = new_figure(7.0, 4.0)
    axes = figure.add_subplot()
    plot_curves(axes, table, "core", ("VI", "CC", "CC by size", "1 - A"))
    finish(axes, "items left in the core (of 1000)", "distance (VI: of ln 5; others: of n)")
    axes.set_title(table.title, fontsize=10)
    figure.legend(loc="outside right center", frameon=False)
    return figure


@reasons_where_needed
def outcomes_of_core(table: ExperimentTable) -> list[Outcome]:
    """Return what section 2 expects of Figure 2 beside the values."""
    split = [row for row in table.to_dicts() if row["core"] < 1000]
    alike = [f"{x:.2f}" for x in dict.fromkeys(round(row["CC"], 12) for row in split)]
    last = split[-1]
    return [
        Outcome(
            "Figure 2",
            "one cluster and its core with small pieces, CC with equal weights",
            "close",
            f"CC / n = {', '.join(alike)} whatever the core is",
            holds=last["CC"] < 0.5,
            why=f"with equal weights CC / n is 1 - 1/J for one cluster against J; with weights "
            f"by size it is {last['CC by size']:.2f} for a core of {last['core']} of 1000",
        ),
        Outcome(
            "Figure 2",
            "the small pieces count in CC, not in a best match",
            "stated",
            f"at a core of {last['core']}: CC {last['CC']:.2f}, outside the best match "
            f"{last['1 - A']:.2f}",
            holds=last["CC"] > last["1 - A"],
            why="CC is no larger",
        ),
    ]


@experiment("mallows-core", PAPER, "Fig. 2", draw=draw_core, outcomes=outcomes_of_core)
def core_and_outskirts(cores: Sequence[int] = tuple(range(200, 1001, 100))) -> ExperimentTable:
    """Compare one cluster with its core and four pieces of the outskirts (Fig. 2).

    Parameters
    ----------
    cores : sequence of int
        Items of 1000 that stay in the core; the rest makes four clusters of one size.

    Returns
    -------
    ExperimentTable
        ``core``; VI / ln 5; CC / n with equal cluster weights and with weights by size; 1 - A,
        the share outside the best pair of clusters.

    Notes
    -----
    A measure of best matches stops at the core; CC weighs every piece. With equal weights, as
    in the paper's experiments, a small piece costs as much as the core: CC is 1 - 1/5 whatever
    the core is, and the two clusterings of the figure, which should be close, are not. With
    weights by size CC follows the core.

    Examples
    --------
    >>> from papers import mallows
    >>> print(mallows.core_and_outskirts((600,)).column("CC by size"))
    (0.6,)
    """
    rows = []
    for core in cores:
        if not 0 <= core <= 1000:
            raise ValueError(f"a core of {core}; from 0 to 1000 items are possible")
        pieces = np.repeat(np.arange(5), [core, *[(1000 - core) // 4] * 4])
        one_cluster = np.zeros(len(pieces), dtype=np.int64)
        table = contingency(one_cluster, pieces)
        rows.append(
            (
                core,
                variation_of_information(table) / math.log(5),
                mallows_distance(table, normalize=True),
                mallows_distance(table, normalize=True, cluster_weights="size"),
                1.0 - classification_accuracy(table),
            )
        )
    return ExperimentTable(
        "One cluster of 1000 against a core and four pieces",
        ("core", "VI", "CC", "CC by size", "1 - A"),
        tuple(rows),
    )


# ---- one-to-one matching: section 4.1 ----------------------------------------------


@reasons_where_needed
def outcomes_of_matching(table: ExperimentTable) -> list[Outcome]:
    """Return the claim of section 4.1 and Figure 4(a)."""
    pairs = list(zip(table.column("CC"), table.column("matched"), strict=True))
    equal = sum(one == other for one, other in pairs)
    return [
        Outcome(
            "Section 4.1",
            "for K = J and equal weights the best plan is a permutation",
            "stated",
            f"D = (2 n / K)(1 - A) for {equal} of {len(pairs)} random pairs",
            holds=equal == len(pairs),
            why="some pairs have a cheaper plan",
        )
    ]


@experiment("mallows-matching", PAPER, "Section 4.1", outcomes=outcomes_of_matching)
def matching_identity(pairs: int = 100, seed: int = 1) -> ExperimentTable:
    """Check D = (2 n / K)(1 - A) for as many clusters on both sides (section 4.1).

    Parameters
    ----------
    pairs : int, default 100
        Random pairs of clusterings.
    seed : int, default 1

    Returns
    -------
    ExperimentTable
        ``items``, ``clusters``, ``CC`` (not normalised), ``matched``: the right side.

    Notes
    -----
    With equal cluster weights the best plan is a one-to-one matching: no exceptions.

    Examples
    --------
    >>> from papers import mallows
    >>> table = mallows.matching_identity(20)
    >>> table.column("CC") == table.column("matched")
    True
    """
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(pairs):
        k = int(random.integers(1, 7))
        n = int(random.integers(k, 60))
        sides = [
            random.permutation(np.concatenate([np.arange(k), random.integers(0, k, n - k)]))
            for _ in range(2)
        ]
        table = contingency(*sides)
        outside = n - round(n * classification_accuracy(table))
        rows.append((n, k, mallows_distance(table), 2 * outside / k))
    return ExperimentTable(
        "Mallows distance of clusterings with equally many clusters",
        ("items", "clusters", "CC", "matched"),
        tuple(rows),
        ("As claimed: one-to-one matching is optimal, no exceptions.",),
    )
