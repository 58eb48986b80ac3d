#include "pw_sample.h"

#include <stdlib.h>
#include <string.h>

#include "pw_hypergeometric.h"
#include "pw_table.h"

/* Rows up to this size are sorted, larger ones counted. */
#define SMALL_ROW 32
/* Items per cell from which cells are drawn, not items. */
#define LARGE_CELL 32
/* Places drawn at a time: the partner's cache line is on its way before the exchange. */
#define BATCH 256

static inline uint64_t high_product(uint64_t x, uint64_t y) {
    return (uint64_t)((pw_u128)x * y >> 64);
}

void pw_philox(uint64_t counter, const uint64_t key[2], uint64_t out[4]) {
    const uint64_t first = UINT64_C(0xD2E7470EE14C6C93);
    const uint64_t second = UINT64_C(0xCA5A826395121157);
    uint64_t c0 = counter, c1 = 0, c2 = 0, c3 = 0;
    uint64_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t h0 = high_product(first, c0), l0 = first * c0;
        const uint64_t h1 = high_product(second, c2), l1 = second * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += UINT64_C(0x9E3779B97F4A7C15);
        k1 += UINT64_C(0xBB67AE8584CAA73B);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Give the first `most` of n places labels drawn without replacement. */
static int shuffle(uint32_t *labels, int64_t n, int64_t most, const uint64_t key[2],
                   const pw_poll *poll) {
    uint64_t partner[BATCH];
    int64_t next_poll = PW_POLL_ITEMS;
    for (int64_t start = 0; start < most; start += BATCH) {
        const int64_t stop = pw_min64(start + BATCH, most);
        for (int64_t i = start; i < stop; i += 4) {
            uint64_t random[4];
            pw_philox((uint64_t)(i / 4) + 1, key, random);
            for (int64_t j = i; j < pw_min64(i + 4, stop); j++) {
                const uint64_t left = (uint64_t)(n - j);
                const uint64_t place = (uint64_t)j + high_product(random[j - i], left);
                partner[j - start] = place;
                __builtin_prefetch(labels + place, 1);
            }
        }
        for (int64_t i = start; i < stop; i++) {
            const uint32_t other = labels[partner[i - start]];
            labels[partner[i - start]] = labels[i];
            labels[i] = other;
        }
        if (stop >= next_poll) {
            if (pw_stop(poll)) return PW_STOPPED;
            next_poll += PW_POLL_ITEMS;
        }
    }
    return PW_OK;
}

static void append(pw_cells *cells, int64_t col, int64_t count) {
    cells->cols[cells->used] = col;
    cells->counts[cells->used++] = count;
}

static void count_small(uint32_t *labels, int64_t n, pw_cells *cells) {
    for (int64_t i = 1; i < n; i++) {
        const uint32_t label = labels[i];
        int64_t j = i;
        for (; j > 0 && labels[j - 1] > label; j--) labels[j] = labels[j - 1];
        labels[j] = label;
    }
    int64_t start = 0;
    for (int64_t i = 1; i <= n; i++) {
        if (i < n && labels[i] == labels[start]) continue;
        append(cells, labels[start], i - start);
        start = i;
    }
}

/* Counters of one row: a bit for each column seen, a bit for each word with such bits. */
typedef struct {
    uint32_t *counts;
    uint64_t *seen;
    uint64_t *words;
    int64_t n_words;
} counters;

static int start_counters(counters *row, int64_t n_cols) {
    const int64_t n_seen = n_cols / 64 + 1;
    row->n_words = n_seen / 64 + 1;
    row->counts = calloc((size_t)n_cols, sizeof *row->counts);
    row->seen = calloc((size_t)n_seen, sizeof *row->seen);
    row->words = calloc((size_t)row->n_words, sizeof *row->words);
    return row->counts != NULL && row->seen != NULL && row->words != NULL ? PW_OK : PW_NO_MEMORY;
}

static void free_counters(counters *row) {
    free(row->counts);
    free(row->seen);
    free(row->words);
}

static void count_large(const uint32_t *labels, int64_t n, counters *row, pw_cells *cells) {
    for (int64_t i = 0; i < n; i++) {
        const uint32_t label = labels[i];
        if (row->counts[label]++ == 0) {
            row->seen[label >> 6] |= UINT64_C(1) << (label & 63);
            row->words[label >> 12] |= UINT64_C(1) << (label >> 6 & 63);
        }
    }
    for (int64_t w = 0; w < row->n_words; w++) {
        for (uint64_t words = row->words[w]; words != 0; words &= words - 1) {
            const int64_t s = w * 64 + __builtin_ctzll((unsigned long long)words);
            for (uint64_t bits = row->seen[s]; bits != 0; bits &= bits - 1) {
                const int64_t col = s * 64 + __builtin_ctzll((unsigned long long)bits);
                append(cells, col, row->counts[col]);
                row->counts[col] = 0;
            }
            row->seen[s] = 0;
        }
        row->words[w] = 0;
    }
}

/* The largest row (the first of several) takes the places at the end, the others go in order. */
static int64_t largest_of(const int64_t *sizes, int64_t n) {
    int64_t largest = 0;
    for (int64_t i = 1; i < n; i++) {
        if (sizes[i] > sizes[largest]) largest = i;
    }
    return largest;
}

/* ---- few large cells ---- */

/* Cells row by row, each given those before it; `left` are the columns' sizes, used up. */
static void draw_cells(const int64_t *row_sizes, int64_t *left, int64_t n_rows, int64_t n_cols,
                       int64_t n, const uint64_t key[2], int64_t *indptr, pw_cells *cells) {
    uint64_t random[4] = {0, 0, 0, 0};
    int64_t used = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t size = row_sizes[r];
        int64_t items = n;
        for (int64_t c = 0; c < n_cols; c++) {
            int64_t count = size;
            if (r == n_rows - 1) {
                count = left[c];
            } else if (c < n_cols - 1) {
                if (used % 4 == 0) pw_philox((uint64_t)(used / 4) + 1, key, random);
                const double u = (double)(random[used % 4] >> 11) * 0x1p-53;
                used++;
                count = pw_hypergeometric(items, size, left[c], u);
            }
            items -= left[c];
            left[c] -= count;
            size -= count;
            if (count > 0) append(cells, c, count);
        }
        n -= row_sizes[r];
        indptr[r + 1] = cells->used;
    }
}

