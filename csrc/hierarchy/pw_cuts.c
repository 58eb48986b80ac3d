/* The cuts of two hierarchies into equally many clusters, all of them.
 *
 * pw_cut_overlaps goes from the coarsest cut to the finest. All items begin in one cell. To undo a
 * merge is to take the smaller of its two clusters out of every cell it has items in: a refinement
 * of a partition by a set (R. Paige and R. E. Tarjan, "Three partition refinement algorithms",
 * 1987), whose items stand side by side in the order of the leaves. No cell is looked up by its two
 * clusters, so that nothing is hashed, and there are never more cells than items.
 *
 * An item that is alone in its cell stays so. Whenever three of four items are, the others move
 * together: the finest cuts then pass over what fits the cache. */
#include <stdlib.h>
#include <string.h>

#include "pw_hierarchy.h"
#include "pw_leaves.h"

/* The items that are left, at most one of FEWER of those before. */
#define FEWER 4

typedef struct {
    uint32_t count; /* items */
    uint32_t taken; /* of them, by the cluster that is taken out */
    uint32_t next;  /* the cell of those */
} cell_state;

/* A side: for each merge the leaves of its smaller cluster, and where the items that are left stand
 * that were before each leaf. */
typedef struct {
    uint32_t *first; /* by merge */
    uint32_t *size;
    uint32_t *left_before; /* by leaf, and of all */
} cut_side;

/* The items that are left have numbers in the order of a's leaves. */
typedef struct {
    cut_side a, b;
    uint32_t *order_b; /* the items in the order of b's leaves */
    uint32_t *cell;
    cell_state *cells;
    uint32_t *touched;
    uint32_t *number_a, *number_b; /* of items and places, where some are left out */
    uint32_t n_left, n_cells, n_alone;
    int64_t together;
} refinement;

static int side_begin(cut_side *of, int64_t n, const int64_t *left, const int64_t *right,
                      uint32_t *leaf_of_item) {
    const size_t bytes = (size_t)n * sizeof(uint32_t);
    pw_intervals at = {NULL, NULL};
    of->first = malloc(bytes);
    of->size = malloc(bytes);
    of->left_before = malloc(bytes + sizeof(uint32_t));
    int status = PW_NO_MEMORY;
    if (of->first == NULL || of->size == NULL || of->left_before == NULL) goto end;
    status = pw_intervals_of(n, left, right, &at);
    if (status != PW_OK) goto end;
    for (int64_t s = 0; s < n - 1; s++) {
        if (s + PW_AHEAD < n - 1) {
            __builtin_prefetch(at.size + left[s + PW_AHEAD]);
            __builtin_prefetch(at.start + left[s + PW_AHEAD]);
        }
        const int64_t whole = at.size[n + s], part = at.size[left[s]], start = at.start[left[s]];
        const int left_is_small = 2 * part < whole;
        of->first[s] = (uint32_t)(left_is_small ? start : start + part);
        of->size[s] = (uint32_t)(left_is_small ? part : whole - part);
    }
    for (int64_t p = 0; p <= n; p++) of->left_before[p] = (uint32_t)p;
    for (int64_t i = 0; i < n; i++) leaf_of_item[i] = (uint32_t)at.start[i];
end:
    pw_intervals_free(&at);
    return status;
}

static void side_free(cut_side *of) {
    free(of->first);
    free(of->size);
    free(of->left_before);
}

/* Takes items out of their cells: items[0 .. size), or first, first + 1, ... where items is NULL.
 */
static void take_out(refinement *now, const uint32_t *items, uint32_t first, uint32_t size) {
    cell_state *cells = now->cells;
    if (size == 1) {
        const uint32_t item = items == NULL ? first : items[0];
        cell_state *from = cells + now->cell[item];
        if (from->count == 1) return;
        from->count--;
        now->together -= 2 * (int64_t)from->count;
        now->n_alone += 1 + (from->count == 1);
        cells[now->n_cells] = (cell_state){.count = 1};
        now->cell[item] = now->n_cells++;
        return;
    }
    uint32_t n_touched = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (items != NULL && i + PW_AHEAD < size)
            __builtin_prefetch(now->cell + items[i + PW_AHEAD], 1);
        const uint32_t c = now->cell[items == NULL ? first + i : items[i]];
        if (cells[c].taken++ == 0) now->touched[n_touched++] = c;
    }
    int split = 0;
    for (uint32_t t = 0; t < n_touched; t++) {
        const uint32_t c = now->touched[t], taken = cells[c].taken;
        cells[c].taken = 0;
        cells[c].next = c;
        if (taken == cells[c].count) continue;
        split = 1;
        const uint32_t others = cells[c].count -= taken;
        now->together -= 2 * (int64_t)taken * others;
        now->n_alone += (taken == 1) + (others == 1);
        cells[c].next = now->n_cells;
        cells[now->n_cells++] = (cell_state){.count = taken};
    }
    if (!split) return;
    for (uint32_t i = 0; i < size; i++) {
        if (items != NULL && i + PW_AHEAD < size)
            __builtin_prefetch(now->cell + items[i + PW_AHEAD], 1);
        uint32_t *of = now->cell + (items == NULL ? first + i : items[i]);
        *of = cells[*of].next;
    }
}

