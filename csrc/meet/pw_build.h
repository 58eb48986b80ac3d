/* A table under construction: rows that have cells, one after another, and columns still addressed
 * by their offsets. */
#ifndef PW_BUILD_H
#define PW_BUILD_H

#include "pw_common.h"
#include "pw_scratch.h"
#include "pw_table.h"

/* Room between the segments of two workers, in rows and in cells: a few more are written than are
 * kept, one at a time or a vector of them. */
#define PW_BUILD_GAP 16

/* Arrays are malloc'd; what is in them beyond the rows and cells is undefined. */
typedef struct {
    int64_t n_rows;     /* offsets, empty rows included */
    int64_t n_cols;     /* offsets, empty columns included */
    uint64_t *rows;     /* the offset of each row, ascending, then its label */
    int64_t *ends;      /* one more; ends[k + 1]: cells up to the end of row k */
    int64_t *tops;      /* items up to the end of row k */
    int64_t *col_sizes; /* n_cols */
    int64_t *cols;
    int64_t *counts;
    uint32_t *numbers; /* of columns, where they are not their offsets less `first_col`; scratch */
    int64_t first_col;
} pw_build;

/* Rows and cells of a range of offsets of rows: where they are written, and how many. */
typedef struct {
    int64_t first_row;
    int64_t first_cell;
    int64_t first_item; /* what `tops` begin at */
    int64_t n_rows;
    int64_t n_cells;
} pw_segment;

/* Room for n_rows rows and `capacity` cells in n_segments segments; col_sizes are zero.
 * Unless it returns PW_OK, call pw_build_free. O(n_cols). */
int pw_build_start(pw_build *build, int64_t n_rows, int64_t n_cols, int64_t capacity,
                   int n_segments, const pw_poll *poll);
void pw_build_free(pw_build *build);

/* Notes that the cells of a row end at `end` and its items at `top`, as row `at` of the table. */
static inline void pw_build_row(const pw_build *build, int64_t at, int64_t row, int64_t end,
                                int64_t top) {
    build->rows[at] = (uint64_t)row;
    build->ends[at + 1] = end;
    build->tops[at] = top;
}

/* Joins the rows of the segments, which are in their order, and drops empty columns; the label of
 * an offset is low + offset. Afterwards the table has everything but its cells. O(rows + n_cols).
 */
int pw_build_sides(pw_build *build, const pw_segment *segments, int n_segments, uint64_t row_low,
                   uint64_t col_low, pw_scratch *scratch, pw_table *table, const pw_poll *poll);

/* Close the gaps between segments: one in `cols`, where columns also get their numbers, the
 * other in `counts`. */
int pw_build_cols(pw_build *build, const pw_segment *segments, int n_segments, const pw_poll *poll);
int pw_build_counts(pw_build *build, const pw_segment *segments, int n_segments,
                    const pw_poll *poll);

/* Gives the cells to the table. */
void pw_build_finish(pw_build *build, pw_table *table);

#endif
