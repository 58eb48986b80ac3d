"""One column of labels or item ids, in whatever form people hold it, as integer codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

_ORDERED = (str, bytes, bool, int, float, Decimal, Fraction, date, timedelta)
_NUMBERS = (int, float, complex, Decimal, Fraction, np.number)
_MISSING_TYPES = ("NoneType", "NAType", "NaTType")


@dataclass(frozen=True, slots=True)
class Column:
    """Labels (or item ids) of n items as integers.

    Attributes
    ----------
    codes : ndarray of any integer dtype, shape (n,)
        The labels themselves when ``categories`` is None, else places in ``categories``.
    categories : ndarray of shape (k,) or None
        Distinct labels: ascending, or in order of first appearance where labels have no
        order. Some may not occur.
    missing : ndarray of bool, shape (n,), or None
        True where there is no label (the code is then without meaning); None: nowhere.
    """

    codes: NDArray[Any]
    categories: NDArray[Any] | None = None
    missing: BoolArray | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def kind(self) -> str:
        """What the labels are, in a word for messages."""
        if self.categories is None:
            return "integer"
        kind = self.categories.dtype.kind
        if kind == "O":
            known = [x for x in self.categories[:1].tolist()]
            return kind_of(type(known[0])) if known else "object"
        words = {"b": "bool", "f": "float", "c": "complex", "M": "datetime"}
        return words.get(kind, "timedelta" if kind == "m" else "object")

    def take(self, places: IntArray) -> Column:
        """Return the column of the items at ``places``."""
        missing = None if self.missing is None else self.missing[places]
        return Column(self.codes[places], self.categories, missing)

    def label(self, code: int) -> Any:
        """Return the label a code stands for, as a plain Python value."""
        label: Any = code if self.categories is None else self.categories[code]
        plain = isinstance(label, np.generic) and label.dtype.kind not in "mM"
        return label.item() if plain else label

    def decode(self) -> NDArray[Any]:
        """Return the labels of all items (object dtype with None where some are missing)."""
        values = self.codes if self.categories is None else self.categories[self.codes]
        if self.missing is None:
            return values
        values = values.astype(object)
        values[self.missing] = None
        return values

    def compact(self) -> Column:
        """Return the same column with codes 0..k-1, all of which occur, and categories."""
        if self.missing is not None and self.missing.any():
            present = ~self.missing
            used, inner = _kernels.impl.encode(self.codes[present])
            codes = np.zeros(len(self), dtype=np.int64)
            codes[present] = inner
        else:
            used, codes = _kernels.impl.encode(self.codes)
        labels = used if self.categories is None else self.categories[used]
        return Column(codes, labels, self.missing)


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return a 1-D object array of the values (tuples stay whole)."""
    return np.fromiter(values, dtype=object, count=len(values))


def kind_of(kind: type) -> str:
    """Return the group a label's type belongs to; labels of two groups do not mix."""
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
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


def read_column(values: Any, what: str) -> Column:
    """Turn one column in any accepted form into codes.

    Parameters
    ----------
    values : array-like
        1-D NumPy array of any dtype, masked array, list or other sequence, range, pandas,
        polars or pyarrow column, or anything with ``__array__`` or ``__dlpack__``.
    what : str
        How messages call it, e.g. "reference".

    Raises
    ------
    TypeError
        The object is no column of labels, or mixes types that do not compare.
    ValueError
        The array is not 1-D.
    """
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(
            f"{what} is a {type(values).__name__}, not a column of labels; "
            "pass one label per item (list(...) makes one of each character)"
        )
    if isinstance(values, (Mapping, AbstractSet)):
        raise TypeError(
            f"{what} is a {type(values).__name__}, which has no item order; pass an array "
            "or a list with one entry per item"
        )
    library = type(values).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(values, what)
    if library == "polars":
        return _from_polars(values, what)
    if library == "pyarrow":
        return _from_arrow(values, what)
    if isinstance(values, np.ma.MaskedArray):
        column = _from_numpy(np.asarray(values.data), what)
        return _with_missing(column, np.ma.getmaskarray(values))
    if isinstance(values, np.ndarray):
        return _from_numpy(values, what)
    if isinstance(values, (list, tuple)):
        return _from_objects(values, what)
    if isinstance(values, range):
        return _from_numpy(np.arange(values.start, values.stop, values.step), what)
    if hasattr(values, "__array__"):
        return _from_numpy(np.asarray(values), what)
    if hasattr(values, "__dlpack__"):
        return _from_numpy(np.from_dlpack(values), what)
    if isinstance(values, Iterable):
        return _from_objects(list(values), what)
    raise TypeError(
        f"{what} is a {type(values).__name__}, not a column of labels; pass an array or a "
        "list with one label per item"
    )


