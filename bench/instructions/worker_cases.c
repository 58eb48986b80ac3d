/* What several threads share: the steps of one job, here one after another. */
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "pw_encode.h"
#include "pw_items.h"
#include "pw_match.h"

enum { PARTS = 2 };

/* ---- text ----------------------------------------------------------------------------------- */

enum { NAMES = 50000, DISTINCT = 5000, NAME_BYTES = 16 };

/* in[0]: offsets; in[1]: where each name is met first, in two lists one behind another; words[0]:
 * how long the first is. */
static void for_names(problem *p) {
    uint64_t state = 14;
    char *const text = room(NAMES * NAME_BYTES);
    uint8_t *const met = room(DISTINCT);
    p->in[0] = ints(NAMES + 1);
    p->in[1] = ints(DISTINCT);
    p->n = 0;
    for (int64_t i = 0; i < NAMES; i++) {
        const int64_t from = p->in[0][i];
        const int name = (int)below(&state, DISTINCT);
        p->in[0][i + 1] = from + snprintf(text + from, NAME_BYTES, "entity-%d", name);
        if (!met[name]) p->in[1][p->n++] = i;
        met[name] = 1;
    }
    p->words[0] = (uint64_t)p->n / PARTS;
    p->a.data = text;
    for (int i = 0; i < 6; i++) p->out[i] = ints(NAMES + 1);
    p->reals[0] = room(NAMES * NAME_BYTES);
}

static pw_items spans(const problem *p) {
    return (pw_items){.data = p->a.data, .offsets = p->in[0], .offset_size = 8, .n = NAMES};
}

static int few_distinct(problem *p) {
    const pw_items items = spans(p);
    int few = 0;
    return pw_few_distinct(&items, &few);
}

static int copy_items(problem *p) {
    const pw_items items = spans(p);
    char *const text = (char *)p->reals[0];
    pw_copy_items(&items, p->in[1], p->n, 0, text, p->out[0]);
    return pw_bytes_of_items(&items, p->in[1], p->n) != p->out[0][p->n];
}

static int order_in_buckets(problem *p) {
    const pw_items items = spans(p);
    const int64_t first = (int64_t)p->words[0];
    const int64_t sizes[PARTS] = {first, p->n - first};
    int64_t *const places[PARTS] = {p->in[1], p->in[1] + first};
    uint8_t *const buckets[PARTS] = {(uint8_t *)p->out[0], (uint8_t *)p->out[1]};
    const pw_item_lists lists = {PARTS, places, buckets, sizes};
    int64_t splitters[PARTS], counts[PARTS][PARTS], starts[PARTS], at = 0;
    int status = pw_choose_splitters(&items, 1, &lists, splitters);
    for (int list = 0; list < PARTS && status == PW_OK; list++) {
        status = pw_split_items(&items, 1, &lists, list, splitters, counts[list], NULL);
    }
    for (int bucket = 0; bucket < PARTS && status == PW_OK; bucket++) {
        const int64_t size = counts[0][bucket] + counts[1][bucket];
        starts[bucket] = at;
        status = pw_order_bucket(&items, 1, &lists, bucket, size, p->out[2] + at,
                                 (int32_t *)p->out[3] + at, NULL);
        at += size;
    }
    if (status == PW_OK) pw_join_ranks(&lists, starts, (int32_t *)p->out[3], (int32_t *)p->out[4]);
    return status;
}

/* ---- integers ------------------------------------------------------------------------------- */

enum { INTEGERS = 100000 };

static void for_integers(problem *p) {
    uint64_t state = 15;
    p->in[0] = ints(INTEGERS);
    for (int64_t i = 0; i < INTEGERS; i++) p->in[0][i] = below(&state, INTEGERS);
    p->a = labels(p->in[0], INTEGERS);
    for (int i = 0; i < 4; i++) p->out[i] = ints(3 * INTEGERS);
}

static void for_far_integers(problem *p) {
    for_integers(p);
    for (int64_t i = 0; i < INTEGERS; i++) p->in[0][i] *= INT64_C(10000000019);
}

static int encode_by_lookup(problem *p) {
    const int64_t range = INTEGERS, half = INTEGERS / PARTS;
    uint8_t *const marks = (uint8_t *)p->out[1];
    uint64_t *const offsets = (uint64_t *)p->out[0];
    if (range > pw_encode_range(&p->a)) return PW_CROWDED;
    int status = pw_encode_load(&p->a, 0, 0, INTEGERS, offsets, NULL);
    if (status == PW_OK) status = pw_encode_mark(offsets, 0, INTEGERS, range, marks);
    const int64_t first = pw_encode_count(marks, 0, half);
    pw_encode_number(marks, 0, half, 0, 0, p->out[2], (uint64_t *)p->out[3]);
    pw_encode_number(marks, half, range, 0, first, p->out[2], (uint64_t *)p->out[3]);
    if (status != PW_OK) return status;
    return pw_encode_look_up(p->out[0], 0, INTEGERS, p->out[2], NULL);
}

