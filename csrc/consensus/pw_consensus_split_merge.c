/* The expected split-merge score of a search, kept while items move.
 *
 * With F the sum of x ln x, a cluster k of the candidate has in each draw the score
 * s_k = F(its cells) / F(its size), and a cluster l of the draw t_l in the same way (1 where
 * F is 0). The score of a draw is T / n, T the sum of c s t over the cells. A move changes s of one
 * cluster and t of one cluster, so with R_k the sum of c t over the cells of k, and Q_l the sum of
 * c s over those of l, an item that enters k from outside adds
 * (s' - s) R_k + (t' - t) Q_l + c (s' - s) (t' - t) + s' t', with c its cell before: O(1) for a
 * draw and a candidate. A move updates R along a row and Q along a column.
 *
 * Scores are whole numbers of fractions of 2^30 and their sums are exact, so that what is kept
 * does not depend on the moves that led there.
 */
#include "pw_consensus_state.h"

#include <stddef.h>

static int64_t ratio(uint64_t part, uint64_t all) {
    if (all == 0) return PW_ONE;
    return (int64_t)((double)part / (double)all * (double)PW_ONE + 0.5);
}

static pw_consensus_part *part_of(const pw_consensus_state *s, int64_t k, int64_t d) {
    return s->parts + k * s->of->n_draws + d;
}

static uint64_t row_total(const pw_consensus_state *s, int64_t row) {
    return s->function[s->row_sizes[row]];
}

void pw_consensus_clear_parts(pw_consensus_state *s, int64_t first, int64_t stop) {
    const pw_consensus_part none = {0, 0, PW_ONE};
    for (int64_t k = first; k < stop; k++) {
        s->head[k] = -1;
        for (int64_t d = 0; d < s->of->n_draws; d++) *part_of(s, k, d) = none;
    }
}

static void link_item(pw_consensus_state *s, int64_t i, int64_t k) {
    s->previous[i] = -1;
    s->next[i] = s->head[k];
    if (s->head[k] >= 0) s->previous[s->head[k]] = i;
    s->head[k] = i;
}

static void unlink_item(pw_consensus_state *s, int64_t i, int64_t k) {
    if (s->previous[i] >= 0) {
        s->next[s->previous[i]] = s->next[i];
    } else {
        s->head[k] = s->next[i];
    }
    if (s->next[i] >= 0) s->previous[s->next[i]] = s->previous[i];
}

/* ---- cells of a cluster of a draw ------------------------------------------------------ */

typedef struct {
    const uint32_t *counts;         /* dense */
    const pw_consensus_entry *list; /* sparse */
    int64_t at, stop;
} cells;

static cells dense_cells(const pw_consensus_state *s, int64_t row) {
    const cells all = {s->counts + row * s->capacity, NULL, 0, s->used};
    return all;
}

static cells listed_cells(const pw_consensus_entry *list) {
    const cells all = {NULL, list, 1, (int64_t)list[0].count + 1};
    return all;
}

static cells cells_of_item(const pw_consensus_state *s, int64_t i, int64_t d) {
    if (pw_consensus_is_dense(s)) return dense_cells(s, pw_consensus_row(s, i, d));
    return listed_cells(pw_consensus_list(s, i, d));
}

/* The next cell that is not empty: its cluster of the candidate, and its count; 0 at the end. */
static int next_cell(cells *all, int64_t *k, int64_t *count) {
    for (; all->at < all->stop; all->at++) {
        *k = all->list == NULL ? all->at : (int64_t)all->list[all->at].cluster;
        *count = all->list == NULL ? all->counts[all->at] : all->list[all->at].count;
        if (*count == 0) continue;
        all->at++;
        return 1;
    }
    return 0;
}