def _with_missing(column: Column, mask: BoolArray) -> Column:
    if not mask.any():
        return column
    if column.missing is not None:
        mask = mask | column.missing
    return Column(column.codes, column.categories, mask)


def _from_numpy(values: NDArray[Any], what: str) -> Column:
    if values.ndim != 1:
        hint = (
            "pass one label per item; Clustering.from_membership takes one-hot rows"
            if values.ndim == 2
            else "pass one label per item; ravel() flattens an array in C order"
        )
        raise ValueError(f"{what} must be 1-D, got shape {values.shape}: {hint}")
    kind = values.dtype.kind
    if kind in "iu":
        native = values.dtype.newbyteorder("=")
        return Column(np.ascontiguousarray(values, dtype=native))
    if kind == "b":
        codes = np.ascontiguousarray(values).view(np.uint8)
        return Column(codes, np.array([False, True]))
    if kind in "fc":
        return _by_sorting(values + values.dtype.type(0), np.isnan(values))
    if kind in "mM":
        native = values.dtype.newbyteorder("=")
        ticks = np.ascontiguousarray(values, dtype=native).view(np.int64)
        missing = np.isnat(values)
        column = _with_missing(Column(ticks), missing).compact()
        assert column.categories is not None
        return Column(column.codes, column.categories.view(native), column.missing)
    if kind in "USTO":
        return _from_objects(values.tolist(), what)
    raise TypeError(
        f"{what} has dtype {values.dtype}, which is not a label type; pass one field"
    )


def _by_sorting(values: NDArray[Any], missing: BoolArray) -> Column:
    """Codes for dtypes with an order but no integer form. -0.0 has become 0.0 before."""
    if not missing.any():
        categories, codes = np.unique(values, return_inverse=True)
        return Column(codes.astype(np.int64, copy=False), categories)
    present = ~missing
    categories, inner = np.unique(values[present], return_inverse=True)
    codes = np.zeros(len(values), dtype=np.int64)
    codes[present] = inner
    return Column(codes, categories, missing)


# ---- lists and objects -------------------------------------------------------------


def _from_objects(values: Sequence[Any], what: str) -> Column:
    types = set(map(type, values))
    missing_types = {kind for kind in types if kind.__name__ in _MISSING_TYPES}
    groups = {kind_of(kind) for kind in types - missing_types}
    if groups == {"float"} or groups == {"integer", "float"} or not groups:
        fast = _numbers_as_array(values, groups)
        if fast is not None:
            return _from_numpy(fast, what)
        groups.discard("integer")
    elif groups == {"integer"} and not missing_types:
        fast = _numbers_as_array(values, groups)
        if fast is not None:
            return _from_numpy(fast, what)
    if len(groups) > 1:
        _reject_mixed(values, what)
    return _by_hashing(values, what)


def _numbers_as_array(values: Sequence[Any], groups: set[str]) -> NDArray[Any] | None:
    """Return numbers as an array where no digit is lost, else None."""
    if "float" not in groups:
        for dtype in (np.int64, np.uint64):
            try:
                return np.array(values, dtype=dtype)
            except (OverflowError, TypeError, ValueError):
                continue
        return None
    if any(type(x) not in (float, int) for x in values):
        return None
    if "integer" in groups:
        limit = 1 << 53
        if any(type(x) is int and not -limit <= x <= limit for x in values):
            return None
    return np.array(values, dtype=np.float64)


def _reject_mixed(values: Sequence[Any], what: str) -> None:
    first: dict[str, tuple[int, Any]] = {}
    for place, value in enumerate(values):
        if type(value).__name__ not in _MISSING_TYPES:
            first.setdefault(kind_of(type(value)), (place, value))
    found = "; ".join(
        f"{value!r} ({type(value).__name__}) at index {place}"
        for place, value in first.values()
    )
    # nested sequences are the usual cause: say so
    raise TypeError(
        f"{what} mixes labels of different types: {found}; convert them to one type"
    )


def _by_hashing(values: Sequence[Any], what: str) -> Column:
    number: dict[Any, int] = {}
    try:
        found = (number.setdefault(value, len(number)) for value in values)
        codes = np.fromiter(found, dtype=np.int64, count=len(values))
    except TypeError:
        for place, value in enumerate(values):
            try:
                hash(value)
            except TypeError:
                raise TypeError(
                    f"{what} has a {type(value).__name__} at index {place}, which cannot "
                    "be a label; a clustering given as clusters is a list of sets of items "
                    "or Clustering.from_clusters(...)"
                ) from None
        raise
    labels = list(number)
    gone = [_is_missing(label) for label in labels]
    missing = None
    if any(gone):
        missing = np.array(gone)[codes]
        kept = [place for place, lost in enumerate(gone) if not lost]
        renumber = np.zeros(len(labels), dtype=np.int64)
        renumber[kept] = np.arange(len(kept))
        codes = renumber[codes]
        labels = [labels[place] for place in kept]
    return sort_categories(codes, object_array(labels), missing)


