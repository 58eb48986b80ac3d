"""Files in the dialects people have; errors name file and line."""

import gzip
import lzma

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.labels.files import text
from partwise.labels.files.read import read_table, typed_cells

pytestmark = pytest.mark.one_backend


@pytest.fixture
def file(tmp_path):
    def write(text, name="labels.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def labels(path, **options):
    return pw.read(path, **options).labels.tolist()


def test_one_label_per_line(file):
    assert labels(file("1\n2\n2\n")) == [1, 2, 2]
    assert labels(file("1\n2\n2")) == [1, 2, 2]
    assert labels(file("\ufeff1\r\n2\r\n")) == [1, 2]
    assert labels(file("# made by hand\n% twice\n1\n2\n\n\n")) == [1, 2]
    assert labels(file('a b\n"c, d"\na b\n', "x.labels")) == ["a b", "c, d", "a b"]
    assert labels(file("1\n\n3\n")) == [1, None, 3]
    assert labels(file(gzip.compress(b"4\n5\n"), "x.labels.gz")) == [4, 5]
    assert labels(file(lzma.compress(b"4\n5\n"), "x.txt.xz")) == [4, 5]


def test_labels_are_numbers_only_where_no_name_is_lost(file):
    assert labels(file("01\n1\n")) == ["01", "1"]
    assert labels(file("1.0\n2.5\n")) == [1.0, 2.5]
    assert labels(file("1.1\n1.10\n")) == ["1.1", "1.10"]
    assert labels(file("0.5\nnan\n\n1.5\n")) == [0.5, None, None, 1.5]
    assert labels(file("9007199254740993\n-1\n")) == [9007199254740993, -1]
    assert labels(file("18446744073709551615\n1\n")) == [18446744073709551615, 1]
    assert labels(file("1\nx\n")) == ["1", "x"]
    assert typed_cells(["", ""]) == [None, None]
    long = "1" * 5000  # more digits than Python makes a number of
    assert typed_cells([long, "NA", "", "2", "x"]) == [long, None, None, "2", "x"]
    assert typed_cells([]) == []


@pytest.mark.parametrize(
    "content", ['[{"k": 1, "k": 2}, {"k": 3}]', '{"k": 3}\n{"k": 1, "k": 2}\n']
)
def test_a_name_that_stands_twice_in_a_row_of_json(file, content):
    with pytest.raises(ValueError, match=r"x\.json.*the name 'k' stands twice in one object"):
        pw.read(file(content, "x.json"))


USUAL = {
    "integers": (["7", "-1", "0", "12"], [7, -1, 0, 12]),
    "floats": (["1.0", "0.5", "1e-05", "-2.25", "1e+16"], [1.0, 0.5, 1e-05, -2.25, 1e16]),
    "floats with missing ones": (["1.0", "", "2.0", "nan"], [1.0, None, 2.0, None]),
    "as R writes them": (["1", "2.5", "3"], [1.0, 2.5, 3.0]),
    "numpy.savetxt": (["1.000000000000000000e+00", "-1.000000000000000000e+00"], [1.0, -1.0]),
}
NAMES = {
    "leading zeros": ["007", "012"],
    "a leading zero": ["7", "012"],
    "a plus": ["+7", "8"],
    "trailing zeros": ["1.10", "1.2"],
    "versions": ["1.10", "2.0"],
    "decimals without a digit": ["1.", ".5"],
    "other exponents": ["1e5", "0.5"],
    "minus zero": ["-0", "1"],
    "minus zero with decimals": ["-0.0", "1.5"],
    "one number written in two ways": ["1", "1.0", "1e0"],
    "more digits than a float has": ["0.5", "9007199254740993"],
    "missing ones": ["007", "", "NA"],
    "a word": ["1", "x"],
}


@pytest.mark.parametrize("arrow", [False, True])
@pytest.mark.parametrize("form", ["lines", "csv"])
@pytest.mark.parametrize("name", [*USUAL, *NAMES])
def test_numbers_are_cells_as_programs_write_them(file, monkeypatch, name, form, arrow):
    if arrow:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(text, "_WORTH_ARROW", 1)
    cells, expected = USUAL.get(name) or (NAMES[name], None)
    if expected is None:
        expected = [None if cell in ("", "NA") else cell for cell in cells]
    rows = cells * 3
    options = {}
    if form == "csv":
        path = file("a,label\n" + "".join(f"u,{cell}\n" for cell in rows), "x.csv")
        options = {"label": "label"}
    else:
        path = file("".join(f"{cell}\n" for cell in [*rows, cells[0]]), "x.txt")
        expected = [*expected * 3, expected[0]]
    found = labels(path, **options)
    wanted = expected * 3 if form == "csv" else expected
    assert found == wanted
    assert list(map(type, found)) == list(map(type, wanted))
    if form == "csv":
        table = pw.scale.blocks.contingency(path, label=("label", "a"), missing="drop")
        distinct = {x for x in expected if x is not None}
        assert set(table.row_labels.tolist()) == distinct
        assert {type(x) for x in table.row_labels.tolist()} == {type(x) for x in distinct}


def test_names_of_numbers_are_those_of_other_files(file, tmp_path):
    """Tables of files add up by the names of labels, not by what numbers they would be."""
    parts = ["007,1\n007,1\n012,2\n", "07,1\n07,2\n012,2\n"]
    tables = []
    for part, rows in enumerate(parts):
        sides = [pw.read(file(f"a,b\n{rows}", f"{part}.csv"), label=x) for x in "ab"]
        tables.append(pw.contingency(*sides))
    whole = [pw.read(file("a,b\n" + "".join(parts), "all.csv"), label=x) for x in "ab"]
    merged = pw.Contingency.merge(*tables)
    assert merged.row_labels.tolist() == ["007", "012", "07"]
    assert merged.counts.tolist() == pw.contingency(*whole).counts.tolist()


def test_declared_labels_are_as_the_file_writes_them(file):
    plain = pw.read(file("1.0\n1.0\n2.5\n", "floats.txt"))
    named = pw.read(file("007\n007\n012\n", "names.txt"))
    for side, declared in ((plain, 1), (plain, 1.0), (named, "007")):
        policies = {"missing_labels": ([declared], None), "missing": "drop"}
        assert pw.align(side, [1, 2, 2], **policies).n_items == 1
    with pytest.raises(ValueError, match=r"declare '007', which is written alike"):
        pw.align(named, [1, 2, 2], missing_labels=([7], None))


def test_tables(file):
    path = file('"true","kmeans 3"\n0,x\n1,"y, z"\n', "t.csv")
    assert labels(path, label="kmeans 3") == ["x", "y, z"]
    assert labels(path, label="true") == [0, 1]
    assert labels(path, label="2") == ["x", "y, z"]
    path = file("id\tdoc\tcluster\n7\ta\t1\n8\tb\t1\n", "t.tsv")
    found = pw.read(path, item=["doc", "id"], label=["doc", "cluster"])
    assert found.items.tolist() == [("a", "7"), ("b", "8")]
    assert found.labels.tolist() == [("a", "1"), ("b", "1")]
    assert labels(path, item=["doc", "id"]) == [1, 1]
    assert labels(file("1,2\n3,4\n"), label="2") == [2, 4]
    assert labels(file("1;2\n3;4\n", "s.csv"), label="1") == [1, 3]
    assert labels(file("a,b\nc,d\n"), label="1", header=True) == ["c"]
    assert labels(file("a,b\nc,d\n"), label="1", header=False) == ["a", "c"]
    assert labels(file("a;b\n1,5;2\n"), label="b", delimiter=";") == [2]
    # TSV has no quoting across fields: a lone quote is a token like any other
    tokens = file('id\ttok\n1\t"\n2\tb\n3\t"\n', "q.tsv")
    assert labels(tokens, label="tok") == ['"', "b", '"']
    # CSV cells keep their line ends, and only these end a line
    broken = file('id,l\n1,"a\nb"\n2,ab\n', "q.csv")
    assert labels(broken, label="l") == ["a\nb", "ab"]
    assert labels(file("x\x0cy\nb\n")) == ["x\x0cy", "b"]
    commented = file("# doc\tcluster (local)\na\t1\na\t2\n", "c.tsv")
    assert labels(commented, item="doc", label="cluster") == [1, 2]


def test_communities(file):
    path = file("# two\nann bob\ncat\n", "x.cmty")
    assert pw.read(path).clusters() == {0: ["ann", "bob"], 1: ["cat"]}
    path = file("ann lee\tbob\ncat\n", "x.cmty.txt")
    assert pw.read(path).clusters() == {0: ["ann lee", "bob"], 1: ["cat"]}
    assert pw.read(file("a b\nc\n"), format="communities").n_items == 3


def test_arrays(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.array([3, 1, 1], dtype=np.uint8))
    assert labels(path) == [3, 1, 1]
    np.save(path, np.asfortranarray([[1, 2], [3, 4]]))
    assert labels(path, label="2") == [2, 4]
    assert labels(path, flatten=True) == [1, 2, 3, 4]
    archive = tmp_path / "x.npz"
    np.savez(archive, a=[1, 2], b=[[5, 6]])
    assert labels(archive, label="a") == [1, 2]
    with pytest.raises(ValueError, match=r"must be 1-D, got shape \(1, 2\)"):
        pw.read(archive, label="b")
    assert labels(archive, label="b", flatten=True) == [5, 6]


def test_parquet(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "x.parquet"
    columns = {
        "item": [1, 2, 3],
        "label": arrow.array(["x", None, "x"]).dictionary_encode(),
    }
    parquet.write_table(arrow.table(columns), path)
    assert labels(path, item="item", label="label") == ["x", None, "x"]
    assert labels(path, item="item") == ["x", None, "x"]
    with pytest.raises(ValueError, match="no column 'z'; the columns are: item, label"):
        pw.read(path, label="z")


@pytest.mark.parametrize(
    ("text", "name", "options", "fragment"),
    [
        ("a,b\n1,2\n3\n", "t.csv", {"label": "a"}, r"t.csv:3: 1 fields where .* has 2"),
        ("a,a\n1,2\n", "t.csv", {"label": "a"}, r"several columns are named 'a'.*: 1, 2"),
        ("", "t.txt", {}, "t.txt: the file holds no labels"),
        ("a,b\n1,2\n", "t.csv", {"label": "c"}, "no column 'c'; the columns are: a, b"),
        ("a,b\n1,2\n", "t.csv", {}, "2 columns .a, b.; say which"),
        ('a,b\n1,"2\n', "t.csv", {"label": "a"}, "t.csv:2: not a valid table"),
        ("a,b\n1,2\n\n3,4\n", "t.csv", {"label": "a"}, "t.csv:3: an empty line inside"),
        ("1;2,5\n3;4,5\n", "t.csv", {"label": "1"}, "both , and ;: give the delimiter"),
        ("x,y\na,b\n", "t.csv", {"label": "1"}, "nothing tells whether the first row"),
        ("noise\n1\n2\n", "x.txt", {}, r"nothing tells whether the first row .noise."),
        ("1\n", "x.txt", {"flatten": True}, "flatten is for arrays"),
        (b"junk", "x.parquet", {}, "not readable as parquet"),
        ("1\n# late\n2\n", "x.txt", {}, "x.txt:2: a line begins with '#'"),
        (
            "id,l\n1,2\n,3\n",
            "t.csv",
            {"item": "id"},
            "t.csv:3: empty item id in column 'id'",
        ),
        (b"\xff\xfe1\n2", "x.txt", {}, "byte order mark of UTF-16 but is not"),
        (b"1\n\xe91\n", "x.txt", {}, r"x.txt:2: not UTF-8 text .byte 0xe9."),
        (gzip.compress(b"1\n2\n", mtime=0)[:-5], "x.txt", {}, "damaged compressed file"),
        (b"junk", "x.npy", {}, "no NumPy file of plain arrays"),
        ("1\n", "x.txt", {"format": "excel"}, "'excel' is not one of"),
        ("a b\n", "x.cmty", {"label": "1"}, "no columns to choose"),
    ],
)
def test_bad_files_name_file_and_line(file, text, name, options, fragment):
    with pytest.raises(ValueError, match=fragment):
        pw.read(file(text, name), **options)


def test_what_a_reader_skips_is_in_the_account(file):
    path = file("# by hand\nname,size\nx,1\nx,2\n", "t.csv")
    found = pw.read(path, label="1")
    note = "t.csv: 1 line of comment skipped; t.csv: first row taken as a header"
    assert pw.align(found, found).account.describe().endswith(note)


def test_tables_keep_column_names(file):
    table = read_table(file("x,y\n1,2\n", "t.csv"), header=True)
    assert list(table.columns) == ["x", "y"]
    assert list(table.lines) == [2]


DIALECTS = [
    ("zero_is_noise.labels", {}),
    ("zero_is_noise.labels0.gz", {}),
    ("floats.txt", {}),
    ("minus_one_is_noise.txt", {}),
    ("crlf_bom.txt", {}),
    ("comments_and_blank_tail.txt", {}),
    ("labels_int8.npy", {}),
    ("labels_uint64_big.npy", {}),
    ("quoted_many_columns.csv", {"label": "dbscan_q0.9"}),
]


@pytest.mark.parametrize(("name", "options"), DIALECTS)
def test_dialects_hold_one_partition(name, options):
    """The files of formats/ describe the same partition of 150 items."""
    folder = cases.shared("data", "labels", "formats")
    wanted = pw.read(folder / "crlf_bom.txt")
    found = pw.read(folder / name, **options)
    assert found.n_items == 150
    assert pw.rand_index(wanted, found) == 1.0
    table = pw.read(folder / "item_label_shuffled.tsv", item="item", label="label")
    names = [f"flower_{i:03d}" for i in range(150)]
    offset = int(table.items.tolist().count("flower_150") > 0)
    names = [f"flower_{i + offset:03d}" for i in range(150)]
    assert pw.rand_index(pw.Clustering(found.labels, items=names), table) == 1.0


def test_large_tables_read_the_same_through_either_reader(tmp_path, monkeypatch):
    """pyarrow serves where it is installed; the plain reader must give the same labels."""
    pytest.importorskip("pyarrow")
    from partwise.labels.files import text as reading_text

    rng = np.random.default_rng(4)
    n = 40_000
    columns = {
        "id": [f"r{i}" for i in range(n)],
        "whole": rng.integers(-5, 400, n).tolist(),
        "zeros": [f"{x:03d}" for x in rng.integers(0, 50, n)],
        "real": [f"{x / 8}" for x in rng.integers(0, 50, n)],
        "gaps": ["" if x % 7 == 0 else str(x) for x in rng.integers(0, 50, n)],
        "text": [f"größe {x}" for x in rng.integers(0, 50, n)],
    }
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path = tmp_path / "t.csv"
    path.write_text("# made for this test\n" + "\n".join(lines) + "\n")
    assert path.stat().st_size > reading_text._WORTH_ARROW
    calls = []
    real = reading_text.read_plain_table

    def spy(*arguments, **options):
        calls.append(1)
        return real(*arguments, **options)

    monkeypatch.setattr(reading_text, "read_plain_table", spy)
    fast = {name: pw.read(path, label=name, item="id") for name in columns}
    assert len(calls) == len(columns)
    monkeypatch.setattr(reading_text, "_WORTH_ARROW", 1 << 40)
    for name, found in fast.items():
        plain = pw.read(path, label=name, item="id")
        assert found.labels.tolist() == plain.labels.tolist()
        assert found.items.tolist() == plain.items.tolist()
        assert found.notes == plain.notes
    monkeypatch.setattr(reading_text, "_WORTH_ARROW", 1)
    path.write_text("a,b\n1,2\n\n3,4\n")
    with pytest.raises(ValueError, match=r"t\.csv:3: an empty line inside"):
        pw.read(path, label="a")
    path.write_text("a,b\n1,2\n3,4\n\n\n")
    assert pw.read(path, label="a").labels.tolist() == [1, 3]
    path.write_bytes(b"a,b\n1,\xff\n")
    with pytest.raises(ValueError, match="not UTF-8"):
        pw.read(path, label="a")
    tsv = tmp_path / "t.tsv"
    tsv.write_text("a\tb\nx \t1\nx\t 2\n")
    for worth in (1, 1 << 40):
        monkeypatch.setattr(reading_text, "_WORTH_ARROW", worth)
        stripped = pw.read(tsv, label="a")
        assert stripped.labels.tolist() == ["x", "x"]
        assert [note.code for note in stripped.notes] == ["blanks-stripped"]
        assert pw.read(tsv, label="b").labels.tolist() == [1, 2]
        with pytest.raises(ValueError, match="must be one character"):
            pw.read(path, label="a", delimiter="||")
    monkeypatch.setattr(reading_text, "_WORTH_ARROW", 1)
    path.write_text("a,b\n1,\n3,4\n")
    with pytest.raises(ValueError, match=r"t\.csv:2: empty item id"):
        pw.read(path, label="a", item="b")


@pytest.mark.parametrize("word", ["NA", "nan", "None", "null"])
@pytest.mark.parametrize("above", ["", "# a comment\n"])
def test_a_word_for_nothing_among_several_columns(file, word, above):
    """It is no label, and no less an id than in one column alone."""
    path = file(f"{above}doc,id,cluster\n1,a,x\n1,{word},y\n{word},a,x\n", "t.csv")
    found = pw.read(path, item=["doc", "id"], label="cluster")
    assert found.items.tolist() == [("1", "a"), ("1", word), (word, "a")]
    assert found.labels.tolist() == ["x", "y", "x"]
    line = 3 + above.count("\n")
    with pytest.raises(
        ValueError, match=rf"t\.csv:{line}: empty label in column 'id' \({word}\)"
    ):
        pw.read(path, label=["cluster", "id"])
