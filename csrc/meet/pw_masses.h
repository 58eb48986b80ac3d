/* The table of items that count more than once, or have a mass, where it is small. */
#ifndef PW_MASSES_H
#define PW_MASSES_H

#include "pw_common.h"

/* Labels as offsets from `low`, at most `most`. */
typedef struct {
    uint64_t low;
    uint64_t most;
} pw_span;

/* Counts and masses of every pair of labels, row by row: width = col.most + 1 pairs a row.
 *
 * counts[(row.most + 1) * width], all 0, receives how often the items of each pair count: times[i],
 * or 1 where `times` is NULL. masses, as large and all 0 too, receives the sums of weights[i] times
 * that in fixed point; NULL: no masses. An item that counts 0 times is not there.
 *
 * Preconditions: spans hold all labels (pw_range); times are at least 0 and add up to less than
 * 2^63; masses are finite, and fraction_bits leave room for their sum. Labels may be written by
 * another thread meanwhile: PW_CROWDED where one has left its span. O(n). */
int pw_dense_masses(const pw_labels *a, const pw_labels *b, pw_span row, pw_span col,
                    const int64_t *times, const double *weights, int fraction_bits, int64_t *counts,
                    pw_i128 *masses, const pw_poll *poll);

/* Sums of rows, of columns and of all pairs (one entry), and the pairs themselves, each as a
 * double and what that leaves over; `sums` has room for n_cols. O(pairs). */
void pw_mass_totals(const pw_i128 *masses, int64_t n_rows, int64_t n_cols, int fraction_bits,
                    pw_i128 *sums, double *const high[4], double *const low[4]);

#endif
