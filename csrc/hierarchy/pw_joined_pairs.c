/* Which merge of b joins the pairs of items that each merge of a joins.
 *
 * The items of a cluster of a are a list in the order of b's leaves; between neighbours stands the
 * merge of b that joins them, the largest of those between them. The gaps of a list nest like a
 * Cartesian tree (J. Vuillemin, "A unifying look at data structures", 1980), which a stack walks:
 * at each of its nodes, the items of either half of a's cluster on either side tell how many pairs
 * the two merges join. Then the list is parted, in place, into those of the two halves. The lists
 * of all clusters that have not been parted yet fill one array. */
#include <stdlib.h>

#include "pw_hierarchy.h"
#include "pw_leaves.h"

typedef struct {
    int64_t gap;
    int64_t lefts; /* items of the left half of a's cluster */
    int64_t rights;
} branch;

typedef struct {
    int64_t n;
    pw_intervals a;
    int64_t *item; /* place among the leaves of a, cluster by cluster, by the leaves of b */
    int64_t *gap;  /* the merge of b between an item and the next one */
    int64_t *spare_item, *spare_gap;
    branch *stack;
    int64_t *merges;  /* merges of b that join pairs of the cluster that was parted last, */
    int64_t *counts;  /* how many, */
    int64_t n_joined; /* and for how many merges */
} parting;

static void parting_free(parting *of) {
    pw_intervals_free(&of->a);
    free(of->item);
    free(of->gap);
    free(of->spare_item);
    free(of->spare_gap);
    free(of->stack);
    free(of->merges);
    free(of->counts);
}

/* All items as one list. To be freed, also after failure. */
static int parting_begin(parting *of, int64_t n, const int64_t *left_a, const int64_t *right_a,
                         const int64_t *left_b, const int64_t *right_b) {
    const size_t bytes = (size_t)n * sizeof(int64_t);
    pw_intervals b = {NULL, NULL};
    *of = (parting){.n = n};
    of->item = malloc(bytes);
    of->gap = malloc(bytes);
    of->spare_item = malloc(bytes);
    of->spare_gap = malloc(bytes);
    of->stack = malloc((size_t)n * sizeof *of->stack);
    of->merges = malloc(bytes);
    of->counts = malloc(bytes);
    int status = PW_NO_MEMORY;
    if (of->item == NULL || of->gap == NULL || of->spare_item == NULL || of->spare_gap == NULL ||
        of->stack == NULL || of->merges == NULL || of->counts == NULL)
        goto end;
    if (pw_intervals_of(n, left_a, right_a, &of->a) != PW_OK) goto end;
    if (pw_intervals_of(n, left_b, right_b, &b) != PW_OK) goto end;
    status = PW_OK;
    for (int64_t i = 0; i < n; i++) of->item[b.start[i]] = of->a.start[i];
    for (int64_t s = 0; s < n - 1; s++) of->gap[b.start[right_b[s]] - 1] = s;
end:
    pw_intervals_free(&b);
    return status;
}

static inline void joined(parting *of, const branch *before, int64_t lefts, int64_t rights) {
    const int64_t pairs = before->lefts * rights + before->rights * lefts;
    if (pairs == 0) return;
    of->merges[of->n_joined] = before->gap;
    of->counts[of->n_joined++] = pairs;
}

/* Parts the list of cluster n + s, and lists which merges of b join its pairs. */
static void part(parting *of, const int64_t *left, int64_t s) {
    const int64_t first = of->a.start[of->n + s], size = of->a.size[of->n + s];
    const int64_t border = first + of->a.size[left[s]]; /* places of the left half end here */
    int64_t *item = of->item + first, *gap = of->gap + first;
    of->n_joined = 0;
    if (size == 2) {
        of->merges[0] = gap[0];
        of->counts[0] = 1;
        of->n_joined = 1;
        return;
    }
    branch *stack = of->stack;
    int64_t depth = 0, n_lefts = 0, n_rights = 0;
    int64_t since_left = -1, since_right = -1; /* the largest gap since the last item of a half */
    for (int64_t j = 0; j < size; j++) {
        const int64_t place = item[j], next = gap[j];
        const int is_left = place < border;
        int64_t lefts = is_left, rights = !is_left;
        if (is_left) {
            if (n_lefts > 0) gap[n_lefts - 1] = since_left;
            item[n_lefts++] = place;
            since_left = -1;
        } else {
            if (n_rights > 0) of->spare_gap[n_rights - 1] = since_right;
            of->spare_item[n_rights++] = place;
            since_right = -1;
        }
        const int64_t now = j + 1 < size ? next : INT64_MAX;
        while (depth > 0 && stack[depth - 1].gap < now) {
            depth--;
            joined(of, stack + depth, lefts, rights);
            lefts += stack[depth].lefts;
            rights += stack[depth].rights;
        }
        stack[depth++] = (branch){now, lefts, rights};
        if (now > since_left) since_left = now;
        if (now > since_right) since_right = now;
    }
    for (int64_t j = 0; j < n_rights; j++) {
        item[n_lefts + j] = of->spare_item[j];
        gap[n_lefts + j] = of->spare_gap[j]; /* the last one is never read */
    }
}

