// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/crash.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory-watch.h"

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
static _Thread_local const char *doing;
static int told_fd = -1;
static char *told;
static size_t told_len;

const char *rs_crash_doing(const char *what)
{
	const char *before = doing;

	doing = what;
	return before;
}

int rs_crash_tell(int fd, const void *bytes, size_t len)
{
	told = malloc(len);
	if (!told)
		return -1;
	memcpy(told, bytes, len);
	told_len = len;
	told_fd = fd;
	return 0;
}

static void crash_put(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

static void crash_say(void)
{
	if (told_fd >= 0) {
		(void)!write(told_fd, told, told_len);
		return;
	}
	crash_put("ringside: ");
	crash_put(doing ? doing : "a library");
	crash_put(": out of memory, and crashed of it (free memory, and run it again)\n");
}

/* errno is the thread's own: the allocation that failed left it there, a moment ago. */
static void crash_caught(int sig)
{
	if (errno == ENOMEM || rs_memory_failed()) {
		crash_say();
		_exit(RS_FAILED);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

void rs_crash_watch(void)
{
	struct sigaction action = { .sa_handler = crash_caught, .sa_flags = SA_NODEFER };

	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
}
