/* Split-merge scores (of the entropy of parts) at all states of a threshold sweep. */
#ifndef PW_SWEEP_SCORES_H
#define PW_SWEEP_SCORES_H

#include "pw_sweep.h"

/* walks[b] = how many cells pw_sweep_scores visits with by_rows = bounds[b] (and those that it
 * would visit in merges with clusters without a label). Precondition: as for pw_sweep_curves;
 * n^2 below 2^63. O(bounds (n + merges + events)), 8 bytes a cluster. */
int pw_sweep_walks(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                   const int64_t *right, int64_t n_merges, const pw_events *events,
                   const int64_t *bounds, int64_t n_bounds, int64_t *walks, const pw_poll *poll);

/* With s = pw_split_scores of the clusters (fractions of PW_ONE), after each state:
 *   product = sum over cells of count s_row s_col / (items PW_ONE^2)
 *   mean    = (sum of size s over rows and over columns) / (2 items PW_ONE)
 * exact integers, rounded once; 1 without items. product may be NULL. *visited = cells visited.
 * A row of at most by_rows items: its score changes, and with it a sum for the column of each of
 * its cells. A larger one keeps a sum of its own, which changes with the score of any column it
 * has cells in: the cells of a column that grew are visited. The result does not depend on by_rows.
 * Precondition: as for pw_sweep_curves. O(n + merges + events + walks) time, 150 bytes an item. */
int pw_sweep_scores(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, const int64_t *state, int64_t n_merges, int64_t n_states,
                    const pw_events *events, int fraction_bits, int64_t by_rows, double *product,
                    double *mean, int64_t *visited, const pw_poll *poll);

#endif
