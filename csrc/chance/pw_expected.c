/* Expectations of M ln M over all pairs of cluster sizes, M hypergeometric.
 *
 *   few terms matter   sum over m of P(M = m) m ln m, outwards from the mode. Neighbouring weights
 *                      follow by their ratio; no logarithm of a factorial and no exponential is
 *                      needed. The sum ends where a geometric series bounds what is left.
 *   mu >= 600          a series of 16 central moments of M, from their recurrence.
 *   many pairs, mu <= 4   pw_newton.c takes all of them at once.
 *
 * m ln m is measured from its tangent at the mode, so that the large parts cancel exactly:
 *   psi(m) = m ln m - mode ln mode - (m - mode) slope >= 0.
 * Every term is a double that is cut once to 2^-160 and added in 256 bits, so the order of the
 * pairs and the number of lanes change no bit.
 */
#include "pw_expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_logarithm.h"
#include "pw_newton.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WIDER
#endif

/* From this expected overlap on, a series of central moments is exact to the last digit. */
#define SERIES_FROM 600.0
/* Moments of the series. */
#define MOMENTS 16
/* x ln x is looked up for overlaps below this. For pairs with an expected overlap below
 * SERIES_FROM no larger overlap has a probability above 2^-66. */
#define TABLE 1024
/* A lane that is done runs on while others are not, and reads beyond both ends of the table:
 * there is room for that before 0 and behind TABLE. */
#define BELOW 640
#define ABOVE (TABLE + BELOW)
/* What may be left out of the mean, and of the weights below the mode, relative to what is
 * summed. */
#define MEAN_CUT 0x1p-55
#define TOTAL_CUT 0x1p-66
/* Pairs summed side by side. */
#define LANES 8
/* Pairs between two polls. */
#define POLL_PAIRS ((int64_t)1 << 17)
/* From this many pairs on, a series for all of them together is faster. */
#define MANY ((int64_t)1 << 10)
/* Fraction bits of ln x where 64 bits hold it. */
#define LN_BITS 56

/* 1 / (k (k - 1)) */
#define INVERSE(k) (1.0 / (double)((k) * ((k) - 1)))
static const double inverse[] = {
    0.0,         0.0,         INVERSE(2),  INVERSE(3),  INVERSE(4),  INVERSE(5),  INVERSE(6),
    INVERSE(7),  INVERSE(8),  INVERSE(9),  INVERSE(10), INVERSE(11), INVERSE(12), INVERSE(13),
    INVERSE(14), INVERSE(15), INVERSE(16), INVERSE(17), INVERSE(18), INVERSE(19), INVERSE(20),
    INVERSE(21), INVERSE(22), INVERSE(23), INVERSE(24), INVERSE(25), INVERSE(26), INVERSE(27),
};

/* The highest even power that phi needs for shares up to 1 / mode, and up to 1/4. */
static int64_t last_power(int64_t mode) {
    return mode < 8 ? 26 : mode < 32 ? 18 : mode < 128 ? 12 : 8;
}

/* Pairs of sizes side by side, counted from an overlap in the middle: mode, near the most likely
 * one; a, b, c: what is outside it in the row, in the column, and n - a - b + mode; beyond: how far
 * the expected overlap lies above the mode, as a share of it; phi: (1 + x) ln(1 + x) - x of that.
 */
typedef struct {
    double a[LANES], b[LANES], c[LANES], beyond[LANES], total[LANES], mean[LANES], phi[LANES];
    int64_t mode[LANES];
} lanes;

/* m ln m: high is a multiple of 2^-32. */
typedef struct {
    double high, low;
} two_parts;

/* By m: m ln m; slope, a multiple of 2^-32 too, is 1 + ln m (0 for m = 0) plus excess. So the large
 * parts cancel exactly in psi(m) = m ln m - mode ln mode - (m - mode) slope >= 0. */
typedef struct {
    two_parts terms[BELOW + ABOVE];
    double slope[TABLE], excess[TABLE];
    int64_t filled; /* overlaps; the last value stands for those behind them */
} tables;

#define PACK 2
#define SOME(m) ((m)[0] | (m)[1])
#define PACKS (LANES / PACK)
#define SUFFIX narrow
#define TARGET
#include "pw_expected_impl.h"
#undef PACK
#undef SOME
#undef PACKS
#undef SUFFIX
#undef TARGET

