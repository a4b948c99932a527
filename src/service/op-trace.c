// SPDX-License-Identifier: GPL-2.0-or-later
/* op-trace.c - turns tracing or single events off and on: for root and the owner */
#include <stdlib.h>

#include "service/control.h"
#include "service/op-status.h"
#include "service/service.h"

/* Undoes the changes, the last first: half of a pair switched off is worse than the cost of both events. */
static void take_back(struct rs_job *job, const size_t *events, const bool *was_on, size_t nr)
{
	struct rs_control *control = job->service->config.control;
	struct rs_error ignored = { 0 };

	while (nr-- > 0)
		if (rs_control_event_on(control, events[nr]) != was_on[nr])
			rs_control_event(control, job->service->session, events[nr], was_on[nr], &ignored);
}

static int turn_events(struct rs_job *job, size_t *events, bool *was_on, size_t *nr, struct rs_error *err)
{
	struct rs_control *control = job->service->config.control;
	const struct rs_trace_request *request = job->request;

	for (size_t i = 0; i < request->nr_events; i++)
		if (rs_control_find_event(control, request->events[i].event, &events[i], err) < 0)
			return -1;
	for (; *nr < request->nr_events; ++*nr) {
		was_on[*nr] = rs_control_event_on(control, events[*nr]);
		if (rs_control_event(control, job->service->session, events[*nr], request->events[*nr].on, err) < 0)
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
	return op_trace_set_tracing(job, err) < 0 ? -1 : rs_op_status_put(job, err);
}

const struct rs_op rs_op_trace = { .name = "trace", .changes = true, .run = op_trace_run };
