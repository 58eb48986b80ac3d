/* Tables: their form, and sums over their cells. */
#include <string.h>

#include "cases.h"
#include "pw_join.h"
#include "pw_masses.h"
#include "pw_merge.h"
#include "pw_ratios.h"
#include "pw_recode.h"
#include "pw_small_sums.h"
#include "pw_sums.h"
#include "pw_union.h"

static void for_tables(problem *p) {
    with_table(p, 200000, 20000, 5);
}

static void for_collapse(problem *p) {
    noisy(p, 100000, 10000, 10);
    p->in[2] = filled(p->n, 1);
    p->out[0] = ints(10001);
}

static int collapse(problem *p) {
    int64_t *cols = NULL;
    int64_t *counts = NULL;
    int64_t n_cells = 0;
    return pw_collapse(p->in[0], p->in[1], p->in[2], p->n, 10000, 10000, p->out[0], &cols, &counts,
                       &n_cells, NULL);
}

static void for_merge(problem *p) {
    with_table(p, 100000, 10000, 5);
    p->other = p->table;
    for (int64_t i = 0; i < p->n; i++) p->in[0][i] += 10000;
    must(meet(p));
}

static int merge(problem *p) {
    return pw_merge(&p->table, &p->other, 1, 1, NULL);
}

/* A table and another one with labels that lie between. */
static void for_union(problem *p) {
    with_table(p, 200000, 2000, 50);
    p->other = p->table;
    for (int64_t i = 0; i < p->n; i++) p->in[0][i] += i % 3 == 0;
    must(meet(p));
    const int64_t n_cells = p->table.n_cells + p->other.n_cells;
    const int64_t n_rows = p->table.n_rows + p->other.n_rows;
    const int64_t n_cols = p->table.n_cols + p->other.n_cols;
    for (int i = 0; i < 2; i++) p->out[i] = ints(n_cells);
    p->out[2] = ints(n_rows + 1);
    p->out[3] = ints(2 * (n_rows > n_cols ? n_rows : n_cols));
    memcpy(p->out[0], p->table.cols, (size_t)p->table.n_cells * 8);
    memcpy(p->out[1], p->table.counts, (size_t)p->table.n_cells * 8);
}

static int unite(problem *p) {
    const pw_table *x = &p->table;
    const pw_table *y = &p->other;
    int64_t *places = p->out[3];
    return pw_unite(x->row_values, x->n_rows, y->row_values, y->n_rows, 1, (uint64_t *)p->out[2],
                    places, places + x->n_rows) == 0;
}

static int union_of(problem *p) {
    const pw_table *x = &p->table;
    const pw_table *y = &p->other;
    const pw_placed own = {x->indptr, p->out[0], p->out[1], x->n_rows, NULL, NULL};
    const pw_placed other = {y->indptr, y->cols, y->counts, y->n_rows, NULL, NULL};
    const int64_t n_rows = x->n_rows > y->n_rows ? x->n_rows : y->n_rows;
    const int status = pw_union_rows(&own, &other, n_rows, p->out[2], NULL);
    if (status != PW_OK) return status;
    return pw_union_cells(&own, &other, n_rows, p->out[2], p->out[0], p->out[1], NULL);
}

static int transpose(problem *p) {
    const pw_table *t = &p->table;
    return pw_transpose(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, p->out[0], p->out[1],
                        p->out[2], NULL);
}

static int join(problem *p) {
    const pw_table *t = &p->table;
    int64_t n_components = 0;
    return pw_join(t->indptr, t->cols, t->n_rows, t->n_cols, p->out[0], p->out[1], &n_components,
                   NULL);
}

static int margins(problem *p) {
    const pw_table *t = &p->table;
    return pw_margins(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, p->out[0], p->out[1],
                      NULL);
}

static int maxima(problem *p) {
    const pw_table *t = &p->table;
    return pw_maxima(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, p->out[0], p->out[1],
                     NULL);
}

/* out[0] and out[1]: row and column of every cell, cells in another order. */
static void for_locate(problem *p) {
    for_tables(p);
    const pw_table *t = &p->table;
    int64_t *order = ints(t->n_cells);
    uint64_t state = 9;
    for (int64_t c = 0; c < t->n_cells; c++) {
        const int64_t other = below(&state, c + 1);
        order[c] = order[other];
        order[other] = c;
    }
    for (int64_t r = 0; r < t->n_rows; r++)
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            p->out[0][order[c]] = r;
            p->out[1][order[c]] = t->cols[c];
        }
}

