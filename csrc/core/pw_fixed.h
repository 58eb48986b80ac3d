/* Doubles in fixed point, whose sums no order can change. */
#ifndef PW_FIXED_H
#define PW_FIXED_H

#include <math.h>
#include <string.h>

#include "pw_common.h"

/* trunc(2^fraction_bits x) for a finite x. */
static inline pw_i128 pw_fixed_point(double x, int fraction_bits) {
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    const int biased = (int)(pattern >> 52 & 0x7ff);
    uint64_t mantissa = pattern & ((UINT64_C(1) << 52) - 1);
    if (biased != 0) mantissa |= UINT64_C(1) << 52;
    const int shift = (biased != 0 ? biased : 1) - 1075 + fraction_bits;
    pw_u128 term = 0;
    if (shift >= 0) {
        term = (pw_u128)mantissa << shift;
    } else if (shift > -64) {
        term = mantissa >> -shift;
    }
    return pattern >> 63 ? -(pw_i128)term : (pw_i128)term;
}

/* A sum as the nearest double, and what that leaves over. */
static inline void pw_as_doubles(pw_i128 sum, int fraction_bits, double *high, double *low) {
    const double rounded = (double)sum;
    if (sum == 0) {
        *high = *low = 0.0;
        return;
    }
    *high = ldexp(rounded, -fraction_bits);
    *low = ldexp((double)(sum - (pw_i128)rounded), -fraction_bits);
}

#endif
