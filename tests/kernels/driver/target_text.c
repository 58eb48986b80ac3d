/* Text as numbers: numbering and ordering items by one worker and several, whole numbers, UTF-8. */
#include "driver.h"
#include "pw_items.h"

#define PARTS_MOST 4
#define ITEMS_MOST 3000

/* ---- items ------------------------------------------------------------------------------------
 */

static const char *bytes_of(const pw_items *items, int64_t i, int64_t *size) {
    if (items->offsets == NULL) {
        *size = items->width;
        return items->data + i * items->width;
    }
    int64_t ends[2];
    for (int k = 0; k < 2; k++)
        ends[k] = items->offset_size == 8 ? ((const int64_t *)items->offsets)[i + k]
                                          : ((const int32_t *)items->offsets)[i + k];
    *size = ends[1] - ends[0];
    return items->data + ends[0];
}

static int is_skipped(const pw_items *items, int64_t i) {
    return items->skipped != NULL && items->skipped[i];
}

static const pw_items *compared_items;
static int compared_unit;

static int compare_items(const void *x, const void *y) {
    int64_t size_x, size_y;
    const char *a = bytes_of(compared_items, *(const int64_t *)x, &size_x);
    const char *b = bytes_of(compared_items, *(const int64_t *)y, &size_y);
    for (int64_t i = 0; i < size_x && i < size_y; i += compared_unit) {
        uint32_t own = 0, other = 0;
        memcpy(&own, a + i, (size_t)compared_unit);
        memcpy(&other, b + i, (size_t)compared_unit);
        if (own != other) return own < other ? -1 : 1;
    }
    return size_x < size_y ? -1 : size_x > size_y;
}

/* Items of the input's choice: with offsets of 4 or 8 bytes or of one width, skipped ones or not.
 */
static pw_items take_items(driver_input *in, int64_t n, int unit) {
    const int form = (int)take_below(in, 3);
    const int alphabet = 1 + (int)take_below(in, 4);
    const int64_t longest = take_between(in, 0, 24);
    const uint64_t distinct = 1 + take_below(in, 600);
    const int with_skipped = take_byte(in) % 3 == 0;
    const int literal = n <= 40 && take_byte(in) % 2 == 0;
    const uint64_t seed = take_below(in, 1 << 16);
    char *data = room(n * longest * unit, 1);
    int64_t *ends = room(n + 1, sizeof *ends);
    int32_t *short_ends = room(n + 1, sizeof *short_ends);
    uint8_t *skipped = room(n, 1);
    int64_t used = 0;
    for (int64_t i = 0; i < n; i++) {
        driver_random random = {seed + 977 * (uint64_t)i};
        driver_random own = {seed + 31 + random_below(&random, distinct)};
        int64_t size = longest;
        if (form < 2) size = (int64_t)random_below(&own, (uint64_t)longest + 1);
        skipped[i] = with_skipped && random_below(&random, 8) == 0;
        for (int64_t j = 0; j < size; j++) {
            uint32_t point =
                literal ? take_byte(in) : (uint32_t)random_below(&own, 4 << 2 * alphabet);
            if (alphabet == 1) point = '0' + point % 10;
            memcpy(data + used, &point, (size_t)unit);
            used += unit;
        }
        ends[i + 1] = used;
        short_ends[i + 1] = (int32_t)used;
    }
    pw_items items = {data, NULL, 0, longest * unit, n, with_skipped ? skipped : NULL};
    if (form < 2) {
        items.offsets = form == 0 ? (const void *)ends : (const void *)short_ends;
        items.offset_size = form == 0 ? 8 : 4;
        items.width = 0;
    }
    return items;
}

/* ---- the literal numbers ----------------------------------------------------------------------
 */

typedef struct {
    int32_t *codes;    /* in ascending order of the items, 0 for skipped ones */
    int64_t *firsts;   /* the first item of each */
    int32_t *by_place; /* numbers in order of first appearance */
    int64_t k;
} literal_numbers;

