/* Two tables of different items become one: labels of both sides are united like two sorted lists
 * are merged, then cells row by row.
 */
#include "pw_merge.h"

#include <stdlib.h>
#include <string.h>

#include "pw_union.h"

static int add_sizes(const int64_t *sizes, const int64_t *places, int64_t n, int64_t *to,
                     const pw_poll *poll) {
    for (int64_t i = 0; i < n;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_ITEMS);
        for (; i < stop; i++) to[places[i]] += sizes[i];
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

typedef struct {
    const pw_table *table;
    const int64_t *rows; /* where they go */
    const int64_t *cols;
    int64_t row; /* next one */
} side;

/* Cells of the next row of a side if that is row r of the union, else none. */
static void next_row(side *s, int64_t r, int64_t *cell, int64_t *end) {
    *cell = *end = 0;
    if (s->row == s->table->n_rows || s->rows[s->row] != r) return;
    *cell = s->table->indptr[s->row];
    *end = s->table->indptr[++s->row];
}

static int merge_cells(side *x, side *y, pw_table *to, const pw_poll *poll) {
    int64_t used = 0;
    int64_t polled = 0; /* rows and cells */
    for (int64_t r = 0; r < to->n_rows; r++) {
        int64_t i, i_end, j, j_end;
        next_row(x, r, &i, &i_end);
        next_row(y, r, &j, &j_end);
        to->indptr[r] = used;
        if (r + used - polled >= PW_POLL_ITEMS) {
            polled = r + used;
            if (pw_stop(poll)) return PW_STOPPED;
        }
        while (i < i_end || j < j_end) {
            const int64_t x_col = i < i_end ? x->cols[x->table->cols[i]] : INT64_MAX;
            const int64_t y_col = j < j_end ? y->cols[y->table->cols[j]] : INT64_MAX;
            const int take_x = x_col < y_col;
            to->cols[used] = take_x ? x_col : y_col;
            to->counts[used++] = take_x ? x->table->counts[i++] : y->table->counts[j++];
        }
    }
    to->indptr[to->n_rows] = used;
    to->n_cells = used;
    return PW_OK;
}

static int64_t *int64s(int64_t n) {
    return malloc((size_t)(n > 0 ? n : 1) * sizeof(int64_t));
}

int pw_merge(pw_table *table, const pw_table *other, int rows_signed, int cols_signed,
             const pw_poll *poll) {
    const int64_t rows = table->n_rows + other->n_rows;
    const int64_t cols = table->n_cols + other->n_cols;
    const int64_t cells = table->n_cells + other->n_cells;
    pw_table to = {.row_values = (uint64_t *)int64s(rows),
                   .col_values = (uint64_t *)int64s(cols),
                   .indptr = int64s(rows + 1),
                   .cols = int64s(cells),
                   .counts = int64s(cells),
                   .row_sizes = calloc((size_t)rows + 1, sizeof(int64_t)),
                   .col_sizes = calloc((size_t)cols + 1, sizeof(int64_t))};
    int64_t *places = int64s(rows + cols);
    if (!to.row_values || !to.col_values || !to.indptr || !to.cols || !to.counts || !to.row_sizes ||
        !to.col_sizes || !places) {
        free(places);
        pw_table_free(&to);
        return PW_NO_MEMORY;
    }
    side x = {table, places, places + rows, 0};
    side y = {other, places + table->n_rows, places + rows + table->n_cols, 0};
    to.n_rows = pw_unite(table->row_values, table->n_rows, other->row_values, other->n_rows,
                         rows_signed, to.row_values, (int64_t *)x.rows, (int64_t *)y.rows);
    to.n_cols = pw_unite(table->col_values, table->n_cols, other->col_values, other->n_cols,
                         cols_signed, to.col_values, (int64_t *)x.cols, (int64_t *)y.cols);
    int status = add_sizes(table->row_sizes, x.rows, table->n_rows, to.row_sizes, poll);
    if (status == PW_OK) {
        status = add_sizes(other->row_sizes, y.rows, other->n_rows, to.row_sizes, poll);
    }
    if (status == PW_OK) {
        status = add_sizes(table->col_sizes, x.cols, table->n_cols, to.col_sizes, poll);
    }
    if (status == PW_OK) {
        status = add_sizes(other->col_sizes, y.cols, other->n_cols, to.col_sizes, poll);
    }
    if (status == PW_OK) status = merge_cells(&x, &y, &to, poll);
    free(places);
    if (status != PW_OK) {
        pw_table_free(&to);
        return status;
    }
    to.row_values = (uint64_t *)pw_shrink((int64_t *)to.row_values, to.n_rows);
    to.col_values = (uint64_t *)pw_shrink((int64_t *)to.col_values, to.n_cols);
    to.indptr = pw_shrink(to.indptr, to.n_rows + 1);
    to.cols = pw_shrink(to.cols, to.n_cells);
    to.counts = pw_shrink(to.counts, to.n_cells);
    to.row_sizes = pw_shrink(to.row_sizes, to.n_rows);
    to.col_sizes = pw_shrink(to.col_sizes, to.n_cols);
    pw_table_free(table);
    *table = to;
    return PW_OK;
}
