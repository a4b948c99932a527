// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-sched - run, delay, preempted, blocked and ends, by hand
 *
 * Each test is one trap of SEMANTICS, named by its words there. All times are ns.
 * A letter in a line is the task's name, the number its tid.
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "decode/formats.h"

/* ---- Order ---- */

/* "equal times go to the lower CPU first": the waking comes before the switch-in, so there is a delay of 0. */
START_TEST(equal_times_lower_cpu_first_waking)
{
	check_rows(ASK("sched"),
		   LINES("500 cpu1 sched_switch a/10 S -> idle/0",
			 "1000 cpu1 sched_switch idle/0 R -> a/10",
			 "1000 cpu0 sched_waking a/10 target=1 by idle/0",
			 "1300 cpu1 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=300 delay_count=1 delay_total_ns=0 delay_max_ns=0 sleep_ns=500"));
}
END_TEST

/* The other way round the switch-in comes first; the waking then is one of a task that runs. */
START_TEST(equal_times_lower_cpu_first_switch)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1700 cpu0 sched_switch idle/0 R -> a/10",
			 "1800 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=600 delay_count=1 delay_total_ns=200 delay_max_at_ns=1500 "
			"sleep_ns=0"));
}
END_TEST

/* ---- Run ---- */

/* "Switch-in to switch-out, whole slices. switches are switch-ins" */
START_TEST(run_is_whole_slices)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0",
			 "1800 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2000 cpu0 sched_switch idle/0 R -> a/10",
			 "2200 cpu0 sched_switch a/10 S -> b/11",
			 "2300 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("comm=a tid=10 run_ns=700 switches=2 delay_count=1 delay_total_ns=200 sleep_ns=300 "
			"blocked_ns=0",
			"comm=b tid=11 run_ns=100 switches=1 delay_count=0 delay_total_ns=0 sleep_ns=0",
			"_quality events=6 unmatched=0 discarded=0 inferred=0 lost=0 gaps=0 from_ns=1000 "
			"to_ns=2300"));
}
END_TEST

/* Over more than 2^27 ns the ring needs a time extend. */
START_TEST(run_of_seconds)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "9000001000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=9000000000 switches=1"));
}
END_TEST

/* "migrations sched_migrate_task events (null where the event is absent)" */
START_TEST(migrations_are_events)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_migrate_task b/11 0 -> 1 by idle/0",
			 "1200 cpu1 sched_migrate_task b/11 1 -> 0 by idle/0",
			 "1300 cpu0 sched_switch a/10 S -> b/11",
			 "1400 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("tid=10 migrations=0", "tid=11 migrations=2"));
}
END_TEST

START_TEST(migrations_without_the_event)
{
	check_rows(ASK("sched"),
		   LINES("without sched_migrate_task",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1300 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 migrations=- run_ns=300"));
}
END_TEST

/* ---- Delay ---- */

/* "The first waking since the task left its CPU counts." */
START_TEST(delay_first_waking_counts)
{
	check_rows(ASK("sched"),
		   LINES("500 cpu0 sched_switch a/10 S -> idle/0",
			 "600 cpu0 sched_waking a/10 target=0 by idle/0",
			 "700 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=400 delay_max_ns=400 delay_max_at_ns=600 "
			"sleep_ns=100 run_ns=200"));
}
END_TEST

/* "while the task is on a CPU counts only if the task then leaves not runnable": from the switch-out on. */
START_TEST(delay_waking_while_on_cpu)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1500 cpu0 sched_switch idle/0 R -> a/10",
			 "1600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=300 delay_max_at_ns=1200 sleep_ns=0 "
			"run_ns=300 switches=2"));
}
END_TEST

/* "... and no other comes before its switch-in": then the other begins the delay, and the wait before it was sleep. */
START_TEST(delay_waking_while_on_cpu_then_another)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1300 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch idle/0 R -> a/10",
			 "1600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=200 delay_max_at_ns=1300 sleep_ns=100 "
			"run_ns=300"));
}
END_TEST

