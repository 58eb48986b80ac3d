"""How clusters split and merge from one clustering to the next."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise.labels.account import counted
from partwise.labels.items.several import named_clusterings
from partwise.numbers.arrays import IntArray
from partwise.report.json_documents import JsonResult, label_of
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular
from partwise.report.tables import pandas_module
from partwise.table.arguments import table_of
from partwise.typing import Column, Policies

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Tabular, JsonResult):
    """Flows of items between the clusters of neighbouring levels, each an edge.

    Attributes
    ----------
    names : list of str
        The levels, in the order of ``levels``.
    level : int64 array, shape (n_edges,)
        An edge goes from a cluster of this level to one of the next.
    source, target : list
        Labels of the two clusters.
    count : int64 array
        Items in both.
    source_size, target_size : int64 array
        Items of the clusters.
    source_share, target_share : float64 array
        ``count`` by the sizes: the share of the source that goes this way, and the share of the
        target that comes this way.
    """

    _schema: ClassVar[str] = "stability/1"

    names: list[str]
    level: IntArray
    source: list[Any]
    target: list[Any]
    count: IntArray
    source_size: IntArray
    target_size: IntArray

    @property
    def source_share(self) -> NDArray[np.float64]:
        """Share of the source cluster that goes to the target."""
        return self.count / self.source_size

    @property
    def target_share(self) -> NDArray[np.float64]:
        """Share of the target cluster that comes from the source."""
        return self.count / self.target_size

    def __len__(self) -> int:
        return len(self.level)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the edges as columns of plain values."""
        return {
            "from": [self.names[k] for k in self.level.tolist()],
            "to": [self.names[k + 1] for k in self.level.tolist()],
            "source": self.source,
            "target": self.target,
            "count": self.count.tolist(),
            "source_size": self.source_size.tolist(),
            "target_size": self.target_size.tolist(),
            "source_share": self.source_share.tolist(),
            "target_share": self.target_share.tolist(),
        }

    def heading(self) -> list[str]:
        """Return how many flows there are between how many levels."""
        return [f"{counted(len(self), 'flow')} of items between {len(self.names)} levels"]

    def table(self) -> Table:
        """Return the table of the flows."""
        columns = self.to_dict()
        return Table(tuple(columns), list(zip(*columns.values(), strict=True)), lead=4)

    def __str__(self) -> str:
        lines = [*self.heading(), "", self._by_level()]
        return "\n".join(lines)

    def _by_level(self) -> str:
        """Return a line for each pair of neighbouring levels."""
        rows = []
        for k, (above, below) in enumerate(pairwise(self.names)):
            here = self.level == k
            kept = self.source_share[here]
            edges = np.flatnonzero(here).tolist()
            clusters = [len({str(side[e]) for e in edges}) for side in self.ends]
            largest = float(kept.max(initial=0.0))
            rows.append((above, below, *clusters, len(edges), largest))
        head = ("from", "to", "clusters", "clusters after", "flows", "largest share")
        return Table(head, rows, lead=2).text()

    @property
    def ends(self) -> tuple[list[Any], list[Any]]:
        """Labels of both clusters of each flow."""
        return self.source, self.target

    def __repr__(self) -> str:
        return f"Stability({len(self.names)} levels, {counted(len(self), 'flow')})"

    def plot(self, path: str | None = None, *, least: float = 0.1, ax: Any = None) -> Any:
        """Draw the tree of resolutions: clusters of each level, and where their items go.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        least : float, default 0.1
            A flow is drawn if it brings this share of the items of its target, or its most.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.

        Raises
        ------
        ValueError
            A level has more than 60 clusters, which no picture shows.
        """
        from partwise.thresholds.plots.tree import draw

        return saved(draw(self, least, ax), path)

    def _document(self) -> dict[str, Any]:
        columns = self.to_dict()
        return {"names": self.names, "level": self.level.tolist(), **columns, "notes": []}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        columns: dict[str, Any] = {
            name: np.array(document[name], dtype=np.int64)
            for name in ("level", "count", "source_size", "target_size")
        }
        for name in ("source", "target"):
            columns[name] = [label_of(x) for x in document[name]]
        return cls(names=document["names"], **columns)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, an edge a line (needs ``partwise[frames]``)."""
        return pandas_module().DataFrame(self.to_dict())


def stability(levels: Column, **policies: Unpack[Policies]) -> Stability:
    """Return how clusters split and merge from one level to the next.

    Parameters
    ----------
    levels : mapping, data frame, 2-D array (a column each), or sequence
        Clusterings of the same items, by name or numbered: resolutions in order. They need not
        be nested.
    **policies
        See ``align``.

    Returns
    -------
    Stability
        One edge for each pair of clusters of neighbouring levels that share items, ordered by
        level, then by the two clusters: what a tree plot of resolutions draws.

    Raises
    ------
    ValueError
        Fewer than two levels, or items that do not agree (with the two levels).

    Notes
    -----
    One table per pair of neighbouring levels, O(items) each.

    Examples
    --------
    >>> import partwise as pw
    >>> flows = pw.stability({"coarse": [0, 0, 0, 1], "fine": [0, 0, 2, 1]})
    >>> list(zip(flows.source, flows.target, flows.count.tolist()))
    [(0, 0, 2), (0, 2, 1), (1, 1, 1)]
    >>> flows.source_share.round(2).tolist()
    [0.67, 0.33, 1.0]
    """
    named = named_clusterings(levels, "levels")
    names = list(named)
    if len(names) < 2:
        raise ValueError(
            f"stability compares neighbouring levels and needs two or more, not {len(names)}"
        )
    level, source, target = [], [], []
    counts, sources, targets = [], [], []
    for k in range(len(names) - 1):
        try:
            table = table_of(named[names[k]], named[names[k + 1]], policies, "stability")
        except (TypeError, ValueError) as error:
            raise type(error)(f"levels {names[k]!r} and {names[k + 1]!r}: {error}") from error
        level.append(np.full(table.n_cells, k, dtype=np.int64))
        rows, cols = np.asarray(table.row_labels), np.asarray(table.col_labels)
        source += rows[table.rows].tolist()
        target += cols[table.cols].tolist()
        counts.append(table.counts)
        sources.append(table.row_sizes[table.rows])
        targets.append(table.col_sizes[table.cols])
    parts = (np.concatenate(part) for part in (level, counts, sources, targets))
    numbers, count, source_size, target_size = parts
    return Stability(
        names=names,
        level=numbers,
        source=source,
        target=target,
        count=count,
        source_size=source_size,
        target_size=target_size,
    )
