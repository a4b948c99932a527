// SPDX-License-Identifier: GPL-2.0-or-later
/* alloc - who allocates memory in a process, by the place in its code: rates, live bytes, and what was not freed for long */
#include <errno.h>

#include "ringside/hash.h"
#include "ringside/plugin.h"

#define ALLOC_TEXT_BYTES 16384
#define ALLOC_MAX_SITES 65536u
#define ALLOC_FIRST_BLOCKS (1u << 14)   /* room for so many at first, a power of two */
#define ALLOC_MAX_BLOCKS (1u << 22)
#define ALLOC_MAX_DEPTH 8
#define ALLOC_OLD_NS 10000000000u
#define ALLOC_NO_SITE UINT32_MAX

/* Behind the functions: what was allocated before the capture began, and is freed in it. */
#define ALLOC_EARLIER RS_NR_PROBE_FUNCTIONS

static const char *const alloc_types[] = {
	[RS_PROBE_MALLOC] = "malloc", [RS_PROBE_CALLOC] = "calloc", [RS_PROBE_REALLOC] = "realloc", [RS_PROBE_REALLOCARRAY] = "reallocarray",
	[RS_PROBE_ALIGNED_ALLOC] = "aligned_alloc", [RS_PROBE_MEMALIGN] = "memalign", [RS_PROBE_POSIX_MEMALIGN] = "posix_memalign",
	[RS_PROBE_NEW] = "new", [RS_PROBE_NEW_ARRAY] = "new[]", [RS_PROBE_FREE] = "free", [RS_PROBE_MMAP] = "mmap", [RS_PROBE_MREMAP] = "mremap",
	[RS_PROBE_MUNMAP] = "munmap", [ALLOC_EARLIER] = "earlier",
};

/* Of one process, stack and function. What it has now, .live to .oldest_ns, is filled in when rows are shown. */
struct alloc_row {
	uint64_t allocs, alloc_bytes, frees, free_bytes;
	uint64_t live, live_bytes, old, old_bytes, untracked;
	uint64_t oldest_ns;
	uint32_t site;             /* 1 + its number; 0: none. No interval ends it */
};

/* What a row has now: it outlasts intervals. */
struct alloc_site {
	uint64_t live, live_bytes, untracked; /* untracked: allocations whose free cannot be told */
	uint64_t old, old_bytes, oldest_ns;   /* oldest_ns: when it was allocated */
	int32_t pid;
	uint32_t stack, type;
};

struct alloc_block {
	uint64_t addr, bytes, ts_ns; /* addr 0: no block */
	int32_t pid;
	uint32_t site;
};

struct alloc {
	struct alloc_block *blocks;  /* by their hash, without holes */
	size_t nr_blocks, room;
	struct alloc_site *sites;
	uint32_t nr_sites;
	uint32_t round;              /* grows when hits were lost: calls that began before have no return any more */
	bool lost;
	uint64_t scanned_ns;         /* when .old was counted */
	char text[ALLOC_TEXT_BYTES], modules[ALLOC_TEXT_BYTES];
};

/* The calls that a thread is in: the outermost counts, others are how it does its work. */
struct alloc_task {
	uint32_t round;
	uint8_t depth;
	uint8_t functions[ALLOC_MAX_DEPTH];
	uint64_t args[RS_PROBE_ARGS];
	struct alloc_block moved;    /* that realloc was given: others may get its address before it returns */
};

static void alloc_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row);

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct alloc_row), .of_tasks = true, .stays_with_thread = true, .keeps_rows = true, .max_rows = ALLOC_MAX_SITES,
	  .key0_is_stack = true, .complete = alloc_complete,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct alloc_row, allocs, untracked),
		{ RS_MEASURE_MAX, offsetof(struct alloc_row, oldest_ns) }) },
	{ 0 },
};

/* ---- blocks: a table with open addressing ---- */

static size_t alloc_place(const struct alloc *s, int32_t pid, uint64_t addr)
{
	return rs_hash_pair(addr, (uint64_t)pid) & (s->room - 1);
}

/* Returns its place, or the free place where it would be. */
static struct alloc_block *alloc_find(const struct alloc *s, int32_t pid, uint64_t addr)
{
	size_t at = alloc_place(s, pid, addr);

	while (s->blocks[at].addr && (s->blocks[at].addr != addr || s->blocks[at].pid != pid))
		at = (at + 1) & (s->room - 1);
	return &s->blocks[at];
}

