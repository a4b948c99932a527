/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - a recording written in another program's format, as it is read
 *
 * A format is one file and one row of rs_export_formats. It is fed by the engine: an
 * analysis of its own that is told of states, wake-ups and loss (.listener), and the
 * spans that all analyses lay (.sink). Nothing is kept: what comes is written.
 *
 *	struct rs_export *e = rs_export_find("chrome", &err)->make(&options, &out);
 *	config.analyses[n++] = e->listener[pass]; config.arg = e;
 *	rs_session_emit_span(session, &e->sink);
 *	... e->begin(e, pass, info, begin_ns); run; e->end(e, pass, &trust); write `out` whenever it is large
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
	bool compat;                    /* for viewers that are older than the format's newest habits */
};

struct rs_export {
	/* one for each reading of the file; NULL: there is none. Its handlers find this by rs_api_session_arg */
	const struct rs_analysis *subscriber[RS_EXPORT_PASSES];
	bool spans[RS_EXPORT_PASSES];   /* are the analyses and their spans wanted in that reading? */
	struct rs_span_sink sink;
	bool (*draws)(const struct rs_span_kind *kind); /* false: its spans may come, nothing becomes of them */
	/* Of several machines, before each begin and what is laid: whose events come now. NULL: one machine is all it can draw */
	void (*machine)(struct rs_export *e, unsigned int index, unsigned int nr, const char *name);
	bool (*is_empty)(const struct rs_export *e); /* nothing has been drawn; NULL: that cannot be */
	/* begin_ns: the first event's time, known before */
	void (*begin)(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info, uint64_t begin_ns);
	/* after each begin, whatever happened; trust of this reading */
	void (*end)(struct rs_export *e, unsigned int pass, const struct rs_quality *quality);
	/* after the last end, also where a later reading could not begin: the output is whole then */
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

#endif
