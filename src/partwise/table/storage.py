"""Tables on disk: npz, or parquet that any engine can read and write. Writes are atomic."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.order_free import Totals
from partwise.labels import Account, SingletonLabel
from partwise.labels.columns import listed, object_array
from partwise.labels.files.arrow_tables import read_files_of_folder, read_parquet_file
from partwise.labels.files.npy import DAMAGED, load_arrays
from partwise.labels.items.times import exactly_in
from partwise.report.whole_files import write_whole
from partwise.table.contingency import Contingency, Masses

FORMAT = 1
_MOST_ITEMS = (1 << 63) - 1


def save(table: Contingency, path: str | Path) -> None:
    """Write a table; see ``Contingency.save``."""
    path = Path(path)
    writers = {".npz": _write_npz, ".parquet": _write_parquet}
    if path.suffix not in writers:
        raise ValueError(f"{path}: a table is saved as .npz or .parquet")
    write = writers[path.suffix]
    write_whole(path, lambda file: write(table, file))


def load(path: str | Path) -> Contingency:
    """Read a table; see ``Contingency.load``."""
    path = Path(path)
    readers = {".npz": _read_npz, ".parquet": _read_parquet}
    if path.suffix not in readers:
        raise ValueError(f"{path}: a table is loaded from .npz or .parquet")
    return readers[path.suffix](path)


def _account_text(account: Account) -> str:
    return json.dumps(account.to_dict())


def _account_of(text: str) -> Account:
    return Account.from_dict(json.loads(text))


# ---- npz ---------------------------------------------------------------------------


def _write_npz(table: Contingency, file: IO[bytes]) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "indptr": table.indptr,
        "cols": table.cols,
        "counts": table.counts,
        "row_labels": _stored_labels(table.row_labels),
        "col_labels": _stored_labels(table.col_labels),
        "account": _as_bytes(_account_text(table.account)),
    }
    if (masses := table.all_masses) is not None:
        for name, pair in zip(Masses._fields, masses, strict=True):
            arrays[f"mass_{name}"] = np.stack(pair)
    np.savez(file, allow_pickle=False, **arrays)


def _read_npz(path: Path) -> Contingency:
    arrays = load_arrays(path)
    try:
        if arrays["format"] != FORMAT:
            raise ValueError(f"format {arrays['format']} is unknown")
        cells = arrays["indptr"], arrays["cols"], arrays["counts"]
        labels = [_loaded_labels(arrays[name]) for name in ("row_labels", "col_labels")]
        _check_cells(*cells, len(labels[0]), len(labels[1]))
        for side in labels:
            _check_labels(side)
        account = _account_of(arrays["account"].tobytes().decode())
        items = sum(arrays["counts"].tolist())
        if items > _MOST_ITEMS:
            raise ValueError(f"its counts add up to {items}; at most 2^63 - 1 can be held")
        if items != account.items:
            raise ValueError("its cells and its account hold different numbers of items")
        masses = _loaded_masses(arrays, len(cells[1]), len(labels[0]), len(labels[1]))
    except DAMAGED as error:
        raise ValueError(f"{path}: no table of partwise ({error})") from error
    return Contingency._of(cells, labels[0], labels[1], account, masses)


def _check_labels(labels: NDArray[Any]) -> None:
    """Raise unless labels are distinct, and ascend where they have an order."""
    if labels.ndim != 1 or labels.dtype.kind not in "biufcmMUSO":
        raise ValueError(f"its labels are of {labels.dtype}, shape {labels.shape}")
    kind = labels.dtype.kind
    if (kind in "fc" and np.isnan(labels).any()) or (kind in "mM" and np.isnat(labels).any()):
        raise ValueError("a label is not a number or no time, which stands for a missing label")
    has_order = kind in "biufmMUS"
    if has_order and bool(np.all(labels[1:] > labels[:-1])):
        return  # so no label stands twice
    if len(set(listed(labels))) < len(labels):
        raise ValueError("a label stands twice")
    if has_order:
        raise ValueError("its labels are not in ascending order")


def _loaded_masses(arrays: dict[str, NDArray[Any]], *lengths: int) -> Masses | None:
    names = [f"mass_{name}" for name in Masses._fields]
    if not any(name in arrays for name in names):
        return None
    pairs = []
    for name, length in zip(names, (*lengths, 1), strict=True):
        stored = arrays[name]
        if stored.dtype != np.float64 or stored.shape != (2, length):
            raise ValueError(f"{name} is not a pair of columns of {length} doubles")
        if not (np.isfinite(stored).all() and (stored[0] >= 0).all()):
            raise ValueError(f"{name} holds numbers that are no masses")
        pairs.append(Totals(stored[0].copy(), stored[1].copy()))
    return Masses(*pairs)


def _check_cells(indptr: Any, cols: Any, counts: Any, n_rows: int, n_cols: int) -> None:
    for name, array in (("indptr", indptr), ("cols", cols), ("counts", counts)):
        if array.dtype != np.int64 or array.ndim != 1:
            raise ValueError(f"{name} is not a column of int64")
    good = (
        len(indptr) == n_rows + 1
        and indptr[0] == 0
        and indptr[-1] == len(cols) == len(counts)
        and bool(np.all(np.diff(indptr) > 0))
        and bool(np.all(counts > 0))
        and bool(np.all((cols >= 0) & (cols < n_cols)))
        and _all_occur(cols, n_cols)
    )
    inner = np.ones(max(len(cols) - 1, 0), dtype=bool)
    inner[indptr[1:-1] - 1] = False  # a step to the next row may fall
    if not good or not bool(np.all(np.diff(cols)[inner] > 0)):
        raise ValueError("its cells are not in canonical form")


def _all_occur(codes: NDArray[np.int64], n: int) -> bool:
    """Return whether each of the codes from 0 to n - 1 is there; all of them are below n."""
    seen = np.zeros(n, dtype=bool)
    seen[codes] = True
    return bool(seen.all())


def _as_bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _stored_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels as an array without objects: text, tuples and the like as JSON."""
    if labels.dtype != object:
        return labels
    return _as_bytes(json.dumps([_tagged(label) for label in labels.tolist()])).reshape(1, -1)


