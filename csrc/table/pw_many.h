/* One clustering against several of the same items: sums over the cells of each table, straight
 * from codes. */
#ifndef PW_MANY_H
#define PW_MANY_H

#include "pw_common.h"

/* Clusterings of the same n items, one after the other, as codes 0..k-1 that all occur. */
typedef struct {
    pw_labels codes;       /* unsigned, of 1, 2 or 4 bytes; n of one clustering, below 2^32 */
    const int64_t *sizes;  /* cluster sizes of all clusterings */
    const int64_t *starts; /* where those of each clustering begin, and the end */
} pw_many;

/* Flags of the sums that are wanted. The number of cells and the sum of squares always are. */
enum {
    PW_MANY_XLOGX = 1,
    PW_MANY_MAXIMA = 2,
    PW_MANY_MATCHES = 4,
    PW_MANY_B_CUBED = 8,
    PW_MANY_SPLIT_MERGE = 16
};

/* Where each sum begins in the words of a candidate: 64-bit words, low word first. */
enum {
    PW_MANY_CELLS_AT = 0,
    PW_MANY_SQUARES_AT = 1,    /* below 2^64 */
    PW_MANY_XLOGX_AT = 2,      /* 2 words, see pw_sum_xlogx */
    PW_MANY_ROW_MAXIMA_AT = 4, /* sum of the largest cells of the rows */
    PW_MANY_COL_MAXIMA_AT = 5,
    PW_MANY_MATCHES_AT = 6,     /* cells that are whole clusters on both sides */
    PW_MANY_BY_ROW_AT = 7,      /* 2 words, see pw_b_cubed_sums */
    PW_MANY_BY_COL_AT = 9,      /* 2 words */
    PW_MANY_PRODUCTS_AT = 11,   /* 3 words: pw_sum_products of pw_split_scores */
    PW_MANY_ROW_SCORES_AT = 14, /* 2 words: pw_sum_weighted of those scores */
    PW_MANY_COL_SCORES_AT = 16, /* 2 words */
    PW_MANY_WORDS = 18
};

/* Fills PW_MANY_WORDS words for each candidate; those not wanted become 0. The rows are the
 * clusters of the reference. fraction_bits as in pw_xlogx for n.
 * O(n + cells) for each candidate; 4 bytes an item, and 16 a cell where more is wanted than
 * x ln x. */
int pw_many_sums(const pw_many *many, int64_t reference, const int64_t *candidates,
                 int64_t n_candidates, int wanted, int fraction_bits, uint64_t *words,
                 const pw_poll *poll);

#endif
