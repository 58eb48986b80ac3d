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
    uint64_t seed; /* of the hashes: nobody who chooses items should know it */
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

/* ---- several threads (pw_item_parts.c) ----------------------------------------------------------
 */

/* *few = whether so few items are distinct that threads had better number ranges of items, as far
 * as a sample tells. O(PW_ITEMS_SAMPLE) items are read. */
int pw_few_distinct(const pw_items *items, int *few);

/* The bytes of the k items at some places. O(k). */
int64_t pw_bytes_of_items(const pw_items *items, const int64_t *places, int64_t k);

/* Copies the k items at some places, from to + start on; offsets[1] to offsets[k] receive where
 * each ends, counted from `to`. O(k + bytes). */
void pw_copy_items(const pw_items *items, const int64_t *places, int64_t k, int64_t start, char *to,
                   int64_t *offsets);

/* Lists of distinct items by their places, and into which bucket each goes: there are as many
 * buckets as lists. */
typedef struct {
    int n; /* of lists: 1 to PW_WORKERS_MOST */
    int64_t *const *places;
    uint8_t *const *buckets;
    const int64_t *sizes;
} pw_item_lists;

/* Chooses n - 1 items, ascending, that split all lists into about equal buckets, from a sample;
 * splitters receives their places. Precondition: 32 n items or more in all. O(n) items. */
int pw_choose_splitters(const pw_items *items, int unit, const pw_item_lists *lists,
                        int64_t *splitters);

/* Says of the items of one list how many splitters are not above each: lists->buckets[list];
 * counts receives the size of every bucket. O(size log n) items compared. */
int pw_split_items(const pw_items *items, int unit, const pw_item_lists *lists, int list,
                   const int64_t *splitters, int64_t *counts, const pw_poll *poll);

/* Sorts the items of one bucket of all lists, of which there are `size`: places receives them in
 * ascending order, ranks the position of each in the order of the lists. */
int pw_order_bucket(const pw_items *items, int unit, const pw_item_lists *lists, int bucket,
                    int64_t size, int64_t *places, int32_t *ranks, const pw_poll *poll);

/* to[j * n + list] = rank of item j of a list among all; starts: where each bucket begins, in
 * ranks too, which holds those of pw_order_bucket. O(items). */
void pw_join_ranks(const pw_item_lists *lists, const int64_t *starts, const int32_t *ranks,
                   int32_t *to);

/* ---- codes --------------------------------------------------------------------------------------
 */

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
