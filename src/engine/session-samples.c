// SPDX-License-Identifier: GPL-2.0-or-later
/* session-samples - samples of /proc, live, beside the events: see ringside/sample.h */
#include "engine/internal.h"

#include <stdlib.h>

unsigned int rs_session_samples(const struct rs_session_config *config)
{
	unsigned int samples = 0;

	for (unsigned int i = 0; i < config->nr_analyses; i++)
		samples |= config->analyses[i]->samples;
	return samples;
}

void rs_session_sample(struct rs_session *s)
{
	s->sample = s->source->ops->sample ? s->source->ops->sample(s->source) : NULL;
}

static int samples_compare_tid(const void *key, const void *row)
{
	int32_t tid = *(const int32_t *)key, other = ((const struct rs_initial_task *)row)->tid;

	return (tid > other) - (tid < other);
}

/* The row of this task instance, not of another one with its tid. */
static const struct rs_initial_task *samples_find_row(const struct rs_session *s, const struct rs_task *t)
{
	const struct rs_proc_sample *sample = s->sample;
	const struct rs_initial_task *row = NULL;

	if (sample && sample->nr_tasks)
		row = bsearch(&t->tid, sample->tasks, sample->nr_tasks, sizeof *row, samples_compare_tid);
	if (!row || !row->stat_known || rs_tasks_find(&s->tasks, t->tid) != rs_task_instance_of(t))
		return NULL;
	return row->ts_ns && row->ts_ns < t->birth_ns ? NULL : row;
}

bool rs_major_faults(const struct rs_ctx *c, const struct rs_task *t, uint64_t *nr)
{
	const struct rs_initial_task *now = samples_find_row(c->session, t), *begin;
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
