/* Blocks of items as what the meet counts: numbers of counters, or keys and the parts they go to.
 *
 * A key is row << col_bits | column, cut to 32 bits. Its part is its leading part_bits bits. */
#ifndef PW_READ_H
#define PW_READ_H

#include "pw_common.h"
#include "pw_window.h"

/* Counters of pairs of labels. They have 8 bits, and what does not fit them is in `carries`, in
 * units of 256. There are PW_COPIES of each counter, `apart` from one another, which neighbouring
 * items take in turn; or one, where `apart` is 0.
 *
 * An item that is `dropped` (NULL: none is) raises one of the PW_NOWHERE counters from `nowhere`
 * on, which no pair has: several, so that none waits for itself. */
typedef struct {
    uint8_t *narrow;
    uint32_t *carries;
    uint32_t apart;
    uint32_t nowhere;
    const uint8_t *dropped;
} pw_counters;

#define PW_COPIES 4
#define PW_NOWHERE 16

/* Counter x of a copy has come round to 0. */
static inline void pw_carry(const pw_counters *counters, uint32_t x, int copy) {
    counters->carries[x - (uint32_t)(copy % PW_COPIES) * counters->apart]++;
}

/* The functions of a vector level (pw_vector.h). */
typedef struct pw_vector pw_vector;

/* What a key and a part consist of: a part has the leading bits of the row or, where a row has
 * fewer bits than a part, all of them and the leading bits of the column. */
typedef struct {
    int col_bits;
    int row_down;      /* bits of the row that the part does not have */
    int col_part_bits; /* bits of the column that the part has */
} pw_key_shape;

/* Precondition: row_bits <= 31, col_bits <= 31, part_bits <= row_bits + col_bits. */
pw_key_shape pw_shape_of_keys(int row_bits, int col_bits, int part_bits);

static inline uint32_t pw_part_of(const pw_key_shape *shape, uint32_t row, uint32_t col) {
    const int more = shape->col_part_bits;
    return row >> shape->row_down << more | (uint32_t)((uint64_t)col >> (shape->col_bits - more));
}

/* index[j] = row * width + column of each item from .. from + count whose labels lie in their
 * windows; *kept receives how many these are. The others are appended to `outsiders`.
 * PW_CROWDED: they have reached their limit. Precondition: count <= PW_BLOCK, the product of the
 * ranges is below 2^32. O(count). */
int pw_read_index(const pw_vector *vector, const pw_source *source, int64_t from, int64_t count,
                  uint32_t width, uint32_t *index, int64_t *kept, pw_outsiders *outsiders);

/* keys[j] and parts[j] of the same items. O(count). */
int pw_read_keys(const pw_vector *vector, const pw_source *source, int64_t from, int64_t count,
                 const pw_key_shape *shape, uint32_t *keys, uint32_t *parts, int64_t *kept,
                 pw_outsiders *outsiders);

#endif
