/* Arrays of signed 128-bit integers: sums, differences, products, and whether they may overflow.
 *
 * The stable order of doubles sorts their bit patterns: turned round for negative numbers,
 * patterns ascend as the numbers do, and a radix sort applies.
 */
#include "pw_wide_integers.h"

#include <stdlib.h>
#include <string.h>

#include "pw_radix.h"

static pw_u128 at(const pw_wides *x, int64_t i) {
    return (pw_u128)(uint64_t)x->high[i * x->step] << 64 | x->low[i * x->step];
}

static void put(pw_u128 value, int64_t i, int64_t *high, uint64_t *low) {
    high[i] = (int64_t)(uint64_t)(value >> 64);
    low[i] = (uint64_t)value;
}

static uint64_t top_word(pw_u128 value) {
    return (uint64_t)(value >> 64);
}

int pw_wide_sum(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high, uint64_t *low) {
    uint64_t wrong = 0; /* its sign bit */
    for (int64_t i = 0; i < n; i++) {
        const pw_u128 a = at(x, i), b = at(y, i), sum = a + b;
        wrong |= top_word((a ^ sum) & (b ^ sum));
        put(sum, i, high, low);
    }
    return (int)(wrong >> 63);
}

int pw_wide_difference(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high,
                       uint64_t *low) {
    uint64_t wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        const pw_u128 a = at(x, i), b = at(y, i), rest = a - b;
        wrong |= top_word((a ^ b) & (a ^ rest));
        put(rest, i, high, low);
    }
    return (int)(wrong >> 63);
}

static pw_u128 magnitude(pw_u128 x) {
    return top_word(x) >> 63 ? -x : x;
}

int pw_wide_product(const pw_wides *x, const pw_wides *y, int64_t n, int64_t *high, uint64_t *low) {
    int wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        const pw_u128 a = at(x, i), b = at(y, i);
        wrong |= pw_bits128(magnitude(a)) + pw_bits128(magnitude(b)) > 126;
        put(a * b, i, high, low);
    }
    return wrong;
}

int pw_stable_order(const double *values, int64_t n, int64_t *order, const pw_poll *poll) {
    if (n == 0) return PW_OK;
    pw_pair *pairs = malloc((size_t)n * sizeof *pairs);
    if (pairs == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop; i++) {
            const double value = values[i] + 0.0; /* no -0 */
            uint64_t pattern;
            memcpy(&pattern, &value, sizeof pattern);
            /* as integers, doubles of one sign are in order of size */
            pattern ^= pattern >> 63 ? UINT64_MAX : UINT64_C(1) << 63;
            pairs[i] = (pw_pair){pattern, i};
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    if (status == PW_OK) status = pw_sort_pairs(pairs, n, 64, poll);
    for (int64_t i = 0; i < n && status == PW_OK;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop; i++) order[i] = pairs[i].value;
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    free(pairs);
    return status;
}
