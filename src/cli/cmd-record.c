// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record - raw pages from the kernel to a trace.dat; nothing is decoded on the way
 *
 * A thread moves pages from the readers to the file; the main thread waits for
 * the end, shows progress and finishes the file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/monotonic.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/record-hosts.h"
#include "cli/record/record-export.h"
#include "cli/record/record-fds.h"
#include "cli/record/record-head.h"
#include "cli/record/record-pipe.h"
#include "capture/capture.h"
#include "recording/producer/producer.h"
#include "source/live/args-reader.h"
#include "source/live/cgroup-counts.h"
#include "source/live/pressure-series.h"
#include "source/live/starvation.h"
#include "source/live/task-snapshot.h"
#include "source/trace-clock.h"

#define RECORD_MAX_REQUIREMENTS 512
#define RECORD_ARGS_MS 200       /* a process that is stuck does not delay the end for longer */
#define SAMPLES_MS 50            /* the file of a program that is mapped is opened as soon as that */

struct record {
	const struct rs_options *opt;
	const char *path;
	bool is_piped;                   /* to standard output */
	struct rs_capture *capture;
	struct rs_tracedat_writer *writer;
	struct rs_producer producer;
	struct rs_record_head head;
	struct rs_progress progress;
	uint64_t begin_ns, end_ns;       /* CLOCK_MONOTONIC */
	uint64_t starved_ns;             /* of them */
	/* the moving thread's, until it is joined */
	struct rs_record_fds fds;
	struct rs_cgroup_list cgroups;
	struct rs_pressure_series pressure;
	struct rs_pressure_reading *pressure_rows;
	struct rs_error move_error;
	struct rs_record_export export;
	bool finished;                   /* the file is there, and whole */
};

/* ---- what is recorded ---- */

/*
 * With neither -e nor -a: what all analyses ask for that are not by name only, as
 * far as this kernel has it; the task events, which names hang on, always (the engine asks for them).
 */
static int choose_requirements(const struct rs_options *opt, struct rs_event_requirement *needs,
			       struct rs_capture_config *capture, struct rs_error *err)
{
	bool all = !opt->nr_events && !opt->nr_analyses;
	struct rs_session_config config = { 0 };

	if ((all || opt->nr_analyses) && rs_config_analyses(opt, &config, err) < 0)
		return -1;
	capture->stacks = capture->stacks ? capture->stacks : rs_session_stacks(&config);
	capture->nr_requirements = rs_requirements_list(&config, needs, RECORD_MAX_REQUIREMENTS);
	for (size_t i = 0; all && i < capture->nr_requirements; i++)
		if (needs[i].need == RS_REQUIRED)
			needs[i].need = RS_OPTIONAL;
	return 0;
}

/* ---- moving ---- */

/* After an error it reads on, so that the source comes to its end; the main thread ends the capture. */
static void take_page(struct record *r, unsigned int cpu, const struct rs_page *page)
{
	if (r->move_error.status)
		return;
	if (rs_producer_page(&r->producer, cpu, page->data, page->len_bytes, &r->move_error) < 0)
		rs_capture_notify(r->capture);
	rs_record_fds_page(&r->fds, page->data, page->len_bytes);
}

/* After an error none are taken. */
static void take_samples(struct record *r, bool last)
{
	struct rs_sample_source *samples = r->capture->source->samples;
	uint64_t until_ns = last || !samples ? UINT64_MAX : samples->ops->known_ns(samples);

	if (!r->move_error.status &&
	    rs_producer_take_samples(&r->producer, until_ns, &r->move_error) < 0)
		rs_capture_notify(r->capture);
}

/* Of the groups that tasks were in at the begin. */
static void take_pressure(struct record *r, bool last)
{
	clockid_t clock;

	if (r->head.info.cgroup_root && r->head.info.clock &&
	    rs_trace_clock_id(r->head.info.clock, &clock))
		rs_pressure_series_take(&r->pressure, &r->cgroups, r->head.info.cgroup_root,
					rs_trace_clock_ns(clock), last);
}

/*
 * Here and not in the main thread: the room for the file's end is reserved before
 * the first page may take it. The pages wait in the hand-over ring meanwhile.
 */
