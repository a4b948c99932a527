// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tasks - where the wall time of each process or thread went, to the last nanosecond
 *
 * The state track of each task is laid here, all of it: blocked from .wait, the rest from .interval.
 */
#include <stdio.h>

#include "ringside/group-by.h"

struct split {
	uint64_t ns[RS_NR_CAUSES]; /* closed intervals; NOT_SEEN: seen by nobody, or discarded */
	uint64_t open_ns, lifetime_ns;
};

/* The device that was waited for most: whoever has more than half of the time wins, others may. */
struct top_disk {
	uint32_t dev;
	uint64_t ns;
};

struct task_split {
	uint64_t ns[RS_NR_CAUSES]; /* of what was closed since the last reset, the part since then */
	uint64_t emitted_to_ns;
	struct top_disk disk;
};

struct tasks {
	struct split evicted_total;      /* of tasks that were evicted */
};

/* ---- the state track ---- */

static const char *state_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	return rs_state_label(arg, buf, size_bytes);
}

/* A switch is a stint on a CPU. */
static bool is_run(struct rs_ctx *c, uint64_t arg)
{
	return rs_state_of(arg) == RS_RUN;
}

static bool is_runnable(struct rs_ctx *c, uint64_t arg)
{
	return rs_state_of(arg) == RS_DELAY || rs_state_of(arg) == RS_PREEMPTED;
}

/* Waits for a CPU, a disk, a lock or memory are what people look for. */
static bool state_by_choice(struct rs_ctx *c, uint64_t arg)
{
	(void)c;
	return rs_cause_row(rs_cause_of_state(rs_state_of(arg), rs_state_cause(arg)))->rank != RS_RANK_WAIT;
}

static const struct rs_column state_columns[] = {
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 0, "blocked: the call that it was in" },
	{ "waker", "WAKER", RS_TYPE_TEXT, 0, 0, 0, "who ended it, or began the delay" },
	{ "waker_tid", "WAKER TID", RS_TYPE_ID, 0, 0, 0, "0: an interrupt" },
	{ "inferred", "INFERRED", RS_TYPE_COUNT, 0, 0, 0, "1: a bound, the switch is missing" },
	{ 0 },
};

static const struct rs_span_kind spans[] = {
	{ .name = "state", .track = RS_TRACK_TASK, .shape = RS_SPAN_STATE, .label = state_label, .columns = state_columns,
	  .rate = "switches", .counts = is_run, .slowest = "run queue wait", .is_slowest = is_runnable,
	  .by_choice = state_by_choice },
	{ 0 },
};

/*
 * Nothing on the track overlaps: what an exec by a thread brings to its leader may begin before the leader's
 * own last state ended.
 */
static void emit_clipped(struct rs_ctx *c, struct rs_span *span)
{
	struct task_split *d = rs_task_data(c, span->task);

	if (span->start_ns < d->emitted_to_ns)
		span->start_ns = d->emitted_to_ns;
	if (span->end_ns <= span->start_ns && !span->open)
		return;
	if (!span->open) /* one that is open comes again, longer */
		d->emitted_to_ns = span->end_ns;
	rs_emit_span(c, 0, span);
}

/* w: what is known of a blocked one, else NULL */
static void tasks_emit_span(struct rs_ctx *c, const struct rs_interval *iv, const struct rs_wait *w)
{
	struct rs_value values[] = {
		rs_s(w && w->syscall >= 0 ? rs_syscall_name(c, w->syscall) : NULL), rs_s(iv->waker_comm),
		rs_u_if(iv->waker_tid >= 0, (uint64_t)iv->waker_tid), rs_u(iv->inferred),
	};
	struct rs_span span = {
		.task = iv->task, .start_ns = iv->from_ns, .end_ns = iv->to_ns, .values = values,
		.arg = rs_state_arg(iv->discarded ? RS_UNKNOWN : iv->kind, iv->letter, w ? w->cause : RS_CAUSE_UNKNOWN, iv->cpu),
	};

	span.arg = rs_state_woken_by(span.arg, iv->discarded ? -1 : iv->waker_tid);
	emit_clipped(c, &span);
}

