// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tui - the screens: over the daemon where one runs, else over an engine of its own, or over a recording
 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/log.h"
#include "base/memory-watch.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/options/config.h"
#include "cli/show/machines.h"
#include "cli/show/show.h"
#include "daemon/listen.h"
#include "daemon/serve.h"
#include "rpc/frame.h"
#include "symbols/debug-server.h"
#include "tui/app/tui.h"

#define MIN_SPANS_BYTES (16u << 20)
#define MAX_SPANS_BYTES (256u << 20)
#define ENDED_WITHOUT_MEMORY \
	12 /* an exit status of the engine's: not all that failed has been said to its client */
#define OWN_ENGINE_WINDOW_BYTES \
	(128u << 20) /* half of what a daemon keeps: it is there from the first moment on */

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

/* These options say what is traced, which a client of the daemon cannot change. */
static bool tui_needs_own_engine(const struct rs_options *opt)
{
	return opt->command ||
	       rs_options_gave(opt, "own,pid,tid,no-children,comm,cgroup,cpus,self,clock,buffer-size,stacks,"
				    "window,analysis,samples,frequency,call-graph");
}

static int connect_again(void *path)
{
	return rs_listen_connect(path);
}

static enum rs_exit run_attached(struct rs_client *client, const struct rs_options *opt, struct rs_error *err)
{
	char *path = strdup(rs_attach_socket_path(opt));
	struct rs_tui_engine engine = { .clients = { client }, .nr = 1, .again = path ? connect_again : NULL,
					.arg = path };

	if (become_user(err) == 0)
		tui_show(&engine, opt, err);
	else
		rs_client_free(client);
	free(path);
	return err->status;
}

/*
 * ---- engines of our own, one or one of each machine's recording: child processes that serve over a
 * socketpair ----
 *
 * A child keeps what it takes to trace; this process, which draws, gives its privileges up. It begins with
 * the first question: when the terminal is ours, so that no key that is typed until then is left for the
 * shell.
 */

struct own_engines {
	struct {
		int fd;          /* the socket, its user's */
		pid_t pid;       /* the child's */
	} at[RS_MAX_MACHINES];
	size_t nr;
};

/*
 * About three bytes of spans for four of a recording; they are touched before the first event is read.
 * Besides that each thread takes a kilobyte for each lane, however little it did: of thousands in a small
 * recording the spans of others went for it, and what was longest of all was not on the timeline.
 */
static size_t spans_bytes(struct rs_source *source)
{
	uint64_t done_bytes, all_bytes = 0, bytes;

	source->ops->progress(source, &done_bytes, &all_bytes);
	bytes = all_bytes / 4 * 3 + MIN_SPANS_BYTES;
	return bytes < MAX_SPANS_BYTES ? (size_t)bytes : MAX_SPANS_BYTES;
}

static int serve_file(const struct rs_options *opt, struct rs_serve_config *config, struct rs_error *err)
{
	struct rs_moment_clock clock;
	struct rs_source *source = rs_show_file_open(opt, &clock, err);
	int status;

	if (!source)
		return -1;
	config->source = "file";
	config->path = opt->input;
	config->window_bytes = spans_bytes(source);
	status = rs_config_times(opt, &clock, &config->session, err);
	if (status == 0 && source->samples && !opt->nr_analyses)
		status = rs_config_add_stacks(&config->session, true, true, err);
	if (status == 0 && !opt->nr_analyses)
		status = rs_config_add_messages(&config->session, err);
	if (status == 0 && opt->debuginfod && geteuid() == 0)
		status = rs_debug_server_cache_in_memory(err);
	/* the file is open: what reads it needs no right any more */
	if (status == 0 && geteuid() == 0)
		status = rs_privileges_drop(NULL, opt->core, err);
	if (status == 0)
		status = rs_serve_file(config, source, clock.begin_ns, err);
	source->ops->close(source);
	return status;
}

static int serve_live(const struct rs_options *opt, struct rs_serve_config *config, int parent_pidfd,
		      struct rs_error *err)
{
	if (opt->window && rs_config_window(opt->window, &config->window_bytes, &config->window_ns, err) < 0)
		return -1;
	config->source = "live";
	if (rs_config_add_stacks(&config->session, opt->samples || opt->sample_hz, opt->stacks, err) < 0)
		return -1;
	if (!config->window_bytes)
		config->window_bytes = OWN_ENGINE_WINDOW_BYTES;
	config->capture = rs_config_capture(opt);
	config->capture.live.parent_pidfd = parent_pidfd;
	/* one of its own, which can be raised: see RS_CAPTURE_SESSION_NICE */
	if (!config->capture.command)
		setsid();
	return rs_serve_live(config, err);
}

/*
 * Standard error is the screen's: what a crash has to say goes the way of all else. why: plain words of our
 * own.
 */
