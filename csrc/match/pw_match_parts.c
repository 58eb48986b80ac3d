/* Where a matching is hard and the table falls apart, components are solved one by one.
 *
 * No pair is ever made across components, so the best pairs of each are the best of all. A
 * component is a smaller problem, where a cell costs less, and threads can have some each. Whether
 * a table is taken apart depends on the table alone, so the pairs are the same for any number of
 * threads.
 */
#include "pw_match_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_join.h"
#include "pw_match.h"
#include "pw_radix.h"

int64_t pw_match_budget(const pw_match_scans *scans, int64_t n_rows, int64_t n_cols,
                        int64_t n_cells) {
    /* in doubles: the product of the sides may not fit */
    const int dense = 16.0 * (double)n_cells >= (double)n_rows * (double)n_cols;
    return scans->least + (dense ? scans->per_cell_dense : scans->per_cell) * n_cells;
}

void pw_match_parts_free(pw_match_parts *parts) {
    free(parts->row_starts);
    free(parts->col_starts);
    free(parts->cell_starts);
    free(parts->rows);
    free(parts->cols);
    free(parts->indptr);
    free(parts->ends);
    free(parts->gains);
    *parts = (pw_match_parts){0};
}

static int64_t *room_for(int64_t n) {
    return malloc((size_t)(n + 1) * sizeof(int64_t));
}

/* starts[i] = how many nodes lie in components before i. */
static void count_nodes(const int64_t *component, int64_t n, int64_t *starts, int64_t k) {
    memset(starts, 0, (size_t)(k + 1) * sizeof *starts);
    for (int64_t v = 0; v < n; v++) starts[component[v] + 1]++;
    for (int64_t i = 0; i < k; i++) starts[i + 1] += starts[i];
}

/* Lists the nodes component by component; starts is left as it was. place[v], where wanted: which
 * of its component node v is. */
static void list_nodes(const int64_t *component, int64_t n, int64_t *starts, int64_t k,
                       int64_t *nodes, int64_t *place) {
    for (int64_t v = 0; v < n; v++) nodes[starts[component[v]]++] = v;
    memmove(starts + 1, starts, (size_t)k * sizeof *starts);
    starts[0] = 0;
    if (place == NULL) return;
    for (int64_t i = 0; i < k; i++)
        for (int64_t at = starts[i]; at < starts[i + 1]; at++) place[nodes[at]] = at - starts[i];
}

static void copy_cells(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                       const int64_t *place, const pw_match_parts *to) {
    int64_t at = 0;
    for (int64_t i = 0; i < to->n; i++) {
        const int64_t first = at;
        int64_t *own = to->indptr + to->row_starts[i] + i;
        *own++ = 0;
        for (int64_t j = to->row_starts[i]; j < to->row_starts[i + 1]; j++) {
            const int64_t row = to->rows[j];
            for (int64_t c = indptr[row]; c < indptr[row + 1]; c++, at++) {
                to->ends[at] = place[cols[c]];
                to->gains[at] = gains[c];
            }
            *own++ = at - first;
        }
        to->cell_starts[i + 1] = at;
    }
}

/* Cells of the largest component. */
static int64_t largest_of(const int64_t *indptr, const int64_t *row_component, int64_t n_rows,
                          int64_t *cells, int64_t k) {
    memset(cells, 0, (size_t)(k + 1) * sizeof *cells);
    int64_t largest = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t *own = cells + row_component[r];
        *own += indptr[r + 1] - indptr[r];
        largest = *own > largest ? *own : largest;
    }
    return largest;
}

int pw_match_take_apart(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                        int64_t n_rows, int64_t n_cols, pw_match_parts *to, const pw_poll *poll) {
    *to = (pw_match_parts){0};
    const int64_t n_cells = indptr[n_rows];
    int64_t *row_component = room_for(n_rows);
    int64_t *col_component = calloc((size_t)n_cols + 1, sizeof *col_component);
    int64_t *place = room_for(n_cols);
    int64_t k = 0;
    int status = PW_NO_MEMORY;
    if (row_component == NULL || col_component == NULL || place == NULL) goto end;
    /* columns without cells keep component 0, where they do no harm */
    status = pw_join(indptr, cols, n_rows, n_cols, row_component, col_component, &k, poll);
    if (status != PW_OK) goto end;
    to->cell_starts = room_for(k);
    status = to->cell_starts == NULL ? PW_NO_MEMORY : PW_OK;
    if (status != PW_OK ||
        largest_of(indptr, row_component, n_rows, to->cell_starts, k) > n_cells - n_cells / 4) {
        pw_match_parts_free(to);
        goto end;
    }
    to->n = k;
    to->row_starts = room_for(k);
    to->col_starts = room_for(k);
    to->rows = room_for(n_rows);
    to->cols = room_for(n_cols);
    to->indptr = room_for(n_rows + k);
    to->ends = room_for(n_cells);
    to->gains = room_for(n_cells);
    if (!to->row_starts || !to->col_starts || !to->rows || !to->cols || !to->indptr || !to->ends ||
        !to->gains) {
        status = PW_NO_MEMORY;
        pw_match_parts_free(to);
        goto end;
    }
    count_nodes(row_component, n_rows, to->row_starts, k);
    count_nodes(col_component, n_cols, to->col_starts, k);
    list_nodes(row_component, n_rows, to->row_starts, k, to->rows, NULL);
    list_nodes(col_component, n_cols, to->col_starts, k, to->cols, place);
    to->cell_starts[0] = 0;
    copy_cells(indptr, cols, gains, place, to);
end:
    free(row_component);
    free(col_component);
    free(place);
    return status;
}

