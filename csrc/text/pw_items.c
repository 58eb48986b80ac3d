/* Text and bytes numbered by first appearance: a hash table with open addressing and linear
 * probing.
 *
 * An item is hashed eight bytes at a time (a 64 x 64 bit product folded onto itself). An entry is
 * 8 bytes: 32 other bits of the hash and the item's number, so most comparisons end before the
 * text is read. Items come in batches: first all hashes, then what the look-ups will read is
 * prefetched, then the look-ups. A seed enters the hash, so that nobody can choose items that
 * collide; collisions are counted all the same, and the caller then takes another way.
 */
#include "pw_items.h"

#include <stdlib.h>
#include <string.h>

#include "pw_items_impl.h"
#include "pw_tuning.h"

#define FIRST_SIZE ((uint64_t)1 << 10)
#define GROWTH_BITS 2
#define FREE UINT32_MAX
#define BATCH 32

/* An entry of the table: bits of the hash that do not choose the slot, and a number. */
typedef struct {
    uint32_t tag;
    uint32_t number; /* FREE: none */
} pw_entry;

/* A distinct item, by its number: its bytes and its hash. */
typedef struct {
    pw_span span;
    uint64_t hash;
} pw_known;

typedef struct {
    pw_entry *entries;
    uint64_t mask;
    pw_known *known;
    int64_t *firsts;
    int64_t room; /* of both: half of the entries */
    int64_t used;
} pw_numbers;

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    const pw_u128 product = (pw_u128)(hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of(pw_span item, uint64_t seed) {
    uint64_t hash = UINT64_C(0x243f6a8885a308d3) ^ seed ^ (uint64_t)item.size;
    if (item.size >= 8) {
        const char *last = item.at + item.size - 8;
        for (const char *at = item.at; at < last; at += 8) hash = mix(hash, pw_word(at));
        hash = mix(hash, pw_word(last));
    } else if (item.size > 0) {
        hash = mix(hash, pw_short_word(item.at, item.size));
    }
    return mix(hash, UINT64_C(0x13198a2e03707344));
}

static inline int same(pw_span x, pw_span y) {
    if (x.size != y.size) return 0;
    if (x.size < 8) {
        return x.size == 0 || pw_short_word(x.at, x.size) == pw_short_word(y.at, y.size);
    }
    const int64_t last = x.size - 8;
    for (int64_t at = 0; at < last; at += 8) {
        if (pw_word(x.at + at) != pw_word(y.at + at)) return 0;
    }
    return pw_word(x.at + last) == pw_word(y.at + last);
}

static inline uint32_t tag_of(uint64_t hash) {
    return (uint32_t)(hash >> 32);
}

/* Makes a table of `size` entries, and enters the distinct items met so far. */
static int resize(pw_numbers *numbers, uint64_t size) {
    const size_t room = (size_t)(size / 2);
    int64_t *firsts = realloc(numbers->firsts, room * sizeof *firsts);
    if (firsts == NULL) return PW_NO_MEMORY;
    numbers->firsts = firsts;
    pw_known *known = realloc(numbers->known, room * sizeof *known);
    if (known == NULL) return PW_NO_MEMORY;
    numbers->known = known;
    free(numbers->entries);
    numbers->entries = malloc((size_t)size * sizeof *numbers->entries);
    if (numbers->entries == NULL) return PW_NO_MEMORY;
    memset(numbers->entries, 0xff, (size_t)size * sizeof *numbers->entries);
    numbers->mask = size - 1;
    numbers->room = (int64_t)room;
    for (int64_t j = 0; j < numbers->used; j++) {
        const uint64_t hash = known[j].hash;
        uint64_t slot = hash & numbers->mask;
        while (numbers->entries[slot].number != FREE) slot = (slot + 1) & numbers->mask;
        numbers->entries[slot] = (pw_entry){tag_of(hash), (uint32_t)j};
    }
    return PW_OK;
}

/* Number of the item: that of an equal one, or else the next. */
static inline uint32_t number_of(pw_numbers *numbers, pw_span item, uint64_t hash, int64_t place,
                                 int64_t *collisions) {
    uint64_t slot = hash & numbers->mask;
    pw_entry *entry = numbers->entries + slot;
    while (entry->number != FREE) {
        if (entry->tag == tag_of(hash) && same(numbers->known[entry->number].span, item)) {
            return entry->number;
        }
        ++*collisions;
        slot = (slot + 1) & numbers->mask;
        entry = numbers->entries + slot;
    }
    *entry = (pw_entry){tag_of(hash), (uint32_t)numbers->used};
    numbers->known[numbers->used] = (pw_known){item, hash};
    numbers->firsts[numbers->used] = place;
    return (uint32_t)numbers->used++;
}

static inline uint64_t hash_at(const pw_items *items, int64_t i, pw_span *span) {
    *span = pw_item(items, i);
    if (items->skipped != NULL && items->skipped[i]) span->size = 0;
    return hash_of(*span, items->seed);
}

int pw_hash_items(const pw_items *items, int64_t start, int64_t stop, uint64_t *hashes,
                  const pw_poll *poll) {
    int64_t unasked = 0; /* bytes since the last poll */
    for (int64_t i = start; i < stop; i++) {
        pw_span span;
        hashes[i] = hash_at(items, i, &span);
        unasked += span.size + PW_ITEMS_BYTES;
        if (unasked > PW_POLL_BYTES) {
            unasked = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

/* Puts the next items of a part into a batch, from *next on; told by hash bits that choose no
 * slot. Returns how many. */
static inline int64_t next_of_part(const uint64_t *hashes, int64_t n, int parts, int part,
                                   int64_t *next, int64_t *places) {
    int64_t count = 0, i = *next;
    for (; i < n && count < BATCH; i++) {
        places[count] = i;
        count += (int)((hashes[i] >> 56) * (uint64_t)parts >> 8) == part;
    }
    *next = i;
    return count;
}

/* Numbers the items of a part; inlined for the only one, which then asks nothing. */
static inline int number_all(pw_numbers *numbers, const pw_items *items, const uint64_t *hashes_of,
                             int parts, int part, int32_t *codes, const pw_poll *poll) {
    pw_span spans[BATCH];
    uint64_t hashes[BATCH];
    int64_t places[BATCH + 1]; /* the last is no place of a full batch */
    int64_t collisions = 0;
    int64_t unasked = 0; /* bytes since the last poll */
    const int64_t most = items->n * PW_ITEMS_COLLISIONS + (int64_t)FIRST_SIZE;
    int64_t next = 0;
    while (next < items->n) {
        int64_t count = pw_min64(BATCH, items->n - next);
        const int64_t start = next;
        if (parts == 1) {
            next += count;
        } else {
            count = next_of_part(hashes_of, items->n, parts, part, &next, places);
        }
        if (numbers->used + count > numbers->room) {
            if (numbers->used + count > INT32_MAX / parts) return PW_CROWDED;
            const int status = resize(numbers, (numbers->mask + 1) << GROWTH_BITS);
            if (status != PW_OK) return status;
        }
        /* prefetch what the look-ups of the batch will read */
        for (int64_t j = 0; j < count; j++) {
            const int64_t i = parts == 1 ? start + j : places[j];
            if (parts == 1) {
                hashes[j] = hash_at(items, i, &spans[j]);
            } else {
                spans[j] = pw_item(items, i);
                hashes[j] = hashes_of[i];
            }
            unasked += spans[j].size + PW_ITEMS_BYTES;
            __builtin_prefetch(numbers->entries + (hashes[j] & numbers->mask));
        }
        for (int64_t j = 0; j < count; j++) {
            const pw_entry *entry = numbers->entries + (hashes[j] & numbers->mask);
            if (entry->number != FREE) __builtin_prefetch(numbers->known + entry->number);
        }
        for (int64_t j = 0; j < count; j++) {
            const pw_entry *entry = numbers->entries + (hashes[j] & numbers->mask);
            if (entry->number != FREE) {
                __builtin_prefetch(numbers->known[entry->number].span.at);
            }
        }
        for (int64_t j = 0; j < count; j++) {
            const int64_t i = parts == 1 ? start + j : places[j];
            codes[i] = 0;
            if (items->skipped != NULL && items->skipped[i]) continue;
            const uint32_t number = number_of(numbers, spans[j], hashes[j], i, &collisions);
            codes[i] = (int32_t)number * parts + part;
        }
        if (collisions > most) return PW_CROWDED;
        if (unasked > PW_POLL_BYTES) {
            unasked = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

int pw_number_items(const pw_items *items, const uint64_t *hashes, int parts, int part,
                    int32_t *codes, int64_t **firsts, int64_t *k, const pw_poll *poll) {
    pw_numbers numbers = {NULL, 0, NULL, NULL, 0, 0};
    int status = resize(&numbers, FIRST_SIZE);
    if (status == PW_OK && parts == 1)
        status = number_all(&numbers, items, NULL, 1, 0, codes, poll);
    if (status == PW_OK && parts > 1) {
        status = number_all(&numbers, items, hashes, parts, part, codes, poll);
    }
    free(numbers.entries);
    free(numbers.known);
    *k = numbers.used;
    *firsts = NULL;
    if (status == PW_OK) {
        *firsts = numbers.firsts;
    } else {
        free(numbers.firsts);
    }
    return status;
}

void pw_renumber(const pw_items *items, int32_t *codes, const int32_t *ranks) {
    const uint8_t *skipped = items->skipped;
    for (int64_t i = 0; i < items->n; i++) {
        codes[i] = skipped != NULL && skipped[i] ? 0 : ranks[codes[i]];
    }
}

int64_t pw_put_utf8(const void *points, int size, int64_t n, char *to) {
    unsigned char *out = (unsigned char *)to;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t point = size == 1   ? ((const uint8_t *)points)[i]
                               : size == 2 ? ((const uint16_t *)points)[i]
                                           : ((const uint32_t *)points)[i];
        if (point < 0x80) {
            *out++ = (unsigned char)point;
            continue;
        }
        const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3; /* bytes that follow */
        *out++ = (unsigned char)((0xff00u >> (more + 1) & 0xffu) | point >> 6 * more);
        for (int left = more - 1; left >= 0; left--) {
            *out++ = (unsigned char)(0x80u | (point >> 6 * left & 0x3fu));
        }
    }
    return out - (unsigned char *)to;
}
