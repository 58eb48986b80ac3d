"""From rows that DuckDB reads to a table: two columns of one source, or two sources joined."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.policies import SidePolicies, read_policies
from partwise.scale.counted_rows import JoinedTable, SideFacts, pair_of
from partwise.scale.duckdb.checks import (
    count_repeats,
    first_unlabelled,
    ids_alike,
    refuse_unmatched,
    shown_item,
)
from partwise.scale.duckdb.gather import (
    Split,
    Whole,
    estimated_bytes,
    n_buckets,
)
from partwise.scale.duckdb.one_source import table_of_one_source
from partwise.scale.duckdb.session import MemoryLimitError, Session
from partwise.scale.duckdb.sources import (
    ColumnOf,
    Source,
    columns_of,
    read_source,
)
from partwise.scale.duckdb.statements import Join, JoinSide
from partwise.scale.joined_rows import counted_rows
from partwise.table.contingency import Contingency
from partwise.typing import ColumnNames, Duplicates, ItemColumns, Missing, Unmatched

#: A bucket that does not fit is split again, so many times.
_FURTHER_SPLITS = 2


def contingency(
    reference: Any,
    candidate: Any = None,
    *,
    label: ColumnNames,
    item: ItemColumns | None = None,
    counts: str | None = None,
    connection: Any = None,
    memory_limit: str | int | None = None,
    temp_directory: str | Path | None = None,
    threads: int | None = None,
    unmatched: Unmatched | tuple[Unmatched, Unmatched] = "error",
    missing: Missing | tuple[Missing, Missing] = "error",
    missing_labels: object = None,
    duplicates: Duplicates | tuple[Duplicates, Duplicates] = "error",
) -> Contingency:
    """Return the table of labels that DuckDB reads, joins and counts.

    Parameters
    ----------
    reference, candidate : path, list of paths, SQL, or relation
        Where the rows of each side are: files of parquet or CSV (a pattern such as
        ``"part-*.parquet"``, a folder of parquet), a statement of SQL, the name of a table of
        ``connection``, a relation of ``connection``, or a table of Arrow. Without a candidate
        both labels are columns of the reference.
    label : str, or pair of str
        Column of the labels; a pair (reference, candidate) where the names differ, and always
        where both are columns of one source.
    item : str, list of str, or pair of them, optional
        Column or columns of the item, by which two sources are joined.
    counts : str, optional
        Column of one source that says how many items each row stands for: whole numbers, at
        least 0, as in cells that were counted before. By default a row is an item.
    connection : duckdb.DuckDBPyConnection, optional
        By default a new one, in memory.
    memory_limit : str or int, optional
        What DuckDB may take, such as "1GB", or bytes. By default DuckDB's own limit.
    temp_directory : path, optional
        Where a folder for temporary files is made. It is removed in any case.
    threads : int, optional
        Threads of DuckDB.
    unmatched, missing, missing_labels, duplicates
        As in ``align``. The order of rows is that in which DuckDB reads them; the rows of a
        statement without ORDER BY have no order that "first" and "last" could rest on.

    Returns
    -------
    Contingency
        The same table and account as of the same columns in memory.

    Raises
    ------
    ValueError
        A column does not exist or is of another kind than the other side's; items against
        which a policy "error" stands; a count is null, negative or fractional.
    MemoryError
        Even small parts of the join do not fit in the memory limit.
    OSError
        The folder for temporary files is full.

    Notes
    -----
    One statement joins and counts. Where it would take more than the memory limit, by an
    estimate of 24 bytes a row of the larger side or by trying, the join is split: both sides
    are written by the hash of the item, each bucket is joined and its rows written by the hash
    of the label, and each of those is counted. Labels never become floats, a null is a missing
    label, and text is compared byte by byte whatever the collation. Cells of text files are
    text; labels of them become numbers where ``read`` would make them numbers.

    The cells come home beside the memory limit: some 150 bytes each while the table is made.

    Examples
    --------
    >>> from partwise.scale import duckdb as by_duckdb
    >>> by_duckdb.contingency(
    ...     "SELECT 'x' AS label, unnest([1, 2, 3]) AS item",
    ...     "SELECT item % 2 AS label, item FROM (SELECT unnest([1, 2, 3]) AS item)",
    ...     item="item",
    ...     label="label",
    ... )
    Contingency(3 items, 1 x 2 clusters, 2 cells)
    """
    policies = read_policies(unmatched, missing, missing_labels, duplicates)
    sources = [read_source(reference, "reference")]
    if candidate is not None:
        sources.append(read_source(candidate, "candidate"))
    labels = pair_of(label, "label")
    relations = [source.relation for source in sources]
    if connection is None and any(map(_is_of_duckdb, relations)):
        import duckdb

        connection = duckdb.default_connection()
    pair = relations[0], relations[1] if len(relations) > 1 else None
    with Session(connection, memory_limit, temp_directory, threads, pair) as session:
        if candidate is None:
            if item is not None:
                raise TypeError(
                    "item= joins two sources; pass the second one as the candidate, or leave "
                    "item= away where both labels are columns of one"
                )
            if not isinstance(label, tuple):
                raise TypeError(
                    f"label={label!r} names one column; of one source a pair is expected: "
                    'label=("reference column", "candidate column")'
                )
            return table_of_one_source(session, sources[0], labels, counts, policies)
        if counts is not None:
            raise TypeError(
                f"counts={counts!r} goes with one source that holds both labels; items of two "
                "sources are rows"
            )
        if item is None:
            raise TypeError(
                "two sources are joined by the column of their items; name it as item=, or "
                "pass one source that holds both labels"
            )
        return _of_two_sources(session, sources, labels, pair_of(item, "item"), policies)


def _is_of_duckdb(relation: Any) -> bool:
    return type(relation).__module__.partition(".")[0] in ("duckdb", "_duckdb")


# ---- two sources -----------------------------------------------------------------------


def _of_two_sources(
    session: Session,
    sources: Sequence[Source],
    labels: Sequence[str],
    items: Sequence[Any],
    policies: Sequence[SidePolicies],
) -> Contingency:
    sides = []
    for source, label, item, policy in zip(sources, labels, items, policies, strict=True):
        names = [item] if isinstance(item, str) else list(item)
        if not names:
            raise ValueError("item=[] names no column; name the one that holds the item ids")
        columns = columns_of(session, source, [*names, label])
        sides.append(JoinSide(source, columns[:-1], columns[-1], policy))
    join = _join_of(session, sides)
    session.set("preserve_insertion_order", join.with_rows)
    rows = [session.count(side.source.sql) for side in sides]
    estimate, limit = estimated_bytes(join, rows), session.memory_limit
    if estimate <= limit:
        try:
            return _finished(session, join, Whole(session, join), rows)
        except MemoryLimitError:
            pass  # the estimate was too low for these rows: split them
    buckets = n_buckets(estimate, limit)
    for _ in range(_FURTHER_SPLITS):
        try:
            return _split(session, join, buckets, rows)
        except MemoryLimitError:
            buckets *= 4
    return _split(session, join, buckets, rows)


def _split(session: Session, join: Join, buckets: int, rows: Sequence[int]) -> Contingency:
    """Return the table of a join in buckets, and remove these."""
    split = Split(session, join, buckets)
    try:
        split.write()
        return _finished(session, join, split, rows)
    finally:
        split.remove()


def _join_of(session: Session, sides: Sequence[JoinSide]) -> Join:
    """Return how both sides are joined; items of different kinds are refused."""
    first, second = sides
    if len(first.items) != len(second.items):
        raise ValueError(
            f"the item has {counted(len(first.items), 'column')} in the reference and "
            f"{counted(len(second.items), 'column')} in the candidate; name as many for both"
        )
    compared_as, wide = [], []
    for mine, yours in zip(first.items, second.items, strict=True):
        if mine.kind != yours.kind:
            shown = [_first_id(session, *pair) for pair in ((first, mine), (second, yours))]
            raise ValueError(
                f"item ids are {mine.kind} in the reference (first: {shown[0]}) but "
                f"{yours.kind} in the candidate (first: {shown[1]}); convert one side so that "
                "equal items have equal ids, for example with a cast in a statement of SQL"
            )
        common = session.rows(
            f"DESCRIBE SELECT {mine.expression} FROM {first.source.sql} UNION ALL "
            f"SELECT {yours.expression} FROM {second.source.sql}"
        )[0][1]
        compared_as.append(str(common))
        wide.append(
            mine.kind == "integer" and str(common) in ("HUGEINT", "UHUGEINT", "VARCHAR")
        )
    with_rows = any(
        "singletons" in (side.policies.missing, side.policies.unmatched)
        or side.policies.duplicates != "error"
        for side in sides
    )
    return Join(sides, compared_as, with_rows, wide)


def _first_id(session: Session, side: JoinSide, column: ColumnOf) -> str:
    row = session.arrow(f"SELECT {column.expression} AS k0 FROM {side.source.sql} LIMIT 1")
    return shown_item([column], row) if len(row) else "none"


def _finished(
    session: Session, join: Join, way: Whole | Split, rows: Sequence[int]
) -> Contingency:
    """Return the table of a join, or raise what its items stand against."""
    gathered = way.gather()
    for name, n in zip(NAMES, gathered.without_id, strict=True):
        if n:
            raise ValueError(
                f"{name} has no item id in {counted(n, 'row')}; every item needs one"
            )
    facts = [SideFacts(n, lone) for n, lone in zip(rows, gathered.lone_items, strict=True)]
    count_repeats(session, join, way, gathered, facts)
    hint = ids_alike(session, join, gathered, rows)
    for side in range(2):
        if gathered.lone_items[side] and join.sides[side].policies.unmatched == "error":
            refuse_unmatched(session, join, side, gathered.lone_items[side], hint)
    return JoinedTable(
        counted_rows(gathered, [side.label.read for side in join.sides]),
        facts,
        [side.policies for side in join.sides],
        "item",
        hint,
        lambda side: first_unlabelled(session, join, side),
    ).table()
