// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * beacons NUMBER HZ - so many POSIX timers, each of which expires so often; one thread waits for their
 * signals
 */
#include <signal.h>
#include <time.h>

#include "load.h"

int main(int argc, char **argv)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL };
	long ns = 1000000000L / (argc > 2 ? number(argv[2]) : 1000);
	struct itimerspec every = { { ns / 1000000000, ns % 1000000000 },
				    { ns / 1000000000, ns % 1000000000 } };
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (long i = 0; i < (argc > 1 ? number(argv[1]) : 1); i++) {
		timer_t timer;

		event.sigev_signo = SIGRTMIN + (int)(i % 20);
		if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, NULL))
			die("timer_create: %s", strerror(errno));
	}
	for (;;)
		if (sigwaitinfo(&all, NULL) == SIGTERM)
			return 0;
}
