// SPDX-License-Identifier: GPL-2.0-or-later
/* offcpu - time off the CPU: of whom, in which state and system call, for what, and who ended it */
#include <stdio.h>
#include <stdlib.h>

#include "ringside/by.h"
#include "ringside/top.h"

/* What a task was off its CPU for: one state, call and cause. */
struct reason {
	int64_t syscall;      /* -1 none, or unknown */
	enum rs_cause cause;
	char letter;
	struct rs_hist lat;
	struct rs_top wakers;
};

/* Most tasks have a few. */
struct reasons {
	struct reason **at;
	unsigned int nr, room;
	struct reason *last;  /* they come in runs */
};

struct offcpu {
	struct reasons rest;  /* of tasks that were evicted */
};

#define MAX_REASONS 128 /* of a task: a hostile file may have calls without end */

static bool is_reason(const struct reason *r, char letter, int64_t syscall, enum rs_cause cause)
{
	return r->syscall == syscall && r->cause == cause && r->letter == letter;
}

static bool make_room(struct reasons *list)
{
	unsigned int room = list->room ? list->room * 2 : 4;
	struct reason **at;

	if (list->nr == MAX_REASONS)
		return false;
	if (list->nr < list->room)
		return true;
	at = realloc(list->at, room * sizeof(struct reason *));
	if (!at)
		return false;
	list->at = at;
	list->room = room;
	return true;
}

/* NULL: there are too many, or no memory */
static struct reason *reason_of(struct reasons *list, char letter, int64_t syscall, enum rs_cause cause)
{
	struct reason *r;

	if (list->last && is_reason(list->last, letter, syscall, cause))
		return list->last;
	for (unsigned int i = 0; i < list->nr; i++)
		if (is_reason(list->at[i], letter, syscall, cause))
			return list->last = list->at[i];
	if (!make_room(list))
		return NULL;
	r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->syscall = syscall;
	r->cause = cause;
	r->letter = letter;
	rs_hist_init(&r->lat);
	list->at[list->nr++] = r;
	return list->last = r;
}

static void on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct reason *r;

	if (iv->voided)
		return;
	r = reason_of(rs_task_data(c, iv->task), iv->letter, w->syscall, w->cause);
	if (!r) {
		rs_count_evicted(c);
		return;
	}
	rs_latency_add(c, &r->lat, iv->from_ns, iv->to_ns, iv->in_flight);
	if (iv->waker_tid >= 0)
		rs_top_add(&r->wakers, iv->waker_tid, iv->waker_comm);
}

/* ---- offcpu: the view ---- */

