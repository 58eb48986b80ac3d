/* Clusters and counts of a search; see the header.
 *
 * Counts are kept for every cluster of a draw (a row) by the clusters of the candidate. Dense: a
 * row is an array, with the gain of each count beside it, so that a candidate's cost is a sum of
 * rows, read in order. Sparse: a row is a list of (cluster, count) with room for as many clusters
 * as the row has items, so that the memory does not depend on the number of clusters. An item
 * knows where the lists of its clusters stand, so that a draw costs one access to far memory.
 */
#include "pw_consensus_state.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 8

static int64_t n_rows(const pw_consensus_state *s) {
    return s->of->starts[s->of->n_draws];
}

/* ---- room ---------------------------------------------------------------------------- */

int pw_consensus_grow(void **array, size_t bytes) {
    void *larger = realloc(*array, bytes > 0 ? bytes : 1);
    if (larger == NULL) return PW_NO_MEMORY;
    *array = larger;
    return PW_OK;
}

/* Rows of a wider table, from the last to the first, what is new 0. */
static int widen(uint32_t **table, int64_t rows, int64_t old, int64_t wide) {
    if (pw_consensus_grow((void **)table, (size_t)(rows * wide) * sizeof(uint32_t)) != PW_OK)
        return PW_NO_MEMORY;
    for (int64_t r = rows - 1; r >= 0; r--) {
        memmove(*table + r * wide, *table + r * old, (size_t)old * sizeof(uint32_t));
        memset(*table + r * wide + old, 0, (size_t)(wide - old) * sizeof(uint32_t));
    }
    return PW_OK;
}

static int reserve_dense(pw_consensus_state *s, int64_t wide) {
    if (pw_consensus_grow((void **)&s->partial, (size_t)wide * sizeof(uint32_t)) != PW_OK)
        return PW_NO_MEMORY;
    if (widen(&s->counts, n_rows(s), s->capacity, wide) != PW_OK) return PW_NO_MEMORY;
    if (!s->needs_gains) return PW_OK;
    return widen(&s->gains, n_rows(s), s->capacity, wide);
}

static int reserve_scored(pw_consensus_state *s, int64_t wide) {
    const size_t parts = (size_t)(wide * s->of->n_draws);
    if (pw_consensus_grow((void **)&s->parts, parts * sizeof(pw_consensus_part)) != PW_OK ||
        pw_consensus_grow((void **)&s->head, (size_t)wide * sizeof(int64_t)) != PW_OK)
        return PW_NO_MEMORY;
    pw_consensus_clear_parts(s, s->capacity, wide);
    return PW_OK;
}

int pw_consensus_reserve(pw_consensus_state *s, int64_t capacity) {
    const int64_t old = s->capacity;
    if (capacity <= old) return PW_OK;
    int64_t wide = old < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * old;
    if (wide < capacity) wide = capacity;
    const size_t room = (size_t)wide * sizeof(int64_t);
    if (pw_consensus_grow((void **)&s->sizes, room) != PW_OK ||
        pw_consensus_grow((void **)&s->candidates, room) != PW_OK ||
        pw_consensus_grow((void **)&s->sums, room) != PW_OK ||
        pw_consensus_grow((void **)&s->losses, room + sizeof(double)) != PW_OK ||
        pw_consensus_grow((void **)&s->met_counts, room) != PW_OK ||
        pw_consensus_grow((void **)&s->slot, room) != PW_OK)
        return PW_NO_MEMORY;
    for (int64_t k = old; k < wide; k++) {
        s->sizes[k] = 0;
        s->slot[k] = -1;
    }
    if (pw_consensus_is_dense(s) && reserve_dense(s, wide) != PW_OK) return PW_NO_MEMORY;
    if (s->of->loss == PW_LOSS_SPLIT_MERGE && reserve_scored(s, wide) != PW_OK) return PW_NO_MEMORY;
    s->capacity = wide;
    return PW_OK;
}

void pw_consensus_release(pw_consensus_state *s) {
    free(s->sizes);
    free(s->cells);
    free(s->counts);
    free(s->gains);
    free(s->partial);
    free(s->entries);
    free(s->offsets);
    free(s->slot);
    free(s->candidates);
    free(s->sums);
    free(s->losses);
    free(s->met_counts);
    free(s->function);
    free(s->parts);
    free(s->row_parts);
    free(s->row_sizes);
    free(s->next);
    free(s->previous);
    free(s->head);
}

