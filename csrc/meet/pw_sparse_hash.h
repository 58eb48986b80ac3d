/* Included by pw_sparse_impl.h: parts with many equal keys, counted in a hash table that fits the
 * first-level cache. Slots and entries are key << 32 | count; a free slot is 0. */

#define HASH_SLOTS_LEAST 1024
#define ENTRY_DIGIT 10

static inline void entry_pass(const uint64_t *from, uint64_t *to, int64_t n, int shift) {
    uint32_t start[1 << ENTRY_DIGIT];
    memset(start, 0, sizeof start);
    for (int64_t i = 0; i < n; i++) start[(from[i] >> shift) & ((1 << ENTRY_DIGIT) - 1)]++;
    uint32_t total = 0;
    for (int d = 0; d < 1 << ENTRY_DIGIT; d++) {
        const uint32_t here = start[d];
        start[d] = total;
        total += here;
    }
    for (int64_t i = 0; i < n; i++) {
        to[start[(from[i] >> shift) & ((1 << ENTRY_DIGIT) - 1)]++] = from[i];
    }
}

/* Sorts entries by the low `bits` bits of their keys; returns the one of the two arrays in which
 * they end up. */
static uint64_t *sort_entries(uint64_t *entries, uint64_t *other, int64_t n, int bits) {
    if (n < 64) {
        for (int64_t i = 1; i < n; i++) {
            const uint64_t entry = entries[i];
            int64_t j = i;
            for (; j > 0 && entries[j - 1] > entry; j--) entries[j] = entries[j - 1];
            entries[j] = entry;
        }
        return entries;
    }
    for (int done = 0; done < bits; done += ENTRY_DIGIT) {
        entry_pass(entries, other, n, 32 + done);
        uint64_t *swap = entries;
        entries = other;
        other = swap;
    }
    return entries;
}

/* PW_CROWDED: the table is too small for the part, or the keys collide. Then the table is
 * cleared and no cell has been written. */
static int count_in_table(pw_filler *f, const uint32_t *keys, int64_t count, uint64_t *table,
                          int slot_bits, int64_t *found) {
    const uint32_t mask = (uint32_t)(((uint64_t)1 << slot_bits) - 1);
    const int64_t slots = (int64_t)1 << slot_bits;
    const int64_t most = slots - slots / 4;
    const int64_t stride = slots / 8; /* the table cannot fill up between two looks */
    int64_t probes = PW_PROBES_PER_ITEM * count;
    int64_t full = 0;
    for (int64_t from = 0; from < count; from += stride) {
        const int64_t end = pw_min64(from + stride, count);
        for (int64_t i = from; i < end; i++) {
            const uint32_t key = keys[i];
            uint32_t at = (uint32_t)(key * UINT32_C(0x9E3779B1)) >> (32 - slot_bits);
            uint64_t slot = table[at];
            while ((uint32_t)(slot >> 32) != key && slot != 0) {
                at = (at + 1) & mask;
                slot = table[at];
                if (--probes < 0) {
                    f->no_hash = 1; /* chance does not make keys collide so often */
                    return PW_CROWDED;
                }
            }
            full += slot == 0;
            table[at] = ((uint64_t)key << 32 | (uint32_t)slot) + 1;
        }
        if (full > most) {
            f->seen_items += end;
            f->seen_cells += full;
            return PW_CROWDED;
        }
    }
    *found = full;
    return PW_OK;
}

static int hash_part(pw_filler *f, const uint32_t *keys, int64_t count, int bits) {
    /* room for twice as many cells as are expected */
    int64_t expected = count / 4;
    if (f->seen_items > 0) {
        expected = (int64_t)((double)count * (double)f->seen_cells / (double)f->seen_items);
    }
    const int64_t wanted = 2 * expected < HASH_SLOTS_LEAST ? HASH_SLOTS_LEAST : 2 * expected;
    const int slot_bits = pw_bits((uint64_t)wanted - 1);
    const int64_t slots = (int64_t)1 << slot_bits;
    uint64_t *table = pw_scratch_take(f->scratch, PW_SLOT_COUNTERS, slots * 8);
    uint64_t *entries = pw_scratch_take(f->scratch, PW_SLOT_ENTRIES, slots * 16);
    if (table == NULL || entries == NULL) return PW_NO_MEMORY;
    memset(table, 0, (size_t)slots * sizeof *table);
    int64_t found = 0;
    const int status = count_in_table(f, keys, count, table, slot_bits, &found);
    if (status != PW_OK) return status;
    f->seen_items += count;
    f->seen_cells += found;
    int64_t used = 0;
    for (int64_t s = 0; s < slots; s++) {
        entries[used] = table[s];
        used += table[s] != 0;
    }
    const uint64_t *sorted = sort_entries(entries, entries + slots, used, bits);
    const uint64_t col_mask = ((uint64_t)1 << f->col_bits) - 1;
    for (int64_t i = 0; i < used; i++) {
        const uint64_t later = sorted[pw_min64(i + PW_COLUMN_AHEAD, used - 1)] >> 32;
        __builtin_prefetch((uint32_t *)f->col_sizes + (later & col_mask), 1);
        put_cell_u32(f, f->prefix | sorted[i] >> 32, (int64_t)(uint32_t)sorted[i]);
    }
    return PW_OK;
}
