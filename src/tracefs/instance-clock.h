/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance-clock.h - sets the trace clock in the background; for src/tracefs/ only
 *
 * Writing a clock, even the present one, waits for an RCU grace period: 17 to 25 ms, more than half of what a launch
 * takes. Meanwhile the kernel holds the lock that most files of tracefs want; formats, threads and /proc do not.
 */
#ifndef RS_TRACEFS_INSTANCE_CLOCK_H
#define RS_TRACEFS_INSTANCE_CLOCK_H

#include "tracefs/tracefs.h"

/* Begins to set the plan's clock, if it has one: the last of an instance's settings, for it empties the buffer. */
int rs_instance_clock_begin(struct rs_instance *in, const char *clock, struct rs_error *err);

#endif
