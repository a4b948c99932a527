// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroups - what control groups counted, and what is unknown of it */
#include <check.h>

#include "ask.h"

#define SECOND "seed a/10 pid=10 cgroup=/a", "0 cpu0 sched_switch idle/0 R -> a/10", "1000000000 cpu0 sched_switch a/10 S -> idle/0"

/* Of one second: a tenth, a quarter and nothing of it is pressure. Most CPU time comes first; what a group does not count is null, not 0. */
START_TEST(growth_and_pressure)
{
	check_rows(ASK("cgroups"),
		   LINES("counts /b usage=5000000", "counts /a usage=300000000 periods=10 throttled=4 throttled_ns=70000000 cpu=100000000 memory=0 io=250000000 weight=50 quota_ns=20000000 period_ns=100000000 memory_max=67108864", SECOND),
		   ROWS("cgroup=/a cpu_ns=300000000 periods=10 throttled=4 throttled_ns=70000000 cpu_pressure=10000 io_pressure=25000 memory_pressure=0 weight=50 quota_ns=20000000 period_ns=100000000 memory_max=67108864 memory_high=-",
			"cgroup=/b cpu_ns=5000000 periods=- throttled=- throttled_ns=- cpu_pressure=- io_pressure=- memory_pressure=- weight=- quota_ns=- period_ns=- memory_max=- memory_high=-"));
}
END_TEST

/* The growth of the whole recording is not that of its last half; what did not grow did not grow there. */
START_TEST(a_part_of_a_recording)
{
	check_rows(ASK("cgroups", .from_ns = 500000000), LINES("counts /a usage=300000000 throttled=0 weight=50", SECOND),
		   ROWS("cgroup=/a cpu_ns=- throttled=0 weight=50"));
}
END_TEST

Suite *rs_suite_cgroups(void)
{
	Suite *s = suite_create("cgroups");
	TCase *t = tcase_create("cgroups");

	tcase_add_test(t, growth_and_pressure);
	tcase_add_test(t, a_part_of_a_recording);
	suite_add_tcase(s, t);
	return s;
}
