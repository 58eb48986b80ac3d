#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *room(int64_t bytes) {
    void *data = calloc(1, (size_t)bytes + 64);
    must(data == NULL ? PW_NO_MEMORY : PW_OK);
    return data;
}

int64_t *ints(int64_t n) {
    return room(8 * n);
}

int64_t *filled(int64_t n, int64_t value) {
    int64_t *array = ints(n);
    for (int64_t i = 0; i < n; i++) array[i] = value;
    return array;
}

uint64_t draw(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int64_t below(uint64_t *state, int64_t most) {
    return (int64_t)(draw(state) % (uint64_t)most);
}

double fraction(uint64_t *state) {
    return (double)(draw(state) >> 11) * 0x1p-53;
}

pw_labels labels(int64_t *values, int64_t n) {
    return (pw_labels){values, n, 8, 1};
}

void noisy(problem *p, int64_t n, int64_t k, int64_t noise) {
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

const pw_vector *vector_asked(void) {
    const char *name = getenv("PARTWISE_VECTOR");
    for (int level = 0; level < PW_VECTOR_LEVELS; level++) {
        const pw_vector *vector = pw_vector_at(level);
        if (vector != NULL && strcmp(vector->name, name == NULL ? "none" : name) == 0)
            return vector;
    }
    fprintf(stderr, "driver: this processor has no vector level %s\n", name);
    exit(4);
}

int meet(problem *p) {
    return pw_meet(&p->a, &p->b, &p->scratch, vector_asked(), &p->table, NULL);
}

void with_table(problem *p, int64_t n, int64_t k, int64_t noise) {
    noisy(p, n, k, noise);
    must(meet(p));
    for (int i = 0; i < 6; i++) p->out[i] = ints(p->table.n_cells + 1);
}

void must(int status) {
    if (status == PW_OK) return;
    fprintf(stderr, "driver: a preparation ended with status %d\n", status);
    exit(3);
}
