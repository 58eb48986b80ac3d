# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Integer labels, their meet as a table, its join."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

from partwise._kernels.threads import run_parts as _run_parts

from partwise._kernels.compiled.glue cimport (
    PW_CROWDED, PW_NO_MEMORY, PW_OK, PW_STOPPED, Labels, Poll, adopt, as_labels,
    ask_python, check, out_of, pw_i128, pw_labels, pw_poll, start_of,
)

cdef extern from "pw_encode.h" nogil:
    void pw_range(const pw_labels *v, uint64_t *low, uint64_t *high)
    int pw_first_appearance(int64_t *codes, int64_t n, int64_t k, int64_t *used,
                            const pw_poll *poll)

cdef extern from "pw_recode.h" nogil:
    int64_t pw_recode(const pw_labels *v, const int32_t *numbers, int64_t n_codes,
                      int32_t *out)
    int pw_first_places(const pw_labels *v, int64_t n_codes, int64_t *first,
                        int64_t *wrong, const pw_poll *poll)
    int64_t pw_double_range(const double *x, int64_t n, double *least, double *largest)
    int pw_whole_numbers(const double *x, int64_t n, double least, int32_t *out)
    int64_t pw_keep(const pw_labels *v, const uint8_t *dropped, void *out)

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
    int pw_margins(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                   int64_t n_rows, int64_t n_cols, int64_t *row_sizes,
                   int64_t *col_sizes, const pw_poll *poll)
    int pw_transpose(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                     int64_t n_rows, int64_t n_cols, int64_t *to_indptr,
                     int64_t *to_cols, int64_t *to_counts, const pw_poll *poll)
    int pw_maxima(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                  int64_t n_rows, int64_t n_cols, int64_t *row_maxima,
                  int64_t *col_maxima, const pw_poll *poll)

    int pw_locate(const int64_t *indptr, const int64_t *table_cols,
                  const int64_t *rows, const int64_t *cols, int64_t n, int64_t *cells,
                  const pw_poll *poll)

cdef extern from "pw_union.h" nogil:
    ctypedef struct pw_placed:
        const int64_t *indptr
        const int64_t *cols
        const int64_t *counts
        int64_t n_rows
        const int64_t *row_places
        const int64_t *col_places
    int64_t pw_unite(const uint64_t *x, int64_t n_x, const uint64_t *y, int64_t n_y,
                     int is_signed, uint64_t *both, int64_t *place_x, int64_t *place_y)
    int pw_union_rows(const pw_placed *x, const pw_placed *y, int64_t n_rows,
                      int64_t *indptr, const pw_poll *poll)
    int pw_union_cells(const pw_placed *x, const pw_placed *y, int64_t n_rows,
                       const int64_t *indptr, int64_t *cols, int64_t *counts,
                       const pw_poll *poll)

cdef extern from "pw_scratch.h" nogil:
    ctypedef struct pw_scratch:
        pass
    int64_t pw_scratch_size(const pw_scratch *scratch)
    void pw_scratch_free(pw_scratch *scratch)

cdef extern from "pw_vector.h" nogil:
    enum:
        PW_VECTOR_LEVELS
    ctypedef struct pw_vector:
        const char *name
    const pw_vector *pw_vector_at(int level)

cdef extern from "pw_meet.h" nogil:
    enum:
        PW_WORKERS_MOST
        PW_WORKER_ITEMS
    ctypedef struct pw_job:
        pass
    int pw_meet_start(pw_job *job, const pw_labels *a, const pw_labels *b,
                      pw_scratch **scratch, int n_workers, const pw_vector *vector)
    int pw_meet_step(pw_job *job, int worker, const pw_poll *poll)
    int pw_meet_turn(pw_job *job, int status, int *steps_left, const pw_poll *poll)
    int pw_meet_end(pw_job *job, int status, pw_table *table)
    int pw_meet(const pw_labels *a, const pw_labels *b, pw_scratch *scratch,
                const pw_vector *vector, pw_table *table, const pw_poll *poll)

