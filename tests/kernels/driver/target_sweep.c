/* Every state of a series of merges against tables made anew, and the search of consensus. */
#include "pw_consensus.h"
#include "pw_logarithm.h"
#include "pw_ratios.h"
#include "pw_sweep.h"
#include "pw_sweep_scores.h"
#include "tables.h"

/* pw_consensus_state.h has a fraction of this name too, so this is not pw_sums.h's */
int pw_split_scores(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, int fraction_bits, int64_t *row_scores, int64_t *col_scores,
                    const pw_poll *poll);

#define ITEMS_MOST 40
#define ONE ((int64_t)1 << 62)

typedef struct {
    int64_t n;
    int64_t n_labels;
    int64_t *labels;
    int64_t n_merges;
    int64_t *left;
    int64_t *right;
    int64_t n_states;
    int64_t *state;
} series;

/* Merges of random clusters, some at the same state. */
static series take_series(driver_input *in) {
    series s = {.n = take_between(in, 0, ITEMS_MOST)};
    s.n_labels = take_between(in, 1, 8);
    s.labels = new_int64s(s.n);
    const int unlabelled = take_byte(in) % 4 == 0;
    /* every label occurs: a new one is the next */
    int64_t used = 0;
    for (int64_t i = 0; i < s.n; i++) {
        s.labels[i] = take_between(in, unlabelled ? -1 : 0, s.n_labels - 1);
        if (s.labels[i] >= used) s.labels[i] = used++;
    }
    s.n_labels = used;
    s.n_merges = s.n > 1 ? take_between(in, 0, s.n - 1) : 0;
    s.left = new_int64s(s.n_merges);
    s.right = new_int64s(s.n_merges);
    s.state = new_int64s(s.n_merges);
    int64_t *roots = new_int64s(s.n + s.n_merges);
    int64_t n_roots = s.n;
    const int chain = take_byte(in) % 3 == 0;
    for (int64_t i = 0; i < s.n; i++) roots[i] = i;
    s.n_states = take_between(in, 1, 3);
    for (int64_t k = 0; k < s.n_merges; k++) {
        const int64_t first = chain ? n_roots - 1 : (int64_t)take_below(in, (uint64_t)n_roots);
        s.left[k] = roots[first];
        roots[first] = roots[--n_roots];
        const int64_t second = (int64_t)take_below(in, (uint64_t)n_roots);
        s.right[k] = roots[second];
        roots[second] = s.n + k;
        if (chain) {
            roots[second] = roots[n_roots - 1];
            roots[n_roots - 1] = s.n + k;
        }
        s.state[k] = s.n_states - 1;
        if (take_byte(in) % 2 == 0) s.n_states += take_between(in, 1, 2);
    }
    return s;
}

/* The cluster of each item after the merges up to a state, numbered by first item. */
static int64_t clusters_at(const series *s, int64_t n_merges, int64_t *clusters) {
    int64_t *of = new_int64s(s->n);
    for (int64_t i = 0; i < s->n; i++) of[i] = i;
    for (int64_t k = 0; k < n_merges; k++)
        for (int64_t i = 0; i < s->n; i++)
            if (of[i] == s->left[k] || of[i] == s->right[k]) of[i] = s->n + k;
    int64_t used = 0;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t before = 0;
        while (of[before] != of[i]) before++;
        clusters[i] = before < i ? clusters[before] : used++;
    }
    return used;
}

typedef struct {
    pw_events events;
    pw_curves curves;
} sweep;

