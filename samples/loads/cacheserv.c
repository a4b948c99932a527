// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cacheserv work|sleep|fsync US [FILE] - two threads "lookup" and one "evict", which holds their mutex while
 * it works US, sleeps US, or writes FILE through to the disk
 */
#include <fcntl.h>
#include <sched.h>

#include "load.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *mode;
static long us;
static int fd = -1;

static void *lookup(void *arg)
{
	for (;; sleep_us(1500)) {
		pthread_mutex_lock(&mutex);
		load_work(60);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void hold(void)
{
	static char record[6000];

	if (*mode == 'w')
		load_work(us);
	else if (*mode == 's')
		sleep_us(us);
	else if (pwrite(fd, record, sizeof record, 0) < 0 || fsync(fd))
		die("write: %s", strerror(errno));
}

static void *evict(void *arg)
{
	if (*mode == 'w') { /* where others are busy */
		cpu_set_t first;

		CPU_ZERO(&first);
		CPU_SET(0, &first);
		sched_setaffinity(0, sizeof first, &first);
	}
	for (;; sleep_us(700)) {
		pthread_mutex_lock(&mutex);
		hold();
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: cacheserv work|sleep|fsync US [FILE]");
	mode = argv[1];
	us = number(argv[2]);
	if (argc > 3)
		fd = open(argv[3], O_RDWR | O_CREAT, 0600);
	load_calibrate();
	load_thread(evict, "evict", NULL);
	load_thread(lookup, "lookup", NULL);
	load_thread(lookup, "lookup", NULL);
	for (;;)
		pause();
}
