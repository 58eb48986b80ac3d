"""Random clusterings: how many clusters of each size are to be expected.

Permutations keep the observed sizes ("perm"); all clusterings with the observed number of
clusters ("num") or all clusterings whatsoever ("all") are equally likely instead. Items are
exchangeable in each, so given two sizes the overlap is hypergeometric, and expectations of
pair counts and of mutual information need only the expected number c(b) of clusters of size b.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.numbers.divergence import phi
from partwise.numbers.logarithm import LN_BITS, ln_fixed
from partwise.table.contingency import Contingency

RandomModel = Literal["perm", "num", "all"]
MODELS: tuple[str, ...] = get_args(RandomModel)
RandomSides = Literal["both", "candidate"]
RANDOM_SIDES: tuple[str, ...] = get_args(RandomSides)

_EXACT_UP_TO = 200  # items: Python integers are quick enough
_DEVIATIONS = 12.0  # of a bell curve, beyond which nothing is left in double precision


class Profile(NamedTuple):
    """Sizes and the (expected) number of clusters of each; sizes times numbers make n.

    ``shares`` are the numbers as fractions, where they are known.
    """

    sizes: IntArray
    numbers: FloatArray
    shares: tuple[Fraction, ...] | None = None

    def together(self) -> Fraction:
        """Return the probability that two items are together, exact where the numbers are."""
        sizes = self.sizes.tolist()
        if self.shares is not None:
            n = round(self.items())
            pairs = (x * (b * (b - 1)) for x, b in zip(self.shares, sizes, strict=True))
            return sum(pairs, Fraction(0)) / (n * (n - 1))
        integers = [int(x) for x in self.numbers.tolist() if x.is_integer()]
        if len(integers) == len(sizes):  # those of a clustering
            n = sum(x * b for x, b in zip(integers, sizes, strict=True))
            pairs_of = sum(x * b * (b - 1) for x, b in zip(integers, sizes, strict=True))
            return Fraction(pairs_of, n * (n - 1))
        b, items = self.sizes.astype(np.float64), self.items()
        some = math.fsum((self.numbers * b * (b - 1)).tolist())
        return Fraction(some / (items * (items - 1)))

    def items(self) -> float:
        """Return the number of items."""
        return math.fsum((self.numbers * self.sizes).tolist())


def distinct_sizes(sizes: IntArray, n: int | None = None) -> Profile:
    """Return the distinct sizes, ascending, and how many clusters have each. O(k).

    ``n`` is their sum, where it is known: no size is larger.
    """
    if len(sizes) == 0:
        return Profile(sizes, np.zeros(0))
    small = 8 * len(sizes) + 10_000
    if (n is not None and n <= small) or int(sizes.max()) <= small:
        counts = np.bincount(sizes)
        distinct = counts.nonzero()[0]
        return Profile(distinct, counts[distinct].astype(np.float64))
    bound = math.isqrt(2 * int(sizes.sum())) + 1  # few are larger
    large = np.sort(sizes[sizes > bound])
    counts = np.bincount(sizes[sizes <= bound])
    few = counts.nonzero()[0]
    starts = np.flatnonzero(np.diff(large, prepend=0))
    times = np.diff(starts, append=len(large))
    numbers = np.concatenate((counts[few], times)).astype(np.float64)
    return Profile(np.concatenate((few, large[starts])), numbers)


def profiles(table: Contingency, model: str, sides: str) -> tuple[Profile, Profile]:
    """Return the profiles of both sides under a model."""
    observed = distinct_sizes(table.row_sizes), distinct_sizes(table.col_sizes)
    if model == "perm":
        return observed
    numbers = table.shape if model == "num" else (0, 0)
    drawn = [random_profile(table.n_items, k, model) for k in numbers]
    return (observed[0] if sides == "candidate" else drawn[0], drawn[1])


def check_model(model: Any, sides: Any) -> None:
    """Check the options of a random model."""
    one_of(model, MODELS, "model")
    one_of(sides, RANDOM_SIDES, "sides")


@lru_cache(maxsize=64)
def random_profile(n: int, k: int, model: str) -> Profile:
    """Return the expected sizes of a clustering with k clusters ("num") or any ("all")."""
    if model == "num" and k in (1, n):
        return Profile(np.array([n // k]), np.array([float(k)]))
    if n <= _EXACT_UP_TO:
        return _exact(n, k) if model == "num" else _exact_all(n)
    sizes, numbers = _many(n, k) if model == "num" else _many_all(n)
    some = numbers > 0
    sizes, numbers = sizes[some], numbers[some]
    return Profile(sizes, numbers * (n / math.fsum((numbers * sizes).tolist())))


# ---- few items: exact ----------------------------------------------------------------


def _exact(n: int, k: int) -> Profile:
    """c(b) = C(n, b) S(n - b, k - 1) / S(n, k), S the Stirling numbers of the second kind."""
    previous: list[int] = [1] + [0] * n  # S(0..n, j), column by column
    for j in range(1, k + 1):
        column = [0] * (n + 1)
        for m in range(j, n + 1):
            column[m] = j * column[m - 1] + previous[m - 1]
        if j < k:
            previous = column
    ways = [math.comb(n, b) * previous[n - b] for b in range(n - k + 2)]
    return _shares(ways, column[n])


def _exact_all(n: int) -> Profile:
    """c(b) = C(n, b) B(n - b) / B(n), B the Bell numbers."""
    bell, row = [1], [1]
    for _ in range(n):
        below = [row[-1]]
        for x in row:
            below.append(below[-1] + x)
        row = below
        bell.append(row[0])
    return _shares([math.comb(n, b) * bell[n - b] for b in range(n + 1)], bell[n])


def _shares(ways: list[int], all_ways: int) -> Profile:
    sizes = [b for b in range(1, len(ways)) if ways[b]]
    shares = tuple(Fraction(ways[b], all_ways) for b in sizes)
    return Profile(np.array(sizes), np.array([ways[b] / all_ways for b in sizes]), shares)


# ---- many items ------------------------------------------------------------------------

_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


def _tail(x: FloatArray) -> FloatArray:
    """Return ln x! - (x ln x - x + ln(2 pi x) / 2), for x >= 1 (below 16 by the factorial)."""
    total = np.zeros_like(x)
    for coefficient in reversed(_STIRLING):
        total = coefficient + total / (x * x)
    total = total / x
    for index in np.flatnonzero(x < 16):
        value = float(x[index])
        plain = value * math.log(value) - value + math.log(2 * math.pi * value) / 2
        total[index] = math.lgamma(value + 1) - plain
    return total


def _many_all(n: int) -> tuple[IntArray, FloatArray]:
    """Return c(b) by Dobinski's formula: n items thrown into J boxes, J with weight J^n / J!.

    The weights are a bell curve around J ln J = n with deviation J / sqrt(n + J); a sum over
    every h-th J is as good as all of them for h up to 0.6 deviations.
    """
    top = _mode_of_boxes(n)
    deviation = top / math.sqrt(n + top)
    step = max(1, int(0.6 * deviation))
    reach = int(_DEVIATIONS * deviation / step) + 1
    d = (np.arange(-reach, reach + 1) * step).astype(np.float64)
    d = d[top + d >= 2]
    boxes, x = top + d, d / top
    # ln of the weight over the top one, in parts that are all small
    bent = phi(x)
    slope = ((n << LN_BITS) // top - ln_fixed(top)) / 2.0**LN_BITS
    logs = n * ((bent - x * x) / (1 + x)) + d * slope - top * bent
    logs -= np.log1p(x) / 2 + _tail(boxes) - _tail(np.array([float(top)]))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean = n / boxes.min()
    most = min(n, int(mean + 14 * math.sqrt(mean) + 60))
    share = np.exp(n * np.log1p(-1 / boxes))  # of boxes with b items
    numbers = np.zeros(most + 1)
    for b in range(1, most + 1):
        share = share * ((n - b + 1) / b / (boxes - 1))
        numbers[b] = float((weights * boxes * share).sum())
    return np.arange(most + 1), numbers


def _mode_of_boxes(n: int) -> int:
    """Return J with J ln J = n, rounded."""
    x = n / max(1.0, math.log(n))
    for _ in range(50):
        x = (x + n) / (1 + math.log(x))
    return round(x)


def _many(n: int, k: int) -> tuple[IntArray, FloatArray]:
    """Return c(b) = k P(X = b | sum = n) for k independent Poisson numbers that are not 0.

    Their parameter r makes the mean n / k; P(sum = m) is the integral of a characteristic
    function, which the trapezoid rule gives to the last digit.
    """
    mean = n / k
    r = _poisson_parameter(n, k)
    # a double of 2^53 or more does not hold the 1; r is the mean then
    variance = mean * (1 + r - mean if mean < 2.0**53 else 1.0)
    spread = math.sqrt(k * variance)
    points = 2 * int(_DEVIATIONS * spread) + 61  # odd
    last = min(points // 2, int(_DEVIATIONS / spread * points / (2 * math.pi)) + 1)
    angles: FloatArray = np.arange(last + 1) * np.float64(2 * math.pi / points)
    weights = np.where(angles == 0, 1.0, 2.0)  # both signs
    logs = _log_characteristic(angles, r, mean)
    one = math.sqrt(variance)
    step = int(0.5 * one) if mean > 200 else 1
    low = max(1, int(mean - 14 * one - 20))
    high = min(n - k + 1, int(mean + 14 * one + 60))
    sizes = np.arange(low, high + 1, step)
    b = sizes.astype(np.float64)
    phases = np.outer(b - mean, angles)
    rest = weights * np.exp((k - 1) * logs)
    integrals = (np.cos(phases) * rest.real - np.sin(phases) * rest.imag).sum(axis=1)
    poisson = np.exp(-r * phi((b - r) / r) - _tail(b)) / np.sqrt(2 * math.pi * b)
    total = float((weights * np.exp(k * logs)).real.sum())
    numbers = k * poisson / -math.expm1(-r) * integrals / total
    numbers[numbers < numbers.max() * 1e-18] = 0.0  # rounding, of either sign
    return sizes, numbers * step


def _poisson_parameter(n: int, k: int) -> float:
    """Return r with r / (1 - exp(-r)) = n / k."""
    mean, beyond = n / k, (n - k) / k
    r = mean if mean > 2 else 2 * beyond
    for _ in range(60):
        # r / (1 - e^-r) - 1 = (e^-r - 1 + r) / (1 - e^-r)
        fall = -math.expm1(-r)
        excess = r - fall if r > 0.1 else _exp_excess(r)
        value = excess / fall - beyond
        change = value * fall * fall / (fall - r * math.exp(-r) if r > 0.1 else r * r / 2)
        if abs(change) <= 1e-16 * r:
            break
        r -= change
    return r


def _exp_excess(r: float) -> float:
    """Return exp(-r) - 1 + r for small r."""
    total = 0.0
    for j in range(14, 1, -1):
        total = (1.0 - total) * r / j
    return total * r


def _log_characteristic(angles: FloatArray, r: float, mean: float) -> NDArray[np.complex128]:
    """Return ln E exp(i angle (X - mean)), X a Poisson number of parameter r that is not 0."""
    turn = np.exp(1j * angles)
    sine = np.sin(angles / 2)
    around = -2 * sine * sine + 1j * np.sin(angles)  # exp(i angle) - 1
    if r < 1:  # X - 1: ln((e^z - 1) / z), z = r exp(i angle), by its series
        z = r * turn
        return _log_mean_exp(z) - _log_mean_exp(np.array([r + 0j])) - 1j * (mean - 1) * angles
    z = r * around
    # r sin(angle) - r angle, and r + r / (e^r - 1) is the mean
    square = angles * angles
    bent = np.where(
        angles < 0.5,
        -angles * square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))),
        np.sin(angles) - angles,
    )
    logs = z.real + 1j * r * bent
    if r > 40:
        return logs
    return logs + np.log1p(-np.expm1(-z) / math.expm1(r)) - 1j * r / math.expm1(r) * angles


def _log_mean_exp(z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return ln((e^z - 1) / z) for |z| <= 1."""
    total = np.zeros_like(z)
    for j in range(20, 1, -1):
        total = (1 + total) * z / j
    return np.log1p(total)
