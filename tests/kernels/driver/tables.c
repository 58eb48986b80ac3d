/* Small tables, from the input's bytes. */
#include "tables.h"

int64_t *new_int64s(int64_t count) {
    return room(count, sizeof(int64_t));
}

driver_table table_of_matrix(int64_t *matrix, int64_t n_rows, int64_t n_cols) {
    driver_table table = {.n_rows = n_rows, .n_cols = n_cols, .matrix = matrix};
    for (int64_t i = 0; i < n_rows * n_cols; i++) table.n_cells += matrix[i] != 0;
    table.indptr = new_int64s(n_rows + 1);
    table.cols = new_int64s(table.n_cells);
    table.counts = new_int64s(table.n_cells);
    table.row_sizes = new_int64s(n_rows);
    table.col_sizes = new_int64s(n_cols);
    int64_t used = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        for (int64_t c = 0; c < n_cols; c++) {
            const int64_t count = matrix[r * n_cols + c];
            if (count == 0) continue;
            table.cols[used] = c;
            table.counts[used++] = count;
            table.row_sizes[r] += count;
            table.col_sizes[c] += count;
            table.n += count;
        }
        table.indptr[r + 1] = used;
    }
    return table;
}

driver_table take_table(driver_input *in, int64_t most_rows, int64_t most_cols, int bits) {
    const int64_t n_rows = take_between(in, 1, most_rows);
    const int64_t n_cols = take_between(in, 1, most_cols);
    const int shape = (int)take_below(in, 4);
    const int size = 1 + (int)take_below(in, (uint64_t)bits);
    const uint64_t most = (UINT64_C(1) << size) - 1;
    const uint64_t one_in = 1 + take_below(in, 8);
    driver_random random = {take_below(in, 1 << 16)};
    int64_t *matrix = new_int64s(n_rows * n_cols);
    for (int64_t i = 0; i < n_rows * n_cols; i++) {
        const int byte = shape == 0 ? take_byte(in) : 0;
        if (shape == 0) {
            matrix[i] = byte % 4 == 3 ? 1 + (int64_t)((uint64_t)byte / 4 * (most / 64)) : 0;
        } else if (random_below(&random, one_in) == 0) {
            matrix[i] = 1 + (int64_t)(random_word(&random) % most);
            if (shape == 2) matrix[i] = 1 + (int64_t)random_below(&random, 2);
            if (shape == 3) matrix[i] = (int64_t)most;
        }
    }
    for (int64_t r = 0; r < n_rows || r < n_cols; r++) {
        /* every row and column gets a cell */
        int64_t *cell = matrix + r % n_rows * n_cols + r % n_cols;
        if (*cell == 0) *cell = 1;
    }
    return table_of_matrix(matrix, n_rows, n_cols);
}
