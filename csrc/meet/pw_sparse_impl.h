/* Included by pw_sparse.c once per width of key. KEY: type of the key without its part, of the
 * sizes of columns and of what is read of an item; NAME(x): x with a suffix; SHORT: whether keys
 * have 32 bits. Then there are fewer than 2^32 items, and parts can be hashed.
 *
 * A key keeps the bits of its part that fit: they are the same all over the part. */

/* ---- step 0: keys go to their parts ------------------------------------------------------ */

static int NAME(read)(pw_job *job, int worker, int64_t from, int64_t count, KEY *keys,
                      uint32_t *parts, int64_t *kept) {
#if SHORT
    return pw_read_keys(job->vector, &job->source, from, count, &job->shape, keys, parts, kept,
                        &job->outsiders[worker]);
#else
    uint32_t cols[PW_BLOCK];
    const int status =
        pw_read_pairs(&job->source, from, count, parts, cols, kept, &job->outsiders[worker]);
    for (int64_t j = 0; j < *kept; j++) {
        keys[j] = (KEY)parts[j] << job->col_bits | cols[j];
        parts[j] = pw_part_of(&job->shape, parts[j], cols[j]);
    }
    return status;
#endif
}

static int NAME(scatter)(pw_job *job, int worker, const pw_poll *poll) {
    const int64_t from = pw_share(job->n, worker, job->n_workers);
    const int64_t end = pw_share(job->n, worker + 1, job->n_workers);
    pw_chunks *chunks = &job->chunks[worker];
    int status =
        pw_chunks_start(chunks, end - from, job->part_bits, sizeof(KEY), job->scratch[worker]);
    if (status != PW_OK) return status;
    KEY *to = chunks->keys;
    int64_t *nexts = chunks->nexts;
    const int64_t last = ((int64_t)1 << chunks->chunk_bits) - 1;
    KEY keys[PW_BLOCK];
    uint32_t parts[PW_BLOCK];
    for (int64_t i = from; i < end; i += PW_BLOCK) {
        int64_t count = pw_min64(PW_BLOCK, end - i);
        pw_ahead ahead = pw_ahead_of(&job->source, i + count, end);
        status = NAME(read)(job, worker, i, count, keys, parts, &count);
        if (status != PW_OK) return status;
        for (int64_t j = 0; j < count; j++) {
            if (j % 8 == 0) pw_fetch(&ahead);
            const int64_t at = nexts[parts[j]];
            to[at] = keys[j];
            const int full = (at & last) == last;
            nexts[parts[j]] = __builtin_expect(full, 0) ? pw_chunks_grow(chunks, at) : at + 1;
        }
        if ((i - from) % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* ---- step 1: cells ----------------------------------------------------------------------- */

static inline void NAME(put_cell)(pw_filler *f, uint64_t key, int64_t count) {
    KEY *col_sizes = f->col_sizes;
    const uint64_t col = key & (((uint64_t)1 << f->col_bits) - 1);
    const int64_t row = (int64_t)(key >> f->col_bits);
    f->items += count;
    f->build->cols[f->used] = (int64_t)col;
    f->build->counts[f->used++] = count;
    f->n_rows += row != f->row;
    f->row = row;
    pw_build_row(f->build, f->n_rows - 1, row, f->used, f->items);
    col_sizes[col] += (KEY)count;
}

#if SHORT
#include "pw_sparse_hash.h"
#endif

/* ---- sorting ----------------------------------------------------------------------------- */

#define DIGIT_MOST 12

static inline void NAME(digit_pass)(const KEY *from, KEY *to, int64_t count, int shift, int width,
                                    uint32_t *start) {
    const KEY mask = (KEY)(((KEY)1 << width) - 1);
    uint32_t total = 0;
    for (int d = 0; d < 1 << width; d++) {
        const uint32_t here = start[d];
        start[d] = total;
        total += here;
    }
    for (int64_t i = 0; i < count; i++) to[start[(from[i] >> shift) & mask]++] = from[i];
}

static inline KEY *NAME(two_digits)(KEY *keys, KEY *other, int64_t count, int width) {
    uint32_t low[1 << DIGIT_MOST];
    uint32_t high[1 << DIGIT_MOST];
    const KEY mask = (KEY)(((KEY)1 << width) - 1);
    memset(low, 0, ((size_t)1 << width) * sizeof *low);
    memset(high, 0, ((size_t)1 << width) * sizeof *high);
    for (int64_t i = 0; i < count; i++) {
        low[keys[i] & mask]++;
        high[(keys[i] >> width) & mask]++;
    }
    NAME(digit_pass)(keys, other, count, 0, width, low);
    NAME(digit_pass)(other, keys, count, width, width, high);
    return keys;
}

/* How many digits cost least: each costs two visits of a key and one of each of its counters. */
static int NAME(digits_for)(int64_t count, int bits) {
    int best = 0;
    int64_t least = INT64_MAX;
    for (int digits = (bits + DIGIT_MOST - 1) / DIGIT_MOST; digits <= bits; digits++) {
        const int width = (bits + digits - 1) / digits;
        const int64_t cost = digits * (2 * count + ((int64_t)1 << width));
        if (cost >= least) break;
        least = cost;
        best = digits;
    }
    return best;
}

/* Sorts keys by the low `bits` bits; returns the one of the two arrays in which they end up. */
static KEY *NAME(sort)(KEY *keys, KEY *other, int64_t count, int bits) {
    if (count < 32 || count > UINT32_MAX) {
        NAME(pw_sort)(keys, other, count, bits);
        return keys;
    }
    const int digits = NAME(digits_for)(count, bits);
    const int width = digits == 0 ? 0 : (bits + digits - 1) / digits;
    /* the width is a constant where it matters most */
    if (digits == 2 && width == 12) return NAME(two_digits)(keys, other, count, 12);
    if (digits == 2 && width == 11) return NAME(two_digits)(keys, other, count, 11);
    if (digits == 2) return NAME(two_digits)(keys, other, count, width);
    uint32_t start[1 << DIGIT_MOST];
    const KEY mask = (KEY)(((KEY)1 << width) - 1);
    for (int d = 0; d < digits; d++) {
        memset(start, 0, ((size_t)1 << width) * sizeof *start);
        for (int64_t i = 0; i < count; i++) start[(keys[i] >> (d * width)) & mask]++;
        NAME(digit_pass)(keys, other, count, d * width, width, start);
        KEY *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

/* The cells of sorted keys. Every key writes the cell as far as it is counted, and the last of
 * equal keys prevails: so there is no branch on where a run ends. */
static void NAME(put_sorted)(pw_filler *f, const KEY *keys, int64_t count) {
    const pw_build *build = f->build;
    KEY *col_sizes = f->col_sizes;
    const int col_bits = f->col_bits;
    const uint64_t col_mask = ((uint64_t)1 << col_bits) - 1;
    const uint64_t prefix = f->prefix;
    int64_t used = f->used;
    int64_t n_rows = f->n_rows;
    int64_t row = f->row;
    int64_t top = f->items;
    int64_t run = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t key = prefix | keys[i];
        const int64_t own = (int64_t)(key >> col_bits);
        const int last = i + 1 == count || keys[i] != keys[i + 1];
        build->cols[used] = (int64_t)(key & col_mask);
        build->counts[used] = ++run;
        col_sizes[key & col_mask]++;
        used += last;
        run = last ? 0 : run;
        n_rows += own != row;
        row = own;
        pw_build_row(build, n_rows - 1, row, used, ++top);
    }
    f->used = used;
    f->n_rows = n_rows;
    f->row = row;
    f->items = top;
}

/* A counter for every value that the low `bits` bits of a key can have. */
static int NAME(count_values)(pw_filler *f, const KEY *keys, int64_t count, int bits) {
    const int64_t values = (int64_t)1 << bits;
    uint32_t *counters =
        pw_scratch_take(f->scratch, PW_SLOT_COUNTERS, values * (int64_t)sizeof *counters);
    if (counters == NULL) return PW_NO_MEMORY;
    memset(counters, 0, (size_t)values * sizeof *counters);
    const KEY mask = (KEY)(((KEY)1 << bits) - 1);
    for (int64_t i = 0; i < count; i++) counters[keys[i] & mask]++;
    const uint64_t base = f->prefix | (KEY)(keys[0] & (KEY)~mask);
    const int64_t width = pw_min64((int64_t)1 << f->col_bits, values); /* of a row, at most */
    int64_t *cols = f->build->cols;
    int64_t *sizes = f->build->counts;
    KEY *col_sizes = f->col_sizes;
    for (int64_t from = 0; from < values; from += width) {
        const uint64_t key = base | (uint64_t)from;
        const int64_t first_col = (int64_t)(key & (((uint64_t)1 << f->col_bits) - 1));
        int64_t used = f->used;
        int64_t top = f->items;
        for (int64_t j = 0; j < width; j++) {
            const int64_t here = counters[from + j];
            cols[used] = first_col + j;
            sizes[used] = here;
            used += here != 0;
            top += here;
        }
        if (used == f->used) continue;
        for (int64_t c = f->used; c < used; c++) col_sizes[cols[c]] += (KEY)sizes[c];
        f->n_rows += (int64_t)(key >> f->col_bits) != f->row;
        f->row = (int64_t)(key >> f->col_bits);
        pw_build_row(f->build, f->n_rows - 1, f->row, used, top);
        f->used = used;
        f->items = top;
    }
    return PW_OK;
}

/* ---- parts that are too large for a cache ------------------------------------------------ */

static int NAME(part)(pw_filler *f, KEY *keys, KEY *other, int64_t count, int bits, int cuts);

/* A sample says that most keys of the part lie in lowest .. lowest + 2^bits - 1. */
typedef struct {
    int found;
    int bits;
    KEY lowest;
} NAME(crowd);

static NAME(crowd) NAME(crowd_of)(const KEY *keys, int64_t count, int bits) {
    enum { SAMPLE = 64, HOT = 12, MOST = 48 };
    KEY sample[SAMPLE];
    KEY other[SAMPLE];
    for (int64_t i = 0; i < SAMPLE; i++) sample[i] = keys[pw_share(count, (int)i, SAMPLE)];
    NAME(pw_sort)(sample, other, SAMPLE, 8 * (int)sizeof(KEY));
    int run = 1;
    for (int i = 1; i < SAMPLE; i++) {
        run = sample[i] == sample[i - 1] ? run + 1 : 1;
        if (run == HOT) return (NAME(crowd)){1, 0, sample[i]};
    }
    const KEY middle = sample[SAMPLE / 2];
    for (int shared = 1; shared < bits - 2; shared++) {
        int inside = 0;
        for (int i = 0; i < SAMPLE; i++) inside += sample[i] >> shared == middle >> shared;
        if (inside >= MOST) return (NAME(crowd)){1, shared, (KEY)(middle >> shared << shared)};
    }
    return (NAME(crowd)){0, 0, 0};
}

/* Leaves the part in three: keys below the crowd, in it, and above it. A crowd of one key needs
 * no sorting. */
static int NAME(cut)(pw_filler *f, KEY *keys, KEY *other, int64_t count, int bits, int cuts,
                     NAME(crowd) crowd) {
    const KEY lowest = crowd.lowest;
    const KEY highest = lowest + (KEY)(((KEY)1 << crowd.bits) - 1);
    int64_t below = 0;
    int64_t inside = 0;
    int64_t above = 0;
    for (int64_t i = 0; i < count; i++) {
        const KEY key = keys[i];
        other[below] = key;
        other[count - 1 - above] = key;
        keys[inside] = key;
        below += key < lowest;
        above += key > highest;
        inside += (key >= lowest) & (key <= highest);
    }
    int status = NAME(part)(f, other, keys + inside, below, bits, cuts + 1);
    if (status != PW_OK) return status;
    if (crowd.bits == 0) {
        NAME(put_cell)(f, f->prefix | lowest, inside);
    } else {
        status = NAME(part)(f, keys, other + below, inside, crowd.bits, cuts + 1);
        if (status != PW_OK) return status;
    }
    return NAME(part)(f, other + count - above, keys + inside + below, above, bits, cuts + 1);
}

/* Splits a part by its next bits into parts of the usual size. */
static int NAME(split)(pw_filler *f, KEY *keys, KEY *other, int64_t count, int bits) {
    enum { MOST = 9 };
    int64_t start[(1 << MOST) + 1];
    int split_bits = pw_bits((uint64_t)count) - PW_PART_ITEM_BITS;
    if (split_bits > MOST) split_bits = MOST;
    if (split_bits > bits) split_bits = bits;
    const int rest = bits - split_bits;
    const KEY mask = (KEY)(((KEY)1 << split_bits) - 1);
    memset(start, 0, sizeof start);
    for (int64_t i = 0; i < count; i++) start[((keys[i] >> rest) & mask) + 1]++;
    for (int d = 0; d < 1 << split_bits; d++) start[d + 1] += start[d];
    for (int64_t i = 0; i < count; i++) other[start[(keys[i] >> rest) & mask]++] = keys[i];
    int64_t from = 0;
    for (int d = 0; d < 1 << split_bits; d++) { /* starts have become ends */
        const int status = NAME(part)(f, other + from, keys + from, start[d] - from, rest, 0);
        if (status != PW_OK) return status;
        from = start[d];
    }
    return PW_OK;
}

/* Writes the cells of keys that agree above their low `bits` bits, or that lie between two
 * others. `other` has room for as many keys; `cuts` counts the cuts since the last split. */
static int NAME(part)(pw_filler *f, KEY *keys, KEY *other, int64_t count, int bits, int cuts) {
    if (count == 0) return PW_OK;
    if (bits == 0) {
        NAME(put_cell)(f, f->prefix | keys[0], count);
        return PW_OK;
    }
    if (count > PW_PART_LARGE) {
        if (pw_stop(f->poll)) return PW_STOPPED;
        NAME(crowd) crowd = {0, 0, 0};
        if (cuts < PW_PART_CUTS) crowd = NAME(crowd_of)(keys, count, bits);
        if (crowd.found) return NAME(cut)(f, keys, other, count, bits, cuts, crowd);
        if (bits > DIGIT_MOST) return NAME(split)(f, keys, other, count, bits);
    }
    if (bits < 32 && (int64_t)1 << bits <= count * PW_DIRECT_PER_ITEM && count <= UINT32_MAX) {
        return NAME(count_values)(f, keys, count, bits);
    }
#if SHORT
    const int repetitive = f->seen_cells * 100 <= f->seen_items * PW_HASH_PERCENT;
    if (repetitive && !f->no_hash && count >= PW_HASH_ITEMS && count <= PW_PART_LARGE) {
        const int status = hash_part(f, keys, count, bits);
        if (status != PW_CROWDED) return status;
    }
    const int64_t before = f->used;
    NAME(put_sorted)(f, NAME(sort)(keys, other, count, bits), count);
    f->seen_items += count;
    f->seen_cells += f->used - before;
#else
    NAME(put_sorted)(f, NAME(sort)(keys, other, count, bits), count);
#endif
    return PW_OK;
}

#if SHORT
/* The batch of a filler, and how far into it ends[-1] and what a vector writes may reach. */
static int start_batch(pw_filler *f) {
    enum { BEFORE = 16 };
    const int64_t room = PW_BATCH + PW_BATCH_SLACK;
    uint32_t *batch =
        pw_scratch_take(f->scratch, PW_SLOT_ENTRIES, 2 * room * (int64_t)sizeof *batch);
    if (batch == NULL) return PW_NO_MEMORY;
    f->batch_keys = batch + BEFORE;
    f->batch_ends = batch + room + BEFORE;
    f->batch_ends[-1] = 0;
    return PW_OK;
}

/* With vector instructions: see pw_vector.h. Parts with few values are counted all the same. */
static int vector_part(const pw_vector *vector, pw_filler *f, uint32_t *keys, uint32_t *spare,
                       int64_t count, int bits) {
    if (bits < 32 && (int64_t)1 << bits <= count / PW_ITEMS_PER_VALUE) {
        return count_values_u32(f, keys, count, bits);
    }
    const uint32_t lowest = (uint32_t)f->prefix;
    const uint32_t highest = lowest | (uint32_t)(((uint64_t)1 << bits) - 1);
    return vector->cells(f, keys, spare, count, lowest, highest);
}
#endif

static int NAME(parts)(pw_job *job, pw_filler *f, int64_t from, int64_t end) {
    const int64_t *begins = begins_of(job);
    int64_t longest = 1;
    for (int64_t p = from; p < end; p++) {
        const int64_t size = begins[p + 1] - begins[p];
        longest = size > longest ? size : longest;
    }
    const int64_t room = longest + PW_SORT_SLACK;
    KEY *keys = pw_scratch_take(f->scratch, PW_SLOT_SPARE, 2 * room * (int64_t)sizeof *keys);
    if (keys == NULL) return PW_NO_MEMORY;
#if SHORT
    const pw_vector *vector = job->vector;
    if (vector->cells != NULL && start_batch(f) != PW_OK) return PW_NO_MEMORY;
#endif
    const int bits = rest_bits_of(job);
    for (int64_t p = from; p < end; p++) {
        int64_t count = 0;
        for (int w = 0; w < job->n_workers; w++) {
            count += pw_chunks_gather(&job->chunks[w], p, sizeof *keys, keys + count);
        }
        if (count == 0) continue;
        f->prefix = job->part_bits == 0 ? 0 : (uint64_t)p << bits;
#if SHORT
        const int status = vector->cells == NULL
                               ? part_u32(f, keys, keys + room, count, bits, 0)
                               : vector_part(vector, f, keys, keys + room, count, bits);
#else
        const int status = part_u64(f, keys, keys + room, count, bits, 0);
#endif
        if (status != PW_OK) return status;
        if (p % 64 == 0 && pw_stop(f->poll)) return PW_STOPPED;
    }
    return PW_OK;
}

#undef DIGIT_MOST
