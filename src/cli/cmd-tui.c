// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tui - the screens: over the daemon where one runs, else over an engine of its own, or over a recording
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/attach.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/own-engine.h"
#include "daemon/listen.h"
#include "engine/capture.h"
#include "tui/tui.h"

/* What draws, and writes settings and files, is the person who called us, and nobody more. */
static int become_user(struct rs_error *err)
{
	const struct passwd *pw;
	uid_t uid;
	gid_t gid;

	if (rs_sudo_user(&uid, &gid) && uid) {
		pw = getpwuid(uid);
		if (pw && pw->pw_dir)
			setenv("HOME", pw->pw_dir, 1);
		if (rs_privileges_become(uid, gid, err) < 0)
			return -1;
	}
	return rs_privileges_drop_caps(err);
}

static void show(const struct rs_tui_engine *engine, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_tui_options tui = {
		.screen = opt->screen, .batch = opt->batch || opt->svg, .svg = opt->svg, .nr = opt->nr_rows, .ascii = opt->ascii, .theme = opt->theme,
		.where = opt->where, .refresh_ns = opt->interval_ns,
	};

	rs_tui_run(engine, &tui, err);
}

/* The options that say what is traced, which is not ours to say of a daemon's engine. */
static bool wants_own(const struct rs_options *opt)
{
	return opt->own || opt->input || opt->nr_pids || opt->nr_tids || opt->no_children || opt->comm || opt->cpus || opt->self || opt->clock ||
	       opt->buffer_kib || opt->window || opt->nr_analyses;
}

static int connect_again(void *path)
{
	return rs_listen_connect(path);
}

static enum rs_exit run_attached(struct rs_client *client, const struct rs_options *opt, struct rs_error *err)
{
	char *path = strdup(rs_socket_path(opt));
	struct rs_tui_engine engine = { .client = client, .again = path ? connect_again : NULL, .arg = path };

	if (become_user(err) == 0)
		show(&engine, opt, err);
	else
		rs_client_free(client);
	free(path);
	return err->status;
}

static bool own_has_ended(void *pid)
{
	return rs_own_engine_has_ended(*(pid_t *)pid);
}

static enum rs_exit run_own(const struct rs_options *opt, struct rs_error *err)
{
	pid_t pid;
	struct rs_tui_engine engine = { .has_ended = own_has_ended, .arg = &pid };
	int fd = rs_own_engine_begin(opt, &pid, err);

	if (fd < 0)
		return err->status;
	if (become_user(err) == 0)
		engine.client = rs_client_new(fd, err);
	else
		close(fd);
	if (engine.client)
		show(&engine, opt, err);
	rs_own_engine_end(pid, err);
	return err->status;
}

static enum rs_exit run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;
	struct rs_error none = { 0 };
	struct rs_client *client;

	if (opt.nr_arguments > 1 || (opt.nr_arguments && opt.input)) {
		rs_fail_usage(err, "tui: one file at a time, '%.60s' is one too many%s", opt.arguments[opt.nr_arguments > 1],
			      opt.nr_arguments > 1 ? " (report and export take a host's and its guests')" : "");
		return RS_USAGE;
	}
	if (opt.nr_arguments)
		opt.input = opt.arguments[0];
	client = wants_own(&opt) ? NULL : rs_attach_unasked(&opt, &none);
	if (client)
		return run_attached(client, &opt, err);
	if (opt.socket && !opt.own)
		return *err = none, RS_FAILED;
	/* before the screen is there: whoever waits sees how far it is */
	if (!opt.input || rs_input_open(&opt, err) == 0)
		run_own(&opt, err);
	rs_input_close(&opt);
	return err->status;
}

const struct rs_command rs_command_tui = {
	.name = "tui", .arguments = "[FILE]", .summary = "the screens: who waits for what, now or in a recording",
	.options = "WORDS,input,buffer,socket,own,screen,where,batch,svg,rows,interval,ascii,theme,analysis,pid,tid,"
		"no-children,comm,cpus,self,from,to,last,exact,window,buffer-size,clock,core",
	.help = "'ringside' alone or with these options on a terminal, and 'ringside FILE', do the same. Where\n"
		"a daemon runs and you may talk to it, it is asked; else, and with --own or an option that says what is\n"
		"traced, an engine is started, which takes root. --batch prints the screen as text, -n times;\n"
		"--svg the last of these as a picture. LINES and COLUMNS of the environment are its size.",
	.run = run, .keys = rs_tui_keys,
};
