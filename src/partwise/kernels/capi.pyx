# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The kernels as other packages call them; capi.pxd says what each does."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

cdef extern from "pw_common.h" nogil:
    enum:
        PW_NO_MEMORY
        PW_STOPPED
    # only named here: C knows that it is 128 bits wide
    ctypedef unsigned long long pw_u128
    ctypedef struct pw_labels:
        const void *data
        int64_t n
        int itemsize
        int is_signed
    ctypedef struct pw_poll:
        int (*ask)(void *context) noexcept nogil
        void *context

cdef extern from "pw_table.h" nogil:
    ctypedef struct pw_table:
        int64_t n_rows
        int64_t n_cols
        int64_t n_cells
        uint64_t *row_values
        uint64_t *col_values
        int64_t *indptr
        int64_t *cols
        int64_t *counts
        int64_t *row_sizes
        int64_t *col_sizes
    void pw_table_free(pw_table *table)

cdef extern from "pw_scratch.h" nogil:
    ctypedef struct pw_scratch:
        pass
    void pw_scratch_free(pw_scratch *scratch)

cdef extern from "pw_vector.h" nogil:
    enum:
        PW_VECTOR_LEVELS
    ctypedef struct pw_vector:
        pass
    const pw_vector *pw_vector_at(int level)

cdef extern from "pw_meet.h" nogil:
    int pw_meet(const pw_labels *a, const pw_labels *b, pw_scratch *scratch,
                const pw_vector *vector, pw_table *table, const pw_poll *poll)

cdef extern from "pw_join.h" nogil:
    int pw_join(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
                int64_t *row_component, int64_t *col_component, int64_t *n_components,
                const pw_poll *poll)

cdef extern from "pw_sums.h" nogil:
    pw_u128 pw_sum_squares(const int64_t *x, int64_t n)
    pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits)

cdef extern from "pw_match.h" nogil:
    ctypedef struct pw_match_parts:
        pass
    int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                 int64_t n_rows, int64_t n_cols, int tied, int64_t budget,
                 pw_match_parts *parts, int64_t *match, int64_t *row_duals,
                 int64_t *col_duals, const pw_poll *poll)

cdef extern from "pw_pack.h" nogil:
    int pw_pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows,
                int64_t n_cols, int64_t budget, int64_t *amounts, int64_t *row_duals,
                int64_t *col_duals, const pw_poll *poll)

cdef extern from *:
    """
    static inline partwise_wide pw_words_of(pw_u128 x) {
        return (partwise_wide){(uint64_t)x, (uint64_t)(x >> 64)};
    }
    _Static_assert(PARTWISE_NO_MEMORY == PW_NO_MEMORY, "the statuses are the kernels'");
    _Static_assert(PARTWISE_STOPPED == PW_STOPPED, "the statuses are the kernels'");
    _Static_assert(sizeof(partwise_poll) == sizeof(pw_poll), "a poll is passed on");
    """
    partwise_wide pw_words_of(pw_u128 x) nogil

cdef const pw_vector *_vector = NULL
cdef int _level
for _level in range(PW_VECTOR_LEVELS):
    if pw_vector_at(_level) != NULL:
        _vector = pw_vector_at(_level)


cdef int abi_version() noexcept nogil:
    return PARTWISE_KERNELS_ABI


cdef int meet(const partwise_labels *a, const partwise_labels *b, partwise_table *table,
              const partwise_poll *poll) noexcept nogil:
    cdef pw_labels first, second
    cdef pw_scratch scratch
    cdef pw_table own
    cdef int status
    first.data, first.n, first.itemsize, first.is_signed = a.data, a.n, a.itemsize, a.is_signed
    second.data, second.n, second.itemsize, second.is_signed = (
        b.data, b.n, b.itemsize, b.is_signed
    )
    memset(&scratch, 0, sizeof(scratch))
    memset(table, 0, sizeof(table[0]))
    status = pw_meet(&first, &second, &scratch, _vector, &own, <const pw_poll *>poll)
    pw_scratch_free(&scratch)
    if status == PARTWISE_OK:
        table.n_rows, table.n_cols, table.n_cells = own.n_rows, own.n_cols, own.n_cells
        table.row_labels, table.col_labels = own.row_values, own.col_values
        table.indptr, table.cols, table.counts = own.indptr, own.cols, own.counts
        table.row_sizes, table.col_sizes = own.row_sizes, own.col_sizes
    return status


cdef void free_table(partwise_table *table) noexcept nogil:
    cdef pw_table own
    own.row_values, own.col_values = table.row_labels, table.col_labels
    own.indptr, own.cols, own.counts = table.indptr, table.cols, table.counts
    own.row_sizes, own.col_sizes = table.row_sizes, table.col_sizes
    pw_table_free(&own)
    memset(table, 0, sizeof(table[0]))


cdef int join(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
              int64_t *row_component, int64_t *col_component, int64_t *n_components,
              const partwise_poll *poll) noexcept nogil:
    return pw_join(indptr, cols, n_rows, n_cols, row_component, col_component, n_components,
                   <const pw_poll *>poll)


cdef partwise_wide sum_squares(const int64_t *x, int64_t n) noexcept nogil:
    return pw_words_of(pw_sum_squares(x, n))


cdef partwise_wide sum_xlogx(const int64_t *x, int64_t n) noexcept nogil:
    return pw_words_of(pw_sum_xlogx(x, n, 56))


cdef int match(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
               int64_t n_cols, int64_t *matched, int64_t *row_duals, int64_t *col_duals,
               const partwise_poll *poll) noexcept nogil:
    # as solvers.match does for counts, many of which are equal
    cdef int64_t cells = indptr[n_rows]
    cdef int64_t budget = 20_000 + (32 if cells >= n_rows * n_cols // 16 else 4) * cells
    return pw_match(indptr, cols, gains, n_rows, n_cols, 1, budget, NULL, matched,
                    row_duals, col_duals, <const pw_poll *>poll)


cdef int pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
              const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows, int64_t n_cols,
              int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
              const partwise_poll *poll) noexcept nogil:
    return pw_pack(indptr, cols, gains, row_caps, col_caps, n_rows, n_cols, -1, amounts,
                   row_duals, col_duals, <const pw_poll *>poll)
