/* Included by pw_meet.c once per key width. KEY: type of the key without its partition bits;
 * NAME(x): x with a suffix; SORT: the sort for KEY. */

/* Spread the items over the parts; `start` (parts + 1) holds where each part begins.
 * A cache line of keys is collected per part before it is written out. */
static int NAME(scatter)(const pw_plan *plan, const int64_t *start, KEY *keys,
                         const pw_poll *poll) {
    enum { LINE = 64 / sizeof(KEY) };
    const int64_t parts = (int64_t)1 << plan->part_bits;
    KEY *lines = malloc((size_t)parts * LINE * sizeof *lines);
    int64_t *next = malloc((size_t)parts * sizeof *next);
    uint8_t *fill = calloc((size_t)parts, 1);
    uint64_t rows[PW_BLOCK];
    uint64_t cols[PW_BLOCK];
    const int rest_bits = plan->key_bits - plan->part_bits;
    int status = PW_OK;
    if (lines == NULL || next == NULL || fill == NULL) status = PW_NO_MEMORY;
    if (status == PW_OK) memcpy(next, start, (size_t)parts * sizeof *next);
    for (int64_t i = 0; i < plan->n && status == PW_OK; i += PW_BLOCK) {
        const int64_t count = pw_min64(PW_BLOCK, plan->n - i);
        pw_load_u64(plan->a, i, count, plan->a_low, rows);
        pw_load_u64(plan->b, i, count, plan->b_low, cols);
        for (int64_t j = 0; j < count; j++) {
            const uint64_t key = rows[j] << plan->col_bits | cols[j];
            const uint64_t part = plan->part_bits == 0 ? 0 : key >> rest_bits;
            KEY *line = lines + part * LINE;
            int filled = fill[part];
            line[filled++] = (KEY)key;
            if (filled == LINE) {
                memcpy(keys + next[part], line, LINE * sizeof *line);
                next[part] += LINE;
                filled = 0;
            }
            fill[part] = (uint8_t)filled;
        }
        if (i % PW_POLL_ITEMS == 0 && pw_stop(poll)) status = PW_STOPPED;
    }
    if (status == PW_OK) {
        for (int64_t part = 0; part < parts; part++) {
            memcpy(keys + next[part], lines + part * LINE, fill[part] * sizeof *lines);
        }
    }
    free(lines);
    free(next);
    free(fill);
    return status;
}

static int NAME(partitioned)(const pw_plan *plan, const int64_t *start, pw_builder *out,
                             const pw_poll *poll) {
    const int64_t parts = (int64_t)1 << plan->part_bits;
    const int rest_bits = plan->key_bits - plan->part_bits;
    const KEY rest_mask =
        rest_bits >= (int)(8 * sizeof(KEY)) ? (KEY) ~(KEY)0 : (KEY)(((KEY)1 << rest_bits) - 1);
    int64_t longest = 0;
    for (int64_t p = 0; p < parts; p++) {
        if (start[p + 1] - start[p] > longest) longest = start[p + 1] - start[p];
    }
    KEY *keys = malloc((size_t)plan->n * sizeof *keys);
    KEY *scratch = malloc((size_t)longest * sizeof *scratch);
    int status = keys == NULL || scratch == NULL ? PW_NO_MEMORY : PW_OK;
    if (status == PW_OK) status = NAME(scatter)(plan, start, keys, poll);
    for (int64_t p = 0; p < parts && status == PW_OK; p++) {
        const int64_t count = start[p + 1] - start[p];
        if (count == 0) continue;
        KEY *part = keys + start[p];
        for (int64_t i = 0; i < count; i++) part[i] &= rest_mask;
        SORT(part, scratch, count, rest_bits);
        status = pw_cells_grow(&out->cells, count);
        if (status != PW_OK) break;
        const uint64_t prefix = plan->part_bits == 0 ? 0 : (uint64_t)p << rest_bits;
        for (int64_t i = 0; i < count;) {
            const KEY key = part[i];
            int64_t run = i + 1;
            while (run < count && part[run] == key) run++;
            add_cell(plan, out, prefix | key, run - i);
            i = run;
        }
        if (pw_stop(p % 64 == 0 ? poll : NULL)) status = PW_STOPPED;
    }
    free(keys);
    free(scratch);
    return status;
}
