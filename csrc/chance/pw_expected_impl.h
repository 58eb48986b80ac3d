/* Included once for every register width: PACK doubles a register, PACKS registers side by side,
 * EACH the list of its lanes (their long chains of operations overlap), SUFFIX and TARGET of the
 * functions. Every lane does the same operations in the same order whatever lanes are beside it;
 * one that has all it needs goes on with weight 0. */

#define JOIN2(name, suffix) name##suffix
#define JOIN(name, suffix) JOIN2(name, suffix)
#define pack JOIN(pack_of_, SUFFIX)
#define mask JOIN(mask_of_, SUFFIX)

#define HIGH(l) high[from[l]]
#define LOW(l) low[from[l]]

typedef double pack __attribute__((vector_size(PACK * 8)));
typedef int64_t mask __attribute__((vector_size(PACK * 8)));
#define kept JOIN(kept_, SUFFIX)

/* Values that do not change from step to step. */
typedef struct {
    pack a, b, c, mode, slope, high, low;
} kept;

TARGET static void JOIN(keep_, SUFFIX)(kept *to, const lanes *x, const tables *at) {
    for (int i = 0; i < LANES; i++) {
        kept *k = to + i / PACK;
        const int l = i % PACK;
        k->a[l] = x->a[i];
        k->b[l] = x->b[i];
        k->c[l] = x->c[i];
        k->mode[l] = (double)x->mode[i];
        k->slope[l] = at->slope[x->mode[i]];
        k->high[l] = at->high[BELOW + x->mode[i]];
        k->low[l] = at->low[BELOW + x->mode[i]];
    }
}

/* From the mode up: total = sum of weights, that of the mode being 1, mean = sum of weight * psi.
 * Ratios of successive terms fall, so what is left out is a geometric series at most. Returns how
 * many steps some lane took at most. */
TARGET static int64_t JOIN(sum_up_, SUFFIX)(lanes *x, const tables *at) {
    pack weight[PACKS], total[PACKS], mean[PACKS], before[PACKS];
    mask open[PACKS];
    kept same[PACKS];
    JOIN(keep_, SUFFIX)(same, x, at);
    for (int g = 0; g < PACKS; g++) {
        weight[g] = total[g] = (pack){0} + 1.0;
        mean[g] = (pack){0};
        before[g] = (pack){0} - 1.0; /* never done at the first step */
        open[g] = (mask){0} - 1;
    }
    int64_t some = 1;
    int64_t step = 1;
    for (; some != 0 && step < TABLE; step++) {
        const double s = (double)step;
        const double *const high = at->high + BELOW + step, *const low = at->low + BELOW + step;
        mask any = {0};
        for (int g = 0; g < PACKS; g++) {
            const kept k = same[g];
            const int64_t *from = x->mode + g * PACK;
            const pack rise = (pack){EACH(HIGH)} - k.high;
            const pack psi = (rise - s * k.slope) + ((pack){EACH(LOW)} - k.low);
            const pack above = (k.a - (s - 1.0)) * (k.b - (s - 1.0));
            weight[g] = weight[g] * (above / ((k.mode + s) * (k.c + s)));
            const pack term = weight[g] * psi;
            total[g] += (pack)(open[g] & (mask)weight[g]);
            mean[g] += (pack)(open[g] & (mask)term);
            const pack fall = before[g] - term;
            const mask done = (fall >= 0.0) & (term * term <= MEAN_CUT * fall * mean[g]);
            open[g] &= ~done;
            before[g] = term;
            any |= open[g];
        }
        if (step % 2 == 0) continue; /* the test costs as much as a step */
        some = 0;
        for (int l = 0; l < PACK; l++) some |= any[l];
    }
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
    return step;
}

/* The same from the mode down, added to what is there; psi is at most the mode. */
TARGET static void JOIN(sum_down_, SUFFIX)(lanes *x, const tables *at) {
    pack weight[PACKS], total[PACKS], mean[PACKS];
    mask open[PACKS];
    kept same[PACKS];
    JOIN(keep_, SUFFIX)(same, x, at);
    int64_t some = 0;
    for (int i = 0; i < LANES; i++) {
        weight[i / PACK][i % PACK] = 1.0;
        total[i / PACK][i % PACK] = x->total[i];
        mean[i / PACK][i % PACK] = x->mean[i];
        open[i / PACK][i % PACK] = x->mode[i] > 0 ? -1 : 0;
        some |= x->mode[i];
    }
    for (int64_t step = 1; some != 0; step++) {
        const double s = (double)step;
        const double *const high = at->high + BELOW - step, *const low = at->low + BELOW - step;
        mask any = {0};
        for (int g = 0; g < PACKS; g++) {
            const kept k = same[g];
            const int64_t *from = x->mode + g * PACK;
            const pack rise = (pack){EACH(HIGH)} - k.high;
            const pack psi = (rise + s * k.slope) + ((pack){EACH(LOW)} - k.low);
            const pack above = (k.mode - (s - 1.0)) * (k.c - (s - 1.0));
            const pack last = weight[g];
            weight[g] = last * (above / ((k.a + s) * (k.b + s)));
            total[g] += (pack)(open[g] & (mask)weight[g]);
            mean[g] += (pack)(open[g] & (mask)(weight[g] * psi));
            const mask done = weight[g] * weight[g] <= TOTAL_CUT * (last - weight[g]) * total[g];
            open[g] &= ~(done | (weight[g] <= 0.0));
            any |= open[g];
        }
        some = 0;
        for (int l = 0; l < PACK; l++) some |= any[l];
    }
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
}

#undef pack
#undef mask
#undef kept
#undef HIGH
#undef LOW
#undef JOIN
#undef JOIN2
