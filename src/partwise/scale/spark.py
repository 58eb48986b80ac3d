"""Tables by Spark: rows of a DataFrame counted, or two of them joined on their items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.columns import Column, object_array, with_article
from partwise.labels.forms import read_column
from partwise.labels.items.ids import composite
from partwise.labels.policies import SidePolicies, read_policies
from partwise.numbers.arrow import numbers_of
from partwise.scale.counted_rows import CountedRows, JoinedTable, SideFacts, check_sum, pair_of
from partwise.scale.joined_rows import Gathered, counted_rows, keys_of
from partwise.table.contingency import Contingency
from partwise.typing import ColumnNames, Duplicates, ItemColumns, Missing, Unmatched

__all__ = ["contingency"]

_KINDS = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), "integer"),
    **dict.fromkeys(("float", "double"), "float"),
    **dict.fromkeys(("date", "timestamp_ntz"), "datetime"),
    "timestamp": "datetime with a time zone",
    "boolean": "bool",
    "binary": "bytes",
}


def contingency(
    reference: Any,
    candidate: Any = None,
    *,
    label: ColumnNames,
    item: ItemColumns | None = None,
    unmatched: Unmatched | tuple[Unmatched, Unmatched] = "error",
    missing: Missing | tuple[Missing, Missing] = "error",
    missing_labels: object = None,
    duplicates: Duplicates | tuple[Duplicates, Duplicates] = "error",
) -> Contingency:
    """Return the table of labels in Spark's DataFrames, counted where Spark runs.

    Parameters
    ----------
    reference, candidate : pyspark.sql.DataFrame
        Two frames, joined on their items; or one frame that holds both labels.
    label : str, or pair of str
        Column of the labels; a pair (reference, candidate) where they differ, and always of
        one frame.
    item : str, list of str, or pair of them, optional
        Column or columns of the item, by which two frames are joined.
    unmatched, missing, missing_labels
        As in ``align``; of one frame, not missing="singletons": its rows have no position.
    duplicates : "error"
        Rows of a DataFrame have no order, so that no row of an item is the first one.

    Returns
    -------
    Contingency
        The same table as of the same labels in memory, where items that stand alone are in
        the order of their ids; the account is the same but for notes on ids that look alike.

    Raises
    ------
    ValueError
        A column does not exist or is of another kind than the other side's; items against
        which a policy "error" stands.
    TypeError
        No DataFrames of Spark.

    Notes
    -----
    One full join, grouped by both labels and counted; the cells come home as Arrow. Text is
    compared byte by byte, a NaN is a missing label, and the cells must add up to the rows of
    both frames, which are counted another way. Frames that are costly to make are worth a
    ``cache()``, as three jobs read them.
    """
    _import_spark()
    policies = read_policies(unmatched, missing, missing_labels, duplicates)
    for frame in (reference, candidate):
        if frame is not None and not hasattr(frame, "toArrow"):
            raise TypeError(
                f"DataFrames of Spark are expected, not {with_article(frame)}; "
                "pw.contingency takes what is in memory"
            )
    if any(policy.duplicates != "error" for policy in policies):
        raise ValueError(
            f"duplicates={duplicates!r}: rows of a DataFrame of Spark have no order, so that "
            "none is the first or last of its item; keep one of each before, with "
            "dropDuplicates or a window"
        )
    labels = pair_of(label, "label")
    if candidate is None:
        return _of_one_frame(reference, label, labels, item, policies)
    if item is None:
        raise TypeError(
            "two frames are joined by the column of their items; name it as item=, or pass "
            "one frame that holds both labels"
        )
    items = [[x] if isinstance(x, str) else list(x) for x in pair_of(item, "item")]
    sides = [
        _side(frame, names, own, policy, side)
        for frame, names, own, policy, side in zip(
            (reference, candidate), items, labels, policies, NAMES, strict=True
        )
    ]
    return _of_two_frames(sides)


def _import_spark() -> None:
    try:
        import pyarrow  # noqa: F401 - Spark hands its results over as Arrow
        import pyspark  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"tables by Spark need {error.name}: pip install {error.name}",
            name=error.name,
        ) from error


@dataclass(slots=True)
class _FrameColumn:
    """A column of a frame and the kind of its values."""

    name: str
    kind: str

    def expression(self, alias: str) -> Any:
        """Return the values as they are grouped and joined."""
        from pyspark.sql import functions

        column = functions.col(f"`{self.name.replace('`', '``')}`")
        if self.kind == "text":  # as bytes: a collation would merge names
            column = column.cast("binary")
        elif self.kind == "float":
            column = functions.when(~functions.isnan(column), column)
        return column.alias(alias)

    def constants(self, values: Sequence[Any]) -> list[Any]:
        """Return those labels that the column can hold in any case, as Spark compares them."""
        constants: list[Any] = []
        for value in values:
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if self.kind == "text" and isinstance(value, str):
                constants.append(bytearray(value.encode()))
            elif self.kind == "integer" and is_number and value == value and value % 1 == 0:
                constants.append(int(value))
            elif self.kind == "bool" and isinstance(value, bool):
                constants.append(value)
        return constants

    def read(self, values: Any, what: str) -> Column:
        """Return a column of Arrow as labels."""
        import pyarrow

        if self.kind == "text":
            values = values.cast(pyarrow.large_string())
        return read_column(values, what)


@dataclass(slots=True)
class _FrameSide:
    """One side: its rows as k0 ..., l and p, and what they are."""

    rows: Any
    items: list[_FrameColumn]
    label: _FrameColumn
    policies: SidePolicies

    def unlabelled(self, label: str, present: str) -> Any:
        """Return when a row of the side has no label, or one that means none."""
        from pyspark.sql import functions

        column = functions.col(label)
        lost = column.isNull()
        constants = self.label.constants(self.policies.missing_labels)
        if constants:
            lost = lost | column.isin(constants)
        return functions.col(present).isNotNull() & lost


def _column(frame: Any, name: str, described: str) -> _FrameColumn:
    types = dict(frame.dtypes)
    if name not in types:
        raise ValueError(f"{described} has no column {name!r}; its columns: {', '.join(types)}")
    kind = types[name]
    if kind.startswith("string"):
        return _FrameColumn(name, "text")
    if kind.startswith("decimal"):
        return _FrameColumn(name, "decimal")
    if kind not in _KINDS:
        raise ValueError(
            f"column {name!r} of {described} is of type {kind}, which is neither a label nor "
            "an id; cast it before, for example to string"
        )
    return _FrameColumn(name, _KINDS[kind])


def _side(
    frame: Any, names: Sequence[str], label: str, policies: SidePolicies, side: str
) -> _FrameSide:
    from pyspark.sql import functions

    items = [_column(frame, name, f"the {side}") for name in names]
    own = _column(frame, label, f"the {side}")
    keys = [column.expression(f"k{i}") for i, column in enumerate(items)]
    rows = frame.select(*keys, own.expression("l"), functions.lit(True).alias("p"))
    return _FrameSide(rows, items, own, policies)


# ---- one frame -----------------------------------------------------------------------


def _of_one_frame(
    frame: Any, label: Any, names: Sequence[str], item: Any, policies: Sequence[SidePolicies]
) -> Contingency:
    if item is not None or not isinstance(label, tuple):
        raise TypeError(
            "one frame holds both labels: pass label=(reference column, candidate column) and "
            "no item=, or a second frame"
        )
    if any(policy.missing == "singletons" for policy in policies):
        raise ValueError(
            'missing="singletons" tells items by their positions, which rows of a DataFrame '
            'do not have; choose "drop" or "cluster", or join two frames on an item'
        )
    columns = [_column(frame, name, "the frame") for name in names]
    rows = frame.select(columns[0].expression("la"), columns[1].expression("lb"))
    cells = rows.groupBy("la", "lb").count().toArrow()
    counts = numbers_of(cells.column("count")).astype(np.int64, copy=False)
    n = int(frame.count())
    check_sum(int(counts.sum()), n, "Spark")
    labels = [
        column.read(cells.column(name), side)
        for column, name, side in zip(columns, ("la", "lb"), NAMES, strict=True)
    ]
    nowhere = np.zeros(len(counts), dtype=bool)
    counted_together = CountedRows(
        (labels[0], labels[1]), counts, (nowhere, nowhere), None, nowhere
    )
    facts = SideFacts(n), SideFacts(n)
    return JoinedTable(
        counted_together,
        facts,
        policies,
        "position",
        find_unlabelled=lambda side: f"rows of the frame ({names[side]!r} is null there)",
    ).table()


# ---- two frames ----------------------------------------------------------------------


def _of_two_frames(sides: Sequence[_FrameSide]) -> Contingency:
    from pyspark.sql import functions

    _check_items(sides)
    n_keys = len(sides[0].items)
    a, b = (
        side.rows.select(
            *[functions.col(f"k{i}").alias(f"k{i}{x}") for i in range(n_keys)],
            functions.col("l").alias(f"l{x}"),
            functions.col("p").alias(f"p{x}"),
        )
        for side, x in zip(sides, "ab", strict=True)
    )
    condition = [functions.col(f"k{i}a") == functions.col(f"k{i}b") for i in range(n_keys)]
    joined = a.join(b, condition, "full_outer")
    alone = functions.col("pa").isNull() | functions.col("pb").isNull()
    for side, x in zip(sides, "ab", strict=True):
        if side.policies.missing == "singletons":
            alone = alone | side.unlabelled(f"l{x}", f"p{x}")
    keys = [
        functions.when(
            alone, functions.coalesce(functions.col(f"k{i}a"), functions.col(f"k{i}b"))
        ).alias(f"k{i}")
        for i in range(n_keys)
    ]
    rows = joined.select("la", "lb", "pa", "pb", *keys)
    cells = rows.groupBy("la", "lb", "pa", "pb", *(f"k{i}" for i in range(n_keys))).count()
    policies = [side.policies for side in sides]
    gathered = Gathered(policies, lambda keys: _ids(sides[0], keys))
    gathered.add(cells.withColumnRenamed("count", "n").toArrow())
    n_rows = [int(side.rows.count()) for side in sides]
    _check_rows(sides, gathered, n_rows)
    facts = [SideFacts(n, lone) for n, lone in zip(n_rows, gathered.lone_items, strict=True)]

    def find_unlabelled(side: int) -> str:
        own = sides[side]
        lost = own.rows.filter(own.unlabelled("l", "p"))
        return f"item {_first_item(own, lost)}"

    return JoinedTable(
        counted_rows(gathered, [side.label.read for side in sides]),
        facts,
        policies,
        "item",
        find_unlabelled=find_unlabelled,
    ).table()


def _ids(side: _FrameSide, keys: Sequence[Any]) -> Column:
    read = [column.read(x, "items") for column, x in zip(side.items, keys, strict=True)]
    if len(read) == 1:
        return read[0]
    return composite([object_array(column.decode().tolist()) for column in read], "items")


def _first_item(side: _FrameSide, rows: Any) -> str:
    """Return the least item of some rows as messages show it."""
    names = [f"k{i}" for i in range(len(side.items))]
    first = rows.select(*names).orderBy(*names).limit(1).toArrow()
    return repr(_ids(side, keys_of(first)).value_at(0))


def _check_items(sides: Sequence[_FrameSide]) -> None:
    first, second = sides
    if len(first.items) != len(second.items):
        raise ValueError(
            f"the item has {counted(len(first.items), 'column')} in the reference and "
            f"{counted(len(second.items), 'column')} in the candidate; name as many for both"
        )
    for mine, yours in zip(first.items, second.items, strict=True):
        if mine.kind != yours.kind:
            raise ValueError(
                f"item ids are {mine.kind} in the reference ({mine.name!r}) but {yours.kind} "
                f"in the candidate ({yours.name!r}); cast one side so that equal items have "
                "equal ids"
            )


def _check_rows(sides: Sequence[_FrameSide], gathered: Gathered, n_rows: Sequence[int]) -> None:
    """Raise for rows without an item, repeated items and items of one side only."""
    for name, n in zip(NAMES, gathered.without_id, strict=True):
        if n:
            raise ValueError(
                f"{name} has no item id in {counted(n, 'row')}; every item needs one"
            )
    for i, side in enumerate(sides):
        others = gathered.joined + gathered.lone_rows[1 - i]
        if others == n_rows[1 - i] and gathered.lone_rows[i] == gathered.lone_items[i]:
            continue
        keys = [f"k{x}" for x in range(len(side.items))]
        repeated = side.rows.groupBy(*keys).count().filter("count > 1")
        n_items = repeated.count()
        if n_items:
            raise ValueError(
                f"{NAMES[i]} has {counted(n_items, 'item')} in more than one row, the first is "
                f"{_first_item(side, repeated)}; keep one row of each before, with "
                "dropDuplicates or a window"
            )
    for i in range(2):
        check_sum(gathered.joined + gathered.lone_rows[i], n_rows[i], "Spark")
    for i, side in enumerate(sides):
        if gathered.lone_items[i] and side.policies.unmatched == "error":
            keys = [f"k{x}" for x in range(len(side.items))]
            lone = side.rows.join(sides[1 - i].rows, keys, "left_anti")
            raise ValueError(
                f"{counted(gathered.lone_items[i], NAMES[i] + ' item')} not in the "
                f"{NAMES[1 - i]}, the first is {_first_item(side, lone)}; choose "
                'unmatched="drop" or "singletons" to go on'
            )
