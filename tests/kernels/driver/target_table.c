/* What is computed from the cells of tables: canonical cells, join, union, sums, ratios, live. */
#include "pw_join.h"
#include "pw_live.h"
#include "pw_logarithm.h"
#include "pw_many.h"
#include "pw_ratios.h"
#include "pw_small_sums.h"
#include "pw_sums.h"
#include "pw_table.h"
#include "pw_union.h"
#include "tables.h"

#define ROWS_MOST 12

/* ---- 192 bits ---------------------------------------------------------------------------------
 */

typedef struct {
    uint64_t words[3];
} wide_sum;

static void add_product(wide_sum *sum, pw_u128 x, uint64_t y) {
    const uint64_t parts[2] = {(uint64_t)x, (uint64_t)(x >> 64)};
    pw_u128 carry = 0;
    for (int k = 0; k < 3; k++) {
        carry += sum->words[k];
        pw_u128 product = k < 2 ? (pw_u128)parts[k] * y : 0;
        carry += (uint64_t)product;
        sum->words[k] = (uint64_t)carry;
        carry >>= 64;
        carry += product >> 64;
    }
}

/* ---- cells ------------------------------------------------------------------------------------
 */

static void free_cells(int64_t **cols, int64_t **counts) {
    free(*cols);
    free(*counts);
    *cols = *counts = NULL;
}

/* Cells in any order, some in pieces, become the table again. */
static void check_collapse(driver_input *in, const driver_table *t) {
    int64_t *rows = new_int64s(2 * t->n_cells), *cols = new_int64s(2 * t->n_cells);
    int64_t *counts = new_int64s(2 * t->n_cells);
    int64_t n = 0;
    for (int64_t r = 0; r < t->n_rows; r++) {
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            const int64_t piece = t->counts[c] > 1 && take_byte(in) % 4 == 0 ? t->counts[c] / 2 : 0;
            for (int k = piece > 0 ? 0 : 1; k < 2; k++) {
                const int64_t at = (int64_t)take_below(in, (uint64_t)n + 1);
                rows[n] = rows[at];
                cols[n] = cols[at];
                counts[n++] = counts[at];
                rows[at] = r;
                cols[at] = t->cols[c];
                counts[at] = k == 0 ? piece : t->counts[c] - piece;
            }
        }
    }
    int64_t *indptr = new_int64s(t->n_rows + 1);
    int64_t *own_cols = NULL, *own_counts = NULL;
    int64_t n_cells = 0;
    int status;
    KERNEL(status, free_cells(&own_cols, &own_counts),
           pw_collapse(rows, cols, counts, n, t->n_rows, t->n_cols, indptr, &own_cols, &own_counts,
                       &n_cells, &driver_poll),
           CHECK(own_cols == NULL && own_counts == NULL));
    CHECK(status == PW_OK && n_cells == t->n_cells);
    CHECK_SAME(indptr, t->indptr, t->n_rows + 1);
    CHECK_SAME(own_cols, t->cols, n_cells);
    CHECK_SAME(own_counts, t->counts, n_cells);
    free_cells(&own_cols, &own_counts);
}

