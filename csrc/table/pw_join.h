/* The join: connected components of the bipartite graph whose edges are the cells. */
#ifndef PW_JOIN_H
#define PW_JOIN_H

#include "pw_common.h"

/* Component of each row and of each column, numbered by their smallest row.
 * Precondition: a table without empty rows or columns.
 * row_component (n_rows) and col_component (n_cols) are the caller's.
 * Union-find over the cells (Rem's algorithm with splicing): near O(cells),
 * 8 (rows + columns) bytes. */
int pw_join(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
            int64_t *row_component, int64_t *col_component, int64_t *n_components,
            const pw_poll *poll);

#endif
