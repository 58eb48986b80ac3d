/* A random table by dealing the items of one side to random places of the other.
 *
 * The places are those of the rows, in order, and are cut into blocks that fit the cache.
 *   1. Every item draws a block; a few items are held back as spare.
 *   2. Blocks that drew too many items give random ones back, and the spare items fill the rest. No
 *      step looks at which item it moves, so all fillings are equally likely.
 *   3. The items of a block, in the order of their columns, take a random one of the places left.
 *      This is the shuffle of R. A. Fisher and F. Yates ("Statistical tables", 1938) in the form of
 *      R. Durstenfeld, "Algorithm 235: Random permutation" (1964).
 * Items come in the order of their columns, so columns ascend in every row without a sort.
 */
#include "pw_shuffle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pw_random.h"
#include "pw_scratch.h"

/* Places of one block (more only where a single row has them), and blocks at most. */
#define BLOCK_ITEMS 8192
#define BLOCKS 256
/* Values of a digit that names a block, digits of a word, bits of a digit. */
#define DIGITS 4096
#define DIGITS_OF_WORD 5
#define DIGIT_BITS 12
/* Stands for a block where the item is spare. A block's expected number of items is SLACK
 * standard deviations below its places; spare items make up for it. */
#define SPARE (BLOCKS - 1)
#define SLACK 3
/* Places of a block up to which one random word serves four of its items, beyond it two. */
#define FOUR_OF_WORD (1 << 14)

/* Rows in order, cut into blocks. */
typedef struct {
    int64_t n;
    int64_t n_blocks;
    int64_t rows[BLOCKS + 1];   /* first row of each block */
    int64_t places[BLOCKS + 1]; /* places before each block */
    int64_t largest;            /* places of the largest block */
} blocks;

/* A block ends where another row would make it too large. Two neighbouring blocks together are
 * larger than one may be, so there are fewer than BLOCKS - 1 blocks. */
static void cut_blocks(const int64_t *row_sizes, int64_t n_rows, blocks *of) {
    const int64_t share = of->n / (BLOCKS / 2 - 1) + 1;
    const int64_t most = share > BLOCK_ITEMS ? share : BLOCK_ITEMS;
    int64_t place = 0, k = 0;
    of->rows[0] = of->places[0] = of->largest = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        if (place > of->places[k] && place + row_sizes[r] - of->places[k] > most) {
            k++;
            of->rows[k] = r;
            of->places[k] = place;
        }
        place += row_sizes[r];
        if (place - of->places[k] > of->largest) of->largest = place - of->places[k];
    }
    of->n_blocks = k + 1;
    of->rows[k + 1] = n_rows;
    of->places[k + 1] = place;
}

/* After all items have drawn: the room in each block (below 0: items too many), and the spare
 * items. */
typedef struct {
    int64_t left[BLOCKS];
    int64_t n_spare;
    uint32_t *spare;
} remains;

/* Gives every item a block by a random digit, so that most blocks get fewer items than they have
 * places; the other items are spare. */
static int draw_blocks(const blocks *of, pw_random *from, uint8_t *chosen, remains *rest,
                       const pw_poll *poll) {
    uint8_t block_of[DIGITS];
    int64_t named = 0;
    for (int64_t k = 0; k < of->n_blocks; k++) {
        const int64_t size = of->places[k + 1] - of->places[k];
        const int64_t sure = size - SLACK * (int64_t)sqrt((double)size);
        const int64_t digits = sure > 0 ? sure * DIGITS / of->n : 0;
        memset(block_of + named, (int)k, (size_t)digits);
        named += digits;
        rest->left[k] = size;
    }
    memset(block_of + named, SPARE, (size_t)(DIGITS - named));
    /* two sets of counters in turn: a counter that is raised again at once has to wait */
    uint32_t counts[2][BLOCKS] = {{0}};
    pw_random own = *from;
    int64_t used = 0, i = 0, next_poll = PW_POLL_ITEMS;
    while (i < of->n) {
        uint64_t word = pw_random_word(&own);
        const int64_t digits = pw_min64(DIGITS_OF_WORD, of->n - i);
        for (int64_t k = 0; k < DIGITS_OF_WORD; k++, word >>= DIGIT_BITS) {
            if (k == digits) break;
            const uint8_t block = block_of[word & (DIGITS - 1)];
            chosen[i + k] = block;
            counts[k & 1][block]++;
            rest->spare[used] = (uint32_t)(i + k);
            used += block == SPARE;
        }
        i += digits;
        if (i >= next_poll) {
            if (pw_stop(poll)) return PW_STOPPED;
            next_poll += PW_POLL_ITEMS;
        }
    }
    for (int64_t k = 0; k < of->n_blocks; k++) {
        rest->left[k] -= (int64_t)counts[0][k] + counts[1][k];
    }
    rest->n_spare = used;
    *from = own;
    return PW_OK;
}

