// SPDX-License-Identifier: GPL-2.0-or-later
/* op-status.c - reports the daemon's own state and cost */
#include "service/op-status.h"

#include <stdlib.h>
#include <unistd.h>

#include "service/control.h"
#include "service/service.h"

static void list_analyses(struct rs_service *s, struct rs_status_analysis *list)
{
	const struct rs_session_config *config = &s->config.session;

	for (unsigned int i = 0; i < config->nr_analyses; i++)
		list[i] = (struct rs_status_analysis){ config->analyses[i]->name,
						       rs_session_disabled(s->session, config->analyses[i]) };
}

static void put_status(struct rs_job *job, struct rs_status_reply *reply)
{
	struct rs_control *control = job->service->config.control;
	struct rs_status_event *events = control ? calloc(rs_control_nr_events(control) + 1, sizeof *events) : NULL;
	struct rs_status_budget budget;
	struct rs_status_buffer buffer;

	if (events) {
		rs_control_status(control, &budget, &buffer, events);
		reply->tracing = rs_control_tracing(control);
		reply->warning = rs_control_warning(control);
		reply->budget = &budget;
		reply->buffer = &buffer;
		reply->events = events;
		reply->nr_events = rs_control_nr_events(control);
	}
	rs_message_put_members(&job->reply, &rs_status_reply_message, reply);
	free(events);
}

int rs_op_status_put(struct rs_job *job, struct rs_error *err)
{
	const struct rs_service_config *config = &job->service->config;
	struct rs_status_analysis analyses[RS_MAX_ANALYSES];
	struct rs_service_stats stats;
	struct rs_quality quality;
	struct rs_value *lost_by_cpu;
	struct rs_status_reply reply;

	rs_service_stats(job->service, &stats);
	rs_session_quality(job->service->session, &quality);
	lost_by_cpu = calloc(quality.nr_cpus + 1, sizeof *lost_by_cpu);
	if (!lost_by_cpu)
		return rs_fail(err, "status: out of memory");
	reply = (struct rs_status_reply){
		.version = RS_VERSION, .pid = (uint64_t)getpid(), .clients = job->service->nr_clients,
		.begin_ns = config->begin_ns, .now_ns = stats.now_ns, .oldest_ns = stats.from_ns, .window_bytes = stats.window_bytes,
		.window_ns = config->window_ns, .events_per_s = stats.events_per_s, .own_cpu_milli = stats.own_cpu_milli,
		.own_rss_bytes = stats.own_rss_bytes, .analyses = analyses, .nr_analyses = config->session.nr_analyses,
	};
	list_analyses(job->service, analyses);
	rs_protocol_counts(&quality, lost_by_cpu, &reply.counts);
	put_status(job, &reply);
	free(lost_by_cpu);
	return 0;
}

const struct rs_op rs_op_status = { .name = "status", .run = rs_op_status_put };
