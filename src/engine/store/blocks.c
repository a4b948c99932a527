// SPDX-License-Identifier: GPL-2.0-or-later
/* blocks - memory that is allocated and not freed, by its address, and rows by the stack that allocated it */
#include "ringside/store.h"

#include "engine/internal.h"
#include "ringside/event.h"
#include "ringside/plugin.h"

#define BLOCKS_TEXT_BYTES 16384
#define BLOCKS_FIRST (1u << 14)   /* room for so many at first, a power of two */
#define BLOCKS_MAX (1u << 22)
#define BLOCKS_NO_SITE UINT32_MAX

/* What a row has now: it outlasts intervals. */
struct blocks_site {
	uint64_t live, live_bytes, untracked;
	uint64_t old, old_bytes, oldest_ns;   /* oldest_ns: when it was allocated */
	int32_t pid;
	uint64_t key0, key1;
};

struct rs_blocks {
	struct rs_block *at;         /* by their hash, without holes */
	size_t nr, room;
	struct blocks_site *sites;
	uint32_t nr_sites;
	bool lost;
	uint64_t scanned_ns, scanned_old_ns; /* when .old was counted, and from which age on */
	char text[BLOCKS_TEXT_BYTES], modules[BLOCKS_TEXT_BYTES];
};

static struct rs_blocks *blocks_of(const struct rs_ctx *c)
{
	return *(struct rs_blocks *const *)c->state;
}

struct rs_blocks *rs_blocks_new(struct rs_ctx *c)
{
	struct rs_blocks *b = rs_alloc(c, 1, sizeof *b);

	if (!b)
		return NULL;
	b->at = rs_alloc(c, BLOCKS_FIRST, sizeof *b->at);
	b->sites = rs_alloc(c, RS_BLOCKS_MAX_SITES, sizeof *b->sites);
	b->room = BLOCKS_FIRST;
	return b->at && b->sites ? b : NULL;
}

/* ---- a table with open addressing ---- */

static size_t blocks_place(const struct rs_blocks *b, int32_t space, uint64_t addr)
{
	return rs_hash_pair(addr, (uint64_t)space) & (b->room - 1);
}

/* Returns its place, or the free place where it would be. */
static struct rs_block *blocks_find(const struct rs_blocks *b, int32_t space, uint64_t addr)
{
	size_t at = blocks_place(b, space, addr);

	while (b->at[at].addr && (b->at[at].addr != addr || b->at[at].space != space))
		at = (at + 1) & (b->room - 1);
	return &b->at[at];
}

/* Blocks behind it that are not in their own place move up, so that no search ends too early. */
static void blocks_remove(struct rs_blocks *b, const struct rs_block *block)
{
	size_t hole = (size_t)(block - b->at), mask = b->room - 1;

	for (size_t at = (hole + 1) & mask; b->at[at].addr; at = (at + 1) & mask) {
		size_t home = blocks_place(b, b->at[at].space, b->at[at].addr);

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		b->at[hole] = b->at[at];
		hole = at;
	}
	b->at[hole].addr = 0;
	b->nr--;
}

/* At most three quarters are in use. False: no room. */
static bool blocks_reserve(struct rs_ctx *c)
{
	struct rs_blocks *b = blocks_of(c);
	struct rs_block *old = b->at, *at;
	size_t room = b->room;

	if (b->nr < room / 4 * 3)
		return true;
	if (room >= BLOCKS_MAX)
		return false;
	at = rs_alloc(c, room * 2, sizeof *at);
	if (!at)
		return false;
	b->at = at;
	b->room = room * 2;
	for (size_t i = 0; i < room; i++)
		if (old[i].addr)
			*blocks_find(b, old[i].space, old[i].addr) = old[i];
	return true;
}

/* ---- sites ---- */

static struct rs_blocks_row *blocks_row_of(struct rs_ctx *c, int32_t pid, uint64_t key0, uint64_t key1)
{
	struct rs_task *t = rs_task_get(c, pid);

	return t ? rs_store_row(c, 0, t, key0, key1) : NULL;
}

static struct rs_blocks_row *blocks_site_row(struct rs_ctx *c, uint32_t site)
{
	const struct blocks_site *s = &blocks_of(c)->sites[site];
	struct rs_blocks_row *row = blocks_row_of(c, s->pid, s->key0, s->key1);

