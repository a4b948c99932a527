// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crowd [-n TASKS] [-r ROUNDS] [-t MICROSECONDS] [-w] - many threads, each sleeps ROUNDS times
 *
 * They are named crowd-0, crowd-1, ... and begin when all of them are there.
 */
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "sample.h"

static long rounds = 5, length_us = 200000;
static pthread_barrier_t all_there;

static void *member(void *arg)
{
	char name[16];

	snprintf(name, sizeof name, "crowd-%ld", (long)(intptr_t)arg);
	prctl(PR_SET_NAME, name);
	pthread_barrier_wait(&all_there);
	for (long i = 0; i < rounds; i++)
		sleep_us(length_us);
	return NULL;
}

static pthread_t *begin(long tasks)
{
	pthread_t *threads = calloc((size_t)tasks + 1, sizeof *threads);
	pthread_attr_t small;
	int failed = 0;

	if (!threads || pthread_attr_init(&small) || pthread_attr_setstacksize(&small, 65536))
		die("out of memory");
	pthread_barrier_init(&all_there, NULL, (unsigned int)tasks + 1);
	for (long i = 0; i < tasks && !failed; i++)
		failed = pthread_create(&threads[i], &small, member, (void *)(intptr_t)i);
	if (failed)
		die("cannot make %ld threads: %s", tasks, strerror(failed));
	pthread_barrier_wait(&all_there);
	return threads;
}

int main(int argc, char **argv)
{
	long tasks = 100;
	pthread_t *threads;
	int told = options(argc, argv, "nrt", &tasks, &rounds, &length_us);

	wait_to_be_told(told);
	threads = begin(tasks);
	for (long i = 0; i < tasks; i++)
		pthread_join(threads[i], NULL);
	printf("tasks=%ld sleeps=%ld\n", tasks, tasks * rounds);
	return 0;
}
