/* Maximum-weight matching on sparse cells: the direct way.
 *
 * R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
 * assignment problems" (1987), made for gains instead of costs, for rows and columns that may stay
 * unmatched, and for integers:
 *   1. Row maxima are the first row duals, 0 the first column duals; rows take free columns on
 *      tight cells. (Jonker and Volgenant begin with the minima of columns.)
 *   2. Augmenting row reduction: a free row takes its best column and raises the column's dual by
 *      its advantage over the second best; the row that loses the column is the next to try.
 *   3. For each row still open, one shortest augmenting path (pw_match_search.c).
 * The work is counted in scanned cells. Past the caller's budget a table that falls apart is solved
 * component by component (pw_match_parts.c). Of one that does not, the phases take over
 * (pw_match_phases.c), and where these do not get on the auction (pw_match_auction.c). What tells
 * an easy table from a hard one is the work it takes, not its shape.
 */
#include "pw_match.h"

#include <stdlib.h>
#include <string.h>

#include "pw_match_search.h"
#include "pw_ratios.h"
#include "pw_tuning.h"

/* ---- the start ----------------------------------------------------------------------------- */

/* Row maxima as row duals, 0 as column duals; rows take the first free column on a tight cell. */
static void take_tight_cells(const pw_side *rows, const pw_side *cols, int64_t from, int64_t stop) {
    for (int64_t r = from; r < stop; r++) {
        int64_t most = 0;
        int64_t at = -1;
        for (int64_t c = rows->indptr[r]; c < rows->indptr[r + 1]; c++) {
            const int64_t gain = rows->gains[c];
            at = gain > most ? c : at; /* no branches: they are unpredictable */
            most = gain > most ? gain : most;
        }
        rows->duals[r] = most;
        rows->mates[r] = -1;
        for (int64_t c = at; at >= 0 && c < rows->indptr[r + 1]; c++) {
            const int64_t col = rows->ends[c];
            if (rows->gains[c] == most && cols->mates[col] < 0) {
                rows->mates[r] = col;
                cols->mates[col] = r;
                break;
            }
        }
    }
}

/* A free row bids for its best column: the surplus of the best over the second best, or over
 * staying unmatched. Returns the row that lost the column, -1 for none. */
static int64_t bid(const pw_side *rows, const pw_side *cols, int64_t row) {
    int64_t best = 0;
    int64_t second = 0;
    int64_t cell = -1;
    for (int64_t c = rows->indptr[row]; c < rows->indptr[row + 1]; c++) {
        const int64_t value = rows->gains[c] - cols->duals[rows->ends[c]];
        if (value > best) {
            second = best;
            best = value;
            cell = c;
        } else if (value > second) {
            second = value;
        }
    }
    rows->duals[row] = best;
    if (cell < 0) return -1; /* no column is worth more than to stay unmatched */
    const int64_t col = rows->ends[cell];
    const int64_t old = cols->mates[col];
    if (best == second && old >= 0) return -1; /* no progress: left to the search */
    rows->duals[row] = second;
    cols->duals[col] = rows->gains[cell] - second;
    rows->mates[row] = col;
    cols->mates[col] = row;
    if (old >= 0) rows->mates[old] = -1;
    return old;
}

/* Where the reduction goes on: the row to look at next, and the row that bids, -1 for none. */
typedef struct {
    int64_t next;
    int64_t row;
} bidding;

/* Lets free rows bid until so many cells are scanned. */
static int reduce_rows(const pw_side *rows, const pw_side *cols, int64_t most, bidding *at,
                       pw_effort *effort) {
    while (effort->scanned < most) {
        if (at->row < 0) {
            if (at->next == rows->n) break;
            const int64_t r = at->next++;
            if (rows->mates[r] < 0 && rows->duals[r] > 0) at->row = r;
            continue;
        }
        const int64_t cells = rows->indptr[at->row + 1] - rows->indptr[at->row] + 1;
        at->row = bid(rows, cols, at->row);
        if (pw_spend(effort, cells) != PW_OK) return PW_STOPPED;
    }
    return PW_OK;
}

/* A free row's dual must be its best surplus, whatever prices have risen since. */
static void set_free_duals(const pw_side *rows, const pw_side *cols, int64_t from, int64_t stop) {
    for (int64_t r = from; r < stop; r++) {
        if (rows->mates[r] >= 0) continue;
        int64_t best = 0;
        for (int64_t c = rows->indptr[r]; c < rows->indptr[r + 1]; c++) {
            const int64_t value = rows->gains[c] - cols->duals[rows->ends[c]];
            if (value > best) best = value;
        }
        rows->duals[r] = best;
    }
}

/* ---- all steps ----------------------------------------------------------------------------- */

static inline int is_open(const pw_side *side, int64_t node) {
    return side->mates[node] < 0 && side->duals[node] > 0;
}

/* Whether the gains are small multiples of one number, that is, small integers up to a factor:
 * then many of them are equal. */
static int few_multiples(const int64_t *gains, int64_t n_cells) {
    const int64_t unit = pw_common_divisor(gains, n_cells);
    int64_t largest = 0;
    for (int64_t c = 0; c < n_cells; c++) largest = gains[c] > largest ? gains[c] : largest;
    return unit > 1 && largest / unit <= PW_MATCH_TIED_MOST;
}

/* One search after another, from row *next on, until the budget is spent. */
static int search_all(pw_search *search, const pw_side *rows, const pw_side *cols, int64_t budget,
                      int64_t *next, pw_effort *effort) {
    for (; *next < rows->n; ++*next) {
        if (!is_open(rows, *next)) continue;
        if (effort->scanned > budget) return PW_OVER_BUDGET;
        const int status = pw_search_from(search, rows, cols, *next, budget, effort);
        if (status != PW_OK) return status;
    }
    return PW_OK;
}

