// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show-live.c - three threads: the main one waits for what ends a capture, the analysis makes rows out of
 * pages, the writer brings them to standard output
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/async-writer.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/show/show.h"
#include "capture/capture.h"
#include "source/trace-clock.h"

#define SHOW_LIVE_EVENTS_PER_BATCH 10000
#define SHOW_LIVE_WAIT_MS 50
#define SHOW_LIVE_BUFFER_BYTES (2u << 20)
#define SHOW_LIVE_PAGE_RING_BYTES (64u << 20)
#define SHOW_LIVE_MAX_REQUIREMENTS 256

struct show_live {
	const struct rs_options *opt;
	struct rs_show *show;
	struct rs_capture *capture;
	struct rs_async_writer *output;
	uint64_t begin_ns;
	atomic_bool interval_due;  /* main asks the analysis */
	/* the analysis asks main to end: an error, or the output takes no more rows */
	atomic_bool enough;
	atomic_bool in_vain;       /* main asks the analysis: nothing to show, the command could not be run */
	struct rs_error err;       /* of the analysis; main reads it after the stop */
};

/*
 * Before the first event, in its clock: times count from here. 0, the clock's own
 * zero, where it cannot be asked.
 */
static uint64_t show_live_clock_ns(const char *name)
{
	struct timespec t;
	clockid_t id;

	if (!rs_trace_clock_id(name ? name : "boot", &id) || clock_gettime(id, &t) < 0)
		return 0;
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void show_live_put_output(struct show_live *live)
{
	if (live->show->out.len)
		rs_async_writer_put(live->output, &live->show->out);
	if (live->opt->interval_ns)
		rs_out_aside(&live->show->aside, false);
	if (!atomic_load(&live->enough) &&
	    (rs_async_writer_failed(live->output) || rs_show_full(live->show) || live->err.status != RS_OK)) {
		atomic_store(&live->enough, true);
		rs_capture_notify(live->capture);
	}
}

/* To the end of the source, whatever happens to the rows: the readers count on being read. */
static void analyse_all(struct show_live *live, struct rs_source *source)
{
	enum rs_run_result result;

	do {
		result = rs_show_run(live->show, SHOW_LIVE_EVENTS_PER_BATCH, &live->err);
		if (atomic_exchange(&live->interval_due, false))
			rs_show_interval(live->show, &live->err);
		show_live_put_output(live);
		if (result == RS_RUN_WAIT)
			source->ops->wait(source, SHOW_LIVE_WAIT_MS);
	} while (result != RS_RUN_END);
}

static void show_live_analyse(void *arg)
{
	struct show_live *live = arg;
	struct rs_source *source = live->capture->source;

	rs_show_ask_fds(live->show, rs_capture_fd_requester(live->capture));
	live->show->config.container_requester = rs_capture_container_requester(live->capture);
	if (rs_show_attach(live->show, source, &(struct rs_moment_clock){ .begin_ns = live->begin_ns },
			   &live->err) == 0) {
		analyse_all(live, source);
		if (!atomic_load(&live->in_vain))
			rs_show_end(live->show, &live->err);
	}
	if (!atomic_load(&live->in_vain))
		show_live_put_output(live);
	rs_async_writer_close(live->output);
}

static int show_live_write_buf(void *arg, struct rs_buf *b, struct rs_error *err)
{
	return rs_out(b, err);
}

/* The capture's threads begin at nice -20; writing to a terminal has no right to that. */
static void show_live_write_out(void *arg)
{
	struct show_live *live = arg;

	setpriority(PRIO_PROCESS, gettid(), 0);
	rs_async_writer_run(live->output);
}

static int show_live_start(struct show_live *live, const struct rs_capture_config *config,
			   struct rs_error *err)
{
	live->capture = rs_capture_open(config, err);
	if (!live->capture)
		return -1;
	rs_out_note(live->capture->plan.probe_cost);
	if (rs_show_ask(live->show, &live->capture->source->info, err) < 0)
		return -1;
	if (live->opt->only_command)
		live->show->config.selection.command = live->capture->launch.pid;
	live->show->config.selection.by_kernel = live->capture->plan.plan.nr_tids > 0;
	live->output = rs_async_writer_new(show_live_write_buf, NULL, SHOW_LIVE_BUFFER_BYTES, err);
	if (!live->output)
		return -1;
	if (rs_capture_thread(live->capture, show_live_write_out, live, err) < 0 ||
	    rs_capture_thread(live->capture, show_live_analyse, live, err) < 0)
		return -1;
	live->begin_ns = live->opt->base_known && !config->clock ? live->opt->base.begin_ns :
								   show_live_clock_ns(config->clock);
	return rs_capture_start(live->capture, err);
}

/* Nothing is printed until the end: tells a user at a terminal that tracing runs, and how to end it. */
static void show_live_notify_begin(const struct show_live *live, const struct rs_view_ref *views)
{
	const struct rs_options *opt = live->opt;

	if (opt->quiet || !isatty(STDERR_FILENO))
		return;
	if ((views->view->kind != RS_VIEW_STREAM || opt->sort) && !opt->interval_ns && !opt->duration_ns &&
	    !opt->command)
		fprintf(stderr, "tracing for %s ... Ctrl-C ends it and shows the result\n",
			views->view->name);
}

static void show_live_wait_for_end(struct show_live *live, struct rs_error *err)
{
	enum rs_capture_event event;

	while ((event = rs_capture_wait(live->capture, -1, err)) < RS_CAPTURE_END_TIME) {
		if (event == RS_CAPTURE_INTERVAL)
			atomic_store(&live->interval_due, true);
		if (event == RS_CAPTURE_NOTIFIED && atomic_load(&live->enough))
			return;
	}
	/* a command that could not be run has ended, too */
	if (event == RS_CAPTURE_END_ERROR && live->capture->launch.status_known)
		atomic_store(&live->in_vain, true);
}

static void show_live_notify_end(const struct show_live *live)
{
	const struct rs_launch *launch = &live->capture->launch;

	rs_out_note(rs_live_demotion(live->capture->source));
	rs_out_note(rs_live_probes_note(live->capture->source));
	if (launch->status_known && WIFSIGNALED(launch->status))
		fprintf(stderr, "ringside: note: '%s' was ended by signal %d (%s)\n", live->opt->command[0],
			WTERMSIG(launch->status), strsignal(WTERMSIG(launch->status)));
}

static void show_live_finish(struct show_live *live, struct rs_error *err)
{
	if (live->capture) {
		rs_capture_stop(live->capture);
		show_live_notify_end(live);
	}
	rs_show_warn(live->show); /* the writer has ended: this comes behind the rows */
	rs_async_writer_free(live->output, err);
	rs_show_free(live->show);
	if (live->capture)
		rs_capture_close(live->capture);
	if (live->err.status != RS_OK && err->status == RS_OK)
		*err = live->err;
}

/* Returns true if the view shows only events that the user names. */
static bool show_live_needs_names(const struct rs_analysis *a)
{
	const struct rs_requirement *w = a->requirements;

	while (w && w->name && w->need == RS_NAMED)
		w++;
	return w != a->requirements && !w->name;
}

/* Such a view needs names: all events would be the whole kernel. */
static int show_live_check_named(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
				 const struct rs_options *opt, struct rs_error *err)
{
	const char *name = views->view->name;

	if (kind != RS_SHOW_ROWS || nr_views > 1 || opt->nr_events || opt->nr_arguments ||
	    !show_live_needs_names(views->analysis))
		return 0;
	return rs_fail_usage(
		err,
		"%s: which events? (-e sched:sched_switch,kvm:*; \"ringside list events\" names them; of a "
		"recording, -i FILE, all are shown)",
		name);
}

/* -e, and the words of a view that takes events. */
static size_t show_live_name_events(const struct rs_options *opt, const char *events[2 * RS_MAX_LIST])
{
	size_t nr = 0;

	for (size_t i = 0; i < opt->nr_events; i++)
		events[nr++] = opt->events[i];
	for (size_t i = 0; opt->is_view && i < opt->nr_arguments && nr < 2 * RS_MAX_LIST; i++)
		events[nr++] = opt->arguments[i];
	return nr;
}

/*
 * If the user names no pair: the known pairs, as far as this kernel has their events: "irq_vectors:*_entry".
 */
static size_t name_known_pairs(const struct rs_view_ref *views, size_t nr_views, size_t nr_named,
			       const char *likely[2 * RS_MAX_PAIRS])
{
	struct rs_pair pairs[RS_MAX_PAIRS];
	size_t nr = 0;

	if (nr_views > 1 || nr_named || !views->analysis->pairs)
		return 0;
	nr = views->analysis->pairs(&(struct rs_pair_words){ 0 }, pairs, RS_MAX_PAIRS);
	for (size_t i = 0; i < nr; i++) {
		likely[2 * i] = pairs[i].begin;
		likely[2 * i + 1] = pairs[i].end;
	}
	return 2 * nr;
}

static void show_live_run(struct show_live *live, enum rs_show_kind kind, const struct rs_view_ref *views,
			  size_t nr_views, struct rs_error *err)
{
	const char *events[2 * RS_MAX_LIST], *likely[2 * RS_MAX_PAIRS];
	struct rs_event_requirement needs[SHOW_LIVE_MAX_REQUIREMENTS];
	struct rs_session_config *session = &live->show->config;
	struct rs_capture_config config = rs_config_capture(live->opt);

	config.needs = needs;
	config.nr_requirements = rs_requirements_list(session, needs, SHOW_LIVE_MAX_REQUIREMENTS);
	/* one of several views that this kernel cannot feed says so in its place; the others go on */
	for (size_t i = 0; nr_views > 1 && i < config.nr_requirements; i++)
		if (needs[i].need == RS_REQUIRED)
			needs[i].need = RS_OPTIONAL;
	config.events = events;
	config.nr_events = show_live_name_events(live->opt, events);
	config.likely = likely;
	config.nr_likely = kind == RS_SHOW_ROWS ?
				   name_known_pairs(views, nr_views, config.nr_events, likely) :
				   0;
	config.live.page_ring_bytes = SHOW_LIVE_PAGE_RING_BYTES;
	config.live.samples = rs_session_samples(session);
	config.stacks = config.stacks ? config.stacks : rs_session_stacks(session);
	config.interval_ns = live->opt->interval_ns;
	config.own_calls = true;
	if ((!live->opt->max_overhead ||
	     rs_config_percent(live->opt->max_overhead, &config.max_probe_milli, err) == 0) &&
	    show_live_start(live, &config, err) == 0) {
		show_live_notify_begin(live, views);
		show_live_wait_for_end(live, err);
	}
	show_live_finish(live, err);
}

enum rs_exit rs_show_live(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err)
{
	struct show_live live = { .opt = opt };
	enum rs_exit status;

	if (rs_show_attached(kind, views, nr_views, opt, &status, err))
		return status;
	if (show_live_check_named(kind, views, nr_views, opt, err) < 0)
		return RS_USAGE;
	live.show = rs_show_new(kind, views, nr_views, opt, err);
	if (live.show)
		show_live_run(&live, kind, views, nr_views, err);
	return err->status;
}
