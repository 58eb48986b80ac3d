/* Radix sorts of keys, of pairs and triples by key, and of cells by row and column.
 *
 * Every pass is a stable counting sort on one digit of at most 11 bits, the least significant
 * digit first. The technique is older than computing with programs and has no single paper.
 *
 *   keys           every digit in turn; insertion sort below 48 keys
 *   pairs, triples split by the leading digits until a part fits the cache, then
 *                    two passes on the leading digits of what is left, and insertion sort;
 *                    if that moves too much, a pass on every digit (pw_radix_impl.h)
 *   cells          the digits of the column, then those of the row
 */
#include "pw_radix.h"

#include <stdlib.h>
#include <string.h>

#include "pw_scratch.h"

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define SHORT 48 /* below this many keys insertion beats counting */

/* One stable counting pass of n records from `from` to `to` on DIGIT(record).
 * Returns 0 and moves nothing when all records share the digit. */
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

/* ---- pairs ------------------------------------------------------------------------------- */

#define SPLIT_ITEMS 16384 /* above this many records (a quarter of a megabyte) split first */

#define RECORD pw_pair
#define NAME(x) x##_pairs
#include "pw_radix_impl.h"
#undef RECORD
#undef NAME
#define RECORD pw_triple
#define NAME(x) x##_triples
#include "pw_radix_impl.h"
#undef RECORD
#undef NAME

int pw_sort_pairs_with(pw_pair *pairs, pw_pair *other, int64_t n, int bits, const pw_poll *poll) {
    return sort_long_pairs(pairs, other, n, bits, poll);
}

int pw_sort_triples_with(pw_triple *triples, pw_triple *other, int64_t n, int bits,
                         const pw_poll *poll) {
    return sort_long_triples(triples, other, n, bits, poll);
}

int pw_sort_pairs(pw_pair *pairs, int64_t n, int bits, const pw_poll *poll) {
    if (n < 2) return PW_OK;
    pw_pair *other = pw_large_malloc(n * (int64_t)sizeof *other);
    if (other == NULL) return PW_NO_MEMORY;
    int status = pw_touch(other, n * (int64_t)sizeof *other, poll);
    if (status == PW_OK) status = sort_long_pairs(pairs, other, n, bits, poll);
    free(other);
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
