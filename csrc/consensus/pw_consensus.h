/* Search for the clustering with the least expected loss over many draws: the search SALSO of
 * D. B. Dahl, D. J. Johnson and P. Mueller, "Search algorithms and loss functions for Bayesian
 * clustering" (2022).
 *
 * One run. Items that have no cluster yet are put, in random order, where they cost least (by the
 * linear loss below); then all items are moved, in random order, each to where it costs least (or
 * to a cluster of its own), until a pass moves none; then, some times over, the clusters are
 * changed at random and all items are moved again, and what came of it is kept if it costs less.
 * The three changes, by turns: a cluster is dissolved and its items are put back; the items that a
 * draw has together with some item become a cluster; two clusters become one that share a cluster
 * of some draw. The first is of SALSO; the others are ours, for optima that no item reaches alone.
 *
 * A loss is made of F, a function of numbers of items with F(0) = 0, through its steps
 * gain[x] = F(x + 1) - F(x), which are whole numbers: x for pairs, fractions of 2^20 of the steps
 * of x ln x for information. So the losses of the first kind are compared exactly, and neither the
 * layout nor the order of the draws changes a result.
 */
#ifndef PW_CONSENSUS_H
#define PW_CONSENSUS_H

#include "pw_common.h"

/* With V the sum of F over the clusters of the candidate, U over those of a draw, C over the cells
 * of both, and N = F(n). Linear: join V - 2 C, with join the cost of joining in fractions of 2^16.
 * The others are 1 - ARI, (U + V - 2 C) / (N - C), U + V - C - min(U, V) and
 * 1 - (N + C - U - V) / (N - min(U, V)), where 0/0 is 0; and one minus the split-merge score S_H,
 * for which see pw_consensus_split_merge.c. */
enum {
    PW_LOSS_LINEAR = 0,
    PW_LOSS_RAND = 1,
    PW_LOSS_NORMALIZED = 2,
    PW_LOSS_DISTANCE = 3,
    PW_LOSS_NORMALIZED_DISTANCE = 4,
    PW_LOSS_SPLIT_MERGE = 5
};

/* Counts of each cluster of a draw by the candidate's clusters: an array with room for all of
 * them, or a list of those that are met. */
enum { PW_LAYOUT_DENSE = 0, PW_LAYOUT_SPARSE = 1 };

typedef struct {
    int64_t n;
    int64_t n_draws;
    const uint32_t *codes;   /* item by item: codes[i * n_draws + d] */
    const int64_t *starts;   /* n_draws + 1: the first cluster of each draw, counted through */
    const uint32_t *weights; /* of the draws */
    const uint32_t *gain;    /* n steps of F */
    const double *sums;      /* U of each draw */
    double most;             /* N */
    int loss;
    int64_t join;
    int layout;
} pw_ensemble;

/* labels: n clusters below n, or -1 for items without one; the result stands there, clusters
 * numbered by their first item. At most max_clusters clusters are made (labels of the start may
 * have more), n_disturbed times the clusters are changed at random, no pass follows after
 * most_passes. passes, moves: how many there were. Precondition: 1 <= n, n_draws; weights add up to
 * at most 2^20, gain is below 2^26 or, linear and pairs, below n < 2^31; every code of a draw
 * occurs. A pass costs O(draws) times the candidates of an item: all clusters where dense, those
 * that it meets where sparse. Dense: 8 bytes for each cluster of a draw and cluster of the
 * candidate; sparse: 12 bytes for each item and draw, 8 for each cluster of a draw. Split-merge: 28
 * bytes for each cluster of a draw and 24 for each draw and cluster of the candidate besides, and a
 * move costs as many steps as the draws have clusters where dense, and as the two clusters have
 * items, for each draw, where sparse. */
int pw_consensus_run(const pw_ensemble *ensemble, int64_t *labels, int64_t max_clusters,
                     int64_t n_disturbed, int64_t most_passes, const uint64_t key[2],
                     int64_t *passes, int64_t *moves, const pw_poll *poll);

#endif
