/* Threshold sweep: all cells that ever form while clusters of items are merged, without a table.
 *
 * Clusters are numbered as in a linkage: items are 0..n-1, merge k joins left[k] and right[k] into
 * n + k, and each cluster is joined at most once. Two cells of one label become one at the merge
 * that joins the items on either side of a gap between them, so a label's cells over time follow
 * from the order of the leaves and one time per gap. */
#ifndef PW_SWEEP_H
#define PW_SWEEP_H

#include "pw_common.h"

/* Events: two cells of a row become one. Those of merge k are events[ends[k] .. ends[k + 1]),
 * ordered by row; before and after are the items of the two cells. */
typedef struct {
    int64_t *ends;   /* n_merges + 1 */
    int64_t *rows;   /* room for n */
    int64_t *before; /* room for n */
    int64_t *after;  /* room for n */
    int64_t n_events;
} pw_events;

/* Precondition: labels in -1..n_labels-1, -1 for items without one; merges as above. The arrays of
 * events are the caller's. O(n log depth) time, about 70 bytes an item. */
int pw_sweep_events(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, int64_t n_merges, pw_events *events, const pw_poll *poll);

/* Sums after each state, n_states entries each; NULL where not wanted. Wide sums are 128 bits
 * in words of 64. Columns count labelled items only. */
typedef struct {
    int64_t *cells;
    int64_t *clusters;     /* with a labelled item */
    int64_t *all_clusters; /* with or without */
    int64_t *largest;      /* labelled items of the largest cluster */
    uint64_t *squares[2];  /* of cells: low words, high words */
    uint64_t *col_squares[2];
    uint64_t *cell_xlogx[2]; /* with fraction_bits */
    uint64_t *col_xlogx[2];
    int64_t *row_maxima;
    int64_t *col_maxima;
    uint64_t *by_row[2]; /* as pw_b_cubed_sums */
    uint64_t *by_col[2];
    int64_t *matches; /* clusters that are equal on both sides */
} pw_curves;

/* State s has all merges k with state[k] <= s; state never falls. fraction_bits as for pw_xlogx.
 * Precondition: events of the same labels and merges. O(n + merges + events) time, 40 bytes a
 * cluster and 40 a row. */
int pw_sweep_curves(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, const int64_t *state, int64_t n_merges, int64_t n_states,
                    const pw_events *events, int fraction_bits, const pw_curves *curves,
                    const pw_poll *poll);

/* The edges that join two clusters, taken in order: left, right (room for n - 1) as above, and
 * used, the edge of each merge. Precondition: first, second in 0..n-1. Union-find: near O(n +
 * edges), 16 bytes an item. */
int pw_sweep_edges(int64_t n, const int64_t *first, const int64_t *second, int64_t n_edges,
                   int64_t *left, int64_t *right, int64_t *used, int64_t *n_merges,
                   const pw_poll *poll);

/* clusters[i] = the cluster of item i after the first n_merges merges. O(n + merges), 8 bytes a
 * cluster. */
int pw_sweep_clusters(int64_t n, const int64_t *left, const int64_t *right, int64_t n_merges,
                      int64_t *clusters);

/* sizes[n + k] = sizes of the clusters of merge k together; the first n are given. O(merges). */
void pw_sweep_sizes(int64_t n, const int64_t *left, const int64_t *right, int64_t n_merges,
                    int64_t *sizes);

/* first[c] = an item of cluster c, and highest[k] = the largest of the heights of the merges that
 * made cluster n + k. O(n + merges). */
void pw_sweep_subtrees(int64_t n, const int64_t *left, const int64_t *right, const double *heights,
                       int64_t n_merges, int64_t *first, double *highest);

#endif
