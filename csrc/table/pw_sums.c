/* Sums over cells and clusters that no order of terms can change.
 *
 * Every term is turned into an integer once (x^2, x ln x in fixed point, a double in fixed point,
 * a score in units of 2^-62), and integers are added exactly in 128 or 192 bits. Small values of x
 * are counted first, so that their logarithms are looked up once for each value.
 */
#include "pw_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_fixed.h"
#include "pw_logarithm.h"
#include "pw_scratch.h"

pw_u128 pw_sum_squares(const int64_t *x, int64_t n) {
    pw_u128 sum = 0;
    for (int64_t i = 0; i < n; i++) sum += (pw_u128)(uint64_t)x[i] * (uint64_t)x[i];
    return sum;
}

/* How often each value below COUNTED occurs is counted first, if there are enough values, so
 * that its term is looked up once. Few values are larger. */
#define COUNTED 64
#define LEAST_COUNTED 256

pw_u128 pw_sum_xlogx(const int64_t *x, int64_t n, int fraction_bits) {
    pw_u128 sum = 0;
    int64_t i = 0;
    if (n >= LEAST_COUNTED) {
        int64_t times[4][COUNTED + 1] = {{0}}; /* in turn: equal values come in runs */
        for (; i + 4 <= n; i += 4) {
            for (int64_t k = 0; k < 4; k++) {
                const uint64_t value = (uint64_t)x[i + k];
                times[k][value < COUNTED ? value : COUNTED]++;
                if (value >= COUNTED) sum += pw_xlogx(value, fraction_bits);
            }
        }
        for (uint64_t value = 2; value < COUNTED; value++) {
            const int64_t all =
                times[0][value] + times[1][value] + times[2][value] + times[3][value];
            if (all > 0) sum += pw_xlogx(value, fraction_bits) * (uint64_t)all;
        }
    }
    for (; i < n; i++) {
        if (x[i] > 1) sum += pw_xlogx((uint64_t)x[i], fraction_bits);
    }
    return sum;
}

pw_i128 pw_sum_doubles(const double *x, int64_t n, int fraction_bits) {
    pw_i128 sum = 0;
    for (int64_t i = 0; i < n; i++) sum += pw_fixed_point(x[i], fraction_bits);
    return sum;
}

int pw_sum_groups(const double *x, const int64_t *groups, int64_t n, int64_t n_groups,
                  int fraction_bits, double *high, double *low, const pw_poll *poll) {
    if (n_groups == 0) return PW_OK;
    pw_i128 *totals = calloc((size_t)n_groups, sizeof *totals);
    if (totals == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            totals[groups[i]] += pw_fixed_point(x[i], fraction_bits);
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t g = 0; g < n_groups && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n_groups, g + PW_POLL_SCATTERED); g < stop; g++) {
            pw_as_doubles(totals[g], fraction_bits, &high[g], &low[g]);
        }
        if (g < n_groups && pw_stop(poll)) status = PW_STOPPED;
    }
    free(totals);
    return status;
}

int64_t pw_fraction_of_one(pw_u128 part, pw_u128 whole) {
    if (part == 0) return 0;
    const int shift = pw_bits128(whole) > 64 ? pw_bits128(whole) - 64 : 0;
    const pw_u128 scaled = (pw_u128)(uint64_t)(part >> shift) << 62;
    int64_t result = (int64_t)(scaled / (uint64_t)(whole >> shift));
    if (result >= PW_ONE) result = PW_ONE - 1;
    return result < 1 ? 1 : result;
}

static inline pw_u128 term_of(const pw_terms *known, int64_t x) {
    return x < known->n ? known->terms[x] : pw_xlogx((uint64_t)x, known->fraction_bits);
}

int pw_split_scores(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, int fraction_bits, int64_t *row_scores, int64_t *col_scores,
                    const pw_poll *poll) {
    pw_u128 small[COUNTED];
    pw_terms known = {small, 0, fraction_bits};
    if (n_rows > 0 && indptr[n_rows] >= LEAST_COUNTED) known.n = COUNTED;
    for (int64_t x = 0; x < known.n; x++) small[x] = pw_xlogx((uint64_t)x, fraction_bits);
    return pw_split_scores_by(&known, indptr, cols, counts, row_sizes, col_sizes, n_rows, n_cols,
                              row_scores, col_scores, poll);
}

