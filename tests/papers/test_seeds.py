"""``--seeds``: which seeds, the spread of what they change, how often claims hold."""

import csv
import io

import pytest

from papers import ExperimentTable, experiments, registry
from papers.cli import main
from papers.outcomes import Outcome
from papers.registry import Experiment
from papers.seeds import how_often, seeds_of, spread, tables_of

pytestmark = pytest.mark.one_backend


def drawn(*, seed=3, rows=2):
    """Draw a number."""
    values = [
        (name, seed * x, seed > 3, "odd" if seed % 2 else "even")
        for name, x in (("a", 1.0), ("b", 0.0))
    ][:rows]
    return ExperimentTable("Drawn", ("name", "x", "large", "kind"), tuple(values), ("A note.",))


def outcomes(table):
    x = table.column("x")[0]
    return [
        Outcome("Table 1", "x", "3", x, why="drawn"),
        Outcome("Table 1", "small", "below 3", x, holds=x < 3, why="drawn"),
    ]


ITEM = Experiment("drawn", "NVI", "Table 1", drawn, outcomes=outcomes)


def test_the_default_seed_is_first_and_counts_among_the_others():
    assert seeds_of(ITEM, 1) == (3,)
    assert seeds_of(ITEM, 5) == (3, 1, 2, 4, 5)
    assert seeds_of(experiments()["split-merge-series-litbank"], 3) == (0, 1, 2)
    assert seeds_of(experiments()["dom-sample"], 3) == ()
    with pytest.raises(ValueError, match="0 seeds: give 1 or more"):
        seeds_of(ITEM, 0)


def test_the_spread_of_what_is_drawn():
    table = spread(ITEM, tables_of(ITEM, drawn, 5))
    assert table.columns == ("name", "value of", "seed 3", "mean", "lowest", "highest", "alike")
    assert table.rows == (
        ("a", "x", 3.0, 3.0, 1.0, 5.0, 1),
        ("a", "large", False, 0.4, 0.0, 1.0, 3),
        ("a", "kind", "odd", None, None, None, 3),
        ("b", "large", False, 0.4, 0.0, 1.0, 3),
        ("b", "kind", "odd", None, None, None, 3),
    )
    assert table.title == "Drawn: 5 seeds"
    assert table.notes == ("A note.", "Seeds: 3, the default, and 1 to 5 without 3.")
    notes = [spread(ITEM, tables_of(ITEM, drawn, n)).notes[-1] for n in (2, 3)]
    assert notes == ["Seeds: 3, the default, 1.", "Seeds: 3, the default, 1 and 2."]


def test_one_seed_shows_the_table():
    table = spread(ITEM, tables_of(ITEM, drawn, 1))
    assert table.rows == drawn().rows
    assert table.notes[-1] == "One seed, 3; more of them show the spread."


def test_rows_that_look_alike_are_numbered():
    def alike(*, seed=1):
        return ExperimentTable("T", ("k", "x"), ((2, seed), (2, 7), (2, -seed)))

    item = Experiment("alike", "NVI", "Table 1", alike)
    table = spread(item, tables_of(item, alike, 2))
    assert table.columns[:3] == ("row", "k", "value of")
    assert [row[0] for row in table.rows] == [1, 3]


def test_the_column_that_names_the_seed_is_no_value():
    def named(*, seed=1):
        return ExperimentTable("T", ("k", "seed", "x"), ((2, seed, 0.5 * seed),))

    item = Experiment("named", "NVI", "Table 1", named)
    table = spread(item, tables_of(item, named, 3))
    assert table.columns[:3] == ("k", "value of", "seed 1")
    assert table.rows == ((2, "x", 0.5, 1.0, 0.5, 1.5, 1),)


def test_what_does_not_draw_says_so():
    item = experiments()["dom-sample"]
    table = spread(item, tables_of(item, item.run, 20))
    assert table.rows == item.run().rows
    assert table.notes[-1] == "This experiment does not draw: every seed gives this table."
    series = experiments()["split-merge-series"]
    table = spread(series, tables_of(series, series.run, 2))
    assert table.rows == series.run().rows
    assert table.notes[-1] == "Seeds: 0, the default, 1. None of them changes a value."


def test_tables_of_other_shapes_have_no_spread():
    def growing(*, seed=1):
        return ExperimentTable("T", ("x",), tuple((i,) for i in range(seed)))

    item = Experiment("growing", "NVI", "Table 1", growing)
    with pytest.raises(ValueError, match="growing gives 1 rows with its default seed and 2 "):
        spread(item, tables_of(item, growing, 2))


def test_how_often_an_outcome_agrees():
    tables = tables_of(ITEM, drawn, 5)
    counted = [(one.item, one.ours, seeds) for one, seeds in how_often(ITEM, tables)]
    assert counted == [("x", 3.0, "1 of 5"), ("small", 3.0, "2 of 5")]
    still = experiments()["nvi-solution-r"]
    assert {seeds for _, seeds in how_often(still, [still.run()])} == {""}
    other = Experiment(
        "other", "NVI", "Table 1", drawn, outcomes=lambda t: outcomes(t)[: 1 + t.rows[0][2]]
    )
    with pytest.raises(ValueError, match="the outcomes of other are of other items"):
        how_often(other, tables)


def test_seeds_from_the_shell(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_experiments", {"drawn": ITEM})
    assert main(["drawn", "--seeds", "5", "--csv", "-q"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(rows[0][x]) for x in ("seed 3", "mean", "lowest", "highest")] == [3, 3, 1, 5]
    assert main(["drawn", "--seeds", "5", "--outcomes", "--csv", "-q"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    seeds = {row["item"]: row["seeds"] for row in rows if row["status"] != "not run"}
    assert seeds == {"x": "1 of 5", "small": "2 of 5"}
    assert main(["drawn", "--seeds", "2", "-o", str(tmp_path)]) == 0
    assert "over" not in (tmp_path / "drawn.md").read_text()
    assert "Drawn: 2 seeds" in (tmp_path / "drawn.md").read_text()
    capsys.readouterr()
    assert main(["drawn", "--seeds", "0"]) == 2
    assert "--seeds 0: give a number of seeds, 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["v-sweep", "split-merge-series-litbank", "mallows-matching"])
def test_the_same_seeds_give_the_same_spread(name):
    item = experiments()[name]
    once, again = (spread(item, tables_of(item, item.run, 3)) for _ in range(2))
    assert once == again
    assert once.rows
