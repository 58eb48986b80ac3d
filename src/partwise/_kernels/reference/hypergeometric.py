"""Random numbers of the hypergeometric law: as in ``csrc/chance/pw_hypergeometric.c``.

The probability of the mode comes from Stirling's formula and its corrections, or from the sum
of all weights where a cell of the two by two table is small. From there outwards, one step up
and one down in turn, probabilities are taken off a uniform number until none is left of it.
Only additions, products, quotients and roots: the same bits everywhere.
"""

from __future__ import annotations

import math

_STIRLING_FROM = 32
_NEGLIGIBLE = 2.0**-70
_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(k) for k in range(10))


def _correction(inverse: float) -> float:
    """Return ln(x!) less Stirling's formula, for 1 / x."""
    z = inverse * inverse
    return inverse * (
        1.0 / 12.0 + z * (-1.0 / 360.0 + z * (1.0 / 1260.0 + z * (-1.0 / 1680.0)))
    )


def _deviance(x: float, y: float) -> float:
    """Return x ln(x / (x - d)) - d for y = d / x, at most 1 / 32."""
    total = 1.0 / 11.0
    for k in range(10, 1, -1):
        total = 1.0 / k + y * total
    return x * (y * y) * total


def _small_exp(x: float) -> float:
    total = 0.0
    for inverse in reversed(_INVERSE_FACTORIALS):
        total = inverse + x * total
    return total


def _step(cells: tuple[float, ...], up: float, down: float, s: float) -> tuple[float, float]:
    """Return weights one step further from the mode on either side."""
    both, marked, chosen, neither = cells
    return (
        up * (((marked - (s - 1.0)) * (chosen - (s - 1.0))) / ((both + s) * (neither + s))),
        down * (((both - (s - 1.0)) * (neither - (s - 1.0))) / ((marked + s) * (chosen + s))),
    )


def _central(cells: tuple[float, ...], n: float, a: float, b: float, d: float) -> float:
    """Return the probability of the mode, d above the mean, by Stirling's formula."""
    exponent = _correction(1.0 / a) + _correction(1.0 / b) + _correction(1.0 / (n - a))
    exponent += _correction(1.0 / (n - b))
    exponent -= _correction(1.0 / n)
    for i, cell in enumerate(cells):
        inverse = 1.0 / cell
        y = d * inverse if i in (0, 3) else -(d * inverse)
        exponent -= _correction(inverse) + _deviance(cell, y)
    above = (a * b) * ((n - a) * (n - b))
    below = (cells[0] * cells[1]) * (cells[2] * cells[3])
    return math.sqrt(above / (math.tau * n * below)) * _small_exp(exponent)


def _summed(cells: tuple[float, ...]) -> float:
    """Return the same from the sum of all weights."""
    up = down = 1.0
    above = below = 0.5
    s = 1.0
    while up >= _NEGLIGIBLE or down >= _NEGLIGIBLE:
        up, down = _step(cells, up, down, s)
        above += up
        below += down
        s += 1.0
    return 1.0 / (above + below)


def mode_of(n: int, a: int, b: int) -> tuple[int, float]:
    """Return the mode and its probability."""
    mode = int((float(a) + 1.0) * (float(b) + 1.0) / (float(n) + 2.0))
    mode = min(max(mode, a + b - n), a, b)
    counts = (mode, a - mode, b - mode, n - a - b + mode)
    cells = tuple(map(float, counts))
    if min(counts) < _STIRLING_FROM:
        return mode, _summed(cells)
    d = float(mode * n - a * b) / float(n)
    return mode, _central(cells, float(n), float(a), float(b), d)


def hypergeometric(n: int, a: int, b: int, u: float) -> int:
    """Return how many of b chosen items are among a marked ones of n, from u in [0, 1)."""
    mode, most = mode_of(n, a, b)
    left = u - most
    if left < 0.0:
        return mode
    cells = tuple(map(float, (mode, a - mode, b - mode, n - a - b + mode)))
    up = down = most
    s = 0
    while up >= _NEGLIGIBLE or down >= _NEGLIGIBLE:
        s += 1
        up, down = _step(cells, up, down, float(s))
        left -= up
        if left < 0.0:
            return mode + s
        left -= down
        if left < 0.0:
            return mode - s
    return mode
