"""Solvers: matching, packing and transport against OR-Tools, SciPy and POT.

``python -m bench.solvers``. Ours is the public call on a prebuilt sparse or dense matrix; of
the peer only the solver runs in the clock, on a prebuilt graph or matrix. Fractions: partwise
takes doubles (50 bits), OR-Tools integers of 2^-30; on those integers both totals are equal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import peers, report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Sides, Stage, same
from bench.harness.workloads import Pair, Workload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Generate = Callable[[int], Pair]
Shape = tuple[int, int]

OR_TOOLS, SCIPY, POT = "OR-Tools", "SciPy", "POT"
FRACTION_BITS = 30  # with more, OR-Tools refuses the larger problems
MOST_ITERATIONS = 10**9


# ---- matching ------------------------------------------------------------------------

PROBLEMS: dict[str, Generate] = {
    "noisy(2000,10,.3)": lambda by: workloads.noisy(max(5, 2000 // by), 10, 0.3),
    "noisy(1e5,10,.3)": lambda by: workloads.noisy(100_000 // by, 10, 0.3),
    "noisy(1e6,10,.3)": lambda by: workloads.noisy(1_000_000 // by, 10, 0.3),
    "zipf(1e6,.2)": lambda by: workloads.zipf(1_000_000 // by, 0.2),
    "zipf(6e6,.2)": lambda by: workloads.zipf(6_000_000 // by, 0.2),
    "indep(1e4,5e4)": lambda by: workloads.indep(10_000 // by, 50_000 // by),
    "indep(1e4,1e5)": lambda by: workloads.indep(10_000 // by, 100_000 // by),
    "indep(1e5,1e6)": lambda by: workloads.indep(100_000 // by, 1_000_000 // by),
}

#: Problem, similarity, peer, the least ratio that the project aims at.
MATCHINGS = (
    ("noisy(2000,10,.3)", "overlap", OR_TOOLS, 10),
    ("noisy(2000,10,.3)", "Dice", OR_TOOLS, 10),
    ("noisy(2000,10,.3)", "overlap", SCIPY, 300),
    ("noisy(2000,10,.3)", "Dice", SCIPY, 300),
    ("noisy(1e5,10,.3)", "overlap", OR_TOOLS, 60),
    ("noisy(1e5,10,.3)", "Dice", OR_TOOLS, None),
    ("zipf(1e6,.2)", "overlap", OR_TOOLS, 200),
    ("zipf(1e6,.2)", "Dice", OR_TOOLS, None),
    ("indep(1e4,5e4)", "overlap", OR_TOOLS, 5),
    ("indep(1e4,5e4)", "Dice", OR_TOOLS, 10),
    ("indep(1e4,1e5)", "Dice", OR_TOOLS, 6),
    ("indep(1e5,1e6)", "Dice", OR_TOOLS, 6),
    ("indep(1e5,1e6)", "Braun-Banquet", OR_TOOLS, 6),
    ("indep(1e5,1e6)", "overlap", OR_TOOLS, 5),
)
MEASURES: dict[str, dict[str, str]] = {
    "pair_sets_index": {},
    "classification_accuracy": {},
    "set_matching": {"similarity": "sorensen_dice", "matching": "optimal"},
}
#: A value by matching may cost ten times its table.
ASKED_OF_TABLE = 0.1


def matching(divisor: int) -> Iterator[Contest]:
    """Yield the solvers of the peers over ours, then our table over values by matching."""
    for problem, similarity, peer, asked in MATCHINGS:
        against = _against_flow if peer == OR_TOOLS else _against_assignment
        prepare = partial(against, problem, similarity, divisor)
        yield Contest(f"{problem} {similarity}", peer, prepare, asked)
    for problem in ("noisy(1e6,10,.3)", "zipf(6e6,.2)"):
        for measure in MEASURES:
            prepare = partial(_beside_table, problem, measure, divisor)
            text = f"{measure} from labels, {problem}"
            yield Contest(text, "our table", prepare, ASKED_OF_TABLE)


@lru_cache(maxsize=1)
def table_of(problem: str, divisor: int) -> Any:
    """Return the table of a problem; the last one is kept for the next contest."""
    return need("partwise").contingency(*PROBLEMS[problem](divisor))


def gains_of(table: Any, similarity: str) -> NDArray[Any]:
    """Return the similarity of the two clusters of each cell."""
    rows, cols = table.row_sizes[table.rows], table.col_sizes[table.cols]
    counts: Ints = table.counts
    if similarity == "overlap":
        return counts
    size = (rows + cols) / 2 if similarity == "Dice" else np.maximum(rows, cols)
    shares: Floats = counts / size
    return shares


def _against_flow(problem: str, similarity: str, divisor: int) -> Sides:
    """Return ``solvers.match`` against a min-cost flow with capacities of 1."""
    table = table_of(problem, divisor)
    match, gains = need("partwise").solvers.match, gains_of(table, similarity)
    is_whole = gains.dtype.kind == "i"
    step = 1.0 if is_whole else 2.0**-FRACTION_BITS
    integers = gains if is_whole else np.rint(gains / step).astype(np.int64)
    ones = (np.ones(count, dtype=np.int64) for count in table.shape)
    # of the integers both find the same; of the gains themselves, but for half a step a pair
    rounding = 0.0 if is_whole else min(table.shape) * step
    return Sides(
        lambda: match(table, gains),
        min_cost_flow(table, integers, *ones),
        lambda result: [match(table, integers).total, result.total],
        lambda total: [total, total * step],
        relative=0,
        absolute=min(rounding, 0.5),
    )


def _against_assignment(problem: str, similarity: str, divisor: int) -> Sides:
    """Return ``solvers.match`` against the assignment of a dense matrix."""
    table = table_of(problem, divisor)
    gains = gains_of(table, similarity)
    assign = need("scipy.optimize").linear_sum_assignment
    dense = np.zeros(table.shape)
    dense[table.rows, table.cols] = gains
    return Sides(
        lambda: need("partwise").solvers.match(table, gains),
        lambda: assign(dense, maximize=True),
        lambda result: float(result.total),
        lambda pairs: float(dense[pairs].sum()),
    )


def _beside_table(problem: str, measure: str, divisor: int) -> Sides:
    """Return a value from labels against the table from the same labels."""
    workload = _labels_of(problem, divisor)
    call = partial(getattr(need("partwise"), measure), **MEASURES[measure])
    return Sides(lambda: call(workload.a, workload.b), lambda: peers.contingency(workload))


@lru_cache(maxsize=1)
def _labels_of(problem: str, divisor: int) -> Workload:
    return Workload(problem, *PROBLEMS[problem](divisor), 0)


def min_cost_flow(table: Any, gains: Ints, row_caps: Ints, col_caps: Ints) -> Callable[[], int]:
    """Return the call that finds the largest total gain under capacities.

    The graph has the cells of the table and one slack node that takes or gives what the
    cells leave over.
    """
    module = need("ortools.graph.python.min_cost_flow")
    flow = module.SimpleMinCostFlow()
    rows, cols = np.arange(table.shape[0]), table.shape[0] + np.arange(table.shape[1])
    slack = sum(table.shape)
    cell_caps = np.minimum(row_caps[table.rows], col_caps[table.cols])
    for tails, heads, capacities, costs in (
        (rows[table.rows], cols[table.cols], cell_caps, -gains),
        (rows, np.full_like(rows, slack), row_caps, np.zeros_like(rows)),
        (np.full_like(cols, slack), cols, col_caps, np.zeros_like(cols)),
    ):
        ends = tails.astype(np.int32), heads.astype(np.int32)
        flow.add_arcs_with_capacity_and_unit_cost(*ends, capacities, costs)
    surplus = int(row_caps.sum() - col_caps.sum())
    supplies = np.concatenate([row_caps, -col_caps, [-surplus]])
    flow.set_nodes_supplies(np.arange(slack + 1, dtype=np.int32), supplies)

    def solve() -> int:
        status = flow.solve()
        if status != flow.OPTIMAL:
            raise SystemExit(f"OR-Tools ended with status {status}")
        return -int(flow.optimal_cost())

    return solve


# ---- packing and transport -----------------------------------------------------------

SOFT_ITEMS, CONCENTRATION = 200, 0.05
DRAWN_MASS = 1000  # units of mass a cluster where masses are drawn


def uniform(shape: Shape) -> tuple[Ints, Ints]:
    """Return equal masses on either side, the least whole ones with one total."""
    rows, cols = shape
    common = gcd(rows, cols)
    return np.full(rows, cols // common), np.full(cols, rows // common)


def drawn(shape: Shape) -> tuple[Ints, Ints]:
    """Return multinomial masses of one total, their shares from a flat Dirichlet."""
    rng = np.random.default_rng(workloads.SEED)
    total = DRAWN_MASS * max(shape)
    rows, cols = (rng.multinomial(total, rng.dirichlet(np.ones(count))) for count in shape)
    return rows, cols


def overlaps(table: Any) -> Ints:
    """Return the common items of each cell: the gains of the Mallows distance."""
    return np.asarray(table.counts)


def harmonic(table: Any) -> Ints:
    """Return gains like those of the similarity-sensitive distance, in units of 2^-30."""
    inverse = 1 / table.row_sizes[table.rows] + 1 / table.col_sizes[table.cols]
    gains: Ints = np.rint(np.ldexp(1 / inverse, FRACTION_BITS)).astype(np.int64)
    return gains


def soft(shape: Shape) -> Floats:
    """Return the L1 distances between the clusters of two soft clusterings."""
    return _city_block(*workloads.memberships(SOFT_ITEMS, shape, CONCENTRATION))()


def random(shape: Shape) -> Floats:
    """Return costs without structure."""
    return np.random.default_rng(workloads.SEED).random(shape)


PACKINGS: tuple[tuple[str, Generate, Callable[[Any], Ints], float], ...] = (
    ("zipf(1e5,.2)", lambda by: workloads.zipf(100_000 // by, 0.2), overlaps, 25),
    (
        "splitmerge(1e4,10,.3,.3)",
        lambda by: workloads.splitmerge(10_000 // by, 10, 0.3, 0.3),
        overlaps,
        15,
    ),
    (
        "indep(1e4,5e4,J=9000)",
        lambda by: workloads.indep(10_000 // by, 50_000 // by, 9000 // by),
        harmonic,
        5,
    ),
)
#: Shape, costs, masses, the least ratio that the project aims at.
TRANSPORTS: tuple[tuple[Shape, Any, Any, float], ...] = (
    ((500, 500), soft, uniform, 3.5),
    ((500, 501), soft, uniform, 3.5),
    ((1000, 1001), soft, uniform, 3.5),
    ((1000, 1000), soft, drawn, 2.2),
    ((2000, 2001), soft, uniform, 2.2),
    ((5000, 64), random, uniform, 1.3),
    ((64, 5000), random, uniform, 1.3),
)
MEMBERSHIPS, ASKED_OF_SHARED = (20_000, (64, 64)), 4


def transport(divisor: int) -> Iterator[Contest]:
    """Yield the peers' packing, dense transport, and masses that columns share, over ours."""
    for name, generate, gains, packing_asked in PACKINGS:
        problem = f"packing {name}, {gains.__name__}, uniform"
        prepare = partial(_packing, generate, gains, divisor)
        yield Contest(problem, OR_TOOLS, prepare, packing_asked)
    for shape, costs, masses, asked in TRANSPORTS:
        rows, cols = shape
        problem = f"{costs.__name__} {rows} x {cols}, {masses.__name__} masses"
        smaller = (-(-rows // divisor), -(-cols // divisor))  # 501 stays above 500
        prepare = partial(_transport, smaller, costs, masses)
        yield Contest(problem, POT, prepare, asked)
    items, (rows, cols) = MEMBERSHIPS
    problem = f"Σ min(p, q), N = {items}, {rows} x {cols}"
    prepare = partial(_shared_mass, items // divisor, (rows, cols))
    yield Contest(problem, SCIPY, prepare, ASKED_OF_SHARED)


def _packing(generate: Generate, gains_of: Callable[[Any], Ints], divisor: int) -> Sides:
    """Return ``solvers.pack`` against a min-cost flow."""
    partwise = need("partwise")
    table = partwise.contingency(*generate(divisor))
    cells, gains, caps = table.to_scipy(), gains_of(table), uniform(table.shape)
    return Sides(
        lambda: partwise.solvers.pack(cells, gains, *caps),
        min_cost_flow(table, gains, *caps),
        lambda result: result.total,
        same,
        relative=0,
        absolute=0,
    )


def _transport(
    shape: Shape, costs: Callable[[Shape], Floats], masses: Callable[[Shape], Any]
) -> Sides:
    """Return ``solvers.transport`` against POT's earth mover's distance."""
    ot = need("ot")
    cost, (supply, demand) = costs(shape), masses(shape)
    total = int(supply.sum())
    shares = supply / total, demand / total
    return Sides(
        lambda: need("partwise").solvers.transport(supply, demand, cost),
        lambda: float(ot.emd2(*shares, cost, numItermax=MOST_ITERATIONS)),
        lambda result: result.total / total,
        same,
    )


def _shared_mass(items: int, shape: Shape) -> Sides:
    """Return the masses that columns share against the distances between them."""
    p, q = workloads.memberships(items, shape, 1.0)
    kernel = need("partwise._kernels").impl.shared_mass
    masses = p.sum(axis=0)[:, None] + q.sum(axis=0)
    return Sides(
        lambda: kernel(p, q, 0, q.shape[1]),
        _city_block(p, q),
        lambda shared: masses - 2 * np.asarray(shared),
        same,
    )


def _city_block(p: Floats, q: Floats) -> Callable[[], Floats]:
    """Return the call that finds the L1 distances between the columns of two matrices."""
    cdist = need("scipy.spatial.distance").cdist
    left, right = (np.ascontiguousarray(x.T) for x in (p, q))
    return lambda: cdist(left, right, "cityblock")


STAGES = (
    Stage("matching", "Matching", matching, ("ortools", "scipy")),
    Stage("transport", "Packing and transport", transport, ("ortools", "POT", "scipy")),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.solvers"))
