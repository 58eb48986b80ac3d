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

/* The double nearest to x, ties to even, as (double)x is. */
static inline double pw_nearest(pw_u128 x) {
    const uint64_t high = (uint64_t)(x >> 64);
    if (high == 0) return (double)(uint64_t)x;
    const int down = 64 - __builtin_clzll(high);
    /* the 64 leading bits, the last of which says whether any bit behind them is set */
    const uint64_t leading = (uint64_t)(x >> down) | ((x << (128 - down)) != 0);
    const uint64_t power = (uint64_t)(1023 + down) << 52;
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return (double)leading * scale;
}

/* A sum as the nearest double, and what that leaves over. */
static inline void pw_as_doubles(pw_i128 sum, int fraction_bits, double *high, double *low) {
    if (sum == 0) {
        *high = *low = 0.0;
        return;
    }
    const int negative = sum < 0;
    const double size = pw_nearest(negative ? -(pw_u128)sum : (pw_u128)sum);
    const double rounded = negative ? -size : size;
    const pw_i128 rest = sum - pw_fixed_point(rounded, 0);
    const double left = pw_nearest(rest < 0 ? -(pw_u128)rest : (pw_u128)rest);
    const double over = rest < 0 ? -left : left;
    if (fraction_bits > -900 && fraction_bits < 1000) { /* a power of two that is a normal double */
        const uint64_t power = (uint64_t)(1023 - fraction_bits) << 52;
        double scale;
        memcpy(&scale, &power, sizeof scale);
        *high = rounded * scale;
        *low = over * scale;
    } else {
        *high = ldexp(rounded, -fraction_bits);
        *low = ldexp(over, -fraction_bits);
    }
}

#endif
