"""Correction for chance: exact expectations, against enumeration and 50-digit sums."""

import math
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf

import cases
import definitions
import partwise as pw
from partwise import _kernels
from partwise.measures.chance import random_models
from partwise.measures.chance.adjusted import AVERAGES
from partwise.measures.chance.expected import constant
from partwise.measures.chance.random_models import distinct_sizes, random_profile
from strategies import clusterings, partitions

BUGS = cases.load("chance_bug_cases.json")["cases"]
UNIT = 2**160
MARGINS = [
    ([1], [1]),
    ([2, 1], [2, 1]),
    ([1] * 5, [3, 2]),
    ([3, 3], [2, 2, 2]),
    ([4, 1, 1], [3, 2, 1]),
    ([5, 2], [6, 1]),
    ([2, 2, 2, 1], [4, 3]),
]


def labels(sizes):
    return [i for i, size in enumerate(sizes) for _ in range(size)]


def arrangements(sizes):
    """All orders of the items of one side (equal ones once: they are equally frequent)."""
    return sorted(set(permutations(labels(sizes))))


def profile(*sizes):
    """Distinct sizes and how many clusters have each, as the kernels take them."""
    return distinct_sizes(np.array(sizes, dtype=np.int64))[:2]


# ---- bug cases ---------------------------------------------------------------------------


def expand(side, n):
    if isinstance(side, list):
        return side
    if isinstance(side, dict):
        value = side.get("repeat")
        return [value[0]] * value[1] if value else list(range(side["range"]))
    if match := re.fullmatch(r"i % (\d+)", side):
        return [i % int(match[1]) for i in range(n)]
    match = re.fullmatch(r"one pair \{(\d+),(\d+)\}, \d+ singletons", side)
    x, y = int(match[1]), int(match[2])
    return [x if i == y else i for i in range(n)]


def value_of(measure, table):
    if match := re.fullmatch(r"AMI\((.*)\)", measure):
        words = AVERAGES if match[1] == "all averages" else match[1].split(",")
        return [pw.adjusted_mutual_information(table, average=word) for word in words]
    functions = {
        "AMI": pw.adjusted_mutual_information,
        "ARI": pw.adjusted_rand_index,
        "EMI (nats)": pw.expected_mutual_information,
        "Rand index": pw.rand_index,
    }
    return [functions[name](table) for name in measure.split(", ")]


@pytest.mark.parametrize("case", BUGS, ids=lambda case: case["id"])
def test_bug_case(case):
    given = case["input"]
    if "contingency" in given:
        table = pw.Contingency.from_dense(given["contingency"])
    else:
        n = given.get("n")
        sides = [expand(given[side], n) for side in ("labels_true", "labels_pred")]
        table = pw.contingency(*sides)
    wanted = Fraction(case.get("exact", case["expected"]))
    allowed = max(case["tolerance"], 4 * math.ulp(float(wanted))) if case["tolerance"] else 0
    for found in value_of(case["measure"], table):
        assert abs(Fraction(found) - wanted) <= allowed, found


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(("a", 0, 1), "value"), (([0.5], 0, 1), "value"), ((0.5, None, 1), "expected")],
)
def test_an_index_that_is_adjusted_is_a_number(arguments, name):
    with pytest.raises(ValueError, match=f"^{name}=.* must be a number"):
        pw.adjust(*arguments)
    with pytest.raises(ValueError, match="maximum='x' must be a number"):
        pw.adjust(0.5, 0, "x")


# ---- permutations ------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols"), MARGINS)
def test_expectation_is_the_mean_over_all_permutations(rows, cols):
    a, every = labels(rows), arrangements(cols)
    mean = sum(definitions.mutual_information(a, b) for b in every) / len(every)
    assert abs(pw.expected_mutual_information(a, labels(cols)) - mean) < 1e-15
    rand = sum(definitions.rand_index(a, b) for b in every) / len(every)
    assert pw.expected_rand_index(a, labels(cols)) == float(rand)
    adjusted = [pw.adjusted_mutual_information(a, b) for b in every]
    if not {1, len(a)} & {len(rows), len(cols)}:
        assert abs(math.fsum(adjusted)) < 1e-14 * len(every)


