/* The meet at every vector level and by several workers, the table of masses, and merging. */
#include "labels.h"
#include "pw_masses.h"
#include "pw_meet.h"
#include "pw_merge.h"
#include "pw_wide.h"

#define WORKERS_MOST 5
#define ITEMS_MOST 3000

/* ---- the literal table ------------------------------------------------------------------------
 */

static int compare_cells(const void *x, const void *y) {
    const int64_t *a = x, *b = y;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

/* The table by sorting all items; what it has is given back with the case. */
static pw_table literal_table(const pw_labels *a, const pw_labels *b) {
    pw_table table;
    const int64_t n = a->n;
    table.n_rows = distinct_labels(a, &table.row_values);
    table.n_cols = distinct_labels(b, &table.col_values);
    int64_t (*items)[2] = room(n, sizeof *items);
    table.row_sizes = room(table.n_rows, sizeof(int64_t));
    table.col_sizes = room(table.n_cols, sizeof(int64_t));
    for (int64_t i = 0; i < n; i++) {
        items[i][0] =
            place_of_label(table.row_values, table.n_rows, literal_label(a, i), a->is_signed);
        items[i][1] =
            place_of_label(table.col_values, table.n_cols, literal_label(b, i), b->is_signed);
        table.row_sizes[items[i][0]]++;
        table.col_sizes[items[i][1]]++;
    }
    qsort(items, (size_t)n, sizeof *items, compare_cells);
    table.indptr = room(table.n_rows + 1, sizeof(int64_t));
    table.cols = room(n, sizeof(int64_t));
    table.counts = room(n, sizeof(int64_t));
    table.n_cells = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || compare_cells(items[i], items[i - 1]) != 0) {
            table.cols[table.n_cells++] = items[i][1];
            table.indptr[items[i][0] + 1]++;
        }
        table.counts[table.n_cells - 1]++;
    }
    for (int64_t r = 0; r < table.n_rows; r++) table.indptr[r + 1] += table.indptr[r];
    return table;
}

static void check_table(const pw_table *table, const pw_table *literal) {
    CHECK(table->n_rows == literal->n_rows);
    CHECK(table->n_cols == literal->n_cols);
    CHECK(table->n_cells == literal->n_cells);
    CHECK_SAME(table->row_values, literal->row_values, table->n_rows);
    CHECK_SAME(table->col_values, literal->col_values, table->n_cols);
    CHECK_SAME(table->indptr, literal->indptr, table->n_rows + 1);
    CHECK_SAME(table->cols, literal->cols, table->n_cells);
    CHECK_SAME(table->counts, literal->counts, table->n_cells);
    CHECK_SAME(table->row_sizes, literal->row_sizes, table->n_rows);
    CHECK_SAME(table->col_sizes, literal->col_sizes, table->n_cols);
}

static void hash_table(const pw_table *table) {
    HASH(table->row_values, table->n_rows);
    HASH(table->col_values, table->n_cols);
    HASH(table->indptr, table->n_rows + 1);
    HASH(table->cols, table->n_cells);
    HASH(table->counts, table->n_cells);
}

static void check_empty(const pw_table *table) {
    static const pw_table empty;
    CHECK(memcmp(table, &empty, sizeof empty) == 0);
}

/* ---- meets ------------------------------------------------------------------------------------
 */

typedef struct {
    pw_job job;
    int statuses[WORKERS_MOST];
} meet_team;

static int step_of_worker(void *context, int part) {
    meet_team *team = context;
    return pw_meet_step(&team->job, part, &driver_poll);
}

static int meet_by_team(const pw_labels *a, const pw_labels *b, pw_scratch *scratches, int workers,
                        const pw_vector *vector, pw_table *table) {
    static meet_team team;
    pw_scratch *own[WORKERS_MOST];
    for (int w = 0; w < workers; w++) own[w] = &scratches[w];
    int status = pw_meet_start(&team.job, a, b, own, workers, vector);
    int steps_left = 1;
    while (status == PW_OK && steps_left) {
        status = run_team(step_of_worker, &team, workers);
        status = pw_meet_turn(&team.job, status, &steps_left, &driver_poll);
    }
    return pw_meet_end(&team.job, status, table);
}

static void free_scratches(pw_scratch *scratches) {
    for (int w = 0; w < WORKERS_MOST; w++) pw_scratch_free(&scratches[w]);
}

