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

void rs_source_pause(struct rs_source *s, uint64_t off_ns, uint64_t on_ns)
{
	struct rs_pauses *p = &s->pauses;
	unsigned int nr = atomic_load_explicit(&p->nr, memory_order_relaxed);
	uint64_t before_ns = nr ? p->list[nr - 1].on_ns : 0;

	if (off_ns < before_ns)
		off_ns = before_ns;
	if (on_ns < off_ns)
		on_ns = off_ns;
	if (nr == RS_MAX_PAUSES) {
		p->list[nr - 1].on_ns = on_ns;
		p->more_off_ns = off_ns;
		p->nr_more++;
		return;
	}
	p->list[nr] = (struct rs_pause){ off_ns, on_ns };
	atomic_store_explicit(&p->nr, nr + 1, memory_order_release);
}

struct rs_pauses_told rs_source_pauses_all_read(const struct rs_pauses *p)
{
	unsigned int nr = atomic_load_explicit(&p->nr, memory_order_acquire);
	/* before the end is read: an end that is newer is told twice, one that is older would be never */
	unsigned int nr_more = atomic_load_explicit(&p->nr_more, memory_order_acquire);

	return (struct rs_pauses_told){ nr + nr_more, nr ? p->list[nr - 1].on_ns : 0 };
}

bool rs_source_pauses_next(const struct rs_pauses *p, const struct rs_pauses_told *told, uint64_t *off_ns, struct rs_pauses_told *then)
{
	if (told->nr < atomic_load_explicit(&p->nr, memory_order_acquire)) {
		*off_ns = p->list[told->nr].off_ns;
		*then = (struct rs_pauses_told){ told->nr + 1, p->list[told->nr].on_ns };
		if (then->nr == RS_MAX_PAUSES) /* with it goes what it has grown by */
			*then = rs_source_pauses_all_read(p);
		return true;
	}
	*then = rs_source_pauses_all_read(p);
	*off_ns = p->more_off_ns;
	/* one more may have come just now: its begin is then not that of the first */
	if (then->nr != told->nr + 1 || rs_source_pauses_all_read(p).nr != then->nr)
		*off_ns = told->to_ns;
	return then->nr != told->nr;
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
