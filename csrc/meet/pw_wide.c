/* The meet where labels are arbitrary 64-bit ids.
 *
 *   1. Raw pairs of ids are split into parts by their hash (a multiplication for each id).
 *   2. Equal pairs of a part are added up in a small hash table with linear probing; a slot holds
 *      half of the hash beside the position, so that most comparisons need not look at the pair.
 *   3. The distinct pairs are sorted by candidate id and, stably, by reference id. Labels are
 *      numbered on the way, once for each cell instead of once for each item.
 * Ids can be chosen so that they collide. Probes are counted; when there are too many, the items
 * go to a radix sort that no choice of ids slows down.
 */
#include "pw_wide.h"

#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_radix.h"
#include "pw_tuning.h"

typedef struct {
    uint64_t a;
    uint64_t b;
} raw_pair;

/* Up to this many items, a column and a count share 64 bits. */
#define PW_WIDE_SMALL UINT32_MAX

/* The upper half of a slot; places in a part fit the lower one. */
#define TAG_MASK UINT64_C(0xFFFFFFFF00000000)

/* Distinct pairs; grows. */
typedef struct {
    int64_t used;
    int64_t capacity;
    pw_triple *cells; /* key: b, label: a */
} cell_list;

static int list_grow(cell_list *list, int64_t extra) {
    if (list->used + extra <= list->capacity) return PW_OK;
    const int64_t capacity = list->capacity * 2 + extra;
    pw_triple *cells = realloc(list->cells, (size_t)capacity * sizeof *cells);
    if (cells == NULL) return PW_NO_MEMORY;
    list->cells = cells;
    list->capacity = capacity;
    return PW_OK;
}

/* The leading bits are the number of the part; `slot_hash` gives the slot inside the part. */
static inline uint64_t pair_hash(uint64_t a, uint64_t b) {
    return a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03);
}

