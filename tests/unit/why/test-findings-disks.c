// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-disks - who waits for a disk, and because of whom, where several write and flush: traces of one second */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define BEGIN "seed a/10 pid=10", "seed b/11 pid=11", "10 cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", \
	      "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "100000000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120"

/*
 * a flushes: it waits for a write of its own, of 100 ms, then up to 800 ms for the commit; b flushes for b_call as long, and the
 * disk serves its writes from 230 ms on, up to b_done.
 */
#define TWO_FLUSH(b_call, b_done) \
	BEGIN, "110000000 cpu0 sys_enter t=10 nr=fsync 3", "110000001 cpu1 sys_enter t=11 nr=" b_call " 3", \
	"120000000 cpu0 block_rq_issue t=10 8,0 WS 4096 sector=100 nr=8 comm=a", "120000001 cpu0 sched_switch a/10 D -> idle/0", \
	"130000000 cpu1 sched_switch b/11 D -> idle/0", "220000000 cpu0 block_rq_complete t=0 8,0 WS sector=100 nr=8", \
	"220000001 cpu0 sched_waking a/10 target=0 by idle/0 irq", "220000002 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"221000000 cpu0 sched_switch a/10 D -> idle/0", "230000000 cpu1 block_rq_issue t=11 8,0 WS 4096 sector=200 nr=8 comm=b", \
	#b_done "000000 cpu1 block_rq_complete t=0 8,0 WS sector=200 nr=8", \
	"750000000 cpu0 block_rq_issue t=70 8,0 WS 4096 sector=300 nr=8 comm=jbd2/sda-8", \
	"760000000 cpu0 block_rq_complete t=70 8,0 WS sector=300 nr=8", \
	"800000000 cpu1 sched_waking a/10 target=0 by jbd2/sda-8/70", "800000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	"801000000 cpu1 sched_waking b/11 target=1 by jbd2/sda-8/70", "801000001 cpu1 sched_switch idle/0 R -> b/11 next_prio=120", \
	"810000000 cpu0 sys_exit t=10 nr=fsync ret=0", "810000001 cpu1 sys_exit t=11 nr=" b_call " ret=0", \
	"900000000 cpu0 sched_switch a/10 S -> idle/0", "1000000001 cpu1 sched_switch b/11 S -> idle/0"

/* Both wait for the journal, but most of what it writes and waits for is b's: a suffers, b takes. */
START_TEST(a_commit_for_a_heavier_flusher)
{
	check_rows(FINDINGS, LINES(TWO_FLUSH("fsync", 440)),
		   ROWS("rule=disk-flush victim=a culprit=b text='a (10) waits 85 % of its time for disk 8,0 in fsync: jbd2/sda-8 commits and flushes what b (11) writes, once a second'"));
}
END_TEST

/* Where the disk serves both about as long, neither is told as who takes; nor is who waits for no flush. */
START_TEST(a_commit_of_both)
{
	check_rows(FINDINGS, LINES(TWO_FLUSH("fsync", 400)), ROWS("rule=disk-flush victim=a culprit=jbd2/sda-8", "rule=disk-flush victim=b culprit=8,0"));
	check_rows(FINDINGS, LINES(TWO_FLUSH("openat", 440)), ROWS("rule=disk-flush victim=a culprit=jbd2/sda-8", "rule=disk-slow victim=b culprit=8,0"));
}
END_TEST

/* a flushes by a request of its own, up to to_ms of a second, and sleeps for the rest of it. */
#define FLUSHES(to_ms) \
	BEGIN, "110000000 cpu0 sys_enter t=10 nr=fdatasync 3", "110000001 cpu1 sched_switch b/11 S -> idle/0", \
	"110000002 cpu0 block_rq_issue t=10 8,0 WS 4096 sector=100 nr=8 comm=a", "110000003 cpu0 sched_switch a/10 D -> idle/0", \
	#to_ms "000000 cpu0 block_rq_complete t=0 8,0 WS sector=100 nr=8", #to_ms "000001 cpu0 sched_waking a/10 target=0 by idle/0 irq", \
	#to_ms "000002 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", #to_ms "000003 cpu0 sys_exit t=10 nr=fdatasync ret=0", \
	#to_ms "000004 cpu0 sys_enter t=10 nr=nanosleep 1 0", #to_ms "000005 cpu0 sched_switch a/10 S -> idle/0", "1100000001 cpu1 sched_switch idle/0 S -> b/11"

