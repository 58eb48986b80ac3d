#include "pw_meet.h"

#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_radix.h"
#include "pw_tuning.h"
#include "pw_wide.h"

/* What the paths over small label ranges share. */
typedef struct {
    const pw_labels *a;
    const pw_labels *b;
    int64_t n;
    uint64_t a_low;
    uint64_t b_low;
    int64_t a_range; /* labels lie in [low, low + range) */
    int64_t b_range;
    int col_bits; /* key = row << col_bits | col */
    int key_bits;
    int part_bits;
} pw_plan;

/* A table under construction; columns are still offsets from b_low. */
typedef struct {
    pw_cells cells;
    int64_t n_rows;
    int64_t last_row; /* offset of the row being filled, -1 before the first */
    uint64_t *row_values;
    int64_t *indptr;
    uint8_t *col_seen; /* b_range flags */
} pw_builder;

static void builder_free(pw_builder *out) {
    pw_cells_free(&out->cells);
    free(out->row_values);
    free(out->indptr);
    free(out->col_seen);
}

static int builder_start(pw_builder *out, const pw_plan *plan) {
    memset(out, 0, sizeof *out);
    const int64_t rows = pw_min64(plan->a_range, plan->n);
    out->last_row = -1;
    out->row_values = malloc((size_t)rows * sizeof *out->row_values);
    out->indptr = malloc((size_t)(rows + 1) * sizeof *out->indptr);
    out->col_seen = calloc((size_t)plan->b_range, 1);
    int status = pw_cells_start(&out->cells, plan->n / 4 + 64, plan->n);
    if (out->row_values == NULL || out->indptr == NULL || out->col_seen == NULL) {
        status = PW_NO_MEMORY;
    }
    return status;
}

static inline void add_cell(const pw_plan *plan, pw_builder *out, uint64_t key, int64_t count) {
    const int64_t row = (int64_t)(key >> plan->col_bits);
    const int64_t col = (int64_t)(key & (((uint64_t)1 << plan->col_bits) - 1));
    if (row != out->last_row) {
        out->last_row = row;
        out->row_values[out->n_rows] = plan->a_low + (uint64_t)row;
        out->indptr[out->n_rows++] = out->cells.used;
    }
    out->col_seen[col] = 1;
    out->cells.cols[out->cells.used] = col;
    out->cells.counts[out->cells.used++] = count;
}

/* Number the columns that occur, hand the arrays over to the table. */
static int builder_finish(pw_builder *out, const pw_plan *plan, pw_table *table) {
    int64_t n_cols = 0;
    for (int64_t j = 0; j < plan->b_range; j++) n_cols += out->col_seen[j];
    uint64_t *col_values = malloc((size_t)n_cols * sizeof *col_values);
    if (col_values == NULL) return PW_NO_MEMORY;
    int64_t *number = NULL;
    if (n_cols < plan->b_range) {
        number = malloc((size_t)plan->b_range * sizeof *number);
        if (number == NULL) {
            free(col_values);
            return PW_NO_MEMORY;
        }
    }
    int64_t next = 0;
    for (int64_t j = 0; j < plan->b_range; j++) {
        if (!out->col_seen[j]) continue;
        col_values[next] = plan->b_low + (uint64_t)j;
        if (number != NULL) number[j] = next;
        next++;
    }
    if (number != NULL) {
        for (int64_t c = 0; c < out->cells.used; c++)
            out->cells.cols[c] = number[out->cells.cols[c]];
        free(number);
    }
    out->indptr[out->n_rows] = out->cells.used;
    table->n_rows = out->n_rows;
    table->n_cols = n_cols;
    table->n_cells = out->cells.used;
    table->row_values = (uint64_t *)pw_shrink((int64_t *)out->row_values, out->n_rows);
    table->col_values = col_values;
    table->indptr = pw_shrink(out->indptr, out->n_rows + 1);
    table->cols = pw_shrink(out->cells.cols, out->cells.used);
    table->counts = pw_shrink(out->cells.counts, out->cells.used);
    free(out->col_seen);
    memset(out, 0, sizeof *out);
    return PW_OK;
}

