/* The queue of the auction and of what follows it. */
#ifndef PW_MATCH_QUEUE_H
#define PW_MATCH_QUEUE_H

#include "pw_common.h"

/* The nodes that wait for their turn: first in, first out, each at most once. */
typedef struct {
    int32_t *ring;
    int64_t size;
    int64_t head;
    int64_t n_waiting;
} pw_match_queue;

static inline void pw_enqueue(pw_match_queue *q, int64_t node) {
    int64_t at = q->head + q->n_waiting++;
    if (at >= q->size) at -= q->size;
    q->ring[at] = (int32_t)node;
}

static inline int64_t pw_dequeue(pw_match_queue *q) {
    const int64_t node = q->ring[q->head];
    if (++q->head == q->size) q->head = 0;
    q->n_waiting--;
    return node;
}

#endif
