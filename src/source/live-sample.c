// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-sample - what /proc says of a live capture at its begin, in between, and at its end
 *
 * In between the consumer's thread reads; the last reading is the main thread's, who knows when tracing ends:
 * the consumer may be behind by then. Each has a store of its own.
 */
#include <stdlib.h>

#include "base/pidns.h"
#include "source/live-reader.h"
#include "source/proc-gauges.h"

static const clockid_t *clock_of(const struct rs_live *l)
{
	return l->has_clock ? &l->clock : NULL;
}

static int by_tid(const void *a, const void *b)
{
	const struct rs_seed *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void take(struct rs_live *l, struct rs_live_sample *s)
{
	s->seeds.nr = 0;
	/* /proc of another PID namespace has other numbers */
	if (l->samples & RS_SAMPLE_TASKS && rs_pidns() != RS_PIDNS_OTHER)
		rs_proc_seeds(&s->seeds, clock_of(l), NULL, 0, NULL);
	if (s->seeds.nr)
		qsort(s->seeds.row, s->seeds.nr, sizeof *s->seeds.row, by_tid);
	if (l->samples & RS_SAMPLE_GAUGES)
		rs_proc_gauges(&s->sample.gauges, "/proc", clock_of(l));
	s->sample.tasks = s->seeds.row;
	s->sample.nr_tasks = s->seeds.nr;
}

void rs_live_first_sample(struct rs_live *l)
{
	if (!(l->samples & RS_SAMPLE_GAUGES))
		return; /* of the tasks the seeds are the first */
	rs_proc_gauges(&l->gauges, "/proc", clock_of(l));
	l->source.info.gauges = &l->gauges;
}

void rs_live_last_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples || atomic_load(&l->has_last))
		return;
	take(l, &l->last);
	atomic_store(&l->has_last, true);
}

const struct rs_proc_sample *rs_live_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples)
		return NULL;
	if (atomic_load(&l->has_last))
		return &l->last.sample;
	take(l, &l->now);
	return &l->now.sample;
}

void rs_live_samples_done(struct rs_live *l)
{
	rs_seeds_done(&l->now.seeds);
	rs_seeds_done(&l->last.seeds);
}