	if (row && !row->site) /* it was evicted meanwhile */
		row->site = site + 1;
	return row;
}

static uint32_t blocks_site_of(struct rs_blocks *b, struct rs_blocks_row *row, int32_t pid, uint64_t key0,
			       uint64_t key1)
{
	if (!row->site && b->nr_sites < RS_BLOCKS_MAX_SITES) {
		b->sites[b->nr_sites] = (struct blocks_site){ .pid = pid, .key0 = key0, .key1 = key1 };
		row->site = ++b->nr_sites;
	}
	return row->site - 1; /* BLOCKS_NO_SITE */
}

static void blocks_leave_site(struct rs_blocks *b, const struct rs_block *block)
{
	b->sites[block->site].live--;
	b->sites[block->site].live_bytes -= block->bytes;
}

/* ---- what happens to a block ---- */

void *rs_blocks_add(struct rs_ctx *c, int32_t pid, uint64_t key0, uint64_t key1, const struct rs_block *block)
{
	struct rs_blocks *b = blocks_of(c);
	struct rs_blocks_row *row = blocks_row_of(c, pid, key0, key1);
	struct rs_block *at;
	uint32_t site;

	if (!row)
		return NULL;
	row->allocs++;
	row->alloc_bytes += block->bytes;
	site = blocks_site_of(b, row, pid, key0, key1);
	if (site == BLOCKS_NO_SITE) {
		row->untracked++;
		return row;
	}
	if (!block->addr || !blocks_reserve(c)) {
		b->sites[site].untracked++;
		return row;
	}
	at = blocks_find(b, block->space, block->addr);
	if (at->addr)
		blocks_leave_site(b, at);
	b->nr += !at->addr;
	*at = *block;
	at->site = site;
	b->sites[site].live++;
	b->sites[site].live_bytes += block->bytes;
	return row;
}

bool rs_blocks_take(struct rs_ctx *c, int32_t space, uint64_t addr, struct rs_block *taken)
{
	struct rs_blocks *b = blocks_of(c);
	struct rs_block *at = addr ? blocks_find(b, space, addr) : NULL;

	*taken = (struct rs_block){ 0 };
	if (!at || !at->addr)
		return false;
	*taken = *at;
	blocks_remove(b, at);
	return true;
}

void rs_blocks_freed(struct rs_ctx *c, const struct rs_block *taken)
{
	struct rs_blocks_row *row = blocks_site_row(c, taken->site);

	blocks_leave_site(blocks_of(c), taken);
	if (!row)
		return;
	row->frees++;
	row->free_bytes += taken->bytes;
}

void rs_blocks_keep(struct rs_ctx *c, const struct rs_block *taken, uint64_t addr, uint64_t bytes)
{
	struct rs_blocks *b = blocks_of(c);
	struct rs_block *at = blocks_find(b, taken->space, addr), kept = *taken;
	struct rs_blocks_row *row = bytes < taken->bytes ? blocks_site_row(c, taken->site) : NULL;

	kept.addr = addr;
	kept.bytes = bytes;
	b->sites[taken->site].live_bytes -= taken->bytes - bytes;
	if (row)
		row->free_bytes += taken->bytes - bytes;
	if (at->addr) {
		blocks_leave_site(b, &kept);
		return;
	}
	*at = kept;
	b->nr++;
}

void rs_blocks_count_earlier(struct rs_ctx *c, int32_t pid)
{
	struct rs_blocks_row *row = blocks_row_of(c, pid, 0, RS_BLOCKS_EARLIER);

	if (row)
		row->frees++;
}

void rs_blocks_lost(struct rs_ctx *c)
{
	blocks_of(c)->lost = true;
}

/* ---- rows ---- */

/* Once for all rows of a request. */
static void blocks_scan(const struct rs_ctx *c, struct rs_blocks *b, uint64_t old_ns)
{
	uint64_t now_ns = rs_last_event_ns(c);

	if (b->scanned_ns == now_ns && b->scanned_old_ns == old_ns)
		return;
	b->scanned_ns = now_ns;
	b->scanned_old_ns = old_ns;
	for (uint32_t i = 0; i < b->nr_sites; i++)
		b->sites[i].old = b->sites[i].old_bytes = b->sites[i].oldest_ns = 0;
	for (const struct rs_block *at = b->at; at < b->at + b->room; at++) {
		struct blocks_site *site = &b->sites[at->site];
		bool is_old = at->addr && at->ts_ns < now_ns && now_ns - at->ts_ns >= old_ns;

		if (at->addr && (!site->oldest_ns || at->ts_ns < site->oldest_ns))
			site->oldest_ns = at->ts_ns;
		site->old += is_old;
		site->old_bytes += is_old ? at->bytes : 0;
	}
}