/* The file of the descriptor, unless its writes are of several. */
START_TEST(a_file_that_is_flushed)
{
#define FD_3 "fd 10 3 110000000 /var/db"
#define BEFORE(done_ms) "20 cpu0 block_rq_issue t=10 8,0 WS 4096 sector=900 nr=8 comm=a", #done_ms "000000 cpu0 block_rq_complete t=0 8,0 WS sector=900 nr=8"
#define WAITS_IN(call) ROWS("rule=disk-flush victim=a text='a (10) waits 85 % of its time for disk 8,0 in " call ": jbd2/sda-8 commits and flushes what b (11) writes, once a second'")
	check_rows(FINDINGS, LINES(FD_3, TWO_FLUSH("fsync", 700)), WAITS_IN("fsync of /var/db"));
	check_rows(FINDINGS, LINES(FD_3, BEFORE(10), TWO_FLUSH("fsync", 700)), WAITS_IN("fsync of /var/db"));
	check_rows(FINDINGS, LINES(FD_3, BEFORE(90), TWO_FLUSH("fsync", 700)), WAITS_IN("fsync"));
	check_rows(FINDINGS, LINES(TWO_FLUSH("fsync", 700)), WAITS_IN("fsync"));
}
END_TEST

/* Of 1.1 s a third are 366 ms: who commits now and then, and sleeps more than it waits, is at leisure. */
START_TEST(a_few_commits)
{
	check_rows(FINDINGS, LINES(FLUSHES(480)), ROWS("rule=disk-flush victim=a culprit=8,0"));
	check_rows(FINDINGS, LINES(FLUSHES(470)), NO_ROWS);
}
END_TEST

/* a reads one block for 600 ms, while a worker writes back so many bytes of the 8 MB that b writes: the disk is not slow, but busy. */
#define READS_BESIDE_OF(a, b, written_back) \
	"seed " a "/10 pid=10", "seed " b "/11 pid=11", "10 cpu1 sched_process_fork kthreadd/2 -> kworker/u4:0/70", \
	"20 cpu1 sys_enter t=11 nr=write 3", "30 cpu1 sys_exit t=11 nr=write ret=8000000", \
	"100000000 cpu0 sched_switch idle/0 R -> " a "/10 next_prio=120", "110000000 cpu0 sys_enter t=10 nr=read 3 4 5", \
	"150000000 cpu1 block_rq_issue t=70 8,0 W " #written_back " sector=900 nr=8 comm=kworker/u4:0", \
	"195000000 cpu1 block_rq_complete t=0 8,0 W sector=900 nr=8", \
	"200000000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=" a, "200000001 cpu0 sched_switch " a "/10 D -> idle/0", \
	"800000000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8", \
	"800000001 cpu0 sched_waking " a "/10 target=0 by idle/0 irq", "800000002 cpu0 sched_switch idle/0 R -> " a "/10 next_prio=120", \
	"810000000 cpu0 sys_exit t=10 nr=read ret=4096", "900000000 cpu0 sched_switch " a "/10 S -> idle/0", "1000000001 cpu1 sched_switch " b "/11 S -> idle/0"
#define READS_BESIDE(written_back) READS_BESIDE_OF("a", "b", written_back)

