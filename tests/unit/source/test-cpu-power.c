// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cpu-power - idle states and frequencies of CPUs, from a copy of sysfs: with both drivers, with one of them, and offline */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/live/cpu-power.h"

#define STATE(cpu, nr, name, latency, residency) \
	"mkdir -p cpu" #cpu "/cpuidle/state" #nr " && cd cpu" #cpu "/cpuidle/state" #nr " && echo " name " >name && echo " #latency " >latency && " \
	"echo " #residency " >residency && cd ../../..; "

START_TEST(sysfs)
{
	static const struct rs_format_text formats[] = { { "sched", { NULL, 0 } }, { "power", { NULL, 0 } } };
	static const struct rs_idle_state states[] = { { 0, 0, 0, 0, "POLL" }, { 0, 1, 10, 20, "C1E" }, { 2, 0, 133, 600, "C6 of a long na" } };
	char folder[] = "/tmp/ringside-cpu-power-XXXXXX", commands[2048];
	struct rs_trace_info info = { .nr_cpus = 3, .formats = formats, .nr_formats = 1 };
	struct rs_cpu_power power = { 0 };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(commands, sizeof commands, "mkdir -p %s/devices/system/cpu && cd %s/devices/system/cpu && " STATE(0, 0, "POLL", 0, 0) STATE(0, 1, "C1E", 10, 20)
		 STATE(2, 0, "C6 of a long name", 133, 600) STATE(3, 0, "C1", 1, 1)
		 "mkdir -p cpu0/cpufreq cpu1/cpufreq && echo 3400000 >cpu0/cpufreq/cpuinfo_max_freq && echo 2200000 >cpu0/cpufreq/base_frequency && "
		 "echo 99999999999 >cpu1/cpufreq/cpuinfo_max_freq", folder, folder);
	ck_assert_int_eq(system(commands), 0);
	rs_cpu_power_read(&power, folder, &info); /* no event of them */
	ck_assert_uint_eq(info.nr_idle_states + info.nr_cpu_speeds, 0);
	info.nr_formats = 2;
	rs_cpu_power_read(&power, folder, &info);
	ck_assert_uint_eq(info.nr_idle_states, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct rs_idle_state *of = &info.idle_states[i];

		ck_assert_uint_eq(of->cpu, states[i].cpu);
		ck_assert_uint_eq(of->state, states[i].state);
		ck_assert_uint_eq(of->exit_us, states[i].exit_us);
		ck_assert_uint_eq(of->residency_us, states[i].residency_us);
		ck_assert_str_eq(of->name, states[i].name);
	}
	ck_assert_uint_eq(info.nr_cpu_speeds, 1);
	ck_assert_uint_eq(info.cpu_speeds->cpu, 0);
	ck_assert_uint_eq(info.cpu_speeds->max_khz, 3400000);
	ck_assert_uint_eq(info.cpu_speeds->base_khz, 2200000);
	rs_cpu_power_done(&power);
	snprintf(commands, sizeof commands, "rm -r %s", folder);
	ck_assert_int_eq(system(commands), 0);
}
END_TEST

Suite *rs_suite_cpu_power(void);
Suite *rs_suite_cpu_power(void)
{
	Suite *s = suite_create("cpu-power");
	TCase *t = tcase_create("cpu-power");

	tcase_add_test(t, sysfs);
	suite_add_tcase(s, t);
	return s;
}
