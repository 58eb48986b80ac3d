/* The search for a clustering of least expected loss; see the header.
 *
 * Counts are kept for every cluster of a draw (a row) by the clusters of the candidate. Dense: a
 * row is an array, with the gain of each count beside it, so that a candidate's cost is a sum of
 * rows, read in order. Sparse: a row is a list of (cluster, count) with room for as many clusters
 * as the row has items, so that the memory does not depend on the number of clusters.
 */
#include "pw_consensus.h"

#include <stdlib.h>
#include <string.h>

#include "pw_random.h"

/* Rows whose gains are added in 32 bits where they fit. */
#define ROWS_IN_32_BITS 32
#define FIRST_CAPACITY 8
/* The cost of joining, in fractions of 2^16, where splitting costs the same. */
#define EQUAL_COSTS (1 << 16)
/* In place of a cluster: one that is still to be made, and none at all. */
#define NEW_CLUSTER (-1)
#define NOWHERE (-2)
/* Items between two polls, over the draws. */
#define POLL_READS ((int64_t)1 << 24)

typedef struct {
    uint32_t cluster;
    uint32_t count;
} entry;

typedef struct {
    const pw_ensemble *of;
    int64_t *labels;  /* of the items, -1 for none */
    int64_t *sizes;   /* of the clusters, capacity entries; 0 for a free one */
    int64_t capacity; /* clusters that there is room for */
    int64_t used;     /* no cluster from here on has items */
    int64_t clusters; /* clusters with items */
    uint64_t total;   /* sum of F over the clusters */
    uint64_t *cells;  /* sum of F over the cells, of each draw */
    uint64_t weight;  /* of all draws */
    int narrow;       /* every weight is 1, and gains of ROWS_IN_32_BITS rows fit in 32 bits */
    int needs_gains;  /* the gain of a count is not the count itself */
    /* dense */
    uint32_t *counts;
    uint32_t *gains;
    uint32_t *partial; /* capacity */
    /* sparse */
    entry *entries;
    int64_t *row_first;
    uint32_t *row_length;
    int64_t *slot; /* capacity: where a cluster stands among those met, -1 for none */
    /* candidates of the item at hand */
    int64_t *candidates;  /* capacity */
    uint64_t *sums;       /* capacity: weighted gains */
    double *losses;       /* capacity, and one for a new cluster */
    uint32_t *met_counts; /* sparse and not linear: draws x candidates */
    int64_t met_room;
} search;

static int is_dense(const search *s) {
    return s->of->layout == PW_LAYOUT_DENSE;
}

static int64_t n_rows(const search *s) {
    return s->of->starts[s->of->n_draws];
}

/* ---- room ---------------------------------------------------------------------------- */

static int grow(void **array, size_t bytes) {
    void *larger = realloc(*array, bytes > 0 ? bytes : 1);
    if (larger == NULL) return PW_NO_MEMORY;
    *array = larger;
    return PW_OK;
}

/* Rows of a wider table, from the last to the first, the new places 0. */
static int widen(uint32_t **table, int64_t rows, int64_t old, int64_t wide) {
    if (grow((void **)table, (size_t)(rows * wide) * sizeof(uint32_t)) != PW_OK)
        return PW_NO_MEMORY;
    for (int64_t r = rows - 1; r >= 0; r--) {
        memmove(*table + r * wide, *table + r * old, (size_t)old * sizeof(uint32_t));
        memset(*table + r * wide + old, 0, (size_t)(wide - old) * sizeof(uint32_t));
    }
    return PW_OK;
}

