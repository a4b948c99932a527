/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - samples, for data that no event has: of /proc, of the CPUs with stacks, of functions that
 * allocate memory
 */
#ifndef RINGSIDE_SAMPLE_H
#define RINGSIDE_SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "table.h"
#include "task.h"

/*
 * ---- samples of /proc ----
 *
 * Live only: taken when the capture begins, each time that rows are requested, and when tracing ends. An
 * analysis sets .samples to the samples that it requires. A recording has none, but control groups and their
 * counts at its begin and end in its trailer.
 */

enum rs_sample {
	RS_SAMPLE_TASKS = 1,  /* each thread's counters: /proc/PID/task/TID/stat */
	RS_SAMPLE_GAUGES = 2, /* the machine's memory: /proc/meminfo, /proc/vmstat */
	/* each process' control group, once, when the capture begins: rs_task.cgroup; and what these count */
	RS_SAMPLE_CGROUPS = 4,
	/* not of /proc: what the CPUs run, see below. Set for an analysis with RS_ON_SAMPLE */
	RS_SAMPLE_STACKS = 8,
	/* likewise: what processes have mapped. Set if stacks are recorded with events */
	RS_SAMPLE_MAPPINGS = 16,
	/* likewise: calls of a process' functions, see below. Set for an analysis with RS_ON_PROBE */
	RS_SAMPLE_PROBES = 32,
	RS_SAMPLE_KMEM = 64,   /* likewise: what the kernel allocates for a process */
	RS_SAMPLE_ALLOCATIONS = RS_SAMPLE_PROBES | RS_SAMPLE_KMEM,
};

/* Levels in bytes, then counters since the machine was started. */
enum rs_gauge {
	RS_GAUGE_TOTAL,
	RS_GAUGE_FREE,
	RS_GAUGE_AVAILABLE,
	RS_GAUGE_BUFFERS,
	RS_GAUGE_CACHED,
	RS_GAUGE_RECLAIMABLE,
	RS_GAUGE_COMMITTED,
	RS_GAUGE_MAPPED,
	RS_GAUGE_SHARED,
	RS_GAUGE_DIRTY,
	RS_GAUGE_SWAP_TOTAL,
	RS_GAUGE_SWAP_FREE,
	RS_GAUGE_FAULTS,
	RS_GAUGE_MAJOR_FAULTS,
	RS_GAUGE_PAGE_IN_BYTES,
	RS_GAUGE_PAGE_OUT_BYTES,
	RS_NR_GAUGES,
};

struct rs_gauges {
	struct rs_value time_ns;             /* in the trace's clock; null where it cannot be read */
	struct rs_value value[RS_NR_GAUGES]; /* null: this kernel does not have it */
};

/*
 * What a control group of version 2 counts in cpu.stat, io.stat, memory.events, and in its pressure files:
 * time in which a task of it waited ("some"), or all of them did ("full"). From its cpu.weight on it is what
 * is set, or so now: cpu.max allows so much CPU time in each period, memory.max and memory.high are bytes,
 * io.max bytes a second, of the disk that has the least; "max" is null, as what cannot be read.
 */
enum rs_cgroup_count {
	RS_CGROUP_USAGE_NS,
	RS_CGROUP_PERIODS,
	RS_CGROUP_THROTTLED,
	RS_CGROUP_THROTTLED_NS,
	RS_CGROUP_CPU_PRESSURE_NS,
	RS_CGROUP_CPU_FULL_NS,
	RS_CGROUP_MEMORY_PRESSURE_NS,
	RS_CGROUP_MEMORY_FULL_NS,
	RS_CGROUP_IO_PRESSURE_NS,
	RS_CGROUP_IO_FULL_NS,
	RS_CGROUP_HIGH_EVENTS,     /* it was throttled and reclaimed, being above memory.high */
	RS_CGROUP_MAX_EVENTS,      /* it was about to go above memory.max */
	RS_CGROUP_READ_BYTES,
	RS_CGROUP_WRITTEN_BYTES,
	RS_CGROUP_WEIGHT,
	RS_CGROUP_QUOTA_NS,
	RS_CGROUP_PERIOD_NS,
	RS_CGROUP_MEMORY_MAX,
	RS_CGROUP_MEMORY_HIGH,
	RS_CGROUP_MEMORY_NOW,
	RS_CGROUP_IO_MAX_READ,
	RS_CGROUP_IO_MAX_WRITE,
	RS_NR_CGROUP_COUNTS,
};

struct rs_cgroup_counts {
	struct rs_value value[RS_NR_CGROUP_COUNTS]; /* null: the group has no such count */
};