cdef extern from "pw_window.h" nogil:
    ctypedef struct pw_window:
        uint64_t low
        int32_t most
    ctypedef struct pw_source:
        const pw_labels *a
        const pw_labels *b
        pw_window row
        pw_window col

cdef extern from "pw_masses.h" nogil:
    int pw_dense_windows(pw_source *source, const pw_vector *vector, int64_t most, int guessed)
    ctypedef struct pw_counting:
        const int64_t *times
        const double *weights
        const uint8_t *dropped
        double largest
        int fraction_bits
    int pw_dense_masses(const pw_source *source, const pw_vector *vector,
                        const pw_counting *counting, int64_t *counts, pw_i128 *masses,
                        int64_t *zeros, const pw_poll *poll)
    void pw_mass_totals(const pw_i128 *masses, int64_t n_rows, int64_t n_cols,
                        int fraction_bits, pw_i128 *sums, double **high, double **low)

cdef extern from "pw_join.h" nogil:
    int pw_join(const int64_t *indptr, const int64_t *cols, int64_t n_rows,
                int64_t n_cols, int64_t *row_component, int64_t *col_component,
                int64_t *n_components, const pw_poll *poll)


# ---- labels ------------------------------------------------------------------------

def value_range(values):
    cdef Labels labels = Labels(values)
    cdef uint64_t low, high
    with nogil:
        pw_range(&labels.view, &low, &high)
    if labels.view.is_signed:
        return <int64_t>low, <int64_t>high
    return low, high


def first_appearance(const int64_t[::1] codes, int64_t k):
    cdef Poll poll = Poll()
    cdef int64_t used = 0
    cdef int status
    result = np.array(codes, dtype=np.int64)
    cdef int64_t[::1] out = result
    cdef int64_t *to = out_of(out)
    cdef int64_t n = codes.shape[0]
    with nogil:
        status = pw_first_appearance(to, n, k, &used, &poll.asked)
    poll.check(status)
    return result, used


def recode(values, const int32_t[::1] numbers):
    cdef Labels labels = Labels(values)
    cdef int64_t wrong
    codes = np.empty(labels.view.n, dtype=np.int32)
    cdef int32_t[::1] out = codes
    cdef int32_t *to = &out[0] if labels.view.n > 0 else NULL
    cdef const int32_t *table = &numbers[0] if numbers.shape[0] > 0 else NULL
    with nogil:
        wrong = pw_recode(&labels.view, table, numbers.shape[0], to)
    return codes, (None if wrong == labels.view.n else wrong)


def first_places(values, int64_t n_codes):
    cdef Labels labels = Labels(values)
    cdef int64_t wrong = 0
    cdef int status
    cdef Poll poll = Poll()
    first = np.empty(n_codes, dtype=np.int64)
    cdef int64_t[::1] out = first
    cdef int64_t *to = out_of(out)
    with nogil:
        status = pw_first_places(&labels.view, n_codes, to, &wrong, &poll.asked)
    poll.check(status)
    return first, (None if wrong == labels.view.n else wrong)


def double_range(const double[::1] values):
    cdef double least, largest
    cdef int64_t missing
    with nogil:
        missing = pw_double_range(&values[0], values.shape[0], &least, &largest)
    return least, largest, missing


def keep(values, dropped):
    cdef Labels labels = Labels(values)
    cdef Labels gone = Labels(dropped.view(np.uint8))
    kept = np.empty(labels.view.n, dtype=values.dtype)
    cdef Labels out = Labels(kept)
    cdef int64_t used
    with nogil:
        used = pw_keep(&labels.view, <const uint8_t *>gone.view.data, <void *>out.view.data)
    return kept[:used]


def whole_numbers(const double[::1] values, double least):
    cdef int whole = 1
    numbers = np.empty(values.shape[0], dtype=np.int32)
    cdef int32_t[::1] out = numbers
    with nogil:
        if values.shape[0] > 0:
            whole = pw_whole_numbers(&values[0], values.shape[0], least, &out[0])
    return numbers if whole else None


