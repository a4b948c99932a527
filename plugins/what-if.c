// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * what-if - what would help most: waits as they would have been without one of those who took their time, or
 * with a faster one
 *
 * Each wait is computed anew as it ends (what-if.h). A wait is a system call in which the task was blocked
 * or runnable, or such a state outside of calls. A row of the store is all waits of a process in one call for
 * one peer, or what one change makes of those that it changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/plugin.h"
#include "ringside/what-if.h"

/*
 * The work that it may be: so many steps of about 30 instructions a second. Where waits are too many the long
 * ones come first.
 */
#define WORK_A_SECOND 4000000
#define LEAST_WAIT_NS 20000      /* what is shorter is not looked at */
#define LEAST_WHERE_MANY_NS 1000000 /* likewise, where half of the steps are used up */
#define LEAST_WHERE_TOO_MANY_NS 10000000 /* and where nearly all are */
#define LEAST_OF_WALL 1000       /* what saves less than one in so many of the wall time is no row */

struct what_if_row {
	/* without a change all waits, and .after is empty; else those that it changes, before and after */
	struct rs_hist before, after;
	uint64_t saved_ns;
	uint64_t unknown_ns;         /* of all waits: what nothing tells of, and what was not looked at */
	struct rs_what_if change;    /* .kind NONE: of all waits; .ns is not used */
	char peer[RS_COMM_LEN];
};

struct what_if_pair {
	uint64_t ns;                 /* that processes of the first name waited for those of the second */
};

enum { STORE_WAITS, STORE_PAIRS };

static const struct rs_store stores[] = {
	[STORE_WAITS] = { .row_bytes = sizeof(struct what_if_row), .of_tasks = true, .max_rows = 1 << 14,
			  .measures = RS_LIST(rs_measure,
					      { RS_MEASURE_LATENCY, offsetof(struct what_if_row, before) },
					      { RS_MEASURE_LATENCY, offsetof(struct what_if_row, after) },
					      RS_MEASURE_SUMS(struct what_if_row, saved_ns, unknown_ns)) },
	[STORE_PAIRS] = { .row_bytes = sizeof(struct what_if_pair), .max_rows = 1 << 14,
			  .measures = RS_LIST(rs_measure, { RS_MEASURE_SUM, 0 }) },
	{ 0 },
};

struct what_if_state {
	struct rs_what_if_room *room;
	int64_t credit;              /* steps that may be made now */
	uint64_t credit_ns;
};

struct what_if_task {
	uint64_t waited_ns;          /* in the call that it is in, as far as that has ended */
	uint64_t peer_ns;            /* of that, for the peer */
	char peer[RS_COMM_LEN];      /* "": none */
	uint64_t wall_ns;            /* of a first thread, while rows are made: that of all of its process */
};

/* ---- keys ---- */

/*
 * Key 0 is what is waited for: a call, or a cause outside of calls, and the peer. Key 1 is the change; 0:
 * none. Names are hashed: with a thousand of them one time in ten thousand two are one.
 */
#define KEY_IS_CAUSE (1ull << 31)
#define KEY_IS_OWN (1ull << 32)
#define KEY_KIND_BIT 40

static uint64_t what_if_name_key(const char *comm)
{
	uint64_t words[2] = { 0, 0 };

	snprintf((char *)words, sizeof words, "%s", comm ? comm : "");
	return words[0] ? (uint32_t)rs_hash_u64(words[0] ^ rs_hash_u64(words[1])) : 0;
}

static uint64_t what_if_key(int64_t call, enum rs_cause cause, const char *peer)
{
	uint64_t of = call >= 0 ? (uint64_t)rs_call_number(call) & (KEY_IS_CAUSE - 1) : KEY_IS_CAUSE | cause;

	return what_if_name_key(peer) << 32 | of;
}

static uint64_t what_if_change_key(const struct rs_what_if *w)
{
	uint64_t of = w->kind == RS_WHAT_IF_DISK_FASTER ? w->dev :
		      w->kind == RS_WHAT_IF_NO_CATEGORY ? (uint64_t)w->category :
							  what_if_name_key(w->comm);

	return (uint64_t)w->kind << KEY_KIND_BIT | (w->is_own_thread ? KEY_IS_OWN : 0) | of;
}

/* ---- waits as they end ---- */

static const char nobody[RS_COMM_LEN];

