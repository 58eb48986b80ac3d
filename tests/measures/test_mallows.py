"""Mallows and CSS distances: oracle values, laws of the paper, both doors, bad input."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.sparse
from hypothesis import assume, given
from hypothesis import strategies as st

import cases
import definitions
import partwise as pw
from partwise.measures.transport import powers

SOFT = cases.load("soft.json")
FEATURES = cases.load("features.json")
EXPLICIT = "alpha_i=(2i+1)/K^2,beta_j=(2j+1)/J^2"


@st.composite
def memberships(draw, n=None, dyadic=False):
    """Rows on a grid of 1/8; some entries are 0, some rows hard."""
    n = draw(st.integers(1, 6)) if n is None else n
    k = draw(st.integers(1, 4))
    rows = [
        draw(st.lists(st.integers(0, 8), min_size=k, max_size=k).filter(any)) for _ in range(n)
    ]
    for row in rows:
        if dyadic or draw(st.booleans()):
            largest = row.index(max(row))
            row[largest] += 8 - sum(row) if sum(row) <= 8 else 0
            if sum(row) != 8:
                row[:] = [8 * (j == largest) for j in range(k)]
    return np.array([[x / sum(row) for x in row] for row in rows])


@st.composite
def soft_pairs(draw):
    n = draw(st.integers(1, 6))
    return draw(memberships(n, True)), draw(memberships(n, True))


labels = st.lists(st.integers(0, 4), max_size=14)


def columns(rows):
    return [[Fraction(x) for x in column] for column in np.asarray(rows).T]


# ---- oracle ------------------------------------------------------------------------


def given_weights(key, k, j):
    if key == EXPLICIT:
        return [(2 * i + 1) / k**2 for i in range(k)], [(2 * i + 1) / j**2 for i in range(j)]
    return key.partition("=")[2]


@pytest.mark.parametrize("case", SOFT, ids=lambda case: case["id"])
@pytest.mark.parametrize("stored", [np.array, scipy.sparse.csr_array])
def test_soft_mallows_values(case, stored):
    p, q = stored(case["a"]), stored(case["b"])
    for key in ("cluster_weights=uniform", "cluster_weights=size", EXPLICIT):
        wanted = case["values"][f"mallows_distance({key})"]
        weights = given_weights(key, p.shape[1], q.shape[1])
        value = pw.mallows_distance(p, q, cluster_weights=weights)
        assert type(value) is float
        assert cases.within_ulp(value, wanted)
        share = pw.mallows_distance(p, q, cluster_weights=weights, normalize=True)
        assert cases.within_ulp(share, wanted / p.shape[0])


@pytest.mark.parametrize(
    "case", [x for x in FEATURES + SOFT if "features" in x], ids=lambda case: case["id"]
)
def test_css_values(case):
    soft = isinstance(case["a"][0], list)
    a, b = (np.array(case[side]) if soft else case[side] for side in "ab")
    for weights in ("uniform", "size"):
        for metric in ("euclidean", "sqeuclidean"):
            options = {"cluster_weights": weights, "metric": metric}
            name = f"css_distance(cluster_weights={weights},metric={metric})"
            wanted = case["values"][name]
            value = pw.css_distance(a, b, features=case["features"], **options)
            assert math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-13)


@given(pair=soft_pairs(), size=st.booleans())
def test_soft_distances_are_their_definitions(pair, size):
    p, q = pair
    left, right = columns(p), columns(q)
    alpha, beta = (
        [sum(c) / len(p) if size else Fraction(1, len(side)) for c in side]
        for side in (left, right)
    )
    weights = "size" if size else "uniform"
    wanted = definitions.mallows_of_columns(left, right, alpha, beta)
    assert cases.within_ulp(pw.mallows_distance(p, q, cluster_weights=weights), float(wanted))
    lengths = np.add.outer(np.arange(len(left)), np.arange(len(right))) / 4
    found = pw.css_distance(p, q, distances=lengths, cluster_weights=weights)
    kept = ([i for i, x in enumerate(side) if x > 0] for side in (alpha, beta))
    rows, cols = map(list, kept)  # an empty cluster of weight 0 plays no part
    exact = definitions.css_of_columns(
        [left[i] for i in rows],
        [right[j] for j in cols],
        [alpha[i] for i in rows],
        [beta[j] for j in cols],
        [[Fraction(lengths[i, j]) for j in cols] for i in rows],
    )
    assert math.isclose(found, exact, rel_tol=1e-13, abs_tol=1e-14)


# ---- other powers ------------------------------------------------------------------


def rooted(value, p):
    return definitions.to_mpf(value) ** (1 / mpmath.mpf(p))


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 7])
@given(pair=soft_pairs(), size=st.booleans(), sparse=st.booleans(), share=st.booleans())
def test_soft_powers_are_their_definition(p, pair, size, sparse, share):
    """Mallows_p of section 3; the cost before the root within what its powers round."""
    first, second = pair
    left, right = columns(first), columns(second)
    if p == 1.5:  # no fraction: 50 digits
        left, right = ([[definitions.to_mpf(x) for x in c] for c in y] for y in (left, right))
    alpha, beta = (
        [sum(map(Fraction, c)) / len(first) if size else Fraction(1, side.shape[1]) for c in z]
        for side, z in ((first, first.T.tolist()), (second, second.T.tolist()))
    )
    wanted = definitions.mallows_of_columns(left, right, alpha, beta, p)
    wanted = rooted(wanted / len(first) if share else wanted, p)
    stored = scipy.sparse.csr_array if sparse else np.array
    options = {"cluster_weights": "size" if size else "uniform", "normalize": share, "p": p}
    value = pw.mallows_distance(stored(first), stored(second), **options)
    assert abs(value - wanted) <= 4 * math.ulp(float(wanted))
    assert (value == 0) == (wanted == 0)


@pytest.mark.parametrize("p", [1.5, 2, 5])
@given(data=st.data())
def test_a_plan_of_powers_is_proved_by_duals(p, data):
    """Prices u + v of at most every cost and of the plan's total: no plan is cheaper."""
    n = data.draw(st.integers(1, 9))
    first, second = data.draw(memberships(n)), data.draw(memberships(n))
    value, plan = pw.mallows_distance(first, second, p=p, return_plan=True)
    costs = (np.abs(first[:, :, None] - second[:, None, :]) ** p).sum(axis=0)
    shares = [np.full(side.shape[1], 1 / side.shape[1]) for side in (first, second)]
    proof = pw.solvers.transport(*shares, costs)
    assert (proof.row_duals[:, None] + proof.col_duals <= costs + 1e-12).all()
    dual = proof.row_duals @ shares[0] + proof.col_duals @ shares[1]
    primal = (plan.toarray() * costs).sum()
    assert math.isclose(primal, dual, rel_tol=1e-12, abs_tol=1e-14)
    assert math.isclose(value**p, dual, rel_tol=1e-12, abs_tol=1e-14)
    for axis, side in enumerate(shares):
        assert np.allclose(plan.sum(axis=1 - axis), side, atol=1e-15)


