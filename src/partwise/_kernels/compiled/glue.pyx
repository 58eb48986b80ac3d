# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""What every file of kernels needs: labels held while C reads, polls, status codes, results."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cython cimport freelist, view
from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memcpy

import numpy as np

from partwise._kernels.threads import look_for_interrupt as _look_for_interrupt
from partwise._kernels.threads import run_parts as _run_parts


cdef int look() except -1:
    """Let a pending signal handler run; raise, too, what ended the call of another thread."""
    PyErr_CheckSignals()
    _look_for_interrupt()
    return 0


cdef int ask_python(void *context) noexcept with gil:
    """Let a pending signal handler run; its exception waits in the list `context`."""
    if <list>context:  # of another thread
        return 1
    try:
        look()
    except BaseException as error:
        (<list>context).append(error)
        return 1
    return 0


cdef int ask_of_call(void *context) noexcept with gil:
    """Let a pending signal handler run; its exception waits in the poll of the call."""
    poll = <Poll>context
    try:
        look()
    except BaseException as error:
        poll.error = error
        return 1
    return 0


@freelist(8)
cdef class Poll:
    """What one call of a kernel asks whether to go on, and the exception that said no."""

    def __cinit__(self):
        self.asked.ask = ask_of_call
        self.asked.context = <void *>self

    cdef int check(self, int status) except -1:
        if status == PW_STOPPED:
            raise self.error
        return check(status, None)


cdef int look_out() except -1 nogil:
    """Let a pending signal handler run, between two parts of a long loop."""
    with gil:
        look()
    return 0


cdef int check(int status, list raised) except -1:
    if status == PW_OK:
        return 0
    if status == PW_STOPPED:
        raise raised[0]
    raise MemoryError("partwise: not enough memory for this table")


cdef class Team:
    """Threads that take a part of each step of a job."""

    def __cinit__(self, int parts):
        self.parts = max(1, min(parts, TEAM_MOST))
        self.raised = []
        self.poll.ask = ask_python
        self.poll.context = <void *>self.raised

    cdef int each(self, function) except -1:
        """Do it for each part; answer the first status that is not PW_OK. No thread is left."""
        cdef int part
        _run_parts(function, self.parts, self.raised)
        if self.raised:
            return PW_STOPPED
        for part in range(self.parts):
            if self.statuses[part] != PW_OK:
                return self.statuses[part]
        return PW_OK


cdef void free_buffer(void *data) noexcept:
    free(data)


cdef object adopt(void *data, int64_t n):
    """An int64 array over n entries of malloc'd memory, which it takes over."""
    cdef view.array owner
    cdef int64_t[::1] target
    if n * 8 > 65536:
        owner = view.array(shape=(n,), itemsize=8, format="q", mode="c",
                           allocate_buffer=False)
        owner.data = <char *>data
        owner.callback_free_data = free_buffer
        return np.asarray(owner).view(np.int64)
    result = np.empty(n, dtype=np.int64)
    if n > 0:
        target = result
        memcpy(&target[0], data, <size_t>n * 8)
    free(data)
    return result


cdef object as_labels(void *data, int64_t n, dtype):
    """64-bit patterns as an array of the labels' own integer type."""
    patterns = adopt(data, n)
    if dtype.kind == "u":
        patterns = patterns.view(np.uint64)
    return patterns.astype(dtype, copy=False)


cdef object from_words(uint64_t low, uint64_t high):
    return <object>high << 64 | <object>low


cdef class Labels:
    """Holds the buffer of an integer array while C reads it; of a copy where C could not."""

    def __cinit__(self, values):
        dtype = values.dtype
        if dtype.kind not in "iu":
            raise TypeError(f"labels of dtype {dtype} where integers are needed")
        self.view.itemsize = dtype.itemsize
        self.view.is_signed = dtype.kind == "i"
        self.view.n = values.shape[0]
        PyObject_GetBuffer(values, &self.buffer, PyBUF_SIMPLE)
        if <uintptr_t>self.buffer.buf & <uintptr_t>(self.view.itemsize - 1):  # misaligned
            PyBuffer_Release(&self.buffer)
            PyObject_GetBuffer(values.copy(), &self.buffer, PyBUF_SIMPLE)
        self.view.data = self.buffer.buf

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)
