// SPDX-License-Identifier: GPL-2.0-or-later
/* show - views of a source, from what the user asked to bytes: of a file, live, of what a daemon traces */
#include "cli/show/show.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/show/show-findings.h"
#include "cli/show/show-incidents.h"
#include "cli/show/show-view.h"
#include "cli/show/show-when.h"
#include "compare/side.h"
#include "stacks/companions.h"
#include "view/formatter.h"
#include "view/summary.h"

#define SUMMARY_ROWS 5 /* of each view, where -n says nothing else */

bool rs_show_full(const struct rs_show *show)
{
	if (show->kind == RS_SHOW_WHEN)
		return show->opt->wait->fired;
	for (size_t i = 0; i < show->nr_shown; i++)
		if (show->shown[i].printer && !rs_printer_full(show->shown[i].printer))
			return false;
	return show->kind == RS_SHOW_ROWS;
}

/* Other tables have calls by name alone. */
static bool show_has_fds(const struct rs_show *show)
{
	for (size_t i = 0; i < show->nr_shown && show->kind == RS_SHOW_ROWS; i++)
		if (show->shown[i].ref.view->kind == RS_VIEW_STREAM ||
		    show->shown[i].ref.analysis->requires_files ||
		    show->shown[i].ref.analysis->requires_sockets)
			return true;
	return false;
}

void rs_show_ask_fds(struct rs_show *show, struct rs_fd_requester requester)
{
	if (show_has_fds(show))
		show->config.fd_requester = requester;
}

static bool show_narrows(const struct rs_options *opt)
{
	return opt->nr_pids || opt->nr_tids || opt->comm || opt->cgroup || opt->only_command;
}

/* A table of CPUs has no task's share: the quality line says so to a user who asked for one task. */
static int make_filters(struct rs_show *show, struct rs_error *err)
{
	const char *machine_wide = show->shown->ref.view->machine_wide;

	if (show->nr_shown != 1 || !machine_wide || !show_narrows(show->opt))
		return 0;
	rs_buf_printf(&show->filters, "%s (whole machine: %s)", show->opt->filters, machine_wide);
	show->config.filters = show->filters.data;
	return show->filters.failed ? rs_fail(err, "cannot show anything: out of memory") : 0;
}

static bool show_is_over_time(const struct rs_show *show)
{
	return show->kind == RS_SHOW_INCIDENTS || show->kind == RS_SHOW_INCIDENT_LIST;
}

/* Analyses that have findings and no view. */
static int add_judges(struct rs_show *show, struct rs_error *err)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		if ((*a)->rules && !(*a)->by_name && rs_config_add(&show->config, *a, err) < 0)
			return -1;
	return 0;
}

static int make_config(struct rs_show *show, struct rs_error *err)
{
	rs_config_select(show->opt, &show->config);
	show->config.shows_fds = show_has_fds(show);
	if (make_filters(show, err) < 0)
		return -1;
	show->config.events = show->opt->events;
	show->config.nr_events = show->opt->nr_events;
	if (show->opt->is_view)
		show->config.asked = (struct rs_pair_words){
			(const char *const *)show->opt->arguments, show->opt->nr_arguments, show->opt->key,
		};
	for (size_t i = 0; i < show->nr_shown; i++)
		if (rs_config_add(&show->config, show->shown[i].ref.analysis, err) < 0 ||
		    rs_config_add_files(show->opt, &show->shown[i].ref, &show->config, err) < 0)
			return -1;
	show->config.names_code = show->opt->input || show->opt->samples || show->opt->sample_hz;
	show->config.findings = show->kind == RS_SHOW_FINDINGS || show->kind == RS_SHOW_SUMMARY ||
				show_is_over_time(show) ||
				(show->kind == RS_SHOW_WHEN && rs_when_needs_findings(show->opt->wait->when));
	return show->config.findings ? add_judges(show, err) : 0;
}

static bool show_is_by_stack(const struct rs_show_view *s)
{
	for (const struct rs_column *c = s->ref.view->columns; c->name; c++)
		if (c->flags & RS_COLUMN_OF_STACKS && rs_query_is_by(&s->query, c->name))
			return true;
	return false;
}

static int make_shown(struct rs_show *show, struct rs_show_view *s, const struct rs_view_ref *ref,
		      struct rs_error *err)
{
	bool only = show->nr_shown == 1;

