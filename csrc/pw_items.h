/* Items of fixed width (text of NumPy arrays) numbered by first appearance. */
#ifndef PW_ITEMS_H
#define PW_ITEMS_H

#include "pw_common.h"

/* codes[i] = the number of item i among the distinct ones, in order of first appearance; firsts
 * (malloc'd, the caller's; NULL unless PW_OK) has the place of each, *k how many there are.
 * Precondition: n items of `width` >= 1 bytes. PW_CROWDED: too many collisions; somebody chose the
 * items. Expected O(n width), 16 to 64 bytes a distinct item. */
int pw_number_items(const void *data, int64_t n, int64_t width, int64_t *codes, int64_t **firsts,
                    int64_t *k, const pw_poll *poll);

#endif
