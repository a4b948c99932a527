// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-irqs - which entry and exit, which raise and entry belong together, and whom they hit */
#include <check.h>
#include <string.h>

#include "ask.h"
#include "decode/formats.h"

/* "Entry to exit on one CPU; raise to entry by (CPU, vector)." */
#define ONE_OF_EACH \
	"1000 cpu0 irq_handler_entry t=10 24 eth0", \
	"1100 cpu0 softirq_raise t=10 3", \
	"1400 cpu0 irq_handler_exit t=10 24 ret=1", \
	"1500 cpu0 softirq_entry t=10 3", \
	"2100 cpu0 softirq_exit t=10 3"

START_TEST(one_of_each)
{
	check_rows(ASK("irqs"), LINES(ONE_OF_EACH),
		   ROWS("kind=irq id=24 name=eth0 cpu=- count=1 total_ns=400 avg_ns=400 p50_ns=400 p99_ns=400 max_ns=400 "
			"max_at_ns=1000 raise_delays=- raise_delay_p99_ns=- raise_delay_max_ns=-",
			"kind=softirq id=3 name=NET_RX count=1 total_ns=600 max_ns=600 max_at_ns=1500 raise_delays=1 "
			"raise_delay_p99_ns=400 raise_delay_max_ns=400",
			"_quality unmatched=0 discarded=0 in_flight=0"));
}
END_TEST

START_TEST(one_of_each_hit_one_task)
{
	check_rows(ASK("irqtime"), LINES("seed a/10 pid=9", ONE_OF_EACH),
		   ROWS("comm=a pid=9 tid=10 irqs=1 irq_ns=400 softirqs=1 softirq_ns=600 total_ns=1000 "
			"worst_id='softirq 3 NET_RX' worst_ns=600 worst_at_ns=1500",
			"_quality unmatched=0 discarded=0 in_flight=0"));
}
END_TEST

/* The handlers of a shared line run one after the other: the exit tells the line, the entry which of them. */
#define SHARED \
	"1000 cpu0 irq_handler_entry t=10 24 eth0", \
	"1100 cpu0 irq_handler_exit t=10 24 ret=0", \
	"1110 cpu0 irq_handler_entry t=10 24 usb1", \
	"1410 cpu0 irq_handler_exit t=10 24 ret=1", \
	"2000 cpu0 irq_handler_entry t=10 24 eth0", \
	"2050 cpu0 irq_handler_exit t=10 24 ret=0"

START_TEST(shared_line)
{
	check_rows(ASK("irqs"), LINES(SHARED),
		   ROWS("id=24 name=eth0 count=2 total_ns=150 max_ns=100 max_at_ns=1000",
			"id=24 name=usb1 count=1 total_ns=300"));
	check_rows(ASK("irqs", .by = "id"), LINES(SHARED), ROWS("kind=- id=24 name=- count=3 total_ns=450 max_at_ns=1110"));
}
END_TEST

/*
 * An interrupt within a softirq is within its time, entry to exit; of what a
 * task lost, each nanosecond is one's alone. 1000 + (2600 - 1000) - 1000 is 600.
 */
#define NESTED \
	"1000 cpu0 softirq_entry t=10 1", \
	"1200 cpu0 irq_handler_entry t=10 24 eth0", \
	"2200 cpu0 irq_handler_exit t=10 24 ret=1", \
	"2600 cpu0 softirq_exit t=10 1"

START_TEST(interrupt_within_a_softirq)
{
	check_rows(ASK("irqs"), LINES(NESTED),
		   ROWS("kind=irq total_ns=1000", "kind=softirq name=TIMER total_ns=1600", "_quality unmatched=0"));
	check_rows(ASK("irqtime"), LINES(NESTED),
		   ROWS("tid=10 irq_ns=1000 softirq_ns=600 total_ns=1600 worst_id='irq 24 eth0' worst_ns=1000"));
}
END_TEST

/* The same vector on another CPU is another; so are what was raised there, and a line's handler there. */
START_TEST(each_cpu_by_itself)
{
	check_rows(ASK("irqs", .by = "name,cpu"),
		   LINES("1000 cpu0 softirq_raise t=10 1",
			 "1100 cpu1 softirq_entry t=11 1",
			 "1200 cpu0 softirq_entry t=10 1",
			 "1300 cpu1 softirq_exit t=11 1",
			 "1700 cpu0 softirq_exit t=10 1"),
		   ROWS("name=TIMER cpu=0 count=1 total_ns=500 raise_delays=1 raise_delay_max_ns=200",
			"name=TIMER cpu=1 count=1 total_ns=200 raise_delays=0 raise_delay_max_ns=-",
			"_quality unmatched=0"));
}
END_TEST

