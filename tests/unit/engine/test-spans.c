// SPDX-License-Identifier: GPL-2.0-or-later
/* test-spans - what analyses lay on timelines */
#include <check.h>

#include "ask.h"

/* Each state, one after the other: run, blocked, delay, run, preempted, run, and what is open at the end. */
START_TEST(states)
{
	check_rows(ASK("tasks", .span = "state", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sys_enter t=10 nr=read",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1800 cpu1 sched_waking a/10 target=0 by b/11",
			 "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2300 cpu0 sched_switch a/10 R -> c/12",
			 "2700 cpu0 sched_switch c/12 S -> a/10",
			 "2900 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("tid=10 from=1000 to=1500 label=run open=0 syscall=-",
			"from=1500 to=1800 label='S (sleep)' syscall=read waker_tid=11",
			"from=1800 to=2000 label=delay",
			"from=2000 to=2300 label=run waker_tid=11",
			"from=2300 to=2700 label=preempted",
			"from=2700 to=2900 label=run open=1"));
}
END_TEST

/* What a gap overlaps has no name but "?". */
START_TEST(states_over_a_gap)
{
	check_rows(ASK("tasks", .span = "state", .comm_glob = "a"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1600 cpu1 sched_switch idle/0 R -> b/11",
			 "cpu1 lost 3",
			 "1700 cpu1 sched_switch b/11 S -> idle/0",
			 "1800 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("from=1000 to=1500 label=run", "from=1500 to=1800 label=?", "from=1800 to=2000 label=delay",
			"from=2000 to=2000 label=run open=1"));
}
END_TEST

/* Exec by a thread brings its slice to the leader, whose own last state ended later: still nothing overlaps. */
START_TEST(states_of_a_leader_after_exec)
{
	check_rows(ASK("tasks", .span = "state", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_switch idle/0 R -> a/11",
			 "1500 cpu0 sched_switch a/10 X -> idle/0",
			 "1600 cpu1 sched_process_exec /bin/b pid=10 old=11",
			 "1900 cpu1 sched_switch b/10 S -> idle/0"),
		   ROWS("tid=10 from=1000 to=1500 label=run", "tid=10 from=1500 to=1900 label=run"));
}
END_TEST

/* Who was on each CPU; of a tid that was used again, each under the name of its life. */
START_TEST(slices)
{
	check_rows(ASK("timehist", .span = "slice"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> b/11",
			 "1600 cpu1 sched_switch idle/0 R -> c/12",
			 "1700 cpu0 sched_switch b/11 D -> idle/0",
			 "2000 cpu1 sched_switch c/12 R -> idle/0",
			 "2100 cpu0 sched_switch idle/0 R -> c/12",
			 "2200 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("id=0 from=1000 to=1500 label=a/10 state=S", "id=0 from=1500 to=1700 label=b/11 state=D",
			"id=1 from=1600 to=2000 label=c/12 state=R", "id=0 from=2100 to=2200 label=c/12 open=1 state=-"));
}
END_TEST

START_TEST(calls)
{
	check_rows(ASK("syscalls", .span = "syscall"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read 3", "1300 cpu0 sys_exit t=10 nr=read ret=-4",
			 "1400 cpu0 sys_enter t=10 nr=write", "1500 cpu0 sys_enter t=11 nr=exit_group",
			 "1600 cpu0 sys_exit t=12 nr=read ret=0"),
		   ROWS("tid=10 from=1000 to=1300 label=read ret=-4 open=0", "tid=10 from=1400 to=1600 label=write ret=- open=1"));
}
END_TEST

START_TEST(requests)
{
	check_rows(ASK("iosnoop", .span = "request"),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 WS 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=10 8,0 WS 4096 sector=100 nr=8 comm=a",
			 "1500 cpu0 block_rq_complete t=0 8,0 WS sector=100 nr=8",
			 "1600 cpu0 block_rq_issue t=10 8,0 R 512 sector=200 nr=1 comm=a",
			 "1650 cpu0 block_rq_insert t=11 8,0 W 512 sector=300 nr=1 comm=b", /* waits in a queue */
			 "1700 cpu0 block_rq_insert t=11 8,0 W 512 sector=400 nr=1 comm=b",
			 "1800 cpu0 block_rq_issue t=77 8,0 W 512 sector=400 nr=1 comm=kworker",
			 "1900 cpu0 block_rq_complete t=0 8,0 R sector=999 nr=8"),
		   ROWS("id=8388608 tid=10 from=1100 to=1500 label='WS 4096' queue_ns=100 sector=100 open=0",
			"id=8388608 tid=10 from=1600 to=1900 label='R 512' queue_ns=- open=1",
			"id=8388608 tid=11 from=1800 to=1900 label='W 512' queue_ns=100 open=1"));
}
END_TEST

/* Its completion may be among what was lost: it is not said to be in flight. What is issued later is. */
START_TEST(requests_over_a_gap)
{
	check_rows(ASK("iosnoop", .span = "request"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 512 sector=100 nr=1 comm=a",
			 "1100 cpu0 sched_switch a/10 R -> b/11",
			 "cpu0 lost 5",
			 "2000 cpu0 sched_switch b/11 R -> a/10",
			 "2100 cpu0 block_rq_issue t=10 8,0 R 512 sector=200 nr=1 comm=a",
			 "2500 cpu0 sched_switch a/10 R -> b/11"),
		   ROWS("tid=10 from=2100 to=2500 label='R 512' open=1"));
}
END_TEST

/* Issued by a worker for who asked. What is larger than any request, of a type that no kernel has, by a tid that none has. */
START_TEST(owners_of_requests)
{
	check_rows(ASK("iosnoop", .span = "request"),
		   LINES("1000 cpu0 block_io_start t=10 8,0 WS 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=77 8,0 WS 4096 sector=100 nr=8 comm=kworker",
			 "1200 cpu0 block_rq_complete t=0 8,0 WS sector=100 nr=8",
			 "2000 cpu0 block_rq_issue t=0 8,0 RA 512 sector=100 nr=1 comm=swapper",
			 "2100 cpu0 block_rq_complete t=0 8,0 RA sector=100 nr=1",
			 "3000 cpu0 block_rq_issue t=4194303 8,0 DSEMX 4294966784 sector=100 nr=8388607 comm=b",
			 "3100 cpu0 block_rq_complete t=0 8,0 DSEMX sector=100 nr=8388607",
			 "4000 cpu0 block_rq_issue t=4194304 8,0 qN 36 sector=100 nr=1 comm=c",
			 "4100 cpu0 block_rq_complete t=0 8,0 qN sector=100 nr=1"),
		   ROWS("tid=10 from=1100 to=1200 label='WS 4096'", "tid=- from=2000 label='RA 512'",
			"tid=4194303 from=3000 label='DSEM 4294966784'", "tid=- from=4000 label='?N 36'"));
}
END_TEST

Suite *rs_suite_spans(void)
{
	Suite *s = suite_create("spans");
	TCase *t = tcase_create("spans");

	tcase_add_test(t, states);
	tcase_add_test(t, states_over_a_gap);
	tcase_add_test(t, states_of_a_leader_after_exec);
	tcase_add_test(t, slices);
	tcase_add_test(t, calls);
	tcase_add_test(t, requests);
	tcase_add_test(t, requests_over_a_gap);
	tcase_add_test(t, owners_of_requests);
	suite_add_tcase(s, t);
	return s;
}
