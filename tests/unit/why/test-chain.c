// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-chain - what a wait waited for, link by link: known chains, each link computed by hand
 */
#include <check.h>

#include "ask.h"
#include "wake-lines.h"

/*
 * a reads from 1000 to 9000, and sleeps from 1100 to 8300, when b writes: 7200. Of these b sleeps from 1300 to 7300, when c
 * writes: 6000. All that time c runs.
 */
START_TEST(three_over_pipes)
{
	check_rows(ASK("critical-path"),
		   LINES(RUNS("cpu0", "a/10"), RUNS("cpu1", "b/11"), RUNS("cpu2", "c/12"),
			 CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "a/10"),
			 CALL("1200", "cpu1", "11", "read"), LEAVES("1300", "cpu1", "b/11"),
			 WAKES("7300", "cpu2", "c/12", "b/11"), BACK("7400", "cpu1", "b/11"), EXIT("7500", "cpu1", "11", "read"),
			 WAKES("8300", "cpu1", "b/11", "a/10"), BACK("8400", "cpu0", "a/10"), EXIT("9000", "cpu0", "10", "read")),
		   ROWS("link=1 comm=a tid=10 syscall=read at_ns=1000 took_ns=8000 part='read, write' part_ns=7200 culprit=b",
			"link=2 comm=b tid=11 syscall=read at_ns=1100 took_ns=7200 waits=1 part='read, write' part_ns=6000 culprit=c",
			"link=3 comm=c tid=12 syscall=- at_ns=1300 took_ns=6000 part=run part_ns=6000 culprit=itself"));
}
END_TEST

/*
 * Five in a row on two CPUs: e sleeps of its own choice from 1500 to 9500, then each wakes the next 100 later. a, b, c and d
 * sleep from 1100, 1200, 1300 and 1400; a until 9910, b until 9810, c until 9710, d until 9610.
 */
START_TEST(relay_of_five)
{
	check_rows(ASK("critical-path", .pid = 10),
		   LINES("seed a/10 pid=10", RUNS("cpu0", "a/10"), CALL("1000", "cpu0", "10", "read"),
			 "950 cpu1 sched_waking b/11 target=0 by idle/0", "951 cpu1 sched_waking c/12 target=0 by idle/0",
			 "952 cpu1 sched_waking d/13 target=0 by idle/0", "953 cpu1 sched_waking e/14 target=0 by idle/0",
			 "1100 cpu0 sched_switch a/10 S -> b/11", CALL("1150", "cpu0", "11", "read"),
			 "1200 cpu0 sched_switch b/11 S -> c/12", CALL("1250", "cpu0", "12", "read"),
			 "1300 cpu0 sched_switch c/12 S -> d/13", CALL("1350", "cpu0", "13", "read"),
			 "1400 cpu0 sched_switch d/13 S -> e/14", CALL("1450", "cpu0", "14", "nanosleep"),
			 LEAVES("1500", "cpu0", "e/14"), "9500 cpu0 sched_waking e/14 target=0 by idle/0", BACK("9510", "cpu0", "e/14"),
			 WAKES("9610", "cpu0", "e/14", "d/13"), "9620 cpu0 sched_switch e/14 S -> d/13",
			 WAKES("9710", "cpu0", "d/13", "c/12"), "9720 cpu0 sched_switch d/13 S -> c/12",
			 WAKES("9810", "cpu0", "c/12", "b/11"), "9820 cpu0 sched_switch c/12 S -> b/11",
			 WAKES("9910", "cpu0", "b/11", "a/10"), "9920 cpu0 sched_switch b/11 S -> a/10",
			 EXIT("9950", "cpu0", "10", "read")),
		   ROWS("link=1 comm=a took_ns=8950 part='read, write' part_ns=8810 culprit=b",
			"link=2 comm=b took_ns=8810 part='read, write' part_ns=8610 culprit=c syscall=read",
			"link=3 comm=c took_ns=8610 part='read, write' part_ns=8410 culprit=d",
			"link=4 comm=d took_ns=8410 part='read, write' part_ns=8210 culprit=e",
			"link=5 comm=e took_ns=8210 part=timer part_ns=8000 culprit=interrupt"));
}
END_TEST

