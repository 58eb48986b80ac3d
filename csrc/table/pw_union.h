/* Tables of different items add up: labels are united, cells that both have are one cell. */
#ifndef PW_UNION_H
#define PW_UNION_H

#include "pw_common.h"

/* Union of two lists of distinct labels (64-bit patterns) that ascend in the order of their sign.
 * `both` has room for all; place_x[i] is where x[i] went. Returns its length. O(n_x + n_y). */
int64_t pw_unite(const uint64_t *x, int64_t n_x, const uint64_t *y, int64_t n_y, int is_signed,
                 uint64_t *both, int64_t *place_x, int64_t *place_y);

/* A table among more rows and columns; no row is empty. NULL for places: they are the table's own
 * numbers. Places ascend. */
typedef struct {
    const int64_t *indptr;
    const int64_t *cols;
    const int64_t *counts;
    int64_t n_rows;
    const int64_t *row_places;
    const int64_t *col_places;
} pw_placed;

/* indptr (n_rows + 1) of the union of two tables. O(rows + cells of both); 8 bytes a
 * cell of the longest rows. */
int pw_union_rows(const pw_placed *x, const pw_placed *y, int64_t n_rows, int64_t *indptr,
                  const pw_poll *poll);

/* Adds the cells of y to those of x in x's own memory, from the last row to the first. `cols` and
 * `counts` are x's own and have room for indptr[n_rows] cells; `indptr` comes from pw_union_rows.
 * Precondition: counts add up to less than 2^63. O(rows + cells of both); memory as
 * pw_union_rows. When it is stopped, x is undefined. */
int pw_union_cells(const pw_placed *x, const pw_placed *y, int64_t n_rows, const int64_t *indptr,
                   int64_t *cols, int64_t *counts, const pw_poll *poll);

#endif
