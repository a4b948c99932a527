// SPDX-License-Identifier: GPL-2.0-or-later
/* op-trace.c - tracing, or single events, off and on: for root and the owner */
#include <stdlib.h>
#include <string.h>

#include "service/control.h"
#include "service/op-status.h"
#include "service/service.h"
#include "rpc/wire.h"

/* A second look at what was asked before anything is done: half of a request is worse than none. */
static int op_trace_check(const struct rs_job *job, struct rs_error *err)
{
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(job->request, "set"), *event;
	const cJSON *events = cJSON_GetObjectItemCaseSensitive(job->request, "events");

	if (!rs_service_config(job->service)->control)
		return rs_fail_usage(err, "trace: this is no capture that could be changed");
	if (!set && !events)
		return rs_fail_usage(err, "trace: \"set\" or \"events\" is missing");
	if (set && (!cJSON_IsString(set) || (strcmp(set->valuestring, "on") && strcmp(set->valuestring, "off"))))
		return rs_fail_usage(err, "trace: \"set\" is \"on\" or \"off\"");
	if (events && !cJSON_IsObject(events))
		return rs_fail_usage(err, "trace: \"events\" is an object");
	cJSON_ArrayForEach(event, events)
		if (!cJSON_IsBool(event))
			return rs_fail_usage(err, "trace: '%.80s' is to be true or false", event->string);
	return 0;
}

/* What has been changed so far goes back, the last first: half of a pair that is off is worse than the cost of both. */
static void take_back(struct rs_job *job, const size_t *events, const bool *was_on, size_t nr)
{
	struct rs_control *control = rs_service_config(job->service)->control;
	struct rs_error ignored = { 0 };

	while (nr-- > 0)
		if (rs_control_event_on(control, events[nr]) != was_on[nr])
			rs_control_event(control, rs_service_session(job->service), events[nr], was_on[nr], &ignored);
}

static int turn_events(struct rs_job *job, const cJSON *asked, size_t *events, bool *was_on, size_t *nr, struct rs_error *err)
{
	struct rs_control *control = rs_service_config(job->service)->control;
	const cJSON *event;
	size_t i = 0;

	cJSON_ArrayForEach(event, asked)
		if (rs_control_find_event(control, event->string, &events[i++], err) < 0)
			return -1;
	cJSON_ArrayForEach(event, asked) {
		was_on[*nr] = rs_control_event_on(control, events[*nr]);
		if (rs_control_event(control, rs_service_session(job->service), events[*nr], cJSON_IsTrue(event), err) < 0)
			return -1;
		(*nr)++;
	}
	return 0;
}

/* All of what was asked, or nothing. */
static int op_trace_set_tracing(struct rs_job *job, struct rs_error *err)
{
	const cJSON *asked = cJSON_GetObjectItemCaseSensitive(job->request, "events");
	const char *set = rs_wire_text_of(job->request, "set");
	size_t room = (size_t)cJSON_GetArraySize(asked) + 1, nr = 0, *events = calloc(room, sizeof *events);
	bool *was_on = calloc(room, sizeof *was_on);
	int ret = events && was_on ? 0 : rs_fail(err, "trace: out of memory");

	if (!ret)
		ret = turn_events(job, asked, events, was_on, &nr, err);
	if (!ret && set)
		ret = rs_control_trace(rs_service_config(job->service)->control, !strcmp(set, "on"), err);
	if (ret)
		take_back(job, events, was_on, nr);
	free(events);
	free(was_on);
	return ret;
}

static int op_trace_run(struct rs_job *job, struct rs_error *err)
{
	if (op_trace_check(job, err) < 0 || op_trace_set_tracing(job, err) < 0)
		return -1;
	return rs_op_status_put(job, err);
}

const struct rs_op rs_op_trace = { .name = "trace", .place = RS_OP_ENGINE, .changes = true,
				   .run = op_trace_run };
