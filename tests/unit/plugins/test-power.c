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

Suite *rs_suite_power(void);
Suite *rs_suite_power(void)
{
	Suite *s = suite_create("power");
	TCase *t = tcase_create("power");

	tcase_add_test(t, states);
	tcase_add_test(t, frequencies);
	tcase_add_test(t, loss);
	suite_add_tcase(s, t);
	return s;
}
