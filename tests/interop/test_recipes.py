"""The recipes of the page on other libraries, each where its packages are installed."""

import doctest
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.filterwarnings("default"),  # what other libraries warn of is theirs
]
PAGE = Path(__file__).parents[2] / "docs" / "guide" / "other_libraries.md"


def recipes():
    """Give the packages of every example, the examples before it in its section, its text."""
    for section in re.split(r"(?m)^## ", PAGE.read_text(encoding="utf-8"))[1:]:
        heading = section.partition("\n")[0]
        before = []
        for packages, text in re.findall(
            r"(?m)(?:^% needs: (.*)\n\n)?^```pycon\n((?:.|\n)*?)^```", section
        ):
            needed = packages.split(", ") if packages else []
            yield pytest.param(
                needed, tuple(before), text, id=f"{heading} {' '.join(needed)}".strip()
            )
            before.append((needed, text))


RECIPES = list(recipes())


def test_every_library_has_a_recipe():
    assert len(RECIPES) == PAGE.read_text(encoding="utf-8").count("```pycon")
    needed = {name for recipe in RECIPES for name in recipe.values[0]}
    assert {"sklearn", "anndata", "igraph", "networkx", "cdlib", "spacy", "torch"} <= needed
    assert {"evaluate", "mlflow", "duckdb", "h5py"} <= needed


@pytest.mark.parametrize(("packages", "before", "text"), RECIPES)
def test_recipe(packages, before, text):
    for package in packages:
        pytest.importorskip(package)
    earlier = [example for needed, example in before if all(map(find_spec, needed))]
    example = doctest.DocTestParser().get_doctest(
        "".join([*earlier, text]), {}, "recipe", str(PAGE), 0
    )
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    told = []
    result = runner.run(example, out=told.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(told)
