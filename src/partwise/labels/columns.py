"""One column of labels or item ids as integer codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import long_columns
from partwise._kernels.workers import worth_sharing
from partwise.numbers.arrays import BoolArray, IntArray

_ORDERED = (str, bytes, bool, int, float, Decimal, Fraction, date, timedelta)
_NUMBERS = (int, float, complex, Decimal, Fraction, np.number)


class Names:
    """Distinct text or bytes, ascending, held as they came.

    Making a Python value of each costs more than finding them, and many a caller wants a number
    only.

    Parameters
    ----------
    held : array
        A NumPy array of fixed width or a pyarrow array, in memory of its own.
    """

    __slots__ = ("_held", "_values")

    def __init__(self, held: Any) -> None:
        self._held = held
        self._values: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self._held)

    def __reduce__(self) -> Any:
        return _of_values, (self.values,)

    @property
    def held(self) -> Any:
        """The array that was given: of fixed width, or of pyarrow."""
        return self._held

    @property
    def values(self) -> NDArray[Any]:
        """The labels as an array of objects, made once. O(k)."""
        if self._values is None:
            held = self._held
            if not isinstance(held, np.ndarray):
                held = held.to_numpy(zero_copy_only=False)
            self._values = held.astype(object)
            self._values.flags.writeable = False
        return self._values

    def take(self, positions: NDArray[Any]) -> Names:
        """Return the labels at ascending ``positions``."""
        if isinstance(self._held, np.ndarray):
            return Names(self._held[positions])
        import pyarrow

        return Names(self._held.take(pyarrow.array(positions)))


def _of_values(values: NDArray[Any]) -> NDArray[Any]:
    return values


def plain(labels: NDArray[Any] | Names) -> NDArray[Any]:
    """Return labels as an array."""
    return labels.values if isinstance(labels, Names) else labels


def taken(labels: NDArray[Any] | Names, positions: NDArray[Any]) -> NDArray[Any] | Names:
    """Return labels at distinct ascending ``positions``: all of them if there are so many."""
    if len(positions) == len(labels):
        return labels
    return labels.take(positions) if isinstance(labels, Names) else labels[positions]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Labels (or item ids) of n items as integers.

    Attributes
    ----------
    codes : ndarray of any integer dtype, shape (n,)
        The labels themselves when ``names`` is None, else places in ``names``.
    names : ndarray or Names, of shape (k,), or None
        Distinct labels: ascending, or in order of first appearance where labels have no
        order. Some may not occur.
    missing : ndarray of bool, shape (n,), or None
        True where there is no label (the code is then without meaning); None: nowhere.
    """

    codes: NDArray[Any]
    names: NDArray[Any] | Names | None = None
    missing: BoolArray | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def categories(self) -> NDArray[Any] | None:
        """The names as an array."""
        return None if self.names is None else plain(self.names)

    @property
    def kind(self) -> str:
        """What the labels are, in words for messages; ids of two kinds do not compare."""
        if self.categories is None:
            return "integer"
        kind = self.categories.dtype.kind
        if kind == "O":
            return kind_of_value(self.categories[0]) if len(self.categories) else "object"
        words = {"b": "bool", "i": "integer", "u": "integer", "f": "float", "c": "complex"}
        return words.get(kind, "datetime64" if kind == "M" else "timedelta64")

    def take(self, positions: IntArray) -> Column:
        """Return the column of the items at ``positions``."""
        missing = None if self.missing is None else self.missing[positions]
        return Column(long_columns.taken(self.codes, positions), self.names, missing)

    def without(self, kept: KeptItems) -> Column:
        """Return the column of the items that are kept."""
        missing = None if self.missing is None else self.missing[~kept.dropped]
        return DeferredColumn(self.codes, self.names, missing, kept=kept)

    def labelled(self) -> Column:
        """Return the same column where no label is missing, or what is missing is dropped."""
        return Column(self.codes, self.names)

    def copied(self) -> Column:
        """Return the same column in memory of its own."""
        return Column(self.codes.copy(), self.names, self.missing)

    def with_missing(self, mask: BoolArray | None) -> Column:
        """Return the column with further labels missing."""
        if mask is None or not mask.any():
            return self
        if self.missing is not None:
            mask = mask | self.missing
        return Column(self.codes, self.names, mask)

    def label(self, code: int) -> Any:
        """Return the label a code stands for, as a plain Python value."""
        label: Any = code if self.categories is None else self.categories[code]
        plain = isinstance(label, np.generic) and label.dtype.kind not in "mM"
        return label.item() if plain else label

    def value_at(self, position: int) -> Any:
        """Return the label of one item as a plain Python value."""
        return self.label(self.codes[position])

    def decode(self) -> NDArray[Any]:
        """Return the labels of all items (object dtype with None where some are missing)."""
        if self.missing is None:
            values = self.codes if self.categories is None else self.categories[self.codes]
            view = values.view()
            view.flags.writeable = False
            return view
        values = np.full(len(self), None, dtype=object)
        present = np.flatnonzero(~self.missing)
        labels = self.codes[present]
        if self.categories is not None:
            labels = self.categories[labels]
        values[present] = object_array(listed(labels))
        return values

    def compact(self) -> Column:
        """Return the same column with codes 0..k-1, all of which occur, and categories."""
        if self.missing is not None and self.missing.any():
            present = ~self.missing
            used, inner = _kernels.impl.encode(self.codes[present], worth_sharing(len(self)))
            codes = np.zeros(len(self), dtype=np.int64)
            codes[present] = inner
        else:
            used, codes = _kernels.impl.encode(self.codes, worth_sharing(len(self)))
        labels = used if self.names is None else taken(self.names, used)
        return Column(codes, labels, self.missing)