static bool what_if_may_find(struct rs_ctx *c, struct what_if_state *s, uint64_t ns)
{
	uint64_t now_ns = rs_last_event_ns(c), len_ns = now_ns - s->credit_ns;

	if (now_ns < s->credit_ns || len_ns > 1000000000)
		len_ns = 1000000000;
	s->credit += (int64_t)(len_ns * WORK_A_SECOND / 1000000000);
	s->credit_ns = now_ns;
	if (s->credit > WORK_A_SECOND)
		s->credit = WORK_A_SECOND;
	return s->credit > 0 && ns >= (s->credit > WORK_A_SECOND / 2 ? LEAST_WAIT_NS :
				       s->credit > WORK_A_SECOND / 8 ? LEAST_WHERE_MANY_NS :
									LEAST_WHERE_TOO_MANY_NS);
}

static void what_if_add_change(struct rs_ctx *c, struct rs_task *of, uint64_t key0,
			       const struct rs_what_if *w, uint64_t ns)
{
	struct what_if_row *row = rs_store_row(c, STORE_WAITS, of, key0, what_if_change_key(w));

	if (!row)
		return;
	row->change = *w;
	rs_hist_add(&row->before, ns);
	rs_hist_add(&row->after, w->ns);
	row->saved_ns += ns - w->ns;
}

/* Adds a wait that ended, to the rows of its process. */
static void what_if_add(struct rs_ctx *c, struct rs_task *t, uint64_t key0, const char *peer,
			uint64_t from_ns, uint64_t to_ns)
{
	struct what_if_state *s = c->state;
	struct rs_task *leader = t->pid ? rs_task_find(c, t->pid) : NULL, *of = leader ? leader : t;
	uint64_t ns = to_ns - from_ns, unknown_ns = ns;
	struct what_if_row *row;
	struct rs_what_ifs all = { .nr = 0 };

	if (!rs_shown(c, t) || t->kernel_thread || to_ns <= from_ns)
		return;
	if (what_if_may_find(c, s, ns)) {
		if (rs_what_if_find(c, s->room, t, from_ns, to_ns, &all))
			unknown_ns = all.unknown_ns;
		s->credit -= all.steps;
	}
	row = rs_store_row(c, STORE_WAITS, of, key0, 0);
	if (!row)
		return;
	rs_hist_add(&row->before, ns);
	row->unknown_ns += unknown_ns;
	memcpy(row->peer, peer, sizeof row->peer);
	for (unsigned int i = 0; i < all.nr; i++)
		what_if_add_change(c, of, key0, &all.at[i], ns);
}

static bool what_if_is_idle(struct rs_ctx *c, int64_t nr, const uint64_t *args)
{
	return rs_call_kind(c, nr, args) == RS_CALL_IDLE || rs_call_is(c, nr, RS_CLASS_ACCEPT);
}

static bool what_if_is_in_call(struct rs_ctx *c, const struct rs_task *t)
{
	return t->syscall >= 0 && !what_if_is_idle(c, t->syscall, t->syscall_args);
}

static struct what_if_task *what_if_task(struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

static void what_if_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (iv->discarded || iv->in_flight || !iv->task || iv->from_ns < c->range_from_ns)
		return;
	if (what_if_is_in_call(c, iv->task))
		what_if_task(c, iv->task)->waited_ns += iv->to_ns - iv->from_ns;
	else
		what_if_add(c, iv->task, what_if_key(-1, RS_CAUSE_DELAY, ""), nobody, iv->from_ns, iv->to_ns);
}

/* Who ended a wait that was not for a lock, a disk, memory: by an answer. NULL: nobody. */
static const struct rs_task *what_if_peer(struct rs_ctx *c, const struct rs_wait *w)
{
	int32_t tid = w->interval->waker_tid;
	bool is_futex = w->cause == RS_CAUSE_FUTEX && !(w->args && rs_futex_is_lock(w->args));

	if (tid <= 0 || (!is_futex && w->cause != RS_CAUSE_SLEEP && w->cause != RS_CAUSE_IDLE) ||
	    rs_call_is(c, w->syscall, RS_CLASS_LOCK | RS_CLASS_SEMAPHORE))
		return NULL;
	return rs_task_find(c, tid);
}

