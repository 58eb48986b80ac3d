/* The meet where a counter for every pair of labels fits the cache.
 *
 * Each item raises one counter. Counters have 8 bits, so that 1000 x 1000 pairs fit the second-
 * level cache; one that comes round to 0 adds a carry of 256 elsewhere, which is rare. Where the
 * table is tiny or the items are sorted, one counter is raised again and again, and would have to
 * wait for itself: there are copies of it, which neighbouring items take in turn.
 *
 * A group of items is packed before the counters of the group before are raised, and labels are
 * fetched far ahead, so that memory is never idle. The same in vectors is in pw_count_impl.h.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_masses.h"
#include "pw_meet_job.h"
#include "pw_read.h"
#include "pw_tuning.h"
#include "pw_vector.h"

#define GROUP 64
/* How many items ahead labels are fetched into the second-level cache, and into the first. */
#define FAR 1024
#define NEAR 160
/* Items that are taken one by one where one of them has a label outside. */
#define DENSE_BLOCK 256

/* Raises the counters of a group. Indices are loaded two at a time, because to the compiler any
 * counter of 8 bits may lie in them. */
static inline void raise(const uint32_t *index, uint8_t *narrow, uint32_t *carries) {
    for (int64_t j = 0; j < GROUP; j += 8) {
        uint64_t twos[4];
        memcpy(twos, index + j, sizeof twos);
        for (int i = 0; i < 4; i++) {
            const uint32_t x = (uint32_t)twos[i];
            const uint32_t y = (uint32_t)(twos[i] >> 32);
            if (__builtin_expect(++narrow[x] == 0, 0)) carries[x]++;
            if (__builtin_expect(++narrow[y] == 0, 0)) carries[y]++;
        }
    }
}

/* The same of copies that are taken in turn. */
static inline void raise_copies(const uint32_t *index, const pw_counters *counters) {
    uint8_t *first = counters->narrow;
    uint8_t *second = first + counters->apart;
    uint8_t *third = second + counters->apart;
    uint8_t *fourth = third + counters->apart;
    uint32_t *carries = counters->carries;
    for (int64_t j = 0; j < GROUP; j += PW_COPIES) {
        uint32_t x[PW_COPIES];
        memcpy(x, index + j, sizeof x);
        if (__builtin_expect(++first[x[0]] == 0, 0)) carries[x[0]]++;
        if (__builtin_expect(++second[x[1]] == 0, 0)) carries[x[1]]++;
        if (__builtin_expect(++third[x[2]] == 0, 0)) carries[x[2]]++;
        if (__builtin_expect(++fourth[x[3]] == 0, 0)) carries[x[3]]++;
    }
}

/* Fetches the labels of a group that will be packed; those of the last one where that is past it.
 */
static inline void fetch(const pw_labels *v, int64_t item, int64_t end) {
    const char *data = v->data;
    const char *far = data + pw_min64(item + FAR, end - GROUP) * v->itemsize;
    const char *near = data + pw_min64(item + NEAR, end - GROUP) * v->itemsize;
    for (int k = 0; k < GROUP * v->itemsize; k += 64) {
        __builtin_prefetch(far + k, 0, 2);
        __builtin_prefetch(near + k);
    }
}

/* Counts the items `from` on, group by group, and stops before a group that has a label outside;
 * returns how many items these were. A last few that are no group are left. */
static int64_t count_groups(const pw_job *job, int64_t from, int64_t end,
                            const pw_counters *counters) {
    const uint32_t width = (uint32_t)job->width;
    _Alignas(64) uint32_t index[2][GROUP];
    int64_t packed = 0;
    for (int64_t i = from; end - i >= GROUP; i += GROUP, packed++) {
        fetch(job->source.a, i, end);
        fetch(job->source.b, i, end);
        if (job->vector->load_index(&job->source, i, GROUP, width, index[packed % 2])) break;
        if (packed == 0) continue;
        const uint32_t *before = index[(packed - 1) % 2];
        if (counters->apart == 0) {
            raise(before, counters->narrow, counters->carries);
        } else {
            raise_copies(before, counters);
        }
    }
    if (packed > 0) raise(index[(packed - 1) % 2], counters->narrow, counters->carries);
    return packed * GROUP;
}

/* The same by vectors where they can. */
static int64_t count_most(const pw_job *job, int64_t from, int64_t end,
                          const pw_counters *counters) {
    int64_t count = 0;
    if (job->vector->count_items != NULL) {
        count = job->vector->count_items(&job->source, from, end - from, (uint32_t)job->width,
                                         counters);
    }
    return count > 0 ? count : count_groups(job, from, end, counters);
}