/* Leaves runnable: the waking while on the CPU means nothing. */
START_TEST(delay_waking_while_on_cpu_then_preempted)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "1500 cpu0 sched_switch b/11 S -> a/10",
			 "1600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=0 preempt_count=1 preempt_total_ns=300 run_ns=300", "tid=11 "
			"run_ns=300"));
}
END_TEST

/* A waking of an earlier slice is spent by it: it does not reach over a later switch-out. */
START_TEST(delay_waking_of_an_earlier_slice_is_used_up)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "1300 cpu0 sched_switch b/11 S -> a/10",
			 "1400 cpu0 sched_switch a/10 S -> idle/0",
			 "1700 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1800 cpu0 sched_switch idle/0 R -> a/10",
			 "1900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=100 delay_max_at_ns=1700 sleep_ns=300 "
			"preempt_total_ns=100",
			"tid=11 run_ns=100"));
}
END_TEST

/* "One that comes while it waits preempted begins nothing." */
START_TEST(delay_waking_while_preempted)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "1300 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu0 sched_switch b/11 S -> a/10",
			 "1600 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=0 delay_total_ns=0 preempt_count=1 preempt_total_ns=300 "
			"preempt_max_ns=300",
			"tid=11 delay_count=0"));
}
END_TEST

/* "sched_wakeup only if the recording has no sched_waking at all" */
START_TEST(delay_wakeup_beside_waking_is_ignored)
{
	check_rows(ASK("sched"),
		   LINES("500 cpu0 sched_switch a/10 S -> idle/0",
			 "600 cpu0 sched_waking a/10 target=0 by idle/0",
			 "700 cpu0 sched_wakeup a/10 target=0 by idle/0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=400 sleep_ns=100"));
}
END_TEST

START_TEST(delay_wakeup_where_there_is_no_waking)
{
	check_rows(ASK("sched"),
		   LINES("without sched_waking",
			 "500 cpu0 sched_switch a/10 S -> idle/0",
			 "700 cpu0 sched_wakeup a/10 target=0 by idle/0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=300 sleep_ns=200"));
}
END_TEST

/* A wakeup alone, in a recording that has wakings of others, begins nothing; the sleep then has no known end. */
START_TEST(delay_wakeup_alone_in_a_recording_with_wakings)
{
	check_rows(ASK("sched", .some = true),
		   LINES("400 cpu0 sched_waking b/11 target=0 by idle/0",
			 "500 cpu0 sched_switch a/10 S -> idle/0",
			 "700 cpu0 sched_wakeup a/10 target=0 by idle/0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=0 delay_total_ns=0 sleep_ns=0 run_ns=200"));
}
END_TEST

/* "sched_wakeup_new always", also where there are wakings. */
START_TEST(delay_wakeup_new_always)
{
	check_rows(ASK("sched", .some = true),
		   LINES("900 cpu1 sched_waking z/30 target=0 by idle/0",
			 "1000 cpu0 sched_process_fork p/5 -> n/20",
			 "1100 cpu0 sched_wakeup_new n/20 target=1 by p/5",
			 "1300 cpu1 sched_switch idle/0 R -> n/20",
			 "1400 cpu1 sched_switch n/20 S -> idle/0"),
		   ROWS("tid=20 delay_count=1 delay_total_ns=200 delay_max_at_ns=1100 run_ns=100"));
}
END_TEST

/* "A waking for a task of unknown state does begin a delay." */
START_TEST(delay_of_a_task_never_seen_before)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1200 cpu0 sched_switch idle/0 R -> a/10",
			 "1300 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=1 delay_total_ns=200 run_ns=100 sleep_ns=0"));
}
END_TEST

/* A first sight by switch-in has no delay: nothing told when it became runnable. */
START_TEST(delay_of_a_first_sight_by_switch_in)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			"1300 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=- delay_total_ns=- delay_avg_ns=- delay_p50_ns=- delay_p99_ns=- "
			"delay_max_ns=- delay_max_at_ns=- preempt_count=0 preempt_total_ns=0 "
			"preempt_max_ns=-"));
}
END_TEST

