// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-why - whose time is divided, and what parts are told by: cgroups, shares, types of requests and files
 */
#include <check.h>

#include "ask.h"

/* a (/a) runs 1000..2000, b (/b) 2000..3000 while a waits, then both sleep. a's thread a2 runs on cpu1 1000..4000. */
#define TWO_GROUPS "seed a/10 pid=10 cgroup=/a", "seed a2/12 pid=10 cgroup=/a", "seed b/11 pid=11 cgroup=/b", \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu1 sched_switch idle/0 R -> a2/12", \
	"2000 cpu0 sched_switch a/10 R -> b/11", "3000 cpu0 sched_switch b/11 S -> a/10", "4000 cpu1 sched_switch a2/12 S -> idle/0", \
	"4000 cpu0 sched_switch a/10 S -> idle/0"

START_TEST(tasks_of_a_cgroup)
{
	static const char *const globs[] = { "/a", "a", "/?", "[!b]" };

	for (size_t i = 0; i < sizeof globs / sizeof *globs - 2; i++)
		check_rows(ASK("antagonists", .cgroup_glob = globs[i], .by = "pid,part,culprit,culprit_cgroup"), LINES(TWO_GROUPS),
			   ROWS("pid=10 part='run queue' culprit=b culprit_cgroup=/b total_ns=1000 share=100000"));
	check_rows(ASK("why", .cgroup_glob = "/b", .by = "cgroup,part"), LINES(TWO_GROUPS),
		   ROWS("cgroup=/b part=run total_ns=1000 share=33333", "cgroup=/b part=sleep total_ns=1000", "cgroup=/b part=unknown total_ns=1000"));
	check_rows(ASK("why", .cgroup_glob = "/c"), LINES(TWO_GROUPS), NO_ROWS);
}
END_TEST

/*
 * A process that is moved takes its threads along: from then on they are in /c/d, which is below /c, and what ends is shown. Only
 * root 0 is version 2's.
 */
START_TEST(cgroup_after_a_move)
{
	const char *const *lines = LINES(TWO_GROUPS, "4500 cpu0 cgroup_attach_task a/10 /c/d dst_level=2 t=1 by sh/1",
					 "4600 cpu0 cgroup_attach_task b/11 /c dst_root=3 t=1 by sh/1",
					 "4700 cpu1 sched_waking a2/12 target=1 by idle/0", "4800 cpu1 sched_switch idle/0 R -> a2/12",
					 "5000 cpu1 sched_switch a2/12 S -> idle/0");

	check_rows(ASK("tasks", .by = "tid", .some = true), lines, ROWS("tid=10 cgroup=/c/d", "tid=12 cgroup=/c/d", "tid=11 cgroup=/b"));
	for (int i = 0; i < 3; i++)
		check_rows(ASK("why", .cgroup_glob = i == 0 ? "/c" : i == 1 ? "d" : "/c/*", .by = "tid,part", .some = true), lines,
			   ROWS("tid=12 part=sleep total_ns=700", "tid=12 part=run total_ns=200", "tid=10 part=sleep total_ns=1000"));
}
END_TEST

/*
 * By thread, its own time is 100 %: of 3000 a runs 2000 and waits 1000, a2 runs all of it, b is unknown, runs and sleeps for 1000
 * each. By process the 6000 of a and a2 are; else all 9000.
 */
START_TEST(share_of_the_task)
{
	check_rows(ASK("why", .by = "tid,part"), LINES(TWO_GROUPS),
		   ROWS("tid=10 part=run share=66666", "tid=10 part='run queue' share=33333", "tid=12 part=run share=100000",
			"tid=11 part=run share=33333", "tid=11 part=sleep share=33333", "tid=11 part=unknown share=33333"));
	check_rows(ASK("why", .by = "pid,part"), LINES(TWO_GROUPS),
		   ROWS("pid=10 part=run share=83333", "pid=10 part='run queue' share=16666", "pid=11 part=run share=33333", "pid=11 part=sleep share=33333", "pid=11 part=unknown"));
	check_rows(ASK("why", .by = "part"), LINES(TWO_GROUPS),
		   ROWS("part=run share=66666", "part='run queue' share=11111", "part=sleep share=11111", "part=unknown share=11111"));
}
END_TEST

