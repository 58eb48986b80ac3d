/* Every threshold that decides which path a kernel takes. They change the time only,
 * never a total or a score; which of several equally good pairings is found, and which number a
 * text gets, may differ. `python -m bench.tune` measures other values of those that the meet uses;
 * the others were set by measuring the benchmarks of their kernel. */
#ifndef PW_TUNING_H
#define PW_TUNING_H

/* The dense path takes tables of up to this many pairs of labels that also have at most PER_ITEM
 * pairs an item and SLACK more. */
#define PW_DENSE_PAIRS ((uint64_t)12 << 20)
#define PW_DENSE_SLACK 4096
#define PW_DENSE_PER_ITEM 2
/* There are several copies of every counter in tables of up to this many pairs, ... */
#define PW_DENSE_COPIED_PAIRS ((uint64_t)1 << 12)
/* ... or this many if the items are sorted: else one counter, raised again and again, would have
 * to wait for itself. */
#define PW_DENSE_SORTED_PAIRS ((uint64_t)1 << 22)

/* Items between two polls: about a tenth of a second of work. */
#define PW_POLL_ITEMS ((int64_t)1 << 24)
/* The same where each item is read or written at a place of its own, far from the others. */
#define PW_POLL_SCATTERED ((int64_t)1 << 22)
/* The same in bytes that are hashed or compared. */
#define PW_POLL_BYTES ((int64_t)1 << 28)

/* Arrays are indexed by label where the range of labels is at most this many times n, or at most
 * the floor. */
#define PW_COMPACT_PER_ITEM 2
#define PW_COMPACT_FLOOR 65536

/* Labels are numbered by marking their range where it is at most twice n and this many more; else
 * they are sorted. */
#define PW_ENCODE_FLOOR 65536

/* From this many items on, the range of labels is guessed from a sample, and checked while the
 * labels are read. The sample has PW_SAMPLE / 8 labels and one more for every PW_SAMPLE_PER items,
 * but at most PW_SAMPLE. */
#define PW_GUESS_ITEMS 65536
#define PW_SAMPLE 4096
#define PW_SAMPLE_PER 2048
/* The guessed range is widened by 2^-PW_SLACK_SHIFT of itself. At either end, one label in so
 * many of the sample may lie outside. */
#define PW_SLACK_SHIFT 5
#define PW_FEW_OUTSIDE 32
/* If more than one item in so many lies outside the guessed ranges, the exact ones are taken. */
#define PW_OUTSIDE_PER 12

/* Where runs of one cell have this many items on average, runs are sorted instead of items. */
#define PW_RUN_ITEMS 4

/* The largest number of workers, and how many items justify a further one. */
#define PW_WORKERS_MOST 64
#define PW_WORKER_ITEMS ((int64_t)1 << 18)

/* Arrays of at least this many bytes ask for huge pages, which have 2^BITS bytes. */
#define PW_LARGE_BYTES ((int64_t)4 << 20)
#define PW_HUGE_PAGE_BITS 21

/* Partitioning aims at 2^14 items a part, with at most 2^8 parts: their open cache lines then
 * leave half of a first-level cache of 32 KiB. There are at most 2^11 parts where a key then fits
 * 32 bits. */
#define PW_PART_ITEM_BITS 14
#define PW_PART_BITS_CACHED 8
#define PW_PART_BITS_MOST 11
/* With vector instructions the keys of a part are counted directly where they have at least this
 * many items a value, and sorted else. */
#define PW_ITEMS_PER_VALUE 2
/* From this many items on, cells are written past the caches. */
#define PW_STREAM_ITEMS ((int64_t)1 << 21)
/* While hashed cells are written out, the size of a cell's column grows. It is prefetched this
 * many cells ahead. */
#define PW_COLUMN_AHEAD 16
/* A part with more items than PW_PART_LARGE is split again. Before that, whatever a sample shows
 * to be crowded is cut out of it, at most PW_PART_CUTS times in a row. */
