/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - pages from a private tracefs instance, read by real-time threads
 *
 * Reader threads (SCHED_FIFO 1 where allowed, else nice -20) move whole pages
 * from trace_pipe_raw into a bounded page ring; when that is full they stop
 * reading, so that the kernel counts the loss. One other thread consumes.
 */
#ifndef RS_SOURCE_LIVE_LIVE_H
#define RS_SOURCE_LIVE_LIVE_H

#include "source/perf/probes.h"
#include "source/source.h"
#include "tracefs/tracefs.h"

struct rs_live_options {
	size_t page_ring_bytes;   /* bound of the page ring: 64 MiB */
	bool full_pages;         /* for record: wake up once a second, and wait for full pages */
	/* enum rs_sample: what to read from /proc beside names, and whether to sample the CPUs */
	unsigned int samples;
	unsigned int sample_hz;  /* 0: RS_SAMPLES_HZ */
	unsigned int sample_stack_bytes; /* see struct rs_samples_options */
	uint64_t sample_regs;
	/* see switch-stacks.h; owned by the source as probes are. NULL: none */
	struct rs_sample_source *switch_stacks;
	/*
	 * of a process' functions; owned by the source from rs_live_open on, also if that fails. NULL: none
	 */
	struct rs_probes *probes;
	/* tasks whose wait is read also in state S; must stay valid until rs_live_start returns */
	const int32_t *pids, *tids;
	size_t nr_pids, nr_tids;
	/* of the process that started this capture, owned by the caller: see rs_live_stall_fd; 0: none */
	int parent_pidfd;
	bool abis;               /* read whether each process is 32-bit */
	/* of command lines: none are read; secrets in them stay */
	bool no_args, plain_args;
};

/* Counters of a live capture. */
struct rs_live_stats {
	uint64_t pages, bytes;       /* read */
	uint64_t page_ring_peak_bytes;
	uint64_t reader_full;        /* times a reader found the ring full */
	bool fifo;                   /* readers run SCHED_FIFO */
};

/*
 * rs_live_open - creates the reader threads; they wait until rs_live_start.
 * The caller owns the instance and closes it after the source.
 * rs_live_tids lists the threads' ids, for event filters that exclude them.
 */
struct rs_source *rs_live_open(struct rs_instance *in, const struct rs_live_options *opt,
			       struct rs_error *err);
size_t rs_live_tids(struct rs_source *s, pid_t *tids, size_t max);
void rs_live_start(struct rs_source *s);
/*
 * Becomes readable if the consumer takes no page for two seconds although pages are waiting: then end the
 * session. The process ends itself if that takes two more seconds, or two seconds after its parent has ended
 * (see live-watch.c).
 */
int rs_live_stall_fd(struct rs_source *s);
/* it ended normally: pages that it has not taken are dropped */
void rs_live_consumer_ended(struct rs_source *s);
/*
 * Takes the last sample of /proc. Called by the thread that starts and stops, before it reaps the traced
 * command.
 */
void rs_live_last_sample(struct rs_source *s);
void rs_live_stop_samples(struct rs_source *s); /* no sample comes after this */
void rs_live_stop(struct rs_source *s);  /* reads the remaining pages, then RS_NEXT_END follows */
void rs_live_stats(struct rs_source *s, struct rs_live_stats *stats);
const char *rs_live_probes_note(struct rs_source *s); /* why they were turned off, else NULL */
/*
 * A warning if ringside's own threads do not get the CPU time that they ask for, or did not a moment ago;
 * else NULL. See starvation.h for the sum of such seconds.
 */
const char *rs_live_starving(struct rs_source *s);
/* a warning if a reader lost its real-time priority, else NULL */
const char *rs_live_demotion(struct rs_source *s);
struct rs_args_reader *rs_live_args(struct rs_source *s); /* NULL: no command lines are read */

#endif
