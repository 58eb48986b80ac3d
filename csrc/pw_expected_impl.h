/* Included once for every register width: PACK doubles a register, PACKS registers side by side
 * (their long chains of operations overlap), SUFFIX and TARGET of the functions. Every lane does
 * the same operations in the same order whatever lanes are beside it. */

#define JOIN2(name, suffix) name##suffix
#define JOIN(name, suffix) JOIN2(name, suffix)
#define pack JOIN(pack_of_, SUFFIX)
#define mask JOIN(mask_of_, SUFFIX)

typedef double pack __attribute__((vector_size(PACK * 8)));
typedef int64_t mask __attribute__((vector_size(PACK * 8)));

/* One weight of the mode is 1; total += all weights, mean += weights * psi, both ways from it. */
TARGET static void JOIN(sum_lanes_, SUFFIX)(lanes *x, const tables *at) {
    const double *const a = x->a, *const b = x->b, *const c = x->rest;
    pack weight[PACKS], total[PACKS], mean[PACKS], before[PACKS], factor_a[PACKS], factor_b[PACKS],
        factor_c[PACKS], overlap[PACKS], slope[PACKS], base[PACKS], rest[PACKS];
    mask open[PACKS];
    for (int g = 0; g < PACKS; g++) {
        for (int l = 0; l < PACK; l++) {
            const int i = g * PACK + l;
            weight[g][l] = total[g][l] = 1.0;
            mean[g][l] = before[g][l] = 0.0;
            overlap[g][l] = (double)x->mode[i];
            factor_a[g][l] = a[i] - (double)x->mode[i];
            factor_b[g][l] = b[i] - (double)x->mode[i];
            factor_c[g][l] = c[i] + (double)x->mode[i];
            slope[g][l] = at->slope[x->mode[i]];
            base[g][l] = at->high[x->mode[i]];
            rest[g][l] = at->low[x->mode[i]];
            open[g][l] = -1;
        }
    }
    int64_t some = 1;
    for (int64_t step = 1; some; step++) { /* up: overlap is mode + step - 1 */
        const double s = (double)step;
        some = 0;
        for (int g = 0; g < PACKS; g++) {
            pack high, low;
            for (int l = 0; l < PACK; l++) {
                const int64_t m = x->mode[g * PACK + l] + step;
                high[l] = at->high[m < TABLE ? m : TABLE - 1];
                low[l] = at->low[m < TABLE ? m : TABLE - 1];
            }
            overlap[g] += 1.0;
            factor_c[g] += 1.0;
            const pack ratio = (factor_a[g] * factor_b[g]) / (overlap[g] * factor_c[g]);
            factor_a[g] -= 1.0;
            factor_b[g] -= 1.0;
            weight[g] = (pack)(open[g] & (mask)(weight[g] * ratio));
            const pack psi = ((high - base[g]) - s * slope[g]) + (low - rest[g]);
            const pack term = weight[g] * psi;
            total[g] += weight[g];
            mean[g] += term;
            const pack fall = before[g] - term;
            const mask done = (fall > 0.0) & (term * term <= MEAN_CUT * mean[g] * fall);
            open[g] &= ~(done | (weight[g] <= 0.0));
            before[g] = term;
            for (int l = 0; l < PACK; l++) some |= open[g][l];
        }
        if (step >= TABLE) break;
    }
    for (int g = 0; g < PACKS; g++) {
        for (int l = 0; l < PACK; l++) {
            const int i = g * PACK + l;
            weight[g][l] = 1.0;
            overlap[g][l] = (double)x->mode[i];
            factor_a[g][l] = a[i] - (double)x->mode[i];
            factor_b[g][l] = b[i] - (double)x->mode[i];
            factor_c[g][l] = c[i] + (double)x->mode[i];
            open[g][l] = x->mode[i] > 0 ? -1 : 0;
            some |= open[g][l];
        }
    }
    for (int64_t step = 1; some; step++) { /* down */
        const double s = (double)step;
        some = 0;
        for (int g = 0; g < PACKS; g++) {
            pack high, low;
            for (int l = 0; l < PACK; l++) {
                const int64_t m = x->mode[g * PACK + l] - step;
                high[l] = at->high[m > 0 ? m : 0];
                low[l] = at->low[m > 0 ? m : 0];
            }
            factor_a[g] += 1.0;
            factor_b[g] += 1.0;
            const pack ratio = (overlap[g] * factor_c[g]) / (factor_a[g] * factor_b[g]);
            overlap[g] -= 1.0;
            factor_c[g] -= 1.0;
            const pack last = weight[g];
            weight[g] = (pack)(open[g] & (mask)(weight[g] * ratio));
            const pack psi = ((high - base[g]) + s * slope[g]) + (low - rest[g]);
            total[g] += weight[g];
            mean[g] += weight[g] * psi;
            const mask done = weight[g] * weight[g] <= TOTAL_CUT * total[g] * (last - weight[g]);
            open[g] &= ~(done | (weight[g] <= 0.0));
            for (int l = 0; l < PACK; l++) some |= open[g][l];
        }
    }
    for (int g = 0; g < PACKS; g++) {
        for (int l = 0; l < PACK; l++) x->mean[g * PACK + l] = mean[g][l] / total[g][l];
    }
}

#undef pack
#undef mask
#undef JOIN
#undef JOIN2
