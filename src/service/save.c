// SPDX-License-Identifier: GPL-2.0-or-later
/* save - writes a time range to a descriptor: the flight recorder's file */
#include "service/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "export/export.h"
#include "service/export-feed.h"
#include "service/save-tracedat.h"
#include "view/formatter.h"

#define STALL_MS 10000
#define ASK_MS 200
#define SAVE_ROWS_MAX_VIEWS 128
#define SAVE_WRITE_BYTES (64u << 10) /* waits for more until the next batch */

/* ---- the descriptor ---- */

static int save_check_output(struct rs_save_output *o, struct rs_error *err)
{
	int flags = fcntl(o->fd, F_GETFL);
	struct stat st;

	if (flags < 0 || fstat(o->fd, &st) < 0)
		return rs_fail_usage(err, "no descriptor to write to was passed");
	if ((flags & O_ACCMODE) == O_RDONLY || flags & O_PATH)
		return rs_fail_usage(err, "the descriptor that was passed is not open for writing");
	o->is_file = S_ISREG(st.st_mode);
	return 0;
}

static int save_fail_if_closed(const struct rs_save_output *o, struct rs_error *err)
{
	return o->go_on && !o->go_on(o->arg) ? rs_fail(err, "who asked for it has gone") : 0;
}

/* Returns 0 if it takes PIPE_BUF bytes at once. */
static int save_wait_for_room(struct rs_save_output *o, struct rs_error *err)
{
	int stall_ms = o->stall_ms ? o->stall_ms : STALL_MS;

	for (int waited_ms = 0; waited_ms < stall_ms; waited_ms += ASK_MS) {
		struct pollfd p = { .fd = o->fd, .events = POLLOUT };
		int n = poll(&p, 1, ASK_MS < stall_ms ? ASK_MS : stall_ms);

		if (n > 0)
			return 0; /* has room, or the write will report the error */
		if (n < 0 && errno != EINTR)
			return rs_fail(err, "cannot write: %s", strerror(errno));
		if (save_fail_if_closed(o, err) < 0)
			return -1;
	}
	return rs_fail(err, "nobody reads what is written (nothing was taken for %d s)", stall_ms / 1000);
}

static int save_output(struct rs_save_output *o, const void *data, size_t len_bytes, struct rs_error *err)
{
	const char *p = data;

	if (save_fail_if_closed(o, err) < 0)
		return -1;
	while (len_bytes) {
		size_t most = o->is_file ? len_bytes : PIPE_BUF;
		ssize_t n;

		if (!o->is_file && save_wait_for_room(o, err) < 0)
			return -1;
		n = write(o->fd, p, len_bytes < most ? len_bytes : most);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return rs_fail(err, "cannot write: %s", strerror(n < 0 ? errno : ENOSPC));
		p += n;
		len_bytes -= (size_t)n;
		o->bytes += (uint64_t)n;
	}
	return 0;
}

/* ---- write while reading ---- */

struct running {
	struct rs_save *save;
	struct rs_buf *text;
	struct rs_error *err;
};

static int save_flush(struct rs_save *save, struct rs_buf *text, struct rs_error *err)
{
	int ret;

	if (save->export && save->export->pack)
		save->export->pack(save->export, text);
	if (text->failed)
		return rs_fail(err, "cannot save: out of memory");
	ret = save_output(&save->out, text->data, text->len, err);
	rs_buf_clear(text);
	return ret;
}

static bool write_some(void *arg)
{
	struct running *r = arg;

	if (r->text->len >= SAVE_WRITE_BYTES)
		return save_flush(r->save, r->text, r->err) == 0;
	return save_fail_if_closed(&r->save->out, r->err) == 0;
}

static int save_run(struct rs_save *save, struct rs_time_range *time_range, struct rs_buf *text,
		struct rs_error *err)
{
	struct running running = { save, text, err };
	int status = rs_time_range_run(time_range, write_some, &running, err);
	struct rs_quality quality;

	/* of the time range only: the session has read events before it too */
	rs_session_quality(time_range->session, &quality);
	save->nr_events = quality.events;
	return status == 0 ? 0 : -1;
}

/* ---- formats of other programs ---- */

static int export_pass(struct rs_save *save, struct rs_export *e, unsigned int pass, struct rs_buf *text,
		       struct rs_error *err)
{
	struct rs_time_range_config config = save->config;
	struct rs_time_range *time_range;
	struct rs_export_feed feed;
	int ret = -1;