/* What each task is in now. */
static void tasks_emit_in_flight(struct rs_ctx *c, uint64_t now_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_span span = { .task = t, .end_ns = now_ns, .open = true };
		struct rs_wait w = { .cause = RS_CAUSE_UNKNOWN };
		uint64_t open_ns;
		enum rs_state state = rs_task_open(c, t, &open_ns);

		if (state == RS_UNKNOWN || state == RS_DEAD || open_ns == RS_OPEN_UNKNOWN)
			continue;
		rs_task_wait(c, t, &w);
		span.start_ns = now_ns - open_ns;
		span.arg = rs_state_woken_by(rs_state_arg(state, t->letter, w.cause, t->cpu),
					     state == RS_DELAY || state == RS_RUN ? t->waker_tid : -1);
		emit_clipped(c, &span);
	}
}

/* ---- the split ---- */

static void tasks_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (!iv->discarded)
		((struct task_split *)rs_task_data(c, iv->task))->ns[rs_cause_of_state(iv->kind, RS_CAUSE_UNKNOWN)] +=
			rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns);
	if (rs_spans_enabled(c) && !iv->in_flight)
		tasks_emit_span(c, iv, NULL);
}

static void tasks_add_disk(struct top_disk *top, uint32_t dev, uint64_t ns)
{
	if (top->dev == dev) {
		top->ns += ns;
	} else if (top->ns >= ns) {
		top->ns -= ns;
	} else {
		*top = (struct top_disk){ dev, ns - top->ns };
	}
}

static void tasks_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct task_split *d = rs_task_data(c, iv->task);
	uint64_t ns = rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns);

	if (!iv->discarded)
		d->ns[w->cause] += ns;
	if (!iv->discarded && w->cause == RS_CAUSE_DISK)
		tasks_add_disk(&d->disk, w->dev, ns);
	if (rs_spans_enabled(c) && !iv->in_flight)
		tasks_emit_span(c, iv, w);
}

/* Adds a task's split to `to`; returns what it is in at the end. */
static enum rs_state tasks_add_task(struct rs_ctx *c, struct rs_task *t, struct split *to)
{
	const struct task_split *d = rs_task_data(c, t);
	uint64_t lifetime_ns, unknown_ns, open_ns;
	enum rs_state open = rs_task_open(c, t, &open_ns);

	rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
	for (int cause = 0; cause < RS_NR_CAUSES; cause++)
		to->ns[cause] += d->ns[cause];
	to->ns[RS_CAUSE_NOT_SEEN] += unknown_ns;
	to->lifetime_ns += lifetime_ns;
	if (open != RS_UNKNOWN && open != RS_DEAD && open_ns != RS_OPEN_UNKNOWN && !c->range_ended)
		to->open_ns += rs_part_ns(rs_since_ns(c), rs_last_event_ns(c) - open_ns, rs_last_event_ns(c));
	return open;
}

static int64_t imbalance(const struct split *s)
{
	uint64_t sum = s->open_ns;

	for (int cause = 0; cause < RS_NR_CAUSES; cause++)
		sum += s->ns[cause];
	return (int64_t)(s->lifetime_ns - sum);
}

/* Each task's by its size: residues must not cancel out. */
static void tasks_check_balance(struct rs_ctx *c, void (*invariant)(void *arg, const char *invariant,
								    int64_t imbalance),
				void *arg)
{
	int64_t sum = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct split s = { .lifetime_ns = 0 };
		int64_t one;

		tasks_add_task(c, t, &s);
		one = imbalance(&s);
		sum += one < 0 ? -one : one;
	}
	invariant(arg, "tasks: the parts of each task's time, and what is unknown and open, are its life (ns)", sum);
}

/* ---- tasks: the view ---- */

