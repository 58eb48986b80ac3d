"""Tables by DuckDB are those of the same columns in memory, with the same account."""

import datetime
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import partwise as pw
from engine_inputs import (
    WORDS,
    assert_same,
    in_memory,
    joins,
    outcome,
    pairs_of,
    policies,
    sides,
)
from partwise.labels import SingletonLabel

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

from partwise.scale import duckdb as by_duckdb  # noqa: E402
from partwise.scale.duckdb import tables  # noqa: E402
from partwise.scale.duckdb.session import Session  # noqa: E402

pytestmark = pytest.mark.one_backend


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as own:
        yield own


@pytest.fixture
def always_split(monkeypatch):
    """Every join is taken for one that needs more memory than there is."""
    monkeypatch.setattr(tables, "estimated_bytes", lambda *_: 1 << 60)
    monkeypatch.setattr(tables, "n_buckets", lambda *_: 3)


def joined(reference, candidate, connection=None, **policy):
    return by_duckdb.contingency(
        reference, candidate, item="item", label="label", connection=connection, **policy
    )


# ---- the laws ----------------------------------------------------------------------


@settings(max_examples=30)
@given(join=joins(), policy=policies())
def test_a_join_is_that_in_memory(connection, join, policy):
    wanted = outcome(in_memory, *join, **policy)
    assert_same(outcome(joined, *join, connection, **policy), wanted)


@settings(max_examples=30)
@given(join=joins(), policy=policies())
def test_a_split_join_is_that_in_memory(always_split, join, policy):
    wanted = outcome(in_memory, *join, **policy)
    assert_same(outcome(joined, *join, None, **policy), wanted)


@settings(max_examples=80)
@given(reference=sides("int64"), candidate=sides("int64"), missing=pairs_of(WORDS["missing"]))
def test_two_columns_of_one_source_are_those_in_memory(
    connection, reference, candidate, missing
):
    n = min(len(reference), len(candidate))
    rows = pa.table({"a": reference["label"][:n], "b": candidate["label"][:n]})
    wanted = outcome(pw.contingency, rows["a"], rows["b"], missing=missing)
    made = outcome(
        by_duckdb.contingency, rows, label=("a", "b"), connection=connection, missing=missing
    )
    assert_same(made, wanted)


@settings(max_examples=30)
@given(
    codes=st.lists(st.tuples(st.integers(0, 12), st.integers(-1, 2), st.integers(-1, 2))),
    policy=policies(missing=("drop", "singletons", "cluster")),
    as_text=st.booleans(),
)
def test_labels_declared_to_mean_none(connection, codes, policy, as_text):
    kind = pa.string() if as_text else pa.int32()
    none = "-1" if as_text else -1
    ids = pa.array([x for x, _, _ in codes], pa.int64())
    tables_of = []
    for i in (1, 2):
        labels = [str(x[i]) if as_text else x[i] for x in codes]
        tables_of.append(pa.table({"item": ids, "label": pa.array(labels, kind)}))
    wanted = outcome(in_memory, *tables_of, **policy, missing_labels=none)
    made = outcome(joined, *tables_of, connection, **policy, missing_labels=none)
    assert_same(made, wanted)


def test_ids_of_several_columns(connection):
    reference = pa.table(
        {"doc": ["d", "d", "e"], "mention": [1, 2, 1], "label": ["x", "x", None]}
    )
    candidate = pa.table({"doc": ["e", "d"], "mention": [1, 2], "other": [5, 5]})
    policy = {"unmatched": "singletons", "missing": "singletons"}
    table = by_duckdb.contingency(
        reference,
        candidate,
        item=["doc", "mention"],
        label=("label", "other"),
        connection=connection,
        **policy,
    )
    ids = [reference.select(["doc", "mention"]), candidate.select(["doc", "mention"])]
    wanted = pw.contingency(
        pw.Clustering(reference["label"], items=ids[0].to_pandas()),
        pw.Clustering(candidate["other"], items=ids[1].to_pandas()),
        **policy,
    )
    assert_same(table, wanted)
    assert SingletonLabel(("d", 1)) in table.col_labels.tolist()


# ---- what does not go through floats --------------------------------------------------


