/* Expectations of M ln M by Newton's forward differences, for all pairs with a small overlap.
 *
 * With f(x) = x ln x and the falling factorial (x)_m = x (x - 1) ... (x - m + 1):
 *   f(M) = sum over m of (m-th difference of f at 0) / m! (M)_m         Newton's formula
 *   E[(M)_m] = (a)_m (b)_m / (n)_m                                      hypergeometric M
 * Each term is a product of what depends on a alone and on b alone, so the sum over all pairs of
 * sizes is a sum of products of prefix sums:
 *   1. sizes of one octave (as many bits) share a unit, in which their powers are integers;
 *   2. for each pair of octaves and each m: prefix sums over the columns, one pass over the rows;
 *   3. the terms of the series, cut once for each pair of octaves, are added exactly.
 */
#include "pw_newton.h"

#include <stdlib.h>
#include <string.h>

#include "pw_logarithm.h"

/* Sizes of one octave have the same number of bits. */
#define OCTAVES 63
/* The series, and three parts of mu ln mu. */
#define FIRST 2
#define LAST PW_NEWTON_TERMS
#define SERIES (LAST - FIRST + 1)
#define PARTS (SERIES + 3)
/* Room above the largest part for the sum of all. */
#define GUARD 7

/* mantissa 2^exponent, the mantissa 0 or with its top bit set. */
typedef struct {
    uint64_t mantissa;
    int64_t exponent;
} scaled;

typedef struct {
    uint64_t low, middle, high;
} wide;

typedef struct {
    const pw_size *sizes;
    int64_t n;
    int64_t starts[OCTAVES + 1]; /* of octaves, ascending */
    int exponent[OCTAVES];       /* all weights of the octave are below 2^exponent */
    uint64_t *weights;           /* in units of 2^(exponent - 64) */
    uint64_t *falling;           /* (size)_m, in units of 2^(m (octave + 1) - 64) */
    uint64_t *logs;              /* ln of what the size is short of the next power of 2 */
    uint64_t *first;             /* weight times size */
    uint64_t *values;            /* weight times the factor at hand */
    pw_u128 *sums;               /* of values before each place, n + 1 */
} side;

static uint64_t high_product(uint64_t x, uint64_t y) {
    return (uint64_t)((pw_u128)x * y >> 64);
}

/* ---- scaled numbers: every operation cuts ---- */

static scaled scaled_of(pw_u128 x, int64_t exponent) {
    const int excess = pw_bits128(x) - 64;
    if (x == 0) return (scaled){0, 0};
    return (scaled){(uint64_t)(excess > 0 ? x >> excess : x << -excess), exponent + excess};
}

static scaled times(scaled x, scaled y) {
    return scaled_of((pw_u128)x.mantissa * y.mantissa, x.exponent + y.exponent);
}

static scaled over(scaled x, uint64_t divisor) {
    const int zeros = 64 - pw_bits(divisor);
    return scaled_of(((pw_u128)x.mantissa << 63) / (divisor << zeros), x.exponent + zeros - 63);
}

static scaled scaled_of_wide(wide x) {
    if (x.high == 0) return scaled_of((pw_u128)x.middle << 64 | x.low, 0);
    const int bits = pw_bits(x.high); /* what is below the middle word is cut */
    const pw_u128 top = (pw_u128)x.high << 64 | x.middle;
    return (scaled){(uint64_t)(top >> bits), 64 + bits};
}

/* ---- exact sums of products ---- */

static void add_product(wide *to, uint64_t x, pw_u128 y) {
    const pw_u128 below = (pw_u128)x * (uint64_t)y;
    const pw_u128 above = (pw_u128)x * (uint64_t)(y >> 64);
    pw_u128 carry = (pw_u128)to->low + (uint64_t)below;
    to->low = (uint64_t)carry;
    carry = (carry >> 64) + to->middle + (uint64_t)(below >> 64) + (uint64_t)above;
    to->middle = (uint64_t)carry;
    to->high += (uint64_t)(carry >> 64) + (uint64_t)(above >> 64);
}

static wide product(pw_u128 x, pw_u128 y) {
    wide low = {0}, high = {0};
    add_product(&low, (uint64_t)x, y);
    add_product(&high, (uint64_t)(x >> 64), y);
    const pw_u128 carry = (pw_u128)low.middle + high.low;
    low.middle = (uint64_t)carry;
    low.high += (uint64_t)(carry >> 64) + high.middle; /* below 2^192 */
    return low;
}