class KeptItems:
    """The items that are left where some are dropped: a mask; positions when asked for.

    Parameters
    ----------
    dropped : ndarray of bool
        In memory of its own.
    """

    def __init__(self, dropped: BoolArray) -> None:
        self.dropped = dropped
        self._n = len(dropped) - int(np.count_nonzero(dropped))

    def __len__(self) -> int:
        return self._n

    @cached_property
    def positions(self) -> IntArray:
        """Places of the items among all."""
        return np.flatnonzero(~self.dropped)


class DeferredColumn(Column):
    """A column whose codes are made when somebody asks for them: many a table does without.

    Parameters
    ----------
    raw : ndarray of integers
        Codes of all items.
    names, missing
        As of ``Column``.
    ranks : ndarray of int32, optional
        Code of each raw one, all of them different but for those that do not occur.
    kept : KeptItems, optional
        The items of the column; default: all.
    """

    __slots__ = ("_made", "kept", "ranks", "raw")

    raw: NDArray[Any]
    ranks: NDArray[np.int32] | None
    kept: KeptItems | None
    _made: NDArray[Any] | None

    def __init__(
        self,
        raw: NDArray[Any],
        names: NDArray[Any] | Names | None,
        missing: BoolArray | None = None,
        *,
        ranks: NDArray[np.int32] | None = None,
        kept: KeptItems | None = None,
    ) -> None:
        values = {"raw": raw, "ranks": ranks, "kept": kept, "_made": None}
        for name, value in (*values.items(), ("names", names), ("missing", missing)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.raw) if self.kept is None else len(self.kept)

    @property
    def codes(self) -> NDArray[Any]:
        """See ``Column``; made once."""
        if self._made is None:
            made = self.raw
            if self.kept is not None:
                made = _kernels.impl.keep(made, self.kept.dropped)
            if self.ranks is not None:
                made, _ = _kernels.impl.recode(made, self.ranks)
            object.__setattr__(self, "_made", made)
        assert self._made is not None
        return self._made

    def _with(self, missing: BoolArray | None) -> Column:
        return DeferredColumn(self.raw, self.names, missing, ranks=self.ranks, kept=self.kept)

    def without(self, kept: KeptItems) -> Column:
        """See ``Column``."""
        if self.kept is not None:
            return Column(self.codes, self.names, self.missing).without(kept)
        missing = None if self.missing is None else self.missing[~kept.dropped]
        return DeferredColumn(self.raw, self.names, missing, ranks=self.ranks, kept=kept)

    def labelled(self) -> Column:
        """See ``Column``."""
        return self._with(None)

    def with_missing(self, mask: BoolArray | None) -> Column:
        """See ``Column``."""
        if mask is None or not mask.any():
            return self
        return self._with(mask if self.missing is None else mask | self.missing)

    def copied(self) -> Column:
        """Return a plain column in memory of its own."""
        own = self.codes if self.ranks is not None or self.kept is not None else self.raw.copy()
        return Column(own, self.names, self.missing)

    def __reduce__(self) -> Any:
        return Column, (self.codes, self.names, self.missing)


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return a 1-D object array of the values (tuples stay whole)."""
    return np.fromiter(values, dtype=object, count=len(values))


def listed(labels: NDArray[Any]) -> list[Any]:
    """Return labels as a list of plain values; times stay times (``tolist`` gives ticks)."""
    return list(labels) if labels.dtype.kind in "mM" else labels.tolist()


def with_article(values: Any) -> str:
    """Return the name of a value's type as a sentence has it: "a list", "an int"."""
    name = type(values).__name__
    article = "an" if name[:1] in "aeioAEIO" or name == "ndarray" else "a"
    return f"{article} {name}"


