/* All thresholds at once. */
#include "cases.h"
#include "pw_sweep_scores.h"

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
    for (int i = 0; i < 6; i++) p->out[i] = ints(2 * SWEPT);
}

static int sweep_edges(problem *p) {
    return pw_sweep_edges(SWEPT, p->in[0], p->in[1], SWEPT_EDGES, p->out[0], p->out[1], p->out[2],
                          &p->n, NULL);
}

static void for_sweep_curves(problem *p) {
    for_sweep_edges(p);
    must(sweep_edges(p));
    for (int64_t k = 0; k < p->n; k++) p->out[2][k] = k;
}

/* Events as they are found, for the kernels that read them. */
static int sweep_events(problem *p) {
    p->events = (pw_events){ints(p->n + 1), ints(SWEPT), ints(SWEPT), ints(SWEPT), 0};
    return pw_sweep_events(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->n, &p->events,
                           NULL);
}

static int sweep_curves(problem *p) {
    const int64_t states = p->n + 1;
    const int status = sweep_events(p);
    if (status != PW_OK) return status;
    uint64_t *wide[12];
    for (int i = 0; i < 12; i++) wide[i] = room(8 * states);
    const pw_curves curves = {ints(states),       ints(states),       ints(states),
                              ints(states),       {wide[0], wide[1]}, {wide[2], wide[3]},
                              {wide[4], wide[5]}, {wide[6], wide[7]}, ints(states),
                              ints(states),       {wide[8], wide[9]}, {wide[10], wide[11]},
                              ints(states)};
    return pw_sweep_curves(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->out[2], p->n,
                           states, &p->events, 64, &curves, NULL);
}

static int sweep_clusters(problem *p) {
    return pw_sweep_clusters(SWEPT, p->out[0], p->out[1], p->n / 2, p->out[3]);
}

static void for_sweep_sizes(problem *p) {
    for_sweep_curves(p);
    for (int64_t i = 0; i < SWEPT; i++) p->out[3][i] = 1;
    p->reals[0] = room(8 * SWEPT);
    p->reals[1] = room(8 * SWEPT);
    uint64_t state = 11;
    for (int64_t k = 0; k < p->n; k++) p->reals[0][k] = fraction(&state);
}

static int sweep_sizes(problem *p) {
    pw_sweep_sizes(SWEPT, p->out[0], p->out[1], p->n, p->out[3]);
    return PW_OK;
}

static int sweep_subtrees(problem *p) {
    pw_sweep_subtrees(SWEPT, p->out[0], p->out[1], p->reals[0], p->n, p->out[3], p->reals[1]);
    return PW_OK;
}

static void for_sweep_scores(problem *p) {
    for_sweep_curves(p);
    must(sweep_events(p));
    for (int i = 0; i < 2; i++) p->reals[i] = room(8 * (p->n + 1));
}

static int sweep_walks(problem *p) {
    const int64_t bounds[] = {0, SWEPT / SWEPT_LABELS, SWEPT};
    return pw_sweep_walks(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->n, &p->events,
                          bounds, 3, p->out[3], NULL);
}

/* About half of the rows by rows. */
static int sweep_scores(problem *p) {
    int64_t visited = 0;
    return pw_sweep_scores(p->in[2], SWEPT, SWEPT_LABELS, p->out[0], p->out[1], p->out[2], p->n,
                           p->n + 1, &p->events, 64, SWEPT / SWEPT_LABELS, p->reals[0], p->reals[1],
                           &visited, NULL);
}

const kernel_case sweep_cases[] = {
    {"sweep_edges", for_sweep_edges, sweep_edges},
    {"sweep_curves", for_sweep_curves, sweep_curves},
    {"sweep_clusters", for_sweep_curves, sweep_clusters},
    {"sweep_sizes", for_sweep_sizes, sweep_sizes},
    {"sweep_subtrees", for_sweep_sizes, sweep_subtrees},
    {"sweep_walks", for_sweep_scores, sweep_walks},
    {"sweep_scores", for_sweep_scores, sweep_scores},
    {NULL, NULL, NULL},
};
