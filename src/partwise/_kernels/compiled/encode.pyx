# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Integers as places among the distinct ones, ascending, and where two sides have equal ids."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_CROWDED, PW_NO_MEMORY, PW_OK, TEAM_MOST, Labels, Poll, Team, as_labels, check,
    out_of, pw_labels, pw_poll, start_of,
)

cdef extern from "pw_scratch.h" nogil:
    void *pw_large_malloc(int64_t bytes)

cdef extern from "pw_encode.h" nogil:
    ctypedef struct pw_encode_run:
        uint64_t least
        int64_t count
        int64_t distinct
        void *pairs
    void pw_range(const pw_labels *v, uint64_t *low, uint64_t *high)
    int pw_encode(const pw_labels *v, int64_t *codes, uint64_t **values, int64_t *k,
                  const pw_poll *poll)
    int64_t pw_encode_range(const pw_labels *v)
    int pw_encode_load(const pw_labels *v, uint64_t low, int64_t start, int64_t stop,
                       uint64_t *offsets, const pw_poll *poll)
    int pw_encode_mark(const uint64_t *offsets, int64_t start, int64_t stop, int64_t range,
                       uint8_t *marks)
    int64_t pw_encode_count(const uint8_t *marks, int64_t start, int64_t stop)
    void pw_encode_number(const uint8_t *marks, int64_t start, int64_t stop, uint64_t low,
                          int64_t number, int64_t *numbers, uint64_t *values)
    int pw_encode_look_up(int64_t *codes, int64_t start, int64_t stop,
                          const int64_t *numbers, const pw_poll *poll)
    int pw_encode_split(const uint64_t *offsets, int64_t n, int parts, uint64_t *splitters)
    int pw_encode_sort(const uint64_t *offsets, int64_t n, uint64_t least, uint64_t most,
                       pw_encode_run *run, const pw_poll *poll)
    int pw_encode_write(const pw_encode_run *run, uint64_t low, int64_t first,
                        int64_t *codes, uint64_t *values, const pw_poll *poll)
    void pw_place_ids(const int64_t *ids, int64_t start, int64_t stop, int64_t *places)
    int pw_pair_ids(const int64_t *ids, const int64_t *own_places,
                    const int64_t *other_places, int64_t start, int64_t stop,
                    int64_t *pairs)


cdef class _Encoding(Team):
    """Integers that get their numbers, a part of them in each thread."""

    cdef Labels labels
    cdef int64_t *codes  # offsets above the least label until they are numbers
    cdef uint64_t low
    cdef uint64_t lows[TEAM_MOST]
    cdef uint64_t highs[TEAM_MOST]
    cdef int64_t firsts[TEAM_MOST]  # the first number of each part
    cdef uint64_t *values
    cdef int64_t distinct
    # a small range
    cdef int64_t range
    cdef uint8_t *marks
    cdef int64_t *numbers
    # any range
    cdef uint64_t *offsets
    cdef uint64_t splitters[TEAM_MOST]
    cdef pw_encode_run runs[TEAM_MOST]

    def __dealloc__(self):
        cdef int part
        free(self.values)
        free(self.marks)
        free(self.numbers)
        free(self.offsets)
        for part in range(self.parts):
            free(self.runs[part].pairs)

    cdef int64_t start_of_part(self, int part, int64_t n) noexcept nogil:
        return n if part == self.parts else n // self.parts * part

    def range_part(self, int part):
        cdef pw_labels own = self.labels.view
        cdef int64_t start = self.start_of_part(part, own.n)
        own.n = self.start_of_part(part + 1, own.n) - start
        own.data = <const char *>own.data + start * own.itemsize
        with nogil:
            pw_range(&own, &self.lows[part], &self.highs[part])
        self.statuses[part] = PW_OK

    def load_part(self, int part):
        cdef int64_t n = self.labels.view.n
        cdef int64_t start = self.start_of_part(part, n)
        cdef int64_t stop = self.start_of_part(part + 1, n)
        cdef int status
        with nogil:
            status = pw_encode_load(&self.labels.view, self.low, start, stop,
                                    <uint64_t *>self.codes, &self.poll)
            if status == PW_OK and self.marks != NULL:
                status = pw_encode_mark(<uint64_t *>self.codes, start, stop, self.range,
                                        self.marks)
        self.statuses[part] = status

    def number_part(self, int part):
        with nogil:
            pw_encode_number(self.marks, self.start_of_part(part, self.range),
                             self.start_of_part(part + 1, self.range), self.low,
                             self.firsts[part], self.numbers, self.values)
        self.statuses[part] = PW_OK

    def look_up_part(self, int part):
        cdef int64_t n = self.labels.view.n
        with nogil:
            self.statuses[part] = pw_encode_look_up(
                self.codes, self.start_of_part(part, n), self.start_of_part(part + 1, n),
                self.numbers, &self.poll
            )

    def sort_part(self, int part):
        cdef uint64_t least = 0 if part == 0 else self.splitters[part - 1]
        cdef uint64_t most = <uint64_t>-1
        self.runs[part].count = self.runs[part].distinct = 0
        self.statuses[part] = PW_OK
        if part + 1 < self.parts:
            if self.splitters[part] == least:
                return
            most = self.splitters[part] - 1
        with nogil:
            self.statuses[part] = pw_encode_sort(
                self.offsets, self.labels.view.n, least, most, &self.runs[part], &self.poll
            )

    def write_part(self, int part):
        with nogil:
            self.statuses[part] = pw_encode_write(
                &self.runs[part], self.low, self.firsts[part], self.codes, self.values,
                &self.poll
            )

    cdef int room_for_values(self) except -1:
        self.values = <uint64_t *>malloc((<size_t>self.distinct + 1) * sizeof(uint64_t))
        return PW_NO_MEMORY if self.values == NULL else PW_OK

    cdef int by_lookup(self) except -1:
        cdef int part
        cdef int64_t at
        cdef int status
        self.marks = <uint8_t *>calloc(self.range, 1)
        self.numbers = <int64_t *>malloc(<size_t>self.range * sizeof(int64_t))
        if self.marks == NULL or self.numbers == NULL:
            return PW_NO_MEMORY
        status = self.each(self.load_part)
        if status != PW_OK:
            return status
        self.distinct = 0
        for part in range(self.parts):
            self.firsts[part] = self.distinct
            at = self.start_of_part(part, self.range)
            with nogil:
                self.distinct += pw_encode_count(
                    self.marks, at, self.start_of_part(part + 1, self.range)
                )
        status = self.room_for_values()
        if status == PW_OK:
            status = self.each(self.number_part)
        if status == PW_OK:
            status = self.each(self.look_up_part)
        return status

    cdef int by_sorting(self) except -1:
        cdef int part
        cdef int64_t n = self.labels.view.n
        cdef int64_t *codes = self.codes
        cdef int status
        free(self.marks)
        self.marks = NULL
        # codes are written while others still read offsets
        self.offsets = <uint64_t *>pw_large_malloc(n * <int64_t>sizeof(uint64_t))
        if self.offsets == NULL:
            return PW_NO_MEMORY
        self.codes = <int64_t *>self.offsets
        status = self.each(self.load_part)
        self.codes = codes
        if status == PW_OK:
            with nogil:
                status = pw_encode_split(self.offsets, n, self.parts, self.splitters)
        if status == PW_OK:
            status = self.each(self.sort_part)
        if status != PW_OK:
            return status
        self.distinct = 0
        for part in range(self.parts):
            self.firsts[part] = self.distinct
            self.distinct += self.runs[part].distinct
        status = self.room_for_values()
        return self.each(self.write_part) if status == PW_OK else status

    cdef int run(self) except -1:
        cdef int part
        cdef uint64_t high
        cdef int status = self.each(self.range_part)
        self.low, high = self.lows[0], self.highs[0]
        for part in range(1, self.parts):
            if self.labels.view.is_signed:
                self.low = <uint64_t>min(<int64_t>self.low, <int64_t>self.lows[part])
                high = <uint64_t>max(<int64_t>high, <int64_t>self.highs[part])
            else:
                self.low = min(self.low, self.lows[part])
                high = max(high, self.highs[part])
        if status == PW_OK and high - self.low < <uint64_t>pw_encode_range(&self.labels.view):
            self.range = <int64_t>(high - self.low) + 1
            status = self.by_lookup()
            if status != PW_CROWDED:
                return status
            status = PW_OK
        return self.by_sorting() if status == PW_OK else status


