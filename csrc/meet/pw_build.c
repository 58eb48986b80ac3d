/* A table from segments of rows and cells that workers have written.
 *
 * The gaps between segments are closed, empty columns are dropped, and columns get their numbers.
 * All in place.
 */
#include "pw_build.h"

#include <stdlib.h>
#include <string.h>

int pw_build_start(pw_build *build, int64_t n_rows, int64_t n_cols, int64_t capacity,
                   int n_segments, const pw_poll *poll) {
    memset(build, 0, sizeof *build);
    const int64_t room = n_rows + PW_BUILD_GAP * n_segments + 1;
    const int64_t cells = capacity + PW_BUILD_GAP * n_segments;
    build->n_rows = n_rows;
    build->n_cols = n_cols;
    build->rows = pw_large_malloc(room * (int64_t)sizeof *build->rows);
    build->ends = pw_large_malloc(room * (int64_t)sizeof *build->ends);
    build->tops = pw_large_malloc(room * (int64_t)sizeof *build->tops);
    build->col_sizes = pw_large_malloc(n_cols * (int64_t)sizeof *build->col_sizes);
    build->cols = pw_large_malloc(cells * (int64_t)sizeof *build->cols);
    build->counts = pw_large_malloc(cells * (int64_t)sizeof *build->counts);
    if (build->rows && build->ends && build->tops && build->col_sizes && build->cols &&
        build->counts) {
        build->ends[0] = 0;
        return pw_zeros(build->col_sizes, n_cols * (int64_t)sizeof *build->col_sizes, poll);
    }
    return PW_NO_MEMORY;
}

void pw_build_free(pw_build *build) {
    free(build->rows);
    free(build->ends);
    free(build->tops);
    free(build->col_sizes);
    free(build->cols);
    free(build->counts);
    memset(build, 0, sizeof *build);
}

/* Offsets become labels, ends those of the joined segments, tops sizes; *n_rows: how many rows
 * there are. In place: a segment lies behind where it goes. */
static int join_rows(pw_build *build, const pw_segment *segments, int n_segments, uint64_t row_low,
                     int64_t *n_rows, const pw_poll *poll) {
    int64_t joined = 0;
    int64_t placed = 0;
    for (int s = 0; s < n_segments; s++) {
        const int64_t from = segments[s].first_row;
        const int64_t gap = segments[s].first_cell - placed;
        int64_t top = segments[s].first_item;
        for (int64_t k = 0; k < segments[s].n_rows;) {
            const int64_t stop = pw_min64(segments[s].n_rows, k + PW_POLL_ITEMS);
            for (; k < stop; k++) {
                const int64_t next = build->tops[from + k];
                build->rows[joined + k] = row_low + build->rows[from + k];
                build->ends[joined + k + 1] = build->ends[from + k + 1] - gap;
                build->tops[joined + k] = next - top;
                top = next;
            }
            if (k < segments[s].n_rows && pw_stop(poll)) return PW_STOPPED;
        }
        joined += segments[s].n_rows;
        placed += segments[s].n_cells;
    }
    *n_rows = joined;
    return PW_OK;
}

/* In place; numbers[j] = kept columns before j, unless numbers is NULL. */
static int keep_cols(int64_t *sizes, int64_t n_cols, uint64_t col_low, uint64_t *values,
                     uint32_t *numbers, int64_t *n_kept, const pw_poll *poll) {
    int64_t kept = 0;
    for (int64_t j = 0; j < n_cols;) {
        const int64_t stop = pw_min64(n_cols, j + PW_POLL_ITEMS);
        for (; j < stop; j++) {
            const int64_t size = sizes[j];
            if (numbers != NULL) numbers[j] = (uint32_t)kept;
            values[kept] = col_low + (uint64_t)j;
            sizes[kept] = size;
            kept += size != 0;
        }
        if (j < n_cols && pw_stop(poll)) return PW_STOPPED;
    }
    *n_kept = kept;
    return PW_OK;
}

