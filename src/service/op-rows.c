// SPDX-License-Identifier: GPL-2.0-or-later
/* op-rows - answers with rows of a view: of now, or of a time range that is read again */
#include <stdlib.h>

#include "service/rows-tree.h"
#include "service/service.h"
#include "view/columns.h"
#include "view/expression.h"
#include "view/rows.h"
#include "view/stack-rows.h"
#include "view/totals.h"

#define OP_ROWS_MAX_BYTES (64u << 20)
#define LOG_BYTES (64u << 20) /* about 1.3 M events */
#define ON_DEMAND_NS 10000000000u /* live, where no time is asked for */

/* Receives all rows of a view, and keeps those that the request asks for. */
struct asked_rows {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	struct rs_rows *rows;
	struct rs_frame_tree *tree; /* rows are added to it instead; NULL: no tree */
	struct rs_stack_columns stack;
	struct rs_rows *fold;     /* rows wait here, by name, to be folded; NULL: no folding */
	bool is_log;
	struct rs_filter filter;
	struct rs_expression where;
	struct rs_totals totals;  /* of the rows that pass `where` */
	uint64_t nr_of, nr_total;
};

static void op_rows_accept_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct asked_rows *a = (struct asked_rows *)(void *)sink;

	if (!rs_filter_passes(&a->filter, a->view, values))
		return;
	a->nr_of++;
	if (!rs_expression_passes(&a->where, values))
		return;
	a->nr_total++;
	rs_totals_add(&a->totals, values);
	if (a->tree)
		rs_stack_rows_add(a->tree, &a->stack, a->sink.stacks, values, RS_FRAME_SHOWN);
	else
		rs_rows_add(a->fold ? a->fold : a->rows, values);
}

static int read_tree(const struct rs_rows_request *request, struct asked_rows *a, struct rs_error *err)
{
	if (!request->tree)
		return 0;
	if (!rs_stack_rows_find(a->view, &a->stack))
		return rs_fail_usage(err, "rows: %s has no stacks", a->view->name);
	a->tree = rs_frame_tree_new();
	a->sink.stacks = rs_named_stacks_new(RS_STACKS_MAX);
	a->sink.texts = (a->where.nr_nodes ? a->where.used : 0) | rs_filter_columns(&a->filter, a->view);
	return a->tree && a->sink.stacks ? 0 : rs_fail(err, "rows: out of memory");
}

static int read_fold(const char *fold, struct asked_rows *a, struct rs_error *err)
{
	int by = fold ? rs_column_named(a->view, fold) : -1;

	if (!fold)
		return 0;
	if (by < 0 || a->view->columns[by].type != RS_TYPE_TEXT)
		return rs_fail_usage(err, "rows: '%s' is no column of text of %s: it cannot fold by it", fold,
				     a->view->name);
	a->fold = rs_rows_new(a->view, &(struct rs_sort){ .nr = 1, .keys = { { (uint8_t)by, false } } }, 0,
			      OP_ROWS_MAX_BYTES);
	return a->fold ? 0 : rs_fail(err, "rows: out of memory");
}

static void put_folded(struct rs_json *j, const struct asked_rows *a)
{
	size_t nr = rs_rows_sort(a->rows);

	rs_message_open_list(j, "folded");
	for (size_t i = 0; i < nr; i++)
		rs_json_u64(j, rs_rows_nr_of(a->rows, i));
	rs_json_close(j, ']');
}

/* The query points to the view's own column names, because they outlive the request. */
static int read_by(const struct rs_rows_request *request, const struct rs_view *view, struct rs_query *query,
		   struct rs_error *err)
{
	for (size_t i = 0; i < request->nr_by; i++) {
		int column = rs_column_named(view, request->by[i]);

		if (column < 0 || !(view->columns[column].flags & RS_COLUMN_KEY))
			return rs_fail_usage(err, "by: %s does not group by that", view->name);
		query->by[query->nr_by++] = view->columns[column].name;
	}
	return 0;
}

/* Without a sort order, a stream keeps the order of arrival, even if its view declares another. */
static int read_sort(const char *list, const struct rs_view *view, struct rs_sort *sort, struct rs_error *err)
{
	return rs_columns_parse_sort(view,
				     list                        ? list :
				     view->kind == RS_VIEW_TABLE ? view->sort :
								   NULL,
				     sort, err);
}

/* A log is a stream in order of arrival: keeps the last rows, and returns them oldest first. */
static bool is_log(const struct rs_view *view, const struct rs_sort *sort)
{
	return view->kind == RS_VIEW_STREAM && !sort->nr;
}