/* Counts a few items, whatever their labels. */
static int count_few(pw_job *job, int worker, int64_t from, int64_t count,
                     const pw_counters *counters) {
    _Alignas(64) uint32_t index[DENSE_BLOCK];
    int64_t kept;
    const int status = pw_read_index(job->vector, &job->source, from, count, (uint32_t)job->width,
                                     index, &kept, &job->outsiders[worker]);
    for (int64_t j = 0; j < kept; j++) {
        if (++counters->narrow[index[j]] == 0) counters->carries[index[j]]++;
    }
    return status;
}

int pw_dense_count(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t n_pairs = job->build.n_rows * job->width;
    const int64_t copies = job->copied ? PW_COPIES : 1;
    pw_scratch *scratch = job->scratch[worker];
    const int64_t carries = n_pairs * (int64_t)sizeof(uint32_t);
    const pw_counters counters = {
        .narrow = pw_scratch_take(scratch, PW_SLOT_COUNTERS, n_pairs * copies),
        .carries = pw_scratch_take(scratch, PW_SLOT_CARRIES, carries),
        .apart = job->copied ? (uint32_t)n_pairs : 0,
    };
    if (counters.narrow == NULL || counters.carries == NULL) return PW_NO_MEMORY;
    memset(counters.narrow, 0, (size_t)(n_pairs * copies));
    memset(counters.carries, 0, (size_t)carries);
    const int64_t from = pw_share(job->n, worker, job->n_workers);
    const int64_t end = pw_share(job->n, worker + 1, job->n_workers);
    int64_t polled = from;
    /* vectors of labels then lie in one cache line each */
    int64_t few = pw_min64(pw_to_line(job->source.a, from), end - from);
    for (int64_t i = from; i < end; few = pw_min64(DENSE_BLOCK, end - i)) {
        const int status = count_few(job, worker, i, few, &counters);
        if (status != PW_OK) return status;
        i += few;
        i += count_most(job, i, pw_min64(i + PW_POLL_ITEMS, end), &counters);
        if (i - polled < PW_POLL_ITEMS) continue;
        polled = i;
        if (pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* Adds counters to those of the first copy of the first worker. */
static void add_counters(uint8_t *narrow, uint32_t *carries, const uint8_t *others,
                         int64_t n_pairs) {
    for (int64_t k = 0; k < n_pairs; k++) {
        const uint32_t sum = (uint32_t)narrow[k] + others[k];
        narrow[k] = (uint8_t)sum;
        carries[k] += sum >> 8;
    }
}

/* Adds up the copies of all workers. */
static void add_up(pw_job *job, int64_t n_pairs) {
    uint8_t *narrow = job->scratch[0]->data[PW_SLOT_COUNTERS];
    uint32_t *carries = job->scratch[0]->data[PW_SLOT_CARRIES];
    for (int w = 0; w < job->n_workers; w++) {
        const uint8_t *others = job->scratch[w]->data[PW_SLOT_COUNTERS];
        for (int copy = w == 0; copy < (job->copied ? PW_COPIES : 1); copy++) {
            add_counters(narrow, carries, others + copy * n_pairs, n_pairs);
        }
        if (w == 0) continue;
        const uint32_t *other_carries = job->scratch[w]->data[PW_SLOT_CARRIES];
        for (int64_t k = 0; k < n_pairs; k++) carries[k] += other_carries[k];
    }
}

/* See `row_cells` in pw_vector.h. */
static int64_t row_cells(const uint8_t *narrow, const uint32_t *carries, int64_t width,
                         int64_t *cols, int64_t *counts, int64_t *col_sizes, int64_t *items) {
    int64_t cells = 0;
    for (int64_t j = 0; j < width; j++) {
        const int64_t count = (int64_t)carries[j] << 8 | narrow[j];
        cols[cells] = j;
        counts[cells] = count;
        cells += count != 0;
        col_sizes[j] += count;
        *items += count;
    }
    return cells;
}

/* ---- counters of all pairs, for labels that become a table elsewhere ---- */

/* Sends the items of a block that are dropped to counters that no pair has. */
static void send_nowhere(uint32_t *index, const uint8_t *dropped, int64_t count, uint32_t nowhere) {
    for (int64_t j = 0; j < count;) {
        uint64_t eight = 0;
        if (j + 8 <= count) memcpy(&eight, dropped + j, sizeof eight);
        if (j + 8 <= count && eight == 0) { /* most often none is dropped */
            j += 8;
            continue;
        }
        for (const int64_t stop = pw_min64(j + 8, count); j < stop; j++) {
            if (dropped[j] != 0) index[j] = nowhere + (uint32_t)j % PW_NOWHERE;
        }
    }
}

/* Raises the counters of items in blocks. PW_CROWDED, PW_STOPPED. */
static int count_blocks(const pw_source *source, const pw_vector *vector,
                        const pw_counters *counters, const pw_poll *poll) {
    const uint8_t *dropped = counters->dropped;
    const int64_t n = source->a->n;
    const uint32_t width = (uint32_t)source->col.most + 1;
    const int64_t aligned = pw_to_line(source->a, 0);
    uint32_t index[DENSE_BLOCK];
    int64_t polled = 0;
    for (int64_t i = 0; i < n;) {
        if (i - polled >= PW_POLL_ITEMS) {
            polled = i;
            if (pw_stop(poll)) return PW_STOPPED;
        }
        if (vector->count_items != NULL && i >= aligned) {
            const int64_t most = pw_min64(n - i, PW_POLL_ITEMS);
            const int64_t done = vector->count_items(source, i, most, width, counters);
            i += done;
            if (done > 0) continue;
        }
        const int64_t count = pw_min64(i < aligned ? aligned - i : DENSE_BLOCK, n - i);
        for (int64_t j = i; n >= GROUP && j < i + count; j += GROUP) {
            fetch(source->a, j, n);
            fetch(source->b, j, n);
        }
        if (vector->load_index(source, i, count, width, index)) return PW_CROWDED;
        if (dropped != NULL) send_nowhere(index, dropped + i, count, counters->nowhere);
        int64_t j = 0;
        for (; j + GROUP <= count; j += GROUP) {
            if (counters->apart == 0) {
                raise(index + j, counters->narrow, counters->carries);
            } else {
                raise_copies(index + j, counters);
            }
        }
        for (; j < count; j++) {
            if (++counters->narrow[index[j]] == 0) counters->carries[index[j]]++;
        }
        i += count;
    }
    return PW_OK;
}

int pw_dense_pairs(const pw_source *source, const pw_vector *vector, const uint8_t *dropped,
                   int64_t *counts, const pw_poll *poll) {
    const int64_t n_pairs = ((int64_t)source->row.most + 1) * ((int64_t)source->col.most + 1);
    const int64_t copies = n_pairs <= (int64_t)PW_DENSE_COPIED_PAIRS ? PW_COPIES : 1;
    const int64_t apart = n_pairs + PW_NOWHERE;
    const pw_counters counters = {
        .narrow = calloc((size_t)(apart * copies), 1),
        .carries = calloc((size_t)apart, sizeof *counters.carries),
        .apart = copies > 1 ? (uint32_t)apart : 0,
        .nowhere = (uint32_t)n_pairs,
        .dropped = dropped,
    };
    int status = PW_NO_MEMORY;
    if (counters.narrow != NULL && counters.carries != NULL) {
        status = count_blocks(source, vector, &counters, poll);
    }
    if (status == PW_OK) {
        for (int64_t copy = 1; copy < copies; copy++) {
            add_counters(counters.narrow, counters.carries, counters.narrow + copy * apart,
                         n_pairs);
        }
        for (int64_t k = 0; k < n_pairs; k++) {
            counts[k] = (int64_t)counters.carries[k] << 8 | counters.narrow[k];
        }
    }
    free(counters.narrow);
    free(counters.carries);
    return status;
}

int pw_dense_build(pw_job *job, const pw_poll *poll) {
    const int64_t width = job->width;
    const int64_t n_pairs = job->build.n_rows * width;
    add_up(job, n_pairs);
    const int status =
        pw_build_start(&job->build, job->build.n_rows, width, pw_min64(n_pairs, job->n), 1, poll);
    if (status != PW_OK) return status;
    const uint8_t *narrow = job->scratch[0]->data[PW_SLOT_COUNTERS];
    const uint32_t *carries = job->scratch[0]->data[PW_SLOT_CARRIES];
    int64_t *cols = job->build.cols;
    int64_t *counts = job->build.counts;
    int64_t *col_sizes = job->build.col_sizes;
    pw_row_cells *take_row = job->vector->row_cells != NULL ? job->vector->row_cells : row_cells;
    int64_t used = 0;
    int64_t n_rows = 0;
    int64_t top = 0;
    for (int64_t r = 0; r < job->build.n_rows; r++, narrow += width, carries += width) {
        const int64_t before = used;
        used += take_row(narrow, carries, width, cols + used, counts + used, col_sizes, &top);
        pw_build_row(&job->build, n_rows, r, used, top);
        n_rows += used > before;
    }
    job->segments[0] = (pw_segment){0, 0, 0, n_rows, used};
    return PW_OK;
}
