/* Maximum-gain packing under row and column capacities on the cells of a sparse table. */
#ifndef PW_PACK_H
#define PW_PACK_H

#include "pw_common.h"

/* amounts[i] = what cell i carries: >= 0, at most row_caps in a row and col_caps in a column, so
 * that sum gain x amount is the largest possible. row_duals and col_duals prove it: all >= 0,
 * row + column >= gain on every cell, equal where there is an amount, 0 on rows and columns that
 * are not full.
 * Precondition: 0 <= gains[i] < 2^61; capacities >= 1, their sum below 2^62; columns ascending
 * inside a row; n_rows + n_cols < PW_TREE_MOST.
 *
 * Transport simplex with the slack of rows and columns as root, from a greedy start by gain;
 * strongly feasible trees, so that ties cannot make it turn in circles. O(cells) and a sort on
 * nearly equal clusterings; no polynomial bound. 80 (rows + columns) + 40 cells bytes, or those of
 * pw_pack_auction.
 * After `budget` cells scanned and nodes walked pw_pack_auction takes over. Below 0: never if gains
 * are small multiples of one number, else after PW_PACK_PATIENCE times the cells. */
int pw_pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
            const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows, int64_t n_cols,
            int64_t budget, int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
            const pw_poll *poll);

#endif
