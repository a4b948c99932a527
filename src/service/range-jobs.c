// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/range-jobs.h"

#include "service/service.h"

#define BEFORE_NS 1000000000ull           /* read before the range, to find the begin of calls and waits up to this long */
#define RANGE_JOBS_MAX_BYTES (2ull << 30) /* about 40 M events, a few seconds of one CPU */

const char *rs_range_job_code(enum rs_time_range_why why)
{
	return why == RS_TIME_RANGE_EXPIRED ? "expired" : why == RS_TIME_RANGE_EXPENSIVE ? "limit" : "failed";
}

void rs_range_job_config(const struct rs_job *job, const struct rs_session_config *session, struct rs_time_range_config *config)
{
	*config = (struct rs_time_range_config){
		.session = *session, .before_ns = BEFORE_NS, .before_bytes = job->range->before_bytes, .max_bytes = RANGE_JOBS_MAX_BYTES,
		.snapshot = job->range->living.row, .nr_initial = job->range->living.nr,
	};
	config->session.recorded = job->range->is_recording ? &job->range->recorded : NULL;
	config->session.from_ns = job->range->from_ns;
	config->session.to_ns = job->range->to_ns;
}

struct rs_time_range *rs_range_job_open(struct rs_job *job, const struct rs_session_config *session, struct rs_error *err)
{
	enum rs_time_range_why why = RS_TIME_RANGE_FAILED;
	struct rs_time_range_config config;
	struct rs_time_range *time_range;

	rs_range_job_config(job, session, &config);
	time_range = rs_time_range_open(&job->service->origin, &config, &why, err);
	if (!time_range)
		job->code = rs_range_job_code(why);
	return time_range;
}

static bool range_jobs_is_requested(void *arg)
{
	return !atomic_load(&((struct rs_job *)arg)->dropped);
}

int rs_range_job_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err)
{
	return rs_time_range_run(time_range, range_jobs_is_requested, job, err) == 0 ? 0 : -1;
}
