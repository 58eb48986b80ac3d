/* The meet of two clusterings: their sparse table, straight from the label arrays. */
#ifndef PW_MEET_H
#define PW_MEET_H

#include "pw_common.h"
#include "pw_table.h"

/* Counts every (label of a, label of b) that occurs.
 * Precondition: a->n == b->n. On PW_OK the caller owns `table` (pw_table_free).
 *
 * The path follows the shape:
 *   dense      both label ranges small and their product near n: one counter per pair.
 *              O(n + product), 4 bytes a pair.
 *   partition  ranges near n: pack (row, col) into one key, split by its top bits so that a part
 *              fits the cache, sort each part there. O(n), about 8 n bytes + 16 a cell.
 *   wide       any 64-bit ids: hash the raw pairs part by part, number labels once per cell.
 *              O(n + cells), 16 n bytes + about 80 a cell.
 */
int pw_meet(const pw_labels *a, const pw_labels *b, pw_table *table, const pw_poll *poll);

#endif
