"""What a file is, by its content, and its bytes as text."""

from __future__ import annotations

import errno
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partwise.labels.files.compressed import (
    compression_of,
    only_member,
    opened,
    opened_archive,
)
from partwise.labels.notes import Note

#: Files with a mark of their own that are read, by how they begin.
_BINARY = (
    (b"\x93NUMPY", "npy"),
    (b"PAR1\x15", "parquet"),
    (b"ARROW1\x00\x00", "feather"),
    (b"\xff\xff\xff\xff", "feather"),
    (b"FEA1\x00", "feather"),
    (b"\x89HDF\r\n\x1a\n", "h5ad"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),
    (b"MM\x00+", "tiff"),
)

#: Files that are recognised and refused: how they begin, what they are, the way out.
_REFUSED = (
    (b"\xd0\xcf\x11\xe0", "an Excel file", "save the sheet as CSV"),
    (b"SQLite format 3\x00", "an SQLite database", "export the table as CSV"),
    (b"%PDF-", "a PDF file", "export the table as CSV"),
    (b"RDX2\n", "a file of R objects", "write it with write.csv"),
    (b"RDX3\n", "a file of R objects", "write it with write.csv"),
    (b"X\n\x00\x00\x00", "a file of R objects (rds)", "write it with write.csv"),
    (b"\x80\x02", "a Python pickle", "write the labels as text or .npy"),
    (b"\x80\x03", "a Python pickle", "write the labels as text or .npy"),
    (b"\x80\x04", "a Python pickle", "write the labels as text or .npy"),
    (b"\x80\x05", "a Python pickle", "write the labels as text or .npy"),
    (b"<?xml", "an XML file", "write a table of items and labels"),
    (b"<graphml", "a GraphML file", "write a table of nodes and labels"),
    (b"<!DOCTYPE", "an HTML file", "write the table as CSV"),
    (b"<html", "an HTML file", "write the table as CSV"),
    (b"Obj\x01", "an Avro file", "write it as parquet"),
)

#: How files of coreference begin whose text could be taken for a table.
_COREFERENCE = (b"#begin document", b"# newdoc", b"# global.Entity")

WIDE_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class IdleOptionError(ValueError):
    """Options would do nothing for a file of this format."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        super().__init__(text)
        self.names = tuple(names)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file, or what was read before from a pipe.

    Attributes
    ----------
    path : Path
        How messages call it.
    data : bytes or None
        The content of a pipe, which cannot be read twice.
    """

    path: Path
    data: bytes | None = None

    def open(self) -> Any:
        """Open the bytes as they are."""
        return self.path.open("rb") if self.data is None else io.BytesIO(self.data)


def source_of(path: str | Path | Source) -> Source:
    """Return a path as a source; a pipe is read."""
    if isinstance(path, Source):
        return path
    path = Path(path)
    if path.is_file() or path.is_dir() or not path.exists():
        return Source(path)
    return Source(path, path.read_bytes())


def content_of(source: Source) -> tuple[str, bytes | None, list[Note]]:
    """Return what a file is by its content, its bytes where it is text, and notes.

    Returns
    -------
    kind : {"text", "npy", "npz", "parquet", "feather", "h5ad", "tiff", "folder"}
    data : bytes or None
        Decompressed, where the file is text or is compressed.

    Raises
    ------
    ValueError
        The file is of a kind that is not read; the text says which, and the way out.
    """
    path = source.path
    if path.is_dir():
        return "folder", None, []
    with source.open() as file:
        head = file.read(64)
    kind = kind_of(source, head)
    if kind not in ("text", "packed"):
        return kind, source.data, []
    if kind == "packed":
        with opened(path, source.data) as file:
            data = file.read()
    else:
        data = path.read_bytes() if source.data is None else source.data
    notes = []
    if kind == "packed":
        kind = kind_of(Source(path, data), data[:64])
        if kind == "packed":
            raise ValueError(f"{path}: compressed twice; unpack it once")
    elif path.suffix.lower() in (".gz", ".bz2", ".xz", ".zst"):
        notes = [Note("kind-by-content", "the file is not compressed, against its ending")]
    return kind, data, notes


