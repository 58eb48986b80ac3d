"""Random tables with given margins, and the tests that rest on them."""

import math
from collections import Counter
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import partwise as pw
from partwise import _kernels
from partwise._kernels.reference import shuffle as _shuffle
from partwise._kernels.reference.hypergeometric import hypergeometric, mode_of
from partwise.inference.known_moments import known_moments, sharpened
from partwise.inference.null_models import random_table
from partwise.inference.permutation import clopper_pearson
from partwise.measures.catalogue import find

rng = np.random.default_rng(20)


def sizes_of(n, k, seed):
    codes = np.random.default_rng(seed).integers(0, k, n)
    return np.unique(codes, return_counts=True)[1].astype(np.int64)


MARGINS = {
    "empty": (sizes_of(0, 1, 1), sizes_of(0, 1, 1)),
    "one item": (sizes_of(1, 1, 1), sizes_of(1, 1, 1)),
    "one cluster": (sizes_of(90, 1, 1), sizes_of(90, 7, 2)),
    "few": (sizes_of(500, 3, 1), sizes_of(500, 5, 2)),
    "small rows": (sizes_of(3000, 900, 1), sizes_of(3000, 3, 2)),
    "wide": (sizes_of(9000, 5, 1), sizes_of(9000, 8900, 2)),
    "both many": (sizes_of(2000, 1500, 1), sizes_of(2000, 1400, 2)),
    "large cells": (sizes_of(40000, 9, 1), sizes_of(40000, 12, 2)),
    "very large cells": (
        np.array([10**6, 3 * 10**6, 40]),
        np.array([2 * 10**6, 2 * 10**6 + 40]),
    ),
    "one large cell": (np.array([300]), np.array([300])),
    "large and tiny": (np.array([1, 9999]), np.array([9996, 1, 3])),
    "nearly full": (np.array([2998, 1, 1, 3000]), np.array([5998, 2])),
    "singletons": (np.ones(300, dtype=np.int64), np.ones(300, dtype=np.int64)),
    # several blocks of places
    "many blocks": (sizes_of(70_000, 30_000, 1), sizes_of(70_000, 20_000, 2)),
    "blocks of one row": (sizes_of(90_000, 5, 1), sizes_of(90_000, 60_000, 2)),
    "uneven blocks": (
        np.array([1, 30_000, 2, 2, 9000, *[1] * 9000, 20_000, 3]),
        sizes_of(68_008, 40_000, 3),
    ),
    "a large block of two": (np.array([8180, 12, 9000]), np.ones(17_192, dtype=np.int64)),
}


def exact_law(row_sizes, col_sizes):
    """Probability of every table with these margins, by enumeration."""
    rows, cols = list(row_sizes), list(col_sizes)
    n = sum(rows)
    above = math.prod(map(math.factorial, rows + cols))
    law = {}
    choices = [product(*(range(min(r, c) + 1) for c in cols)) for r in rows]
    lines = [
        [line for line in found if sum(line) == r]
        for found, r in zip(choices, rows, strict=True)
    ]
    for table in product(*lines):
        if [sum(column) for column in zip(*table, strict=True)] == cols:
            below = math.factorial(n) * math.prod(math.factorial(x) for y in table for x in y)
            law[table] = above / below
    assert sum(law.values()) == pytest.approx(1)
    return law


def table_of_sizes(row_sizes, col_sizes):
    rows = np.repeat(np.arange(len(row_sizes)), row_sizes)
    return pw.contingency(rows, np.repeat(np.arange(len(col_sizes)), col_sizes))


@pytest.mark.parametrize("name", MARGINS)
def test_random_tables_have_the_margins(name, kernels):
    rows, cols = MARGINS[name]
    before = rows.copy(), cols.copy()
    for draw in range(3):
        cells = _kernels.impl.random_table(rows, cols, 2**63 + 5, draw)
        assert all(x.dtype == np.int64 for x in cells)
        found = _kernels.impl.margins(*cells, len(cols))
        assert np.array_equal(found[0], rows)
        assert np.array_equal(found[1], cols)
        assert (cells[2] > 0).all()
        for start, stop in zip(cells[0][:-1], cells[0][1:], strict=True):
            assert (np.diff(cells[1][start:stop]) > 0).all()
    assert np.array_equal(rows, before[0])
    assert np.array_equal(cols, before[1])


