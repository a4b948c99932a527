// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shares [-t MILLISECONDS] [-d DEPTH] [-n THREADS] [-w] - functions with known shares of the CPU time
 *
 * seventy() runs seven times a loop that thirty() runs three times, and nothing else takes time. recurse()
 * calls itself
 * DEPTH times before it calls seventy(). With -n, so many threads do this one after the other, each for its
 * part of the time, and exit. Prints how often each function ran its loop.
 */
#include <pthread.h>

#include "sample.h"

#define STEPS 20000

static volatile unsigned long sum;
static unsigned long nr_seventy, nr_thirty;
static long depth;

/*
 * Compilers give a function that calls no other one no frame, and without it its caller is missing in stacks.
 */
__attribute__((noinline, noclone)) static void nothing(void)
{
	__asm__ volatile("");
}

__attribute__((noinline, noclone)) static void seventy(void)
{
	nothing();
	for (long i = 0; i < 7 * STEPS; i++)
		sum += i;
	nr_seventy += 7;
}

__attribute__((noinline, noclone)) static void thirty(void)
{
	nothing();
	for (long i = 0; i < 3 * STEPS; i++)
		sum += i;
	nr_thirty += 3;
}

__attribute__((noinline, noclone)) static void recurse(long left)
{
	if (left > 0)
		recurse(left - 1);
	else
		seventy();
	nothing(); /* no tail call */
}

__attribute__((noinline)) static void *work(void *arg)
{
	for (long end = now_us() + *(long *)arg; now_us() < end;) {
		recurse(depth);
		thirty();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long ms = 1000, nr_threads = 0, us;
	int told = options(argc, argv, "tdn", &ms, &depth, &nr_threads);
	pthread_t thread;

	wait_to_be_told(told);
	us = ms * 1000 / (nr_threads ? nr_threads : 1);
	if (!nr_threads)
		work(&us);
	for (long i = 0; i < nr_threads; i++)
		if (pthread_create(&thread, NULL, work, &us) || pthread_join(thread, NULL))
			die("cannot make a thread");
	printf("pid=%d seventy=%lu thirty=%lu\n", (int)getpid(), nr_seventy, nr_thirty);
	return 0;
}
