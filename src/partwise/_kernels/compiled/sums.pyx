# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Sums over cells and clusters that no order can change; ratios of integers."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_HIGH, PW_LOW, PW_OK, PW_POLL_SCATTERED, Poll, from_words, look_out, out_of, pw_i128,
    pw_poll, pw_rows_to_poll, pw_u128, start_of,
)

cdef extern from "pw_sums.h" nogil:
    pw_u128 pw_sum_squares(const int64_t *x, int64_t n)
    pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits)
    pw_i128 pw_sum_doubles(const double *x, int64_t n, int fraction_bits)
    int pw_sum_groups(const double *x, const int64_t *groups, int64_t n,
                      int64_t n_groups, int fraction_bits, double *high,
                      double *low, const pw_poll *poll)
    int pw_split_scores(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        int fraction_bits, int64_t *row_scores, int64_t *col_scores,
                        const pw_poll *poll)
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
    int pw_similarity_gains(const pw_sized_table *table, int similarity, int weighted,
                            int bits, int64_t *gains, const pw_poll *poll)
    int pw_b_cubed_sums(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        pw_u128 *by_row, pw_u128 *by_col, const pw_poll *poll)
    int pw_greedy_pairs(const int64_t *rows, const int64_t *cols, const int64_t *order,
                        const int64_t *rank, int64_t n, int64_t n_rows, int64_t n_cols,
                        int64_t *chosen, int64_t *n_chosen, int *tied,
                        const pw_poll *poll)


# ---- order-free sums ---------------------------------------------------------------

cdef int64_t next_stop(int64_t start, int64_t n, int64_t most) except -1 nogil:
    """Where the terms from `start` on end that are taken before signals are looked out for."""
    if start > 0:
        look_out()
    return n if n - start <= most else start + most


cdef int64_t next_row(const int64_t *indptr, int64_t row, int64_t n_rows) except -1 nogil:
    """The same of rows: where those end that are taken together."""
    if row > 0:
        look_out()
    return pw_rows_to_poll(indptr, row, n_rows)


def sum_squares(const int64_t[::1] values):
    cdef pw_u128 total = 0
    cdef uint64_t low, high
    cdef int64_t n = values.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    with nogil:
        while start < n:
            stop = next_stop(start, n, PW_POLL_SCATTERED)
            total += pw_sum_squares(&values[start], stop - start)
            start = stop
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_xlogx(const int64_t[::1] values, int fraction_bits):
    cdef pw_u128 total = 0
    cdef uint64_t low, high
    cdef int64_t n = values.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    with nogil:
        while start < n:
            stop = next_stop(start, n, PW_POLL_SCATTERED // 4)  # a logarithm each
            total += pw_sum_xlogx(&values[start], stop - start, fraction_bits)
            start = stop
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_doubles(const double[::1] values, int fraction_bits):
    cdef pw_i128 total = 0
    cdef uint64_t low, high
    cdef int64_t n = values.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    with nogil:
        while start < n:
            stop = next_stop(start, n, PW_POLL_SCATTERED)
            total += pw_sum_doubles(&values[start], stop - start, fraction_bits)
            start = stop
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
    cdef Poll poll = Poll()
    with nogil:
        if n > 0:
            status = pw_sum_groups(&values[0], &groups[0], n, n_groups, fraction_bits,
                                   &h[0], &rest[0], &poll.asked)
    poll.check(status)
    return high, low


def sum_weighted(const int64_t[::1] sizes, const int64_t[::1] scores):
    cdef pw_u128 total = 0
    cdef uint64_t low, high
    cdef int64_t n = sizes.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    with nogil:
        while start < n:
            stop = next_stop(start, n, PW_POLL_SCATTERED)
            total += pw_sum_weighted(&sizes[start], &scores[start], stop - start)
            start = stop
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_products(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_scores,
                 const int64_t[::1] col_scores):
    cdef uint64_t words[3]
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int64_t row = 0
    cdef int64_t stop
    total = 0
    while row < n_rows:
        with nogil:
            stop = next_row(&indptr[0], row, n_rows)
            pw_sum_products(&indptr[row], &cols[0], &counts[0], &row_scores[row],
                            &col_scores[0], stop - row, words)
        total += <object>words[2] << 128 | from_words(words[0], words[1])
        row = stop
    return total


def split_scores(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes, int fraction_bits):
    cdef int status
    row_scores = np.empty(row_sizes.shape[0], dtype=np.int64)
    col_scores = np.empty(col_sizes.shape[0], dtype=np.int64)
    cdef int64_t[::1] by_row = row_scores
    cdef int64_t[::1] by_col = col_scores
    cdef Poll poll = Poll()
    with nogil:
        status = pw_split_scores(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], fraction_bits,
            out_of(by_row), out_of(by_col), &poll.asked)
    poll.check(status)
    return row_scores, col_scores


