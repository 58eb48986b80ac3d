"""Estimates from sampled clusters: the oracle's values, and what samples must be."""

import math
import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.inference.sampled.ratios import MEASURES, Parts
from partwise.inference.sampled.sample import read_sample

SAMPLES = [case for case in cases.load("field.json") if case["kind"] == "sample"]
OF_CLUSTERS = "cluster_weights=uniform"


def our_name(name):
    return name.replace("cluster weights", OF_CLUSTERS)


def near(value, wanted):
    if wanted == "undefined":
        return math.isnan(value)
    return math.isclose(value, float(Fraction(wanted)), rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize("case", SAMPLES, ids=[case["id"] for case in SAMPLES])
def test_estimates_are_those_of_the_oracle(case):
    weights = {name: float(Fraction(w)) for name, w in case["weights"].items()}
    estimates = pw.estimate_from_sample(case["a"], case["b"], weights=weights)
    assert {our_name(name) for name in case["value"]} == set(estimates.measures)
    for name, (value, error) in case["value"].items():
        found = estimates[our_name(name)]
        assert near(found.value, value), name
        assert near(found.standard_error, error), name
        if error == "0.0":
            assert found.standard_error == 0
        if value in ("0", "1"):
            assert found.value == int(value)


@pytest.mark.parametrize("word", ["uniform", "size"])
def test_words_are_weights(word):
    prediction, sample = [0, 0, 1, 1, 1, 2, 2], [[0, 1, 2], [5, 6], [3]]
    weights = [1, 1, 1] if word == "uniform" else [1 / 3, 1 / 2, 1]
    by_word = pw.estimate_from_sample(prediction, sample, weights=word)
    by_number = pw.estimate_from_sample(prediction, sample, weights=weights)
    scaled = pw.estimate_from_sample(prediction, sample, weights=[8 * w for w in weights])
    assert by_word.values.tolist() == by_number.values.tolist() == scaled.values.tolist()
    np.testing.assert_array_equal(by_word.standard_errors, by_number.standard_errors)


def population(seed, n=400):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 150, n)
    moved = rng.random(n) < 0.2
    return truth, np.where(moved, rng.integers(0, 150, n), truth)


def clusters_of(truth):
    return [np.flatnonzero(truth == k).tolist() for k in np.unique(truth)]


@pytest.mark.parametrize("name", MEASURES)
def test_all_clusters_give_the_measure_itself(name):
    """The ratio of the sums over all true clusters, without the term for its bias."""
    truth, prediction = population(1)
    parts = Parts(read_sample(prediction, clusters_of(truth)))
    above, below = MEASURES[name](parts)
    entry = pw.catalogue()[name]
    wanted = entry.function(truth, prediction, **entry.options)
    assert math.isclose(above.sum() / below.sum(), wanted, rel_tol=1e-12)


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize("drawn", ["clusters", "items"])
def test_samples_are_right_on_average(drawn):
    truth, prediction = population(2)
    clusters = clusters_of(truth)
    sizes = np.array([len(c) for c in clusters])
    chances = np.ones(len(sizes)) if drawn == "clusters" else sizes
    rng = np.random.default_rng(3)
    values = []
    for _ in range(200):
        chosen = rng.choice(len(clusters), size=60, p=chances / chances.sum())
        sample = [clusters[k] for k in chosen]
        weights = "uniform" if drawn == "clusters" else "size"
        estimates = pw.estimate_from_sample(prediction, sample, weights=weights)
        values.append(estimates.values)
    for name, mean, spread in zip(
        estimates.measures, np.mean(values, axis=0), np.std(values, axis=0), strict=True
    ):
        entry = pw.catalogue()[name]
        wanted = entry.function(truth, prediction, **entry.options)
        assert abs(mean - wanted) < 4 * spread / math.sqrt(200) + 0.01, name


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
def test_the_bootstrap_depends_on_its_seed_alone():
    truth, prediction = population(4)
    sample = clusters_of(truth)[:40]

    def drawn(**options):
        return pw.estimate_from_sample(
            prediction, sample, weights="uniform", interval="bootstrap", **options
        )

    first, again, other = drawn(seed=5), drawn(draws=pw.Draws(1000, seed=5)), drawn(seed=6)
    assert first.low.tolist() == again.low.tolist()
    assert first.low.tolist() != other.low.tolist()
    assert (first.low <= first.high).all()
    assert first.draws == 1000
    normal = pw.estimate_from_sample(prediction, sample, weights="uniform", level=0.9)
    assert normal.values.tolist() == first.values.tolist()
    reach = (normal.high - normal.low) / 2
    np.testing.assert_allclose(reach, 1.6448536269514722 * normal.standard_errors)
    # the bootstrap's errors are near those of the formula
    pairs = normal.measures.index("b_cubed_recall")
    ratio = first.standard_errors[pairs] / normal.standard_errors[pairs]
    assert 0.7 < ratio < 1.4


