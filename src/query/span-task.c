// SPDX-License-Identifier: GPL-2.0-or-later
#include "query/span-task.h"

#include "query/wakers.h"

int32_t rs_span_task_tid(const struct rs_timelines *t, const struct rs_track_ref *ref, const struct rs_timeline_span *span)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, span);

	if (ref->of == RS_TRACK_TASK)
		return rs_track_tid(ref);
	if (!kind)
		return 0;
	return kind->of_task ? rs_span_tid(span->arg) : kind->get_tid ? kind->get_tid(span->arg) : 0;
}

const struct rs_task *rs_span_task(struct rs_timelines *t, const struct rs_track_ref *ref, const struct rs_timeline_span *span)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, span);
	struct rs_track_ref task;

	if (ref->of == RS_TRACK_TASK)
		return rs_timelines_task(t, rs_track_tid(ref), (uint32_t)ref->id);
	if (kind && kind->of_task)
		return rs_timelines_task(t, rs_span_tid(span->arg), rs_span_task_instance(span->arg));
	if (!rs_wakers_track_of_tid(t, rs_span_task_tid(t, ref, span), span->start_ns, &task))
		return NULL;
	return rs_timelines_task(t, rs_track_tid(&task), (uint32_t)task.id);
}
