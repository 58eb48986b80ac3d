"""Columns of labels that are larger than memory, read piece by piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.columns import with_article
from partwise.labels.files.arrow_tables import files_of_folder
from partwise.labels.files.npy import DAMAGED, load_arrays, no_arrays
from partwise.labels.files.sources import Source, kind_of
from partwise.labels.indexes import RowIds, check_row_ids
from partwise.numbers.masked import is_masked_array
from partwise.scale.parquet import parquet_pieces
from partwise.scale.pieces import Pieces, of_two_lengths, part_of, side_by_side
from partwise.scale.row_order import are_alike, ids_of_arrays
from partwise.scale.text import text_pieces

_AS_IT_STANDS: dict[str, Any] = {}


class Blocks(NamedTuple):
    """Blocks of two columns of the same items.

    Attributes
    ----------
    parts : iterable
        What ``read`` makes a block (reference, candidate) of.
    read : callable or None
        Reads a block, in the thread that counts it. None: the parts are blocks.
    n_items : int or None
        Items of all blocks, where that is known beforehand.
    place : callable, optional
        Returns where an item of the reference (0) or the candidate (1) stands, by its position
        among all.
    """

    parts: Iterable[Any]
    read: Callable[[Any], Any] | None
    n_items: int | None
    place: Callable[[int, int], str] | None = None


def blocks_of(
    reference: Any,
    candidate: Any,
    label: Any,
    most: int,
    *,
    ordered: bool,
    reading: Mapping[str, Any] = _AS_IT_STANDS,
) -> Blocks:
    """Return the blocks of two columns, at most ``most`` items each.

    Parameters
    ----------
    reference, candidate : array, path or iterable
    label : str, int, None, or a pair (reference, candidate)
        Columns of files.
    most : int
    ordered : bool
        Whether items must come in the order of the arrays, not in that of their chunks.
    reading : mapping
        How text files are read: ``header``, ``delimiter``, ``comment``.
    """
    labels = label if isinstance(label, tuple) else (label, label)
    if len(labels) != 2:
        raise ValueError(
            f"label={label!r}: one column or a pair (reference, candidate) is expected"
        )
    given = reference, candidate
    files = [Path(side) if isinstance(side, (str, Path)) else None for side in given]
    paths = [file for file in files if file is not None]
    two_files = len(paths) == 2 and not _are_one(*paths)
    sides = [
        opened(side, column, name, reading, with_ids=two_files)
        for side, column, name in zip(given, labels, ("reference", "candidate"), strict=True)
    ]
    if two_files and not are_alike(*map(_named_ids, sides)):
        check_row_ids(*(_ids_beside(*side) for side in zip(sides, paths, labels, strict=True)))
    if not any(isinstance(side, Pieces) for side in sides):
        return _boxes(sides[0], sides[1], most, ordered, files)
    pieces = [
        side if isinstance(side, Pieces) else _of_array(side, name, file)
        for side, name, file in zip(
            sides, ("the reference", "the candidate"), files, strict=True
        )
    ]
    lengths = [side.n_items for side in pieces]
    if None not in lengths and lengths[0] != lengths[1]:
        raise ValueError(of_two_lengths(pieces, lengths))
    n_items = next((n for n in lengths if n is not None), None)

    def place(side: int, row: int) -> str:
        return pieces[side].place(row)

    return Blocks(side_by_side(pieces, most), None, n_items, place)


def _are_one(path: Path, other: Path) -> bool:
    """Return whether two paths are one file, whose rows are in one order."""
    return path == other or (path.exists() and other.exists() and path.samefile(other))


def _named_ids(side: Any) -> Iterable[Any]:
    """Return the pieces of a column that is named as ids are, see ``Pieces``."""
    return side.named_ids() if isinstance(side, Pieces) else ()


def _ids_beside(side: Any, path: Path, column: Any) -> tuple[RowIds, ...]:
    """Return what is kept of ids beside the labels of a file."""
    if isinstance(side, Pieces):
        return side.row_ids()
    return ids_of_arrays(path, column, kind_of_file(path))


def opened(
    side: Any,
    column: Any,
    name: str,
    reading: Mapping[str, Any],
    *,
    with_ids: bool = False,
) -> Any:
    """Return a side as an array that can be cut, or as pieces.

    ``with_ids``: columns of ids beside the labels of a text file are looked at, too.
    """
    if isinstance(side, (str, Path)):
        return _of_file(Path(side), column, reading, with_ids=with_ids)
    if column is not None:
        raise TypeError(f"label= names columns of files; the {name} is {with_article(side)}")
    in_memory = type(side).__module__.partition(".")[0] in ("pandas", "polars", "pyarrow")
    if hasattr(side, "shape") and hasattr(side, "__getitem__") and not in_memory:
        return side
    if in_memory or isinstance(side, (list, tuple, range)):
        n = len(side)

        def read(most: int) -> Iterator[Any]:
            return (part_of(side, i, min(i + most, n)) for i in range(0, n, most))

        return Pieces(f"the {name}", read, n)
    raise TypeError(
        f"the {name} is {with_article(side)}, which cannot be read in blocks; pass an array, a "
        "path, or one iterable of blocks (reference, candidate)"
    )


def kind_in_blocks(path: Path) -> str:
    """Return the kind of a file, or "folder", where it is read in blocks, else ""."""
    if path.is_dir():
        return "folder" if files_of_folder(path) else ""
    kind = kind_of_file(path) if path.is_file() else ""
    return kind if kind in ("npy", "npz", "parquet", "text", "packed") else ""


def rows_of(path: Path, column: Any) -> int:
    """Return how many labels a column of npy, npz or parquet has, without reading them."""
    side = _of_file(path, column, _AS_IT_STANDS)
    return side.n_items or 0 if isinstance(side, Pieces) else math.prod(side.shape)


# ---- arrays ------------------------------------------------------------------------


def _boxes(
    reference: Any, candidate: Any, most: int, ordered: bool, files: list[Path | None]
) -> Blocks:
    """Return the blocks of two arrays of one shape, cut at the chunks they are stored in."""
    shape = tuple(reference.shape)
    if tuple(candidate.shape) != shape:
        raise ValueError(
            f"the reference has the shape {shape}, the candidate {tuple(candidate.shape)}; "
            "labels without item ids are compared by position and must be of one shape"
        )
    chunks = _chunks_of(reference) or _chunks_of(candidate) or (1,) * len(shape)
    if any(size == 0 for size in shape) or not shape:
        parts: Iterable[Any] = [(slice(None),) * len(shape)] if shape else [()]
    else:
        parts = boxes(shape, chunks, most, ordered)

    def read(box: tuple[slice, ...]) -> tuple[Any, Any]:
        return _cut(reference, box), _cut(candidate, box)

    def place(side: int, row: int) -> str:
        return _place(files[side], row)

    return Blocks(parts, read, math.prod(shape), place if len(shape) == 1 else None)


def _chunks_of(array: Any) -> tuple[int, ...] | None:
    """Return the shape of the chunks that an array of zarr or HDF5 is stored in."""
    chunks = getattr(array, "chunks", None)
    if not isinstance(chunks, tuple) or len(chunks) != len(array.shape):
        return None
    return chunks if all(isinstance(size, int) and size > 0 for size in chunks) else None


def _cut(array: Any, box: tuple[slice, ...]) -> Any:
    part = array[box]
    if is_masked_array(part):
        return part.ravel()
    if len(box) == 1 and not isinstance(part, np.ndarray) and not hasattr(part, "__array__"):
        return part
    return np.asarray(part).ravel()


def boxes(
    shape: Sequence[int], chunks: Sequence[int], most: int, ordered: bool
) -> Iterator[tuple[slice, ...]]:
    """Yield the boxes that an array is read in, whole chunks where that fits.

    Parameters
    ----------
    shape, chunks : sequence of int
    most : int
        Items of a box at most.
    ordered : bool
        Whether boxes put one behind another are the array in C order.
    """
    steps = [1] * len(shape)
    if not ordered:
        steps = [min(chunk, size) for chunk, size in zip(chunks, shape, strict=True)]
        for axis in range(len(shape)):  # a chunk that is too large is read in parts
            if math.prod(steps) > most:
                steps[axis] = max(1, most * steps[axis] // math.prod(steps))
    for axis in reversed(range(len(shape))):
        unit = math.prod(steps)
        more = max(1, min(most // unit, -(-shape[axis] // steps[axis])))
        steps[axis] = min(shape[axis], steps[axis] * more)
        if ordered and steps[axis] < shape[axis]:
            break
    ranges = [
        [slice(start, min(start + step, size)) for start in range(0, size, step)]
        for size, step in zip(shape, steps, strict=True)
    ]
    yield from product(*ranges)


def _place(file: Path | None, row: int) -> str:
    return f"index {row}" if file is None else f"row {row + 1} of {file}"


def _of_array(array: Any, name: str, file: Path | None) -> Pieces:
    """Return an array, which is compared with a file, as pieces."""
    if len(array.shape) != 1:
        raise ValueError(
            f"{name} has the shape {tuple(array.shape)}; beside a file, one label per item is "
            "expected (ravel() flattens an array in C order)"
        )
    n = int(array.shape[0])

    def read(most: int) -> Iterator[Any]:
        return (_cut(array, (slice(i, min(i + most, n)),)) for i in range(0, n, most))

    return Pieces(name, read, n, partial(_place, file))


# ---- files -------------------------------------------------------------------------


def _of_file(
    path: Path, column: Any, reading: Mapping[str, Any], *, with_ids: bool = False
) -> Any:
    kind = kind_of_file(path)
    if kind in ("text", "packed"):
        return text_pieces(path, column, reading, with_ids=with_ids)
    idle = [f"{name}=" for name, value in reading.items() if value is not None]
    if idle:
        raise ValueError(
            f"{path}: {' and '.join(idle)} would do nothing for a file of the format {kind}; "
            "leave it out"
        )
    if kind == "npy":
        return _memory_map(path, column)
    if kind == "npz":
        return _of_archive(path, column)
    if kind in ("parquet", "folder"):
        return parquet_pieces(path, column)
    raise ValueError(
        f"{path}: a {kind} file is not read in blocks; npy, npz, parquet and text are, and "
        "arrays such as those of zarr and HDF5"
    )


def kind_of_file(path: Path) -> str:
    """Return what a file is by how it begins: "npy", "parquet", "text", "folder" ..."""
    if path.is_dir():
        return "folder"
    with path.open("rb") as file:
        head = file.read(64)
    return kind_of(Source(path), head)


def _memory_map(path: Path, column: Any) -> Any:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise no_arrays(path, error) from error
    if column is None:
        return array
    if array.dtype.names and str(column) in array.dtype.names:
        return array[str(column)]
    if array.ndim == 2 and str(column).isdigit() and 1 <= int(column) <= array.shape[1]:
        return array[:, int(column) - 1]
    raise ValueError(
        f"{path}: no column {column!r} in an array of shape {array.shape} and type "
        f"{array.dtype}"
    )


def _of_archive(path: Path, column: Any) -> Any:
    """Return an array of an archive: it is compressed, or not where it could be mapped."""
    arrays = load_arrays(path)
    if column is None and len(arrays) == 1:
        return next(iter(arrays.values()))
    names = list(arrays)
    if column is not None and str(column).isdigit() and str(column) not in names:
        column = names[int(column) - 1] if 1 <= int(column) <= len(names) else column
    if column is None or str(column) not in names:
        what = "say which array holds the labels (label=)"
        if column is not None:
            what = f"no array {column!r}"
        raise ValueError(f"{path}: {what}; there are: {', '.join(names)}")
    return arrays[str(column)]
