"""Files that may be compressed; their content says so, not their ending."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

#: Endings by which files are written compressed.
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
#: By what a file of that ending is written: without the buffer of ``gzip.GzipFile``, which
#: complains where it is thrown away because a disk is full.
COMPRESSORS: dict[str, Callable[[], Any]] = {
    ".gz": lambda: zlib.compressobj(wbits=31),
    ".bz2": bz2.BZ2Compressor,
    ".xz": lzma.LZMACompressor,
}

#: Endings of compressed files that are read.
ENDINGS = (*OPENERS, ".zst", ".zip")

# a bzip2 stream begins with its level and the mark of a block, or of the end
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")


#: Bytes that a compressed file may have beyond ``MOST_TIMES`` its size: text shrinks to a
#: twentieth, so what grows far more was made to fill the memory of its reader.
MOST_BYTES = 1 << 30
MOST_TIMES = 200


class _Measured(io.RawIOBase):
    """The content of a compressed file, which ends with an error where it grows too much."""

    def __init__(self, path: Path, content: Any, most: int) -> None:
        self._path, self._content, self._most = path, content, most

    @classmethod
    def of(cls, path: Path, content: Any, file: Any) -> BinaryIO:
        """Return the content of a file that is open."""
        at = file.tell()
        size = file.seek(0, io.SEEK_END)
        file.seek(at)
        most = max(MOST_BYTES, MOST_TIMES * size)
        return io.BufferedReader(cls(path, content, most), 1 << 16)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return int(self._content.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._content.seek(offset, whence))

    def readinto(self, buffer: Any) -> int:
        count = int(self._content.readinto(buffer))
        if self._content.tell() > self._most:
            raise ValueError(
                f"{self._path}: the compressed file grows to more than {self._most} bytes and "
                f"more than {MOST_TIMES} times its size; unpack it first if it is meant so"
            )
        return count


def compression_of(head: bytes) -> str | None:
    """Return how a file that begins so is compressed: "gz", "bz2", "xz", "zst" or None."""
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    if _BZIP2.match(head):
        return "bz2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    return "zst" if head.startswith(b"\x28\xb5\x2f\xfd") else None


@contextmanager
def opened(path: Path, data: bytes | None = None) -> Iterator[BinaryIO]:
    """Open a file that may be compressed (gz, bz2, xz, zst, or a zip of one file).

    Parameters
    ----------
    path : Path
        A pipe is read whole, and once.
    data : bytes, optional
        The content, where it was read before.
    """
    try:
        with path.open("rb") if data is None else io.BytesIO(data) as file:
            if not file.seekable():
                file = io.BytesIO(file.read())
            head = file.read(16)
            file.seek(0)
            with _decompressed(path, file, head) as content:
                yield content if content is file else _Measured.of(path, content, file)
    except (
        EOFError,
        NotImplementedError,  # a zip archive of a version or a compression that is not known
        gzip.BadGzipFile,
        lzma.LZMAError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ValueError(f"{path}: damaged compressed file ({error})") from error
    except OSError as error:
        if error.errno is None:  # bz2 says so
            raise ValueError(f"{path}: damaged compressed file ({error})") from error
        raise


def opened_archive(file: Any) -> zipfile.ZipFile:
    """Open a zip archive.

    Raises
    ------
    zipfile.BadZipFile
        It is damaged, or a name in it is not in the encoding that it claims.
    """
    try:
        return zipfile.ZipFile(file)
    except UnicodeDecodeError as error:
        raise zipfile.BadZipFile(f"a name in it is no UTF-8: {error.object!r}") from error


def _decompressed(path: Path, file: Any, head: bytes) -> Any:
    kind = compression_of(head)
    if kind == "zst":
        return _zstandard(path, file)
    if kind is not None:
        opener: Any = OPENERS[f".{kind}"]
        return opener(file, "rb")
    if head.startswith(b"PK\x03\x04"):
        archive = opened_archive(file)
        return archive.open(only_member(path, archive))
    return file


def only_member(path: Path, archive: zipfile.ZipFile) -> str:
    """Return the name of the one file that an archive holds."""
    names = [
        name
        for name in archive.namelist()
        if not name.endswith("/") and not name.startswith("__MACOSX/")
    ]
    if len(names) != 1:
        raise ValueError(
            f"{path}: a zip archive of {len(names)} files; unpack it and name one of them"
        )
    return names[0]


def _zstandard(path: Path, file: Any) -> Any:
    try:
        import zstandard
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading zst needs zstandard: pip install zstandard",
            name="zstandard",
        ) from error
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    pieces = []
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    left = max(MOST_BYTES, MOST_TIMES * size) + 1
    try:
        while left > 0 and (piece := reader.read(min(left, 1 << 20))):
            pieces.append(piece)
            left -= len(piece)
    except zstandard.ZstdError as error:
        raise ValueError(f"{path}: damaged compressed file ({error})") from error
    return io.BytesIO(b"".join(pieces))  # one byte too many is refused where it is read
