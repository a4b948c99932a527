// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daemon - an engine that stays, with a window of the past, and serves whoever may look
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/parse.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/daemon-config.h"
#include "daemon/notify.h"
#include "daemon/serve.h"

#define BUFFER_BYTES (256ull << 20) /* what the kernel's buffers may grow to */

struct daemon {
	const struct rs_options *line;
	struct rs_daemon_file file;
	struct rs_options opt;        /* of both */
	struct rs_serve_config serve;
	struct rs_listen_socket listen;
	struct rs_notify notify;
	_Atomic int level;            /* enum rs_say: what is less grave is not said */
	char greeting[320];
	bool journal;                 /* stderr is the journal's, which knows levels by "<4>" */
};

/* ---- what it says ---- */

static void say(void *arg, enum rs_say level, const char *text)
{
	static const struct { const char *mark; int number; } levels[] = {
		[RS_SAY_ERROR] = { "", 3 }, [RS_SAY_WARNING] = { "warning: ", 4 }, [RS_SAY_INFO] = { "", 6 },
		[RS_SAY_DEBUG] = { "", 7 },
	};
	struct daemon *d = arg;
	struct rs_buf line = RS_BUF_INIT;

	if ((int)level > d->level)
		return;
	if (d->journal)
		rs_buf_printf(&line, "<%d>", levels[level].number);
	else
		rs_buf_puts(&line, "ringside: ");
	rs_buf_puts(&line, levels[level].mark);
	rs_escape_text(&line, text);
	rs_buf_puts(&line, "\n");
	fputs(line.data, stderr);
	rs_buf_done(&line);
	if (level == RS_SAY_WARNING)
		rs_notify_status(&d->notify, "%s", text);
}

static void ready(void *arg)
{
	struct daemon *d = arg;

	say(d, RS_SAY_INFO, d->greeting);
	rs_notify_ready(&d->notify);
	rs_notify_status(&d->notify, "%s", d->greeting);
}

static void ending(void *arg)
{
	struct daemon *d = arg;

	rs_notify_stopping(&d->notify);
	say(d, RS_SAY_INFO, "ending");
}

/* ---- what it is to be ---- */

static int daemon_apply_config(struct daemon *d, struct rs_error *err)
{
	struct rs_serve_config *s = &d->serve;
	gid_t ignored;

	d->opt = rs_daemon_config_merge(d->line, &d->file.opt);
	d->level = rs_daemon_config_log_level(d->opt.log_level);
	if (d->opt.window && rs_parse_window("--window", d->opt.window, &s->window_bytes, &s->window_ns, err) < 0)
		return -1;
	if (d->opt.max_overhead && rs_parse_percent("--max-overhead", d->opt.max_overhead, &s->max_overhead_milli, err) < 0)
		return -1;
	s->buffer_most_bytes = BUFFER_BYTES;
	if (d->opt.mem && rs_parse_size("--mem", d->opt.mem, &s->buffer_most_bytes, err) < 0)
		return -1;
	if (rs_config_analyses(&d->opt, &s->session, err) < 0)
		return -1;
	s->rules.owner = getuid();
	rs_launch_sudo_user(&s->rules.owner, &ignored);
	return 0;
}

/* What can change while it runs: what is too much, and what is said. */
static void reload(void *arg, struct rs_control *control)
{
	struct daemon *d = arg;
	struct rs_daemon_file file;
	struct rs_error err = { 0 };
	struct rs_options opt;
	unsigned int milli = 0;

	rs_notify_reloading(&d->notify);
	if (rs_daemon_config_read(&file, d->line->config, &err) < 0)
		goto out;
	opt = rs_daemon_config_merge(d->line, &file.opt);
	if (opt.max_overhead && rs_parse_percent("--max-overhead", opt.max_overhead, &milli, &err) < 0)
		goto out;
	d->level = rs_daemon_config_log_level(opt.log_level);
	rs_control_limit(control, milli);
	say(d, RS_SAY_INFO, "read again: max-overhead and log-level; the rest counts from the next start on");
out:
	if (err.status != RS_OK)
		say(d, RS_SAY_ERROR, err.text);
	rs_daemon_config_done(&file);
	rs_notify_ready(&d->notify);
}

/* Now, for later on nothing may be looked up any more. */
static void greet(struct daemon *d)
{
	const struct group *gr = d->listen.group ? getgrgid(d->listen.group) : NULL;

	snprintf(d->greeting, sizeof d->greeting, "tracing for %u analyses, and serving at %s (root%s%.40s)",
		 d->serve.session.nr_analyses, d->listen.path, gr ? " and the group " : "", gr ? gr->gr_name : "");
}

static void daemon_fill(struct daemon *d)
{
	struct rs_serve_config *s = &d->serve;

	greet(d);
	rs_config_select(&d->opt, &s->session);
	s->session.selection = (struct rs_selection){ .cpus = d->opt.cpus, .self = d->opt.self };
	s->capture = rs_config_capture(&d->opt);
	s->capture.switchable = true;
	s->source = "daemon";
	s->listen = &d->listen;
	s->listen_fd = d->listen.fd;
	s->client_fd = -1;
	s->rules.group = d->listen.group;
	s->sandbox = s->reloads = true;
	s->ready = ready;
	s->reload = reload;
	s->ending = ending;
	s->say = say;
	s->arg = d;
}

static enum rs_exit daemon_run(const struct rs_options *opt, struct rs_error *err)
{
	struct daemon d = { .line = opt, .listen = { .fd = -1, .lock_fd = -1 } };

	d.journal = getenv("JOURNAL_STREAM") && !isatty(STDERR_FILENO);
	if (rs_daemon_config_read(&d.file, opt->config, err) < 0 || daemon_apply_config(&d, err) < 0)
		goto out;
	rs_notify_open(&d.notify);
	if (rs_listen(&d.listen, rs_attach_socket_path(&d.opt), d.serve.rules.owner, d.opt.group, err) < 0)
		goto out;
	daemon_fill(&d);
	rs_serve_live(&d.serve, err);
	rs_listen_close(&d.listen);
	rs_notify_close(&d.notify);
out:
	rs_daemon_config_done(&d.file);
	return err->status;
}

const struct rs_command rs_command_daemon = {
	.name = "daemon", .arguments = NULL,
	.summary = "stay, keep a window of the past, and serve whoever may look",
	.options = RS_DAEMON_OPTIONS ",config,core",
	.help = "Traces until SIGTERM or Ctrl-C, in the foreground; its log goes to stderr. Members of --group\n"
		"look, root and who began it change and save: \"ringside status\", \"trace\", \"save\". SIGHUP reads\n"
		"max-overhead and log-level of the file again.",
	.run = daemon_run,
};
