/* Two hierarchies of the same items: random merges of what is there. */
#include "cases.h"
#include "pw_hierarchy.h"

enum { CUT_ITEMS = 50000, PAIR_ITEMS = 2000, WALK_ITEMS = 500 };

/* Each merge joins two clusters drawn from those that are left. */
static void merge_at_random(int64_t n, uint64_t seed, int64_t *left, int64_t *right) {
    uint64_t state = seed;
    int64_t *clusters = ints(n);
    for (int64_t i = 0; i < n; i++) clusters[i] = i;
    for (int64_t s = 0; s < n - 1; s++) {
        const int64_t there = n - s;
        const int64_t i = below(&state, there);
        left[s] = clusters[i];
        clusters[i] = clusters[there - 1];
        const int64_t j = below(&state, there - 1);
        right[s] = clusters[j];
        clusters[j] = n + s;
    }
}

static void for_trees(problem *p, int64_t n) {
    p->n = n;
    for (int i = 0; i < 4; i++) p->in[i] = ints(n);
    merge_at_random(n, 3, p->in[0], p->in[1]);
    merge_at_random(n, 4, p->in[2], p->in[3]);
    for (int i = 0; i < 3; i++) p->out[i] = ints(2 * n);
}

static void for_cuts(problem *p) {
    for_trees(p, CUT_ITEMS);
    p->reals[0] = room(8 * p->n);
    p->reals[1] = room(8 * p->n);
}

static void for_pairs(problem *p) {
    for_trees(p, PAIR_ITEMS);
    for (int64_t s = 0; s < p->n; s++) p->out[0][s] = s;
    p->wide[0] = room(16 * p->n);
}

static int overlaps(problem *p) {
    return pw_cut_overlaps(p->n, p->in[0], p->in[1], p->in[2], p->in[3], p->out[0], NULL);
}

static int moments(problem *p) {
    return pw_cut_moments(p->n, p->in[0], p->in[1], p->out[0], p->reals[0], p->reals[1]);
}

static int pair_sums(problem *p) {
    return pw_pair_sums(p->n, p->in[0], p->in[1], p->in[2], p->in[3], p->out[0], p->wide[0],
                        p->out[1], NULL);
}

static int pair_orders(problem *p) {
    return pw_pair_orders(p->n, p->in[0], p->in[1], p->out[0], p->in[2], p->in[3], p->out[0], p->n,
                          p->words, NULL);
}

/* One tree whose merges each add an item, and one of a root alone above all items. */
static void for_walks(problem *p) {
    const int64_t n = WALK_ITEMS;
    p->n = n;
    for (int i = 0; i < 4; i++) p->in[i] = ints(2 * n);
    p->out[0] = ints(n);
    p->out[1] = ints(n + 1);
    p->out[2] = ints(n + 1);
    p->out[3] = ints(n + 1);
    for (int i = 0; i < 3; i++) p->reals[i] = room(8 * 2 * n);
    for (int64_t i = 0; i < n; i++) {
        p->in[0][i] = n + (i == 0 ? 0 : i - 1); /* parents */
        p->in[1][i] = i;
        p->in[2][i] = 1;
        p->in[3][i] = i;
        p->reals[0][i] = p->reals[2][i] = 1.0;
        p->out[1][i] = n;
        p->out[2][i] = i;
        p->out[3][i] = 1;
    }
    for (int64_t s = 0; s < n - 1; s++) {
        p->in[0][n + s] = s == n - 2 ? -1 : n + s + 1;
        p->in[1][n + s] = 0;
        p->in[2][n + s] = s + 2;
    }
    for (int64_t c = 0; c < 2 * n - 1; c++) p->reals[1][c] = 0.5 / (double)n;
    p->out[1][n] = -1;
    p->out[2][n] = 0;
    p->out[3][n] = n;
}

static int walks(problem *p) {
    const pw_walks a = {p->in[0],    p->in[1],    p->in[2],   p->in[3],
                        p->reals[0], p->reals[1], p->reals[2]};
    const pw_walks b = {p->out[1],   p->out[2],   p->out[3],  p->in[3],
                        p->reals[0], p->reals[1], p->reals[2]};
    return pw_walk_differences(p->n, &a, &b, 0, p->n, p->out[0], NULL);
}

const kernel_case hierarchy_cases[] = {
    {"cut_overlaps", for_cuts, overlaps},   {"cut_moments", for_cuts, moments},
    {"pair_sums", for_pairs, pair_sums},    {"pair_orders", for_pairs, pair_orders},
    {"walk_differences", for_walks, walks}, {NULL, NULL, NULL},
};
