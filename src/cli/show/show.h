/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - views of a source, from what the user asked to bytes: of a file, live, of what a daemon traces
 *
 *	show = rs_show_new(kind, views, nr_views, opt, &err);  // misuse is found here, nothing is open yet
 *	rs_show_ask(show, &source->info, &err);
 *	rs_show_attach(show, source, &clock, &err);
 *	while (rs_show_run(show, 10000, &err) == RS_RUN_MORE)
 *		rs_out(&show->out, &err);
 *	rs_show_end(show, &err);                               // tables, pictures, the quality line
 *	rs_out(&show->out, &err);
 *	rs_show_free(show);
 *
 * One thread uses it. It writes to buffers, which the caller empties.
 */
#ifndef RS_CLI_SHOW_SHOW_H
#define RS_CLI_SHOW_SHOW_H

#include "cli/options/asked.h"
#include "cli/options/options.h"
#include "engine/session.h"
#include "source/source.h"

enum rs_show_kind {
	RS_SHOW_ROWS,     /* the rows of each view */
	RS_SHOW_SUMMARY,  /* a page with the first few of each */
	RS_SHOW_CHECK,    /* the accounting invariants */
	RS_SHOW_FINDINGS, /* what is wrong, in sentences */
	RS_SHOW_INCIDENTS, /* the same over time */
	RS_SHOW_INCIDENT_LIST, /* likewise, a line each; nothing of a recording that is judged at once */
	RS_SHOW_SIDE,     /* nothing: rows go to opt->side, block by block */
	RS_SHOW_WHEN,     /* the first condition of opt->wait that fires, which ends it */
};

struct rs_show {
	enum rs_show_kind kind;
	const struct rs_options *opt;
	struct rs_show_view *shown;     /* private: each view with its question and its printer */
	size_t nr_shown;
	/*
	 * Lists the views' analyses, for a capture. Before attach the caller sets ahead, from_ns,
	 * selection.command, .by_kernel.
	 */
	struct rs_session_config config;
	struct rs_session *session;
	struct rs_summary *summary; /* RS_SHOW_SUMMARY */
	struct rs_incidents *incidents; /* RS_SHOW_INCIDENTS, RS_SHOW_INCIDENT_LIST */
	struct rs_buf out;
	struct rs_buf aside;        /* for stderr, as the last line of CSV: behind the output */
	/* lines: what the filters name in vain, and why there are no rows at the end */
	struct rs_buf warnings;
	struct rs_asked asked;
	/* what the quality line says of them, where that is more than what was typed */
	struct rs_buf filters;
	struct rs_buf nothing;      /* of several views: those that have nothing to show, "cpus,disks" */
	struct rs_buf left_out;     /* and of these those that this source cannot feed */
	unsigned int nr_violations; /* RS_SHOW_CHECK: invariants that do not hold */
	bool again;                 /* not the first interval */
	bool ended;
};

/* views and opt must outlive it. NULL on error. */
struct rs_show *rs_show_new(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			    const struct rs_options *opt, struct rs_error *err);
void rs_show_free(struct rs_show *show);

/*
 * rs_show_ask - before attach, with what is known of the source: what --dev, --type and --syscall name is
 * looked up, and refused where there is nothing of that name. Live before the first event, so that no command
 * is run in vain.
 */
int rs_show_ask(struct rs_show *show, const struct rs_trace_info *info, struct rs_error *err);
/* Live, before attach: requester names the files behind descriptors. */
void rs_show_ask_fds(struct rs_show *show, struct rs_fd_requester requester);
/*
 * rs_show_attach - binds the source, which stays the caller's. -1 where the views asked for cannot be had
 * from it. Of several views those are left out.
 */
int rs_show_attach(struct rs_show *show, struct rs_source *source, const struct rs_moment_clock *clock,
		   struct rs_error *err);
/* See rs_session_event. Warns of each view that cannot be shown without the event. */
void rs_show_event(struct rs_show *show, const char *system, const char *name, bool on);
/* See rs_session_add_socket. */
void rs_show_add_socket(struct rs_show *show, const struct rs_fd_socket *known);
enum rs_run_result rs_show_run(struct rs_show *show, uint64_t max_events, struct rs_error *err);
/* -n has been reached by every view, and all are streams, or a condition fired: no more will come. */
bool rs_show_full(const struct rs_show *show);
/* -I: prints the results so far, then starts anew. */
void rs_show_interval(struct rs_show *show, struct rs_error *err);
void rs_show_end(struct rs_show *show, struct rs_error *err);
/* After the end, once: prints the aside, and a note for each request that matched nothing. */
void rs_show_warn(struct rs_show *show);

/* ---- show-file.c ---- */

/*
 * Unpacks opt->input if gzip, xz or zstd have packed it, once for all readings: opt->input_fd is then what is
 * read, until rs_show_file_close. Shows progress on a terminal. -1: err is set.
 */
int rs_show_file_unpack(struct rs_options *opt, struct rs_error *err);
void rs_show_file_close(struct rs_options *opt);
/*
 * Opens opt->input, after a search for its first event (0: there is none), or with opt->base. NULL on error.
 */
struct rs_source *rs_show_file_open(const struct rs_options *opt, struct rs_moment_clock *clock,
				    struct rs_error *err);
/* Reads opt->input, unpacked, once and shows the views, with progress on a terminal. */
enum rs_exit rs_show_file(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err);
/* The same of what may be packed. */
enum rs_exit rs_show_file_packed(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
				 const struct rs_options *opt, struct rs_error *err);
/* A note that names the views that could not be shown, "cpus,disks"; none for "". */
void rs_show_file_note_left_out(const char *views);

/* ---- show-live.c, show-attached.c ---- */

/*
 * Follows a daemon that traces it already; else captures until -d, the end of the command or a signal. Tables
 * at the end or every -I.
 */
enum rs_exit rs_show_live(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err);

/*
 * rs_show_attached - views of what a daemon traces: the same output, no root. False: there is no daemon that
 * may be asked, it does not trace what these views need, or the options ask for an own capture; nothing was
 * shown. True: see *status.
 */
bool rs_show_attached(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
		      const struct rs_options *opt, enum rs_exit *status, struct rs_error *err);

/*
 * Of a recording (-i), of a time that has passed (--from, --to, --last) as far as a daemon's window has it,
 * else live. name: the command, for messages.
 */
enum rs_exit rs_show_views(const char *name, enum rs_show_kind kind, const struct rs_view_ref *views,
			   size_t nr_views, const struct rs_options *opt, struct rs_error *err);

#endif
