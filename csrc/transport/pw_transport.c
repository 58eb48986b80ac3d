/* The transportation problem on dense costs: the transportation simplex, first in doubles, then
 * exact.
 *
 * G. B. Dantzig, "Application of the simplex method to a transportation problem" (1951):
 *   1. start: rows in turn give what they can to their open column of least cost - price;
 *   2. pivot in doubles; the best entry of a block of some 2000 costs enters (block pricing);
 *   3. potentials of the tree in 128-bit fixed point: every cell is proved, and where one is not,
 *      pivots go on with exact numbers.
 * The start likes many short rows, pricing few long ones, so a problem that is long one way has a
 * turned copy of the costs.
 */
#include "pw_transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_tree.h"
#include "pw_tuning.h"

/* Comparing lanes side by side lets the compiler use vector minima without reordering sums. */
#define LANES 8

/* Rows of a block that is turned at a time. */
#define TILE 16

/* Costs below this share of the largest magnitude do not drive a pivot in doubles. */
#define SLACK 1e-13

typedef struct {
    const double *costs;
    int64_t n_rows;
    int64_t n_cols;
    double largest; /* magnitude of a cost */
    pw_tree tree;
    double *potential; /* rows, columns, root: what moving a unit there costs */
    pw_i128 *exact;    /* the same in fixed point */
    double unit;       /* fixed point = cost x unit */
    int64_t pivots;
    int64_t most_pivots;
} transport;

static inline const double *row_of(const transport *t, int64_t row) {
    return t->costs + row * t->n_cols;
}

/* ---- pricing in doubles -------------------------------------------------------------------- */

/* Smallest cost - price of a row, vectorised. */
static double smallest(const double *costs, const double *prices, int64_t n) {
    double lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = INFINITY;
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        for (int l = 0; l < LANES; l++) {
            const double here = costs[j + l] - prices[j + l];
            lane[l] = here < lane[l] ? here : lane[l];
        }
    }
    double least = INFINITY;
    for (int l = 0; l < LANES; l++) least = lane[l] < least ? lane[l] : least;
    for (; j < n; j++) {
        const double here = costs[j] - prices[j];
        least = here < least ? here : least;
    }
    return least;
}

/* First column whose cost - price is `least`: the same expression, so one is equal. */
static int64_t place_of(const double *costs, const double *prices, int64_t n, double least) {
    for (int64_t j = 0; j < n; j++) {
        if (costs[j] - prices[j] == least) return j;
    }
    return n - 1;
}

/* ---- the start ----------------------------------------------------------------------------- */

/* The problem, or the transposed one if that has more and shorter rows, for the start. */
typedef struct {
    const double *costs;
    int64_t n_rows;
    int64_t n_cols;
    int64_t *stock;  /* what rows have left */
    int64_t *wanted; /* what columns have left */
    double *prices;  /* column minima; minus infinity once a column is full */
    int64_t *open;   /* rows with stock */
    pw_arc *arcs;
    int64_t n_arcs;
} filling;

/* Column minima as prices; returns the largest magnitude of a cost. */
static double set_prices(filling *f) {
    double largest = 0;
    for (int64_t j = 0; j < f->n_cols; j++) f->prices[j] = INFINITY;
    for (int64_t r = 0; r < f->n_rows; r++) {
        const double *costs = f->costs + r * f->n_cols;
        for (int64_t j = 0; j < f->n_cols; j++) {
            f->prices[j] = costs[j] < f->prices[j] ? costs[j] : f->prices[j];
            const double size = fabs(costs[j]);
            largest = size > largest ? size : largest;
        }
        f->open[r] = r;
    }
    return largest;
}

