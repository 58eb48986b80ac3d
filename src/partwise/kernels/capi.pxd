"""The kernels on raw pointers and sizes: ``from partwise.kernels.capi cimport meet``.

They need no GIL and raise nothing: what can fail returns a status. ``poll`` may be NULL.
"""

from libc.stdint cimport int64_t, uint64_t

cdef extern from "partwise_kernels.h" nogil:
    enum:
        PARTWISE_KERNELS_ABI
        PARTWISE_OK
        PARTWISE_NO_MEMORY
        PARTWISE_STOPPED
    ctypedef struct partwise_labels:
        const void *data
        int64_t n
        int itemsize
        int is_signed
    ctypedef struct partwise_table:
        int64_t n_rows
        int64_t n_cols
        int64_t n_cells
        uint64_t *row_labels
        uint64_t *col_labels
        int64_t *indptr
        int64_t *cols
        int64_t *counts
        int64_t *row_sizes
        int64_t *col_sizes
    ctypedef struct partwise_wide:
        uint64_t low
        uint64_t high
    ctypedef struct partwise_poll:
        int (*ask)(void *context) noexcept nogil
        void *context

# PARTWISE_KERNELS_ABI of the installed partwise
cdef int abi_version() noexcept nogil

# The table of two clusterings of the same items: a.n == b.n. On PARTWISE_OK the table's arrays
# are the caller's. O(n + cells + ranges of labels).
cdef int meet(const partwise_labels *a, const partwise_labels *b, partwise_table *table,
              const partwise_poll *poll) noexcept nogil
cdef void free_table(partwise_table *table) noexcept nogil

# The component of every row and column, numbered by their smallest row. Near O(cells).
cdef int join(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
              int64_t *row_component, int64_t *col_component, int64_t *n_components,
              const partwise_poll *poll) noexcept nogil

# Sum of x^2 over x >= 0 that add up to less than 2^63. O(n).
cdef partwise_wide sum_squares(const int64_t *x, int64_t n) noexcept nogil

# Sum of floor(2^56 x ln x) over x >= 0 that add up to less than 2^63. The order of the values
# changes no bit. O(n).
cdef partwise_wide sum_xlogx(const int64_t *x, int64_t n) noexcept nogil

# The matching of rows with columns of the largest sum of gains, each 0 <= gain < 2^61.
# `matched` (n_rows) is the cell that a row is matched by, -1 for none. The duals prove it: all
# >= 0, row + column >= gain on every cell, equal on matched cells, 0 on unmatched rows and
# columns.
cdef int match(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
               int64_t n_cols, int64_t *matched, int64_t *row_duals, int64_t *col_duals,
               const partwise_poll *poll) noexcept nogil

# The amounts on the cells, within the capacities >= 1 of rows and columns (their sum below
# 2^62), of the largest sum of gain x amount, with duals as above. 0 <= gain < 2^61.
cdef int pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
              const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows, int64_t n_cols,
              int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
              const partwise_poll *poll) noexcept nogil
