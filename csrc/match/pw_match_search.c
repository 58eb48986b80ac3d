/* Shortest augmenting paths: E. W. Dijkstra, "A note on two problems in connexion with graphs"
 * (1959), on reduced costs dual + dual - gain, which are never negative.
 *
 * A path may end at a free far node, or at a near node whose dual falls to 0 and which may then
 * stay unmatched. After a search the duals of the settled nodes move, so that the path is tight.
 * The heap holds far nodes by distance; those at the distance being settled stand on a stack of
 * their own, so that among equal gains the search goes deep and meets a way out early.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_match_search.h"

/* ---- the search ---------------------------------------------------------------------------- */

int pw_search_open(pw_search *s, int64_t n_most, int64_t n_cells) {
    memset(s, 0, sizeof *s);
    s->reached = calloc((size_t)n_most, sizeof *s->reached);
    s->settled = malloc((size_t)n_most * sizeof *s->settled);
    s->level = malloc((size_t)n_most * sizeof *s->level);
    s->heap = malloc((size_t)n_cells * sizeof *s->heap);
    return s->reached && s->settled && s->level && s->heap ? PW_OK : PW_NO_MEMORY;
}

void pw_search_close(pw_search *s) {
    free(s->reached);
    free(s->settled);
    free(s->level);
    free(s->heap);
}

/* Updates the distances of the far nodes of a near one, which is at `base`; a free one is a way
 * out. */
static inline void relax(pw_search *s, const pw_side *near, const pw_side *far, int64_t node,
                         int64_t base, pw_way_out *out) {
    const int64_t mate = near->mates[node];
    const int64_t lifted = base + near->duals[node];
    for (int64_t c = near->indptr[node]; c < near->indptr[node + 1]; c++) {
        const int64_t end = near->ends[c];
        const int64_t there = lifted + far->duals[end] - near->gains[c];
        if (there >= out->limit || end == mate) continue;
        pw_reached *reached = s->reached + end;
        if (reached->stamp == -s->search) continue;
        if (reached->stamp == s->search && there >= reached->distance) continue;
        reached->from = node;
        if (far->mates[end] < 0) {
            *out = (pw_way_out){.limit = there, .end = end, .leave = -1};
            continue;
        }
        reached->stamp = s->search;
        reached->distance = there;
        if (there == base) {
            s->level[s->level_size++] = end;
        } else {
            pw_heap_push(s->heap, &s->heap_size, (pw_heap_entry){there, end});
        }
    }
}

/* The next far node to settle below the limit, -1 for none. Among nodes at one distance the last
 * comes first: with many equal gains a way out is met without settling the whole level. */
static inline int64_t next_to_settle(pw_search *s, int64_t limit) {
    while (s->level_size > 0) {
        const int64_t node = s->level[--s->level_size];
        const pw_reached *reached = s->reached + node;
        if (reached->stamp != -s->search && reached->distance < limit) return node;
    }
    while (s->heap_size > 0) {
        const pw_heap_entry top = pw_heap_pop(s->heap, &s->heap_size);
        if (top.distance >= limit) return -1;
        const pw_reached *reached = s->reached + top.node;
        if (reached->stamp != -s->search && top.distance <= reached->distance) return top.node;
    }
    return -1;
}

int pw_search_out(pw_search *s, const pw_side *near, const pw_side *far, const int64_t *starts,
                  int64_t n_starts, int64_t most, pw_effort *effort, pw_way_out *out) {
    s->search++;
    s->heap_size = s->level_size = s->n_settled = 0;
    *out = (pw_way_out){.limit = near->duals[starts[0]], .end = -1, .leave = -1};
    for (int64_t i = 1; i < n_starts; i++) {
        if (near->duals[starts[i]] < out->limit) out->limit = near->duals[starts[i]];
    }
    for (int64_t i = 0; i < n_starts && out->limit > 0; i++) {
        relax(s, near, far, starts[i], 0, out);
        const int64_t cells = near->indptr[starts[i] + 1] - near->indptr[starts[i]];
        if (pw_spend(effort, cells) != PW_OK) return PW_STOPPED;
    }
    for (;;) {
        const int64_t end = next_to_settle(s, out->limit);
        if (end < 0) break;
        const int64_t here = s->reached[end].distance;
        s->reached[end].stamp = -s->search;
        s->settled[s->n_settled++] = end;
        const int64_t node = far->mates[end];
        if (here + near->duals[node] < out->limit) {
            *out = (pw_way_out){here + near->duals[node], .end = -1, .leave = end};
        }
        relax(s, near, far, node, here, out);
        if (pw_spend(effort, near->indptr[node + 1] - near->indptr[node]) != PW_OK) {
            return PW_STOPPED;
        }
        if (effort->scanned > most) return PW_OVER_BUDGET;
    }
    for (int64_t i = 0; i < n_starts; i++) near->duals[starts[i]] -= out->limit;
    for (int64_t i = 0; i < s->n_settled; i++) {
        const int64_t end = s->settled[i];
        const int64_t shift = out->limit - s->reached[end].distance;
        if (shift <= 0) continue;
        far->duals[end] += shift;
        near->duals[far->mates[end]] -= shift;
    }
    return PW_OK;
}

int pw_search_from(pw_search *s, const pw_side *near, const pw_side *far, int64_t start,
                   int64_t most, pw_effort *effort) {
    pw_way_out out;
    const int status = pw_search_out(s, near, far, &start, 1, most, effort, &out);
    if (status != PW_OK) return status;
    int64_t end = out.end;
    if (out.leave >= 0) {
        end = out.leave;
        near->mates[far->mates[end]] = -1;
    }
    while (end >= 0) { /* every near node on the way takes the far one it reached */
        const int64_t node = s->reached[end].from;
        const int64_t given_up = near->mates[node];
        near->mates[node] = end;
        far->mates[end] = node;
        end = given_up;
    }
    return PW_OK;
}
