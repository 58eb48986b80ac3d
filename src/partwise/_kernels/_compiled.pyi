"""Types of the compiled kernels; what each does stands in _numpy.py."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels._numpy import FloatArray, IntArray, UnsignedArray

class Scratch:
    @property
    def nbytes(self) -> int: ...
    def free(self) -> None: ...

def value_range(values: NDArray[Any]) -> tuple[int, int]: ...
def encode(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]: ...
def first_appearance(codes: IntArray, k: int) -> tuple[IntArray, int]: ...
def meet(
    a: NDArray[Any], b: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], IntArray, IntArray, IntArray]: ...
def tally(
    a: NDArray[Any], b: NDArray[Any], scratches: Sequence[Scratch]
) -> tuple[NDArray[Any], NDArray[Any], IntArray, IntArray, IntArray, IntArray, IntArray]: ...
def collapse(
    rows: IntArray, cols: IntArray, counts: IntArray, n_rows: int, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]: ...
def margins(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray]: ...
def transpose(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]: ...
def maxima(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray]: ...
def join(indptr: IntArray, cols: IntArray, n_cols: int) -> tuple[IntArray, IntArray, int]: ...
def sum_squares(values: IntArray) -> int: ...
def sum_xlogx(values: IntArray, fraction_bits: int) -> int: ...
def sum_doubles(values: FloatArray, fraction_bits: int) -> int: ...
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
def locate(
    indptr: IntArray, table_cols: IntArray, rows: IntArray, cols: IntArray
) -> IntArray: ...
def sum_groups(
    values: FloatArray, groups: IntArray, n_groups: int, fraction_bits: int
) -> tuple[FloatArray, FloatArray]: ...
def match(
    indptr: IntArray, cols: IntArray, gains: IntArray, n_cols: int, tied: bool, budget: int
) -> tuple[IntArray, IntArray, IntArray]: ...
def pack(
    indptr: IntArray,
    cols: IntArray,
    gains: IntArray,
    row_caps: IntArray,
    col_caps: IntArray,
    budget: int,
) -> tuple[IntArray, IntArray, IntArray]: ...
def transport(
    costs: FloatArray, supply: IntArray, demand: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray] | None: ...
def shared_mass(p: FloatArray, q: FloatArray, first: int, last: int) -> FloatArray: ...
def shared_mass_sparse(
    p_indptr: IntArray,
    p_cols: IntArray,
    p_values: FloatArray,
    q_indptr: IntArray,
    q_cols: IntArray,
    q_values: FloatArray,
    n_rows: int,
    n_cols: int,
) -> FloatArray: ...
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
def sweep_events(
    labels: IntArray, n_labels: int, left: IntArray, right: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray]: ...
def sweep_curves(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    state: IntArray,
    n_states: int,
    events: tuple[IntArray, IntArray, IntArray, IntArray],
    fraction_bits: int,
    entropies: bool,
    b_cubed: bool,
) -> dict[str, IntArray | tuple[IntArray, UnsignedArray]]: ...
def sweep_edges(
    n: int, first: IntArray, second: IntArray
) -> tuple[IntArray, IntArray, IntArray]: ...
def sweep_clusters(n: int, left: IntArray, right: IntArray, n_merges: int) -> IntArray: ...
def sweep_sizes(counts: IntArray, left: IntArray, right: IntArray) -> IntArray: ...
def sweep_subtrees(
    n: int, left: IntArray, right: IntArray, heights: FloatArray
) -> tuple[IntArray, FloatArray]: ...
def sweep_walks(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    events: tuple[IntArray, IntArray, IntArray, IntArray],
    bounds: IntArray,
) -> IntArray: ...
def sweep_scores(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    state: IntArray,
    n_states: int,
    events: tuple[IntArray, IntArray, IntArray, IntArray],
    fraction_bits: int,
    by_rows: int,
    product: bool,
) -> tuple[FloatArray | None, FloatArray, int]: ...
def expected_by_size(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    n: int,
    fraction_bits: int,
) -> tuple[tuple[IntArray, UnsignedArray], tuple[IntArray, UnsignedArray]]: ...
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
def many_sums(
    codes: NDArray[Any],
    sizes: IntArray,
    starts: IntArray,
    reference: int,
    candidates: IntArray,
    wanted: int,
    fraction_bits: int,
) -> UnsignedArray: ...
def types_of(values: list[Any]) -> set[type]: ...
def number_values(values: list[Any]) -> tuple[IntArray, list[Any]]: ...
def number_fixed(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]: ...
def number_spans(
    data: NDArray[np.uint8], offsets: NDArray[Any], skipped: NDArray[np.uint8] | None
) -> tuple[NDArray[Any], IntArray]: ...
def number_text(
    values: list[Any] | NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_] | None] | None: ...
