"""Large plain tables through pyarrow's CSV reader, where it is installed.

Only files that the plain reader in ``text`` would read the same way come here: no quotes, a
delimiter and a header that need no guess. Whatever pyarrow objects to is left to the plain
reader, which words the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partwise.labels.files.cells import DictionaryCells
from partwise.numbers.arrow import numbers_of


def read_plain_table(
    data: bytes,
    *,
    skip_lines: int,
    delimiter: str,
    names: Sequence[str],
    wanted: Sequence[str],
    ids: Sequence[str] = (),
) -> tuple[dict[str, DictionaryCells] | None, dict[str, Any]]:
    """Return the columns of a table without quotes, None if pyarrow cannot or is not there.

    Parameters
    ----------
    data : bytes
        The whole file.
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
    text = arrow.dictionary(arrow.int32(), arrow.string())
    try:
        table = csv.read_csv(
            arrow.BufferReader(data),
            read_options=csv.ReadOptions(
                use_threads=False, skip_rows=skip_lines, column_names=list(names)
            ),
            parse_options=csv.ParseOptions(
                delimiter=delimiter, quote_char=False, ignore_empty_lines=True
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: text for name in wanted},
                include_columns=[*wanted, *ids],
                strings_can_be_null=False,
            ),
        )
    except (arrow.ArrowException, OSError):
        return None, {}
    columns = {}
    for name in wanted:
        column = table.column(name).unify_dictionaries().combine_chunks()
        if isinstance(column, arrow.ChunkedArray):
            column = column.chunk(0)
        codes = numbers_of(column.indices)
        columns[name] = DictionaryCells(codes, column.dictionary.to_pylist())
    return columns, {name: table.column(name) for name in ids}