# ---- vector levels -----------------------------------------------------------------

# the functions that a meet takes: written at import, and by tests between two calls
cdef const pw_vector *_vector = pw_vector_at(0)


def vector_levels():
    levels = []
    for level in range(PW_VECTOR_LEVELS):
        if pw_vector_at(level) != NULL:
            levels.append(pw_vector_at(level).name.decode())
    return tuple(levels)


def use_vector(level):
    global _vector
    for number in range(PW_VECTOR_LEVELS):
        if pw_vector_at(number) != NULL and pw_vector_at(number).name.decode() == level:
            _vector = pw_vector_at(number)
            return
    raise ValueError(f"{level!r} is none of the vector levels {', '.join(vector_levels())}")


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
    cdef pw_scratch **scratch_of_worker
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
        self.scratch_of_worker = <pw_scratch **>calloc(self.n_workers, sizeof(pw_scratch *))
        if self.statuses == NULL or self.scratch_of_worker == NULL:
            raise MemoryError
        for worker in range(self.n_workers):
            self.scratch_of_worker[worker] = &(<Scratch>scratches[worker]).own

    def __dealloc__(self):
        free(self.statuses)
        free(self.scratch_of_worker)

    def step(self, int worker):
        with nogil:
            self.statuses[worker] = pw_meet_step(&self.job, worker, &self.poll)

    cdef int step_of_all(self) except -1:
        """Answer the first status that is not PW_OK; no thread is left behind."""
        cdef int worker
        _run_parts(self.step, self.n_workers, self.raised)
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
                                   self.scratch_of_worker, self.n_workers, _vector)
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
    cdef Poll poll = Poll()
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
        with nogil:
            status = pw_meet(&left.view, &right.view, &first.own, _vector, &table, &poll.asked)
        poll.check(status)
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


cdef enum:
    LEAST_PAIRS = 4096  # so few are always worth a counter each
    ITEMS_PER_PAIR = 4


def dense_masses(a, b, times, weights, double largest, int fraction_bits, dropped=None):
    cdef Labels left = Labels(a)
    cdef Labels right = Labels(b)
    cdef pw_source source
    cdef int64_t most = left.view.n // ITEMS_PER_PAIR + LEAST_PAIRS
    cdef int guessed, few
    if left.view.n == 0 or most >= <int64_t>1 << 31:
        return None
    source.a, source.b = &left.view, &right.view
    for guessed in (1, 0):
        with nogil:
            few = pw_dense_windows(&source, _vector, most, guessed)
        if few:
            sums = masses_in(&source, times, weights, largest, fraction_bits, dropped)
            if sums is not None:
                return (
                    (low_of(&left.view, source.row.low), low_of(&right.view, source.col.low)),
                    *sums,
                )
    return None


cdef object low_of(const pw_labels *labels, uint64_t low):
    """The least label of a window as a Python integer."""
    if labels.is_signed:
        return <int64_t>low
    return low


