// SPDX-License-Identifier: GPL-2.0-or-later
/* meminfo - the machine's memory as /proc/meminfo and /proc/vmstat tell it, on the trace's clock */
#include "ringside/plugin.h"

struct gauges {
	struct rs_gauges before; /* the row before this one */
	bool has_before;
};

enum {
	TIME, TOTAL, USED, CACHED, FREE, AVAILABLE, COMMITTED, MAPPED, SHARED, DIRTY, SWAPPED,
	FAULTS, MAJOR, PAGE_IN, PAGE_OUT, NR_COLUMNS,
};

#define BYTES(name, heading, help) { name, heading, RS_TYPE_BYTES, 0, 0, 9, help }
/* since the row before: over several rows these add up, levels do not */
#define MOVED(name, heading, type, help) { name, heading, type, 0, RS_COLUMN_SUM, 9, help }

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when /proc was read" },
	[TOTAL] = BYTES("total_bytes", "TOTAL",
			"memory that the kernel has; used, cached and free are its parts"),
	[USED] = BYTES("used_bytes", "USED", "neither free nor cached"),
	[CACHED] = BYTES("cached_bytes", "CACHED", "page cache, buffers and slabs that can be reclaimed"),
	[FREE] = BYTES("free_bytes", "FREE", "unused"),
	[AVAILABLE] = BYTES("available_bytes", "AVAILABLE",
			    "what programs can get without swapping, by the kernel's own guess"),
	[COMMITTED] = BYTES("committed_bytes", "COMMITTED", "promised to programs, touched or not"),
	[MAPPED] = BYTES("mapped_bytes", "MAPPED", "page cache that is mapped into processes"),
	[SHARED] = BYTES("shared_bytes", "SHARED", "shared memory and tmpfs; cached counts it too"),
	[DIRTY] = BYTES("dirty_bytes", "DIRTY", "has to be written to a disk yet"),
	[SWAPPED] = BYTES("swapped_bytes", "SWAPPED", "swap that is in use"),
	[FAULTS] = MOVED("faults", "FAULTS", RS_TYPE_COUNT,
			 "page faults of all tasks since the row before, or the begin of the capture"),
	[MAJOR] = MOVED("major", "MAJOR", RS_TYPE_COUNT, "of these, waited for a disk"),
	[PAGE_IN] = MOVED("page_in_bytes", "PAGEIN", RS_TYPE_BYTES, "read from disks into memory, likewise"),
	[PAGE_OUT] = MOVED("page_out_bytes", "PAGEOUT", RS_TYPE_BYTES,
			   "written from memory to disks, likewise"),
	{ 0 },
};

/*
 * Parts are read one after the other while memory moves: a sum may be off by what moved meanwhile, not below
 * 0.
 */
static struct rs_value less(struct rs_value from, struct rs_value part)
{
	if (!from.known || !part.known)
		return rs_null();
	return rs_u(from.u > part.u ? from.u - part.u : 0);
}

static struct rs_value plus(struct rs_value a, struct rs_value b)
{
	return rs_u_if(a.known && b.known, a.u + b.u);
}

static struct rs_value since(const struct rs_gauges *before, const struct rs_gauges *now, enum rs_gauge which)
{
	const struct rs_value *a = &before->value[which], *b = &now->value[which];

	return rs_u_if(a->known && b->known && b->u >= a->u, b->u - a->u);
}

static void meminfo_put_group(const struct rs_gauges *now, const struct rs_gauges *before,
			      struct rs_sink *out)
{
	const struct rs_value *g = now->value;
	struct rs_value v[NR_COLUMNS];

	v[TIME] = now->time_ns;
	v[TOTAL] = g[RS_GAUGE_TOTAL];
	v[CACHED] = plus(plus(g[RS_GAUGE_BUFFERS], g[RS_GAUGE_CACHED]), g[RS_GAUGE_RECLAIMABLE]);
	v[FREE] = g[RS_GAUGE_FREE];
	v[USED] = less(less(v[TOTAL], v[FREE]), v[CACHED]);
	v[AVAILABLE] = g[RS_GAUGE_AVAILABLE];
	v[COMMITTED] = g[RS_GAUGE_COMMITTED];
	v[MAPPED] = g[RS_GAUGE_MAPPED];
	v[SHARED] = g[RS_GAUGE_SHARED];
	v[DIRTY] = g[RS_GAUGE_DIRTY];
	v[SWAPPED] = less(g[RS_GAUGE_SWAP_TOTAL], g[RS_GAUGE_SWAP_FREE]);
	v[FAULTS] = since(before, now, RS_GAUGE_FAULTS);
	v[MAJOR] = since(before, now, RS_GAUGE_MAJOR_FAULTS);
	v[PAGE_IN] = since(before, now, RS_GAUGE_PAGE_IN_BYTES);
	v[PAGE_OUT] = since(before, now, RS_GAUGE_PAGE_OUT_BYTES);
	out->row(out, v);
}

static int meminfo_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	static const struct rs_gauges none;
	const struct rs_gauges *now = rs_gauges(c, false), *before = rs_gauges(c, true);
	const struct gauges *s = c->state;

	if (s->has_before)
		before = &s->before;
	if (now)
		meminfo_put_group(now, before ? before : &none, out);
	return 0;
}

static void meminfo_reset(struct rs_ctx *c)
{
	const struct rs_gauges *now = rs_gauges(c, false);
	struct gauges *s = c->state;

	if (!now)
		return;
	s->before = *now;
	s->has_before = true;
}

const struct rs_analysis rs_analysis_meminfo = {
	.abi = RS_ABI,
	.name = "meminfo",
	.summary = "levels of memory over time",
	.views = RS_LIST(rs_view, { .name = "meminfo", .topic = RS_TOPIC_MEMORY,
				    .old_name = "gauges",
				    .summary = "the machine's memory, and what it moves",
				    .kind = RS_VIEW_TABLE,
				    .machine_wide = "all of it", .tasks_view = "memory",
				    .columns = columns,
				    .rows = meminfo_put_rows,
				    .text_columns = "time_ns,total_bytes,used_bytes,cached_bytes,free_bytes,"
						    "committed_bytes,mapped_bytes,shared_bytes,"
						    "faults,major,page_in_bytes,page_out_bytes" }),
	.by_name = true,
	.live_only = true,
	.samples = RS_SAMPLE_GAUGES,
	.state_size = sizeof(struct gauges),
	.reset = meminfo_reset,
};
