# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, freethreading_compatible=True
"""Matching, packing and transport."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc

import numpy as np

from partwise._kernels.compiled.glue cimport (
    PW_CROWDED, PW_NO_MEMORY, PW_OK, Poll, Team, check, out_of, pw_poll, start_of,
)

cdef extern from "pw_match_parts.h" nogil:
    ctypedef struct pw_match_scans:
        int64_t least
        int64_t per_cell
        int64_t per_cell_dense
    ctypedef struct pw_match_parts:
        int64_t n
    int64_t pw_match_budget(const pw_match_scans *scans, int64_t n_rows, int64_t n_cols,
                            int64_t n_cells)
    void pw_match_parts_free(pw_match_parts *parts)
    int pw_match_deal(const pw_match_parts *parts, int workers, uint8_t *owners)
    int pw_match_components(const pw_match_parts *parts, const int64_t *indptr,
                            const uint8_t *owners, int worker, int tied,
                            const pw_match_scans *scans, int64_t *match,
                            int64_t *row_duals, int64_t *col_duals, const pw_poll *poll)

cdef extern from "pw_match.h" nogil:
    int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                 int64_t n_rows, int64_t n_cols, int tied, int64_t budget,
                 pw_match_parts *parts, int64_t *match, int64_t *row_duals,
                 int64_t *col_duals, const pw_poll *poll)

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

cdef class _Components(Team):
    """Components of a table that threads match, some each."""

    cdef pw_match_parts components
    cdef pw_match_scans scans
    cdef uint8_t *owners
    cdef const int64_t *indptr
    cdef bint tied
    cdef int64_t *matched
    cdef int64_t *row_duals
    cdef int64_t *col_duals

    def __dealloc__(self):
        pw_match_parts_free(&self.components)
        free(self.owners)

    def match_part(self, int part):
        with nogil:
            self.statuses[part] = pw_match_components(
                &self.components, self.indptr, self.owners, part, self.tied, &self.scans,
                self.matched, self.row_duals, self.col_duals, &self.poll
            )

    cdef int match_all(self) except -1:
        cdef int status = PW_NO_MEMORY
        self.owners = <uint8_t *>malloc(<size_t>self.components.n)
        if self.owners != NULL:
            with nogil:
                status = pw_match_deal(&self.components, self.parts, self.owners)
        return self.each(self.match_part) if status == PW_OK else status


def match(const int64_t[::1] indptr, const int64_t[::1] cols, const int64_t[::1] gains,
          int64_t n_cols, bint tied, scans, int workers=1):
    cdef int64_t n_rows = indptr.shape[0] - 1
    cdef _Components job = _Components(workers)
    cdef pw_match_parts *parts = &job.components
    cdef int64_t budget
    cdef int status
    matched = np.empty(n_rows, dtype=np.int64)
    row_duals = np.empty(n_rows, dtype=np.int64)
    col_duals = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] m = matched
    cdef int64_t[::1] u = row_duals
    cdef int64_t[::1] v = col_duals
    if isinstance(scans, tuple):
        job.scans.least, job.scans.per_cell, job.scans.per_cell_dense = scans
        budget = pw_match_budget(&job.scans, n_rows, n_cols, cols.shape[0])
    else:
        budget, parts = scans, NULL
    job.indptr, job.tied = &indptr[0], tied
    job.matched, job.row_duals, job.col_duals = out_of(m), out_of(u), out_of(v)
    with nogil:
        status = pw_match(job.indptr, start_of(cols), start_of(gains), n_rows, n_cols, tied,
                          budget, parts, job.matched, job.row_duals, job.col_duals,
                          &job.poll)
    if status == PW_CROWDED:
        status = job.match_all()
    check(status, job.raised)
    return matched, row_duals, col_duals


# ---- packing and transport ---------------------------------------------------------

def pack(const int64_t[::1] indptr, const int64_t[::1] cols, const int64_t[::1] gains,
         const int64_t[::1] row_caps, const int64_t[::1] col_caps, int64_t budget):
    cdef int64_t n_rows = row_caps.shape[0], n_cols = col_caps.shape[0]
    cdef Poll poll = Poll()
    cdef int status
    amounts = np.empty(cols.shape[0], dtype=np.int64)
    row_duals = np.empty(n_rows, dtype=np.int64)
    col_duals = np.empty(n_cols, dtype=np.int64)
    cdef int64_t[::1] w = amounts
    cdef int64_t[::1] u = row_duals
    cdef int64_t[::1] v = col_duals
    with nogil:
        status = pw_pack(&indptr[0], start_of(cols), start_of(gains), start_of(row_caps),
                         start_of(col_caps), n_rows, n_cols, budget, out_of(w),
                         out_of(u), out_of(v), &poll.asked)
    poll.check(status)
    return amounts, row_duals, col_duals


def transport(const double[:, ::1] costs, const int64_t[::1] supply,
              const int64_t[::1] demand):
    cdef int64_t n_rows = supply.shape[0], n_cols = demand.shape[0]
    cdef int64_t n_arcs = 0
    cdef Poll poll = Poll()
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
    with nogil:
        status = pw_transport(&costs[0, 0], &supply[0], &demand[0], n_rows, n_cols, &r[0],
                              &c[0], &f[0], &n_arcs, &u[0], &v[0], &poll.asked)
    if status == PW_CROWDED:
        return None
    poll.check(status)
    return rows[:n_arcs], columns[:n_arcs], flows[:n_arcs], row_duals, col_duals