static void check_state(const series *s, const sweep *own, int64_t state, double product,
                        double mean) {
    int64_t merges = 0;
    while (merges < s->n_merges && s->state[merges] <= state) merges++;
    int64_t *clusters = new_int64s(s->n);
    const int64_t k = clusters_at(s, merges, clusters);
    int64_t *again = new_int64s(s->n);
    int status;
    KERNEL_PLAIN(status, pw_sweep_clusters(s->n, s->left, s->right, merges, again));
    CHECK(status == PW_OK);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < i; j++)
            CHECK((again[i] == again[j]) == (clusters[i] == clusters[j]));
    /* the table of labelled items, without empty rows and columns */
    int64_t *row = new_int64s(s->n_labels), *col = new_int64s(k);
    int64_t n_rows = 0, n_cols = 0, n = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->labels[i] < 0) continue;
        n++;
        if (row[s->labels[i]] == 0) row[s->labels[i]] = ++n_rows;
        if (col[clusters[i]] == 0) col[clusters[i]] = ++n_cols;
    }
    int64_t *matrix = new_int64s(n_rows * n_cols);
    for (int64_t i = 0; i < s->n; i++)
        if (s->labels[i] >= 0) matrix[(row[s->labels[i]] - 1) * n_cols + col[clusters[i]] - 1]++;
    const driver_table t = table_of_matrix(matrix, n_rows, n_cols);
    const pw_curves *c = &own->curves;
    CHECK(c->cells[state] == t.n_cells);
    CHECK(c->clusters[state] == n_cols);
    CHECK(c->all_clusters[state] == k);
    int64_t largest = 0, squares = 0, col_squares = 0, row_maxima = 0, col_maxima = 0, matches = 0;
    pw_u128 xlogx = 0, col_xlogx = 0;
    for (int64_t j = 0; j < t.n_cells; j++) {
        squares += t.counts[j] * t.counts[j];
        xlogx += pw_xlogx((uint64_t)t.counts[j], 64);
    }
    for (int64_t j = 0; j < n_cols; j++) {
        int64_t most = 0;
        largest = t.col_sizes[j] > largest ? t.col_sizes[j] : largest;
        col_squares += t.col_sizes[j] * t.col_sizes[j];
        col_xlogx += pw_xlogx((uint64_t)t.col_sizes[j], 64);
        for (int64_t r = 0; r < n_rows; r++)
            most = matrix[r * n_cols + j] > most ? matrix[r * n_cols + j] : most;
        col_maxima += most;
    }
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t most = 0;
        for (int64_t j = 0; j < n_cols; j++) {
            const int64_t count = matrix[r * n_cols + j];
            most = count > most ? count : most;
            matches += count > 0 && count == t.row_sizes[r] && count == t.col_sizes[j];
        }
        row_maxima += most;
    }
    CHECK(c->largest[state] == largest);
    CHECK(c->row_maxima[state] == row_maxima && c->col_maxima[state] == col_maxima);
    /* clusters with items that have no label are no match */
    if (n == s->n) CHECK(c->matches[state] == matches);
    CHECK(c->squares[0][state] == (uint64_t)squares && c->squares[1][state] == 0);
    CHECK(c->col_squares[0][state] == (uint64_t)col_squares && c->col_squares[1][state] == 0);
    CHECK(c->cell_xlogx[0][state] == (uint64_t)xlogx);
    CHECK(c->cell_xlogx[1][state] == (uint64_t)(xlogx >> 64));
    CHECK(c->col_xlogx[0][state] == (uint64_t)col_xlogx);
    CHECK(c->col_xlogx[1][state] == (uint64_t)(col_xlogx >> 64));
    if (n == 0) {
        CHECK(product == 1 && mean == 1);
        return;
    }
    pw_u128 by_row, by_col;
    CHECK(pw_b_cubed_sums(t.indptr, t.cols, t.counts, t.row_sizes, t.col_sizes, n_rows, n_cols,
                          &by_row, &by_col, NULL) == PW_OK);
    CHECK(c->by_row[0][state] == (uint64_t)by_row &&
          c->by_row[1][state] == (uint64_t)(by_row >> 64));
    CHECK(c->by_col[0][state] == (uint64_t)by_col &&
          c->by_col[1][state] == (uint64_t)(by_col >> 64));
    int64_t *row_scores = new_int64s(n_rows), *col_scores = new_int64s(n_cols);
    CHECK(pw_split_scores(t.indptr, t.cols, t.counts, t.row_sizes, t.col_sizes, n_rows, n_cols, 64,
                          row_scores, col_scores, NULL) == PW_OK);
    double literal = 0, sum = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        sum += (double)t.row_sizes[r] * (double)row_scores[r] / (double)ONE;
        for (int64_t j = t.indptr[r]; j < t.indptr[r + 1]; j++)
            literal += (double)t.counts[j] * ((double)row_scores[r] / (double)ONE) *
                       ((double)col_scores[t.cols[j]] / (double)ONE);
    }
    for (int64_t j = 0; j < n_cols; j++)
        sum += (double)t.col_sizes[j] * (double)col_scores[j] / (double)ONE;
    CHECK(fabs(product - literal / (double)n) <= 1e-14);
    CHECK(fabs(mean - sum / (2 * (double)n)) <= 1e-14);
}