static void check_sides(const driver_table *t) {
    int64_t *row_sizes = new_int64s(t->n_rows), *col_sizes = new_int64s(t->n_cols);
    int status;
    KERNEL_PLAIN(status, pw_margins(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, row_sizes,
                                    col_sizes, &driver_poll));
    CHECK(status == PW_OK);
    CHECK_SAME(row_sizes, t->row_sizes, t->n_rows);
    CHECK_SAME(col_sizes, t->col_sizes, t->n_cols);
    int64_t *row_maxima = new_int64s(t->n_rows), *col_maxima = new_int64s(t->n_cols);
    KERNEL_PLAIN(status, pw_maxima(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, row_maxima,
                                   col_maxima, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t r = 0; r < t->n_rows; r++) {
        int64_t most = 0;
        for (int64_t c = 0; c < t->n_cols; c++)
            if (t->matrix[r * t->n_cols + c] > most) most = t->matrix[r * t->n_cols + c];
        CHECK(row_maxima[r] == most);
    }
    for (int64_t c = 0; c < t->n_cols; c++) {
        int64_t most = 0;
        for (int64_t r = 0; r < t->n_rows; r++)
            if (t->matrix[r * t->n_cols + c] > most) most = t->matrix[r * t->n_cols + c];
        CHECK(col_maxima[c] == most);
    }
    int64_t *indptr = new_int64s(t->n_cols + 1), *cols = new_int64s(t->n_cells);
    int64_t *counts = new_int64s(t->n_cells);
    KERNEL_PLAIN(status, pw_transpose(t->indptr, t->cols, t->counts, t->n_rows, t->n_cols, indptr,
                                      cols, counts, &driver_poll));
    CHECK(status == PW_OK && indptr[t->n_cols] == t->n_cells);
    for (int64_t c = 0, at = 0; c < t->n_cols; c++) {
        CHECK(indptr[c] == at);
        for (int64_t r = 0; r < t->n_rows; r++) {
            if (t->matrix[r * t->n_cols + c] == 0) continue;
            CHECK(cols[at] == r && counts[at] == t->matrix[r * t->n_cols + c]);
            at++;
        }
    }
    int64_t *rows = new_int64s(t->n_cells), *cells = new_int64s(t->n_cells);
    for (int64_t r = 0; r < t->n_rows; r++)
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) rows[c] = r;
    KERNEL_PLAIN(status,
                 pw_locate(t->indptr, t->cols, rows, t->cols, t->n_cells, cells, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t c = 0; c < t->n_cells; c++) CHECK(cells[c] == c);
}

/* Components by spreading the smallest row until nothing changes. */
static void check_join(const driver_table *t) {
    int64_t *row_component = new_int64s(t->n_rows), *col_component = new_int64s(t->n_cols);
    int64_t *least = new_int64s(t->n_rows), *col_least = new_int64s(t->n_cols);
    int64_t n_components = 0;
    int status;
    KERNEL_PLAIN(status, pw_join(t->indptr, t->cols, t->n_rows, t->n_cols, row_component,
                                 col_component, &n_components, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t r = 0; r < t->n_rows; r++) least[r] = r;
    for (int64_t c = 0; c < t->n_cols; c++) col_least[c] = t->n_rows;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t r = 0; r < t->n_rows; r++) {
            for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
                int64_t *other = &col_least[t->cols[c]];
                if (*other == least[r]) continue;
                changed = 1;
                *other = least[r] = pw_min64(*other, least[r]);
            }
        }
    }
    int64_t number = 0;
    int64_t *numbers = new_int64s(t->n_rows);
    for (int64_t r = 0; r < t->n_rows; r++) numbers[r] = least[r] == r ? number++ : -1;
    CHECK(n_components == number);
    for (int64_t r = 0; r < t->n_rows; r++) CHECK(row_component[r] == numbers[least[r]]);
    for (int64_t c = 0; c < t->n_cols; c++) CHECK(col_component[c] == numbers[col_least[c]]);
    HASH(row_component, t->n_rows);
    HASH(col_component, t->n_cols);
}

/* ---- union ------------------------------------------------------------------------------------
 */

/* Ascending labels of some clusters, few apart, so that two lists have some in common. */
static uint64_t *take_ascending(driver_input *in, int64_t n, int is_signed) {
    uint64_t *labels = room(n, sizeof *labels);
    uint64_t label = is_signed ? (uint64_t)INT64_C(-6) : take_below(in, 4);
    for (int64_t i = 0; i < n; i++) {
        labels[i] = label;
        label += 1 + take_below(in, 3);
    }
    return labels;
}