/* first waits for a mutex that second has, which waits for one that third has: it sleeps while it holds it. */
START_TEST(convoy_of_mutexes)
{
	check_rows(ASK("critical-path", .some = true),
		   LINES(RUNS("cpu0", "first/10"), RUNS("cpu1", "second/11"), RUNS("cpu2", "third/12"),
			 "1000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100", "cpu0", "first/10"),
			 "1000 cpu1 sys_enter t=11 nr=futex 2000 80 2", LEAVES("1200", "cpu1", "second/11"),
			 CALL("1100", "cpu2", "12", "nanosleep"), LEAVES("1150", "cpu2", "third/12"),
			 "8000 cpu2 sched_waking third/12 target=2 by idle/0", BACK("8010", "cpu2", "third/12"),
			 WAKES("8100", "cpu2", "third/12", "second/11"), BACK("8110", "cpu1", "second/11"),
			 EXIT("8120", "cpu1", "11", "futex"), WAKES("8200", "cpu1", "second/11", "first/10"),
			 BACK("8210", "cpu0", "first/10"), EXIT("8220", "cpu0", "10", "futex")),
		   ROWS("link=1 comm=first syscall=futex took_ns=7220 part=futex part_ns=7100 culprit=second",
			"link=2 comm=second syscall=futex took_ns=7100 part=futex part_ns=6900 culprit=third",
			"link=3 comm=third took_ns=6900 part=timer part_ns=6800 culprit=interrupt"));
}
END_TEST

/*
 * first waits from 1100 to 8200 for a mutex. second, which lets it on, stood in the same line from 1200 to 8100, behind third, which sleeps
 * while it holds it: first waits for third for 7000, and for second for the last 100.
 */
START_TEST(line_before_a_mutex)
{
	check_rows(ASK("critical-path", .some = true),
		   LINES(RUNS("cpu0", "first/10"), RUNS("cpu1", "second/11"), RUNS("cpu2", "third/12"),
			 "1000 cpu0 sys_enter t=10 nr=futex 1000 80 2", LEAVES("1100", "cpu0", "first/10"),
			 "1000 cpu1 sys_enter t=11 nr=futex 1000 80 2", LEAVES("1200", "cpu1", "second/11"),
			 CALL("1100", "cpu2", "12", "nanosleep"), LEAVES("1150", "cpu2", "third/12"),
			 "8000 cpu2 sched_waking third/12 target=2 by idle/0", BACK("8010", "cpu2", "third/12"),
			 WAKES("8100", "cpu2", "third/12", "second/11"), BACK("8110", "cpu1", "second/11"),
			 EXIT("8120", "cpu1", "11", "futex"), WAKES("8200", "cpu1", "second/11", "first/10"),
			 BACK("8210", "cpu0", "first/10"), EXIT("8220", "cpu0", "10", "futex")),
		   ROWS("link=1 comm=first syscall=futex took_ns=7220 part=futex part_ns=7000 culprit=third",
			"link=2 comm=third took_ns=7000 part=timer part_ns=6850 culprit=interrupt"));
}
END_TEST

/* make waits for a child that reads from a disk, 1500..5500, outside of any call: a page of its program. */
START_TEST(parent_and_child)
{
	check_rows(ASK("critical-path"),
		   LINES(RUNS("cpu0", "make/10"), "1000 cpu0 sys_enter t=10 nr=wait4", LEAVES("1100", "cpu0", "make/10"),
			 RUNS("cpu1", "cc/11"), EXIT("1300", "cpu1", "11", "execve"), "1400 cpu1 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=cc",
			 "1500 cpu1 sched_switch cc/11 D -> idle/0", "5500 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "5500 cpu1 sched_waking cc/11 target=1 by idle/0", BACK("5510", "cpu1", "cc/11"),
			 WAKES("5600", "cpu1", "cc/11", "make/10"), BACK("5700", "cpu0", "make/10"), EXIT("5800", "cpu0", "10", "wait4")),
		   ROWS("link=1 comm=make syscall=wait4 took_ns=4800 part=child part_ns=4500 culprit=cc",
			"link=2 comm=cc took_ns=4500 part='major fault' part_ns=4000 dev=8,0 culprit=itself"));
}
END_TEST