START_TEST(a_disk_that_writes_back)
{
	check_rows(FINDINGS, LINES(READS_BESIDE(8192)),
		   ROWS("rule=disk-shared victim=a culprit=b text='a (10) waits 75 % of its time for disk 8,0: the disk writes back what b (11) writes meanwhile, 322 ms for each request'"));
	check_rows(FINDINGS, LINES(READS_BESIDE(2048)), ROWS("rule=disk-slow victim=a culprit=8,0"));
	/* one interpreter, two programs; of one program, it is its own that it waits for */
	check_rows(FINDINGS, LINES("args 10 python3 web.py", "args 11 python3 batch.py", READS_BESIDE_OF("python3", "python3", 8192)),
		   ROWS("rule=disk-shared text='python3 web.py (10) waits 75 % of its time for disk 8,0: the disk writes back what python3 batch.py (11) "
			"writes meanwhile, 322 ms for each request'"));
	check_rows(FINDINGS, LINES("args 10 python3 web.py", "args 11 python3 web.py", READS_BESIDE_OF("python3", "python3", 8192)),
		   ROWS("rule=disk-slow culprit=8,0"));
}
END_TEST

/*
 * In each round of 100 ms a waits disk_ms for the disk, and for irq_ms more until the softirq ends that wakes it; then it runs. vec 4 is
 * BLOCK, in which its request completes; 3 is NET_RX, which runs while that is done on the other CPU.
 */
static void disks_put_interrupts(unsigned int disk_ms, unsigned int irq_ms, unsigned int vec)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1 cpu1 sched_switch b/11 S -> idle/0");
	made_line("2 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("3 cpu0 sys_enter t=10 nr=read 3 4 5");
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int us = round * 100000 + 10, done = us + disk_ms * 1000;

		made_line("%u000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=%u nr=8 comm=a", us, 8 * round + 8);
		made_line("%u001 cpu0 sched_switch a/10 D -> idle/0", us);
		made_line("%u000 cpu0 softirq_entry t=0 %u", done - 1, vec);
		made_line("%u000 cpu%u block_rq_complete t=0 8,0 R sector=%u nr=8", done, vec == 4 ? 0 : 1, 8 * round + 8);
		made_line("%u001 cpu%u sched_waking a/10 target=0 by idle/0 irq", done, vec == 4 ? 0 : 1);
		made_line("%u000 cpu0 softirq_exit t=0 %u", done + irq_ms * 1000, vec);
		made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", done + irq_ms * 1000);
	}
	made_line("1000010001 cpu0 sched_switch a/10 S -> idle/0");
}

/* 25 ms and 15 of 100 are 40 %: one wait, for which either is too little. Other softirqs are no part of the disk's time. */
START_TEST(a_disk_and_its_interrupts)
{
	disks_put_interrupts(25, 15, 4);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=disk-slow text='a (10) waits 40 % of its time for disk 8,0 and its interrupts: the device 8,0 is slow, it takes 25 ms for a request, one at a time (queue depth 1)' "
			"lost_ms=400 measured=40"));
	disks_put_interrupts(25, 15, 3);
	check_rows(FINDINGS, made_lines, ROWS("rule=cpu-in-interrupts victim=a lost_ms=150"));
	disks_put_interrupts(22, 9, 4);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	disks_put_interrupts(40, 2, 4);
	check_rows(FINDINGS, made_lines, ROWS("rule=disk-slow lost_ms=420 text='a (10) waits 42 % of its time for disk 8,0: the device 8,0 is slow, it takes 40 ms for a request, one at a time (queue depth 1)'"));
}
END_TEST

Suite *rs_suite_findings_disks(void);
Suite *rs_suite_findings_disks(void)
{
	Suite *s = suite_create("findings_disks");
	TCase *t = tcase_create("findings_disks");

	tcase_add_test(t, a_commit_for_a_heavier_flusher);
	tcase_add_test(t, a_file_that_is_flushed);
	tcase_add_test(t, a_commit_of_both);
	tcase_add_test(t, a_few_commits);
	tcase_add_test(t, a_disk_that_writes_back);
	tcase_add_test(t, a_disk_and_its_interrupts);
	suite_add_tcase(s, t);
	return s;
}
