/* Labels that are codes into a dictionary, or numbers with a fraction part that is 0. */
#include "pw_recode.h"

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
    for (int64_t c = 0; c < n_codes; c++) first[c] = -1;
    PW_BY_SIZE(v, {
        const T *codes = v->data;
        for (int64_t i = 0; i < v->n; i++) {
            const uint64_t code = codes[i];
            if (__builtin_expect(code >= (uint64_t)n_codes, 0)) return i;
            if (__builtin_expect(first[code] < 0, 0)) first[code] = i;
        }
    })
    return v->n;
}

#define BLOCK 256

int pw_whole_numbers(const double *x, int64_t n, double least, int32_t *out) {
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t end = pw_min64(start + BLOCK, n);
        int whole = 1;
        for (int64_t i = start; i < end; i++) {
            out[i] = (int32_t)(x[i] - least);
            whole &= (double)out[i] + least == x[i]; /* the difference may have been rounded */
        }
        if (!whole) return 0;
    }
    return 1;
}