/* b ran before it was first seen: what it did while a waited for it is not known. */
START_TEST(trail_is_lost)
{
	check_rows(ASK("critical-path"),
		   LINES("seed b/11", RUNS("cpu0", "a/10"), CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "a/10"),
			 WAKES("5100", "cpu1", "b/11", "a/10"), BACK("5200", "cpu0", "a/10"), EXIT("5300", "cpu0", "10", "read")),
		   ROWS("link=1 comm=a took_ns=4300 part='read, write' part_ns=4000 culprit=b",
			"link=2 comm=b took_ns=4000 part=unknown part_ns=4000 culprit=- text='b (11) meanwhile: 4 us, 4 us of it unknown: the trail is lost, no event tells what it did'"));
}
END_TEST

/*
 * a waits from 1100 to 9000, until the worker k has done its work 2. b queues that at 7000, k executes work 1 until 7500: what k
 * did before 7000 is none of a's business, but 500 of work 1 are. Of the 7900 b ran 5900. Without the events k seems to run all the time.
 */
START_TEST(work_of_a_worker)
{
#define WORKS RUNS("cpu0", "a/10"), RUNS("cpu1", "k/20"), RUNS("cpu2", "b/11"), CALL("1000", "cpu0", "10", "fsync"), \
	"1050 cpu1 workqueue_queue_work 1 t=20 by k/20", "1060 cpu1 workqueue_execute_start 1 t=20 by k/20", \
	"1100 cpu0 sched_switch a/10 D -> idle/0", "7000 cpu2 workqueue_queue_work 2 t=11 by b/11", \
	"7500 cpu1 workqueue_execute_end 1 t=20 by k/20", "7500 cpu1 workqueue_execute_start 2 t=20 by k/20", \
	WAKES("9000", "cpu1", "k/20", "a/10"), BACK("9100", "cpu0", "a/10"), EXIT("9200", "cpu0", "10", "fsync")

	check_rows(ASK("critical-path", .pid = 10), LINES("seed a/10 pid=10", WORKS),
		   ROWS("link=1 comm=a took_ns=8200 part='kernel (D)' part_ns=7900 culprit=k",
			"link=2 comm=k took_ns=7900 at_ns=1100 part=idle part_ns=5900 culprit=b",
			"link=3 comm=b took_ns=5900 at_ns=1100 to_ns=7000 part=run part_ns=5900"));
	check_rows(ASK("critical-path", .pid = 10), LINES("seed a/10 pid=10", "without workqueue_execute_start", WORKS),
		   ROWS("link=1 comm=a part_ns=7900 culprit=k", "link=2 comm=k part=run part_ns=7900"));
}
END_TEST

/* a waits from 1100 to 9000 for work that it queued itself at 1050, and that k begins with at 8000: 6900 nobody works on it. */
START_TEST(work_in_the_queue)
{
	check_rows(ASK("critical-path", .pid = 10),
		   LINES("seed a/10 pid=10", RUNS("cpu0", "a/10"), RUNS("cpu1", "k/20"), CALL("1000", "cpu0", "10", "fsync"),
			 "1050 cpu0 workqueue_queue_work 2 t=10 by a/10", "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "8000 cpu1 workqueue_execute_start 2 t=20 by k/20", WAKES("9000", "cpu1", "k/20", "a/10"), BACK("9100", "cpu0", "a/10"),
			 EXIT("9200", "cpu0", "10", "fsync")),
		   ROWS("link=1 comm=a part='kernel (D)' part_ns=7900 culprit=k", "link=2 comm=k took_ns=7900 part='work queue' part_ns=6900 culprit=-"));
}
END_TEST

#define FLUSH_FN "18446744071578845440"
#define BARRIER_FN "18446744071578849536"
#define SYMBOLS "symbol " FLUSH_FN " flush_to_disk", "symbol " BARRIER_FN " wq_barrier_func"
#define EXECUTES(ns, work, function) ns " cpu1 workqueue_execute_start " work " function=" function " t=20 by k/20"
#define EXECUTED(ns, work) ns " cpu1 workqueue_execute_end " work " t=20 by k/20"

