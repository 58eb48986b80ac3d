/* Labels that are codes into a dictionary, or numbers with a fraction part that is 0; labels
 * without those that are dropped. */
#include "pw_recode.h"

#include <math.h>
#include <string.h>

#include "pw_by_type.h"

/* What every processor of 64-bit x86 has. The compiler does not find these forms itself, because
 * comparisons with NaN stand in its way. */
#if defined(__SSE2__) && defined(__x86_64__)
#include <emmintrin.h>
#define TWO_DOUBLES 1
#else
#define TWO_DOUBLES 0
#endif

int64_t pw_recode(const pw_labels *v, const int32_t *numbers, int64_t n_codes, int32_t *out) {
    PW_BY_SIZE(v, {
        const T *codes = v->data;
        for (int64_t i = 0; i < v->n; i++) {
            const uint64_t code = codes[i];
            if (__builtin_expect(code >= (uint64_t)n_codes, 0)) return i;
            out[i] = numbers[code];
        }
    })
    return v->n;
}

int pw_first_places(const pw_labels *v, int64_t n_codes, int64_t *first, int64_t *wrong,
                    const pw_poll *poll) {
    int64_t left = n_codes;
    for (int64_t c = 0; c < n_codes; c++) first[c] = -1;
    *wrong = v->n;
    if (left == 0) return PW_OK;
    PW_BY_SIZE(v, {
        const T *codes = v->data;
        for (int64_t i = 0; i < v->n;) {
            const int64_t stop = pw_min64(v->n, i + PW_POLL_SCATTERED);
            for (; i < stop; i++) {
                const uint64_t code = codes[i];
                if (__builtin_expect(code >= (uint64_t)n_codes, 0)) {
                    *wrong = i;
                    return PW_OK;
                }
                if (__builtin_expect(first[code] < 0, 0)) {
                    first[code] = i;
                    if (--left == 0) return PW_OK;
                }
            }
            if (i < v->n && pw_stop(poll)) return PW_STOPPED;
        }
    })
    return PW_OK;
}

#define BLOCK 256
#define LANES 8 /* comparisons side by side, whose order the compiler may not change itself */

int64_t pw_double_range(const double *x, int64_t n, double *least, double *largest) {
    double low[LANES];
    double high[LANES];
    int64_t missing = 0;
    for (int k = 0; k < LANES; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    int64_t i = 0;
#if TWO_DOUBLES
    __m128d lows[LANES / 2], highs[LANES / 2];
    __m128i lacking = _mm_setzero_si128(); /* minus the number of NaN */
    for (int k = 0; k < LANES / 2; k++) {
        lows[k] = _mm_loadu_pd(low + 2 * k);
        highs[k] = _mm_loadu_pd(high + 2 * k);
    }
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES / 2; k++) {
            const __m128d two = _mm_loadu_pd(x + i + 2 * k);
            lows[k] = _mm_min_pd(two, lows[k]); /* the second one where the first is NaN */
            highs[k] = _mm_max_pd(two, highs[k]);
            lacking = _mm_add_epi64(lacking, _mm_castpd_si128(_mm_cmpunord_pd(two, two)));
        }
    }
    for (int k = 0; k < LANES / 2; k++) {
        _mm_storeu_pd(low + 2 * k, lows[k]);
        _mm_storeu_pd(high + 2 * k, highs[k]);
    }
    int64_t by_lane[2];
    _mm_storeu_si128((__m128i *)by_lane, lacking);
    missing = -(by_lane[0] + by_lane[1]);
#endif
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
            high[k] = x[i + k] > high[k] ? x[i + k] : high[k];
            missing += x[i + k] != x[i + k];
        }
    }
    for (; i < n; i++) {
        low[0] = x[i] < low[0] ? x[i] : low[0];
        high[0] = x[i] > high[0] ? x[i] : high[0];
        missing += x[i] != x[i];
    }
    for (int k = 1; k < LANES; k++) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    *least = low[0];
    *largest = high[0];
    return missing;
}

/* A block where something is no whole number: NaN is none that counts. */
static int whole_or_missing(const double *x, int64_t count, double least, const int32_t *out) {
    for (int64_t j = 0; j < count; j++) {
        if (x[j] == x[j] && (double)out[j] + least != x[j]) return 0;
    }
    return 1;
}

/* Writes the offsets of a block, 0 for a NaN; returns not 0 if a value is another than `least`
 * and its offset together: it has a fraction, or the difference was rounded, or it is NaN. */
static uint64_t offsets_of(const double *x, int64_t count, double least, int32_t *out) {
    uint64_t differ = 0;
    int64_t j = 0;
#if TWO_DOUBLES
    const __m128d leasts = _mm_set1_pd(least);
    __m128d differs = _mm_setzero_pd();
    for (; j + 2 <= count; j += 2) {
        const __m128d two = _mm_loadu_pd(x + j);
        const __m128d offset = _mm_sub_pd(two, leasts);
        const __m128i whole = _mm_cvttpd_epi32(_mm_and_pd(offset, _mm_cmpord_pd(offset, offset)));
        _mm_storel_epi64((__m128i *)(out + j), whole);
        const __m128d back = _mm_add_pd(_mm_cvtepi32_pd(whole), leasts);
        const __m128d value = _mm_add_pd(two, _mm_setzero_pd()); /* -0.0 becomes 0.0 */
        differs = _mm_or_pd(differs, _mm_xor_pd(back, value));
    }
    uint64_t by_lane[2];
    _mm_storeu_pd((double *)by_lane, differs);
    differ = by_lane[0] | by_lane[1];
#endif
    for (; j < count; j++) {
        const double offset = x[j] - least;
        out[j] = (int32_t)(offset == offset ? offset : 0.0);
        const double back = (double)out[j] + least;
        const double value = x[j] + 0.0;
        uint64_t bits, others;
        memcpy(&bits, &back, sizeof bits);
        memcpy(&others, &value, sizeof others);
        differ |= bits ^ others;
    }
    return differ;
}

int pw_whole_numbers(const double *x, int64_t n, double least, int32_t *out) {
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t count = pw_min64(BLOCK, n - start);
        const double *block = x + start;
        int32_t *to = out + start;
        const uint64_t differ = offsets_of(block, count, least, to);
        if (differ != 0 && !whole_or_missing(block, count, least, to)) return 0;
    }
    return 1;
}

int64_t pw_keep(const pw_labels *v, const uint8_t *dropped, void *out) {
    int64_t used = 0;
    PW_BY_SIZE(v, {
        const T *labels = v->data;
        T *to = out;
        int64_t i = 0;
        for (; i + 8 <= v->n; i += 8) {
            uint64_t eight;
            memcpy(&eight, dropped + i, sizeof eight);
            if (eight == 0) { /* most often none is dropped */
                memcpy(to + used, labels + i, 8 * sizeof *to);
                used += 8;
                continue;
            }
            for (int64_t j = i; j < i + 8; j++) {
                to[used] = labels[j];
                used += dropped[j] == 0;
            }
        }
        for (; i < v->n; i++) {
            to[used] = labels[i];
            used += dropped[i] == 0;
        }
    })
    return used;
}