def test_ids_of_two_integer_types_are_compared_as_integers(connection):
    reference = pa.table({"item": pa.array([2**53], pa.int64()), "label": [1]})
    candidate = pa.table({"item": pa.array([2**53 + 1], pa.uint64()), "label": [1]})
    with pytest.raises(ValueError, match="1 reference item not in the candidate, the"):
        joined(reference, candidate, connection)
    alone = joined(reference, candidate, connection, unmatched="singletons")
    assert alone.n_items == 2
    assert SingletonLabel(2**53 + 1) in alone.row_labels.tolist()


@pytest.mark.usefixtures("always_split")
def test_ids_of_two_integer_types_meet_in_one_bucket():
    numbers = list(range(50))
    reference = pa.table({"item": pa.array(numbers, pa.int8()), "label": numbers})
    candidate = pa.table({"item": pa.array(numbers, pa.uint64()), "label": numbers})
    assert joined(reference, candidate).n_cells == 50


@pytest.mark.parametrize("split", [False, True])
def test_integers_beyond_64_bits_stay_what_they_are(request, split):
    if split:
        request.getfixturevalue("always_split")
    big = 2**127 - 1
    reference = f"SELECT {big}::HUGEINT - unnest([0, 1, 2]) AS label, unnest([1, 2, 3]) AS item"
    candidate = "SELECT unnest([7, 7, 8])::UHUGEINT AS label, unnest([1, 2, 3]) AS item"
    table = joined(reference, candidate)
    assert table.row_labels.tolist() == [big - 2, big - 1, big]
    assert table.col_labels.tolist() == [7, 8]
    assert table.counts.tolist() == [1, 1, 1]
    ids = f"SELECT {big}::HUGEINT - unnest([0, 1]) AS item, 1 AS label"
    lone = joined(ids, ids.replace("[0, 1]", "[0, 2]"), unmatched="singletons")
    assert {SingletonLabel(big - 1), SingletonLabel(big - 2)} <= {
        *lone.row_labels.tolist(),
        *lone.col_labels.tolist(),
    }


def test_more_items_than_32_bits_count(connection):
    """70,000 squared, and a cell above 2^32 by one statement of counts."""
    arrow = connection.sql(
        "SELECT i // 2 AS a, i % 2 AS b, (1::BIGINT << 33) + i AS n FROM range(4) t(i)"
    ).to_arrow_table()
    weights = [0.5, 1.5, 2.0, 4.0]
    table = pw.Contingency.from_counts(arrow["a"], arrow["b"], arrow["n"], weights=weights)
    assert table.counts.tolist() == [2**33, 2**33 + 1, 2**33 + 2, 2**33 + 3]
    assert table.total_mass == 8.0
    once = pa.table({"a": np.zeros(70_000, np.int32), "b": np.zeros(70_000, np.int32)})
    square = by_duckdb.contingency(once, label=("a", "b"), connection=connection)
    assert pw.pair_confusion(square).n11 == 70_000 * 69_999 // 2


def test_a_collation_merges_no_labels(connection):
    connection.execute("CREATE OR REPLACE TABLE names(item INT, label VARCHAR COLLATE NOCASE)")
    connection.execute("INSERT INTO names VALUES (1, 'a'), (2, 'A')").fetchall()
    table = by_duckdb.contingency(
        "names", "names", item="item", label="label", connection=connection
    )
    assert table.row_labels.tolist() == ["A", "a"]


# ---- where rows come from --------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """One clustering in parquet, in pieces, and in CSV; the other likewise."""
    reference = pa.table({"id": [3, 1, 2, 4], "truth": ["x", "y", "x", "z"]})
    candidate = pa.table({"id": [1, 2, 3, 4], "cluster": [10, 10, 20, 20]})
    (tmp_path / "pieces").mkdir()
    parquet.write_table(reference, tmp_path / "truth.parquet")
    parquet.write_table(candidate, tmp_path / "clusters.parquet")
    for i in range(2):
        parquet.write_table(reference[2 * i : 2 * i + 2], tmp_path / f"pieces/part-{i}.parquet")
    (tmp_path / "truth.csv").write_text("id,truth\n3,x\n1,y\n2,x\n4,z\n")
    (tmp_path / "clusters.csv").write_text("id,cluster\n1,10\n2,10\n3,20\n4,20\n")
    return tmp_path


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("{0}/truth.parquet", "{0}/clusters.parquet"),
        ("{0}/pieces/*.parquet", "{0}/clusters.parquet"),
        ("{0}/pieces", "{0}/clusters.parquet"),
        ("{0}/truth.csv", "{0}/clusters.csv"),
        ("SELECT * FROM '{0}/truth.parquet'", "FROM '{0}/clusters.parquet';"),
    ],
)
def test_files_and_statements(files, reference, candidate):
    table = by_duckdb.contingency(
        reference.format(files),
        candidate.format(files),
        item="id",
        label=("truth", "cluster"),
    )
    assert table.row_labels.tolist() == ["x", "y", "z"]
    assert table.col_labels.tolist() == [10, 20]
    assert table.to_scipy().toarray().tolist() == [[1, 1], [1, 0], [0, 1]]


