# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""The compiled kernels: buffers in, the GIL released, status codes turned into exceptions.

Names, parameters and results are those of ``_numpy.py``; the C headers in ``csrc/`` state
preconditions and cost.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.dict cimport PyDict_GetItemWithError
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cython cimport view
from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

import threading

import numpy as np

from partwise._kernels import _values

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

cdef extern from "pw_encode.h" nogil:
    void pw_range(const pw_labels *v, uint64_t *low, uint64_t *high)
    int pw_encode(const pw_labels *v, int64_t *codes, uint64_t **values, int64_t *k,
                  const pw_poll *poll)
    int pw_first_appearance(int64_t *codes, int64_t n, int64_t k, int64_t *used)

cdef extern from "pw_table.h" nogil:
    ctypedef struct pw_table:
        int64_t n_rows
        int64_t n_cols
        int64_t n_cells
        uint64_t *row_values
        uint64_t *col_values
        int64_t *indptr
        int64_t *cols
        int64_t *counts
        int64_t *row_sizes
        int64_t *col_sizes
    int pw_collapse(const int64_t *rows, const int64_t *cols, const int64_t *counts,
                    int64_t n, int64_t n_rows, int64_t n_cols, int64_t *indptr,
                    int64_t **out_cols, int64_t **out_counts, int64_t *n_cells,
                    const pw_poll *poll)
    void pw_margins(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    int64_t n_rows, int64_t n_cols, int64_t *row_sizes,
                    int64_t *col_sizes)
    int pw_transpose(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                     int64_t n_rows, int64_t n_cols, int64_t *to_indptr,
                     int64_t *to_cols, int64_t *to_counts)
    void pw_maxima(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                   int64_t n_rows, int64_t n_cols, int64_t *row_maxima,
                   int64_t *col_maxima)

    void pw_locate(const int64_t *indptr, const int64_t *table_cols,
                   const int64_t *rows, const int64_t *cols, int64_t n, int64_t *cells)

cdef extern from "pw_scratch.h" nogil:
    ctypedef struct pw_scratch:
        pass
    int64_t pw_scratch_size(const pw_scratch *scratch)
    void pw_scratch_free(pw_scratch *scratch)

cdef extern from "pw_meet.h" nogil:
    enum:
        PW_WORKERS_MOST
        PW_WORKER_ITEMS
    ctypedef struct pw_job:
        pass
    int pw_meet_start(pw_job *job, const pw_labels *a, const pw_labels *b,
                      pw_scratch **scratch, int n_workers)
    int pw_meet_step(pw_job *job, int worker, const pw_poll *poll)
    int pw_meet_turn(pw_job *job, int status, int *steps_left, const pw_poll *poll)
    int pw_meet_end(pw_job *job, int status, pw_table *table)
    int pw_meet(const pw_labels *a, const pw_labels *b, pw_scratch *scratch,
                pw_table *table, const pw_poll *poll)

cdef extern from "pw_sweep.h" nogil:
    ctypedef struct pw_events:
        int64_t *ends
        int64_t *rows
        int64_t *before
        int64_t *after
        int64_t n_events
    ctypedef struct pw_curves:
        int64_t *cells
        int64_t *clusters
        int64_t *all_clusters
        int64_t *largest
        uint64_t *squares[2]
        uint64_t *col_squares[2]
        uint64_t *cell_xlogx[2]
        uint64_t *col_xlogx[2]
        int64_t *row_maxima
        int64_t *col_maxima
        uint64_t *by_row[2]
        uint64_t *by_col[2]
        int64_t *matches
    int pw_sweep_events(const int64_t *labels, int64_t n, int64_t n_labels,
                        const int64_t *left, const int64_t *right, int64_t n_merges,
                        pw_events *events, const pw_poll *poll)
    int pw_sweep_curves(const int64_t *labels, int64_t n, int64_t n_labels,
                        const int64_t *left, const int64_t *right, const int64_t *state,
                        int64_t n_merges, int64_t n_states, const pw_events *events,
                        int fraction_bits, const pw_curves *curves, const pw_poll *poll)
    int pw_sweep_edges(int64_t n, const int64_t *first, const int64_t *second,
                       int64_t n_edges, int64_t *left, int64_t *right, int64_t *used,
                       int64_t *n_merges, const pw_poll *poll)
    int pw_sweep_clusters(int64_t n, const int64_t *left, const int64_t *right,
                          int64_t n_merges, int64_t *clusters)
    void pw_sweep_sizes(int64_t n, const int64_t *left, const int64_t *right,
                        int64_t n_merges, int64_t *sizes)
    void pw_sweep_subtrees(int64_t n, const int64_t *left, const int64_t *right,
                           const double *heights, int64_t n_merges, int64_t *first,
                           double *highest)

cdef extern from "pw_sweep_scores.h" nogil:
    int pw_sweep_walks(const int64_t *labels, int64_t n, int64_t n_labels,
                       const int64_t *left, const int64_t *right, int64_t n_merges,
                       const pw_events *events, const int64_t *bounds,
                       int64_t n_bounds, int64_t *walks, const pw_poll *poll)
    int pw_sweep_scores(const int64_t *labels, int64_t n, int64_t n_labels,
                        const int64_t *left, const int64_t *right, const int64_t *state,
                        int64_t n_merges, int64_t n_states, const pw_events *events,
                        int fraction_bits, int64_t by_rows, double *product,
                        double *mean, int64_t *visited, const pw_poll *poll)

cdef extern from "pw_join.h" nogil:
    int pw_join(const int64_t *indptr, const int64_t *cols, int64_t n_rows,
                int64_t n_cols, int64_t *row_component, int64_t *col_component,
                int64_t *n_components, const pw_poll *poll)

cdef extern from "pw_sums.h" nogil:
    pw_u128 pw_sum_squares(const int64_t *x, int64_t n)
    pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits)
    pw_i128 pw_sum_doubles(const double *x, int64_t n, int fraction_bits)
    int pw_sum_groups(const double *x, const int64_t *groups, int64_t n,
                      int64_t n_groups, int fraction_bits, double *high,
                      double *low)
    int pw_split_scores(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        int fraction_bits, int64_t *row_scores, int64_t *col_scores)
    void pw_sum_products(const int64_t *indptr, const int64_t *cols,
                         const int64_t *counts, const int64_t *row_scores,
                         const int64_t *col_scores, int64_t n_rows, uint64_t *sum)
    pw_u128 pw_sum_weighted(const int64_t *sizes, const int64_t *scores, int64_t n)
    int pw_is_proportional(const int64_t *indptr, const int64_t *cols,
                           const int64_t *counts, const int64_t *row_sizes,
                           const int64_t *col_sizes, int64_t n_rows, int64_t n)
    pw_u128 pw_divergence_terms(const int64_t *indptr, const int64_t *cols,
                                const int64_t *counts, const int64_t *row_sizes,
                                const int64_t *col_sizes, int64_t n_rows, int64_t n,
                                double *terms)

