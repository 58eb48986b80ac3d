"""What is compared by no entry of the catalogue, against 100 digits: within its stated bound.

Inputs are those on which sums of doubles lose digits: heights below the normal numbers or
beyond 1e300, memberships many powers of ten apart, clusters that differ by one item, a million
items of which two are in a cluster, walks that hardly end.
"""

import math
import random
from fractions import Fraction
from functools import partial
from itertools import combinations

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

import coreference_definitions
import coreference_score_definitions
import cover_definitions
import partwise as pw
import soft_definitions
from coreference_oracle import CONVENTIONS
from partwise.measures.error_bound import OUTSIDE, of_walks
from partwise.scoring import covers, hierarchies, soft

DIGITS = 100


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(DIGITS):
        yield


def real(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, (Fraction, int)) else mpf(x)


def within(value, exact, bound):
    """Whether a value is within a bound; not a number is where there is none (None)."""
    if exact is None:
        return math.isnan(value)
    off = abs(mpf(value) - real(exact))
    return off <= mpf(bound.ulp) * math.ulp(float(exact)) + mpf(bound.absolute)


def test_what_is_outside_a_bound_is_told():
    assert within(0.1, Fraction(1, 10), OUTSIDE["omega_index"])
    assert not within(0.1 + 2**-54, Fraction(1, 10), OUTSIDE["omega_index"])
    assert not within(math.nan, Fraction(1, 10), OUTSIDE["baker_gamma"])
    assert not within(0.5 + 5e-15, Fraction(1, 2), OUTSIDE["baker_gamma"])


@pytest.mark.one_backend
def test_every_measure_outside_the_catalogue_states_a_bound():
    names = {*covers._MEASURES, *hierarchies._MEASURES, *soft.FUNCTIONS, "coreference.score"}
    assert names == set(OUTSIDE)


# ---- covers ----------------------------------------------------------------------------------


def cover_of(draw, n, kind):
    if kind == 0:
        return [sorted(draw.sample(range(n), draw.randint(1, n))) for _ in range(3)]
    if kind == 1:
        return [list(range(n)), *([i] for i in range(n))]
    if kind == 2:
        return [list(range(n - 1)) or [0], list(range(n - 1, -1, -1))]
    if kind == 3:
        return [list(range(draw.randint(1, n))) for _ in range(4)]
    return [[i] for i in range(n)]


