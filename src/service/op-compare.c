// SPDX-License-Identifier: GPL-2.0-or-later
/* op-compare - what changed between two times: both are analyzed again, block by block, and compared */
#include <math.h>

#include "compare/change.h"
#include "compare/process-text.h"
#include "compare/side-align.h"
#include "compare/side-views.h"
#include "service/service.h"

#define OP_COMPARE_ROWS 50u   /* of each view */
#define OP_COMPARE_MOST 1024u /* of all of them, and of processes */

struct op_compare {
	struct rs_side_asked asked[RS_SIDE_VIEWS_MOST];
	size_t nr_asked;
	struct rs_side *a, *b;
};

/* ---- measuring ---- */

static void op_compare_add_analysis(struct rs_session_config *config, const struct rs_analysis *analysis)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if (config->analyses[i] == analysis)
			return;
	config->analyses[config->nr_analyses++] = analysis;
}

static int op_compare_measure(struct rs_job *job, const struct rs_job_range *range, struct op_compare *c,
			      struct rs_side *side, struct rs_error *err)
{
	struct rs_session_config config = job->service->config.session;
	struct rs_time_range *time_range;
	int status;

	config.nr_analyses = 0;
	config.findings = false;
	for (size_t i = 0; i < c->nr_asked; i++)
		op_compare_add_analysis(&config, c->asked[i].ref.analysis);
	config.step_ns = rs_side_step_ns(side, range->to_ns - range->from_ns);
	config.end_step = rs_side_end_step;
	config.step_arg = side;
	time_range = rs_job_range_open_of(job, range, &config, err);
	if (!time_range)
		return -1;
	status = rs_job_range_run(job, time_range, err);
	rs_side_end(side);
	rs_time_range_free(time_range);
	if (status == 0 && side->failed)
		return rs_fail(err, "cannot compare: out of memory");
	return status;
}

/* ---- the answer ---- */

static struct rs_value op_compare_ns(double ns, bool known)
{
	return known && ns >= 0 && ns < 1.8e19 ? rs_u((uint64_t)(ns + 0.5)) : rs_null();
}

static struct rs_value op_compare_signed(double ns, bool known)
{
	return known && fabs(ns) < 9e18 ? rs_i((int64_t)ns) : rs_null();
}

static void op_compare_put_process(struct rs_json *j, const struct rs_process_change *p)
{
	struct rs_buf text = RS_BUF_INIT, evidence = RS_BUF_INIT;

	rs_process_text_put(&text, p);
	rs_process_text_put_evidence(&evidence, p);
	rs_message_put(j, &rs_wire_process_change_message, &(struct rs_wire_process_change){
		.process = p->comm, .verdict = rs_process_word(p->verdict), .text = text.data,
		.evidence = evidence.data, .unit = rs_process_text_unit(p),
		.a_ns = op_compare_ns(p->of_a.value, true), .b_ns = op_compare_ns(p->of_b.value, true),
		.change_ns = op_compare_signed(p->change.value, true) });
	rs_buf_done(&text);
	rs_buf_done(&evidence);
}

static void op_compare_put_processes(struct rs_json *j, const struct rs_process_list *list)
{
	size_t nr = 0;

	rs_message_open_list(j, "processes");
	for (size_t i = 0; i < list->nr && nr < OP_COMPARE_MOST; i++)
		if (rs_process_has_verdict(&list->at[i])) {
			op_compare_put_process(j, &list->at[i]);
			nr++;
		}
	rs_json_close(j, ']');
}

