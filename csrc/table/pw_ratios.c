/* Ratios of integers: sums in 126-bit fixed point, best cells, greedy pairs, correct rounding.
 *
 * Fractions are compared by cross multiplication, so comparisons are exact. Quotients of 128-bit
 * integers are worked out digit by digit, each digit guessed from leading bits and corrected, as
 * in schoolbook long division with large digits (D. E. Knuth, "The art of computer programming",
 * volume 2, calls it algorithm D), and rounded once.
 */
#include "pw_ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* floor(2^126 above / below) for above <= below. */
static pw_u128 fraction126(uint64_t above, uint64_t below) {
    if (above == below) return (pw_u128)1 << 126;
    const pw_u128 first = (pw_u128)above << 64;
    const uint64_t quotient = (uint64_t)(first / below);
    const uint64_t left = (uint64_t)(first % below);
    return (pw_u128)quotient << 62 | (uint64_t)(((pw_u128)left << 62) / below);
}

void pw_sum_ratios(const int64_t *weights, const uint64_t *above, const uint64_t *below, int64_t n,
                   uint64_t sum[3]) {
    pw_u128 low = 0;  /* kept below 2^64 */
    pw_u128 high = 0; /* of weight 2^64 */
    for (int64_t i = 0; i < n; i++) {
        const pw_u128 part = fraction126(above[i], below[i]);
        low += (pw_u128)(uint64_t)part * (uint64_t)weights[i];
        high += (low >> 64) + (pw_u128)(uint64_t)(part >> 64) * (uint64_t)weights[i];
        low = (uint64_t)low;
    }
    sum[0] = (uint64_t)low;
    sum[1] = (uint64_t)high;
    sum[2] = (uint64_t)(high >> 64);
}

int64_t pw_common_divisor(const int64_t *values, int64_t n) {
    int64_t unit = 0;
    for (int64_t i = 0; i < n && unit != 1; i++) {
        int64_t rest = values[i];
        while (rest != 0) {
            const int64_t left = unit % rest;
            unit = rest;
            rest = left;
        }
    }
    return unit;
}

/* What a count is divided by; all similarities grow with the count over it. */
static inline uint64_t divisor(int similarity, int64_t count, int64_t row_size, int64_t col_size) {
    switch (similarity) {
    case PW_SORENSEN_DICE:
        return (uint64_t)row_size + (uint64_t)col_size;
    case PW_BRAUN_BANQUET:
        return (uint64_t)(row_size > col_size ? row_size : col_size);
    case PW_JACCARD:
        return (uint64_t)row_size + (uint64_t)col_size - (uint64_t)count;
    default:
        return 1;
    }
}

/* Inlined once for each similarity, which is then no question in the loop. */
static inline void nearest_by(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                              const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                              int similarity, int64_t *nearest) {
    for (int64_t r = 0; r < n_rows; r++) {
        int64_t top = indptr[r];
        uint64_t above = (uint64_t)counts[top];
        uint64_t below = divisor(similarity, counts[top], row_sizes[r], col_sizes[cols[top]]);
        for (int64_t c = top + 1; c < indptr[r + 1]; c++) {
            const uint64_t count = (uint64_t)counts[c];
            const uint64_t unit = divisor(similarity, counts[c], row_sizes[r], col_sizes[cols[c]]);
            if ((pw_u128)count * below > (pw_u128)above * unit) {
                top = c;
                above = count;
                below = unit;
            }
        }
        nearest[r] = top;
    }
}

void pw_nearest_cells(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                      const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                      int similarity, int64_t *nearest) {
    switch (similarity) {
    case PW_SORENSEN_DICE:
        nearest_by(indptr, cols, counts, row_sizes, col_sizes, n_rows, PW_SORENSEN_DICE, nearest);
        break;
    case PW_BRAUN_BANQUET:
        nearest_by(indptr, cols, counts, row_sizes, col_sizes, n_rows, PW_BRAUN_BANQUET, nearest);
        break;
    case PW_JACCARD:
        nearest_by(indptr, cols, counts, row_sizes, col_sizes, n_rows, PW_JACCARD, nearest);
        break;
    default:
        nearest_by(indptr, cols, counts, row_sizes, col_sizes, n_rows, PW_OVERLAP, nearest);
    }
}

/* What the divisor divides. */
static inline uint64_t dividend(int similarity, int64_t count) {
    return similarity == PW_SORENSEN_DICE ? 2 * (uint64_t)count : (uint64_t)count;
}

static int64_t row_of_cell(const pw_sized_table *table, int64_t cell) {
    int64_t least = 0;
    int64_t beyond = table->n_rows;
    while (beyond - least > 1) {
        const int64_t middle = least + (beyond - least) / 2;
        if (table->indptr[middle] <= cell) {
            least = middle;
        } else {
            beyond = middle;
        }
    }
    return least;
}

