// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * why - where the time of tasks went, part by part, each with its culprit; and who took what tasks waited for
 *
 * The parts of a task add up to its wall time: an invariant. All of it follows from rs_culprits_find
 * (culprit.h), which divides each state as it ends.
 */
#include <stdio.h>
#include <string.h>

#include "plugins/parts/oncpu.h"
#include "plugins/parts/why-categories.h"
#include "plugins/parts/why-code.h"
#include "plugins/parts/why-keys.h"
#include "ringside/event.h"
#include "ringside/plugin.h"

/* A part and what it was of (key 0: see rs_why_key), a culprit (key 1), of a task. */
struct why_row {
	struct rs_hist lat;
	struct rs_peak peak;
};

static const struct rs_measure measures[] = {
	{ RS_MEASURE_LATENCY, offsetof(struct why_row, lat) },
	{ RS_MEASURE_PEAK, offsetof(struct why_row, peak) },
	{ 0 },
};

enum { STORE_PARTS, STORE_CATEGORIES };

static const struct rs_store stores[] = {
	[STORE_PARTS] = { .row_bytes = sizeof(struct why_row), .measures = measures, .of_tasks = true,
			  .max_rows = 1 << 16, .kept_keys = 3 },
	[STORE_CATEGORIES] = { .row_bytes = sizeof(struct rs_why_categories), .of_tasks = true,
			       .max_rows = 1 << 16,
			  .measures = RS_LIST(rs_measure,
					      { RS_MEASURE_SUM, 0,
						.size_bytes = sizeof(struct rs_why_categories) }) },
	{ 0 },
};

static bool why_is_of_all(const struct rs_ctx *c)
{
	return rs_culprits_asked(c)->kind == RS_ASKED_ALL;
}

struct why_state {
	struct rs_why_keys keys;         /* the first member */
	/* of RS_ASKED_SLICE: the call, which comes before the state around it */
	bool found;
	bool all_calls;               /* are recorded, as of .checked_ns */
	uint64_t checked_ns;
};

struct why_task {
	uint64_t done_ns;             /* time that was divided since the last reset, for the invariant */
	struct rs_oncpu oncpu;        /* of its current slice */
};

/* ---- what a task does on a CPU ---- */

#define CHECK_NS 100000000 /* live, events may be turned off and on */

/* Is it known what the task did outside of calls, since the last that is known? */
static bool why_knows_outside(struct rs_ctx *c, const struct rs_oncpu *o, const struct rs_task *t,
			      uint64_t to_ns)
{
	struct why_state *state = c->state;
	uint64_t known_ns = rs_oncpu_known_ns(o, t), now_ns = rs_last_event_ns(c);

	if (!state->checked_ns || now_ns - state->checked_ns >= CHECK_NS) {
		state->checked_ns = now_ns;
		state->all_calls = rs_event_is_recorded(c, "raw_syscalls", "sys_enter") &&
				   rs_event_is_recorded(c, "raw_syscalls", "sys_exit");
	}
	return known_ns && state->all_calls && !t->kernel_thread && !rs_discarded(c, known_ns, to_ns);
}

static struct rs_oncpu *why_oncpu(struct rs_ctx *c, const struct rs_task *t)
{
	return &((struct why_task *)rs_task_data(c, t))->oncpu;
}

static void why_end_slice(struct rs_ctx *c, struct rs_oncpu *o, const struct rs_interval *iv,
			  uint64_t from_ns)
{
	struct rs_stall stall;

	for (unsigned int kind = 0; kind < RS_STALL_THROTTLE; kind++)
		if (rs_task_stall(c, iv->task, (enum rs_stall_kind)kind, &stall))
			rs_oncpu_stall(o, &stall, from_ns);
	rs_oncpu_end(o, iv, from_ns, why_knows_outside(c, o, iv->task, iv->to_ns));
}

