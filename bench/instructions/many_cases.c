/* One clustering against many, and items that are text. */
#include <stdio.h>

#include "cases.h"
#include "pw_items.h"

enum { MANY = 8, MANY_ITEMS = 20000, SMALL = 50, LARGE = 3000 };

/* Noisy copies of a clustering of k clusters, under codes of 1 or 2 bytes that all occur. */
static void copies(problem *p, int64_t k, int itemsize) {
    uint64_t state = 12;
    int64_t *const sizes = ints(MANY * k), *const starts = ints(MANY + 1);
    uint8_t *const narrow = room(MANY * MANY_ITEMS);
    uint16_t *const wide = room(2 * MANY * MANY_ITEMS);
    for (int64_t m = 0; m < MANY; m++) {
        for (int64_t i = 0; i < MANY_ITEMS; i++) {
            const int64_t code = i < 2 * k || below(&state, 3) > 0 ? i % k : below(&state, k);
            sizes[m * k + code] += 1;
            narrow[m * MANY_ITEMS + i] = (uint8_t)code;
            wide[m * MANY_ITEMS + i] = (uint16_t)code;
        }
        starts[m + 1] = (m + 1) * k;
    }
    const void *const data = itemsize == 1 ? (const void *)narrow : wide;
    p->many = (pw_many){{data, MANY_ITEMS, itemsize, 0}, sizes, starts};
    p->in[0] = ints(MANY);
    for (int64_t m = 0; m < MANY; m++) p->in[0][m] = m;
    p->wide[0] = room(8 * MANY * PW_MANY_WORDS);
}

static void for_many_small(problem *p) {
    copies(p, SMALL, 1);
}

static void for_many_large(problem *p) {
    copies(p, LARGE, 2);
}

static int many(problem *p, int wanted) {
    return pw_many_sums(&p->many, 0, p->in[0] + 1, MANY - 1, wanted, 64, p->wide[0], NULL);
}

static int many_squares(problem *p) {
    return many(p, 0);
}

static int many_xlogx(problem *p) {
    return many(p, PW_MANY_XLOGX);
}

static int many_maxima(problem *p) {
    return many(p, PW_MANY_MAXIMA | PW_MANY_MATCHES);
}

static int many_b_cubed(problem *p) {
    return many(p, PW_MANY_B_CUBED);
}

static int many_split_merge(problem *p) {
    return many(p, PW_MANY_SPLIT_MERGE);
}

static int many_all(problem *p) {
    return many(p, PW_MANY_XLOGX | PW_MANY_MAXIMA | PW_MANY_MATCHES | PW_MANY_B_CUBED |
                       PW_MANY_SPLIT_MERGE);
}

/* ---- items ---------------------------------------------------------------------------------- */

enum { NAMES = 50000, DISTINCT = 5000, NAME_BYTES = 16 };

static void for_items(problem *p) {
    uint64_t state = 13;
    char *const text = room(NAMES * NAME_BYTES);
    p->in[0] = ints(NAMES + 1); /* offsets */
    for (int64_t i = 0; i < NAMES; i++) {
        const int64_t from = p->in[0][i];
        p->in[0][i + 1] =
            from + snprintf(text + from, NAME_BYTES, "entity-%d", (int)below(&state, DISTINCT));
    }
    p->a.data = text;
    p->out[0] = ints(NAMES);
}

static pw_items spans(const problem *p) {
    return (pw_items){.data = p->a.data, .offsets = p->in[0], .offset_size = 8, .n = NAMES};
}

static int number_items(problem *p) {
    const pw_items items = spans(p);
    return pw_number_items(&items, NULL, 1, 0, (int32_t *)p->out[0], &p->in[1], &p->n, NULL);
}

static int hash_items(problem *p) {
    const pw_items items = spans(p);
    return pw_hash_items(&items, 0, NAMES, p->wide[0], NULL);
}

static void for_hashes(problem *p) {
    for_items(p);
    p->wide[0] = room(8 * NAMES);
}

static void for_items_of_parts(problem *p) {
    for_hashes(p);
    must(hash_items(p));
}

/* The busier of two threads. */
static int number_items_of_part(problem *p) {
    const pw_items items = spans(p);
    return pw_number_items(&items, p->wide[0], 2, 0, (int32_t *)p->out[0], &p->in[1], &p->n, NULL);
}

static void for_item_order(problem *p) {
    for_items(p);
    must(number_items(p));
    p->out[1] = ints(p->n);
}

static int order_items(problem *p) {
    const pw_items items = spans(p);
    return pw_order_items(&items, 1, p->in[1], (int32_t *)p->out[1], p->n, NULL);
}

static void for_renumbering(problem *p) {
    for_item_order(p);
    must(order_items(p));
}

static int renumber(problem *p) {
    const pw_items items = spans(p);
    pw_renumber(&items, (int32_t *)p->out[0], (const int32_t *)p->out[1]);
    return PW_OK;
}

/* Code points of two bytes, most of which take three. */
static int put_utf8(problem *p) {
    return pw_put_utf8(p->in[0], 2, NAMES, (char *)p->out[0]) < NAMES;
}

static void for_utf8(problem *p) {
    for_items(p);
    p->out[0] = ints(NAMES);
}

const kernel_case many_cases[] = {
    {"many_squares", for_many_small, many_squares},
    {"many_xlogx", for_many_small, many_xlogx},
    {"many_maxima", for_many_small, many_maxima},
    {"many_b_cubed", for_many_small, many_b_cubed},
    {"many_split_merge", for_many_small, many_split_merge},
    {"many_all", for_many_small, many_all},
    {"many_squares_large", for_many_large, many_squares},
    {"many_all_large", for_many_large, many_all},
    {"number_items", for_items, number_items},
    {"hash_items", for_hashes, hash_items},
    {"number_items_of_part", for_items_of_parts, number_items_of_part},
    {"order_items", for_item_order, order_items},
    {"renumber", for_renumbering, renumber},
    {"put_utf8", for_utf8, put_utf8},
    {NULL, NULL, NULL},
};