static int dense_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                       int64_t n_cols, int64_t n, const uint64_t key[2], int64_t *indptr,
                       pw_cells *cells) {
    int64_t *left = malloc((size_t)n_cols * sizeof *left);
    int status = pw_cells_start(cells, n_rows * n_cols, n_rows * n_cols);
    if (status == PW_OK && left == NULL) status = PW_NO_MEMORY;
    if (status == PW_OK) {
        memcpy(left, col_sizes, (size_t)n_cols * sizeof *left);
        draw_cells(row_sizes, left, n_rows, n_cols, n, key, indptr, cells);
    }
    free(left);
    return status;
}

static void hand_over(pw_cells *cells, int64_t **cols, int64_t **counts, int64_t *n_cells) {
    *cols = pw_shrink(cells->cols, cells->used);
    *counts = pw_shrink(cells->counts, cells->used);
    *n_cells = cells->used;
    cells->cols = NULL;
    cells->counts = NULL;
}

int pw_random_table(const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, const uint64_t key[2], int64_t *indptr, int64_t **out_cols,
                    int64_t **out_counts, int64_t *n_cells, const pw_poll *poll) {
    *out_cols = NULL;
    *out_counts = NULL;
    *n_cells = 0;
    indptr[0] = 0;
    int64_t n = 0, bound = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        n += row_sizes[r];
        bound += pw_min64(row_sizes[r], n_cols);
    }
    pw_cells cells = {0};
    if (n_rows > 0 && n_rows <= n / LARGE_CELL / n_cols) {
        const int drawn = dense_table(row_sizes, col_sizes, n_rows, n_cols, n, key, indptr, &cells);
        if (drawn == PW_OK) hand_over(&cells, out_cols, out_counts, n_cells);
        pw_cells_free(&cells);
        return drawn;
    }
    counters row = {0};
    uint32_t *labels = malloc((size_t)(n > 0 ? n : 1) * sizeof *labels);
    int status = labels == NULL ? PW_NO_MEMORY : PW_OK;
    if (status == PW_OK) status = start_counters(&row, n_cols > 0 ? n_cols : 1);
    if (status == PW_OK) status = pw_cells_start(&cells, bound, bound);
    if (status != PW_OK) goto done;

    uint32_t *next = labels;
    for (int64_t c = 0; c < n_cols; c++) {
        for (int64_t i = 0; i < col_sizes[c]; i++) *next++ = (uint32_t)c;
    }
    const int64_t largest = largest_of(row_sizes, n_rows);
    const int64_t most = n_rows > 0 ? n - row_sizes[largest] : 0;
    status = shuffle(labels, n, most, key, poll);
    if (status != PW_OK) goto done;

    int64_t place = 0;
    for (int64_t r = 0; r < n_rows; r++) {
        uint32_t *mine = labels + (r == largest ? most : place);
        const int64_t size = row_sizes[r];
        if (size <= SMALL_ROW) {
            count_small(mine, size, &cells);
        } else {
            count_large(mine, size, &row, &cells);
        }
        if (r != largest) place += size;
        indptr[r + 1] = cells.used;
    }
    hand_over(&cells, out_cols, out_counts, n_cells);

done:
    free(labels);
    free_counters(&row);
    pw_cells_free(&cells);
    return status;
}

int pw_resample(int64_t n, const uint64_t key[2], int64_t draws, int64_t *counts,
                const pw_poll *poll) {
    int64_t unpolled = 0;
    for (int64_t d = 0; d < draws; d++) {
        const uint64_t own[2] = {key[0], key[1] + (uint64_t)d};
        int64_t *mine = counts + d * n;
        memset(mine, 0, (size_t)n * sizeof *mine);
        for (int64_t i = 0; i < n; i += 4) {
            uint64_t random[4];
            pw_philox((uint64_t)(i / 4) + 1, own, random);
            for (int64_t j = 0; j < pw_min64(4, n - i); j++) {
                mine[high_product(random[j], (uint64_t)n)]++;
            }
        }
        unpolled += n;
        if (unpolled >= PW_POLL_ITEMS) {
            if (pw_stop(poll)) return PW_STOPPED;
            unpolled = 0;
        }
    }
    return PW_OK;
}
