// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show-attached.c - views of a daemon: of what it traces now, and of what its window has of a time range
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/attach.h"
#include "cli/interrupt.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/save-window.h"
#include "cli/show/show-hosts.h"
#include "cli/show/show.h"
#include "rpc/follow-source.h"

#define ATTACHED_EVENTS_PER_BATCH 10000
#define ATTACHED_WAIT_MS 50
#define ATTACHED_MAX_REQUIREMENTS 256

/* These options say how to capture, which was settled when the daemon began. */
static bool attached_needs_own_engine(const struct rs_options *opt)
{
	return opt->command || opt->nr_arguments ||
	       rs_options_gave(opt, "own,input,clock,buffer-size,stacks,as-root,core,event");
}

/*
 * Returns true if the daemon traces every event that the view requires. Of several views some may be without.
 */
static bool has_needs(const struct rs_show *show, const struct rs_source *source)
{
	struct rs_event_requirement needs[ATTACHED_MAX_REQUIREMENTS];
	size_t nr = rs_requirements_list(&show->config, needs, ATTACHED_MAX_REQUIREMENTS);

	for (size_t i = 0; show->nr_shown == 1 && i < nr; i++)
		if (needs[i].need == RS_REQUIRED &&
		    !rs_follow_source_has(source, needs[i].system, needs[i].name))
			return false;
	return true;
}

struct attached {
	const struct rs_options *opt;
	struct rs_client *client;
	bool pause_noted;
	struct rs_show *show;
	struct rs_source *source;
	uint64_t interval_at_ns, end_at_ns;  /* CLOCK_MONOTONIC; UINT64_MAX never */
};

static void read_events(struct attached *a)
{
	const char *system, *name;
	bool on;

	while (rs_follow_source_event(a->source, &system, &name, &on))
		rs_show_event(a->show, system, name, on);
}

static void attached_read_sockets(struct attached *a)
{
	const struct rs_fd_socket *known;

	while ((known = rs_follow_source_socket(a->source)))
		rs_show_add_socket(a->show, known);
}

/* False: the reader of the output has closed it, or there is an error. */
static bool attached_put_output(struct attached *a, struct rs_error *err)
{
	bool taken = !a->show->out.len || rs_out(&a->show->out, err) == 0;

	rs_out_aside(&a->show->aside, false);
	return taken && err->status == RS_OK && !rs_show_full(a->show);
}

static int attached_wait_ms(const struct attached *a, uint64_t now_ns)
{
	uint64_t due_ns = a->interval_at_ns < a->end_at_ns ? a->interval_at_ns : a->end_at_ns;

	if (due_ns <= now_ns)
		return 0;
	return due_ns - now_ns < ATTACHED_WAIT_MS * 1000000ull ? (int)((due_ns - now_ns) / 1000000) + 1
		: ATTACHED_WAIT_MS;
}

static void attached_pass_time(struct attached *a, uint64_t now_ns, struct rs_error *err)
{
	if (now_ns >= a->interval_at_ns) {
		a->interval_at_ns += a->opt->interval_ns;
		rs_show_interval(a->show, err);
	}
	if (now_ns >= a->end_at_ns || rs_interrupt_came())
		rs_follow_source_stop(a->source);
}

static void attached_run_views(struct attached *a, struct rs_error *err)
{
	enum rs_run_result result;
	uint64_t now_ns;

	do {
		attached_read_sockets(a);
		result = rs_show_run(a->show, ATTACHED_EVENTS_PER_BATCH, err);
		read_events(a);
		now_ns = rs_monotonic_ns();
		attached_pass_time(a, now_ns, err);
		if (!attached_put_output(a, err))
			break;
		if (result == RS_RUN_WAIT)
			a->source->ops->wait(a->source, attached_wait_ms(a, now_ns));
	} while (result != RS_RUN_END);
	if (rs_out_closed() || err->status != RS_OK)
		return;
	rs_show_end(a->show, err);
	attached_put_output(a, err);
}

static void attached_notify_begin(const struct attached *a, const struct rs_view_ref *views)
{
	const struct rs_options *opt = a->opt;

	if (!opt->quiet && isatty(STDERR_FILENO) && views->view->kind != RS_VIEW_STREAM &&
	    !opt->interval_ns && !opt->duration_ns)
		fprintf(stderr, "following the daemon for %s ... Ctrl-C ends it and shows the result\n",
			views->view->name);
}

/* Empty rows would look like an idle machine. */
static void attached_notify_pause(struct attached *a)
{
	struct rs_error ignored = { 0 };
	const struct rs_state_reply *state;

	if (a->opt->quiet || a->pause_noted)
		return;
	state = rs_client_call(a->client, "state", NULL, -1, &ignored);
	a->pause_noted = state && !state->tracing && !state->ended;
	if (a->pause_noted)
		rs_out_warn("the daemon's tracing is off: nothing of it is shown (ringside trace on)\n");
	rs_message_drop(state);
}

/* Printed after the rows, which cover less time than requested. */
static void attached_notify_end(const struct attached *a, struct rs_error *err)
{
	enum rs_follow_end end = rs_follow_source_ended(a->source);

	if (end == RS_FOLLOW_BROKEN && !rs_out_closed())
		rs_fail(err, "the daemon has gone: nothing after that is shown");
	else if (end == RS_FOLLOW_CAPTURE_ENDED)
		rs_out_warn("the daemon has ended: nothing after that is shown\n");
}

