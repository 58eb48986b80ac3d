/* Maximum-gain packing on sparse cells: the transportation simplex.
 *
 * G. B. Dantzig, "Application of the simplex method to a transportation problem" (1951), with
 * slack for rows and columns, which all hangs on one root:
 *   1. start: cells in order of falling gain carry what they can; this leaves a forest;
 *   2. price rows, then columns, in blocks of some cells; the best of a block enters the tree
 *      (pw_pack_impl.h);
 *   3. pivot (pw_tree.c), until a whole round finds nothing.
 * Potentials are sums of gains along a path. They have 64 bits where these cannot overflow, else
 * 128. Past a budget of work the problem goes to pw_pack_auction.c.
 */
#include "pw_pack.h"

#include <stdlib.h>

#include "pw_pack_auction.h"
#include "pw_radix.h"
#include "pw_ratios.h"
#include "pw_tree.h"
#include "pw_tuning.h"

typedef struct {
    const int64_t *indptr;
    const int64_t *cols;
    const int64_t *gains;
    int64_t n_rows;
    int64_t n_cols;
} packing;

/* The greedy packing: its arcs form a forest, and what rows and columns have left. */
typedef struct {
    pw_arc *arcs;
    int64_t n_arcs;
    int64_t *left;
    int64_t most; /* largest gain */
} start;

/* ---- the start ----------------------------------------------------------------------------- */

/* Fill cells in order of falling gain. */
static int fill_greedily(const packing *p, start *s, const pw_poll *poll) {
    const int64_t n_cells = p->indptr[p->n_rows];
    pw_pair *order = malloc((size_t)(n_cells > 0 ? n_cells : 1) * sizeof *order);
    int64_t *rows = malloc((size_t)(n_cells > 0 ? n_cells : 1) * sizeof *rows);
    int status = order && rows ? PW_OK : PW_NO_MEMORY;
    int64_t n = 0;
    if (status == PW_OK) {
        for (int64_t c = 0; c < n_cells; c++)
            s->most = p->gains[c] > s->most ? p->gains[c] : s->most;
        for (int64_t r = 0; r < p->n_rows; r++) {
            for (int64_t c = p->indptr[r]; c < p->indptr[r + 1]; c++) {
                rows[c] = r;
                if (p->gains[c] > 0) order[n++] = (pw_pair){(uint64_t)(s->most - p->gains[c]), c};
            }
        }
        if (n > 0) status = pw_sort_pairs(order, n, pw_bits((uint64_t)s->most), poll);
    }
    s->n_arcs = 0;
    for (int64_t i = 0; i < n && status == PW_OK; i++) {
        const int64_t cell = order[i].value;
        int64_t *supply = &s->left[rows[cell]];
        int64_t *demand = &s->left[p->n_rows + p->cols[cell]];
        const int64_t flow = pw_min64(*supply, *demand);
        if (flow == 0) continue;
        *supply -= flow;
        *demand -= flow;
        s->arcs[s->n_arcs++] = (pw_arc){rows[cell], p->cols[cell], flow, cell};
    }
    free(order);
    free(rows);
    return status;
}

/* ---- the result ---------------------------------------------------------------------------- */

static int64_t cell_of(const packing *p, int64_t row, int64_t col) {
    int64_t low = p->indptr[row];
    int64_t high = p->indptr[row + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (p->cols[middle] < col) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void read_amounts(const packing *p, const pw_tree *tree, int64_t *amounts) {
    for (int64_t c = 0; c < p->indptr[p->n_rows]; c++) amounts[c] = 0;
    for (int64_t x = 0; x < tree->root; x++) {
        const int64_t parent = tree->nodes[x].parent;
        if (parent == tree->root || tree->nodes[x].flow == 0) continue;
        const int64_t row = x < p->n_rows ? x : parent;
        const int64_t col = (x < p->n_rows ? parent : x) - p->n_rows;
        amounts[cell_of(p, row, col)] = tree->nodes[x].flow;
    }
}

/* ---- the simplex, for potentials of 64 and of 128 bits ------------------------------------- */

#define BLOCK PW_PRICED_CELLS

/* Nodes are visited in no order that a cache could know, and a pivot also walks along its cycle,
 * which is not counted as work: polls are closer than elsewhere. */
#define POLL_WORK (PW_POLL_ITEMS / 16)
#define POLL_PIVOTS 512

#define POTENTIAL int64_t
#define NAME(x) x##_64
#include "pw_pack_impl.h"
#undef POTENTIAL
#undef NAME

#define POTENTIAL pw_i128
#define NAME(x) x##_128
#include "pw_pack_impl.h"
#undef POTENTIAL
#undef NAME

static int simplex(const packing *p, const start *s, int64_t most_work, int64_t *amounts,
                   int64_t *row_duals, int64_t *col_duals, const pw_poll *poll) {
    /* a potential is a sum of gains with changing signs along a path */
    const int64_t nodes = p->n_rows + p->n_cols + 1;
    if (pw_bits((uint64_t)s->most) + pw_bits((uint64_t)nodes) <= 61) {
        return solve_64(p, s, row_duals, col_duals, amounts, most_work, poll);
    }
    return solve_128(p, s, row_duals, col_duals, amounts, most_work, poll);
}

int pw_pack(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
            const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows, int64_t n_cols,
            int64_t budget, int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
            const pw_poll *poll) {
    const packing p = {indptr, cols, gains, n_rows, n_cols};
    const int64_t n = n_rows + n_cols;
    start s = {.n_arcs = 0, .most = 0};
    s.arcs = malloc((size_t)(n + 1) * sizeof *s.arcs);
    s.left = malloc((size_t)(n + 1) * sizeof *s.left);
    int status = s.arcs && s.left ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        for (int64_t r = 0; r < n_rows; r++) s.left[r] = row_caps[r];
        for (int64_t j = 0; j < n_cols; j++) s.left[n_rows + j] = col_caps[j];
        status = fill_greedily(&p, &s, poll);
    }
    int64_t work = budget;
    if (budget < 0) { /* small multiples of one number are tied too often for an auction */
        const int64_t unit = pw_common_divisor(gains, indptr[n_rows]);
        const int tied = s.most == 0 || s.most / unit <= PW_PACK_TIED_MOST;
        work = tied ? INT64_MAX : PW_PACK_PATIENCE * indptr[n_rows] + (1 << 16);
    }
    if (status == PW_OK) {
        status = simplex(&p, &s, work, amounts, row_duals, col_duals, poll);
    }
    if (status == PW_CROWDED) {
        status = pw_pack_auction(indptr, cols, gains, row_caps, col_caps, n_rows, n_cols, amounts,
                                 row_duals, col_duals, poll);
    }
    if (status == PW_CROWDED) {
        status = simplex(&p, &s, INT64_MAX, amounts, row_duals, col_duals, poll);
    }
    free(s.arcs);
    free(s.left);
    return status;
}
