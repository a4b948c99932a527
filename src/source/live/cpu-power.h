/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu-power - the idle states and frequencies of the CPUs, from sysfs */
#ifndef RS_SOURCE_CPU_POWER_H
#define RS_SOURCE_CPU_POWER_H

#include "source/source.h"

/* What info->idle_states and info->cpu_speeds point to. */
struct rs_cpu_power {
	struct rs_idle_state *states;
	struct rs_cpu_speed *speeds;
};

/*
 * Reads those of all CPUs from SYSFS/devices/system/cpu into info, which points into *power; nothing if no
 * event of the system power is recorded. A CPU without a driver, or that is offline, has none; no memory: the
 * rest has none.
 */
void rs_cpu_power_read(struct rs_cpu_power *power, const char *sysfs, struct rs_trace_info *info);
void rs_cpu_power_done(struct rs_cpu_power *power);

#endif
