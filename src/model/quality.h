/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality.h - data quality: how reliable the numbers are
 *
 * Every output carries it: a footer in text, the _meta object in JSON. An unknown
 * count is reported as unknown, never as 0, and is never added to known ones.
 */
#ifndef RS_MODEL_QUALITY_H
#define RS_MODEL_QUALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/host-clock.h"

struct rs_quality {
	const char *version;         /* of ringside */
	/* name of the recording's machine, where there are several; NULL: there is one */
	const char *machine;
	/*
	 * how its clock differs from the one of these times, where it is one of several hosts; NULL: its own
	 * clock, or none that is compared
	 */
	const struct rs_host_clock *host_clock;
	const char *kernel;          /* "6.1.0-50-amd64", NULL unknown */
	const char *clock;           /* "boot", NULL unknown */
	const char *unit;            /* of all times and durations: see rs_quality_clock_unit */
	bool realtime_offset_known;
	int64_t realtime_offset_ns;  /* CLOCK_REALTIME minus the trace clock */
	const char *filters;         /* the user's filters, as typed; "" none */
	uint64_t events;             /* decoded */
	unsigned int nr_cpus;
	const uint64_t *lost_by_cpu; /* counted ones only */
	/* gaps whose number of lost events the kernel did not give; NULL: none */
	const uint64_t *uncounted_by_cpu;
	uint64_t gaps;               /* all gaps */
	uint64_t lost_to_ns;         /* when the last of them ended; 0: none */
	uint64_t gaps_uncounted;     /* gaps whose number of lost events the kernel did not give */
	uint64_t unmatched;            /* ends without a begin */
	uint64_t discarded;             /* pairs that a gap made uncertain */
	uint64_t inferred;           /* on-CPU slices whose start is a bound: a switch is missing */
	uint64_t in_flight;          /* a begin was seen, its end not yet */
	uint64_t evicted;            /* dropped because a table was full */
	uint64_t late;               /* live: events that arrived after the merge had passed their time */
	uint64_t bad_pages, bad_records; /* malformed, skipped */
	uint64_t from_ns, to_ns;     /* first and last event */
	uint64_t samples, samples_lost; /* of the CPUs; lost: records that the kernel had no room for */
	bool sampled;                /* false: no samples were requested */
	/* recorded with events; unmatched: with an event that is not in the trace, or is not known */
	uint64_t stacks, stacks_unmatched;
	/* live: of a wait's event with its stack, as it was measured; 0 unknown */
	uint64_t stack_cost_ns;
	const char *changed;         /* by another program: what, from when to when at most; NULL: nothing */
	/* live: ringside's own threads waited for a CPU for half of each such second, or more */
	uint64_t starved_ns;
	/* of several views: those without rows, "cpus,disks"; NULL: one view was requested */
	const char *nothing;
	uint64_t all_tasks;          /* 1: rows cover some tasks, the counts all events that were read */
	uint64_t no_wakings;         /* 1: no wakings were recorded, so only preempted waits are known */
};

/* True if events were lost on the CPU and the kernel counted none of its gaps. */
static inline bool rs_quality_lost_unknown(const struct rs_quality *t, unsigned int cpu)
{
	return t->uncounted_by_cpu && t->uncounted_by_cpu[cpu] && !t->lost_by_cpu[cpu];
}

/* The unit of a trace clock: "ns", "cycles" of a CPU's counter, or "count" of events. NULL: "ns". */
const char *rs_quality_clock_unit(const char *clock);

/* Sum of lost_by_cpu. */
uint64_t rs_quality_lost(const struct rs_quality *t);

#endif
