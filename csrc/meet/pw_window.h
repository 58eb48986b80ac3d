/* Reading labels as offsets in a window that most of them lie in. */
#ifndef PW_WINDOW_H
#define PW_WINDOW_H

#include "pw_common.h"

/* A window holds the labels low .. low + most, most < PW_WINDOW_MOST. Items with a label outside
 * are set aside. */
typedef struct {
    uint64_t low;
    int32_t most;
} pw_window;

#define PW_WINDOW_MOST INT32_MAX

/* Finds the least and the largest label. */
typedef void pw_range_of(const pw_labels *v, uint64_t *low, uint64_t *high);

/* Items set aside: pairs of 64-bit patterns, at most `limit` of them. `pairs` is malloc'd. */
typedef struct {
    int64_t used;
    int64_t limit;
    int64_t capacity;
    uint64_t *pairs;
} pw_outsiders;

/* Both label arrays, which stay the caller's, and their windows. */
typedef struct {
    const pw_labels *a;
    const pw_labels *b;
    pw_window row;
    pw_window col;
} pw_source;

/* The window of all labels; *fits is 0 if it would be larger than `most`. `range`: that of a vector
 * level, NULL if it has none. Precondition: v->n >= 1. O(n). */
pw_window pw_exact_window(const pw_labels *v, pw_range_of *range, uint64_t most, int *fits);

/* A window guessed from a sample of the labels, with some slack: *fits as above.
 * Precondition: v->n >= 1. O(sample). */
pw_window pw_guessed_window(const pw_labels *v, uint64_t most, int *fits);

/* out[i] = v[start + i] - low for i < count; returns 1 if some label lies outside the window (its
 * entry is then arbitrary). O(count). */
int pw_load_window(const pw_labels *v, int64_t start, int64_t count, const pw_window *window,
                   uint32_t *out);

/* Offsets of the items from .. from + count, on both sides, where both labels lie in their
 * windows; *kept receives how many these are. The other items are appended to `outsiders`.
 * PW_CROWDED: they have reached their limit. Precondition: count <= PW_BLOCK. O(count). */
int pw_read_pairs(const pw_source *source, int64_t from, int64_t count, uint32_t *rows,
                  uint32_t *cols, int64_t *kept, pw_outsiders *outsiders);

/* The same item by item, for a block that is known to have a label outside. */
int pw_sort_out(const pw_source *source, int64_t from, int64_t count, uint32_t *rows,
                uint32_t *cols, int64_t *kept, pw_outsiders *outsiders);

/* The labels of the next block are prefetched while this one is worked on, eight of each side at
 * a time. The hardware's own prefetching stops where there is work between two blocks. */
typedef struct {
    const char *a;
    const char *b;
    int a_step; /* bytes of eight labels */
    int b_step;
} pw_ahead;

static inline pw_ahead pw_ahead_of(const pw_source *source, int64_t next, int64_t end) {
    if (next >= end) next = 0; /* any readable address will do */
    return (pw_ahead){(const char *)source->a->data + next * source->a->itemsize,
                      (const char *)source->b->data + next * source->b->itemsize,
                      8 * source->a->itemsize, 8 * source->b->itemsize};
}

/* How many items from item i on lie before the next cache line begins. */
static inline int64_t pw_to_line(const pw_labels *v, int64_t i) {
    const uintptr_t at = (uintptr_t)v->data + (uintptr_t)(i * v->itemsize);
    return (int64_t)(-at % 64) / v->itemsize;
}

static inline void pw_fetch(pw_ahead *next) {
    __builtin_prefetch(next->a);
    __builtin_prefetch(next->b);
    next->a += next->a_step;
    next->b += next->b_step;
}

/* One label as a 64-bit pattern. */
uint64_t pw_label_at(const pw_labels *v, int64_t i);

#endif