static void check_sweep(driver_input *in) {
    const series s = take_series(in);
    sweep own;
    memset(&own, 0, sizeof own);
    own.events.ends = new_int64s(s.n_merges + 1);
    own.events.rows = new_int64s(s.n);
    own.events.before = new_int64s(s.n);
    own.events.after = new_int64s(s.n);
    int status;
    KERNEL_PLAIN(status, pw_sweep_events(s.labels, s.n, s.n_labels, s.left, s.right, s.n_merges,
                                         &own.events, &driver_poll));
    CHECK(status == PW_OK);
    int64_t **const narrow[] = {&own.curves.cells,        &own.curves.clusters,
                                &own.curves.all_clusters, &own.curves.largest,
                                &own.curves.row_maxima,   &own.curves.col_maxima,
                                &own.curves.matches};
    uint64_t **const wide[] = {own.curves.squares,   own.curves.col_squares, own.curves.cell_xlogx,
                               own.curves.col_xlogx, own.curves.by_row,      own.curves.by_col};
    for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++) *narrow[k] = new_int64s(s.n_states);
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
        for (int word = 0; word < 2; word++) wide[k][word] = room(s.n_states, sizeof(uint64_t));
    KERNEL_PLAIN(status,
                 pw_sweep_curves(s.labels, s.n, s.n_labels, s.left, s.right, s.state, s.n_merges,
                                 s.n_states, &own.events, 64, &own.curves, &driver_poll));
    CHECK(status == PW_OK);
    double *products = room(s.n_states, sizeof(double)), *means = room(s.n_states, sizeof(double));
    double *other_products = room(s.n_states, sizeof(double));
    double *other_means = room(s.n_states, sizeof(double));
    int64_t visited;
    const int64_t bounds[2] = {take_between(in, 0, 8), 1000};
    KERNEL_PLAIN(status, pw_sweep_scores(s.labels, s.n, s.n_labels, s.left, s.right, s.state,
                                         s.n_merges, s.n_states, &own.events, 64, bounds[0],
                                         products, means, &visited, &driver_poll));
    CHECK(status == PW_OK);
    CHECK(pw_sweep_scores(s.labels, s.n, s.n_labels, s.left, s.right, s.state, s.n_merges,
                          s.n_states, &own.events, 64, bounds[1], other_products, other_means,
                          &visited, NULL) == PW_OK);
    CHECK_SAME(products, other_products, s.n_states);
    CHECK_SAME(means, other_means, s.n_states);
    HASH(products, s.n_states);
    HASH(means, s.n_states);
    int64_t walks[2];
    KERNEL_PLAIN(status, pw_sweep_walks(s.labels, s.n, s.n_labels, s.left, s.right, s.n_merges,
                                        &own.events, bounds, 2, walks, &driver_poll));
    CHECK(status == PW_OK);
    HASH(walks, 2);
    for (int64_t state = 0; state < s.n_states; state++)
        check_state(&s, &own, state, products[state], means[state]);
    /* sizes and subtrees */
    const int64_t nodes = s.n + s.n_merges;
    int64_t *sizes = new_int64s(nodes), *first = new_int64s(nodes);
    double *heights = room(s.n_merges, sizeof *heights),
           *highest = room(s.n_merges, sizeof *heights);
    for (int64_t i = 0; i < s.n; i++) sizes[i] = 1 + take_byte(in) % 3;
    for (int64_t k = 0; k < s.n_merges; k++) heights[k] = take_byte(in);
    int64_t *literal = new_int64s(nodes);
    memcpy(literal, sizes, (size_t)nodes * sizeof *sizes);
    pw_sweep_sizes(s.n, s.left, s.right, s.n_merges, sizes);
    pw_sweep_subtrees(s.n, s.left, s.right, heights, s.n_merges, first, highest);
    for (int64_t k = 0; k < s.n_merges; k++) {
        literal[s.n + k] = literal[s.left[k]] + literal[s.right[k]];
        double most = heights[k];
        for (int side = 0; side < 2; side++) {
            const int64_t part = side == 0 ? s.left[k] : s.right[k];
            if (part >= s.n && highest[part - s.n] > most) most = highest[part - s.n];
        }
        CHECK(highest[k] == most);
        CHECK(first[s.n + k] == first[s.left[k]] || first[s.n + k] == first[s.right[k]]);
    }
    for (int64_t i = 0; i < s.n; i++) CHECK(first[i] == i);
    CHECK_SAME(sizes, literal, nodes);
}

/* ---- edges ------------------------------------------------------------------------------------
 */

