"""Split-merge scores of a search, kept while items move: ``pw_consensus_split_merge.c``."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray

#: 1 of the scores, which are whole numbers of its fractions.
ONE = 1 << 30


class Scores:
    """Of each cluster of the candidate in each draw, and of each cluster of the draws.

    ``cells`` is the sum of F over the cells of a cluster, ``sums`` that of the scores, over the
    items, of the clusters of the other side, ``score`` its own. Those of the candidate's
    clusters have a row for each cluster and a column for each draw.
    """

    def __init__(self, rows: IntArray, starts: IntArray, gain: IntArray) -> None:
        self.rows, self.starts, self.gain = rows, starts, gain
        self.function = np.concatenate(([0], np.cumsum(gain)))
        sizes = np.bincount(rows.ravel(), minlength=int(starts[-1]))
        self.row_total = self.function[sizes]
        self.draw_of_row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))

    def start(self, counts: IntArray, sizes: IntArray) -> None:
        """Compute all anew."""
        cells, first = self.function[counts], self.starts[:-1]
        self.row_cells = cells.sum(axis=1)
        self.cells = np.add.reduceat(cells, first, axis=0).T.copy()
        self.row_score = _ratio(self.row_cells, self.row_total)
        self.score = _ratio(self.cells, self.function[sizes][:, None])
        weighted = counts * self.row_score[:, None]
        self.sums = np.add.reduceat(weighted, first, axis=0).T.copy()
        self.row_sums = (counts * self.score.T[self.draw_of_row]).sum(axis=1)

    def widen(self, room: int) -> None:
        """Make room for more clusters, before or after ``start``."""
        if not hasattr(self, "score"):
            return
        more = (0, room - len(self.score)), (0, 0)
        self.cells, self.sums = np.pad(self.cells, more), np.pad(self.sums, more)
        self.score = np.pad(self.score, more, constant_values=ONE)

    def before_leaving(self, i: int, k: int, counts: IntArray) -> None:
        """Take an item out of the sums of cluster k, which it is still in."""
        rows = self.rows[i]
        gained = self.gain[counts[rows, k] - 1]
        self.cells[k] -= gained
        self.row_cells[rows] -= gained
        self.sums[k] -= self.row_score[rows]
        self.row_sums[rows] -= self.score[k]

    def before_entering(self, i: int, k: int, counts: IntArray) -> None:
        """Put an item into the sums of cluster k, which it is not in yet."""
        rows = self.rows[i]
        gained = self.gain[counts[rows, k]]
        self.cells[k] += gained
        self.row_cells[rows] += gained
        self.sums[k] += self.row_score[rows]
        self.row_sums[rows] += self.score[k]

    def changed(self, i: int, k: int, counts: IntArray, sizes: IntArray) -> None:
        """Bring the scores of cluster k, and of the clusters of item i, up to date."""
        rows = self.rows[i]
        grown = _ratio(self.row_cells[rows], self.row_total[rows]) - self.row_score[rows]
        dearer = _ratio(self.cells[k], self.function[sizes[k]]) - self.score[k]
        self.sums += counts[rows].T * grown
        self.row_score[rows] += grown
        self.score[k] += dearer
        self.row_sums += counts[:, k] * dearer[self.draw_of_row]

    def losses(
        self,
        i: int,
        own: int,
        counts: IntArray,
        sizes: IntArray,
        met: IntArray,
        weights: IntArray,
    ) -> FloatArray:
        """Return what an item adds to each candidate and to a new cluster, times -1.

        Counts, by draw and cluster, and sizes are those without the item, which the sums kept
        here still have in its own cluster.
        """
        rows, own_counts = self.rows[i], counts[:, own]
        gone, total = self.gain[own_counts], self.row_total[rows]
        row_score, row_cells = self.row_score[rows], self.row_cells[rows] - gone
        here = _ratio(row_cells, total)
        own_score = _ratio(self.cells[own] - gone, self.function[sizes[own]])
        over_row = self.row_sums[rows] - self.score[own]
        over_row += own_counts * (own_score - self.score[own])
        shared = counts[:, met].T
        gained = self.gain[shared]
        score, cells, sums = self.score[met], self.cells[met], self.sums[met]
        score[met == own] = own_score
        cells[met == own] -= gone
        sums[met == own] -= row_score
        sums += shared * (here - row_score)
        new = _ratio(cells + gained, self.function[sizes[met] + 1][:, None])
        new_here = _ratio(row_cells + gained, total)
        grown, grown_here = (new - score).astype(np.float64), (new_here - here).astype(float)
        added = (
            (grown * sums.astype(np.float64) + grown_here * over_row.astype(np.float64))
            + (shared.astype(np.float64) * grown) * grown_here
        ) + new.astype(np.float64) * new_here.astype(np.float64)
        alone = float(ONE) * here.astype(np.float64)
        return -in_order(weights[:, None].astype(np.float64) * np.vstack([added, alone]).T)

    def summed(self, weights: IntArray) -> float:
        """Return the summed score over the draws, in fractions of 2^60 of an item."""
        of_draws = in_order(self.score.astype(np.float64) * self.sums.astype(np.float64))
        return float(in_order((weights.astype(np.float64) * of_draws)[:, None])[0])


def in_order(rows: FloatArray) -> FloatArray:
    """Return the sum of rows, added from the first to the last, as C adds them up."""
    added: FloatArray = np.add.accumulate(rows, axis=0)[-1]
    return added


def _ratio(part: IntArray, total: Any) -> IntArray:
    """Return ``part / total`` in fractions of ``ONE``, rounded; 1 where ``total`` is 0."""
    below = np.where(total == 0, 1, total).astype(np.float64)
    shares = np.floor(part.astype(np.float64) / below * ONE + 0.5).astype(np.int64)
    scores: IntArray = np.where(total == 0, ONE, shares)
    return scores
