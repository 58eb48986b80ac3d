/* Packing of nearly tied gains: an auction of amounts, then an exact repair.
 *
 * The idea is that of D. P. Bertsekas and D. A. Castanon, "The auction algorithm for
 * transportation problems" (1989): nodes bid with amounts. Here:
 *   1. a row bids all that it has left for its best column, at its advantage over the second best
 *      and a step; a column that got too much sends back the lowest bids, and its price is the
 *      lowest bid it keeps;
 *   2. columns that are not full bid for rows;
 *   3. the step shrinks and it begins again from the prices;
 *   4. duals are made consistent, and shortest paths with bottleneck amounts (Dijkstra 1959, as in
 *      pw_match_search.c) move what is not yet at its place.
 * Where gains tie, bids can slice amounts without end; a bound hands the problem back to the
 * simplex.
 */
#include "pw_pack_auction.h"

#include <stdlib.h>
#include <string.h>

#include "pw_heap.h"
#include "pw_tuning.h"

/* One side of the table, its cells node by node with copies of the gains. */
typedef struct {
    int64_t n;
    const int64_t *start; /* n + 1 */
    const int64_t *other; /* node of the other side */
    const int64_t *gain;
    const int64_t *cell; /* place in the table's arrays */
    int64_t *left;       /* capacity not used */
    int64_t *dual;
} side;

typedef struct {
    side rows;
    side cols;
    int64_t n_cells;
    int64_t *amounts;
    int64_t *tags; /* what each cell's amount was bid at */
    int64_t scanned;
    const pw_poll *poll;
    /* a ring of nodes that wait to bid */
    int64_t *queue;
    char *waits;
    int64_t queued;
    int64_t head;
    /* a search */
    pw_heap_entry *heap;
    int64_t heap_size;
    int64_t *distance; /* of nodes of the far side */
    int64_t *reach;    /* place among the near side's cells by which a far node was reached */
    int64_t *reached;  /* the near node it belongs to */
    int64_t *stamp;    /* search in which a far node was reached, negative once settled */
    int64_t *via;      /* cell by which a near node was reached */
    int64_t *from;     /* far node it was reached from */
    int64_t *seen;     /* search in which a near node was reached */
    int64_t *settled;  /* far nodes of the search */
    int64_t *visited;  /* near nodes of the search */
} market;

/* ---- bidding ------------------------------------------------------------------------------- */

static void wait(market *m, const side *bidders, int64_t node) {
    if (m->waits[node]) return;
    m->waits[node] = 1;
    m->queue[(m->head + m->queued++) % bidders->n] = node;
}

/* The cell of a node that carries something at the lowest tag, as a place of its side; -1: none. */
static int64_t lowest(market *m, const side *s, int64_t node) {
    int64_t found = -1;
    for (int64_t i = s->start[node]; i < s->start[node + 1]; i++) {
        const int64_t cell = s->cell[i];
        if (m->amounts[cell] > 0 && (found < 0 || m->tags[cell] < m->tags[s->cell[found]])) {
            found = i;
        }
    }
    m->scanned += s->start[node + 1] - s->start[node];
    return found;
}

/* Send back the lowest bids of a seller that got too much, then set its price. */
static void settle(market *m, const side *bidders, const side *sellers, int64_t node) {
    int64_t at = lowest(m, sellers, node);
    while (sellers->left[node] < 0) {
        const int64_t cell = sellers->cell[at];
        const int64_t back = pw_min64(m->amounts[cell], -sellers->left[node]);
        m->amounts[cell] -= back;
        sellers->left[node] += back;
        bidders->left[sellers->other[at]] += back;
        wait(m, bidders, sellers->other[at]);
        if (m->amounts[cell] == 0) at = lowest(m, sellers, node);
    }
    const int64_t price = m->tags[sellers->cell[at]];
    if (price > sellers->dual[node]) sellers->dual[node] = price;
}

/* A node bids all that it has left for its best offer, at the surplus over the second best. */
static void bid(market *m, const side *bidders, const side *sellers, int64_t node, int64_t step) {
    int64_t best = 0;
    int64_t second = 0;
    int64_t at = -1;
    for (int64_t i = bidders->start[node]; i < bidders->start[node + 1]; i++) {
        const int64_t value = bidders->gain[i] - sellers->dual[bidders->other[i]];
        if (value > best) {
            second = best;
            best = value;
            at = i;
        } else if (value > second) {
            second = value;
        }
    }
    m->scanned += bidders->start[node + 1] - bidders->start[node];
    if (at < 0) { /* no offer is worth more than to keep it */
        bidders->dual[node] = 0;
        return;
    }
    const int64_t cell = bidders->cell[at];
    const int64_t seller = bidders->other[at];
    m->amounts[cell] += bidders->left[node];
    m->tags[cell] = bidders->gain[at] - second + step;
    sellers->left[seller] -= bidders->left[node];
    bidders->left[node] = 0;
    bidders->dual[node] = second > step ? second - step : 0;
    if (sellers->left[seller] <= 0) settle(m, bidders, sellers, seller);
}

