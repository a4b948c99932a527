/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - passes requests from the server's thread to the thread that answers them
 *
 * A list with a lock is enough: there are a few requests a second.
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
	bool closed;             /* no more jobs: rs_jobs_wait returns NULL */
};

void rs_jobs_init(struct rs_job_list *list);
void rs_jobs_done(struct rs_job_list *list); /* frees the remaining jobs */
void rs_jobs_put(struct rs_job_list *list, struct rs_job *job);
struct rs_job *rs_jobs_take(struct rs_job_list *list);       /* NULL: no job now */
struct rs_job *rs_jobs_wait(struct rs_job_list *list);       /* waits for a job; NULL: closed */
void rs_jobs_close(struct rs_job_list *list);

/* Takes the frame with the request. Returns NULL without memory, after freeing the frame. */
struct rs_job *rs_job_new(const struct rs_op *op, struct rs_service *service, struct rs_frame_message *frame);
/* Reads the request as its op's message. Returns -1 with err if it is malformed. */
int rs_job_read_request(struct rs_job *job, struct rs_error *err);
void rs_job_free(struct rs_job *job);
/* Runs the job. Returns true when job->text is the complete answer, false if it has to run again, after others. */
bool rs_job_run(struct rs_job *job);
/* Answers with an error. */
void rs_job_refuse(struct rs_job *job, const char *code, const char *why);
void rs_job_fail(struct rs_job *job, const struct rs_error *err); /* from err and job->code */

#endif
