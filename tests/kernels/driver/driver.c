/* Input bytes, checks, the hash of outputs, faults and threads of the driver. */
#include "driver.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- input ------------------------------------------------------------------------------------
 */

uint8_t take_byte(driver_input *in) {
    return in->at < in->end ? *in->at++ : 0;
}

uint64_t take_word(driver_input *in) {
    uint64_t word = 0;
    for (int i = 0; i < 64; i += 8) word |= (uint64_t)take_byte(in) << i;
    return word;
}

uint64_t take_below(driver_input *in, uint64_t bound) {
    uint64_t number = 0;
    int shift = 0;
    for (uint64_t left = bound - 1; left != 0; left >>= 8, shift += 8)
        number |= (uint64_t)take_byte(in) << shift;
    return number % bound;
}

int64_t take_between(driver_input *in, int64_t from, int64_t to) {
    return from + (int64_t)take_below(in, (uint64_t)(to - from) + 1);
}

/* splitmix64, of G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
 * generators" (2014) */
uint64_t random_word(driver_random *random) {
    uint64_t word = random->state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

uint64_t random_below(driver_random *random, uint64_t bound) {
    return random_word(random) % bound;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

#define ROOMS_MOST 4096

static void *rooms[ROOMS_MOST];
static int rooms_used;

void *keep(void *data) {
    CHECK(rooms_used < ROOMS_MOST);
    return rooms[rooms_used++] = data;
}

void *room(int64_t count, size_t size) {
    const size_t bytes = (size_t)count * size;
    void *data = malloc(bytes > 0 ? bytes : 1);
    CHECK(data != NULL);
    return memset(keep(data), 0, bytes);
}

void give_back_rooms(void) {
    while (rooms_used > 0) free(rooms[--rooms_used]);
}

/* ---- checks and the hash ----------------------------------------------------------------------
 */

static const char *running = "no target";

void check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: target %s: this does not hold: %s\n", file, line, running, condition);
    abort();
}

uint64_t driver_hash;
int driver_library;

void hash_bytes(const void *data, size_t size) {
    const uint8_t *bytes = data;
    uint64_t hash = driver_hash;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    driver_hash = hash ^ hash >> 29;
}

/* ---- faults -----------------------------------------------------------------------------------
 */

int driver_faults = -1;
int case_fault;
int64_t driver_faults_met;

static atomic_llong held;
static atomic_llong asked;    /* allocations, or questions of the poll, in this call */
static atomic_llong at_fault; /* which of them fails, 0 for none */
static atomic_int fault_kind;
static atomic_int fault_came;

int64_t blocks_held(void) {
    return (int64_t)atomic_load(&held);
}

/* Whether this allocation fails. */
static int allocation_fails(void) {
    const int kind = atomic_load(&fault_kind);
    if (kind != FAULT_ONE_ALLOCATION && kind != FAULT_ALLOCATIONS) return 0;
    const long long number = atomic_fetch_add(&asked, 1) + 1;
    const long long first = atomic_load(&at_fault);
    const int fails = kind == FAULT_ALLOCATIONS ? number >= first : number == first;
    if (fails) atomic_store(&fault_came, 1);
    return fails;
}

static int ask_driver(void *context) {
    (void)context;
    if (atomic_load(&fault_kind) != FAULT_STOP) return 0;
    const int stops = atomic_fetch_add(&asked, 1) + 1 >= atomic_load(&at_fault);
    if (stops) atomic_store(&fault_came, 1);
    return stops;
}

pw_poll driver_poll = {ask_driver, NULL};

/* Faults of one call that are tried: calls that ask or allocate more often are not tried further */
#define TRIALS_MOST 300

driver_trial trial_start(void) {
    return (driver_trial){case_fault == FAULT_NONE ? 0 : 1, 0, 1};
}

void trial_begin(driver_trial *trial) {
    trial->held = blocks_held();
    atomic_store(&asked, 0);
    atomic_store(&fault_came, 0);
    atomic_store(&at_fault, trial->number);
    atomic_store(&fault_kind, trial->number == 0 ? FAULT_NONE : case_fault);
}

int trial_met(driver_trial *trial, int status) {
    atomic_store(&fault_kind, FAULT_NONE);
    if (!atomic_load(&fault_came)) {
        trial->again = 0;
        return 0;
    }
    driver_faults_met++;
    if (status == PW_OK) {
        /* a worker had no memory when another one had already found that the path is wrong, and
         * the next path had enough: the caller checks that the output is right */
        trial->again = 0;
        return 0;
    }
    CHECK(status == (case_fault == FAULT_STOP ? PW_STOPPED : PW_NO_MEMORY));
    trial->number = trial->number < TRIALS_MOST ? trial->number + 1 : 0;
    return 1;
}

void trial_clean(driver_trial *trial) {
    CHECK(blocks_held() == trial->held);
}

/* ---- allocations, which the linker sends here (--wrap) ----------------------------------------
 */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *data);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *data);

