/* Two tables of different items become one. */
#ifndef PW_MERGE_H
#define PW_MERGE_H

#include "pw_table.h"

/* Adds the items of `other` to `table`. Precondition: no cell is in both. Labels ascend in the
 * order of their sign. Both tables stay as they are unless it returns PW_OK. O(rows + columns +
 * cells of both). */
int pw_merge(pw_table *table, const pw_table *other, int rows_signed, int cols_signed,
             const pw_poll *poll);

#endif
