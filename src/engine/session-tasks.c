// SPDX-License-Identifier: GPL-2.0-or-later
/* session-tasks - the tasks that a session knows, for another session that reads a part of the same */
#include "engine/internal.h"

/* The begin of the task instance; 0: before anything was seen of it. */
static uint64_t session_tasks_begin_of(const struct rs_task_instance *inst)
{
	return inst->task.birth_ns ? inst->task.birth_ns : inst->task.inst ? inst->task.first_ns : 0;
}

/* An instance that goes on is alive now, whenever it was seen last. */
static bool session_tasks_lived_at(const struct rs_task_instance *inst, uint64_t at_ns)
{
	return session_tasks_begin_of(inst) < at_ns && (!inst->task.exited || inst->task.last_ns >= at_ns);
}

/* With the time at which it was true: an instance that begins later does not use it. */
static int session_tasks_add(struct rs_task_snapshot *snapshot, const struct rs_task *t, uint64_t ts_ns)
{
	struct rs_initial_task *initial = rs_task_snapshot_add(snapshot);

	if (!initial)
		return -1;
	*initial = (struct rs_initial_task){
		.ts_ns = ts_ns, .tid = t->tid, .pid = t->pid, .ppid = t->ppid, .self = t->self,
		.kernel_thread = t->kernel_thread, .cgroup = t->cgroup, .abi = rs_task_instance_of(t)->abi,
	};
	memcpy(initial->comm, t->comm, sizeof initial->comm);
	return 0;
}

/* Tasks that no event named: they may be the first threads of those that events name. */
static int session_tasks_add_unseen(const struct rs_session *s, struct rs_task_snapshot *living)
{
	const struct rs_trace_info *info = &s->source->info;

	for (size_t i = 0; i < info->nr_initial; i++) {
		const struct rs_initial_task *known = &info->snapshot[i];
		struct rs_initial_task *initial;

		if (rs_tasks_find(&s->tasks, known->tid))
			continue;
		initial = rs_task_snapshot_add(living);
		if (!initial)
			return -1;
		*initial = *known;
		initial->stat_known = false; /* from the begin of the capture: a difference to it would not be that of the range */
	}
	return 0;
}

int rs_session_initial_tasks(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
			     struct rs_task_snapshot *living,
			     struct rs_task_snapshot *created)
{
	if (s->now_ns < from_ns)
		return 0;
	for (const struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next) {
		uint64_t begin_ns = session_tasks_begin_of(inst);

		if (session_tasks_lived_at(inst, from_ns) && session_tasks_add(living, &inst->task, from_ns) < 0)
			return -1;
		if (created && begin_ns >= from_ns && begin_ns <= to_ns &&
		    session_tasks_add(created, &inst->task, begin_ns) < 0)
			return -1;
	}
	return session_tasks_add_unseen(s, living);
}
