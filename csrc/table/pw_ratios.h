/* Ratios of integers on the cells: exact comparison, order-free sums, greedy pairing. What has no
 * poll is called for some terms, or rows, after the others: see pw_rows_to_poll. */
#ifndef PW_RATIOS_H
#define PW_RATIOS_H

#include "pw_common.h"

/* Sum of weight * floor(2^126 above / below) as 192 bits, low word first.
 * Precondition: weight >= 0 with a sum below 2^63, below >= 1, above <= below. O(n). */
void pw_sum_ratios(const int64_t *weights, const uint64_t *above, const uint64_t *below, int64_t n,
                   uint64_t sum[3]);

/* Greatest common divisor of numbers >= 0; 0 if all are 0. O(n) and the logarithm of the first. */
int64_t pw_common_divisor(const int64_t *values, int64_t n);

/* How similar two clusters are that share c items, of sizes a and b. */
enum {
    PW_OVERLAP,       /* c */
    PW_SORENSEN_DICE, /* 2 c / (a + b) */
    PW_BRAUN_BANQUET, /* c / max(a, b) */
    PW_JACCARD        /* c / (a + b - c) */
};

/* nearest[r] = the first cell of row r whose clusters are most similar, compared exactly.
 * Precondition: no empty row, sizes that add up to less than 2^63. O(cells). */
void pw_nearest_cells(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                      const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                      int similarity, int64_t *nearest);

/* A table and the sizes of its clusters, as the measures of similar clusters read it. */
typedef struct {
    const int64_t *indptr;
    const int64_t *cols;
    const int64_t *counts;
    const int64_t *row_sizes;
    const int64_t *col_sizes;
    int64_t n_rows;
} pw_sized_table;

/* pw_sum_ratios of the similarity (not PW_OVERLAP) of n cells in any order; `weighted`: each times
 * the size of its row. Precondition: sizes add up to less than 2^62, no cell comes twice. O(n log
 * rows). */
void pw_sum_similarities(const pw_sized_table *table, const int64_t *cells, int64_t n,
                         int similarity, int weighted, uint64_t sum[3]);

/* gains[c] = the similarity of the clusters of each cell as a double, times the row's size if
 * `weighted`, in units of a power of two, so that the largest one has `bits` bits; at least 1.
 * O(cells). */
int pw_similarity_gains(const pw_sized_table *table, int similarity, int weighted, int bits,
                        int64_t *gains, const pw_poll *poll);

/* floor(2^64 squares / size). Precondition: size >= 1, squares / size below 2^63. */
pw_u128 pw_mean_square(pw_u128 squares, int64_t size);

/* Numerators of B-cubed: sums over clusters of floor(2^64 (sum of n_ij^2) / size), 128 bits each.
 * Precondition: sizes add up to less than 2^63. O(cells + columns), 16 bytes a column. */
int pw_b_cubed_sums(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, pw_u128 *by_row, pw_u128 *by_col, const pw_poll *poll);

/* Pair rows and columns one to one, taking cells in the given order while both ends are free.
 * rank[i] is the rank of cell order[i]'s gain (equal gains, equal rank; ascending along order).
 * chosen (n) receives the cells taken, *n_chosen how many. *tied becomes 1 where a cell lost to
 * one of equal gain. O(n + rows + columns), 8 (rows + columns) bytes. */
int pw_greedy_pairs(const int64_t *rows, const int64_t *cols, const int64_t *order,
                    const int64_t *rank, int64_t n, int64_t n_rows, int64_t n_cols, int64_t *chosen,
                    int64_t *n_chosen, int *tied, const pw_poll *poll);

/* out[i] = the double nearest to (high 2^64 + low)[i] of the first by that of the second, ties to
 * even: signed integers over others that are not 0. O(n). */
void pw_wide_ratio(const int64_t *above_high, const uint64_t *above_low, const int64_t *below_high,
                   const uint64_t *below_low, int64_t n, double *out);

#endif
