// SPDX-License-Identifier: GPL-2.0-or-later
/* test-select - whose work is shown: a command's, or a named task's, with what it forks */
#include <check.h>

#include "ask.h"

/* Process 10 forks 20, which forks 30; 10 has the thread 11; 7 is somebody else. Each runs for 100 ns on CPU 0. */
static const char *const lines[] = {
	"seed job/10 pid=10",
	"seed other/7 pid=7",
	"1000 cpu0 sched_switch idle/0 R -> job/10",
	"1010 cpu0 task_newtask job/11 flags=10f00 by job/10",
	"1020 cpu0 task_newtask job/20 flags=1200000 by job/10",
	"1100 cpu0 sched_switch job/10 S -> job/11",
	"1200 cpu0 sched_switch job/11 S -> job/20",
	"1210 cpu0 task_newtask job/30 flags=1200000 by job/20",
	"1300 cpu0 sched_switch job/20 S -> job/30",
	"1400 cpu0 sched_switch job/30 S -> other/7",
	"1500 cpu0 sched_switch other/7 S -> idle/0",
	NULL,
};

START_TEST(the_command_and_its_children)
{
	check_rows(ASK("sched", .command = 10), lines,
		   ROWS("tid=10 run_ns=100", "tid=11 run_ns=100", "tid=20 run_ns=100", "tid=30 run_ns=100"));
	check_rows(ASK("sched", .command = 20), lines, ROWS("tid=20 run_ns=100", "tid=30 run_ns=100"));
	check_rows(ASK("sched", .command = 99), lines, NO_ROWS);
}
END_TEST

START_TEST(a_process_and_its_children)
{
	check_rows(ASK("sched", .pid = 10), lines,
		   ROWS("tid=10 run_ns=100", "tid=11 run_ns=100", "tid=20 run_ns=100", "tid=30 run_ns=100"));
}
END_TEST

/* The counts of the quality line are those of all tasks: it says so where the rows are of some alone. */
START_TEST(the_counts_are_of_all_tasks)
{
	check_rows(ASK("sched", .some = true), lines, ROWS("_quality events=9 all_tasks=0"));
	check_rows(ASK("sched", .command = 20), lines, ROWS("tid=20", "tid=30", "_quality events=9 all_tasks=1"));
	check_rows(ASK("sched", .pid = 7, .by_kernel = true), lines, ROWS("tid=7", "_quality all_tasks=0"));
	check_rows(ASK("sched", .pid = 7), lines, ROWS("tid=7", "_quality events=9 all_tasks=1"));
	check_rows(ASK("sched", .comm_glob = "oth*"), lines, ROWS("tid=7", "_quality events=9 all_tasks=1"));
	check_rows(ASK("sched", .cpus = "0", .some = true), lines, ROWS("_quality events=9 all_tasks=0"));
}
END_TEST

/* A thread is no child. */
START_TEST(without_children)
{
	check_rows(ASK("sched", .command = 10, .no_children = true), lines, ROWS("tid=10 run_ns=100", "tid=11 run_ns=100"));
	check_rows(ASK("sched", .pid = 20, .no_children = true), lines, ROWS("tid=20 run_ns=100"));
}
END_TEST

Suite *rs_suite_select(void);
Suite *rs_suite_select(void)
{
	Suite *s = suite_create("select");
	TCase *t = tcase_create("select");

	tcase_add_test(t, the_command_and_its_children);
	tcase_add_test(t, a_process_and_its_children);
	tcase_add_test(t, without_children);
	tcase_add_test(t, the_counts_are_of_all_tasks);
	suite_add_tcase(s, t);
	return s;
}
