/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks.h - memory that is allocated and not freed: blocks by their address, and rows by the stack that
 * allocated them
 *
 * An analysis has one store of such rows, and its state begins with the blocks:
 *
 *	struct heap { struct rs_blocks *blocks; };
 *	static const struct rs_store stores[] = { RS_BLOCKS_STORE(struct rs_blocks_row, untracked), { 0 } };
 *	...
 *	rs_blocks_add(c, pid, stack, TYPE_MALLOC, &(struct rs_block){ .addr = addr, .bytes = 64,
 *		.ts_ns = hit->ts_ns });
 *	...
 *	if (rs_blocks_take(c, 0, addr, &block))
 *		rs_blocks_freed(c, &block);
 *
 * What lives outlasts intervals. It is unknown in all rows once events were lost: the free of any block may
 * be among them.
 */
#ifndef RINGSIDE_BLOCKS_H
#define RINGSIDE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

#define RS_BLOCKS_OLD_NS 10000000000u   /* where the user says nothing (--older) */
#define RS_BLOCKS_MAX_SITES 65536u
#define RS_BLOCKS_EARLIER 31            /* the second key of frees whose allocation was not seen */

struct rs_blocks;

struct rs_block {
	uint64_t addr, bytes, ts_ns; /* addr 0: it is not known, so it cannot be told when it is freed */
	int32_t space;               /* of addresses: what lies at one address in two spaces are two blocks */
	uint32_t site;               /* which row it is of: rs_blocks_add sets it */
};

/*
 * The first member of a row; .site is behind the measures. What it has now, .live to .oldest_ns, is filled in
 * when rows are shown (.untracked, too).
 */
struct rs_blocks_row {
	uint32_t site;               /* 1 + its number; 0: none. No interval ends it */
	uint64_t oldest_ns;
	uint64_t allocs, alloc_bytes, frees, free_bytes;
	/* sites: 0 of frees whose allocation was not seen */
	uint64_t sites, live, live_bytes, old, old_bytes;
	uint64_t untracked;          /* allocations whose free cannot be told */
};

/* row: begins with a struct rs_blocks_row; last: its last sum, all from .allocs on are. */
#define RS_BLOCKS_STORE(row, last) \
	{ .row_bytes = sizeof(row), .of_tasks = true, .stays_with_thread = true, .keeps_rows = true, \
	  .max_rows = RS_BLOCKS_MAX_SITES, \
	  .key0_is_stack = true, .complete = rs_blocks_complete, \
	  .measures = RS_LIST(rs_measure, \
		{ RS_MEASURE_SUM, offsetof(struct rs_blocks_row, allocs), \
		  .size_bytes = offsetof(row, last) + sizeof(uint64_t) - offsetof(struct rs_blocks_row, \
			  allocs) }, \
		{ RS_MEASURE_MAX, offsetof(struct rs_blocks_row, oldest_ns) }) }

/* Valid as long as the session. NULL: no memory */
struct rs_blocks *rs_blocks_new(struct rs_ctx *c);
/*
 * Counts an allocation in the row of that process and these keys, and remembers the block. One that is there
 * already was freed unseen. Returns the row, to count what else is in it; NULL: no memory.
 */
void *rs_blocks_add(struct rs_ctx *c, int32_t pid, uint64_t key0, uint64_t key1,
		    const struct rs_block *block);
/* Takes a block away, before it is freed or moved. False: its allocation was not seen. */
bool rs_blocks_take(struct rs_ctx *c, int32_t space, uint64_t addr, struct rs_block *taken);
/* The block that was taken is freed: counts it in its row. */
void rs_blocks_freed(struct rs_ctx *c, const struct rs_block *taken);
/* A part of it, or all, goes on to live, there. Where another block lies by now it is dropped, uncounted. */
void rs_blocks_keep(struct rs_ctx *c, const struct rs_block *taken, uint64_t addr, uint64_t bytes);
/*
 * Counts the free of a block whose allocation was not seen: in a row without a stack, of RS_BLOCKS_EARLIER.
 */