	if (rs_export_feed_config(e, pass, &config.session, err) < 0)
		return -1;
	config.ahead = e->view != NULL;
	time_range = rs_time_range_open(save->origin, &config, &save->why, err);
	if (!time_range) {
		rs_export_feed_done(&config.session);
		return -1;
	}
	rs_export_feed_spans(e, pass, time_range->session);
	if (rs_time_range_attach(time_range, err) == 0) {
		rs_export_feed_begin(&feed, e, pass, time_range->session, &config.session, time_range->source,
				     time_range->from_ns);
		ret = save_run(save, time_range, text, err);
		if (rs_export_feed_end(&feed, err) < 0)
			ret = -1;
	}
	rs_time_range_free(time_range);
	rs_export_feed_done(&config.session);
	return ret;
}

static int save_export(struct rs_save *save, const struct rs_export_format *format, struct rs_error *err)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_export *e = format->make(&(struct rs_export_options){ 0 }, &text);
	struct rs_error failure = { 0 };
	int ret = 0;

	if (!e)
		return rs_fail(err, "cannot save: out of memory");
	if (e->error.status) {
		*err = e->error;
		e->free(e);
		rs_buf_done(&text);
		return -1;
	}
	save->export = e;
	for (unsigned int pass = 0;
	     ret == 0 && e->error.status == RS_OK && pass < RS_EXPORT_PASSES && e->subscriber[pass]; pass++)
		ret = export_pass(save, e, pass, &text, err);
	/* ends the file as its format requires, also after an error */
	e->close(e);
	if (save_flush(save, &text, &failure) < 0 && err->status == RS_OK)
		*err = failure;
	if (e->error.status && err->status == RS_OK) /* it gave up: what was written is not whole */
		*err = e->error;
	save->export = NULL;
	e->free(e);
	rs_buf_done(&text);
	return err->status == RS_OK ? 0 : -1;
}

/* ---- rows: of all views in one pass, as `report --view all` prints them ---- */

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

static int save_add_view(struct save_rows *rows, const struct rs_view_ref *ref, const char *format,
			 struct rs_error *err)
{
	const struct rs_formatter_options formatter = { .format = format, .view_key = true };
	struct saved_view *v = &rows->views[rows->nr];

	if (rows->nr == SAVE_ROWS_MAX_VIEWS)
		return rs_fail(err, "cannot save: more than %d views", SAVE_ROWS_MAX_VIEWS);
	v->ref = *ref;
	v->printer = rs_printer_new(ref->view, &formatter, &rows->text, err);
	if (!v->printer)
		return -1;
	rows->nr++;
	if (ref->view->kind == RS_VIEW_STREAM)
		rs_session_subscribe(rows->session, ref, &(struct rs_query){ 0 },
				     rs_printer_sink(v->printer));
	return 0;
}

/* Adds the views whose events this source has. */
static int save_add_views(struct save_rows *rows, const struct rs_session_config *config, const char *format,
			  struct rs_error *err)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		const struct rs_analysis *a = config->analyses[i];

		if (rs_session_disabled(rows->session, a))
			continue;
		for (unsigned int v = 0; a->views && a->views[v].name; v++)
			if (!a->views[v].by_name &&
			    save_add_view(rows, &(struct rs_view_ref){ a, &a->views[v], v }, format, err) < 0)
				return -1;
	}
	return 0;
}

/*
 * Writes the stored rows of streams, then tables and histograms, view by view; the data quality at the end.
 */
static int save_rows_finish(struct rs_save *save, struct save_rows *rows, struct rs_error *err)
{
	struct rs_printer *printers[SAVE_ROWS_MAX_VIEWS];
	struct rs_quality quality;

	for (size_t i = 0; i < rows->nr; i++) {
		struct saved_view *v = &rows->views[i];

		if (v->ref.view->kind != RS_VIEW_STREAM &&
		    rs_session_rows(rows->session, &v->ref, &(struct rs_query){ 0 },
				    rs_printer_sink(v->printer)) < 0)
			return rs_fail(err, "cannot save %s: out of memory", v->ref.view->name);
		rs_printer_finish(v->printer);
		printers[i] = v->printer;
		if (save_flush(save, &rows->text, err) < 0)
			return -1;
	}
	rs_session_quality(rows->session, &quality);
	if (rows->nr)
		rs_printers_quality(printers, rows->nr, "all", &quality);
	return save_flush(save, &rows->text, err);
}

static int save_rows(struct rs_save *save, const char *format, struct rs_error *err)
{
	struct save_rows rows = { .text = RS_BUF_INIT };
	struct rs_time_range *time_range;
	int ret = -1;

	save->config.ahead = true;
	time_range = rs_time_range_open(save->origin, &save->config, &save->why, err);
	if (!time_range)
		return -1;
	rows.session = time_range->session;
	if (rs_time_range_attach(time_range, err) == 0 &&
	    save_add_views(&rows, &save->config.session, format, err) == 0 &&
	    save_run(save, time_range, &rows.text, err) == 0)
		ret = save_rows_finish(save, &rows, err);
	for (size_t i = 0; i < rows.nr; i++)
		rs_printer_free(rows.views[i].printer);
	rs_time_range_free(time_range);
	rs_buf_done(&rows.text);
	return ret;
}