/* Call one function for the cells of all clusters of the draws; PW_OK or PW_STOPPED. */
static int for_rows(pw_consensus_state *s,
                    void (*with)(pw_consensus_state *s, int64_t d, int64_t row, cells all)) {
    const pw_ensemble *of = s->of;
    for (int64_t d = 0; d < of->n_draws; d++) {
        int64_t first = d * of->n + of->starts[d]; /* lists stand in the order of the rows */
        for (int64_t row = of->starts[d]; row < of->starts[d + 1]; row++) {
            const int64_t number = row - of->starts[d];
            if (number % PW_CONSENSUS_STEPS == 0 && pw_stop(s->poll)) return PW_STOPPED;
            with(s, d, row,
                 pw_consensus_is_dense(s) ? dense_cells(s, row) : listed_cells(s->entries + first));
            first += (int64_t)s->row_sizes[row] + 1;
        }
    }
    return PW_OK;
}

/* ---- sums for the clusters of all items -------------------------------------------------- */

static void sum_function(pw_consensus_state *s, int64_t d, int64_t row, cells all) {
    uint64_t sum = 0;
    int64_t k, count;
    while (next_cell(&all, &k, &count)) {
        part_of(s, k, d)->cells += s->function[count];
        sum += s->function[count];
    }
    s->row_parts[row].cells = sum;
    s->row_parts[row].score = ratio(sum, row_total(s, row));
}

static void sum_scores(pw_consensus_state *s, int64_t d, int64_t row, cells all) {
    int64_t sum = 0, k, count;
    while (next_cell(&all, &k, &count)) {
        part_of(s, k, d)->scores += count * s->row_parts[row].score;
        sum += count * part_of(s, k, d)->score;
    }
    s->row_parts[row].scores = sum;
}

int pw_consensus_score(pw_consensus_state *s) {
    pw_consensus_clear_parts(s, 0, s->capacity);
    for (int64_t i = 0; i < s->of->n; i++) link_item(s, i, s->labels[i]);
    if (for_rows(s, sum_function) != PW_OK) return PW_STOPPED;
    for (int64_t k = 0; k < s->used; k++) {
        for (int64_t d = 0; d < s->of->n_draws; d++) {
            pw_consensus_part *part = part_of(s, k, d);
            part->score = ratio(part->cells, s->function[s->sizes[k]]);
        }
    }
    return for_rows(s, sum_scores);
}

/* ---- one item moves -------------------------------------------------------------------- */

/* Bring the scores of cluster k, and of the clusters that item i is in, up to date. */
static void rescore(pw_consensus_state *s, int64_t i, int64_t k) {
    const pw_ensemble *of = s->of;
    for (int64_t d = 0; d < of->n_draws; d++) {
        pw_consensus_part *part = part_of(s, k, d), *row = s->row_parts + pw_consensus_row(s, i, d);
        const int64_t grown =
            ratio(row->cells, row_total(s, pw_consensus_row(s, i, d))) - row->score;
        const int64_t dearer = ratio(part->cells, s->function[s->sizes[k]]) - part->score;
        cells all = cells_of_item(s, i, d);
        int64_t other, count;
        while (grown != 0 && next_cell(&all, &other, &count))
            part_of(s, other, d)->scores += count * grown;
        row->score += grown;
        part->score += dearer;
        if (dearer == 0) continue;
        if (pw_consensus_is_dense(s)) {
            for (int64_t r = of->starts[d]; r < of->starts[d + 1]; r++)
                s->row_parts[r].scores += (int64_t)s->counts[r * s->capacity + k] * dearer;
        } else {
            for (int64_t j = s->head[k]; j >= 0; j = s->next[j])
                s->row_parts[pw_consensus_row(s, j, d)].scores += dearer;
        }
    }
}

