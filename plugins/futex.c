// SPDX-License-Identifier: GPL-2.0-or-later
/* futex - waits in futex(2) by address, and who ended them */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ringside/by.h"
#include "ringside/top.h"

#define MAX_ROWS 8192u /* addresses that are kept; who waited least lately goes */
#define NR_BUCKETS (2 * MAX_ROWS)

/* An address in a process. */
struct row {
	struct row *next;            /* of its bucket */
	struct row *newer, *older;   /* by the last wait */
	uint64_t process, uaddr;
	struct rs_who who;
	uint64_t failed_at_once, timeouts, in_flight, lock_ns, lock_waits;
	struct rs_hist lat;
	struct rs_top wakers;
};

struct futex {
	struct row **buckets;
	struct row *newest, *oldest;
	unsigned int nr;
};

/* Who ended the task's last wait in the call that it is in. */
struct task_wait {
	uint64_t enter_ns;           /* of that call; 0 none */
	int32_t waker_tid;
	char waker_comm[RS_COMM_LEN];
};

/* ---- the table ---- */

static const struct rs_by by_process = { .pid = true };

/* A task whose process is not known is one for itself. */
static uint64_t process_of(const struct rs_task *t)
{
	return t->pid ? (uint32_t)t->pid : 1ull << 63 | (uint64_t)t->life << 32 | (uint32_t)t->tid;
}

static struct row **bucket_of(const struct futex *x, uint64_t process, uint64_t uaddr)
{
	uint64_t hash = (uaddr ^ process * 0x9e3779b97f4a7c15ull) * 0x9e3779b97f4a7c15ull;

	return &x->buckets[hash >> 32 & (NR_BUCKETS - 1)];
}

static void unlink_row(struct futex *x, struct row *r)
{
	*(r->newer ? &r->newer->older : &x->newest) = r->older;
	*(r->older ? &r->older->newer : &x->oldest) = r->newer;
}

static void link_newest(struct futex *x, struct row *r)
{
	r->newer = NULL;
	r->older = x->newest;
	*(x->newest ? &x->newest->newer : &x->oldest) = r;
	x->newest = r;
}

static void remove_row(struct futex *x, struct row *r)
{
	struct row **at = bucket_of(x, r->process, r->uaddr);

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	unlink_row(x, r);
	rs_hist_done(&r->lat);
	free(r);
	x->nr--;
}

static struct row *new_row(struct rs_ctx *c, const struct rs_task *t, struct row **bucket, uint64_t uaddr)
{
	struct futex *x = c->state;
	struct row *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	r->process = process_of(t);
	r->uaddr = uaddr;
	rs_hist_init(&r->lat);
	rs_by_who(&by_process, c, t, &r->who);
	r->next = *bucket;
	*bucket = r;
	link_newest(x, r);
	x->nr++;
	return r;
}

static struct row *row_of(struct rs_ctx *c, const struct rs_task *t, uint64_t uaddr)
{
	struct futex *x = c->state;
	uint64_t process = process_of(t);
	struct row **bucket = bucket_of(x, process, uaddr);

	for (struct row *r = *bucket; r; r = r->next)
		if (r->uaddr == uaddr && r->process == process) {
			if (r != x->newest) {
				unlink_row(x, r);
				link_newest(x, r);
			}
			return r;
		}
	if (x->nr == MAX_ROWS) {
		remove_row(x, x->oldest);
		rs_count_evicted(c);
	}
	return new_row(c, t, bucket, uaddr);
}

/* ---- spans: .arg is the address, and in its lowest bit, which is no address's, whether a lock is waited for ---- */

enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, LOCK_PI2 = 13, OP_MASK = 127 }; /* uapi/linux/futex.h */
#define CONTENDED 2 /* what a mutex holds while others wait, in glibc, musl, Go and Rust: they wait for it to change */

/*
 * A thread of a pool waits for work by the same call as for a lock, and that may well last. A lock it is where the
 * kernel itself keeps its owner, or where the value that is waited on is that of a lock with waiters. A condition's
 * counter may have that value too, once: it is a guess, for what is shown first.
 */
static bool is_lock(const uint64_t *args)
{
	unsigned int op = args[1] & OP_MASK;

	return op == LOCK_PI || op == LOCK_PI2 || ((op == WAIT || op == WAIT_BITSET) && (uint32_t)args[2] == CONTENDED);
}