	s->ref = *ref;
	s->columns = (struct rs_buf)RS_BUF_INIT;
	if (rs_config_query(show->opt, ref->view, only, &s->query, err) < 0 ||
	    rs_config_printer(show->opt, ref->view, &s->formatter, &s->columns, err) < 0)
		return -1;
	s->formatter.knows_stacks = show_is_by_stack(s) ||
				    (ref->view->kind == RS_VIEW_STREAM && show->opt->stacks);
	s->formatter.view_key = !only;
	s->formatter.no_header = false;
	s->formatter.aside = show->opt->csv_meta ? NULL : &show->aside;
	s->formatter.narrowed = show_narrows(show->opt);
	return 0;
}

/* Replaces the printer, if any, by a new one for the next rows. */
static int renew_printer(struct rs_show *show, struct rs_show_view *s, struct rs_error *err)
{
	rs_printer_free(s->printer);
	s->printer = NULL;
	s->sink = NULL;
	if (show->kind != RS_SHOW_ROWS)
		return 0;
	s->formatter.no_header = show->again && show->opt->csv;
	s->printer = rs_printer_new(s->ref.view, &s->formatter, &show->out, err);
	if (!s->printer)
		return -1;
	s->sink = rs_printer_sink(s->printer);
	return 0;
}

static int make_summary(struct rs_show *show, struct rs_error *err)
{
	unsigned int nr_rows = show->opt->nr_rows ? show->opt->nr_rows : SUMMARY_ROWS;

	show->summary = rs_summary_new(&show->shown->formatter, nr_rows);
	if (!show->summary)
		return rs_fail(err, "cannot sum anything up: out of memory");
	for (size_t i = 0; i < show->nr_shown; i++) {
		struct rs_show_view *s = &show->shown[i];

		s->sink = rs_summary_add(show->summary, s->ref.view, err);
		if (!s->sink)
			return -1;
	}
	return 0;
}

struct rs_show *rs_show_new(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			    const struct rs_options *opt, struct rs_error *err)
{
	struct rs_show *show = calloc(1, sizeof *show);

	if (!show || !(show->shown = calloc(nr_views, sizeof *show->shown))) {
		rs_fail(err, "cannot show anything: out of memory");
		free(show);
		return NULL;
	}
	show->kind = kind;
	show->opt = opt;
	show->out = show->aside = show->filters = show->warnings = show->nothing = show->left_out =
		(struct rs_buf)RS_BUF_INIT;
	show->nr_shown = nr_views;
	for (size_t i = 0; i < nr_views; i++) {
		if (make_shown(show, &show->shown[i], &views[i], err) < 0 ||
		    renew_printer(show, &show->shown[i], err) < 0) {
			rs_show_free(show);
			return NULL;
		}
	}
	rs_buf_clear(&show->out); /* what these printers wrote before their source was known */
	if (make_config(show, err) < 0) {
		rs_show_free(show);
		return NULL;
	}
	return show;
}

void rs_show_free(struct rs_show *show)
{
	if (!show)
		return;
	rs_session_free(show->session);
	rs_summary_free(show->summary);
	rs_incidents_free(show->incidents);
	for (size_t i = 0; i < show->nr_shown; i++) {
		rs_printer_free(show->shown[i].printer);
		rs_buf_done(&show->shown[i].columns);
	}
	free(show->shown);
	rs_buf_done(&show->out);
	rs_buf_done(&show->aside);
	rs_buf_done(&show->filters);
	rs_buf_done(&show->warnings);
	rs_buf_done(&show->nothing);
	rs_buf_done(&show->left_out);
	rs_asked_done(&show->asked);
	free(show);
}

/* Live the end is not known yet. */
static void show_ask_side(struct rs_show *show, const struct rs_source *source,
			  const struct rs_moment_clock *clock)
{
	uint64_t from_ns = show->config.from_ns ? show->config.from_ns : clock->begin_ns,
		 to_ns = show->config.to_ns ? show->config.to_ns : clock->end_ns;

	show->config.step_ns =
		rs_side_step_ns(show->opt->side, !source->info.live && to_ns > from_ns ? to_ns - from_ns : 0);
	show->config.end_step = rs_side_end_step;
	show->config.step_arg = show->opt->side;
	rs_side_set_source(show->opt->side, source->info.kernel, source->info.machine, source->info.host);
}

/* What leads from times of that clock to those that are shown; NULL: they are shown as they are. */
static const struct rs_host_clock *show_host_clock(const struct rs_options *opt, const char *clock)
{
	return opt->host_clock.known && clock && !strcmp(clock, "boot") ? &opt->host_clock : NULL;
}

static void show_take_clock(struct rs_formatter_options *formatter, const struct rs_host_clock *clock)
{
	formatter->shift_ns = -clock->boot_offset_ns;
	formatter->begin_ns += (uint64_t)formatter->shift_ns;
	formatter->realtime_offset_ns += clock->boot_offset_ns - clock->wall_offset_ns;
}

