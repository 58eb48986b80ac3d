# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Python values and items of fixed width as numbers, by hashing."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

import numpy as np

from partwise._kernels import _values
from partwise._kernels.compiled.glue cimport (
    Labels, PW_CROWDED, adopt, ask_python, check, out_of, pw_poll,
)

cdef extern from "pw_items.h" nogil:
    int pw_number_items(const void *data, int64_t n, int64_t width, int64_t *codes,
                        int64_t **firsts, int64_t *k, const pw_poll *poll)


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


def number_items(items, int64_t width):
    cdef Labels bytes_of = Labels(items)
    cdef int64_t n = bytes_of.view.n // width
    cdef list raised = []
    cdef pw_poll poll
    cdef int64_t *firsts = NULL
    cdef int64_t k = 0
    cdef int status
    codes = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = codes
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_number_items(bytes_of.view.data, n, width, out_of(to), &firsts, &k, &poll)
    if status == PW_CROWDED:  # a dict hashes by a secret
        return _values.number_items(items, width)
    check(status, raised)
    return codes, adopt(firsts, k)
