"""The statements of SQL: one side's rows, the join with its counts, repeated and lone items.

A side is a subquery with the columns k0, k1 ... (item), l (label), p (true: the side has the
row) and, where the order of rows matters, r (its number from 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from partwise.labels.policies import SidePolicies
from partwise.scale.duckdb.sources import ColumnOf, Source


@dataclass(slots=True)
class JoinSide:
    """One side of a join.

    Attributes
    ----------
    source : Source
    items : list of ColumnOf
    label : ColumnOf
    policies : SidePolicies
    """

    source: Source
    items: list[ColumnOf]
    label: ColumnOf
    policies: SidePolicies

    def select(self, *, with_rows: bool) -> str:
        """Return the rows as they come."""
        keys = ", ".join(f"{x.expression} AS k{i}" for i, x in enumerate(self.items))
        rows = ", row_number() OVER () AS r" if with_rows else ""
        label = self.label.label_expression
        return f"SELECT {keys}, {label} AS l, true AS p{rows} FROM {self.source.sql}"

    def once(self, rows: str) -> str:
        """Return rows with one per item, where the policy says which."""
        if self.policies.duplicates == "error":
            return f"({rows})"
        best = "arg_min" if self.policies.duplicates == "first" else "arg_max"
        least = "min" if self.policies.duplicates == "first" else "max"
        keys = self.keys()
        # a NULL stays one in a struct: arg_min would pass over it
        return (
            f"(SELECT {keys}, {best}({{'l': l}}, r).l AS l, true AS p, {least}(r) AS r "
            f"FROM ({rows}) GROUP BY {keys})"
        )

    def keys(self, alias: str = "") -> str:
        """Return the columns of the item."""
        return ", ".join(f"{alias}k{i}" for i in range(len(self.items)))

    def unlabelled(self, label: str = "l") -> str:
        """Return the condition that a row has no label, or one that means none."""
        constants = self.label.constants(self.policies.missing_labels)
        declared = f" OR {label} IN ({', '.join(constants)})" if constants else ""
        return f"({label} IS NULL{declared})"


@dataclass(slots=True)
class Join:
    """Both sides and how their rows meet.

    Attributes
    ----------
    sides : pair of JoinSide
    compared_as : list of str
        Type in which each column of the item is compared.
    with_rows : bool
        Whether the order of rows matters.
    wide : list of bool
        Whether a column of the item is of integers that Arrow does not have.
    with_items : bool
        Whether rows that stand alone are told by their items. Without, the join says whether
        there are any, which is all where none may be.
    """

    sides: Sequence[JoinSide]
    compared_as: list[str]
    with_rows: bool
    wide: list[bool] = field(default_factory=list)
    with_items: bool = True

    @property
    def n_keys(self) -> int:
        """Number of columns of an item."""
        return len(self.compared_as)

    def once(self, a: str, b: str) -> tuple[str, str]:
        """Return the rows of both sides, one per item where a policy says which."""
        return self.sides[0].once(a), self.sides[1].once(b)

    def compared(self, alias: str, key: int) -> str:
        """Return a column of the item in the type in which both sides have it."""
        return f"{alias}k{key}::{self.compared_as[key]}"

    @property
    def condition(self) -> str:
        """When rows of a and b are of one item."""
        return " AND ".join(
            f"{self.compared('a.', i)} = {self.compared('b.', i)}" for i in range(self.n_keys)
        )

    def bucket(self, buckets: int) -> str:
        """Return the number of the bucket of a row of one side."""
        keys = ", ".join(self.compared("", i) for i in range(self.n_keys))
        return f"coalesce(hash({keys}) % {buckets}, 0)::INTEGER"

    @property
    def is_single(self) -> str:
        """When a row of the join is kept apart, with its item."""
        conditions = ["a.p IS NULL", "b.p IS NULL"]
        for side, alias in zip(self.sides, "ab", strict=True):
            if side.policies.missing == "singletons":
                conditions.append(f"({alias}.p AND {side.unlabelled(f'{alias}.l')})")
        return " OR ".join(conditions)

    @property
    def item(self) -> list[str]:
        """The columns of the item of a row of the join, as results hold them."""
        columns = []
        for i in range(self.n_keys):
            column = f"coalesce({self.compared('a.', i)}, {self.compared('b.', i)})"
            columns.append(f"{column}::VARCHAR" if self.wide[i] else column)
        return columns

    def columns(self) -> str:
        """Return the columns of the join, by which its rows are counted."""
        if not self.with_items:
            return "a.l AS la, b.l AS lb, a.p AS pa, b.p AS pb"
        single = self.is_single
        keys = [f"CASE WHEN {single} THEN {x} END AS k{i}" for i, x in enumerate(self.item)]
        if self.with_rows:
            keys += [f"CASE WHEN {single} THEN {x}.r END AS r{x}" for x in "ab"]
        return f"a.l AS la, b.l AS lb, a.p AS pa, b.p AS pb, {', '.join(keys)}"

    def counted(self, a: str, b: str) -> str:
        """Return the join of two sides, counted."""
        return (
            f"SELECT {self.columns()}, count(*) AS n FROM {a} a FULL JOIN {b} b "
            f"ON {self.condition} GROUP BY ALL"
        )

    def rows(self, a: str, b: str, buckets: int) -> str:
        """Return the rows of the join, with the bucket of each: -1 for those kept apart."""
        return (
            f"SELECT {self.columns()}, CASE WHEN {self.is_single} THEN -1 "
            f"ELSE coalesce(hash(a.l) % {buckets}, 0)::INTEGER END AS part "
            f"FROM {a} a FULL JOIN {b} b ON {self.condition}"
        )

    def recounted(self, rows: str) -> str:
        """Return rows of ``rows`` counted."""
        keys = ", ".join(f"k{i}" for i in range(self.n_keys))
        order = ", ra, rb" if self.with_rows else ""
        return f"SELECT la, lb, pa, pb, {keys}{order}, count(*) AS n FROM {rows} GROUP BY ALL"

    # ---- for errors and accounts -------------------------------------------------------

    def _order(self, alias: str = "") -> str:
        return f"{alias}r" if self.with_rows else self.sides[0].keys(alias)

    def repeats(self, rows: str) -> str:
        """Return how many rows repeat an item with its first label, and with another one."""
        keys = self.sides[0].keys()
        return (
            "SELECT count(*) FILTER (s.l IS NOT DISTINCT FROM f.l), count(*) "
            f"FROM ({rows}) s JOIN (SELECT {keys}, arg_min({{'l': l}}, r).l AS l, min(r) AS r "
            f"FROM ({rows}) GROUP BY {keys} HAVING count(*) > 1) f USING ({keys}) "
            "WHERE s.r <> f.r"
        )

    def first_repeat(self, rows: str) -> str:
        """Return the first row that repeats an item, both places, whether labels are equal."""
        keys = self.sides[0].keys()
        return (
            f"SELECT {self.sides[0].keys('s.')}, f.r - 1 AS first, s.r - 1 AS again, "
            "s.l IS NOT DISTINCT FROM f.l AS same "
            f"FROM ({rows}) s JOIN (SELECT {keys}, arg_min({{'l': l}}, r).l AS l, min(r) AS r "
            f"FROM ({rows}) GROUP BY {keys} HAVING count(*) > 1) f USING ({keys}) "
            "WHERE s.r <> f.r ORDER BY s.r LIMIT 1"
        )

    def first_lone(self, a: str, b: str) -> str:
        """Return the first item of a that b does not have, and its row."""
        row = "a.r - 1" if self.with_rows else "NULL::BIGINT"
        return (
            f"SELECT {self.sides[0].keys('a.')}, {row} AS at FROM {a} a ANTI JOIN {b} b "
            f"ON {self.condition} ORDER BY {self._order('a.')} LIMIT 1"
        )

    def first_unlabelled(self, a: str, b: str, side: int) -> str:
        """Return the first compared item without a label of a side."""
        alias = "ab"[side]
        kept = [f"{alias}.p AND {self.sides[side].unlabelled(f'{alias}.l')}"]
        for i, other in ((0, "b"), (1, "a")):
            if self.sides[i].policies.unmatched != "singletons":
                kept.append(f"{other}.p IS NOT NULL")
        order = "a.r NULLS LAST, b.r" if self.with_rows else ", ".join(self.item)
        keys = ", ".join(f"{x} AS k{i}" for i, x in enumerate(self.item))
        return (
            f"SELECT {keys} FROM {a} a FULL JOIN {b} b ON {self.condition} "
            f"WHERE {' AND '.join(kept)} ORDER BY {order} LIMIT 1"
        )
