"""Types of the compiled kernels of this subject; what each does stands in _chance.py."""

from partwise._kernels._chance import FloatArray, IntArray, UnsignedArray

def random_table(
    row_sizes: IntArray, col_sizes: IntArray, seed: int, stream: int
) -> tuple[IntArray, IntArray, IntArray]: ...
def resample(n: int, seed: int, stream: int, draws: int) -> IntArray: ...
def expected_sums(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    col_weights: FloatArray,
    n: int,
) -> tuple[int, int]: ...
def expected_by_size(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    n: int,
    fraction_bits: int,
) -> tuple[tuple[IntArray, UnsignedArray], tuple[IntArray, UnsignedArray]]: ...
