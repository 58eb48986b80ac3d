/* The transportation problem on a dense cost matrix. */
#ifndef PW_TRANSPORT_H
#define PW_TRANSPORT_H

#include "pw_common.h"

/* The cheapest plan that moves `supply` of the rows to `demand` of the columns. It is a forest:
 * rows_of, cols_of and flows (room for n_rows + n_cols - 1 each) receive its *n_arcs cells with
 * flow > 0, in no order. row_duals and col_duals prove it: row + column <= cost on every cell,
 * equal where there is flow.
 * Costs are row-major, finite, of magnitude below 2^400; the optimum is exact for the costs cut
 * to 110 bits or so below the largest magnitude (no cut where costs span less than 2^50).
 * Precondition: n_rows, n_cols >= 1; supplies and demands >= 1 with equal sums below 2^62;
 * n_rows + n_cols < PW_TREE_MOST.
 *
 * Transport simplex with implicit arcs on strongly feasible trees: first in doubles, block
 * pricing; then from the tree found, with potentials in 128-bit fixed point, until every cell is
 * proved. PW_CROWDED if that takes more pivots than 64 rows x columns
 * and 2e6: no plan then.
 * 96 (n_rows + n_cols) bytes beside the costs; the time goes into pricing cells. */
int pw_transport(const double *costs, const int64_t *supply, const int64_t *demand, int64_t n_rows,
                 int64_t n_cols, int64_t *rows_of, int64_t *cols_of, int64_t *flows,
                 int64_t *n_arcs, double *row_duals, double *col_duals, const pw_poll *poll);

#endif
