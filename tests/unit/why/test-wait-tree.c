// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-wait-tree - where all of the time of a wait went, as a tree: each node computed by hand
 *
 * What is less than a 50th of the whole is in a node "others" of the node that it is of.
 */
#include <check.h>

#include "ask.h"
#include "wake-lines.h"

/*
 * a reads from 1000 to 9000: it runs 100 and 600, sleeps from 1100 to 8300, when b writes, and is runnable for 100. Of
 * the 7200 b runs 200 and 900, sleeps from 1300 to 7300, when c writes, and is runnable for 100. c runs.
 */
START_TEST(three_over_pipes)
{
	check_rows(ASK("wait-tree"),
		   LINES(RUNS("cpu0", "a/10"), RUNS("cpu1", "b/11"), RUNS("cpu2", "c/12"),
			 CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "a/10"),
			 CALL("1200", "cpu1", "11", "read"), LEAVES("1300", "cpu1", "b/11"),
			 WAKES("7300", "cpu2", "c/12", "b/11"), BACK("7400", "cpu1", "b/11"), EXIT("7500", "cpu1", "11", "read"),
			 WAKES("8300", "cpu1", "b/11", "a/10"), BACK("8400", "cpu0", "a/10"), EXIT("9000", "cpu0", "10", "read")),
		   ROWS("node=1 depth=0 kind=task role=victim comm=a tid=10 syscall=read at_ns=1000 took_ns=8000 on_path=1",
			"node=2 depth=1 kind=task role=peer comm=b tid=11 syscall=read part='read, write' at_ns=1100 took_ns=7200 on_path=1",
			"node=3 depth=2 kind=task role=peer comm=c tid=12 syscall=- part='read, write' at_ns=1300 took_ns=6000 on_path=1",
			"node=4 depth=3 kind=part part=run took_ns=6000 on_path=1 text='      on a CPU'",
			"node=5 depth=2 kind=part part=run took_ns=1100 on_path=0",
			"node=6 depth=2 kind=others part=- took_ns=100 waits=1",
			"node=7 depth=1 kind=part part=run took_ns=700 on_path=0",
			"node=8 depth=1 kind=others took_ns=100 waits=1 text='  1 other'"));
}
END_TEST

/* A client and its server have one name: their command lines tell them. */
START_TEST(two_of_one_name)
{
	check_rows(ASK("wait-tree", .some = true),
		   LINES("seed python3/10 pid=10", "seed python3/11 pid=11", "args 10 python3 client.py", "args 11 python3 /srv/server.py",
			 RUNS("cpu0", "python3/10"), RUNS("cpu1", "python3/11"),
			 CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "python3/10"),
			 WAKES("8300", "cpu1", "python3/11", "python3/10"), BACK("8400", "cpu0", "python3/10"),
			 EXIT("9000", "cpu0", "10", "read")),
		   ROWS("node=1 comm=python3 text='python3 client.py (10): read'",
			"node=2 comm=python3 text='  python3 server.py (11), peer'"));
}
END_TEST

/*
 * first waits from 1100 to 8200 for a mutex, 7000 of it for third, which sleeps while it holds it, and 100 for second. What is
 * less than 144 is in others: of first 100 for second, 110 on a CPU, 10 runnable; of third 140 on a CPU, 10 runnable.
 */
START_TEST(holder_of_a_mutex)
{
	check_rows(ASK("wait-tree", .some = true),
		   LINES(RUNS("cpu0", "first/10"), RUNS("cpu1", "second/11"), RUNS("cpu2", "third/12"),
			 "1000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100", "cpu0", "first/10"),
			 "1000 cpu1 sys_enter t=11 nr=futex 1000 80 2", LEAVES("1200", "cpu1", "second/11"),
			 CALL("1100", "cpu2", "12", "nanosleep"), LEAVES("1150", "cpu2", "third/12"),
			 "8000 cpu2 sched_waking third/12 target=2 by idle/0", BACK("8010", "cpu2", "third/12"),
			 WAKES("8100", "cpu2", "third/12", "second/11"), BACK("8110", "cpu1", "second/11"),
			 EXIT("8120", "cpu1", "11", "futex"), WAKES("8200", "cpu1", "second/11", "first/10"),
			 BACK("8210", "cpu0", "first/10"), EXIT("8220", "cpu0", "10", "futex")),
		   ROWS("node=1 depth=0 comm=first syscall=futex took_ns=7220",
			"node=2 depth=1 role=holder comm=third part=futex lock_addr=0x1000 took_ns=7000",
			"node=3 depth=2 kind=part part=timer took_ns=6850",
			"node=4 depth=2 kind=others took_ns=150 waits=2",
			"node=5 depth=1 kind=others took_ns=220 waits=3"));
}
END_TEST

