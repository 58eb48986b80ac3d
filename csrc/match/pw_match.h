/* Maximum-weight matching of rows with columns on the cells of a sparse table. */
#ifndef PW_MATCH_H
#define PW_MATCH_H

#include "pw_common.h"
#include "pw_match_parts.h"

/* Gains are below this, so that a gain plus three duals fits 64 bits. */
#define PW_GAIN_MOST ((int64_t)1 << 61)

/* match[r] = the cell that row r is matched by, -1 for none; every column at most once; the sum
 * of the matched gains is the largest possible (leaving a row or column unmatched gains 0).
 * row_duals and col_duals prove it: all >= 0, row + column >= gain on every cell, equal on
 * matched cells, 0 on unmatched rows and columns.
 * Precondition: 0 <= gains[i] < PW_GAIN_MOST. The result depends on the order of rows and columns
 * where several matchings are best.
 *
 * Row maxima as duals, matching on tight cells, row reduction (each free row bids the surplus of
 * its best column over its second best), then a shortest augmenting path for each row that is
 * left. Once `budget` cells have been scanned, many paths are sought at once (phases), and where
 * that does not get on, an auction and its repair take over. `tied` says that many gains are
 * exactly equal, and gives the phases more time; if it is wrong, that costs time and nothing else.
 * PW_CROWDED, once a share of the budget is spent, where `parts` is not NULL and the table falls
 * apart: parts then has the components, for pw_match_components and pw_match_parts_free. Otherwise
 * it is empty. O(cells) on nearly equal clusterings; O(rows x cells x log) at worst. Scratch: 40
 * bytes a column (or row, if there are more) and 16 a cell; past the budget 60 more a row and
 * column, and for the auction 32 more a cell. */
int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
             int64_t n_cols, int tied, int64_t budget, pw_match_parts *parts, int64_t *match,
             int64_t *row_duals, int64_t *col_duals, const pw_poll *poll);

#endif
