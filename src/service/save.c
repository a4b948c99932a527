// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/save.h"

#include <string.h>

#include "base/nearest.h"
#include "export/export.h"

#define SAVE_WRITE_BYTES (64u << 10) /* waits for more until the next batch */

/* ---- write while reading ---- */

struct running {
	struct rs_save *save;
	struct rs_buf *text;
	struct rs_error *err;
};

int rs_save_flush(struct rs_save *save, struct rs_buf *text, struct rs_error *err)
{
	int ret;

	if (text->failed)
		return rs_fail(err, "cannot save: out of memory");
	ret = rs_fd_out(&save->out, text->data, text->len, err);
	rs_buf_clear(text);
	return ret;
}

static bool write_some(void *arg)
{
	struct running *r = arg;

	if (r->text->len >= SAVE_WRITE_BYTES && rs_save_flush(r->save, r->text, r->err) < 0)
		return false;
	if (!r->save->out.go_on || r->save->out.go_on(r->save->out.arg))
		return true;
	rs_fail(r->err, "who asked for it has gone");
	return false;
}

int rs_save_run(struct rs_save *save, struct rs_time_range *time_range, struct rs_buf *text,
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

static int export_pass(struct rs_save *save, struct rs_export *e, unsigned int pass, struct rs_buf *text, struct rs_error *err)
{
	struct rs_time_range_config config = save->config;
	struct rs_time_range *time_range;
	struct rs_quality quality;
	int ret = -1;

	if (!e->spans[pass])
		config.session.nr_analyses = 0;
	if (config.session.nr_analyses == RS_MAX_ANALYSES)
		return rs_fail(err, "cannot save: more than %d analyses", RS_MAX_ANALYSES - 1);
	config.session.analyses[config.session.nr_analyses++] = e->subscriber[pass];
	config.session.arg = e;
	config.ahead = false;
	time_range = rs_time_range_open(save->origin, &config, &save->why, err);
	if (!time_range)
		return -1;
	if (e->spans[pass])
		rs_session_emit_span(time_range->session, &e->sink);
	if (rs_time_range_attach(time_range, err) == 0) {
		e->begin(e, pass, &time_range->source->info, time_range->from_ns);
		ret = rs_save_run(save, time_range, text, err);
		rs_session_quality(time_range->session, &quality);
		e->end(e, pass, &quality);
	}
	rs_time_range_free(time_range);
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
	for (unsigned int pass = 0; ret == 0 && pass < RS_EXPORT_PASSES && e->subscriber[pass]; pass++)
		ret = export_pass(save, e, pass, &text, err);
	/* ends the file as its format requires, also after an error */
	e->close(e);
	if (rs_save_flush(save, &text, &failure) < 0 && err->status == RS_OK)
		*err = failure;
	e->free(e);
	rs_buf_done(&text);
	return err->status == RS_OK ? 0 : -1;
}

/* ---- all formats ---- */

static bool save_is_own(const char *format)
{
	return !strcmp(format, "trace.dat") || !strcmp(format, "json") || !strcmp(format, "csv");
}

static bool knows(const char *format, struct rs_error *err)
{
	struct rs_error ignored = { 0 };
	const char *names[16] = { "trace.dat", "json", "csv" }, *near;

	if (save_is_own(format) || rs_export_find(format, &ignored))
		return true;
	for (size_t i = 0; rs_export_formats[i].name && i < 12; i++)
		names[3 + i] = rs_export_formats[i].name;
	near = rs_nearest(format, names);
	rs_fail_usage(err, "no format '%.40s' (%s%s%s)", format, near ? "did you mean '" : "trace.dat, json, csv, chrome",
		      near ? near : "", near ? "'?" : "");
	return false;
}

int rs_save(struct rs_save *save, const char *format, struct rs_error *err)
{
	save->why = RS_TIME_RANGE_FAILED;
	if (!knows(format, err) || rs_fd_out_check(&save->out, err) < 0)
		return -1;
	if (!strcmp(format, "trace.dat"))
		return rs_save_tracedat(save, err);
	if (save_is_own(format))
		return rs_save_rows(save, format, err);
	return save_export(save, rs_export_find(format, err), err);
}
