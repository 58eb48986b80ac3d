/* What pw_cells_impl.h is written in, for AVX-512 (F, BW, DQ, VL): vectors of 16 keys. */
#ifndef PW_LANES_AVX512_H
#define PW_LANES_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "pw_build.h"
#include "pw_read.h"

/* Under the address and the undefined sanitizer together, gcc 12 gets vectors wrong that it gets
 * right under either, and clang 14 under both: the first one stays. */
#if defined(__SANITIZE_ADDRESS__)
#define TARGET                                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,lzcnt"),             \
                   no_sanitize("undefined")))
#else
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,lzcnt")))
#endif
#define INLINE static inline __attribute__((always_inline)) TARGET

#define LANES 16
#define LEAF_VECTORS 8
typedef __m512i lanes;

INLINE lanes load(const uint32_t *from) {
    return _mm512_loadu_si512(from);
}

INLINE uint32_t first_lanes(int64_t count) {
    return count >= LANES ? 0xFFFF : count <= 0 ? 0 : ((uint32_t)1 << count) - 1;
}

/* The first `count` keys; the largest key where there are fewer. */
INLINE lanes load_some(const uint32_t *from, int64_t count) {
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), (__mmask16)first_lanes(count), from);
}

INLINE lanes same_lanes(uint32_t key) {
    return _mm512_set1_epi32((int)key);
}

INLINE lanes lesser(lanes x, lanes y) {
    return _mm512_min_epu32(x, y);
}

INLINE lanes larger(lanes x, lanes y) {
    return _mm512_max_epu32(x, y);
}

INLINE uint32_t below(lanes x, lanes y) {
    return _mm512_cmplt_epu32_mask(x, y);
}

INLINE uint32_t unequal(lanes x, lanes y) {
    return _mm512_cmpneq_epu32_mask(x, y);
}

/* Writes the lanes of the mask first; what follows is arbitrary. */
INLINE void store_chosen(uint32_t *to, lanes x, uint32_t mask) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)mask, x));
}

/* The same of the numbers base + 1, base + 2 ... of the lanes. */
INLINE void store_places(uint32_t *to, uint32_t base, uint32_t mask) {
    const lanes places = _mm512_set_epi32(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    store_chosen(to, _mm512_add_epi32(places, same_lanes(base)), mask);
}

/* Each lane's next one; the last one's is the first of y. */
INLINE lanes next_lanes(lanes x, lanes y) {
    return _mm512_alignr_epi32(y, x, 1);
}

INLINE lanes turned(lanes x) {
    const lanes order = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutexvar_epi32(order, x);
}

INLINE lanes turned_halves(lanes x) {
    const lanes order = _mm512_set_epi32(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    return _mm512_permutexvar_epi32(order, x);
}

/* The larger of x and y in the lanes of the mask, the lesser in the others. */
INLINE lanes exchange(lanes x, lanes y, __mmask16 mask) {
    return _mm512_mask_max_epu32(_mm512_min_epu32(x, y), mask, x, y);
}

INLINE lanes clean_fours(lanes x) {
    x = exchange(x, _mm512_shuffle_epi32(x, _MM_PERM_BADC), 0xCCCC);
    return exchange(x, _mm512_shuffle_epi32(x, _MM_PERM_CDAB), 0xAAAA);
}

INLINE lanes clean_eights(lanes x) {
    x = exchange(x, _mm512_permutex_epi64(x, _MM_SHUFFLE(1, 0, 3, 2)), 0xF0F0);
    return clean_fours(x);
}

/* Sorts a bitonic sequence. */
INLINE lanes clean(lanes x) {
    x = exchange(x, _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(1, 0, 3, 2)), 0xFF00);
    return clean_eights(x);
}

/* From two sorted eights. */
INLINE lanes merge_eights(lanes x) {
    return clean_eights(exchange(x, turned(x), 0xFF00));
}

/* From four sorted fours. */
INLINE lanes merge_fours(lanes x) {
    return merge_eights(clean_fours(exchange(x, turned_halves(x), 0xF0F0)));
}

INLINE lanes sort_lanes(lanes x) {
    x = exchange(x, _mm512_shuffle_epi32(x, _MM_PERM_CDAB), 0xAAAA);
    x = exchange(x, _mm512_shuffle_epi32(x, _MM_PERM_ABCD), 0xCCCC);
    x = exchange(x, _mm512_shuffle_epi32(x, _MM_PERM_CDAB), 0xAAAA);
    return merge_fours(x);
}

/* Columns of four become rows, in each quarter. */
INLINE void transpose_fours(lanes *r) {
    const lanes a = _mm512_unpacklo_epi32(r[0], r[1]);
    const lanes b = _mm512_unpackhi_epi32(r[0], r[1]);
    const lanes c = _mm512_unpacklo_epi32(r[2], r[3]);
    const lanes d = _mm512_unpackhi_epi32(r[2], r[3]);
    r[0] = _mm512_unpacklo_epi64(a, c);
    r[1] = _mm512_unpackhi_epi64(a, c);
    r[2] = _mm512_unpacklo_epi64(b, d);
    r[3] = _mm512_unpackhi_epi64(b, d);
}

/* From vectors whose columns are sorted to vectors that are sorted, 4 or 8 of them. */
INLINE void sort_columns4(lanes *r) {
    transpose_fours(r);
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) r[i] = merge_fours(r[i]);
}