static void begin_file(struct record *r)
{
	rs_record_head_set_info(&r->head, &r->capture->source->info);
	if (r->capture->launch.pid)
		rs_record_head_set_command(&r->head, (int32_t)r->capture->launch.pid, r->opt->command);
	rs_record_fds_init(&r->fds, &r->head.info, rs_capture_fd_requester(r->capture),
			   (int32_t)r->capture->launch.pid, rs_live_args(r->capture->source));
	rs_record_fds_ask_containers(&r->fds, &r->head.info, rs_capture_container_requester(r->capture));
	if (r->head.info.cgroup_root)
		rs_cgroup_counts_add_initial(&r->cgroups, &r->head.info);
	rs_cgroup_counts_update(&r->cgroups, r->head.info.cgroup_root);
	r->producer = (struct rs_producer){ .writer = r->writer, .head = r->head.head };
	if (rs_producer_begin(&r->producer, r->capture->source, &r->move_error) < 0)
		rs_capture_notify(r->capture);
}

static void move_pages(void *arg)
{
	struct record *r = arg;
	struct rs_source *source = r->capture->source;
	unsigned int nr_cpus = source->info.nr_cpus, nr_ended;
	struct rs_error ignored;
	struct rs_page page;
	bool moved;

	begin_file(r);
	do {
		moved = false;
		nr_ended = 0;
		for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
			enum rs_next next;

			ignored = (struct rs_error){ 0 };
			while ((next = rs_source_next(source, cpu, &page, &ignored)) == RS_NEXT_PAGE) {
				take_page(r, cpu, &page);
				moved = true;
			}
			nr_ended += next == RS_NEXT_END || next == RS_NEXT_ERROR;
		}
		rs_record_fds_take_replies(&r->fds);
		take_samples(r, nr_ended == nr_cpus);
		take_pressure(r, nr_ended == nr_cpus);
		if (!moved && nr_ended < nr_cpus)
			source->ops->wait(source, source->samples ? SAMPLES_MS : 1000);
	} while (nr_ended < nr_cpus);
	r->head.info.fd_paths = r->fds.paths;
	r->head.info.nr_fd_paths = r->fds.nr_paths;
	r->head.info.containers = r->fds.containers.len && !r->fds.containers.failed ?
					  r->fds.containers.data : NULL;
}

/* ---- showing ---- */

/* Sums the kernel's counts of lost events; false if it does not count them. */
static bool sum_lost(struct record *r, uint64_t *sum)
{
	struct rs_instance *in = &r->capture->instance;
	uint64_t nr;

	*sum = 0;
	for (unsigned int cpu = 0; cpu < in->nr_cpus; cpu++) {
		if (in->stats_fds[cpu] < 0)
			continue;
		if (!rs_instance_lost(in, cpu, &nr))
			return false;
		*sum += nr;
	}
	return true;
}

static void show_progress(struct record *r)
{
	uint64_t bytes = rs_tracedat_writer_data_bytes(r->writer), lost;
	char size[RS_UNIT_TEXT + 1] = "", lost_text[32] = "?";
	size_t page_bytes = r->capture->instance.page_bytes;

	if (!rs_progress_due(&r->progress))
		return;
	size[rs_units_put_bytes(size, bytes)] = '\0';
	if (sum_lost(r, &lost))
		snprintf(lost_text, sizeof lost_text, "%" PRIu64, lost);
	rs_progress_show(&r->progress, "%" PRIu64 " s  %s in %" PRIu64 " pages  %s lost  (Ctrl-C ends)",
			 (rs_monotonic_ns() - r->begin_ns) / 1000000000, size, bytes / page_bytes, lost_text);
}

static bool show_finishing(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	struct record *r = arg;

	if (rs_progress_due(&r->progress))
		rs_progress_show(&r->progress, "finishing %s  %" PRIu64 " %%", r->path,
				 all_bytes ? done_bytes * 100 / all_bytes : 100);
	return !rs_capture_interrupted(r->capture);
}

/* "3 events lost (CPU 0: 1, CPU 3: 2)" */
static void record_put_lost(struct rs_buf *out, const uint64_t *lost, unsigned int nr_cpus)
{
	uint64_t sum = 0, nr_unknown = 0;
	bool first = true;

	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
		if (lost[cpu] == RS_LOST_UNKNOWN)
			nr_unknown++;
		else
			sum += lost[cpu];
	}
	if (!sum)
		rs_buf_puts(out, nr_unknown == nr_cpus ? "lost events unknown" : "no events lost");
	else
		rs_buf_printf(out, "%" PRIu64 " events lost (", sum);
	for (unsigned int cpu = 0; sum && cpu < nr_cpus; cpu++) {
		if (!lost[cpu] || lost[cpu] == RS_LOST_UNKNOWN)
			continue;
		rs_buf_printf(out, "%sCPU %u: %" PRIu64, first ? "" : ", ", cpu, lost[cpu]);
		first = false;
	}
	rs_buf_puts(out, sum ? "; a larger -b loses less)" : "");
}

