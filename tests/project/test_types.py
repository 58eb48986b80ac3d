"""What type checkers read is what runs, and every public function has a wrong call."""

import inspect
import re
from importlib.util import find_spec
from typing import get_args, get_type_hints

import pytest

import partwise as pw
import public_modules
from partwise.labels import policies
from partwise.measures.catalogue import FAMILIES, Family
from partwise.typing import Policies
from typing_tests import stubs
from typing_tests.__main__ import FOLDER, MARK

pytestmark = pytest.mark.one_backend

WRONG_CALLS = "".join(path.read_text() for path in sorted(FOLDER.glob("wrong*_calls.py")))
MODULES = {**public_modules.MODULES, **public_modules.CLASSES}
if find_spec("partwise._kernels.compiled.table"):  # partwise.kernels is for these alone
    from partwise import kernels

    MODULES["kernels"] = kernels
PUBLIC = [
    f"{prefix}.{name}"
    for prefix, module in MODULES.items()
    for name in module.__all__
    if inspect.isfunction(getattr(module, name)) or prefix in public_modules.CLASSES
]
#: Parameters that take what no type tells: any label, objects of engines without types, and
#: options that are handed on.
OF_ANY_TYPE = {
    ("pw.align", "missing_labels"),
    ("pw.check_subcomponent_score", "features"),
    ("pw.check_subcomponent_score", "distances"),
    ("pw.decompose", "keywords"),
    ("pw.diarization_errors", "silence"),
    ("pw.object_matches", "background"),
    ("sklearn.expected_mutual_information", "contingency"),
    ("sklearn.mutual_info_score", "contingency"),
    ("blocks.contingency", "reference"),
    ("blocks.contingency", "candidate"),
    *(
        (f"{engine}.contingency", name)
        for engine in ("dask", "duckdb", "spark")
        for name in ("reference", "candidate", "missing_labels")
    ),
    ("duckdb.contingency", "connection"),
}


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
    call = rf"{re.escape(name)}(?:\.\w+)?\("
    marked = rf"^(?:\w+(?:, \w+)* = )?{call}.*{re.escape(MARK)}"
    several_lines = rf"^{call}(?:[^#]*\n)+.*{re.escape(MARK)}"
    assert re.search(f"{marked}|{several_lines}", WRONG_CALLS, re.MULTILINE), name


def test_every_parameter_has_a_type():
    """But for those listed; the measures' are in the stub, with those of ``align``."""
    measures = {f"pw.{e.function.__name__}" for e in pw.catalogue().values()}
    untyped = {
        (name, parameter.name)
        for name in PUBLIC
        if name not in measures and name.partition(".")[0] not in public_modules.CLASSES
        for parameter in inspect.signature(
            getattr(MODULES[name.partition(".")[0]], name.partition(".")[2])
        ).parameters.values()
        if str(parameter.annotation) in ("Any", "object")
        or parameter.annotation is inspect.Parameter.empty
    }
    assert untyped == OF_ANY_TYPE


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
