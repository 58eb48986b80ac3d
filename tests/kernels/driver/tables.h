/* Small tables, for the targets that read cells. */
#ifndef DRIVER_TABLES_H
#define DRIVER_TABLES_H

#include "driver.h"

/* A table without empty rows or columns, and the same as a matrix, row by row. */
typedef struct {
    int64_t n_rows;
    int64_t n_cols;
    int64_t n_cells;
    int64_t n;
    int64_t *indptr;
    int64_t *cols;
    int64_t *counts;
    int64_t *row_sizes;
    int64_t *col_sizes;
    int64_t *matrix;
} driver_table;

/* A table with at most so many rows and columns (at least one of each). Counts have at most `bits`
 * bits; the input says how many cells there are and how large. */
driver_table take_table(driver_input *in, int64_t most_rows, int64_t most_cols, int bits);
/* The table of a matrix, whose rows and columns have cells. */
driver_table table_of_matrix(int64_t *matrix, int64_t n_rows, int64_t n_cols);
/* indptr of the cells of a matrix that may have empty rows. */
int64_t *new_int64s(int64_t count);

#endif
