/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range-jobs.h - jobs about a time range: what is in the window, or the file, between two times is analyzed anew
 *
 * In the worker's thread, while the capture goes on. What that thread cannot know, the tasks of those times, is in
 * job->range by then.
 */
#ifndef RS_SERVICE_RANGE_JOBS_H
#define RS_SERVICE_RANGE_JOBS_H

#include "query/time-range.h"
#include "service/op.h"

/* The job's time and its tasks, for these analyses. */
void rs_range_job_config(const struct rs_job *job, const struct rs_session_config *session, struct rs_time_range_config *config);
const char *rs_range_job_code(enum rs_time_range_why why); /* for job->code */
/*
 * rs_range_job_open - the job's time with these analyses. NULL: err, and job->code says of what kind. The caller
 * subscribes, runs it by rs_range_job_run, asks, frees it.
 */
struct rs_time_range *rs_range_job_open(struct rs_job *job, const struct rs_session_config *session, struct rs_error *err);
/* To its end. -1: err, or the client is gone. */
int rs_range_job_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err);

#endif
