// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-rules - rules of findings, each with a trace that raises it, and one that does not by a little
 *
 * What is compared is the rule, the victim, the culprit and the cost, not the sentence: test-findings has sentences. An
 * interval is a second, and a rule of 33 % is that of what the process did or could not do.
 */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "engine/session.h"

#define FINDINGS ASK("tasks", .findings = true)
#define SEEDS SEEDS_IN("")
#define SEEDS_IN(group) "seed a/10 pid=10" group, "seed b/11 pid=11", "1 cpu0 sched_switch idle/0 R -> z/90 next_prio=120", "2 cpu0 sched_switch z/90 S -> idle/0"
#define END "1000000001 cpu1 sched_switch z/90 S -> idle/0"
#define MS(n) #n "000000 "

/* ---- long recordings ---- */

#define MAX_LINES 4096
#define LINE_BYTES 96

static char text[MAX_LINES][LINE_BYTES];
static const char *lines[MAX_LINES + 1];
static unsigned int nr_lines;

__attribute__((format(printf, 1, 2)))
static void add(const char *fmt, ...)
{
	va_list ap;

	ck_assert_uint_lt(nr_lines, MAX_LINES);
	va_start(ap, fmt);
	vsnprintf(text[nr_lines], LINE_BYTES, fmt, ap);
	va_end(ap);
	lines[nr_lines] = text[nr_lines];
	lines[++nr_lines] = NULL;
}