@pytest.mark.parametrize("name", MARGINS)
def test_kernels_draw_the_same_tables(name, both):
    for key in ((0, 0), (1, 0), (0, 1), (2**64 - 1, 2**63)):
        first, second = (impl.random_table(*MARGINS[name], *key) for impl in both.values())
        assert all(np.array_equal(x, y) for x, y in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("rows", "cols"),
    [((3, 2, 1), (2, 2, 2)), ((1, 1, 3), (4, 1)), ((2, 34), (6, 30)), ((35, 2, 1), (35, 3))],
)
def test_draws_follow_the_exact_law(rows, cols):
    """Chi-square against exhaustive enumeration; cells of little weight are pooled."""
    table = table_of_sizes(rows, cols)
    draws = 1500
    check_law(
        rows, cols, [random_table(table, 11, d).to_scipy().toarray() for d in range(draws)]
    )


@pytest.mark.long
@pytest.mark.one_backend
@pytest.mark.parametrize("block_items", [2, 3])
@pytest.mark.parametrize("slack", [0, 1, 3])
def test_draws_over_blocks_follow_the_exact_law(block_items, slack, monkeypatch):
    """With blocks of two or three places; without slack some get too many items at first."""
    rows, cols = (1, 2, 1, 3), (3, 1, 1, 2)
    monkeypatch.setattr(_shuffle, "_BLOCK_ITEMS", block_items)
    monkeypatch.setattr(_shuffle, "_SLACK", slack)
    assert len(_shuffle.cut_blocks(np.array(rows))[0]) >= 4
    check_law(
        rows,
        cols,
        [
            to_dense(*_shuffle.shuffled_items(np.array(rows), np.array(cols), 12, d))
            for d in range(1500)
        ],
    )


def to_dense(rows, cols):
    dense = np.zeros((rows.max() + 1, cols.max() + 1), dtype=np.int64)
    np.add.at(dense, (rows, cols), 1)
    return dense


def check_law(rows, cols, tables):
    law = exact_law(rows, cols)
    draws = len(tables)
    seen = Counter(tuple(map(tuple, dense.tolist())) for dense in tables)
    assert set(seen) <= set(law)
    often = [x for x in law if law[x] * draws >= 8]
    observed = [seen[x] for x in often]
    expected = [law[x] * draws for x in often]
    if draws - sum(expected) > 1e-6 * draws:
        observed.append(draws - sum(observed))
        expected.append(draws - sum(expected))
    assert stats.chisquare(observed, expected).pvalue > 1e-3


def test_cells_of_several_blocks_follow_the_hypergeometric_law(kernels):
    """Clusters as large as blocks, and small ones around them."""
    rows = np.array([3000, *[1] * 5000, 9000, 700, *[2] * 1500])
    cols = np.array([*[1] * 4000, 2500, *[3] * 3000, 5200])
    n = int(rows.sum())
    assert n == cols.sum()
    asked = {(0, 4000): [], (5001, 4000): [], (5002, 7001): [], (0, 7001): []}
    for draw in range(150):
        indptr, found, counts = _kernels.impl.random_table(rows, cols, 5, draw)
        for (r, c), seen in asked.items():
            mine = slice(indptr[r], indptr[r + 1])
            seen.append(int(counts[mine][found[mine] == c].sum()))
    for (r, c), seen in asked.items():
        law = stats.hypergeom(n, rows[r], cols[c])
        edges = np.unique(law.ppf(np.linspace(0, 1, 9)[1:-1])).astype(int)
        observed = np.bincount(np.searchsorted(edges, seen), minlength=len(edges) + 1)
        expected = np.diff(np.concatenate(([0.0], law.cdf(edges), [1.0]))) * len(seen)
        assert stats.chisquare(observed, expected).pvalue > 1e-3