/* The function of the work is named: b queues it at 4000, k begins with it at 5000 and wakes a at 9000. Of the 7900 b ran 2900. */
START_TEST(work_has_a_name)
{
	const char *const *lines = LINES("seed a/10 pid=10", SYMBOLS, RUNS("cpu0", "a/10"), RUNS("cpu1", "k/20"), RUNS("cpu2", "b/11"),
					 CALL("1000", "cpu0", "10", "fsync"), "1100 cpu0 sched_switch a/10 D -> idle/0",
					 "4000 cpu2 workqueue_queue_work 2 function=" FLUSH_FN " t=11 by b/11", EXECUTES("5000", "2", FLUSH_FN),
					 WAKES("9000", "cpu1", "k/20", "a/10"), EXECUTED("9010", "2"), BACK("9100", "cpu0", "a/10"),
					 EXIT("9200", "cpu0", "10", "fsync"));

	check_rows(ASK("critical-path", .pid = 10), lines,
		   ROWS("link=1 comm=a part='kernel (D)' part_ns=7900 culprit=k function=-",
			"link=2 comm=k took_ns=7900 part=run part_ns=4000 function=flush_to_disk "
			"text='k (20) meanwhile: work flush_to_disk, 7 us, 4 us of it on a CPU; 2 us for 1 other'"));
	check_rows(ASK("wait-tree", .pid = 10, .some = true), lines,
		   ROWS("depth=1 comm=k role=worker took_ns=7900 function=flush_to_disk text='  k (20), worker: flush_to_disk'",
			"depth=2 part=run took_ns=4000", "depth=2 comm=b took_ns=2900 function=-", "depth=2 part='work queue' took_ns=1000"));
}
END_TEST

/*
 * a flushes a work that b queued at 7000: k executes it 8000..8900 and then the barrier, which nobody queued and which wakes a
 * at 8950. It is that work that a waited for, not the barrier, nor what k did before.
 */
START_TEST(barrier_behind_a_work)
{
	check_rows(ASK("critical-path", .pid = 10),
		   LINES("seed a/10 pid=10", SYMBOLS, RUNS("cpu0", "a/10"), RUNS("cpu1", "k/20"), RUNS("cpu2", "b/11"),
			 CALL("1000", "cpu0", "10", "fsync"), "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "7000 cpu2 workqueue_queue_work 2 function=" FLUSH_FN " t=11 by b/11", EXECUTES("8000", "2", FLUSH_FN),
			 EXECUTED("8900", "2"), EXECUTES("8910", "3", BARRIER_FN), EXECUTED("8920", "3"), EXECUTES("8930", "4", BARRIER_FN),
			 WAKES("8950", "cpu1", "k/20", "a/10"), EXECUTED("8960", "4"), BACK("9100", "cpu0", "a/10"),
			 EXIT("9200", "cpu0", "10", "fsync")),
		   ROWS("link=1 comm=a part='kernel (D)' part_ns=7850 culprit=k",
			"link=2 comm=k took_ns=7850 part=idle part_ns=5900 culprit=b function=flush_to_disk "
			"text='k (20) meanwhile: work flush_to_disk, 7 us, 5 us of it until b queued that work'",
			"link=3 comm=b took_ns=5900 part=run function=-"));
}
END_TEST

/*
 * a drains a queue: k wakes it after the end of the last work, in the same slice. Where k slept in between, that work is not what
 * a waited for.
 */
START_TEST(end_of_a_queue)
{
#define QUEUE "seed a/10 pid=10", SYMBOLS, RUNS("cpu0", "a/10"), RUNS("cpu1", "k/20"), RUNS("cpu2", "b/11"), \
	CALL("1000", "cpu0", "10", "fsync"), "1100 cpu0 sched_switch a/10 D -> idle/0", \
	"7000 cpu2 workqueue_queue_work 2 function=" FLUSH_FN " t=11 by b/11", EXECUTES("8000", "2", FLUSH_FN), EXECUTED("8900", "2")
#define WOKEN WAKES("8950", "cpu1", "k/20", "a/10"), BACK("9100", "cpu0", "a/10"), EXIT("9200", "cpu0", "10", "fsync")

	check_rows(ASK("critical-path", .pid = 10), LINES(QUEUE, WOKEN),
		   ROWS("link=1 comm=a part='kernel (D)' part_ns=7850 culprit=k", "link=2 comm=k part=idle part_ns=5900 culprit=b function=flush_to_disk",
			"link=3 comm=b took_ns=5900 part=run"));
	check_rows(ASK("critical-path", .pid = 10),
		   LINES(QUEUE, LEAVES("8910", "cpu1", "k/20"), "8920 cpu1 sched_waking k/20 target=1 by idle/0", BACK("8930", "cpu1", "k/20"), WOKEN),
		   ROWS("link=1 comm=a part='kernel (D)' part_ns=7850 culprit=k", "link=2 comm=k part=run part_ns=7830 function=-"));
}
END_TEST

