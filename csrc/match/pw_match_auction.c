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

/* The nodes that wait to bid: first in, first out, each at most once. */
typedef struct {
    int32_t *ring;
    int64_t size;
    int64_t head;
    int64_t n_waiting;
} queue;

static inline void enqueue(queue *q, int64_t node) {
    int64_t at = q->head + q->n_waiting++;
    if (at >= q->size) at -= q->size;
    q->ring[at] = (int32_t)node;
}

static inline int64_t dequeue(queue *q) {
    const int64_t node = q->ring[q->head];
    if (++q->head == q->size) q->head = 0;
    q->n_waiting--;
    return node;
}

/* Prefetches the cells of a node that bids soon; in large tables they are not in the cache. */
static inline void fetch_ahead(const queue *q, const bidders *near) {
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
static void begin_phase(const bidders *rows, const bidders *cols, int32_t epsilon, queue *q) {
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
        if (best > 0) enqueue(q, r);
    }
}

/* Rows bid until none is left. Then columns that are alone at a price above 0 bid for rows; that
 * only raises what rows get, so it ends. */
static int auction(const bidders *rows, const bidders *cols, int32_t epsilon, queue *q,
                   int64_t most, pw_effort *effort) {
    begin_phase(rows, cols, epsilon, q);
    while (q->n_waiting > 0) {
        fetch_ahead(q, rows);
        const int64_t row = dequeue(q);
        const int64_t lost = bid(rows, cols, row, epsilon);
        if (lost >= 0) enqueue(q, lost);
        if (pw_spend(effort, rows->indptr[row + 1] - rows->indptr[row]) != PW_OK) {
            return PW_STOPPED;
        }
        if (effort->scanned > most) return PW_OVER_BUDGET;
    }
    for (int64_t j = 0; j < cols->n; j++) {
        if (cols->mates[j] < 0 && cols->duals[j] > 0) enqueue(q, j);
    }
    while (q->n_waiting > 0) {
        fetch_ahead(q, cols);
        const int64_t col = dequeue(q);
        const int64_t lost = bid(cols, rows, col, epsilon);
        if (lost >= 0 && cols->duals[lost] > 0) enqueue(q, lost);
        if (pw_spend(effort, cols->indptr[col + 1] - cols->indptr[col]) != PW_OK) {
            return PW_STOPPED;
        }
        if (effort->scanned > most) return PW_OVER_BUDGET;
    }
    return PW_OK;
}

/* ---- the repair ---------------------------------------------------------------------------- */

static int64_t gain_of(const pw_side *near, int64_t node, int64_t end) {
    int64_t c = near->indptr[node];
    while (near->ends[c] != end) c++;
    return near->gains[c];
}

/* What keep_pairs() needs to know of columns and rows. */
typedef struct {
    int64_t *raised_by; /* of each column: the row that raised it last, or -1 */
    int64_t *walk;      /* of each column: the walk that met it last */
    int64_t n_walks;
    uint8_t *raises; /* of each column */
    int64_t *paid;   /* of each row: the gain of its pair */
    uint8_t *waits;  /* of each row */
} raised;

static int open_raised(raised *x, int64_t n_rows, int64_t n_cols) {
    *x = (raised){.raised_by = malloc((size_t)n_cols * sizeof *x->raised_by),
                  .walk = calloc((size_t)n_cols, sizeof *x->walk),
                  .raises = calloc((size_t)n_cols, sizeof *x->raises),
                  .paid = malloc((size_t)n_rows * sizeof *x->paid),
                  .waits = calloc((size_t)n_rows, sizeof *x->waits)};
    if (!x->raised_by || !x->walk || !x->raises || !x->paid || !x->waits) return PW_NO_MEMORY;
    for (int64_t j = 0; j < n_cols; j++) x->raised_by[j] = -1;
    return PW_OK;
}

