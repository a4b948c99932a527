// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "query/rates.h"
#include "service/control.h"
#include "service/service.h"

static void op_state_put_answer(struct rs_job *job, struct rs_state_reply *reply)
{
	struct rs_control *control = job->service->config.control;
	const struct rs_rates *rates = &job->service->rates;
	struct rs_rate list[RS_MAX_RATES];

	for (unsigned int i = 0; i < rates->nr; i++)
		list[i] = (struct rs_rate){ rates->list[i].name, rates->list[i].per_s };
	reply->rates = list;
	reply->nr_rates = rates->nr;
	reply->tracing = control && !reply->ended && rs_control_tracing(control);
	reply->warning = control ? rs_control_warning(control) : NULL;
	rs_message_put_members(&job->reply, &rs_state_reply_message, reply);
}

static int op_state_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_service_stats stats;
	struct rs_quality quality;
	struct rs_value *lost_by_cpu;
	struct rs_state_reply reply;

	rs_service_stats(job->service, &stats);
	rs_session_quality(job->service->session, &quality);
	lost_by_cpu = calloc(quality.nr_cpus + 1, sizeof *lost_by_cpu);
	if (!lost_by_cpu)
		return rs_fail(err, "state: out of memory");
	reply = (struct rs_state_reply){
		.now_ns = rs_u(stats.now_ns), .oldest_ns = rs_u(stats.from_ns), .lost_to_ns = rs_u_if(quality.lost_to_ns, quality.lost_to_ns),
		.events_per_s = rs_u(stats.events_per_s), .interval = rs_interval_rows_interval(job->service->interval_rows),
		.ended = stats.ended, .loading = stats.loading ? &(struct rs_loading){ stats.done_bytes, stats.all_bytes } : NULL,
		.own_cpu_milli = rs_u(stats.own_cpu_milli), .own_rss_bytes = rs_u_if(stats.own_rss_bytes, stats.own_rss_bytes),
		.window_bytes = stats.window_bytes,
	};
	rs_protocol_counts(&quality, lost_by_cpu, &reply.counts);
	op_state_put_answer(job, &reply);
	free(lost_by_cpu);
	return 0;
}

const struct rs_op rs_op_state = { .name = "state", .run = op_state_run };