/* Whether a quota (cpu.max) of its group, or of one above, throttled the task since the last reset. */
enum rs_throttling {
	/* no counts, as in a recording of another program, or those of a longer time */
	RS_THROTTLING_UNKNOWN,
	RS_NOT_THROTTLED, RS_THROTTLED,
};

struct rs_throttled {
	const char *cgroup;      /* the group with the quota: the one that was throttled longest */
	uint64_t nr_periods, nr_throttled; /* of these periods, in so many */
	uint64_t ns;             /* summed over its CPUs */
	/* it may run for so long in each period (cpu.max), all CPUs added; 0: unknown */
	uint64_t quota_ns, period_ns;
};

/* throttled is set if it was. */
enum rs_throttling rs_throttling(const struct rs_ctx *c, const struct rs_task *t,
				 struct rs_throttled *throttled);

/*
 * Writes what follows "its quota": ", 20 ms of each 100 ms (cpu.max), in 8 of 10 periods", as far as it is
 * known. Returns buf.
 */
const char *rs_quota_words(const struct rs_ctx *c, const struct rs_throttled *throttled, char *buf,
			   size_t size_bytes);

/* A limit of the memory of a task's group, or of one above. */
struct rs_memory_limit {
	const char *cgroup, *file; /* that has it, and "memory.max" or "memory.high" */
	uint64_t bytes;
};

/*
 * Returns false if no limit is known, or if several groups on the way up have one: no event tells at which of
 * them the task is. Of the two of one group the lower one: it is reached first.
 */
bool rs_cgroup_memory_limit(const struct rs_ctx *c, const struct rs_task *t, struct rs_memory_limit *limit);

/*
 * By which two tasks of different groups share a CPU: the weights (cpu.weight) of their groups, or of those
 * above them, where the paths part.
 */
struct rs_weights {
	uint64_t own, others;
};

/* Returns false if they are not known, or the tasks are of one group. */
bool rs_cgroup_weights(const struct rs_ctx *c, const struct rs_task *t, const struct rs_task *other,
		       struct rs_weights *weights);

/* How much a group's counts grew since the last reset; what is set as it is. */
struct rs_cgroup_growth_row {
	const char *path;        /* valid until the next sample */
	/* null: the group has no such count, or that of a longer time */
	struct rs_value value[RS_NR_CGROUP_COUNTS];
};

/* Fills in at most max rows, and returns the number of groups whose counts are known. */
size_t rs_cgroup_growth_rows(const struct rs_ctx *c, struct rs_cgroup_growth_row *rows, size_t max);

/* --cgroup: are rows of this group asked for? */
bool rs_cgroup_is_shown(const struct rs_ctx *c, const char *path);

/* How long there was pressure between two readings. */
struct rs_pressure_step {
	uint64_t from_ns, to_ns, ns;
};

/*
 * rs_cgroup_pressure_steps - fills in the steps of a group in order of time, live by readings of 2 s or more,
 * of a recording of a second or more
 *
 * which: of the counts that are pressure. Those before and after the time range are left out. Returns how
 * many, at most max: where there are more, neighbors become one. 0: there are no readings.
 */
size_t rs_cgroup_pressure_steps(const struct rs_ctx *c, const char *path, enum rs_cgroup_count which,
				struct rs_pressure_step *steps, size_t max);

/*
 * Writes the share of each step, the latest last, a digit each: tenths, "9" for all of it, "." for less than
 * 1 %. Live of the last minute, of a recording in at most 60 steps. Returns buf; NULL: no readings.
 */
const char *rs_cgroup_pressure_line(const struct rs_ctx *c, const char *path, enum rs_cgroup_count pressure,
				    char *buf, size_t size_bytes);

/*
 * Returns the major page faults of the task, from the start of the capture, or its fork if later, to the
 * latest sample. False: unknown, because the task had exited by then, or /proc could not be read.
 */
bool rs_major_faults(const struct rs_ctx *c, const struct rs_task *t, uint64_t *nr);

/* Returns the latest sample, or the first one (at_begin); NULL: there is none. */
const struct rs_gauges *rs_gauges(const struct rs_ctx *c, bool at_begin);

/*
 * ---- which code ran: samples of the CPUs, each with its stack; and where events happened ----
 *
 * An analysis with a callback RS_ON_SAMPLE makes a capture sample all CPUs. A sample shows what a CPU ran at
 * that time; it begins and ends nothing, so states and waits do not change by it.
 *
 * The table of stacks is bounded. When it is full, the numbers of stacks that no row of a store has are given
 * to others.
 */

