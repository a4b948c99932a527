/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switch-stacks.h - perf's callchains at sched_switch: the stacks of waits where the kernel's triggers do not
 * record them
 *
 * A sample source with a ring for each CPU, by its number, in which a sample is the stack of the task that
 * leaves the CPU. decode/stacked-pages.h joins them with the events.
 */
#ifndef RS_SOURCE_PERF_SWITCH_STACKS_H
#define RS_SOURCE_PERF_SWITCH_STACKS_H

#include "source/perf/samples.h"
#include "tracefs/tracefs.h"

/*
 * rs_switch_stacks_open - opens a perf event on each CPU, off, while the process has the rights to
 *
 * condition: in the kernel's filter language, on the event's fields. NULL with err set: the kernel refuses,
 * or user space cannot read the instance's clock.
 */
struct rs_sample_source *rs_switch_stacks_open(const struct rs_instance *in, const char *condition,
					       bool with_user, struct rs_error *err);

#endif
