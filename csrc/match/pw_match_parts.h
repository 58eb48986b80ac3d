/* Matching of tables that fall apart: each component by itself, so that threads can share them. */
#ifndef PW_MATCH_PARTS_H
#define PW_MATCH_PARTS_H

#include "pw_common.h"

/* Cells that may be scanned before a matching leaves the direct way: at least `least`, and so many
 * for each stored cell; more where one cell in sixteen, or more, is stored. */
typedef struct {
    int64_t least;
    int64_t per_cell;
    int64_t per_cell_dense;
} pw_match_scans;

int64_t pw_match_budget(const pw_match_scans *scans, int64_t n_rows, int64_t n_cols,
                        int64_t n_cells);

/* The components of a table, one behind another, each a table of its own. */
typedef struct {
    int64_t n;            /* of components; 0: the table does not fall apart */
    int64_t *row_starts;  /* n + 1: where the rows of a component begin */
    int64_t *col_starts;  /* n + 1 */
    int64_t *cell_starts; /* n + 1 */
    int64_t *rows;        /* of the table, component by component */
    int64_t *cols;
    int64_t *indptr; /* component i: from row_starts[i] + i on, from 0 */
    int64_t *ends;   /* of each cell: its column within the component */
    int64_t *gains;
} pw_match_parts;

/* Takes a table apart, unless one component holds more than three quarters of the cells: then, and
 * after a failure, to->n is 0 and nothing is held. Near O(cells), 16 bytes a cell and 24 a row and
 * column; pw_match_parts_free gives them back. */
int pw_match_take_apart(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                        int64_t n_rows, int64_t n_cols, pw_match_parts *to, const pw_poll *poll);
void pw_match_parts_free(pw_match_parts *parts);

/* owners[i] = which of some workers solves component i: the costly ones first, each to whoever has
 * least to do (R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969). */
int pw_match_deal(const pw_match_parts *parts, int workers, uint8_t *owners);

/* The matching of pw_match for the components of one worker. indptr: that of the table. Other rows
 * and columns are left alone. */
int pw_match_components(const pw_match_parts *parts, const int64_t *indptr, const uint8_t *owners,
                        int worker, int tied, const pw_match_scans *scans, int64_t *match,
                        int64_t *row_duals, int64_t *col_duals, const pw_poll *poll);

#endif