static int make_times(struct rs_show *show, const struct rs_source *source,
		      const struct rs_moment_clock *clock, struct rs_error *err)
{
	const char *unit = rs_quality_clock_unit(source->info.clock);

	if (rs_config_times(show->opt, clock, &show->config, err) < 0)
		return -1;
	show->config.host_clock = show_host_clock(show->opt, source->info.clock);
	if (show_is_over_time(show) && !(show->incidents = rs_incidents_new()))
		return rs_fail(err, "cannot show anything: out of memory");
	if (show->incidents)
		rs_show_incidents_ask(show->incidents, clock, &show->config);
	if (show->kind == RS_SHOW_SIDE)
		show_ask_side(show, source, clock);
	if (show->kind == RS_SHOW_WHEN)
		rs_show_when_ask(show->opt->wait, clock->begin_ns, &show->config, &show->out);
	for (size_t i = 0; i < show->nr_shown; i++) {
		struct rs_formatter_options *formatter = &show->shown[i].formatter;

		if (show->shown[i].ref.view->is_lines && !show->opt->time &&
		    source->info.realtime_offset_known)
			formatter->time = RS_TIME_WALL;
		if (formatter->time == RS_TIME_WALL && !source->info.realtime_offset_known)
			return rs_fail(err, "--time wall: the recording does not say what time of day it was "
				       "(use rel or boot)");
		formatter->knows_files = source->info.nr_fd_paths;
		formatter->knows_samples = show->config.names_code && source->samples;
		formatter->begin_ns = clock->begin_ns;
		formatter->realtime_offset_ns = source->info.realtime_offset_ns;
		if (show->config.host_clock)
			show_take_clock(formatter, show->config.host_clock);
		formatter->counts = strcmp(unit, "ns") ? unit : NULL;
	}
	return 0;
}

/* One of several views may have nothing to show. A file may be read once for each of them. */
static bool of_several(const struct rs_show *show)
{
	return show->nr_shown > 1 || show->opt->left_out;
}

/* A view that this source cannot feed is an error where it was the only one asked for. */
static int show_leave_out(struct rs_show *show, struct rs_show_view *s, const char *why, struct rs_error *err)
{
	rs_printer_free(s->printer);
	s->printer = NULL;
	s->sink = NULL;
	if (show->kind == RS_SHOW_SUMMARY)
		rs_summary_explain(show->summary, s->ref.view, why);
	else if (!of_several(show))
		return rs_fail(err, "%s: %s", s->ref.view->name, why);
	if (show->nr_shown == 1) /* the header of its rows */
		rs_buf_clear(&show->out);
	return 0;
}

/* Text of several views names the view before its rows: JSON names it in each row, CSV in the columns. */
static void show_put_title(struct rs_show *show)
{
	const struct rs_view *view = show->shown->ref.view;

	if (of_several(show) && show->kind == RS_SHOW_ROWS && !show->opt->json && !show->opt->csv)
		rs_buf_printf(&show->out, "%s: %s\n", view->name, view->summary);
}

/* Opens the sink of each view. A stream sends rows from the first event on. */
static int open_sinks(struct rs_show *show, struct rs_error *err)
{
	show_put_title(show);
	for (size_t i = 0; i < show->nr_shown; i++)
		if (renew_printer(show, &show->shown[i], err) < 0)
			return -1;
	if (show->kind == RS_SHOW_SUMMARY && make_summary(show, err) < 0)
		return -1;
	for (size_t i = 0; i < show->nr_shown; i++) {
		struct rs_show_view *s = &show->shown[i];

		if (s->sink && s->ref.view->kind == RS_VIEW_STREAM &&
		    rs_session_subscribe(show->session, &s->ref, &s->query, s->sink) < 0)
			return rs_fail(err, "%s: too many views at once", s->ref.view->name);
	}
	return show->kind == RS_SHOW_WHEN ?
		rs_when_subscribe(show->opt->wait->when, show->session, err) : 0;
}

int rs_show_attach(struct rs_show *show, struct rs_source *source, const struct rs_moment_clock *clock,
		   struct rs_error *err)
{
	if (make_times(show, source, clock, err) < 0)
		return -1;
	show->session = rs_session_new(&show->config, err);
	if (!show->session || open_sinks(show, err) < 0 || rs_session_attach(show->session, source, err) < 0)
		return -1;
	if (show->kind == RS_SHOW_WHEN)
		return rs_show_when_check(show->opt->wait, show->session, err);
	for (size_t i = 0; i < show->nr_shown; i++) {
		const char *why = rs_session_disabled(show->session, show->shown[i].ref.analysis);

		if (why && show_leave_out(show, &show->shown[i], why, err) < 0)
			return -1;
		if (!why && show_is_by_stack(&show->shown[i]) && !rs_companions_are_recorded(show->session))
			return rs_fail(err,
				       "%s --by stack: no stacks were recorded (%s--stacks records them)",
				       show->shown[i].ref.view->name, source->info.live ? "" : "record ");
	}
	return 0;
}

