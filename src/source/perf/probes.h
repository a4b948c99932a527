/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probes.h - memory that a process allocates: calls of its functions, by perf events on uprobes, and what the
 * kernel allocates for it, by perf events on the tracepoints of kmem
 *
 * A uprobe that a tracefs instance turns on puts a breakpoint into each process that maps the file. One that
 * only perf events of some tasks use puts it into the memory of these tasks' process alone, so that no other
 * one becomes slower.
 *
 * The kernel's allocations are recorded in the process' threads alone, with their stacks; what is freed is
 * recorded everywhere, for it is often freed later, by a softirq or a kernel thread.
 *
 *	p = rs_probes_open(&target, &err);
 *	rs_probe_rate_measure(p, &rate, &err);         // how often are they called? and what would that cost?
 *	rs_probes_limit(p, &rate, 500, 100);
 *	rs_probes_turn(p, true);
 *	while (rs_probes_next(p, ring, &record))   // as records of perf are, but of type RS_PROBE_RECORD
 *		...
 *	rs_probes_close(p);                        // no breakpoint is left; nor is when the process is killed
 */
#ifndef RS_SOURCE_PERF_PROBES_H
#define RS_SOURCE_PERF_PROBES_H

#include <stddef.h>
#include <time.h>

#include "ringside/sample.h"
#include "source/perf/samples.h"

/*
 * struct perf_event_header of this type and of no flags; u32 pid, tid, function (enum rs_probe_function),
 * flags (1: the return); u64 args[4]; u64 nr_frames, frames[nr_frames], as PERF_SAMPLE_CALLCHAIN has them;
 * with flag 2 char name[32]; then what other records end with (sample_id_all).
 */
#define RS_PROBE_RECORD 0x72730001u
#define RS_PROBE_RECORD_RETURNS 1u
#define RS_PROBE_RECORD_NAMED 2u

struct rs_probe {
	uint64_t address;            /* where the process has the function */
	enum rs_probe_function function;
};

/*
 * Two events of tracefs, "id" in their folders: probes at the begin of all functions are one event, and those
 * at their return.
 */
enum rs_probe_side { RS_PROBE_BEGIN, RS_PROBE_RETURN, RS_NR_PROBE_SIDES };

/* A tracepoint of kmem, and where its record has what; a size of 0: it does not have it. */
struct rs_kernel_probe {
	uint32_t event_id;
	enum rs_probe_function function;
	struct rs_probe_field { uint16_t offset_bytes, size_bytes; } flags, addr, asked, bytes, order, name;
};

#define RS_MAX_KERNEL_PROBES 8

/* In the process alone, and with stacks; the others are of all tasks. */
static inline bool rs_kernel_probe_allocates(const struct rs_kernel_probe *k)
{
	return k->function <= RS_PROBE_PAGE_ALLOC;
}

struct rs_probe_target {
	int32_t pid;
	bool is_stopped;             /* it has not begun to run: its calls cannot be counted before */
	size_t nr_kernel;
	struct rs_kernel_probe kernel[RS_MAX_KERNEL_PROBES];
	size_t nr;
	struct rs_probe probes[RS_NR_PROBED_FUNCTIONS];
	uint32_t event_ids[RS_NR_PROBE_SIDES];
	/* likewise, at rs_probe_rate_own_offset of this program, to measure what a hit costs; 0: none */
	uint32_t own_ids[RS_NR_PROBE_SIDES];
};

struct rs_probe_rate {
	/* what a call costs, of malloc and of free on average; 0: could not be measured */
	uint64_t call_ns;
	uint64_t calls_per_s;
	uint64_t cpu_ns_per_s;       /* CPU time of the process */
	/* of its CPU time, with the probes: what they would take, in thousandths */
	unsigned int share_milli;
	/*
	 * of the kernel: what an event costs, how often the process allocates, how often all tasks free, and
	 * what that takes of the machine's CPUs
	 */
	uint64_t alloc_ns, free_ns, allocs_per_s, frees_per_s;
	unsigned int kernel_share_milli, machine_milli;
};

struct rs_probes;

/* Opens them, off. NULL with err set: the kernel refuses, there is no such process. */
struct rs_probes *rs_probes_open(const struct rs_probe_target *target, struct rs_error *err);
/* Counts calls for a tenth of a second. Returns -1 with err set. */
int rs_probe_rate_measure(struct rs_probes *p, struct rs_probe_rate *rate, struct rs_error *err);
/*
 * They are turned off for good, see rs_probes_note, where those of functions take more than this share of the
 * process' CPU time, or those of the kernel more than that of the machine's; 0: no limit.
 */
void rs_probes_limit(struct rs_probes *p, const struct rs_probe_rate *rate, unsigned int max_milli,
		     unsigned int max_machine_milli);
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