/* make waits 4500 for a child that reads a page of its program from a disk for 4000. */
START_TEST(child_at_a_disk)
{
	check_rows(ASK("wait-tree", .some = true),
		   LINES(RUNS("cpu0", "make/10"), "1000 cpu0 sys_enter t=10 nr=wait4", LEAVES("1100", "cpu0", "make/10"),
			 RUNS("cpu1", "cc/11"), EXIT("1300", "cpu1", "11", "execve"), "1400 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=cc",
			 "1500 cpu1 sched_switch cc/11 D -> idle/0", "5500 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "5500 cpu1 sched_waking cc/11 target=1 by idle/0", BACK("5510", "cpu1", "cc/11"),
			 WAKES("5600", "cpu1", "cc/11", "make/10"), BACK("5700", "cpu0", "make/10"), EXIT("5800", "cpu0", "10", "wait4")),
		   ROWS("node=1 comm=make took_ns=4800", "node=2 role=child comm=cc part=child took_ns=4500",
			"node=3 depth=2 kind=part part='major fault' role=device dev=8,0 at_ns=1500 to_ns=5500 took_ns=4000"));
}
END_TEST

/* a is preempted for 300 by b and 250 by c on CPU 0, and runs for 350. */
START_TEST(culprits_of_a_cpu)
{
	check_rows(ASK("wait-tree", .pid = 10),
		   LINES("seed a/10 pid=10", RUNS("cpu0", "a/10"), CALL("1000", "cpu0", "10", "read"),
			 "1100 cpu0 sched_switch a/10 R -> b/11", "1400 cpu0 sched_switch b/11 R -> c/12",
			 "1650 cpu0 sched_switch c/12 R -> a/10", EXIT("1900", "cpu0", "10", "read")),
		   ROWS("node=1 depth=0 comm=a took_ns=900", "node=2 depth=1 kind=part part='run queue' cpu=0 took_ns=550 on_path=1",
			"node=3 depth=2 kind=culprit role=takes comm=b tid=11 cpu=0 at_ns=1100 to_ns=1400 took_ns=300 on_path=1",
			"node=4 depth=2 kind=culprit role=takes comm=c tid=12 took_ns=250 on_path=0",
			"node=5 depth=1 kind=part part=run took_ns=350"));
}
END_TEST

/* a waits for b, of which no event tells what it did: that is unknown, not nothing. */
START_TEST(unknown_is_a_node)
{
	check_rows(ASK("wait-tree"),
		   LINES("seed b/11", RUNS("cpu0", "a/10"), CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "a/10"),
			 WAKES("5100", "cpu1", "b/11", "a/10"), BACK("5200", "cpu0", "a/10"), EXIT("5300", "cpu0", "10", "read")),
		   ROWS("node=1 comm=a took_ns=4300", "node=2 comm=b took_ns=4000", "node=3 depth=2 kind=part part=unknown took_ns=4000",
			"node=4 depth=1 part=run took_ns=200", "node=5 depth=1 part=wake-up took_ns=100"));
}
END_TEST

Suite *rs_suite_wait_tree(void)
{
	Suite *s = suite_create("wait-tree");
	TCase *t = tcase_create("wait-tree");

	tcase_add_test(t, three_over_pipes);
	tcase_add_test(t, two_of_one_name);
	tcase_add_test(t, holder_of_a_mutex);
	tcase_add_test(t, child_at_a_disk);
	tcase_add_test(t, culprits_of_a_cpu);
	tcase_add_test(t, unknown_is_a_node);
	suite_add_tcase(s, t);
	return s;
}
