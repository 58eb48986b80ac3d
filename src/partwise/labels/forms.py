"""Every form in which people hold a column, read into codes."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import BLOCK
from partwise._kernels.workers import worth_numbering, worth_sharing
from partwise.labels.columns import (
    Column,
    Names,
    kind_of,
    object_array,
    one_column,
    sort_categories,
    with_article,
)
from partwise.labels.items.times import NUMPY_TIMES, in_one_unit, in_utc
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.numbers.masked import is_masked_array

_MISSING_TYPES = ("NoneType", "NAType", "NaTType", "MaskedConstant")
#: Labels that hold others.
_HOLDERS = (tuple, frozenset)
#: Types of what may be no number, or no time.
_WITH_NAN = (float, complex, np.generic, Decimal)
#: Names of a range of codes may not all occur: so many more than items are always worth it.
FEW_NAMES = 1024
#: Devices of DLPack whose memory the host reads: CPU, and CUDA's and ROCm's pinned memory.
_HOST = (1, 3, 11)


def read_column(values: Any, what: str) -> Column:
    """Turn one column in any accepted form into codes.

    Parameters
    ----------
    values : array-like
        1-D NumPy array of any dtype, masked array, list or other sequence, range, pandas,
        polars or pyarrow column, or anything with ``__array__``, ``__dlpack__`` or the Arrow
        C interfaces.
    what : str
        How messages call it, e.g. "reference".

    Raises
    ------
    TypeError
        The object is no column of labels, or mixes types that do not compare.
    ValueError
        The array is not 1-D.
    """
    if isinstance(values, Column):  # read before, by a reader of files
        return values
    library = type(values).__module__.partition(".")[0]
    if library in ("pandas", "polars", "pyarrow"):
        return _of_library(library, values, what)
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(
            f"{what} is {with_article(values)}, not a column of labels; "
            "pass one label per item (list(...) makes one of each character)"
        )
    if isinstance(values, (Mapping, AbstractSet)):
        raise TypeError(
            f"{what} is {with_article(values)}, which has no item order; pass an array "
            "or a list with one entry per item"
        )
    if hasattr(values, "tocsr"):
        raise TypeError(
            f"{what} is a sparse matrix, not a column of labels; pass one label per item; the "
            "soft_* functions take memberships"
        )
    if is_masked_array(values):
        return _from_masked(values, what)
    if isinstance(values, np.ndarray):
        return from_numpy(values, what)
    if isinstance(values, (list, tuple)):
        return from_objects(values, what)
    if isinstance(values, range):
        steps: NDArray[Any] = np.arange(values.start, values.stop, values.step)
        return from_numpy(steps, what)
    if hasattr(values, "__array__") or hasattr(values, "__dlpack__"):
        return from_numpy(as_array(values, what), what)
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        from partwise.labels import frames

        return frames.from_capsule(values, what)
    if isinstance(values, Iterable):
        return from_objects(list(values), what)
    raise TypeError(
        f"{what} is {with_article(values)}, not a column of labels; pass an array or a "
        "list with one label per item"
    )


def _of_library(library: str, values: Any, what: str) -> Column:
    """Return a column of pandas, polars or pyarrow."""
    from partwise.labels import frames

    return frames.READERS[library](values, what)


def as_array(values: Any, what: str) -> NDArray[Any]:
    """Return what NumPy can take over as an array, by ``__array__`` or by DLPack.

    Raises
    ------
    TypeError
        The values lie in the memory of another device, or must be detached first.
    """
    if type(values).__module__.partition(".")[0] == "torch":
        kind = values.device.type
        if kind != "cpu":
            raise TypeError(
                f"{what} is a tensor on the device {str(values.device)!r}; pass {what}.cpu()"
            )
    try:
        if hasattr(values, "__array__") or not hasattr(values, "__dlpack__"):
            return np.asarray(values)
        return np.from_dlpack(values)
    except (BufferError, RuntimeError, TypeError) as error:
        if not hasattr(values, "__dlpack_device__") or values.__dlpack_device__()[0] in _HOST:
            raise
        raise TypeError(
            f"{what} is {with_article(values)} on another device ({error}); copy it to the "
            "memory of the host first, for instance with .get() or jax.device_get"
        ) from None


# ---- arrays ------------------------------------------------------------------------


def _from_masked(values: Any, what: str) -> Column:
    mask = np.ma.getmaskarray(values)
    if values.dtype == object and values.ndim == 1:
        kept = np.array(values.data, dtype=object)
        kept[mask] = None
        return from_numpy(kept, what)
    plain: NDArray[Any] = np.asarray(values.data)
    return from_numpy(plain, what).with_missing(mask.ravel().copy())


def from_numpy(values: NDArray[Any], what: str) -> Column:
    """Return the column of an array of any dtype; (n, 1) and one field are one column, too."""
    values = one_column(values)
    if values.ndim != 1:
        hint = (
            "pass one label per item; ravel() flattens an image of labels in C order, "
            "Clustering.from_membership takes one-hot rows, the soft_* functions memberships"
            if values.ndim == 2
            else "pass one label per item; ravel() flattens an array in C order"
        )
        raise ValueError(f"{what} must be 1-D, got shape {values.shape}: {hint}")
    kind = values.dtype.kind
    if kind in "iu":
        native = values.dtype.newbyteorder("=")
        return Column(np.ascontiguousarray(np.asarray(values), dtype=native))
    if kind == "b":
        codes = (np.ascontiguousarray(values).view(np.uint8) != 0).view(np.uint8)
        return Column(codes, np.array([False, True]))
    if kind == "f" and values.dtype.itemsize <= 8:
        return _of_floats(values)
    if kind in "fc":
        with np.errstate(invalid="ignore"):  # a NaN that signals is a NaN
            own = values + values.dtype.type(0)
        return _by_sorting(own, np.isnan(own))
    if kind in "mM":
        if kind == "M" and np.datetime_data(values.dtype)[0] == "generic":
            _refuse_datetimes_without_a_unit(values, what)
        native = values.dtype.newbyteorder("=")
        ticks = np.ascontiguousarray(values, dtype=native).view(np.int64)
        column = Column(ticks).with_missing(np.isnat(values)).compact()
        assert column.categories is not None
        return Column(column.codes, column.categories.view(native), column.missing)
    if kind in "US" and values.dtype.itemsize and len(values):
        return _of_fixed_width(values, what)
    if kind == "O" and values.flags.c_contiguous:
        text = _text(values)
        if text is not None:
            return text
    if kind in "USTO":
        return from_objects(values.tolist(), what)
    raise TypeError(
        f"{what} has dtype {values.dtype}, which is not a label type; pass one field"
    )


def _refuse_datetimes_without_a_unit(values: NDArray[Any], what: str) -> None:
    """Refuse them unless all are missing: nothing tells what time they are, nor shows them."""
    held = np.flatnonzero(~np.isnat(values))
    if len(held):
        raise ValueError(
            f"{what} has dtype datetime64 without a unit, so index {held[0]} is no certain "
            'time; give it the unit that it counts, as in array.astype("datetime64[s]")'
        )


def _of_floats(values: NDArray[Any]) -> Column:
    """Codes of doubles or smaller floats; whole ones count from the least of them."""
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    with np.errstate(invalid="ignore"):  # a NaN that signals is a NaN
        doubles = np.ascontiguousarray(values, dtype=np.float64)
    missing = None
    least, largest, n_missing = (
        _kernels.impl.double_range(doubles) if len(doubles) else (0.0, 0.0, 0)
    )
    if n_missing:
        missing = np.isnan(doubles)
        if n_missing == len(doubles):
            return _by_sorting(values, missing)
    reach = min(len(doubles) + FEW_NAMES, 2.0**31 - 1)
    near = abs(least) <= 2.0**52 and least == np.rint(least) and largest <= least + reach
    if near:
        whole = _kernels.impl.whole_numbers(doubles, least)
        if whole is not None:
            names = np.arange(int(largest - least) + 1) + least + 0.0
            return Column(whole, names.astype(values.dtype), missing)
    if missing is not None:
        doubles = np.where(missing, least, doubles)
    bits, codes = _kernels.impl.encode(
        (doubles + 0.0).view(np.int64),  # -0.0 becomes 0.0
        worth_sharing(len(doubles)),
    )
    # Below zero, the bits of doubles ascend where the doubles descend.
    below = int(np.searchsorted(bits, 0))
    if below:
        bits[:below] = bits[:below][::-1].copy()
        for start in range(0, len(codes), BLOCK):
            block = codes[start : start + BLOCK]
            np.subtract(below - 1, block, out=block, where=block < below)
    return Column(codes, bits.view(np.float64).astype(values.dtype), missing)


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


def _of_fixed_width(values: NDArray[Any], what: str) -> Column:
    """Codes for text and bytes: equal bytes, as what is shorter is filled up with zeros."""
    native = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    codes, firsts = _kernels.impl.number_fixed(native, worth_numbering(len(native)))
    distinct = native[firsts]
    if distinct.dtype.kind == "U":
        _refuse_beyond_unicode(distinct, firsts, what)
    return Column(codes, Names(distinct))


def _refuse_beyond_unicode(distinct: NDArray[Any], firsts: IntArray, what: str) -> None:
    """Refuse what an array can hold as text, as in a damaged file, and Python cannot."""
    points = distinct.view(np.uint32).reshape(len(distinct), -1)
    wrong = np.argwhere(points > sys.maxunicode)
    if len(wrong):
        label, place = wrong[0].tolist()
        raise ValueError(
            f"{what}: the text at index {int(firsts[label])} holds the number "
            f"{points[label, place]:#x} for a character; Unicode ends at {sys.maxunicode:#x}, "
            "so the data are damaged"
        )


def shape_of_volumes(*values: Any) -> tuple[int, ...] | None:
    """Return the shape of arrays that are volumes or images of labels; None if they are not.

    They are arrays of integers or booleans with one shape of two dimensions or more. Rows with
    one 1 each are memberships, one column is a column.
    """
    first = values[0] if values else None
    if not all(isinstance(one, np.ndarray) for one in values) or first is None:
        return None
    shape: tuple[int, ...] = first.shape
    if len(shape) < 2 or shape[1:] == (1,):
        return None
    if any(one.shape != shape or one.dtype.kind not in "iub" for one in values):
        return None
    masked = any(is_masked_array(one) for one in values)
    if len(shape) == 2 and not masked and any(_is_one_hot(one) for one in values):
        return None
    return shape


def _is_one_hot(rows: NDArray[Any]) -> bool:
    """Return whether each row has one 1 and otherwise 0."""
    few = rows[:1]  # most arrays are told by their first row
    for part in (few, rows):
        if ((part != 0) & (part != 1)).any() or (part.sum(axis=1) != 1).any():
            return False
    return len(rows) > 0


# ---- lists and objects -------------------------------------------------------------


def from_objects(values: Sequence[Any], what: str) -> Column:
    """Return the column of Python values."""
    values = values if type(values) is list else list(values)
    if values and type(values[0]) is int:
        integers = _kernels.impl.integers_of(values)
        if integers is not None:
            return Column(integers)
    text = _text(values)
    if text is not None:
        return text
    types = _kernels.impl.types_of(values)
    if any(kind.__name__ == "MaskedConstant" for kind in types):  # cannot be hashed
        values = [None if value is np.ma.masked else value for value in values]
        types = _kernels.impl.types_of(values)
    if any(issubclass(kind, np.generic) or _is_foreign(kind) for kind in types):
        values = [_plain(value) for value in values]
        types = _kernels.impl.types_of(values)
    if any(issubclass(kind, datetime) for kind in types):
        times = _of_types(values, (datetime,))
        if any(map(operator.attrgetter("tzinfo"), times)):
            values = [in_utc(value) for value in values]
    label_types = {kind for kind in types if kind.__name__ not in _MISSING_TYPES}
    if len(label_types) == 1 and label_types <= {*NUMPY_TIMES}:
        return _from_times(values, what)
    groups = {kind_of(kind) for kind in label_types}
    if groups <= {"integer", "float"} and len(label_types) == len(types):
        fast = _numbers_as_array(values, label_types)
        if fast is not None:
            return from_numpy(fast, what)
    if label_types == {int}:
        return _by_hashing(values, what, _number_long_integers)
    if groups == {"integer", "float"}:
        groups = {"float"}
    if len(groups) > 1 and "float" in groups and _floats_are_missing(values):
        groups.discard("float")
    if len(groups) > 1:
        reject_mixed(enumerate(values), what)
    return _by_hashing(values, what)


def _number_long_integers(values: list[Any]) -> tuple[IntArray, list[Any]]:
    """Do as ``number_values`` for integers of any length, and what is missing.

    Python hashes an integer by its remainder, so that anybody can choose some that collide;
    its hash of text has a seed.
    """
    digits = [hex(value) if type(value) is int else value for value in values]
    codes, distinct = _kernels.impl.number_values(digits)
    return codes, [int(label, 16) if type(label) is str else label for label in distinct]


def _text(values: list[Any] | NDArray[Any]) -> Column | None:
    """Return the column of values that are all text, or all bytes, or missing; else None."""
    numbered = _kernels.impl.number_text(values, worth_numbering(len(values)))
    if numbered is None:
        return None
    return Column(*numbered)


def without_numpy(value: Any) -> Any:
    """Return a scalar of NumPy as Python's own; times stay as they are."""
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        return value.item()
    return value


