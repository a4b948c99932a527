// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record-export - record --export: what was recorded, in another program's format, once the capture has ended
 */
#include "cli/record/record-export.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"
#include "base/escape.h"
#include "base/memory-watch.h"
#include "recording/tracedat-writer.h"

#define RECORD_EXPORT_OPTIONS "format,compat,gzip,max-size"

/* ---- the child ---- */

/* The process that records ends by these signals, and says then what is to be done. */
static void record_export_ignore_signals(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
}

/* The output is opened at once: what cannot be written is said before the capture. */
static void record_export_in_child(struct rs_record_export *e, int ready, int go)
{
	char answer = 'n';

	record_export_ignore_signals();
	if (rs_export_file_open_as(&e->options, &e->file, e->format, e->child_error) < 0 ||
	    write(ready, "r", 1) != 1 || read(go, &answer, 1) != 1 || answer != 'y') {
		rs_output_file_close(&e->file, false, e->child_error);
		_exit(0);
	}
	rs_export_file(&(const struct rs_options *){ &e->options }, 1, e->format, &e->file, e->child_error);
	rs_memory_check("export", e->child_error);
	_exit(0);
}

/* Before there are threads, and files of the kernel that a child would hold open. */
static int record_export_start_child(struct rs_record_export *e, struct rs_error *err)
{
	int go[2] = { -1, -1 }, ready[2] = { -1, -1 };
	char byte;

	e->child_error = mmap(NULL, sizeof *e->child_error, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (e->child_error == MAP_FAILED || pipe2(go, O_CLOEXEC) < 0 || pipe2(ready, O_CLOEXEC) < 0 ||
	    (e->child = fork()) < 0) {
		e->child = 0;
		rs_fail(err, "cannot export: %s", strerror(errno));
	} else if (!e->child) {
		rs_close(&go[1]);
		rs_close(&ready[0]);
		record_export_in_child(e, ready[1], go[0]);
	}
	rs_close(&go[0]);
	rs_close(&ready[1]);
	e->to_child = go[1];
	if (e->child && read(ready[0], &byte, 1) != 1)
		rs_record_export_run(e, false, err);
	rs_close(&ready[0]);
	return err->status == RS_OK ? 0 : -1;
}

static void record_export_end_child(struct rs_record_export *e, bool there_is, struct rs_error *err)
{
	int status;

	if (there_is && write(e->to_child, "y", 1) != 1)
		rs_fail(err, "cannot export: %s", strerror(errno));
	rs_close(&e->to_child);
	while (waitpid(e->child, &status, 0) < 0 && errno == EINTR)
		;
	e->child = 0;
	if (e->child_error->status == RS_USAGE)
		rs_fail_usage(err, "%s", e->child_error->text);
	else if (e->child_error->status)
		rs_fail(err, "%s", e->child_error->text);
	else if (WIFSIGNALED(status))
		rs_fail(err, "cannot export: its process was ended by signal %d", WTERMSIG(status));
}

/* ---- what is asked for ---- */

/* A format with each event of everybody has what the recording has: -p and -a have narrowed that already. */
static void record_export_set_options(struct rs_record_export *e, const struct rs_options *opt,
				      const char *output, const char *path)
{
	e->options = *opt;
	e->options.input = path;
	e->options.output = output;
	if (e->format->is_raw)
		e->options.nr_pids = e->options.nr_tids = e->options.nr_analyses = 0;
}

int rs_record_export_choose(struct rs_record_export *e, const struct rs_options *opt, const char *path,
			    struct rs_error *err)
{
	const char *output = opt->chrome ? opt->chrome : opt->export_to;
	struct rs_options named = *opt;

	if (!output)
		return rs_options_gave(opt, RECORD_EXPORT_OPTIONS) ?
			       rs_fail_usage(
				       err,
				       "record: -f, --compat, --gzip and --max-size are for --export FILE") :
			       0;
	if (opt->chrome && (opt->export_to || opt->format))
		return rs_fail_usage(err, "record: --chrome FILE is --export FILE -f chrome: one of them");
	if (!strcmp(output, path))
		return rs_fail_usage(err, "record: --%s and -o: not the same file",
				     opt->chrome ? "chrome" : "export");
	named.output = output;
	named.format = opt->chrome ? "chrome" : opt->format;
	if (rs_export_file_choose(&named, "", &e->format, err) < 0)
		return -1;
	if (!e->format)
		e->format = rs_export_formats;
	record_export_set_options(e, &named, output, path);
	if (rs_export_file_check(&e->options, e->format, err) < 0)
		return -1;
	return e->format->output == RS_EXPORT_FILE || e->format->output == RS_EXPORT_FOLDER ?
		       record_export_start_child(e, err) :
		       0;
}

int rs_record_export_open(struct rs_record_export *e, const struct rs_tracedat_writer *writer,
			  struct rs_error *err)
{
	struct rs_options *opt = &e->options;

	e->begun = opt->output != NULL;
	if (!e->begun || e->child)
		return 0;
	if (rs_export_file_open(opt, &e->file, RS_OUTPUT_IN_PLACE, err) < 0)
		return -1;
	opt->input_fd = rs_tracedat_writer_dup(writer);
	return opt->input_fd < 0 ? rs_fail(err, "cannot read '%s': %s", opt->input, strerror(errno)) : 0;
}

/* ---- after the capture ---- */

/* The file was opened, and perhaps created, before the recording failed. */
static void record_export_explain(const struct rs_record_export *e, bool finished)
{
	struct rs_buf output = RS_BUF_INIT, path = RS_BUF_INIT;

	rs_escape_text(&output, e->options.output);
	rs_escape_text(&path, e->options.input);
	fprintf(stderr, "ringside: nothing was exported to '%s': the recording ended with an error",
		output.data);
	if (finished)
		fprintf(stderr, " (what there is of it: ringside export -f %s%s -o '%s' '%s')",
			e->format->name, e->options.compat ? " --compat" : "", output.data, path.data);
	fputc('\n', stderr);
	rs_buf_done(&output);
	rs_buf_done(&path);
}

/* A -p that could not narrow the recording narrows the export. */
void rs_record_export_run(struct rs_record_export *e, bool finished, struct rs_error *err)
{
	bool there_is = finished && err->status == RS_OK, was_open = e->child || e->file.path;

	if (e->child)
		record_export_end_child(e, there_is, err);
	else if (e->file.path && there_is)
		rs_export_file(&(const struct rs_options *){ &e->options }, 1, e->format, &e->file, err);
	else if (e->file.path)
		rs_output_file_close(&e->file, false, err);
	if (was_open && !there_is && e->begun)
		record_export_explain(e, finished);
	if (e->options.input_fd > 0)
		close(e->options.input_fd);
}