/* What the CPUs count beside samples, where they have a PMU: see .grown. */
enum rs_counter { RS_COUNTER_CYCLES, RS_COUNTER_INSTRUCTIONS, RS_COUNTER_CACHE_MISSES, RS_NR_COUNTERS };

struct rs_cpu_sample {
	struct rs_task *task;      /* never idle */
	uint64_t ts_ns;
	/* of its innermost frame: see rs_stack_frame. Kept only by a row of a store, see store.h */
	uint32_t stack;
	uint16_t cpu;
	bool in_kernel;            /* its innermost frame is the kernel's */
	/*
	 * the events that it stands for, as cycles: its period. They differ where the kernel keeps a
	 * frequency
	 */
	uint64_t weight;
	unsigned int counted;      /* which of .grown are known: bits 1 << RS_COUNTER_CYCLES ... */
	/* since the last sample of the CPU, whoever ran: charged to this task as samples are */
	uint64_t grown[RS_NR_COUNTERS];
};

struct rs_frame {
	const char *function;      /* readable; NULL: no symbol covers the address */
	const char *module;        /* "libz.so.1", "[kernel]", "[ext4]" */
	uint64_t offset;           /* in the module's file; an address if it has none */
	bool is_address;
};

/* A stack that was recorded with an event, of an analysis that .uses_stacks (record --stacks). */
struct rs_event_stack {
	struct rs_task *task;      /* NULL: idle, or it has exited */
	uint64_t ts_ns;
	uint32_t id;               /* of the event, see rs_event_name */
	uint32_t stack;
	uint16_t cpu;
};

struct rs_call;
struct rs_interval;

/*
 * Returns the stack of the event that began it: of a task's RS_BLOCKED, RS_PREEMPTED or RS_DELAY, where it
 * had left its CPU. Call it from the callback. 0: none was recorded.
 */
uint32_t rs_interval_stack(const struct rs_ctx *c, const struct rs_interval *iv);
uint32_t rs_call_stack(const struct rs_ctx *c, const struct rs_call *call);
/* Likewise; else, where it left its CPU last in that call. */
uint32_t rs_call_wait_stack(const struct rs_ctx *c, const struct rs_call *call);

/*
 * A stack is a number: of a frame, and of all that called it. Returns the frame's name as far as it is known
 * by now. Call it when rows are shown: it may read the symbols of a file. The texts live as long as the
 * session.
 */
void rs_stack_frame(const struct rs_ctx *c, uint32_t stack, struct rs_frame *frame);
/* Returns the stack of the caller; 0: it is the outermost frame. */
uint32_t rs_stack_caller(const struct rs_ctx *c, uint32_t stack);

/*
 * The function that most samples of some threads are in, as the innermost one; the texts live as long as the
 * session.
 */
struct rs_hot_code {
	const char *function, *module;
	uint64_t nr, nr_samples;   /* samples in it; of all */
};

/*
 * Of which threads: of these processes and threads, of processes of a name, or those that a function accepts.
 */
struct rs_hot_code_asked {
	const int32_t *ids;
	unsigned int nr_ids;
	const char *comm;          /* NULL: any */
	bool (*accepts)(void *arg, int32_t tid); /* in the place of ids and comm; NULL: these tell */
	void *arg;
};

/*
 * Returns false if nothing is known for certain since the last reset: there are no samples of them, too few,
 * or none of their functions has a tenth of them.
 */
bool rs_hot_code(const struct rs_ctx *c, const struct rs_hot_code_asked *asked, struct rs_hot_code *code);
/* "deflate_slow (libz.so.1)". Returns buf. */
const char *rs_hot_code_text(const struct rs_hot_code *code, char *buf, size_t size_bytes);

/* Functions of the kernel that only tell how an event came about. */
/* of calls and faults */
enum rs_stack_part { RS_STACK_TRACING = 1, RS_STACK_SCHEDULER = 2, RS_STACK_LOCKS = 4, RS_STACK_ENTRY = 8,
		     RS_STACK_ALLOCATOR = 16,
		     RS_STACK_OUTSIDE_LOCKS = RS_STACK_TRACING | RS_STACK_SCHEDULER | RS_STACK_LOCKS,
		     RS_STACK_OUTSIDE_ENTRY = RS_STACK_TRACING | RS_STACK_SCHEDULER | RS_STACK_ENTRY };

/*
 * Returns the stack without its innermost frames in these parts; 0 if all are, so that who called is not
 * known.
 */
