/* Vector instructions of the meet: what is compiled for them, and which level the processor has. */
#ifndef PW_VECTOR_H
#define PW_VECTOR_H

#include "pw_filler.h"
#include "pw_read.h"

/* Levels that a build for x86-64 or 64-bit ARM has beside the portable one; others have that one
 * only. */
#if defined(__x86_64__) && defined(__GNUC__)
#define PW_X86_VECTORS 1
#else
#define PW_X86_VECTORS 0
#endif
#if defined(__aarch64__) && defined(__AARCH64EL__) && defined(__GNUC__)
#define PW_ARM_VECTORS 1
#else
#define PW_ARM_VECTORS 0
#endif

enum { PW_VECTOR_NONE, PW_VECTOR_AVX2, PW_VECTOR_AVX512, PW_VECTOR_NEON, PW_VECTOR_LEVELS };

/* The functions of a level. All levels give the same integers.
 *
 * range: the least and the largest label. Precondition: v->n >= 1. O(n). NULL as below.
 *
 * load_index, load_keys: see pw_read_index and pw_read_keys; not 0 if a label lies outside its
 * window, and what is written is then arbitrary.
 *
 * count_items: raises the counters of up to `count` items `from` on, and stops before a group of
 * items with a label outside; returns how many items these were. A last few that are no group are
 * left, and all where labels have other sizes than 4 bytes or 8. NULL as below.
 *
 * row_cells: writes the columns and counts of the counters of one row that are not 0, and returns
 * how many; adds them to col_sizes and their sum to *items. There is room for one cell more.
 * O(width). NULL as below.
 *
 * cells: appends the cells of `count` keys of one part, all in lowest .. highest, to what `filler`
 * has. `keys` and `spare` have room for PW_SORT_SLACK keys more; both are overwritten. O(count)
 * times the levels of a quicksort: at most about 32, mostly log2(count / 128). PW_STOPPED. NULL:
 * the level has no instructions for it.
 *
 * fixed_points: trunc(2^fraction_bits x) of `count` doubles, as two words each; *zeros grows by the
 * number of those that are 0. Returns not 0 if one is not from 0 to `largest`, or is -0, and what
 * is written is then arbitrary. Precondition: 2^fraction_bits times `largest` is below 2^127. */
typedef int64_t pw_row_cells(const uint8_t *narrow, const uint32_t *carries, int64_t width,
                             int64_t *cols, int64_t *counts, int64_t *col_sizes, int64_t *items);

struct pw_vector {
    const char *name;
    pw_range_of *range;
    int (*load_index)(const pw_source *source, int64_t from, int64_t count, uint32_t width,
                      uint32_t *index);
    int64_t (*count_items)(const pw_source *source, int64_t from, int64_t count, uint32_t width,
                           const pw_counters *counters);
    pw_row_cells *row_cells;
    int (*load_keys)(const pw_source *source, int64_t from, int64_t count,
                     const pw_key_shape *shape, uint32_t *keys, uint32_t *parts);
    int (*cells)(pw_filler *filler, uint32_t *keys, uint32_t *spare, int64_t count, uint32_t lowest,
                 uint32_t highest);
    int (*fixed_points)(const double *values, int64_t count, double largest, int fraction_bits,
                        uint64_t *low, uint64_t *high, int64_t *zeros);
};

extern const pw_vector pw_vector_none;
#if PW_X86_VECTORS
extern const pw_vector pw_vector_avx2;
extern const pw_vector pw_vector_avx512;
#endif
#if PW_ARM_VECTORS
extern const pw_vector pw_vector_neon;
#endif

/* The functions of a level, NULL if the build or the processor lacks it. Precondition: 0 <= level <
 * PW_VECTOR_LEVELS. */
const pw_vector *pw_vector_at(int level);

#endif