void pw_sum_similarities(const pw_sized_table *table, const int64_t *cells, int64_t n,
                         int similarity, int weighted, uint64_t sum[3]) {
    sum[0] = sum[1] = sum[2] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t c = cells[i];
        const int64_t row_size = table->row_sizes[row_of_cell(table, c)];
        const uint64_t above = dividend(similarity, table->counts[c]);
        const uint64_t below =
            divisor(similarity, table->counts[c], row_size, table->col_sizes[table->cols[c]]);
        uint64_t part[3];
        const int64_t weight = weighted ? row_size : 1;
        pw_sum_ratios(&weight, &above, &below, 1, part);
        pw_u128 carry = 0;
        for (int k = 0; k < 3; k++) {
            carry += (pw_u128)sum[k] + part[k];
            sum[k] = (uint64_t)carry;
            carry >>= 64;
        }
    }
}

/* The similarity of a cell as a double. */
static inline double similarity_of(const pw_sized_table *table, int64_t row, int64_t cell,
                                   int similarity, int weighted) {
    const int64_t count = table->counts[cell];
    const int64_t row_size = table->row_sizes[row];
    const uint64_t below =
        divisor(similarity, count, row_size, table->col_sizes[table->cols[cell]]);
    const double ratio = (double)dividend(similarity, count) / (double)below;
    return weighted ? (double)row_size * ratio : ratio;
}

int pw_similarity_gains(const pw_sized_table *table, int similarity, int weighted, int bits,
                        int64_t *gains, const pw_poll *poll) {
    double largest = 0.0;
    for (int64_t r = 0; r < table->n_rows;) {
        for (const int64_t stop = pw_rows_to_poll(table->indptr, r, table->n_rows); r < stop; r++) {
            for (int64_t c = table->indptr[r]; c < table->indptr[r + 1]; c++) {
                const double value = similarity_of(table, r, c, similarity, weighted);
                largest = value > largest ? value : largest;
                memcpy(gains + c, &value, sizeof value);
            }
        }
        if (r < table->n_rows && pw_stop(poll)) return PW_STOPPED;
    }
    int exponent;
    frexp(largest, &exponent);
    const double scale = ldexp(1.0, bits - exponent);
    const int64_t n_cells = table->n_rows > 0 ? table->indptr[table->n_rows] : 0;
    for (int64_t c = 0; c < n_cells;) {
        for (const int64_t stop = pw_min64(n_cells, c + PW_POLL_SCATTERED); c < stop; c++) {
            double value;
            memcpy(&value, gains + c, sizeof value);
            const int64_t gain = (int64_t)rint(value * scale);
            gains[c] = gain > 1 ? gain : 1;
        }
        if (c < n_cells && pw_stop(poll)) return PW_STOPPED;
    }
    return PW_OK;
}

pw_u128 pw_mean_square(pw_u128 squares, int64_t size) {
    const pw_u128 whole = squares / (uint64_t)size;
    const uint64_t left = (uint64_t)(squares % (uint64_t)size);
    return whole << 64 | (uint64_t)(((pw_u128)left << 64) / (uint64_t)size);
}

int pw_b_cubed_sums(const int64_t *indptr, const int64_t *cols, const int64_t *counts,
                    const int64_t *row_sizes, const int64_t *col_sizes, int64_t n_rows,
                    int64_t n_cols, pw_u128 *by_row, pw_u128 *by_col, const pw_poll *poll) {
    *by_row = 0;
    *by_col = 0;
    if (n_rows == 0) return PW_OK;
    pw_u128 *squares = calloc((size_t)n_cols, sizeof *squares);
    if (squares == NULL) return PW_NO_MEMORY;
    int status = PW_OK;
    for (int64_t r = 0; r < n_rows && status == PW_OK;) {
        for (const int64_t stop = pw_rows_to_poll(indptr, r, n_rows); r < stop; r++) {
            pw_u128 row = 0;
            for (int64_t c = indptr[r]; c < indptr[r + 1]; c++) {
                const pw_u128 square = (pw_u128)(uint64_t)counts[c] * (uint64_t)counts[c];
                row += square;
                squares[cols[c]] += square;
            }
            *by_row += pw_mean_square(row, row_sizes[r]);
        }
        if (r < n_rows && pw_stop(poll)) status = PW_STOPPED;
    }
    for (int64_t j = 0; j < n_cols && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n_cols, j + PW_POLL_SCATTERED); j < stop; j++) {
            *by_col += pw_mean_square(squares[j], col_sizes[j]);
        }
        if (j < n_cols && pw_stop(poll)) status = PW_STOPPED;
    }
    free(squares);
    return status;
}

