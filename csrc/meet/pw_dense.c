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
#include "pw_read.h"
#include "pw_tuning.h"

/* Small enough that labels, indices and some of the counters stay in a first-level cache of 32
 * KiB. */
#define DENSE_BLOCK 256

static void count_wide(const uint32_t *index, int64_t count, uint32_t *pairs, pw_ahead next) {
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) {
        pw_fetch(&next);
        for (int64_t i = j; i < j + 8; i++) pairs[index[i]]++;
    }
    for (; j < count; j++) pairs[index[j]]++;
}

/* A counter that comes round to 0 has left 256 behind. Indices are loaded two at a time, because to
 * the compiler any counter of 8 bits may lie in them. */
static void count_narrow(const uint32_t *index, int64_t count, uint8_t *pairs, uint32_t *carries,
                         pw_ahead next) {
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) {
        pw_fetch(&next);
        uint64_t twos[4];
        memcpy(twos, index + j, sizeof twos);
        for (int i = 0; i < 4; i++) {
            const uint32_t x = (uint32_t)twos[i];
            const uint32_t y = (uint32_t)(twos[i] >> 32);
            if (__builtin_expect(++pairs[x] == 0, 0)) carries[x]++;
            if (__builtin_expect(++pairs[y] == 0, 0)) carries[y]++;
        }
    }
    for (; j < count; j++) {
        if (++pairs[index[j]] == 0) carries[index[j]]++;
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
    uint32_t index[DENSE_BLOCK];
    const int64_t from = pw_share(job->n, worker, job->n_workers);
    const int64_t end = pw_share(job->n, worker + 1, job->n_workers);
    const uint32_t width = (uint32_t)job->width;
    for (int64_t i = from; i < end; i += DENSE_BLOCK) {
        const int64_t count = pw_min64(DENSE_BLOCK, end - i);
        int64_t kept;
        const int status = pw_read_index(job->vector, &job->source, i, count, width, index, &kept,
                                         &job->outsiders[worker]);
        if (status != PW_OK) return status;
        const pw_ahead next = pw_ahead_of(&job->source, i + count, end);
        if (job->narrow) {
            count_narrow(index, kept, narrow, carries, next);
        } else {
            count_wide(index, kept, wide, next);
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
    const int status =
        pw_build_start(&job->build, job->build.n_rows, width, pw_min64(n_pairs, job->n), 1);
    if (status != PW_OK) return status;
    const uint32_t *wide = job->scratch[0]->data[PW_SLOT_COUNTERS];
    const uint8_t *narrow = job->scratch[0]->data[PW_SLOT_COUNTERS];
    const uint32_t *carries = job->scratch[0]->data[PW_SLOT_CARRIES];
    int64_t *cols = job->build.cols;
    int64_t *counts = job->build.counts;
    int64_t *col_sizes = job->build.col_sizes;
    int64_t used = 0;
    int64_t n_rows = 0;
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
        pw_build_row(&job->build, n_rows, r, used, top);
        n_rows += used > before;
    }
    job->segments[0] = (pw_segment){0, 0, 0, n_rows, used};
    return PW_OK;
}