/* Blocks behind it that are not in their own place move up, so that no search ends too early. */
static void alloc_remove(struct alloc *s, struct alloc_block *b)
{
	size_t hole = (size_t)(b - s->blocks), mask = s->room - 1;

	for (size_t at = (hole + 1) & mask; s->blocks[at].addr; at = (at + 1) & mask) {
		size_t home = alloc_place(s, s->blocks[at].pid, s->blocks[at].addr);

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		s->blocks[hole] = s->blocks[at];
		hole = at;
	}
	s->blocks[hole].addr = 0;
	s->nr_blocks--;
}

/* At most three quarters are in use. False: no room. */
static bool alloc_reserve(struct rs_ctx *c)
{
	struct alloc *s = c->state, old = *s;
	struct alloc_block *blocks;

	if (s->nr_blocks < s->room / 4 * 3)
		return true;
	if (s->room >= ALLOC_MAX_BLOCKS)
		return false;
	blocks = rs_alloc(c, old.room * 2, sizeof *blocks);
	if (!blocks)
		return false;
	s->blocks = blocks;
	s->room = old.room * 2;
	for (size_t i = 0; i < old.room; i++)
		if (old.blocks[i].addr)
			*alloc_find(s, old.blocks[i].pid, old.blocks[i].addr) = old.blocks[i];
	return true;
}

/* ---- sites ---- */

/* Rows are the leader's: another thread may free what one has allocated. */
static struct rs_task *alloc_leader(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_task *leader = t->pid && t->pid != t->tid ? rs_task_get(c, t->pid) : t;

	return leader ? leader : t;
}

static struct alloc_row *alloc_row_of(struct rs_ctx *c, int32_t pid, uint32_t stack, uint32_t type)
{
	struct rs_task *t = rs_task_get(c, pid);

	return t ? rs_store_row(c, 0, t, stack, type) : NULL;
}

static struct alloc_row *alloc_site_row(struct rs_ctx *c, uint32_t site)
{
	const struct alloc *s = c->state;
	struct alloc_row *row = alloc_row_of(c, s->sites[site].pid, s->sites[site].stack, s->sites[site].type);

	if (row && !row->site) /* it was evicted meanwhile */
		row->site = site + 1;
	return row;
}

static uint32_t alloc_site_of(struct rs_ctx *c, struct alloc_row *row, int32_t pid, uint32_t stack, uint32_t type)
{
	struct alloc *s = c->state;

	if (!row->site && s->nr_sites < ALLOC_MAX_SITES) {
		s->sites[s->nr_sites] = (struct alloc_site){ .pid = pid, .stack = stack, .type = type };
		row->site = ++s->nr_sites;
	}
	return row->site - 1;
}

static void alloc_leave_site(struct alloc *s, const struct alloc_block *b)
{
	s->sites[b->site].live--;
	s->sites[b->site].live_bytes -= b->bytes;
}

/* ---- what happens to a block ---- */

static void alloc_add(struct rs_ctx *c, const struct rs_probe_hit *hit, uint32_t type, uint64_t addr, uint64_t bytes)
{
	struct alloc *s = c->state;
	int32_t pid = alloc_leader(c, hit->task)->tid;
	struct alloc_row *row = alloc_row_of(c, pid, hit->stack, type);
	struct alloc_block *b;
	uint32_t site;

	if (!row)
		return;
	row->allocs++;
	row->alloc_bytes += bytes;
	site = alloc_site_of(c, row, pid, hit->stack, type);
	if (site == ALLOC_NO_SITE)
		return;
	if (!addr || !alloc_reserve(c)) {
		s->sites[site].untracked++;
		return;
	}
	b = alloc_find(s, pid, addr);
	if (b->addr) /* its free was not seen */
		alloc_leave_site(s, b);
	s->nr_blocks += !b->addr;
	*b = (struct alloc_block){ addr, bytes, hit->ts_ns, pid, site };
	s->sites[site].live++;
	s->sites[site].live_bytes += bytes;
}

/* Returns false if nothing is known of it. */
static bool alloc_take(struct rs_ctx *c, const struct rs_probe_hit *hit, uint64_t addr, struct alloc_block *taken)
{
	struct alloc *s = c->state;
	struct alloc_block *b = addr ? alloc_find(s, alloc_leader(c, hit->task)->tid, addr) : NULL;

	*taken = (struct alloc_block){ 0 };
	if (!b || !b->addr)
		return false;
	*taken = *b;
	alloc_remove(s, b);
	return true;
}