def _loaded_labels(stored: NDArray[Any]) -> NDArray[Any]:
    if stored.dtype != np.uint8 or stored.ndim != 2:
        return stored
    return object_array([_untagged(x) for x in json.loads(stored.tobytes().decode())])


def _tagged(label: Any) -> Any:
    kind = type(label)
    if label is None or kind in (bool, str):
        return label
    if kind is int:
        return {"int": str(label)}
    if kind is float:
        return {"float": label.hex()}
    if kind is bytes:
        return {"bytes": label.hex()}
    if kind is tuple:
        return {"tuple": [_tagged(x) for x in label]}
    if isinstance(label, SingletonLabel):
        return {"alone": _tagged(label.item)}
    raise TypeError(
        f"label {label!r} is a {type(label).__name__}, which a file cannot hold; use text, "
        "numbers or tuples of them as labels"
    )


def _untagged(stored: Any) -> Any:
    if not isinstance(stored, dict):
        return stored
    ((tag, value),) = stored.items()
    if tag == "tuple":
        return tuple(_untagged(x) for x in value)
    readers: dict[str, Callable[[Any], Any]] = {
        "int": int,
        "float": float.fromhex,
        "bytes": bytes.fromhex,
        "alone": lambda x: SingletonLabel(_untagged(x)),
    }
    return readers[tag](value)


# ---- parquet -----------------------------------------------------------------------


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "tables in parquet need pyarrow: pip install pyarrow", name="pyarrow"
        ) from error
    return pyarrow, parquet


_PLAIN: tuple[set[type], ...] = ({str}, {bytes}, {bool}, set())


def _parquet_labels(labels: NDArray[Any], name: str, arrow: Any) -> Any:
    """Return labels as an array of pyarrow that parquet stores without a change.

    Raises
    ------
    TypeError, ValueError
        Parquet does not hold such labels, or these.
    """
    if labels.dtype == object and {type(x) for x in labels.tolist()} not in _PLAIN:
        raise TypeError(
            f"parquet holds numbers, times, text and bytes, not these {name} labels; use .npz"
        )
    if labels.dtype.kind in "mM":
        return arrow.array(_parquet_times(labels, name))
    try:
        return arrow.array(labels.tolist() if labels.dtype == object else labels)
    except arrow.ArrowNotImplementedError:
        raise TypeError(
            f"the {name} labels are of {labels.dtype}, which parquet does not hold; use .npz"
        ) from None
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the {name} label {error.object!r} has a half of a surrogate pair, which is no "
            "text in parquet; use .npz"
        ) from None


