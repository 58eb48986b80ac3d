/* Allocations of chosen libraries fail: loaded before the C library by tests/allocations.py.
 *
 * An allocation is of a library if the code that asks for it lies in one of its ranges of
 * addresses. Blocks that they hold are listed, so that what is never given back shows.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *data);

#define RANGES_MOST 256
#define BLOCKS_MOST 65536

static uintptr_t starts[RANGES_MOST], ends[RANGES_MOST];
static int n_ranges;
static long asked, first_failure;
static int fails_on, came;
static void *blocks[BLOCKS_MOST];
static int n_blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The allocation number `first` fails, and with `all` those behind it; 0: none. */
void failing_malloc_at(long first, int all);
/* Whether one has failed since. */
int failing_malloc_came(void);
/* Blocks that the libraries hold. */
int failing_malloc_held(void);
void failing_malloc_range(uintptr_t start, uintptr_t end);

void failing_malloc_at(long first, int all) {
    asked = 0;
    came = 0;
    fails_on = all;
    first_failure = first;
}

int failing_malloc_came(void) {
    return came;
}

int failing_malloc_held(void) {
    return n_blocks;
}

void failing_malloc_range(uintptr_t start, uintptr_t end) {
    if (n_ranges == RANGES_MOST) return;
    starts[n_ranges] = start;
    ends[n_ranges++] = end;
}

static int is_theirs(void *caller) {
    for (int i = 0; i < n_ranges; i++)
        if ((uintptr_t)caller >= starts[i] && (uintptr_t)caller < ends[i]) return 1;
    return 0;
}

static int fails(void) {
    pthread_mutex_lock(&lock);
    const long number = ++asked;
    const int now =
        first_failure > 0 && (fails_on ? number >= first_failure : number == first_failure);
    came |= now;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *listed(void *data) {
    if (data == NULL) return NULL;
    pthread_mutex_lock(&lock);
    if (n_blocks < BLOCKS_MOST) blocks[n_blocks++] = data;
    pthread_mutex_unlock(&lock);
    return data;
}

static int unlist(void *data) {
    int was_listed = 0;
    if (data == NULL || n_blocks == 0) return 0;
    pthread_mutex_lock(&lock);
    for (int i = n_blocks - 1; i >= 0; i--) {
        if (blocks[i] != data) continue;
        blocks[i] = blocks[--n_blocks];
        was_listed = 1;
        break;
    }
    pthread_mutex_unlock(&lock);
    return was_listed;
}

void *malloc(size_t size) {
    if (!is_theirs(__builtin_return_address(0))) return __libc_malloc(size);
    return fails() ? NULL : listed(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    if (!is_theirs(__builtin_return_address(0))) return __libc_calloc(count, size);
    return fails() ? NULL : listed(__libc_calloc(count, size));
}

void *realloc(void *data, size_t size) {
    const int theirs = is_theirs(__builtin_return_address(0));
    if (theirs && fails()) return NULL;
    const int was_listed = unlist(data);
    void *moved = __libc_realloc(data, size);
    if (moved == NULL && was_listed) listed(data);
    if (moved != NULL && (theirs || was_listed)) listed(moved);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (!is_theirs(__builtin_return_address(0))) return __libc_memalign(alignment, size);
    return fails() ? NULL : listed(__libc_memalign(alignment, size));
}

void free(void *data) {
    unlist(data);
    __libc_free(data);
}