def text_of(source: Source, expected: str) -> str:
    """Return the text of a file, unpacked where it is compressed.

    Raises
    ------
    ValueError
        The file is no text; the message says what is ``expected``.
    """
    kind, data, _ = content_of(source)
    if kind == "folder":
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(source.path))
    if kind != "text" or data is None:
        raise ValueError(f"{source.path}: this is a {kind} file; {expected}")
    return decoded(source.path, data)[0]


def kind_of(source: Source, head: bytes) -> str:
    """Return what a file that begins so is: as ``content_of``, "packed" where compressed."""
    for mark, kind in _BINARY:
        if head.startswith(mark):
            return kind
    for mark, what, way_out in _REFUSED:
        if head.startswith(mark):
            raise ValueError(f"{source.path}: this is {what}; {way_out}")
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_archive(source)
    return "text" if compression_of(head) is None else "packed"


class CoreferenceFileError(ValueError):
    """Text that holds documents with mentions, no labels."""


def refuse_coreference(path: Path, data: bytes | None) -> None:
    """Raise CoreferenceFileError for text that holds documents with mentions, no labels."""
    if data is not None and data.startswith(_COREFERENCE):
        raise CoreferenceFileError(
            f"{path}: this is a file of coreference; partwise coref (partwise.coreference) "
            "scores those"
        )


def _kind_of_archive(source: Source) -> str:
    path = source.path
    try:
        with source.open() as file, opened_archive(file) as archive:
            names = archive.namelist()
            if all(name.endswith(".npy") for name in names):
                return "npz"
            if any(name.startswith("xl/") for name in names):
                raise ValueError(f"{path}: this is an Excel file; save the sheet as CSV")
            if "mimetype" in names:
                raise ValueError(f"{path}: this is an OpenDocument file; save the sheet as CSV")
            only_member(path, archive)
    except (NotImplementedError, zipfile.BadZipFile) as error:
        if path.suffix.lower() == ".npz":
            return "npz"  # whose reader says what is wrong
        raise ValueError(f"{path}: damaged compressed file ({error})") from error
    return "packed"


def decoded(path: Path, data: bytes) -> tuple[str, list[Note]]:
    """Return bytes as text, and a note where it is not UTF-8.

    Raises
    ------
    ValueError
        The bytes are no text: UTF-16 without a mark, NUL, or another encoding.
    """
    for mark, name in WIDE_MARKS:
        if data.startswith(mark):
            try:
                text = data.decode(name.lower())
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{path}: begins with the byte order mark of {name} but is not "
                    f"{name} text ({error.reason}); it is not UTF-8 text either"
                ) from error
            if "\0" in text:
                raise ValueError(
                    f"{path}:{_line_at(text, text.index(chr(0)))}: a NUL character; labels "
                    "are text without it"
                )
            return text, [Note("encoding", f"read as {name}, by its byte order mark")]
    if 0 in data:
        _refuse_nul(path, data)
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}:{line}: not UTF-8 text (byte 0x{data[error.start]:02x}); convert it, for "
            "instance with iconv -f LATIN1 -t UTF-8"
        ) from error


def _line_at(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _refuse_nul(path: Path, data: bytes) -> None:
    start = data[:4096]
    zeros = [start[parity::2].count(0) * 3 > len(start[parity::2]) for parity in (0, 1)]
    if zeros[0] != zeros[1]:
        name = "UTF-16BE" if zeros[0] else "UTF-16LE"
        raise ValueError(
            f"{path}: {name} text without a byte order mark; convert it with "
            f"iconv -f {name} -t UTF-8"
        )
    line = data.count(b"\n", 0, data.index(0)) + 1
    raise ValueError(f"{path}:{line}: a NUL byte; this is not a text file")
