"""Rows that carry a count, by DuckDB: the table of so many rows."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

from partwise.scale import duckdb as by_duckdb  # noqa: E402

pytestmark = pytest.mark.one_backend
TYPES = ["TINYINT", "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL(18,3)", "DOUBLE"]
rows = st.lists(
    st.tuples(
        st.none() | st.sampled_from([1, 2, 2**63 - 1]),
        st.none() | st.sampled_from("xyz"),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as own:
        yield own


def arrow(rows, kind=None):
    a, b, n = zip(*rows, strict=True)
    columns = pa.array(a, pa.int64()), pa.array(b, pa.string()), pa.array(n, kind)
    return pa.table(dict(zip("abn", columns, strict=True)))


def content(table):
    parts = (*table.cells, table.row_labels, table.col_labels, table.row_sizes, table.col_sizes)
    return [part.tolist() for part in parts]


@given(
    rows=rows.filter(lambda rows: any(n for *_, n in rows)),
    kind=st.sampled_from(TYPES),
    missing=st.sampled_from(["cluster", "drop", "error"]),
    declared=st.booleans(),
)
def test_as_many_rows_give_the_same_table(connection, rows, kind, missing, declared):
    counted = arrow(rows)
    connection.register("counted", counted)
    options = {"missing": missing, "missing_labels": ([2], ["x"]) if declared else None}
    each = [(a, b) for a, b, n in rows for _ in range(n)]
    results = []
    for make in (
        lambda: pw.contingency(
            *(
                pa.array(x, t)
                for x, t in zip(zip(*each, strict=True), (pa.int64(), pa.string()), strict=True)
            ),
            **options,
        ),
        lambda: by_duckdb.contingency(
            f"SELECT a, b, n::{kind} AS n FROM counted",
            label=("a", "b"),
            counts="n",
            connection=connection,
            **options,
        ),
    ):
        try:
            table = make()
            account = table.account
            results.append((content(table), account.items, account.dropped))
            results[-1] += (account.reference, account.candidate)
        except ValueError as error:
            results.append(str(error).partition(" at index")[0])
    assert results[0] == results[1]


def test_counts_above_32_bits_and_up_to_the_end():
    source = pa.table({"a": [1, 1, 2], "b": [1, 1, 2], "n": [2**40, 2**62, 2**62 - 2**40 - 1]})
    table = by_duckdb.contingency(source, label=("a", "b"), counts="n")
    assert table.counts.tolist() == [2**40 + 2**62, 2**62 - 2**40 - 1]
    assert table.n_items == 2**63 - 1
    assert table.account.describe().startswith(f"{2**63 - 1} items compared, ")
    more = pa.concat_tables([source, source.slice(0, 1)])
    with pytest.raises(
        ValueError, match=rf"4 counts in .* add up to {2**63 - 1 + 2**40}; at m"
    ):
        by_duckdb.contingency(more, label=("a", "b"), counts="n")


def test_the_account_is_that_of_counts():
    rows = [(1, "x", 3), (1, "y", 0), (2, "x", 2)]
    table = by_duckdb.contingency(arrow(rows), label=("a", "b"), counts="n")
    cells = pw.Contingency.from_counts([1, 2], ["x", "x"], [3, 2])
    assert content(table) == content(cells)
    assert table.account.describe() == cells.account.describe()


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    ("count", "said"),
    [
        (-2, r"count -2(\.0)? in .* at index 1 is negative; counts are at least 0"),
        (0.5, "count 0.5 in .* at index 1 is not a whole number; round it"),
        (None, "count NULL in .* at index 1 is missing; every row needs a count"),
        (2.0**63, "at index 1 is above 2\\^63 - 1"),
        (float("nan"), "at index 1 is not a whole number"),
        (float("inf"), "at index 1 is not a whole number"),
        ("1.00000001", "count 1.00000001 in .* at index 1 is not a whole number"),
    ],
)
def test_wrong_counts_are_named(tmp_path, text, count, said):
    if text:
        shown = "" if count is None else count
        (tmp_path / "x.csv").write_text(f"a,b,n\n1,x,2\n1,y,{shown}\n2,x,-1\n")
        source = tmp_path / "x.csv"
        said = said.replace("NULL", "(NULL|)")
    else:
        source = arrow([(1, "x", 2.0), (1, "y", float(count or 0)), (2, "x", -1.0)])
        if count is None:
            source = arrow([(1, "x", 2), (1, "y", None), (2, "x", -1)])
    with pytest.raises(ValueError, match=said):
        by_duckdb.contingency(source, label=("a", "b"), counts="n")


def test_counts_of_text_files(tmp_path):
    (tmp_path / "x.csv").write_text("a,b,n\n1,x,2\n1,x, 3 \n2,y,4.0\n")
    table = by_duckdb.contingency(tmp_path / "x.csv", label=("a", "b"), counts="n")
    assert table.counts.tolist() == [5, 4]
    assert table.row_labels.dtype == np.int64


def test_counts_that_cannot_be():
    source = arrow([(1, "x", 2), (None, "x", 1)])
    with pytest.raises(ValueError, match="column 'b' of the reference is of type VARCHAR"):
        by_duckdb.contingency(source, label=("a", "b"), counts="b")
    with pytest.raises(ValueError, match="the reference has no column 'm'"):
        by_duckdb.contingency(source, label=("a", "b"), counts="m")
    with pytest.raises(ValueError, match="counts='n' with missing=\"singletons\""):
        by_duckdb.contingency(source, label=("a", "b"), counts="n", missing="singletons")
    with pytest.raises(ValueError, match=r"missing labels: 1 in the reference .* at index 1"):
        by_duckdb.contingency(source, label=("a", "b"), counts="n")
    with pytest.raises(TypeError, match="counts='n' goes with one source"):
        by_duckdb.contingency(source, source, label="a", item="b", counts="n")