#define NOTHING(...)
#define WAIT_ID(id, ...) WAIT_##id,
#define WAIT_COLUMN(id, column, heading, help, ...) [WAIT_##id] = MS_IF_WOKEN(column, heading, help),
#define WAIT_VALUE(id, ...) { WAIT_##id, RS_CAUSE_##id },
#define WAIT_PART(id, column, ...) { column, RS_CAUSE_##id },
#define WAIT_LATENCY(id, column, heading, help, of, ...) { column, .kind = "state", .labels = of },

enum {
	COMM, PID, TID, CGROUP, RUN, DELAY, PREEMPTED, RS_CAUSES(NOTHING, WAIT_ID) UNKNOWN, OPEN_STATE, OPEN_CAUSE, OPEN_SYSCALL, OPEN, LIFETIME, THREADS, BUSY, OFF_CPU, NR_COLUMNS,
};

#define TASKS_MS(name, heading, help) { name, heading, RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10, help }
/* Where no wakings were recorded OFF-CPU stands in the place of these. */
#define MS_IF_WOKEN(name, heading, help) { name, heading, RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM | RS_COLUMN_IF_KNOWN, 10, help }

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	[CGROUP] = { "cgroup", "CGROUP", RS_TYPE_TEXT, 0, 0, 0, "live: its control group when tracing began, or its parent's at its birth; null in a recording, and where they differ" },
	[RUN] = TASKS_MS("run_ns", "RUN(ms)", "on a CPU"),
	[DELAY] = MS_IF_WOKEN("delay_ns", "DELAY(ms)", "woken and not yet on a CPU"),
	[PREEMPTED] = TASKS_MS("preempted_ns", "PREEM(ms)", "left its CPU runnable, not yet on one again"),
	RS_CAUSES(NOTHING, WAIT_COLUMN)
	[UNKNOWN] = TASKS_MS("unknown_ns", "UNKNOWN(ms)", "before its first sight, over a gap, or off its CPU for no reason that was recorded"),
	[OPEN_STATE] = { "open_state", "NOW", RS_TYPE_TEXT, 0, 0, 9, "what it is in at the end; null for more than one thread" },
	[OPEN_CAUSE] = { "open_cause", "FOR WHAT", RS_TYPE_TEXT, 0, 0, 8, "why it is off its CPU at the end, as far as can be told before it is woken" },
	[OPEN_SYSCALL] = { "open_syscall", "IN", RS_TYPE_TEXT, 0, 0, 16, "the system call that it is off its CPU in" },
	[OPEN] = { "open_ns", "FOR(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "what is open at the end, in no other column; on a screen, and at the end of a time range (--to), it is in the column of what it is, and here is on a screen its age, else 0" },
	[LIFETIME] = TASKS_MS("life_ns", "LIFE(ms)", "within the recording: the sum of the others; of a process, that of its threads"),
	[THREADS] = { "threads", "THR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 4, "threads that the row is of" },
	[BUSY] = TASKS_MS("busy_ns", "BUSY(ms)", "what it did, or could not do for want of something: run, delay, preempted, disk, lock, reclaim and other D"),
	[OFF_CPU] = MS_IF_WOKEN("off_cpu_ns", "OFF-CPU(ms)", "sleep and delay together, to the next switch-in: where no wakings were recorded, and the columns of both are null"),
	{ 0 },
};

struct tasks_group {
	struct rs_group_task task_of_group;       /* first */
	struct split split;
	uint64_t nr_threads, nr_open;
	enum rs_state open;
	char letter;
	enum rs_cause open_cause;
	int64_t open_syscall;
	const char *cgroup;
	uint64_t age_ns;        /* of what is open; RS_OPEN_UNKNOWN */
	bool kernel_thread;
	struct top_disk disk;
};

/* What a task is in now, by the column that it will end in, as far as that can be told. */
static enum rs_cause cause_of_open(const struct rs_task *t, enum rs_state open, const struct rs_wait *w)
{
	bool is_other_d = open == RS_BLOCKED && t->letter == 'D' && w->cause == RS_CAUSE_UNKNOWN;

	return rs_cause_of_state(open, is_other_d ? RS_CAUSE_OTHER_D : w->cause);
}

static void count_what_is_open(struct tasks_group *g, const struct rs_task *t, const struct rs_wait *w, uint64_t ns)
{
	enum rs_cause cause = cause_of_open(t, g->open, w);

	g->split.ns[cause] += ns;
	g->split.open_ns -= ns;
	if (cause == RS_CAUSE_DISK)
		tasks_add_disk(&g->disk, w->dev, ns);
}

static void merge_task(struct rs_ctx *c, struct tasks_group *g, struct rs_task *t, bool count_open)
{
	const struct task_split *d = rs_task_data(c, t);
	struct rs_wait w = { .syscall = -1 };
	uint64_t open_before_ns = g->split.open_ns;
	enum rs_state open = tasks_add_task(c, t, &g->split);

	if (!g->nr_threads++)
		g->cgroup = t->cgroup;
	else if (g->cgroup && (!t->cgroup || strcmp(g->cgroup, t->cgroup) != 0))
		g->cgroup = NULL;
	g->kernel_thread |= t->kernel_thread;
	tasks_add_disk(&g->disk, d->disk.dev, d->disk.ns);
	if (open == RS_DEAD)
		return;
	g->nr_open++;
	rs_task_wait(c, t, &w);
	rs_task_open(c, t, &g->age_ns);
	g->open = open;
	if (count_open && g->split.open_ns > open_before_ns)
		count_what_is_open(g, t, &w, g->split.open_ns - open_before_ns);
	g->open_cause = w.cause;
	g->open_syscall = w.syscall;
	g->letter = t->letter;
}

/* All that is not waiting for whatever comes, or for another thread. */
static uint64_t busy_ns(const struct split *s)
{
	uint64_t ns = 0;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++)
		ns += rs_cause_row(cause)->rank <= RS_RANK_WAIT ? s->ns[cause] : 0;
	return ns;
}

