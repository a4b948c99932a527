// SPDX-License-Identifier: GPL-2.0-or-later
/* op-incidents - incidents: live those of the window, else of a time range that is judged step by step */
#include "service/op-incidents.h"

#include <stdlib.h>

#include "base/memory-watch.h"
#include "service/op-findings.h"
#include "service/service.h"
#include "service/where.h"
#include "why/findings.h"

#define OP_INCIDENTS_STEP_NS 1000000000u

void rs_op_incidents_put(struct rs_json *j, const struct rs_incidents *in, const struct rs_incident *i)
{
	const struct rs_wire_wait slowest = { i->slowest.tid, i->slowest.from_ns, i->slowest.to_ns };
	struct rs_value nr = rs_incident_nr_waits(in, i);
	struct rs_op_findings_room room;
	struct rs_wire_finding finding;
	char often[128];

	rs_op_findings_fill(&i->item, &room, &finding);
	rs_message_put(j, &rs_wire_incident_message, &(struct rs_wire_incident){
		.number = i->number, .begin_ns = i->begin_ns, .end_ns = i->end_ns, .is_open = i->is_open,
		.nr_found = i->nr_found, .lost_ns = rs_u_if(i->lost_ns, i->lost_ns), .nr_waits = nr,
		.each_ns = rs_u_if(nr.known, nr.known ? i->waits.sum_ns / nr.u : 0),
		.period_ns = rs_incident_period_ns(in, i),
		.last_ns = rs_u_if(nr.known, i->waits.last_to_ns),
		.slowest = slowest.tid ? &slowest : NULL,
		.often = rs_incident_often(in, i, 0, often, sizeof often), .finding = &finding });
}

uint64_t rs_op_incidents_step_ns(uint64_t from_ns, uint64_t to_ns)
{
	uint64_t len_ns = to_ns > from_ns ? to_ns - from_ns : 0;

	return len_ns / RS_INCIDENT_STEPS > OP_INCIDENTS_STEP_NS ? len_ns / RS_INCIDENT_STEPS :
								   OP_INCIDENTS_STEP_NS;
}

void rs_op_incidents_end_step(void *incidents, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_finding_list list;

	if (!rs_finding_list_init(&list))
		return;
	rs_findings_collect(s, &list);
	rs_incidents_add(incidents, s, &list, from_ns, to_ns);
	rs_finding_list_done(&list);
}

static void op_incidents_put_answer(struct rs_json *j, const struct rs_incidents *in,
				    const struct rs_where *where)
{
	const struct rs_incident *i;
	uint64_t from_ns, to_ns;

	rs_incidents_time(in, &from_ns, &to_ns);
	rs_message_put_members(j, &rs_incidents_reply_message, &(struct rs_incidents_reply){
		.from_ns = rs_u_if(to_ns, from_ns), .to_ns = rs_u_if(to_ns, to_ns) });
	rs_message_open_list(j, "incidents");
	for (size_t n = 0; (i = rs_incidents_get(in, n)); n++)
		if (rs_where_finding(where, &i->item))
			rs_op_incidents_put(j, in, i);
	rs_json_close(j, ']');
}

static int op_incidents_of_range(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	struct rs_session_config config = job->service->config.session;
	struct rs_incidents *in = rs_incidents_new();
	struct rs_time_range *time_range = NULL;
	int status = -1;

	if (!in)
		return rs_fail(err, "incidents: out of memory");
	config.findings = true;
	config.step_ns = rs_op_incidents_step_ns(job->range->from_ns, job->range->to_ns);
	config.end_step = rs_op_incidents_end_step;
	config.step_arg = in;
	time_range = rs_job_range_open(job, &config, err);
	if (time_range)
		status = rs_job_range_run(job, time_range, err);
	if (status == 0)
		op_incidents_put_answer(&job->reply, in, where);
	if (time_range)
		rs_time_range_free(time_range);
	rs_incidents_free(in);
	return status;
}

static int op_incidents_of_now(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	const struct rs_incidents *in = rs_interval_rows_incidents(job->service->interval_rows);

	if (!in)
		return rs_fail(err, "incidents: out of memory");
	op_incidents_put_answer(&job->reply, in, where);
	return 0;
}

static int op_incidents_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_incidents_request *request = job->request;
	struct rs_where *where;
	int status;

	if (rs_where_read(request->where, RS_FILTER_FINDINGS, NULL, &where, err) < 0)
		return -1;
	status = job->range ? op_incidents_of_range(job, where, err) : op_incidents_of_now(job, where, err);
	free(where);
	return status;
}

/* A file is judged as a whole, not in steps: its incidents are found when they are asked for. */
static bool op_incidents_needs_range(const struct rs_job *job)
{
	return !job->service->config.interval_ns;
}

const struct rs_op rs_op_incidents = {
	.name = "incidents", .range = RS_RANGE_IF_ASKED, .needs_range = op_incidents_needs_range,
	.run = op_incidents_run,
};