/* "Quantiles are nearest rank": of 10, 20, 30, 100 the median is the 2nd, p99 the 4th. Below 128 ns all is exact. */
START_TEST(delay_quantiles_nearest_rank)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1100 cpu0 sched_waking a/10 target=0 by idle/0", "1130 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1200 cpu0 sched_switch a/10 S -> idle/0",
			 "1300 cpu0 sched_waking a/10 target=0 by idle/0", "1310 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1400 cpu0 sched_switch a/10 S -> idle/0",
			 "1500 cpu0 sched_waking a/10 target=0 by idle/0", "1600 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1700 cpu0 sched_switch a/10 S -> idle/0",
			 "1800 cpu0 sched_waking a/10 target=0 by idle/0", "1820 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 delay_count=4 delay_total_ns=160 delay_avg_ns=40 delay_p50_ns=20 "
			"delay_p99_ns=100 "
			"delay_max_ns=100 delay_max_at_ns=1500"));
}
END_TEST

/* ---- Preempted, Blocked ---- */

/* "Switch-out in state R or R+ to switch-in." */
START_TEST(preempted_in_r_and_r_plus)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "1500 cpu0 sched_switch b/11 S -> a/10",
			 "1600 cpu1 sched_waking b/11 target=0 by idle/0",
			 "1700 cpu0 sched_switch a/10 R+ -> b/11",
			 "1800 cpu0 sched_switch b/11 S -> a/10",
			 "1900 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=500 preempt_count=2 preempt_total_ns=400 preempt_max_ns=300 "
			"delay_count=0 switches=3",
			"tid=11 run_ns=400 preempt_count=0 delay_count=1 delay_total_ns=100 sleep_ns=100"));
}
END_TEST

/* A preempted task may be switched in on another CPU. */
START_TEST(preempted_and_moved)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_switch a/10 R -> b/11",
			 "1250 cpu1 sched_migrate_task a/10 0 -> 1 by idle/0",
			 "1300 cpu1 sched_switch idle/0 R -> a/10",
			 "1400 cpu1 sched_switch a/10 S -> idle/0",
			 "1400 cpu0 sched_switch b/11 S -> idle/0"),
		   ROWS("tid=10 run_ns=300 preempt_count=1 preempt_total_ns=100 migrations=1", "tid=11 "
			"run_ns=200"));
}
END_TEST

/* "Switch-out in S D ... to the waking, by letter": S is sleep, D is blocked. */
START_TEST(blocked_by_letter)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1100 cpu1 sched_waking a/10 target=0 by idle/0", "1150 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1200 cpu0 sched_switch a/10 D -> idle/0",
			 "1500 cpu1 sched_waking a/10 target=0 by idle/0", "1550 cpu0 sched_switch idle/0 "
			"R -> a/10",
			 "1600 cpu0 sched_switch a/10 R -> idle/0"),
		   ROWS("tid=10 sleep_ns=100 blocked_ns=300 delay_total_ns=100 run_ns=100"));
}
END_TEST

START_TEST(a_format_that_no_kernel_writes)
{
	static const char head[] = "name: sched_waking\nID: 255\nformat:\n";
	static const char *const sound[] = {
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:__data_loc char[] comm;\toffset:8;\tsize:4;\tsigned:0;\n", "\tfield:const char * name;\toffset:8;\tsize:8;\n",
		"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;", "\tfield:char rwbs[RWBS_LEN + 1];\toffset:8;\tsize:9;\tsigned:1;\n", "",
	};
	static const char *const damaged[] = {
		"\tfield:char comm[\xb3""6];\toffset:8;\tsize:16;\tsigned:0;\n", "\tfield:char comm[16;\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:char comm16];\toffset:8;\tsize:16;\tsigned:0;\n", "\tfield:char comm[16];\toffset:8;\tsize:1\xa5"";\tsigned:0;\n",
		"\tfield:[16] comm;\toffset:8;\tsize:16;\tsigned:0;\n", "\tfield:comm;\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:char comm[16];\toffset:8;\tsize:9999999999;\tsigned:0;\n", "\tfield:char comm[16", "\tfield:", "\tfield:char comm[16];\toffset:8",
		"\tfield:char comm[16];\toffset:-8;\tsize:16;\tsigned:0;\n", "\tfield:char ;\toffset:8;\tsize:16;\tsigned:0;\n", "nonsense\n",
	};
	char text[512];

	for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
		snprintf(text, sizeof text, "%s%s", head, sound[i]);
		ck_assert_msg(rs_format_check(text), "%s", text);
	}
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		snprintf(text, sizeof text, "%s%s", head, damaged[i]);
		ck_assert_msg(!rs_format_check(text), "%s", text);
	}
	ck_assert(!rs_format_check("") && !rs_format_check("name: a\nID: x\nformat:\n") && !rs_format_check("name: \nID: 1\n"));
}
END_TEST

