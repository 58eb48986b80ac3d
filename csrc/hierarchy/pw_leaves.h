/* The leaves of a hierarchy in an order in which every cluster is an interval. */
#ifndef PW_LEAVES_H
#define PW_LEAVES_H

#include <stdlib.h>

#include "pw_common.h"

/* How many merges ahead memory is prefetched: what they point to may be far away. */
#define PW_AHEAD 16

typedef struct {
    int64_t *start; /* by cluster */
    int64_t *size;
} pw_intervals;

/* Precondition: n - 1 merges, see pw_hierarchy.h. The arrays are the caller's, to be freed by
 * pw_intervals_free, also after failure. */
static inline int pw_intervals_of(int64_t n, const int64_t *left, const int64_t *right,
                                  pw_intervals *of) {
    const size_t clusters = (size_t)(2 * n - 1);
    of->start = malloc(clusters * sizeof *of->start);
    of->size = malloc(clusters * sizeof *of->size);
    if (of->start == NULL || of->size == NULL) return PW_NO_MEMORY;
    int64_t *start = of->start, *size = of->size;
    for (int64_t i = 0; i < n; i++) size[i] = 1;
    for (int64_t s = 0; s < n - 1; s++) {
        if (s + PW_AHEAD < n - 1) {
            __builtin_prefetch(size + left[s + PW_AHEAD]);
            __builtin_prefetch(size + right[s + PW_AHEAD]);
        }
        size[n + s] = size[left[s]] + size[right[s]];
    }
    start[2 * n - 2] = 0;
    for (int64_t s = n - 2; s >= 0; s--) {
        if (s >= PW_AHEAD) {
            __builtin_prefetch(size + left[s - PW_AHEAD]);
            __builtin_prefetch(start + left[s - PW_AHEAD], 1);
            __builtin_prefetch(start + right[s - PW_AHEAD], 1);
        }
        start[left[s]] = start[n + s];
        start[right[s]] = start[n + s] + size[left[s]];
    }
    return PW_OK;
}

static inline void pw_intervals_free(pw_intervals *of) {
    free(of->start);
    free(of->size);
}

#endif
