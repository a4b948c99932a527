// SPDX-License-Identifier: GPL-2.0-or-later
/* op-status.c - reports what the engine does and costs, and turns tracing or single events off and on */
#include <stdlib.h>
#include <unistd.h>

#include "service/alarms.h"
#include "service/control.h"
#include "service/learner.h"
#include "service/service.h"

/* ---- state: for screens ---- */

/* what: room for the text that it returns. */
static const char *op_status_changed(const struct rs_control *control, char what[RS_PAUSE_WHAT_BYTES])
{
	if (!control)
		return NULL;
	rs_changes_now(&rs_control_capture(control)->switches, what);
	return *what ? what : NULL;
}

static const char *op_status_unusual(const struct rs_service *s)
{
	return s->config.learner ? rs_learner_sentence(s->config.learner) : NULL;
}

static int op_state_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_control *control = job->service->config.control;
	const struct rs_alarms *alarms = job->service->config.alarms;
	const struct rs_rates *rates = &job->service->rates;
	struct rs_rate list[RS_MAX_RATES];
	struct rs_service_stats stats;
	struct rs_quality quality;
	struct rs_window_pin pin;
	bool has_pin = job->service->window && rs_window_pins_find(job->service->window, job->client, &pin);
	struct rs_state_reply reply;
	char what[RS_PAUSE_WHAT_BYTES];

	(void)err;
	rs_service_stats(job->service, &stats);
	rs_session_quality(job->service->session, &quality);
	for (unsigned int i = 0; i < rates->nr; i++)
		list[i] = (struct rs_rate){ rates->list[i].name, rates->list[i].per_s };
	reply = (struct rs_state_reply){
		.now_ns = rs_u(stats.now_ns),
		.oldest_ns = rs_u(stats.from_ns),
		.lost_to_ns = rs_u_if(quality.lost_to_ns, quality.lost_to_ns),
		.events_per_s = rs_u(stats.events_per_s),
		.interval = rs_interval_rows_interval(job->service->interval_rows),
		.ended = stats.ended,
		.loading = stats.loading ? &(struct rs_loading){ stats.done_bytes, stats.all_bytes } : NULL,
		.own_cpu_milli = rs_u(stats.own_cpu_milli),
		.own_rss_bytes = rs_u_if(stats.own_rss_bytes, stats.own_rss_bytes),
		.window_bytes = stats.window_bytes,
		.rates = list,
		.nr_rates = rates->nr,
		.tracing = control && !stats.ended &&
			   rs_switches_tracing(&rs_control_capture(control)->switches),
		.changed_now = op_status_changed(control, what),
		.warning = control ? rs_control_warning(control) : NULL,
		.last_alarm = alarms ? rs_alarms_last(alarms) : 0,
		.unusual = op_status_unusual(job->service),
		.pin = has_pin ? &(struct rs_pin_reply){ pin.from_ns, pin.to_ns, pin.bytes } : NULL,
	};
	rs_job_counts(job, &quality, &reply.counts);
	rs_message_put_members(&job->reply, &rs_state_reply_message, &reply);
	return 0;
}

const struct rs_op rs_op_state = { .name = "state", .is_quick = true, .run = op_state_run };

/* ---- status: for ringside status ---- */

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
	struct rs_status_event *events = control ? calloc(rs_control_nr_events(control) + 1, sizeof *events) :
						   NULL;
	struct rs_status_budget budget;
	struct rs_status_buffer buffer;
	char what[RS_PAUSE_WHAT_BYTES];

	if (events) {
		rs_control_status(control, &budget, &buffer, events);
		reply->tracing = rs_switches_tracing(&rs_control_capture(control)->switches);
		reply->changed_now = op_status_changed(control, what);
		reply->warning = rs_control_warning(control);
		reply->budget = &budget;
		reply->buffer = &buffer;
		reply->events = events;
		reply->nr_events = rs_control_nr_events(control);
	}
	rs_message_put_members(&job->reply, &rs_status_reply_message, reply);
	free(events);
}

