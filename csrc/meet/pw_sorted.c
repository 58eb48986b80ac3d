/* The meet where the items come in the order of their cells, or in runs of one cell.
 *
 * Sorted items need one pass; it is left at the first inversion. Where the same cell comes many
 * times in a row, the runs are sorted (a radix sort of pairs of key and length) instead of the
 * items.
 */
#include "pw_meet_job.h"
#include "pw_radix.h"
#include "pw_tuning.h"

/* Writes the rows, and turns running totals into the counts of the cells. row_of[c] is the row of
 * cell c. */
static int close_cells(pw_job *job, const uint32_t *row_of, int64_t used, const pw_poll *poll) {
    const pw_build *build = &job->build;
    int64_t n_rows = 0;
    int64_t top = 0;
    for (int64_t c = 0; c < used;) {
        const int64_t stop = pw_min64(used, c + PW_POLL_SCATTERED);
        for (; c < stop; c++) {
            const int64_t next = build->counts[c];
            n_rows += c == 0 || row_of[c] != row_of[c - 1];
            pw_build_row(build, n_rows - 1, row_of[c], c + 1, next);
            build->counts[c] = next - top;
            build->col_sizes[build->cols[c]] += next - top;
            top = next;
        }
        if (c < used && pw_stop(poll)) return PW_STOPPED;
    }
    job->segments[0] = (pw_segment){0, 0, 0, n_rows, used};
    return PW_OK;
}

/* Every item writes its cell, and the last of equal ones prevails. Until the end,
 * counts[c] holds the number of items up to the end of cell c. */
int pw_sorted_build(pw_job *job, const pw_poll *poll) {
    int status = pw_build_start(&job->build, job->build.n_rows, job->width, job->n, 1, poll);
    if (status != PW_OK) return status;
    uint32_t rows[PW_BLOCK];
    uint32_t cols[PW_BLOCK];
    uint32_t *row_of =
        pw_scratch_take(job->scratch[0], PW_SLOT_KEYS, (job->n + 1) * (int64_t)sizeof *row_of);
    if (row_of == NULL) return PW_NO_MEMORY;
    int64_t *counts = job->build.counts;
    int64_t *to = job->build.cols;
    uint64_t before = 0; /* the key of the item before */
    int64_t used = 0;    /* cells up to that item */
    int64_t top = 0;
    for (int64_t i = 0; i < job->n; i += PW_BLOCK) {
        int64_t count = pw_min64(PW_BLOCK, job->n - i);
        pw_ahead ahead = pw_ahead_of(&job->source, i + count, job->n);
        status = pw_read_pairs(&job->source, i, count, rows, cols, &count, &job->outsiders[0]);
        if (status != PW_OK) return status;
        int falls = 0;
        for (int64_t j = 0; j < count; j++) {
            if (j % 8 == 0) pw_fetch(&ahead);
            const uint64_t key = (uint64_t)rows[j] << 32 | cols[j];
            falls |= key < before;
            used += (key != before) | (used == 0);
            to[used - 1] = cols[j];
            counts[used - 1] = ++top;
            row_of[used - 1] = rows[j];
            before = key;
        }
        if (falls) return PW_CROWDED;
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return close_cells(job, row_of, used, poll);
}

/* ---- the same cell many times in a row, cells in any order ------------------------------- */

/* The worker's runs as pairs of key and length: *used of them. PW_CROWDED: more than `most`. */
static int find_runs(pw_job *job, pw_pair *runs, int64_t most, int64_t *used, const pw_poll *poll) {
    uint32_t rows[PW_BLOCK];
    uint32_t cols[PW_BLOCK];
    uint64_t before = UINT64_MAX; /* no key */
    int64_t last = -1;
    for (int64_t i = 0; i < job->n; i += PW_BLOCK) {
        int64_t count = pw_min64(PW_BLOCK, job->n - i);
        const int status =
            pw_read_pairs(&job->source, i, count, rows, cols, &count, &job->outsiders[0]);
        if (status != PW_OK) return status;
        if (last + count >= most) return PW_CROWDED;
        for (int64_t j = 0; j < count; j++) {
            const uint64_t key = (uint64_t)rows[j] << job->col_bits | cols[j];
            const int fresh = key != before;
            last += fresh;
            runs[last].key = key;
            runs[last].value = fresh ? 1 : runs[last].value + 1;
            before = key;
        }
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    *used = last + 1;
    return PW_OK;
}

int pw_runs_build(pw_job *job, const pw_poll *poll) {
    const int64_t most = job->n / PW_RUN_ITEMS + PW_BLOCK;
    const int64_t bytes = most * (int64_t)sizeof(pw_pair);
    pw_pair *runs = pw_scratch_take(job->scratch[0], PW_SLOT_KEYS, bytes);
    if (runs == NULL) return PW_NO_MEMORY;
    int64_t n_runs = 0;
    int status = find_runs(job, runs, most, &n_runs, poll);
    if (status != PW_OK) return status;
    pw_pair *other = pw_scratch_take(job->scratch[0], PW_SLOT_SPARE, bytes);
    if (other == NULL) return PW_NO_MEMORY;
    status = pw_sort_pairs_with(runs, other, n_runs, job->key_bits, poll);
    if (status == PW_OK) {
        status = pw_build_start(&job->build, job->build.n_rows, job->width, n_runs, 1, poll);
    }
    if (status != PW_OK) return status;
    const uint64_t col_mask = ((uint64_t)1 << job->col_bits) - 1;
    int64_t used = 0;
    int64_t top = 0;
    uint32_t *row_of = (uint32_t *)other; /* what was sorted is in `runs` */
    for (int64_t i = 0; i < n_runs;) {
        const int64_t stop = pw_min64(n_runs, i + PW_POLL_ITEMS);
        for (; i < stop; i++) {
            used += i == 0 || runs[i].key != runs[i - 1].key;
            top += runs[i].value;
            job->build.cols[used - 1] = (int64_t)(runs[i].key & col_mask);
            job->build.counts[used - 1] = top;
            row_of[used - 1] = (uint32_t)(runs[i].key >> job->col_bits);
        }
        if (i < n_runs && pw_stop(poll)) return PW_STOPPED;
    }
    return close_cells(job, row_of, used, poll);
}