@given(data=st.data(), p=st.sampled_from([1, 1.25, 2, 4]))
def test_every_power_is_a_metric(data, p):
    n = data.draw(st.integers(1, 6))
    sides = [data.draw(memberships(n)) for _ in range(3)]
    d = [[pw.mallows_distance(x, y, p=p) for y in sides] for x in sides]
    for i in range(3):
        assert d[i][i] == 0.0
        for j in range(3):
            assert math.isclose(d[i][j], d[j][i], rel_tol=1e-15)
            assert 0 <= d[i][j] <= n ** (1 / p) * (1 + 1e-15)
            assert all(d[i][j] <= d[i][k] + d[k][j] + 1e-12 for k in range(3))


@given(pair=st.tuples(labels, labels).map(lambda x: [y[: min(map(len, x))] for y in x]))
def test_labels_differ_by_0_or_1(pair):
    """So Mallows_p of labels is the p-th root; weights of items count as masses."""
    a, b = pair
    for weights in ("uniform", "size"):
        once = pw.mallows_distance(a, b, cluster_weights=weights)
        twice = pw.mallows_distance(a, b, cluster_weights=weights, p=2)
        assert math.isclose(twice, math.sqrt(once), rel_tol=1e-15)
    if a:
        mass = [0.5 + x for x in range(len(a))]
        once = pw.mallows_distance(a, b, weights=mass, normalize=True)
        cubed = pw.mallows_distance(a, b, weights=mass, normalize=True, p=3) ** 3
        assert math.isclose(cubed, once, rel_tol=1e-14)