/* One damaged byte in sched_switch's print fmt, as a disk or an attacker may send it: the fields are as good as before. */
START_TEST(a_print_fmt_that_makes_no_sense)
{
	static const char text[] =
		"name: sched_switch\nID: 252\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
		"\nprint fmt: \"%s%s\", (REC->prev_state & ((0x1 | 0x2) + 1)) ? __print_flags(REC->prev_stat\x80 & ((0x1 | 0x2) - 1), "
		"\"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }) : \"R\", REC->prev_state & 1 ? \"+\" : \"\"\n";
	const struct rs_format_text format = { .system = "sched", .text = { text, strlen(text) } };
	const struct rs_trace_info info = { .long_bytes = 8, .formats = &format, .nr_formats = 1 };
	const char *const names[] = { "prev_state", NULL };
	struct rs_error err = { 0 };
	struct rs_formats *f = rs_formats_new(&info, &err);
	struct rs_bound bound;

	ck_assert_int_eq(rs_formats_bind(f, "sched", "sched_switch", names, &bound, NULL), RS_BIND_OK);
	ck_assert_uint_eq(bound.fields[0].offset_bytes, 32);
	rs_formats_free(f);
}
END_TEST

/* "letters from the format's own print fmt": P is bit 6 in new kernels, bit 9 in old; Z and X changed places. */
START_TEST(letters_are_the_formats_own)
{
	check_rows(ASK("timehist", .some = true),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1010 cpu0 sched_switch a/10 T -> b/11",
			 "1030 cpu0 sched_switch b/11 t -> c/12", "1060 cpu0 sched_switch c/12 P -> d/13",
			 "1100 cpu0 sched_switch d/13 R+ -> e/14", "1150 cpu0 sched_switch e/14 D -> f/15",
			 "1210 cpu0 sched_switch f/15 X -> g/16", "1280 cpu0 sched_switch g/16 Z -> idle/0"),
		   ROWS("tid=10 run_ns=10 state=T", "tid=11 run_ns=20 state=t", "tid=12 run_ns=30 state=P",
			"tid=13 run_ns=40 state=R", "tid=14 run_ns=50 state=D", "tid=15 run_ns=60 state=X",
			"tid=16 run_ns=70 state=Z"));
}
END_TEST

START_TEST(letter_i_of_idle_kernel_threads)
{
	check_rows(ASK("timehist"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			"1010 cpu0 sched_switch a/10 I -> idle/0"),
		   ROWS("tid=10 run_ns=10 state=I"));
}
END_TEST

/* ---- Ends ---- */

/* "Totals and counts hold closed intervals; open_state and open_ns hold what is open at the end." */
START_TEST(ends_open_running)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=0 switches=1 open_state=run open_ns=500"));
}
END_TEST

START_TEST(ends_open_delayed)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1100 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1500 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 sleep_ns=100 delay_count=0 delay_total_ns=0 delay_max_ns=- "
			"open_state=delay open_ns=400"));
}
END_TEST

START_TEST(ends_open_preempted_and_sleeping)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_switch a/10 R -> b/11",
			 "1300 cpu0 sched_switch b/11 D -> idle/0",
			 "1600 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=100 preempt_count=0 preempt_total_ns=0 open_state=preempted open_ns=500",
			"tid=11 run_ns=200 blocked_ns=- open_state=blocked open_ns=300"));
}
END_TEST

/* Nothing is open of a task that left for good. */
START_TEST(ends_dead)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1900 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8"),
		   ROWS("tid=10 run_ns=200 sleep_ns=- blocked_ns=- open_state=- open_ns=-"));
}
END_TEST

/* ---- the same in other views ---- */