static int octave_of(int64_t size) {
    return pw_bits((uint64_t)size) - 1;
}

/* ---- one side ---- */

static uint64_t mantissa_of(double x, int *exponent) {
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    *exponent = (int)(pattern >> 52) - 1022;
    return pattern >> 52 == 0 ? 0 : pattern << 11 | UINT64_C(1) << 63;
}

/* Weights of an octave against the largest; below 2^-1022 they count as 0. */
static void scale_weights(side *to, int octave) {
    int exponent = -1022, own;
    for (int64_t i = to->starts[octave]; i < to->starts[octave + 1]; i++) {
        if (mantissa_of(to->sizes[i].weight, &own) != 0 && own > exponent) exponent = own;
    }
    to->exponent[octave] = exponent;
    for (int64_t i = to->starts[octave]; i < to->starts[octave + 1]; i++) {
        const uint64_t mantissa = mantissa_of(to->sizes[i].weight, &own);
        to->weights[i] = exponent - own < 64 ? mantissa >> (exponent - own) : 0;
    }
}

static uint64_t scaled_size(const side *of, int64_t i, int octave, int64_t less) {
    const int64_t size = of->sizes[i].size;
    return size > less ? (uint64_t)(size - less) << (63 - octave) : 0;
}

static void free_side(side *of) {
    free(of->weights);
    free(of->sums);
}

static int start_side(side *to, const pw_sizes *from) {
    const size_t n = (size_t)from->n;
    to->sizes = from->at;
    to->n = from->n;
    to->weights = malloc(5 * n * sizeof *to->weights);
    to->sums = malloc((n + 1) * sizeof *to->sums);
    if (to->weights == NULL || to->sums == NULL) return PW_NO_MEMORY;
    to->falling = to->weights + n;
    to->logs = to->falling + n;
    to->first = to->logs + n;
    to->values = to->first + n;
    int64_t i = 0;
    for (int o = 0; o < OCTAVES; o++) {
        to->starts[o] = i;
        while (i < to->n && octave_of(to->sizes[i].size) == o) i++;
    }
    to->starts[OCTAVES] = i;
    const pw_u128 ln2 = pw_ln(2);
    for (int o = 0; o < OCTAVES; o++) {
        scale_weights(to, o);
        for (i = to->starts[o]; i < to->starts[o + 1]; i++) {
            const pw_u128 ln = pw_ln((uint64_t)to->sizes[i].size);
            to->logs[i] = (uint64_t)(((pw_u128)(o + 1) * ln2 - ln) >> (PW_LN_BITS - 64));
            to->falling[i] = scaled_size(to, i, o, 0);
            to->first[i] = high_product(to->falling[i], to->weights[i]);
        }
    }
    return PW_OK;
}

static void add_up(side *of) {
    of->sums[0] = 0;
    for (int64_t i = 0; i < of->n; i++) of->sums[i + 1] = of->sums[i] + of->values[i];
}

static void set_first(side *of, int with_logs) {
    for (int64_t i = 0; i < of->n; i++) {
        of->values[i] = with_logs ? high_product(of->first[i], of->logs[i]) : of->first[i];
    }
    add_up(of);
}

/* From (size)_(m-1) to (size)_m. */
static void next_falling(side *of, int64_t m) {
    for (int o = 0; o < OCTAVES; o++) {
        for (int64_t i = of->starts[o]; i < of->starts[o + 1]; i++) {
            of->falling[i] = high_product(of->falling[i], scaled_size(of, i, o, m - 1));
            of->values[i] = high_product(of->falling[i], of->weights[i]);
        }
    }
    add_up(of);
}

/* ---- pairs of octaves ---- */

typedef struct {
    int row, col;
    int full; /* all pairs of sizes are within */
    scaled parts[PARTS];
} block;

static int64_t blocks_of(const side *rows, const side *cols, const int64_t *within, block *to) {
    int64_t n = 0;
    for (int r = 0; r < OCTAVES; r++) {
        const int64_t first = rows->starts[r], last = rows->starts[r + 1] - 1;
        if (last < first) continue;
        for (int c = 0; c < OCTAVES && cols->starts[c] < within[first]; c++) {
            if (cols->starts[c] == cols->starts[c + 1]) continue;
            if (to != NULL) {
                to[n].row = r;
                to[n].col = c;
                to[n].full = within[last] >= cols->starts[c + 1];
            }
            n++;
        }
    }
    return n;
}

