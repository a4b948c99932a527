// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fail-wait - LD_PRELOAD: threads of ringside that cannot wait, or wait for ever
 *
 *	FAIL_CALLS=poll,nanosleep,read   what fails at once in readers ("ringside-rdN"): EPERM, of read EAGAIN
 *	FAIL_CALLS=stay                  a reader's nanosleep takes a CPU for five seconds, as a call that the kernel keeps
 *	FAIL_STALL=N                     the thread that takes the pages never returns from its N-th poll
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_named(const char *name, size_t len)
{
	char own[16] = "";

	prctl(PR_GET_NAME, own);
	return !strncmp(own, name, len);
}

static bool fails(const char *call)
{
	static __thread int reader; /* 1 it is, -1 it is not */
	const char *calls = getenv("FAIL_CALLS");

	if (!calls || !strstr(calls, call))
		return false;
	if (reader <= 0)
		reader = is_named("ringside-rd", 11) ? 1 : -1;
	return reader > 0;
}

/* Of a view's three threads the one that waits for pages is neither the main one nor the one that writes. */
static void stall(nfds_t nr, int ms)
{
	static int nr_left = -1;
	const char *at = getenv("FAIL_STALL");

	if (!at || nr != 1 || ms <= 0 || gettid() == getpid() || !is_named("ringside\0", 9))
		return;
	if (nr_left < 0)
		nr_left = atoi(at);
	if (!nr_left--)
		for (;;)
			pause();
}

int poll(struct pollfd *fds, nfds_t nr, int ms)
{
	static int (*real)(struct pollfd *, nfds_t, int);

	if (!real)
		real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
	stall(nr, ms);
	if (nr > 1 && fails("poll")) { /* one alone: it waits for the begin */
		errno = EPERM;
		return -1;
	}
	return real(fds, nr, ms);
}

static void stay(void)
{
	struct timespec used;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while (used.tv_sec < 5);
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
	if (fails("stay"))
		stay();
	if (fails("nanosleep")) {
		errno = EPERM;
		return -1;
	}
	return clock_nanosleep(CLOCK_REALTIME, 0, t, left) ? -1 : 0;
}

ssize_t read(int fd, void *bytes, size_t len)
{
	if (fails("read")) {
		errno = EAGAIN;
		return -1;
	}
	return syscall(SYS_read, fd, bytes, len);
}
