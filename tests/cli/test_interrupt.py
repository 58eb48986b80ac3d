"""Ctrl-C at the command line ends it without a word, with exit code 130."""

import errno
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from partwise import cli

pytestmark = pytest.mark.one_backend


def opened_by_a_reader(fifo, process):
    """Return the writing end once the command has opened the other."""
    for _ in range(6000):
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO or process.poll() is not None:
                raise
            time.sleep(0.01)
    raise AssertionError("the command never opened its file")


@pytest.mark.skipif(sys.platform == "win32", reason="no FIFO")
@pytest.mark.parametrize(
    "command",
    [["compare"], ["diagnose"], ["significance", "--measure", "purity"]],
    ids=lambda command: command[0],
)
def test_an_interrupt_while_it_waits_for_a_file(command, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("a\nb\n")
    fifo = tmp_path / "fifo.txt"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [sys.executable, "-m", "partwise", *command, str(fifo), str(other)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell's background jobs ignore interrupts, and so would all that they start
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    writing = opened_by_a_reader(fifo, process)
    time.sleep(0.5)  # a signal just before it begins to read would wait for the data
    process.send_signal(signal.SIGINT)
    told, complaint = process.communicate(timeout=60)
    os.close(writing)
    assert (process.returncode, told, complaint) == (cli.INTERRUPTED, "", "")


def test_an_interrupt_of_a_command_is_its_exit_code():
    def interrupted(options):
        raise KeyboardInterrupt

    assert cli.guarded(interrupted, None) == 130


#: What is imported before the command line itself is there.
STARTED = """
import runpy, sys
class Interrupted:
    def find_spec(name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted)
sys.argv[1:] = ["compare", "a.txt", "b.txt"]
runpy.run_module("partwise", run_name="__main__")
"""


@pytest.mark.parametrize("name", ["partwise.cli", "numpy", "partwise.cli.compare"])
def test_an_interrupt_while_it_starts(name):
    found = subprocess.run(
        [sys.executable, "-c", STARTED.format(name=name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout, found.stderr) == (cli.INTERRUPTED, "", "")


def test_the_program_starts_where_an_interrupt_is_caught():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"partwise": "partwise.__main__:main"}
