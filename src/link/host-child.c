// SPDX-License-Identifier: GPL-2.0-or-later
/* host-child - ssh as a child process */
#include "link/host-child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"

/* A connection that is silent for 15 seconds is lost: a cable says nothing when it is pulled. */
#define HOST_CHILD_SSH "ssh -T -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
#define HOST_CHILD_NO_QUESTIONS " -o BatchMode=yes"
#define HOST_CHILD_MAX_WORDS 64

/*
 * Becomes ssh. RINGSIDE_SSH="ssh -p 22" is cut at its blanks. Returns only if it cannot: err is set
 */
static void host_child_exec(const struct rs_host *host, const struct rs_host_child_config *config,
			    struct rs_error *err)
{
	const char *given = getenv("RINGSIDE_SSH");
	char *words[HOST_CHILD_MAX_WORDS + 3], *save = NULL, *ssh, *remote;
	size_t nr = 0;

	if (asprintf(&ssh, "%s%s", given && *given ? given : HOST_CHILD_SSH,
		     config->asks || (given && *given) ? "" : HOST_CHILD_NO_QUESTIONS) < 0 ||
	    asprintf(&remote, "%s %s", host->command ? host->command : "ringside", config->line) < 0) {
		rs_fail(err, "out of memory");
		return;
	}
	for (char *word = strtok_r(ssh, " \t", &save); word && nr < HOST_CHILD_MAX_WORDS;
	     word = strtok_r(NULL, " \t", &save))
		words[nr++] = word;
	words[nr++] = (char *)(uintptr_t)host->name;
	words[nr++] = remote;
	words[nr] = NULL;
	execvp(words[0], words);
	rs_fail(err, "--host: cannot run '%.80s': %s", words[0], strerror(errno));
}

/* Ctrl-C is for ringside there, which then shows what it has: so ssh does not end by it. */
static void host_child_run(const struct rs_host *host, const struct rs_host_child_config *config, int in_fd,
			   int out_fd, int err_fd)
{
	struct rs_error err = { 0 };
	sigset_t none;

	sigemptyset(&none);
	signal(SIGINT, SIG_IGN);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(in_fd, STDIN_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	if (config->takes_errors)
		dup2(err_fd, STDERR_FILENO);
	host_child_exec(host, config, &err);
	fprintf(stderr, "%s\n", err.text);
	_exit(127);
}

static void host_child_close_pair(int pair[2])
{
	rs_close(&pair[0]);
	rs_close(&pair[1]);
}

int rs_host_child_begin(struct rs_host_child *child, const struct rs_host *host,
			const struct rs_host_child_config *config, struct rs_error *err)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, errors[2] = { -1, -1 };

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0 ||
	    (config->takes_errors && pipe2(errors, O_CLOEXEC) < 0) || (child->pid = fork()) < 0) {
		rs_fail(err, "cannot run ssh: %s", strerror(errno));
		host_child_close_pair(to);
		host_child_close_pair(from);
		host_child_close_pair(errors);
		return -1;
	}
	if (!child->pid)
		host_child_run(host, config, to[0], from[1], errors[1]);
	rs_close(&to[0]);
	rs_close(&from[1]);
	rs_close(&errors[1]);
	child->out_fd = to[1];
	child->in_fd = from[0];
	child->err_fd = errors[0];
	return 0;
}

int rs_host_child_end(struct rs_host_child *child)
{
	int status = 0;

	rs_close(&child->in_fd);
	rs_close(&child->out_fd);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return status;
}