@pytest.mark.parametrize("cell", [(0, 0), (1, 2)])
def test_large_cells_follow_the_hypergeometric_law(cell):
    rows, cols = (700, 500, 300), (600, 150, 750)
    table = table_of_sizes(rows, cols)
    draws = 1500
    found = [random_table(table, 4, d).to_scipy().toarray()[cell] for d in range(draws)]
    law = stats.hypergeom(1500, rows[cell[0]], cols[cell[1]])
    edges = np.unique(law.ppf(np.linspace(0, 1, 21)[1:-1])).astype(int)
    observed = np.bincount(np.searchsorted(edges, found), minlength=len(edges) + 1)
    expected = np.diff(np.concatenate(([0.0], law.cdf(edges), [1.0]))) * draws
    assert stats.chisquare(observed, expected).pvalue > 1e-3


LAWS = [
    (900, 300, 400),
    (900, 700, 600),
    (5000, 1, 30),
    (5000, 4999, 30),
    (40, 20, 20),
    (128, 64, 64),  # on either side of where the mode is known by formula
    (124, 62, 62),
    (10**6, 10**5, 10**5),
    (10**6, 999_000, 34_000),
    (2**32 - 1, 2**16, 2**17),
]


@pytest.mark.one_backend
@pytest.mark.parametrize(("n", "a", "b"), LAWS)
def test_probability_of_the_mode_is_exact(n, a, b):
    mode, found = mode_of(n, a, b)
    with mpmath.workdps(40):
        ways = mpmath.binomial(a, mode) * mpmath.binomial(n - a, b - mode)
        wanted = ways / mpmath.binomial(n, b)
    assert abs(found / wanted - 1) < 3e-15
    around = stats.hypergeom(n, a, b).pmf([mode - 1, mode, mode + 1])
    assert around.max() <= around[1] * (1 + 1e-9)


@pytest.mark.one_backend
@pytest.mark.parametrize(("n", "a", "b"), LAWS)
def test_every_value_has_its_share_of_the_uniform_numbers(n, a, b):
    """Each value answers to one interval, as long as its probability."""
    steps = 20_000
    uniform = (np.arange(steps) + 0.5) / steps
    found = Counter(hypergeometric(n, a, b, u) for u in uniform.tolist())
    law = stats.hypergeom(n, a, b)
    for value, times in found.items():
        assert abs(times - steps * law.pmf(value)) < 1 + 1e-6 * times
    assert hypergeometric(n, a, b, 0.0) == mode_of(n, a, b)[0]
    assert max(0, a + b - n) <= hypergeometric(n, a, b, 1 - 2.0**-53) <= min(a, b)


def pair_moments(table):
    """Exact mean and variance of the sum of n_ij (n_ij - 1) over all pairings."""

    def falling(x, r):
        return math.prod(x - i for i in range(r))

    n = table.n_items
    sides = table.row_sizes.tolist(), table.col_sizes.tolist()
    (p, p3), (q, q3) = ([sum(falling(a, r) for a in side) for r in (2, 3)] for side in sides)
    mean = p * q / falling(n, 2)
    square = 2 * p * q / falling(n, 2) + 4 * p3 * q3 / falling(n, 3)
    square += (p * p - 2 * p - 4 * p3) * (q * q - 2 * q - 4 * q3) / falling(n, 4)
    return mean, square - mean**2


@pytest.mark.parametrize(
    ("n", "k", "m"), [(40, 3, 30), (150, 40, 6), (400, 4, 5), (6000, 4, 5)]
)
def test_mean_of_draws_is_the_exact_mean(n, k, m):
    a, b = rng.integers(0, k, n), rng.integers(0, m, n)
    table = pw.contingency(a, b)
    draws = 1500

    def pairs(one):
        return float((one.counts * (one.counts - 1)).sum())

    null = pw.null_distribution(table, measure=pairs, draws=draws, seed=7)
    mean, variance = pair_moments(table)
    assert abs(null.mean[0] - mean) < 3.5 * math.sqrt(variance / draws)
    assert null.standard_deviation[0] ** 2 == pytest.approx(variance, rel=0.2)


