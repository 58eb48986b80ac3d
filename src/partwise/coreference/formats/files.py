"""Bytes of files of documents, in pieces; faults with file, line and document."""

from __future__ import annotations

import io
import re
import sys
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from partwise.labels.files import compressed
from partwise.labels.files.sources import WIDE_MARKS, Source, decoded, kind_of
from partwise.labels.notes import Note

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = "-"
#: Bytes by which a file's line ends and encoding are told.
_HEAD = 1 << 18
_WIDE = tuple(mark for mark, _ in WIDE_MARKS)
_LONG_WORD = re.compile(r"\S{200,}")
#: Text of one line that begins so is no path.
_CONTENT = ("{", "[{", "#begin document")


class Notes:
    """How a file is being read: sentences with codes, and how often each applied."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        # where some sentences applied first
        self._first: dict[tuple[str, str], str] = {}
        # names that were given, by what they are names of, and those that documents have
        self._sought: dict[tuple[str, str], set[str]] = {}

    def tell(self, code: str, text: str) -> None:
        """Add a sentence that needs no count."""
        self._counts[code, text] += 0

    def count(self, code: str, text: str, times: int = 1, *, first: str = "") -> None:
        """Add a sentence that applied some times more; ``first`` is where at first."""
        self._counts[code, text] += times
        if first:
            self._first.setdefault((code, text), f" (the first: {first})")

    def look_for(self, what: str, name: str, there: Iterable[str]) -> None:
        """Add the names that a document has where one that was given is looked for."""
        self._sought.setdefault((what, name), set()).update(there)

    def check_names(self, path: str) -> None:
        """Raise ValueError where no document has a name that was given, but some have others.

        One document may well lack it, and where there are no others, nothing tells a mistake
        from a clustering of single mentions.
        """
        for (what, name), there in self._sought.items():
            if there and name not in there:
                raise fault(
                    *(Path(path), None, None),
                    f"no document has the {what} {name!r} (there are: "
                    f"{', '.join(sorted(there))}); name the one of entities with clusters=...",
                )

    def sentences(self) -> tuple[Note, ...]:
        """Return a note a sentence, in the order in which they came up."""
        return tuple(
            Note(code, (f"{text}: {times}" if times else text) + self._first.get(key, ""))
            for key, times in self._counts.items()
            for code, text in (key,)
        )


class HeldFile(type(Path())):  # type: ignore[misc]
    """The path of a pipe or of standard input whose bytes were read, once and whole."""

    content: bytes


def held(path: Path) -> Path:
    """Return a path; that of a pipe or of standard input ("-") holds its bytes."""
    if isinstance(path, HeldFile):
        return path
    if str(path) == STANDARD_INPUT:
        file = HeldFile("<standard input>")
        file.content = sys.stdin.buffer.read()
        return file
    if path.exists() and not path.is_file() and not path.is_dir():
        file = HeldFile(path)
        file.content = path.read_bytes()
        return file
    return path


def text_in_memory(source: str | Path | Sequence[str], name: str = "text") -> Path:
    """Return a path; text with line breaks, or a list of lines, as a file that holds it.

    Raises
    ------
    TypeError
        Neither a path nor text.
    """
    if isinstance(source, Path):
        return source
    if isinstance(source, str) and "\n" not in source and not source.startswith(_CONTENT):
        return Path(source)
    lines = [source] if isinstance(source, str) else source
    if isinstance(lines, bytes) or not isinstance(lines, Sequence):
        raise TypeError(
            f"a {type(source).__name__}; a path, text with line breaks or a list of lines is "
            "expected"
        )
    for at, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"line {at} is a {type(line).__name__}; text is expected")
    file = HeldFile(f"<{name}>")
    # lines of files that were read keep their line breaks, others have none
    file.content = "".join(
        line if line.endswith("\n") else f"{line}\n" for line in lines
    ).encode()
    return file


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a text that may be compressed, as bytes of UTF-8 in lines.

    UTF-16 and UTF-32 are told by their byte order mark; lines may end with a carriage return.

    Raises
    ------
    ValueError
        The bytes are no text, or damaged.
    """
    with compressed.opened(path, _bytes_held(path)) as file:
        head = file.read(_HEAD)
        file.seek(0)
        if _is_plain(head):
            yield file
        else:
            yield io.BytesIO(_as_plain(path, file.read()))


