"""What the PSI paper says of its indexes, checked (TKDE 2016, sections 2 to 6)."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from papers.outcomes import Outcome
from papers.psi_indexes import PAPER
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.information import mutual_information
from partwise.measures.information.information import normalized_mutual_information as nmi
from partwise.measures.information.variation import variation_of_information
from partwise.measures.overlap.pair_sets import expected_pair_sets, pair_sets_distance
from partwise.measures.overlap.pairing import classification_accuracy
from partwise.measures.overlap.purity import purity
from partwise.measures.pairs.pair_indices import adjusted_rand_index, rand_index
from partwise.table.contingency import Contingency


@reasons_where_needed
def outcomes_of_statements(table: ExperimentTable) -> list[Outcome]:
    """Return what the paper says beside what was found."""
    value = dict(zip(table.column("statement"), table.column("value"), strict=True))
    low, high = value["least Rand of random labels"], value["largest Rand of random labels"]
    ami, normalized = value["AMI by all orders"], value["NMI"]
    return [
        Outcome(
            "Section 3",
            "ARI is bounded by zero",
            "stated",
            f"{value['least ARI of four items']:.2f} for {{01}}{{23}}, {{02}}{{13}}",
            holds=value["least ARI of four items"] >= 0,
            print_is_wrong=True,
            why="two clusters of two that cross",
        ),
        Outcome(
            "Section 3",
            "Rand of random partitions",
            "0.5, in [0.5, 1]",
            f"{low:.2f} to {high:.2f} for 2 to 20 clusters",
            holds=low > 0.45 and high < 0.55,
            print_is_wrong=True,
            why="it depends on the numbers of clusters",
        ),
        Outcome(
            "Section 4",
            "Purity is the classification accuracy",
            "exactly the same",
            f"{value['Purity of single items']:.2f} against {value['A of single items']:.2f}",
            holds=value["Purity of single items"] == value["A of single items"],
            print_is_wrong=True,
            why="{01}{23} against single items: purity takes each cluster more than once",
        ),
        Outcome(
            "Section 5, Theorem 1",
            "AMI = NMI",
            "proved",
            f"{ami:.4f} and {normalized:.4f}",
            holds=abs(ami - normalized) < 1e-9,
            print_is_wrong=True,
            why="{01}{23}{45} against {01}{25}{34}, the expectation by all 720 orders",
        ),
        Outcome(
            "Section 5, Theorem 1",
            "adjusted and normalised VI (as similarities) are AMI and NMI",
            "proved",
            f"AVI {value['AVI']:.4f}, 1 - NVI {value['1 - NVI']:.4f}",
            holds=abs(value["AVI"] - ami) < 1e-9 and abs(value["1 - NVI"] - normalized) < 1e-9,
            why="they differ",
        ),
        Outcome(
            "Section 6, eq. (17)",
            "E <= 1",
            "proved",
            f"{value['largest E']:.3f} at most in {table.column('cases')[-2]} tables",
            holds=value["largest E"] <= 1 + 1e-12,
            why="a table has more",
        ),
        Outcome(
            "Section 6.3",
            "the distance of PSI, eq. (19), is a metric",
            "announced, proved of eq. (20)",
            f"triangle inequality off by {value['triangle inequality, PSI']:.4f} for a triple "
            "of five items",
            holds=value["triangle inequality, PSI"] <= 1e-12,
            print_is_wrong=True,
            why="the proof is of the simplified form alone; the full form is no metric",
        ),
    ]


@experiment("psi-statements", PAPER, "Sections 3 to 6", outcomes=outcomes_of_statements)
def statements(seed: int = 1, *, tables: int = 200) -> ExperimentTable:
    """Check what the paper says of ARI, Rand, Purity, AMI and PSI (PSI, sections 3 to 6).

    Parameters
    ----------
    seed : int, default 1
    tables : int, default 200
        Random tables in which E is looked at.

    Returns
    -------
    ExperimentTable
        ``statement``, ``value``, ``cases``.

    Notes
    -----
    AMI and AVI are taken from the definition: the mean over all 720 orders of six items.
    """
    if tables < 1:
        raise ValueError(f"tables={tables}; at least 1 is needed")
    random = np.random.default_rng(seed)
    rand = [
        rand_index(random.integers(0, k, 1000), random.integers(0, k, 1000))
        for k in range(2, 21)
    ]
    pair, single = [0, 0, 1, 1], [0, 1, 2, 3]
    first, second = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 1]
    orders = [mutual_information(first, order) for order in permutations(second)]
    expected = sum(orders) / len(orders)
    variation = variation_of_information(first, second)
    largest = np.log(3)  # both entropies
    adjusted = (mutual_information(first, second) - expected) / (largest - expected)
    bound = 2 * largest
    expected_variation = bound - 2 * expected
    drawn = [Contingency.from_dense(random.integers(0, 9, (4, 3)) + 1) for _ in range(tables)]
    x, y, z = [0, 0, 0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2, 3, 3]
    around = pair_sets_distance(x, y) + pair_sets_distance(y, z)
    rows = (
        ("least ARI of four items", adjusted_rand_index(pair, [0, 1, 0, 1]), 1),
        ("least Rand of random labels", min(rand), len(rand)),
        ("largest Rand of random labels", max(rand), len(rand)),
        ("Purity of single items", purity(pair, single), 1),
        ("A of single items", classification_accuracy(pair, single), 1),
        ("AMI by all orders", float(adjusted), len(orders)),
        ("NMI", nmi(first, second), 1),
        ("AVI", float(1 - variation / expected_variation), len(orders)),
        ("1 - NVI", float(1 - variation / bound), 1),
        ("largest E", max(map(expected_pair_sets, drawn)), tables),
        ("triangle inequality, PSI", pair_sets_distance(x, z) - around, 1),
    )
    return ExperimentTable(
        "Statements about ARI, Rand, Purity, AMI and PSI",
        ("statement", "value", "cases"),
        rows,
        ("Not as stated: ARI at least 0, Rand 1/2, Purity = A, AMI = NMI.",),
    )
