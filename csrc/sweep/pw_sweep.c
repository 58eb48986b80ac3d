/* All cells that ever form while clusters are merged, and sums over them after every state.
 *
 * Events (pw_sweep_events), for each label:
 *   1. The leaves of the merges are put in an order in which every cluster is an interval. Between
 *      neighbours stands the merge that joins them.
 *   2. Two items of one label that follow each other are joined by the latest merge between them: a
 *      maximum of an interval, read from a stack of falling maxima by binary search.
 *   3. The gaps of a label nest like a Cartesian tree of these maxima (J. Vuillemin, "A unifying
 *      look at data structures", 1980), which a second stack walks: the nearest later gaps on
 *      either side tell the sizes of the two cells that become one.
 * Curves (pw_sweep_curves): the events in the order of merges, with totals of integers. Edges
 * (pw_sweep_edges): union-find; paths are halved (R. E. Tarjan and J. van Leeuwen, "Worst-case
 * analysis of set union algorithms", 1984, study it), and roots are joined by number, not by size.
 */
#include "pw_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "pw_logarithm.h"
#include "pw_ratios.h"

/* How many merges, leaves or gaps ahead memory is prefetched: what they point to may be far
 * away. */
#define AHEAD 16

/* ---- events ------------------------------------------------------------------------- */

/* Items in an order in which every cluster is an interval; boundary[p] is the merge that joins
 * positions p and p + 1, n_merges where none does. */
static int order_leaves(int64_t n, const int64_t *left, const int64_t *right, int64_t n_merges,
                        int64_t *item_at, int64_t *boundary) {
    const size_t clusters = (size_t)(n + n_merges);
    int64_t *size = malloc(clusters * sizeof *size);
    int64_t *start = malloc(clusters * sizeof *start);
    if (size == NULL || start == NULL) {
        free(size);
        free(start);
        return PW_NO_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) size[i] = 1;
    for (size_t c = 0; c < clusters; c++) start[c] = 0; /* -1 will mean: has a parent */
    for (int64_t k = 0; k < n_merges; k++) {
        if (k + AHEAD < n_merges) {
            __builtin_prefetch(size + left[k + AHEAD]);
            __builtin_prefetch(size + right[k + AHEAD]);
            __builtin_prefetch(start + left[k + AHEAD], 1);
            __builtin_prefetch(start + right[k + AHEAD], 1);
        }
        size[n + k] = size[left[k]] + size[right[k]];
        start[left[k]] = -1;
        start[right[k]] = -1;
    }
    int64_t next = 0;
    for (size_t c = 0; c < clusters; c++) {
        if (start[c] < 0) continue;
        start[c] = next;
        next += size[c];
    }
    for (int64_t p = 0; p < n; p++) boundary[p] = n_merges;
    for (int64_t k = n_merges - 1; k >= 0; k--) {
        if (k >= AHEAD) {
            __builtin_prefetch(size + left[k - AHEAD]);
            __builtin_prefetch(start + left[k - AHEAD], 1);
            __builtin_prefetch(start + right[k - AHEAD], 1);
        }
        start[left[k]] = start[n + k];
        start[right[k]] = start[n + k] + size[left[k]];
        boundary[start[right[k]] - 1] = k;
    }
    for (int64_t i = 0; i < n; i++) item_at[start[i]] = i;
    free(size);
    free(start);
    return PW_OK;
}

