"""Plain arrays from .npy and .npz files; whatever is wrong with one is a ValueError."""

from __future__ import annotations

import lzma
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: What NumPy and the archive under it raise where bytes are not what they should be.
DAMAGED = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,  # a header that claims an absurd shape
    OSError,
    RuntimeError,  # an archive that claims to be encrypted, an unknown compression
    SyntaxError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name (a lone .npy array is "1")."""
    with path.open("rb") as file:  # a missing file is an OSError of its own
        try:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return {"1": loaded}
            with loaded:
                arrays = {name: loaded[name] for name in loaded.files}
        except DAMAGED as error:
            raise ValueError(
                f"{path}: no NumPy file of plain arrays, or a damaged one "
                f"({type(error).__name__})"
            ) from error
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError(f"{path}: holds something else than plain arrays")
    return arrays
