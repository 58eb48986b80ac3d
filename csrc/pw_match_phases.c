#include <stdlib.h>

#include "pw_match_impl.h"

/* A row on the path being tried, with the column by which it goes on. */
typedef struct {
    int64_t row;
    int64_t col;
} step;

typedef struct {
    int64_t *sources;
    int64_t n_sources;
    int64_t *level; /* of each row: its place in the running phase, see layers() */
    int64_t *next;  /* of each row: its next cell to try */
    int64_t *tried; /* of each column: the phase in which it was tried last */
    int64_t *queue; /* rows, level by level */
    step *path;
    int64_t base; /* level of the sources; levels only grow, so that old ones need no clearing */
    int64_t last; /* level from which a way out is one step, or -1 */
} phases;

static void keep_open_sources(phases *p, const pw_side *rows) {
    int64_t kept = 0;
    for (int64_t i = 0; i < p->n_sources; i++) {
        const int64_t row = p->sources[i];
        if (rows->mates[row] < 0 && rows->duals[row] > 0) p->sources[kept++] = row;
    }
    p->n_sources = kept;
}

/* Number the rows by their steps along tight cells from the nearest source, up to the first
 * level with a way out: to a free column, or to a row that may stay unmatched. */
static int layers(phases *p, const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    int64_t end = 0;
    for (int64_t i = 0; i < p->n_sources; i++) {
        p->level[p->sources[i]] = p->base;
        p->next[p->sources[i]] = rows->indptr[p->sources[i]];
        p->queue[end++] = p->sources[i];
    }
    p->last = -1;
    for (int64_t at = 0; at < end; at++) {
        const int64_t row = p->queue[at];
        const int64_t dual = rows->duals[row];
        if (p->last >= 0 && p->level[row] > p->last) break;
        for (int64_t c = rows->indptr[row]; c < rows->indptr[row + 1]; c++) {
            const int64_t col = rows->ends[c];
            if (dual + cols->duals[col] != rows->gains[c]) continue;
            const int64_t mate = cols->mates[col];
            if (mate < 0 || rows->duals[mate] == 0) {
                p->last = p->level[row];
                break;
            }
            if (p->level[mate] >= p->base) continue;
            p->level[mate] = p->level[row] + 1;
            p->next[mate] = rows->indptr[mate];
            p->queue[end++] = mate;
        }
        if (pw_spend(effort, rows->indptr[row + 1] - rows->indptr[row]) != PW_OK) {
            return PW_STOPPED;
        }
    }
    return PW_OK;
}

/* Every row on the path takes the column by which it went on. */
static void take_path(const phases *p, const pw_side *rows, const pw_side *cols, int64_t length) {
    for (int64_t i = 0; i < length; i++) {
        rows->mates[p->path[i].row] = p->path[i].col;
        cols->mates[p->path[i].col] = p->path[i].row;
    }
}

/* Depth first, one level a step, along tight cells to columns that no path of this phase tried. */
static int try_path(phases *p, const pw_side *rows, const pw_side *cols, int64_t start,
                    pw_effort *effort) {
    int64_t length = 1;
    p->path[0].row = start;
    while (length > 0) {
        step *top = p->path + length - 1;
        const int64_t row = top->row;
        const int64_t last = rows->indptr[row + 1];
        const int64_t dual = rows->duals[row];
        const int64_t below = p->level[row] + 1;
        int64_t c = p->next[row];
        const int64_t first = c;
        int64_t mate = -1;
        int out = 0;
        for (; c < last; c++) {
            const int64_t col = rows->ends[c];
            if (dual + cols->duals[col] != rows->gains[c] || p->tried[col] >= p->base) continue;
            mate = cols->mates[col];
            out = mate < 0 || rows->duals[mate] == 0;
            if (!out && (below > p->last || p->level[mate] != below)) continue;
            p->tried[col] = p->base;
            top->col = col;
            break;
        }
        p->next[row] = c + 1;
        if (pw_spend(effort, c - first) != PW_OK) return PW_STOPPED;
        if (c >= last) {
            length--;
        } else if (out) {
            if (mate >= 0) rows->mates[mate] = -1;
            take_path(p, rows, cols, length);
            return PW_OK;
        } else {
            p->path[length++].row = mate;
        }
    }
    return PW_OK;
}

static int run(phases *p, pw_search *s, const pw_side *rows, const pw_side *cols,
               pw_effort *effort) {
    pw_way_out out;
    for (p->base = 1;; p->base += rows->n + 1) {
        keep_open_sources(p, rows);
        if (p->n_sources == 0) return PW_OK;
        int status = layers(p, rows, cols, effort);
        if (status == PW_OK && p->last < 0) {
            status =
                pw_search_out(s, rows, cols, p->sources, p->n_sources, INT64_MAX, effort, &out);
            if (status != PW_OK) return status;
            continue;
        }
        for (int64_t i = 0; i < p->n_sources && status == PW_OK; i++) {
            status = try_path(p, rows, cols, p->sources[i], effort);
        }
        if (status != PW_OK) return status;
    }
}

int pw_match_phases(pw_search *s, const pw_side *rows, const pw_side *cols, pw_effort *effort) {
    phases p = {.n_sources = rows->n};
    p.sources = malloc((size_t)rows->n * sizeof *p.sources);
    p.level = calloc((size_t)rows->n, sizeof *p.level);
    p.next = malloc((size_t)rows->n * sizeof *p.next);
    p.queue = malloc((size_t)rows->n * sizeof *p.queue);
    p.path = malloc((size_t)rows->n * sizeof *p.path);
    p.tried = calloc((size_t)cols->n, sizeof *p.tried);
    int status =
        p.sources && p.level && p.next && p.queue && p.path && p.tried ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        for (int64_t r = 0; r < rows->n; r++) p.sources[r] = r;
        status = run(&p, s, rows, cols, effort);
    }
    free(p.sources);
    free(p.level);
    free(p.next);
    free(p.queue);
    free(p.path);
    free(p.tried);
    return status;
}
