"""Types of the compiled kernels of this subject; what each does stands in _values.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels._values import IntArray

def types_of(values: list[Any]) -> set[type]: ...
def number_values(values: list[Any]) -> tuple[IntArray, list[Any]]: ...
def number_items(items: NDArray[np.uint8], width: int) -> tuple[IntArray, IntArray]: ...
