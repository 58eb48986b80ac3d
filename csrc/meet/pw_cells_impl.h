/* Included once per vector level, after its lanes: keys of 32 bits become cells of the table.
 *
 * A quicksort whose keys move by compression: a vector of keys is compared with the pivot, the keys
 * below it are written to the front of where they came from, the others to another array. The pivot
 * is the middle of the range in which all keys lie, so the sort is at most 32 levels deep whatever
 * the keys; only after an uneven split it is the median of a sample, and a key that is very
 * frequent is stripped off. Up to LEAF keys are sorted in registers: columns by a sorting network,
 * then by bitonic merging (K. E. Batcher, "Sorting networks and their applications", 1968). Equal
 * keys never lie in two leaves, so a leaf is written as cells at once. Quicksort by compression is
 * common with such instructions, for example: S. Gueron and V. Krasnov, "Fast quicksort
 * implementation using AVX instructions" (2016).
 *
 * Cells wait in a batch that stays in the second-level cache. From there columns and counts go to
 * the table past the caches, where they would only push out what is still needed, and rows end
 * where the leading bits of the key change. */

#include <string.h>

#define LEAF (LANES * LEAF_VECTORS)
/* A split of so many keys asks whether to stop. */
#define SORT_POLL_KEYS ((int64_t)1 << 22)
/* The size of a column is fetched so many cells ahead. */
#define SIZES_AHEAD 64
#define UNROLLED _Pragma("GCC unroll 16")

/* ---- the batch goes to the table --------------------------------------------------------- */

static inline void NAME(write_few)(int64_t *cols, int64_t *counts, const uint32_t *keys,
                                   const uint32_t *ends, uint32_t col_mask, int64_t from,
                                   int64_t end) {
    for (int64_t i = from; i < end; i++) {
        cols[i] = keys[i] & col_mask;
        counts[i] = ends[i] - ends[i - 1];
    }
}

TARGET static void NAME(write_batch)(pw_filler *f) {
    const int64_t n = f->waiting;
    if (n == 0) return;
    uint32_t *keys = f->batch_keys;
    const uint32_t *ends = f->batch_ends;
    const int col_bits = f->col_bits;
    const uint32_t col_mask = ((uint32_t)1 << col_bits) - 1;
    /* the bits of the part that are not in its keys belong to the row */
    const int64_t row = (int64_t)(f->prefix >> 32 << 32 >> col_bits);
    int64_t *cols = f->build->cols + f->used;
    int64_t *counts = f->build->counts + f->used;
    /* a row may have begun in the batch before */
    int64_t n_rows = f->n_rows - (row + (keys[0] >> col_bits) == f->row);
    keys[n] = ~keys[n - 1]; /* another row */
    int64_t from = 0;
    const int stream = f->stream && ((uintptr_t)cols - (uintptr_t)counts) % 64 == 0;
    if (stream) from = pw_min64((int64_t)(-((uintptr_t)cols / 8) % 8), n);
    const int64_t end = n - (n - from) % 8;
    NAME(write_few)(cols, counts, keys, ends, col_mask, 0, from);
    for (int64_t i = from; i < end; i += 8) {
        write_cells(cols + i, counts + i, keys + i, ends + i, col_mask, stream);
    }
    NAME(write_few)(cols, counts, keys, ends, col_mask, end, n);
    for (int64_t i = 0; i < n; i += 8) {
        uint32_t last = last_of_rows(keys + i, col_bits);
        if (n - i < 8) last &= ((uint32_t)1 << (n - i)) - 1;
        if (last == 0) continue;
        write_rows(f->build, n_rows, last, keys + i, ends + i, col_bits, row, f->used + i,
                   f->items);
        n_rows += __builtin_popcount(last);
    }
    uint32_t *sizes = f->col_sizes;
    int64_t i = 0;
    for (; i + SIZES_AHEAD < n; i++) {
        __builtin_prefetch(sizes + (keys[i + SIZES_AHEAD] & col_mask), 1);
        sizes[keys[i] & col_mask] += ends[i] - ends[i - 1];
    }
    for (; i < n; i++) sizes[keys[i] & col_mask] += ends[i] - ends[i - 1];
    f->n_rows = n_rows;
    f->row = row + (keys[n - 1] >> col_bits);
    f->used += n;
    f->items += f->batch_items;
    f->waiting = 0;
    f->batch_items = 0;
}

static inline void NAME(put)(pw_filler *f, uint32_t key, int64_t count) {
    f->batch_items += (uint32_t)count;
    f->batch_keys[f->waiting] = key;
    f->batch_ends[f->waiting++] = f->batch_items;
}