static const struct { int column; enum rs_cause cause; } waits[] = { RS_CAUSES(NOTHING, WAIT_VALUE) };

static void tasks_put_group(struct rs_ctx *c, const struct rs_group_by *by, const struct tasks_group *g, bool count_open, struct rs_sink *out)
{
	const struct split *s = &g->split;
	bool is_one = g->nr_threads == 1 && g->nr_open, wakings_known = rs_wakings_are_recorded(c);
	struct rs_value v[NR_COLUMNS];

	rs_group_by_values(by, &g->task_of_group, v);
	v[CGROUP] = rs_s(g->cgroup);
	v[RUN] = rs_u(s->ns[RS_CAUSE_RUN]);
	v[DELAY] = rs_u_if(wakings_known || s->ns[RS_CAUSE_DELAY], s->ns[RS_CAUSE_DELAY]); /* sched_wakeup_new begins one, too */
	v[PREEMPTED] = rs_u(s->ns[RS_CAUSE_PREEMPTED]);
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		uint64_t ns = s->ns[waits[i].cause] + (waits[i].cause == RS_CAUSE_SLEEP ? s->ns[RS_CAUSE_NOT_RECORDED] : 0);

		v[waits[i].column] = rs_u_if(wakings_known || ns, ns); /* what is open may be known */
	}
	v[OFF_CPU] = rs_u_if(rs_off_cpu_is_told(c) || s->ns[RS_CAUSE_OFF_CPU], s->ns[RS_CAUSE_OFF_CPU]);
	v[UNKNOWN] = rs_u(s->ns[RS_CAUSE_UNKNOWN] + s->ns[RS_CAUSE_NOT_SEEN]);
	v[OPEN_STATE] = rs_s(is_one ? rs_state_name(g->open, g->letter) : NULL);
	v[OPEN_CAUSE] = rs_s(is_one && g->open_cause != RS_CAUSE_UNKNOWN ? rs_cause_row(g->open_cause)->name : NULL);
	v[OPEN_SYSCALL] = rs_s(is_one && g->open_syscall >= 0 ? rs_syscall_name(c, g->open_syscall) : NULL);
	v[OPEN] = rs_u(s->open_ns);
	if (count_open)
		v[OPEN] = rs_u_if(is_one && v[OPEN_STATE].known && g->age_ns != RS_OPEN_UNKNOWN, g->age_ns);
	v[LIFETIME] = rs_u(s->lifetime_ns);
	v[THREADS] = rs_u_if(g->nr_threads, g->nr_threads);
	v[BUSY] = rs_u(busy_ns(s));
	out->row(out, v);
}