/* Index of the first of ascending positions that is at least `at`. Precondition: there is one. */
static int64_t first_from(const int64_t *positions, int64_t n, int64_t at) {
    int64_t low = n - 1, step = 1; /* most gaps are short: gallop from the end */
    while (low > 0 && positions[low - 1] >= at) {
        low = low > step ? low - step : 0;
        step *= 2;
        if (positions[low] < at) break;
    }
    int64_t high = n - 1;
    if (positions[low] >= at && (low == 0 || positions[low - 1] < at)) return low;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (positions[middle] >= at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* times of row r: for each of its items but the first, the merge that joins it with the item of
 * the row before it in the order of leaves, that is, the largest boundary between the two. The
 * stack holds the boundaries that are larger than every later one. */
static int gap_times(const int64_t *labels, const int64_t *item_at, const int64_t *boundary,
                     int64_t n, int64_t *last, int64_t *fill, int64_t *times, int64_t *stack_at,
                     int64_t *stack_time, const pw_poll *poll) {
    int64_t depth = 0;
    for (int64_t p = 0; p < n; p++) {
        if (p % PW_POLL_ITEMS == PW_POLL_ITEMS - 1 && pw_stop(poll)) return PW_STOPPED;
        if (p + AHEAD < n) __builtin_prefetch(labels + item_at[p + AHEAD]);
        const int64_t row = labels[item_at[p]];
        if (row >= 0) {
            if (last[row] >= 0)
                times[fill[row]] = stack_time[first_from(stack_at, depth, last[row])];
            fill[row]++;
            last[row] = p;
        }
        while (depth > 0 && stack_time[depth - 1] <= boundary[p]) depth--;
        stack_at[depth] = p;
        stack_time[depth++] = boundary[p];
    }
    return PW_OK;
}

/* Writes the events of one row, whose gaps are times[1 .. size). When a gap closes, the items
 * between the nearest gaps on either side that close later become one cell. */
static void row_events(int64_t row, const int64_t *times, int64_t size, int64_t never,
                       int64_t *stack, const pw_events *events, int64_t *next) {
    int64_t depth = 0;
    for (int64_t j = 1; j <= size; j++) {
        if (j + AHEAD < size) __builtin_prefetch(next + times[j + AHEAD], 1);
        const int64_t now = j < size ? times[j] : INT64_MAX;
        while (depth > 0 && times[stack[depth - 1]] < now) {
            const int64_t gap = stack[--depth];
            const int64_t time = times[gap];
            if (time >= never) continue;
            const int64_t at = next[time]++;
            events->rows[at] = row;
            events->before[at] = gap - (depth > 0 ? stack[depth - 1] : 0);
            events->after[at] = j - gap;
        }
        if (j < size) stack[depth++] = j;
    }
}

int pw_sweep_events(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, int64_t n_merges, pw_events *events,
                    const pw_poll *poll) {
    memset(events->ends, 0, (size_t)(n_merges + 1) * sizeof *events->ends);
    events->n_events = 0;
    if (n == 0) return PW_OK;
    int64_t *room = malloc((size_t)n * 5 * sizeof *room);
    int64_t *by_row = malloc((size_t)(3 * n_labels + 1) * sizeof *by_row);
    int64_t *next = malloc((size_t)(n_merges + 1) * sizeof *next);
    int status = PW_NO_MEMORY;
    if (room == NULL || by_row == NULL || next == NULL) goto end;
    int64_t *item_at = room, *boundary = room + n, *times = room + 2 * n;
    int64_t *stack_at = room + 3 * n, *stack_time = room + 4 * n;
    int64_t *starts = by_row, *fill = by_row + n_labels + 1, *last = fill + n_labels;
    status = order_leaves(n, left, right, n_merges, item_at, boundary);
    if (status != PW_OK) goto end;
    memset(starts, 0, (size_t)(n_labels + 1) * sizeof *starts);
    for (int64_t i = 0; i < n; i++) {
        if (labels[i] >= 0) starts[labels[i] + 1]++;
    }
    for (int64_t r = 0; r < n_labels; r++) {
        starts[r + 1] += starts[r];
        fill[r] = starts[r];
        last[r] = -1;
    }
    status = gap_times(labels, item_at, boundary, n, last, fill, times, stack_at, stack_time, poll);
    if (status != PW_OK) goto end;
    int64_t *ends = events->ends;
    for (int64_t r = 0; r < n_labels; r++) {
        for (int64_t j = starts[r] + 1; j < starts[r + 1]; j++) {
            if (times[j] < n_merges) ends[times[j] + 1]++;
        }
    }
    for (int64_t k = 0; k < n_merges; k++) {
        ends[k + 1] += ends[k];
        next[k] = ends[k];
    }
    for (int64_t r = 0; r < n_labels; r++)
        row_events(r, times + starts[r], starts[r + 1] - starts[r], n_merges, stack_at, events,
                   next);
    events->n_events = ends[n_merges];
end:
    free(room);
    free(by_row);
    free(next);
    return status;
}

/* ---- curves ------------------------------------------------------------------------- */

/* A candidate cluster; size counts labelled items. */
typedef struct {
    pw_u128 squares;
    int64_t size;
    int64_t maximum;
    int64_t matches; /* 1 where a reference cluster has the same items */
} column;

typedef struct {
    pw_u128 squares;
    pw_u128 mean; /* floor(2^64 squares / size) */
    int64_t size;
    int64_t maximum;
} row;

typedef struct {
    int64_t cells, clusters, all_clusters, largest, row_maxima, col_maxima, matches;
    pw_u128 squares, col_squares, cell_xlogx, col_xlogx, by_row, by_col;
} totals;

static void put(uint64_t *const words[2], int64_t at, pw_u128 value) {
    if (words[0] == NULL) return;
    words[0][at] = (uint64_t)value;
    words[1][at] = (uint64_t)(value >> 64);
}

static void put_state(const pw_curves *curves, int64_t at, const totals *now) {
    curves->cells[at] = now->cells;
    curves->clusters[at] = now->clusters;
    curves->all_clusters[at] = now->all_clusters;
    curves->largest[at] = now->largest;
    put(curves->squares, at, now->squares);
    put(curves->col_squares, at, now->col_squares);
    put(curves->cell_xlogx, at, now->cell_xlogx);
    put(curves->col_xlogx, at, now->col_xlogx);
    if (curves->row_maxima != NULL) curves->row_maxima[at] = now->row_maxima;
    if (curves->col_maxima != NULL) curves->col_maxima[at] = now->col_maxima;
    put(curves->by_row, at, now->by_row);
    put(curves->by_col, at, now->by_col);
    if (curves->matches != NULL) curves->matches[at] = now->matches;
}

/* x ln x of the large sizes met last, because a growing cluster needs its old size again. Sizes
 * below CHEAP have a table. */
#define KNOWN 1024
#define CHEAP 2048

typedef struct {
    int fraction_bits;
    int64_t size[KNOWN];
    pw_u128 value[KNOWN];
} logs;

static pw_u128 xlogx(logs *known, int64_t x) {
    if (x < CHEAP) return x > 1 ? pw_xlogx((uint64_t)x, known->fraction_bits) : 0;
    const int64_t at = x % KNOWN;
    if (known->size[at] != x) {
        known->size[at] = x;
        known->value[at] = pw_xlogx((uint64_t)x, known->fraction_bits);
    }
    return known->value[at];
}

static void start(const int64_t *labels, int64_t n, int64_t n_labels, column *columns, row *rows,
                  totals *now) {
    memset(now, 0, sizeof *now);
    memset(rows, 0, (size_t)n_labels * sizeof *rows);
    for (int64_t i = 0; i < n; i++) {
        const int64_t here = labels[i] >= 0;
        if (here) rows[labels[i]].size++;
        columns[i] = (column){.squares = (pw_u128)here, .size = here, .maximum = here};
        now->cells += here;
    }
    for (int64_t i = 0; i < n; i++) {
        columns[i].matches = labels[i] >= 0 && rows[labels[i]].size == 1;
        now->matches += columns[i].matches;
    }
    for (int64_t r = 0; r < n_labels; r++) {
        rows[r].squares = (pw_u128)(uint64_t)rows[r].size;
        rows[r].maximum = 1;
        rows[r].mean = (pw_u128)1 << 64;
    }
    now->clusters = now->col_maxima = now->cells;
    now->all_clusters = n;
    now->largest = now->cells > 0;
    now->row_maxima = n_labels;
    now->squares = now->col_squares = (pw_u128)(uint64_t)now->cells;
    now->by_row = (pw_u128)(uint64_t)n_labels << 64;
    now->by_col = (pw_u128)(uint64_t)now->cells << 64;
}

/* Two cells of a row become one. */
static void join_cells(row *of, int64_t before, int64_t after, logs *known, const pw_curves *curves,
                       column *into, totals *now) {
    const int64_t whole = before + after;
    const pw_u128 gained = 2 * (pw_u128)(uint64_t)before * (uint64_t)after;
    now->cells--;
    now->squares += gained;
    into->squares += gained;
    if (curves->cell_xlogx[0] != NULL)
        now->cell_xlogx += xlogx(known, whole) - xlogx(known, before) - xlogx(known, after);
    if (whole > into->maximum) into->maximum = whole;
    if (whole > of->maximum) {
        now->row_maxima += whole - of->maximum;
        of->maximum = whole;
    }
    if (whole == of->size && whole == into->size) into->matches = 1;
    if (curves->by_row[0] != NULL) {
        of->squares += gained;
        const pw_u128 mean = pw_mean_square(of->squares, of->size);
        now->by_row += mean - of->mean;
        of->mean = mean;
    }
}

int pw_sweep_curves(const int64_t *labels, int64_t n, int64_t n_labels, const int64_t *left,
                    const int64_t *right, const int64_t *state, int64_t n_merges, int64_t n_states,
                    const pw_events *events, int fraction_bits, const pw_curves *curves,
                    const pw_poll *poll) {
    column *columns = malloc((size_t)(n + n_merges + 1) * sizeof *columns);
    row *rows = malloc((size_t)(n_labels + 1) * sizeof *rows);
    logs *known = calloc(1, sizeof *known);
    int status = PW_NO_MEMORY;
    if (columns == NULL || rows == NULL || known == NULL) goto end;
    status = PW_OK;
    known->fraction_bits = fraction_bits;
    totals now;
    start(labels, n, n_labels, columns, rows, &now);
    int64_t k = 0;
    for (int64_t s = 0; s < n_states; s++) {
        for (; k < n_merges && state[k] <= s; k++) {
            if (k % (PW_POLL_ITEMS / 8) == 0 && pw_stop(poll)) {
                status = PW_STOPPED;
                goto end;
            }
            if (k + AHEAD < n_merges) {
                __builtin_prefetch(columns + left[k + AHEAD]);
                __builtin_prefetch(columns + right[k + AHEAD]);
            }
            const column p = columns[left[k]], q = columns[right[k]];
            column *joined = columns + n + k;
            now.all_clusters--;
            if (p.size == 0 || q.size == 0) { /* no two labelled items come together */
                *joined = p.size == 0 ? q : p;
                continue;
            }
            *joined = (column){.squares = p.squares + q.squares,
                               .size = p.size + q.size,
                               .maximum = p.maximum > q.maximum ? p.maximum : q.maximum};
            for (int64_t e = events->ends[k]; e < events->ends[k + 1]; e++) {
                if (e + AHEAD < events->n_events)
                    __builtin_prefetch(rows + events->rows[e + AHEAD], 1);
                join_cells(rows + events->rows[e], events->before[e], events->after[e], known,
                           curves, joined, &now);
            }
            now.clusters--;
            now.col_squares += 2 * (pw_u128)(uint64_t)p.size * (uint64_t)q.size;
            if (curves->col_xlogx[0] != NULL)
                now.col_xlogx +=
                    xlogx(known, joined->size) - xlogx(known, p.size) - xlogx(known, q.size);
            if (joined->size > now.largest) now.largest = joined->size;
            now.col_maxima += joined->maximum - p.maximum - q.maximum;
            now.matches += joined->matches - p.matches - q.matches;
            if (curves->by_col[0] != NULL)
                now.by_col += pw_mean_square(joined->squares, joined->size) -
                              pw_mean_square(p.squares, p.size) - pw_mean_square(q.squares, q.size);
        }
        put_state(curves, s, &now);
    }
end:
    free(columns);
    free(rows);
    free(known);
    return status;
}

/* ---- merges -------------------------------------------------------------------------- */

int pw_sweep_edges(int64_t n, const int64_t *first, const int64_t *second, int64_t n_edges,
                   int64_t *left, int64_t *right, int64_t *used, int64_t *n_merges,
                   const pw_poll *poll) {
    *n_merges = 0;
    if (n == 0) return PW_OK;
    int64_t *parent = malloc((size_t)n * sizeof *parent);
    int64_t *cluster = malloc((size_t)n * sizeof *cluster); /* of a root */
    if (parent == NULL || cluster == NULL) {
        free(parent);
        free(cluster);
        return PW_NO_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) {
        parent[i] = i;
        cluster[i] = i;
    }
    int64_t merges = 0;
    int status = PW_OK;
    for (int64_t e = 0; e < n_edges && merges < n - 1; e++) {
        if (e % PW_POLL_ITEMS == PW_POLL_ITEMS - 1 && pw_stop(poll)) {
            status = PW_STOPPED;
            break;
        }
        int64_t a = first[e], b = second[e];
        while (parent[a] != a) a = parent[a] = parent[parent[a]];
        while (parent[b] != b) b = parent[b] = parent[parent[b]];
        if (a == b) continue;
        left[merges] = cluster[a];
        right[merges] = cluster[b];
        used[merges] = e;
        if (a < b) { /* by number rather than size: halving keeps paths short */
            parent[b] = a;
            cluster[a] = n + merges;
        } else {
            parent[a] = b;
            cluster[b] = n + merges;
        }
        merges++;
    }
    *n_merges = merges;
    free(parent);
    free(cluster);
    return status;
}

int pw_sweep_clusters(int64_t n, const int64_t *left, const int64_t *right, int64_t n_merges,
                      int64_t *clusters) {
    int64_t *top = malloc((size_t)(n + n_merges + 1) * sizeof *top);
    if (top == NULL) return PW_NO_MEMORY;
    for (int64_t c = 0; c < n + n_merges; c++) top[c] = c;
    for (int64_t k = n_merges - 1; k >= 0; k--) {
        top[left[k]] = top[n + k];
        top[right[k]] = top[n + k];
    }
    memcpy(clusters, top, (size_t)n * sizeof *clusters);
    free(top);
    return PW_OK;
}

void pw_sweep_sizes(int64_t n, const int64_t *left, const int64_t *right, int64_t n_merges,
                    int64_t *sizes) {
    for (int64_t k = 0; k < n_merges; k++) sizes[n + k] = sizes[left[k]] + sizes[right[k]];
}

void pw_sweep_subtrees(int64_t n, const int64_t *left, const int64_t *right, const double *heights,
                       int64_t n_merges, int64_t *first, double *highest) {
    for (int64_t i = 0; i < n; i++) first[i] = i;
    for (int64_t k = 0; k < n_merges; k++) {
        const int64_t parts[2] = {left[k], right[k]};
        highest[k] = heights[k];
        for (int i = 0; i < 2; i++) {
            const int64_t m = parts[i] - n;
            if (m >= 0 && highest[m] > highest[k]) highest[k] = highest[m];
        }
        first[n + k] = first[left[k]];
    }
}
