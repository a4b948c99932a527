// SPDX-License-Identifier: GPL-2.0-or-later
/* test-workqueues - works: who queued them, how long they waited and ran */
#include <check.h>

#include "ask.h"

#define EVENTS "seed a/10 pid=10", "seed b/20 pid=20", "seed w/30 pid=30", "seed v/40 pid=40"
#define WORK(ns, cpu, event, work, function, ...) #ns " cpu" #cpu " workqueue_" event " " #work " function=" #function " " __VA_ARGS__
#define QUEUED(ns, cpu, work, function, ...) WORK(ns, cpu, "queue_work", work, function, __VA_ARGS__)
#define BEGUN(ns, cpu, work, function, ...) WORK(ns, cpu, "execute_start", work, function, __VA_ARGS__)
#define DONE(ns, cpu, work, function, ...) WORK(ns, cpu, "execute_end", work, function, __VA_ARGS__)

/* Two works of one function, of two tasks and an interrupt: one row, or those of each task. */
#define THREE \
	LINES(EVENTS, QUEUED(1000, 0, 7, 256, "t=10"), BEGUN(1500, 1, 7, 256, "t=30"), QUEUED(1600, 0, 8, 256, "t=10"), DONE(1800, 1, 7, 256, "t=30"), \
	      BEGUN(1900, 1, 8, 256, "t=30"), DONE(2000, 1, 8, 256, "t=30"), QUEUED(3000, 0, 7, 256, "t=20"), BEGUN(3100, 0, 7, 256, "t=40"), \
	      DONE(3200, 0, 7, 256, "t=40"), QUEUED(4000, 0, 9, 512, "t=20 softirq"), BEGUN(4200, 0, 9, 512, "t=40"), DONE(4201, 0, 9, 512, "t=40"))

START_TEST(works)
{
	check_rows(ASK("workqueues"), THREE,
		   ROWS("function=0x100 queued=3 executed=3 wait_avg_ns=300 wait_max_ns=500 run_max_ns=300 run_total_ns=500 top_queuer=a/10 comm=-",
			"function=0x200 queued=1 executed=1 wait_max_ns=200 run_total_ns=1 top_queuer=<irq>"));
	check_rows(ASK("workqueues", .by = "function,comm"), THREE,
		   ROWS("function=0x100 comm=a queued=2 executed=2 run_total_ns=400 top_queuer=a/10", "function=0x100 comm=b queued=1 executed=1 run_total_ns=100",
			"function=0x200 comm=- queued=1 executed=1"));
	check_rows(ASK("workqueues", .pid = 20), THREE, ROWS("function=0x100 queued=1 executed=1 wait_max_ns=100 run_total_ns=100 top_queuer=b/20"));
}
END_TEST

/* What begins without having been queued: a flush, or it was queued before. What does not end is not counted. */
START_TEST(halves)
{
	check_rows(ASK("workqueues"),
		   LINES(EVENTS, BEGUN(1000, 0, 7, 256, "t=30"), DONE(1100, 0, 7, 256, "t=30"), QUEUED(1200, 0, 8, 512, "t=10"), BEGUN(1300, 0, 8, 512, "t=30")),
		   ROWS("function=0x100 queued=0 executed=1 wait_max_ns=- run_max_ns=100 top_queuer=-",
			"function=0x200 queued=1 executed=0 wait_max_ns=100 run_max_ns=- top_queuer=a/10"));
	check_rows(ASK("workqueues"), LINES(EVENTS, DONE(1100, 0, 7, 256, "t=30")), NO_ROWS);
}
END_TEST

/* Whether it was queued again in what was lost, and whether that is the end of this execution, is not known. */
START_TEST(loss)
{
	check_rows(ASK("workqueues"),
		   LINES(EVENTS, QUEUED(1000, 0, 7, 256, "t=10"), QUEUED(1100, 0, 8, 256, "t=10"), BEGUN(1200, 0, 8, 256, "t=30"),
			 QUEUED(1300, 1, 9, 512, "t=20"), "cpu1 lost 3",
			 BEGUN(2000, 1, 7, 256, "t=40"), DONE(2100, 1, 7, 256, "t=40"), DONE(2200, 0, 8, 256, "t=30")),
		   ROWS("function=0x100 queued=2 executed=1 wait_max_ns=100 run_max_ns=100", "function=0x200 queued=1 executed=0"));
}
END_TEST

Suite *rs_suite_workqueues(void);
Suite *rs_suite_workqueues(void)
{
	Suite *s = suite_create("workqueues");
	TCase *t = tcase_create("workqueues");

	tcase_add_test(t, works);
	tcase_add_test(t, halves);
	tcase_add_test(t, loss);
	suite_add_tcase(s, t);
	return s;
}
