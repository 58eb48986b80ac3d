/* Order-free sums: every term becomes an integer once, integers are added exactly, so neither
 * order nor labelling nor splitting can change a bit of the result.
 *
 * What has no poll is called for some terms, or rows, after the others: see pw_rows_to_poll. */
#ifndef PW_SUMS_H
#define PW_SUMS_H

#include "pw_common.h"

/* A score of 1 in split scores: they are fractions of 2^62. */
#define PW_ONE ((int64_t)1 << 62)

/* Sum of x^2. Precondition: x >= 0, sum of x below 2^63 (so the result is below 2^126). O(n). */
pw_u128 pw_sum_squares(const int64_t *x, int64_t n);

/* Sum of floor(2^fraction_bits x ln x); pw_xlogx's precondition holds for the sum of x. O(n). */
pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits);

/* Sum of trunc(2^fraction_bits x) over finite doubles.
 * Precondition: n |x| 2^fraction_bits below 2^127 for the largest |x|. O(n). */
pw_i128 pw_sum_doubles(const double *x, int64_t n, int fraction_bits);

/* high[g] + low[g] = the sum of x over the items of group g, exact but for the cut of each term
 * at 2^-fraction_bits: high is the sum rounded once, low what that left over, rounded.
 * Precondition: 0 <= groups[i] < n_groups; pw_sum_doubles' for any group. O(n + groups). */
int pw_sum_groups(const double *x, const int64_t *groups, int64_t n, int64_t n_groups,
                  int fraction_bits, double *high, double *low, const pw_poll *poll);

/* part / whole as a fraction of PW_ONE, for 0 <= part < whole: never rounded to PW_ONE, and to 0
 * only where part is 0. */
int64_t pw_fraction_of_one(pw_u128 part, pw_u128 whole);

/* x ln x of 0 <= x < n as pw_xlogx gives it; n = 0: terms is not read. */
typedef struct {
    const pw_u128 *terms;
    int64_t n;
    int fraction_bits;
} pw_terms;

/* For every row (and column) of the table: sum over its cells of x ln x, divided by size ln size,
 * as a fraction of PW_ONE: PW_ONE exactly if the cluster is one cell (a singleton too), 0 exactly
 * if all its cells are single items and it has more than one.
 * O(cells + rows + columns), 16 bytes a column. */
int pw_split_scores(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, int fraction_bits, int64_t *row_scores, int64_t *col_scores,
                    const pw_poll *poll);

/* The same with a table of terms, which pays for many tables with small counts. */
int pw_split_scores_by(const pw_terms *known, const int64_t *indptr, const int64_t *cols,
                       const int64_t *counts, const int64_t *row_sizes, const int64_t *col_sizes,
                       int64_t n_rows, int64_t n_cols, int64_t *row_scores, int64_t *col_scores,
                       const pw_poll *poll);

/* Sum over cells of count * row_score * col_score as 192 bits, low word first. O(cells). */
void pw_sum_products(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                     const int64_t *row_scores, const int64_t *col_scores, int64_t n_rows,
                     uint64_t sum[3]);

/* Sum of size * score over n clusters as 128 bits (scores at most PW_ONE). O(n). */
pw_u128 pw_sum_weighted(const int64_t *sizes, const int64_t *scores, int64_t n);

/* 1 if n count = row size * column size in every cell, else 0. O(cells). */
int pw_is_proportional(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                       const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                       int64_t n);

/* With e = row size * column size: terms[cell] = e phi((n count - e) / e),
 * phi(x) = (1 + x) ln(1 + x) - x >= 0; returns the sum of e over the cells (at most n^2).
 * n^2 I = sum of terms + n^2 - that sum. O(cells). */
pw_u128 pw_divergence_terms(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                            const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                            int64_t n, double *terms);

#endif
