"""Binary files whose container is sound and whose content is anything.

Bytes that are changed in a file of parquet or HDF5 seldom get past its own checks, so these
families write such files themselves: the bytes of a case say of which types and values.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow
from pyarrow import feather, ipc, parquet

import partwise as pw
from fuzz_families import Family, by_kernels, read_text
from fuzz_rules import Broken, refusal_of

NAMES = (
    *("k", "id", "row", "col", "count", "mass", "document", "mention", "entity"),
    *("_index", ""),
)


class Bytes:
    """What the bytes of a case say, zeros behind their end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def below(self, bound: int) -> int:
        """Return a number below a bound of at most 256."""
        self.at += 1
        return (self.data[self.at - 1] if self.at <= len(self.data) else 0) % bound

    def of(self, *values: Any) -> Any:
        """Return one of some values."""
        return values[self.below(len(values))]

    def raw(self, number: int) -> bytes:
        """Return the next bytes as they are."""
        self.at += number
        return self.data[self.at - number : self.at].ljust(number, b"\0")


# ---- arrays of NumPy ---------------------------------------------------------------------

NUMPY_TYPES = (
    *("<i8", "i1", "u1", "<i4", ">i4", "<u8", ">i8", "<f8", "<f4", "<f2", ">f8", "<c16", "?"),
    *("<M8[D]", "<M8[ns]", "<m8[s]", "<M8", "S3", "<U2", ">U2", "S", "U", "V4", "g"),
    *([("k", "<i4"), ("id", "<U1")], [("k", "<f8", (2,))], [("k", [("a", "i1")])]),
)


def array(said: Bytes, shape: tuple[int, ...] | None = None) -> Any:
    """Return an array of a type and a shape that the bytes say."""
    kind = np.dtype(said.of(*NUMPY_TYPES))
    if shape is None:
        n = said.below(6)
        shape = said.of((n,), (n,), (n, 2), (), (2, n, 2), (n, 0), (1, n))
    number = int(np.prod(shape))
    if said.below(2) and kind.itemsize and kind.names is None:
        small = [said.below(4) for _ in range(number)]
        try:
            return np.array(small).astype(kind).reshape(shape)
        except (TypeError, ValueError):
            pass
    if kind.itemsize == 0:
        return np.zeros(shape, dtype=kind)
    return np.frombuffer(said.raw(kind.itemsize * number), dtype=kind, count=number).reshape(
        shape
    )


def write_npy(said: Bytes, path: Path) -> None:
    """Write an array."""
    made = array(said)
    np.save(path, np.asfortranarray(made) if said.below(2) else made)


def write_npz(said: Bytes, path: Path) -> None:
    """Write some arrays, of one length or of several."""
    lengths = said.of((3,), None)
    arrays = {said.of(*NAMES[:-1]): array(said, lengths) for _ in range(said.below(4))}
    (np.savez_compressed if said.below(2) else np.savez)(path, **arrays)


# ---- columns of Arrow --------------------------------------------------------------------

TEXTS = ("a", "b", "", "1", "2", "NA", "nan", "a b", "é", "a,b", "0-1", "1_0", "x" * 40, "\x00")
NUMBERS = (0, 1, 2, -1, 127, 255, 1 << 31, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63))
FLOATS = (0.0, -0.0, 1.0, 0.5, float("nan"), float("inf"), 1e300, 5e-324, 2.0**53)
DAY = datetime(2020, 1, 1)
ARROW_TYPES: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (pyarrow.int64(), NUMBERS),
    (pyarrow.string(), TEXTS),
    (pyarrow.int8(), (0, 1, -128)),
    (pyarrow.uint64(), (0, 1, (1 << 64) - 1)),
    (pyarrow.float64(), FLOATS),
    (pyarrow.float32(), FLOATS),
    (pyarrow.float16(), (0.0, 1.0, float("nan"))),
    (pyarrow.bool_(), (True, False)),
    (pyarrow.large_string(), TEXTS),
    (pyarrow.string_view(), TEXTS),
    (pyarrow.binary(), (b"a", b"", b"\xff")),
    (pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), TEXTS),
    (pyarrow.dictionary(pyarrow.int32(), pyarrow.int64()), NUMBERS),
    (pyarrow.timestamp("ns"), (DAY, DAY + timedelta(1))),
    (pyarrow.timestamp("us", "Europe/Paris"), (DAY, DAY + timedelta(1))),
    (pyarrow.date32(), (DAY.date(),)),
    (pyarrow.time64("us"), (DAY.time(),)),
    (pyarrow.duration("ms"), (timedelta(1), timedelta(0))),
    (pyarrow.decimal128(20, 2), (Decimal("1.00"), Decimal("-0.01"))),
    (pyarrow.decimal256(50, 0), (Decimal(1), Decimal(2))),
    (pyarrow.list_(pyarrow.int64()), ([1, 2], [], [1])),
    (pyarrow.list_(pyarrow.float64(), 2), ([0.5, 0.5], [1.0, 0.0])),
    (pyarrow.list_(pyarrow.string()), (["a"], ["b", "c"])),
    (pyarrow.struct([("a", pyarrow.int64())]), ({"a": 1}, {"a": None})),
    (pyarrow.map_(pyarrow.string(), pyarrow.int64()), ([("a", 1)], [])),
    (pyarrow.null(), (None,)),
    (pyarrow.binary(2), (b"ab", b"cd")),
)