static int locate(problem *p) {
    const pw_table *t = &p->table;
    return pw_locate(t->indptr, t->cols, p->out[0], p->out[1], t->n_cells, p->out[2], NULL);
}

/* ---- sums over cells ------------------------------------------------------------------------ */

static int xlogx(problem *p) {
    return pw_sum_xlogx(p->table.counts, p->table.n_cells, 64) == 0;
}

static int squares(problem *p) {
    return pw_sum_squares(p->table.counts, p->table.n_cells) == 0;
}

static int split_scores(problem *p) {
    const pw_table *t = &p->table;
    return pw_split_scores(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                           t->n_cols, 64, p->out[0], p->out[1], NULL);
}

static int b_cubed(problem *p) {
    const pw_table *t = &p->table;
    pw_u128 by_row;
    pw_u128 by_col;
    return pw_b_cubed_sums(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                           t->n_cols, &by_row, &by_col, NULL);
}

static void for_divergence(problem *p) {
    with_table(p, 200000, 20000, 5);
    p->reals[0] = room(8 * p->table.n_cells);
}

static int divergence(problem *p) {
    const pw_table *t = &p->table;
    return pw_divergence_terms(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                               p->n, p->reals[0]) == 0;
}

static void for_scores(problem *p) {
    for_tables(p);
    must(split_scores(p));
}

static int sum_products(problem *p) {
    const pw_table *t = &p->table;
    pw_sum_products(t->indptr, t->cols, t->counts, p->out[0], p->out[1], t->n_rows, p->words);
    return PW_OK;
}

static int sum_weighted(problem *p) {
    return pw_sum_weighted(p->table.row_sizes, p->out[0], p->table.n_rows) == 0;
}

/* Every cell holds as much as independence wants, so that all of them are looked at. */
static void for_proportional(problem *p) {
    noisy(p, 250000, 500, 1);
    for (int64_t i = 0; i < p->n; i++) {
        p->in[0][i] = i % 500;
        p->in[1][i] = i / 500;
    }
    must(meet(p));
}

static int is_proportional(problem *p) {
    const pw_table *t = &p->table;
    return !pw_is_proportional(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                               p->n);
}

/* ---- ratios of cells ------------------------------------------------------------------------ */

/* wide[0] / wide[1]: Dice of the two clusters of each cell; out[2] its row. */
static void for_cell_ratios(problem *p) {
    for_tables(p);
    const pw_table *t = &p->table;
    for (int i = 0; i < 2; i++) p->wide[i] = room(8 * t->n_cells);
    for (int64_t r = 0; r < t->n_rows; r++)
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            p->wide[0][c] = 2 * (uint64_t)t->counts[c];
            p->wide[1][c] = (uint64_t)(t->row_sizes[r] + t->col_sizes[t->cols[c]]);
            p->out[2][c] = r;
        }
}

static int sum_ratios(problem *p) {
    const pw_table *t = &p->table;
    pw_sum_ratios(t->counts, p->wide[0], p->wide[1], t->n_cells, p->words);
    return PW_OK;
}

static int nearest_cells(problem *p) {
    const pw_table *t = &p->table;
    pw_nearest_cells(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                     PW_SORENSEN_DICE, p->out[0]);
    return PW_OK;
}

/* Two short columns, as often as makes a figure. */
static void for_small_sums(problem *p) {
    noisy(p, 200, 12, 10);
}

static int small_sums(problem *p) {
    pw_small_sums sums;
    for (int64_t n = 16; n <= 200; n++) {
        if (!pw_sum_small(p->in[0], p->in[1], n, (int)(n & 1), &sums)) return 1;
    }
    return PW_OK;
}

static int size_profile(problem *p) {
    int64_t clusters[3], items[3];
    pw_size_profile(p->table.row_sizes, p->table.n_rows, clusters, items);
    return clusters[2] < 0 || items[2] < 0;
}

/* Cells from the last to the first, three of them a rank. */
static void for_greedy(problem *p) {
    for_cell_ratios(p);
    for (int64_t i = 0; i < p->table.n_cells; i++) {
        p->out[0][i] = p->table.n_cells - 1 - i;
        p->out[1][i] = i / 3;
    }
}

