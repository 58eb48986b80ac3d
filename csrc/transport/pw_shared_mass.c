/* Sums of min(p, q) over items, for all pairs of soft clusters.
 *
 * A membership x in [0, 2] is read as the double 1 + x / 2. Its bit pattern is then an integer
 * that compares like x, in units of 2^-51, and patterns add up as integers. So min is one
 * instruction on doubles, the sum is integer addition, and no order or number of lanes changes a
 * bit. The loops are those of a matrix product with packed panels and register tiles (K. Goto and
 * R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", 2008), with min for the
 * product.
 */
#include "pw_shared_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#ifdef __GNUC__ /* and Clang: one function may use instructions that the others do not */
#include <immintrin.h>
#define WIDER
#endif
#endif

/* Items at a time: packed panels of both sides stay in the second-level cache. */
#define BLOCK 128
/* Items whose patterns, less that of 1.0 each, add up to less than 2^64; whole blocks. */
#define FLUSH (16 * BLOCK)
/* Columns of a side in a register tile. */
#define TILE 4
/* Cells times items between two polls: about a tenth of a second. */
#define POLL_TERMS ((int64_t)1 << 29)

/* A membership x as the double 1 + x / 2, in [1, 2]: the pattern is that of 1.0 plus x in units
 * of 2^-51, so the smaller double has the smaller pattern and patterns add up as integers. */
static inline double lifted(double x) {
    return 1.0 + 0.5 * x;
}

