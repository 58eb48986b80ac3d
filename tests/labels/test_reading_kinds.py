"""What files of labels are read as, kind by kind, and how a reader that is unsure says so."""

import gzip
import io
import json
import os
import threading
import zipfile

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

A, B, C = "a", "b", "c"


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


FIELDS = [
    ("a.txt", "  a   0\n  bb  0\n ccc  1\n", {"label": "2"}, [0, 0, 1]),
    ("a.dat", "node cluster\na 0\nb 0\nc 1\n", {"label": "cluster"}, [0, 0, 1]),
    ("a.csv", "a|0\nb|0\nc|1\n", {"label": "2"}, [0, 0, 1]),
    ("a.csv", "node|cluster\na|0\nb|0\nc|1\n", {"header": True, "label": 2}, [0, 0, 1]),
    ("a.tsv", "a;0\nb;0\nc;1\n", {"label": "2"}, [0, 0, 1]),
    ("a.csv", "a\t0\nb\t0\nc\t1\n", {"label": "2"}, [0, 0, 1]),
    ("a.txt", '"x" "k"\n"1" "a b" 0\n"2" "c" 0\n"3" "d" 1\n', {"label": "k"}, [0, 0, 1]),
    ("a.txt", "x k\n1 a 0\n2 c 0\n3 d 1\n", {"label": "k"}, [0, 0, 1]),
    ("a.csv", "leiden\na,0\nb,0\nc,1\n", {}, [0, 0, 1]),
    ("a.csv", "0,5,6,7\n1,2,2,3\n2,2,2,3\n3,2,2,3\n", {"label": "2"}, [5, 2, 2, 2]),
    ("a.txt", 'x k\n"a\\"b" 0\n"c d" 1\n', {"label": "x"}, ['a"b', "c d"]),
    ("a.txt", 'x k\na\\b 0\n"c d" 1\n', {"label": "x"}, ["a\\b", "c d"]),
    ("a.tsv", "k\tsize\na\t0\t9\nb\t0\t9\nc\t1\t9\n", {"label": "k"}, [0, 0, 1]),
    ("a.clu", "# codelength 3.4 bits\n# node_id module flow\n1 2 0.1\n2 2 0\n", {}, [2, 2]),
    ("a.txt", "# gene cluster\nb 0\nb 0\nc 1\n", {"label": "1"}, ["b", "b", "c"]),
    ("a.clu", "*Vertices 3\n1\n1\n2\n", {}, [1, 1, 2]),
    ("a.clu", "7 1\n8 1\n9 2\n", {}, [1, 1, 2]),
    ("a.txt", "T cell\nB cell\nT cell\n", {}, ["T cell", "B cell", "T cell"]),
    ("a.txt", "cell type\nT x\nB y\nT x\n", {"label": "cell type"}, ["T x", "B y", "T x"]),
    ("a.txt", "a\t0\nb\t1\n", {"label": "2", "delimiter": "tab"}, [0, 1]),
    ("a.txt", "a\t0\nb\t1\n", {"label": "2", "delimiter": "\\t"}, [0, 1]),
    ("a.txt", "a  0\nb    1\n", {"label": "2", "delimiter": "   "}, [0, 1]),
    ("a.txt", "Plato\nSmith, J\nSmith, J\n", {}, ["Plato", "Smith, J", "Smith, J"]),
]

HEADERS = [
    ("a.csv", ",0\na,0\nb,0\nc,1\n", {}, [0, 0, 1]),
    ("a.csv", "Unnamed: 0,leiden\n0,1\n1,1\n2,0\n", {}, [1, 1, 0]),
    ("a.csv", ",2,3\na,0,0\nb,0,1\nc,1,2\n", {"label": "3"}, [0, 1, 2]),
    ("a.csv", "cell,1,2\na,5,6\nb,5,7\nc,6,7\n", {"label": "1"}, [5, 5, 6]),
    ("a.csv", "id;0.5;1.0\nr1;0;1\nr2;0;2\nr3;1;2\n", {"label": "0.5"}, [0, 0, 1]),
    ("a.csv", "x,k,k\nr1,1,2\nr2,1,1\n", {"label": 3, "header": True}, [2, 1]),
    ("a.txt", "cluster\n1\n2\n1\n", {}, [1, 2, 1]),
    ("a.csv", "1,2\n3,4\n5,4\n", {"label": "2"}, [2, 4, 4]),
    ("a.tsv", "#id\tcluster\na\t1\nb\t2\nc\t2\n", {"label": "cluster"}, [1, 2, 2]),
    ("a.tsv", "#id\tcluster\na\t1\nb\t2\nc\t2\n", {"label": "2"}, [1, 2, 2]),
    ("a.csv", "#made 2020\nid,k\na,1\nb,2\n", {"label": "k"}, [1, 2]),
    ("a.tsv", "#made 2020\n#id\tk\na\t1\nb\t2\n", {"label": "k"}, [1, 2]),
    ("a.tsv", "#made 2020\n#by hand\n#id\tk\na\t1\nb\t2\n", {"label": "k"}, [1, 2]),
]

