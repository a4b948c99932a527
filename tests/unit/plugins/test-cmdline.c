// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-cmdline - command lines and start times of processes in tables
 */
#include <check.h>

#include "ask.h"
#include "engine/session.h"

/* A process of two threads, its child before and after an exec, and one that is not known. */
START_TEST(each_process_has_its_own)
{
	check_rows(ASK("tasks"),
		   LINES("args 20 python3 server.py", "args 30 sleep 5",
			 "seed python3/20 pid=20", "seed worker/21 pid=20",
			 "1000 cpu0 sched_switch idle/0 R -> python3/20",
			 "2000 cpu0 task_newtask python3/30 flags=1200000 by python3/20",
			 "2010 cpu0 sched_process_fork python3/20 -> python3/30",
			 "2020 cpu0 task_newtask python3/40 flags=1200000 by python3/20",
			 "2030 cpu0 sched_process_fork python3/20 -> python3/40",
			 "3000 cpu0 sched_switch python3/20 S -> python3/30",
			 "3500 cpu0 sched_process_exec /bin/sleep t=30 pid=30 old=30",
			 "4000 cpu0 sched_switch sleep/30 S -> worker/21",
			 "5000 cpu0 sched_switch worker/21 S -> python3/40",
			 "5100 cpu0 sched_switch python3/40 S -> other/60",
			 "5200 cpu0 sched_switch other/60 S -> idle/0"),
		   ROWS("comm=python3 pid=20 cmdline='python3 server.py' start_ns=-",
			"comm=sleep pid=30 cmdline='sleep 5' start_ns=2000",
			"comm=python3 pid=40 cmdline='python3 server.py' start_ns=2020",
			"comm=other cmdline=-"));
}
END_TEST

/* Rows of several processes have none. */
START_TEST(no_row_of_several)
{
	check_rows(ASK("tasks", .by = "comm"),
		   LINES("args 20 python3 server.py", "seed python3/20 pid=20",
			 "1000 cpu0 sched_switch idle/0 R -> python3/20",
			 "2000 cpu0 sched_switch python3/20 S -> idle/0"),
		   ROWS("comm=python3 cmdline=- start_ns=-"));
}
END_TEST

Suite *rs_suite_cmdline(void);
Suite *rs_suite_cmdline(void)
{
	Suite *s = suite_create("cmdline");
	TCase *t = tcase_create("cmdline");

	tcase_add_test(t, each_process_has_its_own);
	tcase_add_test(t, no_row_of_several);
	suite_add_tcase(s, t);
	return s;
}
