/* Packing, transportation and the mass that soft clusters share. */
#include "pw_pack.h"
#include "pw_pack_auction.h"
#include "pw_shared_mass.h"
#include "pw_transport.h"
#include "tables.h"

#define SIDE_MOST 10

/* ---- packing ----------------------------------------------------------------------------------
 */

typedef struct {
    const driver_table *table;
    const int64_t *gains;
    int64_t *row_caps;
    int64_t *col_caps;
    int64_t *amounts;
    int64_t *row_duals;
    int64_t *col_duals;
} packing;

/* Amounts fit, and the duals prove that no other ones gain more. */
static pw_i128 check_packing(const packing *p) {
    const driver_table *t = p->table;
    int64_t *row_used = new_int64s(t->n_rows), *col_used = new_int64s(t->n_cols);
    pw_i128 total = 0, bound = 0;
    for (int64_t r = 0; r < t->n_rows; r++) {
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
            CHECK(p->amounts[c] >= 0);
            row_used[r] += p->amounts[c];
            col_used[t->cols[c]] += p->amounts[c];
            total += (pw_i128)p->gains[c] * p->amounts[c];
            CHECK((pw_i128)p->row_duals[r] + p->col_duals[t->cols[c]] >= p->gains[c]);
        }
        CHECK(row_used[r] <= p->row_caps[r] && p->row_duals[r] >= 0);
        bound += (pw_i128)p->row_caps[r] * p->row_duals[r];
    }
    for (int64_t c = 0; c < t->n_cols; c++) {
        CHECK(col_used[c] <= p->col_caps[c] && p->col_duals[c] >= 0);
        bound += (pw_i128)p->col_caps[c] * p->col_duals[c];
    }
    CHECK(total == bound);
    HASH(p->amounts, t->n_cells);
    HASH(p->row_duals, t->n_rows);
    HASH(p->col_duals, t->n_cols);
    return total;
}

static void check_pack(driver_input *in) {
    const int gain_bits = take_byte(in) % 2 == 0 ? 5 : 54;
    const driver_table t = take_table(in, SIDE_MOST, SIDE_MOST, gain_bits);
    int64_t *gains = new_int64s(t.n_cells);
    const int64_t less = take_between(in, 0, 1);
    for (int64_t c = 0; c < t.n_cells; c++) gains[c] = t.counts[c] - less;
    packing p = {&t,
                 gains,
                 new_int64s(t.n_rows),
                 new_int64s(t.n_cols),
                 new_int64s(t.n_cells),
                 new_int64s(t.n_rows),
                 new_int64s(t.n_cols)};
    const uint64_t most = UINT64_C(1) << (1 + take_below(in, 50));
    driver_random random = {take_below(in, 1 << 16)};
    for (int64_t r = 0; r < t.n_rows; r++) p.row_caps[r] = 1 + (int64_t)random_below(&random, most);
    for (int64_t c = 0; c < t.n_cols; c++) p.col_caps[c] = 1 + (int64_t)random_below(&random, most);
    const int64_t budget = take_between(in, -1, 300);
    int status;
    KERNEL_PLAIN(status,
                 pw_pack(t.indptr, t.cols, gains, p.row_caps, p.col_caps, t.n_rows, t.n_cols,
                         budget, p.amounts, p.row_duals, p.col_duals, &driver_poll));
    CHECK(status == PW_OK);
    const pw_i128 total = check_packing(&p);
    KERNEL_PLAIN(status,
                 pw_pack_auction(t.indptr, t.cols, gains, p.row_caps, p.col_caps, t.n_rows,
                                 t.n_cols, p.amounts, p.row_duals, p.col_duals, &driver_poll));
    CHECK(status == PW_OK || status == PW_CROWDED);
    if (status == PW_OK) CHECK(check_packing(&p) == total);
}

/* ---- transportation ---------------------------------------------------------------------------
 */

/* Cuts a total into n positive pieces. */
static void cut(driver_random *random, int64_t total, int64_t n, int64_t *pieces) {
    for (int64_t i = 0; i < n; i++) {
        const int64_t left = total - (n - 1 - i);
        pieces[i] =
            i == n - 1 ? total : 1 + (int64_t)random_below(random, (uint64_t)(left + 2) / 2);
        if (pieces[i] > left) pieces[i] = left;
        total -= pieces[i];
    }
}

