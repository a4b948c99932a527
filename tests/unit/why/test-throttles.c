// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-throttles - which part of a wait for a CPU was a quota's, told by what the tasks of the group ran
 *
 * The quota of /a is 20 ms of each 100 ms, and its timer expires at 1005 ms, 1105 ms ...
 */
#include <check.h>

#include "ask.h"

#define QUESTION ASK("antagonists", .by = "tid,part,culprit", .pid = 10)
#define QUOTA "counts /a usage=1 quota_ns=20000000 period_ns=100000000", \
	      "seed a/10 pid=10 cgroup=/a", "seed c/12 pid=12 cgroup=/a/x", "seed b/11 pid=11 cgroup=/b"
#define MS "000000 "

/*
 * b would always run. a uses the quota up at 1025, waits behind b for 4 ms before it has at 1129, has used half of it by 1215, and
 * again all at 1325: it is throttled for 80, 76 and 80 ms, and waits for b for 4 and 90 ms.
 */
#define BUSY \
	"1004" MS "cpu0 sched_switch idle/0 R -> b/11", "1005" MS "cpu0 sched_switch b/11 R -> a/10", \
	"1025" MS "cpu0 sched_switch a/10 R -> b/11", "1105" MS "cpu0 sched_switch b/11 R -> a/10", \
	"1117" MS "cpu0 sched_switch a/10 R -> b/11", "1121" MS "cpu0 sched_switch b/11 R -> a/10", \
	"1129" MS "cpu0 sched_switch a/10 R -> b/11", "1205" MS "cpu0 sched_switch b/11 R -> a/10", \
	"1215" MS "cpu0 sched_switch a/10 R -> b/11", "1305" MS "cpu0 sched_switch b/11 R -> a/10", \
	"1325" MS "cpu0 sched_switch a/10 R -> b/11", "1405" MS "cpu0 sched_switch b/11 R -> a/10"

START_TEST(beside_others)
{
	check_rows(QUESTION, LINES(QUOTA, BUSY),
		   ROWS("tid=10 part=throttled culprit=itself count=3 total_ns=236000000 max_ns=80000000",
			"tid=10 part='run queue' culprit=b count=2 total_ns=94000000 max_ns=90000000"));
}
END_TEST

/* Of no quota nothing is known: whoever runs meanwhile takes the CPU. */
START_TEST(without_a_quota)
{
	check_rows(QUESTION, LINES("counts /a usage=1", "seed a/10 pid=10 cgroup=/a", "seed b/11 pid=11 cgroup=/b", BUSY),
		   ROWS("tid=10 part='run queue' culprit=b total_ns=330000000"));
}
END_TEST

/* Its CPU has nothing else to run. The timer wakes it up 30 us later the first time: the second tells when it expired. */
START_TEST(beside_an_idle_cpu)
{
	check_rows(QUESTION,
		   LINES(QUOTA, "1005000000 cpu0 sched_switch idle/0 R -> a/10", "1025" MS "cpu0 sched_switch a/10 R -> idle/0",
			 "1105030000 cpu0 sched_switch idle/0 R -> a/10", "1125" MS "cpu0 sched_switch a/10 R -> idle/0",
			 "1205" MS "cpu0 sched_switch idle/0 R -> a/10", "1206" MS "cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 part=throttled culprit=itself total_ns=160030000"));
}
END_TEST

/* What it ran before is not seen: but nothing else keeps it from an idle CPU for more than 10 ms. */
START_TEST(beside_an_idle_cpu_alone)
{
	check_rows(QUESTION,
		   LINES(QUOTA, "1020" MS "cpu0 sched_switch idle/0 R -> a/10", "1025" MS "cpu0 sched_switch a/10 R -> idle/0",
			 "1105" MS "cpu0 sched_switch idle/0 R -> a/10", "1106" MS "cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 part=throttled culprit=itself total_ns=80000000"));
}
END_TEST

/* Half of it is used by c, of a group below, on another CPU. */
START_TEST(on_two_cpus)
{
	check_rows(QUESTION,
		   LINES(QUOTA, "1005" MS "cpu0 sched_switch idle/0 R -> a/10", "1005" MS "cpu1 sched_switch idle/0 R -> c/12",
			 "1015" MS "cpu1 sched_switch c/12 R -> idle/0", "1015" MS "cpu0 sched_switch a/10 R -> b/11",
			 "1105" MS "cpu0 sched_switch b/11 R -> a/10", "1105" MS "cpu1 sched_switch idle/0 R -> c/12"),
		   ROWS("tid=10 part=throttled culprit=itself total_ns=90000000"));
}
END_TEST

/* A task of another group waits for who runs, whatever that one's quota is. */
START_TEST(of_others)
{
	check_rows(ASK("antagonists", .by = "tid,part,culprit", .pid = 11), LINES(QUOTA, BUSY),
		   ROWS("tid=11 part='run queue' culprit=a total_ns=70000000"));
}
END_TEST

Suite *rs_suite_throttles(void);
Suite *rs_suite_throttles(void)
{
	Suite *s = suite_create("throttles");
	TCase *t = tcase_create("throttles");

	tcase_add_test(t, beside_others);
	tcase_add_test(t, without_a_quota);
	tcase_add_test(t, beside_an_idle_cpu);
	tcase_add_test(t, beside_an_idle_cpu_alone);
	tcase_add_test(t, on_two_cpus);
	tcase_add_test(t, of_others);
	suite_add_tcase(s, t);
	return s;
}