static int reserve(search *s, int64_t capacity) {
    const int64_t old = s->capacity;
    if (capacity <= old) return PW_OK;
    int64_t wide = old < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * old;
    if (wide < capacity) wide = capacity;
    const size_t room = (size_t)wide * sizeof(int64_t);
    if (grow((void **)&s->sizes, room) != PW_OK || grow((void **)&s->candidates, room) != PW_OK ||
        grow((void **)&s->sums, room) != PW_OK ||
        grow((void **)&s->losses, room + sizeof(double)) != PW_OK ||
        grow((void **)&s->slot, room) != PW_OK)
        return PW_NO_MEMORY;
    for (int64_t k = old; k < wide; k++) {
        s->sizes[k] = 0;
        s->slot[k] = -1;
    }
    if (is_dense(s)) {
        if (grow((void **)&s->partial, (size_t)wide * sizeof(uint32_t)) != PW_OK)
            return PW_NO_MEMORY;
        if (widen(&s->counts, n_rows(s), old, wide) != PW_OK) return PW_NO_MEMORY;
        if (s->needs_gains && widen(&s->gains, n_rows(s), old, wide) != PW_OK) return PW_NO_MEMORY;
    }
    s->capacity = wide;
    return PW_OK;
}

static void release(search *s) {
    free(s->sizes);
    free(s->cells);
    free(s->counts);
    free(s->gains);
    free(s->partial);
    free(s->entries);
    free(s->row_first);
    free(s->row_length);
    free(s->slot);
    free(s->candidates);
    free(s->sums);
    free(s->losses);
    free(s->met_counts);
}

static int begin(search *s, const pw_ensemble *of, int64_t *labels) {
    memset(s, 0, sizeof *s);
    s->of = of;
    s->labels = labels;
    s->narrow = 1;
    for (int64_t d = 0; d < of->n_draws; d++) {
        s->weight += of->weights[d];
        if (of->weights[d] != 1) s->narrow = 0;
    }
    for (int64_t x = 0; x < of->n; x++) {
        if (of->gain[x] != (uint64_t)x) s->needs_gains = 1;
        if (of->gain[x] > UINT32_MAX / ROWS_IN_32_BITS) s->narrow = 0;
    }
    s->cells = calloc((size_t)of->n_draws, sizeof(uint64_t));
    if (s->cells == NULL) return PW_NO_MEMORY;
    if (is_dense(s)) return reserve(s, FIRST_CAPACITY);
    const int64_t rows = n_rows(s);
    s->row_first = calloc((size_t)rows + 1, sizeof(int64_t));
    s->row_length = calloc((size_t)rows, sizeof(uint32_t));
    s->entries = malloc((size_t)(of->n * of->n_draws) * sizeof(entry));
    if (s->row_first == NULL || s->row_length == NULL || s->entries == NULL) return PW_NO_MEMORY;
    for (int64_t i = 0; i < of->n; i++) {
        for (int64_t d = 0; d < of->n_draws; d++)
            s->row_first[of->starts[d] + of->codes[i * of->n_draws + d] + 1]++;
    }
    for (int64_t r = 0; r < rows; r++) s->row_first[r + 1] += s->row_first[r];
    return reserve(s, FIRST_CAPACITY);
}

/* ---- an item enters or leaves a cluster ------------------------------------------------ */

static void enter_row(search *s, int64_t d, int64_t row, int64_t k) {
    const uint32_t *gain = s->of->gain;
    if (is_dense(s)) {
        uint32_t *count = s->counts + row * s->capacity + k;
        s->cells[d] += gain[*count];
        ++*count;
        /* a count of n has no step: nobody is left to join it */
        if (s->needs_gains) s->gains[row * s->capacity + k] = *count < s->of->n ? gain[*count] : 0;
        return;
    }
    entry *list = s->entries + s->row_first[row];
    const uint32_t length = s->row_length[row];
    uint32_t at = 0;
    while (at < length && list[at].cluster != (uint64_t)k) at++;
    if (at == length) {
        list[at].cluster = (uint32_t)k;
        list[at].count = 0;
        s->row_length[row]++;
    }
    s->cells[d] += gain[list[at].count];
    list[at].count++;
}

static void leave_row(search *s, int64_t d, int64_t row, int64_t k) {
    const uint32_t *gain = s->of->gain;
    if (is_dense(s)) {
        uint32_t *count = s->counts + row * s->capacity + k;
        --*count;
        s->cells[d] -= gain[*count];
        if (s->needs_gains) s->gains[row * s->capacity + k] = gain[*count];
        return;
    }
    entry *list = s->entries + s->row_first[row];
    uint32_t at = 0;
    while (list[at].cluster != (uint64_t)k) at++;
    list[at].count--;
    s->cells[d] -= gain[list[at].count];
    if (list[at].count == 0) list[at] = list[--s->row_length[row]];
}