def refuse_uncomputed(values: Any, what: str) -> None:
    """Refuse what polars has not computed yet: it holds no values.

    Raises
    ------
    TypeError
        A LazyFrame or an Expr.
    """
    kind = type(values).__name__
    if type(values).__module__.partition(".")[0] != "polars":
        return
    if kind in ("LazyFrame", "Expr"):
        instead = "its .collect()" if kind == "LazyFrame" else "a column, such as frame[name]"
        raise TypeError(f"{what} is a polars {kind}, which holds no values yet; pass {instead}")


def refuse_read_before(values: Any, what: str) -> None:
    """Refuse an iterator in which nothing was left; anything else may be empty.

    Raises
    ------
    ValueError
        It is an iterator.
    """
    if isinstance(values, Iterator):
        raise ValueError(
            f"{what} is {with_article(values)} with nothing left in it, perhaps because it was "
            "read before; pass a list, which can be read again"
        )


def one_column(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array of shape (n, 1), or with one field, as a column; others as they are."""
    if values.dtype.names is not None and len(values.dtype.names) == 1:
        values = values[values.dtype.names[0]]
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
        if values.ndim == 2:  # of a matrix, a column of which is a matrix again
            values = values.view(np.ndarray)[:, 0]
    return values


def kind_of(kind: type) -> str:
    """Return the group a label's type belongs to; labels of two groups do not mix."""
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
    if issubclass(kind, np.timedelta64):  # which NumPy calls an integer
        return "object"
    if issubclass(kind, (int, np.integer)):
        return "integer"
    if issubclass(kind, (*_NUMBERS, np.number)):
        return "float"
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, bytes):
        return "bytes"
    if issubclass(kind, (date, datetime, np.datetime64)):
        return "datetime"
    return "object"


def kind_of_value(value: Any) -> str:
    """Return the group of a value, finer for times: a day is no instant, a zone counts."""
    if isinstance(value, datetime):
        return "datetime" if value.tzinfo is None else "datetime with a time zone"
    if isinstance(value, date):
        return "date"
    if isinstance(value, timedelta):
        return "timedelta"
    if isinstance(value, np.datetime64):
        return "datetime64"
    if isinstance(value, np.timedelta64):
        return "timedelta64"
    return kind_of(type(value))


def _has_order(label: Any) -> bool:
    if isinstance(label, tuple):
        return all(map(_has_order, label))
    return isinstance(label, (*_ORDERED, np.generic))


def sort_categories(
    codes: NDArray[Any], categories: NDArray[Any], missing: BoolArray | None
) -> Column:
    """Put object categories in ascending order where their types have one."""
    labels = categories.tolist()
    if not _kernels.impl.types_of(labels) <= {str} and not all(map(_has_order, labels)):
        return Column(codes, categories, missing)
    try:
        order = sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:  # tuples of different make, naive against aware times ...
        return Column(codes, categories, missing)
    if order == list(range(len(labels))):
        return Column(codes, categories, missing)
    rank = np.empty(len(labels), dtype=np.int64)
    rank[order] = np.arange(len(labels))
    return Column(rank[codes], categories[order], missing)
