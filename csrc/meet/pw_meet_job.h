/* What the stages of a meet share. Several workers may take a step at the same time, each on a
 * part of its own. One worker alone does what happens between steps. */
#ifndef PW_MEET_JOB_H
#define PW_MEET_JOB_H

#include "pw_build.h"
#include "pw_chunks.h"
#include "pw_common.h"
#include "pw_read.h"
#include "pw_scratch.h"
#include "pw_table.h"
#include "pw_tuning.h"
#include "pw_window.h"

typedef struct {
    const pw_vector *vector; /* functions for the processor */
    pw_source source;
    int64_t n;
    int n_workers;
    pw_scratch *const *scratch; /* one a worker */
    int path;
    int step;
    int exact;    /* the windows hold every label */
    int unsorted; /* items out of order have been met */
    int ragged;   /* runs have been met to be short */
    pw_outsiders outsiders[PW_WORKERS_MOST];
    pw_table table;
    pw_build build;
    pw_segment segments[PW_WORKERS_MOST];
    int64_t width; /* columns of the window */
    int copied;    /* dense: there are copies of each counter */
    int col_bits;  /* key = row << col_bits | col */
    int key_bits;
    int part_bits;  /* the leading bits of the key that tell its part */
    int short_keys; /* what the part does not tell has 32 bits, as have counts of items */
    pw_key_shape shape;
    pw_chunks chunks[PW_WORKERS_MOST];
    int64_t first_part[PW_WORKERS_MOST + 1]; /* parts of each worker in the last step */
} pw_job;

static inline int64_t pw_share(int64_t n, int worker, int n_workers) {
    return (int64_t)((pw_u128)(uint64_t)n * (unsigned)worker / (unsigned)n_workers);
}

/* Dense: step 0 counts the worker's items, pw_dense_build makes the table's cells.
 * 5 bytes a pair of offsets, or 8 where there are copies of counters; O(n + pairs). */
int pw_dense_count(pw_job *job, int worker, const pw_poll *poll);
int pw_dense_build(pw_job *job, const pw_poll *poll);

/* Sparse: step 0 moves keys to their parts, pw_sparse_share gives parts to workers, step 1 turns
 * parts into cells.
 * 4 bytes an item and up to a fourth more, or 16 KiB a part, which is less; 8 bytes an item of the
 * largest part; 4 bytes a column. All twice as much where a key without its part has more than 32
 * bits. */
void pw_sparse_start(pw_job *job);
int pw_sparse_scatter(pw_job *job, int worker, const pw_poll *poll);
int pw_sparse_share(pw_job *job, const pw_poll *poll);
int pw_sparse_parts(pw_job *job, int worker, const pw_poll *poll);
int pw_sparse_build(pw_job *job, const pw_poll *poll);

/* One pass over items that come in the order of their keys. PW_CROWDED: they do not. */
int pw_sorted_build(pw_job *job, const pw_poll *poll);

/* Sorts runs of one cell instead of items. PW_CROWDED: there are too many runs. */
int pw_runs_build(pw_job *job, const pw_poll *poll);

#endif
