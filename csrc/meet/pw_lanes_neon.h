/* What pw_cells_impl.h is written in, for NEON (which every 64-bit ARM processor has): vectors of 8
 * keys in two registers. */
#ifndef PW_LANES_NEON_H
#define PW_LANES_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "pw_build.h"
#include "pw_read.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

#define LANES 8
#define LEAF_VECTORS 8
typedef struct {
    uint32x4_t low, high;
} lanes;

/* Where the bytes of the keys of a mask of four come from, in order. */
#define KEY(i) (4 * (i)), (4 * (i) + 1), (4 * (i) + 2), (4 * (i) + 3)
static const uint8_t chosen_first[16][16] = {
    {0},
    {KEY(0)},
    {KEY(1)},
    {KEY(0), KEY(1)},
    {KEY(2)},
    {KEY(0), KEY(2)},
    {KEY(1), KEY(2)},
    {KEY(0), KEY(1), KEY(2)},
    {KEY(3)},
    {KEY(0), KEY(3)},
    {KEY(1), KEY(3)},
    {KEY(0), KEY(1), KEY(3)},
    {KEY(2), KEY(3)},
    {KEY(0), KEY(2), KEY(3)},
    {KEY(1), KEY(2), KEY(3)},
    {KEY(0), KEY(1), KEY(2), KEY(3)},
};
#undef KEY

INLINE uint32x4_t numbers(uint32_t first) {
    static const uint32_t steps[4] = {0, 1, 2, 3};
    return vaddq_u32(vdupq_n_u32(first), vld1q_u32(steps));
}

INLINE lanes load(const uint32_t *from) {
    return (lanes){vld1q_u32(from), vld1q_u32(from + 4)};
}

INLINE uint32_t first_lanes(int64_t count) {
    return count >= LANES ? 0xFF : count <= 0 ? 0 : ((uint32_t)1 << count) - 1;
}

/* The first `count` keys; the largest key where there are fewer. */
INLINE lanes load_some(const uint32_t *from, int64_t count) {
    const uint32x4_t some = vdupq_n_u32(count >= LANES ? LANES : count <= 0 ? 0 : (uint32_t)count);
    const lanes x = load(from);
    return (lanes){vorrq_u32(x.low, vcgeq_u32(numbers(0), some)),
                   vorrq_u32(x.high, vcgeq_u32(numbers(4), some))};
}

INLINE lanes same_lanes(uint32_t key) {
    return (lanes){vdupq_n_u32(key), vdupq_n_u32(key)};
}

INLINE lanes lesser(lanes x, lanes y) {
    return (lanes){vminq_u32(x.low, y.low), vminq_u32(x.high, y.high)};
}

INLINE lanes larger(lanes x, lanes y) {
    return (lanes){vmaxq_u32(x.low, y.low), vmaxq_u32(x.high, y.high)};
}

/* One bit a lane, from lanes in which all bits are equal. */
INLINE uint32_t mask_of(uint32x4_t low, uint32x4_t high) {
    static const uint32_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u32(
        vorrq_u32(vandq_u32(low, vld1q_u32(bits)), vandq_u32(high, vld1q_u32(bits + 4))));
}

INLINE uint32_t unequal(lanes x, lanes y) {
    return 0xFF ^ mask_of(vceqq_u32(x.low, y.low), vceqq_u32(x.high, y.high));
}

INLINE uint32_t below(lanes x, lanes y) {
    return mask_of(vcltq_u32(x.low, y.low), vcltq_u32(x.high, y.high));
}

INLINE uint32x4_t chosen_of(uint32x4_t x, uint32_t mask) {
    const uint8x16_t order = vld1q_u8(chosen_first[mask]);
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), order));
}

/* Writes the lanes of the mask first; what follows is arbitrary. */
INLINE void store_chosen(uint32_t *to, lanes x, uint32_t mask) {
    vst1q_u32(to, chosen_of(x.low, mask & 15));
    vst1q_u32(to + __builtin_popcount(mask & 15), chosen_of(x.high, mask >> 4));
}

/* The same of the numbers base + 1, base + 2 ... of the lanes. */
INLINE void store_places(uint32_t *to, uint32_t base, uint32_t mask) {
    store_chosen(to, (lanes){numbers(base + 1), numbers(base + 5)}, mask);
}

/* Each lane's next one; the last one's is the first of y. */
INLINE lanes next_lanes(lanes x, lanes y) {
    return (lanes){vextq_u32(x.low, x.high, 1), vextq_u32(x.high, y.low, 1)};
}