/* PW_CROWDED: the table falls apart. */
static int take_apart(const pw_side *rows, const pw_side *cols, pw_match_parts *parts,
                      pw_effort *effort) {
    const int status = pw_match_take_apart(rows->indptr, rows->ends, rows->gains, rows->n, cols->n,
                                           parts, effort->poll);
    return status == PW_OK && parts->n > 0 ? PW_CROWDED : status;
}

/* Searches for the rows that the start left open. After a share of the budget a table that falls
 * apart is taken apart. Past the budget the phases take over, and where these do not get on, the
 * auction. */
static int finish(const pw_side *rows, const pw_side *cols, int tied, int64_t budget, int64_t first,
                  pw_match_parts *parts, pw_effort *effort) {
    const int64_t n_most = rows->n > cols->n ? rows->n : cols->n;
    pw_search search;
    int status = pw_search_open(&search, n_most, rows->indptr[rows->n]);
    if (status == PW_OK && parts != NULL) {
        status = search_all(&search, rows, cols, budget / PW_MATCH_APART_SHARE, &first, effort);
        if (status == PW_OVER_BUDGET) status = take_apart(rows, cols, parts, effort);
    }
    if (status == PW_OK) status = search_all(&search, rows, cols, budget, &first, effort);
    if (status == PW_OVER_BUDGET) {
        const int64_t n_cells = rows->indptr[rows->n];
        tied = tied || few_multiples(rows->gains, n_cells);
        const int64_t window = (tied ? PW_MATCH_TIED_SCANS : PW_MATCH_UNTIED_SCANS) * n_cells;
        status = pw_match_phases(&search, rows, cols, window, effort);
    }
    if (status == PW_OVER_BUDGET) status = pw_match_auction(&search, rows, cols, effort);
    pw_search_close(&search);
    return status;
}

/* Turns the column that a row is matched with into the cell. The loop visits all cells of a row,
 * because a branch that leaves it early is mispredicted too often. */
static void mates_to_cells(const pw_side *rows, const pw_side *cols, int64_t from, int64_t stop) {
    (void)cols;
    for (int64_t r = from; r < stop; r++) {
        const int64_t mate = rows->mates[r];
        int64_t at = -1;
        for (int64_t c = rows->indptr[r]; c < rows->indptr[r + 1]; c++) {
            at = rows->ends[c] == mate ? c : at;
        }
        rows->mates[r] = at;
    }
}

/* Takes a step that visits every row once, some rows between two polls. */
static int visit_rows(void (*step)(const pw_side *, const pw_side *, int64_t, int64_t),
                      const pw_side *rows, const pw_side *cols, const pw_poll *poll) {
    for (int64_t r = 0; r < rows->n;) {
        const int64_t stop = pw_rows_to_poll(rows->indptr, r, rows->n);
        step(rows, cols, r, stop);
        r = stop;
        if (r < rows->n && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
             int64_t n_cols, int tied, int64_t budget, pw_match_parts *parts, int64_t *match,
             int64_t *row_duals, int64_t *col_duals, const pw_poll *poll) {
    if (parts != NULL) *parts = (pw_match_parts){0};
    if (n_rows == 0 || n_cols == 0) {
        for (int64_t r = 0; r < n_rows; r++) match[r] = -1;
        if (n_rows > 0) memset(row_duals, 0, (size_t)n_rows * sizeof *row_duals);
        if (n_cols > 0) memset(col_duals, 0, (size_t)n_cols * sizeof *col_duals);
        return PW_OK;
    }
    int64_t *col_mates = malloc((size_t)n_cols * sizeof *col_mates);
    if (col_mates == NULL) return PW_NO_MEMORY;
    const pw_side by_row = {n_rows, indptr, cols, gains, row_duals, match};
    const pw_side by_col = {.n = n_cols, .duals = col_duals, .mates = col_mates};
    pw_effort effort = {.poll = poll, .ask_at = PW_MATCH_POLL_CELLS};
    for (int64_t j = 0; j < n_cols; j++) col_mates[j] = -1;
    memset(col_duals, 0, (size_t)n_cols * sizeof *col_duals);
    const int64_t reduction = pw_min64(8 * indptr[n_rows] + 1024, budget);
    const int64_t share = budget / PW_MATCH_APART_SHARE;
    bidding at = {0, -1};
    int status = visit_rows(take_tight_cells, &by_row, &by_col, poll);
    if (status == PW_OK && parts != NULL) {
        status = reduce_rows(&by_row, &by_col, pw_min64(reduction, share), &at, &effort);
        if (status == PW_OK && effort.scanned >= share) {
            status = take_apart(&by_row, &by_col, parts, &effort);
            parts = NULL; /* once is enough */
        }
    }
    if (status == PW_OK) status = reduce_rows(&by_row, &by_col, reduction, &at, &effort);
    if (status == PW_OK) status = visit_rows(set_free_duals, &by_row, &by_col, poll);
    int64_t first = 0;
    while (status == PW_OK && first < n_rows && !is_open(&by_row, first)) first++;
    if (status == PW_OK && first < n_rows) {
        status = finish(&by_row, &by_col, tied, budget, first, parts, &effort);
    }
    if (status == PW_OK) status = visit_rows(mates_to_cells, &by_row, &by_col, poll);
    free(col_mates);
    return status;
}
