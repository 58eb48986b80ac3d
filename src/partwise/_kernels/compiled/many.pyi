"""Types of the compiled kernels of this subject; what each does stands in _many.py."""

from typing import Any

from numpy.typing import NDArray

from partwise._kernels._many import IntArray, UnsignedArray

def many_sums(
    codes: NDArray[Any],
    sizes: IntArray,
    starts: IntArray,
    reference: int,
    candidates: IntArray,
    wanted: int,
    fraction_bits: int,
) -> UnsignedArray: ...
