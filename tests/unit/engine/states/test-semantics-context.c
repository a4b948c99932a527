// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-context - which events prove that another task is on a CPU, and which prove nothing
 *
 * SEMANTICS "Companion events" and "A missing switch", as kernels fire them around a sched_switch. All times are ns.
 */
#include <check.h>

#include "ask.h"

/* As trace-cmd record -T writes it: each event's stack, that of a switch still with the pid of who leaves. */
#define STACKS \
	"1000 cpu0 sched_switch idle/0 R -> a/10", \
	"1010 cpu0 kernel_stack t=0", \
	"1400 cpu0 sched_waking b/11 target=0 by a/10", \
	"1410 cpu0 kernel_stack t=10", \
	"1500 cpu0 sched_switch a/10 R -> b/11", \
	"1510 cpu0 kernel_stack t=10", \
	"1900 cpu0 sched_switch b/11 S -> a/10", \
	"1910 cpu0 kernel_stack t=11", \
	"2000 cpu0 sched_switch a/10 S -> idle/0", \
	"2010 cpu0 kernel_stack t=10"

static void check_bound_and_exact(const char *const *lines, const char *const *rows)
{
	check_rows(ASK("sched"), lines, rows);
	check_rows(ASK("sched", .exact = true), lines, rows);
}

/* a: 1000-1500 and 1900-2000; b: 1500-1900, after 100 of delay */
START_TEST(stacks_prove_nothing)
{
	check_bound_and_exact(LINES(STACKS), ROWS("tid=10 run_ns=600 switches=2 preempt_total_ns=400 inferred=0",
						  "tid=11 run_ns=400 delay_total_ns=100 inferred=0", "_quality inferred=0 gaps=0"));
	check_rows(ASK("cpus"), LINES(STACKS), ROWS("busy_ns=1000 idle_ns=0 unknown_ns=0 util_pct=100000"));
	check_rows(ASK("cpus", .exact = true), LINES(STACKS), ROWS("busy_ns=1000 idle_ns=0 unknown_ns=0"));
}
END_TEST

/* Before anything else is known of a CPU a marker or a stack does not say either. */
START_TEST(a_companion_after_a_gap_proves_nothing)
{
	check_rows(ASK("sched"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "cpu0 lost 2",
			 "1500 cpu0 kernel_stack t=12",
			 "1600 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1700 cpu0 sched_switch idle/0 R -> a/10",
			 "1800 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=200 delay_total_ns=100"));
}
END_TEST

/* Idle fires them too, before a's first event: without them a would have lost the time to that, 1010 to 1900. */
#define ON_THE_WAY_OUT \
	"1000 cpu0 sched_switch idle/0 R -> a/10", \
	"1010 cpu0 tlb_flush t=0", \
	"1020 cpu0 write_msr t=0", \
	"1030 cpu0 x86_fpu_regs_deactivated t=0", \
	"1900 cpu0 sys_enter t=10 nr=read", \
	"2000 cpu0 sched_switch a/10 S -> b/11", \
	"2010 cpu0 tlb_flush t=10", \
	"2020 cpu0 x86_fpu_regs_deactivated t=10", \
	"2500 cpu0 sched_switch b/11 S -> idle/0", \
	"2510 cpu0 x86_fpu_regs_deactivated t=11"

START_TEST(what_leaves_proves_nothing)
{
	check_bound_and_exact(LINES(ON_THE_WAY_OUT), ROWS("tid=10 run_ns=1000 inferred=0", "tid=11 run_ns=500 inferred=0",
							  "_quality inferred=0"));
	check_rows(ASK("cpus"), LINES(ON_THE_WAY_OUT), ROWS("busy_ns=1500 idle_ns=0 unknown_ns=0"));
}
END_TEST

/* The waking, from another CPU, comes while a is on its way out: its event of the switch is not its return. */
START_TEST(what_leaves_and_is_woken_meanwhile)
{
	check_bound_and_exact(LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
				    "1500 cpu0 sched_switch a/10 D -> idle/0",
				    "1510 cpu1 sched_waking a/10 target=0 by idle/0",
				    "1520 cpu0 x86_fpu_regs_deactivated t=10",
				    "1700 cpu0 sched_switch idle/0 R -> a/10",
				    "1800 cpu0 sched_switch a/10 S -> idle/0"),
			      ROWS("tid=10 run_ns=600 blocked_ns=10 delay_total_ns=190 inferred=0", "_quality inferred=0"));
}
END_TEST

/* a gives its CPU back and no switch says so: after an event of its own, one in idle's context proves it. */
START_TEST(idle_after_an_event_of_the_next_is_evidence)
{
	check_rows(ASK("cpus"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
			 "1010 cpu0 write_msr t=0",
			 "1300 cpu0 sys_enter t=10 nr=read",
			 "1600 cpu0 softirq_raise 1 t=0",
			 "2000 cpu0 sched_switch idle/0 R -> b/11"),
		   ROWS("busy_ns=0 idle_ns=400"));
}
END_TEST

/*
 * No wakings were recorded, and the kernel leaves switches from idle out. Where records say whether interrupts were off, as
 * the switches do here, an event with interrupts on is none of the switch: a is back.
 */
START_TEST(back_without_wakings)
{
	static const char *const lines[] = {
		"without sched_waking", "without sched_wakeup",
		"1000 cpu0 sched_switch idle/0 R -> a/10 irqs_off", "1200 cpu0 sched_switch a/10 S -> idle/0 irqs_off",
		"1210 cpu0 x86_fpu_regs_deactivated t=10 irqs_off", "1600 cpu0 sys_exit t=10 nr=read ret=0",
		"1900 cpu0 sched_switch a/10 S -> idle/0 irqs_off", NULL,
	};

	check_rows(ASK("sched"), lines, ROWS("tid=10 run_ns=500 switches=2 inferred=1", "_quality inferred=1"));
}
END_TEST

Suite *rs_suite_semantics_context(void)
{
	Suite *s = suite_create("semantics-context");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, stacks_prove_nothing);
	tcase_add_test(t, a_companion_after_a_gap_proves_nothing);
	tcase_add_test(t, what_leaves_proves_nothing);
	tcase_add_test(t, what_leaves_and_is_woken_meanwhile);
	tcase_add_test(t, idle_after_an_event_of_the_next_is_evidence);
	tcase_add_test(t, back_without_wakings);
	suite_add_tcase(s, t);
	return s;
}