/* ---- leaves ------------------------------------------------------------------------------ */

INLINE void NAME(compare)(lanes *r, int i, int j) {
    const lanes least = lesser(r[i], r[j]);
    r[j] = larger(r[i], r[j]);
    r[i] = least;
}

INLINE void NAME(sort4)(lanes *r) {
    NAME(compare)(r, 0, 1);
    NAME(compare)(r, 2, 3);
    NAME(compare)(r, 0, 2);
    NAME(compare)(r, 1, 3);
    NAME(compare)(r, 1, 2);
    sort_columns4(r);
}

INLINE void NAME(sort8)(lanes *r) {
    NAME(compare)(r, 0, 1);
    NAME(compare)(r, 2, 3);
    NAME(compare)(r, 4, 5);
    NAME(compare)(r, 6, 7);
    NAME(compare)(r, 0, 2);
    NAME(compare)(r, 1, 3);
    NAME(compare)(r, 4, 6);
    NAME(compare)(r, 5, 7);
    NAME(compare)(r, 1, 2);
    NAME(compare)(r, 5, 6);
    NAME(compare)(r, 0, 4);
    NAME(compare)(r, 1, 5);
    NAME(compare)(r, 2, 6);
    NAME(compare)(r, 3, 7);
    NAME(compare)(r, 2, 4);
    NAME(compare)(r, 3, 5);
    NAME(compare)(r, 1, 2);
    NAME(compare)(r, 3, 4);
    NAME(compare)(r, 5, 6);
    sort_columns8(r);
}

/* Two sorted halves of `half` vectors each become one. */
INLINE void NAME(merge)(lanes *r, int half) {
    UNROLLED for (int i = 0; i < half; i++) {
        const lanes other = turned(r[2 * half - 1 - i]);
        r[2 * half - 1 - i] = larger(r[i], other);
        r[i] = lesser(r[i], other);
    }
    /* the upper half lies in the reverse order of vectors: still bitonic */
    UNROLLED for (int step = half / 2; step >= 1; step /= 2) {
        UNROLLED for (int from = 0; from < 2 * half; from += 2 * step) {
            UNROLLED for (int i = from; i < from + step; i++) NAME(compare)(r, i, i + step);
        }
    }
    UNROLLED for (int i = 0; i < 2 * half; i++) r[i] = clean(r[i]);
}

/* Appends the cells of n sorted keys in `vectors` vectors. */
INLINE void NAME(put_sorted)(pw_filler *f, const lanes *r, int vectors, int64_t n) {
    uint32_t used = f->waiting;
    const uint32_t base = f->batch_items;
    UNROLLED for (int i = 0; i < vectors; i++) {
        const int64_t left = n - (int64_t)LANES * i;
        uint32_t last = unequal(r[i], next_lanes(r[i], i + 1 < vectors ? r[i + 1] : r[i]));
        last &= first_lanes(left);
        /* the last key ends a cell, even if what fills the vectors up is equal to it */
        if (left >= 1 && left <= LANES) last |= (uint32_t)1 << (left - 1);
        store_chosen(f->batch_keys + used, r[i], last);
        store_places(f->batch_ends + used, base + (uint32_t)(LANES * i), last);
        used += (uint32_t)__builtin_popcount(last);
    }
    f->waiting = used;
    f->batch_items = base + (uint32_t)n;
}

#define LEAF_OF(NAME_, VECTORS, SORT)                                                              \
    TARGET __attribute__((noinline)) static void NAME_(pw_filler *f, const uint32_t *keys,         \
                                                       int64_t n) {                                \
        lanes r[VECTORS];                                                                          \
        UNROLLED for (int i = 0; i < (VECTORS); i++) {                                             \
            r[i] = load_some(keys + LANES * i, n - (int64_t)LANES * i);                            \
        }                                                                                          \
        SORT NAME(put_sorted)(f, r, VECTORS, n);                                                   \
    }

LEAF_OF(NAME(leaf1), 1, r[0] = sort_lanes(r[0]);)
LEAF_OF(NAME(leaf2), 2, r[0] = sort_lanes(r[0]); r[1] = sort_lanes(r[1]); NAME(merge)(r, 1);)
LEAF_OF(NAME(leaf4), 4, NAME(sort4)(r); NAME(merge)(r, 1); NAME(merge)(r + 2, 1);
        NAME(merge)(r, 2);)
