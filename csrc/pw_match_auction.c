#include <stdlib.h>
#include <string.h>

#include "pw_match_impl.h"
#include "pw_table.h"

/* ---- the auction --------------------------------------------------------------------------- */

/* Nodes that wait for their turn, first in, first out; each at most once. */
typedef struct {
    int64_t *ring;
    int64_t size;
    int64_t head;
    int64_t n_waiting;
} queue;

static inline void enqueue(queue *q, int64_t node) {
    int64_t at = q->head + q->n_waiting++;
    if (at >= q->size) at -= q->size;
    q->ring[at] = node;
}

static inline int64_t dequeue(queue *q) {
    const int64_t node = q->ring[q->head];
    if (++q->head == q->size) q->head = 0;
    q->n_waiting--;
    return node;
}

/* The best cell of a node at the prices of the other side, and the best two surpluses; staying
 * alone counts as one of surplus 0. */
typedef struct {
    int64_t best;
    int64_t second;
    int64_t end;
} offer;

static inline offer best_offer(const pw_side *near, const pw_side *far, int64_t node) {
    offer found = {0, 0, -1};
    for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
        const int64_t value = near->gains[c] - far->duals[near->ends[c]];
        if (value > found.second) {
            if (value > found.best) {
                found.second = found.best;
                found.best = value;
                found.end = near->ends[c];
            } else {
                found.second = value;
            }
        }
    }
    return found;
}

/* A free node takes its best offer and drives its price up by what it is worth to it more than
 * the second best, and epsilon. Answers the node that lost it, -1 for none. */
static inline int64_t bid(const pw_side *near, const pw_side *far, int64_t node, int64_t epsilon) {
    const offer found = best_offer(near, far, node);
    if (found.end < 0) {
        near->duals[node] = 0;
        return -1;
    }
    const int64_t old = far->mates[found.end];
    far->duals[found.end] += found.best - found.second + epsilon;
    near->duals[node] = found.second > epsilon ? found.second - epsilon : 0;
    near->mates[node] = found.end;
    far->mates[found.end] = node;
    if (old >= 0) near->mates[old] = -1;
    return old;
}

/* Keep the pairs that are good enough at this epsilon, queue the other rows. */
static void begin_phase(const pw_side *rows, const pw_side *cols, int64_t epsilon, queue *q) {
    for (int64_t r = 0; r < rows->n; r++) {
        const int64_t mate = rows->mates[r];
        int64_t best = 0;
        int64_t kept = -1;
        for (int64_t c = rows->indptr[r]; c < rows->indptr[r + 1]; c++) {
            const int64_t value = rows->gains[c] - cols->duals[rows->ends[c]];
            if (value > best) best = value;
            if (rows->ends[c] == mate) kept = value;
        }
        if (mate >= 0 && kept >= 0 && kept >= best - epsilon) {
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

/* Rows bid until none is left; then columns that are alone at a price bid for rows. */
static int auction(const pw_side *rows, const pw_side *cols, int64_t epsilon, queue *q,
                   int64_t most, pw_effort *effort) {
    begin_phase(rows, cols, epsilon, q);
    while (q->n_waiting > 0) {
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

static int64_t best_surplus(const pw_side *near, const pw_side *far, int64_t node) {
    int64_t best = 0;
    for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
        const int64_t value = near->gains[c] - far->duals[near->ends[c]];
        if (value > best) best = value;
    }
    return best;
}

static int64_t gain_of(const pw_side *near, int64_t node, int64_t end) {
    int64_t c = near->indptr[node];
    while (near->ends[c] != end) c++;
    return near->gains[c];
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

static int search_all(pw_search *s, const pw_side *near, const pw_side *far, pw_effort *effort) {
    int status = PW_OK;
    for (int64_t i = 0; i < near->n && status == PW_OK; i++) {
        if (near->mates[i] < 0 && near->duals[i] > 0) {
            status = pw_search_from(s, near, far, i, INT64_MAX, effort);
        }
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static int refine(pw_search *s, const pw_side *rows, const pw_side *cols, queue *q,
                  pw_effort *effort) {
    const int64_t n_cells = rows->indptr[rows->n];
    int64_t most = 0;
    for (int64_t c = 0; c < n_cells; c++) {
        if (rows->gains[c] > most) most = rows->gains[c];
    }
    for (int64_t r = 0; r < rows->n; r++) rows->mates[r] = -1;
    for (int64_t j = 0; j < cols->n; j++) cols->mates[j] = -1;
    memset(cols->duals, 0, (size_t)cols->n * sizeof *cols->duals);
    const int64_t least = most / (n_cells > 300000 ? 1000000 : 100000) + 1;
    const int64_t cap = effort->scanned + 400 * n_cells;
    int64_t epsilon = most / 16 + 1;
    int status = PW_OK;
    for (;;) {
        if (epsilon < least) epsilon = least;
        status = auction(rows, cols, epsilon, q, cap, effort);
        if (status != PW_OK || epsilon == least) break;
        epsilon /= 8;
    }
    if (status != PW_OK && status != PW_OVER_BUDGET) return status;
    make_consistent(rows, cols);
    status = search_all(s, rows, cols, effort);
    if (status == PW_OK) status = search_all(s, cols, rows, effort);
    return status;
}

int pw_match_auction(pw_search *s, const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    const int64_t n_cells = rows->indptr[rows->n];
    int64_t *indptr = malloc((size_t)(cols->n + 1) * sizeof *indptr);
    int64_t *ends = malloc((size_t)n_cells * sizeof *ends);
    int64_t *gains = malloc((size_t)n_cells * sizeof *gains);
    queue q = {.size = (rows->n > cols->n ? rows->n : cols->n) + 1};
    q.ring = malloc((size_t)q.size * sizeof *q.ring);
    int status = PW_NO_MEMORY;
    if (indptr && ends && gains && q.ring) {
        status = pw_transpose(rows->indptr, rows->ends, rows->gains, rows->n, cols->n, indptr,
                              ends, gains);
    }
    if (status == PW_OK) {
        const pw_side by_col = {cols->n, indptr, ends, gains, cols->duals, cols->mates};
        status = refine(s, rows, &by_col, &q, effort);
    }
    free(indptr);
    free(ends);
    free(gains);
    free(q.ring);
    return status;
}