/* ---- dense ------------------------------------------------------------------------------- */

/* Items counted before 32-bit counters are read out: they cannot wrap. */
#define DENSE_SPAN ((int64_t)1 << 31)

static void dense_count(const pw_plan *plan, int64_t from, int64_t to, uint32_t *pairs) {
    uint32_t rows[PW_BLOCK];
    uint32_t cols[PW_BLOCK];
    const uint32_t width = (uint32_t)plan->b_range;
    for (int64_t i = from; i < to; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, to - i);
        pw_load_u32(plan->a, i, count, plan->a_low, rows);
        pw_load_u32(plan->b, i, count, plan->b_low, cols);
        for (int64_t j = 0; j < count; j++) pairs[rows[j] * width + cols[j]]++;
    }
}

static int dense(const pw_plan *plan, pw_builder *out, const pw_poll *poll) {
    const int64_t n_pairs = plan->a_range * plan->b_range;
    uint32_t *pairs = calloc((size_t)n_pairs, sizeof *pairs);
    int64_t *totals = NULL; /* only where 32 bits could wrap */
    int status = pairs == NULL ? PW_NO_MEMORY : PW_OK;
    if (plan->n > DENSE_SPAN) {
        totals = calloc((size_t)n_pairs, sizeof *totals);
        if (totals == NULL) status = PW_NO_MEMORY;
    }
    for (int64_t span = 0; span < plan->n && status == PW_OK; span += DENSE_SPAN) {
        const int64_t end = pw_min64(span + DENSE_SPAN, plan->n);
        for (int64_t i = span; i < end && status == PW_OK; i += PW_POLL_ITEMS) {
            dense_count(plan, i, pw_min64(i + PW_POLL_ITEMS, end), pairs);
            if (pw_stop(poll)) status = PW_STOPPED;
        }
        if (totals != NULL && status == PW_OK) {
            for (int64_t k = 0; k < n_pairs; k++) totals[k] += pairs[k];
            memset(pairs, 0, (size_t)n_pairs * sizeof *pairs);
        }
    }
    int64_t n_cells = 0;
    if (status == PW_OK) {
        if (totals != NULL) {
            for (int64_t k = 0; k < n_pairs; k++) n_cells += totals[k] != 0;
        } else {
            for (int64_t k = 0; k < n_pairs; k++) n_cells += pairs[k] != 0;
        }
        /* one to spare: the loop below writes before it knows */
        out->cells.most = n_cells + 1;
        status = pw_cells_grow(&out->cells, n_cells + 1);
    }
    for (int64_t r = 0; r < plan->a_range && status == PW_OK; r++) {
        const int64_t before = out->cells.used;
        int64_t used = before;
        int64_t *cols = out->cells.cols;
        int64_t *counts = out->cells.counts;
        for (int64_t j = 0; j < plan->b_range; j++) {
            const int64_t k = r * plan->b_range + j;
            const int64_t count = totals != NULL ? totals[k] : (int64_t)pairs[k];
            cols[used] = j;
            counts[used] = count;
            used += count != 0;
            out->col_seen[j] |= count != 0;
        }
        if (used > before) {
            out->row_values[out->n_rows] = plan->a_low + (uint64_t)r;
            out->indptr[out->n_rows++] = before;
            out->cells.used = used;
        }
    }
    free(pairs);
    free(totals);
    return status;
}

/* ---- partition --------------------------------------------------------------------------- */

#define KEY uint32_t
#define NAME(x) x##_u32
#define SORT pw_sort_u32
#include "pw_partition_impl.h"
#undef KEY
#undef NAME
#undef SORT
#define KEY uint64_t
#define NAME(x) x##_u64
#define SORT pw_sort_u64
#include "pw_partition_impl.h"
#undef KEY
#undef NAME
#undef SORT