def _bytes_held(path: Path) -> bytes | None:
    return path.content if isinstance(path, HeldFile) else None


def _is_plain(head: bytes) -> bool:
    wide = head.startswith(_WIDE) or b"\0" in head
    return not wide and (b"\r" not in head or b"\n" in head)


def _as_plain(path: Path, data: bytes) -> bytes:
    if data.startswith(_WIDE) or b"\0" in data:
        data = decoded(path, data)[0].encode()
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def notes_on_text(path: Path) -> list[Note]:
    """Return what is to tell about a file's encoding and line ends, by how it begins."""
    with compressed.opened(path, _bytes_held(path)) as file:
        head = file.read(_HEAD)
        if _is_plain(head):
            return _notes_on_encoding(head)
        data = head + file.read()
    if data.startswith(_WIDE):
        return decoded(path, data)[1]
    return [Note("line-ends", "lines end with a carriage return alone")]


def _notes_on_encoding(head: bytes) -> list[Note]:
    """Return a note on the first byte that is no UTF-8."""
    try:
        getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError as error:
        line = 1 + head.count(b"\n", 0, error.start)
        return [Note("other-encoding", f"line {line}: {not_utf8(head[error.start])}")]
    return []


def source_of(path: Path) -> Source:
    """Return a path as the readers of tables take it."""
    return Source(path, _bytes_held(path))


def is_of_columns(path: Path) -> bool:
    """Return whether a file is one of arrays or columns: NumPy, parquet, feather, HDF5.

    Raises
    ------
    ValueError
        The file is of a kind that is not read; the text says which, and the way out.
    """
    source = source_of(path)
    with source.open() as file:
        head = file.read(64)
    kind = _kind_but_xml(source, head)
    if kind == "packed":
        with compressed.opened(path, source.data) as file:
            kind = _kind_but_xml(Source(path, b""), file.read(64))
    return kind not in ("text", "packed")


def _kind_but_xml(source: Source, head: bytes) -> str:
    return "text" if head.lstrip().startswith(b"<") else kind_of(source, head)


def stem_of(path: Path) -> str:
    """Return a file's name without its endings: what its one document is called."""
    return path.name.partition(".")[0] or path.name


def name_or_number(name: str, number: int, notes: Notes) -> str:
    """Return a document's name; one without is called by its number, which is told."""
    if name:
        return name
    notes.count("documents-named", "documents without a name, named by their number")
    return f"document {number}"


def fault(path: Path, line: int | None, document: str | None, what: str) -> ValueError:
    """Return the error for a fault in a file; lines count from 1.

    What is quoted of a damaged file may be long: its middle is left out.
    """
    where = f"{path}" if line is None else f"{path}:{line}"
    named = "" if document is None else f" document {_shortened(document, 120)!r}:"
    return ValueError(f"{where}:{named} {_shortened(what, 1200)}")


def _shortened(text: str, most: int) -> str:
    """Return a text without the middle of long words, and of itself where it is long."""
    text = _LONG_WORD.sub(lambda word: f"{word[0][:60]}[...]{word[0][-20:]}", text)
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} [...] {text[-half:]}"


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield lines with their numbers from 1, a byte order mark aside."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            yield number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def whole_documents(
    path: Path, markers: tuple[bytes, ...], size: int
) -> Iterator[tuple[bytes, int]]:
    """Yield pieces of a file that end with a marker line, and the number of their first line.

    Parameters
    ----------
    path : Path
    markers : tuple of bytes
        How lines begin that end a document.
    size : int
        Bytes to read at a time; a longer document makes a longer piece.
    """
    pieces: list[bytes] = []
    line = 1
    with opened(path) as file:
        chunk = file.read(size).removeprefix(BYTE_ORDER_MARK)
        while chunk:
            at = max(chunk.rfind(b"\n" + marker) for marker in markers)
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
        line += data.count(b"\n", 0, error.start)
        raise fault(path, line, document, not_utf8(data[error.start])) from error


def not_utf8(byte: int) -> str:
    """Return what to say of a byte that is no UTF-8."""
    return (
        f"not UTF-8 text (byte 0x{byte:02x}); convert it, for instance with "
        "iconv -f LATIN1 -t UTF-8"
    )
