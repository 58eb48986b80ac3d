"""What the papers claim of their measures, as laws on random tables."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import partwise as pw

tables = st.lists(
    st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=1, max_size=4
).filter(lambda t: any(map(any, t)))


def table_of(counts):
    return pw.Contingency.from_dense(counts)


def close(x, y):
    return math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-13)


@given(counts=tables)
def test_nvi_of_the_simple_clusterings(counts):
    """NVI, section 4: single cluster 1, singletons H(K|C)/H(C), no knowledge 1 + H(K)/H(C)."""
    classes = [i for i, row in enumerate(counts) for _ in range(sum(row))]
    h = pw.entropy(classes)
    assume(h > 0)
    n = len(classes)
    assert pw.nvi(classes, [0] * n) == 1.0
    singletons = list(range(n))
    assert close(pw.nvi(classes, singletons), pw.conditional_entropy(singletons, classes) / h)
    ignorant = np.outer([sum(row) for row in counts], [1, 2, 3])
    other = [0] + [1] * 2 + [2] * 3
    assert close(pw.nvi(table_of(ignorant)), 1 + pw.entropy(other) / h)


@given(counts=tables, times=st.integers(2, 5))
def test_duplication_changes_vi_nvi_and_v_by_nothing(counts, times):
    """n-invariance: only proportions count; VI / ln n does depend on n."""
    once, more = table_of(counts), table_of([[times * x for x in row] for row in counts])
    for measure in (pw.variation_of_information, pw.nvi, pw.nvi_k, pw.v_measure):
        assert close(measure(once), measure(more))
    if once.n_items > 1 and pw.variation_of_information(once) > 0:
        assert pw.vi_similarity_log_n(once) < pw.vi_similarity_log_n(more)


@given(counts=tables)
def test_convex_additivity(counts):
    """VI between a clustering and its coarsening is the size-weighted sum over clusters."""
    a = [i for i, row in enumerate(counts) for _ in range(sum(row))]
    b = [3 * i + j for i, row in enumerate(counts) for j, x in enumerate(row) for _ in range(x)]
    n = len(a)
    parts = 0.0
    for cluster in set(a):
        inside = [b[i] for i in range(n) if a[i] == cluster]
        parts += len(inside) / n * pw.variation_of_information([0] * len(inside), inside)
    assert close(pw.variation_of_information(a, b), parts)
    h = pw.entropy(a)
    if h > 0:
        assert close(pw.nvi(a, b), parts / h)


@given(counts=tables)
def test_additivity_of_refinement(counts):
    """VI(top, b) = VI(top, a) + VI(a, b) where b refines a."""
    a = [i for i, row in enumerate(counts) for _ in range(sum(row))]
    b = [3 * i + j for i, row in enumerate(counts) for j, x in enumerate(row) for _ in range(x)]
    top = [0] * len(a)
    vi = pw.variation_of_information
    assert close(vi(top, b), vi(top, a) + vi(a, b))


@given(counts=tables, other=tables)
def test_nvi_keeps_the_order_of_vi_for_one_reference(counts, other):
    """Dividing by H(C) cannot reorder candidates."""
    size = min(sum(map(sum, counts)), sum(map(sum, other)))
    a, b, c = (
        [i for i, row in enumerate(t) for x in row for _ in range(x)][:size]
        for t in (counts, other, other[::-1])
    )
    assume(pw.entropy(a) > 0)
    vi = [pw.variation_of_information(a, x) for x in (b, c)]
    nvi = [pw.nvi(a, x) for x in (b, c)]
    assert (vi[0] < vi[1]) == (nvi[0] < nvi[1])
    assert all(0 <= x <= 1 for x, y in zip(nvi, vi, strict=True) if y <= pw.entropy(a))


@given(counts=tables)
def test_order_of_cluster_similarities(counts):
    """PSI 4.1: Jaccard <= Braun-Banquet <= Sorensen-Dice for any two clusters."""
    table = table_of(counts)
    jaccard, banquet, dice = (
        pw.cluster_similarity_matrix(table, similarity=x).data
        for x in ("jaccard", "braun_banquet", "sorensen_dice")
    )
    assert (jaccard <= banquet).all()
    assert (banquet <= dice).all()


@given(counts=tables)
def test_set_matching_covers_its_family(counts):
    """PSI, Tables 3-5."""
    table = table_of(counts)
    of = pw.set_matching
    assert of(table, normalizer="n") == pw.purity(table)
    assert of(table, matching="nearest_reference", normalizer="n") == pw.inverse_purity(table)
    both = of(table, matching="nearest_both", normalizer="2n")
    assert close(1 - both, pw.van_dongen(table, normalized=True))
    outer = {"matching": "nearest_reference"}
    assert of(table, similarity="size_sorensen_dice", normalizer="n", **outer) == pw.f_measure(
        table
    )
    assert of(table, similarity="sorensen_dice", normalizer="k", **outer) == pw.larsen_aone(
        table
    )
    greedy = of(table, matching="greedy", normalizer="n")
    assert close(1 - greedy, pw.criterion_h(table, matching="greedy"))
    assert close(
        of(table, similarity="size_sorensen_dice", matching="nearest_candidate"),
        sum(
            max(table.row_sizes[i] * d for i, d in enumerate(col))
            for col in pw.cluster_similarity_matrix(
                table, similarity="sorensen_dice"
            ).T.toarray()
        ),
    )
    best = of(table, matching="optimal", normalizer="n")
    assert best == pw.classification_accuracy(table)
    assert greedy <= best <= 2 * greedy


def test_set_matching_words():
    for options in ({"similarity": "dice"}, {"matching": "best"}, {"normalizer": "N"}):
        with pytest.raises(ValueError, match="is not one of"):
            pw.set_matching([0], [0], **options)
    assert pw.set_matching([], [], normalizer="n") == 1.0


def test_adjust():
    """PSI, equations (1), (2)."""
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    p = pw.pair_confusion(a, b)
    x, y = p.reference / p.total, p.candidate / p.total
    expected = x * y + (1 - x) * (1 - y)
    adjusted = pw.adjust(pw.rand_index(a, b), expected=expected, maximum=1.0)
    assert close(adjusted, pw.adjusted_rand_index(a, b))
    assert pw.adjust(3.0, 3.0, 3.0) == 1.0
    assert pw.adjust(2.0, 3.0, 3.0) == 0.0
    assert pw.adjust(0.2, expected=0.5, maximum=0.0) == pytest.approx(0.6)


def test_size_profile():
    """NVI, Table 2: clusters of one item, under 10, under 100, 100 and more."""
    sizes = [1, 1, 2, 9, 10, 99, 100, 5000]
    table = pw.Contingency.from_counts(range(8), [0] * 8, sizes)
    reference, candidate = table.profiles
    assert tuple(reference) == (2, 4, 6, 2)
    assert tuple(candidate) == (0, 0, 0, 1)
    line = pw.compare(table, measures="purity").profile_line
    assert "reference 2 of 1, 2 of 2-9, 2 of 10-99, 2 of 100 and more" in line


def test_item_profile():
    """NVI, section 6: items in clusters of one item, under 10, under 100, 100 and more."""
    sizes = [1, 1, 2, 9, 10, 99, 100, 5000]
    table = pw.Contingency.from_counts(range(8), [0] * 8, sizes)
    reference, candidate = pw.compare(table, measures="purity").item_profiles
    assert tuple(reference) == (2, 13, 122, 5100)
    assert tuple(candidate) == (0, 0, 0, 5222)
    assert pw.compare([], [], measures="purity").item_profiles[0] == (0, 0, 0, 0)
