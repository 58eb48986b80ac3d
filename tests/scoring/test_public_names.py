"""What holds of every public function and class: defaults as documented, results that stay."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from public_modules import CLASSES, MODULES

pytestmark = pytest.mark.one_backend

ROOMS = {**MODULES, **CLASSES}
OF_MODULE = {
    room: [getattr(module, x) for x in module.__all__] for room, module in ROOMS.items()
}


def functions_of(room):
    """Yield the functions of a module and the methods of its classes, by name."""
    for one in OF_MODULE[room]:
        if not inspect.isclass(one):
            if callable(one):
                yield one.__name__, one
            continue
        for name, method in inspect.getmembers(one, callable):
            if not name.startswith("_"):
                yield f"{one.__name__}.{name}", method


def parameters_of(text):
    """Return what a docstring says of each parameter: its kind, and the sentences below."""
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", text, re.S | re.M)
    said, lines = {}, found[1].replace("\\\n", "").splitlines() if found else []
    names = []
    for line in lines:
        if line and not line.startswith(" "):
            names = []
            for part in re.sub(r"\s+", " ", line).split("; "):
                listed, _, kind = part.partition(" : ")
                names += listed.replace("*", "").split(", ")
                said |= {name: (kind, "") for name in listed.replace("*", "").split(", ")}
        for name in names:
            said[name] = (said[name][0], f"{said[name][1]} {line.strip()}")
    return said


def documented(room, function, name, default):
    """Return what its docstring has wrong about the default of a parameter; or None."""
    kind, below = parameters_of(inspect.getdoc(function) or "").get(name, ("", ""))
    told = re.search(r", default (.*)$", kind)
    if told:
        words = {"int64": np.int64, "2**30": 2**30}
        value = words[told[1]] if told[1] in words else ast.literal_eval(told[1])
        return None if value == default else f"{told[1]} is told"
    if default is None or default == ():
        return None
    first = re.match(r"\{?([\"'][^\"']*[\"'])", kind)
    if first:  # of the words that are listed, the first
        return None if ast.literal_eval(first[1]) == default else f"{first[1]} is listed first"
    others = re.findall(r"``(?:partwise\.|coreference\.)*(\w+)``", below)
    others += ["align"] if name in ("unmatched", "missing", "duplicates") else []
    for other in others:
        there = getattr(ROOMS[room], other, None) or getattr(pw, other, None)
        if callable(there) and name in inspect.signature(there).parameters:
            same = inspect.signature(there).parameters[name].default == default
            return None if same else f"{other} has another one"
    return "it is not told"


@pytest.mark.parametrize("room", ROOMS)
def test_defaults_are_those_that_are_documented(room):
    wrong, n = {}, 0
    for name, function in functions_of(room):
        try:
            parameters = inspect.signature(function).parameters.values()
        except ValueError:  # a type of Python itself
            continue
        for one in parameters:
            if one.default is not one.empty:
                n += 1
                what = documented(room, function, one.name, one.default)
                if what:
                    wrong[name, one.name] = (one.default, what)
    assert not wrong
    assert n or room in CLASSES  # those have no parameters with a default


#: Records that a step of the work fills in, and nobody else sees.
FILLED_IN = {"partwise.labels.apply_policies.Side"}


def modules_of(folder):
    """Yield the modules of a folder of the package, those of its folders too."""
    above = f"partwise.{folder}."
    for found in pkgutil.walk_packages([str(Path(pw.__path__[0], *folder.split(".")))], above):
        try:
            yield importlib.import_module(found.name)
        except ModuleNotFoundError as error:  # of a library that is not installed
            if str(error.name).startswith("partwise"):
                raise


@pytest.mark.parametrize(
    "folder", ["labels", "table", "measures", "scoring", "inference", "coreference.scores"]
)
def test_records_do_not_change(folder):
    classes = {
        one
        for module in modules_of(folder)
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__ == module.__name__
    }
    records = {one for one in classes if dataclasses.is_dataclass(one)}
    assert len(records) > 2
    changing = {one for one in records if not one.__dataclass_params__.frozen}
    assert {f"{one.__module__}.{one.__name__}" for one in changing} <= FILLED_IN


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_public_does_not_change(room):
    for one in OF_MODULE[room]:
        if dataclasses.is_dataclass(one) and isinstance(one, type):
            assert one.__dataclass_params__.frozen, one
