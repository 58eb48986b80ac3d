/* Mass that two soft clusters share: sums of min(p, q) over items. Every membership is rounded
 * once to the nearest multiple of 2^-51, the sums are exact, and each is rounded once: no order
 * of items or clusters, splitting or storage can change a bit. */
#ifndef PW_SHARED_MASS_H
#define PW_SHARED_MASS_H

#include "pw_common.h"

/* shared[r * (last - first) + c - first] = sum of min(p[i, r], q[i, c]) over n items, for every
 * column r < n_rows of p and first <= c < last of q.
 * Precondition: p is n x n_rows, q n x n_cols, row by row, 0 <= p, q <= 2; the result has room.
 * O(n n_rows (last - first)), 24 bytes a result and up to 2 KiB a column. */
int pw_shared_mass(const double *p, const double *q, int64_t n, int64_t n_rows, int64_t n_cols,
                   int64_t first, int64_t last, double *shared, const pw_poll *poll);

/* The same for rows of stored entries (CSR; a column at most once a row), all n_cols columns.
 * O(pairs of entries in a row + n_rows n_cols), 16 bytes a result. */
int pw_shared_mass_sparse(const int64_t *p_indptr, const int64_t *p_cols, const double *p_values,
                          const int64_t *q_indptr, const int64_t *q_cols, const double *q_values,
                          int64_t n, int64_t n_rows, int64_t n_cols, double *shared,
                          const pw_poll *poll);

#endif