static void check_transport(driver_input *in) {
    const int64_t n_rows = take_between(in, 1, 8), n_cols = take_between(in, 1, 8);
    const int kind = (int)take_below(in, 4);
    int64_t *supply = new_int64s(n_rows), *demand = new_int64s(n_cols);
    const int64_t total = 16 + (int64_t)(take_word(in) >> 2 >> take_below(in, 60)) / 2;
    driver_random random = {take_below(in, 1 << 16)};
    cut(&random, total, n_rows, supply);
    cut(&random, total, n_cols, demand);
    double *costs = room(n_rows * n_cols, sizeof *costs);
    double largest = 0;
    for (int64_t i = 0; i < n_rows * n_cols; i++) {
        costs[i] = kind == 0 ? (double)take_byte(in) : (double)random_below(&random, 1000);
        if (kind == 2) costs[i] = (costs[i] - 500) / 7;
        if (kind == 3) costs[i] = ldexp(costs[i], (int)random_below(&random, 30));
        if (fabs(costs[i]) > largest) largest = fabs(costs[i]);
    }
    int64_t *rows_of = new_int64s(n_rows + n_cols - 1), *cols_of = new_int64s(n_rows + n_cols - 1);
    int64_t *flows = new_int64s(n_rows + n_cols - 1);
    double *row_duals = room(n_rows, sizeof(double)), *col_duals = room(n_cols, sizeof(double));
    int64_t n_arcs = 0;
    int status;
    KERNEL_PLAIN(status, pw_transport(costs, supply, demand, n_rows, n_cols, rows_of, cols_of,
                                      flows, &n_arcs, row_duals, col_duals, &driver_poll));
    CHECK(status == PW_OK && n_arcs < n_rows + n_cols);
    /* whole costs have whole potentials; others differ by what a double cannot hold */
    const double slack = kind == 2 ? largest * 1e-13 : 0;
    for (int64_t r = 0; r < n_rows; r++)
        for (int64_t c = 0; c < n_cols; c++)
            CHECK(row_duals[r] + col_duals[c] <= costs[r * n_cols + c] + slack);
    for (int64_t a = 0; a < n_arcs; a++) {
        const double cost = costs[rows_of[a] * n_cols + cols_of[a]];
        CHECK(flows[a] > 0);
        CHECK(fabs(row_duals[rows_of[a]] + col_duals[cols_of[a]] - cost) <= slack);
        supply[rows_of[a]] -= flows[a];
        demand[cols_of[a]] -= flows[a];
    }
    for (int64_t r = 0; r < n_rows; r++) CHECK(supply[r] == 0);
    for (int64_t c = 0; c < n_cols; c++) CHECK(demand[c] == 0);
    HASH(rows_of, n_arcs);
    HASH(cols_of, n_arcs);
    HASH(flows, n_arcs);
    HASH(row_duals, n_rows);
    HASH(col_duals, n_cols);
}

/* ---- shared mass ------------------------------------------------------------------------------
 */

static int64_t in_units(double x) {
    return (int64_t)rint(ldexp(x, 51)); /* to the nearest, ties to even */
}

static void check_shared_mass(driver_input *in) {
    const int64_t n = take_between(in, 0, 300);
    const int64_t widths[2] = {take_between(in, 1, 11), take_between(in, 1, 11)};
    driver_random random = {take_below(in, 1 << 16)};
    const uint64_t sparse = 1 + take_below(in, 8);
    double *dense[2], *values[2];
    int64_t *indptr[2], *cols[2];
    for (int side = 0; side < 2; side++) {
        const int64_t size = n * widths[side];
        dense[side] = room(size, sizeof(double));
        values[side] = room(size, sizeof(double));
        cols[side] = new_int64s(size);
        indptr[side] = new_int64s(n + 1);
        int64_t used = 0;
        for (int64_t i = 0; i < size; i++) {
            if (random_below(&random, sparse) == 0) {
                double x = (double)(random_word(&random) >> 11) / (double)(INT64_C(1) << 53);
                if (random_below(&random, 4) == 0) x = (double)random_below(&random, 3);
                dense[side][i] = x;
                values[side][used] = x;
                cols[side][used++] = i % widths[side];
            }
            if ((i + 1) % widths[side] == 0) indptr[side][(i + 1) / widths[side]] = used;
        }
    }
    const int64_t first = (int64_t)take_below(in, (uint64_t)widths[1]);
    const int64_t last = take_between(in, first + 1, widths[1]);
    double *own = room(widths[0] * (last - first), sizeof *own);
    double *stored = room(widths[0] * widths[1], sizeof *stored);
    int status;
    KERNEL_PLAIN(status, pw_shared_mass(dense[0], dense[1], n, widths[0], widths[1], first, last,
                                        own, &driver_poll));
    CHECK(status == PW_OK);
    KERNEL_PLAIN(status,
                 pw_shared_mass_sparse(indptr[0], cols[0], values[0], indptr[1], cols[1], values[1],
                                       n, widths[0], widths[1], stored, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t r = 0; r < widths[0]; r++) {
        for (int64_t c = 0; c < widths[1]; c++) {
            pw_i128 sum = 0;
            for (int64_t i = 0; i < n; i++) {
                const double p = dense[0][i * widths[0] + r], q = dense[1][i * widths[1] + c];
                sum += in_units(p < q ? p : q);
            }
            const double literal = ldexp((double)sum, -51);
            CHECK(stored[r * widths[1] + c] == literal);
            if (c >= first && c < last) CHECK(own[r * (last - first) + c - first] == literal);
        }
    }
    HASH(stored, widths[0] * widths[1]);
}

void target_transport(driver_input *in) {
    check_pack(in);
    check_transport(in);
    check_shared_mass(in);
}
