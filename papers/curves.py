"""Curves of measures, in the same colour for the same measure in every figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from papers.figures import new_figure
from papers.table import ExperimentTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that stay apart for colour-blind readers, and markers.
STYLES: dict[str, tuple[str, str]] = {
    "ARI": ("#0072b2", "o"),
    "NMI": ("#009e73", "s"),
    "NVD": ("#e69f00", "^"),
    "CH": ("#cc79a7", "v"),
    "Purity": ("#8c6d31", "x"),
    "PSI": ("#d62728", "D"),
    "VI": ("#56b4e9", "P"),
    "Rand": ("#7f7f7f", "*"),
    "CC": ("#6a3d9a", "h"),
    "CC by size": ("#b39ddb", "H"),
    "1 - A": ("#e69f00", "^"),
    "CSS": ("#1b7837", "d"),
    "V": ("#000000", "p"),
    "Q2": ("#a6761d", "X"),
    "S_H": ("#8b0000", "o"),
    "S'_H": ("#f4a582", "o"),
    "NVI": ("#b15928", "<"),
    "NVIK": ("#e377c2", ">"),
    "jaccard": ("#0072b2", "o"),
    "braun_banquet": ("#d62728", "D"),
    "sorensen_dice": ("#009e73", "s"),
}
# Measures of the split-merge paper that the others call otherwise; its V is a similarity by VI.
SPLIT_MERGE_NAMES = {"R": "Rand", "A": "CH", "N": "NVD", "V": "VI"}
# Curves that often coincide lie as bands of falling width over one another.
_WIDTHS = {"NVD": 5.0, "CH": 3.2, "jaccard": 4.0}


def style_of(name: str) -> dict[str, Any]:
    """Return colour, marker and width of a measure's curve; ``"VI hard"`` looks like VI."""
    colour, marker = STYLES.get(name) or STYLES[name.partition(" ")[0]]
    return {"color": colour, "marker": marker, "linewidth": _WIDTHS.get(name, 1.6)}


def plot_curves(
    axes: Axes,
    table: ExperimentTable,
    x: str,
    names: Sequence[str],
    *,
    labels: Sequence[str] | None = None,
    line: str = "-",
) -> None:
    """Draw columns against the column ``x``; at most a dozen markers a curve, staggered.

    Parameters
    ----------
    axes : matplotlib Axes
    table : ExperimentTable
    x : str
        The column of the abscissa.
    names : sequence of str
        Columns to draw, each with a style of its own in ``STYLES``.
    labels : sequence of str, optional
        Their names in the legend, where those of the columns will not do.
    line : str, default ``"-"``
        The style of the lines.
    """
    positions = table.column(x)
    every = max(1, -(-len(positions) // 12))
    for k, name in enumerate(names):
        start = (k * every) // len(names)
        axes.plot(
            positions,
            table.column(name),
            label=name if labels is None else labels[k],
            linestyle=line,
            markersize=5,
            markevery=(start, every),
            alpha=0.85,
            **style_of(name),
        )


def draw_curves(
    table: ExperimentTable, x: str, names: Sequence[str], x_label: str, y_label: str
) -> Figure:
    """Return a figure of columns against one column, the legend beside the axes."""
    figure = new_figure(7.0, 4.0)
    axes = figure.add_subplot()
    plot_curves(axes, table, x, names)
    finish(axes, x_label, y_label)
    axes.set_title(table.title, fontsize=10)
    if all(isinstance(value, int) for value in table.column(x)):
        axes.locator_params(axis="x", integer=True)
    figure.legend(loc="outside right center", frameon=False)
    return figure


def plot_labels(axes: Axes, points: NDArray[Any], labels: NDArray[Any], title: str) -> None:
    """Draw points of the plane, coloured by label, under a title.

    Parameters
    ----------
    axes : matplotlib Axes
    points : ndarray of shape (n, 2)
    labels : ndarray of shape (n,)
        Integers from 0 to 9.
    title : str
    """
    axes.scatter(points[:, 0], points[:, 1], c=labels, cmap="tab10", s=3, vmin=0, vmax=9)
    axes.set_aspect("equal")
    axes.set_title(title, fontsize=9)


def panels_of_points(figure: Figure, rows: int, columns: int) -> list[Axes]:
    """Return panels for ``plot_labels`` with common axes, named at the outer edges."""
    grid = figure.subplots(rows, columns, sharex="row", sharey="row", squeeze=False)
    for axes in grid[-1]:
        axes.set_xlabel("x")
    for axes in grid[:, 0]:
        axes.set_ylabel("y")
    return list(grid.ravel())


def finish(axes: Axes, x_label: str, y_label: str) -> None:
    """Name the axes, add a light grid."""
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def plot_bars(axes: Axes, table: ExperimentTable, x: str, names: Sequence[str]) -> None:
    """Draw columns as a group of bars a row, named by the column ``x``.

    Parameters
    ----------
    axes : matplotlib Axes
    table : ExperimentTable
    x : str
        The column of the groups' names.
    names : sequence of str
        Columns to draw, each with a style of its own in ``STYLES``.
    """
    positions = range(len(table.rows))
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        at = [position + width * (k - (len(names) - 1) / 2) for position in positions]
        axes.bar(at, table.column(name), width=width, label=name, color=STYLES[name][0])
    axes.set_xticks(positions, [str(value) for value in table.column(x)])
