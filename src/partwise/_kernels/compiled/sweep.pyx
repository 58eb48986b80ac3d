# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Every state of a series of merges."""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    Poll, check, first_double, out_of, pw_poll, start_of,
)

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


def sweep_events(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right):
    cdef int64_t n = labels.shape[0]
    cdef int64_t n_merges = left.shape[0]
    cdef Poll poll = Poll()
    cdef pw_events events
    cdef int status
    ends = np.zeros(n_merges + 1, dtype=np.int64)
    results = np.empty((3, n), dtype=np.int64)
    cdef int64_t[::1] e = ends
    cdef int64_t[:, ::1] f = results
    events.ends = &e[0]
    events.rows = events.before = events.after = NULL
    if n > 0:
        events.rows = &f[0, 0]
        events.before = &f[1, 0]
        events.after = &f[2, 0]
    with nogil:
        status = pw_sweep_events(start_of(labels), n, n_labels, start_of(left),
                                 start_of(right), n_merges, &events, &poll.asked)
    poll.check(status)
    rows, before, after = (part[:events.n_events] for part in results)
    return ends, rows, before, after


cdef void point_to(uint64_t *words[2], uint64_t[:, ::1] room) noexcept:
    words[0] = &room[0, 0]
    words[1] = &room[1, 0]


def sweep_curves(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right, const int64_t[::1] state, int64_t n_states,
                 events, int fraction_bits, bint entropies, bint b_cubed):
    cdef int64_t n = labels.shape[0]
    cdef Poll poll = Poll()
    cdef pw_events kernel_events
    cdef pw_curves curves
    cdef int status
    read_events(&kernel_events, events)
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
    with nogil:
        status = pw_sweep_curves(start_of(labels), n, n_labels, start_of(left),
                                 start_of(right), start_of(state), left.shape[0], n_states,
                                 &kernel_events, fraction_bits, &curves, &poll.asked)
    poll.check(status)
    results = dict(zip(("cells", "clusters", "all_clusters", "largest", "row_maxima",
                        "col_maxima", "exact_matches"), narrow))
    for name, (low, high) in wide.items():
        results[name] = (high.view(np.int64), low)
    return results


def sweep_edges(int64_t n, const int64_t[::1] first, const int64_t[::1] second):
    cdef Poll poll = Poll()
    cdef int64_t n_merges = 0
    cdef int status
    results = np.empty((3, max(n, 1)), dtype=np.int64)
    cdef int64_t[:, ::1] to = results
    with nogil:
        status = pw_sweep_edges(n, start_of(first), start_of(second), first.shape[0],
                                &to[0, 0], &to[1, 0], &to[2, 0], &n_merges, &poll.asked)
    poll.check(status)
    left, right, used = (part[:n_merges].copy() for part in results)
    return left, right, used


def sweep_clusters(int64_t n, const int64_t[::1] left, const int64_t[::1] right,
                   int64_t n_merges):
    cdef int status
    results = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] to = results
    with nogil:
        status = pw_sweep_clusters(n, start_of(left), start_of(right), n_merges, out_of(to))
    check(status, [])
    return results


def sweep_sizes(const int64_t[::1] counts, const int64_t[::1] left,
                const int64_t[::1] right):
    cdef int64_t n = counts.shape[0]
    results = np.empty(n + left.shape[0], dtype=np.int64)
    results[:n] = counts
    cdef int64_t[::1] to = results
    with nogil:
        pw_sweep_sizes(n, start_of(left), start_of(right), left.shape[0], out_of(to))
    return results


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
    cdef Poll poll = Poll()
    cdef pw_events kernel_events
    cdef int status
    read_events(&kernel_events, events)
    results = np.zeros(bounds.shape[0], dtype=np.int64)
    cdef int64_t[::1] to = results
    with nogil:
        status = pw_sweep_walks(start_of(labels), labels.shape[0], n_labels,
                                start_of(left), start_of(right), left.shape[0], &kernel_events,
                                start_of(bounds), bounds.shape[0], out_of(to), &poll.asked)
    poll.check(status)
    return results


def sweep_scores(const int64_t[::1] labels, int64_t n_labels, const int64_t[::1] left,
                 const int64_t[::1] right, const int64_t[::1] state, int64_t n_states,
                 events, int fraction_bits, int64_t by_rows, bint product):
    cdef Poll poll = Poll()
    cdef pw_events kernel_events
    cdef int status
    read_events(&kernel_events, events)
    cdef int64_t visited = 0
    results = np.empty((2, max(n_states, 1)), dtype=np.float64)
    cdef double[:, ::1] to = results
    with nogil:
        status = pw_sweep_scores(start_of(labels), labels.shape[0], n_labels,
                                 start_of(left), start_of(right), start_of(state),
                                 left.shape[0], n_states, &kernel_events, fraction_bits,
                                 by_rows, &to[0, 0] if product else NULL, &to[1, 0],
                                 &visited, &poll.asked)
    poll.check(status)
    return (results[0, :n_states] if product else None), results[1, :n_states], visited