/* Blocks with too many items give items back, picked at random; then the spare items take the
 * room that is left, in random order. No step looks at which item it is, so all ways to fill the
 * blocks are equally likely. */
static void even_out(const blocks *of, pw_random *from, uint8_t *chosen, remains *rest,
                     uint8_t *room) {
    int64_t over = 0;
    for (int64_t k = 0; k < of->n_blocks; k++) over -= pw_min64(rest->left[k], 0);
    while (over > 0) {
        const uint64_t item = pw_random_below(from, (uint64_t)of->n);
        if (chosen[item] == SPARE || rest->left[chosen[item]] >= 0) continue;
        rest->left[chosen[item]]++;
        chosen[item] = SPARE;
        rest->spare[rest->n_spare++] = (uint32_t)item;
        over--;
    }
    uint8_t *next = room;
    for (int64_t k = 0; k < of->n_blocks; k++) {
        memset(next, (int)k, (size_t)rest->left[k]);
        next += rest->left[k];
    }
    const uint64_t n_spare = (uint64_t)rest->n_spare;
    for (uint64_t t = 0; t < n_spare; t += 2) {
        uint32_t draws[2] = {0};
        const int n_draws = n_spare - t > 1 ? 2 : 1;
        pw_random_digits(from, n_spare - t, n_draws, n_spare * n_spare, draws);
        for (uint64_t k = 0; k < (uint64_t)n_draws; k++) {
            uint8_t *const taken = room + t + k + draws[k];
            chosen[rest->spare[t + k]] = *taken;
            *taken = room[t + k];
        }
    }
}

/* Mark the first place of every size, so that numbering places needs no inner loop. */
static void mark_starts(const int64_t *sizes, int64_t n, uint8_t *starts) {
    int64_t place = 0;
    for (int64_t i = 0; i < n; i++) {
        starts[place] = 1;
        place += sizes[i];
    }
}

