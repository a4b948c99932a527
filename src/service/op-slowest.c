// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "service/service.h"

#define MAX_KEPT 256
#define BUDGET 60000 /* spans; about ten nanoseconds each */

/* The slowest spans, collected while spans were emitted: of the last seconds if live, of the whole file otherwise. */
static size_t pop_slowest(struct rs_timelines *t, uint64_t from_ns, size_t limit, struct rs_slowest_span *to, size_t max)
{
	struct rs_long_span spans[RS_SLOWEST_TIMES * RS_SLOWEST_OF_EACH];
	const struct rs_slowest_kept *kept;
	size_t nr = 0;

	for (unsigned int kind = 0; rs_timelines_kind_number(t, kind); kind++) {
		size_t of_kind = (kept = rs_timelines_slowest(t, kind)) ? rs_slowest_kept_get(kept, from_ns, spans, limit) : 0;

		for (size_t i = 0; i < of_kind && nr < max; i++)
			if (spans[i].span.end_ns - spans[i].span.start_ns >= RS_SLOWEST_LEAST_NS)
				to[nr++] = (struct rs_slowest_span){
					.ref = { rs_track_type_of(spans[i].type), spans[i].id },
					.shape = rs_track_shape_of(spans[i].type), .span = spans[i].span,
				};
	}
	return nr;
}

static void op_slowest_put_slowest(struct rs_job *job, const struct rs_slowest_span *slowest, size_t nr)
{
	rs_message_open_list(&job->reply, "worst");
	for (size_t i = 0; i < nr; i++)
		rs_op_put_span(&job->reply, job->service->timelines, &slowest[i], UINT32_MAX);
	rs_json_close(&job->reply, ']');
}

/* Returns true if the collected spans answer the request: live without an end, for a file also without a begin. */
static bool is_kept(const struct rs_job *job, const struct rs_asked_time *time)
{
	return !time->to_ns.known && time->from_ns.known == (job->service->config.interval_ns > 0);
}

static int op_slowest_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_timelines *t = job->service->timelines;
	struct rs_slowest_span cached[MAX_KEPT], *slowest = NULL;
	const struct rs_slowest_request *request = job->request;
	uint64_t from_ns, to_ns;
	size_t nr;

	if (rs_op_read_time(&request->time, &from_ns, &to_ns, err) < 0)
		return -1;
	if (is_kept(job, &request->time)) {
		op_slowest_put_slowest(job, cached, pop_slowest(t, from_ns, request->limit, cached, MAX_KEPT));
		return 0;
	}
	slowest = rs_slowest_spans_find(t, from_ns, to_ns, request->limit, BUDGET, &nr);
	op_slowest_put_slowest(job, slowest, nr);
	free(slowest);
	return 0;
}

const struct rs_op rs_op_slowest = { .name = "worst", .run = op_slowest_run };
