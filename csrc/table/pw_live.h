/* A table that changes: a hash table of 64-bit keys with a value each, and counters that move. */
#ifndef PW_LIVE_H
#define PW_LIVE_H

#include "pw_common.h"

/* A value below 0 marks a free entry. */
typedef struct {
    int64_t key;
    int64_t value;
} pw_entry;

/* Finds keys among 2^bits entries, 1 <= bits <= 60, and adds those that are not there: the k-th
 * that is added, from 0, gets the value first + k * step, which is at least 0. slots[i] is the
 * entry of keys[i]. Returns how many were added. The seed, of which results do not depend but
 * for slots, is the same in every call. Precondition: more entries are free than keys are new.
 * Expected O(n) while a third of the entries is free. */
int64_t pw_live_find(pw_entry *entries, int bits, uint64_t seed, const int64_t *keys, int64_t n,
                     int64_t first, int64_t step, int64_t *slots);

/* Adds changes[i] to counts[places[i] * stride]; a place may come again. touched[j], the distinct
 * places in the order in which they first come, and before[j], what they held. Returns how many
 * there are. Precondition: counts are at least 0, and no sum on the way reaches 2^60 from 0.
 * O(n). */
int64_t pw_live_shift(int64_t *counts, int64_t stride, const int64_t *places,
                      const int64_t *changes, int64_t n, int64_t *touched, int64_t *before);

#endif