cdef extern from "pw_expected.h" nogil:
    int pw_expected_sums(const int64_t *row_sizes, const double *row_weights,
                         int64_t n_rows, const int64_t *col_sizes,
                         const double *col_weights, int64_t n_cols, int64_t n,
                         uint64_t *overlap, uint64_t *divergence, const pw_poll *poll)
    int pw_expected_by_size(const int64_t *row_sizes, const double *row_weights,
                            int64_t n_rows, const int64_t *col_sizes, int64_t n_cols,
                            int64_t n, int fraction_bits, uint64_t **overlap,
                            uint64_t **divergence, const pw_poll *poll)

cdef extern from "pw_wide_integers.h" nogil:
    ctypedef struct pw_wides:
        const int64_t *high
        const uint64_t *low
        int64_t step
    int pw_wide_sum(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                    uint64_t *low)
    int pw_wide_difference(const pw_wides *x, const pw_wides *y, int64_t n,
                           int64_t *high, uint64_t *low)
    int pw_wide_product(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                        uint64_t *low)
    int pw_stable_order(const double *values, int64_t n, int64_t *order,
                        const pw_poll *poll)

cdef extern from "pw_ratios.h" nogil:
    void pw_wide_ratio(const int64_t *above_high, const uint64_t *above_low,
                       const int64_t *below_high, const uint64_t *below_low, int64_t n,
                       double *out)

cdef extern from "pw_match.h" nogil:
    int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                 int64_t n_rows, int64_t n_cols, int tied, int64_t budget,
                 int64_t *match, int64_t *row_duals, int64_t *col_duals,
                 const pw_poll *poll)

cdef extern from "pw_pack.h" nogil:
    int pw_pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows,
                int64_t n_cols, int64_t budget, int64_t *amounts, int64_t *row_duals,
                int64_t *col_duals, const pw_poll *poll)

cdef extern from "pw_transport.h" nogil:
    int pw_transport(const double *costs, const int64_t *supply, const int64_t *demand,
                     int64_t n_rows, int64_t n_cols, int64_t *rows_of, int64_t *cols_of,
                     int64_t *flows, int64_t *n_arcs, double *row_duals, double *col_duals,
                     const pw_poll *poll)


cdef extern from "pw_shared_mass.h" nogil:
    int pw_shared_mass(const double *p, const double *q, int64_t n, int64_t n_rows,
                       int64_t n_cols, int64_t first, int64_t last, double *shared,
                       const pw_poll *poll)
    int pw_shared_mass_sparse(const int64_t *p_indptr, const int64_t *p_cols,
                              const double *p_values, const int64_t *q_indptr,
                              const int64_t *q_cols, const double *q_values, int64_t n,
                              int64_t n_rows, int64_t n_cols, double *shared,
                              const pw_poll *poll)

cdef extern from "pw_items.h" nogil:
    ctypedef struct pw_items:
        const char *data
        const void *offsets
        int offset_size
        int64_t width
        int64_t n
        const uint8_t *skipped
    int pw_number_items(const pw_items *items, int32_t *codes, int64_t **firsts, int64_t *k,
                        const pw_poll *poll)
    int pw_order_items(const pw_items *items, int unit, int64_t *places, int32_t *ranks,
                       int64_t k, const pw_poll *poll)
    void pw_renumber(const pw_items *items, int32_t *codes, const int32_t *ranks)
    int64_t pw_put_utf8(const void *points, int size, int64_t n, char *to)

cdef extern from "pw_many.h" nogil:
    enum:
        PW_MANY_WORDS
    ctypedef struct pw_many:
        pw_labels codes
        const int64_t *sizes
        const int64_t *starts
    int pw_many_sums(const pw_many *many, int64_t reference, const int64_t *candidates,
                     int64_t n_candidates, int wanted, int fraction_bits, uint64_t *words,
                     const pw_poll *poll)

cdef extern from "pw_sample.h" nogil:
    int pw_random_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                        int64_t n_cols, const uint64_t *key, int64_t *indptr,
                        int64_t **out_cols, int64_t **out_counts, int64_t *n_cells,
                        const pw_poll *poll)
    int pw_resample(int64_t n, const uint64_t *key, int64_t draws, int64_t *counts,
                    const pw_poll *poll)

cdef extern from "pw_ratios.h" nogil:
    void pw_sum_ratios(const int64_t *weights, const uint64_t *above,
                       const uint64_t *below, int64_t n, uint64_t *sum)
    void pw_best_cells(const int64_t *indptr, const uint64_t *above,
                       const uint64_t *below, int64_t n_rows, int64_t *best)
    int pw_b_cubed_sums(const int64_t *indptr, const int64_t *cols,
                        const int64_t *counts, const int64_t *row_sizes,
                        const int64_t *col_sizes, int64_t n_rows, int64_t n_cols,
                        pw_u128 *by_row, pw_u128 *by_col)
    int pw_greedy_pairs(const int64_t *rows, const int64_t *cols, const int64_t *order,
                        const int64_t *rank, int64_t n, int64_t n_rows, int64_t n_cols,
                        int64_t *chosen, int64_t *n_chosen, int *tied)


# ---- glue --------------------------------------------------------------------------

cdef int ask_python(void *context) noexcept with gil:
    """Let a pending signal handler run; its exception waits in the list `context`."""
    if <list>context:  # of another thread
        return 1
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<list>context).append(error)
        return 1
    return 0


cdef int check(int status, list raised) except -1:
    if status == PW_OK:
        return 0
    if status == PW_STOPPED:
        raise raised[0]
    raise MemoryError("partwise: not enough memory for this table")


