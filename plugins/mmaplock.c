// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mmaplock - the lock of a process's memory map: how long tasks wait for it, and how long they hold it
 *
 * The one lock of which the kernel tells each hold. All of its events belong to the task that they fire in; a
 * trylock is not announced, it only succeeds or fails. A downgrade from write to read is reported as another
 * acquisition, while the hold goes on.
 */
#include "ringside/plugin.h"

struct sums {
	struct rs_hist waits, holds;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct sums), .of_tasks = true, .max_rows = 65536,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct sums, waits) },
		{ RS_MEASURE_LATENCY, offsetof(struct sums, holds) }) },
	{ 0 },
};

/* A map that a task waits for, or holds. */
struct map {
	struct rs_begun begun;   /* key: the map */
	bool write;
};

enum { MATCH_WAIT, MATCH_HOLD };

enum { SPAN_WAIT };

static void add_latency(struct rs_ctx *c, struct rs_hist *h, const struct rs_match_end *end)
{
	rs_latency_add(c, h, ((const struct map *)end->begun)->begun.begin_ns, end->end_ns, end->in_flight);
}

static void wait_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	const struct map *m = end->begun;
	struct sums *sums = end->discarded ? NULL : rs_store_row(c, 0, end->task, 0, 0);

	if (sums)
		add_latency(c, &sums->waits, end);
	if (!end->discarded && !end->in_flight)
		rs_emit_span(c, SPAN_WAIT, &(struct rs_span){ .task = end->task,
			.start_ns = m->begun.begin_ns, .end_ns = end->end_ns,
							.arg = m->write });
}

static void hold_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	struct sums *sums = end->discarded ? NULL : rs_store_row(c, 0, end->task, 0, 0);

	if (sums)
		add_latency(c, &sums->holds, end);
}

enum { MM, WRITE, SUCCESS }; /* fields of the events */

static void begin_map(struct rs_ctx *c, unsigned int match, const struct rs_event *ev,
		      const struct rs_field *f)
{
	((struct map *)rs_match_begin(c, match, ev, rs_u64(ev, &f[MM])))->write = rs_u64(ev, &f[WRITE]);
}

static bool is_of_map(const struct rs_begun *b, bool discarded, const void *mm)
{
	return b->key == *(const uint64_t *)mm;
}

static void on_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t mm = rs_u64(ev, &f[MM]);

	if (!ev->task)
		return;
	rs_match_lose_if(c, MATCH_HOLD, ev, is_of_map, &mm); /* no task waits for what it holds */
	begin_map(c, MATCH_WAIT, ev, f);
}

static void on_acquired(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t mm = rs_u64(ev, &f[MM]);
	const struct map *held;

	if (!ev->task)
		return;
	rs_match_end(c, MATCH_WAIT, ev, f, mm);
	if (!rs_u64(ev, &f[SUCCESS]))
		return;
	held = rs_match_find(c, MATCH_HOLD, ev, mm);
	if (held && held->write && !rs_u64(ev, &f[WRITE]) &&
	    !rs_discarded(c, held->begun.begin_ns, ev->ts_ns))
		return; /* downgraded: the hold goes on */
	begin_map(c, MATCH_HOLD, ev, f);
}

static void on_released(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_match_end(c, MATCH_HOLD, ev, f, rs_u64(ev, &f[MM]));
}

#define MMAP_LOCK(event, handler, ...) \
	{ \
		"mmap_lock", event, RS_REQUIRED, RS_BY_TASK, handler, \
		{ \
			"mm", "write", __VA_ARGS__ \
		} \
	}

#define WAITS .measure_bytes = offsetof(struct sums, waits), .aspect
#define HOLDS .measure_bytes = offsetof(struct sums, holds), .aspect

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "waits", "WAITS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "how often it was asked for, free or not; tries apart", WAITS = RS_COUNT },
	{ "wait_total_ns", "WAIT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "until it was had, or given up, in all", WAITS = RS_TOTAL },
	{ "wait_max_ns", "WMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest wait",
	  WAITS = RS_MAX },
	{ "holds", "HOLDS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was had, and released",
	  HOLDS = RS_COUNT },
	{ "hold_total_ns", "HOLD(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "held in all, to read or to write", HOLDS = RS_TOTAL },
	{ "hold_max_ns", "HMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "longest hold", HOLDS = RS_MAX },
	{ 0 },
};

static const char *mmaplock_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return arg ? "mmap_lock to write" : "mmap_lock to read";
}

const struct rs_analysis rs_analysis_mmaplock = {
	.abi = RS_ABI,
	.name = "mmaplock",
	.summary = "waits for the locks of memory maps, and holds of them",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		MMAP_LOCK("mmap_lock_start_locking", on_start, NULL),
		MMAP_LOCK("mmap_lock_acquire_returned", on_acquired, "success"),
		MMAP_LOCK("mmap_lock_released", on_released, NULL)),
	.views = RS_LIST(rs_view,
		{ .name = "mmaplock", .topic = RS_TOPIC_LOCKS,
		  .summary = "the lock of a process's memory map: waits and holds",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns, .sort = "-wait_total_ns", .options = "by", .store = stores, .by = "pid",
		  .text_columns = "comm,pid,waits,wait_total_ns,wait_max_ns,holds,hold_total_ns,hold_max_ns",
		  .latencies = RS_LIST(rs_latencies, { "wait_total_ns,wait_max_ns", .kind = "mmaplock" }) }),
	.spans = RS_LIST(rs_span_kind,
		[SPAN_WAIT] = { .name = "mmaplock", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE,
				.label = mmaplock_span_label,
				.slowest = "memory map's lock", .cause = RS_CAUSE_LOCK }),
	.stores = stores,
	/* A task deals with few maps at a time: a fork holds two. A wait without its begin was a trylock. */
	.matches = RS_LIST(rs_match,
		[MATCH_WAIT] = { "mmap_lock waits", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = 4,
				 .begun_bytes = sizeof(struct map),
				 .ends_alone = true, .end = wait_end },
		[MATCH_HOLD] = { "mmap_lock holds", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = 4,
				 .begun_bytes = sizeof(struct map), .end = hold_end }),
};
