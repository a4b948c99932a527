/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - writes a recording in another program's format while it is read
 *
 * A format is one file and one row of rs_export_formats. The engine feeds it: its own
 * analysis (.subscribers) gets states, wake-ups and loss, its .sink the spans of all
 * analyses. Events are written as they come.
 *
 *	struct rs_export *e = rs_export_find("chrome", &err)->make(&options, &out);
 *	... service/export-feed.h runs a session for it; write `out` when it is large
 *	e->close(e); e->free(e);
 *
 * A format that tables are for takes the rows of each view, and the findings.
 */
#ifndef RS_EXPORT_EXPORT_H
#define RS_EXPORT_EXPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "model/subscriber.h"
#include "model/quality.h"
#include "ringside/plugin.h"
#include "source/source.h"

#define RS_EXPORT_PASSES 2

struct rs_finding_item;
struct rs_finding_list;
struct rs_size_limit;

enum rs_export_output {
	RS_EXPORT_STREAM,               /* bytes to the buffer of .make */
	/* a recording: its records are copied, not decoded, so there is no .make */
	RS_EXPORT_COPY,
	RS_EXPORT_FILE,                 /* to the file options.path, which is there and empty */
	RS_EXPORT_FOLDER,               /* to files in the folder options.path, which is there and empty */
};

/* A part of what a host ships, one after the other. Its strings outlive the export. */
struct rs_export_batch {
	const char *host, *boot;        /* NULL: as the recording says */
	uint64_t number;                /* of this host and boot */
	uint64_t from_ns, to_ns;        /* the time that it covers, both included; 0: all of the recording */
	uint64_t nr_dropped;            /* batches before it that were given up */
	bool is_part;                   /* what is in flight at its end comes in a later one */
	uint64_t least_ns;              /* shorter spans are summed, but have no row */
	/* set at the end: what ended in it, and began before all that was read. May be NULL */
	uint64_t *nr_unmatched;
};

struct rs_export_options {
	bool compat;                    /* for viewers that do not know the newest parts of the format */
	const char *path;               /* outlives the export; NULL of a stream */
	/* asked in long work: true gives it up, for the output is thrown away; NULL: never */
	bool (*interrupted)(void);
	struct rs_size_limit *limit;    /* likewise: of formats that take max-size; NULL: no limit */
	struct rs_export_batch batch;   /* zeroed: it is none */
};

/* A finding over time: when it was found, and how often. */
struct rs_export_incident {
	uint64_t begin_ns, end_ns;
	const struct rs_finding_item *finding; /* as it was when it cost most */
	const char *often;              /* "4 times, slowest 300ms"; "": unknown */
	struct rs_wait_instance slowest; /* .tid 0: none is known */
};

struct rs_export {
	/*
	 * one for each pass over the file; NULL: no such pass. Handlers find this struct by
	 * rs_api_session_arg
	 */
	const struct rs_analysis *subscriber[RS_EXPORT_PASSES];
	bool spans[RS_EXPORT_PASSES];   /* whether that pass needs the analyses and their spans */
	/*
	 * Set at the end of the first pass: in the second, which needs no spans then, the findings of each
	 * step of that length are collected. 0: they are not
	 */
	uint64_t step_ns;
	/* set before each begin: a number made of the time range and the filters; 0: all of the recording */
	uint32_t part;
	/* where the user names none: those that are excluded by default, too */
	bool all_analyses;
	struct rs_span_sink sink;
	bool (*draws)(const struct rs_span_kind *kind); /* false: spans of this kind are ignored */
	/*
	 * After begin, for each view: where its rows go, with all columns; NULL: they are not wanted.
	 * Streams' rows come as they end, other rows before end. NULL: the format has no rows
	 */
	struct rs_sink *(*view)(struct rs_export *e, const struct rs_view *view);
	/* Takes the sums of latencies before end: engine/store/latency-sums.h. NULL: the format has none */
	struct rs_sink *latencies;
	/* Before end, behind the rows. NULL: the format has no findings */
	void (*findings)(struct rs_export *e, const struct rs_finding_list *list);
	/*
	 * Before the end of a pass with steps, in the order in which they began. NULL if step_ns is never set
	 */
	void (*incident)(struct rs_export *e, const struct rs_export_incident *i);
	/* set by a format: what its readers do not show, of what is in the file; NULL: nothing */
	const char *note;
	struct rs_error error;          /* set by a format that cannot go on: the reading ends with it */
	/*
	 * With several machines: sets the current one, before each begin. NULL: the format has one machine
	 * only
	 */
	void (*machine)(struct rs_export *e, unsigned int index, unsigned int nr, const char *name);
	/*
	 * Called with the output so far, in the thread that writes it: compresses it, in place. NULL: it is
	 * written as it is
	 */
	void (*pack)(struct rs_export *e, struct rs_buf *b);
	bool (*is_empty)(const struct rs_export *e); /* nothing was drawn; NULL: cannot happen */
	const char *empty; /* what that means; NULL: there were no events of any kind */
	/* begin_ns: time of the first event */
	void (*begin)(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
		      uint64_t begin_ns);
	/* after each begin, also on error; quality of this pass */
	void (*end)(struct rs_export *e, unsigned int pass, const struct rs_quality *quality);
	/* after the last end, also if a later pass could not begin: completes the output */
	void (*close)(struct rs_export *e);
	void (*free)(struct rs_export *e);
};

struct rs_export_format {
	const char *name, *help;
	/* of files' names, each with its dot: ".db.sqlite"; the format of an output that has none */
	const char *endings;
	enum rs_export_output output;
	/* Returns NULL without memory; .error may be set, and nothing but .free is called then */
	struct rs_export *(*make)(const struct rs_export_options *options, struct rs_buf *out);
	/* those that not every format takes: "compat,gzip,max-size"; NULL: none of them */
	const char *options;
	/* it has the kernel's events, of everybody: filters by task are refused */
	bool is_raw;
};

/* Ends with a NULL name. */
extern const struct rs_export_format rs_export_formats[];

const struct rs_export_format *rs_export_find(const char *name, struct rs_error *err);
/* Adds the names of the formats that take this option, or with NULL of all: "chrome, perfetto". */
void rs_export_put_names(struct rs_buf *out, const char *option);
/* Adds the endings of names, each with its format: ".json (chrome), .pftrace .perfetto-trace (perfetto)". */
void rs_export_put_endings(struct rs_buf *out);
/* Returns 0 if the format takes this option, "gzip"; else -1 with err, which names those that do. */
int rs_export_check_option(const struct rs_export_format *format, const char *option, struct rs_error *err);
/* Returns the format by the end of a file's name; NULL: none has that. */
const struct rs_export_format *rs_export_find_by_ending(const char *path);
/*
 * For the metadata of a format: what is known of the recording and its data quality. nr_cut: slices that were
 * cut so that they nest.
 */
void rs_export_describe(const struct rs_quality *q, uint64_t base_ns, uint64_t nr_cut,
			void (*fact)(void *arg, const char *key, const char *text), void *arg);

#endif
