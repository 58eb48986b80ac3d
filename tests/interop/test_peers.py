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
    pairs = [oracle_inputs.small(number) for number in range(280)]
    pairs += [oracle_inputs.many(number) for number in range(10)]
    for pair in pairs:
        a, b = map(numbered, pair.labels)
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
    ("clusim", "sim.fmeasure", SINGLES, SINGLES, 0.0, 1.0),
    ("clusim", "sim.rogers_tanimoto_index", [0], [0], NAN, 1.0),
    ("clusim", "sim.nmi(sqrt)", ONE, TWO, NAN, 0.0),
    ("clusim", "sim.nmi(min)", ONE, TWO, NAN, 0.0),
    ("clusim", "sim.nmi(max)", ONE, ONE, NAN, 1.0),
    ("clusim", "sim.adj_mi(max)", ONE, ONE, "ZeroDivisionError", 1.0),
    ("clusim", "sim.adj_mi(min)", SINGLES, ONE, 1.0, 0.0),
    ("SciPy", "linear_sum_assignment of the table", [], [], NAN, 1.0),
    ("POT", "emd2 weighted by sizes", [], [], "IndexError", 0.0),
    ("scikit-image", "adapted_rand_error, error", SINGLES, SINGLES, NAN, 0.0),
    ("scikit-image", "variation_of_information, first", [], [], "ValueError", 0.0),
    (
        *("clustering-mi", 'mutual_information(variation="reduced_flat")'),
        *(SINGLES, SINGLES, 1.0303, 0.0),
    ),
    ("er-evaluation", "metrics.pairwise_recall", SINGLES, ONE, 1.0, 0.0),
    ("er-evaluation", "metrics.b_cubed_precision", [], [], NAN, 1.0),
    ("er-evaluation", "metrics.cluster_f", [], [], NAN, 1.0),
]


@pytest.mark.parametrize(("package", "there", "a", "b", "says", "here"), DIFFERENT)
def test_where_values_differ_both_are_as_the_guide_says(package, there, a, b, says, here):
    name, function = needs(package)[there]
    value = value_there(function, a, b)
    if isinstance(value, float) and isinstance(says, float):
        same = math.isclose(value, says, rel_tol=1e-4) or (value != value and says != says)
    else:
        same = value == says
    assert same, value
    assert value_here(name, a, b) == here


def test_what_clusim_calls_pearson_lacks_a_root():
    """What it divides by is the product of both variances, not its root."""
    needs("clusim")
    from clusim import sim
    from clusim.clustering import Clustering

    a, b = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]
    sides = [Clustering().from_membership_list(side) for side in (a, b)]
    n11, n10, n01, n00 = pw.pair_confusion(a, b)
    square = (n11 + n10) * (n11 + n01) * (n00 + n10) * (n00 + n01)
    above = n11 * n00 - n10 * n01
    assert math.isclose(sim.pearson_correlation(*sides), above / square)
    assert round(above / square, 4) == 0.0114  # docs/guide/packages.md
    assert math.isclose(pw.hubert_gamma(a, b), above / math.sqrt(square))