#: Units in which parquet holds datetimes and timedeltas, by what they come in: the nearest
#: that is finer, then further ones. A day has 32 bits.
_DAYS = ("D", "ms", "us", "ns")
_FINE = ("ns", "us", "ms")
_PARQUET_UNITS: dict[str, dict[str, tuple[str, ...]]] = {
    "M": {
        **dict.fromkeys(("Y", "M", "W", "D"), _DAYS),
        **dict.fromkeys(("h", "m", "s", "ms"), ("ms", "us", "ns")),
        **{"us": ("us", "ns", "ms"), "ns": _FINE, "ps": _FINE, "fs": _FINE, "as": _FINE},
    },
    "m": {
        **dict.fromkeys(("W", "D", "h", "m", "s"), ("s", "ms", "us", "ns")),
        **{"ms": ("ms", "us", "ns", "s"), "us": ("us", "ns", "ms", "s")},
        **dict.fromkeys(("ns", "ps", "fs", "as"), (*_FINE, "s")),
    },
}


def _parquet_times(times: NDArray[Any], name: str) -> NDArray[Any]:
    """Return times in a unit of parquet, which counts them one by one, that holds them all."""
    kind = times.dtype.kind
    unit, _ = np.datetime_data(times.dtype)
    if len(times) == 0:
        unit = "s"
    for other in _PARQUET_UNITS[kind].get(unit, ()):
        converted = exactly_in(times, np.dtype(f"{kind}8[{other}]"))
        if converted is None:
            continue
        if other != "D" or bool(np.all(np.abs(converted.astype(np.int64)) < 1 << 31)):
            return converted
    raise ValueError(
        f"the {name} labels are times in {times.dtype}, and no unit of parquet (days, "
        "seconds and their thousandths down to nanoseconds) holds all of them; use .npz"
    )


def _write_parquet(table: Contingency, file: IO[bytes]) -> None:
    arrow, parquet = _arrow()
    columns: dict[str, Any] = {}
    for name, labels, positions in (
        ("row", table.row_labels, table.rows),
        ("col", table.col_labels, table.cols),
    ):
        column = _parquet_labels(labels, name, arrow)
        columns[name] = column.take(arrow.array(positions))
    columns["count"] = table.counts
    if table.masses is not None:
        columns["mass"] = table.masses
    stored = arrow.table(columns)
    note = {b"partwise": _account_text(table.account).encode()}
    parquet.write_table(stored.replace_schema_metadata(note), file)


def _read_parquet(path: Path) -> Contingency:
    arrow, _ = _arrow()
    if path.is_file():
        path.open("rb").close()  # a file that may not be read is an OSError of its own
    elif not path.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        read = read_files_of_folder if path.is_dir() else read_parquet_file
        stored = read(path)
        names = stored.column_names
    except (*DAMAGED, arrow.ArrowException) as error:
        raise ValueError(f"{path}: no parquet file, or a damaged one ({error})") from error
    missing = [name for name in ("row", "col", "count") if name not in names]
    if missing:
        raise ValueError(f"{path}: no column {missing[0]}; a table has row, col and count")
    count = stored.column("count")
    if count.null_count:
        raise ValueError(f"{path}: {count.null_count} counts are null")
    try:
        masses = stored.column("mass").to_numpy() if "mass" in names else None
        table = Contingency.from_counts(
            stored.column("row"), stored.column("col"), count.to_numpy(), weights=masses
        )
        note = (stored.schema.metadata or {}).get(b"partwise")
        if note is None:
            return table
        account = _account_of(note.decode())
    except (*DAMAGED, arrow.ArrowException) as error:
        raise ValueError(f"{path}: no table of partwise ({error})") from error
    if account.items != table.n_items:
        raise ValueError(
            f"{path}: the cells hold {table.n_items} items, the account {account.items}"
        )
    return replace(table, account=account)
