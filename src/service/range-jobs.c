// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/range-jobs.h"

#include <stdlib.h>

#include "service/service.h"
#include "rpc/wire.h"

/* Read ahead of a stretch: calls and waits that are shorter, or that this many bytes of events hold, have their begin. */
#define BEFORE_NS 1000000000ull
#define RANGE_JOBS_BEFORE_BYTES (128ull << 20) /* a tenth of a second to read */
#define RANGE_JOBS_MAX_BYTES (2ull << 30)   /* some 40 M events, a few seconds of one CPU */

bool rs_range_job_is_asked(const struct rs_job *job)
{
	return job->op->place == RS_OP_TIME_RANGE || (job->op->has_time_range &&
						      job->op->has_time_range(job));
}

bool rs_range_job_has_range(const struct rs_job *job)
{
	return cJSON_GetObjectItemCaseSensitive(job->request, "from_ns") != NULL;
}

/* Asked here and not by the worker: which events are off, and so which views, changes in this thread. */
static bool is_fed(const struct rs_job *job, struct rs_error *err)
{
	const char *view = rs_wire_text_of(job->request, "view");
	struct rs_view_ref ref;

	return !view || rs_interval_rows_find(rs_service_now(job->service), view, &ref, err);
}

int rs_range_job_prepare(struct rs_job *job, struct rs_error *err)
{
	struct rs_range_job *past = calloc(1, sizeof *past);
	struct rs_service_stats stats;

	if (!past)
		return rs_fail(err, "cannot read the past: out of memory");
	job->past = past;
	if (!is_fed(job, err))
		return -1;
	rs_service_stats(job->service, &stats);
	past->all_bytes = stats.all_bytes;
	past->before_bytes = RANGE_JOBS_BEFORE_BYTES;
	if (!rs_wire_u64_of(job->request, "from_ns", stats.from_ns, &past->from_ns) ||
	    !rs_wire_u64_of(job->request, "to_ns", stats.now_ns, &past->to_ns))
		return rs_fail_usage(err, "from_ns and to_ns are times in nanoseconds");
	/* later pages are there of some CPUs, but not yet of all */
	if (rs_service_time_range_config(job->service)->window && past->to_ns > stats.now_ns)
		past->to_ns = stats.now_ns;
	if (past->from_ns > past->to_ns)
		return rs_fail_usage(err, "from_ns is after to_ns");
	/* of a file, where its own session has not come so far, nobody: it says itself who lived when */
	past->is_recording = rs_session_recorded(rs_service_session(job->service), &past->recorded);
	if (rs_session_initial_tasks(rs_service_session(job->service), past->from_ns, past->to_ns, &past->living, &past->created) < 0)
		return rs_fail(err, "cannot read the past: out of memory");
	return job->op->prepare ? job->op->prepare(job, err) : 0;
}

void rs_range_job_done(struct rs_range_job *past)
{
	if (!past)
		return;
	rs_task_snapshot_done(&past->living);
	rs_task_snapshot_done(&past->created);
	free(past);
}

const char *rs_range_job_code(enum rs_time_range_why why)
{
	return why == RS_TIME_RANGE_EXPIRED ? "gone" : why == RS_TIME_RANGE_EXPENSIVE ? "dear" : "failed";
}

void rs_range_job_config(const struct rs_job *job, const struct rs_session_config *session, struct rs_time_range_config *config)
{
	*config = (struct rs_time_range_config){
		.session = *session, .before_ns = BEFORE_NS, .before_bytes = job->past->before_bytes, .torn = true, .max_bytes = RANGE_JOBS_MAX_BYTES,
		.snapshot = job->past->living.row, .nr_initial = job->past->living.nr,
	};
	config->session.recorded = job->past->is_recording ? &job->past->recorded : NULL;
	config->session.from_ns = job->past->from_ns;
	config->session.to_ns = job->past->to_ns;
}

struct rs_time_range *rs_range_job_open(struct rs_job *job, const struct rs_session_config *session, struct rs_error *err)
{
	enum rs_time_range_why why = RS_TIME_RANGE_FAILED;
	struct rs_time_range_config config;
	struct rs_time_range *time_range;

	rs_range_job_config(job, session, &config);
	time_range = rs_time_range_open(rs_service_time_range_config(job->service), &config, &why, err);
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
	int status = rs_time_range_run(time_range, range_jobs_is_requested, job, err);

	if (status < 0)
		job->code = rs_range_job_code(rs_time_range_why(time_range));
	return status == 0 ? 0 : -1;
}
