// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits [-n ROUNDS] [-t MICROSECONDS] [-f FILE] [-w] - a thread waits in each way that there is, ROUNDS times
 *
 * The thread "waiter" waits on a futex until the thread "waker" wakes it; on one that
 * nobody wakes, for the time given; on one whose value is another, not at all; it
 * sleeps for that time; it reads from a pipe that "waker" writes to; and from a file around
 * the page cache, if one is given. A third, "stuck", waits on a futex for ever.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "sample.h"

static uint32_t woken, alone, changed = 1, stuck;
static long rounds = 20, length_us = 2000;
static int pipe_fds[2];
static const char *file;
static volatile int phase, waiter_tid, waker_tid, stuck_tid;

static long futex(uint32_t *addr, int op, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, addr, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0) < 0 ? -errno : 0;
}

static void reads(void)
{
	int fd = open(file, O_RDONLY | O_DIRECT);
	void *buffer;

	if (fd < 0 || posix_memalign(&buffer, 4096, 4096))
		die("%s: %s", file, strerror(errno));
	for (long i = 0; i < rounds; i++)
		if (pread(fd, buffer, 4096, i * 4096) != 4096)
			die("%s: read %ld: %s", file, i, strerror(errno));
}

static void *wait_in_each_way(void *arg)
{
	struct timespec length = { length_us / 1000000, length_us % 1000000 * 1000 };
	char c;

	(void)arg;
	prctl(PR_SET_NAME, "waiter");
	waiter_tid = (int)syscall(SYS_gettid);
	for (long i = 0; i < rounds; i++)
		if (futex(&woken, FUTEX_WAIT, 0, NULL))
			die("futex: not woken");
	phase = 1;
	for (long i = 0; i < rounds; i++)
		if (futex(&alone, FUTEX_WAIT, 0, &length) != -ETIMEDOUT)
			die("futex: no time-out");
	for (long i = 0; i < rounds; i++)
		if (futex(&changed, FUTEX_WAIT, 0, NULL) != -EAGAIN)
			die("futex: not at once");
	for (long i = 0; i < rounds; i++)
		sleep_us(length_us);
	phase = 2;
	for (long i = 0; i < rounds; i++)
		if (read(pipe_fds[0], &c, 1) != 1)
			die("read: %s", strerror(errno));
	if (file)
		reads();
	phase = 3;
	return NULL;
}

/* Each wake finds the waiter asleep, or it is no wake: one for each wait. */
static void *wake_each(void *arg)
{
	char c = 0;

	(void)arg;
	prctl(PR_SET_NAME, "waker");
	waker_tid = (int)syscall(SYS_gettid);
	for (long i = 0; i < rounds; i++)
		do
			sleep_us(length_us / 2);
		while (syscall(SYS_futex, &woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 1);
	while (phase < 2)
		sleep_us(length_us);
	for (long i = 0; i < rounds; i++) {
		sleep_us(length_us);
		if (write(pipe_fds[1], &c, 1) != 1)
			die("write: %s", strerror(errno));
	}
	return NULL;
}

static void *wait_for_ever(void *arg)
{
	prctl(PR_SET_NAME, "stuck");
	stuck_tid = (int)syscall(SYS_gettid);
	futex(&stuck, FUTEX_WAIT, 0, NULL);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t waiter, waker, other;
	int opt, told = 0;

	while ((opt = getopt(argc, argv, "n:t:f:w")) >= 0) {
		if (opt == 'n')
			rounds = number(optarg);
		else if (opt == 't')
			length_us = number(optarg);
		else if (opt == 'f')
			file = optarg;
		else if (opt == 'w')
			told = 1;
		else
			return 2;
	}
	if (pipe(pipe_fds))
		die("pipe: %s", strerror(errno));
	wait_to_be_told(told);
	if (pthread_create(&other, NULL, wait_for_ever, NULL) ||
	    pthread_create(&waiter, NULL, wait_in_each_way, NULL) ||
	    pthread_create(&waker, NULL, wake_each, NULL))
		die("no thread");
	pthread_join(waiter, NULL);
	pthread_join(waker, NULL);
	printf("pid=%d waiter=%d waker=%d stuck=%d rounds=%ld woken=%p alone=%p changed=%p forever=%p\n",
	       (int)getpid(), waiter_tid, waker_tid, stuck_tid, rounds, (void *)&woken, (void *)&alone,
	       (void *)&changed, (void *)&stuck);
	fflush(stdout);
	_exit(0);
}
