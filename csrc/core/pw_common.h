/* Shared by every kernel: status codes, label views, 128-bit integers, polling. */
#ifndef PW_COMMON_H
#define PW_COMMON_H

#include <stddef.h>
#include <stdint.h>

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

/* Items between two polls: about a tenth of a second of work. */
#define PW_POLL_ITEMS ((int64_t)1 << 24)
/* The same where each item is read or written at a place of its own, far from the others. */
#define PW_POLL_SCATTERED ((int64_t)1 << 22)
/* The same in bytes that are hashed or compared. */
#define PW_POLL_BYTES ((int64_t)1 << 28)

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
