// SPDX-License-Identifier: GPL-2.0-or-later
/* test-power - idle states of CPUs, what runs after them, and frequencies */
#include <check.h>

#include "ask.h"

#define IDLE(ns, cpu, state) #ns " cpu" #cpu " cpu_idle " #state " " #cpu " t=0"
#define EXIT(ns, cpu) IDLE(ns, cpu, 4294967295)
#define FREQUENCY(ns, cpu, khz, of) #ns " cpu" #cpu " cpu_frequency " #khz " " #of " t=0"

/* Each state of each CPU; a wake is of the state before the task, and only if the CPU was not idle again before it. */
#define STATES \
	LINES("seed a/10 pid=10", IDLE(1000, 0, 2), EXIT(5000, 0), "5200 cpu0 sched_switch idle/0 R -> a/10", "5300 cpu0 sched_switch a/10 S -> idle/0", \
	      IDLE(5400, 0, 2), EXIT(6400, 0), IDLE(6500, 0, 0), EXIT(7000, 0), "7010 cpu0 sched_switch idle/0 R -> a/10", IDLE(6800, 1, 1), \
	      EXIT(8800, 1), IDLE(8900, 1, 1), "9000 cpu1 sched_switch idle/0 R -> a/10")

START_TEST(states)
{
	check_rows(ASK("power"), STATES,
		   ROWS("cpu=0 state=2 count=2 idle_ns=5000 idle_avg_ns=2500 idle_max_ns=4000 deepest=2 wakes=1 wake_max_ns=200 mhz=- mhz_min=- mhz_avg=-",
			"cpu=0 state=0 count=1 idle_ns=500 deepest=0 wakes=1 wake_max_ns=10", "cpu=1 state=1 count=1 idle_ns=2000 wakes=0 wake_max_ns=-"));
	check_rows(ASK("power", .by = "cpu"), STATES,
		   ROWS("cpu=0 state=- count=3 idle_ns=5500 idle_pct=68750 deepest=2 wakes=2 wake_max_ns=200", "cpu=1 state=- count=1 idle_ns=2000 deepest=1"));
	check_rows(ASK("power", .by = "state"), STATES, ROWS("cpu=- state=2 idle_ns=5000 idle_pct=-", "state=0 idle_ns=500", "state=1 idle_ns=2000"));
}
END_TEST

/* Weighted by time, whichever CPU tells of it; what it was before the first event is not known. */
START_TEST(frequencies)
{
	check_rows(ASK("power", .by = "cpu"),
		   LINES(IDLE(1000, 0, 1), EXIT(1100, 0), IDLE(1000, 1, 1), EXIT(1100, 1), FREQUENCY(2000, 0, 800000, 1), FREQUENCY(3000, 0, 2400000, 1),
			 IDLE(6000, 1, 1)),
		   ROWS("cpu=0 mhz=- mhz_min=- mhz_avg=-", "cpu=1 mhz=2400000 mhz_min=800000 mhz_avg=2000000"));
}
END_TEST

/* What was lost may have had an end, a task, another frequency. */
START_TEST(loss)
{
	check_rows(ASK("power", .by = "cpu"),
		   LINES(IDLE(1000, 0, 2), EXIT(1500, 0), FREQUENCY(1600, 0, 800000, 0), IDLE(2000, 0, 2), "cpu0 lost 3", EXIT(9000, 0), IDLE(9100, 0, 1),
			 EXIT(9300, 0)),
		   ROWS("cpu=0 count=2 idle_ns=700 idle_max_ns=500 wakes=- mhz=- mhz_min=800000"));
}
END_TEST

/* ---- what that adds to the time of a task ---- */

/*
 * CPU 0 is in state 2 from 1000 on. a is woken at 4000, CPU 0 leaves the state at 4600, and a runs from 5000 to 6000. Then it is
 * woken on a CPU that polls, and on one that has left its state before.
 */
