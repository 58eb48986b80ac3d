"""A table that changes: labels arrive, leave and are replaced, and scores stay current."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels import Account
from partwise.labels.columns import Column, kind_of_value, listed, object_array
from partwise.labels.forms import read_column
from partwise.measures.catalogue import find
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency

__all__ = ["LiveTable"]

_BITS = 64
_MOST_ITEMS = 1 << 57
_COLUMN_BITS = 32
#: Cells that are new since the last time all cells were put in order, as a share of them.
_FRESH_SHARE = 8
_FRESH_LEAST = 1 << 16
#: What is known after each batch.
_SUMS = frozenset(
    {
        *("n", "rows", "cols", "cells", "squares", "row_squares", "col_squares"),
        *("cell_xlogx", "row_xlogx", "col_xlogx"),
    }
)


class Sums:
    """Number, squares and x ln x of positive integers, as exact integers."""

    __slots__ = ("n", "squares", "xlogx")

    def __init__(self) -> None:
        self.n = self.squares = self.xlogx = 0

    def replace(self, before: IntArray, after: IntArray) -> None:
        """Take some of the numbers out and put others in their place; 0 is no number."""
        self.n += int(np.count_nonzero(after)) - int(np.count_nonzero(before))
        impl = _kernels.impl
        self.squares += impl.sum_squares(after) - impl.sum_squares(before)
        self.xlogx += impl.sum_xlogx(after, _BITS) - impl.sum_xlogx(before, _BITS)


class Side:
    """Clusters of one side: the code of each label, and sizes by code."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.code_of: dict[Any, int] = {}
        self.labels: list[Any] = []
        # integers are found in a sorted list instead
        self._integers = self._codes = np.zeros(0, dtype=np.int64)
        self.sizes = np.zeros(0, dtype=np.int64)
        self.sums = Sums()
        self.kind = ""

    def codes(self, labels: Any) -> IntArray:
        """Return the codes of labels; a new label gets the next code."""
        column = read_column(labels, self.name)
        if column.missing is not None and column.missing.any():
            at = int(np.flatnonzero(column.missing)[0])
            raise ValueError(
                f"the {self.name} has no label at index {at}; leave such items out, or give "
                "them a label"
            )
        column = column.compact()
        assert column.categories is not None
        if len(column) == 0:
            return np.zeros(0, dtype=np.int64)
        kind = kind_of_value(column.label(0))
        if self.labels and kind != self.kind:
            raise TypeError(
                f"the labels of the {self.name} are {self.kind} ({self.labels[0]!r}), those "
                f"that arrive are {kind} ({column.label(0)!r})"
            )
        self.kind = kind
        codes = self._integer_codes(column.categories)
        if codes is None:
            codes = self._codes_of(listed(column.categories))
        if len(self.labels) > len(self.sizes):
            grown = np.zeros(max(2 * len(self.sizes), len(self.labels)), dtype=np.int64)
            grown[: len(self.sizes)] = self.sizes
            self.sizes = grown
        places: IntArray = codes[column.codes]
        return places

    def _integer_codes(self, distinct: NDArray[Any]) -> IntArray | None:
        """Return the codes of ascending integers, None where a dictionary has the labels."""
        fits = distinct.dtype.kind == "i" or (
            distinct.dtype.kind == "u" and int(distinct[-1]) < 1 << 63
        )
        if self.code_of or not fits:
            return None
        values = distinct.astype(np.int64)
        codes = _places(self._integers, values)
        codes[codes >= 0] = self._codes[codes[codes >= 0]]
        new = np.flatnonzero(codes < 0)
        if len(new):
            codes[new] = len(self.labels) + np.arange(len(new))
            self._append(values[new].tolist())
            self._integers, self._codes = _merged(
                (self._integers, self._codes), (values[new], codes[new])
            )
        return codes

    def _codes_of(self, distinct: list[Any]) -> IntArray:
        if len(self.code_of) < len(self.labels):  # so far, they were integers of 64 bits
            self.code_of = {label: code for code, label in enumerate(self.labels)}
        known = self.code_of
        codes = np.array([known.get(label, -1) for label in distinct], dtype=np.int64)
        for at in np.flatnonzero(codes < 0).tolist():
            codes[at] = known[distinct[at]] = len(known)
            self._append([distinct[at]])
        return codes

    def _append(self, labels: list[Any]) -> None:
        self.labels += labels
        if len(self.labels) >= 1 << (_COLUMN_BITS - 1):
            raise ValueError(f"more than 2^31 - 1 different labels in the {self.name}")

    def add(self, codes: IntArray, changes: IntArray) -> None:
        """Change the sizes of clusters; a code may come again."""
        used, inner = _kernels.impl.encode(codes)
        change = np.zeros(len(used), dtype=np.int64)
        np.add.at(change, inner, changes)
        before = self.sizes[used]
        self.sizes[used] = before + change
        self.sums.replace(before, before + change)

    def column(self) -> tuple[IntArray, Any]:
        """Return the place of each code among the labels of clusters that have items."""
        used = np.flatnonzero(self.sizes)
        labels = [self.labels[code] for code in used.tolist()]
        whole = read_column(object_array(labels), self.name).compact()
        places = np.full(len(self.sizes), -1, dtype=np.int64)
        places[used] = whole.codes
        return places, whole.names


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
    A batch costs O(batch log cells): its pairs are counted, looked up among sorted cells and
    added; the sums that measures are made of change by the cells, rows and columns that do.
    All sums are exact integers, so scores have the bits of a table that is built anew. Cells
    that are new wait in a short list, which is merged with the others now and then.

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
        self._rows, self._cols = Side("reference"), Side("candidate")
        self._cells = Sums()
        self._n = 0
        # two sorted lists of keys (row code, column code) with their counts, 0 for gone cells
        self._keys = self._counts = np.zeros(0, dtype=np.int64)
        self._fresh_keys = self._fresh_counts = np.zeros(0, dtype=np.int64)
        self._table: Contingency | None = None
        if table is not None:
            if table.all_masses is not None:
                raise ValueError("a LiveTable counts items; this table carries weights")
            rows = self._rows.codes(table.row_labels)[table.rows]
            cols = self._cols.codes(table.col_labels)[table.cols]
            self._apply(rows, cols, table.counts)

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
        if len(rows) == 0:
            return
        keys, inner = _kernels.impl.encode(rows << _COLUMN_BITS | cols)
        change = np.zeros(len(keys), dtype=np.int64)
        np.add.at(change, inner, changes)
        moved = np.flatnonzero(change)
        keys, change = keys[moved], change[moved]
        places, fresh_places, absent = self._find(keys)
        before = np.zeros(len(keys), dtype=np.int64)
        before[places >= 0] = self._counts[places[places >= 0]]
        before[fresh_places >= 0] = self._fresh_counts[fresh_places[fresh_places >= 0]]
        after = before + change
        self._check(keys, before, after)
        n = self._n + int(change.sum())
        if n >= _MOST_ITEMS:
            raise ValueError(f"{n} items; a LiveTable holds fewer than 2^57")
        self._n, self._table = n, None
        self._counts[places[places >= 0]] = after[places >= 0]
        self._fresh_counts[fresh_places[fresh_places >= 0]] = after[fresh_places >= 0]
        self._cells.replace(before, after)
        self._rows.add(keys >> _COLUMN_BITS, change)
        self._cols.add(keys & ((1 << _COLUMN_BITS) - 1), change)
        if absent.any():
            self._insert(keys[absent], after[absent])

    def _find(self, keys: IntArray) -> tuple[IntArray, IntArray, NDArray[np.bool_]]:
        """Return the place of each key in both lists, -1 where it is not, and those in none."""
        places = _places(self._keys, keys)
        fresh = _places(self._fresh_keys, keys)
        return places, fresh, (places < 0) & (fresh < 0)

    def _check(self, keys: IntArray, before: IntArray, after: IntArray) -> None:
        wrong = np.flatnonzero(after < 0)
        if len(wrong) == 0:
            return
        key = int(keys[wrong[0]])
        row = self._rows.labels[key >> _COLUMN_BITS]
        col = self._cols.labels[key & ((1 << _COLUMN_BITS) - 1)]
        raise ValueError(
            f"{int(before[wrong[0]] - after[wrong[0]])} items with the reference label {row!r} "
            f"and the candidate label {col!r} are to go, but there are "
            f"{int(before[wrong[0]])} ({len(wrong)} such pairs); nothing was changed"
        )

    def _insert(self, keys: IntArray, counts: IntArray) -> None:
        """Add cells that are in neither list; both stay sorted."""
        self._fresh_keys, self._fresh_counts = _merged(
            (self._fresh_keys, self._fresh_counts), (keys, counts)
        )
        if len(self._fresh_keys) > max(_FRESH_LEAST, len(self._keys) // _FRESH_SHARE):
            self._settle()

    def _settle(self) -> None:
        """Put all cells into one list, without those that are gone."""
        keys, counts = _merged(
            (self._keys, self._counts), (self._fresh_keys, self._fresh_counts)
        )
        there = counts > 0
        self._keys, self._counts = keys[there], counts[there]
        self._fresh_keys = self._fresh_counts = np.zeros(0, dtype=np.int64)

    # ---- what there is -------------------------------------------------------------

    @property
    def n_items(self) -> int:
        """Items."""
        return self._n

    @property
    def n_cells(self) -> int:
        """Pairs of clusters that share an item."""
        return self._cells.n

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
        states = States(self._sums(), 1, _BITS)
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
        cells = self._cells
        sums |= {"cells": cells.n, "squares": cells.squares, "cell_xlogx": cells.xlogx}
        return {name: np.array([value], dtype=object) for name, value in sums.items()}

    def table(self) -> Contingency:
        """Return the table as it is now. O(cells), kept until the next change."""
        if self._table is None:
            self._settle()
            (rows, row_names), (cols, col_names) = self._rows.column(), self._cols.column()
            self._table = Contingency._of_triples(
                Column(rows[self._keys >> _COLUMN_BITS], row_names),
                Column(cols[self._keys & ((1 << _COLUMN_BITS) - 1)], col_names),
                self._counts,
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


def _places(keys: IntArray, wanted: IntArray) -> IntArray:
    """Return where each wanted key is among sorted ones, -1 where it is not."""
    if len(keys) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    places = np.searchsorted(keys, wanted)
    places[places == len(keys)] = 0
    places[keys[places] != wanted] = -1
    return places


def _merged(
    one: tuple[IntArray, IntArray], other: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Return two lists of sorted keys, no key in both, as one, with their counts."""
    keys, places, others = _kernels.impl.unite(one[0], other[0])
    counts = np.empty(len(keys), dtype=np.int64)
    counts[places], counts[others] = one[1], other[1]
    return keys, counts
