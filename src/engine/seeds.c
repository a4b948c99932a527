// SPDX-License-Identifier: GPL-2.0-or-later
/* seeds - what a session knows of tasks, for another one that reads a part of the same again */
#include "engine/internal.h"

/* Since when the tid means this life; 0: longer than anything was seen of it. */
static uint64_t begin_of(const struct rs_life *life)
{
	return life->task.birth_ns ? life->task.birth_ns : life->task.life ? life->task.first_ns : 0;
}

/* The last sight of a life that goes on is now. */
static bool lived_at(const struct rs_life *life, uint64_t at_ns)
{
	return begin_of(life) < at_ns && (!life->task.exited || life->task.last_ns >= at_ns);
}

/* Stamped with the time as of which it holds: a life that begins later takes nothing from it. */
static int session_tasks_add(struct rs_seeds *seeds, const struct rs_task *t, uint64_t ts_ns)
{
	struct rs_seed *seed = rs_task_snapshot_add(seeds);

	if (!seed)
		return -1;
	*seed = (struct rs_seed){
		.ts_ns = ts_ns, .tid = t->tid, .pid = t->pid, .ppid = t->ppid, .self = t->self,
		.kernel_thread = t->kernel_thread, .cgroup = t->cgroup, .abi = rs_life_of(t)->abi,
	};
	memcpy(seed->comm, t->comm, sizeof seed->comm);
	return 0;
}

/* Of whom no event told anything: they may be the first threads of those of whom events do. */
static int add_unseen(const struct rs_session *s, struct rs_seeds *living)
{
	const struct rs_trace_info *info = &s->source->info;

	for (size_t i = 0; i < info->nr_seeds; i++) {
		const struct rs_seed *known = &info->seeds[i];
		struct rs_seed *seed;

		if (rs_tasks_find(&s->tasks, known->tid))
			continue;
		seed = rs_task_snapshot_add(living);
		if (!seed)
			return -1;
		*seed = *known;
		seed->books_known = false; /* of the begin of the capture: the difference would not be the stretch's */
	}
	return 0;
}

int rs_session_seeds(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns, struct rs_seeds *living,
		     struct rs_seeds *born)
{
	if (s->now_ns < from_ns)
		return 0;
	for (const struct rs_life *life = s->tasks.oldest; life; life = life->next) {
		uint64_t begin_ns = begin_of(life);

		if (lived_at(life, from_ns) && session_tasks_add(living, &life->task, from_ns) < 0)
			return -1;
		if (born && begin_ns >= from_ns && begin_ns <= to_ns &&
		    session_tasks_add(born, &life->task, begin_ns) < 0)
			return -1;
	}
	return add_unseen(s, living);
}
