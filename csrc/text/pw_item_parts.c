/* What several threads need that number text together.
 *
 * Where few items are distinct, threads number a range of the items each. The distinct items of
 * the ranges are then copied, one behind another, and numbered like any items: that is a small
 * problem. Where many are distinct, threads number the items of some hashes each (pw_items.c).
 *
 * To put many distinct items in order, they are split by splitters from a sample, which is a
 * sample sort: W. D. Frazer and A. C. McKellar, "Samplesort: a sampling approach to minimal storage
 * tree sorting" (1970). Threads sort what lies between two splitters each. The order of distinct
 * items is one, so neither the splitters nor the number of threads change it.
 */
#include <stdlib.h>
#include <string.h>

#include "pw_items.h"
#include "pw_items_impl.h"
#include "pw_tuning.h"

/* Items of the sample that choose one splitter. */
#define PER_SPLITTER 32

int64_t pw_bytes_of_items(const pw_items *items, const int64_t *places, int64_t k) {
    int64_t bytes = 0;
    for (int64_t j = 0; j < k; j++) bytes += pw_item(items, places[j]).size;
    return bytes;
}

void pw_copy_items(const pw_items *items, const int64_t *places, int64_t k, int64_t start, char *to,
                   int64_t *offsets) {
    for (int64_t j = 0; j < k; j++) {
        const pw_span item = pw_item(items, places[j]);
        if (item.size > 0) memcpy(to + start, item.at, (size_t)item.size);
        start += item.size;
        offsets[j + 1] = start;
    }
}

/* Numbers a copy of the items at some places, and says how many are distinct. */
static int count_distinct(const pw_items *items, const int64_t *places, int64_t n, int64_t *k) {
    const int64_t bytes = pw_bytes_of_items(items, places, n);
    char *text = malloc((size_t)bytes + 1);
    int64_t *offsets = malloc((size_t)(n + 1) * sizeof *offsets);
    int32_t *codes = malloc((size_t)(n + 1) * sizeof *codes);
    int64_t *firsts = NULL;
    int status = PW_NO_MEMORY;
    if (text != NULL && offsets != NULL && codes != NULL) {
        offsets[0] = 0;
        pw_copy_items(items, places, n, 0, text, offsets);
        const pw_items copies = {
            .data = text, .offsets = offsets, .offset_size = 8, .n = n, .seed = items->seed};
        status = pw_number_items(&copies, NULL, 1, 0, codes, &firsts, k, NULL);
    }
    free(text);
    free(offsets);
    free(codes);
    free(firsts);
    return status;
}

/* With d equally frequent items, a sample of m has about m^2 / (2 d) repeats. */
int pw_few_distinct(const pw_items *items, int *few) {
    const int64_t most = pw_min64(PW_ITEMS_SAMPLE, items->n / PW_ITEMS_SAMPLE_PER);
    *few = 0;
    if (most == 0) return PW_OK;
    int64_t *places = malloc((size_t)most * sizeof *places);
    if (places == NULL) return PW_NO_MEMORY;
    const int64_t stride = items->n / most;
    int64_t n = 0;
    for (int64_t i = 0; i < most; i++) {
        /* not at even distances: items may come in a period */
        const uint32_t off = (uint32_t)i * UINT32_C(0x9e3779b1);
        places[n] = i * stride + (int64_t)off % stride;
        n += items->skipped == NULL || !items->skipped[places[n]];
    }
    int64_t k = 0;
    const int status = count_distinct(items, places, n, &k);
    free(places);
    if (status == PW_OK) {
        *few = n == 0 || (n > k && n * n / (2 * (n - k)) <= items->n / PW_ITEMS_PER_DISTINCT);
    }
    return status == PW_CROWDED ? PW_OK : status;
}

int pw_choose_splitters(const pw_items *items, int unit, const pw_item_lists *lists,
                        int64_t *splitters) {
    int64_t k = 0;
    for (int list = 0; list < lists->n; list++) k += lists->sizes[list];
    const int64_t most = (int64_t)lists->n * PER_SPLITTER;
    const int64_t stride = k / most > 0 ? k / most : 1;
    int64_t *sample = malloc((size_t)most * sizeof *sample);
    int32_t *ranks = malloc((size_t)most * sizeof *ranks);
    int status = PW_NO_MEMORY;
    int64_t n = 0;
    if (sample != NULL && ranks != NULL) {
        int64_t next = stride / 2; /* counted over all lists */
        for (int list = 0; list < lists->n; list++) {
            for (; next < lists->sizes[list] && n < most; next += stride) {
                sample[n++] = lists->places[list][next];
            }
            next -= lists->sizes[list];
        }
        status = pw_order_items(items, unit, sample, ranks, n, NULL);
    }
    for (int64_t s = 1; s < lists->n && status == PW_OK; s++) {
        splitters[s - 1] = sample[s * n / lists->n];
    }
    free(sample);
    free(ranks);
    return status;
}

int pw_split_items(const pw_items *items, int unit, const pw_item_lists *lists, int list,
                   const int64_t *splitters, int64_t *counts, const pw_poll *poll) {
    const int64_t *places = lists->places[list];
    uint8_t *buckets = lists->buckets[list];
    int64_t unasked = 0; /* bytes since the last poll */
    memset(counts, 0, (size_t)lists->n * sizeof *counts);
    for (int64_t j = 0; j < lists->sizes[list]; j++) {
        const pw_span item = pw_item(items, places[j]);
        int low = 0;
        int high = lists->n - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            const int before = pw_is_before(item, pw_item(items, splitters[middle]), 0, unit);
            high = before ? middle : high;
            low = before ? low : middle + 1;
        }
        buckets[j] = (uint8_t)low;
        counts[low]++;
        unasked += item.size + PW_ITEMS_BYTES;
        if (unasked > PW_POLL_BYTES) {
            unasked = 0;
            if (pw_stop(poll)) return PW_STOPPED;
        }
    }
    return PW_OK;
}

int pw_order_bucket(const pw_items *items, int unit, const pw_item_lists *lists, int bucket,
                    int64_t size, int64_t *places, int32_t *ranks, const pw_poll *poll) {
    int64_t at = 0;
    for (int list = 0; list < lists->n; list++) {
        for (int64_t j = 0; j < lists->sizes[list] && at < size; j++) {
            places[at] = lists->places[list][j];
            at += lists->buckets[list][j] == bucket;
        }
    }
    return pw_order_items(items, unit, places, ranks, size, poll);
}

void pw_join_ranks(const pw_item_lists *lists, const int64_t *starts, const int32_t *ranks,
                   int32_t *to) {
    int64_t next[PW_WORKERS_MOST];
    memcpy(next, starts, (size_t)lists->n * sizeof *next);
    for (int list = 0; list < lists->n; list++) {
        for (int64_t j = 0; j < lists->sizes[list]; j++) {
            const int bucket = lists->buckets[list][j];
            to[j * lists->n + list] = (int32_t)starts[bucket] + ranks[next[bucket]++];
        }
    }
}
