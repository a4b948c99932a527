// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-stacked-pages - perf's callchains at sched_switch, where the kernel records no stacks: which switch each belongs to
 *
 * The kernel's functions are do_start (c1000000), do_read (..100), mutex_lock (..200), schedule (..300). Process 10 has mapped
 * /bin/prog. In a sample the outermost address is first. All times are ns.
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "sample-lines.h"

#define MAPPED SAMPLES("900 cpu0 map 10 400000-402000 0 /bin/prog")
/* A recording has stacks from its first one on. */
#define BEGIN "seed a/10 pid=10", "seed b/20 pid=20", "400 cpu3 kernel_stack t=0", "1000 cpu0 sched_switch idle/0 R -> a/10"
#define LEAVES BEGIN, "2000 cpu0 sched_switch a/10 S -> b/20"
#define WOKEN "5000 cpu1 sched_waking a/10 target=0 by idle/0", "6000 cpu0 sched_switch b/20 S -> a/10"
#define LEAVES_AGAIN LEAVES, WOKEN, "7000 cpu0 sched_switch a/10 D -> b/20"
#define READS "10/10 400120 400010 kernel c1000010 c1000110 c1000310"
#define LOCKS "10/10 400120 kernel c1000010 c1000210 c1000310"
#define READ "do_read < do_start < [unknown] prog+0x10 < [unknown] prog+0x11f"
#define LOCK "mutex_lock < do_start < [unknown] prog+0x120"

#define asked(...) ASK("stacks", .samples = MAPPED, .only = { "type", "off-cpu" }, .switch_stacks = SAMPLES(__VA_ARGS__))

/* perf's handler runs after the instance's, or before it, where perf's event was on first. */
START_TEST(before_or_after_its_switch)
{
	check_rows(asked("2001 cpu0 sample " READS), LINES(LEAVES, WOKEN),
		   ROWS("pid=10 state=S callers='" READ "' time_ns=3000 count=1", "_quality stacks=1 stacks_unmatched=0"));
	check_rows(asked("1999 cpu0 sample " READS), LINES(LEAVES, WOKEN),
		   ROWS("pid=10 state=S callers='" READ "' time_ns=3000 count=1", "_quality stacks=1 stacks_unmatched=0"));
	/* the task's events before it, and those of an interrupt after it */
	check_rows(asked("1999 cpu0 sample " READS),
		   LINES(BEGIN, "1500 cpu0 sys_enter t=10 nr=read 1 2 3", "2000 cpu0 sched_switch a/10 S -> b/20", "2500 cpu0 irq_handler_entry 7 eth0 t=20 irq", WOKEN),
		   ROWS("pid=10 callers='" READ "' time_ns=3000", "_quality stacks=1"));
}
END_TEST

/* Both orders, and waits that follow each other on one CPU: 1 us off it, 1 us on it. */
START_TEST(waits_in_a_row)
{
	static const char *const lines[] = {
		LEAVES, "3000 cpu0 sched_waking a/10 target=0 by b/20", "3000 cpu0 sched_switch b/20 R -> a/10", "4000 cpu0 sched_switch a/10 D -> b/20",
		"6000 cpu0 sched_waking a/10 target=0 by b/20", "6000 cpu0 sched_switch b/20 R -> a/10", NULL,
	};
	const char *const *rows = ROWS("pid=10 state=S callers='" READ "' time_ns=1000 count=1", "pid=10 state=D callers='" LOCK "' time_ns=2000 count=1",
				       "_quality stacks=2 stacks_unmatched=0");

	check_rows(asked("2400 cpu0 sample " READS, "4400 cpu0 sample " LOCKS), lines, rows);
	check_rows(asked("1600 cpu0 sample " READS, "3600 cpu0 sample " LOCKS), lines, rows);
}
END_TEST

/* As where a child exits when its parent begins to wait. */
START_TEST(another_cpu_ends_the_wait_before_its_stack)
{
	check_rows(asked("2005 cpu0 sample " READS),
		   LINES(LEAVES, "2001 cpu1 sched_waking a/10 target=0 by idle/0", "6000 cpu0 sched_switch b/20 S -> a/10"),
		   ROWS("pid=10 callers='" READ "' time_ns=1 count=1", "_quality stacks=1 stacks_unmatched=0"));
}
END_TEST

