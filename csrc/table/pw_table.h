/* The sparse table: cells in row order, columns ascending inside a row, no zero cell. */
#ifndef PW_TABLE_H
#define PW_TABLE_H

#include "pw_common.h"

/* Every array is malloc'd and belongs to the owner of the struct; pw_table_free frees them. Rows
 * and columns are numbered in ascending order of their labels, and none is empty. */
typedef struct {
    int64_t n_rows;
    int64_t n_cols;
    int64_t n_cells;
    uint64_t *row_values; /* label of each row, 64-bit pattern */
    uint64_t *col_values;
    int64_t *indptr; /* n_rows + 1 */
    int64_t *cols;   /* n_cells */
    int64_t *counts; /* n_cells */
    int64_t *row_sizes;
    int64_t *col_sizes;
} pw_table;

void pw_table_free(pw_table *table);

/* Cells appended one after another in (row, col) order; grows by doubling, never above `most`. */
typedef struct {
    int64_t used;
    int64_t capacity;
    int64_t most;
    int64_t *cols;
    int64_t *counts;
} pw_cells;

int pw_cells_start(pw_cells *cells, int64_t capacity, int64_t most);
int pw_cells_grow(pw_cells *cells, int64_t extra); /* room for `extra` more; PW_NO_MEMORY */
void pw_cells_free(pw_cells *cells);

/* Shrink a malloc'd array of int64 to n entries (never to zero bytes). */
int64_t *pw_shrink(int64_t *array, int64_t n);

/* Canonical cells from n triples in any order; equal (row, col) add up.
 * Precondition: 0 <= row < n_rows, 0 <= col < n_cols, counts >= 1 with a sum below 2^63.
 * indptr (n_rows + 1) is the caller's; cols and counts receive malloc'd arrays of *n_cells.
 * Radix sort of (row, col): O(n) times the 11-bit digits of both; 48 n bytes. */
int pw_collapse(const int64_t *rows, const int64_t *cols, const int64_t *counts, int64_t n,
                int64_t n_rows, int64_t n_cols, int64_t *indptr, int64_t **out_cols,
                int64_t **out_counts, int64_t *n_cells, const pw_poll *poll);

/* row_sizes (n_rows) and col_sizes (n_cols) from the cells. O(cells + rows + columns). */
int pw_margins(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
               int64_t n_cols, int64_t *row_sizes, int64_t *col_sizes, const pw_poll *poll);

/* The table with rows and columns exchanged, canonical again. O(cells + rows + columns). */
int pw_transpose(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
                 int64_t n_cols, int64_t *to_indptr, int64_t *to_cols, int64_t *to_counts,
                 const pw_poll *poll);

/* cells[i] = the cell that (rows[i], cols[i]) lies in. Precondition: the table has it.
 * O(n log of the row's cells). */
int pw_locate(const int64_t *indptr, const int64_t *table_cols, const int64_t *rows,
              const int64_t *cols, int64_t n, int64_t *cells, const pw_poll *poll);

/* Largest cell of every row and of every column. O(cells + rows + columns). */
int pw_maxima(const int64_t *indptr, const int64_t *cols, const int64_t *counts, int64_t n_rows,
              int64_t n_cols, int64_t *row_maxima, int64_t *col_maxima, const pw_poll *poll);

#endif
