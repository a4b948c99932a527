// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-cpus - who waits for a CPU, where cgroups divide it or processes come and go: traces of one second */
#include <check.h>
#include <stdio.h>

#include "ask.h"

#define FINDINGS ASK("tasks", .findings = true)

/* Of 980 ms that a would run it gets 2 * 80 = 160; a third of an equal share of two is 163, a quarter is 122. */
#define GETS_160(group_a, group_b, group_c) \
	"seed a/10 pid=10" group_a, "seed b/11 pid=11" group_b, "seed b/12 pid=12" group_c, "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", \
	"1000000 cpu0 sched_waking a/10 target=0 by b/11", "411000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", \
	"491000000 cpu0 sched_switch a/10 R -> b/12 next_prio=120", "901000000 cpu0 sched_switch b/12 R -> a/10 next_prio=120", \
	"981000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", "1000000001 cpu0 sched_switch b/11 R -> b/12 next_prio=120"

/* Two cgroups share a CPU as two processes do, whatever the number of processes in them; b is of one cgroup, of two, or of that of a. */
START_TEST(weights_of_groups)
{
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/b", " cgroup=/b")), ROWS("rule=cpu-weight victim=a culprit=b"));
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/a", " cgroup=/a")), ROWS("rule=cpu-saturated victim=a culprit=b"));
	check_rows(FINDINGS, LINES(GETS_160(" cgroup=/a", " cgroup=/b", " cgroup=/a")), ROWS("rule=cpu-saturated victim=a culprit=b"));
}
END_TEST

Suite *rs_suite_findings_cpus(void);
Suite *rs_suite_findings_cpus(void)
{
	Suite *s = suite_create("findings_cpus");
	TCase *t = tcase_create("findings_cpus");

	tcase_add_test(t, weights_of_groups);
	suite_add_tcase(s, t);
	return s;
}
