"""Items of one side dealt to the clusters of the other: as in ``csrc/chance/pw_shuffle.c``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.sample import fractions_of
from partwise.numbers.arrays import IntArray, UnsignedArray

_BLOCK_ITEMS = 8192
_BLOCKS = 256
_DIGITS = 4096
_DIGITS_OF_WORD = 5
_DIGIT_BITS = 12
_SPARE = _BLOCKS - 1
_SLACK = 3
_FOUR_OF_WORD = 1 << 14
_MOST_OF_WORD = 4
_AT_A_TIME = 4096


def shuffled_items(
    row_sizes: IntArray, col_sizes: IntArray, seed: int, stream: int
) -> tuple[IntArray, IntArray]:
    """Return a row and a column for each of n >= 1 items, every pairing equally likely.

    Rows are cut into blocks. Each item of the columns is put into a random block, and there
    given one of the places left, at random. All sizes are at least 1.
    """
    words = started(seed, stream)
    first_rows, block_starts = cut_blocks(row_sizes)
    chosen = chosen_blocks(block_starts, words)
    cols = np.repeat(np.arange(len(col_sizes)), col_sizes)[np.argsort(chosen, kind="stable")]
    rows = np.repeat(np.arange(len(row_sizes)), row_sizes)
    sizes = np.diff(block_starts)
    shuffles = np.diff(first_rows) > 1
    of_word = np.where(sizes <= _FOUR_OF_WORD, _MOST_OF_WORD, 2)
    partners = np.arange(len(rows))
    shuffled = np.repeat(shuffles, sizes)
    partners[shuffled] += draws_below(sizes[shuffles], of_word[shuffles], words)
    return rows[after_swaps(partners, len(rows))], cols


def started(seed: int, stream: int) -> np.random.SFC64:
    """Return SFC64 started from the first block of the key's Philox stream."""
    key = np.array([seed, stream], dtype=np.uint64)
    words = np.random.Philox(key=key).random_raw(3)
    random = np.random.SFC64(0)
    state = np.append(words, np.uint64(1))
    random.state = {
        "bit_generator": "SFC64",
        "state": {"state": state},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return random


def cut_blocks(row_sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first row of each block and the places before it, and where the last ends."""
    n = int(row_sizes.sum())
    most = max(n // (_BLOCKS // 2 - 1) + 1, _BLOCK_ITEMS)
    before = np.concatenate(([0], np.cumsum(row_sizes)))
    rows = [0]
    while rows[-1] < len(row_sizes):
        stop = int(np.searchsorted(before, before[rows[-1]] + most, side="right")) - 1
        rows.append(max(stop, rows[-1] + 1))
    first = np.array(rows)
    return first, before[first]


def chosen_blocks(block_starts: IntArray, words: np.random.SFC64) -> NDArray[np.uint8]:
    """Return the block of every item: by a random digit, spare items where room is left."""
    n, sizes = int(block_starts[-1]), np.diff(block_starts)
    if len(sizes) == 1:
        return np.zeros(n, dtype=np.uint8)
    sure = sizes - _SLACK * np.sqrt(sizes.astype(np.float64)).astype(np.int64)
    digits = np.maximum(sure, 0) * _DIGITS // n
    block_of = np.full(_DIGITS, _SPARE, dtype=np.uint8)
    block_of[: digits.sum()] = np.repeat(np.arange(len(sizes)), digits)
    raw = words.random_raw(-(-n // _DIGITS_OF_WORD))
    shifts = np.arange(_DIGITS_OF_WORD, dtype=np.uint64) * np.uint64(_DIGIT_BITS)
    parts = (raw[:, None] >> shifts) & np.uint64(_DIGITS - 1)
    chosen: NDArray[np.uint8] = block_of[parts.ravel()[:n]]
    left = sizes - np.bincount(chosen, minlength=_BLOCKS)[: len(sizes)]
    spare = np.flatnonzero(chosen == _SPARE).tolist()
    over = -int(np.minimum(left, 0).sum())
    while over:
        item = _below(n, words)
        if chosen[item] != _SPARE and left[chosen[item]] < 0:
            left[chosen[item]] += 1
            chosen[item] = _SPARE
            spare.append(item)
            over -= 1
    room = np.repeat(np.arange(len(sizes)), left)
    draws = draws_below(np.array([len(spare)]), np.array([2]), words)
    taken = np.arange(len(spare)) + draws
    chosen[spare] = room[after_swaps(taken, len(spare))]
    return chosen


def _below(bound: int, words: np.random.SFC64) -> int:
    while True:
        product = int(words.random_raw()) * bound
        if product % 2**64 >= 2**64 % bound:
            return product >> 64


def draws_below(sizes: IntArray, of_word: IntArray, words: np.random.SFC64) -> IntArray:
    """Return for each size n numbers below n, n - 1, ... 1, ``of_word`` of them from a word.

    The draws of a word are digits, in the bases that bound them, of a number below the product
    of the bounds; words that would favour some numbers are refused.
    """
    groups = -(-sizes // of_word)
    block = np.repeat(np.arange(len(sizes)), groups)
    index = np.arange(len(block)) - np.repeat(np.cumsum(groups) - groups, groups)
    left = sizes[block] - index * of_word[block]
    inside = np.minimum(left, of_word[block])
    k = np.arange(_MOST_OF_WORD)
    bounds = np.where(k < inside[:, None], left[:, None] - k, 1).astype(np.uint64)
    draws = np.empty(bounds.shape, dtype=np.int64)
    for start in range(0, len(bounds), _AT_A_TIME):
        draws[start : start + _AT_A_TIME] = digits_of_words(
            bounds[start : start + _AT_A_TIME], words
        )
    drawn: IntArray = draws[k < inside[:, None]]
    return drawn


def digits_of_words(bounds: UnsignedArray, words: np.random.SFC64) -> IntArray:
    """Return a number below each bound, from one word for each row of ``bounds``."""
    product = bounds.prod(axis=1)
    least = (np.uint64(0) - product) % product
    low = words.random_raw(len(bounds))
    while (refused := low * product < least).any():  # products wrap
        low = np.append(np.delete(low, refused.argmax()), words.random_raw(1))
    digits = np.empty(bounds.shape, dtype=np.int64)
    for k, bound in enumerate(bounds.T):
        digits[:, k] = fractions_of(low, bound)
        low = low * bound
    return digits


def after_swaps(partners: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return where what stands at each place came from, after swaps of i and partners[i] >= i.

    Step i leaves at place i what stood at its partner: what the step before it with the same
    partner put there, which is what stood at that step's own place, or the partner itself.
    What stands at place i before step i goes back likewise, to ever earlier steps: roots of a
    forest, found by doubling.
    """
    steps = np.arange(len(partners))
    order = np.argsort(partners, kind="stable")
    order = order[partners[order] != order]  # steps that leave all as it is have no partner
    reached = partners[order]
    # the step before with the same partner; and the last one with any place for its partner
    again = reached[1:] == reached[:-1]
    before = np.full(len(partners), -1, dtype=np.int64)
    before[order[1:][again]] = order[:-1][again]
    source = np.arange(n)
    final = np.append(~again, True)[: len(order)]
    source[reached[final]] = order[final]
    while True:
        composed = source[source]
        if np.array_equal(composed, source):
            break
        source = composed
    came_from = source.copy()
    elsewhere = partners != steps
    moved = np.where(before >= 0, source[before], partners)
    came_from[: len(partners)][elsewhere] = moved[elsewhere]
    return came_from
