"""Masked arrays of NumPy, told without loading the module that makes them.

Loading ``numpy.ma`` takes a tenth of the time that the command line needs to start, and where
nobody has loaded it there are no masked arrays.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def is_masked_array(values: Any) -> bool:
    """Return whether values are a masked array, whatever it masks."""
    module = sys.modules.get("numpy.ma")
    return module is not None and isinstance(values, module.MaskedArray)


def has_masked(values: Any) -> bool:
    """Return whether values are a masked array that masks some of them."""
    module = sys.modules.get("numpy.ma")
    return module is not None and bool(module.is_masked(values))


def first_masked(values: Any) -> int:
    """Return the index of the first masked entry along the first axis."""
    masked = np.atleast_1d(sys.modules["numpy.ma"].getmaskarray(values))
    return int(masked.reshape(len(masked), -1).any(axis=1).argmax())
