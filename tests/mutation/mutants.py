"""Mutants of a Python file: one token changed so that the code means something else.

What changes only text is left out: docstrings, annotations, what an error says, f-strings.
"""

from __future__ import annotations

import ast
import random
import re
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

OPERATORS = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not"},
    **{"is not": "is", "in": "not in", "not in": "in", "and": "or", "or": "and"},
    **{"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "@": "+"},
    **{"<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&"},
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
#: The longest first, so that ** is not read as *.
TOKEN = re.compile(
    r"\b(?:not\s+in|is\s+not|is|in|and|or)\b|<<|>>|\*\*|//|[<>=!]=|[-+*/%@&|^<>]"
)


@dataclass(frozen=True)
class Mutant:
    """A file in which the characters from ``begin`` to ``end`` become ``text``."""

    path: str
    begin: int
    end: int
    text: str
    line: int
    before: str
    after: str

    def applied(self, source: str) -> str:
        """Return the source with the change."""
        return source[: self.begin] + self.text + source[self.end :]

    def to_dict(self) -> dict[str, str | int]:
        """Return the fields by name."""
        return asdict(self)


class _Places(ast.NodeVisitor):
    """Where a file can be changed, and to what: (begin, end, text)."""

    def __init__(self, source: str) -> None:
        self.source = source
        lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.lines = lines
        self.changes: list[tuple[int, int, str]] = []

    def at(self, line: int, column: int) -> int:
        # columns of the syntax tree count bytes
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def begin(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.end_lineno, node.end_col_offset)

    def operator_between(self, left: ast.expr, right: ast.expr) -> None:
        begin = self.end(left)
        match = TOKEN.search(self.source, begin, self.begin(right))
        if match:
            other = OPERATORS[re.sub(r"\s+", " ", match[0])]
            self.changes.append((*match.span(), other))

    # ---- what is left out ----------------------------------------------------------------

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        defaults = [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        for part in (*node.decorator_list, *defaults, *node.body):
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if getattr(node.test, "id", "") == "TYPE_CHECKING":
            return
        if not isinstance(node.test, (ast.Compare, ast.BoolOp)):
            self.changes.append((self.begin(node.test), self.begin(node.test), "not "))
        self.generic_visit(node)

    # ---- what is changed -----------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            self.operator_between(left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        text = any(
            isinstance(x, (ast.JoinedStr,)) or _is_text(x) for x in (node.left, node.right)
        )
        if not text:
            self.operator_between(node.left, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.operator_between(node.values[0], node.values[1])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.changes.append((self.begin(node), self.begin(node.operand), ""))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.changes.append((self.begin(node), self.end(node), str(not node.value)))
        elif isinstance(node.value, (int, float)):
            self.changes.append((self.begin(node), self.end(node), f"{node.value + 1!r}"))

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", "")
        if name in CALLS and not (name == "sorted" and node.keywords):
            self.changes.append((self.begin(node.func), self.end(node.func), CALLS[name]))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        match = TOKEN.search(self.source, self.end(node.target), self.begin(node.value))
        if match:
            self.changes.append((*match.span(), OPERATORS[match[0]]))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):  # done for its effect
            self.changes.append((self.begin(node), self.end(node), "pass"))
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.changes.append((self.begin(node), self.end(node), "break"))

    def visit_Break(self, node: ast.Break) -> None:
        self.changes.append((self.begin(node), self.end(node), "continue"))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def changes_of(path: Path) -> list[tuple[int, int, str]]:
    """Return where a file can be changed, and to what: begin, end, text."""
    source = path.read_text(encoding="utf-8")
    places = _Places(source)
    places.visit(ast.parse(source))
    return sorted(set(places.changes))


def _mutant(path: Path, name: str, begin: int, end: int, text: str) -> Mutant | None:
    """Return a mutant of a file, or None where that is no Python."""
    source = path.read_text(encoding="utf-8")
    changed = source[:begin] + text + source[end:]
    try:
        compile(changed, name, "exec")
    except SyntaxError:
        return None
    line = source.count("\n", 0, begin)
    before, after = (x.splitlines()[line].strip() for x in (source, changed))
    return Mutant(name, begin, end, text, line + 1, before, after)


def draw(package: Path, folders: dict[str, int], seed: int) -> dict[str, list[Mutant]]:
    """Draw so many mutants of the files of each folder, without repetition."""
    drawn = {}
    for folder, number in folders.items():
        paths = sorted((package / folder).rglob("*.py"))
        every = [(path, change) for path in paths for change in changes_of(path)]
        random.Random(f"{seed} {folder}").shuffle(every)
        mutants = (
            _mutant(path, str(path.relative_to(package)), *change) for path, change in every
        )
        drawn[folder] = list(islice((m for m in mutants if m is not None), number))
    return drawn
