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
    const pw_poll *poll;
    int64_t unasked;    /* items since the last poll */
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

/* Returns whether to stop, now that so many more items have been looked at. */
static inline int stop_after(pw_work *work, int64_t items) {
    work->unasked += items;
    if (work->unasked < PW_POLL_SCATTERED) return 0;
    work->unasked = 0;
    return pw_stop(work->poll);
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
static int count_pairs(pw_work *work, const pw_labels *a, const pw_labels *b, int64_t width) {
    uint32_t *counters = work->counters;
    const uint32_t step = (uint32_t)width;
    for (int64_t from = 0; from < a->n; from += PW_POLL_SCATTERED) {
        const int64_t to = pw_min64(a->n, from + PW_POLL_SCATTERED);
        PW_BY_SIZE(a, const T *rows = a->data; const T *cols = b->data;
                   for (int64_t i = from; i < to; i++) counters[rows[i] * step + cols[i]]++;)
        if (stop_after(work, to - from)) return PW_STOPPED;
    }
    if (!work->keep) {
        take_counters(work, counters, work->n_rows * width);
        return PW_OK;
    }
    for (int64_t r = 0; r < work->n_rows; r++) {
        take_counters(work, counters + r * width, width);
        work->indptr[r + 1] = work->used;
    }
    return PW_OK;
}

/* Counts the columns of some items. */
static inline void count_items(uint32_t *counters, const uint32_t *item, int64_t n,
                               const pw_labels *b) {
    PW_BY_SIZE(b, const T *cols = b->data;
               for (int64_t t = 0; t < n; t++) counters[cols[item[t]]]++;)
}

/* Takes the cells of some items, and clears their counters. */
static inline void take_items(pw_work *work, const uint32_t *item, int64_t n, const pw_labels *b) {
    uint32_t *counters = work->counters;
    PW_BY_SIZE(
        b, const T *cols = b->data; for (int64_t t = 0; t < n; t++) {
            const int64_t col = cols[item[t]];
            if (counters[col] != 0) take_cell(work, col, counters[col]);
            counters[col] = 0;
        })
}

/* A row of more items than are looked at between two polls. */
static int count_giant_row(pw_work *work, const uint32_t *item, int64_t size, const pw_labels *b,
                           int64_t width) {
    for (int64_t t = 0; t < size; t += PW_POLL_SCATTERED) {
        count_items(work->counters, item + t, pw_min64(size - t, PW_POLL_SCATTERED), b);
        if (pw_stop(work->poll)) return PW_STOPPED;
    }
    if (width <= size * PW_MANY_SCAN_PER_ITEM) {
        take_counters(work, work->counters, width);
        return PW_OK;
    }
    for (int64_t t = 0; t < size; t += PW_POLL_SCATTERED) {
        take_items(work, item + t, pw_min64(size - t, PW_POLL_SCATTERED), b);
        if (pw_stop(work->poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* The items of row after row: counters for the columns only. */
static int count_rows(pw_work *work, const pw_labels *b, int64_t width) {
    uint32_t *counters = work->counters;
    const uint32_t *item = work->order;
    int64_t unasked = 0;
    for (int64_t r = 0; r < work->n_rows; r++) {
        const int64_t size = work->row_sizes[r];
        if (size > PW_POLL_SCATTERED) {
            const int status = count_giant_row(work, item, size, b, width);
            if (status != PW_OK) return status;
        } else {
            count_items(counters, item, size, b);
            if (width <= size * PW_MANY_SCAN_PER_ITEM) {
                take_counters(work, counters, width);
            } else {
                take_items(work, item, size, b);
            }
        }
        if (work->keep) work->indptr[r + 1] = work->used;
        item += size;
        unasked += size;
        if (unasked >= PW_POLL_SCATTERED) {
            unasked = 0;
            if (pw_stop(work->poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
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

static int count_matches(pw_work *work, const int64_t *col_sizes, uint64_t *matches) {
    *matches = 0;
    for (int64_t r = 0; r < work->n_rows; r++) {
        const int64_t c = work->indptr[r];
        if (work->indptr[r + 1] - c == 1) {
            *matches += work->row_sizes[r] == col_sizes[work->cols[c]];
        }
        if (stop_after(work, 1)) return PW_STOPPED;
    }
    return PW_OK;
}

/* pw_sum_products of blocks of rows, added up. */
static int sum_products(pw_work *work, uint64_t sum[3]) {
    for (int64_t r = 0; r < work->n_rows;) {
        const int64_t end = pw_rows_to_poll(work->indptr, r, work->n_rows);
        uint64_t part[3];
        pw_sum_products(work->indptr + r, work->cols, work->counts, work->row_numbers + r,
                        work->col_numbers, end - r, part);
        pw_u128 digit = 0;
        for (int i = 0; i < 3; i++) {
            digit = (digit >> 64) + sum[i] + part[i];
            sum[i] = (uint64_t)digit;
        }
        if (stop_after(work, work->indptr[end] - work->indptr[r])) return PW_STOPPED;
        r = end;
    }
    return PW_OK;
}

static int sum_kept(pw_work *work, const int64_t *col_sizes, int64_t n_cols, uint64_t *words) {
    const int64_t *indptr = work->indptr;
    const int64_t *cols = work->cols;
    const int64_t *counts = work->counts;
    int64_t *by_row = work->row_numbers;
    int64_t *by_col = work->col_numbers;
    int status = PW_OK;
    if (work->wanted & PW_MANY_MAXIMA) {
        status = pw_maxima(indptr, cols, counts, work->n_rows, n_cols, by_row, by_col, work->poll);
        if (status != PW_OK) return status;
        words[PW_MANY_ROW_MAXIMA_AT] = total(by_row, work->n_rows);
        words[PW_MANY_COL_MAXIMA_AT] = total(by_col, n_cols);
    }
    if (work->wanted & PW_MANY_MATCHES) {
        status = count_matches(work, col_sizes, words + PW_MANY_MATCHES_AT);
        if (status != PW_OK) return status;
    }
    if (work->wanted & PW_MANY_B_CUBED) {
        pw_u128 rows_sum;
        pw_u128 cols_sum;
        status = pw_b_cubed_sums(indptr, cols, counts, work->row_sizes, col_sizes, work->n_rows,
                                 n_cols, &rows_sum, &cols_sum, work->poll);
        if (status != PW_OK) return status;
        put_wide(words + PW_MANY_BY_ROW_AT, rows_sum);
        put_wide(words + PW_MANY_BY_COL_AT, cols_sum);
    }
    if (work->wanted & PW_MANY_SPLIT_MERGE) {
        const pw_terms known = {work->terms, KNOWN_TERMS, work->fraction_bits};
        status = pw_split_scores_by(&known, indptr, cols, counts, work->row_sizes, col_sizes,
                                    work->n_rows, n_cols, by_row, by_col, work->poll);
        if (status != PW_OK) return status;
        status = sum_products(work, words + PW_MANY_PRODUCTS_AT);
        if (status != PW_OK) return status;
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
    int stop = 0;
    for (int64_t from = 0; !stop && from < a.n; from += PW_POLL_SCATTERED) {
        const int64_t to = pw_min64(a.n, from + PW_POLL_SCATTERED);
        PW_BY_SIZE(&a, const T *rows = a.data;
                   for (int64_t i = from; i < to; i++) work->order[next[rows[i]]++] = (uint32_t)i;)
        stop = stop_after(work, to - from);
    }
    free(next);
    return stop ? PW_STOPPED : PW_OK;
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
    int status = PW_OK;
    if (n_pairs <= PW_MANY_DENSE_PAIRS && n_pairs <= PW_MANY_DENSE_PER_ITEM * a.n) {
        status = count_pairs(work, &a, &b, width);
    } else {
        if (work->order == NULL) status = order_items(work);
        if (status == PW_OK) status = count_rows(work, &b, width);
    }
    if (status != PW_OK) return status;
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
    work.poll = poll;
    for (int64_t c = 0; c < n_candidates; c++) {
        const int64_t width = n_clusters(many, candidates[c]);
        if (width > work.most_cols) work.most_cols = width;
    }
    int status = start(&work);
    for (int64_t c = 0; status == PW_OK && c < n_candidates; c++) {
        status = sum_one(&work, candidates[c], words + c * PW_MANY_WORDS);
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
