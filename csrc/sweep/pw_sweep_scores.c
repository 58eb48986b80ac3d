/* Split-merge scores after every merge of a sweep, without a table.
 *
 * The score of a cluster is the sum of x ln x over its cells by its own size ln size. S* is the
 * sum over cells of count s_row s_col, and when one score changes all cells of its cluster count
 * anew. Two ways to know them, of which a row has one for good:
 *   small rows keep a list of their cells; when the row's score changes, its columns are told.
 *   large rows keep the sum of count s_col; when a column's score changes, its cells tell the rows.
 * Which rows are small is the caller's choice (by_rows); pw_sweep_walks counts the visits
 * beforehand.
 */
#include "pw_sweep_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_logarithm.h"
#include "pw_sums.h"

/* How many cells ahead memory is prefetched. */
#define AHEAD 8
/* Visits between two polls. */
#define POLL_WALKS ((int64_t)1 << 22)

typedef struct {
    pw_u128 parts;   /* sum of x ln x over its cells */
    pw_u128 carried; /* large rows: sum of count times score of the column over its cells */
    int64_t size;
    int64_t score;
    int64_t first, n_cells; /* small rows: its cells in members */
    int64_t seen_at, seen;  /* large rows: the last merge that met it, and the cell */
} row;

typedef struct {
    pw_u128 parts;
    pw_u128 carried; /* sum of count times score of the row, over small rows */
    int64_t size;    /* labelled items */
    int64_t score;
    int64_t first, last; /* list of cells of large rows; -1: none */
} column;

/* A cell is named by one of its items. */
typedef struct {
    const int64_t *labels;
    int64_t n;
    int fraction_bits;
    int64_t by_rows;
    int wants_product;
    row *rows;
    column *columns;
    int64_t *up;      /* the cluster that a cluster became, or one later */
    int64_t *members; /* cells of the small rows */
    int64_t *counts;  /* items of a cell */
    int64_t *next;    /* cell of the same column */
    uint64_t total[3];
    pw_u128 scores; /* sum of size times score of both sides */
    int64_t walks;
} sweep;

static pw_u128 xlogx(int64_t x, int fraction_bits) {
    return x > 1 ? pw_xlogx((uint64_t)x, fraction_bits) : 0;
}

static int64_t score_of(pw_u128 parts, int64_t size, int fraction_bits) {
    if (size < 2) return PW_ONE;
    const pw_u128 whole = pw_xlogx((uint64_t)size, fraction_bits);
    return parts == whole ? PW_ONE : pw_fraction_of_one(parts, whole);
}

