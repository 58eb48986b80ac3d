/* Binary heaps of nodes, the nearest at the top. Nodes at the same distance leave in the order
 * of their numbers, so that a search takes the same steps on every machine. */
#ifndef PW_HEAP_H
#define PW_HEAP_H

#include "pw_common.h"

typedef struct {
    int64_t distance;
    int64_t node;
} pw_heap_entry;

static inline int pw_before(pw_heap_entry x, pw_heap_entry y) {
    return x.distance < y.distance || (x.distance == y.distance && x.node < y.node);
}

/* Precondition: heap has room for one more than *size. O(log size). */
static inline void pw_heap_push(pw_heap_entry *heap, int64_t *size, pw_heap_entry entry) {
    int64_t at = (*size)++;
    while (at > 0) {
        const int64_t up = (at - 1) / 2;
        if (!pw_before(entry, heap[up])) break;
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = entry;
}

/* Precondition: *size > 0. O(log size). */
static inline pw_heap_entry pw_heap_pop(pw_heap_entry *heap, int64_t *size) {
    const pw_heap_entry top = heap[0];
    const pw_heap_entry last = heap[--*size];
    int64_t at = 0;
    for (;;) {
        int64_t down = 2 * at + 1;
        if (down >= *size) break;
        if (down + 1 < *size && pw_before(heap[down + 1], heap[down])) down++;
        if (!pw_before(heap[down], last)) break;
        heap[at] = heap[down];
        at = down;
    }
    if (*size > 0) heap[at] = last;
    return top;
}

#endif