def _is_foreign(kind: type) -> bool:
    """Return whether a type is that of scalars of pyarrow; its nulls are such scalars, too."""
    return kind.__module__ == "pyarrow.lib" and hasattr(kind, "as_py")


def _plain(value: Any) -> Any:
    """Return a scalar of NumPy or pyarrow as Python's own, None for null and for no time."""
    if isinstance(value, NUMPY_TIMES) and np.isnat(value):
        return None
    return value.as_py() if _is_foreign(type(value)) else without_numpy(value)


def _from_times(values: list[Any], what: str) -> Column:
    """Return the column of times of NumPy, and what is missing among them, as of an array."""
    by_dtype: dict[np.dtype[Any], list[Any]] = {}
    for time in (value for value in values if isinstance(value, NUMPY_TIMES)):
        by_dtype.setdefault(time.dtype, []).append(time)
    arrays = [np.array(times, dtype=dtype) for dtype, times in by_dtype.items()]
    converted = in_one_unit(arrays)
    if converted is None:
        units = " and ".join(map(str, by_dtype))
        raise ValueError(
            f"{what} has times in {units}, which no common unit holds; convert them to one unit"
        )
    unit = converted[0].dtype
    gone = np.array("NaT", dtype=unit)[()]
    times = [value if isinstance(value, NUMPY_TIMES) else gone for value in values]
    if len(by_dtype) > 1:
        times = [time.astype(unit) for time in times]
    return from_numpy(np.array(times, dtype=unit), what)


