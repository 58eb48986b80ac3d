"""Matching of clusterings that have nothing in common, against SciPy's dense solver."""

import math

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import partwise as pw
from certificates import WAYS, certified_total
from partwise import _kernels
from partwise.solvers.gains import scaled_gains

#: Clusterings that have nothing in common, which lead through all ways up to the auction.
UNRELATED = {
    "square": lambda rng, k: rng.integers(0, k, (2, 30 * k)),
    "more rows": lambda rng, k: (rng.integers(0, k, 15 * k), rng.integers(0, k // 2, 15 * k)),
    "more columns": lambda rng, k: (rng.integers(0, k // 3, 9 * k), rng.integers(0, k, 9 * k)),
    "zipf": lambda rng, k: np.minimum(rng.zipf(1.3, (2, 20 * k)), k),
    "equal sizes": lambda rng, k: (
        np.repeat(np.arange(k), 20),
        rng.permutation(np.repeat(np.arange(k), 20)),
    ),
    "counts of 1": lambda rng, k: (
        np.repeat(np.arange(k), 12),
        (np.arange(12 * k) * 7 + np.repeat(rng.integers(0, k, k), 12)) % k,
    ),
}


@pytest.mark.parametrize("similarity", ["overlap", "jaccard", "braun_banquet"])
@pytest.mark.parametrize("name", sorted(UNRELATED))
def test_unrelated_clusterings(name, similarity, kernels):
    """Each total against SciPy's, at any budget, with the duals as its proof."""
    k = 240 if kernels == "compiled" else 60
    table = pw.contingency(*UNRELATED[name](np.random.default_rng(8), k))
    values = pw.cluster_similarity_matrix(table, similarity=similarity)
    gains, scale = scaled_gains(values.data.astype(np.float64))
    cells = table.indptr, table.cols, gains
    ways = WAYS if kernels == "compiled" else WAYS[:1]
    found = [_kernels.impl.match(*cells, table.shape[1], *way) for way in ways]
    totals = {certified_total(*cells, table.shape[1], each) for each in found}
    assert len(totals) == 1
    dense = values.toarray()
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    assert math.isclose(math.ldexp(totals.pop(), -scale), best, rel_tol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_pair_sets_index_of_unrelated_clusterings(seed, kernels):
    """By its definition, from SciPy's assignment."""
    n, k, j = [(6000, 60, 60), (6000, 60, 50), (9000, 30, 90), (4000, 40, 40)][seed]
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, k, n), rng.integers(0, j, n)
    table = pw.contingency(a, b)
    dense = pw.cluster_similarity_matrix(table, similarity="braun_banquet").toarray()
    paired = dense[linear_sum_assignment(dense, maximize=True)].sum()
    rows, cols = (np.sort(sizes)[::-1] for sizes in (table.row_sizes, table.col_sizes))
    expected = np.minimum(rows[: min(k, j)], cols[: min(k, j)]).sum() / n
    wanted = max(paired - expected, 0) / (max(k, j) - expected)
    assert math.isclose(pw.pair_sets_index(a, b), wanted, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("similarity", ["overlap", "sorensen_dice", "braun_banquet"])
def test_blocks_are_matched_alike_by_any_number_of_workers(similarity, both):
    """Blocks that have nothing in common, of several sizes, their clusters in any order."""
    rng = np.random.default_rng(4)
    sizes = np.array([3, 40, 200, 90, 60, 1, 150, 120])
    block = np.repeat(np.arange(len(sizes)), 20 * sizes)
    names = rng.permutation(int(sizes.sum()))
    starts = np.cumsum(sizes) - sizes
    a, b = (names[starts[block] + rng.integers(0, sizes[block])] for _ in range(2))
    table = pw.contingency(a, b)
    values = pw.cluster_similarity_matrix(table, similarity=similarity).data
    gains = scaled_gains(values.astype(np.float64))[0]
    cells = table.indptr, table.cols, gains
    for scans in ((0, 0, 0), (20_000, 4, 32)):
        found = [
            both["compiled"].match(*cells, table.shape[1], False, scans, count)
            for count in (1, 2, 3, 64)
        ]
        wanted = certified_total(*cells, table.shape[1], found[0])
        assert wanted == certified_total(
            *cells, table.shape[1], both["numpy"].match(*cells, table.shape[1], False, scans)
        )
        for several in found[1:]:
            assert all(np.array_equal(x, y) for x, y in zip(several, found[0], strict=True))


@pytest.mark.parametrize("similarity", ["sorensen_dice", "jaccard"])
def test_rows_that_gain_in_circles(similarity, kernels):
    """With 2,000 clusters the auction ends with circles of rows that change columns."""
    k = 2000 if kernels == "compiled" else 50
    table = pw.contingency(*UNRELATED["square"](np.random.default_rng(8), k))
    values = pw.cluster_similarity_matrix(table, similarity=similarity).data
    cells = table.indptr, table.cols, scaled_gains(values.astype(np.float64))[0]
    found = [_kernels.impl.match(*cells, k, tied, 0) for tied in (False, True)]
    assert len({certified_total(*cells, k, each) for each in found}) == 1
