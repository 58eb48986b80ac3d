"""The command line: output forms, policies, one clear sentence on bad input."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

EXAMPLES = Path(__file__).parents[2] / "examples"
RECORDS = [f"{EXAMPLES}/records.csv::person", f"{EXAMPLES}/records.csv::matched"]
MENTIONS = [str(EXAMPLES / "key.tsv"), str(EXAMPLES / "response.tsv")]
BY_MENTION = ["--item", "doc,mention", "--label", "doc,entity"]


def run(capsys, *arguments):
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_text_report_starts_with_the_account(capsys):
    code, out, _ = run(capsys, "compare", *RECORDS)
    assert code == 0
    account, sizes, similarities, distances = out.rstrip("\n").split("\n\n")
    assert account.replace("\n", " ") == (
        "16 items compared, aligned by position; 7 reference clusters and 8 candidate "
        "clusters, 9 cells, 6 components"
    )
    head, *sides = (line.split() for line in sizes.splitlines())
    assert head == ["clusters", "by", "items", "1", "2-9", "10-99", "100", "and", "more"]
    assert sides == [["reference", *"1600"], ["candidate", *"2600"]]
    title, first, *_ = similarities.splitlines()
    assert title == "similarities: higher is better"
    assert first.split() == ["pairs", "rand_index", "0.9417"]
    title, first, *_ = distances.splitlines()
    assert title == "distances: lower is better"
    assert first.split() == ["pairs", "mirkin", "14"]
    assert max(map(len, out.splitlines())) <= 80
    sides = [pw.read(EXAMPLES / "records.csv", label=x) for x in ("person", "matched")]
    assert out.rstrip("\n") == str(pw.compare(*sides))


def test_json_csv_and_markdown_hold_the_same_numbers(capsys):
    wanted = pw.compare(
        *(pw.read(EXAMPLES / "records.csv", label=x) for x in ("person", "matched"))
    )
    code, out, _ = run(capsys, "compare", *RECORDS, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(wanted.to_json())
    assert json.loads(out)["scores"] == wanted.scores
    _, out, err = run(capsys, "compare", *RECORDS, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["measure"]: float(row["value"]) for row in rows} == wanted.scores
    assert err.startswith("16 items compared")
    _, out, _ = run(capsys, "compare", *RECORDS, "--markdown")
    assert "| pairs | rand_index | 0.9417 | higher |" in out


def test_composite_keys_and_policies(capsys):
    code, _, err = run(capsys, "compare", *MENTIONS, *BY_MENTION)
    assert code == 2
    assert err.startswith("partwise: 1 reference item not in the candidate")
    code, out, _ = run(capsys, "compare", *MENTIONS, *BY_MENTION, "--unmatched", "singletons")
    assert code == 0
    assert "12 items compared, aligned by item; 1 reference item" in out
    code, out, _ = run(
        capsys,
        "compare",
        *MENTIONS,
        *BY_MENTION,
        "--unmatched",
        "drop,singletons",
        "--json",
    )
    account = json.loads(out)["account"]
    assert (account["items"], account["dropped"]) == (11, 1)


def test_measures_by_name(capsys):
    code, out, _ = run(
        capsys,
        "compare",
        *RECORDS,
        "--json",
        "--measures",
        "purity,v_measure(beta=2),vi_similarity_log_k(k=9)",
    )
    assert code == 0
    assert list(json.loads(out)["scores"]) == [
        "purity",
        "v_measure(beta=2)",
        "vi_similarity_log_k(k=9)",
    ]
    code, out, _ = run(capsys, "compare", *RECORDS, "--measures", "all")
    assert code == 0
    assert "skipped: vi_similarity_log_k needs k" in out


def test_missing_labels(capsys, tmp_path):
    for name, text in (("a.txt", "0\n0\n1\n1\n"), ("b.txt", "5\n5\n-1\n-1\n")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    options = ["--missing", "error,drop", "--missing-labels-candidate", "-1", "--json"]
    code, out, _ = run(capsys, "compare", *files, *options)
    assert code == 0
    assert json.loads(out)["account"]["candidate"]["missing"] == 2
    assert json.loads(out)["account"]["reference"]["missing"] == 0


def test_the_catalogue_is_printed(capsys):
    code, out, _ = run(capsys, "measures", "--json")
    assert code == 0
    assert [row["measure"] for row in json.loads(out)] == list(pw.catalogue())
    for shape in ([], ["--csv"], ["--markdown"]):
        code, out, _ = run(capsys, "measures", *shape)
        assert code == 0
        assert all(name in out for name in pw.catalogue())


def test_diagnose(capsys):
    sides = [pw.read(EXAMPLES / "records.csv", label=x) for x in ("person", "matched")]
    code, out, _ = run(capsys, "diagnose", *RECORDS)
    assert code == 0
    assert out.rstrip("\n") == str(pw.diagnose(*sides))
    options = ["--by", "rand_index", "--worst", "1", "--items", "2", "--json"]
    code, out, _ = run(capsys, "diagnose", *RECORDS, *options)
    assert code == 0
    wanted = pw.diagnose(*sides, by="rand_index", worst=1, items=2)
    assert json.loads(out) == json.loads(wanted.to_json())
    assert len(json.loads(out)["worst"][0]["cells"][0]["items"]) == 2
    code, out, _ = run(capsys, "diagnose", *RECORDS, "--items")
    assert out.rstrip("\n") == str(pw.diagnose(*sides, items=True))
    options = ["--unmatched", "singletons", "--items", "--json"]
    code, out, _ = run(capsys, "diagnose", *MENTIONS, *BY_MENTION, *options)
    assert code == 0
    assert json.loads(out)["account"]["items"] == 12


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--by", "fowlkes_mallows"], "fowlkes_mallows is no"),
        (["--by", "s_entrop"], "did you mean s_entropy"),
        (["--worst", "-1"], "--worst -1 must be a whole number"),
        (["--items", "-1"], "--items -1 must be a whole number"),
    ],
)
def test_diagnose_of_bad_input(capsys, options, fragment):
    code, out, err = run(capsys, "diagnose", *RECORDS, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert fragment in err


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["nowhere.txt", "nowhere.txt"], "nowhere.txt: No such file"),
        ([RECORDS[0], f"{EXAMPLES}/records.csv::matcher"], "no column 'matcher'"),
        ([RECORDS[0], f"{EXAMPLES}/records.csv::"], "a column name is expected"),
        ([RECORDS[0], MENTIONS[0], "--header", "yes"], "say which one holds the labels"),
        (
            [RECORDS[0], MENTIONS[0]],
            "nothing tells whether the first row (doc, mention, entity)",
        ),
        ([*RECORDS, "--measures", "v_measure(beta=abc)"], "beta='abc' must be a number"),
        (
            [*RECORDS, "--measures", "mirkin(normalized=no)"],
            "normalized='no' must be True or False",
        ),
        ([str(EXAMPLES), str(EXAMPLES)], "Is a directory"),
        ([*RECORDS, "--measures", "rand_idx"], "did you mean"),
        ([*RECORDS, "--missing", "ignore"], "--missing ignore is not one of"),
        ([*RECORDS, "--measures", ""], "measures is empty"),
    ],
)
def test_bad_input_ends_with_one_sentence_and_code_2(capsys, arguments, fragment):
    code, out, err = run(capsys, "compare", *arguments)
    assert code == 2
    assert out == ""
    assert fragment in err
    assert err.startswith("partwise: ")
    assert err.count("\n") == 1


def test_as_a_program():
    program = [sys.executable, "-m", "partwise"]
    found = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
    assert found.stdout.startswith(f"partwise {pw.__version__} ({pw.config()['kernels']}")
    found = subprocess.run(
        [*program, "compare", *RECORDS, "--verbose"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stderr.startswith("kernels: ")
    found = subprocess.run(program, capture_output=True, text=True, check=False)
    assert found.returncode == 2


def test_significance(capsys):
    options = ["--draws", "99", "--seed", "3", "--measures", "purity,nvi"]
    code, out, _ = run(capsys, "significance", *RECORDS, *options)
    assert code == 0
    sides = [pw.read(EXAMPLES / "records.csv", label=x) for x in ("person", "matched")]
    wanted = pw.significance(*sides, measure=["purity", "nvi"], draws=99, seed=3)
    assert out.rstrip("\n") == str(wanted)
    assert out.startswith("16 items compared")
    _, out, _ = run(capsys, "significance", *RECORDS, *options, "--json")
    assert json.loads(out) == json.loads(wanted.to_json())
    _, out, err = run(capsys, "significance", *RECORDS, *options, "--csv")
    rows = {row["measure"]: row for row in csv.DictReader(io.StringIO(out))}
    assert float(rows["nvi"]["p_value"]) == wanted["nvi"].p_value
    assert "seed 3" in err
    _, out, _ = run(capsys, "significance", *RECORDS, *options, "--markdown")
    assert "| purity | 0.9375 |" in out


def test_bootstrap_over_documents(capsys):
    key, response = MENTIONS
    options = ["--seed", "3", "--measures", "b_cubed_f1", "--groups", f"{key}::doc"]
    common = [*BY_MENTION, "--unmatched", "drop", *options]
    code, out, _ = run(capsys, "compare", *MENTIONS, *common, "--bootstrap", "50", "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["by"], found["units"], found["draws"], found["seed"]) == ("groups", 2, 50, 3)
    assert found["account"]["items"] == 10
    code, out, _ = run(capsys, "paired", key, response, response, *common)
    assert code == 0
    assert "swaps of 2 groups, seed 3" in out
    assert out.splitlines()[-1].split()[:5] == [
        *("b_cubed_f1", "0.7408", "0.7408", "0.0000", "1.0000")
    ]
    code, _, err = run(capsys, "paired", key, response, key, *common)
    assert code == 2
    assert "compared on different items" in err


def test_groups_without_bootstrap(capsys):
    code, _, err = run(capsys, "compare", *RECORDS, "--groups", RECORDS[0])
    assert code == 2
    assert "give --bootstrap DRAWS" in err


def test_bootstrap_over_items_prints_its_seed(capsys):
    code, out, _ = run(
        capsys, "compare", *RECORDS, "--bootstrap", "20", "--measures", "nvi", "--workers", "2"
    )
    assert code == 0
    assert "20 draws of 16 items with replacement, seed " in out
    assert "copies of one item" in out


@pytest.mark.parametrize(
    "options",
    [["--seed", "1"], ["--workers", "2"], ["--level", "0.9"], ["--crossing", "split"]],
)
def test_options_of_draws_need_something_that_draws(capsys, options):
    assert main(["compare", *RECORDS, *options]) == 2
    assert f"{options[0]} is for --bootstrap" in capsys.readouterr().err
    if options[0] == "--crossing":
        assert main(["compare", *RECORDS, "--bootstrap", "9", *options]) == 2
        assert "--crossing is about --groups" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("closed", "arguments", "sentence"),
    [
        (">&-", ["compare", *RECORDS], "partwise: standard output is closed\n"),
        (">&-", ["compare", *RECORDS, "--csv"], "partwise: standard output is closed\n"),
        ("<&-", ["compare", RECORDS[0], "-::person"], "partwise: standard input is closed\n"),
    ],
)
def test_a_closed_stream_is_named(closed, arguments, sentence):
    program = shlex.join([sys.executable, "-m", "partwise", *arguments])
    found = subprocess.run(
        f"{program} {closed}", shell=True, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.endswith(sentence)


@pytest.mark.parametrize("arguments", ["--version", "--help", "coref --help"])
@pytest.mark.parametrize(
    ("output", "code", "sentence"),
    [
        (">&-", 2, "partwise: standard output is closed\n"),
        (">/dev/full", 2, "partwise: No space left on device\n"),
        ("| true", 0, ""),
    ],
)
def test_what_ends_at_once_ends_as_every_command(arguments, output, code, sentence):
    if "full" in output and not Path("/dev/full").exists():
        pytest.skip("no device that is full")
    program = f"{shlex.quote(sys.executable)} -m partwise {arguments}"
    found = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program} {output}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout, found.stderr) == (code, "", sentence)


def test_what_needs_no_closed_stream_does_not_miss_it(tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left,right\na,b\n")
    program = shlex.join([sys.executable, "-m", "partwise", "clusters", str(pairs)])
    kept = {"shell": True, "capture_output": True, "text": True, "check": False}
    found = subprocess.run(f"{program} 2>&-", **kept)
    assert (found.returncode, found.stdout) == (0, "item,cluster\na,0\nb,0\n")
    found = subprocess.run(f"{program} --output {tmp_path}/out.csv >&-", **kept)
    assert found.returncode == 0
    assert (tmp_path / "out.csv").read_text() == "item,cluster\na,0\nb,0\n"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_signs_that_the_encoding_of_the_output_lacks(encoding):
    program = [sys.executable, "-m", "partwise", "score", f"{EXAMPLES}/records.csv"]
    found = subprocess.run(
        [*program, "--reference", "person", "--measures", "ari", "--markdown"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    if encoding == "utf-8":
        assert found.returncode == 0
        assert "\N{UPWARDS ARROW}" in found.stdout.decode()
        return
    assert (found.returncode, found.stdout) == (2, b"")
    message = found.stderr.decode("ascii")
    assert f"the encoding of the output, {encoding}, has no '\\u2191'" in message
    assert "PYTHONIOENCODING=utf-8" in message
