// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alloc - who allocates memory in a process, by the place in its code: rates, live bytes, and what was not
 * freed for long
 */
#include <errno.h>

#include "ringside/plugin.h"

#define ALLOC_MAX_DEPTH 8

static const char *const alloc_types[] = {
	[RS_PROBE_MALLOC] = "malloc",
	[RS_PROBE_CALLOC] = "calloc",
	[RS_PROBE_REALLOC] = "realloc",
	[RS_PROBE_REALLOCARRAY] = "reallocarray",
	[RS_PROBE_ALIGNED_ALLOC] = "aligned_alloc",
	[RS_PROBE_MEMALIGN] = "memalign",
	[RS_PROBE_POSIX_MEMALIGN] = "posix_memalign",
	[RS_PROBE_NEW] = "new",
	[RS_PROBE_NEW_ARRAY] = "new[]",
	[RS_PROBE_FREE] = "free",
	[RS_PROBE_MMAP] = "mmap",
	[RS_PROBE_MREMAP] = "mremap",
	[RS_PROBE_MUNMAP] = "munmap",
	[RS_BLOCKS_EARLIER] = "earlier",
};

struct alloc {
	struct rs_blocks *blocks;    /* first */
	/* grows when hits were lost: calls that began before have no return any more */
	uint32_t round;
};

/* The calls that a thread is in: the outermost counts, others are how it does its work. */
struct alloc_task {
	uint32_t round;
	uint8_t depth;
	uint8_t functions[ALLOC_MAX_DEPTH];
	uint64_t args[RS_PROBE_ARGS];
	/* that realloc was given: others may get its address before it returns */
	struct rs_block moved;
};

static const struct rs_store stores[] = { RS_BLOCKS_STORE(struct rs_blocks_row, untracked), { 0 } };

/* ---- what happens to a block ---- */

/* Rows are the leader's: another thread may free what one has allocated. */
static int32_t alloc_process(const struct rs_probe_hit *hit)
{
	return hit->task->pid > 0 ? hit->task->pid : hit->task->tid;
}

static void alloc_add(struct rs_ctx *c, const struct rs_probe_hit *hit, uint32_t type, uint64_t addr,
		      uint64_t bytes)
{
	int32_t pid = alloc_process(hit);

	rs_blocks_add(c, pid, hit->stack, type, &(struct rs_block){ .addr = addr, .bytes = bytes,
		.ts_ns = hit->ts_ns, .space = pid });
}

/* Returns false if nothing is known of it. */
static bool alloc_take(struct rs_ctx *c, const struct rs_probe_hit *hit, uint64_t addr,
		       struct rs_block *taken)
{
	return rs_blocks_take(c, alloc_process(hit), addr, taken);
}

/* It was there before the capture began, or its allocation was not seen. */
static void alloc_count_earlier(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	rs_blocks_count_earlier(c, alloc_process(hit));
}

static void alloc_on_free(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct rs_block b;

	if (alloc_take(c, hit, hit->args[0], &b))
		rs_blocks_freed(c, &b);
	else if (hit->args[0])
		alloc_count_earlier(c, hit);
}

/* A part of a mapping may go; mappings of before, and those inside of malloc, are many: not counted. */
static void alloc_on_munmap(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	uint64_t bytes = hit->args[1];
	struct rs_block b;

	if (!alloc_take(c, hit, hit->args[0], &b))
		return;
	if (bytes < b.bytes)
		rs_blocks_keep(c, &b, b.addr + bytes, b.bytes - bytes);
	else
		rs_blocks_freed(c, &b);
}

/* ---- calls ---- */

static bool alloc_moves(enum rs_probe_function f)
{
	return f == RS_PROBE_REALLOC || f == RS_PROBE_REALLOCARRAY || f == RS_PROBE_MREMAP;
}

/* UINT64_MAX: it overflows, so the call fails. */
static uint64_t alloc_multiply(uint64_t nr, uint64_t bytes)
{
	uint64_t product;

	return __builtin_mul_overflow(nr, bytes, &product) ? UINT64_MAX : product;
}

static uint64_t alloc_bytes(enum rs_probe_function f, const uint64_t *args)
{
	switch (f) {
	case RS_PROBE_CALLOC:
		return alloc_multiply(args[0], args[1]);
	case RS_PROBE_REALLOCARRAY:
		return alloc_multiply(args[1], args[2]);
	case RS_PROBE_REALLOC:
	case RS_PROBE_ALIGNED_ALLOC:
	case RS_PROBE_MEMALIGN:
	case RS_PROBE_MMAP:
		return args[1];
	case RS_PROBE_POSIX_MEMALIGN:
	case RS_PROBE_MREMAP:
		return args[2];
	default:
		return args[0];
	}
}

static bool alloc_has_failed(enum rs_probe_function f, uint64_t result)
{
	if (f == RS_PROBE_POSIX_MEMALIGN)
		return (uint32_t)result;
	return f == RS_PROBE_MMAP || f == RS_PROBE_MREMAP ? result == UINT64_MAX : !result;
}

static void alloc_begin_call(struct rs_ctx *c, struct alloc_task *t, const struct rs_probe_hit *hit)
{
	memcpy(t->args, hit->args, sizeof t->args);
	t->moved = (struct rs_block){ 0 };
	if (alloc_moves(hit->function) && !alloc_take(c, hit, hit->args[0], &t->moved) && hit->args[0] &&
	    hit->function != RS_PROBE_MREMAP)
		alloc_count_earlier(c, hit);
}

