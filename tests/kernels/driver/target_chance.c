/* Random tables, draws with replacement, and sums that chance gives on average. */
#include "pw_expected.h"
#include "pw_hypergeometric.h"
#include "pw_random.h"
#include "pw_sample.h"
#include "tables.h"

#define CLUSTERS_MOST 40
#define PARTS_MOST 4

/* ---- sizes ------------------------------------------------------------------------------------
 */

/* Sizes of k clusters with n items in all, n >= k. */
static int64_t *take_sizes(driver_random *random, int64_t n, int64_t k) {
    int64_t *sizes = new_int64s(k);
    for (int64_t i = 0; i < k; i++) sizes[i] = 1;
    for (int64_t left = n - k; left > 0;) {
        const int64_t more = 1 + (int64_t)random_below(random, (uint64_t)left);
        sizes[random_below(random, (uint64_t)k)] += more;
        left -= more;
    }
    return sizes;
}

/* ---- random tables ----------------------------------------------------------------------------
 */

static void free_cells(int64_t **cols, int64_t **counts) {
    free(*cols);
    free(*counts);
    *cols = *counts = NULL;
}

static void check_random_table(driver_input *in, const int64_t *row_sizes, int64_t n_rows,
                               const int64_t *col_sizes, int64_t n_cols) {
    const uint64_t key[2] = {take_below(in, 256), take_below(in, 256)};
    int64_t *indptr = new_int64s(n_rows + 1);
    int64_t *cols = NULL, *counts = NULL;
    int64_t n_cells = 0;
    int status;
    KERNEL(status, free_cells(&cols, &counts),
           pw_random_table(row_sizes, col_sizes, n_rows, n_cols, key, indptr, &cols, &counts,
                           &n_cells, &driver_poll),
           CHECK(cols == NULL && counts == NULL));
    CHECK(status == PW_OK && indptr[0] == 0 && indptr[n_rows] == n_cells);
    int64_t *col_sums = new_int64s(n_cols);
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t sum = 0;
        for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
            CHECK(counts[c] > 0 && cols[c] >= 0 && cols[c] < n_cols);
            CHECK(c == indptr[r] || cols[c - 1] < cols[c]);
            sum += counts[c];
            col_sums[cols[c]] += counts[c];
        }
        CHECK(sum == row_sizes[r]);
    }
    CHECK_SAME(col_sums, col_sizes, n_cols);
    HASH(indptr, n_rows + 1);
    HASH(cols, n_cells);
    HASH(counts, n_cells);
    free_cells(&cols, &counts);
}

