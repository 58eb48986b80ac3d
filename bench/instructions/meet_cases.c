/* Labels to tables. */
#include "cases.h"
#include "pw_encode.h"

/* A first call makes the scratch. */
static void warm(problem *p) {
    must(meet(p));
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

static int range(problem *p) {
    uint64_t low;
    uint64_t high;
    pw_range(&p->a, &low, &high);
    return high < low;
}

static void for_codes(problem *p) {
    noisy(p, 200000, 20000, 1);
}

static int first_appearance(problem *p) {
    int64_t used = 0;
    return pw_first_appearance(p->in[0], p->n, 20000, &used, NULL);
}

enum { WORKERS = 2 };

/* Workers take turns here: what they execute is the same. */
static int by_workers(problem *p) {
    pw_scratch other = {{NULL}, {0}};
    pw_scratch *scratch[WORKERS] = {&p->scratch, &other};
    pw_job job;
    int status = pw_meet_start(&job, &p->a, &p->b, scratch, WORKERS, vector_asked());
    for (int steps_left = 1; status == PW_OK && steps_left;) {
        for (int worker = 0; worker < WORKERS && status == PW_OK; worker++)
            status = pw_meet_step(&job, worker, NULL);
        status = pw_meet_turn(&job, status, &steps_left, NULL);
    }
    return pw_meet_end(&job, status, &p->table);
}

const kernel_case meet_cases[] = {
    {"meet_dense", for_dense, meet},
    {"meet_narrow", for_narrow, meet},
    {"meet_sparse", for_sparse, meet},
    {"meet_scattered", for_scattered, meet},
    {"meet_crowded", for_crowded, meet},
    {"meet_sorted", for_sorted, meet},
    {"meet_runs", for_runs, meet},
    {"meet_wide", for_wide, meet},
    {"meet_workers", for_sparse, by_workers},
    {"range", for_codes, range},
    {"encode_wide", for_wide, encode},
    {"first_appearance", for_codes, first_appearance},
    {NULL, NULL, NULL},
};
