// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-memory - pages by process, and resident memory by address space
 *
 * rss_stat lines: "rss_stat MM_ID SIZE t=TID curr=1 member=1"; member 0 file, 1 anonymous, 2 swap, 3 shared.
 */
#include <check.h>

#include "ask.h"

START_TEST(pages_by_process)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed a-thread/11 pid=10", "seed b/12 pid=12",
			 "1000 cpu0 mm_page_alloc 0 t=10",
			 "1100 cpu0 mm_page_alloc 3 t=11",  /* 8 pages */
			 "1200 cpu0 mm_page_free 1 t=10",
			 "1300 cpu1 mm_page_free 9 t=12",   /* 512: a huge one */
			 "1400 cpu1 mm_page_alloc 0 t=0"),  /* idle */
		   ROWS("comm=a pid=10 alloc_pages=9 free_pages=2 rss_delta_bytes=- rss_rise_bytes=-",
			"comm=b pid=12 alloc_pages=0 free_pages=512"));
}
END_TEST

START_TEST(by_thread_and_by_name)
{
	const char *const *lines = LINES(
		"seed a/10 pid=10", "seed a-thread/11 pid=10",
		"1000 cpu0 mm_page_alloc 0 t=10",
		"1100 cpu0 mm_page_alloc 1 t=11",
		"1200 cpu0 rss_stat 7 4096 t=11 curr=1 member=1",
		"1300 cpu0 rss_stat 7 12288 t=11 curr=1 member=1");

	check_rows(ASK("memory", .by = "tid"), lines,
		   ROWS("tid=10 alloc_pages=1 rss_delta_bytes=-", "tid=11 alloc_pages=2 rss_delta_bytes=-"));
	check_rows(ASK("memory", .by = "comm"), lines,
		   ROWS("comm=a alloc_pages=1 rss_delta_bytes=8192 rss_rise_bytes=-", "comm=a-thread alloc_pages=2 rss_delta_bytes=-"));
	check_rows(ASK("memory"), lines, ROWS("comm=a pid=10 alloc_pages=3 rss_delta_bytes=8192 rss_rise_bytes=8192"));
}
END_TEST

/* What an interrupt takes and gives back is not the task's that it met; an allocation that failed is none. */
START_TEST(not_the_task_s)
{
	check_rows(ASK("memory"),
		   LINES("1000 cpu0 mm_page_alloc 0 t=10",
			 "1100 cpu0 mm_page_alloc 0 t=10 irq",
			 "1200 cpu0 mm_page_free 0 t=10 irq",
			 "1300 cpu0 mm_page_alloc 4 t=10 pfn=-1",
			 "1400 cpu0 mm_page_alloc 200 t=10"), /* no kernel: a damaged file */
		   ROWS("tid=10 alloc_pages=1 free_pages=0"));
}
END_TEST

START_TEST(a_kernel_that_traces_only_allocations)
{
	check_rows(ASK("memory"),
		   LINES("without mm_page_free", "without rss_stat", "1000 cpu0 mm_page_alloc 0 t=10"),
		   ROWS("tid=10 alloc_pages=1 free_pages=- rss_delta_bytes=- rss_rise_bytes=-"));
}
END_TEST

/* The first size is where it begins: what was before nobody knows. Swap is not resident. */
START_TEST(resident_memory_grows_and_shrinks)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10",
			 "1000 cpu0 rss_stat 7 1000000 t=10 curr=1 member=1",
			 "1100 cpu0 rss_stat 7 200000 t=10 curr=1 member=0",
			 "1200 cpu0 rss_stat 7 1500000 t=10 curr=1 member=1", /* + 500000 */
			 "1300 cpu0 rss_stat 7 400000 t=10 curr=1 member=0",  /* + 200000: 700000 */
			 "1400 cpu0 rss_stat 7 0 t=10 curr=1 member=2",
			 "1500 cpu0 rss_stat 7 900000 t=10 curr=1 member=2",
			 "1600 cpu0 rss_stat 7 600000 t=10 curr=1 member=1"), /* - 900000: -200000 */
		   ROWS("comm=a pid=10 rss_delta_bytes=-200000 rss_rise_bytes=700000"));
}
END_TEST

