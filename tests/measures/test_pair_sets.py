"""The pair sets index with other similarities, and its expected similarity alone."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
import partwise as pw
from partwise.measures.overlap import pair_sets

SIMILARITIES = ("braun_banquet", "jaccard", "sorensen_dice")
sizes = st.lists(st.integers(1, 40), min_size=1, max_size=5)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@given(left=sizes, right=sizes)
def test_no_other_pairing_of_sizes_has_a_larger_sum(similarity, left, right):
    """PSI, Theorem 2: largest with largest. Holds for all three similarities."""
    n = max(sum(left), sum(right))
    left, right = sorted(left, reverse=True), sorted(right, reverse=True)
    if len(left) > len(right):
        left, right = right, left

    def total(chosen):
        return sum(
            definitions.of_sizes(similarity, Fraction(x * y, n), x, y)
            for x, y in zip(left, chosen, strict=True)
        )

    assert total(right[: len(left)]) == max(map(total, permutations(right, len(left))))


@pytest.mark.long
@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_the_index_is_0_exactly_where_it_is_no_more_than_expected(similarity):
    """All pairs of labellings of four items: S against E in fractions."""
    at_zero = 0
    for a, b in product(product(range(3), repeat=4), repeat=2):
        value = pw.pair_sets_index(a, b, similarity=similarity)
        wanted = definitions.pair_sets_index(list(a), list(b), similarity=similarity)
        assert (value == 0) == (wanted == 0)
        assert (value == 1) == (wanted == 1)
        at_zero += value == 0
    assert at_zero > 100


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_equal_sums_are_decided_in_fractions(similarity, monkeypatch):
    """A table in proportion, S = E: no rounding of thirds and sevenths makes it more."""
    counts = np.outer([6, 3, 3], [5, 5, 2]) * 7
    table = pw.Contingency.from_dense(counts)
    asked = []
    exact = pair_sets.cell_ratios
    monkeypatch.setattr(pair_sets, "cell_ratios", lambda *x: asked.append(x) or exact(*x))
    assert pw.pair_sets_index(table, similarity=similarity) == 0.0
    assert asked  # neither sum, cut below 2^-126, could decide
    more = counts.copy()
    more[0, 0] += 1
    more[0, 2] -= 1
    assert pw.pair_sets_index(pw.Contingency.from_dense(more), similarity=similarity) > 0


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_large_numbers_of_items(similarity):
    """Products of sizes beyond 64 bits."""
    row = 3 * 10**17
    table = pw.Contingency.from_dense([[row, 10**17], [10**16, row]])
    left, right = (sorted(x.tolist(), reverse=True) for x in (table.row_sizes, table.col_sizes))
    wanted = sum(
        definitions.of_sizes(similarity, Fraction(x * y, table.n_items), x, y)
        for x, y in zip(left, right, strict=True)
    )
    value = pw.expected_pair_sets(table, similarity=similarity)
    assert math.isclose(value, float(wanted), rel_tol=2e-16)


def test_expected_similarity_of_equal_sizes_is_1():
    a, b = [0, 0, 0, 1, 1, 2], [2, 1, 1, 0, 0, 0]
    assert pw.expected_pair_sets(a, b) == pw.expected_pair_sets(a, a) == 1.0
    assert pw.expected_pair_sets(a, b, similarity="sorensen_dice") == 1.0
    assert pw.expected_pair_sets([], []) == 1.0


def test_words_and_weights_that_are_refused():
    with pytest.raises(ValueError, match="similarity"):
        pw.expected_pair_sets([0, 1], [0, 1], similarity="overlap")
    with pytest.raises(ValueError, match="similarity"):
        pw.pair_sets_index([0, 1], [0, 0], similarity="overlap")
    with pytest.raises(ValueError, match="counts whole items and takes no weights"):
        pw.expected_pair_sets([0, 1], [0, 1], weights=[1, 2])


def test_draws_of_other_similarities():
    """No sums over blocks are known of them: every draw is a table of its own."""
    random = np.random.default_rng(2)
    groups = np.repeat(np.arange(12), 5)
    a, b = (3 * groups + random.integers(0, 3, 60) for _ in range(2))
    name = "pair_sets_index(similarity=jaccard)"
    draws = pw.bootstrap(a, b, measure=name, groups=groups, draws=20, seed=4)
    assert draws.observed == pw.pair_sets_index(a, b, similarity="jaccard")
    assert 0 < draws.low < draws.observed < draws.high < 1
    assert len(np.unique(draws.values)) > 15