static void why_add_run(struct rs_ctx *c, struct rs_task *t, const struct rs_culprit *k, uint64_t run_ns)
{
	const struct rs_oncpu *o = why_oncpu(c, t);
	uint64_t culprit = rs_why_culprit_number(c, t, k);

	for (const struct rs_oncpu_part *part = o->at; part < o->at + o->nr; part++) {
		uint64_t ns = rs_why_share_of_run(part, k, run_ns);
		struct why_row *row = ns ? rs_store_row(c, STORE_PARTS, t, rs_why_key_of_run(part, k->part),
							culprit) :
					   NULL;

		if (!row)
			continue;
		rs_hist_add(&row->lat, ns);
		rs_peak_add(&row->peak, k->at_ns, ns, NULL);
	}
}

/* ---- states as they end ---- */

static void why_add(struct rs_ctx *c, struct rs_task *t, const struct rs_culprits *culprits, uint64_t file)
{
	uint64_t run_ns = rs_why_run_ns(culprits);

	if (run_ns && why_is_of_all(c))
		rs_oncpu_add_undivided(why_oncpu(c, t), run_ns);
	for (const struct rs_culprit *k = culprits->at; k < culprits->at + culprits->nr; k++) {
		struct why_row *row;

		rs_why_categories_add(rs_store_row(c, STORE_CATEGORIES, t, 0, 0), k);
		if (rs_why_is_run(k->part) && why_is_of_all(c)) {
			why_add_run(c, t, k, run_ns);
			continue;
		}
		row = rs_store_row(c, STORE_PARTS, t, rs_why_key(k, file), rs_why_culprit_number(c, t, k));
		if (!row)
			continue;
		rs_hist_add(&row->lat, k->ns);
		rs_peak_add(&row->peak, k->at_ns, k->ns, rs_why_peak_of(k));
	}
}

static void why_divide(struct rs_ctx *c, struct rs_task *t, uint64_t from_ns, uint64_t to_ns, uint64_t file)
{
	struct rs_culprits culprits;

	rs_culprits_find_by_type(c, t, from_ns, to_ns, &culprits);
	why_add(c, t, &culprits, file);
}

/* The file of the read or write that the task is in; 0: unknown, or it is in no such call. */
static uint64_t why_file_of(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_call call;

	return t->syscall >= 0 && rs_call_file_op(c, t->syscall) && rs_task_call(c, t, &call) ?
		       rs_call_file(c, &call) :
		       0;
}

/* From the last reset on: the part before is in the rows of the interval before, as it was in flight then. */
static void why_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint64_t since_ns = rs_since_ns(c), from_ns = iv->from_ns < since_ns ? since_ns : iv->from_ns;

	if (iv->discarded || from_ns >= iv->to_ns)
		return;
	((struct why_task *)rs_task_data(c, iv->task))->done_ns += iv->to_ns - from_ns;
	if (!rs_shown(c, iv->task) ||
	    (!why_is_of_all(c) && (((struct why_state *)c->state)->found || !rs_culprits_asked_state(c, iv))))
		return;
	if (iv->kind == RS_RUN && why_is_of_all(c))
		why_end_slice(c, why_oncpu(c, iv->task), iv, from_ns);
	why_divide(c, iv->task, from_ns, iv->to_ns, iv->kind == RS_BLOCKED ? why_file_of(c, iv->task) : 0);
	if (iv->kind == RS_RUN)
		rs_oncpu_clear(why_oncpu(c, iv->task));
}

static void why_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	why_on_interval(c, w->interval);
}

static void why_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	uint64_t from_ns = call->enter_ns < c->range_from_ns ? c->range_from_ns : call->enter_ns;

	if (why_is_of_all(c)) {
		struct rs_oncpu *o = rs_shown(c, call->task) ? why_oncpu(c, call->task) : NULL;

		if (o)
			rs_oncpu_call(o, call, rs_since_ns(c),
				      why_knows_outside(c, o, call->task, call->enter_ns));
		return;
	}
	if (!call->discarded && from_ns < call->exit_ns && rs_shown(c, call->task) &&
	    rs_culprits_asked_call(c, call)) {
		((struct why_state *)c->state)->found = true;
		why_divide(c, call->task, from_ns, call->exit_ns,
			   rs_call_file_op(c, call->nr) ? rs_call_file(c, call) : 0);
	}
}

