"""Measures of hierarchies against their literal definitions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hierarchy_definitions as definitions
import partwise as pw
from strategies import hierarchies


def trees(drawn):
    return [pw.Hierarchy.from_parents(*side) for side in drawn[1:]]


def close(value, wanted):
    return value == pytest.approx(float(wanted), rel=1e-13, abs=1e-14, nan_ok=True)


@given(hierarchies(), st.sampled_from(["skip", "order"]))
def test_b_k_is_fowlkes_mallows_of_the_cuts(drawn, ties):
    a, b = trees(drawn)
    curve = pw.b_k(a, b, ties=ties)
    there = set(a.cuts(ties).tolist()) & set(b.cuts(ties).tolist())
    assert curve.k.tolist() == sorted(k for k in there if 2 <= k < drawn[0])
    for k, value in zip(curve.k.tolist(), curve.values.tolist(), strict=True):
        cuts = a.cut(k, ties), b.cut(k, ties)
        assert len(np.unique(cuts[0])) == len(np.unique(cuts[1])) == k
        assert value == pytest.approx(float(definitions.fowlkes_mallows(*cuts)), rel=1e-14)
        assert value == pytest.approx(pw.fowlkes_mallows(*cuts), rel=1e-14)
        assert curve.at(k) == value
    for k in {*range(drawn[0] + 2)} - {*curve.k.tolist()}:
        with pytest.raises(KeyError, match=f"k={k}: not both hierarchies have a cut into so"):
            curve.at(k)


@given(hierarchies())
def test_z_is_the_gap_in_deviations(drawn):
    curve = pw.b_k(*trees(drawn))
    for at, z in enumerate(curve.z.tolist()):
        deviation = math.sqrt(curve.variance[at])
        gap = float(curve.values[at] - curve.mean[at])
        assert z == (pytest.approx(gap / deviation) if deviation else 0.0)


@settings(max_examples=15)
@given(hierarchies(most=6))
def test_null_moments_are_those_of_all_orders(drawn):
    a, b = trees(drawn)
    curve = pw.b_k(a, b)
    for at, k in enumerate(curve.k.tolist()):
        mean, variance = definitions.null_moments(a.cut(k).tolist(), b.cut(k).tolist())
        assert close(curve.mean[at], mean)
        assert close(curve.variance[at], variance)


@given(hierarchies(most=20))
def test_null_moments_are_those_of_pair_counts(drawn):
    a, b = trees(drawn)
    curve = pw.b_k(a, b)
    for at, k in enumerate(curve.k.tolist()):
        moments = pw.pair_count_moments(a.cut(k), b.cut(k))
        product = 4 * moments.pairs.reference * moments.pairs.candidate
        assert curve.mean[at] == pytest.approx(2 * float(moments.mean) / math.sqrt(product))
        wanted = float(4 * moments.variance / product)
        assert curve.variance[at] == pytest.approx(wanted, rel=1e-13, abs=0)


@given(hierarchies(roots=False))
def test_cophenetic_correlation(drawn):
    a, b = trees(drawn)
    wanted = definitions.pearson(definitions.cophenetic(a), definitions.cophenetic(b))
    assert close(pw.cophenetic_correlation(a, b), wanted)
    assert close(pw.cophenetic_correlation(b, a), wanted)


@given(hierarchies())
def test_baker_gamma(drawn):
    a, b = trees(drawn)
    levels = [definitions.levels(tree) for tree in (a, b)]
    assert close(pw.baker_gamma(a, b), definitions.gamma(*levels))
    assert close(pw.baker_gamma(b, a), definitions.gamma(*levels))
    wanted = definitions.pearson(*map(definitions.ranks, levels))
    assert close(pw.baker_gamma(a, b, statistic="spearman"), wanted)


@given(hierarchies(), st.sampled_from([0.1, 0.9]), st.sampled_from([-2, 0, 1, 5]))
def test_element_centric_similarity(drawn, alpha, r):
    a, b = trees(drawn)
    wanted = definitions.element_centric(
        a, b, alpha, lambda tree: definitions.weights_by_longest_way(tree, r)
    )
    options = {"alpha": alpha, "r": r}
    values = pw.element_centric_similarity(a, b, average=None, **options)
    assert values.tolist() == pytest.approx([float(x) for x in wanted], abs=1e-13)
    mean = pw.element_centric_similarity(a, b, **options)
    assert mean == pytest.approx(float(sum(wanted) / len(wanted)), abs=1e-13)


@settings(max_examples=20)
@given(hierarchies(), st.randoms(use_true_random=False))
def test_names_and_their_order_change_no_bit(drawn, random):
    n, *sides = drawn
    names = [f"item {i}" for i in range(n)]
    a, b = (pw.Hierarchy.from_parents(*side, items=names) for side in sides)
    parents, heights = sides[1]
    order = list(range(n))
    random.shuffle(order)
    moved = pw.Hierarchy.from_parents(
        [parents[i] for i in order] + parents[n:], heights, items=[names[i] for i in order]
    )
    assert moved == b
    results = []
    for other in (b, moved):
        results.append(
            [
                pw.b_k(a, other).values.tolist(),
                str(pw.baker_gamma(a, other)),
                str(pw.baker_gamma(a, other, statistic="spearman")),
                pw.element_centric_similarity(a, other, average=None).tolist(),
            ]
        )
    assert results[0] == results[1]
