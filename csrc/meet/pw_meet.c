/* The meet: which path a pair of label arrays takes, and the steps it consists of.
 *
 *   1. Guess both label ranges from a sample (pw_window.c).
 *   2. Choose the first path that fits: dense, sorted, runs, sparse, wide (see pw_meet.h).
 *   3. Take its steps. Several workers may take a step together; one does what lies between steps.
 *   4. Items outside the guessed ranges go by the wide path, and the two tables are merged.
 *      If there are too many, or the items are not sorted after all, begin again with exact ranges.
 * Every path gives the same canonical table, so neither the path nor the number of workers shows.
 */
#include "pw_meet.h"

#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_merge.h"
#include "pw_tuning.h"
#include "pw_wide.h"

enum { PATH_EMPTY, PATH_DENSE, PATH_SORTED, PATH_RUNS, PATH_SPARSE, PATH_WIDE };

/* ---- choosing a path --------------------------------------------------------------------- */

#define STRETCHES 64
#define STRETCH 16

/* What a sample of stretches of neighbouring items says about all items. */
typedef struct {
    int sorted; /* they are in the order of their keys */
    int runs;   /* the same cell comes many times in a row */
} pw_look;

static uint64_t key_at(const pw_source *source, int64_t i) {
    const uint64_t row = pw_label_at(source->a, i) - source->row.low;
    const uint64_t col = pw_label_at(source->b, i) - source->col.low;
    return row << 31 | (col & INT32_MAX);
}

static pw_look look_at(const pw_source *source, int64_t n) {
    pw_look look = {1, 0};
    uint64_t before = 0;
    int repeated = 0;
    for (int s = 0; s < STRETCHES; s++) {
        const int64_t from = pw_share(n - STRETCH, s, STRETCHES);
        for (int64_t i = from; i < from + STRETCH; i++) {
            const uint64_t key = key_at(source, i);
            look.sorted &= key >= before;
            repeated += i > from && key == before;
            before = key;
        }
    }
    look.runs = repeated >= STRETCHES * (STRETCH - STRETCH / PW_RUN_ITEMS);
    return look;
}

static int suits_dense(const pw_job *job, uint64_t n_pairs) {
    const pw_u128 most = (pw_u128)job->n * PW_DENSE_PER_ITEM + PW_DENSE_SLACK;
    return n_pairs <= PW_DENSE_PAIRS && n_pairs <= most;
}

static void choose(pw_job *job) {
    const pw_labels *a = job->source.a;
    const pw_labels *b = job->source.b;
    job->step = 0;
    job->path = PATH_WIDE;
    uint64_t compact = (uint64_t)job->n * PW_COMPACT_PER_ITEM;
    if (compact < PW_COMPACT_FLOOR) compact = PW_COMPACT_FLOOR;
    int rows_fit = 0;
    int cols_fit = 0;
    if (job->exact) {
        job->source.row = pw_exact_window(a, job->vector->range, compact, &rows_fit);
        if (rows_fit) job->source.col = pw_exact_window(b, job->vector->range, compact, &cols_fit);
    } else {
        job->source.row = pw_guessed_window(a, compact, &rows_fit);
        if (rows_fit) job->source.col = pw_guessed_window(b, compact, &cols_fit);
    }
    if (!rows_fit || !cols_fit) return;
    job->build.n_rows = (int64_t)job->source.row.most + 1;
    job->width = (int64_t)job->source.col.most + 1;
    job->col_bits = pw_bits((uint64_t)job->source.col.most);
    job->key_bits = job->col_bits + pw_bits((uint64_t)job->source.row.most);
    const uint64_t n_pairs = (uint64_t)job->build.n_rows * (uint64_t)job->width;
    pw_look look = {0, 0};
    const int tiny = n_pairs <= PW_DENSE_COPIED_PAIRS;
    if (job->n >= PW_GUESS_ITEMS && !tiny) look = look_at(&job->source, job->n);
    if (suits_dense(job, n_pairs)) {
        job->path = PATH_DENSE;
        const uint64_t copied = look.sorted ? PW_DENSE_SORTED_PAIRS : PW_DENSE_COPIED_PAIRS;
        job->copied = n_pairs <= copied;
    } else {
        job->path = PATH_SPARSE;
        if (look.runs && !job->ragged) job->path = PATH_RUNS;
        if (look.sorted && !job->unsorted) job->path = PATH_SORTED;
        pw_sparse_start(job);
    }
}

int pw_meet_start(pw_job *job, const pw_labels *a, const pw_labels *b, pw_scratch *const *scratch,
                  int n_workers, const pw_vector *vector) {
    memset(job, 0, sizeof *job);
    job->vector = vector;
    job->source.a = a;
    job->source.b = b;
    job->n = a->n;
    job->scratch = scratch;
    job->n_workers = n_workers;
    job->exact = a->n < PW_GUESS_ITEMS;
    if (job->n > 0) choose(job);
    /* the items outside cost a pass over the table when the two tables are merged */
    for (int w = 0; w < n_workers; w++)
        job->outsiders[w].limit = job->n / PW_OUTSIDE_PER / n_workers;
    return PW_OK;
}

/* ---- steps ------------------------------------------------------------------------------- */

static int empty_table(pw_table *table) {
    table->row_values = malloc(sizeof *table->row_values);
    table->col_values = malloc(sizeof *table->col_values);
    table->indptr = calloc(1, sizeof *table->indptr);
    table->cols = malloc(sizeof *table->cols);
    table->counts = malloc(sizeof *table->counts);
    table->row_sizes = malloc(sizeof *table->row_sizes);
    table->col_sizes = malloc(sizeof *table->col_sizes);
    const int whole = table->row_values && table->col_values && table->indptr && table->cols &&
                      table->counts && table->row_sizes && table->col_sizes;
    return whole ? PW_OK : PW_NO_MEMORY;
}