int rs_show_ask(struct rs_show *show, const struct rs_trace_info *info, struct rs_error *err)
{
	const struct rs_view *view = show->nr_shown == 1 ? show->shown->ref.view : NULL;

	if (rs_asked_make(&show->asked, show->opt, view, info, &show->warnings, err) < 0)
		return -1;
	for (size_t i = 0; i < show->nr_shown; i++) {
		struct rs_show_view *s = &show->shown[i];

		rs_asked_terms(&show->asked, show->opt, s->ref.view, &s->terms);
		s->query.terms = s->formatter.terms = &s->terms;
	}
	return 0;
}

void rs_show_event(struct rs_show *show, const char *system, const char *name, bool on)
{
	rs_session_event(show->session, system, name, on);
	for (size_t i = 0; !on && i < show->nr_shown; i++) {
		const char *why = rs_session_disabled(show->session, show->shown[i].ref.analysis);

		if (why)
			rs_out_warn("%s: %s", show->shown[i].ref.view->name, why);
	}
}

void rs_show_add_socket(struct rs_show *show, const struct rs_fd_socket *known)
{
	rs_session_add_socket(show->session, known);
}

enum rs_run_result rs_show_run(struct rs_show *show, uint64_t max_events, struct rs_error *err)
{
	return rs_session_run(show->session, max_events, err);
}

/* The name in the quality line of several views: as the user wrote it. */
static const char *name_of_all(const struct rs_show *show)
{
	if (show->nr_shown == 1)
		return show->shown->ref.view->name;
	return show->opt->view ? show->opt->view : "all";
}

/* Of several views, leaves out those without any recorded data. */
static void leave_empty_out(struct rs_show *show, struct rs_error *err)
{
	for (size_t i = 0; i < show->nr_shown && (of_several(show) || show->kind == RS_SHOW_SUMMARY); i++) {
		const char *why = show->shown[i].sink ?
					  rs_session_nothing(show->session, show->shown[i].ref.analysis) :
					  NULL;

		if (why)
			show_leave_out(show, &show->shown[i], why, err);
	}
}

/* Asks tables and pictures for their rows; streams have sent theirs already. */
static void ask_rows(struct rs_show *show, struct rs_error *err)
{
	for (size_t i = 0; i < show->nr_shown; i++) {
		struct rs_show_view *s = &show->shown[i];

		if (s->sink && s->ref.view->kind != RS_VIEW_STREAM &&
		    rs_session_rows(show->session, &s->ref, &s->query, s->sink) < 0)
			rs_fail(err, "%s: out of memory: rows are missing (ask for less, or free memory)",
				s->ref.view->name);
	}
}

static void show_add_name(struct rs_buf *list, const char *name)
{
	rs_buf_printf(list, "%s%s", list->len ? "," : "", name);
}

/* Of several views, those that have nothing to show; NULL: one was asked for. */
static const char *find_nothing(struct rs_show *show)
{
	rs_buf_clear(&show->nothing);
	rs_buf_clear(&show->left_out);
	for (size_t i = 0; i < show->nr_shown; i++) {
		const struct rs_show_view *s = &show->shown[i];

		if (!s->printer)
			show_add_name(&show->left_out, s->ref.view->name);
		if (!s->printer || !rs_printer_nr_rows(s->printer))
			show_add_name(&show->nothing, s->ref.view->name);
	}
	return of_several(show) ? show->nothing.data : NULL;
}

/* Prints the rows of each view, then the quality line, once. */
static void print_rows(struct rs_show *show, struct rs_error *err)
{
	struct rs_printer *printers[RS_MAX_VIEWS];
	struct rs_quality quality;
	const char *nothing;
	size_t nr = 0;

	leave_empty_out(show, err);
	ask_rows(show, err);
	nothing = find_nothing(show);
	for (size_t i = 0; i < show->nr_shown; i++) {
		if (!show->shown[i].printer)
			continue;
		if (show->ended)
			rs_printer_explain(show->shown[i].printer, &show->warnings);
		rs_printer_finish(show->shown[i].printer);
		printers[nr++] = show->shown[i].printer;
	}
	rs_session_quality(show->session, &quality);
	quality.nothing = nothing;
	if (nr)
		rs_printers_quality(printers, nr, name_of_all(show), &quality);
}