static void check_union(driver_input *in, const driver_table *x) {
    const driver_table y = take_table(in, ROWS_MOST, ROWS_MOST, 20);
    const int is_signed = take_byte(in) % 2;
    const driver_table *tables[2] = {x, &y};
    const int64_t sizes[2][2] = {{x->n_rows, x->n_cols}, {y.n_rows, y.n_cols}};
    int64_t *places[2][2], total[2];
    for (int side = 0; side < 2; side++) {
        uint64_t *labels[2];
        for (int k = 0; k < 2; k++) {
            labels[k] = take_ascending(in, sizes[k][side], is_signed);
            places[k][side] = new_int64s(sizes[k][side]);
        }
        uint64_t *both = room(sizes[0][side] + sizes[1][side], sizeof *both);
        total[side] = pw_unite(labels[0], sizes[0][side], labels[1], sizes[1][side], is_signed,
                               both, places[0][side], places[1][side]);
        for (int64_t i = 1; i < total[side]; i++)
            CHECK(is_signed ? (int64_t)both[i - 1] < (int64_t)both[i] : both[i - 1] < both[i]);
        uint8_t *met = room(total[side], 1);
        for (int k = 0; k < 2; k++) {
            for (int64_t i = 0; i < sizes[k][side]; i++) {
                CHECK(both[places[k][side][i]] == labels[k][i]);
                met[places[k][side][i]] = 1;
            }
        }
        for (int64_t i = 0; i < total[side]; i++) CHECK(met[i]);
    }
    int64_t *matrix = new_int64s(total[0] * total[1]);
    for (int k = 0; k < 2; k++)
        for (int64_t r = 0; r < sizes[k][0]; r++)
            for (int64_t c = 0; c < sizes[k][1]; c++)
                matrix[places[k][0][r] * total[1] + places[k][1][c]] +=
                    tables[k]->matrix[r * sizes[k][1] + c];
    const driver_table literal = table_of_matrix(matrix, total[0], total[1]);
    int64_t *cols = new_int64s(literal.n_cells), *counts = new_int64s(literal.n_cells);
    int64_t *indptr = new_int64s(total[0] + 1);
    const pw_placed own = {x->indptr, cols, counts, x->n_rows, places[0][0], places[0][1]};
    const pw_placed other = {y.indptr, y.cols, y.counts, y.n_rows, places[1][0], places[1][1]};
    int status;
#define PUT_OWN                                                                                    \
    (memcpy(cols, x->cols, (size_t)x->n_cells * sizeof *cols),                                     \
     memcpy(counts, x->counts, (size_t)x->n_cells * sizeof *counts))
    KERNEL(status, PUT_OWN, pw_union_rows(&own, &other, total[0], indptr, &driver_poll), );
    CHECK(status == PW_OK);
    CHECK_SAME(indptr, literal.indptr, total[0] + 1);
    KERNEL(status, PUT_OWN,
           pw_union_cells(&own, &other, total[0], indptr, cols, counts, &driver_poll), );
    CHECK(status == PW_OK);
    CHECK_SAME(cols, literal.cols, literal.n_cells);
    CHECK_SAME(counts, literal.counts, literal.n_cells);
}

/* ---- sums -------------------------------------------------------------------------------------
 */

static void check_logarithms(driver_input *in) {
    const uint64_t x = 1 + (take_word(in) >> 1 >> take_below(in, 63)) % (UINT64_C(1) << 62);
    const pw_u128 ln = pw_ln(x);
    const double value = ldexp((double)ln, -PW_LN_BITS);
    CHECK(fabs(value - log((double)x)) <= 1e-14);
    HASH_ONE(ln);
    if (x < UINT64_C(1) << 57) {
        const pw_u128 term = pw_xlogx(x, 64);
        CHECK(fabs(ldexp((double)term, -64) - (double)x * log((double)x)) <=
              1e-14 * (double)x * (1 + log((double)x)));
        HASH_ONE(term);
        /* superadditive: x ln x + y ln y <= (x + y) ln(x + y) */
        if (x > 1) CHECK(pw_xlogx(x / 2, 64) + pw_xlogx(x - x / 2, 64) <= term);
    }
}