static void why_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct rs_culprits culprits;

	if (!rs_culprits_asked_request(c, r))
		return;
	rs_culprits_find_request(c, r, &culprits);
	why_add(c, r->tid > 0 ? rs_task_find(c, r->tid) : NULL, &culprits, 0);
}

static void why_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	if (irq->task && why_is_of_all(c) && rs_shown(c, irq->task))
		rs_oncpu_irq(why_oncpu(c, irq->task), irq, rs_since_ns(c));
}

static void why_on_stall(struct rs_ctx *c, const struct rs_stall *stall)
{
	if (why_is_of_all(c) && rs_shown(c, stall->task))
		rs_oncpu_stall(why_oncpu(c, stall->task), stall, rs_since_ns(c));
}

/* SIG_DFL and SIG_IGN are no handlers. */
static void why_on_deliver(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_oncpu *o = ev->task && why_is_of_all(c) && rs_shown(c, ev->task) ? why_oncpu(c, ev->task) :
										     NULL;

	if (o && rs_u64(ev, &f[0]) > 1)
		rs_oncpu_deliver(o, ev->task, ev->ts_ns, rs_since_ns(c),
				 why_knows_outside(c, o, ev->task, ev->ts_ns));
}

static void why_reset(struct rs_ctx *c)
{
	struct why_state *state = c->state;

	state->found = false;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		((struct why_task *)rs_task_data(c, t))->done_ns = 0;
		rs_oncpu_clear(why_oncpu(c, t));
	}
}

/* ---- what is in flight, and unknown ---- */

/* The slice in flight, as if it ended now. */
static void why_add_open_run(struct rs_ctx *c, struct rs_grouping *g, struct rs_task *t,
			     const struct rs_culprit *k, uint64_t run_ns)
{
	uint64_t now_ns = rs_last_event_ns(c), culprit = rs_why_culprit_number(c, t, k);
	struct rs_oncpu o = *why_oncpu(c, t);

	why_end_slice(c, &o, &(struct rs_interval){ .kind = RS_RUN, .task = t, .from_ns = t->since_ns,
						    .to_ns = now_ns }, rs_since_ns(c));
	rs_oncpu_add_undivided(&o, run_ns);
	for (const struct rs_oncpu_part *part = o.at; part < o.at + o.nr; part++) {
		uint64_t ns = rs_why_share_of_run(part, k, run_ns);
		uint64_t key = rs_why_key_of_run(part, k->part);
		struct why_row *row = ns ? rs_grouping_row(g, t, key, culprit, 0) : NULL;

		if (!row)
			continue;
		rs_hist_add_in_flight(&row->lat, ns, true);
		rs_peak_add(&row->peak, k->at_ns, ns, NULL);
	}
}

static void why_add_open_part(struct rs_ctx *c, struct rs_grouping *g, struct rs_task *t,
			      const struct rs_culprit *k, uint64_t run_ns)
{
	struct why_row *row;

	if (rs_why_is_run(k->part)) {
		why_add_open_run(c, g, t, k, run_ns);
		return;
	}
	row = rs_grouping_row(g, t, rs_why_key(k, 0), rs_why_culprit_number(c, t, k), 0);
	if (!row)
		return;
	rs_hist_add_in_flight(&row->lat, k->ns, true);
	if (k->piece_ns) /* else a sum of several */
		rs_peak_add(&row->peak, k->at_ns, k->ns, rs_why_peak_of(k));
}

static uint64_t why_unknown_ns(struct rs_ctx *c, const struct rs_task *t)
{
	uint64_t lifetime_ns, unknown_ns;

	rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
	return unknown_ns;
}

/*
 * The state in flight since the last reset; 0 after the end of a time range, where it was reported like those
 * that ended.
 */
