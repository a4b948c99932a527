// SPDX-License-Identifier: GPL-2.0-or-later
/* keep-command - runs the command of a condition that fired: what it is told, and for how long it may run */
#include "daemon/keep-command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP_COMMAND_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static void keep_command_exec(const char *command, const struct rs_keep_variable *variables)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	clearenv();
	setenv("PATH", KEEP_COMMAND_PATH, 1);
	for (; variables->name; variables++)
		setenv(variables->name, variables->value, 1);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Returns false if it runs still after that time. */
static bool keep_command_ends(pid_t pid, int limit_ms)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	do
		n = fd < 0 ? 1 : poll(&p, 1, limit_ms);
	while (n < 0 && errno == EINTR);
	if (fd >= 0)
		close(fd);
	return n > 0;
}

int rs_keep_command_run(const char *command, const struct rs_keep_variable *variables, int limit_ms,
			struct rs_error *err)
{
	pid_t pid = fork();
	bool ended;
	int status = 0;

	if (pid < 0)
		return rs_fail(err, "cannot run '%.60s': %s", command, strerror(errno));
	if (!pid)
		keep_command_exec(command, variables);
	setpgid(pid, pid); /* whichever of the two is first */
	ended = keep_command_ends(pid, limit_ms);
	if (!ended)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ended)
		return rs_fail(err, "'%.60s' was ended: it ran longer than %d s", command, limit_ms / 1000);
	if (WIFSIGNALED(status))
		return rs_fail(err, "'%.60s' was ended by signal %d", command, WTERMSIG(status));
	return WEXITSTATUS(status) ? rs_fail(err, "'%.60s' exited with %d", command, WEXITSTATUS(status)) : 0;
}