static inline uint64_t slot_hash(uint64_t a, uint64_t b) {
    uint64_t h = pair_hash(a, b);
    h = (h ^ h >> 32) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 29;
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Labels from .. from + count as 64-bit patterns: where they are, or widened in `block`. */
static const uint64_t *patterns(const pw_labels *v, int64_t from, int64_t count, uint64_t *block) {
    if (v->itemsize == 8) return (const uint64_t *)v->data + from;
    pw_load_u64(v, from, count, 0, block);
    return block;
}

/* Pairs split by the leading bits of their hash: part p lies in begins[p] .. ends[p]. */
typedef struct {
    int bits;
    int64_t begins[((size_t)1 << PW_PART_BITS_MOST) + 1];
    int64_t ends[(size_t)1 << PW_PART_BITS_MOST];
    raw_pair *pairs;
} pair_parts;

static inline uint64_t part_of(const pair_parts *parts, uint64_t a, uint64_t b) {
    return parts->bits == 0 ? 0 : pair_hash(a, b) >> (64 - parts->bits);
}

static int count_parts(const pw_labels *a, const pw_labels *b, pair_parts *parts,
                       const pw_poll *poll) {
    uint64_t a_block[PW_BLOCK];
    uint64_t b_block[PW_BLOCK];
    memset(parts->begins, 0, sizeof parts->begins);
    for (int64_t i = 0; i < a->n; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, a->n - i);
        const uint64_t *rows = patterns(a, i, count, a_block);
        const uint64_t *cols = patterns(b, i, count, b_block);
        for (int64_t j = 0; j < count; j++) parts->begins[part_of(parts, rows[j], cols[j]) + 1]++;
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    for (int64_t p = 0; p < (int64_t)1 << parts->bits; p++)
        parts->begins[p + 1] += parts->begins[p];
    return PW_OK;
}

/* Moves pairs to their parts. PW_CROWDED: a part is full. */
static int fill_parts(const pw_labels *a, const pw_labels *b, pair_parts *parts,
                      const pw_poll *poll) {
    uint64_t a_block[PW_BLOCK];
    uint64_t b_block[PW_BLOCK];
    memcpy(parts->ends, parts->begins, sizeof parts->ends);
    for (int64_t i = 0; i < a->n; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, a->n - i);
        const uint64_t *rows = patterns(a, i, count, a_block);
        const uint64_t *cols = patterns(b, i, count, b_block);
        for (int64_t j = 0; j < count; j++) {
            const raw_pair pair = {rows[j], cols[j]}; /* once: they may be the caller's */
            const uint64_t p = part_of(parts, pair.a, pair.b);
            const int64_t at = parts->ends[p];
            if (at == parts->begins[p + 1]) return PW_CROWDED;
            parts->pairs[at] = pair;
            parts->ends[p] = at + 1;
        }
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* Hashes spread evenly, so parts of equal size with some room mostly suffice, which saves a pass
 * over the labels. Where few cells hold many items they do not, and parts are counted first. */
static int split(const pw_labels *a, const pw_labels *b, pair_parts *parts, pw_scratch *scratch,
                 const pw_poll *poll) {
    const int64_t n = a->n;
    parts->bits = pw_bits((uint64_t)n) - PW_WIDE_ITEM_BITS;
    if (parts->bits < 0) parts->bits = 0;
    if (parts->bits > PW_PART_BITS_MOST) parts->bits = PW_PART_BITS_MOST;
    const int64_t n_parts = (int64_t)1 << parts->bits;
    const int64_t even = n / n_parts;
    const int64_t room = even + even / PW_WIDE_ROOM + 64;
    parts->pairs =
        pw_scratch_take(scratch, PW_SLOT_KEYS, n_parts * room * (int64_t)sizeof *parts->pairs);
    if (parts->pairs == NULL) return PW_NO_MEMORY;
    for (int64_t p = 0; p <= n_parts; p++) parts->begins[p] = p * room;
    int status = pw_touch(parts->pairs, n_parts * room * (int64_t)sizeof *parts->pairs, poll);
    if (status == PW_OK) status = fill_parts(a, b, parts, poll);
    if (status != PW_CROWDED) return status;
    status = count_parts(a, b, parts, poll);
    return status == PW_OK ? fill_parts(a, b, parts, poll) : status;
}

/* Adds the equal pairs of one part up at the end of `list`, which has room for `most`. A slot is
 * the pair's hash above its place in the part plus 1; 0 is free. `table` has 2^slot_bits slots.
 * Returns how many pairs there are, -1 if more than `most`, -2 if they collide too often. */
static int64_t aggregate(const raw_pair *pairs, int64_t n, uint64_t *table, int slot_bits,
                         int64_t most, cell_list *list) {
    const uint64_t mask = ((uint64_t)1 << slot_bits) - 1;
    pw_triple *cells = list->cells + list->used;
    int64_t probes = PW_PROBES_PER_ITEM * n + 1024;
    int64_t found = 0;
    memset(table, 0, (mask + 1) * sizeof *table);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t a = pairs[i].a;
        const uint64_t b = pairs[i].b;
        const uint64_t hash = slot_hash(a, b);
        const uint64_t tag = hash & TAG_MASK;
        uint64_t at = hash & mask;
        for (;;) {
            const uint64_t slot = table[at];
            if (slot == 0) {
                if (found == most) return -1;
                cells[found++] = (pw_triple){b, a, 1};
                table[at] = tag | (uint64_t)found;
                break;
            }
            pw_triple *cell = cells + (slot & ~TAG_MASK) - 1;
            if ((slot & TAG_MASK) == tag && cell->label == a && cell->key == b) {
                cell->count++;
                break;
            }
            at = (at + 1) & mask;
            if (--probes < 0) return -2;
        }
    }
    return found;
}

/* Begins with slots for twice as many pairs as are expected, and with more if that was too few. */
static int aggregate_part(const raw_pair *pairs, int64_t n, int64_t expected, cell_list *list,
                          pw_scratch *scratch) {
    int64_t found = n <= UINT32_MAX ? -1 : -2;
    for (int64_t wanted = expected; found == -1; wanted = 4 * wanted) {
        const int slot_bits = pw_bits((uint64_t)(wanted < 512 ? 512 : wanted)) + 2;
        const int64_t slots = (int64_t)1 << slot_bits;
        const int64_t most = pw_min64(slots - slots / 4, n);
        uint64_t *table = pw_scratch_take(scratch, PW_SLOT_COUNTERS, slots * 8);
        if (table == NULL || list_grow(list, most) != PW_OK) return PW_NO_MEMORY;
        found = aggregate(pairs, n, table, slot_bits, most, list);
    }
    if (found == -2) return PW_CROWDED;
    list->used += found;
    return PW_OK;
}

static int add_up_pairs(const pw_labels *a, const pw_labels *b, cell_list *list,
                        pw_scratch *scratch, const pw_poll *poll) {
    pair_parts parts;
    int status = split(a, b, &parts, scratch, poll);
    int64_t done = 0;
    for (int64_t p = 0; p < (int64_t)1 << parts.bits && status == PW_OK; p++) {
        const int64_t count = parts.ends[p] - parts.begins[p];
        if (count == 0) continue;
        int64_t expected = count / 4;
        if (done > 0) expected = (int64_t)((double)count * (double)list->used / (double)done);
        status = aggregate_part(parts.pairs + parts.begins[p], count, expected, list, scratch);
        done += count;
        if (status == PW_OK && p % 64 == 0 && pw_stop(poll)) status = PW_STOPPED;
    }
    return status;
}

/* ---- numbering --------------------------------------------------------------------------- */

/* Labels of a side, turned so that their unsigned order is that of the type. */
typedef struct {
    uint64_t flip;
    uint64_t least;
    uint64_t most;
} label_range;

static inline void widen(label_range *range, uint64_t label) {
    const uint64_t x = label ^ range->flip;
    range->least = x < range->least ? x : range->least;
    range->most = x > range->most ? x : range->most;
}

static label_range no_labels(int is_signed) {
    return (label_range){is_signed ? UINT64_C(1) << 63 : 0, UINT64_MAX, 0};
}

static int start_table(pw_table *table, int64_t n, const pw_poll *poll) {
    table->n_cells = n;
    const int64_t bytes = n * (int64_t)sizeof(int64_t);
    table->row_values = pw_large_malloc(bytes);
    table->col_values = pw_large_malloc(bytes);
    table->indptr = pw_large_malloc(bytes + (int64_t)sizeof *table->indptr);
    table->row_sizes = pw_large_malloc(bytes);
    table->col_sizes = pw_large_malloc(bytes);
    table->cols = pw_large_malloc(bytes);
    table->counts = pw_large_malloc(bytes);
    const int whole = table->row_values && table->col_values && table->indptr && table->row_sizes &&
                      table->col_sizes && table->cols && table->counts;
    return whole ? pw_zeros(table->col_sizes, bytes, poll) : PW_NO_MEMORY;
}

static void shrink_table(pw_table *table) {
    table->row_values = (uint64_t *)pw_shrink((int64_t *)table->row_values, table->n_rows);
    table->col_values = (uint64_t *)pw_shrink((int64_t *)table->col_values, table->n_cols);
    table->indptr = pw_shrink(table->indptr, table->n_rows + 1);
    table->row_sizes = pw_shrink(table->row_sizes, table->n_rows);
    table->col_sizes = pw_shrink(table->col_sizes, table->n_cols);
}

/* Cells sorted by b, then (a stable sort) by a. From then on a pair's value is its column above its
 * count. Precondition: all counts are below 2^32. */
static int number_cells(const cell_list *list, int a_signed, int b_signed, pw_table *table,
                        pw_scratch *scratch, const pw_poll *poll) {
    const int64_t n = list->used;
    pw_triple *cells = list->cells;
    void *memory = pw_scratch_take(scratch, PW_SLOT_SPARE, n * (int64_t)sizeof *cells);
    pw_pair *pairs = pw_scratch_take(scratch, PW_SLOT_KEYS, n * (int64_t)sizeof *pairs);
    if (pairs == NULL || memory == NULL) return PW_NO_MEMORY;
    int status = start_table(table, n, poll);
    label_range rows = no_labels(a_signed);
    label_range columns = no_labels(b_signed);
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_ITEMS); i < stop; i++) {
            widen(&rows, cells[i].label);
            widen(&columns, cells[i].key);
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    const uint64_t low = columns.least ^ columns.flip;
    const uint64_t a_low = rows.least ^ rows.flip;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_ITEMS); i < stop; i++) {
            cells[i].key -= low;
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    const int bits = pw_bits(columns.most - columns.least);
    if (status == PW_OK) status = pw_touch(memory, n * (int64_t)sizeof *cells, poll);
    if (status == PW_OK) status = pw_sort_triples_with(cells, memory, n, bits, poll);
    if (status != PW_OK) return status;
    int64_t used = 0;
    uint64_t before = ~cells[0].key;
    for (int64_t i = 0; i < n;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            used += cells[i].key != before;
            before = cells[i].key;
            table->col_values[used - 1] = low + before;
            table->col_sizes[used - 1] += cells[i].count;
            pairs[i] = (pw_pair){cells[i].label - a_low, (used - 1) << 32 | cells[i].count};
        }
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    table->n_cols = used;
    status = pw_sort_pairs_with(pairs, memory, n, pw_bits(rows.most - rows.least), poll);
    if (status != PW_OK) return status;
    used = 0;
    before = ~pairs[0].key;
    int64_t size = 0;
    for (int64_t i = 0; i < n;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            const int64_t count = pairs[i].value & UINT32_MAX;
            const int fresh = pairs[i].key != before;
            size = fresh ? count : size + count;
            used += fresh;
            before = pairs[i].key;
            table->row_values[used - 1] = a_low + before;
            table->row_sizes[used - 1] = size;
            table->indptr[used] = i + 1;
            table->cols[i] = pairs[i].value >> 32;
            table->counts[i] = count;
        }
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    table->indptr[0] = 0;
    table->n_rows = used;
    shrink_table(table);
    return PW_OK;
}

