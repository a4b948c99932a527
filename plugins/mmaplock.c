// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mmaplock - the lock of a process's memory map: how long tasks wait for it, and how long they hold it
 *
 * The one lock of which the kernel tells each hold. All of its events belong to the task that they fire in;
 * a trylock is not announced, it only succeeds or fails. Who downgrades from write to read is told to have
 * acquired it again, and holds it all the while.
 */
#include "ringside/group-by.h"

#define MMAPLOCK_MAX_OPEN 4 /* maps that one task deals with at a time: a fork holds two */

struct sums {
	struct rs_hist waits, holds;
};

static const struct rs_measure measures[] = {
	{ RS_MEASURE_LATENCY, offsetof(struct sums, waits) },
	{ RS_MEASURE_LATENCY, offsetof(struct sums, holds) },
	{ 0 },
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct sums), .measures = measures, .of_tasks = true, .most_rows = 65536 },
	{ 0 },
};

/* A map that a task waits for, or holds: one of the two. */
struct map {
	uint64_t mm, since_ns;
	bool holds, write;
};

struct of_task {
	struct map open[MMAPLOCK_MAX_OPEN];
	unsigned int nr;
};

enum { MM, WRITE, SUCCESS }; /* fields of the events */

static struct map *mmaplock_find(struct of_task *o, uint64_t mm)
{
	for (unsigned int i = 0; i < o->nr; i++)
		if (o->open[i].mm == mm)
			return &o->open[i];
	return NULL;
}

static void close_map(struct of_task *o, struct map *m)
{
	size_t nr_after = (size_t)(&o->open[--o->nr] - m);

	memmove(m, m + 1, nr_after * sizeof *m); /* the first is the oldest */
}

/* It is over, but nobody saw how: a gap came in between, or its end is missing without one. */
static void lose(struct rs_ctx *c, struct of_task *o, struct map *m, uint64_t now_ns)
{
	if (rs_discarded(c, m->since_ns, now_ns))
		rs_count_discarded(c);
	else
		rs_count_unmatched(c);
	close_map(o, m);
}

static void open_map(struct rs_ctx *c, struct of_task *o, const struct rs_event *ev, const struct rs_field *f, bool holds)
{
	if (o->nr == MMAPLOCK_MAX_OPEN)
		lose(c, o, &o->open[0], ev->ts_ns);
	o->open[o->nr++] = (struct map){ .mm = rs_u64(ev, &f[MM]), .since_ns = ev->ts_ns, .holds = holds,
					 .write = rs_u64(ev, &f[WRITE]) };
}

static void add_latency(struct rs_ctx *c, struct rs_task *t, const struct map *m, uint64_t now_ns, bool in_flight)
{
	struct sums *sums = rs_store_row(c, 0, t, 0, 0);

	if (sums)
		rs_latency_add(c, m->holds ? &sums->holds : &sums->waits, m->since_ns, now_ns, in_flight);
}

/* Adds an interval that ends now; false where a gap has made it void. */
static bool mmaplock_add(struct rs_ctx *c, struct rs_task *t, const struct map *m, uint64_t now_ns)
{
	if (rs_discarded(c, m->since_ns, now_ns)) {
		rs_count_discarded(c);
		return false;
	}
	add_latency(c, t, m, now_ns, false);
	return true;
}

enum { SPAN_WAIT };

static void mmaplock_emit_span(struct rs_ctx *c, const struct rs_event *ev, const struct map *m)
{
	rs_emit_span(c, SPAN_WAIT, &(struct rs_span){ .task = ev->task, .start_ns = m->since_ns, .end_ns = ev->ts_ns,
						.arg = m->write });
}

static void on_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? mmaplock_find(o, rs_u64(ev, &f[MM])) : NULL;

	if (m) /* nobody waits for what he holds */
		lose(c, o, m, ev->ts_ns);
	if (o)
		open_map(c, o, ev, f, false);
}

static void on_acquired(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? mmaplock_find(o, rs_u64(ev, &f[MM])) : NULL;
	bool success = rs_u64(ev, &f[SUCCESS]), write = rs_u64(ev, &f[WRITE]);

	if (!o)
		return;
	if (m && !m->holds) {
		if (mmaplock_add(c, ev->task, m, ev->ts_ns) && rs_spans_enabled(c))
			mmaplock_emit_span(c, ev, m);
		close_map(o, m);
	} else if (m && success) {
		if (m->write && !write && !rs_discarded(c, m->since_ns, ev->ts_ns))
			return; /* downgraded: the hold goes on */
		lose(c, o, m, ev->ts_ns);
	}
	if (success)
		open_map(c, o, ev, f, true);
}