def _floats_are_missing(values: Sequence[Any]) -> bool:
    """Return whether every float among the values is a NaN, so that none is a label."""
    return all(x != x for x in values if isinstance(x, float))


def _numbers_as_array(values: Sequence[Any], types: set[type]) -> NDArray[Any] | None:
    """Return numbers as an array where no digit is lost, else None."""
    if types <= {int}:
        for dtype in (np.int64, np.uint64):
            try:
                return np.array(values, dtype=dtype)
            except OverflowError:
                continue
        return None
    if not types <= {int, float}:
        return None
    limit = 1 << 53
    if any(type(x) is int and not -limit <= x <= limit for x in values):
        return None
    return np.array(values, dtype=np.float64)


def reject_mixed(indexed: Iterable[tuple[int, Any]], what: str) -> None:
    """Raise an error that shows a label of each type, with its index."""
    first: dict[str, tuple[int, Any]] = {}
    for index, value in indexed:
        if not is_missing(value):
            first.setdefault(kind_of(type(value)), (index, value))
    shown = "; ".join(
        f"{_short(value)} ({type(value).__name__}) at index {index}"
        for index, value in first.values()
    )
    raise TypeError(
        f"{what} mixes {'ids' if what == 'items' else 'labels'} of different types: {shown}; "
        "convert them to one type"
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _by_hashing(
    values: list[Any],
    what: str,
    number: Callable[[list[Any]], tuple[IntArray, list[Any]]] | None = None,
) -> Column:
    try:
        codes, labels = (number or _kernels.impl.number_values)(values)
    except (TypeError, ValueError):
        for position, value in enumerate(values):
            try:
                hash(value)
            except (TypeError, ValueError):
                raise TypeError(
                    f"{what} has {with_article(value)} at index {position}, which cannot "
                    "be a label; a clustering given as clusters is a list of sets of items "
                    "or Clustering.from_clusters(...), rows of memberships go to the soft_* "
                    "functions"
                ) from None
        raise
    united = with_one_missing(labels)
    if united is not labels:
        numbers, labels = _kernels.impl.number_values(united)
        codes = numbers[codes]
    gone = [is_missing(label) for label in labels]
    missing = None
    if any(gone):
        missing = np.array(gone)[codes]
        kept = [position for position, lost in enumerate(gone) if not lost]
        renumber = np.zeros(len(labels), dtype=np.int64)
        renumber[kept] = np.arange(len(kept))
        codes = renumber[codes]
        labels = [labels[position] for position in kept]
    return sort_categories(codes, object_array(labels), missing)


def with_one_missing(labels: list[Any]) -> list[Any]:
    """Return labels with None for what is missing within tuples and frozensets.

    A NaN is equal to no other, and Python takes it for equal to itself, so that labels would
    depend on which objects the same values are. The list itself is returned where nothing is
    to be done.
    """
    held = _of_types(labels, _HOLDERS)
    if not _some_part_is_missing(held):
        return labels
    return [_with_one_missing(x) if isinstance(x, _HOLDERS) else x for x in labels]


def _of_types(values: list[Any], types: tuple[type, ...]) -> list[Any]:
    """Return the values of some types. O(n)."""
    found = _kernels.impl.types_of(values)
    wanted = {kind for kind in found if issubclass(kind, types)}
    if not wanted or wanted == found:
        return values if wanted else []
    return [value for value in values if type(value) in wanted]


def _some_part_is_missing(held: list[Any]) -> bool:
    """Return whether something may be missing, but for None, within tuples or frozensets."""
    if not held:
        return False
    parts = list(chain.from_iterable(held))
    types = _kernels.impl.types_of(parts)
    if any(x.__name__ in _MISSING_TYPES[1:] or _is_foreign(x) for x in types):
        return True
    numbers = _of_types(parts, _WITH_NAN)
    return any(map(operator.ne, numbers, numbers)) or _some_part_is_missing(
        _of_types(parts, _HOLDERS)
    )


def _with_one_missing(part: Any) -> Any:
    if not isinstance(part, _HOLDERS):
        plain = part.as_py() if _is_foreign(type(part)) else part
        return None if is_missing(plain) else plain
    parts = list(map(_with_one_missing, part))
    if all(map(operator.is_, parts, part)):
        return part
    return frozenset(parts) if isinstance(part, frozenset) else tuple(parts)


def is_missing(label: Any) -> bool:
    """Return whether a value stands for "no label": None, NA, NaT, NaN, masked."""
    if type(label).__name__ in _MISSING_TYPES:
        return True
    if isinstance(label, _WITH_NAN):
        return bool(label != label)
    return _is_foreign(type(label)) and not label.is_valid
