/* One clustering against many: sums over the cells of each table, which is never stored.
 *
 *   few pairs of clusters   a counter for each pair
 *   else                    the items of one reference cluster after another, with counters for the
 *                           candidate's clusters only; these stay in the first-level cache
 * Cells are kept only where a sum needs them twice (matches, B-cubed, split-merge scores).
 */
#include "pw_many.h"

#include <stdlib.h>
#include <string.h>

#include "pw_by_type.h"
#include "pw_logarithm.h"
#include "pw_ratios.h"
#include "pw_sums.h"
#include "pw_table.h"
#include "pw_tuning.h"

/* x ln x of counts below this is looked up in a table that stays in the first-level cache. */
#define KNOWN_TERMS 1024
/* The sums that are made of x ln x, and the sums for which the cells must be kept. */
#define OF_TERMS (PW_MANY_XLOGX | PW_MANY_SPLIT_MERGE)
#define OF_KEPT_CELLS (PW_MANY_MAXIMA | PW_MANY_MATCHES | PW_MANY_B_CUBED | PW_MANY_SPLIT_MERGE)

typedef struct {
    const pw_many *many;
    const int64_t *row_sizes;
    int64_t reference;
    int64_t n_rows;
    int64_t most_cols; /* of any candidate */
    int wanted;
    int keep; /* cells are kept */
    int fraction_bits;
    uint32_t *counters; /* all zero between tables */
    uint32_t *order;    /* items by row, made on first use */
    pw_u128 *terms;
    int64_t *indptr; /* the table's cells, columns of a row in any order */
    int64_t *cols;
    int64_t *counts;
    int64_t *row_numbers;
    int64_t *col_numbers;
    int64_t used;
    uint64_t squares;
    pw_u128 xlogx;
} pw_work;

static int64_t n_clusters(const pw_many *many, int64_t which) {
    return many->starts[which + 1] - many->starts[which];
}

static pw_labels codes_of(const pw_many *many, int64_t which) {
    pw_labels found = many->codes;
    found.data = (const char *)found.data + which * found.n * found.itemsize;
    return found;
}

/* ---- cells ------------------------------------------------------------------------------- */

static inline pw_u128 term_of(const pw_work *work, uint32_t count) {
    return count < KNOWN_TERMS ? work->terms[count] : pw_xlogx(count, work->fraction_bits);
}

static inline void take_cell(pw_work *work, int64_t col, uint32_t count) {
    if (work->keep) {
        work->cols[work->used] = col;
        work->counts[work->used] = count;
    }
    work->used++;
    work->squares += (uint64_t)count * count;
    if (work->wanted & PW_MANY_XLOGX) work->xlogx += term_of(work, count);
}

/* Takes the cells of counters that lie side by side, and clears those. */
static void take_counters(pw_work *work, uint32_t *counters, int64_t n) {
    int64_t cells = 0;
    uint64_t squares = 0;
    for (int64_t j = 0; j < n; j++) {
        cells += counters[j] != 0;
        squares += (uint64_t)counters[j] * counters[j];
    }
    if (work->keep) {
        int64_t used = work->used; /* there is room for one more: it is written first */
        for (int64_t j = 0; j < n; j++) {
            work->cols[used] = j;
            work->counts[used] = counters[j];
            used += counters[j] != 0;
        }
    }
    if (work->wanted & PW_MANY_XLOGX) {
        pw_u128 sum = 0;
        for (int64_t j = 0; j < n; j++) sum += term_of(work, counters[j]);
        work->xlogx += sum;
    }
    work->used += cells;
    work->squares += squares;
    memset(counters, 0, (size_t)n * sizeof *counters);
}

/* A counter for every pair of clusters. */
static void count_pairs(pw_work *work, const pw_labels *a, const pw_labels *b, int64_t width) {
    uint32_t *counters = work->counters;
    const uint32_t step = (uint32_t)width;
    PW_BY_SIZE(a, const T *rows = a->data; const T *cols = b->data;
               for (int64_t i = 0; i < a->n; i++) counters[rows[i] * step + cols[i]]++;)
    if (!work->keep) {
        take_counters(work, counters, work->n_rows * width);
        return;
    }
    for (int64_t r = 0; r < work->n_rows; r++) {
        take_counters(work, counters + r * width, width);
        work->indptr[r + 1] = work->used;
    }
}

