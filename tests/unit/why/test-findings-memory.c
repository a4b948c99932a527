// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-memory - who waits for memory: reclaim, swap, the limits of cgroups; and which cgroup it is with version 1 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "sample-lines.h"

#define FINDINGS ASK("tasks", .findings = true)
#define BEGIN "seed a/10 pid=10", "seed b/11 pid=11", "seed d/13 pid=13", "1 cpu0 sched_switch idle/0 R -> z/90", "2 cpu0 sched_switch z/90 S -> idle/0"
#define END "1000000001 cpu1 sched_switch z/90 S -> idle/0"

/* A stall of 100 ms, of 300 that it runs: what it sleeps is not counted. */
START_TEST(memory)
{
	check_rows(FINDINGS,
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "300000000 cpu0 mm_vmscan_direct_reclaim_end t=10", "400000000 cpu0 sched_switch a/10 S -> idle/0", END),
		   ROWS("rule=memory-reclaim text='a (10) waits 33 % of its time for memory, in direct reclaim, once a second: memory is short' view=reclaim where='pid == 10'"));
	check_rows(FINDINGS,
		   LINES(BEGIN, "100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "270000000 cpu0 mm_vmscan_direct_reclaim_end t=10", "400000000 cpu0 sched_switch a/10 S -> idle/0", END), NO_ROWS);
}
END_TEST

/* Twelve pages of programs in a tenth of a second are 120 a second; eight, and pages of files, are no swap. */
static const char *const *swap_lines(int nr, int flags)
{
	static char text[40][80];
	static const char *lines[48];
	unsigned int at = 0;

	lines[at++] = "seed a/10 pid=10";
	lines[at++] = "1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120";
	lines[at++] = "2000 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0";
	for (int i = 0; i < nr; i++) {
		snprintf(text[i], sizeof *text, "%d cpu0 mm_vmscan_writepage t=10 %d", 3000 + i, flags);
		lines[at++] = text[i];
	}
	lines[at++] = "20002000 cpu0 mm_vmscan_memcg_reclaim_end t=10";
	lines[at++] = "100001000 cpu0 sched_switch a/10 S -> idle/0";
	lines[at] = NULL;
	return lines;
}

START_TEST(swap_out)
{
#define AT_LIMIT "a (10) waits 20 % of its time for memory, in direct reclaim, 10 times a second: its cgroup is at its memory limit (memory.max or memory.high)"
	check_rows(FINDINGS, swap_lines(12, 9), ROWS("rule=memory-limit text='" AT_LIMIT ", 120 pages a second go to swap'"));
	check_rows(FINDINGS, swap_lines(8, 9), ROWS("rule=memory-limit text='" AT_LIMIT "'"));
	check_rows(FINDINGS, swap_lines(12, 10), ROWS("rule=memory-limit text='" AT_LIMIT "'"));
}
END_TEST

#define SEED_OF_A "seed a/10 pid=10 cgroup=/a"
#define RECLAIMS_AS(seed) seed, "1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "2000 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0", \
	"20002000 cpu0 mm_vmscan_memcg_reclaim_end t=10", "100001000 cpu0 sched_switch a/10 S -> idle/0"
#define RECLAIMS RECLAIMS_AS(SEED_OF_A)
#define OF_A "rule=memory-limit text='a (10) waits 20 % of its time for memory, in direct reclaim, 10 times a second: its cgroup /a is at its memory limit "

/* The lower one of a group is reached first; of two groups no event tells which one is full, nor of one whose limits are unknown. */
START_TEST(value_of_the_memory_limit)
{
	check_rows(FINDINGS, LINES("counts /", "counts /a memory_max=67108864", RECLAIMS), ROWS(OF_A "of 64 MiB (memory.max)'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a memory_max=67108864 memory_high=9998336", RECLAIMS), ROWS(OF_A "of 9.5 MiB (memory.high)'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a memory_max=4096 memory_high=9998336", RECLAIMS), ROWS(OF_A "of 4 KiB (memory.max)'"));
	check_rows(FINDINGS, LINES("counts / memory_max=99999999", "counts /a memory_max=67108864", RECLAIMS), ROWS(OF_A "(memory.max or memory.high)'"));
	check_rows(FINDINGS, LINES("counts /a memory_max=67108864", RECLAIMS), ROWS(OF_A "(memory.max or memory.high)'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a", RECLAIMS), ROWS(OF_A "(memory.max or memory.high)'"));
	check_rows(FINDINGS, LINES(RECLAIMS), ROWS(OF_A "(memory.max or memory.high)'"));
}
END_TEST

/* With version 1 a task has a path for each controller: the limit is that of its group there; a path that is unknown is not told. */
START_TEST(paths_of_controllers)
{
#define IN_RECLAIM "a (10) waits 20 % of its time for memory, in direct reclaim, 10 times a second: its cgroup"
#define THROTTLED_AS(seed) seed, "1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "200000000 cpu0 sched_switch a/10 R -> idle/0", \
	"600000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "700000000 cpu0 sched_switch a/10 S -> idle/0", END
#define BESIDE_IDLE "a (10) waits 57 % of its time for a CPU beside an idle one: its cgroup"
	check_rows(FINDINGS, LINES(RECLAIMS_AS(SEED_OF_A " cgroup_memory=/d cgroup_cpu=/c")),
		   ROWS("text='" IN_RECLAIM " /d is at its memory limit (memory.max or memory.high)'"));
	check_rows(FINDINGS, LINES(RECLAIMS_AS(SEED_OF_A " cgroup_memory=?")), ROWS("text='" IN_RECLAIM " is at its memory limit (memory.max or memory.high)'"));
	check_rows(FINDINGS, LINES("counts /", "counts /a memory_max=4096", "counts /d memory_max=8192", RECLAIMS_AS(SEED_OF_A " cgroup_memory=/d")),
		   ROWS("text='" IN_RECLAIM " /d is at its memory limit of 8 KiB (memory.max)'"));
	check_rows(FINDINGS, LINES(THROTTLED_AS(SEED_OF_A " cgroup_memory=/d cgroup_cpu=/c")),
		   ROWS("culprit=/c text='" BESIDE_IDLE " /c is throttled by its quota (cpu.max)'"));
	check_rows(FINDINGS, LINES(THROTTLED_AS(SEED_OF_A " cgroup_memory=/d")), ROWS("culprit=/a text='" BESIDE_IDLE " /a is throttled by its quota (cpu.max)'"));
	check_rows(FINDINGS, LINES(THROTTLED_AS(SEED_OF_A " cgroup_cpu=/")), NO_ROWS); /* the root has no quota */
	check_rows(FINDINGS, LINES(THROTTLED_AS(SEED_OF_A " cgroup_cpu=?")), ROWS("culprit=cpu.max text='" BESIDE_IDLE " is throttled by its quota (cpu.max)'"));
	/* the counts of /a tell nothing of a group of another hierarchy */
	check_rows(FINDINGS, LINES("counts /", "counts /a periods=10", THROTTLED_AS(SEED_OF_A " cgroup_cpu=/c")), ROWS("culprit=/c confidence=inferred"));
}
END_TEST

/* A move in a hierarchy of version 1 is one of some controllers, unknown which; where all is of version 2, of none. */
START_TEST(moves_of_controllers)
{
#define MOVED(path, hierarchy) "2 cpu1 cgroup_attach_task a/10 " path " dst_root=" hierarchy " t=1 by sh/1"
	check_rows(FINDINGS, LINES(MOVED("/d", "3"), THROTTLED_AS(SEED_OF_A)), ROWS("culprit=cpu.max text='" BESIDE_IDLE " is throttled by its quota (cpu.max)'"));
	check_rows(FINDINGS, LINES(MOVED("/a", "3"), THROTTLED_AS(SEED_OF_A)), ROWS("culprit=/a"));
	check_rows(FINDINGS, LINES("counts /", "counts /a", MOVED("/d", "3"), THROTTLED_AS(SEED_OF_A)), NO_ROWS);
	check_rows(FINDINGS, LINES(MOVED("/d", "0"), THROTTLED_AS(SEED_OF_A)), ROWS("culprit=/d"));
}
END_TEST

/* Two processes of one name have one sentence: its words agree with their number. */
START_TEST(at_their_limit)
{
	check_rows(FINDINGS,
		   LINES("seed a/10 pid=10", "seed a/12 pid=12", "1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", "1000 cpu1 sched_switch idle/0 R -> a/12 next_prio=120",
			 "2000 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0", "2000 cpu1 mm_vmscan_memcg_reclaim_begin t=12 0", "20002000 cpu0 mm_vmscan_memcg_reclaim_end t=10",
			 "20002000 cpu1 mm_vmscan_memcg_reclaim_end t=12", "100001000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("rule=memory-limit text='2 a processes wait 20 % of their time for memory, in direct reclaim, 10 times a second: "
			"their cgroup is at its memory limit (memory.max or memory.high)'"));
}
END_TEST

Suite *rs_suite_findings_memory(void);
Suite *rs_suite_findings_memory(void)
{
	Suite *s = suite_create("findings-memory");
	TCase *t = tcase_create("findings");

	tcase_add_test(t, memory);
	tcase_add_test(t, swap_out);
	tcase_add_test(t, value_of_the_memory_limit);
	tcase_add_test(t, paths_of_controllers);
	tcase_add_test(t, moves_of_controllers);
	tcase_add_test(t, at_their_limit);
	suite_add_tcase(s, t);
	return s;
}