static void check_sums(driver_input *in, const driver_table *t, int fraction_bits) {
    pw_u128 squares = 0, xlogx = 0;
    for (int64_t c = 0; c < t->n_cells; c++) {
        squares += (pw_u128)(uint64_t)t->counts[c] * (uint64_t)t->counts[c];
        xlogx += pw_xlogx((uint64_t)t->counts[c], fraction_bits);
    }
    CHECK(pw_sum_squares(t->counts, t->n_cells) == squares);
    CHECK(pw_sum_xlogx(t->counts, t->n_cells, fraction_bits) == xlogx);
    /* many small values are counted first */
    int64_t *many = new_int64s(600);
    pw_u128 sum = 0;
    for (int64_t i = 0; i < 600; i++) {
        many[i] = t->counts[i % t->n_cells] % 90;
        sum += pw_xlogx((uint64_t)many[i], 64);
    }
    CHECK(pw_sum_xlogx(many, 600, 64) == sum);
    HASH_ONE(xlogx);
    /* doubles and groups of them */
    const int64_t n_groups = take_between(in, 1, 5);
    double *values = room(t->n_cells, sizeof *values);
    int64_t *groups = new_int64s(t->n_cells);
    pw_i128 totals[5] = {0}, all = 0;
    for (int64_t c = 0; c < t->n_cells; c++) {
        values[c] = (double)(t->counts[c] % 100000) / 7 - 5000;
        groups[c] = (int64_t)take_below(in, (uint64_t)n_groups);
        const pw_i128 term = (pw_i128)ldexp(values[c], 60);
        totals[groups[c]] += term;
        all += term;
    }
    CHECK(pw_sum_doubles(values, t->n_cells, 60) == all);
    double high[5], low[5];
    int status;
    KERNEL_PLAIN(status,
                 pw_sum_groups(values, groups, t->n_cells, n_groups, 60, high, low, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t g = 0; g < n_groups; g++) {
        CHECK(high[g] == ldexp((double)totals[g], -60));
        CHECK(low[g] == ldexp((double)(totals[g] - (pw_i128)(double)totals[g]), -60));
    }
    HASH(high, n_groups);
    HASH(low, n_groups);
}

/* The split score of a cluster from its cells, one after another. */
static int64_t literal_score(const int64_t *cells, int64_t n, int64_t step, int64_t size,
                             int fraction_bits) {
    pw_u128 sum = 0;
    int64_t some = 0;
    for (int64_t i = 0; i < n; i++) {
        some += cells[i * step] != 0;
        sum += pw_xlogx((uint64_t)cells[i * step], fraction_bits);
    }
    if (some == 1) return PW_ONE;
    return pw_fraction_of_one(sum, pw_xlogx((uint64_t)size, fraction_bits));
}

static void check_split_scores(const driver_table *t, int fraction_bits) {
    int64_t *row_scores = new_int64s(t->n_rows), *col_scores = new_int64s(t->n_cols);
    int status;
    KERNEL_PLAIN(status, pw_split_scores(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes,
                                         t->n_rows, t->n_cols, fraction_bits, row_scores,
                                         col_scores, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t r = 0; r < t->n_rows; r++)
        CHECK(row_scores[r] == literal_score(t->matrix + r * t->n_cols, t->n_cols, 1,
                                             t->row_sizes[r], fraction_bits));
    for (int64_t c = 0; c < t->n_cols; c++)
        CHECK(col_scores[c] ==
              literal_score(t->matrix + c, t->n_rows, t->n_cols, t->col_sizes[c], fraction_bits));
    HASH(row_scores, t->n_rows);
    HASH(col_scores, t->n_cols);
    wide_sum literal = {{0}};
    uint64_t sum[3];
    pw_u128 weighted = 0;
    for (int64_t r = 0; r < t->n_rows; r++) {
        weighted += (pw_u128)(uint64_t)t->row_sizes[r] * (uint64_t)row_scores[r];
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++)
            add_product(&literal,
                        (pw_u128)(uint64_t)row_scores[r] * (uint64_t)col_scores[t->cols[c]],
                        (uint64_t)t->counts[c]);
    }
    pw_sum_products(t->indptr, t->cols, t->counts, row_scores, col_scores, t->n_rows, sum);
    CHECK_SAME(sum, literal.words, 3);
    CHECK(pw_sum_weighted(t->row_sizes, row_scores, t->n_rows) == weighted);
}

static void check_divergence(const driver_table *t) {
    if (t->n >= INT64_C(1) << 31) return;
    double *terms = room(t->n_cells, sizeof *terms);
    const pw_u128 covered = pw_divergence_terms(t->indptr, t->cols, t->counts, t->row_sizes,
                                                t->col_sizes, t->n_rows, t->n, terms);
    pw_u128 literal = 0;
    int proportional = 1;
    for (int64_t r = 0; r < t->n_rows; r++) {
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            const double expected = (double)t->row_sizes[r] * (double)t->col_sizes[t->cols[c]];
            const double observed = (double)t->n * (double)t->counts[c];
            literal += (pw_u128)(uint64_t)t->row_sizes[r] * (uint64_t)t->col_sizes[t->cols[c]];
            proportional &= expected == observed || t->n >= 1 << 20;
            const double plain = observed * log(observed / expected) - observed + expected;
            CHECK(terms[c] >= 0);
            CHECK(fabs(terms[c] - plain) <= 1e-14 * (observed * 20 + expected));
            /* others are computed with log1p of the C library, which may differ by a bit */
            const double x = (double)(pw_i128)(observed - expected) / expected;
            if ((x <= 0.25 && x >= -0.25) || driver_library) HASH_ONE(terms[c]);
        }
    }
    CHECK(covered == literal);
    if (t->n < 1 << 20)
        CHECK(pw_is_proportional(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes,
                                 t->n_rows, t->n) == proportional);
}

