"""Clusterings from files: one label per line, tables, communities, arrays, parquet, JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, get_args

from partwise.labels import Clustering
from partwise.labels.files.arrow_tables import read_feather, read_parquet, read_parquet_folder
from partwise.labels.files.cells import typed_cells
from partwise.labels.files.comments import LINE_END, split_top
from partwise.labels.files.compressed import ENDINGS
from partwise.labels.files.delimiters import BLANKS, Asked, delimiter_of, spoken
from partwise.labels.files.h5ad import read_h5ad
from partwise.labels.files.json_rows import looks_like_json, read_json
from partwise.labels.files.npy import read_arrays, read_tiff
from partwise.labels.files.sources import (
    IdleOptionError,
    Source,
    content_of,
    decoded,
    refuse_coreference,
    source_of,
)
from partwise.labels.files.table import (
    Table,
    composite_column,
    no_labels,
    only_column,
    table_of,
)
from partwise.labels.files.text import Dialect, read_columns
from partwise.labels.forms import read_column
from partwise.labels.notes import Note, skipped_comments

__all__ = [
    "FORMATS",
    "IdleOptionError",
    "Table",
    "composite_column",
    "read",
    "read_table",
    "typed_cells",
]

FileFormat = Literal[
    "auto", "lines", "csv", "tsv", "clu", "communities", "json",
    "npy", "npz", "parquet", "feather", "h5ad", "tiff",
]  # fmt: skip
FORMATS: tuple[str, ...] = get_args(FileFormat)
_BINARY = ("npy", "npz", "parquet", "feather", "h5ad", "tiff")
_OTHER_ENDINGS = {
    "tab": "tsv",
    "pq": "parquet",
    "tif": "tiff",
    "jsonl": "json",
    "ndjson": "json",
    "arrow": "feather",
}


def read_table(
    path: str | Path | Source,
    *,
    format: str = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
    comment: str | None = None,
    wanted: Sequence[str] = (),
    items: Sequence[str] = (),
    only_wanted: bool = False,
    flatten: bool = False,
    is_header: Callable[[Sequence[str]], bool] | None = None,
) -> Table:
    """Read the columns of a file.

    Parameters
    ----------
    path : str, Path or Source
        Text may be compressed (gz, bz2, xz, zst, a zip of one file).
    format : {"auto", "lines", "csv", "tsv", "clu", "communities", "json", "npy", "npz", \
"parquet", "feather", "h5ad", "tiff"}, default "auto"
        "auto" goes by the file's content, then by its ending.
    header : bool, optional
        Whether a text table's first row names its columns; by default it does if a column is
        asked for by name, else the content tells.
    delimiter : str, optional
        Field separator of a text table: a character, "tab", or "blanks" (any number).
    comment : str, optional
        How lines of comment at the top begin; "" means that there are none.
    wanted : sequence of str
        Names or numbers of columns that will be asked for.
    items : sequence of str
        Those of them that hold item ids.
    only_wanted : bool, default False
        Whether no other column will: a format that can leaves them unread.
    flatten : bool, default False
        Take arrays of several dimensions as one label per element, in C order.
    is_header : callable, optional
        Tells of a first row of text that it names the columns for certain; to be given where
        the file is a table, and its lines are not one label each.

    Raises
    ------
    ValueError
        The file's content is not what its format says (file and line are named), an option
        does not fit the format, or two readings are left that give different clusterings.
    """
    source = source_of(path)
    path = source.path
    kind, data, notes = _kind_and_content(source, format)
    _check_options(path, kind, header, delimiter, comment, flatten)
    if data is not None:
        source = Source(path, data)
    if kind == "folder":
        return read_parquet_folder(path)
    if kind in ("npy", "npz"):
        return read_arrays(source, flatten)
    if kind == "parquet":
        return read_parquet(source, wanted if only_wanted else ())
    if kind == "feather":
        return read_feather(source)
    if kind == "h5ad":
        return read_h5ad(source)
    if kind == "tiff":
        return read_tiff(source)
    if kind == "communities":
        raise ValueError(f"{path}: a file of communities has no columns; use read(path)")
    assert data is not None
    if kind == "json":
        return read_json(path, decoded(path, data)[0], is_header is not None)
    dialect = Dialect(kind, header, delimiter_of(delimiter), comment)
    asked = Asked([str(x) for x in wanted], [str(x) for x in items], is_header)
    content = read_columns(path, data, dialect, asked, only_wanted)
    return table_of(
        str(path),
        content.names,
        content.columns,
        lines=content.lines,
        notes=[*notes, *content.notes],
        quoted_blanks=content.quoted_blanks,
        ids_only={content.names[place]: cells for place, cells in content.ids_only.items()},
    )


def kind_of_file(path: Path, format: str) -> str:
    """Return the format that a path and an option mean ("auto": a text table)."""
    if format not in FORMATS:
        raise ValueError(f"format={format!r} is not one of: {', '.join(FORMATS)}")
    if format != "auto":
        return format
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in ENDINGS:
        endings.pop()
    last = endings[-1][1:] if endings else ""
    if ".cmty" in endings:
        return "communities"
    last = _OTHER_ENDINGS.get(last, last)
    return last if last in FORMATS[2:] else "auto"


def _kind_and_content(source: Source, format: str) -> tuple[str, bytes | None, list[Note]]:
    """Return the format of a file by option, content and ending, and its bytes if text."""
    by_name = kind_of_file(source.path, format)
    content, data, notes = content_of(source)
    if content == "folder":
        if format not in ("auto", "parquet"):
            raise IsADirectoryError(21, "Is a directory", str(source.path))
        return "folder", None, []
    if content != "text":
        if format not in ("auto", content):
            raise ValueError(f"{source.path}: this is a {content} file, not {format}")
        if by_name not in ("auto", content):
            notes = [*notes, Note("kind-by-content", f"read as {content}, against its ending")]
        return content, data, notes
    refuse_coreference(source.path, data)
    if by_name == "auto" and data and data.lstrip()[:1] in (b"{", b"["):
        text, _ = decoded(source.path, data)
        if looks_like_json(text.lstrip()):
            return "json", data, notes
    return by_name, data, notes


def _check_options(
    path: Path,
    kind: str,
    header: bool | None,
    delimiter: str | None,
    comment: str | None,
    flatten: bool,
) -> None:
    """Refuse options that would do nothing for a file of this kind."""
    given = {
        "header": header is not None,
        "delimiter": delimiter is not None,
        "comment": comment is not None,
    }
    idle = {
        "lines": ("delimiter",),
        "communities": ("header",),
        "folder": tuple(given),
        "json": tuple(given),
        **dict.fromkeys(_BINARY, tuple(given)),
    }
    names = [name for name in idle.get(kind, ()) if given[name]]
    if names:
        form = "parquet" if kind == "folder" else kind
        options = " and ".join(f"{name}=" for name in names)
        raise IdleOptionError(
            f"{path}: {options} would do nothing for a file of the format {form}; leave it out",
            names,
        )
    if kind not in ("npy", "npz") and flatten:
        raise IdleOptionError(f"{path}: flatten is for arrays (npy, npz)", ["flatten"])


# ---- a clustering from a file ------------------------------------------------------


def read(
    path: str | Path,
    *,
    label: str | int | Sequence[str] | None = None,
    item: str | int | Sequence[str] | None = None,
    format: FileFormat = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
    comment: str | None = None,
    flatten: bool = False,
) -> Clustering:
    """Read a clustering from a file.

    What a file is, is told by its content where that has a mark (compression, NumPy, parquet,
    feather, HDF5, UTF-16), else by its ending. A file with two readings that give different
    clusterings is refused; the error names the option that settles it.

    Parameters
    ----------
    path : str or Path
        One label per line; a text table whose fields are separated by tabs, commas, semicolons,
        bars or blanks; communities, one per line (``*.cmty*``); modules of Infomap
        (``*.clu``); rows of JSON; npy, npz; parquet (a file or a folder), feather; the obs of
        h5ad; an image of labels (TIFF), with ``flatten``. Text may be gz, bz2, xz, zst or a
        zip of one file.
    label : str, int or sequence of str, optional
        Column of the labels, by name or number from 1; several columns together make one
        label (document and cluster, say). Not needed where one column is left.
    item : str, int or sequence of str, optional
        Column or columns of the item id. Ids from text files are text.
    format : {"auto", "lines", "csv", "tsv", "clu", "communities", "json", "npy", "npz", \
"parquet", "feather", "h5ad", "tiff"}
    header : bool, optional
        Whether the first row holds names; by default decided from the content, and an error
        where nothing tells. A file of one column of names has no header unless you say so.
    delimiter : str, optional
        Separator of the fields of a text table or of the members of a community: a character,
        "tab", or "blanks" (any number of them). By default seen from the lines.
    comment : str, optional
        How lines of comment at the top begin, "" if there are none; by default with # or %
        and a blank.
    flatten : bool, default False
        Take an array of several dimensions as one label per element, in C order.

    Returns
    -------
    Clustering
        Empty cells, nulls, and cells such as NA, nan and None are missing labels. How the file
        was read goes into the account.

    Raises
    ------
    ValueError
        Unreadable or ambiguous content (file and line are named), a file without labels, a
        column that is not there, or an option that would do nothing.
    ModuleNotFoundError
        A format whose extra is not installed; names the extra.

    Notes
    -----
    A column of text cells is read as integers where every cell is a whole number in its usual
    form, as floats where every cell is a number as programs write it (1.0, 0.5, 1e-05) and no
    two cells become one, else as text: 007 and 1.10 are names.
    """
    return read_source(
        source_of(path),
        label=label,
        item=item,
        format=format,
        header=header,
        delimiter=delimiter,
        comment=comment,
        flatten=flatten,
    )


def read_source(
    source: Source,
    *,
    label: str | int | Sequence[str] | None,
    item: str | int | Sequence[str] | None,
    format: str,
    header: bool | None,
    delimiter: str | None,
    comment: str | None,
    flatten: bool,
) -> Clustering:
    """Read a clustering from a file or from what was read before; see ``read``."""
    path = source.path
    if kind_of_file(path, format) == "communities":
        columns = {"label": label, "item": item}
        idle = [name for name, column in columns.items() if column is not None]
        if idle:
            text = f"{path}: a file of communities has no columns to choose from"
            raise IdleOptionError(text, idle)
        _check_options(path, "communities", header, delimiter, comment, flatten)
        return _with_items(path, _read_communities(source, delimiter_of(delimiter), comment))
    keys, names = _as_list(item), _as_list(label)
    table = read_table(
        source,
        format=format,
        header=header,
        delimiter=delimiter,
        comment=comment,
        wanted=[*keys, *names],
        items=keys,
        only_wanted=bool(names),
        flatten=flatten,
    )
    names = [table.find(name) for name in names]
    if not names and kind_of_file(path, format) == "clu":
        nodes, names = _node_and_module(table)
        if nodes and not all(map(table.has, keys)):
            raise IdleOptionError(
                f"{path}: no column {', '.join(keys)}; nodes are matched without item=",
                ["item"],
            )
        keys = keys or nodes
    keys = [table.find(key) for key in keys]
    names = names or [only_column(table, keys)]
    if len(names) == 1:
        labels = read_column(table.values(names[0]), str(path))
    else:
        labels = composite_column(table, names, "label")
    ids = composite_column(table, keys, "item id") if keys else None
    notes = [*table.notes, *table.index_told([*names, *keys]), *table.unused(names, keys)]
    made = Clustering._of(labels, ids)._with_notes(note.at(path.name) for note in notes)
    made.row_ids = () if keys else table.row_ids(names, made.n_items)
    return _with_items(path, made)


def _with_items(path: Path, clustering: Clustering) -> Clustering:
    if clustering.n_items == 0:
        raise no_labels(path)
    return clustering


def _as_list(names: str | int | Sequence[str] | None) -> list[str]:
    return [str(names)] if isinstance(names, (str, int)) else [str(x) for x in names or ()]


def _node_and_module(table: Table) -> tuple[list[str], list[str]]:
    """Return the columns of node and module of an Infomap file, by name or order."""
    names = table.every_name
    if len(names) < 2:
        return [], []
    node = next((name for name in ("node_id", "node") if name in names), names[0])
    module = next((name for name in ("module", "cluster") if name in names), names[1])
    table.notes.append(
        Note("format-found", f"column {node} holds the nodes, column {module} their modules")
    )
    return [node], [module]


def _read_communities(source: Source, delimiter: str | None, comment: str | None) -> Clustering:
    """One community per line; members apart by tabs, else blanks, else commas or semicolons."""
    path = source.path
    kind, data, notes = content_of(source)
    if kind != "text" or data is None:
        raise ValueError(f"{path}: this is a {kind} file, not one of communities")
    text, told = decoded(path, data)
    top = split_top(text, comment)
    if top.unclear and comment is None:
        line, content = top.unclear[0]
        raise ValueError(
            f"{path}:{line}: nothing tells whether {content[:40]!r} is a comment or a "
            f'community; say so with comment="{content[0]}" or comment=""'
        )
    lines = LINE_END.split(top.text.rstrip()) if top.text.strip() else []
    if delimiter is None:
        delimiter = _between_members(path, lines)
        if delimiter in (",", ";"):
            told = [
                *told,
                Note("delimiter-found", f"members are separated by {spoken(delimiter)}"),
            ]
    members = [
        [m.strip() for m in line.split(None if delimiter == BLANKS else delimiter) if m.strip()]
        for line in lines
    ]
    members = [[_bare(m) for m in community] for community in members]
    notes = [*notes, *told, *skipped_comments(len(top.comments))]
    return Clustering.from_clusters(members)._with_notes(note.at(path.name) for note in notes)


def _bare(member: str) -> str:
    return member[1:-1] if len(member) > 1 and member[0] == member[-1] == '"' else member


def _between_members(path: Path, lines: Sequence[str]) -> str:
    """Return what parts the members of communities."""
    if any("\t" in line for line in lines):
        return "\t"
    rows = [line.strip() for line in lines if len(line.split()) > 1 or re.search("[,;]", line)]
    for delimiter in ",;":
        if not rows or not all(delimiter in row for row in rows):
            continue
        parts = [part for row in rows for part in row.strip(delimiter + " ").split(delimiter)]
        if any(len(part.split()) > 1 for part in parts):
            raise ValueError(
                f"{path}: members are separated by blanks or by {spoken(delimiter)}: give the "
                "delimiter (delimiter=)"
            )
        return delimiter
    return BLANKS
