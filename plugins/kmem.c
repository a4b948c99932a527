// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kmem - what the kernel allocates for a process: slabs and pages by the stack that they were allocated by,
 * whoever frees them
 */
#include <errno.h>

#include "ringside/event.h"
#include "ringside/plugin.h"

#define KMEM_MAX_CACHES 1024u    /* a machine has a few hundred, a power of two */
#define KMEM_CACHE_SHIFT 8       /* in a key: above the type */
#define KMEM_OBJECTS 0 /* the space of addresses; that of pages is 1 + the logarithm of their bytes */

enum kmem_type { KMEM_KMALLOC, KMEM_SLAB, KMEM_PAGES, KMEM_NR_TYPES };

static const char *const kmem_types[] = {
	[KMEM_KMALLOC] = "kmalloc", [KMEM_SLAB] = "slab", [KMEM_PAGES] = "pages"
};

struct kmem_row {
	struct rs_blocks_row blocks; /* first */
	uint64_t asked_bytes;
};

struct kmem {
	struct rs_blocks *blocks;    /* first */
	uint64_t page_sizes;         /* of all blocks of pages: sizes are powers of two */
	char caches[KMEM_MAX_CACHES][RS_PROBE_NAME_BYTES]; /* by their hash; "" none */
};

static const struct rs_store stores[] = { RS_BLOCKS_STORE(struct kmem_row, asked_bytes), { 0 } };

/* Returns 1 + its place; 0: it has no name, or there is no room. */
static uint64_t kmem_cache(struct kmem *s, const char *name)
{
	uint64_t hash = 0, word;

	if (!name || !*name)
		return 0;
	for (size_t i = 0; i < RS_PROBE_NAME_BYTES; i += sizeof word) {
		memcpy(&word, name + i, sizeof word);
		hash = rs_hash_pair(hash, word);
	}
	for (uint64_t i = 0; i < KMEM_MAX_CACHES; i++) {
		uint64_t place = (hash + i) & (KMEM_MAX_CACHES - 1);

		if (!*s->caches[place])
			memcpy(s->caches[place], name, RS_PROBE_NAME_BYTES);
		if (!memcmp(s->caches[place], name, RS_PROBE_NAME_BYTES))
			return place + 1;
	}
	return 0;
}

static int32_t kmem_page_space(uint64_t bytes)
{
	return 64 - __builtin_clzll(bytes);
}

static void kmem_on_alloc(struct rs_ctx *c, const struct rs_probe_hit *hit, enum kmem_type type)
{
	struct kmem *s = c->state;
	struct rs_block block = { .addr = hit->args[0], .bytes = hit->args[2], .ts_ns = hit->ts_ns,
				  .space = KMEM_OBJECTS };
	struct kmem_row *row;

	if (!rs_shown(c, hit->task))
		return;
	if (type == KMEM_PAGES && block.bytes) {
		block.space = kmem_page_space(block.bytes);
		s->page_sizes |= 1ull << (block.space - 1);
	}
	row = rs_blocks_add(c, hit->task->pid > 0 ? hit->task->pid : hit->task->tid, hit->stack,
			    (uint64_t)type | kmem_cache(s, hit->name) << KMEM_CACHE_SHIFT, &block);
	if (row)
		row->asked_bytes += hit->args[1];
}

static void kmem_on_free(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct rs_block block;

	if (rs_blocks_take(c, KMEM_OBJECTS, hit->args[0], &block))
		rs_blocks_freed(c, &block);
}

/*
 * Pages that were allocated together may be freed in parts, as a huge page that was split: a block lies at a
 * multiple of its size.
 */
static void kmem_on_page_free(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	const struct kmem *s = c->state;
	uint64_t bytes = hit->args[1];
	struct rs_block block;

	for (uint64_t sizes = s->page_sizes; sizes; sizes &= sizes - 1) {
		uint64_t size = sizes & -sizes;

		if (!rs_blocks_take(c, kmem_page_space(size), hit->args[0] & ~(size - 1), &block))
			continue;
		if (bytes < block.bytes)
			rs_blocks_keep(c, &block, block.addr, block.bytes - bytes);
		else
			rs_blocks_freed(c, &block);
		return;
	}
}

