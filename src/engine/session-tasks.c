// SPDX-License-Identifier: GPL-2.0-or-later
/* session-tasks - the tasks that a session knows, for another session that reads a part of the same */
#include <stdlib.h>

#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/names.h"
#include "engine/observer.h"
#include "engine/task-table.h"

/* The begin of the task instance; 0: before anything was seen of it. */
static uint64_t session_tasks_begin_of(const struct rs_task_instance *inst)
{
	return inst->task.birth_ns ? inst->task.birth_ns : inst->task.inst ? inst->task.first_ns : 0;
}

/*
 * With the time at which it was true: an instance that begins later does not use it. named_ns: when it had
 * that name: one that was created has that of its parent at first.
 */
static int session_tasks_add(struct rs_task_snapshot *snapshot, const struct rs_task *t, uint64_t ts_ns,
			     uint64_t named_ns)
{
	struct rs_initial_task *initial = rs_task_snapshot_add(snapshot);

	if (!initial)
		return -1;
	*initial = (struct rs_initial_task){
		.ts_ns = ts_ns, .tid = t->tid, .pid = t->pid, .ppid = t->ppid, .self = t->self,
		.kernel_thread = t->kernel_thread, .cgroup = t->cgroup, .abi = rs_task_instance_of(t)->abi,
		.start_ns = t->start_ns,
	};
	memcpy(initial->cgroup_of, t->cgroup_of, sizeof initial->cgroup_of);
	memcpy(initial->comm, rs_tasks_comm_at(rs_task_instance_of(t), named_ns), sizeof initial->comm);
	return 0;
}

/*
 * Adds a row of the source's own snapshot: a difference to it, from the begin of the capture, would not be
 * that of the range.
 */
static int session_tasks_add_unseen(struct rs_task_snapshot *snapshot, const struct rs_initial_task *known)
{
	struct rs_initial_task *initial = rs_task_snapshot_add(snapshot);

	if (!initial)
		return -1;
	*initial = *known;
	initial->stat_known = false;
	return 0;
}

/* Of a task whose first event came after the range: what was known of it then. NULL: it was seen before. */
static const struct rs_initial_task *session_tasks_find_unseen(const struct rs_session *s,
							       const struct rs_task *t, uint64_t to_ns)
{
	const struct rs_initial_task *initial = !t->inst && !t->birth_ns && t->first_ns > to_ns ?
							rs_names_add_initial(s, rs_task_instance_of(t)) :
							NULL;

	return initial && initial->letter ? initial : NULL; /* else it says less than the task */
}

/*
 * A task that has ended, and is not known any more: its name and its process, but nothing of its state, for
 * events that have expired may have changed that.
 */
static int session_tasks_add_ended(struct rs_task_snapshot *snapshot, const struct rs_initial_task *known)
{
	if (session_tasks_add_unseen(snapshot, known) < 0)
		return -1;
	snapshot->row[snapshot->nr - 1].letter = 0;
	snapshot->row[snapshot->nr - 1].wait = NULL;
	return 0;
}

/* Tasks that no event named: they may be the first threads of those that events name. */
static int session_tasks_add_all_unseen(const struct rs_session *s, struct rs_task_snapshot *living)
{
	const struct rs_names *names = &s->names;

	for (size_t i = 0; i < names->nr_initial; i++)
		if (!rs_tasks_find(&s->tasks, names->snapshot[i]->tid) &&
		    (names->seen[i] ? session_tasks_add_ended :
				      session_tasks_add_unseen)(living, names->snapshot[i]) < 0)
			return -1;
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
		const struct rs_initial_task *unseen = session_tasks_find_unseen(s, &inst->task, to_ns);

		if (unseen) {
			if (session_tasks_add_unseen(living, unseen) < 0)
				return -1;
			continue;
		}
		/* an instance that goes on is alive now, whenever it was seen last */
		if (begin_ns < from_ns && (!inst->task.exited || inst->task.last_ns >= from_ns) &&
		    session_tasks_add(living, &inst->task, from_ns, from_ns) < 0)
			return -1;
		if (created && begin_ns >= from_ns && begin_ns <= to_ns &&
		    session_tasks_add(created, &inst->task, begin_ns, to_ns) < 0)
			return -1;
	}
	return session_tasks_add_all_unseen(s, living);
}

void rs_session_expire_tasks(struct rs_session *s, uint64_t before_ns)
{
	rs_tasks_expire(&s->tasks, before_ns < s->now_ns ? before_ns : s->now_ns);
}

/* ---- samples of /proc, live, beside the events: see ringside/sample.h ---- */

unsigned int rs_session_samples(const struct rs_session_config *config)
{
	unsigned int samples = config->selection.cgroup_glob || config->names_cgroups ? RS_SAMPLE_CGROUPS : 0;

	for (unsigned int i = 0; i < config->nr_analyses; i++)
		samples |= config->analyses[i]->samples | rs_dispatch_requires_samples(config->analyses[i]) |
			   (config->names_code && config->analyses[i]->uses_samples ? RS_SAMPLE_STACKS : 0u);
	return samples;
}

const char *rs_session_stacks(const struct rs_session_config *config)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if (config->analyses[i]->requires_stacks)
			return config->analyses[i]->requires_stacks;
	return NULL;
}

void rs_session_sample(struct rs_session *s)
{
	s->sample = s->source->ops->sample ? s->source->ops->sample(s->source) : NULL;
	RS_OBSERVE(s->observers.sample, s);
}

static int session_tasks_compare_tid(const void *key, const void *row)
{
	int32_t tid = *(const int32_t *)key, other = ((const struct rs_initial_task *)row)->tid;

	return (tid > other) - (tid < other);
}

/* The row of this task instance, not of another one with its tid. */
static const struct rs_initial_task *session_tasks_find_sample(const struct rs_session *s,
							       const struct rs_task *t)
{
	const struct rs_proc_sample *sample = s->sample;
	const struct rs_initial_task *row = NULL;

	if (sample && sample->nr_tasks)
		row = bsearch(&t->tid, sample->tasks, sample->nr_tasks, sizeof *row,
			      session_tasks_compare_tid);
	if (!row || !row->stat_known || rs_tasks_find(&s->tasks, t->tid) != rs_task_instance_of(t))
		return NULL;
	return row->ts_ns && row->ts_ns < t->birth_ns ? NULL : row;
}

bool rs_major_faults(const struct rs_ctx *c, const struct rs_task *t, uint64_t *nr)
{
	const struct rs_initial_task *now = session_tasks_find_sample(c->session, t), *begin;
	uint64_t before = 0; /* of a task created during the capture */

	if (!now || rs_task_instance_of(t)->took_over)
		return false;
	if (!t->birth_ns) {
		begin = rs_names_add_initial(c->session, rs_task_instance_of(t));
		if (!begin || !begin->stat_known || begin->start_ticks != now->start_ticks)
			return false;
		before = begin->nr_major_faults;
	}
	if (now->nr_major_faults < before)
		return false;
	*nr = now->nr_major_faults - before;
	return true;
}

const struct rs_gauges *rs_gauges(const struct rs_ctx *c, bool at_begin)
{
	const struct rs_session *s = c->session;

	if (at_begin)
		return s->source->info.gauges;
	return s->sample ? &s->sample->gauges : NULL;
}