enum {
	COMM, PID, TID, STATE, SYSCALL, KIND, CAUSE, COUNT, TOTAL, AVG, P99, MAX, TOP_WAKER, LABEL, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	RS_BY_COLUMNS,
	[STATE] = { "state", "STATE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, "S sleep, D disk or other, I a kernel thread with nothing to do, T stopped, t traced" },
	[SYSCALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "the call that it was in; null: none, or one that began before the recording" },
	[KIND] = { "kind", "KIND", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, "idle: for whatever comes, or for time to pass; block: for something; null unknown" },
	[CAUSE] = { "cause", "CAUSE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "disk, lock, futex, reclaim, other D, idle, sleep; sleep (cause not recorded): no system calls were; off-CPU (sleep + delay): no wakings were; null unknown" },
	[COUNT] = { "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times" },
	[TOTAL] = { "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "switch-out to waking, in all; to the switch-in where no wakings were recorded" },
	[AVG] = { "avg_ns", "AVG(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "average" },
	[P99] = { "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "99 % took at most this" },
	[MAX] = { "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "longest" },
	[TOP_WAKER] = { "top_waker", "TOP WAKER", RS_TYPE_TEXT, 0, 0, 20, "comm/tid of who ended most of them; <irq>: interrupts, timers among them" },
	[LABEL] = { "label", "LABEL", RS_TYPE_TEXT, 0, 0, 12, "its state and cause as timelines have them; null: of several" },
	{ 0 },
};

/* The keys of --by: those of a task, and a reason's own. */
struct keys {
	struct rs_by by;
	bool state, kind, cause;
};

struct group {
	struct rs_who who;
	struct reason sum;    /* of its reason, what all have in common */
	bool begun;
};

static struct keys keys_of(const struct rs_query *q)
{
	struct keys k = {
		.by = rs_by_of(q, (struct rs_by){ .pid = true, .tid = true, .syscall = true }),
		.state = !q->nr_by, .kind = !q->nr_by, .cause = !q->nr_by,
	};

	for (unsigned int i = 0; i < q->nr_by; i++) {
		k.state |= !strcmp(q->by[i], "state");
		k.kind |= !strcmp(q->by[i], "kind");
		k.cause |= !strcmp(q->by[i], "cause");
	}
	return k;
}

static const char *kind_of(enum rs_cause cause)
{
	switch (cause) {
	case RS_CAUSE_UNKNOWN:
	case RS_CAUSE_NOT_RECORDED:
	case RS_CAUSE_OFF_CPU:
		return NULL;
	default:
		return cause == RS_CAUSE_IDLE ? "idle" : "block";
	}
}

/* The name, or its number where the architecture's table does not know it; NULL where it was in none. */
static const char *syscall_name(struct rs_ctx *c, int64_t nr, char *buf, size_t size_bytes)
{
	const char *name = nr < 0 ? NULL : rs_syscall_name(c, nr);

	if (name || nr < 0)
		return name;
	snprintf(buf, size_bytes, "syscall_%lld", (long long)rs_call_number(nr));
	return buf;
}

/* --syscall: by name, or a pattern of it. */
static bool asked_for(struct rs_ctx *c, int64_t nr)
{
	char buf[32];
	const char *name = syscall_name(c, nr, buf, sizeof buf);

	return !c->query->syscall || (name && rs_pattern_matches(c->query->syscall, name));
}

/* nr: the reason's call, as its task's program is known by now. */
static struct group *group_of(struct rs_ctx *c, struct rs_groups *groups, const struct keys *k, const struct rs_task *t,
			      const struct reason *r, int64_t nr)
{
	struct rs_group_key key = { .len = 0 };
	struct group *g;

	rs_by_key(&k->by, c, t, &key);
	if (k->by.syscall)
		rs_group_key_u64(&key, (uint64_t)nr);
	if (k->state)
		rs_group_key_u64(&key, (uint64_t)r->letter);
	if (k->cause)
		rs_group_key_u64(&key, r->cause);
	if (k->kind)
		rs_group_key_str(&key, kind_of(r->cause) ? kind_of(r->cause) : "");
	g = rs_groups_get(groups, &key);
	if (g && !g->begun) {
		g->begun = true;
		g->sum.syscall = nr;
		g->sum.cause = r->cause;
		g->sum.letter = r->letter;
		rs_hist_init(&g->sum.lat);
		rs_by_who(&k->by, c, t, &g->who);
	}
	return g;
}

static void merge(struct reason *into, const struct reason *from)
{
	rs_hist_merge(&into->lat, &from->lat);
	rs_top_merge(&into->wakers, &from->wakers);
}

/* t NULL: the rest */
static void merge_task(struct rs_ctx *c, struct rs_groups *groups, const struct keys *k, const struct rs_task *t,
		       const struct reasons *list)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		int64_t nr = rs_call_settled(t, list->at[i]->syscall);
		struct group *g = asked_for(c, nr) ? group_of(c, groups, k, t, list->at[i], nr) : NULL;

		if (g)
			merge(&g->sum, list->at[i]);
	}
}

static void show(struct rs_ctx *c, const struct keys *k, const struct group *g, struct rs_sink *out)
{
	const struct reason *r = &g->sum;
	const struct rs_hist *h = &r->lat;
	char name[32], label[32], waker[RS_COMM_LEN + 16], letter[2] = { r->letter, '\0' };
	struct rs_value v[NR_COLUMNS];

	rs_by_values(&k->by, &g->who, v);
	v[STATE] = k->state ? rs_s(letter) : rs_null();
	v[SYSCALL] = k->by.syscall ? rs_s(syscall_name(c, r->syscall, name, sizeof name)) : rs_null();
	v[KIND] = k->kind || k->cause ? rs_s(kind_of(r->cause)) : rs_null();
	v[CAUSE] = k->cause && r->cause != RS_CAUSE_UNKNOWN ? rs_s(rs_cause_name(r->cause)) : rs_null();
	v[COUNT] = rs_u(rs_hist_nr_begun(h));
	v[TOTAL] = rs_u(rs_hist_sum_inside(h));
	v[AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[MAX] = rs_u_if(h->nr, h->max);
	v[LABEL] = rs_null();
	if (k->state && k->cause)
		v[LABEL] = rs_s(rs_state_label(rs_state_arg(RS_BLOCKED, r->letter, r->cause, 0), label, sizeof label));
	v[TOP_WAKER] = rs_s(rs_top_text(&r->wakers, waker, sizeof waker));
	out->row(out, v);
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct offcpu *o = c->state;
	struct rs_groups *groups = rs_groups_new(sizeof(struct group));
	struct keys k = keys_of(q);

	if (!groups)
		return;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_shown(c, t))
			merge_task(c, groups, &k, t, rs_task_data(c, t));
	merge_task(c, groups, &k, NULL, &o->rest);
	for (struct group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		show(c, &k, g, out);
		rs_hist_done(&g->sum.lat);
	}
	rs_groups_free(groups);
}

static void clear_reasons(struct reasons *list)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		rs_hist_done(&list->at[i]->lat);
		free(list->at[i]);
	}
	free(list->at);
	memset(list, 0, sizeof *list);
}

static void clear(struct rs_ctx *c, struct rs_task *t)
{
	clear_reasons(rs_task_data(c, t));
}

static void evict(struct rs_ctx *c, struct rs_task *t)
{
	const struct reasons *list = rs_task_data(c, t);
	struct offcpu *o = c->state;

	for (unsigned int i = 0; rs_shown(c, t) && i < list->nr; i++) {
		const struct reason *from = list->at[i];
		struct reason *into = reason_of(&o->rest, from->letter, rs_call_settled(t, from->syscall), from->cause);

		if (into)
			merge(into, from);
	}
}

static void done(struct rs_ctx *c)
{
	struct offcpu *o = c->state;

	clear_reasons(&o->rest);
}

static void reset(struct rs_ctx *c)
{
	done(c);
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		clear(c, t);
}

/* ---- what sleeps and is not woken ---- */

/* A call in flight is told by the analysis of calls; what is left is the kernel's own threads, and page faults. */
static void open_blocked(struct rs_ctx *c, struct rs_open_sink *out)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_wait w;
		char text[64];

		if (!rs_shown(c, t) || t->letter != 'D' || rs_task_in_call(c, t) || !rs_wants_open(out, t->since_ns, false) ||
		    !rs_task_wait(c, t, &w))
			continue;
		snprintf(text, sizeof text, "in D%s%s", w.cause == RS_CAUSE_UNKNOWN ? "" : ", ",
			 w.cause == RS_CAUSE_UNKNOWN ? "" : rs_cause_name(w.cause));
		rs_open_task(out, t, "blocked", text, t->since_ns);
	}
}

