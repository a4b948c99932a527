// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-sample - samples of /proc at the start of a live capture, during it, and at its end
 *
 * During the capture the consumer's thread takes the samples. The main thread takes the last one, when it has ended
 * tracing: the consumer may be behind by then. Each has its own buffer.
 */
#include <stdlib.h>

#include "base/pidns.h"
#include "source/live-reader.h"
#include "source/proc.h"

#define TASKS_SHARE 40 /* sampling all tasks takes at most 1/TASKS_SHARE of the time */

static const clockid_t *live_sample_clock_of(const struct rs_live *l)
{
	return l->has_clock ? &l->clock : NULL;
}

static void live_sample_read_tasks(struct rs_live *l, struct rs_live_sample *s)
{
	s->snapshot.nr = 0;
	/* /proc of another PID namespace has other PIDs */
	if (rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&s->snapshot, live_sample_clock_of(l), NULL, 0, NULL);
	if (s->snapshot.nr)
		qsort(s->snapshot.row, s->snapshot.nr, sizeof *s->snapshot.row, rs_task_snapshot_compare_tid);
	s->sample.tasks = s->snapshot.row;
	s->sample.nr_tasks = s->snapshot.nr;
}

static void take_gauges(struct rs_live *l, struct rs_live_sample *s)
{
	if (l->samples & RS_SAMPLE_GAUGES)
		rs_proc_gauges(&s->sample.gauges, "/proc", live_sample_clock_of(l));
}

/* Sampling ten thousand threads takes 200 ms of CPU time, too much for each second. */
static void take_tasks_sparingly(struct rs_live *l, struct rs_live_sample *s)
{
	uint64_t begin_ns = rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (!(l->samples & RS_SAMPLE_TASKS) || rs_trace_clock_ns(CLOCK_MONOTONIC) < l->tasks_due_ns)
		return;
	live_sample_read_tasks(l, s);
	l->tasks_due_ns = rs_trace_clock_ns(CLOCK_MONOTONIC) + TASKS_SHARE * (rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
}

void rs_live_first_sample(struct rs_live *l)
{
	if (!(l->samples & RS_SAMPLE_GAUGES))
		return; /* the initial task snapshot is the first sample of tasks */
	rs_proc_gauges(&l->gauges, "/proc", live_sample_clock_of(l));
	l->source.info.gauges = &l->gauges;
}

void rs_live_last_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples || atomic_load(&l->has_last))
		return;
	if (l->samples & RS_SAMPLE_TASKS)
		live_sample_read_tasks(l, &l->last);
	take_gauges(l, &l->last);
	atomic_store(&l->has_last, true);
}

const struct rs_proc_sample *rs_live_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples)
		return NULL;
	if (atomic_load(&l->has_last))
		return &l->last.sample;
	take_tasks_sparingly(l, &l->now);
	take_gauges(l, &l->now);
	return &l->now.sample;
}

void rs_live_samples_done(struct rs_live *l)
{
	rs_task_snapshot_done(&l->now.snapshot);
	rs_task_snapshot_done(&l->last.snapshot);
}
