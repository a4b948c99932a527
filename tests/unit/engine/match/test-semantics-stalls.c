// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-stalls - what is a stall for memory, from when to when, and whose */
#include <check.h>

#include "ask.h"

START_TEST(direct_reclaim)
{
	check_rows(ASK("reclaim"),
		   LINES("900 cpu0 task_rename x/10 -> hog pid=10",
			 "1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 3",
			 "1700 cpu1 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("time_ns=1700 comm=hog tid=10 kind=reclaim order=3 lat_ns=700 syscall=-",
			"_quality unmatched=0 in_flight=0 discarded=0"));
}
END_TEST

START_TEST(for_the_cgroup)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0",
			 "1700 cpu0 mm_vmscan_memcg_reclaim_end t=10"),
		   ROWS("time_ns=1700 kind=memcg order=0 lat_ns=700"));
}
END_TEST

/* The order is told before the compactions, which come one for each zone. */
START_TEST(compaction)
{
	check_rows(ASK("reclaim"),
		   LINES("900 cpu0 mm_compaction_try_to_compact_pages t=10 9",
			 "1000 cpu0 mm_compaction_begin t=10",
			 "1700 cpu0 mm_compaction_end t=10",
			 "1800 cpu0 mm_compaction_begin t=10",
			 "1900 cpu0 mm_compaction_end t=10",
			 "2000 cpu0 mm_compaction_begin t=11",
			 "2010 cpu0 mm_compaction_end t=11"),
		   ROWS("time_ns=1700 kind=compaction order=9 lat_ns=700", "time_ns=1900 tid=10 order=9 lat_ns=100",
			"time_ns=2010 tid=11 order=- lat_ns=10"));
}
END_TEST

/* "throttle's begin is end minus delayed": one event, at the end, in microseconds. */
START_TEST(throttled)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 sys_enter t=10 nr=write",
			 "9000000 cpu0 mm_vmscan_throttled t=10 4000",
			 "9100000 cpu0 mm_vmscan_throttled t=10 0",       /* it was not */
			 "9300000 cpu0 mm_vmscan_throttled t=10 9301",    /* before the clock's zero */
			 "9400000 cpu0 mm_vmscan_throttled t=0 1000",     /* nobody */
			 "5000000000000 cpu0 mm_vmscan_throttled t=10 -5"), /* nor can it have been */
		   ROWS("time_ns=9000000 tid=10 kind=throttle order=- lat_ns=4000000 syscall=write",
			"_quality unmatched=0 in_flight=1"));
}
END_TEST

/* It is counted in ticks, the reclaim that it is a part of in nanoseconds: it cannot have begun before. */
START_TEST(throttled_within_reclaim)
{
	check_rows(ASK("reclaim"),
		   LINES("6000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "9000000 cpu0 mm_vmscan_throttled t=10 4000",
			 "9500000 cpu0 mm_vmscan_throttled t=10 100",
			 "9900000 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("time_ns=9000000 kind=throttle lat_ns=3000000", "time_ns=9500000 kind=throttle lat_ns=100000",
			"time_ns=9900000 kind=reclaim lat_ns=3900000"));
}
END_TEST

/* "kswapd not counted": it is its work. */
START_TEST(reclaimers)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> kswapd0/20",
			 "2000000 cpu0 mm_vmscan_throttled t=20 1000",
			 "2100000 cpu0 sched_switch kswapd0/20 S -> kcompactd0/21",
			 "2200000 cpu0 mm_compaction_begin t=21",
			 "2300000 cpu0 mm_compaction_end t=21"),
		   ROWS("_quality unmatched=0 in_flight=0"));
}
END_TEST

/* The call that it was in; not one that a gap has made uncertain, nor one that is over. */
START_TEST(in_a_call)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 sys_enter t=10 nr=read",
			 "1100 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1200 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "1300 cpu0 sys_exit t=10 nr=read",
			 "1400 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1500 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "1600 cpu0 sys_enter t=10 nr=read",
			 "cpu0 lost 3",
			 "1700 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1800 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("time_ns=1200 syscall=read", "time_ns=1500 syscall=-", "time_ns=1800 syscall=-"));
}
END_TEST

START_TEST(halves)
{
	/* an end without begin; a begin whose end was not seen, and the next one; one that is open at the end */
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "1100 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1200 cpu0 mm_vmscan_direct_reclaim_begin t=10 1",
			 "1300 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "1400 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0"),
		   ROWS("time_ns=1300 order=1 lat_ns=100", "_quality unmatched=2 in_flight=1"));
}
END_TEST

START_TEST(gaps)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "cpu0 lost 3",
			 "1300 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "9000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "9000100 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "9000200 cpu0 mm_vmscan_throttled t=10 9000"), /* 200 ns: it began in the gap */
		   ROWS("time_ns=9000100 lat_ns=100", "_quality unmatched=0 in_flight=0 discarded=3")); /* and its slice */
	/* a begin before the gap, another after it */
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "cpu0 lost 3",
			 "1300 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1400 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("time_ns=1400 lat_ns=100", "_quality unmatched=0 discarded=2"));
}
END_TEST

