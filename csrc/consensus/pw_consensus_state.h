/* The state of one search: clusters of items, and how they meet those of the draws. */
#ifndef PW_CONSENSUS_STATE_H
#define PW_CONSENSUS_STATE_H

#include "pw_consensus.h"

/* In place of a cluster: one that is still to be made, and none at all. */
#define PW_NEW_CLUSTER (-1)
#define PW_NOWHERE (-2)
/* 1 of the split-merge scores, which are whole numbers of its fractions. */
#define PW_ONE ((int64_t)1 << 30)

/* A cluster of the candidate in the list of a cluster of a draw, and how many items both share.
 * In front of each list stands an entry whose count is the list's length. */
typedef struct {
    uint32_t cluster;
    uint32_t count;
} pw_consensus_entry;

/* Of a cluster of the candidate and a draw: the sum of F over its cells, the sum over its items
 * of the scores of their clusters in the draw, and its own score. */
typedef struct {
    uint64_t cells;
    int64_t scores;
    int64_t score;
} pw_consensus_part;

typedef struct {
    const pw_ensemble *of;
    const pw_poll *poll;
    int64_t *labels;  /* of the items, -1 for none */
    int64_t *sizes;   /* of the clusters, capacity entries; 0 for a free one */
    int64_t capacity; /* clusters that there is room for */
    int64_t used;     /* no cluster from here on has items */
    int64_t clusters; /* clusters with items */
    uint64_t total;   /* sum of F over the clusters */
    uint64_t *cells;  /* sum of F over the cells, of each draw */
    uint64_t weight;  /* of all draws */
    int narrow;       /* every weight is 1, and gains of PW_CONSENSUS_ROWS rows fit in 32 bits */
    int needs_gains;  /* the gain of a count is not the count itself */
    /* dense */
    uint32_t *counts;
    uint32_t *gains;
    uint32_t *partial; /* capacity */
    /* sparse */
    pw_consensus_entry *entries;
    uint32_t *offsets; /* item by item: where the list of its cluster stands among the draw's */
    int64_t *slot;     /* capacity: where a cluster stands among those met, -1 for none */
    /* candidates of the item at hand */
    int64_t met;          /* how many there are, but for a new cluster */
    int64_t *candidates;  /* capacity */
    uint64_t *sums;       /* capacity: weighted gains */
    double *losses;       /* capacity, and one for a new cluster */
    uint32_t *met_counts; /* capacity, sparse: of the draw at hand */
    /* split-merge, see pw_consensus_split_merge.c */
    uint64_t *function;           /* F of 0 to n */
    pw_consensus_part *parts;     /* capacity x draws */
    pw_consensus_part *row_parts; /* the same of the clusters of the draws, without their sizes */
    uint32_t *row_sizes;
    int64_t *next, *previous; /* sparse: items of the same cluster, -1 at both ends */
    int64_t *head;            /* capacity */
} pw_consensus_state;

/* Loops over the clusters of draws, or over items and all draws, ask every so many steps, and
 * after each draw, whether to stop. */
#define PW_CONSENSUS_STEPS ((int64_t)1 << 20)

/* Rows whose gains are added in 32 bits where they fit. */
#define PW_CONSENSUS_ROWS 32

static inline int pw_consensus_is_dense(const pw_consensus_state *s) {
    return s->of->layout == PW_LAYOUT_DENSE;
}

static inline int64_t pw_consensus_row(const pw_consensus_state *s, int64_t i, int64_t d) {
    return s->of->starts[d] + s->of->codes[i * s->of->n_draws + d];
}

/* The list of the cluster of item i in draw d, whose first entry is its length. A draw has an
 * entry for each of its items and each of its clusters. */
static inline pw_consensus_entry *pw_consensus_list(const pw_consensus_state *s, int64_t i,
                                                    int64_t d) {
    return s->entries + (d * s->of->n + s->of->starts[d]) + s->offsets[i * s->of->n_draws + d];
}

/* Items that cluster k shares with the cluster of item i in draw d. */
uint32_t pw_consensus_shared(const pw_consensus_state *s, int64_t i, int64_t d, int64_t k);

/* An empty state, in which no item has a cluster; PW_OK, PW_NO_MEMORY or PW_STOPPED. Release it in
 * any case. */
int pw_consensus_begin(pw_consensus_state *s, const pw_ensemble *of, int64_t *labels,
                       const pw_poll *poll);
void pw_consensus_release(pw_consensus_state *s);
/* Make room for so many clusters. */
int pw_consensus_reserve(pw_consensus_state *s, int64_t capacity);
int pw_consensus_grow(void **array, size_t bytes);

/* Item i enters cluster k, which has room, or leaves the one that it is in; O(draws) where dense,
 * and the lists of the item's clusters where sparse. */
void pw_consensus_enter(pw_consensus_state *s, int64_t i, int64_t k);
void pw_consensus_leave(pw_consensus_state *s, int64_t i);
/* Let the processor fetch what the next item needs. */
void pw_consensus_fetch(const pw_consensus_state *s, int64_t i);

/* Where item i costs least, if it left the cluster own: a cluster or PW_NEW_CLUSTER. own is
 * PW_NOWHERE for an item that has none: while some items have no cluster, the sums of the draws
 * are over more items than those of the candidate, so only the linear loss means something, and
 * the others take that of their F with equal costs. */
int64_t pw_consensus_best(pw_consensus_state *s, int64_t i, int64_t own, int64_t max_clusters);
/* Whether the state costs less than one with these sums; not for split-merge. */
int pw_consensus_costs_less(const pw_consensus_state *s, uint64_t total, const uint64_t *cells);

/* Split-merge: sums for the clusters of all items, made anew; O(items x draws). PW_OK or
 * PW_STOPPED. */
int pw_consensus_score(pw_consensus_state *s);
/* Keep those sums while item i goes from one cluster to another one (which has room). */
void pw_consensus_move_scored(pw_consensus_state *s, int64_t i, int64_t to);
/* Losses of the first `met` candidates and of a new cluster, as in pw_consensus_best. */
void pw_consensus_scored_losses(pw_consensus_state *s, int64_t i, int64_t own, int64_t met);
/* The summed scores of the state, larger for a better one. */
double pw_consensus_scores(const pw_consensus_state *s);
/* Clear the sums of clusters from `first` to before `stop`, which have no items. */
void pw_consensus_clear_parts(pw_consensus_state *s, int64_t first, int64_t stop);

#endif