/* For any counts, also where the same (a, b) comes more than once: encodes the labels of both
 * sides and collapses. */
static int number_and_collapse(const pw_labels *a, const pw_labels *b, const int64_t *counts,
                               pw_table *table, const pw_poll *poll) {
    const int64_t n = a->n;
    int64_t *rows = pw_large_malloc(n * (int64_t)sizeof *rows);
    int64_t *cols = pw_large_malloc(n * (int64_t)sizeof *cols);
    int status = rows == NULL || cols == NULL ? PW_NO_MEMORY : PW_OK;
    if (status == PW_OK) status = pw_encode(a, rows, &table->row_values, &table->n_rows, poll);
    if (status == PW_OK) status = pw_encode(b, cols, &table->col_values, &table->n_cols, poll);
    if (status == PW_OK) {
        table->indptr = malloc((size_t)(table->n_rows + 1) * sizeof *table->indptr);
        table->row_sizes = malloc((size_t)table->n_rows * sizeof *table->row_sizes);
        table->col_sizes = malloc((size_t)table->n_cols * sizeof *table->col_sizes);
        if (!table->indptr || !table->row_sizes || !table->col_sizes) status = PW_NO_MEMORY;
    }
    if (status == PW_OK) {
        status = pw_collapse(rows, cols, counts, n, table->n_rows, table->n_cols, table->indptr,
                             &table->cols, &table->counts, &table->n_cells, poll);
    }
    free(rows);
    free(cols);
    if (status != PW_OK) return status;
    return pw_margins(table->indptr, table->cols, table->counts, table->n_rows, table->n_cols,
                      table->row_sizes, table->col_sizes, poll);
}

