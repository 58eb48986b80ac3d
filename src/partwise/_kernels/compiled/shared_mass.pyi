"""Types of the compiled kernels of this subject; what each does stands in _shared_mass.py."""

from partwise._kernels._shared_mass import FloatArray, IntArray

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