static void alloc_count_free(struct rs_ctx *c, const struct alloc_block *b)
{
	struct alloc_row *row = alloc_site_row(c, b->site);

	alloc_leave_site(c->state, b);
	if (!row)
		return;
	row->frees++;
	row->free_bytes += b->bytes;
}

/* It was there before the capture began, or its allocation was not seen. */
static void alloc_count_earlier(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct alloc_row *row = alloc_row_of(c, alloc_leader(c, hit->task)->tid, 0, ALLOC_EARLIER);

	if (row)
		row->frees++;
}

static void alloc_on_free(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct alloc_block b;

	if (alloc_take(c, hit, hit->args[0], &b))
		alloc_count_free(c, &b);
	else if (hit->args[0])
		alloc_count_earlier(c, hit);
}

/* A part of a mapping may go; mappings of before, and those inside of malloc, are many: not counted. */
static void alloc_on_munmap(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct alloc *s = c->state;
	struct alloc_block b, kept;

	if (!alloc_take(c, hit, hit->args[0], &b))
		return;
	kept = b;
	if (hit->args[1] >= b.bytes) {
		alloc_count_free(c, &b);
		return;
	}
	kept.addr += hit->args[1];
	kept.bytes -= hit->args[1];
	s->sites[b.site].live_bytes -= hit->args[1];
	if (alloc_find(s, kept.pid, kept.addr)->addr) { /* the kernel has given it to another mapping by now */
		alloc_leave_site(s, &kept);
		return;
	}
	*alloc_find(s, kept.pid, kept.addr) = kept;
	s->nr_blocks++;
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
	t->moved = (struct alloc_block){ 0 };
	if (alloc_moves(hit->function) && !alloc_take(c, hit, hit->args[0], &t->moved) && hit->args[0] && hit->function != RS_PROBE_MREMAP)
		alloc_count_earlier(c, hit);
}

/* It failed: the block that it was given is where it was. */
static void alloc_put_back(struct rs_ctx *c, const struct alloc_block *moved)
{
	struct alloc *s = c->state;
	struct alloc_block *b = alloc_find(s, moved->pid, moved->addr);

	s->nr_blocks += !b->addr;
	*b = *moved;
}

