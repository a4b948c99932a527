/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - writes a recording in another program's format while it is read
 *
 * A format is one file and one row of rs_export_formats. The engine feeds it: its own
 * analysis (.subscribers) gets states, wake-ups and loss, its .sink the spans of all
 * analyses. Events are written as they come.
 *
 *	struct rs_export *e = rs_export_find("chrome", &err)->make(&options, &out);
 *	config.analyses[n++] = e->listener[pass]; config.arg = e;
 *	rs_session_emit_span(session, &e->sink);
 *	... e->begin(e, pass, info, begin_ns); run; e->end(e, pass, &quality); write `out` when it is large
 *	e->close(e); e->free(e);
 */
#ifndef RS_EXPORT_EXPORT_H
#define RS_EXPORT_EXPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "model/subscriber.h"
#include "model/quality.h"
#include "source/source.h"

#define RS_EXPORT_PASSES 2

struct rs_export_options {
	bool compat;                    /* for viewers that do not know the newest parts of the format */
};

struct rs_export {
	/* one for each pass over the file; NULL: no such pass. Handlers find this struct by rs_api_session_arg */
	const struct rs_analysis *subscriber[RS_EXPORT_PASSES];
	bool spans[RS_EXPORT_PASSES];   /* whether that pass needs the analyses and their spans */
	struct rs_span_sink sink;
	bool (*draws)(const struct rs_span_kind *kind); /* false: spans of this kind are ignored */
	/* With several machines: sets the current one, before each begin. NULL: the format has one machine only */
	void (*machine)(struct rs_export *e, unsigned int index, unsigned int nr, const char *name);
	bool (*is_empty)(const struct rs_export *e); /* nothing was drawn; NULL: cannot happen */
	/* begin_ns: time of the first event */
	void (*begin)(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info, uint64_t begin_ns);
	/* after each begin, also on error; quality of this pass */
	void (*end)(struct rs_export *e, unsigned int pass, const struct rs_quality *quality);
	/* after the last end, also if a later pass could not begin: completes the output */
	void (*close)(struct rs_export *e);
	void (*free)(struct rs_export *e);
};

struct rs_export_format {
	const char *name, *help;
	struct rs_export *(*make)(const struct rs_export_options *options, struct rs_buf *out); /* NULL: out of memory */
};

/* Ends with a NULL name. */
extern const struct rs_export_format rs_export_formats[];

const struct rs_export_format *rs_export_find(const char *name, struct rs_error *err);
/* For the metadata of a format: what is known of the recording and its data quality. nr_cut: slices that were cut so that they nest. */
void rs_export_describe(const struct rs_quality *q, uint64_t base_ns, uint64_t nr_cut,
			void (*fact)(void *arg, const char *key, const char *text), void *arg);

#endif
