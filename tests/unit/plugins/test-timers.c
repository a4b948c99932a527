// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timers - timers: who set them, how often they expired or were stopped, and how late they were */
#include <check.h>

#include "ask.h"

#define EVENTS \
	"seed a/10 pid=10", "seed b/20 pid=20", "with timer_start", "with timer_cancel", "with timer_expire_entry", "with hrtimer_start", \
		"with hrtimer_cancel", "with hrtimer_expire_entry", "with itimer_state", "with itimer_expire"

/* The kernel cancels a timer that expires, too: that counts as its expiration alone. Late is from the soft expiry time on. */
START_TEST(expirations)
{
	check_rows(ASK("timers"),
		   LINES(EVENTS, "1000 cpu0 hrtimer_start 7 256 9000 t=10", "5000 cpu0 hrtimer_cancel 7 t=0 irq", "5001 cpu0 hrtimer_expire_entry 7 256 9060 t=0 irq",
			 "6000 cpu0 hrtimer_start 7 256 9500 t=10", "8000 cpu1 hrtimer_cancel 7 t=0 irq", "8001 cpu1 hrtimer_expire_entry 7 256 9540 t=0 irq",
			 "8500 cpu0 timer_start 8 512 t=20", "8600 cpu0 timer_cancel 8 t=20", "8700 cpu0 timer_start 8 512 t=20",
			 "8800 cpu0 timer_cancel 8 t=0 softirq", "8801 cpu0 timer_expire_entry 8 512 t=0 softirq", "8900 cpu0 timer_start 8 512 t=20",
			 "1000001000 cpu0 timer_cancel 8 t=20"),
		   ROWS("function=0x100 kind=hrtimer comm=a pid=10 starts=2 expirations=2 rate=2000 cancels=0 late_avg_ns=50 late_max_ns=60",
			"function=0x200 kind=timer comm=b pid=20 starts=3 expirations=1 rate=1000 cancels=2 late_avg_ns=- late_max_ns=-"));
}
END_TEST

/* What an interrupt sets belongs to no task, but a timer that it sets anew stays that of its task; another function is another timer. */
START_TEST(owners)
{
	check_rows(ASK("timers"),
		   LINES(EVENTS, "1000 cpu0 hrtimer_start 7 256 2000 t=10", "2000 cpu0 hrtimer_expire_entry 7 256 2000 t=20 irq",
			 "2001 cpu0 hrtimer_start 7 256 3000 t=20 irq", "3000 cpu0 hrtimer_expire_entry 7 256 3000 t=20 irq", "3001 cpu0 hrtimer_start 7 512 4000 t=20 irq",
			 "4000 cpu0 hrtimer_expire_entry 7 512 4000 t=10 irq"),
		   ROWS("function=0x100 comm=a pid=10 starts=2 expirations=2", "function=0x200 comm=- pid=- starts=1 expirations=1"));
	/* it was set before the capture: whose it is, and since when, is not known */
	check_rows(ASK("timers"), LINES(EVENTS, "1000 cpu0 hrtimer_cancel 7 t=10 irq", "1001 cpu0 hrtimer_expire_entry 7 256 3000 t=10 irq"),
		   ROWS("function=0x100 comm=- pid=- starts=0 expirations=1 cancels=0 late_max_ns=-"));
}
END_TEST

/* -p leaves out what belongs to no task, and to others. */
START_TEST(selected)
{
	check_rows(ASK("timers", .pid = 10),
		   LINES(EVENTS, "1000 cpu0 timer_start 7 256 t=10", "1100 cpu0 timer_start 8 256 t=20", "1200 cpu0 timer_start 9 256 t=10 softirq",
			 "1300 cpu0 timer_expire_entry 7 256 t=0 softirq", "1400 cpu0 timer_expire_entry 8 256 t=0 softirq"),
		   ROWS("function=0x100 comm=a pid=10 starts=1 expirations=1"));
}
END_TEST

/* An itimer is the process's, whoever runs when it expires; set to 0 it is stopped. */
START_TEST(itimers)
{
	check_rows(ASK("timers"),
		   LINES(EVENTS, "1000 cpu0 itimer_state 0 0 5000 t=10", "2000 cpu0 itimer_expire 0 10 t=20 irq", "2500 cpu0 itimer_state 0 0 0 t=10",
			 "3000 cpu0 itimer_state 2 1 0 t=20"),
		   ROWS("function=ITIMER_REAL kind=itimer comm=a pid=10 starts=1 expirations=1 cancels=1 late_avg_ns=-",
			"function=ITIMER_PROF kind=itimer comm=b pid=20 starts=1 expirations=0 cancels=0"));
}
END_TEST

/* It may have been set anew in what was lost: how late it was is not known. */
START_TEST(loss)
{
	check_rows(ASK("timers"),
		   LINES(EVENTS, "1000 cpu0 hrtimer_start 7 256 2000 t=10", "1500 cpu0 timer_start 8 512 t=20", "cpu0 lost 3",
			 "9000 cpu0 hrtimer_expire_entry 7 256 2500 t=0 irq"),
		   ROWS("function=0x100 starts=1 expirations=1 late_max_ns=-", "function=0x200 starts=1 expirations=0"));
}
END_TEST

Suite *rs_suite_timers(void);
Suite *rs_suite_timers(void)
{
	Suite *s = suite_create("timers");
	TCase *t = tcase_create("timers");

	tcase_add_test(t, expirations);
	tcase_add_test(t, owners);
	tcase_add_test(t, selected);
	tcase_add_test(t, itimers);
	tcase_add_test(t, loss);
	suite_add_tcase(s, t);
	return s;
}
