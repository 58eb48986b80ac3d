/* What callers pass in, and tables that change. */
#include "cases.h"
#include "pw_items.h"
#include "pw_live.h"
#include "pw_masses.h"
#include "pw_ratios.h"
#include "pw_recode.h"

enum { ITEMS = 100000, DIGITS = 7, ENTRY_BITS = 17 };

static void for_labels(problem *p) {
    uint64_t state = 31;
    p->in[0] = ints(ITEMS);
    p->in[1] = ints(ITEMS);
    uint8_t *dropped = room(ITEMS);
    p->reals[0] = room(8 * ITEMS);
    for (int64_t i = 0; i < ITEMS; i++) {
        p->in[0][i] = below(&state, 1000);
        p->in[1][i] = below(&state, 1000);
        p->reals[0][i] = (double)p->in[0][i];
        dropped[i] = below(&state, 10) == 0;
    }
    p->a = labels(p->in[0], ITEMS);
    p->b = labels(p->in[1], ITEMS);
    p->wide[0] = (uint64_t *)dropped;
    p->out[0] = ints(ITEMS);
}

static int dense_windows(problem *p) {
    pw_source source = {&p->a, &p->b, {0, 0}, {0, 0}};
    return !pw_dense_windows(&source, vector_asked(), 1 << 21, 0);
}

static int double_range(problem *p) {
    double least, largest;
    return pw_double_range(p->reals[0], ITEMS, &least, &largest) != 0;
}

static int keep(problem *p) {
    p->n = pw_keep(&p->a, (const uint8_t *)p->wide[0], p->out[0]);
    return PW_OK;
}

static void for_digits(problem *p) {
    uint64_t state = 32;
    char *text = room(ITEMS * DIGITS);
    p->in[0] = ints(ITEMS + 1);
    for (int64_t i = 0; i < ITEMS; i++) {
        for (int64_t d = 0; d < DIGITS; d++) text[i * DIGITS + d] = (char)('1' + below(&state, 9));
        p->in[0][i + 1] = (i + 1) * DIGITS;
    }
    p->wide[0] = (uint64_t *)text;
    p->out[0] = ints(ITEMS);
}

static int whole_items(problem *p) {
    const pw_items items = {
        .data = (const void *)p->wide[0], .offsets = p->in[0], .offset_size = 8, .n = ITEMS};
    return !pw_whole_items(&items, p->out[0]);
}

static void for_live_find(problem *p) {
    uint64_t state = 33;
    pw_entry *entries = room((int64_t)sizeof(pw_entry) << ENTRY_BITS);
    for (int64_t i = 0; i < (int64_t)1 << ENTRY_BITS; i++) entries[i].value = -1;
    p->wide[0] = (uint64_t *)entries;
    p->in[0] = ints(ITEMS);
    for (int64_t i = 0; i < ITEMS; i++) p->in[0][i] = below(&state, ITEMS / 2);
    p->out[0] = ints(ITEMS);
}

static int live_find(problem *p) {
    p->n = pw_live_find((pw_entry *)p->wide[0], ENTRY_BITS, 5, p->in[0], ITEMS, 0, 1, p->out[0]);
    return PW_OK;
}

static void for_live_shift(problem *p) {
    for_live_find(p);
    p->in[1] = filled(ITEMS, 1);
    for (int k = 1; k < 4; k++) p->out[k] = ints(ITEMS);
}

static int live_shift(problem *p) {
    p->n = pw_live_shift(p->out[1], 1, p->in[0], p->in[1], ITEMS, p->out[2], p->out[3]);
    return PW_OK;
}

static void for_similar_cells(problem *p) {
    for_labels(p);
    must(pw_meet(&p->a, &p->b, &p->scratch, vector_asked(), &p->table, NULL));
    p->n = p->table.indptr[p->table.n_rows];
    p->out[1] = ints(p->n);
    for (int64_t c = 0; c < p->n; c++) p->out[1][c] = c;
    p->out[2] = ints(p->n);
}

static pw_sized_table sized(const problem *p) {
    const pw_table *t = &p->table;
    return (pw_sized_table){t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows};
}

static int sum_similarities(problem *p) {
    const pw_sized_table table = sized(p);
    pw_sum_similarities(&table, p->out[1], p->n, PW_JACCARD, 0, p->words);
    return PW_OK;
}

static int similarity_gains(problem *p) {
    const pw_sized_table table = sized(p);
    return pw_similarity_gains(&table, PW_JACCARD, 0, 60, p->out[2], NULL);
}

const kernel_case border_cases[] = {
    {"dense_windows", for_labels, dense_windows},
    {"double_range", for_labels, double_range},
    {"keep", for_labels, keep},
    {"whole_items", for_digits, whole_items},
    {"live_find", for_live_find, live_find},
    {"live_shift", for_live_shift, live_shift},
    {"sum_similarities", for_similar_cells, sum_similarities},
    {"similarity_gains", for_similar_cells, similarity_gains},
    {NULL, NULL, NULL},
};
