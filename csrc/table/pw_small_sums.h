/* Sums of the table of two short columns of labels, without the table. */
#ifndef PW_SMALL_SUMS_H
#define PW_SMALL_SUMS_H

#include "pw_common.h"

/* Items, and cells of the rectangle that the labels span, at most. */
#define PW_SMALL_ITEMS 2048
#define PW_SMALL_CELLS 8192

typedef struct {
    int64_t n_rows, n_cols, n_cells;
    int64_t row_squares, col_squares, cell_squares;
    int64_t row_maxima, col_maxima;           /* items in the largest cell of each row, column */
    pw_u128 row_xlogx, col_xlogx, cell_xlogx; /* sums of floor(2^64 x ln x) */
} pw_small_sums;

/* Counts the pairs of labels in a rectangle and adds up its cells, rows and columns.
 * Returns 1, or 0 (and leaves `sums` alone) where the labels span more than PW_SMALL_CELLS.
 * The sums of x ln x are left at 0 unless `logarithms`.
 * Precondition: 1 <= n <= PW_SMALL_ITEMS. O(n + cells of the rectangle); 49 KB of stack. */
int pw_sum_small(const int64_t *rows, const int64_t *cols, int64_t n, int logarithms,
                 pw_small_sums *sums);

/* Clusters of one item, under 10, under 100, and how many items are in them: six numbers.
 * Precondition: sizes >= 0, of a sum below 2^63. O(n). */
void pw_size_profile(const int64_t *sizes, int64_t n, int64_t clusters[3], int64_t items[3]);

#endif
