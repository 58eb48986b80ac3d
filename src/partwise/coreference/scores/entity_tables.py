"""Entities of both sides as two partitions of mentions, and what components contribute."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Side
from partwise.coreference.scores.measures import MEASURES, Counts, Shared
from partwise.coreference.scores.recall_precision import PARTS
from partwise.labels.account import Account, SideAccount
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of
from partwise.scoring.decompose import Decomposition
from partwise.table.contingency import Contingency

UNMATCHED = ("error", "drop", "singletons")
#: Measures whose recall and precision have one numerator, so that F1 is a sum, too.
SHARED_NUMERATOR = ("mentions", "muc", "ceaf_m", "ceaf_e")


def contingency_of(x: Shared, unmatched: str, document: int | None) -> Contingency:
    """Return the table of entities as two partitions of the same mentions; see ``contingency``.

    Raises
    ------
    ValueError
        ``unmatched="error"`` and there are twinless mentions.
    """
    one_of(unmatched, UNMATCHED, "unmatched")
    table = x.table
    rows, cols, counts = x.rows[table.rows], x.cols[table.cols], table.counts
    alone = []
    for numbers, matched, sizes in (
        (x.rows, table.row_sizes, x.key_sizes),
        (x.cols, table.col_sizes, x.response_sizes),
    ):
        left = sizes.copy()
        left[numbers] -= matched
        alone.append(left)
    if document is not None:
        here = np.flatnonzero(x.key.entity_document[rows] == document)
        rows, cols, counts = rows[here], cols[here], counts[here]
        for left, side in zip(alone, (x.key, x.response), strict=True):
            left[side.entity_document != document] = 0
    n_alone = [int(left.sum()) for left in alone]
    n_matched = int(counts.sum())
    if unmatched == "error" and any(n_alone):
        raise ValueError(
            f"{n_alone[0]} mentions of the key and {n_alone[1]} of the response are without a "
            'partner; pass unmatched="singletons" to make each an entity of its own on the '
            'other side, "drop" to leave them out'
        )
    if unmatched == "singletons":
        of_key, of_response = (np.repeat(np.arange(len(left)), left) for left in alone)
        # numbers beyond those of entities: one for each mention that the other side lacks
        new_rows = len(x.key_sizes) + np.arange(n_alone[1])
        new_cols = len(x.response_sizes) + np.arange(n_alone[0])
        rows = np.concatenate([rows, of_key, new_rows])
        cols = np.concatenate([cols, new_cols, of_response])
        counts = np.concatenate([counts, np.ones(sum(n_alone), dtype=np.int64)])
    made = Contingency.from_counts(rows, cols, counts)
    sides = [
        SideAccount(given=n_matched + n, unmatched=n, unmatched_policy=unmatched)
        for n in n_alone
    ]
    dropped = sum(n_alone) if unmatched == "drop" else 0
    return replace(made, account=Account(made.n_items, "item", dropped, sides[0], sides[1]))


def by_component(x: Shared) -> Shared:
    """Return the table with the components of the join in place of documents.

    Entities without a matched mention are components of their own, after the others: those of
    the key, then those of the response.
    """
    join = x.table.components()
    n = join.n_components
    of_key = np.full(len(x.key_sizes), -1, dtype=np.int64)
    of_response = np.full(len(x.response_sizes), -1, dtype=np.int64)
    of_key[x.rows], of_response[x.cols] = join.row_component, join.col_component
    for of_entity in (of_key, of_response):
        left = np.flatnonzero(of_entity < 0)
        of_entity[left] = n + np.arange(len(left))
        n += len(left)

    def placed(side: Side, of_entity: IntArray) -> Side:
        names = [str(number) for number in range(n)]
        return replace(
            side,
            names=names,
            document=of_entity[side.entity],
            entity_document=of_entity,
            tokens=[],
        )

    return replace(x, key=placed(x.key, of_key), response=placed(x.response, of_response))


def split_name(name: str) -> tuple[str, str]:
    """Return measure and part of a name such as ``muc``, ``muc_recall``, ``ceaf_e_f1``."""
    for part in PARTS:
        measure = name.removesuffix(f"_{part}")
        if measure != name:
            return measure, part
    return name, "f1"


def decomposition_of_scores(x: Shared, name: str, value: float) -> Decomposition:
    """Return what each component contributes to recall, precision or F1 of a measure."""
    measure, part = split_name(name)
    counts = MEASURES[measure].counts(by_component(x))
    above, below = _quotient(counts, part)
    sizes = counts_of_mentions(x)
    total = below.sum()
    weights = below / total if total else np.zeros(len(below))
    scores = np.divide(above, below, out=np.zeros(len(below)), where=below != 0)
    exact = above.dtype.kind == "i"
    lost = below - above
    return Decomposition(
        f"{measure}_{part}",
        value,
        weights,
        scores,
        0.0,
        np.maximum(lost / total, 0.0) if total else np.zeros(len(below)),
        1.0 if total else 0.0,
        sizes,
        lost if exact else None,
        int(total) if exact else None,
    )


def counts_of_mentions(x: Shared) -> IntArray:
    """Return the mentions of either side in each component, matched ones counted once."""
    counts = MEASURES["mentions"].counts(by_component(x))
    counts_of_both: IntArray = (
        counts.recall_denominator + counts.precision_denominator - counts.recall_numerator
    )
    return counts_of_both


def _quotient(counts: Counts, part: str) -> tuple[Any, Any]:
    """Return the numerators and denominators of a part."""
    if part == "recall":
        return counts.recall_numerator, counts.recall_denominator
    if part == "precision":
        return counts.precision_numerator, counts.precision_denominator
    return 2 * counts.recall_numerator, counts.recall_denominator + counts.precision_denominator


def check_name(name: str) -> None:
    """Raise unless a part of a measure is a sum over components."""
    measure, part = split_name(name)
    able = [x for x in MEASURES if x != "blanc"]
    if measure not in able:
        raise ValueError(
            f"{name} is no weighted sum over components; these are: "
            f"{', '.join(SHARED_NUMERATOR)}, and with _recall or _precision "
            f"{', '.join(able)}"
        )
    if part == "f1" and measure not in SHARED_NUMERATOR:
        raise ValueError(
            f"F1 of {measure} is no weighted sum over components; {measure}_recall and "
            f"{measure}_precision are"
        )
