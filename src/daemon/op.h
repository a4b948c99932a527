/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * op.h - the requests of the protocol (docs/protocol.md): a file op-NAME.c and a row of rs_ops for each
 *
 * The server's thread reads a request, checks who may ask it, and hands it as a job to the thread that
 * the row names. run() reads job->request, whose depth and size have been checked, and adds members to
 * job->reply, an object that is open; on an error it returns -1 and what it added is thrown away.
 */
#ifndef RS_DAEMON_OP_H
#define RS_DAEMON_OP_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/json.h"

struct rs_service;

enum rs_op_place {
	RS_OP_SERVER,  /* at once, in the server's thread: reads what is atomic or its own */
	RS_OP_ENGINE,  /* between two turns of the analysis: a few milliseconds at most */
	RS_OP_PAST,    /* in the worker's thread: reads pages again; may take long */
};

struct rs_job {
	const struct rs_op *op;
	struct rs_service *service;
	const cJSON *request;
	struct rs_json reply;
	struct rs_buf text;    /* what reply writes to */
	int fd;                /* that the client passed with the request, -1 none; the server closes it */
	bool may_change;       /* root or the owner asks */
	bool *dropped;         /* of a PAST job: its client has gone, it may stop; NULL: nobody tells */
};

struct rs_op {
	const char *name;
	enum rs_op_place place;
	bool changes;          /* for root and the owner alone */
	int (*run)(struct rs_job *job, struct rs_error *err);
};

/* Ends with a NULL name. */
extern const struct rs_op *const rs_ops[];

#endif
