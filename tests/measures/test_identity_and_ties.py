"""What is 0 or 1 in theory is, small distances keep their digits, ties go as documented."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import partwise as pw

ROWS = pw.catalogue()
WITH_WEIGHTS = [
    name
    for name, row in ROWS.items()
    if row.computation.weights and row.value_if_identical is not None and not row.requires
]


def ulps(value, exact):
    """Return how far a double is from a fraction, in units of its last place."""
    return abs(Fraction(value) - exact) / Fraction(float(np.spacing(abs(float(exact)))))


# ---- identity ----------------------------------------------------------------------------


def skewed():
    """Return labels and weights of two scales, or of many."""
    rng = np.random.default_rng(3)
    heavy = np.full(10_001, 4.0)
    heavy[0] = 1e16
    return {
        "1e6 and 1e-10": ([0, 1], [1e6, 1e-10]),
        "one heavy item": (np.arange(10_001), heavy),
        "24 decades": (rng.integers(0, 9, 60), 10.0 ** rng.uniform(-12, 12, 60)),
        "with zeros": ([0, 0, 1, 1, 2], [0.0, 1e-9, 0.0, 0.0, 1e9]),
        "halves": ([0, 0, 1, 2, 2], [0.5, 0.25, 1e-200, 8.0, 1.0]),
        "decimals": (rng.integers(0, 4, 30), np.round(rng.random(30) + 0.001, 3)),
    }


@pytest.mark.parametrize("case", skewed())
@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_identical_weighted_clusterings_are_identical(name, case):
    labels, weights = skewed()[case]
    row = ROWS[name]
    options = {**row.options, **({"k": 10_001} if "k" in row.required_options else {})}
    other = 7 - 3 * np.asarray(labels)
    value = row.function(labels, other, weights=weights, **options)
    assert value == row.value_if_identical


@pytest.mark.parametrize("case", skewed())
@pytest.mark.parametrize(
    "similarity", ["overlap", "sorensen_dice", "braun_banquet", "jaccard", "size_sorensen_dice"]
)
def test_identical_weighted_clusterings_are_matched_whole(case, similarity):
    labels, weights = skewed()[case]
    found = pw.match_clusters(labels, labels, weights=weights, similarity=similarity)
    assert found.reference.tolist() == found.candidate.tolist() == sorted(set(list(labels)))
    assert len(found.unmatched_reference) == len(found.unmatched_candidate) == 0


# ---- small distances ---------------------------------------------------------------------


def exact_pair_sets_distance(counts, simplified):
    """Return the distance of a 2 x 2 table whose diagonal is paired."""
    (a, b), (c, d) = counts
    n = a + b + c + d
    rows, cols = (a + b, c + d), (a + c, b + d)
    paired = Fraction(a, max(rows[0], cols[0])) + Fraction(d, max(rows[1], cols[1]))
    sizes = zip(sorted(rows), sorted(cols), strict=True)
    expected = 1 if simplified else Fraction(sum(map(min, sizes)), n)
    return (2 - paired) / (2 - expected)


@pytest.mark.parametrize("simplified", [False, True])
@pytest.mark.parametrize("size", [2, 50, 1000, 10**6, 10**9, 10**12, 10**14])
@pytest.mark.parametrize("off", [(1, 0), (0, 1), (1, 1), (3, 2)])
def test_a_small_pair_sets_distance_keeps_its_digits(size, off, simplified):
    if size <= sum(off):
        pytest.skip("the diagonal would not be the best pairing")
    counts = [[size - off[0], off[0]], [off[1], size]]
    value = pw.pair_sets_distance(pw.Contingency.from_dense(counts), simplified=simplified)
    assert ulps(value, exact_pair_sets_distance(counts, simplified)) <= 1


def exact_van_dongen(a, b, weights):
    masses = {}
    for i, j, w in zip(a, b, weights, strict=True):
        masses[i, j] = masses.get((i, j), 0) + Fraction(w)
    best = 0
    for side in (0, 1):
        for label in {pair[side] for pair in masses}:
            best += max(mass for pair, mass in masses.items() if pair[side] == label)
    return 2 * sum(masses.values()) - best, 2 * sum(masses.values())


@pytest.mark.parametrize("seed", range(60))
def test_a_small_weighted_van_dongen_distance_keeps_its_digits(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    a = rng.integers(0, 4, n).tolist()
    b = [x if rng.random() < 0.9 else int(rng.integers(0, 4)) for x in a]
    weights = np.round(rng.random(n) + 0.001, 1 + seed % 3 + 1).tolist()
    if seed % 5 == 0:
        weights = (10.0 ** rng.uniform(-9, 9, n)).tolist()
    exact, whole = exact_van_dongen(a, b, weights)
    assert ulps(pw.van_dongen(a, b, weights=weights), exact) <= 1
    normalized = pw.van_dongen(a, b, weights=weights, normalized=True)
    assert ulps(normalized, exact / whole) <= 2


@pytest.mark.parametrize("light", [1e-9, 1e-3, 1e-12, 0.1, 3e-7])
def test_clusterings_that_differ_are_apart(light):
    value = pw.van_dongen([0, 0], [0, 1], weights=[1e9, light])
    assert value == light


# ---- plans that are as good --------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", range(80))
@pytest.mark.parametrize("cluster_weights", ["uniform", "size"])
def test_other_labels_change_no_bit_of_a_weighted_mallows_distance(seed, cluster_weights):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    a, b = rng.integers(0, 4, (2, n))
    weights = [
        np.round(rng.random(n) + 0.1, 1),
        rng.random(n) + 0.25,
        rng.integers(1, 5, n) / 8,
    ][seed % 3]
    options = {"weights": weights, "cluster_weights": cluster_weights}
    value = pw.mallows_distance(a, b, **options)
    for _ in range(4):
        left, right = rng.permutation(10)[a], rng.permutation(10)[b]
        assert pw.mallows_distance(left, right, **options) == value


def test_the_plan_that_was_seen_to_depend_on_labels():
    weights = [0.3, 0.6, 0.3, 0.7]
    first = pw.mallows_distance([0, 1, 1, 1], [1, 1, 0, 2], weights=weights)
    assert pw.mallows_distance([3, 2, 2, 2], [2, 2, 3, 1], weights=weights) == first


# ---- centroids ---------------------------------------------------------------------------


def exact_means(labels, rows, weights=None):
    """Return the mean of each label, ascending, as fractions."""
    weights = [1] * len(rows) if weights is None else weights
    means = []
    for label in sorted(set(labels)):
        own = [
            (Fraction(w), [Fraction(x) for x in row])
            for at, w, row in zip(labels, weights, rows, strict=True)
            if at == label
        ]
        whole = sum(w for w, _ in own)
        columns = zip(*[[w * x for x in row] for w, row in own], strict=True)
        means.append([sum(column) / whole for column in columns])
    return means


def apart(x, y):
    return sum((p - q) ** 2 for p, q in zip(x, y, strict=True))


def mapped(means, others):
    """Return the place of the nearest of the others, the lowest of those as near."""
    return [min(range(len(others)), key=lambda j: (apart(x, others[j]), j)) for x in means]


def exact_index(a, b, rows, weights=None):
    left, right = exact_means(a, rows, weights), exact_means(b, rows, weights)
    orphans = (
        len(others) - len(set(mapped(own, others)))
        for own, others in ((left, right), (right, left))
    )
    return max(orphans)


def exact_similarity(a, b, rows):
    left, right = exact_means(a, rows), exact_means(b, rows)
    names = sorted(set(a)), sorted(set(b))
    pairs = list(zip(a, b, strict=True))
    common = sum(
        pairs.count((names[0][i], names[1][j])) for i, j in enumerate(mapped(left, right))
    )
    common += sum(
        pairs.count((names[0][i], names[1][j])) for j, i in enumerate(mapped(right, left))
    )
    return Fraction(common, 2 * len(a))


@pytest.mark.parametrize("shift", [0, 1, -3, 10**6, 10**8, 2**50])
@pytest.mark.parametrize("scale", [1, 3, 0.1])
def test_ties_of_centroids_go_to_the_lowest_label(shift, scale):
    a, b = [1, 2, 1, 1], [1, 1, 0, 1]
    rows = [[shift + scale * x] for x in (0, 3, 1, 4)]
    features = np.array(rows, dtype=float)
    assert pw.centroid_index(a, b, features=features) == exact_index(a, b, features.tolist())
    value = pw.centroid_similarity_index(a, b, features=features)
    assert value == float(exact_similarity(a, b, features.tolist()))


@pytest.mark.parametrize("seed", range(120))
def test_centroid_indices_are_those_of_exact_means(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 14)), int(rng.integers(1, 3))
    a, b = rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n).tolist()
    shift = [0, 0, 7, 10**8, 2**40][seed % 5]
    features = (rng.integers(0, 5, (n, d)) + shift).astype(float)
    rows = features.tolist()
    assert pw.centroid_index(a, b, features=features) == exact_index(a, b, rows)
    value = pw.centroid_similarity_index(a, b, features=features)
    assert value == float(exact_similarity(a, b, rows))
    weights = (rng.integers(1, 9, n) / 4).tolist()
    found = pw.centroid_index(a, b, features=features, weights=weights)
    assert found == exact_index(a, b, rows, weights)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([[0.5]], [[0.25], [0.75], [0.25]]),
        ([[0.0], [2.0]], [[1.0], [-1.0]]),
        ([[0.1, 0.2], [0.3, 0.1]], [[0.1, 0.2], [0.1, 0.2]]),
        ([[1e300], [-1e300]], [[0.0], [1.0]]),
    ],
)
def test_centroids_that_are_passed_are_exact_as_they_are(left, right):
    n = len(left) * len(right)
    a, b = np.arange(n) % len(left), np.arange(n) // len(left)
    means = [[[Fraction(x) for x in row] for row in side] for side in (left, right)]
    wanted = len(right) - len(set(mapped(*means)))
    assert pw.centroid_index_one_way(a, b, centroids=(left, right)) == wanted


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8, 4.5e6, 1.7e9, 1e12, -1e8])
@pytest.mark.parametrize("weighted", [False, True])
def test_css_far_from_the_origin(offset, weighted):
    """Two clusters against two by size: the packing is the better of two."""
    rng = np.random.default_rng(9)
    n = 12
    a, b = np.arange(n) % 2, (np.arange(n) // 3) % 2
    features = np.round(offset + rng.integers(0, 6, n) + 0.0)
    weights = rng.integers(1, 5, n).astype(float) if weighted else None
    rows = [[x] for x in features.tolist()]
    left = exact_means(a.tolist(), rows, weights)
    right = exact_means(b.tolist(), rows, weights)
    masses = {(i, j): Fraction(0) for i, j in product((0, 1), (0, 1))}
    for i, j, w in zip(a.tolist(), b.tolist(), weights if weighted else [1] * n, strict=True):
        masses[i, j] += Fraction(w)
    cost = {(i, j): masses[i, j] * apart(left[i], right[j]) for i, j in masses}
    kept = max(cost[0, 0] + cost[1, 1], cost[0, 1] + cost[1, 0])
    exact = sum(cost.values()) - kept
    value = pw.css_distance(a, b, features=features, weights=weights, metric="sqeuclidean")
    assert abs(Fraction(value) - exact) <= Fraction(1, 10**12) * exact


def test_the_css_value_that_was_seen_to_lose_digits():
    """Moving all features far away changes nothing."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 3, 20), rng.integers(0, 3, 20)
    near = rng.integers(0, 6, (20, 2)).astype(float)
    for metric in ("euclidean", "sqeuclidean"):
        here = pw.css_distance(a, b, features=near, metric=metric)
        for offset in (1e8, -1e8, 2.0**45):
            there = pw.css_distance(a, b, features=near + offset, metric=metric)
            assert abs(there - here) <= 1e-12 * here


