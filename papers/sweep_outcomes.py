"""What V says of its Figures 4 and 5, beside what a sweep shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from papers.outcomes import Outcome
from papers.table import ExperimentTable

_SIMULATED = "of simulated points; the corpora are licensed"
_STORIES = (
    "of simulated points: 36 stories in 12 topics, so a maximum near 36 is no surprise; the "
    "corpus is licensed"
)
_FIGURES = {"topics": "Figure 4", "accents": "Figure 5"}
#: Completeness is "relatively stable" if it changes by less.
_STABLE = 0.05


def outcomes_of_sweep(table: ExperimentTable) -> list[Outcome]:
    """Return the claims of both figures for each data set of the table, by its k-means."""
    names = list(dict.fromkeys(table.column("data")))
    outcomes = []
    for name in names:
        rows = table.where(data=name, method="kmeans").to_dicts()
        place = f"{_FIGURES.get(name, 'Figure 4')}, {name}"
        outcomes += _of_vi(place, rows)
        if name == "accents":
            outcomes += _of_accents(place, rows)
        else:
            outcomes += _of_best_k(place, name, rows)
    if set(names) == set(_FIGURES):
        outcomes += _of_both(table)
    return outcomes


def _inner(rows: Sequence[dict[str, Any]], name: str) -> list[tuple[int, float]]:
    """Return k and value of a measure without one cluster and single items."""
    return [(row["k"], row[name]) for row in rows[1:-1]]


def _best_k(rows: Sequence[dict[str, Any]], name: str) -> int:
    return max(_inner(rows, name), key=lambda pair: pair[1])[0]


def _of_vi(place: str, rows: Sequence[dict[str, Any]]) -> list[Outcome]:
    values = [row["VI"] for row in rows]
    outcomes = []
    if place == "Figure 4, topics":
        outcomes.append(
            Outcome(
                place,
                "VI of one cluster, which is H(C)",
                "in bits: the axis begins at 3",
                f"{values[0]:.2f}",
                holds=3 <= values[0] <= 3.5,
                why="with base=2; in nats it is 2.29, below the axis",
            )
        )
    rising = all(x < y for x, y in pairwise(values[1:]))
    ends = f"{values[0]:.2f} to {values[-1]:.2f}, {'' if rising else 'not '}rising with k"
    item = "VI depends on the number of clusters"
    holds = values[-1] == max(values)
    why = "" if holds else "single items are not farthest from the classes here"
    return [*outcomes, Outcome(place, item, "close dependency", ends, holds=holds, why=why)]


def _of_best_k(place: str, name: str, rows: Sequence[dict[str, Any]]) -> list[Outcome]:
    v, q2 = (_best_k(rows, measure) for measure in ("V", "Q2"))
    outcomes = []
    if name == "topics":
        outcomes = [
            Outcome(place, f"{measure} is largest at k =", "35", k, why=_STORIES)
            for measure, k in (("V", v), ("Q2", q2))
        ]
    outcomes.append(
        Outcome(
            place,
            "V and Q2 are largest at the same k",
            "yes",
            "yes" if v == q2 else f"no: {v} and {q2}",
            holds=v == q2,
            why="" if v == q2 else "two k beside one another have nearly the same V",
        )
    )
    left = {
        measure: rows[-1][measure] / max(x for _, x in _inner(rows, measure))
        for measure in ("V", "Q2")
    }
    holds = left["Q2"] < left["V"]
    outcomes.append(
        Outcome(
            place,
            "Q2 descends more than V as k increases",
            "yes",
            f"single items have {left['V']:.0%} of the best V, {left['Q2']:.0%} of the best Q2",
            holds=holds,
            why="" if holds else "V falls by as much on these data",
        )
    )
    return outcomes


def _of_accents(place: str, rows: Sequence[dict[str, Any]]) -> list[Outcome]:
    best = _best_k(rows, "Q2")
    after = [x for k, x in _inner(rows, "Q2") if k >= best]
    falls = all(x > y for x, y in pairwise(after))
    thirty, hundred = (next(row for row in rows if row["k"] == k) for k in (30, 100))
    rises = hundred["V"] > thirty["V"]
    homogeneity = hundred["homogeneity"] - thirty["homogeneity"]
    completeness = hundred["completeness"] - thirty["completeness"]
    steady = homogeneity > abs(completeness) and abs(completeness) < _STABLE
    return [
        Outcome(place, "Q2 is largest at k =", "10", best, why=_SIMULATED),
        Outcome(
            place,
            "Q2 descends as k increases from there",
            "yes",
            "yes" if falls else "no",
            holds=falls,
            why="" if falls else _SIMULATED,
        ),
        Outcome(
            place,
            "V rises from about 30 clusters on",
            "yes",
            f"{thirty['V']:.3f} at k = 30, {hundred['V']:.3f} at 100",
            holds=rises,
            why="" if rises else _SIMULATED,
        ),
        Outcome(
            place,
            "from there homogeneity increases, completeness is stable",
            "yes",
            f"{homogeneity:+.3f} and {completeness:+.3f} from k = 30 to 100",
            holds=steady,
            why="" if steady else _SIMULATED,
        ),
    ]


def _of_both(table: ExperimentTable) -> list[Outcome]:
    topics, accents = (
        max(x for _, x in _inner(table.where(data=name).to_dicts(), "V")) for name in _FIGURES
    )
    return [
        Outcome(
            "Figure 5",
            "largest V of documents and of accents",
            "considerably higher for documents",
            f"{topics:.3f} and {accents:.3f}",
            holds=topics > accents,
            why="" if topics > accents else _SIMULATED,
        )
    ]