def test_p_values_are_uniform_under_the_null(kernels):
    tests, draws = 120, 19
    jitter = np.random.default_rng(3).random(tests)
    found = []
    for i in range(tests):
        own = np.random.default_rng(i)
        a, b = own.integers(0, 4, 50), own.integers(0, 6, 50)
        result = pw.significance(
            a, b, measure="mutual_information", draws=draws, seed=i, alternative="agreement"
        )
        found.append(result.p_value - jitter[i] / (draws + 1))
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_agreement_is_found_and_independence_is_not():
    a = np.repeat(np.arange(5), 12)
    good = np.where(rng.random(60) < 0.7, a, rng.integers(0, 5, 60))
    names = ["pair_sets_index", "purity", "nvi", "f_measure", "variation_of_information"]
    found = pw.significance(a, good, measure=names, draws=199, seed=1)
    for name in names:
        one = found[name]
        assert one.p_value == 1 / 200
        assert one.p_low == 0.0
        assert one.adjusted > 0.3
        higher = pw.catalogue()[name].direction == "higher"
        assert (one.z > 3) if higher else (one.z < -3)
    shuffled = pw.significance(a, rng.permutation(a), measure=names, draws=199, seed=1)
    for name in names:
        assert abs(shuffled[name].adjusted) < 0.2
    other = pw.significance(
        a, good, measure="purity", alternative="disagreement", draws=199, seed=1
    )
    assert other.p_value == 1.0
    both = pw.significance(
        a, good, measure="purity", alternative="two-sided", draws=199, seed=1
    )
    assert both.p_value == 2 / 200


def test_adjusted_value_of_the_rand_index_is_the_adjusted_rand_index():
    a = rng.integers(0, 4, 300)
    b = np.where(rng.random(300) < 0.4, a, rng.integers(0, 5, 300))

    def rand(table):
        return pw.rand_index(table)

    # of a function nothing is known
    options = {"direction": "higher", "best": 1, "draws": 1500, "seed": 5}
    one = pw.significance(a, b, measure=rand, **options)["rand"]
    exact = pw.adjusted_rand_index(a, b)
    assert abs(one.adjusted - exact) < 4 * one.adjusted_error < 1e-14
    # and a short run has no control to find that it is linear in the pairs
    short = pw.significance(a, b, measure=rand, **options | {"draws": 99})["rand"]
    assert short.adjusted_error > 1e-4
    assert abs(short.adjusted - exact) < 4 * short.adjusted_error


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ([], [], 1.0),
        ([0], [5], 1.0),
        ([0, 0, 0], [1, 1, 1], 1.0),
        ([0, 1, 2], [7, 8, 9], 1.0),
        ([0, 0, 1, 1], [5, 5, 6, 6], 1.0),
        ([0, 0, 0, 0], [0, 0, 1, 1], 0.0),
        ([0, 0, 1, 1], [0, 1, 2, 3], 0.0),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0.0),
    ],
)
def test_degenerate_tables(a, b, wanted):
    names = ["purity", "normalized_mutual_information", "pair_sets_index"]
    found = pw.significance(a, b, measure=names, draws=19, seed=2)
    for name in names:
        one = found[name]
        assert one.adjusted == wanted
        assert one.adjusted_error == 0.0
        assert math.isfinite(one.z)
        if wanted == 0.0:
            assert one.p_value == 1.0
            assert one.z == 0.0


def test_result_does_not_depend_on_workers_or_kernels(both, monkeypatch):
    a, b = rng.integers(0, 9, 400), rng.integers(0, 7, 400)
    found = []
    for impl in both.values():
        monkeypatch.setattr(_kernels, "impl", impl)
        for workers in (1, 3):
            null = pw.null_distribution(
                a, b, measure=["rand_index", "nvi"], draws=40, seed=9, workers=workers
            )
            found.append(null.values)
    assert all(np.array_equal(found[0], x) for x in found)
    assert len(np.unique(found[0][:, 0])) > 10  # the draws differ


