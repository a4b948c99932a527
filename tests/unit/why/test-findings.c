// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-findings - what the rules say is wrong, and of what they say nothing: for each a trace that fires and one that nearly does
 *
 * Times are in ns: an interval is judged from a tenth of a second on. The last line ends each at one second.
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "sample-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define BEGIN "seed a/10 pid=10", "seed b/11 pid=11", "seed d/13 pid=13", "1 cpu0 sched_switch idle/0 R -> z/90", "2 cpu0 sched_switch z/90 S -> idle/0"
/* What was recorded, too: that nothing of it explains a wait means something. */
#define WITH_REQUESTS "3 cpu0 block_rq_issue t=0 9,9 R 512 sector=1 nr=1", "4 cpu0 block_rq_complete t=0 9,9 R sector=1 nr=1"
#define WITH_LOCKS "5 cpu0 contention_begin t=0 8192 1", "6 cpu0 contention_end t=0 8192"
#define END "1000000001 cpu1 sched_switch z/90 S -> idle/0"

/* ---- CPUs ---- */

/* a is runnable from 1 ms on, and has the CPU for 100 ms after 300, twice: it waits 600 ms of 800. */
#define CPU_WAIT(prio_a, name, tid, prio) \
	"seed a/10 pid=10", "seed " name "/" #tid " pid=" #tid, "1 cpu0 sched_switch idle/0 R -> " name "/" #tid " next_prio=" #prio, \
	"1000000 cpu0 sched_waking a/10 target=0 by " name "/" #tid, "301000000 cpu0 sched_switch " name "/" #tid " R -> a/10 next_prio=" #prio_a, \
	"401000000 cpu0 sched_switch a/10 S -> " name "/" #tid " next_prio=" #prio, "501000000 cpu0 sched_waking a/10 target=0 by " name "/" #tid, \
	"801000000 cpu0 sched_switch " name "/" #tid " R -> a/10 next_prio=" #prio_a, "901000000 cpu0 sched_switch a/10 S -> " name "/" #tid " next_prio=" #prio
#define CPU_END "1000000001 cpu0 sched_waking z/90 target=0 by idle/0"

START_TEST(one_hog)
{
	check_rows(FINDINGS, LINES(CPU_WAIT(120, "b", 11, 120), CPU_END),
		   ROWS("rule=cpu-hog weight=600 text='a (10) waits 75 % of its time for a CPU: b (11) runs meanwhile' view=antagonists where='pid == 10' "
			"brief='a (10) waits 75 % for a CPU: b (11) runs meanwhile' why='antagonists pid == 10, tasks pid == 10 || pid == 11, cpus, runqslower pid == 10'"));
	/* with another CPU that is idle all the time it says so */
	check_rows(FINDINGS, LINES(CPU_WAIT(120, "b", 11, 120), "10 cpu1 sched_switch y/91 S -> idle/0", CPU_END),
		   ROWS("rule=cpu-hog text='a (10) waits 75 % of its time for a CPU although CPU 1 is idle (affinity): b (11) runs meanwhile'"));
}
END_TEST

START_TEST(cpu_priorities)
{
	check_rows(FINDINGS, LINES(CPU_WAIT(120, "b", 11, 49), CPU_END),
		   ROWS("rule=cpu-realtime text='a (10) waits 75 % of its time for a CPU: b (11) runs meanwhile, at real-time priority 50'"));
	check_rows(FINDINGS, LINES(CPU_WAIT(135, "b", 11, 120), CPU_END),
		   ROWS("rule=cpu-nice text='a (10) waits 75 % of its time for a CPU: b (11) runs meanwhile at nice 0, it is at nice 15 itself'"));
	/* a level or two are no reason */
	check_rows(FINDINGS, LINES(CPU_WAIT(122, "b", 11, 120), CPU_END), ROWS("rule=cpu-hog"));
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "1 cpu0 sched_process_fork kthreadd/2 -> kthreadd/70", "2 cpu0 sched_switch idle/0 R -> k/70 next_prio=120",
				   "1000000 cpu0 sched_waking a/10 target=0 by k/70", "501000000 cpu0 sched_switch k/70 R -> a/10 next_prio=120",
				   "601000000 cpu0 sched_switch a/10 S -> idle/0", CPU_END),
		   ROWS("rule=cpu-kernel text='a (10) waits 83 % of its time for a CPU: the kernel thread k (70) runs meanwhile'"));
}
END_TEST

