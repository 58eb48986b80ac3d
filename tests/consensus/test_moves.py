"""What a move costs, against losses computed anew; and that a search can be interrupted."""

import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partwise as pw
from partwise._kernels.reference.consensus import _NEW, _Search
from partwise._kernels.reference.consensus_scores import ONE
from partwise.consensus.ensemble import read_ensemble
from partwise.consensus.losses import LOSSES
from partwise.consensus.search import Problem


def state_of(data, loss, cost):
    """Return a search with all items in clusters, and an item that may move."""
    n = data.draw(st.integers(2, 8))
    one = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    draws = data.draw(st.lists(one, min_size=1, max_size=5))
    labels = data.draw(one)
    i = data.draw(st.integers(0, n - 1))
    codes, starts, weights, gain, sums, most, kind, join, _ = Problem.of(
        read_ensemble(draws), loss, cost
    ).arguments
    first = np.array(labels, dtype=np.int64)
    search = _Search(codes, starts, weights, gain, sums, most, kind, join, first)
    for j in range(n):
        search.enter(j, labels[j])
    if search.scores is not None:
        search.scores.start(search.counts, search.sizes)
    return search, draws, labels, i


def moved(labels, i, k):
    return [*labels[:i], k, *labels[i + 1 :]]


@pytest.mark.one_backend
@pytest.mark.parametrize("loss", LOSSES)
@settings(max_examples=25)
@given(data=st.data())
def test_the_best_move_has_the_least_loss_of_all(loss, data):
    cost = data.draw(st.sampled_from([0.5, 1, 1.4])) if loss in ("vi", "binder") else 1
    search, draws, labels, i = state_of(data, loss, cost)

    def loss_with(k):
        return pw.expected_loss(moved(labels, i, k), draws, loss=loss, split_cost=cost)

    least = min(map(loss_with, range(5)))  # 4 is a new cluster
    chosen = search.best(i, labels[i], len(labels))
    assert loss_with(4 if chosen == _NEW else chosen) <= least + 1e-6


@pytest.mark.one_backend
@settings(max_examples=30)
@given(data=st.data())
def test_what_a_move_adds_to_the_split_merge_score(data):
    search, draws, labels, i = state_of(data, "s_h", 1)
    met = np.unique(moved(labels, i, labels[i - 1]))
    counts, sizes = search.counts[search.rows[i]], search.sizes.copy()
    counts[:, labels[i]] -= 1
    sizes[labels[i]] -= 1
    added = search.scores.losses(i, labels[i], counts, sizes, met, search.weights)
    costs = added / (len(draws) * float(ONE) ** 2)
    anew = [
        len(labels) * pw.expected_loss(moved(labels, i, int(k)), draws, loss="s_h")
        for k in (*met, 4)
    ]
    assert costs - costs[-1] == pytest.approx(np.array(anew) - anew[-1], abs=1e-6)


@pytest.mark.one_backend
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signal to one thread")
@pytest.mark.parametrize(
    ("loss", "clusters", "after", "workers"),
    [("nid", 40, 0.3, 1), ("s_h", 900, 0.1, 1), ("s_h", 900, 0.6, 2), ("vi", 900, 0.3, 1)],
)
def test_a_search_ends_soon_after_an_interrupt(loss, clusters, after, workers):
    """In a dense and in sparse layouts; in CPU seconds, which other programs do not take."""
    random = np.random.default_rng(3)
    draws = list(random.integers(0, clusters, (60, 4000)))
    start = time.process_time()

    def interrupt():
        while time.process_time() - start < after:
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGALRM)

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            pw.point_estimate(draws, loss=loss, seed=1, runs=1000, workers=workers)
        assert time.process_time() - start < after + workers
    finally:
        thread.join()
        signal.signal(signal.SIGALRM, before)
