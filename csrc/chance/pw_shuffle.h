/* Sparse random tables with given margins: items of one side dealt to the clusters of the other. */
#ifndef PW_SHUFFLE_H
#define PW_SHUFFLE_H

#include "pw_common.h"
#include "pw_table.h"

/* One table of two clusterings of the given sizes, every pairing of their items equally likely.
 * Precondition: all sizes >= 1, both sides add up to n, 1 <= n < 2^32; cells is all zero.
 * indptr (n_rows + 1, the first already 0) is the caller's; the cells are appended to `cells`,
 * which the caller frees.
 * Rows are cut into blocks of some 2^13 to 2^14 places (n / 128 for more items than 2^20); each
 * item of the columns, in order, is put into a random block and there given a random row.
 * O(n + n_rows + n_cols); 6 n bytes, 12 for each place of the largest block, and the cells. */
int pw_shuffled_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                      int64_t n_cols, int64_t n, const uint64_t key[2], int64_t *indptr,
                      pw_cells *cells, const pw_poll *poll);

#endif
