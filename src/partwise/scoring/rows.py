"""Pairs of rows of two arrays of labels: row i of one against row i of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.workers import map_blocks
from partwise.labels import Account
from partwise.labels.carried import CompanionArguments
from partwise.labels.columns import with_article
from partwise.labels.forms import as_array
from partwise.labels.indexes import (
    ItemOrder,
    index_of,
    refuse_different_indexes,
    refuse_other_indexes,
)
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray
from partwise.numbers.masked import is_masked_array
from partwise.progress import track
from partwise.table.arguments import Clusterings, as_table, clusterings_of
from partwise.table.plain_arrays import table_of_arrays

#: Rows that a thread takes at a time.
_BLOCK = 64


def score_rows(
    reference: Any,
    candidates: Any,
    entries: Sequence[Measure],
    policies: Mapping[str, Any],
    workers: int,
    progress: bool,
) -> tuple[FloatArray, list[Account]]:
    """Return the values (rows, measures) and the account of every pair of rows.

    Raises
    ------
    TypeError
        A side is no array.
    ValueError
        The sides are not 2-D arrays of one shape; as ``align``, with the number of the row.
    """
    first, second = _rows_of(reference, "reference"), _rows_of(candidates, "candidates")
    columns = _columns_of(reference, candidates)
    if first.shape != second.shape:
        raise ValueError(
            f'pairs="rows" compares row i of the reference with row i of the candidates; their '
            f"shapes are {first.shape} and {second.shape}, and must be the same"
        )
    refuse_other_indexes({"reference": reference, "candidates": candidates})
    items = refuse_different_indexes(columns)
    if items is not None:
        policies = _in_order_of(ItemOrder(items[0], first.shape[1], items[1]), policies)
    scores = np.empty((len(first), len(entries)))
    accounts: list[Account] = []
    only_tables = not policies and not any(entry.computation.items for entry in entries)

    def score(block: range) -> list[tuple[Account, list[float]]]:
        scored = []
        for i in block:
            try:
                plain = table_of_arrays(first[i], second[i]) if only_tables else None
                pair: Clusterings = plain or clusterings_of(
                    first[i], second[i], policies, "score_many"
                )
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {i}: {error}") from error
            table = as_table(pair)
            scored.append((pair.account, [entry.value(pair, table) for entry in entries]))
        return scored

    blocks = [range(i, min(i + _BLOCK, len(first))) for i in range(0, len(first), _BLOCK)]
    shown = track(blocks, "scoring", progress)
    for block, scored in zip(shown, map_blocks(score, blocks, workers), strict=True):
        for i, (account, values) in zip(block, scored, strict=True):
            scores[i] = values
            accounts.append(account)
    return scores, accounts


def _rows_of(labels: Any, side: str) -> NDArray[Any]:
    if not hasattr(labels, "ndim"):
        raise TypeError(
            f'{side} is {with_article(labels)}; pairs="rows" takes two 2-D arrays of labels'
        )
    masked = is_masked_array(labels)
    rows = labels if masked else np.ascontiguousarray(as_array(labels, side))
    if rows.ndim != 2:
        raise ValueError(
            f'{side} has shape {rows.shape}; pairs="rows" takes two 2-D arrays of labels, with '
            "a clustering in each row"
        )
    return rows


def _columns_of(reference: Any, candidates: Any) -> dict[str, Any]:
    """Return the columns of sides that are frames of pandas: they name the items."""
    return {
        f"the columns of the {side}": labels.columns
        for side, labels in (("reference", reference), ("candidates", candidates))
        if index_of(labels) is not None
    }


def _in_order_of(items: ItemOrder, policies: Mapping[str, Any]) -> dict[str, Any]:
    """Return policies with what rides along in the order of the items."""
    names = CompanionArguments._fields
    given = CompanionArguments(*map(policies.get, names)).in_order_of(items)._asdict()
    ordered = {
        name: value if index_of(value) is None else value.to_numpy()
        for name, value in given.items()
        if value is not None
    }
    return {**policies, **ordered}