static void check_edges(driver_input *in) {
    const int64_t n = take_between(in, 1, 20), n_edges = take_between(in, 0, 40);
    int64_t *first = new_int64s(n_edges), *second = new_int64s(n_edges);
    for (int64_t e = 0; e < n_edges; e++) {
        first[e] = (int64_t)take_below(in, (uint64_t)n);
        second[e] = (int64_t)take_below(in, (uint64_t)n);
    }
    int64_t *left = new_int64s(n - 1), *right = new_int64s(n - 1), *used = new_int64s(n - 1);
    int64_t n_merges = 0;
    int status;
    KERNEL_PLAIN(status, pw_sweep_edges(n, first, second, n_edges, left, right, used, &n_merges,
                                        &driver_poll));
    CHECK(status == PW_OK);
    int64_t *cluster = new_int64s(n);
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) cluster[i] = i;
    for (int64_t e = 0; e < n_edges; e++) {
        const int64_t a = cluster[first[e]], b = cluster[second[e]];
        if (a == b) continue;
        CHECK(k < n_merges && used[k] == e);
        CHECK((left[k] == a && right[k] == b) || (left[k] == b && right[k] == a));
        for (int64_t i = 0; i < n; i++)
            if (cluster[i] == a || cluster[i] == b) cluster[i] = n + k;
        k++;
    }
    CHECK(k == n_merges);
    HASH(left, n_merges);
    HASH(right, n_merges);
}

/* ---- consensus --------------------------------------------------------------------------------
 */

static void check_consensus(driver_input *in) {
    const int64_t n = take_between(in, 1, 12), n_draws = take_between(in, 1, 4);
    uint32_t *codes = room(n * n_draws, sizeof *codes), *weights = room(n_draws, sizeof *weights);
    uint32_t *gain = room(n, sizeof *gain);
    int64_t *starts = new_int64s(n_draws + 1);
    double *sums = room(n_draws, sizeof *sums);
    const int loss = (int)take_below(in, 6);
    const int pairs = loss != PW_LOSS_SPLIT_MERGE && take_byte(in) % 2 == 0;
    double most = 0;
    for (int64_t x = 0; x < n; x++) {
        /* steps of x squared over two, or of x ln x in units of 2^-20 */
        const pw_u128 step = pw_xlogx((uint64_t)x + 1, 56) - pw_xlogx((uint64_t)x, 56);
        gain[x] = pairs ? (uint32_t)x : (uint32_t)(step >> 36);
        most += gain[x];
    }
    for (int64_t d = 0; d < n_draws; d++) {
        const uint64_t k = 1 + take_below(in, 5);
        uint32_t used = 0;
        int64_t sizes[8] = {0};
        for (int64_t i = 0; i < n; i++) {
            uint32_t code = (uint32_t)take_below(in, k);
            if (code >= used) code = used++;
            codes[i * n_draws + d] = code;
            sums[d] += gain[sizes[code]++];
        }
        starts[d + 1] = starts[d] + used;
        weights[d] = 1 + take_byte(in) % 3;
    }
    pw_ensemble ensemble = {
        n,    n_draws, codes, starts, weights,
        gain, sums,    most,  loss,   (INT64_C(1) << 16) * (1 + take_byte(in) % 2),
        0};
    const uint64_t key[2] = {take_below(in, 256), take_below(in, 256)};
    const int64_t max_clusters = take_between(in, 1, n);
    const int64_t n_dissolved = take_between(in, 0, 3), most_passes = take_between(in, 1, 9);
    int64_t *labels = new_int64s(n), *dense = new_int64s(n);
    for (int layout = 0; layout < 2; layout++) {
        int64_t passes = 0, moves = 0;
        int status;
        ensemble.layout = layout;
#define START                                                                                      \
    for (int64_t i = 0; i < n; i++) labels[i] = -1
        KERNEL(status, START,
               pw_consensus_run(&ensemble, labels, max_clusters, n_dissolved, most_passes, key,
                                &passes, &moves, &driver_poll), );
        CHECK(status == PW_OK);
        int64_t used = 0;
        for (int64_t i = 0; i < n; i++) {
            CHECK(labels[i] >= 0 && labels[i] <= used);
            if (labels[i] == used) used++;
        }
        CHECK(used <= max_clusters);
        if (layout == 0) memcpy(dense, labels, (size_t)n * sizeof *labels);
        if (layout == 1) CHECK_SAME(labels, dense, n);
        HASH(labels, n);
    }
}

void target_sweep(driver_input *in) {
    check_sweep(in);
    check_edges(in);
    check_consensus(in);
}
