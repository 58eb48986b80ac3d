"""The report page of a sweep: best cuts, curves, states, the worst clusters at one cut."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.labels.clustering import Clustering, as_clustering
from partwise.report.numbers import show
from partwise.report.page.parts import (
    Cell,
    Column,
    Entry,
    Facts,
    Figures,
    Listing,
    Notes,
    Paragraphs,
    Part,
    Section,
    Sheet,
)
from partwise.report.page.pictures import picture_of
from partwise.report.page.render import ReportPage, rendered
from partwise.report.table import Table
from partwise.scoring.page.pair import notes_of, sections_of_diagnosis
from partwise.table.alignment import align
from partwise.thresholds.bootstrap import SweepBootstrap
from partwise.typing import Labels

if TYPE_CHECKING:
    from partwise.thresholds.best import Best
    from partwise.thresholds.result import Sweep

#: States that are listed at most, and measures beside each.
_STATES, _MEASURES = 300, 6
#: Measures that are named where a state is the best of several.
_NAMED = 3
#: The measure whose best threshold counts where none is named and it was swept.
_CHOOSES = "adjusted_rand_index"
_KINDS = {
    "linkage": "a linkage",
    "edges": "scored edges",
    "nested": "nested clusterings",
}


def page_of(
    sweep: Sweep,
    *,
    title: str | None,
    names: tuple[str, str],
    measure: str | None,
    reference: Labels | None,
    bootstraps: Iterable[SweepBootstrap],
    worst: int,
    items: int,
) -> ReportPage:
    """Return the page; see ``Sweep.report_page``."""
    drawn = list(bootstraps)
    bests = [sweep.best(name) for name in sweep.measures]
    chosen = None
    if measure is not None:
        chosen = sweep.best(measure)
    elif bests:
        chosen = next((one for one in bests if one.measure == _CHOOSES), bests[0])
    sections = [
        Section("swept", "What was swept", _swept(sweep, names, reference)),
        Section("best", "Best thresholds", _best(bests, drawn)),
        Section("curves", "Curves", _curves(sweep, drawn)),
        Section("states", "States", [_states(sweep, bests)]),
    ]
    if reference is not None and chosen is not None:
        sections += _at_cut(sweep, reference, chosen, worst, items)
    return rendered(
        f"{names[1]} swept against {names[0]}" if title is None else title,
        sections,
        subtitle=f"{len(sweep):,} states of {sweep.n_items:,} items, by {_KINDS[sweep.kind]}.",
        figures=None if chosen is None else _figures(chosen),
    )


def _figures(chosen: Best) -> Figures:
    return Figures(
        [
            (show(chosen.value), f"best {chosen.measure}"),
            (f"{chosen.cut:g}", "threshold to cut at"),
            (f"{chosen.n_clusters:,}", "clusters there"),
        ]
    )


def _swept(sweep: Sweep, names: tuple[str, str], reference: Labels | None) -> list[Part]:
    word = "similarities: high ones merge first"
    facts = [
        ("reference", names[0]),
        ("merges", f"{names[1]}, {_KINDS[sweep.kind]}"),
        ("scores", word if sweep.similarity else "distances: low ones merge first"),
        ("a threshold includes merges at it", "yes" if sweep.closed else "no"),
        ("items scored", f"{sweep.n_items:,}"),
        ("states", f"{len(sweep):,}"),
    ]
    if sweep.n_ignored:
        facts.append(("items without a label, left out", f"{sweep.n_ignored:,}"))
    ways: dict[str, list[str]] = {}
    for name in sweep.measures:
        ways.setdefault(sweep.strategy_of(name), []).append(name)
    told = [(False, f"{', '.join(of_way)}: {way}") for way, of_way in ways.items()]
    own = [] if reference is None else as_clustering(reference, "reference").notes
    return [Facts(facts), notes_of(own), Notes(told)]


def _best(bests: list[Best], drawn: list[SweepBootstrap]) -> list[Part]:
    intervals = {one.best.measure: one for one in drawn}
    head = ["measure", "best value", "cut at", "from", "to", "clusters", "states tied"]
    rows: list[list[Any]] = [
        [one.measure, one.value, one.cut, one.low, one.high, one.n_clusters, one.tied]
        for one in bests
    ]
    if intervals:
        head += ["value, low", "value, high", "threshold, low", "threshold, high"]
        for row in rows:
            one = intervals.get(row[0])
            row += (
                [None] * 4
                if one is None
                else [one.best_low, one.best_high, one.threshold_low, one.threshold_high]
            )
    parts: list[Part] = [
        Sheet(
            "The best state of each measure, and the thresholds that cut to it",
            Table(head, rows),
        )
    ]
    return parts + [Paragraphs([one.header]) for one in drawn]


def _curves(sweep: Sweep, drawn: list[SweepBootstrap]) -> list[Part]:
    return [
        picture_of(
            partial(sweep.plot, bootstraps=drawn, against=against),
            key=against.replace("_", "-"),
            caption=f"Measures against the {what}",
            description=f"Curves of up to four measures against the {what}, with a mark at the "
            "best state of each. The lists beside it have the numbers.",
        )
        for against, what in (
            ("threshold", "threshold"),
            ("n_clusters", "number of clusters"),
        )
    ]


def _states(sweep: Sweep, bests: list[Best]) -> Listing:
    """Return the states: those that are best by a measure, and some of the others."""
    best_of: dict[int, list[str]] = {}
    for one in bests:
        best_of.setdefault(one.state, []).append(one.measure)
    some = np.unique(np.linspace(0, max(len(sweep) - 1, 0), _STATES).astype(np.int64))
    listed = sorted({*some.tolist(), *best_of} if len(sweep) else best_of)
    measures = sweep.measures[:_MEASURES]
    values: list[dict[int, float]] = [
        dict(zip(sweep.states_of(name).tolist(), sweep[name].tolist(), strict=True))
        for name in measures
    ]
    entries = [
        Entry(
            kind="best by a measure" if state in best_of else "other states",
            cells=[
                Cell(str(state)),
                _number(float(sweep.thresholds[state]), f"{sweep.thresholds[state]:g}"),
                Cell.of(int(sweep.n_clusters[state])),
                *(_number(column.get(state)) for column in values),
                Cell(_some(best_of.get(state, []))),
            ],
        )
        for state in listed
    ]
    left = len(sweep.measures) - len(measures)
    more = f"; {left} more measures are in the table above only" if left else ""
    return Listing(
        caption="States from fine to coarse: those that are best by a measure, and others "
        f"evenly between them{more}",
        noun="states",
        columns=[
            Column("state"),
            Column("threshold", numeric=True),
            Column("clusters", numeric=True),
            *(Column(name, numeric=True) for name in measures),
            Column("best by"),
        ],
        last="",
        entries=entries,
        total=len(entries),
    )


def _some(names: list[str]) -> str:
    """Return a few names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _number(value: float | None, text: str | None = None) -> Cell:
    """Return the cell of a number; of none where it was not computed, or is no number."""
    if value is None:
        return Cell("")
    shown = show(value) if text is None else text
    return Cell(shown, None if math.isnan(value) else value)


def _at_cut(
    sweep: Sweep, reference: Labels, chosen: Best, worst: int, items: int
) -> list[Section]:
    """Return the diagnosis of the clusters at the threshold that a measure chose."""
    own = as_clustering(reference, "reference")
    labels = sweep.labels(chosen.state)
    if len(labels) != len(own):
        raise ValueError(
            f"reference has {len(own)} items and the sweep {len(labels)}; pass the reference "
            "that was swept"
        )
    cut = Clustering(labels)
    if own.item_column is not None:
        cut = cut._with_items(own.item_column)
    pair = align(own, cut, missing="drop")
    _, sections = sections_of_diagnosis(pair, by="s_entropy", worst=worst, items=items)
    first = sections[0]
    where = f"These are the clusters at {chosen.cut:g}, the best cut by {chosen.measure}."
    return [
        Section(
            first.key, f"{first.title} at the best cut", [Paragraphs([where]), *first.parts]
        ),
        *(Section(one.key, f"{one.title} at the best cut", one.parts) for one in sections[1:]),
    ]