#ifdef WIDER
#define PACK 4
#define SOME(m) _mm256_movemask_pd((__m256d)(m))
#define PACKS (LANES / PACK)
#define SUFFIX wide
#define TARGET __attribute__((target("avx2")))
#include "pw_expected_impl.h"
#undef PACK
#undef SOME
#undef PACKS
#undef SUFFIX
#undef TARGET

#define PACK 8
#define SOME(m) _mm512_test_epi64_mask((__m512i)(m), (__m512i)(m))
#define PACKS (LANES / PACK)
#define SUFFIX widest
#define TARGET __attribute__((target("avx512f,avx512dq")))
#include "pw_expected_impl.h"
#undef PACK
#undef SOME
#undef PACKS
#undef SUFFIX
#undef TARGET
#endif

typedef pw_size entry;

typedef struct {
    int64_t n;
    int64_t ln;   /* of n */
    int64_t most; /* overlap of a pair */
    tables *at;
    int64_t (*sum_up)(lanes *x, const tables *at);
    void (*sum_down)(lanes *x, const tables *at);
    uint64_t *overlap;
    uint64_t *divergence;
} sums;

/* Pairs that wait until all lanes have one. */
typedef struct {
    const entry *a[LANES], *b[LANES];
    int used;
} waiting;

static int64_t ln_of(int64_t x) {
    return (int64_t)(pw_ln((uint64_t)x) >> (PW_LN_BITS - LN_BITS));
}