/* sum += x y, modulo 2^192. */
static void add_product(uint64_t sum[3], uint64_t x, pw_i128 y) {
    const pw_u128 size = y < 0 ? -(pw_u128)y : (pw_u128)y;
    const pw_u128 low = (pw_u128)x * (uint64_t)size;
    const pw_u128 high = (pw_u128)x * (uint64_t)(size >> 64) + (uint64_t)(low >> 64);
    const uint64_t words[3] = {(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)};
    const uint64_t flip = y < 0 ? UINT64_MAX : 0;
    pw_u128 carry = flip & 1;
    for (int i = 0; i < 3; i++) {
        carry += (pw_u128)sum[i] + (words[i] ^ flip);
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* words / (n 2^bits), rounded once. Precondition: 1 <= n < 2^63. */
static double quotient(const uint64_t words[3], uint64_t n, int bits) {
    pw_u128 rest = 0;
    uint64_t top = 0;
    for (int i = 2; i >= -2; i--) { /* two words from the first digit on: 65 bits or more */
        rest = rest << 64 | (i >= 0 ? words[i] : 0);
        const uint64_t digit = (uint64_t)(rest / n);
        rest %= n;
        if (top == 0) {
            top = digit;
            continue;
        }
        for (int j = 0; j < i; j++) rest |= words[j];
        const pw_u128 digits = (pw_u128)top << 64 | digit | (rest != 0);
        return ldexp((double)digits, 64 * i - bits);
    }
    return 0.0;
}

static int64_t top_of(int64_t *up, int64_t c) {
    while (up[c] != c) c = up[c] = up[up[c]];
    return c;
}

/* The score of a small row has grown by `gained`. For every cell of the row, adds that to the
 * sum which the cell's column keeps. Two cells of the row lie in the column `into`, which has
 * just been made from two columns; they become one cell. */
static void walk_row(sweep *now, row *of, int64_t gained, int64_t into) {
    int64_t *cells = now->members + of->first;
    int64_t kept = 0, joined = -1;
    pw_u128 sum = 0;
    now->walks += of->n_cells;
    for (int64_t i = 0; i < of->n_cells; i++) {
        if (i + AHEAD < of->n_cells) __builtin_prefetch(now->up + cells[i + AHEAD]);
        const int64_t cell = cells[i], c = top_of(now->up, cell);
        const uint64_t count = (uint64_t)now->counts[cell];
        now->columns[c].carried += (pw_u128)count * (uint64_t)gained;
        sum += (pw_u128)count * (uint64_t)now->columns[c].score;
        if (c == into && joined >= 0) {
            now->counts[joined] += (int64_t)count;
            continue;
        }
        if (c == into) joined = cell;
        cells[kept++] = cell;
    }
    of->n_cells = kept;
    add_product(now->total, (uint64_t)gained, (pw_i128)sum);
}

/* Merge k makes the column `to` from two parts. Visits the cells of one part: its score is
 * replaced by that of `to`, and its cells are appended to those of `to`; where the other part
 * already has a cell in the same row, the two are added up. */
static void walk_column(sweep *now, const column *part, column *to, int64_t k) {
    const int64_t change = to->score - part->score;
    pw_u128 sum = 0;
    for (int64_t cell = part->first; cell >= 0;) {
        const int64_t following = now->next[cell], count = now->counts[cell];
        row *of = now->rows + now->labels[cell];
        now->walks++;
        of->carried += (pw_u128)((pw_i128)count * change);
        sum += (pw_u128)(uint64_t)count * (uint64_t)of->score;
        if (of->seen_at == k) {
            now->counts[of->seen] += count;
        } else {
            of->seen_at = k;
            of->seen = cell;
            now->next[cell] = -1;
            if (to->last >= 0) {
                now->next[to->last] = cell;
            } else {
                to->first = cell;
            }
            to->last = cell;
        }
        cell = following;
    }
    const pw_i128 change_of_sum = change < 0 ? -(pw_i128)sum : (pw_i128)sum;
    add_product(now->total, (uint64_t)(change < 0 ? -change : change), change_of_sum);
}

static void join_columns(sweep *now, const pw_events *events, int64_t left, int64_t right,
                         int64_t k) {
    const int bits = now->fraction_bits;
    const column p = now->columns[left], q = now->columns[right];
    column *to = now->columns + now->n + k;
    now->up[left] = now->up[right] = now->n + k;
    if (p.size == 0 || q.size == 0) {
        *to = p.size == 0 ? q : p;
        return;
    }
    *to = (column){.parts = p.parts + q.parts,
                   .carried = p.carried + q.carried,
                   .size = p.size + q.size,
                   .first = -1,
                   .last = -1};
    for (int64_t e = events->ends[k]; e < events->ends[k + 1]; e++) {
        const int64_t x = events->before[e], y = events->after[e];
        row *of = now->rows + events->rows[e];
        const pw_u128 gained = xlogx(x + y, bits) - xlogx(x, bits) - xlogx(y, bits);
        to->parts += gained;
        of->parts += gained;
    }
    to->score = score_of(to->parts, to->size, bits);
    now->scores += (pw_u128)(uint64_t)to->size * (uint64_t)to->score -
                   (pw_u128)(uint64_t)p.size * (uint64_t)p.score -
                   (pw_u128)(uint64_t)q.size * (uint64_t)q.score;
    if (now->wants_product) {
        add_product(now->total, (uint64_t)p.score, -(pw_i128)p.carried);
        add_product(now->total, (uint64_t)q.score, -(pw_i128)q.carried);
        add_product(now->total, (uint64_t)to->score, (pw_i128)to->carried);
        walk_column(now, &p, to, k);
        walk_column(now, &q, to, k);
    }
    for (int64_t e = events->ends[k]; e < events->ends[k + 1]; e++) {
        row *of = now->rows + events->rows[e];
        const int64_t score = score_of(of->parts, of->size, bits), gained = score - of->score;
        of->score = score;
        now->scores += (pw_u128)(uint64_t)of->size * (uint64_t)gained;
        if (!now->wants_product) continue;
        if (of->size > now->by_rows) {
            add_product(now->total, (uint64_t)gained, (pw_i128)of->carried);
        } else {
            walk_row(now, of, gained, now->n + k);
        }
    }
}

/* The state in which every item is alone. Returns how many items have a label. */
static int64_t start(sweep *now, int64_t n_labels, int64_t n_merges) {
    const int64_t n = now->n;
    int64_t labelled = 0, first = 0, alone = 0;
    memset(now->rows, 0, (size_t)n_labels * sizeof *now->rows);
    for (int64_t i = 0; i < n; i++) {
        if (now->labels[i] >= 0) now->rows[now->labels[i]].size++;
    }
    for (int64_t r = 0; r < n_labels; r++) {
        row *of = now->rows + r;
        of->score = of->size == 1 ? PW_ONE : 0;
        of->seen_at = -1;
        of->first = first;
        if (of->size <= now->by_rows) {
            first += of->size;
        } else {
            of->carried = (pw_u128)(uint64_t)of->size * (uint64_t)PW_ONE;
        }
        alone += of->size == 1;
        labelled += of->size;
    }
    for (int64_t i = 0; i < n; i++) {
        column *at = now->columns + i;
        *at = (column){.score = PW_ONE, .first = -1, .last = -1};
        now->counts[i] = 1;
        now->next[i] = -1;
        if (now->labels[i] < 0) continue;
        row *of = now->rows + now->labels[i];
        at->size = 1;
        if (of->size <= now->by_rows) {
            now->members[of->first + of->n_cells++] = i;
            at->carried = (pw_u128)(uint64_t)of->score;
        } else {
            at->first = at->last = i;
        }
    }
    for (int64_t c = 0; c < n + n_merges; c++) now->up[c] = c;
    now->scores = ((pw_u128)(uint64_t)alone + (uint64_t)labelled) * (uint64_t)PW_ONE;
    add_product(now->total, (uint64_t)PW_ONE, (pw_i128)((pw_u128)(uint64_t)alone << 62));
    return labelled;
}

int pw_sweep_scores(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, const int64_t *state, int64_t n_merges, int64_t n_states,
                    const pw_events *events, int fraction_bits, int64_t by_rows, double *product,
                    double *mean, int64_t *visited, const pw_poll *poll) {
    sweep now = {.labels = labels,
                 .n = n,
                 .fraction_bits = fraction_bits,
                 .by_rows = by_rows,
                 .wants_product = product != NULL};
    int64_t *room = malloc((size_t)(4 * n + n_merges + 1) * sizeof *room);
    now.rows = malloc((size_t)(n_labels + 1) * sizeof *now.rows);
    now.columns = malloc((size_t)(n + n_merges + 1) * sizeof *now.columns);
    int status = PW_NO_MEMORY;
    if (room == NULL || now.rows == NULL || now.columns == NULL) goto end;
    status = PW_OK;
    now.members = room;
    now.counts = room + n;
    now.next = room + 2 * n;
    now.up = room + 3 * n;
    const uint64_t items = (uint64_t)start(&now, n_labels, n_merges);
    int64_t polled = 0;
    for (int64_t s = 0, k = 0; s < n_states; s++) {
        for (; k < n_merges && state[k] <= s; k++) {
            join_columns(&now, events, left[k], right[k], k);
            if (now.walks + k - polled > POLL_WALKS) {
                polled = now.walks + k;
                if (pw_stop(poll)) {
                    status = PW_STOPPED;
                    goto end;
                }
            }
        }
        if (product != NULL) product[s] = items > 0 ? quotient(now.total, items, 124) : 1.0;
        const uint64_t sum[3] = {(uint64_t)now.scores, (uint64_t)(now.scores >> 64), 0};
        mean[s] = items > 0 ? quotient(sum, items, 63) : 1.0;
    }
    *visited = now.walks;
end:
    free(room);
    free(now.rows);
    free(now.columns);
    return status;
}

int pw_sweep_walks(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                   const int64_t *right, int64_t n_merges, const pw_events *events,
                   const int64_t *bounds, int64_t n_bounds, int64_t *walks, const pw_poll *poll) {
    int64_t *sizes = calloc((size_t)n_labels + 1, sizeof *sizes);
    int64_t *joined = calloc((size_t)n_labels + 1, sizeof *joined);
    int64_t *cells = malloc((size_t)(n + n_merges + 1) * sizeof *cells);
    int status = PW_NO_MEMORY;
    if (sizes == NULL || joined == NULL || cells == NULL) goto end;
    status = PW_OK;
    int64_t most = 0;
    for (int64_t i = 0; i < n; i++) {
        if (labels[i] >= 0 && ++sizes[labels[i]] > most) most = sizes[labels[i]];
    }
    for (int64_t e = 0; e < events->ends[n_merges]; e++) joined[events->rows[e]]++;
    for (int64_t b = 0; b < n_bounds; b++) {
        walks[b] = 0;
        for (int64_t r = 0; r < n_labels; r++) { /* each visit is of one cell less */
            if (sizes[r] <= bounds[b])
                walks[b] += joined[r] * sizes[r] - joined[r] * (joined[r] - 1) / 2;
        }
        if (most <= bounds[b]) continue;
        for (int64_t i = 0; i < n; i++) cells[i] = labels[i] >= 0 && sizes[labels[i]] > bounds[b];
        for (int64_t k = 0; k < n_merges; k++) {
            const int64_t met = cells[left[k]] + cells[right[k]];
            int64_t same = 0;
            for (int64_t e = events->ends[k]; e < events->ends[k + 1]; e++)
                same += sizes[events->rows[e]] > bounds[b];
            cells[n + k] = met - same;
            walks[b] += met;
        }
        if (pw_stop(poll)) {
            status = PW_STOPPED;
            break;
        }
    }
end:
    free(sizes);
    free(joined);
    free(cells);
    return status;
}
