"""Soft clusterings: literal definitions in fractions, the same bits whatever the order."""

import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import cases
import partwise as pw
import soft_oracle
from partwise.labels.memberships import as_memberships, is_soft
from partwise.measures.information import joint_law
from partwise.measures.transport import shared_mass as mass_module
from partwise.measures.transport.shared_mass import few_entries, shared_mass
from partwise.table.memberships_pair import as_memberships_pair
from soft_definitions import defined, entropy, law_of

MEASURES = {
    "soft_mutual_information": (pw.mutual_information, {}),
    "soft_variation_of_information": (pw.variation_of_information, {}),
    "soft_normalized_variation_of_information": (lambda a, b: normalized_variation(a, b), {}),
    **{
        f"soft_normalized_mutual_information {average}": (
            pw.normalized_mutual_information,
            {"average": average},
        )
        for average in ("arithmetic", "geometric", "min", "max", "joint")
    },
}
names = pytest.mark.parametrize("name", MEASURES)


def normalized_variation(a, b):
    """VI of labels over ln K + ln J."""
    bound = math.log(max(len(set(a)), 1)) + math.log(max(len(set(b)), 1))
    return pw.variation_of_information(a, b) / bound if bound else 0.0


def soft(name):
    """The soft function of a name of MEASURES, its options bound."""
    function, options = getattr(pw, name.partition(" ")[0]), MEASURES[name][1]
    return lambda a, b: function(a, b, **options)


def one_hot(labels, extra=0):
    """Rows of a single 1, columns in sorted label order; further columns stay empty."""
    kinds = sorted(set(labels))
    rows = np.zeros((len(labels), len(kinds) + extra))
    rows[np.arange(len(labels)), [kinds.index(label) for label in labels]] = 1
    return rows


# ---- memberships -------------------------------------------------------------------


def dyadic(n, k, bits=10):
    """Rows of multiples of 2^-bits that add up to 1 exactly."""
    cuts = st.lists(st.integers(0, 2**bits), min_size=k - 1, max_size=k - 1).map(sorted)
    row = cuts.map(lambda x: np.diff([0, *x, 2**bits]) / 2**bits)
    return st.lists(row, min_size=n, max_size=n).map(np.array)


@st.composite
def pairs(draw, most=7, bits=10):
    n, k, j = draw(st.integers(1, most)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return draw(dyadic(n, k, bits)), draw(dyadic(n, j, bits))


def random_pair(n, k, j, seed=3, concentration=0.4):
    rng = np.random.default_rng(seed)
    a = rng.dirichlet(np.full(k, concentration), n)
    b = rng.dirichlet(np.full(j, concentration), n)
    a[a < 0.02] = 0
    return a / a.sum(axis=1, keepdims=True), b


def forms(rows):
    """The same memberships, stored in other ways."""
    yield rows
    yield rows.tolist()
    yield np.asfortranarray(rows)
    yield rows.astype(">f8")
    yield pd.DataFrame(rows)
    yield pl.DataFrame(rows)
    yield sp.csr_array(rows)
    yield sp.csc_matrix(rows)
    coo = sp.coo_array(rows)
    places = (np.tile(coo.row, 2), np.tile(coo.col, 2))
    yield sp.coo_array((np.tile(coo.data / 2, 2), places), shape=rows.shape)


# ---- values ------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases.load("soft.json"), ids=lambda case: case["id"])
def test_reference_values(case):
    for name, wanted in case["values"].items():
        base, _, option = name.rstrip(")").partition("(")
        if not base.startswith("soft_"):
            continue
        if base == "soft_contingency":
            found = pw.soft_contingency(case["a"], case["b"])
            assert all(map(cases.within_ulp, found.ravel(), np.ravel(wanted)))
            continue
        options = dict([option.split("=")]) if option else {}
        value = getattr(pw, base)(case["a"], case["b"], **options)
        assert type(value) is float
        exact = cases.exact(case, name)
        if exact is not None and exact in (0, 1):
            assert value == exact
        elif base == "soft_normalized_mutual_information":
            assert math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-13)
        else:
            assert math.isclose(value, wanted, rel_tol=1e-13, abs_tol=1e-15)


