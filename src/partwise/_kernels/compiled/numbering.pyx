# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Items get their numbers, by one thread or several: the same numbers either way."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

import os as _os
from functools import partial as _partial

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_CROWDED, PW_NO_MEMORY, PW_OK, TEAM_MOST, Team, adopt, check, pw_poll,
)

cdef extern from "pw_items.h" nogil:
    ctypedef struct pw_item_lists:
        int n
        int64_t **places
        uint8_t **buckets
        const int64_t *sizes
    int pw_hash_items(const pw_items *items, int64_t start, int64_t stop, uint64_t *hashes,
                      const pw_poll *poll)
    int pw_number_items(const pw_items *items, const uint64_t *hashes, int parts, int part,
                        int32_t *codes, int64_t **firsts, int64_t *k, const pw_poll *poll)
    int pw_order_items(const pw_items *items, int unit, int64_t *places, int32_t *ranks,
                       int64_t k, const pw_poll *poll)
    int pw_few_distinct(const pw_items *items, int *few)
    int64_t pw_bytes_of_items(const pw_items *items, const int64_t *places, int64_t k)
    void pw_copy_items(const pw_items *items, const int64_t *places, int64_t k,
                       int64_t start, char *to, int64_t *offsets)
    int pw_choose_splitters(const pw_items *items, int unit, const pw_item_lists *lists,
                            int64_t *splitters)
    int pw_split_items(const pw_items *items, int unit, const pw_item_lists *lists,
                       int part, const int64_t *splitters, int64_t *counts,
                       const pw_poll *poll)
    int pw_order_bucket(const pw_items *items, int unit, const pw_item_lists *lists,
                        int bucket, int64_t size, int64_t *places, int32_t *ranks,
                        const pw_poll *poll)
    void pw_join_ranks(const pw_item_lists *lists, const int64_t *starts,
                       const int32_t *ranks, int32_t *to)
    void pw_renumber(const pw_items *items, int32_t *codes, const int32_t *ranks)

cdef uint64_t SEED = int.from_bytes(_os.urandom(8), "little")  # the numbers do not depend on it

cdef enum:
    ORDERED_ITEMS = 1 << 15  # distinct items that are worth a thread


