"""Short forms of objects that hold arrays: one line, and a small table for a notebook."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sized
from dataclasses import fields
from typing import Any

import numpy as np

from partwise.report.numbers import show
from partwise.report.table import Table

#: Characters of a text that are shown, and entries that are shown one by one.
_TEXT, _ENTRIES = 60, 3
#: Fields that are shown; the others are counted.
_FIELDS = 12


def brief(value: Any) -> str:
    """Return a value in a few words: numbers as such, long things by their kind and length."""
    if value is None or isinstance(value, (bool, int, np.integer, np.bool_)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return show(float(value))
    if isinstance(value, str):
        return value if len(value) <= _TEXT else f"{value[: _TEXT - 3]}..."
    if isinstance(value, np.ndarray):
        shape = " x ".join(map(str, value.shape)) or "0-d"
        return f"<{shape} {value.dtype}>"
    if isinstance(value, Mapping) or not isinstance(value, (list, tuple)):
        kind = type(value).__name__
        return f"<{kind} of {len(value)}>" if isinstance(value, Sized) else f"<{kind}>"
    short = all(x is None or isinstance(x, (bool, int, float, str)) for x in value)
    if short and len(value) <= _ENTRIES:
        return f"({', '.join(map(brief, value))})"
    return f"<{type(value).__name__} of {len(value)}>"


def html_of(value: object) -> str:
    """Return the one line of an object for a notebook, escaped."""
    return f"<p>{html.escape(repr(value))}</p>"


class Brief:
    """A record whose one line and notebook table stay short whatever it holds."""

    __slots__ = ()

    def _summary(self) -> dict[str, Any]:
        """Return what is worth showing, by name."""
        shown = fields(self)  # type: ignore[arg-type]
        return {one.name: getattr(self, one.name) for one in shown if one.name[0] != "_"}

    def __repr__(self) -> str:
        entries = [f"{name}={brief(value)}" for name, value in self._summary().items()]
        more = ["..."] if len(entries) > _FIELDS else []
        return f"{type(self).__name__}({', '.join([*entries[:_FIELDS], *more])})"

    def _repr_html_(self) -> str:
        rows = [(name, brief(value)) for name, value in self._summary().items()]
        return Table((type(self).__name__, ""), rows).html()
