"""The dense transportation problem: equal to HiGHS, proved by its duals, on both kernels."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import cases
import partwise as pw
from partwise import _kernels
from partwise.solvers import masses

BUGS = {case["id"]: case for case in cases.load("transport_bug_cases.json")}


def by_linear_program(supply, demand, cost):
    k, j = cost.shape
    rows = scipy.sparse.csr_array(np.kron(np.eye(k), np.ones(j)))
    cols = scipy.sparse.csr_array(np.kron(np.ones(k), np.eye(j)))
    scale = max(np.abs(cost).max(), 1e-300)
    found = linprog(
        cost.ravel() / scale,
        A_eq=scipy.sparse.vstack([rows, cols]),
        b_eq=np.concatenate([supply, demand]),
        method="highs",
    )
    return found.fun * scale


def certify(found, supply, demand, cost):
    """Margins, feasible duals and equal objectives, to the rounding of doubles."""
    plan = found.plan.toarray()
    assert (plan >= 0).all()
    assert found.plan.nnz <= len(supply) + len(demand) - 1
    total = float(np.sum(supply))
    assert np.allclose(plan.sum(axis=1), supply, rtol=1e-14, atol=1e-14 * total)
    wanted = np.asarray(demand) * found.rescaled
    assert np.allclose(plan.sum(axis=0), wanted, rtol=1e-14, atol=1e-14 * total)
    duals = found.row_duals[:, None] + found.col_duals
    most = max(np.abs(cost).max(), np.abs(duals).max())
    assert (duals <= cost + 1e-14 * most).all()
    dual = math.fsum([*(found.row_duals * supply), *(found.col_duals * wanted)])
    assert math.isclose(found.total, dual, rel_tol=1e-12, abs_tol=1e-13 * most * total)


@st.composite
def problems(draw):
    k, j = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["random", "few values", "grid", "wide", "negative"]))
    cost = {
        "random": rng.random((k, j)),
        "few values": rng.integers(0, 3, (k, j)).astype(float),
        "grid": np.abs(np.subtract.outer(np.arange(k), np.arange(j))).astype(float),
        "wide": rng.random((k, j)) * 10.0 ** rng.integers(-6, 6, (k, j)),
        "negative": rng.normal(size=(k, j)),
    }[kind]
    masses = draw(st.sampled_from(["uniform", "whole", "random", "some zero"]))
    if masses == "uniform":
        return np.full(k, 1 / k), np.full(j, 1 / j), cost
    if masses == "random":
        return rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(j)), cost
    total = 60
    low = 0.5 if masses == "some zero" else 5
    sides = [rng.multinomial(total, rng.dirichlet(np.full(n, low))) for n in (k, j)]
    return *sides, cost


@given(problem=problems())
def test_transport_is_proved_and_equals_the_linear_program(problem):
    supply, demand, cost = problem
    found = pw.solvers.transport(supply, demand, cost)
    certify(found, supply, demand, cost)
    wanted = by_linear_program(supply, demand, cost)
    tolerance = 1e-6 * np.abs(cost).max() * np.sum(supply)
    assert math.isclose(found.total, wanted, rel_tol=1e-9, abs_tol=tolerance)


@given(problem=problems())
def test_backends_find_the_same_value(problem, both):
    supply, demand, cost = problem
    whole = masses.balance(
        masses.read_masses(supply, "supply"), masses.read_masses(demand, "demand")
    )
    kept = np.flatnonzero(whole.supply), np.flatnonzero(whole.demand)
    inner = np.ascontiguousarray(cost[np.ix_(*kept)])
    totals = []
    for kernel in both.values():
        found = kernel.transport(inner, whole.supply[kept[0]], whole.demand[kept[1]])
        assert [x.dtype.kind for x in found] == ["i", "i", "i", "f", "f"]
        cells = zip(*(x.tolist() for x in found[:3]), strict=True)
        totals.append(sum(Fraction(inner[r, c]) * flow for r, c, flow in cells))
    assert totals[0] == totals[1]


@pytest.mark.parametrize("shape", [(90, 80), (400, 30), (30, 400)])
@pytest.mark.parametrize("kind", ["random", "ties", "soft"])
def test_larger_problems(shape, kind, kernels):
    if kernels == "numpy":
        shape = tuple(max(n // 5, 6) for n in shape)
    rng = np.random.default_rng(1)
    cost = rng.random(shape) if kind == "random" else rng.integers(0, 4, shape).astype(float)
    supply, demand = (np.full(n, 1 / n) for n in shape)
    if kind == "soft":
        first, second = (rng.dirichlet(np.full(n, 0.05), 50) for n in shape)
        cost = np.abs(first.T[:, None, :] - second.T[None]).sum(axis=2)
        supply, demand = rng.dirichlet(np.ones(shape[0])), rng.dirichlet(np.ones(shape[1]))
    found = pw.solvers.transport(supply, demand, cost)
    certify(found, supply, demand, cost)


def test_huge_costs_do_not_blur_the_others():
    """PythonOT/POT#229: prohibitive entries up to 1e30 beside costs of about 1."""
    case = BUGS["pot-huge-entry"]["input"]
    found = pw.solvers.transport(case["a"], case["b"], case["cost"])
    assert found.total == BUGS["pot-huge-entry"]["right"]
    for seed in range(60):
        rng = np.random.default_rng(seed)
        k, j = rng.integers(2, 7, 2)
        whole = rng.integers(1, 9, (k, j))
        small = [whole, rng.random((k, j)), 1 + whole * 2.0**-40][seed % 3]
        barred = rng.random((k, j)) < 0.4
        barred[rng.integers(0, k), :] = barred[:, rng.integers(0, j)] = False
        supply, demand = np.full(k, j), np.full(j, k)
        values = []
        for bar in (1e3, 1e16, 1e20, 1e30):
            cost = np.where(barred, bar, small)
            found = pw.solvers.transport(supply, demand, cost)
            used = found.plan.toarray()[barred].sum()
            values.append(None if used else found.total)
            duals = found.row_duals[:, None] + found.col_duals
            if not used:
                assert (duals <= cost + 1e-13 * np.abs(duals).max()).all()
        assert len(set(values)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_small_differences_beside_large_separable_costs(seed):
    """Only the exact phase sees differences of 1/4 beside potentials of 2^51."""
    rng = np.random.default_rng(seed)
    k, j = 20, 17
    small = rng.integers(0, 9, (k, j)) / 4
    rows, cols = rng.integers(0, 2**50, k), rng.integers(-(2**50), 2**50, j)
    alone = pw.solvers.transport(np.full(k, j), np.full(j, k), small)
    found = pw.solvers.transport(
        np.full(k, j), np.full(j, k), small + rows[:, None] + cols[None, :]
    )
    assert math.fsum((found.plan.toarray() * small).ravel()) == alone.total


def test_bug_cases():
    """PythonOT/POT#342, #93, #25, #126, #869, networkx#4641."""
    seven = 1 - np.eye(7)
    found = pw.solvers.transport(np.full(7, 1 / 7, np.float32), np.full(7, 1 / 7), seven)
    assert found.total == BUGS["pot-float32-marginals"]["right"]
    assert found.rescaled != 1.0
    tall = pw.solvers.transport(np.full(307, 1 / 307), np.full(2, 0.5), np.ones((307, 2)))
    assert math.isclose(tall.total, 1.0, rel_tol=1e-15)
    i, j = np.ogrid[:60, :60]
    cost = (7 * i * i + 11 * j * j + 13 * i * j) % 97
    found = pw.solvers.transport(np.full(60, 1 / 60), np.full(60, 1 / 60), cost)
    assert cases.within_ulp(found.total, BUGS["transport-iteration-limit"]["right"])
    separable = [[0.1 * i + 0.9, 0.1 * i + 1.2] for i in range(3)]
    found = pw.solvers.transport([0.3, 0.3, 0.4], [0.1 + 0.2, 0.7], separable)
    assert cases.within_ulp(found.total, BUGS["ns-float-demands"]["right"], 4)
    with pytest.raises(ValueError, match=r"supply adds up to 1\.0, demand to 0\.9"):
        pw.solvers.transport([0.5, 0.5], [0.5, 0.4], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"cost\[0, 0\] is nan.*12 are not"):
        pw.solvers.transport([0.25] * 4, [1 / 3] * 3, np.full((4, 3), np.nan))


@pytest.mark.parametrize(
    ("arguments", "kind", "fragment"),
    [
        (([], [1], np.ones((0, 1))), ValueError, "supply is empty"),
        (([1], [], np.ones((1, 0))), ValueError, "demand is empty"),
        (([0, 0], [1], np.ones((2, 1))), ValueError, "supply is all 0"),
        (([1, -1], [0], np.ones((2, 1))), ValueError, r"supply\[1\] is -1"),
        (([1], [math.inf], np.ones((1, 1))), ValueError, r"demand\[0\] is inf"),
        (([[1]], [1], np.ones((1, 1))), ValueError, "supply has shape"),
        (([1], [1], np.ones((2, 1))), ValueError, "cost has shape .2, 1.*1 x 1"),
        (([1, 1], [1, 1], [[1], [1, 2]]), ValueError, "cost is ragged"),
        (([1e300], [1e300], [[1]]), ValueError, "supply reaches 1e.300"),
        (([1e-300], [1e-300], [[1]]), ValueError, "supply only reaches 1e-300"),
        (([1], np.ma.array([1], mask=[1]), [[1]]), ValueError, "demand has masked"),
        (([1], [1], [[1e31]]), ValueError, r"cost\[0, 0\] is 1e\+31.*at most 1e\+30"),
        (([1], [1], [["x"]]), TypeError, "cost has dtype"),
        ((["x"], [1], [[1]]), TypeError, "supply has dtype"),
        (([2**61], [2**61], [[1]]), ValueError, r"below 2\^61"),
    ],
)
def test_bad_input(arguments, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.solvers.transport(*arguments)


def test_rows_without_mass_have_duals_too():
    found = pw.solvers.transport([0, 2], [1, 0, 1], [[1, 2, 3], [4, 5, 6.5]])
    assert found.plan.toarray().tolist() == [[0, 0, 0], [1, 0, 1]]
    assert found.total == 10.5
    duals = found.row_duals[:, None] + found.col_duals
    assert (duals <= [[1, 2, 3], [4, 5, 6.5]]).all()


def test_both_sides_are_rounded_alike():
    rng = np.random.default_rng(0)
    for _ in range(50):
        supply, demand = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(4))
        here, turned = masses.balance(supply, demand), masses.balance(demand, supply)
        assert here.supply.tolist() == turned.demand.tolist()
        assert here.demand.tolist() == turned.supply.tolist()
        cost = rng.random((5, 4))
        there = pw.solvers.transport(supply, demand, cost).total
        back = pw.solvers.transport(demand, supply, cost.T).total
        assert cases.within_ulp(there, back, 4)


def test_costs_that_are_no_numbers_do_no_harm(kernels):
    """The border refuses them; the compiled kernel must not run past its arrays."""
    if kernels == "compiled":
        ones = np.ones(2, dtype=np.int64)
        assert _kernels.impl.transport(np.full((2, 2), np.nan), ones, ones) is None


def test_tiny_costs():
    found = pw.solvers.transport([1, 1], [1, 1], np.array([[0, 1], [1, 3]]) * 1e-305)
    assert found.total == 2e-305


@pytest.mark.parametrize(
    ("supply", "demand", "whole"),
    [
        ([0.1] * 10, [0.5, 0.5], True),
        ([1 / 3] * 3, [1 / 7] * 7, True),
        ([0.3, 0.3, 0.4], [0.1 + 0.2, 0.7], True),
        ([3, 4], [5, 2], True),
        ([math.pi, 1], [1, math.pi], False),
    ],
)
def test_masses_of_a_common_denominator_are_exact(supply, demand, whole):
    sides = (masses.read_masses(x, "mass") for x in (supply, demand))
    found = masses.balance(*sides)
    assert found.supply.sum() == found.demand.sum()
    assert (found.unit.denominator < 100) == whole
    assert np.allclose(found.supply * float(found.unit), supply, rtol=1e-15)


@pytest.mark.one_backend
def test_a_long_transport_can_be_interrupted(both):
    import subprocess
    import sys

    assert both
    code = (
        "import os, signal, threading, numpy as np, partwise as pw\n"
        "cost = np.random.default_rng(0).random((2500, 2500))\n"
        "mass = np.random.default_rng(1).dirichlet(np.ones(2500), 2)\n"
        "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        pw.solvers.transport(*mass, cost)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert found.stdout.strip() == "stopped", found.stderr


def test_frames_and_series_of_one_problem_have_one_index():
    pandas = pytest.importorskip("pandas")
    cost = pandas.DataFrame([[0.0, 3.0], [1.0, 0.0]], index=list("ab"), columns=list("xy"))
    supply, demand = (
        pandas.Series([0.3, 0.7], list("ab")),
        pandas.Series([0.5, 0.5], list("xy")),
    )
    plain = pw.solvers.transport([0.3, 0.7], [0.5, 0.5], cost.to_numpy())
    assert pw.solvers.transport(supply, demand, cost).total == plain.total
    with pytest.raises(ValueError, match="supply and the rows of cost have different"):
        pw.solvers.transport(supply.iloc[::-1], demand, cost)
    with pytest.raises(ValueError, match="demand and the columns of cost have different"):
        pw.solvers.transport(supply, demand.iloc[::-1], cost)