LEAF_OF(NAME(leaf8), 8, NAME(sort8)(r); NAME(merge)(r, 1); NAME(merge)(r + 2, 1);
        NAME(merge)(r + 4, 1); NAME(merge)(r + 6, 1); NAME(merge)(r, 2); NAME(merge)(r + 4, 2);
        NAME(merge)(r, 4);)

/* Precondition: 1 <= n <= LEAF. */
static inline void NAME(leaf)(pw_filler *f, const uint32_t *keys, int64_t n) {
    if (n <= LANES) {
        NAME(leaf1)(f, keys, n);
    } else if (n <= 2 * LANES) {
        NAME(leaf2)(f, keys, n);
    } else if (n <= 4 * LANES) {
        NAME(leaf4)(f, keys, n);
    } else {
        NAME(leaf8)(f, keys, n);
    }
}

/* ---- quicksort --------------------------------------------------------------------------- */

/* Keys below the pivot stay in `keys`, the others go to `other`; returns how many stay. */
TARGET static int64_t NAME(split)(uint32_t *keys, int64_t n, uint32_t *other, uint32_t pivot) {
    const lanes pivots = same_lanes(pivot);
    int64_t low = 0;
    int64_t high = 0;
    int64_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        lanes r[4]; /* all are loaded before `low` can have reached them */
        UNROLLED for (int k = 0; k < 4; k++) r[k] = load(keys + i + LANES * k);
        UNROLLED for (int k = 0; k < 4; k++) {
            const uint32_t mask = below(r[k], pivots);
            const int count = __builtin_popcount(mask);
            store_chosen(keys + low, r[k], mask);
            store_chosen(other + high, r[k], mask ^ first_lanes(LANES));
            low += count;
            high += LANES - count;
        }
    }
    for (; i < n; i += LANES) {
        const lanes x = load(keys + i);
        const uint32_t there = first_lanes(n - i);
        const uint32_t mask = below(x, pivots) & there;
        store_chosen(keys + low, x, mask);
        store_chosen(other + high, x, mask ^ there);
        low += __builtin_popcount(mask);
        high += __builtin_popcount(mask ^ there);
    }
    return low;
}

static uint32_t NAME(median_of_some)(const uint32_t *keys, int64_t n) {
    enum { SAMPLE = 15 };
    uint32_t sample[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
        const uint32_t key = keys[n * (2 * i + 1) / (2 * SAMPLE)];
        int j = i;
        for (; j > 0 && sample[j - 1] > key; j--) sample[j] = sample[j - 1];
        sample[j] = key;
    }
    return sample[SAMPLE / 2];
}

/* Appends the cells of n keys, all in lowest .. highest; `uneven`: the split before was. */
static void NAME(sort)(pw_filler *f, uint32_t *keys, int64_t n, uint32_t *spare, uint32_t lowest,
                       uint32_t highest, int uneven) {
    while (n > 0 && f->status == PW_OK) {
        if (n <= LEAF || lowest == highest) {
            if (lowest == highest) {
                NAME(put)(f, lowest, n);
            } else {
                NAME(leaf)(f, keys, n);
            }
            if (f->waiting >= PW_BATCH) NAME(write_batch)(f);
            return;
        }
        if (n >= SORT_POLL_KEYS && pw_stop(f->poll)) {
            f->status = PW_STOPPED;
            return;
        }
        uint32_t pivot = lowest + ((highest - lowest) >> 1) + 1;
        if (uneven) {
            pivot = NAME(median_of_some)(keys, n);
            if (pivot == lowest) pivot++;
        }
        const int64_t low = NAME(split)(keys, n, spare, pivot);
        const int64_t high = n - low;
        NAME(sort)(f, keys, low, spare + high, lowest, pivot - 1, low < n / 8 || high < n / 8);
        uint32_t *emptied = keys;
        if (uneven && high > n - n / 16 && pivot != highest) { /* the pivot may be frequent */
            const int64_t equal = NAME(split)(spare, high, emptied, pivot + 1);
            if (equal > 0) NAME(put)(f, pivot, equal);
            n = high - equal; /* they are where the keys were */
            lowest = pivot + 1;
            uneven = 0;
            continue;
        }
        keys = spare;
        spare = emptied;
        uneven = low < n / 8 || high < n / 8;
        n = high;
        lowest = pivot;
    }
}

static int NAME(cells)(pw_filler *f, uint32_t *keys, uint32_t *spare, int64_t count,
                       uint32_t lowest, uint32_t highest) {
    f->status = PW_OK;
    NAME(sort)(f, keys, count, spare, lowest, highest, 0);
    NAME(write_batch)(f);
    STREAMED(); /* what went past the caches is there for other threads */
    return f->status;
}

#undef LEAF_OF