@names
@given(pair=pairs())
def test_measures_by_definition(name, pair):
    wanted = defined(name, *pair)
    assert math.isclose(soft(name)(*pair), wanted, rel_tol=1e-13, abs_tol=1e-15)


@given(pair=pairs(bits=20))
def test_contingency_by_definition(pair):
    found = pw.soft_contingency(*pair)
    for row, wanted in zip(found, law_of(*pair), strict=True):
        assert all(
            abs(Fraction(float(x)) - y) <= y / 2**52 for x, y in zip(row, wanted, strict=True)
        )


@pytest.mark.long
@names
def test_many_items(name):
    """Several blocks of items, memberships of all sizes, rows that add up but for rounding."""
    a, b = random_pair(4500, 5, 3)
    a = a**9 + 1e-30
    a /= a.sum(axis=1, keepdims=True)
    assert math.isclose(soft(name)(a, b), defined(name, a, b), rel_tol=1e-13)


@pytest.mark.parametrize("step", [2.0**-20, 2.0**-40, 2.0**-50])
def test_information_close_to_independence(step):
    """The information of one shifted item is tiny: its relative accuracy stays."""
    a = np.tile([0.25, 0.75], (6, 1))
    b = np.tile([0.5, 0.125, 0.375], (6, 1))
    a[2] += [step, -step]
    b[2] += [-step, 0, step]
    with mpmath.workdps(90):
        wanted = defined("soft_mutual_information", a, b)
    assert 0 < wanted < step**4
    assert math.isclose(pw.soft_mutual_information(a, b), wanted, rel_tol=1e-12)


@pytest.mark.parametrize("name", [name for name in MEASURES if "variation" not in name])
def test_independence_is_exact(name):
    a = np.tile([0.1, 0.2, 0.7], (50, 1))
    _, b = random_pair(50, 2, 4)
    assert soft(name)(a, b) == 0.0
    assert soft(name)(b, a) == 0.0


def test_degenerate_values():
    single, several = np.ones((3, 1)), [[0.5, 0.5], [1, 0], [0.25, 0.75]]
    nmi = pw.soft_normalized_mutual_information
    assert nmi(single, several) == 0.0
    assert nmi(np.hstack([single, 0 * single]), single) == 1.0
    assert nmi(np.hstack([single - 1e-10, 0 * single]), single) == 1.0
    empty = np.zeros((0, 3))
    assert nmi(empty, []) == 1.0
    assert pw.soft_mutual_information(empty, empty) == 0.0
    assert pw.soft_variation_of_information(empty, empty) == 0.0
    assert pw.soft_contingency(empty, empty).tolist() == [[0.0] * 3] * 3


@given(pair=pairs())
def test_a_soft_clustering_is_not_at_0_from_itself(pair):
    a = pair[0]
    distance = pw.soft_variation_of_information(a, a)
    assert (distance > 0) == bool(((a != 0) & (a != 1)).any())


@given(pair=pairs(), data=st.data())
def test_triangle_inequality(pair, data):
    c = data.draw(dyadic(len(pair[0]), 3))
    vi = pw.soft_variation_of_information
    assert vi(pair[0], c) <= vi(*pair) + vi(pair[1], c) + 1e-14


def test_information_where_one_side_decides_the_other():
    """H(a|b) = 0: I is H(a), to the last bit."""
    a, b = ["x", "x", "y"], [[0.25, 0.75, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0.125, 0.875]]
    assert pw.soft_normalized_mutual_information(a, b, average="min") == 1.0
    assert pw.soft_normalized_mutual_information(b, a, average="min") == 1.0
    assert math.isclose(pw.soft_mutual_information(a, b, base=2), pw.entropy(a, base=2))


