"""Signatures that are made at run time, written down for type checkers.

A measure's public function, and one that takes the options of draws, get their parameters from
decorators, which no checker can follow. ``python -m typing_tests.stubs`` writes what
``inspect.signature`` gives into a stub beside each package; everything else is imported there
from the module that holds it. ``tests/project/test_types.py`` compares.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import partwise
from partwise import coreference
from partwise.labels.policies import DEFAULTS

SOURCE = Path(__file__).parents[1] / "src"
WRONG_CALLS = Path(__file__).with_name("wrong_measure_calls.py")
PACKAGES = (partwise, coreference)
#: Options that make the result a pair, with the type of its second part.
WITH_MORE = {"return_plan": "tuple[float, csr_array]"}
_IMPORTS_OF_PAIRS = {"return_plan": [("typing", "Literal"), ("scipy.sparse", "csr_array")]}

REFERENCE = ("partwise.table.arguments", "Reference")
CANDIDATE = ("partwise.typing", "Candidate")
COVER = ("partwise.labels.covers.cover", "Cover")
HIERARCHY = ("partwise.labels.hierarchies.hierarchy", "Hierarchy")
SIDES = ("reference", "candidate")

Imports = set[tuple[str, str]]


@cache
def taking_covers() -> set[str]:
    """Return the measures of partitions that take covers as well."""
    entries = partwise.catalogue().values()
    return {e.function.__name__ for e in entries if e.computation.covers is not None}


@cache
def taking_hierarchies() -> set[str]:
    """Return the measures of partitions that take hierarchies as well."""
    entries = partwise.catalogue().values()
    return {e.function.__name__ for e in entries if e.computation.hierarchies is not None}


@cache
def _names_of(module: str) -> dict[str, tuple[str, str]]:
    """Return where the names of a module come from: (module, name)."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    origin = {}
    for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                origin[alias.asname or alias.name] = (node.module, alias.name)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node]
            for target in targets:
                name = getattr(target, "name", getattr(target, "id", None))
                name = name or getattr(getattr(target, "target", None), "id", None)
                if name:
                    origin[name] = (module, name)
    return origin


def _home(module: str, name: str) -> tuple[str, str]:
    """Return the module that defines a name, and its name there."""
    if name not in _names_of(module):  # an option of draws, written by their decorator
        module = "partwise.inference.draws"
    while (there := _names_of(module)[name]) != (module, name):
        if not there[0].startswith("partwise"):
            return there
        module, name = there
    return there


def _annotation(text: str, module: str, imports: Imports) -> str:
    """Return an annotation with its names as their own modules call them."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            home, name = _home(module, node.id)
            imports.add((home, name))
            node.id = name
    return ast.unparse(tree)


def _parameters(
    function: object, module: str, imports: Imports
) -> Iterator[tuple[str, inspect.Parameter]]:
    """Give the parameters as they are written, with those of every measure as one."""
    keyword_only = False
    named = inspect.signature(function).parameters  # type: ignore[arg-type]
    policies = DEFAULTS if "unmatched" in named else ()
    for parameter in named.values():
        if parameter.name in policies:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            yield "*", parameter
        if parameter.kind is parameter.VAR_KEYWORD or parameter.name in (
            "reference",
            "candidate",
        ):
            continue
        text = _annotation(str(parameter.annotation), module, imports)
        default = parameter.default
        if default is parameter.empty:
            yield f"{parameter.name}: {text}", parameter
        else:
            yield f"{parameter.name}: {text} = {default!r}", parameter


def _definitions(name: str, function: object, imports: Imports) -> list[str]:
    """Return the stub of one function, or its overloads."""
    module = inspect.unwrap(function).__module__  # type: ignore[arg-type]
    signature = inspect.signature(function)  # type: ignore[arg-type]
    named = signature.parameters
    written = dict(_parameters(function, module, imports))
    front = []
    for side, home in (("reference", REFERENCE), ("candidate", CANDIDATE)):
        if side in named:
            own = str(named[side].annotation)
            if "Any" in own:  # of a measure
                imports.add(home)
                own = home[1]
            else:
                own = _annotation(own, module, imports)
            if name in taking_covers():
                imports.add(COVER)
                own = f"{own} | {COVER[1]}"
            if name in taking_hierarchies():
                imports.add(HIERARCHY)
                own = f"{own} | {HIERARCHY[1]}"
            bare = named[side].default is inspect.Parameter.empty
            front.append(f"{side}: {own}" + ("" if bare else " = None"))
    lines = [*front, *written]
    if "unmatched" in named or any(p.kind is p.VAR_KEYWORD for p in named.values()):
        imports |= {("typing", "Unpack"), ("partwise.typing", "Policies")}
        lines.append("**policies: Unpack[Policies]")
    if lines and lines[-1] == "*":
        lines.pop()
    if "*" in lines and lines[lines.index("*") + 1].startswith("**"):
        lines.remove("*")
    result = signature.return_annotation
    result = result.__name__ if isinstance(result, type) else str(result)
    result = _annotation(result, module, imports)
    for option, pair in WITH_MORE.items():
        at = next((i for i, line in enumerate(lines) if line.startswith(f"{option}:")), None)
        if at is not None:
            imports |= {("typing", "overload"), *_IMPORTS_OF_PAIRS[option]}
            alone = [*lines[:at], f"{option}: Literal[False] = False", *lines[at + 1 :]]
            both = [*lines[:at], f"{option}: Literal[True]", *lines[at + 1 :]]
            return [
                "@overload\n" + _written(name, alone, result),
                "@overload\n" + _written(name, both, pair),
            ]
    return [_written(name, lines, result)]


def _written(name: str, lines: list[str], result: str) -> str:
    return f"def {name}({', '.join(lines)}) -> {result}: ..."


def _is_made(function: object) -> bool:
    """Return whether a function has the signature that a decorator gave it."""
    return inspect.isfunction(function) and "__signature__" in vars(function)


def stub_of(package: ModuleType) -> str:
    """Return the stub of a package."""
    imports: Imports = set()
    definitions: list[str] = []
    for name in package.__all__:
        value = getattr(package, name)
        if _is_made(value):
            definitions += _definitions(name, value, imports)
        elif inspect.ismodule(value):
            imports.add((package.__name__, name))
        else:
            imports.add((_module_of(package, name), name))
    lines = [
        f'"""The public names of {package.__name__} for type checkers; generated, do not edit.',
        "",
        "``python -m typing_tests.stubs`` writes this file.",
        '"""',
        "",
    ]
    public = set(package.__all__)
    lines += [
        f"from {module} import {name} as {name}"
        if name in public
        else f"from {module} import {name}"
        for module, name in sorted(imports)
    ]
    if package is partwise:
        lines += ["", "__version__: str"]
    return "\n".join([*lines, "", *definitions, "", f"__all__ = {sorted(public)!r}", ""])


