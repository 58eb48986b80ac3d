/* Parts as lists of chunks.
 *
 * A part that has filled its chunk takes the next free one, so that no pass has to count how large
 * parts become, and no part can be too small. Chunks are small beside the parts, and large beside a
 * cache line.
 */
#include "pw_chunks.h"

#include <string.h>

#define CHUNK_BITS_LEAST 6
#define CHUNK_BITS_MOST 12

int pw_chunks_start(pw_chunks *chunks, int64_t n, int part_bits, int64_t key_bytes,
                    pw_scratch *scratch) {
    int bits = pw_bits((uint64_t)n) - part_bits - 3;
    if (bits < CHUNK_BITS_LEAST) bits = CHUNK_BITS_LEAST;
    if (bits > CHUNK_BITS_MOST) bits = CHUNK_BITS_MOST;
    const int64_t parts = (int64_t)1 << part_bits;
    const int64_t most = parts + (n >> bits);
    int64_t *starts =
        pw_scratch_take(scratch, PW_SLOT_STARTS, (parts + most) * (int64_t)sizeof *starts);
    void *keys = pw_scratch_take(scratch, PW_SLOT_KEYS, (most << bits) * key_bytes);
    if (starts == NULL || keys == NULL) return PW_NO_MEMORY;
    *chunks = (pw_chunks){part_bits, bits, parts, starts, starts + parts, keys};
    for (int64_t p = 0; p < parts; p++) chunks->nexts[p] = p << bits;
    return PW_OK;
}

int64_t pw_chunks_size(const pw_chunks *chunks, int64_t part) {
    const int64_t next = chunks->nexts[part];
    int64_t size = 0;
    int64_t chunk = part;
    for (; chunk != next >> chunks->chunk_bits; chunk = chunks->links[chunk]) {
        size += (int64_t)1 << chunks->chunk_bits;
    }
    return size + next - (chunk << chunks->chunk_bits);
}

int64_t pw_chunks_gather(const pw_chunks *chunks, int64_t part, int64_t key_bytes, void *to) {
    const char *keys = chunks->keys;
    const int64_t next = chunks->nexts[part];
    const int64_t full = (int64_t)1 << chunks->chunk_bits;
    int64_t size = 0;
    for (int64_t chunk = part;; chunk = chunks->links[chunk]) {
        const int64_t begin = chunk << chunks->chunk_bits;
        const int last = next >> chunks->chunk_bits == chunk;
        const int64_t count = last ? next - begin : full;
        memcpy((char *)to + size * key_bytes, keys + begin * key_bytes,
               (size_t)(count * key_bytes));
        size += count;
        if (last) return size;
    }
}