/* The column of a sleep that no event has ended, by what /proc said of it. */
static enum rs_cause unseen_cause(struct rs_ctx *c, const struct rs_unseen *u)
{
	if (u->letter == 'D')
		return RS_CAUSE_OTHER_D;
	if (u->letter == 'I' || (u->args && rs_call_kind(c, u->syscall, u->args) == RS_CALL_IDLE))
		return RS_CAUSE_IDLE;
	return u->args && rs_call_kind(c, u->syscall, u->args) == RS_CALL_FUTEX_WAIT ? RS_CAUSE_FUTEX : RS_CAUSE_SLEEP;
}

/* It was off its CPU when /proc was read, and no event has come since: so it is still. */
static void merge_unseen(struct rs_ctx *c, struct tasks_group *g, const struct rs_unseen *u, bool count_open)
{
	uint64_t lifetime_ns = rs_last_event_ns(c) - rs_since_ns(c), off_ns = rs_part_ns(rs_since_ns(c), u->seen_ns, rs_last_event_ns(c));
	bool is_off = !u->uncertain && u->letter != 'R' && u->seen_ns <= rs_last_event_ns(c);

	if (!is_off)
		off_ns = 0;
	if (!g->nr_threads++)
		g->cgroup = u->cgroup;
	else if (g->cgroup && (!u->cgroup || strcmp(g->cgroup, u->cgroup) != 0))
		g->cgroup = NULL;
	g->kernel_thread |= u->kernel_thread;
	g->nr_open++;
	g->split.lifetime_ns += lifetime_ns;
	g->split.ns[RS_CAUSE_NOT_SEEN] += lifetime_ns - off_ns;
	g->open = is_off ? RS_BLOCKED : RS_UNKNOWN;
	g->letter = u->letter;
	g->age_ns = is_off ? rs_last_event_ns(c) - u->seen_ns : RS_OPEN_UNKNOWN;
	g->open_cause = unseen_cause(c, u);
	g->open_syscall = u->syscall;
	*(count_open ? &g->split.ns[g->open_cause] : &g->split.open_ns) += off_ns;
}

/* All that exist: those of which no event has told are known from /proc alone. */
static void merge_all_unseen(struct rs_ctx *c, const struct rs_group_by *by, struct rs_groups *groups, bool count_open)
{
	struct rs_unseen u;
	struct tasks_group *g;
	size_t at = 0;

	while (rs_unseen_next(c, &at, &u)) {
		struct rs_task t = { .tid = u.tid, .pid = u.pid, .cgroup = u.cgroup, .kernel_thread = u.kernel_thread };

		snprintf(t.comm, sizeof t.comm, "%s", u.comm);
		if (u.letter != 'Z' && u.letter != 'X' && (g = rs_group_by_find(by, c, groups, &t)))
			merge_unseen(c, g, &u, count_open);
	}
}

/* NULL: no memory */
static struct rs_groups *groups_of(struct rs_ctx *c, const struct rs_group_by *by, bool count_open)
{
	const struct tasks *state = c->state;
	struct rs_groups *groups = rs_groups_new(sizeof(struct tasks_group));
	struct tasks_group *g;

	if (!groups)
		return NULL;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_task_has_states(c, t) && rs_shown(c, t) && !rs_task_ended_before(c, t) &&
		    (g = rs_group_by_find(by, c, groups, t)))
			merge_task(c, g, t, count_open);
	merge_all_unseen(c, by, groups, count_open);
	if (state->evicted_total.lifetime_ns && (g = rs_group_by_find(by, c, groups, NULL)))
		g->split = state->evicted_total;
	return groups;
}