static literal_numbers number_literally(const pw_items *items, int unit) {
    literal_numbers own = {room(items->n, 4), room(items->n, 8), room(items->n, 4), 0};
    int64_t *order = room(items->n, sizeof *order);
    int64_t n = 0;
    for (int64_t i = 0; i < items->n; i++)
        if (!is_skipped(items, i)) order[n++] = i;
    compared_items = items;
    compared_unit = unit;
    qsort(order, (size_t)n, sizeof *order, compare_items);
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || compare_items(&order[i - 1], &order[i]) != 0) {
            own.firsts[own.k++] = order[i];
        } else if (order[i] < own.firsts[own.k - 1]) {
            own.firsts[own.k - 1] = order[i];
        }
        own.codes[order[i]] = (int32_t)(own.k - 1);
    }
    int32_t *number = room(own.k, sizeof *number);
    int32_t used = 0;
    for (int64_t i = 0; i < items->n; i++) {
        if (is_skipped(items, i)) continue;
        if (own.firsts[own.codes[i]] == i) number[own.codes[i]] = used++;
        own.by_place[i] = number[own.codes[i]];
    }
    return own;
}

/* ---- several workers --------------------------------------------------------------------------
 */

typedef struct {
    const pw_items *items;
    int unit;
    int parts;
    int32_t *codes;
    uint64_t *hashes;
    int64_t *firsts[PARTS_MOST];
    int64_t sizes[PARTS_MOST];
    uint8_t *buckets[PARTS_MOST];
    int64_t counts[PARTS_MOST][PARTS_MOST];
    int64_t bucket_sizes[PARTS_MOST];
    int64_t starts[PARTS_MOST];
    int64_t splitters[PARTS_MOST];
    int64_t *places;
    int32_t *sorted_ranks;
    int32_t *ranks;
} numbering;

static void free_numbering(numbering *job) {
    for (int part = 0; part < PARTS_MOST; part++) {
        free(job->firsts[part]);
        job->firsts[part] = NULL;
        job->sizes[part] = 0;
    }
}

static int64_t start_of(const numbering *job, int part) {
    return part == job->parts ? job->items->n : job->items->n / job->parts * part;
}

static int hash_part(void *context, int part) {
    numbering *job = context;
    return pw_hash_items(job->items, start_of(job, part), start_of(job, part + 1), job->hashes,
                         &driver_poll);
}

static int number_part(void *context, int part) {
    numbering *job = context;
    return pw_number_items(job->items, job->hashes, job->parts, part, job->codes,
                           &job->firsts[part], &job->sizes[part], &driver_poll);
}

static pw_item_lists lists_of(numbering *job) {
    return (pw_item_lists){job->parts, job->firsts, job->buckets, job->sizes};
}

static int split_part(void *context, int part) {
    numbering *job = context;
    const pw_item_lists lists = lists_of(job);
    return pw_split_items(job->items, job->unit, &lists, part, job->splitters, job->counts[part],
                          &driver_poll);
}

static int order_part(void *context, int part) {
    numbering *job = context;
    const pw_item_lists lists = lists_of(job);
    return pw_order_bucket(job->items, job->unit, &lists, part, job->bucket_sizes[part],
                           job->places + job->starts[part], job->sorted_ranks + job->starts[part],
                           &driver_poll);
}

static int renumber_part(void *context, int part) {
    numbering *job = context;
    pw_items own = *job->items;
    const int64_t start = start_of(job, part);
    own.n = start_of(job, part + 1) - start;
    if (own.skipped != NULL) own.skipped += start;
    if (own.offsets != NULL) {
        own.offsets = (const char *)own.offsets + own.offset_size * start;
    } else {
        own.data += own.width * start;
    }
    pw_renumber(&own, job->codes + start, job->ranks);
    return PW_OK;
}

static int number_by_team(numbering *job) {
    const int status = run_team(hash_part, job, job->parts);
    return status == PW_OK ? run_team(number_part, job, job->parts) : status;
}

static int order_by_team(numbering *job) {
    const pw_item_lists lists = lists_of(job);
    int status = pw_choose_splitters(job->items, job->unit, &lists, job->splitters);
    if (status == PW_OK) status = run_team(split_part, job, job->parts);
    if (status != PW_OK) return status;
    int64_t at = 0;
    for (int bucket = 0; bucket < job->parts; bucket++) {
        job->starts[bucket] = at;
        job->bucket_sizes[bucket] = 0;
        for (int list = 0; list < job->parts; list++)
            job->bucket_sizes[bucket] += job->counts[list][bucket];
        at += job->bucket_sizes[bucket];
    }
    status = run_team(order_part, job, job->parts);
    if (status == PW_OK) pw_join_ranks(&lists, job->starts, job->sorted_ranks, job->ranks);
    return status;
}

