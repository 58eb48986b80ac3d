#include "pw_match.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t distance;
    int64_t col;
} heap_entry;

typedef struct {
    const int64_t *indptr;
    const int64_t *cols;
    const int64_t *gains;
    int64_t n_rows;
    int64_t n_cols;
    int64_t *match; /* row -> cell or -1 */
    int64_t *row_duals;
    int64_t *col_duals;
    int64_t *col_cell; /* column -> matched cell or -1 */
    int64_t *cell_row; /* cell -> row */
    int64_t *distance; /* of columns in the running search */
    int64_t *reach;    /* cell by which a column was reached */
    int64_t *stamp;    /* search in which a column was reached, negative once it is settled */
    int64_t *settled;  /* columns of the running search, in order of distance */
    heap_entry *heap;  /* columns farther than the one being settled */
    int64_t heap_size;
    int64_t *level; /* columns at the same distance as it: last in, first out */
    int64_t level_size;
} matching;

/* ---- heap of columns by distance, then number: the order is fixed ------------------------- */

static inline int before(heap_entry x, heap_entry y) {
    return x.distance < y.distance || (x.distance == y.distance && x.col < y.col);
}

static void heap_push(matching *m, heap_entry entry) {
    int64_t at = m->heap_size++;
    while (at > 0) {
        const int64_t up = (at - 1) / 2;
        if (!before(entry, m->heap[up])) break;
        m->heap[at] = m->heap[up];
        at = up;
    }
    m->heap[at] = entry;
}

static heap_entry heap_pop(matching *m) {
    const heap_entry top = m->heap[0];
    const heap_entry last = m->heap[--m->heap_size];
    int64_t at = 0;
    for (;;) {
        int64_t down = 2 * at + 1;
        if (down >= m->heap_size) break;
        if (down + 1 < m->heap_size && before(m->heap[down + 1], m->heap[down])) down++;
        if (!before(m->heap[down], last)) break;
        m->heap[at] = m->heap[down];
        at = down;
    }
    if (m->heap_size > 0) m->heap[at] = last;
    return top;
}

/* ---- the start ----------------------------------------------------------------------------- */

static void take_tight_cells(matching *m) {
    for (int64_t r = 0; r < m->n_rows; r++) {
        int64_t most = 0;
        for (int64_t c = m->indptr[r]; c < m->indptr[r + 1]; c++) {
            if (m->gains[c] > most) most = m->gains[c];
        }
        m->row_duals[r] = most;
        for (int64_t c = m->indptr[r]; c < m->indptr[r + 1] && most > 0; c++) {
            if (m->gains[c] == most && m->col_cell[m->cols[c]] < 0) {
                m->match[r] = c;
                m->col_cell[m->cols[c]] = c;
                break;
            }
        }
    }
}

/* One bid of a free row: its best column at the surplus over the second best, or over staying
 * unmatched. Answers the row that lost the column, -1 for none; *tied says the surplus was 0. */
static int64_t bid(matching *m, int64_t row, int *tied) {
    int64_t best = 0;
    int64_t second = 0;
    int64_t cell = -1;
    for (int64_t c = m->indptr[row]; c < m->indptr[row + 1]; c++) {
        const int64_t value = m->gains[c] - m->col_duals[m->cols[c]];
        if (value > best) {
            second = best;
            best = value;
            cell = c;
        } else if (value > second) {
            second = value;
        }
    }
    m->row_duals[row] = best;
    *tied = best == second;
    if (cell < 0) return -1; /* nothing beats staying unmatched, at a dual of 0 */
    const int64_t col = m->cols[cell];
    const int64_t old = m->col_cell[col];
    if (*tied && old >= 0) return -1; /* no progress: left to the search */
    m->row_duals[row] = second;
    m->col_duals[col] = m->gains[cell] - second;
    m->match[row] = cell;
    m->col_cell[col] = cell;
    if (old < 0) return -1;
    m->match[m->cell_row[old]] = -1;
    return m->cell_row[old];
}

