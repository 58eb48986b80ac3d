"""Empty matplotlib figures, made without pyplot, so that no window and no state is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float = 6.4, height: float = 4.2) -> Figure:
    """Return an empty figure of that many inches; save it with ``savefig``.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "drawing needs matplotlib, which is not installed; "
            "install partwise[plot], or use the table"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")