static void enter(search *s, int64_t i, int64_t k) {
    const pw_ensemble *of = s->of;
    const uint32_t *codes = of->codes + i * of->n_draws;
    for (int64_t d = 0; d < of->n_draws; d++) enter_row(s, d, of->starts[d] + codes[d], k);
    s->total += of->gain[s->sizes[k]];
    if (s->sizes[k]++ == 0) s->clusters++;
    if (k >= s->used) s->used = k + 1;
    s->labels[i] = k;
}

static void leave(search *s, int64_t i) {
    const pw_ensemble *of = s->of;
    const uint32_t *codes = of->codes + i * of->n_draws;
    const int64_t k = s->labels[i];
    for (int64_t d = 0; d < of->n_draws; d++) leave_row(s, d, of->starts[d] + codes[d], k);
    s->total -= of->gain[--s->sizes[k]];
    if (s->sizes[k] == 0) s->clusters--;
    while (s->used > 0 && s->sizes[s->used - 1] == 0) s->used--;
    s->labels[i] = -1;
}

/* ---- what a candidate costs ------------------------------------------------------------ */

/* Loss of one draw, by sums of F over the clusters of both (u, v), and over their cells (c). */
static double loss_of(int loss, double u, double v, double c, double most) {
    const double smaller = u < v ? u : v;
    double above, below, chance;
    switch (loss) {
    case PW_LOSS_RAND:
        chance = v * u / most;
        above = c - chance;
        below = (v + u) / 2 - chance;
        return below == 0 ? 0 : 1 - above / below;
    case PW_LOSS_NORMALIZED:
        above = u + v - 2 * c;
        below = most - c;
        return below == 0 ? 0 : above / below;
    case PW_LOSS_DISTANCE:
        return u + v - c - smaller;
    default:
        above = most + c - u - v;
        below = most - smaller;
        return below == 0 ? 0 : 1 - above / below;
    }
}

/* The clusters that share a row with item i, and the weighted sums of their gains. Dense: all
 * clusters up to `used`, in order; sparse: those met, in the order in which they are met. */
static int64_t sum_gains_dense(search *s, const uint32_t *codes) {
    const pw_ensemble *of = s->of;
    const uint32_t *table = s->needs_gains ? s->gains : s->counts;
    const int64_t used = s->used;
    memset(s->sums, 0, (size_t)used * sizeof(uint64_t));
    if (s->narrow) {
        uint32_t *restrict partial = s->partial;
        for (int64_t d = 0; d < of->n_draws;) {
            const int64_t stop = pw_min64(of->n_draws, d + ROWS_IN_32_BITS);
            memset(partial, 0, (size_t)used * sizeof(uint32_t));
            for (; d < stop; d++) {
                const uint32_t *restrict row = table + (of->starts[d] + codes[d]) * s->capacity;
                for (int64_t k = 0; k < used; k++) partial[k] += row[k];
            }
            for (int64_t k = 0; k < used; k++) s->sums[k] += partial[k];
        }
    } else {
        uint64_t *restrict sums = s->sums;
        for (int64_t d = 0; d < of->n_draws; d++) {
            const uint32_t *restrict row = table + (of->starts[d] + codes[d]) * s->capacity;
            const uint64_t weight = of->weights[d];
            for (int64_t k = 0; k < used; k++) sums[k] += weight * row[k];
        }
    }
    int64_t met = 0;
    for (int64_t k = 0; k < used; k++) {
        if (s->sums[k] == 0) continue;
        s->sums[met] = s->sums[k];
        s->candidates[met++] = k;
    }
    return met;
}

static int64_t sum_gains_sparse(search *s, const uint32_t *codes) {
    const pw_ensemble *of = s->of;
    int64_t met = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const int64_t row = of->starts[d] + codes[d];
        const entry *list = s->entries + s->row_first[row];
        const uint64_t weight = of->weights[d];
        for (uint32_t at = 0; at < s->row_length[row]; at++) {
            const int64_t k = list[at].cluster;
            if (s->slot[k] < 0) {
                s->slot[k] = met;
                s->candidates[met] = k;
                s->sums[met++] = 0;
            }
            s->sums[s->slot[k]] += weight * of->gain[list[at].count];
        }
    }
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = -1;
    return met;
}