INLINE uint32x4_t turned_four(uint32x4_t x) {
    const uint32x4_t pairs = vrev64q_u32(x);
    return vextq_u32(pairs, pairs, 2);
}

INLINE lanes turned(lanes x) {
    return (lanes){turned_four(x.high), turned_four(x.low)};
}

/* Neighbours in order. */
INLINE uint32x4_t order_pairs(uint32x4_t x) {
    const uint32x4_t other = vrev64q_u32(x);
    return vtrn1q_u32(vminq_u32(x, other), vmaxq_u32(x, other));
}

/* The lesser of x and `other` in the first two lanes, the larger in the last two. */
INLINE uint32x4_t order_halves(uint32x4_t x, uint32x4_t other) {
    return vcombine_u32(vget_low_u32(vminq_u32(x, other)), vget_high_u32(vmaxq_u32(x, other)));
}

INLINE uint32x4_t clean_four(uint32x4_t x) {
    return order_pairs(order_halves(x, vextq_u32(x, x, 2)));
}

/* Sorts a bitonic sequence. */
INLINE lanes clean(lanes x) {
    return (lanes){clean_four(vminq_u32(x.low, x.high)), clean_four(vmaxq_u32(x.low, x.high))};
}

/* From two sorted fours. */
INLINE lanes merge_fours(lanes x) {
    x.high = turned_four(x.high);
    return clean(x);
}

INLINE uint32x4_t sort_four(uint32x4_t x) {
    x = order_pairs(x);
    return order_pairs(order_halves(x, turned_four(x)));
}

INLINE lanes sort_lanes(lanes x) {
    return merge_fours((lanes){sort_four(x.low), sort_four(x.high)});
}

/* Columns of four become rows. */
INLINE void transpose_four(uint32x4_t *r) {
#define TWOS(x) vreinterpretq_u64_u32(x)
#define FOURS(x) vreinterpretq_u32_u64(x)
    const uint64x2_t a = TWOS(vtrn1q_u32(r[0], r[1]));
    const uint64x2_t b = TWOS(vtrn2q_u32(r[0], r[1]));
    const uint64x2_t c = TWOS(vtrn1q_u32(r[2], r[3]));
    const uint64x2_t d = TWOS(vtrn2q_u32(r[2], r[3]));
    r[0] = FOURS(vtrn1q_u64(a, c));
    r[1] = FOURS(vtrn1q_u64(b, d));
    r[2] = FOURS(vtrn2q_u64(a, c));
    r[3] = FOURS(vtrn2q_u64(b, d));
#undef TWOS
#undef FOURS
}

INLINE void transpose_fours(lanes *r) {
    uint32x4_t low[4] = {r[0].low, r[1].low, r[2].low, r[3].low};
    uint32x4_t high[4] = {r[0].high, r[1].high, r[2].high, r[3].high};
    transpose_four(low);
    transpose_four(high);
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) r[i] = (lanes){low[i], high[i]};
}

/* From vectors whose columns are sorted to vectors that are sorted, 4 or 8 of them. */
INLINE void sort_columns4(lanes *r) {
    transpose_fours(r);
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) r[i] = merge_fours(r[i]);
}

INLINE void sort_columns8(lanes *r) {
    transpose_fours(r);
    transpose_fours(r + 4);
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        const uint32x4_t last = r[i].high;
        r[i].high = r[i + 4].low;
        r[i + 4] = (lanes){last, r[i + 4].high};
    }
}

/* ---- pairs of labels --------------------------------------------------------------------- */

#define ITEMS_PACKED 8

/* The window of a pair of labels, in every lane; `copy` is added to what is packed. */
typedef struct {
    uint64x2_t row_low, col_low, row_most, col_most;
    uint32x4_t width, copy;
} packing;

INLINE packing packing_of(const pw_source *source, uint32_t width, uint32_t apart) {
    const int wide = source->a->itemsize == 8;
#define EVERYWHERE(x)                                                                              \
    (wide ? vdupq_n_u64((uint64_t)(x)) : vreinterpretq_u64_u32(vdupq_n_u32((uint32_t)(x))))
    const packing p = {EVERYWHERE(source->row.low),  EVERYWHERE(source->col.low),
                       EVERYWHERE(source->row.most), EVERYWHERE(source->col.most),
                       vdupq_n_u32(width),           vmulq_n_u32(numbers(0), apart)};
#undef EVERYWHERE
    return p;
}

