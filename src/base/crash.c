// SPDX-License-Identifier: GPL-2.0-or-later
/* crash - a message from a process that crashes, where the crash can be explained */
#include "base/crash.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory-watch.h"

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
static _Thread_local const char *doing;
static _Thread_local sigjmp_buf *way_out; /* of rs_crash_survive; NULL none */
static int told_fd = -1;
static void (*told_say)(int fd, const char *why);
static bool (*told_blame)(const char *signal_name, char *text, size_t size);

const char *rs_crash_doing(const char *what)
{
	const char *before = doing;

	doing = what;
	return before;
}

bool rs_crash_survive(const char *what, void (*call)(void *arg), void *arg)
{
	const char *before = rs_crash_doing(what);
	sigjmp_buf here;
	bool survived = !sigsetjmp(here, 0);

	if (survived) {
		way_out = &here;
		call(arg);
	}
	way_out = NULL;
	rs_crash_doing(before);
	return survived;
}

void rs_crash_report(int fd, void (*say)(int fd, const char *why))
{
	told_fd = fd;
	told_say = say;
}

void rs_crash_blame(bool (*blame)(const char *signal_name, char *text, size_t size))
{
	told_blame = blame;
}

void rs_crash_end(const char *why)
{
	char line[300]; /* in one write: other threads write too */
	int len = snprintf(line, sizeof line, "ringside: %.280s\n", why);

	if (told_say)
		told_say(told_fd, why);
	else
		(void)!write(STDERR_FILENO, line, (size_t)len);
	_exit(RS_FAILED);
}

static const char *crash_text(char *text, size_t size)
{
	snprintf(text, size, "%s: out of memory, and crashed of it (free memory, and run it again)",
		 doing ? doing : "a library");
	return text;
}

/* errno is the thread's own: the failed allocation has just set it. */
static void crash_caught(int sig)
{
	char text[256];

	if (errno == ENOMEM || rs_memory_failed())
		rs_crash_end(crash_text(text, sizeof text));
	if (way_out)
		siglongjmp(*way_out, 1);
	if (told_blame && told_blame(sigabbrev_np(sig), text, sizeof text))
		rs_crash_end(text);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Its limit: see live-watch.c. */
static void crash_ran_on(int sig)
{
	rs_crash_end("a real-time thread did not sleep for two seconds, and was ended (please report this)");
}

void rs_crash_watch(void)
{
	struct sigaction action = { .sa_handler = crash_caught, .sa_flags = SA_NODEFER };

	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
	action.sa_handler = crash_ran_on;
	sigaction(SIGXCPU, &action, NULL);
}
