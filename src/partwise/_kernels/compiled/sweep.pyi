"""Types of the compiled kernels of this subject; what each does stands in _sweep.py."""

from partwise._kernels._sweep import IntArray, UnsignedArray
from partwise._kernels._sweep_scores import FloatArray

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