def test_orders_and_storage_change_no_bit_of_a_power():
    random = np.random.default_rng(3)
    first, second = (random.dirichlet(np.full(k, 0.3), 200) for k in (5, 7))
    first[first < 0.1] = 0
    first /= first.sum(axis=1, keepdims=True)
    value = pw.mallows_distance(first, second, p=2)
    assert pw.mallows_distance(second, first, p=2) == value
    items, rows, cols = (random.permutation(k) for k in (200, 5, 7))
    shuffled = first[items][:, rows], second[items][:, cols]
    assert pw.mallows_distance(*shuffled, p=2) == value
    stored = map(scipy.sparse.csr_array, (first, second))
    assert pw.mallows_distance(*stored, p=2) == value


def test_small_differences_keep_their_digits():
    """Squares of 1e-12 stand beside those of 1."""
    first = np.array([[1.0, 0.0], [0.0, 1.0], [0.25, 0.75]])
    second = first.copy()
    second[2] = 0.25 + 2**-40, 0.75 - 2**-40
    wanted = 2**-40
    assert pw.mallows_distance(first, second, p=2) == wanted
    sparse = scipy.sparse.csr_array(np.kron(np.eye(60), first))
    other = scipy.sparse.csr_array(np.kron(np.eye(60), second))
    assert math.isclose(pw.mallows_distance(sparse, other, p=2), wanted * math.sqrt(60 / 60))


def test_a_small_cost_stands_beside_a_large_one():
    """2^-140 is not cut away beside 1, as if no double held it."""
    first = [[1, 0, 0], [1, 0, 2**-70]]
    second = [[0, 1, 0], [1, 0, 0]]
    for stored in (np.array, scipy.sparse.csr_array):
        value = pw.mallows_distance(stored(first), stored(second), p=2)
        assert math.isclose(value, math.sqrt(2 / 3), rel_tol=1e-15)


def test_many_clusters_that_share_few_items(monkeypatch):
    """Beyond the dense bound the plan comes from the cells alone; the same value."""
    random = np.random.default_rng(5)
    blocks = [random.dirichlet(np.full(3, 0.5), 4) for _ in range(40)]
    others = [random.dirichlet(np.full(2, 0.5), 4) for _ in range(40)]
    first, second = (
        scipy.sparse.block_diag([scipy.sparse.csr_array(x) for x in one], format="csr")
        for one in (blocks, others)
    )
    value = pw.mallows_distance(first, second, p=2)
    monkeypatch.setattr(powers, "_DENSE_PAIRS", 0)
    monkeypatch.setattr(powers, "_TERMS", 50)
    assert pw.mallows_distance(first, second, p=2) == value


@pytest.mark.parametrize("p", [0.99, 0, -1, math.inf, math.nan])
@pytest.mark.parametrize("sides", [([0, 1], [0, 0]), ([[0.5, 0.5]], [[1.0, 0]]), ([], [])])
def test_powers_that_are_refused(p, sides):
    with pytest.raises(
        ValueError, match=r"p=.*; Mallows_p takes a finite number of at least 1"
    ):
        pw.mallows_distance(*sides, p=p)


