"""Types of the compiled kernels of this subject; what each does stands in _sums.py."""

from partwise._kernels._sums import FloatArray, IntArray, UnsignedArray

def sum_squares(values: IntArray) -> int: ...
def sum_xlogx(values: IntArray, fraction_bits: int) -> int: ...
def sum_doubles(values: FloatArray, fraction_bits: int) -> int: ...
def sum_groups(
    values: FloatArray, groups: IntArray, n_groups: int, fraction_bits: int
) -> tuple[FloatArray, FloatArray]: ...
def sum_weighted(sizes: IntArray, scores: IntArray) -> int: ...
def sum_products(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_scores: IntArray,
    col_scores: IntArray,
) -> int: ...
def split_scores(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    fraction_bits: int,
) -> tuple[IntArray, IntArray]: ...
def is_proportional(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    n: int,
) -> bool: ...
def divergence_terms(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    n: int,
) -> tuple[FloatArray, int]: ...
def sum_ratios(weights: IntArray, above: UnsignedArray, below: UnsignedArray) -> int: ...
def best_cells(indptr: IntArray, above: UnsignedArray, below: UnsignedArray) -> IntArray: ...
def b_cubed_sums(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
) -> tuple[int, int]: ...
def greedy_pairs(
    rows: IntArray, cols: IntArray, order: IntArray, rank: IntArray, n_rows: int, n_cols: int
) -> tuple[IntArray, bool]: ...
