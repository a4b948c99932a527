/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range-jobs.h - jobs of the past: what is in the window, or the file, between two times is analysed anew
 *
 * In the thread of the analysis, which alone knows them, the names of those times are taken (rs_range_job_prepare: the
 * service does it); the worker's thread then reads the stretch (rs_past_read), while the capture goes on.
 */
#ifndef RS_SERVICE_RANGE_JOBS_H
#define RS_SERVICE_RANGE_JOBS_H

#include "service/op.h"
#include "decode/event-ids.h"
#include "query/time-range.h"

struct rs_range_job {
	uint64_t from_ns, to_ns;      /* both included */
	uint64_t all_bytes;           /* of a file; else 0 */
	uint64_t before_bytes;        /* so much is read before from_ns at most, see rs_time_range_config */
	struct rs_event_id_set recorded; /* of a file */
	bool is_recording;
	struct rs_task_snapshot living, created; /* who lived at from_ns; who began after it */
};

/* "from_ns" is there: the request asks about a time range, and not about now. */
bool rs_range_job_has_range(const struct rs_job *job);
/* This job, which has an op, is one of the past: by its op's place, or by what the request says. */
bool rs_range_job_is_asked(const struct rs_job *job);
/*
 * By the request's from_ns and to_ns; without them: as far back as there is, up to now. -1: err; its view, if it names
 * one, is not fed, too.
 */
int rs_range_job_prepare(struct rs_job *job, struct rs_error *err);
void rs_range_job_done(struct rs_range_job *past); /* may be NULL */

/* The job's time, and who lived then. */
void rs_range_job_config(const struct rs_job *job, const struct rs_session_config *session, struct rs_time_range_config *config);
const char *rs_range_job_code(enum rs_time_range_why why); /* for job->code */
/*
 * rs_range_job_open - a stretch of the job's time with these analyses. NULL: err, and job->code says of what kind. The
 * caller listens, runs it by rs_range_job_run, asks, frees it.
 */
struct rs_time_range *rs_range_job_open(struct rs_job *job, const struct rs_session_config *session, struct rs_error *err);
/* To its end. -1: err, or the client has gone. */
int rs_range_job_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err);

#endif
