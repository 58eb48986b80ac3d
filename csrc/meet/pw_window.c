/* Labels as 32-bit offsets in a window, read in blocks that stay in the first-level cache.
 *
 * The window is guessed from a sample and is checked while labels are read: the differences of a
 * whole block are combined, and only a block with a label outside is looked at item by item. So a
 * stray label costs nothing but its own handling.
 */
#include "pw_window.h"

#include <stdlib.h>
#include <string.h>

#include "pw_by_type.h"
#include "pw_encode.h"
#include "pw_tuning.h"

uint64_t pw_label_at(const pw_labels *v, int64_t i) {
    uint64_t label = 0;
    PW_BY_TYPE(v, label = (uint64_t)(int64_t)((const T *)v->data)[i];)
    return label;
}

static inline int before(const pw_labels *v, uint64_t x, uint64_t y) {
    return v->is_signed ? (int64_t)x < (int64_t)y : x < y;
}

/* Least and largest label if all lie within 2^30 of the first: 32-bit comparisons, in blocks. */
static int near_range(const pw_labels *v, uint64_t *low, uint64_t *high) {
    uint32_t offsets[PW_BLOCK];
    const pw_window around = {pw_label_at(v, 0) - (UINT64_C(1) << 30), PW_WINDOW_MOST};
    int32_t least = INT32_MAX;
    int32_t most = 0;
    for (int64_t i = 0; i < v->n; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, v->n - i);
        if (pw_load_window(v, i, count, &around, offsets)) return 0;
        for (int64_t j = 0; j < count; j++) {
            const int32_t offset = (int32_t)offsets[j];
            least = offset < least ? offset : least;
            most = offset > most ? offset : most;
        }
    }
    *low = around.low + (uint64_t)least;
    *high = around.low + (uint64_t)most;
    return !before(v, *high, *low); /* the window may run past the end of the type */
}

pw_window pw_exact_window(const pw_labels *v, pw_range_of *range, uint64_t most, int *fits) {
    pw_window window = {0, 0};
    uint64_t high;
    if (range != NULL) {
        range(v, &window.low, &high);
    } else if (v->itemsize < 8 || !near_range(v, &window.low, &high)) {
        pw_range(v, &window.low, &high); /* shorter types are compared as they are */
    }
    const uint64_t span = high - window.low;
    *fits = span <= most && span < PW_WINDOW_MOST;
    if (*fits) window.most = (int32_t)span;
    return window;
}

/* Widens low .. low + *span: down to 0 if that is near, up by a little; never past the type. */
static uint64_t with_slack(const pw_labels *v, uint64_t low, uint64_t *span) {
    const int bits = 8 * v->itemsize;
    const uint64_t least = v->is_signed ? UINT64_C(0) - (UINT64_C(1) << (bits - 1)) : 0;
    const uint64_t largest =
        v->is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    const uint64_t slack = (*span >> PW_SLACK_SHIFT) + 1;
    const uint64_t high = low + *span;
    const uint64_t up = largest - high < slack ? largest - high : slack;
    uint64_t down = low - least < slack ? low - least : slack;
    if (!before(v, low, 0) && low <= *span / 4) down = low;
    *span += up + down;
    return low - down;
}