/* "no events lost" alone would be false. */
static void record_put_changes(struct rs_buf *out, struct rs_pauses *pauses)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(pauses, &at, &pause)) {
		if (!*pause.what)
			continue;
		rs_buf_puts(out, "; another program changed ");
		rs_escape_text(out, pause.what);
		rs_buf_printf(out, ": events of up to %.2f s are missing",
			      (double)(pause.on_ns - pause.off_ns) / 1e9);
	}
}

static void show_summary(struct record *r, const uint64_t *lost)
{
	const struct rs_sample_info *samples = r->producer.tail.samples;
	char size[RS_UNIT_TEXT + 1] = "";
	struct rs_buf path = RS_BUF_INIT, text = RS_BUF_INIT;
	uint64_t ms = (r->end_ns - r->begin_ns) / 1000000;

	if (r->opt->quiet)
		return;
	size[rs_units_put_bytes(size, rs_tracedat_writer_file_bytes(r->writer))] = '\0';
	rs_escape_text(&path, r->path);
	record_put_lost(&text, lost, r->capture->source->info.nr_cpus);
	record_put_changes(&text, &r->capture->source->pauses);
	if (samples && (samples->hz || samples->nr_samples))
		rs_buf_printf(&text, ", %" PRIu64 " samples of %s, %" PRIu64 " lost", samples->nr_samples,
			      samples->hz ? samples->event : "probes", samples->nr_lost);
	if (r->starved_ns)
		rs_buf_printf(&text, ", starved for %" PRIu64 " s", r->starved_ns / 1000000000);
	fprintf(stderr, "ringside: %s: %s in %" PRIu64 ".%02" PRIu64 " s, %s\n", path.data, size, ms / 1000,
		ms % 1000 / 10, text.data);
	if (r->capture->launch.pid && !r->opt->nr_pids && !r->opt->nr_tids)
		fprintf(stderr, "ringside: a report shows the whole machine, with --command the command and "
				"its children alone\n");
	rs_buf_done(&path);
	rs_buf_done(&text);
}

/* Warns before the recording: of events that this kernel lacks, and of a -p that narrows nothing. */
static void show_warnings(struct record *r)
{
	const char *missing = r->capture->plan.missing.data;

	if (r->opt->quiet)
		return;
	if (*missing) {
		fputs("ringside: not recorded, for this kernel has no", stderr);
		for (const char *at = missing, *end; (end = strchr(at, '\n')); at = end + 1)
			fprintf(stderr, "%s %.*s", at == missing ? "" : ",", (int)(end - at), at);
		fputc('\n', stderr);
	}
	if (r->capture->source->no_samples)
		rs_out_note(r->capture->source->no_samples);
	if ((r->opt->nr_pids || r->opt->nr_tids) && !r->capture->plan.plan.nr_tids)
		fputs("ringside: recording everybody: with events that others fire about a process, as block "
		      "and sched are, a filter would lose them (give -p to the report)\n", stderr);
}

static void show_command_death(struct record *r)
{
	struct rs_buf name = RS_BUF_INIT;
	const struct rs_launch *launch = &r->capture->launch;

	if (!launch->status_known || !WIFSIGNALED(launch->status))
		return;
	rs_escape_text(&name, r->opt->command[0]);
	fprintf(stderr, "ringside: '%s' was ended by signal %d (%s)\n", name.data, WTERMSIG(launch->status),
		strsignal(WTERMSIG(launch->status)));
	rs_buf_done(&name);
}

/* ---- the way from begin to end ---- */

static enum rs_capture_event record_wait_for_end(struct record *r, struct rs_error *err)
{
	enum rs_capture_event event;

	do {
		event = rs_capture_wait(r->capture, r->progress.on ? 250 : -1, err);
		show_progress(r);
		/* NOTIFIED: the moving thread has met an error */
	} while (event < RS_CAPTURE_END_TIME && event != RS_CAPTURE_NOTIFIED);
	return event;
}

