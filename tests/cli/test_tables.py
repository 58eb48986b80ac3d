"""Tables on the command line: written, merged, compared; files in blocks past a limit."""

import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main
from partwise.cli.tables.limits import read_size

pytestmark = pytest.mark.one_backend


def run(capsys, *arguments):
    code = main([str(x) for x in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def files(tmp_path):
    """Labels as npy, and as a table of text with a header."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 30, (2, 4000))
    b = np.where(rng.random(4000) < 0.5, a, b)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    lines = ["truth,found", *(f"{x},{y}" for x, y in zip(a.tolist(), b.tolist(), strict=True))]
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n")
    return tmp_path, pw.contingency(a, b)


@pytest.mark.parametrize("again", ["day.npz", "./day.npz", "link.npz"])
def test_a_table_is_merged_once(files, again, monkeypatch, capsys):
    folder, whole = files
    monkeypatch.chdir(folder)
    whole.save("day.npz")
    (folder / "link.npz").symlink_to("day.npz")
    code, out, err = run(capsys, "merge", "day.npz", again, "-o", "all.npz")
    assert (code, out) == (2, "")
    assert "is given twice, so that its items would count twice" in err
    assert not (folder / "all.npz").exists()


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_a_table_is_written_and_compared(files, ending, capsys):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    folder, whole = files
    path = folder / f"cells.{ending}"
    code, out, _ = run(
        capsys, "table", folder / "a.npy", folder / "b.npy", "-o", path, "--workers", "2"
    )
    assert code == 0
    assert out == (
        "4000 items compared, aligned by position; 30 reference clusters, 30 candidate "
        f"clusters, {whole.n_cells} cells\n"
    )
    code, out, _ = run(capsys, "compare", path, "--json", "--measures", "all")
    told = json.loads(out)
    assert told["scores"] == json.loads(pw.compare(whole, measures="all").to_json())["scores"]
    code, out, _ = run(capsys, "diagnose", path, "--worst", "3")
    assert code == 0
    assert "s_entropy" in out


def test_text_and_options_go_the_usual_way(files, capsys):
    folder, whole = files
    path = folder / "cells.npz"
    labels = folder / "labels.csv"
    code, _, _ = run(capsys, "table", f"{labels}::truth", f"{labels}::found", "-o", path)
    assert code == 0
    assert (pw.Contingency.load(path).counts == whole.counts).all()


def test_tables_are_merged(files, capsys):
    folder, whole = files
    a, b = np.load(folder / "a.npy"), np.load(folder / "b.npy")
    for i in range(4):
        part = slice(1000 * i, 1000 * i + 1000)
        pw.contingency(a[part], b[part]).save(folder / f"part{i}.npz")
    parts = sorted(folder.glob("part*.npz"))
    code, out, _ = run(capsys, "merge", *parts, "-o", folder / "all.npz")
    assert code == 0
    assert out.startswith("4000 items compared")
    merged = pw.Contingency.load(folder / "all.npz")
    assert (merged.counts == whole.counts).all()
    assert (merged.cols == whole.cols).all()
    assert merged.account == whole.account
    pw.contingency(["x"], ["y"]).save(folder / "text.npz")
    code, _, err = run(
        capsys, "merge", parts[0], folder / "text.npz", "-o", folder / "wrong.npz"
    )
    assert code == 2
    assert (
        f"the row labels of {parts[0]} are whole numbers (0), those of {folder}/text.npz" in err
    )
    assert "text ('x'), so that nothing tells which are the same; count the tables anew" in err
    assert not (folder / "wrong.npz").exists()


@pytest.mark.parametrize("command", ["compare", "diagnose"])
def test_files_past_the_limit_are_counted_in_blocks(files, command, capsys):
    folder, _ = files
    sides = folder / "a.npy", folder / "b.npy"
    code, wanted, err = run(capsys, command, *sides)
    assert (code, err) == (0, "")
    code, out, err = run(capsys, command, *sides, "--memory-limit", "100KB", "--workers", "2")
    assert code == 0
    assert out == wanted
    assert err == (
        "partwise: note: to read these files would take about 187 KB, the limit is 100 KB "
        "(--memory-limit); they are counted block by block\n"
    )


def test_text_past_the_limit_is_counted_in_blocks(files, capsys):
    folder, _ = files
    labels = folder / "labels.csv"
    sides = [f"{labels}::truth", f"{labels}::found"]
    options = ["--missing", "drop", "--missing-labels-reference", "7", "--delimiter", ","]
    _, wanted, _ = run(capsys, "compare", *sides, *options)
    code, out, err = run(capsys, "compare", *sides, *options, "--memory-limit", "1KB")
    assert (code, out) == (0, wanted)
    assert "they are counted block by block" in err
    code, _, err = run(
        capsys, "table", *sides, "-o", folder / "cells.npz", "--memory-limit", "1KB"
    )
    assert code == 0
    assert "they are counted block by block" in err


def test_policies_hold_in_blocks(files, capsys):
    folder, _ = files
    options = ["--missing", "drop", "--missing-labels-reference", "7", "--measures", "all"]
    sides = folder / "a.npy", folder / "b.npy"
    _, wanted, _ = run(capsys, "compare", *sides, *options)
    _, out, _ = run(capsys, "compare", *sides, *options, "--memory-limit", "1KB")
    assert out == wanted
    assert "without a reference label (dropped)" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--missing", "drop"], "--missing would do nothing for a table"),
        (["--item", "id"], "--item would do nothing for a table"),
        (["--missing-labels", "-1"], "--missing-labels would do nothing for a table"),
        (["--memory-limit", "1GB"], "--memory-limit would do nothing for a table"),
    ],
)
def test_options_of_items_do_nothing_for_a_table(files, arguments, said, capsys):
    folder, whole = files
    whole.save(folder / "cells.npz")
    code, _, err = run(capsys, "compare", folder / "cells.npz", *arguments)
    assert code == 2
    assert said in err


WHOLE = {
    "labels.cmty": (b"a b\nc\n", "", "communities; write the labels as a table, or as parquet"),
    "labels.clu": (b"1 1 0.5\n2 1 0.2\n", "", "not clu; write the labels as a table"),
    "labels.jsonl": (
        b'{"k": 1, "l": 2}\n{"k": 2, "l": 2}\n',
        "k",
        "not JSON; write the labels",
    ),
    "wide.csv": ("k,l\n1,1\n2,1\n".encode("utf-16"), "k", "convert it to UTF-8"),
}


@pytest.mark.parametrize("command", ["compare", "diagnose", "table"])
@pytest.mark.parametrize("name", WHOLE)
def test_text_that_is_read_as_a_whole_is_read_past_the_limit(tmp_path, name, command, capsys):
    content, column, said = WHOLE[name]
    path = tmp_path / name
    path.write_bytes(content)
    side = f"{path}::{column}" if column else path
    out = ["-o", tmp_path / "cells.npz"] if command == "table" else []
    wanted = run(capsys, command, side, side, *out)
    code, told, err = run(capsys, command, side, side, *out, "--memory-limit", "1")
    assert (code, told) == (0, wanted[1])
    assert "(--memory-limit); they are read all the same; " in err
    assert said in err
    assert "block by block" not in err
    assert run(capsys, command, side, side, *out, "--memory-limit", "1MB")[2] == wanted[2]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (
            "compare {} --features x.npy --measures s_mse",
            2,
            "would do nothing beside --features",
        ),
        ("diagnose {} --features x.npy", 2, "would do nothing beside --features"),
        ("compare {} --bootstrap 9 --groups a.npy", 2, "would do nothing beside --groups"),
        ("compare {} --memberships", 2, "would do nothing beside --memberships"),
        ("score labels.csv --reference truth --features x.npy", 2, "nothing beside --features"),
        ("score labels.csv --reference truth", 0, "note: --memory-limit does nothing here"),
        ("compare {} --format npy", 0, "note: --memory-limit does nothing here"),
    ],
)
def test_a_limit_is_never_passed_over(files, monkeypatch, capsys, line, code, said):
    folder, _ = files
    monkeypatch.chdir(folder)
    np.save("x.npy", np.arange(8000.0).reshape(4000, 2))
    arguments = line.format("a.npy b.npy").split()
    found, _, err = run(capsys, *arguments, "--memory-limit", "1KB")
    assert found == code
    assert said in err


@pytest.mark.parametrize("option", ["--unmatched drop", "--duplicates first,error"])
@pytest.mark.parametrize(
    "line",
    [
        "compare a.npy b.npy",
        "compare a.npy b.npy --memory-limit 1KB",
        "diagnose labels.csv::truth labels.csv::found",
        "table a.npy b.npy -o t.npz",
        "score labels.csv --reference truth",
        "pairwise a.npy b.npy",
        "paired a.npy b.npy a.npy --draws 9",
        "significance a.npy b.npy --draws 9",
        "report a.npy b.npy -o page.html",
    ],
)
def test_policies_about_ids_are_refused_where_there_are_none(
    files, monkeypatch, capsys, line, option
):
    folder, _ = files
    monkeypatch.chdir(folder)
    code, _, err = run(capsys, *line.split(), *option.split())
    assert code == 2
    assert f"{option} would do nothing where labels are compared by position; name the" in err
    (folder / "one.cmty").write_text("a b\nc\n")
    (folder / "two.cmty").write_text("a b\nd\n")
    sides = ["compare", "one.cmty", "two.cmty", "--unmatched", "drop"]
    assert run(capsys, *sides)[0] == 0  # which have ids of their own


def test_one_file_that_is_no_table(files, capsys):
    folder, whole = files
    code, _, err = run(capsys, "compare", folder / "labels.csv")
    assert code == 2
    assert "a table is loaded from .npz or .parquet" in err
    whole.save(folder / "cells.npz")
    code, _, err = run(capsys, "diagnose", folder / "cells.npz", "--items")
    assert code == 2
    assert "--items lists items, which a table does not hold" in err


def test_sizes():
    sizes = {"1": 1, "10kb": 10 << 10, "500MB": 500 << 20, "1.5GiB": 3 << 29, "2 T": 2 << 40}
    assert {text: read_size(text) for text in sizes} == sizes
    for text in ("", "much", "-1GB", "0", "1XB"):
        with pytest.raises(ValueError, match="--memory-limit"):
            read_size(text)
