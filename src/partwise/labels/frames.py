"""Columns of pandas, polars and pyarrow, read without importing them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import run_all, worth_numbering
from partwise.labels.columns import (
    Column,
    DeferredColumn,
    Names,
    kind_of,
    object_array,
    refuse_uncomputed,
    with_article,
)
from partwise.labels.forms import FEW_NAMES, from_numpy, from_objects, read_column, reject_mixed
from partwise.labels.items.times import with_zone
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.numbers.arrow import has_zone, nulls_in, numbers_of

_WORTH_ARROW = 1 << 20
_MOST_SMALL = (1 << 31) - 1
_ONE_COLUMN = "pass one column; the soft_* functions take memberships"


def from_dictionary(codes: NDArray[Any], labels: Any, missing: BoolArray, what: str) -> Column:
    """Codes into a dictionary whose entries may repeat, be missing, unused or out of order."""
    if missing.any():
        codes = np.where(missing, 0, codes)
    if len(labels) == 0:
        return Column(np.zeros(len(codes), dtype=np.int64), object_array([]), missing)
    _check_codes(codes, len(labels), what)
    try:
        inner = read_column(labels, what)
    except TypeError:  # perhaps only because of categories that do not occur
        used, codes = _kernels.impl.encode(np.where(missing, -1, codes).astype(np.int64))
        if missing.any():
            used, codes = used[1:], np.maximum(codes - 1, 0)
        occurring = [labels[code] for code in used.tolist()]
        try:
            inner = read_column(occurring, what)
        except TypeError:  # say where the items stand, not the categories
            present = np.flatnonzero(~missing)
            firsts = present[np.sort(np.unique(codes[present], return_index=True)[1])]
            indexed = [(i, occurring[codes[i]]) for i in firsts.tolist()]
            if len({kind_of(type(value)) for _, value in indexed}) > 1:
                reject_mixed(indexed, what)
            raise
    entries = inner.compact()
    if entries.missing is not None:
        missing = missing | entries.missing[codes]
    codes = np.ascontiguousarray(codes)
    assert entries.categories is not None
    if np.array_equal(entries.codes, np.arange(len(entries))):
        return Column(codes, entries.categories).with_missing(missing)
    ranks = entries.codes.astype(np.int32)
    if len(entries.categories) == len(ranks):  # no entry comes again
        return DeferredColumn(codes, entries.categories, ranks=ranks).with_missing(missing)
    renumbered, _ = _kernels.impl.recode(codes, ranks)
    return Column(renumbered, entries.categories).with_missing(missing)


def _check_codes(codes: NDArray[Any], n_labels: int, what: str) -> None:
    """Refuse codes outside their dictionary: libraries take them unchecked when told to."""
    if len(codes) == 0 or (int(codes.min()) >= 0 and int(codes.max()) < n_labels):
        return
    wrong = np.flatnonzero((codes < 0) | (codes >= n_labels))
    raise ValueError(
        f"{what} has the code {codes[wrong[0]]} at index {wrong[0]}, but its dictionary has "
        f"{n_labels} labels, numbered from 0 ({len(wrong)} such codes)"
    )


def _check_offsets(offsets: NDArray[Any], n_bytes: int, what: str) -> None:
    """Refuse offsets that fall or leave the text: pyarrow builds arrays of any."""
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if len(falls) == 0 and offsets[0] >= 0 and offsets[-1] <= n_bytes:
        return
    at = int(falls[0]) if len(falls) else int(np.flatnonzero(_outside(offsets, n_bytes))[0])
    at = min(at, len(offsets) - 2)
    raise ValueError(
        f"{what} is a pyarrow column whose text at index {at} does not lie in its {n_bytes} "
        "bytes: the array was built of offsets that are wrong"
    )


def _outside(offsets: NDArray[Any], n_bytes: int) -> BoolArray:
    outside: BoolArray = (offsets < 0) | (offsets > n_bytes)
    return outside


def _from_pandas(values: Any, what: str) -> Column:
    if getattr(values, "ndim", 1) != 1 and hasattr(values, "shape"):
        raise ValueError(
            f"{what} is a {type(values).__name__} of shape {values.shape}; {_ONE_COLUMN}"
        )
    if not hasattr(values, "isna") or not hasattr(values, "dtype"):
        raise TypeError(f"{what} is a pandas {type(values).__name__}; {_ONE_COLUMN}")
    if hasattr(values, "levels"):  # a MultiIndex: its rows are tuples
        return from_objects(values.tolist(), what)
    array = getattr(values, "array", values)
    dtype = values.dtype
    if isinstance(dtype, np.dtype):
        return from_numpy(np.asarray(values), what)
    missing = np.asarray(values.isna(), dtype=bool)
    if hasattr(array, "categories"):
        return from_dictionary(np.asarray(array.codes), array.categories, missing, what)
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "") == "pyarrow":
        import pyarrow

        return _from_arrow(pyarrow.array(array), what)
    if getattr(dtype, "storage", "") == "python":
        return from_numpy(array.to_numpy(dtype=object, na_value=None), what)
    if dtype.kind in "iub" and hasattr(dtype, "numpy_dtype"):
        filled = getattr(array, "_data", None)  # what is below the missing ones has no meaning
        if not isinstance(filled, np.ndarray) or filled.dtype != dtype.numpy_dtype:
            filled = values.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        return from_numpy(filled, what).with_missing(missing)
    if getattr(dtype, "tz", None) is not None:
        array = array.tz_convert("UTC")
    codes, uniques = array.factorize(use_na_sentinel=True)
    return from_dictionary(np.asarray(codes), list(uniques), missing, what)


def _from_polars(values: Any, what: str) -> Column:
    kind = type(values).__name__
    refuse_uncomputed(values, what)
    if not hasattr(values, "to_physical") or not hasattr(values, "dtype"):
        raise TypeError(f"{what} is a polars {kind}; {_ONE_COLUMN}")
    dtype = values.dtype
    name = str(dtype)
    if name == "String" and _has_arrow(len(values)):
        return _from_arrow(values.to_arrow(), what)
    plain_numbers = (dtype.is_integer() and "128" not in name) or dtype.is_float()
    if plain_numbers and values.null_count() == 0:
        return from_numpy(values.to_numpy(), what)
    if plain_numbers and _has_arrow(len(values)):
        return _from_arrow(values.to_arrow(), what)
    missing = None
    if values.null_count():
        missing = np.asarray(values.is_null().to_numpy(), dtype=bool)
    if name.startswith("Time"):  # of the day: as time since midnight
        ticks = values.to_physical().fill_null(strategy="zero").to_numpy()
        return from_numpy(ticks.view("m8[ns]"), what).with_missing(missing)
    if dtype.is_temporal():
        times = from_numpy(values.to_numpy(), what).with_missing(missing)
        return _with_zone(times, what) if getattr(dtype, "time_zone", None) else times
    if plain_numbers:
        filled = values.fill_null(strategy="zero").to_numpy()
        return from_numpy(filled, what).with_missing(missing)
    if name.startswith(("Categorical", "Enum")):
        return _of_categories(values, missing, what)
    return from_objects(values.to_list(), what)


def _of_categories(values: Any, missing: BoolArray | None, what: str) -> Column:
    """Return a column of polars with categories: its codes, and what each stands for."""
    if len(values) == values.null_count():
        return Column(np.zeros(len(values), dtype=np.int64), object_array([]), missing)
    physical = values.to_physical()
    if values.null_count():
        physical = physical.fill_null(physical.min())
    codes = physical.to_numpy()
    least, largest = 0, int(codes.max())
    if largest > len(codes) + FEW_NAMES:  # codes of a pool that other columns share
        least = int(codes.min())
    if largest - least > len(codes) + FEW_NAMES:
        used, codes = _kernels.impl.encode(codes)
        codes, n_codes = codes.astype(np.int32), len(used)
    else:
        n_codes = largest - least + 1
        codes = codes - codes.dtype.type(least) if least else codes
    first, _ = _kernels.impl.first_places(codes, n_codes)
    if missing is not None:  # the first of what was filled in may be no label
        lost = np.flatnonzero(missing[first] & (first >= 0))
        for code in lost.tolist():
            first[code] = int(np.flatnonzero((codes == code) & ~missing)[0])
    occurring = np.flatnonzero(first >= 0)
    labels = values[first[occurring].tolist()].to_list()
    order = sorted(range(len(labels)), key=labels.__getitem__)
    ranks = np.zeros(n_codes, dtype=np.int32)
    ranks[occurring[order]] = np.arange(len(order))
    names = object_array([labels[i] for i in order])
    return DeferredColumn(codes, names, ranks=ranks).with_missing(missing)


def _has_arrow(n: int) -> bool:
    """Return whether pyarrow is loaded, or there and worth the time that loading it takes."""
    if "pyarrow" in sys.modules:
        return True
    return n >= _WORTH_ARROW and importlib.util.find_spec("pyarrow") is not None


def _from_arrow(values: Any, what: str) -> Column:
    if not hasattr(values, "type") or not hasattr(values, "null_count"):
        raise TypeError(f"{what} is a pyarrow {type(values).__name__}; {_ONE_COLUMN}")
    import pyarrow as arrow

    if isinstance(values, arrow.ChunkedArray):
        if arrow.types.is_dictionary(values.type):
            values = _of_one_dictionary(values, arrow)
        values = _in_one(values, arrow)
    if getattr(arrow.types, "is_run_end_encoded", lambda _: False)(values.type):
        import pyarrow.compute

        values = pyarrow.compute.run_end_decode(values)
    kind = values.type
    plain_numbers = arrow.types.is_integer(kind) or arrow.types.is_floating(kind)
    if plain_numbers and values.null_count == 0:
        return from_numpy(numbers_of(values), what)
    if arrow.types.is_null(kind):
        missing = np.ones(len(values), dtype=bool)
        return Column(np.zeros(len(values), dtype=np.int64), object_array([]), missing)
    missing = nulls_in(values)
    if arrow.types.is_integer(kind):  # what is below the missing ones has no meaning
        end = values.offset + len(values)
        dtype = kind.to_pandas_dtype()
        numbers = np.frombuffer(values.buffers()[1], dtype=dtype, count=end)[values.offset :]
        return from_numpy(numbers, what).with_missing(missing)
    if arrow.types.is_time(kind):  # of the day: as time since midnight
        bits = arrow.int32() if kind.bit_width == 32 else arrow.int64()
        ticks = values.cast(bits).fill_null(0).to_numpy(zero_copy_only=False)
        since = ticks.astype(np.int64).view(f"m8[{kind.unit}]")
        return from_numpy(since, what).with_missing(missing)
    if arrow.types.is_temporal(kind):
        array = values.to_numpy(zero_copy_only=False)
        times = from_numpy(array, what).with_missing(missing)
        return _with_zone(times, what) if has_zone(kind) else times
    if plain_numbers:
        return from_numpy(numbers_of(values), what).with_missing(missing)
    values = _as_text(values, arrow)
    kind = values.type
    if any(is_kind(kind) for is_kind in _text(arrow)):
        return _from_spans(values, missing, arrow, what)
    try:
        if not arrow.types.is_dictionary(kind):
            values = values.dictionary_encode()
        codes = numbers_of(values.indices)
        if any(is_kind(values.dictionary.type) for is_kind in _text(arrow)):
            refuse_no_utf8(values.dictionary, f"{what}, among its categories")
        labels = values.dictionary
        if not arrow.types.is_temporal(labels.type):
            labels = labels.to_pylist()
    except (arrow.ArrowException, AttributeError):
        raise TypeError(f"{what} is a pyarrow column of {kind}; labels must be plain") from None
    return from_dictionary(codes, labels, missing, what)


def _with_zone(times: Column, what: str) -> Column:
    """Return a column of instants, which NumPy holds without a zone, as times in UTC."""
    column = times.compact()
    assert column.categories is not None
    labels = object_array(with_zone(column.categories, what))
    return Column(column.codes, labels, column.missing)


def from_capsule(values: Any, what: str) -> Column:
    """Return a column of any library that exchanges it by the Arrow C interfaces."""
    try:
        import pyarrow as arrow
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{what} is {with_article(values)}; reading it through the Arrow interface needs "
            "pyarrow: pip install pyarrow",
            name="pyarrow",
        ) from error
    if hasattr(values, "__arrow_c_stream__"):
        column = arrow.chunked_array(values)
    else:
        column = arrow.array(values)
    if arrow.types.is_struct(column.type):  # a frame
        if column.type.num_fields != 1:
            names = ", ".join(field.name for field in column.type)
            raise TypeError(
                f"{what} is {with_article(values)} with the columns {names}; {_ONE_COLUMN}"
            )
        column = _in_one(column, arrow) if isinstance(column, arrow.ChunkedArray) else column
        column = column.field(0)
    return _from_arrow(column, what)


def _of_one_dictionary(values: Any, arrow: Any) -> Any:
    """Return chunks with a dictionary each as chunks with one, or as what the codes stand for.

    pyarrow unites no dictionaries with a null among their entries.
    """
    if any(chunk.dictionary.null_count for chunk in values.chunks):
        return values.cast(values.type.value_type)
    return values.unify_dictionaries()


def _in_one(values: Any, arrow: Any) -> Any:
    """Return chunks as one array."""
    large = {arrow.string(): arrow.large_string(), arrow.binary(): arrow.large_binary()}
    if values.type in large and values.nbytes > _MOST_SMALL:  # too long for 32-bit offsets
        values = values.cast(large[values.type])
    chunks = values.combine_chunks()
    return chunks if isinstance(chunks, arrow.Array) else arrow.concat_arrays(chunks.chunks)


def _text(arrow: Any) -> tuple[Callable[[Any], bool], ...]:
    kinds = arrow.types
    return kinds.is_string, kinds.is_large_string, kinds.is_binary, kinds.is_large_binary


def _views(arrow: Any) -> list[Callable[[Any], bool]]:
    names = ("is_string_view", "is_binary_view")  # since pyarrow 16
    return [getattr(arrow.types, name) for name in names if hasattr(arrow.types, name)]


def text_array(values: Any) -> Any:
    """Return text or bytes of pandas, polars or pyarrow as one array of pyarrow, else None."""
    library = type(values).__module__.partition(".")[0]
    if library == "pandas":
        if getattr(values, "ndim", None) != 1 or not hasattr(values, "dtype"):
            return None
        dtype = values.dtype
        if not hasattr(dtype, "pyarrow_dtype") and getattr(dtype, "storage", "") != "pyarrow":
            return None
        import pyarrow

        values = pyarrow.array(getattr(values, "array", values))
    elif library == "polars":
        name = str(getattr(values, "dtype", ""))
        if name not in ("String", "Binary") or not _has_arrow(len(values)):
            return None
        values = values.to_arrow()
    if not hasattr(values, "type") or not hasattr(values, "null_count"):
        return None
    import pyarrow as arrow

    values = _as_text(values, arrow)
    if any(is_kind(values.type) for is_kind in _text(arrow)):
        return _in_one(values, arrow) if isinstance(values, arrow.ChunkedArray) else values
    return None


def _as_text(values: Any, arrow: Any) -> Any:
    """Return views of text or bytes as text or bytes, anything else as it is."""
    if not any(is_kind(values.type) for is_kind in _views(arrow)):
        return values
    binary = "binary" in str(values.type)
    return values.cast(arrow.large_binary() if binary else arrow.large_string())


def spans_of(values: Any, what: str) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Return the bytes of text or bytes of pyarrow, and where each entry begins and ends."""
    import pyarrow as arrow

    large = values.type in (arrow.large_string(), arrow.large_binary())
    _, ends, data = values.buffers()
    width = np.int64 if large else np.int32
    if len(values) == 0 or ends is None:
        offsets = np.zeros(len(values) + 1, dtype=width)
    else:
        offsets = np.frombuffer(ends, dtype=width)[values.offset :][: len(values) + 1].copy()
    content = np.frombuffer(b"" if data is None else data, dtype=np.uint8)
    _check_offsets(offsets, len(content), what)
    return content, offsets


