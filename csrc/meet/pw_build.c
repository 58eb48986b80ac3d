/* A table from segments of cells that workers have written.
 *
 * Rows and columns are still addressed by their offsets in the window. Empty rows and columns are
 * dropped, the gaps between segments are closed, and columns get their numbers. All in place.
 */
#include "pw_build.h"

#include <stdlib.h>
#include <string.h>

int pw_build_start(pw_build *build, int64_t n_rows, int64_t n_cols, int64_t capacity) {
    memset(build, 0, sizeof *build);
    build->n_rows = n_rows;
    build->n_cols = n_cols;
    build->ends = pw_large_calloc((n_rows + 1) * (int64_t)sizeof *build->ends);
    build->tops = pw_large_malloc(n_rows * (int64_t)sizeof *build->tops);
    build->col_sizes = pw_large_calloc(n_cols * (int64_t)sizeof *build->col_sizes);
    build->cols = pw_large_malloc(capacity * (int64_t)sizeof *build->cols);
    build->counts = pw_large_malloc(capacity * (int64_t)sizeof *build->counts);
    if (build->ends && build->tops && build->col_sizes && build->cols && build->counts) {
        return PW_OK;
    }
    return PW_NO_MEMORY;
}

void pw_build_free(pw_build *build) {
    free(build->ends);
    free(build->tops);
    free(build->col_sizes);
    free(build->cols);
    free(build->counts);
    memset(build, 0, sizeof *build);
}

/* In place: an entry is read before anything is written at or above it. */
static int64_t keep_rows(pw_build *build, const pw_segment *segments, int64_t n_segments,
                         uint64_t row_low, uint64_t *values) {
    int64_t *ends = build->ends;
    int64_t *tops = build->tops;
    int64_t kept = 0;
    int64_t placed = 0;
    for (int64_t s = 0; s < n_segments; s++) {
        const int64_t gap = segments[s].first_cell - placed;
        int64_t end = segments[s].first_cell;
        int64_t top = segments[s].first_item;
        for (int64_t r = segments[s].first_row; r < segments[s].end_row; r++) {
            const int64_t next = ends[r + 1];
            const int64_t over = tops[r];
            const int full = next > end;
            values[kept] = row_low + (uint64_t)r;
            ends[kept + 1] = next - gap;
            tops[kept] = full ? over - top : 0; /* tops of empty rows are undefined */
            kept += full;
            end = full ? next : end;
            top = full ? over : top;
        }
        placed += segments[s].n_cells;
    }
    ends[kept] = placed;
    return kept;
}

/* In place; numbers[j] = kept columns before j, unless numbers is NULL. */
static int64_t keep_cols(int64_t *sizes, int64_t n_cols, uint64_t col_low, uint64_t *values,
                         uint32_t *numbers) {
    int64_t kept = 0;
    for (int64_t j = 0; j < n_cols; j++) {
        const int64_t size = sizes[j];
        if (numbers != NULL) numbers[j] = (uint32_t)kept;
        values[kept] = col_low + (uint64_t)j;
        sizes[kept] = size;
        kept += size != 0;
    }
    return kept;
}

int pw_build_sides(pw_build *build, const pw_segment *segments, int64_t n_segments,
                   uint64_t row_low, uint64_t col_low, pw_scratch *scratch, pw_table *table) {
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
    /* one to spare: they are written before it is known whether they are kept */
    table->row_values = pw_large_malloc((build->n_rows + 1) * (int64_t)sizeof *table->row_values);
    table->col_values = pw_large_malloc((full + 1) * (int64_t)sizeof *table->col_values);
    if (table->row_values == NULL || table->col_values == NULL) return PW_NO_MEMORY;
    table->n_rows = keep_rows(build, segments, n_segments, row_low, table->row_values);
    table->n_cols =
        keep_cols(build->col_sizes, last + 1, col_low, table->col_values, build->numbers);
    table->n_cells = build->ends[table->n_rows];
    table->row_values = (uint64_t *)pw_shrink((int64_t *)table->row_values, table->n_rows);
    return PW_OK;
}

void pw_build_cols(pw_build *build, const pw_segment *segments, int64_t n_segments) {
    const uint32_t *numbers = build->numbers;
    const int64_t first_col = build->first_col;
    int64_t placed = 0;
    for (int64_t s = 0; s < n_segments; s++) {
        const int64_t *from = build->cols + segments[s].first_cell;
        const int64_t n_cells = segments[s].n_cells;
        int64_t *to = build->cols + placed;
        if (numbers != NULL) {
            for (int64_t c = 0; c < n_cells; c++) to[c] = numbers[from[c]];
        } else if (first_col != 0) {
            for (int64_t c = 0; c < n_cells; c++) to[c] = from[c] - first_col;
        } else if (to != from) {
            memmove(to, from, (size_t)n_cells * sizeof *to);
        }
        placed += n_cells;
    }
}

void pw_build_counts(pw_build *build, const pw_segment *segments, int64_t n_segments) {
    int64_t placed = 0;
    for (int64_t s = 0; s < n_segments; s++) {
        if (segments[s].first_cell != placed) {
            memmove(build->counts + placed, build->counts + segments[s].first_cell,
                    (size_t)segments[s].n_cells * sizeof *build->counts);
        }
        placed += segments[s].n_cells;
    }
}

void pw_build_finish(pw_build *build, pw_table *table) {
    table->indptr = pw_shrink(build->ends, table->n_rows + 1);
    table->row_sizes = pw_shrink(build->tops, table->n_rows);
    table->col_sizes = pw_shrink(build->col_sizes, table->n_cols);
    table->cols = pw_shrink(build->cols, table->n_cells);
    table->counts = pw_shrink(build->counts, table->n_cells);
    memset(build, 0, sizeof *build);
}
