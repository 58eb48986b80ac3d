"""Objects matched by intersection over union: detection counts and panoptic quality."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise.measures.quotients import QuotientSum
from partwise.measures.segmentation import measure
from partwise.measures.segmentation.labels import Present, present
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray
from partwise.numbers.checks import number
from partwise.solvers.matching import best_matching
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

__all__ = [
    "object_average_precision",
    "object_matches",
    "panoptic_quality",
]

#: Thresholds of the COCO challenge, .5 to .95 in steps of .05.
_COCO = tuple(Fraction(k, 20) for k in range(10, 20))
#: IoU as doubles are off by less; what is nearer to a threshold is compared as integers.
_NEAR = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ObjectMatches:
    """Objects of two segmentations, matched where they overlap enough.

    Attributes
    ----------
    true_positives, false_positives, false_negatives : int
        Matched pairs; candidate objects and reference objects without a partner.
    precision, recall, f1, accuracy : float
        TP / (TP + FP), TP / (TP + FN), their harmonic mean, TP / (TP + FP + FN); 0 where
        nothing is matched but there are objects.
    segmentation_quality : float
        Mean IoU of the matches, 0 if there is none.
    panoptic_quality : float
        Sum of the IoU over TP + FP / 2 + FN / 2, which is segmentation_quality x f1.
    reference, candidate : ndarray
        Labels of the matched objects, in order of the reference.
    iou : ndarray of float64
        IoU of each match.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float
    accuracy: float
    segmentation_quality: float
    panoptic_quality: float
    reference: NDArray[Any]
    candidate: NDArray[Any]
    iou: FloatArray


def _fraction(threshold: Any) -> Fraction:
    """Return a threshold as it is written: .95 is 19/20."""
    value = number(threshold, "threshold")
    if not 0 <= value < 1:
        raise ValueError(
            f"threshold={threshold!r} must be at least 0 and below 1: objects match where "
            "their IoU is above it"
        )
    return threshold if isinstance(threshold, Fraction) else Fraction(repr(value))


def _unions(table: Contingency) -> IntArray:
    """Return, of each cell, how many items are in one of its two clusters."""
    sizes: IntArray = table.row_sizes[table.rows] + table.col_sizes[table.cols] - table.counts
    return sizes


def _above(counts: IntArray, unions: IntArray, threshold: Fraction) -> BoolArray:
    """Return which quotients are above a threshold, decided as integers."""
    ratios = counts / unions
    bound = float(threshold)
    above: BoolArray = ratios > bound
    p, q = threshold.as_integer_ratio()
    for k in np.flatnonzero(np.abs(ratios - bound) <= _NEAR).tolist():
        above[k] = int(counts[k]) * q > p * int(unions[k])
    return above


def _matched_cells(table: Contingency, kept: Present, threshold: Fraction) -> IntArray:
    """Return the cells of matched objects.

    From a threshold of 1/2 on, an object overlaps one other enough at most. Below, as many
    objects are matched as can be, and among such matchings the sum of the IoU is the largest.
    """
    unions = _unions(table)
    able = kept.cells & _above(table.counts, unions, threshold)
    cells = np.flatnonzero(able)
    if threshold >= Fraction(1, 2) or len(cells) == 0:
        return cells
    rows, cols = table.rows[cells], table.cols[cells]
    in_row = np.bincount(rows, minlength=table.shape[0])
    indptr = np.concatenate(([0], np.cumsum(in_row)))
    most = 1 + min(int(np.count_nonzero(side)) for side in (in_row, np.bincount(cols)))
    bits = 59 - most.bit_length()
    shares = table.counts[cells] / unions[cells]
    gains = (most << bits) + np.rint(shares * float(1 << bits)).astype(np.int64)
    of_row, _, _ = best_matching(
        indptr.astype(np.int64), np.ascontiguousarray(cols), gains, table.shape[1], tied=False
    )
    matched: IntArray = cells[of_row[of_row >= 0]]
    return matched


def _iou_sum(table: Contingency, cells: IntArray) -> Fraction:
    if len(cells) == 0:
        return Fraction(0)
    return table.memo.get_for(_iou_sum, [cells], lambda: _iou_sum_anew(table, cells))


def _iou_sum_anew(table: Contingency, cells: IntArray) -> Fraction:
    weight = np.ones(len(cells), dtype=np.int64)
    return QuotientSum(weight, table.counts[cells], _unions(table)[cells]).total


def _quotient(above: Any, below: Any, n_items: int) -> float:
    """Return a quotient; without any object not a number, without any item 1."""
    if below:
        return float(Fraction(above) / Fraction(below))
    return math.nan if n_items else 1.0