cdef object masses_in(
    pw_source *source, times, weights, double largest, int fraction_bits, dropped
):
    """Counts and totals of the pairs of labels in two windows, None if a number is outside."""
    cdef Poll poll = Poll()
    cdef const int64_t[::1] times_of = times
    cdef const double[::1] weight_of = weights
    cdef pw_counting counting = pw_counting(NULL, NULL, NULL, largest, fraction_bits)
    cdef const uint8_t[::1] dropped_of = None if dropped is None else dropped.view(np.uint8)
    cdef int64_t zeros = 0
    cdef pw_i128 *masses = NULL
    cdef pw_i128 *sums = NULL
    cdef int64_t[::1] counts_of
    cdef double[:, ::1] doubles
    cdef double *highs[4]
    cdef double *lows[4]
    cdef int status = PW_OK
    cdef int64_t n_rows = <int64_t>source.row.most + 1
    cdef int64_t n_cols = <int64_t>source.col.most + 1
    cdef int64_t n_pairs = n_rows * n_cols
    cdef int64_t part
    cdef int64_t *to
    counts = np.zeros(n_pairs, dtype=np.int64)
    counts_of = counts
    to = &counts_of[0]
    if times is not None:
        counting.times = &times_of[0]
    if dropped is not None:
        counting.dropped = &dropped_of[0]
    if weights is not None:
        counting.weights = &weight_of[0]
        masses = <pw_i128 *>calloc(<size_t>n_pairs, 16)
        sums = <pw_i128 *>calloc(<size_t>n_cols, 16)
        if masses == NULL or sums == NULL:
            status = PW_NO_MEMORY
    parts = (n_pairs, n_rows, n_cols, 1)
    totals = [np.empty((2, size)) for size in parts]
    for part in range(4):
        doubles = totals[part]
        highs[part], lows[part] = &doubles[0, 0], &doubles[1, 0]
    with nogil:
        if status == PW_OK:
            status = pw_dense_masses(source, _vector, &counting, to, masses, &zeros,
                                     &poll.asked)
        if status == PW_OK and masses != NULL:
            pw_mass_totals(masses, n_rows, n_cols, fraction_bits, sums, highs, lows)
        free(masses)
        free(sums)
    if status == PW_CROWDED:
        return None
    poll.check(status)
    return counts.reshape(n_rows, n_cols), None if weights is None else totals, zeros


def collapse(const int64_t[::1] rows, const int64_t[::1] cols,
             const int64_t[::1] counts, int64_t n_rows, int64_t n_cols):
    cdef Poll poll = Poll()
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
    with nogil:
        status = pw_collapse(r, c, x, n, n_rows, n_cols, &out[0], &to_cols, &to_counts,
                             &n_cells, &poll.asked)
    poll.check(status)
    return indptr, adopt(to_cols, n_cells), adopt(to_counts, n_cells)