void rs_blocks_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row)
{
	struct rs_blocks *b = blocks_of(c);
	struct rs_blocks_row *r = row;
	const struct blocks_site *site = r->site ? &b->sites[r->site - 1] : NULL;

	if (!site)
		return;
	blocks_scan(c, b, q && q->older_ns ? q->older_ns : RS_BLOCKS_OLD_NS);
	r->sites = 1;
	r->live = site->live;
	r->live_bytes = site->live_bytes;
	r->untracked = site->untracked;
	r->old = site->old;
	r->old_bytes = site->old_bytes;
	r->oldest_ns = site->oldest_ns && site->oldest_ns < b->scanned_ns ? b->scanned_ns - site->oldest_ns :
									    0;
}

static const struct rs_blocks_row *blocks_row(const struct rs_group *g)
{
	return g->row;
}

bool rs_blocks_live_is_known(const struct rs_ctx *c, const struct rs_group *g)
{
	return !blocks_of(c)->lost && !blocks_row(g)->untracked && blocks_row(g)->sites;
}

/* ---- the stack ---- */

/* Without the kernel's own functions that only allocate. */
uint32_t rs_blocks_stack(const struct rs_ctx *c, const struct rs_group *g)
{
	return rs_stack_outside_or_all(c, (uint32_t)g->keys[0], RS_STACK_TRACING | RS_STACK_ALLOCATOR);
}

struct rs_value rs_blocks_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	if (!g->keys[0])
		return rs_null();
	rs_stack_frame(c, rs_blocks_stack(c, g), &frame);
	return rs_s(frame.function ? frame.function : "[unknown]");
}

struct rs_value rs_blocks_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	if (!g->keys[0])
		return rs_null();
	rs_stack_frame(c, rs_blocks_stack(c, g), &frame);
	return rs_s(frame.module);
}

/* ---- cells ---- */

#define BLOCKS_SHOW(name, value) \
	struct rs_value rs_blocks_show_##name(struct rs_ctx *c, const struct rs_group *g, char *buf) \
	{ \
		return value; \
	}
#define BLOCKS_SHOW_LIVE(name, member) \
	BLOCKS_SHOW(name, rs_u_if(rs_blocks_live_is_known(c, g), blocks_row(g)->member))

BLOCKS_SHOW_LIVE(live, live)
BLOCKS_SHOW_LIVE(live_bytes, live_bytes)
BLOCKS_SHOW_LIVE(old, old)
BLOCKS_SHOW_LIVE(old_bytes, old_bytes)
BLOCKS_SHOW(oldest, rs_u_if(rs_blocks_live_is_known(c, g) && blocks_row(g)->live, blocks_row(g)->oldest_ns))
BLOCKS_SHOW(growth, rs_blocks_live_is_known(c, g) ?
			    rs_i((int64_t)(blocks_row(g)->alloc_bytes - blocks_row(g)->free_bytes)) :
			    rs_null())
BLOCKS_SHOW(rate, rs_per_second(c, blocks_row(g)->allocs))
BLOCKS_SHOW(bytes_rate, rs_per_second(c, blocks_row(g)->alloc_bytes))
BLOCKS_SHOW(weight,
	    rs_u(rs_blocks_live_is_known(c, g) ? blocks_row(g)->live_bytes : blocks_row(g)->alloc_bytes))
BLOCKS_SHOW(callers, g->keys[0] ? rs_s(rs_stack_callers(c, rs_blocks_stack(c, g), blocks_of(c)->text,
							BLOCKS_TEXT_BYTES)) :
				  rs_null())
BLOCKS_SHOW(stack, g->keys[0] ? rs_s(rs_stack_text(c, rs_blocks_stack(c, g), blocks_of(c)->text,
						   BLOCKS_TEXT_BYTES)) :
				rs_null())
BLOCKS_SHOW(modules, g->keys[0] ? rs_s(rs_stack_modules(c, rs_blocks_stack(c, g), blocks_of(c)->modules,
							BLOCKS_TEXT_BYTES)) :
				  rs_null())
