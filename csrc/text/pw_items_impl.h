/* Where an item lies, shared by pw_items.c and pw_item_order.c. */
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

#endif