/* Of 980 ms that a would run it gets twice 60, or 65: less than a quarter of an equal share beside b is 122. */
#define GETS(first_ms, second_ms) \
	"seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", "1000000 cpu0 sched_waking a/10 target=0 by b/11", \
	#first_ms "000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", "491000000 cpu0 sched_switch a/10 R -> b/11 next_prio=120", \
	#second_ms "000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", "981000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120"

START_TEST(weights)
{
	check_rows(FINDINGS, LINES(GETS(431, 921), CPU_END),
		   ROWS("rule=cpu-weight text='a (10) waits 88 % of its time for a CPU: b (11) runs meanwhile, with far more weight (cpu.weight)'"));
	check_rows(FINDINGS, LINES(GETS(426, 916), CPU_END), ROWS("rule=cpu-hog"));
}
END_TEST

/* The same process: its threads are too many for the CPUs, or may use but one of them. */
START_TEST(cpu_of_its_own)
{
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed a/11 pid=10", "1 cpu0 sched_switch idle/0 R -> a/11 next_prio=120",
				   "1000000 cpu0 sched_waking a/10 target=0 by a/11", "501000000 cpu0 sched_switch a/11 R -> a/10 next_prio=120",
				   "1000000001 cpu0 sched_switch a/10 R -> a/11 next_prio=120"),
		   ROWS("rule=cpu-own-threads text='a (10) waits 50 % of its time for a CPU: its own 2 threads compete for the CPUs, 2 at a time'"));
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed a/11 pid=10", "10 cpu1 sched_switch y/91 S -> idle/0", "1 cpu0 sched_switch idle/0 R -> a/11 next_prio=120",
				   "1000000 cpu0 sched_waking a/10 target=0 by a/11", "501000000 cpu0 sched_switch a/11 R -> a/10 next_prio=120",
				   "1000000001 cpu0 sched_switch a/10 R -> a/11 next_prio=120"),
		   ROWS("rule=cpu-affinity text='a (10) waits 50 % of its time for a CPU although CPU 1 is idle: its own tasks share one CPU, by their affinity'"));
}
END_TEST

/* b would run all the time, and a has the CPU for 400 ms, after 60 ms of waiting: a suffers if it need not, b takes. */
#define PREEMPTED \
	"seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", "100000000 cpu0 sched_waking a/10 target=0 by b/11", \
	"130000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", "330000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", \
	"500000000 cpu0 sched_waking a/10 target=0 by b/11", "530000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", \
	"730000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", "1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120"

START_TEST(takers_are_no_victims)
{
	check_rows(FINDINGS, LINES("10 cpu1 sched_switch y/91 S -> idle/0", PREEMPTED),
		   ROWS("rule=cpu-hog text='a (10) waits 13 % of its time for a CPU although CPU 1 is idle (affinity): b (11) runs meanwhile'"));
	check_rows(FINDINGS, LINES(PREEMPTED), NO_ROWS);
	/* of b nothing is known before 150 ms; from then on it never sleeps, so that its 400 ms are what it leaves to a */
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch y/91 S -> idle/0", "150000000 cpu0 sched_switch idle/0 R -> b/11 next_prio=120",
				   "200000000 cpu0 sched_waking a/10 target=0 by b/11", "300000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120",
				   "500000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120", "510000000 cpu0 sched_waking a/10 target=0 by b/11",
				   "610000000 cpu0 sched_switch b/11 R -> a/10 next_prio=120", "810000000 cpu0 sched_switch a/10 S -> b/11 next_prio=120",
				   "1000000001 cpu0 sched_switch b/11 R -> b/11 next_prio=120"),
		   ROWS("rule=cpu-hog text='a (10) waits 33 % of its time for a CPU: b (11) runs meanwhile'"));
}
END_TEST

/* Runnable for 400 ms beside a CPU that is idle. */
START_TEST(throttled)
{
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sched_switch a/10 R -> idle/0",
				   "600000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "700000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=cpu-throttled text='a (10) waits 57 % of its time for a CPU beside an idle one: its cgroup is throttled by its quota (cpu.max)'"));
}
END_TEST

#define QUOTA "seed a/10 pid=10 cgroup=/a", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sched_switch a/10 R -> idle/0", \
	"600000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "700000000 cpu0 sched_switch a/10 S -> idle/0", END

