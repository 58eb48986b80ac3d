/* Working memory that is kept from call to call, and large arrays on huge pages.
 *
 * The first touch of a fresh page costs a page fault. For a meet these faults can cost as much as
 * the counting, so the caller keeps the memory and lends it to one call at a time.
 */
/* madvise is not in C11 */
#define _DEFAULT_SOURCE

#include "pw_scratch.h"

#include <stdlib.h>
#include <string.h>

#include "pw_tuning.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Bytes between two writes, of which each page gets one at least; and between two polls. */
#define SMALL_PAGE 4096
#define TOUCHED_BYTES ((int64_t)1 << 26)

void *pw_large_malloc(int64_t bytes) {
    if (bytes < 1) bytes = 1;
    if (bytes < PW_LARGE_BYTES) return malloc((size_t)bytes);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t page = (size_t)1 << PW_HUGE_PAGE_BITS;
    const size_t whole = ((size_t)bytes + page - 1) & ~(page - 1);
    void *data = aligned_alloc(page, whole);
    if (data != NULL) madvise(data, whole, MADV_HUGEPAGE); /* advice: a refusal does no harm */
    return data;
#else
    return malloc((size_t)bytes);
#endif
}

int pw_touch(void *data, int64_t bytes, const pw_poll *poll) {
    volatile char *to = data;
    if (bytes < PW_LARGE_BYTES) return PW_OK;
    for (int64_t at = 0; at < bytes;) {
        const int64_t stop = pw_min64(bytes, at + TOUCHED_BYTES);
        for (; at < stop; at += SMALL_PAGE) to[at] = 0;
        if (at < bytes && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

int pw_zeros(void *data, int64_t bytes, const pw_poll *poll) {
    char *to = data;
    for (int64_t at = 0; at < bytes;) {
        const int64_t count = pw_min64(bytes - at, TOUCHED_BYTES);
        memset(to + at, 0, (size_t)count);
        at += count;
        if (at < bytes && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

void *pw_large_calloc(int64_t bytes) {
    if (bytes < PW_LARGE_BYTES) return calloc((size_t)(bytes < 1 ? 1 : bytes), 1);
    void *data = pw_large_malloc(bytes);
    if (data != NULL) memset(data, 0, (size_t)bytes);
    return data;
}

void *pw_scratch_take(pw_scratch *scratch, int slot, int64_t bytes) {
    if (scratch->size[slot] < (size_t)bytes || scratch->data[slot] == NULL) {
        free(scratch->data[slot]);
        scratch->data[slot] = pw_large_malloc(bytes);
        scratch->size[slot] = scratch->data[slot] == NULL ? 0 : (size_t)bytes;
    }
    return scratch->data[slot];
}

int64_t pw_scratch_size(const pw_scratch *scratch) {
    int64_t size = 0;
    for (int slot = 0; slot < PW_SLOTS; slot++) size += (int64_t)scratch->size[slot];
    return size;
}

void pw_scratch_free(pw_scratch *scratch) {
    for (int slot = 0; slot < PW_SLOTS; slot++) free(scratch->data[slot]);
    memset(scratch, 0, sizeof *scratch);
}
