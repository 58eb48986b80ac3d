"""Small inputs after public reports: the right value, or a refusal that says the way out.

The cases are those of ``tests/reference/border_cases.json``. Each of the command line gives a
value, or the words of a refusal.
"""

import gzip
import math
import shlex
from fractions import Fraction

import pytest

import cases
import partwise as pw
from partwise.cli import main

CASES = {case["id"]: case for case in cases.load("border_cases.json")}

GOLD = "id,cluster\nr1,a\nr2,a\nr3,b\nr4,b\nr5,b\n"

#: What the file of cases describes in words only.
FILES = {
    "N003": {"ib.clu": "# node_id module\n1 0\n2 0\n3 1\n4 1\n5 2\n6 2\n"},
    "N004": {"dup2.clu": "# node_id module flow\n1 1 0.1\n2 2 0.1\n"},
    "N017": {"g.csv": GOLD},
    "N027": {"u16.tsv": "id\tcluster\na\t0\nb\t0\nc\t1\n".encode("utf-16")},
    "N028": {"long.csv": f"c,text\n1,{'x' * 140_000}\n1,y\n2,z\n"},
    "N064": {"g.csv": GOLD},
    "N068": {"g.csv": GOLD},
}

#: The cases that are refused, by words of the refusal; all others give the right value.
REFUSED = {
    "N004": ["item '1'", "--duplicates first or last"],
    "N005": ["sa.txt", "splits into 2 fields", "--delimiter ';'", "--format lines"],
    "N013": ["h1.csv", "first row", "--header yes or no"],
    "N015": ["h3.csv:2", "3 fields where the first row has 4"],
    "N017": ["ec.csv:2", "'0,9'", "column 's'"],
    "N025": ["missing labels", "--missing drop, singletons or cluster"],
    "N026": ["1 in the reference and 2 in the candidate", "--missing drop"],
    "N079": ["'1.0'", "--unmatched drop or singletons"],
}


def of_the_command_line():
    return [
        name
        for name, case in CASES.items()
        if case["call"].startswith("partwise ") and name not in ("N030", "N066")
    ]


def write(folder, name):
    """Write the files of a case; one whose text is not given is one of ``FILES``."""
    case = CASES[name]
    files = {**case["input"], **FILES.get(name, {})}
    if name == "N028":
        del files["long.csv"]
        files = {**files, **FILES[name]}
    for file, text in files.items():
        if "." in file:
            data = text if isinstance(text, bytes) else text.encode()
            (folder / file).write_bytes(data)


def run(capsys, folder, call):
    command, *arguments = shlex.split(call)
    assert command == "partwise"
    assert arguments
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def last_value(out):
    """The value that a report of one measure ends with."""
    return float(out.split()[-1])


@pytest.mark.parametrize("name", of_the_command_line())
def test_border_case_of_the_command_line(capsys, here, name):
    case = CASES[name]
    write(here, name)
    call = case["call"].replace(" ...", "")
    if call.split()[1] == "compare" and "--measures" not in call:
        call += " --measures adjusted_rand_index"
    code, out, err = run(capsys, here, call)
    if name in REFUSED:
        assert (code, out) == (2, "")
        for words in REFUSED[name]:
            assert words in err
        return
    assert code == 0, err
    right = case["right"][0] if isinstance(case["right"], list) else case["right"]
    if name == "N019":
        assert "adjusted_rand_index 1.0000 at thresholds in (0.4, 0.9]" in out
    elif name == "N064":
        assert "best" in out or "thresholds" in out
    elif name == "N068":
        assert "columns unique_id_l, unique_id_r, match_probability" in err
        assert "thresholds in (-inf, 0.97]" in out
    elif name == "N084":
        assert out == "candidate,adjusted_rand_index\nk,1.0\n"
    elif right in ("row names as items, or an error", "read") or right.startswith("read, or"):
        assert last_value(out) == 1
    else:
        assert math.isclose(last_value(out), Fraction(right), abs_tol=6e-5)


def test_every_case_of_the_command_line_is_run_or_stands_below():
    assert len(of_the_command_line()) == 31
    others = {name for name, case in CASES.items() if case["call"].startswith("partwise ")}
    assert others - {*of_the_command_line()} == {"N030", "N066"}
    assert set(REFUSED) <= {*of_the_command_line()}


def test_whole_numbers_as_ids_in_parquet_are_those_of_a_text_file(capsys, here):
    """N030."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = arrow.table({"id": [1, 2, 3], "c": ["a", "a", "b"]})
    parquet.write_table(table, here / "p.parquet")
    (here / "p.csv").write_text("id,c\n2,x\n1,x\n3,y\n")
    call = "partwise compare p.parquet p.csv --item id --label c --measures adjusted_rand_index"
    code, out, _ = run(capsys, here, call)
    assert code == 0
    assert last_value(out) == 1
    assert "ids that are whole numbers were compared as text" in " ".join(out.split())


def test_compression_is_seen_in_the_content(capsys, here):
    text = "a\na\nb\nb\n"
    (here / "a.labels").write_bytes(gzip.compress(text.encode()))
    (here / "b.labels.gz").write_text(text)
    call = "partwise compare a.labels b.labels.gz --measures rand_index"
    code, out, _ = run(capsys, here, call)
    assert (code, last_value(out)) == (0, 1)
    said = " ".join(out.split())
    assert "b.labels.gz: the file is not compressed, against its ending" in said


def test_a_blank_tail_is_nothing_and_an_empty_level_has_a_line(here):
    """N024, N055."""
    (here / "tm.txt").write_text("x\nx\ny\n\n")
    assert pw.read("tm.txt").n_items == 3
    write(here, "N054")
    with pytest.raises(ValueError, match=r"lv\.csv:3: empty label in column 'l2'"):
        pw.read("lv.csv", label=["l1", "l2"])
