"""scikit-learn's names: its values, signatures and refusals, and its own tests."""

import inspect
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.interop import sklearn as interop

METRICS = (
    "rand_score",
    "adjusted_rand_score",
    "fowlkes_mallows_score",
    "pair_confusion_matrix",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "completeness_score",
    "v_measure_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "adjusted_mutual_info_score",
    "contingency_matrix",
)
AVERAGES = ("arithmetic", "geometric", "min", "max")
OPTIONS = {
    "homogeneity_completeness_v_measure": [{}, {"beta": 0.5}],
    "v_measure_score": [{}, {"beta": 0.3}, {"beta": 2}],
    "normalized_mutual_info_score": [{"average_method": name} for name in AVERAGES],
    "adjusted_mutual_info_score": [{"average_method": name} for name in AVERAGES],
    "contingency_matrix": [{}, {"eps": 0.25}, {"dtype": np.float32}, {"dtype": np.int8}],
}
CALLS = [(name, options) for name in METRICS for options in OPTIONS.get(name, [{}])]

DEGENERATE = {
    "one sample": ([0], [3]),
    "one cluster each": ([0, 0, 0], [1, 1, 1]),
    "all samples alone": ([0, 1, 2], [2, 1, 0]),
    "one cluster against samples alone": ([0, 0, 0], [0, 1, 2]),
    "samples alone against one cluster": ([0, 1, 2], [0, 0, 0]),
    "one cluster against two": ([0, 0, 0], [0, 0, 1]),
    "independent": ([0, 0, 1, 1], [0, 1, 0, 1]),
}


@pytest.fixture
def theirs():
    return pytest.importorskip("sklearn.metrics.cluster")


def assert_same(ours, expected):
    assert type(ours) is type(expected)
    if isinstance(expected, np.ndarray):
        assert ours.dtype == expected.dtype
    np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "options"), CALLS)
