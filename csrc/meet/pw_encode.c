/* Labels of one clustering as numbers 0, 1, 2, ... in ascending order of the labels.
 *
 * Where the range of labels is small, a table marks those that occur and numbers them; else
 * (label, position) pairs are sorted and runs are numbered.
 */
#include "pw_encode.h"

#include <stdlib.h>
#include <string.h>

#include "pw_by_type.h"
#include "pw_radix.h"
#include "pw_scratch.h"

void pw_range(const pw_labels *v, uint64_t *low, uint64_t *high) {
    PW_BY_TYPE(v, {
        const T *x = (const T *)v->data;
        T least = x[0];
        T most = x[0];
        for (int64_t i = 1; i < v->n; i++) {
            least = x[i] < least ? x[i] : least;
            most = x[i] > most ? x[i] : most;
        }
        *low = (uint64_t)(int64_t)least;
        *high = (uint64_t)(int64_t)most;
    })
}

void pw_load_u32(const pw_labels *v, int64_t start, int64_t count, uint64_t low, uint32_t *out) {
    const uint32_t base = (uint32_t)low;
    PW_BY_TYPE(v, {
        const T *x = (const T *)v->data + start;
        for (int64_t i = 0; i < count; i++) out[i] = (uint32_t)x[i] - base;
    })
}

void pw_load_u64(const pw_labels *v, int64_t start, int64_t count, uint64_t low, uint64_t *out) {
    PW_BY_TYPE(v, {
        const T *x = (const T *)v->data + start;
        for (int64_t i = 0; i < count; i++) out[i] = (uint64_t)(int64_t)x[i] - low;
    })
}

/* The range is small: mark what occurs, number it, look each item up. PW_CROWDED: an item lies
 * outside the range, so another thread has written it since the range was looked for. */
static int encode_by_lookup(const pw_labels *v, uint64_t low, int64_t range, int64_t *codes,
                            uint64_t **values, int64_t *k, const pw_poll *poll) {
    int64_t *number = calloc((size_t)range, sizeof *number);
    if (number == NULL) return PW_NO_MEMORY;
    uint64_t *offsets = (uint64_t *)codes;
    for (int64_t i = 0; i < v->n; i += PW_POLL_SCATTERED) {
        const int64_t count = pw_min64(PW_POLL_SCATTERED, v->n - i);
        if (pw_stop(poll)) {
            free(number);
            return PW_STOPPED;
        }
        pw_load_u64(v, i, count, low, offsets + i);
        for (int64_t j = i; j < i + count; j++) {
            if (__builtin_expect(offsets[j] >= (uint64_t)range, 0)) {
                free(number);
                return PW_CROWDED;
            }
            number[offsets[j]] = 1;
        }
    }
    int64_t used = 0;
    for (int64_t r = 0; r < range; r++) used += number[r];
    uint64_t *found = malloc((size_t)(used > 0 ? used : 1) * sizeof *found);
    if (found == NULL) {
        free(number);
        return PW_NO_MEMORY;
    }
    used = 0;
    for (int64_t r = 0; r < range; r++) {
        if (number[r]) {
            found[used] = low + (uint64_t)r;
            number[r] = used++;
        }
    }
    const int status = pw_encode_look_up(codes, 0, v->n, number, poll);
    free(number);
    if (status != PW_OK) {
        free(found);
        return status;
    }
    *values = found;
    *k = used;
    return PW_OK;
}

/* Any range: sort (value, position) pairs, number the runs. The labels are read once. */
static int encode_by_sorting(const pw_labels *v, uint64_t low, int64_t *codes, uint64_t **values,
                             int64_t *k, const pw_poll *poll) {
    const int64_t n = v->n;
    pw_pair *pairs = pw_large_malloc(n * (int64_t)sizeof *pairs);
    if (pairs == NULL) return PW_NO_MEMORY;
    uint64_t block[PW_BLOCK];
    uint64_t seen = 0; /* as many bits as the largest key */
    for (int64_t i = 0; i < n; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, n - i);
        if (i % PW_POLL_SCATTERED == 0 && i > 0 && pw_stop(poll)) {
            free(pairs);
            return PW_STOPPED;
        }
        pw_load_u64(v, i, count, low, block);
        for (int64_t j = 0; j < count; j++) {
            seen |= block[j];
            pairs[i + j].key = block[j];
            pairs[i + j].value = i + j;
        }
    }
    int status = pw_sort_pairs(pairs, n, pw_bits(seen), poll);
    if (status == PW_OK) status = pw_touch(codes, n * (int64_t)sizeof *codes, poll);
    if (status != PW_OK) {
        free(pairs);
        return status;
    }
    int64_t used = 1;
    for (int64_t i = 1; i < n; i++) used += pairs[i].key != pairs[i - 1].key;
    uint64_t *found = malloc((size_t)used * sizeof *found);
    if (found == NULL) {
        free(pairs);
        return PW_NO_MEMORY;
    }
    const pw_encode_run run = {0, n, used, pairs};
    status = pw_encode_write(&run, low, 0, codes, found, poll);
    free(pairs);
    if (status != PW_OK) {
        free(found);
        return status;
    }
    *values = found;
    *k = used;
    return PW_OK;
}

int pw_encode(const pw_labels *v, int64_t *codes, uint64_t **values, int64_t *k,
              const pw_poll *poll) {
    *values = NULL;
    *k = 0;
    if (v->n == 0) return PW_OK;
    uint64_t low;
    uint64_t high;
    pw_range(v, &low, &high);
    const uint64_t small = (uint64_t)pw_encode_range(v);
    if (high - low < small) {
        const int64_t range = (int64_t)(high - low) + 1;
        const int status = encode_by_lookup(v, low, range, codes, values, k, poll);
        if (status != PW_CROWDED) return status;
    }
    return encode_by_sorting(v, low, codes, values, k, poll);
}

int pw_first_appearance(int64_t *codes, int64_t n, int64_t k, int64_t *used, const pw_poll *poll) {
    *used = 0;
    if (n == 0) return PW_OK;
    int64_t *number = malloc((size_t)k * sizeof *number);
    if (number == NULL) return PW_NO_MEMORY;
    for (int64_t c = 0; c < k; c++) number[c] = -1;
    int64_t next = 0;
    for (int64_t i = 0; i < n;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop; i++) {
            if (number[codes[i]] < 0) number[codes[i]] = next++;
            codes[i] = number[codes[i]];
        }
        if (i < n && pw_stop(poll)) {
            free(number);
            return PW_STOPPED;
        }
    }
    free(number);
    *used = next;
    return PW_OK;
}
