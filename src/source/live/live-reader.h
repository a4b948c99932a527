/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live-reader.h - a live source's threads and what they share; for src/source/live/live*.c only
 *
 * Each field says which thread may access it: the reader, the consumer, or both through atomics.
 */
#ifndef RS_SOURCE_LIVE_LIVE_READER_H
#define RS_SOURCE_LIVE_LIVE_READER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "source/live/page-ring.h"
#include "source/live/live.h"
#include "source/call-params.h"
#include "source/live/starvation.h"
#include "source/live/task-snapshot.h"
#include "source/trace-clock.h"

#define RS_READER_CPUS 8 /* CPUs of one reader thread, at most */

struct rs_args_reader;

enum rs_live_state {
	RS_LIVE_WAITING,  /* not started */
	RS_LIVE_RUNNING,
	RS_LIVE_DRAINING, /* tracing is off: read what is left, then end */
	RS_LIVE_QUITTING, /* the consumer has ended: end at once */
};

struct rs_live_cpu {
	unsigned int cpu;             /* the kernel's number */
	int fd;                       /* -1: no buffer, at its end from the start */
	struct rs_reader *reader;

	/* the reader's */
	uint64_t read_at_ns;          /* CLOCK_MONOTONIC of the last attempt */
	uint64_t empty_at_ns;         /* trace clock before it was last seen empty; 0 after a page */
	bool offline;

	/* both */
	_Atomic uint64_t watermark;   /* set after the pages before it were pushed */
	_Atomic int failed;           /* errno of a read that failed for good */

	/* the consumer's */
	/* slots: first and last of the list to hand out; the one that is handed out */
	uint32_t first, last, held;
	uint64_t handed_ns;           /* all events before this time have been handed out */
	bool failure_reported;
};

struct rs_reader {
	struct rs_live *live;
	pthread_t thread;
	pid_t tid;
	clockid_t cpu_clock;
	bool started;
	_Atomic bool fifo;            /* it runs SCHED_FIFO; cleared when the watchdog demotes it */
	int control_fd;               /* eventfd: the state has changed */
	struct rs_live_cpu *cpus[RS_READER_CPUS];
	unsigned int nr_cpus;
	struct rs_page_ring ring;
	_Atomic uint32_t nr_rounds;   /* grows when there may be something new */
	_Atomic bool done;
	_Atomic uint64_t nr_pages, nr_bytes, nr_full;
	_Atomic uint64_t nr_filled;   /* pages that came at least half full */
	_Atomic uint64_t nr_reads;   /* rounds over its CPUs */
	_Atomic bool demoted;         /* the watchdog has set it to SCHED_OTHER */
	/* the reader's: when it last woke the consumer, and nr_pages then */
	uint64_t woke_at_ns, nr_pages_at_wake;
	uint64_t rested_ns;           /* the reader's: CLOCK_MONOTONIC when it last slept */
	unsigned int nr_full_rounds;  /* the reader's: in a row */
	uint32_t nr_rounds_seen;      /* the consumer's */
	struct {
		uint64_t nr_filled, nr_reads, cpu_ns;
		uint64_t nr_reads_before, cpu_before_ns; /* a period ago */
		unsigned int nr_periods, nr_stuck;
		struct rs_starvation_thread times;
	} watched;                    /* the watchdog's: values at its last check */
};

/* live-watch.c */
struct rs_live_watch {
	pthread_t thread;
	pid_t tid;
	bool started;
	sem_t quit;                   /* ends the thread */
	int stall_fd;                 /* eventfd: signals that the consumer is stalled */
	int parent_fd;                /* see struct rs_live_options; -1 none */
	uint64_t nr_taken, consumer_cpu_ns;
	unsigned int nr_stalled, nr_orphaned; /* consecutive periods */
	unsigned int nr_periods;      /* since the times below were read */
	uint64_t read_ns;             /* CLOCK_MONOTONIC: when they were */
	struct rs_starvation_thread own, consumer;
};

/* A sample of /proc, taken during the capture or at its end. */
struct rs_live_sample {
	struct rs_task_snapshot snapshot;
	struct rs_proc_sample sample;
};

struct rs_live {
	struct rs_source source;      /* first: a rs_source is one of these */
	struct rs_instance *instance;
	struct rs_live_cpu *cpus;     /* all possible CPUs */
	struct rs_reader *readers;
	unsigned int nr_readers;
	bool full_pages;

	bool has_clock;               /* user space can read the trace's clock */
	clockid_t clock;
	unsigned int commit_offset, commit_bytes, stamp_offset; /* offsets in a page, from header_page */

	_Atomic int state;            /* enum rs_live_state */
	sem_t ready;                  /* each reader posts it when its tid and priority are set */
	int wake_fd;                  /* eventfd: wakes the consumer */
	_Atomic bool consumer_sleeps;
	clockid_t consumer_clock;     /* its CPU-time clock; valid if has_consumer */
	pid_t consumer_tid;
	_Atomic bool has_consumer;
	struct rs_live_watch watch;
	struct rs_starvation starvation;

	struct rs_error no_samples;   /* why source.samples is NULL */
	struct rs_probes *probes;     /* that its rings have; NULL: none */
	struct rs_task_snapshot snapshot;
	struct rs_initial_waits waits;
	struct rs_call_params_list call_params;
	struct rs_args_reader *args;  /* NULL: none are read */
	unsigned int samples;         /* enum rs_sample */
	struct rs_gauges gauges;      /* when the capture began */
	struct rs_live_sample now;    /* the consumer's */
	uint64_t tasks_due_ns;        /* CLOCK_MONOTONIC: tasks are not sampled again before that */
	struct rs_live_sample last;   /* the main thread's, until has_last */
	_Atomic bool has_last;
	struct rs_live_owned *owned;  /* the texts behind source.info */
};

int rs_live_reader_start(struct rs_reader *r);  /* 0 or errno */
void rs_live_readers_set_state(struct rs_live *l, enum rs_live_state state);
void rs_live_readers_join(struct rs_live *l);

int rs_live_watch_start(struct rs_live *l, struct rs_error *err);
void rs_live_watch_done(struct rs_live *l);

/* live-info.c: fills source.info, while the process still has the rights to read it. */
int rs_live_info_read(struct rs_live *l, struct rs_error *err);
void rs_live_info_done(struct rs_live *l);
void rs_live_first_sample(struct rs_live *l);
const struct rs_proc_sample *rs_live_sample(struct rs_source *source);
void rs_live_samples_done(struct rs_live *l);

#endif
