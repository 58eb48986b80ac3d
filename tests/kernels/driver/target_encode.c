/* Labels as numbers: encoding by one worker and several, recoding, ids, sorts, wide integers. */
#include "labels.h"
#include "pw_encode.h"
#include "pw_radix.h"
#include "pw_ratios.h"
#include "pw_recode.h"
#include "pw_wide_integers.h"

#define PARTS_MOST 5
#define ITEMS_MOST 600

/* ---- encoding ---------------------------------------------------------------------------------
 */

typedef struct {
    const pw_labels *labels;
    int parts;
    uint64_t low;
    int64_t range;
    int64_t *codes;
    uint64_t *offsets;
    uint8_t *marks;
    int64_t *numbers;
    int64_t firsts[PARTS_MOST];
    uint64_t splitters[PARTS_MOST];
    pw_encode_run runs[PARTS_MOST];
    uint64_t *values;
} encoding;

static int64_t start_of(const encoding *job, int part, int64_t n) {
    return part == job->parts ? n : n / job->parts * part;
}

static int load_part(void *context, int part) {
    encoding *job = context;
    const int64_t n = job->labels->n;
    uint64_t *to = job->marks != NULL ? (uint64_t *)job->codes : job->offsets;
    const int64_t start = start_of(job, part, n), stop = start_of(job, part + 1, n);
    int status = pw_encode_load(job->labels, job->low, start, stop, to, &driver_poll);
    if (status == PW_OK && job->marks != NULL)
        status = pw_encode_mark(to, start, stop, job->range, job->marks);
    return status;
}

static int number_part(void *context, int part) {
    encoding *job = context;
    pw_encode_number(job->marks, start_of(job, part, job->range),
                     start_of(job, part + 1, job->range), job->low, job->firsts[part], job->numbers,
                     job->values);
    return PW_OK;
}

static int look_up_part(void *context, int part) {
    encoding *job = context;
    const int64_t n = job->labels->n;
    return pw_encode_look_up(job->codes, start_of(job, part, n), start_of(job, part + 1, n),
                             job->numbers, &driver_poll);
}

static int sort_part(void *context, int part) {
    encoding *job = context;
    const uint64_t least = part == 0 ? 0 : job->splitters[part - 1];
    uint64_t most = UINT64_MAX;
    if (part + 1 < job->parts) {
        if (job->splitters[part] == least) return PW_OK;
        most = job->splitters[part] - 1;
    }
    return pw_encode_sort(job->offsets, job->labels->n, least, most, &job->runs[part],
                          &driver_poll);
}

static int write_part(void *context, int part) {
    encoding *job = context;
    return pw_encode_write(&job->runs[part], job->low, job->firsts[part], job->codes, job->values,
                           &driver_poll);
}

static int encode_by_marks(encoding *job) {
    int64_t distinct = 0;
    const int status = run_team(load_part, job, job->parts);
    if (status != PW_OK) return status;
    for (int part = 0; part < job->parts; part++) {
        job->firsts[part] = distinct;
        distinct += pw_encode_count(job->marks, start_of(job, part, job->range),
                                    start_of(job, part + 1, job->range));
    }
    run_team(number_part, job, job->parts);
    return run_team(look_up_part, job, job->parts);
}

static int encode_by_sorting(encoding *job) {
    int64_t distinct = 0;
    int status = run_team(load_part, job, job->parts);
    if (status == PW_OK)
        status = pw_encode_split(job->offsets, job->labels->n, job->parts, job->splitters);
    if (status == PW_OK) status = run_team(sort_part, job, job->parts);
    for (int part = 0; status == PW_OK && part < job->parts; part++) {
        job->firsts[part] = distinct;
        distinct += job->runs[part].distinct;
    }
    return status == PW_OK ? run_team(write_part, job, job->parts) : status;
}

static void clear_job(encoding *job) {
    for (int part = 0; part < PARTS_MOST; part++) free(job->runs[part].pairs);
    memset(job->runs, 0, sizeof job->runs);
    if (job->marks != NULL) memset(job->marks, 0, (size_t)job->range);
}