/* b waits twice for c within the one wait of a: 2000 and 3000, against 900 that it runs itself. */
START_TEST(several_waits)
{
	check_rows(ASK("critical-path", .pid = 10),
		   LINES("seed a/10 pid=10", RUNS("cpu0", "a/10"), RUNS("cpu1", "b/11"), RUNS("cpu2", "c/12"),
			 CALL("1000", "cpu0", "10", "read"), LEAVES("1100", "cpu0", "a/10"),
			 LEAVES("1200", "cpu1", "b/11"), WAKES("3200", "cpu2", "c/12", "b/11"), BACK("3300", "cpu1", "b/11"),
			 LEAVES("3700", "cpu1", "b/11"), WAKES("6700", "cpu2", "c/12", "b/11"), BACK("6800", "cpu1", "b/11"),
			 WAKES("7200", "cpu1", "b/11", "a/10"), BACK("7300", "cpu0", "a/10"), EXIT("7400", "cpu0", "10", "read")),
		   ROWS("link=1 comm=a part_ns=6100 culprit=b", "link=2 comm=b took_ns=6100 part_ns=5000 culprit=c",
			"link=3 comm=c took_ns=5000 waits=2 at_ns=3700 part=run part_ns=5000"));
}
END_TEST

/*
 * a waits 300 for b and 250 for c on its CPU, and runs 350 of its call in pieces of 100 and 250: what it waited for is the run
 * queue, though no single one had it for longer than a ran.
 */
START_TEST(part_of_several)
{
	check_rows(ASK("critical-path", .pid = 10),
		   LINES("seed a/10 pid=10", RUNS("cpu0", "a/10"), CALL("1000", "cpu0", "10", "read"),
			 "1100 cpu0 sched_switch a/10 R -> b/11", "1400 cpu0 sched_switch b/11 R -> c/12",
			 "1650 cpu0 sched_switch c/12 R -> a/10", EXIT("1900", "cpu0", "10", "read")),
		   ROWS("link=1 comm=a took_ns=900 part='run queue' part_ns=550 culprit=b"));
}
END_TEST

/*
 * The run of a command from its fork at 1000: it waits for two children of one name, 1200..3200 and 3500..7500, of which they
 * run all but 100 each.
 */
START_TEST(run_of_a_command)
{
	check_rows(ASK("critical-path", .command = 10),
		   LINES("950 cpu0 sched_switch x/9 S -> idle/0", "1000 cpu1 sched_process_fork sh/8 -> make/10 by sh/8",
			 "1000 cpu1 sched_wakeup_new make/10 target=0 by sh/8", BACK("1050", "cpu0", "make/10"),
			 CALL("1100", "cpu0", "10", "wait4"), "1200 cpu0 sched_waking cc/11 target=0 by make/10",
			 "1200 cpu0 sched_switch make/10 S -> idle/0", BACK("1300", "cpu0", "cc/11"),
			 WAKES("3200", "cpu0", "cc/11", "make/10"), "3300 cpu0 sched_switch cc/11 S -> make/10",
			 EXIT("3350", "cpu0", "10", "wait4"), CALL("3400", "cpu0", "10", "wait4"),
			 "3500 cpu0 sched_waking cc/12 target=0 by make/10", "3500 cpu0 sched_switch make/10 S -> idle/0",
			 BACK("3600", "cpu0", "cc/12"), WAKES("7500", "cpu0", "cc/12", "make/10"),
			 "7600 cpu0 sched_switch cc/12 S -> make/10", EXIT("8000", "cpu0", "10", "wait4")),
		   ROWS("link=1 comm=make tid=10 at_ns=1000 took_ns=7000 part=child part_ns=6000 culprit=cc",
			"link=2 comm=cc tid=12 at_ns=3500 took_ns=6000 waits=2 part=run part_ns=5800"));
}
END_TEST

