/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * service.h - a session that answers requests while it runs: the engine of the daemon and of the TUI
 *
 *	struct rs_service *s = rs_service_new(&config, &err);
 *	// the thread of the analysis:
 *	rs_service_run(s, source);            // to the source's end, with jobs in between; then jobs alone,
 *	                                      // until quit
 *	// a worker's thread:
 *	rs_service_work(s);                   // jobs of a time range, until quit
 *	// the server's thread:
 *	rs_service_post(s, job);              // comes back by config.done, from the thread that did it
 *	rs_service_quit(s);
 */
#ifndef RS_SERVICE_SERVICE_H
#define RS_SERVICE_SERVICE_H

#include "service/jobs.h"
#include "service/interval-rows.h"
#include "capture/budget.h"
#include "engine/session.h"
#include "query/time-range.h"
#include "engine/timelines.h"
#include "engine/viewers.h"
#include "source/window-pins.h"

struct rs_control;
struct rs_broadcaster;
struct rs_metrics;
struct rs_alarms;
struct rs_learner;
struct rs_pinned_open;

struct rs_service_config {
	struct rs_session_config session;
	const char *source;          /* "live", "daemon", "file" */
	const char *path;            /* of a file */
	/* of the live session alone, see session.h; .ask NULL: none */
	struct rs_fd_requester fd_requester;
	uint64_t interval_ns;           /* of live tables; 0: a file */
	size_t window_bytes;         /* of raw pages and spans; of a file: of spans */
	uint64_t window_ns;          /* data that is older may be dropped; 0: any age */
	uint64_t begin_ns;           /* origin of times since the begin */
	struct rs_broadcaster *broadcaster;        /* for followers; NULL: they are refused. The caller's */
	struct rs_metrics *metrics;  /* that are counted; NULL: none. The caller's */
	struct rs_alarms *alarms;    /* of a service with intervals; NULL: none. The caller's */
	struct rs_learner *learner;  /* likewise: what it learns; NULL: nothing. The caller's */
	struct rs_control *control;  /* of a live capture that can be changed, else NULL; the caller's */
	void (*done)(void *arg, struct rs_job *job);
	/* fatal: the session could not begin; else the source ended with an error */
	void (*failed)(void *arg, bool fatal, const char *why);
	void *arg;
};

/*
 * How many calls, requests, switches ... there are in a second: what the kinds of spans declare. Kinds of the
 * same word make one rate; events have a rate of their own.
 */
#define RS_MAX_RATES 32

struct rs_counted_rate {
	const char *name;
	uint64_t before, per_s;
};

struct rs_rates {
	uint64_t from_ns;         /* begin of the interval that is counted; 0: none yet */
	struct rs_counted_rate events, list[RS_MAX_RATES];
	unsigned int nr;
};

/* For jobs of the engine, in the thread of the analysis. */
struct rs_service {
	struct rs_viewers viewers;
	struct rs_service_config config;
	struct rs_session *session;
	_Atomic(struct rs_source *) source; /* the server's thread wakes it */
	struct rs_timelines *timelines;
	_Atomic(struct rs_window *) window; /* the server's thread forgets pins of clients */
	struct rs_pinned_open *pinned_open; /* see pinned-open.h */
	uint64_t held_from_ns, held_to_ns; /* of the timelines, for pins; none: from_ns is later */
	struct rs_time_range_source_config origin;
	struct rs_interval_rows *interval_rows;
	struct rs_job_list engine_jobs, range_jobs;
	struct rs_budget_self self;
	struct rs_rates rates;
	clockid_t clock;
	bool has_clock;              /* the trace clock can be read; else intervals go by the events */
	atomic_bool quit;
	atomic_uint nr_clients;
	bool ended;                  /* the source is at its end */
	struct rs_error err;
};

struct rs_service *rs_service_new(const struct rs_service_config *config, struct rs_error *err);
void rs_service_free(struct rs_service *s); /* after all its threads */

void rs_service_run(struct rs_service *s, struct rs_source *source);
void rs_service_work(struct rs_service *s);
void rs_service_post(struct rs_service *s, struct rs_job *job);
void rs_service_wake(struct rs_service *s); /* any thread: the thread of the analysis looks for work */
void rs_service_quit(struct rs_service *s);
/* Any thread: drops what the client had pinned. */
void rs_service_forget_client(struct rs_service *s, uint32_t client);

/* ---- for jobs of RS_OP_ENGINE, in the thread of the analysis ---- */

/* 0: it runs here; 1: it is about a time range, for the worker, and job->range is set; -1: err. */
int rs_service_prepare(struct rs_service *s, struct rs_job *job, struct rs_error *err);

/* Spans of the times that are pinned stay, and those of others need no longer: after a change of pins. */
void rs_service_hold_pinned(struct rs_service *s);

/* For "state" and "status". */
struct rs_service_stats {
	uint64_t now_ns;             /* time of the last event */
	uint64_t from_ns;            /* time of the oldest data */
	uint64_t events_per_s;       /* over the last whole interval */
	bool ended, loading;
	uint64_t done_bytes, all_bytes; /* of a file */
	uint64_t own_cpu_milli;      /* of one CPU, over the last interval or second */
	uint64_t own_rss_bytes;
	uint64_t window_bytes;
};
void rs_service_stats(struct rs_service *s, struct rs_service_stats *stats);

#endif
