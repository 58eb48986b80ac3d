/* Every threshold that decides which path a kernel takes; `python -m bench.tune` shows what
 * they are worth. */
#ifndef PW_TUNING_H
#define PW_TUNING_H

/* Dense counting up to this many pairs, and while the table is not much longer than the input. */
#define PW_DENSE_PAIRS ((uint64_t)12 << 20)
#define PW_DENSE_SLACK 4096
#define PW_DENSE_PER_ITEM 2
/* Up to this many pairs counters have 32 bits, above 8 ... */
#define PW_DENSE_WIDE_PAIRS ((uint64_t)1 << 12)
/* ... unless the items are sorted, so that one counter is raised again and again; then up to: */
#define PW_DENSE_SORTED_PAIRS ((uint64_t)1 << 22)

/* A label range up to this multiple of n (or this floor) is addressed directly. */
#define PW_COMPACT_PER_ITEM 2
#define PW_COMPACT_FLOOR 65536

/* From this many items on, ranges are guessed from a sample and checked on the way. It has so many
 * labels at most; an eighth of them, and one in so many, where that is less ... */
#define PW_GUESS_ITEMS 65536
#define PW_SAMPLE 4096
#define PW_SAMPLE_PER 2048
/* ... with a 32nd of slack. One in so many of the sample may lie outside at either end: */
#define PW_SLACK_SHIFT 5
#define PW_FEW_OUTSIDE 32
/* One item in so many may lie outside the guessed ranges. */
#define PW_OUTSIDE_PER 12

/* Runs of so many items on average are worth sorting instead of items. */
#define PW_RUN_ITEMS 4

/* Workers at most, and items that are worth one more. */
#define PW_WORKERS_MOST 64
#define PW_WORKER_ITEMS ((int64_t)1 << 18)

/* Arrays from here on ask for huge pages. */
#define PW_LARGE_BYTES ((int64_t)4 << 20)
#define PW_HUGE_PAGE_BITS 21

/* Partitioning aims at 2^14 items a part, with at most 2^11 parts. */
#define PW_PART_ITEM_BITS 14
#define PW_PART_BITS_MOST 11
/* Keys go to their parts in order, so each would wait for the cache line of its part: lines are
 * asked for so many keys ahead. */
#define PW_SCATTER_AHEAD 48
/* Sizes of columns are asked for so many hashed cells before they grow. */
#define PW_COLUMN_AHEAD 16
/* A part above this many items is split again; before that, what a sample finds crowded is cut out,
 * so many times in a row. */
#define PW_PART_LARGE 65536
#define PW_PART_CUTS 3
/* Where the keys of a part can have at most so many values an item, there is a counter each. */
#define PW_DIRECT_PER_ITEM 2
/* Else parts from so many items on are hashed while cells are at most so many percent of items. */
#define PW_HASH_ITEMS 256
#define PW_HASH_PERCENT 45

/* Parts of raw pairs aim at 2^15 items, with a fourth of room to spare. */
#define PW_WIDE_ITEM_BITS 15
#define PW_WIDE_ROOM 4

/* Hash aggregation gives up at this mean number of probes an item. */
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

/* One against many: a counter for every pair of clusters up to so many (128 kB), and up to so many
 * an item; else the items row by row, where a row's counters are looked through if they are up to
 * so many an item of the row, and its items once more beyond. */
#define PW_MANY_DENSE_PAIRS ((int64_t)1 << 15)
#define PW_MANY_DENSE_PER_ITEM 2
#define PW_MANY_SCAN_PER_ITEM 4

/* Collisions an item, with half of the entries free: more were chosen. */
#define PW_ITEMS_COLLISIONS 8
/* An item costs about as much as so many bytes of it. */
#define PW_ITEMS_BYTES 32

#endif