/* As the two are called: processes, or threads of one. */
static const char *what_if_comm(struct rs_ctx *c, const struct rs_task *t, const struct rs_task *peer)
{
	bool is_own = t->pid && t->pid == peer->pid;
	const char *comm = is_own ? t->comm : rs_task_process_comm(c, t);

	return comm ? comm : "";
}

static void what_if_add_pair(struct rs_ctx *c, const struct rs_task *t, const struct rs_task *peer,
			     uint64_t ns)
{
	uint64_t waits = what_if_name_key(what_if_comm(c, t, peer)),
		 is_awaited = what_if_name_key(what_if_comm(c, peer, t));
	struct what_if_pair *pair = rs_store_row(c, STORE_PAIRS, NULL, waits, is_awaited);

	if (pair)
		pair->ns += ns;
}

static void what_if_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct what_if_task *task = what_if_task(c, iv->task);
	uint64_t ns = iv->to_ns - iv->from_ns;
	const struct rs_task *peer;

	if (iv->discarded || iv->in_flight || iv->from_ns < c->range_from_ns)
		return;
	peer = what_if_peer(c, w);
	if (peer)
		what_if_add_pair(c, iv->task, peer, ns);
	if (what_if_is_in_call(c, iv->task)) {
		task->waited_ns += ns;
		if (peer && ns > task->peer_ns) {
			task->peer_ns = ns;
			snprintf(task->peer, sizeof task->peer, "%s", what_if_comm(c, peer, iv->task));
		}
	} else if (iv->task->syscall < 0 && rs_cause_row(w->cause)->rank == RS_RANK_WAIT) {
		what_if_add(c, iv->task, what_if_key(-1, w->cause, ""), nobody, iv->from_ns, iv->to_ns);
	}
}

static void what_if_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct what_if_task *task = what_if_task(c, call->task), of = *task;

	*task = (struct what_if_task){ .wall_ns = of.wall_ns };
	if (of.waited_ns && !call->discarded && !call->in_flight && call->enter_ns >= c->range_from_ns)
		what_if_add(c, call->task, what_if_key(call->nr, RS_CAUSE_UNKNOWN, of.peer), of.peer,
			    call->enter_ns, call->exit_ns);
}

/* Interrupts are kept by the engine, where they are recorded: nothing is to be done here. */
static void what_if_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
}

static void what_if_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	rs_what_if_find_add_request(((struct what_if_state *)c->state)->room, r);
}

/* ---- rows ---- */

enum {
	COMM, PID, WAIT, PEER, CULPRIT, KIND, CHANGE, COUNT, CHANGED, P50, P50_AFTER, P99, P99_AFTER, TOTAL,
	SAVED, SHARE, KNOWN, TEXT, NR_COLUMNS
};

