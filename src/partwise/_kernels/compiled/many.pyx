# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Sums of one clustering against many, straight from their codes."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_OK, Labels, Poll, pw_labels, pw_poll, start_of,
)

cdef extern from "pw_many.h" nogil:
    enum:
        PW_MANY_WORDS
    ctypedef struct pw_many:
        pw_labels codes
        const int64_t *sizes
        const int64_t *starts
    int pw_many_sums(const pw_many *many, int64_t reference, const int64_t *candidates,
                     int64_t n_candidates, int wanted, int fraction_bits, uint64_t *words,
                     const pw_poll *poll)


def many_sums(codes, const int64_t[::1] sizes, const int64_t[::1] starts, int64_t reference,
              const int64_t[::1] candidates, int wanted, int fraction_bits):
    cdef Labels labels = Labels(codes)
    cdef Poll poll = Poll()
    cdef pw_many many
    cdef int status
    sums_by_candidate = np.empty((candidates.shape[0], PW_MANY_WORDS), dtype=np.uint64)
    cdef uint64_t[:, ::1] to = sums_by_candidate
    many.codes = labels.view
    many.codes.n = codes.shape[1]
    many.sizes = start_of(sizes)
    many.starts = start_of(starts)
    with nogil:
        status = PW_OK
        if candidates.shape[0] > 0:
            status = pw_many_sums(&many, reference, &candidates[0], candidates.shape[0],
                                  wanted, fraction_bits, &to[0, 0], &poll.asked)
    poll.check(status)
    return sums_by_candidate
