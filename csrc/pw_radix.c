#include "pw_radix.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define SHORT 48 /* below this many keys insertion beats counting */

/* One stable counting pass of n records from `from` to `to` on DIGIT(record).
 * Answers 0 and moves nothing when all records share the digit. */
#define COUNTING_PASS(from, to, n, DIGIT)                                                          \
    int moved = 0;                                                                                 \
    {                                                                                              \
        int64_t start[DIGITS];                                                                     \
        memset(start, 0, sizeof start);                                                            \
        for (int64_t i = 0; i < (n); i++) start[DIGIT((from)[i])]++;                               \
        if (start[DIGIT((from)[0])] != (n)) {                                                      \
            int64_t total = 0;                                                                     \
            for (int d = 0; d < DIGITS; d++) {                                                     \
                const int64_t here = start[d];                                                     \
                start[d] = total;                                                                  \
                total += here;                                                                     \
            }                                                                                      \
            for (int64_t i = 0; i < (n); i++) (to)[start[DIGIT((from)[i])]++] = (from)[i];         \
            moved = 1;                                                                             \
        }                                                                                          \
    }

/* Digits of equal width: 22 bits take two passes of 11, 24 take three of 8. */
#define DEFINE_KEY_SORT(NAME, KEY)                                                                 \
    static void insertion_##NAME(KEY *keys, int64_t n) {                                           \
        for (int64_t i = 1; i < n; i++) {                                                          \
            const KEY key = keys[i];                                                               \
            int64_t j = i;                                                                         \
            for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];                         \
            keys[j] = key;                                                                         \
        }                                                                                          \
    }                                                                                              \
    static void pass_##NAME(const KEY *from, KEY *to, int64_t n, int shift, int width) {           \
        uint32_t start[DIGITS];                                                                    \
        const KEY mask = (KEY)(((KEY)1 << width) - 1);                                             \
        memset(start, 0, ((size_t)1 << width) * sizeof *start);                                    \
        for (int64_t i = 0; i < n; i++) start[(from[i] >> shift) & mask]++;                        \
        uint32_t total = 0;                                                                        \
        for (int d = 0; d < 1 << width; d++) {                                                     \
            const uint32_t here = start[d];                                                        \
            start[d] = total;                                                                      \
            total += here;                                                                         \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++) to[start[(from[i] >> shift) & mask]++] = from[i];          \
    }                                                                                              \
    static void long_pass_##NAME(const KEY *from, KEY *to, int64_t n, int shift, int width) {      \
        int64_t start[DIGITS];                                                                     \
        const KEY mask = (KEY)(((KEY)1 << width) - 1);                                             \
        memset(start, 0, sizeof start);                                                            \
        for (int64_t i = 0; i < n; i++) start[(from[i] >> shift) & mask]++;                        \
        int64_t total = 0;                                                                         \
        for (int d = 0; d < 1 << width; d++) {                                                     \
            const int64_t here = start[d];                                                         \
            start[d] = total;                                                                      \
            total += here;                                                                         \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++) to[start[(from[i] >> shift) & mask]++] = from[i];          \
    }                                                                                              \
    void pw_sort_##NAME(KEY *keys, KEY *scratch, int64_t n, int bits) {                            \
        if (n < SHORT) {                                                                           \
            insertion_##NAME(keys, n);                                                             \
            return;                                                                                \
        }                                                                                          \
        const int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;                                   \
        KEY *from = keys;                                                                          \
        KEY *to = scratch;                                                                         \
        for (int p = 0, shift = 0; p < passes; p++) {                                              \
            const int width = (bits - shift + passes - p - 1) / (passes - p);                      \
            if (n <= UINT32_MAX) {                                                                 \
                pass_##NAME(from, to, n, shift, width);                                            \
            } else {                                                                               \
                long_pass_##NAME(from, to, n, shift, width);                                       \
            }                                                                                      \
            KEY *swap = from;                                                                      \
            from = to;                                                                             \
            to = swap;                                                                             \
            shift += width;                                                                        \
        }                                                                                          \
        if (from != keys) memcpy(keys, from, (size_t)n * sizeof *keys);                            \
    }

DEFINE_KEY_SORT(u32, uint32_t)
DEFINE_KEY_SORT(u64, uint64_t)

int pw_sort_pairs(pw_pair *pairs, int64_t n, int bits, const pw_poll *poll) {
    if (n < 2) return PW_OK;
    pw_pair *scratch = malloc((size_t)n * sizeof *scratch);
    if (scratch == NULL) return PW_NO_MEMORY;
    pw_pair *from = pairs;
    pw_pair *to = scratch;
    int status = PW_OK;
    for (int shift = 0; shift < bits && status == PW_OK; shift += DIGIT_BITS) {
#define KEY_DIGIT(record) (((record).key >> shift) & (DIGITS - 1))
        COUNTING_PASS(from, to, n, KEY_DIGIT)
#undef KEY_DIGIT
        if (moved) {
            pw_pair *swap = from;
            from = to;
            to = swap;
        }
        if (pw_stop(poll)) status = PW_STOPPED;
    }
    if (from != pairs) memcpy(pairs, from, (size_t)n * sizeof *pairs);
    free(scratch);
    return status;
}

int pw_sort_cells(pw_cell *cells, int64_t n, int64_t n_rows, int64_t n_cols, const pw_poll *poll) {
    if (n < 2) return PW_OK;
    pw_cell *scratch = malloc((size_t)n * sizeof *scratch);
    if (scratch == NULL) return PW_NO_MEMORY;
    pw_cell *from = cells;
    pw_cell *to = scratch;
    int status = PW_OK;
    for (int side = 0; side < 2; side++) {
        const int bits = pw_bits((uint64_t)(side == 0 ? n_cols : n_rows));
        for (int shift = 0; shift < bits && status == PW_OK; shift += DIGIT_BITS) {
#define SIDE_DIGIT(record)                                                                         \
    (((uint64_t)(side == 0 ? (record).col : (record).row) >> shift) & (DIGITS - 1))
            COUNTING_PASS(from, to, n, SIDE_DIGIT)
#undef SIDE_DIGIT
            if (moved) {
                pw_cell *swap = from;
                from = to;
                to = swap;
            }
            if (pw_stop(poll)) status = PW_STOPPED;
        }
    }
    if (from != cells) memcpy(cells, from, (size_t)n * sizeof *cells);
    free(scratch);
    return status;
}
