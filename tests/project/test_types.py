"""What type checkers read is what runs, and every public function has a wrong call."""

import inspect
import re
from typing import get_args, get_type_hints

import pytest

import partwise as pw
from partwise import coreference, solvers
from partwise.interop import sklearn
from partwise.labels import policies
from partwise.measures.catalogue import FAMILIES, Family
from partwise.scale import blocks, dask, duckdb, spark
from partwise.typing import Policies
from typing_tests import stubs
from typing_tests.__main__ import FOLDER, MARK

pytestmark = pytest.mark.one_backend

WRONG_CALLS = "".join(path.read_text() for path in sorted(FOLDER.glob("wrong*_calls.py")))
MODULES = {
    "pw": pw,
    "coreference": coreference,
    "solvers": solvers,
    "sklearn": sklearn,
    "blocks": blocks,
    "dask": dask,
    "duckdb": duckdb,
    "spark": spark,
}
PUBLIC = [
    f"{prefix}.{name}"
    for prefix, module in MODULES.items()
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
]


@pytest.mark.parametrize("package", stubs.PACKAGES, ids=lambda package: package.__name__)
def test_the_stubs_are_what_runs(package):
    """``python -m typing_tests.stubs`` writes them again."""
    pytest.importorskip("ruff")
    written = stubs.path_of(package).read_text(encoding="utf-8")
    assert written == stubs.formatted(stubs.stub_of(package))


def test_the_wrong_calls_of_measures_are_of_all_options():
    pytest.importorskip("ruff")
    written = stubs.WRONG_CALLS.read_text(encoding="utf-8")
    assert written == stubs.formatted(stubs.wrong_calls(), ".py")


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_has_a_wrong_call(name):
    marked = rf"^(?:\w+(?:, \w+)* = )?{re.escape(name)}\(.*{re.escape(MARK)}"
    several_lines = rf"^{re.escape(name)}\((?:[^#]*\n)+.*{re.escape(MARK)}"
    assert re.search(f"{marked}|{several_lines}", WRONG_CALLS, re.MULTILINE), name


def test_the_families_are_those_of_the_catalogue():
    assert get_args(Family) == FAMILIES


def test_there_are_public_functions():
    assert len(PUBLIC) > 130


def test_the_policies_are_those_that_run():
    assert set(Policies.__annotations__) == set(policies.DEFAULTS)
    words = {
        "unmatched": policies.UNMATCHED,
        "missing": policies.MISSING,
        "duplicates": policies.DUPLICATES,
    }
    hints = get_type_hints(Policies, localns={"Clustering": pw.Clustering})
    for name, expected in words.items():
        assert set(re.findall(r"'(\w+)'", str(hints[name]))) == set(expected)


@pytest.mark.parametrize("name", sorted({e.function.__name__ for e in pw.catalogue().values()}))
def test_an_option_that_is_a_word_is_typed_as_the_words(name):
    for parameter in inspect.signature(getattr(pw, name)).parameters.values():
        assert parameter.annotation not in ("str", str, "str | None"), parameter