static int encode_by_sorting(problem *p) {
    uint64_t *const offsets = (uint64_t *)p->out[1];
    uint64_t splitter;
    pw_encode_run runs[PARTS];
    int status = pw_encode_load(&p->a, 0, 0, INTEGERS, offsets, NULL);
    if (status == PW_OK) status = pw_encode_split(offsets, INTEGERS, PARTS, &splitter);
    if (status == PW_OK) {
        status = pw_encode_sort(offsets, INTEGERS, 0, splitter - 1, &runs[0], NULL);
    }
    if (status == PW_OK) {
        status = pw_encode_sort(offsets, INTEGERS, splitter, UINT64_MAX, &runs[1], NULL);
    }
    if (status != PW_OK) return status;
    uint64_t *const values = (uint64_t *)p->out[2];
    status = pw_encode_write(&runs[0], 0, 0, p->out[0], values, NULL);
    if (status != PW_OK) return status;
    return pw_encode_write(&runs[1], 0, runs[0].distinct, p->out[0], values, NULL);
}

/* A permutation of the ids on either side. */
static void for_ids(problem *p) {
    uint64_t state = 16;
    for (int side = 0; side < PARTS; side++) {
        int64_t *const ids = p->in[side] = ints(INTEGERS);
        for (int64_t i = 0; i < INTEGERS; i++) {
            const int64_t j = below(&state, i + 1);
            ids[i] = ids[j];
            ids[j] = i;
        }
        p->out[side] = ints(INTEGERS);
    }
    p->out[2] = ints(INTEGERS);
}

static int pair_ids(problem *p) {
    for (int side = 0; side < PARTS; side++) pw_place_ids(p->in[side], 0, INTEGERS, p->out[side]);
    return pw_pair_ids(p->in[0], p->out[0], p->out[1], 0, INTEGERS, p->out[2]);
}

/* ---- matching ------------------------------------------------------------------------------- */

enum { BLOCKS = 10, BLOCK_ITEMS = 2000, BLOCK_CLUSTERS = 200 };

/* Random clusters of either side in blocks that have nothing in common. */
static void for_blocks(problem *p) {
    uint64_t state = 17;
    const int64_t n = BLOCKS * BLOCK_ITEMS;
    for (int side = 0; side < PARTS; side++) {
        p->in[side] = ints(n);
        for (int64_t i = 0; i < n; i++) {
            p->in[side][i] = i / BLOCK_ITEMS * BLOCK_CLUSTERS + below(&state, BLOCK_CLUSTERS);
        }
    }
    p->a = labels(p->in[0], n);
    p->b = labels(p->in[1], n);
    must(meet(p));
    for (int i = 0; i < 3; i++) p->out[i] = ints(p->table.n_rows + p->table.n_cols);
}

static int match_blocks(problem *p) {
    const pw_table *t = &p->table;
    const pw_match_scans scans = {20000, 4, 32};
    const int64_t budget = pw_match_budget(&scans, t->n_rows, t->n_cols, t->n_cells);
    uint8_t owners[2 * BLOCKS * BLOCK_CLUSTERS];
    pw_match_parts parts;
    int status = pw_match(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, 1, budget / 100,
                          &parts, p->out[0], p->out[1], p->out[2], NULL);
    if (status != PW_CROWDED) return 1;
    status = pw_match_deal(&parts, PARTS, owners);
    for (int worker = 0; worker < PARTS && status == PW_OK; worker++) {
        status = pw_match_components(&parts, t->indptr, owners, worker, 1, &scans, p->out[0],
                                     p->out[1], p->out[2], NULL);
    }
    pw_match_parts_free(&parts);
    return status;
}

const kernel_case worker_cases[] = {
    {"few_distinct", for_names, few_distinct},
    {"copy_items", for_names, copy_items},
    {"order_in_buckets", for_names, order_in_buckets},
    {"encode_by_lookup", for_integers, encode_by_lookup},
    {"encode_by_sorting", for_far_integers, encode_by_sorting},
    {"pair_ids", for_ids, pair_ids},
    {"match_blocks", for_blocks, match_blocks},
    {NULL, NULL, NULL},
};
