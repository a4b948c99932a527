// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "export/export.h"

#define STALL_MS 10000
#define ASK_MS 200
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

int rs_save_write(struct rs_save_output *o, const void *data, size_t len_bytes, struct rs_error *err)
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

int rs_save_flush(struct rs_save *save, struct rs_buf *text, struct rs_error *err)
{
	int ret;

	if (text->failed)
		return rs_fail(err, "cannot save: out of memory");
	ret = rs_save_write(&save->out, text->data, text->len, err);
	rs_buf_clear(text);
	return ret;
}

static bool write_some(void *arg)
{
	struct running *r = arg;

	if (r->text->len >= SAVE_WRITE_BYTES)
		return rs_save_flush(r->save, r->text, r->err) == 0;
	return save_fail_if_closed(&r->save->out, r->err) == 0;
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
	if (!knows(format, err) || save_check_output(&save->out, err) < 0)
		return -1;
	if (!strcmp(format, "trace.dat"))
		return rs_save_tracedat(save, err);
	if (save_is_own(format))
		return rs_save_rows(save, format, err);
	return save_export(save, rs_export_find(format, err), err);
}