def is_proportional(const int64_t[::1] indptr, const int64_t[::1] cols,
                    const int64_t[::1] counts, const int64_t[::1] row_sizes,
                    const int64_t[::1] col_sizes, int64_t n):
    cdef int answer = 1
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t row = 0
    cdef int64_t stop
    with nogil:
        while row < n_rows and answer:
            stop = next_row(&indptr[0], row, n_rows)
            answer = pw_is_proportional(&indptr[row], &cols[0], &counts[0], &row_sizes[row],
                                        &col_sizes[0], stop - row, n)
            row = stop
    return answer != 0


def divergence_terms(const int64_t[::1] indptr, const int64_t[::1] cols,
                     const int64_t[::1] counts, const int64_t[::1] row_sizes,
                     const int64_t[::1] col_sizes, int64_t n):
    cdef pw_u128 covered = 0
    cdef uint64_t low, high
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t row = 0
    cdef int64_t stop
    cdef int64_t ends[2]
    terms = np.empty(cols.shape[0], dtype=np.float64)
    cdef double[::1] out = terms
    with nogil:
        while row < n_rows:
            stop = next_row(&indptr[0], row, n_rows)
            if stop - row > 1:
                covered += pw_divergence_terms(
                    &indptr[row], &cols[0], &counts[0], &row_sizes[row], &col_sizes[0],
                    stop - row, n, &out[0])
            else:  # a row may have very many cells, and one takes long
                ends[1] = indptr[row]
                while ends[1] < indptr[stop]:
                    ends[0] = ends[1]
                    ends[1] = next_stop(ends[0], indptr[stop], PW_POLL_SCATTERED)
                    covered += pw_divergence_terms(
                        ends, &cols[0], &counts[0], &row_sizes[row], &col_sizes[0], 1, n,
                        &out[0])
            row = stop
        low = PW_LOW(covered)
        high = PW_HIGH(covered)
    return terms, from_words(low, high)


# ---- ratios of integers ------------------------------------------------------------

def sum_ratios(const int64_t[::1] weights, const uint64_t[::1] above,
               const uint64_t[::1] below):
    cdef uint64_t words[3]
    cdef int64_t n = weights.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    total = 0
    while start < n:
        stop = next_stop(start, n, PW_POLL_SCATTERED)
        with nogil:
            pw_sum_ratios(&weights[start], &above[start], &below[start], stop - start, words)
        total += <object>words[2] << 128 | from_words(words[0], words[1])
        start = stop
    return total


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
    cdef int64_t row = 0
    cdef int64_t stop
    with nogil:
        while row < n_rows:
            stop = next_row(&indptr[0], row, n_rows)
            pw_nearest_cells(&indptr[row], &cols[0], &counts[0], &row_sizes[row],
                             &col_sizes[0], stop - row, kind, &out[row])
            row = stop
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
    cdef int64_t n = cells.shape[0]
    cdef int64_t start = 0
    cdef int64_t stop
    total = 0
    while start < n:
        stop = next_stop(start, n, PW_POLL_SCATTERED // 16)  # each looks for its row
        with nogil:
            pw_sum_similarities(&table, &cells[start], stop - start, kind, weighted, words)
        total += <object>words[2] << 128 | from_words(words[0], words[1])
        start = stop
    return total


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
    cdef Poll poll = Poll()
    cdef int status
    with nogil:
        status = pw_similarity_gains(&table, kind, weighted, bits, to, &poll.asked)
    poll.check(status)
    return gains


def b_cubed_sums(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes):
    cdef pw_u128 by_row, by_col
    cdef uint64_t words[4]
    cdef Poll poll = Poll()
    cdef int status
    with nogil:
        status = pw_b_cubed_sums(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], &by_row,
            &by_col, &poll.asked)
        words[0] = PW_LOW(by_row)
        words[1] = PW_HIGH(by_row)
        words[2] = PW_LOW(by_col)
        words[3] = PW_HIGH(by_col)
    poll.check(status)
    return from_words(words[0], words[1]), from_words(words[2], words[3])


def greedy_pairs(const int64_t[::1] rows, const int64_t[::1] cols,
                 const int64_t[::1] order, const int64_t[::1] rank, int64_t n_rows,
                 int64_t n_cols):
    cdef int64_t n = order.shape[0]
    cdef int64_t n_chosen
    cdef int tied, status
    cdef Poll poll = Poll()
    chosen = np.empty(min(n, n_rows, n_cols), dtype=np.int64)
    cdef int64_t[::1] out = chosen
    with nogil:
        status = pw_greedy_pairs(start_of(rows), start_of(cols), start_of(order),
                                 start_of(rank), n, n_rows, n_cols, out_of(out),
                                 &n_chosen, &tied, &poll.asked)
    poll.check(status)
    return chosen[:n_chosen], tied != 0
