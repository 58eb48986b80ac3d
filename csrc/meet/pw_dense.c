/* The meet where a counter for every pair of labels fits the cache.
 *
 * Each item raises one counter. Counters have 8 bits, so that 1000 x 1000 pairs fit the second-
 * level cache; one that comes round to 0 adds a carry of 256 elsewhere, which is rare. Where the
 * table is tiny or the items are sorted, one counter is raised again and again, carries would be
 * frequent, and counters have 32 bits. Labels ahead are prefetched while counters are raised.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_meet_job.h"
#include "pw_tuning.h"

/* Small enough that labels, offsets and some of the counters stay in the first-level cache. */
#define DENSE_BLOCK 512

static void count_wide(const uint32_t *rows, const uint32_t *cols, int64_t count, uint32_t width,
                       uint32_t *pairs, pw_ahead next) {
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) {
        pw_fetch(&next);
        for (int64_t i = j; i < j + 8; i++) pairs[rows[i] * width + cols[i]]++;
    }
    for (; j < count; j++) pairs[rows[j] * width + cols[j]]++;
}

/* A counter that comes round to 0 has left 256 behind. */
static void count_narrow(const uint32_t *rows, const uint32_t *cols, int64_t count, uint32_t width,
                         uint8_t *pairs, uint32_t *carries, pw_ahead next) {
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) {
        pw_fetch(&next);
        for (int64_t i = j; i < j + 8; i++) {
            const uint32_t pair = rows[i] * width + cols[i];
            if (__builtin_expect(++pairs[pair] == 0, 0)) carries[pair]++;
        }
    }
    for (; j < count; j++) {
        const uint32_t pair = rows[j] * width + cols[j];
        if (++pairs[pair] == 0) carries[pair]++;
    }
}

int pw_dense_count(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t n_pairs = job->build.n_rows * job->width;
    pw_scratch *scratch = job->scratch[worker];
    uint32_t *wide = NULL;
    uint8_t *narrow = NULL;
    uint32_t *carries = NULL;
    if (job->narrow) {
        narrow = pw_scratch_take(scratch, PW_SLOT_COUNTERS, n_pairs);
        carries = pw_scratch_take(scratch, PW_SLOT_CARRIES, n_pairs * (int64_t)sizeof *carries);
        if (narrow == NULL || carries == NULL) return PW_NO_MEMORY;
        memset(narrow, 0, (size_t)n_pairs);
        memset(carries, 0, (size_t)n_pairs * sizeof *carries);
    } else {
        wide = pw_scratch_take(scratch, PW_SLOT_COUNTERS, n_pairs * (int64_t)sizeof *wide);
        if (wide == NULL) return PW_NO_MEMORY;
        memset(wide, 0, (size_t)n_pairs * sizeof *wide);
    }
    uint32_t rows[DENSE_BLOCK];
    uint32_t cols[DENSE_BLOCK];
    const int64_t from = pw_share(job->n, worker, job->n_workers);
    const int64_t end = pw_share(job->n, worker + 1, job->n_workers);
    const uint32_t width = (uint32_t)job->width;
    for (int64_t i = from; i < end; i += DENSE_BLOCK) {
        const int64_t count = pw_min64(DENSE_BLOCK, end - i);
        int64_t kept;
        const int status =
            pw_read_pairs(&job->source, i, count, rows, cols, &kept, &job->outsiders[worker]);
        if (status != PW_OK) return status;
        const pw_ahead next = pw_ahead_of(&job->source, i + count, end);
        if (job->narrow) {
            count_narrow(rows, cols, kept, width, narrow, carries, next);
        } else {
            count_wide(rows, cols, kept, width, wide, next);
        }
        if ((i - from) % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* Adds the counters of all workers to those of the first. */
static void add_up(pw_job *job, int64_t n_pairs) {
    uint32_t *wide = job->scratch[0]->data[PW_SLOT_COUNTERS];
    uint8_t *narrow = job->scratch[0]->data[PW_SLOT_COUNTERS];
    uint32_t *carries = job->scratch[0]->data[PW_SLOT_CARRIES];
    for (int w = 1; w < job->n_workers; w++) {
        if (job->narrow) {
            const uint8_t *other = job->scratch[w]->data[PW_SLOT_COUNTERS];
            const uint32_t *other_carries = job->scratch[w]->data[PW_SLOT_CARRIES];
            for (int64_t k = 0; k < n_pairs; k++) {
                const uint32_t sum = (uint32_t)narrow[k] + other[k];
                narrow[k] = (uint8_t)sum;
                carries[k] += other_carries[k] + (sum >> 8);
            }
        } else {
            const uint32_t *other = job->scratch[w]->data[PW_SLOT_COUNTERS];
            for (int64_t k = 0; k < n_pairs; k++) wide[k] += other[k];
        }
    }
}

#define DENSE_CELLS(COUNT)                                                                         \
    for (int64_t j = 0; j < width; j++) {                                                          \
        const int64_t count = (COUNT);                                                             \
        cols[used] = j;                                                                            \
        counts[used] = count;                                                                      \
        used += count != 0;                                                                        \
        col_sizes[j] += count;                                                                     \
        top += count;                                                                              \
    }

int pw_dense_build(pw_job *job) {
    const int64_t width = job->width;
    const int64_t n_pairs = job->build.n_rows * width;
    add_up(job, n_pairs);
    /* one more than needed: a cell is written before its counter is known not to be 0 */
    const int status =
        pw_build_start(&job->build, job->build.n_rows, width, pw_min64(n_pairs, job->n) + 1);
    if (status != PW_OK) return status;
    const uint32_t *wide = job->scratch[0]->data[PW_SLOT_COUNTERS];
    const uint8_t *narrow = job->scratch[0]->data[PW_SLOT_COUNTERS];
    const uint32_t *carries = job->scratch[0]->data[PW_SLOT_CARRIES];
    int64_t *cols = job->build.cols;
    int64_t *counts = job->build.counts;
    int64_t *col_sizes = job->build.col_sizes;
    int64_t used = 0;
    int64_t top = 0;
    for (int64_t r = 0; r < job->build.n_rows; r++) {
        const int64_t before = used;
        if (job->narrow) {
            DENSE_CELLS((int64_t)carries[j] << 8 | narrow[j])
            carries += width;
            narrow += width;
        } else {
            DENSE_CELLS(wide[j])
            wide += width;
        }
        job->build.ends[r + 1] = used > before ? used : 0;
        job->build.tops[r] = top;
    }
    job->segments[0] = (pw_segment){0, job->build.n_rows, 0, 0, used};
    return PW_OK;
}
