/* Tables of different items add up.
 *
 * Two sorted lists are merged row by row, as in merge sort (von Neumann 1945). First the cells of
 * the union are counted, so that its memory is exact; then they are written from the last one to
 * the first: what is written never passes what is still to be read, so the larger table grows in
 * its own memory. The loops have no branch that depends on the cells.
 */
#include "pw_union.h"

#include <stdlib.h>

int64_t pw_unite(const uint64_t *x, int64_t n_x, const uint64_t *y, int64_t n_y, int is_signed,
                 uint64_t *both, int64_t *place_x, int64_t *place_y) {
    const uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0;
    int64_t i = 0;
    int64_t j = 0;
    int64_t used = 0;
    while (i < n_x && j < n_y) {
        const uint64_t own = x[i] ^ flip;
        const uint64_t other = y[j] ^ flip;
        both[used] = (own <= other ? own : other) ^ flip;
        place_x[i] = used;
        place_y[j] = used;
        i += own <= other;
        j += other <= own;
        used++;
    }
    for (; i < n_x; i++) {
        both[used] = x[i];
        place_x[i] = used++;
    }
    for (; j < n_y; j++) {
        both[used] = y[j];
        place_y[j] = used++;
    }
    return used;
}

static inline int64_t placed(const int64_t *places, int64_t i) {
    return places == NULL ? i : places[i];
}

static int64_t longest_row(const pw_placed *t) {
    int64_t most = 0;
    for (int64_t r = 0; r < t->n_rows; r++) {
        const int64_t here = t->indptr[r + 1] - t->indptr[r];
        most = here > most ? here : most;
    }
    return most;
}

/* Where the columns of a row of x, and behind them one of y, get their places: looked up one by one
 * in the merge, each would wait for the one before. NULL: no memory. */
static int64_t *room_for_rows(const pw_placed *x, const pw_placed *y, int64_t *half) {
    *half = longest_row(x);
    return malloc((size_t)(*half + longest_row(y) + 1) * sizeof(int64_t));
}

/* Cells of a row of a table: their columns in the union. */
typedef struct {
    const int64_t *cols;
    int64_t from;
    int64_t n;
} run;

/* The cells of row `at` of a table if that is row `row` of the union, else none. */
static inline run run_of(const pw_placed *t, int64_t at, int64_t row, int64_t *room) {
    if (at < 0 || at >= t->n_rows || placed(t->row_places, at) != row) return (run){NULL, 0, 0};
    const int64_t from = t->indptr[at];
    const int64_t n = t->indptr[at + 1] - from;
    if (t->col_places == NULL) return (run){t->cols + from, from, n};
    for (int64_t i = 0; i < n; i++) room[i] = t->col_places[t->cols[from + i]];
    return (run){room, from, n};
}

/* How many distinct columns two rows have. */
static int64_t distinct_cols(run x, run y) {
    int64_t i = 0;
    int64_t j = 0;
    int64_t n = 0;
    while (i < x.n && j < y.n) {
        const int64_t own = x.cols[i];
        const int64_t other = y.cols[j];
        i += own <= other;
        j += other <= own;
        n++;
    }
    return n + (x.n - i) + (y.n - j);
}

int pw_union_rows(const pw_placed *x, const pw_placed *y, int64_t n_rows, int64_t *indptr,
                  const pw_poll *poll) {
    int64_t half = 0;
    int64_t *room = room_for_rows(x, y, &half);
    if (room == NULL) return PW_NO_MEMORY;
    int64_t at_x = 0;
    int64_t at_y = 0;
    int64_t asked = 0;
    int status = PW_OK;
    indptr[0] = 0;
    for (int64_t row = 0; row < n_rows; row++) {
        const run own = run_of(x, at_x, row, room);
        const run other = run_of(y, at_y, row, room + half);
        at_x += own.n > 0;
        at_y += other.n > 0;
        indptr[row + 1] = indptr[row] + distinct_cols(own, other);
        if (indptr[row + 1] - asked > PW_POLL_ITEMS) {
            asked = indptr[row + 1];
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                break;
            }
        }
    }
    free(room);
    return status;
}

/* The cells of a row, from the last to the first, before `end`. */
static void merge_runs(run x, run y, const int64_t *y_counts, int64_t end, int64_t *cols,
                       int64_t *counts) {
    int64_t i = x.n;
    int64_t j = y.n;
    const int64_t *x_counts = counts + x.from;
    while (i > 0 && j > 0) {
        const int64_t own = x.cols[i - 1];
        const int64_t other = y.cols[j - 1];
        const int64_t takes_x = own >= other;
        const int64_t takes_y = other >= own;
        const int64_t count = (x_counts[i - 1] & -takes_x) + (y_counts[j - 1] & -takes_y);
        end--;
        cols[end] = takes_x ? own : other;
        counts[end] = count;
        i -= takes_x;
        j -= takes_y;
    }
    for (; j > 0; j--) {
        cols[--end] = y.cols[j - 1];
        counts[end] = y_counts[j - 1];
    }
    if (end == x.from + i && x.cols == cols + x.from) return; /* they stay where they are */
    for (; i > 0; i--) {
        cols[--end] = x.cols[i - 1];
        counts[end] = x_counts[i - 1];
    }
}

int pw_union_cells(const pw_placed *x, const pw_placed *y, int64_t n_rows, const int64_t *indptr,
                   int64_t *cols, int64_t *counts, const pw_poll *poll) {
    int64_t half = 0;
    int64_t *room = room_for_rows(x, y, &half);
    if (room == NULL) return PW_NO_MEMORY;
    int64_t at_x = x->n_rows - 1;
    int64_t at_y = y->n_rows - 1;
    int64_t asked = indptr[n_rows];
    int status = PW_OK;
    for (int64_t row = n_rows - 1; row >= 0; row--) {
        const run own = run_of(x, at_x, row, room);
        const run other = run_of(y, at_y, row, room + half);
        at_x -= own.n > 0;
        at_y -= other.n > 0;
        merge_runs(own, other, y->counts + other.from, indptr[row + 1], cols, counts);
        if (asked - indptr[row] > PW_POLL_ITEMS) {
            asked = indptr[row];
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                break;
            }
        }
    }
    free(room);
    return status;
}
