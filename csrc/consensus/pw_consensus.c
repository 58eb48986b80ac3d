/* The passes of a search for a clustering of least expected loss; see the header. */
#include "pw_consensus.h"

#include <stdlib.h>
#include <string.h>

#include "pw_consensus_state.h"
#include "pw_random.h"

/* Counts looked at between two polls: far below a second even where each one is a miss of the
 * cache; those of split-merge scores, with two divisions each, count several times. */
#define POLL_READS ((int64_t)1 << 22)
#define SCORED_READS 8

/* Random items and draws that are looked at for one where something changes. */
#define TURNS 16

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

static int polled(run *r, const pw_consensus_state *s, int64_t met) {
    const int64_t times = s->of->loss == PW_LOSS_SPLIT_MERGE ? SCORED_READS : 1;
    r->until_poll -= s->of->n_draws * (1 + times * met);
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
        if (polled(r, s, s->met) != PW_OK) return PW_STOPPED;
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
    if (s->of->loss == PW_LOSS_SPLIT_MERGE && pw_consensus_score(s) != PW_OK) return PW_STOPPED;
    for (int64_t moved = 1; moved > 0 && r->passes < r->most_passes; r->passes++) {
        moved = 0;
        for (int64_t i = 0; i < n; i++) r->order[i] = i;
        shuffle(r, r->order, n);
        for (int64_t j = 0; j < n; j++) {
            if (j + 1 < n) pw_consensus_fetch(s, r->order[j + 1]);
            if (settle(s, r, r->order[j], &moved) != PW_OK) return PW_NO_MEMORY;
            if (polled(r, s, s->met) != PW_OK) return PW_STOPPED;
        }
        r->moves += moved;
    }
    return PW_OK;
}

/* ---- what is tried when no item wants to move -------------------------------------------- */

/* A random cluster of at least two items, or PW_NOWHERE where there is none. */
static int64_t larger_cluster(const pw_consensus_state *s, run *r) {
    int64_t larger = 0, chosen = 0;
    for (int64_t k = 0; k < s->used; k++) larger += s->sizes[k] > 1;
    if (larger == 0) return PW_NOWHERE;
    int64_t rank = (int64_t)pw_random_below(&r->random, (uint64_t)larger);
    while (s->sizes[chosen] < 2 || rank-- > 0) chosen++;
    return chosen;
}

/* The items of a cluster, in r->order; how many they are. */
static int64_t members(const pw_consensus_state *s, const run *r, int64_t k) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->of->n; i++) {
        if (s->labels[i] == k) r->order[count++] = i;
    }
    return count;
}

/* The items of the cluster of item i in draw d, in r->order; how many they are. */
static int64_t together(const pw_consensus_state *s, const run *r, int64_t i, int64_t d) {
    const uint32_t *codes = s->of->codes + d;
    const uint32_t code = codes[i * s->of->n_draws];
    int64_t count = 0;
    for (int64_t j = 0; j < s->of->n; j++) {
        if (codes[j * s->of->n_draws] == code) r->order[count++] = j;
    }
    return count;
}