INLINE void sort_columns8(lanes *r) {
    const lanes low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const lanes high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    transpose_fours(r);
    transpose_fours(r + 4);
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        const lanes x = _mm512_permutex2var_epi64(r[i], low, r[i + 4]);
        const lanes y = _mm512_permutex2var_epi64(r[i], high, r[i + 4]);
        r[i] = merge_eights(x);
        r[i + 4] = merge_eights(y);
    }
}

/* ---- pairs of labels --------------------------------------------------------------------- */

#define ITEMS_PACKED 16

/* The window of a pair of labels, in every lane; `copy` is added to what is packed. */
typedef struct {
    __m512i row_low, col_low, row_most, col_most, width, copy;
} packing;

INLINE packing packing_of(const pw_source *source, uint32_t width, uint32_t apart) {
    const int wide = source->a->itemsize == 8;
#define EVERYWHERE(x) (wide ? _mm512_set1_epi64((int64_t)(x)) : _mm512_set1_epi32((int32_t)(x)))
    const packing p = {
        EVERYWHERE(source->row.low),
        EVERYWHERE(source->col.low),
        EVERYWHERE(source->row.most),
        EVERYWHERE(source->col.most),
        EVERYWHERE(width),
        _mm512_mullo_epi32(_mm512_set1_epi32((int32_t)apart), _mm512_set4_epi32(3, 2, 1, 0))};
#undef EVERYWHERE
    return p;
}

/* Writes row * width + column of 16 items, and the copy; not 0 if a label lies outside. */
INLINE uint32_t pack_short(const uint32_t *a, const uint32_t *b, const packing *p, uint32_t *to) {
    const __m512i row = _mm512_sub_epi32(load(a), p->row_low);
    const __m512i col = _mm512_sub_epi32(load(b), p->col_low);
    const __m512i pair = _mm512_add_epi32(_mm512_mullo_epi32(row, p->width), col);
    _mm512_storeu_si512(to, _mm512_add_epi32(pair, p->copy));
    return (uint32_t)_mm512_cmpgt_epu32_mask(row, p->row_most) |
           (uint32_t)_mm512_cmpgt_epu32_mask(col, p->col_most);
}