def object_matches(
    reference: Reference,
    candidate: Candidate = None,
    *,
    threshold: float | Fraction = 0.5,
    background: object = None,
    **policies: Unpack[Policies],
) -> ObjectMatches:
    """Match the objects of two segmentations whose intersection over union is large enough.

    Parameters
    ----------
    reference, candidate
        Two clusterings (of pixels, say), or one ``Alignment`` or ``Contingency``.
    threshold : float, default 0.5
        Objects match where their IoU is above it, at least 0 and below 1. Read as it is
        written: 0.95 is 19/20.
    background : label, or pair of labels (reference, candidate), optional
        The label that is no object. Its items still count in the areas of objects that cover
        them. None: every cluster is an object.
    **policies
        See ``align``.

    Returns
    -------
    ObjectMatches
        Not a number where neither side has an object, but for no items at all: then 1.

    Raises
    ------
    ValueError
        ``threshold`` is not in [0, 1), or ``background`` is of another kind than the labels.

    Notes
    -----
    IoU = n_ij / (n_i + m_j - n_ij). Above 1/2 every object has at most one such partner. Below
    1/2 the matching has the most pairs, and among those the largest sum of IoU (solved as
    integers of some 40 bits). Some tools match from the threshold on (>=), which differs at an
    IoU of exactly 1/2 and is then not one-to-one. O(cells), below 1/2 see ``solvers.match``.

    References
    ----------
    Kirillov, He, Girshick, Rother and Dollar, Panoptic segmentation, CVPR 2019.

    Examples
    --------
    >>> import partwise as pw
    >>> truth, output = [0, 1, 1, 1, 2, 2], [0, 5, 5, 5, 5, 7]
    >>> matches = pw.object_matches(truth, output, background=0)
    >>> matches.true_positives, matches.false_positives, matches.iou.tolist()
    (1, 1, [0.75])
    """
    table = table_of(reference, candidate, policies, "object_matches")
    if table.masses is not None:
        raise ValueError(
            "object_matches counts whole items and takes no weights; multiplicity= repeats "
            "items a whole number of times"
        )
    bound, kept = _fraction(threshold), present(table, background, "background")
    cells = _matched_cells(table, kept, bound)
    matched, n = len(cells), table.n_items
    extra, missed = int(kept.cols.sum()) - matched, int(kept.rows.sum()) - matched
    shared = _iou_sum(table, cells)
    objects = 2 * matched + extra + missed

    def share(below: int) -> float:
        return 0.0 if objects and not below else _quotient(matched, below, n)

    return ObjectMatches(
        true_positives=matched,
        false_positives=extra,
        false_negatives=missed,
        precision=share(matched + extra),
        recall=share(matched + missed),
        f1=_quotient(2 * matched, objects, n),
        accuracy=_quotient(matched, matched + extra + missed, n),
        segmentation_quality=(
            float(shared / matched) if matched else 0.0 if objects else _quotient(0, 0, n)
        ),
        panoptic_quality=_quotient(2 * shared, objects, n),
        reference=table.row_labels[table.rows[cells]],
        candidate=table.col_labels[table.cols[cells]],
        iou=table.counts[cells] / _unions(table)[cells],
    )


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    conditionally_normalized=True,
    weights=False,
    source="Kirillov et al. 2019",
)
def panoptic_quality(
    table: Contingency, threshold: float = 0.5, background: Any = None
) -> float:
    """Sum of the IoU of matched objects over the mean number of objects, in [0, 1].

    Parameters
    ----------
    threshold : float, default 0.5
        Objects match where their IoU is above it.
    background : label, or pair of labels (reference, candidate), optional
        The label that is no object; see ``object_matches``.

    Returns
    -------
    float
        1: identical; 0: no object matches. Not a number where every item is background on
        both sides.

    Raises
    ------
    ValueError
        ``threshold`` is not in [0, 1), or ``background`` is of another kind than the labels.

    Notes
    -----
    Sum of IoU / (TP + FP / 2 + FN / 2); ``object_matches`` gives the parts. n = 0: 1. Terms
    have 126 fraction bits. O(cells), below a threshold of 1/2 see ``solvers.match``.

    References
    ----------
    Kirillov, He, Girshick, Rother and Dollar, Panoptic segmentation, CVPR 2019.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.panoptic_quality([0, 1, 1, 1, 2, 2], [0, 5, 5, 5, 5, 7], background=0)
    0.375
    """
    bound, kept = _fraction(threshold), present(table, background, "background")
    cells = _matched_cells(table, kept, bound)
    objects = int(kept.cols.sum()) + int(kept.rows.sum())
    return _quotient(2 * _iou_sum(table, cells), objects, table.n_items)


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    conditionally_normalized=True,
    weights=False,
    source="Data Science Bowl 2018",
)
def object_average_precision(table: Contingency, background: Any = None) -> float:
    """Mean share of matched objects over IoU thresholds from .5 to .95, in [0, 1].

    Parameters
    ----------
    background : label, or pair of labels (reference, candidate), optional
        The label that is no object; see ``object_matches``.

    Returns
    -------
    float
        1: identical; 0: no object matches. Not a number where every item is background on
        both sides.

    Raises
    ------
    ValueError
        ``background`` is of another kind than the labels.

    Notes
    -----
    The mean over the thresholds .5, .55, ..., .95 of TP / (TP + FP + FN), the ``accuracy`` of
    ``object_matches``. One pass over the cells, as matches above one threshold are among those
    above a lower one. n = 0: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.object_average_precision([0, 1, 1, 1, 2, 2], [0, 5, 5, 5, 5, 7], background=0)
    0.16666666666666666
    """
    kept = present(table, background, "background")
    objects = int(kept.cols.sum()) + int(kept.rows.sum())
    if not objects:
        return _quotient(0, 0, table.n_items)
    counts, unions = table.counts[kept.cells], _unions(table)[kept.cells]
    total = Fraction(0)
    for bound in _COCO:
        matched = int(_above(counts, unions, bound).sum())
        total += Fraction(matched, objects - matched)
    return float(total / len(_COCO))