def _is_missing(label: Any) -> bool:
    if type(label).__name__ in _MISSING_TYPES:
        return True
    if isinstance(label, (float, complex, np.number, np.datetime64, np.timedelta64, Decimal)):
        return bool(label != label)
    return False


def _has_order(label: Any) -> bool:
    if isinstance(label, tuple):
        return all(map(_has_order, label))
    return isinstance(label, (*_ORDERED, np.generic))


def sort_categories(
    codes: NDArray[Any], categories: NDArray[Any], missing: BoolArray | None
) -> Column:
    """Put object categories in ascending order where their types have one."""
    labels = categories.tolist()
    if not all(map(_has_order, labels)):
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


def _from_dictionary(codes: NDArray[Any], labels: Any, missing: BoolArray) -> Column:
    """Codes into a dictionary whose entries may repeat, be missing or be out of order."""
    inner = read_column(labels, "categories")
    if len(inner) == 0:
        return Column(np.zeros(len(codes), dtype=np.int64), object_array([]), missing)
    places = inner.compact()
    if missing.any():
        codes = np.where(missing, 0, codes)
    if places.missing is not None:
        missing = missing | places.missing[codes]
    identity = np.array_equal(places.codes, np.arange(len(places)))
    column = Column(
        np.ascontiguousarray(codes) if identity else places.codes[codes],
        places.categories,
    )
    return _with_missing(column, missing)


# ---- columns of data frames --------------------------------------------------------


def _from_pandas(values: Any, what: str) -> Column:
    if getattr(values, "ndim", 1) != 1:
        raise ValueError(
            f"{what} is a {type(values).__name__} of shape {values.shape}; pass one column"
        )
    array = getattr(values, "array", values)
    missing = np.asarray(values.isna(), dtype=bool)
    dtype = array.dtype
    if hasattr(array, "categories") and hasattr(array, "codes"):
        return _from_dictionary(np.asarray(array.codes), array.categories, missing)
    if isinstance(dtype, np.dtype):
        return _from_numpy(np.asarray(array), what)
    if dtype.kind in "iub" and type(dtype).__module__.startswith("pandas.core.arrays"):
        filled = values.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        return _with_missing(_from_numpy(filled, what), missing)
    codes, uniques = array.factorize(use_na_sentinel=True)
    labels = list(uniques)
    return _from_dictionary(np.asarray(codes), labels, missing)


def _from_polars(values: Any, what: str) -> Column:
    if not hasattr(values, "to_physical"):
        raise TypeError(f"{what} is a polars {type(values).__name__}; pass one column")
    missing = np.asarray(values.is_null().to_numpy(), dtype=bool)
    dtype = values.dtype
    if dtype.is_integer() or dtype.is_float():
        return _with_missing(
            _from_numpy(values.fill_null(strategy="zero").to_numpy(), what), missing
        )
    if dtype.is_temporal() or str(dtype).startswith(("Categorical", "Enum")):
        physical = values.to_physical()
        distinct = values.drop_nulls().unique()
        codes = physical.fill_null(strategy="zero").to_numpy()
        known = distinct.to_physical().to_numpy()
        order = np.argsort(known, kind="stable")
        places = np.minimum(np.searchsorted(known[order], codes), max(len(known) - 1, 0))
        labels = distinct.to_list()
        return _from_dictionary(places, [labels[place] for place in order], missing)
    return _from_objects(values.to_list(), what)


def _from_arrow(values: Any, what: str) -> Column:
    if not hasattr(values, "type") or not hasattr(values, "null_count"):
        raise TypeError(f"{what} is a pyarrow {type(values).__name__}; pass one column")
    import pyarrow as arrow

    if isinstance(values, arrow.ChunkedArray):
        if arrow.types.is_dictionary(values.type):
            values = values.unify_dictionaries()
        chunks = values.combine_chunks()
        values = chunks if isinstance(chunks, arrow.Array) else values.chunk(0)
    missing = np.asarray(values.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    kind = values.type
    if arrow.types.is_null(kind):
        return Column(np.zeros(len(values), dtype=np.int64), object_array([]), missing)
    if arrow.types.is_integer(kind) or arrow.types.is_floating(kind):
        filled = values.fill_null(0).to_numpy(zero_copy_only=False)
        return _with_missing(_from_numpy(filled, what), missing)
    if not arrow.types.is_dictionary(kind):
        values = values.dictionary_encode()
    codes = values.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return _from_dictionary(codes, values.dictionary.to_pylist(), missing)