/* Whether a loop over items and all draws is to stop before item i. */
static int stopped_at(const pw_consensus_state *s, int64_t i) {
    const int64_t draws = s->of->n_draws, items = 1 + PW_CONSENSUS_STEPS / draws;
    return i % items == 0 && pw_stop(s->poll);
}

/* Sizes of the clusters of the draws. */
static int count_rows(const pw_consensus_state *s, uint32_t *sizes) {
    const pw_ensemble *of = s->of;
    for (int64_t i = 0; i < of->n; i++) {
        if (stopped_at(s, i)) return PW_STOPPED;
        for (int64_t d = 0; d < of->n_draws; d++) sizes[pw_consensus_row(s, i, d)]++;
    }
    return PW_OK;
}

static int begin_sparse(pw_consensus_state *s) {
    const pw_ensemble *of = s->of;
    const int64_t cells = of->n * of->n_draws;
    uint32_t *offsets = calloc((size_t)n_rows(s), sizeof(uint32_t));
    s->offsets = malloc((size_t)cells * sizeof(uint32_t));
    s->entries = malloc((size_t)(cells + n_rows(s)) * sizeof(pw_consensus_entry));
    if (offsets == NULL || s->offsets == NULL || s->entries == NULL) {
        free(offsets);
        return PW_NO_MEMORY;
    }
    int status = count_rows(s, offsets);
    for (int64_t d = 0; status == PW_OK && d < of->n_draws; d++) {
        if (pw_stop(s->poll)) status = PW_STOPPED;
        pw_consensus_entry *lists = s->entries + d * of->n + of->starts[d];
        uint32_t first = 0; /* below n and the clusters of the draw, so below 2^32 */
        for (int64_t row = of->starts[d]; row < of->starts[d + 1]; row++) {
            const uint32_t size = offsets[row];
            offsets[row] = first;
            lists[first].count = 0;
            first += size + 1;
        }
    }
    for (int64_t i = 0; status == PW_OK && i < of->n; i++) {
        if (stopped_at(s, i)) status = PW_STOPPED;
        for (int64_t d = 0; d < of->n_draws; d++)
            s->offsets[i * of->n_draws + d] = offsets[pw_consensus_row(s, i, d)];
    }
    free(offsets);
    return status;
}

static int begin_scored(pw_consensus_state *s) {
    const pw_ensemble *of = s->of;
    s->function = malloc((size_t)(of->n + 1) * sizeof(uint64_t));
    s->row_parts = malloc((size_t)n_rows(s) * sizeof(pw_consensus_part));
    s->row_sizes = calloc((size_t)n_rows(s), sizeof(uint32_t));
    s->next = malloc((size_t)of->n * sizeof(int64_t));
    s->previous = malloc((size_t)of->n * sizeof(int64_t));
    if (s->function == NULL || s->row_parts == NULL || s->row_sizes == NULL || s->next == NULL ||
        s->previous == NULL)
        return PW_NO_MEMORY;
    s->function[0] = 0;
    for (int64_t x = 0; x < of->n; x++) s->function[x + 1] = s->function[x] + of->gain[x];
    return count_rows(s, s->row_sizes);
}

int pw_consensus_begin(pw_consensus_state *s, const pw_ensemble *of, int64_t *labels,
                       const pw_poll *poll) {
    memset(s, 0, sizeof *s);
    s->of = of;
    s->poll = poll;
    s->labels = labels;
    s->narrow = 1;
    for (int64_t d = 0; d < of->n_draws; d++) {
        s->weight += of->weights[d];
        if (of->weights[d] != 1) s->narrow = 0;
    }
    for (int64_t x = 0; x < of->n; x++) {
        if (of->gain[x] != (uint64_t)x) s->needs_gains = 1;
        if (of->gain[x] > UINT32_MAX / PW_CONSENSUS_ROWS) s->narrow = 0;
    }
    s->cells = calloc((size_t)of->n_draws, sizeof(uint64_t));
    if (s->cells == NULL) return PW_NO_MEMORY;
    int status = pw_consensus_is_dense(s) ? PW_OK : begin_sparse(s);
    if (status == PW_OK && of->loss == PW_LOSS_SPLIT_MERGE) status = begin_scored(s);
    return status == PW_OK ? pw_consensus_reserve(s, FIRST_CAPACITY) : status;
}

