// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * accounts [-c CPU] [-t MILLISECONDS] [-w] - tasks that share a CPU, and what the kernel's own books say of
 * each
 *
 * Two that burn, one that burns and sleeps by turns, one that mostly sleeps, all on one CPU. Their slices are
 * long: the kernel's clock for the books and the events of a switch are some microseconds apart, in an
 * emulator some dozen. Each prints from its /proc/self/schedstat, at its very end: time on the CPU, time that
 * it waited for it, times that it was put on it, since its birth.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "sample.h"

static const struct {
	const char *name;
	long burn_us, sleep_us;
} kinds[] = {
	{ "burner-1", 5000, 0 },
	{ "burner-2", 5000, 0 },
	{ "half", 10000, 10000 },
	{ "third", 10000, 20000 },
};
#define NR (sizeof kinds / sizeof *kinds)

static void work(int kind, long end_us)
{
	unsigned long long run, wait, times;
	FILE *f;

	prctl(PR_SET_NAME, kinds[kind].name);
	while (now_us() < end_us) {
		burn_us(kinds[kind].burn_us);
		if (kinds[kind].sleep_us)
			sleep_us(kinds[kind].sleep_us);
	}
	sleep_us(1000); /* the books are brought up to date when the CPU is left */
	f = fopen("/proc/self/schedstat", "r");
	if (!f || fscanf(f, "%llu %llu %llu", &run, &wait, &times) != 3)
		die("this kernel keeps no books in /proc/self/schedstat");
	printf("tid=%d name=%s run_ns=%llu wait_ns=%llu times=%llu\n", (int)getpid(), kinds[kind].name, run,
	       wait, times);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	long ms = 1000, cpu = 0, end;
	cpu_set_t set;
	int told = options(argc, argv, "ct", &cpu, &ms), bad = 0, status;

	wait_to_be_told(told);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		die("CPU %ld: %s", cpu, strerror(errno));
	end = now_us() + ms * 1000;
	for (size_t i = 0; i < NR; i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork: %s", strerror(errno));
		if (!child)
			work((int)i, end);
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad != 0;
}
