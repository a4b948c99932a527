// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stuck [-w] - a process in D for as long as it lives, and one that reads from a pipe into which nobody
 * writes
 *
 * The first is begun before it waits to be told: a parent whose vforked child goes no further. It prints
 * "blocked=PID", then "reader=PID", which is itself.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "sample.h"

static int begin_blocked(void)
{
	int pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_NAME, "blocked");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (vfork() == 0) {
		prctl(PR_SET_NAME, "vforked");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		syscall(SYS_nanosleep, &(struct timespec){ 1000000, 0 }, NULL);
	}
	_exit(1);
}

static void wait_for_state(int pid, char wanted)
{
	char path[64], line[256], state = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	while (state != wanted) {
		FILE *f = fopen(path, "r");
		const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;

		if (!end)
			die("%s cannot be read", path);
		state = end[2];
		fclose(f);
		sleep_us(1000);
	}
}

int main(int argc, char **argv)
{
	int told = options(argc, argv, ""), fds[2], blocked;
	char c;

	if (pipe(fds) < 0)
		die("pipe: %s", strerror(errno));
	blocked = begin_blocked();
	wait_for_state(blocked, 'D');
	printf("blocked=%d\n", blocked);
	wait_to_be_told(told);
	printf("reader=%d fd=%d\n", (int)getpid(), fds[0]);
	fflush(stdout);
	return read(fds[0], &c, 1) < 0;
}