INLINE uint32_t pack_long(const uint64_t *a, const uint64_t *b, const packing *p, uint32_t *to) {
    const __m512i row = _mm512_sub_epi64(_mm512_loadu_si512(a), p->row_low);
    const __m512i col = _mm512_sub_epi64(_mm512_loadu_si512(b), p->col_low);
    const __m512i row_too = _mm512_sub_epi64(_mm512_loadu_si512(a + 8), p->row_low);
    const __m512i col_too = _mm512_sub_epi64(_mm512_loadu_si512(b + 8), p->col_low);
    const __m512i pair = _mm512_add_epi64(_mm512_mul_epu32(row, p->width), col);
    const __m512i pair_too = _mm512_add_epi64(_mm512_mul_epu32(row_too, p->width), col_too);
    const __m512i pairs = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(pair)),
                                             _mm512_cvtepi64_epi32(pair_too), 1);
    _mm512_storeu_si512(to, _mm512_add_epi32(pairs, p->copy));
    return (uint32_t)_mm512_cmpgt_epu64_mask(_mm512_max_epu64(row, row_too), p->row_most) |
           (uint32_t)_mm512_cmpgt_epu64_mask(_mm512_max_epu64(col, col_too), p->col_most);
}

/* ---- cells of the table ------------------------------------------------------------------ */

/* Writes the columns and counts of 8 cells. Precondition where they stream: the places are
 * multiples of 64 bytes. ends[-1] is the end of the cell before. */
INLINE void write_cells(int64_t *cols, int64_t *counts, const uint32_t *keys, const uint32_t *ends,
                        uint32_t col_mask, int stream) {
    const __m256i key = _mm256_loadu_si256((const __m256i *)keys);
    const __m256i col = _mm256_and_si256(key, _mm256_set1_epi32((int)col_mask));
    const __m256i end = _mm256_loadu_si256((const __m256i *)ends);
    const __m256i count = _mm256_sub_epi32(end, _mm256_loadu_si256((const __m256i *)(ends - 1)));
    if (stream) {
        _mm512_stream_si512((void *)cols, _mm512_cvtepu32_epi64(col));
        _mm512_stream_si512((void *)counts, _mm512_cvtepu32_epi64(count));
    } else {
        _mm512_storeu_si512(cols, _mm512_cvtepu32_epi64(col));
        _mm512_storeu_si512(counts, _mm512_cvtepu32_epi64(count));
    }
}

#define STREAMED() _mm_sfence()

/* Which of 8 cells are the last of their rows; keys[8] is read. */
INLINE uint32_t last_of_rows(const uint32_t *keys, int col_bits) {
    const __m128i shift = _mm_cvtsi32_si128(col_bits);
    const __m256i key = _mm256_loadu_si256((const __m256i *)keys);
    const __m256i next = _mm256_loadu_si256((const __m256i *)(keys + 1));
    return _mm256_cmpneq_epu32_mask(_mm256_srl_epi32(key, shift), _mm256_srl_epi32(next, shift));
}

/* Writes row numbers, ends and tops of the cells of the mask, as pw_build_row does; eight entries
 * of each are overwritten. */
INLINE void write_rows(const pw_build *build, int64_t at, uint32_t mask, const uint32_t *keys,
                       const uint32_t *ends, int col_bits, int64_t row, int64_t end, int64_t top) {
    const __m256i key = _mm256_loadu_si256((const __m256i *)keys);
    const __m256i item = _mm256_loadu_si256((const __m256i *)ends);
    const __m512i rows =
        _mm512_add_epi64(_mm512_cvtepu32_epi64(_mm256_srl_epi32(key, _mm_cvtsi32_si128(col_bits))),
                         _mm512_set1_epi64(row));
    const __m512i cells =
        _mm512_add_epi64(_mm512_set_epi64(8, 7, 6, 5, 4, 3, 2, 1), _mm512_set1_epi64(end));
    const __m512i items = _mm512_add_epi64(_mm512_cvtepu32_epi64(item), _mm512_set1_epi64(top));
    const __mmask8 chosen = (__mmask8)mask;
    _mm512_storeu_si512(build->rows + at, _mm512_maskz_compress_epi64(chosen, rows));
    _mm512_storeu_si512(build->ends + at + 1, _mm512_maskz_compress_epi64(chosen, cells));
    _mm512_storeu_si512(build->tops + at, _mm512_maskz_compress_epi64(chosen, items));
}

#endif