/* kswapd takes pages from a process: it is the owner's, who is known from what it did itself. */
START_TEST(changes_by_others)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed kswapd0/30 pid=30",
			 "1000 cpu0 rss_stat 7 50000 t=30 curr=0 member=1",
			 "1100 cpu0 rss_stat 7 40000 t=30 curr=0 member=1",  /* - 10000, not known yet whose */
			 "1200 cpu0 rss_stat 7 41000 t=10 curr=1 member=1",  /* + 1000 */
			 "1300 cpu0 rss_stat 7 38000 t=30 curr=0 member=1",  /* - 3000 */
			 "1400 cpu0 rss_stat 8 5000 t=30 curr=0 member=1",   /* nobody was seen in that one */
			 "1500 cpu0 rss_stat 8 1000 t=30 curr=0 member=1"),
		   ROWS("comm=a pid=10 rss_delta_bytes=-12000 rss_rise_bytes=0"));
}
END_TEST

/* A gap does not matter: each event tells the whole size. */
START_TEST(over_a_gap)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10",
			 "1000 cpu0 rss_stat 7 50000 t=10 curr=1 member=1",
			 "cpu0 lost 9",
			 "2000 cpu0 rss_stat 7 90000 t=10 curr=1 member=1"),
		   ROWS("comm=a rss_delta_bytes=40000", "_quality lost=9"));
}
END_TEST

/* What others changed before the range is not of the range, even where the owner is seen in it only. */
START_TEST(in_a_range)
{
	check_rows(ASK("memory", .from_ns = 1150),
		   LINES("seed a/10 pid=10", "seed kswapd0/30 pid=30",
			 "1000 cpu0 rss_stat 7 50000 t=30 curr=0 member=1",
			 "1100 cpu0 rss_stat 7 40000 t=30 curr=0 member=1",  /* - 10000, before */
			 "1200 cpu0 rss_stat 7 38000 t=30 curr=0 member=1",  /* - 2000 */
			 "1300 cpu0 rss_stat 7 43000 t=10 curr=1 member=1"), /* + 5000 */
		   ROWS("comm=a pid=10 rss_delta_bytes=3000 rss_rise_bytes=3000"));
}
END_TEST

/* fork fills the child's address space from the parent, before the child is born; it began with nothing. */
START_TEST(a_child)
{
	check_rows(ASK("memory"),
		   LINES("seed sh/7 pid=7",
			 "1000 cpu0 rss_stat 70 300000 t=7 curr=1 member=1",
			 "1100 cpu0 rss_stat 100 200000 t=7 curr=0 member=1",
			 "1200 cpu0 rss_stat 100 250000 t=7 curr=0 member=1",
			 "1300 cpu0 task_newtask sh/10 t=7 flags=0",
			 "1400 cpu1 rss_stat 100 260000 t=10 curr=1 member=1",
			 "1500 cpu1 rss_stat 100 4096 t=10 curr=1 member=0"),
		   ROWS("comm=sh pid=7 rss_delta_bytes=0", "comm=sh pid=10 rss_delta_bytes=264096"));
}
END_TEST

/* vfork lends the parent's: what happens in it is the parent's, and nothing of it is new. */
START_TEST(a_child_that_borrows)
{
	check_rows(ASK("memory"),
		   LINES("seed sh/7 pid=7",
			 "1000 cpu0 rss_stat 70 300000 t=7 curr=1 member=1",
			 "1100 cpu0 task_newtask sh/10 t=7 flags=4100",
			 "1200 cpu0 rss_stat 70 301000 t=10 curr=1 member=1",
			 "1300 cpu0 rss_stat 100 4096 t=10 curr=0 member=1", /* exec fills the new one from outside */
			 "1400 cpu0 sched_process_exec /bin/ls t=10 pid=10 old=10",
			 "1500 cpu0 rss_stat 100 9000 t=10 curr=1 member=1"),
		   ROWS("comm=sh pid=7 rss_delta_bytes=1000", "comm=ls pid=10 rss_delta_bytes=9000"));
}
END_TEST