cdef inline const int64_t *start_of(const int64_t[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL


cdef inline int64_t *out_of(int64_t[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL


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


cdef extern from *:
    """
    #define PW_LOW(x) ((uint64_t)(x))
    #define PW_HIGH(x) ((uint64_t)((x) >> 64))
    """
    uint64_t PW_LOW(pw_u128 x) nogil
    uint64_t PW_HIGH(pw_u128 x) nogil


cdef class Labels:
    """Holds the buffer of an integer array while C reads it."""

    cdef Py_buffer buffer
    cdef pw_labels view

    def __cinit__(self, values):
        dtype = values.dtype
        self.view.itemsize = dtype.itemsize
        self.view.is_signed = dtype.kind == "i"
        self.view.n = values.shape[0]
        PyObject_GetBuffer(values, &self.buffer, PyBUF_SIMPLE)
        self.view.data = self.buffer.buf

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)


# ---- labels ------------------------------------------------------------------------

def value_range(values):
    cdef Labels labels = Labels(values)
    cdef uint64_t low, high
    with nogil:
        pw_range(&labels.view, &low, &high)
    if labels.view.is_signed:
        return <int64_t>low, <int64_t>high
    return low, high


def encode(values):
    cdef Labels labels = Labels(values)
    cdef list raised = []
    cdef pw_poll poll
    cdef uint64_t *found = NULL
    cdef int64_t k = 0
    cdef int status
    codes = np.empty(labels.view.n, dtype=np.int64)
    cdef int64_t[::1] out = codes
    cdef int64_t *to = out_of(out)
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_encode(&labels.view, to, &found, &k, &poll)
    check(status, raised)
    return as_labels(found, k, values.dtype), codes


def first_appearance(const int64_t[::1] codes, int64_t k):
    cdef int64_t used = 0
    cdef int status
    result = np.array(codes, dtype=np.int64)
    cdef int64_t[::1] out = result
    cdef int64_t *to = out_of(out)
    cdef int64_t n = codes.shape[0]
    with nogil:
        status = pw_first_appearance(to, n, k, &used)
    check(status, [])
    return result, used


# ---- the meet ----------------------------------------------------------------------

cdef class Scratch:
    """Working memory of one call at a time; kept between calls until it is freed."""

    cdef pw_scratch own

    def __dealloc__(self):
        pw_scratch_free(&self.own)

    @property
    def nbytes(self):
        return pw_scratch_size(&self.own)

    def free(self):
        pw_scratch_free(&self.own)


cdef class _Job:
    """A meet that several threads work on."""

    cdef pw_job job
    cdef Labels left
    cdef Labels right
    cdef list scratches
    cdef list raised
    cdef int *statuses
    cdef pw_scratch **places
    cdef pw_poll poll
    cdef readonly int n_workers

    def __cinit__(self, Labels left, Labels right, list scratches):
        cdef int worker
        self.left, self.right, self.scratches = left, right, scratches
        self.raised = []
        self.poll.ask = ask_python
        self.poll.context = <void *>self.raised
        self.n_workers = len(scratches)
        self.statuses = <int *>calloc(self.n_workers, sizeof(int))
        self.places = <pw_scratch **>calloc(self.n_workers, sizeof(pw_scratch *))
        if self.statuses == NULL or self.places == NULL:
            raise MemoryError
        for worker in range(self.n_workers):
            self.places[worker] = &(<Scratch>scratches[worker]).own

    def __dealloc__(self):
        free(self.statuses)
        free(self.places)

    def step(self, int worker):
        with nogil:
            self.statuses[worker] = pw_meet_step(&self.job, worker, &self.poll)

    cdef int step_of_all(self) except -1:
        """Answer the first status that is not PW_OK; no thread is left behind."""
        cdef int worker
        threads = []
        for worker in range(1, self.n_workers):
            thread = threading.Thread(target=self.step, args=(worker,))
            try:
                thread.start()
            except RuntimeError:  # no more threads: the work is done here
                self.step(worker)
            else:
                threads.append(thread)
        self.step(0)
        for thread in threads:
            while thread.is_alive():
                try:
                    thread.join()
                except BaseException as error:  # an interrupt: they stop at their next poll
                    self.raised.append(error)
        if self.raised:
            return PW_STOPPED
        for worker in range(self.n_workers):
            if self.statuses[worker] != PW_OK:
                return self.statuses[worker]
        return PW_OK

    cdef int run(self, pw_table *table) except -1:
        cdef int steps_left = 1
        cdef int status
        with nogil:
            status = pw_meet_start(&self.job, &self.left.view, &self.right.view,
                                   self.places, self.n_workers)
        while status == PW_OK and steps_left:
            status = self.step_of_all()
            with nogil:
                status = pw_meet_turn(&self.job, status, &steps_left, &self.poll)
        with nogil:
            status = pw_meet_end(&self.job, status, table)
        return check(status, self.raised)


def tally(a, b, scratches):
    cdef Labels left = Labels(a)
    cdef Labels right = Labels(b)
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_table table
    cdef int status
    cdef Scratch first = scratches[0]
    cdef _Job job
    cdef int64_t wanted = min(len(scratches), PW_WORKERS_MOST,
                              left.view.n // PW_WORKER_ITEMS)
    if wanted > 1:
        job = _Job(left, right, list(scratches[:wanted]))
        job.run(&table)
    else:
        poll.ask = ask_python
        poll.context = <void *>raised
        with nogil:
            status = pw_meet(&left.view, &right.view, &first.own, &table, &poll)
        check(status, raised)
    return (
        as_labels(table.row_values, table.n_rows, a.dtype),
        as_labels(table.col_values, table.n_cols, b.dtype),
        adopt(table.indptr, table.n_rows + 1),
        adopt(table.cols, table.n_cells),
        adopt(table.counts, table.n_cells),
        adopt(table.row_sizes, table.n_rows),
        adopt(table.col_sizes, table.n_cols),
    )


def meet(a, b):
    return tally(a, b, (Scratch(),))[:5]


def collapse(const int64_t[::1] rows, const int64_t[::1] cols,
             const int64_t[::1] counts, int64_t n_rows, int64_t n_cols):
    cdef list raised = []
    cdef pw_poll poll
    cdef int64_t *to_cols = NULL
    cdef int64_t *to_counts = NULL
    cdef int64_t n_cells = 0
    cdef int64_t n = rows.shape[0]
    cdef int status
    indptr = np.empty(n_rows + 1, dtype=np.int64)
    cdef int64_t[::1] out = indptr
    cdef const int64_t *r = start_of(rows)
    cdef const int64_t *c = start_of(cols)
    cdef const int64_t *x = start_of(counts)
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_collapse(r, c, x, n, n_rows, n_cols, &out[0], &to_cols, &to_counts,
                             &n_cells, &poll)
    check(status, raised)
    return indptr, adopt(to_cols, n_cells), adopt(to_counts, n_cells)


def margins(const int64_t[::1] indptr, const int64_t[::1] cols,
            const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    row_sizes = np.empty(n_rows, dtype=np.int64)
    col_sizes = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_sizes
    cdef int64_t[::1] by_col = col_sizes
    with nogil:
        pw_margins(&indptr[0], start_of(cols), start_of(counts), n_rows, n_cols,
                   out_of(by_row), out_of(by_col))
    return row_sizes, col_sizes


def transpose(const int64_t[::1] indptr, const int64_t[::1] cols,
              const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int status
    to_indptr = np.empty(n_cols + 1, dtype=np.int64)
    to_cols = np.empty(cols.shape[0], dtype=np.int64)
    to_counts = np.empty(cols.shape[0], dtype=np.int64)
    cdef int64_t[::1] p = to_indptr
    cdef int64_t[::1] c = to_cols
    cdef int64_t[::1] x = to_counts
    with nogil:
        status = pw_transpose(&indptr[0], start_of(cols), start_of(counts), n_rows,
                              n_cols, &p[0], out_of(c), out_of(x))
    check(status, [])
    return to_indptr, to_cols, to_counts


def maxima(const int64_t[::1] indptr, const int64_t[::1] cols,
           const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    row_maxima = np.empty(n_rows, dtype=np.int64)
    col_maxima = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_maxima
    cdef int64_t[::1] by_col = col_maxima
    with nogil:
        pw_maxima(&indptr[0], start_of(cols), start_of(counts), n_rows, n_cols,
                  out_of(by_row), out_of(by_col))
    return row_maxima, col_maxima


def locate(const int64_t[::1] indptr, const int64_t[::1] table_cols,
           const int64_t[::1] rows, const int64_t[::1] cols):
    cdef int64_t n = rows.shape[0]
    cells = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = cells
    with nogil:
        if n > 0:
            pw_locate(&indptr[0], &table_cols[0], &rows[0], &cols[0], n, &out[0])
    return cells


# ---- the join ----------------------------------------------------------------------

def join(const int64_t[::1] indptr, const int64_t[::1] cols, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int64_t n_components = 0
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    row_component = np.empty(n_rows, dtype=np.int64)
    col_component = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_component
    cdef int64_t[::1] by_col = col_component
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_join(&indptr[0], start_of(cols), n_rows, n_cols, out_of(by_row),
                         out_of(by_col), &n_components, &poll)
    check(status, raised)
    return row_component, col_component, n_components


# ---- order-free sums ---------------------------------------------------------------

def sum_squares(const int64_t[::1] values):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_squares(start_of(values), values.shape[0])
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_xlogx(const int64_t[::1] values, int fraction_bits):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_xlogx(start_of(values), values.shape[0], fraction_bits)
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_doubles(const double[::1] values, int fraction_bits):
    cdef pw_i128 total = 0
    cdef uint64_t low, high
    with nogil:
        if values.shape[0] > 0:
            total = pw_sum_doubles(&values[0], values.shape[0], fraction_bits)
        low = PW_LOW(<pw_u128>total)
        high = PW_HIGH(<pw_u128>total)
    result = from_words(low, high)
    return result - (1 << 128) if high >> 63 else result


def sum_groups(const double[::1] values, const int64_t[::1] groups, int64_t n_groups,
               int fraction_bits):
    cdef int64_t n = values.shape[0]
    cdef int status = PW_OK
    high = np.zeros(n_groups, dtype=np.float64)
    low = np.zeros(n_groups, dtype=np.float64)
    cdef double[::1] h = high
    cdef double[::1] rest = low
    with nogil:
        if n > 0:
            status = pw_sum_groups(&values[0], &groups[0], n, n_groups, fraction_bits,
                                   &h[0], &rest[0])
    check(status, [])
    return high, low


def sum_weighted(const int64_t[::1] sizes, const int64_t[::1] scores):
    cdef pw_u128 total
    cdef uint64_t low, high
    with nogil:
        total = pw_sum_weighted(start_of(sizes), start_of(scores), sizes.shape[0])
        low = PW_LOW(total)
        high = PW_HIGH(total)
    return from_words(low, high)


def sum_products(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_scores,
                 const int64_t[::1] col_scores):
    cdef uint64_t words[3]
    with nogil:
        pw_sum_products(&indptr[0], start_of(cols), start_of(counts),
                        start_of(row_scores), start_of(col_scores),
                        indptr.shape[0] - 1, words)
    return <object>words[2] << 128 | from_words(words[0], words[1])


def split_scores(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes, int fraction_bits):
    cdef int status
    row_scores = np.empty(row_sizes.shape[0], dtype=np.int64)
    col_scores = np.empty(col_sizes.shape[0], dtype=np.int64)
    cdef int64_t[::1] by_row = row_scores
    cdef int64_t[::1] by_col = col_scores
    with nogil:
        status = pw_split_scores(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], fraction_bits,
            out_of(by_row), out_of(by_col))
    check(status, [])
    return row_scores, col_scores


def is_proportional(const int64_t[::1] indptr, const int64_t[::1] cols,
                    const int64_t[::1] counts, const int64_t[::1] row_sizes,
                    const int64_t[::1] col_sizes, int64_t n):
    cdef int answer
    with nogil:
        answer = pw_is_proportional(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], n)
    return answer != 0


def divergence_terms(const int64_t[::1] indptr, const int64_t[::1] cols,
                     const int64_t[::1] counts, const int64_t[::1] row_sizes,
                     const int64_t[::1] col_sizes, int64_t n):
    cdef pw_u128 covered = 0
    cdef uint64_t low, high
    terms = np.empty(cols.shape[0], dtype=np.float64)
    cdef double[::1] out = terms
    with nogil:
        if cols.shape[0] > 0:
            covered = pw_divergence_terms(
                &indptr[0], &cols[0], &counts[0], &row_sizes[0], &col_sizes[0],
                row_sizes.shape[0], n, &out[0])
        low = PW_LOW(covered)
        high = PW_HIGH(covered)
    return terms, from_words(low, high)


# ---- ratios of integers ------------------------------------------------------------

def sum_ratios(const int64_t[::1] weights, const uint64_t[::1] above,
               const uint64_t[::1] below):
    cdef uint64_t words[3]
    cdef int64_t n = weights.shape[0]
    words[0] = words[1] = words[2] = 0
    with nogil:
        if n > 0:
            pw_sum_ratios(&weights[0], &above[0], &below[0], n, words)
    return <object>words[2] << 128 | from_words(words[0], words[1])


def best_cells(const int64_t[::1] indptr, const uint64_t[::1] above,
               const uint64_t[::1] below):
    cdef int64_t n_rows = indptr.shape[0] - 1
    best = np.empty(n_rows, dtype=np.int64)
    cdef int64_t[::1] out = best
    with nogil:
        if n_rows > 0:
            pw_best_cells(&indptr[0], &above[0], &below[0], n_rows, &out[0])
    return best


def wide_ratio(const int64_t[::1] num_high, const uint64_t[::1] num_low,
               const int64_t[::1] den_high, const uint64_t[::1] den_low):
    cdef int64_t n = num_high.shape[0]
    found = np.empty(n, dtype=np.float64)
    cdef double[::1] to = found
    with nogil:
        if n > 0:
            pw_wide_ratio(&num_high[0], &num_low[0], &den_high[0], &den_low[0], n, &to[0])
    return found


ctypedef int (*wide_operation)(const pw_wides *x, const pw_wides *y, int64_t n,
                               int64_t *high, uint64_t *low) noexcept nogil


cdef pw_wides wides(const int64_t[::1] high, const uint64_t[::1] low,
                    int64_t n) except *:
    cdef pw_wides found
    if low.shape[0] != high.shape[0] or high.shape[0] not in (1, n):
        raise ValueError("arrays of 128-bit integers differ in length")
    found.high, found.low = &high[0], &low[0]
    found.step = 0 if high.shape[0] == 1 else 1
    return found


cdef tuple combine_wides(wide_operation combine, const int64_t[::1] x_high,
                         const uint64_t[::1] x_low, const int64_t[::1] y_high,
                         const uint64_t[::1] y_low):
    cdef int64_t n = x_high.shape[0]
    cdef int beyond = 0
    cdef pw_wides x, y
    if n == 1:
        n = y_high.shape[0]
    elif y_high.shape[0] == 0:
        n = 0
    high, low = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.uint64)
    cdef int64_t[::1] h = high
    cdef uint64_t[::1] w = low
    if n > 0:
        x, y = wides(x_high, x_low, n), wides(y_high, y_low, n)
        with nogil:
            beyond = combine(&x, &y, n, &h[0], &w[0])
    return high, low, beyond != 0


def wide_sum(const int64_t[::1] x_high, const uint64_t[::1] x_low,
             const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_sum, x_high, x_low, y_high, y_low)


def wide_difference(const int64_t[::1] x_high, const uint64_t[::1] x_low,
                    const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_difference, x_high, x_low, y_high, y_low)


def wide_product(const int64_t[::1] x_high, const uint64_t[::1] x_low,
                 const int64_t[::1] y_high, const uint64_t[::1] y_low):
    return combine_wides(pw_wide_product, x_high, x_low, y_high, y_low)


def stable_order(const double[::1] values):
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    found = np.empty(values.shape[0], dtype=np.int64)
    cdef int64_t[::1] to = found
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_stable_order(first_double(values), values.shape[0], out_of(to), &poll)
    check(status, raised)
    return found


def b_cubed_sums(const int64_t[::1] indptr, const int64_t[::1] cols,
                 const int64_t[::1] counts, const int64_t[::1] row_sizes,
                 const int64_t[::1] col_sizes):
    cdef pw_u128 by_row, by_col
    cdef uint64_t words[4]
    cdef int status
    with nogil:
        status = pw_b_cubed_sums(
            &indptr[0], start_of(cols), start_of(counts), start_of(row_sizes),
            start_of(col_sizes), row_sizes.shape[0], col_sizes.shape[0], &by_row,
            &by_col)
        words[0] = PW_LOW(by_row)
        words[1] = PW_HIGH(by_row)
        words[2] = PW_LOW(by_col)
        words[3] = PW_HIGH(by_col)
    check(status, [])
    return from_words(words[0], words[1]), from_words(words[2], words[3])


def greedy_pairs(const int64_t[::1] rows, const int64_t[::1] cols,
                 const int64_t[::1] order, const int64_t[::1] rank, int64_t n_rows,
                 int64_t n_cols):
    cdef int64_t n = order.shape[0]
    cdef int64_t n_chosen
    cdef int tied, status
    chosen = np.empty(min(n, n_rows, n_cols), dtype=np.int64)
    cdef int64_t[::1] out = chosen
    with nogil:
        status = pw_greedy_pairs(start_of(rows), start_of(cols), start_of(order),
                                 start_of(rank), n, n_rows, n_cols, out_of(out),
                                 &n_chosen, &tied)
    check(status, [])
    return chosen[:n_chosen], tied != 0


# ---- matching ----------------------------------------------------------------------

def match(const int64_t[::1] indptr, const int64_t[::1] cols,
          const int64_t[::1] gains, int64_t n_cols, bint tied, int64_t budget):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    matched = np.empty(n_rows, dtype=np.int64)
    row_duals = np.empty(n_rows, dtype=np.int64)
    col_duals = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] m = matched
    cdef int64_t[::1] u = row_duals
    cdef int64_t[::1] v = col_duals
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_match(&indptr[0], start_of(cols), start_of(gains), n_rows, n_cols,
                          tied, budget, out_of(m), out_of(u), out_of(v), &poll)
    check(status, raised)
    return matched, row_duals, col_duals


# ---- packing and transport ---------------------------------------------------------

def pack(const int64_t[::1] indptr, const int64_t[::1] cols, const int64_t[::1] gains,
         const int64_t[::1] row_caps, const int64_t[::1] col_caps, int64_t budget):
    cdef int64_t n_rows = row_caps.shape[0], n_cols = col_caps.shape[0]
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    amounts = np.empty(cols.shape[0], dtype=np.int64)
    row_duals = np.empty(n_rows, dtype=np.int64)
    col_duals = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] w = amounts
    cdef int64_t[::1] u = row_duals
    cdef int64_t[::1] v = col_duals
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_pack(&indptr[0], start_of(cols), start_of(gains), start_of(row_caps),
                         start_of(col_caps), n_rows, n_cols, budget, out_of(w),
                         out_of(u), out_of(v), &poll)
    check(status, raised)
    return amounts, row_duals, col_duals


def transport(const double[:, ::1] costs, const int64_t[::1] supply,
              const int64_t[::1] demand):
    cdef int64_t n_rows = supply.shape[0], n_cols = demand.shape[0]
    cdef int64_t n_arcs = 0
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    rows = np.empty(n_rows + n_cols, dtype=np.int64)
    columns = np.empty(n_rows + n_cols, dtype=np.int64)
    flows = np.empty(n_rows + n_cols, dtype=np.int64)
    row_duals = np.empty(n_rows, dtype=np.float64)
    col_duals = np.empty(n_cols, dtype=np.float64)
    cdef int64_t[::1] r = rows
    cdef int64_t[::1] c = columns
    cdef int64_t[::1] f = flows
    cdef double[::1] u = row_duals
    cdef double[::1] v = col_duals
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_transport(&costs[0, 0], &supply[0], &demand[0], n_rows, n_cols, &r[0],
                              &c[0], &f[0], &n_arcs, &u[0], &v[0], &poll)
    if status == PW_CROWDED:
        return None
    check(status, raised)
    return rows[:n_arcs], columns[:n_arcs], flows[:n_arcs], row_duals, col_duals


# ---- soft clusterings --------------------------------------------------------------

cdef inline const double *first_double(const double[::1] x) noexcept nogil:
    return &x[0] if x.shape[0] > 0 else NULL


def shared_mass(const double[:, ::1] p, const double[:, ::1] q, int64_t first,
                int64_t last):
    cdef list raised = []
    cdef pw_poll poll
    cdef int status = PW_OK
    cdef int64_t n = p.shape[0]
    cdef int64_t n_rows = p.shape[1]
    cdef int64_t n_cols = q.shape[1]
    result = np.zeros((n_rows, last - first), dtype=np.float64)
    cdef double[:, ::1] out = result
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        if n > 0 and n_rows > 0 and last > first:
            status = pw_shared_mass(&p[0, 0], &q[0, 0], n, n_rows, n_cols, first, last,
                                    &out[0, 0], &poll)
    check(status, raised)
    return result


def shared_mass_sparse(const int64_t[::1] p_indptr, const int64_t[::1] p_cols,
                       const double[::1] p_values, const int64_t[::1] q_indptr,
                       const int64_t[::1] q_cols, const double[::1] q_values,
                       int64_t n_rows, int64_t n_cols):
    cdef list raised = []
    cdef pw_poll poll
    cdef int status = PW_OK
    cdef int64_t n = p_indptr.shape[0] - 1
    result = np.zeros((n_rows, n_cols), dtype=np.float64)
    cdef double[:, ::1] out = result
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        if n_rows > 0 and n_cols > 0:
            status = pw_shared_mass_sparse(
                &p_indptr[0], start_of(p_cols), first_double(p_values), &q_indptr[0],
                start_of(q_cols), first_double(q_values), n, n_rows, n_cols, &out[0, 0],
                &poll)
    check(status, raised)
    return result


# ---- random tables -----------------------------------------------------------------

def random_table(const int64_t[::1] row_sizes, const int64_t[::1] col_sizes, uint64_t seed,
                 uint64_t stream):
    cdef list raised = []
    cdef pw_poll poll
    cdef uint64_t[2] key
    cdef int64_t *to_cols = NULL
    cdef int64_t *to_counts = NULL
    cdef int64_t n_cells = 0
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef int status
    indptr = np.empty(n_rows + 1, dtype=np.int64)
    cdef int64_t[::1] out = indptr
    cdef const int64_t *r = start_of(row_sizes)
    cdef const int64_t *c = start_of(col_sizes)
    key[0] = seed
    key[1] = stream
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_random_table(r, c, n_rows, n_cols, key, &out[0], &to_cols, &to_counts,
                                 &n_cells, &poll)
    check(status, raised)
    return indptr, adopt(to_cols, n_cells), adopt(to_counts, n_cells)


def resample(int64_t n, uint64_t seed, uint64_t stream, int64_t draws):
    cdef list raised = []
    cdef pw_poll poll
    cdef uint64_t[2] key
    cdef int status
    counts = np.empty((draws, n), dtype=np.int64)
    cdef int64_t[::1] out = counts.reshape(-1)
    cdef int64_t *to = out_of(out)
    key[0] = seed
    key[1] = stream
    poll.ask = ask_python
    poll.context = <void *>raised
    if draws * n > 0:
        with nogil:
            status = pw_resample(n, key, draws, to, &poll)
        check(status, raised)
    return counts


# ---- chance ------------------------------------------------------------------------

def expected_sums(const int64_t[::1] row_sizes, const double[::1] row_weights,
                  const int64_t[::1] col_sizes, const double[::1] col_weights, int64_t n):
    cdef list raised = []
    cdef pw_poll poll
    cdef uint64_t overlap[4]
    cdef uint64_t divergence[4]
    cdef int status
    cdef int64_t n_rows = row_sizes.shape[0]
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef const int64_t *a = start_of(row_sizes)
    cdef const int64_t *b = start_of(col_sizes)
    cdef const double *u = first_double(row_weights)
    cdef const double *v = first_double(col_weights)
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_expected_sums(a, u, n_rows, b, v, n_cols, n, overlap, divergence, &poll)
    check(status, raised)
    return (
        from_words(overlap[2], overlap[3]) << 128 | from_words(overlap[0], overlap[1]),
        from_words(divergence[2], divergence[3]) << 128
        | from_words(divergence[0], divergence[1]),
    )


def expected_by_size(const int64_t[::1] row_sizes, const double[::1] row_weights,
                     const int64_t[::1] col_sizes, int64_t n, int fraction_bits):
    cdef list raised = []
    cdef pw_poll poll
    cdef int status
    cdef int64_t n_cols = col_sizes.shape[0]
    cdef const double *weights = first_double(row_weights)
    found = np.zeros((4, max(n_cols, 1)), dtype=np.uint64)
    cdef uint64_t[:, ::1] to = found
    cdef uint64_t *overlap[2]
    cdef uint64_t *divergence[2]
    overlap[0], overlap[1] = &to[0, 0], &to[1, 0]
    divergence[0], divergence[1] = &to[2, 0], &to[3, 0]
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_expected_by_size(start_of(row_sizes), weights, row_sizes.shape[0],
                                     start_of(col_sizes), n_cols, n, fraction_bits,
                                     overlap, divergence, &poll)
    check(status, raised)
    words = found[:, :n_cols]
    return (words[1].view(np.int64), words[0]), (words[3].view(np.int64), words[2])


# ---- sweep -------------------------------------------------------------------------

def sweep_events(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right):
    cdef int64_t n = labels.shape[0]
    cdef int64_t n_merges = left.shape[0]
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_events events
    cdef int status
    ends = np.zeros(n_merges + 1, dtype=np.int64)
    found = np.empty((3, n), dtype=np.int64)
    cdef int64_t[::1] e = ends
    cdef int64_t[:, ::1] f = found
    poll.ask = ask_python
    poll.context = <void *>raised
    events.ends = &e[0]
    events.rows = events.before = events.after = NULL
    if n > 0:
        events.rows = &f[0, 0]
        events.before = &f[1, 0]
        events.after = &f[2, 0]
    with nogil:
        status = pw_sweep_events(start_of(labels), n, n_labels, start_of(left),
                                 start_of(right), n_merges, &events, &poll)
    check(status, raised)
    rows, before, after = (part[:events.n_events] for part in found)
    return ends, rows, before, after


cdef void point_to(uint64_t *words[2], uint64_t[:, ::1] room) noexcept:
    words[0] = &room[0, 0]
    words[1] = &room[1, 0]


def sweep_curves(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right, const int64_t[::1] state, int64_t n_states,
                 events, int fraction_bits, bint entropies, bint b_cubed):
    cdef int64_t n = labels.shape[0]
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_events given
    cdef pw_curves curves
    cdef int status
    read_events(&given, events)
    narrow = np.empty((7, n_states), dtype=np.int64)
    cdef int64_t[:, ::1] to = narrow
    curves.cells = &to[0, 0]
    curves.clusters = &to[1, 0]
    curves.all_clusters = &to[2, 0]
    curves.largest = &to[3, 0]
    curves.row_maxima = &to[4, 0]
    curves.col_maxima = &to[5, 0]
    curves.matches = &to[6, 0]
    names = ["squares", "col_squares"]
    curves.cell_xlogx[0] = curves.col_xlogx[0] = NULL
    curves.by_row[0] = curves.by_col[0] = NULL
    wide = {name: np.empty((2, n_states), dtype=np.uint64) for name in names}
    point_to(curves.squares, wide["squares"])
    point_to(curves.col_squares, wide["col_squares"])
    if entropies:
        for name in ("cell_xlogx", "col_xlogx"):
            wide[name] = np.empty((2, n_states), dtype=np.uint64)
        point_to(curves.cell_xlogx, wide["cell_xlogx"])
        point_to(curves.col_xlogx, wide["col_xlogx"])
    if b_cubed:
        for name in ("b_cubed_recall", "b_cubed_precision"):
            wide[name] = np.empty((2, n_states), dtype=np.uint64)
        point_to(curves.by_row, wide["b_cubed_recall"])
        point_to(curves.by_col, wide["b_cubed_precision"])
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_sweep_curves(start_of(labels), n, n_labels, start_of(left),
                                 start_of(right), start_of(state), left.shape[0], n_states,
                                 &given, fraction_bits, &curves, &poll)
    check(status, raised)
    found = dict(zip(("cells", "clusters", "all_clusters", "largest", "row_maxima",
                      "col_maxima", "exact_matches"), narrow))
    for name, (low, high) in wide.items():
        found[name] = (high.view(np.int64), low)
    return found


def sweep_edges(int64_t n, const int64_t[::1] first, const int64_t[::1] second):
    cdef list raised = []
    cdef pw_poll poll
    cdef int64_t n_merges = 0
    cdef int status
    found = np.empty((3, max(n, 1)), dtype=np.int64)
    cdef int64_t[:, ::1] to = found
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_sweep_edges(n, start_of(first), start_of(second), first.shape[0],
                                &to[0, 0], &to[1, 0], &to[2, 0], &n_merges, &poll)
    check(status, raised)
    left, right, used = (part[:n_merges].copy() for part in found)
    return left, right, used


def sweep_clusters(int64_t n, const int64_t[::1] left, const int64_t[::1] right,
                   int64_t n_merges):
    cdef int status
    found = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = found
    with nogil:
        status = pw_sweep_clusters(n, start_of(left), start_of(right), n_merges, out_of(to))
    check(status, [])
    return found


def sweep_sizes(const int64_t[::1] counts, const int64_t[::1] left,
                const int64_t[::1] right):
    cdef int64_t n = counts.shape[0]
    found = np.empty(n + left.shape[0], dtype=np.int64)
    found[:n] = counts
    cdef int64_t[::1] to = found
    with nogil:
        pw_sweep_sizes(n, start_of(left), start_of(right), left.shape[0], out_of(to))
    return found


def sweep_subtrees(int64_t n, const int64_t[::1] left, const int64_t[::1] right,
                   const double[::1] heights):
    cdef int64_t n_merges = left.shape[0]
    first = np.empty(n + n_merges, dtype=np.int64)
    highest = np.empty(max(n_merges, 1), dtype=np.float64)
    cdef int64_t[::1] f = first
    cdef double[::1] h = highest
    with nogil:
        pw_sweep_subtrees(n, start_of(left), start_of(right), first_double(heights),
                          n_merges, out_of(f), &h[0])
    return first, highest[:n_merges]


cdef void read_events(pw_events *to, events):
    cdef const int64_t[::1] ends = events[0]
    cdef const int64_t[::1] rows = events[1]
    cdef const int64_t[::1] before = events[2]
    cdef const int64_t[::1] after = events[3]
    # the kernels only read them
    to.ends = <int64_t *>start_of(ends)
    to.rows = <int64_t *>start_of(rows)
    to.before = <int64_t *>start_of(before)
    to.after = <int64_t *>start_of(after)
    to.n_events = rows.shape[0]


def sweep_walks(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                const int64_t[::1] right, events, const int64_t[::1] bounds):
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_events given
    cdef int status
    read_events(&given, events)
    found = np.zeros(bounds.shape[0], dtype=np.int64)
    cdef int64_t[::1] to = found
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_sweep_walks(start_of(labels), labels.shape[0], n_labels,
                                start_of(left), start_of(right), left.shape[0], &given,
                                start_of(bounds), bounds.shape[0], out_of(to), &poll)
    check(status, raised)
    return found


def sweep_scores(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right, const int64_t[::1] state, int64_t n_states,
                 events, int fraction_bits, int64_t by_rows, bint product):
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_events given
    cdef int status
    read_events(&given, events)
    cdef int64_t visited = 0
    found = np.empty((2, max(n_states, 1)), dtype=np.float64)
    cdef double[:, ::1] to = found
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_sweep_scores(start_of(labels), labels.shape[0], n_labels,
                                 start_of(left), start_of(right), start_of(state),
                                 left.shape[0], n_states, &given, fraction_bits,
                                 by_rows, &to[0, 0] if product else NULL, &to[1, 0],
                                 &visited, &poll)
    check(status, raised)
    return (found[0, :n_states] if product else None), found[1, :n_states], visited


# ---- one against many --------------------------------------------------------------

def many_sums(codes, const int64_t[::1] sizes, const int64_t[::1] starts, int64_t reference,
              const int64_t[::1] candidates, int wanted, int fraction_bits):
    cdef Labels labels = Labels(codes)
    cdef list raised = []
    cdef pw_poll poll
    cdef pw_many many
    cdef int status
    found = np.empty((candidates.shape[0], PW_MANY_WORDS), dtype=np.uint64)
    cdef uint64_t[:, ::1] to = found
    many.codes = labels.view
    many.codes.n = codes.shape[1]
    many.sizes = start_of(sizes)
    many.starts = start_of(starts)
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = PW_OK
        if candidates.shape[0] > 0:
            status = pw_many_sums(&many, reference, &candidates[0], candidates.shape[0],
                                  wanted, fraction_bits, &to[0, 0], &poll)
    check(status, raised)
    return found


# ---- values ------------------------------------------------------------------------

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


cdef extern from "Python.h":
    PyObject *item_type "Py_TYPE"(PyObject *)
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
    """
    void ahead(const void *) nogil


cdef object numbered(pw_items *items, int unit):
    """Codes (ascending items), the first place of each code; None if hashing gave up."""
    cdef list raised = []
    cdef pw_poll poll
    cdef int64_t *firsts = NULL
    cdef int32_t *ranks = NULL
    cdef int64_t k = 0
    cdef int status
    codes = np.empty(items.n, dtype=np.int32)
    cdef int32_t[::1] to = codes
    cdef int32_t *out = &to[0] if items.n > 0 else NULL
    poll.ask = ask_python
    poll.context = <void *>raised
    with nogil:
        status = pw_number_items(items, out, &firsts, &k, &poll)
        if status == PW_OK:
            ranks = <int32_t *>calloc(<size_t>k + 1, sizeof(int32_t))
            status = PW_NO_MEMORY if ranks == NULL else PW_OK
        if status == PW_OK:
            status = pw_order_items(items, unit, firsts, ranks, k, &poll)
        if status == PW_OK:
            pw_renumber(items, out, ranks)
        free(ranks)
    if status == PW_CROWDED:
        return None
    try:
        check(status, raised)
    except BaseException:
        free(firsts)
        raise
    return codes, adopt(firsts, k)


def number_fixed(values):
    cdef Labels bytes_of = Labels(values.view(np.uint8))
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, NULL, 0,
                                   values.dtype.itemsize, values.shape[0], NULL)
    found = numbered(&items, 4 if values.dtype.kind == "U" else 1)
    return _values.number_fixed(values) if found is None else found


def number_spans(data, offsets, skipped):
    cdef Labels bytes_of = Labels(data)
    cdef Labels ends = Labels(offsets)
    cdef Labels gone = Labels(np.empty(0, dtype=np.uint8) if skipped is None else skipped)
    cdef pw_items items = pw_items(<const char *>bytes_of.view.data, ends.view.data,
                                   ends.view.itemsize, 0, ends.view.n - 1, NULL)
    if skipped is not None:
        items.skipped = <const uint8_t *>gone.view.data
    found = numbered(&items, 1)
    return _values.number_spans(data, offsets, skipped) if found is None else found


def number_text(values):
    cdef PyObject **given
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
    cdef bint lacking = False
    cdef pw_items items
    if n == 0:
        return None
    given = values_of(values)
    if given[0] == NULL or item_type(given[0]) not in (text_type, bytes_type, item_type(none),
                                                       float_type):
        return None
    text = <char *>malloc(<size_t>room)
    if text == NULL:
        raise MemoryError("partwise: not enough memory for these labels")
    try:
        ends = np.empty(n + 1, dtype=np.int64)
        skipped = np.zeros(n, dtype=np.uint8)
        offsets = ends
        gone = skipped
        # Nothing below runs Python code, so the values stay where they are.
        for i in range(n):
            offsets[i] = used
            if i + 16 < n:
                ahead(given[i + 16])
            item = given[i]
            if item == NULL:
                return None
            kind = item_type(item)
            if item == none or (kind == float_type and isnan(PyFloat_AS_DOUBLE(item))):
                gone[i] = 1
                lacking = True
                continue
            if wanted == NULL:
                wanted = kind
            if kind != wanted:
                return None
            if kind == text_type:
                if not is_compact(item):
                    return None
                length = PyUnicode_GET_LENGTH(item)
                if not is_ascii(item):
                    length *= 4
            elif kind == bytes_type:
                length = PyBytes_GET_SIZE(item)
            else:
                return None
            if used + length > room:
                room = 2 * room + length
                grown = <char *>realloc(text, <size_t>room)
                if grown == NULL:
                    raise MemoryError("partwise: not enough memory for these labels")
                text = grown
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
        if wanted == NULL:
            return None
        items = pw_items(text, &offsets[0], 8, 0, n, NULL)
        if lacking:
            items.skipped = &gone[0]
        found = numbered(&items, 1)
    finally:
        free(text)
    if found is None:
        return None
    labels = values_at(values, n, found[1])
    return found[0], labels, skipped.view(bool) if lacking else None


cdef object values_at(values, int64_t n, places):
    """An object array of the values at these places; all were read with their number n."""
    cdef PyObject **given = values_of(values)
    cdef int64_t[::1] from_place = places
    cdef int64_t k = from_place.shape[0]
    cdef int64_t j
    labels = np.empty(k, dtype=object)
    cdef object[::1] to = labels
    if len(values) != n:  # another thread had the list meanwhile
        raise RuntimeError("the list of labels changed its size while it was read")
    for j in range(k):
        if j + 16 < k:
            ahead(given[from_place[j + 16]])
        to[j] = <object>given[from_place[j]]
    return labels


cdef PyObject **values_of(values):
    """Where a list or a contiguous object array holds its values."""
    if type(values) is list:
        return PySequence_Fast_ITEMS(values)
    return <PyObject **><uintptr_t>values.__array_interface__["data"][0]