def margins(const int64_t[::1] indptr, const int64_t[::1] cols,
            const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    row_sizes = np.empty(n_rows, dtype=np.int64)
    col_sizes = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_sizes
    cdef int64_t[::1] by_col = col_sizes
    cdef Poll poll = Poll()
    cdef int status
    with nogil:
        status = pw_margins(&indptr[0], start_of(cols), start_of(counts), n_rows, n_cols,
                            out_of(by_row), out_of(by_col), &poll.asked)
    poll.check(status)
    return row_sizes, col_sizes


def transpose(const int64_t[::1] indptr, const int64_t[::1] cols,
              const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int status
    cdef Poll poll = Poll()
    to_indptr = np.empty(n_cols + 1, dtype=np.int64)
    to_cols = np.empty(cols.shape[0], dtype=np.int64)
    to_counts = np.empty(cols.shape[0], dtype=np.int64)
    cdef int64_t[::1] p = to_indptr
    cdef int64_t[::1] c = to_cols
    cdef int64_t[::1] x = to_counts
    with nogil:
        status = pw_transpose(&indptr[0], start_of(cols), start_of(counts), n_rows,
                              n_cols, &p[0], out_of(c), out_of(x), &poll.asked)
    poll.check(status)
    return to_indptr, to_cols, to_counts


def maxima(const int64_t[::1] indptr, const int64_t[::1] cols,
           const int64_t[::1] counts, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    row_maxima = np.empty(n_rows, dtype=np.int64)
    col_maxima = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_maxima
    cdef int64_t[::1] by_col = col_maxima
    cdef Poll poll = Poll()
    cdef int status
    with nogil:
        status = pw_maxima(&indptr[0], start_of(cols), start_of(counts), n_rows, n_cols,
                           out_of(by_row), out_of(by_col), &poll.asked)
    poll.check(status)
    return row_maxima, col_maxima


def locate(const int64_t[::1] indptr, const int64_t[::1] table_cols,
           const int64_t[::1] rows, const int64_t[::1] cols):
    cdef int64_t n = rows.shape[0]
    cdef int status = PW_OK
    cdef Poll poll = Poll()
    cells = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = cells
    with nogil:
        if n > 0:
            status = pw_locate(&indptr[0], &table_cols[0], &rows[0], &cols[0], n, &out[0],
                               &poll.asked)
    poll.check(status)
    return cells


# ---- tables of different items add up ------------------------------------------------

def unite(x, y):
    cdef Labels own = Labels(x.astype(np.int64, copy=False) if x.itemsize < 8 else x)
    cdef Labels other = Labels(y.astype(np.int64, copy=False) if y.itemsize < 8 else y)
    cdef int64_t n_x = own.view.n
    cdef int64_t n_y = other.view.n
    cdef int64_t used
    both = np.empty(n_x + n_y, dtype=np.int64)
    x_places = np.empty(n_x, dtype=np.int64)
    y_places = np.empty(n_y, dtype=np.int64)
    cdef int64_t[::1] to = both
    cdef int64_t[::1] to_x = x_places
    cdef int64_t[::1] to_y = y_places
    with nogil:
        used = pw_unite(<const uint64_t *>own.view.data, n_x,
                        <const uint64_t *>other.view.data, n_y, own.view.is_signed,
                        <uint64_t *>out_of(to), out_of(to_x), out_of(to_y))
    union = both[:used]
    if x.dtype == np.uint64:
        union = union.view(np.uint64)
    return union.astype(x.dtype), x_places, y_places


cdef pw_placed placed_of(const int64_t[::1] indptr, const int64_t[::1] cols,
                         const int64_t[::1] counts, const int64_t[::1] row_places,
                         const int64_t[::1] col_places):
    cdef pw_placed table
    table.indptr = &indptr[0]
    table.cols = start_of(cols)
    table.counts = start_of(counts)
    table.n_rows = indptr.shape[0] - 1
    table.row_places = NULL
    table.col_places = NULL
    if row_places is not None:
        table.row_places = start_of(row_places)
    if col_places is not None:
        table.col_places = start_of(col_places)
    return table


def union_rows(x, y, int64_t n_rows):
    cdef pw_placed own = placed_of(x[0], x[1], x[2], x[3], x[4])
    cdef pw_placed other = placed_of(y[0], y[1], y[2], y[3], y[4])
    cdef Poll poll = Poll()
    cdef int status
    indptr = np.empty(n_rows + 1, dtype=np.int64)
    cdef int64_t[::1] to = indptr
    with nogil:
        status = pw_union_rows(&own, &other, n_rows, &to[0], &poll.asked)
    poll.check(status)
    return indptr


def union_cells(x, y, const int64_t[::1] indptr, int64_t[::1] cols, int64_t[::1] counts):
    cdef pw_placed own = placed_of(x[0], cols, counts, x[3], x[4])
    cdef pw_placed other = placed_of(y[0], y[1], y[2], y[3], y[4])
    cdef Poll poll = Poll()
    cdef int status
    with nogil:
        status = pw_union_cells(&own, &other, indptr.shape[0] - 1, &indptr[0],
                                out_of(cols), out_of(counts), &poll.asked)
    poll.check(status)


# ---- the join ----------------------------------------------------------------------

def join(const int64_t[::1] indptr, const int64_t[::1] cols, int64_t n_cols):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef int64_t n_components = 0
    cdef Poll poll = Poll()
    cdef int status
    row_component = np.empty(n_rows, dtype=np.int64)
    col_component = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] by_row = row_component
    cdef int64_t[::1] by_col = col_component
    with nogil:
        status = pw_join(&indptr[0], start_of(cols), n_rows, n_cols, out_of(by_row),
                         out_of(by_col), &n_components, &poll.asked)
    poll.check(status)
    return row_component, col_component, n_components
