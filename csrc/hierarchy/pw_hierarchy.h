/* Two hierarchies of the same items: their cuts, the pairs of items they join, walks on them.
 *
 * Clusters are numbered as in a linkage: items are 0..n-1, and merge s joins left[s] and right[s]
 * into n + s. Here there are n - 1 merges, so that the last one has all items, and every cluster
 * but that is joined once. Pairs of items are counted in 64 bits: n below 2^31. */
#ifndef PW_HIERARCHY_H
#define PW_HIERARCHY_H

#include "pw_common.h"

/* together[s] = ordered pairs of two items that are in one cluster after the first s merges of both
 * sides, s = 0..n-1. Precondition: n >= 1, merges as above. O(n + items of the smaller side of each
 * merge), which is at most n log2 n for each side; about 90 bytes an item. */
int pw_cut_overlaps(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *left_b,
                    const int64_t *right_b, int64_t *together, const pw_poll *poll);

/* Of the cut after s merges, s = 0..n-1, with x the sizes of its clusters, P = sum x (x - 1) and
 * P3 = sum x (x - 1)(x - 2): pairs[s] = P, rows[s] = n (P + P3) - P^2, and
 * rest[s] = (n - 1)(P (n - 4) - 2 P3) + P^2, integers of up to 126 bits that are rounded once.
 * Precondition: n >= 1, merges as above. O(n), 8 bytes a cluster. */
int pw_cut_moments(int64_t n, const int64_t *left, const int64_t *right, int64_t *pairs,
                   double *rows, double *rest);

/* (high[s], low[s]) = the sum over pairs of items that merge s of a joins of the weight of the
 * merge of b that joins them, in 128 bits. Precondition: merges as above. O(n + items of all
 * clusters of a), which is at most n^2 / 2; about 90 bytes an item. */
int pw_pair_sums(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *left_b,
                 const int64_t *right_b, const int64_t *weights, uint64_t *low, int64_t *high,
                 const pw_poll *poll);

/* Of all pairs of pairs of items: how many both sides put in the same order, counts[0] (low word)
 * and counts[1], and how many in opposite orders, counts[2] and counts[3]. The place of a pair of
 * items is the level of the merge that joins it; equal levels are in no order. Precondition: merges
 * as above; level_a never falls; level_b in 0..n_levels - 1. Time as pw_pair_sums, times the
 * logarithm of n_levels; about 100 bytes an item and 16 a level. */
int pw_pair_orders(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *level_a,
                   const int64_t *left_b, const int64_t *right_b, const int64_t *level_b,
                   int64_t n_levels, uint64_t *counts, const pw_poll *poll);

/* Where walks on one tree, or several, lead. Clusters 0..n-1 are the items; a walk from item i
 * comes to item j with probability own[i] * factor[L] * reach[p], where L is the smallest cluster
 * of both and p the place of j among the leaves; where no cluster has both, with none. */
typedef struct {
    const int64_t *parents; /* by cluster, -1 where there is none */
    const int64_t *starts;  /* place of a cluster's first leaf */
    const int64_t *sizes;   /* its leaves, which follow each other */
    const int64_t *leaves;  /* item at each place */
    const double *own;      /* by item */
    const double *factors;  /* by cluster */
    const double *reach;    /* by place */
} pw_walks;

/* sums[i - begin] = the sum over items j of the difference of the probabilities of both sides that
 * a walk from i comes to j, in fractions of 2^60, each cut; i = begin..end-1. O(n + depth) for each
 * item, 16 bytes an item. Precondition: the probabilities of an item sum up to at most 2. */
int pw_walk_differences(int64_t n, const pw_walks *a, const pw_walks *b, int64_t begin, int64_t end,
                        int64_t *sums, const pw_poll *poll);

#endif
