// SPDX-License-Identifier: GPL-2.0-or-later
/* show-file - views of a recording: opens it, finds its first and last event, reads it once */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/show/show.h"
#include "cli/show/show-incidents.h"
#include "decode/page.h"
#include "decode/retime.h"
#include "perfdata/perf-convert.h"
#include "recording/recording.h"
#include "recording/unpack.h"
#include "source/perf/samples.h"
#include "symbols/debug-server.h"

#define SHOW_FILE_EVENTS_PER_BATCH 10000
#define SHOW_FILE_WRITE_BYTES 65536 /* less waits for the next batch */

/* ---- opening ---- */

static void show_file_unpack_step(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	struct rs_progress *line = arg;

	if (rs_progress_due(line))
		rs_progress_show(
			line, "unpacking: %3u %%  %llu of %llu MB",
			(unsigned int)(all_bytes ? (double)done_bytes * 100 / (double)all_bytes : 100),
			(unsigned long long)done_bytes / 1000000, (unsigned long long)all_bytes / 1000000);
}

int rs_show_file_unpack(struct rs_options *opt, struct rs_error *err)
{
	struct rs_progress line;
	const struct rs_unpack_progress progress = { show_file_unpack_step, &line };
	int fd, image_fd = -1, ret;

	if (opt->input_fd)
		return 0;
	rs_progress_init(&line);
	ret = rs_unpack_open(opt->input, &progress, &fd, err);
	if (ret == 0)
		ret = rs_perf_convert(fd, opt->input, &progress, &image_fd, err);
	rs_progress_done(&line);
	if (image_fd >= 0 && fd >= 0)
		close(fd);
	opt->input_fd = image_fd >= 0 ? image_fd : fd >= 0 ? fd : 0;
	return ret;
}

void rs_show_file_close(struct rs_options *opt)
{
	if (opt->input_fd > 0)
		close(opt->input_fd);
	opt->input_fd = 0;
}

/* Finds the earliest first event of all CPUs; 0 if there is no event. */
static int show_file_find_begin(struct rs_source *source, uint64_t *begin_ns, struct rs_error *err)
{
	const struct rs_trace_info *info = &source->info;
	struct rs_page_layout layout;
	struct rs_page_cursor at;
	struct rs_page page;
	uint64_t least = UINT64_MAX;

	if (rs_page_layout_of(&layout, info, err) < 0)
		return -1;
	for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++) {
		if (source->ops->next(source, cpu, &page, err) != RS_NEXT_PAGE)
			continue;
		if (rs_page_load(&at, &layout, page.data, page.len_bytes) && rs_page_next(&at) &&
		    at.ts_ns < least)
			least = at.ts_ns;
	}
	*begin_ns = least == UINT64_MAX ? 0 : least;
	return 0;
}

/* The time of the last event of a page; 0: it has none. */
static uint64_t last_ns_of(const struct rs_page *page, const struct rs_page_layout *layout)
{
	struct rs_page_cursor at;
	uint64_t last_ns = 0;

	if (!rs_page_load(&at, layout, page->data, page->len_bytes))
		return 0;
	while (rs_page_next(&at))
		last_ns = at.ts_ns;
	return last_ns;
}

/*
 * Finds the time of the last event, in the last pages if the recording can be searched, else in all pages; 0:
 * no event.
 */
static void show_file_find_end(const struct rs_source *of, uint64_t *end_ns)
{
	struct rs_error ignored = { 0 };
	struct rs_source *source = of->ops->again(of, &ignored);
	const struct rs_trace_info *info = &of->info;
	struct rs_page_layout layout;
	struct rs_page page;

	if (!source)
		return;
	if (source->ops->seek)
		source->ops->seek(source, UINT64_MAX - 1, UINT64_MAX, &ignored);
	if (rs_page_layout_of(&layout, info, &ignored) == 0)
		for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++)
			while (source->ops->next(source, cpu, &page, &ignored) == RS_NEXT_PAGE) {
				uint64_t last_ns = last_ns_of(&page, &layout);

				if (last_ns > *end_ns)
					*end_ns = last_ns;
			}
	source->ops->close(source);
}

static struct rs_source *show_file_open_file(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_source *source;

	if (opt->debuginfod && rs_debug_server_check(err) < 0)
		return NULL;
	source = rs_tracedat_open_fd(opt->input_fd ? opt->input_fd : -1, opt->input, opt->buffer_name, err);
	if (source && source->samples)
		source->samples->info.debuginfod = opt->debuginfod;
	if (source && opt->cycles_mult)
		rs_tracedat_lend_factor(source, opt->cycles_mult, opt->cycles_shift);
	return source ? rs_retime(source, err) : NULL;
}

