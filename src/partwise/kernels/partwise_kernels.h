/* Types of partwise's kernels for other packages; the functions are in capi.pxd.
 *
 * Arrays are contiguous and in native byte order. A function checks no precondition: what breaks
 * one is undefined behaviour. Inputs are not changed, no state is kept between calls, and several
 * threads may call at once, each with outputs of its own.
 */
#ifndef PARTWISE_KERNELS_H
#define PARTWISE_KERNELS_H

#include <stdint.h>

/* Raised whenever a struct or the meaning of a function changes; `abi_version()` returns what the
 * installed partwise has. */
#define PARTWISE_KERNELS_ABI 1

/* What functions return. */
enum {
    PARTWISE_OK = 0,
    PARTWISE_NO_MEMORY = 1,
    PARTWISE_STOPPED = 2 /* the poll said to stop */
};

/* Labels of one clustering: n integers of 1, 2, 4 or 8 bytes. */
typedef struct {
    const void *data;
    int64_t n;
    int itemsize;
    int is_signed;
} partwise_labels;

/* The sparse table of two clusterings. Cells are in the order of their rows, ascending by column
 * inside a row, and none is zero. Rows and columns are numbered in ascending order of their
 * labels, and none is empty. The arrays belong to the struct: `free_table` frees them. */
typedef struct {
    int64_t n_rows;
    int64_t n_cols;
    int64_t n_cells;
    uint64_t *row_labels; /* n_rows; 64-bit pattern, sign-extended where labels are signed */
    uint64_t *col_labels; /* n_cols */
    int64_t *indptr;      /* n_rows + 1 */
    int64_t *cols;        /* n_cells */
    int64_t *counts;      /* n_cells */
    int64_t *row_sizes;   /* n_rows */
    int64_t *col_sizes;   /* n_cols */
} partwise_table;

/* An unsigned integer of 128 bits: 2^64 high + low. */
typedef struct {
    uint64_t low;
    uint64_t high;
} partwise_wide;

/* Long loops call `ask` about ten times a second, and stop if it does not return 0. */
typedef struct {
    int (*ask)(void *context);
    void *context;
} partwise_poll;

#endif
