"""Properties decided on all partitions of a few items, and the catalogue's claims of them."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from cases import features, required
from papers import lower_bounds, properties
from papers.partitions import join_parts, partitions, renumbered
from papers.search import Subject
from partwise.measures.split_merge.cluster_scores import max_share

pytestmark = pytest.mark.one_backend

ROWS = pw.catalogue()
CLAIMS = (
    "symmetric",
    "metric",
    "normalized",
    "conditionally_normalized",
    "join_weighted",
    "subcomponent_consistent",
)


def subject_of(row):
    """The row, or a call that passes what it needs, on any number of items."""
    if not row.requires:
        return row

    def call(a, b):
        values = required(row, k=5, features=features(len(a)))
        return row.function(a, b, **row.options, **values)

    return call


#: Holds for five items and fails for more, as these labels show: x / middle / z.
BEYOND_FIVE = {
    ("object_average_precision", "metric"): ("11111100100", "11110100100", "11110101100"),
}


#: What holds for four items, the number that is searched through, and not for five.
AT_FIVE = ("reduced_mutual_information(model=dirichlet, normalizer=reference)", "normalized")


def test_what_holds_for_four_items_only_has_a_witness():
    row = ROWS[AT_FIVE[0]]
    assert not row.normalized
    assert row(pw.contingency([0, 0, 0, 0, 1], [0, 0, 0, 1, 0])) < -0.07


def with_slow_ones_marked(names):
    """Return the names; an optimum, and what looks at features, is searched in .ci/long."""
    return [
        pytest.param(name, marks=pytest.mark.long)
        if "model=dirichlet" in name or "features" in ROWS[name].requires
        else name
        for name in names
    ]


@pytest.mark.parametrize("name", with_slow_ones_marked(ROWS))
def test_a_claim_is_true_and_a_claim_not_made_has_a_witness(name):
    row = ROWS[name]
    # a value that is an optimum takes long: four items show what is claimed of it
    n = 4 if "model=dirichlet" in name else 5
    found = properties.properties_of(subject_of(row), n, direction=row.direction)
    assert tuple(found) == CLAIMS
    for claim, finding in found.items():
        if row.tie_dependent and claim == "symmetric":
            continue  # symmetric on five items, not where ties are broken otherwise
        if "features" in row.requires and claim not in ("symmetric", "metric"):
            continue  # that is a matter of the features
        if (name, claim) in BEYOND_FIVE or (name, claim) == AT_FIVE:
            continue
        assert bool(finding) == getattr(row, claim), str(finding)
        assert (finding.witness is None) == finding.holds


@pytest.mark.parametrize(("name", "claim"), BEYOND_FIVE)
def test_what_holds_for_five_items_only_has_a_witness(name, claim):
    assert claim == "metric"
    assert not ROWS[name].metric
    x, y, z = ([int(c) for c in labels] for labels in BEYOND_FIVE[name, claim])
    far, near, on = (1 - ROWS[name].function(*p) for p in ((x, z), (x, y), (y, z)))
    assert far > near + on + 1e-12


# name -> smallest value, worst triangle, the three normalisations.
TABLE = {
    "rand_index": (0.0, 0.0, True, False, False),
    "adjusted_rand_index": (-0.4286, 0.3419, False, False, False),
    "jaccard": (0.0, 0.0, True, False, False),
    "fowlkes_mallows": (0.0, 0.4142, True, False, False),
    "hubert_gamma": (-0.4286, 0.4444, False, False, False),
    "normalized_mutual_information(average=min)": (0.0, 0.9794, True, False, False),
    "normalized_mutual_information(average=geometric)": (0.0, 0.4010, True, False, False),
    "normalized_mutual_information": (0.0, 0.3220, True, False, False),
    "v_measure": (0.0, 0.3220, True, False, False),
    "normalized_mutual_information(average=max)": (0.0, 0.0, True, False, False),
    "normalized_mutual_information(average=joint)": (0.0, 0.0, True, False, False),
    "vi_similarity_log_n": (0.0, 0.0, True, False, False),
    "vi_similarity_log_k(k=5)": (0.5, 0.0, False, False, True),
    "homogeneity": (0.0, 0.4846, True, False, False),
    "completeness": (0.0, 0.4846, True, False, False),
    "purity": (0.2, 0.0, False, False, True),
    "f_measure": (0.3333, 0.1167, False, False, True),
    "larsen_aone": (0.3333, 0.2556, False, False, False),
    "classification_accuracy": (0.2, 0.0, False, False, True),
    "pair_sets_index": (0.0, 0.0264, True, False, False),
    "pair_sets_index(simplified=True)": (0.0, 0.0, True, False, False),
    "dom_q2": (0.4299, 0.1039, False, False, False),
    "mirkin(normalized=True)": (0.2, 0.0, False, False, False),
    "variation_of_information": (-0.6094, 0.0, False, False, True),
    "nvi": (-1.7704, 0.8859, False, False, False),
    "nvi_k": (-1.7704, 0.8859, False, False, False),
    "cluster_entropy": (0.0, 0.4755, True, False, False),
    "van_dongen(normalized=True)": (0.5, 0.0, False, False, True),
    "criterion_h(matching=greedy)": (0.2, 0.2, False, False, True),
    "dom_q0": (-1.5767, 0.1248, False, False, False),
    "mallows_distance(normalize=True)": (0.2, 0.0, False, False, False),
    "mallows_distance(cluster_weights=size, normalize=True)": (0.2, 0.0, False, False, False),
    "s_entropy": (0.0, 0.0929, True, True, True),
    "s_entropy(combine=mean)": (0.1, 0.4000, False, False, True),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_table_of_properties_at_five_items(name):
    least, triangle, *wanted = TABLE[name]
    direction = pw.catalogue()[name.partition("(")[0]].direction
    similar = properties.Search.of(name, 5).values
    similar = 1 - similar if direction == "lower" else similar
    assert math.isclose(similar.min(), least, abs_tol=5e-5)
    assert similar.max() == 1.0
    names = ("normalized", "conditionally_normalized", "join_weighted")
    if name in ROWS:  # whose claims are tested above
        assert [getattr(ROWS[name], x) for x in names] == wanted
    else:
        found = properties.properties_of(name, direction=direction)
        assert [bool(found[x]) for x in names] == wanted
    d = 1 - similar
    excess = (d[:, None, :] - d[:, :, None] - d[None, :, :]).max()
    assert math.isclose(max(excess, 0.0), triangle, abs_tol=5e-5)


# x / middle / z
TRIANGLES = {
    "adjusted_rand_index": ("00123", "00112", "01223"),
    "fowlkes_mallows": ("00123", "00112", "01223"),
    "hubert_gamma": ("00123", "00112", "01223"),
    "normalized_mutual_information": ("00011", "00123", "00101"),
    "pair_sets_index": ("00012", "01234", "01233"),
    "s_entropy": ("00011", "00000", "00101"),
    "s_entropy(combine=mean)": ("00112", "00001", "01012"),
}


@pytest.mark.parametrize("name", TRIANGLES)
def test_witnesses_break_the_triangle(name):
    """Those that are known, and the one that the search gives."""
    measure = ROWS[name]
    finding = properties.is_metric(name)
    assert not finding
    x, y, z = ([int(c) for c in labels] for labels in TRIANGLES[name])
    for a, b, c in ((x, y, z), finding.witness.clusterings):
        far, near, on = (1 - measure(pw.contingency(*p)) for p in ((a, c), (a, b), (b, c)))
        assert far > near + on + 1e-12
    assert math.isclose(finding.witness.values[0], far)


def test_conditional_normalization_needs_all_three_parts():
    """Property 5.1 part by part, on measures made to break one of them."""

    def made(score):
        return lambda a, b: 1.0 if renumbered(a) == renumbered(b) else score(a, b)

    find = properties.is_conditionally_normalized
    assert "against itself" in find(lambda a, b: 0.5, n=3).witness.reason
    assert "not in [0, 1)" in find(made(lambda a, b: 1.0), n=3).witness.reason
    assert "not in [0, 1)" in find(made(lambda a, b: -0.1), n=3).witness.reason
    assert "the smallest is 0.5" in find(made(lambda a, b: 0.5), n=3).witness.reason
    assert "every other" in find(made(lambda a, b: 0.0), n=3).witness.reason
    assert find(made(lambda a, b: 0.0), n=2)
    assert find(made(lambda a, b: 0.0), n=1)


def test_metric_failures_are_named():
    def metric(score, **more):
        return properties.is_metric(score, n=3, **more).witness.reason

    assert "to itself is 1" in metric(lambda a, b: 1.0, direction="lower")
    assert "they differ" in metric(lambda a, b: 0.0, direction="lower")
    uneven = lambda a, b: 0.0 if (a == b).all() else 1.0 + max(a)  # noqa: E731
    assert metric(uneven, direction="lower").startswith("d is ")


@pytest.mark.parametrize("n", [3, 4, 5])
def test_proposition_5_1(n):
    """S* is conditionally normalised; N, A, I are not even normalised."""
    assert properties.is_conditionally_normalized("s_entropy", n)
    for name in ("rand_index", "vi_similarity_log_n"):
        assert properties.is_normalized(name, n)
        assert not properties.is_conditionally_normalized(name, n)
    nmi = "normalized_mutual_information(average=max)"
    assert properties.is_normalized(nmi, n)
    assert not properties.is_conditionally_normalized(nmi, n)
    for name in ("van_dongen(normalized=True)", "classification_accuracy"):
        assert not properties.is_normalized(name, n)
    assert not properties.is_normalized("mutual_information", n)


def test_k_is_normalized_where_k_is_at_most_the_root_of_n():
    assert properties.is_normalized("vi_similarity_log_k(k=2)", n=4)
    assert not properties.is_conditionally_normalized("vi_similarity_log_k(k=2)", n=4)
    assert not properties.is_normalized("vi_similarity_log_k(k=5)", n=5)


def test_proposition_5_2_consistency():
    for name in ("classification_accuracy", "s_entropy"):
        assert properties.is_subcomponent_consistent(name)
    for name in ("van_dongen(normalized=True)", "vi_similarity_log_k(k=3)"):
        finding = properties.is_subcomponent_consistent(name)
        value, score = finding.witness.values
        assert math.isclose(value, (1 + score) / 2)
    other = properties.is_subcomponent_consistent("rand_index")
    assert not other
    assert "score=" in other.witness.reason
    assert not properties.is_subcomponent_consistent("s_entropy", max_share)
    one_side = properties.is_subcomponent_consistent("inverse_purity", max_share)
    assert set(one_side.witness.clusterings[1]) == {0}, "split right, merged wrong"


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("name", lower_bounds.LOWER_BOUND_CONDITIONS)
def test_lower_bound_conditions(name, n):
    """SM, Table 2, as printed; its row of N is wrong for three items."""
    wrong = (name, n) == ("van_dongen(normalized=True)", 3)
    assert bool(lower_bounds.lower_bound_holds(name, n=n)) != wrong


def test_lower_bound_condition_of_k():
    assert lower_bounds.lower_bound_holds("vi_similarity_log_k(k=2)", n=4)
    assert not lower_bounds.lower_bound_holds("vi_similarity_log_k(k=2)", n=5)


def test_a_wrong_condition_has_a_witness():
    met = lower_bounds.lower_bound_holds("rand_index", lambda table: True, n=3)
    assert "not the smallest value" in met.witness.reason
    with pytest.raises(ValueError, match="give condition="):
        lower_bounds.lower_bound_holds("jaccard")


@pytest.mark.parametrize("n", [4, 9])
def test_the_smallest_n_by_formula(n):
    """ceil(2 sqrt n) / 2n is reached by a square."""
    side = math.isqrt(n)
    items = np.arange(n)
    found = 1 - pw.van_dongen(items // side, items % side, normalized=True)
    assert math.isclose(found, math.ceil(2 * math.sqrt(n)) / (2 * n))


def test_partitions_and_their_components():
    assert [len(partitions(n)) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert all(renumbered(p) == p for p in partitions(4))
    for a, b in product(partitions(4), repeat=2):
        parts = join_parts(a, b)
        tables = list(pw.contingency(a, b).components().tables())
        assert len(parts) == len(tables)
        sizes = sorted(len(p.reference) for p in parts)
        assert sizes == sorted(t.n_items for t in tables)
        assert sum(pw.contingency(*p).n_cells for p in parts) == pw.contingency(a, b).n_cells


def test_arguments_are_sentences():
    with pytest.raises(ValueError, match="n=7: all pairs"):
        properties.is_metric("rand_index", n=7)
    with pytest.raises(TypeError, match="a name of the catalogue or a callable"):
        properties.is_metric(3)
    with pytest.raises(ValueError, match="direction='up'"):
        properties.is_metric("rand_index", direction="up")
    with pytest.raises(ValueError, match="vi_similarity_log_k needs k"):
        properties.is_metric("vi_similarity_log_k")
    with pytest.raises(ValueError, match="centroid_ratio needs features"):
        properties.is_metric("centroid_ratio")


def test_a_public_function_is_its_row():
    assert Subject.of(pw.van_dongen).entry is ROWS["van_dongen"]
    assert Subject.of(pw.van_dongen).lower_is_better
    assert bool(properties.is_metric(pw.variation_of_information, n=4))
    assert str(properties.is_metric(pw.rand_index, n=3)) == "rand_index, metric, n = 3: holds"


# ---- the best and a worst clustering ------------------------------------------------


@given(labels=st.lists(st.integers(0, 6), min_size=2, max_size=40))
def test_best_and_worst(labels):
    best, worst = pw.best_clustering(labels), pw.worst_clustering(labels)
    assert best.dtype == worst.dtype == np.int64
    assert pw.s_entropy(labels, best) == 1.0
    assert best.tolist() == list(renumbered(labels))
    assert pw.s_entropy(labels, worst) == 0.0
    assert len(set(pw.meet(labels, worst).tolist())) == len(labels)
    ours, theirs = (
        {frozenset(c) for c in pw.Clustering(x).clusters().values()} for x in (labels, worst)
    )
    assert not ours & theirs
    assert len(theirs) == max(labels.count(x) for x in labels)


def test_best_and_worst_at_the_border():
    assert pw.best_clustering([]).tolist() == []
    assert pw.best_clustering({"x": "p", "y": "q"}).tolist() == [0, 1]
    for labels in ([], [3]):
        with pytest.raises(ValueError, match="only one clustering"):
            pw.worst_clustering(labels)
    with pytest.raises(ValueError, match="item at index 1 has no label"):
        pw.worst_clustering([1.0, math.nan, 2.0])
    assert pw.worst_clustering([4] * 5).tolist() == [0, 1, 2, 3, 4]