static void check_team(driver_input *in, const pw_labels *labels, const int64_t *codes,
                       const uint64_t *values, int64_t k) {
    const int64_t n = labels->n;
    encoding job = {.labels = labels, .parts = 1 + (int)take_below(in, PARTS_MOST)};
    job.low = values[0];
    job.codes = room(n, sizeof *job.codes);
    job.values = room(k, sizeof *job.values);
    job.offsets = room(n, sizeof *job.offsets);
    int status;
    const uint64_t span = values[k - 1] - values[0];
    if (span < (uint64_t)pw_encode_range(labels)) {
        job.range = (int64_t)span + 1;
        job.marks = room(job.range, 1);
        job.numbers = room(job.range, sizeof *job.numbers);
        KERNEL(status, clear_job(&job), encode_by_marks(&job), );
        CHECK(status == PW_OK);
        CHECK_SAME(job.codes, codes, n);
        CHECK_SAME(job.values, values, k);
        job.marks = NULL;
    }
    memset(job.codes, 0, (size_t)n * sizeof *job.codes);
    memset(job.values, 0, (size_t)k * sizeof *job.values);
    KERNEL(status, clear_job(&job), encode_by_sorting(&job), );
    CHECK(status == PW_OK);
    CHECK_SAME(job.codes, codes, n);
    CHECK_SAME(job.values, values, k);
    clear_job(&job);
}

static void check_encode(driver_input *in, const pw_labels *labels) {
    const int64_t n = labels->n;
    uint64_t *values;
    const int64_t k = distinct_labels(labels, &values);
    int64_t *literal = room(n, sizeof *literal);
    for (int64_t i = 0; i < n; i++)
        literal[i] = place_of_label(values, k, literal_label(labels, i), labels->is_signed);
    uint64_t low, high;
    pw_range(labels, &low, &high);
    CHECK(low == values[0] && high == values[k - 1]);
    const int64_t start = (int64_t)take_below(in, (uint64_t)n);
    uint64_t *wide = room(n - start, sizeof *wide);
    pw_load_u64(labels, start, n - start, low, wide);
    for (int64_t i = start; i < n; i++) CHECK(wide[i - start] == literal_label(labels, i) - low);
    if (high - low < UINT64_C(1) << 32) {
        uint32_t *narrow = room(n - start, sizeof *narrow);
        pw_load_u32(labels, start, n - start, low, narrow);
        for (int64_t i = start; i < n; i++) CHECK(narrow[i - start] == wide[i - start]);
    }
    int64_t *codes = room(n, sizeof *codes);
    uint64_t *own = NULL;
    int64_t own_k = 0;
    int status;
    KERNEL(status, own = NULL, pw_encode(labels, codes, &own, &own_k, &driver_poll),
           CHECK(own == NULL));
    CHECK(status == PW_OK && own_k == k);
    CHECK_SAME(codes, literal, n);
    CHECK_SAME(own, values, k);
    free(own);
    HASH(codes, n);
    check_team(in, labels, codes, values, k);
    /* first appearance */
    int64_t *first = room(k, sizeof *first);
    int64_t used = 0, seen = 0;
    KERNEL(status, memcpy(codes, literal, (size_t)n * sizeof *codes),
           pw_first_appearance(codes, n, k, &used, &driver_poll),
           if (status != PW_STOPPED) CHECK_SAME(codes, literal, n));
    CHECK(status == PW_OK && used == k);
    for (int64_t i = 0; i < n; i++) {
        if (first[literal[i]] == 0) first[literal[i]] = ++seen;
        CHECK(codes[i] == first[literal[i]] - 1);
    }
}

/* ---- recoding ---------------------------------------------------------------------------------
 */