static void on_released(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? mmaplock_find(o, rs_u64(ev, &f[MM])) : NULL;

	if (!m || !m->holds) {
		rs_count_unmatched(c);
		return;
	}
	mmaplock_add(c, ev->task, m, ev->ts_ns);
	close_map(o, m);
}

#define MMAP_LOCK(event, handler, ...) { "mmap_lock", event, RS_REQUIRED, RS_BY_TASK, handler, { "mm", "write", __VA_ARGS__ } }

static const struct rs_requirement requirements[] = {
	MMAP_LOCK("mmap_lock_start_locking", on_start, NULL),
	MMAP_LOCK("mmap_lock_acquire_returned", on_acquired, "success"),
	MMAP_LOCK("mmap_lock_released", on_released, NULL),
	{ 0 },
};

/* ---- rows ---- */

#define WAITS .measure_bytes = offsetof(struct sums, waits), .aspect
#define HOLDS .measure_bytes = offsetof(struct sums, holds), .aspect

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "waits", "WAITS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was asked for, free or not; tries apart", WAITS = RS_COUNT },
	{ "wait_total_ns", "WAIT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "until it was had, or given up, in all", WAITS = RS_TOTAL },
	{ "wait_max_ns", "WMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest wait", WAITS = RS_MAX },
	{ "holds", "HOLDS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was had, and released", HOLDS = RS_COUNT },
	{ "hold_total_ns", "HOLD(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "held in all, to read or to write", HOLDS = RS_TOTAL },
	{ "hold_max_ns", "HMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "longest hold", HOLDS = RS_MAX },
	{ 0 },
};

/* ---- the ends of tasks and of the trace ---- */

static void on_evict(struct rs_ctx *c, struct rs_task *t)
{
	struct of_task *o = rs_task_data(c, t);

	while (o->nr)
		lose(c, o, &o->open[0], rs_last_event_ns(c));
}

/* What a thread that execs has done is from then on the leader's. */
static void on_reassign(struct rs_ctx *c, struct rs_task *from, struct rs_task *to)
{
	struct of_task *f = rs_task_data(c, from), *t = rs_task_data(c, to);

	while (t->nr)
		lose(c, t, &t->open[0], rs_last_event_ns(c));
	memcpy(t->open, f->open, sizeof t->open); /* exec holds the map that it makes */
	t->nr = f->nr;
	memset(f, 0, sizeof *f);
}

/* What can have ended unseen is void; a task that is gone leaves its halves behind. The rest goes on after a time range. */
static void mmaplock_on_end(struct rs_ctx *c, uint64_t end_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct of_task *o = rs_task_data(c, t);

		for (unsigned int i = o->nr; i--;)
			if (t->exited || rs_discarded(c, o->open[i].since_ns, end_ns))
				lose(c, o, &o->open[i], end_ns);
			else if (c->range_ended)
				add_latency(c, t, &o->open[i], end_ns, true);
	}
}

static uint64_t mmaplock_count_in_flight(struct rs_ctx *c)
{
	uint64_t nr = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		nr += ((struct of_task *)rs_task_data(c, t))->nr;
	return nr;
}

static const struct rs_latencies latencies[] = {
	{ "wait_total_ns,wait_max_ns", .kind = "mmaplock" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "mmaplock", .summary = "the lock of a process's memory map: waits and holds", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-wait_total_ns", .options = "by", .store = stores, .by = "pid", .latencies = latencies,
	  .text_columns = "comm,pid,waits,wait_total_ns,wait_max_ns,holds,hold_total_ns,hold_max_ns" },
	{ 0 },
};

static const char *mmaplock_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return arg ? "mmap_lock to write" : "mmap_lock to read";
}

static const struct rs_span_kind spans[] = {
	[SPAN_WAIT] = { .name = "mmaplock", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE, .label = mmaplock_span_label,
			.slowest = "memory map's lock" },
	{ 0 },
};

const struct rs_analysis rs_analysis_mmaplock = {
	.abi = RS_ABI,
	.name = "mmaplock",
	.summary = "waits for the locks of memory maps, and holds of them",
	.by_name = true,
	.requirements = requirements,
	.views = views,
	.spans = spans,
	.stores = stores,
	.task_size = sizeof(struct of_task),
	.task_reassign = on_reassign,
	.task_evict = on_evict,
	.end = mmaplock_on_end,
	.in_flight = mmaplock_count_in_flight,
};
