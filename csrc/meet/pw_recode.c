/* Labels that are codes into a dictionary, or numbers with a fraction part that is 0; labels
 * without those that are dropped. */
#include "pw_recode.h"

#include <math.h>
#include <string.h>

#include "pw_by_type.h"

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

int64_t pw_first_places(const pw_labels *v, int64_t n_codes, int64_t *first) {
    int64_t left = n_codes;
    for (int64_t c = 0; c < n_codes; c++) first[c] = -1;
    PW_BY_SIZE(v, {
        const T *codes = v->data;
        for (int64_t i = 0; i < v->n && left > 0; i++) {
            const uint64_t code = codes[i];
            if (__builtin_expect(code >= (uint64_t)n_codes, 0)) return i;
            if (__builtin_expect(first[code] < 0, 0)) {
                first[code] = i;
                left--;
            }
        }
    })
    return v->n;
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

int pw_whole_numbers(const double *x, int64_t n, double least, int32_t *out) {
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t count = pw_min64(BLOCK, n - start);
        const double *block = x + start;
        int32_t *to = out + start;
        for (int64_t j = 0; j < count; j++) {
            const double offset = block[j] - least;
            to[j] = (int32_t)(offset == offset ? offset : 0.0);
        }
        uint64_t differ = 0; /* the difference may have been rounded */
        for (int64_t j = 0; j < count; j++) {
            const double back = (double)to[j] + least;
            const double value = block[j] + 0.0; /* -0.0 becomes 0.0 */
            uint64_t bits;
            uint64_t others;
            memcpy(&bits, &back, sizeof bits);
            memcpy(&others, &value, sizeof others);
            differ |= bits ^ others;
        }
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
