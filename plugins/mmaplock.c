// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mmaplock - the lock of a process's memory map: how long tasks wait for it, and how long they hold it
 *
 * The one lock of which the kernel tells each hold. All of its events belong to the task that they fire in;
 * a trylock is not announced, it only succeeds or fails. Who downgrades from write to read is told to have
 * acquired it again, and holds it all the while.
 */
#include "ringside/by.h"

#define MAX_OPEN 4 /* maps that one task deals with at a time: a fork holds two */

/* How many began, their time inside the range that is asked about, the longest that ended: see rs_latency_add. */
struct sum {
	uint64_t nr, total_ns, max_ns;
	bool ended;    /* max_ns is of one */
};

struct sums {
	struct sum waits, holds;
};

/* A map that a task waits for, or holds: one of the two. */
struct map {
	uint64_t mm, since_ns;
	bool holds, write;
};

struct of_task {
	struct map open[MAX_OPEN];
	unsigned int nr;
	struct sums sums;
};

struct mmaplock {
	struct sums rest; /* of tasks that were evicted */
};

enum { MM, WRITE, SUCCESS }; /* fields of the events */

static struct map *find(struct of_task *o, uint64_t mm)
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
	if (rs_voided(c, m->since_ns, now_ns))
		rs_count_voided(c);
	else
		rs_count_orphan(c);
	close_map(o, m);
}

static void open_map(struct rs_ctx *c, struct of_task *o, const struct rs_event *ev, const struct rs_field *f, bool holds)
{
	if (o->nr == MAX_OPEN)
		lose(c, o, &o->open[0], ev->ts_ns);
	o->open[o->nr++] = (struct map){ .mm = rs_u64(ev, &f[MM]), .since_ns = ev->ts_ns, .holds = holds,
					 .write = rs_u64(ev, &f[WRITE]) };
}

static struct sum *sum_of(struct of_task *o, const struct map *m)
{
	return m->holds ? &o->sums.holds : &o->sums.waits;
}

static void add_inside(const struct rs_ctx *c, struct sum *sum, const struct map *m, uint64_t now_ns)
{
	uint64_t inside_ns = rs_part_ns(c->range_from_ns, m->since_ns, now_ns);

	sum->nr += m->since_ns >= c->range_from_ns;
	if (__builtin_add_overflow(sum->total_ns, inside_ns, &sum->total_ns)) /* a hostile file's times */
		sum->total_ns = UINT64_MAX;
}

/* Adds an interval that ends now; false where a gap has made it void. */
static bool add(struct rs_ctx *c, struct of_task *o, const struct map *m, uint64_t now_ns)
{
	struct sum *sum = sum_of(o, m);

	if (rs_voided(c, m->since_ns, now_ns)) {
		rs_count_voided(c);
		return false;
	}
	add_inside(c, sum, m, now_ns);
	sum->ended = true;
	if (now_ns - m->since_ns > sum->max_ns)
		sum->max_ns = now_ns - m->since_ns;
	return true;
}

enum { SPAN_WAIT };

static void lay(struct rs_ctx *c, const struct rs_event *ev, const struct map *m)
{
	rs_lay(c, SPAN_WAIT, &(struct rs_span){ .task = ev->task, .start_ns = m->since_ns, .end_ns = ev->ts_ns,
						.arg = m->write });
}

static void on_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? find(o, rs_u64(ev, &f[MM])) : NULL;

	if (m) /* nobody waits for what he holds */
		lose(c, o, m, ev->ts_ns);
	if (o)
		open_map(c, o, ev, f, false);
}

static void on_acquired(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? find(o, rs_u64(ev, &f[MM])) : NULL;
	bool success = rs_u64(ev, &f[SUCCESS]), write = rs_u64(ev, &f[WRITE]);

	if (!o)
		return;
	if (m && !m->holds) {
		if (add(c, o, m, ev->ts_ns) && rs_laying(c))
			lay(c, ev, m);
		close_map(o, m);
	} else if (m && success) {
		if (m->write && !write && !rs_voided(c, m->since_ns, ev->ts_ns))
			return; /* downgraded: the hold goes on */
		lose(c, o, m, ev->ts_ns);
	}
	if (success)
		open_map(c, o, ev, f, true);
}

static void on_released(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct of_task *o = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct map *m = o ? find(o, rs_u64(ev, &f[MM])) : NULL;

	if (!m || !m->holds) {
		rs_count_orphan(c);
		return;
	}
	add(c, o, m, ev->ts_ns);
	close_map(o, m);
}

#define MMAP_LOCK(event, handler, ...) { "mmap_lock", event, RS_REQUIRED, RS_BY_TASK, handler, { "mm", "write", __VA_ARGS__ } }

static const struct rs_want wants[] = {
	MMAP_LOCK("mmap_lock_start_locking", on_start, NULL),
	MMAP_LOCK("mmap_lock_acquire_returned", on_acquired, "success"),
	MMAP_LOCK("mmap_lock_released", on_released, NULL),
	{ 0 },
};

/* ---- rows ---- */

enum { COMM, PID, TID, WAITS, WAIT_TOTAL, WAIT_MAX, HOLDS, HOLD_TOTAL, HOLD_MAX, NR_COLUMNS };

