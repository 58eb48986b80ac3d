/* What an item costs in each cluster; see the header.
 *
 * An item is weighed where it stands: its own cluster is looked at as if the item had left, so
 * that an item that stays, as most do, changes nothing.
 */
#include "pw_consensus_state.h"

#include <string.h>

/* The cost of joining, in fractions of 2^16, where splitting costs the same. */
#define EQUAL_COSTS (1 << 16)

/* Loss of one draw, by sums of F over the clusters of both (u, v), and over their cells (c). */
static double loss_of(int loss, double u, double v, double c, double most) {
    const double smaller = u < v ? u : v;
    double above, below, chance;
    switch (loss) {
    case PW_LOSS_RAND:
        chance = v * u / most;
        above = c - chance;
        below = (v + u) / 2 - chance;
        return below == 0 ? 0 : 1 - above / below;
    case PW_LOSS_NORMALIZED:
        above = u + v - 2 * c;
        below = most - c;
        return below == 0 ? 0 : above / below;
    case PW_LOSS_DISTANCE:
        return u + v - c - smaller;
    default:
        above = most + c - u - v;
        below = most - smaller;
        return below == 0 ? 0 : 1 - above / below;
    }
}

static void add_rows(const pw_consensus_state *s, int64_t i) {
    const pw_ensemble *of = s->of;
    const uint32_t *table = s->needs_gains ? s->gains : s->counts;
    const uint32_t *codes = of->codes + i * of->n_draws;
    const int64_t used = s->used;
    if (!s->narrow) {
        uint64_t *restrict sums = s->sums;
        for (int64_t d = 0; d < of->n_draws; d++) {
            const uint32_t *restrict row = table + (of->starts[d] + codes[d]) * s->capacity;
            const uint64_t weight = of->weights[d];
            for (int64_t k = 0; k < used; k++) sums[k] += weight * row[k];
        }
        return;
    }
    uint32_t *restrict partial = s->partial;
    for (int64_t d = 0; d < of->n_draws;) {
        const int64_t stop = pw_min64(of->n_draws, d + PW_CONSENSUS_ROWS);
        memset(partial, 0, (size_t)used * sizeof(uint32_t));
        for (; d < stop; d++) {
            const uint32_t *restrict row = table + (of->starts[d] + codes[d]) * s->capacity;
            for (int64_t k = 0; k < used; k++) partial[k] += row[k];
        }
        for (int64_t k = 0; k < used; k++) s->sums[k] += partial[k];
    }
}

/* The weighted gains that item i loses in its own cluster because it is there itself. */
static uint64_t own_part(const pw_consensus_state *s, int64_t i, int64_t own) {
    const pw_ensemble *of = s->of;
    uint64_t more = 0;
    if (!s->needs_gains) return s->weight; /* a count less in each draw */
    for (int64_t d = 0; d < of->n_draws; d++) {
        const int64_t cell = pw_consensus_row(s, i, d) * s->capacity + own;
        /* in 64 bits: the gain of a cell that holds all items is 0, which the sums have too, and
         * what is below 0 here comes round again where it is taken from them */
        more += of->weights[d] * ((uint64_t)s->gains[cell] - of->gain[s->counts[cell] - 1]);
    }
    return more;
}

/* The clusters that share a row with item i, and the weighted sums of their gains. Dense: all
 * clusters up to `used`, in order; sparse: those met, in the order in which they are met. */
static int64_t sum_gains_dense(pw_consensus_state *s, int64_t i, int64_t own) {
    const int64_t used = s->used;
    memset(s->sums, 0, (size_t)used * sizeof(uint64_t));
    add_rows(s, i);
    if (own >= 0) {
        /* gains of the other items: 0 only where the item meets none of them (alone, or in the
         * own cluster with items that are elsewhere in every draw) */
        s->sums[own] = s->sizes[own] == 1 ? 0 : s->sums[own] - own_part(s, i, own);
    }
    int64_t met = 0;
    for (int64_t k = 0; k < used; k++) {
        if (s->sums[k] == 0) continue;
        s->sums[met] = s->sums[k];
        s->candidates[met++] = k;
    }
    return met;
}

static int64_t sum_gains_sparse(pw_consensus_state *s, int64_t i, int64_t own) {
    const pw_ensemble *of = s->of;
    int64_t met = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const pw_consensus_entry *list = pw_consensus_list(s, i, d);
        const uint64_t weight = of->weights[d];
        for (uint32_t at = 1; at <= list[0].count; at++) {
            const int64_t k = list[at].cluster;
            const uint32_t count = list[at].count - (k == own);
            if (count == 0) continue;
            int64_t m = s->slot[k];
            if (m < 0) {
                m = s->slot[k] = met;
                s->candidates[met] = k;
                s->sums[met++] = 0;
            }
            s->sums[m] += weight * of->gain[count];
        }
    }
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = -1;
    return met;
}

/* Counts of draw d by the candidates, with what the item has in its own cluster. */
static const uint32_t *counts_of(pw_consensus_state *s, int64_t i, int64_t d, int64_t met) {
    const pw_consensus_entry *list = pw_consensus_list(s, i, d);
    for (int64_t m = 0; m < met; m++) s->met_counts[m] = 0;
    for (uint32_t at = 1; at <= list[0].count; at++) {
        const int64_t m = s->slot[list[at].cluster];
        if (m >= 0) s->met_counts[m] = list[at].count;
    }
    return s->met_counts;
}