static void check_meets(driver_input *in, const pw_labels *a, const pw_labels *b,
                        const pw_table *literal) {
    pw_scratch scratches[WORKERS_MOST] = {{{NULL}, {0}}};
    const int workers = 2 + (int)take_below(in, WORKERS_MOST - 1);
    for (int level = 0; level < PW_VECTOR_LEVELS; level++) {
        const pw_vector *vector = pw_vector_at(level);
        if (vector == NULL) continue;
        pw_table table;
        int status;
        KERNEL(status, free_scratches(scratches),
               pw_meet(a, b, &scratches[0], vector, &table, &driver_poll), check_empty(&table));
        CHECK(status == PW_OK);
        check_table(&table, literal);
        pw_table_free(&table);
        /* once more with the memory of the first time */
        CHECK(pw_meet(a, b, &scratches[0], vector, &table, NULL) == PW_OK);
        check_table(&table, literal);
        pw_table_free(&table);
        KERNEL(status, free_scratches(scratches),
               meet_by_team(a, b, scratches, workers, vector, &table), check_empty(&table));
        CHECK(status == PW_OK);
        check_table(&table, literal);
        pw_table_free(&table);
        free_scratches(scratches);
    }
    pw_table table;
    int status;
    if (a->n > 0) {
        KERNEL(status, free_scratches(scratches),
               pw_meet_wide(a, b, &scratches[0], &table, &driver_poll), );
        CHECK(status == PW_OK);
        check_table(&table, literal);
        pw_table_free(&table);
        free_scratches(scratches);
    }
}

/* ---- masses -----------------------------------------------------------------------------------
 */

typedef struct {
    int64_t *counts;
    pw_i128 *masses;
    int64_t zeros;
} dense_sums;

static void clear_sums(dense_sums *sums, int64_t pairs) {
    memset(sums->counts, 0, (size_t)pairs * sizeof *sums->counts);
    if (sums->masses != NULL) memset(sums->masses, 0, (size_t)pairs * sizeof *sums->masses);
    sums->zeros = 0;
}

static void check_totals(const dense_sums *sums, int64_t n_rows, int64_t n_cols,
                         int fraction_bits) {
    const int64_t sizes[4] = {n_rows * n_cols, n_rows, n_cols, 1};
    double *high[4], *low[4];
    for (int k = 0; k < 4; k++) {
        high[k] = room(sizes[k], sizeof(double));
        low[k] = room(sizes[k], sizeof(double));
    }
    pw_i128 *literal[4];
    for (int k = 0; k < 4; k++) literal[k] = room(sizes[k], sizeof(pw_i128));
    for (int64_t r = 0; r < n_rows; r++) {
        for (int64_t c = 0; c < n_cols; c++) {
            const pw_i128 mass = sums->masses[r * n_cols + c];
            literal[0][r * n_cols + c] += mass;
            literal[1][r] += mass;
            literal[2][c] += mass;
            literal[3][0] += mass;
        }
    }
    pw_i128 *spare = room(n_cols, sizeof *spare);
    pw_mass_totals(sums->masses, n_rows, n_cols, fraction_bits, spare, high, low);
    for (int k = 0; k < 4; k++) {
        for (int64_t i = 0; i < sizes[k]; i++) {
            /* the compiler rounds an integer to the nearest double, ties to even */
            const double rounded = (double)literal[k][i];
            const double over = (double)(literal[k][i] - (pw_i128)rounded);
            CHECK(high[k][i] == ldexp(rounded, -fraction_bits));
            CHECK(low[k][i] == ldexp(over, -fraction_bits));
        }
        HASH(high[k], sizes[k]);
        HASH(low[k], sizes[k]);
    }
}

