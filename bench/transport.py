"""Transport: packing and dense transport against min-cost flow and POT, and its costs.

Run ``python -m bench.transport [--quick] [--only PATTERN] [--repetitions R] [--json FILE]
[--curves FILE.png]``. Values are checked before anything is timed. ``--curves`` draws the
runtime of ``mallows_distance`` over items and over clusters instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np

from bench import contests, curves, generators, solver_peers, stages
from bench.contests import Contest, Question
from bench.peers import need
from bench.solver_peers import OR_TOOLS, POT, SCIPY, Floats, Ints

Generate = Callable[[int], generators.Pair]
Shape = tuple[int, int]
Masses = Callable[[Shape], tuple[Ints, Ints]]

PACK, TRANSPORT, SHARED = "solvers.pack", "solvers.transport", "_kernels.impl.shared_mass"
GAIN_BITS = 30
SOFT_ITEMS, CONCENTRATION = 200, 0.05
DRAWN_MASS = 1000  # units of mass per cluster where masses are drawn
SEED = generators.SEED


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the files that were asked for."""
    options = _options(arguments)
    if options.curves:
        report = curves.draw(options.curves, options.quick, options.repetitions)
    else:
        report = _contests(options)
    contests.write(options.json, {**report, "quick": options.quick})


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the contests of the solver."""
    return contests.lines(QUESTIONS, quick, repetitions)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = contests.parser("python -m bench.transport")
    parser.add_argument(
        "--curves", type=Path, metavar="FILE.png", help="draw the runtimes, nothing else"
    )
    return parser.parse_args(arguments)


def _contests(options: argparse.Namespace) -> dict[str, Any]:
    questions = contests.picked(QUESTIONS, options.only)
    if not questions:
        raise SystemExit(f"no row holds {options.only.pattern!r}")
    contests.need_parts(questions)
    head = contests.heading("Packing and transport", questions, options.quick)
    rows = contests.run(questions, options)
    contests.section("Solver", rows, contests.table)
    return {**head, "solver": rows}


# ---- packing -----------------------------------------------------------------------


def uniform(shape: Shape) -> tuple[Ints, Ints]:
    """Return equal masses on either side, the least whole ones with one total."""
    rows, cols = shape
    common = gcd(rows, cols)
    return np.full(rows, cols // common), np.full(cols, rows // common)


def overlaps(table: Any) -> Ints:
    """Return the common items of each cell: the gains of the Mallows distance."""
    return table.counts


def harmonic(table: Any) -> Ints:
    """Return gains like those of the similarity-sensitive distance, in units of 2^-30."""
    inverse = 1 / table.row_sizes[table.rows] + 1 / table.col_sizes[table.cols]
    return np.rint(np.ldexp(1 / inverse, GAIN_BITS)).astype(np.int64)


def against_flow(
    name: str, generate: Generate, gains_of: Callable[[Any], Ints], divisor: int
) -> Contest:
    """Return ``solvers.pack`` against a min-cost flow."""
    table = need("partwise").contingency(*generate(divisor))
    pack, cells, gains = contests.need_part(PACK), table.to_scipy(), gains_of(table)
    caps = uniform(table.shape)
    peer = solver_peers.min_cost_flow(table, gains, *caps)

    def ours() -> Any:
        return pack(cells, gains, *caps)

    return Contest(ours, peer, lambda: contests.equal(name, ours().total, peer()))


def _packing(
    name: str, gains_of: Callable[[Any], Ints], generate: Generate, asked: float
) -> Question:
    prepare = partial(against_flow, name, generate, gains_of)
    return Question(name, OR_TOOLS, asked, PACK, prepare)


# ---- dense transport ---------------------------------------------------------------


def soft_costs(shape: Shape) -> Floats:
    """Return the L1 distances between the clusters of two soft clusterings."""
    pair = generators.memberships(SOFT_ITEMS, shape, CONCENTRATION)
    return solver_peers.city_block(*pair)()


def random_costs(shape: Shape) -> Floats:
    """Return costs without structure."""
    return np.random.default_rng(SEED).random(shape)


def drawn(shape: Shape) -> tuple[Ints, Ints]:
    """Return multinomial masses of one total, their shares from a flat Dirichlet."""
    rng = np.random.default_rng(SEED)
    total = DRAWN_MASS * max(shape)
    rows, cols = (rng.multinomial(total, rng.dirichlet(np.ones(count))) for count in shape)
    return rows, cols


def against_earth_mover(
    name: str, shape: Shape, costs: Callable[[Shape], Floats], masses: Masses, divisor: int
) -> Contest:
    """Return ``solvers.transport`` against POT."""
    shape = _shrunk(shape, divisor)
    cost, (supply, demand) = costs(shape), masses(shape)
    total = int(supply.sum())
    transport = contests.need_part(TRANSPORT)
    peer = solver_peers.earth_mover(supply / total, demand / total, cost)

    def ours() -> Any:
        return transport(supply, demand, cost)

    return Contest(ours, peer, lambda: contests.close(name, ours().total / total, peer()))


def _shrunk(shape: Shape, divisor: int) -> Shape:
    """Return the sides divided and rounded up, so that 501 stays above 500."""
    rows, cols = (-(-size // divisor) for size in shape)
    return rows, cols


def _dense(
    shape: Shape, kind: str, costs: Callable[[Shape], Floats], masses: Masses, asked: float
) -> Question:
    name = f"{kind} {shape[0]} x {shape[1]}, {masses.__name__} masses"
    prepare = partial(against_earth_mover, name, shape, costs, masses)
    return Question(name, POT, asked, TRANSPORT, prepare)


# ---- costs -------------------------------------------------------------------------


def against_city_block(name: str, items: int, shape: Shape, divisor: int) -> Contest:
    """Return the masses that columns share against the distances between them."""
    p, q = generators.memberships(items // divisor, shape, 1.0)
    kernel, peer = contests.need_part(SHARED), solver_peers.city_block(p, q)

    def check() -> None:
        masses = p.sum(axis=0)[:, None] + q.sum(axis=0)
        ours, theirs = masses - 2 * kernel(p, q, 0, q.shape[1]), peer()
        row, col = np.unravel_index(np.argmax(np.abs(ours - theirs)), ours.shape)
        contests.close(f"{name}, cell ({row}, {col})", ours[row, col], theirs[row, col])

    return Contest(lambda: kernel(p, q, 0, q.shape[1]), peer, check)


def _shared(name: str, items: int, shape: Shape, asked: float) -> Question:
    return Question(name, SCIPY, asked, SHARED, partial(against_city_block, name, items, shape))


QUESTIONS = [
    _packing(
        "packing zipf(1e5,.2), overlaps, uniform",
        overlaps,
        lambda by: generators.zipf(100_000 // by, 0.2),
        25,
    ),
    _packing(
        "packing splitmerge(1e4,10,.3,.3), overlaps, uniform",
        overlaps,
        lambda by: generators.splitmerge(10_000 // by, 10, 0.3, 0.3),
        15,
    ),
    _packing(
        "packing indep(1e4,5e4,J=9000), 1/(1/n + 1/m), uniform",
        harmonic,
        lambda by: generators.indep(10_000 // by, 50_000 // by, 9000 // by),
        5,
    ),
    _dense((500, 500), "soft", soft_costs, uniform, 3.5),
    _dense((500, 501), "soft", soft_costs, uniform, 3.5),
    _dense((1000, 1001), "soft", soft_costs, uniform, 3.5),
    _dense((1000, 1000), "soft", soft_costs, drawn, 2.2),
    _dense((2000, 2001), "soft", soft_costs, uniform, 2.2),
    _dense((5000, 64), "random", random_costs, uniform, 1.3),
    _dense((64, 5000), "random", random_costs, uniform, 1.3),
    _shared("Σ min(p, q), N = 20000, 64 x 64", 20_000, (64, 64), 4),
]


if __name__ == "__main__":
    main()
