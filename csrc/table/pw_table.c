/* The sparse table: its memory, canonical cells from triples, margins, transpose, maxima, look-up.
 *
 * Cells are sorted by radix (pw_radix.c), equal ones added up. The transpose is a counting sort by
 * column. pw_locate is a binary search inside a row.
 */
#include "pw_table.h"

#include <stdlib.h>
#include <string.h>

#include "pw_radix.h"
#include "pw_scratch.h"

void pw_table_free(pw_table *table) {
    free(table->row_values);
    free(table->col_values);
    free(table->indptr);
    free(table->cols);
    free(table->counts);
    free(table->row_sizes);
    free(table->col_sizes);
    memset(table, 0, sizeof *table);
}

int pw_cells_start(pw_cells *cells, int64_t capacity, int64_t most) {
    capacity = pw_min64(capacity, most);
    if (capacity < 1) capacity = 1;
    cells->used = 0;
    cells->capacity = capacity;
    cells->most = most;
    cells->cols = malloc((size_t)capacity * sizeof *cells->cols);
    cells->counts = malloc((size_t)capacity * sizeof *cells->counts);
    if (cells->cols == NULL || cells->counts == NULL) {
        pw_cells_free(cells);
        return PW_NO_MEMORY;
    }
    return PW_OK;
}

int pw_cells_grow(pw_cells *cells, int64_t extra) {
    const int64_t needed = cells->used + extra;
    if (needed <= cells->capacity) return PW_OK;
    int64_t capacity = pw_min64(cells->capacity * 2, cells->most);
    if (capacity < needed) capacity = needed;
    int64_t *cols = realloc(cells->cols, (size_t)capacity * sizeof *cols);
    if (cols == NULL) return PW_NO_MEMORY;
    cells->cols = cols;
    int64_t *counts = realloc(cells->counts, (size_t)capacity * sizeof *counts);
    if (counts == NULL) return PW_NO_MEMORY;
    cells->counts = counts;
    cells->capacity = capacity;
    return PW_OK;
}

void pw_cells_free(pw_cells *cells) {
    free(cells->cols);
    free(cells->counts);
    memset(cells, 0, sizeof *cells);
}

int64_t *pw_shrink(int64_t *array, int64_t n) {
    int64_t *smaller = realloc(array, (size_t)(n > 0 ? n : 1) * sizeof *array);
    return smaller != NULL ? smaller : array;
}

