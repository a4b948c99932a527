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

#define GROUPS_OF_THREE \
	"seed web/10 pid=10 cgroup=/system.slice/web.service/a", "seed web/11 pid=10 cgroup=/system.slice/web.service/b", \
	"seed cron/20 pid=20 cgroup=/system.slice/cron.service", \
	"0 cpu0 sched_switch idle/0 R -> web/10", "1000000 cpu0 sched_switch web/10 R -> web/11", \
	"3000000 cpu0 sched_switch web/11 R -> cron/20", "7000000 cpu0 sched_switch cron/20 S -> idle/0"

/* Rows merge by the path, or by what people call it. */
START_TEST(rows_by_cgroup)
{
	check_rows(ASK("sched", .by = "cgroup"), LINES(GROUPS_OF_THREE),
		   ROWS("cgroup=/system.slice/web.service/a unit=web.service run_ns=1000000",
			"cgroup=/system.slice/web.service/b unit=web.service run_ns=2000000",
			"cgroup=/system.slice/cron.service unit=cron.service run_ns=4000000"));
	check_rows(ASK("sched", .by = "unit"), LINES(GROUPS_OF_THREE),
		   ROWS("cgroup=- unit=web.service comm=- run_ns=3000000", "cgroup=/system.slice/cron.service unit=cron.service run_ns=4000000"));
}
END_TEST

/* Without --by it is that of all of the row's tasks, or null where they differ. */
START_TEST(cgroup_of_rows)
{
	check_rows(ASK("tasks"), LINES(GROUPS_OF_THREE),
		   ROWS("pid=10 cgroup=- unit=-", "pid=20 cgroup=/system.slice/cron.service unit=cron.service"));
}
END_TEST

/* The engine adds it to the rows of a stream. */
START_TEST(cgroup_of_a_stream)
{
	check_rows(ASK("runqslower"),
		   LINES("seed a/10 pid=10 cgroup=/user.slice/app.slice/a.service/b",
			 "0 cpu0 sched_switch a/10 R -> idle/0", "20000000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 cgroup=/user.slice/app.slice/a.service/b unit=a.service"));
}
END_TEST

Suite *rs_suite_cgroups(void)
{
	Suite *s = suite_create("cgroups");
	TCase *t = tcase_create("cgroups");

	tcase_add_test(t, growth_and_pressure);
	tcase_add_test(t, a_part_of_a_recording);
	tcase_add_test(t, rows_by_cgroup);
	tcase_add_test(t, cgroup_of_rows);
	tcase_add_test(t, cgroup_of_a_stream);
	suite_add_tcase(s, t);
	return s;
}