/* a has a CPU from the begin on. */
static void begin(void)
{
	nr_lines = 0;
	add("seed a/10 pid=10");
	add("seed b/11 pid=11");
	add("1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
}

static void check_added(const char *const *expected)
{
	check_rows(FINDINGS, lines, expected);
}

/* ---- calls ---- */

/* In a tenth of a second a handles nr signals, of which b sends nr_sent. After each a waits for a child; NULL: not so. */
static void add_signals_and_waits(int nr, int nr_sent, const char *ret)
{
	begin();
	add("1000 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	for (int i = 0; i < nr; i++) {
		if (i < nr_sent) {
			add("%d cpu1 sys_enter t=11 nr=kill a 1", 10000 + i * 1000000);
			add("%d cpu1 sys_exit t=11 nr=kill ret=0", 20000 + i * 1000000);
		}
		add("%d cpu0 sys_enter t=10 nr=rt_sigreturn", 30000 + i * 1000000);
		add("%d cpu0 sys_exit t=10 nr=-1 ret=0", 31000 + i * 1000000);
		if (ret) {
			add("%d cpu0 sys_enter t=10 nr=wait4 ffffffff 0 1 0", 40000 + i * 1000000);
			add("%d cpu0 sys_exit t=10 nr=wait4 ret=%s", 41000 + i * 1000000, ret);
		}
	}
	add("100000999 cpu1 sched_switch b/11 S -> idle/0");
	add("100001000 cpu0 sched_switch a/10 S -> idle/0");
}

static void add_signals(int nr, int nr_sent)
{
	add_signals_and_waits(nr, nr_sent, NULL);
}

/* 60 in 0.1 s are 600 a second, 29 are 290. The whole interval is the cost. Without a sender a timer of its own is it. */
START_TEST(signal_storm)
{
	add_signals(60, 60);
	check_added(ROWS("rule=signal-storm victim=a culprit=b cost_ms=100"));
	add_signals(60, 5);
	check_added(ROWS("rule=signal-storm victim=a culprit=a cost_ms=100"));
	add_signals(31, 31);
	check_added(ROWS("rule=signal-storm victim=a culprit=b cost_ms=100"));
	add_signals(29, 29);
	check_added(NO_ROWS);
}
END_TEST

/* The SIGCHLD of a child that it waits for is no storm; a wait that found none has had none. */
START_TEST(signals_of_children)
{
	add_signals_and_waits(60, 0, "4711");
	check_added(NO_ROWS);
	add_signals_and_waits(60, 0, "0");
	check_added(ROWS("rule=signal-storm victim=a culprit=a cost_ms=100"));
	add_signals_and_waits(60, 0, "-10");
	check_added(ROWS("rule=signal-storm victim=a culprit=a cost_ms=100"));
}
END_TEST

/* nr calls of a tenth of a second that sleep, each of len_ns, and the first 50 us shorter: of more than 0.8 ms they are no storm, whatever their number. */
static void add_calls(const char *call, const char *at_exit, int nr, int len_ns)
{
	begin();
	for (int i = 0; i < nr; i++) {
		int begin_ns = 10000 + i * (98000000 / nr), from_ns = begin_ns + (i ? 0 : 50000), end_ns = begin_ns + len_ns;

		add("%d cpu0 sys_enter t=10 nr=%s", from_ns, call);
		add("%d cpu0 sched_switch a/10 S -> idle/0", from_ns + 1000);
		add("%d cpu0 sched_waking a/10 target=0 by idle/0 irq", end_ns - 2000);
		add("%d cpu0 sched_switch idle/0 R -> a/10 next_prio=120", end_ns - 1000);
		add("%d cpu0 sys_exit t=10 %s", end_ns, at_exit);
	}
	add("100001000 cpu0 sched_switch a/10 S -> idle/0");
}

static void add_sleeps(const char *call, int nr, int len_ns)
{
	char at_exit[32];

	snprintf(at_exit, sizeof at_exit, "nr=%.9s ret=0", call);
	add_calls(call, at_exit, nr, len_ns);
}

START_TEST(timer_storm)
{
	add_sleeps("nanosleep 1", 80, 300000);
	check_added(ROWS("rule=timer-storm victim=a culprit=a cost_ms=100"));
	add_sleeps("nanosleep 1", 69, 300000);
	check_added(NO_ROWS);
	add_sleeps("nanosleep 1", 80, 790000);
	check_added(ROWS("rule=timer-storm"));
	add_sleeps("nanosleep 1", 80, 810000);
	check_added(NO_ROWS);
	/* a sleep as well: select of no descriptor; of one, it waits for what does not come */
	add_sleeps("pselect6  0", 80, 600000);
	check_added(ROWS("rule=timer-storm text='a (10) wakes 800 times a second by a timer: it sleeps for 600 us at a time in pselect6, and asks for 550 us at most'"));
	add_sleeps("pselect6  1", 80, 600000);
	check_added(ROWS("rule=timeouts"));
	/* of a timerfd: an interrupt ends the wait */
	add_calls("read 7", "nr=read ret=8", 80, 300000);
	check_added(ROWS("rule=timer-storm text='a (10) wakes 800 times a second by a timer: it waits in read for one tick after the other'"));
}
END_TEST

/* ---- what a session with these rules requires of the kernel ---- */

static bool requires(const char *view, bool findings, const char *event)
{
	struct rs_session_config config = { .nr_analyses = 1, .findings = findings };
	struct rs_event_requirement needs[128];
	struct rs_error err = { 0 };
	struct rs_view_ref ref;
	size_t nr;

	ck_assert(rs_requirements_find_view(view, &ref, &err));
	config.analyses[0] = ref.analysis;
	nr = rs_requirements_list(&config, needs, 128);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(needs[i].name, event))
			return true;
	return false;
}

/* Its rules judge by more than its views show, and only a session that reports findings pays for that. */
START_TEST(rules_require_what_they_judge_by)
{
	ck_assert(requires("syscall-latency", true, "irq_handler_entry") && !requires("syscall-latency", false, "irq_handler_entry"));
	ck_assert(requires("syscall-latency", false, "sched_switch"));
	ck_assert(requires("faults", true, "sched_switch") && !requires("faults", false, "sched_switch"));
	ck_assert(!requires("faults", true, "sys_enter"));
}
END_TEST

/* ---- memory ---- */

/* a runs for run_ms of 100; three children of its name sleep. */
static void add_faults(int nr, int run_ms)
{
	begin();
	for (int i = 0; i < 3; i++)
		add("seed a/%d pid=%d", 20 + i, 20 + i);
	for (int i = 0; i < 3; i++)
		add("%d cpu1 sched_switch a/%d S -> %s/%d", 1000 + i, 20 + i, i < 2 ? "a" : "idle", i < 2 ? 21 + i : 0);
	for (int i = 0; i < nr; i++)
		add("%d cpu0 page_fault_%s t=10", 2000 + i * (run_ms * 1000000 / nr - 10), i % 3 ? "user" : "kernel");
	add("%d001000 cpu0 sched_switch a/10 S -> idle/0", run_ms);
	add("100001000 cpu0 sched_waking a/10 target=0 by idle/0 irq");
}

