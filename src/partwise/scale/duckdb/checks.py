"""What the rows of a join are checked for, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.suspicions import alike_ids
from partwise.numbers.arrow import numbers_of
from partwise.scale.counted_rows import SideFacts, check_sum
from partwise.scale.duckdb.gather import Split, Whole, item_columns
from partwise.scale.duckdb.session import Session
from partwise.scale.duckdb.sources import ColumnOf, ids_of
from partwise.scale.duckdb.statements import Join
from partwise.scale.joined_rows import Gathered

#: Ids of a side that are compared with unmatched ones of the other, as ``align`` does.
_MOST_IDS = 100_000


def count_repeats(
    session: Session, join: Join, way: Whole | Split, gathered: Gathered, facts: list[SideFacts]
) -> None:
    """Count the repeated items, or raise where they are refused or the sums do not agree."""
    distinct = []
    for side, one in zip(join.sides, facts, strict=True):
        n = one.rows
        if side.policies.duplicates != "error":
            keys = side.keys()
            number = join.sides.index(side)
            n = sum(
                session.count(f"(SELECT DISTINCT {keys} FROM ({parts[number]}))")
                for parts in way.sides()
            )
        distinct.append(n)
    for i, side in enumerate(join.sides):
        one, lone = facts[i], gathered.lone_rows[i]
        if side.policies.duplicates != "error":
            if one.rows > distinct[i]:
                same, again = _repeats(session, join, way, i)
                one.repeated, one.conflicting = same, again - same
        elif gathered.joined + gathered.lone_rows[1 - i] != distinct[1 - i] or (
            lone != gathered.lone_items[i]
        ):
            _refuse_repeats(session, join, i)
    for i in range(2):
        check_sum(gathered.joined + gathered.lone_rows[i], distinct[i], "DuckDB")


def _repeats(session: Session, join: Join, way: Whole | Split, side: int) -> tuple[int, int]:
    same = again = 0
    for parts in way.sides():
        equal, total = session.rows(join.repeats(parts[side]))[0]
        same, again = same + int(equal), again + int(total)
    return same, again


def _numbered(session: Session, join: Join) -> tuple[str, str]:
    """Return the rows of both sides with their numbers, to say where something stands."""
    session.set("preserve_insertion_order", True)
    return join.sides[0].select(with_rows=True), join.sides[1].select(with_rows=True)


def shown_item(columns: Sequence[ColumnOf], rows: Any) -> str:
    """Return the item of the first row as messages show it."""
    keys = [rows.column(f"k{i}").slice(0, 1) for i in range(len(columns))]
    return repr(ids_of(columns, keys).value_at(0))


def _refuse_repeats(session: Session, join: Join, side: int) -> None:
    """Raise if a side has an item twice."""
    rows = _numbered(session, join)[side]
    repeat = session.arrow(join.first_repeat(rows))
    if not len(repeat):
        return
    first, again, same = (repeat.column(x)[0].as_py() for x in ("first", "again", "same"))
    item = shown_item(join.sides[side].items, repeat)
    equal, total = session.rows(join.repeats(rows))[0]
    raise ValueError(
        f"{NAMES[side]} has item {item} at index {first} and again, with "
        f"{'the same label' if same else 'another label'}, at index {again} ({equal} repeats "
        f"with the same label, {total - equal} with another one); remove them or choose "
        'duplicates="first" or "last"'
    )


def refuse_unmatched(session: Session, join: Join, side: int, n: int, hint: str) -> None:
    """Raise because n items of a side are not in the other one."""
    rows = _numbered(session, join)
    ordered = Join(join.sides, join.compared_as, True, join.wide)
    own, other = (join.sides[x].once(rows[x]) for x in (side, 1 - side))
    lone_row = session.arrow(ordered.first_lone(own, other))
    item = shown_item(join.sides[side].items, lone_row)
    raise ValueError(
        f"{counted(n, NAMES[side] + ' item')} not in the {NAMES[1 - side]}, the first is "
        f"{item} at index {lone_row.column('at')[0].as_py()}{hint and f'; {hint}'}; choose "
        'unmatched="drop" or "singletons" to go on'
    )


def first_unlabelled(session: Session, join: Join, side: int) -> str:
    """Return the first compared item that has no label on a side."""
    a, b = join.once(*_numbered(session, join))
    ordered = Join(join.sides, join.compared_as, True, join.wide)
    row = session.arrow(ordered.first_unlabelled(a, b, side))
    if not len(row):
        return "a row that DuckDB was not asked for"
    return f"item {shown_item(item_columns(join), row)}"


def ids_alike(session: Session, join: Join, gathered: Gathered, rows: Sequence[int]) -> str:
    """Return how unmatched ids look like ids of the other side, as ``align`` tells it."""
    if not any(gathered.lone_items) or min(rows) > _MOST_IDS:
        return ""
    numbered = _numbered(session, join)
    ordered = Join(join.sides, join.compared_as, True, join.wide)
    ids, lone = [], []
    for side in range(2):
        own, other = (join.sides[x].once(numbered[x]) for x in (side, 1 - side))
        keys = join.sides[side].keys("a.")
        lone_rows = (
            f"SELECT {keys}, a.r FROM {own} a ANTI JOIN {other} b ON {ordered.condition} "
            "ORDER BY a.r LIMIT 1000"
        )
        few = rows[side] <= _MOST_IDS
        all_rows = f"SELECT {keys}, a.r FROM ({numbered[side]}) a ORDER BY a.r"
        every = session.arrow(all_rows if few else lone_rows)
        columns = join.sides[side].items
        ids.append(ids_of(columns, [every.column(f"k{i}") for i in range(join.n_keys)]))
        if few:
            lone_places = numbers_of(session.arrow(lone_rows).column("r")) - 1
            lone.append(lone_places if rows[1 - side] <= _MOST_IDS else lone_places[:0])
        else:
            lone.append(np.arange(len(every)))
    return alike_ids(ids[0], ids[1], lone[0], lone[1])
