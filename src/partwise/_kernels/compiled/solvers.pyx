# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Matching, packing and transport."""

from libc.stdint cimport int64_t

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_CROWDED, ask_python, check, out_of, pw_poll, start_of,
)

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
