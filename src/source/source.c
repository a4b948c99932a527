// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/source.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "source/window.h"

enum rs_next rs_source_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	enum rs_next next = s->ops->next(s, cpu, page, err);

	if (s->window && next == RS_NEXT_PAGE)
		rs_window_add(s->window, cpu, page);
	return next;
}

void rs_source_put_disks(struct rs_json *j, const struct rs_trace_info *info)
{
	rs_json_key(j, "disks");
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_disks; i++) {
		rs_json_open(j, '[');
		rs_json_u64(j, info->disks[i].dev);
		rs_json_str(j, info->disks[i].name);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
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