MISSING = [
    ("a.csv", "id,k\na,1\nb,NA\nc,2\n", {"label": "k"}, [1, None, 2]),
    ("a.csv", "id,k\na,x\nb,nan\nc,y\n", {"label": "k"}, ["x", None, "y"]),
    ("a.csv", "id,k\na,0.5\nb,null\nc,1.5\n", {"label": "k"}, [0.5, None, 1.5]),
    ("a.txt", "x\nNone\ny\n", {}, ["x", None, "y"]),
    ("a.tsv", "id\tk\na\tx\nb\t\nc\tN/A\n", {"label": "k"}, ["x", None, None]),
    ("a.csv", "id,k\na,x\nb,none\nc,y\n", {"label": "k"}, ["x", "none", "y"]),
]

CELLS = [
    ("a.csv", "a , 0\nb , 0\nc , 1\n", {"label": "2"}, [0, 0, 1]),
    ("a.csv", '"a" , "0"\n"b" , "0"\n"c" , "1"\n', {"label": "2"}, [0, 0, 1]),
    ("a.csv", 't, p\n"x, y", 1\nz, 2\n', {"label": "t"}, ["x, y", "z"]),
    ("a.tsv", 'id\tk\n1\t "x"\n2\tx\n', {"label": "k"}, ["x", "x"]),
    ("a.txt", "#ai\n#ml\n#ai\n", {}, ["#ai", "#ml", "#ai"]),
    ("a.txt", "#one\n1\n2\n", {"comment": "#"}, [1, 2]),
    ("a.txt", "nlp\n#ai\n", {"format": "lines"}, ["nlp", "#ai"]),
    ("a.tsv", "#ai\t1\n#ml\t2\nnlp\t2\n", {"label": "2"}, [1, 2, 2]),
    ("a.txt", "x\ny\n".encode("utf-16"), {}, ["x", "y"]),
    ("a.txt", "x\ny\n".encode("utf-32"), {}, ["x", "y"]),
    ("a.csv", f"k,text\n1,{'x' * 200_000}\n2,y\n", {"label": "k"}, [1, 2]),
    ("a.jsonl", '{"id": 1, "k": "x"}\n{"k": null, "id": 2}\n', {"label": "k"}, ["x", None]),
    ("a.json", "[0, 0, 1]", {}, [0, 0, 1]),
    ("a.txt", '[{"k": 1}, {"k": 2}]', {}, [1, 2]),
    ("a.txt", "[a]\n[b]\n", {}, ["[a]", "[b]"]),
]


@pytest.mark.parametrize(
    ("name", "content", "options", "labels"), [*FIELDS, *HEADERS, *MISSING, *CELLS]
)
def test_what_is_read(reader, tmp_path, name, content, options, labels):
    clustering = pw.read(written(tmp_path, name, content), **options)
    assert clustering.labels.tolist() == labels