static inline uint64_t pattern(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint64_t units(double x) {
    return pattern(lifted(x)) - pattern(1.0);
}

/* Doubles from one packed panel to the next: not a power of two, which would put the same row of
 * all panels into one set of the cache. */
static inline int64_t panel_size(int copies) {
    return BLOCK * TILE * copies + 8;
}

/* Panels of TILE columns, item by item, each value `copies` times. What a last panel has left
 * over stays as it was allocated: 0, smaller than any lifted value, and never read out. */
static inline void pack(const double *rows, int64_t items, int64_t width, int64_t first,
                        int64_t last, int copies, double *panels) {
    const int64_t whole = first + (last - first) / TILE * TILE;
    for (int64_t i = 0; i < items; i++) {
        const double *from = rows + i * width;
        double *to = panels + i * TILE * copies;
        for (int64_t c = first; c < whole; c += TILE) {
            for (int64_t t = 0; t < TILE * copies; t++) to[t] = lifted(from[c + t / copies]);
            to += panel_size(copies);
        }
        for (int64_t t = 0; t < (last - whole) * copies; t++)
            to[t] = lifted(from[whole + t / copies]);
    }
}

#ifdef __SSE2__

/* Two columns of q a register; the values of p are packed twice to fill one. */
#define COPIES 2

static void add_tile(const double *p, const double *q, int64_t items, uint64_t *sums) {
    __m128i low[TILE], high[TILE];
    __m128i *to = (__m128i *)(void *)sums;
    for (int r = 0; r < TILE; r++) {
        low[r] = _mm_load_si128(to + 2 * r);
        high[r] = _mm_load_si128(to + 2 * r + 1);
    }
    for (int64_t i = 0; i < items; i++) {
        const __m128d left = _mm_load_pd(q + i * TILE);
        const __m128d right = _mm_load_pd(q + i * TILE + 2);
        for (int r = 0; r < TILE; r++) {
            const __m128d value = _mm_load_pd(p + (i * TILE + r) * COPIES);
            low[r] = _mm_add_epi64(low[r], _mm_castpd_si128(_mm_min_pd(value, left)));
            high[r] = _mm_add_epi64(high[r], _mm_castpd_si128(_mm_min_pd(value, right)));
        }
    }
    for (int r = 0; r < TILE; r++) {
        _mm_store_si128(to + 2 * r, low[r]);
        _mm_store_si128(to + 2 * r + 1, high[r]);
    }
}

#ifdef WIDER

/* The same with four columns of q a register, where the processor has such. */
__attribute__((target("avx2"))) static void add_tile_wide(const double *p, const double *q,
                                                          int64_t items, uint64_t *sums) {
    __m256i sum[TILE];
    __m256i *to = (__m256i *)(void *)sums;
    for (int r = 0; r < TILE; r++) sum[r] = _mm256_loadu_si256(to + r);
    for (int64_t i = 0; i < items; i++) {
        const __m256d right = _mm256_loadu_pd(q + i * TILE);
        for (int r = 0; r < TILE; r++) {
            const __m256d value = _mm256_broadcast_sd(p + i * TILE + r);
            sum[r] = _mm256_add_epi64(sum[r], _mm256_castpd_si256(_mm256_min_pd(value, right)));
        }
    }
    for (int r = 0; r < TILE; r++) _mm256_storeu_si256(to + r, sum[r]);
}

#endif

#else

#define COPIES 1

static void add_tile(const double *p, const double *q, int64_t items, uint64_t *sums) {
    for (int64_t i = 0; i < items; i++) {
        for (int r = 0; r < TILE; r++) {
            for (int c = 0; c < TILE; c++) {
                const double x = p[i * TILE + r];
                const double y = q[i * TILE + c];
                sums[r * TILE + c] += pattern(x < y ? x : y);
            }
        }
    }
}

#endif

/* The rows of the next block, which are prefetched a piece at every tile. */
typedef struct {
    const char *at;
    const char *end;
    int64_t piece;
} coming;

#define LINE 64 /* bytes that come together */

static coming next_rows(const double *rows, int64_t from, int64_t n, int64_t width, int64_t tiles) {
    const int64_t items = from < n ? pw_min64(BLOCK, n - from) : 0;
    if (items == 0) return (coming){(const char *)rows, (const char *)rows, 0};
    const int64_t bytes = items * width * (int64_t)sizeof *rows;
    const char *at = (const char *)(rows + from * width);
    return (coming){at, at + bytes, bytes / tiles / LINE * LINE + LINE};
}

static inline void fetch_piece(coming *rows) {
    const char *stop = rows->end - rows->at < rows->piece ? rows->end : rows->at + rows->piece;
    for (; rows->at < stop; rows->at += pw_min64(LINE, stop - rows->at))
        __builtin_prefetch(rows->at);
}

typedef void (*tile_adder)(const double *p, const double *q, int64_t items, uint64_t *sums);

/* Integers add up to the same whatever their number in a register. */
static tile_adder best_adder(int *copies) {
#ifdef WIDER
    if (__builtin_cpu_supports("avx2")) {
        *copies = 1;
        return add_tile_wide;
    }
#endif
    *copies = COPIES;
    return add_tile;
}

typedef struct {
    tile_adder add;
    int copies; /* of each value of p */
    double *p;  /* packed panels of the running block (malloc aligns them to 16 bytes) */
    double *q;
    uint64_t *sums; /* patterns added up by tile, of up to FLUSH items */
    pw_u128 *total; /* of every cell, in units of 2^-51 */
} workspace;

static void add_block(const workspace *w, int64_t items, int64_t row_panels, int64_t col_panels,
                      coming next_p, coming next_q) {
    uint64_t *sums = w->sums;
    for (int64_t r = 0; r < row_panels; r++) {
        for (int64_t c = 0; c < col_panels; c++) {
            fetch_piece(&next_p);
            fetch_piece(&next_q);
            w->add(w->p + r * panel_size(w->copies), w->q + c * panel_size(1), items, sums);
            sums += TILE * TILE;
        }
    }
}

/* Move the sums of `items` items to the totals. */
static void flush(const workspace *w, int64_t items, int64_t n_rows, int64_t width) {
    uint64_t *sums = w->sums;
    for (int64_t r = 0; r < n_rows; r += TILE) {
        for (int64_t c = 0; c < width; c += TILE) {
            for (int64_t i = r; i < pw_min64(r + TILE, n_rows); i++) {
                for (int64_t j = c; j < pw_min64(c + TILE, width); j++)
                    w->total[i * width + j] +=
                        sums[(i - r) * TILE + j - c] - (uint64_t)items * pattern(1.0);
            }
            memset(sums, 0, TILE * TILE * sizeof *sums);
            sums += TILE * TILE;
        }
    }
}

static void round_totals(const pw_u128 *total, int64_t n, double *shared) {
    for (int64_t i = 0; i < n; i++) shared[i] = ldexp((double)total[i], -51);
}

static void *allocate(int64_t rows, int64_t cols, size_t size) {
    if (cols != 0 && rows > INT64_MAX / 16 / cols) return NULL;
    return calloc((size_t)(rows * cols), size);
}

int pw_shared_mass(const double *p, const double *q, int64_t n, int64_t n_rows, int64_t n_cols,
                   int64_t first, int64_t last, double *shared, const pw_poll *poll) {
    const int64_t width = last - first;
    if (n_rows == 0 || width == 0) return PW_OK;
    int status = PW_OK;
    const int64_t row_panels = (n_rows + TILE - 1) / TILE;
    const int64_t col_panels = (width + TILE - 1) / TILE;
    const int64_t tiles = row_panels * col_panels;
    int copies;
    const tile_adder add = best_adder(&copies);
    const workspace w = {
        add,
        copies,
        allocate(row_panels, panel_size(copies), sizeof(double)),
        allocate(col_panels, panel_size(1), sizeof(double)),
        allocate(tiles, TILE * TILE, sizeof(uint64_t)),
        allocate(n_rows, width, sizeof(pw_u128)),
    };
    if (w.p == NULL || w.q == NULL || w.sums == NULL || w.total == NULL) status = PW_NO_MEMORY;
    int64_t until_poll = POLL_TERMS;
    int64_t unflushed = 0;
    for (int64_t start = 0; start < n && status == PW_OK; start += BLOCK) {
        const int64_t items = pw_min64(BLOCK, n - start);
        if (copies == 1) { /* a constant: its loops unroll */
            pack(p + start * n_rows, items, n_rows, 0, n_rows, 1, w.p);
        } else {
            pack(p + start * n_rows, items, n_rows, 0, n_rows, COPIES, w.p);
        }
        pack(q + start * n_cols, items, n_cols, first, last, 1, w.q);
        add_block(&w, items, row_panels, col_panels, next_rows(p, start + BLOCK, n, n_rows, tiles),
                  next_rows(q, start + BLOCK, n, n_cols, tiles));
        unflushed += items;
        if (unflushed == FLUSH || start + BLOCK >= n) {
            flush(&w, unflushed, n_rows, width);
            unflushed = 0;
        }
        until_poll -= BLOCK * n_rows * width;
        if (until_poll < 0) {
            until_poll = POLL_TERMS;
            if (pw_stop(poll)) status = PW_STOPPED;
        }
    }
    if (status == PW_OK) round_totals(w.total, n_rows * width, shared);
    free(w.p);
    free(w.q);
    free(w.sums);
    free(w.total);
    return status;
}

int pw_shared_mass_sparse(const int64_t *p_indptr, const int64_t *p_cols, const double *p_values,
                          const int64_t *q_indptr, const int64_t *q_cols, const double *q_values,
                          int64_t n, int64_t n_rows, int64_t n_cols, double *shared,
                          const pw_poll *poll) {
    if (n_rows == 0 || n_cols == 0) return PW_OK;
    pw_u128 *total = allocate(n_rows, n_cols, sizeof *total);
    if (total == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    int64_t until_poll = PW_POLL_ITEMS;
    for (int64_t i = 0; i < n && status == PW_OK; i++) {
        for (int64_t e = p_indptr[i]; e < p_indptr[i + 1]; e++) {
            pw_u128 *row = total + p_cols[e] * n_cols;
            const uint64_t x = units(p_values[e]);
            for (int64_t f = q_indptr[i]; f < q_indptr[i + 1]; f++) {
                const uint64_t y = units(q_values[f]);
                row[q_cols[f]] += x < y ? x : y;
            }
        }
        until_poll -= (p_indptr[i + 1] - p_indptr[i]) * (q_indptr[i + 1] - q_indptr[i]) + 1;
        if (until_poll < 0) {
            until_poll = PW_POLL_ITEMS;
            if (pw_stop(poll)) status = PW_STOPPED;
        }
    }
    if (status == PW_OK) round_totals(total, n_rows * n_cols, shared);
    free(total);
    return status;
}
