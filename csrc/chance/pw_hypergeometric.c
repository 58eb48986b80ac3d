/* Random numbers of the hypergeometric law by inversion, with the search starting at the mode.
 *
 *   u < P(mode)                          the mode
 *   u - P(mode) < P(mode + 1)            mode + 1, then mode - 1, mode + 2, mode - 2, ...
 *
 * Neighbouring probabilities follow from each other by a ratio of four integers. P(mode) comes
 * from Stirling's series with the error terms and the deviances kept apart, so that large parts
 * cancel before anything is rounded. C. Loader, "Fast and accurate computation of binomial
 * probabilities" (2000), arranges binomial probabilities like this. Where a cell of the two by two
 * table is small, Stirling's series is not exact enough and all weights are summed instead.
 */
#include "pw_hypergeometric.h"

#include <math.h>

/* From here on in every cell of the two by two table Stirling's series is exact. */
#define STIRLING_FROM 32
/* Weights relative to that of the mode, as far as they matter. */
#define NEGLIGIBLE 0x1p-70
#define TWO_PI 6.283185307179586

/* Up and down from the mode side by side. */
typedef double both __attribute__((vector_size(16)));

/* The two by two table at the mode: marked and chosen, marked only, chosen only, neither. */
typedef struct {
    double cell[4];
} middle;

/* ln(x!) less Stirling's formula, inverse = 1 / x. */
static double correction(double inverse) {
    const double z = inverse * inverse;
    return inverse * (1.0 / 12.0 + z * (-1.0 / 360.0 + z * (1.0 / 1260.0 + z * (-1.0 / 1680.0))));
}

/* x ln(x / (x - d)) - d, y = d / x, |y| <= 1 / 32 */
static double deviance(double x, double y) {
    double sum = 1.0 / 11.0;
    for (int k = 10; k >= 2; k--) sum = 1.0 / (double)k + y * sum;
    return x * (y * y) * sum;
}

/* exp(x) for |x| < 1/8 */
static double small_exp(double x) {
    static const double inverse[] = {1.0,           1.0,           1.0 / 2.0,   1.0 / 6.0,
                                     1.0 / 24.0,    1.0 / 120.0,   1.0 / 720.0, 1.0 / 5040.0,
                                     1.0 / 40320.0, 1.0 / 362880.0};
    double sum = 0.0;
    for (int k = 9; k >= 0; k--) sum = inverse[k] + x * sum;
    return sum;
}

/* Probability of the mode, d above the mean; all by Stirling's formula. */
static double central(const middle *at, double n, double a, double b, double d) {
    double exponent = correction(1.0 / a) + correction(1.0 / b) + correction(1.0 / (n - a));
    exponent += correction(1.0 / (n - b));
    exponent -= correction(1.0 / n);
    for (int i = 0; i < 4; i++) {
        const double inverse = 1.0 / at->cell[i];
        const double y = i == 0 || i == 3 ? d * inverse : -(d * inverse);
        exponent -= correction(inverse) + deviance(at->cell[i], y);
    }
    const double above = (a * b) * ((n - a) * (n - b));
    const double below = (at->cell[0] * at->cell[1]) * (at->cell[2] * at->cell[3]);
    return sqrt(above / (TWO_PI * n * below)) * small_exp(exponent);
}

/* Weights one step further from the mode on either side. */
static both step(const middle *at, both weight, double s) {
    const both x = {at->cell[1] - (s - 1.0), at->cell[0] - (s - 1.0)};
    const both y = {at->cell[2] - (s - 1.0), at->cell[3] - (s - 1.0)};
    const both z = {at->cell[0] + s, at->cell[1] + s};
    const both w = {at->cell[3] + s, at->cell[2] + s};
    return weight * ((x * y) / (z * w));
}

/* The same from the sum of all weights, few where a cell is small. */
static double summed(const middle *at) {
    both weight = {1.0, 1.0}, sum = {0.5, 0.5};
    for (double s = 1.0; weight[0] >= NEGLIGIBLE || weight[1] >= NEGLIGIBLE; s += 1.0) {
        weight = step(at, weight, s);
        sum += weight;
    }
    return 1.0 / (sum[0] + sum[1]);
}

int64_t pw_hypergeometric(int64_t n, int64_t a, int64_t b, double u) {
    int64_t mode = (int64_t)(((double)a + 1.0) * ((double)b + 1.0) / ((double)n + 2.0));
    if (mode < a + b - n) mode = a + b - n;
    mode = pw_min64(mode, pw_min64(a, b));
    const int64_t cells[4] = {mode, a - mode, b - mode, n - a - b + mode};
    int64_t least = cells[0];
    middle at;
    for (int i = 0; i < 4; i++) {
        at.cell[i] = (double)cells[i];
        least = pw_min64(least, cells[i]);
    }
    /* exact before the division, in wrapping arithmetic */
    const uint64_t above = (uint64_t)mode * (uint64_t)n - (uint64_t)a * (uint64_t)b;
    const double d = (double)(int64_t)above / (double)n;
    const double most =
        least < STIRLING_FROM ? summed(&at) : central(&at, (double)n, (double)a, (double)b, d);
    double left = u - most;
    if (left < 0.0) return mode;
    both weight = {most, most};
    for (int64_t s = 1; weight[0] >= NEGLIGIBLE || weight[1] >= NEGLIGIBLE; s++) {
        weight = step(&at, weight, (double)s);
        left -= weight[0];
        if (left < 0.0) return mode + s;
        left -= weight[1];
        if (left < 0.0) return mode - s;
    }
    return mode; /* rounding, in 2^-44 of all cases */
}
