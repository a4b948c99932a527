// SPDX-License-Identifier: GPL-2.0-or-later
/* process-program - the program that a process interprets, as a number */
#include "engine/process-program.h"

#include "engine/internal.h"
#include "model/short-args.h"

static uint32_t program_find(struct rs_ctx *c, int32_t pid, const char *comm, bool *is_known)
{
	const char *args = rs_process_cmdline(c, pid, comm);

	*is_known = args;
	return args ? rs_short_args_program(args) : 0;
}

uint32_t rs_process_program(struct rs_ctx *c, int32_t pid)
{
	struct rs_task_instance *inst = pid > 0 ? rs_tasks_find(&c->session->tasks, pid) : NULL;
	const char *comm;
	bool is_known;

	if (inst && inst->task.pid && inst->task.pid != pid) {
		pid = inst->task.pid;
		inst = rs_tasks_find(&c->session->tasks, pid);
	}
	comm = inst ? inst->task.comm : pid > 0 ? rs_api_process_comm(c, pid) : NULL;
	if (!comm || !rs_short_args_interprets(comm))
		return 0;
	if (!inst)
		return program_find(c, pid, comm, &is_known);
	if (!inst->knows_interpreted)
		inst->interpreted = program_find(c, pid, comm, &inst->knows_interpreted);
	return inst->interpreted;
}

uint32_t rs_process_program_of_task(struct rs_ctx *c, const struct rs_task *t)
{
	return rs_process_program(c, t->pid ? t->pid : t->tid);
}

uint32_t rs_process_program_of_name(struct rs_ctx *c, const struct rs_task_name *n)
{
	int32_t pid = rs_task_name_pid(n);

	return rs_process_program(c, pid ? pid : n->tid);
}