def test_a_power_that_no_double_holds_is_refused():
    near = [[0.5, 0.5]], [[0.5 + 1e-7, 0.5 - 1e-7]]
    with pytest.raises(ValueError, match=r"p=100 is too large: clusters 0 and 0 differ by at"):
        pw.mallows_distance(*near, p=100)
    assert math.isclose(pw.mallows_distance(*near, p=40), 1e-7, rel_tol=1e-8)


# ---- laws of the paper -------------------------------------------------------------


@given(pair=st.tuples(labels, labels).map(lambda x: [y[: min(map(len, x))] for y in x]))
def test_square_uniform_is_one_to_one_matching(pair):
    """Section 4.1: K = J with uniform weights is 2 n (1 - A) / K."""
    a, b = pair
    if a and len(set(a)) == len(set(b)):
        wanted = 2 * len(a) / len(set(a)) * pw.criterion_h(a, b)
        assert math.isclose(pw.mallows_distance(a, b), wanted, rel_tol=1e-14)


@given(data=st.data(), size=st.booleans())
def test_mallows_is_a_metric_on_soft_clusterings(data, size):
    n = data.draw(st.integers(1, 6))
    sides = [data.draw(memberships(n)) for _ in range(3)]
    weights = "size" if size else "uniform"
    d = [[pw.mallows_distance(p, q, cluster_weights=weights) for q in sides] for p in sides]
    for i in range(3):
        assert d[i][i] == 0.0
        for j in range(3):
            assert math.isclose(d[i][j], d[j][i], rel_tol=1e-15)
            assert 0 <= d[i][j] <= n
            assert all(d[i][j] <= d[i][k] + d[k][j] + 1e-12 for k in range(3))


def test_css_is_no_metric():
    """0 for different clusterings, and a triangle broken by 4."""
    a, b, x = [0, 1, 0, 1], [0, 0, 1, 0], np.array([0, 1, 5, 6.5])
    assert pw.css_distance(a, b, features=x) == 0.0
    d = [[pw.css_distance(p, q, features=x) for q in PARTITIONS] for p in PARTITIONS]
    size = range(len(d))
    worst = max(d[i][k] - d[i][j] - d[j][k] for i in size for j in size for k in size)
    assert math.isclose(worst, 4.0, rel_tol=1e-12)


def partitions(n):
    found = [[]]
    for _ in range(n):
        found = [[*p, x] for p in found for x in range(max(p, default=-1) + 2)]
    return found


PARTITIONS = partitions(4)


def test_css_of_equal_centres_is_zero():
    """Bug case css-zero-distance."""
    assert pw.css_distance([0, 0, 1, 1], [0, 1, 1, 1], distances=np.zeros((2, 2))) == 0.0


def test_css_separates_what_rand_and_vi_cannot():
    """Table 2: two clusterings at the same VI and Rand from a third, one twice as far."""
    move = 133
    base = np.repeat([0, 1, 2], 400)
    near, far = base.copy(), base.copy()
    near[:move], far[:move] = 1, 2
    x = np.repeat([0.0, 1.0, 2.0], 400)
    assert pw.variation_of_information(base, near) == pw.variation_of_information(base, far)
    assert pw.rand_index(base, near) == pw.rand_index(base, far)
    lengths = [pw.css_distance(base, side, features=x) for side in (near, far)]
    assert lengths[0] < lengths[1]


# ---- the two doors -----------------------------------------------------------------


