"""What the PSI paper prints of made partitions and what comes out (sections 4, 7.2 to 7.7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from papers.outcomes import Outcome
from papers.psi_indexes import INDEXES
from papers.reasons import reasons_where_needed
from papers.table import ExperimentTable

UNCORRECTED = ("NVD", "CH", "Purity")
"""The indexes that are not corrected for chance."""
CORRECTED = ("ARI", "NMI", "PSI")


def _ends(values: Sequence[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def _bend(values: Sequence[float]) -> float:
    """Return the largest second difference: 0 on a line."""
    return float(np.abs(np.diff(values, 2)).max(initial=0.0))


def _all_values(table: ExperimentTable, names: Sequence[str]) -> list[float]:
    return [value for name in names for value in table.column(name)]


@reasons_where_needed
def of_cluster_similarities(table: ExperimentTable) -> list[Outcome]:
    """Return Figure 3 and the order of the three similarities."""
    why = "the similarity is another"
    outcomes = []
    for container, words in (
        (5, {"jaccard": "0.80", "braun_banquet": "0.80"}),
        (16, {"jaccard": "0.25", "braun_banquet": "0.25", "sorensen_dice": "0.4"}),
    ):
        row = table.where(container=container).to_dicts()[0]
        outcomes += [
            Outcome("Figure 3", f"4 items inside {container}, {word}", text, row[word], why=why)
            for word, text in words.items()
        ]
    ordered = all(
        row["jaccard"] <= row["braun_banquet"] <= row["sorensen_dice"]
        for row in table.to_dicts()
    )
    return [
        *outcomes,
        Outcome(
            "Section 4.1",
            "J <= BB <= SD",
            "for any two sets",
            "for all sizes here" if ordered else "not for all sizes",
            holds=ordered,
            why="the order is another",
        ),
    ]


@reasons_where_needed
def of_random_labels(table: ExperimentTable) -> list[Outcome]:
    """Return the claims about Figure 10."""
    corrected, others = (_all_values(table, names) for names in (CORRECTED, UNCORRECTED))
    largest = max(map(abs, corrected))
    return [
        Outcome(
            "Figure 10",
            "NMI, ARI and PSI of random labels",
            "close to zero",
            f"{largest:.3f} at most",
            holds=largest < 0.05,
            why="an index is not near 0",
        ),
        Outcome(
            "Figure 10",
            "NVD, CH and Purity of random labels",
            "not zero",
            _ends(others),
            holds=min(others) > 0.05,
            why="an index is near 0",
        ),
    ]


@reasons_where_needed
def of_enlarged_first(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.3 says of Figure 12."""
    at = {row["size"]: row for row in table.to_dicts()}
    flat = all(
        len({round(at[x]["NVD"], 12) for x in at if low <= x <= high}) == 1
        for low, high in ((1500, 2000), (2500, 3000))
    )
    rising = all(at[1950][x] < at[2000][x] > at[2050][x] for x in ("ARI", "NMI"))
    lines = max(_bend(table.column(x)) for x in ("CH", "Purity"))
    line = np.linspace(1, 0, len(table.rows))
    off = float(np.abs(np.subtract(table.column("PSI"), line)).max())
    return [
        Outcome("Figure 12", "NVD at 1500 to 2000, 5000/6000", "0.83", at[1500]["NVD"]),
        Outcome("Figure 12", "CH at 3000", "0.33", at[3000]["CH"], why="another offset"),
        Outcome(
            "Figure 12", "Purity at 3000", "0.33", at[3000]["Purity"], why="another offset"
        ),
        Outcome(
            "Figure 12",
            "NVD between 1500 and 2000, 2500 and 3000",
            "constant",
            "constant" if flat else "not constant",
            holds=flat,
            why="NVD changes there",
        ),
        Outcome(
            "Figure 12",
            "NMI and ARI towards 2000",
            "rise to a local maximum",
            f"ARI {at[1950]['ARI']:.3f}, {at[2000]['ARI']:.3f}, {at[2050]['ARI']:.3f}",
            holds=rising,
            why="no local maximum",
        ),
        Outcome(
            "Figure 12",
            "CH and Purity",
            "linear",
            f"second differences {lines:.1g}",
            holds=lines < 1e-9,
            why="they bend",
        ),
        Outcome(
            "Figure 12",
            "PSI",
            "near linear",
            f"off the line by {off:.2f} at most",
            holds=off < 0.1,
            why="PSI is convex there: 0.36 where a line has 0.5",
        ),
    ]