static void check_masses(driver_input *in, const pw_labels *a, const pw_labels *b) {
    const int64_t n = a->n;
    const int uses = (int)take_below(in, 8);
    const int fraction_bits = 40 + (int)take_below(in, 24);
    int64_t *times = room(n, sizeof *times);
    double *weights = room(n, sizeof *weights);
    uint8_t *dropped = room(n, sizeof *dropped);
    driver_random random = {take_below(in, 1 << 16)};
    for (int64_t i = 0; i < n; i++) {
        times[i] = (int64_t)random_below(&random, 5);
        weights[i] =
            (double)random_below(&random, 1 << 20) / (double)(1 + random_below(&random, 99));
        if (random_below(&random, 16) == 0) weights[i] = 0;
        dropped[i] = random_below(&random, 8) == 0;
    }
    const int with_times = uses & 1, with_weights = uses >> 1 & 1;
    /* `dropped` stands alone */
    const int with_dropped = !with_times && !with_weights && uses >> 2 & 1;
    pw_counting counting = {with_times ? times : NULL, with_weights ? weights : NULL,
                            with_dropped ? dropped : NULL, ldexp(1, 21) * 4, fraction_bits};
    /* processors have different levels: only what the last one gives stays in the hash */
    const uint64_t before = driver_hash;
    for (int level = 0; level < PW_VECTOR_LEVELS; level++) {
        const pw_vector *vector = pw_vector_at(level);
        if (vector == NULL) continue;
        driver_hash = before;
        for (int guessed = 0; guessed < 2; guessed++) {
            pw_source source;
            source.a = a;
            source.b = b;
            if (!pw_dense_windows(&source, vector, n / 4 + 4096, guessed)) continue;
            const int64_t n_rows = (int64_t)source.row.most + 1;
            const int64_t n_cols = (int64_t)source.col.most + 1;
            const int64_t pairs = n_rows * n_cols;
            dense_sums sums;
            sums.counts = room(pairs, sizeof *sums.counts);
            sums.masses = with_weights ? room(pairs, sizeof *sums.masses) : NULL;
            int status;
            KERNEL(status, clear_sums(&sums, pairs),
                   pw_dense_masses(&source, vector, &counting, sums.counts, sums.masses,
                                   &sums.zeros, &driver_poll), );
            if (status == PW_CROWDED) {
                /* a guess may be wrong, the labels cannot be */
                CHECK(guessed);
                continue;
            }
            CHECK(status == PW_OK);
            dense_sums literal = {room(pairs, sizeof(int64_t)),
                                  with_weights ? room(pairs, sizeof(pw_i128)) : NULL, 0};
            for (int64_t i = 0; i < n; i++) {
                const uint64_t row = literal_label(a, i) - source.row.low;
                const uint64_t col = literal_label(b, i) - source.col.low;
                CHECK(row < (uint64_t)n_rows && col < (uint64_t)n_cols);
                if (with_dropped && dropped[i]) continue;
                const int64_t time = with_times ? times[i] : 1;
                const int64_t pair = (int64_t)row * n_cols + (int64_t)col;
                literal.zeros += time == 0 || (!with_times && with_weights && weights[i] == 0);
                literal.counts[pair] += time;
                if (with_weights)
                    literal.masses[pair] +=
                        (pw_i128)ldexp(weights[i] * (double)time, fraction_bits);
            }
            CHECK_SAME(sums.counts, literal.counts, pairs);
            if (with_weights) CHECK_SAME(sums.masses, literal.masses, pairs);
            CHECK(sums.zeros == literal.zeros);
            HASH(sums.counts, pairs);
            if (with_weights) check_totals(&sums, n_rows, n_cols, fraction_bits);
        }
    }
}

/* ---- merging ----------------------------------------------------------------------------------
 */

static int choose_part(const pw_labels *a, const pw_labels *b, int64_t i, uint64_t salt) {
    driver_random random = {literal_label(a, i) * 31 + literal_label(b, i) + salt};
    return (int)random_below(&random, 2);
}

/* Two tables that share no cell, of the items of both kinds, are one table together. */
static void check_merge(driver_input *in, const pw_labels *a, const pw_labels *b,
                        const pw_table *literal) {
    const uint64_t salt = take_byte(in);
    pw_scratch scratch = {{NULL}, {0}};
    pw_table parts[2];
    for (int part = 0; part < 2; part++) {
        pw_labels own[2] = {*a, *b};
        int64_t used = 0;
        for (int64_t i = 0; i < a->n; i++) used += choose_part(a, b, i, salt) == part;
        own[0].n = own[1].n = used;
        own[0].data = room(used, (size_t)a->itemsize);
        own[1].data = room(used, (size_t)b->itemsize);
        used = 0;
        for (int64_t i = 0; i < a->n; i++) {
            if (choose_part(a, b, i, salt) != part) continue;
            put_label(&own[0], used, literal_label(a, i));
            put_label(&own[1], used++, literal_label(b, i));
        }
        CHECK(pw_meet(&own[0], &own[1], &scratch, pw_vector_at(0), &parts[part], NULL) == PW_OK);
    }
    pw_scratch_free(&scratch);
    const pw_table before = parts[0];
    int status;
    KERNEL(status, , pw_merge(&parts[0], &parts[1], a->is_signed, b->is_signed, &driver_poll),
           CHECK(memcmp(&parts[0], &before, sizeof before) == 0));
    CHECK(status == PW_OK);
    check_table(&parts[0], literal);
    pw_table_free(&parts[0]);
    pw_table_free(&parts[1]);
}

void target_meet(driver_input *in) {
    const int64_t n =
        take_byte(in) % 4 == 0 ? take_between(in, 0, ITEMS_MOST) : take_between(in, 0, 60);
    const pw_labels a = take_labels(in, n);
    const pw_labels b = take_labels(in, n);
    const pw_table literal = literal_table(&a, &b);
    hash_table(&literal);
    check_meets(in, &a, &b, &literal);
    if (n > 0) check_masses(in, &a, &b);
    check_merge(in, &a, &b, &literal);
}