def test_paths_and_lists_of_paths(files):
    pieces = sorted((files / "pieces").glob("*.parquet"))
    table = by_duckdb.contingency(
        pieces, Path(files / "clusters.parquet"), item="id", label=("truth", "cluster")
    )
    assert table.n_items == 4


def test_relations_of_a_connection(connection, files):
    truth = connection.sql(f"SELECT * FROM '{files}/truth.parquet'")
    clusters = connection.sql(f"SELECT * FROM '{files}/clusters.parquet'")
    table = by_duckdb.contingency(
        truth, clusters, item="id", label=("truth", "cluster"), connection=connection
    )
    assert table.n_items == 4
    assert connection.sql("SHOW TABLES").fetchall() in ([], [("names",)])


def test_relations_of_the_default_connection(files):
    truth = duckdb.sql(f"SELECT * FROM '{files}/truth.parquet'")
    table = by_duckdb.contingency(truth, label=("truth", "truth"))
    assert table.n_items == 4


def test_cells_of_text_files_keep_names_apart(tmp_path):
    (tmp_path / "a.csv").write_text("item,label\n01,007\n1,7\n2,NA\n")
    (tmp_path / "b.csv").write_text("item,label\n1,18446744073709551615\n01,5\n2,5\n")
    table = joined(tmp_path / "a.csv", tmp_path / "b.csv", missing=("singletons", "error"))
    assert table.row_labels.tolist() == ["007", "7", SingletonLabel("2")]
    assert table.col_labels.tolist() == [5, 2**64 - 1]


@pytest.mark.parametrize("setting", ["memory_limit = '3GB'", "threads = 2"])
def test_settings_of_the_callers_connection_come_back(setting):
    with duckdb.connect() as own:
        own.execute(f"SET {setting}").fetchall()
        names = ("memory_limit", "threads", "preserve_insertion_order")
        ask = "SELECT " + ", ".join(f"current_setting('{x}')" for x in names)
        before = own.execute(ask).fetchall()
        rows = pa.table({"item": [1, 2], "label": [1, 1]})
        by_duckdb.contingency(
            rows,
            rows,
            item="item",
            label="label",
            connection=own,
            memory_limit="300MB",
            threads=1,
        )
        assert own.execute(ask).fetchall() == before


# ---- what is refused -------------------------------------------------------------------


ROWS = pa.table({"item": [1, 2], "label": [1, 1], "parts": [[1], [2]]})


@pytest.mark.parametrize(
    ("arguments", "keywords", "words"),
    [
        ((ROWS,), {"label": "label"}, "names one column; of one source a pair"),
        ((ROWS,), {"label": ("label", "label"), "item": "item"}, "item= joins two sources"),
        ((ROWS, ROWS), {"label": "label"}, "name it as item="),
        (
            (ROWS, ROWS),
            {"label": "labels", "item": "item"},
            "no column 'labels'",
        ),
        (
            (ROWS, ROWS),
            {"label": "parts", "item": "item"},
            "'parts' of the reference",
        ),
        ((ROWS, ROWS), {"label": ("label",) * 3, "item": "item"}, "one value or a pair"),
        (
            (ROWS, ROWS),
            {"label": "label", "item": ("item", ["item", "label"])},
            "1 column in",
        ),
        ((5, ROWS), {"label": "label", "item": "item"}, "the reference is an int; a path"),
        (("rows.json", ROWS), {"label": "label", "item": "item"}, "cannot be read by DuckDB"),
        (
            (ROWS, ROWS),
            {"label": "label", "item": "item", "memory_limit": "x"},
            "memory_limit='x' is",
        ),
    ],
)
def test_what_is_wrong_is_said(arguments, keywords, words):
    with pytest.raises((ValueError, TypeError), match=words.replace("(", r"\(")):
        by_duckdb.contingency(*arguments, **keywords)


