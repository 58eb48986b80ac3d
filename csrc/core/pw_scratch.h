/* Working memory that is kept from call to call, because page faults can cost as much as the
 * work. */
#ifndef PW_SCRATCH_H
#define PW_SCRATCH_H

#include "pw_common.h"

/* The arrays that are kept, each in its own slot. */
enum {
    PW_SLOT_KEYS,     /* keys of all items, in parts; raw pairs */
    PW_SLOT_SPARE,    /* the sorts' second array */
    PW_SLOT_COUNTERS, /* counters of pairs; hash tables (left zero) */
    PW_SLOT_CARRIES,  /* what does not fit the counters */
    PW_SLOT_STARTS,   /* where the chunks of parts are */
    PW_SLOT_BEGINS,   /* how many items lie before a part */
    PW_SLOT_COLUMNS,  /* sizes of columns; numbers of columns */
    PW_SLOT_ENTRIES,  /* entries of a hash table */
    PW_SLOTS
};

/* An all-zero struct is empty. Only one call at a time may use it; its owner frees it with
 * pw_scratch_free. */
typedef struct {
    void *data[PW_SLOTS];
    size_t size[PW_SLOTS];
} pw_scratch;

/* At least `bytes` bytes, their contents undefined, valid until the slot is asked for again.
 * NULL: no memory. */
void *pw_scratch_take(pw_scratch *scratch, int slot, int64_t bytes);

/* Bytes held. */
int64_t pw_scratch_size(const pw_scratch *scratch);

void pw_scratch_free(pw_scratch *scratch);

/* malloc, with huge pages advised where the system has them and `bytes` is large. free() frees,
 * realloc() shrinks. */
void *pw_large_malloc(int64_t bytes);
/* Writes to every page of new memory, in their order and with polls. What writes all over it next
 * would meet all pages between two of its polls, and a system clears some of them slowly.
 * Contents are undefined before and after; nothing is done where `bytes` is small. */
int pw_touch(void *data, int64_t bytes, const pw_poll *poll);
/* Fills with zeros, with polls. */
int pw_zeros(void *data, int64_t bytes, const pw_poll *poll);
/* pw_large_malloc, all zero. */
void *pw_large_calloc(int64_t bytes);

#endif
