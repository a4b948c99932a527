// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "service/range-jobs.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "view/columns.h"
#include "view/expression.h"
#include "view/fold.h"
#include "view/rows.h"
#include "view/totals.h"
#include "view/quality-json.h"

#define DEFAULT_ROWS 1000
#define OP_ROWS_MAX_ROWS 100000
#define OP_ROWS_MAX_BYTES (64u << 20)
#define LOG_BYTES (64u << 20) /* some 1.3 M events */

/* Takes all rows of a view, keeps those that are asked for. */
struct asked_rows {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	struct rs_rows *rows;
	struct rs_fold *fold;     /* all rows go here first; NULL: none are folded */
	bool is_log;
	struct rs_filter filter;
	struct rs_expression where;
	struct rs_totals totals;  /* of those that pass where */
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
	if (a->fold)
		rs_fold_add(a->fold, values);
	else
		rs_rows_add(a->rows, values);
}

/* "fold": columns of the view, a text and a duration. */
static int read_fold(const cJSON *request, struct asked_rows *a, struct rs_error *err)
{
	const cJSON *fold = cJSON_GetObjectItemCaseSensitive(request, "fold");
	const char *by_name = rs_wire_text_of(fold, "by"), *instance_name = rs_wire_text_of(fold, "life");
	int by = by_name ? rs_column_named(a->view, by_name) : -1, inst = instance_name ? rs_column_named(a->view, instance_name) : -1;

	if (!fold || cJSON_IsNull(fold))
		return 0;
	if (by < 0 || inst < 0 || a->view->columns[by].type != RS_TYPE_TEXT || a->view->columns[inst].type != RS_TYPE_DURATION)
		return rs_fail_usage(err, "rows: fold has by, a text, and life, a duration, of %s", a->view->name);
	a->fold = rs_fold_new(a->view, (unsigned int)by, (unsigned int)inst, OP_ROWS_MAX_BYTES);
	return a->fold ? 0 : rs_fail(err, "rows: out of memory");
}

static void put_folded(struct rs_json *j, const struct asked_rows *a)
{
	size_t nr = rs_rows_sort(a->rows);

	rs_json_key(j, "folded");
	rs_json_open(j, '[');
	for (size_t i = 0; i < nr; i++)
		rs_json_u64(j, rs_rows_nr_of(a->rows, i));
	rs_json_close(j, ']');
}

/* "by": a list of key columns; the names must be the view's own, which outlive the request. */
static int read_by(const cJSON *request, const struct rs_view *view, struct rs_query *query, struct rs_error *err)
{
	const cJSON *at;

	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(request, "by")) {
		int column = cJSON_IsString(at) ? rs_column_named(view, at->valuestring) : -1;

		if (column < 0 || !(view->columns[column].flags & RS_COLUMN_KEY) || query->nr_by == RS_MAX_BY)
			return rs_fail_usage(err, "by: %s does not group by that", view->name);
		query->by[query->nr_by++] = view->columns[column].name;
	}
	return 0;
}

/* A stream's last rows are in the order of their coming, whatever order its view has by itself. */
static int read_sort(const cJSON *request, const struct rs_view *view, struct rs_sort *sort, struct rs_error *err)
{
	const char *list = rs_wire_text_of(request, "sort");

	return rs_columns_parse_sort(view, list ? list : view->kind == RS_VIEW_TABLE ? view->sort : NULL,
				     sort, err);
}

static int read_where(const cJSON *request, const struct rs_view *view, struct rs_expression *where, struct rs_error *err)
{
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(request, "where");

	if (!text || cJSON_IsNull(text))
		return 0;
	if (!cJSON_IsString(text))
		return rs_fail_usage(err, "where: is not a text");
	return rs_expression_parse(where, view, "where", text->valuestring, err);
}

/* A stream in the order of its coming: the last rows are kept, and given oldest first. */
static bool is_log(const struct rs_view *view, const struct rs_sort *sort)
{
	return view->kind == RS_VIEW_STREAM && !sort->nr;
}

