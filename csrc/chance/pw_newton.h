/* Expectations of M ln M for many pairs of sizes with a small expected overlap, all at once. */
#ifndef PW_NEWTON_H
#define PW_NEWTON_H

#include "pw_common.h"

/* Largest expected overlap a b / n of a pair, and where the series ends. */
#define PW_NEWTON_OVERLAP 4
#define PW_NEWTON_TERMS 34

/* A size with its weight and logarithm. */
typedef struct {
    int64_t size;
    int64_t ln; /* of size, 56 fraction bits */
    double weight;
} pw_size;

/* The sizes of one side in ascending order. */
typedef struct {
    const pw_size *at;
    int64_t n;
} pw_sizes;

/* within[r] = how many leading columns b of row a go by the series: a b <= PW_NEWTON_OVERLAP n,
 * and neither side above n / 2 (above it an overlap may hardly vary, and the divergence be
 * nothing but rounding). Returns their total. Precondition: sides ascend. O(rows + columns). */
int64_t pw_newton_within(const pw_sizes *rows, const pw_sizes *cols, int64_t n, int64_t *within);

/* Add the sums of pw_expected.h over those pairs, units of 2^-fraction_bits, each octave of row
 * sizes with each octave of column sizes cut once. With d_m = |m-th difference of x ln x at 0|
 *   E[M ln M] = sum over m >= 2 of (-1)^m d_m / m! (a)_m (b)_m / (n)_m,
 * whose terms are products of what depends on a and on b: the sums over pairs are sums of
 * products of prefix sums, exact integers, whatever the order and whichever side is called rows.
 * What is left out is less than 2^-60 of the sum; the result is right to 2^-51.
 * Precondition: n >= 4 PW_NEWTON_TERMS; as in pw_expected.h otherwise.
 * O(PW_NEWTON_TERMS (rows + columns + pairs of octaves)); 56 bytes a size, 900 a pair of octaves.
 * One part of several adds its share of the pairs of octaves only. */
int pw_newton_sums(const pw_sizes *rows, const pw_sizes *cols, int64_t n, const int64_t *within,
                   int fraction_bits, int parts, int part, uint64_t *overlap, uint64_t *divergence,
                   const pw_poll *poll);

#endif
