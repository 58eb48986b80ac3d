"""Counting a join: in one statement, or bucket by bucket where memory is short."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from partwise.scale.duckdb.session import Session, quoted
from partwise.scale.duckdb.sources import ColumnOf, ids_of
from partwise.scale.duckdb.statements import Join, JoinSide
from partwise.scale.joined_rows import Gathered

#: Bytes that a row of the larger side takes in DuckDB while it joins, measured: an item and a
#: label of 8 bytes or less; and what each column of text takes beside.
ROW_BYTES, TEXT_BYTES = 24, 24
#: A bucket may take this part of the memory limit.
_BUCKET_PART = 4
_FEWEST_BUCKETS, _MOST_BUCKETS = 4, 256


def item_columns(join: Join) -> list[ColumnOf]:
    """Return the columns of the item as results hold them."""
    columns = []
    for i, own in enumerate(join.sides[0].items):
        stored = "HUGEINT" if join.wide[i] else own.type
        columns.append(ColumnOf(own.name, stored, own.kind))
    return columns


def nothing_gathered(join: Join) -> Gathered:
    """Return what there is before the first row."""
    columns = item_columns(join)
    policies = [side.policies for side in join.sides]
    return Gathered(policies, lambda keys: ids_of(columns, keys))


class Whole:
    """Both sides as they are: one statement."""

    def __init__(self, session: Session, join: Join) -> None:
        self.session, self.join = session, join

    def sides(self) -> Iterator[tuple[str, str]]:
        """Yield the rows of both sides, so that no item is in two parts."""
        a, b = (side.select(with_rows=self.join.with_rows) for side in self.join.sides)
        yield a, b

    def gather(self) -> Gathered:
        """Return the counted rows, with their items where some stand alone."""
        # a key less to group by, where items of one side only would be an error
        self.join.with_items = any(
            "singletons" in (side.policies.missing, side.policies.unmatched)
            or side.policies.unmatched == "drop"
            for side in self.join.sides
        )
        gathered = self._gathered()
        if any(gathered.lone_rows) and not self.join.with_items:
            self.join.with_items = True
            gathered = self._gathered()
        return gathered

    def _gathered(self) -> Gathered:
        gathered = nothing_gathered(self.join)
        for a, b in self.sides():
            gathered.add(self.session.arrow(self.join.counted(*self.join.once(a, b))))
        return gathered


class Split:
    """Both sides in buckets by their items, as parquet in the session's folder.

    Three steps: write both sides by the hash of the item; join each bucket and write its rows
    by the hash of their reference label; count each of those.
    """

    def __init__(self, session: Session, join: Join, buckets: int) -> None:
        self.session, self.join, self.buckets = session, join, buckets
        join.with_items = True  # the buckets are read once
        self.folder = Path(session.folder) / f"split-{buckets}"

    def write(self) -> None:
        """Write both sides by the hash of the item."""
        bucket = self.join.bucket(self.buckets)
        for name, side in zip("ab", self.join.sides, strict=True):
            rows = side.select(with_rows=self.join.with_rows)
            self._write(f"SELECT *, {bucket} AS part FROM ({rows})", name)

    def _write(self, statement: str, name: str) -> None:
        target = self.folder / name
        target.mkdir(parents=True, exist_ok=True)
        self.session.rows(
            f"COPY ({statement}) TO {quoted(str(target))} "
            "(FORMAT parquet, PARTITION_BY (part), OVERWRITE_OR_IGNORE)"
        )

    def sides(self) -> Iterator[tuple[str, str]]:
        """Yield the rows of both sides of each bucket."""
        for bucket in range(self.buckets):
            files = [self._bucket(name, bucket) for name in "ab"]
            if not any(files):
                continue
            a, b = (
                f"SELECT * FROM {read}" if read else self._nothing(side)
                for read, side in zip(files, self.join.sides, strict=True)
            )
            yield a, b

    def _bucket(self, name: str, bucket: int) -> str:
        folder = self.folder / name / f"part={bucket}"
        if not folder.is_dir():
            return ""
        files = quoted(str(folder / "*.parquet"))
        return f"read_parquet({files}, hive_partitioning = false)"

    def _remove_bucket(self, *statements: str) -> None:
        """Remove the files of a bucket that nobody asks for again."""
        for statement in statements:
            folder, pattern, _ = statement.partition("/*.parquet'")
            if pattern:
                shutil.rmtree(folder.partition("'")[2].replace("''", "'"), ignore_errors=True)

    def _nothing(self, side: JoinSide) -> str:
        """Return no rows, with the columns that some would have."""
        return f"SELECT * FROM ({side.select(with_rows=self.join.with_rows)}) LIMIT 0"

    def gather(self) -> Gathered:
        """Return the counted rows."""
        gathered = nothing_gathered(self.join)
        for number, (a, b) in enumerate(self.sides()):
            once = self.join.once(a, b)
            self._write(self.join.rows(*once, self.buckets), f"joined-{number}")
            if all(side.policies.duplicates == "error" for side in self.join.sides):
                self._remove_bucket(a, b)
        parts = list(self.folder.glob("joined-*/part=*"))
        if not parts:  # no rows at all: columns without any
            none = self.join.once(*map(self._nothing, self.join.sides))
            gathered.add(self.session.arrow(self.join.counted(*none)))
        for part in sorted({int(path.name.removeprefix("part=")) for path in parts}):
            files = quoted(str(self.folder / "joined-*" / f"part={part}" / "*.parquet"))
            rows = f"read_parquet({files}, hive_partitioning = false)"
            gathered.add(self.session.arrow(self.join.recounted(rows)))
        return gathered

    def remove(self) -> None:
        """Remove what was written."""
        shutil.rmtree(self.folder, ignore_errors=True)


def estimated_bytes(join: Join, rows: Sequence[int]) -> int:
    """Return about how much memory the join takes in one statement."""
    sizes = []
    for side, n in zip(join.sides, rows, strict=True):
        text = sum(column.kind in ("text", "bytes") for column in (*side.items, side.label))
        sizes.append(n * (ROW_BYTES + 8 * (len(side.items) - 1) + TEXT_BYTES * text))
    return max(sizes)


def n_buckets(estimate: int, limit: int) -> int:
    """Return into how many buckets a join is split."""
    wanted = -(-estimate * 2 * _BUCKET_PART // max(limit, 1))
    return int(min(max(wanted, _FEWEST_BUCKETS), _MOST_BUCKETS))