/* ---- an item enters or leaves a cluster ------------------------------------------------ */

static uint32_t index_in(const pw_consensus_entry *list, int64_t k) {
    uint32_t at = 1;
    while (at <= list[0].count && list[at].cluster != (uint64_t)k) at++;
    return at;
}

uint32_t pw_consensus_shared(const pw_consensus_state *s, int64_t i, int64_t d, int64_t k) {
    if (pw_consensus_is_dense(s)) return s->counts[pw_consensus_row(s, i, d) * s->capacity + k];
    const pw_consensus_entry *list = pw_consensus_list(s, i, d);
    const uint32_t at = index_in(list, k);
    return at <= list[0].count ? list[at].count : 0;
}

static void enter_dense(pw_consensus_state *s, int64_t i, int64_t d, int64_t k) {
    const uint32_t *gain = s->of->gain;
    const int64_t cell = pw_consensus_row(s, i, d) * s->capacity + k;
    const uint32_t count = s->counts[cell]++;
    s->cells[d] += gain[count];
    /* a count of n has no step: nobody is left to join it */
    if (s->needs_gains) s->gains[cell] = count + 1 < s->of->n ? gain[count + 1] : 0;
}

static void enter_sparse(pw_consensus_state *s, int64_t i, int64_t d, int64_t k) {
    pw_consensus_entry *list = pw_consensus_list(s, i, d);
    const uint32_t at = index_in(list, k);
    if (at > list[0].count) {
        list[at].cluster = (uint32_t)k;
        list[at].count = 0;
        list[0].count++;
    }
    s->cells[d] += s->of->gain[list[at].count++];
}

static void leave_dense(pw_consensus_state *s, int64_t i, int64_t d, int64_t k) {
    const int64_t cell = pw_consensus_row(s, i, d) * s->capacity + k;
    const uint32_t gained = s->of->gain[--s->counts[cell]];
    s->cells[d] -= gained;
    if (s->needs_gains) s->gains[cell] = gained;
}

static void leave_sparse(pw_consensus_state *s, int64_t i, int64_t d, int64_t k) {
    pw_consensus_entry *list = pw_consensus_list(s, i, d);
    const uint32_t at = index_in(list, k);
    s->cells[d] -= s->of->gain[--list[at].count];
    if (list[at].count == 0) list[at] = list[list[0].count--];
}

void pw_consensus_enter(pw_consensus_state *s, int64_t i, int64_t k) {
    const int64_t draws = s->of->n_draws;
    if (pw_consensus_is_dense(s)) {
        for (int64_t d = 0; d < draws; d++) enter_dense(s, i, d, k);
    } else {
        for (int64_t d = 0; d < draws; d++) enter_sparse(s, i, d, k);
    }
    s->total += s->of->gain[s->sizes[k]];
    if (s->sizes[k]++ == 0) s->clusters++;
    if (k >= s->used) s->used = k + 1;
    s->labels[i] = k;
}

void pw_consensus_leave(pw_consensus_state *s, int64_t i) {
    const int64_t draws = s->of->n_draws, k = s->labels[i];
    if (pw_consensus_is_dense(s)) {
        for (int64_t d = 0; d < draws; d++) leave_dense(s, i, d, k);
    } else {
        for (int64_t d = 0; d < draws; d++) leave_sparse(s, i, d, k);
    }
    s->total -= s->of->gain[--s->sizes[k]];
    if (s->sizes[k] == 0) s->clusters--;
    while (s->used > 0 && s->sizes[s->used - 1] == 0) s->used--;
    s->labels[i] = -1;
}

void pw_consensus_fetch(const pw_consensus_state *s, int64_t i) {
    if (pw_consensus_is_dense(s)) return; /* rows that fit in the cache */
    for (int64_t d = 0; d < s->of->n_draws; d++) __builtin_prefetch(pw_consensus_list(s, i, d));
}
