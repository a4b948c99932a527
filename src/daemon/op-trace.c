// SPDX-License-Identifier: GPL-2.0-or-later
/* op-trace.c - tracing, or single events, off and on: for root and the owner */
#include <string.h>

#include "daemon/control.h"
#include "daemon/op-status.h"
#include "daemon/service.h"
#include "daemon/wire.h"

/* A second look at what was asked before anything is done: half of a request is worse than none. */
static int check(const struct rs_job *job, struct rs_error *err)
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

static int run(struct rs_job *job, struct rs_error *err)
{
	struct rs_control *control = rs_service_config(job->service)->control;
	struct rs_session *session = rs_service_session(job->service);
	const char *set = rs_wire_text_of(job->request, "set");
	const cJSON *event;

	if (check(job, err) < 0)
		return -1;
	cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(job->request, "events"))
		if (rs_control_event(control, session, event->string, cJSON_IsTrue(event), err) < 0)
			return -1;
	if (set && rs_control_trace(control, !strcmp(set, "on"), err) < 0)
		return -1;
	return rs_put_status(job, err);
}

const struct rs_op rs_op_trace = { .name = "trace", .place = RS_OP_ENGINE, .changes = true, .run = run };
