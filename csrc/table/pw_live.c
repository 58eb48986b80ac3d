/* A table that changes.
 *
 * Open addressing with linear probing (Peterson 1957). Entries are in no order that a caller
 * could know beforehand: keys are mixed with a seed, so that nobody can choose keys that collide.
 * The mixer is the finalizer of MurmurHash3 (Appleby) with the seed in front. The entry of a key
 * is fetched while those before it are looked up, so a batch waits for memory once and not for
 * every key.
 *
 * Counters that a batch touches carry a mark in a bit that no count has, so that each is noted
 * once, without a sort and without memory beside.
 */
#include "pw_live.h"

/* Keys that are fetched ahead. */
#define AHEAD 16
#define TOUCHED ((int64_t)1 << 62)

static inline uint64_t home_of(int64_t key, uint64_t seed, int bits) {
    uint64_t x = (uint64_t)key ^ seed;
    x ^= x >> 33;
    x *= UINT64_C(0xFF51AFD7ED558CCD);
    x ^= x >> 33;
    x *= UINT64_C(0xC4CEB9FE1A85EC53);
    return x >> (64 - bits);
}

int64_t pw_live_find(pw_entry *entries, int bits, uint64_t seed, const int64_t *keys, int64_t n,
                     int64_t first, int64_t step, int64_t *slots) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t homes[AHEAD];
    for (int64_t i = 0; i < pw_min64(n, AHEAD); i++) {
        homes[i] = home_of(keys[i], seed, bits);
        __builtin_prefetch(entries + homes[i]);
    }
    int64_t added = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = keys[i];
        uint64_t slot = homes[i % AHEAD];
        if (i + AHEAD < n) {
            const uint64_t later = home_of(keys[i + AHEAD], seed, bits);
            homes[i % AHEAD] = later;
            __builtin_prefetch(entries + later);
        }
        while (entries[slot].value >= 0 && entries[slot].key != key) slot = (slot + 1) & mask;
        if (entries[slot].value < 0) entries[slot] = (pw_entry){key, first + added++ * step};
        slots[i] = (int64_t)slot;
    }
    return added;
}

int64_t pw_live_shift(int64_t *counts, int64_t stride, const int64_t *places,
                      const int64_t *changes, int64_t n, int64_t *touched, int64_t *before) {
    int64_t used = 0;
    for (int64_t i = 0; i < n; i++) {
        __builtin_prefetch(counts + places[pw_min64(i + AHEAD, n - 1)] * stride, 1);
        int64_t *count = counts + places[i] * stride;
        /* marked or not, a count has moved by less than 2^60 */
        if (*count < TOUCHED >> 1) {
            touched[used] = places[i];
            before[used++] = *count;
            *count += TOUCHED;
        }
        *count += changes[i];
    }
    for (int64_t j = 0; j < used; j++) counts[touched[j] * stride] -= TOUCHED;
    return used;
}