/* per_cpu/cpuN/stats as text, and what it says was lost. texts are the caller's to free. */
static void record_read_stats(struct rs_instance *in, struct rs_text *texts, uint64_t *lost)
{
	char text[1024];

	for (unsigned int cpu = 0; cpu < in->nr_cpus; cpu++) {
		ssize_t n = in->stats_fds[cpu] < 0 ? -1 : pread(in->stats_fds[cpu], text, sizeof text, 0);
		char *copy = n > 0 ? malloc((size_t)n) : NULL;

		if (copy)
			memcpy(copy, text, (size_t)n);
		texts[cpu] = (struct rs_text){ copy, copy ? (size_t)n : 0 };
		if (!rs_instance_lost(in, cpu, &lost[cpu]))
			lost[cpu] = RS_LOST_UNKNOWN;
	}
}

static void record_set_cgroups(struct record *r)
{
	rs_cgroup_counts_update(&r->cgroups, r->head.info.cgroup_root);
	r->head.info.cgroup_rows = r->cgroups.row;
	r->head.info.nr_cgroup_rows = r->cgroups.nr;
	r->pressure_rows = rs_pressure_series_rows(&r->pressure, &r->cgroups, &r->head.info.nr_pressure);
	r->head.info.pressure = r->pressure_rows;
}

static int record_finish(struct record *r, struct rs_error *err)
{
	struct rs_instance *in = &r->capture->instance;
	struct rs_text *stats = calloc(in->nr_cpus, sizeof *stats);
	uint64_t *lost = calloc(in->nr_cpus, sizeof *lost);
	struct rs_task_snapshot living = { 0 };
	int ret = -1;

	if (!stats || !lost) {
		rs_fail(err, "cannot end the recording: out of memory");
		goto out;
	}
	record_read_stats(in, stats, lost);
	record_set_cgroups(r);
	rs_task_snapshot_read(&living, NULL, NULL, 0, NULL);
	rs_args_reader_ask_all(rs_live_args(r->capture->source), living.row, living.nr);
	rs_args_reader_wait(rs_live_args(r->capture->source), RECORD_ARGS_MS);
	r->producer.tail = (struct rs_tracedat_tail){
		.tasks = living.row, .nr_tasks = living.nr, .cpu_stats = stats, .lost_by_cpu = lost,
		.pauses = &r->capture->source->pauses, .go_on = show_finishing, .arg = r,
	};
	ret = rs_producer_finish(&r->producer, err);
	r->finished = ret == 0;
	rs_progress_done(&r->progress);
	if (rs_tracedat_writer_file_bytes(r->writer))
		show_summary(r, lost);
	rs_out_note(rs_live_demotion(r->capture->source));
	rs_out_note(rs_live_probes_note(r->capture->source));
out:
	for (unsigned int cpu = 0; stats && cpu < in->nr_cpus; cpu++)
		free((char *)stats[cpu].data);
	rs_task_snapshot_done(&living);
	free(stats);
	free(lost);
	return ret;
}

static int record(struct record *r, struct rs_error *err)
{
	struct rs_source *source = r->capture->source;
	struct rs_instance *in = &r->capture->instance;
	struct rs_error ended = { 0 };
	uid_t uid = (uid_t)-1;
	gid_t gid = (gid_t)-1;

	rs_launch_sudo_user(&uid, &gid);
	if (r->is_piped)
		r->writer = rs_record_pipe_open(source->info.nr_cpus, in->page_bytes, err);
	else
		r->writer = rs_tracedat_writer_open(r->path, source->info.nr_cpus, in->page_bytes, uid, gid,
						    err);
	if (!r->writer)
		return -1;
	if (rs_record_export_open(&r->export, r->writer, err) < 0 ||
	    rs_record_head_read(&r->head, r->capture->tracefs, in, err) < 0 ||
	    rs_capture_thread(r->capture, move_pages, r, err) < 0 || rs_capture_start(r->capture, err) < 0)
		return -1;
	r->begin_ns = rs_monotonic_ns();
	rs_args_reader_ask_all(rs_live_args(source), source->info.snapshot, source->info.nr_initial);
	show_warnings(r);
	record_wait_for_end(r, &ended);
	rs_capture_stop(r->capture);
	r->end_ns = rs_monotonic_ns();
	r->starved_ns = rs_starvation_ns(source->starvation, r->end_ns);
	if (r->move_error.status)
		rs_fail(err, "%s", r->move_error.text);
	if (ended.status)
		rs_fail(err, "%s", ended.text);
	if (r->producer.begun && !r->capture->launch.failed)
		record_finish(r, err);
	else
		rs_tracedat_writer_discard(r->writer);
	show_command_death(r);
	return err->status ? -1 : 0;
}