static void say_crash(int fd, const char *why)
{
	char text[400];

	snprintf(text, sizeof text, "{\"event\":\"failed\",\"error\":\"the engine: %s\"}", why);
	rs_frame_send(fd, text);
}

/* Waits for the first request; false: the client has closed its socket. */
static bool own_is_requested(int fd)
{
	void (*before)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is for who draws, which then goes */
	char byte;
	ssize_t n;

	while ((n = recv(fd, &byte, 1, MSG_PEEK)) < 0 && errno == EINTR)
		;
	signal(SIGINT, before);
	return n > 0;
}

/* The child: what it has to say it says to its client. Standard output and error belong to the screen. */
static int own_engine_serve(const struct rs_options *opt, int fd, int parent_pidfd)
{
	struct rs_serve_config config = { .listen_fd = -1, .client_fd = fd, .sandbox = true,
					  .session.findings = true };
	struct rs_error err = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int kept = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* the server closes its own */

	prctl(PR_SET_NAME, "ringside-engine");
	rs_crash_report(kept, say_crash);
	for (int std = STDIN_FILENO; null >= 0 && std <= STDERR_FILENO; std++)
		dup2(null, std);
	if (!own_is_requested(fd))
		return RS_OK;
	rs_config_select(opt, &config.session);
	if (rs_config_analyses(opt, &config.session, &err) == 0) {
		if (opt->input) {
			/* for who draws, as above; a capture ends by it in good order */
			signal(SIGINT, SIG_IGN);
			serve_file(opt, &config, &err);
		} else {
			serve_live(opt, &config, parent_pidfd, &err);
		}
	}
	if (err.status != RS_OK) {
		/* what could not be read for want of memory was taken for something else */
		rs_memory_check("engine", &err);
		rs_serve_failed(kept, &err);
	}
	return rs_memory_failed() ? ENDED_WITHOUT_MEMORY : err.status;
}

/* Of opt->input, else live; before any thread is made. */
static int own_engine_begin(struct own_engines *own, const struct rs_options *opt, struct rs_error *err)
{
	int fds[2], self;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return rs_fail(err, "cannot make a socket to the engine: %s", strerror(errno));
	self = pidfd_open(getpid(), 0); /* before there is anybody who could outlive us */
	pid = fork();
	if (!pid) {
		close(fds[0]);
		for (size_t i = 0; i < own->nr; i++) /* who waits for their end would wait for ours */
			close(own->at[i].fd);
		_exit(own_engine_serve(opt, fds[1], self));
	}
	if (pid < 0) {
		rs_fail(err, "cannot start the engine: %s", strerror(errno));
		close(fds[0]);
	} else {
		own->at[own->nr].fd = fds[0];
		own->at[own->nr++].pid = pid;
	}
	close(fds[1]);
	if (self >= 0)
		close(self);
	return pid < 0 ? -1 : 0;
}

/* Does not wait; own_engine_end must still be called. */
static bool own_have_ended(void *engines)
{
	const struct own_engines *own = engines;
	siginfo_t info;

	for (size_t i = 0; i < own->nr; i++) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)own->at[i].pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid != own->at[i].pid)
			return false;
	}
	return true;
}

/* The socket has been closed: waits until the engine has cleaned up. */
static void own_engine_end(pid_t pid, struct rs_error *err)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		rs_fail(err, "the engine was ended by a signal: %s", strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == ENDED_WITHOUT_MEMORY)
		rs_fail(err, "the engine: out of memory: what it showed was not whole (free memory, or trace "
			     "less)");
}

/* The clients own the sockets from now on, also after an error. */
static int own_connect(const struct own_engines *own, struct rs_tui_engine *engine, struct rs_error *err)
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
	struct own_engines own = { .nr = 0 };
	struct rs_tui_engine engine = { .has_ended = own_have_ended, .arg = &own };

	_Static_assert(RS_TUI_MAX_MACHINES >= RS_MAX_MACHINES, "the screens have room for all");
	for (size_t i = 0; i < nr; i++) {
		if (own_engine_begin(&own, machines[i], err) < 0)
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
		own_engine_end(own.at[i].pid, err);
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
	client = tui_needs_own_engine(&opt) ? NULL : rs_attach_unasked(&opt, &none);
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
	.options = "WORDS,COMMAND,input,buffer,debuginfod,socket,own,screen,where,batch,svg,rows,interval,"
		   "ascii,letters,no-mouse,theme,analysis,samples,frequency,call-graph,pid,tid,"
		   "no-children,system,as-root,comm,cgroup,cpus,self,from,to,last,exact,window,buffer-size,"
		   "stacks,clock,core",
	.help = "'ringside' alone or with these options on a terminal, and 'ringside FILE...', do the same. "
		"Several\n"
		"files are a host's and its guests', on one clock: the timeline shows all of them. Where\n"
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
