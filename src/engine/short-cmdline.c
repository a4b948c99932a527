// SPDX-License-Identifier: GPL-2.0-or-later
/* short-cmdline - a process told from others of its name, by a short form of its command line */
#include "engine/short-cmdline.h"

#include <string.h>

#include "engine/internal.h"
#include "engine/names.h"

/* Adds those of its name that an event named. */
static void short_cmdline_add_tasks(struct rs_ctx *c, int32_t pid, struct rs_short_args *args)
{
	for (struct rs_task *t = NULL; (t = rs_task_next(c, t));)
		if (t->pid && t->tid == t->pid && t->pid != pid && !t->kernel_thread &&
		    !strcmp(t->comm, args->comm))
			rs_short_args_add_other(args, rs_task_cmdline(c, t));
}

/* Adds those that slept all the time. */
static void short_cmdline_add_sleepers(struct rs_ctx *c, int32_t pid, struct rs_short_args *args)
{
	const struct rs_names *names = &c->session->names;

	for (size_t i = 0; i < names->nr_initial; i++) {
		const struct rs_initial_task *t = names->snapshot[i];

		if (!names->seen[i] && t->pid && t->tid == t->pid && t->pid != pid && !t->kernel_thread &&
		    !strcmp(t->comm, args->comm))
			rs_short_args_add_other(args, rs_process_cmdline(c, t->pid, t->comm));
	}
}

/* own: RS_PROCESS_ARGS_BYTES, which args refer to. False: its command line is not known. */
static bool short_cmdline_compare(struct rs_ctx *c, int32_t pid, const char *comm, char *own,
				  struct rs_short_args *args)
{
	const char *text = pid > 0 ? rs_process_cmdline(c, pid, comm) : NULL;

	if (!text)
		return false;
	rs_copy(own, RS_PROCESS_ARGS_BYTES, text);
	rs_short_args_begin(args, comm, own);
	short_cmdline_add_tasks(c, pid, args);
	short_cmdline_add_sleepers(c, pid, args);
	return true;
}

const char *rs_short_cmdline(struct rs_ctx *c, int32_t pid, const char *comm, char *buf, size_t size_bytes)
{
	char own[RS_PROCESS_ARGS_BYTES];
	struct rs_short_args args;

	return short_cmdline_compare(c, pid, comm, own, &args) ? rs_short_args_text(&args, buf, size_bytes) :
								 NULL;
}

const char *rs_short_cmdline_of_all(struct rs_ctx *c, int32_t pid, const char *comm, char *buf,
				    size_t size_bytes)
{
	char own[RS_PROCESS_ARGS_BYTES];
	struct rs_short_args args;

	return short_cmdline_compare(c, pid, comm, own, &args) ?
		       rs_short_args_of_program(&args, buf, size_bytes) :
		       NULL;
}

const char *rs_short_cmdline_lasting(const struct rs_session *s, int32_t pid, const char *comm, char *buf,
				     size_t size_bytes)
{
	struct rs_ctx *c = rs_part_ctx(s, RS_ENGINE_TASKS);
	const char *now = pid > 0 ? rs_api_process_comm(c, pid) : NULL, *args;

	args = now && !strcmp(now, comm) ? rs_process_cmdline(c, pid, comm) : NULL;
	return args ? rs_short_args_lasting(comm, args, buf, size_bytes) : NULL;
}
