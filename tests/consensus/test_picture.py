"""The picture of an estimate: its order, its squares, and what is left out of it."""

import numpy as np
import pytest

import partwise as pw
from partwise.consensus.picture import order_of

pytest.importorskip("matplotlib")
pytestmark = pytest.mark.one_backend


def made(n, clusters=3, seed=1):
    random = np.random.default_rng(seed)
    truth = np.arange(n) % clusters
    draws = [np.where(random.random(n) < 0.1, 0, truth).tolist() for _ in range(9)]
    return draws, pw.point_estimate(draws, runs=2, seed=1)


def test_cells_are_shares_in_the_order_of_the_clusters(tmp_path):
    draws, estimate = made(30)
    path = tmp_path / "estimate.png"
    ax = estimate.plot(draws, str(path))
    assert path.stat().st_size > 0
    order = order_of(estimate.labels, estimate.item_certainty)
    shares = pw.similarity_matrix(draws)[np.ix_(order, order)]
    assert np.asarray(ax.images[0].get_array()) == pytest.approx(shares, abs=1e-12)
    sizes = np.bincount(estimate.labels)
    ends = [line.get_xdata()[1] + 0.5 for line in ax.lines[1::2]]
    assert ends == np.cumsum(sorted(sizes, reverse=True)).tolist()


def test_the_surest_items_of_the_largest_cluster_come_first():
    labels, certainty = np.array([0, 1, 1, 1, 0]), np.array([0.9, 0.2, 0.8, 0.5, 1.0])
    assert order_of(labels, certainty).tolist() == [2, 3, 1, 4, 0]


def test_of_many_items_some_are_drawn_and_the_picture_says_so():
    draws, estimate = made(90)
    ax = estimate.plot(draws, items=20)
    assert ax.images[0].get_array().shape == (20, 20)
    assert (
        ax.get_xlabel() == "20 of 90 items, evenly chosen, cluster by cluster, the surest first"
    )
    with pytest.raises(ValueError, match="pass the draws that it was made from"):
        estimate.plot([[0, 1]])
    with pytest.raises(ValueError, match="items=0"):
        estimate.plot(draws, items=0)


def test_of_small_clusters_whole_ones_are_drawn():
    labels = np.repeat(np.arange(40), 2).tolist()
    estimate = pw.point_estimate([labels, labels], runs=1, seed=1)
    ax = estimate.plot([labels], items=20)
    assert ax.images[0].get_array().sum() == 10 * 4
    assert ax.get_xlabel().startswith("20 of 80 items, one cluster of 4")