/*
 * b is woken by softirqs: in the context of a, which computes and sends nothing, that is an interrupt; in that of c, which
 * is in a write, it is c.
 */
START_TEST(softirq_of_an_innocent)
{
	check_rows(ASK("why", .pid = 10, .some = true),
		   LINES("seed b/10 pid=10", RUNS("cpu0", "b/10"), RUNS("cpu1", "a/11"), CALL("1000", "cpu0", "10", "read"),
			 LEAVES("1100", "cpu0", "b/10"), WAKES("2100", "cpu1", "a/11", "b/10") " softirq", BACK("2200", "cpu0", "b/10"),
			 "2300 cpu1 sched_switch a/11 R -> c/12", CALL("2400", "cpu1", "12", "write"), LEAVES("2500", "cpu0", "b/10"),
			 WAKES("3000", "cpu1", "c/12", "b/10") " softirq", BACK("3100", "cpu0", "b/10"),
			 EXIT("3200", "cpu0", "10", "read")),
		   ROWS("part='read, write' culprit=interrupt total_ns=1000", "part='read, write' culprit=c total_ns=500"));
}
END_TEST

/* ---- the parts: all of a task's time ---- */

/*
 * a is seen from 1000, when it is woken, to 9000. It waits 100 for its CPU, which is idle; runs 1100..2000, 50 of it in a
 * softirq; sleeps in read up to 5000, when b writes; waits for b, which runs on its CPU, up to 5400; runs up to the end. Of what it did
 * before its first call nothing is known; 1900..2000 and 5400..9000 are in that call.
 */
START_TEST(all_of_its_time)
{
	check_rows(ASK("why", .pid = 10),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch x/9 S -> idle/0", "1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 BACK("1100", "cpu0", "a/10"), "1200 cpu0 softirq_entry t=10 3", "1250 cpu0 softirq_exit t=10 3",
			 CALL("1900", "cpu0", "10", "read"), "2000 cpu0 sched_switch a/10 S -> b/11",
			 WAKES("5000", "cpu0", "b/11", "a/10"), "5400 cpu0 sched_switch b/11 S -> a/10", EXIT("9000", "cpu0", "10", "read")),
		   ROWS("part=wake-up culprit=idle total_ns=100 share=1234 count=1 at_ns=1000",
			"part=run type='read(2)' culprit=itself total_ns=3700 count=2", "part=run type=- culprit=itself total_ns=750 count=1", "part=softirq total_ns=50 at_ns=1200",
			"part='read, write' culprit=b total_ns=3000 max_ns=3000", "part='run queue' culprit=b total_ns=400",
			"part=unknown total_ns=100 max_ns=-"));
}
END_TEST

/* The same from 3000 to 7000: the part inside of each. */
START_TEST(all_of_a_range)
{
	check_rows(ASK("why", .pid = 10, .from_ns = 3000, .to_ns = 7000),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch x/9 S -> idle/0", "1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 BACK("1100", "cpu0", "a/10"), CALL("1900", "cpu0", "10", "read"), "2000 cpu0 sched_switch a/10 S -> b/11",
			 WAKES("5000", "cpu0", "b/11", "a/10"), "5400 cpu0 sched_switch b/11 S -> a/10", EXIT("9000", "cpu0", "10", "read")),
		   ROWS("part='read, write' culprit=b total_ns=2000 share=50000", "part='run queue' culprit=b total_ns=400 share=10000",
			"part=run total_ns=1600 share=40000"));
}
END_TEST

/* ---- one call, state or request ---- */

#define SLICE(ns) { .kind = RS_ASKED_SLICE, .tid = 10, .at_ns = ns }

/*
 * a runs from 1 to 4 ms, sleeps until b wakes it at 9 ms, and reads from 10 to 18 ms: there it runs 1 ms, sleeps 5 ms until b
 * writes, gets its CPU after 0.5 ms, and runs 1.5 ms. What it was in at 3, 5 and 12 ms; and at 9.9996 ms: a time that was shown as microseconds may be
 * that much too early.
 */
