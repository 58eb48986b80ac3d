/* After an auction: prices at which its pairs are the best of their rows, without a search.
 *
 * The auction leaves pairs within an epsilon of that, and each that is off by one would cost a
 * search. A row that would rather have another column raises that one's price to where it would
 * not; the row that holds it looks again. This is R. Bellman, "On a routing problem" (1958), with
 * a queue, begun from prices that are nearly right. Where rows outbid each other in a circle,
 * another pairing gains more, and they take that; circles are looked for along the rows that
 * raised prices last.
 */
#include <stdlib.h>

#include "pw_match_queue.h"
#include "pw_match_search.h"
#include "pw_tuning.h"

/* What is known of columns and rows. */
typedef struct {
    int64_t *raised_by; /* of each column: the row that raised it last, or -1 */
    int64_t *walk;      /* of each column: the walk that met it last */
    int64_t n_walks;
    uint8_t *raises;      /* of each column */
    int64_t *paid;        /* of each row: the gain of its pair */
    uint8_t *waits;       /* of each row */
    pw_match_queue queue; /* rows that have to look */
} raised;

static int open_raised(raised *x, const pw_side *rows, const pw_side *cols) {
    *x = (raised){.raised_by = malloc((size_t)cols->n * sizeof *x->raised_by),
                  .walk = calloc((size_t)cols->n, sizeof *x->walk),
                  .raises = calloc((size_t)cols->n, sizeof *x->raises),
                  .paid = malloc((size_t)rows->n * sizeof *x->paid),
                  .waits = calloc((size_t)rows->n, sizeof *x->waits),
                  .queue = {.size = rows->n}};
    x->queue.ring = malloc((size_t)rows->n * sizeof *x->queue.ring);
    if (!x->raised_by || !x->walk || !x->raises || !x->paid || !x->waits || !x->queue.ring)
        return PW_NO_MEMORY;
    for (int64_t j = 0; j < cols->n; j++) x->raised_by[j] = -1;
    return PW_OK;
}

static void close_raised(raised *x) {
    free(x->raised_by);
    free(x->walk);
    free(x->raises);
    free(x->paid);
    free(x->waits);
    free(x->queue.ring);
}

static void wait_again(raised *x, int64_t row) {
    if (!x->waits[row]) pw_enqueue(&x->queue, row);
    x->waits[row] = 1;
}

/* Every price stands where the row that raised it put it, and that row's own column was raised by
 * another. If this leads from a column back to itself, all rows of the circle gain by taking the
 * columns that they raised. Returns whether there was one. */
static int turn_circle(raised *x, const pw_side *rows, const pw_side *cols, int64_t col) {
    x->n_walks++;
    while (x->walk[col] != x->n_walks) {
        x->walk[col] = x->n_walks;
        const int64_t row = x->raised_by[col];
        if (row < 0 || rows->mates[row] < 0) return 0;
        col = rows->mates[row];
    }
    while (x->raised_by[col] >= 0) {
        const int64_t row = x->raised_by[col];
        const int64_t next = rows->mates[row];
        rows->mates[row] = col;
        cols->mates[col] = row;
        x->paid[row] = pw_gain_of(rows, row, col);
        x->raised_by[col] = -1;
        wait_again(x, row);
        col = next;
    }
    return 1;
}

/* The row of a pair raises the prices of columns that it would rather have to where it would not.
 * Returns whether it is done; if not, pairs have changed and it has to look again. */
static int raise_prices(raised *x, const pw_side *rows, const pw_side *cols, int64_t row) {
    const int64_t value = x->paid[row] - cols->duals[rows->mates[row]];
    const int64_t surplus = value > 0 ? value : 0; /* else it would rather stay alone */
    for (int64_t c = rows->indptr[row]; c < rows->indptr[row + 1]; c++) {
        const int64_t end = rows->ends[c];
        const int64_t price = rows->gains[c] - surplus;
        if (cols->duals[end] >= price) continue;
        const int64_t other = cols->mates[end];
        if (other < 0 || x->raises[end] == PW_MATCH_RAISES) continue;
        cols->duals[end] = price;
        x->raised_by[end] = row;
        wait_again(x, other);
        if (++x->raises[end] % 8 == 0 && turn_circle(x, rows, cols, end)) return 0;
    }
    return 1;
}

int pw_match_keep_pairs(const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    raised x;
    int status = open_raised(&x, rows, cols);
    for (int64_t r = 0; r < rows->n && status == PW_OK; r++) {
        if (rows->mates[r] < 0) continue;
        x.paid[r] = pw_gain_of(rows, r, rows->mates[r]);
        wait_again(&x, r);
    }
    while (status == PW_OK && x.queue.n_waiting > 0) {
        const int64_t row = pw_dequeue(&x.queue);
        x.waits[row] = 0;
        if (!raise_prices(&x, rows, cols, row)) wait_again(&x, row);
        status = pw_spend(effort, rows->indptr[row + 1] - rows->indptr[row]);
    }
    close_raised(&x);
    return status;
}
