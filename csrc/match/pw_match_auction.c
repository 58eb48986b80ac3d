/* Matching where gains are nearly equal: an auction, then an exact repair.
 *
 * D. P. Bertsekas, "The auction algorithm: a distributed relaxation method for the assignment
 * problem" (1988), with falling epsilon:
 *   1. a free row bids for its best column and raises the price by its advantage over the second
 *      best, and by epsilon; the row that held the column is free again;
 *   2. columns that are alone at a price above 0 bid for rows in the same way;
 *   3. epsilon falls, the pairs that are still good enough stay, and it begins again.
 * The auction works on gains cut to 30 bits and is only a start: make_consistent() turns any
 * prices into duals, and shortest augmenting paths from the few nodes left open give the exact
 * optimum. So epsilon decides how long this takes, not what comes out, and the auction may stop
 * anywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_match_queue.h"
#include "pw_match_search.h"
#include "pw_scratch.h"
#include "pw_table.h"
#include "pw_tuning.h"

/* ---- the auction --------------------------------------------------------------------------- */

/* Gains are cut to 30 bits, which halves the memory. Prices stay below the largest gain plus one
 * epsilon, so that they fit 32 bits. */
#define GAIN_BITS 30

typedef struct {
    int32_t end;
    int32_t gain;
} short_cell;

typedef struct {
    int64_t n;
    const int64_t *indptr;
    short_cell *cells;
    int32_t *duals;
    int32_t *mates;
} bidders;

/* Prefetches the cells of a node that bids soon; in large tables they are not in the cache. */
static inline void fetch_ahead(const pw_match_queue *q, const bidders *near) {
    if (q->n_waiting <= 4) return;
    const int64_t at = q->head + 4;
    const int64_t node = q->ring[at < q->size ? at : at - q->size];
    __builtin_prefetch(near->cells + near->indptr[node]);
    __builtin_prefetch(near->cells + near->indptr[node + 1] - 1);
}

/* A free node takes the cell of largest surplus and drives its price up by what it is worth more
 * than the second best (staying alone is worth 0), and epsilon. Returns the node that lost it,
 * -1 for none. */
static inline int64_t bid(const bidders *near, const bidders *far, int64_t node, int32_t epsilon) {
    int32_t best = 0;
    int32_t second = 0;
    int32_t end = -1;
    const short_cell *last = near->cells + near->indptr[node + 1];
    for (const short_cell *cell = near->cells + near->indptr[node]; cell < last; cell++) {
        const int32_t value = cell->gain - far->duals[cell->end];
        const int32_t low = value < best ? value : best; /* no branches: they are unpredictable */
        second = low > second ? low : second;
        end = value > best ? cell->end : end;
        best = value > best ? value : best;
    }
    if (end < 0) {
        near->duals[node] = 0;
        return -1;
    }
    const int32_t old = far->mates[end];
    far->duals[end] += best - second + epsilon;
    near->duals[node] = second > epsilon ? second - epsilon : 0;
    near->mates[node] = end;
    far->mates[end] = (int32_t)node;
    if (old >= 0) near->mates[old] = -1;
    return old;
}

/* Keep the pairs that are good enough at this epsilon, queue the other rows. */
static void begin_phase(const bidders *rows, const bidders *cols, int32_t epsilon,
                        pw_match_queue *q) {
    for (int64_t r = 0; r < rows->n; r++) {
        const int32_t mate = rows->mates[r];
        int32_t best = 0;
        int32_t kept = -1;
        for (int64_t c = rows->indptr[r]; c < rows->indptr[r + 1]; c++) {
            const short_cell cell = rows->cells[c];
            const int32_t value = cell.gain - cols->duals[cell.end];
            if (value > best) best = value;
            if (cell.end == mate) kept = value;
        }
        if (kept >= 0 && kept >= best - epsilon) {
            rows->duals[r] = kept;
            continue;
        }
        if (mate >= 0) {
            cols->mates[mate] = -1;
            rows->mates[r] = -1;
        }
        rows->duals[r] = 0;
        if (best > 0) pw_enqueue(q, r);
    }
}

