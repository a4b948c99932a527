/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - requests on their way from the server's thread to the one that knows the answer
 *
 * A list with a lock: a few requests a second, never an event.
 */
#ifndef RS_SERVICE_JOBS_H
#define RS_SERVICE_JOBS_H

#include <pthread.h>
#include <stdbool.h>

#include "service/op.h"

struct rs_job_list {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct rs_job *first, *last;
	bool closed;             /* nothing more is done: whoever waits returns */
};

void rs_jobs_init(struct rs_job_list *list);
void rs_jobs_done(struct rs_job_list *list); /* what is still there is freed */
void rs_jobs_put(struct rs_job_list *list, struct rs_job *job);
struct rs_job *rs_jobs_take(struct rs_job_list *list);       /* NULL: none now */
struct rs_job *rs_jobs_wait(struct rs_job_list *list);       /* until there is one; NULL: closed */
void rs_jobs_close(struct rs_job_list *list);

/* The frame, which has the request, becomes the job's. NULL: no memory, and the frame is freed. */
struct rs_job *rs_job_new(const struct rs_op *op, struct rs_service *service, struct rs_frame_message *frame);
/* Reads the request as its op's messages have it. -1: err, it makes no sense. */
int rs_job_read_request(struct rs_job *job, struct rs_error *err);
void rs_job_free(struct rs_job *job);
/* Runs it: job->text is the whole answer then. False: it wants to run again, after others. */
bool rs_job_run(struct rs_job *job);
/* The answer is a refusal. */
void rs_job_refuse(struct rs_job *job, const char *code, const char *why);
void rs_job_fail(struct rs_job *job, const struct rs_error *err); /* by err and job->code */

#endif
