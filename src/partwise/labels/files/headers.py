"""Whether the first row of a text table names its columns, and which names have a role."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from partwise.labels.files.cells import is_number
from partwise.labels.suspicions import MISSING_WORDS

#: Names that people give to columns of ids, of documents and of labels.
ITEM_NAMES = frozenset(
    [
        "item",
        "item_id",
        "itemid",
        "items",
        "id",
        "ids",
        "index",
        "idx",
        "cell",
        "cell_id",
        "cellid",
        "cell_name",
        "barcode",
        "barcodes",
        "node",
        "node_id",
        "nodeid",
        "node_name",
        "vertex",
        "vertex_id",
        "name",
        "names",
        "sample",
        "sample_id",
        "record_id",
        "rec_id",
        "rid",
        "row_id",
        "row_name",
        "rownames",
        "unique_id",
        "uid",
        "uuid",
        "key",
        "mention",
        "mention_id",
        "obs_names",
    ]
)
#: Words for a document, and what follows them in the name of a column.
DOCUMENT_WORDS = ("doc", "document")
DOCUMENT_ENDINGS = ("", "id", "key", "name", "no", "number")
#: Words for a document that labels are called by as well: here they need an ending.
OTHER_DOCUMENT_WORDS = ("file", "article", "story", "book", "novel", "text")
DOCUMENT_NAMES = frozenset(
    [
        *DOCUMENT_WORDS,
        "fname",
        *(
            word + blank + ending
            for word in (*DOCUMENT_WORDS, *OTHER_DOCUMENT_WORDS)
            for ending in DOCUMENT_ENDINGS[1:]
            for blank in ("", "_")
        ),
    ]
)
LABEL_NAMES = frozenset(
    [
        "label",
        "labels",
        "cluster",
        "clusters",
        "cluster_id",
        "clusterid",
        "cluster_label",
        "community",
        "community_id",
        "communities",
        "module",
        "modules",
        "module_id",
        "partition",
        "class",
        "classes",
        "group",
        "groups",
        "membership",
        "assignment",
        "leiden",
        "louvain",
        "seurat_clusters",
        "entity",
        "entity_id",
        "truth",
        "true_label",
        "ground_truth",
        "gold",
        "predicted",
        "predicted_label",
        "prediction",
        "cell_type",
        "celltype",
        "topic",
    ]
)
#: What a label or an entity is called that means none, in small letters.
NOISE = frozenset(
    [
        "-",
        "?",
        ".",
        "noise",
        "outlier",
        "outliers",
        "unassigned",
        "unknown",
        "unlabeled",
        "unlabelled",
        "unclassified",
        "unclustered",
        "background",
        "none",
        "na",
        "other",
        "others",
        "undefined",
        "missing",
        "nolabel",
        "no_label",
    ]
)
_RULE = re.compile(":?(-{3,}|={3,}):?")
_UNNAMED = re.compile(r"(Unnamed: [0-9]+)?|__index_level_[0-9]+__")


def role_of(name: str) -> str | None:
    """Return what a column of this name usually holds: "item", "document", "label" or None."""
    plain = re.sub(r"[ .\-]+", "_", name.strip().lstrip("#").strip().lower())
    if plain in ITEM_NAMES:
        return "item"
    if plain in DOCUMENT_NAMES:
        return "document"
    return "label" if plain in LABEL_NAMES else None


def is_unnamed(name: str) -> bool:
    """Return whether a column has no name of its own: an index that a frame wrote."""
    return _UNNAMED.fullmatch(name) is not None


def surely_data(first: Sequence[str], second: Sequence[str], asked: Sequence[str] = ()) -> bool:
    """Return whether the first row is data, told without a look at the other rows.

    Cells that are numbers above numbers and do not rise are no names; text above text beside
    them is data where none of it is the name of a role, and no number among them is asked for
    as a column.
    """
    if len(first) != len(second):
        return False
    numbers = [float(cell) for cell in first if is_number(cell)]
    texts = [j for j, cell in enumerate(first) if not is_number(cell)]
    if texts and not {*asked}.isdisjoint(first):
        return False
    rising = len(numbers) > 1 and all(a < b for a, b in pairwise(numbers))
    plain = all(
        first[j] not in MISSING_WORDS
        and role_of(first[j]) is None
        and second[j] not in MISSING_WORDS
        and not is_number(second[j])
        for j in texts
    )
    above = all(is_number(second[j]) for j, cell in enumerate(first) if is_number(cell))
    return bool(numbers) and not rising and plain and above


def has_header(
    path: Path,
    first: Sequence[str],
    columns: Sequence[Sequence[str]],
    *,
    commented: bool,
    asked: Sequence[str],
    items: Sequence[str] = (),
) -> bool:
    """Decide whether the first row names the columns.

    Parameters
    ----------
    path : Path
    first : sequence of str
        The cells of the first row.
    columns : sequence of sequences of str
        The cells of each column below it.
    commented : bool
        Whether a line of comment above names the columns, one of them as people name roles.
    asked : sequence of str
        Names or numbers of the columns that are asked for.
    items : sequence of str
        Those of them that hold item ids, of which none is empty.

    Raises
    ------
    ValueError
        Nothing tells.
    """
    if not columns or not len(columns[0]):
        return False
    below = [set(column) for column in columns]
    filled = [cells - MISSING_WORDS for cells in below]
    numeric = [bool(cells) and all(map(is_number, cells)) for cells in filled]
    ids = [len(cells) == len(column) for cells, column in zip(below, columns, strict=True)]
    words = [cell for cell in first if cell and not is_number(cell)]
    named = any(
        role_of(cell) is not None and cells and not any(map(role_of, cells))
        for cell, cells in zip(first, filled, strict=True)
        if cell and not is_number(cell)
    )
    names = [cell for cell in first if cell]
    if len(set(names)) < len(names) and not named:
        numbers = [cell for cell in names if is_number(cell)]
        if len(set(numbers)) < len(numbers):
            return False  # names of columns are rarely numbers, and then they differ
    over_numbers = [
        j
        for j, cell in enumerate(first)
        if cell not in MISSING_WORDS and not is_number(cell) and numeric[j]
    ]
    if named and over_numbers:
        return True
    if not first[0] and len(first) > 1 and ids[0] and "" not in below[0]:
        if columns[0][0] == "0" and all(map(str.isdigit, columns[0])):
            return True  # the index of a frame has no name
        if len(columns[0]) > 1 and ({*asked} != {"1"} or "1" in items):
            return True
        return _unclear(path, first, commented)
    with_numbers = any(map(is_number, first))
    if named and with_numbers:
        # beside a number, "cluster" may be a label, and "id" one of labels that come again
        keys = any(
            role_of(cell) == "document"
            or (role_of(cell) == "item" and unique and len(column) > 1)
            for cell, unique, column in zip(first, ids, columns, strict=True)
        )
        return True if keys else _unclear(path, first, commented)
    over_words = any(
        is_number(cell) and cells and len(first) > 1 and not any(map(is_number, cells))
        for cell, cells in zip(first, filled, strict=True)
    )
    if over_numbers and (len(first) > 1 or named):
        noise = all(first[j].strip().lower() in NOISE for j in over_numbers)
        again = any(cell and cell in cells for cell, cells in zip(first, below, strict=True))
        gap = any(cell in MISSING_WORDS for cell in first)
        beside = over_words or (with_numbers and not all(ids[j] for j in over_numbers))
        again = again or len(set(names)) < len(names)
        data = noise or again or gap or beside or _like_those_below(first, columns, numeric)
        return _unclear(path, first, commented) if data else True
    if with_numbers:
        odd = over_words or _like_names(first, columns, below, ids)
        odd = odd or _asked_by_cell(first, columns, below, asked)
        return _unclear(path, first, commented) if odd else False
    if len(first) == 1:
        if not over_numbers and not named:
            return False  # one column of names
        return _unclear(path, first, commented)
    if not any(filled) or not words:
        return False
    return _unclear(path, first, commented)


def _unclear(path: Path, first: Sequence[str], commented: bool) -> bool:
    if commented:
        return False
    shown = ", ".join(first[:4])
    raise ValueError(
        f"{path}: nothing tells whether the first row ({shown}) names the columns; say so with "
        "header=True or False"
    )


def _like_those_below(
    first: Sequence[str], columns: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> bool:
    """Return whether a text cell of the first row is numbered as all those below it are."""
    return any(
        re.search("[0-9]", cell)
        and role_of(cell) is None
        and {_outline(other) for other in column} == {_outline(cell)}
        for cell, column, number in zip(first, columns, numeric, strict=True)
        if not number
    )


def _asked_by_cell(
    first: Sequence[str],
    columns: Sequence[Sequence[str]],
    below: Sequence[set[str]],
    asked: Sequence[str],
) -> bool:
    """Return whether a number that is asked for may be a name in the first row.

    Beside words that are not below them, a number that is not below itself may name a column.
    Asked for as the number of a column it means another one, or leaves a row more.
    """
    numbers = [name for name in asked if name.isdecimal() and name in first]
    if any(int(number) > len(first) for number in numbers):
        return True  # no column has this number
    words = [(cell, columns[j]) for j, cell in enumerate(first) if not is_number(cell)]
    by_cell = any(cell in asked and cell not in below[j] for j, cell in enumerate(first))
    if not by_cell or not words:
        return False
    if any(cell in cells for cell, cells in zip(first, below, strict=True)):
        return False
    return not any(_looks_like(cell, column) for cell, column in words)


def _outline(cell: str) -> str:
    letters = re.sub("[a-z]", "a", re.sub("[A-Z]", "A", cell))
    return re.sub("[0-9]", "0", letters)


def _like_names(
    first: Sequence[str],
    columns: Sequence[Sequence[str]],
    below: Sequence[set[str]],
    ids: Sequence[bool],
) -> bool:
    """Return whether numbers in the first row may be names: k, or a resolution.

    They rise from left to right. Beside a word they may be names where no word of the row looks
    like those below it. Without one they are data where the first cell begins the count of the
    rows; three labels may be names, two where the labels below do not have them, or where each
    is the number of the labels below it.
    """
    places = [j for j, cell in enumerate(first) if is_number(cell)]
    values = [float(first[j]) for j in places]
    if len(values) < 2 or any(a >= b for a, b in pairwise(values)):
        return False
    if len(places) < len(first):
        words = [(cell, columns[j]) for j, cell in enumerate(first) if not is_number(cell)]
        return not any(_looks_like(cell, column) for cell, column in words)
    if _counts_rows(first[0], columns[0]):
        return False
    labels = [j for j in places if not ids[j]]
    if len(labels) > 2:
        return True
    absent = all(first[j] not in below[j] for j in labels)
    counts = all(float(first[j]) == len(below[j] - MISSING_WORDS) for j in labels)
    return len(labels) == 2 and (absent or counts)


def _looks_like(cell: str, column: Sequence[str]) -> bool:
    """Return whether a word of the first row is one of those below it, or built as all are."""
    if cell in column or cell in MISSING_WORDS:
        return True
    if role_of(cell) is not None or not re.search("[0-9]", cell):
        return False
    if {len(other) for other in column} == {len(cell)}:
        return True
    shape = re.sub("0+", "0", _outline(cell))
    return all(re.sub("0+", "0", _outline(other)) == shape for other in column)


def _counts_rows(cell: str, column: Sequence[str]) -> bool:
    """Return whether a column counts the rows from its first cell on: 0, 1, 2, ..."""
    if not cell.isdecimal():
        return False
    start = int(cell)
    return all(other == str(start + j) for j, other in enumerate(column, 1))


# ---- the rows below a header -------------------------------------------------------


def has_row_names(path: Path, rows: Sequence[Sequence[str]], lines: Sequence[int]) -> bool:
    """Return whether the first row is one short and the others begin with distinct names.

    Raises
    ------
    ValueError
        Every other row ends with the delimiter: the cell behind it may be nothing at all.
    """
    width = len(rows[0]) + 1
    if len(rows) < 2 or any(len(row) != width for row in rows[1:]):
        return False
    if len({row[0] for row in rows[1:]}) < len(rows) - 1:
        return False
    if not any(row[-1].strip() for row in rows[1:]):
        raise ValueError(
            f"{path}:{lines[1]}: every row but the first ends with the delimiter, so the first "
            "column holds names of rows, or the last one holds nothing; take the delimiter at "
            "the end of the rows out of the file, or put one at the end of the first"
        )
    return True


def is_rule(row: Sequence[str]) -> bool:
    """Return whether a row is drawn: dashes below the names of columns, as in Markdown."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return len(row) > 1 and bool(cells) and all(map(_RULE.fullmatch, cells))


def check_rule(path: Path, rows: Sequence[Sequence[str]], lines: Sequence[int]) -> None:
    """Refuse a row of dashes, which would be an item with a label.

    Raises
    ------
    ValueError
        The second row is one.
    """
    if len(rows) > 1 and is_rule(rows[1]):
        raise ValueError(
            f"{path}:{lines[1]}: a line of dashes stands below the names of the columns; take "
            "it out of the file"
        )


def check_header_again(path: Path, rows: Sequence[Sequence[str]], lines: Sequence[int]) -> None:
    """Refuse a table in which the header stands again, as between joined files.

    Raises
    ------
    ValueError
        A row is the same as the first.
    """
    first = rows[0]
    if not any(role_of(cell) for cell in first) and len(first) < 2:
        return  # one column: a label may be called as the column is
    if all(map(is_number, first)):
        return  # labels may be the numbers that name their columns
    again = next((j for j in range(1, len(rows)) if rows[j] == first), None)
    if again is not None:
        raise ValueError(
            f"{path}:{lines[again]}: the names of the columns stand here again, as between "
            "joined files; take the line out of the file"
        )
