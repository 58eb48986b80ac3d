/* Expectations under chance, and draws. */
#include "cases.h"
#include "pw_expected.h"
#include "pw_sample.h"

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
    return pw_expected_sums(p->in[0], p->reals[0], k, p->in[1], p->reals[1], k, p->n, 1, 0,
                            p->words, p->words + 4, NULL);
}

/* Sizes of columns ascend here. */
static void for_expected_by_size(problem *p) {
    ranked(p, 200, 20000, 10);
    for (int64_t c = 0; c < 200; c++) p->in[1][c] = p->in[0][199 - c];
    for (int i = 0; i < 4; i++) p->wide[i] = room(8 * 200);
}

static int expected_by_size(problem *p) {
    uint64_t *const overlap[2] = {p->wide[0], p->wide[1]};
    uint64_t *const divergence[2] = {p->wide[2], p->wide[3]};
    return pw_expected_by_size(p->in[0], p->reals[0], 200, p->in[1], 200, p->n, 64, overlap,
                               divergence, NULL);
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

const kernel_case chance_cases[] = {
    {"expected_large", for_expected_large, expected},
    {"expected_small", for_expected_small, expected},
    {"expected_by_size", for_expected_by_size, expected_by_size},
    {"random_table_shuffled", for_shuffled_table, random_table},
    {"random_table_drawn", for_drawn_table, random_table},
    {"resample", for_resample, resample},
    {NULL, NULL, NULL},
};