static void alloc_end_call(struct rs_ctx *c, struct alloc_task *t, const struct rs_probe_hit *hit)
{
	uint64_t bytes = alloc_bytes(hit->function, t->args), result = hit->args[0];
	bool failed = alloc_has_failed(hit->function, result);

	if (t->moved.addr && failed && bytes) /* realloc to 0 bytes frees */
		rs_blocks_keep(c, &t->moved, t->moved.addr, t->moved.bytes); /* it is where it was */
	else if (t->moved.addr)
		rs_blocks_freed(c, &t->moved);
	if (!failed)
		alloc_add(c, hit, hit->function, hit->function == RS_PROBE_POSIX_MEMALIGN ? 0 : result,
			  bytes);
}

static void alloc_on_begin(struct rs_ctx *c, struct alloc_task *t, const struct rs_probe_hit *hit)
{
	if (!t->depth && hit->function == RS_PROBE_FREE)
		alloc_on_free(c, hit);
	else if (!t->depth && hit->function == RS_PROBE_MUNMAP)
		alloc_on_munmap(c, hit);
	else if (!t->depth)
		alloc_begin_call(c, t, hit);
	if (hit->function == RS_PROBE_FREE || hit->function == RS_PROBE_MUNMAP)
		return;
	if (t->depth < ALLOC_MAX_DEPTH)
		t->functions[t->depth] = (uint8_t)hit->function;
	t->depth += t->depth < UINT8_MAX;
}

/* Those inside of it whose return was not seen have ended, too. */
static void alloc_on_return(struct rs_ctx *c, struct alloc_task *t, const struct rs_probe_hit *hit)
{
	unsigned int depth = t->depth < ALLOC_MAX_DEPTH ? t->depth : ALLOC_MAX_DEPTH;

	while (depth && t->functions[depth - 1] != hit->function)
		depth--;
	if (!depth)
		return; /* it began before the capture, or deeper than is followed */
	t->depth = (uint8_t)(depth - 1);
	if (!t->depth)
		alloc_end_call(c, t, hit);
}

static void alloc_on_probe(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct alloc *s = c->state;
	struct alloc_task *t;

	if (hit->function == RS_PROBE_LOST) {
		rs_blocks_lost(c);
		s->round++;
		return;
	}
	if (!rs_shown(c, hit->task))
		return;
	t = rs_task_data(c, hit->task);
	if (t->round != s->round)
		*t = (struct alloc_task){ .round = s->round };
	if (hit->returns)
		alloc_on_return(c, t, hit);
	else
		alloc_on_begin(c, t, hit);
}

static int alloc_init(struct rs_ctx *c)
{
	struct alloc *s = c->state;

	s->blocks = rs_blocks_new(c);
	return s->blocks ? 0 : -ENOMEM;
}

/* ---- rows ---- */

static struct rs_value alloc_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return g->keys[1] < sizeof alloc_types / sizeof *alloc_types ? rs_s(alloc_types[g->keys[1]]) :
								       rs_null();
}

#define ALLOC_TYPE_COLUMN \
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, \
	  "the function that allocated: malloc, calloc, new, mmap and so on; earlier: freed, and not " \
	  "seen to be allocated", \
	  .key = RS_KEY_1, .by_cell = true, .cell = alloc_show_type }

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	ALLOC_TYPE_COLUMN,
	RS_BLOCKS_FUNCTION_COLUMNS,
	RS_BLOCKS_STACK_COLUMNS,
	RS_BLOCKS_COLUMNS,
	{ 0 },
};

static const struct rs_column stack_columns[] = {
	RS_GROUP_BY_COLUMNS,
	ALLOC_TYPE_COLUMN,
	RS_BLOCKS_STACK_COLUMNS,
	RS_BLOCKS_COLUMNS,
	RS_BLOCKS_WEIGHT_COLUMN,
	{ 0 },
};

const struct rs_analysis rs_analysis_alloc = {
	.abi = RS_ABI,
	.name = "alloc",
	.summary = "who allocates memory in a process, by its code",
	.by_name = true,
	.callbacks = RS_LIST(rs_callback,
			     { RS_ON_PROBE, .probe = alloc_on_probe, .kinds = 1u << RS_PROBE_PROCESS }),
	.views = RS_LIST(
		rs_view,
		{ .name = "alloc", .topic = RS_TOPIC_MEMORY,
		  .summary = "memory that a process allocates, by the place in its code (-p PID, -- COMMAND)",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns,
		  .sort = "-live_bytes,-alloc_bytes",
		  .options = "by,type,older,max-overhead,format",
		  .store = stores,
		  .by = "pid,type,function,module",
		  .types = "malloc,calloc,realloc,reallocarray,aligned_alloc,memalign,posix_memalign,new,new["
			   "],mmap,mremap,earlier",
		  .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,comm,pid,"
				  "type,module,function,callers,stack",
		  .folded = "alloc-stacks" },
		{ .name = "alloc-stacks", .topic = RS_TOPIC_MEMORY,
		  .summary = "memory that a process allocates, by whole stacks (-p PID, -- COMMAND)",
		  .kind = RS_VIEW_TABLE,
		  .columns = stack_columns,
		  .sort = "-self",
		  .options = "by,type,older,max-overhead,format",
		  .folded = "alloc-stacks",
		  .store = stores,
		  .by = "pid,type,stack",
		  .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,comm,pid,"
				  "type,stack" }),
	.stores = stores,
	.state_size = sizeof(struct alloc),
	.task_size = sizeof(struct alloc_task),
	.begin = alloc_init,
};
