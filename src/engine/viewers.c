// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * viewers - the processes between ringside's numbers and the user: the one that draws, its shell, the
 * terminal
 */
#include "engine/viewers.h"

#include <string.h>

#include "engine/internal.h"
#include "engine/names.h"
#include "engine/task-table.h"

#define MAX_UP 32 /* a longer chain of parents is wrong: a recording may be hostile */

bool rs_viewers_has(const struct rs_viewers *v, int32_t pid)
{
	unsigned int nr = v && pid > 0 ? atomic_load_explicit(&v->nr, memory_order_acquire) : 0;

	for (unsigned int i = 0; i < nr; i++)
		if (v->pids[i] == pid)
			return true;
	return false;
}

static void viewers_put(struct rs_viewers *v, int32_t pid)
{
	unsigned int nr = atomic_load(&v->nr);

	if (nr == RS_MAX_VIEWERS || rs_viewers_has(v, pid))
		return;
	v->pids[nr] = pid;
	atomic_store_explicit(&v->nr, nr + 1, memory_order_release);
}

/* For a task that no event named the initial task snapshot has name and parent. False: not known. */
static bool viewers_find_process(struct rs_session *s, int32_t pid, int32_t *ppid, const char **comm)
{
	const struct rs_task_instance *inst = rs_tasks_find(&s->tasks, pid);
	const struct rs_initial_task *initial = inst ? NULL : rs_names_initial_task(s, pid);

	*ppid = inst ? inst->task.ppid : initial ? initial->ppid : 0;
	*comm = inst ? inst->task.comm : initial ? initial->comm : "";
	return inst || initial;
}

/*
 * Returns whether a terminal multiplexer is among them: the process that draws on the terminal has another
 * parent then.
 */
static bool viewers_add_chain(struct rs_viewers *v, struct rs_session *s, int32_t pid)
{
	bool multiplexed = false;
	const char *comm;
	int32_t ppid;

	for (int up = 0; pid > 1 && up < MAX_UP; up++, pid = ppid) {
		viewers_put(v, pid);
		if (!viewers_find_process(s, pid, &ppid, &comm))
			break;
		multiplexed |= !strncmp(comm, "tmux", 4);
	}
	return multiplexed;
}

static bool viewers_is_tmux_client(const char *comm)
{
	return !strncmp(comm, "tmux: client", 12);
}

void rs_viewers_add(struct rs_viewers *v, struct rs_session *s, int32_t pid)
{
	const struct rs_trace_info *info = &s->source->info;

	if (!viewers_add_chain(v, s, pid))
		return;
	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (viewers_is_tmux_client(inst->task.comm) && !inst->task.exited)
			viewers_add_chain(v, s, inst->task.pid);
	for (size_t i = 0; i < info->nr_initial; i++)
		if (viewers_is_tmux_client(info->snapshot[i].comm))
			viewers_add_chain(v, s, info->snapshot[i].tid);
}