def pair_of_covers(number):
    draw = random.Random(f"covers {number}")
    n = draw.choice([1, 2, 3, 5, 8])
    a, b = cover_of(draw, n, number % 5), cover_of(draw, n, number // 5 % 5)
    if number % 7 == 0:  # nearly the same
        b = [*a[:-1], a[-1][:-1] or a[-1]]
    return n, a, b


@pytest.mark.parametrize("group", range(5))
def test_covers(kernels, group):
    for number in range(12 * group, 12 * group + 12):
        n, a, b = pair_of_covers(number)
        sides = [pw.Cover(side, n_items=n) for side in (a, b)]
        omega = cover_definitions.omega(a, b, n)
        assert within(pw.omega_index(*sides), omega, OUTSIDE["omega_index"]), number
        found = pw.extended_b_cubed(*sides)
        precision, recall = cover_definitions.b_cubed(a, b, n)
        total = precision + recall
        wanted = precision, recall, 2 * precision * recall / total if total else Fraction(0)
        for value, exact in zip((found.precision, found.recall, found.f), wanted, strict=True):
            assert within(value, exact, OUTSIDE["extended_b_cubed"]), number
        found = pw.average_f1(*sides)
        first, second = cover_definitions.average_f1(a, b)
        wanted = first, second, (first + second) / 2
        for value, exact in zip(
            (found.reference, found.candidate, found.mean), wanted, strict=True
        ):
            assert within(value, exact, OUTSIDE["average_f1"]), number


@pytest.mark.parametrize("normalizer", ["max", "sum", "lfk", "lfk_global"])
@pytest.mark.parametrize("constraint", ["strict", "at_least"])
def test_information_of_covers(kernels, normalizer, constraint):
    for number in range(9):
        n, a, b = pair_of_covers(number)
        for n_items in (n, 3 * n, 10**6):
            sides = [pw.Cover(side, n_items=n_items) for side in (a, b)]
            value = pw.overlapping_mutual_information(
                *sides, normalizer=normalizer, constraint=constraint
            )
            exact = cover_definitions.overlapping_information(
                a, b, n_items, normalizer, constraint == "at_least"
            )
            assert within(value, exact, OUTSIDE["overlapping_mutual_information"]), number


@pytest.mark.parametrize("alpha", [1e-12, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_walks_on_covers(kernels, alpha):
    for number in range(14):
        n, a, b = pair_of_covers(number)
        sides = [pw.Cover(side, n_items=n).with_singletons() for side in (a, b)]
        literal = [
            [set(one) for one in side]
            + [{i} for i in range(n) if not any(i in one for one in side)]
            for side in (a, b)
        ]
        exact = sum(cover_definitions.element_centric(*literal, n, Fraction(alpha))) / n
        value = pw.element_centric_similarity(*sides, alpha=alpha)
        assert within(value, exact, of_walks(alpha)), number


# ---- hierarchies -----------------------------------------------------------------------------

#: Heights: of usual size, below the normal numbers, over all that there are, large and near.
HEIGHTS = (
    lambda draw, step: draw.choice([0.1, 1.0, draw.random()]) + step,
    lambda draw, step: draw.choice([1, 2, 1000, 10**6]) * 5e-324,
    lambda draw, step: 10.0 ** (draw.uniform(-300, 300) if step else 300),
    lambda draw, step: 1e16 + 2 * step,
)


def linkage_of(draw, n, kind):
    heights = sorted(HEIGHTS[kind](draw, step) for step in range(n - 1))
    free, rows = [(i, 1) for i in range(n)], []
    for step, height in enumerate(heights):
        (a, size), (b, other) = (free.pop(draw.randrange(len(free))) for _ in "ab")
        rows.append([min(a, b), max(a, b), height, size + other])
        free.append((n + step, size + other))
    return np.array(rows, dtype=float).reshape(-1, 4)


def heights_of_pairs(rows, n):
    members, heights = [[i] for i in range(n)], {}
    for a, b, height, _ in rows.tolist():
        left, right = members[int(a)], members[int(b)]
        heights |= {frozenset((x, y)): Fraction(height) for x in left for y in right}
        members.append(left + right)
    return [heights[frozenset(pair)] for pair in combinations(range(n), 2)]


def ranks(values):
    return [Fraction(2 * sum(y < x for y in values) + values.count(x) + 1, 2) for x in values]


def pearson(x, y):
    if not x:
        return None
    means = [sum(side) / len(side) for side in (x, y)]
    apart = [[v - mean for v in side] for side, mean in zip((x, y), means, strict=True)]
    spreads = [sum(v * v for v in side) for side in apart]
    if 0 in spreads:
        return None
    shared = sum(v * w for v, w in zip(*apart, strict=True))
    return real(shared) / mpmath.sqrt(real(spreads[0])) / mpmath.sqrt(real(spreads[1]))


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("other", range(4))
def test_hierarchies(kernels, kind, other):
    for number in range(6):
        draw = random.Random(f"trees {number}")
        n = (2, 3, 4, 6, 9, 14)[number % 6]
        rows = linkage_of(draw, n, kind), linkage_of(draw, n, other)
        sides = [pw.Hierarchy.from_linkage(side) for side in rows]
        heights = [heights_of_pairs(side, n) for side in rows]
        value = pw.cophenetic_correlation(*sides)
        assert within(value, pearson(*heights), OUTSIDE["cophenetic_correlation"]), number
        value = pw.baker_gamma(*sides, statistic="spearman")
        assert within(value, pearson(*map(ranks, heights)), OUTSIDE["baker_gamma"]), number
        signs = [(x > y) - (x < y) for side in heights for x, y in combinations(side, 2)]
        half = len(signs) // 2
        products = [x * y for x, y in zip(signs[:half], signs[half:], strict=True)]
        some = sum(map(abs, products))
        exact = Fraction(sum(products), some) if some else None
        assert within(pw.baker_gamma(*sides), exact, OUTSIDE["baker_gamma"]), number
        curve = pw.b_k(*sides, ties="order")
        for k, b in zip(curve.k.tolist(), curve.values.tolist(), strict=True):
            pairs = pw.pair_confusion(*(side.cut(k, "order") for side in sides))
            product = (pairs.n11 + pairs.n10) * (pairs.n11 + pairs.n01)
            exact = pairs.n11 / mpmath.sqrt(mpf(product))
            assert within(b, exact, OUTSIDE["b_k"]), (number, k)
        columns = [x.tolist() for x in (curve.k, curve.mean, curve.variance)]
        for k, *found in zip(*columns, strict=True):
            moments = pw.pair_count_moments(*(side.cut(k, "order") for side in sides))
            product = moments.pairs.reference * moments.pairs.candidate
            exact = real(moments.mean) / mpmath.sqrt(mpf(product)), moments.variance / product
            for value, wanted in zip(found, exact, strict=True):
                assert within(value, wanted, OUTSIDE["b_k"]), (number, k)


# ---- memberships -----------------------------------------------------------------------------


def soft_function(name):
    """The function of a name of the definitions, with its option."""
    base, _, average = name.partition(" ")
    return partial(getattr(pw, base), **({"average": average} if average else {}))


def memberships_of(draw, n, k, decades):
    rows = []
    for i in range(n):
        kind = draw.randrange(3)
        if kind == 0:
            row = [draw.random() for _ in range(k)]
        elif kind == 1:
            row = [1.0 if j == i % k else draw.choice([0, 10.0**-decades]) for j in range(k)]
        else:
            row = [10.0 ** -draw.uniform(0, decades) for _ in range(k)]
        rows.append([x / sum(row) for x in row])
    return rows


@pytest.mark.parametrize("name", soft_definitions.NAMES)
@pytest.mark.parametrize("decades", [1, 7, 16, 18])
def test_memberships(kernels, name, decades):
    for number in range(15):
        draw = random.Random(f"memberships {number}")
        n = draw.choice([1, 2, 3, 5, 9])
        a, b = (memberships_of(draw, n, draw.randint(1, 4), decades) for _ in "ab")
        exact = soft_definitions.defined(name, a, a if number % 7 == 0 else b)
        value = soft_function(name)(np.array(a), np.array(a if number % 7 == 0 else b))
        assert within(value, exact, OUTSIDE[name.partition(" ")[0]]), number


@pytest.mark.parametrize("digits_of_mass", [20, 35, 50])
def test_information_of_a_cluster_with_hardly_any_mass(kernels, digits_of_mass):
    """It is a small difference of large entropies."""
    a, b = np.eye(20), np.zeros((20, 2))
    b[:, 0] = 1
    b[-1] = 1 - 2.0**-digits_of_mass, 2.0**-digits_of_mass
    for name in soft_definitions.NAMES:
        exact = soft_definitions.defined(name, a.tolist(), b.tolist())
        value = soft_function(name)(a, b)
        assert within(value, exact, OUTSIDE[name.partition(" ")[0]]), name


# ---- documents -------------------------------------------------------------------------------

SHORT = {"muc": "muc", "b_cubed": "bcub", "ceaf_m": "ceafm", "ceaf_e": "ceafe", "lea": "lea"}


def entities_of(draw, n, kind):
    mentions = draw.sample(range(n), draw.randint(1, n))
    if kind == 0:
        return [mentions]
    if kind == 1:
        return [[m] for m in mentions]
    return coreference_definitions.entities_by_label(
        [draw.randint(0, 3) if kind == 2 else 1 + i // 2 for i in range(n)]
    )


def documents_of(number):
    draw = random.Random(f"documents {number}")
    n = draw.choice([2, 3, 7, 20, 60])
    return [
        (entities_of(draw, n, number % 4), entities_of(draw, n, number // 4 % 4))
        for _ in range(draw.choice([1, 3]))
    ]


def harmonic(recall, precision):
    total = recall + precision
    return 2 * recall * precision / total if total else Fraction(0)


def shares_of(documents, measure):
    """Recall, precision and F1 in fractions."""
    sides = []
    for turn in (1, -1):
        parts = [
            coreference_definitions.numerators(*pair[::turn], measure) for pair in documents
        ]
        above, below = (sum(part) for part in zip(*parts, strict=True))
        sides.append(Fraction(above, below) if below else Fraction(0))
    return *sides, harmonic(*sides)


@pytest.mark.parametrize("measure", SHORT)
def test_documents(kernels, measure):
    for number in range(32):
        documents = documents_of(number)
        found = pw.coreference.score(*coreference_definitions.sides(documents))[measure]
        values = found.recall, found.precision, found.f1
        exact = shares_of(documents, SHORT[measure])
        for value, wanted in zip(values, exact, strict=True):
            assert within(value, wanted, OUTSIDE["coreference.score"]), number


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_links_and_means_of_documents(kernels, convention):
    for number in range(32):
        documents = documents_of(number)
        scores = pw.coreference.score(
            *coreference_definitions.sides(documents), convention=convention, exact=False
        )
        exact = coreference_score_definitions.blanc(documents, CONVENTIONS[convention])
        found = scores["blanc"].recall, scores["blanc"].precision, scores["blanc"].f1
        for value, wanted in zip(found, exact, strict=True):
            assert within(value, wanted, OUTSIDE["coreference.score"]), number
        if convention != "cai-strube":  # whose entities are moved first
            rows = [shares_of(documents, SHORT[name]) for name in ("muc", "b_cubed", "ceaf_e")]
            exact = [sum(part) / 3 for part in zip(*rows, strict=True)]
            found = scores["conll"].recall, scores["conll"].precision, scores["conll"].f1
            for value, wanted in zip(found, exact, strict=True):
                assert within(value, wanted, OUTSIDE["coreference.score"]), number