/* exec leaves one address space, that goes to nothing, for another, that began with nothing. */
START_TEST(exec)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10",
			 "1000 cpu0 rss_stat 70 300000 t=10 curr=1 member=1",
			 "1100 cpu0 rss_stat 71 4096 t=10 curr=0 member=1",
			 "1200 cpu0 rss_stat 70 0 t=10 curr=0 member=1",      /* - 300000 */
			 "1300 cpu0 rss_stat 71 8192 t=10 curr=1 member=1",   /* + 8192 */
			 "1400 cpu0 sched_process_exec /bin/new t=10 pid=10 old=10",
			 "1500 cpu0 rss_stat 71 20000 t=10 curr=1 member=0"), /* + 20000 */
		   ROWS("comm=new pid=10 rss_delta_bytes=-271808 rss_rise_bytes=0"));
}
END_TEST

/* Of one that nothing was known of before: the new address space began with nothing, as it filled it itself. */
START_TEST(exec_at_first_sight)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10",
			 "1100 cpu0 rss_stat 71 4096 t=10 curr=0 member=1",
			 "1300 cpu0 rss_stat 71 8192 t=10 curr=1 member=1",
			 "1400 cpu0 sched_process_exec /bin/new t=10 pid=10 old=10",
			 "1500 cpu0 rss_stat 71 20000 t=10 curr=1 member=0"),
		   ROWS("comm=new pid=10 rss_delta_bytes=28192"));
}
END_TEST

/* Nothing was heard of what it borrows: the size that comes first was its parent's, and no growth. */
START_TEST(a_child_that_borrows_what_nobody_knows)
{
	check_rows(ASK("memory"),
		   LINES("seed sh/7 pid=7",
			 "1100 cpu0 task_newtask sh/10 t=7 flags=4100",
			 "1200 cpu0 rss_stat 70 301000 t=10 curr=1 member=1",
			 "1300 cpu0 rss_stat 70 302000 t=10 curr=1 member=1"),
		   ROWS("comm=sh pid=10 rss_delta_bytes=1000"));
}
END_TEST

/* Kernels that tell of large steps alone say nothing while exec fills the new address space. */
START_TEST(exec_that_is_told_late)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11",
			 "1000 cpu0 rss_stat 70 300000 t=10 curr=1 member=1",
			 "1100 cpu0 rss_stat 71 600000 t=10 curr=1 member=1",
			 "1200 cpu0 sched_process_exec /bin/new t=11 pid=11 old=11",
			 "1300 cpu0 rss_stat 81 500000 t=11 curr=1 member=1"),
		   ROWS("comm=a pid=10 rss_delta_bytes=600000", "comm=new pid=11 rss_delta_bytes=500000"));
}
END_TEST

/* The exit gives all back, before or after the event that tells of it, as kernels differ. */
START_TEST(an_exit)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11",
			 "1000 cpu0 rss_stat 70 300000 t=10 curr=1 member=1",
			 "1100 cpu0 rss_stat 70 400000 t=10 curr=1 member=1",
			 "1200 cpu0 sched_process_exit a/10",
			 "1300 cpu0 rss_stat 70 0 t=10 curr=0 member=1",
			 "1400 cpu0 rss_stat 80 300000 t=11 curr=1 member=1",
			 "1500 cpu0 rss_stat 80 0 t=11 curr=0 member=1",
			 "1600 cpu0 sched_process_exit b/11"),
		   ROWS("comm=a rss_delta_bytes=-300000 rss_rise_bytes=100000", "comm=b rss_delta_bytes=-300000 rss_rise_bytes=0"));
}
END_TEST

