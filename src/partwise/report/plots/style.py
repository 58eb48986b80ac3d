"""What all pictures have in common: axes, colours that differ in grey, legends, files."""

from __future__ import annotations

from typing import Any

#: Colours of falling lightness, dashes and markers: lines differ without colour.
COLORS = ("#0b3c5d", "#c8553d", "#3a7d44", "#8f6bb3", "#b8860b")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v")
#: Lines of one picture that can be told apart.
MOST_LINES = len(COLORS)
#: Colours of amounts, light to dark; of text and of lines of help.
AMOUNTS, INK, FAINT = "Greys", "#222222", "#9a9a9a"


def new_axes(ax: Any = None, size: tuple[float, float] = (6.4, 4.0), panels: int = 1) -> Any:
    """Return the axes to draw on: those that are passed, or those of a new figure.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
    size : pair of float
        Inches of the new figure.
    panels : int
        Axes below each other; of several, a list is returned.
    """
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ModuleNotFoundError(
            "drawing needs matplotlib: pip install matplotlib", name="matplotlib"
        ) from error
    figure = Figure(figsize=size, layout="constrained")
    if panels == 1:
        return figure.add_subplot()
    return list(figure.subplots(panels, 1, sharex=True))


def plain(ax: Any, *, grid: str = "both") -> None:
    """Take away the upper and right border; light lines behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    if grid:
        ax.grid(axis=grid, color="#e3e3e3", linewidth=0.6)
    ax.set_axisbelow(True)


def legend_outside(ax: Any, **options: Any) -> None:
    """Put the legend to the right of the axes."""
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        ax.legend(
            handles,
            labels,
            loc="upper left",
            bbox_to_anchor=(1.01, 1.0),
            frameon=False,
            fontsize="small",
            **options,
        )


def plain_numbers(axis: Any) -> None:
    """Let a logarithmic axis show 1, 2, 5, 10, ... as plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axis.set_minor_formatter(NullFormatter())


def shortened(text: Any, longest: int = 24) -> str:
    """Return a label as text; long ones lose their middle."""
    line = " ".join(str(text).split())
    if len(line) <= longest:
        return _literal(line)
    kept = longest - 1
    return _literal(
        f"{line[: kept // 2]}\N{HORIZONTAL ELLIPSIS}{line[len(line) - (kept - kept // 2) :]}"
    )


def _literal(text: str) -> str:
    """Return text in which no sign begins a formula."""
    return text.replace("$", r"\$")


def saved(ax: Any, path: str | None) -> Any:
    """Save the figure of axes where a path is given, and return the axes."""
    if path is not None:
        ax.figure.savefig(path, dpi=150, bbox_inches="tight")
    return ax
