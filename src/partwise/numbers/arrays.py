"""The arrays of the project by name, for annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
UnsignedArray = NDArray[np.uint64]
ObjectArray = NDArray[Any]

#: So many numbers are worked on at once where steps follow each other on long arrays: what one
#: step writes is then still in the cache when the next one reads it.
CACHED = 1 << 14
