// SPDX-License-Identifier: GPL-2.0-or-later
/* op-pressure - how much of its time a control group, or the machine, was held up, step by step */
#include "engine/timelines.h"
#include "ringside/sample.h"
#include "ringside/task.h"
#include "service/service.h"

#define OP_PRESSURE_STEPS 128u

static const struct {
	const char *name;
	enum rs_cgroup_count some, full;
} op_pressure_rows[] = {
	{ "cpu", RS_CGROUP_CPU_PRESSURE_NS, RS_CGROUP_CPU_FULL_NS },
	{ "memory", RS_CGROUP_MEMORY_PRESSURE_NS, RS_CGROUP_MEMORY_FULL_NS },
	{ "io", RS_CGROUP_IO_PRESSURE_NS, RS_CGROUP_IO_FULL_NS },
};

#define OP_PRESSURE_NR (sizeof op_pressure_rows / sizeof op_pressure_rows[0])

struct op_pressure {
	struct rs_wire_pressure_step steps[OP_PRESSURE_NR][OP_PRESSURE_STEPS];
	struct rs_wire_pressure of[OP_PRESSURE_NR];
	size_t nr;
};

/* Both are read at the same times; where one is not known at all of them, no step tells of it. */
static void op_pressure_fill_steps(const struct rs_ctx *c, const char *path, size_t row,
				   struct op_pressure *p)
{
	struct rs_pressure_step some[OP_PRESSURE_STEPS], full[OP_PRESSURE_STEPS];
	size_t nr = rs_cgroup_pressure_steps(c, path, op_pressure_rows[row].some, some, OP_PRESSURE_STEPS),
	       nr_full = rs_cgroup_pressure_steps(c, path, op_pressure_rows[row].full, full,
						  OP_PRESSURE_STEPS);

	for (size_t i = 0; i < nr; i++)
		p->steps[p->nr][i] = (struct rs_wire_pressure_step){
			some[i].from_ns, some[i].to_ns, some[i].ns,
			rs_u_if(nr_full == nr && full[i].from_ns == some[i].from_ns, full[i].ns) };
	p->of[p->nr] = (struct rs_wire_pressure){ op_pressure_rows[row].name, p->steps[p->nr], nr };
	p->nr += nr > 0;
}

static void op_pressure_fill(const struct rs_ctx *c, const char *path, struct op_pressure *p)
{
	p->nr = 0;
	for (size_t row = 0; row < OP_PRESSURE_NR; row++)
		op_pressure_fill_steps(c, path, row, p);
}

/* Of the group of the task, where its pressure was read; else of all of the machine. */
static int op_pressure_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_pressure_request *request = job->request;
	struct rs_ctx *c = rs_timelines_ctx(job->service->timelines);
	const struct rs_task *t = c && request->tid ? rs_task_find(c, request->tid) : NULL;
	const char *path = t && t->cgroup ? t->cgroup : "/";
	struct op_pressure p = { .nr = 0 };

	(void)err;
	if (c)
		op_pressure_fill(c, path, &p);
	if (c && !p.nr) {
		path = "/";
		op_pressure_fill(c, path, &p);
	}
	rs_message_put_members(&job->reply, &rs_pressure_reply_message, &(struct rs_pressure_reply){
		.cgroup = path, .pressures = p.of, .nr_pressures = p.nr });
	return 0;
}

const struct rs_op rs_op_pressure = { .name = "pressure", .run = op_pressure_run };
