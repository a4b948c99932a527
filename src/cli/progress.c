// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/monotonic.h"

#define EVERY_NS 250000000u

void rs_progress_init(struct rs_progress *p, bool quiet)
{
	/* the first line only after a while: what is done at once needs none */
	*p = (struct rs_progress){ .on = !quiet && isatty(STDERR_FILENO),
				   .next_ns = rs_monotonic_ns() + EVERY_NS };
}

bool rs_progress_due(struct rs_progress *p)
{
	uint64_t now;

	if (!p->on)
		return false;
	now = rs_monotonic_ns();
	if (now < p->next_ns)
		return false;
	p->next_ns = now + EVERY_NS;
	return true;
}

/* A line that wraps could not be written over. */
static size_t columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return 80;
	return size.ws_col;
}

void rs_progress_show(struct rs_progress *p, const char *fmt, ...)
{
	size_t width = columns() - 1, len;
	char line[256];
	va_list ap;

	if (!p->on)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	len = strlen(line);
	if (len > width)
		len = width;
	fprintf(stderr, "\r%.*s\033[K", (int)len, line);
	fflush(stderr);
	p->shown = true;
}

void rs_progress_done(struct rs_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