@cache
def exact_sums(a, b, n):
    """E[M ln M] and E[M ln(M / mu) - M + mu], the weights by their recurrence in 50 digits."""
    low, high = max(0, a + b - n), min(a, b)
    mode = min(max((a + 1) * (b + 1) // (n + 2), low), high)
    weights = {mode: mpf(1)}
    for m in range(mode, high):
        weights[m + 1] = weights[m] * (a - m) * (b - m) / ((m + 1) * (n - a - b + m + 1))
        if weights[m + 1] < mpf(10) ** -60:
            break
    for m in range(mode, low, -1):
        weights[m - 1] = weights[m] * m * (n - a - b + m) / ((a - m + 1) * (b - m + 1))
        if weights[m - 1] < mpf(10) ** -60:
            break
    mu, total = mpf(a) * b / n, sum(weights.values())
    overlap = divergence = mpf(0)
    for m, weight in weights.items():
        if m:
            overlap += weight * m * mpmath.log(m)
            divergence += weight * m * mpmath.log(m / mu)
        divergence += weight * (mu - m)
    return overlap / total, divergence / total


SIZES = [
    (2, 2, 2),
    (5, 4, 4),
    (10, 8, 9),
    (1000, 996, 234),
    (1000, 1000, 77),
    (1000, 2, 335),
    (10**4, 43, 57),
    (10**4, 5000, 5000),
    (10**4, 2449, 2449),  # on either side of where the series begins
    (10**4, 2450, 2450),
    (10**4, 9997, 305),
    (10**4, 1, 9999),
    (10**6, 2, 3),
    (10**6, 1, 2),
    (10**6, 20000, 29999),
    (10**6, 20000, 30000),
    (10**6, 500000, 499999),
    (10**6, 999998, 300),
    (10**6, 999998, 3000),
    (10**6, 1200, 800),
]


@pytest.mark.parametrize(("n", "a", "b"), SIZES)
def test_pairs_of_sizes_to_fifty_digits(n, a, b):
    found = _kernels.impl.expected_sums(*profile(a), *profile(b), n)
    for value, wanted in zip(found, exact_sums(a, b, n), strict=True):
        assert abs(mpf(value) / UNIT - wanted) <= mpf(3e-15) * wanted + mpf(10) ** -45


MIXED = [
    (10**4, [5000, 2500, 1250, 625, 600, 25], [1] * 3000 + [3500, 3500]),
    (10**5, [33333, 33333, 33334], [1] * 100 + [900] * 111),
    (10**6, [10**6 - 3, 2, 1], [10**6 // 2] * 2),
    (10**6, [2] * 5 + [10**6 - 10], [7] * 9 + [10**6 - 63]),
    (10**6, [10**5] * 9 + [10**4] * 9 + [10**3] * 10, [400] * 2500),
]


@pytest.mark.parametrize(("n", "rows", "cols"), MIXED)
def test_expected_information_to_fifty_digits(n, rows, cols):
    wanted = mpf(0)
    for a, s in Counter(rows).items():
        for b, t in Counter(cols).items():
            wanted += s * t * exact_sums(a, b, n)[1] / n
    table = pw.Contingency.from_counts(*northwest(rows, cols))
    assert abs(pw.expected_mutual_information(table) - wanted) <= mpf(4e-15) * wanted


def northwest(rows, cols):
    """Some table with these margins, as triples."""
    rows, cols, found = list(rows), list(cols), []
    i = j = 0
    while i < len(rows) and j < len(cols):
        count = min(rows[i], cols[j])
        found.append((i, j, count))
        rows[i] -= count
        cols[j] -= count
        i, j = i + (rows[i] == 0), j + (cols[j] == 0)
    return [list(part) for part in zip(*found, strict=True)]


# ---- the two kernels ----------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 7, 100, 3000, 10**5, 10**7, 10**12, 2**61])
def test_kernels_and_sides_give_the_same_bits(n, both):
    rng = np.random.default_rng(n % 1000)
    top = math.log(n) if n > 1 else 0.0
    for _ in range(4):
        rows, cols = (
            np.unique(np.clip(np.exp(rng.random(size) * top).astype(np.int64), 1, n))
            for size in (40, 70)
        )
        rows = np.append(rows, n)
        weights = rng.random(len(rows)) / rows, rng.random(len(cols)) / cols
        before = rows.copy(), cols.copy()
        found = [
            kernel.expected_sums(rows, weights[0], cols, weights[1], n)
            for kernel in both.values()
        ]
        assert found[0] == found[1]
        assert all(type(x) is int for x in found[0])
        for count in (2, 3, 64):
            sides = rows, weights[0], cols, weights[1]
            assert both["compiled"].expected_sums(*sides, n, count) == found[0]
        turned = both["compiled"].expected_sums(cols, weights[1], rows, weights[0], n)
        assert turned == found[0]
        order = rng.permutation(len(cols))
        moved = both["compiled"].expected_sums(
            rows, weights[0], cols[order], weights[1][order], n
        )
        assert moved == found[0]
        assert (rows == before[0]).all()
        assert (cols == before[1]).all()


def test_nothing_to_add_up():
    none = profile()
    assert _kernels.impl.expected_sums(*none, *profile(3), 3) == (0, 0)
    assert _kernels.impl.expected_sums(*profile(3), *none, 3) == (0, 0)


def test_tiny_and_huge_terms_are_kept():
    """Two pairs among 2^40 items: G = 2 ln 2 / C(n, 2), far below the unit of x ln x."""
    n = 2**40
    overlap, _ = _kernels.impl.expected_sums(*profile(2), *profile(2), n)
    wanted = 2 * mpmath.log(2) / (mpf(n) * (n - 1) / 2)
    assert abs(mpf(overlap) / UNIT / wanted - 1) < 1e-15
    huge = 2**60
    overlap, divergence = _kernels.impl.expected_sums(*profile(huge), *profile(huge), 2**61)
    assert abs(overlap / UNIT / (2**59 * math.log(2**59)) - 1) < 1e-15
    assert abs(divergence / UNIT - 0.125) < 1e-15


def test_sums_may_grow_to_the_bound(kernels):
    """Powers of two as weights only shift a sum, up to the 2^95 that it may have."""
    sizes, ones = np.array([2**60]), np.ones(1)
    plain = _kernels.impl.expected_sums(sizes, ones, sizes, ones, 2**61)
    for power in (10, 14, 15):
        heavy = ones * 2.0**power
        found = _kernels.impl.expected_sums(sizes, heavy, sizes, heavy, 2**61)
        assert found == tuple(value << 2 * power for value in plain)
        assert found[0] < UNIT << 95


@given(sizes=st.lists(st.integers(1, 400) | st.integers(20_000, 20_010), max_size=60))
def test_distinct_sizes_counts(sizes):
    distinct, numbers = profile(*sizes)
    wanted = Counter(sizes)
    assert distinct.tolist() == sorted(wanted)
    assert numbers.tolist() == [wanted[size] for size in sorted(wanted)]


# ---- laws ----------------------------------------------------------------------------------


@given(pair=clusterings())
def test_adjusted_information_keeps_its_laws(pair):
    a, b = pair
    table = pw.contingency(a, b)
    expected = pw.expected_mutual_information(table)
    entropies = pw.entropy(a), pw.entropy(b)
    assert 0 <= expected <= min(entropies) * (1 + 1e-15)
    values = {word: pw.adjusted_mutual_information(table, average=word) for word in AVERAGES}
    assert max(values.values()) <= 1
    assert abs(values["min"]) >= abs(values["geometric"]) - 1e-14
    assert abs(values["geometric"]) >= abs(values["arithmetic"]) - 1e-14
    assert abs(values["arithmetic"]) >= abs(values["max"]) - 1e-14
    assert pw.adjusted_variation_of_information(table) == values["arithmetic"]
    if 1 in table.shape or len(a) in table.shape:
        same = table.n_cells == table.shape[0] == table.shape[1]
        assert set(values.values()) == {1.0 if same else 0.0}


def test_theorem_1_of_psi_does_not_hold():
    """E14: NMI = 1 - NVI and AMI = AVI, but NMI is not AMI."""
    a, b = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 1]
    nmi = pw.normalized_mutual_information(a, b)
    assert math.isclose(nmi, 1 - pw.normalized_variation_of_information(a, b, norm="sum"))
    ami = pw.adjusted_mutual_information(a, b)
    assert ami == pw.adjusted_variation_of_information(a, b)
    assert math.isclose(ami, 1 / 6)
    assert round(nmi, 4) == 0.5794


# ---- moments of the pair count -----------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols"), MARGINS)
def test_moments_are_those_of_all_permutations(rows, cols):
    a, every = labels(rows), arrangements(cols)
    counts = [definitions.pairs(a, b)[0] for b in every]
    found = pw.pair_count_moments(a, labels(cols))
    mean = Fraction(sum(counts), len(counts))
    assert found.mean == mean
    assert found.variance == sum((x - mean) ** 2 for x in counts) / len(counts)
    for values, variance in (
        ([definitions.rand_index(a, b) for b in every], found.rand_variance),
        ([definitions.adjusted_rand_index(a, b) for b in every], found.adjusted_rand_variance),
    ):
        centre = Fraction(sum(values), len(values))
        wanted = sum((x - centre) ** 2 for x in values) / len(values)
        assert variance == wanted


@given(pair=clusterings())
def test_standardised_indices_are_one_number(pair):
    a, b = pair
    found = pw.pair_count_moments(a, b)
    assert found.z == pw.standardized_rand_index(a, b)
    assert found.variance >= 0
    deviation = math.sqrt(found.rand_variance)
    rand = pw.rand_index(a, b) - pw.expected_rand_index(a, b)
    assert abs(rand - found.z * deviation) < 1e-12
    if found.variance:
        adjusted = found.z * math.sqrt(found.adjusted_rand_variance)
        assert math.isclose(adjusted, pw.adjusted_rand_index(a, b), abs_tol=1e-12)


def test_moments_of_very_many_items():
    """In doubles the variance would be lost; the counts pass 64 bits."""
    n = 3 * 2**40
    table = pw.Contingency.from_counts([0, 0, 1, 1], [0, 1, 0, 1], [n, n, n, n + 1])
    found = pw.pair_count_moments(table)
    # two by two: X is a quadratic of one hypergeometric number
    assert 0 < found.variance < found.mean
    assert abs(found.z + 2**-0.5) < 1e-6


def test_moments_refuse_weights():
    with pytest.raises(ValueError, match="takes no weights"):
        pw.pair_count_moments([0, 0, 1], [0, 1, 1], weights=[1.0, 2.0, 3.0])


# ---- other random models -------------------------------------------------------------------


def drawn(labeling, model):
    n, k = len(labeling), len(set(labeling))
    return [p for p in partitions(n) if model == "all" or len(set(p)) == k]


@pytest.mark.long
@pytest.mark.parametrize("model", ["num", "all"])
@pytest.mark.parametrize("sides", ["both", "candidate"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0, 0, 1], [0, 1, 1]),
        ([0, 0, 1, 1, 2], [0, 1, 1, 2, 0]),
        ([0, 1, 2, 3, 4], [0, 0, 0, 1, 1]),
        ([0, 0, 0, 0, 0], [0, 0, 0, 1, 2]),
    ],
)
def test_models_by_all_partitions(a, b, model, sides):
    left = drawn(a, model) if sides == "both" else [a]
    every = [(x, y) for x in left for y in drawn(b, model)]
    options = {"model": model, "sides": sides}
    rand = sum(definitions.rand_index(x, y) for x, y in every) / len(every)
    assert abs(pw.expected_rand_index(a, b, **options) - rand) < 1e-15
    mean = sum(definitions.mutual_information(x, y) for x, y in every) / len(every)
    assert abs(pw.expected_mutual_information(a, b, **options) - mean) < 3e-15
    found = pw.adjusted_rand_index(a, b, **options)
    if rand != 1:
        assert abs(found - (definitions.rand_index(a, b) - rand) / (1 - rand)) < 1e-15
    most = [definitions.entropy(a), definitions.entropy(b)]
    for side in (0, 1) if sides == "both" else (1,):
        most[side] = mpmath.log(len(set((a, b)[side])) if model == "num" else len(a))
    ami = pw.adjusted_mutual_information(a, b, average="max", **options)
    if len({definitions.mutual_information(x, y) for x, y in every}) > 1:
        information = definitions.mutual_information(a, b)
        assert abs(ami - (information - mean) / (max(most) - mean)) < 1e-14
    else:
        assert ami == (1.0 if definitions.same(a, b) else 0.0)


@pytest.mark.one_backend
@pytest.mark.parametrize("n", [201, 350])
@pytest.mark.parametrize("k", [None, 2, 3, 17, 100, 196, 199])
def test_sizes_of_random_clusterings(n, k, monkeypatch):
    """The sums for many items against Stirling and Bell numbers."""
    model = "all" if k is None else "num"
    found = random_profile(n, k or 0, model)
    monkeypatch.setattr(random_models, "_EXACT_UP_TO", n)
    exact = random_profile.__wrapped__(n, k or 0, model)
    wanted = dict(zip(exact.sizes.tolist(), exact.numbers.tolist(), strict=True))
    for size, number in zip(found.sizes.tolist(), found.numbers.tolist(), strict=True):
        assert abs(number - wanted.pop(size)) < 1e-12 * exact.numbers.max()
    assert sum(wanted.values()) < 1e-15 * exact.numbers.max()
    assert math.isclose(found.together(), exact.together(), rel_tol=3e-13)


@pytest.mark.one_backend
def test_strided_sizes_of_few_random_clusters(monkeypatch):
    """At more than 200 items a cluster not every size is visited."""
    n, k = 1500, 5
    strided = random_profile(n, k, "num")
    monkeypatch.setattr(random_models, "_EXACT_UP_TO", n)
    exact = random_profile.__wrapped__(n, k, "num")
    assert len(strided.sizes) < len(exact.sizes) / 4
    assert math.isclose(strided.together(), exact.together(), rel_tol=1e-14)
    found = [
        _kernels.impl.expected_sums(*part[:2], *profile(500, 400, 600), n)[1] / UNIT
        for part in (strided, exact)
    ]
    assert math.isclose(*found, rel_tol=1e-12)


@pytest.mark.one_backend
@pytest.mark.parametrize(("n", "k"), [(10**15, 3), (10**17, 5), (2**62, 3), (2**54, 2)])
def test_sizes_of_clusterings_with_more_items_than_a_double_can_count(n, k):
    found = random_profile(n, k, "num")
    sizes, numbers = found.sizes.astype(float), found.numbers
    assert numbers.sum() == pytest.approx(k, rel=1e-12)
    mean = (sizes * numbers).sum() / k
    assert mean == pytest.approx(n / k, rel=1e-12)
    # each item is in any of the clusters: binomial, but for the empty ones
    variance = (numbers * (sizes - mean) ** 2).sum() / k
    assert variance == pytest.approx(n / k * (1 - 1 / k), rel=1e-6)


@pytest.mark.one_backend
def test_two_random_clusters_of_very_many_items_agree_on_half_of_the_pairs():
    table = pw.Contingency.from_counts([0, 1], [0, 1], [2**54, 2**54 + 6])
    assert pw.expected_rand_index(table, model="num") == pytest.approx(0.5, abs=1e-9)


def test_maximum_of_the_pair_count():
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    n11, n10, n01, n00 = definitions.pairs(a, b)
    p, q, total = n11 + n10, n11 + n01, n11 + n10 + n01 + n00
    expected = Fraction(p * q, total)
    most = {"arithmetic": Fraction(p + q, 2), "min": min(p, q), "max": max(p, q), "all": total}
    for word, maximum in most.items():
        found = pw.adjusted_rand_index(a, b, maximum=word)
        assert found == float((n11 - expected) / (maximum - expected))
    root = pw.adjusted_rand_index(a, b, maximum="geometric")
    assert root == pw.adjusted_fowlkes_mallows(a, b)


@pytest.mark.parametrize(
    ("call", "fragment"),
    [
        (lambda: pw.adjusted_rand_index([0], [0], model="perms"), "model='perms'"),
        (lambda: pw.expected_rand_index([0], [0], sides="reference"), "sides='reference'"),
        (lambda: pw.adjusted_rand_index([0], [0], maximum="mean"), "maximum='mean'"),
        (lambda: pw.adjusted_mutual_information([0], [0], normalizer=1), "normalizer=1"),
        (
            lambda: pw.adjusted_rand_index([0, 0], [0, 1], maximum="all", model="all"),
            'goes with model="perm" only',
        ),
        (
            lambda: pw.adjusted_mutual_information(
                [0] * 9 + [1], [1] + [0] * 9, model="all", normalizer="entropy"
            ),
            "expected by chance already",
        ),
    ],
)
def test_wrong_options_are_sentences(call, fragment):
    with pytest.raises(ValueError, match=re.escape(fragment)):
        call()


@pytest.mark.parametrize("model", ["num", "all"])
@pytest.mark.parametrize("sides", ["both", "candidate"])
@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_flat_clusterings_have_a_value_under_every_model(model, sides, average):
    options = {"model": model, "sides": sides, "average": average, "normalizer": "entropy"}
    for n in range(7):
        flat = [0] * n, list(range(n)), [i % 2 for i in range(n)], [i // 3 for i in range(n)]
        for a, b in product(flat, flat):
            if not {1, n}.isdisjoint((len(set(a)), len(set(b)))):
                value = pw.adjusted_mutual_information(a, b, **options)
                assert value <= 1
        for a in (*flat, [0] * n + [1]):
            assert pw.adjusted_mutual_information(a, a, **options) == 1
    assert pw.adjusted_mutual_information([0, 0], [0, 1], **options | {"average": "min"}) == 0


@pytest.mark.one_backend
def test_options_of_the_rand_index_go_below_minus_a_half():
    a, b = [0, 0, 1, 2, 3, 4], [9, 0, 0, 0, 0, 0]
    assert pw.adjusted_rand_index(a, b, maximum="min") == -2
    c, d = [4, 0, 2, 3, 0, 4, 3, 5], [2, 0, 0, 1, 0, 0, 0, 0]
    assert pw.adjusted_rand_index(c, d, model="num") < -0.5
    assert pw.adjusted_rand_index(c, d, model="all") < -0.5
    for n in range(1, 6):
        for x, y in product(partitions(n), partitions(n)):
            for word in ("arithmetic", "geometric", "max", "all"):
                assert pw.adjusted_rand_index(x, y, maximum=word) >= -0.5


@pytest.mark.parametrize("options", [{"model": "num"}, {"model": "all", "sides": "candidate"}])
def test_models_without_items_or_with_one(options):
    for labeling in ([], [3]):
        assert pw.expected_mutual_information(labeling, labeling, **options) == 0.0
        assert pw.expected_rand_index(labeling, labeling, **options) == 1.0
        assert pw.adjusted_mutual_information(labeling, labeling, **options) == 1.0
        assert pw.adjusted_rand_index(labeling, labeling, **options) == 1.0


@pytest.mark.one_backend
def test_ami_is_0_where_every_permutation_gives_one_table():
    """All pairs of sizes of up to seven items: one table, up to labels, or several."""
    for n in range(2, 8):
        for a in sizes_of(n):
            for b in sizes_of(n):
                rows = np.repeat(np.arange(len(a)), a)
                cols = np.repeat(np.arange(len(b)), b)
                seen = {
                    tuple(sorted(pw.contingency(rows, cols[list(order)]).counts.tolist()))
                    for order in orders(n)
                }
                table = pw.contingency(rows, cols[list(orders(n)[-1])])
                assert constant(table) == (len(seen) == 1), (a, b)
                if len(seen) == 1:
                    for average in AVERAGES:
                        found = pw.adjusted_mutual_information(table, average=average)
                        assert found == (1.0 if table.n_cells == len(a) == len(b) else 0.0)


def sizes_of(n, most=None):
    """All lists of sizes that add up to n, descending."""
    if n == 0:
        return [()]
    tops = range(min(n, most or n), 0, -1)
    return [(k, *rest) for k in tops for rest in sizes_of(n - k, k)]


@cache
def orders(n):
    """Enough orders of n items: all for few, else many random ones."""
    if n <= 4:
        return list(permutations(range(n)))
    own = np.random.default_rng(n)
    return [tuple(own.permutation(n)) for _ in range(60)]


# ---- many pairs of small expected overlap --------------------------------------------------

MANY_SMALL = {
    "few items": (200, np.arange(1, 35), np.arange(1, 36)),
    "one octave": (10**7, np.arange(1024, 1058), np.arange(1500, 1532)),
    "just within": (1 << 20, np.arange(2025, 2049), np.arange(2025, 2049)),
    "on either side": (1 << 20, np.arange(2036, 2060), np.arange(2036, 2060)),
    "half of the items": (10**6, np.arange(1, 12), np.arange(499_900, 500_010)),
    "nearly all items": (10**6, np.arange(1, 12), np.arange(999_890, 10**6)),
    "most items": ((1 << 63) - 1, (1 << 61) * np.arange(1, 4), np.arange(1, 25)),
    "powers of two": (1 << 50, 1 << np.arange(33), 1 << np.arange(33)),
}


@pytest.mark.long
@pytest.mark.parametrize("name", MANY_SMALL)
@pytest.mark.parametrize("weights", ["ones", "steep"])
def test_many_small_overlaps_to_fifty_digits(name, weights, kernels):
    n, rows, cols = MANY_SMALL[name]
    own = np.random.default_rng(5)
    u, v = (
        np.ones(len(x)) if weights == "ones" else 10.0 ** own.uniform(-30, 9, len(x))
        for x in (rows, cols)
    )
    wanted = [mpf(0), mpf(0)]
    for a, p in zip(rows.tolist(), u.tolist(), strict=True):
        for b, q in zip(cols.tolist(), v.tolist(), strict=True):
            for i, value in enumerate(exact_sums(a, b, n)):
                wanted[i] += mpf(p) * mpf(q) * value
    found = _kernels.impl.expected_sums(rows, u, cols, v, n)
    for value, exact in zip(found, wanted, strict=True):
        assert abs(mpf(value) / UNIT - exact) <= mpf(2e-15) * exact


def test_what_the_series_leaves_out():
    """d_m falls, and partial sums are too large and too small in turn."""
    d = {
        m: (-1) ** m
        * sum((-1) ** (m - j) * math.comb(m, j) * j * mpmath.log(j) for j in range(1, m + 1))
        for m in range(2, 40)
    }
    assert all(d[m] > d[m + 1] > 0 for m in range(2, 39))
    n, a, b = 4096, 128, 120
    exact = exact_sums(a, b, n)[0]
    moment, total = mpf(a) * b / n, mpf(0)
    for m in range(2, 40):
        moment *= mpf(a - m + 1) * (b - m + 1) / (n - m + 1) / m
        before, total = total, total + (-1) ** m * d[m] * moment
        assert min(before, total) < exact + mpf(10) ** -40
        assert max(before, total) > exact - mpf(10) ** -40
        if m == 35:  # the first that is left out
            assert d[m] * moment < exact * mpf(2) ** -60


def test_many_small_overlaps_in_both_kernels(both):
    own = np.random.default_rng(6)
    for n, top in ((150, 150), (10**4, 10**4), (10**7, 10**4), (2**61, 2**61), (2**61, 4000)):
        rows, cols = (
            np.unique(np.exp(own.random(100) * math.log(top)).astype(np.int64))
            for _ in range(2)
        )
        u, v = (10.0 ** own.uniform(-320, 9, len(x)) for x in (rows, cols))
        u[0], v[-1] = 0.0, 5e-324
        found = [kernel.expected_sums(rows, u, cols, v, n) for kernel in both.values()]
        assert found[0] == found[1]
        assert found[0] == both["compiled"].expected_sums(cols, v, rows, u, n)
        turned = rows[::-1].copy(), u[::-1].copy(), cols[::-1].copy(), v[::-1].copy()
        assert found[0] == both["compiled"].expected_sums(*turned, n)
        assert found[0] == both["numpy"].expected_sums(*turned, n)
