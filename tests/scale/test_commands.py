"""The commands on the guide's pages of scale run, and end well, on files of their names."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.one_backend

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
ROWS = np.random.default_rng(5).integers(0, 9, (2, 400))


def commands_of(page):
    """Return the commands of the blocks of a page, one after another."""
    blocks = re.findall(r"```sh\n(.*?)```", (GUIDE / page).read_text(), flags=re.DOTALL)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    return [shlex.split(line) for line in lines if line.startswith("partwise ")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that the pages speak of, in the folder where the commands run."""
    truth, guess = ROWS
    columns = {"truth": truth, "found": guess}
    parquet.write_table(arrow.table(columns), tmp_path / "labels.parquet")
    for name, label, start in (("truth", "person", 0), ("found", "cluster", 5)):
        items = np.random.default_rng(start).permutation(400) + start
        own = {"record": items, label: columns[name]}
        parquet.write_table(arrow.table(own), tmp_path / f"{name}.parquet")
    for i in range(3):
        part = pw.contingency(truth[i::3], guess[i::3])
        part.save(tmp_path / f"part{i}.npz")
        part.save(tmp_path / f"cells-of-worker-{i}.parquet")
    with duckdb.connect(str(tmp_path / "runs.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE records AS SELECT truth AS person, found AS cluster "
            f"FROM '{tmp_path}/labels.parquet'"
        ).fetchall()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(arguments):
    """Run a command with the files that the shell would put in the place of a pattern."""
    expanded = []
    for text in arguments:
        matches = sorted(str(path) for path in Path().glob(text)) if "*" in text else []
        expanded += matches if "SELECT" not in text and matches else [text]
    return main(expanded[1:])


def test_commands_of_the_guide_run(files, capsys):
    commands = commands_of("scale.md") + commands_of("scale_engines.md")
    assert {command[1] for command in commands} == {"table", "merge", "compare", "diagnose"}
    whole = pw.contingency(*ROWS)
    for command in commands:
        assert run(command) == 0, command
        out, err = capsys.readouterr()
        assert out, command
        assert err.strip() == "", command  # a bar leaves a line
        if command[1] in ("table", "merge"):
            saved = pw.Contingency.load(command[command.index("-o") + 1])
            assert saved.counts.tolist() == whole.counts.tolist(), command
        elif command[2].startswith("cells"):
            assert out.startswith("400 items compared"), command


def test_patterns_and_continued_lines_are_read():
    """The test above would pass on nothing."""
    commands = commands_of("scale.md")
    assert len(commands) > 6
    assert any("*" in text for command in commands for text in command)
    assert any("--memory-limit" in command for command in commands)
