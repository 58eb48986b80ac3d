/* One call of a kernel on generated input, the same at every run: driver NAME; driver alone prints
 * the names. Under `valgrind --tool=callgrind --toggle-collect=measured` what is collected is that
 * call: neither making the input nor the call before it, which makes the scratch of the meet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_expected.h"
#include "pw_join.h"
#include "pw_match.h"
#include "pw_meet.h"
#include "pw_merge.h"
#include "pw_pack.h"
#include "pw_ratios.h"
#include "pw_sample.h"
#include "pw_shared_mass.h"
#include "pw_sums.h"
#include "pw_sweep.h"
#include "pw_transport.h"

/* What a call reads and writes; each kernel uses the fields it needs. Nothing is freed: the process
 * ends with the call. */
typedef struct {
    pw_labels a;
    pw_labels b;
    pw_scratch scratch;
    pw_table table;
    pw_table other;
    int64_t n;
    int64_t *in[4];
    int64_t *out[6];
    double *reals[3];
    uint64_t words[8];
} problem;

typedef int (*call)(problem *);

int measured(call kernel, problem *p);

/* Visible and never inlined, so that callgrind finds it by its name. */
__attribute__((noinline)) int measured(call kernel, problem *p) {
    return kernel(p);
}

/* ---- input ---------------------------------------------------------------------------------- */

static void *room(int64_t bytes) {
    void *data = calloc(1, (size_t)bytes + 64);
    if (data == NULL) {
        fprintf(stderr, "driver: no memory\n");
        exit(3);
    }
    return data;
}

static int64_t *ints(int64_t n) {
    return room(8 * n);
}

/* A sequence of its own for every place it is asked from. */
static uint64_t draw(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int64_t below(uint64_t *state, int64_t most) {
    return (int64_t)(draw(state) % (uint64_t)most);
}

static pw_labels labels(int64_t *values, int64_t n) {
    return (pw_labels){values, n, 8, 1};
}

/* k clusters and a copy of which one label in `noise` is drawn anew. */
static void noisy(problem *p, int64_t n, int64_t k, int64_t noise) {
    uint64_t state = 1;
    p->n = n;
    for (int side = 0; side < 2; side++) p->in[side] = ints(n);
    for (int64_t i = 0; i < n; i++) {
        p->in[0][i] = below(&state, k);
        p->in[1][i] = below(&state, noise) == 0 ? below(&state, k) : p->in[0][i];
    }
    p->a = labels(p->in[0], n);
    p->b = labels(p->in[1], n);
}

static int meet(problem *p) {
    return pw_meet(&p->a, &p->b, &p->scratch, &p->table, NULL);
}

static void with_table(problem *p, int64_t n, int64_t k, int64_t noise) {
    noisy(p, n, k, noise);
    if (meet(p) != PW_OK) exit(3);
    for (int i = 0; i < 6; i++) p->out[i] = ints(p->table.n_cells + 1);
}

static int64_t *filled(int64_t n, int64_t value) {
    int64_t *array = ints(n);
    for (int64_t i = 0; i < n; i++) array[i] = value;
    return array;
}

/* ---- the meet ------------------------------------------------------------------------------- */

/* A first call makes the scratch. */
static void warm(problem *p) {
    if (meet(p) != PW_OK) exit(3);
}

static void for_dense(problem *p) {
    noisy(p, 300000, 100, 1);
    warm(p);
}

static void for_narrow(problem *p) {
    noisy(p, 300000, 100, 10);
    for (int side = 0; side < 2; side++) {
        int8_t *bytes = room(p->n);
        for (int64_t i = 0; i < p->n; i++) bytes[i] = (int8_t)p->in[side][i];
        *(side == 0 ? &p->a : &p->b) = (pw_labels){bytes, p->n, 1, 1};
    }
    warm(p);
}

static void for_sparse(problem *p) {
    noisy(p, 200000, 20000, 10);
    warm(p);
}

static void for_scattered(problem *p) {
    noisy(p, 200000, 20000, 1);
    warm(p);
}

static void for_crowded(problem *p) {
    noisy(p, 200000, 20000, 10);
    uint64_t state = 2;
    for (int64_t i = 0; i < p->n; i++)
        if (below(&state, 10) != 0) p->in[0][i] = p->in[1][i] = 7;
    warm(p);
}

static void for_sorted(problem *p) {
    noisy(p, 200000, 20000, 10);
    for (int64_t i = 0; i < p->n; i++) p->in[0][i] = p->in[1][i] = i / 10;
    warm(p);
}

static void for_runs(problem *p) {
    noisy(p, 10000, 20000, 10);
    int64_t *longer[2];
    for (int side = 0; side < 2; side++) {
        longer[side] = ints(20 * p->n);
        for (int64_t i = 0; i < 20 * p->n; i++) longer[side][i] = p->in[side][i / 20];
    }
    p->a = labels(longer[0], 20 * p->n);
    p->b = labels(longer[1], 20 * p->n);
    warm(p);
}

static void for_wide(problem *p) {
    noisy(p, 100000, 10000, 10);
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < p->n; i++) {
            uint64_t state = (uint64_t)p->in[side][i] + 77;
            p->in[side][i] = (int64_t)draw(&state);
        }
    warm(p);
}

