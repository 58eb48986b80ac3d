/* Matching where many gains are equal: many augmenting paths at a time.
 *
 * J. E. Hopcroft and R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs"
 * (1973), on the tight cells:
 *   1. breadth first from all free near nodes to the first level with a way out;
 *   2. depth first, one level a step, a maximal set of disjoint paths;
 *   3. again, until no tight path is left; then one search from all free nodes together
 *      (pw_match_search.c) moves the duals and makes more cells tight.
 * The paper matches as many nodes as possible; here tight cells stand for edges, and a near node
 * whose dual is 0 is a way out as well. If too few rows find a way out for the cells scanned, the
 * phases give up: then gains are nearly, but not exactly, equal.
 */
#include <stdlib.h>

#include "pw_match_search.h"
#include "pw_tuning.h"

/* A near node on the path being tried, with the far node by which it goes on. */
typedef struct {
    int64_t node;
    int64_t end;
} step;

typedef struct {
    int64_t *sources;
    int64_t n_sources;
    int64_t *level; /* of each near node: its level in the running phase, see layers() */
    int64_t *next;  /* of each near node: its next cell to try */
    int64_t *tried; /* of each far node: the phase in which it was tried last */
    int64_t *queue; /* near nodes, level by level */
    step *path;
    int64_t base;    /* level of the sources; levels only grow, so that old ones need no clearing */
    int64_t last;    /* level from which a way out is one step, or -1 */
    int64_t look_at; /* see gets_on() */
    int64_t sources_then;
} phases;

static void keep_open_sources(phases *p, const pw_side *near) {
    int64_t kept = 0;
    for (int64_t i = 0; i < p->n_sources; i++) {
        const int64_t node = p->sources[i];
        if (near->mates[node] < 0 && near->duals[node] > 0) p->sources[kept++] = node;
    }
    p->n_sources = kept;
}

/* Numbers the near nodes by their steps along tight cells from the nearest source, up to the
 * first level with a way out: to a free far node, or to a near node that may stay unmatched. */
static int layers(phases *p, const pw_side *near, const pw_side *far, pw_effort *effort) {
    int64_t tail = 0;
    for (int64_t i = 0; i < p->n_sources; i++) {
        p->level[p->sources[i]] = p->base;
        p->next[p->sources[i]] = near->indptr[p->sources[i]];
        p->queue[tail++] = p->sources[i];
    }
    p->last = -1;
    for (int64_t at = 0; at < tail; at++) {
        const int64_t node = p->queue[at];
        const int64_t dual = near->duals[node];
        if (p->last >= 0 && p->level[node] > p->last) break;
        for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
            const int64_t end = near->ends[c];
            if (dual + far->duals[end] != near->gains[c]) continue;
            const int64_t mate = far->mates[end];
            if (mate < 0 || near->duals[mate] == 0) {
                p->last = p->level[node];
                break;
            }
            if (p->level[mate] >= p->base) continue;
            p->level[mate] = p->level[node] + 1;
            p->next[mate] = near->indptr[mate];
            p->queue[tail++] = mate;
        }
        if (pw_spend(effort, near->indptr[node + 1] - near->indptr[node]) != PW_OK) {
            return PW_STOPPED;
        }
    }
    return PW_OK;
}

/* Every near node on the path takes the far one by which it went on. */
static void take_path(const phases *p, const pw_side *near, const pw_side *far, int64_t length) {
    for (int64_t i = 0; i < length; i++) {
        near->mates[p->path[i].node] = p->path[i].end;
        far->mates[p->path[i].end] = p->path[i].node;
    }
}

/* Depth first, one level a step, along tight cells to far nodes that no path of this phase tried.
 */
static int try_path(phases *p, const pw_side *near, const pw_side *far, int64_t start,
                    pw_effort *effort) {
    int64_t length = 1;
    p->path[0].node = start;
    while (length > 0) {
        step *top = p->path + length - 1;
        const int64_t node = top->node;
        const int64_t last = near->indptr[node + 1];
        const int64_t dual = near->duals[node];
        const int64_t below = p->level[node] + 1;
        int64_t c = p->next[node];
        const int64_t first = c;
        int64_t mate = -1;
        int out = 0;
        for (; c < last; c++) {
            const int64_t end = near->ends[c];
            if (dual + far->duals[end] != near->gains[c] || p->tried[end] >= p->base) continue;
            mate = far->mates[end];
            out = mate < 0 || near->duals[mate] == 0;
            if (!out && (below > p->last || p->level[mate] != below)) continue;
            p->tried[end] = p->base;
            top->end = end;
            break;
        }
        p->next[node] = c + 1;
        if (pw_spend(effort, c - first) != PW_OK) return PW_STOPPED;
        if (c >= last) {
            length--;
        } else if (out) {
            if (mate >= 0) near->mates[mate] = -1;
            take_path(p, near, far, length);
            return PW_OK;
        } else {
            p->path[length++].node = mate;
        }
    }
    return PW_OK;
}

/* Whether a quarter of the sources was settled since the last look, `window` scans ago. Where
 * few are left the answer is yes, because to go on costs less than anything else. */
static int gets_on(phases *p, int64_t window, const pw_effort *effort) {
    if (effort->scanned < p->look_at) return 1;
    const int slow = p->sources_then > 0 && p->n_sources > PW_MATCH_FEW_SOURCES &&
                     p->n_sources > p->sources_then / 4 * 3;
    p->look_at = effort->scanned + window;
    p->sources_then = p->n_sources;
    return !slow;
}

static int run(phases *p, pw_search *s, const pw_side *near, const pw_side *far, int64_t window,
               pw_effort *effort) {
    pw_way_out out;
    for (p->base = 1;; p->base += near->n + 1) {
        keep_open_sources(p, near);
        if (p->n_sources == 0) return PW_OK;
        if (!gets_on(p, window, effort)) return PW_OVER_BUDGET;
        int status = layers(p, near, far, effort);
        if (status == PW_OK && p->last < 0) {
            status = pw_search_out(s, near, far, p->sources, p->n_sources, INT64_MAX, effort, &out);
            if (status != PW_OK) return status;
            continue;
        }
        for (int64_t i = 0; i < p->n_sources && status == PW_OK; i++) {
            status = try_path(p, near, far, p->sources[i], effort);
        }
        if (status != PW_OK) return status;
    }
}

int pw_match_phases(pw_search *s, const pw_side *near, const pw_side *far, int64_t window,
                    pw_effort *effort) {
    phases p = {.n_sources = near->n};
    p.sources = malloc((size_t)near->n * sizeof *p.sources);
    p.level = calloc((size_t)near->n, sizeof *p.level);
    p.next = malloc((size_t)near->n * sizeof *p.next);
    p.queue = malloc((size_t)near->n * sizeof *p.queue);
    p.path = malloc((size_t)near->n * sizeof *p.path);
    p.tried = calloc((size_t)far->n, sizeof *p.tried);
    int status =
        p.sources && p.level && p.next && p.queue && p.path && p.tried ? PW_OK : PW_NO_MEMORY;
    if (status == PW_OK) {
        for (int64_t r = 0; r < near->n; r++) p.sources[r] = r;
        status = run(&p, s, near, far, window, effort);
    }
    free(p.sources);
    free(p.level);
    free(p.next);
    free(p.queue);
    free(p.path);
    free(p.tried);
    return status;
}