/* Losses of the first `met` candidates and of a new cluster, which is the last. */
static int sum_losses(search *s, const uint32_t *codes, int64_t met) {
    const pw_ensemble *of = s->of;
    if (!is_dense(s)) {
        if (met > s->met_room) {
            if (grow((void **)&s->met_counts, (size_t)met * sizeof(uint32_t)) != PW_OK)
                return PW_NO_MEMORY;
            s->met_room = met;
        }
        for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = m;
    }
    for (int64_t m = 0; m <= met; m++) s->losses[m] = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const int64_t row = of->starts[d] + codes[d];
        const uint32_t *counts = s->met_counts;
        if (is_dense(s)) {
            counts = s->counts + row * s->capacity;
        } else {
            for (int64_t m = 0; m < met; m++) s->met_counts[m] = 0;
            const entry *list = s->entries + s->row_first[row];
            for (uint32_t at = 0; at < s->row_length[row]; at++)
                s->met_counts[s->slot[list[at].cluster]] = list[at].count;
        }
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const uint32_t count = is_dense(s) ? counts[k] : counts[m];
            const double v = (double)(s->total + of->gain[s->sizes[k]]);
            const double c = (double)(s->cells[d] + of->gain[count]);
            s->losses[m] += (double)of->weights[d] * loss_of(of->loss, of->sums[d], v, c, of->most);
        }
        const double v = (double)(s->total + of->gain[0]);
        const double c = (double)(s->cells[d] + of->gain[0]);
        s->losses[met] += (double)of->weights[d] * loss_of(of->loss, of->sums[d], v, c, of->most);
    }
    if (!is_dense(s)) {
        for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = -1;
    }
    return PW_OK;
}

/* First free cluster. */
static int64_t free_cluster(const search *s) {
    if (s->clusters == s->used) return s->used;
    int64_t k = 0;
    while (s->sizes[k] != 0) k++;
    return k;
}

/* The cluster with the most items, the first of them: where an item goes that meets none, when no
 * new one may be made, costs more or less the same everywhere; this keeps the result stated. */
static int64_t largest_cluster(const search *s) {
    int64_t best = 0;
    for (int64_t k = 1; k < s->used; k++) {
        if (s->sizes[k] > s->sizes[best]) best = k;
    }
    return best;
}

/* Whether a candidate that costs as much as the one chosen so far is preferred to it: the cluster
 * that the item comes from, else the first cluster, and a new one only where it had one alone. */
static int preferred(int64_t k, int64_t chosen, int64_t old) {
    if (chosen == old) return 0;
    return k == old || chosen == NEW_CLUSTER || k < chosen;
}

/* Where item i, which has no cluster now, costs least; old is where it comes from: a cluster,
 * NEW_CLUSTER where it was alone, or NOWHERE. best may be NEW_CLUSTER. While some items have no
 * cluster, the sums of the draws are over more items than those of the candidate, so only the
 * linear loss means something: others then take that of their F with equal costs. */