static int encode(problem *p) {
    uint64_t *values = NULL;
    int64_t k = 0;
    return pw_encode(&p->a, p->in[1], &values, &k, NULL);
}

/* ---- tables --------------------------------------------------------------------------------- */

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
    if (meet(p) != PW_OK) exit(3);
}

static int merge(problem *p) {
    return pw_merge(&p->table, &p->other, 1, 1);
}

static int transpose(problem *p) {
    const pw_table *t = &p->table;
    return pw_transpose(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, p->out[0], p->out[1],
                        p->out[2]);
}

static int join(problem *p) {
    const pw_table *t = &p->table;
    int64_t n_components = 0;
    return pw_join(t->indptr, t->cols, t->n_rows, t->n_cols, p->out[0], p->out[1], &n_components,
                   NULL);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static int xlogx(problem *p) {
    return pw_sum_xlogx(p->table.counts, p->table.n_cells, 64) == 0;
}

static void for_large_terms(problem *p) {
    uint64_t state = 3;
    p->n = 50000;
    p->in[0] = ints(p->n);
    for (int64_t i = 0; i < p->n; i++) p->in[0][i] = 1000 + below(&state, 1000000000);
}

static int large_xlogx(problem *p) {
    return pw_sum_xlogx(p->in[0], p->n, 64) == 0;
}

static int squares(problem *p) {
    return pw_sum_squares(p->table.counts, p->table.n_cells) == 0;
}

static int split_scores(problem *p) {
    const pw_table *t = &p->table;
    return pw_split_scores(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                           t->n_cols, 64, p->out[0], p->out[1]);
}

static int b_cubed(problem *p) {
    const pw_table *t = &p->table;
    pw_u128 by_row;
    pw_u128 by_col;
    return pw_b_cubed_sums(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                           t->n_cols, &by_row, &by_col);
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

static void for_groups(problem *p) {
    noisy(p, 100000, 1000, 10);
    uint64_t state = 4;
    for (int i = 0; i < 3; i++) p->reals[i] = room(8 * p->n);
    for (int64_t i = 0; i < p->n; i++) p->reals[0][i] = (double)below(&state, 1 << 20) / 1024.0;
}

static int groups(problem *p) {
    return pw_sum_groups(p->reals[0], p->in[0], p->n, 1000, 60, p->reals[1], p->reals[2]);
}

static void for_ratios(problem *p) {
    uint64_t state = 5;
    p->n = 50000;
    for (int i = 0; i < 4; i++) p->in[i] = ints(p->n);
    p->reals[0] = room(8 * p->n);
    for (int64_t i = 0; i < p->n; i++) {
        p->in[0][i] = below(&state, 1 << 20);
        p->in[1][i] = (int64_t)draw(&state);
        p->in[2][i] = 1 + below(&state, 1 << 30);
        p->in[3][i] = (int64_t)draw(&state);
    }
}

static int ratios(problem *p) {
    pw_wide_ratio(p->in[0], (const uint64_t *)p->in[1], p->in[2], (const uint64_t *)p->in[3], p->n,
                  p->reals[0]);
    return PW_OK;
}

/* ---- solvers -------------------------------------------------------------------------------- */

/* 2^40 x Dice of the two clusters of each cell. */
static void with_dice(problem *p) {
    const pw_table *t = &p->table;
    p->in[2] = ints(t->n_cells);
    for (int64_t r = 0; r < t->n_rows; r++)
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            const int64_t both = t->row_sizes[r] + t->col_sizes[t->cols[c]];
            p->in[2][c] = ((int64_t)1 << 41) * t->counts[c] / both;
        }
    for (int i = 0; i < 3; i++) p->out[i] = ints(t->n_rows + t->n_cols + t->n_cells);
}

static void for_match(problem *p) {
    with_table(p, 50000, 5000, 3);
    with_dice(p);
}

static void for_hard_match(problem *p) {
    with_table(p, 10000, 2000, 1);
    with_dice(p);
}

static int match(problem *p) {
    const pw_table *t = &p->table;
    return pw_match(t->indptr, t->cols, p->in[2], t->n_rows, t->n_cols, 0, 20 * t->n_cells,
                    p->out[0], p->out[1], p->out[2], NULL);
}

static void for_pack(problem *p) {
    with_table(p, 20000, 2000, 3);
    with_dice(p);
    p->in[0] = filled(p->table.n_rows, 7);
    p->in[1] = filled(p->table.n_cols, 7);
}

static int pack(problem *p) {
    const pw_table *t = &p->table;
    return pw_pack(t->indptr, t->cols, p->in[2], p->in[0], p->in[1], t->n_rows, t->n_cols, -1,
                   p->out[0], p->out[1], p->out[2], NULL);
}

enum { SIDE = 150 };

static void for_transport(problem *p) {
    uint64_t state = 6;
    p->in[0] = filled(SIDE, SIDE + 1);
    p->in[1] = filled(SIDE + 1, SIDE);
    p->reals[0] = room(8 * SIDE * (SIDE + 1));
    for (int64_t i = 0; i < SIDE * (SIDE + 1); i++)
        p->reals[0][i] = (double)(draw(&state) >> 11) * 0x1p-53;
    for (int i = 0; i < 3; i++) p->out[i] = ints(2 * SIDE);
    for (int i = 1; i < 3; i++) p->reals[i] = room(8 * (SIDE + 1));
}

static int transport(problem *p) {
    int64_t n_arcs = 0;
    return pw_transport(p->reals[0], p->in[0], p->in[1], SIDE, SIDE + 1, p->out[0], p->out[1],
                        p->out[2], &n_arcs, p->reals[1], p->reals[2], NULL);
}

enum { SOFT_ITEMS = 2000, SOFT_CLUSTERS = 32 };

static void for_shared_mass(problem *p) {
    uint64_t state = 7;
    for (int i = 0; i < 3; i++) p->reals[i] = room(8 * SOFT_ITEMS * SOFT_CLUSTERS);
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < SOFT_ITEMS * SOFT_CLUSTERS; i++)
            p->reals[side][i] = (double)(draw(&state) >> 11) * 0x1p-53;
}

