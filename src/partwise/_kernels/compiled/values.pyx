# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Python values as numbers, by hashing."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

import numpy as np


def types_of(list values):
    cdef set types = set()
    cdef PyObject *last = NULL
    for value in values:
        kind = type(value)
        if <PyObject *>kind != last:
            types.add(kind)
            last = <PyObject *>kind
    return types


def integers_of(list values):
    cdef int64_t n = len(values)
    cdef int64_t i = 0
    cdef int overflow = 0
    numbers = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = numbers
    for value in values:
        if i == n or type(value) is not int:
            return None
        to[i] = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow != 0:
            return None
        i += 1
    return numbers if i == n else None


def integer_pairs_of(list values):
    cdef int64_t n = len(values)
    cdef int64_t i = 0
    cdef int overflow[2]
    cdef tuple pair
    numbers = np.empty((n, 2), dtype=np.int64)
    cdef int64_t[:, ::1] to = numbers
    for value in values:
        if i == n or type(value) is not tuple:
            return None
        pair = <tuple>value
        if len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) is not int:
            return None
        to[i, 0] = PyLong_AsLongLongAndOverflow(pair[0], &overflow[0])
        to[i, 1] = PyLong_AsLongLongAndOverflow(pair[1], &overflow[1])
        if overflow[0] != 0 or overflow[1] != 0:
            return None
        i += 1
    return numbers if i == n else None


def number_values(list values):
    cdef dict number = {}
    cdef int64_t n = len(values)
    cdef int64_t i = 0
    cdef int64_t used = 0
    cdef int64_t code
    cdef PyObject *number_of_value
    codes = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = codes
    for value in values:
        number_of_value = PyDict_GetItemWithError(number, value)
        if number_of_value == NULL:
            code = used
            number[value] = code
            used += 1
        else:
            code = <int64_t><object>number_of_value
        if i == n:  # the list grew while its values were compared
            break
        to[i] = code
        i += 1
    return codes, list(number)