static void *counted(void *data) {
    if (data != NULL) atomic_fetch_add(&held, 1);
    return data;
}

void *__wrap_malloc(size_t size) {
    if (allocation_fails()) return NULL;
    void *data = counted(__real_malloc(size));
#ifndef DRIVER_LEAVES_MEMORY
    /* what is read before it was written shows in the hash */
    if (data != NULL && size <= 1 << 16) memset(data, 0xA5, size);
#endif
    return data;
}

void *__wrap_calloc(size_t count, size_t size) {
    return allocation_fails() ? NULL : counted(__real_calloc(count, size));
}

/* An array that cannot be made smaller stays as it is: kernels go on. */
void *__wrap_realloc(void *data, size_t size) {
    const int shrinks = data != NULL && malloc_usable_size(data) >= size;
    if (shrinks && atomic_load(&at_fault) > 0) return NULL;
    if (!shrinks && allocation_fails()) return NULL;
    void *moved = __real_realloc(data, size);
    if (data == NULL) counted(moved);
    return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return allocation_fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *data) {
    if (data != NULL) atomic_fetch_sub(&held, 1);
    __real_free(data);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

#define TEAM_MOST 64

int driver_threads;

typedef struct {
    driver_part *function;
    void *context;
    int part;
    int status;
} team_member;

static void *run_member(void *argument) {
    team_member *member = argument;
    member->status = member->function(member->context, member->part);
    return NULL;
}

int run_team(driver_part *function, void *context, int parts) {
    team_member members[TEAM_MOST];
    pthread_t threads[TEAM_MOST];
    CHECK(parts >= 1 && parts <= TEAM_MOST);
    for (int part = 0; part < parts; part++)
        members[part] = (team_member){function, context, part, PW_OK};
    if (driver_threads) {
        for (int part = 0; part < parts; part++)
            CHECK(pthread_create(&threads[part], NULL, run_member, &members[part]) == 0);
        for (int part = 0; part < parts; part++) CHECK(pthread_join(threads[part], NULL) == 0);
    } else {
        /* the last one first: no part may need what another one has done */
        for (int part = parts - 1; part >= 0; part--) run_member(&members[part]);
    }
    for (int part = 0; part < parts; part++)
        if (members[part].status != PW_OK) return members[part].status;
    return PW_OK;
}

/* ---- targets ----------------------------------------------------------------------------------
 */

const driver_target driver_targets[DRIVER_TARGETS] = {
    {"meet", target_meet, 300},           {"encode", target_encode, 300},
    {"table", target_table, 300},         {"match", target_match, 200},
    {"transport", target_transport, 200}, {"chance", target_chance, 200},
    {"text", target_text, 300},           {"sweep", target_sweep, 200},
};

void run_case(const driver_target *target, const uint8_t *data, size_t size) {
    driver_input in = {data, data + size};
    const int fault = take_byte(&in) % 8;
    running = target->name;
    case_fault = driver_faults >= 0 ? driver_faults : fault < FAULTS ? fault : FAULT_NONE;
    target->run(&in);
    give_back_rooms();
    CHECK(blocks_held() == 0);
}
