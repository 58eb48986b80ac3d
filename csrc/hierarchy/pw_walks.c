/* How far apart walks on two hierarchies end: element-centric similarity.
 *
 * A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison
 * unifies overlaps and hierarchy" (2019). The probabilities are a product of three numbers, and the
 * middle one is the same for all leaves of a cluster that are outside of its part with the item: a
 * row of the matrix is filled interval by interval, up from the item. */
#include <math.h>
#include <stdlib.h>

#include "pw_hierarchy.h"

#define UNIT 1152921504606846976.0 /* 2^60 */

static void fill(double *row, const pw_walks *of, double scale, int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; p++) row[p] = scale * of->reach[p];
}

static int64_t differences(const double *row, const int64_t *places, const pw_walks *of,
                           double scale, int64_t begin, int64_t end) {
    int64_t sum = 0;
    for (int64_t p = begin; p < end; p++)
        sum += (int64_t)(fabs(row[places[p]] - scale * of->reach[p]) * UNIT);
    return sum;
}

int pw_walk_differences(int64_t n, const pw_walks *a, const pw_walks *b, int64_t begin, int64_t end,
                        int64_t *sums, const pw_poll *poll) {
    double *row = malloc((size_t)n * sizeof *row);        /* by leaf of a */
    int64_t *places = malloc((size_t)n * sizeof *places); /* leaf of a at each leaf of b */
    int status = PW_NO_MEMORY;
    if (row == NULL || places == NULL) goto end;
    status = PW_OK;
    for (int64_t p = 0; p < n; p++) places[p] = a->starts[b->leaves[p]];
    int64_t compared = 0;
    for (int64_t i = begin; i < end; i++) {
        int64_t low = a->starts[i], high = low;
        for (int64_t c = i; c >= 0; c = a->parents[c]) {
            const double scale = a->own[i] * a->factors[c];
            const int64_t stop = a->starts[c] + a->sizes[c];
            fill(row, a, scale, a->starts[c], low);
            fill(row, a, scale, high, stop);
            low = a->starts[c];
            high = stop;
        }
        fill(row, a, 0.0, 0, low);
        fill(row, a, 0.0, high, n);
        int64_t sum = 0;
        low = high = b->starts[i];
        for (int64_t c = i; c >= 0; c = b->parents[c]) {
            const double scale = b->own[i] * b->factors[c];
            const int64_t stop = b->starts[c] + b->sizes[c];
            sum += differences(row, places, b, scale, b->starts[c], low);
            sum += differences(row, places, b, scale, high, stop);
            low = b->starts[c];
            high = stop;
        }
        sum += differences(row, places, b, 0.0, 0, low);
        sum += differences(row, places, b, 0.0, high, n);
        sums[i - begin] = sum;
        compared += n;
        if (compared >= PW_POLL_ITEMS) {
            compared = 0;
            if (pw_stop(poll)) {
                status = PW_STOPPED;
                goto end;
            }
        }
    }
end:
    free(row);
    free(places);
    return status;
}