/* cpu.stat of the group, or of one above, tells whether it was: no guess is left. */
START_TEST(throttled_by_its_count)
{
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000", QUOTA),
		   ROWS("rule=cpu-throttled confidence=measured culprit=/a text='a (10) waits 57 % of its time for a CPU beside an idle one: its cgroup /a is throttled by "
			"its quota (cpu.max), in 8 of 10 periods'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000 quota_ns=20000000 period_ns=100000000", QUOTA),
		   ROWS("rule=cpu-throttled text='a (10) waits 57 % of its time for a CPU: its cgroup /a is throttled by "
			"its quota, 20 ms of each 100 ms (cpu.max), in 8 of 10 periods'"));
	/* "max 100000": what is set now is no limit */
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000 period_ns=100000000", QUOTA),
		   ROWS("rule=cpu-throttled text='a (10) waits 57 % of its time for a CPU beside an idle one: its cgroup /a is throttled by "
			"its quota (cpu.max), in 8 of 10 periods'"));
	check_rows(FINDINGS, LINES("counts / periods=10 throttled=7 throttled_ns=390000000", "counts /a", QUOTA),
		   ROWS("rule=cpu-throttled confidence=measured culprit=/"));
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10", QUOTA), NO_ROWS);
	check_rows(FINDINGS, LINES("counts /", QUOTA), ROWS("rule=cpu-throttled confidence=inferred"));
	/* of a part of the recording the counts tell only that it was not */
	check_rows(ASK("tasks", .findings = true, .from_ns = 100000000), LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000", QUOTA),
		   ROWS("rule=cpu-throttled confidence=inferred"));
	check_rows(ASK("tasks", .findings = true, .from_ns = 100000000), LINES("counts /", "counts /a periods=10", QUOTA), NO_ROWS);
	/* another process of its name is in a group without a quota */
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000", "counts /b", "seed a/9 pid=9 cgroup=/b", "2 cpu1 sched_switch a/9 S -> idle/0", QUOTA),
		   ROWS("rule=cpu-throttled confidence=measured"));
	check_rows(FINDINGS, LINES(QUOTA), ROWS("rule=cpu-throttled confidence=inferred"));
}
END_TEST

/* b runs on the CPU meanwhile, and takes nothing from a, which its quota keeps from it. */
START_TEST(throttled_beside_others)
{
#define BESIDE "seed a/10 pid=10 cgroup=/a", "seed b/11 pid=11 cgroup=/b", "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"200000000 cpu0 sched_switch a/10 R -> b/11 next_prio=120", "600000000 cpu0 sched_switch b/11 S -> a/10 next_prio=120", \
	"700000000 cpu0 sched_switch a/10 S -> idle/0", END
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10 throttled=8 throttled_ns=390000000", BESIDE),
		   ROWS("rule=cpu-throttled confidence=measured text='a (10) waits 57 % of its time for a CPU: its cgroup /a is throttled by its quota (cpu.max), in 8 of 10 periods'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10", BESIDE), ROWS("rule=cpu-hog culprit=b"));
}
END_TEST

/* 200 ms of 900 are too little, one that runs all the time waits for nothing, one that sleeps neither. */
START_TEST(no_wait_for_a_cpu)
{
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", "1000000 cpu0 sched_waking a/10 target=0 by b/11",
				   "201000000 cpu0 sched_switch b/11 S -> a/10 next_prio=120", "1000000001 cpu0 sched_switch a/10 R -> a/10 next_prio=120"), NO_ROWS);
	check_rows(FINDINGS, LINES(BEGIN, "1000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "1000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120",
				   "2000000 cpu1 sys_enter t=11 nr=nanosleep", "3000000 cpu1 sched_switch b/11 S -> idle/0",
				   "1000000001 cpu0 sched_switch a/10 R -> a/10 next_prio=120"), NO_ROWS);
}
END_TEST

