/* What pw_cells_impl.h is written in, for AVX2: vectors of 8 keys. */
#ifndef PW_LANES_AVX2_H
#define PW_LANES_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "pw_build.h"
#include "pw_read.h"

/* Under the address and the undefined sanitizer together, gcc 12 gets vectors wrong that it gets
 * right under either, and clang 14 under both: the first one stays. */
#if defined(__SANITIZE_ADDRESS__)
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"), no_sanitize("undefined")))
#else
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#endif
#define INLINE static inline __attribute__((always_inline)) TARGET

#define LANES 8
#define LEAF_VECTORS 8
typedef __m256i lanes;

/* The numbers of the bits of a mask, one in a byte, from the lowest on. */
#define BITS_BELOW(m, i)                                                                           \
    (((m) & 1 && (i) > 0) + ((m) >> 1 & 1 && (i) > 1) + ((m) >> 2 & 1 && (i) > 2) +                \
     ((m) >> 3 & 1 && (i) > 3) + ((m) >> 4 & 1 && (i) > 4) + ((m) >> 5 & 1 && (i) > 5) +           \
     ((m) >> 6 & 1 && (i) > 6))
#define BIT_AT(m, i) ((m) >> (i) & 1 ? (uint64_t)(i) << 8 * BITS_BELOW(m, i) : 0)
#define ORDER1(m)                                                                                  \
    (BIT_AT(m, 1) | BIT_AT(m, 2) | BIT_AT(m, 3) | BIT_AT(m, 4) | BIT_AT(m, 5) | BIT_AT(m, 6) |     \
     BIT_AT(m, 7))
#define ORDER4(m) ORDER1(m), ORDER1((m) + 1), ORDER1((m) + 2), ORDER1((m) + 3)
#define ORDER16(m) ORDER4(m), ORDER4((m) + 4), ORDER4((m) + 8), ORDER4((m) + 12)
#define ORDER64(m) ORDER16(m), ORDER16((m) + 16), ORDER16((m) + 32), ORDER16((m) + 48)

static const uint64_t chosen_first[256] = {ORDER64(0), ORDER64(64), ORDER64(128), ORDER64(192)};

#undef BITS_BELOW
#undef BIT_AT
#undef ORDER1
#undef ORDER4
#undef ORDER16
#undef ORDER64

INLINE lanes load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

INLINE uint32_t first_lanes(int64_t count) {
    return count >= LANES ? 0xFF : count <= 0 ? 0 : ((uint32_t)1 << count) - 1;
}

/* The first `count` keys; the largest key where there are fewer. */
INLINE lanes load_some(const uint32_t *from, int64_t count) {
    const lanes places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const int some = count >= LANES ? LANES : count <= 0 ? 0 : (int)count;
    const lanes there = _mm256_cmpgt_epi32(_mm256_set1_epi32(some), places);
    return _mm256_blendv_epi8(_mm256_set1_epi32(-1), load(from), there);
}

INLINE lanes same_lanes(uint32_t key) {
    return _mm256_set1_epi32((int)key);
}

INLINE lanes lesser(lanes x, lanes y) {
    return _mm256_min_epu32(x, y);
}

INLINE lanes larger(lanes x, lanes y) {
    return _mm256_max_epu32(x, y);
}

INLINE uint32_t unequal(lanes x, lanes y) {
    const lanes equal = _mm256_cmpeq_epi32(x, y);
    return 0xFF ^ (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal));
}

INLINE uint32_t below(lanes x, lanes y) {
    return unequal(larger(x, y), x);
}

INLINE lanes order_of(uint32_t mask) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(chosen_first + mask)));
}

/* Writes the lanes of the mask first; what follows is arbitrary. */
INLINE void store_chosen(uint32_t *to, lanes x, uint32_t mask) {
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(x, order_of(mask)));
}

/* The same of the numbers base + 1, base + 2 ... of the lanes. */
INLINE void store_places(uint32_t *to, uint32_t base, uint32_t mask) {
    const lanes places = _mm256_add_epi32(order_of(mask), same_lanes(base + 1));
    _mm256_storeu_si256((__m256i *)to, places);
}

/* Each lane's next one; the last one's is the first of y. */
INLINE lanes next_lanes(lanes x, lanes y) {
    const lanes order = _mm256_set_epi32(0, 7, 6, 5, 4, 3, 2, 1);
    return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(x, y, 1), order);
}