UNSURE = [
    # fields
    ("a.txt", "a 0\nb 0\nc 1\n", {}, r"splits into 2 fields at blanks.*format=\"lines\""),
    ("a.dat", "a|0\nb|0\nc|1\n", {}, r"2 fields at '\|'.*delimiter=\"\|\""),
    ("a.csv", "a\t0\nb\t0\nc\t1\n", {}, '2 fields at tabs.*delimiter="tab"'),
    ("a.txt", "# two words\nb 0\nb 0\nc 1\n", {"label": "1"}, "2 fields at blanks"),
    ("a.txt", "# a cluster\nb 0 1\nb 0 2\nc 1 1\n", {"label": "1"}, "3 fields at blanks"),
    ("a.txt", "# gene cluster\na 0\nb 0\nc 1\n", {}, "columns .gene, cluster.; say which"),
    ("a.txt", "CD4 T\nCD8 T\nCD4 B\nCD4 T\n", {}, "a table or one label a line"),
    ("a.txt", "leiden\na 0\nb 0\nc 1\n", {}, "every line below the first splits"),
    ("a.txt", "Plato\nSmith, J\nDoe, K\n", {}, "every line below the first splits"),
    ("a.csv", "x|0,5\ny|0,5\nz|1,5\n", {"label": "2"}, r"both , and \|: give the delimiter"),
    ("a.txt", "mono u u\nmono w u\nmono u u\n", {"label": "1"}, "3 fields at blanks"),
    ("a.csv", "the title\nid,k\na,1\nb,2\n", {"label": "k"}, "the title.*take it out"),
    # headers
    ("a.csv", "a,Unassigned\nb,1\nc,1\n", {"label": "2"}, "first row .a, Unassigned."),
    ("a.csv", "r01,x\nr02,1\nr03,1\n", {"label": "2"}, "header=True or False"),
    ("a.csv", "bc,1,2,3\nr1,0,0,0\nr2,1,1,0\nr3,1,1,1\n", {"label": "2"}, "nothing tells"),
    ("a.csv", "2,3,4\n0,0,0\n0,1,1\n1,1,1\n1,2,3\n", {"label": "2"}, "nothing tells"),
    ("a.csv", "x,k,k\nr1,1,2\nr2,1,1\n", {"label": "k"}, "named 'k'.*number.*: 2, 3"),
    ("a.txt", "cluster\nB\nT\nB\n", {}, "nothing tells whether the first row .cluster."),
    ("a.csv", ",x,y\na,x,z\nb,x,y\n", {"label": "1"}, "nothing tells"),
    # cells
    ("a.csv", 't,p\n"x",1\n" x",2\n', {"label": "t"}, "differ by blanks beside them only"),
    ("a.txt", "k size\na 0 1\na 1 2\nc 1 1\n", {"label": "k"}, "columns are: k size"),
    ("a.txt", "k;size\na;0;1\na;1;2\nc;1;1\n", {"label": "k"}, "columns are: k;size"),
    ("a.txt", "# x\n\n#one\n1\n2\n", {}, r"a.txt:3: .* '#one' is a comment or a label"),
    ("a.txt", "# x\n# y\n\n\n#one\n1\n", {}, r"a.txt:5: .* '#one' is a comment"),
    ("a.txt", "#made by hand\n1\n2\n", {}, r"a.txt:1: .*comment or a label.*comment=\"#\""),
    ("a.txt", "#one\n1\n2\n", {}, r"comment=\"\" \(a label\)"),
    ("a.txt", "\nx\ny\n", {}, "empty line above the labels"),
    ("a.json", '{"a": 1}', {}, "may be a row or a mapping"),
]

NOT_READ = [
    ("a.txt", "1\n2\n".encode("utf-16-le"), {}, "UTF-16LE text without a byte order mark"),
    ("a.txt", "1\n2\n".encode("utf-16-be"), {}, "UTF-16BE text without a byte order mark"),
    ("a.txt", b"ab\nc\0d\n", {}, "a.txt:2: a NUL byte"),
    ("a.txt", "ab\nc\0d\n".encode("utf-16"), {}, "a.txt:2: a NUL character"),
    ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", {}, "an Excel file; save the sheet as CSV"),
    ("key.conll", b"#begin document (d);\n", {}, "a file of coreference; partwise coref"),
    ("a.db", b"SQLite format 3\0 more", {}, "an SQLite database"),
    ("a.pkl", b"\x80\x04\x95abc", {}, "a Python pickle"),
    ("a.rds", gzip.compress(b"X\n\0\0\0\3", mtime=0), {}, "a file of R objects"),
    ("a.csv", b"PAR1\x15junk", {}, "not readable as parquet"),
    ("a.jsonl", '{"k": [1]}\n{"k": 2}\n', {}, "a.jsonl:1: column 'k' holds a list"),
    ("a.jsonl", '{"k": 1}\n{"k": \n', {}, "a.jsonl:2: not a row in JSON"),
    ("a.csv", "k\n", {"label": "k"}, "holds no labels"),
    ("a.csv", "k\n", {"label": "a"}, "no column 'a'; the columns are: k"),
    ("a.csv", "k\n", {"label": "a", "header": True}, "no column 'a'; the columns are: k"),
    ("a.csv", "", {"label": "a"}, "a.csv: the file holds no labels; it has no row and no"),
    ("a.csv", "", {"item": "a"}, "the file holds no labels; it has no row and no column 'a'"),
    ("a.csv", "\n\n", {"label": "a"}, "the file holds no labels"),
    ("a.json", "[]", {}, "a.json: the file holds no labels; a comparison"),
    ("a.json", "[]", {"label": "a"}, "a.json: the file holds no labels; it has no row and"),
    ("a.csv", "1\n2\n", {"label": "a"}, "no column 'a'; the columns are: 1"),
]


