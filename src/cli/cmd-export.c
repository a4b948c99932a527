// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export - a recording in another program's format, written as it is read
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/async-writer.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/machines.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "capture/capture.h"
#include "export/export.h"
#include "model/quality.h"

#define EXPORT_EVENTS_PER_BATCH 2000       /* little enough that what a turn writes stays in the cache */
#define EXPORT_WRITE_BYTES (256u << 10)

struct exporting {
	const struct rs_options *opt; /* the first machine's: of the output */
	struct rs_export *export;
	struct rs_buf out;
	struct rs_async_writer *writer; /* writes it, once it has begun */
	int fd;                  /* 0: standard output; -1: not opened yet */
	bool begun;              /* the output has been opened and begun: it must be closed */
	bool closed;              /* the output takes no more: the disk is full, or its reader has closed it */
};

static int export_write_buf(void *arg, struct rs_buf *b, struct rs_error *err)
{
	const struct exporting *x = arg;

	return x->fd ? rs_out_file(x->fd, x->opt->output, b, err) : rs_out(b, err);
}

static int export_write_out(struct exporting *x)
{
	x->closed = !rs_async_writer_put(x->writer, &x->out);
	return x->closed ? -1 : 0;
}

/* Returns true if both are the same file: opening the input for output would empty it. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int rs_export_open(const struct rs_options *opt, struct rs_error *err)
{
	const char *path = opt->output;
	bool made;
	uid_t uid;
	gid_t gid;
	int fd;

	if (!path || !strcmp(path, "-"))
		return 0;
	if (same_file(path, opt->input))
		return rs_fail_usage(err, "'%s' is what is read: name another file to write to", path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	made = fd >= 0;
	if (!made && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) /* a dangling link, perhaps: its target is made */
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return rs_fail(err, "cannot write '%s': %s (name another file)", path, strerror(errno));
	/* one that was there keeps its owner: it may be a device, or a link to somebody's file */
	if (made && rs_launch_sudo_user(&uid, &gid) && fchown(fd, uid, gid) < 0) {
		rs_fail(err, "cannot give '%s' to user %u: %s", path, (unsigned int)uid, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}

/* Only when the reading can begin: what is there already is not emptied for a question that makes no sense. */
static int begin_output(struct exporting *x, struct rs_error *err)
{
	struct stat st;

	if (x->fd < 0)
		x->fd = rs_export_open(x->opt, err);
	if (x->fd < 0)
		return -1;
	if (x->fd > 0 && fstat(x->fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(x->fd, 0) < 0)
		return rs_fail(err, "cannot write '%s': %s", x->opt->output, strerror(errno));
	x->writer = rs_async_writer_new(export_write_buf, x, EXPORT_WRITE_BYTES, err);
	if (!x->writer)
		return -1;
	rs_async_writer_start(x->writer);
	return 0;
}

/* An error in the file ends the reading: err then says it. */
static void run_session(struct exporting *x, struct rs_session *s, struct rs_source *source, struct rs_error *err)
{
	enum rs_run_result more = RS_RUN_MORE;
	uint64_t nr_events = 0;
	struct rs_progress line;

	rs_progress_init(&line);
	while (more == RS_RUN_MORE && !x->closed) {
		more = rs_session_run(s, EXPORT_EVENTS_PER_BATCH, err);
		nr_events += EXPORT_EVENTS_PER_BATCH;
		if (x->out.len >= EXPORT_WRITE_BYTES)
			export_write_out(x);
		rs_progress_show_file(&line, source, nr_events);
	}
	rs_progress_done(&line);
}

/* From begin to end, which it has whatever comes in between. */
static int write_pass(struct exporting *x, unsigned int pass, struct rs_session *s, struct rs_source *source,
		      uint64_t begin_ns, struct rs_error *err)
{
	struct rs_quality quality;

	if (!x->begun && begin_output(x, err) < 0)
		return -1;
	if (!x->begun)
		rs_out_warn("%s", source->info.warnings ? source->info.warnings : "");
	x->begun = true;
	x->export->begin(x->export, pass, &source->info, begin_ns);
	run_session(x, s, source, err);
	rs_session_end(s);
	rs_session_quality(s, &quality);
	x->export->end(x->export, pass, &quality);
	return export_write_out(x);
}

static bool draws_any(const struct rs_export *e, const struct rs_analysis *a)
{
	for (const struct rs_span_kind *k = a->spans; k && k->name; k++)
		if (e->draws(k))
			return true;
	return false;
}

/* Keeps only the analyses whose spans the format draws. */
static void export_leave_out(const struct rs_export *e, struct rs_session_config *config)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if (draws_any(e, config->analyses[i]))
			config->analyses[nr++] = config->analyses[i];
	config->nr_analyses = nr;
}

/* One reading of a machine's file. */
static int read_once(struct exporting *x, const struct rs_options *opt, unsigned int pass, struct rs_error *err)
{
	struct rs_session_config config = { .arg = x->export, .only_spans = true };
	struct rs_session *s = NULL;
	struct rs_source *source;
	struct rs_moment_clock clock;
	int ret = -1;

	source = rs_show_file_open(opt, &clock, err);
	if (!source)
		return -1;
	rs_config_select(opt, &config);
	if (rs_config_times(opt, &clock, &config, err) < 0 ||
	    (x->export->spans[pass] && rs_config_analyses(opt, &config, err) < 0))
		goto out;
	export_leave_out(x->export, &config);
	if (rs_config_add(&config, x->export->subscriber[pass], err) < 0 ||
	    !(s = rs_session_new(&config, err)))
		goto out;
	if (x->export->spans[pass])
		rs_session_emit_span(s, &x->export->sink);
	if (rs_session_attach(s, source, err) < 0)
		goto out;
	ret = write_pass(x, pass, s, source, clock.begin_ns, err);
out:
	rs_session_free(s);
	source->ops->close(source);
	return ret;
}

/* The output is closed as its format wants it even where the second reading came to nothing. */
static void export_close_output(struct exporting *x, struct rs_error *err)
{
	if (x->begun) {
		x->export->close(x->export);
		export_write_out(x);
		rs_async_writer_free(x->writer, err);
	}
	if (x->fd > 0 && close(x->fd) < 0 && err->status == RS_OK)
		rs_fail(err, "cannot write '%s': %s", x->opt->output, strerror(errno));
}

/* Reads each machine's file in each pass, one after the other: the machines share only the clock. */
static void export_read_all(struct exporting *x, const struct rs_options *const *machines, size_t nr, struct rs_error *err)
{
	for (unsigned int pass = 0; pass < RS_EXPORT_PASSES && x->export->subscriber[pass]; pass++)
		for (size_t i = 0; i < nr; i++) {
			if (nr > 1)
				x->export->machine(x->export, (unsigned int)i, (unsigned int)nr, machines[i]->machine);
			if (read_once(x, machines[i], pass, err) < 0)
				return;
		}
}

static int check_several(const struct rs_options *const *machines, size_t nr, const struct rs_export *e, struct rs_error *err)
{
	const struct rs_options *opt = machines[0];

	for (size_t i = 1; i < nr && opt->output; i++)
		if (same_file(opt->output, machines[i]->input))
			return rs_fail_usage(err, "'%s' is what is read: name another file to write to", opt->output);
	if (nr > 1 && opt->compat)
		return rs_fail_usage(err, "--compat: of one machine (its text cannot tell several apart)");
	if (nr > 1 && !e->machine)
		return rs_fail_usage(err, "this format takes one machine");
	return 0;
}

enum rs_exit rs_export_files(const struct rs_options *const *machines, size_t nr, const char *format_name,
			     struct rs_error *err)
{
	const struct rs_options *opt = machines[0];
	const struct rs_export_format *format = rs_export_find(format_name, err);
	const struct rs_export_options options = { .compat = opt->compat };
	struct exporting x = { .opt = opt, .out = RS_BUF_INIT, .fd = opt->output_fd ? opt->output_fd : -1 };

	if (!format)
		return err->status;
	x.export = format->make(&options, &x.out);
	if (!x.export)
		return rs_fail(err, "cannot export: out of memory"), err->status;
	if (check_several(machines, nr, x.export, err) == 0)
		export_read_all(&x, machines, nr, err);
	export_close_output(&x, err);
	if (err->status == RS_OK && !x.closed && x.export->is_empty && x.export->is_empty(x.export))
		rs_fail(err, "nothing to draw: no spans, states, markers, counters or other events in '%s' (as far as it was asked for)",
			opt->input);
	x.export->free(x.export);
	rs_buf_done(&x.out);
	return err->status;
}

static enum rs_exit export_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_machines *machines = rs_machines_open("export", opt, err);

	if (machines)
		rs_export_files(machines->options, machines->nr, opt->format ? opt->format : "chrome", err);
	rs_machines_close(machines);
	return err->status;
}

const struct rs_command rs_command_export = {
	.name = "export", .arguments = "[FILE...]", .summary = "a recording in the format of another program",
	.options = "WORDS,input,buffer,debuginfod,format,compat,output,analysis,pid,tid,no-children,comm,cgroup,cpus,self,from,to,last,exact,quiet",
	.help = "Without -o it goes to standard output. Open a chrome file in ui.perfetto.dev, in\n"
		"chrome://tracing or in speedscope; --compat is for viewers older than Perfetto 54.\n"
		"FILE is trace.dat if not given. Several files are a host's and its guests': one picture on one\n"
		"clock, in which each machine's processes stand together, under its name.",
	.run = export_run,
};