@given(pair=st.tuples(labels, labels).map(lambda x: [y[: min(map(len, x))] for y in x]))
@pytest.mark.parametrize("weights", ["uniform", "size"])
def test_hard_as_soft_is_hard_bit_for_bit(pair, weights):
    a, b = pair
    assume(a)
    rows = [np.eye(max(side) + 1)[side][:, sorted(set(side))] for side in pair]
    stored = [scipy.sparse.csr_array(side) for side in rows]
    features = cases.features(len(a))
    hard = (
        pw.mallows_distance(a, b, cluster_weights=weights),
        pw.css_distance(a, b, cluster_weights=weights, features=features),
    )
    for p, q in (rows, stored, (a, rows[1]), (rows[0], b)):
        soft = (
            pw.mallows_distance(p, q, cluster_weights=weights),
            pw.css_distance(p, q, cluster_weights=weights, features=features),
        )
        assert soft[0] == hard[0]
        assert math.isclose(soft[1], hard[1], rel_tol=1e-13, abs_tol=1e-14)
    lengths = np.add.outer(np.arange(rows[0].shape[1]), np.arange(rows[1].shape[1])) / 4
    apart = [
        pw.css_distance(*sides, cluster_weights=weights, distances=lengths)
        for sides in (pair, rows, stored)
    ]
    assert apart[0] == apart[1] == apart[2]


def test_empty_clusters_of_memberships_count_as_clusters():
    p, q = np.eye(3)[[0, 0, 2]], np.eye(2)[[0, 0, 1]]
    empty = [[Fraction(x) for x in column] for column in p.T]
    third = [Fraction(1, 3)] * 3
    wanted = definitions.mallows_of_columns(empty, columns(q), third, [Fraction(1, 2)] * 2)
    assert wanted > 0
    assert pw.mallows_distance(p, q) == float(wanted)
    assert pw.mallows_distance(p, q, cluster_weights="size") == 0.0
    with pytest.raises(ValueError, match="reference cluster 1 has no mass"):
        pw.css_distance(p, q, features=[1, 2, 3])


@pytest.mark.parametrize("size", [True, False])
def test_sparse_rows_of_many_clusters(size, kernels):
    """Sparse and dense roads meet: the same value from the same rows."""
    rng = np.random.default_rng(3)
    n, k, j = (400, 90, 80) if kernels == "compiled" else (120, 40, 30)
    sides = []
    for width in (k, j):
        rows = np.zeros((n, width))
        places = rng.integers(0, width, (n, 2))
        np.add.at(rows, (np.arange(n)[:, None], places), 0.5)
        sides.append(rows)
    weights = "size" if size else "uniform"
    sparse = [scipy.sparse.csr_array(side) for side in sides]
    values = [
        pw.mallows_distance(*pair, cluster_weights=weights)
        for pair in (sides, sparse, (sides[0], sparse[1]))
    ]
    assert values[0] == values[1] == values[2]
    distance, plan = pw.mallows_distance(*sparse, cluster_weights=weights, return_plan=True)
    apart = np.abs(sides[0].T[:, None, :] - sides[1].T[None]).sum(axis=2)
    assert math.isclose((plan.toarray() * apart).sum(), distance, rel_tol=1e-13)
    alpha = sides[0].sum(axis=0) / n if size else np.full(k, 1 / k)
    assert np.allclose(plan.sum(axis=1), alpha, rtol=1e-13, atol=1e-15)


@given(pair=st.tuples(labels, labels).map(lambda x: [y[: min(map(len, x))] for y in x]))
@pytest.mark.parametrize("weights", ["uniform", "size"])
def test_the_plan_is_a_plan_of_that_cost(pair, weights):
    a, b = pair
    assume(a)
    distance, plan = pw.mallows_distance(a, b, cluster_weights=weights, return_plan=True)
    table = pw.contingency(a, b)
    assert plan.shape == table.shape
    sizes = (table.row_sizes, table.col_sizes)
    wanted = [x / len(a) if weights == "size" else np.full(len(x), 1 / len(x)) for x in sizes]
    assert np.allclose(plan.sum(axis=1), wanted[0], rtol=1e-14)
    assert np.allclose(plan.sum(axis=0), wanted[1], rtol=1e-14)
    apart = table.row_sizes[:, None] + table.col_sizes - 2 * table.to_scipy().toarray()
    assert math.isclose((plan.toarray() * apart).sum(), distance, rel_tol=1e-14, abs_tol=1e-15)


