/* The meet by partitioning: keys are split into parts that fit the cache, then counted there.
 *
 * key = row << col_bits | column
 *   step 0  histogram: how many items each part has, by the leading bits of their keys
 *   step 1  scatter: keys move to their parts; what the part tells is dropped, which leaves 32 bits
 *           where that is enough
 *   step 2  every part becomes cells in ascending order, by the first that fits:
 *             a counter for each value    the keys of the part have few values
 *             a hash table, then a sort   there are few cells among the items
 *             a radix sort                otherwise
 * A part that is too large is sampled first. What is crowded in it (one giant cell or row) is cut
 * out in one pass, which leaves three parts: smaller keys, the crowd, larger keys. The rest is
 * split by its next bits. Steps 0 and 2 are in this file and in pw_sparse_impl.h, which has the
 * code for each width of key; hashing is in pw_sparse_hash.h.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_meet_job.h"
#include "pw_radix.h"
#include "pw_tuning.h"

static inline int row_bits_of(const pw_job *job) {
    return job->key_bits - job->col_bits;
}

static inline int rest_bits_of(const pw_job *job) {
    return job->key_bits - job->part_bits;
}

static inline int64_t parts_of(const pw_job *job) {
    return (int64_t)1 << job->part_bits;
}

static int64_t first_row_of(const pw_job *job, int64_t part) {
    const int bits = row_bits_of(job) - job->part_bits;
    return bits >= 0 ? part << bits : part >> -bits;
}

/* Where the worker's items of each part begin, and behind it where the next one goes. */
static inline int64_t *begins_of(const pw_job *job, int worker) {
    return job->scratch[worker]->data[PW_SLOT_STARTS];
}

static inline int64_t *nexts_of(const pw_job *job, int worker) {
    return begins_of(job, worker) + parts_of(job);
}

/* ---- step 0: how many items each part has ------------------------------------------------ */

static void choose_part_bits(pw_job *job) {
    int bits = pw_bits((uint64_t)job->n) - PW_PART_ITEM_BITS;
    /* more parts are worth it if the rest of a key then has 32 bits */
    if (bits < job->key_bits - 32) bits = job->key_bits - 32;
    if (bits > PW_PART_BITS_MOST) bits = PW_PART_BITS_MOST;
    if (bits > job->key_bits) bits = job->key_bits;
    job->part_bits = bits < 0 ? 0 : bits;
}

void pw_sparse_start(pw_job *job) {
    choose_part_bits(job);
}

/* Where a part holds whole rows, the columns need not be read. Items whose column lies outside
 * the window are then counted too, and leave gaps. */