/* The same as number_cells, for any counts. */
static int number_huge_cells(const cell_list *list, int a_signed, int b_signed, pw_table *table,
                             const pw_poll *poll) {
    const int64_t n = list->used;
    uint64_t *labels = malloc((size_t)n * 2 * sizeof *labels);
    int64_t *counts = malloc((size_t)n * sizeof *counts);
    int status = labels == NULL || counts == NULL ? PW_NO_MEMORY : PW_OK;
    for (int64_t i = 0; i < n && status == PW_OK; i++) {
        labels[i] = list->cells[i].label;
        labels[n + i] = list->cells[i].key;
        counts[i] = list->cells[i].count;
    }
    /* the widened labels keep the sign of their type, so that numbers ascend as labels do */
    const pw_labels a = {labels, n, 8, a_signed};
    const pw_labels b = {labels + n, n, 8, b_signed};
    if (status == PW_OK) status = number_and_collapse(&a, &b, counts, table, poll);
    free(labels);
    free(counts);
    return status;
}

/* Sorts all items instead of hashing them, which no choice of ids slows down. */
static int without_hashing(const pw_labels *a, const pw_labels *b, pw_table *table,
                           const pw_poll *poll) {
    int64_t *ones = malloc((size_t)a->n * sizeof *ones);
    if (ones == NULL) return PW_NO_MEMORY;
    for (int64_t i = 0; i < a->n; i++) ones[i] = 1;
    const int status = number_and_collapse(a, b, ones, table, poll);
    free(ones);
    return status;
}

int pw_meet_wide(const pw_labels *a, const pw_labels *b, pw_scratch *scratch, pw_table *table,
                 const pw_poll *poll) {
    memset(table, 0, sizeof *table);
    cell_list list = {0, a->n / 4 + 64, NULL};
    list.cells = pw_large_malloc(list.capacity * (int64_t)sizeof *list.cells);
    if (list.cells == NULL) return PW_NO_MEMORY;
    int status = add_up_pairs(a, b, &list, scratch, poll);
    if (status == PW_OK && a->n <= PW_WIDE_SMALL) {
        status = number_cells(&list, a->is_signed, b->is_signed, table, scratch, poll);
    } else if (status == PW_OK) {
        status = number_huge_cells(&list, a->is_signed, b->is_signed, table, poll);
    }
    free(list.cells);
    if (status == PW_CROWDED) status = without_hashing(a, b, table, poll);
    if (status != PW_OK) pw_table_free(table);
    return status;
}