/* ---- ratios -----------------------------------------------------------------------------------
 */

/* 2^126 above / below, bit by bit. */
static pw_u128 literal_fraction(uint64_t above, uint64_t below) {
    pw_u128 digits = above / below, rest = above % below;
    for (int bit = 0; bit < 126; bit++) {
        rest <<= 1;
        digits <<= 1;
        if (rest >= below) {
            rest -= below;
            digits |= 1;
        }
    }
    return digits;
}

static void similarity_parts(const driver_table *t, int64_t row, int64_t cell, int similarity,
                             uint64_t *above, uint64_t *below) {
    const uint64_t count = (uint64_t)t->counts[cell], a = (uint64_t)t->row_sizes[row];
    const uint64_t b = (uint64_t)t->col_sizes[t->cols[cell]];
    *above = similarity == PW_SORENSEN_DICE ? 2 * count : count;
    *below = similarity == PW_OVERLAP         ? 1
             : similarity == PW_SORENSEN_DICE ? a + b
             : similarity == PW_BRAUN_BANQUET ? (a > b ? a : b)
                                              : a + b - count;
}

static void check_similarities(driver_input *in, const driver_table *t) {
    const int similarity = (int)take_below(in, 4);
    int64_t *nearest = new_int64s(t->n_rows);
    pw_nearest_cells(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes, t->n_rows,
                     similarity, nearest);
    for (int64_t r = 0; r < t->n_rows; r++) {
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            uint64_t above, below, most_above, most_below;
            similarity_parts(t, r, c, similarity, &above, &below);
            similarity_parts(t, r, nearest[r], similarity, &most_above, &most_below);
            const pw_u128 own = (pw_u128)above * most_below, most = (pw_u128)most_above * below;
            CHECK(c < nearest[r] ? own < most : own <= most);
        }
    }
    HASH(nearest, t->n_rows);
    if (similarity == PW_OVERLAP) return;
    const pw_sized_table sized = {t->indptr,    t->cols,      t->counts,
                                  t->row_sizes, t->col_sizes, t->n_rows};
    const int weighted = take_byte(in) % 2;
    int64_t *cells = new_int64s(t->n_cells);
    wide_sum literal = {{0}};
    int64_t n = 0;
    for (int64_t r = 0; r < t->n_rows; r++) {
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            if (take_byte(in) % 3 == 0) continue;
            uint64_t above, below;
            similarity_parts(t, r, c, similarity, &above, &below);
            cells[n++] = c;
            add_product(&literal, literal_fraction(above, below),
                        weighted ? (uint64_t)t->row_sizes[r] : 1);
        }
    }
    uint64_t sum[3];
    pw_sum_similarities(&sized, cells, n, similarity, weighted, sum);
    CHECK_SAME(sum, literal.words, 3);
    int status;
    int64_t *gains = new_int64s(t->n_cells);
    KERNEL_PLAIN(status,
                 pw_similarity_gains(&sized, similarity, weighted, 40, gains, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t c = 0; c < t->n_cells; c++) CHECK(gains[c] >= 1 && gains[c] <= INT64_C(1) << 40);
    HASH(gains, t->n_cells);
}