/* The nodes in the queue bid until it is empty, or until `most` cells have been scanned. */
static int run(market *m, const side *bidders, const side *sellers, int64_t step, int64_t most) {
    int64_t polled = m->scanned + PW_POLL_ITEMS / 4;
    while (m->queued > 0 && m->scanned < most) {
        const int64_t node = m->queue[m->head];
        m->head = m->head + 1 < bidders->n ? m->head + 1 : 0;
        m->queued--;
        m->waits[node] = 0;
        if (bidders->left[node] > 0) bid(m, bidders, sellers, node, step);
        if (m->scanned > polled) {
            polled = m->scanned + PW_POLL_ITEMS / 4;
            if (pw_stop(m->poll)) return PW_STOPPED;
        }
    }
    while (m->queued > 0) { /* after giving up, the queue is emptied */
        m->waits[m->queue[m->head]] = 0;
        m->head = m->head + 1 < bidders->n ? m->head + 1 : 0;
        m->queued--;
    }
    m->head = 0;
    return PW_OK;
}

/* Smallest dual of a node that its cells allow, at least 0. */
static int64_t tight_dual(const side *s, const side *others, int64_t node) {
    int64_t most = 0;
    for (int64_t i = s->start[node]; i < s->start[node + 1]; i++) {
        const int64_t value = s->gain[i] - others->dual[s->other[i]];
        if (value > most) most = value;
    }
    return most;
}

/* Duals of the rows from the prices; what is further than `step` from its best cell is taken
 * back, the rest is tagged with its price. */
static void open_phase(market *m, int64_t step) {
    const side *rows = &m->rows;
    for (int64_t r = 0; r < rows->n; r++) {
        rows->dual[r] = tight_dual(rows, &m->cols, r);
        for (int64_t i = rows->start[r]; i < rows->start[r + 1]; i++) {
            const int64_t col = rows->other[i];
            m->tags[i] = m->cols.dual[col];
            if (m->amounts[i] == 0) continue;
            if (rows->gain[i] - m->cols.dual[col] >= rows->dual[r] - step) continue;
            rows->left[r] += m->amounts[i];
            m->cols.left[col] += m->amounts[i];
            m->amounts[i] = 0;
        }
        if (rows->left[r] > 0 && rows->dual[r] > 0) wait(m, rows, r);
    }
}

/* Columns that are not full must have price 0: they bid for rows, whose duals rise. */
static void turn(market *m) {
    const side *rows = &m->rows;
    const side *cols = &m->cols;
    for (int64_t r = 0; r < rows->n; r++) {
        int64_t least = -1;
        for (int64_t i = rows->start[r]; i < rows->start[r + 1]; i++) {
            const int64_t profit = rows->gain[i] - cols->dual[rows->other[i]];
            m->tags[i] = profit > 0 ? profit : 0;
            if (m->amounts[i] > 0 && (least < 0 || m->tags[i] < least)) least = m->tags[i];
        }
        rows->dual[r] = rows->left[r] > 0 || least < 0 ? 0 : least;
    }
    for (int64_t j = 0; j < cols->n; j++) {
        if (cols->left[j] > 0 && cols->dual[j] > 0) wait(m, cols, j);
    }
}

/* Phases with ever smaller steps; PW_CROWDED if amounts are sliced without end. */
static int auction(market *m, int64_t largest, int64_t most) {
    const int64_t last = largest / 100000;
    for (int64_t step = largest / 16;; step /= 8) {
        if (step < last) step = last;
        if (step < 1) step = 1;
        open_phase(m, step);
        int status = run(m, &m->rows, &m->cols, step, most);
        if (status != PW_OK) return status;
        turn(m);
        status = run(m, &m->cols, &m->rows, step, most);
        if (status != PW_OK) return status;
        for (int64_t j = 0; j < m->cols.n; j++) {
            m->cols.dual[j] = tight_dual(&m->cols, &m->rows, j);
        }
        if (m->scanned >= most) return PW_CROWDED;
        if (step <= last || step == 1) return PW_OK;
    }
}

/* ---- exact repair -------------------------------------------------------------------------- */

/* The cheapest way out that the running search has met so far. */
typedef struct {
    int64_t limit;
    int64_t end;   /* far node with capacity left, or -1 */
    int64_t leave; /* near node that gives up what it has, or -1; both -1: the start keeps it */
} way_out;