/* --samples, -F, or what an analysis requires. */
static unsigned int record_samples(const struct rs_options *opt)
{
	struct rs_session_config config = { 0 };
	struct rs_error ignored = { 0 };
	unsigned int samples = opt->samples || opt->sample_hz ? RS_SAMPLE_STACKS : 0;

	if (opt->nr_analyses && rs_config_analyses(opt, &config, &ignored) == 0)
		samples |= rs_session_samples(&config) & (RS_SAMPLE_STACKS | RS_SAMPLE_ALLOCATIONS);
	return samples;
}

static enum rs_exit record_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_event_requirement needs[RECORD_MAX_REQUIREMENTS];
	struct record r = { .opt = opt,
			    .path = opt->output ? opt->output : "trace.dat",
			    .head = { .head = { .kallsyms_fd = -1 } } };
	struct rs_capture_config config = rs_config_capture(opt);

	config.needs = needs;
	config.live = (struct rs_live_options){
		.page_ring_bytes = 64u << 20, .full_pages = true, .sample_hz = (unsigned int)opt->sample_hz,
		.sample_stack_bytes = (unsigned int)opt->stack_bytes,
		.samples = RS_SAMPLE_CGROUPS | record_samples(opt),
		.no_args = opt->no_args, .plain_args = opt->plain_args,
	};
	config.finish_first = true;
	if (opt->nr_hosts)
		return rs_record_hosts(opt, err);
	r.is_piped = !strcmp(r.path, "-");
	if (r.is_piped)
		r.path = "standard output";
	if (choose_requirements(opt, needs, &config, err) < 0)
		return err->status;
	if (opt->max_overhead && rs_config_percent(opt->max_overhead, &config.max_probe_milli, err) < 0)
		return err->status;
	if (rs_record_export_choose(&r.export, opt, r.path, err) < 0)
		return err->status;
	rs_progress_init(&r.progress);
	r.capture = rs_capture_open(&config, err);
	if (r.capture)
		rs_out_note(r.capture->plan.probe_cost);
	if (r.capture)
		record(&r, err);
	rs_progress_done(&r.progress);
	rs_capture_close(r.capture); /* joins the thread that uses the rest */
	if (r.is_piped && r.finished)
		rs_record_pipe_copy(r.writer, err);
	rs_tracedat_writer_free(r.writer);
	rs_record_fds_done(&r.fds);
	rs_cgroup_counts_done(&r.cgroups);
	rs_pressure_series_done(&r.pressure);
	free(r.pressure_rows);
	rs_producer_done(&r.producer);
	rs_record_head_done(&r.head);
	rs_record_export_run(&r.export, r.finished, err);
	return err->status;
}

const struct rs_command rs_command_record = {
	.name = "record",
	.arguments = "[[--] COMMAND...]",
	.summary = "record raw pages to a trace.dat",
	.options =
		"COMMAND,output,export,chrome,format,compat,gzip,max-size,event,analysis,samples,frequency,"
		"call-graph,max-overhead,buffer-size,stacks,clock,cpus,duration,pid,tid,args,no-args,"
		"as-root,core,quiet,host,remote",
	.help = "Records until Ctrl-C, for -d SECONDS, or as long as COMMAND runs. Without -e and -a it "
		"records all\n"
		"events that the analyses use. trace-cmd and KernelShark read the file (trace.dat, or -o "
		"FILE, or - for standard output), too.\n"
		"\"ringside report FILE\" shows the whole machine, because other tasks often make COMMAND "
		"wait; with\n"
		"--command it shows only COMMAND and its children.\n"
		"\n"
		"-e takes a system (block), an event (sched_switch), both (sched:sched_switch) and patterns\n"
		"(sched:sched_process_*). -p narrows the recording only if the tasks fire all events "
		"themselves, as\n"
		"with -e raw_syscalls; otherwise give -p to the report.\n"
		"\n"
		"With --host it is made there, and written here; of several hosts to trace.HOST.dat each.\n"
		"\n"
		"--samples adds stacks of what the CPUs run, 99 times a second or HZ, with the symbols of "
		"all\n"
		"programs: \"ringside profile -i FILE\" shows them, on any machine.\n"
		"\n"
		"--export writes the recording in another format, too, when it has ended, as \"ringside "
		"export\" would:\n"
		"out.json is chrome, out.pftrace perfetto, out.db sqlite; -f names the format of any other "
		"name.",
	.texts =
		(const struct rs_option_text[]){
			{ "analysis", "record the events that these analyses require" },
			{ .name = NULL },
		},
	.run = record_run,
};
