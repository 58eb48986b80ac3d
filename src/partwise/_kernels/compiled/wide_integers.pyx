# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Arrays of 128-bit integers: sums, products, quotients; a stable order of doubles."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport Poll, first_double, out_of, pw_poll

cdef extern from "pw_wide_integers.h" nogil:
    ctypedef struct pw_wides:
        const int64_t *high
        const uint64_t *low
        int64_t step
    int pw_wide_sum(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                    uint64_t *low)
    int pw_wide_difference(const pw_wides *x, const pw_wides *y, int64_t n,
                           int64_t *high, uint64_t *low)
    int pw_wide_product(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                        uint64_t *low)
    int pw_stable_order(const double *values, int64_t n, int64_t *order,
                        const pw_poll *poll)

cdef extern from "pw_ratios.h" nogil:
    void pw_wide_ratio(const int64_t *above_high, const uint64_t *above_low,
                       const int64_t *below_high, const uint64_t *below_low, int64_t n,
                       double *out)


def wide_ratio(const int64_t[::1] num_high, const uint64_t[::1] num_low,
               const int64_t[::1] den_high, const uint64_t[::1] den_low):
    cdef int64_t n = num_high.shape[0]
    result = np.empty(n, dtype=np.float64)
    cdef double[::1] to = result
    with nogil:
        if n > 0:
            pw_wide_ratio(&num_high[0], &num_low[0], &den_high[0], &den_low[0], n, &to[0])
    return result


ctypedef int (*wide_operation)(const pw_wides *x, const pw_wides *y, int64_t n,
                               int64_t *high, uint64_t *low) noexcept nogil


cdef pw_wides wides(const int64_t[::1] high, const uint64_t[::1] low,
                    int64_t n) except *:
    cdef pw_wides result
    if low.shape[0] != high.shape[0] or high.shape[0] not in (1, n):
        raise ValueError("arrays of 128-bit integers differ in length")
    result.high, result.low = &high[0], &low[0]
    result.step = 0 if high.shape[0] == 1 else 1
    return result


cdef tuple combine_wides(wide_operation combine, const int64_t[::1] x_high,
                         const uint64_t[::1] x_low, const int64_t[::1] y_high,
                         const uint64_t[::1] y_low):
    cdef int64_t n = x_high.shape[0]
    cdef int beyond = 0
    cdef pw_wides x, y
    if n == 1:
        n = y_high.shape[0]
    elif y_high.shape[0] == 0:
        n = 0
    high, low = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.uint64)
    cdef int64_t[::1] h = high
    cdef uint64_t[::1] w = low
    if n > 0:
        x, y = wides(x_high, x_low, n), wides(y_high, y_low, n)
        with nogil:
            beyond = combine(&x, &y, n, &h[0], &w[0])
    return high, low, beyond != 0


def wide_sum(const int64_t[::1] x_high, const uint64_t[::1] x_low,
             const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_sum, x_high, x_low, y_high, y_low)


def wide_difference(const int64_t[::1] x_high, const uint64_t[::1] x_low,
                    const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_difference, x_high, x_low, y_high, y_low)


def wide_product(const int64_t[::1] x_high, const uint64_t[::1] x_low,
                 const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_product, x_high, x_low, y_high, y_low)


def stable_order(const double[::1] values):
    cdef Poll poll = Poll()
    cdef int status
    result = np.empty(values.shape[0], dtype=np.int64)
    cdef int64_t[::1] to = result
    with nogil:
        status = pw_stable_order(first_double(values), values.shape[0], out_of(to), &poll.asked)
    poll.check(status)
    return result