/* The same, side by side: b's sleep has no reason that was recorded, and its first 1000 are unknown. */
START_TEST(threads_side_by_side)
{
	check_rows(ASK("waterfall"), LINES(TWO_GROUPS),
		   ROWS("tid=10 pid=10 comm=a wall_ns=3000 awake_ns=3000 run=66666 queue=33333 lock=0 sleep=0 other=0",
			"tid=12 pid=10 comm=a2 wall_ns=3000 awake_ns=3000 run=100000 queue=0 other=0",
			"tid=11 pid=11 comm=b wall_ns=3000 awake_ns=1000 run=33333 other=66666"));
	check_rows(ASK("waterfall", .by = "pid"), LINES(TWO_GROUPS),
		   ROWS("pid=10 wall_ns=6000 awake_ns=6000 run=83333 queue=16666", "pid=11 wall_ns=3000 run=33333"));
}
END_TEST

/*
 * a waits from 1100 to 6000 for its read. The device completes b's read-ahead at 3000, write-back of a worker at 4000, c's
 * synchronous write at 5000, then a's request.
 */
START_TEST(types_of_requests)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type,culprit", .some = true),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch idle/0 R -> a/10", "950 cpu1 block_rq_issue t=11 8,0 RA 4096 sector=200 nr=8 comm=b",
			 "960 cpu1 block_rq_issue t=12 8,0 W 4096 sector=300 nr=8 comm=kworker", "970 cpu1 block_rq_issue t=13 8,0 WS 4096 sector=400 nr=8 comm=c",
			 "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a", "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "3000 cpu1 block_rq_complete t=0 8,0 RA sector=200 nr=8", "4000 cpu1 block_rq_complete t=0 8,0 W sector=300 nr=8",
			 "5000 cpu1 block_rq_complete t=0 8,0 WS sector=400 nr=8", "6000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "6000 cpu0 sched_waking a/10 target=0 by idle/0", "6100 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("part='disk: in device' type=read-ahead culprit=b total_ns=1900", "part='disk: in device' type=write-back culprit=kworker total_ns=1000",
			"part='disk: in device' type=write culprit=c total_ns=1000", "part='disk: in device' type=read culprit=itself total_ns=1000"));
}
END_TEST

/* Live: a's descriptor 3 is looked up once its first read has begun, and is a pipe: then both waits, 1000 each, were on a pipe. */
START_TEST(pipe_of_a_read)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true, .answers = ANSWERS({ 10, 3, 1500, "pipe:[77]" })),
		   LINES("live", "seed a/10 pid=10", "900 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu0 sys_enter t=10 nr=read 3",
			 "1100 cpu0 sched_switch a/10 S -> idle/0", "1600 cpu1 sched_switch idle/0 R -> b/11", "2100 cpu1 sched_waking a/10 target=0 by b/11",
			 "2200 cpu0 sched_switch idle/0 R -> a/10", "2300 cpu0 sys_exit t=10 nr=read ret=1", "2400 cpu0 sys_enter t=10 nr=read 3",
			 "2500 cpu0 sched_switch a/10 S -> idle/0", "3500 cpu1 sched_waking a/10 target=0 by b/11",
			 "3600 cpu0 sched_switch idle/0 R -> a/10", "3700 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("part='read, write' type=pipe total_ns=2000"));
}
END_TEST

/* a's slice: 1000..2200. What it did before its first call is not known: it may have been in another. */
#define SLICE_OF_A(...) "with signal_deliver", "seed a/10 pid=10", "900 cpu1 sched_switch idle/0 R -> b/11", "1000 cpu0 sched_switch idle/0 R -> a/10", \
	__VA_ARGS__, "2200 cpu0 sched_switch a/10 S -> idle/0"

/*
 * read 1100..1300, write 1500..1800, an interrupt in user mode 1400..1450, a handler 1900..2000, its return up to 2050. User mode:
 * 1300..1500 without the interrupt, 1800..1900, 2050..2200. With the interrupt they add up to the slice.
 */