int pw_split_scores_by(const pw_terms *known, const int64_t *indptr, const int64_t *cols,
                       const int64_t *counts, const int64_t *row_sizes, const int64_t *col_sizes,
                       int64_t n_rows, int64_t n_cols, int64_t *row_scores, int64_t *col_scores,
                       const pw_poll *poll) {
    if (n_rows == 0) return PW_OK;
    pw_u128 *col_sums = calloc((size_t)n_cols, sizeof *col_sums);
    if (col_sums == NULL) return PW_NO_MEMORY;
    /* first: is the column one cell? */
    int status = pw_zeros(col_scores, n_cols * (int64_t)sizeof *col_scores, poll);
    for (int64_t r = 0; r < n_rows && status == PW_OK;) {
        for (const int64_t stop = pw_rows_to_poll(indptr, r, n_rows); r < stop; r++) {
            pw_u128 row_sum = 0;
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
                if (counts[c] == col_sizes[cols[c]]) col_scores[cols[c]] = PW_ONE;
                if (counts[c] < 2) continue;
                const pw_u128 term = term_of(known, counts[c]);
                row_sum += term;
                col_sums[cols[c]] += term;
            }
            row_scores[r] = indptr[r + 1] - indptr[r] == 1
                                ? PW_ONE
                                : pw_fraction_of_one(row_sum, term_of(known, row_sizes[r]));
        }
        if (r < n_rows && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t j = 0; j < n_cols && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n_cols, j + PW_POLL_SCATTERED); j < stop; j++) {
            if (col_scores[j] == PW_ONE || col_sums[j] == 0) continue;
            col_scores[j] = pw_fraction_of_one(col_sums[j], term_of(known, col_sizes[j]));
        }
        if (j < n_cols && pw_stop(poll)) status = PW_STOPPED;
    }
    free(col_sums);
    return status;
}

void pw_sum_products(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                     const int64_t *row_scores, const int64_t *col_scores, int64_t n_rows,
                     uint64_t sum[3]) {
    pw_u128 low = 0;  /* of weight 1: only its low 64 bits are kept, the rest moves up */
    pw_u128 high = 0; /* of weight 2^64 */
    for (int64_t r = 0; r < n_rows; r++) {
        if (row_scores[r] == 0) continue;
        for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
            const pw_u128 product =
                (pw_u128)(uint64_t)row_scores[r] * (uint64_t)col_scores[cols[c]];
            low += (pw_u128)(uint64_t)product * (uint64_t)counts[c];
            high += (low >> 64) + (pw_u128)(uint64_t)(product >> 64) * (uint64_t)counts[c];
            low = (uint64_t)low;
        }
    }
    sum[0] = (uint64_t)low;
    sum[1] = (uint64_t)high;
    sum[2] = (uint64_t)(high >> 64);
}

pw_u128 pw_sum_weighted(const int64_t *sizes, const int64_t *scores, int64_t n) {
    pw_u128 sum = 0;
    for (int64_t i = 0; i < n; i++) sum += (pw_u128)(uint64_t)sizes[i] * (uint64_t)scores[i];
    return sum;
}

int pw_is_proportional(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                       const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                       int64_t n) {
    for (int64_t r = 0; r < n_rows; r++) {
        for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
            const pw_u128 observed = (pw_u128)(uint64_t)n * (uint64_t)counts[c];
            if (observed != (pw_u128)(uint64_t)row_sizes[r] * (uint64_t)col_sizes[cols[c]])
                return 0;
        }
    }
    return 1;
}

/* ln(1 + x), step by step as in src/partwise/numbers/real_logarithm.py, for -1 < x < inf. The
 * log1p of a C library differs from that of another one in the last bit. */
static double ln_of_sum(double x) {
    const double u = 1.0 + x;
    const double lost = u >= 2.0 ? 1.0 - (u - x) : x - (u - 1.0);
    int exponent;
    double mantissa = frexp(u, &exponent);
    if (mantissa < 0x1.6a09e667f3bcdp-1) { /* the root of 1/2 */
        mantissa *= 2.0;
        exponent--;
    }
    const double f = mantissa - 1.0;
    const double s = f / (2.0 + f);
    const double square = s * s;
    double rest = 2.0 / 23.0;
    for (int k = 10; k >= 1; k--) rest = rest * square + 2.0 / (double)(2 * k + 1);
    const double half = 0.5 * f * f;
    const double e = exponent;
    const double low = s * (half + rest * square) + e * 0x1.a39ef35793c76p-33;
    return e * 0x1.62e42feep-1 - ((half - low) - f) + lost / u;
}

/* The plain formula loses digits near 0; up to 1/4 the series (k = 2..26) is full precision. */
static double phi(double x) {
    if (x > 0.25 || x < -0.25) return (1.0 + x) * ln_of_sum(x) - x;
    double sum = 0.0;
    for (int k = 26; k >= 2; k--) sum = 1.0 / (double)(k * (k - 1)) - x * sum;
    return x * x * sum;
}

pw_u128 pw_divergence_terms(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                            const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                            int64_t n, double *terms) {
    pw_u128 covered = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
            const pw_u128 expected = (pw_u128)(uint64_t)row_sizes[r] * (uint64_t)col_sizes[cols[c]];
            const pw_i128 excess = (pw_i128)((pw_u128)(uint64_t)n * (uint64_t)counts[c] - expected);
            covered += expected;
            terms[c] = (double)expected * phi((double)excess / (double)expected);
        }
    }
    return covered;
}
