/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance-plan.h - a plan's settings, written into an instance; for src/tracefs/ only
 */
#ifndef RS_TRACEFS_INSTANCE_PLAN_H
#define RS_TRACEFS_INSTANCE_PLAN_H

#include <stddef.h>

#include "tracefs/tracefs.h"

/* Buffer, options, CPUs and tids: all but the clock. */
int rs_instance_plan_apply(const struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err);

/*
 * Begins to set the clock (NULL: none) in the background, the last of an instance's settings, for it empties the buffer.
 * Writing a clock, even the present one, waits for an RCU grace period: 17 to 25 ms, more than half of what a launch takes.
 * Meanwhile the kernel holds the lock that most files of tracefs want; formats, threads and /proc do not.
 */
int rs_instance_plan_begin_clock(struct rs_instance *in, const char *clock, struct rs_error *err);

/*
 * rs_instance_plan_parse_cpus - "0,2-3" to one byte a CPU, 1 where it is listed.
 * NULL lists all. A CPU that is not there is an error (usage).
 */
int rs_instance_plan_parse_cpus(const char *list, unsigned char *listed, unsigned int nr_cpus,
				struct rs_error *err);

#endif