@pytest.mark.parametrize("scale", [1.0, 1e-35])
def test_refinement_is_exact(scale):
    """Also where a cluster that lies inside another is next to nothing."""
    for seed in range(12):
        b, _ = random_pair(9, 3, 2, seed)
        inside = np.hstack([b[:5], np.zeros((5, 3))]), np.hstack([np.zeros((4, 3)), b[5:]])
        b = np.vstack(inside)
        b[:, [1, 4]] *= scale
        b /= b.sum(axis=1, keepdims=True)
        a = ["x"] * 5 + ["y"] * 4
        h = joint_law.entropies(joint_law.joint_law(*as_memberships_pair(a, b)))
        assert h.merge == 0
        assert pw.soft_normalized_mutual_information(a, b, average="min") == 1.0


def test_what_is_nearly_identical_keeps_its_digits():
    a = one_hot([0, 0, 1, 1, 1])
    b = a.copy()
    b[1, 1] = 2.0**-60
    with mpmath.workdps(90):
        wanted = defined("soft_variation_of_information", a, b)
    assert math.isclose(pw.soft_variation_of_information(a, b), wanted, rel_tol=1e-13)


def test_what_lies_beside_a_long_cell_keeps_its_digits():
    """The cells beside the tiny ones have more digits than a double."""
    a = np.array([[x, 1 - x] for x in (1 / 3, 1 / 7, 2.0**-9 / 3)])
    b = [[1, 2.0**-60]] * 3
    law = joint_law.joint_law(*as_memberships_pair(a, b))
    with mpmath.workdps(90):
        shares = law_of(a, b)
        wanted = entropy(x for row in shares for x in row) - entropy(map(sum, shares))
    assert math.isclose(float(joint_law.entropies(law).split), wanted, rel_tol=1e-13)


def test_small_clusters_keep_their_digits():
    rng = np.random.default_rng(5)
    small = rng.uniform(0.01, 1, (30, 2)) * 2.0**-45
    b = np.hstack([1 - small.sum(axis=1, keepdims=True), small])
    a = np.tile([0.25, 0.75], (30, 1))
    found = pw.soft_contingency(a, b)
    for j in range(3):
        exact = sum(map(Fraction, b[:, j].tolist())) / 120
        assert abs(Fraction(float(found[0, j])) - exact) <= exact / 2**52


def test_pairs_of_clusters_that_never_meet_count():
    """Two rare clusters that share no item, all else independent: their absence is I."""
    a, b = np.zeros((300, 2)), np.zeros((300, 3))
    a[:, 0], b[:, 0], b[:, 1] = 1, 0.25, 0.75
    a[0], b[1] = [0, 1], [0, 0, 1]
    value = pw.soft_mutual_information(a, b)
    assert math.isclose(value, defined("soft_mutual_information", a, b), rel_tol=1e-12)
    assert value < 2e-5


# ---- hard as soft ------------------------------------------------------------------

labels = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-2, 3), min_size=n, max_size=n)] * 2)
)


@names
@given(sides=labels)
def test_hard_as_soft_is_hard(name, sides):
    a, b = sides
    hard, options = MEASURES[name]
    wanted = hard(a, b, **options)
    function = soft(name)
    for x in (a, one_hot(a), one_hot(a, extra=2), sp.csr_array(one_hot(a)), pw.Clustering(a)):
        for y in (b, one_hot(b).astype(bool).tolist(), one_hot(b, extra=1)):
            assert function(x, y) == wanted


@given(sides=labels)
def test_hard_tables_are_counts(sides):
    a, b = sides
    counts = pw.contingency(a, b).to_scipy().toarray()
    assert np.array_equal(pw.soft_contingency(a, one_hot(b)), counts / len(a))
    x, y = as_memberships(one_hot(a, extra=1), "a"), as_memberships(b, "b")
    assert x.is_hard
    assert np.array_equal(shared_mass(x, y)[:-1], counts)
    assert not shared_mass(x, y)[-1].any()
    assert x.masses.tolist() == [*counts.sum(axis=1).tolist(), 0.0]
    assert Counter(y.clustering().labels.tolist()) == Counter(
        sorted(set(b)).index(z) for z in b
    )


