// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tui - the screens: over the daemon where one runs, else over an engine of its own, or over a recording
 */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/units.h"
#include "capture/capture.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/opener.h"
#include "cli/out.h"
#include "cli/own-engine.h"
#include "daemon/listen.h"
#include "link/host.h"
#include "tui/app/tui.h"

/* The screens draw, and write settings and files, with the rights of the user who called sudo. */
static int become_user(struct rs_error *err)
{
	const struct passwd *pw;
	uid_t uid;
	gid_t gid;

	if (rs_launch_sudo_user(&uid, &gid) && uid) {
		pw = getpwuid(uid);
		if (pw && pw->pw_dir)
			setenv("HOME", pw->pw_dir, 1);
		if (rs_privileges_become(uid, gid, err) < 0)
			return -1;
	}
	return rs_privileges_drop_caps(err);
}

static void tui_show(const struct rs_tui_engine *engine, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_tui_options tui = {
		.screen = opt->screen,
		.batch = opt->batch || opt->svg,
		.svg = opt->svg,
		.nr = opt->nr_rows,
		.ascii = opt->ascii,
		.letters = opt->letters,
		.no_mouse = opt->no_mouse,
		.theme = opt->theme,
		.where = opt->where,
		.refresh_ns = opt->interval_ns,
		.all_at_end = opt->command,
		.tour = opt->tour,
	};

	rs_run_screens(engine, &tui, err);
}

/* ---- a daemon ---- */

struct tui_daemon {
	struct rs_options *options;
	int opener_fd;           /* see cli/opener.h; -1: none */
};

static int connect_again(void *of, unsigned int machine)
{
	return rs_listen_connect(rs_attach_socket_path(((struct tui_daemon *)of)->options));
}

static int tui_open_file(void *of, const char *path, struct rs_error *err)
{
	return rs_opener_show(((struct tui_daemon *)of)->opener_fd, path, err);
}

static enum rs_exit run_attached(struct rs_client *client, struct rs_options *opt, struct rs_error *err)
{
	struct tui_daemon daemon = { opt, -1 };
	struct rs_tui_engine engine = { .clients = { client }, .nr = 1, .again = connect_again,
					.open_file = tui_open_file, .arg = &daemon };
	struct rs_error none = { 0 };

	if (opt->batch || opt->svg ||
	    (daemon.opener_fd = rs_opener_begin(opt, rs_client_fd(client), &none)) < 0)
		engine.open_file = NULL; /* no more than the path is shown */
	if (become_user(err) == 0)
		tui_show(&engine, opt, err);
	else
		rs_client_free(client);
	if (daemon.opener_fd >= 0)
		close(daemon.opener_fd);
	return err->status;
}

/* ---- other machines ---- */

struct tui_hosts {
	const struct rs_options *opt;
	struct rs_host at[RS_HOSTS_MAX]; /* those that are there */
	struct rs_buf clocks[RS_HOSTS_MAX], words; /* words: for an engine there */
};

static int tui_connect_host_again(void *arg, unsigned int machine)
{
	struct tui_hosts *hosts = arg;

	return rs_host_connect_again(&hosts->at[machine]);
}

/* "clock +3.20ms" */
static void tui_put_clock(struct rs_buf *out, const struct rs_host_clock *clock)
{
	char text[RS_UNIT_TEXT];

	if (!clock->known)
		return;
	rs_buf_printf(out, "clock %c", clock->wall_offset_ns < 0 ? '-' : '+');
	rs_buf_add(out, text, rs_units_put_duration(text, (uint64_t)llabs(clock->wall_offset_ns),
						    RS_UNIT_AUTO, -1));
	rs_buf_puts(out, " within ");
	rs_buf_add(out, text, rs_units_put_duration(text, clock->within_ns, RS_UNIT_AUTO, -1));
}

/* One that does not answer is said, and the others are shown. ssh may ask for passwords meanwhile. */
static void tui_attach_hosts(struct tui_hosts *hosts, struct rs_tui_engine *engine, struct rs_error *err)
{
	const struct rs_options *opt = hosts->opt;

	for (size_t i = 0; i < opt->nr_hosts; i++) {
		struct rs_options one = *opt;
		struct rs_host_clock clock;
		struct rs_error own = { 0 };

		one.hosts[0] = opt->hosts[i];
		one.nr_hosts = 1;
		engine->clients[engine->nr] = rs_attach_host(&one, &clock, &own);
		if (!engine->clients[engine->nr]) {
			if (opt->nr_hosts > 1)
				rs_out_warn("%s", own.text);
			*err = own;
			continue;
		}
		hosts->at[engine->nr] = (struct rs_host){ opt->hosts[i], opt->remote, hosts->words.data };
		hosts->clocks[engine->nr] = (struct rs_buf)RS_BUF_INIT;
		if (opt->nr_hosts > 1) {
			tui_put_clock(&hosts->clocks[engine->nr], &clock);
			engine->names[engine->nr] = opt->hosts[i];
			engine->clocks[engine->nr] = hosts->clocks[engine->nr].data;
		}
		engine->nr++;
	}
	if (engine->nr)
		*err = (struct rs_error){ 0 };
}