static void op_rows_put_rows(struct rs_json *j, const struct asked_rows *a)
{
	size_t nr = rs_rows_sort(a->rows);

	rs_json_key(j, "rows");
	rs_json_open(j, '[');
	for (size_t i = 0; i < nr; i++) {
		const struct rs_value *values = rs_rows_get(a->rows, a->is_log ? nr - 1 - i : i);

		rs_json_open(j, '[');
		for (unsigned int c = 0; a->view->columns[c].name; c++)
			rs_wire_value(j, &a->view->columns[c], &values[c]);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void put_totals(struct rs_json *j, const struct asked_rows *a)
{
	rs_json_key(j, "totals");
	rs_json_open(j, '[');
	for (unsigned int c = 0; a->view->columns[c].name; c++) {
		struct rs_value sum = rs_totals_get(&a->totals, c);

		rs_wire_value(j, &a->view->columns[c], &sum);
	}
	rs_json_close(j, ']');
}

static void op_rows_put_answer(struct rs_json *j, const struct asked_rows *a,
			       const struct rs_current_span *span,
			       const struct rs_quality *quality)
{
	uint64_t from_ns = span->from_ns ? span->from_ns : quality->from_ns, to_ns = span->to_ns ? span->to_ns : quality->to_ns;

	if (a->fold && !rs_fold_end(a->fold, to_ns > from_ns ? (to_ns - from_ns) / 2 : 0, a->rows))
		rs_rows_clear(a->rows); /* half of them would be another machine */
	rs_json_put_str(j, "view", a->view->name);
	rs_json_key(j, "from_ns");
	rs_wire_u64(j, from_ns);
	rs_json_key(j, "to_ns");
	rs_wire_u64(j, to_ns);
	rs_json_put_u64(j, "epoch", span->interval);
	rs_json_put_u64(j, "of", a->nr_of);
	rs_json_put_u64(j, "total", a->nr_total);
	op_rows_put_rows(j, a);
	if (a->fold)
		put_folded(j, a);
	put_totals(j, a);
	rs_json_key(j, "trust");
	rs_json_open(j, '{');
	rs_quality_json_counts(j, quality);
	rs_json_close(j, '}');
}

static int ask_now(struct rs_job *job, const struct rs_view_ref *ref, const struct rs_query *query, struct asked_rows *a,
		   struct rs_error *err)
{
	struct rs_current_span span;
	struct rs_quality quality;

	if (rs_interval_rows_rows(rs_service_now(job->service), ref, query, &a->sink, &span) < 0)
		return rs_fail(err, "rows: out of memory");
	rs_session_quality(rs_service_session(job->service), &quality);
	op_rows_put_answer(&job->reply, a, &span, &quality);
	return 0;
}

/* Of a large file the last rows of a log are those of its last part, where no other time was asked for. */
static void op_rows_shorten(struct rs_job *job)
{
	struct rs_range_job *past = job->past;
	uint64_t ns = past->to_ns - past->from_ns;

	if (!cJSON_GetObjectItemCaseSensitive(job->request, "from_ns") && past->all_bytes > LOG_BYTES)
		past->from_ns = past->to_ns - (uint64_t)((unsigned __int128)ns * LOG_BYTES / past->all_bytes);
}

/* The one analysis that the view is of, over the stretch. */
static int ask_past(struct rs_job *job, const struct rs_view_ref *ref, const struct rs_query *query, struct asked_rows *a,
		    struct rs_error *err)
{
	struct rs_session_config config = rs_service_config(job->service)->session;
	struct rs_current_span span = { 0 };
	struct rs_time_range *time_range;
	struct rs_session *session;
	struct rs_quality quality;
	int status;

	op_rows_shorten(job);
	config.analyses[0] = ref->analysis;
	config.nr_analyses = 1;
	time_range = rs_range_job_open(job, &config, err);
	if (!time_range)
		return -1;
	session = rs_time_range_session(time_range);
	if (ref->view->kind == RS_VIEW_STREAM)
		rs_session_listen(session, ref, query, &a->sink);
	status = rs_range_job_run(job, time_range, err);
	if (status == 0 && ref->view->kind != RS_VIEW_STREAM && rs_session_rows(session, ref, query, &a->sink) < 0)
		status = rs_fail(err, "rows: out of memory");
	if (status == 0) {
		rs_session_quality(session, &quality);
		span.from_ns = rs_time_range_from_ns(time_range);
		span.to_ns = job->past->to_ns;
		op_rows_put_answer(&job->reply, a, &span, &quality);
	}
	rs_time_range_free(time_range);
	return status;
}

/* Whether a view of the past is fed was asked before, in the thread that knows. */
static bool find_view(const struct rs_job *job, const char *name, struct rs_view_ref *ref, struct rs_error *err)
{
	return job->past ? rs_requirements_find_view(name, ref, err) : rs_interval_rows_find(rs_service_now(job->service), name, ref, err);
}

static int op_rows_run(struct rs_job *job, struct rs_error *err)
{
	struct asked_rows a = { .sink.row = op_rows_accept_row };
	struct rs_query query = { .count_open = true };
	struct rs_view_ref ref;
	struct rs_sort sort;
	const char *name = rs_wire_text_of(job->request, "view");
	uint64_t limit;
	int status = 0;

	if (!name)
		return rs_fail_usage(err, "rows: which view?");
	if (!find_view(job, name, &ref, err) || read_by(job->request, ref.view, &query, err) < 0 ||
	    read_sort(job->request, ref.view, &sort, err) < 0 ||
	    read_where(job->request, ref.view, &a.where, err) < 0)
		return -1;
	if (!rs_wire_u64_of(job->request, "limit", DEFAULT_ROWS, &limit) || limit > OP_ROWS_MAX_ROWS)
		return rs_fail_usage(err, "rows: limit is a number up to %d", OP_ROWS_MAX_ROWS);
	a.view = ref.view;
	if (read_fold(job->request, &a, err) < 0)
		return -1;
	rs_filter_default(&a.filter, ref.view);
	rs_totals_init(&a.totals, ref.view);
	a.rows = rs_rows_new(ref.view, &sort, limit, OP_ROWS_MAX_BYTES);
	if (!a.rows) {
		rs_fold_free(a.fold);
		return rs_fail(err, "rows: out of memory");
	}
	a.is_log = is_log(ref.view, &sort);
	if (a.is_log)
		rs_rows_newest_first(a.rows);
	if (job->past)
		status = ask_past(job, &ref, &query, &a, err);
	else
		status = ask_now(job, &ref, &query, &a, err);
	rs_rows_free(a.rows);
	rs_fold_free(a.fold);
	return status;
}

/* Of a file no rows of streams are kept as it is read, for most are looked at by nobody: they are read when they are. */
static bool has_time_range(const struct rs_job *job)
{
	const char *name = rs_wire_text_of(job->request, "view");
	struct rs_error ignored = { 0 };
	struct rs_view_ref ref;

	if (cJSON_GetObjectItemCaseSensitive(job->request, "from_ns"))
		return true;
	return !rs_service_config(job->service)->interval_ns && name &&
		rs_requirements_find_view(name, &ref, &ignored) &&
	       ref.view->kind == RS_VIEW_STREAM;
}

const struct rs_op rs_op_rows = { .name = "rows", .place = RS_OP_ENGINE, .has_time_range = has_time_range,
				  .run = op_rows_run };
