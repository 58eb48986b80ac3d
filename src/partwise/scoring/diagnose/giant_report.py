"""What a report says of a component that holds most items."""

from __future__ import annotations

from typing import Any

from partwise.labels.account import counted
from partwise.report.table import Table, wrapped
from partwise.scoring.diagnose.giant import Giant, Part
from partwise.scoring.diagnose.report_cells import aligned, label_text, percent

_STRAYS = ("items", "of", "reference", "candidate", "most are in", "most there are of")
_PARTS = ("items", "kind", "reference clusters | candidate clusters")


def titles(giant: Giant, n_items: int) -> tuple[str, str, str]:
    """Return the sentences above: the component, the flows, the parts."""
    component = (
        f"One component holds {percent(giant.n_items / n_items)} of the items, "
        f"{counted(giant.n_reference, 'reference cluster')} and "
        f"{counted(giant.n_candidate, 'candidate cluster')}, so that components say little"
    )
    shown = f"; the {len(giant.strays)} largest" if len(giant.strays) < giant.n_strays else ""
    flows = (
        f"Flows: {counted(giant.n_strays, 'cell')} ({counted(giant.n_stray_items, 'item')}) "
        f"outside the largest part of a reference cluster{shown}"
    )
    kinds = ", ".join(f"{number} {kind}" for kind, number in giant.kinds.items() if number)
    parts = (
        f"Without {counted(giant.thin_cells, 'thin cell')} "
        f"({counted(giant.thin_items, 'item')}), the largest of neither cluster and less than "
        "a tenth of one, it falls into "
        f"{counted(sum(giant.kinds.values()), 'component')}: {kinds}"
    )
    if not giant.thin_cells:
        parts = (
            "Every cell is the largest of a cluster or a tenth of both: it is not noise that "
            "holds the component together"
        )
    return component, flows, parts


def _stray_rows(giant: Giant) -> list[tuple[Any, ...]]:
    return [
        (
            one.count,
            one.reference_size,
            label_text(one.reference),
            label_text(one.candidate),
            label_text(one.main_candidate),
            label_text(one.main_reference),
        )
        for one in giant.strays
    ]


def _labels(part: Part) -> str:
    sides = []
    for labels, number in (
        (part.reference, part.n_reference),
        (part.candidate, part.n_candidate),
    ):
        text = ", ".join(label_text(label) for label in labels)
        left = number - len(labels)
        sides.append(f"{text} and {left} more" if left else text)
    return " | ".join(sides)


def _part_rows(giant: Giant) -> list[tuple[Any, ...]]:
    return [(one.n_items, one.kind, _labels(one)) for one in giant.parts]


def text(giant: Giant, n_items: int) -> list[str]:
    """Return the paragraphs of the text."""
    component, flows, parts = titles(giant, n_items)
    paragraphs = [wrapped([component])]
    if giant.strays:
        table = aligned(_STRAYS, _stray_rows(giant), right=2)
        paragraphs.append(f"{wrapped([flows])}\n{table}")
    if giant.thin_cells and giant.parts:
        table = aligned(_PARTS, _part_rows(giant), right=1)
        paragraphs.append(f"{wrapped([parts])}\n{table}")
    else:
        paragraphs.append(wrapped([parts]))
    return paragraphs


def html(giant: Giant, n_items: int, lines: int) -> str:
    """Return the tables in HTML, of so many lines at most."""
    component, flows, parts = titles(giant, n_items)
    strays = Table(_STRAYS, _stray_rows(giant), lead=0).html(f"{component}; {flows}", lines)
    return strays + Table(_PARTS, _part_rows(giant), lead=0).html(parts, lines)
