// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroups - what control groups counted, and what is unknown of it */
#include <check.h>

#include "ask.h"
#include "made-lines.h"

#define SECOND "seed a/10 pid=10 cgroup=/a", "0 cpu0 sched_switch idle/0 R -> a/10", "1000000000 cpu0 sched_switch a/10 S -> idle/0"

/* Of one second: a tenth, a quarter and nothing of it is pressure. Most CPU time comes first; what a group does not count is null, not 0. */
START_TEST(growth_and_pressure)
{
	check_rows(ASK("cgroups"),
		   LINES("counts /b usage=5000000", "counts /a usage=300000000 periods=10 throttled=4 throttled_ns=70000000 cpu=100000000 memory=0 io=250000000 weight=50 quota_ns=20000000 period_ns=100000000 memory_max=67108864", SECOND),
		   ROWS("cgroup=/a cpu_ns=300000000 periods=10 throttled=4 throttled_pct=40000 throttled_ns=70000000 cpu_pressure=10000 io_pressure=25000 memory_pressure=0 weight=50 quota_ns=20000000 period_ns=100000000 memory_max=67108864 memory_high=-",
			"cgroup=/b cpu_ns=5000000 periods=- throttled=- throttled_pct=- throttled_ns=- cpu_pressure=- io_pressure=- memory_pressure=- weight=- quota_ns=- period_ns=- memory_max=- memory_high=-"));
}
END_TEST

