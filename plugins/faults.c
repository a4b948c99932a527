// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * faults - page faults of each task: in its own code, in the kernel for it, and those that waited for a disk
 */
#include "ringside/plugin.h"

struct faults_row {
	uint64_t user, kernel, major;
	struct faults_unknown { bool yes; } unknown;
};

static void faults_merge_unknown(void *into, const void *from)
{
	((struct faults_unknown *)into)->yes |= ((const struct faults_unknown *)from)->yes;
}

struct task_faults {
	struct faults_row row;     /* first */
	uint64_t major_before;     /* -I: what earlier intervals have shown */
	bool major_lost;           /* that is not known */
};

/* ---- faults as they happen ---- */

enum { SPAN_USER, SPAN_KERNEL };
enum { STORE_BY_TASK, STORE_BY_STACK };

static const struct rs_column span_columns[] = {
	{ "address", "ADDRESS", RS_TYPE_TEXT, 0, 0, 0, "what was touched" },
	{ 0 },
};

/* For each fault, and a print costs ten times as much. */
static const char *hex(uint64_t v, char text[19])
{
	char *at = text + 18;

	*at = '\0';
	do
		*--at = "0123456789abcdef"[v & 15];
	while (v >>= 4);
	*--at = 'x';
	*--at = '0';
	return at;
}

static inline void faults_add(struct rs_ctx *c, unsigned int kind, const struct rs_event *ev,
			      const struct rs_field *address)
{
	struct faults_row *row = ev->task ? rs_task_data(c, ev->task) : NULL;
	struct rs_value value = rs_null();
	char text[19];

	if (!row)
		return;
	++*(kind == SPAN_USER ? &row->user : &row->kernel);
	if (!rs_spans_enabled(c))
		return;
	if (rs_has(address))
		value = rs_s(hex(rs_u64(ev, address), text));
	rs_emit_span(c, kind, &(struct rs_span){ .task = ev->task, .start_ns = ev->ts_ns, .end_ns = ev->ts_ns,
						 .arg = rs_u64(ev, address), .values = &value });
}

static void on_user(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	faults_add(c, SPAN_USER, ev, f);
}

static void on_kernel(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	faults_add(c, SPAN_KERNEL, ev, f);
}

/* ---- by stack ---- */

/* The stack of a fault comes after it. */
static void faults_on_stack(struct rs_ctx *c, const struct rs_event_stack *ev)
{
	const char *system = NULL, *name = ev->task ? rs_event_name(c, ev->id, &system) : NULL;
	struct faults_row *row;

	if (!name || strcmp(system, "exceptions") != 0)
		return;
	row = rs_store_row_of_stack(c, STORE_BY_STACK, ev->task, 0, 0, ev->stack);
	if (!row)
		return;
	row->unknown.yes = true;
	++*(strcmp(name, "page_fault_kernel") ? &row->user : &row->kernel);
}

static uint64_t faults_less(uint64_t all, uint64_t part)
{
	/* of the last one in an interval, its stack may come in the next one */
	return all > part ? all - part : 0;
}

/* Under --by stack: those that have one are rows of their own. */
static void faults_leave_out_stacks(struct rs_ctx *c, const struct rs_task *t, struct faults_row *row)
{
	const struct faults_row *of = NULL;
	uint64_t key;

	while ((of = t ? rs_store_next_of(c, STORE_BY_STACK, t, (void *)(uintptr_t)of, &key) :
		    rs_store_next(c, STORE_BY_STACK, (void *)(uintptr_t)of))) {
		row->user = faults_less(row->user, of->user);
		row->kernel = faults_less(row->kernel, of->kernel);
	}
}

/* ---- major faults: what /proc counts of the task, live ---- */

/* Known where /proc counts this task: not of one that is evicted, nor where the count is another task's. */
static void faults_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row)
{
	const struct task_faults *d = t ? rs_task_data(c, t) : NULL;
	struct faults_row *r = row;
	uint64_t major;

	if (q && rs_query_is_by(q, "stack"))
		faults_leave_out_stacks(c, t, r);
	if (!t)
		return;
	r->unknown.yes = !q || d->major_lost || !rs_major_faults(c, t, &major) || major < d->major_before;
	r->major = r->unknown.yes ? 0 : major - d->major_before;
}

static void faults_reset(struct rs_ctx *c)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct task_faults *d = rs_task_data(c, t);

		d->major_lost |= !rs_major_faults(c, t, &d->major_before);
	}
}

static struct rs_value faults_show_major(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct faults_row *row = g->row;

	return rs_u_if(!row->unknown.yes, row->major);
}

#define FAULTS_SUM(member) .measure_bytes = offsetof(struct faults_row, member), .aspect = RS_VALUE

static const struct rs_measure measures[] = {
	RS_MEASURE_SUMS(struct faults_row, user, major),
	{ RS_MEASURE_OTHER, offsetof(struct faults_row, unknown), faults_merge_unknown,
	  sizeof(struct faults_unknown) },
	{ 0 },
};

static const struct rs_store stores[] = {
	[STORE_BY_TASK] = { .row_bytes = sizeof(struct faults_row), .in_task = true,
			    .complete = faults_complete, .measures = measures,
			    .by_stack = &stores[STORE_BY_STACK] },
	[STORE_BY_STACK] = { .row_bytes = sizeof(struct faults_row), .of_tasks = true, .max_rows = 1 << 16,
			     .measures = measures },
	{ 0 },
};

