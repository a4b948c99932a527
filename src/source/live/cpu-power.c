// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu-power - the idle states and frequencies of the CPUs, from sysfs */
#include "source/live/cpu-power.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vector.h"
#include "tracefs/tracefs.h"

#define CPU_POWER_MAX_STATES 10 /* the kernel's CPUIDLE_STATE_MAX */

/* The number in PATH/FILE; 0: there is none. */
static uint32_t cpu_power_number(const char *path, const char *file)
{
	char *text = rs_tracefs_read(path, file, NULL);
	unsigned long long number = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Returns false if there is no such state. */
static bool cpu_power_read_state(struct rs_idle_state *of, const char *cpu_path)
{
	char path[PATH_MAX], *name;

	if (snprintf(path, sizeof path, "%s/cpuidle/state%u", cpu_path, of->state) >= (int)sizeof path)
		return false;
	name = rs_tracefs_read(path, "name", NULL);
	if (!name)
		return false;
	name[strcspn(name, "\n")] = '\0';
	rs_copy(of->name, sizeof of->name, name);
	free(name);
	of->exit_us = cpu_power_number(path, "latency");
	of->residency_us = cpu_power_number(path, "residency");
	return true;
}

static void cpu_power_read_speed(struct rs_cpu_speed *of, const char *cpu_path)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/cpufreq", cpu_path) >= (int)sizeof path)
		return;
	of->max_khz = cpu_power_number(path, "cpuinfo_max_freq");
	of->base_khz = cpu_power_number(path, "base_frequency");
}

/* Thousands of files, on a large machine. */
static bool cpu_power_is_used(const struct rs_trace_info *info)
{
	for (size_t i = 0; i < info->nr_formats; i++)
		if (!strcmp(info->formats[i].system, "power"))
			return true;
	return false;
}

void rs_cpu_power_read(struct rs_cpu_power *power, const char *sysfs, struct rs_trace_info *info)
{
	size_t state_room = 0, speed_room = 0;
	char path[PATH_MAX - 64];

	for (unsigned int cpu = 0; cpu_power_is_used(info) && cpu < info->nr_cpus; cpu++) {
		struct rs_idle_state state = { .cpu = cpu };
		struct rs_cpu_speed speed = { .cpu = cpu };

		snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%u", sysfs, cpu);
		for (; state.state < CPU_POWER_MAX_STATES && cpu_power_read_state(&state, path) &&
		       RS_VECTOR_RESERVE(&power->states, &state_room, info->nr_idle_states + 1);
		     state.state++)
			power->states[info->nr_idle_states++] = state;
		cpu_power_read_speed(&speed, path);
		if (speed.max_khz && RS_VECTOR_RESERVE(&power->speeds, &speed_room, info->nr_cpu_speeds + 1))
			power->speeds[info->nr_cpu_speeds++] = speed;
	}
	info->idle_states = power->states;
	info->cpu_speeds = power->speeds;
}

void rs_cpu_power_done(struct rs_cpu_power *power)
{
	free(power->states);
	free(power->speeds);
	*power = (struct rs_cpu_power){ 0 };
}
