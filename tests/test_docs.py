"""Examples in docstrings and in the README give what they show."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import partwise
from partwise.cli import main

ROOT = Path(__file__).parent.parent
FLAGS = doctest.NORMALIZE_WHITESPACE
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(partwise.__path__, "partwise.")
    if not name.endswith(("__main__", "._compiled"))
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


def test_the_examples_are_found():
    """The tests above would pass on nothing."""
    module = importlib.import_module("partwise.measures.pairs")
    assert doctest.testmod(module, optionflags=FLAGS).attempted > 10


def readme_blocks(language):
    text = (ROOT / "README.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def test_readme_python(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = readme_blocks("pycon")
    assert blocks
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    names = {}
    for i, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"README {i}", "README.md", 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


def test_readme_commands(monkeypatch, capsys):
    """A console block shows a command and exactly what it prints."""
    monkeypatch.chdir(ROOT)
    blocks = readme_blocks("console")
    assert blocks
    for block in blocks:
        command, _, wanted = block.replace("\\\n", "").partition("\n")
        assert command.startswith("$ partwise ")
        assert main(shlex.split(command)[2:]) == 0
        assert capsys.readouterr().out.strip() == wanted.strip()
