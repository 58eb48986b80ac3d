/* ln x and x ln x in integers.
 *
 *   x = 2^shift lead (1 + r)     lead: the leading 11 bits of x
 *   ln x = shift ln 2 + ln(lead) + 2 atanh(z),  z = rest / (x + 2^shift lead)
 *   atanh(z) = z (1 + z^2 / 3 + z^4 / 5 + ...), six terms, by Horner's rule
 * The table of ln(lead) is written by the build from src/partwise/numbers/logarithm.py, which has
 * the same steps in Python and is the definition.
 */
#include "pw_logarithm.h"

#include "pw_ln_table.h" /* written by the build */

#define TABLE_BITS 11
#define SERIES_TERMS 6

static inline pw_u128 join_words(const uint64_t words[2]) {
    return (pw_u128)words[1] << 64 | words[0];
}

/* (a * b) >> shift for 64 <= shift < 128, where the result fits 128 bits. */
static inline pw_u128 multiply_shift(pw_u128 a, pw_u128 b, int shift) {
    const uint64_t a0 = (uint64_t)a;
    const uint64_t a1 = (uint64_t)(a >> 64);
    const uint64_t b0 = (uint64_t)b;
    const uint64_t b1 = (uint64_t)(b >> 64);
    const pw_u128 low = (pw_u128)a0 * b0;
    const pw_u128 cross1 = (pw_u128)a0 * b1;
    const pw_u128 cross2 = (pw_u128)a1 * b0;
    const pw_u128 middle = (low >> 64) + (uint64_t)cross1 + (uint64_t)cross2;
    const pw_u128 high = (pw_u128)a1 * b1 + (cross1 >> 64) + (cross2 >> 64) + (middle >> 64);
    return high << (128 - shift) | (pw_u128)(uint64_t)middle >> (shift - 64);
}

pw_u128 pw_ln(uint64_t x) {
    if (x < (1u << TABLE_BITS)) return join_words(pw_ln_table[x]);
    const int shift = pw_bits(x) - TABLE_BITS;
    const uint64_t lead = x >> shift;
    const pw_u128 total =
        join_words(pw_ln_table[lead]) + (pw_u128)(uint64_t)shift * join_words(pw_ln_table[2]);
    const uint64_t rest = x - (lead << shift);
    if (rest == 0) return total;
    /* floor(rest 2^120 / whole) in two steps of 64 and 56 bits; whole < 2^64, rest < whole */
    const uint64_t whole = x + (lead << shift);
    const pw_u128 first = (pw_u128)rest << 64;
    const uint64_t quotient = (uint64_t)(first / whole);
    const uint64_t left = (uint64_t)(first % whole);
    const pw_u128 z = (pw_u128)quotient << 56 | (uint64_t)(((pw_u128)left << 56) / whole);
    const pw_u128 square = multiply_shift(z, z, PW_LN_BITS);
    pw_u128 series = 0;
    for (int i = SERIES_TERMS - 1; i >= 0; i--) {
        series = join_words(pw_odd_reciprocals[i]) + multiply_shift(series, square, PW_LN_BITS);
    }
    return total + multiply_shift(z, series, PW_LN_BITS - 1);
}

pw_u128 pw_xlogx(uint64_t x, int fraction_bits) {
    if (x < 2) return 0;
    const pw_u128 ln = pw_ln(x);
    const pw_u128 low = (pw_u128)x * (uint64_t)ln;
    const pw_u128 high = (pw_u128)x * (uint64_t)(ln >> 64) + (low >> 64);
    const int shift = PW_LN_BITS - fraction_bits;
    if (shift == 64) return high;
    return high << (64 - shift) | (uint64_t)low >> shift;
}