static int greedy_pairs(problem *p) {
    const pw_table *t = &p->table;
    int64_t n_chosen = 0;
    int tied = 0;
    return pw_greedy_pairs(p->out[2], t->cols, p->out[0], p->out[1], t->n_cells, t->n_rows,
                           t->n_cols, p->out[3], &n_chosen, &tied, NULL);
}

/* 100 x 100 clusters of items with a weight that count up to three times. */
static void for_masses(problem *p) {
    uint64_t state = 3;
    noisy(p, 100000, 100, 10);
    p->in[2] = ints(p->n);
    p->reals[0] = room(8 * p->n);
    for (int64_t i = 0; i < p->n; i++) {
        p->in[2][i] = below(&state, 4);
        p->reals[0][i] = (double)below(&state, 1 << 20) / 1024.0;
    }
    for (int part = 1; part < 3; part++) p->reals[part] = room(8 * 4 * 10000);
    p->out[0] = filled(10000, 0);
    p->out[1] = filled(20000, 0);
    p->out[2] = filled(200, 0);
}

static int masses(problem *p) {
    const pw_source source = {&p->a, &p->b, {0, 99}, {0, 99}};
    const pw_counting counting = {p->in[2], p->reals[0], NULL, 1 << 12, 60};
    double *const high[4] = {p->reals[1], p->reals[1] + 10000, p->reals[1] + 20000,
                             p->reals[1] + 30000};
    double *const low[4] = {p->reals[2], p->reals[2] + 10000, p->reals[2] + 20000,
                            p->reals[2] + 30000};
    pw_i128 *sums = (pw_i128 *)p->out[1];
    int64_t zeros = 0;
    const int status =
        pw_dense_masses(&source, vector_asked(), &counting, p->out[0], sums, &zeros, NULL);
    if (status == PW_OK) {
        pw_mass_totals(sums, 100, 100, 60, (pw_i128 *)p->out[2], high, low);
    }
    return status;
}

/* A thousand codes, as labels of 64 bits and as doubles. */
static void for_codes(problem *p) {
    noisy(p, 100000, 1000, 1);
    p->reals[0] = room(8 * p->n);
    for (int64_t i = 0; i < p->n; i++) p->reals[0][i] = (double)p->in[0][i];
    p->out[0] = filled(1000, 1);
    p->out[1] = ints(p->n);
}

static int recode(problem *p) {
    return pw_recode(&p->a, (const int32_t *)p->out[0], 1000, (int32_t *)p->out[1]) != p->n;
}

static int first_places(problem *p) {
    int64_t wrong = 0;
    return pw_first_places(&p->a, 1000, p->out[1], &wrong, NULL) || wrong != p->n;
}

static int whole_numbers(problem *p) {
    return !pw_whole_numbers(p->reals[0], p->n, 0.0, (int32_t *)p->out[1]);
}

const kernel_case table_cases[] = {
    {"recode", for_codes, recode},
    {"first_places", for_codes, first_places},
    {"whole_numbers", for_codes, whole_numbers},
    {"dense_masses", for_masses, masses},
    {"collapse", for_collapse, collapse},
    {"merge", for_merge, merge},
    {"unite", for_union, unite},
    {"union", for_union, union_of},
    {"transpose", for_tables, transpose},
    {"margins", for_tables, margins},
    {"maxima", for_tables, maxima},
    {"locate", for_locate, locate},
    {"join", for_tables, join},
    {"sum_squares", for_tables, squares},
    {"sum_xlogx", for_tables, xlogx},
    {"split_scores", for_tables, split_scores},
    {"sum_products", for_scores, sum_products},
    {"sum_weighted", for_scores, sum_weighted},
    {"b_cubed_sums", for_tables, b_cubed},
    {"is_proportional", for_proportional, is_proportional},
    {"divergence_terms", for_divergence, divergence},
    {"sum_ratios", for_cell_ratios, sum_ratios},
    {"nearest_cells", for_tables, nearest_cells},
    {"small_sums", for_small_sums, small_sums},
    {"size_profile", for_tables, size_profile},
    {"greedy_pairs", for_greedy, greedy_pairs},
    {NULL, NULL, NULL},
};
