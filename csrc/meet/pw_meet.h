/* The meet of two clusterings: their sparse table, straight from the label arrays. */
#ifndef PW_MEET_H
#define PW_MEET_H

#include "pw_common.h"
#include "pw_meet_job.h"
#include "pw_scratch.h"
#include "pw_table.h"
#include "pw_vector.h"

/* Counts every (label of a, label of b) that occurs.
 * Precondition: a->n == b->n; `scratch` is in no other call; `vector` is from
 * pw_vector_at, and which one it is changes the time only. On PW_OK the caller owns `table`
 * (pw_table_free). Another thread may write the labels meanwhile: whatever pass looks at them
 * checks what it has read before it writes, so that each item is counted once, as it was at some
 * time.
 *
 * Label ranges are guessed from a sample and checked while the work is done; the few labels
 * outside go by pw_meet_wide and the tables are merged. The path follows the shape:
 *   dense    both ranges small and their product near n: one counter per pair.
 *   sorted   the items come in the order of (row, col): one pass.
 *   runs     the same cell comes many times in a row: runs are sorted.
 *   sparse   ranges near n: (row, col) packed in a key, split by its top bits so that a part fits
 *            the cache, each part hashed or sorted there.
 *   wide     any 64-bit ids: hash the raw pairs part by part, number labels once per cell.
 * O(n + cells + ranges).
 */
int pw_meet(const pw_labels *a, const pw_labels *b, pw_scratch *scratch, const pw_vector *vector,
            pw_table *table, const pw_poll *poll);

/* The same by several workers: start; then pw_meet_step by every worker, all at the same time, and
 * pw_meet_turn once all are done, until that says that no step is left; then pw_meet_end, whatever
 * has happened. On PW_OK `table` is the caller's. The table does not depend on the number. */
int pw_meet_start(pw_job *job, const pw_labels *a, const pw_labels *b, pw_scratch *const *scratch,
                  int n_workers, const pw_vector *vector);
int pw_meet_step(pw_job *job, int worker, const pw_poll *poll);
/* `status` is the first of all workers' that is not PW_OK. */
int pw_meet_turn(pw_job *job, int status, int *steps_left, const pw_poll *poll);
int pw_meet_end(pw_job *job, int status, pw_table *table);

#endif