START_TEST(what_it_does_on_a_cpu)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true),
		   LINES(SLICE_OF_A("1100 cpu0 sys_enter t=10 nr=read 3", "1300 cpu0 sys_exit t=10 nr=read ret=1",
				    "1400 cpu0 irq_handler_entry t=10 9 eth0", "1450 cpu0 irq_handler_exit t=10 9",
				    "1500 cpu0 sys_enter t=10 nr=write 3", "1800 cpu0 sys_exit t=10 nr=write ret=1",
				    "1900 cpu0 signal_deliver t=10 10 sa_handler=4096",
				    "2000 cpu0 sys_enter t=10 nr=rt_sigreturn", "2050 cpu0 sys_exit t=10 nr=-1 ret=0")),
		   ROWS("part=run type='user mode' total_ns=400", "part=run type='write(2)' total_ns=300", "part=run type='read(2)' total_ns=200",
			"part=run type=- total_ns=100", "part=run type='signal handler' total_ns=100", "part=irq total_ns=50",
			"part=run type='rt_sigreturn(2)' total_ns=50"));
}
END_TEST

/* A signal that is ignored has no handler; one that jumps out of its handler never returns: that is user mode, too. */
START_TEST(handler_that_does_not_return)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true),
		   LINES(SLICE_OF_A("1100 cpu0 sys_enter t=10 nr=read 3", "1300 cpu0 sys_exit t=10 nr=read ret=1",
				    "1400 cpu0 signal_deliver t=10 10 sa_handler=1", "1500 cpu0 signal_deliver t=10 10 sa_handler=4096")),
		   ROWS("part=run type='user mode' total_ns=900", "part=run type='read(2)' total_ns=200", "part=run type=- total_ns=100"));
}
END_TEST

/* The call goes on when the slice ends, and direct reclaim inside of it, 1600..2000, is told apart. */
START_TEST(reclaim_in_a_call)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true),
		   LINES(SLICE_OF_A("1100 cpu0 sys_enter t=10 nr=read 3", "1600 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
				    "2000 cpu0 mm_vmscan_direct_reclaim_end t=10")),
		   ROWS("part=run type='read(2)' total_ns=700", "part=run type=reclaim total_ns=400", "part=run type=- total_ns=100"));
}
END_TEST

/* Where but one call's events are recorded, what it did else is not known; without any, nothing is. */
START_TEST(calls_that_are_not_recorded)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true),
		   LINES("with sys_enter_read", "with sys_exit_read", SLICE_OF_A("1100 cpu0 sys_enter_read t=10 nr=read fd=3", "1300 cpu0 sys_exit_read t=10 nr=read ret=1")),
		   ROWS("part=run type=- total_ns=1000", "part=run type='read(2)' total_ns=200"));
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true), LINES(SLICE_OF_A("1300 cpu1 sched_switch b/11 S -> idle/0")),
		   ROWS("part=run type=- total_ns=1200"));
}
END_TEST

/* The next slice begins in the call that the last one ended in; it is user mode after that, unless events were lost meanwhile. */
START_TEST(call_over_two_slices)
{
	check_rows(ASK("why", .pid = 10, .by = "part,type", .some = true),
		   LINES(SLICE_OF_A("2000 cpu0 sys_enter t=10 nr=read 3"), "3000 cpu0 sched_waking a/10 target=0 by b/11",
			 "3100 cpu0 sched_switch idle/0 R -> a/10", "3400 cpu0 sys_exit t=10 nr=read ret=1", "3500 cpu0 sched_switch a/10 R -> b/11",
			 "3600 cpu0 sched_switch b/11 S -> a/10", "3900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("part=run type=- total_ns=1000", "part=run type='read(2)' total_ns=500", "part=run type='user mode' total_ns=400"));
}
END_TEST

Suite *rs_suite_why(void)
{
	Suite *s = suite_create("why");
	TCase *t = tcase_create("why");

	tcase_add_test(t, tasks_of_a_cgroup);
	tcase_add_test(t, cgroup_after_a_move);
	tcase_add_test(t, share_of_the_task);
	tcase_add_test(t, threads_side_by_side);
	tcase_add_test(t, types_of_requests);
	tcase_add_test(t, pipe_of_a_read);
	tcase_add_test(t, what_it_does_on_a_cpu);
	tcase_add_test(t, handler_that_does_not_return);
	tcase_add_test(t, reclaim_in_a_call);
	tcase_add_test(t, calls_that_are_not_recorded);
	tcase_add_test(t, call_over_two_slices);
	suite_add_tcase(s, t);
	return s;
}