def test_longer_runs_begin_like_shorter_ones_and_seeds_differ():
    a, b = rng.integers(0, 9, 300), rng.integers(0, 7, 300)
    long, short, other = (
        pw.null_distribution(a, b, measure="rand_index", draws=draws, seed=seed).values
        for draws, seed in ((30, 1), (10, 1), (10, 2))
    )
    assert np.array_equal(long[:10], short)
    assert not np.array_equal(short, other)
    fresh = pw.null_distribution(a, b, measure="rand_index", draws=5)
    again = pw.null_distribution(a, b, measure="rand_index", draws=5, seed=fresh.seed)
    assert np.array_equal(fresh.values, again.values)


def test_ties_count_as_extreme():
    # every table with these sizes has the same purity of the reference side
    found = pw.significance([0, 0, 0, 1], [0, 1, 2, 3], measure="purity", draws=50, seed=1)
    assert found.p_value == 1.0
    assert found["purity"].p_high == 1.0


def test_clopper_pearson_is_the_binomial_interval():
    for hits, trials in ((0, 20), (3, 20), (20, 20), (1, 999)):
        low, high = clopper_pearson(hits, trials, 0.95)
        wanted = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
        assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_default_measures_are_those_with_a_direction():
    found = pw.significance(
        [0, 0, 1, 1, 2], [0, 0, 1, 2, 2], measure="default", draws=5, seed=1
    )
    assert "nvi" in found.results
    assert "joint_entropy" not in found.results
    assert "css_distance" not in found.results


def test_reports():
    a, b = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2]
    found = pw.significance(a, b, measure=["purity", "mutual_information"], draws=30, seed=4)
    text = str(found)
    for part in ("30 random tables of 6 items", "seed 4", "Clopper-Pearson", "purity"):
        assert part in text
    plain = found.to_dict()
    assert plain["measures"]["purity"]["value"] == pw.purity(a, b)
    assert plain["measures"]["mutual_information"]["adjusted"] is None
    assert list(found.to_pandas().index) == ["purity", "mutual_information"]
    assert "null mean" in str(found.null)
    assert found.null.to_pandas().shape == (30, 2)
    assert len(found.null.to_dict()["values"]["purity"]) == 30
    with pytest.raises(ValueError, match="several measures"):
        _ = found.p_value


@pytest.mark.one_backend
def test_infinite_values_are_refused():
    """Their differences are no numbers, so that a tie with them would look extreme."""
    a, b = [0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 1, 1, 2, 2, 3, 0]

    def endless(table):
        return math.inf

    def odds(table):
        c = pw.pair_confusion(table)
        return c.n11 * c.n00 / (c.n10 * c.n01) if c.n10 * c.n01 else -math.inf

    refused = pytest.raises(ValueError, match=r"is infinite on \d+ tables.* math\.atan of this")
    with refused:
        pw.significance(a, b, measure=endless, draws=99, seed=1, alternative="two-sided")
    with refused:
        pw.bootstrap(a, b, measure=endless, draws=9, seed=1)
    with refused:
        pw.bootstrap(a, b, measure=odds, draws=200, seed=1)
    with refused:
        pw.jackknife(a, b, measure=endless)
    with refused:
        pw.paired_test(a, b, a, measure=endless, draws=9, seed=1)
    ranked = pw.significance(
        a, b, measure=lambda t: math.atan(endless(t)), draws=99, seed=1, alternative="two-sided"
    )
    assert ranked.p_value == 1