static void check_b_cubed(const driver_table *t) {
    pw_u128 by_row, by_col, literal[2] = {0, 0};
    int status;
    KERNEL_PLAIN(status, pw_b_cubed_sums(t->indptr, t->cols, t->counts, t->row_sizes, t->col_sizes,
                                         t->n_rows, t->n_cols, &by_row, &by_col, &driver_poll));
    CHECK(status == PW_OK);
    for (int side = 0; side < 2; side++) {
        const int64_t clusters = side == 0 ? t->n_rows : t->n_cols;
        for (int64_t k = 0; k < clusters; k++) {
            pw_u128 squares = 0;
            const int64_t others = side == 0 ? t->n_cols : t->n_rows;
            for (int64_t j = 0; j < others; j++) {
                const uint64_t count = (uint64_t)(side == 0 ? t->matrix[k * t->n_cols + j]
                                                            : t->matrix[j * t->n_cols + k]);
                squares += (pw_u128)count * count;
            }
            const uint64_t size = (uint64_t)(side == 0 ? t->row_sizes[k] : t->col_sizes[k]);
            pw_u128 digits = squares / size, rest = squares % size;
            for (int bit = 0; bit < 64; bit++) {
                rest <<= 1;
                digits = digits << 1 | (rest >= size);
                if (rest >= size) rest -= size;
            }
            literal[side] += digits;
        }
    }
    CHECK(by_row == literal[0] && by_col == literal[1]);
    HASH_ONE(by_row);
    HASH_ONE(by_col);
}

static void check_greedy(driver_input *in, const driver_table *t) {
    /* cells by falling count; equal ones in the order of the table, moved a little */
    int64_t *rows = new_int64s(t->n_cells), *order = new_int64s(t->n_cells);
    int64_t *rank = new_int64s(t->n_cells), *chosen = new_int64s(t->n_cells);
    for (int64_t r = 0; r < t->n_rows; r++)
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) rows[c] = r;
    for (int64_t c = 0; c < t->n_cells; c++) {
        int64_t at = c;
        const int moves = take_byte(in) % 2;
        while (at > 0 && (t->counts[order[at - 1]] < t->counts[c] ||
                          (moves && t->counts[order[at - 1]] == t->counts[c]))) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = c;
    }
    for (int64_t i = 1; i < t->n_cells; i++)
        rank[i] = rank[i - 1] + (t->counts[order[i]] != t->counts[order[i - 1]]);
    int64_t n_chosen;
    int tied, status;
    KERNEL_PLAIN(status, pw_greedy_pairs(rows, t->cols, order, rank, t->n_cells, t->n_rows,
                                         t->n_cols, chosen, &n_chosen, &tied, &driver_poll));
    CHECK(status == PW_OK);
    int64_t *row_free = new_int64s(t->n_rows), *col_free = new_int64s(t->n_cols);
    int64_t used = 0;
    for (int64_t i = 0; i < t->n_cells; i++) {
        const int64_t c = order[i];
        if (row_free[rows[c]] || col_free[t->cols[c]]) continue;
        CHECK(used < n_chosen && chosen[used] == c);
        used++;
        row_free[rows[c]] = col_free[t->cols[c]] = 1;
    }
    CHECK(used == n_chosen);
    HASH_ONE(tied);
}

/* ---- straight from labels ---------------------------------------------------------------------
 */

#define CLUSTERINGS 3

