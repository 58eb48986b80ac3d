/* Label arrays of every integer type. */
#include "labels.h"

uint64_t literal_label(const pw_labels *labels, int64_t i) {
    const char *at = (const char *)labels->data + i * labels->itemsize;
    uint64_t pattern = 0;
    memcpy(&pattern, at, (size_t)labels->itemsize); /* little-endian machines only */
    const int above = 64 - 8 * labels->itemsize;
    if (labels->is_signed && above > 0 && pattern >> (63 - above) & 1)
        pattern |= ~UINT64_C(0) << (64 - above);
    return pattern;
}

void put_label(const pw_labels *labels, int64_t i, uint64_t label) {
    memcpy((char *)(uintptr_t)labels->data + i * labels->itemsize, &label,
           (size_t)labels->itemsize);
}

int label_before(uint64_t x, uint64_t y, int is_signed) {
    return is_signed ? (int64_t)x < (int64_t)y : x < y;
}

static uint64_t base_of(driver_input *in, const pw_labels *labels, uint64_t range) {
    const int bits = 8 * labels->itemsize;
    const uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const uint64_t low = labels->is_signed ? ~(most >> 1) : 0;
    const uint64_t high = labels->is_signed ? most >> 1 : most;
    switch (take_below(in, 5)) {
    case 0:
        return low;
    case 1:
        return high - range + 1;
    case 2:
        return 0 - range / 2;
    case 3:
        return take_word(in);
    default:
        return 0;
    }
}

enum { SHAPE_BYTES, SHAPE_RANDOM, SHAPE_SORTED, SHAPE_RUNS, SHAPE_OUTSIDE, SHAPE_WIDE, SHAPES };

pw_labels take_labels(driver_input *in, int64_t n) {
    pw_labels labels;
    const int type = (int)take_below(in, 8);
    labels.itemsize = 1 << (type & 3);
    labels.is_signed = type >> 2;
    labels.n = n;
    labels.data = room(n, (size_t)labels.itemsize);
    const int shape = (int)take_below(in, SHAPES);
    const uint64_t range = (UINT64_C(1) << take_below(in, 18)) + take_below(in, 8);
    const uint64_t base = base_of(in, &labels, range);
    driver_random random = {take_below(in, 1 << 16)};
    for (int64_t i = 0; i < n; i++) {
        uint64_t label = 0;
        switch (shape) {
        case SHAPE_BYTES:
            label = take_byte(in);
            break;
        case SHAPE_SORTED:
            label = (uint64_t)i * range / (uint64_t)n;
            break;
        case SHAPE_RUNS:
            label = i % 16 == 0 || i == 0 ? random_below(&random, range)
                                          : literal_label(&labels, i - 1) - base;
            break;
        case SHAPE_OUTSIDE:
            label = random_below(&random, 50) == 0 ? random_word(&random)
                                                   : random_below(&random, range);
            break;
        case SHAPE_WIDE:
            /* few distinct ones, far from each other */
            label = (random_below(&random, range) + 1) * UINT64_C(0x9E3779B97F4A7C15);
            break;
        default:
            label = random_below(&random, range);
            break;
        }
        put_label(&labels, i, base + label);
    }
    return labels;
}

static int compare_unsigned(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

int64_t distinct_labels(const pw_labels *labels, uint64_t **values) {
    /* with the sign turned round, signed labels ascend as unsigned numbers */
    const uint64_t turn = labels->is_signed ? UINT64_C(1) << 63 : 0;
    uint64_t *own = room(labels->n, sizeof *own);
    for (int64_t i = 0; i < labels->n; i++) own[i] = literal_label(labels, i) ^ turn;
    qsort(own, (size_t)labels->n, sizeof *own, compare_unsigned);
    int64_t k = 0;
    for (int64_t i = 0; i < labels->n; i++)
        if (i == 0 || own[i] != own[k - 1]) own[k++] = own[i];
    for (int64_t i = 0; i < k; i++) own[i] ^= turn;
    *values = own;
    return k;
}

int64_t place_of_label(const uint64_t *values, int64_t k, uint64_t label, int is_signed) {
    int64_t low = 0, high = k - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (label_before(values[middle], label, is_signed)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    CHECK(k > 0 && values[low] == label);
    return low;
}
