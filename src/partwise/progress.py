"""A progress bar where rich is installed and one was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def track(items: Sequence[T], what: str, wanted: bool) -> Iterable[T]:
    """Return the items, with a bar on standard error if wanted and rich is there."""
    if not wanted:
        return items
    try:
        from rich.console import Console
        from rich.progress import track as bar
    except ModuleNotFoundError:
        return items
    console = Console(stderr=True)
    shown: Iterable[T] = bar(items, description=what, console=console, transient=True)
    return shown


@contextmanager
def rows_shown(
    what: str, total: int | None, wanted: bool
) -> Iterator[Callable[[int], None] | None]:
    """Show how many rows are done, how many a second, and how long the others will take.

    Yields what is to be called with the number of rows of each step; None where nothing is
    shown.
    """
    if not wanted:
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    except ModuleNotFoundError:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} rows, {task.fields[pace]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=total, pace="")

        def advance(rows: int) -> None:
            speed = shown.tasks[0].speed
            pace = "" if speed is None else f"{speed:,.0f} a second"
            shown.update(task, advance=rows, pace=pace)

        yield advance
