# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Sums over cells and clusters that no order can change; ratios of integers."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_HIGH, PW_LOW, PW_OK, check, from_words, out_of, pw_i128, pw_u128, start_of,
)

cdef extern from "pw_sums.h" nogil:
    pw_u128 pw_sum_squares(const int64_t *x, int64_t n)
    pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits)
    pw_i128 pw_sum_doubles(const double *x, int64_t n, int fraction_bits)
    int pw_sum_groups(const double *x, const int64_t *groups, int64_t n,
                      int64_t n_groups, int fraction_bits, double *high,
                      double *low)
    int pw_split_scores(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        int fraction_bits, int64_t *row_scores, int64_t *col_scores)
    void pw_sum_products(const int64_t *indptr, const int64_t *cols,
                         const int64_t *counts, const int64_t *row_scores,
                         const int64_t *col_scores, int64_t n_rows, uint64_t *sum)
    pw_u128 pw_sum_weighted(const int64_t *sizes, const int64_t *scores, int64_t n)
    int pw_is_proportional(const int64_t *indptr, const int64_t *cols,
                           const int64_t *counts, const int64_t *row_sizes,
                           const int64_t *col_sizes, int64_t n_rows, int64_t n)
    pw_u128 pw_divergence_terms(const int64_t *indptr, const int64_t *cols,
                                const int64_t *counts, const int64_t *row_sizes,
                                const int64_t *col_sizes, int64_t n_rows, int64_t n,
                                double *terms)

cdef extern from "pw_ratios.h" nogil:
    void pw_sum_ratios(const int64_t *weights, const uint64_t *above,
                       const uint64_t *below, int64_t n, uint64_t *sum)
    enum:
        PW_OVERLAP
        PW_SORENSEN_DICE
        PW_BRAUN_BANQUET
        PW_JACCARD
    void pw_nearest_cells(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                          const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                          int similarity, int64_t *nearest)
    ctypedef struct pw_sized_table:
        const int64_t *indptr
        const int64_t *cols
        const int64_t *counts
        const int64_t *row_sizes
        const int64_t *col_sizes
        int64_t n_rows
    void pw_sum_similarities(const pw_sized_table *table, const int64_t *cells, int64_t n,
                             int similarity, int weighted, uint64_t *sum)
    void pw_similarity_gains(const pw_sized_table *table, int similarity, int weighted,
                             int bits, int64_t *gains)
    int pw_b_cubed_sums(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        pw_u128 *by_row, pw_u128 *by_col)
    int pw_greedy_pairs(const int64_t *rows, const int64_t *cols, const int64_t *order,
                        const int64_t *rank, int64_t n, int64_t n_rows, int64_t n_cols,
                        int64_t *chosen, int64_t *n_chosen, int *tied)


# ---- order-free sums ---------------------------------------------------------------

def sum_squares(const int64_t[::1] values):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_squares(start_of(values), values.shape[0])
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_xlogx(const int64_t[::1] values, int fraction_bits):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_xlogx(start_of(values), values.shape[0], fraction_bits)
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_doubles(const double[::1] values, int fraction_bits):
    cdef pw_i128 total = 0
    cdef uint64_t low, high
    with nogil:
        if values.shape[0] > 0:
            total = pw_sum_doubles(&values[0], values.shape[0], fraction_bits)
        low = PW_LOW(<pw_u128>total)
        high = PW_HIGH(<pw_u128>total)
    result = from_words(low, high)
    return result - (1 << 128) if high >> 63 else result


def sum_groups(const double[::1] values, const int64_t[::1] groups, int64_t n_groups,
               int fraction_bits):
    cdef int64_t n = values.shape[0]
    cdef int status = PW_OK
    high = np.zeros(n_groups, dtype=np.float64)
    low = np.zeros(n_groups, dtype=np.float64)
    cdef double[::1] h = high
    cdef double[::1] rest = low
    with nogil:
        if n > 0:
            status = pw_sum_groups(&values[0], &groups[0], n, n_groups, fraction_bits,
                                   &h[0], &rest[0])
    check(status, [])
    return high, low


def sum_weighted(const int64_t[::1] sizes, const int64_t[::1] scores):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_weighted(start_of(sizes), start_of(scores), sizes.shape[0])
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_products(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_scores,
                 const int64_t[::1] col_scores):
    cdef uint64_t words[3]
    with nogil:
        pw_sum_products(&indptr[0], start_of(cols), start_of(counts),
                        start_of(row_scores), start_of(col_scores),
                        indptr.shape[0] - 1, words)
    return <object>words[2] << 128 | from_words(words[0], words[1])


def split_scores(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes, int fraction_bits):
    cdef int status
    row_scores = np.empty(row_sizes.shape[0], dtype=np.int64)
    col_scores = np.empty(col_sizes.shape[0], dtype=np.int64)
    cdef int64_t[::1] by_row = row_scores
    cdef int64_t[::1] by_col = col_scores
    with nogil:
        status = pw_split_scores(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], fraction_bits,
            out_of(by_row), out_of(by_col))
    check(status, [])
    return row_scores, col_scores