static void alloc_end_call(struct rs_ctx *c, struct alloc_task *t, const struct rs_probe_hit *hit)
{
	uint64_t bytes = alloc_bytes(hit->function, t->args), result = hit->args[0];
	bool failed = alloc_has_failed(hit->function, result);

	if (t->moved.addr && failed && bytes) /* realloc to 0 bytes frees */
		alloc_put_back(c, &t->moved);
	else if (t->moved.addr)
		alloc_count_free(c, &t->moved);
	if (!failed)
		alloc_add(c, hit, hit->function, hit->function == RS_PROBE_POSIX_MEMALIGN ? 0 : result, bytes);
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

/* The free of any block may be among them, so that what lives is not known from here on. */
static void alloc_on_loss(struct alloc *s)
{
	s->lost = true;
	s->round++;
}

static void alloc_on_probe(struct rs_ctx *c, const struct rs_probe_hit *hit)
{
	struct alloc *s = c->state;
	struct alloc_task *t;

	if (hit->function == RS_PROBE_LOST) {
		alloc_on_loss(s);
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

	s->blocks = rs_alloc(c, ALLOC_FIRST_BLOCKS, sizeof *s->blocks);
	s->sites = rs_alloc(c, ALLOC_MAX_SITES, sizeof *s->sites);
	s->room = ALLOC_FIRST_BLOCKS;
	return s->blocks && s->sites ? 0 : -ENOMEM;
}

/* ---- rows ---- */

/* Once for all rows of a request. */
static void alloc_scan(const struct rs_ctx *c, struct alloc *s)
{
	uint64_t now_ns = rs_last_event_ns(c);

	if (s->scanned_ns == now_ns)
		return;
	s->scanned_ns = now_ns;
	for (uint32_t i = 0; i < s->nr_sites; i++)
		s->sites[i].old = s->sites[i].old_bytes = s->sites[i].oldest_ns = 0;
	for (const struct alloc_block *b = s->blocks; b < s->blocks + s->room; b++) {
		struct alloc_site *site = &s->sites[b->site];
		bool is_old = b->addr && b->ts_ns < now_ns && now_ns - b->ts_ns >= ALLOC_OLD_NS;

		if (b->addr && (!site->oldest_ns || b->ts_ns < site->oldest_ns))
			site->oldest_ns = b->ts_ns;
		site->old += is_old;
		site->old_bytes += is_old ? b->bytes : 0;
	}
}

static void alloc_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row)
{
	struct alloc *s = c->state;
	struct alloc_row *r = row;
	const struct alloc_site *site = r->site ? &s->sites[r->site - 1] : NULL;

	if (!site)
		return;
	alloc_scan(c, s);
	r->live = site->live;
	r->live_bytes = site->live_bytes;
	r->untracked = site->untracked;
	r->old = site->old;
	r->old_bytes = site->old_bytes;
	r->oldest_ns = site->oldest_ns && site->oldest_ns < s->scanned_ns ? s->scanned_ns - site->oldest_ns : 0;
}

static const struct alloc_row *alloc_of(const struct rs_group *g)
{
	return g->row;
}

/* What lives is known while no hit was lost, and where each address is. */
static bool alloc_knows_live(const struct rs_ctx *c, const struct rs_group *g)
{
	const struct alloc *s = c->state;

	return !s->lost && !alloc_of(g)->untracked && g->keys[1] != ALLOC_EARLIER;
}

#define ALLOC_SHOW(name, value) \
	static struct rs_value name(struct rs_ctx *c, const struct rs_group *g, char *buf) { return value; }

ALLOC_SHOW(alloc_show_live, rs_u_if(alloc_knows_live(c, g), alloc_of(g)->live))
ALLOC_SHOW(alloc_show_live_bytes, rs_u_if(alloc_knows_live(c, g), alloc_of(g)->live_bytes))
ALLOC_SHOW(alloc_show_old, rs_u_if(alloc_knows_live(c, g), alloc_of(g)->old))
ALLOC_SHOW(alloc_show_old_bytes, rs_u_if(alloc_knows_live(c, g), alloc_of(g)->old_bytes))
ALLOC_SHOW(alloc_show_oldest, rs_u_if(alloc_knows_live(c, g) && alloc_of(g)->live, alloc_of(g)->oldest_ns))

static struct rs_value alloc_show_growth(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return alloc_knows_live(c, g) ? rs_i((int64_t)(alloc_of(g)->alloc_bytes - alloc_of(g)->free_bytes)) : rs_null();
}

static struct rs_value alloc_per_s(const struct rs_ctx *c, uint64_t nr)
{
	uint64_t ns = rs_last_event_ns(c) - rs_since_ns(c);

	return rs_u_if(ns > 0 && rs_last_event_ns(c) > rs_since_ns(c), (uint64_t)((double)nr * 1e9 / (double)ns + 0.5));
}

ALLOC_SHOW(alloc_show_rate, alloc_per_s(c, alloc_of(g)->allocs))
ALLOC_SHOW(alloc_show_bytes_rate, alloc_per_s(c, alloc_of(g)->alloc_bytes))

static struct rs_value alloc_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return g->keys[1] <= ALLOC_EARLIER ? rs_s(alloc_types[g->keys[1]]) : rs_null();
}

static struct rs_value alloc_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	if (!g->keys[0])
		return rs_null();
	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return rs_s(frame.function ? frame.function : "[unknown]");
}

static struct rs_value alloc_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return g->keys[0] ? rs_s(frame.module) : rs_null();
}

static struct rs_value alloc_show_callers(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct alloc *s = c->state;

	return g->keys[0] ? rs_s(rs_stack_callers(c, (uint32_t)g->keys[0], s->text, sizeof s->text)) : rs_null();
}

static struct rs_value alloc_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct alloc *s = c->state;

	return g->keys[0] ? rs_s(rs_stack_text(c, (uint32_t)g->keys[0], s->text, sizeof s->text)) : rs_null();
}

static struct rs_value alloc_show_modules(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct alloc *s = c->state;

	return g->keys[0] ? rs_s(rs_stack_modules(c, (uint32_t)g->keys[0], s->modules, sizeof s->modules)) : rs_null();
}

#define ALLOC_SUM(member) .measure_bytes = offsetof(struct alloc_row, member), .aspect = RS_VALUE
#define ALLOC_KEY_0 .key = RS_KEY_0, .by_cell = true, .cell

#define ALLOC_TYPE_COLUMN \
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, \
	  "the function that allocated: malloc, calloc, new, mmap and so on; earlier: freed, and not seen to be allocated", \
	  .key = RS_KEY_1, .by_cell = true, .cell = alloc_show_type }
