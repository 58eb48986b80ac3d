# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Items that are runs of bytes, and their numbers."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef extern from "pw_items.h" nogil:
    ctypedef struct pw_items:
        const char *data
        const void *offsets
        int offset_size
        int64_t width
        int64_t n
        const uint8_t *skipped
        uint64_t seed


cdef object numbered(pw_items *items, int unit, int workers, bint ordered=*)
