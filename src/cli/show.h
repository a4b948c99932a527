/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - views of a source, from what the user asked to bytes: the same for a file and live
 *
 *	show = rs_show_new(views, nr_views, opt, &err);     // misuse is found here, nothing is open yet
 *	rs_show_attach(show, source, &clock, &err);
 *	while (rs_show_run(show, 10000, &err) == RS_RUN_MORE)
 *		rs_out(rs_show_output(show), &err);
 *	rs_show_end(show, &err);                            // tables, pictures, the quality line
 *	rs_out(rs_show_output(show), &err);
 *	rs_show_free(show);
 *
 * One thread uses it. It writes to a buffer, which the caller empties.
 */
#ifndef RS_CLI_SHOW_H
#define RS_CLI_SHOW_H

#include "cli/options.h"
#include "engine/session.h"

struct rs_show;

enum rs_show_kind {
	RS_SHOW_ROWS,     /* the rows of each view */
	RS_SHOW_SUMMARY,  /* a page with the first few of each */
	RS_SHOW_CHECK,    /* the accounting invariants */
};

/* views and opt must outlive it. NULL on error. */
struct rs_show *rs_show_new(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			    const struct rs_options *opt, struct rs_error *err);
void rs_show_free(struct rs_show *show);

/*
 * The analyses that the views belong to, for the plan of a capture. Before attach the caller sets in it what it knows of
 * the source: ahead, from_ns, selection.command, selection.by_kernel.
 */
struct rs_session_config *rs_show_config(struct rs_show *show);

/* Live, before attach: requester names the files behind descriptors. */
void rs_show_ask_fds(struct rs_show *show, struct rs_fd_requester requester);

/*
 * rs_show_attach - binds the source, which stays the caller's. begin_ns is what
 * times are counted from. -1 where the views asked for cannot be had from it.
 * Of several views those are left out.
 */
int rs_show_attach(struct rs_show *show, struct rs_source *source, const struct rs_moment_clock *clock, struct rs_error *err);

/*
 * rs_show_ask - before attach, with what is known of the source: what --dev, --type and --syscall name is looked up,
 * and refused where there is nothing of that name. Live before the first event, so that no command is run in vain.
 */
int rs_show_ask(struct rs_show *show, const struct rs_trace_info *info, struct rs_error *err);
/* See rs_session_event. Appends a line to *warnings for each view that cannot be shown without the event. */
void rs_show_event(struct rs_show *show, const char *system, const char *name, bool on,
		   struct rs_buf *warnings);

enum rs_run_result rs_show_run(struct rs_show *show, uint64_t max_events, struct rs_error *err);
uint64_t rs_show_events(const struct rs_show *show);    /* handled so far */
/* True: every event was before --from, the last one at *last_ns. */
bool rs_show_all_before_from(const struct rs_show *show, uint64_t *last_ns);
/* -I: prints the results so far, then starts anew. */
void rs_show_interval(struct rs_show *show, struct rs_error *err);
void rs_show_end(struct rs_show *show, struct rs_error *err);
/* After the end: the views that this source cannot feed, "cpus,disks", if there are several; "" none. A page says so itself. */
const char *rs_show_left_out(const struct rs_show *show);
/* -n has been reached by every view, and all are streams: no more rows will come. */
bool rs_show_full(const struct rs_show *show);
struct rs_buf *rs_show_output(struct rs_show *show);
/* Text for stderr, as the last line of CSV: write it after the output, and empty it. */
struct rs_buf *rs_show_aside(struct rs_show *show);

/* After the end, once: a line for each request that matched nothing. The show owns them. */
const char *rs_show_warnings(struct rs_show *show);

/* RS_SHOW_CHECK, after the end: the number of invariants that do not hold. */
unsigned int rs_show_violations(const struct rs_show *show);

#endif
