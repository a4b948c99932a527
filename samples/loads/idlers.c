// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idlers THREADS US - threads that wait at a condition variable which nobody signals, each for US at a time
 */
#include <time.h>

#include "load.h"

static long us;

static void *idler(void *arg)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (;;) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += us % 1000000 * 1000;
		until.tv_sec += us / 1000000 + until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&never, &lock, &until);
	}
	return arg;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: idlers THREADS US");
	us = number(argv[2]);
	for (long i = 0; i < number(argv[1]); i++)
		load_thread(idler, "pool-worker", NULL);
	for (;;)
		pause();
}
