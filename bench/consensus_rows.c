/* The plain loop beside the search for one clustering: for each item, in the order that is passed,
 * add B rows of `width` float32 numbers, each contiguous. */
#include <stdint.h>
#include <string.h>

float sum_rows(const float *table, const int64_t *rows, const int64_t *order, int64_t n,
               int64_t draws, int64_t width, float *sums) {
    float kept = 0;
    for (int64_t j = 0; j < n; j++) {
        const int64_t *of_item = rows + order[j] * draws;
        memset(sums, 0, (size_t)width * sizeof(float));
        for (int64_t d = 0; d < draws; d++) {
            const float *row = table + of_item[d] * width;
            for (int64_t k = 0; k < width; k++) sums[k] += row[k];
        }
        for (int64_t k = 0; k < width; k++) kept += sums[k];
    }
    return kept;
}