void rs_blocks_count_earlier(struct rs_ctx *c, int32_t pid);
/* Events were lost: what lives is unknown from here on. */
void rs_blocks_lost(struct rs_ctx *c);

/* Of the store: fills in what lives. */
void rs_blocks_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row);

/* ---- columns ---- */

/* False: hits were lost, or addresses are not known. */
bool rs_blocks_live_is_known(const struct rs_ctx *c, const struct rs_group *g);
/* Of an interval: nr for each second. */
struct rs_value rs_blocks_per_second(const struct rs_ctx *c, uint64_t nr);
struct rs_value rs_blocks_show_live(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_live_bytes(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_growth(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_old(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_old_bytes(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_oldest(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_rate(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_bytes_rate(struct rs_ctx *c, const struct rs_group *g, char *buf);
/* A weight for flame graphs: the bytes that live; those that were allocated where that is not known. */
struct rs_value rs_blocks_show_weight(struct rs_ctx *c, const struct rs_group *g, char *buf);
/*
 * Of the first key: the innermost function that allocates for no other, its module, it and its callers, all,
 * the modules of these.
 */
struct rs_value rs_blocks_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_callers(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_modules(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_BLOCKS_SUM(member) .measure_bytes = offsetof(struct rs_blocks_row, member), .aspect = RS_VALUE
#define RS_BLOCKS_KEY_0 .key = RS_KEY_0, .by_cell = true, .cell

#define RS_BLOCKS_FUNCTION_COLUMNS \
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, \
	  "that called it; [unknown]: no symbol covers the address", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_function }, \
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, \
	  "program or library that has the function", RS_BLOCKS_KEY_0 = rs_blocks_show_module, \
	  .follows = "function" }, \
	{ "callers", "FUNCTION < CALLERS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, \
	  "the function and its callers, innermost first", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_callers }
#define RS_BLOCKS_STACK_COLUMNS \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, \
	  "functions, outermost first", RS_BLOCKS_KEY_0 = rs_blocks_show_stack }, \
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, \
	  "modules of these functions, in the same order", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_modules, .follows = "stack" }
#define RS_BLOCKS_COLUMNS \
	{ "allocs", "ALLOCS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "allocations", RS_BLOCKS_SUM(allocs) }, \
	{ "alloc_bytes", "BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "their bytes", \
	  RS_BLOCKS_SUM(alloc_bytes) }, \
	{ "allocs_per_s", "ALLOCS/s", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "allocations a second", \
	  .cell = rs_blocks_show_rate }, \
	{ "bytes_per_s", "BYTES/s", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "bytes a second", \
	  .cell = rs_blocks_show_bytes_rate }, \
	{ "frees", "FREES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "of what it allocated; of earlier, of what it had before", RS_BLOCKS_SUM(frees) }, \
	{ "live", "BLOCKS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "allocations that are not freed; null where that is not known: hits were lost, posix_memalign", \
	  .cell = rs_blocks_show_live }, \
	{ "live_bytes", "LIVE", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "the bytes of these", \
	  .cell = rs_blocks_show_live_bytes }, \
	{ "growth_bytes", "GROWTH", RS_TYPE_BYTES, 0, RS_COLUMN_SIGNED | RS_COLUMN_SUM, 10, \
	  "by how much that grew in this time, or shrank", .cell = rs_blocks_show_growth }, \
	{ "old", "OLD", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "of these, not freed for 10 s or more (--older)", .cell = rs_blocks_show_old }, \
	{ "old_bytes", "OLD BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, \
	  "bytes that were not freed for 10 s or more (--older)", \
	  .cell = rs_blocks_show_old_bytes }, \
	{ "oldest_ns", "OLDEST(s)", RS_TYPE_DURATION, RS_UNIT_S, 0, 10, \
	  "age of the oldest that is not freed", \
	  .cell = rs_blocks_show_oldest }
#define RS_BLOCKS_WEIGHT_COLUMN \
	{ "self", "WEIGHT", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, \
	  "bytes that live; those that were allocated where that is not known", \
	  .cell = rs_blocks_show_weight }

#endif
