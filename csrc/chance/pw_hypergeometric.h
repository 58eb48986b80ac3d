/* Random numbers of the hypergeometric law. */
#ifndef PW_HYPERGEOMETRIC_H
#define PW_HYPERGEOMETRIC_H

#include "pw_common.h"

/* How many of b chosen items are among a marked ones of n, from a uniform u in [0, 1): the law
 * is followed to 2^-44, the same bits on every machine (no library function but the root).
 * Precondition: a, b <= n < 2^32. O(1 + standard deviation). */
int64_t pw_hypergeometric(int64_t n, int64_t a, int64_t b, double u);

#endif
