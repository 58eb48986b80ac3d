/* Included by pw_radix.c once per kind of record: RECORD, a type with a `key`; NAME(x): x with a
 * suffix. */

/* Insertion sort. Returns 0, with the records in some order, if it would take more than about
 * eight moves a record. */
static int NAME(insert)(RECORD *records, int64_t n) {
    int64_t moves = 8 * n + 1024;
    for (int64_t i = 1; i < n; i++) {
        const RECORD record = records[i];
        int64_t j = i;
        for (; j > 0 && records[j - 1].key > record.key; j--) records[j] = records[j - 1];
        records[j] = record;
        moves -= i - j;
        if (moves < 0) return 0;
    }
    return 1;
}

static void NAME(pass)(const RECORD *from, RECORD *to, int64_t n, int shift, int width) {
    uint32_t start[DIGITS];
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    memset(start, 0, ((size_t)1 << width) * sizeof *start);
    for (int64_t i = 0; i < n; i++) start[(from[i].key >> shift) & mask]++;
    uint32_t total = 0;
    for (int d = 0; d < 1 << width; d++) {
        const uint32_t here = start[d];
        start[d] = total;
        total += here;
    }
    for (int64_t i = 0; i < n; i++) to[start[(from[i].key >> shift) & mask]++] = from[i];
}

/* Sorts records that fit a cache by the low `bits` bits. Two passes on the leading two digits
 * nearly sort them, and insertion does the rest, unless too many records agree in these digits. */
static void NAME(sort_short)(RECORD *records, RECORD *other, int64_t n, int bits) {
    if (n <= SHORT && NAME(insert)(records, n)) return;
    int width = (pw_bits((uint64_t)n) + 7) / 2;
    if (width > DIGIT_BITS) width = DIGIT_BITS;
    const int low = bits > 2 * width ? bits - 2 * width : 0;
    NAME(pass)(records, other, n, low, width);
    NAME(pass)(other, records, n, low + width, width);
    if (low == 0 || NAME(insert)(records, n)) return;
    RECORD *from = records;
    RECORD *to = other;
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        NAME(pass)(from, to, n, shift, DIGIT_BITS);
        RECORD *swap = from;
        from = to;
        to = swap;
    }
    if (from != records) memcpy(records, from, (size_t)n * sizeof *records);
}

/* Sorts records that agree above their low `bits` bits; `other` has room for as many. */
static int NAME(sort_long)(RECORD *records, RECORD *other, int64_t n, int bits,
                           const pw_poll *poll) {
    if (n < 2 || bits <= 0) return PW_OK;
    if (n <= SPLIT_ITEMS) {
        NAME(sort_short)(records, other, n, bits);
        return PW_OK;
    }
    if (pw_stop(poll)) return PW_STOPPED;
    const int wanted = pw_bits((uint64_t)n) - 11;
    int width = wanted < DIGIT_BITS ? wanted : DIGIT_BITS;
    if (width > bits) width = bits;
    const int rest = bits - width;
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    int64_t start[DIGITS];
    memset(start, 0, sizeof start);
    for (int64_t i = 0; i < n;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_ITEMS);
        for (; i < stop; i++) start[(records[i].key >> rest) & mask]++;
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    if (start[(records[0].key >> rest) & mask] == n) {
        return NAME(sort_long)(records, other, n, rest, poll);
    }
    int64_t total = 0;
    for (int64_t d = 0; d <= (int64_t)mask; d++) {
        const int64_t here = start[d];
        start[d] = total;
        total += here;
    }
    for (int64_t i = 0; i < n;) {
        const int64_t stop = pw_min64(n, i + PW_POLL_SCATTERED);
        for (; i < stop; i++) other[start[(records[i].key >> rest) & mask]++] = records[i];
        if (i < n && pw_stop(poll)) return PW_STOPPED;
    }
    int64_t from = 0;
    int64_t unpolled = 0;                          /* short parts do not poll themselves */
    for (int64_t d = 0; d <= (int64_t)mask; d++) { /* starts have become ends */
        const int64_t count = start[d] - from;
        unpolled += count;
        if (unpolled >= PW_POLL_SCATTERED) {
            if (pw_stop(poll)) return PW_STOPPED;
            unpolled = 0;
        }
        const int status = NAME(sort_long)(other + from, records + from, count, rest, poll);
        if (status != PW_OK) return status;
        memcpy(records + from, other + from, (size_t)count * sizeof *records);
        from = start[d];
    }
    return PW_OK;
}