def encode(values, int workers=1):
    cdef Labels labels = Labels(values)
    cdef Poll poll
    cdef uint64_t *distinct = NULL
    cdef int64_t k = 0
    cdef int status
    cdef _Encoding job
    codes = np.empty(labels.view.n, dtype=np.int64)
    cdef int64_t[::1] out = codes
    cdef int64_t *to = out_of(out)
    if workers > 1 and labels.view.n >= workers:
        job = _Encoding(workers)
        job.labels, job.codes = labels, to
        check(job.run(), job.raised)
        distinct, job.values = job.values, NULL
        return as_labels(distinct, job.distinct, values.dtype), codes
    poll = Poll()
    with nogil:
        status = pw_encode(&labels.view, to, &distinct, &k, &poll.asked)
    poll.check(status)
    return as_labels(distinct, k, values.dtype), codes


cdef class _Pairing(Team):
    """Ids of two sides, of which each thread looks up a part."""

    cdef const int64_t[::1] first
    cdef const int64_t[::1] second
    cdef int64_t[::1] pairs
    cdef int64_t[::1] first_places
    cdef int64_t[::1] second_places

    cdef int64_t start_of_part(self, int part) noexcept nogil:
        cdef int64_t n = self.first.shape[0]
        return n if part == self.parts else n // self.parts * part

    def place_part(self, int part):
        cdef int64_t start = self.start_of_part(part)
        cdef int64_t stop = self.start_of_part(part + 1)
        with nogil:
            pw_place_ids(start_of(self.first), start, stop, out_of(self.first_places))
            pw_place_ids(start_of(self.second), start, stop, out_of(self.second_places))
        self.statuses[part] = PW_OK

    def pair_part(self, int part):
        with nogil:
            self.statuses[part] = pw_pair_ids(
                start_of(self.first), out_of(self.first_places), out_of(self.second_places),
                self.start_of_part(part), self.start_of_part(part + 1), out_of(self.pairs)
            )


def one_to_one(const int64_t[::1] first, const int64_t[::1] second, int64_t n_ids,
               int workers=1):
    if first.shape[0] != n_ids or second.shape[0] != n_ids:
        return None
    cdef _Pairing job = _Pairing(workers)
    cdef int status
    pairs = np.empty(n_ids, dtype=np.int64)
    job.first, job.second, job.pairs = first, second, pairs
    job.first_places = np.zeros(n_ids, dtype=np.int64)
    job.second_places = np.zeros(n_ids, dtype=np.int64)
    job.each(job.place_part)
    status = job.each(job.pair_part)
    if status == PW_CROWDED:
        return None
    check(status, job.raised)
    return pairs