@reasons_where_needed
def of_enlarged_second(table: ExperimentTable, first: ExperimentTable) -> list[Outcome]:
    """Return what section 7.3 says of Figure 14, beside the table of Figure 12."""
    both = np.subtract(table.column("PSI"), first.column("PSI"))
    at = {row["size"]: row for row in table.to_dicts()}
    knee = at[1950]["NVD"] > at[2000]["NVD"] == at[2050]["NVD"]
    return [
        Outcome(
            "Figure 14",
            "PSI in Figs 12 and 14",
            "the same curve",
            f"{float(np.abs(both).max()):.1g} apart",
            holds=float(np.abs(both).max()) < 1e-12,
            why="the curves differ",
        ),
        Outcome(
            "Figure 14",
            "knee of NVD",
            "beyond 2000",
            f"{at[1950]['NVD']:.3f}, {at[2000]['NVD']:.3f}, {at[2050]['NVD']:.3f}",
            holds=knee,
            why="no knee there",
        ),
    ]


@reasons_where_needed
def of_purity_exchanged(table: ExperimentTable) -> list[Outcome]:
    """Return the claim of section 7.3 about Purity of G and P exchanged."""
    straight, bent = max(table.column("off_line")), max(table.column("exchanged_off_line"))
    return [
        Outcome(
            "Figure 12, text",
            "Purity with the sides exchanged",
            "not linear",
            f"off the line by {bent:.3f}; not exchanged by {straight:.1g}",
            holds=bent > 0.05 > straight,
            why="it is linear",
        )
    ]


