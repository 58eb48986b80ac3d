# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""What the clusters of soft clusterings share: sums of min(p, q) over items."""

from libc.stdint cimport int64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_OK, Poll, first_double, pw_poll, start_of,
)

cdef extern from "pw_shared_mass.h" nogil:
    int pw_shared_mass(const double *p, const double *q, int64_t n, int64_t n_rows,
                       int64_t n_cols, int64_t first, int64_t last, double *shared,
                       const pw_poll *poll)
    int pw_shared_mass_sparse(const int64_t *p_indptr, const int64_t *p_cols,
                              const double *p_values, const int64_t *q_indptr,
                              const int64_t *q_cols, const double *q_values, int64_t n,
                              int64_t n_rows, int64_t n_cols, double *shared,
                              const pw_poll *poll)


def shared_mass(const double[:, ::1] p, const double[:, ::1] q, int64_t first,
                int64_t last):
    cdef Poll poll = Poll()
    cdef int status = PW_OK
    cdef int64_t n = p.shape[0]
    cdef int64_t n_rows = p.shape[1]
    cdef int64_t n_cols = q.shape[1]
    result = np.zeros((n_rows, last - first), dtype=np.float64)
    cdef double[:, ::1] out = result
    with nogil:
        if n > 0 and n_rows > 0 and last > first:
            status = pw_shared_mass(&p[0, 0], &q[0, 0], n, n_rows, n_cols, first, last,
                                    &out[0, 0], &poll.asked)
    poll.check(status)
    return result


def shared_mass_sparse(const int64_t[::1] p_indptr, const int64_t[::1] p_cols,
                       const double[::1] p_values, const int64_t[::1] q_indptr,
                       const int64_t[::1] q_cols, const double[::1] q_values,
                       int64_t n_rows, int64_t n_cols):
    cdef Poll poll = Poll()
    cdef int status = PW_OK
    cdef int64_t n = p_indptr.shape[0] - 1
    result = np.zeros((n_rows, n_cols), dtype=np.float64)
    cdef double[:, ::1] out = result
    with nogil:
        if n_rows > 0 and n_cols > 0:
            status = pw_shared_mass_sparse(
                &p_indptr[0], start_of(p_cols), first_double(p_values), &q_indptr[0],
                start_of(q_cols), first_double(q_values), n, n_rows, n_cols, &out[0, 0],
                &poll.asked)
    poll.check(status)
    return result