static void check_recode(driver_input *in, const pw_labels *labels) {
    const int64_t n = labels->n;
    const int64_t n_codes = take_between(in, 1, 300);
    int32_t *numbers = room(n_codes, sizeof *numbers);
    for (int64_t c = 0; c < n_codes; c++) numbers[c] = (int32_t)(c * 2654435761u);
    int32_t *out = room(n, sizeof *out);
    int64_t *first = room(n_codes, sizeof *first);
    const int64_t wrong = pw_recode(labels, numbers, n_codes, out);
    int64_t first_wrong = -1;
    int status;
    KERNEL_PLAIN(status, pw_first_places(labels, n_codes, first, &first_wrong, &driver_poll));
    CHECK(status == PW_OK);
    int64_t *literal = room(n_codes, sizeof *literal);
    for (int64_t c = 0; c < n_codes; c++) literal[c] = -1;
    const uint64_t mask =
        labels->itemsize == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * labels->itemsize) - 1;
    int64_t literal_wrong = n, missing = n_codes, looked_at = n;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t code = literal_label(labels, i) & mask;
        if (code >= (uint64_t)n_codes) {
            literal_wrong = i;
            break;
        }
        CHECK(out[i] == numbers[code]);
        if (literal[code] < 0) {
            literal[code] = i;
            if (--missing == 0 && looked_at == n) looked_at = i;
        }
    }
    CHECK(wrong == literal_wrong);
    CHECK_SAME(first, literal, n_codes);
    CHECK(first_wrong == (missing == 0 && literal_wrong > looked_at ? n : literal_wrong));
    HASH_ONE(wrong);
    uint8_t *dropped = room(n, 1);
    char *kept = room(n, (size_t)labels->itemsize);
    for (int64_t i = 0; i < n; i++) dropped[i] = take_byte(in) % 3 == 1;
    const int64_t n_kept = pw_keep(labels, dropped, kept);
    const pw_labels left = {kept, n_kept, labels->itemsize, labels->is_signed};
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++)
        if (!dropped[i]) CHECK(literal_label(&left, at++) == literal_label(labels, i));
    CHECK(at == n_kept);
}

static void check_doubles(driver_input *in) {
    const int64_t n = take_between(in, 0, 40);
    const double base = (double)take_between(in, -70000, 70000);
    double *values = room(n, sizeof *values);
    double least = INFINITY, largest = -INFINITY;
    int64_t missing = 0;
    int all_whole = 1;
    for (int64_t i = 0; i < n; i++) {
        const int kind = take_byte(in);
        values[i] = base + (double)take_below(in, 1 << 20);
        if (kind % 16 == 1) values[i] = NAN;
        if (kind % 64 == 2) values[i] += 0.5;
        if (isnan(values[i])) {
            missing++;
            continue;
        }
        all_whole &= values[i] == floor(values[i]);
        if (values[i] < least) least = values[i];
        if (values[i] > largest) largest = values[i];
    }
    double own_least, own_largest;
    CHECK(pw_double_range(values, n, &own_least, &own_largest) == missing);
    CHECK(own_least == least && own_largest == largest);
    if (missing < n && least == floor(least)) {
        int32_t *out = room(n, sizeof *out);
        CHECK(pw_whole_numbers(values, n, least, out) == all_whole);
        for (int64_t i = 0; all_whole && i < n; i++)
            CHECK(out[i] == (isnan(values[i]) ? 0 : (int32_t)(values[i] - least)));
    }
    for (int64_t i = 0; i < n; i++) {
        if (isnan(values[i])) values[i] = -INFINITY;
        if (take_byte(in) % 8 == 0) values[i] = i % 2 == 0 ? 0.0 : -0.0;
    }
    int64_t *order = room(n, sizeof *order);
    int status;
    KERNEL_PLAIN(status, pw_stable_order(values, n, order, &driver_poll));
    CHECK(status == PW_OK);
    for (int64_t i = 1; i < n; i++) {
        const double x = values[order[i - 1]], y = values[order[i]];
        CHECK(x < y || (x == y && order[i - 1] < order[i]));
    }
    HASH(order, n);
}

/* ---- ids of two sides -------------------------------------------------------------------------
 */

typedef struct {
    int64_t n;
    int parts;
    const int64_t *ids[2];
    int64_t *places[2];
    int64_t *pairs;
} pairing;

static int pair_part(void *context, int part) {
    pairing *job = context;
    const int64_t start = job->n / job->parts * part;
    const int64_t stop = part + 1 == job->parts ? job->n : job->n / job->parts * (part + 1);
    return pw_pair_ids(job->ids[0], job->places[0], job->places[1], start, stop, job->pairs);
}