static void check_draws(driver_input *in) {
    const int64_t n = take_between(in, 1, 300), draws = take_between(in, 1, 3);
    const uint64_t key[2] = {take_below(in, 256), take_below(in, 256)};
    int64_t *counts = new_int64s(draws * n), *alone = new_int64s(n);
    int status;
    KERNEL_PLAIN(status, pw_resample(n, key, draws, counts, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t d = 0; d < draws; d++) {
        const uint64_t own[2] = {key[0], key[1] + (uint64_t)d};
        int64_t sum = 0;
        CHECK(pw_resample(n, own, 1, alone, NULL) == PW_OK);
        CHECK_SAME(alone, counts + d * n, n);
        for (int64_t i = 0; i < n; i++) {
            CHECK(alone[i] >= 0);
            sum += alone[i];
        }
        CHECK(sum == n);
    }
    HASH(counts, draws * n);
    const int64_t all = (int64_t)(take_word(in) % UINT32_MAX);
    const int64_t a = (int64_t)take_below(in, (uint64_t)all + 1);
    const int64_t b = (int64_t)take_below(in, (uint64_t)all + 1);
    const double u = (double)(take_word(in) >> 11) / (double)(INT64_C(1) << 53);
    const int64_t overlap = pw_hypergeometric(all, a, b, u);
    CHECK(overlap >= 0 && overlap >= a + b - all && overlap <= a && overlap <= b);
    HASH_ONE(overlap);
}

/* The law from probabilities of all overlaps, where these are few. */
static void check_law(driver_input *in) {
    const int64_t n = take_between(in, 1, 60);
    const int64_t a = take_between(in, 0, n), b = take_between(in, 0, n);
    const int64_t least = a + b > n ? a + b - n : 0, most = a < b ? a : b;
    double choose[61][61] = {{0}};
    for (int i = 0; i <= 60; i++) {
        choose[i][0] = 1;
        for (int j = 1; j <= i; j++) choose[i][j] = choose[i - 1][j - 1] + choose[i - 1][j];
    }
    /* numbers from 0 to 1 are dealt to the likeliest value first, then to those beside it */
    const int64_t mode = (int64_t)(((double)a + 1) * ((double)b + 1) / ((double)n + 2));
    double below = 0;
    for (int64_t step = 0; step <= 2 * n; step++) {
        const int64_t k = step % 2 == 1 ? mode + (step + 1) / 2 : mode - step / 2;
        if (k < least || k > most) continue;
        const double p = choose[a][k] * choose[n - a][b - k] / choose[n][b];
        if (p > 1e-10) {
            CHECK(pw_hypergeometric(n, a, b, below + 1e-12) == k);
            CHECK(pw_hypergeometric(n, a, b, below + p - 1e-12) == k);
        }
        below += p;
    }
}

/* ---- expected sums ----------------------------------------------------------------------------
 */

/* E[M ln M] of one pair of sizes, over all overlaps. */
static long double expected_of(int64_t n, int64_t a, int64_t b, long double *divergence) {
    const int64_t least = a + b > n ? a + b - n : 0, most = a < b ? a : b;
    const long double mean = (long double)a * b / n;
    /* up from the likeliest overlap and down from it; the sum of all is 1 */
    const int64_t mode = (int64_t)(((long double)a + 1) * (b + 1) / (n + 2));
    long double total = 0, overlap = 0, diverged = 0;
    for (int direction = 0; direction < 2; direction++) {
        long double p = 1;
        for (int64_t m = mode; m >= least && m <= most; m += direction == 0 ? 1 : -1) {
            if (direction == 0 || m < mode) {
                total += p;
                if (m > 0) {
                    overlap += p * m * logl((long double)m);
                    diverged += p * (m * logl(m / mean) - m + mean);
                } else {
                    diverged += p * mean;
                }
            }
            p *= direction == 0
                     ? (long double)(a - m) * (b - m) / ((long double)(m + 1) * (n - a - b + m + 1))
                     : (long double)m * (n - a - b + m) / ((long double)(a - m + 1) * (b - m + 1));
        }
    }
    *divergence = diverged / total;
    return overlap / total;
}

static long double value_of(const uint64_t *words, int n_words, int bits) {
    long double value = 0;
    for (int k = n_words - 1; k >= 0; k--) value = value * 18446744073709551616.0L + words[k];
    return ldexpl(value, -bits);
}

typedef struct {
    const int64_t *sizes[2];
    const double *weights[2];
    int64_t k[2];
    int64_t n;
    int parts;
    uint64_t sums[PARTS_MOST][2][PW_EXPECTED_WORDS];
} expected_job;

static int sum_part(void *context, int part) {
    expected_job *job = context;
    return pw_expected_sums(job->sizes[0], job->weights[0], job->k[0], job->sizes[1],
                            job->weights[1], job->k[1], job->n, job->parts, part,
                            job->sums[part][0], job->sums[part][1], &driver_poll);
}

static void check_expected(driver_input *in, driver_random *random, const int64_t *row_sizes,
                           int64_t n_rows, const int64_t *col_sizes, int64_t n_cols, int64_t n) {
    double *row_weights = room(n_rows, sizeof(double)), *col_weights = room(n_cols, sizeof(double));
    for (int64_t r = 0; r < n_rows; r++) row_weights[r] = (double)random_below(random, 4);
    for (int64_t c = 0; c < n_cols; c++) col_weights[c] = 1 + (double)random_below(random, 3);
    uint64_t overlap[PW_EXPECTED_WORDS], divergence[PW_EXPECTED_WORDS];
    int status;
    KERNEL_PLAIN(status, pw_expected_sums(row_sizes, row_weights, n_rows, col_sizes, col_weights,
                                          n_cols, n, 1, 0, overlap, divergence, &driver_poll));
    CHECK(status == PW_OK);
    HASH(overlap, PW_EXPECTED_WORDS);
    HASH(divergence, PW_EXPECTED_WORDS);
    long double literal = 0, diverged = 0;
    for (int64_t r = 0; r < n_rows && n <= 4000; r++) {
        for (int64_t c = 0; c < n_cols; c++) {
            long double own;
            literal += (long double)row_weights[r] * col_weights[c] *
                       expected_of(n, row_sizes[r], col_sizes[c], &own);
            diverged += (long double)row_weights[r] * col_weights[c] * own;
        }
    }
    if (n <= 4000) {
        CHECK(fabsl(value_of(overlap, 4, PW_EXPECTED_BITS) - literal) <= 1e-13L * literal + 1e-15L);
        CHECK(fabsl(value_of(divergence, 4, PW_EXPECTED_BITS) - diverged) <=
              1e-12L * diverged + 1e-15L);
    }
    expected_job job = {{row_sizes, col_sizes},
                        {row_weights, col_weights},
                        {n_rows, n_cols},
                        n,
                        1 + (int)take_below(in, PARTS_MOST),
                        {{{0}}}};
    KERNEL_PLAIN(status, run_team(sum_part, &job, job.parts));
    CHECK(status == PW_OK);
    for (int kind = 0; kind < 2; kind++) {
        uint64_t sum[PW_EXPECTED_WORDS] = {0};
        for (int part = 0; part < job.parts; part++) {
            pw_u128 carry = 0;
            for (int k = 0; k < PW_EXPECTED_WORDS; k++) {
                carry += (pw_u128)sum[k] + job.sums[part][kind][k];
                sum[k] = (uint64_t)carry;
                carry >>= 64;
            }
        }
        CHECK_SAME(sum, kind == 0 ? overlap : divergence, PW_EXPECTED_WORDS);
    }
    /* sides exchanged: the same bits */
    uint64_t turned[2][PW_EXPECTED_WORDS];
    CHECK(pw_expected_sums(col_sizes, col_weights, n_cols, row_sizes, row_weights, n_rows, n, 1, 0,
                           turned[0], turned[1], NULL) == PW_OK);
    CHECK_SAME(turned[0], overlap, PW_EXPECTED_WORDS);
    CHECK_SAME(turned[1], divergence, PW_EXPECTED_WORDS);
    /* each column size by itself */
    int64_t *distinct = new_int64s(n_cols);
    int64_t k = 0;
    for (int64_t size = 1; size <= n && n <= 4000; size++) {
        int some = 0;
        for (int64_t c = 0; c < n_cols; c++) some |= col_sizes[c] == size;
        if (some) distinct[k++] = size;
    }
    uint64_t *words[4];
    for (int w = 0; w < 4; w++) words[w] = room(k, sizeof(uint64_t));
    uint64_t *const by_overlap[2] = {words[0], words[1]};
    uint64_t *const by_divergence[2] = {words[2], words[3]};
    KERNEL_PLAIN(status, pw_expected_by_size(row_sizes, row_weights, n_rows, distinct, k, n, 64,
                                             by_overlap, by_divergence, &driver_poll));
    CHECK(status == PW_OK);
    long double total = 0;
    for (int64_t j = 0; j < k; j++) {
        const uint64_t own[2] = {words[0][j], words[1][j]};
        for (int64_t c = 0; c < n_cols; c++)
            if (col_sizes[c] == distinct[j]) total += col_weights[c] * value_of(own, 2, 64);
    }
    if (n <= 4000)
        CHECK(fabsl(total - value_of(overlap, 4, PW_EXPECTED_BITS)) <= 1e-13L * total + 1e-15L);
    for (int w = 0; w < 4; w++) HASH(words[w], k);
}

void target_chance(driver_input *in) {
    const int64_t n =
        take_byte(in) % 2 == 0 ? take_between(in, 1, 200) : take_between(in, 1, 40000);
    const int64_t most = n < CLUSTERS_MOST ? n : CLUSTERS_MOST;
    const int64_t n_rows = take_between(in, 1, most), n_cols = take_between(in, 1, most);
    driver_random random = {take_below(in, 1 << 16)};
    const int64_t *row_sizes = take_sizes(&random, n, n_rows);
    const int64_t *col_sizes = take_sizes(&random, n, n_cols);
    check_random_table(in, row_sizes, n_rows, col_sizes, n_cols);
    check_draws(in);
    check_law(in);
    check_expected(in, &random, row_sizes, n_rows, col_sizes, n_cols, n);
}