/* On a terminal each page takes the place of the one before. */
static void print_summary(struct rs_show *show, struct rs_error *err)
{
	struct rs_quality quality;

	leave_empty_out(show, err);
	ask_rows(show, err);
	rs_session_quality(show->session, &quality);
	if (show->opt->interval_ns && isatty(STDOUT_FILENO))
		rs_buf_puts(&show->out, "\033[H\033[2J");
	if (!show->opt->no_findings)
		rs_show_findings_put(show->session, show->opt, true, &show->out);
	rs_summary_write(show->summary, &show->out, &quality);
	rs_summary_clear(show->summary, true);
}

static void print_findings(struct rs_show *show, struct rs_error *err)
{
	unsigned int nr = rs_show_findings_failed(show->session, show->opt);

	rs_show_findings_put(show->session, show->opt, false, &show->out);
	show->nr_violations += nr;
	if (!show->ended || !show->nr_violations || err->status != RS_OK)
		return;
	rs_fail(err, "--fail-on: %u finding%s", show->nr_violations, show->nr_violations == 1 ? "" : "s");
	err->status = RS_CHECK_FAILED;
}

static void print_invariant(void *arg, const char *invariant, int64_t imbalance)
{
	struct rs_show *show = arg;
	struct rs_json json;

	show->nr_violations += imbalance != 0;
	if (!show->opt->json) {
		rs_buf_printf(&show->out, "%-6s %s: imbalance %lld\n", imbalance ? "BROKEN" : "holds",
			      invariant,
			      (long long)imbalance);
		return;
	}
	rs_json_init(&json, &show->out);
	rs_json_open(&json, '{');
	rs_json_key(&json, "invariant");
	rs_json_str(&json, invariant);
	rs_json_key(&json, "imbalance");
	rs_json_i64(&json, imbalance);
	rs_json_close(&json, '}');
	rs_buf_putc(&show->out, '\n');
}

/* In the session's clock. */
static uint64_t show_begin_ns(const struct rs_show *show)
{
	return show->shown->formatter.begin_ns - (uint64_t)show->shown->formatter.shift_ns;
}

static void show_print_kind(struct rs_show *show, struct rs_error *err)
{
	if (show->kind == RS_SHOW_SIDE)
		rs_side_end(show->opt->side);
	else if (show->kind == RS_SHOW_CHECK)
		rs_session_check(show->session, print_invariant, show);
	else if (show->kind == RS_SHOW_SUMMARY)
		print_summary(show, err);
	else if (show->kind == RS_SHOW_FINDINGS)
		print_findings(show, err);
	else if (show->kind == RS_SHOW_INCIDENT_LIST)
		rs_show_incidents_list(show->incidents, show->opt, show_begin_ns(show),
				       &show->out);
	else if (show->kind == RS_SHOW_INCIDENTS)
		rs_show_incidents_put(show->incidents, show->session, show->opt,
				      show_begin_ns(show), &show->out);
	else
		print_rows(show, err);
}

static void show_print(struct rs_show *show, struct rs_error *err)
{
	if (show->kind == RS_SHOW_WHEN)
		return;
	rs_session_sample(show->session);
	show_print_kind(show, err);
	if (show->opt->is_one_of_hosts && !show->opt->json && !show->opt->csv)
		rs_buf_putc(&show->out, '\f');
}

/* Text says when an interval ended; JSON and CSV have it in the quality line. */
static void print_time(struct rs_show *show)
{
	time_t now = time(NULL);
	struct tm tm;

	if ((show->kind != RS_SHOW_ROWS && show->kind != RS_SHOW_FINDINGS) || show->opt->json ||
	    show->opt->csv || !localtime_r(&now, &tm))
		return;
	rs_buf_printf(&show->out, "%s%02d:%02d:%02d\n", show->again ? "\n" : "", tm.tm_hour, tm.tm_min,
		      tm.tm_sec);
}

void rs_show_interval(struct rs_show *show, struct rs_error *err)
{
	print_time(show);
	show_print(show, err);
	rs_session_reset(show->session);
	show->again = true;
	for (size_t i = 0; i < show->nr_shown; i++)
		if (show->shown[i].printer && renew_printer(show, &show->shown[i], err) < 0)
			return;
}

void rs_show_end(struct rs_show *show, struct rs_error *err)
{
	rs_session_end(show->session);
	show->ended = true;
	if (show->opt->interval_ns)
		print_time(show);
	show_print(show, err);
}
