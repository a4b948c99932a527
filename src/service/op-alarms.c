// SPDX-License-Identifier: GPL-2.0-or-later
/* op-alarms - the conditions that the daemon judges, and which of them fired */
#include "service/alarms.h"
#include "service/service.h"

static const char *op_alarms_name(const char *name)
{
	return *name ? name : NULL;
}

static size_t op_alarms_fill_conditions(const struct rs_service *s, const struct rs_when *when,
					struct rs_wire_condition *to)
{
	const struct rs_condition *c;
	size_t nr = 0;

	for (; when && (c = rs_when_condition(when, (unsigned int)nr)); nr++) {
		const struct rs_alarm *alarm = rs_when_alarm(when, (unsigned int)nr);

		to[nr] = (struct rs_wire_condition){
			.text = c->text, .name = op_alarms_name(c->name), .on = alarm->is_on,
			.nr_fired = alarm->nr_fired, .nr_held_back = alarm->nr_held_back,
			.why = c->ref.analysis ? rs_session_disabled(s->session, c->ref.analysis) : NULL };
	}
	return nr;
}

static size_t op_alarms_fill_records(const struct rs_alarms *alarms, uint64_t after, struct rs_wire_alarm *to)
{
	const struct rs_alarm_record *r;
	size_t nr = 0;

	for (; nr < RS_ALARMS_MOST && (r = rs_alarms_next(alarms, after)); after = r->number)
		to[nr++] = (struct rs_wire_alarm){
			.number = r->number, .when = r->text, .name = op_alarms_name(r->name),
			.sentence = r->sentence, .from_ns = r->from_ns, .to_ns = r->to_ns,
			.nr_rows = r->nr_rows, .recording = r->recording };
	return nr;
}

static int op_alarms_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_alarms_request *request = job->request;
	const struct rs_alarms *alarms = job->service->config.alarms;
	struct rs_wire_condition conditions[RS_WHEN_MOST];
	struct rs_wire_alarm records[RS_ALARMS_MOST];
	struct rs_alarms_reply reply = { .conditions = conditions, .alarms = records };
	struct rs_quality quality;

	rs_session_quality(job->service->session, &quality);
	reply.now_ns = rs_session_now_ns(job->service->session);
	reply.realtime_offset_ns = (struct rs_value){ .i = quality.realtime_offset_ns,
						      .known = quality.realtime_offset_known };
	if (alarms) {
		reply.nr_conditions =
			op_alarms_fill_conditions(job->service, rs_alarms_when(alarms), conditions);
		reply.nr_alarms = op_alarms_fill_records(alarms, request->after, records);
	}
	rs_message_put_members(&job->reply, &rs_alarms_reply_message, &reply);
	return 0;
}

const struct rs_op rs_op_alarms = { .name = "alarms", .run = op_alarms_run };

/* ---- recorded: of the responder ---- */

static int op_recorded_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_recorded_request *request = job->request;
	struct rs_alarms *alarms = job->service->config.alarms;

	if (!alarms)
		return rs_fail_usage(err, "recorded: there are no conditions");
	return rs_alarms_set_recording(alarms, request->from, request->to, request->recording, err);
}

const struct rs_op rs_op_recorded = { .name = "recorded", .changes = true, .run = op_recorded_run };