int pw_sparse_histogram(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t parts = parts_of(job);
    if (!pw_scratch_take(job->scratch[worker], PW_SLOT_STARTS,
                         2 * parts * (int64_t)sizeof(int64_t))) {
        return PW_NO_MEMORY;
    }
    int64_t *sizes = nexts_of(job, worker);
    memset(sizes, 0, (size_t)parts * sizeof *sizes);
    const int64_t from = pw_share(job->n, worker, job->n_workers);
    const int64_t end = pw_share(job->n, worker + 1, job->n_workers);
    const int by_row = row_bits_of(job) - job->part_bits;
    const int by_key = rest_bits_of(job);
    uint32_t rows[PW_BLOCK];
    uint32_t cols[PW_BLOCK];
    for (int64_t i = from; i < end; i += PW_BLOCK) {
        int64_t count = pw_min64(PW_BLOCK, end - i);
        if (by_row >= 0) {
            pw_ahead next = pw_ahead_of(&job->source, i + count, end);
            count = pw_read_side(job->source.a, &job->source.row, i, count, rows);
            int64_t j = 0;
            for (; j + 8 <= count; j += 8) {
                __builtin_prefetch(next.a);
                next.a += next.a_step;
                for (int64_t k = j; k < j + 8; k++) sizes[rows[k] >> by_row]++;
            }
            for (; j < count; j++) sizes[rows[j] >> by_row]++;
        } else {
            pw_read_pairs(&job->source, i, count, rows, cols, &count, NULL);
            for (int64_t j = 0; j < count; j++) {
                sizes[((uint64_t)rows[j] << job->col_bits | cols[j]) >> by_key]++;
            }
        }
        if ((i - from) % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_sparse_starts(pw_job *job) {
    int64_t total = 0;
    for (int64_t p = 0; p < parts_of(job); p++) {
        for (int w = 0; w < job->n_workers; w++) {
            const int64_t size = nexts_of(job, w)[p];
            begins_of(job, w)[p] = nexts_of(job, w)[p] = total;
            total += size;
        }
    }
    job->n_keys = total;
    const int64_t width = rest_bits_of(job) <= 32 ? sizeof(uint32_t) : sizeof(uint64_t);
    if (!pw_scratch_take(job->scratch[0], PW_SLOT_KEYS, total * width)) return PW_NO_MEMORY;
    return PW_OK;
}

/* ---- step 2: parts become cells ---------------------------------------------------------- */

/* A worker that fills its segment of the table. ends[r + 1] is the number of cells, and tops[r]
 * the number of items, up to the end of row r. */
typedef struct {
    pw_build *build;
    pw_scratch *scratch;
    int64_t *col_sizes;
    int64_t used; /* cells */
    int64_t items;
    int col_bits;
    uint64_t prefix;    /* of the part's keys */
    int64_t seen_items; /* where hashing was an option */
    int64_t seen_cells;
    int no_hash;
    const pw_poll *poll;
} pw_filler;

static inline void put_cell(pw_filler *f, uint64_t key, int64_t count) {
    const uint64_t col = key & (((uint64_t)1 << f->col_bits) - 1);
    const uint64_t row = key >> f->col_bits;
    f->items += count;
    f->build->cols[f->used] = (int64_t)col;
    f->build->counts[f->used++] = count;
    f->build->ends[row + 1] = f->used;
    f->build->tops[row] = f->items;
    f->col_sizes[col] += count;
}

#include "pw_sparse_hash.h"

#define KEY uint32_t
#define NAME(x) x##_u32
#define HASHED 1
#include "pw_sparse_impl.h"
#undef KEY
#undef NAME
#undef HASHED
#define KEY uint64_t
#define NAME(x) x##_u64
#define HASHED 0
#include "pw_sparse_impl.h"
#undef KEY
#undef NAME
#undef HASHED

int pw_sparse_scatter(pw_job *job, int worker, const pw_poll *poll) {
    return rest_bits_of(job) <= 32 ? scatter_u32(job, worker, poll)
                                   : scatter_u64(job, worker, poll);
}

/* ---- which worker takes which parts ------------------------------------------------------ */

/* Whether a part has got more keys than were counted: labels were written in between. */
static int overran(const pw_job *job) {
    const int last = job->n_workers - 1;
    const int64_t parts = parts_of(job);
    int over = 0;
    for (int w = 0; w < last; w++) {
        const int64_t *nexts = nexts_of(job, w);
        const int64_t *begins = begins_of(job, w + 1);
        for (int64_t p = 0; p < parts; p++) over |= nexts[p] > begins[p];
    }
    const int64_t *nexts = nexts_of(job, last);
    const int64_t *begins = begins_of(job, 0);
    for (int64_t p = 0; p + 1 < parts; p++) over |= nexts[p] > begins[p + 1];
    return over | (nexts[parts - 1] > job->n_keys);
}

/* Every worker gets about the same number of items; the parts of one row have one worker. */
int pw_sparse_share(pw_job *job) {
    if (overran(job)) return PW_CROWDED;
    const int64_t parts = parts_of(job);
    const int spread = job->part_bits - row_bits_of(job);
    const int64_t together = spread > 0 ? (int64_t)1 << spread : 1;
    const int last = job->n_workers - 1;
    const int64_t total = nexts_of(job, last)[parts - 1];
    int64_t part = 0;
    for (int w = 0; w < job->n_workers; w++) {
        const int64_t goal = pw_share(total, w, job->n_workers);
        while (part < parts && begins_of(job, 0)[part] < goal) part += together;
        job->first_part[w] = part;
    }
    job->first_part[job->n_workers] = parts;
    /* one more for each worker: a cell is written before it is known whether it will be kept */
    return pw_build_start(&job->build, job->build.n_rows, job->width, total + job->n_workers);
}

int pw_sparse_parts(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t from = job->first_part[worker];
    const int64_t end = job->first_part[worker + 1];
    pw_segment *segment = &job->segments[worker];
    const int64_t total = nexts_of(job, job->n_workers - 1)[parts_of(job) - 1];
    const int64_t first = from < parts_of(job) ? begins_of(job, 0)[from] : total;
    *segment =
        (pw_segment){pw_min64(first_row_of(job, from), job->build.n_rows),
                     pw_min64(first_row_of(job, end), job->build.n_rows), first + worker, first, 0};
    pw_filler filler = {.build = &job->build,
                        .scratch = job->scratch[worker],
                        .col_sizes = job->build.col_sizes,
                        .used = first + worker,
                        .items = first,
                        .col_bits = job->col_bits,
                        .poll = poll};
    if (worker > 0) {
        const int64_t bytes = job->width * (int64_t)sizeof *filler.col_sizes;
        filler.col_sizes = pw_scratch_take(filler.scratch, PW_SLOT_COLUMNS, bytes);
        if (filler.col_sizes == NULL) return PW_NO_MEMORY;
        memset(filler.col_sizes, 0, (size_t)bytes);
    }
    const int status = rest_bits_of(job) <= 32 ? parts_u32(job, &filler, from, end)
                                               : parts_u64(job, &filler, from, end);
    segment->n_cells = filler.used - segment->first_cell;
    return status;
}

int pw_sparse_build(pw_job *job) {
    for (int w = 1; w < job->n_workers; w++) {
        const int64_t *sizes = job->scratch[w]->data[PW_SLOT_COLUMNS];
        for (int64_t j = 0; j < job->width; j++) job->build.col_sizes[j] += sizes[j];
    }
    return PW_OK;
}
