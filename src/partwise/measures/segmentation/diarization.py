"""Who spoke when: diarization error rates over masses in seconds, with a label for silence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import order_free
from partwise.measures.components.losses import outside_cells
from partwise.measures.components.sums import Parts, by_rows, ratio_parts, total_of_side
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.overlap.cluster_similarity import similarities
from partwise.measures.overlap.set_similarity import paired_gain, pairing_cells
from partwise.measures.quotients import QuotientSum
from partwise.measures.segmentation import measure
from partwise.measures.segmentation.labels import Present, key_of, present
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.solvers.gains import scaled_gains
from partwise.solvers.matching import best_matching
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

__all__ = [
    "diarization_error_rate",
    "diarization_errors",
    "jaccard_error_rate",
]

MAPPINGS = ("jaccard", "overlap")
#: Gains have so many bits; masses so many of them where ties are settled by J, and J this many
#: at least.
_GAIN_BITS, _MASS_BITS, _SHARE_BITS = 60, 40, 40


@dataclass(frozen=True, slots=True)
class DiarizationErrors:
    """What goes wrong in a diarization, in units of the masses (or items).

    Attributes
    ----------
    rate : float
        (missed + false_alarm + confusion) / total; without reference speech 0 if there is no
        false alarm, else not a number.
    missed, false_alarm : float
        Reference speech that the candidate has as silence, and the other way round.
    confusion : float
        Speech on both sides, less that of the speakers paired one to one.
    total : float
        Speech in the reference.
    """

    rate: float
    missed: float
    false_alarm: float
    confusion: float
    total: float


def _best_cells(
    table: Contingency, kept: Present, gains: NDArray[Any], *, counted: bool
) -> IntArray:
    """Return the cells of speakers paired one to one for the largest total gain.

    Cells of silence gain nothing, so that pairs with it are left out of what is found.
    """
    if counted:
        integers = np.where(kept.cells, gains, 0).astype(np.int64)
    else:
        fractions = gains.astype(np.float64)
        integers = np.maximum(scaled_gains(fractions)[0], fractions > 0)
        integers = np.where(kept.cells, integers, 0).astype(np.int64)
    of_row, _, _ = best_matching(
        table.indptr, table.cols, integers, table.shape[1], tied=counted
    )
    cells = of_row[of_row >= 0]
    best: IntArray = cells[kept.cells[cells]]
    return best


def _amounts(table: Contingency) -> NDArray[Any]:
    return table.counts if table.masses is None else table.masses


def _sum(amounts: NDArray[Any]) -> Fraction:
    """Return a sum without rounding: of items, or of masses in any order."""
    if len(amounts) and amounts.dtype.kind == "f":
        return Fraction(*order_free.total(amounts))
    return Fraction(int(amounts.sum()))


def _errors(table: Contingency, silence: Any) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return missed, false alarm, confusion and total, computed once for a silence."""
    if silence is None:  # everything is speech
        counted = table.masses is None
        total = Fraction(table.n_items) if counted else total_of_side(table, "cells")
        return Fraction(0), Fraction(0), total - paired_gain(table, "overlap", "optimal"), total
    key = key_of(silence)
    if key is None:
        return _errors_anew(table, silence)
    return table.memo.get((_errors, key), lambda: _errors_anew(table, silence))