static int by_value(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x;
    const uint64_t b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

pw_window pw_guessed_window(const pw_labels *v, uint64_t most, int *fits) {
    pw_window window = {0, 0};
    uint64_t sample[PW_SAMPLE];
    const int64_t size = pw_min64(PW_SAMPLE, PW_SAMPLE / 8 + v->n / PW_SAMPLE_PER);
    /* with the sign bit turned, unsigned order is the order of signed labels */
    const uint64_t flip = v->is_signed ? UINT64_C(1) << 63 : 0;
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
    /* spread over the array, its first and last label included */
    const double step = size > 1 ? (double)(v->n - 1) / (double)(size - 1) : 0.0;
    PW_BY_TYPE(v, {
        for (int64_t i = 0; i < size; i++) {
            const int64_t at = pw_min64((int64_t)((double)i * step + 0.5), v->n - 1);
            sample[i] = (uint64_t)(int64_t)((const T *)v->data)[at] ^ flip;
            low = sample[i] < low ? sample[i] : low;
            high = sample[i] > high ? sample[i] : high;
        }
    })
    uint64_t span = high - low;
    if (span > most) { /* a few labels far away: leave them out */
        qsort(sample, (size_t)size, sizeof *sample, by_value);
        const int64_t few = size / PW_FEW_OUTSIDE;
        low = sample[few];
        span = sample[size - 1 - few] - low;
    }
    *fits = 0;
    if (span > most) return window;
    window.low = with_slack(v, low ^ flip, &span);
    *fits = span <= most + (most >> PW_SLACK_SHIFT) + 1 && span < PW_WINDOW_MOST;
    if (*fits) window.most = (int32_t)span;
    return window;
}

int pw_load_window(const pw_labels *v, int64_t start, int64_t count, const pw_window *window,
                   uint32_t *out) {
    const int32_t most = window->most;
    uint32_t over = 0; /* labels are outside where its top bit, or any bit of `high`, is set */
    uint64_t high = 0;
    if (v->itemsize == 8) {
        const uint64_t *x = (const uint64_t *)v->data + start;
        const uint64_t low = window->low;
        for (int64_t i = 0; i < count; i++) {
            const uint64_t offset = x[i] - low;
            high |= offset;
            over |= (uint32_t)most - (uint32_t)offset;
            out[i] = (uint32_t)offset;
        }
        return (high >> 31) != 0 || (over >> 31) != 0;
    }
    PW_BY_SIZE(v, {
        const T *x = (const T *)v->data + start;
        const T low = (T)window->low;
        for (int64_t i = 0; i < count; i++) {
            const uint32_t offset = (T)(x[i] - low);
            over |= offset | ((uint32_t)most - offset);
            out[i] = offset;
        }
    })
    return (over >> 31) != 0;
}

static int set_aside(pw_outsiders *outsiders, uint64_t a, uint64_t b) {
    if (outsiders->used == outsiders->limit) return PW_CROWDED;
    if (outsiders->used == outsiders->capacity) {
        const int64_t capacity = outsiders->capacity * 2 + 64;
        uint64_t *grown = realloc(outsiders->pairs, (size_t)capacity * 2 * sizeof *grown);
        if (grown == NULL) return PW_NO_MEMORY;
        outsiders->pairs = grown;
        outsiders->capacity = capacity;
    }
    uint64_t *pair = outsiders->pairs + 2 * outsiders->used++;
    pair[0] = a;
    pair[1] = b;
    return PW_OK;
}

int pw_sort_out(const pw_source *source, int64_t from, int64_t count, uint32_t *rows,
                uint32_t *cols, int64_t *kept, pw_outsiders *outsiders) {
    uint64_t row_offsets[PW_BLOCK];
    uint64_t col_offsets[PW_BLOCK];
    pw_load_u64(source->a, from, count, source->row.low, row_offsets);
    pw_load_u64(source->b, from, count, source->col.low, col_offsets);
    const uint64_t most_row = (uint64_t)source->row.most;
    const uint64_t most_col = (uint64_t)source->col.most;
    int64_t used = 0;
    *kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const int inside = (row_offsets[i] <= most_row) & (col_offsets[i] <= most_col);
        rows[used] = (uint32_t)row_offsets[i];
        cols[used] = (uint32_t)col_offsets[i];
        used += inside;
        if (!inside) {
            const int status = set_aside(outsiders, row_offsets[i] + source->row.low,
                                         col_offsets[i] + source->col.low);
            if (status != PW_OK) return status;
        }
    }
    *kept = used;
    return PW_OK;
}

int pw_read_pairs(const pw_source *source, int64_t from, int64_t count, uint32_t *rows,
                  uint32_t *cols, int64_t *kept, pw_outsiders *outsiders) {
    int outside = pw_load_window(source->a, from, count, &source->row, rows);
    outside |= pw_load_window(source->b, from, count, &source->col, cols);
    *kept = count;
    if (!outside) return PW_OK;
    return pw_sort_out(source, from, count, rows, cols, kept, outsiders);
}