static int reduce_rows(matching *m, int64_t budget, const pw_poll *poll) {
    for (int64_t r = 0; r < m->n_rows && budget > 0; r++) {
        int64_t row = m->match[r] < 0 && m->row_duals[r] > 0 ? r : -1;
        while (row >= 0 && budget > 0) {
            int tied;
            budget -= m->indptr[row + 1] - m->indptr[row] + 1;
            row = bid(m, row, &tied);
        }
        if ((r & 0xffff) == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    /* a free row's dual must be its best surplus, whatever prices have risen since */
    for (int64_t r = 0; r < m->n_rows; r++) {
        if (m->match[r] >= 0) continue;
        int64_t best = 0;
        for (int64_t c = m->indptr[r]; c < m->indptr[r + 1]; c++) {
            const int64_t value = m->gains[c] - m->col_duals[m->cols[c]];
            if (value > best) best = value;
        }
        m->row_duals[r] = best;
    }
    return PW_OK;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* The cheapest way out of the running search that is known so far. */
typedef struct {
    int64_t limit; /* its cost: what costs as much need not be looked at */
    int64_t end;   /* free column it ends in, or -1 */
    int64_t leave; /* settled column whose row it leaves unmatched, or -1; both -1: the start */
} way_out;

/* Reach the columns of a row at `base`; a free one is a way out at once. */
static void relax(matching *m, int64_t row, int64_t base, int64_t search, way_out *out) {
    for (int64_t c = m->indptr[row]; c < m->indptr[row + 1]; c++) {
        const int64_t col = m->cols[c];
        if (c == m->match[row] || m->stamp[col] == -search) continue;
        const int64_t there = base + m->row_duals[row] + m->col_duals[col] - m->gains[c];
        if (there >= out->limit) continue;
        if (m->stamp[col] == search && there >= m->distance[col]) continue;
        m->reach[col] = c;
        if (m->col_cell[col] < 0) {
            *out = (way_out){.limit = there, .end = col, .leave = -1};
            continue;
        }
        m->stamp[col] = search;
        m->distance[col] = there;
        if (there == base) {
            m->level[m->level_size++] = col;
        } else {
            heap_push(m, (heap_entry){there, col});
        }
    }
}

/* The next column to settle below the limit, -1 for none. Ties go deep first: with many equal
 * gains a way out is found without settling the whole level. */
static int64_t next_column(matching *m, int64_t search, int64_t limit) {
    while (m->level_size > 0) {
        const int64_t col = m->level[--m->level_size];
        if (m->stamp[col] != -search && m->distance[col] < limit) return col;
    }
    while (m->heap_size > 0) {
        const heap_entry top = heap_pop(m);
        if (top.distance >= limit) return -1;
        if (m->stamp[top.col] != -search && top.distance <= m->distance[top.col]) return top.col;
    }
    return -1;
}

/* Give every row on the path to `col` the cell by which the next column was reached. */
static void augment(matching *m, int64_t col) {
    for (;;) {
        const int64_t cell = m->reach[col];
        const int64_t row = m->cell_row[cell];
        const int64_t given_up = m->match[row];
        m->match[row] = cell;
        m->col_cell[col] = cell;
        if (given_up < 0) return;
        col = m->cols[given_up];
    }
}

/* Shortest way out of a free row: to a free column, or to a row whose dual falls to 0 and that
 * may stay unmatched. */
static int search_from(matching *m, int64_t start, int64_t search, const pw_poll *poll) {
    int64_t n_settled = 0;
    int64_t scanned = 0;
    way_out out = {.limit = m->row_duals[start], .end = -1, .leave = -1};
    m->heap_size = 0;
    m->level_size = 0;
    relax(m, start, 0, search, &out);
    for (;;) {
        const int64_t col = next_column(m, search, out.limit);
        if (col < 0) break;
        const int64_t here = m->distance[col];
        m->stamp[col] = -search;
        m->settled[n_settled++] = col;
        const int64_t row = m->cell_row[m->col_cell[col]];
        if (here + m->row_duals[row] < out.limit) {
            out = (way_out){.limit = here + m->row_duals[row], .end = -1, .leave = col};
        }
        relax(m, row, here, search, &out);
        scanned += m->indptr[row + 1] - m->indptr[row];
        if (scanned > PW_POLL_ITEMS / 4) {
            scanned = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    m->row_duals[start] -= out.limit;
    for (int64_t i = 0; i < n_settled; i++) {
        const int64_t col = m->settled[i];
        if (m->distance[col] >= out.limit) continue;
        m->col_duals[col] += out.limit - m->distance[col];
        m->row_duals[m->cell_row[m->col_cell[col]]] -= out.limit - m->distance[col];
    }
    if (out.end >= 0) {
        augment(m, out.end);
    } else if (out.leave >= 0) {
        m->match[m->cell_row[m->col_cell[out.leave]]] = -1;
        augment(m, out.leave);
    }
    return PW_OK;
}

int pw_match(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
             int64_t n_cols, int64_t *match, int64_t *row_duals, int64_t *col_duals,
             const pw_poll *poll) {
    if (n_rows == 0 || n_cols == 0) {
        for (int64_t r = 0; r < n_rows; r++) match[r] = -1;
        if (n_rows > 0) memset(row_duals, 0, (size_t)n_rows * sizeof *row_duals);
        if (n_cols > 0) memset(col_duals, 0, (size_t)n_cols * sizeof *col_duals);
        return PW_OK;
    }
    const int64_t n_cells = indptr[n_rows];
    matching m = {.indptr = indptr,
                  .cols = cols,
                  .gains = gains,
                  .n_rows = n_rows,
                  .n_cols = n_cols,
                  .match = match,
                  .row_duals = row_duals,
                  .col_duals = col_duals};
    m.col_cell = malloc((size_t)n_cols * sizeof *m.col_cell);
    m.cell_row = malloc((size_t)(n_cells > 0 ? n_cells : 1) * sizeof *m.cell_row);
    m.distance = malloc((size_t)n_cols * sizeof *m.distance);
    m.reach = malloc((size_t)n_cols * sizeof *m.reach);
    m.stamp = calloc((size_t)n_cols, sizeof *m.stamp);
    m.settled = malloc((size_t)n_cols * sizeof *m.settled);
    m.heap = malloc((size_t)(n_cells > 0 ? n_cells : 1) * sizeof *m.heap);
    m.level = malloc((size_t)n_cols * sizeof *m.level);
    int status = PW_OK;
    if (!m.level || !m.col_cell || !m.cell_row || !m.distance || !m.reach || !m.stamp ||
        !m.settled || !m.heap) {
        status = PW_NO_MEMORY;
    }
    if (status == PW_OK) {
        for (int64_t j = 0; j < n_cols; j++) m.col_cell[j] = -1;
        memset(col_duals, 0, (size_t)n_cols * sizeof *col_duals);
        for (int64_t r = 0; r < n_rows; r++) {
            match[r] = -1;
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) m.cell_row[c] = r;
        }
        take_tight_cells(&m);
        status = reduce_rows(&m, 8 * n_cells + 1024, poll);
    }
    for (int64_t r = 0, search = 0; r < n_rows && status == PW_OK; r++) {
        if (match[r] < 0 && row_duals[r] > 0) status = search_from(&m, r, ++search, poll);
        if ((r & 0xfff) == 0 && status == PW_OK && pw_stop(poll)) status = PW_STOPPED;
    }
    free(m.col_cell);
    free(m.cell_row);
    free(m.distance);
    free(m.reach);
    free(m.stamp);
    free(m.settled);
    free(m.heap);
    free(m.level);
    return status;
}
