/* Expectations of M ln M, M the overlap of two clusters of given sizes when items are permuted. */
#ifndef PW_EXPECTED_H
#define PW_EXPECTED_H

#include "pw_common.h"

/* Fraction bits of the sums, and their 64-bit words, low word first. */
#define PW_EXPECTED_BITS 160
#define PW_EXPECTED_WORDS 4

/* With M hypergeometric (n items, a marked, b drawn), mu = a b / n:
 *   overlap    = sum of w_a w_b E[M ln M]
 *   divergence = sum of w_a w_b E[M ln(M / mu) - M + mu]
 * over all pairs of a row size a and a column size b. Every term is a double, cut once at
 * 2^-PW_EXPECTED_BITS; the sums are exact, so neither order nor exchanging the sides changes a bit.
 * Precondition: 1 <= sizes <= n; weights >= 0; any such sum is below 2^95.
 * Pairs with mu <= 4, where there are 1024 of them or more, go by pw_newton_sums: O(sizes).
 * The others: O(1 + min(mu, 20 sqrt(mu))) a pair up to mu = 600, O(1) above. 90 bytes a size.
 * One part of several (0 <= part < parts) gets its share of the pairs; the sums of all parts add up
 * to those of one. */
int pw_expected_sums(const int64_t *row_sizes, const double *row_weights, int64_t n_rows,
                     const int64_t *col_sizes, const double *col_weights, int64_t n_cols, int64_t n,
                     int parts, int part, uint64_t overlap[PW_EXPECTED_WORDS],
                     uint64_t divergence[PW_EXPECTED_WORDS], const pw_poll *poll);

/* The same sums for each column size on its own (weight 1), in units of 2^-fraction_bits, cut
 * once: words of 64 bits, low and high. No series for many pairs: every pair at the cost above.
 * Precondition: as above; column sizes ascend; any sum is below 2^(127 - fraction_bits). */
int pw_expected_by_size(const int64_t *row_sizes, const double *row_weights, int64_t n_rows,
                        const int64_t *col_sizes, int64_t n_cols, int64_t n, int fraction_bits,
                        uint64_t *const overlap[2], uint64_t *const divergence[2],
                        const pw_poll *poll);

#endif