# ---- samples without replacement from a known number of clusters ---------------------------

SMALL_TRUTH = np.array([0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 6])
SMALL_PREDICTION = np.array([0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 6, 7, 8])
SMALL_TRUTH_TABLE = pw.contingency(SMALL_TRUTH, SMALL_PREDICTION)
#: The denominator is 1 for each cluster, so that the estimate is a mean.
MEANS = [
    "cluster_recall",
    f"b_cubed_precision({OF_CLUSTERS})",
    f"b_cubed_recall({OF_CLUSTERS})",
]


def all_samples(m, **options):
    """Estimates of every sample of m of the 7 clusters."""
    clusters = clusters_of(SMALL_TRUTH)
    for chosen in combinations(clusters, m):
        yield pw.estimate_from_sample(
            SMALL_PREDICTION, list(chosen), weights="uniform", **options
        )


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize("m", [5, 6])  # 4 clusters have an error: each sample has an exact one
def test_variances_of_means_are_right_on_average_over_all_samples(m):
    """The mean of the squared errors is the variance of the estimates, not near it."""
    found = list(all_samples(m, measures=MEANS, population_clusters=7))
    assert len(found) == math.comb(7, m)
    values = np.array([one.values for one in found])
    squares = np.array([one.standard_errors for one in found]) ** 2
    np.testing.assert_allclose(squares.mean(axis=0), values.var(axis=0), rtol=1e-12)
    truth = [pw.catalogue()[name](SMALL_TRUTH_TABLE) for name in MEANS]
    np.testing.assert_allclose(values.mean(axis=0), truth, rtol=1e-12)
    # without the factor the errors are those of a population without end: too large
    plain = np.array([one.standard_errors for one in all_samples(m, measures=MEANS)]) ** 2
    np.testing.assert_allclose(plain * (1 - m / 7), squares, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize("m", [4, 5, 6])
def test_ratios_are_right_to_first_order_over_all_samples(m):
    """Without the factor errors and the term for the bias are those of endless populations."""
    names = ["b_cubed_precision", "b_cubed_recall"]
    truth = [pw.catalogue()[name](SMALL_TRUTH_TABLE) for name in names]

    def means(**options):
        found = list(all_samples(m, measures=names, **options))
        values = np.array([one.values for one in found])
        squares = np.array([one.standard_errors for one in found]) ** 2
        return np.abs(values.mean(axis=0) - truth), np.sqrt(squares.mean(axis=0)), values

    bias, errors, values = means(population_clusters=7)
    plain_bias, plain_errors, _ = means()
    assert (bias < plain_bias / 4).all()
    np.testing.assert_allclose(errors, values.std(axis=0), rtol=0.1)
    assert (plain_errors > 1.4 * values.std(axis=0)).all()


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
def test_whoever_saw_every_cluster_knows_the_value():
    (every,) = all_samples(7, population_clusters=7)
    assert every.measures == tuple(MEASURES)
    truth = [pw.catalogue()[name](SMALL_TRUTH_TABLE) for name in every.measures]
    np.testing.assert_allclose(every.values, truth, rtol=1e-15)
    assert (every.standard_errors == 0).all()
    (drawn,) = all_samples(7, population_clusters=7, interval="bootstrap", draws=20, seed=1)
    assert drawn.low.tolist() == drawn.high.tolist() == drawn.values.tolist()
    one = pw.estimate_from_sample([0, 0], [[0, 1]], weights="uniform", population_clusters=1)
    assert one["pair_recall"] == (1, 0)


def test_the_bootstrap_shrinks_by_the_root_of_what_is_unseen():
    truth, prediction = population(4)
    sample = clusters_of(truth)[:40]

    def drawn(**options):
        return pw.estimate_from_sample(
            *(prediction, sample),
            **{"weights": "uniform", "interval": "bootstrap", "measures": MEANS, "seed": 5},
            **options,
        )

    plain, finite = drawn(), drawn(population_clusters=50)
    assert plain.values.tolist() == finite.values.tolist()  # means have no term for a bias
    root = math.sqrt(1 - 40 / 50)
    np.testing.assert_allclose(finite.standard_errors, root * plain.standard_errors)
    np.testing.assert_allclose(finite.low - finite.values, root * (plain.low - plain.values))
    assert "of 40" not in finite.header
    assert ", drawn without replacement from 50;" in finite.header
    again = type(finite).from_json(finite.to_json())
    assert again.population_clusters == 50
    assert "without replacement" not in plain.header


@pytest.mark.parametrize(
    ("sample", "weights", "total", "fragment"),
    [
        ([[0, 1], [2]], "uniform", 1, "fewer than the 2 clusters of the sample"),
        ([[0, 1], [2]], "size", 9, "these have unequal weights"),
        ([[0, 1], [2], [1, 0]], "uniform", 9, "cluster 2 was drawn twice"),
        ([[0, 1], [2]], "uniform", 2.5, "population_clusters=2.5"),
        ([[0, 1], [2]], "uniform", 0, "population_clusters=0"),
    ],
)
def test_a_population_must_fit_its_sample(sample, weights, total, fragment):
    with pytest.raises((ValueError, TypeError), match=fragment):
        pw.estimate_from_sample(
            [0, 0, 1, 1], sample, weights=weights, population_clusters=total
        )


@pytest.mark.long
@pytest.mark.one_backend
@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize(
    ("m", "drawn", "least"),
    [(50, "clusters", 0.75), (200, "clusters", 0.85), (200, "items", 0.85), (150, "all", 0.85)],
)
def test_intervals_cover_what_the_guide_says(m, drawn, least):
    """Shares of 95 % intervals with the true value, over 300 samples; none far above .95."""
    own = np.random.default_rng(8)
    sizes = own.geometric(0.31, 1500)
    truth = np.repeat(np.arange(1500), sizes)
    moved = own.random(len(truth)) < 0.1
    prediction = np.where(moved, own.permutation(truth), truth)
    clusters = clusters_of(truth)
    if drawn == "all":  # a population of which half is seen
        kept = truth < 300
        truth, prediction = truth[kept], prediction[kept]
        clusters, sizes = clusters_of(truth), sizes[:300]
    finite = {"population_clusters": 300} if drawn == "all" else {}
    weights = "size" if drawn == "items" else "uniform"
    chances = sizes if drawn == "items" else np.ones(len(clusters))
    held, wide = [], []
    for _ in range(300):
        chosen = own.choice(
            len(clusters), size=m, p=chances / chances.sum(), replace=not finite
        )
        sample = [clusters[k] for k in chosen]
        found = pw.estimate_from_sample(prediction, sample, weights=weights, **finite)
        wanted = [pw.catalogue()[name] for name in found.measures]
        values = np.array([e.function(truth, prediction, **e.options) for e in wanted])
        held.append((found.low <= values) & (values <= found.high))
        if finite:
            plain = pw.estimate_from_sample(prediction, sample, weights=weights)
            wide.append((plain.low <= values) & (values <= plain.high))
    covered = np.mean(held, axis=0)
    assert (covered >= least).all(), dict(zip(found.measures, covered, strict=True))
    assert (covered <= 0.98).all()
    if finite:  # without the factor nearly all intervals hold the value
        assert (np.mean(wide, axis=0) > covered).all()


def test_one_cluster_has_no_standard_error():
    found = pw.estimate_from_sample([0, 0, 1], [[0, 1]], weights="uniform")
    assert found["pair_recall"].value == 1
    assert math.isnan(found["pair_recall"].standard_error)
    assert found.to_dict()["measures"]["pair_recall"]["standard_error"] is None


def test_forgotten_weights_are_noticed():
    truth = np.repeat(np.arange(60), [1] * 40 + [20] * 20)
    large = [np.flatnonzero(truth == k).tolist() for k in (*range(40, 56), 1, 2)]
    with pytest.warns(pw.InputWarning, match='pass weights="size"'):
        found = pw.estimate_from_sample(truth, large, weights="uniform")
    assert any("if items were drawn" in note for note in found.notes)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*pass weights")
        pw.estimate_from_sample(truth, large, weights="size")


def test_estimates_above_one_are_kept_and_noticed():
    prediction = [0, 1, 2, 3, 4, 4]
    with pytest.warns(pw.InputWarning, match="cluster_precision.* exceed 1"):
        found = pw.estimate_from_sample(prediction, [[0], [1]], weights="uniform")
    assert found["cluster_precision"].value > 1


def test_ids_of_every_kind():
    prediction = {"ann": 1, "bob": 1, "cleo": 2, "dan": 2}
    sample = {"x": ["ann", "bob"], "y": ("cleo",)}
    found = pw.estimate_from_sample(prediction, sample, weights={"y": 1, "x": 1})
    by_item = {"ann": "x", "bob": "x", "cleo": "y"}
    again = pw.estimate_from_sample(prediction, by_item, weights="uniform")
    assert found.values.tolist() == again.values.tolist()
    assert found["pair_precision"].value == pytest.approx(2 / 3, rel=0.5)
    text = str(found)
    assert "2 sampled clusters of 3 items" in text
    assert "pair_precision" in found.to_markdown()


@pytest.mark.parametrize(
    ("sample", "weights", "error", "fragment"),
    [
        ([], "uniform", ValueError, "the sample is empty"),
        ([[0], []], "uniform", ValueError, "cluster 1 of the sample has no item"),
        ([[0, 1], [1]], "uniform", ValueError, "item 1 stands in clusters 0 and 1"),
        ([[0, 0]], "uniform", ValueError, "item 0 stands twice in cluster 0"),
        ([[0, 9]], "uniform", ValueError, "item 9 at index 1 is not in the prediction"),
        ([0, 1], "uniform", TypeError, "0 at index 0, where a cluster"),
        (3, "uniform", TypeError, "the sample is int"),
        ([[0]], "equal", ValueError, "weights='equal' is not one of: uniform, size"),
        ([[0]], [1, 2], ValueError, "for each of the 1 sampled clusters"),
        ([[0]], [0.0], ValueError, "the weight 0.0 of cluster 0"),
        ({"x": [0], "y": [1]}, {"y": 1}, ValueError, "weights has none for cluster 'x'"),
        ({"x": [0]}, {"x": 1, "y": 1}, ValueError, "weights has one for cluster 'y', which is"),
        ([[0]], {0: 1, 1: 1}, ValueError, r"cluster 1, which is not .*\(1 such cluster\)"),
        ([[0]], np.ma.masked_array([1.0], [True]), ValueError, "weights have masked entries"),
        ({0: None, 1: "x", 2: "x"}, "uniform", ValueError, "has no cluster for item 0"),
        (
            pw.Clustering(["x", None, "y", None], items=[0, 1, 2, 3]),
            "uniform",
            ValueError,
            r"no cluster for item 1 \(2 such items\); leave out items that were not sampled",
        ),
    ],
)
def test_what_is_wrong_is_said(sample, weights, error, fragment):
    with pytest.raises(error, match=fragment):
        pw.estimate_from_sample([0, 0, 1, 1], sample, weights=weights)


def test_weights_follow_their_index():
    pd = pytest.importorskip("pandas")
    sample = {"x": [0, 1, 2], "y": [3], "z": [5, 6]}
    weights = pd.Series([1.0, 3.0, 2.0], list("xyz"))
    prediction = [0, 0, 1, 1, 1, 2, 2]
    wanted = pw.estimate_from_sample(prediction, sample, weights=weights.tolist()).values
    for own in (weights, weights.iloc[::-1], weights.reset_index(drop=True)):
        found = pw.estimate_from_sample(prediction, sample, weights=own)
        assert found.values.tolist() == wanted.tolist()
    with pytest.raises(ValueError, match="weights, taken by its index, has no value for"):
        pw.estimate_from_sample(prediction, sample, weights=weights.set_axis(list("xyw")))


def test_measures_without_an_estimate_are_refused():
    with pytest.raises(ValueError, match="rand_index cannot be estimated"):
        pw.estimate_from_sample([0, 0], [[0]], weights="uniform", measures="rand_index")
    with pytest.raises(TypeError, match="weights"):
        pw.estimate_from_sample([0, 0], [[0]])
    with pytest.raises(ValueError, match="no cluster for 1 items, the first at index 1"):
        pw.estimate_from_sample([0, None], [[0]], weights="uniform")


def test_a_cluster_drawn_again_counts_again():
    prediction, one, other = [0, 0, 1, 1, 1], [0, 1, 2], [3, 4]
    twice = pw.estimate_from_sample(prediction, [one, one, other], weights="uniform")
    assert twice.n_sampled == 3
    weighted = Parts(read_sample(prediction, [one, one, other]))
    assert weighted.sizes.tolist() == [3, 3, 2]


# ---- definitions, item by item ---------------------------------------------------------------


def literal_terms(prediction, cluster):
    """What a true cluster adds to B and A of every measure, from its items and pairs."""
    everyone = range(len(prediction))
    n, predicted_clusters = len(prediction), len(set(prediction))
    size = len(cluster)
    with_item = {i: [j for j in everyone if prediction[j] == prediction[i]] for i in cluster}
    pairs = list(combinations(cluster, 2))
    right = sum(prediction[i] == prediction[j] for i, j in pairs)
    # each false link of an item is met from its other end as well
    false = Fraction(sum(j not in cluster for i in cluster for j in with_item[i]), 2)
    exact = int(all(sorted(with_item[i]) == sorted(cluster) for i in cluster))
    common = {i: sum(j in cluster for j in with_item[i]) for i in cluster}
    precise = sum(Fraction(common[i], len(with_item[i])) for i in cluster)
    recalled = sum(Fraction(common[i], size) for i in cluster)
    of_clusters = Fraction(n, predicted_clusters)
    return {
        "pair_precision": (right, right + false),
        "pair_recall": (right, len(pairs)),
        "pair_f1": (right, (right + false + len(pairs)) / 2),
        "cluster_precision": (of_clusters * exact, size),
        "cluster_recall": (exact, 1),
        "cluster_f1": (2 * of_clusters * exact, of_clusters + size),
        "b_cubed_precision": (precise, size),
        "b_cubed_recall": (recalled, size),
        f"b_cubed_precision({OF_CLUSTERS})": (precise / size, 1),
        f"b_cubed_recall({OF_CLUSTERS})": (recalled / size, 1),
    }


def literal_estimate(terms, weights, unseen):
    """Estimate and squared standard error, None where undefined; all in fractions."""
    m = len(terms)
    above = [w * b for w, (b, _) in zip(weights, terms, strict=True)]
    below = [w * a for w, (_, a) in zip(weights, terms, strict=True)]
    b, a = sum(above, Fraction(0)) / m, sum(below, Fraction(0)) / m
    if a == 0:
        return None, None
    if b == 0:
        return 0, None
    if m == 1:
        return b / a, None
    apart = [y / a - x / b for x, y in zip(above, below, strict=True)]
    bias = -sum(y / a * d for y, d in zip(below, apart, strict=True)) / (m * (m - 1)) * unseen
    square = (b / a) ** 2 * unseen * sum(d * d for d in apart) / (m * (m - 1))
    return b / a * (1 + bias), square


@pytest.mark.filterwarnings("ignore::partwise.InputWarning")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("how", ["uniform", "size", "numbers", "finite"])
def test_estimates_by_their_definition(seed, how):
    own = np.random.default_rng(seed)
    truth = own.integers(0, 9, 30)
    prediction = np.where(own.random(30) < 0.6, truth, own.integers(0, 9, 30)).tolist()
    clusters = clusters_of(truth)
    m = int(own.integers(1, 6))
    sample = [clusters[k] for k in own.choice(len(clusters), m, replace=False)]
    numbers = own.integers(1, 9, m).tolist()
    weights = {
        "size": [Fraction(1, len(c)) for c in sample],
        "numbers": list(map(Fraction, numbers)),
    }.get(how, [Fraction(1)] * m)
    finite = {"population_clusters": len(clusters)} if how == "finite" else {}
    word = {"numbers": numbers, "finite": "uniform"}.get(how, how)
    found = pw.estimate_from_sample(prediction, sample, weights=word, **finite)
    terms = [literal_terms(prediction, cluster) for cluster in sample]
    unseen = 1 - Fraction(m, len(clusters)) if finite else 1
    assert set(found.measures) == set(terms[0])
    for name in found.measures:
        value, square = literal_estimate([one[name] for one in terms], weights, unseen)
        ours = found[name]
        if value is None:
            assert math.isnan(ours.value), name
        else:
            assert math.isclose(ours.value, value, rel_tol=1e-13), name
        if square is None:
            assert math.isnan(ours.standard_error), name
        else:
            near = math.isclose(ours.standard_error, math.sqrt(square), rel_tol=1e-12)
            assert near or (square == 0 and ours.standard_error < 1e-15), name