static int shared_mass(problem *p) {
    return pw_shared_mass(p->reals[0], p->reals[1], SOFT_ITEMS, SOFT_CLUSTERS, SOFT_CLUSTERS, 0,
                          SOFT_CLUSTERS, p->reals[2], NULL);
}

/* ---- chance --------------------------------------------------------------------------------- */

/* k sizes on either side of which the one of rank r is in proportion to 1 / (r + k / flat). */
static void ranked(problem *p, int64_t k, int64_t most, int64_t flat) {
    p->n = 0;
    for (int side = 0; side < 2; side++) p->in[side] = ints(k);
    for (int i = 0; i < 2; i++) p->reals[i] = room(8 * k);
    for (int64_t r = 0; r < k; r++) {
        const int64_t size = 1 + most / (1 + r + (flat > 0 ? k / flat : 0));
        p->in[0][r] = p->in[1][r] = size;
        p->reals[0][r] = p->reals[1][r] = 1.0;
        p->n += size;
    }
    p->in[2] = filled(1, k);
}

static void for_expected_large(problem *p) {
    ranked(p, 100, 100000, 0);
}

static void for_expected_small(problem *p) {
    ranked(p, 5000, 50000, 10);
}

static int expected(problem *p) {
    const int64_t k = p->in[2][0];
    return pw_expected_sums(p->in[0], p->reals[0], k, p->in[1], p->reals[1], k, p->n, p->words,
                            p->words + 4, NULL);
}

static void for_shuffled_table(problem *p) {
    ranked(p, 3000, 30000, 10);
    p->out[0] = ints(3001);
}

static void for_drawn_table(problem *p) {
    ranked(p, 60, 200000, 1);
    p->out[0] = ints(61);
}

static int random_table(problem *p) {
    const uint64_t key[2] = {1, 2};
    int64_t *cols = NULL;
    int64_t *counts = NULL;
    int64_t n_cells = 0;
    const int64_t k = p->in[2][0];
    return pw_random_table(p->in[0], p->in[1], k, k, key, p->out[0], &cols, &counts, &n_cells,
                           NULL);
}

static void for_resample(problem *p) {
    p->out[0] = ints(20 * 10000);
}

