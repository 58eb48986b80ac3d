"""Arrays from .npy, .npz and .tif files; whatever is wrong with one is a ValueError."""

from __future__ import annotations

import lzma
import struct
import sys
import tokenize
import zipfile
import zlib
from os import SEEK_CUR
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from partwise.labels.files.sources import IdleOptionError, Source
from partwise.labels.files.table import Table, table_of
from partwise.labels.notes import flattened

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
#: By the number that says which kind of TIFF it is: types of an offset and of the count of tags
#: of a page, and bytes of a tag.
_KINDS = {42: ("I", "H", 12), 43: ("Q", "Q", 20)}


def load_arrays(path: Path, source: Source | None = None) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name (a lone .npy array is "1").

    Parameters
    ----------
    path : Path
    source : Source, optional
        Where the content comes from, if not from the file of that path.
    """
    with (source or Source(path)).open() as file:  # a missing file is an OSError of its own
        try:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                arrays = {"1": loaded}
            else:
                with loaded:
                    arrays = {name: loaded[name] for name in loaded.files}
        except DAMAGED as error:
            raise no_arrays(path, error) from error
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError(f"{path}: holds something else than plain arrays")
    if any(_is_beyond_unicode(array) for array in arrays.values()):
        raise ValueError(
            f"{path}: text with numbers above {sys.maxunicode:#x}, where Unicode ends; the "
            "file is damaged"
        )
    return arrays


def no_arrays(path: Path, error: BaseException) -> ValueError:
    """Return the error for a file of which NumPy says that it loads or maps no arrays."""
    if "Object arrays" in str(error) or "Python objects" in str(error):
        return ValueError(
            f"{path}: an array of Python objects, which is not read; save the labels as "
            "numbers or text (array.astype(str))"
        )
    return ValueError(
        f"{path}: no NumPy file of plain arrays, or one that is damaged or cut off "
        f"({type(error).__name__})"
    )


def _is_beyond_unicode(array: NDArray[Any]) -> bool:
    """Return whether an array, or a field of it, holds as text what Python cannot."""
    kind = array.dtype
    if kind.names is not None:
        return any(_is_beyond_unicode(array[name]) for name in kind.names)
    if kind.kind != "U" or array.size == 0 or kind.itemsize == 0:
        return False
    text = np.ascontiguousarray(array).reshape(-1)
    points = text.view(np.dtype(np.uint32).newbyteorder(kind.byteorder))
    return int(points.max()) > sys.maxunicode


def shape_of_volume(path: Path) -> tuple[int, ...] | None:
    """Return the shape of a .npy file of three dimensions or more, by its first bytes.

    None for any other file, and for a pipe, whose bytes can be read once.
    """
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            header = {(1, 0): np.lib.format.read_array_header_1_0}.get(
                version, np.lib.format.read_array_header_2_0
            )(file)
    except (OSError, *DAMAGED):
        return None
    shape: tuple[int, ...] = header[0]
    return shape if len(shape) > 2 else None


def read_arrays(source: Source, flatten: bool) -> Table:
    """Return the columns of an array of two dimensions, its fields, or an archive's arrays."""
    arrays = load_arrays(source.path, source)
    if len(arrays) == 1 and next(iter(arrays.values())).dtype.names:
        (array,) = arrays.values()
        arrays = {name: array[name] for name in array.dtype.names or ()}
    if flatten and all(array.ndim == 1 for array in arrays.values()):
        text = "flatten= would do nothing for one label per element; leave it out"
        raise IdleOptionError(f"{source.path}: {text}", ["flatten"])
    if flatten:
        arrays = {name: array.ravel(order="C") for name, array in arrays.items()}
    elif len(arrays) == 1:
        (array,) = arrays.values()
        if array.ndim == 2:
            arrays = {str(j + 1): array[:, j] for j in range(array.shape[1])}
        elif array.ndim != 1:
            raise ValueError(
                f"{source.path}: an array of shape {array.shape}; one label per element is "
                "read with flatten=True"
            )
    return table_of(str(source.path), list(arrays), dict(enumerate(arrays.values())))


def _check_pages(content: BinaryIO) -> None:
    """Raise if the pages of an image follow each other without end: tifffile would go on."""
    start = content.read(16)
    content.seek(0)
    order = {b"II": "<", b"MM": ">"}.get(start[:2])
    if order is None or len(start) < 16:
        return  # tifffile says what is wrong
    kind = _KINDS.get(struct.unpack_from(f"{order}H", start, 2)[0])
    if kind is None:
        return
    of_offset, of_count, tag = kind
    first = 4 if of_offset == "I" else 8
    size = struct.calcsize(of_offset)
    (offset,) = struct.unpack_from(order + of_offset, start, first)
    pages: dict[int, int] = {}
    while offset:
        if offset in pages:
            raise ValueError(
                f"page {pages[offset]} comes again after page {len(pages)}, without end"
            )
        pages[offset] = len(pages) + 1
        content.seek(offset)
        count = content.read(struct.calcsize(of_count))
        if len(count) < struct.calcsize(of_count):
            break
        content.seek(struct.unpack(order + of_count, count)[0] * tag, SEEK_CUR)
        following = content.read(size)
        if len(following) < size:
            break
        (offset,) = struct.unpack(order + of_offset, following)
    content.seek(0)


def read_tiff(source: Source) -> Table:
    """Return the one column of an image of labels, whose pages are the slices of a volume.

    Raises
    ------
    ModuleNotFoundError
        tifffile is not installed; the text names the extra.
    ValueError
        The image has colours, or cannot be read.
    """
    path = source.path
    try:
        import tifffile
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading tiff needs tifffile: pip install 'partwise[tiff]'",
            name="tifffile",
        ) from error
    try:
        with source.open() as content:
            _check_pages(content)
            with tifffile.TiffFile(content) as file:
                colours: int = getattr(file.pages[0], "samplesperpixel", 1)
                array = file.asarray()
    except DAMAGED as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: not readable as tiff ({error})") from error
    if colours > 1:
        raise ValueError(
            f"{path}: a picture in colours ({colours} numbers per pixel); labels are one "
            "number per pixel"
        )
    notes = [flattened(array.shape)]
    return table_of(str(path), ["1"], {0: array.ravel(order="C")}, notes=notes)
