// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/interval-rows.h"
#include "service/range-jobs.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "engine/finding-list.h"

#define OP_FINDINGS_MAX_FINDINGS 20

static void put_evidence(struct rs_json *j, const struct rs_finding_item *f)
{
	rs_json_key(j, "evidence");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < f->nr_evidence; i++) {
		rs_json_open(j, '{');
		rs_json_put_str(j, "view", f->evidence[i].view);
		rs_json_put_str(j, "sort", f->evidence[i].sort[0] ? f->evidence[i].sort : NULL);
		rs_json_put_str(j, "where", f->evidence[i].where[0] ? f->evidence[i].where : NULL);
		rs_json_put_str(j, "by", f->evidence[i].by[0] ? f->evidence[i].by : NULL);
		rs_json_close(j, '}');
	}
	rs_json_close(j, ']');
}


static void op_findings_put_list(struct rs_json *j, const struct rs_finding_list *list)
{
	rs_json_key(j, "findings");
	rs_json_open(j, '[');
	for (size_t i = 0; i < list->nr; i++) {
		const struct rs_finding_item *f = &list->items[i];

		rs_json_open(j, '{');
		rs_json_put_u64(j, "weight", f->weight);
		rs_json_put_str(j, "text", f->text);
		rs_json_put_str(j, "view", f->view);
		rs_json_put_str(j, "where", f->where[0] ? f->where : NULL);
		rs_json_put_str(j, "brief", f->brief[0] ? f->brief : NULL);
		put_evidence(j, f);
		rs_json_close(j, '}');
	}
	rs_json_close(j, ']');
}

static void put_range(struct rs_json *j, uint64_t from_ns, uint64_t to_ns)
{
	rs_json_key(j, "from_ns");
	rs_wire_u64(j, from_ns);
	rs_json_key(j, "to_ns");
	rs_wire_u64(j, to_ns);
}

static int findings_now(struct rs_job *job, struct rs_error *err)
{
	struct rs_current_span span;
	const struct rs_finding_list *list = rs_interval_rows_findings(rs_service_now(job->service), &span);

	if (!list)
		return rs_fail(err, "findings: out of memory");
	put_range(&job->reply, span.from_ns, span.to_ns);
	op_findings_put_list(&job->reply, list);
	return 0;
}

/* All analyses, over the time range: what they judge of it. */
static int findings_past(struct rs_job *job, struct rs_error *err)
{
	struct rs_time_range *time_range = rs_range_job_open(job, &rs_service_config(job->service)->session,
							     err);
	struct rs_finding_list list;
	int status;

	if (!time_range)
		return -1;
	status = rs_range_job_run(job, time_range, err);
	if (status == 0 && !rs_finding_list_init(&list, OP_FINDINGS_MAX_FINDINGS))
		status = rs_fail(err, "findings: out of memory");
	if (status == 0) {
		rs_session_findings(rs_time_range_session(time_range), &list.sink);
		put_range(&job->reply, rs_time_range_from_ns(time_range), job->past->to_ns);
		op_findings_put_list(&job->reply, &list);
		rs_finding_list_done(&list);
	}
	rs_time_range_free(time_range);
	return status;
}

static int op_findings_run(struct rs_job *job, struct rs_error *err)
{
	return job->past ? findings_past(job, err) : findings_now(job, err);
}

const struct rs_op rs_op_findings = { .name = "findings", .place = RS_OP_ENGINE, .has_time_range = rs_range_job_has_range, .run = op_findings_run };