/* Writes row * width + column of 8 items, and the copy; not 0 if a label lies outside. */
INLINE uint32_t pack_short(const uint32_t *a, const uint32_t *b, const packing *p, uint32_t *to) {
    uint32x4_t outside = vdupq_n_u32(0);
    _Pragma("GCC unroll 2") for (int k = 0; k < 8; k += 4) {
        const uint32x4_t row = vsubq_u32(vld1q_u32(a + k), vreinterpretq_u32_u64(p->row_low));
        const uint32x4_t col = vsubq_u32(vld1q_u32(b + k), vreinterpretq_u32_u64(p->col_low));
        outside = vorrq_u32(outside, vcgtq_u32(row, vreinterpretq_u32_u64(p->row_most)));
        outside = vorrq_u32(outside, vcgtq_u32(col, vreinterpretq_u32_u64(p->col_most)));
        vst1q_u32(to + k, vaddq_u32(vmlaq_u32(col, row, p->width), p->copy));
    }
    return vmaxvq_u32(outside);
}

INLINE uint32_t pack_long(const uint64_t *a, const uint64_t *b, const packing *p, uint32_t *to) {
    uint64x2_t outside = vdupq_n_u64(0);
    _Pragma("GCC unroll 2") for (int k = 0; k < 8; k += 4) {
        const uint64x2_t row_low = vsubq_u64(vld1q_u64(a + k), p->row_low);
        const uint64x2_t row_high = vsubq_u64(vld1q_u64(a + k + 2), p->row_low);
        const uint64x2_t col_low = vsubq_u64(vld1q_u64(b + k), p->col_low);
        const uint64x2_t col_high = vsubq_u64(vld1q_u64(b + k + 2), p->col_low);
        outside = vorrq_u64(outside, vcgtq_u64(row_low, p->row_most));
        outside = vorrq_u64(outside, vcgtq_u64(row_high, p->row_most));
        outside = vorrq_u64(outside, vcgtq_u64(col_low, p->col_most));
        outside = vorrq_u64(outside, vcgtq_u64(col_high, p->col_most));
        const uint32x4_t row = vcombine_u32(vmovn_u64(row_low), vmovn_u64(row_high));
        const uint32x4_t col = vcombine_u32(vmovn_u64(col_low), vmovn_u64(col_high));
        vst1q_u32(to + k, vaddq_u32(vmlaq_u32(col, row, p->width), p->copy));
    }
    return vmaxvq_u32(vreinterpretq_u32_u64(outside));
}

/* ---- cells of the table ------------------------------------------------------------------ */

INLINE void write_wide(int64_t *to, lanes x) {
    uint64_t *wide = (uint64_t *)to;
    vst1q_u64(wide, vmovl_u32(vget_low_u32(x.low)));
    vst1q_u64(wide + 2, vmovl_high_u32(x.low));
    vst1q_u64(wide + 4, vmovl_u32(vget_low_u32(x.high)));
    vst1q_u64(wide + 6, vmovl_high_u32(x.high));
}

/* Writes the columns and counts of 8 cells, through the caches. ends[-1] is the end of the cell
 * before. */
INLINE void write_cells(int64_t *cols, int64_t *counts, const uint32_t *keys, const uint32_t *ends,
                        uint32_t col_mask, int stream) {
    (void)stream;
    const lanes key = load(keys);
    const lanes end = load(ends);
    const lanes start = load(ends - 1);
    const uint32x4_t mask = vdupq_n_u32(col_mask);
    write_wide(cols, (lanes){vandq_u32(key.low, mask), vandq_u32(key.high, mask)});
    write_wide(counts, (lanes){vsubq_u32(end.low, start.low), vsubq_u32(end.high, start.high)});
}

#define STREAMED() ((void)0)

/* Which of 8 cells are the last of their rows; keys[8] is read. */
INLINE uint32_t last_of_rows(const uint32_t *keys, int col_bits) {
    const int32x4_t shift = vdupq_n_s32(-col_bits);
    const lanes key = load(keys);
    const lanes next = load(keys + 1);
    return unequal((lanes){vshlq_u32(key.low, shift), vshlq_u32(key.high, shift)},
                   (lanes){vshlq_u32(next.low, shift), vshlq_u32(next.high, shift)});
}

/* Writes row numbers, ends and tops of the cells of the mask, as pw_build_row does. */
INLINE void write_rows(const pw_build *build, int64_t at, uint32_t mask, const uint32_t *keys,
                       const uint32_t *ends, int col_bits, int64_t row, int64_t end, int64_t top) {
    for (; mask != 0; mask &= mask - 1, at++) {
        const int i = __builtin_ctz(mask);
        pw_build_row(build, at, row + (keys[i] >> col_bits), end + i + 1, top + ends[i]);
    }
}

#endif
