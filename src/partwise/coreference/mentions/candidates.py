"""Which mentions of either side share words, found by sorting, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import ranges, running_ends
from partwise.coreference.mentions.word_runs import WordRuns
from partwise.numbers.arrays import IntArray

#: Pairs looked at in one go.
BLOCK = 1 << 20
#: Pairs that are kept, or PAIRS_A_MENTION for each mention if that is more: beyond is an error.
PAIRS_MOST, PAIRS_A_MENTION = 1 << 24, 64

#: Of pairs (places in key and response): the words both have, 0 where they are no candidates.
Common = Callable[[IntArray, IntArray], IntArray]


@dataclass(frozen=True, slots=True)
class Looked:
    """Pairs to look at: for each row a stretch of an ordering of the other side.

    Attributes
    ----------
    rows, low, high : int64 arrays of one length
        Row i is looked at with ``order[low[i]:high[i]]``.
    order : int64 array
    turned : bool
        Whether rows are mentions of the response, ``order`` those of the key.
    """

    rows: IntArray
    low: IntArray
    high: IntArray
    order: IntArray
    turned: bool = False

    def blocks(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Give the pairs (key, response), about ``BLOCK`` at a time."""
        sizes = np.maximum(self.high - self.low, 0)
        ends = running_ends(sizes)
        begin, n = 0, len(sizes)
        while begin < n:
            end = int(np.searchsorted(ends, ends[begin] + BLOCK, side="right")) - 1
            end = min(max(end, begin + 1), n)
            part = slice(begin, end)
            rows = np.repeat(self.rows[part], sizes[part])
            others = self.order[ranges(self.low[part], sizes[part])]
            begin = end
            if len(rows):
                yield (others, rows) if self.turned else (rows, others)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidate pairs of a way to match: where to look, and what both mentions share."""

    looked: tuple[Looked, ...]
    common: Common

    def pairs(self) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """Give key mention, response mention and common words of the candidates, in blocks."""
        for looked in self.looked:
            for key, response in looked.blocks():
                shared = self.common(key, response)
                kept = np.flatnonzero(shared > 0)
                if len(kept):
                    yield key[kept], response[kept], shared[kept]


class TooManyPairs(Exception):
    """More pairs qualify than memory should hold: their number so far, and a key mention."""

    def __init__(self, n_pairs: int, mention: int, of_mention: int) -> None:
        super().__init__(n_pairs, mention, of_mention)
        self.n_pairs, self.mention, self.of_mention = n_pairs, mention, of_mention


def gathered(candidates: Candidates, n_mentions: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return all candidate pairs and what they share, or raise ``TooManyPairs``."""
    parts: list[tuple[IntArray, IntArray, IntArray]] = []
    n_pairs, most = 0, max(PAIRS_MOST, PAIRS_A_MENTION * n_mentions)
    for part in candidates.pairs():
        parts.append(part)
        n_pairs += len(part[0])
        if n_pairs > most:
            counts = np.bincount(np.concatenate([rows for rows, _, _ in parts]))
            raise TooManyPairs(n_pairs, int(counts.argmax()), int(counts.max()))
    if not parts:
        return (np.empty(0, dtype=np.int64),) * 3
    left, right, common = (np.concatenate(part) for part in zip(*parts, strict=True))
    return left, right, common


def too_many(error: TooManyPairs, key: Side, row: int, what: str) -> ValueError:
    """Return the error that says which mentions lie in each other too often."""
    spans = key.mentions
    assert isinstance(spans, Spans)
    return ValueError(
        f"{what}: more than {error.n_pairs} pairs of mentions would have to be compared; "
        f"mention {row} of the key alone (document {key.names[key.document[row]]!r}, tokens "
        f"{spans.first[row]} to {spans.last[row]}) goes with {error.of_mention} of the "
        'response. Mentions nested this deep are most likely faulty; mentions="exact" takes '
        "them"
    )


def common_words(key: WordRuns, response: WordRuns) -> Common:
    """Return the function that counts the words that pairs share.

    O(log) for mentions without gaps; the runs of the mention that has fewer of them are looked
    up among those of the other.
    """
    if key.one_run_each and response.one_run_each:

        def of_spans(rows: IntArray, others: IntArray) -> IntArray:
            begin = np.maximum(key.first[rows], response.first[others])
            end = np.minimum(key.last[rows], response.last[others])
            overlap: IntArray = np.maximum(end - begin + 1, 0)
            return overlap

        return of_spans
    tables = (_Covered(key), _Covered(response))

    def of_runs(rows: IntArray, others: IntArray) -> IntArray:
        fewer = key.n_runs[rows] <= response.n_runs[others]
        overlap = np.empty(len(rows), dtype=np.int64)
        for chosen, (mine, theirs), (a, b) in (
            (fewer, (rows, others), tables),
            (~fewer, (others, rows), tables[::-1]),
        ):
            at = np.flatnonzero(chosen)
            overlap[at] = _shared(a.runs, mine[at], b, theirs[at])
        return overlap

    return of_runs


class _Covered:
    """How many words of a mention stand at or before a place."""

    def __init__(self, runs: WordRuns) -> None:
        self.runs = runs
        self.lengths = runs.last - runs.first + 1
        self.before = running_ends(self.lengths)
        self.owner_start = self.before[runs.ends[:-1]]

    def up_to(self, mentions: IntArray, positions: IntArray) -> IntArray:
        """Return the words of mentions at or before places, by bisection among their runs."""
        low, high = self.runs.ends[mentions], self.runs.ends[mentions + 1]
        while (open_ := high > low).any():
            middle = (low + high) >> 1
            left = self.runs.first[np.minimum(middle, len(self.runs.first) - 1)] <= positions
            low = np.where(open_ & left, middle + 1, low)
            high = np.where(open_ & ~left, middle, high)
        run = low - 1
        inside = run >= self.runs.ends[mentions]
        run = np.maximum(run, 0)
        partly = np.minimum(positions - self.runs.first[run] + 1, self.lengths[run])
        complete = self.before[run] - self.owner_start[mentions] + partly
        return np.where(inside, complete, 0)