static void tasks_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct rs_group_by by = rs_group_by_of(q, (struct rs_group_by){ .pid = true });
	struct rs_groups *groups = groups_of(c, &by, q->count_open);

	for (struct tasks_group *g = groups ? rs_groups_next(groups, NULL)
	     : NULL; g; g = rs_groups_next(groups, g))
		tasks_put_group(c, &by, g, q->count_open, out);
	rs_groups_free(groups);
}

/* ---- what a process waits for, in a sentence ---- */

/*
 * A wait is worth one if it is a third of what the process did or could not do, and a tenth of one thread's time: less is
 * normal. A kernel thread that writes pages back does little else than wait for the disk.
 */
#define LEAST_SHARE 333
#define TASKS_LEAST_OF_TIME 100

static uint64_t waited_ns(const struct split *s, enum rs_cause cause)
{
	return s->ns[cause] + (rs_cause_row(cause)->with_next ? s->ns[cause + 1] : 0);
}

struct verdict {
	const struct tasks_group *group;
	enum rs_cause why;
	uint64_t ns, of_time;
};

/* False: it waits for nothing that is worth a sentence. */
static bool tasks_find_findings(const struct rs_ctx *c, const struct tasks_group *g, uint64_t interval_ns,
				struct verdict *v)
{
	*v = (struct verdict){ .group = g };
	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++)
		if (rs_cause_row(cause)->blame && waited_ns(&g->split, cause) > v->ns) {
			v->why = cause;
			v->ns = waited_ns(&g->split, cause);
		}
	v->of_time = rs_milli(v->ns, interval_ns, 1).u;
	return v->ns && !g->kernel_thread && g->task_of_group.pid && !rs_is_viewer(c, g->task_of_group.pid) && v->of_time >= TASKS_LEAST_OF_TIME &&
	       rs_milli(v->ns, busy_ns(&g->split), 1).u >= LEAST_SHARE;
}

/* Ends with a row without a view. */
static void show_why(const struct verdict *v, const char *of_process, const char *of_disk, struct rs_evidence *to)
{
	for (const struct rs_cause_view *s = rs_cause_row(v->why)->views; s->view; s++)
		*to++ = (struct rs_evidence){ s->view, s->sort, s->rows == RS_OF_PROCESS ? of_process : s->rows == RS_OF_DISK ? of_disk : NULL, s->by };
	to->view = NULL;
}

static void tasks_put_verdict(struct rs_ctx *c, const struct verdict *v, struct rs_finding_sink *out)
{
	const struct tasks_group *g = v->group;
	const char *blame = rs_cause_row(v->why)->blame;
	const char *disk = rs_disk_name(c, g->disk.dev);
	char text[200], brief[120], where[32], number[32], of_disk[48], dev[40] = "";
	const char *comm = g->task_of_group.comm[0] ? g->task_of_group.comm : "?";
	struct rs_evidence evidence[RS_MAX_EVIDENCE + 1];
	unsigned int percent = (unsigned int)((rs_milli(v->ns, busy_ns(&g->split), 100).u + 500) / 1000);

	rs_dev_text(g->disk.dev, number, sizeof number);
	if (v->why == RS_CAUSE_DISK)
		snprintf(dev, sizeof dev, " %.30s", disk ? disk : number);
	snprintf(text, sizeof text, "%s (%d) waits %u %% of its busy time for %s%s", comm, g->task_of_group.pid, percent, blame, dev);
	snprintf(brief, sizeof brief, "%s (%d) waits for %s%s, %u %%", comm, g->task_of_group.pid, blame, dev, percent);
	snprintf(where, sizeof where, "pid == %d", g->task_of_group.pid);
	snprintf(of_disk, sizeof of_disk, "dev == \"%s\"", number);
	show_why(v, where, of_disk, evidence);
	out->finding(out, &(struct rs_finding){ .weight = v->of_time < 1000 ? (unsigned int)v->of_time : 1000, .text = text, .brief = brief,
						.pid = g->task_of_group.pid, .view = "tasks", .where = where, .evidence = evidence });
}

/* Where the CPUs are too few all wait for one: who waits most are named, the rest is the table's. */
#define MOST_TOLD 3

