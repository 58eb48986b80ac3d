/* Connected components of the cells: union-find by Rem's algorithm, published by E. W. Dijkstra in
 * "A discipline of programming" (1976), with splicing.
 *
 * Both nodes climb together, always the one with the larger parent, and on the way its parent
 * becomes the other's parent. Parents have smaller numbers, so one ascending pass at the end finds
 * all roots.
 */
#include "pw_join.h"

#include <stdlib.h>

/* Parents always have smaller numbers, so rows (numbered before columns) end up as roots and
 * the root of a component is its smallest row. */
static inline void unite(int64_t *parent, int64_t x, int64_t y) {
    while (parent[x] != parent[y]) {
        if (parent[x] < parent[y]) {
            const int64_t swap = x;
            x = y;
            y = swap;
        }
        if (x == parent[x]) {
            parent[x] = parent[y];
            return;
        }
        const int64_t up = parent[x];
        parent[x] = parent[y]; /* splice: x's path now leads to the other tree */
        x = up;
    }
}

int pw_join(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
            int64_t *row_component, int64_t *col_component, int64_t *n_components,
            const pw_poll *poll) {
    *n_components = 0;
    if (n_rows == 0) return PW_OK;
    int64_t *parent = malloc((size_t)(n_rows + n_cols) * sizeof *parent);
    if (parent == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    for (int64_t v = 0; v < n_rows + n_cols && status == PW_OK;) {
        const int64_t stop = pw_min64(n_rows + n_cols, v + PW_POLL_ITEMS);
        for (; v < stop; v++) parent[v] = v;
        if (v < n_rows + n_cols && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t r = 0; r < n_rows && status == PW_OK;) {
        for (const int64_t stop = pw_rows_to_poll(indptr, r, n_rows); r < stop; r++) {
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) unite(parent, r, n_rows + cols[c]);
        }
        if (pw_stop(poll)) status = PW_STOPPED;
    }
    /* parent[v] <= v: one ascending pass finds every root and numbers the components */
    int64_t next = 0;
    for (int64_t r = 0; r < n_rows && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n_rows, r + PW_POLL_SCATTERED); r < stop; r++) {
            row_component[r] = parent[r] == r ? next++ : row_component[parent[r]];
        }
        if (r < n_rows && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t j = 0; j < n_cols && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n_cols, j + PW_POLL_SCATTERED); j < stop; j++) {
            const int64_t up = parent[n_rows + j];
            col_component[j] = up < n_rows ? row_component[up] : col_component[up - n_rows];
        }
        if (j < n_cols && pw_stop(poll)) status = PW_STOPPED;
    }
    free(parent);
    *n_components = next;
    return status;
}
