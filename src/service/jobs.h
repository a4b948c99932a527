/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - the requests of the protocol (docs/protocol.md): a struct rs_op in a file op-*.c for each
 *
 * The server's thread reads a request, checks the client's rights, and passes it as a job to the analyzer
 * thread or the worker thread. run() gets job->request, a struct from rpc/messages.inc, and adds members to
 * job->reply, an open object. On an error it returns -1, and its members are dropped. If it would take too
 * long for its thread it returns RS_OP_AGAIN: its members are dropped too, and it runs again after others,
 * with job->cached unchanged.
 */
#ifndef RS_SERVICE_JOBS_H
#define RS_SERVICE_JOBS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "decode/event-ids.h"
#include "engine/files/fd-history.h"
#include "query/latency-dist.h"
#include "query/time-range.h"
#include "rpc/protocol.h"
#include "source/live/cgroup-counts.h"
#include "source/live/task-snapshot.h"

struct rs_service;

/* What only the analyzer thread knows about the time range of a job. */
struct rs_job_range {
	uint64_t from_ns, to_ns;      /* both included */
	bool is_whole;                /* no time was requested: all available data */
	uint64_t all_bytes;           /* of a file; otherwise 0 */
	uint64_t first_ns;            /* read from here on: a pin's begin; 0: what the window has */
	uint64_t before_bytes;        /* limit for reading before from_ns, see rs_time_range_config */
	struct rs_event_id_set recorded; /* of a file */
	bool is_recording;
	struct rs_task_snapshot living, created; /* the tasks at from_ns, and those that began after it */
	struct rs_cgroup_list cgroups; /* live: what control groups counted meanwhile */
	struct rs_pressure_list pressure; /* likewise, over time */
	struct rs_fd_socket_list fd_sockets; /* live: those of descriptors that were known then */
};

/*
 * When a request is about a time range. Then it runs in the worker thread, reads pages again (see
 * rs_job_range_open), and may take long. Otherwise it runs in the analyzer thread, between two batches: a few
 * milliseconds at most.
 */
enum rs_op_range { RS_RANGE_NEVER, RS_RANGE_IF_ASKED, RS_RANGE_ALWAYS };

#define RS_OP_AGAIN 1

struct rs_job {
	const struct rs_op *op;
	struct rs_service *service;
	struct rs_frame_message *frame; /* contains the request */
	uint32_t id;           /* from the client */
	const void *request;   /* struct rs_NAME_request */
	const struct rs_asked_time *time; /* of the request; NULL: it has none */
	struct rs_json reply;
	struct rs_buf text;    /* the buffer of reply */
	int fd;                /* of an op that .takes_fd; -1: none was passed. The server closes it */
	bool may_change;       /* the client is root or the owner */
	pid_t pid;             /* of the client; 0: unknown */
	const char *code;      /* of an error other than "usage" and "failed": see docs/protocol.md */
	atomic_bool dropped;   /* the client has closed: a long job may stop */
	void *cached;          /* kept between two runs of RS_OP_AGAIN; set by .prepare */
	void (*free_cached)(void *cached); /* if not NULL */
	uint32_t client;       /* the server's number of the client */
	uid_t uid;             /* whose client it is */
	struct rs_job_range *range; /* NULL: about "now" */
	struct rs_job_range *before; /* of an op with .before; else NULL */
	struct rs_value *lost_by_cpu; /* of the answer's counts */
	struct rs_job *next;   /* in a job list */
};

struct rs_op {
	const char *name;
	enum rs_op_range range; /* RS_RANGE_IF_ASKED: if the request has from_ns */
	bool (*needs_range)(const struct rs_job *job); /* also without from_ns; NULL: never */
	/* The other time of a request that compares two: it gets a range, too. NULL: there is one time */
	const struct rs_asked_time *(*before)(const void *request);
	bool changes;          /* only for root and the owner */
	bool takes_fd;         /* the client passes a descriptor */
	/*
	 * Runs before all jobs that are not quick: a new client, the screens' header and root do not wait
	 * until the time ranges that others asked for are prepared. In the analyzer thread, in microseconds.
	 */
	bool is_quick;
	/*
	 * Runs in the analyzer thread before the job of a time range: stores into job->cached what only that
	 * thread knows. May be NULL. Returns -1 with err.
	 */
	int (*prepare)(struct rs_job *job, struct rs_error *err);
	int (*run)(struct rs_job *job, struct rs_error *err);
};