/* Rows bid until none is left. Then columns that are alone at a price above 0 bid for rows; that
 * only raises what rows get, so it ends. */
static int auction(const bidders *rows, const bidders *cols, int32_t epsilon, pw_match_queue *q,
                   int64_t most, pw_effort *effort) {
    begin_phase(rows, cols, epsilon, q);
    while (q->n_waiting > 0) {
        fetch_ahead(q, rows);
        const int64_t row = pw_dequeue(q);
        const int64_t lost = bid(rows, cols, row, epsilon);
        if (lost >= 0) pw_enqueue(q, lost);
        if (pw_spend(effort, rows->indptr[row + 1] - rows->indptr[row]) != PW_OK) {
            return PW_STOPPED;
        }
        if (effort->scanned > most) return PW_OVER_BUDGET;
    }
    for (int64_t j = 0; j < cols->n; j++) {
        if (cols->mates[j] < 0 && cols->duals[j] > 0) pw_enqueue(q, j);
    }
    while (q->n_waiting > 0) {
        fetch_ahead(q, cols);
        const int64_t col = pw_dequeue(q);
        const int64_t lost = bid(cols, rows, col, epsilon);
        if (lost >= 0 && cols->duals[lost] > 0) pw_enqueue(q, lost);
        if (pw_spend(effort, cols->indptr[col + 1] - cols->indptr[col]) != PW_OK) {
            return PW_STOPPED;
        }
        if (effort->scanned > most) return PW_OVER_BUDGET;
    }
    return PW_OK;
}

/* ---- the repair ---------------------------------------------------------------------------- */

static int64_t best_surplus(const pw_side *near, const pw_side *far, int64_t node) {
    int64_t best = 0;
    for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
        const int64_t value = near->gains[c] - far->duals[near->ends[c]];
        if (value > best) best = value;
    }
    return best;
}

/* An open node takes the first free far node on a tight cell. */
static void take_free(const pw_side *near, const pw_side *far, int64_t node) {
    for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
        const int64_t end = near->ends[c];
        if (far->mates[end] >= 0 || near->duals[node] + far->duals[end] != near->gains[c]) continue;
        near->mates[node] = end;
        far->mates[end] = node;
        return;
    }
}

/* The least row duals that the prices allow; only exactly tight pairs stay. */
static void make_consistent(const pw_side *rows, const pw_side *cols) {
    for (int64_t r = 0; r < rows->n; r++) {
        const int64_t mate = rows->mates[r];
        rows->duals[r] = best_surplus(rows, cols, r);
        if (mate >= 0 && rows->duals[r] + cols->duals[mate] != pw_gain_of(rows, r, mate)) {
            rows->mates[r] = -1;
            cols->mates[mate] = -1;
        }
    }
    for (int64_t j = 0; j < cols->n; j++) {
        if (cols->mates[j] >= 0 || cols->duals[j] == 0) continue;
        cols->duals[j] = best_surplus(cols, rows, j);
        if (cols->duals[j] > 0) take_free(cols, rows, j);
    }
    for (int64_t r = 0; r < rows->n; r++) {
        if (rows->mates[r] < 0 && rows->duals[r] > 0) take_free(rows, cols, r);
    }
}

static int settle(pw_search *s, const pw_side *near, const pw_side *far, pw_effort *effort) {
    int status = PW_OK;
    for (int64_t i = 0; i < near->n && status == PW_OK; i++) {
        if (near->mates[i] < 0 && near->duals[i] > 0) {
            status = pw_search_from(s, near, far, i, INT64_MAX, effort);
        }
    }
    return status;
}

/* ---- all steps ----------------------------------------------------------------------------- */

/* The state of a side, cut by `drop` bits. */
static int open_bidders(bidders *b, const pw_side *side, int drop) {
    const int64_t n_cells = side->indptr[side->n];
    *b = (bidders){.n = side->n, .indptr = side->indptr};
    b->cells = pw_large_malloc(n_cells * (int64_t)sizeof *b->cells);
    b->duals = malloc((size_t)side->n * sizeof *b->duals);
    b->mates = malloc((size_t)side->n * sizeof *b->mates);
    if (!b->cells || !b->duals || !b->mates) return PW_NO_MEMORY;
    for (int64_t i = 0; i < side->n; i++) {
        b->duals[i] = (int32_t)(side->duals[i] >> drop);
        b->mates[i] = (int32_t)side->mates[i];
    }
    for (int64_t c = 0; c < n_cells; c++) {
        b->cells[c] = (short_cell){(int32_t)side->ends[c], (int32_t)(side->gains[c] >> drop)};
    }
    return PW_OK;
}