static void relax(market *m, const side *near, const side *far, int64_t node, int64_t base,
                  int64_t search, way_out *out) {
    for (int64_t i = near->start[node]; i < near->start[node + 1]; i++) {
        const int64_t to = near->other[i];
        if (m->stamp[to] == -search) continue;
        const int64_t there = base + near->dual[node] + far->dual[to] - near->gain[i];
        if (there >= out->limit) continue;
        if (m->stamp[to] == search && there >= m->distance[to]) continue;
        m->stamp[to] = search;
        m->distance[to] = there;
        m->reach[to] = near->cell[i];
        m->reached[to] = node;
        if (far->left[to] > 0) {
            *out = (way_out){there, to, -1};
        } else {
            pw_heap_push(m->heap, &m->heap_size, (pw_heap_entry){there, to});
        }
    }
    m->scanned += near->start[node + 1] - near->start[node];
}

/* Move what the path allows from the start to the way out. */
static void augment(market *m, const side *near, const side *far, int64_t origin, way_out out) {
    int64_t amount = near->left[origin];
    int64_t node = out.leave >= 0 ? out.leave : m->reached[out.end];
    if (out.end >= 0) amount = pw_min64(amount, far->left[out.end]);
    for (int64_t x = node; x != origin; x = m->reached[m->from[x]]) {
        amount = pw_min64(amount, m->amounts[m->via[x]]);
    }
    if (out.end >= 0) {
        far->left[out.end] -= amount;
        m->amounts[m->reach[out.end]] += amount;
    } else {
        near->left[node] += amount;
    }
    for (int64_t x = node; x != origin; x = m->reached[m->from[x]]) {
        m->amounts[m->via[x]] -= amount;
        m->amounts[m->reach[m->from[x]]] += amount;
    }
    near->left[origin] -= amount;
}

/* One shortest way out of a near node with capacity left and a dual above 0. */
static void search_from(market *m, const side *near, const side *far, int64_t origin,
                        int64_t search) {
    way_out out = {near->dual[origin], -1, -1};
    int64_t n_settled = 0;
    int64_t n_visited = 0;
    m->heap_size = 0;
    m->seen[origin] = search;
    relax(m, near, far, origin, 0, search, &out);
    while (m->heap_size > 0) {
        const pw_heap_entry top = pw_heap_pop(m->heap, &m->heap_size);
        if (top.distance >= out.limit) break;
        if (m->stamp[top.node] == -search || top.distance > m->distance[top.node]) continue;
        m->stamp[top.node] = -search;
        m->settled[n_settled++] = top.node;
        for (int64_t i = far->start[top.node]; i < far->start[top.node + 1]; i++) {
            const int64_t node = far->other[i];
            if (m->amounts[far->cell[i]] == 0 || m->seen[node] == search) continue;
            m->seen[node] = search;
            m->via[node] = far->cell[i];
            m->from[node] = top.node;
            m->visited[n_visited++] = node;
            if (top.distance + near->dual[node] < out.limit) {
                out = (way_out){top.distance + near->dual[node], -1, node};
            }
            relax(m, near, far, node, top.distance, search, &out);
        }
        m->scanned += far->start[top.node + 1] - far->start[top.node];
    }
    near->dual[origin] -= out.limit;
    for (int64_t i = 0; i < n_visited; i++) {
        const int64_t there = m->distance[m->from[m->visited[i]]];
        if (there < out.limit) near->dual[m->visited[i]] -= out.limit - there;
    }
    for (int64_t i = 0; i < n_settled; i++) {
        const int64_t there = m->distance[m->settled[i]];
        if (there < out.limit) far->dual[m->settled[i]] += out.limit - there;
    }
    if (out.end >= 0 || out.leave >= 0) augment(m, near, far, origin, out);
}

/* Paths from every node of a side that has capacity left and a dual above 0. */
static int repair_side(market *m, const side *near, const side *far, int64_t most) {
    int64_t search = 0;
    int64_t polled = m->scanned + PW_POLL_ITEMS / 4;
    const int64_t n = near->n > far->n ? near->n : far->n;
    memset(m->stamp, 0, (size_t)n * sizeof *m->stamp);
    memset(m->seen, 0, (size_t)n * sizeof *m->seen);
    for (int64_t x = 0; x < near->n; x++) {
        while (near->left[x] > 0 && near->dual[x] > 0) {
            search_from(m, near, far, x, ++search);
            if (m->scanned > most) return PW_CROWDED;
            if (m->scanned > polled) {
                polled = m->scanned + PW_POLL_ITEMS / 4;
                if (pw_stop(m->poll)) return PW_STOPPED;
            }
        }
    }
    return PW_OK;
}

