"""Text files in pieces: the table of the file read at once."""

import gzip
import re

import numpy as np
import pytest

import partwise as pw
from partwise.scale import blocks, text

HEAD = "id,truth,found\n"


def rows(n, label=str):
    rng = np.random.default_rng(n)
    a, b = rng.integers(0, 40, (2, n))
    return "".join(f"{i},{label(x)},{y}\n" for i, (x, y) in enumerate(zip(a, b, strict=True)))


FILES = {
    "whole numbers": HEAD + rows(3000),
    "numbers": HEAD + rows(3000, lambda x: f"{x / 4}"),
    "text": HEAD + rows(3000, lambda x: f"c{x}"),
    "text at the end only": HEAD + rows(3000) + "3000,late,7\n",
    "a leading zero at the end": HEAD + rows(3000) + "3000,07,7\n",
    "leading zeros": HEAD + rows(3000, lambda x: f"{x:03}"),
    "decimals": HEAD + rows(3000, lambda x: f"{x / 4:.2f}"),
    "missing": HEAD + rows(3000, lambda x: "NA" if x == 3 else "" if x == 4 else x),
    "quoted": HEAD + rows(3000, lambda x: f'"a, {x}"'),
    "quoted line ends": HEAD + rows(3000, lambda x: f'"a\n{x}"'),
    "comment": "# made by hand\n" + HEAD + rows(3000),
    "windows": (HEAD + rows(3000)).replace("\n", "\r\n"),
    "blanks beside": HEAD + rows(3000, lambda x: f" c{x}" if x % 2 else f"c{x} "),
    "empty tail": HEAD + rows(3000) + "\n\n\n",
    "accents": HEAD + rows(3000, lambda x: f"é{x}"),
    "one piece": HEAD + rows(5),
}


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(text, "_TOP", 1500)
    monkeypatch.setattr(text, "_LEAST_PIECE", 20_000)


def content(table):
    parts = (*table.cells, table.row_labels, table.col_labels, table.row_sizes, table.col_sizes)
    return [part.tolist() for part in parts]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_pieces_are_the_file_at_once(name, packed, tmp_path):
    path = tmp_path / ("labels.csv.gz" if packed else "labels.csv")
    data = FILES[name].encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    sides = [pw.read(path, label=x) for x in ("truth", "found")]
    options = {"missing": "cluster", "missing_labels": ([5], None)}
    if "text" in name or name in ("quoted", "quoted line ends", "blanks beside", "accents"):
        options["missing_labels"] = (["c5"], None)
    declared = {"a leading zero at the end": "5", "leading zeros": "005", "decimals": "1.25"}
    if name in declared:
        options["missing_labels"] = ([declared[name]], None)
    whole = pw.contingency(*sides, **options)
    for most in (100, 10**6):
        table = blocks.contingency(path, label=("truth", "found"), block_items=most, **options)
        assert content(table) == content(whole)
        assert table.row_labels.dtype == whole.row_labels.dtype
        assert table.account.reference == whole.account.reference
        wanted = {note for note in whole.account.notes if note.code != "unused-column"}
        assert set(table.account.notes) == wanted


def test_one_label_a_line(tmp_path):
    path = tmp_path / "labels.txt"
    a = np.arange(5000) % 70
    path.write_text("\n".join(map(str, a.tolist())) + "\n")
    table = blocks.contingency(path, a, block_items=900)
    assert content(table) == content(pw.contingency(pw.read(path), a))


def test_errors_name_the_line_of_the_file(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEAD + rows(3000) + "3000,1,2,3\n")
    with pytest.raises(ValueError, match=r"labels\.csv:3002: ") as at_once:
        pw.read(path, label="truth")
    with pytest.raises(ValueError, match=r"labels\.csv:3002: ") as in_pieces:
        blocks.contingency(path, label=("truth", "found"))
    assert str(in_pieces.value) == str(at_once.value)
    (tmp_path / "wide.csv").write_bytes((HEAD + rows(9)).encode("utf-16"))
    with pytest.raises(ValueError, match="is not read in blocks; convert it to UTF-8"):
        blocks.contingency(tmp_path / "wide.csv", label=("truth", "found"))
    (tmp_path / "rows.json").write_text('[{"truth": 1, "found": 2}]')
    with pytest.raises(ValueError, match="are read in blocks, not JSON"):
        blocks.contingency(tmp_path / "rows.json", label=("truth", "found"))
    with pytest.raises(ValueError, match="no column 'x'"):
        blocks.contingency(path, label=("x", "found"))
    np.save(tmp_path / "a.npy", np.arange(3))
    with pytest.raises(ValueError, match="delimiter= would do nothing"):
        blocks.contingency(tmp_path / "a.npy", tmp_path / "a.npy", delimiter=",")


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("kind", ["csv", "parquet", "npy", "list"])
def test_an_item_without_a_label_is_named_by_its_place_in_the_file(tmp_path, kind, workers):
    labels = [float(i % 7) for i in range(3000)]
    broken = [*labels[:2400], np.nan, *labels[2401:]]
    path = tmp_path / f"labels.{kind}"
    if kind == "csv":
        cells = ["" if x != x else str(x) for x in broken]
        path.write_text(
            "# by hand\nid,k\n" + "".join(f"{i},{x}\n" for i, x in enumerate(cells))
        )
        where, side = f"line 2403 of {path}", path
    elif kind == "parquet":
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        pandas.DataFrame({"k": broken}).to_parquet(path)
        where, side = f"row 2401 of {path}", path
    elif kind == "npy":
        np.save(path, np.array(broken))
        where, side = f"row 2401 of {path}", path
    else:
        where, side = "index 2400", broken
    label = ("k", None) if kind in ("csv", "parquet") else None
    for first, second, columns, name in (
        (side, labels, label, "reference"),
        (np.array(labels), side, label and label[::-1], "candidate"),
    ):
        told = rf"block \d: missing labels: 1 in the {name} .* at {re.escape(where)}; choose"
        with pytest.raises(ValueError, match=told):
            blocks.contingency(first, second, label=columns, block_items=500, workers=workers)
