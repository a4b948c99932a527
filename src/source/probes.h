/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probes.h - calls of a process' functions: perf events on its uprobes
 *
 * A uprobe that a tracefs instance turns on puts a breakpoint into each process that maps the file. One that only perf events
 * of some tasks use puts it into the memory of these tasks' process alone, so that no other one becomes slower.
 *
 *	p = rs_probes_open(&target, &err);
 *	rs_probe_rate_measure(p, &rate, &err);         // how often are they called? and what would that cost?
 *	rs_probes_limit(p, &rate, 500);
 *	rs_probes_turn(p, true);
 *	while (rs_probes_next(p, ring, &record))   // as records of perf are, but of type RS_PROBE_RECORD
 *		...
 *	rs_probes_close(p);                        // no breakpoint is left; nor is when the process is killed
 */
#ifndef RS_SOURCE_PROBES_H
#define RS_SOURCE_PROBES_H

#include <stddef.h>
#include <time.h>

#include "ringside/probe.h"
#include "source/samples.h"

/*
 * struct perf_event_header of this type and of no flags; u32 pid, tid, function (enum rs_probe_function), flags (1: the return);
 * u64 args[4]; u64 nr_frames, frames[nr_frames], as PERF_SAMPLE_CALLCHAIN has them; then what other records end with (sample_id_all).
 */
#define RS_PROBE_RECORD 0x72730001u
#define RS_PROBE_RECORD_RETURNS 1u

struct rs_probe {
	uint64_t address;            /* where the process has the function */
	enum rs_probe_function function;
};

/* Two events of tracefs, "id" in their folders: probes at the begin of all functions are one event, and those at their return. */
enum rs_probe_side { RS_PROBE_BEGIN, RS_PROBE_RETURN, RS_NR_PROBE_SIDES };

struct rs_probe_target {
	int32_t pid;
	size_t nr;
	struct rs_probe probes[RS_NR_PROBE_FUNCTIONS];
	uint32_t event_ids[RS_NR_PROBE_SIDES];
	uint32_t own_ids[RS_NR_PROBE_SIDES]; /* likewise, at rs_probe_rate_own_offset of this program, to measure what a hit costs; 0: none */
};

struct rs_probe_rate {
	uint64_t call_ns;            /* what a call costs, of malloc and of free on average; 0: could not be measured */
	uint64_t calls_per_s;
	uint64_t cpu_ns_per_s;       /* CPU time of the process */
	unsigned int share_milli;    /* of its CPU time, with the probes: what they would take, in thousandths */
};

struct rs_probes;

/* Opens them, off. NULL with err set: the kernel refuses, there is no such process. */
struct rs_probes *rs_probes_open(const struct rs_probe_target *target, struct rs_error *err);
/* Counts calls for a tenth of a second. Returns -1 with err set. */
int rs_probe_rate_measure(struct rs_probes *p, struct rs_probe_rate *rate, struct rs_error *err);
/* They are turned off for good, see rs_probes_note, where they take more than this share of a CPU; 0: no limit. */
void rs_probes_limit(struct rs_probes *p, const struct rs_probe_rate *rate, unsigned int max_milli);
/* The clock of the records' times; before the first one is read. */
void rs_probes_set_clock(struct rs_probes *p, clockid_t clock);
void rs_probes_turn(struct rs_probes *p, bool on);
unsigned int rs_probes_nr_rings(const struct rs_probes *p);
bool rs_probes_next(struct rs_probes *p, unsigned int ring, struct rs_sample_record *record);
/* Judges what they cost, now and then. */
void rs_probes_watch(struct rs_probes *p);
/* Returns why they were turned off; NULL: they were not. */
const char *rs_probes_note(const struct rs_probes *p);
void rs_probes_close(struct rs_probes *p);

/* Does nothing; where it lies in /proc/self/exe. 0: unknown */
uint64_t rs_probe_rate_own_offset(void);

#endif
