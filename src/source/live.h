/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - pages from a private tracefs instance, read by real-time threads
 *
 * Reader threads (SCHED_FIFO 1 where allowed, else nice -20) move whole pages
 * from trace_pipe_raw into a bounded page ring; when that is full they stop
 * reading, so that the kernel counts the loss. One other thread consumes.
 */
#ifndef RS_SOURCE_LIVE_H
#define RS_SOURCE_LIVE_H

#include "source/source.h"
#include "tracefs/tracefs.h"

struct rs_live_options {
	size_t page_ring_bytes;   /* bound of the page ring: 64 MiB */
	bool full_pages;         /* record: wake once a second, wait for full pages */
	unsigned int samples;    /* enum rs_sample: what to read of /proc beside the names */
	const int32_t *pids, *tids; /* tasks whose wait is read even in state S; must live until rs_live_start has returned */
	size_t nr_pids, nr_tids;
	int parent_pidfd;        /* of the process that this is for, the caller's: see rs_live_stall_fd; 0 none */
	bool abis;               /* and of each process, whether its program is of 32 bits */
};

/* What a session of live capture costs and how it fares. */
struct rs_live_stats {
	uint64_t pages, bytes;       /* read */
	uint64_t page_ring_peak_bytes;
	uint64_t reader_full;        /* times a reader found the ring full */
	bool fifo;                   /* readers run SCHED_FIFO */
};

/*
 * rs_live_open - makes the readers' threads; they wait until rs_live_start.
 * The instance stays the caller's, who closes it after the source.
 * rs_live_tids lists their thread ids, for the filters of own work.
 */
struct rs_source *rs_live_open(struct rs_instance *in, const struct rs_live_options *opt, struct rs_error *err);
size_t rs_live_tids(struct rs_source *s, pid_t *tids, size_t max);
void rs_live_start(struct rs_source *s);
/*
 * Readable once the consumer has taken nothing for two seconds, although pages wait: the session should end. If it does
 * not within two more, or lives two seconds longer than its parent, the process ends itself (see live-watch.c).
 */
int rs_live_stall_fd(struct rs_source *s);
void rs_live_consumer_ended(struct rs_source *s); /* in good order: pages that it left are dropped */
/* The samples are as of now from here on, by the thread that starts and stops: before what ended is reaped. */
void rs_live_last_sample(struct rs_source *s);
void rs_live_stop(struct rs_source *s);  /* read what is left, then end: RS_NEXT_END follows */
void rs_live_stats(struct rs_source *s, struct rs_live_stats *stats);
const char *rs_live_demotion(struct rs_source *s); /* the warning about readers that lost real-time priority; NULL: none did */

#endif
