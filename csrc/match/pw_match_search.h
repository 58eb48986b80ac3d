/* What the files of the matching share; no other file includes this. */
#ifndef PW_MATCH_SEARCH_H
#define PW_MATCH_SEARCH_H

#include "pw_common.h"
#include "pw_heap.h"
#include "pw_tuning.h"

enum { PW_OVER_BUDGET = -1 }; /* more cells scanned than allowed; the state is consistent */

/* Rows or columns with their cells, duals and mates. Every step is written for a near and a far
 * side, so that rows and columns change places by changing the order of the arguments.
 *
 * A state is consistent if all duals are >= 0, dual + dual >= gain on every cell, and equal on
 * the cells of mates. It is optimal if moreover the dual of everything without a mate is 0. */
typedef struct {
    int64_t n;
    const int64_t *indptr; /* n + 1 */
    const int64_t *ends;   /* of each cell: its node on the other side */
    const int64_t *gains;  /* of each cell */
    int64_t *duals;
    int64_t *mates; /* node on the other side, or -1 */
} pw_side;

/* Cells scanned so far, and the number of them at which the next poll is due. */
typedef struct {
    const pw_poll *poll;
    int64_t scanned;
    int64_t ask_at;
} pw_effort;

/* Gain of the cell of two nodes, which there is. */
static inline int64_t pw_gain_of(const pw_side *near, int64_t node, int64_t end) {
    int64_t c = near->indptr[node];
    while (near->ends[c] != end) c++;
    return near->gains[c];
}

static inline int pw_spend(pw_effort *effort, int64_t cells) {
    effort->scanned += cells;
    if (effort->scanned < effort->ask_at) return PW_OK;
    effort->ask_at = effort->scanned + PW_MATCH_POLL_CELLS;
    return pw_stop(effort->poll) ? PW_STOPPED : PW_OK;
}

/* A far node in the running search. */
typedef struct {
    int64_t distance;
    int64_t from;  /* near node by which it was reached */
    int64_t stamp; /* search in which it was reached, negative once it is settled */
} pw_reached;

/* Scratch of searches from either side. */
typedef struct {
    int64_t search; /* number of the running search */
    pw_reached *reached;
    int64_t *settled; /* far nodes, in order of distance */
    int64_t n_settled;
    pw_heap_entry *heap; /* far nodes farther than the one being settled */
    int64_t heap_size;
    int64_t *level; /* far nodes at the same distance as it: last in, first out */
    int64_t level_size;
} pw_search;

/* The cheapest way out of the running search. */
typedef struct {
    int64_t limit; /* its cost: what costs as much need not be looked at */
    int64_t end;   /* free far node it ends in, or -1 */
    int64_t leave; /* settled far node whose mate it leaves alone, or -1; both -1: a start */
} pw_way_out;

int pw_search_open(pw_search *s, int64_t n_most, int64_t n_cells);
void pw_search_close(pw_search *s);

/* Shortest way out of the nearest of the starts (free near nodes with a dual > 0): to a free far
 * node, or to a near node whose dual falls to 0. Moves the duals; no mate changes.
 * PW_OVER_BUDGET once effort->scanned passes `most`, with nothing changed. */
int pw_search_out(pw_search *s, const pw_side *near, const pw_side *far, const int64_t *starts,
                  int64_t n_starts, int64_t most, pw_effort *effort, pw_way_out *out);

/* The same from one start, and then the mates along the way out change, so that the start is no
 * longer open. */
int pw_search_from(pw_search *s, const pw_side *near, const pw_side *far, int64_t start,
                   int64_t most, pw_effort *effort);

/* From a consistent state to one where every near node has a mate or dual 0: disjoint ways out of
 * all free near nodes at once along tight cells, shortest first, and a search from all of them
 * together to make more cells tight. For gains of which many are equal: PW_OVER_BUDGET, in a
 * consistent state, if too few find a way out within `window` scanned cells. */
int pw_match_phases(pw_search *s, const pw_side *near, const pw_side *far, int64_t window,
                    pw_effort *effort);

/* From any pairs and prices (the duals of the columns, at least 0): raises prices, and changes
 * pairs, until no row with a mate would rather have another column that has one. Free columns and
 * rows that would rather stay alone are left as they are. Row duals are neither read nor written. A
 * price rises at most PW_MATCH_RAISES times. */
int pw_match_keep_pairs(const pw_side *rows, const pw_side *cols, pw_effort *effort);

/* Leads from any state to an optimal one: an auction whose epsilon falls phase by phase, then
 * searches from what it leaves open. For gains that are nearly, but not exactly, equal. */
int pw_match_auction(pw_search *s, const pw_side *rows, const pw_side *cols, pw_effort *effort);

#endif