/* The items of row after row: counters for the columns only. */
static void count_rows(pw_work *work, const pw_labels *b, int64_t width) {
    uint32_t *counters = work->counters;
    const uint32_t *item = work->order;
    for (int64_t r = 0; r < work->n_rows; r++) {
        const int64_t size = work->row_sizes[r];
        PW_BY_SIZE(b, const T *cols = b->data;
                   for (int64_t t = 0; t < size; t++) counters[cols[item[t]]]++;)
        if (width <= size * PW_MANY_SCAN_PER_ITEM) {
            take_counters(work, counters, width);
        } else {
            PW_BY_SIZE(
                b, const T *cols = b->data; for (int64_t t = 0; t < size; t++) {
                    const int64_t col = cols[item[t]];
                    if (counters[col] != 0) take_cell(work, col, counters[col]);
                    counters[col] = 0;
                })
        }
        if (work->keep) work->indptr[r + 1] = work->used;
        item += size;
    }
}

/* ---- sums of kept cells ------------------------------------------------------------------- */

static void put_wide(uint64_t *words, pw_u128 value) {
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)(value >> 64);
}

static uint64_t total(const int64_t *values, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += values[i];
    return (uint64_t)sum;
}

static uint64_t count_matches(const pw_work *work, const int64_t *col_sizes) {
    uint64_t matches = 0;
    for (int64_t r = 0; r < work->n_rows; r++) {
        const int64_t c = work->indptr[r];
        if (work->indptr[r + 1] - c != 1) continue;
        matches += work->row_sizes[r] == col_sizes[work->cols[c]];
    }
    return matches;
}

static int sum_kept(pw_work *work, const int64_t *col_sizes, int64_t n_cols, uint64_t *words) {
    const int64_t *indptr = work->indptr;
    const int64_t *cols = work->cols;
    const int64_t *counts = work->counts;
    int64_t *by_row = work->row_numbers;
    int64_t *by_col = work->col_numbers;
    if (work->wanted & PW_MANY_MAXIMA) {
        pw_maxima(indptr, cols, counts, work->n_rows, n_cols, by_row, by_col, NULL);
        words[PW_MANY_ROW_MAXIMA_AT] = total(by_row, work->n_rows);
        words[PW_MANY_COL_MAXIMA_AT] = total(by_col, n_cols);
    }
    if (work->wanted & PW_MANY_MATCHES) {
        words[PW_MANY_MATCHES_AT] = count_matches(work, col_sizes);
    }
    if (work->wanted & PW_MANY_B_CUBED) {
        pw_u128 rows_sum;
        pw_u128 cols_sum;
        const int status = pw_b_cubed_sums(indptr, cols, counts, work->row_sizes, col_sizes,
                                           work->n_rows, n_cols, &rows_sum, &cols_sum, NULL);
        if (status != PW_OK) return status;
        put_wide(words + PW_MANY_BY_ROW_AT, rows_sum);
        put_wide(words + PW_MANY_BY_COL_AT, cols_sum);
    }
    if (work->wanted & PW_MANY_SPLIT_MERGE) {
        const pw_terms known = {work->terms, KNOWN_TERMS, work->fraction_bits};
        const int status =
            pw_split_scores_by(&known, indptr, cols, counts, work->row_sizes, col_sizes,
                               work->n_rows, n_cols, by_row, by_col, NULL);
        if (status != PW_OK) return status;
        pw_sum_products(indptr, cols, counts, by_row, by_col, work->n_rows,
                        words + PW_MANY_PRODUCTS_AT);
        put_wide(words + PW_MANY_ROW_SCORES_AT,
                 pw_sum_weighted(work->row_sizes, by_row, work->n_rows));
        put_wide(words + PW_MANY_COL_SCORES_AT, pw_sum_weighted(col_sizes, by_col, n_cols));
    }
    return PW_OK;
}

/* ---- all candidates ------------------------------------------------------------------------ */

static int order_items(pw_work *work) {
    const pw_labels a = codes_of(work->many, work->reference);
    work->order = malloc((size_t)(a.n + 1) * sizeof *work->order);
    int64_t *next = malloc((size_t)(work->n_rows + 1) * sizeof *next);
    if (work->order == NULL || next == NULL) {
        free(next);
        return PW_NO_MEMORY;
    }
    int64_t start = 0;
    for (int64_t r = 0; r < work->n_rows; r++) {
        next[r] = start;
        start += work->row_sizes[r];
    }
    PW_BY_SIZE(&a, const T *rows = a.data;
               for (int64_t i = 0; i < a.n; i++) work->order[next[rows[i]]++] = (uint32_t)i;)
    free(next);
    return PW_OK;
}

