/* Included once for every register width: PACK doubles a register, PACKS registers side by side
 * (their long chains of operations overlap), SUFFIX and TARGET of the functions. Every lane does
 * the same operations in the same order whatever lanes are beside it; one that has all it needs
 * goes on with weight 0. */

#define JOIN2(name, suffix) name##suffix
#define JOIN(name, suffix) JOIN2(name, suffix)
#define pack JOIN(pack_of_, SUFFIX)
#define mask JOIN(mask_of_, SUFFIX)

typedef double pack __attribute__((vector_size(PACK * 8)));
typedef int64_t mask __attribute__((vector_size(PACK * 8)));

/* From the mode up: total = sum of weights, that of the mode being 1, mean = sum of weight * psi.
 * Ratios of successive terms fall, so what is left out is a geometric series at most. */
TARGET static void JOIN(sum_up_, SUFFIX)(lanes *x, const tables *at) {
    pack weight[PACKS], total[PACKS], mean[PACKS], before[PACKS];
    mask open[PACKS];
    for (int g = 0; g < PACKS; g++) {
        weight[g] = total[g] = (pack){0} + 1.0;
        mean[g] = before[g] = (pack){0};
        open[g] = (mask){0} - 1;
    }
    int64_t some = 1;
    for (int64_t step = 1; some != 0 && step < TABLE; step++) {
        const double s = (double)step;
        some = 0;
        for (int g = 0; g < PACKS; g++) {
            pack a, b, c, mode, high, low, slope;
            for (int l = 0; l < PACK; l++) {
                const int i = g * PACK + l;
                const int64_t m = pw_min64(x->mode[i] + step, TABLE - 1);
                a[l] = x->a[i];
                b[l] = x->b[i];
                c[l] = x->c[i];
                mode[l] = (double)x->mode[i];
                slope[l] = at->slope[x->mode[i]];
                high[l] = at->high[m] - at->high[x->mode[i]];
                low[l] = at->low[m] - at->low[x->mode[i]];
            }
            const pack above = (a - (s - 1.0)) * (b - (s - 1.0));
            weight[g] = weight[g] * (above / ((mode + s) * (c + s)));
            weight[g] = (pack)(open[g] & (mask)weight[g]);
            const pack term = weight[g] * ((high - s * slope) + low);
            total[g] += weight[g];
            mean[g] += term;
            const pack fall = before[g] - term;
            const mask done = (fall > 0.0) & (term * term <= MEAN_CUT * mean[g] * fall);
            open[g] &= ~(done | (weight[g] <= 0.0));
            before[g] = term;
            for (int l = 0; l < PACK; l++) some |= open[g][l];
        }
    }
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
}

/* The same from the mode down, added to what is there; psi is at most the mode. */
TARGET static void JOIN(sum_down_, SUFFIX)(lanes *x, const tables *at) {
    pack weight[PACKS], total[PACKS], mean[PACKS];
    mask open[PACKS];
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
        some = 0;
        for (int g = 0; g < PACKS; g++) {
            pack a, b, c, mode, high, low, slope;
            for (int l = 0; l < PACK; l++) {
                const int i = g * PACK + l;
                const int64_t m = x->mode[i] > step ? x->mode[i] - step : 0;
                a[l] = x->a[i];
                b[l] = x->b[i];
                c[l] = x->c[i];
                mode[l] = (double)x->mode[i];
                slope[l] = at->slope[x->mode[i]];
                high[l] = at->high[m] - at->high[x->mode[i]];
                low[l] = at->low[m] - at->low[x->mode[i]];
            }
            const pack above = (mode - (s - 1.0)) * (c - (s - 1.0));
            const pack last = weight[g];
            weight[g] = last * (above / ((a + s) * (b + s)));
            weight[g] = (pack)(open[g] & (mask)weight[g]);
            total[g] += weight[g];
            mean[g] += weight[g] * ((high + s * slope) + low);
            const mask done = weight[g] * weight[g] <= TOTAL_CUT * total[g] * (last - weight[g]);
            open[g] &= ~(done | (weight[g] <= 0.0));
            for (int l = 0; l < PACK; l++) some |= open[g][l];
        }
    }
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
}

#undef pack
#undef mask
#undef JOIN
#undef JOIN2
