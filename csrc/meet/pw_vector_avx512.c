/* The level avx512: reading loops compiled for it, and sorting (pw_cells_impl.h). */
#include "pw_vector.h"

#if PW_X86_VECTORS

#include "pw_by_type.h"
#include "pw_lanes_avx512.h"
#include "pw_tuning.h"

#define NAME(x) x##_avx512
#include "pw_cells_impl.h"
#include "pw_count_impl.h"
#include "pw_range_impl.h"
#include "pw_read_impl.h"

TARGET static int64_t row_cells_avx512(const uint8_t *narrow, const uint32_t *carries,
                                       int64_t width, int64_t *cols, int64_t *counts,
                                       int64_t *col_sizes, int64_t *items) {
    __m512i sum = _mm512_setzero_si512();
    __m512i col = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    int64_t cells = 0;
    for (int64_t j = 0; j < width; j += 8) {
        const __mmask8 here = (__mmask8)(width - j >= 8 ? 0xFF : (1 << (width - j)) - 1);
        const __m512i low = _mm512_cvtepu8_epi64(_mm_maskz_loadu_epi8(here, narrow + j));
        const __m512i high = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(here, carries + j));
        const __m512i count = _mm512_or_si512(_mm512_slli_epi64(high, 8), low);
        const __m512i size = _mm512_maskz_loadu_epi64(here, col_sizes + j);
        _mm512_mask_storeu_epi64(col_sizes + j, here, _mm512_add_epi64(size, count));
        sum = _mm512_add_epi64(sum, count);
        const __mmask8 some = _mm512_test_epi64_mask(count, count);
        const int number = __builtin_popcount(some);
        const __mmask8 first = (__mmask8)((1 << number) - 1);
        _mm512_mask_storeu_epi64(cols + cells, first, _mm512_maskz_compress_epi64(some, col));
        _mm512_mask_storeu_epi64(counts + cells, first, _mm512_maskz_compress_epi64(some, count));
        col = _mm512_add_epi64(col, _mm512_set1_epi64(8));
        cells += number;
    }
    *items += _mm512_reduce_add_epi64(sum);
    return cells;
}

const pw_vector pw_vector_avx512 = {"avx512",           range_avx512,       load_index_avx512,
                                    count_items_avx512, row_cells_avx512,   load_keys_avx512,
                                    cells_avx512,       fixed_points_avx512};

#else

/* C wants a declaration in every file */
typedef int pw_no_avx512;

#endif
