/* Items that are strings of bytes (text, ids): their numbers and their order. */
#ifndef PW_ITEMS_H
#define PW_ITEMS_H

#include "pw_common.h"

/* Without offsets, item i has `width` bytes from data + i * width on. With offsets (n + 1 of
 * them, of 4 or 8 bytes each), it has the bytes from offsets[i] to offsets[i + 1]. Where
 * `skipped` is neither NULL nor 0 at i, there is no item i. */
typedef struct {
    const char *data;
    const void *offsets;
    int offset_size;
    int64_t width;
    int64_t n;
    const uint8_t *skipped;
} pw_items;

/* hashes[i] of the items from start to stop, for pw_number_items. O(bytes). */
int pw_hash_items(const pw_items *items, int64_t start, int64_t stop, uint64_t *hashes,
                  const pw_poll *poll);

/* Numbers the items of one part of several, told by their hashes: equal items are of one part, so
 * that threads can have a part each. codes[i] = number * parts + part, where number is that of
 * item i among the distinct ones of its part in order of first appearance, 0 for skipped ones;
 * codes of other parts are left alone. firsts (malloc'd, the caller's; NULL unless PW_OK)
 * receives the index of the first item of each number, *k how many numbers there are.
 * PW_CROWDED: so many collisions that somebody chose the items, or (number + 1) * parts above
 * 2^31 - 1. Precondition: 1 <= parts <= 64, 0 <= part < parts; hashes of pw_hash_items, or NULL
 * for parts = 1. Expected O(bytes) for one part, else O(n) and the bytes of the part; 48 to 96
 * bytes a distinct item. */
int pw_number_items(const pw_items *items, const uint64_t *hashes, int parts, int part,
                    int32_t *codes, int64_t **firsts, int64_t *k, const pw_poll *poll);

/* Sorts places, the indices of k distinct items, in ascending order of the items; ranks[j]
 * receives the new position of what was places[j]. Items compare by units of 1 or 4 bytes (4:
 * code points in native byte order, lengths are multiples of 4), shorter before longer. O(bytes
 * of the items) radix passes, 56 bytes an item. */
int pw_order_items(const pw_items *items, int unit, int64_t *places, int32_t *ranks, int64_t k,
                   const pw_poll *poll);

/* codes[i] becomes ranks[codes[i]], but for skipped items. O(n). */
void pw_renumber(const pw_items *items, int32_t *codes, const int32_t *ranks);

/* out[i] = the whole number that item i writes; returns 0 if one writes none in its usual form (no
 * sign but -, no leading 0, not -0), or one beyond 64 bits. O(bytes). */
int pw_whole_items(const pw_items *items, int64_t *out);

/* Writes n code points of 1, 2 or 4 bytes as UTF-8, and surrogates as if they were other code
 * points, so that bytes compare like code points. Precondition: `to` has room for 4 n bytes.
 * Returns how many bytes were written. */
int64_t pw_put_utf8(const void *points, int size, int64_t n, char *to);

#endif
