"""Pictures of tables: the largest clusters as a heat map, sizes of components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.numbers.arrays import IntArray
from partwise.report.plots.distributions import draw_sizes
from partwise.report.plots.matrices import draw_matrix

if TYPE_CHECKING:
    from partwise.table.components import Components
    from partwise.table.contingency import Contingency


def draw_table(table: Contingency, most: int, ax: Any) -> Any:
    """Draw the largest clusters of a table; see ``Contingency.plot``."""
    if most < 1:
        raise ValueError(f"most={most!r} must be at least 1")
    rows, cols = (_largest(sizes, most) for sizes in (table.row_sizes, table.col_sizes))
    counts = table.to_scipy()[rows][:, cols].toarray()
    order = _matched(counts)
    counts, cols = counts[:, order], cols[order]
    shares = counts / table.row_sizes[rows][:, None]
    names = table.row_labels, table.col_labels
    left_out = [
        len(sizes) - len(kept)
        for sizes, kept in ((table.row_sizes, rows), (table.col_sizes, cols))
    ]
    notes = [f", {n} smaller ones left out" if n else "" for n in left_out]
    return draw_matrix(
        np.ma.masked_equal(100 * shares, 0),
        [names[0][i] for i in rows],
        [names[1][j] for j in cols],
        xlabel=f"candidate clusters in the order of their match{notes[1]}",
        ylabel=f"reference clusters by size{notes[0]}",
        unit="share of the reference cluster, %",
        shown="{:.0f}",
        lightest=0,
        darkest=100,
        ax=ax,
    )


def draw_components(components: Components, ax: Any) -> Any:
    """Draw the sizes of components; see ``Components.plot``."""
    return draw_sizes(
        {"components": np.asarray(components.sizes)},
        noun="components",
        xlabel="items of a component",
        ax=ax,
    )


def _largest(sizes: IntArray, most: int) -> IntArray:
    """Return the positions of the largest clusters, largest first."""
    order: IntArray = np.argsort(-sizes, kind="stable")[:most]
    return order


def _matched(counts: IntArray) -> list[int]:
    """Return columns in the order of the rows they are matched with, the others behind them."""
    from scipy.optimize import linear_sum_assignment

    rows, cols = linear_sum_assignment(counts, maximize=True)
    pairs = dict(zip(rows.tolist(), cols.tolist(), strict=True))
    ordered = [pairs[row] for row in range(len(counts)) if row in pairs]
    others = [col for col in range(counts.shape[1]) if col not in set(ordered)]
    return ordered + sorted(others, key=lambda col: int(counts[:, col].argmax()))