static void kmem_on_probe(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	switch (hit->function) {
	case RS_PROBE_KMALLOC:
		kmem_on_alloc(c, hit, KMEM_KMALLOC);
		break;
	case RS_PROBE_SLAB_ALLOC:
		kmem_on_alloc(c, hit, KMEM_SLAB);
		break;
	case RS_PROBE_PAGE_ALLOC:
		kmem_on_alloc(c, hit, KMEM_PAGES);
		break;
	case RS_PROBE_KFREE:
	case RS_PROBE_SLAB_FREE:
		kmem_on_free(c, hit);
		break;
	case RS_PROBE_PAGE_FREE:
		kmem_on_page_free(c, hit);
		break;
	default:
		rs_blocks_lost(c);
		break;
	}
}

static int kmem_init(struct rs_ctx *c)
{
	struct kmem *s = c->state;

	s->blocks = rs_blocks_new(c);
	return s->blocks ? 0 : -ENOMEM;
}

/* ---- rows ---- */

static struct rs_value kmem_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t type = g->keys[1] & ((1u << KMEM_CACHE_SHIFT) - 1);

	return type < KMEM_NR_TYPES ? rs_s(kmem_types[type]) : rs_null();
}

static struct rs_value kmem_show_cache(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct kmem *s = c->state;
	uint64_t cache = g->keys[1] >> KMEM_CACHE_SHIFT;

	return cache && cache <= KMEM_MAX_CACHES ? rs_s(s->caches[cache - 1]) : rs_null();
}

#define KMEM_KEY_COLUMNS \
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, \
	  "kmalloc, slab (an object of a cache of its own), or pages", .key = RS_KEY_1, .by_cell = true, \
	  .cell = kmem_show_type }, \
	{ "cache", "CACHE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 16, \
	  "the cache of a slab, as in /proc/slabinfo; null where the kernel does not say it", \
	  .key = RS_KEY_1, .by_cell = true, .cell = kmem_show_cache }
#define KMEM_ASKED_COLUMN \
	{ "asked_bytes", "ASKED", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, \
	  "bytes that were asked for: what is missing to BYTES is wasted", \
	  .measure_bytes = offsetof(struct kmem_row, asked_bytes), .aspect = RS_VALUE }

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	KMEM_KEY_COLUMNS,
	RS_BLOCKS_FUNCTION_COLUMNS,
	RS_BLOCKS_STACK_COLUMNS,
	RS_BLOCKS_COLUMNS,
	KMEM_ASKED_COLUMN,
	{ 0 },
};

static const struct rs_column stack_columns[] = {
	RS_GROUP_BY_COLUMNS,
	KMEM_KEY_COLUMNS,
	RS_BLOCKS_STACK_COLUMNS,
	RS_BLOCKS_COLUMNS,
	KMEM_ASKED_COLUMN,
	RS_BLOCKS_WEIGHT_COLUMN,
	{ 0 },
};

const struct rs_analysis rs_analysis_kmem = {
	.abi = RS_ABI,
	.name = "kmem",
	.summary = "what the kernel allocates for a process, by its code",
	.by_name = true,
	.callbacks = RS_LIST(rs_callback,
			     { RS_ON_PROBE, .probe = kmem_on_probe, .kinds = 1u << RS_PROBE_KERNEL }),
	.views = RS_LIST(rs_view,
			 { .name = "kmem", .topic = RS_TOPIC_MEMORY,
			   .summary = "slabs and pages that the kernel allocates for a process, by the place "
				      "in its code (-p PID, -- COMMAND)",
			   .kind = RS_VIEW_TABLE,
			   .columns = columns,
			   .sort = "-live_bytes,-alloc_bytes",
			   .options = "by,type,older,max-overhead,format",
			   .store = stores,
			   .by = "pid,type,cache,function,module",
			   .types = "kmalloc,slab,pages",
			   .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,"
					   "comm,pid,type,cache,module,function,callers,stack",
			   .folded = "kmem-stacks" },
			 { .name = "kmem-stacks", .topic = RS_TOPIC_MEMORY,
			   .summary = "slabs and pages that the kernel allocates for a process, by whole "
				      "stacks (-p PID, -- COMMAND)",
			   .kind = RS_VIEW_TABLE,
			   .columns = stack_columns,
			   .sort = "-self",
			   .options = "by,type,older,max-overhead,format",
			   .folded = "kmem-stacks",
			   .store = stores,
			   .by = "pid,type,cache,stack",
			   .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,"
					   "comm,pid,type,cache,stack" }),
	.stores = stores,
	.state_size = sizeof(struct kmem),
	.begin = kmem_init,
};