def column(said: Bytes, n: int) -> Any:
    """Return a column of Arrow's, some of whose cells may be null."""
    kind, values = said.of(*ARROW_TYPES)
    nulls = said.of(0, 0, 3)
    cells = [None if nulls and said.below(nulls) == 0 else said.of(*values) for _ in range(n)]
    made = pyarrow.array(cells, type=kind)
    return pyarrow.chunked_array([made[: n // 2], made[n // 2 :]]) if said.below(2) else made


def arrow_table(said: Bytes) -> Any:
    """Return a table; names may occur twice."""
    n = said.below(7)
    # most cases are tables that hold what a table of cells, or of mentions, holds
    names = said.of(
        ["k"],
        ["id", "k"],
        ["row", "col", "count"],
        ["row", "col", "count", "mass"],
        ["document", "mention", "entity"],
        [said.of(*NAMES) for _ in range(said.below(4))],
    )
    metadata = said.of(
        None,
        None,
        {b"pandas": b'{"index_columns": ["id"]}'},
        {b"pandas": b'{"index_columns": [{"kind": "range"}]}'},
        {b"pandas": said.raw(8)},
        {b"partwise": said.raw(8)},
    )
    columns = [column(said, n) for _ in names]
    made = pyarrow.table(columns, names=names)
    return made if metadata is None else made.replace_schema_metadata(metadata)


def write_parquet(said: Bytes, path: Path) -> None:
    """Write a table as parquet, in small groups of rows."""
    parquet.write_table(arrow_table(said), path, row_group_size=3)


def write_feather(said: Bytes, path: Path) -> None:
    """Write a table as feather, or as a stream of batches."""
    made = arrow_table(said)
    if said.below(2):
        with ipc.new_stream(str(path), made.schema) as stream:
            stream.write_table(made)
    else:
        feather.write_feather(made, str(path))


# ---- obs of AnnData ----------------------------------------------------------------------


def obs_column(said: Bytes, group: Any, name: str, n: int) -> None:
    """Write a column of obs: a dataset, categories with codes, or values with a mask."""
    kind = said.of("dataset", "categories", "mask", "text", "odd")
    if kind == "dataset":
        group[name] = _of_hdf5(array(said, said.of((n,), (n,), (), (n, 2), (n + 1,))))
    elif kind == "text":
        texts = [said.of(*TEXTS[:-1]).encode() for _ in range(n)]
        group.create_dataset(name, data=texts, shape=(n,), dtype=h5py.special_dtype(vlen=bytes))
    elif kind == "categories":
        inner = group.create_group(name)
        inner["codes"] = np.array([said.below(5) - 1 for _ in range(n)], dtype=np.int8)
        inner["categories"] = _of_hdf5(array(said, said.of((4,), (4,), (2,), (), (4, 2))))
    elif kind == "mask":
        inner = group.create_group(name)
        inner["values"] = _of_hdf5(array(said, (n,)))
        inner["mask"] = np.array(
            [said.below(2) for _ in range(said.of(n, n, n + 1))], dtype=said.of("?", "?", "i8")
        )
    else:
        group.create_group(name).create_group(said.of("codes", "values", "categories", "mask"))


def _of_hdf5(made: Any) -> Any:
    """Return an array of a type that HDF5 has."""
    if made.dtype.kind in "MmUV" or made.dtype.names:
        return np.zeros(made.shape, dtype=np.int64)
    return made


def write_h5ad(said: Bytes, path: Path) -> None:
    """Write a file of HDF5 with something like obs."""
    n = said.below(5)
    with h5py.File(path, "w") as file:
        if said.below(8) == 7:
            file[said.of("obs", "other")] = _of_hdf5(array(said, (n,)))
            return
        group = file.create_group(said.of("obs", "obs", "obs", "obs", "var"))
        names = [said.of("k", "id", "a") for _ in range(said.below(3))]
        index = said.of("_index", "k", "missing")
        for name in dict.fromkeys(["_index", *names]):
            obs_column(said, group, name, n)
        group.attrs["_index"] = said.of(index, index, index, 3, [1, 2])
        order = said.of(names, names, names, [*names, "missing"], [1, 2], "k")
        group.attrs["column-order"] = (
            np.array(order, dtype=h5py.string_dtype())
            if all(isinstance(name, str) for name in order)
            else np.array(order)
        )


# ---- families ----------------------------------------------------------------------------


def family_of(
    write: Callable[[Bytes, Path], None], ending: str
) -> Callable[[bytes, Path], None]:
    """Return what writes a file and has every reader of its ending read it."""

    def run(data: bytes, folder: Path) -> None:
        said = Bytes(data)
        label = said.of(None, None, "k", "1", ["k", "id"])
        item = said.of(None, None, "id", "2")
        flatten = ending in ("npy", "npz") and said.below(4) == 3
        path = folder / f"file.{ending}"
        path.unlink(missing_ok=True)
        write(said, path)

        def read() -> tuple[str | None, str]:
            made: list[Any] = []
            text = refusal_of(
                lambda: made.append(pw.read(path, label=label, item=item, flatten=flatten)),
                ["file."],
            )
            return text, read_text(made[0]) if made else ""

        first, second = by_kernels(read)
        if first != second:
            raise Broken(f"the kernels differ: {first} and {second}")
        if ending in ("npz", "parquet"):
            refusal_of(lambda: pw.Contingency.load(path), ["file."])
        if ending in ("npz", "parquet", "feather"):
            refusal_of(lambda: pw.coreference.read(path, "table"), ["file."])

    return run


FAMILIES = {
    "built_npy": Family(family_of(write_npy, "npy"), ()),
    "built_npz": Family(family_of(write_npz, "npz"), ()),
    "built_parquet": Family(family_of(write_parquet, "parquet"), ()),
    "built_feather": Family(family_of(write_feather, "feather"), ()),
    "built_h5ad": Family(family_of(write_h5ad, "h5ad"), ()),
}
