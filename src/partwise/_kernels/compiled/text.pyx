# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Text and bytes as places among the distinct ones, ascending."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

import numpy as np

from partwise._kernels.reference import text as _text
from partwise._kernels.compiled.glue cimport Labels
from partwise._kernels.compiled.numbering cimport numbered, pw_items

cdef extern from "pw_items.h" nogil:
    int pw_whole_items(const pw_items *items, int64_t *out)
    int64_t pw_put_utf8(const void *points, int size, int64_t n, char *to)

cdef extern from "Python.h":
    PyObject *item_type "(PyObject *)Py_TYPE"(PyObject *)
    PyObject *text_type "(PyObject *)&PyUnicode_Type"
    PyObject *bytes_type "(PyObject *)&PyBytes_Type"
    PyObject *float_type "(PyObject *)&PyFloat_Type"
    PyObject *none "Py_None"
    double PyFloat_AS_DOUBLE(PyObject *)
    int is_compact "PyUnicode_IS_COMPACT"(PyObject *)
    int is_ascii "PyUnicode_IS_ASCII"(PyObject *)
    int PyUnicode_KIND(PyObject *)
    const void *PyUnicode_DATA(PyObject *)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *)
    const char *PyBytes_AS_STRING(PyObject *)
    Py_ssize_t PyBytes_GET_SIZE(PyObject *)
    PyObject **PySequence_Fast_ITEMS(object)

cdef extern from *:
    """
    #define ahead(at) __builtin_prefetch(at)
    #ifdef Py_GIL_DISABLED
    #define NO_GIL 1
    #else
    #define NO_GIL 0
    #endif
    """
    void ahead(const void *) nogil
    bint NO_GIL

cdef enum:
    AHEAD = 16  # values between asking for memory and reading it
    POLL_ITEMS = 1 << 22
    FEW_LABELS = 1024  # so many are fetched wherever they lie


def number_unordered(data, offsets, int workers=1):
    cdef Labels bytes_of = Labels(data)
    cdef Labels ends = Labels(offsets)
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, ends.view.data,
                                   ends.view.itemsize, 0, ends.view.n - 1, NULL, 0)
    numbers = numbered(&items, 1, workers, False)
    if numbers is None:
        return _text.number_unordered(data, offsets)
    codes, firsts = numbers
    return codes, len(firsts)


def whole_spans(data, offsets):
    cdef Labels bytes_of = Labels(data)
    cdef Labels ends = Labels(offsets)
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, ends.view.data,
                                   ends.view.itemsize, 0, ends.view.n - 1, NULL, 0)
    cdef int whole = 1
    numbers = np.empty(items.n, dtype=np.int64)
    cdef int64_t[::1] out = numbers
    if items.n > 0:
        with nogil:
            whole = pw_whole_items(&items, &out[0])
    return numbers if whole else None


def number_fixed(values, int workers=1):
    cdef Labels bytes_of = Labels(values.view(np.uint8))
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, NULL, 0,
                                   values.dtype.itemsize, values.shape[0], NULL, 0)
    numbers = numbered(&items, 4 if values.dtype.kind == "U" else 1, workers)
    return _text.number_fixed(values) if numbers is None else numbers


def number_spans(data, offsets, skipped, int workers=1):
    cdef Labels bytes_of = Labels(data)
    cdef Labels ends = Labels(offsets)
    cdef Labels gone = Labels(np.empty(0, dtype=np.uint8) if skipped is None else skipped)
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, ends.view.data,
                                   ends.view.itemsize, 0, ends.view.n - 1, NULL, 0)
    if skipped is not None:
        items.skipped = <const uint8_t *>gone.view.data
    numbers = numbered(&items, 1, workers)
    return _text.number_spans(data, offsets, skipped) if numbers is None else numbers


cdef class _Spans:
    """Python values as runs of bytes, one behind another, in memory of its own."""

    cdef char *text
    cdef int64_t used
    cdef object ends, skipped
    cdef bint raw, lacking

    def __cinit__(self):
        self.text = NULL
        self.used = 0

    def __dealloc__(self):
        free(self.text)

    cdef bint read(self, values, bint may_lack) except -1:
        """Whether all values are text, or all bytes, but for missing ones where they may be."""
        cdef PyObject **objects
        cdef int64_t n = len(values)
        cdef int64_t room = 16 * n + 64
        cdef int64_t used = 0
        cdef int64_t length
        cdef int64_t i
        cdef PyObject *item
        cdef PyObject *kind
        cdef PyObject *wanted = NULL
        cdef char *text
        cdef char *grown
        cdef int64_t[::1] offsets
        cdef uint8_t[::1] gone
        self.lacking = False
        self.ends = np.empty(n + 1, dtype=np.int64)
        self.skipped = np.zeros(n, dtype=np.uint8)
        offsets = self.ends
        gone = self.skipped
        text = self.text = <char *>malloc(<size_t>room)
        if text == NULL:
            raise MemoryError("partwise: not enough memory for these labels")
        objects = values_of(values, n)
        for i in range(n):
            if i % POLL_ITEMS == POLL_ITEMS - 1:
                PyErr_CheckSignals()
                objects = values_of(values, n)
            # up to here other threads may have changed the list, from here on they cannot
            offsets[i] = used
            if i + AHEAD < n:
                ahead(objects[i + AHEAD])
            item = objects[i]
            if item == NULL:
                return False
            kind = item_type(item)
            if item == none or (kind == float_type and isnan(PyFloat_AS_DOUBLE(item))):
                if not may_lack:
                    return False
                gone[i] = 1
                self.lacking = True
                continue
            if wanted == NULL:
                wanted = kind
            if kind != wanted:
                return False
            if kind == text_type:
                if not is_compact(item):
                    return False
                length = PyUnicode_GET_LENGTH(item)
                if not is_ascii(item):
                    length *= 4
            elif kind == bytes_type:
                length = PyBytes_GET_SIZE(item)
            else:
                return False
            if used + length > room:
                room = 2 * room + length
                grown = <char *>realloc(text, <size_t>room)
                if grown == NULL:
                    raise MemoryError("partwise: not enough memory for these labels")
                text = self.text = grown
            if kind == bytes_type:
                memcpy(text + used, PyBytes_AS_STRING(item), <size_t>length)
                used += length
            elif is_ascii(item):
                memcpy(text + used, PyUnicode_DATA(item), <size_t>length)
                used += length
            else:
                used += pw_put_utf8(PyUnicode_DATA(item), PyUnicode_KIND(item),
                                    PyUnicode_GET_LENGTH(item), text + used)
        offsets[n] = used
        self.used = used
        self.raw = wanted == bytes_type
        return wanted != NULL


