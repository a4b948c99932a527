// SPDX-License-Identifier: GPL-2.0-or-later
/* usual-sources - the rows of views that series are made of */
#include "usual/usual-sources.h"

#include <string.h>

const struct rs_usual_source rs_usual_sources[RS_USUAL_SOURCES] = {
	{ "runqlat", "comm", .can_be_slow = true, .what = "run-queue waits of %1" },
	{ "syscall-latency", "comm,syscall", .can_be_slow = true, .can_be_less = true, .what = "%2 by %1" },
	{ "biolatency", "dev,type", .can_be_slow = true, .what = "requests %2 to disk %1" },
	{ "offcpu", "comm,cause", .can_be_slow = true, .what = "waits of %1 for %2" },
	{ "sched", "comm", "run_ns", .can_be_more = true, .what = "%1" },
	{ "irqs", "kind,name", .can_be_more = true, .what = "%1 %2" },
};

int rs_usual_sources_find(const char *view)
{
	for (unsigned int i = 0; i < RS_USUAL_SOURCES && rs_usual_sources[i].view; i++)
		if (!strcmp(rs_usual_sources[i].view, view))
			return (int)i;
	return -1;
}

void rs_usual_sources_put_what(struct rs_buf *to, unsigned int source, const char *key, size_t key_bytes)
{
	const char *second = memchr(key, '\0', key_bytes);

	second = second && second + 1 < key + key_bytes ? second + 1 : "";
	for (const char *at = rs_usual_sources[source].what; *at; at++) {
		if (at[0] != '%') {
			rs_buf_putc(to, *at);
			continue;
		}
		rs_buf_puts(to, *++at == '1' ? key : second);
	}
}