cdef class _Numbering(Team):
    """Items that get their numbers, a part of them in each thread."""

    cdef pw_items *items
    cdef int unit
    cdef int32_t *codes
    cdef uint64_t *hashes
    cdef int64_t *firsts[TEAM_MOST]  # of the distinct items of each part
    cdef int64_t sizes[TEAM_MOST]  # of these lists
    # of the distinct items of ranges
    cdef int64_t bytes_of[TEAM_MOST]
    cdef int64_t starts[TEAM_MOST]
    cdef int64_t text_starts[TEAM_MOST]
    cdef char *text
    cdef int64_t *ends
    cdef int64_t *places
    # of the order of distinct items
    cdef uint8_t *buckets[TEAM_MOST]
    cdef int64_t *counts  # by list and bucket
    cdef int64_t bucket_sizes[TEAM_MOST]
    cdef int64_t splitters[TEAM_MOST]
    cdef int64_t *sorted_places
    cdef int32_t *sorted_ranks
    cdef int32_t *ranks  # by code

    def __dealloc__(self):
        cdef int part
        free(self.hashes)
        free(self.text)
        free(self.ends)
        free(self.places)
        free(self.sorted_places)
        free(self.sorted_ranks)
        free(self.ranks)
        free(self.counts)
        for part in range(self.parts):
            free(self.firsts[part])
            free(self.buckets[part])

    cdef int64_t start_of(self, int part) noexcept nogil:
        return self.items.n if part == self.parts else self.items.n // self.parts * part

    cdef pw_items range_of(self, int part) noexcept nogil:
        cdef pw_items own = self.items[0]
        cdef int64_t start = self.start_of(part)
        own.n = self.start_of(part + 1) - start
        if own.skipped != NULL:
            own.skipped += start
        if own.offsets != NULL:
            own.offsets = <const char *>own.offsets + own.offset_size * start
        else:
            own.data += own.width * start
        return own

    cdef pw_item_lists lists(self) noexcept nogil:
        cdef pw_item_lists own
        own.n, own.places, own.buckets = self.parts, self.firsts, self.buckets
        own.sizes = self.sizes
        return own

    # ---- ranges of items: few are distinct

    def number_range(self, int part):
        cdef pw_items own = self.range_of(part)
        cdef int status
        with nogil:
            status = pw_number_items(
                &own, NULL, 1, 0, self.codes + self.start_of(part), &self.firsts[part],
                &self.sizes[part], &self.poll
            )
            if status == PW_OK:
                self.bytes_of[part] = pw_bytes_of_items(
                    &own, self.firsts[part], self.sizes[part]
                )
        self.statuses[part] = status

    def copy_range(self, int part):
        cdef pw_items own = self.range_of(part)
        cdef int64_t start = self.start_of(part)
        cdef int64_t at = self.starts[part]
        cdef int64_t j
        with nogil:
            pw_copy_items(&own, self.firsts[part], self.sizes[part],
                          self.text_starts[part], self.text, self.ends + at)
            for j in range(self.sizes[part]):
                self.places[at + j] = start + self.firsts[part][j]
        self.statuses[part] = PW_OK

    cdef object by_ranges(self, codes, bint ordered):
        """Codes and first places; None if hashing gave up."""
        cdef int64_t total = 0
        cdef int64_t bytes_used = 0
        cdef int part
        cdef int status = self.each(self.number_range)
        cdef pw_items copies
        if status == PW_CROWDED:
            return None
        check(status, self.raised)
        for part in range(self.parts):
            self.starts[part], self.text_starts[part] = total, bytes_used
            total += self.sizes[part]
            bytes_used += self.bytes_of[part]
        self.text = <char *>malloc(<size_t>bytes_used + 1)
        self.ends = <int64_t *>calloc(<size_t>total + 1, sizeof(int64_t))
        self.places = <int64_t *>malloc((<size_t>total + 1) * sizeof(int64_t))
        if self.text == NULL or self.ends == NULL or self.places == NULL:
            check(PW_NO_MEMORY, self.raised)
        self.each(self.copy_range)
        copies = pw_items(self.text, self.ends, 8, 0, total, NULL, SEED)
        numbers = numbered(&copies, self.unit, <int>min(self.parts, total // ORDERED_ITEMS),
                           ordered)
        if numbers is None:
            return None
        check(self.each(_partial(self.renumber_range, ranks=numbers[0])), self.raised)
        places = adopt(self.places, total)
        self.places = NULL
        return codes, places[numbers[1]]

    def renumber_range(self, int part, const int32_t[::1] ranks):
        cdef pw_items own = self.range_of(part)
        if self.sizes[part] > 0:
            with nogil:
                pw_renumber(&own, self.codes + self.start_of(part),
                            &ranks[self.starts[part]])
        self.statuses[part] = PW_OK

    # ---- items of some hashes: many are distinct, or there is one thread

    def hash_part(self, int part):
        cdef int64_t start = self.start_of(part)
        cdef int64_t stop = self.start_of(part + 1)
        with nogil:
            self.statuses[part] = pw_hash_items(
                self.items, start, stop, self.hashes, &self.poll
            )

    def number_part(self, int part):
        with nogil:
            self.statuses[part] = pw_number_items(
                self.items, self.hashes, self.parts, part, self.codes, &self.firsts[part],
                &self.sizes[part], &self.poll
            )

    def renumber_part(self, int part):
        cdef pw_items own = self.range_of(part)
        with nogil:
            pw_renumber(&own, self.codes + self.start_of(part), self.ranks)
        self.statuses[part] = PW_OK

    cdef int by_hashes(self) except -1:
        cdef int status = PW_OK
        if self.parts > 1:
            self.hashes = <uint64_t *>malloc((<size_t>self.items.n + 1) * sizeof(uint64_t))
            if self.hashes == NULL:
                return PW_NO_MEMORY
            status = self.each(self.hash_part)
        if status == PW_OK:
            status = self.each(self.number_part)
        free(self.hashes)
        self.hashes = NULL
        return status

    # ---- the order of distinct items

    def split_part(self, int part):
        cdef pw_item_lists lists = self.lists()
        with nogil:
            self.statuses[part] = pw_split_items(
                self.items, self.unit, &lists, part, self.splitters,
                self.counts + part * self.parts, &self.poll
            )

    def order_bucket(self, int bucket):
        cdef pw_item_lists lists = self.lists()
        cdef int64_t at = self.starts[bucket]
        with nogil:
            self.statuses[bucket] = pw_order_bucket(
                self.items, self.unit, &lists, bucket, self.bucket_sizes[bucket],
                self.sorted_places + at, self.sorted_ranks + at, &self.poll
            )

    cdef int order_by_all(self, int64_t k) except -1:
        """Give each code its rank; the threads sort a share of the items each."""
        cdef pw_item_lists lists = self.lists()
        cdef int status = PW_OK
        cdef int list_number, bucket
        cdef int64_t at = 0
        self.counts = <int64_t *>malloc(
            <size_t>self.parts * self.parts * sizeof(int64_t)
        )
        if self.counts == NULL:
            return PW_NO_MEMORY
        for list_number in range(self.parts):
            self.buckets[list_number] = <uint8_t *>malloc(<size_t>self.sizes[list_number] + 1)
            if self.buckets[list_number] == NULL:
                return PW_NO_MEMORY
        with nogil:
            status = pw_choose_splitters(self.items, self.unit, &lists, self.splitters)
        if status == PW_OK:
            status = self.each(self.split_part)
        if status != PW_OK:
            return status
        for bucket in range(self.parts):
            self.starts[bucket], self.bucket_sizes[bucket] = at, 0
            for list_number in range(self.parts):
                self.bucket_sizes[bucket] += self.counts[
                    list_number * self.parts + bucket
                ]
            at += self.bucket_sizes[bucket]
        self.sorted_ranks = <int32_t *>malloc((<size_t>k + 1) * sizeof(int32_t))
        if self.sorted_ranks == NULL:
            return PW_NO_MEMORY
        status = self.each(self.order_bucket)
        if status == PW_OK:
            with nogil:
                pw_join_ranks(&lists, self.starts, self.sorted_ranks, self.ranks)
        return status

    cdef int order_alone(self, int64_t k, bint ordered) except -1:
        """Give each code its rank, or the next number where no order is needed."""
        cdef int part
        cdef int64_t j
        cdef int64_t next_rank = 0
        cdef int status = PW_OK
        with nogil:
            for part in range(self.parts):
                if self.sizes[part] > 0:
                    memcpy(self.sorted_places + next_rank, self.firsts[part],
                           <size_t>self.sizes[part] * sizeof(int64_t))
                next_rank += self.sizes[part]
            if ordered:
                self.sorted_ranks = <int32_t *>calloc(<size_t>k + 1, sizeof(int32_t))
                status = PW_NO_MEMORY
                if self.sorted_ranks != NULL:
                    status = pw_order_items(self.items, self.unit, self.sorted_places,
                                            self.sorted_ranks, k, &self.poll)
            if status == PW_OK:
                next_rank = 0
                for part in range(self.parts):
                    for j in range(self.sizes[part]):
                        self.ranks[j * self.parts + part] = (
                            self.sorted_ranks[next_rank] if ordered else <int32_t>next_rank
                        )
                        next_rank += 1
        return status

    cdef int order(self, bint ordered) except -1:
        """Give the codes ascending ranks, where an order is needed."""
        cdef int part
        cdef int64_t k = 0
        cdef int64_t longest = 0
        cdef int status
        for part in range(self.parts):
            k += self.sizes[part]
            longest = max(longest, self.sizes[part])
        self.sorted_places = <int64_t *>malloc((<size_t>k + 1) * sizeof(int64_t))
        # skipped items have code 0
        self.ranks = <int32_t *>calloc(<size_t>longest * self.parts + 1, sizeof(int32_t))
        if self.sorted_places == NULL or self.ranks == NULL:
            return PW_NO_MEMORY
        if ordered and self.parts > 1 and k >= ORDERED_ITEMS:
            status = self.order_by_all(k)
        else:
            status = self.order_alone(k, ordered)
        if status == PW_OK:
            status = self.each(self.renumber_part)
        return status

    cdef object taken_firsts(self):
        """The first place of each number, as an array that takes their memory over."""
        cdef int part
        cdef int64_t k = 0
        cdef int64_t *places = self.sorted_places
        for part in range(self.parts):
            k += self.sizes[part]
        if places == NULL:  # one thread, no order
            places, self.firsts[0] = self.firsts[0], NULL
        self.sorted_places = NULL
        return adopt(places, k)


def seed_of_hashes(seed=None):
    """The seed of the hashes of text; a test whose items are to collide sets it."""
    global SEED
    cdef uint64_t before = SEED
    if seed is not None:
        SEED = seed
    return before


cdef object numbered(pw_items *items, int unit, int workers, bint ordered=True):
    """Codes and the first place of each; None if hashing gave up.

    Codes ascend with the items where these need an order.
    """
    cdef _Numbering job = _Numbering(workers)
    cdef int few = 0
    cdef int status
    items.seed = SEED
    codes = np.empty(items.n, dtype=np.int32)
    cdef int32_t[::1] to = codes
    job.items, job.unit, job.codes = items, unit, &to[0] if items.n > 0 else NULL
    if job.parts > 1:
        with nogil:
            status = pw_few_distinct(items, &few)
        check(status, job.raised)
        if few:
            return job.by_ranges(codes, ordered)
    status = job.by_hashes()
    if status == PW_OK and (ordered or job.parts > 1):
        status = job.order(ordered)
    if status == PW_CROWDED:
        return None
    check(status, job.raised)
    return codes, job.taken_firsts()