static void close_bidders(bidders *b) {
    free(b->cells);
    free(b->duals);
    free(b->mates);
}

/* Phases of ever smaller epsilon. Each begins with the prices and pairs of the one before, the
 * first with those of the direct way. The last epsilon is 2^-17 or 2^-20 of the largest gain. */
static int refine(const bidders *rows, const bidders *cols, int32_t largest, pw_match_queue *q,
                  pw_effort *effort) {
    const int64_t n_cells = rows->indptr[rows->n];
    const int32_t least = (largest >> (n_cells > 300000 ? 20 : 17)) + 1;
    const int64_t most = effort->scanned + PW_MATCH_AUCTION_SCANS * n_cells;
    int32_t epsilon = largest / 64 + 1;
    for (;;) {
        if (epsilon < least) epsilon = least;
        const int status = auction(rows, cols, epsilon, q, most, effort);
        if (status != PW_OK || epsilon == least) return status;
        epsilon /= 8;
    }
}

/* Prices and pairs as the auction finds them; any prices >= 0 will do. */
static int start_from_auction(const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    const int64_t n_cells = rows->indptr[rows->n];
    int64_t largest = 0;
    for (int64_t c = 0; c < n_cells; c++) {
        if (rows->gains[c] > largest) largest = rows->gains[c];
    }
    const int bits = pw_bits((uint64_t)largest);
    const int drop = bits > GAIN_BITS ? bits - GAIN_BITS : 0;
    bidders near = {0};
    bidders far = {0};
    pw_match_queue q = {.size = (rows->n > cols->n ? rows->n : cols->n) + 1};
    q.ring = malloc((size_t)q.size * sizeof *q.ring);
    int status = q.ring ? open_bidders(&near, rows, drop) : PW_NO_MEMORY;
    if (status == PW_OK) status = open_bidders(&far, cols, drop);
    if (status == PW_OK) {
        status = refine(&near, &far, (int32_t)(largest >> drop), &q, effort);
        if (status == PW_OVER_BUDGET) status = PW_OK;
        for (int64_t r = 0; r < rows->n; r++) rows->mates[r] = near.mates[r];
        for (int64_t j = 0; j < cols->n; j++) {
            cols->mates[j] = far.mates[j];
            cols->duals[j] = (int64_t)far.duals[j] << drop;
        }
        if (status == PW_OK) status = pw_match_keep_pairs(rows, cols, effort);
    }
    close_bidders(&near);
    close_bidders(&far);
    free(q.ring);
    return status;
}

int pw_match_auction(pw_search *s, const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    if (rows->n >= INT32_MAX || cols->n >= INT32_MAX) return settle(s, rows, cols, effort);
    const int64_t n_cells = rows->indptr[rows->n];
    int64_t *indptr = malloc((size_t)(cols->n + 1) * sizeof *indptr);
    int64_t *ends = pw_large_malloc(n_cells * (int64_t)sizeof *ends);
    int64_t *gains = pw_large_malloc(n_cells * (int64_t)sizeof *gains);
    int status = PW_NO_MEMORY;
    if (indptr && ends && gains) {
        status = pw_transpose(rows->indptr, rows->ends, rows->gains, rows->n, cols->n, indptr, ends,
                              gains, effort->poll);
    }
    const pw_side by_col = {cols->n, indptr, ends, gains, cols->duals, cols->mates};
    if (status == PW_OK) status = start_from_auction(rows, &by_col, effort);
    if (status == PW_OK) make_consistent(rows, &by_col);
    if (status == PW_OK) status = settle(s, rows, &by_col, effort);
    if (status == PW_OK) status = settle(s, &by_col, rows, effort);
    free(indptr);
    free(ends);
    free(gains);
    return status;
}