def test_hard_sides_with_items_are_aligned():
    a, b = {"x": 1, "y": 1, "z": 2}, {"z": 0, "y": 5, "x": 5}
    assert pw.soft_normalized_mutual_information(a, b) == 1.0
    with pytest.raises(ValueError, match="not in the candidate"):
        pw.soft_mutual_information(a, {"x": 1, "y": 2})


# ---- no order, no storage changes a bit --------------------------------------------


def values(a, b):
    x, y = as_memberships(a, "a"), as_memberships(b, "b")
    return [soft(name)(a, b) for name in MEASURES], shared_mass(x, y), x.masses


@pytest.mark.parametrize("shape", [(3, 2, 2), (300, 4, 3), (2500, 6, 9)])
def test_permutations_change_no_bit(shape):
    a, b = random_pair(*shape)
    found, shared, masses = values(a, b)
    table = pw.soft_contingency(a, b)
    rng = np.random.default_rng(0)
    items = rng.permutation(len(a))
    rows, cols = rng.permutation(a.shape[1]), rng.permutation(b.shape[1])
    p, q = a[items][:, rows], b[items][:, cols]
    again, also, moved = values(p, q)
    assert again == found
    assert np.array_equal(also, shared[np.ix_(rows, cols)])
    assert np.array_equal(moved, masses[rows])
    assert np.array_equal(pw.soft_contingency(p, q), table[np.ix_(rows, cols)])
    swapped, transposed, _ = values(b, a)
    assert swapped == found
    assert np.array_equal(transposed, shared.T)


@pytest.mark.parametrize("sparse", [False, True])
def test_storage_changes_no_bit(sparse, monkeypatch):
    a, b = random_pair(400, 5, 3)
    found, shared, masses = values(a, b)
    table = pw.soft_contingency(a, b)
    for module in (mass_module, joint_law):
        monkeypatch.setattr(module, "few_entries", lambda *_: sparse)
    for p, q in zip(forms(a), forms(b), strict=True):
        again, also, same = values(p, q)
        assert again == found
        assert np.array_equal(also, shared)
        assert np.array_equal(same, masses)
        stored = pw.soft_contingency(p, q)
        if hasattr(p, "tocsr"):
            assert isinstance(stored, sp.csr_array)
            stored = stored.toarray()
        assert np.array_equal(stored, table)


def test_sums_over_many_pairs_of_entries(monkeypatch):
    """Several spans of rows, one of them wider than a span."""
    monkeypatch.setattr(joint_law, "_PAIRS", 50)
    a, b = random_pair(300, 12, 9, concentration=0.3)
    wanted = pw.soft_contingency(a, b)
    monkeypatch.setattr(joint_law, "few_entries", lambda *_: True)
    assert np.array_equal(pw.soft_contingency(a, b), wanted)


def test_few_entries_are_summed_by_pairs():
    rows = sp.random_array((2000, 200), density=0.02, rng=np.random.default_rng(1)).toarray()
    rows[:, 0] += 0.1
    few = as_memberships(sp.csr_array(rows / rows.sum(axis=1, keepdims=True)), "few")
    many = as_memberships(random_pair(2000, 4, 6)[1], "many")
    assert few_entries(few, few)
    assert not few_entries(many, many)


def test_inputs_stay_as_they_are():
    """Also a matrix with repeated, unsorted and zero entries."""
    a, b = random_pair(20, 3, 3)
    before = a.copy()
    a.flags.writeable = False
    plain = sp.csr_array(b)
    data = np.stack([plain.data / 4, plain.data * 0, plain.data * 0.75], axis=1).ravel()
    matrix = sp.csr_array((data, np.repeat(plain.indices, 3), plain.indptr * 3), shape=b.shape)
    stored = matrix.copy()
    read = as_memberships(matrix, "b")
    assert np.diff(read.rows.indptr).tolist() == np.count_nonzero(b, axis=1).tolist()
    assert np.allclose(read.dense, b, rtol=1e-15)
    values(a, matrix)
    assert np.array_equal(a, before)
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(matrix, part), getattr(stored, part))
    zeros = sp.csr_array(b)
    zeros.data[:] = 1.0
    zeros.data[1::3] = zeros.data[2::3] = 0.0
    assert as_memberships(zeros, "zeros").is_hard == (b > 0).all()


