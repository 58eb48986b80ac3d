"""Names of columns that are numbers: taken, or asked about, and never counted as an item."""

import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend


NUMBERS_AS_NAMES = [
    ("gene,2,3\na,1,1\nb,2,3\nc,2,2\nd,1,1\n", "2"),
    ("gene,2,3,4\na,1,1,1\nb,2,3,4\nc,2,2,3\nd,1,1,2\n", "3"),
    ("gene,2,3,k\na,1,1,x\nb,2,3,y\nc,2,2,x\nd,1,1,x\n", "2"),
    ("gene,2,3,k\na,1,1,0\nb,2,3,1\nc,2,2,0\nd,1,1,1\n", "2"),
    ("2\t3\n1\t1\n2\t3\n2\t2\n1\t1\n", "2"),
    ("2\t3\t4\n1\t1\t1\n2\t3\t4\n2\t2\t3\n1\t1\t2\n", "2"),
    ("2,3\n3,1\n2,2\n1,1\n2,1\n", "3"),  # no column has the number 3
]


@pytest.mark.parametrize(("content", "label"), NUMBERS_AS_NAMES)
def test_rising_numbers_that_may_be_names_ask_for_the_header(
    reader, tmp_path, capsys, content, label
):
    path = tmp_path / "a.txt"
    path.write_text(content)
    with pytest.raises(ValueError, match="nothing tells whether the first row"):
        pw.read(path, label=label)
    assert main(["score", str(path), "--reference", label, "--measures", "ari"]) == 2
    assert "--header yes or no" in capsys.readouterr().err
    n = content.count("\n") - 1
    assert len(pw.read(path, label=label, header=True)) == n
    assert len(pw.read(path, label="2", header=False)) == n + 1


@pytest.mark.parametrize(
    "content",
    [
        "c1,1,2\nc2,2,1\n",
        "c9,1,2\nc10,2,1\nc11,1,1\n",
        "3fa9,1,2\nb01c,2,1\n77aa,1,1\n",
        "B cell,1,2\nT cell,2,1\nB cell,1,1\n",
        "1,2\n2,1\n1,1\n",
        "0,1\n1,1\n1,0\n",
        "0,1,2\n1,1,1\n2,1,0\n",  # the first column counts the rows
        "1,2,3\n2,1,1\n3,2,2\n",
    ],
)
def test_rising_numbers_in_a_row_of_data_are_labels(reader, tmp_path, content):
    path = tmp_path / "a.csv"
    path.write_text(content)
    assert len(pw.read(path, label=2)) == content.count("\n")


def test_an_index_without_a_name_can_be_the_item(reader, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",truth\na,x\nb,y\n")
    read = pw.read(path, item=1)
    assert (read.items.tolist(), read.labels.tolist()) == (["a", "b"], ["x", "y"])
    with pytest.raises(ValueError, match="nothing tells"):
        pw.read(path, label=1)  # the first label may be missing


def test_labels_may_be_the_numbers_that_name_their_columns(reader, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("2,3\n1,1\n2,3\n2,2\n")
    assert pw.read(path, label="3", header=True).labels.tolist() == [1, 3, 2]
    path.write_text("id,3\na,1\nid,3\nb,2\n")
    with pytest.raises(ValueError, match=r"a.csv:3: the names of the columns stand here again"):
        pw.read(path, label="3", header=True)


def test_one_column_may_hold_its_name_as_a_label(reader, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("colour\nred\ncolour\nred\n")
    assert pw.read(path, header=True).labels.tolist() == ["red", "colour", "red"]
    path.write_text("cluster\nred\ncluster\nred\n")  # unless columns of labels have this name
    with pytest.raises(ValueError, match=r"a.txt:3: the names of the columns stand here again"):
        pw.read(path, header=True)


# ---- lines above the rows ----------------------------------------------------------


@pytest.mark.parametrize(("delimiter", "spoken"), [(";", "';'"), (",", "','"), ("\t", "tabs")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_delimiter_declared_on_the_first_line(reader, tmp_path, delimiter, spoken, end):
    path = tmp_path / "a.csv"
    rows = [["id", "k"], ["a", "x"], ["b", "y"]]
    lines = [f"sep={delimiter}", *map(delimiter.join, rows)]
    path.write_bytes(end.join(lines).encode("utf-8-sig"))
    read = pw.read(path, label="k", item="id")
    assert read.labels.tolist() == ["x", "y"]
    text = f"a.csv: fields are separated by {spoken}, as the first line declares (sep=)"
    assert text in map(str, read.notes)
    with pytest.raises(ValueError, match=r"a.csv:1: the first line declares"):
        pw.read(path, label="k", delimiter="|")


@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_a_header_one_short_at_two_delimiters_asks_for_one(reader, tmp_path, name):
    path = tmp_path / name
    path.write_text("a,b;c\nr,1,2;3;4\ns,1,2;5;6\n")
    for label in (None, 2):
        with pytest.raises(
            ValueError, match=rf"{name}: the first row holds both , and ;: give"
        ):
            pw.read(path, label=label)
    assert pw.read(path, label="b;c", delimiter=",").labels.tolist() == ["2;3;4", "2;5;6"]
    assert pw.read(path, label="c", delimiter=";").labels.tolist() == [4, 6]


@pytest.mark.parametrize("name", ["a.clu", "a.txt"])
def test_vertices_of_pajek_are_counted(tmp_path, name):
    path = tmp_path / name
    path.write_text("*Vertices 3\n1\n2\n1\n")
    read = pw.read(path)
    assert read.labels.tolist() == [1, 2, 1]
    assert [note.text for note in read.notes] == ["read as a partition of Pajek, of 3 vertices"]
    path.write_text("*Vertices 4\n1\n2\n1\n")
    with pytest.raises(ValueError, match=rf"{name}:1: \*Vertices 4 announces 4 labels, and 3"):
        pw.read(path)


def test_a_line_end_in_quotes_belongs_to_the_last_row_so_far():
    from partwise.labels.files.delimiters import _joined

    lines = ["x,y", "1,2", '3,"4', '5"', "6,7", '"8', "9", '0",1']
    assert _joined(lines) == ["x,y", "1,2", '3,"4\n5"', "6,7", '"8\n9\n0",1']
    assert _joined(lines[:3]) == lines[:3]  # never closed: as it was
