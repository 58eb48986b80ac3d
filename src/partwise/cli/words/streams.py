"""Standard input, output and error, where whoever called has closed them."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any, NoReturn


class ClosedStream(io.TextIOBase):
    """A standard stream that is closed: whoever needs it is told so."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def buffer(self) -> ClosedStream:
        """The stream of bytes, which is closed, too."""
        return self

    def read(self, size: int | None = -1, /) -> NoReturn:
        """Raise OSError."""
        self._refuse()

    def write(self, text: Any, /) -> NoReturn:
        """Raise OSError."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise OSError(errno.EBADF, f"{self._name} is closed")


def open_streams() -> None:
    """Put something in the place of standard streams that are closed, which Python has as None.

    Without standard error, what goes there is dropped, and does not go to standard output.
    """
    if sys.stdin is None:
        sys.stdin = ClosedStream("standard input")
    if sys.stdout is None:
        sys.stdout = ClosedStream("standard output")
    if sys.stderr is None:
        sys.stderr = io.StringIO()