static int best_cluster(search *s, int64_t i, int64_t old, int64_t max_clusters, int64_t *best) {
    const pw_ensemble *of = s->of;
    const uint32_t *codes = of->codes + i * of->n_draws;
    const int may_be_new = s->clusters < max_clusters || s->clusters == 0;
    const int64_t met = is_dense(s) ? sum_gains_dense(s, codes) : sum_gains_sparse(s, codes);
    int64_t chosen = may_be_new ? NEW_CLUSTER : NOWHERE;
    if (of->loss == PW_LOSS_LINEAR || old == NOWHERE) {
        /* join gain(size) - 2 (sum of gains), over 2^16 and the draws; gain[0] is 0 */
        const int64_t one = of->loss == PW_LOSS_LINEAR ? of->join : EQUAL_COSTS;
        const pw_i128 join = (pw_i128)one * (int64_t)s->weight;
        pw_i128 least = 0;
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const pw_i128 cost = join * of->gain[s->sizes[k]] - ((pw_i128)s->sums[m] * (1 << 17));
            if (chosen == NOWHERE || cost < least || (cost == least && preferred(k, chosen, old))) {
                chosen = k;
                least = cost;
            }
        }
    } else {
        if (sum_losses(s, codes, met) != PW_OK) return PW_NO_MEMORY;
        double least = s->losses[met];
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const double cost = s->losses[m];
            if (chosen == NOWHERE || cost < least || (cost == least && preferred(k, chosen, old))) {
                chosen = k;
                least = cost;
            }
        }
    }
    *best = chosen == NOWHERE ? largest_cluster(s) : chosen;
    return PW_OK;
}

/* Let an item enter the cluster that was chosen. */
static int settle(search *s, int64_t i, int64_t chosen, int64_t *cluster) {
    if (chosen == NEW_CLUSTER) {
        chosen = free_cluster(s);
        if (reserve(s, chosen + 1) != PW_OK) return PW_NO_MEMORY;
    }
    enter(s, i, chosen);
    *cluster = chosen;
    return PW_OK;
}

/* ---- passes ---------------------------------------------------------------------------- */

typedef struct {
    int64_t max_clusters;
    int64_t most_passes;
    int64_t until_poll;
    int64_t passes;
    int64_t moves;
    int64_t *order; /* room for n */
    pw_random random;
    const pw_poll *poll;
} run;

static int polled(run *r, const search *s) {
    r->until_poll -= s->of->n_draws;
    if (r->until_poll > 0) return PW_OK;
    r->until_poll = POLL_READS;
    return pw_stop(r->poll) ? PW_STOPPED : PW_OK;
}

/* Fisher and Yates ("Statistical tables", 1938), from the last place to the first. */
static void shuffle(run *r, int64_t *items, int64_t count) {
    for (int64_t left = count; left > 1; left--) {
        const int64_t at = (int64_t)pw_random_below(&r->random, (uint64_t)left);
        const int64_t item = items[at];
        items[at] = items[left - 1];
        items[left - 1] = item;
    }
}

