"""The runtime of the Mallows distance over items and over clusters, drawn and tabulated.

The questions of Figures 8 and 9 of the paper (a new Mallows distance based metric for
comparing clusterings, ICML 2005), with larger sizes. One side has one cluster more than
the other, so that the transport problem is not an assignment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import contests, generators, measuring
from bench.peers import need

MEASURE = "mallows_distance"
NOISE, CONCENTRATION = 0.3, 1.0

FIXED_CLUSTERS = 20
FIXED_ITEMS = {"hard": 1_000_000, "soft": 5000}
ITEMS = {
    "hard": (200, 1000, 6000, 100_000, 1_000_000, 10_000_000),
    "soft": (200, 1000, 4000, 16_000, 64_000, 256_000),
}
CLUSTERS = {
    "hard": (2, 5, 10, 20, 100, 1000, 10_000, 100_000),
    "soft": (2, 5, 10, 25, 50, 100, 200, 400),
}
LEAST_ITEMS = 200


@dataclass(frozen=True)
class Point:
    """The cost of one call on a problem."""

    over: str
    kind: str
    items: int
    clusters: int
    user_ms: float
    system_ms: float


def draw(path: Path, quick: bool, repetitions: int) -> dict[str, Any]:
    """Measure, print the table, save the drawing, return the report."""
    figures, measure = need("matplotlib.figure"), contests.need_part(MEASURE)
    head = measuring.header(["matplotlib"])
    divisor = contests.QUICK if quick else 1
    points = [
        _point(measure, *problem, repetitions)
        for kind in ITEMS
        for problem in _problems(kind, divisor)
    ]
    print("# Runtime of the Mallows distance\n")
    print("\n".join(f"- {key}: {text}" for key, text in head.items()))
    print(f"- one thread; ms of CPU from labels or memberships to the value, R = {repetitions}")
    print(f"\n{_table(points)}")
    _figure(figures.Figure, points).savefig(path, dpi=150)
    return {**head, "points": [asdict(point) for point in points]}


def _problems(kind: str, divisor: int) -> list[tuple[str, str, int, int]]:
    """Return what runs along the axis, the kind, items and clusters of the problems."""
    fixed = FIXED_ITEMS[kind] // divisor
    items = sorted({max(LEAST_ITEMS, count // divisor) for count in ITEMS[kind]})
    clusters = sorted({max(2, count // divisor) for count in CLUSTERS[kind]})
    return [
        *(("items", kind, count, FIXED_CLUSTERS) for count in items),
        *(("clusters", kind, fixed, count) for count in clusters),
    ]


def _hard(items: int, clusters: int) -> tuple[Any, Any]:
    return generators.noisy(clusters, items // clusters, NOISE, clusters + 1)


def _soft(items: int, clusters: int) -> tuple[Any, Any]:
    return generators.memberships(items, (clusters, clusters + 1), CONCENTRATION)


_MAKE = {"hard": _hard, "soft": _soft}


def _point(
    measure: Callable[..., float],
    over: str,
    kind: str,
    items: int,
    clusters: int,
    repetitions: int,
) -> Point:
    contests.say(f"{kind}, {items} items, {clusters} clusters")
    pair = _MAKE[kind](items, clusters)

    def call() -> float:
        return measure(*pair)

    call()
    batch = measuring.batch_for(measuring.cost_of(call).total)
    middle = measuring.median_cost(measuring.cost_of(call, batch) for _ in range(repetitions))
    return Point(over, kind, len(pair[0]), clusters, middle.user * 1e3, middle.system * 1e3)


def _table(points: list[Point]) -> str:
    columns = ("over", "clusterings", "N", "K", "J", "user", "sys")
    lines = (
        [
            point.over,
            point.kind,
            f"{point.items}",
            f"{point.clusters}",
            f"{point.clusters + 1}",
            contests.significant(point.user_ms),
            contests.significant(point.system_ms),
        ]
        for point in points
    )
    return measuring.markdown(columns, lines)


def _figure(new: Callable[..., Any], points: list[Point]) -> Any:
    figure = new(figsize=(10, 4), layout="constrained")
    for axes, over in zip(figure.subplots(1, 2), ("items", "clusters"), strict=True):
        for kind in ITEMS:
            _line(axes, [p for p in points if (p.over, p.kind) == (over, kind)])
        axes.set(xscale="log", yscale="log", xlabel=over, ylabel="ms of CPU")
        axes.set_title(f"mallows_distance over {over}")
        axes.grid(alpha=0.3)
        axes.legend()
    return figure


def _line(axes: Any, points: list[Point]) -> None:
    first = points[0]
    if first.over == "items":
        fixed = f"K = {first.clusters}, J = {first.clusters + 1}"
    else:
        fixed = f"N = {max(point.items for point in points)}, J = K + 1"
    axes.plot(
        [getattr(point, first.over) for point in points],
        [point.user_ms + point.system_ms for point in points],
        marker="o",
        label=f"{first.kind}, {fixed}",
    )


if __name__ == "__main__":
    raise SystemExit("run python -m bench.transport --curves FILE.png")