static void check_team(driver_input *in, const pw_items *items, int unit,
                       const literal_numbers *literal) {
    numbering job = {.items = items, .unit = unit, .parts = 1 + (int)take_below(in, PARTS_MOST)};
    job.codes = room(items->n, sizeof *job.codes);
    job.hashes = room(items->n, sizeof *job.hashes);
    int status;
    KERNEL(status, free_numbering(&job), number_by_team(&job), );
    CHECK(status == PW_OK);
    int64_t k = 0, longest = 0;
    for (int part = 0; part < job.parts; part++) {
        k += job.sizes[part];
        if (job.sizes[part] > longest) longest = job.sizes[part];
    }
    CHECK(k == literal->k);
    for (int64_t i = 0; i < items->n; i++) {
        if (is_skipped(items, i)) {
            CHECK(job.codes[i] == 0);
            continue;
        }
        const int part = job.codes[i] % job.parts, number = job.codes[i] / job.parts;
        CHECK(number < job.sizes[part]);
        CHECK(job.firsts[part][number] == literal->firsts[literal->codes[i]]);
        CHECK(number == 0 || job.firsts[part][number - 1] < job.firsts[part][number]);
    }
    if (k >= 32 * job.parts) {
        job.places = room(k, sizeof *job.places);
        job.sorted_ranks = room(k, sizeof *job.sorted_ranks);
        job.ranks = room(longest * job.parts + 1, sizeof *job.ranks);
        for (int list = 0; list < job.parts; list++) job.buckets[list] = room(job.sizes[list], 1);
        KERNEL_PLAIN(status, order_by_team(&job));
        CHECK(status == PW_OK);
        CHECK_SAME(job.places, literal->firsts, k);
        run_team(renumber_part, &job, job.parts);
        CHECK_SAME(job.codes, literal->codes, items->n);
    }
    free_numbering(&job);
}

/* ---- one worker -------------------------------------------------------------------------------
 */

static void free_firsts(int64_t **firsts) {
    free(*firsts);
    *firsts = NULL;
}

static void check_numbers(driver_input *in, const pw_items *items, int unit) {
    const literal_numbers literal = number_literally(items, unit);
    int32_t *codes = room(items->n, sizeof *codes);
    int64_t *firsts = NULL;
    int64_t k = 0;
    int status;
    KERNEL(status, free_firsts(&firsts),
           pw_number_items(items, NULL, 1, 0, codes, &firsts, &k, &driver_poll),
           CHECK(firsts == NULL));
    CHECK(status == PW_OK && k == literal.k);
    CHECK_SAME(codes, literal.by_place, items->n);
    HASH(codes, items->n);
    int64_t bytes = 0;
    for (int64_t j = 0; j < k; j++) {
        int64_t size;
        CHECK(literal.by_place[firsts[j]] == j);
        bytes_of(items, firsts[j], &size);
        bytes += size;
    }
    CHECK(pw_bytes_of_items(items, firsts, k) == bytes);
    /* copies of the distinct ones */
    char *copied = room(bytes, 1);
    int64_t *ends = room(k + 1, sizeof *ends);
    pw_copy_items(items, firsts, k, 0, copied, ends);
    for (int64_t j = 0; j < k; j++) {
        int64_t size;
        const char *at = bytes_of(items, firsts[j], &size);
        CHECK(ends[j + 1] - ends[j] == size);
        CHECK(memcmp(copied + ends[j], at, (size_t)size) == 0);
    }
    /* their order */
    int64_t *places = room(k, sizeof *places);
    int32_t *ranks = room(k + 1, sizeof *ranks);
    KERNEL(status, memcpy(places, firsts, (size_t)k * sizeof *places),
           pw_order_items(items, unit, places, ranks, k, &driver_poll), );
    CHECK(status == PW_OK);
    CHECK_SAME(places, literal.firsts, k);
    for (int64_t j = 0; j < k; j++) CHECK(ranks[j] == literal.codes[firsts[j]]);
    pw_renumber(items, codes, ranks);
    CHECK_SAME(codes, literal.codes, items->n);
    int few;
    KERNEL_PLAIN(status, pw_few_distinct(items, &few));
    CHECK(status == PW_OK);
    HASH_ONE(few);
    free_firsts(&firsts);
    check_team(in, items, unit, &literal);
}