/* Moves n numbers to where they begin earlier, or stay. */
static int move_back(int64_t *to, const int64_t *from, int64_t n, const pw_poll *poll) {
    if (to == from) return PW_OK;
    for (int64_t i = 0; i < n;) {
        const int64_t count = pw_min64(n - i, PW_POLL_ITEMS);
        memmove(to + i, from + i, (size_t)count * sizeof *to);
        i += count;
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_build_sides(pw_build *build, const pw_segment *segments, int n_segments, uint64_t row_low,
                   uint64_t col_low, pw_scratch *scratch, pw_table *table, const pw_poll *poll) {
    int64_t first = 0;
    int64_t last = build->n_cols - 1;
    while (first < last && build->col_sizes[first] == 0) first++;
    while (last > first && build->col_sizes[last] == 0) last--;
    int64_t full = 0;
    for (int64_t j = first; j <= last; j++) full += build->col_sizes[j] != 0;
    build->first_col = first;
    build->numbers = NULL;
    if (full <= last - first) {
        build->numbers = pw_scratch_take(scratch, PW_SLOT_COLUMNS,
                                         build->n_cols * (int64_t)sizeof *build->numbers);
        if (build->numbers == NULL) return PW_NO_MEMORY;
    }
    /* one to spare: it is written before it is known whether it is kept */
    table->col_values = pw_large_malloc((full + 1) * (int64_t)sizeof *table->col_values);
    if (table->col_values == NULL) return PW_NO_MEMORY;
    int status = join_rows(build, segments, n_segments, row_low, &table->n_rows, poll);
    if (status != PW_OK) return status;
    table->n_cells = build->ends[table->n_rows];
    return keep_cols(build->col_sizes, last + 1, col_low, table->col_values, build->numbers,
                     &table->n_cols, poll);
}

int pw_build_cols(pw_build *build, const pw_segment *segments, int n_segments,
                  const pw_poll *poll) {
    const uint32_t *numbers = build->numbers;
    const int64_t first_col = build->first_col;
    int64_t placed = 0;
    for (int s = 0; s < n_segments; s++) {
        const int64_t *from = build->cols + segments[s].first_cell;
        const int64_t n_cells = segments[s].n_cells;
        int64_t *to = build->cols + placed;
        placed += n_cells;
        if (numbers == NULL && first_col == 0) {
            if (move_back(to, from, n_cells, poll) != PW_OK) return PW_STOPPED;
            continue;
        }
        for (int64_t c = 0; c < n_cells;) {
            const int64_t stop = pw_min64(n_cells, c + PW_POLL_SCATTERED);
            if (numbers != NULL) {
                for (; c < stop; c++) to[c] = numbers[from[c]];
            } else {
                for (; c < stop; c++) to[c] = from[c] - first_col;
            }
            if (c < n_cells && pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

int pw_build_counts(pw_build *build, const pw_segment *segments, int n_segments,
                    const pw_poll *poll) {
    int64_t placed = 0;
    for (int s = 0; s < n_segments; s++) {
        const int64_t *from = build->counts + segments[s].first_cell;
        const int status = move_back(build->counts + placed, from, segments[s].n_cells, poll);
        if (status != PW_OK) return status;
        placed += segments[s].n_cells;
    }
    return PW_OK;
}

void pw_build_finish(pw_build *build, pw_table *table) {
    table->row_values = (uint64_t *)pw_shrink((int64_t *)build->rows, table->n_rows);
    table->indptr = pw_shrink(build->ends, table->n_rows + 1);
    table->row_sizes = pw_shrink(build->tops, table->n_rows);
    table->col_sizes = pw_shrink(build->col_sizes, table->n_cols);
    table->cols = pw_shrink(build->cols, table->n_cells);
    table->counts = pw_shrink(build->counts, table->n_cells);
    memset(build, 0, sizeof *build);
}