/*
 * Rows are printed as they end, with times since the begin, and --from counts from
 * there: so it has to be known before.
 */
struct rs_source *rs_show_file_open(const struct rs_options *opt, struct rs_moment_clock *clock,
				    struct rs_error *err)
{
	struct rs_source *source = show_file_open_file(opt, err);
	/* the session meets a page that cannot be read again, and reports it */
	struct rs_error ignored = { 0 };

	if (!source)
		return NULL;
	*clock = (struct rs_moment_clock){
		.has_wall = source->info.realtime_offset_known,
		.wall_offset_ns = source->info.realtime_offset_ns,
	};
	if (opt->base_known)
		*clock = opt->base;
	else
		show_file_find_begin(source, &clock->begin_ns, &ignored);
	if (!opt->base_known && rs_config_needs_end(opt))
		show_file_find_end(source, &clock->end_ns);
	source->ops->rewind(source);
	return source;
}

/* ---- showing ---- */

/* A stream prints rows before all names are known, and -c compares names during the reading, in any view. */
static bool show_file_needs_names(const struct rs_show *show, const struct rs_view_ref *views)
{
	bool needs = show->opt->comm;

	for (size_t i = 0; i < show->nr_shown; i++)
		needs |= views[i].view->kind == RS_VIEW_STREAM;
	return needs && show->kind != RS_SHOW_CHECK;
}

/* Reads to the end, and writes meanwhile; false if the reader of the output has closed it. */
static bool show_file_read_all(struct rs_show *show, struct rs_source *source, struct rs_error *err)
{
	struct rs_progress line;
	enum rs_run_result more = RS_RUN_MORE;
	struct rs_error out_err = { 0 };
	bool taken = true;

	rs_progress_init(&line);
	while (more == RS_RUN_MORE && taken) {
		more = rs_show_run(show, SHOW_FILE_EVENTS_PER_BATCH, err);
		if (show->out.len >= SHOW_FILE_WRITE_BYTES)
			taken = rs_out(&show->out, &out_err) == 0;
		if (show->kind == RS_SHOW_WHEN && rs_show_full(show))
			more = RS_RUN_END;
		rs_progress_show_file(&line, source, rs_session_events(show->session));
	}
	rs_progress_done(&line);
	if (out_err.status != RS_OK)
		*err = out_err;
	return taken;
}

/*
 * "ringside: note: recorded with './job' (pid 12815): ...". Of a script only the first line, so that the note
 * stays one.
 */
static void explain_command(const struct rs_options *opt, const struct rs_trace_info *info)
{
	int len;

	if (!info->command_pid || opt->of_command || opt->side || opt->nr_pids || opt->nr_tids || opt->comm ||
	    opt->cgroup)
		return;
	len = (int)strcspn(info->command, "\n");
	rs_out_warn("recorded with '%.*s%s' (pid %d): shown is the whole machine, with --command it and its "
		    "children alone",
		    len, info->command, info->command[len] ? "..." : "", (int)info->command_pid);
}

static int select_command(struct rs_show *show, const struct rs_trace_info *info, struct rs_error *err)
{
	if (!show->opt->of_command)
		return 0;
	if (!info->command_pid)
		return rs_fail_usage(err, "--command: this recording was made of no command, or by a program "
					  "that does not tell (-p narrows)");
	show->config.selection.command = info->command_pid;
	return 0;
}

/* Without one task in a known group nothing would be shown, as if it had done nothing. */
static int show_file_check_cgroups(const struct rs_options *opt, const struct rs_trace_info *info,
				   struct rs_error *err)
{
	bool known = !opt->cgroup;

	for (size_t i = 0; i < info->nr_initial && !known; i++)
		known = info->snapshot[i].cgroup;
	return known ? 0 :
		       rs_fail(err, "--cgroup: this recording does not tell the control groups of its tasks "
				    "(record it with \"ringside record\")");
}

/* Rows of zeros, or none, would look like a machine where nothing happens. */
static void explain_nothing(const struct rs_show *show, uint64_t begin_ns)
{
	uint64_t last_ns = rs_session_now_ns(show->session),
		 us = last_ns > begin_ns ? (last_ns - begin_ns) / 1000 : 0;

	if (rs_session_all_before_from(show->session))
		rs_out_warn("nothing was recorded from --from on: the last event is %" PRIu64 ".%06" PRIu64
			    " s behind the first",
			    us / 1000000, us % 1000000);
}

void rs_show_file_note_left_out(const char *views)
{
	struct rs_buf list = RS_BUF_INIT;

	for (const char *at = views; *at; at++)
		rs_buf_printf(&list, *at == ',' ? ", " : "%c", *at);
	if (list.len)
		rs_out_warn("nothing to show: %s (each by itself says what it needs)", list.data);
	rs_buf_done(&list);
}