def test_values_on_random_labels(theirs, name, options):
    draw = np.random.default_rng(7)
    for _ in range(6):
        n = int(draw.integers(2, 60))
        a, b = draw.integers(-2, 2 + n // 4, (2, n))
        ours, expected = getattr(interop, name), getattr(theirs, name)
        assert_same(ours(a, b, **options), expected(a, b, **options))
        text = [f"cluster {label}" for label in b]
        assert_same(ours(a.tolist(), text, **options), expected(a.tolist(), text, **options))
        assert_same(quietly(ours, a / 4, b, **options), quietly(expected, a / 4, b, **options))


def quietly(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return function(*arguments, **options)


@pytest.mark.parametrize(("name", "options"), CALLS)
@pytest.mark.parametrize("case", DEGENERATE)
def test_values_on_degenerate_labels(theirs, name, options, case):
    a, b = DEGENERATE[case]
    ours = getattr(interop, name)(a, b, **options)
    assert_same(ours, quietly(getattr(theirs, name), a, b, **options))


@pytest.mark.parametrize("name", [name for name in METRICS if name != "mutual_info_score"])
def test_values_without_samples(theirs, name):
    assert_same(getattr(interop, name)([], []), getattr(theirs, name)([], []))


def test_no_samples_have_no_mutual_information(theirs):
    for functions in (interop, theirs):
        with pytest.raises(ValueError, match=r"has no value|domain|positive input"):
            functions.mutual_info_score([], [])


@pytest.mark.one_backend
@pytest.mark.parametrize("name", METRICS)
def test_signatures(theirs, name):
    ours, expected = (
        [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]
        for function in (getattr(interop, name), getattr(theirs, name))
    )
    assert ours == expected
    assert pickle.loads(pickle.dumps(getattr(interop, name))) is getattr(interop, name)


@pytest.mark.one_backend
def test_every_supervised_metric_is_here(theirs):
    unsupervised = {"silhouette", "calinski", "davies", "consensus"}
    supervised = {name for name in theirs.__all__ if name.partition("_")[0] not in unsupervised}
    assert supervised <= set(interop.__all__)


#: What is refused, and the words that both use.
REFUSED = {
    "text": ("aa", [0, 1], "must be an array-like"),
    "a number": (3, [0, 1], "must be an array-like"),
    "nothing": (None, [0, 1], "array-like|NoneType|Expected|scalar|1D"),
    "infinity": ([0.0, np.inf], [0, 1], r"contains infinity"),
    "NaN": ([0, 1], [np.nan, 1.0], r"contains NaN"),
    "complex": (np.array([1j, 2]), [0, 1], "Complex data not supported"),
    "two dimensions": ([[1], [2]], [0, 1], r"labels_true must be 1D: shape is \(2, 1\)"),
    "a set": ({1, 2}, [0, 1], r"must be 1D: shape is \(\)"),
    "another length": ([0, 1], [1, 1, 1], r"numbers of samples: \[2, 3\]"),
}


@pytest.mark.parametrize("name", [x for x in METRICS if x != "contingency_matrix"])
@pytest.mark.parametrize("case", REFUSED)
def test_refusals(theirs, name, case):
    a, b, words = REFUSED[case]
    raised = []
    for functions in (interop, theirs):
        with pytest.raises((ValueError, TypeError), match=words) as caught:
            getattr(functions, name)(a, b)
        raised.append({kind for kind in (ValueError, TypeError) if caught.errisinstance(kind)})
    assert raised[1] <= raised[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("v_measure_score", {"beta": -1}),
        ("v_measure_score", {"beta": "a"}),
        ("normalized_mutual_info_score", {"average_method": "joint"}),
        ("adjusted_mutual_info_score", {"average_method": 3}),
        ("contingency_matrix", {"eps": -0.5}),
        ("contingency_matrix", {"eps": 0.5, "sparse": True}),
    ],
)
def test_options_refused(theirs, name, options):
    words = f"{next(iter(options))}'? "
    for functions in (interop, theirs):
        with pytest.raises(ValueError, match=words):
            getattr(functions, name)([0, 1], [0, 1], **options)


def test_missing_values_of_pandas_and_polars_are_refused():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for labels in (
        pandas.Series([1, None], dtype="Int64"),
        pandas.Series(["a", None]),
        pandas.Categorical(["a", None]),
        polars.Series(["a", None]),
        [None, "a"],
    ):
        with pytest.raises(ValueError, match=r"labels_pred contains NaN at index [01]"):
            interop.rand_score([0, 1], labels)


def test_an_index_plays_no_part():
    pandas = pytest.importorskip("pandas")
    reference = pandas.Series([0, 0, 1, 1], index=list("abcd"))
    candidate = pandas.Series([0, 1, 1, 1], index=list("dcba"))
    assert interop.rand_score(reference, candidate) == pw.rand_index([0, 0, 1, 1], [0, 1, 1, 1])


def test_tables_of_counts(theirs):
    counts = np.array([[5, 0, 2], [1, 7, 0]])
    sparse = theirs.contingency_matrix([0, 0, 1], [1, 2, 2], sparse=True)
    for table in (counts, counts.tolist(), sparse, interop.contingency_matrix([0], [1])):
        ours = interop.mutual_info_score(None, None, contingency=table)
        assert ours == pytest.approx(theirs.mutual_info_score(None, None, contingency=table))
    ours = interop.expected_mutual_information(counts, 15)
    assert ours == pytest.approx(theirs.expected_mutual_information(counts, 15))
    with pytest.raises(ValueError, match="n_samples=14, but the contingency table counts 15"):
        interop.expected_mutual_information(counts, 14)


def test_a_sparse_table_is_sparse(theirs):
    a, b = [2, 0, 2, 1], ["x", "y", "y", "y"]
    ours, expected = (f.contingency_matrix(a, b, sparse=True) for f in (interop, theirs))
    assert ours.format == expected.format == "csr"
    np.testing.assert_array_equal(ours.toarray(), expected.toarray())


@pytest.mark.one_backend
def test_labels_that_are_not_whole_are_warned_of(theirs):
    for functions in (interop.rand_score, theirs.rand_score):
        with pytest.warns(UserWarning, match="expects discrete values but received continuous"):
            functions([0.5, 1], [0, 1])


def test_where_scikit_learn_gives_no_number_of_its_own():
    """0 / 0 there: rounding errors, or an error of the division."""
    assert interop.adjusted_mutual_info_score([0, 1, 2], [0, 0, 1], average_method="min") == 0
    assert interop.v_measure_score([0, 0, 0], [0, 1, 2], beta=0) == 1


def test_a_table_of_all_pairs_on_request():
    table = pw.contingency(["a", "b", "a"], [7, 7, 9])
    assert table.to_dense().tolist() == [[1, 1], [1, 0]]
    assert table.to_dense().dtype == np.int64


def test_pair_confusion_unpacks():
    confusion = pw.pair_confusion([0, 0, 1, 1], [0, 1, 1, 1])
    n11, n10, n01, n00 = confusion
    assert (n11, n10, n01, n00) == (confusion.n11, confusion.n10, confusion.n01, confusion.n00)
    assert sum(confusion) == confusion.total == 6


@pytest.mark.one_backend
def test_scikit_learns_own_tests(theirs):
    """Run them in a process of their own, as names of scikit-learn are replaced there."""
    script = Path(__file__).with_name("scikit_learn_suite.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        capture_output=True, text=True, cwd=script.parents[2] / "examples", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    summary = next(line for line in done.stdout.splitlines() if " passed" in line)
    assert int(summary.split(" passed")[0].split()[-1]) >= 80
    assert "failed" not in summary