/* Add x >= 0, cut at 2^-PW_EXPECTED_BITS. */
static void add(uint64_t *sum, double x) {
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    uint64_t mantissa = (pattern & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int shift = (int)(pattern >> 52) - 1075 + PW_EXPECTED_BITS;
    if (shift < 0) { /* zero too */
        mantissa = shift > -64 ? mantissa >> -shift : 0;
        shift = 0;
    }
    const int k = shift / 64;
    if (k >= PW_EXPECTED_WORDS) return; /* beyond the precondition */
    const pw_u128 value = (pw_u128)mantissa << shift % 64;
    pw_u128 carry = (pw_u128)sum[k] + (uint64_t)value;
    sum[k] = (uint64_t)carry;
    carry = (carry >> 64) + (uint64_t)(value >> 64);
    if (k + 1 == PW_EXPECTED_WORDS) return;
    carry += sum[k + 1];
    sum[k + 1] = (uint64_t)carry;
    for (int i = k + 2; (uint64_t)(carry >> 64) != 0 && i < PW_EXPECTED_WORDS; i++) {
        carry = (pw_u128)1 + sum[i];
        sum[i] = (uint64_t)carry;
    }
}

static void add_pair(const sums *to, double weight, double overlap, double divergence) {
    if (overlap > 0.0) add(to->overlap, weight * overlap);
    if (divergence > 0.0) add(to->divergence, weight * divergence);
}

static double ln_mu(const sums *to, const entry *a, const entry *b) {
    return (double)(a->ln + b->ln - to->ln) * 0x1p-56;
}

/* E[M ln(M / mu) - M + mu] from central moments m_k of M:
 * (1 - k/n) m_{k+1} = - sum over j < k of (-1)^(k-j) C(k, j) (m_{j+2}/n + q m_{j+1} + v m_j),
 * where the term j = k - 1 is without m_{k+1}. */
static double series(double a, double b, double n, double mu) {
    const double free_a = (n - a) / n, free_b = (n - b) / n;
    const double q = free_a * free_b + (a / n) * (b / n);
    const double v = mu * (free_a * free_b);
    double moment[MOMENTS + 1], part[MOMENTS + 1];
    double binomial[MOMENTS + 1] = {1.0};
    moment[0] = 1.0;
    moment[1] = 0.0;
    for (int k = 1; k < MOMENTS; k++) {
        for (int j = k; j > 0; j--) binomial[j] += binomial[j - 1];
        double sum = (double)k * (q * moment[k] + v * moment[k - 1]);
        for (int j = k - 2; j >= 0; j--) {
            const double term = binomial[j] * part[j];
            sum = (k - j) % 2 != 0 ? sum + term : sum - term;
        }
        moment[k + 1] = sum / (1.0 - (double)k / n);
        part[k - 1] = moment[k + 1] / n + q * moment[k] + v * moment[k - 1];
    }
    double sum = 0.0;
    for (int k = MOMENTS; k >= 2; k--) sum = moment[k] / (double)(k * (k - 1)) - sum / mu;
    return sum / mu;
}

static void add_large(const sums *to, const entry *a, const entry *b, double mu) {
    const double divergence = series((double)a->size, (double)b->size, (double)to->n, mu);
    add_pair(to, a->weight * b->weight, divergence + mu * ln_mu(to, a, b), divergence);
}

/* M is 0 or 1: E[M ln M] = 0. */
static void add_single(const sums *to, const entry *a, const entry *b) {
    const int64_t size = a->size > b->size ? a->size : b->size;
    const pw_u128 fall = pw_ln((uint64_t)to->n) - pw_ln((uint64_t)size);
    const double mu = (double)size / (double)to->n;
    add_pair(to, a->weight * b->weight, 0.0, mu * ((double)fall * 0x1p-120));
}

/* Expected overlap less the mode: exact before the division, in wrapping arithmetic. The product
 * a b lies less than 2^63 from mode n for any n, also where the mode, found in doubles, is off by
 * one: then a b is near the multiple of n beyond it, less a + b. */
static double above_mode(int64_t a, int64_t b, int64_t n, int64_t mode) {
    const uint64_t rest = (uint64_t)a * (uint64_t)b - (uint64_t)mode * (uint64_t)n;
    return (double)(int64_t)rest / (double)n;
}

/* How many overlaps are looked up at first: beyond twelve deviations there is nearly nothing. */
static int64_t near_mode(int64_t mode) {
    return mode + (int64_t)(12.0 * sqrt((double)mode)) + 64;
}

/* Fills the tables for overlaps below `end`, at most `all` of them. */
static void fill_tables(tables *at, int64_t end, int64_t all) {
    end = pw_min64(end, all);
    for (int64_t m = at->filled > 0 ? at->filled : 1; m < end; m++) { /* 0 stands there already */
        const pw_u128 value = pw_xlogx((uint64_t)m, 64);
        at->terms[BELOW + m].high = (double)(int64_t)(value >> 32) * 0x1p-32;
        at->terms[BELOW + m].low = (double)(uint32_t)value * 0x1p-64;
        const pw_u128 slope = ((pw_u128)1 << PW_LN_BITS) + pw_ln((uint64_t)m);
        const pw_u128 cut = slope & (((pw_u128)1 << (PW_LN_BITS - 32)) - 1);
        at->slope[m] = (double)(int64_t)(slope >> (PW_LN_BITS - 32)) * 0x1p-32;
        at->excess[m] = -((double)cut * 0x1p-120);
    }
    for (int64_t m = end; m < ABOVE; m++) {
        at->terms[BELOW + m] = at->terms[BELOW + end - 1];
    }
    at->filled = end;
}

static void add_lanes(const sums *to, waiting *pairs) {
    lanes x;
    const int used = pairs->used;
    if (used == 0) return;
    pairs->used = 0;
    const int64_t n = to->n;
    int64_t largest = 0;
    for (int i = 0; i < LANES; i++) {
        const int64_t a = pairs->a[i < used ? i : used - 1]->size;
        const int64_t b = pairs->b[i < used ? i : used - 1]->size;
        const double row = (double)a, col = (double)b;
        const int64_t rest = n - a - b;
        int64_t mode = (int64_t)((row + 1.0) * (col + 1.0) / ((double)n + 2.0));
        if (mode < -rest) mode = -rest;
        mode = pw_min64(mode, pw_min64(a, b));
        x.a[i] = row - (double)mode;
        x.b[i] = col - (double)mode;
        x.c[i] = (double)rest + (double)mode;
        x.mode[i] = mode;
        x.beyond[i] = mode == 0 ? 0.0 : above_mode(a, b, n, mode) / (double)mode;
        largest = mode > largest ? mode : largest;
    }
    tables *at = to->at;
    const int64_t all = pw_min64(TABLE, to->most + 1);
    if (at->filled <= largest) fill_tables(at, near_mode(largest), all);
    while (largest + to->sum_up(&x, at) > at->filled && at->filled < all) {
        fill_tables(at, 2 * at->filled, all); /* some lane may have read beyond them */
    }
    to->sum_down(&x, at);
    for (int i = 0; i < used; i++) {
        const entry *a = pairs->a[i], *b = pairs->b[i];
        const int64_t mode = x.mode[i];
        const double d = above_mode(a->size, b->size, n, mode);
        double overlap = x.mean[i] / x.total[i], divergence = overlap;
        if (mode == 0) {
            divergence -= d * ln_mu(to, a, b);
        } else {
            const double y = x.beyond[i];
            const double ln_mode = (double)ln_of(mode) * 0x1p-56;
            overlap += to->at->terms[BELOW + mode].high + to->at->terms[BELOW + mode].low +
                       d * to->at->slope[mode];
            divergence += d * to->at->excess[mode];
            divergence -= y > 0.25 || y < -0.25
                              ? ((double)mode + d) * (ln_mu(to, a, b) - ln_mode) - d
                              : (double)mode * x.phi[i];
        }
        add_pair(to, a->weight * b->weight, overlap, divergence);
    }
}

/* Adds the pairs of a row, but for those that still wait. */
static void add_row(const sums *to, const entry *a, const entry *b, int64_t n_cols,
                    waiting *pairs) {
    for (int64_t j = 0; j < n_cols; j++) {
        const double mu = (double)a->size * (double)b[j].size / (double)to->n;
        if (a->size == 1 || b[j].size == 1) {
            add_single(to, a, b + j);
        } else if (mu >= SERIES_FROM) {
            add_large(to, a, b + j, mu);
        } else {
            pairs->a[pairs->used] = a;
            pairs->b[pairs->used++] = b + j;
            if (pairs->used == LANES) add_lanes(to, pairs);
        }
    }
}

/* Adds all pairs but those with the leading columns of each row. Neighbouring rows are alike, so
 * that every so manyth is a fair share for one part of several. */
static int add_rows(const sums *to, const pw_sizes *rows, const pw_sizes *cols,
                    const int64_t *within, int parts, int part, const pw_poll *poll) {
    int64_t until_poll = POLL_PAIRS;
    waiting pairs = {.used = 0};
    for (int64_t r = part; r < rows->n; r += parts) {
        const int64_t first = within[r];
        add_row(to, rows->at + r, cols->at + first, cols->n - first, &pairs);
        until_poll -= cols->n - first;
        if (until_poll < 0) {
            until_poll = POLL_PAIRS;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    add_lanes(to, &pairs);
    return PW_OK;
}

static int by_size(const void *x, const void *y) {
    const int64_t a = ((const entry *)x)->size, b = ((const entry *)y)->size;
    return (a > b) - (a < b);
}

static void fill(entry *to, const int64_t *sizes, const double *weights, int64_t n) {
    int ascending = 1;
    for (int64_t i = 0; i < n; i++) {
        to[i] = (entry){sizes[i], ln_of(sizes[i]), weights[i]};
        ascending &= i == 0 || sizes[i] >= sizes[i - 1];
    }
    if (!ascending) qsort(to, (size_t)n, sizeof *to, by_size);
}

/* The largest of n >= 1 sizes. */
static int64_t largest_of(const int64_t *sizes, int64_t n) {
    int64_t largest = sizes[0];
    for (int64_t i = 1; i < n; i++) largest = sizes[i] > largest ? sizes[i] : largest;
    return largest;
}

/* `most`: the largest overlap that a pair can have. */
static sums sums_of(int64_t n, int64_t most, tables *at, uint64_t *overlap, uint64_t *divergence) {
    memset(at->terms, 0, (BELOW + 1) * sizeof *at->terms);
    at->slope[0] = at->excess[0] = 0.0;
    at->filled = 0; /* the first lanes fill them */
    sums to = {n, ln_of(n), most, at, sum_up_narrow, sum_down_narrow, overlap, divergence};
#ifdef WIDER
    if (__builtin_cpu_supports("avx2")) {
        to.sum_up = sum_up_wide;
        to.sum_down = sum_down_wide;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        to.sum_up = sum_up_widest;
        to.sum_down = sum_down_widest;
    }
#endif
    return to;
}

int pw_expected_sums(const int64_t *row_sizes, const double *row_weights, int64_t n_rows,
                     const int64_t *col_sizes, const double *col_weights, int64_t n_cols, int64_t n,
                     int parts, int part, uint64_t overlap[PW_EXPECTED_WORDS],
                     uint64_t divergence[PW_EXPECTED_WORDS], const pw_poll *poll) {
    memset(overlap, 0, PW_EXPECTED_WORDS * sizeof *overlap);
    memset(divergence, 0, PW_EXPECTED_WORDS * sizeof *divergence);
    if (n_rows == 0 || n_cols == 0) return PW_OK;
    entry *rows = malloc((size_t)n_rows * sizeof *rows);
    entry *cols = malloc((size_t)n_cols * sizeof *cols);
    int64_t *within = malloc((size_t)n_rows * sizeof *within);
    tables *at = malloc(sizeof *at);
    int status = PW_NO_MEMORY;
    if (rows != NULL && cols != NULL && within != NULL && at != NULL) {
        fill(rows, row_sizes, row_weights, n_rows);
        fill(cols, col_sizes, col_weights, n_cols);
        const pw_sizes row_side = {rows, n_rows}, col_side = {cols, n_cols};
        status = PW_OK;
        if (n >= 4 * PW_NEWTON_TERMS && pw_newton_within(&row_side, &col_side, n, within) >= MANY) {
            status = pw_newton_sums(&row_side, &col_side, n, within, PW_EXPECTED_BITS, parts, part,
                                    overlap, divergence, poll);
        } else {
            memset(within, 0, (size_t)n_rows * sizeof *within);
        }
        const int64_t most = pw_min64(largest_of(row_sizes, n_rows), largest_of(col_sizes, n_cols));
        const sums to = sums_of(n, most, at, overlap, divergence);
        if (status == PW_OK) {
            status = add_rows(&to, &row_side, &col_side, within, parts, part, poll);
        }
    }
    free(rows);
    free(cols);
    free(within);
    free(at);
    return status;
}

static void cut(const uint64_t sum[PW_EXPECTED_WORDS], int shift, uint64_t *const to[2],
                int64_t at) {
    const int whole = shift / 64, bits = shift % 64;
    for (int i = 0; i < 2; i++) {
        const uint64_t above = whole + i + 1 < PW_EXPECTED_WORDS ? sum[whole + i + 1] : 0;
        to[i][at] = sum[whole + i] >> bits | (bits > 0 ? above << (64 - bits) : 0);
    }
}

int pw_expected_by_size(const int64_t *row_sizes, const double *row_weights, int64_t n_rows,
                        const int64_t *col_sizes, int64_t n_cols, int64_t n, int fraction_bits,
                        uint64_t *const overlap[2], uint64_t *const divergence[2],
                        const pw_poll *poll) {
    entry *rows = malloc((size_t)(n_rows + 1) * sizeof *rows);
    tables *at = malloc(sizeof *at);
    int status = PW_NO_MEMORY;
    if (rows == NULL || at == NULL) goto end;
    status = PW_OK;
    fill(rows, row_sizes, row_weights, n_rows);
    uint64_t found[2][PW_EXPECTED_WORDS];
    const int64_t most = n_rows > 0 && n_cols > 0 ? pw_min64(largest_of(row_sizes, n_rows),
                                                             largest_of(col_sizes, n_cols))
                                                  : 0;
    const sums to = sums_of(n, most, at, found[0], found[1]);
    int64_t until_poll = POLL_PAIRS;
    waiting pairs = {.used = 0};
    for (int64_t j = 0; j < n_cols; j++) {
        const entry col = {col_sizes[j], ln_of(col_sizes[j]), 1.0};
        memset(found, 0, sizeof found);
        add_row(&to, &col, rows, n_rows, &pairs);
        add_lanes(&to, &pairs);
        cut(found[0], PW_EXPECTED_BITS - fraction_bits, overlap, j);
        cut(found[1], PW_EXPECTED_BITS - fraction_bits, divergence, j);
        until_poll -= n_rows;
        if (until_poll < 0) {
            until_poll = POLL_PAIRS;
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                break;
            }
        }
    }
end:
    free(rows);
    free(at);
    return status;
}
