#include "pw_shared_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Items at a time: packed panels of both sides stay in the second-level cache, and a sum of that
 * many terms in 64 bits. */
#define BLOCK 128
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
static void pack(const double *rows, int64_t items, int64_t width, int64_t first, int64_t last,
                 int copies, double *panels) {
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

static void add_tile(const double *p, const double *q, int64_t items, uint64_t sums[TILE][TILE]) {
    __m128i low[TILE], high[TILE];
    for (int r = 0; r < TILE; r++) low[r] = high[r] = _mm_setzero_si128();
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
        _mm_storeu_si128((__m128i *)(void *)&sums[r][0], low[r]);
        _mm_storeu_si128((__m128i *)(void *)&sums[r][2], high[r]);
    }
}

#else

#define COPIES 1

static void add_tile(const double *p, const double *q, int64_t items, uint64_t sums[TILE][TILE]) {
    memset(sums, 0, TILE * sizeof *sums);
    for (int64_t i = 0; i < items; i++) {
        for (int r = 0; r < TILE; r++) {
            for (int c = 0; c < TILE; c++) {
                const double x = p[i * TILE + r];
                const double y = q[i * TILE + c];
                sums[r][c] += pattern(x < y ? x : y);
            }
        }
    }
}

#endif

typedef struct {
    double *p;      /* packed panels of the running block */
    double *q;      /* (malloc aligns to 16 bytes, and so are all panels) */
    pw_u128 *total; /* of every cell, in units of 2^-51 */
} workspace;

static void add_block(const workspace *w, int64_t items, int64_t n_rows, int64_t width) {
    for (int64_t r = 0; r < n_rows; r += TILE) {
        const int64_t some_rows = pw_min64(TILE, n_rows - r);
        for (int64_t c = 0; c < width; c += TILE) {
            const int64_t some_cols = pw_min64(TILE, width - c);
            uint64_t sums[TILE][TILE];
            add_tile(w->p + r / TILE * panel_size(COPIES), w->q + c / TILE * panel_size(1), items,
                     sums);
            for (int64_t i = 0; i < some_rows; i++) {
                pw_u128 *row = w->total + (r + i) * width + c;
                for (int64_t j = 0; j < some_cols; j++)
                    row[j] += sums[i][j] - (uint64_t)items * pattern(1.0);
            }
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
    const workspace w = {
        allocate(row_panels, panel_size(COPIES), sizeof(double)),
        allocate(col_panels, panel_size(1), sizeof(double)),
        allocate(n_rows, width, sizeof(pw_u128)),
    };
    if (w.p == NULL || w.q == NULL || w.total == NULL) status = PW_NO_MEMORY;
    int64_t until_poll = POLL_TERMS;
    for (int64_t start = 0; start < n && status == PW_OK; start += BLOCK) {
        const int64_t items = pw_min64(BLOCK, n - start);
        pack(p + start * n_rows, items, n_rows, 0, n_rows, COPIES, w.p);
        pack(q + start * n_cols, items, n_cols, first, last, 1, w.q);
        add_block(&w, items, n_rows, width);
        until_poll -= BLOCK * n_rows * width;
        if (until_poll < 0) {
            until_poll = POLL_TERMS;
            if (pw_stop(poll)) status = PW_STOPPED;
        }
    }
    if (status == PW_OK) round_totals(w.total, n_rows * width, shared);
    free(w.p);
    free(w.q);
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
