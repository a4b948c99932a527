// SPDX-License-Identifier: GPL-2.0-or-later
/* save-rows - writes the rows of all views in one pass, as `report --view all` prints them */
#include "service/save.h"
#include "view/formatter.h"

#define SAVE_ROWS_MAX_VIEWS 128

struct saved_view {
	struct rs_view_ref ref;
	struct rs_printer *printer;
};

struct save_rows {
	struct rs_session *session;
	struct rs_buf text;
	struct saved_view views[SAVE_ROWS_MAX_VIEWS];
	size_t nr;
};

static int add_view(struct save_rows *rows, const struct rs_view_ref *ref, const char *format, struct rs_error *err)
{
	const struct rs_formatter_options formatter = { .format = format, .view_key = true };
	struct saved_view *v = &rows->views[rows->nr];

	if (rows->nr == SAVE_ROWS_MAX_VIEWS)
		return 0;
	v->ref = *ref;
	v->printer = rs_printer_new(ref->view, &formatter, &rows->text, err);
	if (!v->printer)
		return -1;
	rows->nr++;
	if (ref->view->kind == RS_VIEW_STREAM)
		rs_session_subscribe(rows->session, ref, &(struct rs_query){ 0 }, rs_printer_sink(v->printer));
	return 0;
}

/* Adds the views whose events this source has. */
static int add_views(struct save_rows *rows, const struct rs_session_config *config, const char *format, struct rs_error *err)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		const struct rs_analysis *a = config->analyses[i];

		if (rs_session_disabled(rows->session, a))
			continue;
		for (unsigned int v = 0; a->views && a->views[v].name; v++)
			if (!a->views[v].by_name && add_view(rows, &(struct rs_view_ref){ a, &a->views[v], v }, format, err) < 0)
				return -1;
	}
	return 0;
}

/* Writes the stored rows of streams, then tables and histograms, view by view; the data quality at the end. */
static int save_rows_finish(struct rs_save *save, struct save_rows *rows, struct rs_error *err)
{
	struct rs_printer *printers[SAVE_ROWS_MAX_VIEWS];
	struct rs_quality quality;

	for (size_t i = 0; i < rows->nr; i++) {
		struct saved_view *v = &rows->views[i];

		if (v->ref.view->kind != RS_VIEW_STREAM &&
		    rs_session_rows(rows->session, &v->ref, &(struct rs_query){ 0 }, rs_printer_sink(v->printer)) < 0)
			return rs_fail(err, "cannot save %s: out of memory", v->ref.view->name);
		rs_printer_finish(v->printer);
		printers[i] = v->printer;
		if (rs_save_flush(save, &rows->text, err) < 0)
			return -1;
	}
	rs_session_quality(rows->session, &quality);
	if (rows->nr)
		rs_printers_quality(printers, rows->nr, "all", &quality);
	return rs_save_flush(save, &rows->text, err);
}

int rs_save_rows(struct rs_save *save, const char *format, struct rs_error *err)
{
	struct save_rows rows = { .text = RS_BUF_INIT };
	struct rs_time_range *time_range;
	int ret = -1;

	save->config.ahead = true;
	time_range = rs_time_range_open(save->origin, &save->config, &save->why, err);
	if (!time_range)
		return -1;
	rows.session = time_range->session;
	if (rs_time_range_attach(time_range, err) == 0 && add_views(&rows, &save->config.session, format, err) == 0 &&
	    rs_save_run(save, time_range, &rows.text, err) == 0)
		ret = save_rows_finish(save, &rows, err);
	for (size_t i = 0; i < rows.nr; i++)
		rs_printer_free(rows.views[i].printer);
	rs_time_range_free(time_range);
	rs_buf_done(&rows.text);
	return ret;
}