static void tasks_put_findings(struct rs_ctx *c, struct rs_finding_sink *out)
{
	const struct rs_group_by by = { .pid = true };
	uint64_t interval_ns = rs_judged_ns(c);
	struct rs_groups *groups = interval_ns ? groups_of(c, &by, true) : NULL;
	struct verdict most[MOST_TOLD + 1], v;
	size_t nr = 0;

	for (struct tasks_group *g = groups ? rs_groups_next(groups, NULL) : NULL; g; g = rs_groups_next(groups, g)) {
		size_t at = nr;

		if (!tasks_find_findings(c, g, interval_ns, &v))
			continue;
		for (; at && most[at - 1].ns < v.ns; at--)
			most[at] = most[at - 1];
		most[at] = v;
		nr += nr < MOST_TOLD;
	}
	for (size_t i = 0; i < nr; i++)
		tasks_put_verdict(c, &most[i], out);
	rs_groups_free(groups);
}

/* It goes while it lives, perhaps: the end of what is open will not be seen. */
static void tasks_on_evict(struct rs_ctx *c, struct rs_task *t)
{
	struct tasks *state = c->state;

	if (!rs_task_has_states(c, t) || !rs_shown(c, t))
		return;
	tasks_add_task(c, t, &state->evicted_total);
	state->evicted_total.ns[RS_CAUSE_NOT_SEEN] += state->evicted_total.open_ns;
	state->evicted_total.open_ns = 0;
}

static void tasks_forget(struct task_split *d)
{
	memset(d->ns, 0, sizeof d->ns);
	d->disk = (struct top_disk){ .ns = 0 };
}

static void tasks_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct tasks));
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		tasks_forget(rs_task_data(c, t));
}

static const struct rs_latencies latencies[] = {
	{ "run_ns", .kind = "state", .labels = "run" },
	{ "delay_ns", .kind = "state", .labels = "delay" },
	{ "preempted_ns", .kind = "state", .labels = "preempted" },
	RS_CAUSES(NOTHING, WAIT_LATENCY)
	{ "off_cpu_ns", .kind = "state", .labels = "off-CPU (sleep + delay)" },
	{ 0 },
};

static const struct rs_part parts[] = {
	{ "run_ns", RS_CAUSE_RUN }, { "delay_ns", RS_CAUSE_DELAY }, { "preempted_ns", RS_CAUSE_PREEMPTED },
	RS_CAUSES(NOTHING, WAIT_PART) { "off_cpu_ns", RS_CAUSE_SLEEP }, { "unknown_ns", RS_CAUSE_NOT_SEEN }, { 0 },
};

static const struct rs_panel panel = {
	.kind = RS_PANEL_SPLIT, .title = "Processes", .columns = "comm,pid,threads", .parts = parts,
	.sort = "-busy_ns", .place = 2, .fold_by = "comm", .fold_lifetime = "life_ns",
};

static const struct rs_view views[] = {
	{ .name = "tasks", .summary = "where the wall time of each process went, and what it waited for", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-run_ns", .options = "by", .rows = tasks_put_rows, .panel = &panel, .latencies = latencies,
	  .text_columns = "comm,pid,tid,run_ns,delay_ns,preempted_ns,disk_ns,lock_ns,futex_ns,other_d_ns,idle_ns,sleep_ns,off_cpu_ns,unknown_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_tasks = {
	.abi = RS_ABI,
	.name = "tasks",
	.summary = "the wall time of each task, split by what it did or waited for",
	.views = views,
	.spans = spans,
	.requires_states = true,
	.samples = RS_SAMPLE_CGROUPS,
	.state_size = sizeof(struct tasks),
	.task_size = sizeof(struct task_split),
	.interval = tasks_on_interval,
	.interval_kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED,
	.wait = tasks_on_wait,
	.task_evict = tasks_on_evict,
	.emit_in_flight = tasks_emit_in_flight,
	.reset = tasks_reset,
	.check = tasks_check_balance,
	.findings = tasks_put_findings,
};