/* Leaves out the items that are alone, and their cells. */
static void gather(refinement *now, int64_t n) {
    uint32_t *number = now->number_a, *number_b = now->number_b, *cell_number = now->touched;
    uint32_t n_cells = 0, kept = 0, kept_b = 0;
    for (uint32_t c = 0; c < now->n_cells; c++) {
        cell_number[c] = n_cells;
        if (now->cells[c].count > 1) now->cells[n_cells++] = now->cells[c];
    }
    for (uint32_t item = 0; item < now->n_left; item++) {
        const uint32_t c = now->cell[item],
                       next = c + 1 < now->n_cells ? cell_number[c + 1] : n_cells;
        number[item] = kept;
        if (next > cell_number[c]) now->cell[kept++] = cell_number[c];
    }
    number[now->n_left] = kept;
    for (uint32_t p = 0; p < now->n_left; p++) {
        const uint32_t item = now->order_b[p];
        number_b[p] = kept_b;
        if (number[item + 1] > number[item]) now->order_b[kept_b++] = number[item];
    }
    number_b[now->n_left] = kept;
    for (int64_t p = 0; p <= n; p++) {
        now->a.left_before[p] = number[now->a.left_before[p]];
        now->b.left_before[p] = number_b[now->b.left_before[p]];
    }
    now->n_left = kept;
    now->n_cells = n_cells;
    now->n_alone = 0;
}

static int begin(refinement *now, int64_t n, const int64_t *left_a, const int64_t *right_a,
                 const int64_t *left_b, const int64_t *right_b) {
    const size_t bytes = ((size_t)n + 1) * sizeof(uint32_t);
    *now = (refinement){.n_left = (uint32_t)n, .n_cells = 1, .together = n * (n - 1)};
    now->order_b = malloc(bytes);
    now->cell = calloc((size_t)n, sizeof *now->cell);
    now->cells = calloc((size_t)n, sizeof *now->cells);
    now->touched = malloc(bytes);
    now->number_a = malloc(bytes);
    now->number_b = malloc(bytes);
    if (now->order_b == NULL || now->cell == NULL || now->cells == NULL || now->touched == NULL ||
        now->number_a == NULL || now->number_b == NULL)
        return PW_NO_MEMORY;
    int status = side_begin(&now->a, n, left_a, right_a, now->number_a);
    if (status == PW_OK) status = side_begin(&now->b, n, left_b, right_b, now->number_b);
    if (status != PW_OK) return status;
    for (int64_t i = 0; i < n; i++) now->order_b[now->number_b[i]] = now->number_a[i];
    now->cells[0].count = (uint32_t)n;
    return PW_OK;
}

int pw_cut_overlaps(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *left_b,
                    const int64_t *right_b, int64_t *together, const pw_poll *poll) {
    refinement now;
    int status = begin(&now, n, left_a, right_a, left_b, right_b);
    if (status != PW_OK) goto end;
    int64_t moved = 0, s = n - 1;
    together[s] = now.together;
    while (s-- > 0 && now.together > 0) {
        if (s >= PW_AHEAD) {
            __builtin_prefetch(now.a.left_before + now.a.first[s - PW_AHEAD]);
            __builtin_prefetch(now.b.left_before + now.b.first[s - PW_AHEAD]);
        }
        const uint32_t first_a = now.a.first[s], first_b = now.b.first[s];
        const uint32_t from_a = now.a.left_before[first_a], from_b = now.b.left_before[first_b];
        const uint32_t size_a = now.a.left_before[first_a + now.a.size[s]] - from_a;
        const uint32_t size_b = now.b.left_before[first_b + now.b.size[s]] - from_b;
        if (size_a > 0) take_out(&now, NULL, from_a, size_a);
        if (size_b > 0) take_out(&now, now.order_b + from_b, 0, size_b);
        together[s] = now.together;
        if (now.n_alone > now.n_left / FEWER * (FEWER - 1)) gather(&now, n);
        moved += (int64_t)size_a + size_b;
        if (moved >= PW_POLL_ITEMS) {
            moved = 0;
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                goto end;
            }
        }
    }
    /* all cells have one item */
    if (s >= 0) memset(together, 0, (size_t)(s + 1) * sizeof *together);
end:
    side_free(&now.a);
    side_free(&now.b);
    free(now.order_b);
    free(now.cell);
    free(now.cells);
    free(now.touched);
    free(now.number_a);
    free(now.number_b);
    return status;
}

int pw_cut_moments(int64_t n, const int64_t *left, const int64_t *right, int64_t *pairs,
                   double *rows, double *rest) {
    int64_t *size = malloc((size_t)(2 * n - 1) * sizeof *size);
    if (size == NULL) return PW_NO_MEMORY;
    for (int64_t i = 0; i < n; i++) size[i] = 1;
    int64_t two = 0;   /* P */
    pw_i128 three = 0; /* P3 */
    for (int64_t s = 0; s < n; s++) {
        const pw_i128 square = (pw_i128)two * two;
        pairs[s] = two;
        rows[s] = (double)((three + two) * n - square);
        rest[s] = (double)(((pw_i128)two * (n - 4) - 2 * three) * (n - 1) + square);
        if (s == n - 1) break;
        if (s + PW_AHEAD < n - 1) {
            __builtin_prefetch(size + left[s + PW_AHEAD]);
            __builtin_prefetch(size + right[s + PW_AHEAD]);
        }
        const int64_t x = size[left[s]], y = size[right[s]];
        size[n + s] = x + y;
        two += 2 * x * y;
        three += (pw_i128)(3 * x) * y * (x + y - 2);
    }
    free(size);
    return PW_OK;
}