/* Items from r->order leave their clusters. */
static int take_out(pw_consensus_state *s, run *r, int64_t count) {
    for (int64_t j = 0; j < count; j++) {
        pw_consensus_leave(s, r->order[j]);
        if (polled(r, s, 0) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* Items from r->order, which are in no cluster, enter one. */
static int put_in(pw_consensus_state *s, run *r, int64_t count, int64_t k) {
    for (int64_t j = 0; j < count; j++) {
        pw_consensus_enter(s, r->order[j], k);
        if (polled(r, s, 0) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* A random cluster of at least two items is dissolved, and its items are put where they cost
 * least. */
static int dissolve(pw_consensus_state *s, run *r, int *changed) {
    const int64_t chosen = larger_cluster(s, r);
    *changed = chosen != PW_NOWHERE;
    if (!*changed) return PW_OK;
    const int64_t count = members(s, r, chosen);
    const int status = take_out(s, r, count);
    return status == PW_OK ? allocate(s, r, count) : status;
}

/* The items that a random draw has together with a random item become a cluster, or enter that of
 * the item where no further one may be made. */
static int gather(pw_consensus_state *s, run *r, int *changed) {
    for (int64_t turn = 0; turn < TURNS; turn++) {
        const int64_t i = (int64_t)pw_random_below(&r->random, (uint64_t)s->of->n);
        const int64_t d = (int64_t)pw_random_below(&r->random, (uint64_t)s->of->n_draws);
        const int64_t count = together(s, r, i, d), own = s->labels[i];
        *changed = s->sizes[own] != count;
        for (int64_t j = 0; j < count && !*changed; j++) *changed = s->labels[r->order[j]] != own;
        if (!*changed) continue;
        int status = take_out(s, r, count);
        int64_t k = own;
        if (status == PW_OK && s->clusters < r->max_clusters) status = new_cluster(s, &k);
        return status == PW_OK ? put_in(s, r, count, k) : status;
    }
    return PW_OK;
}

/* A random item's cluster takes in one that a random draw does not keep apart from the item. */
static int merge(pw_consensus_state *s, run *r, int *changed) {
    for (int64_t turn = 0; turn < TURNS; turn++) {
        const int64_t i = (int64_t)pw_random_below(&r->random, (uint64_t)s->of->n);
        const int64_t d = (int64_t)pw_random_below(&r->random, (uint64_t)s->of->n_draws);
        const int64_t count = together(s, r, i, d), own = s->labels[i];
        int64_t others = 0;
        for (int64_t j = 0; j < count; j++) {
            if (s->labels[r->order[j]] != own) r->order[others++] = r->order[j];
        }
        if (others == 0) continue;
        const int64_t at = (int64_t)pw_random_below(&r->random, (uint64_t)others);
        const int64_t joined = members(s, r, s->labels[r->order[at]]);
        *changed = 1;
        const int status = take_out(s, r, joined);
        return status == PW_OK ? put_in(s, r, joined, own) : status;
    }
    return PW_OK;
}

static int restore(pw_consensus_state *s, run *r, const int64_t *kept) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->of->n; i++) {
        if (s->labels[i] != kept[i]) r->order[count++] = i;
    }
    if (take_out(s, r, count) != PW_OK) return PW_STOPPED;
    for (int64_t j = 0; j < count; j++) {
        pw_consensus_enter(s, r->order[j], kept[r->order[j]]);
        if (polled(r, s, 0) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* Change the clusters in three ways by turns, at random, and move all items again; keep what costs
 * less. kept has room for n, cells for the draws. */
static int disturb(pw_consensus_state *s, run *r, int64_t times, int64_t *kept, uint64_t *cells) {
    static int (*const ways[])(pw_consensus_state *s, run *r, int *changed) = {dissolve, gather,
                                                                               merge};
    const int by_scores = s->of->loss == PW_LOSS_SPLIT_MERGE;
    double scores = by_scores ? pw_consensus_scores(s) : 0;
    for (int64_t t = 0; t < times; t++) {
        const uint64_t total = s->total;
        int changed = 0;
        memcpy(kept, s->labels, (size_t)s->of->n * sizeof(int64_t));
        memcpy(cells, s->cells, (size_t)s->of->n_draws * sizeof(uint64_t));
        int status = ways[t % 3](s, r, &changed);
        if (status == PW_OK && changed) status = sweeten(s, r);
        if (status != PW_OK) return status;
        if (!changed) continue;
        const double now = by_scores ? pw_consensus_scores(s) : 0;
        if (by_scores ? now > scores : pw_consensus_costs_less(s, total, cells)) {
            scores = now;
        } else if (restore(s, r, kept) != PW_OK) {
            return PW_STOPPED;
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
                     int64_t n_disturbed, int64_t most_passes, const uint64_t key[2],
                     int64_t *passes, int64_t *moves, const pw_poll *poll) {
    const int64_t n = ensemble->n;
    pw_consensus_state s;
    run r = {max_clusters, most_passes, POLL_READS, 0, 0, NULL, pw_random_start(key), poll};
    int64_t *room = malloc((size_t)(2 * n) * sizeof(int64_t));
    uint64_t *cells = malloc((size_t)ensemble->n_draws * sizeof(uint64_t));
    int status = pw_consensus_begin(&s, ensemble, labels, poll);
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
                status = polled(&r, &s, 0);
            }
        }
        if (status == PW_OK) status = allocate(&s, &r, count);
        if (status == PW_OK) status = sweeten(&s, &r);
        if (status == PW_OK) status = disturb(&s, &r, n_disturbed, room + n, cells);
        if (status == PW_OK) number_by_first_item(&s, room);
    }
    *passes = r.passes;
    *moves = r.moves;
    pw_consensus_release(&s);
    free(room);
    free(cells);
    return status;
}
