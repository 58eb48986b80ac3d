#include "pw_meet_job.h"
#include "pw_tuning.h"

/* Every item writes its cell, the last of equal ones prevails; counts[c] holds the items up to the
 * end of cell c until the end. */
int pw_sorted_build(pw_job *job, const pw_poll *poll) {
    int status = pw_build_start(&job->build, job->build.n_rows, job->width, job->n + 1);
    if (status != PW_OK) return status;
    uint32_t rows[PW_BLOCK];
    uint32_t cols[PW_BLOCK];
    int64_t *ends = job->build.ends + 1;
    int64_t *counts = job->build.counts;
    int64_t *to = job->build.cols;
    uint64_t before = 0; /* the key of the item before */
    int64_t used = 0;    /* cells up to that item */
    int64_t top = 0;
    for (int64_t i = 0; i < job->n; i += PW_BLOCK) {
        int64_t count = pw_min64(PW_BLOCK, job->n - i);
        status = pw_read_pairs(&job->source, i, count, rows, cols, &count, &job->outsiders[0]);
        if (status != PW_OK) return status;
        int falls = 0;
        for (int64_t j = 0; j < count; j++) {
            const uint64_t key = (uint64_t)rows[j] << 32 | cols[j];
            falls |= key < before;
            used += (key != before) | (used == 0);
            to[used - 1] = cols[j];
            counts[used - 1] = ++top;
            ends[rows[j]] = used;
            before = key;
        }
        if (falls) return PW_CROWDED;
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    for (int64_t r = 0; r < job->build.n_rows; r++) {
        if (ends[r] > 0) job->build.tops[r] = counts[ends[r] - 1];
    }
    top = 0;
    for (int64_t c = 0; c < used; c++) {
        const int64_t count = counts[c] - top;
        top = counts[c];
        counts[c] = count;
        job->build.col_sizes[to[c]] += count;
    }
    job->segments[0] = (pw_segment){0, job->build.n_rows, 0, 0, used};
    return PW_OK;
}