def test_item_weights_move_mass():
    """Weights of whole numbers cost what repeated items cost, by cluster size."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, (2, 40))
    times = rng.integers(0, 4, 40)
    for weights in ("uniform", "size"):
        options = {"cluster_weights": weights}
        heavy = pw.mallows_distance(a, b, weights=times / 4, **options)
        repeated = pw.mallows_distance(a, b, multiplicity=times, **options)
        assert math.isclose(4 * heavy, repeated, rel_tol=1e-14)
        assert pw.mallows_distance(a, a, weights=rng.random(40), **options) == 0.0


def test_a_million_clusters(kernels):
    if kernels == "numpy":
        pytest.skip("sizes are for the compiled kernels")
    rng = np.random.default_rng(0)
    a = np.repeat(np.arange(200_000), 5)
    b = np.where(rng.random(len(a)) < 0.1, rng.integers(0, 200_001, len(a)), a)
    table = pw.contingency(a, b)
    assert table.shape[0] != table.shape[1]
    found = pw.mallows_distance(table)
    by_size = pw.mallows_distance(table, cluster_weights="size")
    assert 0 < found < 2
    assert 0 < by_size < 10


# ---- bad input ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind", "fragment"),
    [
        ({"cluster_weights": "even"}, ValueError, "cluster_weights='even' is not one of"),
        ({"cluster_weights": [1]}, ValueError, "none of 'uniform', 'size' and a pair"),
        ({"cluster_weights": ([1], [1])}, ValueError, r"\[0\] has 1 weights; there are 2"),
        ({"cluster_weights": ([0.5, 0.6], [0.5, 0.5])}, ValueError, r"adds up to 1\.1, not"),
        ({"cluster_weights": ([1.5, -0.5], [0.5, 0.5])}, ValueError, r"\[0\]\[1\] is -0\.5"),
        ({"cluster_weights": ([0.5, 0.5], [math.nan, 1])}, ValueError, r"\[1\]\[0\] is nan"),
        ({"normalize": "yes"}, ValueError, "normalize='yes' must be True or False"),
        ({"return_plan": 1}, ValueError, "return_plan=1 must be True or False"),
    ],
)
def test_bad_options(options, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.mallows_distance([0, 1, 1], [0, 0, 1], **options)


@pytest.mark.parametrize(
    ("options", "kind", "fragment"),
    [
        ({}, ValueError, "css_distance needs features="),
        ({"distances": np.ones((2, 3))}, ValueError, r"distances has shape \(2, 3\)"),
        ({"distances": [[0, 1], [1, -1]]}, ValueError, r"distances\[1, 1\] is -1"),
        ({"distances": [[0, math.nan], [1, 1]]}, ValueError, r"distances\[0, 1\] is nan"),
        (
            {"distances": [[0, 1e31], [1, 1]]},
            ValueError,
            r"distances\[0, 1\] is 1e\+31; .* 0 to 1e\+30",
        ),
        ({"distances": [["x", "y"], ["z", "w"]]}, TypeError, "distances has dtype"),
        ({"features": [1, 2]}, ValueError, "features"),
        ({"features": [1, 2, math.inf]}, ValueError, "inf"),
        ({"metric": "cosine", "features": [1, 2, 3]}, ValueError, "metric='cosine'"),
        ({"centroids": ([1], [1, 2])}, ValueError, "1 reference centroids for 2"),
        (
            {"centroids": ([1, 2], [1, 2]), "distances": np.ones((2, 2))},
            TypeError,
            "not both",
        ),
    ],
)
@pytest.mark.parametrize("soft", [False, True])
def test_bad_css_options(options, kind, fragment, soft):
    sides = [0, 1, 1], [0, 0, 1]
    if soft:
        sides = [np.array([[0.5, 0.5], [1, 0], [0, 1]])] * 2
    with pytest.raises(kind, match=fragment):
        pw.css_distance(*sides, **options)


def test_bad_memberships():
    p = np.array([[0.5, 0.5], [1, 0]])
    with pytest.raises(ValueError, match=r"candidate row 0 adds up to 0\.9"):
        pw.mallows_distance(p, [[0.5, 0.4], [1, 0]])
    with pytest.raises(ValueError, match="reference has 2 rows, candidate 3"):
        pw.mallows_distance(p, [0, 1, 1])
    with pytest.raises(TypeError, match="got missing= beside memberships"):
        pw.mallows_distance(p, p, missing="drop")
    with pytest.raises(TypeError, match="got weights= beside memberships"):
        pw.css_distance(p, p, features=[1, 2], weights=[1, 1])
    with pytest.raises(TypeError, match="one row per item"):
        pw.css_distance(p, p, features={0: 1, 1: 2})
    with pytest.raises(TypeError, match="Contingency does not hold"):
        pw.css_distance(pw.contingency([0], [0]))
    with pytest.raises(ValueError, match="return_plan= cannot stand in a name"):
        pw.compare([0], [0], measures="mallows_distance(return_plan=True)")
    assert pw.mallows_distance(np.empty((0, 2)), np.empty((0, 3))) == 0.0
    distance, plan = pw.mallows_distance([], [], return_plan=True)
    assert (distance, plan.shape) == (0.0, (0, 0))
    assert pw.css_distance(np.empty((0, 2)), np.empty((0, 3))) == 0.0


def test_threads_change_no_bit():
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.ones(17), 300), rng.dirichlet(np.ones(19), 300)
    values = {pw.mallows_distance(p, q, workers=workers) for workers in (1, 2, 3, -1)}
    assert len(values) == 1
    for bad in (0, 1.5, True):
        for sides in ((p, q), ([0, 1], [0, 1])):
            with pytest.raises((TypeError, ValueError), match=f"workers={bad}"):
                pw.mallows_distance(*sides, workers=bad)


def test_small_weights_keep_identity_and_names():
    for weights in ([1, 1e-17, 1e-17, 1e-17], [1] + [1e-30] * 3):
        assert pw.mallows_distance([0, 1, 2, 3], [0, 2, 3, 1], weights=weights) == 0.0


@pytest.mark.parametrize("far", [1e4, 1e8, 1e306])
def test_far_features(far):
    """Hard rows have the centroids of labels, bit for bit, and nothing overflows."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 50), rng.integers(0, 4, 50)
    features = (rng.random(50) / 2 + 0.5) * far
    hard = pw.css_distance(a, b, features=features)
    assert pw.css_distance(np.eye(5)[a], np.eye(4)[b], features=features) == hard
    soft = rng.dirichlet(np.ones(3), 50), rng.dirichlet(np.ones(4), 50)
    assert 0 <= pw.css_distance(*soft, features=features) < math.inf
    assert pw.css_distance(*soft, features=np.full(50, 0.1 * far / 2)) == 0.0


def test_small_and_large_centres():
    centres = [[1e200], [0]], [[1e200], [0], [1e20]]
    found = pw.css_distance([0, 1, 1], [0, 1, 2], centroids=centres)
    assert 0 < found <= 1e20
    features = [1e200, -1e200, 3e200]
    with pytest.raises(ValueError, match="beyond the range of doubles"):
        pw.css_distance([0, 0, 1], [0, 1, 1], features=features, metric="sqeuclidean")


@given(data=st.data())
def test_order_changes_no_value(data):
    n = data.draw(st.integers(1, 6))
    p, q = data.draw(memberships(n)), data.draw(memberships(n))
    items = data.draw(st.permutations(range(n)))
    left = data.draw(st.permutations(range(p.shape[1])))
    right = data.draw(st.permutations(range(q.shape[1])))
    moved = p[items][:, left], q[items][:, right]
    for weights in ("uniform", "size"):
        value = pw.mallows_distance(p, q, cluster_weights=weights)
        again = pw.mallows_distance(*moved, cluster_weights=weights)
        assert cases.within_ulp(again, value)