static bool is_lock_span(struct rs_ctx *c, uint64_t arg)
{
	return arg & 1;
}

static const struct rs_column span_columns[] = {
	{ "uaddr", "ADDRESS", RS_TYPE_TEXT, 0, 0, 0, "the futex, in its process" },
	{ "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 0, "what the call returned; null: it did not" },
	{ "waker", "WAKER", RS_TYPE_TEXT, 0, 0, 0, "who ended the wait" },
	{ "waker_tid", "WAKER TID", RS_TYPE_ID, 0, 0, 0, "the thread" },
	{ 0 },
};

static const struct rs_span_kind spans[] = {
	{ .name = "futex wait", .track = RS_TRACK_TASK, .columns = span_columns, .worst = "futex", .is_worst = is_lock_span },
	{ 0 },
};

static void lay(struct rs_ctx *c, struct rs_span *span, const uint64_t *args, struct rs_value ret, const struct task_wait *w)
{
	char text[24] = "";
	struct rs_value values[] = {
		{ .s = text, .known = true }, ret, w ? rs_s(w->waker_comm) : rs_null(), w ? rs_u((uint64_t)w->waker_tid) : rs_null(),
	};

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)args[0]);
	span->arg = (args[0] & ~1ull) | is_lock(args);
	span->values = values;
	rs_lay(c, 0, span);
}

/* Those that still wait at the end. */
static void lay_open(struct rs_ctx *c, uint64_t now_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_span span = { .task = t, .start_ns = t->syscall_enter_ns, .end_ns = now_ns, .open = true };

		if (rs_task_in_call(c, t) && rs_call_kind(c, t->syscall, t->syscall_args) == RS_CALL_FUTEX_WAIT)
			lay(c, &span, t->syscall_args, rs_null(), NULL);
	}
}

/* ---- what happens ---- */

/*
 * In one call it may sleep more than once: the last one ended it. Of what is joined for .wait only the
 * call matters here, so events of locks, disks and memory need not be turned on for this.
 */
static void on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_task *t = iv->task;
	struct task_wait *d;

	if (iv->voided || iv->in_flight || iv->letter != 'S' || t->syscall < 0 ||
	    rs_call_kind(c, t->syscall, t->syscall_args) != RS_CALL_FUTEX_WAIT)
		return;
	d = rs_task_data(c, t);
	d->enter_ns = t->syscall_enter_ns;
	d->waker_tid = iv->waker_tid;
	if (iv->waker_comm)
		memcpy(d->waker_comm, iv->waker_comm, RS_COMM_LEN);
	else
		d->waker_comm[0] = '\0';
}

/* Who ended the wait; NULL where it never slept, or ended by itself: a timer and a signal wake too. */
static const struct task_wait *ended_by(struct rs_ctx *c, const struct rs_call *call)
{
	const struct task_wait *d = rs_task_data(c, call->task);

	return call->ret >= 0 && d->enter_ns == call->enter_ns && d->waker_tid > 0 ? d : NULL;
}

static void on_call(struct rs_ctx *c, const struct rs_call *call)
{
	const struct task_wait *waker;
	struct row *r;

	if (call->voided || !rs_shown(c, call->task))
		return;
	waker = call->in_flight ? NULL : ended_by(c, call);
	if (rs_laying(c) && !call->in_flight)
		lay(c, &(struct rs_span){ .task = call->task, .start_ns = call->enter_ns, .end_ns = call->exit_ns },
		    call->args, rs_i(call->ret), waker);
	r = row_of(c, call->task, call->args[0]);
	if (!r)
		return;
	rs_latency_add(c, &r->lat, call->enter_ns, call->exit_ns, call->in_flight);
	if (is_lock(call->args)) {
		r->lock_ns += rs_part_ns(rs_since_ns(c), call->enter_ns, call->exit_ns);
		r->lock_waits += call->enter_ns >= c->range_from_ns;
	}
	if (call->in_flight)
		return;
	r->failed_at_once += call->ret == -EAGAIN; /* 11 in each architecture whose calls are known by name */
	r->timeouts += rs_call_timed_out(c, call);
	if (waker)
		rs_top_add(&r->wakers, waker->waker_tid, waker->waker_comm);
}