static uint64_t why_open_ns(struct rs_ctx *c, const struct rs_task *t)
{
	uint64_t open_ns = 0, now_ns = rs_last_event_ns(c);
	enum rs_state state = rs_task_state(c, t, &open_ns);

	if (c->range_ended || state == RS_UNKNOWN || state == RS_DEAD || open_ns == RS_AGE_UNKNOWN)
		return 0;
	return rs_part_ns(rs_since_ns(c), now_ns - open_ns, now_ns);
}

static void why_add_open_category(struct rs_ctx *c, struct rs_grouping *g, struct rs_task *t,
				  const struct rs_culprit *k, uint64_t run_ns)
{
	rs_why_categories_add(rs_grouping_row(g, t, 0, 0, 0), k);
}

/* run_ns: of the state that k is a part of, how much was on a CPU. */
typedef void why_add_open_fn(struct rs_ctx *c, struct rs_grouping *g, struct rs_task *t,
			     const struct rs_culprit *k, uint64_t run_ns);

static void why_add_open(struct rs_ctx *c, const struct rs_in_flight_to *to, why_add_open_fn *add)
{
	uint64_t now_ns = rs_last_event_ns(c);
	struct rs_culprits culprits;

	for (struct rs_task *t = !why_is_of_all(c) ? NULL : rs_task_next(c, NULL); t;
	     t = rs_task_next(c, t)) {
		uint64_t open_ns = why_open_ns(c, t), unknown_ns = why_unknown_ns(c, t);
		struct rs_culprit unknown = { .part = RS_PART_UNKNOWN, .ns = unknown_ns };

		if (!rs_shown(c, t) || !rs_task_has_states(c, t))
			continue;
		culprits.nr = 0;
		if (open_ns)
			rs_culprits_find_by_type(c, t, now_ns - open_ns, now_ns, &culprits);
		for (unsigned int i = 0; i < culprits.nr; i++)
			add(c, to->rows, t, &culprits.at[i], rs_why_run_ns(&culprits));
		if (unknown_ns)
			add(c, to->rows, t, &unknown, 0);
	}
}

static void why_add_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	why_add_open(c, to, why_add_open_part);
}

static void why_add_categories_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	why_add_open(c, to, why_add_open_category);
}

/* The parts of each task add up to its wall time. */
static void why_check(struct rs_ctx *c,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	int64_t largest = 0;

	for (struct rs_task *t = !why_is_of_all(c) ? NULL : rs_task_next(c, NULL); t;
	     t = rs_task_next(c, t)) {
		uint64_t lifetime_ns, unknown_ns;
		int64_t imbalance;

		if (!rs_shown(c, t) || !rs_task_has_states(c, t))
			continue;
		rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
		imbalance = (int64_t)(lifetime_ns - unknown_ns - why_open_ns(c, t) -
				      ((struct why_task *)rs_task_data(c, t))->done_ns);
		if (imbalance && !largest)
			largest = imbalance;
	}
	invariant(arg, "why: the parts of each task add up to its wall time", largest);
}

/* ---- the views ---- */

static bool why_is_of_disk(enum rs_time_part part)
{
	return part >= RS_PART_DISK_BEFORE && part <= RS_PART_FAULT;
}

static struct rs_value why_show_more(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct why_row *row = g->row;
	enum rs_time_part part = rs_why_part(g->keys[0]);
	bool is_any, by_thread = rs_group_is_by(g, "tid") || (rs_group_is_by(g, "pid") && !g->pid);
	int32_t tid = by_thread && g->task ? g->task->tid : 0;

	if (!rs_group_is_by(g, "part"))
		return rs_null();
	part = row->lat.nr ? part : RS_PART_UNKNOWN;
	is_any = part == RS_PART_IRQ || part == RS_PART_SOFTIRQ;
	rs_part_command(c, part, why_is_of_disk(part) ? rs_why_dev(g->keys[0]) : 0,
			!is_any && rs_group_is_by(g, "pid") ? g->pid : 0, is_any ? 0 : tid, buf,
			RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_value why_show_lock(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t addr = rs_why_peak_lock(&((const struct why_row *)g->row)->peak);

	return addr ? rs_s(rs_symbol(c, addr)) : rs_null();
}

static struct rs_value why_show_socket(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_socket_name(c, rs_why_peak_socket(&((const struct why_row *)g->row)->peak)));
}

static struct rs_value why_show_peer(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint32_t name = rs_why_peak_socket(&((const struct why_row *)g->row)->peak);

	return rs_s(rs_far_task_text(rs_socket_far_task_of_name(c, name), buf));
}

/* Where the whole time of tasks is divided: of parts of it no samples are known apart. */
static struct rs_value why_show_code(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return why_is_of_all(c) ? rs_why_code(c, g, buf) : rs_null();
}

static struct rs_value why_show_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_group_share(g, offsetof(struct why_row, lat));
}