/* "read(0, 0x7ffc..., 1024): in S, at pipe_read" */
static void what_it_sleeps_in(struct rs_ctx *c, const struct rs_unseen *a, char *text, size_t size_bytes)
{
	const struct rs_call call = { .nr = a->syscall, .args = a->args, .exit_ns = rs_now_ns(c) };
	char name[32];
	const char *call_text = a->args ? rs_call_text(c, syscall_name(c, a->syscall, name, sizeof name), &call) : "";

	snprintf(text, size_bytes, "%.120s%sin %c%s%s", call_text, *call_text ? ": " : "", a->letter, a->wchan ? ", at " : "",
		 a->wchan ? a->wchan : "");
}

/* In D, or in the middle of a call. Of who was named also what no call tells of. */
static bool is_stuck(const struct rs_unseen *a)
{
	return a->letter == 'D' || (a->letter == 'S' && (a->args || a->named));
}

static bool is_idle(struct rs_ctx *c, int64_t nr, const uint64_t *args)
{
	return rs_call_is_idle(c, nr, args) || rs_call_kind(c, nr, args) == RS_CALL_FUTEX_WAIT;
}

/* "cat" without a file, a shell at its prompt: not one whose output a terminal has stopped. */
static bool waits_for_a_person(struct rs_ctx *c, const struct rs_unseen *a)
{
	const char *name = a->terminal && a->args ? rs_syscall_name(c, a->syscall) : NULL;

	return name && (!strcmp(name, "read") || !strcmp(name, "readv"));
}

/* What slept before the capture began, and still does. */
static void open_asleep(struct rs_ctx *c, struct rs_open_sink *out)
{
	struct rs_unseen a;
	size_t at = 0;

	while (rs_unseen_next(c, &at, &a)) {
		struct rs_open open = {
			.kind = a.letter == 'D' ? "blocked" : "call", .comm = a.comm, .pid = a.pid, .tid = a.tid, .since_ns = a.seen_ns,
			.at_least = true, .idle = a.letter != 'D' && a.args && (is_idle(c, a.syscall, a.args) || waits_for_a_person(c, &a)),
		};
		char text[200];

		if (a.uncertain || !is_stuck(&a) || !rs_wants_open(out, open.since_ns, open.idle))
			continue;
		what_it_sleeps_in(c, &a, text, sizeof text);
		open.what = text;
		out->open(out, &open);
	}
}

static void open_waits(struct rs_ctx *c, struct rs_open_sink *out)
{
	open_blocked(c, out);
	open_asleep(c, out);
}

/* Spans of the analysis `tasks`, which lays the states. */
static const struct rs_lengths lengths[] = {
	{ "total_ns,avg_ns,p99_ns,max_ns", .kind = "state", .label_column = "label",
	  .labels = "D,D (disk),S (disk),D (lock),S (lock),S (futex),D (reclaim),S (reclaim),S (idle),I (idle),S (sleep),T (sleep),t (sleep),S,sleep (cause not recorded),off-CPU (sleep + delay)" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "offcpu", .summary = "time off the CPU by task, state, system call and cause, and who ended it",
	  .kind = RS_VIEW_TABLE, .columns = columns, .sort = "-total_ns", .options = "by,syscall", .rows = rows, .lengths = lengths,
	  .text_columns = "comm,tid,state,syscall,kind,cause,count,total_ns,avg_ns,p99_ns,max_ns,top_waker" },
	{ 0 },
};

const struct rs_analysis rs_analysis_offcpu = {
	.abi = RS_ABI,
	.name = "offcpu",
	.summary = "why tasks were off their CPU",
	.views = views,
	.wants_states = true,
	.state_size = sizeof(struct offcpu),
	.task_size = sizeof(struct reasons),
	.wait = on_wait,
	.open = open_waits,
	.task_evict = evict,
	.task_end = clear,
	.reset = reset,
	.done = done,
};