static void check_labels(driver_input *in) {
    const int64_t n = take_between(in, 1, 200);
    int64_t *labels[CLUSTERINGS], k[CLUSTERINGS];
    int64_t starts[CLUSTERINGS + 1] = {0};
    const int itemsize = 1 << take_below(in, 3);
    for (int s = 0; s < CLUSTERINGS; s++) {
        labels[s] = new_int64s(n);
        const uint64_t most = 1 + take_below(in, 40);
        int64_t largest = 0;
        for (int64_t i = 0; i < n; i++) {
            /* codes all occur: a new one is the next */
            int64_t code = (int64_t)take_below(in, most);
            if (code > largest) code = largest;
            if (code == largest) largest++;
            labels[s][i] = code;
        }
        k[s] = largest;
        starts[s + 1] = starts[s] + largest;
    }
    int64_t *sizes = new_int64s(starts[CLUSTERINGS]);
    char *codes = room(CLUSTERINGS * n, (size_t)itemsize);
    for (int s = 0; s < CLUSTERINGS; s++) {
        for (int64_t i = 0; i < n; i++) {
            memcpy(codes + (s * n + i) * itemsize, &labels[s][i], (size_t)itemsize);
            sizes[starts[s] + labels[s][i]]++;
        }
    }
    const pw_many many = {{codes, n, itemsize, 0}, sizes, starts};
    const int64_t candidates[2] = {1, 2};
    const int wanted = (int)take_below(in, 32);
    uint64_t words[2][PW_MANY_WORDS];
    int status;
    KERNEL_PLAIN(status, pw_many_sums(&many, 0, candidates, 2, wanted, 64, words[0], &driver_poll));
    CHECK(status == PW_OK);
    HASH(words, 2);
    for (int c = 0; c < 2; c++) {
        const int64_t rows = k[0], cols = k[c + 1];
        int64_t *matrix = new_int64s(rows * cols);
        for (int64_t i = 0; i < n; i++) matrix[labels[0][i] * cols + labels[c + 1][i]]++;
        const driver_table t = table_of_matrix(matrix, rows, cols);
        const uint64_t *own = words[c];
        const pw_u128 squares = pw_sum_squares(t.counts, t.n_cells);
        CHECK(own[PW_MANY_CELLS_AT] == (uint64_t)t.n_cells);
        CHECK(own[PW_MANY_SQUARES_AT] == (uint64_t)squares);
        uint64_t literal[PW_MANY_WORDS] = {(uint64_t)t.n_cells, (uint64_t)squares};
        if (wanted & PW_MANY_XLOGX) {
            const pw_u128 xlogx = pw_sum_xlogx(t.counts, t.n_cells, 64);
            memcpy(literal + PW_MANY_XLOGX_AT, &xlogx, sizeof xlogx);
        }
        int64_t row_maxima = 0, col_maxima = 0, matches = 0;
        for (int64_t r = 0; r < rows; r++) {
            int64_t most = 0;
            for (int64_t j = 0; j < cols; j++) {
                const int64_t count = matrix[r * cols + j];
                most = count > most ? count : most;
                matches += count > 0 && count == t.row_sizes[r] && count == t.col_sizes[j];
            }
            row_maxima += most;
        }
        for (int64_t j = 0; j < cols; j++) {
            int64_t most = 0;
            for (int64_t r = 0; r < rows; r++)
                if (matrix[r * cols + j] > most) most = matrix[r * cols + j];
            col_maxima += most;
        }
        if (wanted & PW_MANY_MAXIMA) {
            literal[PW_MANY_ROW_MAXIMA_AT] = (uint64_t)row_maxima;
            literal[PW_MANY_COL_MAXIMA_AT] = (uint64_t)col_maxima;
        }
        if (wanted & PW_MANY_MATCHES) literal[PW_MANY_MATCHES_AT] = (uint64_t)matches;
        if (wanted & PW_MANY_B_CUBED) {
            pw_u128 sums[2];
            CHECK(pw_b_cubed_sums(t.indptr, t.cols, t.counts, t.row_sizes, t.col_sizes, rows, cols,
                                  &sums[0], &sums[1], NULL) == PW_OK);
            memcpy(literal + PW_MANY_BY_ROW_AT, sums, sizeof sums);
        }
        if (wanted & PW_MANY_SPLIT_MERGE) {
            int64_t *row_scores = new_int64s(rows), *col_scores = new_int64s(cols);
            CHECK(pw_split_scores(t.indptr, t.cols, t.counts, t.row_sizes, t.col_sizes, rows, cols,
                                  64, row_scores, col_scores, NULL) == PW_OK);
            pw_sum_products(t.indptr, t.cols, t.counts, row_scores, col_scores, rows,
                            literal + PW_MANY_PRODUCTS_AT);
            const pw_u128 sums[2] = {pw_sum_weighted(t.row_sizes, row_scores, rows),
                                     pw_sum_weighted(t.col_sizes, col_scores, cols)};
            memcpy(literal + PW_MANY_ROW_SCORES_AT, sums, sizeof sums);
        }
        CHECK_SAME(own, literal, PW_MANY_WORDS);
        pw_small_sums small;
        if (!pw_sum_small(labels[0], labels[c + 1], n, 1, &small)) continue;
        CHECK(small.n_rows == rows && small.n_cols == cols && small.n_cells == t.n_cells);
        CHECK(small.cell_squares == (int64_t)squares);
        CHECK(small.row_squares == (int64_t)pw_sum_squares(t.row_sizes, rows));
        CHECK(small.col_squares == (int64_t)pw_sum_squares(t.col_sizes, cols));
        CHECK(small.row_maxima == row_maxima && small.col_maxima == col_maxima);
        CHECK(small.row_xlogx == pw_sum_xlogx(t.row_sizes, rows, 64));
        CHECK(small.col_xlogx == pw_sum_xlogx(t.col_sizes, cols, 64));
        CHECK(small.cell_xlogx == pw_sum_xlogx(t.counts, t.n_cells, 64));
    }
}

