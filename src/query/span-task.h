/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span-task.h - the task that a span belongs to: that of its track; on a CPU or a disk, as its kind keeps it
 */
#ifndef RS_QUERY_SPAN_TASK_H
#define RS_QUERY_SPAN_TASK_H

#include "query/tracks.h"

/* Its tid; 0: none, or unknown. No look-up. */
int32_t rs_span_task_tid(const struct rs_timelines *t, const struct rs_track_ref *ref, const struct rs_timeline_span *span);
/* The task; NULL: none, or forgotten. */
const struct rs_task *rs_span_task(struct rs_timelines *t, const struct rs_track_ref *ref, const struct rs_timeline_span *span);

#endif
