// SPDX-License-Identifier: GPL-2.0-or-later
/* progress - one line on stderr that is written over, only where that is a terminal */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/out.h"

#define EVERY_NS 250000000u

void rs_progress_init(struct rs_progress *p)
{
	uint64_t now_ns = rs_monotonic_ns();

	/* the first line only after a while: what is done at once needs none */
	*p = (struct rs_progress){ .on = !rs_out_quiet && isatty(STDERR_FILENO), .begin_ns = now_ns,
				   .next_ns = now_ns + EVERY_NS };
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

void rs_progress_show(struct rs_progress *p, const char *fmt, ...)
{
	struct winsize size;
	size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col ? 80 : size.ws_col, len;
	char line[256];
	va_list ap;

	if (!p->on)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	len = strnlen(line, width - 1); /* a line that wraps could not be written over */
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

void rs_progress_show_file(struct rs_progress *p, struct rs_source *source, uint64_t nr_events)
{
	uint64_t done = 0, all = 0, spent_ms, left_ms;

	if (!source->ops->progress || !rs_progress_due(p))
		return;
	spent_ms = (rs_monotonic_ns() - p->begin_ns) / 1000000;
	source->ops->progress(source, &done, &all);
	left_ms = done && done < all ? (uint64_t)((double)spent_ms / done * (all - done)) : 0;
	rs_progress_show(p, "%3u %%  %llu of %llu MB  %.1f M events/s  %llu s left",
			 (unsigned int)(all ? done * 100.0 / all : 100), (unsigned long long)done / 1000000,
			 (unsigned long long)all / 1000000, nr_events / 1000.0 / (spent_ms ? spent_ms : 1),
			 (unsigned long long)(left_ms + 999) / 1000);
}