def is_proportional(const int64_t[::1] indptr, const int64_t[::1] cols,
                    const int64_t[::1] counts, const int64_t[::1] row_sizes,
                    const int64_t[::1] col_sizes, int64_t n):
    cdef int answer
    with nogil:
        answer = pw_is_proportional(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], n)
    return answer != 0


def divergence_terms(const int64_t[::1] indptr, const int64_t[::1] cols,
                     const int64_t[::1] counts, const int64_t[::1] row_sizes,
                     const int64_t[::1] col_sizes, int64_t n):
    cdef pw_u128 covered = 0
    cdef uint64_t low, high
    terms = np.empty(cols.shape[0], dtype=np.float64)
    cdef double[::1] out = terms
    with nogil:
        if cols.shape[0] > 0:
            covered = pw_divergence_terms(
                &indptr[0], &cols[0], &counts[0], &row_sizes[0], &col_sizes[0],
                row_sizes.shape[0], n, &out[0])
        low = PW_LOW(covered)
        high = PW_HIGH(covered)
    return terms, from_words(low, high)


# ---- ratios of integers ------------------------------------------------------------

def sum_ratios(const int64_t[::1] weights, const uint64_t[::1] above,
               const uint64_t[::1] below):
    cdef uint64_t words[3]
    cdef int64_t n = weights.shape[0]
    words[0] = words[1] = words[2] = 0
    with nogil:
        if n > 0:
            pw_sum_ratios(&weights[0], &above[0], &below[0], n, words)
    return <object>words[2] << 128 | from_words(words[0], words[1])


cdef dict SIMILARITIES = {
    "overlap": PW_OVERLAP,
    "sorensen_dice": PW_SORENSEN_DICE,
    "braun_banquet": PW_BRAUN_BANQUET,
    "jaccard": PW_JACCARD,
}


def nearest_cells(const int64_t[::1] indptr, const int64_t[::1] cols,
                  const int64_t[::1] counts, const int64_t[::1] row_sizes,
                  const int64_t[::1] col_sizes, str similarity):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int kind = SIMILARITIES[similarity]
    nearest = np.empty(n_rows, dtype=np.int64)
    cdef int64_t[::1] out = nearest
    with nogil:
        if n_rows > 0:
            pw_nearest_cells(&indptr[0], &cols[0], &counts[0], &row_sizes[0], &col_sizes[0],
                             n_rows, kind, &out[0])
    return nearest


def sum_similarities(const int64_t[::1] indptr, const int64_t[::1] cols,
                     const int64_t[::1] counts, const int64_t[::1] row_sizes,
                     const int64_t[::1] col_sizes, const int64_t[::1] cells, str similarity,
                     bint weighted):
    cdef pw_sized_table table = pw_sized_table(
        &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
        start_of(col_sizes), indptr.shape[0] - 1)
    cdef int kind = SIMILARITIES[similarity]
    cdef uint64_t words[3]
    with nogil:
        pw_sum_similarities(&table, start_of(cells), cells.shape[0], kind, weighted, words)
    return <object>words[2] << 128 | from_words(words[0], words[1])


def similarity_gains(const int64_t[::1] indptr, const int64_t[::1] cols,
                     const int64_t[::1] counts, const int64_t[::1] row_sizes,
                     const int64_t[::1] col_sizes, str similarity, bint weighted, int bits):
    cdef pw_sized_table table = pw_sized_table(
        &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
        start_of(col_sizes), indptr.shape[0] - 1)
    cdef int kind = SIMILARITIES[similarity]
    gains = np.empty(cols.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = gains
    cdef int64_t *to = out_of(out)
    with nogil:
        pw_similarity_gains(&table, kind, weighted, bits, to)
    return gains


def b_cubed_sums(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes):
    cdef pw_u128 by_row, by_col
    cdef uint64_t words[4]
    cdef int status
    with nogil:
        status = pw_b_cubed_sums(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], &by_row,
            &by_col)
        words[0] = PW_LOW(by_row)
        words[1] = PW_HIGH(by_row)
        words[2] = PW_LOW(by_col)
        words[3] = PW_HIGH(by_col)
    check(status, [])
    return from_words(words[0], words[1]), from_words(words[2], words[3])


def greedy_pairs(const int64_t[::1] rows, const int64_t[::1] cols,
                 const int64_t[::1] order, const int64_t[::1] rank, int64_t n_rows,
                 int64_t n_cols):
    cdef int64_t n = order.shape[0]
    cdef int64_t n_chosen
    cdef int tied, status
    chosen = np.empty(min(n, n_rows, n_cols), dtype=np.int64)
    cdef int64_t[::1] out = chosen
    with nogil:
        status = pw_greedy_pairs(start_of(rows), start_of(cols), start_of(order),
                                 start_of(rank), n, n_rows, n_cols, out_of(out),
                                 &n_chosen, &tied)
    check(status, [])
    return chosen[:n_chosen], tied != 0
