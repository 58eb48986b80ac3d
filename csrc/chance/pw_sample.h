/* Random tables with given margins: cells or items drawn at random. */
#ifndef PW_SAMPLE_H
#define PW_SAMPLE_H

#include "pw_common.h"

/* One table of two clusterings of the given sizes whose items are paired at random, every
 * pairing equally likely.
 * Precondition: all sizes >= 1, both sides add up to n, n < 2^32.
 * indptr (n_rows + 1) is the caller's; cols and counts receive malloc'd arrays of *n_cells.
 * The draw depends on the sizes, in their order, and on the key alone.
 * Where cells hold 32 items or more on average, cells are drawn one after another (their law is
 * followed to 2^-44): O(1 + standard deviation) for each of the n_rows n_cols cells.
 * Else items are shuffled, exactly: pw_shuffled_table. */
int pw_random_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, const uint64_t key[2], int64_t *indptr, int64_t **out_cols,
                    int64_t **out_counts, int64_t *n_cells, const pw_poll *poll);

/* counts (draws x n): how often each of n places is met in n draws with replacement, for the
 * keys (key[0], key[1]), (key[0], key[1] + 1), ...
 * Precondition: n < 2^32; counts is the caller's. O(draws n). */
int pw_resample(int64_t n, const uint64_t key[2], int64_t draws, int64_t *counts,
                const pw_poll *poll);

#endif
