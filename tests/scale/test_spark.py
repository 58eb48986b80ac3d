"""Tables by Spark are those of the same labels in memory: a local cluster, in ``.ci/long``."""

import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import partwise as pw
from engine_inputs import assert_same, in_memory, outcome
from partwise.labels import SingletonLabel

if not os.environ.get("PARTWISE_SPARK"):
    pytest.skip("Spark takes long: .ci/long spark runs these", allow_module_level=True)
pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("java is not installed, which Spark needs", allow_module_level=True)

from partwise.scale import spark as by_spark

pytestmark = [pytest.mark.one_backend, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.execution.arrow.pyspark.enabled", "true")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def in_order(table):
    """Return rows in the order of their items: what a frame without an order stands for."""
    return table.sort_by("item")


KINDS = {
    "integer": (pa.int64(), [5, -1, 2**62, 7]),
    "text": (pa.string(), ["a", "A", "\u00e9", ""]),
    "bytes": (pa.binary(), [b"\xff", b"", b"a", b"b"]),
    "float": (pa.float64(), [0.0, float("nan"), 2.5, -1.0]),
    "bool": (pa.bool_(), [True, False, True, False]),
}
POLICIES = [
    {"unmatched": "drop", "missing": "drop"},
    {"unmatched": "singletons", "missing": "singletons"},
    {"unmatched": ("drop", "singletons"), "missing": ("cluster", "singletons")},
    {"unmatched": ("singletons", "drop"), "missing": ("cluster", "drop")},
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", POLICIES)
def test_two_frames_are_joined_as_in_memory(spark, kind, policy):
    random = np.random.default_rng(len(kind))
    of_label, values = KINDS[kind]
    sides = []
    for _ in range(2):
        items = random.permutation(60)[:50]
        chosen = [None if random.random() < 0.1 else values[random.integers(4)] for _ in items]
        sides.append(
            pa.table(
                {"item": [f"i{x:02d}" for x in items], "label": pa.array(chosen, of_label)}
            )
        )
    frames = [spark.createDataFrame(x).repartition(3) for x in sides]
    table = by_spark.contingency(*frames, item="item", label="label", **policy)
    assert_same(table, in_memory(*map(in_order, sides), **policy))


def test_one_frame(spark):
    rows = pa.table({"a": ["x", None, "x", "y"], "b": [1, 1, 2, None]})
    frame = spark.createDataFrame(rows)
    for missing in ("drop", "cluster", "error"):
        made = outcome(by_spark.contingency, frame, label=("a", "b"), missing=missing)
        if missing == "error":
            assert "1 in the reference and 1 in the candidate (2 items touched)" in made[1]
        else:
            assert_same(made, pw.contingency(rows["a"], rows["b"], missing=missing))


def test_declared_labels_and_ids_of_two_columns(spark):
    rows = pa.table({"doc": ["d", "d", "e"], "n": [1, 2, 1], "c": [7, -1, 7]})
    frame = spark.createDataFrame(rows)
    table = by_spark.contingency(
        frame, frame, item=["doc", "n"], label="c", missing="singletons", missing_labels=-1
    )
    assert table.row_labels.tolist() == [7, SingletonLabel(("d", 2))]
    assert table.counts.tolist() == [2, 1]


def test_labels_stay_integers_in_a_full_join(spark):
    big = 9007199254740993
    left = spark.createDataFrame(pa.table({"item": [1, 2], "label": [big, 5]}))
    right = spark.createDataFrame(pa.table({"item": [1], "label": [big]}))
    table = by_spark.contingency(left, right, item="item", label="label", unmatched="drop")
    assert table.row_labels.tolist() == [big]


def test_the_recipe_of_the_guide(spark):
    page = (Path(__file__).parents[2] / "docs" / "guide" / "scale_engines.md").read_text()
    scripts = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    (recipe,) = [script for script in scripts if "by_spark" in script]
    names = {"spark": spark}
    exec(recipe, names)
    assert_same(names["table"], pw.contingency(["x", "x", "y"], [8, 7, 7]), account=False)


def test_what_is_wrong_is_said(spark):
    twice = spark.createDataFrame(pa.table({"item": [3, 1, 1], "label": [1, 2, None]}))
    once = spark.createDataFrame(pa.table({"item": [1], "label": [1]}))
    text = spark.createDataFrame(pa.table({"item": ["1"], "label": [1]}))
    none = spark.createDataFrame(pa.table({"item": pa.array([None], pa.int64()), "label": [1]}))
    lost = spark.createDataFrame(
        pa.table({"item": [1, 4], "label": pa.array([2, None], pa.int64())})
    )
    both = {"item": "item", "label": "label"}
    for arguments, keywords, words in (
        ((twice, once), both, "reference has 1 item in more than one row, the first is 1"),
        ((once, twice), both, "candidate has 1 item in more than one row, the first is 1"),
        ((once, lost), both, "1 candidate item not in the reference, the first is 4"),
        ((lost, lost), both, "the first in the reference at item 4"),
        ((once, text), both, "item ids are integer in the reference ('item') but text"),
        ((none, once), both, "reference has no item id in 1 row"),
        ((once, once), {**both, "label": "d"}, "no column 'd'; its columns: item, label"),
        ((once, once), {**both, "duplicates": "first"}, "rows of a DataFrame of Spark have no"),
        ((once,), {"label": "label"}, "one frame holds both labels"),
        ((once,), {"label": ("label", "item"), "missing": "singletons"}, "told by"),
        (([1], once), both, "DataFrames of Spark are expected, not a list"),
    ):
        kind, sentence = outcome(by_spark.contingency, *arguments, **keywords)
        assert kind in (ValueError, TypeError)
        assert words.replace("told by", "tells items by their positions") in sentence


def test_the_extra_is_named_where_spark_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install pyspark"):
        by_spark.contingency(None, label=("a", "b"))