static int repair(market *m, int64_t most) {
    open_phase(m, 0); /* keeps what is exactly tight */
    while (m->queued > 0) {
        m->waits[m->queue[m->head]] = 0;
        m->head = m->head + 1 < m->rows.n ? m->head + 1 : 0;
        m->queued--;
    }
    m->head = 0;
    for (int64_t j = 0; j < m->cols.n; j++) {
        if (m->cols.left[j] > 0) m->cols.dual[j] = tight_dual(&m->cols, &m->rows, j);
    }
    const int status = repair_side(m, &m->rows, &m->cols, most);
    return status == PW_OK ? repair_side(m, &m->cols, &m->rows, most) : status;
}

/* ---- setting up ---------------------------------------------------------------------------- */

/* Row by row the cells are the table's own; column by column they are copied. */
static void fill_sides(market *m, const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                       int64_t *row_cell, int64_t *col_start, int64_t *col_other, int64_t *col_gain,
                       int64_t *col_cell) {
    memset(col_start, 0, (size_t)(m->cols.n + 2) * sizeof *col_start);
    for (int64_t c = 0; c < m->n_cells; c++) col_start[cols[c] + 2]++;
    for (int64_t j = 2; j < m->cols.n + 2; j++) col_start[j] += col_start[j - 1];
    for (int64_t r = 0; r < m->rows.n; r++) {
        for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
            const int64_t to = col_start[cols[c] + 1]++;
            row_cell[c] = c;
            col_other[to] = r;
            col_gain[to] = gains[c];
            col_cell[to] = c;
        }
    }
    m->rows.start = indptr;
    m->rows.other = cols;
    m->rows.gain = gains;
    m->rows.cell = row_cell;
    m->cols.start = col_start;
    m->cols.other = col_other;
    m->cols.gain = col_gain;
    m->cols.cell = col_cell;
}

int pw_pack_auction(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                    const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows,
                    int64_t n_cols, int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
                    const pw_poll *poll) {
    const int64_t n_cells = indptr[n_rows];
    const int64_t n = (n_rows > n_cols ? n_rows : n_cols) + 1;
    market m = {.n_cells = n_cells, .amounts = amounts, .poll = poll};
    /* one block of memory for all that has a number of 64 bits per node or cell */
    const size_t words = 5 * (size_t)n_cells + 12 * (size_t)n + 2 * (size_t)(n_cells + 1) + 4;
    int64_t *block = malloc(words * sizeof *block);
    m.waits = calloc((size_t)n, 1);
    if (!block || !m.waits) {
        free(block);
        free(m.waits);
        return PW_NO_MEMORY;
    }
    int64_t *at = block;
#define TAKE(count) (at += (count), at - (count))
    m.tags = TAKE(n_cells);
    int64_t *row_cell = TAKE(n_cells);
    int64_t *col_other = TAKE(n_cells);
    int64_t *col_gain = TAKE(n_cells);
    int64_t *col_cell = TAKE(n_cells);
    m.heap = (pw_heap_entry *)TAKE(2 * (n_cells + 1));
    int64_t *col_start = TAKE(n + 2);
    m.rows.left = TAKE(n);
    m.cols.left = TAKE(n);
    m.queue = TAKE(n);
    m.distance = TAKE(n);
    m.reach = TAKE(n);
    m.reached = TAKE(n);
    m.stamp = TAKE(n);
    m.via = TAKE(n);
    m.from = TAKE(n);
    m.seen = TAKE(n);
    m.settled = TAKE(n);
#undef TAKE
    m.visited = malloc((size_t)n * sizeof *m.visited);
    int status = m.visited ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        m.rows.n = n_rows;
        m.cols.n = n_cols;
        m.rows.dual = row_duals;
        m.cols.dual = col_duals;
        fill_sides(&m, indptr, cols, gains, row_cell, col_start, col_other, col_gain, col_cell);
        for (int64_t c = 0; c < n_cells; c++) amounts[c] = 0;
        for (int64_t r = 0; r < n_rows; r++) m.rows.left[r] = row_caps[r];
        for (int64_t j = 0; j < n_cols; j++) {
            m.cols.left[j] = col_caps[j];
            col_duals[j] = 0;
        }
        int64_t largest = 0;
        for (int64_t c = 0; c < n_cells; c++) largest = gains[c] > largest ? gains[c] : largest;
        const int64_t most = PW_PACK_AUCTION_SCANS * (n_cells + 1024);
        status = auction(&m, largest, most);
        if (status == PW_OK) status = repair(&m, most);
    }
    free(block);
    free(m.waits);
    free(m.visited);
    return status;
}
