"""The table of two columns of one source, whose rows are items or stand for several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.columns import Column
from partwise.labels.policies import SidePolicies
from partwise.numbers.arrow import numbers_of, present_in
from partwise.scale.counted_rows import CountedRows, JoinedTable, SideFacts, check_sum
from partwise.scale.duckdb.session import Session, identifier
from partwise.scale.duckdb.sources import Source, columns_of
from partwise.scale.duckdb.statements import JoinSide
from partwise.table.contingency import Contingency

_MOST_ITEMS = 2**63 - 1


def table_of_one_source(
    session: Session,
    source: Source,
    names: Sequence[str],
    counts: str | None,
    policies: Sequence[SidePolicies],
) -> Contingency:
    """Return the table of two columns of one source.

    Rows are items, told by their number, or as many as the column ``counts`` says.
    """
    columns = columns_of(session, source, names)
    sides = [
        JoinSide(source, [], column, policy)
        for column, policy in zip(columns, policies, strict=True)
    ]
    alone = [
        side.unlabelled(name)
        for side, name in zip(sides, ("la", "lb"), strict=True)
        if side.policies.missing == "singletons"
    ]
    chosen = [
        f"{x.label_expression} AS {y}" for x, y in zip(columns, ("la", "lb"), strict=True)
    ]
    n_of_group, kept = "count(*)", ""
    if counts is None:
        n = session.count(source.sql)
    else:
        if alone:
            raise ValueError(
                f'counts={counts!r} with missing="singletons": a row stands for several items, '
                'which have nothing to tell them apart; choose missing="drop" or "cluster", or '
                "pass a row an item"
            )
        number, n = _checked_counts(session, source, counts)
        chosen.append(f"({number})::HUGEINT AS c")
        n_of_group, kept = "sum(c)::BIGINT", "WHERE c > 0"
    session.set("preserve_insertion_order", bool(alone))
    group = "la, lb"
    if alone:  # a column more to group by costs time
        chosen.append("row_number() OVER () AS r")
        group += f", CASE WHEN {' OR '.join(alone)} THEN r - 1 END::BIGINT AS r"
    rows = f"(SELECT {', '.join(chosen)} FROM {source.sql})"
    arrow = session.arrow(f"SELECT {group}, {n_of_group} AS n FROM {rows} {kept} GROUP BY ALL")
    items, single = None, np.zeros(len(arrow), dtype=bool)
    if alone:
        arrow = arrow.sort_by("r")
        items = Column(numbers_of(arrow.column("r")))
        single = present_in(arrow.column("r"))
    sizes = numbers_of(arrow.column("n")).astype(np.int64, copy=False)
    check_sum(int(sizes.sum()), n, "DuckDB")

    def find_unlabelled(side: int) -> str:
        session.set("preserve_insertion_order", True)
        conditions = [sides[side].unlabelled()]
        label = f"{columns[side].label_expression} AS l"
        if counts is not None:
            label += f", {number} AS c"
            conditions.append("c > 0")
        numbered = f"(SELECT {label}, row_number() OVER () AS r FROM {source.sql})"
        first = session.rows(
            f"SELECT min(r) - 1 FROM {numbered} WHERE {' AND '.join(conditions)}"
        )
        return f"index {first[0][0]}"

    labels = [
        column.read(arrow.column(name), side)
        for column, name, side in zip(columns, ("la", "lb"), NAMES, strict=True)
    ]
    present = np.zeros(len(sizes), dtype=bool)
    return JoinedTable(
        CountedRows((labels[0], labels[1]), sizes, (present, present), items, single),
        (SideFacts(n), SideFacts(n)),
        policies,
        "position" if counts is None else "counts",
        find_unlabelled=find_unlabelled,
    ).table()


def _checked_counts(session: Session, source: Source, name: str) -> tuple[str, int]:
    """Return SQL for the numbers in a column of counts, and their sum.

    Raises
    ------
    ValueError
        A count is null, negative, fractional or too large, or the column is of no numbers.
    """
    (column,) = columns_of(session, source, [name])
    shown = f"column {name!r} of {source.described}"
    number, missing = identifier(name), f"{identifier(name)} IS NULL"
    if column.is_text:  # 1.0000001 must not be rounded to a whole number
        text = number
        number = f"TRY_CAST({text} AS DECIMAL(38, 6))"
        missing = f"({text} IS NULL OR trim({text}) = '')"
        fractional = f"({number} IS NULL OR TRY_CAST({text} AS DOUBLE) % 1 <> 0)"
    elif column.kind == "integer":
        fractional = "false"
    elif column.kind in ("decimal", "float"):
        finite = "true" if column.kind == "decimal" else f"isfinite({number})"
        fractional = f"(NOT {finite} OR {number} <> floor({number}))"
    else:
        raise ValueError(f"{shown} is of type {column.type}; counts are whole numbers")
    large = f"({number})::DOUBLE >= 9223372036854775808::DOUBLE"
    if column.kind == "integer" and not column.is_text:
        large = f"{number} >= 9223372036854775808"
    wrong = {
        "is missing; every row needs a count": missing,
        "is not a whole number; round it, or pass the rows that were counted": fractional,
        "is negative; counts are at least 0": f"{number} < 0",
        "is above 2^63 - 1": large,
    }
    any_wrong = " OR ".join(wrong.values())
    if session.count(f"{source.sql} WHERE {any_wrong}"):
        session.set("preserve_insertion_order", True)
        kinds = " ".join(f"WHEN {x} THEN {i}" for i, x in enumerate(wrong.values()))
        row, value, which = session.rows(
            f"SELECT r - 1, v, CASE {kinds} END FROM (SELECT *, {identifier(name)}::VARCHAR AS "
            f"v, row_number() OVER () AS r FROM {source.sql}) WHERE {any_wrong} "
            "ORDER BY r LIMIT 1"
        )[0]
        value = "NULL" if value is None else value
        raise ValueError(f"count {value} in {shown} at index {row} {list(wrong)[which]}")
    total = int(session.rows(f"SELECT sum(({number})::HUGEINT) FROM {source.sql}")[0][0] or 0)
    if total > _MOST_ITEMS:
        raise ValueError(
            f"the {counted(session.count(source.sql), 'count')} in {shown} add up to {total}; "
            "at most 2^63 - 1 items can be held"
        )
    return number, total
