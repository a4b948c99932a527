// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * workqueues - work that the kernel does in its worker threads: who queued it, how long it waited and ran
 *
 * A row is of the task that queued the work: the worker that executes it is anybody's.
 */
#include <string.h>

#include "ringside/plugin.h"

#define WORKQUEUES_NR_QUEUED 8192u /* works in queues: the next one of the same hash takes the place */
#define WORKQUEUES_NR_NAMES 1024u  /* of workqueues; a power of two */
#define WORKQUEUES_NAME_BYTES 32   /* the kernel's WQ_NAME_LEN */

struct workqueues_row {
	struct rs_hist wait, run;
	struct rs_top by;
	uint64_t queued;
};

/* The keys: the function; 1 + the index of the workqueue's name, 0: it is not known. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct workqueues_row), .of_tasks = true, .max_rows = 16384, .kept_keys = 2,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct workqueues_row, wait) },
		{ RS_MEASURE_LATENCY, offsetof(struct workqueues_row, run) },
		{ RS_MEASURE_TOP, offsetof(struct workqueues_row, by) },
		{ RS_MEASURE_SUM, offsetof(struct workqueues_row, queued) }) },
	{ 0 },
};

/* What its row is found by. */
struct workqueues_owner {
	uint32_t name;
	int32_t tid;             /* who queued it; 0: an interrupt, idle, or it was not seen */
	uint32_t inst;
};

/* A work between workqueue_queue_work and workqueue_execute_start. */
struct workqueues_queued {
	uint64_t work, since_ns; /* work 0: none */
	struct workqueues_owner owner;
};

struct workqueues_run {
	struct rs_begun begun;
	uint64_t function;
	struct workqueues_owner owner;
};

struct workqueues {
	struct workqueues_queued queued[WORKQUEUES_NR_QUEUED];
	char names[WORKQUEUES_NR_NAMES][WORKQUEUES_NAME_BYTES];
};

/* 1 + the index of a name, which stays; 0: it has none, or there are more than are remembered. */
static uint32_t workqueues_name_index(struct workqueues *s, const char *name)
{
	uint32_t first = (uint32_t)rs_hash_bytes(name, strlen(name));

	for (uint32_t i = 0; *name && i < WORKQUEUES_NR_NAMES; i++) {
		uint32_t at = (first + i) % WORKQUEUES_NR_NAMES;

		if (!s->names[at][0])
			memcpy(s->names[at], name, strlen(name));
		if (!strcmp(s->names[at], name))
			return at + 1;
	}
	return 0;
}

/* Older kernels have the address of the workqueue alone. */
static uint32_t workqueues_read_name(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	char name[WORKQUEUES_NAME_BYTES] = "";

	if (!rs_has(f) || !(f->flags & RS_FIELD_DYNAMIC))
		return 0;
	rs_str(ev, f, name, sizeof name);
	return workqueues_name_index(c->state, name);
}

/* The place of a work, which another one may have. */
static struct workqueues_queued *workqueues_place(struct rs_ctx *c, uint64_t work)
{
	return &((struct workqueues *)c->state)->queued[rs_hash_u64(work) % WORKQUEUES_NR_QUEUED];
}

static struct workqueues_row *workqueues_row_of(struct rs_ctx *c, const struct workqueues_owner *owner,
						uint64_t function)
{
	struct rs_task *t = owner->tid ? rs_task_find(c, owner->tid) : NULL;

	if (t && t->inst != owner->inst)
		t = NULL;
	return rs_shown(c, t) ? rs_store_row(c, 0, t, function, owner->name) : NULL;
}

/* ---- queued, begun, done ---- */

enum { WORK_ADDR, WORK_FUNCTION, WORK_FLAGS, WORK_NAME };

static void workqueues_on_queue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t work = rs_u64(ev, &f[WORK_ADDR]);
	const struct rs_task *t = rs_u64(ev, &f[WORK_FLAGS]) & RS_FLAGS_IN_INTERRUPT ? NULL : ev->task;
	struct workqueues_queued *q = workqueues_place(c, work);
	struct workqueues_row *row;

	if (q->work && q->work != work)
		rs_count(c, RS_COUNT_EVICTED);
	*q = (struct workqueues_queued){ work, ev->ts_ns,
					 { workqueues_read_name(c, ev, &f[WORK_NAME]), t ? t->tid : 0,
					   t ? t->inst : 0 } };
	row = workqueues_row_of(c, &q->owner, rs_u64(ev, &f[WORK_FUNCTION]));
	if (!row)
		return;
	row->queued++;
	rs_top_add(&row->by, q->owner.tid, t ? t->comm : NULL);
}

/* A start without its queueing: that was before the capture, or it is a flush's, which has no event. */
static void workqueues_on_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t work = rs_u64(ev, &f[WORK_ADDR]), function = rs_u64(ev, &f[WORK_FUNCTION]);
	struct workqueues_queued *q = workqueues_place(c, work);
	struct workqueues_run *run = rs_match_begin(c, 0, ev, work);
	struct workqueues_row *row;

	if (!run)
		return;
	run->function = function;
	if (q->work != work)
		return;
	q->work = 0;
	if (rs_discarded(c, q->since_ns, ev->ts_ns)) {
		rs_count(c, RS_COUNT_DISCARDED);
		return;
	}
	run->owner = q->owner;
	row = workqueues_row_of(c, &q->owner, function);
	if (row)
		rs_latency_add(c, &row->wait, q->since_ns, ev->ts_ns, false);
}