#define ALLOC_STACK_COLUMNS \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, "functions, outermost first", ALLOC_KEY_0 = alloc_show_stack }, \
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "modules of these functions, in the same order", ALLOC_KEY_0 = alloc_show_modules, \
	  .follows = "stack" }
#define ALLOC_MEASURE_COLUMNS \
	{ "allocs", "ALLOCS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "allocations", ALLOC_SUM(allocs) }, \
	{ "alloc_bytes", "BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "that they asked for", ALLOC_SUM(alloc_bytes) }, \
	{ "allocs_per_s", "ALLOCS/s", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "allocations a second", .cell = alloc_show_rate }, \
	{ "bytes_per_s", "BYTES/s", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "bytes a second", .cell = alloc_show_bytes_rate }, \
	{ "frees", "FREES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "of what it allocated; of earlier, of what it had before", ALLOC_SUM(frees) }, \
	{ "live", "BLOCKS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "allocations that are not freed; null where that is not known: hits were lost, posix_memalign", .cell = alloc_show_live }, \
	{ "live_bytes", "LIVE", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "their bytes", .cell = alloc_show_live_bytes }, \
	{ "growth_bytes", "GROWTH", RS_TYPE_BYTES, 0, RS_COLUMN_SIGNED | RS_COLUMN_SUM, 10, \
	  "by how much that grew in this time, or shrank", .cell = alloc_show_growth }, \
	{ "old", "OLD", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "of these, not freed for 10 s or more", .cell = alloc_show_old }, \
	{ "old_bytes", ">10s", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "bytes that were not freed for 10 s or more", .cell = alloc_show_old_bytes }, \
	{ "oldest_ns", "OLDEST(s)", RS_TYPE_DURATION, RS_UNIT_S, 0, 10, "age of the oldest that is not freed", .cell = alloc_show_oldest }

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	ALLOC_TYPE_COLUMN,
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "that called it; [unknown]: no symbol covers the address",
	  ALLOC_KEY_0 = alloc_show_function },
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "program or library that has the function", ALLOC_KEY_0 = alloc_show_module,
	  .follows = "function" },
	{ "callers", "FUNCTION < CALLERS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, "the function and its callers, innermost first",
	  ALLOC_KEY_0 = alloc_show_callers },
	ALLOC_STACK_COLUMNS,
	ALLOC_MEASURE_COLUMNS,
	{ 0 },
};

/* For flame graphs: a weight, the bytes that live, or, where that is not known, those that were allocated. */
static struct rs_value alloc_show_weight(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(alloc_knows_live(c, g) ? alloc_of(g)->live_bytes : alloc_of(g)->alloc_bytes);
}

static const struct rs_column stack_columns[] = {
	RS_GROUP_BY_COLUMNS,
	ALLOC_TYPE_COLUMN,
	ALLOC_STACK_COLUMNS,
	ALLOC_MEASURE_COLUMNS,
	{ "self", "WEIGHT", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "bytes that live; those that were allocated where that is not known",
	  .cell = alloc_show_weight },
	{ 0 },
};

const struct rs_analysis rs_analysis_alloc = {
	.abi = RS_ABI,
	.name = "alloc",
	.summary = "who allocates memory in a process, by its code",
	.by_name = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_PROBE, .probe = alloc_on_probe }),
	.views = RS_LIST(rs_view,
		{ .name = "alloc", .summary = "memory that a process allocates, by the place in its code (-p PID)", .kind = RS_VIEW_TABLE,
		  .columns = columns, .sort = "-live_bytes,-alloc_bytes", .options = "by,type,max-overhead,format", .store = stores,
		  .by = "pid,type,function,module", .types = "malloc,calloc,realloc,reallocarray,aligned_alloc,memalign,posix_memalign,new,new[],mmap,mremap,earlier",
		  .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,comm,pid,type,module,function,callers,stack", .folded = "alloc-stacks" },
		{ .name = "alloc-stacks", .summary = "memory that a process allocates, by whole stacks (-p PID)", .kind = RS_VIEW_TABLE,
		  .columns = stack_columns, .sort = "-self", .options = "by,type,max-overhead", .store = stores, .by = "pid,type,stack",
		  .text_columns = "live_bytes,live,growth_bytes,old_bytes,allocs_per_s,bytes_per_s,comm,pid,type,stack" }),
	.stores = stores,
	.state_size = sizeof(struct alloc),
	.task_size = sizeof(struct alloc_task),
	.begin = alloc_init,
};
