/* Reading blocks of items as numbers of counters or as keys.
 *
 * Labels become offsets in their windows, and what is wanted of a pair of offsets, in one loop over
 * a block that stays in the first-level cache (pw_read_impl.h, once per vector level). A block with
 * a label outside the windows is taken item by item.
 */
#include "pw_read.h"

#include "pw_vector.h"

pw_key_shape pw_shape_of_keys(int row_bits, int col_bits, int part_bits) {
    const int more = part_bits - row_bits;
    return (pw_key_shape){col_bits, more < 0 ? -more : 0, more > 0 ? more : 0};
}

int pw_read_index(const pw_vector *vector, const pw_source *source, int64_t from, int64_t count,
                  uint32_t width, uint32_t *index, int64_t *kept, pw_outsiders *outsiders) {
    *kept = count;
    if (!vector->load_index(source, from, count, width, index)) return PW_OK;
    uint32_t cols[PW_BLOCK];
    const int status = pw_sort_out(source, from, count, index, cols, kept, outsiders);
    for (int64_t j = 0; j < *kept; j++) index[j] = index[j] * width + cols[j];
    return status;
}

int pw_read_keys(const pw_vector *vector, const pw_source *source, int64_t from, int64_t count,
                 const pw_key_shape *shape, uint32_t *keys, uint32_t *parts, int64_t *kept,
                 pw_outsiders *outsiders) {
    *kept = count;
    if (!vector->load_keys(source, from, count, shape, keys, parts)) return PW_OK;
    uint32_t cols[PW_BLOCK];
    const int status = pw_sort_out(source, from, count, keys, cols, kept, outsiders);
    for (int64_t j = 0; j < *kept; j++) {
        parts[j] = pw_part_of(shape, keys[j], cols[j]);
        keys[j] = keys[j] << shape->col_bits | cols[j];
    }
    return status;
}
