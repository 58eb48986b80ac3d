/* The search for one clustering for many. */
#include "cases.h"
#include "pw_consensus.h"

enum { ENSEMBLE_ITEMS = 2000, ENSEMBLE_DRAWS = 20, FEW = 12, MANY = 700 };

/* Draws that agree but for a fifth of the items, each; codes are dense because every cluster has
 * an item that never moves. */
static void for_draws(problem *p, int64_t clusters) {
    uint64_t state = 21;
    uint32_t *codes = room(4 * ENSEMBLE_ITEMS * ENSEMBLE_DRAWS);
    uint32_t *weights = room(4 * ENSEMBLE_DRAWS);
    uint32_t *gain = room(4 * ENSEMBLE_ITEMS);
    double *sums = room(8 * ENSEMBLE_DRAWS);
    p->in[0] = ints(ENSEMBLE_DRAWS + 1);
    for (int64_t d = 0; d < ENSEMBLE_DRAWS; d++) {
        p->in[0][d + 1] = (d + 1) * clusters;
        weights[d] = 1;
    }
    for (int64_t i = 0; i < ENSEMBLE_ITEMS; i++) {
        const int64_t own = i < clusters ? i : below(&state, clusters);
        gain[i] = (uint32_t)i;
        for (int64_t d = 0; d < ENSEMBLE_DRAWS; d++) {
            const int moved = i >= clusters && below(&state, 5) == 0;
            codes[i * ENSEMBLE_DRAWS + d] = (uint32_t)(moved ? below(&state, clusters) : own);
        }
    }
    p->wide[0] = (uint64_t *)codes;
    p->wide[1] = (uint64_t *)weights;
    p->wide[2] = (uint64_t *)gain;
    p->reals[0] = sums;
    p->out[0] = filled(ENSEMBLE_ITEMS, -1);
}

static void for_few_clusters(problem *p) {
    for_draws(p, FEW);
}

static void for_many_clusters(problem *p) {
    for_draws(p, MANY);
}

static int search(problem *p, int layout) {
    const uint64_t key[2] = {3, 4};
    const pw_ensemble ensemble = {ENSEMBLE_ITEMS,
                                  ENSEMBLE_DRAWS,
                                  (const uint32_t *)p->wide[0],
                                  p->in[0],
                                  (const uint32_t *)p->wide[1],
                                  (const uint32_t *)p->wide[2],
                                  p->reals[0],
                                  0,
                                  PW_LOSS_LINEAR,
                                  1 << 16,
                                  layout};
    int64_t passes, moves;
    return pw_consensus_run(&ensemble, p->out[0], ENSEMBLE_ITEMS, 1, 20, key, &passes, &moves,
                            NULL);
}

static int search_dense(problem *p) {
    return search(p, PW_LAYOUT_DENSE);
}

static int search_sparse(problem *p) {
    return search(p, PW_LAYOUT_SPARSE);
}

const kernel_case consensus_cases[] = {
    {"consensus_dense", for_few_clusters, search_dense},
    {"consensus_sparse", for_many_clusters, search_sparse},
    {NULL, NULL, NULL},
};