def refuse_no_utf8(texts: Any, what: str, places: IntArray | None = None) -> None:
    """Refuse text of pyarrow that is no UTF-8, which pyarrow checks in no constructor.

    Parameters
    ----------
    texts : pyarrow.Array of text or bytes
    what : str
    places : ndarray of int64, optional
        Where each text stands in what was given; without it, they are what was given.
    """
    import pyarrow as arrow

    try:
        texts.validate(full=True)
    except arrow.ArrowInvalid:
        content, offsets = spans_of(texts, what)
        for i, (start, stop) in enumerate(pairwise(offsets.tolist())):
            text = content[start:stop].tobytes()
            try:
                text.decode("utf-8")
            except UnicodeDecodeError as error:
                place = i if places is None else int(places[i])
                raise ValueError(
                    f"{what}: the text at index {place} is no UTF-8 ({text[:40]!r}); decode it "
                    "by its own encoding, or pass it as bytes"
                ) from error
        raise


def _from_spans(values: Any, missing: BoolArray, arrow: Any, what: str) -> Column:
    """Codes of text or bytes from the buffers that hold them."""
    content, offsets = spans_of(values, what)
    skipped = missing.view(np.uint8) if missing.any() else None
    codes, firsts = _kernels.impl.number_spans(
        content, offsets, skipped, worth_numbering(len(values))
    )
    distinct = _taken(values, firsts, arrow)
    refuse_no_utf8(distinct, what, firsts)
    return Column(codes, Names(distinct)).with_missing(missing)


def _taken(values: Any, places: IntArray, arrow: Any) -> Any:
    """Return the text at some places as an array of its own; threads share what is long."""
    parts = worth_numbering(len(places))
    if parts == 1:
        return values.take(arrow.array(places))
    ends = np.linspace(0, len(places), parts + 1).astype(np.int64).tolist()
    taken: list[Any] = [None] * parts
    failed: list[Exception] = []

    def take(part: int) -> None:
        try:
            taken[part] = values.take(arrow.array(places[ends[part] : ends[part + 1]]))
        except Exception as error:
            failed.append(error)

    run_all(take, parts)
    if failed:
        raise failed[0]
    return arrow.concat_arrays(taken)


READERS: dict[str, Callable[[Any, str], Column]] = {
    "pandas": _from_pandas,
    "polars": _from_polars,
    "pyarrow": _from_arrow,
}
