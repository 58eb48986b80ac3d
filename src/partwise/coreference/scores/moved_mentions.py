"""Twinless mentions moved between the sides, as Cai and Strube (2010) do for one convention."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from partwise.coreference.documents.documents import MentionMatch, Side
from partwise.coreference.scores.measures import (
    Counts,
    Shared,
    b_cubed_counts,
    ceaf_e_counts,
    ceaf_m_counts,
)
from partwise.numbers.arrays import IntArray
from partwise.table.count import contingency

#: Measures that are taken from the changed sides.
MOVED = {"b_cubed": b_cubed_counts, "ceaf_m": ceaf_m_counts, "ceaf_e": ceaf_e_counts}


def moved_tables(x: Shared, match: MentionMatch) -> tuple[Shared, Shared]:
    """Return the tables for recall and for precision, without twinless mentions.

    Parameters
    ----------
    x : Shared
    match : MentionMatch
        What ``x`` was made of.

    Notes
    -----
    A twinless mention of the key becomes a singleton of the response, in both tables. A
    twinless mention of the response is left out of the table for recall; in the one for
    precision it becomes a singleton of the key, but for singletons, which are left out.
    O(mentions).
    """
    key, response = x.key, x.response
    missed = np.flatnonzero(match.partner < 0)
    matched = np.flatnonzero(match.partner >= 0)
    spurious = np.ones(len(response), dtype=np.bool_)
    spurious[match.partner[matched]] = False
    spurious &= x.response_sizes[response.entity] > 1
    added = np.flatnonzero(spurious)
    rows = np.concatenate([key.entity[matched], key.entity[missed]])
    cols = np.concatenate(
        [
            response.entity[match.partner[matched]],
            len(x.response_sizes) + np.arange(len(missed)),
        ]
    )
    documents = np.concatenate([key.document[matched], key.document[missed]])
    for_recall = _of_pairs(x, rows, cols, documents)
    for_precision = _of_pairs(
        x,
        np.concatenate([rows, len(x.key_sizes) + np.arange(len(added))]),
        np.concatenate([cols, response.entity[added]]),
        np.concatenate([documents, response.document[added]]),
    )
    return for_recall, for_precision


def _of_pairs(x: Shared, rows: IntArray, cols: IntArray, documents: IntArray) -> Shared:
    """Return the table of mentions given by their entities on both sides."""
    (key, of_key), (response, of_response) = (
        _side(side, entities, documents)
        for side, entities in ((x.key, rows), (x.response, cols))
    )
    table = contingency(of_key, of_response)
    return replace(
        x,
        key=key,
        response=response,
        table=table,
        rows=np.asarray(table.row_labels, dtype=np.int64),
        cols=np.asarray(table.col_labels, dtype=np.int64),
        key_sizes=np.bincount(of_key, minlength=len(key.entity_document)),
        response_sizes=np.bincount(of_response, minlength=len(response.entity_document)),
    )


def _side(side: Side, entities: IntArray, documents: IntArray) -> tuple[Side, IntArray]:
    """Return a side of other entities, for counting only, and the entity of each mention."""
    numbers, first, codes = np.unique(entities, return_index=True, return_inverse=True)
    changed = replace(
        side,
        document=documents,
        entity=codes,
        entity_document=documents[first],
        entity_names=numbers.tolist(),
        mentions=[],
    )
    return changed, codes


def moved_counts(tables: tuple[Shared, Shared]) -> dict[str, Counts]:
    """Return recall from the first table and precision from the second."""
    by_measure = {}
    for name, count in MOVED.items():
        of_recall, of_precision = count(tables[0]), count(tables[1])
        by_measure[name] = Counts(
            of_recall.recall_numerator,
            of_recall.recall_denominator,
            of_precision.precision_numerator,
            of_precision.precision_denominator,
        )
    return by_measure
