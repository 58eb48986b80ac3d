# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Python values as numbers, by hashing."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

import numpy as np


def types_of(list values):
    cdef set found = set()
    cdef PyObject *last = NULL
    for value in values:
        kind = type(value)
        if <PyObject *>kind != last:
            found.add(kind)
            last = <PyObject *>kind
    return found


def number_values(list values):
    cdef dict number = {}
    cdef int64_t n = len(values)
    cdef int64_t i = 0
    cdef int64_t used = 0
    cdef int64_t code
    cdef PyObject *known
    codes = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = codes
    for value in values:
        known = PyDict_GetItemWithError(number, value)
        if known == NULL:
            code = used
            number[value] = code
            used += 1
        else:
            code = <int64_t><object>known
        if i == n:  # the list grew while its values were compared
            break
        to[i] = code
        i += 1
    return codes, list(number)
