"""Trees as text: the Newick format."""

from __future__ import annotations

import math
import re

#: Comments, quoted names, signs, and everything else between them.
_TOKEN = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|[(),:;]|[^\s(),:;\[\]']+|\s+|.", re.DOTALL)


class _Reader:
    """The nodes of a tree as they are read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parents: list[int] = []
        self.names: list[str] = []
        self.lengths: list[float | None] = []
        self.starts: list[int] = []

    def wrong(self, at: int, what: str) -> ValueError:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return ValueError(f"newick text, line {line}, column {column}: {what}")

    def add(self, parent: int, at: int) -> int:
        self.parents.append(parent)
        self.names.append("")
        self.lengths.append(None)
        self.starts.append(at)
        return len(self.parents) - 1

    def read(self) -> None:
        node = -1
        before = ""  # the last sign, or "name", "length"
        for match in _TOKEN.finditer(self.text):
            token, at = match[0], match.start()
            if token.isspace() or (token[0] == "[" and len(token) > 1):
                continue
            if before == ";":
                raise self.wrong(at, "a second tree begins; pass one tree")
            before, node = self._take(token, at, before, node)
        end = len(self.text.rstrip())
        if not self.parents:
            raise ValueError("newick text: it is empty; a tree ends with ';'")
        if before != ";":
            raise self.wrong(end, "the tree does not end with ';'")

    def _take(self, token: str, at: int, before: str, node: int) -> tuple[str, int]:
        """Return what was read last, and the node that is read on."""
        if token == "(":
            if before not in ("", "(", ","):
                raise self.wrong(at, f"'(' after {before!r}; a ',' stands between two nodes")
            node = self.add(-1, at) if node < 0 else node
            return "(", self.add(node, at + 1)
        if node < 0:
            if token in "),:;[]'":
                raise self.wrong(at, f"a tree begins with '(' or a name, and this is {token!r}")
            node = self.add(-1, at)
        if token in ",)":
            parent = self.parents[node]
            if parent < 0:
                raise self.wrong(at, f"{token!r} outside of every '('")
            if before == ":":
                raise self.wrong(at, "a ':' is followed by the length of a branch")
            return token, self.add(parent, at + 1) if token == "," else parent
        if token == ";":
            if self.parents[node] >= 0:
                raise self.wrong(at, "the tree ends inside of '('; a ')' is missing")
            if before == ":":
                raise self.wrong(at, "a ':' is followed by the length of a branch")
            return token, node
        if token == ":":
            if before in (":", "length"):
                raise self.wrong(at, "a second ':' of one node")
            return token, node
        if before == ":":
            self.lengths[node] = self._length(token, at)
            return "length", node
        if token[0] in "[]'" and len(token) == 1:
            raise self.wrong(at, f"{token!r} is not closed, or not opened")
        if before in ("name", "length"):
            raise self.wrong(
                at, f"{token!r} follows {before} of a node; quote names with blanks: 'a b'"
            )
        quoted = token[0] == "'"
        self.names[node] = token[1:-1].replace("''", "'") if quoted else token.replace("_", " ")
        return "name", node

    def _length(self, token: str, at: int) -> float:
        try:
            value = float(token)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value < 0:
            raise self.wrong(at, f"the length of a branch is {token!r}; it is a number from 0")
        return value


def read_newick(text: str) -> tuple[list[str], list[int], list[float]]:
    """Return the names of the leaves, and parents and heights of all nodes, leaves first.

    The height of a node is that of the longest way down to a leaf: the sum of the lengths of
    its branches or, where the text has none, their number.
    """
    reader = _Reader(text)
    reader.read()
    parents, lengths = reader.parents, reader.lengths
    inner = set(parents) - {-1}
    leaves = [node for node in range(len(parents)) if node not in inner]
    names = [reader.names[node] for node in leaves]
    first: dict[str, int] = {}
    for node, name in zip(leaves, names, strict=True):
        if not name:
            raise reader.wrong(reader.starts[node], "a leaf without a name")
        if name in first:
            raise reader.wrong(reader.starts[node], f"a second leaf has the name {name!r}")
        first[name] = node
    branches = [node for node in range(len(parents)) if parents[node] >= 0]
    without = [node for node in branches if lengths[node] is None]
    if without and len(without) < len(branches):
        raise reader.wrong(
            reader.starts[without[0]],
            f"a branch has no length ({len(without)} of {len(branches)}); give all of them "
            "one, or none",
        )
    heights = [0.0] * len(parents)
    for node in reversed(branches):  # a node is read before those below it
        length = lengths[node]
        up = heights[node] + (1.0 if length is None else length)
        heights[parents[node]] = max(heights[parents[node]], up)
    order = [*leaves, *sorted(inner)]
    number = {node: k for k, node in enumerate(order)} | {-1: -1}
    return names, [number[parents[x]] for x in order], [heights[x] for x in order]
