/* The table of items that count more than once, or have a mass, where it is small. */
#ifndef PW_MASSES_H
#define PW_MASSES_H

#include "pw_common.h"
#include "pw_vector.h"
#include "pw_window.h"

/* Finds windows that hold the labels: all of them, or with `guessed` those of a sample, which
 * pw_dense_masses checks. Returns 0 if there would be more than `most` pairs of labels. O(n), or
 * O(sample). Precondition: both label arrays have the same n >= 1, most < 2^31. */
int pw_dense_windows(pw_source *source, const pw_vector *vector, int64_t most, int guessed);

/* Counts the pairs of labels of all items, or of those that are not dropped, as pw_dense_masses
 * does: in counters of 8 bits, 5 bytes a pair, 8 where they are few. PW_CROWDED: a label lies
 * outside its window. PW_NO_MEMORY, PW_STOPPED. O(n + pairs). */
int pw_dense_pairs(const pw_source *source, const pw_vector *vector, const uint8_t *dropped,
                   int64_t *counts, const pw_poll *poll);

/* How often items count, or what they weigh, as the caller has it: what pw_dense_masses checks. */
typedef struct {
    const int64_t *times;   /* NULL: once each */
    const double *weights;  /* NULL: no masses */
    const uint8_t *dropped; /* not 0: the item is not there; NULL, or neither times nor weights */
    double largest;         /* no mass of an item is above: its weight, as often as it counts */
    int fraction_bits;      /* they leave room for the sum of all masses */
} pw_counting;

/* Counts and masses of every pair of labels, row by row: width = col.most + 1 pairs a row.
 *
 * counts[(row.most + 1) * width], all 0, receives how often the items of each pair count. masses,
 * as large and all 0 too, receives the sums of weights in fixed point, each as often as its item
 * counts; NULL where there are no weights. An item that counts 0 times is not there. *zeros
 * receives how many items count 0 times or, where each counts once, weigh 0.
 *
 * Preconditions: windows of pw_dense_windows. Other threads may write labels, times and weights
 * meanwhile: each is read once, then checked, then used. PW_CROWDED: a label lies outside its
 * window, a number of times is below 0 or n of them may add up to 2^63, a mass is not from 0 to
 * `largest`, both included, or is -0. O(n). */
int pw_dense_masses(const pw_source *source, const pw_vector *vector, const pw_counting *counting,
                    int64_t *counts, pw_i128 *masses, int64_t *zeros, const pw_poll *poll);

/* Sums of rows, of columns and of all pairs (one entry), and the pairs themselves, each as a
 * double and what that leaves over; `sums` has room for n_cols. O(pairs). */
void pw_mass_totals(const pw_i128 *masses, int64_t n_rows, int64_t n_cols, int fraction_bits,
                    pw_i128 *sums, double *const high[4], double *const low[4]);

#endif
