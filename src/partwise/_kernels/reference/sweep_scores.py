"""Split-merge scores along merges: the integers of ``csrc/sweep/pw_sweep_scores.c``."""

from __future__ import annotations

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.logarithm import xlogx

__all__ = [
    "sweep_scores",
    "sweep_walks",
]


Events = tuple[IntArray, IntArray, IntArray, IntArray]

_ONE = 1 << 62


def _score(parts: int, size: int, fraction_bits: int) -> int:
    """Return the score of ``split_scores`` from the sum of x ln x over the parts."""
    if size < 2:
        return _ONE
    largest = xlogx(size, fraction_bits)
    if parts in (0, largest):
        return _ONE if parts else 0
    shift = max(largest.bit_length() - 64, 0)
    score = ((parts >> shift) << 62) // (largest >> shift)
    return max(1, min(score, _ONE - 1))


def sweep_walks(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    events: Events,
    bounds: IntArray,
) -> IntArray:
    """Return how many cells ``sweep_scores`` visits for each bound of ``by_rows``.

    The events suffice to count them; merges (``left``, ``right``) may be fewer than the events
    tell of. O(bounds (n + merges + events)).
    """
    sizes = np.bincount(labels[labels >= 0], minlength=n_labels)
    n, ends = len(labels), events[0][: len(left) + 1]
    rows = events[1][: ends[-1]]
    joined = np.bincount(rows, minlength=n_labels)
    walks = []
    for bound in bounds.tolist():
        few = sizes <= bound
        total = int(np.sum((joined * sizes - joined * (joined - 1) // 2)[few]))
        large = np.append(~few, False)  # the last stands for no label
        cells = large[labels].astype(np.int64).tolist()
        same = np.diff(np.append(0, np.cumsum(large[rows]))[ends])
        for a, b, fewer in zip(left.tolist(), right.tolist(), same.tolist(), strict=True):
            met = cells[a] + cells[b]
            total += met
            cells.append(met - fewer)
        assert len(cells) == n + len(left)
        walks.append(total)
    return np.array(walks, dtype=np.int64)


def sweep_scores(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    state: IntArray,
    n_states: int,
    events: Events,
    fraction_bits: int,
    by_rows: int,
    product: bool,
) -> tuple[FloatArray | None, FloatArray, int]:
    """Return S* (None unless wanted) and S' of the entropy of parts, and cells visited.

    Parameters
    ----------
    labels, n_labels, left, right, state, n_states, events, fraction_bits
        As for ``sweep_curves``.
    by_rows : int
        Rows of at most so many items tell their columns when their score changes; the others
        are told by their columns. The result does not depend on it; ``sweep_walks`` gives the
        cost.
    product : bool
        Whether S* is wanted.
    """
    row_size = np.bincount(labels[labels >= 0], minlength=n_labels).tolist()
    row_parts = [0] * n_labels
    row_score = [_ONE if x == 1 else 0 for x in row_size]
    light = [x <= by_rows for x in row_size]
    carried = [0 if few else x * _ONE for x, few in zip(row_size, light, strict=True)]
    codes, n = labels.tolist(), len(labels)
    size, parts, score = [int(code >= 0) for code in codes], [0] * n, [_ONE] * n
    # by column: the cells of large rows, and one sum over those of small rows
    cells: list[dict[int, int]] = [
        {code: 1} if code >= 0 and not light[code] else {} for code in codes
    ]
    carried_by = [row_score[code] if code >= 0 and light[code] else 0 for code in codes]
    row_cells: list[dict[int, int]] = [{} for _ in range(n_labels)]  # column: count
    for i, code in enumerate(codes):
        if code >= 0 and light[code]:
            row_cells[code][i] = 1
    home: list[set[int]] = [{code} if code >= 0 and light[code] else set() for code in codes]
    items = sum(size)
    alone = row_size.count(1)
    total, both = alone * _ONE * _ONE, (alone + items) * _ONE
    ends, rows, before, after = (x.tolist() for x in events)
    lefts, rights, states = left.tolist(), right.tolist(), state.tolist()
    products, means = [], []
    k = visited = 0
    for s in range(n_states):
        while k < len(lefts) and states[k] <= s:
            p, q, r = lefts[k], rights[k], n + k
            k += 1
            size.append(size[p] + size[q])
            parts.append(parts[p] + parts[q])
            carried_by.append(carried_by[p] + carried_by[q])
            cells.append({})
            home.append(home[p] | home[q])
            for c in (p, q):
                for i in home[c]:
                    count = row_cells[i].pop(c)
                    row_cells[i][r] = row_cells[i].get(r, 0) + count
            if not (size[p] and size[q]):
                kept = p if size[p] else q
                score.append(score[kept])
                cells[r] = cells[kept]
                continue
            span = range(ends[k - 1], ends[k])
            for e in span:
                x, y = before[e], after[e]
                gain = sum(
                    sign * xlogx(z, fraction_bits) for sign, z in ((1, x + y), (-1, x), (-1, y))
                )
                parts[r] += gain
                row_parts[rows[e]] += gain
            score.append(_score(parts[r], size[r], fraction_bits))
            both += size[r] * score[r] - size[p] * score[p] - size[q] * score[q]
            total += score[r] * carried_by[r]
            for c in (p, q):
                total -= score[c] * carried_by[c]
                visited += len(cells[c]) * product
                for i, count in cells[c].items():
                    change = count * (score[r] - score[c])
                    carried[i] += change
                    total += row_score[i] * change
                    cells[r][i] = cells[r].get(i, 0) + count
            for e in span:
                i = rows[e]
                new = _score(row_parts[i], row_size[i], fraction_bits)
                gained, row_score[i] = new - row_score[i], new
                both += row_size[i] * gained
                if not light[i]:
                    total += gained * carried[i]
                    continue
                visited += (len(row_cells[i]) + 1) * product
                for c, count in row_cells[i].items():
                    carried_by[c] += count * gained
                    total += gained * count * score[c]
        products.append(total / (items * _ONE * _ONE) if items else 1.0)
        means.append(both / (2 * items * _ONE) if items else 1.0)
    return np.array(products) if product else None, np.array(means), visited
