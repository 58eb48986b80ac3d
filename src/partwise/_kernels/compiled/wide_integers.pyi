"""Types of the compiled kernels of this subject; what each does stands in _wide_integers.py."""

from partwise._kernels._wide_integers import FloatArray, IntArray, UnsignedArray

def wide_ratio(
    num_high: IntArray, num_low: UnsignedArray, den_high: IntArray, den_low: UnsignedArray
) -> FloatArray: ...
def wide_sum(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]: ...
def wide_difference(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]: ...
def wide_product(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]: ...
def stable_order(values: FloatArray) -> IntArray: ...
