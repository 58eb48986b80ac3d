"""``partwise completion``: what the scripts offer, by the shells themselves."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from contextlib import redirect_stdout

import pytest

import partwise as pw
from partwise.cli import _COMMANDS, command_parsers, main

pytestmark = pytest.mark.one_backend

SHELLS = ("bash", "zsh", "fish")
_BASH = """
source {script}
shown() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _partwise; echo "${{COMPREPLY[*]}}"; }}
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The script of each shell, in a file."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        with (folder / shell).open("w") as file, redirect_stdout(file):
            assert main(["completion", shell]) == 0
    return folder


def needs(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")


def in_bash(scripts, lines):
    """Return what bash offers for the last word of each line."""
    calls = [f"shown {' '.join(line)}" for line in lines]
    text = "\n".join([_BASH.format(script=scripts / "bash"), *calls])
    done = subprocess.run(
        ["bash", "--norc", "-c", text], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return [set(line.split()) for line in done.stdout.split("\n")[:-1]]


def in_fish(scripts, lines):
    """Return what fish offers for the last word of each line."""
    calls = [f'complete -C "{" ".join(line)}"; echo ===' for line in lines]
    text = "\n".join([f"source {scripts / 'fish'}", *calls])
    environment = {**os.environ, "XDG_CONFIG_HOME": str(scripts), "HOME": str(scripts)}
    done = subprocess.run(
        ["fish", "-c", text],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert done.stderr == ""
    parts = re.split(r"^===\n", done.stdout, flags=re.MULTILINE)[:-1]
    return [{line.split("\t")[0] for line in part.splitlines()} for part in parts]


def options_of(command):
    _, parser = command_parsers()[command]
    return {name for action in parser._actions for name in action.option_strings}


@pytest.mark.parametrize("offer", [in_bash, in_fish])
def test_every_command_and_each_of_its_options(scripts, offer):
    needs(offer.__name__[3:])
    empty = ["''"] if offer is in_bash else [""]
    lines = [["partwise", *empty], *(["partwise", name, "--"] for name in _COMMANDS)]
    first, *of_commands = offer(scripts, lines)
    assert {*_COMMANDS} <= first
    for name, offered in zip(_COMMANDS, of_commands, strict=True):
        assert {x for x in options_of(name) if x.startswith("--")} <= offered, name


@pytest.mark.parametrize("offer", [in_bash, in_fish])
def test_values_of_options_and_words_of_commands(scripts, offer):
    needs(offer.__name__[3:])
    empty = ["''"] if offer is in_bash else [""]
    lines = [
        ["partwise", "sweep", "--scores", *empty],
        ["partwise", "completion", *empty],
        ["partwise", "compare", "--measures", "adj"],
        ["partwise", "diagnose", "--by", "b_cubed"],
        ["partwise", "measures", "pair_"],
    ]
    scores, shells, measures, by, named = offer(scripts, lines)
    assert scores == {"distance", "similarity"}
    assert shells == {*SHELLS}
    every = {name for name in pw.catalogue() if "(" not in name}
    assert measures == {name for name in every if name.startswith("adj")}
    assert by == {name for name in every if name.startswith("b_cubed")}
    assert named == {name for name in every if name.startswith("pair_")}


def test_bash_goes_on_after_a_comma_and_offers_files(scripts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").touch()
    lines = [
        ["partwise", "compare", "--measures", "purity,rand_"],
        ["partwise", "compare", "lab"],
        ["partwise", "merge", "--output", "lab"],
    ]
    assert in_bash(scripts, lines) == [{"purity,rand_index"}, {"labels.csv"}, {"labels.csv"}]


def test_zsh_completes_a_command_an_option_and_a_measure(scripts):
    needs("zsh")
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        os.environ.update(HOME=str(scripts), TERM="dumb", PS1="$ ")
        os.execvp("zsh", ["zsh", "-f", "-i"])

    def typed(text, expected):
        os.write(terminal, text.encode())
        shown, end = "", time.monotonic() + 30
        while expected not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                shown += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
        assert expected in shown

    try:
        typed("autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste\n", "$ ")
        typed('partwise() { print -r -- "<$*>" }\n', "$ ")
        typed(f"source {scripts / 'zsh'}; echo re''ady\n", "ready")
        typed("partwise pairw\t--meas\tcriterion\t\n", "<pairwise --measure criterion_h>")
        typed("partwise completion fi\t\n", "<completion fish>")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_names_what_it_is_for(scripts, shell):
    text = (scripts / shell).read_text()
    assert f"# completion of partwise for {shell}" in text
    assert all(re.search(rf"\b{name}\b", text) for name in _COMMANDS)
