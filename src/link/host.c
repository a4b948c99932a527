// SPDX-License-Identifier: GPL-2.0-or-later
/* host - an engine on another machine: the process that carries its bytes */
#include "link/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/close.h"
#include "link/greeting.h"
#include "link/host-child.h"
#include "link/link.h"
#include "rpc/frame.h"

#define HOST_MAX_NAME 255

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

/* ---- the process between ---- */

/*
 * Up to the begin. What was asked for goes to ready_fd, which is closed then, or where the other side has
 * not greeted.
 */
static int host_greet(struct rs_host_child *child, int ready_fd, struct rs_error *err)
{
	struct rs_host_clock clock;

	if (rs_greeting_expect(child->in_fd, err) < 0 ||
	    rs_greeting_ask_clock(child->in_fd, child->out_fd, &clock, err) < 0)
		return -1;
	rs_greeting_begin(child->out_fd, "");
	(void)!write(ready_fd, &clock, sizeof clock);
	return 0;
}

static void host_carry(const struct rs_host *host, int socket_fd, int ready_fd, bool asks)
{
	struct rs_buf line = RS_BUF_INIT;
	struct rs_host_child_config config = { .asks = asks, .takes_errors = true };
	struct rs_error err = { 0 };
	struct rs_host_child child;
	char words[300] = "";
	int kept = fcntl(socket_fd, F_DUPFD_CLOEXEC, 0);

	rs_buf_printf(&line, "serve --stdio%s", host->engine ? host->engine : "");
	config.line = line.data;
	if (rs_host_child_begin(&child, host, &config, &err) < 0) {
		rs_frame_send_failed(socket_fd, err.text);
		return;
	}
	if (host_greet(&child, ready_fd, &err) < 0) {
		rs_host_child_end(&child);
		rs_link_last_line(child.err_fd, words, sizeof words);
	} else {
		rs_close(&ready_fd);
		rs_link_run(&(struct rs_link_config){ child.in_fd, child.out_fd, socket_fd, true,
						      child.err_fd }, &err);
		child.in_fd = child.out_fd = -1;
		rs_host_child_end(&child);
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

int rs_host_connect(const struct rs_host *host, struct rs_host_clock *clock, struct rs_error *err)
{
	int ready_fd, fd = rs_host_check(host, err) < 0 ? -1 : host_connect(host, true, &ready_fd, err);
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(ready_fd, clock, sizeof *clock)) < 0 && errno == EINTR)
		;
	if (n != sizeof *clock)
		clock->known = false;
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
