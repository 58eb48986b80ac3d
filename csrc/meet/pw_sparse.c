/* The meet by partitioning: keys are split into parts that fit the cache, then counted there.
 *
 * key = row << col_bits | column
 *   step 0  scatter: keys move to their parts, by their leading bits, in one pass (pw_chunks.c);
 *           what the part tells is dropped, which leaves 32 bits where that is enough
 *   step 1  every part becomes cells in ascending order, by the first that fits:
 *             a counter for each value    the keys of the part have few values
 *             a hash table, then a sort   there are few cells among the items
 *             a radix sort                otherwise; with vector instructions a quicksort instead
 * of this and of hashing (pw_cells_impl.h) A part that is too large is sampled first. What is
 * crowded in it (one giant cell or row) is cut out in one pass, which leaves three parts: smaller
 * keys, the crowd, larger keys. The rest is split by its next bits. What depends on the width of
 * keys is in pw_sparse_impl.h; hashing is in pw_sparse_hash.h.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_meet_job.h"
#include "pw_radix.h"
#include "pw_read.h"
#include "pw_tuning.h"
#include "pw_vector.h"

static inline int row_bits_of(const pw_job *job) {
    return job->key_bits - job->col_bits;
}

static inline int rest_bits_of(const pw_job *job) {
    return job->key_bits - job->part_bits;
}

static inline int64_t parts_of(const pw_job *job) {
    return (int64_t)1 << job->part_bits;
}

/* How many items lie before each part, in the order of parts; one more. */
static inline int64_t *begins_of(const pw_job *job) {
    return job->scratch[0]->data[PW_SLOT_BEGINS];
}

static int64_t first_row_of(const pw_job *job, int64_t part) {
    const int bits = row_bits_of(job) - job->part_bits;
    return bits >= 0 ? part << bits : part >> -bits;
}

void pw_sparse_start(pw_job *job) {
    int bits = pw_bits((uint64_t)job->n) - PW_PART_ITEM_BITS;
    if (bits > PW_PART_BITS_CACHED) bits = PW_PART_BITS_CACHED;
    /* more parts are worth it if the rest of a key then has 32 bits */
    const int for_short = job->key_bits - 32;
    if (bits < for_short && for_short <= PW_PART_BITS_MOST) bits = for_short;
    if (bits > job->key_bits) bits = job->key_bits;
    job->part_bits = bits < 0 ? 0 : bits;
    job->short_keys = rest_bits_of(job) <= 32 && job->n <= UINT32_MAX;
    job->shape = pw_shape_of_keys(row_bits_of(job), job->col_bits, job->part_bits);
}

#define KEY uint32_t
#define NAME(x) x##_u32
#define SHORT 1
#include "pw_sparse_impl.h"
#undef KEY
#undef NAME
#undef SHORT
#define KEY uint64_t
#define NAME(x) x##_u64
#define SHORT 0
#include "pw_sparse_impl.h"
#undef KEY
#undef NAME
#undef SHORT

int pw_sparse_scatter(pw_job *job, int worker, const pw_poll *poll) {
    return job->short_keys ? scatter_u32(job, worker, poll) : scatter_u64(job, worker, poll);
}

/* ---- which worker takes which parts ------------------------------------------------------ */

/* Every worker gets about the same number of items; the parts of one row have one worker. */
int pw_sparse_share(pw_job *job, const pw_poll *poll) {
    const int64_t parts = parts_of(job);
    int64_t *begins =
        pw_scratch_take(job->scratch[0], PW_SLOT_BEGINS, (parts + 1) * (int64_t)sizeof *begins);
    if (begins == NULL) return PW_NO_MEMORY;
    begins[0] = 0;
    for (int64_t p = 0; p < parts; p++) {
        begins[p + 1] = begins[p];
        for (int w = 0; w < job->n_workers; w++) {
            begins[p + 1] += pw_chunks_size(&job->chunks[w], p);
        }
    }
    const int spread = job->part_bits - row_bits_of(job);
    const int64_t together = spread > 0 ? (int64_t)1 << spread : 1;
    const int64_t total = begins[parts];
    int64_t part = 0;
    for (int w = 0; w < job->n_workers; w++) {
        const int64_t goal = pw_share(total, w, job->n_workers);
        while (part < parts && begins[part] < goal) part += together;
        job->first_part[w] = part;
    }
    job->first_part[job->n_workers] = parts;
    return pw_build_start(&job->build, job->build.n_rows, job->width, total, job->n_workers, poll);
}

int pw_sparse_parts(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t from = job->first_part[worker];
    const int64_t end = job->first_part[worker + 1];
    const int64_t first = begins_of(job)[from];
    const int64_t gap = (int64_t)worker * PW_BUILD_GAP;
    pw_segment *segment = &job->segments[worker];
    segment->first_row = pw_min64(first_row_of(job, from), job->build.n_rows) + gap;
    segment->first_cell = first + gap;
    segment->first_item = first;
    pw_filler filler = {.build = &job->build,
                        .scratch = job->scratch[worker],
                        .used = segment->first_cell,
                        .items = first,
                        .n_rows = segment->first_row,
                        .row = -1,
                        .col_bits = job->col_bits,
                        .stream = job->n >= PW_STREAM_ITEMS,
                        .poll = poll};
    const int64_t width = job->short_keys ? sizeof(uint32_t) : sizeof(uint64_t);
    filler.col_sizes = pw_scratch_take(filler.scratch, PW_SLOT_COLUMNS, job->width * width);
    if (filler.col_sizes == NULL) return PW_NO_MEMORY;
    int status = pw_zeros(filler.col_sizes, job->width * width, poll);
    if (status != PW_OK) return status;
    status =
        job->short_keys ? parts_u32(job, &filler, from, end) : parts_u64(job, &filler, from, end);
    segment->n_cells = filler.used - segment->first_cell;
    segment->n_rows = filler.n_rows - segment->first_row;
    return status;
}

int pw_sparse_build(pw_job *job, const pw_poll *poll) {
    int64_t *sums = job->build.col_sizes;
    for (int w = 0; w < job->n_workers; w++) {
        const void *sizes = job->scratch[w]->data[PW_SLOT_COLUMNS];
        const uint32_t *narrow = sizes;
        const int64_t *wide = sizes;
        for (int64_t j = 0; j < job->width;) {
            const int64_t stop = pw_min64(job->width, j + PW_POLL_ITEMS);
            for (; j < stop; j++) sums[j] += job->short_keys ? narrow[j] : wide[j];
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}