static int sum_one(pw_work *work, int64_t candidate, uint64_t *words) {
    const pw_many *many = work->many;
    const pw_labels a = codes_of(many, work->reference);
    const pw_labels b = codes_of(many, candidate);
    const int64_t width = n_clusters(many, candidate);
    const int64_t n_pairs = work->n_rows * width;
    work->used = 0;
    work->squares = 0;
    work->xlogx = 0;
    memset(words, 0, PW_MANY_WORDS * sizeof *words);
    if (n_pairs <= PW_MANY_DENSE_PAIRS && n_pairs <= PW_MANY_DENSE_PER_ITEM * a.n) {
        count_pairs(work, &a, &b, width);
    } else {
        if (work->order == NULL) {
            const int status = order_items(work);
            if (status != PW_OK) return status;
        }
        count_rows(work, &b, width);
    }
    words[PW_MANY_CELLS_AT] = (uint64_t)work->used;
    words[PW_MANY_SQUARES_AT] = work->squares;
    put_wide(words + PW_MANY_XLOGX_AT, work->xlogx);
    if (!work->keep) return PW_OK;
    return sum_kept(work, many->sizes + many->starts[candidate], width, words);
}

static int start(pw_work *work) {
    const int64_t n = work->many->codes.n;
    int64_t n_counters = PW_MANY_DENSE_PAIRS;
    if (n_counters > work->n_rows * work->most_cols) n_counters = work->n_rows * work->most_cols;
    if (n_counters < work->most_cols) n_counters = work->most_cols;
    work->counters = calloc((size_t)n_counters + 1, sizeof *work->counters);
    if (work->counters == NULL) return PW_NO_MEMORY;
    if (work->wanted & OF_TERMS) {
        work->terms = malloc(KNOWN_TERMS * sizeof *work->terms);
        if (work->terms == NULL) return PW_NO_MEMORY;
        for (int64_t x = 0; x < KNOWN_TERMS; x++)
            work->terms[x] = x <= n ? pw_xlogx((uint64_t)x, work->fraction_bits) : 0;
    }
    if (!work->keep) return PW_OK;
    work->indptr = calloc((size_t)work->n_rows + 1, sizeof *work->indptr);
    work->cols = malloc((size_t)(n + 1) * sizeof *work->cols);
    work->counts = malloc((size_t)(n + 1) * sizeof *work->counts);
    work->row_numbers = malloc((size_t)(work->n_rows + 1) * sizeof *work->row_numbers);
    work->col_numbers = malloc((size_t)(work->most_cols + 1) * sizeof *work->col_numbers);
    const int whole =
        work->indptr && work->cols && work->counts && work->row_numbers && work->col_numbers;
    return whole ? PW_OK : PW_NO_MEMORY;
}

int pw_many_sums(const pw_many *many, int64_t reference, const int64_t *candidates,
                 int64_t n_candidates, int wanted, int fraction_bits, uint64_t *words,
                 const pw_poll *poll) {
    pw_work work;
    memset(&work, 0, sizeof work);
    work.many = many;
    work.reference = reference;
    work.n_rows = n_clusters(many, reference);
    work.row_sizes = many->sizes + many->starts[reference];
    work.wanted = wanted;
    work.keep = (wanted & OF_KEPT_CELLS) != 0;
    work.fraction_bits = fraction_bits;
    for (int64_t c = 0; c < n_candidates; c++) {
        const int64_t width = n_clusters(many, candidates[c]);
        if (width > work.most_cols) work.most_cols = width;
    }
    int status = start(&work);
    int64_t unasked = 0;
    for (int64_t c = 0; status == PW_OK && c < n_candidates; c++) {
        status = sum_one(&work, candidates[c], words + c * PW_MANY_WORDS);
        unasked += many->codes.n;
        if (status == PW_OK && unasked >= PW_POLL_ITEMS) {
            unasked = 0;
            if (pw_stop(poll)) status = PW_STOPPED;
        }
    }
    free(work.counters);
    free(work.order);
    free(work.terms);
    free(work.indptr);
    free(work.cols);
    free(work.counts);
    free(work.row_numbers);
    free(work.col_numbers);
    return status;
}
