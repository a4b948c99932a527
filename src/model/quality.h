/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality.h - the trust line: how far the numbers can be believed
 *
 * Every output carries it: a footer in text, the _meta object in JSON. What is
 * not known is said to be unknown, never 0 and never added to what is.
 */
#ifndef RS_MODEL_QUALITY_H
#define RS_MODEL_QUALITY_H

#include <stdbool.h>
#include <stdint.h>

struct rs_quality {
	const char *version;         /* of ringside */
	const char *machine;         /* whose recording, where there are several; NULL: there is but one */
	const char *kernel;          /* "6.1.0-50-amd64", NULL unknown */
	const char *clock;           /* "boot", NULL unknown */
	const char *unit;            /* of all times and durations: see rs_quality_clock_unit */
	bool realtime_offset_known;
	int64_t realtime_offset_ns;  /* CLOCK_REALTIME minus the trace clock */
	const char *filters;         /* what the user narrowed, as typed; "" none */
	uint64_t events;             /* decoded */
	unsigned int nr_cpus;
	const uint64_t *lost_by_cpu; /* counted ones only */
	const uint64_t *uncounted_by_cpu; /* gaps of which the kernel did not say how many; NULL: none */
	uint64_t gaps;               /* all gaps */
	uint64_t lost_to_ns;         /* when the last of them ended; 0: none */
	uint64_t gaps_uncounted;     /* gaps whose number of lost events the kernel did not give */
	uint64_t unmatched;            /* ends without a begin */
	uint64_t discarded;             /* pairs that a gap made uncertain */
	uint64_t inferred;           /* stints that began at a bound: a switch is missing */
	uint64_t in_flight;          /* begun and not ended */
	uint64_t evicted;            /* dropped because a table was full */
	uint64_t late;               /* live: events that came after their time was passed */
	uint64_t bad_pages, bad_records; /* malformed, skipped */
	uint64_t from_ns, to_ns;     /* first and last event */
	const char *nothing;         /* of several views: those that have nothing to show, "cpus,disks"; NULL: one was asked for */
	uint64_t all_tasks;          /* 1: rows are of some tasks, the counts of all that was read */
	uint64_t no_wakings;         /* 1: of run-queue waits only preemptions are known, for no wakings were recorded */
};

/* Lost on a CPU and not known at all: its gaps were not counted, none of them. */
static inline bool rs_quality_lost_unknown(const struct rs_quality *t, unsigned int cpu)
{
	return t->uncounted_by_cpu && t->uncounted_by_cpu[cpu] && !t->lost_by_cpu[cpu];
}

/* What a trace clock counts: "ns", or what else: "cycles" of a CPU's counter, "count" of events. NULL: "ns". */
const char *rs_quality_clock_unit(const char *clock);

/* Sum of lost_by_cpu. */
uint64_t rs_quality_lost(const struct rs_quality *t);

#endif
