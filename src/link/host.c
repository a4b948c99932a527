// SPDX-License-Identifier: GPL-2.0-or-later
/* host - begins ringside on another machine, and the process that carries its bytes */
#include "link/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"
#include "link/link.h"
#include "rpc/frame.h"

/* A connection that is silent for 15 seconds is lost: a cable says nothing when it is pulled. */
#define HOST_SSH "ssh -T -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
#define HOST_NO_QUESTIONS " -o BatchMode=yes"
#define HOST_MAX_WORDS 64
#define HOST_MAX_NAME 255
#define HOST_SSH_FAILED 255      /* its exit status */

struct host_child {
	pid_t pid;
	int in_fd, out_fd, err_fd;       /* its standard output, input and error */
};

int rs_host_check(const struct rs_host *host, struct rs_error *err)
{
	size_t len = strlen(host->name);

	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)host->name[i]) || host->name[i] == ',')
			return rs_fail_usage(err, "--host: '%.80s' is no name of a host", host->name);
	if (!len || len > HOST_MAX_NAME || *host->name == '-')
		return rs_fail_usage(err, "--host: '%.80s' is no name of a host (as ssh takes it: "
				     "user@server)", host->name);
	return 0;
}

/* ---- the child: ssh ---- */

/*
 * Becomes ssh, which runs ringside there with these words. RINGSIDE_SSH="ssh -p 22" is cut at its blanks.
 * Returns only if it cannot: err is set
 */
static void host_exec(const struct rs_host *host, const char *line, bool asks,
		      struct rs_error *err)
{
	const char *given = getenv("RINGSIDE_SSH");
	char *words[HOST_MAX_WORDS + 3], *save = NULL, *ssh, *remote;
	size_t nr = 0;

	if (asprintf(&ssh, "%s%s", given && *given ? given : HOST_SSH,
		     asks || (given && *given) ? "" : HOST_NO_QUESTIONS) < 0 ||
	    asprintf(&remote, "%s %s", host->command ? host->command : "ringside", line) < 0) {
		rs_fail(err, "out of memory");
		return;
	}
	for (char *word = strtok_r(ssh, " \t", &save); word && nr < HOST_MAX_WORDS;
	     word = strtok_r(NULL, " \t", &save))
		words[nr++] = word;
	words[nr++] = (char *)(uintptr_t)host->name;
	words[nr++] = remote;
	words[nr] = NULL;
	execvp(words[0], words);
	rs_fail(err, "--host: cannot run '%.80s': %s", words[0], strerror(errno));
}


static int host_fork(struct host_child *child, const struct rs_host *host, bool asks)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, errors[2] = { -1, -1 };
	struct rs_error err = { 0 };

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0 || pipe2(errors, O_CLOEXEC) < 0 ||
	    (child->pid = fork()) < 0) {
		for (int i = 0; i < 2; i++) {
			rs_close(&to[i]);
			rs_close(&from[i]);
			rs_close(&errors[i]);
		}
		return -1;
	}
	if (!child->pid) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		dup2(errors[1], STDERR_FILENO);
		host_exec(host, "serve --stdio", asks, &err);
		fprintf(stderr, "%s\n", err.text);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	close(errors[1]);
	child->out_fd = to[1];
	child->in_fd = from[0];
	child->err_fd = errors[0];
	return 0;
}

/* ---- the process between ---- */