/* Losses of the first `met` candidates and of a new cluster, which is the last. */
static void sum_losses(pw_consensus_state *s, int64_t i, int64_t own, int64_t met) {
    const pw_ensemble *of = s->of;
    const int dense = pw_consensus_is_dense(s);
    const uint64_t total = s->total - of->gain[s->sizes[own] - 1];
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = m;
    for (int64_t m = 0; m <= met; m++) s->losses[m] = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const uint32_t *counts =
            dense ? s->counts + pw_consensus_row(s, i, d) * s->capacity : counts_of(s, i, d, met);
        const double weight = of->weights[d], sum = of->sums[d];
        const uint64_t cells = s->cells[d] - of->gain[pw_consensus_shared(s, i, d, own) - 1];
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const uint32_t count = (dense ? counts[k] : counts[m]) - (k == own);
            const double v = (double)(total + of->gain[s->sizes[k] - (k == own)]);
            const double c = (double)(cells + of->gain[count]);
            s->losses[m] += weight * loss_of(of->loss, sum, v, c, of->most);
        }
        s->losses[met] += weight * loss_of(of->loss, sum, (double)(total + of->gain[0]),
                                           (double)(cells + of->gain[0]), of->most);
    }
    for (int64_t m = 0; m < met; m++) s->slot[s->candidates[m]] = -1;
}

/* The cluster with the most items, the first of them: where an item goes that meets none, when no
 * new one may be made, costs more or less the same everywhere; this keeps the result stated. */
static int64_t largest_cluster(const pw_consensus_state *s, int64_t own) {
    int64_t best = 0, most = -1;
    for (int64_t k = 0; k < s->used; k++) {
        const int64_t size = s->sizes[k] - (k == own);
        if (size <= most) continue;
        best = k;
        most = size;
    }
    return best;
}

/* Whether a candidate that costs as much as the one chosen so far is preferred to it: the cluster
 * that the item comes from, else the first cluster, and a new one only where it had one alone. */
static int preferred(int64_t k, int64_t chosen, int64_t old) {
    if (chosen == old) return 0;
    return k == old || chosen == PW_NEW_CLUSTER || k < chosen;
}

int64_t pw_consensus_best(pw_consensus_state *s, int64_t i, int64_t own, int64_t max_clusters) {
    const pw_ensemble *of = s->of;
    const int alone = own >= 0 && s->sizes[own] == 1;
    const int64_t old = alone ? PW_NEW_CLUSTER : own, others = s->clusters - alone;
    const int64_t met =
        pw_consensus_is_dense(s) ? sum_gains_dense(s, i, own) : sum_gains_sparse(s, i, own);
    s->met = met;
    int64_t chosen = others < max_clusters || others == 0 ? PW_NEW_CLUSTER : PW_NOWHERE;
    if (of->loss == PW_LOSS_LINEAR || own == PW_NOWHERE) {
        /* join gain(size) - 2 (sum of gains), over 2^16 and the draws; gain[0] is 0 */
        const int64_t one = of->loss == PW_LOSS_LINEAR ? of->join : EQUAL_COSTS;
        const pw_i128 join = (pw_i128)one * (int64_t)s->weight;
        pw_i128 least = 0;
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const pw_i128 cost =
                join * of->gain[s->sizes[k] - (k == own)] - ((pw_i128)s->sums[m] * (1 << 17));
            if (chosen == PW_NOWHERE || cost < least ||
                (cost == least && preferred(k, chosen, old))) {
                chosen = k;
                least = cost;
            }
        }
    } else {
        if (of->loss == PW_LOSS_SPLIT_MERGE) {
            pw_consensus_scored_losses(s, i, own, met);
        } else {
            sum_losses(s, i, own, met);
        }
        double least = s->losses[met];
        for (int64_t m = 0; m < met; m++) {
            const int64_t k = s->candidates[m];
            const double cost = s->losses[m];
            if (chosen == PW_NOWHERE || cost < least ||
                (cost == least && preferred(k, chosen, old))) {
                chosen = k;
                least = cost;
            }
        }
    }
    return chosen == PW_NOWHERE ? largest_cluster(s, own) : chosen;
}

int pw_consensus_costs_less(const pw_consensus_state *s, uint64_t total, const uint64_t *cells) {
    const pw_ensemble *of = s->of;
    if (of->loss == PW_LOSS_LINEAR) {
        pw_i128 more = 0;
        for (int64_t d = 0; d < of->n_draws; d++)
            more += ((pw_i128)(int64_t)s->cells[d] - (int64_t)cells[d]) * of->weights[d];
        const pw_i128 larger = (pw_i128)(int64_t)s->total - (int64_t)total;
        return larger * of->join * (int64_t)s->weight < more * (1 << 17);
    }
    double before = 0, now = 0;
    for (int64_t d = 0; d < of->n_draws; d++) {
        const double weight = (double)of->weights[d];
        before +=
            weight * loss_of(of->loss, of->sums[d], (double)total, (double)cells[d], of->most);
        now += weight *
               loss_of(of->loss, of->sums[d], (double)s->total, (double)s->cells[d], of->most);
    }
    return now < before;
}
