"""Estimates from sampled clusters: the oracle's values, and what samples must be."""

import math
import warnings
from fractions import Fraction

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
        ({"x": [0]}, {"y": 1}, ValueError, "weights has none for cluster 'x'"),
    ],
)
def test_what_is_wrong_is_said(sample, weights, error, fragment):
    with pytest.raises(error, match=fragment):
        pw.estimate_from_sample([0, 0, 1, 1], sample, weights=weights)


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