def number_text(values, int workers=1):
    cdef _Spans spans = _Spans()
    cdef int64_t[::1] offsets
    cdef uint8_t[::1] gone
    cdef pw_items items
    values = own_values(values)
    if len(values) == 0 or not may_be_text(values) or not spans.read(values, True):
        return None
    offsets = spans.ends
    gone = spans.skipped
    items = pw_items(spans.text, &offsets[0], 8, 0, len(values), NULL, 0)
    if spans.lacking:
        items.skipped = &gone[0]
    numbers = numbered(&items, 1, workers)
    if numbers is None:
        return None
    labels = labels_at(values, numbers[0], numbers[1], spans.text, offsets, spans.raw)
    return numbers[0], labels, spans.skipped.view(bool) if spans.lacking else None


def text_spans(values):
    cdef _Spans spans = _Spans()
    values = own_values(values)
    if len(values) == 0 or not may_be_text(values) or not spans.read(values, False):
        return None
    if spans.used == 0:
        return np.empty(0, dtype=np.uint8), spans.ends, spans.raw
    data = np.array(<uint8_t[:spans.used]><uint8_t *>spans.text)
    return data, spans.ends, spans.raw


cdef object own_values(values):
    """The values, where other threads could let go of one while it is read: a copy of them."""
    if NO_GIL:
        return list(values) if type(values) is list else values.copy()
    return values


cdef bint may_be_text(values) except -1:
    """Whether the first value is text, bytes, or missing."""
    return type(values[0]) in (str, bytes, type(None), float)


cdef PyObject **values_of(values, int64_t n) except NULL:
    """Where a list or a contiguous object array holds its n values."""
    if len(values) != n:
        raise RuntimeError(
            "the list of labels changed its size while it was read: another thread had it"
        )
    if type(values) is list:
        return PySequence_Fast_ITEMS(values)
    return <PyObject **><uintptr_t>values.__array_interface__["data"][0]


cdef object labels_at(
    values, codes, positions, const char *text, const int64_t[::1] offsets, bint raw
):
    """The labels that were read at these positions: the values, where they are still there.

    Many are fetched in the order of the values, which mostly lie in memory like that.
    """
    cdef int64_t n = offsets.shape[0] - 1
    cdef const int64_t[::1] at = positions
    cdef const int32_t[::1] code_of = codes
    cdef int64_t k = at.shape[0]
    cdef int64_t i, j
    cdef PyObject **objects
    labels = np.empty(k, dtype=object)
    cdef object[::1] to = labels
    try:
        objects = values_of(values, n)
    except RuntimeError:
        objects = NULL
    if k <= FEW_LABELS or k < n // 16:
        for j in range(k):
            if objects != NULL and j + AHEAD < k:
                ahead(objects[at[j + AHEAD]])
            to[j] = label_at(objects, at[j], text, offsets, raw)
        return labels
    for i in range(n):
        if objects != NULL and i + AHEAD < n:
            ahead(objects[i + AHEAD])
        j = code_of[i]
        if at[j] == i:
            to[j] = label_at(objects, i, text, offsets, raw)
    return labels


cdef object label_at(
    PyObject **objects, int64_t i, const char *text, const int64_t[::1] offsets, bint raw
):
    cdef const char *span = text + offsets[i]
    cdef int64_t length = offsets[i + 1] - offsets[i]
    if objects != NULL and is_same(objects[i], span, length, raw):
        return <object>objects[i]
    if raw:
        return PyBytes_FromStringAndSize(span, length)
    return PyUnicode_DecodeUTF8(span, length, "surrogatepass")


cdef bint is_same(PyObject *item, const char *span, int64_t length, bint raw) noexcept:
    """Whether a value is the bytes, or the ASCII text, that were read."""
    if item == NULL:
        return False
    if raw:
        return (item_type(item) == bytes_type and PyBytes_GET_SIZE(item) == length
                and memcmp(PyBytes_AS_STRING(item), span, <size_t>length) == 0)
    return (item_type(item) == text_type and is_compact(item) and is_ascii(item)
            and PyUnicode_GET_LENGTH(item) == length
            and memcmp(PyUnicode_DATA(item), span, <size_t>length) == 0)