#define WHY_LATENCY .measure_bytes = offsetof(struct why_row, lat), .aspect
#define WHY_PEAK .measure_bytes = offsetof(struct why_row, peak), .aspect
#define PART_OF_KEY(n) .key = RS_KEY_##n, .by_cell = true, .cell

#define WHY_COLUMNS(comm_heading, comm_help, share_help) \
	{ "comm", comm_heading, RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, comm_help, .key = RS_KEY_COMM }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID }, \
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID }, \
	{ "part", "PART", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 20, \
	  "what the time went to: run, irq, softirq, run queue, wake-up, idle CPU, lock, futex, disk, " \
	  "fault, reclaim, a sleep by kind, unknown", PART_OF_KEY(0) = rs_why_show_part }, \
	{ "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 6, "the disk; of a lock its type", \
	  PART_OF_KEY(0) = rs_why_show_dev }, \
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 10, \
	  "of a disk's time what the request was: read, read-ahead, write, write-back, flush; of read, " \
	  "write what the file is: pipe, socket, device; of run what it did: user mode, the system " \
	  "call, a signal handler, reclaim; null: not recorded", PART_OF_KEY(0) = rs_why_show_type }, \
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, 0), \
	{ "culprit", "CULPRIT", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 20, \
	  "who had it meanwhile: the process that ran, whose request the disk served, who ended the " \
	  "wait; of a lock of its own process the thread, too; itself; an interrupt; null unknown", \
	  PART_OF_KEY(1) = rs_why_show_culprit }, \
	{ "culprit_pid", "BY PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, \
	  "the culprit's process; null: no process", PART_OF_KEY(1) = rs_why_show_culprit_pid }, \
	{ "culprit_cgroup", "BY CGROUP", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 20, \
	  "the culprit's control group; null unknown", PART_OF_KEY(1) = rs_why_show_culprit_cgroup }, \
	{ "total_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, \
	  "how long, in all; of several threads their sum", WHY_LATENCY = RS_TOTAL }, \
	{ "share", "SHARE%", RS_TYPE_MILLI, 0, 0, 6, share_help, .cell = why_show_share }, \
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "states that had a part of it", \
	  WHY_LATENCY = RS_COUNT }, \
	{ "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10, "of one state: 99 % were at most this", \
	  WHY_LATENCY = RS_P99 }, \
	{ "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10, \
	  "of one state: the most", WHY_PEAK = RS_PEAK }, \
	{ "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, \
	  "when the longest piece of that began", \
	  WHY_PEAK = RS_PEAK_AT }, \
	{ "code", "CODE", RS_TYPE_TEXT, 0, RS_COLUMN_OF_SAMPLES | RS_COLUMN_IF_KNOWN, 0, \
	  "of time on a CPU: the function that most samples are in, its module, its share; null: too " \
	  "few samples", .cell = why_show_code }, \
	{ "lock", "LOCK", RS_TYPE_TEXT, 0, 0, 16, \
	  "the kernel's variable that the lock of the longest wait is, or is in; null unknown", \
	  .cell = why_show_lock }, \
	{ "socket", "SOCKET", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0, \
	  "the socket that the longest wait was on, as strace -yy has it; null: none, or unknown", \
	  .cell = why_show_socket }, \
	{ "peer", "PEER", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0, RS_FAR_TASK_HELP, \
	  .cell = why_show_peer }, \
	{ "more", "MORE", RS_TYPE_TEXT, 0, 0, 0, "a command that shows more of it", .cell = why_show_more }, \
	{ 0 }

static const struct rs_column why_columns[] = {
	WHY_COLUMNS("COMM", "name of the process, or of the thread under --by tid",
		    "of the wall time of that process or thread, as the rows are by pid or tid, else of all "
		    "threads that are shown"),
};

static const struct rs_column antagonists_columns[] = {
	WHY_COLUMNS("VICTIM", "the process that waited, or the thread under --by tid",
		    "of all that was taken from that process or thread, as the rows are by pid or tid, else "
		    "from all that are shown"),
};

static const struct rs_view views[] = {
	{ .name = "why", .topic = RS_TOPIC_WAITS,
	  .role = RS_ROLE_TIME,
	  .summary =
		  "where the time of tasks went: all of their wall time, part by part, each with its culprit",
	  .base = "sums over threads; % of their wall time",
	  .kind = RS_VIEW_TABLE,
	  .columns = why_columns,
	  .sort = "-total_ns",
	  .options = "by",
	  .store = stores,
	  .by = "part,dev,type,culprit",
	  .add_in_flight = why_add_in_flight,
	  .text_columns =
		  "part,dev,type,culprit,culprit_cgroup,total_ns,share,count,p99_ns,max_ns,at_ns,code,socket,"
		  "peer,more" },
	{ .name = "waterfall", .topic = RS_TOPIC_WAITS,
	  .summary = "the wall time of threads side by side: what share of it went to what",
	  .base = "% of wall time",
	  .kind = RS_VIEW_TABLE,
	  .columns = rs_why_categories_columns,
	  .sort = "-awake_ns",
	  .options = "by",
	  .store = &stores[STORE_CATEGORIES],
	  .by = "tid",
	  .add_in_flight = why_add_categories_in_flight },
	{ .name = "antagonists", .topic = RS_TOPIC_WAITS,
	  .diff_by = "cgroup,part,dev",
	  .role = RS_ROLE_ANTAGONISTS,
	  .summary = "who took what tasks waited for: the CPU, the disk, locks",
	  .base = "sums over threads; % of a victim's waits",
	  .kind = RS_VIEW_TABLE,
	  .columns = antagonists_columns,
	  .sort = "-total_ns",
	  .options = "by",
	  .store = stores,
	  .by = "comm,pid,part,dev,type,culprit",
	  .add_in_flight = why_add_in_flight,
	  .has_key = rs_why_has_taken_key,
	  .text_columns = "comm,pid,part,dev,type,culprit,culprit_cgroup,total_ns,share,count,max_ns,at_ns" },
	{ 0 },
};

static const struct rs_callback callbacks[] = {
	{ RS_ON_INTERVAL, .interval = why_on_interval,
	  .kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED },
	{ RS_ON_WAIT, .wait = why_on_wait },
	{ RS_ON_CALL, .call = why_on_call, .if_recorded = true },
	{ RS_ON_REQUEST, .request = why_on_request, .if_recorded = true },
	{ RS_ON_IRQ, .irq = why_on_irq },
	{ RS_ON_STALL, .stall = why_on_stall, .if_recorded = true },
	{ 0 },
};

/* Where a handler begins. */
static const struct rs_requirement requirements[] = {
	{ "signal", "signal_deliver", RS_PASSIVE, RS_BY_TASK, why_on_deliver, { "sa_handler" } },
	{ 0 },
};

const struct rs_analysis rs_analysis_why = {
	.abi = RS_ABI,
	.name = "why",
	.summary = "where the time of tasks went, and who took it",
	.callbacks = callbacks,
	.requirements = requirements,
	.stores = stores,
	.views = views,
	.requires_history = true,
	.requires_files = true,
	.requires_sockets = true,
	.uses_samples = true,
	.samples = RS_SAMPLE_CGROUPS,
	.by_name = true,
	.state_size = sizeof(struct why_state),
	.task_size = sizeof(struct why_task),
	.begin = rs_why_keys_begin,
	.reset = why_reset,
	.check = why_check,
};
