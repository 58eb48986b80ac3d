/* The meet where labels are arbitrary 64-bit ids. */
#ifndef PW_WIDE_H
#define PW_WIDE_H

#include "pw_common.h"
#include "pw_scratch.h"
#include "pw_table.h"

/* As pw_meet for any label range, without numbering the labels of n items first: equal raw pairs
 * are added up, then labels are numbered once per cell.
 * Precondition: a->n == b->n >= 1. O(n) hashing + radix sorts over the cells; 16 n bytes of
 * scratch + about 100 a cell. Ids chosen to collide are noticed (too many probes) and sent to a
 * sorting path of O(n) radix passes. */
int pw_meet_wide(const pw_labels *a, const pw_labels *b, pw_scratch *scratch, pw_table *table,
                 const pw_poll *poll);

#endif
