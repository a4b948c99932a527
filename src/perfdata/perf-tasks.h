/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-tasks.h - perf's records of processes as the kernel's own events: task_newtask, task_rename,
 * sched_process_exit
 *
 * The engine follows tasks by events. What existed before the first record with a time becomes the initial
 * task snapshot.
 */
#ifndef RS_PERFDATA_PERF_TASKS_H
#define RS_PERFDATA_PERF_TASKS_H

#include "base/map.h"
#include "decode/page.h"
#include "decode/sample-record.h"
#include "perfdata/perf-formats.h"

#define RS_PERF_TASKS_RECORD_BYTES 64

struct rs_perf_tasks {
	const struct rs_page_layout *layout;
	bool makes[3];               /* false: the file has that event itself */
	struct rs_map names;         /* by tid */
	struct rs_initial_task *snapshot;
	size_t nr_initial, initial_room;
};

/*
 * Adds the formats of the events that it will make. Returns false without memory; rs_perf_tasks_done in any
 * case.
 */
bool rs_perf_tasks_init(struct rs_perf_tasks *t, const struct rs_page_layout *layout,
			struct rs_perf_formats *formats);
void rs_perf_tasks_done(struct rs_perf_tasks *t);
/*
 * A record about a task. Returns the length of the event that was made, 0 if there is none; ts_ns 0: before
 * all others.
 */
uint32_t rs_perf_tasks_record(struct rs_perf_tasks *t, const struct rs_sample_event *ev,
			      uint8_t record[RS_PERF_TASKS_RECORD_BYTES]);
/* Sets the time of the initial task snapshot. */
void rs_perf_tasks_begin(struct rs_perf_tasks *t, uint64_t begin_ns);

#endif
