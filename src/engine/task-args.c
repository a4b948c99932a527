// SPDX-License-Identifier: GPL-2.0-or-later
/* task-args - the command line of a task's process, and the program that it runs */
#include <string.h>

#include "base/buf.h"
#include "engine/internal.h"
#include "engine/task-args.h"
#include "engine/task-table.h"

#define TASK_ARGS_ANCESTORS 8

/* The first thread of t's process, as far as it is known. */
static const struct rs_task_instance *task_args_first(const struct rs_session *s, const struct rs_task *t)
{
	const struct rs_task_instance *first =
		t->pid && t->pid != t->tid ? rs_tasks_find(&s->tasks, t->pid) : NULL;

	return first && first->task.pid == t->pid ? first : rs_task_instance_of(t);
}

/* Since its last exec: what was read before is of another program. */
static struct rs_process task_args_process(struct rs_ctx *c, const struct rs_task *t)
{
	const struct rs_task_instance *first = task_args_first(c->session, t);
	const struct rs_task *of = &first->task;

	return (struct rs_process){
		.pid = t->pid, .comm = rs_task_process_comm(c, t),
		.from_ns = first->program_ns > of->birth_ns ? first->program_ns : of->birth_ns,
		.to_ns = of->exited && of->tid == t->pid ? of->last_ns : 0,
	};
}

/* A process that ran no program since its fork has the command line of its parent. */
static const struct rs_task *task_args_parent(const struct rs_session *s, const struct rs_task *t)
{
	const struct rs_task_instance *first = task_args_first(s, t), *parent;

	if (first->program_ns || !first->task.birth_ns || first->task.ppid <= 0)
		return NULL;
	parent = rs_tasks_find(&s->tasks, first->task.ppid);
	return parent && !strcmp(parent->task.comm, first->task.comm) ? &parent->task : NULL;
}

void rs_task_args_ask(struct rs_session *s, const struct rs_task_instance *inst)
{
	struct rs_source *source = s->source;
	const struct rs_process of = { .pid = inst->task.pid, .comm = inst->task.comm,
				       .from_ns = inst->program_ns };

	if (source->ops->args && inst->task.pid == inst->task.tid && !inst->task.kernel_thread)
		source->ops->args(source, &of, NULL, 0);
}

size_t rs_task_args(struct rs_ctx *c, const struct rs_task *t, bool at_once, char *buf, size_t size_bytes)
{
	struct rs_source *source = c->session->source;
	const struct rs_task *of = t;
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; of && of->pid && !of->kernel_thread && !len && i < TASK_ARGS_ANCESTORS;
	     i++) {
		const struct rs_process process = task_args_process(c, of);

		len = rs_process_args_get(source->info.args, &process, buf, size_bytes);
		if (!len && !i && source->ops->args && !process.to_ns)
			len = source->ops->args(source, &process, at_once ? buf : NULL, size_bytes);
		of = task_args_parent(c->session, of);
	}
	return len;
}

const char *rs_task_cmdline(struct rs_ctx *c, const struct rs_task *t)
{
	char *text = c->session->texts.args;

	return t && rs_task_args(c, t, false, text, RS_PROCESS_ARGS_BYTES) ? text : NULL;
}

const char *rs_process_cmdline(struct rs_ctx *c, int32_t pid, const char *comm)
{
	const struct rs_task_instance *first = rs_tasks_find(&c->session->tasks, pid);
	struct rs_source *source = c->session->source;
	const struct rs_process of = { .pid = pid, .comm = comm };
	char *text = c->session->texts.args;

	if (first && first->task.pid == pid)
		return rs_task_cmdline(c, &first->task);
	if (pid > 0 && rs_process_args_get(source->info.args, &of, text, RS_PROCESS_ARGS_BYTES))
		return text;
	if (pid > 0 && source->ops->args)
		source->ops->args(source, &of, NULL, 0);
	return NULL;
}

size_t rs_task_program(struct rs_ctx *c, const struct rs_task *t, char *buf, size_t size_bytes)
{
	const struct rs_task *first = t->pid && t->pid != t->tid ? rs_task_find(c, t->pid) : t;
	const char *program = first ? rs_task_instance_of(first)->program : NULL;
	const char *args = program ? NULL : rs_task_cmdline(c, t);
	size_t len = 0;

	if (program)
		len = strlen(program);
	else if (args && strchr(args, '/') && strchr(args, '/') < args + strcspn(args, " "))
		len = strcspn(args, " ");
	if (len >= size_bytes)
		len = 0;
	memcpy(buf, program ? program : args ? args : "", len);
	buf[len] = '\0';
	return len;
}