def test_rows_without_an_id_are_refused(connection):
    rows = pa.table({"item": [1, None, None], "label": [1, 1, 1]})
    with pytest.raises(ValueError, match="reference has no item id in 2 rows; every"):
        joined(rows, rows[:1], connection)


def test_items_are_no_key_where_none_may_stand_alone(connection, monkeypatch):
    """Then they cost nothing; where some do stand alone, the error names the first."""
    asked = []
    arrow = tables.Session.arrow

    def noted(self, statement):
        asked.append(statement)
        return arrow(self, statement)

    monkeypatch.setattr(tables.Session, "arrow", noted)
    rows = pa.table({"item": [1, 2], "label": [1, 1]})
    joined(rows, rows, connection)
    (statement,) = asked
    assert "AS k0" not in statement.partition(" FROM ")[0]
    joined(rows, rows, connection, unmatched="drop")
    assert "AS k0" in asked[1].partition(" FROM ")[0]


def test_a_wrong_sum_is_no_table(connection, monkeypatch):
    """Rows that come while the table is made: the cells do not add up to the rows."""
    count = tables.Session.count
    monkeypatch.setattr(tables.Session, "count", lambda self, source: count(self, source) + 1)
    with pytest.raises(RuntimeError, match="DuckDB counted 2 items in cells, but 3 rows"):
        joined(ROWS.select(["item", "label"]), ROWS.select(["item", "label"]), connection)


def test_the_extra_is_named_where_duckdb_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install duckdb"):
        by_duckdb.contingency("a.parquet", "b.parquet", item="item", label="label")


# ---- cases of public threads -----------------------------------------------------------


CASES = Path(__file__).parents[1] / "reference" / "scale_bug_cases.json"
BY_ID = {case["id"]: case for case in json.loads(CASES.read_text())["cases"]}


def of_pairs(pairs):
    items = [int(item) if str(item).isdigit() else item for item, _ in pairs]
    return pa.table({"item": items, "label": [label for _, label in pairs]})


@pytest.mark.parametrize("name", ["null-label-groupby", "count-of-nullable-column"])
def test_items_without_a_label_stay(connection, name):
    rows = pa.table(BY_ID[name]["input"])
    arguments = {"label": ("a", "b"), "connection": connection}
    with pytest.raises(ValueError, match=r"2 in the candidate \(3 items touched\), the first"):
        by_duckdb.contingency(rows, **arguments)
    pooled = by_duckdb.contingency(rows, **arguments, missing="cluster")
    assert (pooled.n_items, pooled.n_cells) == (5, 5)
    alone = by_duckdb.contingency(rows, **arguments, missing="singletons")
    assert (alone.n_items, alone.shape, alone.n_cells) == (5, (4, 3), 5)
    dropped = by_duckdb.contingency(rows, **arguments, missing="drop")
    assert (dropped.n_items, dropped.account.dropped, dropped.n_cells) == (2, 3, 2)


def test_repeated_ids_do_not_multiply(connection):
    case = BY_ID["duplicate-ids"]["input"]
    left, right = of_pairs(case["left"]), of_pairs(case["right"])
    with pytest.raises(ValueError, match="reference has item 1 at index 0 and again"):
        joined(left, right, connection)
    with pytest.raises(ValueError, match="candidate has item 1 at index 0 and again"):
        joined(left, right, connection, duplicates=("first", "error"))
    first = joined(left, right, connection, duplicates="first")
    assert (first.n_items, first.col_labels.tolist()) == (2, [5])
    assert (first.account.reference.repeated, first.account.candidate.conflicting) == (1, 1)


def test_items_on_one_side_only(connection):
    case = BY_ID["different-item-sets"]
    left, right = (of_pairs(case["input"][x].items()) for x in ("left", "right"))
    with pytest.raises(ValueError, match="1 reference item not in the candidate"):
        joined(left, right, connection)
    for policy in ("drop", "singletons"):
        table = joined(left, right, connection, unmatched=policy)
        wanted = case["right_answer"][policy]
        assert (table.n_items, table.n_cells) == (wanted["items"], len(wanted["cells"]))
    account = table.account
    assert (account.reference.unmatched, account.candidate.unmatched) == (1, 1)


