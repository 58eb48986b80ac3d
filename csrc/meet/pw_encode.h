/* Reading label arrays: range, block-wise widening, numbering of distinct values. */
#ifndef PW_ENCODE_H
#define PW_ENCODE_H

#include "pw_common.h"
#include "pw_radix.h"

/* Smallest and largest value as 64-bit patterns (sign-extended when signed).
 * Precondition: v->n >= 1. O(n). `high - low` in uint64 is the range minus one. */
void pw_range(const pw_labels *v, uint64_t *low, uint64_t *high);

/* out[i] = v[start + i] - low for i < count.
 * Precondition: every value is at least low; pw_load_u32 needs a range below 2^32. O(count). */
void pw_load_u32(const pw_labels *v, int64_t start, int64_t count, uint64_t low, uint32_t *out);
void pw_load_u64(const pw_labels *v, int64_t start, int64_t count, uint64_t low, uint64_t *out);

/* Number the distinct values in ascending order.
 * codes (n int64, caller's) receives each item's number; *values receives a malloc'd array of
 * the *k distinct 64-bit patterns, ascending in the order of the type (caller frees).
 * O(n + range) when the range is at most a few n, else O(n) radix passes with 32 n bytes.
 * Another thread may write the labels meanwhile: each is then taken as it was at some time, codes
 * and values agree, but values may be out of order. */
int pw_encode(const pw_labels *v, int64_t *codes, uint64_t **values, int64_t *k,
              const pw_poll *poll);

/* Renumber codes by first appearance, in place. Precondition: 0 <= codes[i] < k, in memory that
 * nobody else writes.
 * *used receives how many numbers occur; after PW_STOPPED the codes mean nothing. O(n + k), 8 k
 * bytes. */
int pw_first_appearance(int64_t *codes, int64_t n, int64_t k, int64_t *used, const pw_poll *poll);

/* ---- several threads (pw_encode_parts.c)
 * --------------------------------------------------------- */

/* Ranges of labels below this count as small. */
int64_t pw_encode_range(const pw_labels *v);

/* offsets[i] = label i - low, for items from start to stop: read once, as others may write them. */
int pw_encode_load(const pw_labels *v, uint64_t low, int64_t start, int64_t stop, uint64_t *offsets,
                   const pw_poll *poll);

/* Marks the offsets that occur, in bytes that were 0. PW_CROWDED: an offset lies outside the range,
 * so a label has been written since the range was looked for. */
int pw_encode_mark(const uint64_t *offsets, int64_t start, int64_t stop, int64_t range,
                   uint8_t *marks);
/* How many offsets from start to stop are marked. */
int64_t pw_encode_count(const uint8_t *marks, int64_t start, int64_t stop);
/* Numbers them, from `number` on: numbers[offset], and values[number] = low + offset. */
void pw_encode_number(const uint8_t *marks, int64_t start, int64_t stop, uint64_t low,
                      int64_t number, int64_t *numbers, uint64_t *values);
/* codes hold offsets, as uint64, and receive their numbers. */
int pw_encode_look_up(int64_t *codes, int64_t start, int64_t stop, const int64_t *numbers,
                      const pw_poll *poll);

/* Chooses parts - 1 offsets, ascending, from a sample, that split all into about equal parts.
 * Precondition: n >= 1. */
int pw_encode_split(const uint64_t *offsets, int64_t n, int parts, uint64_t *splitters);

/* Sorted pairs of offsets, less `least`, and their items. */
typedef struct {
    uint64_t least;
    int64_t count;
    int64_t distinct;
    pw_pair *pairs; /* malloc'd, the caller's, NULL for none */
} pw_encode_run;

/* Sorts the offsets from least to most, both included. O(n) to collect them, 32 bytes each. */
int pw_encode_sort(const uint64_t *offsets, int64_t n, uint64_t least, uint64_t most,
                   pw_encode_run *run, const pw_poll *poll);
/* Numbers them from `first` on: the codes of their items, and values[number] = low + offset. */
int pw_encode_write(const pw_encode_run *run, uint64_t low, int64_t first, int64_t *codes,
                    uint64_t *values, const pw_poll *poll);

/* ---- ids of two sides ---------------------------------------------------------------------------
 */

/* places[ids[i]] = i + 1 for items from start to stop; where an id comes again, one of its items.
 */
void pw_place_ids(const int64_t *ids, int64_t start, int64_t stop, int64_t *places);
/* pairs[i] = where the other side has the id of item i. own_places, other_places: of pw_place_ids,
 * 0 where there is no such id. PW_CROWDED: this side has an id again, or the other one lacks one.
 */
int pw_pair_ids(const int64_t *ids, const int64_t *own_places, const int64_t *other_places,
                int64_t start, int64_t stop, int64_t *pairs);

#endif
