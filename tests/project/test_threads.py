"""Several threads may call at once, on what they share and on what they do not."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import partwise as pw

THREADS = 6
MEASURES = [
    name
    for name, entry in pw.catalogue().items()
    if not entry.requires and entry.computation.solver is None
]


def columns(seed, n=3000):
    draw = np.random.default_rng(seed)
    return draw.integers(0, 40, n), draw.integers(0, 30, n)


def in_threads(function):
    """Call a function of the number of the thread, all at the same time."""
    barrier = Barrier(THREADS)

    def together(number):
        barrier.wait()
        return function(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(together, range(THREADS)))


def test_threads_share_a_table():
    expected = pw.compare(*columns(1), measures=MEASURES).scores
    for _ in range(3):
        table = pw.contingency(*columns(1))  # nothing is computed yet
        results = in_threads(lambda _, table=table: pw.compare(table, measures=MEASURES))
        assert [result.scores for result in results] == [expected] * THREADS


def test_threads_share_an_alignment():
    expected = pw.s_mse(*columns(2), features=columns(2)[0])
    alignment = pw.align(*columns(2), features=columns(2)[0])
    assert in_threads(lambda _: pw.s_mse(alignment)) == [expected] * THREADS


@pytest.mark.parametrize("labels", ["integers", "text"])
def test_threads_with_input_of_their_own(labels):
    inputs = [columns(seed) for seed in range(THREADS)]
    if labels == "text":
        inputs = [[column.astype(str).tolist() for column in pair] for pair in inputs]
    expected = [pw.adjusted_rand_index(*pair) for pair in inputs]

    def score(number):
        return [pw.adjusted_rand_index(*inputs[number]) for _ in range(20)]

    for number, values in enumerate(in_threads(score)):
        assert values == [expected[number]] * 20