int pw_meet_step(pw_job *job, int worker, const pw_poll *poll) {
    const int last = job->n_workers - 1;
    switch (job->path) {
    case PATH_EMPTY:
        return worker == 0 ? empty_table(&job->table) : PW_OK;
    case PATH_DENSE:
        return pw_dense_count(job, worker, poll);
    case PATH_SORTED:
        return worker == 0 ? pw_sorted_build(job, poll) : PW_OK;
    case PATH_RUNS:
        return worker == 0 ? pw_runs_build(job, poll) : PW_OK;
    case PATH_WIDE:
        if (worker != 0) return PW_OK;
        return pw_meet_wide(job->source.a, job->source.b, job->scratch[0], &job->table, poll);
    default:
        break;
    }
    if (job->step == 0) return pw_sparse_scatter(job, worker, poll);
    if (job->step == 1) return pw_sparse_parts(job, worker, poll);
    int status = PW_OK;
    if (worker == 0) status = pw_build_cols(&job->build, job->segments, job->n_workers, poll);
    if (worker == last && status == PW_OK) {
        status = pw_build_counts(&job->build, job->segments, job->n_workers, poll);
    }
    return status;
}

/* Adds the table of the items outside the windows to that of the others. */
static int add_outsiders(pw_job *job, const pw_poll *poll) {
    int64_t n = 0;
    for (int w = 0; w < job->n_workers; w++) n += job->outsiders[w].used;
    if (n == 0) return PW_OK;
    uint64_t *pairs = malloc((size_t)n * 2 * sizeof *pairs);
    if (pairs == NULL) return PW_NO_MEMORY;
    int64_t i = 0;
    for (int w = 0; w < job->n_workers; w++) {
        const pw_outsiders *outside = &job->outsiders[w];
        for (int64_t k = 0; k < outside->used; k++, i++) {
            pairs[i] = outside->pairs[2 * k];
            pairs[n + i] = outside->pairs[2 * k + 1];
        }
    }
    const int rows_signed = job->source.a->is_signed;
    const int cols_signed = job->source.b->is_signed;
    const pw_labels a = {pairs, n, 8, rows_signed};
    const pw_labels b = {pairs + n, n, 8, cols_signed};
    pw_table other;
    int status = pw_meet_wide(&a, &b, job->scratch[0], &other, poll);
    free(pairs);
    if (status != PW_OK) return status;
    status = pw_merge(&job->table, &other, rows_signed, cols_signed, poll);
    pw_table_free(&other);
    return status;
}

static int sides(pw_job *job, int n_segments, const pw_poll *poll) {
    return pw_build_sides(&job->build, job->segments, n_segments, job->source.row.low,
                          job->source.col.low, job->scratch[0], &job->table, poll);
}

static int finish(pw_job *job, const pw_poll *poll) {
    pw_build_finish(&job->build, &job->table);
    return add_outsiders(job, poll);
}

/* Finishes a table that is in one segment. */
static int finish_whole(pw_job *job, const pw_poll *poll) {
    int status = sides(job, 1, poll);
    if (status == PW_OK) status = pw_build_cols(&job->build, job->segments, 1, poll);
    return status == PW_OK ? finish(job, poll) : status;
}

/* Chooses another path: too many labels lie outside the guessed windows, or items that seemed
 * sorted, or to come in runs, do not. */
static int choose_again(pw_job *job) {
    pw_build_free(&job->build);
    for (int w = 0; w < job->n_workers; w++) job->outsiders[w].used = 0;
    if (job->path == PATH_SORTED && !job->unsorted) {
        job->unsorted = 1;
    } else if (job->path == PATH_RUNS && !job->ragged) {
        job->ragged = 1;
    } else if (!job->exact) {
        job->exact = 1;
    } else {
        job->path = PATH_WIDE;
        return PW_OK;
    }
    choose(job);
    return PW_OK;
}

int pw_meet_turn(pw_job *job, int status, int *steps_left, const pw_poll *poll) {
    *steps_left = 1;
    if (status == PW_CROWDED) return choose_again(job);
    *steps_left = 0;
    if (status != PW_OK) return status;
    switch (job->path) {
    case PATH_DENSE:
        status = pw_dense_build(job, poll);
        return status == PW_OK ? finish_whole(job, poll) : status;
    case PATH_SORTED:
    case PATH_RUNS:
        return finish_whole(job, poll);
    case PATH_SPARSE:
        break;
    default:
        return PW_OK;
    }
    if (job->step == 2) return finish(job, poll);
    *steps_left = 1;
    job->step++;
    if (job->step == 1) return pw_sparse_share(job, poll);
    status = pw_sparse_build(job, poll);
    return status == PW_OK ? sides(job, job->n_workers, poll) : status;
}

int pw_meet_end(pw_job *job, int status, pw_table *table) {
    for (int w = 0; w < job->n_workers; w++) free(job->outsiders[w].pairs);
    pw_build_free(&job->build);
    if (status == PW_OK) {
        *table = job->table;
    } else {
        pw_table_free(&job->table);
        memset(table, 0, sizeof *table);
    }
    return status;
}

int pw_meet(const pw_labels *a, const pw_labels *b, pw_scratch *scratch, const pw_vector *vector,
            pw_table *table, const pw_poll *poll) {
    pw_job job;
    int status = pw_meet_start(&job, a, b, &scratch, 1, vector);
    int steps_left = 1;
    while (status == PW_OK && steps_left) {
        status = pw_meet_turn(&job, pw_meet_step(&job, 0, poll), &steps_left, poll);
    }
    return pw_meet_end(&job, status, table);
}
