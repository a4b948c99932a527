// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups - the control group of a task: as /proc or the recording's trailer had it, its parent's at the
 * fork, and from then on as cgroup_attach_task moves it. A child that clone3 put into another group
 * (CLONE_INTO_CGROUP) fires no event
 */
#include "engine/cgroups/cgroups.h"

#include "engine/internal.h"
#include "engine/observer.h"
#include "engine/session-select.h"
#include "engine/task-table.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

#define CGROUPS_MAX_PATHS 8192u
#define CGROUPS_MAX_MOVES 4096u /* of whole processes: each looks at all tasks */

bool rs_cgroups_match(const struct rs_session *s, const char *glob, const char *path)
{
	char unit[RS_CELL_TEXT_BYTES];

	if (!path)
		return false;
	if (!fnmatch(glob, path, FNM_LEADING_DIR))
		return true;
	/* "ssh.service" is that group wherever it is, and the groups below it */
	for (const char *at = strchr(path, '/'); at && !strchr(glob, '/'); at = strchr(at + 1, '/'))
		if (!fnmatch(glob, at + 1, FNM_LEADING_DIR))
			return true;
	rs_cgroup_unit_of(s, path, unit, sizeof unit); /* "docker 3f2a1b4c5d6e" */
	return !fnmatch(glob, unit, 0);
}

bool rs_cgroup_is_shown(const struct rs_ctx *c, const char *path)
{
	const char *glob = c->session->config.selection.cgroup_glob;

	return !glob || rs_cgroups_match(c->session, glob, path);
}

static const char *cgroups_intern(struct rs_cgroups *groups, const char *path)
{
	char **copy;

	for (size_t i = groups->nr; i--;)
		if (!strcmp(groups->paths[i], path))
			return groups->paths[i];
	copy = groups->nr < CGROUPS_MAX_PATHS ? RS_VECTOR_ADD(&groups->paths, &groups->nr, &groups->room) :
						NULL;
	if (!copy)
		return NULL;
	*copy = strdup(path);
	if (!*copy)
		groups->nr--;
	return *copy;
}

/*
 * The unified hierarchy is 0. A number does not tell which controllers of version 1 a hierarchy has, so that
 * a move there leaves each one's path unknown, unless the task is there by all that is known.
 */
static void cgroups_set(struct rs_session *s, struct rs_task_instance *inst, uint64_t hierarchy,
			const char *path)
{
	struct rs_task *t = &inst->task;

	for (int i = 0; hierarchy && i < RS_NR_CGROUP_CONTROLLERS; i++) {
		const char *before = rs_task_cgroup(t, (enum rs_cgroup_controller)i);

		if (!before || strcmp(before, path) != 0)
			t->cgroup_of[i] = "";
	}
	if (hierarchy)
		return;
	t->cgroup = path;
	rs_session_select(s, inst);
}

/* Are all three controllers of version 2? Nothing was counted otherwise. */
static bool cgroups_are_unified(const struct rs_session *s)
{
	return s->source->info.cgroup_root || s->source->info.nr_cgroup_rows;
}

/* Whoever writes a process to cgroup.procs moves all of its threads, and the event names its first one. */
static void cgroups_move(struct rs_session *s, int32_t tid, uint64_t hierarchy, const char *path,
			 uint64_t ts_ns)
{
	struct rs_cgroups *groups = rs_cgroups_of(s);
	struct rs_task_instance *moved = hierarchy && cgroups_are_unified(s) ?
						 NULL :
						 rs_tasks_get(&s->tasks, tid, ts_ns);
	const char *copy = !moved || hierarchy ? path : cgroups_intern(groups, path);

	if (!moved)
		return;
	cgroups_set(s, moved, hierarchy, copy);
	if (moved->task.pid != tid || groups->nr_moves++ >= CGROUPS_MAX_MOVES)
		return;
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst != moved && inst->task.pid == tid && !inst->task.exited)
			cgroups_set(s, inst, hierarchy, copy);
}

/* ---- the observer ---- */

struct rs_cgroups *rs_cgroups_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_CGROUPS);
}

static int cgroups_begin(struct rs_session *s)
{
	struct rs_cgroups *groups = calloc(1, sizeof *groups);

	rs_observer_set(s, RS_OBSERVER_CGROUPS, groups);
	if (!groups)
		return -1;
	rs_container_names_begin(s);
	return 0;
}

static void cgroups_free(struct rs_session *s, void *state)
{
	struct rs_cgroups *groups = state;

	for (size_t i = 0; i < groups->nr; i++)
		free(groups->paths[i]);
	free(groups->paths);
	rs_cgroup_growth_done(&groups->growth);
	rs_container_names_done(&groups->containers);
	free(groups);
}

static void cgroups_sample(struct rs_session *s)
{
	rs_cgroup_growth_sample(s);
	rs_container_names_batch(s);
}

const struct rs_observer rs_observer_cgroups = {
	.name = "cgroups",
	.begin = cgroups_begin,
	.free = cgroups_free,
	.attach = cgroups_move,
	.sample = cgroups_sample,
	.batch_done = rs_container_names_batch,
	.reset = rs_cgroup_growth_reset,
};