static void check_ids(driver_input *in) {
    const int64_t n = take_between(in, 0, 40);
    const int damage = (int)take_below(in, 4);
    int64_t *ids[2];
    pairing job = {.n = n, .parts = 1 + (int)take_below(in, 3)};
    for (int side = 0; side < 2; side++) {
        job.ids[side] = ids[side] = room(n, sizeof(int64_t));
        job.places[side] = room(n, sizeof(int64_t));
        for (int64_t i = 0; i < n; i++) {
            const int64_t j = (int64_t)take_below(in, (uint64_t)i + 1);
            ids[side][i] = ids[side][j];
            ids[side][j] = i;
        }
    }
    if (n > 0 && damage > 1) ids[damage - 2][take_below(in, (uint64_t)n)] = 0;
    job.pairs = room(n, sizeof(int64_t));
    for (int side = 0; side < 2; side++) pw_place_ids(ids[side], 0, n, job.places[side]);
    int one_to_one = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t own = 0, other = 0;
        for (int64_t j = 0; j < n; j++) {
            own += ids[0][j] == ids[0][i];
            other += ids[1][j] == ids[0][i];
        }
        one_to_one &= own == 1 && other >= 1;
    }
    const int status = run_team(pair_part, &job, job.parts);
    CHECK(status == (one_to_one ? PW_OK : PW_CROWDED));
    for (int64_t i = 0; one_to_one && i < n; i++) CHECK(ids[1][job.pairs[i]] == ids[0][i]);
}

/* ---- sorts ------------------------------------------------------------------------------------
 */

static void check_sorts(driver_input *in) {
    const int64_t n = (int64_t)take_below(in, ITEMS_MOST);
    const int bits = 1 + (int)take_below(in, 64);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const int few = take_byte(in) % 2;
    driver_random random = {take_below(in, 1 << 16)};
    pw_pair *pairs = room(n, sizeof *pairs), *own = room(n, sizeof *own);
    pw_triple *triples = room(n, sizeof *triples), *spare = room(n, sizeof *spare);
    uint64_t *keys = room(n, sizeof *keys), *other = room(n, sizeof *other);
    uint32_t *short_keys = room(n, sizeof *short_keys), *short_other = room(n, sizeof(uint32_t));
    for (int64_t i = 0; i < n; i++) {
        uint64_t key = random_word(&random) & mask;
        if (few) key = key % 17 * (mask / 17);
        pairs[i] = (pw_pair){key, i};
        triples[i] = (pw_triple){key, key ^ 5, i};
        keys[i] = key;
        short_keys[i] = (uint32_t)key;
    }
    int status;
    KERNEL(status, memcpy(own, pairs, (size_t)n * sizeof *own),
           pw_sort_pairs(own, n, bits, &driver_poll), );
    CHECK(status == PW_OK);
    CHECK(pw_sort_triples_with(triples, spare, n, bits, NULL) == PW_OK);
    pw_sort_u64(keys, other, n, bits);
    pw_sort_u32(short_keys, short_other, n, bits < 32 ? bits : 32);
    for (int64_t i = 0; i < n; i++) {
        CHECK(own[i].key == pairs[own[i].value].key);
        CHECK(keys[i] == own[i].key);
        CHECK(triples[i].key == own[i].key && triples[i].count == own[i].value);
        CHECK(triples[i].label == (own[i].key ^ 5));
        if (i == 0) continue;
        CHECK(own[i - 1].key < own[i].key ||
              (own[i - 1].key == own[i].key && own[i - 1].value < own[i].value));
        CHECK(short_keys[i - 1] <= short_keys[i]);
        if (bits <= 32) CHECK(short_keys[i] == own[i].key);
    }
    HASH(own, n);
}

/* ---- wide integers ----------------------------------------------------------------------------
 */

static pw_i128 take_wide(driver_input *in) {
    const int bits = (int)take_below(in, 128);
    const pw_u128 high = take_word(in), low = take_word(in);
    const pw_u128 size = bits == 0 ? 0 : (high << 64 | low) >> (128 - bits);
    return take_byte(in) % 2 ? -(pw_i128)size : (pw_i128)size;
}

