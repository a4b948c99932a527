// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * initial-tasks - tasks that were there before the capture began: no event tells of them, until one does
 *
 * /proc said what they were in while we were root. The first event about such a task, or in its context, makes it a
 * life like others: from then on the engine knows what it is in, or that nobody knows.
 */
#include <stdlib.h>

#include "engine/internal.h"

int rs_initial_tasks_init(struct rs_session *s)
{
	size_t room = 0;

	free(s->unseen);
	s->nr_unseen = 0;
	for (size_t i = 0; i < s->nr_initial; i++)
		room += s->snapshot[i]->letter != 0;
	s->unseen = calloc(room + 1, sizeof *s->unseen);
	for (size_t i = 0; s->unseen && i < s->nr_initial; i++)
		if (s->snapshot[i]->letter)
			s->unseen[s->nr_unseen++].initial = s->snapshot[i];
	return s->unseen ? 0 : -1;
}

void rs_initial_tasks_seen(struct rs_session *s, int32_t tid)
{
	size_t lo = 0, hi = s->nr_unseen;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->unseen[mid].initial->tid < tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->nr_unseen && s->unseen[lo].initial->tid == tid; lo++)
		s->unseen[lo].seen = true;
}

static bool unseen_is_selected(struct rs_session *s, const struct rs_initial_task *initial)
{
	struct rs_task_instance inst = { .task = { .tid = initial->tid, .pid = initial->pid,
						   .self = initial->self } };

	memcpy(inst.task.comm, initial->comm, sizeof inst.task.comm);
	rs_session_select(s, &inst);
	return inst.task.selected;
}

/* The call that the task was in, with its table; -1: none, or not known. */
static int64_t unseen_call(const struct rs_initial_task *initial)
{
	int64_t nr = initial->wait ? initial->wait->syscall : -1;

	return nr >= 0 && initial->abi == RS_ABI_COMPAT ? nr | RS_CALL_COMPAT : nr;
}

bool rs_unseen_next(const struct rs_ctx *c, size_t *at, struct rs_unseen *unseen)
{
	struct rs_session *s = c->session;

	while (s->states.on && *at < s->nr_unseen) {
		const struct rs_unseen_task *known = &s->unseen[(*at)++];
		const struct rs_initial_task *initial = known->initial;
		const struct rs_initial_wait *w = initial->wait;
		uint64_t seen_ns = initial->ts_ns ? initial->ts_ns : s->begin_ns;

		if (known->seen || !unseen_is_selected(s, initial))
			continue;
		*unseen = (struct rs_unseen){
			.tid = initial->tid, .pid = initial->pid, .comm = initial->comm, .cgroup = initial->cgroup, .letter = initial->letter,
			.kernel_thread = initial->kernel_thread, .named = w && w->named, .syscall = unseen_call(initial),
			.args = w && w->syscall >= 0 ? w->args : NULL, .wchan = w && w->wchan[0] ? w->wchan : NULL,
			.terminal = w && w->terminal,
			.seen_ns = seen_ns, .uncertain = rs_gaps_hit(&s->states.gaps, seen_ns, s->now_ns),
		};
		return true;
	}
	return false;
}
