"""The inverse of I - alpha C in fixed point, with bits that no order of the rows changes.

A solver's last bits depend on the order of the rows. So its result is put on a grid, the
residual on that grid is computed exactly (numbers are cut into digits of 21 bits, whose
products a matrix product of doubles adds without rounding), and the correction is rounded to
the grid again. Two such steps leave an error far below the grid's step.
"""

from __future__ import annotations

import math

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray

#: Bits of a digit, and digits of a number.
_DIGIT, _DIGITS = 21, 3
#: Products of two digits that a double adds exactly.
_INNER = 1 << 10
_BITS = 62


def inverse_on_grid(steps: FloatArray, alpha: float) -> tuple[IntArray, int]:
    """Return (I - alpha steps)^-1 as integers, and their fraction bits.

    Parameters
    ----------
    steps : ndarray of float64, shape (k, k)
        Not negative, rows that add up to 1.
    alpha : float
        Between 0 and 1.
    """
    k = len(steps)
    system = np.rint(np.ldexp(np.eye(k) - alpha * steps, _BITS)).astype(np.int64)
    # the entries of the inverse are at most 1 / (1 - alpha)
    bits = _BITS - 2 - math.ceil(-math.log2(1 - alpha))
    start = np.linalg.inv(np.ldexp(system.astype(np.float64), -_BITS))
    inverse = np.rint(np.ldexp(start, bits)).astype(np.int64)
    for _ in range(2):
        left = _residual(system, inverse, _BITS + bits)
        correction = np.ldexp(inverse.astype(np.float64), -bits) @ np.ldexp(left, -_BITS)
        inverse += np.rint(correction).astype(np.int64)
    return np.maximum(inverse, 0), bits


def _digits(values: IntArray) -> list[FloatArray]:
    """Return integers as digits from the low end, each between -2^20 and 2^20."""
    digits = []
    for _ in range(_DIGITS - 1):
        carry = (values + (1 << (_DIGIT - 1))) >> _DIGIT
        digits.append((values - (carry << _DIGIT)).astype(np.float64))
        values = carry
    return [*digits, values.astype(np.float64)]


def _residual(system: IntArray, inverse: IntArray, bits: int) -> FloatArray:
    """Return 2^bits I - system inverse, rounded once the large parts have cancelled."""
    k = len(system)
    first, second = _digits(system), _digits(inverse)
    levels = [np.zeros((k, k), dtype=np.int64) for _ in range(2 * _DIGITS)]
    for start in range(0, k, _INNER):
        inner = slice(start, start + _INNER)
        for i, x in enumerate(first):
            for j, y in enumerate(second):
                levels[i + j] -= (x[:, inner] @ y[inner]).astype(np.int64)
    level, rest = divmod(bits, _DIGIT)
    levels[level][np.diag_indices(k)] += 1 << rest
    total = np.zeros((k, k))
    for place in range(len(levels) - 1):
        carry = (levels[place] + (1 << (_DIGIT - 1))) >> _DIGIT
        levels[place] -= carry << _DIGIT
        levels[place + 1] += carry
    for place in reversed(range(len(levels))):
        total += np.ldexp(levels[place].astype(np.float64), _DIGIT * place)
    return total