START_TEST(task_dies)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1300 cpu1 sched_process_fork b/11 -> c/10",
			 "1400 cpu1 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("_quality unmatched=2 in_flight=0"));
}
END_TEST

/* Told before it sleeps; "dirty ends with the sleep". */
#define DIRTY "1100 cpu0 balance_dirty_pages t=10 40"

START_TEST(dirty)
{
	check_rows(ASK("reclaim"),
		   LINES("1000 cpu0 sys_enter t=10 nr=write",
			 DIRTY,
			 "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "2200 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> a/10",
			 "2400 cpu0 balance_dirty_pages t=10 0",   /* enough */
			 "2500 cpu0 balance_dirty_pages t=10 -3"),
		   ROWS("time_ns=2200 kind=dirty order=- lat_ns=1100 syscall=write", "_quality unmatched=0 in_flight=1"));
}
END_TEST

/* One that must not sleep leaves; its next sleep, of another kind, is no stall. */
START_TEST(dirty_without_sleep)
{
	check_rows(ASK("reclaim"),
		   LINES(DIRTY,
			 "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "2200 cpu0 sched_waking a/10 target=0 by idle/0"),
		   ROWS("_quality unmatched=0 in_flight=0"));
}
END_TEST

START_TEST(dirty_and_a_gap)
{
	check_rows(ASK("reclaim"),
		   LINES(DIRTY,
			 "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "cpu0 lost 2",
			 "2200 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> a/10",
			 "2400 cpu0 sched_switch a/10 D -> idle/0",
			 "2500 cpu0 sched_waking a/10 target=0 by idle/0"),
		   ROWS("_quality unmatched=0 in_flight=0"));
}
END_TEST

/* Where no sleep's end is ever told, a stall would be without end, too. */
START_TEST(dirty_without_wakings)
{
	check_rows(ASK("reclaim"),
		   LINES("without sched_waking", "without sched_wakeup", DIRTY,
			 "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "2300 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("_quality unmatched=0 in_flight=0"));
}
END_TEST

START_TEST(narrowed)
{
	check_rows(ASK("reclaim", .pid = 11),
		   LINES("900 cpu0 sched_process_exec /bin/a t=10 pid=10 old=10",
			 "910 cpu0 sched_process_exec /bin/b t=11 pid=11 old=11",
			 "1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1100 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "1200 cpu0 mm_vmscan_direct_reclaim_begin t=11 0",
			 "1300 cpu0 mm_vmscan_direct_reclaim_end t=11"),
		   ROWS("comm=b pid=11 tid=11 time_ns=1300"));
}
END_TEST

/* A kernel without the others has direct reclaim at least. */
START_TEST(without_the_others)
{
	check_rows(ASK("reclaim"),
		   LINES("without mm_vmscan_memcg_reclaim_begin", "without mm_compaction_begin",
			 "without mm_compaction_try_to_compact_pages", "without mm_vmscan_throttled",
			 "without balance_dirty_pages",
			 "1000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "1100 cpu0 mm_vmscan_direct_reclaim_end t=10"),
		   ROWS("lat_ns=100"));
}
END_TEST

/* A part of a reclaim lies within it. */
START_TEST(emitted)
{
	check_rows(ASK("reclaim", .span = "stall"),
		   LINES("6000000 cpu0 mm_vmscan_direct_reclaim_begin t=10 0",
			 "9000000 cpu0 mm_vmscan_throttled t=10 4000",
			 "9900000 cpu0 mm_vmscan_direct_reclaim_end t=10",
			 "10000000 cpu0 mm_vmscan_memcg_reclaim_begin t=10 0"),
		   ROWS("tid=10 from=6000000 to=9000000 label=throttle", "tid=10 from=6000000 to=9900000 label=reclaim",
			"tid=10 from=10000000 to=10000000 label=memcg open=1"));
}
END_TEST

Suite *rs_suite_semantics_stalls(void)
{
	Suite *s = suite_create("semantics-stalls");
	TCase *t = tcase_create("stalls");

	tcase_add_test(t, direct_reclaim);
	tcase_add_test(t, for_the_cgroup);
	tcase_add_test(t, compaction);
	tcase_add_test(t, throttled);
	tcase_add_test(t, throttled_within_reclaim);
	tcase_add_test(t, reclaimers);
	tcase_add_test(t, in_a_call);
	tcase_add_test(t, halves);
	tcase_add_test(t, gaps);
	tcase_add_test(t, task_dies);
	tcase_add_test(t, dirty);
	tcase_add_test(t, dirty_without_sleep);
	tcase_add_test(t, dirty_and_a_gap);
	tcase_add_test(t, dirty_without_wakings);
	tcase_add_test(t, narrowed);
	tcase_add_test(t, without_the_others);
	tcase_add_test(t, emitted);
	suite_add_tcase(s, t);
	return s;
}
