/* Reading label arrays: range, block-wise widening, numbering of distinct values. */
#ifndef PW_ENCODE_H
#define PW_ENCODE_H

#include "pw_common.h"

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
 * *used receives how many numbers occur. O(n + k), 8 k bytes. */
int pw_first_appearance(int64_t *codes, int64_t n, int64_t k, int64_t *used);

#endif