#define PW_PART_LARGE 65536
#define PW_PART_CUTS 3
/* The keys of a part are counted directly if they can have at most this many values an item. */
#define PW_DIRECT_PER_ITEM 2
/* Other parts of at least PW_HASH_ITEMS items are hashed, as long as the parts before had no
 * more cells than this percentage of their items. */
#define PW_HASH_ITEMS 256
#define PW_HASH_PERCENT 45

/* The wide path aims at parts of 2^15 pairs, with room for a fourth more. */
#define PW_WIDE_ITEM_BITS 15
#define PW_WIDE_ROOM 4

/* Hashing gives way to sorting at this mean number of probes an item. */
#define PW_PROBES_PER_ITEM 16

/* The packing simplex prices this many cells before the best of them enters. */
#define PW_PRICED_CELLS 30
/* After the work of PW_PACK_PATIENCE scans of the table the simplex gives way to the auction,
 * unless all gains are multiples of one number, the largest at most PW_PACK_TIED_MOST times that
 * number. The auction and its repair hand the problem back after PW_PACK_AUCTION_SCANS scans. */
#define PW_PACK_PATIENCE 32
#define PW_PACK_TIED_MOST ((int64_t)1 << 16)
#define PW_PACK_AUCTION_SCANS 1000

/* The dense transport simplex prices this many entries before the best of them enters. */
#define PW_PRICED_ENTRIES 2000
/* Rows longer than this are priced in pieces of this length. */
#define PW_PRICED_PIECE 8000
/* If one side is this many times longer than the other, a transposed copy of the costs is made. */
#define PW_LONG_SIDE 3

/* Matching, in scans of the whole table. The phases give way to the auction if they settle less
 * than a quarter of their sources in the TIED (where gains are tied) or UNTIED number of scans
 * while more than FEW_SOURCES are left; with tied gains less than 30 scans in all were seen. The
 * auction stops where it is after AUCTION_SCANS; less than 100 were seen. After POLL_CELLS scanned
 * cells, each far from the one before, there is a poll. */
#define PW_MATCH_POLL_CELLS ((int64_t)1 << 20)
#define PW_MATCH_TIED_SCANS ((int64_t)50)
#define PW_MATCH_UNTIED_SCANS ((int64_t)2)
#define PW_MATCH_FEW_SOURCES 16
#define PW_MATCH_AUCTION_SCANS ((int64_t)400)
/* A table that falls apart is taken apart after 1 / APART_SHARE of the budget of the direct way. */
#define PW_MATCH_APART_SHARE 4
/* How often a price may be raised when the pairs of the auction are kept: below 256. On random
 * tables with 100 cells a row, 16 times on average were seen. */
#define PW_MATCH_RAISES 200
/* Gains count as tied if they are multiples of one number, the largest at most this many times
 * it. */
#define PW_MATCH_TIED_MOST ((int64_t)1 << 16)

/* One clustering against many: there is a counter for every pair of clusters if these are at
 * most DENSE_PAIRS (128 kB) and at most DENSE_PER_ITEM an item. Else the items are taken row by
 * row. The counters of a row are then read one after another if they are at most SCAN_PER_ITEM
 * an item of the row; else its items are visited a second time. */
#define PW_MANY_DENSE_PAIRS ((int64_t)1 << 15)
#define PW_MANY_DENSE_PER_ITEM 2
#define PW_MANY_SCAN_PER_ITEM 4

/* With half of the entries free, more collisions an item than this do not come about by chance:
 * somebody chose the items. */
#define PW_ITEMS_COLLISIONS 8
/* To handle an item costs about as much as to read this many bytes; polls are timed by it. */
#define PW_ITEMS_BYTES 32
/* Threads number ranges of items where one item in PER_DISTINCT, or fewer, is distinct. A sample
 * of one item in SAMPLE_PER, at most SAMPLE, tells. */
#define PW_ITEMS_SAMPLE 4096
#define PW_ITEMS_SAMPLE_PER 32
#define PW_ITEMS_PER_DISTINCT 16

#endif
