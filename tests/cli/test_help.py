"""The command line as a whole: help, examples, exit codes, quiet, no colours in pipes."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from partwise.cli import _COMMANDS, main
from partwise.cli.words.help import EXAMPLES, EXIT_CODES

pytestmark = pytest.mark.one_backend

ROOT = Path(__file__).parents[2]
RECORDS = ["examples/records.csv::person", "examples/records.csv::matched"]
#: Arguments with which each command looks for a file that is not there.
ABSENT = {
    "compare": ["absent.csv", "absent.csv"],
    "score": ["absent.csv", "--reference", "x"],
    "pairwise": ["absent.csv", "absent2.csv"],
    "diagnose": ["absent.csv", "absent.csv"],
    "cover": ["absent.cmty", "absent.cmty"],
    "hierarchy": ["absent.nwk", "absent.nwk"],
    "significance": ["absent.csv", "absent.csv"],
    "paired": ["absent.csv", "absent.csv", "absent.csv"],
    "estimate": ["absent.csv", "absent.csv", "--weights", "size"],
    "consensus": ["absent.csv", "absent2.csv"],
    "sweep": ["absent.csv", "absent.csv", "--scores", "similarity"],
    "clusters": ["absent.csv"],
    "coref": ["absent.conll", "absent.conll"],
    "leaderboard": ["absent.conll", "absent"],
    "report": ["absent.csv", "absent.csv", "--output", "x.html"],
    "report-coref": ["absent.conll", "absent.conll", "--output", "x.html"],
    "report-sweep": ["absent.csv", "absent.csv", "--scores", "similarity", "-o", "x.html"],
    "convert": ["absent.conll", "-", "--to", "jsonlines"],
    "table": ["absent.csv", "absent.csv", "--output", "x.npz"],
    "merge": ["absent.npz", "--output", "x.npz"],
    "measures": ["absent"],
    "completion": ["absent"],
}


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def run(capsys, *arguments):
    try:
        code = main([str(x) for x in arguments])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, out, err


def test_every_command_is_tested_here():
    assert list(EXAMPLES) == list(_COMMANDS)
    assert sorted(ABSENT) == sorted(_COMMANDS)


@pytest.mark.parametrize("columns", ["200", "80", "40"])
@pytest.mark.parametrize("command", [None, *_COMMANDS])
def test_help_is_no_wider_than_a_terminal(capsys, monkeypatch, command, columns):
    monkeypatch.setenv("COLUMNS", columns)
    code, out, err = run(capsys, *filter(None, [command]), "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert EXIT_CODES in " ".join(out.split())
    if command is not None:
        assert f"example:\n  {EXAMPLES[command]}" in out
        assert out.startswith(f"usage: partwise {command} ")


@pytest.mark.parametrize("command", [x for x in _COMMANDS if x != "merge"])
def test_the_example_of_a_command_runs(capsys, command, tmp_path):
    words = shlex.split(EXAMPLES[command].replace("\\\n", ""))
    assert words[:2] == ["partwise", command]
    written = ("records.npz", "report.html")
    words = [str(tmp_path / word) if word in written else word for word in words]
    code, out, _ = run(capsys, *words[1:])
    assert code == 0
    assert out or (tmp_path / "records.npz").exists()
    assert "\x1b" not in out


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_file_that_is_not_there_ends_with_code_2_and_one_sentence(capsys, command):
    code, out, err = run(capsys, command, *ABSENT[command])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 or command == "completion"  # whose words argparse refuses
    assert err.splitlines()[-1].startswith(
        "partwise: " if err.count("\n") == 1 else "partwise "
    )
    assert "absent" in err


@pytest.mark.parametrize("command", _COMMANDS)
def test_an_option_that_is_not_there_ends_with_code_2(capsys, command):
    arguments = ["bash"] if command == "completion" else ABSENT[command]
    code, out, err = run(capsys, command, *arguments, "--no-such-option")
    assert (code, out) == (2, "")
    assert "--no-such-option" in err


def test_no_command_and_an_unknown_one_end_with_code_2(capsys):
    assert run(capsys)[0] == 2
    code, _, err = run(capsys, "compar")
    assert code == 2
    assert "compar" in err


def test_quiet_leaves_nothing_on_standard_error(capsys, tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("# made by hand\na\na \nb\n")
    arguments = ["compare", path, path, "--csv"]
    code, out, err = run(capsys, *arguments)
    assert code == 0
    assert err
    assert run(capsys, *arguments, "--quiet") == (0, out, "")
    assert run(capsys, *arguments, "-q") == (0, out, "")
    code, out, err = run(capsys, "compare", "absent", "absent", "--quiet")
    assert (code, out) == (2, "")
    assert "absent" in err


def test_output_in_a_pipe_has_no_colours():
    arguments = [sys.executable, "-m", "partwise", "score", "examples/records.csv"]
    done = subprocess.run(
        [*arguments, "--reference", "person", "--item", "record"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    assert b"\x1b" not in done.stdout + done.stderr


# ---- measures --------------------------------------------------------------------------


def test_measures_by_name_alias_pattern_and_family(capsys):
    _, out, _ = run(capsys, "measures", "ari")
    assert out.startswith("adjusted_rand_index\n")
    assert "  better        higher\n" in out
    assert "  source        " in out
    _, out, _ = run(capsys, "measures", "pair_*", "--json")
    names = [row["measure"] for row in json.loads(out)]
    assert {"pair_f1", "pair_precision", "pair_recall"} <= set(names)
    assert all(name.startswith("pair_") for name in names)
    _, out, _ = run(capsys, "measures", "b-cubed", "nvi", "--csv")
    families = {line.split(",")[0] for line in out.splitlines()[1:]}
    assert families == {"b-cubed", "information"}


def test_the_list_of_measures_fits_a_terminal(capsys):
    _, out, _ = run(capsys, "measures")
    assert max(map(len, out.splitlines())) <= 80
    _, every, _ = run(capsys, "measures", "--json")
    lines = [
        line.strip().split("  ")[0]
        for line in out.splitlines()
        if line[:2] == "  " != line[1:3]
    ]
    assert lines == [row["measure"] for row in json.loads(every)]


def test_measures_that_are_not_there(capsys):
    code, _, err = run(capsys, "measures", "zz_*")
    assert code == 2
    assert "no measure matches 'zz_*'" in err
    code, _, err = run(capsys, "measures", "adjusted_rand_indx")
    assert code == 2
    assert "adjusted_rand_index" in err


# ---- pairwise, names, LaTeX ------------------------------------------------------------


def test_pairwise_of_columns_and_of_files(capsys, tmp_path):
    _, out, _ = run(capsys, "pairwise", *RECORDS, "--measure", "rand_index", "--json")
    document = json.loads(out)
    assert document["names"] == ["records.csv::person", "records.csv::matched"]
    assert document["values"][0][0] == 1.0
    named = [f"truth={RECORDS[0]}", f"ours={RECORDS[1]}"]
    _, out, _ = run(capsys, "pairwise", *named, "--measure", "rand_index", "--csv")
    assert out.splitlines()[0] == "reference,truth,ours"
    _, out, _ = run(
        capsys,
        "pairwise",
        "examples/records.csv",
        "--item",
        "record",
        "--measure",
        "nvi",
        "--json",
    )
    whole = json.loads(out)
    assert {"person", "matched"} <= set(whole["names"])
    assert "record" not in whole["names"]
    picture = tmp_path / "pairs.png"
    pytest.importorskip("matplotlib")
    code, _, _ = run(capsys, "pairwise", *named, "--plot", picture)
    assert code == 0
    assert picture.stat().st_size > 1000


def test_pairwise_refuses_one_clustering_and_two_of_a_name(capsys, tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("a\nb\n")
    code, _, err = run(capsys, "pairwise", path)
    assert code == 2
    assert "pairwise compares two or more" in err
    code, _, err = run(capsys, "pairwise", RECORDS[0], RECORDS[0])
    assert code == 2
    assert "given twice; NAME=FILE gives another name" in err


def test_responses_have_names(capsys):
    both = ["ours=examples/response.conll", "theirs=examples/response.conll"]
    code, out, _ = run(capsys, "coref", "examples/key.conll", *both, "--json")
    assert code == 0
    assert list(json.loads(out)["responses"]) == ["ours", "theirs"]
    code, _, err = run(capsys, "coref", "examples/key.conll", both[0], both[0])
    assert code == 2
    assert "ours is given twice" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", *RECORDS],
        ["score", "examples/records.csv", "--reference", "person", "--item", "record"],
        ["pairwise", *RECORDS],
        ["significance", *RECORDS, "--draws", "20", "--seed", "1"],
        ["paired", *RECORDS, RECORDS[0], "--draws", "20", "--seed", "1"],
        ["coref", "examples/key.conll", "examples/response.conll"],
        ["compare", *RECORDS, "--bootstrap", "20", "--seed", "1"],
    ],
)
def test_every_table_is_there_in_latex(capsys, arguments):
    code, out, err = run(
        capsys, *arguments, "--latex", "--caption", "50 % of it", "--reference-key", "tab:a"
    )
    assert code == 0
    assert out.startswith(
        "\\begin{table}\n\\centering\n\\caption{50 \\% of it}\n\\label{tab:a}\n"
    )
    assert out.endswith("\\end{tabular}\n\\end{table}\n")
    assert err
    code, _, err = run(capsys, *arguments, "--caption", "x")
    assert code == 2
    assert "--caption is for --latex" in err


def test_standard_input_is_a_side(capsys):
    arguments = [sys.executable, "-m", "partwise", "compare", "-", RECORDS[1], "--json"]
    labels = Path("examples/records.csv").read_text().splitlines()
    at = labels[0].split(",").index("person")
    column = "".join(f"{line.split(',')[at]}\n".replace(" ", "_") for line in labels[1:])
    done = subprocess.run(
        arguments, input=column, capture_output=True, text=True, check=True, cwd=ROOT
    )
    _, out, _ = run(capsys, "compare", *RECORDS, "--json")
    assert json.loads(done.stdout)["scores"] == json.loads(out)["scores"]


@pytest.mark.parametrize("command", ["score", "pairwise", "diagnose", "sweep"])
def test_pictures_are_saved(capsys, tmp_path, command):
    pytest.importorskip("matplotlib")
    words = shlex.split(EXAMPLES[command].replace("\\\n", ""))[1:]
    if command == "sweep":
        words += ["--bootstrap", "20", "--seed", "1"]
    _, expected, _ = run(capsys, *words)
    picture = tmp_path / "picture.svg"
    code, out, err = run(capsys, *words, "--plot", picture)
    assert (code, out, err) == (0, expected, "")
    text = picture.read_text()
    assert "<svg" in text
    code, _, err = run(capsys, *words, "--plot", tmp_path / "picture.doc")
    assert code == 2
    assert "doc" in err