static const struct rs_column columns[] = {
	[COMM] = { "comm", "VICTIM", RS_TYPE_TEXT, 0, 0, 16, "the process that waited" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[WAIT] = { "wait", "IN", RS_TYPE_TEXT, 0, 0, 14,
		   "the system call that it waited in; outside of calls what for: delay (run queue), disk" },
	[PEER] = { "peer", "FOR", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 16,
		   "the process, or the thread of its own, that ended most of the wait by an answer; null: "
		   "none" },
	[CULPRIT] = { "culprit", "WITHOUT", RS_TYPE_TEXT, 0, 0, 20,
		      "what would be different: a process, a thread of its own process (process/thread), "
		      "itself, a disk, a category of time (see waterfall), cpu.max" },
	[KIND] = { "kind", "KIND", RS_TYPE_TEXT, 0, 0, 8, "task, disk, category or quota" },
	[CHANGE] = { "change", "CHANGE", RS_TYPE_TEXT, 0, 0, 13,
		     "gone: it takes no CPU, no disk, no lock; twice as fast: what it runs, or a request of "
		     "the disk, takes half the time" },
	[COUNT] = { "waits", "WAITS", RS_TYPE_COUNT, 0, 0, 8, "waits of the victim in that call" },
	[CHANGED] = { "changed", "SHORTER", RS_TYPE_COUNT, 0, 0, 8, "of these, those that would be shorter" },
	[P50] = { "p50_ns", "P50(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "of all these waits: the median" },
	[P50_AFTER] = { "p50_after_ns", "THEN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
			"the median that it would be" },
	[P99] = { "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % were at most this" },
	[P99_AFTER] = { "p99_after_ns", "THEN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "that it would be" },
	[TOTAL] = { "waited_ns", "WAITED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "of all these waits, in all" },
	[SAVED] = { "saved_ns", "SAVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "how much less that would be" },
	[SHARE] = { "share", "SAVED%", RS_TYPE_MILLI, 0, 0, 7,
		    "the same, of the wall time of the threads of that process" },
	[KNOWN] = { "known", "KNOWN%", RS_TYPE_MILLI, 0, 0, 7,
		    "of the time of all these waits, what is known; of the rest, which was lost, was not "
		    "seen or was too much to look at, nothing is saved" },
	[TEXT] = { "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "all of it as a sentence" },
	{ 0 },
};

static const char *const changes[RS_NR_WHAT_IF_KINDS] = {
	[RS_WHAT_IF_ABSENT] = "gone", [RS_WHAT_IF_TASK_FASTER] = "twice as fast",
	[RS_WHAT_IF_DISK_FASTER] = "twice as fast", [RS_WHAT_IF_NO_CATEGORY] = "gone",
	[RS_WHAT_IF_NO_QUOTA] = "gone",
};

static const char *const kinds[RS_NR_WHAT_IF_KINDS] = {
	[RS_WHAT_IF_ABSENT] = "task", [RS_WHAT_IF_TASK_FASTER] = "task", [RS_WHAT_IF_DISK_FASTER] = "disk",
	[RS_WHAT_IF_NO_CATEGORY] = "category", [RS_WHAT_IF_NO_QUOTA] = "quota",
};

static const char *what_if_culprit(struct rs_ctx *c, const struct rs_task *victim, const struct rs_what_if *w,
				   char *buf)
{
	const char *name = w->kind == RS_WHAT_IF_DISK_FASTER ? rs_disk_name(c, w->dev) : NULL;

	if (w->kind == RS_WHAT_IF_NO_CATEGORY)
		return rs_category_row(w->category)->name;
	if (w->kind == RS_WHAT_IF_NO_QUOTA)
		return "cpu.max";
	if (w->kind == RS_WHAT_IF_DISK_FASTER) {
		if (!name)
			rs_dev_text(w->dev, buf, RS_CELL_TEXT_BYTES);
		return name ? name : buf;
	}
	if (!w->comm[0])
		return "itself";
	snprintf(buf, RS_CELL_TEXT_BYTES, "%s%s%s", w->is_own_thread ? rs_task_process_comm(c, victim) : "",
		 w->is_own_thread ? "/" : "", w->comm);
	return buf;
}

/* What is said of a wait, or of all waits of a call: how long they were, and would be. */
struct what_if_told {
	const struct rs_task *victim;
	const struct rs_what_if *change;
	uint64_t key0;
	const char *peer;            /* "": none */
	uint64_t count, changed, p50_ns, p50_after_ns, p99_ns, p99_after_ns, total_ns, saved_ns, wall_ns,
		 unknown_ns;
};

static void what_if_say(struct rs_ctx *c, const struct what_if_told *k, const char *culprit, const char *wait,
			char *buf, size_t size_bytes)
{
	bool is_faster = k->change->kind == RS_WHAT_IF_TASK_FASTER ||
			 k->change->kind == RS_WHAT_IF_DISK_FASTER;
	uint64_t milli = k->wall_ns ? k->saved_ns * 1000 / k->wall_ns : 0;
	char before[48], after[48], saved[48];

	snprintf(buf, size_bytes, "%s%s%s: %s of %s %s to %s, saves %s, %d.%d %% of its wall time",
		 is_faster ? "" : "without ", culprit, is_faster ? " twice as fast" : "",
		 k->count > 1 ? "p99" : "the wait", wait,
		 rs_duration_text(c, k->p99_ns, before, sizeof before),
		 rs_duration_text(c, k->p99_after_ns, after, sizeof after),
		 rs_duration_text(c, k->saved_ns, saved, sizeof saved), (int)(milli / 10), (int)(milli % 10));
}

static void what_if_put(struct rs_ctx *c, const struct what_if_told *k, struct rs_sink *out)
{
	uint32_t of = (uint32_t)k->key0;
	char culprit_buf[RS_CELL_TEXT_BYTES], call_buf[40], text[256];
	const char *culprit = what_if_culprit(c, k->victim, k->change, culprit_buf);
	const char *wait = of == (KEY_IS_CAUSE | RS_CAUSE_UNKNOWN) ? NULL :
			   of & KEY_IS_CAUSE ? rs_cause_row((enum rs_cause)(of & ~KEY_IS_CAUSE))->name :
					       rs_call_name(c, of, call_buf, sizeof call_buf);
	struct rs_value v[NR_COLUMNS] = {
		[COMM] = rs_s(rs_task_process_comm(c, k->victim)),
		[PID] = rs_u_if(k->victim->pid, (uint64_t)k->victim->pid),
		[WAIT] = rs_s(wait),
		[PEER] = rs_s(k->peer[0] ? k->peer : NULL),
		[CULPRIT] = rs_s(culprit),
		[KIND] = rs_s(kinds[k->change->kind]),
		[CHANGE] = rs_s(changes[k->change->kind]),
		[COUNT] = rs_u(k->count),
		[CHANGED] = rs_u(k->changed),
		[P50] = rs_u(k->p50_ns),
		[P50_AFTER] = rs_u(k->p50_after_ns),
		[P99] = rs_u(k->p99_ns),
		[P99_AFTER] = rs_u(k->p99_after_ns),
		[TOTAL] = rs_u(k->total_ns),
		[SAVED] = rs_u(k->saved_ns),
		[SHARE] = rs_milli(k->saved_ns, k->wall_ns, 100),
		[KNOWN] = rs_milli(k->total_ns - k->unknown_ns, k->total_ns, 100),
	};

	what_if_say(c, k, culprit, wait ? wait : "it", text, sizeof text);
	v[TEXT] = rs_s(text);
	out->row(out, v);
}

/* ---- quantiles of what would be ---- */

struct what_if_rank {
	uint64_t value, nr;          /* so many are at most the value */
};

static void what_if_count(void *arg, uint64_t value, uint64_t nr)
{
	struct what_if_rank *rank = arg;

	rank->nr += value <= rank->value ? nr : 0;
}

static uint64_t what_if_rank(const struct rs_hist *h, uint64_t value)
{
	struct what_if_rank rank = { .value = value };

	rs_hist_each(h, what_if_count, &rank);
	return rank.nr;
}

/* Of all waits, with those that are changed as they would be: the least value that is reached by so many. */
static uint64_t what_if_quantile(const struct rs_hist *all, const struct what_if_row *row,
				 unsigned int per_mille)
{
	uint64_t rank = (all->nr * per_mille + 999) / 1000, from = 0, to = all->max;

	while (from < to) {
		uint64_t half = from + (to - from) / 2;

		if (what_if_rank(all, half) + what_if_rank(&row->after, half) >=
		    rank + what_if_rank(&row->before, half))
			to = half;
		else
			from = half + 1;
	}
	return to;
}

static void what_if_put_row(struct rs_ctx *c, struct rs_task *of, uint64_t key0,
			    const struct what_if_row *row, struct rs_sink *out)
{
	const struct what_if_row *all = rs_store_row(c, STORE_WAITS, of, key0, 0);
	struct what_if_told k = { .victim = of, .key0 = key0, .change = &row->change,
				  .wall_ns = what_if_task(c, of)->wall_ns, .saved_ns = row->saved_ns };

	if (!all || !all->before.nr || !row->before.nr || k.saved_ns < k.wall_ns / LEAST_OF_WALL)
		return;
	k.peer = all->peer;
	k.count = all->before.nr;
	k.changed = row->before.nr;
	k.total_ns = all->before.sum;
	k.unknown_ns = all->unknown_ns;
	k.p50_ns = rs_hist_quantile(&all->before, 500);
	k.p99_ns = rs_hist_quantile(&all->before, 990);
	k.p50_after_ns = what_if_quantile(&all->before, row, 500);
	k.p99_after_ns = what_if_quantile(&all->before, row, 990);
	what_if_put(c, &k, out);
}

/* A server waits for its clients' requests: whoever waits longer for the other is the client. */
static bool what_if_is_for_input(struct rs_ctx *c, const struct rs_task *victim, uint64_t key0)
{
	uint64_t peer = key0 >> 32, self = what_if_name_key(rs_task_process_comm(c, victim));
	const struct what_if_pair *waits = rs_store_row(c, STORE_PAIRS, NULL, self, peer),
				  *is_awaited = rs_store_row(c, STORE_PAIRS, NULL, peer, self);

	return peer && waits && is_awaited && is_awaited->ns > waits->ns;
}

/* Of one wait, all is known as it is asked for. */
static void what_if_put_asked(struct rs_ctx *c, struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			      struct rs_sink *out)
{
	struct what_if_state *s = c->state;
	uint64_t ns = to_ns - from_ns;
	struct rs_what_ifs all;

	if (!rs_what_if_find(c, s->room, t, from_ns, to_ns, &all))
		return;
	for (unsigned int i = 0; i < all.nr; i++) {
		const struct rs_what_if *w = &all.at[i];

		what_if_put(c, &(struct what_if_told){
			.victim = t, .change = w, .peer = nobody, .count = 1, .changed = 1,
			.key0 = what_if_key(-1, RS_CAUSE_UNKNOWN, ""), .p50_ns = ns, .p50_after_ns = w->ns,
			.p99_ns = ns, .p99_after_ns = w->ns, .total_ns = ns, .saved_ns = ns - w->ns,
			.wall_ns = ns, .unknown_ns = all.unknown_ns }, out);
	}
}

static void what_if_sum_walls(struct rs_ctx *c)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		what_if_task(c, t)->wall_ns = 0;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_task *leader = t->pid ? rs_task_find(c, t->pid) : NULL;
		uint64_t lifetime_ns, unknown_ns;

		rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
		what_if_task(c, leader ? leader : t)->wall_ns += lifetime_ns;
	}
}

static int what_if_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	struct rs_task *t = asked->kind == RS_ASKED_TIME ? rs_task_find(c, asked->tid) : NULL;

	if (asked->kind == RS_ASKED_TIME) {
		if (t)
			what_if_put_asked(c, t, asked->at_ns, asked->to_ns, out);
		return 0;
	}
	what_if_sum_walls(c);
	for (t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct what_if_row *row = NULL;
		uint64_t key0;

		while ((row = rs_store_next_of(c, STORE_WAITS, t, (void *)(uintptr_t)row, &key0)))
			if (row->change.kind != RS_WHAT_IF_NONE && !what_if_is_for_input(c, t, key0))
				what_if_put_row(c, t, key0, row, out);
	}
	return 0;
}

/* Nothing saves more than was waited. */
static void what_if_check(struct rs_ctx *c,
			  void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	uint64_t over_ns = 0, key0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct what_if_row *row = NULL;

		while ((row = rs_store_next_of(c, STORE_WAITS, t, (void *)(uintptr_t)row, &key0))) {
			uint64_t left_ns = row->after.sum + row->saved_ns;

			if (row->change.kind != RS_WHAT_IF_NONE)
				over_ns += left_ns > row->before.sum ? left_ns - row->before.sum :
								       row->before.sum - left_ns;
		}
	}
	invariant(arg, "what-if: saved + what would be left = waited (ns)", (int64_t)over_ns);
}

static int what_if_begin(struct rs_ctx *c)
{
	struct what_if_state *s = c->state;

	s->room = rs_what_if_find_room(c);
	s->credit = WORK_A_SECOND;
	return s->room ? 0 : -12; /* ENOMEM */
}

const struct rs_analysis rs_analysis_what_if = {
	.abi = RS_ABI,
	.name = "what-if",
	.summary = "what would help most: waits without one of those who took their time",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = what_if_on_interval,
		  .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = what_if_on_wait },
		{ RS_ON_CALL, .call = what_if_on_call, .if_recorded = true },
		{ RS_ON_REQUEST, .request = what_if_on_request, .if_recorded = true },
		{ RS_ON_IRQ, .irq = what_if_on_irq }),
	.stores = stores,
	.views = RS_LIST(rs_view,
		{ .name = "what-if", .topic = RS_TOPIC_WAITS, .role = RS_ROLE_WHAT_IF,
		  .summary = "what would help most: waits without one culprit, or with a faster one",
		  .base = "sums over threads; % of wall time; each change alone",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns, .sort = "-saved_ns", .rows = what_if_rows,
		  .text_columns = "comm,pid,wait,peer,culprit,change,p50_ns,p50_after_ns,p99_ns,p99_after_ns,"
				  "saved_ns,share,known" }),
	.requires_history = true,
	.by_name = true,
	.state_size = sizeof(struct what_if_state),
	.task_size = sizeof(struct what_if_task),
	.begin = what_if_begin,
	.check = what_if_check,
};
