/* Included once per vector level, after its lanes: items raise the counters of their pairs.
 *
 * Items are packed a little ahead of the counting, so that reading, arithmetic and counting
 * overlap, and memory is never idle. Labels come in two steps: from memory to the second-level
 * cache, where there is room for many, and from there to the first, where the counters are. Left to
 * itself the processor may take the counters for a pattern of addresses and lose sight of the
 * labels' (seen on Zen 4, where it depended on where in a cache line an instruction stood). */

#define GROUP 16
/* Items that are packed before counters of the first of them are raised; room for indices. */
#define DELAY 48
#define RING 64
/* How many items ahead labels are fetched into the second-level cache, and into the first. */
#define FAR 1024
#define NEAR 160

/* Raises the counters of a group. Indices are loaded two at a time, because to the compiler any
 * counter of 8 bits may lie in them. */
INLINE void NAME(raise)(const uint32_t *index, const pw_counters *counters, uint8_t *narrow) {
    _Pragma("GCC unroll 4") for (int64_t j = 0; j < GROUP; j += 8) {
        uint64_t twos[4];
        memcpy(twos, index + j, sizeof twos);
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
            const uint32_t x = (uint32_t)twos[i];
            const uint32_t y = (uint32_t)(twos[i] >> 32);
            if (__builtin_expect(++narrow[x] == 0, 0)) pw_carry(counters, x, 2 * i);
            if (__builtin_expect(++narrow[y] == 0, 0)) pw_carry(counters, y, 2 * i + 1);
        }
    }
}

#define KEEP(to, at) (void)0 /* of items of which none is dropped */

/* Sends the items of a group that are dropped to the counters of `elsewhere`. */
INLINE void NAME(send_elsewhere)(uint32_t *index, const uint8_t *dropped,
                                 const uint32_t *elsewhere) {
    uint64_t gone[GROUP / 8];
    memcpy(gone, dropped, sizeof gone);
    if ((gone[0] | gone[1]) == 0) return; /* most often none is dropped */
    for (int j = 0; j < GROUP; j++) {
        const uint32_t all = (gone[j / 8] >> j % 8 * 8 & 255) == 0 ? 0 : UINT32_MAX;
        index[j] = (index[j] & ~all) | (elsewhere[j] & all);
    }
}

/* T: type of a label. PACK: packs ITEMS_PACKED items, see pw_lanes_avx2.h. SEND: what becomes of
 * the numbers of a group after it. */
#define COUNT_ITEMS(T, PACK, SEND)                                                                 \
    const T *a = (const T *)source->a->data + from;                                                \
    const T *b = (const T *)source->b->data + from;                                                \
    for (; at + GROUP <= count; at += GROUP) {                                                     \
        const T *a_far = a + pw_min64(at + FAR, count - GROUP);                                    \
        const T *b_far = b + pw_min64(at + FAR, count - GROUP);                                    \
        const T *a_near = a + pw_min64(at + NEAR, count - GROUP);                                  \
        const T *b_near = b + pw_min64(at + NEAR, count - GROUP);                                  \
        _Pragma("GCC unroll 8") for (int64_t k = 0; k < GROUP; k += 64 / (int64_t)sizeof(T)) {     \
            __builtin_prefetch(a_far + k, 0, 2);                                                   \
            __builtin_prefetch(b_far + k, 0, 2);                                                   \
            __builtin_prefetch(a_near + k);                                                        \
            __builtin_prefetch(b_near + k);                                                        \
        }                                                                                          \
        uint32_t *to = index + at % RING;                                                          \
        uint32_t outside = 0;                                                                      \
        _Pragma("GCC unroll 8") for (int64_t k = 0; k < GROUP; k += ITEMS_PACKED) {                \
            outside |= PACK(a + at + k, b + at + k, &window, to + k);                              \
        }                                                                                          \
        if (__builtin_expect(outside != 0, 0)) break;                                              \
        SEND(to, at);                                                                              \
        if (at >= DELAY) NAME(raise)(index + (at - DELAY) % RING, counters, narrow);               \
    }

/* The last groups that are packed have not been counted yet. */
#define COUNT_LAST                                                                                 \
    for (int64_t i = at < DELAY ? 0 : at - DELAY; i < at; i += GROUP) {                            \
        NAME(raise)(index + i % RING, counters, narrow);                                           \
    }

/* Where some are dropped; in a function of its own, which leaves the other one its registers. */
TARGET static int64_t NAME(count_kept)(const pw_source *source, int64_t from, int64_t count,
                                       uint32_t width, const pw_counters *counters) {
    _Alignas(64) uint32_t index[RING];
    uint8_t *narrow = counters->narrow;
    int64_t at = 0;
    const packing window = packing_of(source, width, counters->apart);
    const uint8_t *dropped = counters->dropped + from;
    _Alignas(64) uint32_t elsewhere[GROUP];
    for (uint32_t j = 0; j < GROUP; j++) {
        elsewhere[j] = counters->nowhere + j + j % PW_COPIES * counters->apart;
    }
#define SEND(to, at) NAME(send_elsewhere)(to, dropped + at, elsewhere)
    if (source->a->itemsize == 8 && source->b->itemsize == 8) {
        COUNT_ITEMS(uint64_t, pack_long, SEND)
    } else if (source->a->itemsize == 4 && source->b->itemsize == 4) {
        COUNT_ITEMS(uint32_t, pack_short, SEND)
    }
#undef SEND
    COUNT_LAST
    return at;
}

TARGET static int64_t NAME(count_items)(const pw_source *source, int64_t from, int64_t count,
                                        uint32_t width, const pw_counters *counters) {
    if (counters->dropped != NULL) return NAME(count_kept)(source, from, count, width, counters);
    _Alignas(64) uint32_t index[RING];
    uint8_t *narrow = counters->narrow;
    int64_t at = 0;
    const packing window = packing_of(source, width, counters->apart);
    if (source->a->itemsize == 8 && source->b->itemsize == 8) {
        COUNT_ITEMS(uint64_t, pack_long, KEEP)
    } else if (source->a->itemsize == 4 && source->b->itemsize == 4) {
        COUNT_ITEMS(uint32_t, pack_short, KEEP)
    }
    COUNT_LAST
    return at;
}

#undef GROUP
#undef FAR
#undef NEAR
#undef DELAY
#undef RING
#undef COUNT_ITEMS
#undef COUNT_LAST
#undef KEEP
