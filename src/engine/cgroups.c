// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups - the control group of a task: as /proc or the recording's trailer had it, its parent's at the fork, and from then
 * on as cgroup_attach_task moves it. A child that clone3 put into another group (CLONE_INTO_CGROUP) fires no event
 */
#include "engine/internal.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/vector.h"

#define CGROUPS_MAX_PATHS 8192u
#define CGROUPS_MAX_MOVES 4096u /* of whole processes: each looks at all tasks */

bool rs_cgroups_match(const char *glob, const char *path)
{
	if (!path)
		return false;
	if (!fnmatch(glob, path, FNM_LEADING_DIR))
		return true;
	/* "ssh.service" is that group wherever it is, and the groups below it */
	for (const char *at = strchr(path, '/'); at && !strchr(glob, '/'); at = strchr(at + 1, '/'))
		if (!fnmatch(glob, at + 1, FNM_LEADING_DIR))
			return true;
	return false;
}

static const char *cgroups_intern(struct rs_cgroups *groups, const char *path)
{
	char **copy;

	for (size_t i = groups->nr; i--;)
		if (!strcmp(groups->paths[i], path))
			return groups->paths[i];
	copy = groups->nr < CGROUPS_MAX_PATHS ? RS_VECTOR_ADD(&groups->paths, &groups->nr, &groups->room) : NULL;
	if (!copy)
		return NULL;
	*copy = strdup(path);
	if (!*copy)
		groups->nr--;
	return *copy;
}

static void cgroups_set(struct rs_session *s, struct rs_task_instance *inst, const char *path)
{
	inst->task.cgroup = path;
	rs_session_select(s, inst);
}

/* Whoever writes a process to cgroup.procs moves all of its threads, and the event names its first one. */
void rs_cgroups_move(struct rs_session *s, int32_t tid, const char *path, uint64_t ts_ns)
{
	struct rs_task_instance *moved = rs_tasks_get(&s->tasks, tid, ts_ns);
	const char *copy = moved ? cgroups_intern(&s->cgroups, path) : NULL;

	if (!moved)
		return;
	cgroups_set(s, moved, copy);
	if (moved->task.pid != tid || s->cgroups.nr_moves++ >= CGROUPS_MAX_MOVES)
		return;
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst->task.pid == tid && !inst->task.exited)
			cgroups_set(s, inst, copy);
}

void rs_cgroups_done(struct rs_session *s)
{
	for (size_t i = 0; i < s->cgroups.nr; i++)
		free(s->cgroups.paths[i]);
	free(s->cgroups.paths);
}