@pytest.mark.parametrize(("name", "content", "options", "words"), [*UNSURE, *NOT_READ])
def test_what_is_refused(reader, tmp_path, name, content, options, words):
    with pytest.raises(ValueError, match=words):
        pw.read(written(tmp_path, name, content), **options)


@pytest.mark.parametrize(
    ("name", "content", "options", "words"),
    [
        ("a.txt", "1\n", {"format": "lines", "delimiter": ","}, "delimiter= would do nothing"),
        ("a.cmty", "1 2\n", {"header": True}, "header= would do nothing"),
        ("a.cmty", "1 2\n", {"flatten": True}, "flatten is for arrays"),
        ("a.json", "[1]", {"delimiter": ","}, "delimiter= would do nothing"),
        ("a.json", "[1]", {"comment": "#"}, "comment= would do nothing"),
        ("a.csv", "k\n1\n", {"delimiter": "||"}, "must be one character, or one of: tab"),
        ("a.csv", "k\n1\n", {"format": "npy"}, "no NumPy file"),
    ],
)
def test_options_that_would_do_nothing(tmp_path, name, content, options, words):
    with pytest.raises(ValueError, match=words):
        pw.read(written(tmp_path, name, content), **options)


def test_communities(tmp_path):
    members = [["0", "1", "2"], ["3", "4"]]
    for name, text, options in (
        ("a.csv", "0,1,2\n3,4\n", {"format": "communities", "delimiter": ","}),
        ("a.csv", "0,1,2\n3,4\n", {"format": "communities"}),
        ("a.cmty", "0 1  2\n3 4\n", {}),
        ("a.cmty.txt", "# two\n0\t1\t2\n3\t4\n", {}),
        ("a.cmty", "0; 1; 2\n3; 4\n", {}),
    ):
        clustering = pw.read(written(tmp_path, name, text), **options)
        assert list(clustering.clusters().values()) == members
    with pytest.raises(ValueError, match="separated by blanks or by ','"):
        pw.read(written(tmp_path, "a.cmty", "0, 1 2\n3, 4\n"))