/* Columns of the items, moved to their blocks: ascending in each. */
static int deal(const blocks *of, const uint8_t *chosen, const uint8_t *starts, uint32_t *cols,
                const pw_poll *poll) {
    uint32_t *next[BLOCKS];
    uint32_t col = UINT32_MAX;
    for (int64_t k = 0; k < of->n_blocks; k++) next[k] = cols + of->places[k];
    for (int64_t start = 0; start < of->n; start += PW_POLL_ITEMS) {
        const int64_t stop = pw_min64(start + PW_POLL_ITEMS, of->n);
        for (int64_t i = start; i < stop; i++) {
            col += starts[i];
            *next[chosen[i]]++ = col;
        }
        if (stop < of->n && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* Room for one block, as many entries as places each. */
typedef struct {
    uint32_t *free;   /* row of every place not yet given away, from the block's first */
    uint32_t *next;   /* next place of each row */
    uint32_t *sorted; /* column of every place */
} room;

/* Each item in turn takes a random one of the places left. Items come with their columns
 * ascending, so columns ascend in every row. */
static inline void give_places(const uint32_t *cols, uint32_t n, uint32_t of_word, pw_random *from,
                               const room *in) {
    pw_random own = *from;
    uint32_t *rows = in->free, *next = in->next, *sorted = in->sorted;
    uint32_t draws[4] = {0}, t = 0;
    uint64_t most = 1;
    for (uint32_t k = 0; k < of_word; k++) most *= n;
    for (; n - t >= of_word; t += of_word) {
        pw_random_digits(&own, n - t, (int)of_word, most, draws);
        for (uint32_t k = 0; k < of_word; k++) {
            const uint32_t place = t + k + draws[k];
            const uint32_t row = rows[place];
            rows[place] = rows[t + k];
            sorted[next[row]++] = cols[t + k];
        }
    }
    const uint32_t last = n - t;
    if (last > 0) pw_random_digits(&own, last, (int)last, most, draws);
    for (uint32_t k = 0; k < last; k++) {
        const uint32_t row = rows[t + k + draws[k]];
        rows[t + k + draws[k]] = rows[t + k];
        sorted[next[row]++] = cols[t + k];
    }
    *from = own;
}

static void shuffle_block(const uint32_t *cols, const uint8_t *starts, uint32_t n,
                          const int64_t *row_sizes, int64_t n_rows, pw_random *from,
                          const room *in) {
    uint32_t row = UINT32_MAX, place = 0;
    for (uint32_t i = 0; i < n; i++) {
        row += starts[i];
        in->free[i] = row;
    }
    for (int64_t r = 0; r < n_rows; r++) {
        in->next[r] = place;
        place += (uint32_t)row_sizes[r];
    }
    if (n <= FOUR_OF_WORD) {
        give_places(cols, n, 4, from, in);
    } else {
        give_places(cols, n, 2, from, in);
    }
}

/* Cells from the columns of places, ascending in each row; no branch on either. */
static void read_out(const uint32_t *sorted, const uint8_t *starts, int64_t n, int64_t *indptr,
                     pw_cells *cells) {
    int64_t at = cells->used - 1, count = 0;
    int64_t *cols = cells->cols, *counts = cells->counts;
    uint32_t before = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t fresh = starts[i] | (sorted[i] != before);
        before = sorted[i];
        at += fresh;
        count = (count & (fresh - 1)) + 1;
        cols[at] = before;
        counts[at] = count;
        indptr += starts[i];
        *indptr = at + 1;
    }
    cells->used = at + 1;
}

static int fill(const blocks *of, const int64_t *row_sizes, const uint32_t *cols,
                const uint8_t *starts, pw_random *from, const room *in, int64_t *indptr,
                pw_cells *cells, const pw_poll *poll) {
    int64_t unpolled = 0;
    for (int64_t k = 0; k < of->n_blocks; k++) {
        const int64_t first = of->rows[k], place = of->places[k];
        const int64_t size = of->places[k + 1] - place, n_rows = of->rows[k + 1] - first;
        const uint32_t *filled = cols + place;
        if (n_rows > 1) {
            shuffle_block(filled, starts + place, (uint32_t)size, row_sizes + first, n_rows, from,
                          in);
            filled = in->sorted;
        }
        read_out(filled, starts + place, size, indptr + first, cells);
        unpolled += size;
        if (unpolled >= PW_POLL_ITEMS) {
            if (pw_stop(poll)) return PW_STOPPED;
            unpolled = 0;
        }
    }
    return PW_OK;
}

int pw_shuffled_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                      int64_t n_cols, int64_t n, const uint64_t key[2], int64_t *indptr,
                      pw_cells *cells, const pw_poll *poll) {
    blocks of = {.n = n};
    remains rest = {0};
    cut_blocks(row_sizes, n_rows, &of);
    int64_t bound = 0;
    for (int64_t r = 0; r < n_rows; r++) bound += pw_min64(row_sizes[r], n_cols);
    uint8_t *starts = pw_large_malloc(n);
    uint8_t *chosen = pw_large_calloc(n);
    uint32_t *cols = pw_large_malloc(n * (int64_t)sizeof *cols);
    uint32_t *words = malloc(3 * (size_t)of.largest * sizeof *words);
    cells->cols = pw_large_malloc(bound * (int64_t)sizeof *cells->cols);
    cells->counts = pw_large_malloc(bound * (int64_t)sizeof *cells->counts);
    cells->capacity = cells->most = bound;
    int status = PW_NO_MEMORY;
    if (starts == NULL || chosen == NULL || cols == NULL || words == NULL) goto done;
    if (cells->cols == NULL || cells->counts == NULL) goto done;
    status = PW_OK;

    pw_random from = pw_random_start(key);
    if (of.n_blocks > 1) {
        rest.spare = cols;
        status = draw_blocks(&of, &from, chosen, &rest, poll);
        if (status != PW_OK) goto done;
        even_out(&of, &from, chosen, &rest, starts);
    }
    memset(starts, 0, (size_t)n);
    mark_starts(col_sizes, n_cols, starts);
    status = deal(&of, chosen, starts, cols, poll);
    if (status != PW_OK) goto done;
    memset(starts, 0, (size_t)n);
    mark_starts(row_sizes, n_rows, starts);
    const room in = {words, words + of.largest, words + 2 * of.largest};
    status = fill(&of, row_sizes, cols, starts, &from, &in, indptr, cells, poll);

done:
    free(starts);
    free(chosen);
    free(cols);
    free(words);
    return status;
}
