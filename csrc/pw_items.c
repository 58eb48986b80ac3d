#include "pw_items.h"

#include <stdlib.h>
#include <string.h>

#include "pw_tuning.h"

#define FIRST_SIZE ((uint64_t)1 << 10)

typedef struct {
    uint64_t hash;
    int64_t number; /* -1: free */
} pw_entry;

typedef struct {
    const char *data;
    size_t width;
    pw_entry *entries;
    uint64_t mask;
    int64_t *firsts;
    int64_t room; /* of firsts: half of the entries */
    int64_t used;
} pw_numbers;

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    const pw_u128 product = (pw_u128)(hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of(const char *item, size_t width) {
    uint64_t hash = UINT64_C(0x243f6a8885a308d3) ^ width;
    size_t at = 0;
    uint64_t word;
    for (; at + 8 <= width; at += 8) {
        memcpy(&word, item + at, 8);
        hash = mix(hash, word);
    }
    if (at < width) {
        word = 0;
        memcpy(&word, item + at, width - at);
        hash = mix(hash, word);
    }
    return mix(hash, UINT64_C(0x13198a2e03707344));
}

static pw_entry *free_entries(uint64_t size) {
    pw_entry *entries = malloc((size_t)size * sizeof *entries);
    if (entries == NULL) return NULL;
    for (uint64_t e = 0; e < size; e++) entries[e].number = -1;
    return entries;
}

/* Twice the entries; numbers stay. */
static int grow(pw_numbers *numbers) {
    const uint64_t size = (numbers->mask + 1) * 2;
    int64_t *firsts = realloc(numbers->firsts, (size_t)(size / 2) * sizeof *firsts);
    if (firsts == NULL) return PW_NO_MEMORY;
    numbers->firsts = firsts;
    pw_entry *entries = free_entries(size);
    if (entries == NULL) return PW_NO_MEMORY;
    for (uint64_t e = 0; e <= numbers->mask; e++) {
        if (numbers->entries[e].number < 0) continue;
        uint64_t slot = numbers->entries[e].hash & (size - 1);
        while (entries[slot].number >= 0) slot = (slot + 1) & (size - 1);
        entries[slot] = numbers->entries[e];
    }
    free(numbers->entries);
    numbers->entries = entries;
    numbers->mask = size - 1;
    numbers->room = (int64_t)(size / 2);
    return PW_OK;
}

static int number_all(pw_numbers *numbers, int64_t n, int64_t *codes, const pw_poll *poll) {
    const size_t width = numbers->width;
    int64_t collisions = 0;
    const int64_t most = n * PW_ITEMS_COLLISIONS + (int64_t)FIRST_SIZE;
    for (int64_t i = 0; i < n; i++) {
        const char *item = numbers->data + (size_t)i * width;
        const uint64_t hash = hash_of(item, width);
        uint64_t slot = hash & numbers->mask;
        pw_entry *entry = numbers->entries + slot;
        while (entry->number >= 0) {
            if (entry->hash == hash) {
                const int64_t first = numbers->firsts[entry->number];
                if (memcmp(numbers->data + (size_t)first * width, item, width) == 0) break;
            }
            collisions++;
            slot = (slot + 1) & numbers->mask;
            entry = numbers->entries + slot;
        }
        if (entry->number < 0) {
            *entry = (pw_entry){hash, numbers->used};
            numbers->firsts[numbers->used++] = i;
        }
        codes[i] = entry->number;
        if (numbers->used == numbers->room) {
            const int status = grow(numbers);
            if (status != PW_OK) return status;
        }
        if (collisions > most) return PW_CROWDED;
        if ((i + 1) % PW_POLL_ITEMS == 0 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_number_items(const void *data, int64_t n, int64_t width, int64_t *codes, int64_t **firsts,
                    int64_t *k, const pw_poll *poll) {
    pw_numbers numbers = {data, (size_t)width, NULL, FIRST_SIZE - 1, NULL, 0, 0};
    numbers.room = (int64_t)(FIRST_SIZE / 2);
    numbers.firsts = malloc((size_t)numbers.room * sizeof *numbers.firsts);
    numbers.entries = free_entries(FIRST_SIZE);
    int status = numbers.firsts != NULL && numbers.entries != NULL ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) status = number_all(&numbers, n, codes, poll);
    free(numbers.entries);
    *k = numbers.used;
    *firsts = NULL;
    if (status == PW_OK) {
        *firsts = numbers.firsts;
    } else {
        free(numbers.firsts);
    }
    return status;
}
