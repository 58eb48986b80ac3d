"""Types of the compiled kernels of this subject; what each does stands in _solvers.py."""

from partwise._kernels._solvers import FloatArray, IntArray

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