int pw_pair_sums(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *left_b,
                 const int64_t *right_b, const int64_t *weights, uint64_t *low, int64_t *high,
                 const pw_poll *poll) {
    parting now;
    int status = parting_begin(&now, n, left_a, right_a, left_b, right_b);
    if (status != PW_OK) goto end;
    int64_t parted = 0;
    for (int64_t s = n - 2; s >= 0; s--) {
        part(&now, left_a, s);
        pw_i128 sum = 0;
        for (int64_t e = 0; e < now.n_joined; e++)
            sum += (pw_i128)weights[now.merges[e]] * now.counts[e];
        low[s] = (uint64_t)sum;
        high[s] = (int64_t)(sum >> 64);
        parted += now.a.size[n + s];
        if (parted >= PW_POLL_ITEMS) {
            parted = 0;
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                goto end;
            }
        }
    }
end:
    parting_free(&now);
    return status;
}

/* ---- orders ------------------------------------------------------------------------- */

/* Counts by level whose sums up to a level are O(log n) (P. M. Fenwick, "A new data structure for
 * cumulative frequency tables", 1994). tree[0] is not used. */
static int64_t sum_below(const int64_t *tree, int64_t level) {
    int64_t sum = 0;
    for (int64_t i = level; i > 0; i -= i & -i) sum += tree[i];
    return sum;
}

static void add_at(int64_t *tree, int64_t n_levels, int64_t level, int64_t count) {
    for (int64_t i = level + 1; i <= n_levels; i += i & -i) tree[i] += count;
}

int pw_pair_orders(int64_t n, const int64_t *left_a, const int64_t *right_a, const int64_t *level_a,
                   const int64_t *left_b, const int64_t *right_b, const int64_t *level_b,
                   int64_t n_levels, uint64_t *counts, const pw_poll *poll) {
    parting now;
    int64_t *tree = calloc((size_t)(n_levels + 1), sizeof *tree);
    int64_t *own = calloc((size_t)(n_levels + 1), sizeof *own); /* pairs of this level of a */
    int64_t *levels = malloc((size_t)(n_levels + 1) * sizeof *levels);
    int status = parting_begin(&now, n, left_a, right_a, left_b, right_b);
    if (tree == NULL || own == NULL || levels == NULL) status = PW_NO_MEMORY;
    if (status != PW_OK) goto end;
    pw_u128 same = 0, opposite = 0;
    int64_t before = 0, parted = 0, n_own = 0; /* before: pairs of higher levels of a */
    for (int64_t s = n - 2; s >= 0; s--) {
        part(&now, left_a, s);
        for (int64_t e = 0; e < now.n_joined; e++) {
            const int64_t level = level_b[now.merges[e]];
            if (own[level] == 0) levels[n_own++] = level;
            own[level] += now.counts[e];
        }
        parted += now.a.size[n + s];
        if (parted >= PW_POLL_ITEMS / 8) {
            parted = 0;
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                goto end;
            }
        }
        if (s > 0 && level_a[s - 1] == level_a[s]) continue;
        for (int64_t e = 0; e < n_own; e++) {
            const int64_t level = levels[e];
            const int64_t below = sum_below(tree, level);
            const int64_t above = before - sum_below(tree, level + 1);
            same += (pw_u128)(uint64_t)own[level] * (uint64_t)above;
            opposite += (pw_u128)(uint64_t)own[level] * (uint64_t)below;
        }
        for (int64_t e = 0; e < n_own; e++) {
            const int64_t level = levels[e];
            add_at(tree, n_levels, level, own[level]);
            before += own[level];
            own[level] = 0;
        }
        n_own = 0;
    }
    counts[0] = (uint64_t)same;
    counts[1] = (uint64_t)(same >> 64);
    counts[2] = (uint64_t)opposite;
    counts[3] = (uint64_t)(opposite >> 64);
end:
    parting_free(&now);
    free(tree);
    free(own);
    free(levels);
    return status;
}
