/* Random numbers: Philox 4x64 with ten rounds, and the cheaper SFC64 started from it.
 *
 * Philox makes a block of four words from a counter and a key, without a state: J. K. Salmon,
 * M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
 * So a draw depends on its key alone, not on other draws or on the worker. SFC64 is the small
 * fast generator of C. Doty-Humphrey; its state has 256 bits. NumPy has both, and the kernels in
 * Python use them from there.
 *
 * Numbers below a bound are the upper half of a product; the few words that would favour some
 * numbers are refused: D. Lemire, "Fast random integer generation in an interval" (2019). Several
 * from one word: N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation"
 * (2024).
 */
#ifndef PW_RANDOM_H
#define PW_RANDOM_H

#include "pw_common.h"

static inline uint64_t pw_high_product(uint64_t x, uint64_t y) {
    return (uint64_t)((pw_u128)x * y >> 64);
}

/* Block `counter` (from 1) of the stream named by two key words. */
static inline void pw_philox(uint64_t counter, const uint64_t key[2], uint64_t out[4]) {
    const uint64_t first = UINT64_C(0xD2E7470EE14C6C93);
    const uint64_t second = UINT64_C(0xCA5A826395121157);
    uint64_t c0 = counter, c1 = 0, c2 = 0, c3 = 0;
    uint64_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t h0 = pw_high_product(first, c0), l0 = first * c0;
        const uint64_t h1 = pw_high_product(second, c2), l1 = second * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += UINT64_C(0x9E3779B97F4A7C15);
        k1 += UINT64_C(0xBB67AE8584CAA73B);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* State of the generator SFC64, which needs fewer operations for a word than Philox. */
typedef struct {
    uint64_t a, b, c, counter;
} pw_random;

/* From the first block of the key's Philox stream, so that no two keys start alike. */
static inline pw_random pw_random_start(const uint64_t key[2]) {
    uint64_t block[4];
    pw_philox(1, key, block);
    return (pw_random){block[0], block[1], block[2], 1};
}

static inline uint64_t pw_random_word(pw_random *from) {
    const uint64_t word = from->a + from->b + from->counter++;
    from->a = from->b ^ from->b >> 11;
    from->b = from->c + (from->c << 3);
    from->c = (from->c << 24 | from->c >> 40) + word;
    return word;
}

/* Uniform below bound >= 1, exactly: words that would favour some numbers are refused. */
static inline uint64_t pw_random_below(pw_random *from, uint64_t bound) {
    for (;;) {
        const pw_u128 product = (pw_u128)pw_random_word(from) * bound;
        const uint64_t low = (uint64_t)product;
        if (low >= bound || low >= (0 - bound) % bound) return (uint64_t)(product >> 64);
    }
}

/* Independent draws[k] below left - k, 0 <= k < n_draws, from one word: the digits, with these
 * bounds for bases, of one number below the product of the bounds, drawn as above.
 * Precondition: left >= n_draws >= 1 and left^n_draws <= most, which is below 2^64. */
static inline void pw_random_digits(pw_random *from, uint64_t left, int n_draws, uint64_t most,
                                    uint32_t *draws) {
    for (;;) {
        uint64_t low = pw_random_word(from);
        for (int k = 0; k < n_draws; k++) {
            const pw_u128 product = (pw_u128)low * (left - (uint64_t)k);
            draws[k] = (uint32_t)(product >> 64);
            low = (uint64_t)product;
        }
        if (low >= most) return;
        uint64_t product = 1;
        for (int k = 0; k < n_draws; k++) product *= left - (uint64_t)k;
        if (low >= (0 - product) % product) return;
    }
}

#endif