/* All ops, ends with NULL. Generated from each `const struct rs_op rs_op_NAME` of the files op-*.c. */
const struct rs_op *const *rs_ops(void);
const struct rs_op *rs_job_find_op(const char *name); /* NULL: none */

/* ---- lists of jobs, from one thread to another: a lock is enough for a few requests a second ---- */

struct rs_job_list {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct rs_job *first, *last;
	bool closed;             /* no more jobs: rs_jobs_wait returns NULL */
};

void rs_jobs_init(struct rs_job_list *list);
void rs_jobs_done(struct rs_job_list *list); /* frees the remaining jobs */
/* the last, or of the quick ones at the front the last */
void rs_jobs_put(struct rs_job_list *list, struct rs_job *job);
struct rs_job *rs_jobs_take(struct rs_job_list *list);       /* NULL: no job now */
struct rs_job *rs_jobs_wait(struct rs_job_list *list);       /* waits for a job; NULL: closed */
void rs_jobs_close(struct rs_job_list *list);

/* Takes the frame with the request. Returns NULL without memory, after freeing the frame. */
struct rs_job *rs_job_new(const struct rs_op *op, struct rs_service *service, struct rs_frame_message *frame);
/* Reads the request as its op's message. Returns -1 with err if it is malformed. */
int rs_job_read_request(struct rs_job *job, struct rs_error *err);
void rs_job_free(struct rs_job *job);
/*
 * Runs the job. Returns true when job->text is the complete answer, false if it has to run again, after
 * others.
 */
bool rs_job_run(struct rs_job *job);
/* Answers with an error. */
void rs_job_refuse(struct rs_job *job, const char *code, const char *why);
void rs_job_fail(struct rs_job *job, const struct rs_error *err); /* from err and job->code */

/* ---- shared by several requests; -1: err ---- */

int rs_job_read_track(const char *name, struct rs_track_ref *ref, struct rs_error *err);
int rs_job_read_tracks(const char *const *names, size_t nr, struct rs_track_ref *refs, struct rs_error *err);
/* By number or name. */
int rs_job_read_kind(const struct rs_scalar *asked, const struct rs_timelines *t, unsigned int *kind,
		     struct rs_error *err);
/* Converts counts for the answer. Without memory the job fails at its end. */
void rs_job_counts(struct rs_job *job, const struct rs_quality *quality, struct rs_counts *counts);
/* Without a requested time: from 0 to UINT64_MAX. */
int rs_job_read_time(const struct rs_asked_time *asked, uint64_t *from_ns, uint64_t *to_ns,
		     struct rs_error *err);
/* Puts a span as an object; depth: UINT32_MAX if it was not determined. */
void rs_job_put_span(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s,
		     unsigned int depth);

/*
 * ---- jobs about a time range: analyze a part of the window or the file again ----
 *
 * They run in the worker thread, while the capture goes on. job->range has the tasks of that time, which the
 * worker thread cannot know.
 */

bool rs_job_is_requested(void *job); /* false: the client has closed */
/* Fills config with the job's time range and tasks, for these analyses. */
void rs_job_range_config(const struct rs_job *job, const struct rs_session_config *session,
			 struct rs_time_range_config *config);
const char *rs_job_range_code(enum rs_time_range_why why); /* for job->code */
/*
 * rs_job_range_open - opens the job's time range with these analyses. Returns NULL with err, and sets
 * job->code. The caller subscribes, calls rs_job_range_run, reads the results and frees it.
 */
struct rs_time_range *rs_job_range_open(struct rs_job *job, const struct rs_session_config *session,
					struct rs_error *err);
/* Likewise another range of the job. */
struct rs_time_range *rs_job_range_open_of(struct rs_job *job, const struct rs_job_range *range,
					   const struct rs_session_config *session, struct rs_error *err);
/* Runs to the end of the time range. Returns -1 with err, also if the client has closed. */
int rs_job_range_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err);

#endif
