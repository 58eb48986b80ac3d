/* Random tables with given margins, and resampling with replacement.
 *
 * Where cells are large they are drawn one after another: given the cells before it, a cell of a
 * random table follows a hypergeometric law (pw_hypergeometric.c), and the last cell of a row or
 * column is what is left. Where cells are small the items are shuffled (pw_shuffle.c).
 */
#include "pw_sample.h"

#include <stdlib.h>
#include <string.h>

#include "pw_hypergeometric.h"
#include "pw_random.h"
#include "pw_shuffle.h"
#include "pw_table.h"

/* From this many items a cell on, cells are drawn one after another; below, items are shuffled. */
#define LARGE_CELL 32

/* ---- few large cells ---- */

/* Draws cells row by row, each under the condition of those before it. `left` holds what the
 * columns have left. */
static void draw_cells(const int64_t *row_sizes, int64_t *left, int64_t n_rows, int64_t n_cols,
                       int64_t n, const uint64_t key[2], int64_t *indptr, pw_cells *cells) {
    uint64_t random[4] = {0, 0, 0, 0};
    int64_t used = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t size = row_sizes[r];
        int64_t items = n;
        for (int64_t c = 0; c < n_cols; c++) {
            int64_t count = size;
            if (r == n_rows - 1) {
                count = left[c];
            } else if (c < n_cols - 1) {
                if (used % 4 == 0) pw_philox((uint64_t)(used / 4) + 1, key, random);
                const double u = (double)(random[used % 4] >> 11) * 0x1p-53;
                used++;
                count = pw_hypergeometric(items, size, left[c], u);
            }
            items -= left[c];
            left[c] -= count;
            size -= count;
            if (count > 0) {
                cells->cols[cells->used] = c;
                cells->counts[cells->used++] = count;
            }
        }
        n -= row_sizes[r];
        indptr[r + 1] = cells->used;
    }
}

static int dense_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                       int64_t n_cols, int64_t n, const uint64_t key[2], int64_t *indptr,
                       pw_cells *cells) {
    int64_t *left = malloc((size_t)n_cols * sizeof *left);
    int status = pw_cells_start(cells, n_rows * n_cols, n_rows * n_cols);
    if (status == PW_OK && left == NULL) status = PW_NO_MEMORY;
    if (status == PW_OK) {
        memcpy(left, col_sizes, (size_t)n_cols * sizeof *left);
        draw_cells(row_sizes, left, n_rows, n_cols, n, key, indptr, cells);
    }
    free(left);
    return status;
}

int pw_random_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, const uint64_t key[2], int64_t *indptr, int64_t **out_cols,
                    int64_t **out_counts, int64_t *n_cells, const pw_poll *poll) {
    *out_cols = NULL;
    *out_counts = NULL;
    *n_cells = 0;
    indptr[0] = 0;
    int64_t n = 0;
    for (int64_t r = 0; r < n_rows; r++) n += row_sizes[r];
    pw_cells cells = {0};
    int status;
    if (n == 0) {
        status = pw_cells_start(&cells, 1, 1);
    } else if (n_rows <= n / LARGE_CELL / n_cols) {
        status = dense_table(row_sizes, col_sizes, n_rows, n_cols, n, key, indptr, &cells);
    } else {
        status =
            pw_shuffled_table(row_sizes, col_sizes, n_rows, n_cols, n, key, indptr, &cells, poll);
    }
    if (status == PW_OK) {
        *out_cols = pw_shrink(cells.cols, cells.used);
        *out_counts = pw_shrink(cells.counts, cells.used);
        *n_cells = cells.used;
        cells.cols = NULL;
        cells.counts = NULL;
    }
    pw_cells_free(&cells);
    return status;
}

int pw_resample(int64_t n, const uint64_t key[2], int64_t draws, int64_t *counts,
                const pw_poll *poll) {
    int64_t unpolled = 0;
    for (int64_t d = 0; d < draws; d++) {
        const uint64_t own[2] = {key[0], key[1] + (uint64_t)d};
        int64_t *mine = counts + d * n;
        memset(mine, 0, (size_t)n * sizeof *mine);
        for (int64_t i = 0; i < n; i += 4) {
            uint64_t random[4];
            pw_philox((uint64_t)(i / 4) + 1, own, random);
            for (int64_t j = 0; j < pw_min64(4, n - i); j++) {
                mine[pw_high_product(random[j], (uint64_t)n)]++;
            }
        }
        unpolled += n;
        if (unpolled >= PW_POLL_ITEMS) {
            if (pw_stop(poll)) return PW_STOPPED;
            unpolled = 0;
        }
    }
    return PW_OK;
}