/* Both kinds of wait, as they end, with who left the CPU for it; null where that was idle. */
START_TEST(runqslower_both_kinds)
{
	check_rows(ASK("runqslower"),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1100 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_waking b/11 target=0 by a/10",
			 "1300 cpu0 sched_switch a/10 R -> b/11",
			 "1700 cpu0 sched_switch b/11 S -> a/10",
			 "1800 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 cpu=0 lat_ns=100 kind=delay prev_tid=- prev_comm=-", "tid=11 cpu=0 lat_ns=100 "
			"prev_tid=10 prev_comm=a",
			"tid=10 cpu=0 lat_ns=400 kind=preempted prev_tid=11 prev_comm=b"));
}
END_TEST

/* Sched delay and preempted wait together: 100, 100 and 400 ns. */
START_TEST(runqlat_both_kinds)
{
	check_rows(ASK("runqlat", .some = true),
		   LINES("1000 cpu0 sched_waking a/10 target=0 by idle/0",
			 "1100 cpu0 sched_switch idle/0 R -> a/10",
			 "1200 cpu0 sched_waking b/11 target=0 by a/10",
			 "1300 cpu0 sched_switch a/10 R -> b/11",
			 "1700 cpu0 sched_switch b/11 S -> a/10",
			 "1800 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("from_ns=64 to_ns=128 count=2", "from_ns=256 to_ns=512 count=1"));
}
END_TEST

/* Each slice with the sleep and the delay that led to it. */
START_TEST(timehist_waits)
{
	check_rows(ASK("timehist"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_switch a/10 D -> idle/0",
			 "1400 cpu0 sched_waking a/10 target=0 by b/11",
			 "1450 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 cpu=0 wait_ns=- delay_ns=- run_ns=100 state=D",
			"tid=10 cpu=0 wait_ns=300 delay_ns=50 run_ns=50 state=S"));
}
END_TEST

Suite *rs_suite_semantics_sched(void)
{
	Suite *s = suite_create("semantics-sched");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, equal_times_lower_cpu_first_waking);
	tcase_add_test(t, equal_times_lower_cpu_first_switch);
	tcase_add_test(t, run_is_whole_slices);
	tcase_add_test(t, run_of_seconds);
	tcase_add_test(t, migrations_are_events);
	tcase_add_test(t, migrations_without_the_event);
	tcase_add_test(t, delay_first_waking_counts);
	tcase_add_test(t, delay_waking_while_on_cpu);
	tcase_add_test(t, delay_waking_while_on_cpu_then_another);
	tcase_add_test(t, delay_waking_while_on_cpu_then_preempted);
	tcase_add_test(t, delay_waking_of_an_earlier_slice_is_used_up);
	tcase_add_test(t, delay_waking_while_preempted);
	tcase_add_test(t, delay_wakeup_beside_waking_is_ignored);
	tcase_add_test(t, delay_wakeup_where_there_is_no_waking);
	tcase_add_test(t, delay_wakeup_alone_in_a_recording_with_wakings);
	tcase_add_test(t, delay_wakeup_new_always);
	tcase_add_test(t, delay_of_a_task_never_seen_before);
	tcase_add_test(t, delay_of_a_first_sight_by_switch_in);
	tcase_add_test(t, delay_quantiles_nearest_rank);
	tcase_add_test(t, preempted_in_r_and_r_plus);
	tcase_add_test(t, preempted_and_moved);
	tcase_add_test(t, blocked_by_letter);
	tcase_add_test(t, a_print_fmt_that_makes_no_sense);
	tcase_add_test(t, a_format_that_no_kernel_writes);
	tcase_add_test(t, letters_are_the_formats_own);
	tcase_add_test(t, letter_i_of_idle_kernel_threads);
	tcase_add_test(t, ends_open_running);
	tcase_add_test(t, ends_open_delayed);
	tcase_add_test(t, ends_open_preempted_and_sleeping);
	tcase_add_test(t, ends_dead);
	tcase_add_test(t, runqslower_both_kinds);
	tcase_add_test(t, runqlat_both_kinds);
	tcase_add_test(t, timehist_waits);
	suite_add_tcase(s, t);
	return s;
}