static int op_status_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_service_config *config = &job->service->config;
	struct rs_status_analysis analyses[RS_MAX_ANALYSES];
	struct rs_service_stats stats;
	struct rs_quality quality;
	struct rs_status_reply reply;

	(void)err;
	rs_service_stats(job->service, &stats);
	rs_session_quality(job->service->session, &quality);
	reply = (struct rs_status_reply){
		.version = RS_VERSION, .pid = (uint64_t)getpid(), .clients = job->service->nr_clients,
		.begin_ns = config->begin_ns, .now_ns = stats.now_ns, .oldest_ns = stats.from_ns,
		.window_bytes = stats.window_bytes,
		.window_ns = config->window_ns, .events_per_s = stats.events_per_s,
		.own_cpu_milli = stats.own_cpu_milli,
		.own_rss_bytes = stats.own_rss_bytes, .unusual = op_status_unusual(job->service),
		.analyses = analyses,
		.nr_analyses = config->session.nr_analyses,
	};
	list_analyses(job->service, analyses);
	rs_job_counts(job, &quality, &reply.counts);
	put_status(job, &reply);
	return 0;
}

const struct rs_op rs_op_status = { .name = "status", .is_quick = true, .run = op_status_run };

/* ---- trace: for root and the owner ---- */

static bool op_trace_is_on(const struct rs_control *control, size_t event)
{
	bool on = false;

	return rs_switches_nth(&rs_control_capture(control)->switches, event, &on) && on;
}

/* Undoes the changes, the last first: half of a pair switched off is worse than the cost of both events. */
static void take_back(struct rs_job *job, const size_t *events, const bool *was_on, size_t nr)
{
	struct rs_control *control = job->service->config.control;
	struct rs_error ignored = { 0 };

	while (nr-- > 0)
		if (op_trace_is_on(control, events[nr]) != was_on[nr])
			rs_control_event(control, job->service->session, events[nr], was_on[nr], &ignored);
}

static int turn_events(struct rs_job *job, size_t *events, bool *was_on, size_t *nr, struct rs_error *err)
{
	struct rs_control *control = job->service->config.control;
	const struct rs_trace_request *request = job->request;

	for (size_t i = 0; i < request->nr_events; i++)
		if (rs_switches_find(&rs_control_capture(control)->switches, request->events[i].event,
				     &events[i], err) < 0)
			return -1;
	for (; *nr < request->nr_events; ++*nr) {
		was_on[*nr] = op_trace_is_on(control, events[*nr]);
		if (rs_control_event(control, job->service->session, events[*nr], request->events[*nr].on,
				     err) < 0)
			return -1;
	}
	return 0;
}

/* Changes all that was requested, or nothing: half of a request is worse than none. */
static int op_trace_set_tracing(struct rs_job *job, struct rs_error *err)
{
	const struct rs_trace_request *request = job->request;
	size_t nr = 0, *events = calloc(request->nr_events + 1, sizeof *events);
	bool *was_on = calloc(request->nr_events + 1, sizeof *was_on);
	int ret = events && was_on ? 0 : rs_fail(err, "trace: out of memory");

	if (!ret)
		ret = turn_events(job, events, was_on, &nr, err);
	if (!ret && request->set.known)
		ret = rs_control_trace(job->service->config.control, request->set.u, err);
	if (ret && events && was_on)
		take_back(job, events, was_on, nr);
	free(events);
	free(was_on);
	return ret;
}

static int op_trace_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_trace_request *request = job->request;

	if (!job->service->config.control)
		return rs_fail_usage(err, "trace: this is no capture that could be changed");
	if (!request->set.known && !request->events)
		return rs_fail_usage(err, "trace: \"set\" or \"events\" is missing");
	return op_trace_set_tracing(job, err) < 0 ? -1 : op_status_run(job, err);
}

const struct rs_op rs_op_trace = { .name = "trace", .changes = true, .is_quick = true, .run = op_trace_run };