# ---- shared mass -------------------------------------------------------------------


def rounded(x):
    """A membership to the nearest multiple of 2^-51, in those units."""
    return round(Fraction(float(x)) * 2**51)


@given(pair=pairs(bits=60))
def test_shared_mass_by_definition(pair):
    a, b = pair
    found = shared_mass(as_memberships(a, "a"), as_memberships(b, "b"))
    for k in range(a.shape[1]):
        for j in range(b.shape[1]):
            units = sum(min(rounded(p[k]), rounded(q[j])) for p, q in zip(a, b, strict=True))
            assert found[k, j] == float(Fraction(units, 2**51))


@pytest.mark.parametrize("shape", [(1, 1, 1), (127, 5, 4), (5000, 13, 7)])
def test_shared_mass_is_accurate(shape):
    a, b = random_pair(*shape)
    x, y = as_memberships(a, "a"), as_memberships(b, "b")
    found = shared_mass(x, y)
    for k in range(a.shape[1]):
        for j in range(b.shape[1]):
            wanted = math.fsum(np.minimum(a[:, k], b[:, j]))
            assert math.isclose(found[k, j], wanted, rel_tol=1e-13, abs_tol=1e-15)
    distances = (x.masses[:, None] - found) + (y.masses - found)
    wanted = np.abs(a[:, :, None] - b[:, None, :]).sum(axis=0)
    assert np.allclose(distances, wanted, rtol=1e-12, atol=1e-12)
    assert (distances >= 0).all()
    own = shared_mass(x, x)
    assert np.array_equal(np.diag(own), x.masses)


@pytest.mark.parametrize("workers", [2, 3, 50, -1])
def test_threads_change_no_bit(workers):
    a, b = (as_memberships(x, "x") for x in random_pair(500, 6, 21))
    assert np.array_equal(shared_mass(a, b, workers), shared_mass(a, b))


@pytest.mark.parametrize("workers", [0, -2, 1.5, True])
def test_workers_are_checked(workers):
    a, b = (as_memberships(x, "x") for x in random_pair(50, 6, 21))
    with pytest.raises((ValueError, TypeError), match="workers="):
        shared_mass(a, b, workers)


# ---- the door ----------------------------------------------------------------------


def test_is_soft():
    rows = np.array([[0.5, 0.5], [1.0, 0.0]])
    assert all(map(is_soft, forms(rows)))
    assert is_soft(as_memberships(rows, "rows"))
    assert is_soft([np.array([0.5, 0.5])])
    hard = [0, 1], np.array([0, 1]), pd.Series([1]), pl.Series([1]), {"x": 1}, [{1}], []
    assert not any(map(is_soft, [*hard, pw.Clustering([1]), ["a"], [("a", 1)], range(3)]))