static int resample(problem *p) {
    const uint64_t key[2] = {1, 2};
    return pw_resample(10000, key, 20, p->out[0], NULL);
}

/* ---- sweep ---------------------------------------------------------------------------------- */

enum { SWEPT = 20000, SWEPT_LABELS = 100, SWEPT_EDGES = 3 * SWEPT };

static void for_sweep_edges(problem *p) {
    uint64_t state = 8;
    for (int i = 0; i < 2; i++) p->in[i] = ints(SWEPT_EDGES);
    p->in[2] = ints(SWEPT);
    for (int64_t i = 0; i < SWEPT; i++)
        p->in[2][i] = i < SWEPT_LABELS ? i : below(&state, SWEPT_LABELS);
    for (int64_t i = 0; i < SWEPT_EDGES; i++) {
        p->in[0][i] = below(&state, SWEPT);
        p->in[1][i] = below(&state, SWEPT);
    }
    for (int i = 0; i < 6; i++) p->out[i] = ints(SWEPT);
}

static int sweep_edges(problem *p) {
    return pw_sweep_edges(SWEPT, p->in[0], p->in[1], SWEPT_EDGES, p->out[0], p->out[1], p->out[2],
                          &p->n, NULL);
}

static void for_sweep_curves(problem *p) {
    for_sweep_edges(p);
    if (sweep_edges(p) != PW_OK) exit(3);
    for (int64_t k = 0; k < p->n; k++) p->out[2][k] = k;
}

static int sweep_curves(problem *p) {
    const int64_t states = p->n + 1;
    pw_events events = {ints(states), ints(SWEPT), ints(SWEPT), ints(SWEPT), 0};
    int status =
        pw_sweep_events(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->n, &events, NULL);
    if (status != PW_OK) return status;
    uint64_t *wide[12];
    for (int i = 0; i < 12; i++) wide[i] = room(8 * states);
    const pw_curves curves = {ints(states),       ints(states),       ints(states),
                              ints(states),       {wide[0], wide[1]}, {wide[2], wide[3]},
                              {wide[4], wide[5]}, {wide[6], wide[7]}, ints(states),
                              ints(states),       {wide[8], wide[9]}, {wide[10], wide[11]},
                              ints(states)};
    return pw_sweep_curves(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->out[2], p->n,
                           states, &events, 64, &curves, NULL);
}

/* ---- the list ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*prepare)(problem *);
    call kernel;
} kernels[] = {
    {"meet_dense", for_dense, meet},
    {"meet_narrow", for_narrow, meet},
    {"meet_sparse", for_sparse, meet},
    {"meet_scattered", for_scattered, meet},
    {"meet_crowded", for_crowded, meet},
    {"meet_sorted", for_sorted, meet},
    {"meet_runs", for_runs, meet},
    {"meet_wide", for_wide, meet},
    {"encode_wide", for_wide, encode},
    {"collapse", for_collapse, collapse},
    {"merge", for_merge, merge},
    {"transpose", for_tables, transpose},
    {"join", for_tables, join},
    {"sum_squares", for_tables, squares},
    {"sum_xlogx", for_tables, xlogx},
    {"sum_xlogx_large", for_large_terms, large_xlogx},
    {"split_scores", for_tables, split_scores},
    {"b_cubed_sums", for_tables, b_cubed},
    {"divergence_terms", for_divergence, divergence},
    {"sum_groups", for_groups, groups},
    {"wide_ratio", for_ratios, ratios},
    {"match", for_match, match},
    {"match_independent", for_hard_match, match},
    {"pack", for_pack, pack},
    {"transport", for_transport, transport},
    {"shared_mass", for_shared_mass, shared_mass},
    {"expected_large", for_expected_large, expected},
    {"expected_small", for_expected_small, expected},
    {"random_table_shuffled", for_shuffled_table, random_table},
    {"random_table_drawn", for_drawn_table, random_table},
    {"resample", for_resample, resample},
    {"sweep_edges", for_sweep_edges, sweep_edges},
    {"sweep_curves", for_sweep_curves, sweep_curves},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (argc < 2) puts(kernels[i].name);
        if (argc < 2 || strcmp(argv[1], kernels[i].name) != 0) continue;
        problem p;
        memset(&p, 0, sizeof p);
        kernels[i].prepare(&p);
        return measured(kernels[i].kernel, &p);
    }
    if (argc > 1) fprintf(stderr, "driver: no kernel %s\n", argv[1]);
    return argc > 1 ? 2 : 0;
}
