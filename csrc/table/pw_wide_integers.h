/* Sums, differences and products of arrays of signed 128-bit integers, and an order of doubles. */
#ifndef PW_WIDE_INTEGERS_H
#define PW_WIDE_INTEGERS_H

#include "pw_common.h"

/* Element i is high[i * step] 2^64 + low[i * step]; step 0: one number for all. */
typedef struct {
    const int64_t *high;
    const uint64_t *low;
    int64_t step;
} pw_wides;

/* high, low = x op y for n elements. Returns whether one may not fit 127 bits: a sum or difference
 * that does not, a product of factors whose bits add up to more than 126. O(n). */
int pw_wide_sum(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high, uint64_t *low);
int pw_wide_difference(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                       uint64_t *low);
int pw_wide_product(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high, uint64_t *low);

/* order = the places of n doubles in ascending order, equal ones (0 and -0 too) as they come.
 * Precondition: no NaN. O(n), 32 n bytes. */
int pw_stable_order(const double *values, int64_t n, int64_t *order, const pw_poll *poll);

#endif