def _module_of(package: ModuleType, name: str) -> str:
    """Return the module that a public name comes from."""
    if package is partwise:
        modules: dict[str, str] = vars(partwise)["_MODULE_OF"]
        return modules[name]
    return _home(package.__name__, name)[0]


def wrong_calls() -> str:
    """Return wrong calls of every measure, one for each option and each kind of mistake."""
    lines = [
        '"""Wrong calls of every measure; generated, do not edit.',
        "",
        "``python -m typing_tests.stubs`` writes this file.",
        '"""',
        "",
        "import partwise as pw",
        "",
        "a = [0, 0, 1, 1]",
        "b = [0, 1, 1, 1]",
        "",
    ]
    for name in sorted({entry.function.__name__ for entry in partwise.catalogue().values()}):
        function = getattr(partwise, name)
        if not function.__module__.startswith("partwise."):
            continue
        options = [p for p in inspect.signature(function).parameters.values()
                   if p.name not in DEFAULTS and p.name not in SIDES]  # fmt: skip
        needed = "".join(f", {p.name}=3" for p in options if p.default is p.empty)
        overloaded = any(p.name in WITH_MORE for p in options)
        of_value = "call-overload" if overloaded else "arg-type"
        of_name = "call-overload" if overloaded else "call-arg"
        lines += [
            f'pw.{name}("ab", b{needed})  # type: ignore[arg-type]',
            f'pw.{name}(a, b, unmatched="drp"{needed})  # type: ignore[{of_value}]',
            f"pw.{name}(a, b, no_such_option=1{needed})  # type: ignore[{of_name}]",
        ]
        for option in options:
            if str(option.annotation) not in ("Any", "typing.Any"):
                lines.append(
                    f"pw.{name}(a, b, {option.name}=object())  # type: ignore[{of_value}]"
                )
    return "\n".join([*lines, ""])


def formatted(text: str, ending: str = ".pyi") -> str:
    """Return a file as the project's formatter leaves it."""
    from subprocess import run

    ruff = ["ruff", "check", "--quiet", "--fix", "--select", "I", "--stdin-filename"]
    for command in (ruff, ["ruff", "format", "--quiet", "--stdin-filename"]):
        done = run([sys.executable, "-m", *command, f"file{ending}", "-"],
                   input=text, capture_output=True, text=True, check=True)  # fmt: skip
        text = done.stdout
    return text


def path_of(package: ModuleType) -> Path:
    """Return where the stub of a package stands."""
    return SOURCE / package.__name__.replace(".", "/") / "__init__.pyi"


def main() -> None:
    """Write the stubs."""
    for package in PACKAGES:
        path_of(package).write_text(formatted(stub_of(package)), encoding="utf-8")
    WRONG_CALLS.write_text(formatted(wrong_calls(), ".py"), encoding="utf-8")


if __name__ == "__main__":
    main()