/* After the rows: of one of several views, what could not be shown goes to opt->left_out. */
static void show_file_explain(struct rs_show *show)
{
	struct rs_buf *all = show->opt->left_out;
	const char *left_out = show->left_out.data;

	if (all)
		rs_buf_printf(all, "%s%s", all->len && *left_out ? "," : "", left_out);
	rs_out_aside(&show->aside, all); /* most views have the same data quality */
	if (!all && show->nr_shown > 1 && show->kind == RS_SHOW_ROWS)
		rs_show_file_note_left_out(left_out);
	rs_show_warn(show);
}

static void show_file_check(const struct rs_show *show, struct rs_error *err)
{
	if (!show->nr_violations || err->status == RS_CHECK_FAILED)
		return;
	if (err->status == RS_OK)
		rs_fail(err, "--check: %u invariants do not hold", show->nr_violations);
	err->status = RS_CHECK_FAILED;
}

static void show_file_run(struct rs_show *show, const struct rs_view_ref *views, struct rs_source *source,
			  const struct rs_moment_clock *clock, struct rs_error *err)
{
	struct rs_error ignored = { 0 };

	if (show->kind == RS_SHOW_INCIDENT_LIST && !rs_show_incidents_has_steps(clock))
		return;
	/* NULL: names are those of the file's list until an event tells them */
	if (show_file_needs_names(show, views))
		show->config.ahead = source->ops->again(source, &ignored);
	if (select_command(show, &source->info, err) < 0 ||
	    show_file_check_cgroups(show->opt, &source->info, err) < 0 ||
	    rs_show_ask(show, &source->info, err) < 0 || rs_show_attach(show, source, clock, err) < 0)
		return;
	if (show->kind != RS_SHOW_INCIDENT_LIST)
		rs_out_warn("%s", source->info.warnings ? source->info.warnings : "");
	if (show->kind != RS_SHOW_CHECK && show->kind != RS_SHOW_INCIDENT_LIST)
		explain_command(show->opt, &source->info);
	if (!show_file_read_all(show, source, err))
		return;
	if (show->kind == RS_SHOW_INCIDENT_LIST) { /* it follows a page that has said all else */
		rs_show_end(show, err);
		rs_out(&show->out, err);
		return;
	}
	explain_nothing(show, clock->begin_ns);
	/* also after an error in the file: what was read up to there is not lost */
	rs_show_end(show, err);
	rs_out(&show->out, err);
	show_file_explain(show);
	show_file_check(show, err);
}

static bool show_file_has_switches(const struct rs_trace_info *info)
{
	static const char name[] = "name: sched_switch\n";

	for (const struct rs_format_text *f = info->formats; f < info->formats + info->nr_formats; f++)
		if (!strcmp(f->system, "sched") && memmem(f->text.data, f->text.len, name, sizeof name - 1))
			return true;
	return false;
}

/*
 * Where events were chosen by name most views have nothing: then what there is is counted. Returns how many
 * views `to` has.
 */
static size_t show_file_add_events(const struct rs_view_ref *views, size_t nr_views,
				   const struct rs_trace_info *info, struct rs_view_ref *to)
{
	memcpy(to, views, nr_views * sizeof *views);
	if (!show_file_has_switches(info) && nr_views < RS_MAX_VIEWS)
		nr_views += rs_command_is_view("events", &to[nr_views]);
	return nr_views;
}

enum rs_exit rs_show_file(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err)
{
	struct rs_moment_clock clock;
	struct rs_source *source = rs_show_file_open(opt, &clock, err), *ahead;
	struct rs_view_ref with_events[RS_MAX_VIEWS];
	struct rs_show *show;

	if (source && kind == RS_SHOW_SUMMARY) {
		nr_views = show_file_add_events(views, nr_views, &source->info, with_events);
		views = with_events;
	}
	show = source ? rs_show_new(kind, views, nr_views, opt, err) : NULL;
	if (show)
		show_file_run(show, views, source, &clock, err);
	ahead = show ? show->config.ahead : NULL;
	rs_show_free(show);
	if (ahead)
		ahead->ops->close(ahead);
	if (source)
		source->ops->close(source);
	return err->status;
}

enum rs_exit rs_show_file_packed(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
				 const struct rs_options *opt, struct rs_error *err)
{
	struct rs_options own = *opt;

	if (rs_show_file_unpack(&own, err) == 0)
		rs_show_file(kind, views, nr_views, &own, err);
	rs_show_file_close(&own);
	return err->status;
}
