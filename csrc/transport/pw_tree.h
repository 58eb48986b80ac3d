/* Spanning trees of the transportation simplex: rows and columns under one root, with flows. */
#ifndef PW_TREE_H
#define PW_TREE_H

#include "pw_common.h"

/* Nodes are rows 0..n_rows-1, then columns, then the root. The arc of a row points up to its
 * parent, that of a column down to it; mass moves from rows to columns. A tree is strongly
 * feasible if only rows have arcs without flow: then no pivot can repeat a tree.
 * A node has 32 bytes, because the time of a pivot goes into walking from node to node. */
typedef struct {
    int64_t flow;
    int32_t parent;
    int32_t child;
    int32_t next;
    int32_t previous;
    int32_t depth;
    int32_t arc; /* the start's number of the arc to the parent, -1 for the root's; not kept up */
} pw_tree_node;

/* As many nodes as a tree may have, the root included. */
#define PW_TREE_MOST (((int64_t)1 << 31) - 2)

typedef struct {
    pw_tree_node *nodes;
    int64_t n_rows;
    int64_t n_cols;
    int32_t root;
} pw_tree;

typedef struct {
    int64_t row;
    int64_t col;
    int64_t flow;
    int64_t cell;
} pw_arc;

/* The tree of a forest of arcs with flow > 0. A node with left[node] > 0 hangs on the root by
 * that flow, other trees by one of their rows without flow. `order` receives all nodes but the
 * root, parents first.
 * Precondition: n_rows + n_cols < PW_TREE_MOST; the arcs are a forest in which every tree has at
 * most one node with something left; a column in no arc has something left or no cell.
 * nodes (n_rows + n_cols + 1) and order are the caller's. O(nodes), 24 bytes each. */
int pw_tree_plant(pw_tree *tree, const pw_arc *arcs, int64_t n_arcs, const int64_t *left,
                  int32_t *order);

/* Send as much as the tree allows from row_end to col_end (either may be the root) over the arc
 * between them, which enters; the last blocking arc leaves. Returns the node at the top of the
 * subtree that moved, row_end or col_end; its depths are stale, see pw_tree_next.
 * *moved receives the flow. O(length of the cycle). */
int32_t pw_tree_pivot(pw_tree *tree, int32_t row_end, int32_t col_end, int64_t *moved);

/* The node after x in a walk of the subtree of `top`, parents first; -1 after the last. */
static inline int32_t pw_tree_next(const pw_tree_node *nodes, int32_t x, int32_t top) {
    if (nodes[x].child >= 0) return nodes[x].child;
    while (x != top && nodes[x].next < 0) x = nodes[x].parent;
    return x == top ? -1 : nodes[x].next;
}

#endif