BAD = {
    "negative": ([[1.5, -0.5]], ValueError, r"candidate .* -0.5 in row 0, column 1"),
    "negative, sparse": (
        sp.csr_array([[0, 1], [1.5, -0.5]]),
        ValueError,
        r"-0.5 in row 1, column 1",
    ),
    "nan": ([[1, 0], [np.nan, 1]], ValueError, r"nan in row 1, column 0"),
    "infinite": (np.array([[np.inf, 0]]), ValueError, r"inf in row 0, column 0"),
    "sum": ([[1, 0], [0.5, 0.4]], ValueError, r"row 1 adds up to 0.9, not to 1 .*divide each"),
    "sum, just": (np.array([[1 + 2e-9, 0]]), ValueError, r"row 0 adds up to 1.000000002"),
    "sum, sparse": (sp.csr_array([[1, 0], [0.5, 0.4]]), ValueError, r"row 1 adds up to 0.9"),
    "empty row, sparse": (sp.csr_array((2, 2)), ValueError, r"row 0 adds up to 0.0"),
    "float32": (np.float32([[0.1, 0.9]] * 2), ValueError, r"2 such rows"),
    "labels in a column": ([[3], [2]], ValueError, r"adds up to 3.0.*ravel\(\)"),
    "no columns": (np.ones((3, 0)), ValueError, "3 rows but no columns"),
    "no columns, sparse": (sp.csr_array((3, 0)), ValueError, "3 rows but no columns"),
    "ragged": ([[1, 0], [1]], ValueError, "2 memberships in row 0 but 1 in row 1"),
    "3-D": (np.ones((2, 2, 2)), ValueError, r"shape \(2, 2, 2\); memberships have two dim"),
    "nested 3-D": ([[[1.0]]], ValueError, r"shape \(1, 1, 1\)"),
    "text": (np.array([["a", "b"]]), TypeError, "dtype <U1; memberships are numbers"),
    "objects": (np.array([[None, 1]]), ValueError, "nan in row 0, column 0"),
    "other objects": (np.array([[[1], {}]], dtype=object), TypeError, "dtype object"),
    "complex": (np.array([[1j, 1]]), TypeError, "dtype complex128"),
    "masked": (np.ma.masked_array([[0.5, 0.5]], [[0, 1]]), ValueError, "masked entries"),
    "tuples": ([(0.5, 0.5), (1, 0)], ValueError, "could be memberships or labels"),
    "missing label": (["a", None], ValueError, "1 missing labels, the first at index 1"),
    "item ids": ({"x": 1}, ValueError, "candidate has item ids"),
    "a number": (5, TypeError, "candidate is an int"),
    "rows": ([[0.5, 0.5]] * 3, ValueError, "reference has 2 rows, candidate 3"),
}


@pytest.mark.one_backend
@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    given, error, words = BAD[name]
    with pytest.raises(error, match=words):
        pw.soft_mutual_information([[0.5, 0.5], [1, 0]], given)


@pytest.mark.one_backend
def test_bad_options_and_orders():
    a = [[0.5, 0.5], [1, 0]]
    with pytest.raises(ValueError, match="average='mean'"):
        pw.soft_normalized_mutual_information(a, a, average="mean")
    with pytest.raises(ValueError, match="base=1"):
        pw.soft_variation_of_information(a, a, base=1)
    with pytest.raises(ValueError, match="could be memberships or labels"):
        pw.soft_contingency([(0.5, 0.5)], [1])
    frame = pd.DataFrame(a)
    with pytest.raises(ValueError, match="different indexes"):
        pw.soft_contingency(frame, frame[::-1])
    assert np.array_equal(pw.soft_contingency(frame, frame), pw.soft_contingency(a, a))


@pytest.mark.one_backend
def test_rows_are_used_as_given():
    """Within the tolerance nothing is rescaled."""
    rows = np.array([[0.5, 0.5 + 5e-10], [1.0, 0.0]])
    assert np.array_equal(as_memberships(rows, "rows").dense, rows)
    assert pw.soft_contingency(rows, [0, 0])[1, 0] == (0.5 + 5e-10) / 2
    nearly = as_memberships(np.array([[1 - 1e-10, 0.0], [0.0, 1.0]]), "nearly")
    assert not nearly.is_hard
    assert not as_memberships(sp.csr_array(nearly.dense), "nearly").is_hard


@pytest.mark.one_backend
@pytest.mark.parametrize("place", range(8))
def test_hard_measures_name_the_soft_ones(place):
    rows = list(forms(np.array([[0.5, 0.5], [1.0, 0.0]])))[place]
    with pytest.raises((ValueError, TypeError), match=r"soft_\*"):
        pw.rand_index(rows, [0, 1])


@pytest.mark.parametrize("number", [520, 624])
@pytest.mark.parametrize("average", ["min", "geometric"])
def test_a_side_of_little_entropy_keeps_its_digits(number, average):
    """Nearly all mass of one side is in one cluster, and the other side is mixed."""
    sides = soft_oracle.pair(number)
    name = f"soft_normalized_mutual_information {average}"
    for pair in (sides, sides[::-1]):
        assert math.isclose(soft(name)(*pair), defined(name, *pair), rel_tol=1e-14)