INLINE lanes turned(lanes x) {
    return _mm256_permutevar8x32_epi32(x, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* The larger of x and y in the lanes of the mask, the lesser in the others. */
#define EXCHANGE(x, y, mask) _mm256_blend_epi32(lesser(x, y), larger(x, y), mask)

INLINE lanes clean_fours(lanes x) {
    x = EXCHANGE(x, _mm256_shuffle_epi32(x, 0x4E), 0xCC);
    return EXCHANGE(x, _mm256_shuffle_epi32(x, 0xB1), 0xAA);
}

/* Sorts a bitonic sequence. */
INLINE lanes clean(lanes x) {
    x = EXCHANGE(x, _mm256_permute2x128_si256(x, x, 1), 0xF0);
    return clean_fours(x);
}

/* From two sorted fours. */
INLINE lanes merge_fours(lanes x) {
    return clean_fours(EXCHANGE(x, turned(x), 0xF0));
}

INLINE lanes sort_lanes(lanes x) {
    x = EXCHANGE(x, _mm256_shuffle_epi32(x, 0xB1), 0xAA);
    x = EXCHANGE(x, _mm256_shuffle_epi32(x, 0x1B), 0xCC);
    x = EXCHANGE(x, _mm256_shuffle_epi32(x, 0xB1), 0xAA);
    return merge_fours(x);
}

/* Columns of four become rows, in each half. */
INLINE void transpose_fours(lanes *r) {
    const lanes a = _mm256_unpacklo_epi32(r[0], r[1]);
    const lanes b = _mm256_unpackhi_epi32(r[0], r[1]);
    const lanes c = _mm256_unpacklo_epi32(r[2], r[3]);
    const lanes d = _mm256_unpackhi_epi32(r[2], r[3]);
    r[0] = _mm256_unpacklo_epi64(a, c);
    r[1] = _mm256_unpackhi_epi64(a, c);
    r[2] = _mm256_unpacklo_epi64(b, d);
    r[3] = _mm256_unpackhi_epi64(b, d);
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
        const lanes x = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
        r[i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
        r[i] = x;
    }
}

/* ---- pairs of labels --------------------------------------------------------------------- */

#define ITEMS_PACKED 8

/* The window of a pair of labels, in every lane; `copy` is added to what is packed. */
typedef struct {
    __m256i row_low, col_low, row_most, col_most, width, copy;
} packing;

INLINE packing packing_of(const pw_source *source, uint32_t width, uint32_t apart) {
    const int wide = source->a->itemsize == 8;
#define EVERYWHERE(x) (wide ? _mm256_set1_epi64x((int64_t)(x)) : _mm256_set1_epi32((int32_t)(x)))
    const packing p = {EVERYWHERE(source->row.low),
                       EVERYWHERE(source->col.low),
                       EVERYWHERE(source->row.most),
                       EVERYWHERE(source->col.most),
                       EVERYWHERE(width),
                       _mm256_mullo_epi32(_mm256_set1_epi32((int32_t)apart),
                                          _mm256_set_epi32(3, 2, 1, 0, 3, 2, 1, 0))};
#undef EVERYWHERE
    return p;
}

/* Writes row * width + column of 8 items, and the copy; not 0 if a label lies outside. */
INLINE uint32_t pack_short(const uint32_t *a, const uint32_t *b, const packing *p, uint32_t *to) {
    const __m256i row = _mm256_sub_epi32(load(a), p->row_low);
    const __m256i col = _mm256_sub_epi32(load(b), p->col_low);
    const __m256i pair = _mm256_add_epi32(_mm256_mullo_epi32(row, p->width), col);
    _mm256_storeu_si256((__m256i *)to, _mm256_add_epi32(pair, p->copy));
    return below(p->row_most, row) | below(p->col_most, col);
}

INLINE uint32_t pack_long(const uint64_t *a, const uint64_t *b, const packing *p, uint32_t *to) {
    __m256i pairs[2];
    __m256i over = _mm256_setzero_si256(); /* negative where an offset is not below 2^31 */
    for (int k = 0; k < 2; k++) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(a + 4 * k));
        const __m256i y = _mm256_loadu_si256((const __m256i *)(b + 4 * k));
        const __m256i row = _mm256_sub_epi64(x, p->row_low);
        const __m256i col = _mm256_sub_epi64(y, p->col_low);
        const __m256i above =
            _mm256_or_si256(_mm256_sub_epi64(p->row_most, row), _mm256_sub_epi64(p->col_most, col));
        over = _mm256_or_si256(over, _mm256_or_si256(above, _mm256_or_si256(row, col)));
        pairs[k] = _mm256_add_epi64(_mm256_mul_epu32(row, p->width), col);
    }
    const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(pairs[0]),
                                           _mm256_castsi256_ps(pairs[1]), _MM_SHUFFLE(2, 0, 2, 0));
    const __m256i pair = _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8);
    _mm256_storeu_si256((__m256i *)to, _mm256_add_epi32(pair, p->copy));
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(over));
}

/* ---- cells of the table ------------------------------------------------------------------ */

/* Writes the columns and counts of 8 cells. Precondition where they stream: the places are
 * multiples of 64 bytes. ends[-1] is the end of the cell before. */
INLINE void write_cells(int64_t *cols, int64_t *counts, const uint32_t *keys, const uint32_t *ends,
                        uint32_t col_mask, int stream) {
    const lanes col = _mm256_and_si256(load(keys), same_lanes(col_mask));
    const lanes count = _mm256_sub_epi32(load(ends), load(ends - 1));
    const __m256i col_low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(col));
    const __m256i col_high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(col, 1));
    const __m256i count_low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(count));
    const __m256i count_high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(count, 1));
    if (stream) {
        _mm256_stream_si256((__m256i *)cols, col_low);
        _mm256_stream_si256((__m256i *)(cols + 4), col_high);
        _mm256_stream_si256((__m256i *)counts, count_low);
        _mm256_stream_si256((__m256i *)(counts + 4), count_high);
    } else {
        _mm256_storeu_si256((__m256i *)cols, col_low);
        _mm256_storeu_si256((__m256i *)(cols + 4), col_high);
        _mm256_storeu_si256((__m256i *)counts, count_low);
        _mm256_storeu_si256((__m256i *)(counts + 4), count_high);
    }
}

#define STREAMED() _mm_sfence()

/* Which of 8 cells are the last of their rows; keys[8] is read. */
INLINE uint32_t last_of_rows(const uint32_t *keys, int col_bits) {
    const __m128i shift = _mm_cvtsi32_si128(col_bits);
    return unequal(_mm256_srl_epi32(load(keys), shift), _mm256_srl_epi32(load(keys + 1), shift));
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