/* ---- a table that changes ---------------------------------------------------------------------
 */

static void check_live(driver_input *in) {
    const int bits = 1 + (int)take_below(in, 7);
    const int64_t capacity = INT64_C(1) << bits;
    pw_entry *entries = room(capacity, sizeof *entries);
    for (int64_t i = 0; i < capacity; i++) entries[i].value = -1;
    const uint64_t seed = take_word(in);
    int64_t *keys = new_int64s(capacity), *values = new_int64s(capacity);
    int64_t used = 0;
    for (int batch = 0; batch < 3; batch++) {
        const int64_t n = take_between(in, 0, 40);
        int64_t *own = new_int64s(n), *slots = new_int64s(n);
        const int64_t first = used * 3;
        const int64_t known = used;
        for (int64_t i = 0; i < n; i++) {
            own[i] = take_between(in, -60, 60) * (INT64_C(1) << 40);
            int64_t at = 0;
            while (at < used && keys[at] != own[i]) at++;
            if (at < used) continue;
            /* one entry stays free */
            if (used + 1 >= capacity) {
                own[i] = used > 0 ? keys[0] : 0;
                if (used > 0) continue;
            }
            if (used + 1 >= capacity) continue;
            keys[used] = own[i];
            values[used] = used * 3;
            used++;
        }
        if (used == 0) continue;
        const int64_t added = pw_live_find(entries, bits, seed, own, n, first, 3, slots);
        CHECK(added == used - known);
        for (int64_t i = 0; i < n; i++) {
            int64_t at = 0;
            while (keys[at] != own[i]) at++;
            CHECK(slots[i] >= 0 && slots[i] < capacity && entries[slots[i]].key == own[i]);
            CHECK(entries[slots[i]].value == values[at]);
        }
    }
    const int64_t stride = take_between(in, 1, 3), n_counts = take_between(in, 1, 20);
    const int64_t n = take_between(in, 0, 40);
    int64_t *counts = new_int64s(n_counts * stride), *literal = new_int64s(n_counts * stride);
    int64_t *places = new_int64s(n), *changes = new_int64s(n);
    int64_t *touched = new_int64s(n), *before = new_int64s(n), *seen = new_int64s(n_counts);
    for (int64_t i = 0; i < n_counts * stride; i++)
        counts[i] = literal[i] = (int64_t)take_byte(in) << take_below(in, 40);
    for (int64_t i = 0; i < n; i++) {
        places[i] = (int64_t)take_below(in, (uint64_t)n_counts);
        changes[i] = take_between(in, -5, 5) * (INT64_C(1) << take_below(in, 40));
    }
    const int64_t n_touched = pw_live_shift(counts, stride, places, changes, n, touched, before);
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!seen[places[i]]) {
            seen[places[i]] = 1;
            CHECK(at < n_touched && touched[at] == places[i]);
            CHECK(before[at++] == literal[places[i] * stride]);
        }
        literal[places[i] * stride] += changes[i];
    }
    CHECK(at == n_touched);
    for (int64_t i = 0; i < n_counts * stride; i++) CHECK(counts[i] == literal[i] + 0);
}

void target_table(driver_input *in) {
    const int bits = take_byte(in) % 3 == 0 ? 48 : 12;
    const driver_table t = take_table(in, ROWS_MOST, ROWS_MOST, bits);
    HASH(t.matrix, t.n_rows * t.n_cols);
    check_collapse(in, &t);
    check_sides(&t);
    check_join(&t);
    check_union(in, &t);
    check_logarithms(in);
    const int fraction_bits = take_byte(in) % 2 == 0 ? 56 : 64;
    check_sums(in, &t, fraction_bits);
    check_split_scores(&t, fraction_bits);
    check_divergence(&t);
    check_similarities(in, &t);
    check_b_cubed(&t);
    check_greedy(in, &t);
    check_labels(in);
    check_live(in);
}
