/* Keys split into parts in one pass, without counting first: each part is a list of chunks. */
#ifndef PW_CHUNKS_H
#define PW_CHUNKS_H

#include "pw_common.h"
#include "pw_scratch.h"

/* What one worker has written. Chunk p is the first one of part p; chunks are stretches of
 * 2^chunk_bits keys of one array. All memory is of the worker's scratch. */
typedef struct {
    int part_bits;
    int chunk_bits;
    int64_t used;   /* chunks */
    int64_t *nexts; /* of each part: where its next key goes */
    int64_t *links; /* of each chunk that is full: the next one of its part */
    void *keys;
} pw_chunks;

/* Room for n keys of `key_bytes` bytes in 2^part_bits parts. At most one chunk of each part is not
 * full, and such chunks have room for about a quarter of the keys, or 64 keys each.
 * O(2^part_bits). */
int pw_chunks_start(pw_chunks *chunks, int64_t n, int part_bits, int64_t key_bytes,
                    pw_scratch *scratch);

/* How many keys a part has. O(its chunks). */
int64_t pw_chunks_size(const pw_chunks *chunks, int64_t part);

/* The place behind `at`, where the chunk of `at` is full: the begin of a new chunk. */
static inline int64_t pw_chunks_grow(pw_chunks *chunks, int64_t at) {
    chunks->links[at >> chunks->chunk_bits] = chunks->used;
    return chunks->used++ << chunks->chunk_bits;
}

/* Copies the keys of a part, in the order in which they came; returns how many. O(keys). */
int64_t pw_chunks_gather(const pw_chunks *chunks, int64_t part, int64_t key_bytes, void *to);

#endif