/* ---- what is wrong ---- */

/*
 * A program that starts faults in thousands of pages, once. One that goes on maps and unmaps the same memory.
 */
static const struct rs_rule rules[] = {
	{ "fault-storm", "a process takes very many page faults", 8000000, "/s", "takes",
	  "keep memory mapped, or use large pages",
	  .says = { "{rate} page faults a second",
		    "it touches fresh memory, or copies what a fork shares, over and over" },
	  .view = "faults", .where = "pid == {pid}",
	  .found =
		"The page faults of each process are counted: at least {least}, of a process whose "
		"busiest thread runs for half of the time; far more of any other.",
	  .wrong =
		"A program that starts, or fills a large cache once, faults as often for a moment: look "
		"at a later interval. What a fault costs is assumed, not measured." },
	{ 0 },
};

#define FAULT_NS 1000 /* what a fault costs at least */
#define FAULTS_LEAST_BESIDE \
	15000000 /* as the rule's, of a process that runs for less than half of the time: it does not wait \
		    for them */

/*
 * Is the busiest thread of all processes of that name one of this process? Who forks to save its memory has
 * children of its name that sleep.
 */
static bool faults_is_busiest(struct rs_ctx *c, const struct rs_group *g, uint64_t least_ns)
{
	const struct rs_task *busiest = NULL;

	for (const struct rs_task *t = rs_task_next(c, NULL); t;
	     t = rs_task_next(c, (struct rs_task *)(uintptr_t)t))
		if ((!busiest || rs_task_run_ns(c, t) > rs_task_run_ns(c, busiest)) &&
		    !strcmp(rs_task_process_comm(c, t), g->comm))
			busiest = t;
	return busiest && busiest->pid == g->pid && rs_task_run_ns(c, busiest) >= least_ns;
}

static bool faults_are_enough(struct rs_ctx *c, const struct rs_group *g, uint64_t rate, uint64_t interval_ns)
{
	return rate >= FAULTS_LEAST_BESIDE ||
	       (rate >= rules->threshold && faults_is_busiest(c, g, interval_ns / 2));
}

static void faults_judge(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct faults_row *row = g->row;
	uint64_t rate = rs_milli((row->user + row->kernel) * 1000000000, interval_ns, 1).u;

	if (!g->comm[0] || !faults_are_enough(c, g, rate, interval_ns))
		return;
	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .slots = RS_LIST(rs_slot, { "rate", RS_SLOT_NUMBER, rs_u(rate / 1000) }),
		.cost_ns = (row->user + row->kernel) * FAULT_NS, .victim = g->comm, .victim_pid = g->pid,
		.culprit = g->comm, .culprit_pid = g->pid, .names_code = true, .measured = rate,
	});
}

static void faults_put_findings(struct rs_ctx *c)
{
	rs_store_for_each_group(c, 0, faults_judge);
}

const struct rs_analysis rs_analysis_faults = {
	.abi = RS_ABI,
	.name = "faults",
	.summary = "who touches memory that is not there yet",
	.requirements = RS_LIST(
		rs_requirement,
		{ "exceptions", "page_fault_user", RS_REQUIRED, RS_BY_TASK, on_user, { "?address" } },
		{ "exceptions", "page_fault_kernel", RS_REQUIRED, RS_BY_TASK, on_kernel, { "?address" } }),
	.views = RS_LIST(
		rs_view,
		{ .name = "faults", .topic = RS_TOPIC_MEMORY,
		  .summary = "page faults of each task",
		  .kind = RS_VIEW_TABLE,
		  .sort = "-user",
		  .options = "by",
		  .store = stores,
		  .by = "pid,tid",
		  .columns = RS_LIST(rs_column, RS_GROUP_BY_COLUMNS,
				     { "user", "USER", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
				       "page faults of its own code", FAULTS_SUM(user) },
				     { "kernel", "KERNEL", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
				       "page faults of the kernel, at work for it", FAULTS_SUM(kernel) },
				     { "major", "MAJOR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
				       "faults that waited for a disk, by the task's books; null in a "
				       "recording, and of a task that has gone",
				       .cell = faults_show_major },
				     RS_BY_STACK_COLUMN(rs_show_stack)) }),
	/* No label of its own: what differs from one to the next would give each a colour of its own. */
	.spans = RS_LIST(rs_span_kind,
			 [SPAN_USER] = { .name = "fault",
					 .track = RS_TRACK_TASK,
					 .shape = RS_SPAN_INSTANT,
					 .columns = span_columns,
					 .rate = "faults",
					 .many = true },
			 [SPAN_KERNEL] = { .name = "kernel-fault",
					   .track = RS_TRACK_TASK,
					   .shape = RS_SPAN_INSTANT,
					   .columns = span_columns,
					   .rate = "faults",
					   .many = true }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_STACK, .stack = faults_on_stack }),
	.uses_stacks = true,
	.findings_require_states = true,
	.stores = stores,
	.samples = RS_SAMPLE_TASKS,
	.task_size = sizeof(struct task_faults),
	.reset = faults_reset,
	.rules = rules,
	.findings = faults_put_findings,
};
