// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hog [-c CPU] [-n SLEEPS] [-t MICROSECONDS] [-w] - a task that never sleeps, and one on the same CPU that
 * does
 *
 * "sleeper" sleeps SLEEPS times and ends; each time it wakes it has to get the
 * CPU from "hog", which is preempted then, or is woken and waits.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "sample.h"

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		die("CPU %d: %s", cpu, strerror(errno));
}

int main(int argc, char **argv)
{
	long sleeps = 100, us = 2000, cpu = 0;
	int told = options(argc, argv, "cnt", &cpu, &sleeps, &us);
	pid_t hog;

	wait_to_be_told(told);
	pin((int)cpu);
	hog = fork();
	if (hog < 0)
		die("fork: %s", strerror(errno));
	if (!hog) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "hog");
		for (;;)
			;
	}
	prctl(PR_SET_NAME, "sleeper");
	for (long i = 0; i < sleeps; i++)
		sleep_us(us);
	kill(hog, SIGKILL);
	waitpid(hog, NULL, 0);
	printf("hog=%d sleeper=%d cpu=%ld sleeps=%ld\n", (int)hog, (int)getpid(), cpu, sleeps);
	return 0;
}
