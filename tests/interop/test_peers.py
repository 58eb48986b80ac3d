"""Other packages give the same values, and differ where docs/guide/packages.md says so."""

import math
import warnings

import pytest

import oracle_inputs
import partwise as pw
import peers

ENTRIES = pw.catalogue()
pytestmark = [pytest.mark.long, pytest.mark.one_backend]
ABSENT = {name for name in peers.PEERS if not peers.installed(name)}


def needs(package):
    if package in ABSENT:
        pytest.skip(f"needs {package}, which is not installed")
    return {there: (name, function) for name, there, function in peers.functions(package)}


def numbered(labels):
    """Labels as 0, 1, ...: some packages make a table as wide as the largest label."""
    numbers = {label: at for at, label in enumerate(sorted(set(labels)))}
    return [numbers[label] for label in labels]


def plain(a, b):
    """Whether no formula is 0/0 on a pair: neither one cluster nor single items on a side."""
    return len(a) > 1 and not {1, len(a)} & {len(set(a)), len(set(b))}


def value_there(function, a, b):
    """What a package says; the name of its exception where there is no value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(function(a, b))
        except Exception as error:
            return type(error).__name__


def value_here(name, a, b):
    entry = ENTRIES[name]
    return entry.function(a, b, **entry.options)


@pytest.mark.parametrize("package", peers.PEERS)
def test_plain_pairs_have_the_same_values(package):
    functions, compared = needs(package), 0
    for number in range(280):
        a, b = map(numbered, oracle_inputs.small(number).labels)
        if not plain(a, b):
            continue
        for there, (name, function) in functions.items():
            if "accuracy" in there and len(set(a)) != len(set(b)):
                continue  # an error there
            compared += 1
            value = value_there(function, a, b)
            assert math.isclose(value, value_here(name, a, b), rel_tol=1e-9, abs_tol=1e-9), (
                there,
                a,
                b,
            )
    assert compared > 100 * len(functions)


NAN = math.nan
SINGLES, ONE, TWO = [0, 1, 2], [0, 0, 0], [0, 0, 1]
#: Package, function, pair, what it says there and here; docs/guide/packages.md has the reasons.
DIFFERENT = [
    ("scikit-learn", "fowlkes_mallows_score", SINGLES, SINGLES, 0.0, 1.0),
    ("scikit-learn", "fowlkes_mallows_score", [], [], 0.0, 1.0),
    ("scikit-learn", "mutual_info_score", [], [], "ValueError", 0.0),
    (
        *("scikit-learn", "adjusted_mutual_info_score(average_method='min')"),
        *([1, 2, 0], [1, 0, 1], 1.0, 0.0),
    ),
    ("igraph", "compare_communities(method='adjusted_rand')", SINGLES, SINGLES, NAN, 1.0),
    ("igraph", "compare_communities(method='rand')", [0], [0], "InternalError", 1.0),
    ("genieclust", "rand_score", [0], [0], NAN, 1.0),
    ("genieclust", "adjusted_rand_score", SINGLES, SINGLES, NAN, 1.0),
    ("genieclust", "fm_score", SINGLES, TWO, NAN, 0.0),
    ("genieclust", "fm_score", SINGLES, SINGLES, NAN, 1.0),
    ("genieclust", "adjusted_fm_score", SINGLES, TWO, NAN, 0.0),
    ("genieclust", "mi_score", [], [], NAN, 0.0),
    ("genieclust", "normalized_mi_score", ONE, ONE, NAN, 1.0),
    ("genieclust", "pair_sets_index", ONE, ONE, NAN, 1.0),
    ("genieclust", "normalized_pivoted_accuracy", ONE, ONE, NAN, 1.0),
    ("genieclust", "normalized_clustering_accuracy", ONE, TWO, "RuntimeError", 0.0),
    ("SciPy", 'association(method="cramer")', ONE, ONE, NAN, 1.0),
    ("SciPy", 'association(method="tschuprow")', ONE, TWO, NAN, 0.0),
    ("SciPy", "chi2_contingency(correction=False)", [], [], "ValueError", 0.0),
    ("POT", "emd2 of 0/1 columns", [], [], "IndexError", 0.0),
    ("clusim", "sim.rand_index", [0], [0], NAN, 1.0),
    ("clusim", "sim.adjrand_index", SINGLES, SINGLES, 0.0, 1.0),
    ("clusim", "sim.jaccard_index", SINGLES, SINGLES, 0.0, 1.0),
    ("clusim", "sim.fowlkes_mallows_index", SINGLES, SINGLES, 0.0, 1.0),
    ("clusim", "sim.czekanowski_index", SINGLES, SINGLES, 0.0, 1.0),
    ("clusim", "sim.nmi", ONE, ONE, NAN, 1.0),
    ("clusim", "sim.adj_mi", ONE, ONE, "ZeroDivisionError", 1.0),
    ("clusim", "sim.vi", [], [], "EmptyClusteringError", 0.0),
]


@pytest.mark.parametrize(("package", "there", "a", "b", "says", "here"), DIFFERENT)
def test_where_values_differ_both_are_as_the_guide_says(package, there, a, b, says, here):
    name, function = needs(package)[there]
    value = value_there(function, a, b)
    assert value == says or (value != value and says != says)
    assert value_here(name, a, b) == here
