/* A table under construction: rows and columns still addressed by their offsets. */
#ifndef PW_BUILD_H
#define PW_BUILD_H

#include "pw_common.h"
#include "pw_scratch.h"
#include "pw_table.h"

/* Arrays are malloc'd; what is in `cols` and `counts` beyond the cells is undefined. */
typedef struct {
    int64_t n_rows; /* offsets, empty ones included */
    int64_t n_cols;
    int64_t *ends;      /* n_rows + 1; ends[r + 1]: cells up to the end of row r, 0 if empty */
    int64_t *tops;      /* n_rows: items up to the end of row r, where it is not empty */
    int64_t *col_sizes; /* n_cols */
    int64_t *cols;
    int64_t *counts;
    uint32_t *numbers; /* of columns, where they are not their offsets less `first_col`; scratch */
    int64_t first_col;
} pw_build;

/* The cells of a range of rows, which are written from `first_cell` on. */
typedef struct {
    int64_t first_row;
    int64_t end_row;
    int64_t first_cell;
    int64_t first_item; /* what `tops` begin at */
    int64_t n_cells;
} pw_segment;

/* Room for `capacity` cells; ends and col_sizes are zero. PW_NO_MEMORY: call pw_build_free. */
int pw_build_start(pw_build *build, int64_t n_rows, int64_t n_cols, int64_t capacity);
void pw_build_free(pw_build *build);

/* Drops empty rows and columns. The segments are in row order and cover all rows; the label of
 * an offset is low + offset. Afterwards the table has everything but its cells. O(n_rows +
 * n_cols). */
int pw_build_sides(pw_build *build, const pw_segment *segments, int64_t n_segments,
                   uint64_t row_low, uint64_t col_low, pw_scratch *scratch, pw_table *table);

/* Close the gaps between segments: one in `cols`, where columns also get their numbers, the
 * other in `counts`. */
void pw_build_cols(pw_build *build, const pw_segment *segments, int64_t n_segments);
void pw_build_counts(pw_build *build, const pw_segment *segments, int64_t n_segments);

/* Gives the cells to the table. */
void pw_build_finish(pw_build *build, pw_table *table);

#endif