#define WAKE(ns) #ns " cpu1 sched_waking a/10 target=0 by b/11"
#define IN(ns) #ns " cpu0 sched_switch idle/0 R -> a/10"
#define OUT(ns) #ns " cpu0 sched_switch a/10 S -> idle/0"
START_TEST(exit_of_idle)
{
	check_rows(ASK("why", .pid = 10, .some = true),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch a/10 S -> idle/0", IDLE(1000, 0, 2), WAKE(4000), EXIT(4600, 0), IN(5000), OUT(6000),
			 IDLE(6100, 0, 1), EXIT(8000, 0), WAKE(8100), IN(8200), OUT(9000)),
		   ROWS("part='idle exit' culprit=idle total_ns=600 count=1 at_ns=4000", "part=wake-up culprit=idle total_ns=500 count=2 at_ns=4600",
			"part=run total_ns=1800"));
}
END_TEST

/* The same states as sysfs knows them: leaving a deep one is a part of its own, on a CPU that has it. */
#define SYSFS "idle-state 0 1 C1E 10 20", "idle-state 0 2 C6 85 600", "idle-state 1 2 POLL 0 0"
START_TEST(deep_idle_states)
{
	check_rows(ASK("why", .pid = 10, .some = true),
		   LINES(SYSFS, "seed a/10 pid=10", "900 cpu0 sched_switch a/10 S -> idle/0", IDLE(1000, 0, 2), WAKE(4000), EXIT(4600, 0), IN(5000), OUT(6000),
			 IDLE(6100, 0, 1), WAKE(7000), EXIT(7300, 0), IN(7400), OUT(9000)),
		   ROWS("part='deep idle exit' culprit=idle total_ns=600 count=1 at_ns=4000", "part='idle exit' culprit=idle total_ns=300 count=1 at_ns=7000",
			"part=wake-up total_ns=500", "part=run total_ns=2600"));
	check_rows(ASK("power"), LINES(SYSFS, IDLE(1000, 0, 2), EXIT(5000, 0), IDLE(5400, 0, 1), EXIT(6400, 0), IDLE(6800, 1, 2), EXIT(6900, 1), IDLE(7000, 0, 3), EXIT(7050, 0)),
		   ROWS("cpu=0 state=2 state_name=C6 exit_ns=85000 residency_ns=600000", "cpu=0 state=1 state_name=C1E exit_ns=10000",
			"cpu=1 state=2 state_name=POLL exit_ns=0", "cpu=0 state=3 state_name=- exit_ns=- residency_ns=-"));
	/* one number, two states */
	check_rows(ASK("power", .by = "state"), LINES(SYSFS, IDLE(1000, 0, 2), EXIT(5000, 0), IDLE(5400, 0, 1), EXIT(6400, 0)),
		   ROWS("state=2 state_name=- exit_ns=-", "state=1 state_name=C1E exit_ns=10000"));
	check_rows(ASK("power", .by = "cpu"), LINES(SYSFS, "speed 0 3400000 2200000", IDLE(1000, 0, 2), EXIT(5000, 0), IDLE(6800, 1, 2), EXIT(6900, 1)),
		   ROWS("cpu=0 state_name=- exit_ns=- mhz_max=3400000 mhz_base=2200000", "cpu=1 mhz_max=- mhz_base=-"));
}
END_TEST

/* An end that was lost, and one that comes after the task: nobody knows when the CPU left its state. */
START_TEST(exit_that_is_not_known)
{
	check_rows(ASK("why", .pid = 10, .some = true),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch a/10 S -> idle/0", IDLE(1000, 0, 2), WAKE(4000), IN(5000), EXIT(5600, 0), OUT(6000)),
		   ROWS("part=wake-up culprit=idle total_ns=1000", "part=run total_ns=1000"));
	check_rows(ASK("why", .pid = 10, .by = "part"),
		   LINES("seed a/10 pid=10", "900 cpu0 sched_switch a/10 S -> idle/0", WAKE(4000), IN(5000), OUT(6000), IDLE(6100, 0, 2)),
		   ROWS("part=wake-up total_ns=1000", "part=run total_ns=1000", "part=sleep total_ns=3200"));
}
END_TEST