/* ---- whole numbers ----------------------------------------------------------------------------
 */

/* Whether the bytes write a whole number of 64 bits in its usual form: printing it gives them. */
static int literal_whole(const char *at, int64_t size, int64_t *number) {
    char text[24], again[24];
    if (size < 1 || size > 20) return 0;
    memcpy(text, at, (size_t)size);
    text[size] = 0;
    if ((int64_t)strlen(text) != size) return 0;
    *number = (int64_t)strtoll(text, NULL, 10);
    snprintf(again, sizeof again, "%lld", (long long)*number);
    return strcmp(text, again) == 0;
}

static void check_whole(driver_input *in) {
    const int64_t n = take_between(in, 0, 6);
    char *data = room(n * 24, 1);
    int64_t *ends = room(n + 1, sizeof *ends);
    int64_t *numbers = room(n, sizeof *numbers);
    int64_t used = 0;
    for (int64_t i = 0; i < n; i++) {
        char text[32];
        const int kind = (int)take_below(in, 8);
        int64_t number = (int64_t)(take_word(in) >> take_below(in, 64));
        if (kind == 1) number = INT64_MIN + take_byte(in) % 3;
        if (kind == 2) number = INT64_MAX - take_byte(in) % 3;
        if (take_byte(in) % 2) number = (int64_t)-(uint64_t)number;
        int size = snprintf(text, sizeof text, kind == 3 ? "%020lld" : "%lld", (long long)number);
        if (kind == 4) text[take_below(in, (uint64_t)size)] = (char)take_byte(in);
        if (kind == 5) size = (int)take_below(in, (uint64_t)size + 1);
        if (kind == 6) text[size++] = (char)('0' + take_byte(in) % 10);
        if (size > 24) size = 24;
        memcpy(data + used, text, (size_t)size);
        used += size;
        ends[i + 1] = used;
    }
    /* the bytes end where the last item does */
    char *exact = room(used, 1);
    memcpy(exact, data, (size_t)used);
    const pw_items items = {exact, ends, 8, 0, n, NULL};
    const int whole = pw_whole_items(&items, numbers);
    int all = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t number;
        const int own = literal_whole(exact + ends[i], ends[i + 1] - ends[i], &number);
        all &= own;
        if (whole) CHECK(own && number == numbers[i]);
    }
    CHECK(whole == all);
    HASH_ONE(whole);
}

/* ---- UTF-8 ------------------------------------------------------------------------------------
 */

static void check_utf8(driver_input *in) {
    const int64_t n = take_between(in, 0, 20);
    const int size = 1 << take_below(in, 3);
    char *points = room(n, (size_t)size), *to = room(4 * n, 1);
    for (int64_t i = 0; i < n; i++) {
        uint32_t point = (uint32_t)take_word(in) >> take_below(in, 32);
        point %= size == 1 ? 0x100 : size == 2 ? 0x10000 : 0x110000;
        memcpy(points + i * size, &point, (size_t)size);
    }
    const int64_t used = pw_put_utf8(points, size, n, to);
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t point = 0, own;
        memcpy(&point, points + i * size, (size_t)size);
        const uint8_t first = (uint8_t)to[at];
        const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        own = more == 0 ? first : first & (0x3Fu >> more);
        for (int k = 1; k <= more; k++) {
            CHECK(((uint8_t)to[at + k] & 0xC0) == 0x80);
            own = own << 6 | ((uint8_t)to[at + k] & 0x3F);
        }
        CHECK(own == point);
        CHECK(more == (point >= 0x80) + (point >= 0x800) + (point >= 0x10000));
        at += more + 1;
    }
    CHECK(at == used);
    HASH(to, used);
}

void target_text(driver_input *in) {
    const int64_t n =
        take_byte(in) % 4 == 0 ? take_between(in, 1, ITEMS_MOST) : take_between(in, 1, 40);
    const int unit = take_byte(in) % 4 == 0 ? 4 : 1;
    const pw_items items = take_items(in, n, unit);
    check_numbers(in, &items, unit);
    check_whole(in);
    check_utf8(in);
}
