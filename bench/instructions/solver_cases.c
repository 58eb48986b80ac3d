/* Matching, packing, transport, and their costs. */
#include "cases.h"
#include "pw_match.h"
#include "pw_pack.h"
#include "pw_shared_mass.h"
#include "pw_transport.h"

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
    return pw_match(t->indptr, t->cols, p->in[2], t->n_rows, t->n_cols, 0, 20 * t->n_cells, NULL,
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
    for (int64_t i = 0; i < SIDE * (SIDE + 1); i++) p->reals[0][i] = fraction(&state);
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
            p->reals[side][i] = fraction(&state);
}

static int shared_mass(problem *p) {
    return pw_shared_mass(p->reals[0], p->reals[1], SOFT_ITEMS, SOFT_CLUSTERS, SOFT_CLUSTERS, 0,
                          SOFT_CLUSTERS, p->reals[2], NULL);
}

enum { STORED = 4, SPARSE_ITEMS = 20000, SPARSE_CLUSTERS = 200 };

/* STORED entries a row on both sides: in[2 side] starts, in[2 side + 1] columns. */
static void for_sparse_mass(problem *p) {
    uint64_t state = 10;
    for (int side = 0; side < 2; side++) {
        int64_t *const starts = p->in[2 * side] = ints(SPARSE_ITEMS + 1);
        int64_t *const cols = p->in[2 * side + 1] = ints(SPARSE_ITEMS * STORED);
        p->reals[side] = room(8 * SPARSE_ITEMS * STORED);
        for (int64_t i = 0; i < SPARSE_ITEMS; i++) {
            const int64_t first = below(&state, SPARSE_CLUSTERS / STORED);
            for (int64_t e = i * STORED; e < (i + 1) * STORED; e++) {
                cols[e] = first + e % STORED * (SPARSE_CLUSTERS / STORED);
                p->reals[side][e] = fraction(&state);
            }
            starts[i + 1] = (i + 1) * STORED;
        }
    }
    p->reals[2] = room(8 * SPARSE_CLUSTERS * SPARSE_CLUSTERS);
}

static int sparse_mass(problem *p) {
    return pw_shared_mass_sparse(p->in[0], p->in[1], p->reals[0], p->in[2], p->in[3], p->reals[1],
                                 SPARSE_ITEMS, SPARSE_CLUSTERS, SPARSE_CLUSTERS, p->reals[2], NULL);
}

const kernel_case solver_cases[] = {
    {"match", for_match, match},
    {"match_independent", for_hard_match, match},
    {"pack", for_pack, pack},
    {"transport", for_transport, transport},
    {"shared_mass", for_shared_mass, shared_mass},
    {"shared_mass_sparse", for_sparse_mass, sparse_mass},
    {NULL, NULL, NULL},
};