/* Raised twice, it waits since the first time; raised while it runs, it will run once more. */
START_TEST(raised_again)
{
	check_rows(ASK("irqs"),
		   LINES("1000 cpu0 softirq_raise t=10 7",
			 "1100 cpu0 softirq_raise t=10 7",
			 "1500 cpu0 softirq_entry t=10 7",
			 "1600 cpu0 softirq_raise t=10 7",
			 "1700 cpu0 softirq_exit t=10 7",
			 "1710 cpu0 softirq_entry t=10 7",
			 "1720 cpu0 softirq_exit t=10 7",
			 "1730 cpu0 softirq_entry t=10 7", /* raised before the recording, or elsewhere: no delay is known */
			 "1740 cpu0 softirq_exit t=10 7",
			 "1800 cpu0 softirq_raise t=10 9"),
		   ROWS("name=SCHED count=3 total_ns=220 raise_delays=2 raise_delay_max_ns=500", "_quality unmatched=0 in_flight=1"));
}
END_TEST

START_TEST(no_raise_in_this_recording)
{
	check_rows(ASK("irqs"), LINES("without softirq_raise", "1000 cpu0 softirq_entry t=10 3", "1300 cpu0 softirq_exit t=10 3"),
		   ROWS("name=NET_RX count=1 total_ns=300 raise_delays=- raise_delay_p99_ns=- raise_delay_max_ns=-"));
}
END_TEST

/* ---- halves ---- */

/* An exit whose entry was before the recording, and an entry whose exit comes after it. */
START_TEST(halves)
{
	static const char *const lines[] = {
		"1000 cpu0 irq_handler_exit t=10 24 ret=1",
		"1100 cpu0 softirq_exit t=10 3",
		"2000 cpu0 irq_handler_entry t=10 24 eth0",
		"2100 cpu0 irq_handler_exit t=10 25 ret=1", /* another line's: not its end */
		NULL };

	check_rows(ASK("irqs"), lines, ROWS("_quality unmatched=3 in_flight=1 discarded=0"));
	check_rows(ASK("irqtime"), lines, ROWS("_quality unmatched=3 in_flight=1 discarded=0"));
}
END_TEST

/* A line's handler does not run within itself: the first one's exit was not written. Nor outlives what it is in. */
START_TEST(an_exit_is_missing)
{
	check_rows(ASK("irqs"),
		   LINES("1000 cpu0 irq_handler_entry t=10 24 eth0",
			 "2000 cpu0 irq_handler_entry t=10 24 eth0",
			 "2100 cpu0 irq_handler_exit t=10 24 ret=1"),
		   ROWS("count=1 total_ns=100", "_quality unmatched=1 in_flight=0"));
	check_rows(ASK("irqs"),
		   LINES("1000 cpu0 softirq_entry t=10 1",
			 "1100 cpu0 irq_handler_entry t=10 24 eth0",
			 "2000 cpu0 softirq_exit t=10 1"),
		   ROWS("name=TIMER count=1 total_ns=1000", "_quality unmatched=1 in_flight=0"));
}
END_TEST

/* ---- loss: "judged by their own CPU's gaps" ---- */

/* A task that runs over a gap is void too: here interrupts alone are counted. */
#define NO_STATES "without sched_switch"

START_TEST(gap_in_the_middle)
{
	check_rows(ASK("irqs"),
		   LINES(NO_STATES,
			 "1000 cpu0 irq_handler_entry t=10 24 eth0",
			 "cpu0 lost 5",
			 "1400 cpu0 irq_handler_exit t=10 24 ret=1",
			 "1500 cpu0 irq_handler_entry t=10 24 eth0",
			 "1510 cpu0 irq_handler_exit t=10 24 ret=1"),
		   ROWS("count=1 total_ns=10", "_quality discarded=1 unmatched=0 in_flight=0"));
}
END_TEST

START_TEST(gap_of_another_cpu)
{
	check_rows(ASK("irqs"),
		   LINES(NO_STATES,
			 "900 cpu1 softirq_raise t=11 3",
			 "1000 cpu0 softirq_raise t=10 3",
			 "1100 cpu0 softirq_entry t=10 3",
			 "cpu1 lost 5",
			 "1200 cpu1 softirq_entry t=11 3",
			 "1300 cpu1 softirq_exit t=11 3",
			 "1400 cpu0 softirq_exit t=10 3"),
		   /* CPU 1's raise is void, its softirq is not */
		   ROWS("count=2 total_ns=400 raise_delays=1 raise_delay_max_ns=100", "_quality discarded=1 unmatched=0 in_flight=0"));
}
END_TEST

