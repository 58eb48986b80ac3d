# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What every file of kernels needs: labels held while C reads, polls, status codes, results."""

from libc.stdint cimport int64_t, uint64_t

cdef extern from "pw_common.h" nogil:
    enum:
        PW_OK
        PW_NO_MEMORY
        PW_STOPPED
        PW_CROWDED
    # only named here: C knows that these are 128 bits wide
    ctypedef unsigned long long pw_u128
    ctypedef long long pw_i128
    ctypedef struct pw_labels:
        const void *data
        int64_t n
        int itemsize
        int is_signed
    ctypedef struct pw_poll:
        int (*ask)(void *context) noexcept nogil
        void *context
    int64_t pw_rows_to_poll(const int64_t *indptr, int64_t r, int64_t n_rows)
    enum:
        PW_POLL_SCATTERED

cdef extern from *:
    """
    #define PW_LOW(x) ((uint64_t)(x))
    #define PW_HIGH(x) ((uint64_t)((x) >> 64))
    """
    uint64_t PW_LOW(pw_u128 x) nogil
    uint64_t PW_HIGH(pw_u128 x) nogil


cdef class Labels:
    cdef Py_buffer buffer
    cdef pw_labels view


cdef enum:
    TEAM_MOST = 64  # PW_WORKERS_MOST


cdef class Team:
    """Threads that take a part of each step, and what came of it."""

    cdef readonly int parts
    cdef int statuses[TEAM_MOST]
    cdef list raised
    cdef pw_poll poll

    cdef int each(self, function) except -1


cdef class Poll:
    """What one call of a kernel asks whether to go on, and the exception that said no."""

    cdef object error
    cdef pw_poll asked

    cdef int check(self, int status) except -1


cdef int look_out() except -1 nogil
cdef int ask_python(void *context) noexcept with gil
cdef int check(int status, list raised) except -1
cdef object adopt(void *data, int64_t n)
cdef object as_labels(void *data, int64_t n, dtype)
cdef object from_words(uint64_t low, uint64_t high)


cdef inline const int64_t *start_of(const int64_t[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL


cdef inline int64_t *out_of(int64_t[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL


cdef inline const double *first_double(const double[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL
