"""One side of a join of files: a text table, which becomes parquet before DuckDB reads it.

DuckDB has rules of its own for text. So our reader reads it, piece by piece, and the cells of
ids and the labels, which are what the whole file makes them, are written for DuckDB.
"""

from __future__ import annotations

import argparse
import errno
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.cli.options import columns_of, reading_options, split_source
from partwise.cli.tables.parquet_sides import ParquetSide
from partwise.labels.columns import Column
from partwise.labels.files.cells import DictionaryCells
from partwise.scale.sources import kind_in_blocks
from partwise.scale.text import NotInPiecesError, TextColumns, text_columns

TEXT_KINDS = ("text", "packed")
#: Bytes that one byte of text takes while it is read and compared in memory.
TEXT_BYTES = 6
#: Bytes of text that are read at a time.
_PIECE = 1 << 24


@dataclass(frozen=True, slots=True)
class TextSide:
    """One side: a text table that was looked through.

    Attributes
    ----------
    path : Path
    text : TextColumns
    kind : str
        What its labels are: "integer", "text" or "float".
    """

    path: Path
    text: TextColumns
    kind: str

    def as_parquet(self, folder: Path, name: str) -> ParquetSide:
        """Write the rows to a folder of temporary files; return them as a side."""
        import pyarrow
        from pyarrow import parquet

        top = self.text.top
        kinds = {
            "integer": pyarrow.int64(),
            "float": pyarrow.float64(),
            "text": pyarrow.string(),
        }
        items = [f"i{j}" for j in range(len(top.columns) - 1)]
        fields = [("label", kinds[self.kind]), *((item, pyarrow.string()) for item in items)]
        schema = pyarrow.schema(fields)
        target = folder / f"{name}.parquet"
        try:
            with parquet.ParquetWriter(target, schema) as writer:
                for labels, ids in self.text.pieces(_PIECE):
                    columns = [_values(labels, schema.types[0]), *map(_cells, ids)]
                    writer.write_table(pyarrow.table(columns, schema=schema))
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise OSError(
                errno.ENOSPC,
                "the folder for temporary files is full; what was written there has been "
                "removed; name a folder with more room in the environment variable TMPDIR, or "
                "raise --memory-limit",
                str(folder.parent),
            ) from error
        table = top.table
        notes = [*self.text.notes, *table.index_told(top.columns)]
        notes += table.unused(top.columns[:1], top.columns[1:])
        told = [note.at(self.path.name) for note in notes]
        of_columns = {"label": self.kind, **dict.fromkeys(items, "text")}
        return ParquetSide([target], self.text.n_rows, items, "label", of_columns, told)


def text_side(options: argparse.Namespace, name: str) -> TextSide | None:
    """Return a side that is a text table, None where it is read as a whole only."""
    file_name, column = split_source(name)
    path = Path(file_name)
    labels = [column] if column else columns_of(options.label) or []
    if len(labels) > 1 or options.format != "auto" or options.flatten:
        return None
    reading = {x: reading_options(options)[x] for x in ("header", "delimiter", "comment")}
    items = columns_of(options.item) or []
    try:
        text = text_columns(path, labels[0] if labels else None, items, reading)
    except NotInPiecesError:
        return None
    kind = _kind_of(text.labels)
    return TextSide(path, text, kind) if kind else None


def is_text(path: Path) -> bool:
    """Return whether a file is a text table, by how it begins."""
    return path.is_file() and kind_in_blocks(path) in TEXT_KINDS


def _kind_of(labels: Column) -> str:
    """Return what labels are, "" where parquet has no such numbers."""
    if labels.kind not in ("integer", "float", "text", "object"):
        return ""
    names = labels.categories
    if names is not None and names.dtype == object:
        if not len(names):  # all are missing
            return "text"
        if labels.kind == "integer":
            return "integer" if all(-(2**63) <= x < 2**63 for x in names.tolist()) else ""
    return labels.kind


def _values(labels: Column, kind: Any) -> Any:
    """Return labels as an array of Arrow."""
    import pyarrow

    if labels.categories is not None and not len(labels.categories):
        return pyarrow.nulls(len(labels), kind)  # all are missing
    used, codes = _kernels.impl.encode(labels.codes)
    names = used if labels.categories is None else labels.categories[used]
    mask = np.zeros(len(codes), dtype=bool) if labels.missing is None else labels.missing
    distinct = pyarrow.array(names.tolist(), kind)
    return distinct.take(pyarrow.array(codes, pyarrow.int64(), mask=mask))


def _cells(cells: DictionaryCells) -> Any:
    import pyarrow

    return pyarrow.array(cells.distinct, pyarrow.string()).take(pyarrow.array(cells.codes))
