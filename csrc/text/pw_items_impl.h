/* Where an item lies and how items compare: shared by the files of this folder. */
#ifndef PW_ITEMS_IMPL_H
#define PW_ITEMS_IMPL_H

#include <string.h>

#include "pw_items.h"

typedef struct {
    const char *at;
    int64_t size;
} pw_span;

static inline pw_span pw_item(const pw_items *items, int64_t i) {
    if (items->offsets == NULL) return (pw_span){items->data + i * items->width, items->width};
    if (items->offset_size == 4) {
        const int32_t *offsets = (const int32_t *)items->offsets + i;
        return (pw_span){items->data + offsets[0], (int64_t)offsets[1] - offsets[0]};
    }
    const int64_t *offsets = (const int64_t *)items->offsets + i;
    return (pw_span){items->data + offsets[0], offsets[1] - offsets[0]};
}

static inline uint64_t pw_word(const char *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

static inline uint32_t pw_half_word(const char *at) {
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

/* The 1 to 7 bytes of a short item as a word. Word and size together determine the item. */
static inline uint64_t pw_short_word(const char *at, int64_t size) {
    if (size >= 4) return (uint64_t)pw_half_word(at) << 32 | pw_half_word(at + size - 4);
    const uint64_t first = (uint8_t)at[0];
    const uint64_t middle = (uint8_t)at[size / 2];
    const uint64_t last = (uint8_t)at[size - 1];
    return first << 16 | middle << 8 | last;
}

/* Items compare by chunks of so many bytes. */
#define PW_CHUNK 8

static inline uint64_t pw_from_big_endian(uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* The chunk from `depth` on as a number that compares as the items do. */
static inline uint64_t pw_chunk_at(pw_span item, int64_t depth, int unit) {
    const int64_t left = item.size - depth;
    if (left <= 0) return 0;
    const char *at = item.at + depth;
    if (unit == 4) {
        return (uint64_t)pw_half_word(at) << 32 | (left >= PW_CHUNK ? pw_half_word(at + 4) : 0);
    }
    if (left >= PW_CHUNK) return pw_from_big_endian(pw_word(at));
    if (item.size >= PW_CHUNK) {
        return pw_from_big_endian(pw_word(item.at + item.size - PW_CHUNK)) << 8 * (PW_CHUNK - left);
    }
    uint64_t chunk = 0;
    for (int64_t j = 0; j < left; j++) chunk |= (uint64_t)(uint8_t)at[j] << 8 * (PW_CHUNK - 1 - j);
    return chunk;
}

static inline int pw_is_before(pw_span x, pw_span y, int64_t depth, int unit) {
    const int64_t longest = x.size > y.size ? x.size : y.size;
    for (; depth < longest; depth += PW_CHUNK) {
        const uint64_t left = pw_chunk_at(x, depth, unit);
        const uint64_t right = pw_chunk_at(y, depth, unit);
        if (left != right) return left < right;
    }
    return x.size < y.size;
}

#endif
