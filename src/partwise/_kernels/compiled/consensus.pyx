# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""The search for a clustering of least expected loss."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport Poll, pw_poll

cdef extern from "pw_consensus.h" nogil:
    enum:
        PW_LAYOUT_DENSE
        PW_LAYOUT_SPARSE
    ctypedef struct pw_ensemble:
        int64_t n
        int64_t n_draws
        const uint32_t *codes
        const int64_t *starts
        const uint32_t *weights
        const uint32_t *gain
        const double *sums
        double most
        int loss
        int64_t join
        int layout
    int pw_consensus_run(const pw_ensemble *ensemble, int64_t *labels, int64_t max_clusters,
                         int64_t n_disturbed, int64_t most_passes, const uint64_t *key,
                         int64_t *passes, int64_t *moves, const pw_poll *poll)


def consensus_run(const uint32_t[:, ::1] codes, const int64_t[::1] starts,
                  const uint32_t[::1] weights, const uint32_t[::1] gain,
                  const double[::1] sums, double most, int loss, int64_t join, bint dense,
                  const int64_t[::1] first, int64_t max_clusters, int64_t n_disturbed,
                  int64_t most_passes, uint64_t seed, uint64_t stream):
    cdef pw_ensemble ensemble
    cdef uint64_t[2] key
    cdef Poll poll = Poll()
    cdef int64_t passes = 0
    cdef int64_t moves = 0
    cdef int status
    labels = np.array(first)
    cdef int64_t[::1] to = labels
    ensemble.n = codes.shape[0]
    ensemble.n_draws = codes.shape[1]
    ensemble.codes = &codes[0, 0]
    ensemble.starts = &starts[0]
    ensemble.weights = &weights[0]
    ensemble.gain = &gain[0]
    ensemble.sums = &sums[0]
    ensemble.most = most
    ensemble.loss = loss
    ensemble.join = join
    ensemble.layout = PW_LAYOUT_DENSE if dense else PW_LAYOUT_SPARSE
    key[0] = seed
    key[1] = stream
    with nogil:
        status = pw_consensus_run(&ensemble, &to[0], max_clusters, n_disturbed, most_passes,
                                  key, &passes, &moves, &poll.asked)
    poll.check(status)
    return labels, passes, moves
