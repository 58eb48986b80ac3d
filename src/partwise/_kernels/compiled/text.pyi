"""Types of the compiled kernels of this subject; what each does stands in _text.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels._text import IntArray

def number_fixed(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]: ...
def number_spans(
    data: NDArray[np.uint8], offsets: NDArray[Any], skipped: NDArray[np.uint8] | None
) -> tuple[NDArray[Any], IntArray]: ...
def number_text(
    values: list[Any] | NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_] | None] | None: ...