static void workqueues_on_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_match_end(c, 0, ev, f, rs_u64(ev, &f[WORK_ADDR]));
}

static void workqueues_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	const struct workqueues_run *run = end->begun;
	struct workqueues_row *row = end->discarded ? NULL : workqueues_row_of(c, &run->owner, run->function);

	if (row)
		rs_latency_add(c, &row->run, run->begun.begin_ns, end->end_ns, end->in_flight);
}

/* A worker executes one work at a time. */
static const struct rs_match matches[] = {
	{ "works executed", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = 2,
	  .begun_bytes = sizeof(struct workqueues_run), .end = workqueues_end },
	{ 0 },
};

/* ---- rows ---- */

/* Where addresses have no names the address tells one function from another. */
static struct rs_value workqueues_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const char *name = g->keys[0] == RS_KEY_FORGOTTEN ? NULL : rs_function(c, g->keys[0]);

	return name ? rs_s(name) : g->keys[0] == RS_KEY_FORGOTTEN ? rs_null() : rs_show_address(c, g, buf);
}

static struct rs_value workqueues_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct workqueues *s = c->state;
	uint64_t name = g->keys[1];

	return rs_s(name && name <= WORKQUEUES_NR_NAMES ? s->names[name - 1] : NULL);
}

#define WORKQUEUES_MEASURE(member) .measure_bytes = offsetof(struct workqueues_row, member), .aspect

static const struct rs_column columns[] = {
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 24,
	  "what the worker calls; an address where its name is not known", .key = RS_KEY_0, .by_cell = true,
	  .cell = workqueues_show_function },
	{ "workqueue", "WORKQUEUE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16,
	  "the queue's name; null: it was queued before the capture, or for a flush, or the kernel does not "
	  "tell (before 5.12)", .key = RS_KEY_1, .by_cell = true, .cell = workqueues_show_name },
	RS_GROUP_BY_COLUMNS,
	{ "queued", "QUEUED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that it was queued",
	  WORKQUEUES_MEASURE(queued) = RS_VALUE },
	{ "executed", "EXECUTED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that a worker executed it",
	  WORKQUEUES_MEASURE(run) = RS_COUNT },
	{ "wait_avg_ns", "WAITavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11,
	  "from its queueing until a worker begins with it, the average", WORKQUEUES_MEASURE(wait) = RS_AVG },
	{ "wait_p99_ns", "WAITp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "99 % waited at most this",
	  WORKQUEUES_MEASURE(wait) = RS_P99 },
	{ "wait_max_ns", "WAITmax(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  WORKQUEUES_MEASURE(wait) = RS_MAX },
	{ "run_avg_ns", "RUNavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
	  "from begin to end of its execution, the average; it may sleep meanwhile",
	  WORKQUEUES_MEASURE(run) = RS_AVG },
	{ "run_p99_ns", "RUNp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took at most this",
	  WORKQUEUES_MEASURE(run) = RS_P99 },
	{ "run_max_ns", "RUNmax(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "longest",
	  WORKQUEUES_MEASURE(run) = RS_MAX },
	{ "run_total_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "all executions together", WORKQUEUES_MEASURE(run) = RS_TOTAL },
	{ "top_queuer", "TOP QUEUER", RS_TYPE_TEXT, 0, 0, 20,
	  "comm/tid of who queued it most often; <irq>: interrupts, timers among them",
	  WORKQUEUES_MEASURE(by) = RS_TOP_TASK },
	{ 0 },
};

const struct rs_analysis rs_analysis_workqueues = {
	.abi = RS_ABI,
	.name = "workqueues",
	.summary = "work that the kernel does in its worker threads, and who queued it",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		{ "workqueue", "workqueue_queue_work", RS_REQUIRED, RS_BY_ANYONE, workqueues_on_queue,
		  { "work", "function", "common_flags", "?workqueue" } },
		{ "workqueue", "workqueue_execute_start", RS_REQUIRED, RS_BY_ANYONE, workqueues_on_start,
		  { "work", "function" } },
		{ "workqueue", "workqueue_execute_end", RS_REQUIRED, RS_BY_ANYONE, workqueues_on_end,
		  { "work" } }),
	.matches = matches,
	.views = RS_LIST(rs_view,
		{ .name = "workqueues", .topic = RS_TOPIC_CPU,
		  .diff_by = "",
		  .summary = "work of kernel workers: how often, how long it waited and ran, who queued it",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-run_total_ns", .by = "function,workqueue",
		  .text_columns = "function,workqueue,comm,pid,queued,executed,wait_avg_ns,wait_p99_ns,"
				  "wait_max_ns,run_avg_ns,run_max_ns,run_total_ns,top_queuer" }),
	.stores = stores,
	.state_size = sizeof(struct workqueues),
};