/* The screens begin when all are there. */
static enum rs_exit run_hosts(const struct rs_options *opt, struct rs_error *err)
{
	struct tui_hosts hosts = { .opt = opt, .words = RS_BUF_INIT };
	struct rs_tui_engine engine = { .are_hosts = true, .is_remote = true, .arg = &hosts };

	_Static_assert(RS_TUI_MAX_MACHINES >= RS_HOSTS_MAX, "the screens have room for all");
	if (!opt->command) /* which would be run a second time */
		engine.again = tui_connect_host_again;
	rs_attach_engine_words(opt, &hosts.words);
	tui_attach_hosts(&hosts, &engine, err);
	if (engine.nr && become_user(err) == 0)
		tui_show(&engine, opt, err);
	else
		for (unsigned int i = 0; i < engine.nr; i++)
			rs_client_free(engine.clients[i]);
	for (unsigned int i = 0; i < engine.nr; i++)
		rs_buf_done(&hosts.clocks[i]);
	rs_buf_done(&hosts.words);
	return err->status;
}

/* ---- engines of our own ---- */

/* The clients own the sockets from now on, also after an error. */
static int own_connect(const struct rs_own_engines *own, struct rs_tui_engine *engine, struct rs_error *err)
{
	for (size_t i = 0; i < own->nr; i++) {
		if (err->status == RS_OK)
			engine->clients[engine->nr] = rs_client_new(own->at[i].fd, err);
		else
			close(own->at[i].fd);
		engine->nr += err->status == RS_OK;
	}
	return err->status == RS_OK ? 0 : -1;
}

static void run_own(const struct rs_options *const *machines, size_t nr, struct rs_error *err)
{
	struct rs_own_engines own = { .nr = 0 };
	struct rs_tui_engine engine = { .has_ended = rs_own_engine_have_ended, .arg = &own };

	_Static_assert(RS_TUI_MAX_MACHINES >= RS_MAX_MACHINES, "the screens have room for all");
	for (size_t i = 0; i < nr; i++) {
		if (rs_own_engine_begin(&own, machines[i], err) < 0)
			break;
		engine.names[i] = nr > 1 ? machines[i]->machine : NULL;
	}
	if (err->status == RS_OK)
		become_user(err);
	if (own_connect(&own, &engine, err) == 0)
		tui_show(&engine, machines[0], err);
	else
		for (unsigned int i = 0; i < engine.nr; i++)
			rs_client_free(engine.clients[i]);
	for (size_t i = 0; i < own.nr; i++)
		rs_own_engine_end(own.at[i].pid, err);
}

static void run_recordings(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_machines *machines = rs_machines_open("tui", opt, err);

	if (machines)
		run_own(machines->options, machines->nr, err);
	rs_machines_close(machines);
}

static enum rs_exit tui_run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;
	struct rs_error none = { 0 };
	struct rs_client *client;

	if (rs_log_enabled && !opt.batch && !opt.svg && isatty(STDERR_FILENO)) {
		rs_fail_usage(err, "--debug: the screens are drawn where the log would go (add 2>FILE)");
		return RS_USAGE;
	}
	if ((opt.nr_arguments || opt.input) && opt.command) {
		rs_fail_usage(err,
			      "tui: a recording or a command, not both ('%.60s' is taken for a recording)",
			      opt.nr_arguments ? opt.arguments[0] : opt.input);
		return RS_USAGE;
	}
	if (opt.nr_arguments || opt.input) {
		run_recordings(&opt, err);
		return err->status;
	}
	if (opt.nr_hosts)
		return run_hosts(&opt, err);
	client = rs_own_engine_is_needed(&opt) ? NULL : rs_attach_unasked(&opt, &none);
	if (client)
		return run_attached(client, &opt, err);
	if (opt.socket && !opt.own)
		return *err = none, RS_FAILED;
	run_own((const struct rs_options *[]){ &opt }, 1, err);
	return err->status;
}

const struct rs_command rs_command_tui = {
	.name = "tui",
	.arguments = "[FILE... | -- COMMAND]",
	.summary = "the screens: who waits for what, now or in a recording",
	.options = "WORDS,COMMAND,input,buffer,debuginfod,socket,host,remote,own,screen,where,batch,svg,"
		   "rows,interval,"
		   "ascii,letters,no-mouse,theme,analysis,samples,frequency,call-graph,pid,tid,"
		   "no-children,system,as-root,comm,cgroup,cpus,self,from,to,last,exact,window,buffer-size,"
		   "stacks,clock,core",
	.help = "'ringside' alone or with these options on a terminal, and 'ringside FILE...', do the same. "
		"Several\n"
		"files are a host's and its guests', on one clock: the timeline shows all of them. Of\n"
		"several hosts one is shown, and M goes to the next. Where\n"
		"a daemon runs and you may talk to it, it is asked; else, and with --own or an option that "
		"says what is\n"
		"traced, an engine is started, which takes root. --samples and\n"
		"--stacks are for flame graphs (f). Behind -- a command is run, without the terminal, and "
		"shown alone with\n"
		"what it forks (--system: the whole machine); at its end all of its time is. --batch prints "
		"the screen as text, -n times;\n"
		"--svg the last of these as a picture. LINES and COLUMNS of the environment are its size.",
	.run = tui_run,
	.keys = rs_help_screen_keys,
};
