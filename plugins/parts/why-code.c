// SPDX-License-Identifier: GPL-2.0-or-later
/* why-code.c - see why-code.h */
#include "plugins/parts/why-code.h"

#include <stdio.h>
#include <string.h>

#include "plugins/parts/why-keys.h"

struct why_code_runners {
	struct rs_ctx *c;
	const struct rs_group *group;
};

/* Is the thread one of the row's? */
static bool why_code_is_runner(void *arg, int32_t tid)
{
	const struct why_code_runners *runners = arg;
	const struct rs_group *g = runners->group;
	const struct rs_task *t = rs_task_find(runners->c, tid);

	if (!t || !rs_shown(runners->c, t))
		return false;
	if (rs_group_is_by(g, "tid"))
		return g->task && g->task->tid == tid;
	if (rs_group_is_by(g, "pid"))
		return t->pid == g->pid;
	return !rs_group_is_by(g, "comm") || !strcmp(t->comm, g->comm);
}

/* Of the time in one call no samples are known apart. */
static bool why_code_is_known(const struct rs_group *g)
{
	enum rs_oncpu_kind kind = rs_why_run_kind(g->keys[0]);

	return rs_why_is_run(rs_why_part(g->keys[0])) &&
	       (!rs_group_is_by(g, "type") || kind == RS_ONCPU_UNDIVIDED || kind == RS_ONCPU_USER);
}

struct rs_value rs_why_code(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct why_code_runners runners = { c, g };
	struct rs_hot_code code;
	struct rs_hot_code_asked asked = { .accepts = why_code_is_runner, .arg = &runners };
	size_t len;

	if (!rs_group_is_by(g, "part") || !why_code_is_known(g) || !rs_hot_code(c, &asked, &code))
		return rs_null();
	len = strlen(rs_hot_code_text(&code, buf, RS_CELL_TEXT_BYTES - 8));
	snprintf(buf + len, RS_CELL_TEXT_BYTES - len, " %u %%",
		 (unsigned int)((code.nr * 100 + code.nr_samples / 2) / code.nr_samples));
	return rs_s(buf);
}