/* 1600 in 0.1 s: 16,000 a second, at a microsecond each. Of one that hardly does anything else, half are enough. */
START_TEST(fault_storm)
{
	add_faults(1600, 40);
	check_added(ROWS("rule=fault-storm victim=a culprit=a cost_ms=2"));
	add_faults(1490, 40);
	check_added(NO_ROWS);
	add_faults(810, 60);
	check_added(ROWS("rule=fault-storm victim=a culprit=a cost_ms=1"));
	add_faults(790, 60);
	check_added(NO_ROWS);
}
END_TEST

#define STALL(begin, end, to_ms) \
	LINES(SEEDS, MS(100) "cpu0 sched_switch idle/0 R -> a/10 next_prio=120", MS(200) "cpu0 " begin, MS(to_ms) "cpu0 " end " t=10", \
	      MS(500) "cpu0 sched_switch a/10 S -> idle/0", END)

/* 8 % of a second are enough, 7 % are not. */
START_TEST(stalls_for_memory)
{
	check_rows(FINDINGS, STALL("mm_vmscan_memcg_reclaim_begin t=10 0", "mm_vmscan_memcg_reclaim_end", 281), ROWS("rule=memory-limit victim=a culprit=memory.max cost_ms=82"));
	check_rows(FINDINGS, STALL("mm_vmscan_memcg_reclaim_begin t=10 0", "mm_vmscan_memcg_reclaim_end", 270), NO_ROWS);
	check_rows(FINDINGS, STALL("mm_compaction_begin t=10", "mm_compaction_end", 281), ROWS("rule=memory-compaction victim=a culprit=- cost_ms=81"));
	check_rows(FINDINGS, STALL("mm_compaction_begin t=10", "mm_compaction_end", 270), NO_ROWS);
}
END_TEST

/* ---- disks ---- */