/* Where most of the time was lost nothing is judged but that, nor in a moment. */
START_TEST(not_to_be_judged)
{
	check_rows(FINDINGS, LINES(CPU_WAIT(120, "b", 11, 120), "cpu0 lost 1", CPU_END), ROWS("rule=cpu-hog", "rule=lost-events"));
	check_rows(FINDINGS, LINES("1 cpu0 sched_switch idle/0 R -> b/11 next_prio=120", "2 cpu0 sched_waking a/10 target=0 by b/11", "cpu0 lost 1",
				   "900000001 cpu0 sched_switch b/11 R -> a/10 next_prio=120", CPU_END),
		   ROWS("rule=lost-events text='the recording lacks events: they were lost for 89 % of the time: the ring buffer is too small (-b)'"));
	check_rows(FINDINGS, LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a", "90000000 cpu0 sched_switch z/90 S -> idle/0"), NO_ROWS);
}
END_TEST

/* ---- disks ---- */

#define ISSUE(ns, tid, rwbs, sector, comm) #ns " cpu0 block_rq_issue t=" #tid " 8,0 " rwbs " 4096 sector=" #sector " nr=8 comm=" comm
#define DONE(ns, rwbs, sector) #ns " cpu0 block_rq_complete t=0 8,0 " rwbs " sector=" #sector " nr=8"
#define ASLEEP(ns, letter) #ns " cpu0 sched_switch a/10 " letter " -> idle/0"
#define AWAKE(ns) #ns " cpu0 sched_waking a/10 target=0 by idle/0 irq", #ns " cpu0 sched_switch idle/0 R -> a/10 next_prio=120"

/* 200 ms run, 600 of 800 for a request of its own. */
START_TEST(a_slow_disk)
{
	check_rows(FINDINGS, LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5",
				   ISSUE(200000000, 10, "R", 100, "a"), ASLEEP(200000001, "D"), DONE(800000000, "R", 100), AWAKE(800000001),
				   "810000000 cpu0 sys_exit t=10 nr=read ret=4096", ASLEEP(900000001, "S"), END),
		   ROWS("rule=disk-slow text='a (10) waits 75 % of its time for disk 8,0: the device 8,0 is slow, it takes 600 ms for a request, one at a time (queue depth 1)' "
			"why='iosnoop pid == 10, disks dev == \"8,0\", antagonists pid == 10, offcpu pid == 10'"));
}
END_TEST

/* The same disk by its name, and where it is mounted. */
START_TEST(a_mounted_disk)
{
	check_rows(FINDINGS, LINES(BEGIN, "disk 8,0 sda /var", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5",
				   ISSUE(200000000, 10, "R", 100, "a"), ASLEEP(200000001, "D"), DONE(800000000, "R", 100), AWAKE(800000001),
				   "810000000 cpu0 sys_exit t=10 nr=read ret=4096", ASLEEP(900000001, "S"), END),
		   ROWS("rule=disk-slow text='a (10) waits 75 % of its time for disk sda (/var): the device sda is slow, it takes 600 ms for a request, one at a time (queue depth 1)'"));
}
END_TEST

/* b's request completes at 700 ms, then a's: 500 ms of the wait are b's. */
START_TEST(a_shared_disk)
{
	check_rows(FINDINGS, LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5",
				   "120000000 cpu1 block_rq_issue t=11 8,0 W 4096 sector=900 nr=8 comm=b", ISSUE(200000000, 10, "R", 100, "a"), ASLEEP(200000001, "D"),
				   DONE(700000000, "W", 900), DONE(800000000, "R", 100), AWAKE(800000001), "810000000 cpu0 sys_exit t=10 nr=read ret=4096",
				   ASLEEP(900000001, "S"), END),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for requests of b (11)'"));
}
END_TEST

/* The same, where b's pages are written back by a worker: b has written 8 MB. Pages of another that writes 1 MB are no reason. */
#define WRITTEN_BACK(bytes, type, ...) \
	BEGIN, "10 cpu1 sched_process_fork kthreadd/2 -> kworker/u4:0/70", "20 cpu1 sys_enter t=11 nr=write 3", "30 cpu1 sys_exit t=11 nr=write ret=" bytes, \
	"100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5", \
	"120000000 cpu1 block_rq_issue t=70 8,0 " type " 4096 sector=900 nr=8 comm=kworker/u4:0", ISSUE(200000000, 10, "R", 100, "a"), ASLEEP(200000001, "D"), \
	__VA_ARGS__ DONE(700000000, type, 900), DONE(800000000, "R", 100), AWAKE(800000001), "810000000 cpu0 sys_exit t=10 nr=read ret=4096", ASLEEP(900000001, "S"), END

