#include "pw_small_sums.h"

#include <string.h>

#include "pw_logarithm.h"

/* Least value, and how many values the labels span; 0 where that is more than `most`. */
static uint64_t span_of(const int64_t *labels, int64_t n, uint64_t most, int64_t *least) {
    int64_t low = labels[0], high = labels[0];
    for (int64_t i = 1; i < n; i++) {
        low = labels[i] < low ? labels[i] : low;
        high = labels[i] > high ? labels[i] : high;
    }
    *least = low;
    uint64_t beyond = (uint64_t)high - (uint64_t)low;
    return beyond < most ? beyond + 1 : 0;
}

/* Adds up a row of the rectangle and takes it to the columns; without branches, so that compilers
 * work on several cells at once. */
static int64_t add_row(const int16_t *counts, int64_t width, int16_t *col_sizes, int16_t *col_most,
                       pw_small_sums *sums) {
    int32_t size = 0, cells = 0, squares = 0; /* at most PW_SMALL_ITEMS^2 */
    int16_t most = 0;
    for (int64_t col = 0; col < width; col++) {
        int16_t count = counts[col];
        size += count;
        cells += count > 0;
        squares += (int32_t)count * count;
        most = count > most ? count : most;
        col_sizes[col] = (int16_t)(col_sizes[col] + count);
        col_most[col] = count > col_most[col] ? count : col_most[col];
    }
    sums->n_cells += cells;
    sums->n_rows += size > 0;
    sums->cell_squares += squares;
    sums->row_squares += (int64_t)size * size;
    sums->row_maxima += most;
    return size;
}

int pw_sum_small(const int64_t *rows, const int64_t *cols, int64_t n, int logarithms,
                 pw_small_sums *sums) {
    /* at most PW_SMALL_ITEMS in a cell, so 16 bits hold a count */
    int16_t counts[PW_SMALL_CELLS], col_sizes[PW_SMALL_CELLS], col_most[PW_SMALL_CELLS];
    int64_t first_row, first_col;
    uint64_t height = span_of(rows, n, PW_SMALL_CELLS, &first_row);
    uint64_t width = span_of(cols, n, PW_SMALL_CELLS, &first_col);
    if (height == 0 || width == 0 || height * width > PW_SMALL_CELLS) {
        return 0;
    }
    memset(counts, 0, height * width * sizeof *counts);
    memset(col_sizes, 0, width * sizeof *col_sizes);
    memset(col_most, 0, width * sizeof *col_most);
    for (int64_t i = 0; i < n; i++) {
        uint64_t row = (uint64_t)rows[i] - (uint64_t)first_row;
        uint64_t col = (uint64_t)cols[i] - (uint64_t)first_col;
        counts[row * width + col]++;
    }
    memset(sums, 0, sizeof *sums);
    for (uint64_t row = 0; row < height; row++) {
        int64_t size = add_row(counts + row * width, (int64_t)width, col_sizes, col_most, sums);
        if (logarithms) {
            sums->row_xlogx += pw_xlogx((uint64_t)size, 64);
        }
    }
    for (uint64_t col = 0; col < width; col++) {
        int64_t size = col_sizes[col];
        sums->n_cols += size > 0;
        sums->col_squares += size * size;
        sums->col_maxima += col_most[col];
        if (logarithms) {
            sums->col_xlogx += pw_xlogx((uint64_t)size, 64);
        }
    }
    for (uint64_t cell = 0; logarithms && cell < height * width; cell++) {
        if (counts[cell] > 1) {
            sums->cell_xlogx += pw_xlogx((uint64_t)counts[cell], 64);
        }
    }
    return 1;
}

void pw_size_profile(const int64_t *sizes, int64_t n, int64_t clusters[3], int64_t items[3]) {
    static const int64_t bounds[3] = {2, 10, 100};
    for (int k = 0; k < 3; k++) {
        clusters[k] = items[k] = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t below = sizes[i] < bounds[k];
            clusters[k] += below;
            items[k] += below * sizes[i];
        }
    }
}
