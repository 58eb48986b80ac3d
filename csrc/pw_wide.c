#include "pw_wide.h"

#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_tuning.h"

typedef struct {
    uint64_t a;
    uint64_t b;
} raw_pair;

typedef struct {
    uint64_t a;
    uint64_t b;
    int64_t count; /* 0: free slot */
} slot;

typedef struct {
    int64_t used;
    int64_t capacity;
    slot *cells;
} slot_list;

static inline uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t h = a * UINT64_C(0x9E3779B97F4A7C15) ^ (b + UINT64_C(0xD1B54A32D192ED03));
    h ^= h >> 32;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    h ^= h >> 29;
    h *= UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 32;
}

/* Where each part begins once the pairs are split by the top bits of their hash. */
static int split(const pw_labels *a, const pw_labels *b, int part_bits, raw_pair *out,
                 int64_t *start, const pw_poll *poll) {
    const int64_t parts = (int64_t)1 << part_bits;
    const int shift = 64 - part_bits;
    uint64_t rows[PW_BLOCK];
    uint64_t cols[PW_BLOCK];
    memset(start, 0, (size_t)(parts + 1) * sizeof *start);
    for (int round = 0; round < 2; round++) {
        for (int64_t i = 0; i < a->n; i += PW_BLOCK) {
            const int64_t count = pw_min64(PW_BLOCK, a->n - i);
            pw_load_u64(a, i, count, 0, rows);
            pw_load_u64(b, i, count, 0, cols);
            for (int64_t j = 0; j < count; j++) {
                const uint64_t part = part_bits == 0 ? 0 : mix(rows[j], cols[j]) >> shift;
                if (round == 0) {
                    start[part + 1]++;
                } else {
                    raw_pair *to = out + start[part]++;
                    to->a = rows[j];
                    to->b = cols[j];
                }
            }
            if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
        }
        if (round == 0) {
            for (int64_t p = 0; p < parts; p++) start[p + 1] += start[p];
        } else { /* each start now stands at the end of its part */
            for (int64_t p = parts; p > 0; p--) start[p] = start[p - 1];
            start[0] = 0;
        }
    }
    return PW_OK;
}

/* Add up the equal pairs of one part into `list`. `table` has `slots` (a power of two) free
 * slots and is left free again. */
static int aggregate(const raw_pair *pairs, int64_t n, slot *table, int64_t slots,
                     slot_list *list) {
    const uint64_t mask = (uint64_t)slots - 1;
    int64_t probes = PW_PROBES_PER_ITEM * n + 1024;
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t a = pairs[i].a;
        const uint64_t b = pairs[i].b;
        uint64_t at = mix(a, b) & mask;
        while (table[at].count != 0 && (table[at].a != a || table[at].b != b)) {
            at = (at + 1) & mask;
            if (--probes < 0) {
                memset(table, 0, (size_t)slots * sizeof *table);
                return PW_CROWDED;
            }
        }
        found += table[at].count == 0;
        table[at].a = a;
        table[at].b = b;
        table[at].count++;
    }
    if (list->used + found > list->capacity) {
        int64_t capacity = list->capacity * 2;
        if (capacity < list->used + found) capacity = list->used + found;
        slot *grown = realloc(list->cells, (size_t)capacity * sizeof *grown);
        if (grown == NULL) return PW_NO_MEMORY;
        list->cells = grown;
        list->capacity = capacity;
    }
    for (int64_t s = 0; s < slots; s++) {
        if (table[s].count != 0) {
            list->cells[list->used++] = table[s];
            table[s].count = 0;
        }
    }
    return PW_OK;
}

static int add_up_pairs(const pw_labels *a, const pw_labels *b, slot_list *list,
                        const pw_poll *poll) {
    const int64_t n = a->n;
    int part_bits = pw_bits((uint64_t)n) - PW_PART_ITEM_BITS;
    if (part_bits < 0) part_bits = 0;
    if (part_bits > PW_PART_BITS_MOST) part_bits = PW_PART_BITS_MOST;
    const int64_t parts = (int64_t)1 << part_bits;
    int64_t start[((size_t)1 << PW_PART_BITS_MOST) + 1];
    raw_pair *pairs = malloc((size_t)n * sizeof *pairs);
    if (pairs == NULL) return PW_NO_MEMORY;
    int status = split(a, b, part_bits, pairs, start, poll);
    slot *table = NULL;
    int64_t slots = 0;
    for (int64_t p = 0; p < parts && status == PW_OK; p++) {
        const int64_t count = start[p + 1] - start[p];
        const int64_t wanted = (int64_t)1 << (pw_bits((uint64_t)count) + 1);
        if (wanted > slots) {
            free(table);
            table = calloc((size_t)wanted, sizeof *table);
            if (table == NULL) {
                status = PW_NO_MEMORY;
                break;
            }
            slots = wanted;
        }
        status = aggregate(pairs + start[p], count, table, wanted, list);
        if (status == PW_OK && p % 64 == 0 && pw_stop(poll)) status = PW_STOPPED;
    }
    free(table);
    free(pairs);
    return status;
}

