/* Preloaded before the C library: one allocation of our own extensions fails.
 *
 *     cc -std=c11 -O2 -shared -fPIC fail_allocation.c -o fail_allocation.so
 *     LD_PRELOAD=./fail_allocation.so python ...
 *
 * Whose allocation it is says the address that it returns to: those of Python, NumPy and all
 * others go through untouched. Nothing is counted before fault_watch, which must be called anew
 * after an extension is loaded.
 */
/* dl_iterate_phdr is not in C11 */
#define _GNU_SOURCE

#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What glibc does when nothing is preloaded. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *data, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *data);

enum { RANGES_MOST = 256, SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t begins[RANGES_MOST], ends[RANGES_MOST];
static int n_ranges;
static long made, failing, failed, kept;
static int failing_on; /* later ones fail, too */
/* Live allocations of ours by linear probing. */
static uintptr_t live_at[SLOTS];
static long live;

static size_t slot_of(uintptr_t address) {
    return (size_t)((uint64_t)(address >> 4) * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS));
}

static void remember(const void *data) {
    size_t slot = slot_of((uintptr_t)data);
    if (live >= SLOTS / 2) abort();
    while (live_at[slot] != 0) slot = (slot + 1) & (SLOTS - 1);
    live_at[slot] = (uintptr_t)data;
    live++;
}

/* Whether it was one of ours; those behind it move up, so that no gap hides them. */
static int forget(const void *data) {
    size_t slot = slot_of((uintptr_t)data);
    while (live_at[slot] != (uintptr_t)data) {
        if (live_at[slot] == 0) return 0;
        slot = (slot + 1) & (SLOTS - 1);
    }
    live--;
    for (size_t gap = slot;;) {
        slot = (slot + 1) & (SLOTS - 1);
        if (live_at[slot] == 0) {
            live_at[gap] = 0;
            return 1;
        }
        size_t home = slot_of(live_at[slot]);
        if (((slot - home) & (SLOTS - 1)) >= ((slot - gap) & (SLOTS - 1))) {
            live_at[gap] = live_at[slot];
            gap = slot;
        }
    }
}

static int is_ours(const void *caller) {
    const uintptr_t address = (uintptr_t)caller;
    for (int range = 0; range < n_ranges; range++)
        if (address >= begins[range] && address < ends[range]) return 1;
    return 0;
}

/* Count one of ours; whether it has to fail. */
static int must_fail(void) {
    made++;
    if (failing == 0 || made < failing || (made > failing && !failing_on)) return 0;
    failed++;
    return 1;
}

void *malloc(size_t bytes) {
    if (n_ranges == 0 || !is_ours(__builtin_return_address(0))) return __libc_malloc(bytes);
    pthread_mutex_lock(&lock);
    void *data = must_fail() ? NULL : __libc_malloc(bytes);
    if (data != NULL) remember(data);
    pthread_mutex_unlock(&lock);
    return data;
}

void *calloc(size_t count, size_t bytes) {
    if (n_ranges == 0 || !is_ours(__builtin_return_address(0))) return __libc_calloc(count, bytes);
    pthread_mutex_lock(&lock);
    void *data = must_fail() ? NULL : __libc_calloc(count, bytes);
    if (data != NULL) remember(data);
    pthread_mutex_unlock(&lock);
    return data;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    if (n_ranges == 0 || !is_ours(__builtin_return_address(0)))
        return __libc_memalign(alignment, bytes);
    pthread_mutex_lock(&lock);
    void *data = must_fail() ? NULL : __libc_memalign(alignment, bytes);
    if (data != NULL) remember(data);
    pthread_mutex_unlock(&lock);
    return data;
}

void *realloc(void *data, size_t bytes) {
    if (n_ranges == 0 || !is_ours(__builtin_return_address(0))) return __libc_realloc(data, bytes);
    pthread_mutex_lock(&lock);
    void *moved = NULL;
    if (!must_fail())
        moved = __libc_realloc(data, bytes);
    else if (data != NULL && malloc_usable_size(data) >= bytes)
        kept++; /* it would only have become smaller, which nobody has to mind */
    if (moved != NULL) {
        if (data != NULL) forget(data);
        remember(moved);
    }
    pthread_mutex_unlock(&lock);
    return moved;
}

void free(void *data) {
    if (n_ranges != 0 && data != NULL) {
        pthread_mutex_lock(&lock);
        if (live > 0) forget(data);
        pthread_mutex_unlock(&lock);
    }
    __libc_free(data);
}

static int note_ours(struct dl_phdr_info *info, size_t size, void *folder) {
    (void)size;
    if (strstr(info->dlpi_name, folder) == NULL) return 0;
    for (int part = 0; part < info->dlpi_phnum; part++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[part];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        if (n_ranges == RANGES_MOST) abort();
        begins[n_ranges] = info->dlpi_addr + header->p_vaddr;
        ends[n_ranges] = begins[n_ranges] + header->p_memsz;
        n_ranges++;
    }
    return 0;
}

/* From here on count what is loaded from a folder; how many pieces of code there are. */
int fault_watch(const char *folder) {
    pthread_mutex_lock(&lock);
    n_ranges = 0;
    dl_iterate_phdr(note_ours, (void *)(uintptr_t)folder);
    pthread_mutex_unlock(&lock);
    return n_ranges;
}

/* Let the k-th allocation from now fail, or none where k is 0; `on`: all after it, too. */
void fault_set(long k, int on) {
    pthread_mutex_lock(&lock);
    made = failed = kept = 0;
    failing = k;
    failing_on = on;
    pthread_mutex_unlock(&lock);
}

/* Allocations of ours since fault_set; how many of them failed, but for those that would only have
 * made something smaller; how many live. */
long fault_made(void) {
    return made;
}

long fault_failed(void) {
    return failed - kept;
}

long fault_live(void) {
    return live;
}
