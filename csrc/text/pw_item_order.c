/* Distinct items in ascending order: a radix sort that begins with the leading bytes.
 *
 * P. M. McIlroy, K. Bostic and M. D. McIlroy, "Engineering radix sort" (1993), describe sorts of
 * this kind, one byte at a time and in place. Here a step takes a chunk of eight bytes:
 *   1. skip what all items of the group share;
 *   2. the next eight bytes of each are its key; bits that are equal in all keys are left out;
 *   3. sort the keys (pw_radix.c), then do the same in each group of equal keys, the largest last
 *      and without a call, so that calls nest at most log2(n) deep.
 * Groups of up to 16 items are sorted by insertion.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_items.h"
#include "pw_items_impl.h"
#include "pw_radix.h"

#define FEW 16

/* An item counts as filled up with zeros behind its end; items that are then equal go by size. */
typedef struct {
    pw_span span;
    int64_t number; /* before sorting */
} pw_name;

typedef struct {
    const pw_name *names;
    int unit;
    int64_t *order;
    pw_pair *pairs;
    pw_pair *other;
    int64_t unasked; /* bytes since the last poll */
    const pw_poll *poll;
} pw_sorter;

static void insert_all(pw_sorter *s, int64_t *order, int64_t n, int64_t depth) {
    for (int64_t i = 1; i < n; i++) {
        const int64_t moved = order[i];
        const pw_span item = s->names[moved].span;
        int64_t j = i;
        for (; j > 0 && pw_is_before(item, s->names[order[j - 1]].span, depth, s->unit); j--) {
            order[j] = order[j - 1];
        }
        order[j] = moved;
    }
}

/* The depth from which on items differ, in whole chunks from `depth` on; where they differ in
 * size only, the longest size. */
static int64_t shared_of(pw_sorter *s, const int64_t *order, int64_t n, int64_t depth) {
    const pw_span first = s->names[order[0]].span;
    int64_t longest = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t size = s->names[order[i]].span.size;
        longest = size > longest ? size : longest;
    }
    int64_t shared = longest;
    for (int64_t i = 1; i < n; i++) {
        const pw_span item = s->names[order[i]].span;
        int64_t at = depth;
        s->unasked += PW_CHUNK;
        while (at < shared && pw_chunk_at(item, at, s->unit) == pw_chunk_at(first, at, s->unit)) {
            at += PW_CHUNK;
            s->unasked += PW_CHUNK;
        }
        shared = at < shared ? at : shared;
    }
    return shared < longest ? shared : longest;
}

/* Bits that are the same everywhere are left out of the keys: fewer passes. */
static int squeeze(pw_pair *pairs, int64_t n) {
    uint64_t differ = 0;
    for (int64_t i = 1; i < n; i++) differ |= pairs[i].key ^ pairs[0].key;
    int from[64];
    uint64_t masks[64];
    int runs = 0;
    int bits = 0;
    for (uint64_t left = differ; left != 0;) {
        const int low = __builtin_ctzll(left);
        const uint64_t above = ~(left >> low);
        const int size = above == 0 ? 64 : __builtin_ctzll(above);
        const uint64_t mask = size == 64 ? UINT64_MAX : ((UINT64_C(1) << size) - 1) << bits;
        from[runs] = low - bits;
        masks[runs++] = mask;
        left &= ~(mask << (low - bits));
        bits += size;
    }
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = 0;
        for (int r = 0; r < runs; r++) key |= pairs[i].key >> from[r] & masks[r];
        pairs[i].key = key;
    }
    return bits;
}

/* order[from] to order[end - 1] name items that agree before `depth`. The largest group of those
 * that still agree is left for the next turn, so that calls nest at most log2(n) deep. */
static int sort_group(pw_sorter *s, int64_t from, int64_t end, int64_t depth) {
    while (end - from > FEW) {
        int64_t *order = s->order + from;
        pw_pair *pairs = s->pairs + from;
        const int64_t n = end - from;
        if (s->unasked > PW_POLL_BYTES) {
            s->unasked = 0;
            if (pw_stop(s->poll)) return PW_STOPPED;
        }
        const int64_t shared = shared_of(s, order, n, depth);
        int by_size = 1;
        for (int64_t i = 0; i < n; i++) {
            const pw_span item = s->names[order[i]].span;
            pairs[i] = (pw_pair){pw_chunk_at(item, shared, s->unit), order[i]};
            by_size &= item.size <= shared;
        }
        if (by_size) {
            for (int64_t i = 0; i < n; i++) {
                pairs[i].key = (uint64_t)s->names[order[i]].span.size;
            }
        }
        const int bits = squeeze(pairs, n);
        int status = pw_sort_pairs_with(pairs, s->other + from, n, bits, s->poll);
        if (status != PW_OK) return status;
        for (int64_t i = 0; i < n; i++) order[i] = pairs[i].value;
        if (by_size) return PW_OK; /* distinct items of the same bytes: sizes differ */
        depth = shared + PW_CHUNK;
        int64_t largest_from = from;
        int64_t largest_end = from;
        for (int64_t i = from; i < end;) {
            int64_t next = i + 1;
            while (next < end && s->pairs[next].key == s->pairs[i].key) next++;
            int64_t first = i;
            int64_t last = next;
            if (last - first > largest_end - largest_from) {
                first = largest_from;
                last = largest_end;
                largest_from = i;
                largest_end = next;
            }
            status = sort_group(s, first, last, depth);
            if (status != PW_OK) return status;
            i = next;
        }
        from = largest_from;
        end = largest_end;
    }
    insert_all(s, s->order + from, end - from, depth);
    return PW_OK;
}

int pw_order_items(const pw_items *items, int unit, int64_t *places, int32_t *ranks, int64_t k,
                   const pw_poll *poll) {
    const size_t room = (size_t)(k > 0 ? k : 1);
    pw_name *names = malloc(room * sizeof *names);
    int64_t *order = malloc(room * sizeof *order);
    pw_pair *pairs = malloc(2 * room * sizeof *pairs);
    int status = names != NULL && order != NULL && pairs != NULL ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        for (int64_t j = 0; j < k; j++) {
            names[j] = (pw_name){pw_item(items, places[j]), places[j]};
            order[j] = j;
        }
        pw_sorter sorter = {names, unit, order, pairs, pairs + k, 0, poll};
        status = sort_group(&sorter, 0, k, 0);
    }
    if (status == PW_OK) {
        for (int64_t r = 0; r < k; r++) {
            places[r] = names[order[r]].number;
            ranks[order[r]] = (int32_t)r;
        }
    }
    free(names);
    free(order);
    free(pairs);
    return status;
}
