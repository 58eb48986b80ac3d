/* A worker that fills its segment of the table with the cells of its parts, in their order. */
#ifndef PW_FILLER_H
#define PW_FILLER_H

#include "pw_build.h"
#include "pw_common.h"
#include "pw_scratch.h"

/* Cells of short keys wait here and are written many at a time: key, and the last item's number in
 * the batch. Room for PW_BATCH + PW_BATCH_SLACK of each; what lies just before and behind the cells
 * may be written. */
#define PW_BATCH 16384
#define PW_BATCH_SLACK 512

/* Keys that may be read or written beyond those that are sorted. */
#define PW_SORT_SLACK 128

typedef struct {
    const pw_build *build;
    pw_scratch *scratch;
    void *col_sizes; /* as wide as keys */
    int64_t used;    /* cells */
    int64_t items;
    int64_t n_rows; /* rows of the table up to the last cell */
    int64_t row;    /* of the last cell, -1 before it */
    int col_bits;
    int stream;         /* cells are written past the caches: there are more than fit */
    uint64_t prefix;    /* of the part's keys */
    int64_t seen_items; /* where hashing was an option */
    int64_t seen_cells;
    int no_hash;
    const pw_poll *poll;
    uint32_t *batch_keys;
    uint32_t *batch_ends;
    uint32_t waiting; /* cells of the batch */
    uint32_t batch_items;
    int status; /* PW_STOPPED where a sort was left */
} pw_filler;

#endif
