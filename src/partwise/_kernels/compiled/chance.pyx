# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Random tables, draws with replacement, and sums that chance gives on average."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    TEAM_MOST, Poll, Team, adopt, check, first_double, from_words, out_of, pw_poll,
    start_of,
)

cdef extern from "pw_sample.h" nogil:
    int pw_random_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                        int64_t n_cols, const uint64_t *key, int64_t *indptr,
                        int64_t **out_cols, int64_t **out_counts, int64_t *n_cells,
                        const pw_poll *poll)
    int pw_resample(int64_t n, const uint64_t *key, int64_t draws, int64_t *counts,
                    const pw_poll *poll)

cdef extern from "pw_expected.h" nogil:
    int pw_expected_sums(const int64_t *row_sizes, const double *row_weights,
                         int64_t n_rows, const int64_t *col_sizes,
                         const double *col_weights, int64_t n_cols, int64_t n,
                         int parts, int part, uint64_t *overlap, uint64_t *divergence,
                         const pw_poll *poll)
    int pw_expected_by_size(const int64_t *row_sizes, const double *row_weights,
                            int64_t n_rows, const int64_t *col_sizes, int64_t n_cols,
                            int64_t n, int fraction_bits, uint64_t **overlap,
                            uint64_t **divergence, const pw_poll *poll)


# ---- random tables -----------------------------------------------------------------

def random_table(const int64_t[::1] row_sizes, const int64_t[::1] col_sizes, uint64_t seed,
                 uint64_t stream):
    cdef Poll poll = Poll()
    cdef uint64_t[2] key
    cdef int64_t *to_cols = NULL
    cdef int64_t *to_counts = NULL
    cdef int64_t n_cells = 0
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef int status
    indptr = np.empty(n_rows + 1, dtype=np.int64)
    cdef int64_t[::1] out = indptr
    cdef const int64_t *r = start_of(row_sizes)
    cdef const int64_t *c = start_of(col_sizes)
    key[0] = seed
    key[1] = stream
    with nogil:
        status = pw_random_table(r, c, n_rows, n_cols, key, &out[0], &to_cols, &to_counts,
                                 &n_cells, &poll.asked)
    poll.check(status)
    return indptr, adopt(to_cols, n_cells), adopt(to_counts, n_cells)


def resample(int64_t n, uint64_t seed, uint64_t stream, int64_t draws):
    cdef Poll poll = Poll()
    cdef uint64_t[2] key
    cdef int status
    counts = np.empty((draws, n), dtype=np.int64)
    cdef int64_t[::1] out = counts.reshape(-1)
    cdef int64_t *to = out_of(out)
    key[0] = seed
    key[1] = stream
    if draws * n > 0:
        with nogil:
            status = pw_resample(n, key, draws, to, &poll.asked)
        poll.check(status)
    return counts


# ---- expected sums -----------------------------------------------------------------

cdef class _Expected(Team):
    """Sums over pairs of sizes, of which each thread has a share."""

    cdef const int64_t[::1] row_sizes
    cdef const double[::1] row_weights
    cdef const int64_t[::1] col_sizes
    cdef const double[::1] col_weights
    cdef int64_t n
    cdef uint64_t sums[TEAM_MOST][2][4]

    def sum_part(self, int part):
        cdef const double *rows = first_double(self.row_weights)
        cdef const double *cols = first_double(self.col_weights)
        with nogil:
            self.statuses[part] = pw_expected_sums(
                start_of(self.row_sizes), rows, self.row_sizes.shape[0],
                start_of(self.col_sizes), cols, self.col_sizes.shape[0], self.n, self.parts,
                part, self.sums[part][0], self.sums[part][1], &self.poll
            )


def expected_sums(const int64_t[::1] row_sizes, const double[::1] row_weights,
                  const int64_t[::1] col_sizes, const double[::1] col_weights, int64_t n,
                  int workers=1):
    cdef Poll poll = Poll()
    cdef uint64_t overlap[4]
    cdef uint64_t divergence[4]
    cdef int status
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef const int64_t *a = start_of(row_sizes)
    cdef const int64_t *b = start_of(col_sizes)
    cdef const double *u = first_double(row_weights)
    cdef const double *v = first_double(col_weights)
    if workers > 1:
        return expected_by_team(_Expected(workers), row_sizes, row_weights, col_sizes,
                                col_weights, n)
    with nogil:
        status = pw_expected_sums(a, u, n_rows, b, v, n_cols, n, 1, 0, overlap, divergence,
                                  &poll.asked)
    poll.check(status)
    return from_four(overlap), from_four(divergence)


cdef object from_four(const uint64_t *words):
    return from_words(words[2], words[3]) << 128 | from_words(words[0], words[1])


cdef object expected_by_team(_Expected job, const int64_t[::1] row_sizes,
                             const double[::1] row_weights, const int64_t[::1] col_sizes,
                             const double[::1] col_weights, int64_t n):
    cdef int part
    job.row_sizes, job.row_weights = row_sizes, row_weights
    job.col_sizes, job.col_weights, job.n = col_sizes, col_weights, n
    check(job.each(job.sum_part), job.raised)
    overlap, divergence = 0, 0
    for part in range(job.parts):
        overlap += from_four(job.sums[part][0])
        divergence += from_four(job.sums[part][1])
    return overlap, divergence


def expected_by_size(const int64_t[::1] row_sizes, const double[::1] row_weights,
                     const int64_t[::1] col_sizes, int64_t n, int fraction_bits):
    cdef Poll poll = Poll()
    cdef int status
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef const double *weights = first_double(row_weights)
    sums = np.zeros((4, max(n_cols, 1)), dtype=np.uint64)
    cdef uint64_t[:, ::1] to = sums
    cdef uint64_t *overlap[2]
    cdef uint64_t *divergence[2]
    overlap[0], overlap[1] = &to[0, 0], &to[1, 0]
    divergence[0], divergence[1] = &to[2, 0], &to[3, 0]
    with nogil:
        status = pw_expected_by_size(start_of(row_sizes), weights, row_sizes.shape[0],
                                     start_of(col_sizes), n_cols, n, fraction_bits,
                                     overlap, divergence, &poll.asked)
    poll.check(status)
    words = sums[:, :n_cols]
    return (words[1].view(np.int64), words[0]), (words[3].view(np.int64), words[2])