def _shared(few: WordRuns, mine: IntArray, many: _Covered, theirs: IntArray) -> IntArray:
    sizes = few.n_runs[mine]
    if len(mine) > 1 and int(sizes.sum()) > 4 * BLOCK:
        half = len(mine) // 2
        parts = (slice(None, half), slice(half, None))
        return np.concatenate([_shared(few, mine[part], many, theirs[part]) for part in parts])
    if not len(mine):
        return np.empty(0, dtype=np.int64)
    runs = ranges(few.ends[:-1][mine], sizes)
    other = np.repeat(theirs, sizes)
    held = many.up_to(other, few.last[runs]) - many.up_to(other, few.first[runs] - 1)
    overlap: IntArray = np.add.reduceat(held, running_ends(sizes)[:-1])
    return overlap


# ---- where to look -----------------------------------------------------------------


def with_equal_heads(key: WordRuns, response: WordRuns) -> Candidates:
    """Return the pairs of mentions with the same head. Looks at no others."""
    assert key.head is not None
    assert response.head is not None
    order = np.argsort(response.head, kind="stable")
    heads = response.head[order]
    rows = np.flatnonzero(key.head >= 0)
    wanted = key.head[rows]
    low, high = np.searchsorted(heads, wanted, "left"), np.searchsorted(heads, wanted, "right")
    looked = Looked(rows, low, high, order)
    return Candidates((looked,), common_words(key, response))


def between(key: WordRuns, response: WordRuns, least: WordRuns) -> Candidates:
    """Return the pairs where the response's words lie within the key's and hold its ``least``.

    The response's mentions that begin between the key's first word and its first least one are
    looked at, or those that end between its last least one and its last word, whichever are
    fewer.
    """
    words = common_words(key, response)
    rows = np.flatnonzero(least.start >= 0)
    start, stop = response.start, response.stop
    stretches = []
    for column, begin, end in (
        (start, key.start, least.start),
        (stop, least.stop, key.stop),
    ):
        order = np.argsort(column, kind="stable")
        ordered = column[order]
        low = np.searchsorted(ordered, begin[rows], "left")
        high = np.maximum(np.searchsorted(ordered, end[rows], "right"), low)
        stretches.append((low, high, order))
    by_stop = stretches[1][1] - stretches[1][0] < stretches[0][1] - stretches[0][0]
    looked = tuple(
        Looked(rows[chosen], low[chosen], high[chosen], order)
        for chosen, (low, high, order) in zip((~by_stop, by_stop), stretches, strict=True)
    )
    held = common_words(least, response)

    def common(key_rows: IntArray, others: IntArray) -> IntArray:
        shared = words(key_rows, others)
        inside = shared == response.sizes[others]
        inside &= held(key_rows, others) == least.sizes[key_rows]
        return np.where(inside, shared, 0)

    return Candidates(looked, common)


def with_a_run_in_the_first(key: WordRuns, response: WordRuns) -> Candidates:
    """Return the pairs where a run of the response's mention lies within the key's first run.

    The runs of the response that begin within the key's first one are looked at.
    """
    order = np.argsort(response.first, kind="stable")
    begins = response.first[order]
    first, last = key.first[key.ends[:-1]], key.last[key.ends[:-1]]
    low = np.searchsorted(begins, first, "left")
    high = np.searchsorted(begins, last, "right")
    most = max(PAIRS_MOST, PAIRS_A_MENTION * (len(key) + len(response)))
    if (n_pairs := int((high - low).sum())) > most:
        raise TooManyPairs(n_pairs, int((high - low).argmax()), int((high - low).max()))
    rows = np.repeat(np.arange(len(key)), high - low)
    runs = order[ranges(low, high - low)]
    inside = response.last[runs] <= last[rows]
    owner = np.repeat(np.arange(len(response)), response.n_runs)[runs]
    at, owners = np.divmod(
        np.unique(rows[inside] * len(response) + owner[inside]), max(1, len(response))
    )
    bounds = np.searchsorted(at, np.arange(len(key) + 1))
    looked = Looked(np.arange(len(key)), bounds[:-1], bounds[1:], owners)
    return Candidates((looked,), common_words(key, response))


def overlapping(key: WordRuns, response: WordRuns) -> Candidates:
    """Return the pairs of mentions with a word in common.

    Of two mentions that overlap one begins inside the other: looks at response mentions that
    begin between the ends of a key mention, then at key mentions that begin after the first
    word of a response mention and not after its last.
    """
    starts = (key.start, response.start)
    orders = [np.argsort(start, kind="stable") for start in starts]
    ordered = [start[order] for start, order in zip(starts, orders, strict=True)]
    inside = Looked(
        np.arange(len(key)),
        np.searchsorted(ordered[1], key.start, "left"),
        np.searchsorted(ordered[1], key.stop, "right"),
        orders[1],
    )
    around = Looked(
        np.arange(len(response)),
        np.searchsorted(ordered[0], response.start, "right"),
        np.searchsorted(ordered[0], response.stop, "right"),
        orders[0],
        turned=True,
    )
    return Candidates((inside, around), common_words(key, response))
