// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export - a recording in another program's format, written as it is read
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/config.h"
#include "cli/file.h"
#include "cli/notes.h"
#include "cli/out.h"
#include "cli/watch.h"
#include "engine/capture.h"
#include "export/export.h"
#include "model/trust.h"

#define EVENTS_A_TURN 2000       /* little enough that what a turn writes stays in the cache */
#define WRITE_BYTES (256u << 10)

struct exporting {
	const struct rs_options *opt;
	struct rs_export *export;
	struct rs_buf out;
	int fd;                  /* -1: standard output */
	bool gone;               /* nobody takes it any more */
};

static int write_out(struct exporting *x, struct rs_error *err)
{
	if (x->fd < 0) {
		x->gone = rs_out(&x->out, err) < 0;
		return x->gone ? -1 : 0;
	}
	return rs_out_file(x->fd, x->opt->output, &x->out, err);
}

static int run_session(struct exporting *x, struct rs_session *s, struct rs_source *source, struct rs_error *err)
{
	enum rs_run_result more = RS_RUN_MORE;
	struct rs_error out_err = { 0 };
	uint64_t nr_events = 0;
	struct rs_watched w;

	rs_watch_begin(&w, source, x->opt->quiet);
	while (more == RS_RUN_MORE && out_err.status == RS_OK && !x->gone) {
		more = rs_session_run(s, EVENTS_A_TURN, err);
		nr_events += EVENTS_A_TURN;
		if (x->out.len >= WRITE_BYTES)
			write_out(x, &out_err);
		rs_watch(&w, nr_events);
	}
	rs_watch_end(&w);
	if (out_err.status != RS_OK)
		*err = out_err;
	return out_err.status != RS_OK || x->gone ? -1 : 0;
}

/* One reading of the file, from its begin to its end; an error in the file ends the reading, not the output. */
static int read_once(struct exporting *x, unsigned int pass, struct rs_error *err)
{
	struct rs_session_config config = { .arg = x->export };
	struct rs_session *s = NULL;
	struct rs_source *source;
	struct rs_trust trust;
	uint64_t begin_ns;
	int ret = -1;

	source = rs_recording_open(x->opt, &begin_ns, err);
	if (!source)
		return -1;
	rs_config_select(x->opt, &config);
	if (rs_config_times(x->opt, begin_ns, &config, err) < 0 ||
	    (x->export->spans[pass] && rs_config_analyses(x->opt, &config, err) < 0) ||
	    rs_config_add(&config, x->export->listener[pass], err) < 0 || !(s = rs_session_new(&config, err)))
		goto out;
	if (x->export->spans[pass])
		rs_session_lay(s, &x->export->sink);
	if (rs_session_attach(s, source, err) < 0)
		goto out;
	if (!x->opt->quiet && !pass)
		rs_print_notes(source->info.notes);
	x->export->begin(x->export, pass, &source->info, begin_ns);
	if (run_session(x, s, source, err) < 0)
		goto out;
	rs_session_end(s);
	rs_session_trust(s, &trust);
	x->export->end(x->export, pass, &trust);
	ret = write_out(x, err);
out:
	rs_session_free(s);
	source->ops->close(source);
	return ret;
}

static int open_output(struct exporting *x, struct rs_error *err)
{
	const char *path = x->opt->output;
	uid_t uid;
	gid_t gid;

	x->fd = -1;
	if (!path || !strcmp(path, "-"))
		return 0;
	x->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (x->fd < 0)
		return rs_fail(err, "cannot write '%s': %s (name another file with -o)", path, strerror(errno));
	if (rs_sudo_user(&uid, &gid) && fchown(x->fd, uid, gid) < 0)
		return rs_fail(err, "cannot give '%s' to user %u: %s", path, (unsigned int)uid, strerror(errno));
	return 0;
}

enum rs_exit rs_export_file(const struct rs_options *opt, const char *format_name, struct rs_error *err)
{
	const struct rs_export_format *format = rs_export_find(format_name, err);
	const struct rs_export_options options = { .compat = opt->compat };
	struct exporting x = { .opt = opt, .out = RS_BUF_INIT, .fd = -1 };

	if (!format)
		return err->status;
	x.export = format->make(&options, &x.out);
	if (!x.export)
		rs_fail(err, "cannot export: out of memory");
	else if (open_output(&x, err) == 0)
		for (unsigned int pass = 0; pass < RS_EXPORT_PASSES && x.export->listener[pass]; pass++)
			if (read_once(&x, pass, err) < 0)
				break;
	if (x.fd >= 0 && close(x.fd) < 0 && err->status == RS_OK)
		rs_fail(err, "cannot write '%s': %s", opt->output, strerror(errno));
	if (x.export)
		x.export->free(x.export);
	rs_buf_done(&x.out);
	return err->status;
}

static enum rs_exit run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;

	if (rs_find_input("export", &opt, err) < 0)
		return RS_USAGE;
	return rs_export_file(&opt, opt.format ? opt.format : "chrome", err);
}

const struct rs_command rs_command_export = {
	.name = "export", .arguments = "[FILE]", .summary = "a recording in the format of another program",
	.options = "input,buffer,format,compat,output,analysis,pid,tid,comm,cpus,self,from,to,exact,quiet",
	.help = "Without -o it goes to standard output. Open a chrome file in ui.perfetto.dev, in\n"
		"chrome://tracing or in speedscope; --compat is for viewers older than Perfetto 54.\n"
		"FILE is trace.dat if not given.",
	.run = run,
};
