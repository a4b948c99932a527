// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-unrecorded - what was not recorded is null, and costs no more than it must
 *
 * The formats of all events are in these recordings, as trace-cmd puts them there: which were turned on no file says.
 */
#include <check.h>

#include "ask.h"

/* sched_switch alone. a: 500 of run, 700 off its CPU, 300 of run; b: 500-1200 before and after, and preempted for 300. */
#define SWITCHES \
	"1000 cpu0 sched_switch idle/0 R -> a/10", \
	"1500 cpu0 sched_switch a/10 S -> b/11", \
	"2200 cpu0 sched_switch b/11 R -> a/10", \
	"2500 cpu0 sched_switch a/10 D -> b/11", \
	"2600 cpu0 sched_switch b/11 S -> idle/0"

/* How long a slept, and how long it waited for the CPU then, nobody knows; both together are known. */
START_TEST(no_wakings)
{
	check_rows(ASK("sched"), LINES(SWITCHES),
		   ROWS("tid=10 run_ns=800 switches=2 migrations=- delay_count=- delay_total_ns=- delay_max_ns=- sleep_ns=- "
			"blocked_ns=- preempt_count=0",
			"tid=11 run_ns=800 preempt_count=1 preempt_total_ns=300 delay_count=-", "_quality no_wakings=1"));
	check_rows(ASK("tasks", .by = "tid"), LINES(SWITCHES),
		   ROWS("tid=10 run_ns=800 delay_ns=- disk_ns=- lock_ns=- futex_ns=- other_d_ns=- idle_ns=- sleep_ns=- "
			"off_cpu_ns=700 unknown_ns=0 open_state=blocked open_ns=100 life_ns=1600",
			"tid=11 run_ns=800 preempted_ns=300 off_cpu_ns=0 unknown_ns=500 life_ns=1600"));
	check_rows(ASK("offcpu"), LINES(SWITCHES),
		   ROWS("tid=10 state=S kind=- cause='off-CPU (sleep + delay)' count=1 total_ns=700 top_waker=- "
			"label='off-CPU (sleep + delay)'"));
	check_rows(ASK("runqlat"), LINES(SWITCHES), ROWS("from_ns=256 to_ns=512 count=1", "_quality no_wakings=1"));
}
END_TEST

/* Of a part of a recording nobody can tell, unless who has read all of it says so. */
START_TEST(no_wakings_in_a_part)
{
	check_rows(ASK("tasks", .by = "tid", .to_ns = 2550, .is_part = true), LINES(SWITCHES),
		   ROWS("tid=10 off_cpu_ns=- unknown_ns=700", "tid=11"));
	check_rows(ASK("tasks", .by = "tid", .to_ns = 2550, .is_part = true, .unrecorded = true), LINES(SWITCHES),
		   ROWS("tid=10 off_cpu_ns=750 sleep_ns=- delay_ns=- unknown_ns=0", "tid=11"));
}
END_TEST

/*
 * A time range of a file: what comes behind it is looked at, as far as it takes to know. Up to 2550 there is no waking in
 * either; the second has one later, so a's sleep ended by one that is missing.
 */
START_TEST(a_range_knows_the_rest_of_the_file)
{
	check_rows(ASK("tasks", .by = "tid", .to_ns = 2550), LINES(SWITCHES),
		   ROWS("tid=10 off_cpu_ns=750 sleep_ns=- delay_ns=- unknown_ns=0", "tid=11"));
	check_rows(ASK("sched", .to_ns = 2550), LINES(SWITCHES), ROWS("tid=10 migrations=- delay_count=-", "tid=11 migrations=-"));
	check_rows(ASK("tasks", .by = "tid", .to_ns = 2550), LINES(SWITCHES, "9000 cpu1 sched_waking c/12 target=1 by idle/0"),
		   ROWS("tid=10 off_cpu_ns=- other_d_ns=50 delay_ns=0 unknown_ns=700", "tid=11"));
	check_rows(ASK("sched", .to_ns = 2550), LINES(SWITCHES, "9000 cpu0 sched_migrate_task a/10 0 -> 1 by idle/0"),
		   ROWS("tid=10 migrations=0", "tid=11 migrations=0"));
	check_rows(ASK("cpus", .to_ns = 2550), LINES(SWITCHES), ROWS("irq_ns=-"));
}
END_TEST

/* The file declares sched_waking, and has sched_wakeup alone: it is what wakes. Where both are there, it counts for nothing. */
START_TEST(wakeups_alone)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu0 sched_wakeup a/10 target=0 by idle/0", "2000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 sleep_ns=400 delay_count=1 delay_total_ns=100", "_quality no_wakings=0"));
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1900 cpu0 sched_wakeup a/10 target=0 by idle/0", "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2100 cpu0 sched_switch a/10 S -> idle/0", "2200 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2250 cpu0 sched_wakeup a/10 target=0 by idle/0", "2300 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 sleep_ns=100 delay_count=1 delay_total_ns=100"));
}
END_TEST

