"""Counted rows of a join that an engine hands over as Arrow, taken apart and put together.

A row has the labels la and lb, whether either side has its items (pa, pb: true or null), their
number n and, where it stands for one item, the item's columns k0, k1 ... and perhaps the
numbers ra and rb of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from partwise.labels.apply_policies import NAMES
from partwise.labels.columns import Column
from partwise.labels.policies import SidePolicies
from partwise.numbers.arrow import numbers_of, present_in
from partwise.scale.counted_rows import CountedRows


@dataclass(slots=True)
class Gathered:
    """Counted rows of a join, and what was counted on the way.

    Attributes
    ----------
    policies : pair of SidePolicies
    read_ids : callable
        The ids of items, of their columns k0, k1 ... in Arrow.
    cells : list of Arrow tables
        Rows of items that both sides have, counted together.
    singles : list of Arrow tables
        Rows that stand alone, with their items, where a policy needs these.
    joined : int
        Rows that both sides have.
    lone_rows, lone_items, without_id : pair of int
        Rows and distinct items of one side only, and rows of no item, by side.
    """

    policies: Sequence[SidePolicies]
    read_ids: Callable[[Sequence[Any]], Column]
    cells: list[Any] = field(default_factory=list)
    singles: list[Any] = field(default_factory=list)
    joined: int = 0
    lone_rows: list[int] = field(default_factory=lambda: [0, 0])
    lone_items: list[int] = field(default_factory=lambda: [0, 0])
    without_id: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, rows: Any) -> None:
        """Take in counted rows of different items than before (cells may come again)."""
        keys = keys_of(rows)
        present = [_is_true(rows.column(name)) for name in ("pa", "pb")]
        counts = numbers_of(rows.column("n"))
        valid = np.array([_is_true(key) for key in keys]).reshape(len(keys), len(counts))
        has_id, some_id = valid.all(axis=0), valid.any(axis=0)
        both = present[0] & present[1]
        self.joined += int(counts[both].sum())
        _keep(self.cells, rows.select(["la", "lb", "n"]), both & ~some_id)
        if (both & some_id).any():
            _keep(self.singles, rows, both & some_id)
        for side in range(2):
            lone = present[side] & ~present[1 - side]
            if not lone.any():
                continue
            self.lone_rows[side] += int(counts[lone].sum())
            if not keys:  # told by their items the next time
                continue
            self.without_id[side] += int(counts[lone & ~has_id].sum())
            rows_of_items = np.flatnonzero(lone & has_id)
            ids = self.read_ids([key.take(_arrow(rows_of_items)) for key in keys])
            self.lone_items[side] += len(ids.compact().categories)  # type: ignore[arg-type]
            if len(rows_of_items) and self.policies[side].unmatched == "singletons":
                _keep(self.singles, rows, lone & has_id)


def _keep(parts: list[Any], rows: Any, mask: Any) -> None:
    """Keep the marked rows, and an empty table rather than none."""
    import pyarrow

    if mask.any() or not parts:
        parts.append(rows if mask.all() else rows.filter(pyarrow.array(mask)))


def _is_true(column: Any) -> Any:
    return present_in(column)


def _arrow(positions: Any) -> Any:
    import pyarrow

    return pyarrow.array(positions)


def keys_of(rows: Any) -> list[Any]:
    """Return the columns of the item."""
    names = [name for name in rows.column_names if name.startswith("k")]
    return [rows.column(name) for name in sorted(names, key=lambda name: int(name[1:]))]


def counted_rows(
    gathered: Gathered, read_labels: Sequence[Callable[[Any, str], Column]]
) -> CountedRows:
    """Return what was gathered as rows under the policies.

    Items that stand alone are in the order of their rows, those of the reference first; where
    rows have no order, in that of their ids.
    """
    import pyarrow

    cells = pyarrow.concat_tables(gathered.cells)
    n_cells = len(cells)
    single = np.zeros(n_cells, dtype=bool)
    absent = [single, single]
    items = None
    if gathered.singles:
        singles = pyarrow.concat_tables(gathered.singles)
        if "ra" in singles.column_names:
            singles = singles.sort_by([("ra", "ascending"), ("rb", "ascending")])
            ids = gathered.read_ids(keys_of(singles)).compact()
        else:
            ids = gathered.read_ids(keys_of(singles)).compact()
            late = ~present_in(singles.column("pa"))
            order = np.lexsort((ids.codes, late))
            singles, ids = singles.take(_arrow(order)), ids.take(order)
        codes = np.concatenate((np.zeros(n_cells, dtype=np.int64), ids.codes))
        items = Column(codes, ids.names)
        single = np.concatenate((single, np.ones(len(singles), dtype=bool)))
        lost = (~_is_true(singles.column(name)) for name in ("pa", "pb"))
        absent = [np.concatenate((x, y)) for x, y in zip(absent, lost, strict=True)]
        cells = pyarrow.concat_tables([cells, singles.select(["la", "lb", "n"])])
    counts = numbers_of(cells.column("n")).astype(np.int64, copy=False)
    labels = [
        read(cells.column(name), side)
        for read, name, side in zip(read_labels, ("la", "lb"), NAMES, strict=True)
    ]
    return CountedRows((labels[0], labels[1]), counts, (absent[0], absent[1]), items, single)