START_TEST(written_back)
{
	check_rows(FINDINGS, LINES(WRITTEN_BACK("8000000", "W", )),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for the write-back of what b (11) writes'"));
	check_rows(FINDINGS, LINES(WRITTEN_BACK("900000", "W", )),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for requests of kworker/u4:0 (70)'"));
	/* no read is written back */
	check_rows(FINDINGS, LINES(WRITTEN_BACK("8000000", "R", )),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for requests of kworker/u4:0 (70)'"));
	/* most of it is for a request of its own */
	check_rows(FINDINGS, LINES(WRITTEN_BACK("8000000", "W", ISSUE(300000000, 11, "R", 500, "b"), DONE(600000000, "R", 500), )),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for requests of b (11)'"));
}
END_TEST

/* A worker issues the request of a at 700 ms: io.max. If all requests of the disk are, it may be a stacked device as well. */
#define HELD_BACK(...) \
	BEGIN, "10 cpu1 sched_process_fork kthreadd/2 -> kworker/1:0/70", __VA_ARGS__ \
	"100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5", ASLEEP(200000001, "D"), \
	ISSUE(700000000, 70, "R", 100, "kworker/1:0"), DONE(800000000, "R", 100), AWAKE(800000001), "810000000 cpu0 sys_exit t=10 nr=read ret=4096", \
	ASLEEP(900000001, "S"), END

START_TEST(held_back)
{
	check_rows(FINDINGS, LINES(HELD_BACK(ISSUE(1000, 11, "R", 500, "b"), DONE(2000, "R", 500), )),
		   ROWS("rule=disk-held-back text='a (10) waits 75 % of its time for disk 8,0 in read: its requests are held back before the device, by io.max of its cgroup'"));
	check_rows(FINDINGS, LINES(HELD_BACK()),
		   ROWS("rule=disk-held-back text='a (10) waits 75 % of its time for disk 8,0 in read: its requests are held back before the device, "
			"by io.max of its cgroup or by a delay of a stacked device'"));
	/* it is known that there is one */
	check_rows(FINDINGS, LINES("stacked 254,0 8,0 vg-root", HELD_BACK()),
		   ROWS("rule=disk-held-back text='a (10) waits 75 % of its time for disk 8,0 in read: the stacked device 254,0 (vg-root) delays its requests, "
			"499 ms each, before they reach the disk 8,0 below it'"));
}
END_TEST

/* a waits for a commit, while the disk serves b for 600 ms of 1000; or while b, which is not waited for, writes 8 MB. */
#define COMMITS(...) \
	BEGIN, "10 cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", __VA_ARGS__, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"110000000 cpu0 sys_enter t=10 nr=fsync 3", ASLEEP(200000001, "D"), \
	"750000000 cpu0 block_rq_issue t=70 8,0 WS 4096 sector=100 nr=8 comm=jbd2/sda-8", DONE(760000000, "WS", 100), \
	"800000000 cpu1 sched_waking a/10 target=0 by jbd2/sda-8/70", "800000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"810000000 cpu0 sys_exit t=10 nr=fsync ret=0", ASLEEP(900000001, "S"), END

START_TEST(commits_of_others)
{
	check_rows(FINDINGS, LINES(COMMITS("20 cpu1 sys_enter t=11 nr=write 3", "30 cpu1 sys_exit t=11 nr=write ret=8000000")),
		   ROWS("rule=disk-flush text='a (10) waits 75 % of its time for disk in fsync: jbd2/sda-8 commits and flushes what b (11) writes, once a second'"));
}
END_TEST

/* a changes a directory, and waits for a commit; b waits longer in fsync, for the commit that it forces: who takes is not listed as who suffers. */
START_TEST(commits_by_others)
{
	check_rows(FINDINGS,
		   LINES(BEGIN, WITH_REQUESTS, "10 cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120",
			 "100000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "110000000 cpu1 sys_enter t=11 nr=fsync 3", "150000000 cpu1 sched_switch b/11 D -> idle/0",
			 "190000000 cpu0 sys_enter t=10 nr=openat 3", ASLEEP(200000001, "D"), "800000000 cpu1 sched_waking a/10 target=0 by jbd2/sda-8/70",
			 "800000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "810000000 cpu0 sys_exit t=10 nr=openat ret=0", ASLEEP(900000001, "S"),
			 "950000000 cpu0 sched_waking b/11 target=1 by jbd2/sda-8/70", "950000001 cpu1 sched_switch idle/0 R -> b/11 next_prio=120",
			 "960000000 cpu1 sys_exit t=11 nr=fsync ret=0", "1000000001 cpu1 sched_switch b/11 S -> idle/0"),
		   ROWS("rule=disk-journal text='a (10) waits 75 % of its time for the journal of a file system in openat: b (11) forces commits (jbd2/sda-8)'"));
}
END_TEST

/* a waits until a write of the journal completes, which the journal's thread prepares from 200 to 700 ms: nobody holds its requests back. */
#define WRITTEN_BY_JOURNAL(type, issue_ns) \
	BEGIN, "10 cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"110000000 cpu0 sys_enter t=10 nr=openat 3", ASLEEP(200000001, "D"), #issue_ns " cpu1 block_rq_issue t=70 8,0 " type " 4096 sector=100 nr=8 comm=jbd2/sda-8", \
	DONE(800000000, type, 100), AWAKE(800000001), "810000000 cpu0 sys_exit t=10 nr=openat ret=0", ASLEEP(900000001, "S"), END

START_TEST(written_by_journal)
{
	check_rows(FINDINGS, LINES(WRITTEN_BY_JOURNAL("WSM", 700000000)),
		   ROWS("rule=disk-journal text='a (10) waits 75 % of its time for the journal of a file system in openat: jbd2/sda-8 (70) commits'"));
	check_rows(FINDINGS, LINES(WRITTEN_BY_JOURNAL("WS", 700000000)), ROWS("rule=disk-held-back"));
	/* nor is it a request of its own in the device: of 600 ms 500 are for that request */
	check_rows(FINDINGS, LINES(WRITTEN_BY_JOURNAL("WSM", 300000000)),
		   ROWS("rule=disk-shared text='a (10) waits 75 % of its time for disk 8,0: 83 % of it for requests of jbd2/sda-8 (70)'"));
}
END_TEST

/* It waits still, and the request is with the device: that is why. */
START_TEST(disk_that_does_not_answer)
{
	check_rows(FINDINGS, LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5",
				   ISSUE(200000000, 10, "R", 100, "a"), ASLEEP(200000001, "D"), END),
		   ROWS("text='a (10) waits 89 % of its time for disk 8,0: its request has not completed yet'"));
}
END_TEST

/* In fsync it waits for the journal; no event tells what somebody else in state D waits for. */
START_TEST(flush_and_unknown)
{
	check_rows(FINDINGS, LINES(BEGIN, WITH_REQUESTS, "10 cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120",
				   "110000000 cpu0 sys_enter t=10 nr=fsync 3", ASLEEP(200000001, "D"), "800000000 cpu1 sched_waking a/10 target=0 by jbd2/sda-8/70",
				   "800000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "810000000 cpu0 sys_exit t=10 nr=fsync ret=0", ASLEEP(900000001, "S"), END),
		   ROWS("rule=disk-flush text='a (10) waits 75 % of its time for disk in fsync: jbd2/sda-8 commits and flushes, once a second'"));
	check_rows(FINDINGS, LINES(BEGIN, WITH_REQUESTS, WITH_LOCKS, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=openat 3",
				   ASLEEP(200000001, "D"), "800000000 cpu1 sched_waking a/10 target=0 by b/11", "800000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120",
				   "810000000 cpu0 sys_exit t=10 nr=openat ret=0", ASLEEP(900000001, "S"), END),
		   ROWS("rule=blocked text='a (10) waits 75 % of its time for something in the kernel that no event tells (state D, in openat): b (11) ends it'"));
}
END_TEST

/* A kernel thread that writes back waits for the disk: that is its work. */
START_TEST(kernel_threads)
{
	check_rows(FINDINGS, LINES(BEGIN, "10 cpu0 sched_process_fork kthreadd/2 -> kworker/70", "100000000 cpu0 sched_switch idle/0 R -> kworker/70 next_prio=120",
				   "200000001 cpu0 sched_switch kworker/70 D -> idle/0", END), NO_ROWS);
}
END_TEST

/* ---- locks ---- */

START_TEST(locks)
{
	check_rows(FINDINGS,
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=rename 3", "200000000 cpu0 contention_begin t=10 4096 32",
			 "200000001 cpu0 sched_switch a/10 D -> b/11 next_prio=120", "500000000 cpu0 sched_waking a/10 target=0 by b/11",
			 "500000001 cpu0 sched_switch b/11 S -> a/10 next_prio=120", "500000001 cpu0 contention_end t=10 4096", "600000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=kernel-lock text='a (10) waits 60 % of its time for a kernel lock (mutex at 0x1000) in rename: b (11) holds it (it runs on a CPU)'"));
	/* where it was begun, as far as stacks were recorded: the first one of a recording is not used */
	check_rows(ASK("why", .findings = true, .samples = SAMPLES("1 cpu0 exec 10")),
		   LINES(BEGIN, "10 cpu3 kernel_stack t=0", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=rename 3",
			 "200000000 cpu0 contention_begin t=10 4096 32", "200000000 cpu0 kernel_stack t=10 c1000210 c1000110",
			 "200000001 cpu0 sched_switch a/10 D -> b/11 next_prio=120", "500000000 cpu0 sched_waking a/10 target=0 by b/11",
			 "500000001 cpu0 sched_switch b/11 S -> a/10 next_prio=120", "500000001 cpu0 contention_end t=10 4096", "600000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=kernel-lock text='a (10) waits 60 % of its time for a kernel lock (mutex at 0x1000, taken at do_read) in rename: b (11) holds it (it runs on a CPU)'"));
}
END_TEST

/* One thread of three waits 300 ms, which is 12 % of what all of them did: enough for their own mmap_lock, not for another lock. */
#define ONE_OF_THREE(call) \
	"seed a/10 pid=10", "seed b/11 pid=10", "seed c/12 pid=10", "1 cpu1 sched_switch idle/0 R -> c/12 next_prio=120", \
	"1 cpu2 sched_switch idle/0 R -> b/11 next_prio=120", "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"110000000 cpu0 sys_enter t=10 nr=" call " 3", "200000000 cpu0 contention_begin t=10 4096 4", "200000001 cpu0 sched_switch a/10 D -> idle/0", \
	"500000000 cpu2 sched_waking a/10 target=0 by b/11", "500000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"500000001 cpu0 contention_end t=10 4096", "600000000 cpu0 sched_switch a/10 S -> idle/0", \
	"1000000001 cpu2 sched_switch b/11 R -> b/11 next_prio=120", "1000000001 cpu1 sched_switch c/12 R -> c/12 next_prio=120"

START_TEST(mmap_lock)
{
	check_rows(FINDINGS, LINES(ONE_OF_THREE("munmap")),
		   ROWS("rule=mmap-lock text='a (10) waits 12 % of its time for the mmap_lock of its process in munmap: b (11) holds it (it runs on a CPU)'"));
	check_rows(FINDINGS, LINES(ONE_OF_THREE("rename")), NO_ROWS);
}
END_TEST

/* A compiler's driver waits for the compiler all the time: no sentence, but for a process of another name. */
#define WAITS_FOR_CHILD(name) \
	"seed " name "/10 pid=10", "seed cc1/11 pid=11", "100000000 cpu0 sched_switch idle/0 R -> " name "/10 next_prio=120", \
	"110000000 cpu0 sys_enter t=10 nr=wait4 3", "200000001 cpu0 sched_switch " name "/10 S -> cc1/11 next_prio=120", \
	"600000000 cpu0 sched_waking " name "/10 target=0 by cc1/11", "600000001 cpu0 sched_switch cc1/11 S -> " name "/10 next_prio=120", \
	"610000000 cpu0 sys_exit t=10 nr=wait4 ret=11", "700000000 cpu0 sched_switch " name "/10 S -> idle/0", END

START_TEST(launchers)
{
	check_rows(FINDINGS, LINES(WAITS_FOR_CHILD("a")), ROWS("rule=peer-child"));
	check_rows(FINDINGS, LINES(WAITS_FOR_CHILD("cc")), NO_ROWS);
}
END_TEST

/* A kernel without lock events: who ends 400 ms in state D had one, but a child ends its parent's vfork, and a kernel thread what is its work. */
#define STATE_D(call, by) \
	"without contention_begin", BEGIN, WITH_REQUESTS, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=" call " 3", \
	"200000001 cpu0 sched_switch a/10 D -> " by " next_prio=120", "600000000 cpu0 sched_waking a/10 target=0 by " by, \
	"600000001 cpu0 sched_switch " by " S -> a/10 next_prio=120", "610000000 cpu0 sys_exit t=10 nr=" call " ret=0", "700000000 cpu0 sched_switch a/10 S -> idle/0", END

START_TEST(locks_without_lock_events)
{
	check_rows(FINDINGS, LINES(STATE_D("rename", "b/11")),
		   ROWS("rule=kernel-lock text='a (10) waits 67 % of its time for a kernel lock, most likely (this kernel has no lock events), in rename: "
			"b (11) holds it (it runs on a CPU)'"));
	check_rows(FINDINGS, LINES("seed a/15 pid=10", "seed b/11 pid=10", STATE_D("munmap", "b/11")),
		   ROWS("rule=mmap-lock"));
	check_rows(FINDINGS, LINES(STATE_D("vfork", "b/11")), ROWS("rule=peer-child"));
	check_rows(FINDINGS, LINES("1 cpu1 sched_process_fork kthreadd/2 -> kworker/u2:0/70", STATE_D("rename", "kworker/u2:0/70")), ROWS("rule=blocked"));
}
END_TEST

/* 300 ms for a lock; a thread that waits for work as long is no finding. */
START_TEST(futexes)
{
	check_rows(FINDINGS,
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sys_enter t=10 nr=futex 1000 80 2",
			 "200000001 cpu0 sched_switch a/10 S -> b/11 next_prio=120", "200000002 cpu0 sys_enter t=11 nr=futex 2000 80 0",
			 "500000000 cpu0 sched_waking a/10 target=0 by b/11", "500000000 cpu0 sys_exit t=11 nr=futex ret=0",
			 "500000001 cpu0 sched_switch b/11 S -> a/10 next_prio=120", "500000001 cpu0 sys_exit t=10 nr=futex ret=0", "600000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=futex-lock text='a (10) waits 60 % of its time for a lock that processes share (futex at 0x1000): b (11) holds it (it runs on a CPU)'"));
	check_rows(FINDINGS,
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sys_enter t=10 nr=futex 1000 80 0",
			 "200000001 cpu0 sched_switch a/10 S -> b/11 next_prio=120", "500000000 cpu0 sched_waking a/10 target=0 by b/11",
			 "500000001 cpu0 sched_switch b/11 S -> a/10 next_prio=120", "500000001 cpu0 sys_exit t=10 nr=futex ret=0", "600000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   NO_ROWS);
}
END_TEST

/* ---- peers ---- */

/* a reads for 500 ms, and b, which wakes it, ran meanwhile, or slept as long as it asked for. */
#define READS(...) \
	BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sys_enter t=10 nr=read 3 4 5", ASLEEP(200000001, "S"), __VA_ARGS__, \
	"700000000 cpu1 sched_waking a/10 target=0 by b/11", "700000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"710000000 cpu0 sys_exit t=10 nr=read ret=5", ASLEEP(800000001, "S"), END

START_TEST(peers)
{
	check_rows(FINDINGS, LINES(READS("190000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120")),
		   ROWS("rule=peer-read text='a (10) waits 71 % of its time in read for a peer, over a pipe or a socket: b (11) runs on a CPU'"));
	check_rows(FINDINGS, LINES(READS("190000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "200000000 cpu1 sys_enter t=11 nr=nanosleep",
					 "200000001 cpu1 sched_switch b/11 S -> idle/0", "690000000 cpu1 sched_waking b/11 target=1 by idle/0",
					 "690000001 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", "690000002 cpu1 sys_exit t=11 nr=nanosleep ret=0")),
		   NO_ROWS);
}
END_TEST

/* ---- interrupts ---- */

START_TEST(interrupts)
{
	check_rows(FINDINGS, LINES(BEGIN, "100000000 cpu0 softirq_entry t=0 3", "350000001 cpu0 softirq_exit t=0 3", END), NO_ROWS);
	check_rows(FINDINGS, LINES(BEGIN, "100000000 cpu0 softirq_entry t=0 3", "550000001 cpu0 softirq_exit t=0 3", END),
		   ROWS("rule=cpu-in-interrupts weight=450 text='CPU 0 loses 45 % of its time to interrupts: softirq NET_RX takes most of it' where='cpu == 0'"));
}
END_TEST

Suite *rs_suite_findings(void);
Suite *rs_suite_findings(void)
{
	Suite *s = suite_create("findings");
	TCase *t = tcase_create("findings");

	tcase_add_test(t, one_hog);
	tcase_add_test(t, cpu_priorities);
	tcase_add_test(t, weights);
	tcase_add_test(t, cpu_of_its_own);
	tcase_add_test(t, takers_are_no_victims);
	tcase_add_test(t, throttled);
	tcase_add_test(t, throttled_by_its_count);
	tcase_add_test(t, throttled_beside_others);
	tcase_add_test(t, no_wait_for_a_cpu);
	tcase_add_test(t, not_to_be_judged);
	tcase_add_test(t, a_slow_disk);
	tcase_add_test(t, a_mounted_disk);
	tcase_add_test(t, a_shared_disk);
	tcase_add_test(t, written_back);
	tcase_add_test(t, held_back);
	tcase_add_test(t, commits_of_others);
	tcase_add_test(t, commits_by_others);
	tcase_add_test(t, written_by_journal);
	tcase_add_test(t, disk_that_does_not_answer);
	tcase_add_test(t, flush_and_unknown);
	tcase_add_test(t, kernel_threads);
	tcase_add_test(t, locks);
	tcase_add_test(t, mmap_lock);
	tcase_add_test(t, launchers);
	tcase_add_test(t, locks_without_lock_events);
	tcase_add_test(t, futexes);
	tcase_add_test(t, peers);
	tcase_add_test(t, interrupts);
	suite_add_tcase(s, t);
	return s;
}