/* Table from one triple per entry; `rows` and `cols` hold raw labels and are overwritten by
 * their numbers. */
static int number_and_collapse(const pw_labels *a, const pw_labels *b, const int64_t *counts,
                               pw_table *table, const pw_poll *poll) {
    const int64_t n = a->n;
    int64_t *rows = malloc((size_t)n * sizeof *rows);
    int64_t *cols = malloc((size_t)n * sizeof *cols);
    int status = rows == NULL || cols == NULL ? PW_NO_MEMORY : PW_OK;
    if (status == PW_OK) status = pw_encode(a, rows, &table->row_values, &table->n_rows, poll);
    if (status == PW_OK) status = pw_encode(b, cols, &table->col_values, &table->n_cols, poll);
    if (status == PW_OK) {
        table->indptr = malloc((size_t)(table->n_rows + 1) * sizeof *table->indptr);
        if (table->indptr == NULL) status = PW_NO_MEMORY;
    }
    if (status == PW_OK) {
        status = pw_collapse(rows, cols, counts, n, table->n_rows, table->n_cols, table->indptr,
                             &table->cols, &table->counts, &table->n_cells, poll);
    }
    free(rows);
    free(cols);
    if (status == PW_OK) {
        table->row_sizes = malloc((size_t)table->n_rows * sizeof *table->row_sizes);
        table->col_sizes = malloc((size_t)table->n_cols * sizeof *table->col_sizes);
        if (table->row_sizes == NULL || table->col_sizes == NULL) status = PW_NO_MEMORY;
    }
    if (status == PW_OK) {
        pw_margins(table->indptr, table->cols, table->counts, table->n_rows, table->n_cols,
                   table->row_sizes, table->col_sizes);
    }
    if (status != PW_OK) pw_table_free(table);
    return status;
}

int pw_meet_wide(const pw_labels *a, const pw_labels *b, pw_table *table, const pw_poll *poll) {
    memset(table, 0, sizeof *table);
    slot_list list = {.used = 0, .capacity = a->n / 8 + 64};
    list.cells = malloc((size_t)list.capacity * sizeof *list.cells);
    if (list.cells == NULL) return PW_NO_MEMORY;
    int status = add_up_pairs(a, b, &list, poll);
    const int crowded = status == PW_CROWDED;
    if (status != PW_OK && !crowded) {
        free(list.cells);
        return status;
    }
    const int64_t n = crowded ? a->n : list.used;
    int64_t *counts = malloc((size_t)n * sizeof *counts);
    uint64_t *rows = crowded ? NULL : malloc((size_t)n * sizeof *rows);
    uint64_t *cols = crowded ? NULL : malloc((size_t)n * sizeof *cols);
    if (counts == NULL || (!crowded && (rows == NULL || cols == NULL))) {
        free(list.cells);
        free(counts);
        free(rows);
        free(cols);
        return PW_NO_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) counts[i] = crowded ? 1 : list.cells[i].count;
    if (!crowded) {
        for (int64_t i = 0; i < n; i++) {
            rows[i] = list.cells[i].a;
            cols[i] = list.cells[i].b;
        }
    }
    free(list.cells);
    /* the widened labels keep the sign of their type, so that numbers ascend as labels do */
    const pw_labels wide_a = {.data = rows, .n = n, .itemsize = 8, .is_signed = a->is_signed};
    const pw_labels wide_b = {.data = cols, .n = n, .itemsize = 8, .is_signed = b->is_signed};
    status = number_and_collapse(crowded ? a : &wide_a, crowded ? b : &wide_b, counts, table, poll);
    free(rows);
    free(cols);
    free(counts);
    return status;
}
