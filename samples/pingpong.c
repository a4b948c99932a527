// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong [-n ROUNDS] [-w] - two processes pass a byte there and back over pipes
 *
 * Each of them reads ROUNDS times and writes ROUNDS times between its begin and
 * its end; what goes to the terminal afterwards is one write more. Each read
 * waits for the other one, unless both run at the same time.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "sample.h"

static void pass(int from, int to, long rounds, int first)
{
	char c = 0;

	for (long i = 0; i < rounds; i++) {
		if (first && write(to, &c, 1) != 1)
			die("write: %s", strerror(errno));
		if (read(from, &c, 1) != 1)
			die("read: %s", strerror(errno));
		if (!first && write(to, &c, 1) != 1)
			die("write: %s", strerror(errno));
	}
}

int main(int argc, char **argv)
{
	long rounds = 1000;
	int told = options(argc, argv, "n", &rounds), there[2], back[2];
	pid_t child;

	wait_to_be_told(told);
	if (pipe(there) || pipe(back))
		die("pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* it has the pipes' other ends, too: they would not tell */
		prctl(PR_SET_NAME, "pong");
		pass(there[0], back[1], rounds, 0);
		_exit(0);
	}
	prctl(PR_SET_NAME, "ping");
	pass(back[0], there[1], rounds, 1);
	waitpid(child, NULL, 0);
	printf("ping=%d pong=%d rounds=%ld\n", (int)getpid(), (int)child, rounds);
	return 0;
}