def _errors_anew(
    table: Contingency, silence: Any
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    kept, own = present(table, silence, "silence"), _amounts(table)
    speech_row, speech_col = kept.rows[table.rows], kept.cols[table.cols]
    missed = _sum(own[speech_row & ~speech_col])
    false_alarm = _sum(own[~speech_row & speech_col])
    both = _sum(own[kept.cells])
    right = _sum(own[_best_cells(table, kept, own, counted=table.masses is None)])
    return missed, false_alarm, both - right, missed + both


def _rate(
    missed: Fraction, false_alarm: Fraction, confusion: Fraction, total: Fraction
) -> float:
    wrong = missed + false_alarm + confusion
    if total:
        return float(wrong / total)
    return math.nan if wrong else 0.0


def diarization_errors(
    reference: Reference,
    candidate: Candidate = None,
    *,
    silence: object = None,
    **policies: Unpack[Policies],
) -> DiarizationErrors:
    """Diarization error rate and its parts: missed speech, false alarm, confusion.

    Parameters
    ----------
    reference, candidate
        Two clusterings of intervals (speaker labels), or one ``Alignment`` or
        ``Contingency``. ``weights=`` are the seconds of the intervals.
    silence : label, or pair of labels (reference, candidate), optional
        The label that means that nobody speaks; None: somebody always does.
    **policies
        See ``align``.

    Returns
    -------
    DiarizationErrors

    Raises
    ------
    ValueError
        ``silence`` is of another kind than the labels.

    Notes
    -----
    See ``diarization_error_rate``. Where there is no speech in the reference the rate is 0/0
    (0) or not a number; the parts still say what happened.

    Examples
    --------
    >>> import partwise as pw
    >>> errors = pw.diarization_errors(
    ...     ["ann", "ann", "bob", "-"], ["1", "-", "1", "2"], weights=[4, 1, 2, 1], silence="-"
    ... )
    >>> errors.missed, errors.false_alarm, errors.confusion, errors.total
    (1.0, 1.0, 2.0, 7.0)
    """
    table = table_of(reference, candidate, policies, "diarization_errors")
    parts = _errors(table, silence)
    return DiarizationErrors(_rate(*parts), *map(float, parts))


def _of_confusion(table: Contingency) -> Parts:
    """Without a silence: items outside paired clusters, component by component."""
    kept, own = present(table, None, "silence"), _amounts(table)
    cells = _best_cells(table, kept, own, counted=table.masses is None)
    return outside_cells(table, cells, distance=True)


@measure(
    decomposition=_of_confusion,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    join_weighted=True,
    solver="matching",
    source="NIST Rich Transcription evaluations",
)
def diarization_error_rate(table: Contingency, silence: Any = None) -> float:
    """Missed, false and confused speech over the speech of the reference, at least 0.

    Parameters
    ----------
    silence : label, or pair of labels (reference, candidate), optional
        The label that means that nobody speaks; None: somebody always does.

    Returns
    -------
    float
        0: identical. Can exceed 1, by false alarms. Without speech in the reference: 0 if the
        candidate has none either, else not a number.

    Raises
    ------
    ValueError
        ``silence`` is of another kind than the labels.

    Notes
    -----
    Missed: mass of a speaker against silence; false alarm: silence against a speaker;
    confusion: speech on both sides less the largest mass of speakers paired one to one.
    ``diarization_errors`` gives the parts. n = 0: 0. Masses are solved as integers of 50 bits.
    Leave out the intervals of a collar before; where several speak at once, an interval needs
    several labels, which one table of two clusterings does not hold. See ``solvers.match`` for
    the cost.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.diarization_error_rate([1, 1, 2, 0], [5, 0, 5, 6], weights=[4, 1, 2, 1], silence=0)
    0.5714285714285714
    """
    return _rate(*_errors(table, silence))


def _similar_speakers(
    table: Contingency, silence: Any, kept: Present, mapping: str
) -> IntArray:
    """Return the cells of speakers paired for the largest sum of J, or for the most speech.

    Among pairings with the most speech in common the sum of J is the largest.
    """
    one_of(mapping, MAPPINGS, "mapping")
    key = key_of(silence)
    if key is None:
        return _similar_speakers_anew(table, silence, kept, mapping)
    return table.memo.get(
        (_similar_speakers, key, mapping),
        lambda: _similar_speakers_anew(table, silence, kept, mapping),
    )


def _similar_speakers_anew(
    table: Contingency, silence: Any, kept: Present, mapping: str
) -> IntArray:
    if mapping == "jaccard" and silence is None:
        return pairing_cells(table, "jaccard")
    shares = similarities(table, "jaccard")
    if mapping == "jaccard" or not table.n_cells:
        return _best_cells(table, kept, shares, counted=False)
    own = _amounts(table)
    if table.masses is not None:
        own = scaled_gains(own, _MASS_BITS)[0]
    unit = _GAIN_BITS - int(own.max()).bit_length()
    finer = unit - min(table.shape).bit_length()
    if finer < _SHARE_BITS:
        return _best_of_most_speech(table, kept, own, shares)
    gains = (own << unit) + _steps(shares, finer)
    return _best_cells(table, kept, gains, counted=True)


def _steps(shares: FloatArray, bits: int) -> IntArray:
    """Return shares as integers below 2^bits."""
    steps: IntArray = np.rint(shares * float((1 << bits) - 1)).astype(np.int64)
    return steps


def _best_of_most_speech(
    table: Contingency, kept: Present, own: IntArray, shares: FloatArray
) -> IntArray:
    """Return the pairing with the largest sum of J among those with the most speech.

    Speech and J together have more digits than a gain. A pairing has the most speech where it
    uses cells whose gain is the sum of their prices, and leaves out no speaker with a price. It
    is thus the best pairing of these cells by J, if a speaker with a price counts more than all
    J together.
    """
    speech = np.where(kept.cells, own, 0).astype(np.int64)
    _, row_prices, col_prices = best_matching(
        table.indptr, table.cols, speech, table.shape[1], tied=True
    )
    row_price, col_price = row_prices[table.rows], col_prices[table.cols]
    tight = kept.cells & (row_price + col_price == speech)
    priced = (row_price > 0).astype(np.int64) + (col_price > 0)
    unit = _GAIN_BITS - 2
    gains = (priced << unit) + _steps(shares, unit - min(table.shape).bit_length())
    cells = _best_cells(table, kept, np.where(tight, gains, 0), counted=True)
    best: IntArray = cells[tight[cells]]
    return best


def _of_jaccard_error(
    table: Contingency, silence: Any = None, mapping: Literal["jaccard", "overlap"] = "jaccard"
) -> Parts:
    """Components weigh their reference speakers, each of which loses 1 - J."""
    kept = present(table, silence, "silence")
    cells = _similar_speakers(table, silence, kept, mapping)
    lost = kept.rows.astype(np.float64)
    lost[table.rows[cells]] -= similarities(table, "jaccard")[cells]
    speakers = kept.rows.astype(np.int64)
    total = int(speakers.sum())
    return ratio_parts(
        table, by_rows(table, lost), by_rows(table, speakers), total, distance=True
    )


@measure(
    decomposition=_of_jaccard_error,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    solver="matching",
    error_bound=OF_DIFFERENCES,
    source="DIHARD challenge 2019",
    variants={"mapping=overlap": {}},
)
def jaccard_error_rate(
    table: Contingency, silence: Any = None, mapping: Literal["jaccard", "overlap"] = "jaccard"
) -> float:
    """Mean over reference speakers of one minus the Jaccard index of their partner, in [0, 1].

    Parameters
    ----------
    silence : label, or pair of labels (reference, candidate), optional
        The label that means that nobody speaks; None: somebody always does.
    mapping : {"jaccard", "overlap"}, default "jaccard"
        Speakers are paired one to one for the largest sum of Jaccard indices, or for the most
        speech in common, as for ``diarization_error_rate`` (of such pairings, the one with the
        largest sum).

    Returns
    -------
    float
        0: identical. Without reference speakers: 0 if the candidate has none either, else not
        a number.

    Raises
    ------
    ValueError
        ``mapping`` is another word, or ``silence`` is of another kind than the labels.

    Notes
    -----
    J = n_ij / (n_i + m_j - n_ij) in seconds (or items), 0 for a speaker without a partner.
    Candidate speakers without a partner cost nothing, so that a candidate with many speakers
    may have a low rate. The DIHARD scorer pairs for Jaccard, pyannote.metrics for overlap.
    n = 0: 0. Shares are solved as integers of 50 bits. See ``solvers.match`` for the cost.

    References
    ----------
    Ryant et al., The second DIHARD diarization challenge, Interspeech 2019.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.jaccard_error_rate([1, 1, 2, 2, 0], [5, 5, 5, 6, 0], silence=0) == 5 / 12
    True
    """
    kept = present(table, silence, "silence")
    cells = _similar_speakers(table, silence, kept, mapping)
    speakers = int(kept.rows.sum())
    if not speakers:
        return math.nan if kept.cols.any() else 0.0
    shared = table.memo.get_for(_sum_of_shares, [cells], lambda: _sum_of_shares(table, cells))
    return float((speakers - shared) / speakers)


def _sum_of_shares(table: Contingency, cells: IntArray) -> Fraction:
    """Return the sum of the Jaccard indices of some cells."""
    if table.masses is not None:
        return Fraction(*order_free.total(similarities(table, "jaccard")[cells]))
    sizes = table.row_sizes[table.rows[cells]] + table.col_sizes[table.cols[cells]]
    weight = np.ones(len(cells), dtype=np.int64)
    counts = table.counts[cells]
    return QuotientSum(weight, counts, sizes - counts).total
