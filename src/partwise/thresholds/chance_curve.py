"""Information corrected for chance at every state: the expectation is a sum over cluster sizes.

With M the overlap of clusters of n_i and m items when items are permuted,

    sum over i, j of E[M ln M] = sum over candidate clusters j of g(m_j),
    g(m) = sum over reference clusters i of E[M ln M],

and g is needed once for every size that a cluster ever has. A merge of clusters of a and b
items adds g(a + b) - g(a) - g(b).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from partwise import _kernels
from partwise._kernels.wide_integers import WideIntegers
from partwise._kernels.workers import PAIRS, map_blocks
from partwise.measures.entry import Measure
from partwise.measures.formulas import States, larger, replaced, smaller
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray
from partwise.numbers.checks import ln_of_base
from partwise.thresholds.grid import GRID
from partwise.thresholds.split_merge_curve import History

#: Steps of the sums over overlaps, in all and per item of a table on the grid, beyond which the
#: grid takes their place: it is cheaper then.
MOST_STEPS, MOST_STEPS_PER_ITEM = 1 << 24, 4
#: Items of all reported states together up to which each is computed on its table.
FEW_ITEMS = 4_000_000

MEASURES = (
    "expected_mutual_information",
    "adjusted_mutual_information",
    "adjusted_variation_of_information",
)


class Expected(NamedTuple):
    """n E[I] at each state in units of 2^-fraction_bits, and the pairs of sizes it took."""

    overlap: WideIntegers
    divergence: WideIntegers
    pairs: int


def covered(entry: Measure) -> bool:
    """Return whether a measure has such a curve: under permutation, that is."""
    options = {**entry.defaults, **entry.options}
    return entry.function.__name__ in MEASURES and options.get("model", "perm") == "perm"


def expected_information(history: History, workers: int = 1) -> Expected | None:
    """Return the expectation at every state; None where it would take too many steps.

    Notes
    -----
    Every pair of a size that a candidate cluster ever has and a distinct reference size is
    summed once: about 10 + min(mu, 20 sqrt(mu)) steps for an expected overlap mu below 600,
    100 above. A linkage that grows evenly has few sizes (a thousand for a million items), a
    chain has n of them.
    """
    labels = history.labels
    shown = labels >= 0
    n = int(shown.sum())
    reference = np.bincount(labels[shown], minlength=history.n_labels)
    rows, weights = np.unique(reference, return_counts=True)
    sizes = _kernels.impl.sweep_sizes(shown.astype(np.int64), history.left, history.right)
    occurs = np.zeros(n + 1, dtype=bool)
    occurs[sizes] = True
    occurs[0] = False
    cols = np.flatnonzero(occurs)
    most = MOST_STEPS + MOST_STEPS_PER_ITEM * n * min(history.n_states, GRID)
    if 10 * len(rows) * len(cols) > most or _steps(rows, cols, n) > most:
        return None
    by_size = _by_size(rows, weights, cols, history.fraction_bits, n, workers)
    number_of_size = np.cumsum(occurs)  # 0 where nothing is labelled
    left, right = number_of_size[sizes[history.left]], number_of_size[sizes[history.right]]
    joined = number_of_size[sizes[len(labels) :]]
    done = np.searchsorted(history.state, np.arange(history.n_states), side="right")
    overlap, divergence = (
        _running(high, low, (left, right, joined), n, done) for high, low in by_size
    )
    return Expected(overlap=overlap, divergence=divergence, pairs=len(rows) * len(cols))


def _by_size(
    rows: IntArray, times: IntArray, cols: IntArray, bits: int, n: int, workers: int
) -> tuple[tuple[IntArray, Any], tuple[IntArray, Any]]:
    """Return the sums of ``expected_by_size``; threads take every so manyth column each."""
    weights = times.astype(np.float64)
    if workers == 1 or len(rows) * len(cols) < 2 * PAIRS:
        return _kernels.impl.expected_by_size(rows, weights, cols, n, bits)
    shares = [np.ascontiguousarray(cols[i::workers]) for i in range(workers)]
    sums = [(np.empty(len(cols), np.int64), np.empty(len(cols), np.uint64)) for _ in range(2)]
    done = map_blocks(
        lambda share: _kernels.impl.expected_by_size(rows, weights, share, n, bits),
        shares,
        workers,
    )
    for i, of_share in enumerate(done):
        for to, words in zip(sums, of_share, strict=True):
            to[0][i::workers], to[1][i::workers] = words
    return sums[0], sums[1]


def _steps(rows: IntArray, cols: IntArray, n: int) -> float:
    """Return about how many steps the pairs take: those of the smaller side one by one."""
    few, many = sorted((rows, cols), key=len)
    total = 0.0
    for size in few.tolist():
        mean = many * (size / n)
        total += float(
            np.where(mean < 600, 10 + np.minimum(mean, 20 * np.sqrt(mean)), 100).sum()
        )
    return total


def _running(
    high: IntArray,
    low: Any,
    numbers: tuple[IntArray, IntArray, IntArray],
    n: int,
    done: IntArray,
) -> WideIntegers:
    """Return the sum of g over the clusters of each state.

    ``high`` and ``low`` are the words of g by number of the size, from 1; ``numbers`` are those
    of the sizes of the two clusters of each merge and of the one that they become.
    """
    start = (int(high[0]) << 64) + int(low[0]) if len(high) else 0  # size 1 comes first
    high, low = np.append(0, high), np.append(np.uint64(0), low)
    left, right, joined = numbers
    limbs = []  # of 32 bits: none of their sums passes 64
    for word in (low, high.view(np.uint64)):
        for shift in (0, 32):
            part = (word >> np.uint64(shift) & np.uint64(0xFFFFFFFF)).astype(np.int64)
            gain = part[joined] - part[left] - part[right]
            limbs.append(np.append(0, np.cumsum(gain))[done])
    total: Any = 0
    for limb in reversed(limbs):
        total = total * (1 << 32) + WideIntegers.of(limb)
    return WideIntegers.of(total + n * start)


class Curves:
    """Curves of the measures of one history.

    Parameters
    ----------
    states : States
        Sums of its states.
    expected : Expected
    largest : int64, shape (n_states,)
        Items of the largest candidate cluster.
    reference : int64, shape (n_labels,)
        Sizes of the reference clusters.
    """

    def __init__(
        self, states: States, expected: Expected, largest: IntArray, reference: IntArray
    ) -> None:
        s = self._sums = states.entropies
        self._states, n, rows = states, int(states.n), len(reference)
        cols = np.asarray(states.cols.low, dtype=np.int64)
        self._cols = cols
        # the smaller of both sums loses fewer digits
        from_entropies = expected.overlap + (s.reference - s.top + s.candidate)
        self.expected = _where(
            expected.divergence <= expected.overlap, expected.divergence, from_entropies
        )
        self._trivial = (cols == 1) | (cols == n) | (rows in (1, n))
        even = largest * cols == n
        odd_one = (cols == 2) & (largest == n - 1)
        constant = self._trivial | (odd_one & (len(np.unique(reference)) == 1))
        if rows == 2 and reference.min() == 1:
            constant |= even
        self._constant = constant

    def values(self, entry: Measure) -> tuple[FloatArray, BoolArray]:
        """Return the values of a measure, and which states must be computed on their table."""
        options = {**entry.defaults, **entry.options}
        if entry.function.__name__ == "expected_mutual_information":
            return self._expected_information(options["base"]), np.zeros(len(self._cols), bool)
        return self._adjusted(options.get("average", "arithmetic"))

    def _expected_information(self, base: float | None) -> FloatArray:
        s, states = self._sums, self._states
        information = WideIntegers.of(self.expected).over(s.unit)
        candidate = s.candidate.over(s.unit)
        every, rows = self._cols == states.n, states.rows
        information = np.where(every, s.reference / s.unit, information)
        if rows == states.n:
            information = candidate
        information = np.where((self._cols <= 1) | (rows <= 1), 0.0, information)
        return np.asarray(information / ln_of_base(base), dtype=np.float64)

    def _adjusted(self, average: str) -> tuple[FloatArray, BoolArray]:
        s, states = self._sums, self._states
        expected = self.expected
        identical = np.broadcast_to(np.asarray(s.identical), len(self._cols))
        settled = identical | self._constant
        least, most = smaller(s.reference, s.candidate), larger(s.reference, s.candidate)
        below = {
            "arithmetic": lambda: s.reference + s.candidate - 2 * expected,
            "min": lambda: 2 * (least - expected),
            "max": lambda: 2 * (most - expected),
            "geometric": lambda: 2 * (least - expected),
        }[average]()
        above = 2 * (states.information.above - expected)
        singly = ~settled & (states.near_independence | (below <= 0))
        skip = settled | singly
        above, below = replaced(skip, 0, above), replaced(skip, 1, below)
        if average == "geometric":
            # sqrt(x y) = x + (y - x) / (1 + sqrt(y / x)), x <= y: all terms are positive
            scale = float(s.unit)
            least = replaced(skip, 1, least)
            above, below = above.over(int(scale)), below.over(int(scale))
            ratio = WideIntegers.of(most).over(least)
            gap = WideIntegers.of(most - least).over(int(scale))
            values = above / (below + 2 * gap / (1 + np.sqrt(ratio)))
        else:
            values = WideIntegers.of(above).over(below)
        values = np.where(self._constant, 0.0, values)
        return np.where(identical, 1.0, values), singly


def _where(condition: BoolArray, x: Any, y: Any) -> WideIntegers:
    """Return x where the condition holds, else y."""
    x, y = WideIntegers.of(x), WideIntegers.of(y)
    return WideIntegers(np.where(condition, x.high, y.high), np.where(condition, x.low, y.low))