static void open_waits(struct rs_ctx *c, struct rs_open_sink *out)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		bool waits = rs_shown(c, t) && rs_task_in_call(c, t) && rs_wants_open(out, t->syscall_enter_ns, false) &&
			     rs_call_kind(c, t->syscall, t->syscall_args) == RS_CALL_FUTEX_WAIT;
		bool lock = waits && is_lock(t->syscall_args);
		char text[64];

		if (!waits || !rs_wants_open(out, t->syscall_enter_ns, !lock))
			continue;
		snprintf(text, sizeof text, "%s at 0x%llx", lock ? "for a lock" : "to be woken", (unsigned long long)t->syscall_args[0]);
		out->open(out, &(struct rs_open){ .kind = "futex", .what = text, .comm = t->comm, .pid = t->pid, .tid = t->tid,
						  .since_ns = t->syscall_enter_ns, .idle = !lock });
	}
}

/* ---- futex: the view ---- */

enum {
	COMM, PID, TID, UADDR, WAITS, FAILED, TIMEOUTS, TOTAL, AVG, P99, MAX, TOP_WAKER, IN_FLIGHT, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "name of the process" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "process (thread group)" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the thread, where its process is not known" },
	[UADDR] = { "uaddr", "ADDRESS", RS_TYPE_TEXT, 0, 0, 18, "the futex's address in the process" },
	[WAITS] = { "waits", "WAITS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "calls to wait that returned, the two that follow among them" },
	[FAILED] = { "failed_at_once", "AT ONCE", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "failed with EAGAIN: the value had changed, nothing to wait for" },
	[TIMEOUTS] = { "timeouts", "TIMEOUTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "ended by their time-out" },
	[TOTAL] = { "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "wall time in these calls" },
	[AVG] = { "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "average" },
	[P99] = { "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "99 % of the calls took at most this" },
	[MAX] = { "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest" },
	[TOP_WAKER] = { "top_waker", "TOP WAKER", RS_TYPE_TEXT, 0, 0, 20, "comm/tid of the task that ended most of the waits" },
	[IN_FLIGHT] = { "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5, "threads that still wait at the end: in no other column, but at the end of a time range (--to) in WAITS and TOTAL" },
	{ 0 },
};

/* Counts those that wait now, at addresses that nobody returned from, too. */
static void count_in_flight(struct rs_ctx *c)
{
	const struct futex *x = c->state;
	struct row *r;

	for (r = x->newest; r; r = r->older)
		r->in_flight = 0;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_shown(c, t) && rs_task_in_call(c, t) &&
		    rs_call_kind(c, t->syscall, t->syscall_args) == RS_CALL_FUTEX_WAIT &&
		    (r = row_of(c, t, t->syscall_args[0])))
			r->in_flight++;
}

/* By the name that the process has now; one that was evicted keeps that of its first wait. */
static void name_rows(struct rs_ctx *c)
{
	const struct futex *x = c->state;
	struct rs_groups *names = rs_groups_new(sizeof(const char *));

	if (!names)
		return;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_group_key key = { .len = 0 };
		const char **name;

		rs_group_key_u64(&key, process_of(t));
		name = t->comm[0] && (t->pid == t->tid || !t->pid) ? rs_groups_get(names, &key) : NULL;
		if (name)
			*name = t->comm;
	}
	for (struct row *r = x->newest; r; r = r->older) {
		struct rs_group_key key = { .len = 0 };
		const char **name;

		rs_group_key_u64(&key, r->process);
		name = rs_groups_get(names, &key);
		if (name && *name)
			snprintf(r->who.comm, sizeof r->who.comm, "%s", *name);
	}
	rs_groups_free(names);
}

static void show(const struct row *r, struct rs_sink *out)
{
	const struct rs_hist *h = &r->lat;
	struct rs_value v[NR_COLUMNS];
	char uaddr[24], waker[RS_COMM_LEN + 16];

	rs_by_values(&by_process, &r->who, v);
	snprintf(uaddr, sizeof uaddr, "0x%llx", (unsigned long long)r->uaddr);
	v[UADDR] = rs_s(uaddr);
	v[WAITS] = rs_u(rs_hist_nr_begun(h));
	v[FAILED] = rs_u(r->failed_at_once);
	v[TIMEOUTS] = rs_u(r->timeouts);
	v[TOTAL] = rs_u(rs_hist_sum_inside(h));
	v[AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[MAX] = rs_u_if(h->nr, h->max);
	v[TOP_WAKER] = rs_s(rs_top_text(&r->wakers, waker, sizeof waker));
	v[IN_FLIGHT] = rs_u(r->in_flight);
	out->row(out, v);
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct futex *x = c->state;

	(void)q;
	count_in_flight(c);
	name_rows(c);
	for (const struct row *r = x->newest; r; r = r->older)
		if (!rs_hist_is_empty(&r->lat) || r->in_flight)
			show(r, out);
}

/* A fifth of one thread's time for one lock, all threads together. */
#define LEAST_OF_TIME 200

static void judge(const struct rs_ctx *c, const struct row *r, uint64_t epoch_ns, struct rs_finding_sink *out)
{
	uint64_t of_time = rs_milli(r->lock_ns, epoch_ns, 1).u;
	char text[200], brief[160], where[64], of_process[32], buf[RS_COMM_LEN + 16], length[40];
	const struct rs_evidence evidence[] = { { "futex", NULL, where, NULL }, { "tasks", NULL, of_process, NULL }, { "offcpu", NULL, of_process, NULL }, { 0 } };
	const char *waker = rs_top_text(&r->wakers, buf, sizeof buf);

	if (of_time < LEAST_OF_TIME)
		return;
	snprintf(text, sizeof text, "%s (%d) waited %s (%llu time%s) for its lock at 0x%llx%s%s", r->who.comm,
		 r->who.pid ? r->who.pid : r->who.tid,
		 rs_duration_text(c, r->lock_ns, length, sizeof length), (unsigned long long)r->lock_waits, r->lock_waits == 1 ? "" : "s",
		 (unsigned long long)r->uaddr, waker ? ", mostly let go by " : "", waker ? waker : "");
	snprintf(brief, sizeof brief, "%s (%d) waits for its lock%s%s, %s at 0x%llx", r->who.comm, r->who.pid ? r->who.pid : r->who.tid,
		 waker ? ", let go by " : "", waker ? waker : "", length, (unsigned long long)r->uaddr);
	snprintf(of_process, sizeof of_process, "pid == %d", r->who.pid);
	if (r->who.pid)
		snprintf(where, sizeof where, "pid == %d && uaddr == \"0x%llx\"", r->who.pid, (unsigned long long)r->uaddr);
	else /* a process that is not known has no number that its row could be found by */
		snprintf(where, sizeof where, "uaddr == \"0x%llx\"", (unsigned long long)r->uaddr);
	out->finding(out, &(struct rs_finding){ .weight = of_time < 1000 ? (unsigned int)of_time : 1000, .text = text, .brief = brief,
						.pid = r->who.pid, .view = "futex", .where = where, .evidence = r->who.pid ? evidence : NULL });
}

static void findings(struct rs_ctx *c, struct rs_finding_sink *out)
{
	const struct futex *x = c->state;
	uint64_t epoch_ns = rs_judged_ns(c);

	if (!epoch_ns)
		return;
	name_rows(c);
	for (const struct row *r = x->newest; r; r = r->older)
		judge(c, r, epoch_ns, out);
}

static int begin(struct rs_ctx *c)
{
	struct futex *x = c->state;

	x->buckets = calloc(NR_BUCKETS, sizeof(struct row *));
	return x->buckets ? 0 : -ENOMEM;
}

static void reset(struct rs_ctx *c)
{
	struct futex *x = c->state;

	while (x->oldest)
		remove_row(x, x->oldest);
}

static void done(struct rs_ctx *c)
{
	struct futex *x = c->state;

	reset(c);
	free(x->buckets);
}

static const struct rs_lengths lengths[] = {
	{ "total_ns,avg_ns,p99_ns,max_ns", .kind = "futex wait" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "futex", .summary = "waits in futex(2) by address, and who ended them", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-total_ns", .rows = rows, .lengths = lengths,
	  .text_columns = "comm,pid,uaddr,waits,failed_at_once,timeouts,total_ns,p99_ns,max_ns,top_waker" },
	{ 0 },
};

const struct rs_analysis rs_analysis_futex = {
	.abi = RS_ABI,
	.name = "futex",
	.summary = "who waits on which futex, and for whom",
	.views = views,
	.spans = spans,
	.wants_states = true,
	.state_size = sizeof(struct futex),
	.task_size = sizeof(struct task_wait),
	.begin = begin,
	.interval = on_interval,
	.interval_kinds = 1 << RS_BLOCKED,
	.call = on_call,
	.call_kinds = 1 << RS_CALL_FUTEX_WAIT,
	.open = open_waits,
	.lay_open = lay_open,
	.reset = reset,
	.findings = findings,
	.done = done,
};
