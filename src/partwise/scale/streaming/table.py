"""Counts of a table that change batch by batch, and the scores that follow from their sums."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels import Account, SingletonLabel
from partwise.labels.account import counted
from partwise.labels.columns import Column
from partwise.measures.catalogue import find
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.numbers.arrays import IntArray
from partwise.scale.streaming.hashed_keys import HashedKeys
from partwise.scale.streaming.sides import BITS, CODE_BITS, SORTED_FROM, LiveSide, Sums
from partwise.table.contingency import Contingency

__all__ = ["LiveTable"]

_MOST_ITEMS = 1 << 57
_COLUMN = (1 << CODE_BITS) - 1
#: What is known after each batch.
_SUMS = frozenset(
    {
        *("n", "rows", "cols", "cells", "squares", "row_squares", "col_squares"),
        *("cell_xlogx", "row_xlogx", "col_xlogx"),
    }
)


def _refuse_unlabelled(side: str, labels: NDArray[Any]) -> None:
    """Raise where a policy made clusters of items that have no label."""
    if labels.dtype != object:
        return
    made = [x for x in labels.tolist() if x is None or isinstance(x, SingletonLabel)]
    if made:
        raise ValueError(
            f"the {side} of this table has {counted(len(made), 'cluster')} of items without a "
            f"label, which a policy made ({made[0]!r} is the first), and a LiveTable finds "
            'items by their labels; make the table with missing="drop", or give those items '
            "labels"
        )


class LiveTable:
    """Counts of items per (reference cluster, candidate cluster) that change batch by batch.

    Scores of pair counting and of information are current after each batch at no further cost;
    any other measure is computed on ``table()``, which is made when it is first asked for after
    a change.

    Parameters
    ----------
    table : Contingency, optional
        What to begin with; without weights.

    Notes
    -----
    A batch costs O(batch), whatever the table: labels and pairs of them are looked up in hash
    tables, and the sums that measures are made of change by the cells, rows and columns that
    do. All sums are exact integers, so scores have the bits of a table that is built anew. A
    cell takes 24 to 64 bytes, a label some 150. A change that an interrupt or a lack of memory
    cuts off is as if it had not been asked for, and can be asked for again.

    Examples
    --------
    >>> import partwise as pw
    >>> live = pw.scale.streaming.LiveTable()
    >>> live.insert(["a", "a", "b", "b"], [0, 0, 1, 2])
    >>> live.score("adjusted_rand_index")
    0.5714285714285714
    >>> live.change(reference=["b"], old=[2], new=[1])
    >>> live.score("adjusted_rand_index")
    1.0
    """

    def __init__(self, table: Contingency | None = None) -> None:
        self._rows, self._cols = LiveSide("reference"), LiveSide("candidate")
        self._sums_of_cells = Sums()
        self._n = 0
        # counts by pairs (row code, column code), 0 for cells that are gone
        self._cells = HashedKeys()
        self._table: Contingency | None = None
        # what arrays held, and what was known, before a change that is under way or was cut off
        self._before: tuple[list[tuple[IntArray, IntArray, IntArray]], int, list[Sums]] | None
        self._before = None
        if table is not None:
            if table.all_masses is not None:
                raise ValueError("a LiveTable counts items; this table carries weights")
            sides = ("reference", table.row_labels), ("candidate", table.col_labels)
            for side, labels in sides:
                _refuse_unlabelled(side, labels)
            rows = self._rows.codes(table.row_labels)[table.rows]
            cols = self._cols.codes(table.col_labels)[table.cols]
            self._apply(rows, cols, table.counts)

    def __copy__(self) -> LiveTable:
        """Return a table that changes for itself; what ``table()`` gave is never changed."""
        self._take_back()
        return copy.deepcopy(self, {id(self._table): self._table})

    # ---- changes -------------------------------------------------------------------

    def insert(self, reference: Any, candidate: Any) -> None:
        """Add items with these labels.

        Parameters
        ----------
        reference, candidate : array-like of shape (n,)

        Raises
        ------
        ValueError, TypeError
            Different lengths, missing labels, or labels of another kind than before.
        """
        rows, cols = self._coded(("reference", reference), ("candidate", candidate))
        self._apply(rows, cols, np.ones(len(rows), dtype=np.int64))

    def remove(self, reference: Any, candidate: Any) -> None:
        """Take items with these labels out.

        Raises
        ------
        ValueError
            There are not so many items with these labels; nothing is then changed.
        """
        rows, cols = self._coded(("reference", reference), ("candidate", candidate))
        self._apply(rows, cols, np.full(len(rows), -1, dtype=np.int64))

    def change(self, reference: Any, old: Any, new: Any) -> None:
        """Give items another candidate label.

        Parameters
        ----------
        reference : array-like of shape (n,)
            Reference label of each item.
        old, new : array-like of shape (n,)
            Its candidate label so far, and from now on.

        Raises
        ------
        ValueError
            There are not so many items with the old labels; nothing is then changed.
        """
        rows, old_cols = self._coded(("reference", reference), ("old", old))
        again, new_cols = self._coded(("reference", rows), ("new", new), coded=True)
        ones = np.ones(len(rows), dtype=np.int64)
        self._apply(
            np.concatenate([rows, again]),
            np.concatenate([old_cols, new_cols]),
            np.concatenate([-ones, ones]),
        )

    def _coded(
        self, first: tuple[str, Any], second: tuple[str, Any], *, coded: bool = False
    ) -> tuple[IntArray, IntArray]:
        rows = first[1] if coded else self._rows.codes(first[1])
        cols = self._cols.codes(second[1])
        if len(rows) != len(cols):
            raise ValueError(
                f"{first[0]} has {len(rows)} labels, {second[0]} {len(cols)}; one of each per "
                "item is expected"
            )
        return rows, cols

    def _apply(self, rows: IntArray, cols: IntArray, changes: IntArray) -> None:
        self._take_back()
        if len(rows) == 0:
            return
        keys = rows << CODE_BITS | cols
        if len(keys) > SORTED_FROM:
            keys, inner = _kernels.impl.encode(keys)
            change = np.zeros(len(keys), dtype=np.int64)
            np.add.at(change, inner, changes)
            rows, cols, changes = keys >> CODE_BITS, keys & _COLUMN, change
        n = self._n + int(changes.sum())
        if n >= _MOST_ITEMS:
            raise ValueError(f"{n} items; a LiveTable holds fewer than 2^57")
        self._cells.make_room(len(keys), above=0)
        slots = self._cells.find(keys, 0, 0)
        writes: list[tuple[IntArray, IntArray, IntArray, IntArray]] = []
        old_sums: list[Sums] = []
        sums: list[Sums] = []
        for counts, places, old in (
            (self._cells.values, slots, self._sums_of_cells),
            (self._rows.sizes, rows, self._rows.sums),
            (self._cols.sizes, cols, self._cols.sums),
        ):
            touched, before, after = _kernels.impl.shifted_counts(counts, places, changes)
            if not writes and after.min() < 0:  # where cells suffice, clusters do
                self._refuse(self._cells.entries[touched, 0], before, after)
            writes.append((counts, touched, before, after))
            old_sums.append(old)
            sums.append(old.replaced(before, after))
        # from here on, what cuts the change off leaves what takes it back
        self._before = [write[:3] for write in writes], self._n, old_sums
        for counts, touched, _, after in writes:
            counts[touched] = after
        self._n, self._table = n, None
        self._sums_of_cells, self._rows.sums, self._cols.sums = sums
        self._before = None

    def _take_back(self) -> None:
        """Undo a change that was cut off, by an interrupt or for want of memory."""
        if self._before is None:
            return
        arrays, self._n, sums = self._before
        for counts, touched, before in arrays:
            counts[touched] = before
        self._sums_of_cells, self._rows.sums, self._cols.sums = sums
        self._before = self._table = None

    def _refuse(self, keys: IntArray, before: IntArray, after: IntArray) -> None:
        """Raise because some cells have fewer items than are to go."""
        wrong = np.flatnonzero(after < 0)
        first = wrong[0]
        row = self._rows.labels[int(keys[first]) >> CODE_BITS]
        col = self._cols.labels[int(keys[first]) & _COLUMN]
        raise ValueError(
            f"{int(before[first] - after[first])} items with the reference label {row!r} "
            f"and the candidate label {col!r} are to go, but there are "
            f"{int(before[first])} ({len(wrong)} such pairs); nothing was changed"
        )

    # ---- what there is -------------------------------------------------------------

    @property
    def n_items(self) -> int:
        """Items."""
        return self._n

    @property
    def n_cells(self) -> int:
        """Pairs of clusters that share an item."""
        return self._sums_of_cells.n

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of reference and candidate clusters that have an item."""
        return self._rows.sums.n, self._cols.sums.n

    def score(self, measure: str) -> float:
        """Return one measure, by its name in the catalogue, with the bits of ``table()``'s."""
        return self.scores([measure])[measure]

    def scores(self, measures: Iterable[str]) -> dict[str, float]:
        """Return several measures by name."""
        if isinstance(measures, str):
            raise TypeError(f"measures={measures!r}: a list of names is expected; see score")
        states = States(self._sums(), 1, BITS)
        return {name: self._score(find(name), states) for name in measures}

    def _score(self, entry: Measure, states: States) -> float:
        formula = entry.computation.formula
        if formula is not None and self._n:
            options = dict(entry.options)
            if _SUMS.issuperset(formula.sums(options)):
                values, unsure = formula.values(states, options)
                if not unsure[0]:
                    return float(values[0])
        return float(entry(self.table()))

    def _sums(self) -> dict[str, Any]:
        sums = {"n": self._n}
        for name, of in (("row", self._rows.sums), ("col", self._cols.sums)):
            sums |= {f"{name}s": of.n, f"{name}_squares": of.squares}
            sums |= {f"{name}_xlogx": of.xlogx}
        cells = self._sums_of_cells
        sums |= {"cells": cells.n, "squares": cells.squares, "cell_xlogx": cells.xlogx}
        return {name: np.array([value], dtype=object) for name, value in sums.items()}

    def table(self) -> Contingency:
        """Return the table as it is now. O(cells), kept until the next change."""
        self._take_back()
        if self._table is None:
            entries = self._cells.entries
            keys, counts = np.ascontiguousarray(entries[entries[:, 1] > 0].T)
            (rows, row_names), (cols, col_names) = self._rows.column(), self._cols.column()
            self._table = Contingency._of_triples(
                Column(rows[keys >> CODE_BITS], row_names),
                Column(cols[keys & _COLUMN], col_names),
                counts,
                Account(self._n, "counts"),
                None,
            )
        return self._table

    # ---- checkpoints ---------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the table as ``Contingency.save`` does: atomically, npz or parquet."""
        self.table().save(path)

    @classmethod
    def load(cls, path: str | Path) -> LiveTable:
        """Go on from what ``save``, of this or of a table, wrote."""
        return cls(Contingency.load(path))

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"LiveTable({self.n_items} items, {rows} x {cols} clusters, {self.n_cells} cells)"
        )