@reasons_where_needed
def of_growing_error(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.3 says of Figure 16."""
    even = [row for row in table.to_dicts() if row["errors"] % 50 == 0]
    bends = max(_bend([row[x] for row in even]) for x in (*UNCORRECTED, "PSI"))
    apart = max(abs(row[x] - row["NVD"]) for row in even for x in UNCORRECTED)
    below = all(max(row["ARI"], row["NMI"]) <= row["PSI"] <= row["NVD"] for row in even)
    return [
        Outcome(
            "Figure 16",
            "PSI, NVD, CH and Purity",
            "linear",
            f"second differences {bends:.1g}",
            holds=bends < 1e-9,
            why="they bend",
        ),
        Outcome(
            "Figure 16, eq. (12)",
            "NVD, CH and Purity",
            "the same",
            f"{apart:.1g} apart",
            holds=apart < 1e-9,
            why="they differ",
        ),
        Outcome(
            "Figure 16",
            "NVD above PSI, NMI and ARI below",
            "always",
            "always" if below else "not always",
            holds=below,
            why="the order is another",
        ),
    ]


@reasons_where_needed
def of_size_imbalance(table: ExperimentTable) -> list[Outcome]:
    """Return the two numbers and the claims of section 7.4, Figure 18."""
    at = {row["size"]: row for row in table.to_dicts()}
    spread = {x: max(table.column(x)) - min(table.column(x)) for x in INDEXES}
    others = [spread[x] for x in INDEXES if x != "PSI"]
    return [
        Outcome(
            "Figure 18",
            "ARI, third cluster of 2000",
            "0.91",
            at[2000]["ARI"],
            why="no reading of '200 objects (20 percent)' gives it: 100 of each cluster .904, "
            "200 of each .829",
        ),
        Outcome("Figure 18", "ARI, third cluster of 50", "0.66", at[50]["ARI"]),
        Outcome(
            "Figure 18",
            "PSI",
            "not affected by the size",
            f"changes by {spread['PSI']:.1g}",
            holds=spread["PSI"] < 1e-9,
            why="PSI changes",
        ),
        Outcome(
            "Figure 18",
            "all other indexes",
            "affected by the size",
            f"change by {_ends(others)}",
            holds=min(others) > 0.01,
            why="an index does not change",
        ),
    ]


@reasons_where_needed
def of_number_of_clusters(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.5 says of Figure 20."""
    fixed = max(_bend(table.column(x)) for x in UNCORRECTED)
    nmi = table.column("NMI")
    spread = {x: max(table.column(x)) - min(table.column(x)) for x in CORRECTED}
    return [
        Outcome(
            "Figure 20",
            "NVD, CH and Purity",
            "independent of the number",
            f"{_ends(_all_values(table, UNCORRECTED))}",
            holds=fixed < 1e-9,
            why="they change",
        ),
        Outcome(
            "Figure 20",
            "the other indexes",
            "from 25 up to 80 percent",
            f"NMI {nmi[0]:.2f} to {nmi[-1]:.2f}, ARI {table.column('ARI')[-1]:.2f} and PSI "
            f"{table.column('PSI')[-1]:.2f} at {table.column('clusters')[-1]} clusters",
            holds=0.2 < min(_all_values(table, CORRECTED)) < 0.3
            and 0.75 < max(_all_values(table, CORRECTED)) < 0.85,
            why="the range is another",
        ),
        Outcome(
            "Figure 20",
            "PSI beside NMI and ARI",
            "depends less on the number",
            ", ".join(f"{x} changes by {spread[x]:.2f}" for x in ("PSI", "NMI", "ARI")),
            holds=spread["PSI"] < min(spread["NMI"], spread["ARI"]),
            why="PSI changes more",
        ),
    ]


@reasons_where_needed
def of_overlap(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.6 says of Figure 21."""
    rows = [row for row in table.to_dicts() if row["overlap"] < 0.35]
    off = {x: max(abs(row[x] - row[f"expected_{x}"]) for row in rows) for x in ("NVD", "PSI")}
    return [
        Outcome(
            "Figure 21",
            "NVD",
            "about 1 - overlap, at least 0.50",
            f"within {off['NVD']:.3f} up to 0.35, least {min(table.column('NVD')):.2f}",
            holds=off["NVD"] < 0.04 and min(table.column("NVD")) > 0.49,
            why="NVD is elsewhere",
        ),
        Outcome(
            "Figure 21",
            "PSI",
            "about 1 - overlap / 0.50",
            f"within {off['PSI']:.3f} up to 0.35",
            holds=off["PSI"] < 0.08,
            why="PSI is elsewhere",
        ),
    ]


@reasons_where_needed
def of_expected_overlap(table: ExperimentTable) -> list[Outcome]:
    """Return the values that sections 7.6 and 7.7 expect at 15 percent."""
    row = table.where(overlap=0.15).to_dicts()[0]
    return [
        Outcome("Figure 21", f"{name} at 15 percent overlap", text, row[name])
        for name, text in (("NVD", "0.85"), ("PSI", "0.70"))
    ]


@reasons_where_needed
def of_dimensionality(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.7 says of Figure 22."""
    rows = table.to_dicts()
    low = [row for row in rows if row["dimensions"] <= 64]
    high = next(row for row in rows if row["dimensions"] == 256)
    last = rows[-1]
    return [
        *(
            Outcome(
                "Figure 22",
                f"{name}, mean up to 64 dimensions",
                text,
                float(np.mean([row[name] for row in low])),
                why="points and k-means are drawn",
                holds=abs(float(np.mean([row[name] for row in low])) - float(text)) < 0.03,
            )
            for name, text in (("NVD", "0.85"), ("PSI", "0.70"))
        ),
        Outcome(
            "Figure 22",
            "all indexes up to about 256 dimensions",
            "invariant",
            f"at 256: NVD {high['NVD']:.2f}, PSI {high['PSI']:.2f}",
            holds=abs(high["NVD"] - 0.85) < 0.05,
            why="one run of k-means, or a few, may end in a poor optimum",
        ),
        Outcome(
            "Figure 22",
            "all indexes beyond",
            "decrease",
            f"at {last['dimensions']}: NVD {last['NVD']:.2f}, PSI {last['PSI']:.2f}",
            holds=last["NVD"] < 0.8,
            why="no decrease",
        ),
    ]