void pw_consensus_move_scored(pw_consensus_state *s, int64_t i, int64_t to) {
    const pw_ensemble *of = s->of;
    const int64_t from = s->labels[i];
    for (int64_t d = 0; d < of->n_draws; d++) {
        pw_consensus_part *part = part_of(s, from, d);
        pw_consensus_part *row = s->row_parts + pw_consensus_row(s, i, d);
        const uint64_t gained = of->gain[pw_consensus_shared(s, i, d, from) - 1];
        part->cells -= gained;
        row->cells -= gained;
        part->scores -= row->score;
        row->scores -= part->score;
    }
    pw_consensus_leave(s, i);
    unlink_item(s, i, from);
    rescore(s, i, from);
    for (int64_t d = 0; d < of->n_draws; d++) {
        pw_consensus_part *part = part_of(s, to, d);
        pw_consensus_part *row = s->row_parts + pw_consensus_row(s, i, d);
        const uint64_t gained = of->gain[pw_consensus_shared(s, i, d, to)];
        part->cells += gained;
        row->cells += gained;
        part->scores += row->score;
        row->scores += part->score;
    }
    pw_consensus_enter(s, i, to);
    link_item(s, i, to);
    rescore(s, i, to);
}

/* ---- what a candidate costs ---------------------------------------------------------------- */

/* What draw d adds for each candidate. First the sums without item i: `gone` steps of F less, its
 * row's score t, and the sum Q of its row; then the formula at the head of this file. */
static void add_losses(pw_consensus_state *s, int64_t i, int64_t d, int64_t own, int64_t met) {
    const pw_ensemble *of = s->of;
    const int64_t number = pw_consensus_row(s, i, d);
    const pw_consensus_part *row = s->row_parts + number, *mine = part_of(s, own, d);
    const uint64_t all = row_total(s, number);
    const double weight = of->weights[d];
    const int64_t before = pw_consensus_shared(s, i, d, own) - 1;
    const uint64_t gone = of->gain[before];
    const uint64_t row_cells = row->cells - gone;
    const int64_t t = ratio(row_cells, all);
    const int64_t own_score = ratio(mine->cells - gone, s->function[s->sizes[own] - 1]);
    const int64_t q = row->scores - mine->score + before * (own_score - mine->score);
    for (int64_t m = 0; m < met; m++) {
        const int64_t k = s->candidates[m];
        const pw_consensus_part *part = part_of(s, k, d);
        const int64_t count = (int64_t)s->met_counts[m] - (k == own);
        const int64_t size = s->sizes[k] - (k == own);
        const uint64_t gained = of->gain[count];
        const uint64_t cells_of_k = part->cells - (k == own ? gone : 0);
        const int64_t score = k == own ? own_score : part->score;
        const int64_t r = part->scores - (k == own ? row->score : 0) + count * (t - row->score);
        const int64_t new_score = ratio(cells_of_k + gained, s->function[size + 1]);
        const int64_t new_t = ratio(row_cells + gained, all);
        const double ds = (double)(new_score - score), dt = (double)(new_t - t);
        s->losses[m] -= weight * (((ds * (double)r + dt * (double)q) + ((double)count * ds) * dt) +
                                  (double)new_score * (double)new_t);
    }
    s->losses[met] -= weight * ((double)PW_ONE * (double)t);
}

void pw_consensus_scored_losses(pw_consensus_state *s, int64_t i, int64_t own, int64_t met) {
    const pw_ensemble *of = s->of;
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = m;
    for (int64_t m = 0; m <= met; m++) s->losses[m] = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        cells all = cells_of_item(s, i, d);
        int64_t k, count;
        for (int64_t m = 0; m < met; m++) s->met_counts[m] = 0;
        while (next_cell(&all, &k, &count)) {
            if (s->slot[k] >= 0) s->met_counts[s->slot[k]] = (uint32_t)count;
        }
        add_losses(s, i, d, own, met);
    }
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = -1;
}

double pw_consensus_scores(const pw_consensus_state *s) {
    double scores = 0;
    for (int64_t d = 0; d < s->of->n_draws; d++) {
        double sum = 0;
        for (int64_t k = 0; k < s->used; k++) {
            const pw_consensus_part *part = part_of(s, k, d);
            sum += (double)part->score * (double)part->scores;
        }
        scores += (double)s->of->weights[d] * sum;
    }
    return scores;
}
