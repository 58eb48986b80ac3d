#include <stdlib.h>

#include "pw_match_impl.h"

/* A near node on the path being tried, with the far node by which it goes on. */
typedef struct {
    int64_t node;
    int64_t end;
} step;

typedef struct {
    int64_t *sources;
    int64_t n_sources;
    int64_t *next;  /* of each row: its next cell to try */
    int64_t *tried; /* of each column: the phase in which it was tried last */
    step *path;
    int64_t phase;
} phases;

static void keep_open_sources(phases *p, const pw_side *rows) {
    int64_t kept = 0;
    for (int64_t i = 0; i < p->n_sources; i++) {
        const int64_t row = p->sources[i];
        if (rows->mates[row] < 0 && rows->duals[row] > 0) p->sources[kept++] = row;
    }
    p->n_sources = kept;
}

/* Every row on the path takes the column by which it went on. */
static void take_path(const phases *p, const pw_side *rows, const pw_side *cols, int64_t length) {
    for (int64_t i = 0; i < length; i++) {
        rows->mates[p->path[i].node] = p->path[i].end;
        cols->mates[p->path[i].end] = p->path[i].node;
    }
}

/* Depth first along tight cells that no path of this phase has tried. */
static int try_path(phases *p, const pw_side *rows, const pw_side *cols, int64_t start,
                    pw_effort *effort) {
    int64_t length = 1;
    p->path[0].node = start;
    while (length > 0) {
        step *top = p->path + length - 1;
        const int64_t row = top->node;
        const int64_t last = rows->indptr[row + 1];
        const int64_t dual = rows->duals[row];
        int64_t c = p->next[row];
        const int64_t first = c;
        int64_t end = -1;
        for (; c < last && end < 0; c++) {
            const int64_t col = rows->ends[c];
            if (dual + cols->duals[col] != rows->gains[c] || p->tried[col] == p->phase) continue;
            end = col;
        }
        p->next[row] = c;
        if (pw_spend(effort, c - first) != PW_OK) return PW_STOPPED;
        if (end < 0) {
            length--;
            continue;
        }
        p->tried[end] = p->phase;
        top->end = end;
        const int64_t mate = cols->mates[end];
        if (mate < 0 || rows->duals[mate] == 0) {
            if (mate >= 0) rows->mates[mate] = -1;
            take_path(p, rows, cols, length);
            return PW_OK;
        }
        p->path[length++].node = mate;
    }
    return PW_OK;
}

static int run(phases *p, pw_search *s, const pw_side *rows, const pw_side *cols,
               pw_effort *effort) {
    pw_way_out out;
    for (p->phase = 1;; p->phase++) {
        keep_open_sources(p, rows);
        if (p->n_sources == 0) return PW_OK;
        int status = pw_search_out(s, rows, cols, p->sources, p->n_sources, INT64_MAX, effort, &out);
        for (int64_t r = 0; r < rows->n; r++) p->next[r] = rows->indptr[r];
        for (int64_t i = 0; i < p->n_sources && status == PW_OK; i++) {
            if (rows->duals[p->sources[i]] == 0) continue;
            status = try_path(p, rows, cols, p->sources[i], effort);
        }
        if (status != PW_OK) return status;
    }
}

int pw_match_phases(pw_search *s, const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    phases p = {.n_sources = rows->n};
    p.sources = malloc((size_t)rows->n * sizeof *p.sources);
    p.next = malloc((size_t)rows->n * sizeof *p.next);
    p.path = malloc((size_t)rows->n * sizeof *p.path);
    p.tried = calloc((size_t)cols->n, sizeof *p.tried);
    int status = p.sources && p.next && p.path && p.tried ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        for (int64_t r = 0; r < rows->n; r++) p.sources[r] = r;
        status = run(&p, s, rows, cols, effort);
    }
    free(p.sources);
    free(p.next);
    free(p.path);
    free(p.tried);
    return status;
}
