"""Tables of experiments, their registry, and drawings."""

import pytest

from papers import (
    ExperimentTable,
    MissingData,
    dom_properties,
    experiment,
    experiments,
    split_merge_series,
    split_merge_structure,
)
from papers.dom import (
    DESIRABLE,
    draw_dom_properties,
)
from papers.dom_measures import MEASURES
from papers.split_merge_series import draw_series
from papers.split_merge_structure import draw_structure

pytestmark = pytest.mark.one_backend


def test_a_table_is_text_markdown_csv_and_a_frame():
    table = ExperimentTable("T", ("a", "b"), ((1, 0.1 + 0.2), ("x|y", None)), ("n1", "n2"))
    assert str(table).splitlines() == ["T", "a      b", "1    0.3", "x|y", "n1", "n2"]
    assert table.to_markdown().splitlines() == [
        "## T",
        "",
        "| a | b |",
        "| --- | --- |",
        "| 1 | 0.3 |",
        "| x\\|y |  |",
        "",
        "- n1",
        "- n2",
    ]
    assert table.to_csv() == "a,b\n1,0.30000000000000004\nx|y,\n"
    assert table.where(a=1).rows == ((1, 0.1 + 0.2),)
    frame = table.to_pandas()
    assert list(frame.columns) == ["a", "b"]
    assert frame.attrs == {"title": "T", "notes": ["n1", "n2"]}
    with pytest.raises(ValueError, match="row 1 has 1 values for 2 columns"):
        ExperimentTable("T", ("a", "b"), ((1, 2), (3,)))
    with pytest.raises(KeyError, match="no column 'c'; there are a, b"):
        table.where(c=1)


def test_the_registry():
    found = experiments()
    for name in (
        "dom-sample",
        "dom-properties",
        "problem-of-matching",
        "v-sweep",
        "split-merge-series",
        "split-merge-series-litbank",
        "split-merge-structure",
    ):
        assert found[name].summary.endswith(".")
        assert found[name].paper in ("V-measure", "Split-merge")
        assert found[name].figure.startswith(("Figure", "Table"))

    def dom_sample():
        """Another."""

    with pytest.raises(ValueError, match="two experiments are called 'dom-sample'"):
        experiment("dom-sample", "-", "-")(dom_sample)
    for name, row in found.items():
        if row.data is not None:
            assert row.run().rows, "runs on what comes along"
            with pytest.raises(MissingData, match=r"nowhere.*columns .*: .*, or leave out"):
                row.run(data="nowhere")
        assert name == row.name


def test_drawings_show_the_numbers(tmp_path):
    pytest.importorskip("matplotlib")
    series = split_merge_series()
    figure = draw_series(series)
    drawn = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert drawn["S_H"].get_ydata().tolist() == list(series.column("S_H"))
    texts = [text.get_text() for text in draw_dom_properties(dom_properties()).axes[0].texts]
    assert texts[:2] == ["1.00 (0.18)", "1.00 (0.22)"]
    assert len(texts) == len(DESIRABLE) * len(MEASURES)
    figure = draw_structure(split_merge_structure())
    above, below = figure.axes
    assert len(above.texts) == 6 + 6
    assert len(below.texts) == 6 + 6 + 9
    path = tmp_path / "structure.png"
    figure.savefig(path)
    assert path.stat().st_size > 5000
    with pytest.raises(ValueError, match="41 parts do not fit"):
        draw_structure(split_merge_structure(range(41), [0] * 41))


def test_without_matplotlib_the_table_is_left(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match="install partwise"):
        draw_series(split_merge_series())