/* Its event, or the stack, was lost: no other one takes its place. */
START_TEST(one_of_both_is_lost)
{
	check_rows(asked("2001 cpu0 sample " READS, "5500 cpu0 sample 30/30 kernel c1000010"), LINES(LEAVES, WOKEN),
		   ROWS("pid=10 callers='" READ "' time_ns=3000 count=1", "_quality stacks=1 stacks_unmatched=1"));
	/* the second of three waits has none */
	check_rows(asked("2001 cpu0 sample " READS, "10001 cpu0 sample " LOCKS),
		   LINES(LEAVES_AGAIN, "8000 cpu1 sched_waking a/10 target=0 by idle/0", "9000 cpu0 sched_switch b/20 R -> a/10",
			 "10000 cpu0 sched_switch a/10 D -> b/20", "13000 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 state=S callers='" READ "' time_ns=3000 count=1", "pid=10 state=D callers=- time_ns=1000 count=1",
			"pid=10 state=D callers='" LOCK "' time_ns=3000 count=1", "_quality stacks=2 stacks_unmatched=0"));
	check_rows(asked("2001 cpu0 sample " READS, "7001 cpu0 lost 3"), LINES(LEAVES_AGAIN, "9000 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 state=S callers='" READ "' time_ns=3000 count=1", "pid=10 state=D callers=- time_ns=2000 count=1", "_quality stacks=1 stacks_unmatched=3"));
	/* after lost events nobody knows who is on the CPU */
	check_rows(asked("2001 cpu0 sample " READS, "5500 cpu0 sample 10/10 kernel c1000010"), LINES(LEAVES, "cpu0 lost 5", WOKEN), ROWS("_quality stacks=1 stacks_unmatched=1"));
}
END_TEST

/* The page ends with the switch: what comes soon is its stack. Later it may be that of a wait that was not read yet, or it comes in time. */
START_TEST(at_the_end_of_a_page)
{
	check_rows(asked("2001 cpu0 sample " READS), LINES(LEAVES, "cpu0 page", WOKEN), ROWS("pid=10 callers='" READ "' count=1", "_quality stacks=1"));
	check_rows(asked("2001 cpu0 sample " READS, "1007000 cpu0 sample " LOCKS),
		   LINES(LEAVES_AGAIN, "cpu0 page", "1500000 cpu1 sched_waking a/10 target=0 by idle/0", "1600000 cpu0 sched_switch b/20 S -> a/10"),
		   ROWS("pid=10 state=S callers='" READ "' count=1", "pid=10 state=D callers=- count=1"));
	check_rows(asked("2001 cpu0 sample " READS, "1007000 cpu0 sample " LOCKS),
		   LINES(LEAVES_AGAIN, "cpu0 page", "1500000 cpu0 irq_handler_entry 7 eth0 t=20 irq", "1600000 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 state=S callers='" READ "' count=1", "pid=10 state=D callers='" LOCK "' count=1", "_quality stacks=2 stacks_unmatched=0"));
}
END_TEST

/* A page of 200 switches becomes several. Each has its stack, on the same page: another CPU ends the wait before it. */
START_TEST(pages_that_become_several)
{
	enum { NR = 100 };
	static char texts[3 * NR][96], stacks[NR][96];
	static const char *lines[3 * NR + 4] = { "seed a/10 pid=10", "400 cpu3 kernel_stack t=0", "900 cpu0 sched_switch idle/0 R -> a/10" }, *samples[NR + 1];

	for (unsigned int i = 0; i < NR; i++) {
		unsigned int ns = 1000 + 10 * i;

		snprintf(texts[3 * i], sizeof texts[0], "%u cpu0 sched_switch a/10 S -> idle/0", ns);
		snprintf(texts[3 * i + 1], sizeof texts[0], "%u cpu1 sched_waking a/10 target=0 by idle/0", ns + 2);
		snprintf(texts[3 * i + 2], sizeof texts[0], "%u cpu0 sched_switch idle/0 R -> a/10", ns + 6);
		snprintf(stacks[i], sizeof stacks[0], "%u cpu0 sample %s", ns + 3, i % 2 ? READS : LOCKS);
		for (unsigned int k = 0; k < 3; k++)
			lines[3 + 3 * i + k] = texts[3 * i + k];
		samples[i] = stacks[i];
	}
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "off-cpu" }, .switch_stacks = samples), lines,
		   ROWS("pid=10 callers='" READ "' time_ns=100 count=50", "pid=10 callers='" LOCK "' time_ns=100 count=50", "_quality stacks=100 stacks_unmatched=0 lost=0"));
}
END_TEST

Suite *rs_suite_stacked_pages(void)
{
	Suite *s = suite_create("stacked-pages");
	TCase *t = tcase_create("stacked-pages");

	tcase_add_test(t, before_or_after_its_switch);
	tcase_add_test(t, waits_in_a_row);
	tcase_add_test(t, another_cpu_ends_the_wait_before_its_stack);
	tcase_add_test(t, one_of_both_is_lost);
	tcase_add_test(t, at_the_end_of_a_page);
	tcase_add_test(t, pages_that_become_several);
	suite_add_tcase(s, t);
	return s;
}
