/* Included once for every register width: PACK doubles a register, PACKS registers side by side
 * (their long chains of operations overlap), SOME tells whether a lane of a mask is set, SUFFIX and
 * TARGET of the functions. Every lane does the same operations in the same order whatever lanes
 * are beside it; one that has all it needs goes on with weight 0. */

#define JOIN2(name, suffix) name##suffix
#define JOIN(name, suffix) JOIN2(name, suffix)
#define pack JOIN(pack_of_, SUFFIX)
#define mask JOIN(mask_of_, SUFFIX)

typedef double pack __attribute__((vector_size(PACK * 8)));
typedef int64_t mask __attribute__((vector_size(PACK * 8)));
#define kept JOIN(kept_, SUFFIX)
#define looked_up JOIN(looked_up_, SUFFIX)

/* Values that do not change from step to step. */
typedef struct {
    pack a, b, c, mode, slope, high, low;
} kept;

/* Both parts of an entry of the table for each lane. */
typedef struct {
    pack high, low;
} looked_up;

TARGET static inline looked_up JOIN(look_up_, SUFFIX)(const two_parts *terms, const int64_t *from) {
#define ENTRY(l) _mm_loadu_pd(&terms[from[l]].high)
#define TWO(l, m) _mm256_insertf128_pd(_mm256_castpd128_pd256(ENTRY(l)), ENTRY(m), 1)
#if PACK == 8
    const __m512d even = _mm512_insertf64x4(_mm512_castpd256_pd512(TWO(0, 2)), TWO(4, 6), 1);
    const __m512d odd = _mm512_insertf64x4(_mm512_castpd256_pd512(TWO(1, 3)), TWO(5, 7), 1);
    return (looked_up){(pack)_mm512_unpacklo_pd(even, odd), (pack)_mm512_unpackhi_pd(even, odd)};
#elif PACK == 4
    const __m256d even = TWO(0, 2), odd = TWO(1, 3);
    return (looked_up){(pack)_mm256_unpacklo_pd(even, odd), (pack)_mm256_unpackhi_pd(even, odd)};
#else
    const two_parts first = terms[from[0]], second = terms[from[1]];
    return (looked_up){(pack){first.high, second.high}, (pack){first.low, second.low}};
#endif
#undef ENTRY
#undef TWO
}

TARGET static void JOIN(keep_, SUFFIX)(kept *to, const lanes *x, const tables *at) {
    for (int i = 0; i < LANES; i++) {
        kept *k = to + i / PACK;
        const int l = i % PACK;
        k->a[l] = x->a[i];
        k->b[l] = x->b[i];
        k->c[l] = x->c[i];
        k->mode[l] = (double)x->mode[i];
        k->slope[l] = at->slope[x->mode[i]];
        k->high[l] = at->terms[BELOW + x->mode[i]].high;
        k->low[l] = at->terms[BELOW + x->mode[i]].low;
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
        const two_parts *const terms = at->terms + BELOW + step;
        mask any = {0};
        for (int g = 0; g < PACKS; g++) {
            const kept k = same[g];
            const looked_up found = JOIN(look_up_, SUFFIX)(terms, x->mode + g * PACK);
            const pack rise = found.high - k.high;
            const pack psi = (rise - s * k.slope) + (found.low - k.low);
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
        some = SOME(any) != 0;
    }
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
    return step;
}

/* (1 + x) ln(1 + x) - x for |x| up to 1 / mode, 1/4 at most. Even and odd powers apart, as two
 * short chains of operations; each lane begins where its own mode says. */
TARGET static void JOIN(phis_, SUFFIX)(lanes *x) {
    for (int g = 0; g < PACKS; g++) {
        pack share;
        mask last;
        int64_t k = 0;
        for (int l = 0; l < PACK; l++) {
            share[l] = x->beyond[g * PACK + l];
            last[l] = last_power(x->mode[g * PACK + l]);
            k = last[l] > k ? last[l] : k;
        }
        const pack square = share * share;
        pack even = {0}, odd = {0};
        for (; k >= 2; k -= 2) {
            const mask begun = last >= k;
            even = (pack)(begun & (mask)(inverse[k] + square * even));
            odd = (pack)(begun & (mask)(inverse[k + 1] + square * odd));
        }
        const pack phi = square * (even - share * odd);
        for (int l = 0; l < PACK; l++) x->phi[g * PACK + l] = phi[l];
    }
}

/* The same from the mode down, added to what is there; psi is at most the mode. And phi. */
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
        const two_parts *const terms = at->terms + BELOW - step;
        mask any = {0};
        for (int g = 0; g < PACKS; g++) {
            const kept k = same[g];
            const looked_up found = JOIN(look_up_, SUFFIX)(terms, x->mode + g * PACK);
            const pack rise = found.high - k.high;
            const pack psi = (rise + s * k.slope) + (found.low - k.low);
            const pack above = (k.mode - (s - 1.0)) * (k.c - (s - 1.0));
            const pack last = weight[g];
            weight[g] = last * (above / ((k.a + s) * (k.b + s)));
            total[g] += (pack)(open[g] & (mask)weight[g]);
            mean[g] += (pack)(open[g] & (mask)(weight[g] * psi));
            const mask done = weight[g] * weight[g] <= TOTAL_CUT * (last - weight[g]) * total[g];
            open[g] &= ~(done | (weight[g] <= 0.0));
            any |= open[g];
        }
        some = SOME(any) != 0;
    }
    JOIN(phis_, SUFFIX)(x);
    for (int i = 0; i < LANES; i++) {
        x->total[i] = total[i / PACK][i % PACK];
        x->mean[i] = mean[i / PACK][i % PACK];
    }
}

#undef pack
#undef mask
#undef kept
#undef looked_up
#undef JOIN
#undef JOIN2
