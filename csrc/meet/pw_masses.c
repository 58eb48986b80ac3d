/* The table of items with multiplicities or weights, with a counter for every pair of labels.
 *
 * Weights are added as integers of 128 bits, so that no order of items changes a bit.
 */
#include "pw_masses.h"

#include "pw_by_type.h"
#include "pw_fixed.h"

/* Adds ADD for the items from `start` on, up to `end`. Differences of labels are taken modulo the
 * size of their type, which makes no difference within a span. Another thread may have written a
 * label: none outside its span reaches a counter. */
#define ADD_UP(ADD)                                                                                \
    for (int64_t i = start; i < end; i++) {                                                        \
        const uint64_t r = (Ta)(rows[i] - (Ta)row.low);                                            \
        const uint64_t c = (Tb)(cols[i] - (Tb)col.low);                                            \
        if (__builtin_expect((r > row.most) | (c > col.most), 0)) return PW_CROWDED;               \
        const uint64_t pair = r * width + c;                                                       \
        ADD                                                                                        \
    }

#define BOTH_TYPES(...)                                                                            \
    PW_BY_SIZE(a, typedef T Ta; const Ta *rows = a->data; PW_BY_SIZE(b, {                          \
                   typedef T Tb;                                                                   \
                   const Tb *cols = b->data;                                                       \
                   __VA_ARGS__                                                                     \
               }))

int pw_dense_masses(const pw_labels *a, const pw_labels *b, pw_span row, pw_span col,
                    const int64_t *times, const double *weights, int fraction_bits, int64_t *counts,
                    pw_i128 *masses, const pw_poll *poll) {
    const uint64_t width = col.most + 1;
    for (int64_t start = 0; start < a->n; start += PW_POLL_ITEMS) {
        const int64_t end = pw_min64(start + PW_POLL_ITEMS, a->n);
        if (pw_stop(poll)) return PW_STOPPED;
        if (masses == NULL && times == NULL) {
            BOTH_TYPES(ADD_UP(counts[pair]++;))
        } else if (masses == NULL) {
            BOTH_TYPES(ADD_UP(counts[pair] += times[i];))
        } else if (times == NULL) {
            BOTH_TYPES(ADD_UP({
                counts[pair]++;
                masses[pair] += pw_fixed_point(weights[i], fraction_bits);
            }))
        } else {
            BOTH_TYPES(ADD_UP({
                if (times[i] == 0) continue;
                counts[pair] += times[i];
                masses[pair] += pw_fixed_point(weights[i] * (double)times[i], fraction_bits);
            }))
        }
    }
    return PW_OK;
}

void pw_mass_totals(const pw_i128 *masses, int64_t n_rows, int64_t n_cols, int fraction_bits,
                    pw_i128 *sums, double *const high[4], double *const low[4]) {
    pw_i128 all = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        pw_i128 sum = 0;
        for (int64_t j = 0; j < n_cols; j++) {
            const int64_t pair = r * n_cols + j;
            sum += masses[pair];
            pw_as_doubles(masses[pair], fraction_bits, &high[0][pair], &low[0][pair]);
        }
        all += sum;
        pw_as_doubles(sum, fraction_bits, &high[1][r], &low[1][r]);
    }
    for (int64_t j = 0; j < n_cols; j++) sums[j] = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        for (int64_t j = 0; j < n_cols; j++) sums[j] += masses[r * n_cols + j];
    }
    for (int64_t j = 0; j < n_cols; j++) {
        pw_as_doubles(sums[j], fraction_bits, &high[2][j], &low[2][j]);
    }
    pw_as_doubles(all, fraction_bits, high[3], low[3]);
}
