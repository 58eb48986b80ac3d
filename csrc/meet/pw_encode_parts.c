/* The numbering of pw_encode by several threads, step by step; every step has as many parts as
 * there are threads.
 *
 *   the range is small    each marks the labels of a range of items, numbers are counted for a
 *                         range of labels, and each looks its items up;
 *   any range             labels are split by splitters from a sample (a sample sort, as in
 *                         text/pw_item_parts.c): each sorts what lies between two of them.
 *
 * Numbers are ranks, so the number of threads changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_encode.h"
#include "pw_radix.h"
#include "pw_scratch.h"
#include "pw_tuning.h"

/* Labels of the sample that choose one splitter. */
#define PER_SPLITTER 128

int64_t pw_encode_range(const pw_labels *v) {
    return 2 * v->n + PW_ENCODE_FLOOR;
}

int pw_encode_load(const pw_labels *v, uint64_t low, int64_t start, int64_t stop, uint64_t *offsets,
                   const pw_poll *poll) {
    for (int64_t i = start; i < stop; i += PW_POLL_ITEMS) {
        if (pw_stop(poll)) return PW_STOPPED;
        pw_load_u64(v, i, pw_min64(PW_POLL_ITEMS, stop - i), low, offsets + i);
    }
    return PW_OK;
}

/* ---- a small range -------------------------------------------------------------------------- */

int pw_encode_mark(const uint64_t *offsets, int64_t start, int64_t stop, int64_t range,
                   uint8_t *marks) {
    for (int64_t i = start; i < stop; i++) {
        if (__builtin_expect(offsets[i] >= (uint64_t)range, 0)) return PW_CROWDED;
        __atomic_store_n(marks + offsets[i], 1, __ATOMIC_RELAXED); /* others mark the same */
    }
    return PW_OK;
}

int64_t pw_encode_count(const uint8_t *marks, int64_t start, int64_t stop) {
    int64_t count = 0;
    for (int64_t x = start; x < stop; x++) count += marks[x];
    return count;
}

void pw_encode_number(const uint8_t *marks, int64_t start, int64_t stop, uint64_t low,
                      int64_t number, int64_t *numbers, uint64_t *values) {
    for (int64_t x = start; x < stop; x++) {
        if (!marks[x]) continue;
        values[number] = low + (uint64_t)x;
        numbers[x] = number++;
    }
}

int pw_encode_look_up(int64_t *codes, int64_t start, int64_t stop, const int64_t *numbers,
                      const pw_poll *poll) {
    const uint64_t *offsets = (const uint64_t *)codes;
    for (int64_t i = start; i < stop;) {
        const int64_t end = pw_min64(stop, i + PW_POLL_SCATTERED);
        for (; i < end; i++) codes[i] = numbers[offsets[i]];
        if (i < stop && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* ---- any range ------------------------------------------------------------------------------ */

int pw_encode_split(const uint64_t *offsets, int64_t n, int parts, uint64_t *splitters) {
    const int64_t most = pw_min64(n, (int64_t)parts * PER_SPLITTER);
    uint64_t *sample = malloc((size_t)(2 * most) * sizeof *sample);
    if (sample == NULL) return PW_NO_MEMORY;
    const int64_t stride = n / most;
    for (int64_t i = 0; i < most; i++) {
        const uint32_t off = (uint32_t)i * UINT32_C(0x9e3779b1); /* labels may come in a period */
        sample[i] = offsets[i * stride + (int64_t)off % stride];
    }
    pw_sort_u64(sample, sample + most, most, 64);
    for (int s = 1; s < parts; s++) splitters[s - 1] = sample[s * most / parts];
    free(sample);
    return PW_OK;
}

int pw_encode_sort(const uint64_t *offsets, int64_t n, uint64_t least, uint64_t most,
                   pw_encode_run *run, const pw_poll *poll) {
    const uint64_t width = most - least;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += offsets[i] - least <= width;
    *run = (pw_encode_run){least, count, 0, NULL};
    if (count == 0) return PW_OK;
    pw_pair *pairs = pw_large_malloc(count * (int64_t)sizeof *pairs);
    if (pairs == NULL) return PW_NO_MEMORY;
    int64_t at = 0;
    uint64_t seen = 0; /* as many bits as the largest key */
    int status = PW_OK;
    for (int64_t i = 0; i < n && at < count && status == PW_OK;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop && at < count; i++) { /* no branches: they are unpredictable */
            const uint64_t key = offsets[i] - least;
            const int is_own = key <= width;
            pairs[at] = (pw_pair){key, i};
            seen |= is_own ? key : 0;
            at += is_own;
        }
        if (at < count && pw_stop(poll)) status = PW_STOPPED;
    }
    if (status == PW_OK) status = pw_sort_pairs(pairs, count, pw_bits(seen), poll);
    run->pairs = pairs;
    if (status != PW_OK) return status;
    int64_t distinct = 1;
    for (int64_t j = 1; j < count; j++) distinct += pairs[j].key != pairs[j - 1].key;
    run->distinct = distinct;
    return PW_OK;
}

int pw_encode_write(const pw_encode_run *run, uint64_t low, int64_t first, int64_t *codes,
                    uint64_t *values, const pw_poll *poll) {
    int64_t number = first - 1;
    for (int64_t j = 0; j < run->count;) {
        const int64_t end = pw_min64(run->count, j + PW_POLL_SCATTERED);
        for (; j < end; j++) {
            if (j == 0 || run->pairs[j].key != run->pairs[j - 1].key) {
                values[++number] = low + run->least + run->pairs[j].key;
            }
            codes[run->pairs[j].value] = number;
        }
        if (j < run->count && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* ---- ids of two sides ----------------------------------------------------------------------- */

void pw_place_ids(const int64_t *ids, int64_t start, int64_t stop, int64_t *places) {
    /* another thread may have the same id: then either place will do */
    for (int64_t i = start; i < stop; i++)
        __atomic_store_n(places + ids[i], i + 1, __ATOMIC_RELAXED);
}

int pw_pair_ids(const int64_t *ids, const int64_t *own_places, const int64_t *other_places,
                int64_t start, int64_t stop, int64_t *pairs) {
    int all = 1;
    for (int64_t i = start; i < stop; i++) {
        const int64_t id = ids[i];
        pairs[i] = other_places[id] - 1;
        all &= own_places[id] == i + 1 && pairs[i] >= 0;
    }
    return all ? PW_OK : PW_CROWDED;
}
