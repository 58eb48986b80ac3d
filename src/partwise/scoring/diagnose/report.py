"""A diagnosis as text, HTML and frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.labels.account import counted
from partwise.report.numbers import show
from partwise.report.plots.flows import Flow, draw_alluvial
from partwise.report.table import Table, wrapped
from partwise.report.tables import pandas_module
from partwise.scoring.diagnose import giant_report
from partwise.scoring.diagnose.report_cells import (
    JOINED,
    LABEL,
    aligned,
    common_lead,
    label_text,
    percent,
)

if TYPE_CHECKING:
    from partwise.scoring.diagnose.diagnose import Diagnosis
    from partwise.scoring.diagnose.structure import ClusterTable
    from partwise.scoring.diagnose.worst import Broken, BrokenCluster, WorstComponent

_LABEL_BESIDE_COSTS = 18  # where the line has six more columns
_PARTS = 5  # parts of a cluster that are shown
_IN_HTML = 5  # worst clusters, components and cells that a notebook shows
_OTHER = {"reference": "candidate", "candidate": "reference"}
_BROKEN = {
    "reference": ("Splits", "broken into several candidate clusters"),
    "candidate": ("Merges", "mixing several reference clusters"),
}


# ---- words -------------------------------------------------------------------------


def header(diagnosis: Diagnosis) -> str:
    """Return what was compared, as one line."""
    rows, cols = diagnosis.shape
    return (
        f"{diagnosis.account.describe()}; {counted(rows, 'reference cluster')} and "
        f"{counted(cols, 'candidate cluster')}, {counted(diagnosis.n_cells, 'cell')}, "
        f"{counted(len(diagnosis.components.items), 'component')}"
    )


def _listing(parts: Iterable[str]) -> str:
    """Return parts in a line that breaks only between them."""
    return ", ".join(part.replace(" ", JOINED) for part in parts)


# ---- the tables --------------------------------------------------------------------

#: Names of the columns of ``kind_rows``.
KIND_COLUMNS = ("components", "items", "share of loss", "kind")
_KINDS = {
    "identical": "identical: the same cluster on both sides",
    "split": "split: one reference cluster in several",
    "merge": "merge: several reference clusters in one",
    "mixed": "mixed: several clusters on both sides",
}


def kind_rows(diagnosis: Diagnosis) -> list[tuple[Any, ...]]:
    """Return components, items, share of the loss and name of each kind."""
    return [
        (of["components"], of["items"], percent(of["share"]), _KINDS[kind])
        for kind, of in diagnosis.kinds.items()
    ]


def _broken_columns(side: str, broken: Broken) -> tuple[str, ...]:
    cost = ("share of loss",) if any(x.cost is not None for x in broken.worst) else ()
    last = f"{_OTHER[side]} clusters (items)"
    return ("items", "apart", "parts", "entropy, nats", *cost, "component", side, last)


def _broken_rows(broken: Broken) -> list[tuple[Any, ...]]:
    return [
        (
            one.size,
            one.apart,
            one.n_parts,
            f"{one.entropy:.3f}",
            *(() if one.cost is None else (percent(one.cost),)),
            "mixed" if one.mixed else "pure",
            label_text(one.label, longest=_LABEL_BESIDE_COSTS),
            _parts(one),
        )
        for one in broken.worst
    ]


def _parts(one: BrokenCluster) -> str:
    lead = common_lead([one.label])
    shown = one.parts[:_PARTS]
    parts = [f"{label_text(label, lead)} ({count})" for label, count in shown]
    if left := one.n_parts - len(shown):
        items = one.size - sum(count for _, count in shown)
        parts.append(f"and {left} more ({items})")
    return _listing(parts)


def broken_title(side: str, broken: Broken, *, listed: bool = True) -> str:
    """Return how many clusters of a side are broken; ``listed``: and which of them follow."""
    name, what = _BROKEN[side]
    if not broken.count:
        return f"{name}: no {side} cluster {what}"
    clusters = counted(broken.count, f"{side} cluster")
    title = f"{name}: {clusters} ({counted(broken.items, 'item')}) {what}"
    if broken.mixed:
        title += f", {broken.mixed} of them in mixed components"
    if listed and 0 < len(broken.worst) < broken.count:
        title += f"; the {len(broken.worst)} with most items apart from the largest part"
    return title


def worst_title(diagnosis: Diagnosis) -> str:
    """Return how many components are listed, and their share of the loss."""
    shown = sum(one.share for one in diagnosis.worst)
    return (
        f"Worst components: {len(diagnosis.worst)} of {diagnosis.n_costly} with a loss, "
        f"together {percent(min(shown, 1.0))} of it"
    )


def _component_lead(one: WorstComponent) -> tuple[Any, ...]:
    labels = [label for cell in one.cells for label in (cell.reference, cell.candidate)]
    items = [item for cell in one.cells for item in cell.items or ()]
    return common_lead([*labels, *items])


def _component_title(rank: int, one: WorstComponent) -> str:
    lead = _component_lead(one)
    where = f" in {label_text(lead, longest=2 * LABEL)}" if lead else ""
    return (
        f"{rank}. {percent(one.share)} of the loss, {one.kind}: "
        f"{counted(one.n_items, 'item')}, {counted(one.n_reference, 'reference cluster')}, "
        f"{counted(one.n_candidate, 'candidate cluster')}{where}"
    )


def _cell_rows(one: WorstComponent) -> list[tuple[Any, ...]]:
    lead = _component_lead(one)
    return [
        (
            cell.count,
            label_text(cell.reference, lead),
            label_text(cell.candidate, lead),
            *([] if cell.items is None else [_items(cell.items, cell.items_left_out, lead)]),
        )
        for cell in one.cells
    ]


def _items(items: list[Any], left_out: int, lead: tuple[Any, ...]) -> str:
    parts = [label_text(item, lead) for item in items]
    if left_out:
        parts.append(f"and {left_out} more")
    return _listing(parts)


def _cell_columns(one: WorstComponent) -> tuple[str, ...]:
    with_items = any(cell.items is not None for cell in one.cells)
    return ("items", "reference", "candidate", *(("ids",) if with_items else ()))


def cells_not_listed(one: WorstComponent) -> str:
    """Return what is said of further cells; "" where all are listed."""
    if not one.cells_left_out:
        return ""
    items = counted(one.cells_left_out_items, "item")
    return f"and {counted(one.cells_left_out, 'further cell')} of {items} in all"


# ---- text and HTML -----------------------------------------------------------------


def text(diagnosis: Diagnosis) -> str:
    """Return the diagnosis as text."""
    parts = [
        f"{wrapped([header(diagnosis)])}\n{wrapped(value_line(diagnosis).splitlines())}",
        aligned(KIND_COLUMNS, kind_rows(diagnosis), right=3),
    ]
    for side, broken in (("reference", diagnosis.splits), ("candidate", diagnosis.merges)):
        title = broken_title(side, broken)
        if broken.worst:
            columns = _broken_columns(side, broken)
            table = aligned(columns, _broken_rows(broken), right=len(columns) - 3)
            parts.append(f"{wrapped([title])}\n{table}")
        else:
            parts.append(wrapped([title]))
    if diagnosis.giant is not None:
        parts += giant_report.text(diagnosis.giant, diagnosis.account.items)
    if diagnosis.worst:
        parts.append(wrapped([worst_title(diagnosis)]))
    for rank, one in enumerate(diagnosis.worst, 1):
        cells = aligned(_cell_columns(one), _cell_rows(one), right=1, indent="   ")
        lines = [wrapped([_component_title(rank, one)]), cells]
        lines += [f"   {line}" for line in filter(None, [cells_not_listed(one)])]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def value_line(diagnosis: Diagnosis) -> str:
    """Return the value and the loss, with what the measure does not say on a second line."""
    line = f"{diagnosis.by} {show(diagnosis.value)}, loss {show(diagnosis.loss)}"
    return f"{line}\n({diagnosis.note})" if diagnosis.note else line


def html(diagnosis: Diagnosis) -> str:
    """Return the diagnosis as HTML tables; of the worst components the first."""
    top = f"{header(diagnosis)}; {value_line(diagnosis)}"
    tables = [Table(KIND_COLUMNS, kind_rows(diagnosis), lead=0).html(top)]
    for side, broken in (("reference", diagnosis.splits), ("candidate", diagnosis.merges)):
        title = broken_title(side, broken)
        table = Table(_broken_columns(side, broken), _broken_rows(broken), lead=0)
        tables.append(table.html(title, _IN_HTML))
    if diagnosis.giant is not None:
        tables.append(giant_report.html(diagnosis.giant, diagnosis.account.items, _IN_HTML))
    for rank, one in enumerate(diagnosis.worst[:_IN_HTML], 1):
        title = "; ".join(filter(None, [_component_title(rank, one), cells_not_listed(one)]))
        tables.append(Table(_cell_columns(one), _cell_rows(one), lead=0).html(title, _IN_HTML))
    return "".join(tables)


def worst_table(diagnosis: Diagnosis) -> Table:
    """Return the table of the worst components."""
    head = ("component", "kind", "items", "reference clusters", "candidate clusters")
    rows = [
        (one.number, one.kind, one.n_items, one.n_reference, one.n_candidate, one.share)
        for one in diagnosis.worst
    ]
    return Table((*head, "share of loss"), rows, lead=2)


def draw_worst(diagnosis: Diagnosis, components: int, ax: Any) -> Any:
    """Draw the worst components as an alluvial picture; see ``Diagnosis.plot``."""
    if not diagnosis.worst:
        raise ValueError("no component has a loss, so there is nothing to draw")
    parts = []
    for rank, one in enumerate(diagnosis.worst[: max(components, 1)], 1):
        lead = _component_lead(one)
        flows = [
            Flow(label_text(cell.reference, lead), label_text(cell.candidate, lead), cell.count)
            for cell in one.cells
        ]
        hidden = counted(one.cells_left_out, "smaller cell")
        items = counted(one.cells_left_out_items, "item")
        left_out = f" ({hidden} of {items} not shown)" if one.cells_left_out else ""
        title = f"{rank}. {percent(one.share)} of the loss, {one.kind}{left_out}"
        parts.append((title, flows))
    return draw_alluvial(parts, left="reference", right="candidate", ax=ax)


# ---- frames ------------------------------------------------------------------------


def frames(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return pandas frames of the components, the clusters and the worst components' cells."""
    pandas = pandas_module()
    table = diagnosis.components
    kinds = np.array(list(_KINDS), dtype=object)
    components = {
        "kind": kinds[table.kind],
        "items": table.items,
        "reference_clusters": table.reference_clusters,
        "candidate_clusters": table.candidate_clusters,
        "cells": table.cells,
        "loss": table.loss,
        "share": table.share,
    }
    cells = [
        {
            "component": one.number,
            "reference": cell.reference,
            "candidate": cell.candidate,
            "items": cell.count,
            "ids": cell.items,
        }
        for one in diagnosis.worst
        for cell in one.cells
    ]
    return {
        "components": pandas.DataFrame(components),
        "reference": pandas.DataFrame(_cluster_columns(diagnosis.reference)),
        "candidate": pandas.DataFrame(_cluster_columns(diagnosis.candidate)),
        "cells": pandas.DataFrame(
            cells, columns=["component", "reference", "candidate", "items", "ids"]
        ),
    }


def _cluster_columns(table: ClusterTable) -> dict[str, Any]:
    columns = {
        "label": table.labels,
        "size": table.sizes,
        "pieces": table.pieces,
        "largest": table.largest,
        "entropy": table.entropy,
        "partner": table.partner_labels,
        "overlap": table.overlaps,
        "component": table.components,
    }
    return columns if table.costs is None else {**columns, "cost": table.costs}