/* start[p] = number of items whose key begins with less than p. */
static int part_starts(const pw_plan *plan, int64_t *start, const pw_poll *poll) {
    const int64_t parts = (int64_t)1 << plan->part_bits;
    memset(start, 0, (size_t)(parts + 1) * sizeof *start);
    const int row_bits = plan->key_bits - plan->col_bits;
    uint64_t rows[PW_BLOCK];
    uint64_t cols[PW_BLOCK];
    if (plan->part_bits == 0) {
        start[1] = plan->n;
        return PW_OK;
    }
    for (int64_t i = 0; i < plan->n; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, plan->n - i);
        pw_load_u64(plan->a, i, count, plan->a_low, rows);
        if (row_bits >= plan->part_bits) {
            const int shift = row_bits - plan->part_bits;
            for (int64_t j = 0; j < count; j++) start[(rows[j] >> shift) + 1]++;
        } else {
            const int shift = plan->key_bits - plan->part_bits;
            pw_load_u64(plan->b, i, count, plan->b_low, cols);
            for (int64_t j = 0; j < count; j++) {
                start[((rows[j] << plan->col_bits | cols[j]) >> shift) + 1]++;
            }
        }
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    for (int64_t p = 0; p < parts; p++) start[p + 1] += start[p];
    return PW_OK;
}

static int partition(pw_plan *plan, pw_builder *out, const pw_poll *poll) {
    int part_bits = pw_bits((uint64_t)plan->n) - PW_PART_ITEM_BITS;
    if (part_bits < 0) part_bits = 0;
    if (part_bits > PW_PART_BITS_MOST) part_bits = PW_PART_BITS_MOST;
    if (part_bits > plan->key_bits) part_bits = plan->key_bits;
    plan->part_bits = part_bits;
    int64_t start[((size_t)1 << PW_PART_BITS_MOST) + 1];
    int status = part_starts(plan, start, poll);
    if (status != PW_OK) return status;
    if (plan->key_bits - part_bits <= 32) return partitioned_u32(plan, start, out, poll);
    return partitioned_u64(plan, start, out, poll);
}

/* ------------------------------------------------------------------------------------------ */

static int empty_table(pw_table *table) {
    table->row_values = malloc(sizeof *table->row_values);
    table->col_values = malloc(sizeof *table->col_values);
    table->indptr = calloc(1, sizeof *table->indptr);
    table->cols = malloc(sizeof *table->cols);
    table->counts = malloc(sizeof *table->counts);
    if (table->row_values && table->col_values && table->indptr && table->cols && table->counts) {
        return PW_OK;
    }
    pw_table_free(table);
    return PW_NO_MEMORY;
}

int pw_meet(const pw_labels *a, const pw_labels *b, pw_table *table, const pw_poll *poll) {
    memset(table, 0, sizeof *table);
    if (a->n == 0) return empty_table(table);
    pw_plan plan = {.a = a, .b = b, .n = a->n};
    uint64_t a_high;
    uint64_t b_high;
    pw_range(a, &plan.a_low, &a_high);
    pw_range(b, &plan.b_low, &b_high);
    const uint64_t a_span = a_high - plan.a_low; /* range - 1: a full 64-bit range still fits */
    const uint64_t b_span = b_high - plan.b_low;
    uint64_t compact = (uint64_t)plan.n * PW_COMPACT_PER_ITEM;
    if (compact < PW_COMPACT_FLOOR) compact = PW_COMPACT_FLOOR;
    plan.col_bits = pw_bits(b_span);
    plan.key_bits = plan.col_bits + pw_bits(a_span);
    if (a_span >= compact || b_span >= compact || plan.key_bits > 63) {
        return pw_meet_wide(a, b, table, poll);
    }
    plan.a_range = (int64_t)a_span + 1;
    plan.b_range = (int64_t)b_span + 1;
    pw_builder out;
    int status = builder_start(&out, &plan);
    if (status == PW_OK) {
        const pw_u128 n_pairs = (pw_u128)plan.a_range * (pw_u128)plan.b_range;
        const pw_u128 most = (pw_u128)plan.n * PW_DENSE_PER_ITEM + PW_DENSE_SLACK;
        if (n_pairs <= PW_DENSE_PAIRS && n_pairs <= most) {
            status = dense(&plan, &out, poll);
        } else {
            status = partition(&plan, &out, poll);
        }
    }
    if (status == PW_OK) status = builder_finish(&out, &plan, table);
    if (status != PW_OK) builder_free(&out);
    return status;
}
