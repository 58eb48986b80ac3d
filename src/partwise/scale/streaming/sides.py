"""Clusters of one side of a table that changes, and sums over what changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import numbered
from partwise.labels.columns import Column, kind_of_value, listed, object_array
from partwise.labels.forms import read_column
from partwise.labels.items.times import instant_of
from partwise.numbers.arrays import IntArray
from partwise.scale.streaming.hashed_keys import HashedKeys

#: Fraction bits of x ln x.
BITS = 64
#: Bits of a code.
CODE_BITS = 32
#: Columns longer than this are sorted first, so that memory is that of their distinct labels.
SORTED_FROM = 1 << 16


class Sums:
    """Number, squares and x ln x of positive integers, as exact integers."""

    __slots__ = ("n", "squares", "xlogx")

    def __init__(self) -> None:
        self.n = self.squares = self.xlogx = 0

    def replaced(self, before: IntArray, after: IntArray) -> Sums:
        """Return the sums with others in the place of some of the numbers; 0 is no number."""
        impl, sums = _kernels.impl, Sums()
        sums.n = self.n + int(np.count_nonzero(after)) - int(np.count_nonzero(before))
        sums.squares = self.squares + impl.sum_squares(after) - impl.sum_squares(before)
        sums.xlogx = self.xlogx + impl.sum_xlogx(after, BITS) - impl.sum_xlogx(before, BITS)
        return sums


class LiveSide:
    """Clusters of one side: the code of each label, and sizes by code."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels: list[Any] = []
        # integers of 64 bits are hashed as they are: below 2^63, and from there on
        self._integers = HashedKeys(), HashedKeys()
        self._code_of: dict[Any, int] = {}
        # whether every key of theirs has its label: not so after a call that was cut off
        self._whole = True
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
        if len(column) == 0:
            return np.zeros(0, dtype=np.int64)
        label = column.value_at(0)
        kind = kind_of_value(label)
        kind = kind.removesuffix("64")  # a time of NumPy is one of Python
        if self.labels and kind != self.kind:
            raise TypeError(
                f"the labels of the {self.name} are {self.kind} ({self.labels[0]!r}), those "
                f"that arrive are {kind} ({label!r})"
            )
        self.kind = kind
        if not self._whole:
            self._number_again()
        codes = self._codes_of(column)
        if len(self.labels) > len(self.sizes):
            grown = np.zeros(max(2 * len(self.sizes), len(self.labels)), dtype=np.int64)
            grown[: len(self.sizes)] = self.sizes
            self.sizes = grown
        return codes

    def _codes_of(self, column: Column) -> IntArray:
        if column.names is None and len(column) <= SORTED_FROM and not self._code_of:
            return self._codes_of_integers(column.codes)
        column = column.compact()
        distinct = column.categories
        assert distinct is not None
        if distinct.dtype.kind in "iu" and not self._code_of:
            codes = self._codes_of_integers(distinct)
        else:
            codes = self._codes_of_objects(listed(distinct))
        each: IntArray = codes[column.codes]
        return each

    def _codes_of_integers(self, values: NDArray[Any]) -> IntArray:
        small, large = self._integers
        if values.dtype == np.uint64:
            beyond = values > np.iinfo(np.int64).max
            if beyond.any():
                bits = values.view(np.int64)
                codes = np.empty(len(values), dtype=np.int64)
                codes[~beyond] = self._hashed(small, bits[~beyond], values[~beyond])
                codes[beyond] = self._hashed(large, bits[beyond], values[beyond])
                return codes
        return self._hashed(small, np.ascontiguousarray(values, dtype=np.int64), values)

    def _hashed(self, numbers: HashedKeys, bits: IntArray, values: NDArray[Any]) -> IntArray:
        """Return the codes of integers by their bits."""
        first_new = len(self.labels)
        numbers.make_room(len(bits), above=-1)
        self._whole = False
        codes = numbers.values[numbers.find(bits, first_new, 1)]
        new = np.flatnonzero(codes >= first_new)
        if len(new):
            _, first, _ = numbered(codes[new])
            self._append(values[new[first]].tolist())
        self._whole = True
        return codes

    def _number_again(self) -> None:
        """Make the hash tables of integers from the labels. O(labels)."""
        integers = HashedKeys(), HashedKeys()
        most = np.iinfo(np.int64).max
        # where there is another label, all of them are looked up elsewhere
        labels = [] if self._code_of else self.labels
        for numbers, are_large in zip(integers, (False, True), strict=True):
            codes = [code for code, label in enumerate(labels) if (label > most) is are_large]
            values = np.array(
                [labels[code] for code in codes], dtype=np.uint64 if are_large else np.int64
            )
            numbers.make_room(len(codes), above=-1)
            slots = numbers.find(values.view(np.int64), 0, 0)
            numbers.values[slots] = codes
        self._integers, self._whole = integers, True

    def _codes_of_objects(self, distinct: list[Any]) -> IntArray:
        # so far, they were integers of 64 bits; or a call was cut off before its label was kept
        if len(self._code_of) != len(self.labels):
            self._code_of = {key: code for code, key in enumerate(self._keys(self.labels))}
        code_of, keys = self._code_of, self._keys(distinct)
        codes = np.array([code_of.get(key, -1) for key in keys], dtype=np.int64)
        for at in np.flatnonzero(codes < 0).tolist():
            codes[at] = code_of[keys[at]] = len(code_of)
            self._append([distinct[at]])
        return codes

    def _keys(self, labels: list[Any]) -> list[Any]:
        """Return what is equal where labels are: times may come in several units."""
        is_time = self.kind in ("datetime", "timedelta")
        return list(map(instant_of, labels)) if is_time else labels

    def _append(self, labels: list[Any]) -> None:
        self.labels += labels
        if len(self.labels) >= 1 << (CODE_BITS - 1):
            raise ValueError(f"more than 2^31 - 1 different labels in the {self.name}")

    def column(self) -> tuple[IntArray, Any]:
        """Return the row of each code's label among those of clusters that have items."""
        used = np.flatnonzero(self.sizes)
        labels = [self.labels[code] for code in used.tolist()]
        column = read_column(object_array(labels), self.name).compact()
        row_of = np.full(len(self.sizes), -1, dtype=np.int64)
        row_of[used] = column.codes
        return row_of, column.names
