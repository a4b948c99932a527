// SPDX-License-Identifier: GPL-2.0-or-later
/* faults - page faults of each task: in its own code, in the kernel for it, and those that waited for a disk */
#include "ringside/group-by.h"

struct faults_counts {
	uint64_t user, kernel;
};

struct task_faults {
	struct faults_counts nr;
	uint64_t major_before;     /* -I: what earlier intervals have shown */
	bool major_lost;           /* that is not known, or the task's books are another's */
};

struct faults {
	struct faults_counts evicted_total;        /* of tasks that were evicted */
};

/* ---- faults as they happen ---- */

enum { SPAN_USER, SPAN_KERNEL };

static const struct rs_column span_columns[] = {
	{ "address", "ADDRESS", RS_TYPE_TEXT, 0, 0, 0, "what was touched" },
	{ 0 },
};

/* No label of its own: what differs from one to the next would give each a colour of its own. */
static const struct rs_span_kind spans[] = {
	[SPAN_USER] = { .name = "fault", .track = RS_TRACK_TASK, .shape = RS_SPAN_INSTANT, .columns = span_columns,
			.rate = "faults" },
	[SPAN_KERNEL] = { .name = "kernel-fault", .track = RS_TRACK_TASK, .shape = RS_SPAN_INSTANT, .columns = span_columns,
			  .rate = "faults" },
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

static void faults_emit_span(struct rs_ctx *c, unsigned int kind, const struct rs_event *ev, const struct rs_field *address)
{
	uint64_t at = rs_u64(ev, address);
	char text[19];
	struct rs_value value = rs_has(address) ? rs_s(hex(at, text)) : rs_null();

	rs_emit_span(c, kind, &(struct rs_span){ .task = ev->task, .start_ns = ev->ts_ns, .end_ns = ev->ts_ns, .arg = at,
					   .values = &value });
}

static void on_user(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct task_faults *d = ev->task ? rs_task_data(c, ev->task) : NULL;

	if (!d)
		return;
	d->nr.user++;
	if (rs_spans_enabled(c))
		faults_emit_span(c, SPAN_USER, ev, f);
}

static void on_kernel(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct task_faults *d = ev->task ? rs_task_data(c, ev->task) : NULL;

	if (!d)
		return;
	d->nr.kernel++;
	if (rs_spans_enabled(c))
		faults_emit_span(c, SPAN_KERNEL, ev, f);
}

static const struct rs_requirement requirements[] = {
	{ "exceptions", "page_fault_user", RS_REQUIRED, RS_BY_TASK, on_user, { "?address" } },
	{ "exceptions", "page_fault_kernel", RS_REQUIRED, RS_BY_TASK, on_kernel, { "?address" } },
	{ 0 },
};

enum { COMM, PID, TID, USER, KERNEL, MAJOR, NR_COLUMNS };

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	[USER] = { "user", "USER", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10, "page faults of its own code" },
	[KERNEL] = { "kernel", "KERNEL", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10, "page faults of the kernel, at work for it" },
	[MAJOR] = { "major", "MAJOR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
		    "faults that waited for a disk, by the task's books; null in a recording, and of a task that has gone" },
	{ 0 },
};

struct faults_group {
	struct rs_group_task task_of_group;       /* first */
	struct faults_counts nr;
	uint64_t major;
	bool major_unknown;
};

static bool major_of(struct rs_ctx *c, const struct rs_task *t, uint64_t *nr)
{
	const struct task_faults *d = rs_task_data(c, t);

	if (d->major_lost || !rs_major_faults(c, t, nr) || *nr < d->major_before)
		return false;
	*nr -= d->major_before;
	return true;
}

/* A task that did not fault, as far as anybody knows, is no row. */
static void faults_merge_groups(struct rs_ctx *c, struct rs_groups *groups, const struct rs_group_by *by,
				struct rs_task *t,
				const struct faults_counts *nr)
{
	uint64_t major = 0;
	bool known = t && major_of(c, t, &major);
	struct faults_group *g;

	if (!nr->user && !nr->kernel && !major)
		return;
	g = rs_group_by_find(by, c, groups, t);
	if (!g)
		return;
	g->nr.user += nr->user;
	g->nr.kernel += nr->kernel;
	g->major += major;
	g->major_unknown |= !known;
}

static void faults_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct rs_group_by by = rs_group_by_of(q, (struct rs_group_by){ .pid = true, .tid = true });
	struct rs_groups *groups = rs_groups_new(sizeof(struct faults_group));
	const struct faults *s = c->state;

	if (!groups)
		return;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_shown(c, t))
			faults_merge_groups(c, groups, &by, t,
					    &((struct task_faults *)rs_task_data(c, t))->nr);
	faults_merge_groups(c, groups, &by, NULL, &s->evicted_total);
	for (struct faults_group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		struct rs_value v[NR_COLUMNS];

		rs_group_by_values(&by, &g->task_of_group, v);
		v[USER] = rs_u(g->nr.user);
		v[KERNEL] = rs_u(g->nr.kernel);
		v[MAJOR] = rs_u_if(!g->major_unknown, g->major);
		out->row(out, v);
	}
	rs_groups_free(groups);
}

static void faults_add(struct faults_counts *to, const struct faults_counts *from)
{
	to->user += from->user;
	to->kernel += from->kernel;
}

/* The thread that execs goes on under its leader's tid: the books there are its own now, not the leader's. */
static void faults_reassign(struct rs_ctx *c, struct rs_task *from, struct rs_task *to)
{
	struct task_faults *f = rs_task_data(c, from), *t = rs_task_data(c, to);

	faults_add(&t->nr, &f->nr);
	t->major_lost = true;
	memset(f, 0, sizeof *f);
}

static void faults_on_evict(struct rs_ctx *c, struct rs_task *t)
{
	struct faults *s = c->state;

	if (rs_shown(c, t))
		faults_add(&s->evicted_total, &((struct task_faults *)rs_task_data(c, t))->nr);
}

static void faults_reset(struct rs_ctx *c)
{
	struct faults *s = c->state;

	s->evicted_total = (struct faults_counts){ 0 };
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct task_faults *d = rs_task_data(c, t);

		d->nr = (struct faults_counts){ 0 };
		d->major_lost |= !rs_major_faults(c, t, &d->major_before);
	}
}

static const struct rs_view views[] = {
	{ .name = "faults", .summary = "page faults of each task", .kind = RS_VIEW_TABLE, .columns = columns,
	  .sort = "-user", .options = "by", .rows = faults_put_rows },
	{ 0 },
};

const struct rs_analysis rs_analysis_faults = {
	.abi = RS_ABI,
	.name = "faults",
	.summary = "who touches memory that is not there yet",
	.requirements = requirements,
	.views = views,
	.spans = spans,
	.samples = RS_SAMPLE_TASKS,
	.state_size = sizeof(struct faults),
	.task_size = sizeof(struct task_faults),
	.task_reassign = faults_reassign,
	.task_evict = faults_on_evict,
	.reset = faults_reset,
};
