/* The packing simplex for one type of potentials: define POTENTIAL and NAME(x), then include.
 * Potentials of a tree are sums of gains along its paths, so the type depends on both. */

/* Potential of every node: what it costs to move a unit there from the root, gains negative. */
typedef struct {
    const packing *given;
    pw_tree tree;
    POTENTIAL *potential; /* rows, columns, root */
    int64_t work;
    int64_t most_work;
} NAME(simplex);

static void NAME(potentials)(NAME(simplex) * s, const pw_arc *arcs, const int32_t *order) {
    const pw_tree_node *nodes = s->tree.nodes;
    const int64_t n = s->tree.n_rows + s->tree.n_cols;
    s->potential[n] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int32_t x = order[i];
        if (nodes[x].arc < 0) {
            s->potential[x] = 0;
            continue;
        }
        const int64_t gain = s->given->gains[arcs[nodes[x].arc].cell];
        s->potential[x] = s->potential[nodes[x].parent] + (x < s->tree.n_rows ? gain : -gain);
    }
}

/* Where a pivot would enter, and how much a unit costs there (below 0: it gains). */
typedef struct {
    POTENTIAL cost;
    int32_t row_end;
    int32_t col_end;
} NAME(entry);

static int64_t NAME(price_row)(const NAME(simplex) * s, int64_t row, NAME(entry) * best) {
    const packing *p = s->given;
    const POTENTIAL *of_col = s->potential + p->n_rows;
    const POTENTIAL here = s->potential[row];
    if (here < best->cost) *best = (NAME(entry)){here, (int32_t)row, s->tree.root};
    for (int64_t c = p->indptr[row]; c < p->indptr[row + 1]; c++) {
        const POTENTIAL cost = here - p->gains[c] - of_col[p->cols[c]];
        if (cost < best->cost) {
            *best = (NAME(entry)){cost, (int32_t)row, (int32_t)(p->n_rows + p->cols[c])};
        }
    }
    return p->indptr[row + 1] - p->indptr[row] + 1;
}

static int64_t NAME(price_col)(const NAME(simplex) * s, int64_t col, NAME(entry) * best) {
    const int64_t node = s->given->n_rows + col;
    const POTENTIAL cost = -s->potential[node];
    if (cost < best->cost) *best = (NAME(entry)){cost, s->tree.root, (int32_t)node};
    return 1;
}

static void NAME(pivot)(NAME(simplex) * s, NAME(entry) entry) {
    int64_t moved;
    const int32_t top = pw_tree_pivot(&s->tree, entry.row_end, entry.col_end, &moved);
    const POTENTIAL shift = top == entry.row_end ? -entry.cost : entry.cost;
    pw_tree_node *nodes = s->tree.nodes;
    for (int32_t x = top; x >= 0; x = pw_tree_next(nodes, x, top)) {
        nodes[x].depth = nodes[nodes[x].parent].depth + 1;
        s->potential[x] += shift;
        s->work++;
    }
}

/* Prices rows, then columns, in blocks, again and again; the best cell of a block enters. */
static int NAME(improve)(NAME(simplex) * s, const pw_poll *poll) {
    const int64_t n = s->tree.n_rows + s->tree.n_cols;
    int64_t at = 0;
    int64_t clean = 0; /* nodes priced since the last pivot */
    int64_t polled = POLL_WORK;
    int64_t pivots = 0;
    while (clean < n) {
        NAME(entry) best = {.cost = 0};
        for (int64_t priced = 0; priced < BLOCK && clean < n; clean++) {
            const int64_t cells = at < s->tree.n_rows
                                      ? NAME(price_row)(s, at, &best)
                                      : NAME(price_col)(s, at - s->tree.n_rows, &best);
            priced += cells;
            s->work += cells;
            at = at + 1 < n ? at + 1 : 0;
        }
        if (best.cost < 0) {
            NAME(pivot)(s, best);
            clean = 0;
            pivots++;
        }
        if (s->work > s->most_work) return PW_CROWDED;
        if (s->work > polled || pivots == POLL_PIVOTS) {
            polled = s->work + POLL_WORK;
            pivots = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

static int NAME(solve)(const packing *p, const start *from, int64_t *row_duals, int64_t *col_duals,
                       int64_t *amounts, int64_t most_work, const pw_poll *poll) {
    const int64_t n = p->n_rows + p->n_cols;
    NAME(simplex) s = {.given = p, .work = 0, .most_work = most_work};
    s.tree.n_rows = p->n_rows;
    s.tree.n_cols = p->n_cols;
    s.tree.nodes = malloc((size_t)(n + 1) * sizeof *s.tree.nodes);
    s.potential = malloc((size_t)(n + 1) * sizeof *s.potential);
    int32_t *order = malloc((size_t)(n + 1) * sizeof *order);
    int status = s.tree.nodes && s.potential && order ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        status = pw_tree_plant(&s.tree, from->arcs, from->n_arcs, from->left, order);
    }
    if (status == PW_OK) {
        NAME(potentials)(&s, from->arcs, order);
        status = NAME(improve)(&s, poll);
    }
    if (status == PW_OK) {
        for (int64_t r = 0; r < p->n_rows; r++) row_duals[r] = (int64_t)s.potential[r];
        for (int64_t j = 0; j < p->n_cols; j++) {
            col_duals[j] = (int64_t)-s.potential[p->n_rows + j];
        }
        read_amounts(p, &s.tree, amounts);
    }
    free(s.tree.nodes);
    free(s.potential);
    free(order);
    return status;
}
