/* Labels that are codes into a dictionary, or numbers with a fraction part that is 0. */
#ifndef PW_RECODE_H
#define PW_RECODE_H

#include "pw_common.h"

/* out[i] = numbers[v[i]]. Returns the first place whose code is not below n_codes (as an unsigned
 * number), v->n if there is none; what stands behind it in `out` is then not written. O(n). */
int64_t pw_recode(const pw_labels *v, const int32_t *numbers, int64_t n_codes, int32_t *out);

/* first[c] = the first place of the code c, -1 where it does not occur; *wrong receives what
 * pw_recode returns, but what lies beyond the place where the last of all codes occurs first is not
 * looked at. O(n + n_codes). */
int pw_first_places(const pw_labels *v, int64_t n_codes, int64_t *first, int64_t *wrong,
                    const pw_poll *poll);

/* Least and largest of n doubles that are no NaN (inf and -inf: there is none); returns how many
 * are NaN. O(n). */
int64_t pw_double_range(const double *x, int64_t n, double *least, double *largest);

/* out[i] = x[i] - least, 0 for a NaN; returns 1 if every other x[i] is whole. Precondition: least
 * <= x[i] <= least + 2^31 - 1, least is whole and of at most 2^52. O(n). */
int pw_whole_numbers(const double *x, int64_t n, double least, int32_t *out);

/* Writes the labels where `dropped` is 0, one behind another, to `out`, which has room for all n;
 * returns how many they are. O(n). */
int64_t pw_keep(const pw_labels *v, const uint8_t *dropped, void *out);

#endif
