"""How far long work is: one line on a terminal, written over as it goes, gone at the end."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any, TextIO, TypeVar

T = TypeVar("T")

#: Seconds before a line appears, between two of its texts at least, and at most.
FIRST, EVERY, TICK = 0.5, 0.1, 0.2


class Line:
    """The last line of a terminal, which the texts of progress share.

    Parameters
    ----------
    stream : text stream
        What it is written to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._texts: list[Callable[[], str]] = []
        self._begun, self._last = monotonic(), 0.0
        self._width = 0
        self._held = False
        self._lock = RLock()

    @contextmanager
    def showing(self, text: Callable[[], str]) -> Iterator[None]:
        """Show what ``text`` returns until the end, instead of what was shown before."""
        with self._lock:
            self._texts.append(text)
            self.refresh()
        try:
            yield
        finally:
            with self._lock:
                self._texts.remove(text)
                self._wipe()

    def refresh(self) -> None:
        """Write the text of now, where the last one is old enough."""
        with self._lock:
            now = monotonic()
            early = now - self._begun < FIRST or now - self._last < EVERY
            if early or self._held or not self._texts:
                return
            self._last = now
            text = self._texts[-1]()[: shutil.get_terminal_size().columns - 1]
            self._stream.write(f"\r{text:<{self._width}}")
            self._stream.flush()
            self._width = len(text)

    def _wipe(self) -> None:
        if self._width:
            self._stream.write(f"\r{'':<{self._width}}\r")
            self._stream.flush()
            self._width = 0

    def write_above(self, stream: TextIO, text: str) -> int:
        """Write other text to the terminal, on a clean line; wait until it ends its own."""
        with self._lock:
            self._wipe()
            if text:
                self._held = not text.endswith("\n")
            return stream.write(text)


class Above:
    """A stream of the terminal whose text goes above the line of progress."""

    def __init__(self, stream: TextIO, line: Line) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        """Write text on a clean line."""
        return self._line.write_above(self._stream, text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


#: The line that a command has on its terminal, while it runs.
_line: Line | None = None


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say on the terminal of standard error what runs, and for how long; nothing elsewhere.

    What is written to the terminal in between stands above the line.
    """
    global _line
    terminal = sys.stderr
    if _line is not None or not terminal.isatty():
        yield
        return
    line = Line(terminal)
    over, begun = Event(), monotonic()

    def tick() -> None:
        while not over.wait(TICK):
            line.refresh()

    streams = sys.stdout, sys.stderr
    ticking = Thread(target=tick, daemon=True)
    _line = line
    try:
        sys.stderr = Above(streams[1], line)
        if streams[0].isatty():
            sys.stdout = Above(streams[0], line)
        with line.showing(lambda: f"{what}, {_spoken(monotonic() - begun)}"):
            ticking.start()
            yield
    finally:
        over.set()
        _line = None
        sys.stdout, sys.stderr = streams
        if ticking.is_alive():
            ticking.join()


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Name a part of what ``working`` shows; nothing without it."""
    if _line is None:
        yield
        return
    begun = monotonic()
    with _line.showing(lambda: f"{what}, {_spoken(monotonic() - begun)}"):
        yield


def track(items: Sequence[T], what: str, wanted: bool) -> Iterable[T]:
    """Return the items; if wanted, the terminal shows how many are done and the time left."""
    return _tracked(items, what) if wanted and _is_shown() else items


def _tracked(items: Sequence[T], what: str) -> Iterator[T]:
    line = Line(sys.stderr) if _line is None else _line
    done, begun = 0, monotonic()

    def text() -> str:
        left = _left(done, len(items), monotonic() - begun)
        return f"{what}: {done:,} of {len(items):,}{left}"

    with line.showing(text):
        for item in items:
            yield item
            done += 1
            line.refresh()


@contextmanager
def rows_shown(
    what: str, total: int | None, wanted: bool
) -> Iterator[Callable[[int], None] | None]:
    """Show how many rows are done, how many a second, and how long the others will take.

    Yields what is to be called with the number of rows of each step; None where nothing is
    shown.
    """
    if not wanted or not _is_shown():
        yield None
        return
    line = Line(sys.stderr) if _line is None else _line
    done, begun = 0, monotonic()

    def text() -> str:
        elapsed = monotonic() - begun
        pace = f", {done / elapsed:,.0f} a second" if elapsed and done else ""
        return f"{what}: {done:,} rows{pace}{_left(done, total, elapsed)}"

    def advance(rows: int) -> None:
        nonlocal done
        done += rows
        line.refresh()

    with line.showing(text):
        yield advance


def _is_shown() -> bool:
    """Return whether standard error is a terminal or a notebook, where a line can be seen."""
    in_notebook = type(sys.stderr).__module__.startswith("ipykernel.")
    return _line is not None or in_notebook or sys.stderr.isatty()


def _left(done: int, total: int | None, elapsed: float) -> str:
    """Return the share that is done and the time that the rest will take, if that is known."""
    if not total:
        return ""
    share = f", {min(done / total, 1):.0%}"
    rest = elapsed / done * (total - done) if done else 0.0
    return f"{share}, {_spoken(rest)} left" if rest > 0 else share


def _spoken(seconds: float) -> str:
    rounded = int(seconds)
    if rounded < 60:
        return f"{rounded} s"
    return f"{rounded // 60}:{rounded % 60:02} min"
