# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Sums of two short columns of integers, and sizes of clusters in a few numbers."""

from cpython.buffer cimport PyBUF_FULL_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)

import numpy as np

from partwise._kernels.compiled.glue cimport PW_HIGH, PW_LOW, from_words, pw_u128, start_of

cdef extern from "pw_small_sums.h" nogil:
    enum:
        PW_SMALL_ITEMS
    ctypedef struct pw_small_sums:
        int64_t n_rows
        int64_t n_cols
        int64_t n_cells
        int64_t row_squares
        int64_t col_squares
        int64_t cell_squares
        int64_t row_maxima
        int64_t col_maxima
        pw_u128 row_xlogx
        pw_u128 col_xlogx
        pw_u128 cell_xlogx
    int pw_sum_small(const int64_t *rows, const int64_t *cols, int64_t n, int logarithms,
                     pw_small_sums *sums)
    void pw_size_profile(const int64_t *sizes, int64_t n, int64_t *clusters, int64_t *items)

cdef type ndarray = np.ndarray

ctypedef fused integer:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef void widen(const integer *values, int64_t n, int64_t *to) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        to[i] = <int64_t>values[i]


cdef int64_t numbers_of_list(list values, int64_t *to) except -2:
    """Copy a list of at most PW_SMALL_ITEMS integers; return how many, -1 for any other."""
    cdef int64_t n = len(values)
    cdef int64_t i = 0
    cdef int overflow = 0
    if n > PW_SMALL_ITEMS:
        return -1
    for value in values:
        if i == n or type(value) is not int:
            return -1
        to[i] = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow != 0:
            return -1
        i += 1
    return i


cdef int64_t numbers_of_array(values, int64_t *to) except -2:
    """Copy an array of native integers, 64-bit patterns as they are; as above."""
    cdef Py_buffer buffer
    cdef int64_t n = -1
    cdef char kind
    try:
        PyObject_GetBuffer(values, &buffer, PyBUF_FULL_RO)
    except (BufferError, ValueError):  # no kind of number that C knows
        return -1
    if (
        buffer.ndim == 1 and buffer.shape[0] <= PW_SMALL_ITEMS
        and buffer.strides[0] == buffer.itemsize
        and buffer.format != NULL and buffer.format[0] != 0 and buffer.format[1] == 0
        and <uint64_t>buffer.buf % <uint64_t>buffer.itemsize == 0
    ):
        n = buffer.shape[0]
        kind = buffer.format[0]
        if kind in b"bhilq":
            if buffer.itemsize == 8:
                widen(<const int64_t *>buffer.buf, n, to)
            elif buffer.itemsize == 4:
                widen(<const int32_t *>buffer.buf, n, to)
            elif buffer.itemsize == 2:
                widen(<const int16_t *>buffer.buf, n, to)
            else:
                widen(<const int8_t *>buffer.buf, n, to)
        elif kind in b"BHILQ":
            if buffer.itemsize == 8:
                widen(<const uint64_t *>buffer.buf, n, to)
            elif buffer.itemsize == 4:
                widen(<const uint32_t *>buffer.buf, n, to)
            elif buffer.itemsize == 2:
                widen(<const uint16_t *>buffer.buf, n, to)
            else:
                widen(<const uint8_t *>buffer.buf, n, to)
        else:
            n = -1
    PyBuffer_Release(&buffer)
    return n


cdef int64_t numbers_of(values, int64_t *to) except -2:
    if type(values) is list:
        return numbers_of_list(<list>values, to)
    if type(values) is ndarray:
        return numbers_of_array(values, to)
    return -1


def small_sums(reference, candidate, bint logarithms):
    cdef int64_t rows[PW_SMALL_ITEMS]
    cdef int64_t cols[PW_SMALL_ITEMS]
    cdef pw_small_sums sums
    cdef int64_t n = numbers_of(reference, rows)
    if n < 1 or numbers_of(candidate, cols) != n:
        return None
    if not pw_sum_small(rows, cols, n, logarithms, &sums):
        return None
    counted = (
        n, sums.n_rows, sums.n_cols, sums.n_cells,
        sums.row_squares, sums.col_squares, sums.cell_squares,
        sums.row_maxima, sums.col_maxima,
    )
    if not logarithms:
        return counted
    return (
        *counted,
        from_words(PW_LOW(sums.row_xlogx), PW_HIGH(sums.row_xlogx)),
        from_words(PW_LOW(sums.col_xlogx), PW_HIGH(sums.col_xlogx)),
        from_words(PW_LOW(sums.cell_xlogx), PW_HIGH(sums.cell_xlogx)),
    )


def size_profile(const int64_t[::1] sizes):
    cdef int64_t clusters[3]
    cdef int64_t items[3]
    with nogil:
        pw_size_profile(start_of(sizes), sizes.shape[0], clusters, items)
    return (clusters[0], clusters[1], clusters[2]), (items[0], items[1], items[2])
