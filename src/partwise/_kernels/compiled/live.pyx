# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""A table that changes: keys with a value each in a hash table, and counters that move."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport out_of, start_of

cdef extern from "pw_live.h" nogil:
    ctypedef struct pw_entry:
        int64_t key
        int64_t value
    int64_t pw_live_find(pw_entry *entries, int bits, uint64_t seed, const int64_t *keys,
                         int64_t n, int64_t first, int64_t step, int64_t *slots)
    int64_t pw_live_shift(int64_t *counts, int64_t stride, const int64_t *places,
                          const int64_t *changes, int64_t n, int64_t *touched,
                          int64_t *before)


def find_keys(int64_t[:, ::1] entries, uint64_t seed, const int64_t[::1] keys, int64_t first,
              int64_t step):
    cdef int64_t n = keys.shape[0]
    cdef int bits = int(entries.shape[0]).bit_length() - 1
    cdef int64_t added
    slots = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = slots
    with nogil:
        added = pw_live_find(<pw_entry *>&entries[0, 0], bits, seed, start_of(keys), n, first,
                             step, out_of(out))
    return slots, added


def shifted_counts(int64_t[:] counts, const int64_t[::1] places, const int64_t[::1] changes):
    cdef int64_t n = places.shape[0]
    cdef int64_t stride = counts.strides[0] // <int64_t>sizeof(int64_t)
    cdef int64_t used = 0
    cdef int64_t j
    cdef int64_t *held
    touched = np.empty(n, dtype=np.int64)
    before = np.empty(n, dtype=np.int64)
    after = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = touched
    cdef int64_t[::1] old = before
    cdef int64_t[::1] new = after
    with nogil:
        if n > 0:
            used = pw_live_shift(&counts[0], stride, &places[0], &changes[0], n, &to[0],
                                 &old[0])
        for j in range(used):  # the counts themselves stay as they were
            held = &counts[0] + to[j] * stride
            new[j] = held[0]
            held[0] = old[j]
    return touched[:used], before[:used], after[:used]