# ---- random models -----------------------------------------------------------------------


def partitions(n):
    """Yield all partitions of n items as labels by first appearance."""

    def grown(labels, used):
        if len(labels) == n:
            yield tuple(labels)
            return
        for label in range(used + 1):
            yield from grown([*labels, label], max(used, label + 1))

    yield from grown([], 0)


def agreement(a, b):
    """Return the Rand index of two tuples of labels."""
    pairs = list(combinations(range(len(a)), 2))
    same = sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in pairs)
    return Fraction(same, len(pairs))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("model", ["num", "all"])
@pytest.mark.parametrize("sides", ["both", "candidate"])
def test_the_adjusted_rand_index_of_random_models_is_one_division(n, model, sides):
    every = list(partitions(n))

    def alike(labels):
        return [x for x in every if model == "all" or max(x) == max(labels)]

    for a, b in product(every, every):
        left = alike(a) if sides == "both" else [a]
        values = [agreement(x, y) for x, y in product(left, alike(b))]
        expected = sum(values, Fraction(0)) / len(values)
        told = pw.expected_rand_index(a, b, model=model, sides=sides)
        assert ulps(told, expected) <= Fraction(1, 2)
        if expected == 1:
            continue
        value = pw.adjusted_rand_index(a, b, model=model, sides=sides)
        exact = (agreement(a, b) - expected) / (1 - expected)
        assert value == float(exact)


def test_chance_is_exactly_0():
    assert pw.adjusted_rand_index([0, 0, 0], [0, 0, 1], model="num") == 0.0
    options = {"model": "all", "sides": "candidate"}
    assert pw.adjusted_rand_index([0, 0, 0, 0], [0, 0, 1, 1], **options) == 0.0
