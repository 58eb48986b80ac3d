/* Shared by every kernel: status codes, label views, 128-bit integers, polling. */
#ifndef PW_COMMON_H
#define PW_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <pw_tuning.h> /* by the path, in which the driver has one of its own */

/* The build only selects the compiled kernels where the compiler has 128-bit integers. */
__extension__ typedef unsigned __int128 pw_u128;
__extension__ typedef __int128 pw_i128;

enum {
    PW_OK = 0,
    PW_NO_MEMORY = 1,
    PW_STOPPED = 2, /* the poll said to stop */
    PW_CROWDED = 3  /* too many collisions, or too much work: use the other path */
};

/* Labels of one clustering: n integers of 1, 2, 4 or 8 bytes, native byte order, contiguous. */
typedef struct {
    const void *data;
    int64_t n;
    int itemsize;
    int is_signed;
} pw_labels;

/* Long loops call `ask` now and then, and stop when it returns something else than 0 (a signal
 * has come). A loop is never stopped where the poll, or `ask`, is NULL. */
typedef struct {
    int (*ask)(void *context);
    void *context;
} pw_poll;

static inline int pw_stop(const pw_poll *poll) {
    return poll != NULL && poll->ask != NULL && poll->ask(poll->context) != 0;
}

/* Where the rows from r on end that are taken between two polls: at least one, else as many as have
 * PW_POLL_SCATTERED cells together. A table has no empty rows. O(log rows). */
static inline int64_t pw_rows_to_poll(const int64_t *indptr, int64_t r, int64_t n_rows) {
    if (indptr[n_rows] - indptr[r] <= PW_POLL_SCATTERED) return n_rows;
    int64_t least = r + 1;
    int64_t most = n_rows;
    while (least < most) {
        const int64_t middle = least + (most - least + 1) / 2;
        if (indptr[middle] - indptr[r] <= PW_POLL_SCATTERED) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    return least;
}

/* Items widened at a time: three such buffers stay in the first-level cache. */
#define PW_BLOCK 1024

static inline int pw_bits(uint64_t x) {
    return x == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)x);
}

static inline int pw_bits128(pw_u128 x) {
    uint64_t high = (uint64_t)(x >> 64);
    return high != 0 ? 64 + pw_bits(high) : pw_bits((uint64_t)x);
}

static inline int64_t pw_min64(int64_t x, int64_t y) {
    return x < y ? x : y;
}

#endif