def test_containers(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    from pyarrow import feather

    table = arrow.table({"id": [1, 2, 3], "k": ["x", "x", "y"]})
    feather.write_feather(table, tmp_path / "a.feather")
    stream = io.BytesIO()
    with arrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    written(tmp_path, "a.arrow", stream.getvalue())
    for name in ("a.feather", "a.arrow"):
        assert pw.read(tmp_path / name, label="k").labels.tolist() == ["x", "x", "y"]
    frame = pandas.DataFrame({"entity": [1, 1, 2]}, index=[5, 3, 9])
    frame.to_parquet(tmp_path / "frame.parquet")
    assert pw.read(tmp_path / "frame.parquet").labels.tolist() == [1, 1, 2]
    (tmp_path / "spark").mkdir()
    for part in range(2):
        frame.to_parquet(tmp_path / "spark" / f"part-{part}.parquet", index=False)
    (tmp_path / "spark" / "_SUCCESS").touch()
    assert pw.read(tmp_path / "spark").labels.tolist() == [1, 1, 2, 1, 1, 2]
    fields = np.array([(1, "x"), (1, "y")], dtype=[("cluster", "i4"), ("id", "U2")])
    np.save(tmp_path / "a.npy", fields)
    assert pw.read(tmp_path / "a.npy", label="cluster", item="id").labels.tolist() == [1, 1]
    packed = gzip.compress((tmp_path / "a.npy").read_bytes())
    written(tmp_path, "b.npy.gz", packed)
    assert pw.read(tmp_path / "b.npy.gz", label="cluster").labels.tolist() == [1, 1]
    np.save(tmp_path / "o.npy", np.array([1, "a"], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="an array of Python objects"):
        pw.read(tmp_path / "o.npy")
    np.save(tmp_path / "d.npy", np.zeros((2, 3, 2), dtype=int))
    with pytest.raises(ValueError, match=r"shape \(2, 3, 2\).*flatten=True"):
        pw.read(tmp_path / "d.npy")


def archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)
    return file.getvalue()


def test_archives(tmp_path):
    assert pw.read(written(tmp_path, "a.zip", archive(k="1\n1\n"))).labels.tolist() == [1, 1]
    with pytest.raises(ValueError, match="a zip archive of 2 files"):
        pw.read(written(tmp_path, "b.zip", archive(k="1\n", m="2\n")))
    book = archive(**{"[Content_Types].xml": "", "xl/workbook.xml": ""})
    with pytest.raises(ValueError, match="this is an Excel file; save the sheet as CSV"):
        pw.read(written(tmp_path, "b.xlsx", book))
    with pytest.raises(ValueError, match="this is an OpenDocument file"):
        pw.read(written(tmp_path, "b.ods", archive(mimetype="x", content="y")))
    zstandard = pytest.importorskip("zstandard")
    data = zstandard.compress(b"1\n2\n")
    assert pw.read(written(tmp_path, "a.txt", data)).labels.tolist() == [1, 2]


def test_obs_of_anndata(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5ad"
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs.attrs.create("column-order", ["leiden", "size"], dtype=text)
        obs.create_dataset("cell", data=["AA", "BB", "CC"], dtype=text)
        obs.create_dataset("size", data=[4, 4, 5])
        leiden = obs.create_group("leiden")
        leiden.create_dataset("codes", data=np.array([0, -1, 1], dtype=np.int8))
        leiden.create_dataset("categories", data=["0", "1"], dtype=text)
    clustering = pw.read(path, label="leiden", item="cell")
    assert clustering.labels.tolist() == ["0", None, "1"]
    assert clustering.items.tolist() == ["AA", "BB", "CC"]
    assert pw.read(path, label="size").labels.tolist() == [4, 4, 5]


# ---- what is told ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "options", "codes"),
    [
        ("a.txt", "a 0\nb 1\n", {"label": "2"}, ["delimiter-found"]),
        ("a.csv", ",0\na,0\nb,1\n", {}, ["header-taken", "index-column"]),
        ("a.csv", "leiden\na,0\nb,1\n", {}, ["row-names"]),
        ("a.txt", "x\ny\n".encode("utf-16"), {}, ["encoding"]),
        ("a.txt.gz", "x\ny\n", {}, ["kind-by-content"]),
        ("a.json", "[1, 2]", {}, ["format-found"]),
        ("a.clu", "1 1\n2 1\n", {}, ["format-found"]),
        ("a.txt", "x\nNA\n", {}, ["missing-words"]),
        ("a.txt", "x\ny\n\n\n", {}, ["blank-tail"]),
        ("a.csv", "p,t\n0,x\n0, x\n", {"label": "t"}, ["blanks-stripped"]),
        ("a.csv", "id,1\na,x\nb,y\n", {"label": "1", "item": "id"}, ["name-over-number"]),
        ("a.csv", "id,k\na,x\nb,y\n", {"label": "k"}, ["unused-column"]),
        ("a.csv", "doc,id,k\nd,a,x\nd,b,y\n", {"label": "k", "item": "id"}, ["unused-column"]),
        ("a.txt", "my labels\nx\ny\nx\ny\nx\ny\n", {}, ["first-row-label"]),
        ("a.txt", "x\ny\n", {}, []),
    ],
)
def test_what_is_told(tmp_path, name, content, options, codes):
    if name == "a.csv" and "1" in options.values():
        options = {**options, "header": True}
    clustering = pw.read(written(tmp_path, name, content), **options)
    assert [note.code for note in clustering.notes] == codes
    assert all(note.place.startswith(name) for note in clustering.notes)


# ---- the command line --------------------------------------------------------------


def run(capsys, *arguments):
    code = main([str(x) for x in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unmatched", "dorp"], "--unmatched dorp is not one of"),
        (["--flatten"], "--flatten is for arrays"),
        (["--header", "no"], "no column 'k'"),
        (["--delimiter", "ab"], "--delimiter ab must be one character"),
        (["--format", "lines", "--delimiter", ","], "--delimiter would do nothing"),
        (["--label", "k"], "--label names the column of a FILE that names none"),
    ],
)
def test_sentences_in_the_words_of_the_command_line(capsys, tmp_path, options, words):
    path = written(tmp_path, "a.csv", "id,k\na,x\nb,y\n")
    code, out, err = run(capsys, "compare", f"{path}::k", f"{path}::k", *options)
    assert (code, out) == (2, "")
    assert words in err
    assert "=" not in err.replace(str(path), "")


def test_policies_are_named_as_options(capsys, tmp_path):
    a = written(tmp_path, "a.csv", "id,k\na,x\na,y\n")
    b = written(tmp_path, "b.csv", "id,k\na,x\nb,NA\n")
    asked = ["--item", "id", "--label", "k"]
    assert "--duplicates first or last" in run(capsys, "compare", a, b, *asked)[2]
    asked += ["--duplicates", "first"]
    assert "--unmatched drop or singletons" in run(capsys, "compare", a, b, *asked)[2]
    err = run(capsys, "compare", b, b, *asked)[2]
    assert "--missing drop, singletons or cluster" in err
    assert "note: b.csv: column k: cells that read NA are missing labels" in err
    c = written(tmp_path, "c.txt", "x\n")
    assert "(--item COLUMN aligns by item)" in run(capsys, "compare", f"{b}::id", c)[2]


def test_many_columns_are_not_all_listed(capsys, tmp_path):
    names = ",".join(f"c{i}" for i in range(3000))
    path = written(tmp_path, "a.csv", f"{names}\n{','.join(['1'] * 3000)}\n")
    code, _, err = run(capsys, "compare", f"{path}::zz", f"{path}::c1")
    assert code == 2
    assert "(3000 columns)" in err
    assert len(err) < 400


def test_standard_input_and_pipes_are_read_once(capsys, tmp_path, monkeypatch):
    text = "id,k,m\na,0,0\nb,0,1\nc,1,1\n"
    wanted = pw.rand_index([0, 0, 1], [0, 1, 1])
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    code, out, _ = run(capsys, "compare", "-::k", "-::m", "--measures", "rand_index", "--json")
    assert (code, json.loads(out)["scores"]["rand_index"]) == (0, wanted)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    sides = [f"{pipe}::k", f"{pipe}::m"]
    code, out, _ = run(capsys, "compare", *sides, "--measures", "rand_index", "--json")
    writer.join()
    assert (code, json.loads(out)["scores"]["rand_index"]) == (0, wanted)


def test_edges_with_columns_by_name_and_thresholds_below_zero(capsys, tmp_path):
    gold = written(tmp_path, "g.csv", "id,k\nr1,a\nr2,a\nr3,b\n")
    edges = written(tmp_path, "e.csv", "w,l,r\n5.1,r1,r2\n-1.0,r2,r3\n")
    options = ["--item", "id", "--scores", "similarity", "--measures", "rand_index"]
    code, out, err = run(
        capsys, "sweep", f"{gold}::k", f"{edges}::l,r,w", *options, "--thresholds", "-2,0,4"
    )
    assert (code, err) == (0, "")
    assert "rand_index 1" in out
    code, _, err = run(capsys, "sweep", f"{gold}::k", f"{edges}::l,r", *options)
    assert code == 2
    assert "three columns are expected after '::'" in err
    bad = written(tmp_path, "b.csv", "l,r,w\nr1,r2,5.1\nr2,r3,high\n")
    code, _, err = run(capsys, "sweep", f"{gold}::k", bad, *options, "--header", "yes")
    assert code == 2
    assert "b.csv:3: the score 'high' in column 'w' is no number" in err


# ---- an option, a name or a mark that could be two things ---------------------------


@pytest.mark.parametrize(
    ("name", "content", "options", "labels"),
    [
        # the tab before the name is the empty name of the index
        (
            "a.csv",
            "\tcluster\n0\t0.5\n1\t0.5\n",
            {"label": "cluster", "header": True},
            [0.5, 0.5],
        ),
        # the header names a label, and an item column alone is asked for
        ("a.csv", ",cluster\na,0\nb,0\nc,1\n", {"item": "1"}, [0, 0, 1]),
        # a comment of as many words as the labels have is prose
        ("a.txt", "# by hand\nT cell\nB cell\nT cell\n", {}, ["T cell", "B cell", "T cell"]),
        ("a.txt", "m1 2\nm2 1\nm3 1\n", {"label": "2"}, [2, 1, 1]),
    ],
)
def test_one_reading_is_read(reader, tmp_path, name, content, options, labels):
    path = written(tmp_path, name, content)
    assert pw.read(path, **options).labels.tolist() == labels


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ("a,k3,2\nu,u,0.5\nu,u,0.5\nu,u,0.7\n", {"label": "2"}, r"first row \(a, k3, 2\)"),
        ("2 k3\n0.5 u\n0.5 u\n0.7 u\n", {"label": "2"}, r"first row \(2, k3\)"),
        ("# by hand\n2 k3\n0.5 0\n0.5 0\n0.7 0\n", {"label": "2"}, r"first row \(2, k3\)"),
        ("id,k\na,0\nb,1\nid,k\nc,0\n", {"label": "k"}, "a.txt:4: the names of the columns"),
        ("0,id\n0,B\n", {"label": "2"}, r"first row \(0, id\)"),
        ("id,k\na,0,\nb,0,\nc,1,\n", {"label": "k"}, "a.txt:2: every row but the first ends"),
        (
            "| id | k |\n|----|---|\n| a | 0 |\n| b | 1 |\n",
            {"label": "k"},
            "a.txt:2: a line of",
        ),
        ("id,k\n---,---\na,0\nb,1\n", {"label": "k"}, "a.txt:2: a line of dashes"),
        ("id,k\n---,---\n", {"label": "k"}, "a.txt:2: a line of dashes"),
        # row names below a header that is one short, by either delimiter
        (
            "x,y;z\nr1,1,2;3;4\nr2,1,3;2;4\nr3,2,3;2;5\n",
            {"label": "2"},
            "the first row holds both , and ;",
        ),
        ("<?xml version='1.0'?>\n<graphml/>\n", {}, "this is an XML file; write a table"),
        ('{"a": 1, "b": {"c": 2}}\n{"a": 1, "b": 3}\n', {"label": "a"}, "holds an object"),
        # both readings have a column 1
        ('"a,b"\na;b\n', {"label": "1"}, "a table or one label a line"),
        ("B\na;b\nc;d\n", {"label": "1"}, "a table or one label a line"),
        # row names above a header of one field, or a table in blanks
        ("0 a,b\n0 a;b\n", {"label": "2"}, "splits at blanks, and those below the first at"),
        # "NA" alone is a missing label, "NA u" is none
        ("NA u\nNA u\n0.5 u\n", {"label": "1"}, "a table or one label a line"),
        # the second column, or the column named 2, which is the second
        ("a,2\nu,0.5\nu,0.5\n", {"label": "2"}, r"first row \(a, 2\)"),
    ],
)
def test_two_readings_are_refused(reader, tmp_path, content, options, words):
    with pytest.raises(ValueError, match=words):
        pw.read(written(tmp_path, "a.txt", content), **options)


