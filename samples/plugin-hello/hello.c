// SPDX-License-Identifier: GPL-2.0-or-later
/* hello - a line for each new task, by who made it: the smallest analysis that is of use */
#include <ringside/plugin.h>

enum { TIME, COMM, TID, CHILD, NTH, NR_COLUMNS };

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it was made" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "who made it" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "that thread" },
	[CHILD] = { "child_tid", "CHILD", RS_TYPE_ID, 0, 0, 7, "the new task" },
	[NTH] = { "nth", "NTH", RS_TYPE_COUNT, 0, 0, 5, "its maker's first, second, ... within the capture" },
	{ 0 },
};

struct maker { /* what is kept with each task */
	uint64_t nr_made;
};

enum { CHILD_PID }; /* the order of .fields below */

static void on_fork(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_value v[NR_COLUMNS];
	struct maker *m;

	if (!ev->task)
		return;
	m = rs_task_data(c, ev->task);
	m->nr_made++;
	if (!rs_has_subscriber(c, 0) || !rs_shown(c, ev->task))
		return;
	v[TIME] = rs_u(ev->ts_ns);
	v[COMM] = rs_s(ev->task->comm);
	v[TID] = rs_u((uint64_t)ev->task->tid);
	v[CHILD] = rs_u(rs_u64(ev, &f[CHILD_PID]));
	v[NTH] = rs_u(m->nr_made);
	rs_emit(c, 0, v);
}

static const struct rs_requirement requirements[] = {
	{ "sched", "sched_process_fork", RS_REQUIRED, RS_BY_TASK, on_fork, { "child_pid" } },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "hello", .topic = RS_TOPIC_CALLS, .summary = "each new task, by who made it",
	  .kind = RS_VIEW_STREAM, .columns = columns },
	{ 0 },
};

const struct rs_analysis rs_analysis_hello = {
	.abi = RS_ABI, .name = "hello", .summary = "who makes tasks", .requirements = requirements,
	.views = views,
	.task_size = sizeof(struct maker),
};
