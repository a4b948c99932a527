// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fd-names - the paths of files by the names that calls open them by, and the directories that these names
 * begin at
 *
 * A working directory is followed as a descriptor is: it is known from a look-up on, until a call of the
 * process may change it; fchdir makes it a duplicate, a fork copies it, an exec leaves it. Where it is known
 * later than the name, the path is made then.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/files/fd-paths-parts.h"
#include "engine/files/open-names.h"
#include "ringside/plugin.h"

void rs_fd_names_set(struct rs_fd_paths *p, const struct rs_task *t, const char *name)
{
	rs_open_names_set(&p->names, t->tid, name);
}

const char *rs_call_path(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_fd_paths *p = rs_fd_paths_of(c->session);

	return p && call->task ? rs_open_names_get(&p->names, call->task->tid) : NULL;
}

struct rs_fd_known *rs_fd_names_add_cwd(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns)
{
	struct rs_fd_known *k;

	if (pid <= 0 || *rs_fd_paths_in_flight(p, 0) || *rs_fd_paths_in_flight(p, pid))
		return NULL;
	k = rs_fd_known_query(p, pid, RS_FD_CWD, now_ns);
	k->survives = true;
	return k;
}

struct rs_fd_known *rs_fd_names_cwd(struct rs_fd_paths *p, const struct rs_task *t)
{
	struct rs_fd_known *k = t->pid ? rs_fd_known_find(p, t->pid, RS_FD_CWD) : NULL;

	if (k && rs_gaps_hit(p->gaps, k->since_ns, t->syscall_enter_ns)) {
		rs_fd_known_forget(p, k);
		k = NULL;
	}
	if (k)
		rs_fd_paths_touch(p, k, t->syscall_enter_ns);
	else if (rs_fd_paths_can_query(p, t))
		k = rs_fd_names_add_cwd(p, t->pid, t->syscall_enter_ns);
	return k;
}

static bool fd_names_shares_cwd(struct rs_fd_paths *p, const struct rs_task *t)
{
	const struct rs_task_instance *leader = t->pid ? rs_tasks_find(p->tasks, t->pid) : NULL;

	return leader && leader->shares_cwd;
}

/* What the name of the task's call begins at, the same since its begin; NULL: unknown. */
static struct rs_fd_known *fd_names_base(struct rs_fd_paths *p, const struct rs_task *t,
					 enum rs_fd_effect effect)
{
	int32_t dir = effect == RS_FD_OPENS_AT ? (int32_t)t->syscall_args[0] : AT_FDCWD;
	struct rs_fd_known *k = t->pid && (dir >= 0 || dir == AT_FDCWD) ?
					rs_fd_known_find(p, t->pid, dir >= 0 ? dir : RS_FD_CWD) :
					NULL;

	if (dir < 0 && fd_names_shares_cwd(p, t))
		return NULL;
	return k && !k->ended_ns && k->since_ns <= t->syscall_enter_ns &&
			       !rs_gaps_hit(p->gaps, k->since_ns, t->syscall_enter_ns) ?
		       k :
		       NULL;
}

void rs_fd_names_open(struct rs_fd_paths *p, struct rs_fd_known *k, const struct rs_task *t,
		      enum rs_fd_effect effect)
{
	const char *name = rs_open_names_get(&p->names, t->tid);
	struct rs_fd_known *base;
	char path[PATH_MAX];

	if ((effect != RS_FD_OPENS && effect != RS_FD_OPENS_AT) || !name)
		return;
	base = *name == '/' ? NULL : fd_names_base(p, t, effect);
	if (base && base->path && rs_file_ids_join(base->path, name, path, sizeof path))
		name = path;
	k->path = strdup(name);
	k->as_opened = k->path;
	k->read_ns = k->since_ns;
	if (base && !base->path && k->path) /* the suggestion of the name alone comes first */
		rs_file_ids_suggest_below(&p->ids, rs_fd_known_file(p, k), rs_fd_known_file(p, base), name);
}
