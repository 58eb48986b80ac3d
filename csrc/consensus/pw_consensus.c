/* The passes of a search for a clustering of least expected loss; see the header. */
#include "pw_consensus.h"

#include <stdlib.h>
#include <string.h>

#include "pw_consensus_state.h"
#include "pw_random.h"

/* Counts looked at between two polls: well below a second with any loss. */
#define POLL_READS ((int64_t)1 << 24)

/* First free cluster, with room for it: where an item goes that costs least alone. */
static int new_cluster(pw_consensus_state *s, int64_t *cluster) {
    int64_t k = s->used;
    if (s->clusters < s->used) {
        k = 0;
        while (s->sizes[k] != 0) k++;
    }
    *cluster = k;
    return pw_consensus_reserve(s, k + 1);
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

static int polled(run *r, const pw_consensus_state *s) {
    r->until_poll -= s->of->n_draws * (1 + s->met);
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
static int allocate(pw_consensus_state *s, run *r, int64_t count) {
    shuffle(r, r->order, count);
    for (int64_t j = 0; j < count; j++) {
        if (j + 1 < count) pw_consensus_fetch(s, r->order[j + 1]);
        int64_t k = pw_consensus_best(s, r->order[j], PW_NOWHERE, r->max_clusters);
        if (k == PW_NEW_CLUSTER && new_cluster(s, &k) != PW_OK) return PW_NO_MEMORY;
        pw_consensus_enter(s, r->order[j], k);
        if (polled(r, s) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* Move an item to where it costs least; how many items have moved is counted. */
static int settle(pw_consensus_state *s, run *r, int64_t i, int64_t *moved) {
    const int64_t old = s->labels[i];
    int64_t k = pw_consensus_best(s, i, old, r->max_clusters);
    if (k == old || (k == PW_NEW_CLUSTER && s->sizes[old] == 1)) return PW_OK;
    if (k == PW_NEW_CLUSTER && new_cluster(s, &k) != PW_OK) return PW_NO_MEMORY;
    if (s->of->loss == PW_LOSS_SPLIT_MERGE) {
        if (!pw_consensus_is_dense(s)) r->until_poll -= s->of->n_draws * s->sizes[old];
        pw_consensus_move_scored(s, i, k);
    } else {
        pw_consensus_leave(s, i);
        pw_consensus_enter(s, i, k);
    }
    ++*moved;
    return PW_OK;
}

/* Move all items, pass after pass, until one moves none. */
static int sweeten(pw_consensus_state *s, run *r) {
    const int64_t n = s->of->n;
    if (s->of->loss == PW_LOSS_SPLIT_MERGE) pw_consensus_score(s);
    for (int64_t moved = 1; moved > 0 && r->passes < r->most_passes; r->passes++) {
        moved = 0;
        for (int64_t i = 0; i < n; i++) r->order[i] = i;
        shuffle(r, r->order, n);
        for (int64_t j = 0; j < n; j++) {
            if (j + 1 < n) pw_consensus_fetch(s, r->order[j + 1]);
            if (settle(s, r, r->order[j], &moved) != PW_OK) return PW_NO_MEMORY;
            if (polled(r, s) != PW_OK) return PW_STOPPED;
        }
        r->moves += moved;
    }
    return PW_OK;
}

/* A random cluster of at least two items, or PW_NOWHERE where there is none. */
static int64_t larger_cluster(const pw_consensus_state *s, run *r) {
    int64_t larger = 0, chosen = 0;
    for (int64_t k = 0; k < s->used; k++) larger += s->sizes[k] > 1;
    if (larger == 0) return PW_NOWHERE;
    int64_t rank = (int64_t)pw_random_below(&r->random, (uint64_t)larger);
    while (s->sizes[chosen] < 2 || rank-- > 0) chosen++;
    return chosen;
}

/* Take all items out of a cluster; they stand in r->order, and their number is returned. */
static int64_t empty_cluster(pw_consensus_state *s, run *r, int64_t chosen) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->of->n; i++) {
        if (s->labels[i] == chosen) r->order[count++] = i;
    }
    for (int64_t j = 0; j < count; j++) pw_consensus_leave(s, r->order[j]);
    return count;
}

static void restore(pw_consensus_state *s, const int64_t *kept) {
    for (int64_t i = 0; i < s->of->n; i++) {
        if (s->labels[i] != kept[i]) pw_consensus_leave(s, i);
    }
    for (int64_t i = 0; i < s->of->n; i++) {
        if (s->labels[i] < 0) pw_consensus_enter(s, i, kept[i]);
    }
}

/* Dissolve random clusters of at least two items, one after the other, and build them again; keep
 * what costs less. kept has room for n, cells for the draws. */
static int dissolve(pw_consensus_state *s, run *r, int64_t times, int64_t *kept, uint64_t *cells) {
    const int by_scores = s->of->loss == PW_LOSS_SPLIT_MERGE;
    double scores = by_scores ? pw_consensus_scores(s) : 0;
    for (int64_t t = 0; t < times; t++) {
        const int64_t chosen = larger_cluster(s, r);
        if (chosen == PW_NOWHERE) return PW_OK;
        const uint64_t total = s->total;
        memcpy(kept, s->labels, (size_t)s->of->n * sizeof(int64_t));
        memcpy(cells, s->cells, (size_t)s->of->n_draws * sizeof(uint64_t));
        int status = allocate(s, r, empty_cluster(s, r, chosen));
        if (status == PW_OK) status = sweeten(s, r);
        if (status != PW_OK) return status;
        const double now = by_scores ? pw_consensus_scores(s) : 0;
        if (by_scores ? now > scores : pw_consensus_costs_less(s, total, cells)) {
            scores = now;
        } else {
            restore(s, kept);
        }
    }
    return PW_OK;
}

static void number_by_first_item(const pw_consensus_state *s, int64_t *numbers) {
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
    pw_consensus_state s;
    run r = {max_clusters, most_passes, POLL_READS, 0, 0, NULL, pw_random_start(key), poll};
    int64_t *room = malloc((size_t)(2 * n) * sizeof(int64_t));
    uint64_t *cells = malloc((size_t)ensemble->n_draws * sizeof(uint64_t));
    int status = pw_consensus_begin(&s, ensemble, labels);
    if (room == NULL || cells == NULL) status = PW_NO_MEMORY;
    if (status == PW_OK) {
        r.order = room;
        int64_t count = 0, first = 0;
        for (int64_t i = 0; i < n; i++) {
            if (labels[i] >= first) first = labels[i] + 1;
        }
        status = pw_consensus_reserve(&s, first);
        for (int64_t i = 0; status == PW_OK && i < n; i++) {
            if (labels[i] < 0) {
                r.order[count++] = i;
            } else {
                pw_consensus_enter(&s, i, labels[i]);
            }
        }
        if (status == PW_OK) status = allocate(&s, &r, count);
        if (status == PW_OK) status = sweeten(&s, &r);
        if (status == PW_OK) status = dissolve(&s, &r, n_dissolved, room + n, cells);
        if (status == PW_OK) number_by_first_item(&s, room);
    }
    *passes = r.passes;
    *moves = r.moves;
    pw_consensus_release(&s);
    free(room);
    free(cells);
    return status;
}