/* The exit is lost with the gap: what comes then on that line, or of that vector, is the next one. */
START_TEST(exit_in_the_gap)
{
	check_rows(ASK("irqtime"),
		   LINES(NO_STATES,
			 "1000 cpu0 softirq_entry t=10 1",
			 "1100 cpu0 irq_handler_entry t=10 24 eth0",
			 "cpu0 lost ?",
			 "2000 cpu0 irq_handler_entry t=11 24 eth0",
			 "2100 cpu0 irq_handler_exit t=11 24 ret=1",
			 "2200 cpu0 softirq_entry t=11 1",
			 "2230 cpu0 softirq_exit t=11 1"),
		   ROWS("tid=11 irq_ns=100 softirq_ns=30", "_quality discarded=2 unmatched=0 in_flight=0"));
}
END_TEST

/* "What is open at the end is void if any gap came since." */
START_TEST(gap_before_the_end)
{
	check_rows(ASK("irqs"),
		   LINES(NO_STATES,
			 "1000 cpu0 irq_handler_entry t=10 24 eth0",
			 "1000 cpu1 irq_handler_entry t=11 25 eth1",
			 "cpu0 lost 1",
			 "2000 cpu0 sched_waking b/12 target=0 by a/10"),
		   ROWS("_quality discarded=1 unmatched=0 in_flight=1"));
}
END_TEST

/* ---- whom ---- */

/* Idle is nobody. A softirq in ksoftirqd, or in PREEMPT_RT's timer thread, is its own work; an interrupt takes from it too. */
START_TEST(nobody_and_ksoftirqd)
{
	check_rows(ASK("irqtime"),
		   LINES("seed ksoftirqd/0/15", "seed ksoftirqdx/16", "seed ktimers/0/17", "seed ktimersoftd/1/18",
			 "100 cpu0 softirq_entry t=17 1",
			 "200 cpu0 softirq_exit t=17 1",
			 "300 cpu0 softirq_entry t=18 1",
			 "400 cpu0 softirq_exit t=18 1",
			 "1000 cpu0 softirq_entry t=0 3",
			 "1100 cpu0 softirq_exit t=0 3",
			 "1200 cpu0 softirq_entry t=15 3",
			 "1210 cpu0 irq_handler_entry t=15 24 eth0",
			 "1230 cpu0 irq_handler_exit t=15 24 ret=1",
			 "1300 cpu0 softirq_exit t=15 3",
			 "1400 cpu0 softirq_entry t=16 3",
			 "1450 cpu0 softirq_exit t=16 3"),
		   ROWS("comm=ksoftirqd/0 tid=15 irqs=1 irq_ns=20 softirqs=0 softirq_ns=0 worst_id='irq 24 eth0'",
			"comm=ksoftirqdx tid=16 softirq_ns=50"));
}
END_TEST

/* A tid that is used again is another task; of one that was evicted a row without a name remains. */
#define TWO_INSTANCES \
	"1000 cpu0 softirq_entry t=10 1", \
	"1100 cpu0 softirq_exit t=10 1", \
	"1200 cpu0 sched_process_exit a/10", \
	"1300 cpu0 sched_process_fork c/12 -> b/10", \
	"1400 cpu0 irq_handler_entry t=10 24 eth0", \
	"1450 cpu0 irq_handler_exit t=10 24 ret=1"

START_TEST(tid_is_used_again)
{
	check_rows(ASK("irqtime"), LINES(TWO_INSTANCES),
		   ROWS("tid=10 comm=a softirq_ns=100 irq_ns=0", "tid=10 comm=b softirq_ns=0 irq_ns=50"));
	check_rows(ASK("irqtime", .max_tasks = 1, .by = "comm"), LINES(TWO_INSTANCES),
		   ROWS("comm=b softirq_ns=0 irq_ns=50", "comm=- softirq_ns=100 irq_ns=0 worst_ns=100"));
}
END_TEST

