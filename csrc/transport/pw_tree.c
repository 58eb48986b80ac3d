/* Spanning trees of the transportation simplex: planting, pivoting, walking.
 *
 * Trees are strongly feasible (W. H. Cunningham, "A network simplex method", 1976): arcs without
 * flow belong to rows only, so some mass could be sent from every node to the root. Among the arcs
 * that block a pivot the last one met from the apex of the cycle leaves, which keeps the tree so
 * and rules out endless turns.
 */
#include "pw_tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- links --------------------------------------------------------------------------------- */

static inline void attach(pw_tree_node *nodes, int32_t x, int32_t parent) {
    nodes[x].parent = parent;
    nodes[x].previous = -1;
    nodes[x].next = nodes[parent].child;
    if (nodes[x].next >= 0) nodes[nodes[x].next].previous = x;
    nodes[parent].child = x;
}

static inline void detach(pw_tree_node *nodes, int32_t x) {
    const pw_tree_node *node = &nodes[x];
    if (node->next >= 0) nodes[node->next].previous = node->previous;
    if (node->previous >= 0) {
        nodes[node->previous].next = node->next;
    } else {
        nodes[node->parent].child = node->next;
    }
}

/* ---- planting ------------------------------------------------------------------------------ */

typedef struct {
    const pw_arc *arcs;
    int64_t *start;  /* node -> its arcs in `around`, n_nodes + 1 */
    int64_t *around; /* arcs of each node */
    int32_t *order;
    int64_t n_ordered;
} planting;

/* Hang a tree of arcs on the root by `top` and number its nodes, parents first. */
static void plant_from(pw_tree *tree, planting *p, int32_t top, int64_t flow) {
    pw_tree_node *nodes = tree->nodes;
    attach(nodes, top, tree->root);
    nodes[top].flow = flow;
    nodes[top].depth = 1;
    nodes[top].arc = -1;
    int64_t at = p->n_ordered;
    p->order[p->n_ordered++] = top;
    for (; at < p->n_ordered; at++) {
        const int32_t x = p->order[at];
        for (int64_t i = p->start[x]; i < p->start[x + 1]; i++) {
            const pw_arc *arc = &p->arcs[p->around[i]];
            const int32_t col = (int32_t)(tree->n_rows + arc->col);
            const int32_t y = x == col ? (int32_t)arc->row : col;
            if (y == nodes[x].parent) continue;
            attach(nodes, y, x);
            nodes[y].flow = arc->flow;
            nodes[y].depth = nodes[x].depth + 1;
            nodes[y].arc = (int32_t)p->around[i];
            p->order[p->n_ordered++] = y;
        }
    }
}

int pw_tree_plant(pw_tree *tree, const pw_arc *arcs, int64_t n_arcs, const int64_t *left,
                  int32_t *order) {
    const int64_t n = tree->n_rows + tree->n_cols;
    tree->root = (int32_t)n;
    planting p = {.arcs = arcs, .order = order, .n_ordered = 0};
    p.start = calloc((size_t)n + 2, sizeof *p.start);
    p.around = malloc((size_t)(n_arcs > 0 ? 2 * n_arcs : 1) * sizeof *p.around);
    if (!p.start || !p.around) {
        free(p.start);
        free(p.around);
        return PW_NO_MEMORY;
    }
    for (int64_t x = 0; x <= n; x++) {
        tree->nodes[x] = (pw_tree_node){.flow = 0,
                                        .parent = -1,
                                        .child = -1,
                                        .next = -1,
                                        .previous = -1,
                                        .depth = 0,
                                        .arc = -1};
    }
    for (int64_t i = 0; i < n_arcs; i++) {
        p.start[arcs[i].row + 2]++;
        p.start[tree->n_rows + arcs[i].col + 2]++;
    }
    for (int64_t x = 2; x < n + 2; x++) p.start[x] += p.start[x - 1];
    for (int64_t i = 0; i < n_arcs; i++) {
        p.around[p.start[arcs[i].row + 1]++] = i;
        p.around[p.start[tree->n_rows + arcs[i].col + 1]++] = i;
    }
    for (int64_t x = 0; x < n; x++) {
        if (left[x] > 0) plant_from(tree, &p, (int32_t)x, left[x]);
    }
    for (int64_t x = 0; x < n; x++) { /* rows first: nothing may flow to them */
        if (tree->nodes[x].parent < 0) plant_from(tree, &p, (int32_t)x, 0);
    }
    free(p.start);
    free(p.around);
    return PW_OK;
}

/* ---- pivoting ------------------------------------------------------------------------------ */

/* Make `top` the root of the part of the tree below the arc of `leaves`, and hang it on `parent`:
 * the arcs between them turn round and keep their flows. */
static void rehang(pw_tree_node *nodes, int32_t top, int32_t leaves, int32_t parent, int64_t flow) {
    int32_t x = top;
    for (;;) {
        const int32_t old_parent = nodes[x].parent;
        const int64_t old_flow = nodes[x].flow;
        detach(nodes, x);
        attach(nodes, x, parent);
        nodes[x].flow = flow;
        if (x == leaves) return;
        parent = x;
        flow = old_flow;
        x = old_parent;
    }
}

int32_t pw_tree_pivot(pw_tree *tree, int32_t row_end, int32_t col_end, int64_t *moved) {
    pw_tree_node *nodes = tree->nodes;
    const int64_t n_rows = tree->n_rows;
    int64_t from_row = INT64_MAX; /* what the path from the row's end can give up */
    int64_t from_col = INT64_MAX;
    int32_t row_leaves = -1;
    int32_t col_leaves = -1;
    int32_t x = row_end;
    int32_t y = col_end;
    while (x != y) {
        if (nodes[x].depth >= nodes[y].depth) {
            if (x < n_rows && nodes[x].flow < from_row) {
                from_row = nodes[x].flow;
                row_leaves = x;
            }
            x = nodes[x].parent;
        } else {
            if (y >= n_rows && nodes[y].flow <= from_col) {
                from_col = nodes[y].flow;
                col_leaves = y;
            }
            y = nodes[y].parent;
        }
    }
    const int32_t apex = x;
    const int by_col = from_col <= from_row; /* the last one met from the apex leaves */
    const int64_t flow = by_col ? from_col : from_row;
    *moved = flow;
    if (flow > 0) {
        for (x = row_end; x != apex; x = nodes[x].parent) {
            nodes[x].flow += x < n_rows ? -flow : flow;
        }
        for (y = col_end; y != apex; y = nodes[y].parent) {
            nodes[y].flow += y >= n_rows ? -flow : flow;
        }
    }
    if (by_col) {
        rehang(nodes, col_end, col_leaves, row_end, flow);
        return col_end;
    }
    rehang(nodes, row_end, row_leaves, col_end, flow);
    return row_end;
}
