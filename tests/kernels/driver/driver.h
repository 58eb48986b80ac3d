/* What the targets of the driver share: input bytes, checks, a hash of outputs, faults, threads.
 *
 * A target reads bytes, calls kernels with what they say, compares the outputs with slow literal
 * definitions, and adds them to the hash. Any bytes are an input: behind their end there are zeros.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pw_common.h"
#include "pw_fixed.h"

/* ---- input ------------------------------------------------------------------------------------
 */

typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} driver_input;

uint8_t take_byte(driver_input *in);
uint64_t take_word(driver_input *in);
/* A number below `bound` (at least 1), of as few bytes as the bound needs. */
uint64_t take_below(driver_input *in, uint64_t bound);
/* from .. to, both included. */
int64_t take_between(driver_input *in, int64_t from, int64_t to);

/* A small generator, for what would need too many bytes. */
typedef struct {
    uint64_t state;
} driver_random;

uint64_t random_word(driver_random *random);
uint64_t random_below(driver_random *random, uint64_t bound);

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Zeroed memory of exactly this size, so that a sanitizer sees what reads or writes beyond it; it
 * is given back at the end of the case. */
void *room(int64_t count, size_t size);
/* Memory from a kernel, given back at the end of the case. */
void *keep(void *data);
void give_back_rooms(void);

/* ---- checks -----------------------------------------------------------------------------------
 */

/* Ends the program with a sentence where the condition does not hold. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) check_failed(#condition, __FILE__, __LINE__);                            \
    } while (0)
void check_failed(const char *condition, const char *file, int line);
/* The two arrays are the same. */
#define CHECK_SAME(first, second, count)                                                           \
    CHECK((count) == 0 || memcmp(first, second, (size_t)(count) * sizeof *(first)) == 0)

/* ---- the hash of outputs ----------------------------------------------------------------------
 */

extern uint64_t driver_hash;
/* Whether what the C library's log1p computes is hashed too: libraries differ in its last bit. */
extern int driver_library;

void hash_bytes(const void *data, size_t size);
#define HASH(array, count) hash_bytes(array, (size_t)(count) * sizeof *(array))
#define HASH_ONE(value) hash_bytes(&(value), sizeof(value))

/* ---- faults -----------------------------------------------------------------------------------
 */

/* What happens in a call besides the right thing. */
enum {
    FAULT_NONE,
    FAULT_ONE_ALLOCATION, /* the k-th allocation fails, for each k */
    FAULT_ALLOCATIONS,    /* the k-th and all after it */
    FAULT_STOP,           /* the poll says stop when it is asked for the k-th time */
    FAULTS
};

/* -1: every case says itself which fault it has. */
extern int driver_faults;
/* The fault of this case, from its first byte or from driver_faults. */
extern int case_fault;
/* A poll for kernels: it never stops a call unless the case's fault is FAULT_STOP. */
extern pw_poll driver_poll;
/* Calls in which a fault came about, over all cases. */
extern int64_t driver_faults_met;

/* Blocks of memory that are held. */
int64_t blocks_held(void);

typedef struct {
    int64_t number; /* of the allocation or question at fault, 0 for none */
    int64_t held;
    int again;
} driver_trial;

driver_trial trial_start(void);
void trial_begin(driver_trial *trial);
/* Whether a fault came about; the status is then checked to say so. */
int trial_met(driver_trial *trial, int status);
void trial_clean(driver_trial *trial);

/* status = call, once for each fault that it can meet, and the last time without one.
 * `restore` makes ready what the call changes; it runs before every call, and after one that met a
 * fault, when nothing may be left of it. `failed` is checked after a call that met a fault. */
#define KERNEL(status, restore, call, failed)                                                      \
    do {                                                                                           \
        driver_trial trial = trial_start();                                                        \
        do {                                                                                       \
            restore;                                                                               \
            trial_begin(&trial);                                                                   \
            (status) = (call);                                                                     \
            if (trial_met(&trial, status)) {                                                       \
                failed;                                                                            \
                restore;                                                                           \
                trial_clean(&trial);                                                               \
            }                                                                                      \
        } while (trial.again);                                                                     \
    } while (0)
/* The same where there is nothing to make ready or to check. */
#define KERNEL_PLAIN(status, call) KERNEL(status, , call, )

/* ---- threads ----------------------------------------------------------------------------------
 */

/* Whether teams are threads; else their parts run one after another, in an order of the case. */
extern int driver_threads;

typedef int driver_part(void *context, int part);

/* Runs all parts; the first status that is not PW_OK. */
int run_team(driver_part *function, void *context, int parts);

/* ---- targets ----------------------------------------------------------------------------------
 */

void target_meet(driver_input *in);
void target_encode(driver_input *in);
void target_table(driver_input *in);
void target_match(driver_input *in);
void target_transport(driver_input *in);
void target_chance(driver_input *in);
void target_text(driver_input *in);
void target_sweep(driver_input *in);

typedef struct {
    const char *name;
    void (*run)(driver_input *in);
    int size; /* of the longest generated input */
} driver_target;

#define DRIVER_TARGETS 8
extern const driver_target driver_targets[DRIVER_TARGETS];

/* Runs one input of one target. */
void run_case(const driver_target *target, const uint8_t *data, size_t size);

#endif
