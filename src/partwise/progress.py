"""A progress bar where rich is installed and one was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