static int bits_of(pw_i128 x) {
    int bits = 0;
    for (pw_u128 size = x < 0 ? -(pw_u128)x : (pw_u128)x; size != 0; size >>= 1) bits++;
    return bits;
}

static int fits_127(pw_i128 x) {
    const pw_i128 most = (pw_i128)((pw_u128)1 << 126);
    return -most < x && x < most;
}

static void check_wide(driver_input *in) {
    const int64_t n = take_between(in, 0, 6);
    int64_t *high[3], *ratio_high[2];
    uint64_t *low[3];
    pw_i128 *literal[2];
    for (int k = 0; k < 3; k++) {
        high[k] = room(n, sizeof(int64_t));
        low[k] = room(n, sizeof(uint64_t));
        if (k < 2) literal[k] = room(n, sizeof(pw_i128));
        if (k < 2) ratio_high[k] = high[k];
        for (int64_t i = 0; k < 2 && i < n; i++) {
            literal[k][i] = take_wide(in);
            high[k][i] = (int64_t)(literal[k][i] >> 64);
            low[k][i] = (uint64_t)literal[k][i];
        }
    }
    const int64_t step = n > 0 && take_byte(in) % 4 == 0 ? 0 : 1;
    const pw_wides x = {high[0], low[0], 1}, y = {high[1], low[1], step};
    int (*const operations[3])(const pw_wides *, const pw_wides *, int64_t, int64_t *,
                               uint64_t *) = {pw_wide_sum, pw_wide_difference, pw_wide_product};
    for (int operation = 0; operation < 3; operation++) {
        const int too_large = operations[operation](&x, &y, n, high[2], low[2]);
        for (int64_t i = 0; i < n; i++) {
            const pw_i128 a = literal[0][i], b = literal[1][i * step];
            if (too_large) continue;
            pw_i128 result;
            int over = operation == 0   ? __builtin_add_overflow(a, b, &result)
                       : operation == 1 ? __builtin_sub_overflow(a, b, &result)
                                        : __builtin_mul_overflow(a, b, &result);
            CHECK(!over);
            CHECK(high[2][i] == (int64_t)(result >> 64) && low[2][i] == (uint64_t)result);
        }
        /* what is refused does come near the limit */
        int near = 0;
        for (int64_t i = 0; i < n; i++) {
            const pw_i128 a = literal[0][i], b = literal[1][i * step];
            pw_i128 result;
            int over = operation == 0   ? __builtin_add_overflow(a, b, &result)
                       : operation == 1 ? __builtin_sub_overflow(a, b, &result)
                                        : __builtin_mul_overflow(a, b, &result);
            const pw_i128 quarter = (pw_i128)((pw_u128)1 << 124);
            near |= over || !fits_127(result) || result >= quarter || result <= -quarter;
            /* a product is refused by the bits of its factors, be one of them 0 */
            near |= operation == 2 && bits_of(a) + bits_of(b) > 126;
        }
        if (too_large) CHECK(near);
        HASH_ONE(too_large);
        if (!too_large) HASH(high[2], n);
    }
    for (int64_t i = 0; i < n; i++) {
        if (literal[1][i] != 0) continue;
        literal[1][i] = 1;
        low[1][i] = 1;
    }
    double *ratios = room(n, sizeof *ratios);
    pw_wide_ratio(ratio_high[0], low[0], ratio_high[1], low[1], n, ratios);
    for (int64_t i = 0; i < n; i++) {
        const double rough = (double)literal[0][i] / (double)literal[1][i];
        CHECK(fabs(ratios[i] - rough) <= fabs(rough) * 4e-16);
        /* whole quotients are exact */
        if (literal[0][i] % literal[1][i] == 0)
            CHECK(ratios[i] == (double)(literal[0][i] / literal[1][i]));
    }
    HASH(ratios, n);
}

void target_encode(driver_input *in) {
    const int64_t n =
        take_byte(in) % 4 == 0 ? take_between(in, 1, ITEMS_MOST) : take_between(in, 1, 60);
    const pw_labels labels = take_labels(in, n);
    check_encode(in, &labels);
    check_recode(in, &labels);
    check_doubles(in);
    check_ids(in);
    check_sorts(in);
    check_wide(in);
}
