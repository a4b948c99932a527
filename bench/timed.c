// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timed - runs a command and says what it took, to a file
 *
 *	timed FILE COMMAND [ARGUMENT...]
 *
 * One line: "begin_ns end_ns cpu_ns", the first two of CLOCK_MONOTONIC. It is put
 * between a tracer and the traced command, since what a tracer says of its own
 * includes its start, its end and its CPU time. begin_ns is, too, the time at
 * which a launched command does its first work.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

int main(int argc, char **argv)
{
	uint64_t begin_ns = now_ns();
	struct rusage used;
	uint64_t end_ns;
	FILE *out;
	pid_t pid;
	int status;

	if (argc < 3) {
		fputs("usage: timed FILE COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		fprintf(stderr, "timed: %s: %s\n", argv[2], strerror(errno));
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
		perror("timed");
		return 1;
	}
	end_ns = now_ns();
	out = fopen(argv[1], "w");
	if (!out || fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", begin_ns, end_ns,
			    ns_of(used.ru_utime) + ns_of(used.ru_stime)) < 0 || fclose(out)) {
		perror(argv[1]);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
