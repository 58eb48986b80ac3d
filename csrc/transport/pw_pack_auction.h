/* Packing of near-tied gains: an auction that brings the duals close, then exact repair. */
#ifndef PW_PACK_AUCTION_H
#define PW_PACK_AUCTION_H

#include "pw_common.h"

/* As pw_pack, for one giant component where a simplex walks too far.
 *
 * Rows bid for columns with all they have left; a full column sends back the lowest bids, and its
 * price is the lowest it keeps. Then columns that are not full bid for rows. The step of the bids
 * shrinks in phases. What comes out is optimal up to the last step, so few rows and columns are
 * left for shortest augmenting paths, which make it exact. PW_CROWDED and no result after
 * PW_PACK_AUCTION_SCANS scans of the table: ties can make bids slice amounts without end.
 * 56 cells + 110 (rows + columns) bytes. */
int pw_pack_auction(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                    const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows,
                    int64_t n_cols, int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
                    const pw_poll *poll);

#endif