/* The same id: where a's address space was lies that of a child of sh now. */
START_TEST(an_id_that_is_used_again)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed sh/7 pid=7",
			 "1000 cpu0 rss_stat 70 300000 t=10 curr=1 member=1",
			 "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 rss_stat 70 0 t=10 curr=0 member=1",
			 "1300 cpu0 rss_stat 70 200000 t=7 curr=0 member=1",
			 "1400 cpu0 task_newtask sh/11 t=7 flags=0",
			 "1500 cpu1 rss_stat 70 210000 t=11 curr=1 member=1"),
		   ROWS("comm=a rss_delta_bytes=-300000", "comm=sh pid=11 rss_delta_bytes=210000"));
}
END_TEST

START_TEST(a_reused_id_names_its_first_task)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10", "seed b/11 pid=11",
			 "1000 cpu0 rss_stat 70 300000 t=10 curr=1 member=1",
			 "1100 cpu0 sched_process_exit a/10",
			 "1500 cpu1 rss_stat 70 210000 t=11 curr=1 member=1",
			 "1600 cpu1 rss_stat 70 211000 t=11 curr=1 member=1"),
		   ROWS("comm=a rss_delta_bytes=0", "comm=b rss_delta_bytes=1000"));
}
END_TEST

START_TEST(sizes_of_a_hostile_file)
{
	check_rows(ASK("memory"),
		   LINES("seed a/10 pid=10",
			 "1000 cpu0 rss_stat 70 0 t=10 curr=1 member=1",
			 "1100 cpu0 rss_stat 70 1 t=10 curr=1 member=-1",
			 "1200 cpu0 rss_stat 70 1 t=10 curr=1 member=8",
			 "1300 cpu0 rss_stat 70 2147483647 t=10 curr=1 member=1",
			 "1400 cpu0 rss_stat 70 -2147483648 t=10 curr=1 member=1"),
		   ROWS("comm=a rss_delta_bytes=-2147483648 rss_rise_bytes=2147483647"));
}
END_TEST

START_TEST(evicted_and_moved)
{
	check_rows(ASK("memory", .max_tasks = 1),
		   LINES("1000 cpu0 mm_page_alloc 1 t=10",
			 "1100 cpu0 rss_stat 70 1000 t=10 curr=1 member=1",
			 "cpu0 lost 1",
			 "1200 cpu0 rss_stat 70 2000 t=11 curr=0 member=1",
			 "1300 cpu0 mm_page_alloc 0 t=11"),
		   ROWS("tid=11 alloc_pages=1 rss_delta_bytes=-", "comm=- tid=- alloc_pages=2 rss_delta_bytes=-", "_quality evicted=1"));
	check_rows(ASK("memory", .by = "tid"),
		   LINES("seed a/10 pid=10", "seed a/11 pid=10",
			 "1000 cpu0 mm_page_alloc 1 t=11",
			 "1200 cpu0 sched_process_exec /bin/new t=10 pid=10 old=11"),
		   ROWS("comm=new tid=10 alloc_pages=2"));
}
END_TEST

Suite *rs_suite_memory(void)
{
	Suite *s = suite_create("memory");
	TCase *t = tcase_create("memory");

	tcase_add_test(t, pages_by_process);
	tcase_add_test(t, by_thread_and_by_name);
	tcase_add_test(t, not_the_task_s);
	tcase_add_test(t, a_kernel_that_traces_only_allocations);
	tcase_add_test(t, resident_memory_grows_and_shrinks);
	tcase_add_test(t, changes_by_others);
	tcase_add_test(t, over_a_gap);
	tcase_add_test(t, in_a_range);
	tcase_add_test(t, a_child);
	tcase_add_test(t, a_child_that_borrows);
	tcase_add_test(t, exec);
	tcase_add_test(t, exec_at_first_sight);
	tcase_add_test(t, a_child_that_borrows_what_nobody_knows);
	tcase_add_test(t, exec_that_is_told_late);
	tcase_add_test(t, an_exit);
	tcase_add_test(t, an_id_that_is_used_again);
	tcase_add_test(t, a_reused_id_names_its_first_task);
	tcase_add_test(t, sizes_of_a_hostile_file);
	tcase_add_test(t, evicted_and_moved);
	suite_add_tcase(s, t);
	return s;
}