int pw_match_deal(const pw_match_parts *parts, int workers, uint8_t *owners) {
    pw_pair *order = malloc((size_t)(parts->n + 1) * sizeof *order);
    if (order == NULL) return PW_NO_MEMORY;
    const int64_t n_cells = parts->cell_starts[parts->n];
    for (int64_t i = 0; i < parts->n; i++) {
        const int64_t cells = parts->cell_starts[i + 1] - parts->cell_starts[i];
        order[i] = (pw_pair){(uint64_t)(n_cells - cells), i};
    }
    const int status = pw_sort_pairs(order, parts->n, pw_bits((uint64_t)n_cells), NULL);
    double work[UINT8_MAX + 1] = {0.0};
    for (int64_t i = 0; i < parts->n && status == PW_OK; i++) {
        const double cells = (double)(n_cells - (int64_t)order[i].key);
        int least = 0;
        for (int w = 1; w < workers; w++) least = work[w] < work[least] ? w : least;
        /* a cell costs the more, the more there are */
        work[least] += cells * sqrt(cells);
        owners[order[i].value] = (uint8_t)least;
    }
    free(order);
    return status;
}

/* Solves component i in its own numbers, and writes what comes out in those of the table. */
static int solve(const pw_match_parts *parts, int64_t i, const int64_t *indptr, int tied,
                 const pw_match_scans *scans, int64_t *room, int64_t *match, int64_t *row_duals,
                 int64_t *col_duals, const pw_poll *poll) {
    const int64_t *rows = parts->rows + parts->row_starts[i];
    const int64_t *cols = parts->cols + parts->col_starts[i];
    const int64_t n_rows = parts->row_starts[i + 1] - parts->row_starts[i];
    const int64_t n_cols = parts->col_starts[i + 1] - parts->col_starts[i];
    const int64_t first = parts->cell_starts[i];
    const int64_t budget =
        pw_match_budget(scans, n_rows, n_cols, parts->cell_starts[i + 1] - first);
    const int64_t *own = parts->indptr + parts->row_starts[i] + i;
    int64_t *own_rows = room + n_rows, *own_cols = room + 2 * n_rows;
    const int status = pw_match(own, parts->ends + first, parts->gains + first, n_rows, n_cols,
                                tied, budget, NULL, room, own_rows, own_cols, poll);
    if (status != PW_OK) return status;
    for (int64_t r = 0; r < n_rows; r++) {
        match[rows[r]] = room[r] < 0 ? -1 : indptr[rows[r]] + room[r] - own[r];
        row_duals[rows[r]] = own_rows[r];
    }
    for (int64_t c = 0; c < n_cols; c++) col_duals[cols[c]] = own_cols[c];
    return PW_OK;
}

int pw_match_components(const pw_match_parts *parts, const int64_t *indptr, const uint8_t *owners,
                        int worker, int tied, const pw_match_scans *scans, int64_t *match,
                        int64_t *row_duals, int64_t *col_duals, const pw_poll *poll) {
    int64_t most = 0;
    for (int64_t i = 0; i < parts->n; i++) {
        const int64_t n_rows = parts->row_starts[i + 1] - parts->row_starts[i];
        const int64_t n_cols = parts->col_starts[i + 1] - parts->col_starts[i];
        most = 2 * n_rows + n_cols > most ? 2 * n_rows + n_cols : most;
    }
    int64_t *room = room_for(most);
    int status = room == NULL ? PW_NO_MEMORY : PW_OK;
    int64_t unasked = 0;
    for (int64_t i = 0; i < parts->n && status == PW_OK; i++) {
        if (owners[i] != worker) continue;
        status = solve(parts, i, indptr, tied, scans, room, match, row_duals, col_duals, poll);
        unasked += parts->cell_starts[i + 1] - parts->cell_starts[i];
        if (unasked > PW_POLL_ITEMS / 64) {
            unasked = 0;
            if (status == PW_OK && pw_stop(poll)) status = PW_STOPPED;
        }
    }
    free(room);
    return status;
}