/* PREEMPT_RT: a task is preempted in its softirq, and another one begins the same vector. */
START_TEST(softirq_is_preempted)
{
	check_rows(ASK("irqtime"),
		   LINES("1000 cpu0 softirq_entry t=10 3",
			 "1100 cpu0 softirq_entry t=11 3",
			 "1150 cpu0 softirq_exit t=11 3",
			 "1200 cpu0 softirq_entry t=11 3",
			 "1300 cpu0 softirq_exit t=10 3",
			 "1310 cpu0 softirq_exit t=11 3"),
		   ROWS("tid=10 softirqs=1 softirq_ns=250", "tid=11 softirqs=2 softirq_ns=160", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* An interrupt has no task, but -p asks for those that hit the process. */
START_TEST(narrowed)
{
	static const char *const lines[] = {
		"seed a/10 pid=10", "seed b/11 pid=11",
		"1000 cpu0 irq_handler_entry t=10 24 eth0",
		"1400 cpu0 irq_handler_exit t=10 24 ret=1",
		"1500 cpu0 irq_handler_entry t=11 24 eth0",
		"1510 cpu0 irq_handler_exit t=11 24 ret=1",
		"1600 cpu0 irq_handler_entry t=0 24 eth0",
		"1700 cpu0 irq_handler_exit t=0 24 ret=1",
		NULL };

	check_rows(ASK("irqs"), lines, ROWS("count=3 total_ns=510"));
	check_rows(ASK("irqs", .pid = 11), lines, ROWS("count=1 total_ns=10"));
	check_rows(ASK("irqtime", .pid = 11), lines, ROWS("tid=11 irq_ns=10"));
}
END_TEST

/* The one that begins before --from and ends after it is no count, and its part after it in the sum. */
START_TEST(from_on)
{
	check_rows(ASK("irqs", .from_ns = 1450), LINES(ONE_OF_EACH), ROWS("kind=softirq count=1 raise_delays=1"));
	check_rows(ASK("irqtime", .from_ns = 1300), LINES(ONE_OF_EACH), ROWS("irqs=0 irq_ns=100 softirqs=1 softirq_ns=600 worst_ns=600"));
}
END_TEST

/* ---- names ---- */

START_TEST(numbers_without_a_name)
{
	check_rows(ASK("irqs"),
		   LINES("1000 cpu0 softirq_entry t=10 4000000000",
			 "1100 cpu0 softirq_exit t=10 4000000000"),
		   ROWS("kind=softirq id=4000000000 name=- count=1 raise_delays=-"));
}
END_TEST

static void check_name(const char *print_fmt, unsigned int vec, const char *expected)
{
	struct rs_format_text format = { .system = "irq", .text = { print_fmt, strlen(print_fmt) } };
	struct rs_trace_info info = { .long_bytes = 8, .formats = &format, .nr_formats = 1 };
	struct rs_error err = { 0 };
	struct rs_formats *f = rs_formats_new(&info, &err);
	char names[32][16];

	ck_assert_ptr_nonnull(f);
	rs_formats_softirq_names(f, names, 32);
	ck_assert_str_eq(names[vec], expected);
	rs_formats_free(f);
}

#define HEAD "name: softirq_entry\nID: 5\nformat:\n\nprint fmt: \"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, "

/* The format's own table goes first: a kernel may have other vectors. */
START_TEST(names_from_the_format)
{
	check_name(HEAD "{ 0, \"HI\" }, { 5, \"BLOCK_IOPOLL\" })", 5, "BLOCK_IOPOLL");
	check_name(HEAD "{ 0, \"HI\" }, { 5, \"BLOCK_IOPOLL\" })", 1, "");
	check_name(HEAD "{ 3, \"a-name-of-any-length\" })", 3, "a-name-of-any-l");
	check_name(HEAD "{ 4000000000, \"X\" }, { 31, \"LAST\" }, { 32, \"Y\" })", 31, "LAST");
	check_name(HEAD "{ HI_SOFTIRQ, \"HI\" }, { TIMER_SOFTIRQ, \"TIMER\" })", 1, "TIMER");
	check_name(HEAD, 9, "RCU");
	check_name("name: sched_switch\nID: 5\n", 3, "NET_RX");
}
END_TEST

Suite *rs_suite_semantics_irqs(void)
{
	Suite *s = suite_create("semantics-irqs");
	TCase *t = tcase_create("pairs");

	tcase_add_test(t, one_of_each);
	tcase_add_test(t, one_of_each_hit_one_task);
	tcase_add_test(t, shared_line);
	tcase_add_test(t, interrupt_within_a_softirq);
	tcase_add_test(t, each_cpu_by_itself);
	tcase_add_test(t, raised_again);
	tcase_add_test(t, no_raise_in_this_recording);
	tcase_add_test(t, halves);
	tcase_add_test(t, an_exit_is_missing);
	suite_add_tcase(s, t);
	t = tcase_create("loss");
	tcase_add_test(t, gap_in_the_middle);
	tcase_add_test(t, gap_of_another_cpu);
	tcase_add_test(t, exit_in_the_gap);
	tcase_add_test(t, gap_before_the_end);
	suite_add_tcase(s, t);
	t = tcase_create("whom");
	tcase_add_test(t, nobody_and_ksoftirqd);
	tcase_add_test(t, tid_is_used_again);
	tcase_add_test(t, softirq_is_preempted);
	tcase_add_test(t, narrowed);
	tcase_add_test(t, from_on);
	suite_add_tcase(s, t);
	t = tcase_create("names");
	tcase_add_test(t, numbers_without_a_name);
	tcase_add_test(t, names_from_the_format);
	suite_add_tcase(s, t);
	return s;
}