/*
 * a runs from 1000 to 9000. CPU 0 has 2000 MHz from 2000 on, 1000 MHz from 4000 to 7000, and 1600 MHz from 7000 to 8000, which is not
 * low: 3000 at a low frequency, and 5000 otherwise or unknown. Of its 4000 in read(2) three eighths, as of all that it did.
 */
#define RUNS_AT \
	"seed a/10 pid=10", "1000 cpu0 sched_waking a/10 target=0 by idle/0", "1000 cpu0 sched_switch idle/0 R -> a/10", FREQUENCY(2000, 1, 2000000, 0), FREQUENCY(4000, 1, 1000000, 0), \
	"5000 cpu0 sys_enter t=10 nr=read"

START_TEST(low_frequency)
{
	check_rows(ASK("why", .pid = 10, .by = "part"),
		   LINES(RUNS_AT, FREQUENCY(7000, 1, 1600000, 0), FREQUENCY(8000, 1, 2000000, 0), "9000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("part='run (low frequency)' total_ns=3000 share=37500", "part=run total_ns=5000 share=62500"));
	check_rows(ASK("why", .pid = 10, .by = "part,type"),
		   LINES(RUNS_AT, FREQUENCY(7000, 1, 1600000, 0), FREQUENCY(8000, 1, 2000000, 0), "9000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("part='run (low frequency)' type='read(2)' total_ns=1500", "part=run type='read(2)' total_ns=2500",
			"part='run (low frequency)' type=- total_ns=1500", "part=run type=- total_ns=2500"));
	/* still on its CPU at the end, at 9000 */
	check_rows(ASK("why", .pid = 10, .by = "part"), LINES(RUNS_AT, FREQUENCY(9000, 1, 2000000, 0)),
		   ROWS("part='run (low frequency)' total_ns=5000", "part=run total_ns=3000"));
}
END_TEST

/* Of sysfs: 2000 MHz are low beside 4000, but not where all CPUs together reach no more than 1600; then 1000 MHz are. */
START_TEST(low_frequency_by_sysfs)
{
	static const struct { const char *speed; const char *slow, *run; } cases[] = {
		{ "speed 0 4000000 0", "part='run (low frequency)' total_ns=7000", "part=run total_ns=1000" },
		{ "speed 0 4000000 1600000", "part='run (low frequency)' total_ns=3000", "part=run total_ns=5000" },
		{ "speed 1 4000000 0", "part='run (low frequency)' total_ns=3000", "part=run total_ns=5000" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_rows(ASK("why", .pid = 10, .by = "part"),
			   LINES(cases[i].speed, RUNS_AT, FREQUENCY(7000, 1, 1600000, 0), FREQUENCY(8000, 1, 2000000, 0), "9000 cpu0 sched_switch a/10 S -> idle/0"),
			   ROWS(cases[i].slow, cases[i].run));
}
END_TEST

/* After a loss nobody knows the frequency, until the next change. */
START_TEST(low_frequency_and_loss)
{
	check_rows(ASK("why", .pid = 10, .by = "part"),
		   LINES(RUNS_AT, "cpu2 lost 3", "7000 cpu2 sched_switch x/12 S -> idle/0", "9000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("part=run total_ns=8000"));
}
END_TEST

Suite *rs_suite_power(void);
Suite *rs_suite_power(void)
{
	Suite *s = suite_create("power");
	TCase *t = tcase_create("power");

	tcase_add_test(t, states);
	tcase_add_test(t, frequencies);
	tcase_add_test(t, loss);
	tcase_add_test(t, exit_of_idle);
	tcase_add_test(t, deep_idle_states);
	tcase_add_test(t, exit_that_is_not_known);
	tcase_add_test(t, low_frequency);
	tcase_add_test(t, low_frequency_by_sysfs);
	tcase_add_test(t, low_frequency_and_loss);
	suite_add_tcase(s, t);
	return s;
}