int pw_collapse(const int64_t *rows, const int64_t *cols, const int64_t *counts, int64_t n,
                int64_t n_rows, int64_t n_cols, int64_t *indptr, int64_t **out_cols,
                int64_t **out_counts, int64_t *n_cells, const pw_poll *poll) {
    *out_cols = NULL;
    *out_counts = NULL;
    *n_cells = 0;
    memset(indptr, 0, (size_t)(n_rows + 1) * sizeof *indptr);
    pw_cell *cells = malloc((size_t)(n > 0 ? n : 1) * sizeof *cells);
    if (cells == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            cells[i].row = rows[i];
            cells[i].col = cols[i];
            cells[i].count = counts[i];
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    if (status == PW_OK) status = pw_sort_cells(cells, n, n_rows, n_cols, poll);
    int64_t used = 0;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            if (used > 0 && cells[used - 1].row == cells[i].row &&
                cells[used - 1].col == cells[i].col) {
                cells[used - 1].count += cells[i].count;
            } else {
                cells[used++] = cells[i];
            }
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    if (status != PW_OK) {
        free(cells);
        return status;
    }
    int64_t *to_cols = malloc((size_t)(used > 0 ? used : 1) * sizeof *to_cols);
    int64_t *to_counts = malloc((size_t)(used > 0 ? used : 1) * sizeof *to_counts);
    if (to_cols == NULL || to_counts == NULL) {
        free(to_cols);
        free(to_counts);
        free(cells);
        return PW_NO_MEMORY;
    }
    for (int64_t i = 0; i < used && status == PW_OK;) {
        for (const int64_t stop = pw_min64(used, i + PW_POLL_SCATTERED); i < stop; i++) {
            to_cols[i] = cells[i].col;
            to_counts[i] = cells[i].count;
            indptr[cells[i].row + 1]++;
        }
        if (i < used && pw_stop(poll)) status = PW_STOPPED;
    }
    free(cells);
    if (status != PW_OK) {
        free(to_cols);
        free(to_counts);
        return status;
    }
    for (int64_t r = 0; r < n_rows; r++) indptr[r + 1] += indptr[r];
    *out_cols = to_cols;
    *out_counts = to_counts;
    *n_cells = used;
    return PW_OK;
}

int pw_margins(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
               int64_t n_cols, int64_t *row_sizes, int64_t *col_sizes, const pw_poll *poll) {
    if (pw_zeros(col_sizes, n_cols * (int64_t)sizeof *col_sizes, poll) != PW_OK) return PW_STOPPED;
    for (int64_t r = 0; r < n_rows;) {
        for (const int64_t stop = pw_rows_to_poll(indptr, r, n_rows); r < stop; r++) {
            int64_t size = 0;
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
                size += counts[c];
                col_sizes[cols[c]] += counts[c];
            }
            row_sizes[r] = size;
        }
        if (r < n_rows && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_transpose(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
                 int64_t n_cols, int64_t *to_indptr, int64_t *to_cols, int64_t *to_counts,
                 const pw_poll *poll) {
    int64_t *next = calloc((size_t)n_cols + 1, sizeof *next);
    if (next == NULL) return PW_NO_MEMORY;
    const int64_t n_cells = indptr[n_rows];
    int status = pw_touch(to_cols, n_cells * (int64_t)sizeof *to_cols, poll);
    if (status == PW_OK) {
        status = pw_touch(to_counts, n_cells * (int64_t)sizeof *to_counts, poll);
    }
    for (int64_t c = 0; c < n_cells && status == PW_OK;) {
        const int64_t stop = pw_min64(n_cells, c + PW_POLL_SCATTERED);
        for (; c < stop; c++) next[cols[c] + 1]++;
        if (c < n_cells && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t j = 0; j < n_cols; j++) next[j + 1] += next[j];
    if (n_cols > PW_POLL_SCATTERED && pw_stop(poll)) status = PW_STOPPED;
    memcpy(to_indptr, next, (size_t)(n_cols + 1) * sizeof *next);
    int64_t row = 0;
    for (int64_t c = 0; c < n_cells && status == PW_OK;) {
        const int64_t stop = pw_min64(n_cells, c + PW_POLL_SCATTERED);
        for (; c < stop; c++) {
            while (c == indptr[row + 1]) row++;
            const int64_t place = next[cols[c]]++;
            to_cols[place] = row;
            to_counts[place] = counts[c];
        }
        if (c < n_cells && pw_stop(poll)) status = PW_STOPPED;
    }
    free(next);
    return status;
}

int pw_maxima(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
              int64_t n_cols, int64_t *row_maxima, int64_t *col_maxima, const pw_poll *poll) {
    const int64_t bytes = n_cols * (int64_t)sizeof *col_maxima;
    if (pw_zeros(col_maxima, bytes, poll) != PW_OK) return PW_STOPPED;
    for (int64_t r = 0; r < n_rows;) {
        for (const int64_t stop = pw_rows_to_poll(indptr, r, n_rows); r < stop; r++) {
            int64_t most = 0;
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
                const int64_t count = counts[c];
                most = count > most ? count : most;
                if (count > col_maxima[cols[c]]) col_maxima[cols[c]] = count;
            }
            row_maxima[r] = most;
        }
        if (r < n_rows && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_locate(const int64_t *indptr, const int64_t *table_cols, const int64_t *rows,
              const int64_t *cols, int64_t n, int64_t *cells, const pw_poll *poll) {
    for (int64_t i = 0; i < n;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop; i++) {
            int64_t low = indptr[rows[i]];
            int64_t high = indptr[rows[i] + 1] - 1;
            while (low < high) {
                const int64_t middle = low + (high - low) / 2;
                if (table_cols[middle] < cols[i]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            cells[i] = low;
        }
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}
