/* Arrays of numbers that belong to no table. */
#include "cases.h"
#include "pw_ratios.h"
#include "pw_sums.h"
#include "pw_wide_integers.h"

static void for_large_terms(problem *p) {
    uint64_t state = 3;
    p->n = 50000;
    p->in[0] = ints(p->n);
    for (int64_t i = 0; i < p->n; i++) p->in[0][i] = 1000 + below(&state, 1000000000);
}

static int large_xlogx(problem *p) {
    return pw_sum_xlogx(p->in[0], p->n, 64) == 0;
}

static void for_groups(problem *p) {
    noisy(p, 100000, 1000, 10);
    uint64_t state = 4;
    for (int i = 0; i < 3; i++) p->reals[i] = room(8 * p->n);
    for (int64_t i = 0; i < p->n; i++) p->reals[0][i] = (double)below(&state, 1 << 20) / 1024.0;
}

static int doubles(problem *p) {
    return pw_sum_doubles(p->reals[0], p->n, 60) == 0;
}

static int groups(problem *p) {
    return pw_sum_groups(p->reals[0], p->in[0], p->n, 1000, 60, p->reals[1], p->reals[2], NULL);
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

static pw_wides wides(const int64_t *high, const int64_t *low) {
    return (pw_wides){high, (const uint64_t *)low, 1};
}

static void for_wides(problem *p) {
    for_ratios(p);
    for (int i = 0; i < 2; i++) p->out[i] = ints(p->n);
}

static int wide_sum(problem *p) {
    const pw_wides x = wides(p->in[0], p->in[1]), y = wides(p->in[2], p->in[3]);
    return pw_wide_sum(&x, &y, p->n, p->out[0], (uint64_t *)p->out[1]);
}

static int wide_difference(problem *p) {
    const pw_wides x = wides(p->in[0], p->in[1]), y = wides(p->in[2], p->in[3]);
    return pw_wide_difference(&x, &y, p->n, p->out[0], (uint64_t *)p->out[1]);
}

/* Factors of about 84 and 30 bits. */
static void for_wide_product(problem *p) {
    for_wides(p);
    for (int64_t i = 0; i < p->n; i++) {
        p->in[3][i] = p->in[2][i];
        p->in[2][i] = 0;
    }
}

static int wide_product(problem *p) {
    const pw_wides x = wides(p->in[0], p->in[1]), y = wides(p->in[2], p->in[3]);
    return pw_wide_product(&x, &y, p->n, p->out[0], (uint64_t *)p->out[1]);
}

static void for_order(problem *p) {
    for_groups(p);
    p->out[0] = ints(p->n);
}

static int stable_order(problem *p) {
    return pw_stable_order(p->reals[0], p->n, p->out[0], NULL);
}

const kernel_case number_cases[] = {
    {"sum_xlogx_large", for_large_terms, large_xlogx},
    {"sum_doubles", for_groups, doubles},
    {"sum_groups", for_groups, groups},
    {"wide_ratio", for_ratios, ratios},
    {"wide_sum", for_wides, wide_sum},
    {"wide_difference", for_wides, wide_difference},
    {"wide_product", for_wide_product, wide_product},
    {"stable_order", for_order, stable_order},
    {NULL, NULL, NULL},
};