static void op_compare_put_row(struct rs_json *j, const struct rs_side_view *view, const struct rs_change *ch)
{
	bool of_a = view->is_latency && ch->a && ch->a->nr_points,
	     of_b = view->is_latency && ch->b && ch->b->nr_points;
	struct rs_buf key = RS_BUF_INIT;

	rs_side_put_text(&key, view, ch->a ? ch->a : ch->b);
	rs_message_put(j, &rs_wire_row_change_message, &(struct rs_wire_row_change){
		.view = view->ref.view->name, .key = key.data ? key.data : "",
		.verdict = rs_change_word(ch->verdict),
		.rate_a_milli = op_compare_ns(ch->rate_a.value * 1000, true),
		.rate_b_milli = op_compare_ns(ch->rate_b.value * 1000, true),
		.p50_a_ns = op_compare_ns(ch->p50_a.value, of_a),
		.p50_b_ns = op_compare_ns(ch->p50_b.value, of_b),
		.p99_a_ns = op_compare_ns(ch->p99_a.value, of_a),
		.p99_b_ns = op_compare_ns(ch->p99_b.value, of_b),
		.cost_ns = op_compare_signed(ch->cost, view->is_latency) });
	rs_buf_done(&key);
}

static int op_compare_put_rows(struct rs_json *j, const struct op_compare *c, struct rs_error *err)
{
	size_t nr_all = 0;

	rs_message_open_list(j, "rows");
	for (size_t v = RS_PROCESS_NR_VIEWS; v < c->nr_asked; v++) {
		struct rs_change_list list;
		size_t nr = 0;

		rs_change_compare(&list, c->a, c->b, v);
		for (size_t i = 0; i < list.nr && nr < OP_COMPARE_ROWS && nr_all < OP_COMPARE_MOST; i++)
			if (list.at[i].verdict > RS_CHANGE_UNDETERMINED) {
				op_compare_put_row(j, list.view, &list.at[i]);
				nr++;
				nr_all++;
			}
		if (list.failed)
			rs_fail(err, "cannot compare: out of memory");
		rs_change_list_done(&list);
	}
	rs_json_close(j, ']');
	return err->status == RS_OK ? 0 : -1;
}

static int op_compare_answer(struct rs_job *job, const struct op_compare *c, struct rs_error *err)
{
	struct rs_compare_reply reply = { .a_ns = c->a->len_ns, .b_ns = c->b->len_ns,
					  .lost_a_ns = c->a->lost_ns, .lost_b_ns = c->b->lost_ns };
	struct rs_process_list processes;
	bool failed = !rs_side_align(c->a, c->b);

	rs_process_compare(&processes, c->a, c->b, NULL);
	failed |= processes.failed;
	for (size_t i = 0; i < processes.nr; i++)
		reply.nr_undetermined += processes.at[i].verdict == RS_PROCESS_UNDETERMINED;
	reply.nr_compared = processes.nr - reply.nr_undetermined;
	rs_message_put_members(&job->reply, &rs_compare_reply_message, &reply);
	op_compare_put_processes(&job->reply, &processes);
	rs_process_list_done(&processes);
	if (failed)
		return rs_fail(err, "cannot compare: out of memory");
	return op_compare_put_rows(&job->reply, c, err);
}

static int op_compare_run(struct rs_job *job, struct rs_error *err)
{
	struct op_compare c = { .nr_asked = 0 };
	int status = -1;

	if (rs_side_views_add_process(c.asked, &c.nr_asked, err) < 0)
		return -1;
	rs_side_views_add_default(c.asked, &c.nr_asked);
	c.a = rs_side_new(c.asked, c.nr_asked, err);
	c.b = c.a ? rs_side_new(c.asked, c.nr_asked, err) : NULL;
	if (c.b && op_compare_measure(job, job->before, &c, c.a, err) == 0 &&
	    op_compare_measure(job, job->range, &c, c.b, err) == 0)
		status = op_compare_answer(job, &c, err);
	rs_side_free(c.a);
	rs_side_free(c.b);
	return status;
}

static const struct rs_asked_time *op_compare_before(const void *request)
{
	return ((const struct rs_compare_request *)request)->before;
}

const struct rs_op rs_op_compare = {
	.name = "compare", .range = RS_RANGE_ALWAYS, .before = op_compare_before, .run = op_compare_run,
};
