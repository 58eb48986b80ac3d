"""Bytes of files of documents, in pieces; faults with file, line and document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from partwise.labels.files.compressed import opened

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Notes = Counter[str]


def fault(path: Path, line: int | None, document: str | None, what: str) -> ValueError:
    """Return the error for a fault in a file; lines count from 1."""
    where = f"{path}" if line is None else f"{path}:{line}"
    named = "" if document is None else f" document {document!r}:"
    return ValueError(f"{where}:{named} {what}")


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield lines with their numbers from 1, a byte order mark aside."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            yield number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def whole_documents(path: Path, marker: bytes, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield pieces of a file that end with a marker line, and the number of their first line.

    Parameters
    ----------
    path : Path
    marker : bytes
        How a line begins that ends a document.
    size : int
        Bytes to read at a time; a longer document makes a longer piece.
    """
    pieces: list[bytes] = []
    line = 1
    with opened(path) as file:
        chunk = file.read(size).removeprefix(BYTE_ORDER_MARK)
        while chunk:
            at = chunk.rfind(b"\n" + marker)
            end = chunk.find(b"\n", at + 1) + 1 if at >= 0 else 0
            if end:
                data = b"".join([*pieces, chunk[:end]])
                yield data, line
                line += data.count(b"\n")
                pieces = []
            pieces.append(chunk[end:])
            chunk = file.read(size)
    rest = b"".join(pieces)
    if rest:
        yield (rest if rest.endswith(b"\n") else rest + b"\n"), line


def text_of(data: bytes, path: Path, line: int, document: str | None = None) -> str:
    """Return bytes as text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise fault(path, line, document, f"not UTF-8 text ({error})") from error
