// SPDX-License-Identifier: GPL-2.0-or-later
/* serve - the other side of --host: an engine, or a command, for as long as standard input is open */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/attach.h"
#include "cli/command.h"
#include "cli/options/machine-stamp.h"
#include "cli/own-engine.h"
#include "daemon/listen.h"
#include "daemon/serve.h"
#include "link/greeting.h"
#include "link/link.h"

/* The daemon's, where one runs and may be asked; else of an engine that begins now. */
static int serve_connect(const struct rs_options *opt, struct rs_own_engines *own, struct rs_error *err)
{
	int fd = rs_own_engine_is_needed(opt) ? -1 : rs_listen_connect(rs_attach_socket_path(opt));

	if (fd >= 0)
		return fd;
	return rs_own_engine_begin(own, opt, err) < 0 ? -1 : own->at[0].fd;
}

static enum rs_exit serve_link(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_own_engines own = { .nr = 0 };
	char words[RS_GREETING_LINE_BYTES];
	int fd = serve_connect(opt, &own, err);

	if (fd < 0)
		return err->status;
	if (rs_greeting_serve(STDIN_FILENO, STDOUT_FILENO, words, sizeof words) == 0)
		rs_link_run(&(struct rs_link_config){ STDIN_FILENO, STDOUT_FILENO, fd, false, -1 }, err);
	else
		close(fd);
	if (own.nr)
		rs_own_engine_end(own.at[0].pid, err);
	return err->status;
}

/* ---- a command ---- */

/* Standard input says nothing but that it is still there: the end of the connection ends the command. */
static void serve_watch(pid_t pid)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = pidfd_open(pid, 0), .events = POLLIN } };
	char bytes[512];

	while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
		ssize_t n;

		if (fds[1].revents)
			break;
		n = fds[0].revents ? read(STDIN_FILENO, bytes, sizeof bytes) : 1;
		if (n > 0 || (n < 0 && errno == EINTR))
			continue;
		kill(pid, SIGINT);
		break;
	}
	close(fds[1].fd);
}

/* This program again, by its path: /proc/self/exe would be its name. words: behind "--", which gives room. */
static void serve_exec(char **words)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
	int null = open("/dev/null", O_RDONLY);

	if (len < 0 || null < 0)
		_exit(127);
	path[len] = '\0';
	dup2(null, STDIN_FILENO);
	signal(SIGINT, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGINT); /* who watches the connection may be killed, too */
	words[-1] = path;
	execv(path, words - 1);
	fprintf(stderr, "ringside: cannot run '%s': %s\n", path, strerror(errno));
	_exit(127);
}

/* The words of the begin say what the machine is among several; else it stands alone. */
static enum rs_exit serve_command(char **words, struct rs_error *err)
{
	char stamp[RS_GREETING_LINE_BYTES];
	int status = 0;
	pid_t pid;

	if (rs_greeting_serve(STDIN_FILENO, STDOUT_FILENO, stamp, sizeof stamp) < 0)
		return RS_OK;
	if (*stamp)
		setenv(RS_MACHINE_STAMP_VARIABLE, stamp, 1);
	pid = fork();
	if (!pid)
		serve_exec(words);
	if (pid < 0)
		return rs_fail(err, "cannot run the command: %s", strerror(errno)), err->status;
	signal(SIGINT, SIG_IGN); /* it is the command's */
	serve_watch(pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? (enum rs_exit)WEXITSTATUS(status) : RS_FAILED;
}

static enum rs_exit serve_run(const struct rs_options *opt, struct rs_error *err)
{
	if ((!opt->stdio && !opt->command) || (opt->command && opt->command_is_bare)) {
		rs_fail_usage(err, "serve: takes --stdio, or '-- COMMAND' (it is the other side of --host: "
			      "ringside --host USER@SERVER)");
		return err->status;
	}
	return opt->stdio ? serve_link(opt, err) : serve_command(opt->command, err);
}

const struct rs_command rs_command_serve = {
	.name = "serve",
	.summary = "the other side of --host: an engine for a ringside on another machine",
	.arguments = "--stdio [-- COMMAND] | -- COMMAND",
	.options = "COMMAND,stdio,socket,core," RS_OWN_ENGINE_OPTIONS,
	.help = "With --stdio the protocol goes over standard input and output, to the daemon where one\n"
		"runs and may be asked, else, and with an option that says what is traced, to an engine\n"
		"that ends with the connection; behind -- is a command that it runs. Without --stdio the\n"
		"command is one of ringside's, as '-- runqlat -d 5': it runs until it ends, or standard\n"
		"input does.",
	.run = serve_run,
};
