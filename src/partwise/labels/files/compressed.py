"""Files that may be compressed, by their ending."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file that may be compressed (gz, bz2, xz, by its ending)."""
    opener: Any = OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise ValueError(f"{path}: damaged compressed file ({error})") from error
    except OSError as error:
        if error.errno is None:  # bz2 says so
            raise ValueError(f"{path}: damaged compressed file ({error})") from error
        raise
