"""The layout: imports go down the road only, nothing runs in a circle, folders stay small."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "partwise"
pytestmark = pytest.mark.one_backend

#: The folders in the order of the road; a module imports from its own and those before it.
ROAD = (
    "numbers",
    "report",
    "_kernels",
    "labels",
    "table",
    "solvers",
    "measures",
    "scoring",
    "inference",
    "consensus",
    "thresholds",
    "scale",
    "coreference",
    "interop",
    "kernels",
    "cli",
)
#: What may stand at the top, before every folder: these know no folder but the kernels.
TOP = {"__init__", "__main__", "installation", "progress", "typing"}
#: These mirror the kernels.
WIDE = {"_kernels/reference", "_kernels/compiled"}


def module_name(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def is_for_types(node):
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


@cache
def parsed(path):
    return ast.parse(path.read_text())


@cache
def imports_of(path):
    """Return (module, only for a method or its types?) for every import of the package."""
    tree = parsed(path)
    inner = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, (ast.FunctionDef, ast.Lambda)) or is_for_types(outer)
        for node in ast.walk(outer)
    }
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("partwise"):
            base = node.module.removeprefix("partwise").lstrip(".")
            for alias in node.names:
                full = f"{base}.{alias.name}".lstrip(".")
                imports.append((full if full in MODULES else base, id(node) in inner))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("partwise."):
                    imports.append((alias.name.removeprefix("partwise."), id(node) in inner))
    return imports


def test_the_reader_of_imports_finds_them():
    """The tests below would pass on nothing."""
    arrows = [(name, there) for name, path in MODULES.items() for there, _ in imports_of(path)]
    assert len(arrows) > 800
    assert ("table.contingency", "_kernels") in arrows
    assert ("cli.compare", "scoring.compare") in arrows


def test_nothing_loose_stands_at_the_top():
    loose = {path.stem for path in PACKAGE.glob("*.py")}
    assert loose == TOP
    folders = {path.name for path in PACKAGE.iterdir() if any(path.glob("*.py"))}
    assert folders <= set(ROAD)


@pytest.mark.parametrize("name", [name for name in MODULES if name.partition(".")[0] in ROAD])
def test_imports_go_down_the_road(name):
    own = ROAD.index(name.partition(".")[0])
    for there, _ in imports_of(MODULES[name]):
        folder = there.partition(".")[0]
        if folder in ROAD:
            assert ROAD.index(folder) <= own, f"{name} imports {there}"
        else:
            assert folder in TOP - {"__init__", "__main__"}, f"{name} imports {there!r}"


def test_nothing_above_the_seam_names_a_backend():
    for name, path in MODULES.items():
        if not name.startswith("_kernels"):
            named = {there for there, _ in imports_of(path) if there.startswith("_kernels.")}
            assert not any("reference" in there or "compiled" in there for there in named), name


def test_what_stands_at_the_top_knows_only_the_kernels():
    for name in ("installation", "progress", "typing"):
        imports = imports_of(MODULES[name])
        folders = {there.partition(".")[0] for there, inner in imports if not inner}
        assert folders <= {"_kernels"}
        if name != "typing":  # it names what others are made of
            assert {there.partition(".")[0] for there, _ in imports} <= {"_kernels"}


def is_delegate(path, there):
    """Whether a module imports another only in methods of one line beside that import."""
    delegates = 0
    for function in ast.walk(parsed(path)):
        if not isinstance(function, ast.FunctionDef):
            continue
        lazy = [node for node in function.body if isinstance(node, ast.ImportFrom)]
        names = {
            name
            for node in lazy
            for name in (node.module, *(f"{node.module}.{x.name}" for x in node.names))
        }
        if f"partwise.{there}" in names:
            delegates += 1
            doc = ast.get_docstring(function) is not None
            if len(function.body) - len(lazy) - doc > 1:
                return False
    return delegates > 0


def circles(arrows):
    """Return the strongly connected parts of more than one module."""
    reached = {}
    for start in arrows:
        seen, todo = set(), [start]
        while todo:
            for there in arrows.get(todo.pop(), ()):
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        reached[start] = seen
    parts = {
        frozenset({x, *(y for y in reached[x] if x in reached.get(y, ()))}) for x in reached
    }
    return [sorted(part) for part in parts if len(part) > 1]


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


def test_no_circle_but_of_one_line_delegates():
    arrows = defaultdict(set)
    for name, path in MODULES.items():
        if name in ("", "__main__"):
            continue
        for there, lazy in imports_of(path):
            if there in ("", name) or name.startswith(f"{there}."):
                continue
            if lazy and is_delegate(path, there):
                continue
            arrows[name].add(there)
    assert circles(arrows) == []


def test_no_folder_is_wide():
    for folder in (PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())):
        if str(folder.relative_to(PACKAGE)) not in WIDE:
            files = [path for path in folder.iterdir() if path.suffix == ".py"]
            assert len(files) <= 15, f"{folder} holds {len(files)} files"