static void attached_show_all(struct attached *a, const struct rs_view_ref *views, struct rs_error *err)
{
	const struct rs_options *opt = a->opt;
	const char *clock = a->source->info.clock;
	uint64_t now_ns = rs_monotonic_ns(), from_ns = rs_follow_source_from_ns(a->source);

	a->interval_at_ns = opt->interval_ns ? now_ns + opt->interval_ns : UINT64_MAX;
	a->end_at_ns = opt->duration_ns ? now_ns + opt->duration_ns : UINT64_MAX;
	rs_interrupt_watch(); /* the second one kills, as it does a capture of our own */
	a->show->config.from_ns = from_ns;
	if (opt->base_known && clock && !strcmp(clock, "boot"))
		from_ns = opt->base.begin_ns; /* one begin for several hosts, somewhat before it */
	attached_notify_pause(a);
	if (rs_show_ask(a->show, &a->source->info, err) == 0 &&
	    rs_show_attach(a->show, a->source, &(struct rs_moment_clock){ .begin_ns = from_ns }, err) == 0) {
		attached_notify_begin(a, views);
		attached_run_views(a, err);
		if (rs_follow_source_ended(a->source) == RS_FOLLOW_AS_ASKED)
			attached_notify_pause(a);
		else
			attached_notify_end(a, err);
	}
	rs_show_warn(a->show);
}

static struct rs_source *attached_follow(const struct attached *a)
{
	struct rs_error ignored = { 0 };
	struct rs_source *source;

	/* a daemon sends events, and no samples */
	if (rs_session_samples(&a->show->config) & (RS_SAMPLE_STACKS | RS_SAMPLE_ALLOCATIONS))
		return NULL;
	source = rs_follow_source_open(a->client, rs_session_samples(&a->show->config), &ignored);

	if (!source || has_needs(a->show, source))
		return source;
	source->ops->close(source);
	return NULL;
}

bool rs_show_attached(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
		      const struct rs_options *opt, enum rs_exit *status, struct rs_error *err)
{
	struct attached a = { .opt = opt };
	struct rs_error none = { 0 };

	if (attached_needs_own_engine(opt))
		return false;
	a.client = rs_attach(opt, &none);
	if (!a.client) {
		*status = none.status;
		if (opt->socket)
			*err = none;
		return opt->socket;
	}
	a.show = rs_show_new(kind, views, nr_views, opt, err);
	a.source = a.show ? attached_follow(&a) : NULL;
	if (a.source)
		attached_show_all(&a, views, err);
	*status = err->status;
	rs_show_free(a.show);
	if (a.source)
		a.source->ops->close(a.source);
	rs_client_free(a.client);
	return a.source || err->status != RS_OK;
}

/*
 * ---- a time range that has passed ----
 *
 * The window is read as any recording is (save-window.h), and every option of a recording works.
 */

static int show_window_check_options(const char *name, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->command)
		return rs_fail_usage(err, "%s: a time that has passed is shown, no command is run ('%s')",
				     name, opt->command[0]);
	if (opt->interval_ns || opt->duration_ns)
		return rs_fail_usage(
			err, "%s: %s is for live capture, --from, --to and --last are for what has passed",
			name, opt->interval_ns ? "-I" : "-d");
	if (opt->own || opt->clock || opt->buffer_kib)
		return rs_fail_usage(err,
				     "%s: --from, --to and --last are for a recording (-i FILE), or the "
				     "daemon's window: not for a "
				     "capture that begins now",
				     name);
	return 0;
}

/* Of a time range that has passed and was not recorded: of what a daemon's window has of it. */
static enum rs_exit show_window(const char *name, enum rs_show_kind kind, const struct rs_view_ref *views,
				size_t nr_views, const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;
	struct rs_error none = { 0 };
	struct rs_client *client;

	if (show_window_check_options(name, &opt, err) < 0)
		return RS_USAGE;
	client = rs_attach(&opt, &none);
	if (!client)
		return rs_fail(err,
			       "%s: --from, --to and --last are for a recording (-i FILE), or the daemon's "
			       "window: %s",
			       name, none.text),
		       err->status;
	if (rs_save_window_as_input(client, &opt, err) == 0) {
		rs_show_file(kind, views, nr_views, &opt, err);
		close(opt.input_fd);
	}
	rs_client_free(client);
	return err->status;
}

enum rs_exit rs_show_views(const char *name, enum rs_show_kind kind, const struct rs_view_ref *views,
			   size_t nr_views, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->input && (opt->command || opt->interval_ns || opt->duration_ns))
		return rs_fail_usage(err,
				     "%s: -I, -d and a command are for live capture, not for a recording",
				     name),
		       RS_USAGE;
	if (opt->input)
		return rs_show_file_packed(kind, views, nr_views, opt, err);
	if (rs_options_gave(opt, "from,to,last") && opt->nr_hosts > 1)
		return show_window_check_options(name, opt, err) < 0 ?
			       RS_USAGE :
			       rs_show_hosts(kind, views, nr_views, opt, err);
	if (rs_options_gave(opt, "from,to,last"))
		return show_window(name, kind, views, nr_views, opt, err);
	return rs_show_live(kind, views, nr_views, opt, err);
}