uint32_t rs_stack_outside(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/* Likewise; the stack as it is if all are. */
uint32_t rs_stack_outside_or_all(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/*
 * "main;work;read": outermost first; what does not fit is left out there. Returns where in buf the text
 * begins.
 */
const char *rs_stack_text(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* "prog;prog;libc.so.6": the modules of these functions, likewise. */
const char *rs_stack_modules(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* "read < work < main": innermost first, likewise. Returns buf. */
const char *rs_stack_callers(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* The callers of a stack without these parts, for a column; lives until the next one. Null: stack is 0. */
struct rs_value rs_stack_value(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/*
 * Returns the function that wanted this lock last, as far as it was recorded; for an analysis that
 * .uses_stacks. NULL: unknown.
 */
const char *rs_lock_caller(const struct rs_ctx *c, uint64_t lock_addr);
/* Returns the name that texts of stacks show of a frame: "[unknown] libz.so.1+0x12a4" without a function. */
const char *rs_stack_frame_name(const struct rs_frame *frame, char unknown[RS_CELL_TEXT_BYTES]);
/* "libz.so.1+0x12a4" of a file, else the address. */
void rs_stack_put_address(const struct rs_frame *frame, char *buf, size_t size_bytes);

/* ---- how sure a share of samples is ---- */

/*
 * Returns a bound, 0 to 1, of the 95 % confidence interval of a share of samples, after Wilson: right for few
 * samples, too. sign: -1 the lower, 1 the upper.
 */
static inline double rs_share_of_bound(double share, uint64_t of, int sign)
{
	double z = 1.96, n = (double)of;

	return (share + z * z / (2 * n) + sign * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))) /
	       (1 + z * z / n);
}
static inline double rs_share_bound(uint64_t nr, uint64_t of, int sign)
{
	return rs_share_of_bound((double)nr / (double)of, of, sign);
}

/*
 * ---- memory that is allocated and freed ----
 *
 * Of one process: calls of its functions that were probed (ringside alloc), and what the kernel allocates for
 * it (ringside kmem).
 *
 * An analysis with a callback RS_ON_PROBE makes a capture probe them; .kinds says which, 1 <<
 * RS_PROBE_KERNEL. Each call of a function that allocates has two hits, at its begin and at its return, in
 * the order of time with those of all other threads. Functions that only free have one. What the kernel
 * allocates has one, as if it returned; what it frees has one, too, and comes from all tasks: much is freed
 * later, by others.
 */

/* In recordings: only add at the end. */
enum rs_probe_function {
	RS_PROBE_MALLOC,
	RS_PROBE_CALLOC,
	RS_PROBE_REALLOC,
	RS_PROBE_REALLOCARRAY,
	RS_PROBE_ALIGNED_ALLOC,
	RS_PROBE_MEMALIGN,
	RS_PROBE_POSIX_MEMALIGN,
	RS_PROBE_NEW,
	RS_PROBE_NEW_ARRAY,
	RS_PROBE_FREE,
	RS_PROBE_MMAP,
	RS_PROBE_MREMAP,
	RS_PROBE_MUNMAP,
	RS_NR_PROBED_FUNCTIONS,
	RS_PROBE_KMALLOC = RS_NR_PROBED_FUNCTIONS,
	RS_PROBE_SLAB_ALLOC,
	RS_PROBE_PAGE_ALLOC,
	RS_PROBE_KFREE,
	RS_PROBE_SLAB_FREE,
	RS_PROBE_PAGE_FREE,
	RS_NR_PROBE_FUNCTIONS,
	RS_PROBE_LOST = 255, /* no call: hits were lost, here or earlier, of any thread */
};

enum rs_probe_kind { RS_PROBE_PROCESS, RS_PROBE_KERNEL, RS_NR_PROBE_KINDS };

static inline enum rs_probe_kind rs_probe_kind_of(enum rs_probe_function function)
{
	return function < RS_NR_PROBED_FUNCTIONS ? RS_PROBE_PROCESS : RS_PROBE_KERNEL;
}

#define RS_PROBE_ARGS 4
#define RS_PROBE_NAME_BYTES 32 /* of the kernel's caches; a longer name is cut */

struct rs_probe_hit {
	struct rs_task *task;      /* NULL: of LOST, and of what the kernel frees */
	uint64_t ts_ns;
	enum rs_probe_function function;
	bool returns;
	/*
	 * At the begin; at the return args[0] is the result; of LOST how many hits. Of the kernel the address
	 * (of a page the physical one), the bytes that it was asked for, and those that it took; where pages
	 * are freed args[1] are their bytes.
	 */
	uint64_t args[RS_PROBE_ARGS];
	const char *name;          /* of the kernel's cache; NULL: unknown. Valid in the callback */
	/* at the return, and where the kernel allocates: whence; else 0 */
	uint32_t stack;
	uint16_t cpu;
};

#endif
