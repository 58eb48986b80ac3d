"""How clusters split and merge from one clustering to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray
from partwise.report.tables import pandas_module
from partwise.scoring.compare import named_clusterings
from partwise.table.arguments import table_of
from partwise.typing import Column, Policies

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
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
