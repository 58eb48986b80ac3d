"""Labels, shares and aligned tables of a diagnosis."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from partwise.labels.apply_policies import SingletonLabel
from partwise.report.numbers import show
from partwise.report.table import WIDTH

LABEL = 24  # characters of a label that are shown
JOINED = "\N{NO-BREAK SPACE}"
_LAST = 28  # characters that the last column of a table needs


def percent(share: float) -> str:
    """Return a share; what is not 0 is not shown as 0."""
    if 0 < share < 0.0005:
        return "<0.1%"
    return f"{share:.1%}" if share else "0%"


def label_text(label: Any, lead: tuple[Any, ...] = (), longest: int = LABEL) -> str:
    """Return a label; long ones lose their middle, tuples what they share with ``lead``."""
    if isinstance(label, SingletonLabel):
        return f"(alone) {label_text(label.item, lead, longest)}"
    if isinstance(label, tuple):
        if lead and label[: len(lead)] == lead:
            label = label[len(lead) :]
        text = ",".join(map(str, label))
    else:
        text = str(label)
    text = " ".join(text.split()) or '""'
    if len(text) <= longest:
        return text
    kept = longest - 1
    return f"{text[: kept // 2]}…{text[-(kept - kept // 2) :]}"


def _inner(label: Any) -> Any:
    return label.item if isinstance(label, SingletonLabel) else label


def common_lead(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Return the leading parts that all labels share, if all are tuples; never a whole one."""
    lead: tuple[Any, ...] | None = None
    for label in map(_inner, labels):
        if not isinstance(label, tuple):
            return ()
        own = label[:-1]
        if lead is None:
            lead = own
        same = [x == y for x, y in zip(lead, own, strict=False)]
        lead = lead[: same.index(False) if False in same else len(same)]
    return lead or ()


def aligned(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: int, indent: str = ""
) -> str:
    """Return aligned columns, the first ``right`` set to the right; the last one may wrap."""
    lines = [list(columns), *([show(cell) for cell in row] for row in rows)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    text_lines = []
    lead = len(indent) + sum(widths[:-1]) + 2 * (len(widths) - 1)
    below = WIDTH - lead < _LAST  # then the last column stands in lines of its own
    for line in lines:
        cells = [
            cell.rjust(width) if column < right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line[:-1], widths, strict=False))
        ]
        start = indent + "".join(f"{cell}  " for cell in cells)
        hanging = f"{indent}    " if below else " " * len(start)
        parts = textwrap.wrap(
            line[-1], WIDTH - len(hanging), break_long_words=False, break_on_hyphens=False
        )
        if below:
            text_lines.append(start.rstrip())
        elif parts:
            parts[0] = start + parts[0]
        else:
            text_lines.append(start.rstrip())
        for k, part in enumerate(parts):
            text_lines.append(part if k == 0 and not below else hanging + part)
    return "\n".join(text_lines).replace(JOINED, " ")