static const struct rs_column columns[] = {
	RS_BY_COLUMNS,
	[WAITS] = { "waits", "WAITS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was asked for, free or not; tries apart" },
	[WAIT_TOTAL] = { "wait_total_ns", "WAIT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "until it was had, or given up, in all" },
	[WAIT_MAX] = { "wait_max_ns", "WMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest wait" },
	[HOLDS] = { "holds", "HOLDS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was had, and released" },
	[HOLD_TOTAL] = { "hold_total_ns", "HOLD(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "held in all, to read or to write" },
	[HOLD_MAX] = { "hold_max_ns", "HMAX(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "longest hold" },
	{ 0 },
};

struct group {
	struct rs_who who;       /* first */
	struct sums sums;
};

static void merge_sum(struct sum *into, const struct sum *from)
{
	into->nr += from->nr;
	into->total_ns += from->total_ns;
	into->ended |= from->ended;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

static void merge(struct sums *into, const struct sums *from)
{
	merge_sum(&into->waits, &from->waits);
	merge_sum(&into->holds, &from->holds);
}

static bool is_empty(const struct sums *s)
{
	return !s->waits.nr && !s->holds.nr && !s->waits.total_ns && !s->holds.total_ns;
}

static void add_to_group(struct rs_ctx *c, struct rs_groups *groups, const struct rs_by *by, const struct rs_task *t,
			 const struct sums *sums)
{
	struct group *g;

	if (is_empty(sums))
		return;
	g = rs_by_group(by, c, groups, t);
	if (!g)
		return;
	merge(&g->sums, sums);
}

static void show(const struct rs_by *by, const struct group *g, struct rs_sink *out)
{
	const struct sums *s = &g->sums;
	struct rs_value v[NR_COLUMNS];

	rs_by_values(by, &g->who, v);
	v[WAITS] = rs_u(s->waits.nr);
	v[WAIT_TOTAL] = rs_u(s->waits.total_ns);
	v[WAIT_MAX] = rs_u_if(s->waits.ended, s->waits.max_ns);
	v[HOLDS] = rs_u(s->holds.nr);
	v[HOLD_TOTAL] = rs_u(s->holds.total_ns);
	v[HOLD_MAX] = rs_u_if(s->holds.ended, s->holds.max_ns);
	out->row(out, v);
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_by by = rs_by_of(q, (struct rs_by){ .pid = true });
	const struct mmaplock *s = c->state;
	struct rs_groups *groups = rs_groups_new(sizeof(struct group));

	if (!groups)
		return;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_shown(c, t))
			add_to_group(c, groups, &by, t, &((struct of_task *)rs_task_data(c, t))->sums);
	add_to_group(c, groups, &by, NULL, &s->rest);
	for (struct group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g))
		show(&by, g, out);
	rs_groups_free(groups);
}

/* ---- the ends of tasks and of the trace ---- */

static void on_evict(struct rs_ctx *c, struct rs_task *t)
{
	struct of_task *o = rs_task_data(c, t);
	struct mmaplock *s = c->state;

	while (o->nr)
		lose(c, o, &o->open[0], rs_now_ns(c));
	if (rs_shown(c, t))
		merge(&s->rest, &o->sums);
}

/* What a thread that execs has done is from then on the leader's. */
static void on_move(struct rs_ctx *c, struct rs_task *from, struct rs_task *to)
{
	struct of_task *f = rs_task_data(c, from), *t = rs_task_data(c, to);

	while (t->nr)
		lose(c, t, &t->open[0], rs_now_ns(c));
	merge(&t->sums, &f->sums);
	memcpy(t->open, f->open, sizeof t->open); /* exec holds the map that it makes */
	t->nr = f->nr;
	memset(f, 0, sizeof *f);
}

/* What can have ended unseen is void; a task that is gone leaves its halves behind. The rest goes on after a time range. */
static void on_end(struct rs_ctx *c, uint64_t end_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct of_task *o = rs_task_data(c, t);

		for (unsigned int i = o->nr; i--;)
			if (t->exited || rs_voided(c, o->open[i].since_ns, end_ns))
				lose(c, o, &o->open[i], end_ns);
			else if (c->range_ended)
				add_inside(c, sum_of(o, &o->open[i]), &o->open[i], end_ns);
	}
}

static uint64_t in_flight(struct rs_ctx *c)
{
	uint64_t nr = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		nr += ((struct of_task *)rs_task_data(c, t))->nr;
	return nr;
}

static void reset(struct rs_ctx *c)
{
	struct mmaplock *s = c->state;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		((struct of_task *)rs_task_data(c, t))->sums = (struct sums){ 0 };
	s->rest = (struct sums){ 0 };
}

static const struct rs_lengths lengths[] = {
	{ "wait_total_ns,wait_max_ns", .kind = "mmaplock" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "mmaplock", .summary = "the lock of a process's memory map: waits and holds", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-wait_total_ns", .options = "by", .rows = rows, .lengths = lengths,
	  .text_columns = "comm,pid,waits,wait_total_ns,wait_max_ns,holds,hold_total_ns,hold_max_ns" },
	{ 0 },
};

static const char *span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return arg ? "mmap_lock to write" : "mmap_lock to read";
}

static const struct rs_span_kind spans[] = {
	[SPAN_WAIT] = { .name = "mmaplock", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE, .label = span_label,
			.worst = "memory map's lock" },
	{ 0 },
};

const struct rs_analysis rs_analysis_mmaplock = {
	.abi = RS_ABI,
	.name = "mmaplock",
	.summary = "waits for the locks of memory maps, and holds of them",
	.by_name = true,
	.wants = wants,
	.views = views,
	.spans = spans,
	.state_size = sizeof(struct mmaplock),
	.task_size = sizeof(struct of_task),
	.task_move = on_move,
	.task_evict = on_evict,
	.end = on_end,
	.in_flight = in_flight,
	.reset = reset,
};
