/* Matching: against all choices where these are few, else by the proof that the duals are. */
#include "pw_match.h"
#include "pw_match_parts.h"
#include "tables.h"

#define SIDE_MOST 14
#define SUBSETS_MOST 10 /* columns of which all subsets are tried */
#define WORKERS_MOST 3

/* The largest gain of any matching, over all subsets of columns. */
static pw_i128 most_gain(const driver_table *t, const int64_t *gains) {
    const int64_t subsets = INT64_C(1) << t->n_cols;
    pw_i128 *most = room(subsets, sizeof *most);
    for (int64_t r = 0; r < t->n_rows; r++) {
        /* from the full set down: what is read still lacks row r */
        for (int64_t set = subsets - 1; set >= 0; set--) {
            for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++) {
                const int64_t bit = INT64_C(1) << t->cols[c];
                if (!(set & bit)) continue;
                const pw_i128 gain = most[set ^ bit] + gains[c];
                if (gain > most[set]) most[set] = gain;
            }
        }
    }
    return most[subsets - 1];
}

typedef struct {
    int64_t *match;
    int64_t *row_duals;
    int64_t *col_duals;
} matching;

static matching new_matching(const driver_table *t) {
    return (matching){new_int64s(t->n_rows), new_int64s(t->n_rows), new_int64s(t->n_cols)};
}

/* The pairs are a matching, the duals prove that it is best; returns its gain. */
static pw_i128 check_matching(const driver_table *t, const int64_t *gains, const matching *m) {
    pw_i128 total = 0, bound = 0;
    uint8_t *row_met = room(t->n_rows, 1), *col_met = room(t->n_cols, 1);
    for (int64_t r = 0; r < t->n_rows; r++) {
        const int64_t cell = m->match[r];
        if (cell < 0) continue;
        CHECK(cell >= t->indptr[r] && cell < t->indptr[r + 1]);
        CHECK(!col_met[t->cols[cell]]);
        row_met[r] = col_met[t->cols[cell]] = 1;
        total += gains[cell];
    }
    for (int64_t r = 0; r < t->n_rows; r++) {
        CHECK(m->row_duals[r] >= 0 && (row_met[r] || m->row_duals[r] == 0));
        bound += m->row_duals[r];
        for (int64_t c = t->indptr[r]; c < t->indptr[r + 1]; c++)
            CHECK((pw_i128)m->row_duals[r] + m->col_duals[t->cols[c]] >= gains[c]);
    }
    for (int64_t c = 0; c < t->n_cols; c++) {
        CHECK(m->col_duals[c] >= 0 && (col_met[c] || m->col_duals[c] == 0));
        bound += m->col_duals[c];
    }
    CHECK(total == bound);
    HASH(m->match, t->n_rows);
    HASH(m->row_duals, t->n_rows);
    HASH(m->col_duals, t->n_cols);
    return total;
}

/* ---- by components ----------------------------------------------------------------------------
 */

typedef struct {
    const driver_table *table;
    pw_match_parts parts;
    uint8_t *owners;
    pw_match_scans scans;
    matching to;
    int tied;
} component_job;

static int match_part(void *context, int part) {
    component_job *job = context;
    return pw_match_components(&job->parts, job->table->indptr, job->owners, part, job->tied,
                               &job->scans, job->to.match, job->to.row_duals, job->to.col_duals,
                               &driver_poll);
}

static int match_by_team(component_job *job, int workers) {
    const int status = pw_match_deal(&job->parts, workers, job->owners);
    return status == PW_OK ? run_team(match_part, job, workers) : status;
}

static void check_components(driver_input *in, const driver_table *t, const int64_t *gains,
                             int tied, pw_i128 most) {
    component_job job = {.table = t, .tied = tied};
    int status;
    KERNEL(status, pw_match_parts_free(&job.parts),
           pw_match_take_apart(t->indptr, t->cols, gains, t->n_rows, t->n_cols, &job.parts,
                               &driver_poll),
           CHECK(job.parts.n == 0 && job.parts.rows == NULL));
    CHECK(status == PW_OK);
    if (job.parts.n > 0) {
        const int workers = 1 + (int)take_below(in, WORKERS_MOST);
        job.owners = room(job.parts.n, 1);
        job.scans = (pw_match_scans){take_byte(in), take_byte(in) % 4, take_byte(in) % 4};
        job.to = new_matching(t);
        /* single rows and columns are in no component */
        KERNEL_PLAIN(status, match_by_team(&job, workers));
        CHECK(status == PW_OK);
        CHECK(check_matching(t, gains, &job.to) == most);
    }
    pw_match_parts_free(&job.parts);
}

void target_match(driver_input *in) {
    const int bits = take_byte(in) % 3 == 0 ? 53 : 6;
    const int blocks = 1 + (int)take_below(in, 4);
    driver_table t = take_table(in, SIDE_MOST, SIDE_MOST, bits);
    if (blocks > 1) {
        /* several tables that share no row and no column */
        int64_t *matrix = new_int64s(t.n_rows * t.n_cols * blocks * blocks);
        for (int b = 0; b < blocks; b++)
            for (int64_t r = 0; r < t.n_rows; r++)
                for (int64_t c = 0; c < t.n_cols; c++)
                    matrix[(b * t.n_rows + r) * t.n_cols * blocks + b * t.n_cols + c] =
                        t.matrix[r * t.n_cols + c];
        t = table_of_matrix(matrix, t.n_rows * blocks, t.n_cols * blocks);
    }
    int64_t *gains = new_int64s(t.n_cells);
    const int64_t less = take_between(in, 0, 1);
    for (int64_t c = 0; c < t.n_cells; c++) gains[c] = t.counts[c] - less;
    const int tied = take_byte(in) % 2;
    const int64_t budget = (int64_t)take_below(in, 1 << 10) * (take_byte(in) % 4);
    matching direct = new_matching(&t);
    pw_match_parts parts = {0};
    int status;
    KERNEL(status, pw_match_parts_free(&parts),
           pw_match(t.indptr, t.cols, gains, t.n_rows, t.n_cols, tied, budget, NULL, direct.match,
                    direct.row_duals, direct.col_duals, &driver_poll), );
    CHECK(status == PW_OK);
    const pw_i128 total = check_matching(&t, gains, &direct);
    if (t.n_cols <= SUBSETS_MOST) CHECK(total == most_gain(&t, gains));
    KERNEL(status, pw_match_parts_free(&parts),
           pw_match(t.indptr, t.cols, gains, t.n_rows, t.n_cols, tied, budget, &parts, direct.match,
                    direct.row_duals, direct.col_duals, &driver_poll),
           CHECK(parts.n == 0 && parts.rows == NULL));
    CHECK(status == PW_OK || (status == PW_CROWDED && parts.n > 0));
    if (status == PW_OK) CHECK(check_matching(&t, gains, &direct) == total);
    pw_match_parts_free(&parts);
    check_components(in, &t, gains, tied, total);
}