/* Closes its pipes, by which it ends, and waits for that. */
static void host_end(struct host_child *child)
{
	rs_close(&child->in_fd);
	rs_close(&child->out_fd);
	while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ready_fd is closed when the other side has greeted, or has not. */
static void host_carry(const struct rs_host *host, int socket_fd, int ready_fd, bool asks)
{
	struct rs_error err = { 0 };
	struct host_child child;
	char words[300] = "";
	int kept = fcntl(socket_fd, F_DUPFD_CLOEXEC, 0);

	if (host_fork(&child, host, asks) < 0) {
		rs_frame_send_failed(socket_fd, "cannot run ssh: out of processes or descriptors");
		return;
	}
	if (rs_link_expect(child.in_fd, &err) < 0) {
		host_end(&child);
		rs_link_last_line(child.err_fd, words, sizeof words);
	} else {
		rs_close(&ready_fd);
		rs_link_run(&(struct rs_link_config){ child.in_fd, child.out_fd, socket_fd, true,
						      child.err_fd }, &err);
		child.in_fd = child.out_fd = -1;
		host_end(&child);
	}
	if (err.status != RS_OK) {
		char why[500];

		snprintf(why, sizeof why, "%.80s: %.200s%s%.200s", host->name, err.text,
			 *words ? ": " : "", words);
		rs_frame_send_failed(kept, why);
	}
}

/* Of what this process had open nothing stays: another link would not see that its client has closed. */
static void host_keep_only(int *socket_fd, int *ready_fd)
{
	int kept[2] = { dup2(*socket_fd, 100), dup2(*ready_fd, 101) };

	close_range(3, 99, 0);
	close_range(102, ~0u, 0);
	*socket_fd = kept[0];
	*ready_fd = kept[1];
	fcntl(*socket_fd, F_SETFD, FD_CLOEXEC);
	fcntl(*ready_fd, F_SETFD, FD_CLOEXEC);
}

/* A child of init: who asked for it reaps it not. */
static void host_begin(const struct rs_host *host, int socket_fd, int ready_fd, bool asks)
{
	pid_t pid = fork();

	if (pid) {
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return;
	}
	if (fork())
		_exit(0);
	prctl(PR_SET_NAME, "ringside-link");
	signal(SIGINT, SIG_IGN); /* Ctrl-C is for the client, which then goes */
	host_keep_only(&socket_fd, &ready_fd);
	host_carry(host, socket_fd, ready_fd, asks);
	_exit(0);
}

static int host_connect(const struct rs_host *host, bool asks, int *ready_fd, struct rs_error *err)
{
	int pair[2], ready[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return rs_fail(err, "cannot make a socket: %s", strerror(errno));
	if (pipe2(ready, O_CLOEXEC) < 0) {
		close(pair[0]);
		close(pair[1]);
		return rs_fail(err, "cannot make a pipe: %s", strerror(errno));
	}
	host_begin(host, pair[1], ready[1], asks);
	close(pair[1]);
	close(ready[1]);
	*ready_fd = ready[0];
	return pair[0];
}

int rs_host_connect(const struct rs_host *host, struct rs_error *err)
{
	int ready_fd, fd = rs_host_check(host, err) < 0 ? -1 : host_connect(host, true, &ready_fd, err);
	char byte;

	if (fd < 0)
		return -1;
	while (read(ready_fd, &byte, 1) < 0 && errno == EINTR)
		;
	close(ready_fd);
	return fd;
}

int rs_host_connect_again(const struct rs_host *host)
{
	struct rs_error ignored = { 0 };
	int ready_fd, fd = host_connect(host, false, &ready_fd, &ignored);

	if (fd >= 0)
		close(ready_fd);
	return fd;
}

/* ---- a command there ---- */

/* Ctrl-C is for the command there, which then shows what it has: so ssh does not end by it. */
static void host_exec_command(const struct rs_host *host, const char *line, int in_fd, const sigset_t *mask)
{
	struct rs_error err = { 0 };

	signal(SIGINT, SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
	dup2(in_fd, STDIN_FILENO);
	host_exec(host, line, true, &err);
	fprintf(stderr, "ringside: %s\n", err.text);
	_exit(127);
}

/* The end of its input ends the command: at the first signal. At the second ssh ends, whatever is there. */
static void host_wait_command(pid_t pid, int *to_fd, const sigset_t *signals)
{
	struct pollfd fds[] = { { .fd = pidfd_open(pid, 0), .events = POLLIN },
				{ .fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN } };
	struct signalfd_siginfo info;

	while ((poll(fds, 2, -1) >= 0 || errno == EINTR) && !fds[0].revents) {
		if (!fds[1].revents || read(fds[1].fd, &info, sizeof info) != sizeof info)
			continue;
		if (*to_fd < 0)
			kill(pid, SIGTERM);
		rs_close(to_fd);
	}
	rs_close(&fds[0].fd);
	rs_close(&fds[1].fd);
}

/* What ringside ends with is passed on. All else is ssh's, or the shell's there, who have said why. */
static int host_status(const struct rs_host *host, int status, struct rs_error *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) <= RS_CHECK_FAILED)
		return WEXITSTATUS(status);
	if (WIFEXITED(status) && WEXITSTATUS(status) == HOST_SSH_FAILED)
		return rs_fail(err, "%.80s: the connection failed, or is lost", host->name);
	return rs_fail(err, "%.80s: ringside ended there by %s %d", host->name,
		       WIFEXITED(status) ? "status" : "signal",
		       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

int rs_host_run(const struct rs_host *host, const char *line, struct rs_error *err)
{
	sigset_t signals, before;
	int to[2], status = 0;
	pid_t pid;

	if (rs_host_check(host, err) < 0)
		return -1;
	if (pipe2(to, O_CLOEXEC) < 0)
		return rs_fail(err, "cannot make a pipe: %s", strerror(errno));
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &before);
	pid = fork();
	if (!pid)
		host_exec_command(host, line, to[0], &before);
	close(to[0]);
	if (pid > 0) {
		host_wait_command(pid, &to[1], &signals);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		rs_fail(err, "cannot run ssh: %s", strerror(errno));
	}
	rs_close(&to[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid < 0 ? -1 : host_status(host, status, err);
}
