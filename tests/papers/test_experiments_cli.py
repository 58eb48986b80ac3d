"""``python -m papers``: listing, tables, figures, exit codes."""

import csv
import importlib.util
import io
import json

import pytest

from papers import ExperimentTable, MissingData, experiments, psi, registry
from papers.cli import main

pytestmark = pytest.mark.one_backend
PNG = b"\x89PNG"


def run(capsys, *arguments):
    code = main([*map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_without_a_name_all_are_listed(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == [
        "experiment",
        "paper",
        "place",
        "figure",
        "can",
        "read",
        "about",
    ]
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(experiments())
    rows = json.loads(run(capsys, "--json")[1])
    assert {"psi-yeast", "nvi-consistency", "mallows-moved"} <= {x["experiment"] for x in rows}
    rows = list(csv.DictReader(io.StringIO(run(capsys, "--csv")[1])))
    assert [row["experiment"] for row in rows] == list(experiments())
    assert "| psi-yeast |" in run(capsys, "--markdown")[1]


@pytest.mark.long
def test_a_table_is_printed(capsys):
    code, out, err = run(capsys, "psi-yeast")
    assert code == 0
    assert out.rstrip("\n") == str(psi.yeast())
    assert err.startswith("[1/1] psi-yeast: Remove the smallest Yeast classes")
    code, out, err = run(capsys, "psi-yeast", "-q", "--csv")
    assert (out, err) == (psi.yeast().to_csv(), "")
    code, out, _ = run(capsys, "psi-yeast", "-q", "--json")
    assert json.loads(out)["rows"] == psi.yeast().to_dicts()
    code, out, _ = run(capsys, "psi-yeast", "-q", "--markdown")
    assert out == psi.yeast().to_markdown()


def test_files(capsys, tmp_path):
    where = tmp_path / "new" / "folder"
    names = ("nvi-solution-r", "nvi-consistency", "psi-yeast")
    code, out, err = run(capsys, *names, "psi-y*", "-o", where, "--no-figures")
    assert (code, out) == (0, "")
    assert "[1/3]" in err
    assert "[3/3]" in err
    wanted = sorted(f"{name}.{end}" for name in names for end in ("csv", "md"))
    assert sorted(path.name for path in where.iterdir()) == wanted
    assert (where / "psi-yeast.csv").read_text() == psi.yeast().to_csv()
    assert (where / "psi-yeast.md").read_text() == psi.yeast().to_markdown()


def test_figures(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, _ = run(capsys, "psi-yeast", "psi-purity-exchanged", "-o", tmp_path, "--figures")
    assert code == 0
    assert (tmp_path / "psi-yeast.png").read_bytes().startswith(PNG)
    assert not (tmp_path / "psi-purity-exchanged.png").exists()  # has none
    assert (tmp_path / "psi-purity-exchanged.csv").exists()


def test_without_matplotlib(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    code, _, err = run(capsys, "psi-yeast", "-o", tmp_path, "--figures")
    assert code == 2
    assert err == (
        "partwise: --figures needs matplotlib, which is not installed; install partwise[plot]\n"
    )
    assert not list(tmp_path.iterdir())
    code, _, _ = run(capsys, "psi-yeast", "-o", tmp_path)
    assert code == 0
    assert sorted(x.name for x in tmp_path.iterdir()) == ["psi-yeast.csv", "psi-yeast.md"]


def test_input_that_is_wrong(capsys, tmp_path):
    code, _, err = run(capsys, "psi-yest")
    assert code == 2
    assert "no experiment is called 'psi-yest'; did you mean psi-yeast" in err
    code, _, err = run(capsys, "@")
    assert code == 2
    assert "without a NAME, all are listed" in err
    code, _, err = run(capsys, "psi-yeast", "--figures")
    assert (code, err) == (2, "partwise: --figures needs -o DIR, where the figures go\n")
    (tmp_path / "file").write_text("")
    code, _, err = run(capsys, "psi-yeast", "-o", tmp_path / "file")
    assert code == 2
    assert "File exists" in err


def test_experiments_whose_data_are_not_there(capsys, tmp_path, monkeypatch):
    def needy(*, data=None):
        """Need a file."""
        if data is None:
            raise MissingData("the file x.csv is looked for in the folder given as --data")
        return ExperimentTable("Needy", ("data",), ((str(data),),))

    kept = {"psi-yeast": experiments()["psi-yeast"]}
    monkeypatch.setattr(registry, "_experiments", kept)
    registry.experiment("needy", "None", "None", data="x.csv")(needy)
    code, _, err = run(capsys, "needy")
    assert code == 2
    assert err.endswith(
        "partwise: the file x.csv is looked for in the folder given as --data\n"
    )
    code, out, err = run(capsys, "all", "-q")
    assert code == 1
    assert "Yeast" in out
    assert err.startswith("partwise: needy left out: the file x.csv")
    code, out, _ = run(capsys, "needy", "--data", tmp_path, "--csv", "-q")
    assert (code, out) == (0, f"data\n{tmp_path}\n")


def drawable():
    papers = ("psi", "nvi", "mallows")
    return [x for x in experiments().values() if x.draw and x.name.startswith(papers)]


# what keeps the slow ones short
SHORT = {
    "psi-stability": {"clusters": (2, 8), "subsets": 2, "dense": 200, "sparse": 40},
    "psi-dimensionality": {"dimensions": (1, 8), "size": 200},
    "psi-overlap": {"overlaps": (0.05, 0.2), "size": 200},
    "psi-unbalance": {"dense": 200, "sparse": 40},
}


@pytest.mark.long
@pytest.mark.parametrize("item", drawable(), ids=lambda x: x.name)
def test_every_figure_names_its_axes_and_keeps_its_legend_off_the_curves(item, tmp_path):
    pytest.importorskip("matplotlib")
    figure = item.draw(item.run(**SHORT.get(item.name, {})))
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(PNG)
    for axes in figure.axes:
        grid = axes.get_subplotspec()
        assert axes.get_xlabel() or not grid.is_last_row()
        assert axes.get_ylabel() or not grid.is_first_col()
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert not any(box.overlaps(axes.get_window_extent()) for axes in figure.axes)
    for axes in figure.axes:
        legend = axes.get_legend()
        for line in axes.get_lines() if legend else ():
            points = axes.transData.transform(line.get_xydata())
            assert not legend.get_window_extent().count_contains(points)


def test_a_measure_has_one_colour():
    pytest.importorskip("matplotlib")
    from matplotlib.colors import to_hex

    names = {"ARI", "NMI", "NVD", "CH", "Purity", "PSI", "VI", "Rand", "CC", "CSS"}
    colours = {}
    for item in drawable():
        if item.name in SHORT:
            continue
        for axes in item.draw(item.run()).axes:
            for line in axes.get_lines():
                name = str(line.get_label()).split(",")[0]
                if name in names:
                    colours.setdefault(name, set()).add(to_hex(line.get_color()))
    assert set(colours) == names
    assert all(len(found) == 1 for found in colours.values())
