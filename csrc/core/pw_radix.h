/* Stable radix sorts of keys, pairs, triples and cells. Their time depends on how many records
 * there are and on how many bits a key has, not on the values. */
#ifndef PW_RADIX_H
#define PW_RADIX_H

#include "pw_common.h"

typedef struct {
    uint64_t key;
    int64_t value;
} pw_pair;

typedef struct {
    uint64_t key;
    uint64_t label;
    int64_t count;
} pw_triple;

typedef struct {
    int64_t row;
    int64_t col;
    int64_t count;
} pw_cell;

/* Sort n keys of at most `bits` bits in place; scratch holds n keys.
 * O(n ceil(bits / 11)); fast while both arrays fit a cache level. */
void pw_sort_u32(uint32_t *keys, uint32_t *scratch, int64_t n, int bits);
void pw_sort_u64(uint64_t *keys, uint64_t *scratch, int64_t n, int bits);

/* Sort by key (at most `bits` bits), stable. Split by leading digits until parts fit a cache; there
 * two digits and insertion, or all digits. O(n ceil(bits / 11)), 16 n bytes. */
int pw_sort_pairs(pw_pair *pairs, int64_t n, int bits, const pw_poll *poll);
/* The same in the caller's memory: `other` has room for n pairs. */
int pw_sort_pairs_with(pw_pair *pairs, pw_pair *other, int64_t n, int bits, const pw_poll *poll);

/* The same for triples. */
int pw_sort_triples_with(pw_triple *triples, pw_triple *other, int64_t n, int bits,
                         const pw_poll *poll);

/* Sort by (row, col), stable. Precondition: 0 <= row < n_rows, 0 <= col < n_cols.
 * O(n) times the digits of both, 24 n bytes. */
int pw_sort_cells(pw_cell *cells, int64_t n, int64_t n_rows, int64_t n_cols, const pw_poll *poll);

#endif
