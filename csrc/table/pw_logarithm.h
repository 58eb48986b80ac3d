/* ln x and x ln x in integers, as src/partwise/numbers/logarithm.py defines them. */
#ifndef PW_LOGARITHM_H
#define PW_LOGARITHM_H

#include "pw_common.h"

/* Fraction bits of pw_ln. */
#define PW_LN_BITS 120

/* ln x with PW_LN_BITS fraction bits, off by less than 64 of the last. Precondition: 1 <= x < 2^63.
 */
pw_u128 pw_ln(uint64_t x);

/* floor(2^fraction_bits x ln x). Precondition: x < 2^63; fraction_bits 56, or 64 with x < 2^57:
 * the result then stays below 2^127. A table look-up below 2048, else about 100 instructions. */
pw_u128 pw_xlogx(uint64_t x, int fraction_bits);

#endif