/* The state track has it too, from the switch-out to the switch-in. */
START_TEST(no_wakings_on_the_timeline)
{
	check_rows(ASK("tasks", .span = "state"), LINES(SWITCHES),
		   ROWS("tid=10 from=1000 to=1500 label=run", "tid=11 from=1500 to=2200 label=run",
			"tid=10 from=1500 to=2200 label='off-CPU (sleep + delay)'", "tid=10 from=2200 to=2500 label=run",
			"tid=11 from=2200 to=2500 label=preempted", "tid=11 from=2500 to=2600 label=run",
			"tid=10 from=2500 to=2600 label=D open=1", "tid=11 from=2600 to=2600 label='sleep (cause not recorded)' open=1"));
}
END_TEST

/* A waking on another CPU that -C hides is no sign that none was recorded: then the sleep's end is unknown, as ever. */
START_TEST(wakings_on_a_hidden_cpu)
{
	check_rows(ASK("tasks", .by = "tid", .cpus = "0"), LINES(SWITCHES, "2700 cpu1 sched_waking c/12 target=1 by idle/0"),
		   ROWS("tid=10 run_ns=800 off_cpu_ns=- sleep_ns=- delay_ns=- unknown_ns=700", "tid=11 run_ns=800"));
}
END_TEST

/* sched events, and no system calls: it slept, from the switch-out to the waking; for what was not recorded. */
#define A_SLEEP \
	"1000 cpu0 sched_switch idle/0 R -> a/10", \
	"1500 cpu0 sched_switch a/10 S -> idle/0", \
	"1900 cpu0 sched_waking a/10 target=0 by idle/0", \
	"2000 cpu0 sched_switch idle/0 R -> a/10"

START_TEST(no_calls)
{
	check_rows(ASK("tasks", .by = "tid"), LINES(A_SLEEP),
		   ROWS("tid=10 run_ns=500 sleep_ns=400 delay_ns=100 unknown_ns=0 off_cpu_ns=- life_ns=1000", "_quality no_wakings=0"));
	check_rows(ASK("offcpu"), LINES(A_SLEEP),
		   ROWS("tid=10 state=S kind=- cause='sleep (cause not recorded)' total_ns=400 label='sleep (cause not recorded)'"));
}
END_TEST

/* Calls were recorded, of others so far: what a sleeps for is unknown, and no more can be said. */
START_TEST(calls_of_others)
{
	check_rows(ASK("tasks", .by = "tid", .some = true), LINES("900 cpu1 sys_exit t=12 nr=read ret=0", A_SLEEP),
		   ROWS("tid=10 run_ns=500 sleep_ns=0 unknown_ns=500"));
}
END_TEST

/* Born with no fork recorded: it did not live before. */
START_TEST(begins_with_its_first_wakeup)
{
	check_rows(ASK("tasks", .by = "tid"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1400 cpu0 sched_wakeup_new n/20 target=1 by a/10",
			 "1500 cpu1 sched_switch idle/0 R -> n/20", "2000 cpu0 sched_switch a/10 R -> a/10"),
		   ROWS("tid=10 life_ns=1000", "tid=20 delay_ns=100 unknown_ns=0 life_ns=600"));
}
END_TEST

/* 300 ns of 1600 are known: no share can be told. From 1000 to 1300 busy, then nothing but loss. */
START_TEST(util_of_less_than_half)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1300 cpu0 sched_switch a/10 S -> idle/0", "cpu0 lost 3",
			 "2600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("busy_ns=300 idle_ns=0 unknown_ns=1300 util_pct=- irq_ns=-"));
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1800 cpu0 sched_switch a/10 S -> idle/0", "cpu0 lost 3",
			 "2600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("busy_ns=800 idle_ns=0 unknown_ns=800 util_pct=100000"));
}
END_TEST

Suite *rs_suite_semantics_unrecorded(void)
{
	Suite *s = suite_create("semantics-unrecorded");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, no_wakings);
	tcase_add_test(t, no_wakings_in_a_part);
	tcase_add_test(t, a_range_knows_the_rest_of_the_file);
	tcase_add_test(t, wakeups_alone);
	tcase_add_test(t, no_wakings_on_the_timeline);
	tcase_add_test(t, wakings_on_a_hidden_cpu);
	tcase_add_test(t, no_calls);
	tcase_add_test(t, calls_of_others);
	tcase_add_test(t, begins_with_its_first_wakeup);
	tcase_add_test(t, util_of_less_than_half);
	suite_add_tcase(s, t);
	return s;
}
