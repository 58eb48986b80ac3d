"""``diagnose`` and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from partwise._kernels.order_free import (
    group_totals,
)
from partwise.labels import Account
from partwise.measures.catalogue import find
from partwise.measures.components.sums import Join, components_of
from partwise.numbers.arrays import FloatArray
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.numbers import show
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular
from partwise.scoring.decompose import decompose
from partwise.scoring.diagnose.costs import Losses, cell_losses
from partwise.scoring.diagnose.giant import Giant, Part, Stray, giant_from_dict, giant_of
from partwise.scoring.diagnose.structure import (
    KINDS,
    ClusterTable,
    ComponentTable,
    cluster_tables,
    component_table,
)
from partwise.scoring.diagnose.worst import (
    LISTED_ITEMS,
    Broken,
    WorstComponent,
    broken_clusters,
    broken_of,
    plain_of,
    worst_components,
    worst_of,
)
from partwise.table.alignment import Alignment
from partwise.table.arguments import Reference, alignment_of, as_table, clusterings_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Tabular, JsonResult):
    """What was split, what was merged, and what it costs.

    Attributes
    ----------
    by : str
        The measure whose loss is shared out.
    value, loss : float
        Its value, and what it lacks to the best one (a distance: its value).
    account : Account
    shape : tuple of int
        Numbers of reference and candidate clusters.
    n_cells : int
    components : ComponentTable
        Arrays with one entry per component.
    splits, merges : Broken
        Reference clusters in several candidate clusters; candidate clusters that mix several
        reference clusters. Their counts, and the worst of them.
    worst : list of WorstComponent
        Components by their share of the loss.
    giant : Giant or None
        What is inside a mixed component that holds most items, and what holds it together;
        None where there is none.
    """

    _schema: ClassVar[str] = "diagnosis/1"

    by: str
    value: float
    loss: float
    account: Account
    shape: tuple[int, int]
    n_cells: int
    components: ComponentTable
    splits: Broken
    merges: Broken
    worst: list[WorstComponent]
    giant: Giant | None
    _table: Contingency | None
    _join: Join | None
    _losses: Losses | None
    _has_costs: bool

    @property
    def reference(self) -> ClusterTable:
        """Every reference cluster; made when first asked for."""
        return self._clusters[0]

    @property
    def candidate(self) -> ClusterTable:
        """Every candidate cluster; made when first asked for."""
        return self._clusters[1]

    @cached_property
    def _clusters(self) -> tuple[ClusterTable, ClusterTable]:
        if self._table is None or self._join is None:
            raise ValueError(
                "this diagnosis was read from JSON, which lists its worst clusters only; call "
                "diagnose again for all of them"
            )
        return cluster_tables(self._table, self._join, self._losses, self.loss)

    @property
    def kinds(self) -> dict[str, dict[str, Any]]:
        """Components of each kind: how many, their items, their share of the loss."""
        table = self.components
        kinds = {}
        for number, kind in enumerate(KINDS):
            chosen = table.kind == number
            kinds[kind] = {
                "components": int(chosen.sum()),
                "items": int(table.items[chosen].sum()),
                "share": float(_sum(table.share[chosen])),
            }
        return kinds

    @property
    def n_costly(self) -> int:
        """Number of components with a loss."""
        return int((self.components.loss > 0).sum())

    @property
    def note(self) -> str:
        """What the measure does not say; "" if it says all."""
        if self._has_costs or not self.loss:
            return ""
        return f"{self.by} gives its loss to components; single clusters have no cost of it"

    def __str__(self) -> str:
        from partwise.scoring.diagnose import report

        return report.text(self)

    def __repr__(self) -> str:
        return (
            f"Diagnosis({self.splits.count} split, {self.merges.count} merged, "
            f"{self.by} {show(self.value)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the text shows as plain dicts, lists and numbers.

        Only the worst clusters and components are listed; ``to_pandas`` and the arrays of
        ``components``, ``reference`` and ``candidate`` hold all.
        """
        return {
            "account": self.account.to_dict(),
            "clusters": {"reference": self.shape[0], "candidate": self.shape[1]},
            "cells": self.n_cells,
            "by": self.by,
            "value": self.value,
            "loss": self.loss,
            "components": self.kinds,
            "splits": plain_of(self.splits),
            "merges": plain_of(self.merges),
            "components_with_loss": self.n_costly,
            "worst": [plain_of(one) for one in self.worst],
            "giant": plain_of(self.giant, Giant, Stray, Part),
            "note": self.note,
        }

    def heading(self) -> list[str]:
        """Return what was compared, and the loss that is shared out."""
        from partwise.scoring.diagnose import report

        return [report.header(self)]

    def table(self) -> Table:
        """Return the table of the worst components."""
        from partwise.scoring.diagnose import report

        return report.worst_table(self)

    def plot(self, path: str | None = None, *, components: int = 3, ax: Any = None) -> Any:
        """Draw the worst components: clusters of both sides, and the items that they share.

        Parameters
        ----------
        components : int, default 3
            How many of ``worst``; of each the listed cells, the largest.
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        from partwise.scoring.diagnose import report

        return saved(report.draw_worst(self, components, ax), path)

    def _options(self) -> dict[str, Any]:
        return {"by": self.by}

    def _document(self) -> dict[str, Any]:
        arrays = {
            one.name: packed(getattr(self.components, one.name))
            for one in fields(self.components)
        }
        costs = {"clusters_have_costs": self._has_costs}
        return {**self.to_dict(), **costs, "every_component": arrays, "notes": []}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        arrays = {name: unpacked(x) for name, x in document["every_component"].items()}
        clusters = document["clusters"]
        return cls(
            by=document["by"],
            value=float(document["value"]),
            loss=float(document["loss"]),
            account=Account.from_dict(document["account"]),
            shape=(clusters["reference"], clusters["candidate"]),
            n_cells=document["cells"],
            components=ComponentTable(**arrays),
            splits=broken_of(document["splits"]),
            merges=broken_of(document["merges"]),
            worst=[worst_of(one) for one in document["worst"]],
            giant=giant_from_dict(document["giant"]),
            _table=None,
            _join=None,
            _losses=None,
            _has_costs=document["clusters_have_costs"],
        )

    def to_pandas(self) -> dict[str, Any]:
        """Return frames: "components", "reference", "candidate", "cells".

        The first three have a row per component or cluster of the whole table; "cells" has
        the listed cells of the worst components. Needs the extra ``partwise[frames]``.
        """
        from partwise.scoring.diagnose import report

        return report.frames(self)

    def _repr_html_(self) -> str:
        from partwise.scoring.diagnose import report

        return report.html(self)


def _sum(values: FloatArray) -> float:
    return float(group_totals(values, np.zeros(len(values), dtype=np.int64), 1).high[0])


def diagnose(
    reference: Reference,
    candidate: Candidate = None,
    *,
    by: str = "s_entropy",
    worst: int = 20,
    items: bool | int = False,
    **policies: Unpack[Policies],
) -> Diagnosis:
    """Say what was split, what was merged, and what it costs.

    Parameters
    ----------
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment`` or
        ``Contingency``.
    by : str, default "s_entropy"
        A measure that is a sum over the components of the join (see ``decompose``); its loss
        is what it lacks to the best value, for a distance its value.
    worst : int, default 20
        How many components, splits and merges are listed.
    items : bool or int, default False
        Also list ids of items of the worst components: the first 10 of a cell, or as many as
        said. What is left out is counted. Needs items: not a ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    Diagnosis
        ``str``, ``to_dict``, ``to_json`` and ``to_pandas`` give it in other forms.

    Raises
    ------
    ValueError
        ``by`` has no decomposition (those that have one are named); ``worst`` is negative.
    TypeError
        ``items`` on a table.

    Notes
    -----
    A component with one cluster on both sides is identical; with one reference cluster a pure
    split, with one candidate cluster a pure merge, else mixed. A few items astray can join
    everything to one mixed component. Where one holds most items and eight clusters or more,
    ``giant`` has its largest flows, and the components that it falls into without thin cells:
    those that are the largest of neither of their clusters and have less than a tenth of the
    items of one. O(cells); O(items) more where
    ids are asked for.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.diagnose([0, 0, 0, 1, 2, 2], ["p", "p", "q", "r", "r", "r"])
    >>> found.splits.worst[0].label, found.splits.worst[0].parts
    (0, [('p', 2), ('q', 1)])
    >>> [(one.kind, one.n_items, round(one.share, 3)) for one in found.worst]
    [('split', 3, 0.5), ('merge', 3, 0.5)]
    """
    measure = find(by)
    worst = _whole_number(worst, "worst")
    n_items = _listed_items(items)
    clusterings: Alignment | Contingency
    aligned = None
    if n_items is not None:
        clusterings = aligned = alignment_of(reference, candidate, policies, "diagnose(items=)")
    else:
        clusterings = clusterings_of(reference, candidate, policies, "diagnose")
    table = as_table(clusterings)
    parts = decompose(clusterings, measure=by)
    total_loss = _sum(parts.loss)
    join = components_of(table)
    components = component_table(table, join, parts.loss, total_loss)
    losses = cell_losses(clusterings, measure)
    splits, merges = broken_clusters(table, join, components, losses, total_loss, worst)
    return Diagnosis(
        by=measure.name,
        value=parts.value,
        loss=total_loss,
        account=table.account,
        shape=table.shape,
        n_cells=table.n_cells,
        components=components,
        splits=splits,
        merges=merges,
        worst=worst_components(table, join, components, worst, aligned, n_items or 0),
        giant=giant_of(table, join, worst),
        _table=table,
        _join=join,
        _losses=losses,
        _has_costs=losses is not None,
    )


def _whole_number(value: Any, option: str) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{option}={value!r} must be a whole number of at least 0")
    return int(value)


def _listed_items(items: Any) -> int | None:
    """Return how many items of a cell are listed, None for none."""
    if isinstance(items, (bool, np.bool_)):
        return LISTED_ITEMS if items else None
    return _whole_number(items, "items") or None
