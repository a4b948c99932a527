// SPDX-License-Identifier: GPL-2.0-or-later
/* thread - starts a thread with all signals blocked: they go to the thread that waits for them */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int rs_thread_begin(pthread_t *thread, size_t stack_bytes, void *(*body)(void *arg), void *arg)
{
	sigset_t all, saved;
	pthread_attr_t attr;
	int errnum;

	sigfillset(&all);
	pthread_attr_init(&attr);
	if (stack_bytes)
		pthread_attr_setstacksize(&attr, stack_bytes);
	pthread_sigmask(SIG_SETMASK, &all, &saved);
	errnum = pthread_create(thread, &attr, body, arg);
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	pthread_attr_destroy(&attr);
	return errnum;
}

const char *rs_thread_why(int errnum)
{
	return errnum == EAGAIN ? "out of memory, or too many threads" : strerror(errnum);
}

bool rs_thread_pause(sem_t *end, unsigned int ms)
{
	struct timespec until;
	int failed;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms % 1000 * 1000000L;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	do
		failed = sem_clockwait(end, CLOCK_MONOTONIC, &until);
	while (failed && errno == EINTR);
	return !failed;
}
