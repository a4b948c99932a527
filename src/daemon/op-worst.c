// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "daemon/service.h"
#include "daemon/wire-span.h"

#define DEFAULT_WORST 3
#define BUDGET 200000 /* spans; some ten nanoseconds each */

static int run(struct rs_job *job, struct rs_error *err)
{
	struct rs_timelines *t = rs_service_timelines(job->service);
	struct rs_slow_span *worst;
	uint64_t from_ns, to_ns, limit;
	size_t nr;

	if (rs_read_time(job->request, &from_ns, &to_ns, err) < 0 ||
	    rs_read_number(job->request, "limit", DEFAULT_WORST, RS_WORST_MOST, &limit, err) < 0)
		return -1;
	worst = rs_worst(t, from_ns, to_ns, limit, BUDGET, &nr);
	rs_json_key(&job->reply, "worst");
	rs_json_open(&job->reply, '[');
	for (size_t i = 0; i < nr; i++)
		rs_wire_span(&job->reply, t, &worst[i], RS_DEPTH_UNKNOWN);
	rs_json_close(&job->reply, ']');
	free(worst);
	return 0;
}

const struct rs_op rs_op_worst = { .name = "worst", .place = RS_OP_ENGINE, .run = run };
