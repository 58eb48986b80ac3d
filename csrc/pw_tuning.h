/* Every threshold that decides which path a kernel takes; `bench/contingency.py` shows what
 * they are worth. */
#ifndef PW_TUNING_H
#define PW_TUNING_H

/* Dense counting up to this many pairs (4 bytes each: they should stay in a cache) ... */
#define PW_DENSE_PAIRS ((uint64_t)1 << 22)
/* ... and while the table is not much longer than the input. */
#define PW_DENSE_SLACK 4096
#define PW_DENSE_PER_ITEM 4

/* A label range up to this multiple of n (or this floor) is addressed directly. */
#define PW_COMPACT_PER_ITEM 2
#define PW_COMPACT_FLOOR 65536

/* Partitioning aims at 2^13 items a part, with at most 2^11 parts. */
#define PW_PART_ITEM_BITS 13
#define PW_PART_BITS_MOST 11

/* Hash aggregation of raw pairs gives up at this mean number of probes an item. */
#define PW_PROBES_PER_ITEM 16

/* The packing simplex prices so many cells before it takes the best of them. */
#define PW_PRICED_CELLS 30
/* ... and after so many scans of the table leaves its gains to an auction, unless they are
 * multiples of one number up to this many; the auction and its repair give back after so many
 * scans. */
#define PW_PACK_PATIENCE 32
#define PW_PACK_TIED_MOST ((int64_t)1 << 16)
#define PW_PACK_AUCTION_SCANS 1000

/* The dense transport simplex prices so many entries before it takes the best of them. */
#define PW_PRICED_ENTRIES 2000
/* Longer rows are priced in pieces. */
#define PW_PRICED_PIECE 8000
/* A side this many times longer than the other is worth a turned copy of the costs. */
#define PW_LONG_SIDE 3

/* Matching, in scanned cells per cell of the table: phases give way to the auction if they settle
 * less than a quarter of their sources in so many, and more than a few are left (with tied gains
 * they need less than 30 in all); the auction stops where it is (it needs less than 100). */
#define PW_MATCH_TIED_SCANS ((int64_t)50)
#define PW_MATCH_UNTIED_SCANS ((int64_t)2)
#define PW_MATCH_FEW_SOURCES 16
#define PW_MATCH_AUCTION_SCANS ((int64_t)400)
/* Gains are tied if they are multiples of one unit, up to this many. */
#define PW_MATCH_TIED_MOST ((int64_t)1 << 16)

#endif