/* Rows in turn give what they can to their cheapest open column. */
static int fill(filling *f, const pw_poll *poll) {
    int64_t n_open = f->n_rows;
    int64_t scanned = 0;
    f->n_arcs = 0;
    while (n_open > 0) {
        int64_t still = 0;
        for (int64_t i = 0; i < n_open; i++) {
            const int64_t r = f->open[i];
            const double *costs = f->costs + r * f->n_cols;
            const int64_t j =
                place_of(costs, f->prices, f->n_cols, smallest(costs, f->prices, f->n_cols));
            const int64_t flow = pw_min64(f->stock[r], f->wanted[j]);
            if (flow <= 0) return PW_CROWDED; /* only NaN among the costs leads here */
            f->stock[r] -= flow;
            f->wanted[j] -= flow;
            f->arcs[f->n_arcs++] = (pw_arc){r, j, flow, -1};
            if (f->wanted[j] == 0) f->prices[j] = -INFINITY;
            if (f->stock[r] > 0) f->open[still++] = r;
        }
        scanned += n_open * f->n_cols;
        n_open = still;
        if (scanned > PW_POLL_ITEMS) {
            scanned = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

static void copy_masses(int64_t *to, const int64_t *from, int64_t n) {
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* Fills, and hangs the trees of the forest on the root, each by one of its rows. That row's
 * potential is minus its smallest reduced cost, or minus its price where the start has it as a
 * column. */
static int plant_by(transport *t, filling *f, const int64_t *supply, const int64_t *demand,
                    const pw_poll *poll) {
    const int turned = f->costs != t->costs;
    copy_masses(f->stock, turned ? demand : supply, f->n_rows);
    copy_masses(f->wanted, turned ? supply : demand, f->n_cols);
    t->largest = set_prices(f);
    for (int64_t r = 0; r < t->n_rows; r++) {
        t->potential[r] = turned ? -f->prices[r] : -smallest(row_of(t, r), f->prices, t->n_cols);
    }
    const int status = fill(f, poll);
    for (int64_t i = 0; i < f->n_arcs && turned; i++) {
        const int64_t row = f->arcs[i].col;
        f->arcs[i].col = f->arcs[i].row;
        f->arcs[i].row = row;
    }
    return status;
}

static int plant(transport *t, filling *f, const int64_t *supply, const int64_t *demand,
                 const pw_poll *poll) {
    const int64_t n = t->n_rows + t->n_cols;
    f->stock = malloc((size_t)n * sizeof *f->stock);
    f->wanted = malloc((size_t)n * sizeof *f->wanted);
    f->prices = malloc((size_t)n * sizeof *f->prices);
    f->open = malloc((size_t)n * sizeof *f->open);
    f->arcs = malloc((size_t)n * sizeof *f->arcs);
    int64_t *nothing = calloc((size_t)n, sizeof *nothing);
    int32_t *order = malloc((size_t)n * sizeof *order);
    int status = PW_OK;
    if (!f->stock || !f->wanted || !f->prices || !f->open || !f->arcs || !nothing || !order) {
        status = PW_NO_MEMORY;
    }
    if (status == PW_OK) status = plant_by(t, f, supply, demand, poll);
    if (status == PW_OK) status = pw_tree_plant(&t->tree, f->arcs, f->n_arcs, nothing, order);
    for (int64_t i = 0; i < n && status == PW_OK; i++) {
        const int32_t x = order[i];
        const int32_t up = t->tree.nodes[x].parent;
        if (up == t->tree.root) continue; /* a row: it has its start */
        t->potential[x] = x < t->n_rows ? t->potential[up] - row_of(t, x)[up - t->n_rows]
                                        : t->potential[up] + row_of(t, up)[x - t->n_rows];
    }
    t->potential[n] = 0;
    free(f->stock);
    free(f->wanted);
    free(f->prices);
    free(f->open);
    free(f->arcs);
    free(nothing);
    free(order);
    return status;
}

/* ---- the simplex in doubles ---------------------------------------------------------------- */

static void pivot(transport *t, int64_t row, int64_t col, double cost) {
    const int32_t row_end = (int32_t)row;
    int64_t moved;
    const int32_t top = pw_tree_pivot(&t->tree, row_end, (int32_t)(t->n_rows + col), &moved);
    const double shift = top == row_end ? -cost : cost;
    pw_tree_node *nodes = t->tree.nodes;
    for (int32_t x = top; x >= 0; x = pw_tree_next(nodes, x, top)) {
        nodes[x].depth = nodes[nodes[x].parent].depth + 1;
        t->potential[x] += shift;
    }
    t->pivots++;
}

/* Prices rows in blocks, again and again; the best entry of a block enters. Long rows are priced
 * in pieces, because one pivot is not worth a scan of many more entries than a block has. */
static int improve(transport *t, const pw_poll *poll) {
    const double *prices = t->potential + t->n_rows;
    const double slack = -SLACK * t->largest;
    const int64_t pieces = 1 + t->n_cols / PW_PRICED_PIECE;
    const int64_t piece = (t->n_cols + pieces - 1) / pieces;
    const int64_t block = 1 + PW_PRICED_ENTRIES / (piece + 1);
    const int64_t all = t->n_rows * pieces;
    int64_t row = 0;
    int64_t from = 0;
    int64_t clean = 0;
    int64_t scanned = 0;
    while (clean < all && t->pivots < t->most_pivots) {
        double best = slack;
        double least = 0;
        int64_t best_row = -1;
        int64_t best_from = 0;
        for (int64_t i = 0; i < block && clean < all; i++, clean++) {
            const int64_t n = pw_min64(piece, t->n_cols - from);
            const double here = smallest(row_of(t, row) + from, prices + from, n);
            if (here + t->potential[row] < best) {
                best = here + t->potential[row];
                least = here;
                best_row = row;
                best_from = from;
            }
            from += piece;
            if (from >= t->n_cols) {
                from = 0;
                row = row + 1 < t->n_rows ? row + 1 : 0;
            }
        }
        scanned += block * piece;
        if (best_row >= 0) {
            const int64_t n = pw_min64(piece, t->n_cols - best_from);
            const int64_t col =
                place_of(row_of(t, best_row) + best_from, prices + best_from, n, least);
            pivot(t, best_row, best_from + col, best);
            clean = 0;
        }
        if (scanned > PW_POLL_ITEMS) {
            scanned = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

/* ---- the proof, in fixed point ------------------------------------------------------------- */

static inline pw_i128 fixed(const transport *t, double cost) {
    return (pw_i128)(cost * t->unit);
}

/* Exact potentials of the tree, and their doubles. */
static void recompute(transport *t) {
    const pw_tree_node *nodes = t->tree.nodes;
    const int32_t root = t->tree.root;
    t->exact[root] = 0;
    for (int32_t x = pw_tree_next(nodes, root, root); x >= 0; x = pw_tree_next(nodes, x, root)) {
        const int32_t up = nodes[x].parent;
        if (up == root) {
            t->exact[x] = fixed(t, t->potential[x]);
        } else if (x < t->n_rows) {
            t->exact[x] = t->exact[up] - fixed(t, row_of(t, x)[up - t->n_rows]);
        } else {
            t->exact[x] = t->exact[up] + fixed(t, row_of(t, up)[x - t->n_rows]);
        }
    }
    for (int32_t x = 0; x < root; x++) t->potential[x] = (double)t->exact[x] / t->unit;
}

static void exact_pivot(transport *t, int64_t row, int64_t col, pw_i128 cost) {
    const int32_t row_end = (int32_t)row;
    int64_t moved;
    const int32_t top = pw_tree_pivot(&t->tree, row_end, (int32_t)(t->n_rows + col), &moved);
    const pw_i128 shift = top == row_end ? -cost : cost;
    pw_tree_node *nodes = t->tree.nodes;
    for (int32_t x = top; x >= 0; x = pw_tree_next(nodes, x, top)) {
        nodes[x].depth = nodes[nodes[x].parent].depth + 1;
        t->exact[x] += shift;
        t->potential[x] = (double)t->exact[x] / t->unit;
    }
    t->pivots++;
}

/* Cheapest cell of a row in fixed point. Only cells whose sign is in doubt in doubles are
 * computed. */
static int64_t prove_row(const transport *t, int64_t row, double doubt, pw_i128 *cost) {
    const double *costs = row_of(t, row);
    const double *prices = t->potential + t->n_rows;
    const double here = t->potential[row];
    int64_t col = -1;
    *cost = 0;
    for (int64_t j = 0; j < t->n_cols; j++) {
        if (costs[j] - prices[j] + here > doubt) continue;
        const pw_i128 exact = fixed(t, costs[j]) + t->exact[row] - t->exact[t->n_rows + j];
        if (exact < *cost) {
            *cost = exact;
            col = j;
        }
    }
    return col;
}

/* How far a reduced cost in doubles may be from the exact one. */
static double doubt_of(const transport *t) {
    double most = t->largest;
    for (int64_t x = 0; x < t->n_rows + t->n_cols; x++) {
        const double size = fabs(t->potential[x]);
        most = size > most ? size : most;
    }
    return most * 0x1p-49;
}

static int prove(transport *t, const pw_poll *poll) {
    int64_t at = 0;
    int64_t scanned = 0;
    recompute(t);
    double doubt = doubt_of(t);
    for (int64_t clean = 0; clean < t->n_rows; clean++) {
        pw_i128 cost;
        const int64_t col = prove_row(t, at, doubt, &cost);
        if (col >= 0) {
            if (t->pivots >= t->most_pivots) return PW_CROWDED;
            exact_pivot(t, at, col, cost);
            doubt = doubt_of(t);
            clean = -1;
        }
        at = at + 1 < t->n_rows ? at + 1 : 0;
        scanned += t->n_cols;
        if (scanned > PW_POLL_ITEMS) {
            scanned = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

/* ---- the result ---------------------------------------------------------------------------- */

static int64_t read_plan(const transport *t, int64_t *rows_of, int64_t *cols_of, int64_t *flows) {
    int64_t n = 0;
    for (int32_t x = 0; x < t->tree.root; x++) {
        const int32_t up = t->tree.nodes[x].parent;
        if (up == t->tree.root || t->tree.nodes[x].flow == 0) continue;
        rows_of[n] = x < t->n_rows ? x : up;
        cols_of[n] = (x < t->n_rows ? up : x) - t->n_rows;
        flows[n++] = t->tree.nodes[x].flow;
    }
    return n;
}

/* Blocks of the source stay in the cache while columns become rows. */
static double *turned_copy(const double *costs, int64_t n_rows, int64_t n_cols) {
    double *copy = malloc((size_t)n_rows * (size_t)n_cols * sizeof *copy);
    if (!copy) return NULL;
    for (int64_t r0 = 0; r0 < n_rows; r0 += TILE) {
        const int64_t r1 = pw_min64(r0 + TILE, n_rows);
        for (int64_t j = 0; j < n_cols; j++) {
            for (int64_t r = r0; r < r1; r++) copy[j * n_rows + r] = costs[r * n_cols + j];
        }
    }
    return copy;
}

static int solve(transport *t, filling *f, const int64_t *supply, const int64_t *demand,
                 const pw_poll *poll) {
    const int64_t n = t->n_rows + t->n_cols;
    t->tree.n_rows = t->n_rows;
    t->tree.n_cols = t->n_cols;
    t->tree.nodes = malloc((size_t)(n + 1) * sizeof *t->tree.nodes);
    t->potential = malloc((size_t)(n + 1) * sizeof *t->potential);
    t->exact = malloc((size_t)(n + 1) * sizeof *t->exact);
    int status = t->tree.nodes && t->potential && t->exact ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) status = plant(t, f, supply, demand, poll);
    if (status == PW_OK) {
        const double most = (double)t->n_rows * (double)t->n_cols * 32 + 1e6;
        t->most_pivots = most < 0x1p61 ? (int64_t)most : (int64_t)1 << 61;
        /* a potential is a sum of up to n costs of either sign: room for it in 127 bits */
        int power;
        frexp(t->largest, &power);
        t->unit = ldexp(1, t->largest > 0 ? 123 - pw_bits((uint64_t)n) - power : 0);
        status = improve(t, poll);
    }
    if (status == PW_OK) {
        t->most_pivots *= 2;
        status = prove(t, poll);
    }
    return status;
}

int pw_transport(const double *costs, const int64_t *supply, const int64_t *demand, int64_t n_rows,
                 int64_t n_cols, int64_t *rows_of, int64_t *cols_of, int64_t *flows,
                 int64_t *n_arcs, double *row_duals, double *col_duals, const pw_poll *poll) {
    /* pricing is faster with long rows, the start with short ones; where the sides differ much,
     * each gets its own copy of the costs */
    const int tall = n_rows / PW_LONG_SIDE > n_cols;
    const int flat = n_cols / PW_LONG_SIDE > n_rows;
    double *turned = tall || flat ? turned_copy(costs, n_rows, n_cols) : NULL;
    if ((tall || flat) && !turned) return PW_NO_MEMORY;
    transport t = {.costs = tall ? turned : costs,
                   .n_rows = tall ? n_cols : n_rows,
                   .n_cols = tall ? n_rows : n_cols,
                   .pivots = 0};
    filling f = {.costs = flat ? turned : costs,
                 .n_rows = flat ? n_cols : n_rows,
                 .n_cols = flat ? n_rows : n_cols};
    const int status =
        tall ? solve(&t, &f, demand, supply, poll) : solve(&t, &f, supply, demand, poll);
    if (status == PW_OK) {
        double *from_row = tall ? col_duals : row_duals;
        double *from_col = tall ? row_duals : col_duals;
        for (int64_t r = 0; r < t.n_rows; r++) from_row[r] = -t.potential[r];
        for (int64_t j = 0; j < t.n_cols; j++) from_col[j] = t.potential[t.n_rows + j];
        *n_arcs = read_plan(&t, tall ? cols_of : rows_of, tall ? rows_of : cols_of, flows);
    }
    free(turned);
    free(t.tree.nodes);
    free(t.potential);
    free(t.exact);
    return status;
}
