"""Tables by Dask: chunks of arrays, or frames joined on their items."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.columns import with_article
from partwise.labels.policies import SidePolicies, read_policies
from partwise.numbers.arrays import IntArray
from partwise.numbers.masked import is_masked_array
from partwise.scale.counted_rows import check_sum, pair_of
from partwise.scale.origins import Chunk, MovedRows, RowsOfPartition
from partwise.scale.partitions import Part, PartSide, count_part, merged, table_of
from partwise.table.contingency import Contingency
from partwise.typing import ColumnNames, Duplicates, ItemColumns, Missing, Unmatched

__all__ = ["contingency"]

#: Partial tables that one task merges.
_FAN_IN = 8
_BUCKET, _PARTITION, _ROW = "partwise_bucket", "partwise_partition", "partwise_row"


def contingency(
    reference: Any,
    candidate: Any = None,
    *,
    label: ColumnNames | None = None,
    item: ItemColumns | None = None,
    unmatched: Unmatched | tuple[Unmatched, Unmatched] = "error",
    missing: Missing | tuple[Missing, Missing] = "error",
    missing_labels: object = None,
    duplicates: Duplicates | tuple[Duplicates, Duplicates] = "error",
) -> Contingency:
    """Return the table of labels that Dask holds, computed where its scheduler runs.

    Parameters
    ----------
    reference, candidate : dask.array.Array or dask.dataframe.DataFrame
        Two arrays of one shape: labels by position, such as volumes of segments. Or two
        frames, joined on their items; or one frame that holds both labels.
    label : str, or pair of str, optional
        Of frames: the column of the labels; a pair (reference, candidate) where they differ.
    item : str, list of str, or pair of them, optional
        Of two frames: the column or columns of the item.
    unmatched, missing, missing_labels, duplicates
        As in ``align``.

    Returns
    -------
    Contingency
        The same table as of the same labels in memory; the account is the same but for notes
        on ids that look alike.

    Raises
    ------
    ValueError
        Arrays of different shapes; items against which a policy "error" stands.
    TypeError
        Neither arrays nor frames of Dask.

    Notes
    -----
    Chunks of arrays become partial tables, which are merged eight by eight: no task holds more
    than eight partial tables or one chunk of each array. The rows of frames are brought
    together by a hash of the item with Dask's own shuffle; labels go through no join of
    pandas, so that nothing becomes a float and no missing label is dropped. If a worker is
    lost, Dask computes its part again, or raises; a partial table is never counted twice.

    Examples
    --------
    >>> import dask.array as da
    >>> from partwise.scale import dask as by_dask
    >>> truth = da.from_array([[1, 1], [2, 2]], chunks=1)
    >>> by_dask.contingency(truth, truth)
    Contingency(4 items, 2 x 2 clusters, 2 cells)
    """
    dask = _import_dask()
    policies = read_policies(unmatched, missing, missing_labels, duplicates)
    kinds = {_kind(x) for x in (reference, candidate) if x is not None}
    if kinds == {"array"} and candidate is not None:
        if label is not None or item is not None:
            raise TypeError("label= and item= name columns of frames; arrays have none")
        parts, n_items = _parts_of_arrays(dask, reference, candidate, policies)
    elif kinds == {"frame"}:
        parts, n_items = (
            _parts_of_frames(dask, reference, candidate, label, item, policies),
            None,
        )
    else:
        side = reference if _kind(reference) == "" else candidate
        raise TypeError(
            f"two arrays of Dask or frames of Dask are expected, not {with_article(side)}; "
            "pw.contingency takes what is in memory"
        )
    part: Part = dask.compute(_tree(dask, parts))[0]
    if n_items is not None:
        check_sum(part.table.n_items + len(part.singles), n_items, "Dask")
    return table_of(part, policies, "position" if item is None else "item")


def _import_dask() -> Any:
    try:
        import dask
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "tables by Dask need dask: pip install 'dask[array,dataframe]'", name="dask"
        ) from error
    return dask


def _kind(collection: Any) -> str:
    """Return "array", "frame" or "" for anything else."""
    if hasattr(collection, "to_delayed") and hasattr(collection, "dask"):
        if hasattr(collection, "chunks"):
            return "array"
        if hasattr(collection, "npartitions") and hasattr(collection, "columns"):
            return "frame"
    return ""


def _tree(dask: Any, parts: list[Any]) -> Any:
    """Return the sum of all parts, merged in a tree."""
    merge = dask.delayed(merged, pure=True)
    while len(parts) > 1:
        parts = [merge(parts[i : i + _FAN_IN]) for i in range(0, len(parts), _FAN_IN)]
    return parts[0] if parts else merge([])


# ---- arrays ------------------------------------------------------------------------


def _parts_of_arrays(
    dask: Any, reference: Any, candidate: Any, policies: Sequence[SidePolicies]
) -> tuple[list[Any], int | None]:
    """Return a partial table of each chunk, and how many items there are."""
    known = not any(np.isnan(n) for n in (*reference.shape, *candidate.shape))
    if known and reference.shape != candidate.shape:
        raise ValueError(
            f"the reference has shape {reference.shape}, the candidate {candidate.shape}; "
            "labels are compared by position and must have one shape"
        )
    if reference.chunks != candidate.chunks:
        if not known:
            raise ValueError(
                "the chunks of both arrays are of sizes that Dask does not know; call "
                "compute_chunk_sizes() on both"
            )
        candidate = candidate.rechunk(reference.chunks)
    blocks = [x.to_delayed().ravel().tolist() for x in (reference, candidate)]
    starts = [tuple(0 for _ in reference.shape)] * len(blocks[0])
    shape = reference.shape
    if known:
        firsts = [np.cumsum((0, *sizes[:-1])).tolist() for sizes in reference.chunks]
        starts = list(itertools.product(*firsts))
    elif any(policy.missing == "singletons" for policy in policies):
        raise ValueError(
            'missing="singletons" tells items by their positions, but Dask does not know the '
            "sizes of the chunks; call compute_chunk_sizes() on both arrays"
        )
    count = dask.delayed(_count_chunk, pure=True)
    parts = [
        count(a, b, start, shape, policies) for a, b, start in zip(*blocks, starts, strict=True)
    ]
    return parts, int(np.prod(shape, dtype=object)) if known else None


def _count_chunk(
    reference: NDArray[Any],
    candidate: NDArray[Any],
    start: tuple[int, ...],
    shape: tuple[int, ...],
    policies: Sequence[SidePolicies],
) -> Part:
    """Return the partial table of a chunk whose first element is at ``start`` of the array."""
    reference, candidate = (
        x if is_masked_array(x) else np.asarray(x) for x in (reference, candidate)
    )
    if reference.shape != candidate.shape:
        raise ValueError(
            f"a chunk of the reference has shape {reference.shape}, of the candidate "
            f"{candidate.shape}; labels are compared by position and must have one shape"
        )
    sides = [
        PartSide(x.ravel(), None, Chunk(x.shape, start, shape)) for x in (reference, candidate)
    ]
    return count_part(sides[0], sides[1], policies)


# ---- frames ------------------------------------------------------------------------


def _parts_of_frames(
    dask: Any,
    reference: Any,
    candidate: Any,
    label: Any,
    item: Any,
    policies: Sequence[SidePolicies],
) -> list[Any]:
    """Return what each partition holds, after the rows of each item were brought together."""
    if label is None:
        raise TypeError("label= names the column of the labels; frames need it")
    labels = pair_of(label, "label")
    if candidate is None:
        if item is not None or not isinstance(label, tuple):
            raise TypeError(
                "one frame holds both labels: pass label=(reference column, candidate column) "
                "and no item=, or a second frame"
            )
        _check_columns(reference, "the frame", labels)
        return _parts_of_one_frame(dask, reference, labels, policies)
    if item is None:
        raise TypeError(
            "two frames are joined by the column of their items; name it as item=, or pass "
            "one frame that holds both labels"
        )
    items = [[x] if isinstance(x, str) else list(x) for x in pair_of(item, "item")]
    frames = []
    n = max(reference.npartitions, candidate.npartitions)
    for frame, own, names, side in zip(
        (reference, candidate), labels, items, ("reference", "candidate"), strict=True
    ):
        _check_columns(frame, f"the {side}", [*names, own])
        columns = frame[list(dict.fromkeys([*names, own]))]
        meta = _placed(columns._meta, names, n, side)  # no rows, with the columns of some
        placed = columns.map_partitions(_placed, names, n, side, meta=meta)
        moved = placed.shuffle(_BUCKET, npartitions=n)
        frames.append(moved.to_delayed())
    count = dask.delayed(_count_frames, pure=True)
    return [
        count(a, b, labels, items, policies) for a, b in zip(frames[0], frames[1], strict=True)
    ]


def _check_columns(frame: Any, described: str, names: Sequence[str]) -> None:
    for name in names:
        if name not in frame.columns:
            raise ValueError(
                f"{described} has no column {name!r}; its columns: "
                f"{', '.join(map(str, frame.columns))}"
            )


def _parts_of_one_frame(
    dask: Any, frame: Any, labels: Sequence[str], policies: Sequence[SidePolicies]
) -> list[Any]:
    firsts: list[int | None] = [None] * frame.npartitions
    if any(policy.missing == "singletons" for policy in policies):  # told by their positions
        lengths = frame[labels[0]].map_partitions(len).compute().tolist()
        firsts = [sum(lengths[:i]) for i in range(len(lengths))]
    count = dask.delayed(_count_one_frame, pure=True)
    return [
        count(rows, labels, RowsOfPartition(i, first), policies)
        for i, (rows, first) in enumerate(zip(frame.to_delayed(), firsts, strict=True))
    ]


def _count_one_frame(
    rows: Any, labels: Sequence[str], origins: RowsOfPartition, policies: Sequence[SidePolicies]
) -> Part:
    a, b = (PartSide(_array(rows[name]), None, origins) for name in labels)
    return count_part(a, b, policies)


def _array(series: Any) -> Any:
    """Return a column of pandas without its index, which means nothing here."""
    return series.reset_index(drop=True)


def _placed(
    rows: Any, names: Sequence[str], buckets: int, side: str, partition_info: Any = None
) -> Any:
    """Return rows with the bucket of their item, and where they stand."""
    ids = [rows[name] for name in names]
    for name, column in zip(names, ids, strict=True):
        if column.isna().any():
            raise ValueError(
                f"{side} has no item id ({name!r}) in {int(column.isna().sum())} rows of one "
                "partition; every item needs one"
            )
    number = 0 if partition_info is None else int(partition_info["number"])
    return rows.assign(
        **{
            _BUCKET: _buckets(ids, buckets),
            _PARTITION: np.full(len(rows), number, dtype=np.int64),
            _ROW: np.arange(len(rows), dtype=np.int64),
        }
    )


def _buckets(ids: Sequence[Any], buckets: int) -> NDArray[np.int64]:
    """Return the bucket of each item: equal items of any integer type have one."""
    from pandas.util import hash_array

    mixed = np.zeros(len(ids[0]), dtype=np.uint64)
    for column in ids:
        kind = getattr(column.dtype, "kind", "O")
        if kind in "iub":
            bits = column.to_numpy().astype(np.uint64 if kind == "u" else np.int64)
            hashed = hash_array(bits.view(np.uint64), categorize=False)
        elif kind in "mM":
            hashed = hash_array(column.to_numpy().astype("M8[ns]").view(np.uint64))
        elif kind == "f":
            hashed = hash_array(column.to_numpy(dtype=np.float64) + 0.0)
        else:
            hashed = hash_array(np.array([str(x) for x in column], dtype=object))
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + hashed
    return (mixed % np.uint64(buckets)).astype(np.int64)


def _count_frames(
    reference: Any,
    candidate: Any,
    labels: Sequence[str],
    items: Sequence[Sequence[str]],
    policies: Sequence[SidePolicies],
) -> Part:
    sides = []
    for rows, label, names in zip((reference, candidate), labels, items, strict=True):
        rows = rows.reset_index(drop=True)
        ids = rows[names[0]] if len(names) == 1 else rows[list(names)]
        origins: IntArray = rows[[_PARTITION, _ROW]].to_numpy().astype(np.int64)
        sides.append(PartSide(rows[label], ids, MovedRows(origins)))
    return count_part(sides[0], sides[1], policies)
