/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - what the sample programs share: numbers as options, waiting to be told to begin
 *
 * A sample does a known number of known things and prints what it did as
 * "name=value" words, a line for each task. -w: it first says "ready pid=N" and
 * waits until its standard input ends, so that a tracer can be there before.
 * SAMPLE_OUT names a file that all this is added to, where standard output is
 * taken by the tracer that runs the sample.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__attribute__((noreturn, format(printf, 1, 2))) static inline void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static inline long number(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < 0)
		die("'%s' is not a number", text);
	return n;
}

/*
 * Each letter is an option that takes a number, which goes to the long of its place: options(argc, argv,
 * "nt", &n, &us). Returns whether -w was there, for wait_to_be_told().
 */
static inline int options(int argc, char **argv, const char *letters, ...)
{
	long *numbers[128] = { NULL };
	char known[32] = "w";
	int opt, told = 0;
	va_list ap;

	va_start(ap, letters);
	for (const char *l = letters; *l; l++) {
		snprintf(known + strlen(known), sizeof known - strlen(known), "%c:", *l);
		numbers[(unsigned char)*l] = va_arg(ap, long *);
	}
	va_end(ap);
	while ((opt = getopt(argc, argv, known)) >= 0) {
		if (opt == 'w')
			told = 1;
		else if (opt == '?')
			exit(2);
		else
			*numbers[opt] = number(optarg);
	}
	return told;
}

__attribute__((constructor)) static inline void choose_output(void)
{
	const char *path = getenv("SAMPLE_OUT");

	if (path && !freopen(path, "a", stdout))
		die("%s: %s", path, strerror(errno));
}

/* In microseconds; a signal does not shorten it. */
static inline void sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

static inline long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Nothing but user code on this CPU, but for what the clock may need. */
static inline void burn_us(long us)
{
	long end = now_us() + us;

	while (now_us() < end)
		;
}

static inline void wait_to_be_told(int wanted)
{
	char c;

	if (!wanted)
		return;
	printf("ready pid=%d\n", (int)getpid());
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
}

#endif
