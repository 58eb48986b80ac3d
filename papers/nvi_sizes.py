"""Table 2 of the NVI paper: numbers of labels by size, and the shares in its text."""

from __future__ import annotations

from papers.outcomes import Outcome
from papers.registry import experiment
from papers.table import ExperimentTable

# corpus, labels -> L, clusters of 1, under 10, under 100, of 100 and more, as printed
PRINTED: dict[tuple[str, str], tuple[int, int, int, int, int]] = {
    ("WSJ10", "T"): (26, 0, 0, 3, 23),
    ("WSJ10", "P"): (8, 0, 0, 0, 8),
    ("WSJ10", "MDL"): (2916, 2282, 2774, 2864, 52),
    ("NEGRA10", "T"): (22, 0, 2, 12, 10),
    ("NEGRA10", "P"): (6, 0, 0, 1, 5),
    ("NEGRA10", "MDL"): (1202, 902, 1114, 1191, 11),
    ("CTB10", "T"): (24, 1, 4, 11, 13),
    ("CTB10", "P"): (9, 1, 2, 4, 5),
    ("CTB10", "MDL"): (1050, 816, 993, 1044, 6),
}
#: Shares of the constituents in labels of less than 10 and of less than 100, WSJ10, MDL.
SHARES = {"under 10": 0.144, "under 100": 0.307}


def items_below(row: tuple[int, int, int, int, int], bound: str) -> tuple[int, int]:
    """Return the smallest and the largest number of items in clusters below 10 or 100.

    Examples
    --------
    >>> items_below(PRINTED["WSJ10", "MDL"], "under 10")
    (3266, 6710)
    """
    _, single, under_10, under_100, _ = row
    few = single + 2 * (under_10 - single), single + 9 * (under_10 - single)
    if bound == "under 10":
        return few
    return few[0] + 10 * (under_100 - under_10), few[1] + 99 * (under_100 - under_10)


def outcomes_of_sizes(table: ExperimentTable) -> list[Outcome]:
    """Return a sum for each printed line, and what both shares leave for all items."""
    outcomes = [
        Outcome(
            "Table 2",
            f"{row['corpus']}, {row['labels']}: under 100 + 100 and more",
            str(row["L"]),
            row["under 100"] + row["100 and more"],
        )
        for row in table.to_dicts()
    ]
    low, high = constituents_left()
    outcomes.append(
        Outcome(
            "Section 6",
            "constituents of WSJ10 that 14.4 % and 30.7 % leave with Table 2",
            "several tens of thousands",
            f"{low} to {high}",
            holds=10_000 <= low <= high,
        )
    )
    return outcomes


def constituents_left() -> tuple[int, int]:
    """Return the fewest and the most constituents that both printed shares allow."""
    row = PRINTED["WSJ10", "MDL"]
    bounds = []
    for name, share in SHARES.items():
        few, many = items_below(row, name)
        bounds.append((few / (share + 0.0005), many / (share - 0.0005)))
    return int(max(low for low, _ in bounds)), int(min(high for _, high in bounds))


@experiment("nvi-sizes", "NVI", "Table 2", outcomes=outcomes_of_sizes)
def label_sizes() -> ExperimentTable:
    """Add up the numbers of labels by size that Table 2 prints.

    Returns
    -------
    ExperimentTable
        corpus, labels, L (all labels), of one item, under 10, under 100, 100 and more; all as
        printed; sum (of the last two).

    Notes
    -----
    The corpora are licensed. The profile of clusterings of your own is
    ``Comparison.profiles`` in clusters and ``Comparison.item_profiles`` in items.
    """
    rows = tuple((*key, *row, row[3] + row[4]) for key, row in PRINTED.items())
    low, high = constituents_left()
    return ExperimentTable(
        "NVI paper: labels by size, as Table 2 prints them",
        (
            "corpus",
            "labels",
            "L",
            "of one item",
            "under 10",
            "under 100",
            "100 and more",
            "sum",
        ),
        rows,
        (
            "The text adds that WSJ10's MDL labels of less than 10 items have 14.4 % of the "
            "constituents, those of less than 100 have 30.7 %: with the table that leaves "
            f"{low} to {high} constituents.",
        ),
    )
