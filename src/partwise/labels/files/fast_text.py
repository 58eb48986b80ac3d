"""Large plain tables through pyarrow's CSV reader, where it is installed.

Only files that the plain reader in ``text`` would read the same way come here: no quotes, a
delimiter and a header that need no guess. Whatever pyarrow objects to is left to the plain
reader, which words the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partwise.labels.files.cells import ArrowCells, DictionaryCells
from partwise.labels.frames import text_array

#: Bytes that pyarrow reads at a time; in blocks of its own megabyte, pages take twice the time.
_BLOCK = 1 << 24


def read_plain_table(
    data: memoryview,
    *,
    blanks: bool,
    skip_lines: int,
    delimiter: str,
    names: Sequence[str],
    wanted: Sequence[str],
    ids: Sequence[str] = (),
) -> tuple[dict[str, DictionaryCells] | None, dict[str, Any]]:
    """Return the columns of a table without quotes, None if pyarrow cannot or is not there.

    Parameters
    ----------
    data : memoryview
        The whole file, but for empty lines at its end.
    blanks : bool
        Whether there may be a blank or a tab in some cell.
    skip_lines : int
        Lines before the first row (comments, header).
    names : sequence of str
        Names of all columns.
    wanted : sequence of str
        Columns to return.
    ids : sequence of str
        Further columns, as numbers or text: which they are is pyarrow's to see.

    Returns
    -------
    columns : dict of str to DictionaryCells, or None
    ids : dict of str to column
    """
    try:
        import pyarrow as arrow
        from pyarrow import csv
    except ModuleNotFoundError:
        return None, {}
    try:
        table = csv.read_csv(
            arrow.BufferReader(arrow.py_buffer(data)),
            read_options=csv.ReadOptions(
                use_threads=False,
                skip_rows=skip_lines,
                column_names=list(names),
                block_size=_BLOCK,
            ),
            parse_options=csv.ParseOptions(
                delimiter=delimiter, quote_char=False, ignore_empty_lines=True
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: arrow.string() for name in wanted},
                include_columns=[*wanted, *ids],
                strings_can_be_null=False,
            ),
        )
    except (arrow.ArrowException, OSError):
        return None, {}
    columns: dict[str, DictionaryCells] = {
        name: ArrowCells(text_array(table.column(name)), blanks) for name in wanted
    }
    return columns, {name: table.column(name) for name in ids}