static void close_raised(raised *x) {
    free(x->raised_by);
    free(x->walk);
    free(x->raises);
    free(x->paid);
    free(x->waits);
}

static void wait_again(raised *x, queue *q, int64_t row) {
    if (!x->waits[row]) enqueue(q, row);
    x->waits[row] = 1;
}

/* Every price stands where the row that raised it put it, and that row's own column was raised by
 * another. If this leads from a column back to itself, all rows of the circle gain by taking the
 * columns that they raised. Returns whether there was one. */
static int turn_circle(raised *x, const pw_side *rows, const pw_side *cols, int64_t col, queue *q) {
    x->n_walks++;
    while (x->walk[col] != x->n_walks) {
        x->walk[col] = x->n_walks;
        const int64_t row = x->raised_by[col];
        if (row < 0 || rows->mates[row] < 0) return 0;
        col = rows->mates[row];
    }
    while (x->raised_by[col] >= 0) {
        const int64_t row = x->raised_by[col];
        const int64_t next = rows->mates[row];
        rows->mates[row] = col;
        cols->mates[col] = row;
        x->paid[row] = gain_of(rows, row, col);
        x->raised_by[col] = -1;
        wait_again(x, q, row);
        col = next;
    }
    return 1;
}

/* The row of a pair raises the prices of columns that it would rather have to where it would not.
 * Returns whether it is done; if not, pairs have changed and it has to look again. */
static int raise_prices(raised *x, const pw_side *rows, const pw_side *cols, int64_t row,
                        queue *q) {
    const int64_t value = x->paid[row] - cols->duals[rows->mates[row]];
    const int64_t surplus = value > 0 ? value : 0; /* else it would rather stay alone */
    for (int64_t c = rows->indptr[row]; c < rows->indptr[row + 1]; c++) {
        const int64_t end = rows->ends[c];
        const int64_t price = rows->gains[c] - surplus;
        if (cols->duals[end] >= price) continue;
        const int64_t other = cols->mates[end];
        if (other < 0 || x->raises[end] == PW_MATCH_RAISES) continue;
        cols->duals[end] = price;
        x->raised_by[end] = row;
        wait_again(x, q, other);
        if (++x->raises[end] % 8 == 0 && turn_circle(x, rows, cols, end, q)) return 0;
    }
    return 1;
}

/* Raises prices until no row with a mate prefers another column, so that the auction's pairs stay
 * tight: it left them within an epsilon of that, and each that is off by one would cost a search.
 * Where rows outbid each other in a circle, another pairing gains more, and they take that.
 *
 * A price rises at most PW_MATCH_RAISES times, so that it ends. What is left, columns that are
 * alone and rows that would rather be, is for make_consistent(). */
static int keep_pairs(const pw_side *rows, const pw_side *cols, queue *q, pw_effort *effort) {
    raised x;
    int status = open_raised(&x, rows->n, cols->n);
    q->head = q->n_waiting = 0;
    for (int64_t r = 0; r < rows->n && status == PW_OK; r++) {
        if (rows->mates[r] < 0) continue;
        x.paid[r] = gain_of(rows, r, rows->mates[r]);
        wait_again(&x, q, r);
    }
    while (status == PW_OK && q->n_waiting > 0) {
        const int64_t row = dequeue(q);
        x.waits[row] = 0;
        if (!raise_prices(&x, rows, cols, row, q)) wait_again(&x, q, row);
        status = pw_spend(effort, rows->indptr[row + 1] - rows->indptr[row]);
    }
    close_raised(&x);
    return status;
}

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
        if (mate >= 0 && rows->duals[r] + cols->duals[mate] != gain_of(rows, r, mate)) {
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
static int refine(const bidders *rows, const bidders *cols, int32_t largest, queue *q,
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
    queue q = {.size = (rows->n > cols->n ? rows->n : cols->n) + 1};
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
        if (status == PW_OK) status = keep_pairs(rows, cols, &q, effort);
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
                              gains);
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
