/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power.h - the idle states and frequencies that the CPUs have, as sysfs tells them
 *
 * They are read when a capture begins, and carried by ringside's recordings. Guests mostly have neither
 * driver, and recordings of other programs carry neither: NULL. What is returned belongs to the engine, and
 * lives as long as the session.
 */
#ifndef RINGSIDE_POWER_H
#define RINGSIDE_POWER_H

#include <stdint.h>

struct rs_ctx;

/*
 * From this exit latency on an idle state is deep: C3, C6 and their kin. C1 and C1E take at most 10 us, about
 * as long as a wake-up takes anyway.
 */
#define RS_DEEP_EXIT_US 15

/* A row of /sys/devices/system/cpu/cpuN/cpuidle. */
struct rs_idle_state {
	uint32_t cpu, state;         /* power:cpu_idle has that number */
	uint32_t exit_us;            /* latency: the longest time that the hardware takes to leave it */
	uint32_t residency_us;       /* it pays to enter it for as long as that */
	char name[16];               /* "C6" */
};

/* Of /sys/devices/system/cpu/cpuN/cpufreq, in kHz; 0: unknown. */
struct rs_cpu_speed {
	uint32_t cpu;
	uint32_t max_khz;            /* cpuinfo_max_freq: turbo included, where the driver knows it */
	uint32_t base_khz;           /* base_frequency: all its cores reach it together */
};

/* NULL: unknown. */
const struct rs_idle_state *rs_idle_state(const struct rs_ctx *c, uint64_t cpu, uint64_t state);
/* The same of any CPU, if all CPUs that have a state of that number mean the same one; NULL: they do not. */
const struct rs_idle_state *rs_idle_state_of_all(const struct rs_ctx *c, uint64_t state);
const struct rs_cpu_speed *rs_cpu_speed(const struct rs_ctx *c, uint64_t cpu); /* NULL: unknown */

#endif