int pw_greedy_pairs(const int64_t *rows, const int64_t *cols, const int64_t *order,
                    const int64_t *rank, int64_t n, int64_t n_rows, int64_t n_cols, int64_t *chosen,
                    int64_t *n_chosen, int *tied, const pw_poll *poll) {
    *n_chosen = 0;
    *tied = 0;
    if (n == 0) return PW_OK;
    /* the rank at which a row or column was taken, -1 while it is free */
    int64_t *taken = malloc((size_t)(n_rows + n_cols) * sizeof *taken);
    if (taken == NULL) return PW_NO_MEMORY;
    for (int64_t v = 0; v < n_rows + n_cols; v++) taken[v] = -1;
    int status = PW_OK;
    int64_t used = 0;
    for (int64_t i = 0; i < n && status == PW_OK;) {
        for (const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED); i < stop; i++) {
            int64_t *row = taken + rows[order[i]];
            int64_t *col = taken + n_rows + cols[order[i]];
            if (*row < 0 && *col < 0) {
                *row = rank[i];
                *col = rank[i];
                chosen[used++] = order[i];
            } else if ((*row < 0 || *row == rank[i]) && (*col < 0 || *col == rank[i])) {
                *tied = 1;
            }
        }
        if (i < n && pw_stop(poll)) status = PW_STOPPED;
    }
    free(taken);
    *n_chosen = used;
    return status;
}

/* ---- quotients of 128-bit integers -------------------------------------------------------- */

static pw_u128 magnitude(int64_t high, uint64_t low, int *negative) {
    const pw_u128 value = (pw_u128)(uint64_t)high << 64 | low;
    if (high >= 0) return value;
    *negative = !*negative;
    return -value;
}

/* floor(2^32 *rest / unit) for *rest < unit, 2^95 <= unit < 2^96; *rest becomes what is left. */
static uint64_t next_digit(pw_u128 *rest, pw_u128 unit) {
    const pw_u128 above = *rest << 32;
    /* by the leading 64 bits of unit: at most 2 too large */
    uint64_t digit = (uint64_t)((above >> 32) / (uint64_t)(unit >> 32));
    if (digit > UINT32_MAX) digit = UINT32_MAX;
    while (digit * unit > above) digit--;
    *rest = above - digit * unit;
    return digit;
}

/* floor(2^64 *rest / unit) for *rest < unit < 2^127; *rest becomes non-zero where digits follow. */
static uint64_t many_digits(pw_u128 *rest, pw_u128 unit) {
    const int bits = pw_bits128(unit);
    if (bits <= 96) {
        *rest <<= 96 - bits;
        unit <<= 96 - bits;
        const uint64_t first = next_digit(rest, unit);
        return first << 32 | next_digit(rest, unit);
    }
    uint64_t digits = 0;
    for (int i = 0; i < 64; i++) {
        *rest <<= 1;
        digits <<= 1;
        if (*rest >= unit) {
            *rest -= unit;
            digits |= 1;
        }
    }
    return digits;
}

/* x 2^exponent for -1000 < exponent < 1000 where neither end is out of range. */
static double scale(uint64_t x, int exponent) {
    const uint64_t pattern = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &pattern, sizeof power);
    return (double)x * power;
}

/* above / below, rounded once: 63 or 64 bits of it and whether more follow. */
static double quotient(pw_u128 above, pw_u128 below) {
    if (above == 0) return 0.0;
    int shift = 0;
    if (above >> 127) above >>= 1, shift++; /* -2^127: then all fit in 127 bits */
    if (below >> 127) below >>= 1, shift--;
    /* make below / 2 <= above < below by a power of two */
    const int exponent = pw_bits128(above) - pw_bits128(below);
    if (exponent > 0) {
        below <<= exponent;
    } else {
        above <<= -exponent;
    }
    shift += exponent;
    if (above >= below) {
        if (below >> 126) {
            /* below has no bit to spare, so the quotient's leading 1 is taken away first */
            pw_u128 rest = above - below;
            const uint64_t digits = many_digits(&rest, below);
            const uint64_t sticky = (digits & 1) | (rest != 0);
            return scale(UINT64_C(1) << 63 | digits >> 1 | sticky, shift - 63);
        }
        below <<= 1;
        shift++;
    }
    const uint64_t digits = many_digits(&above, below);
    return scale(digits | (above != 0), shift - 64);
}

void pw_wide_ratio(const int64_t *above_high, const uint64_t *above_low, const int64_t *below_high,
                   const uint64_t *below_low, int64_t n, double *out) {
    for (int64_t i = 0; i < n; i++) {
        int negative = 0;
        const pw_u128 above = magnitude(above_high[i], above_low[i], &negative);
        const pw_u128 below = magnitude(below_high[i], below_low[i], &negative);
        const double value = quotient(above, below);
        out[i] = negative && value != 0.0 ? -value : value;
    }
}
