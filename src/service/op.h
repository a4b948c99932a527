/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op.h - the requests of the protocol (docs/protocol.md): a file op-NAME.c and a row of rs_ops for each
 *
 * The server's thread reads a request, checks who may ask it, and hands it as a job to the thread that
 * the row names. run() gets job->request, the struct that rpc/messages.inc has for it, and adds members to
 * job->reply, an object that is open; on an error it returns -1 and what it added is thrown away.
 * What takes longer than its place allows returns RS_OP_AGAIN: what it added is thrown away too, and it runs again
 * after others, with job->cached as it left it.
 */
#ifndef RS_SERVICE_OP_H
#define RS_SERVICE_OP_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/error.h"
#include "decode/event-ids.h"
#include "query/slowest-spans.h"
#include "rpc/protocol.h"
#include "source/task-snapshot.h"

struct rs_service;

/* What the thread of the analysis alone knows of the time that a job of RS_OP_TIME_RANGE is about. */
struct rs_job_range {
	uint64_t from_ns, to_ns;      /* both included */
	bool is_whole;                /* no time was asked for: as far back as there is, up to now */
	uint64_t all_bytes;           /* of a file; else 0 */
	uint64_t before_bytes;        /* so much is read before from_ns at most, see rs_time_range_config */
	struct rs_event_id_set recorded; /* of a file */
	bool is_recording;
	struct rs_task_snapshot living, created; /* the tasks at from_ns; those that began after it */
};

enum rs_op_place {
	RS_OP_SERVER,  /* at once, in the server's thread: reads what is atomic or its own */
	RS_OP_ENGINE,  /* between two batches of the analysis: a few milliseconds at most */
	RS_OP_TIME_RANGE,    /* in the worker's thread: reads pages again, see range-jobs.h; may take long */
};

#define RS_OP_AGAIN 1

struct rs_job {
	const struct rs_op *op;
	struct rs_service *service;
	struct rs_frame_message *frame; /* that has the request */
	uint32_t id;           /* the client's */
	const void *request;   /* struct rs_NAME_request */
	struct rs_json reply;
	struct rs_buf text;    /* what reply writes to */
	int fd;                /* that the client passed with the request, -1 none; the server closes it */
	bool may_change;       /* root or the owner asks */
	pid_t pid;             /* who asks; 0 unknown */
	const char *code;      /* of an error that is neither "usage" nor "failed": see docs/protocol.md */
	atomic_bool dropped;   /* its client has gone: a long job may stop */
	void *cached;          /* between two runs of RS_OP_AGAIN; what .prepare took */
	void (*free_cached)(void *cached); /* where it is not NULL */
	uint32_t client;       /* the server's number of who asked */
	struct rs_job_range *range; /* NULL: it is of now */
	struct rs_job *next;   /* in the list that it waits in */
};

struct rs_op {
	const char *name;
	enum rs_op_place place;
	bool has_time_range;   /* with from_ns it is of RS_OP_TIME_RANGE instead */
	bool (*needs_range)(const struct rs_job *job); /* also without it; NULL: never */
	bool changes;          /* for root and the owner alone */
	/* Of RS_OP_TIME_RANGE, before it: takes into job->cached what the thread of the analysis alone knows. May be NULL. -1: err */
	int (*prepare)(struct rs_job *job, struct rs_error *err);
	int (*run)(struct rs_job *job, struct rs_error *err);
};

/* All of them, ends with NULL: made from the files that are there, each ends in `const struct rs_op rs_op_NAME`. */
const struct rs_op *const *rs_ops(void);
const struct rs_op *rs_server_find_op(const char *name); /* NULL: none */

/* ---- what requests and answers of several ops have: op.c; -1: err ---- */

int rs_op_read_track(const char *name, struct rs_track_ref *ref, struct rs_error *err);
int rs_op_read_tracks(const char *const *names, size_t nr, struct rs_track_ref *refs, struct rs_error *err);
/* By number or name. */
int rs_op_read_kind(const struct rs_scalar *asked, const struct rs_timelines *t, unsigned int *kind, struct rs_error *err);
/* Of a time that is not asked for: from 0 to UINT64_MAX. */
int rs_op_read_time(const struct rs_asked_time *asked, uint64_t *from_ns, uint64_t *to_ns, struct rs_error *err);
/* The object of a span; depth: UINT32_MAX where it was not determined. */
void rs_op_put_span(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s, unsigned int depth);

#endif