START_TEST(one_slice)
{
	const char *const *lines = LINES("seed a/10 pid=10", "900000 cpu0 sched_switch x/9 S -> idle/0", "1000000 cpu0 sched_switch idle/0 R -> a/10",
					 RUNS("cpu1", "b/11"), LEAVES("4000000", "cpu0", "a/10"), WAKES("9000000", "cpu1", "b/11", "a/10"),
					 BACK("9100000", "cpu0", "a/10"), CALL("10000000", "cpu0", "10", "read"), LEAVES("11000000", "cpu0", "a/10"),
					 WAKES("16000000", "cpu1", "b/11", "a/10"), BACK("16500000", "cpu0", "a/10"), EXIT("18000000", "cpu0", "10", "read"));

	check_rows(ASK("why", .why = SLICE(3000000)), lines, ROWS("part=run total_ns=3000000 share=100000"));
	check_rows(ASK("why", .why = SLICE(5000000)), lines, ROWS("part=sleep culprit=b total_ns=5000000 share=100000"));
	for (uint64_t at_ns = 9999600; at_ns <= 12000000; at_ns += 2000400)
		check_rows(ASK("why", .why = SLICE(at_ns)), lines,
			   ROWS("part='read, write' culprit=b total_ns=5000000 share=62500", "part=run total_ns=2500000 share=31250",
				"part=wake-up culprit=idle total_ns=500000 share=6250"));
	check_rows(ASK("critical-path", .why = SLICE(12000000)), lines,
		   ROWS("link=1 comm=a tid=10 instance=0 syscall=read at_ns=10000000 to_ns=18000000 part='read, write' part_ns=5000000 culprit=b",
			"link=2 comm=b tid=11 instance=0 syscall=- at_ns=11000000 to_ns=16000000 part=run part_ns=5000000"));
	check_rows(ASK("why", .why = SLICE(20000000)), lines, NO_ROWS);
}
END_TEST

/*
 * The device has a's request from 1000 to 5000, and b's from 1100 to 4000, which it completes first. Of another request at
 * that sector of another disk nothing is asked.
 */
START_TEST(one_request)
{
	const char *const *lines = LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
					 "1050 cpu0 block_rq_issue t=10 8,16 R 4096 sector=100 nr=8 comm=a",
					 "1100 cpu0 block_rq_issue t=11 8,0 R 4096 sector=200 nr=8 comm=b",
					 "2000 cpu0 block_rq_complete t=0 8,16 R sector=100 nr=8",
					 "4000 cpu0 block_rq_complete t=0 8,0 R sector=200 nr=8",
					 "5000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8");
	struct rs_time_asked request = { .kind = RS_ASKED_REQUEST, .disks = "8,0", .sector = 100 };

	check_rows(ASK("why", .why = request, .by = "comm,part,culprit"), lines,
		   ROWS("comm=a part='disk: in device' culprit=b total_ns=3000 share=75000",
			"comm=a part='disk: in device' culprit=itself total_ns=1000 share=25000"));
	check_rows(ASK("critical-path", .why = request), lines,
		   ROWS("link=1 comm=a tid=10 at_ns=1000 took_ns=4000 part='disk: in device' part_ns=4000 culprit=b "
			"text='a (10): request R, 4 us, 4 us of it disk: in device, which served b'"));
}
END_TEST

Suite *rs_suite_chain(void)
{
	Suite *s = suite_create("chain");
	TCase *t = tcase_create("chain");

	tcase_add_test(t, three_over_pipes);
	tcase_add_test(t, relay_of_five);
	tcase_add_test(t, convoy_of_mutexes);
	tcase_add_test(t, line_before_a_mutex);
	tcase_add_test(t, parent_and_child);
	tcase_add_test(t, trail_is_lost);
	tcase_add_test(t, work_of_a_worker);
	tcase_add_test(t, work_in_the_queue);
	tcase_add_test(t, work_has_a_name);
	tcase_add_test(t, barrier_behind_a_work);
	tcase_add_test(t, end_of_a_queue);
	tcase_add_test(t, several_waits);
	tcase_add_test(t, part_of_several);
	tcase_add_test(t, softirq_of_an_innocent);
	tcase_add_test(t, run_of_a_command);
	tcase_add_test(t, all_of_its_time);
	tcase_add_test(t, all_of_a_range);
	tcase_add_test(t, one_slice);
	tcase_add_test(t, one_request);
	suite_add_tcase(s, t);
	return s;
}
