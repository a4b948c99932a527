/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chrome.h - Chrome trace JSON, shared by its own files alone
 *
 *	{"traceEvents":[ ... ],"metadata":{...}}
 *
 * What the readers do with it was tried out on them: Perfetto's trace processor, the
 * viewer of chrome://tracing, speedscope. Times are microseconds since the first event,
 * with three decimals, by integer arithmetic: so no nanosecond is lost in a double.
 */
#ifndef RS_EXPORT_CHROME_H
#define RS_EXPORT_CHROME_H

#include "export/chrome-nest.h"
#include "export/export.h"

/*
 * Numbers that no real process has, for tracks that are none. A tid that is used again has
 * a number made up of its life, for the readers know no lives: pid_max is at most 2^22.
 */
#define RS_CHROME_LIFE_SHIFT 22
#define RS_CHROME_LIVES 896u            /* beyond, a number is used again */
#define RS_CHROME_CPUS 0xf0000000u      /* process of the CPUs; each CPU is the thread CPUS + 1 + cpu */
#define RS_CHROME_DISKS 0xf1000000u     /* a process for each disk */
#define RS_CHROME_MAX_DISKS 256u

struct rs_chrome_disk {
	uint32_t dev;
	int64_t depth;
};

/* The depth of a CPU's run queue that is not written yet. */
struct rs_chrome_queue {
	unsigned int depth;
	bool pending;
	uint64_t since_ns, written_ns;
};

struct rs_chrome {
	struct rs_export export;        /* first: an rs_export is one of these */
	struct rs_buf *out;
	struct rs_ctx *listener_ctx;    /* to reach what is kept with a task; NULL: no session */
	bool compat, any;               /* any: an event was written, a comma is needed */
	uint64_t base_ns;
	uint64_t next_id;               /* of flows and asynchronous events: never used twice */
	uint64_t nr_clamped;            /* slices that were cut so that they nest */
	const struct rs_trace_info *info;
	unsigned int nr_cpus;
	struct rs_chrome_nest *cpu_nests;
	struct rs_chrome_queue *queues;
	struct rs_chrome_disk disks[RS_CHROME_MAX_DISKS];
	unsigned int nr_disks;
};

/* What is kept with each task, in the listener's task data. */
struct rs_chrome_task {
	struct rs_chrome_nest nest;
	uint64_t woken_ns;              /* a wake-up whose flow is drawn at the switch-in; 0 none */
	uint32_t waker_pid, waker_tid;
	bool seen;                      /* something was written of it: it needs a name */
};

struct rs_chrome_where {
	uint32_t pid, tid;
};

struct rs_export *rs_chrome_make(const struct rs_export_options *options, struct rs_buf *out);

/* chrome-put.c: one event each */
void rs_chrome_slice(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_where *at, const struct rs_span_kind *kind,
		     const struct rs_span *span, uint64_t start_ns);
void rs_chrome_instant(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_where *at, const struct rs_span_kind *kind,
		       const struct rs_span *span);
void rs_chrome_async(struct rs_chrome *ch, struct rs_ctx *c, uint32_t pid, const struct rs_span_kind *kind, const struct rs_span *span);
/* A thread's state by the scheduler's name; cpu -1: of none. */
void rs_chrome_state(struct rs_chrome *ch, const struct rs_chrome_where *at, const char *name, uint64_t from_ns, uint64_t to_ns,
		     int cpu, bool io_wait);
void rs_chrome_flow(struct rs_chrome *ch, const struct rs_chrome_where *from, uint64_t from_ns, const struct rs_chrome_where *to,
		    uint64_t to_ns);
void rs_chrome_counter(struct rs_chrome *ch, uint32_t pid, const char *name, uint64_t ts_ns, int64_t value);
void rs_chrome_loss(struct rs_chrome *ch, const struct rs_gap *gap);
void rs_chrome_name(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, const char *name);
void rs_chrome_sort_index(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, int64_t index);
void rs_chrome_metadata(struct rs_chrome *ch, const struct rs_trust *trust);

/* chrome-compat.c: the second reading, scheduling as text for viewers that do not know "T" */
extern const struct rs_analysis rs_chrome_compat_listener;

#endif
