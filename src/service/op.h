/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op.h - the requests of the protocol (docs/protocol.md): a file op-NAME.c and a row of rs_ops for each
 *
 * The server's thread reads a request, checks who may ask it, and hands it as a job to the thread that
 * the row names. run() reads job->request, whose depth and size have been checked, and adds members to
 * job->reply, an object that is open; on an error it returns -1 and what it added is thrown away.
 * What takes longer than its place allows returns RS_OP_AGAIN: what it added is thrown away too, and it runs again
 * after others had their turn, with job->kept as it left it.
 */
#ifndef RS_SERVICE_OP_H
#define RS_SERVICE_OP_H

#include <sys/types.h>
#include <cjson/cJSON.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/json.h"

struct rs_service;
struct rs_range_job;

enum rs_op_place {
	RS_OP_SERVER,  /* at once, in the server's thread: reads what is atomic or its own */
	RS_OP_ENGINE,  /* between two turns of the analysis: a few milliseconds at most */
	RS_OP_TIME_RANGE,    /* in the worker's thread: reads pages again, see past.h; may take long */
};

#define RS_OP_AGAIN 1

struct rs_job {
	const struct rs_op *op;
	struct rs_service *service;
	cJSON *request;
	struct rs_json reply;
	struct rs_buf text;    /* what reply writes to */
	int fd;                /* that the client passed with the request, -1 none; the server closes it */
	bool may_change;       /* root or the owner asks */
	pid_t pid;             /* who asks; 0 unknown */
	const char *code;      /* of an error that is neither "usage" nor "failed": see docs/protocol.md */
	atomic_bool dropped;   /* its client has gone: a long job may stop */
	void *cached;            /* between two runs of RS_OP_AGAIN; what .prepare took */
	void (*free_cached)(void *cached); /* where kept is not NULL */
	uint32_t client;       /* the server's number of who asked */
	struct rs_range_job *past; /* of what time, and who lived then: of a job of the past alone */
	struct rs_job *next;   /* in the list that it waits in */
};

/* An answer that is a refusal. */
void rs_job_refuse(struct rs_job *job, const char *code, const char *why);

struct rs_op {
	const char *name;
	enum rs_op_place place;
	bool (*has_time_range)(const struct rs_job *job); /* asks for what is of RS_OP_TIME_RANGE instead; NULL: by place alone */
	bool changes;          /* for root and the owner alone */
	/* Of RS_OP_TIME_RANGE, before it: takes into job->kept what the thread of the analysis alone knows. May be NULL. -1: err */
	int (*prepare)(struct rs_job *job, struct rs_error *err);
	int (*run)(struct rs_job *job, struct rs_error *err);
};

/* All of them, ends with NULL: made from the files that are there, each ends in `const struct rs_op rs_op_NAME`. */
const struct rs_op *const *rs_ops(void);
const struct rs_op *rs_server_find_op(const char *name); /* NULL: none */

#endif
