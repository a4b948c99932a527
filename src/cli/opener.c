// SPDX-License-Identifier: GPL-2.0-or-later
/* opener - shows a recording that a daemon kept, in a program of its own on the terminal of the screens */
#include "cli/opener.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPENER_ERROR 400

/* ---- the process: a path comes in, an error goes out; "": none ---- */

static void opener_exec(const struct rs_options *opt, const char *path, int errors)
{
	const char *argv[8] = { "ringside", "tui" };
	int nr = 2;

	if (opt->ascii)
		argv[nr++] = "--ascii";
	if (opt->letters)
		argv[nr++] = "--letters";
	if (opt->no_mouse)
		argv[nr++] = "--no-mouse";
	argv[nr++] = "-i";
	argv[nr] = path;
	signal(SIGTSTP, SIG_DFL);
	if (dup2(errors, STDERR_FILENO) == STDERR_FILENO)
		execv("/proc/self/exe", (char **)argv);
	_exit(127);
}

/*
 * Ctrl-Z stops the program once it has left the terminal; only then the screens, whose shell takes it. The
 * shell continues all of them.
 */
static int opener_wait(pid_t pid)
{
	int status;
	pid_t got;

	while ((got = waitpid(pid, &status, WUNTRACED)) < 0 ? errno == EINTR : WIFSTOPPED(status))
		if (got == pid)
			kill(getppid(), SIGSTOP);
	return got < 0 ? -1 : status;
}

/* What it writes about an error would be drawn over: it is read again. */
static void opener_run(const struct rs_options *opt, const char *path, char error[OPENER_ERROR])
{
	static const char prefix[] = "ringside: ";
	int errors = memfd_create("errors", MFD_CLOEXEC), status = -1;
	char text[OPENER_ERROR] = "";
	pid_t pid = errors < 0 ? -1 : fork();

	if (pid == 0)
		opener_exec(opt, path, errors);
	if (pid > 0)
		status = opener_wait(pid);
	*error = '\0';
	if (status && (errors < 0 || pread(errors, text, sizeof text - 1, 0) <= 0))
		snprintf(text, sizeof text, "cannot show '%.300s'", path);
	text[strcspn(text, "\n")] = '\0';
	if (status)
		snprintf(error, OPENER_ERROR, "%s",
			 text + (strncmp(text, prefix, strlen(prefix)) ? 0 : strlen(prefix)));
	if (errors >= 0)
		close(errors);
}

static void opener_serve(const struct rs_options *opt, int fd)
{
	char path[PATH_MAX], error[OPENER_ERROR];
	ssize_t len;

	signal(SIGTSTP, SIG_IGN);
	while ((len = recv(fd, path, sizeof path - 1, 0)) > 0) {
		path[len] = '\0';
		opener_run(opt, path, error);
		if (send(fd, error, strlen(error) + 1, MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

/* ---- the screens ---- */

int rs_opener_begin(const struct rs_options *opt, int unused_fd, struct rs_error *err)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return rs_fail(err, "cannot make a socket: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		close(unused_fd);
		opener_serve(opt, fds[1]);
	}
	close(fds[1]);
	if (pid > 0)
		return fds[0];
	close(fds[0]);
	return rs_fail(err, "cannot start a process: %s", strerror(errno));
}

int rs_opener_show(int fd, const char *path, struct rs_error *err)
{
	char error[OPENER_ERROR];
	ssize_t len = -1;

	if (send(fd, path, strlen(path), MSG_NOSIGNAL) > 0)
		while ((len = recv(fd, error, sizeof error - 1, 0)) < 0 && errno == EINTR)
			;
	if (len <= 0)
		return rs_fail(err, "cannot show '%.300s'", path);
	error[len] = '\0';
	return *error ? rs_fail(err, "%s", error) : 0;
}