/* Put items without a cluster where they cost least, in random order. */
static int allocate(search *s, run *r, int64_t count) {
    shuffle(r, r->order, count);
    for (int64_t j = 0; j < count; j++) {
        int64_t k;
        int status = best_cluster(s, r->order[j], NOWHERE, r->max_clusters, &k);
        if (status == PW_OK) status = settle(s, r->order[j], k, &k);
        if (status != PW_OK) return status;
        if (polled(r, s) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* Move all items, pass after pass, until one moves none. */
static int sweeten(search *s, run *r) {
    const int64_t n = s->of->n;
    for (int64_t moved = 1; moved > 0 && r->passes < r->most_passes; r->passes++) {
        moved = 0;
        for (int64_t i = 0; i < n; i++) r->order[i] = i;
        shuffle(r, r->order, n);
        for (int64_t j = 0; j < n; j++) {
            const int64_t i = r->order[j];
            const int64_t old = s->labels[i];
            const int alone = s->sizes[old] == 1;
            int64_t k;
            leave(s, i);
            int status = best_cluster(s, i, alone ? NEW_CLUSTER : old, r->max_clusters, &k);
            if (alone && k == NEW_CLUSTER) k = old;
            if (status == PW_OK) status = settle(s, i, k, &k);
            if (status != PW_OK) return status;
            if (k != old) moved++;
            if (polled(r, s) != PW_OK) return PW_STOPPED;
        }
        r->moves += moved;
    }
    return PW_OK;
}

/* Whether the state costs less than one with these sums. */
static int costs_less(const search *s, uint64_t total, const uint64_t *cells) {
    const pw_ensemble *of = s->of;
    if (of->loss == PW_LOSS_LINEAR) {
        pw_i128 more = 0;
        for (int64_t d = 0; d < of->n_draws; d++)
            more += ((pw_i128)(int64_t)s->cells[d] - (int64_t)cells[d]) * of->weights[d];
        const pw_i128 larger = (pw_i128)(int64_t)s->total - (int64_t)total;
        return larger * of->join * (int64_t)s->weight < more * (1 << 17);
    }
    double before = 0, now = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const double weight = (double)of->weights[d];
        before +=
            weight * loss_of(of->loss, of->sums[d], (double)total, (double)cells[d], of->most);
        now += weight *
               loss_of(of->loss, of->sums[d], (double)s->total, (double)s->cells[d], of->most);
    }
    return now < before;
}

/* Dissolve random clusters of at least two items, one after the other. */
static int dissolve(search *s, run *r, int64_t times, int64_t *kept, uint64_t *cells) {
    const int64_t n = s->of->n;
    const size_t bytes = (size_t)s->of->n_draws * sizeof(uint64_t);
    for (int64_t t = 0; t < times; t++) {
        int64_t larger = 0;
        for (int64_t k = 0; k < s->used; k++) larger += s->sizes[k] > 1;
        if (larger == 0) return PW_OK;
        int64_t rank = (int64_t)pw_random_below(&r->random, (uint64_t)larger);
        int64_t chosen = 0;
        for (;; chosen++) {
            if (s->sizes[chosen] > 1 && rank-- == 0) break;
        }
        const uint64_t total = s->total;
        memcpy(kept, s->labels, (size_t)n * sizeof(int64_t));
        memcpy(cells, s->cells, bytes);
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++) {
            if (s->labels[i] == chosen) r->order[count++] = i;
        }
        for (int64_t j = 0; j < count; j++) leave(s, r->order[j]);
        int status = allocate(s, r, count);
        if (status == PW_OK) status = sweeten(s, r);
        if (status != PW_OK) return status;
        if (costs_less(s, total, cells)) continue;
        for (int64_t i = 0; i < n; i++) {
            if (s->labels[i] != kept[i]) leave(s, i);
        }
        for (int64_t i = 0; i < n; i++) {
            if (s->labels[i] < 0) enter(s, i, kept[i]);
        }
    }
    return PW_OK;
}

static void number_by_first_item(const search *s, int64_t *numbers) {
    int64_t next = 0;
    for (int64_t k = 0; k < s->used; k++) numbers[k] = -1;
    for (int64_t i = 0; i < s->of->n; i++) {
        const int64_t k = s->labels[i];
        if (numbers[k] < 0) numbers[k] = next++;
        s->labels[i] = numbers[k];
    }
}

int pw_consensus_run(const pw_ensemble *ensemble, int64_t *labels, int64_t max_clusters,
                     int64_t n_dissolved, int64_t most_passes, const uint64_t key[2],
                     int64_t *passes, int64_t *moves, const pw_poll *poll) {
    const int64_t n = ensemble->n;
    search s;
    run r = {max_clusters, most_passes, POLL_READS, 0, 0, NULL, pw_random_start(key), poll};
    int64_t *room = malloc((size_t)(2 * n) * sizeof(int64_t));
    uint64_t *cells = malloc((size_t)ensemble->n_draws * sizeof(uint64_t));
    int status = begin(&s, ensemble, labels);
    if (room == NULL || cells == NULL) status = PW_NO_MEMORY;
    if (status == PW_OK) {
        r.order = room;
        int64_t count = 0, first = 0;
        for (int64_t i = 0; i < n; i++) {
            if (labels[i] >= first) first = labels[i] + 1;
        }
        status = reserve(&s, first + 1);
        for (int64_t i = 0; status == PW_OK && i < n; i++) {
            if (labels[i] < 0) {
                r.order[count++] = i;
            } else {
                enter(&s, i, labels[i]);
            }
        }
        if (status == PW_OK) status = allocate(&s, &r, count);
        if (status == PW_OK) status = sweeten(&s, &r);
        if (status == PW_OK) status = dissolve(&s, &r, n_dissolved, room + n, cells);
        if (status == PW_OK) number_by_first_item(&s, room);
    }
    *passes = r.passes;
    *moves = r.moves;
    release(&s);
    free(room);
    free(cells);
    return status;
}