/* ---- trace.dat: the raw pages as a recording ---- */

static int save_write(void *arg, const void *data, size_t len_bytes, struct rs_error *err)
{
	return save_output(&((struct rs_save *)arg)->out, data, len_bytes, err);
}

static int save_tracedat(struct rs_save *save, struct rs_error *err)
{
	struct rs_time_range_config config = save->config;
	struct rs_save_tracedat pages = {
		.from_ns = config.session.from_ns, .to_ns = config.session.to_ns, .named = save->created,
		.nr_named = save->nr_created,
		.write = save_write, .arg = save,
	};

	/* a reader of the file would show events from before from_ns as rows */
	config.before_ns = config.before_bytes = 0;
	config.exact = true;
	pages.source = rs_time_range_source(save->origin, &config, &save->why, err);
	if (!pages.source)
		return -1;
	rs_save_tracedat(&pages, err);
	save->nr_events = pages.nr_events;
	pages.source->ops->close(pages.source);
	return err->status == RS_OK ? 0 : -1;
}

/* ---- all formats ---- */

static const struct rs_save_format save_of_rows[] = {
	{ "json", ".ndjson", "rows of every view, an object a line" },
	{ "csv", ".csv", "rows of every view" },
};

#define SAVE_NR_OF_ROWS (sizeof save_of_rows / sizeof *save_of_rows)

/* One that writes files of its own needs the right to open them. */
static bool save_can_export(const struct rs_export_format *f)
{
	return f->output == RS_EXPORT_STREAM || f->output == RS_EXPORT_COPY;
}

/* What every program reads comes first, then the others in the order of export. */
static const struct rs_export_format *save_nth_export(size_t *number)
{
	for (unsigned int pass = 0; pass < 2; pass++)
		for (const struct rs_export_format *f = rs_export_formats; f->name; f++)
			if (save_can_export(f) && (f->output == RS_EXPORT_COPY) == !pass && (*number)-- == 0)
				return f;
	return NULL;
}

bool rs_save_format(size_t number, struct rs_save_format *format)
{
	const struct rs_export_format *f = save_nth_export(&number);

	if (f)
		*format = (struct rs_save_format){ f->name, f->endings, f->help };
	else if (number < SAVE_NR_OF_ROWS)
		*format = save_of_rows[number];
	return f || number < SAVE_NR_OF_ROWS;
}

static bool save_is_of_rows(const char *format)
{
	for (size_t i = 0; i < SAVE_NR_OF_ROWS; i++)
		if (!strcmp(format, save_of_rows[i].name))
			return true;
	return false;
}

static int save_fail_unknown(const char *format, struct rs_error *err)
{
	struct rs_save_format known;
	struct rs_buf all = RS_BUF_INIT;
	const char **names, *near;
	size_t nr = 0;

	while (rs_save_format(nr, &known))
		nr++;
	names = calloc(nr + 1, sizeof *names);
	if (!names)
		return rs_fail(err, "cannot save: out of memory");
	for (size_t i = 0; rs_save_format(i, &known); i++) {
		names[i] = known.name;
		rs_buf_printf(&all, "%s%s", i ? ", " : "", known.name);
	}
	near = rs_nearest(format, names);
	free(names);
	if (near)
		rs_fail_usage(err, "no format '%.40s' (did you mean '%s'?)", format, near);
	else
		rs_fail_usage(err, "no format '%.40s' (%s)", format, all.failed ? "" : all.data);
	rs_buf_done(&all);
	return -1;
}

static int save_check_format(const char *format, struct rs_error *err)
{
	struct rs_error ignored = { 0 };
	const struct rs_export_format *known = rs_export_find(format, &ignored);

	if (save_is_of_rows(format) || (known && save_can_export(known)))
		return 0;
	if (!known)
		return save_fail_unknown(format, err);
	return rs_fail_usage(err,
			     "%s is written to files of its own, and the daemon opens none (ringside export "
			     "--daemon -f %s)",
			     known->name, known->name);
}

int rs_save(struct rs_save *save, const char *format, struct rs_error *err)
{
	const struct rs_export_format *known;

	save->why = RS_TIME_RANGE_FAILED;
	if (save_check_format(format, err) < 0 || save_check_output(&save->out, err) < 0)
		return -1;
	if (save_is_of_rows(format))
		return save_rows(save, format, err);
	known = rs_export_find(format, err);
	return known->output == RS_EXPORT_COPY ? save_tracedat(save, err) : save_export(save, known, err);
}
