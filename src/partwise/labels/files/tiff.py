"""Label images from .tif files; whatever is wrong with one is a ValueError."""

from __future__ import annotations

import struct
from os import SEEK_CUR
from typing import BinaryIO

from partwise.labels.files.npy import DAMAGED
from partwise.labels.files.sources import Source
from partwise.labels.files.table import Table, table_of
from partwise.labels.notes import flattened

#: By the number that says which kind of TIFF it is: types of an offset and of the count of tags
#: of a page, and bytes of a tag.
_KINDS = {42: ("I", "H", 12), 43: ("Q", "Q", 20)}


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
