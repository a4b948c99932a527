// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleepers - tasks that slept before the capture began: no event tells of them, until one does
 *
 * /proc said it while we were root. The first event about such a task, or in its context, makes it a life like
 * others: from then on the engine knows what it is in, or that nobody knows.
 */
#include <stdlib.h>

#include "engine/internal.h"

int rs_sleepers_init(struct rs_session *s)
{
	size_t room = 0;

	free(s->sleepers);
	s->nr_sleepers = 0;
	for (size_t i = 0; i < s->nr_seeds; i++)
		room += s->seeds[i]->wait != NULL;
	s->sleepers = calloc(room + 1, sizeof *s->sleepers);
	for (size_t i = 0; s->sleepers && i < s->nr_seeds; i++)
		if (s->seeds[i]->wait)
			s->sleepers[s->nr_sleepers++].seed = s->seeds[i];
	return s->sleepers ? 0 : -1;
}

void rs_sleepers_seen(struct rs_session *s, int32_t tid)
{
	for (size_t i = 0; i < s->nr_sleepers; i++)
		if (s->sleepers[i].seed->tid == tid)
			s->sleepers[i].gone = true;
}

static bool is_selected(struct rs_session *s, const struct rs_seed *seed)
{
	struct rs_life life = { .task = { .tid = seed->tid, .pid = seed->pid, .self = seed->self } };

	memcpy(life.task.comm, seed->comm, sizeof life.task.comm);
	rs_select(s, &life);
	return life.task.selected;
}

bool rs_asleep_next(const struct rs_ctx *c, size_t *at, struct rs_asleep *asleep)
{
	struct rs_session *s = c->session;

	while (s->states.on && *at < s->nr_sleepers) {
		const struct rs_sleeper *sleeper = &s->sleepers[(*at)++];
		const struct rs_seed *seed = sleeper->seed;
		const struct rs_seed_wait *w = seed->wait;
		uint64_t seen_ns = seed->ts_ns ? seed->ts_ns : s->begin_ns;

		if (sleeper->gone || rs_gaps_hit(&s->states.gaps, seen_ns, s->now_ns) || !is_selected(s, seed))
			continue;
		*asleep = (struct rs_asleep){
			.tid = seed->tid, .pid = seed->pid, .comm = seed->comm, .letter = w->letter, .syscall = w->syscall,
			.args = w->syscall >= 0 ? w->args : NULL, .wchan = w->wchan[0] ? w->wchan : NULL, .seen_ns = seen_ns,
		};
		return true;
	}
	return false;
}
