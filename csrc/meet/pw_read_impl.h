/* Included once per vector level. NAME(x): x with the suffix of the level; TARGET: the attribute
 * that lets the compiler use its instructions, for which these loops are plain enough.
 *
 * Labels of one size on both sides are read, checked and packed in one loop; others are widened
 * first. What is returned is not 0 if some label lies outside its window; what is written is then
 * arbitrary. */

#include <string.h>

/* Runs the code with `row` and `col`, the offsets of item j, for every j; `outside` receives
 * whether some are none: labels are outside where all but the lower 31 bits of `high`, or the top
 * bit of `over`, are not 0. */
#define EACH_ITEM(...)                                                                             \
    PW_BY_SIZE(source->a, {                                                                        \
        const T *a = (const T *)source->a->data + from;                                            \
        const T *b = (const T *)source->b->data + from;                                            \
        const T row_low = (T)source->row.low;                                                      \
        const T col_low = (T)source->col.low;                                                      \
        const uint32_t row_most = (uint32_t)source->row.most;                                      \
        const uint32_t col_most = (uint32_t)source->col.most;                                      \
        T high = 0;                                                                                \
        uint32_t over = 0;                                                                         \
        for (int64_t j = 0; j < count; j++) {                                                      \
            const T x = (T)(a[j] - row_low);                                                       \
            const T y = (T)(b[j] - col_low);                                                       \
            const uint32_t row = (uint32_t)x;                                                      \
            const uint32_t col = (uint32_t)y;                                                      \
            high |= x | y;                                                                         \
            over |= (row_most - row) | (col_most - col);                                           \
            __VA_ARGS__                                                                            \
        }                                                                                          \
        outside = ((uint64_t)high >> 31 | over >> 31) != 0;                                        \
    })

TARGET static int NAME(load_index)(const pw_source *source, int64_t from, int64_t count,
                                   uint32_t width, uint32_t *restrict index) {
    int outside;
    if (source->a->itemsize != source->b->itemsize) {
        uint32_t cols[PW_BLOCK];
        outside = pw_load_window(source->a, from, count, &source->row, index);
        outside |= pw_load_window(source->b, from, count, &source->col, cols);
        for (int64_t j = 0; j < count; j++) index[j] = index[j] * width + cols[j];
        return outside;
    }
    EACH_ITEM(index[j] = row * width + col;)
    return outside;
}

TARGET static int NAME(load_keys)(const pw_source *source, int64_t from, int64_t count,
                                  const pw_key_shape *shape, uint32_t *restrict keys,
                                  uint32_t *restrict parts) {
    const int col_bits = shape->col_bits;
    const int row_down = shape->row_down;
    int outside;
    if (source->a->itemsize != source->b->itemsize) {
        outside = pw_load_window(source->a, from, count, &source->row, parts);
        outside |= pw_load_window(source->b, from, count, &source->col, keys);
        for (int64_t j = 0; j < count; j++) {
            keys[j] |= parts[j] << col_bits;
            parts[j] >>= row_down;
        }
    } else {
        EACH_ITEM(keys[j] = row << col_bits | col; parts[j] = row >> row_down;)
    }
    if (shape->col_part_bits > 0) { /* the row is not all of the part */
        const uint32_t mask = ((uint32_t)1 << col_bits) - 1;
        const int up = shape->col_part_bits;
        for (int64_t j = 0; j < count; j++) {
            parts[j] = parts[j] << up | (keys[j] & mask) >> (col_bits - up);
        }
    }
    return outside;
}

#undef EACH_ITEM

/* See pw_vector.h. Counts of shifts are below 64, and masks take the place of branches, so that the
 * compiler can use instructions that shift each lane by its own count. */
TARGET static int NAME(fixed_points)(const double *restrict values, int64_t count, double largest,
                                     int fraction_bits, uint64_t *restrict low,
                                     uint64_t *restrict high, int64_t *zeros) {
    const uint64_t one = (uint64_t)1 << 52;
    uint64_t most; /* doubles of at least 0 are ordered as their patterns */
    uint64_t above = 0;
    int64_t none = 0;
    memcpy(&most, &largest, sizeof most);
    for (int64_t j = 0; j < count; j++) {
        uint64_t pattern;
        memcpy(&pattern, values + j, sizeof pattern);
        above |= (most - pattern) | pattern; /* the top bit of either is set outside */
        none += pattern == 0;
        const int64_t biased = (int64_t)(pattern >> 52 & 0x7ff);
        const uint64_t mantissa = (pattern & (one - 1)) | (one & -(uint64_t)(biased != 0));
        const int64_t up = biased + (biased == 0) - 1075 + fraction_bits;
        const uint64_t within = -(uint64_t)((up > 0) & (up < 64));
        const uint64_t below = -(uint64_t)((up <= 0) & (up > -64));
        const uint64_t beyond = -(uint64_t)(up >= 64);
        const uint64_t left = mantissa << (up & 63);
        const uint64_t right = mantissa >> (-up & 63);
        low[j] = (left & within) | (right & below);
        high[j] = (right & within) | (left & beyond);
    }
    *zeros += none;
    return above >> 63 != 0;
}
