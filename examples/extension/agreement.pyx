# cython: language_level=3, boundscheck=False, wraparound=False
# cython: freethreading_compatible=True
"""An extension of another package that calls partwise's kernels without the GIL."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from partwise.kernels.capi cimport (
    PARTWISE_KERNELS_ABI, PARTWISE_NO_MEMORY, PARTWISE_OK, abi_version, free_table, join, match,
    meet, partwise_labels, partwise_table, partwise_wide, sum_squares,
)

if abi_version() != PARTWISE_KERNELS_ABI:
    raise ImportError("agreement was built against another partwise; build it again")


cdef struct Agreement:
    double rand_index
    int64_t components
    int64_t matched


cdef double pairs_in(const int64_t *sizes, int64_t n, int64_t items) noexcept nogil:
    cdef partwise_wide squares = sum_squares(sizes, n)
    return (<double>squares.high * 2.0**64 + <double>squares.low - items) / 2


cdef int agree(const int64_t *a, const int64_t *b, int64_t n, Agreement *result) noexcept nogil:
    """Compare two rows of labels; the status is the kernels'."""
    cdef partwise_labels first, second
    cdef partwise_table table
    cdef int64_t *work
    cdef int64_t row, rows, cols
    cdef double together, apart
    cdef int status
    first.data, first.n, first.itemsize, first.is_signed = a, n, 8, 1
    second.data, second.n, second.itemsize, second.is_signed = b, n, 8, 1
    status = meet(&first, &second, &table, NULL)
    if status != PARTWISE_OK:
        return status
    rows, cols = table.n_rows, table.n_cols
    together = pairs_in(table.counts, table.n_cells, n)
    apart = (pairs_in(table.row_sizes, rows, n) + pairs_in(table.col_sizes, cols, n)
             - 2 * together)
    result.rand_index = 1 - apart / (0.5 * n * (n - 1)) if n > 1 else 1
    work = <int64_t *>malloc((2 * rows + cols + 1) * sizeof(int64_t))
    status = PARTWISE_NO_MEMORY
    if work != NULL:
        status = join(table.indptr, table.cols, rows, cols, work, work + rows,
                      &result.components, NULL)
    if status == PARTWISE_OK:
        status = match(table.indptr, table.cols, table.counts, rows, cols, work, work + rows,
                       work + 2 * rows, NULL)
    if status == PARTWISE_OK:
        result.matched = 0
        for row in range(rows):
            if work[row] >= 0:
                result.matched += table.counts[work[row]]
    free(work)
    free_table(&table)
    return status


def agreement(const int64_t[::1] reference, const int64_t[:, ::1] candidates):
    """Return the Rand index, the components and the matched items for every candidate."""
    cdef int64_t n = reference.shape[0], row
    cdef int status = PARTWISE_OK
    cdef Agreement one
    cdef int64_t empty = 0
    cdef const int64_t *labels = &reference[0] if n > 0 else &empty
    if candidates.shape[1] != n:
        raise ValueError(f"{n} labels, but rows of {candidates.shape[1]}")
    results = []
    for row in range(candidates.shape[0]):
        with nogil:
            status = agree(labels, &candidates[row, 0] if n > 0 else &empty, n, &one)
        if status != PARTWISE_OK:
            raise MemoryError
        results.append((one.rand_index, one.components, one.matched))
    return results
