/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range-jobs.h - jobs about a time range: analyze a part of the window or the file again
 *
 * They run in the worker thread, while the capture goes on. job->range has the tasks of that time, which the worker
 * thread cannot know.
 */
#ifndef RS_SERVICE_RANGE_JOBS_H
#define RS_SERVICE_RANGE_JOBS_H

#include "query/time-range.h"
#include "service/op.h"

/* Fills config with the job's time range and tasks, for these analyses. */
void rs_range_job_config(const struct rs_job *job, const struct rs_session_config *session, struct rs_time_range_config *config);
const char *rs_range_job_code(enum rs_time_range_why why); /* for job->code */
/*
 * rs_range_job_open - opens the job's time range with these analyses. Returns NULL with err, and sets job->code. The
 * caller subscribes, calls rs_range_job_run, reads the results and frees it.
 */
struct rs_time_range *rs_range_job_open(struct rs_job *job, const struct rs_session_config *session, struct rs_error *err);
/* Runs to the end of the time range. Returns -1 with err, also if the client has closed. */
int rs_range_job_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err);

#endif