def test_ids_of_64_bits_in_two_types(connection):
    case = BY_ID["int64-vs-uint64"]["input"]
    left = pa.table({"item": pa.array(case["left_int64"], pa.int64()), "label": [1]})
    right = pa.table({"item": pa.array(case["right_uint64"], pa.uint64()), "label": [1]})
    with pytest.raises(ValueError, match="no item is left to compare"):
        joined(left, right, connection, unmatched="drop")


def test_labels_of_an_outer_join_stay_integers(connection):
    case = BY_ID["outer-join-to-float"]
    left, right = (of_pairs(case["input"][x]) for x in ("left", "right"))
    table = joined(left, right, connection, unmatched="drop")
    assert table.col_labels.tolist() == [case["right_answer"]]
    assert table.col_labels.dtype == np.int64


def test_zeros_and_nan_as_labels(connection):
    labels = [float(x) for x in BY_ID["float-labels"]["input"]["labels"]]
    rows = pa.table({"a": labels, "b": [1, 1, 1, 1]})
    table = by_duckdb.contingency(
        rows, label=("a", "b"), connection=connection, missing="cluster"
    )
    assert table.row_sizes.tolist() == [2, 2]


def test_numbers_and_text_as_ids_are_refused(connection):
    case = BY_ID["int-vs-string-ids"]["input"]
    left = pa.table({"item": case["left_ids"], "label": [1, 2]})
    right = pa.table({"item": case["right_ids"], "label": [1, 2]})
    with pytest.raises(ValueError, match=r"integer in the reference \(first: 1\) but text in"):
        joined(left, right, connection)


def test_categories_of_chunks_are_told_by_their_names(connection, tmp_path):
    case = BY_ID["categorical-codes-per-chunk"]["input"]
    for chunk in (1, 2):
        stored = case[f"chunk{chunk}"]
        codes = pa.DictionaryArray.from_arrays(stored["codes"], stored["dictionary"])
        rows = pa.table({"a": codes, "b": case[f"other_labels_chunk{chunk}"]})
        parquet.write_table(rows, tmp_path / f"{chunk}.parquet")
    table = by_duckdb.contingency(str(tmp_path / "*.parquet"), label=("a", "b"))
    assert table.row_labels.tolist() == ["blue", "red"]
    assert table.counts.tolist() == [3, 3]


def test_unused_categories_are_no_clusters(connection):
    case = BY_ID["unused-categories"]["input"]
    names = pa.DictionaryArray.from_arrays(case["codes"], case["categories"])
    rows = pa.table({"a": names, "b": names})
    table = by_duckdb.contingency(rows, label=("a", "b"), connection=connection)
    assert table.shape == (2, 2)
    entropy = pw.entropy(table, side="reference", base=np.e)
    assert entropy == pytest.approx(BY_ID["unused-categories"]["right_answer"]["entropy"])


def test_labels_to_ignore_have_a_side(connection):
    case = BY_ID["ignore-label-sides"]
    rows = pa.table(case["input"])
    answers = case["right_answer"]
    for labels, wanted in (
        ((None, [0]), answers["ignore 0 in pred only (items left out)"]),
        (([0], None), answers["ignore 0 in gt only"]),
        (None, answers["ignore nothing"]),
    ):
        table = by_duckdb.contingency(
            rows,
            label=("gt", "pred"),
            connection=connection,
            missing="drop",
            missing_labels=labels,
        )
        assert pw.variation_of_information(table, base=2) == pytest.approx(wanted)


def test_times_of_two_units_are_compared_as_instants(connection):
    day = datetime.datetime(2020, 1, 1)
    reference = pa.table({"item": pa.array([day], pa.timestamp("s")), "label": [1]})
    candidate = pa.table({"item": pa.array([day], pa.timestamp("us")), "label": [1]})
    assert joined(reference, candidate, connection).n_items == 1


def test_no_bar_on_standard_output():
    """Where a program has no file, DuckDB takes it for a person's session and draws one."""
    with Session(None, None, None, None) as session:
        assert session.rows("SELECT current_setting('enable_progress_bar')") == [(False,)]