/* Keeps the blocks of one part of several. */
static int64_t share_of(block *blocks, int64_t n, int parts, int part) {
    int64_t kept = 0;
    for (int64_t i = part; i < n; i += parts) blocks[kept++] = blocks[i];
    return kept;
}

/* Sum of the products of the values of all pairs within. */
static scaled pair_sum(const side *rows, const side *cols, const int64_t *within, const block *of) {
    const int64_t first = rows->starts[of->row], last = rows->starts[of->row + 1];
    const int64_t start = cols->starts[of->col], stop = cols->starts[of->col + 1];
    const pw_u128 before = cols->sums[start];
    if (of->full) {
        return scaled_of_wide(
            product(rows->sums[last] - rows->sums[first], cols->sums[stop] - before));
    }
    wide sum = {0};
    for (int64_t i = first; i < last && within[i] > start; i++) {
        add_product(&sum, rows->values[i], cols->sums[pw_min64(within[i], stop)] - before);
    }
    return scaled_of_wide(sum);
}

static int fill_parts(side *rows, side *cols, const int64_t *within, block *blocks,
                      int64_t n_blocks, const pw_poll *poll) {
    for (int part = 0; part < PARTS; part++) {
        if (part < 3) { /* mu, mu with the logarithms of rows, of columns */
            set_first(rows, part == 1);
            set_first(cols, part == 2);
        } else {
            next_falling(rows, part - 3 + FIRST);
            next_falling(cols, part - 3 + FIRST);
        }
        for (int64_t i = 0; i < n_blocks; i++) {
            blocks[i].parts[part] = pair_sum(rows, cols, within, blocks + i);
        }
        if (rows->n + cols->n > PW_POLL_ITEMS / 64 && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

/* ---- the series ---- */

/* 2^PW_LN_BITS d_m = |sum over j of (-1)^(m-j) C(m, j) j ln j|, in wrapping arithmetic. */
static pw_u128 difference(int m) {
    pw_u128 sum = 0, binomial = 1;
    for (int j = m; j >= 2; j--) {
        const pw_u128 term = binomial * (pw_u128)j * pw_ln((uint64_t)j);
        sum = (m - j) % 2 == 0 ? sum + term : sum - term;
        binomial = binomial * (pw_u128)j / (pw_u128)(m - j + 1);
    }
    return m % 2 == 0 ? sum : 0 - sum;
}

/* d_m / (m! (n)_m) */
static void fill_factors(scaled factors[SERIES], int64_t n) {
    scaled inverse = over(scaled_of(1, 0), (uint64_t)n);
    for (int m = FIRST; m <= LAST; m++) {
        inverse = over(over(inverse, (uint64_t)(n - m + 1)), (uint64_t)m);
        factors[m - FIRST] = times(scaled_of(difference(m), -PW_LN_BITS), inverse);
    }
}

static void add_shifted(uint64_t *sum, pw_u128 value, int64_t shift) {
    if (shift <= -128) return;
    if (shift < 0) {
        value >>= -shift;
        shift = 0;
    }
    uint64_t *word = sum + shift / 64;
    const int bits = (int)(shift % 64);
    const uint64_t pieces[3] = {(uint64_t)value << bits, (uint64_t)(value >> (64 - bits)),
                                bits == 0 ? 0 : (uint64_t)(value >> 64 >> (64 - bits))};
    uint64_t carry = 0;
    for (int i = 0; i < 3 || carry != 0; i++) {
        if (i < 3 && pieces[i] == 0 && carry == 0) continue; /* there may be no such word */
        const pw_u128 total = (pw_u128)word[i] + (i < 3 ? pieces[i] : 0) + carry;
        word[i] = (uint64_t)total;
        carry = (uint64_t)(total >> 64);
    }
}

/* Add the sum of n parts, the signs of which are given, times 2^exponent. */
static void add_parts(uint64_t *sum, const scaled *parts, const int *signs, int n,
                      int64_t exponent) {
    int64_t top = INT64_MIN;
    for (int i = 0; i < n; i++) {
        if (parts[i].mantissa != 0 && parts[i].exponent > top) top = parts[i].exponent;
    }
    if (top == INT64_MIN) return;
    pw_i128 total = 0;
    for (int i = 0; i < n; i++) {
        const int64_t less = top - parts[i].exponent;
        if (parts[i].mantissa == 0 || less >= 121) continue;
        const pw_u128 part = (pw_u128)parts[i].mantissa << (64 - GUARD) >> less;
        total += signs[i] < 0 ? -(pw_i128)part : (pw_i128)part;
    }
    if (total > 0) add_shifted(sum, (pw_u128)total, exponent + top - (64 - GUARD));
}

static void add_block(const block *of, const side *rows, const side *cols,
                      const scaled factors[SERIES], int64_t n, int fraction_bits, uint64_t *overlap,
                      uint64_t *divergence) {
    const int64_t octaves = of->row + of->col + 2; /* factors of the sizes, as powers of 2 */
    scaled parts[PARTS];
    int signs[PARTS];
    for (int m = FIRST; m <= LAST; m++) {
        scaled part = times(of->parts[3 + m - FIRST], factors[m - FIRST]);
        part.exponent += octaves * m;
        parts[3 + m - FIRST] = part;
        signs[3 + m - FIRST] = m % 2 == 0 ? 1 : -1;
    }
    /* - mu ln mu = mu (ln n - octaves ln 2 + both sizes' logarithms) */
    const pw_i128 ln = (pw_i128)pw_ln((uint64_t)n) - (pw_i128)octaves * (pw_i128)pw_ln(2);
    parts[0] = times(of->parts[0], scaled_of((pw_u128)(ln < 0 ? -ln : ln), -PW_LN_BITS));
    parts[1] = of->parts[1];
    parts[2] = of->parts[2];
    for (int i = 0; i < 3; i++) {
        parts[i] = over(parts[i], (uint64_t)n);
        parts[i].exponent += octaves;
        signs[i] = i == 0 && ln < 0 ? -1 : 1;
    }
    const int64_t exponent =
        rows->exponent[of->row] + cols->exponent[of->col] - 128 + fraction_bits;
    add_parts(overlap, parts + 3, signs + 3, SERIES, exponent);
    add_parts(divergence, parts, signs, PARTS, exponent);
}

int64_t pw_newton_within(const pw_sizes *rows, const pw_sizes *cols, int64_t n, int64_t *within) {
    int64_t total = 0, c = cols->n;
    while (c > 0 && cols->at[c - 1].size > n / 2) c--;
    for (int64_t r = 0; r < rows->n; r++) {
        const int64_t a = rows->at[r].size;
        const uint64_t most = (uint64_t)PW_NEWTON_OVERLAP * (uint64_t)n / (uint64_t)a;
        if (a > n / 2) c = 0;
        while (c > 0 && (uint64_t)cols->at[c - 1].size > most) c--;
        within[r] = c;
        total += c;
    }
    return total;
}

int pw_newton_sums(const pw_sizes *row_sizes, const pw_sizes *col_sizes, int64_t n,
                   const int64_t *within, int fraction_bits, int parts, int part, uint64_t *overlap,
                   uint64_t *divergence, const pw_poll *poll) {
    side rows = {0}, cols = {0};
    block *blocks = NULL;
    int status = start_side(&rows, row_sizes);
    if (status == PW_OK) status = start_side(&cols, col_sizes);
    if (status != PW_OK) goto done;
    int64_t n_blocks = blocks_of(&rows, &cols, within, NULL);
    blocks = malloc((size_t)(n_blocks + 1) * sizeof *blocks);
    if (blocks == NULL) {
        status = PW_NO_MEMORY;
        goto done;
    }
    blocks_of(&rows, &cols, within, blocks);
    n_blocks = share_of(blocks, n_blocks, parts, part);
    status = fill_parts(&rows, &cols, within, blocks, n_blocks, poll);
    if (status != PW_OK) goto done;
    scaled factors[SERIES];
    fill_factors(factors, n);
    for (int64_t i = 0; i < n_blocks; i++) {
        add_block(blocks + i, &rows, &cols, factors, n, fraction_bits, overlap, divergence);
    }

done:
    free_side(&rows);
    free_side(&cols);
    free(blocks);
    return status;
}