/* a runs for 400 ms, and from 500 ms on waits until to_ms, in state D, with what is between. */
#define IN_D(call, to_ms, by, ...) IN_D_IN("", call, to_ms, by, __VA_ARGS__)
#define IN_D_IN(group, call, to_ms, by, ...) \
	LINES(SEEDS_IN(group), MS(100) "cpu0 sched_switch idle/0 R -> a/10 next_prio=120", call, __VA_ARGS__, "500000001 cpu0 sched_switch a/10 D -> idle/0", \
	      MS(to_ms) "cpu1 sched_waking a/10 target=0 by " by, #to_ms "000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", \
	      #to_ms "000002 cpu0 sched_switch a/10 S -> idle/0", END)
#define NO_CALL MS(101) "cpu0 sys_exit t=10 nr=read ret=0"
/* and what else was recorded */
#define WITH_OTHERS MS(102) "cpu1 block_rq_issue t=0 9,9 R 512 sector=1 nr=1", MS(103) "cpu1 block_rq_complete t=0 9,9 R sector=1 nr=1", \
	MS(104) "cpu1 contention_begin t=0 8192 1", MS(105) "cpu1 contention_end t=0 8192"
#define CALL(name) MS(101) "cpu0 sys_enter t=10 nr=" name " 3 4 5"
#define ISSUE(at_ms, tid, rwbs, sector) MS(at_ms) "cpu0 block_rq_issue t=" #tid " 8,0 " rwbs " 4096 sector=" #sector " nr=8"
#define DONE(at_ms, rwbs, sector) MS(at_ms) "cpu1 block_rq_complete t=0 8,0 " rwbs " sector=" #sector " nr=8"
#define IRQ "idle/0 irq"

/* 400 ms of 800 outside of a call; 150 of 550 are too little. With page-outs of somebody it is swap, and costs twice. */
START_TEST(faults_from_disk)
{
	check_rows(FINDINGS, IN_D(NO_CALL, 900, IRQ, ISSUE(500, 10, "R", 100), DONE(899, "R", 100)), ROWS("rule=major-faults victim=a culprit=8,0 cost_ms=400"));
	check_rows(FINDINGS, IN_D(NO_CALL, 650, IRQ, ISSUE(500, 10, "R", 100), DONE(649, "R", 100)), NO_ROWS);
	check_rows(FINDINGS, IN_D(NO_CALL, 900, IRQ, ISSUE(200, 11, "W", 500), DONE(300, "W", 500), ISSUE(500, 10, "R", 100), DONE(899, "R", 100)),
		   ROWS("rule=swap-in victim=a culprit=8,0 cost_ms=800"));
}
END_TEST

/* Woken by the journal's thread in a call that changes a directory; in no call, by a timer; 80 ms of 480 are too little of each. */
START_TEST(held_back_in_the_kernel)
{
	check_rows(FINDINGS, IN_D(CALL("rename"), 900, "jbd2/sda-8/70", MS(102) "cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", WITH_OTHERS),
		   ROWS("rule=disk-journal victim=a culprit=jbd2/sda-8 cost_ms=400"));
	check_rows(FINDINGS, IN_D(CALL("rename"), 580, "jbd2/sda-8/70", MS(102) "cpu1 sched_process_fork kthreadd/2 -> jbd2/sda-8/70", WITH_OTHERS), NO_ROWS);
	check_rows(FINDINGS, IN_D(NO_CALL, 900, IRQ, WITH_OTHERS), ROWS("rule=memory-high victim=a culprit=memory.high cost_ms=400"));
	check_rows(FINDINGS, IN_D_IN(" cgroup=/a", NO_CALL, 900, IRQ, WITH_OTHERS, "counts /", "counts /a memory_high=25165824"),
		   ROWS("text='a (10) waits 50 % of its time held back on return to user mode: its cgroup /a is over its memory limit of 24 MiB (memory.high)'"));
	check_rows(FINDINGS, IN_D_IN(" cgroup=/a", NO_CALL, 900, IRQ, WITH_OTHERS, "counts /", "counts /a memory_max=25165824"),
		   ROWS("text='a (10) waits 50 % of its time held back on return to user mode: its cgroup /a is over its memory limit (memory.high)'"));
	check_rows(FINDINGS, IN_D(NO_CALL, 580, IRQ, WITH_OTHERS), NO_ROWS);
	check_rows(FINDINGS, IN_D(CALL("write"), 900, IRQ, "500000000 cpu0 balance_dirty_pages t=10 100"), ROWS("rule=write-back victim=a culprit=- cost_ms=400"));
	check_rows(FINDINGS, IN_D(CALL("write"), 580, IRQ, "500000000 cpu0 balance_dirty_pages t=10 100"), NO_ROWS);
}
END_TEST

/* A worker issues the request after 390 of 400 ms, and the interrupt that completes it wakes a; 80 ms of 480 are too little. */
#define WORKER MS(102) "cpu1 sched_process_fork kthreadd/2 -> kworker/70"
START_TEST(before_the_device)
{
	check_rows(FINDINGS, IN_D(CALL("read"), 900, IRQ, WORKER, MS(890) "cpu1 block_rq_issue t=70 8,0 R 4096 sector=100 nr=8", "899990000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("rule=disk-held-back victim=a culprit=io.max cost_ms=400"));
	check_rows(FINDINGS, IN_D(CALL("read"), 580, IRQ, WORKER, MS(570) "cpu1 block_rq_issue t=70 8,0 R 4096 sector=100 nr=8", "579990000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8"), NO_ROWS);
}
END_TEST

/*
 * In 0.2 s nr waits, each of len_ns for nr_requests reads of so many bytes, which the disk has at the same time; the rest of the time
 * a runs.
 */
static void add_reads(int nr, int len_ns, const char *rwbs, int bytes, int nr_requests)
{
	begin();
	add("2000 cpu0 sys_enter t=10 nr=read 3 4 5");
	for (int i = 0; i < nr; i++) {
		int from_ns = 10000 + i * (199000000 / nr);

		for (int n = 0; n < nr_requests; n++)
			add("%d cpu0 block_rq_issue t=10 8,0 %s %d sector=%d nr=%d", from_ns, rwbs, bytes, 1000 * n, bytes / 512);
		add("%d cpu0 sched_switch a/10 D -> idle/0", from_ns + 1);
		for (int n = 0; n < nr_requests; n++)
			add("%d cpu1 block_rq_complete t=0 8,0 %s sector=%d nr=%d", from_ns + len_ns - 2000, rwbs, 1000 * n, bytes / 512);
		add("%d cpu1 sched_waking a/10 target=0 by idle/0 irq", from_ns + len_ns - 1000);
		add("%d cpu0 sched_switch idle/0 R -> a/10 next_prio=120", from_ns + len_ns);
	}
	add("200001000 cpu0 sched_switch a/10 S -> idle/0");
}

/* 39 waits of 4 ms are 156 of 200 ms. Rules take short waits 10 ms at a time; what is left at the end is like those. A disk that needs less than 1 ms for a request must take 60 %: 100 waits of 0.9 ms are 45 %. */
START_TEST(own_requests)
{
	add_reads(39, 4000000, "R", 4096, 1);
	check_added(ROWS("rule=disk-depth-1 victim=a culprit=8,0 cost_ms=156"));
	add_reads(39, 4000000, "R", 4096, 8);
	check_added(ROWS("rule=disk-wait victim=a culprit=8,0 cost_ms=156"));
	add_reads(39, 4000000, "RA", 4096, 1);
	check_added(ROWS("rule=cold-cache victim=a culprit=8,0 cost_ms=156"));
	add("fd 10 3 2000 /data");
	check_added(ROWS("text='a (10) waits 78 % of its time for disk 8,0: it reads /data, which is not in the page cache (cold cache), 3.9 ms for each request'"));
	add_reads(160, 1000000, "R", 512, 1);
	check_added(ROWS("rule=disk-tiny-requests victim=a culprit=8,0 cost_ms=160"));
	add_reads(15, 4000000, "R", 4096, 1);
	check_added(NO_ROWS);
	add_reads(100, 900000, "R", 4096, 1);
	check_added(NO_ROWS);
	add_reads(100, 900000, "RA", 4096, 1);
	check_added(NO_ROWS);
	/* 256 KiB in 2 ms are 131 MB a second: a backup; in 4 ms they are 65 */
	add_reads(80, 2000000, "RA", 262144, 1);
	check_added(NO_ROWS);
	add_reads(39, 4000000, "RA", 262144, 1);
	check_added(ROWS("rule=cold-cache victim=a culprit=8,0 cost_ms=156"));
}
END_TEST

/* ---- peers ---- */

/* a runs for 100 ms, and waits in a call from 200 ms on, until b, which runs, wakes it. */
#define WAITS(call, to_ms) \
	LINES(SEEDS, MS(100) "cpu0 sched_switch idle/0 R -> a/10 next_prio=120", MS(190) "cpu1 sched_switch idle/0 R -> b/11 next_prio=120", \
	      "199000000 cpu0 sys_enter t=10 nr=" call " 3 7 5", "200000001 cpu0 sched_switch a/10 S -> idle/0", MS(to_ms) "cpu1 sched_waking a/10 target=0 by b/11", \
	      #to_ms "000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", #to_ms "000002 cpu0 sys_exit t=10 nr=" call " ret=5", \
	      #to_ms "000003 cpu0 sched_switch a/10 S -> idle/0", END)

/* 400 ms of a second are more than 33 %, 300 are not. */
START_TEST(peers)
{
	check_rows(FINDINGS, WAITS("write", 600), ROWS("rule=peer-write victim=a culprit=b cost_ms=400"));
	check_rows(FINDINGS, WAITS("write", 500), NO_ROWS);
	check_rows(FINDINGS, WAITS("fcntl", 600), ROWS("rule=file-lock victim=a culprit=b cost_ms=400"));
	check_rows(FINDINGS, WAITS("fcntl", 500), NO_ROWS);
	check_rows(FINDINGS, WAITS("recvfrom", 600), ROWS("rule=peer-socket victim=a culprit=b cost_ms=400"));
	check_rows(FINDINGS, WAITS("recvfrom", 500), NO_ROWS);
}
END_TEST

#define CLIENT(cpu, tid, call, from_ms, to_ms) \
	MS(from_ms) #cpu " sched_switch idle/0 R -> a/" #tid " next_prio=120", #from_ms "000001 " #cpu " sys_enter t=" #tid " nr=" call " 3 7 5", \
	#from_ms "000002 " #cpu " sched_switch a/" #tid " S -> idle/0", MS(to_ms) "cpu1 sched_waking a/" #tid " target=0 by b/11", \
	#to_ms "000001 " #cpu " sched_switch idle/0 R -> a/" #tid " next_prio=120", #to_ms "000002 " #cpu " sys_exit t=" #tid " nr=" call " ret=5", \
	#to_ms "000003 " #cpu " sched_switch a/" #tid " S -> idle/0"
#define RUNS MS(10) "cpu1 sched_switch idle/0 R -> b/11 next_prio=120"
#define RUNS_ON MS(990) "cpu1 sched_switch b/11 S -> idle/0", "1000000001 cpu0 cpu_idle t=0 1 1"
/* in between it sleeps for so long */
#define SLEEPS(to_ms) MS(400) "cpu1 sched_switch b/11 S -> idle/0", MS(to_ms) "cpu1 sched_waking b/11 target=1 by idle/0", \
	#to_ms "000001 cpu1 sched_switch idle/0 R -> b/11 next_prio=120"
#define CLIENTS "seed a/10 pid=10", "seed a/12 pid=12", "seed a/13 pid=13", "seed b/11 pid=11", RUNS

/* Three that wait 800 ms each for one that runs 980 ms of a second; 780 are not all the time. */
START_TEST(busy_peers)
{
	check_rows(FINDINGS, LINES(CLIENTS, CLIENT(cpu0, 10, "recvfrom", 100, 900), CLIENT(cpu2, 12, "recvfrom", 110, 910), CLIENT(cpu3, 13, "recvfrom", 120, 920), RUNS_ON),
		   ROWS("rule=server-busy victim=a culprit=b cost_ms=2400"));
	check_rows(FINDINGS, LINES(CLIENTS, SLEEPS(600), CLIENT(cpu0, 10, "recvfrom", 100, 900), CLIENT(cpu2, 12, "recvfrom", 110, 910), CLIENT(cpu3, 13, "recvfrom", 120, 920), RUNS_ON),
		   ROWS("rule=peer-socket victim=a culprit=b cost_ms=2400"));
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed b/11 pid=10", RUNS, CLIENT(cpu0, 10, "read", 100, 900), RUNS_ON), ROWS("rule=one-thread victim=a culprit=b cost_ms=800"));
	check_rows(FINDINGS, LINES("seed a/10 pid=10", "seed b/11 pid=10", RUNS, SLEEPS(600), CLIENT(cpu0, 10, "read", 100, 900), RUNS_ON),
		   ROWS("rule=peer-read victim=a culprit=b cost_ms=800"));
}
END_TEST

#define ASLEEP(to_ms) \
	LINES(SEEDS, MS(100) "cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "100000001 cpu0 sys_enter t=10 nr=nanosleep 1", \
	      "100000002 cpu0 sched_switch a/10 S -> idle/0", MS(to_ms) "cpu0 sched_waking a/10 target=0 by idle/0 irq", \
	      #to_ms "000001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", #to_ms "000002 cpu0 sys_exit t=10 nr=nanosleep ret=0", \
	      #to_ms "000003 cpu0 sched_switch a/10 S -> idle/0", END)

/* 850 ms of a second, of a process that was asked about; 780 are too little. It costs nobody anything: a thousandth. */
START_TEST(sleeps_by_its_own_wish)
{
	check_rows(ASK("tasks", .findings = true, .comm_glob = "a"), ASLEEP(950), ROWS("rule=own-sleep victim=a culprit=a cost_ms=1"));
	check_rows(ASK("tasks", .findings = true, .comm_glob = "a"), ASLEEP(880), NO_ROWS);
	check_rows(FINDINGS, ASLEEP(950), NO_ROWS);
}
END_TEST

Suite *rs_suite_rules(void);
Suite *rs_suite_rules(void)
{
	Suite *s = suite_create("rules");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, signal_storm);
	tcase_add_test(t, signals_of_children);
	tcase_add_test(t, timer_storm);
	tcase_add_test(t, rules_require_what_they_judge_by);
	tcase_add_test(t, fault_storm);
	tcase_add_test(t, stalls_for_memory);
	tcase_add_test(t, faults_from_disk);
	tcase_add_test(t, held_back_in_the_kernel);
	tcase_add_test(t, before_the_device);
	tcase_add_test(t, own_requests);
	tcase_add_test(t, peers);
	tcase_add_test(t, busy_peers);
	tcase_add_test(t, sleeps_by_its_own_wish);
	tcase_set_timeout(t, 30); /* each of many lines is read in all ways */
	suite_add_tcase(s, t);
	return s;
}
