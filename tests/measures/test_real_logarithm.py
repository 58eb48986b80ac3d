"""Logarithms of doubles, which have the same bits everywhere."""

import mpmath
import numpy as np
import pytest

from partwise import _kernels
from partwise._kernels.reference import index as reference
from partwise.numbers.real_logarithm import log, log1p

DRAW = np.random.default_rng(11)
WIDE = np.exp(DRAW.uniform(-700, 700, 400))
NEAR = DRAW.normal(0, 1, 400) * 10.0 ** -DRAW.integers(1, 17, 400)
EDGES = np.array([5e-324, 1e-310, 0.5, np.sqrt(0.5), np.nextafter(1, 0), 1, 2, 1.7e308])


def error(values, arguments, exact):
    """The largest distance from exact values in units of their last place."""
    worst = 0.0
    with mpmath.workprec(160):
        for value, argument in zip(values.tolist(), arguments.tolist(), strict=True):
            wanted = exact(mpmath.mpf(argument))
            unit = np.spacing(abs(float(wanted)))
            worst = max(worst, float(abs(mpmath.mpf(value) - wanted) / unit))
    return worst


@pytest.mark.one_backend
def test_logarithms_by_their_definition():
    x = np.concatenate([WIDE, 1 + NEAR, EDGES, DRAW.random(400), np.arange(1, 400)])
    assert error(log(x), x, mpmath.log) < 1
    x = np.concatenate([WIDE, NEAR, EDGES[:-1], DRAW.random(400), -DRAW.random(400)])
    assert error(log1p(x), x, mpmath.log1p) < 2


@pytest.mark.one_backend
def test_known_bits():
    """These do not depend on the machine, nor on the numbers beside them."""
    x = np.array([0.1, 3.0, 7.7, 1e-5, 123456.789])
    assert [one.hex() for one in log(x).tolist()] == LOGS
    assert [one.hex() for one in log1p(x).tolist()] == LOGS_OF_SUMS
    many = np.concatenate([DRAW.random(20_011), x])
    assert log(many)[-5:].tolist() == log(x).tolist()


LOGS = [
    "-0x1.26bb1bbb55515p+1",
    "0x1.193ea7aad030ap+0",
    "0x1.0546b52e30f62p+1",
    "-0x1.7069e2aa2aa5bp+3",
    "0x1.77281cad8a844p+3",
]
LOGS_OF_SUMS = [
    "0x1.8663f793c46c7p-4",
    "0x1.62e42fefa39efp+0",
    "0x1.14e7c4d6f2a8ep+1",
    "0x1.4f8aea9ae7316p-17",
    "0x1.77282daa2d8a9p+3",
]


@pytest.mark.one_backend
def test_ends_and_shapes():
    assert log([0, np.inf, 1]).tolist() == [-np.inf, np.inf, 0]
    assert log1p([-1, np.inf, 0]).tolist() == [-np.inf, np.inf, 0]
    assert np.isnan(log([-1.0, np.nan])).all()
    assert np.isnan(log1p([-2.0, np.nan])).all()
    assert log(np.ones((2, 3))).shape == (2, 3)
    assert float(log(2)) == np.log(2)
    assert log(np.array([], dtype=np.int64)).shape == (0,)


@pytest.mark.one_backend
@pytest.mark.skipif(_kernels.impl is reference, reason="there is nothing to compare with")
def test_both_kernels_have_the_same_logarithm():
    """Far from independence the terms of mutual information are products with it."""
    n_rows = 300
    counts = DRAW.integers(1, 10**6, n_rows)
    indptr, cols = np.arange(n_rows + 1), np.arange(n_rows)
    n = int(counts.sum())
    arguments = (indptr, cols, counts, counts, counts, n)
    ours, theirs = (
        kernels.divergence_terms(*arguments) for kernels in (_kernels.impl, reference)
    )
    assert ours[0].tolist() == theirs[0].tolist()