static void op_rows_put_cell(struct rs_json *j, const struct rs_column *column, const struct rs_value *value)
{
	struct rs_scalar scalar = rs_protocol_scalar(column, value);

	rs_message_put_scalar(j, &scalar);
}

static void op_rows_put_rows(struct rs_json *j, const struct asked_rows *a)
{
	size_t nr = rs_rows_sort(a->rows);

	rs_message_open_list(j, "rows");
	for (size_t i = 0; i < nr; i++) {
		const struct rs_value *values = rs_rows_get(a->rows, a->is_log ? nr - 1 - i : i);

		rs_json_open(j, '[');
		for (unsigned int c = 0; a->view->columns[c].name; c++)
			op_rows_put_cell(j, &a->view->columns[c], &values[c]);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void put_totals(struct rs_json *j, const struct asked_rows *a)
{
	rs_message_open_list(j, "totals");
	for (unsigned int c = 0; a->view->columns[c].name; c++) {
		struct rs_value sum = rs_totals_get(&a->totals, c);

		op_rows_put_cell(j, &a->view->columns[c], &sum);
	}
	rs_json_close(j, ']');
}

static void op_rows_put_answer(struct rs_job *job, const struct asked_rows *a,
			       const struct rs_rows_range *range, const struct rs_quality *quality)
{
	uint64_t from_ns = range->from_ns ? range->from_ns : quality->from_ns,
		 to_ns = range->to_ns ? range->to_ns : quality->to_ns;
	struct rs_json *j = &job->reply;
	struct rs_counts counts;

	if (a->fold && !rs_rows_fold(a->fold, a->rows))
		rs_rows_clear(a->rows); /* out of memory: no rows are better than half of them */
	rs_job_counts(job, quality, &counts);
	rs_message_put_members(j, &rs_rows_reply_message, &(struct rs_rows_reply){
		.view = a->view->name, .from_ns = rs_u(from_ns), .to_ns = rs_u(to_ns),
		.interval = range->interval,
		.nr_of = rs_u(a->nr_of), .nr_total = rs_u(a->nr_total), .quality = &counts,
	});
	op_rows_put_rows(j, a);
	if (a->fold)
		put_folded(j, a);
	if (a->tree)
		rs_rows_tree_put(a->tree, j);
	put_totals(j, a);
}

static int op_rows_answer_now(struct rs_job *job, const struct rs_view_ref *ref, const struct rs_query *query,
			      struct asked_rows *a, struct rs_error *err)
{
	struct rs_rows_range range;
	struct rs_quality quality;

	if (rs_interval_rows_get(job->service->interval_rows, ref, query, &a->sink, &range) < 0)
		return rs_fail(err, "rows: out of memory");
	rs_session_quality(job->service->session, &quality);
	op_rows_put_answer(job, a, &range, &quality);
	return 0;
}

/*
 * Without a requested time: live, the last seconds; of a large file, a log reads only the last part.
 */
static void op_rows_shorten(const struct rs_job *job, struct rs_job_range *range)
{
	uint64_t ns = range->to_ns - range->from_ns;

	if (range->is_whole && job->service->config.interval_ns && ns > ON_DEMAND_NS) {
		range->from_ns = range->to_ns - ON_DEMAND_NS;
		return;
	}
	if (range->is_whole && range->all_bytes > LOG_BYTES)
		range->from_ns = range->to_ns -
				 (uint64_t)((unsigned __int128)ns * LOG_BYTES / range->all_bytes);
}

/* Runs only the view's analysis over the time range. */
static int op_rows_answer_range(struct rs_job *job, const struct rs_view_ref *ref,
				const struct rs_query *query, struct asked_rows *a, struct rs_error *err)
{
	const struct rs_rows_request *request = job->request;
	struct rs_session_config config = job->service->config.session;
	struct rs_rows_range range = { 0 };
	struct rs_time_range *time_range;
	struct rs_session *session;
	struct rs_quality quality;
	int status;

	op_rows_shorten(job, job->range);
	config.analyses[0] = ref->analysis;
	config.nr_analyses = 1;
	if (request->pid) {
		config.selection.pids = &request->pid;
		config.selection.nr_pids = 1;
		config.selection.no_children = true;
		config.selection.nr_tids = 0;
	}
	if (request->wait)
		config.asked_why = (struct rs_time_asked){
			.kind = RS_ASKED_SLICE, .tid = request->wait->tid,
			.at_ns = request->wait->from_ns +
				 (request->wait->to_ns - request->wait->from_ns) / 2 };
	else if (request->tid)
		config.asked_why = (struct rs_time_asked){ .kind = RS_ASKED_TIME, .tid = request->tid,
							   .at_ns = job->range->from_ns,
							   .to_ns = job->range->to_ns };
	time_range = rs_job_range_open(job, &config, err);
	if (!time_range)
		return -1;
	session = time_range->session;
	if (ref->view->kind == RS_VIEW_STREAM)
		rs_session_subscribe(session, ref, query, &a->sink);
	status = rs_job_range_run(job, time_range, err);
	if (status == 0 && ref->view->kind != RS_VIEW_STREAM &&
	    rs_session_rows(session, ref, query, &a->sink) < 0)
		status = rs_fail(err, "rows: out of memory");
	if (status == 0) {
		rs_session_quality(session, &quality);
		range.from_ns = time_range->from_ns;
		range.to_ns = job->range->to_ns;
		op_rows_put_answer(job, a, &range, &quality);
	}
	rs_time_range_free(time_range);
	return status;
}

/* Runs in the analyzer thread, because only there it is known which events, and so which views, are on. */
static int op_rows_prepare(struct rs_job *job, struct rs_error *err)
{
	struct rs_view_ref ref;

	return rs_interval_rows_find(job->service->interval_rows,
				     ((const struct rs_rows_request *)job->request)->view, &ref, err) ?
		       0 :
		       -1;
}

static bool find_view(const struct rs_job *job, const char *name, struct rs_view_ref *ref,
		      struct rs_error *err)
{
	return job->range ? rs_requirements_find_view(name, ref, err) :
			    rs_interval_rows_find(job->service->interval_rows, name, ref, err);
}

static int op_rows_begin(const struct rs_rows_request *request, const struct rs_sort *sort,
			 struct asked_rows *a, struct rs_error *err)
{
	rs_filter_default(&a->filter, a->view);
	rs_totals_init(&a->totals, a->view);
	if (read_fold(request->fold, a, err) < 0 || read_tree(request, a, err) < 0)
		return -1;
	a->rows = rs_rows_new(a->view, sort, request->limit, OP_ROWS_MAX_BYTES);
	if (!a->rows)
		return rs_fail(err, "rows: out of memory");
	a->is_log = is_log(a->view, sort);
	if (a->is_log)
		rs_rows_newest_first(a->rows);
	return 0;
}

static void op_rows_done(struct asked_rows *a)
{
	rs_rows_free(a->rows);
	rs_rows_free(a->fold);
	rs_frame_tree_free(a->tree);
	rs_named_stacks_free(a->sink.stacks);
}

static int op_rows_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_rows_request *request = job->request;
	struct asked_rows a = { .sink.row = op_rows_accept_row };
	struct rs_query query = { .count_open = true };
	struct rs_view_ref ref;
	struct rs_sort sort;
	int status;

	if (!find_view(job, request->view, &ref, err) || read_by(request, ref.view, &query, err) < 0 ||
	    read_sort(request->sort, ref.view, &sort, err) < 0 ||
	    (request->where && rs_expression_parse(&a.where, ref.view, "where", request->where, err) < 0))
		return -1;
	a.view = ref.view;
	status = op_rows_begin(request, &sort, &a, err);
	if (status == 0 && job->range)
		status = op_rows_answer_range(job, &ref, &query, &a, err);
	else if (status == 0)
		status = op_rows_answer_now(job, &ref, &query, &a, err);
	op_rows_done(&a);
	return status;
}

/*
 * While a file is read, rows of streams are not kept, because most are never requested. A request reads the
 * file again, as it does for an analysis that the session does not have.
 */
static bool op_rows_needs_range(const struct rs_job *job)
{
	const struct rs_rows_request *request = job->request;
	struct rs_error ignored = { 0 };
	struct rs_view_ref ref;

	if (!rs_requirements_find_view(request->view, &ref, &ignored))
		return false;
	return rs_interval_rows_on_demand(job->service->interval_rows, ref.analysis) ||
	       (!job->service->config.interval_ns && ref.view->kind == RS_VIEW_STREAM);
}

const struct rs_op rs_op_rows = {
	.name = "rows", .range = RS_RANGE_IF_ASKED, .needs_range = op_rows_needs_range,
	.prepare = op_rows_prepare, .run = op_rows_run,
};