@pytest.mark.one_backend
def test_errors():
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]

    def cells(table):
        return table.n_cells

    def broken(table):
        return float("nan")

    with pytest.raises(ValueError, match="cells does not say which values mean agreement"):
        pw.significance(a, b, measure=cells)
    given = pw.significance(a, b, measure=cells, direction="lower", best=2, draws=9, seed=1)
    assert given["cells"].adjusted is not None
    with pytest.raises(ValueError, match="looks at the items themselves"):
        pw.null_distribution(a, b, measure="css_distance", features=[1, 2, 3, 4])
    with pytest.raises(ValueError, match="takes no weights"):
        pw.null_distribution(a, b, measure="purity", weights=[1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"broken has no value \(NaN\) on 1 tables"):
        pw.null_distribution(a, b, measure=broken)
    with pytest.raises(ValueError, match="draws=0"):
        pw.null_distribution(a, b, measure="purity", draws=0)
    with pytest.raises(ValueError, match=r"seed=-1"):
        pw.null_distribution(a, b, measure="purity", seed=-1)
    with pytest.raises(ValueError, match="below 2\\^64"):
        pw.null_distribution(a, b, measure="purity", seed=2**64)
    with pytest.raises(ValueError, match="purity twice"):
        pw.null_distribution(a, b, measure=["purity", "purity"])
    with pytest.raises(ValueError, match="measure is empty"):
        pw.null_distribution(a, b, measure=[])
    with pytest.raises(TypeError, match="measure=3"):
        pw.null_distribution(a, b, measure=3)
    with pytest.raises(ValueError, match="did you mean"):
        pw.significance(a, b, measure="purityy")
    with pytest.raises(ValueError, match="level=1"):
        pw.significance(a, b, measure="purity", level=1)
    big = pw.Contingency.from_counts([0, 1], [0, 1], [2**32, 5])
    with pytest.raises(ValueError, match="fewer than 2\\^32"):
        pw.null_distribution(big, measure="purity")


def test_resampled_places_are_uniform(both):
    compiled, plain = both["compiled"], both["numpy"]
    for n, draws in ((1, 3), (7, 500), (1000, 3), (0, 2), (5, 0)):
        found = compiled.resample(n, 2**64 - 1, 12, draws)
        assert found.dtype == np.int64
        assert np.array_equal(found, plain.resample(n, 2**64 - 1, 12, draws))
        assert (found.sum(axis=1) == n).all()
    found = compiled.resample(7, 5, 0, 3000)
    assert np.array_equal(found[20:], compiled.resample(7, 5, 20, 2980))
    assert stats.chisquare(found.sum(axis=0)).pvalue > 1e-3
    assert found[:, 0].var() == pytest.approx(7 * (1 / 7) * (6 / 7), rel=0.12)


@pytest.mark.one_backend
@given(st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_shuffling_at_once_is_swapping_step_by_step(n, seed):
    labels = np.arange(n) * 3
    for most in {0, n // 2, n}:
        steps = np.arange(most)
        partners = steps + np.random.default_rng(seed).integers(0, np.maximum(n - steps, 1))
        wanted = labels.tolist()
        for i, j in enumerate(partners.tolist()):
            wanted[i], wanted[j] = wanted[j], wanted[i]
        assert labels[_shuffle.after_swaps(partners, n)].tolist() == wanted


@pytest.mark.one_backend
def test_draws_of_one_word_are_independent_and_uniform():
    words = _shuffle.started(3, 4)
    # nearly half of all words are refused
    bounds = np.tile(np.array([56000, 55999, 55998, 55997], dtype=np.uint64), (3000, 1))
    found = _shuffle.digits_of_words(bounds, words)
    assert (found < bounds.astype(np.int64)).all()
    for numbers, bound in zip(found.T, bounds[0].tolist(), strict=True):
        assert stats.kstest((numbers + 0.5) / bound, "uniform").pvalue > 1e-3
    small = _shuffle.draws_below(np.full(6000, 5), np.full(6000, 4), words).reshape(6000, 5)
    numbers = np.ravel_multi_index(tuple(small[:, :4].T), (5, 4, 3, 2))
    assert stats.chisquare(np.bincount(numbers, minlength=120)).pvalue > 1e-3
    assert not small[:, 4].any()


@pytest.mark.one_backend
@pytest.mark.parametrize(
    "sizes", [((3, 2, 1), (2, 2, 2)), ((4, 2), (3, 2, 1)), ((3, 3), (3, 3))]
)
def test_known_moments_are_those_over_all_permutations(sizes):
    a, b = (np.repeat(np.arange(len(x)), x) for x in sizes)
    tables = [pw.contingency(a, b[list(order)]) for order in permutations(range(6))]
    rows = {name: row for name, row in pw.catalogue().items() if row.computation.under_chance}
    rows |= {name: find(name) for name in ("adjusted_rand_index(maximum=min)", "nvi(base=2)")}
    assert {row.computation.under_chance for row in rows.values()} == {
        "pairs",
        "information",
        "zero",
    }
    for name, row in rows.items():
        values = np.array([row(table) for table in tables])
        known = known_moments(tables[0], row)
        assert known.mean == pytest.approx(values.mean(), rel=1e-12, abs=1e-12), name
        assert (known.deviation is None) == (row.computation.under_chance != "pairs")
        if known.deviation is not None:
            assert known.deviation == pytest.approx(values.std(), rel=1e-12), name


@pytest.mark.one_backend
def test_significance_says_which_moments_are_exact():
    a, b = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2]
    names = ["rand_index", "v_measure", "purity", "adjusted_mutual_information"]
    found = pw.significance(a, b, measure=names, draws=99, seed=1)
    assert [found[name].moments for name in names] == [
        *("exact", "exact mean", "sampled", "exact mean")
    ]
    assert found["rand_index"].z == pytest.approx(pw.standardized_rand_index(a, b), rel=1e-12)
    assert found["rand_index"].adjusted == pytest.approx(pw.adjusted_rand_index(a, b))
    assert found["rand_index"].adjusted_error == 0
    adjusted = pw.adjusted_mutual_information(a, b)
    assert found["v_measure"].adjusted == pytest.approx(adjusted, rel=1e-12)
    assert found["purity"].adjusted_error > 0
    assert "exact mean" in str(found)
    # what is not linear in them, or another model, is sampled
    names = ["jaccard", "normalized_mutual_information(average=joint)"]
    names += ["adjusted_rand_index(model=num)", "adjusted_mutual_information(model=num)"]
    found = pw.significance(a, b, measure=names, draws=9, seed=1)
    assert {found[name].moments for name in names} == {"sampled"}
    one = pw.significance([0, 0, 0, 1], [0, 0, 1, 1], measure="rand_index", draws=9, seed=1)
    assert (one.z, one.adjusted) == (0.0, 0.0)


def test_standardized_information_against_all_permutations():
    a, b = np.repeat([0, 1, 2], [3, 2, 2]), np.array([0, 0, 1, 1, 1, 2, 2])
    values = [pw.mutual_information(a, b[list(order)]) for order in permutations(range(7))]
    wanted = (pw.mutual_information(a, b) - np.mean(values)) / np.std(values)
    found = pw.standardized_mutual_information(a, b, draws=1500, seed=2)
    assert found.expected == pytest.approx(np.mean(values), rel=1e-12)
    assert 0 < found.standard_error < 0.07 * abs(wanted)
    assert abs(found.value - wanted) < 4 * found.standard_error
    assert float(found) == found.value
    few, again = (
        pw.standardized_mutual_information(a, b, draws=100, seed=2, workers=workers)
        for workers in (1, 3)
    )
    assert again == few


@pytest.mark.one_backend
def test_the_error_of_standardized_information_is_its_spread_over_seeds():
    own = np.random.default_rng(3)
    a, b = own.integers(0, 3, 40), own.integers(0, 4, 40)
    b[:20] = a[:20]
    found = [pw.standardized_mutual_information(a, b, draws=100, seed=i) for i in range(150)]
    spread = np.std([one.value for one in found])
    assert spread == pytest.approx(np.mean([one.standard_error for one in found]), rel=0.25)


@pytest.mark.one_backend
def test_standardized_information_where_nothing_varies():
    for a, b in (([0, 0, 1], [0, 0, 0]), ([0, 0, 0, 1], [0, 0, 1, 1]), ([], [])):
        found = pw.standardized_mutual_information(a, b, draws=5, seed=1)
        assert (found.value, found.standard_error) == (0.0, 0.0)
    with pytest.raises(ValueError, match="draws=1 must be"):
        pw.standardized_mutual_information([0, 1], [0, 1], draws=1)
    with pytest.raises(ValueError, match="takes no weights"):
        pw.standardized_mutual_information([0, 1], [0, 1], weights=[1, 2])


# ---- control variates --------------------------------------------------------------

CONTROLLED = ["f_measure", "pair_sets_index", "b_cubed_f1", "jaccard"]


@pytest.mark.long
@pytest.mark.one_backend
def test_controlled_means_are_true_and_their_errors_honest():
    a, b = [0, 0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 2, 2]
    tables = [pw.contingency(a, np.array(b)[list(order)]) for order in permutations(range(7))]
    runs = [
        pw.significance(a, b, measure=CONTROLLED, draws=200, seed=seed) for seed in range(100)
    ]
    for name in CONTROLLED:
        row = pw.catalogue()[name]
        exact = np.mean([row(table) for table in tables])
        found = [run[name] for run in runs]
        assert {one.moments for one in found} == {"controlled"}, name
        means = np.array([one.mean for one in found])
        best = row.value_if_identical
        value = row(pw.contingency(a, b))
        errors = np.array(
            [one.adjusted_error * (best - one.mean) ** 2 / abs(value - best) for one in found]
        )
        off = (means - exact) / errors
        assert abs(off.mean()) < 0.35, name
        assert 0.8 < off.std() < 1.3, name
        plain = np.array([run.null[name].mean() for run in runs])
        assert means.std() < 0.8 * plain.std(), name


@pytest.mark.one_backend
def test_controls_are_left_out_of_the_result_and_of_short_runs():
    a, b = [0, 0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 2, 2]
    found = pw.significance(a, b, measure="purity", draws=200, seed=1)
    assert found.null.measures == ("purity",)
    assert found.null.values.shape == (200, 1)
    assert list(found.results) == ["purity"]
    short = pw.significance(a, b, measure="purity", draws=99, seed=1)
    assert short["purity"].moments == "sampled"
    assert short["purity"].mean == short.null.mean[0]
    # the draws, and so the p-value, are those of a run without controls
    plain = pw.null_distribution(a, b, measure="purity", draws=200, seed=1)
    assert np.array_equal(found.null.values, plain.values)


@pytest.mark.one_backend
def test_a_control_that_tells_nothing_is_not_used():
    values = np.random.default_rng(0).normal(size=400)
    for drawn in (np.zeros((400, 2)), np.ones((400, 2)) * 5.0):
        assert sharpened(values, drawn, np.array([1.0, 2.0])) is None


@pytest.mark.parametrize(
    "measure", ["mutual_information", "adjusted_mutual_information", "variation_of_information"]
)
def test_what_sizes_decide_is_kept_for_random_tables_only(measure, kernels):
    """Values from kept sums have the bits of values of a table made anew."""
    a, b = rng.integers(0, 40, 300), rng.integers(0, 90, 300)
    table = pw.contingency(a, b)
    function = getattr(pw, measure)
    function(table)
    for draw in range(3):
        one = random_table(table, 8, draw)
        rows, cols = np.repeat(one.rows, one.counts), np.repeat(one.cols, one.counts)
        assert function(one) == function(rows, cols)
    assert function(pw.contingency(b, a)) == pytest.approx(function(table), rel=1e-12)
    other = pw.contingency(np.append(a, 0), np.append(b, 0))
    assert function(other) == function(np.append(a, 0), np.append(b, 0))


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2]),
        ([0] * 5 + [1] * 3, [*range(4), 0] + [1] * 3),
    ],
)
def test_adjusted_values_against_all_permutations(a, b):
    """Mean, deviation and adjusted value of measures without a formula for chance."""
    best = {
        "pair_sets_index": 1.0,
        "purity": 1.0,
        "f_measure": 1.0,
        "van_dongen(normalized=True)": 0.0,
    }
    everything = [pw.contingency(a, order) for order in sorted(set(permutations(b)))]
    found = pw.significance(a, b, measure=list(best), draws=2000, seed=11)
    for name, ideal in best.items():
        row, one = find(name), found[name]
        values = np.array([row(table) for table in everything])
        mean, deviation = values.mean(), values.std()
        assert one.moments in ("sampled", "controlled")
        assert abs(one.mean - mean) < 3.5 * deviation / math.sqrt(2000)
        assert one.standard_deviation == pytest.approx(deviation, rel=0.1)
        wanted = (one.value - mean) / (ideal - mean)
        assert abs(one.adjusted - wanted) <= 4 * one.adjusted_error + 1e-12
        extreme = values >= one.value - 1e-12 if ideal else values <= one.value + 1e-12
        assert one.p_low - 0.01 <= extreme.mean() <= one.p_high + 0.01