/* The growth of the whole recording is not that of its last half; what did not grow did not grow there. */
START_TEST(a_part_of_a_recording)
{
	check_rows(ASK("cgroups", .from_ns = 500000000), LINES("counts /a usage=300000000 periods=0 throttled=0 weight=50", SECOND),
		   ROWS("cgroup=/a cpu_ns=- throttled=0 throttled_pct=- weight=50"));
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

/* What it uses beside what it may use, and hits of the one limit are not those of the other. */
START_TEST(limits_and_use)
{
	check_rows(ASK("cgroups"),
		   LINES("counts /kubepods/pod1f6c2d1e9c1a usage=5 cpu_full=500000000", "counts /a usage=4 memory=100 memory_full=250000000 io_full=0 high_events=7 read_bytes=4096 written_bytes=0 memory_high=67108864 memory_now=67108000 io_max_read=1048576", SECOND),
		   ROWS("cgroup=/kubepods/pod1f6c2d1e9c1a unit=pod1f6c2d1e9c1a pod=- cpu_full=50000 memory=- io_max_read=-",
			"cgroup=/a unit=a memory_full=25000 io_full=0 cpu_full=- high_events=7 max_events=- read_bytes=4096 written_bytes=0 memory=67108000 memory_high=67108864 io_max_read=1048576 io_max_write=- cpu_line=-"));
}
END_TEST

#define NO_PRESSURE(ns) "pressure " #ns " / cpu=0"

/* A reading a second: what has no row did not change, and the group was there from the second reading on. Of a part of the time its own. */
#define PRESSURE_OF_A \
	"counts / usage=1", "counts /a usage=2", NO_PRESSURE(1000000000), NO_PRESSURE(2000000000), "pressure 2000000000 /a cpu=100 cpu_full=7 io=0", \
	NO_PRESSURE(3000000000), NO_PRESSURE(4000000000), "pressure 4000000000 /a cpu=510000100 cpu_full=10000007 io=0", \
	NO_PRESSURE(5000000000), "pressure 5000000000 /a cpu=1510000100 cpu_full=19000007 io=950000000", \
	"1000000000 cpu0 sched_switch idle/0 R -> a/10", "5000000000 cpu0 sched_switch a/10 S -> idle/0"

START_TEST(pressure_over_time)
{
	check_rows(ASK("cgroups"), LINES(PRESSURE_OF_A),
		   ROWS("cgroup=/a cpu_line=.59 cpu_full_line=.0. io_line=..9 io_full_line=- memory_line=-", "cgroup=/ cpu_line=.... io_line=-"));
	check_rows(ASK("cgroups", .from_ns = 3500000000, .to_ns = 3600000000), LINES(PRESSURE_OF_A), ROWS("cgroup=/a cpu_line=5", "cgroup=/ cpu_line=."));
	check_rows(ASK("cgroups"), LINES("counts /a usage=2", SECOND), ROWS("cgroup=/a cpu_line=-"));
}
END_TEST

/* More than there is room for: 4 seconds are a digit then, of which one in each had pressure. */
START_TEST(pressure_over_a_long_time)
{
	unsigned int ms = 0;

	made_lines_begin();
	made_line("counts / usage=1");
	for (unsigned int second = 1; second <= 125; second++) {
		made_line("pressure %u000000000 / cpu=%u000000", second, ms);
		ms += second % 4 ? 0 : 900;
	}
	made_line("1000000000 cpu0 sched_switch idle/0 R -> a/10");
	made_line("125000000000 cpu0 sched_switch a/10 S -> idle/0");
	check_rows(ASK("cgroups"), made_lines, ROWS("cgroup=/ cpu_line=2222222222222222222222222222222"));
}
END_TEST

#define FIGHT \
	"counts /x usage=3", "counts /x/a usage=1", "counts /b usage=2", \
	"seed a/10 pid=10 cgroup=/x/a", "seed c/12 pid=12 cgroup=/x/c", "seed b/20 pid=20 cgroup=/b", \
	"0 cpu0 sched_switch idle/0 R -> b/20", "1000000 cpu0 sched_waking a/10 target=0 by b/20", \
	"3000000 cpu0 sched_switch b/20 R -> c/12", "4000000 cpu0 sched_switch c/12 S -> a/10", \
	"9000000 cpu0 sched_switch a/10 S -> b/20", "10000000 cpu0 sched_switch b/20 S -> idle/0"

/*
 * a waits 2 ms for b of another group, and 1 ms for c of a group beside its own, which is no other one for the group above both; b waits
 * 1 ms for c and 5 for a.
 */
START_TEST(groups_that_disturb)
{
	check_rows(ASK("cgroups"), LINES(FIGHT),
		   ROWS("cgroup=/x disturbed_ns=2000000 disturbed_by=/b disturbs_ns=6000000 disturbs=/b",
			"cgroup=/x/a disturbed_ns=3000000 disturbed_by=/b disturbs_ns=5000000 disturbs=/b",
			"cgroup=/b disturbed_ns=6000000 disturbed_by=/x/a disturbs_ns=2000000 disturbs=/x/a"));
}
END_TEST

/* One that never gets a CPU has no wait that ended. */
START_TEST(group_that_starves)
{
	check_rows(ASK("cgroups"),
		   LINES("counts /a usage=1", "counts /b usage=2", "seed a/10 pid=10 cgroup=/a", "seed b/20 pid=20 cgroup=/b",
			 "0 cpu0 sched_switch idle/0 R -> b/20", "1000000 cpu0 sched_waking a/10 target=0 by b/20",
			 "5000000 cpu0 sched_waking x/98 target=1 by b/20"),
		   ROWS("cgroup=/a disturbed_ns=4000000 disturbed_by=/b disturbs_ns=0 disturbs=-",
			"cgroup=/b disturbed_ns=0 disturbed_by=- disturbs_ns=4000000 disturbs=/a"));
}
END_TEST

/* --cgroup: rows of the groups that match, and of those below them. */
START_TEST(some_groups)
{
	check_rows(ASK("cgroups", .cgroup_glob = "x"), LINES(FIGHT), ROWS("cgroup=/x", "cgroup=/x/a"));
}
END_TEST

Suite *rs_suite_cgroups(void)
{
	Suite *s = suite_create("cgroups");
	TCase *t = tcase_create("cgroups");

	tcase_add_test(t, growth_and_pressure);
	tcase_add_test(t, a_part_of_a_recording);
	tcase_add_test(t, limits_and_use);
	tcase_add_test(t, pressure_over_time);
	tcase_add_test(t, pressure_over_a_long_time);
	tcase_add_test(t, groups_that_disturb);
	tcase_add_test(t, group_that_starves);
	tcase_add_test(t, some_groups);
	tcase_add_test(t, rows_by_cgroup);
	tcase_add_test(t, cgroup_of_rows);
	tcase_add_test(t, cgroup_of_a_stream);
	suite_add_tcase(s, t);
	return s;
}
