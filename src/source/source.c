// SPDX-License-Identifier: GPL-2.0-or-later
/* source - where pages come from: a live instance, a trace.dat, a daemon's window */
#include "source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "source/window.h"

enum rs_next rs_source_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	enum rs_next next = s->filter ? s->filter->next(s->filter, s, cpu, page, err) :
					s->ops->next(s, cpu, page, err);

	if (s->window && next == RS_NEXT_PAGE)
		rs_window_add(s->window, cpu, page);
	return next;
}

int rs_source_header_field(struct rs_text header_page, const char *name, unsigned int *offset,
			   unsigned int *size)
{
	const char *at = header_page.data, *end = at + header_page.len;
	char mark[32], numbers[48];
	int len = snprintf(mark, sizeof mark, " %s;", name), ret = 0;

	while (at < end && (at = memmem(at, (size_t)(end - at), mark, (size_t)len))) {
		int nr = 0;

		at += len;
		snprintf(numbers, sizeof numbers, "%.*s", (int)(end - at < 40 ? end - at : 40), at);
		if (sscanf(numbers, " offset:%5u; size:%5u%n", offset, size, &nr) != 2 ||
		    numbers[nr] != ';' || *offset > UINT16_MAX || *size > UINT16_MAX)
			return -1;
		ret = 1;
	}
	return ret;
}

void rs_source_vcpu_name(const struct rs_trace_info *info, int32_t tid, const char *comm, char *out,
			 size_t size)
{
	for (size_t i = 0; i < info->nr_vcpus; i++) {
		const struct rs_vcpu *v = &info->vcpus[i];

		if (v->tid == tid) {
			snprintf(out, size, "%.24s vcpu %" PRIu32 " (%s)", v->guest, v->cpu, comm);
			return;
		}
	}
	snprintf(out, size, "%s", comm);
}
