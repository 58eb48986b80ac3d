"""Examples in docstrings and in the README give what they show."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path

import pytest

import partwise
from partwise.cli import _COMMANDS, main

pytestmark = pytest.mark.one_backend

ROOT = Path(__file__).parents[2]
HAS_KERNELS = importlib.util.find_spec("partwise._kernels.compiled.table") is not None
FLAGS = doctest.NORMALIZE_WHITESPACE


def modules():
    for _, name, _ in pkgutil.walk_packages(partwise.__path__, "partwise."):
        if name.startswith("partwise.kernels") and not HAS_KERNELS:
            continue  # it says at import that it is for compiled kernels
        if not name.endswith(("__main__", ".capi")) and "._kernels.compiled" not in name:
            yield name, Path(importlib.util.find_spec(name).origin).read_text()


MODULES = [name for name, source in modules() if ">>> " in source]


def test_there_are_examples():
    """The tests below would pass on nothing."""
    assert len(MODULES) > 50


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0


def blocks_of(path, language):
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), flags=re.DOTALL)


PAGES = [
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in path.parts),
]
#: Its examples need packages that are not always there: tests/interop/test_recipes.py.
OTHER_LIBRARIES = ROOT / "docs" / "guide" / "other_libraries.md"
WITH_PYTHON = [path for path in PAGES if blocks_of(path, "pycon") and path != OTHER_LIBRARIES]
WITH_COMMANDS = [path for path in PAGES if blocks_of(path, "console")]


def test_pages_have_examples():
    """The tests below would pass on nothing."""
    assert len(blocks_of(ROOT / "README.md", "pycon")) > 1
    assert len(blocks_of(ROOT / "README.md", "console")) > 1
    assert len(WITH_PYTHON) > 10


@pytest.mark.parametrize("path", WITH_PYTHON, ids=lambda path: path.stem)
def test_python_on_pages(path, monkeypatch):
    """One page, one session."""
    monkeypatch.chdir(ROOT)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    names = {}
    for i, block in enumerate(blocks_of(path, "pycon")):
        test = parser.get_doctest(block, names, f"{path.stem} {i}", str(path), 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.stem)
def test_commands_on_pages(path, monkeypatch, capsys):
    """A console block shows a command and exactly what it prints."""
    monkeypatch.chdir(ROOT)
    for block in blocks_of(path, "console"):
        command, _, wanted = block.replace("\\\n", "").partition("\n")
        assert command.startswith("$ partwise ")
        assert main(shlex.split(command)[2:]) == 0
        assert capsys.readouterr().out.strip() == wanted.strip()


def rows_of(path, heading):
    """Give the cells of the table below a heading line."""
    table = path.read_text(encoding="utf-8").partition(f"| {heading} |")[2].partition("\n\n")[0]
    for line in table.split("\n")[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_readme_has_the_ratios_that_were_measured():
    """Its rows are rows of the results, but for what explains them in parentheses."""
    measured = {row[0]: row[-1] for row in rows_of(ROOT / "docs" / "results.md", "what")}
    shown = {
        row[1].partition(" (")[0]: row[-1] for row in rows_of(ROOT / "README.md", "you use")
    }
    assert len(shown) == 6
    assert shown == {name: measured.get(name) for name in shown}


def test_the_page_of_the_command_line_has_every_command():
    rows = rows_of(ROOT / "docs" / "guide" / "command_line.md", "command")
    named = [word for row in rows for word in re.findall(r"`([\w-]+)`", row[0])]
    assert sorted(named) == sorted(_COMMANDS)


def test_links_of_the_readme_resolve():
    targets = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(targets) > 10
    assert [name for name in targets if not (ROOT / name).exists()] == []


# ---- the pages that follow from the code --------------------------------------------


@pytest.fixture(scope="module")
def generated():
    place = ROOT / "docs" / "generated_pages.py"
    spec = importlib.util.spec_from_file_location("generated_pages", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_one_entry(generated):
    text = "\n".join(generated.pages_of_names().values())
    entries = re.findall(
        r"^\.\. auto(?:function|class):: partwise\.([\w.]+)", text, re.MULTILINE
    )
    public = set(partwise.__all__) - {"solvers", "coreference", "scale", "interop"}
    public |= {f"interop.sklearn.{name}" for name in partwise.interop.sklearn.__all__}
    for engine in partwise.scale.__all__:
        names = getattr(partwise.scale, engine).__all__
        public |= {f"scale.{engine}.{name}" for name in names}
    public |= {f"solvers.{name}" for name in partwise.solvers.__all__}
    public |= {f"coreference.{name}" for name in partwise.coreference.__all__}
    assert sorted(entries) == sorted(public)


def test_every_row_of_the_catalogue_is_in_the_table_of_its_family(generated):
    pages = generated.pages_of_names()
    for row in partwise.catalogue().values():
        text = pages[f"measures_{generated.slug(row.family)}.rst"]
        line = f"* - :py:func:`{row.name} <partwise.{row.function.__name__}>` "
        assert text.count(line) == 1
        cells = text.partition(line)[2].split("\n   * -")[0].split("\n")
        # the first source stands there, and where one of the five papers has the measure
        assert cells[0].startswith(":cite:t:")
        if row.source.split(",")[0] in generated.PAPERS:
            assert cells[0].endswith(f"; {row.source}")
        claimed = {
            "symmetric": row.symmetric,
            "metric": row.metric,
            "normalized": row.normalized,
            "conditionally normalized": row.conditionally_normalized,
            "join-weighted": row.join_weighted,
            "ties": row.tie_dependent,
            "weights": row.computation.weights,
        }
        words = cells[4].strip(" -")
        assert words == ", ".join(word for word, holds in claimed.items() if holds)


def test_names_on_pages_are_public(generated):
    """``{pw}`` shows a name that is not there as plain code, which no build complains of."""
    found = 0
    for path in PAGES:
        for name in re.findall(r"{pw}`([^`]+)`", path.read_text()):
            base = name.partition("(")[0]
            assert generated.is_public(f"partwise.{base}"), (path, name)
            found += 1
    assert found > 50


def test_every_measure_has_a_first_source():
    """Every function of the catalogue names works of the bibliography."""
    folder = ROOT / "docs"
    named = tomllib.loads((folder / "first_sources.toml").read_text(encoding="utf-8"))
    assert set(named) == {row.function.__name__ for row in partwise.catalogue().values()}
    listed = re.findall(
        r"^@\w+\{(\w+),$", (folder / "references.bib").read_text(), re.MULTILINE
    )
    assert len(listed) == len(set(listed)) > 50
    assert all(keys and set(keys) <= set(listed) for keys in named.values())


def test_every_measure_has_a_formula():
    """The page of a measure begins with its formula, and each formula can be typeset."""
    formulas = tomllib.loads((ROOT / "docs" / "formulas.toml").read_text(encoding="utf-8"))
    assert set(formulas) == {row.function.__name__ for row in partwise.catalogue().values()}
    for text in formulas.values():
        assert text.count("{") == text.count("}")