def test_the_index_of_a_frame_is_no_label_where_the_other_column_is_the_item(tmp_path):
    frame = pytest.importorskip("pandas").DataFrame({"k": [0, 1, 2]}, index=["x", "y", "y"])
    path = tmp_path / "a.csv"
    frame.to_csv(path)
    with pytest.raises(ValueError, match="say which one holds the labels"):
        pw.read(path, item="k")
    assert pw.read(path, item="k", label="1").labels.tolist() == ["x", "y", "y"]


def test_an_option_may_act_for_one_of_two_files(capsys, tmp_path):
    path = written(tmp_path, "a.csv", "m1,T cell\nm2,B cell\nm3,T cell\n")
    np.save(tmp_path / "b.npy", [0, 1, 0])
    sides = [f"{path}::2", str(tmp_path / "b.npy")]
    for order in (sides, sides[::-1]):
        code, out, _ = run(capsys, "compare", *order, "--measures", "purity", "--header", "no")
        assert (code, out.split()[-1]) == (0, "1.0000")
    for option in ("--header=no", "--delimiter=tab", "--comment=none"):
        code, _, err = run(capsys, "compare", sides[1], sides[1], option)
        assert code == 2
        assert f"{option.split('=')[0]} would do nothing for a file of the format npy" in err


def test_ids_on_one_side_are_spoken_of_in_the_words_of_the_command_line(capsys, tmp_path):
    path = written(tmp_path, "a.clu", "1 1\n2 1\n3 2\n")
    np.save(tmp_path / "b.npy", [0, 1, 0])
    code, _, err = run(capsys, "compare", str(path), str(tmp_path / "b.npy"))
    assert code == 2
    assert "--item COLUMN" in err
    assert "Clustering(" not in err
