# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Two hierarchies of the same items: cuts, joined pairs, walks."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    Poll, check, first_double, from_words, out_of, pw_poll, start_of,
)

cdef extern from "pw_hierarchy.h" nogil:
    ctypedef struct pw_walks:
        const int64_t *parents
        const int64_t *starts
        const int64_t *sizes
        const int64_t *leaves
        const double *own
        const double *factors
        const double *reach
    int pw_cut_overlaps(int64_t n, const int64_t *left_a, const int64_t *right_a,
                        const int64_t *left_b, const int64_t *right_b, int64_t *together,
                        const pw_poll *poll)
    int pw_cut_moments(int64_t n, const int64_t *left, const int64_t *right, int64_t *pairs,
                       double *rows, double *rest)
    int pw_pair_sums(int64_t n, const int64_t *left_a, const int64_t *right_a,
                     const int64_t *left_b, const int64_t *right_b, const int64_t *weights,
                     uint64_t *low, int64_t *high, const pw_poll *poll)
    int pw_pair_orders(int64_t n, const int64_t *left_a, const int64_t *right_a,
                       const int64_t *level_a, const int64_t *left_b, const int64_t *right_b,
                       const int64_t *level_b, int64_t n_levels, uint64_t *counts,
                       const pw_poll *poll)
    int pw_walk_differences(int64_t n, const pw_walks *a, const pw_walks *b, int64_t begin,
                            int64_t end, int64_t *sums, const pw_poll *poll)


def cut_overlaps(const int64_t[::1] left_a, const int64_t[::1] right_a,
                 const int64_t[::1] left_b, const int64_t[::1] right_b):
    cdef int64_t n = left_a.shape[0] + 1
    cdef Poll poll = Poll()
    cdef int status
    together = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = together
    with nogil:
        status = pw_cut_overlaps(n, start_of(left_a), start_of(right_a), start_of(left_b),
                                 start_of(right_b), &to[0], &poll.asked)
    poll.check(status)
    return together


def cut_moments(const int64_t[::1] left, const int64_t[::1] right):
    cdef int64_t n = left.shape[0] + 1
    cdef int status
    pairs = np.empty(n, dtype=np.int64)
    rows = np.empty(n, dtype=np.float64)
    rest = np.empty(n, dtype=np.float64)
    cdef int64_t[::1] p = pairs
    cdef double[::1] r = rows
    cdef double[::1] e = rest
    with nogil:
        status = pw_cut_moments(n, start_of(left), start_of(right), &p[0], &r[0], &e[0])
    check(status, [])
    return pairs, rows, rest


def pair_sums(const int64_t[::1] left_a, const int64_t[::1] right_a,
              const int64_t[::1] left_b, const int64_t[::1] right_b,
              const int64_t[::1] weights):
    cdef int64_t n = left_a.shape[0] + 1
    cdef Poll poll = Poll()
    cdef int status
    high = np.empty(n - 1, dtype=np.int64)
    low = np.empty(n - 1, dtype=np.uint64)
    cdef int64_t[::1] h = high
    cdef uint64_t[::1] w = low
    cdef uint64_t *lows = &w[0] if n > 1 else NULL
    with nogil:
        status = pw_pair_sums(n, start_of(left_a), start_of(right_a), start_of(left_b),
                              start_of(right_b), start_of(weights), lows, out_of(h),
                              &poll.asked)
    poll.check(status)
    return high, low


def pair_orders(const int64_t[::1] left_a, const int64_t[::1] right_a,
                const int64_t[::1] level_a, const int64_t[::1] left_b,
                const int64_t[::1] right_b, const int64_t[::1] level_b, int64_t n_levels):
    cdef int64_t n = left_a.shape[0] + 1
    cdef Poll poll = Poll()
    cdef uint64_t counts[4]
    cdef int status
    with nogil:
        status = pw_pair_orders(n, start_of(left_a), start_of(right_a), start_of(level_a),
                                start_of(left_b), start_of(right_b), start_of(level_b),
                                n_levels, counts, &poll.asked)
    poll.check(status)
    return from_words(counts[0], counts[1]), from_words(counts[2], counts[3])


cdef void read_walks(pw_walks *to, walks):
    cdef const int64_t[::1] parents = walks[0]
    cdef const int64_t[::1] starts = walks[1]
    cdef const int64_t[::1] sizes = walks[2]
    cdef const int64_t[::1] leaves = walks[3]
    cdef const double[::1] own = walks[4]
    cdef const double[::1] factors = walks[5]
    cdef const double[::1] reach = walks[6]
    to.parents, to.starts, to.sizes = start_of(parents), start_of(starts), start_of(sizes)
    to.leaves = start_of(leaves)
    to.own, to.factors = first_double(own), first_double(factors)
    to.reach = first_double(reach)


def walk_differences(first, second, int64_t begin, int64_t end):
    cdef int64_t n = first[3].shape[0]
    cdef Poll poll = Poll()
    cdef pw_walks a
    cdef pw_walks b
    cdef int status
    sums = np.empty(end - begin, dtype=np.int64)
    cdef int64_t[::1] to = sums
    read_walks(&a, first)
    read_walks(&b, second)
    with nogil:
        status = pw_walk_differences(n, &a, &b, begin, end, out_of(to), &poll.asked)
    poll.check(status)
    return sums
