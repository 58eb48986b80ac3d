/* The table of items with multiplicities or weights, with a counter for every pair of labels.
 *
 * Weights are added as integers of 128 bits, so that no order of items changes a bit. Items are
 * read in blocks that stay in the first-level cache: as numbers of counters, as the meet reads
 * them, and masses in fixed point.
 */
#include "pw_masses.h"

#include "pw_fixed.h"

/* Blocks of items whose numbers, masses and products stay in a first-level cache. */
#define MASS_BLOCK 256

int pw_dense_windows(pw_source *source, const pw_vector *vector, int64_t most, int guessed) {
    int row_fits;
    int col_fits;
    const uint64_t most_labels = (uint64_t)most - 1;
    if (guessed) {
        source->row = pw_guessed_window(source->a, most_labels, &row_fits);
        source->col = pw_guessed_window(source->b, most_labels, &col_fits);
    } else {
        source->row = pw_exact_window(source->a, vector->range, most_labels, &row_fits);
        source->col = pw_exact_window(source->b, vector->range, most_labels, &col_fits);
    }
    if (!row_fits || !col_fits) return 0;
    return ((int64_t)source->row.most + 1) * ((int64_t)source->col.most + 1) <= most;
}

/* What is read next is fetched while counters are raised, a line of labels and numbers at a time.
 */
#define EACH_OF_BLOCK(NUMBERS, ...)                                                                \
    for (int64_t j = 0; j < count;) {                                                              \
        pw_fetch(&next);                                                                           \
        if ((NUMBERS) != NULL) __builtin_prefetch((NUMBERS) + j + MASS_BLOCK);                     \
        for (const int64_t stop = pw_min64(j + 8, count); j < stop; j++) {                         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Returns the bits that any of the times has. */
static uint64_t add_times(const uint32_t *index, const int64_t *times, int64_t count, pw_ahead next,
                          int64_t *counts, int64_t *zeros) {
    uint64_t bits = 0;
    int64_t absent = 0;
    EACH_OF_BLOCK(times, {
        const uint64_t often = (uint64_t)times[j];
        bits |= often;
        absent += often == 0;
        counts[index[j]] = (int64_t)((uint64_t)counts[index[j]] + often);
    })
    *zeros += absent;
    return bits;
}

static void count_up(const uint32_t *index, const double *weights, int64_t count, pw_ahead next,
                     int64_t *counts) {
    EACH_OF_BLOCK(weights, counts[index[j]]++;)
}

static void add_masses(const uint32_t *index, const uint64_t *low, const uint64_t *high,
                       int64_t count, pw_i128 *masses) {
    for (int64_t j = 0; j < count; j++) {
        const pw_u128 mass = (pw_u128)high[j] << 64 | low[j];
        masses[index[j]] = (pw_i128)((pw_u128)masses[index[j]] + mass);
    }
}

int pw_dense_masses(const pw_source *source, const pw_vector *vector, const pw_counting *counting,
                    int64_t *counts, pw_i128 *masses, int64_t *zeros, const pw_poll *poll) {
    if (counting->times == NULL && counting->weights == NULL) {
        *zeros = 0;
        return pw_dense_pairs(source, vector, counting->dropped, counts, poll);
    }
    const int64_t n = source->a->n;
    const uint32_t width = (uint32_t)source->col.most + 1;
    const double *weights = counting->weights;
    uint32_t index[MASS_BLOCK];
    uint64_t low[MASS_BLOCK];
    uint64_t high[MASS_BLOCK];
    int64_t weightless = 0;
    int64_t absent = 0;
    for (int64_t i = 0; i < n; i += MASS_BLOCK) {
        const int64_t count = pw_min64(MASS_BLOCK, n - i);
        const pw_ahead next = pw_ahead_of(source, i + count, n);
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
        if (vector->load_index(source, i, count, width, index)) return PW_CROWDED;
        if (masses != NULL) {
            double products[MASS_BLOCK];
            const double *block = weights + i;
            for (int64_t j = 0; counting->times != NULL && j < count; j++) {
                products[j] = block[j] * (double)counting->times[i + j];
            }
            if (counting->times != NULL) block = products;
            if (vector->fixed_points(block, count, counting->largest, counting->fraction_bits, low,
                                     high, &weightless)) {
                return PW_CROWDED;
            }
            add_masses(index, low, high, count, masses);
        }
        if (counting->times == NULL) {
            count_up(index, weights + i, count, next, counts);
            continue;
        }
        const uint64_t bits = add_times(index, counting->times + i, count, next, counts, &absent);
        if ((pw_u128)bits * (pw_u128)n > INT64_MAX) return PW_CROWDED;
    }
    *zeros = counting->times == NULL ? weightless : absent;
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
