"""What holds of every command: exit codes, quiet, and progress on a terminal alone."""

import io
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

import partwise as pw
from partwise import progress
from partwise.cli import _COMMANDS, _FOLDERS, INTERRUPTED, main
from partwise.cli.words.help import EXAMPLES

pytestmark = pytest.mark.one_backend

ROOT = Path(__file__).parents[2]


class Terminal(io.StringIO):
    """Text that a terminal would get."""

    def isatty(self):
        return True

    def screen(self):
        """Return what is left of it to see."""
        lines = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip())
        return "\n".join(lines)


@pytest.fixture(scope="module")
def saved_table(tmp_path_factory):
    """A table for the commands that read one."""
    path = tmp_path_factory.mktemp("table") / "records.npz"
    sides = [pw.read(ROOT / "examples/records.csv", label=x) for x in ("person", "matched")]
    pw.contingency(*sides).save(path)
    return path


@pytest.fixture
def words(monkeypatch, tmp_path, saved_table):
    """The words of the example of a command, which write into a folder of the test."""
    monkeypatch.chdir(ROOT)

    def of(command):
        text = EXAMPLES[command].replace("\\\n", "")
        text = text.replace("monday.npz tuesday.npz", str(saved_table))
        ends = ("week.npz", "records.npz", "report.html")
        named = [str(tmp_path / word) if word in ends else word for word in shlex.split(text)]
        return named[1:]

    return of


@pytest.mark.parametrize("command", _COMMANDS)
def test_good_input_ends_with_0_and_quiet_tells_nothing_but_the_result(capsys, words, command):
    capsys.readouterr()
    assert main(words(command)) == 0
    expected = capsys.readouterr().out
    assert expected
    assert main([*words(command), "--quiet"]) == 0
    assert capsys.readouterr() == (expected, "")


@pytest.mark.parametrize("command", _COMMANDS)
def test_an_interrupt_ends_with_130(capsys, monkeypatch, words, command):
    capsys.readouterr()
    folder = f"{_FOLDERS[command]}." if command in _FOLDERS else ""
    module = command.replace("-", "_")

    def interrupted(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module(f"partwise.cli.{folder}{module}"), "run", interrupted)
    assert main(words(command)) == INTERRUPTED == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", _COMMANDS)
@pytest.mark.parametrize("length", ["as it is", "unbuffered"])
def test_a_reader_that_has_gone_ends_with_0_and_no_word(
    capsys, monkeypatch, words, command, length
):
    capsys.readouterr()
    reading, writing = os.pipe()
    os.close(reading)
    arguments = words(command)
    with os.fdopen(writing, "w", 1 if length == "unbuffered" else -1) as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main([*arguments, "--quiet"]) == 0
        monkeypatch.undo()
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", _COMMANDS)
def test_output_that_cannot_be_written_ends_with_2(capsys, monkeypatch, words, command):
    capsys.readouterr()
    arguments = words(command)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main([*arguments, "--quiet"]) == 2
        monkeypatch.undo()
    assert capsys.readouterr().err == "partwise: No space left on device\n"


def test_python_ends_without_a_word_after_the_reader_has_gone():
    text = f"{sys.executable} -m partwise measures | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("0\n", "")


# ---- progress --------------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch):
    """Let progress show without a wait."""
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("command", _COMMANDS)
def test_a_terminal_shows_what_runs_and_is_left_clean(capsys, monkeypatch, words, command):
    capsys.readouterr()
    assert main(words(command)) == 0
    out, err = capsys.readouterr()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(words(command)) == 0
    assert capsys.readouterr().out == out
    assert f"\rpartwise {command}, 0 s" in terminal.getvalue()
    assert terminal.screen() == err
    quiet = Terminal()
    monkeypatch.setattr(sys, "stderr", quiet)
    assert main([*words(command), "--quiet"]) == 0
    assert quiet.getvalue() == ""


@pytest.mark.usefixtures("at_once")
def test_output_on_the_same_terminal_stands_on_lines_of_its_own(capsys, monkeypatch, words):
    arguments = words("compare")
    capsys.readouterr()
    assert main(arguments) == 0
    out, _ = capsys.readouterr()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(arguments) == 0
    assert "\rreading examples/records.csv, 0 s" in terminal.getvalue()
    assert terminal.screen() == out
    assert sys.stdout is terminal


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("command", "more", "text"),
    [
        ("compare", ["--bootstrap", "30"], "resampling: "),
        ("significance", ["--draws", "30"], " of 30, "),
        ("paired", ["--draws", "30"], "resampling: "),
        ("sweep", ["--measures", "pair_sets_index"], "pair_sets_index at 15 states, 0 s"),
        ("coref", [], "reading examples/key.conll, 0 s"),
        ("score", ["--measures", "purity"], "reading examples/records.csv, 0 s"),
        ("pairwise", ["--measure", "pair_sets_index"], "comparing: "),
    ],
)
def test_parts_of_long_work_are_named(monkeypatch, words, command, more, text):
    terminal = Terminal()
    arguments = [word for word in words(command) if word not in ("--draws", "99")]
    for option in ("--measures", "--measure"):
        if option in more and option in arguments:
            at = arguments.index(option)
            del arguments[at : at + 2]
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main([*arguments, *more]) == 0
    assert text in terminal.getvalue()


@pytest.mark.usefixtures("at_once")
def test_rows_are_counted_with_pace_and_time_left(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress.rows_shown("counting", 4000, True) as told:
        for _ in range(4):
            time.sleep(0.002)
            told(1000)
    assert "counting: 2,000 rows, " in terminal.getvalue()
    assert " a second, 50%" in terminal.getvalue()
    assert terminal.screen() == ""
    with progress.rows_shown("counting", None, True) as told:
        told(5)
    assert "counting: 5 rows" in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.rows_shown("counting", 4000, True) as told:
        assert told is None
    assert list(progress.track([1, 2], "scoring", True)) == [1, 2]
    assert sys.stderr.getvalue() == ""


def test_a_pseudo_terminal_shows_how_long_a_file_takes(tmp_path):
    """The command waits for a pipe; the line says so, and goes when the scores come."""
    fifo, other = tmp_path / "fifo.txt", tmp_path / "other.txt"
    other.write_text("a\nb\nb\n")
    os.mkfifo(fifo)
    own, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "partwise", "compare", fifo, other, "--measures", "rand_index"],
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "COLUMNS": "200"},
    )
    os.close(terminal)
    shown, end = "", time.monotonic() + 60

    def read_until(text):
        nonlocal shown
        while text not in shown and time.monotonic() < end:
            if select.select([own], [], [], 0.2)[0]:
                shown += os.read(own, 4096).decode()

    with fifo.open("w") as file:  # opens when the command does
        read_until("fifo.txt, ")
        file.write("a\na\nb\n")
    read_until("rand_index")
    assert process.wait(60) == 0
    os.close(own)
    assert re.search(rf"\rreading {fifo}, \d+ s", shown)
    terminal = Terminal()
    terminal.write(shown.replace("\r\n", "\n"))
    note, *report = terminal.screen().splitlines()
    assert note.startswith("partwise: note: ")
    assert report[0].startswith("3 items compared")
    assert "reading" not in terminal.screen()
